//! From the poses of geoms to the list of contacts.
//!
//! Bodies whose boxes overlap (`broad`), pairs of their geoms whose boxes overlap (`mid`), contacts
//! of these (`narrow`) with their parameters (`params`). `plan` knows what can collide at all,
//! `flex` finds the contacts of flexible objects.

mod filter;
mod params;
mod plan;

mod balls;
mod broad;
mod grid;
mod sweep;

mod mid;
mod narrow;

mod list;

mod flex;

mod contacts;
mod distance;

pub use contacts::collision_with;
pub use distance::{Distance, geom_distance};
pub use list::add_contact;
pub use params::contact_param;
