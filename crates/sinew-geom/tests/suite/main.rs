//! Random pairs of shapes.
#![allow(clippy::unwrap_used)]

mod ccd_fuzz;
mod collide_fuzz;
