//! Instances of plugins as far as they are compiled.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use sinew_model::plugin::{DistanceField, Plugin};

use crate::spec::{PluginUse, Span};

/// All instances, and the elements that have one.
#[derive(Default)]
pub(crate) struct Instances {
    pub(crate) list: Vec<InstanceRec>,
    /// Which instance an element has, by the address of its `<plugin>`: elements may be equal.
    pub(crate) of_use: HashMap<usize, usize>,
    /// Instances by name; of equal names, which are an error, the first.
    by_name: HashMap<String, usize>,
}

/// An instance.
pub(crate) struct InstanceRec {
    /// Name, or empty.
    pub(crate) name: String,
    /// Where it is made.
    pub(crate) span: Span,
    /// Plugin of the instance, as written.
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

    /// The distance field of an instance that is one.
    pub(crate) fn distance_field(
        &self,
        id: usize,
    ) -> Option<Result<Box<dyn DistanceField>, String>> {
        let rec = self.list.get(id)?;
        let (_, plugin) = rec.found.as_ref()?;
        let value = |key: &&str| rec.config.get(*key).map_or("", String::as_str);
        let values: Vec<&str> = plugin.attributes().iter().map(value).collect();
        plugin.field(&values)
    }

    /// The instance of this name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Appends an instance.
    pub(crate) fn add(&mut self, rec: InstanceRec) {
        if !rec.name.is_empty() {
            self.by_name.entry(rec.name.clone()).or_insert(self.list.len());
        }
        self.list.push(rec);
    }
}

/// A number that tells the `<plugin>` of one element from another's.
pub(crate) fn address(plugin: &PluginUse) -> usize {
    core::ptr::from_ref(plugin) as usize
}
