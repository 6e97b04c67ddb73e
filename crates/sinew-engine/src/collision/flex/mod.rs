//! Contacts of flexible objects: with geoms, with each other and with themselves.
//!
//! `pairs` lists candidates, `tree` descends into the bounding volumes of a pair, `own` finds the
//! contacts of a flex with itself. `narrow` makes contacts of single elements.

mod corners;
mod narrow;
mod own;
mod pairs;
mod scratch;
mod search;
mod sweep;
mod tree;

pub(super) use own::own_contacts;
pub(super) use pairs::list_pairs;
pub(super) use scratch::{FlexScratch, SweepScratch};
pub(super) use search::{FlexSearch, boxes_separated};
pub(super) use tree::{geom_reaches, pair_contacts};
