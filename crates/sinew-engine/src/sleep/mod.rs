//! Sleep: trees that have come to rest are left out of the stages until something moves them.
//!
//! `tree_asleep` is the state. A negative number counts up to -1 while a tree is slow; then the
//! trees of its island fall asleep together. Each then stores the index of the next, and the last
//! the index of the first. Waking one tree of this cycle wakes all. Flags and lists that follow
//! from it are `sinew_model::awake`'s.
//!
//! A tree wakes when the user moves or pushes it (`wake`), or when an awake body touches it
//! (`wake_collision`). A tendon limit or an equality with an awake tree also wakes it
//! (`wake_tendon`, `wake_equality`). Trees fall asleep at the end of a step (`fall_asleep`). Stages
//! ask `visit` which bodies and dofs to compute, and `state` whether an object sleeps. Skipped
//! objects keep their values.

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
