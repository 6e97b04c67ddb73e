//! MJCF and URDF to `Model`: parsing with places, defaults, assets, compilation.

mod actuator_kinds;
mod asset;
mod changed;
mod collect;
mod compile;
mod copy_back;
mod defaults;
mod dependencies;
pub mod diag;
pub mod document;
mod edit;
mod expand;
mod files;
mod include;
mod later;
mod load;
mod number;
mod options;
mod orientation;
mod parse;
mod pose;
mod rules;
mod schema;
mod settings;
pub mod spec;
mod write;
mod xml;

pub use actuator_kinds::{ActuatorSettings, SHORTCUTS, Shortcut};
pub use asset::cache::AssetCache;
pub use collect::Collected;
pub use dependencies::xml_dependencies;
pub use edit::{BodyMut, Element, FrameMut, Id, InTree, Listed, Naming};
pub use files::Assets;
pub use load::{load_path, load_path_with_assets, load_str};
pub use options::{LoadOptions, Loaded, Places};
pub use rules::schema_text;
