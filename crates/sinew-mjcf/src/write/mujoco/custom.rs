//! Plugins, custom data and keyframes.

use crate::spec::{Attr, Key, PluginConfig};
use crate::write::made_instances;
use crate::write::mujoco::Writer;
use crate::write::mujoco::node::Node;

impl Writer<'_> {
    /// The plugins that the model uses, with their instances; instances of attached models come
    /// after those that elements make.
    pub(super) fn extension(&self, root: &mut Node) {
        let spec = self.spec;
        let mut instances: Vec<(&str, &str, &[PluginConfig])> = Vec::new();
        let written = |own: bool| {
            let extensions = spec.extensions.iter().filter(|e| (e.head.scope == 0) == own);
            let listed = extensions.flat_map(|e| e.instances.iter().map(move |i| (e, i)));
            listed.map(|(e, i)| (e.plugin.text(), i.name.text(), i.config.as_slice())).collect()
        };
        let (own, foreign): (Vec<_>, Vec<_>) = (written(true), written(false));
        instances.extend(own);
        let mut made = Vec::new();
        made_instances(&spec.world, &mut made);
        let made = made.into_iter();
        instances.extend(made.map(|p| (p.plugin.text(), p.instance.text(), p.config.as_slice())));
        instances.extend(foreign);

        // one element for instances in a row
        let mut section = Node::new("extension");
        let mut last = None;
        for (plugin, name, config) in instances.iter().copied() {
            if last != Some(plugin) {
                let mut node = Node::new("plugin");
                node.text("plugin", plugin);
                section.push(node);
                last = Some(plugin);
            }
            let mut instance = Node::new("instance");
            instance.text("name", name);
            self.config(&mut instance, plugin, config);
            section.children.last_mut().expect("a plugin was pushed").push(instance);
        }

        // plugins without instances, once each
        let mut seen: Vec<&str> = instances.iter().map(|(plugin, ..)| *plugin).collect();
        for e in &spec.extensions {
            if !seen.contains(&e.plugin.text()) {
                let mut node = Node::new("plugin");
                node.text("plugin", e.plugin.text());
                section.push(node);
                seen.push(e.plugin.text());
            }
        }
        root.push_full(section);
    }

    /// The section of the user's numbers, texts and tuples.
    pub(super) fn custom(&self, root: &mut Node) {
        let mut section = Node::new("custom");
        for e in &self.spec.numerics {
            let mut node = Node::new("numeric");
            node.text("name", e.name.text());
            let mut data = e.values().data().to_vec();
            let size = usize::try_from(e.values().size()).unwrap_or(0);
            data.resize(size.max(data.len()), 0.0);
            node.text("size", data.len().to_string());
            node.all("data", &data);
            section.push(node);
        }
        for e in &self.spec.texts {
            let mut node = Node::new("text");
            node.text("name", e.name.text());
            node.text("data", e.data.text());
            section.push(node);
        }
        for e in &self.spec.tuples {
            let mut node = Node::new("tuple");
            node.text("name", e.name.text());
            for member in &e.elements {
                let mut child = Node::new("element");
                child.text("objtype", member.objtype.text());
                child.text("objname", member.objname.text());
                child.extend(member.differing(&Default::default(), "prm"));
                node.push(child);
            }
            section.push(node);
        }
        root.push_full(section);
    }

    /// The keyframes of the compiled model, but quaternions as they were given.
    pub(super) fn keyframe(&self, root: &mut Node) {
        let m = self.m;
        let mut mocap: Vec<usize> = (0..m.nbody).collect();
        mocap.retain(|&b| m.body_mocapid[b].get().is_some());
        mocap.sort_by_key(|&b| m.body_mocapid[b].get());
        let pos: Vec<f64> = mocap.iter().flat_map(|&b| m.body_pos[b].to_array()).collect();
        let quat: Vec<f64> = mocap.iter().flat_map(|&b| m.body_quat[b].to_array()).collect();

        let plastic = m.plastic_start();
        let mut section = Node::new("keyframe");
        let none = Key::default();
        for i in 0..m.nkey {
            let written = self.spec.keys.get(i).unwrap_or(&none);
            let mut node = Node::new("key");
            node.text("name", written.name.text());
            if m.key_time[i] != 0.0 {
                node.all("time", &[m.key_time[i]]);
            }
            let zeros = vec![0.0; m.nv.max(m.na).max(m.nu)];
            let mut put = |name, written: &Attr<Vec<f64>>, compiled: &[f64], usual: &[f64]| {
                let partial = self.spec.keys.get(i).is_some_and(|key| key.partial);
                let given = written.get().filter(|v| v.len() == compiled.len() && !partial);
                let values = given.map_or(compiled, Vec::as_slice);
                if values != &usual[..values.len()] {
                    node.all(name, values);
                }
            };
            put("qpos", &written.qpos, &m.key_qpos[i], &m.qpos0);
            put("qvel", &written.qvel, &m.key_qvel[i], &zeros);
            put("act", &written.act, &m.key_act[i], &zeros);
            put("mpos", &written.mpos, &m.key_mpos[i], &pos);
            put("mquat", &written.mquat, &m.key_mquat[i], &quat);
            put("ctrl", &written.ctrl, &m.key_ctrl[i], &zeros);
            put("plastic", &written.plastic, m.key_plastic(i), &plastic);
            section.push_said(node);
        }
        root.push_full(section);
    }
}
