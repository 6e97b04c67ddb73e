//! Sleep: trees that have come to rest are left out of the stages until something moves them.
//!
//! `tree_asleep` is the state. A negative number counts up to -1 while a tree is slow, and then the
//! trees of its island fall asleep together: each has the number of the next, the last that of the
//! first, so that what wakes one of them wakes all. Flags and lists that follow from it are
//! `sinew_model::awake`'s.
//!
//! A tree wakes when the user moves or pushes it (`wake`), when something that is awake touches it
//! (`wake_collision`), or when a limit of a tendon or an equality ties it to what is awake
//! (`wake_tendon`, `wake_equality`); it falls asleep at the end of a step (`fall_asleep`). Stages
//! ask `visit` which bodies and dofs to compute, and `state` whether an object sleeps. What they
//! leave out keeps its numbers.

mod policy;
mod state;
mod visit;

mod fall;
mod wake;

pub use fall::SleepError;
pub(crate) use fall::{fall_asleep, init_trees, sleep_init};
pub use policy::refuses_sleep;
pub use state::sleep_state;
pub(crate) use state::{is_asleep, state_of};
pub(crate) use visit::{awake_dofs, for_bodies, for_bodies_back, for_dofs, some_asleep};
pub(crate) use wake::{wake, wake_collision, wake_equality, wake_tendon};
