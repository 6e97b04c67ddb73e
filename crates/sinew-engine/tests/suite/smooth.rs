//! Laws that smooth dynamics must obey, on a chain with every kind of joint.

use crate::chain::{ALL_KINDS, chain, distance, moving};
use sinew_engine as engine;
use sinew_math::Vec3;
use sinew_model::enums::{DisableBit, Integrator};
use sinew_model::{BodyId, Data, Model};
use sinew_testkit::Random;

#[test]
fn kinetic_energy_is_that_of_the_bodies() {
    let m = chain_without_armature();
    let mut d = moving(&m);
    engine::forward(&m, &mut d);
    engine::energy_vel(&m, &mut d);
    let bodies: f64 = m.bodies().map(|b| 0.5 * d.cvel[b].dot(d.cinert[b] * d.cvel[b])).sum();
    assert!((d.energy[1] - bodies).abs() < 1e-12 * bodies);
}

#[test]
fn rne_is_inertia_times_acceleration_plus_bias() {
    let m = chain_without_armature();
    let mut d = moving(&m);
    engine::forward(&m, &mut d);
    d.qacc.copy_from_slice(&Random::new(5).vector(m.nv));
    let (mut with, mut product) = (vec![0.0; m.nv], vec![0.0; m.nv]);
    engine::rne(&m, &mut d, true, &mut with);
    engine::mul_m(&m, &d, &mut product, &d.qacc);
    for (x, bias) in product.iter_mut().zip(d.qfrc_bias.iter()) {
        *x += bias;
    }
    assert!(distance(&with, &product) < 1e-11);
}

#[test]
fn solving_undoes_multiplying() {
    let m = chain(ALL_KINDS);
    let mut d = moving(&m);
    engine::forward(&m, &mut d);
    let x = Random::new(9).vector(m.nv);
    let (mut y, mut back) = (vec![0.0; m.nv], vec![0.0; m.nv]);
    engine::mul_m(&m, &d, &mut y, &x);
    engine::solve_m(&m, &d, &mut back, &y);
    assert!(distance(&back, &x) < 1e-12);

    // the half product: |√D L x|² = xᵀ M x
    let mut half = vec![0.0; m.nv];
    engine::mul_m2(&m, &d, &mut half, &x);
    let square: f64 = half.iter().map(|h| h * h).sum();
    let form: f64 = x.iter().zip(&y).map(|(a, b)| a * b).sum();
    assert!((square - form).abs() < 1e-11 * form);
}

#[test]
fn both_layouts_hold_the_same_inertia() {
    let m = chain(ALL_KINDS);
    let mut d = moving(&m);
    engine::forward(&m, &mut d);
    let mut full = vec![0.0; m.nv * m.nv];
    let mut lower = vec![0.0; m.nv * m.nv];
    engine::full_m(&m, &mut full, &d.qM);
    engine::add_m(&m, &d, &mut lower);
    for i in 0..m.nv {
        for j in 0..=i {
            assert_eq!(full[i * m.nv + j], lower[i * m.nv + j]);
            assert_eq!(full[j * m.nv + i], lower[i * m.nv + j]);
        }
    }
}

#[test]
fn jacobians_are_derivatives_of_positions() {
    let m = chain(ALL_KINDS);
    let mut d = moving(&m);
    engine::forward(&m, &mut d);
    let body = BodyId::new(m.nbody - 1);
    let (mut jacp, mut dot) = (vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]);
    engine::jac_body_com(&m, &d, Some(&mut jacp), None, body);
    engine::jac_dot(&m, &d, Some(&mut dot), None, d.xipos[body], body);

    // along each dof, and the Jacobian itself along the motion
    for v in 0..m.nv {
        let mut unit = vec![0.0; m.nv];
        unit[v] = 1.0;
        let slope = central(&m, &d, &unit, |e| e.xipos[body].to_array().to_vec());
        let column = [jacp[v], jacp[m.nv + v], jacp[2 * m.nv + v]];
        assert!(distance(&slope, &column) < 1e-7, "dof {v}");
    }
    let slope = central(&m, &d, &d.qvel, |e| {
        let mut jac = vec![0.0; 3 * m.nv];
        engine::jac_body_com(&m, e, Some(&mut jac), None, body);
        jac
    });
    assert!(distance(&slope, &dot) < 1e-6);
}

#[test]
fn sparse_jacobians_agree_with_dense_ones() {
    let m = chain(ALL_KINDS);
    let mut d = moving(&m);
    engine::forward(&m, &mut d);
    let (b1, b2) = (BodyId::new(2), BodyId::new(4));
    let mut merged = Vec::new();
    engine::merge_chain(&m, b1, b2, &mut merged);
    let points = [b1, b2].map(|body| engine::BodyPoint { pos: d.xipos[body], body });
    let n = merged.len();
    let mut sparse = vec![0.0; 3 * n];
    engine::jac_dif_pair(&m, &d, Some(&mut sparse), None, points, &merged);
    let (mut first, mut second) = (vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]);
    engine::jac_body_com(&m, &d, Some(&mut first), None, b1);
    engine::jac_body_com(&m, &d, Some(&mut second), None, b2);
    for axis in 0..3 {
        for (k, v) in merged.iter().enumerate() {
            let dense = axis * m.nv + v.idx();
            assert_eq!(sparse[axis * n + k], second[dense] - first[dense]);
        }
    }
}

#[test]
fn applied_force_does_the_same_work() {
    let m = chain(ALL_KINDS);
    let mut d = moving(&m);
    engine::forward(&m, &mut d);
    let body = BodyId::new(4);
    let (force, torque) = (Vec3::new(1.0, -2.0, 0.5), Vec3::new(0.2, 0.1, -1.0));
    let mut qfrc = vec![0.0; m.nv];
    engine::apply_ft(&m, &d, force, torque, d.xipos[body], body, &mut qfrc);
    let power: f64 = qfrc.iter().zip(d.qvel.iter()).map(|(f, v)| f * v).sum();
    let vel = engine::object_velocity(&m, &d, sinew_model::enums::ObjType::Body, 4, false)
        .expect("a body has a frame");
    assert!((power - force.dot(vel.lin) - torque.dot(vel.rot)).abs() < 1e-12);
}

#[test]
fn velocity_derivative_agrees_with_differences() {
    for (density, geom) in [(0.0, false), (3.0, false), (3.0, true)] {
        let mut m = chain(ALL_KINDS);
        (m.opt.density, m.opt.viscosity) = (density, 0.4);
        m.opt.wind = Vec3::new(0.3, -0.2, 0.1);
        m.opt.integrator = Integrator::Implicit;
        if geom {
            add_geom(&mut m);
        }
        let mut d = moving(&m);
        engine::forward(&m, &mut d);
        engine::smooth_vel(&m, &mut d, true);
        for v in 0..m.nv {
            let force = |shift: f64| {
                let mut e = d.clone();
                e.qvel[v] += shift;
                engine::forward(&m, &mut e);
                let pairs = e.qfrc_passive.iter().zip(e.qfrc_bias.iter());
                pairs.map(|(p, b)| p - b).collect::<Vec<f64>>()
            };
            let (ahead, behind) = (force(1e-6), force(-1e-6));
            for w in 0..m.nv {
                let slope = (ahead[w] - behind[w]) / 2e-6;
                let deriv = d.qDeriv[w * m.nv + v];
                assert!((slope - deriv).abs() < 1e-6 * slope.abs().max(1.0), "{w} by {v}");
            }
        }
    }
}

#[test]
fn energy_is_conserved_without_damping() {
    let mut m = chain_without_armature();
    m.dof_damping.fill(0.0);
    m.opt.timestep = 1e-3;
    m.opt.integrator = Integrator::Rk4;
    let mut d = moving(&m);
    let energy = |d: &mut Data| {
        engine::forward(&m, d);
        engine::energy_pos(&m, d);
        engine::energy_vel(&m, d);
        d.energy[0] + d.energy[1]
    };
    let before = energy(&mut d);
    for _ in 0..500 {
        engine::step(&m, &mut d);
    }
    let after = energy(&mut d);
    assert!((after - before).abs() < 1e-6 * before.abs(), "{before} to {after}");
}

#[test]
fn all_integrators_tend_to_the_same_path() {
    let mut m = chain(ALL_KINDS);
    m.opt.timestep = 1e-5;
    let end = |m: &Model| {
        let mut d = moving(m);
        for _ in 0..200 {
            engine::step(m, &mut d);
        }
        d.qpos.to_vec()
    };
    m.opt.integrator = Integrator::Rk4;
    let exact = end(&m);
    for other in [Integrator::Euler, Integrator::Implicit, Integrator::Implicitfast] {
        m.opt.integrator = other;
        assert!(distance(&end(&m), &exact) < 1e-6, "{other:?}");
    }
    m.opt.integrator = Integrator::Euler;
    m.opt.disableflags = DisableBit::Eulerdamp.0;
    assert!(distance(&end(&m), &exact) < 1e-6);
}

#[test]
fn positions_differentiate_what_they_integrate() {
    let m = chain(ALL_KINDS);
    let d = moving(&m);
    let vel = Random::new(11).vector(m.nv);
    let mut moved = d.qpos.to_vec();
    engine::integrate_pos(&m, &mut moved, &vel, 0.7);
    let mut back = vec![0.0; m.nv];
    engine::differentiate_pos(&m, &mut back, 0.7, &d.qpos, &moved);
    assert!(distance(&back, &vel) < 1e-14);
}

#[test]
fn subtree_momentum_is_the_sum_of_the_bodies() {
    let m = chain(ALL_KINDS);
    let mut d = moving(&m);
    engine::forward(&m, &mut d);
    engine::subtree_vel(&m, &mut d);
    let mut jac = vec![0.0; 3 * m.nv];
    engine::jac_subtree_com(&m, &d, &mut jac, BodyId::new(1));
    let vel: Vec<f64> =
        (0..3).map(|axis| (0..m.nv).map(|v| jac[axis * m.nv + v] * d.qvel[v]).sum()).collect();
    assert!(distance(&vel, &d.subtree_linvel[1].to_array()) < 1e-13);
}

#[test]
fn two_halves_make_a_step() {
    let m = chain(ALL_KINDS);
    let (mut whole, mut halves) = (moving(&m), moving(&m));
    engine::step(&m, &mut whole);
    engine::step1(&m, &mut halves);
    engine::step2(&m, &mut halves);
    assert_eq!(whole.qpos, halves.qpos);
    assert_eq!(whole.qvel, halves.qvel);
}

fn chain_without_armature() -> Model {
    let mut m = chain(ALL_KINDS);
    m.dof_armature.fill(0.0);
    m
}

/// Gives the last body a geom that the fluid acts on.
fn add_geom(m: &mut Model) {
    let last = m.nbody - 1;
    m.ngeom = 1;
    let with_geoms = {
        let mut sized = Model { ngeom: 1, ..Model::default() };
        sized.allocate();
        sized
    };
    m.geom_fluid = with_geoms.geom_fluid;
    m.geom_type = with_geoms.geom_type;
    m.geom_contype = with_geoms.geom_contype;
    m.geom_conaffinity = with_geoms.geom_conaffinity;
    m.geom_size = with_geoms.geom_size;
    m.geom_pos = with_geoms.geom_pos;
    m.geom_quat = with_geoms.geom_quat;
    m.geom_bodyid = with_geoms.geom_bodyid;
    m.geom_sameframe = with_geoms.geom_sameframe;
    m.geom_type[0] = sinew_model::enums::GeomType::Ellipsoid;
    m.geom_size[0] = Vec3::new(0.5, 0.9, 0.7);
    m.geom_pos[0] = Vec3::new(0.1, -0.3, 0.2);
    m.geom_fluid[0] = [1.0, 0.5, 0.25, 1.5, 1.0, 0.8, 0.1, 0.2, 0.3, 0.01, 0.02, 0.03];
    m.geom_bodyid[0] = BodyId::new(last);
    m.body_geomadr[last] = sinew_model::Maybe::some(sinew_model::GeomId::new(0));
    m.body_geomnum[last] = 1;
}

/// Derivative of a quantity along a velocity, by central differences.
fn central(m: &Model, d: &Data, vel: &[f64], f: impl Fn(&Data) -> Vec<f64>) -> Vec<f64> {
    let at = |dt: f64| {
        let mut e = d.clone();
        engine::integrate_pos(m, &mut e.qpos, vel, dt);
        engine::forward(m, &mut e);
        f(&e)
    };
    let (ahead, behind) = (at(1e-6), at(-1e-6));
    ahead.iter().zip(&behind).map(|(a, b)| (a - b) / 2e-6).collect()
}
