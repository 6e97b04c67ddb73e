//! How far two numbers may be apart, by what made them differ.
//!
//! A test takes the smallest that its kind of computation allows. Limits that belong to one test,
//! such as the creep of a box in that very scene, stand in that test with their own reason.

/// The same formula with its sums in another order: some hundred roundings of 1.1e-16 each.
pub const ROUNDING: f64 = 1e-12;

/// Two formulas for one quantity, through factorisations or chains of rotations: their condition
/// numbers, up to a thousand in the models here, multiply the roundings.
pub const TWO_WAYS: f64 = 1e-9;

/// What an iterative solver leaves: its own tolerance of 1e-8, relative to the largest number.
pub const SOLVED: f64 = 1e-8;

/// Step of central differences: the cube root of the rounding error, where it and the error of
/// truncation are equal.
pub const DIFFERENCE_STEP: f64 = 1e-6;

/// Central differences with that step: truncation leaves 1e-12 of the third derivative, rounding
/// 1e-10 of the value, and the models here have both up to a thousand.
pub const DIFFERENCES: f64 = 1e-6;
