//! Plugins of an attached model, and the instances that its copy refers to.

use std::collections::HashSet;

use crate::expand::rename::Rename;
use crate::spec::{Child, Extension, PluginUse, Spec};

/// Brings along the plugins of an attached model, whose subtree has been copied.
pub(crate) fn copy_extensions(to: &mut Spec, from: &Spec, copied: &[Child], rename: &Rename<'_>) {
    if from.extensions.is_empty() {
        return;
    }

    // instances that something refers to
    let mut used = HashSet::new();
    add_children(copied, &mut used);
    to.meshes.iter().for_each(|e| add(&e.plugin, &mut used));
    to.actuators.iter().for_each(|e| add(&e.plugin, &mut used));
    to.sensors.iter().for_each(|e| add(&e.plugin, &mut used));

    // instances that are missing
    let there = |name: &str, list: &[Extension]| {
        list.iter().flat_map(|e| &e.instances).any(|instance| instance.name.text() == name)
    };
    for extension in &from.extensions {
        let mut copy = extension.clone();
        copy.instances.retain_mut(|instance| {
            rename.asset(&mut instance.name);
            rename.head(&mut instance.head);
            let name = instance.name.text();
            used.contains(name) && !there(name, &to.extensions)
        });
        let declared = to.extensions.iter().any(|e| e.plugin.text() == copy.plugin.text());
        if !declared || !copy.instances.is_empty() {
            to.extensions.push(copy);
        }
    }
}

/// Whether anything in a tree is computed by a plugin.
pub(crate) fn has_plugins(children: &[Child]) -> bool {
    children.iter().any(|child| match child {
        Child::Body(b) => b.plugin.is_some() || has_plugins(&b.children),
        Child::Frame(f) => has_plugins(&f.children),
        Child::Geom(g) => g.plugin.is_some(),
        _ => false,
    })
}

fn add(plugin: &Option<Box<PluginUse>>, used: &mut HashSet<String>) {
    used.extend(plugin.iter().map(|plugin| plugin.instance.text().to_owned()));
}

fn add_children(children: &[Child], used: &mut HashSet<String>) {
    for child in children {
        match child {
            Child::Body(b) => {
                add(&b.plugin, used);
                add_children(&b.children, used);
            }
            Child::Frame(f) => add_children(&f.children, used),
            Child::Geom(g) => add(&g.plugin, used),
            _ => {}
        }
    }
}
