//! Objects that refer to the kinematic tree.

pub(crate) mod actuator;
pub(crate) mod custom;
pub(crate) mod equality;
pub(crate) mod keyframe;
pub(crate) mod pair;
pub(crate) mod sensor;
pub(crate) mod tendon;
