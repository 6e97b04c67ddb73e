//! The model as MuJoCo writes it: classes are kept, elements have the values that differ from their
//! class. Poses and sizes are the compiled model's.

mod asset;
mod body;
mod custom;
mod leaf;
mod node;
mod object;
mod outline;

use sinew_model::Model;
use sinew_model::options::{Options, Visual};
use sinew_model::plugin::Registry;

use crate::actuator_kinds::ActuatorSettings;
use crate::copy_back;
use crate::defaults::Defaults;
use crate::number::concise;
use crate::settings::Settings;
use crate::spec::{
    DefaultClass, Head, OptionElement, PluginConfig, PluginUse, Spec, VisualElement, memory_bytes,
};
use crate::write::mujoco::node::Node;
use crate::write::mujoco::outline::outline;

/// The text of an expanded model that was compiled to `model`; none if the model has other elements
/// because bodies were fused or objects discarded. An error is an element that has no text.
pub(crate) fn write(
    spec: &Spec,
    model: &Model,
    plugins: &Registry,
) -> Result<Option<String>, String> {
    if spec.scopes.is_empty() || spec.defaults.is_empty() {
        return Err("the model has no compiler settings or no default class".to_owned());
    }
    let found = outline(&spec.world, spec.complete, model);
    let Some(world) = found.filter(|_| same_lists(spec, model)) else { return Ok(None) };
    let settings = spec.scopes.iter().map(|s| Settings::new(&s.compiler)).collect();
    let w = Writer { spec, m: model, plugins, defaults: Defaults::new(spec), settings };

    // settings, then classes and elements
    let mut root = Node::new("mujoco");
    root.attribute("model", spec.modelname.get().map_or("MuJoCo Model", String::as_str));
    w.compiler(&mut root);
    w.option(&mut root);
    w.size(&mut root);
    w.visual(&mut root);
    w.statistic(&mut root);
    w.main_class(&mut root);
    w.extension(&mut root);
    w.custom(&mut root);
    w.asset(&mut root)?;
    let mut node = Node::new("worldbody");
    w.body(&mut node, &world, None, "");
    root.push(node);
    w.contact(&mut root);
    w.deformable(&mut root);
    w.equalities(&mut root);
    w.tendons(&mut root);
    w.actuators(&mut root);
    w.sensors(&mut root);
    w.keyframe(&mut root);
    Ok(Some(root.document(&spec.comment)))
}

/// Whether the lists of a model have the lengths of its source's lists.
fn same_lists(spec: &Spec, m: &Model) -> bool {
    let assets = (spec.textures.len(), spec.meshes.len(), spec.hfields.len(), spec.materials.len());
    let deformable = (spec.flexes.len(), spec.skins.len());
    let objects = (spec.pairs.len(), spec.equalities.len(), spec.tendons.len());
    let signals = (spec.actuators.len(), spec.sensors.len());
    assets == (m.ntex, m.nmesh, m.nhfield, m.nmat)
        && deformable == (m.nflex, m.nskin)
        && objects == (m.npair, m.neq, m.ntendon)
        && signals == (m.whole_actuators().count(), m.nsensor)
}

/// A model that is being written.
struct Writer<'s> {
    spec: &'s Spec,
    m: &'s Model,
    plugins: &'s Registry,
    defaults: Defaults,
    settings: Vec<Settings>,
}

/// Numbers of a text in MuJoCo's style; words stay as they are.
fn restyled(text: &str) -> String {
    let words = text.split_ascii_whitespace();
    let words = words.map(|word| word.parse().map_or(word.to_owned(), concise));
    words.collect::<Vec<_>>().join(" ")
}

/// An element with its attributes in MuJoCo's style.
fn styled(tag: &str, attributes: Vec<(&'static str, String)>) -> Node {
    let mut node = Node::new(tag);
    node.extend(attributes.into_iter().map(|(name, text)| (name, restyled(&text))).collect());
    node
}

/// A folder with a separator at its end.
fn folder(path: &str) -> String {
    let closed = path.is_empty() || path.ends_with(['/', '\\']);
    format!("{path}{}", if closed { "" } else { "/" })
}

/// A number of bytes with a suffix.
fn bytes_text(bytes: u64) -> String {
    let suffixes = "EPTGMK".chars().zip((1..=6).rev());
    let fits = |shift: u32| bytes >= 1 << shift && bytes.trailing_zeros() >= shift;
    let found = suffixes.map(|(suffix, power)| (suffix, 10 * power)).find(|(_, s)| fits(*s));
    found.map_or(bytes.to_string(), |(suffix, shift)| format!("{}{suffix}", bytes >> shift))
}

impl Writer<'_> {
    fn compiler(&self, root: &mut Node) {
        let mut node = Node::new("compiler");
        let compiler = self.spec.scopes.first().map(|scope| scope.compiler.clone());
        let compiler = compiler.unwrap_or_default();
        let v = compiler.values();
        node.text("angle", "radian");
        node.text("meshdir", folder(v.meshdir()));
        node.text("texturedir", folder(v.texturedir()));
        let order = "usethread boundmass boundinertia alignfree autolimits";
        node.extend(compiler.differing(&Default::default(), order));
        root.push(node);
    }

    fn option(&self, root: &mut Node) {
        let mut option = OptionElement::default();
        copy_back::options(&mut option, &Options::default(), &self.m.opt);
        let mut node = styled("option", option.attributes());

        // options that MuJoCo does not have
        let own = |name: &str| name.starts_with("coulomb");
        let written = self.spec.option.attributes().into_iter();
        node.extend(written.filter(|(name, _)| own(name)).collect());
        node.push_said(styled("flag", option.flag.attributes()));
        root.push_full(node);
    }

    fn size(&self, root: &mut Node) {
        let mut size = self.spec.size.clone();
        let mut node = Node::new("size");
        let memory = memory_bytes(size.memory.text()).ok().flatten();
        node.text("memory", memory.map_or(String::new(), bytes_text));
        let m = self.m;
        for (attr, count) in [
            (&mut size.nkey, m.nkey),
            (&mut size.nuser_body, m.nuser_body),
            (&mut size.nuser_jnt, m.nuser_jnt),
            (&mut size.nuser_geom, m.nuser_geom),
            (&mut size.nuser_site, m.nuser_site),
            (&mut size.nuser_cam, m.nuser_cam),
            (&mut size.nuser_tendon, m.nuser_tendon),
            (&mut size.nuser_actuator, m.nuser_actuator),
            (&mut size.nuser_sensor, m.nuser_sensor),
        ] {
            attr.clear();
            if count > 0 {
                attr.set(i32::try_from(count).unwrap_or(i32::MAX));
            }
        }
        let mut order = "njmax nconmax nstack nuserdata nkey nuser_body nuser_jnt nuser_geom \
                         nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor";
        if memory.is_some() {
            // counts of an earlier element merge with `memory`, which excludes them in its own
            let mut counts = Node::new("size");
            counts.extend(size.differing(&Default::default(), "njmax nstack"));
            root.push_said(counts);
            order = "nconmax nuserdata nkey nuser_body nuser_jnt nuser_geom nuser_site nuser_cam \
                     nuser_tendon nuser_actuator nuser_sensor";
        }
        node.extend(size.differing(&Default::default(), order));
        root.push_said(node);
    }

    fn visual(&self, root: &mut Node) {
        let mut visual = VisualElement::default();
        copy_back::visual(&mut visual, &Visual::default(), &self.m.vis);
        let mut node = Node::new("visual");

        // MuJoCo writes `realtime` before the sizes of the screen
        let mut global = visual.global.attributes();
        let order = ["offwidth", "offheight", "ellipsoidinertia", "bvactive"];
        global.sort_by_key(|(name, _)| order.iter().position(|n| n == name).map_or(0, |i| i + 1));
        node.push_said(styled("global", global));
        node.push_said(styled("quality", visual.quality.attributes()));
        node.push_said(styled("headlight", visual.headlight.attributes()));
        node.push_said(styled("map", visual.map.attributes()));
        node.push_said(styled("scale", visual.scale.attributes()));
        node.push_said(styled("rgba", visual.rgba.attributes()));
        root.push_full(node);
    }

    fn statistic(&self, root: &mut Node) {
        let written = self.spec.statistic.attributes().into_iter();
        let given = written.filter(|(_, text)| !text.contains("NaN")).collect();
        root.push_said(styled("statistic", given));
    }

    /// The default classes, `main` first.
    fn main_class(&self, root: &mut Node) {
        let section = self.class(0, &DefaultClass::default());
        if !section.children.is_empty() {
            root.push(section);
        }
    }

    /// A default class with the classes inside.
    fn class(&self, i: usize, base: &DefaultClass) -> Node {
        let classes = self.defaults.classes();
        let Some(own) = classes.get(i) else { return Node::new("default") };
        let mut section = Node::new("default");
        if own.name != "main" {
            section.text("class", own.name.as_str());
        }
        section.push_said(self.mesh("mesh", &own.mesh, &base.mesh, None));
        section.push_said(self.material(&own.material, &base.material, None));
        section.push_said(self.joint(&own.joint, &base.joint, None));
        section.push_said(self.geom(&own.geom, &base.geom, None));
        section.push_said(self.site(&own.site, &base.site, None));
        section.push_said(self.camera(&own.camera, &base.camera, None));
        section.push_said(self.light(&own.light, &base.light, None));
        section.push_said(self.pair(&own.pair, &base.pair, None));
        section.push_said(self.equality(&own.equality, &base.equality, None));
        section.push_said(self.tendon(&own.tendon, &base.tendon, None));
        let settings = [own, base].map(|class| ActuatorSettings::of(&class.actuators));
        section.push_said(self.actuator(&settings[0], &settings[1], None, None));
        for (child, class) in classes.iter().enumerate().skip(1) {
            if class.parent.map_or(0, |parent| parent.0) == i {
                section.push(self.class(child, own));
            }
        }
        section
    }

    /// The class of an element; the root class of an attached model is ours.
    fn class_of(&self, head: &Head) -> &DefaultClass {
        let classes = self.defaults.classes();
        let own = head.class.and_then(|class| classes.get(class.0));
        match own.filter(|class| class.parent.is_some() || !class.name.ends_with("main")) {
            Some(class) => class,
            None => &classes[0],
        }
    }

    /// The name of the class of an element, `main` for the root of any model; empty where a
    /// complete model does not say it.
    fn class_name(&self, head: &Head) -> &str {
        let class = self.class_of(head);
        match head.class {
            None if self.spec.complete => "",
            _ if core::ptr::eq(class, &self.defaults.classes()[0]) => "main",
            _ => &class.name,
        }
    }

    /// Adds the name of an element and its class.
    fn named(&self, node: &mut Node, name: &str, head: &Head) {
        node.text("name", name);
        self.classed(node, head);
    }

    /// Adds the class of an element.
    fn classed(&self, node: &mut Node, head: &Head) {
        let class = self.class_name(head);
        if class != "main" {
            node.text("class", class);
        }
    }

    /// Adds user data, with the length of every element of its kind, if it differs from a base's.
    fn user(node: &mut Node, own: &[f64], base: &[f64], size: usize) {
        let padded = |data: &[f64]| {
            let mut data = data.to_vec();
            data.resize(size.max(data.len()), 0.0);
            data
        };
        let (own, mut base) = (padded(own), padded(base));
        base.resize(own.len(), 0.0);
        if own != base {
            node.all("user", &own);
        }
    }

    /// Adds the instance of an element's plugin, or the plugin with its settings.
    fn plugin(&self, node: &mut Node, plugin: &PluginUse) {
        if plugin.instance.text().is_empty() {
            node.text("plugin", plugin.plugin.text());
            self.config(node, plugin.plugin.text(), &plugin.config);
        } else {
            node.text("instance", plugin.instance.text());
        }
    }

    /// Adds settings in the order in which the plugin lists them.
    fn config(&self, node: &mut Node, plugin: &str, config: &[PluginConfig]) {
        let found = self.plugins.find(plugin);
        let listed = found.map(|(_, plugin)| plugin.attributes()).unwrap_or_default();
        let place = |key: &str| listed.iter().position(|k| *k == key).unwrap_or(listed.len());
        let mut config: Vec<_> = config.iter().filter(|c| !c.value.text().is_empty()).collect();
        config.sort_by_key(|c| (place(c.key.text()), c.key.text()));
        for setting in config {
            let mut child = Node::new("config");
            child.text("key", setting.key.text());
            child.text("value", setting.value.text());
            node.push(child);
        }
    }

    /// Adds the plugin that an element contains.
    fn push_plugin(&self, node: &mut Node, plugin: Option<&PluginUse>) {
        if let Some(plugin) = plugin {
            let mut child = Node::new("plugin");
            self.plugin(&mut child, plugin);
            node.push(child);
        }
    }
}
