//! The outcome of a world: the lowest two bits of its flag. The other bits count the steps it has
//! taken. A world that stops early is left as it was before the step that it did not take.

/// All steps were taken.
pub const OK: u32 = 0;
/// A position, velocity, control or acceleration was NaN or beyond 1e10.
pub const BAD_NUMBER: u32 = 1;
/// A step needs more than the workspace has.
pub const BEYOND_WORKSPACE: u32 = 2;
/// The world is not to be stepped. A flag does not have it: such a world has taken all its steps.
pub(crate) const IDLE: u32 = 3;
/// The bits of the outcome.
pub const MASK: u32 = 3;
/// Bits before the count of steps.
pub const SHIFT: u32 = 2;
