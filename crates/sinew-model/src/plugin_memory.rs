//! Containers in [`Model`](crate::Model) and [`Data`](crate::Data) for plugin code. Only
//! [`plugin`](crate::plugin) knows the types: that module needs both structs, so the structs cannot
//! name the types.

use core::any::Any;
use core::fmt;
use std::sync::Arc;

type Opaque = Arc<dyn Any + Send + Sync>;

/// The plugins of a model's instances, by instance.
#[derive(Clone, Default)]
pub struct Plugins(Vec<(String, Opaque)>);

impl Plugins {
    /// Appends the plugin of the next instance.
    pub(crate) fn push<T: Any + Send + Sync>(&mut self, name: &str, plugin: T) {
        self.0.push((name.to_owned(), Arc::new(plugin)));
    }

    /// The plugin of an instance.
    pub(crate) fn get<T: Any>(&self, instance: usize) -> Option<&T> {
        self.0.get(instance)?.1.downcast_ref()
    }

    /// The names of the plugins, by instance.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

impl fmt::Debug for Plugins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// Lists of plugins are equal if they have the same names, so that a model loaded twice equals
/// itself.
impl PartialEq for Plugins {
    fn eq(&self, other: &Plugins) -> bool {
        self.names().eq(other.names())
    }
}

/// The plugin instances of a `Data`; a copy has its own instances where they request it.
#[derive(Default)]
pub struct Instances(Vec<Option<Held>>);

struct Held {
    value: Opaque,
    copy: fn(&Opaque) -> Opaque,
}

impl Instances {
    /// Appends the next instance, or `None` if its plugin failed, with its copy function.
    pub(crate) fn push<T: Any + Send + Sync>(
        &mut self,
        value: Option<T>,
        copy: fn(&Opaque) -> Opaque,
    ) {
        self.0.push(value.map(|value| Held { value: Arc::new(value), copy }));
    }

    /// An instance, if its plugin could make it.
    #[inline]
    pub(crate) fn get<T: Any>(&self, instance: usize) -> Option<&T> {
        self.0.get(instance)?.as_ref()?.value.downcast_ref()
    }

    /// The first instance that its plugin could not make.
    pub fn missing(&self) -> Option<usize> {
        self.0.iter().position(Option::is_none)
    }
}

impl Clone for Instances {
    fn clone(&self) -> Instances {
        let copy = |held: &Held| Held { value: (held.copy)(&held.value), copy: held.copy };
        Instances(self.0.iter().map(|held| held.as_ref().map(copy)).collect())
    }
}

impl fmt::Debug for Instances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Instances({})", self.0.len())
    }
}
