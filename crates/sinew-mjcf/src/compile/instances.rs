//! Instances of plugins as far as they are compiled.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use sinew_model::plugin::Plugin;

use crate::spec::{PluginUse, Span};

/// All instances, and the elements that have one.
#[derive(Default)]
pub(crate) struct Instances {
    pub(crate) list: Vec<InstanceRec>,
    /// Which instance an element has, by the address of its `<plugin>`: elements may be equal.
    pub(crate) of_use: HashMap<usize, usize>,
}

/// An instance.
pub(crate) struct InstanceRec {
    /// Name, or empty.
    pub(crate) name: String,
    /// Where it is made.
    pub(crate) span: Span,
    /// Its plugin, as written.
    pub(crate) plugin: String,
    /// The plugin itself, if there is one, with its slot.
    pub(crate) found: Option<(usize, Arc<dyn Plugin>)>,
    /// Settings by key.
    pub(crate) config: BTreeMap<String, String>,
}

impl Instances {
    /// The instance an element has, given its `<plugin>` in the spec.
    pub(crate) fn of(&self, plugin: &Option<Box<PluginUse>>) -> Option<usize> {
        self.of_use.get(&address(plugin.as_deref()?)).copied()
    }

    /// Names and places, in order.
    pub(crate) fn names(&self) -> Vec<(String, Span)> {
        self.list.iter().map(|rec| (rec.name.clone(), rec.span)).collect()
    }

    /// The instance of this name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.list.iter().position(|rec| rec.name == name)
    }
}

/// What tells the `<plugin>` of one element from that of another.
pub(crate) fn address(plugin: &PluginUse) -> usize {
    core::ptr::from_ref(plugin) as usize
}
