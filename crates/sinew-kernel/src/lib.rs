//! One step of one world as functions of flat memory, for a team of lanes: a warp of a GPU, or one
//! lane natively. Both have the same bits.
//!
//! A model is one blob of bytes that begins with a [`Header`](tables::Header); `sinew-gpu` makes
//! it. A world is a row of numbers ([`State`](tables::State)). Intermediate results of the stages
//! are in the workspace of the team ([`Work`](tables::Work)). Both layouts are in the header.
//!
//! [`Job`] lists the worlds to step; `run` steps it natively, `step_f64` and `step_f32` on a GPU.
#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, stdarch_nvptx, asm_experimental_arch))]

pub mod actuation;
pub mod apart;
mod cone;
mod constraint;
pub mod contact;
pub mod copy;
mod derivative;
pub mod equality;
mod fluid;
mod fluid_slope;
mod heavy;
mod history;
mod integrate;
pub mod job;
mod joint;
pub mod linear;
pub mod memory;
mod muscle;
mod newton;
pub mod outcome;
#[cfg(target_arch = "nvptx64")]
mod panic;
mod rays;
pub mod real;
pub mod result;
mod rows;
mod runge_kutta;
pub mod sensing;
pub mod sensor;
mod smooth;
mod speed;
mod standing;
mod step;
mod subtree;
#[macro_use]
pub mod tables;
pub mod team;
mod tendon;
mod touching;
pub mod transmission;
mod wrap;

pub use job::Job;
#[cfg(not(target_arch = "nvptx64"))]
pub use job::run;
