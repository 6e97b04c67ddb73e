//! The engine as its users call it.
#![allow(clippy::unwrap_used)]

mod allocation;
mod cloth;
mod constraints;
mod contacts;
mod coulomb;
mod coulomb_flexible;
mod derivatives;
mod determinism;
mod diagnosis;
mod hooks;
mod later;
mod models;
mod plugins;
mod sleep;
mod solvers;
mod steady_contacts;
mod transition;

use sinew_testkit::alloc::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
