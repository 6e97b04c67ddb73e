//! `<extension>`, and `<plugin>` wherever an element is computed by one.

use crate::spec::elements::declare::elements;

elements! {
    /// `<extension><plugin>`: a plugin the model uses.
    Extension {
        plugin: String = "plugin";
        + /// `<instance>` children.
        instances: Vec<PluginInstance>;
    }
    /// `<extension><plugin><instance>`: settings that elements refer to by name.
    PluginInstance {
        name: String = "name";
        + /// `<config>` children.
        config: Vec<PluginConfig>;
    }
    /// `<config>`: a setting.
    PluginConfig {
        key: String = "key";
        value: String = "value";
    }
    /// `<plugin>` in or as an element: the plugin with its settings, or an instance by name.
    PluginUse {
        plugin: String = "plugin";
        instance: String = "instance";
        + /// `<config>` children.
        config: Vec<PluginConfig>;
        + /// Whether it makes the instance that it names, which the other bodies of a composite or
        /// flexcomp share.
        makes_instance: bool;
    }
}

impl PluginUse {
    /// The same for one of several bodies, which share an instance named after their generator.
    pub(crate) fn shared(&self, what: &str, name: &str) -> Box<PluginUse> {
        let mut shared = Box::new(self.clone());
        if shared.instance.text().is_empty() {
            shared.makes_instance = true;
            shared.instance.set(format!("{what}{name}"));
        }
        shared
    }
}
