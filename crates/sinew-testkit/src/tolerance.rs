//! Tolerances of comparisons, by the cause of the difference.
//!
//! A test uses the smallest tolerance that its computation allows. Bounds for a single test, such
//! as the creep of a box in one scene, are in that test with their reason.

/// The same formula with another order of summation: about a hundred roundings of 1.1e-16.
pub const ROUNDING: f64 = 1e-12;

/// Two formulas of one quantity through factorisations or chains of rotations. Condition numbers of
/// up to 1000 in the models here amplify the rounding errors.
pub const TWO_WAYS: f64 = 1e-9;

/// An iterative solver with a tolerance of 1e-8, relative to the largest number.
pub const SOLVED: f64 = 1e-8;

/// Step of central differences: the cube root of the rounding error, where rounding and truncation
/// errors are equal.
pub const DIFFERENCE_STEP: f64 = 1e-6;

/// Central differences with that step. The truncation error is 1e-12 of the third derivative and
/// the rounding error 1e-10 of the value. Both factors are up to 1000 in the models here.
pub const DIFFERENCES: f64 = 1e-6;
