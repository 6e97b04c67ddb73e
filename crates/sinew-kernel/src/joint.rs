//! Kinds of joints, by MuJoCo's numbers.

pub(crate) const FREE: u32 = 0;
pub(crate) const BALL: u32 = 1;
pub(crate) const SLIDE: u32 = 2;
pub(crate) const HINGE: u32 = 3;
