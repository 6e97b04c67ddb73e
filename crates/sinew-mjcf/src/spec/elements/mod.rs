//! The elements of MJCF: each a table of attributes, declared once.
//!
//! A table gives the struct of an element, its reader and writer, the rule of default classes, its
//! defaults, and the attributes of edited models. Lines with `=` are XML attributes; lines with `+`
//! are parts that are not.

mod asset;
mod body;
mod common;
mod declare;
mod deformable;
mod object;
mod plugin;
mod settings;

pub use asset::*;
pub use body::*;
pub use deformable::*;
pub use object::*;
pub use plugin::*;
pub use settings::*;

/// All tables of elements: name and attributes of each. A new file of tables is listed here.
pub(crate) const TABLES: &[&[(&str, &[&str])]] =
    &[asset::TABLE, body::TABLE, deformable::TABLE, object::TABLE, plugin::TABLE, settings::TABLE];

/// The attributes of the table of this name.
pub(crate) fn table_attributes(name: &str) -> Option<&'static [&'static str]> {
    TABLES.iter().copied().flatten().find(|(table, _)| *table == name).map(|(_, attrs)| *attrs)
}
