//! Worlds stepped together.
#![allow(clippy::unwrap_used)]

mod allocation;
mod common;
mod device;
mod four;
mod parameters;
mod rollouts;
mod worlds;

use sinew_testkit::alloc::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
