//! MuJoCo's first-party plugins, with its numbers, under its names.
//!
//! `cable` (bending and twisting of composites), `pid` (actuators), `touch_grid` (sensors) and the
//! distance fields of `sdf`. Each is found like a user's own: by name, in a registry.

mod cable;
mod pid;
mod sdf;
mod settings;
mod touch_grid;

use std::sync::{Arc, OnceLock};

use sinew_model::plugin::{Plugin, Registry};

/// The plugins that every model finds unless it is loaded with others, at the slots where
/// MuJoCo's Python package has them.
pub fn first_party() -> Registry {
    static PLUGINS: OnceLock<Registry> = OnceLock::new();
    let make = || {
        let mut all: Vec<Arc<dyn Plugin>> =
            vec![Arc::new(pid::Pid), Arc::new(cable::Cable), Arc::new(touch_grid::TouchGrid)];
        all.extend(sdf::KINDS.iter().map(|kind| Arc::new(*kind) as Arc<dyn Plugin>));
        let mut registry = Registry::default();
        for plugin in all {
            registry.register(plugin).expect("the names differ");
        }
        registry
    };
    PLUGINS.get_or_init(make).clone()
}
