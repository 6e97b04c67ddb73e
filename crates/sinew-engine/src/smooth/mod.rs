//! The smooth dynamics of a tree of bodies: where everything is, how it moves, its inertia, and the
//! forces of its motion. No contacts, no constraints, no actuators.

pub mod position;

pub(crate) mod ranges;

pub mod camlight;
pub mod com;
pub mod flex;
pub mod kinematics;
pub mod subtree;

pub(crate) mod dof_path;
pub mod jacobian;
pub mod object;

pub(crate) mod factor;
pub mod inertia;
pub mod mass;

pub mod acceleration;
pub mod energy;
pub mod rne;

pub(crate) mod four;

pub mod camera;
