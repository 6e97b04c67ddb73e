//! `<extension>`, and the `<plugin>` of an element.

use std::collections::HashSet;

use super::Reader;
use crate::spec::{Extension, PluginConfig, PluginInstance, PluginUse};
use crate::xml::Node;

impl<'t> Reader<'_, 't> {
    pub(super) fn extension(&mut self, node: Node<'t>) {
        for child in node.named("plugin") {
            self.require(child, &["plugin"]);
            let mut extension = Extension::read(&mut self.source(child));
            for child in child.named("instance") {
                self.require(child, &["name"]);
                let mut instance = PluginInstance::read(&mut self.source(child));
                self.name(child, "plugin", &instance.name);
                instance.config = self.config(child);
                extension.instances.push(instance);
            }
            self.spec.extensions.push(extension);
        }
    }

    /// The `<plugin>` in an element, if there is one; MuJoCo takes the first.
    pub(super) fn plugin_in(&mut self, node: Node<'t>) -> Option<Box<PluginUse>> {
        let child = node.named("plugin").next()?;
        Some(self.plugin(child))
    }

    /// The `<plugin>` of a body, which may be in frames of it; the last counts.
    pub(super) fn plugin_of_body(&mut self, node: Node<'t>) -> Option<Box<PluginUse>> {
        let mut found = None;
        for child in node.children() {
            match child.name() {
                "plugin" => found = Some(self.plugin(child)),
                "frame" => found = self.plugin_of_body(child).or(found),
                _ => {}
            }
        }
        found
    }

    /// The plugin that an element names.
    pub(super) fn plugin(&mut self, node: Node<'t>) -> Box<PluginUse> {
        let mut plugin = PluginUse::read(&mut self.source(node));
        plugin.config = self.config(node);
        if !plugin.instance.text().is_empty() && !plugin.config.is_empty() {
            plugin.config.clear();
            let words = "config has no effect in an element that names an instance";
            self.diag.warn("plugin", node.span(), words);
            self.diag.help("write it in the <instance>, below <extension>");
        }
        Box::new(plugin)
    }

    fn config(&mut self, node: Node<'t>) -> Vec<PluginConfig> {
        let mut keys = HashSet::new();
        let mut config = Vec::new();
        for child in node.named("config") {
            self.require(child, &["key", "value"]);
            let setting = PluginConfig::read(&mut self.source(child));
            if !keys.insert(setting.key.text().to_owned()) {
                let words = format!("duplicate config key: {}", setting.key.text());
                self.error(child, "plugin", words);
            }
            config.push(setting);
        }
        config
    }
}
