//! From the poses of geoms to the list of contacts.
//!
//! Bodies whose boxes overlap (`broad`), pairs of their geoms whose boxes overlap (`mid`), contacts
//! of these (`narrow`) with their parameters (`params`). `plan` lists the pairs that can collide at
//! all, `flex` finds the contacts of flexible objects, `marks` records the visited bounding
//! volumes.

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
mod marks;

pub use contacts::collision_with;
pub use distance::{Distance, geom_distance};
pub use list::add_contact;
pub(crate) use list::make_frame;
pub use marks::mark_nodes;
pub(crate) use narrow::solid;
pub use params::contact_param;
