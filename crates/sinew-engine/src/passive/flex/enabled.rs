//! Which forces are wanted.

/// Forces that the options' flags enable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enabled {
    pub(crate) spring: bool,
    pub(crate) damper: bool,
}
