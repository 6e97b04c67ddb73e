//! The kinematic tree: bodies and everything in them.

pub(crate) mod body;
pub(crate) mod camera;
pub(crate) mod discard_visual;
pub(crate) mod fluid;
pub(crate) mod fuse;
pub(crate) mod geom;
pub(crate) mod geom_mass;
pub(crate) mod inertia;
pub(crate) mod joint;
pub(crate) mod light;
pub(crate) mod plant;
pub(crate) mod site;
