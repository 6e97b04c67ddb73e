//! Stages of a step on chains of bodies.
#![allow(clippy::unwrap_used)]

mod actuators;
mod alloc;
mod chain;
mod corrupt;
mod inverse;
mod sensors;
mod smooth;
mod state;

use sinew_testkit::alloc::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
