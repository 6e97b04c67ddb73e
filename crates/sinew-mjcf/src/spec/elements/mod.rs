//! The elements of MJCF: each a table of attributes, declared once.
//!
//! A table gives the struct, how it is read, how it is laid over a default class and how it is
//! written. Lines with `=` are XML attributes; lines with `+` are parts that are not.

mod asset;
mod body;
mod declare;
mod object;
mod settings;

pub use asset::*;
pub use body::*;
pub use object::*;
pub use settings::*;
