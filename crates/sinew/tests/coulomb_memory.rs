//! A settled step with exact friction allocates nothing.

// counting needs a global allocator, which is unsafe to implement
#![allow(unsafe_code, clippy::unwrap_used)]

use core::cell::Cell;
use std::alloc::{GlobalAlloc, Layout, System};

use sinew::{Data, load_str, step};

struct Counting;

thread_local! {
    // of this thread alone: the test runner's own thread allocates when it likes
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's promises are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are the same.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's promises are the same.
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Boxes that slide, a ball that bounces, and a chain with a limit, dry friction and an equality.
const SCENE: &str = "<mujoco><option coulomb='exact' gravity='2 1 -9'/><worldbody>
    <geom type='plane' size='50 50 1' friction='.1'/>
    <body pos='0 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1' friction='.1'/></body>
    <body pos='0 0 .2998'><freejoint/><geom type='box' size='.1 .1 .1' friction='.1'/></body>
    <body pos='3 0 1'><freejoint/><geom size='.1' restitution='1'/></body>
    <body name='arm' pos='0 3 1'><joint axis='0 1 0' limited='true' range='-1 1' frictionloss='.1' damping='.1'/>
      <geom type='capsule' size='.02' fromto='0 0 0 .3 0 0'/></body>
    <body name='tip' pos='.3 3 1'><freejoint/><geom size='.03' contype='0' conaffinity='0'/></body>
  </worldbody><equality><weld body1='arm' body2='tip'/></equality></mujoco>";

#[test]
fn settled_steps_allocate_nothing() {
    let m = load_str(SCENE).unwrap();
    let mut d = Data::new(&m);
    for _ in 0..1500 {
        step(&m, &mut d);
    }
    let before = COUNT.with(Cell::get);
    for _ in 0..200 {
        step(&m, &mut d);
        assert!(d.coulomb.converged());
    }
    assert_eq!(COUNT.with(Cell::get), before);
}
