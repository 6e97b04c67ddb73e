//! `Model` and `Data`: MuJoCo's arrays, each declared once in a table of fields.
//!
//! The tables in [`model`] and [`data`] generate the structs, their allocation, and the
//! descriptions for binary I/O, printing and the Python views.
#![allow(non_snake_case)]

pub mod access;
pub mod awake;
pub mod binary;
pub mod contact;
pub mod coulomb;
pub mod data;
pub mod enums;
pub mod fields;
pub mod friction_ref;
pub mod ids;
pub mod later;
mod linked;
pub mod lookup;
pub mod model;
pub mod names;
pub mod nesting;
pub mod number;
pub mod options;
pub mod plugin;
pub mod plugin_memory;
pub mod pod;
pub mod record;
pub mod state;
pub mod table;
pub mod validate;
pub mod work;

pub use contact::Contact;
pub use coulomb::Coulomb;
pub use data::Data;
pub use ids::*;
pub use lookup::NameError;
pub use model::Model;
pub use options::{Options, Statistic, Visual};
pub use table::{Strided, Table};
