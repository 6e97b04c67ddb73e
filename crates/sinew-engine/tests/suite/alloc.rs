//! A settled step allocates nothing.

use crate::chain::{moving, sensing};
use sinew_engine as engine;
use sinew_model::enums::{EnableBit, Integrator};
use sinew_testkit::alloc::allocations;

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
        let before = allocations();
        for _ in 0..10 {
            engine::step(&m, &mut d);
        }
        engine::inverse(&m, &mut d).expect("this inverse exists");
        engine::subtree_vel(&m, &mut d);
        engine::rne_post_constraint(&m, &mut d);
        engine::reset_data(&m, &mut d);
        assert_eq!(allocations(), before, "{integrator:?}");
    }
}
