//! A settled step allocates nothing.

// counting needs a global allocator, which is unsafe to implement
#![allow(unsafe_code)]

mod chain;

use core::cell::Cell;
use std::alloc::{GlobalAlloc, Layout, System};

use chain::{moving, sensing};
use sinew_engine as engine;
use sinew_model::enums::{EnableBit, Integrator};

struct Counting;

thread_local! {
    // of this thread alone: the test runner's own thread allocates when it likes
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

fn count() -> usize {
    COUNT.with(Cell::get)
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

#[test]
fn steps_allocate_nothing() {
    let mut m = sensing(2);
    m.tendon_armature[0] = 0.1;
    m.opt.enableflags = EnableBit::Energy.0;
    (m.opt.density, m.opt.viscosity) = (1.0, 0.1);
    let all = [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::Implicitfast];
    for integrator in all {
        m.opt.integrator = integrator;
        let mut d = moving(&m);
        engine::step(&m, &mut d);
        engine::inverse(&m, &mut d).expect("this inverse exists");
        let before = count();
        for _ in 0..10 {
            engine::step(&m, &mut d);
        }
        engine::inverse(&m, &mut d).expect("this inverse exists");
        engine::subtree_vel(&m, &mut d);
        engine::rne_post_constraint(&m, &mut d);
        engine::reset_data(&m, &mut d);
        assert_eq!(count(), before, "{integrator:?}");
    }
}
