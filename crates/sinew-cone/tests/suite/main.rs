//! The solver of contact problems.
#![allow(clippy::unwrap_used)]

mod allocation;
mod families;
mod generate;
mod independent;
mod invalid;
mod iterations;
mod optimum;
mod projection;
mod random;
mod units;
mod worked_examples;

use sinew_testkit::alloc::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
