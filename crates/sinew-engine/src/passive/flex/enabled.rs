//! Which forces are wanted.

/// Which forces the flags of the options leave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enabled {
    pub(crate) spring: bool,
    pub(crate) damper: bool,
}
