//! Inverse dynamics undoes forward dynamics, and derivatives by finite differences are those known.

use crate::chain::{ALL_KINDS, actuated, chain, distance, moving, resized, sensing, vec3};
use sinew_engine as engine;
use sinew_engine::{
    FiniteDifferenceError, InverseError, InverseJacobians, Transition, inverse_fd, transition_fd,
};
use sinew_model::enums::{
    BiasType, DisableBit, DynType, EnableBit, GainType, Integrator, JointType, ObjType, SensorType,
    Stage,
};
use sinew_model::{BodyId, Data, Model};
use sinew_testkit::Random;

/// The actuated chain, moving, with forces of every origin.
fn pushed(m: &Model) -> Data {
    let mut d = moving(m);
    let mut random = Random::new(17);
    d.qfrc_applied.copy_from_slice(&random.vector(m.nv));
    d.ctrl.copy_from_slice(&random.vector(m.nu));
    d.xfrc_applied[2].lin = vec3(&mut random);
    d.xfrc_applied[4].rot = vec3(&mut random);
    d
}

/// Expected result of inverse dynamics.
fn applied(m: &Model, d: &Data) -> Vec<f64> {
    let mut force: Vec<f64> =
        d.qfrc_applied.iter().zip(d.qfrc_actuator.iter()).map(|(a, b)| a + b).collect();
    engine::xfrc_accumulate(m, d, &mut force);
    force
}

#[test]
fn inverse_undoes_forward() {
    let mut m = actuated();
    m.tendon_armature[0] = 0.3;
    (m.opt.density, m.opt.viscosity) = (1.2, 0.1);
    let mut d = pushed(&m);
    engine::forward(&m, &mut d);
    let wanted = applied(&m, &d);
    engine::inverse(&m, &mut d).unwrap();
    assert!(distance(&d.qfrc_inverse, &wanted) < 1e-10);
}

#[test]
fn discrete_inverse_undoes_a_step() {
    let mut m = actuated();
    (m.opt.density, m.opt.viscosity) = (1.2, 0.1);
    m.opt.timestep = 0.01;
    m.opt.enableflags = EnableBit::Invdiscrete.0;
    m.actuator_gainprm[0][0] = 1.0;
    (m.actuator_biastype[0], m.actuator_biasprm[0][2]) = (BiasType::Affine, -3.0);
    for integrator in [Integrator::Euler, Integrator::Implicit, Integrator::Implicitfast] {
        m.opt.integrator = integrator;
        let mut d = pushed(&m);
        engine::forward(&m, &mut d);
        let wanted = applied(&m, &d);
        let mut after = d.clone();
        engine::advance(&m, &mut after);
        for v in 0..m.nv {
            d.qacc[v] = (after.qvel[v] - d.qvel[v]) / m.opt.timestep;
        }
        let acceleration = d.qacc.to_vec();
        engine::inverse(&m, &mut d).unwrap();
        assert!(distance(&d.qfrc_inverse, &wanted) < 1e-10, "{integrator:?}");
        assert_eq!(&*d.qacc, &*acceleration);
    }
    m.opt.integrator = Integrator::Rk4;
    let mut d = pushed(&m);
    assert_eq!(engine::inverse(&m, &mut d), Err(InverseError::DiscreteRungeKutta));
}

#[test]
fn comparison_is_zero_without_constraints() {
    let mut m = actuated();
    m.opt.enableflags = EnableBit::Fwdinv.0;
    let mut d = pushed(&m);
    d.solver_fwdinv = [1.0; 2];
    engine::step(&m, &mut d);
    assert_eq!(d.solver_fwdinv, [0.0; 2]);
}

/// A slide with a spring, a damper and an actuator behind a filter; sensors of position, velocity
/// and actuator force.
fn oscillator() -> Model {
    let mut m = resized(&chain(&[JointType::Slide]), |m| {
        (m.nu, m.na, m.nJmom, m.nsensor, m.nsensordata) = (2, 1, 2, 3, 3);
    });
    (m.dof_armature[0], m.jnt_stiffness[0], m.dof_damping[0]) = (0.0, 3.0, 0.5);
    (m.body_mass[1], m.opt.timestep) = (2.0, 0.05);
    m.opt.disableflags = DisableBit::Gravity.0;
    for u in 0..2 {
        m.actuator_trnid[u] = [0, -1];
        m.actuator_gear[u][0] = 1.0;
        (m.actuator_gaintype[u], m.actuator_gainprm[u][0]) = (GainType::Fixed, 4.0);
        (m.actuator_actadr[u], m.actuator_historyadr[u]) = (-1, -1);
    }
    (m.actuator_actadr[1], m.actuator_actnum[1]) = (0, 1);
    (m.actuator_dyntype[1], m.actuator_dynprm[1][0]) = (DynType::Filter, 0.2);
    let kinds = [
        (SensorType::Jointpos, Stage::Pos, ObjType::Joint),
        (SensorType::Jointvel, Stage::Vel, ObjType::Joint),
        (SensorType::Actuatorfrc, Stage::Acc, ObjType::Actuator),
    ];
    for (s, (kind, stage, object)) in kinds.into_iter().enumerate() {
        (m.sensor_type[s], m.sensor_needstage[s], m.sensor_objtype[s]) = (kind, stage, object);
        (m.sensor_dim[s], m.sensor_adr[s], m.sensor_refid[s]) = (1, s as i32, -1);
        m.sensor_historyadr[s] = -1;
    }
    m
}

#[test]
fn transition_of_a_linear_system_is_known() {
    let m = oscillator();
    let (h, mass, k, b, gain, tau) = (0.05, 2.0, 3.0, 0.5, 4.0, 0.2);
    // v' = v + h f / (mass + h b),  q' = q + h v',  a' = a + h (u - a) / tau
    let rate = h / (mass + h * b);
    let [vq, vv, va] = [-k * rate, 1.0 - b * rate, gain * rate];
    let a = [1.0 + h * vq, h * vv, h * va, vq, vv, va, 0.0, 0.0, 1.0 - h / tau];
    let by_ctrl = [h * gain * rate, 0.0, gain * rate, 0.0, 0.0, h / tau];
    let c = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    let mut d = Data::new(&m);
    (d.qpos[0], d.qvel[0], d.act[0]) = (0.3, -0.2, 0.4);
    let before = d.clone();
    for centered in [false, true] {
        let (mut fa, mut fb, mut fc, mut fd) = ([0.0; 9], [0.0; 6], [0.0; 9], [0.0; 6]);
        let out =
            Transition { a: Some(&mut fa), b: Some(&mut fb), c: Some(&mut fc), d: Some(&mut fd) };
        transition_fd(&m, &mut d, 1e-5, centered, out).unwrap();
        // MuJoCo's sign of this one block, see `StepDifference::control`
        let by_sensor = [0.0, 0.0, 0.0, 0.0, if centered { -gain } else { gain }, 0.0];
        assert!(distance(&fa, &a) < 1e-9 && distance(&fb, &by_ctrl) < 1e-9, "{centered}");
        assert!(distance(&fc, &c) < 1e-9 && distance(&fd, &by_sensor) < 1e-9, "{centered}");
        assert_eq!((&*d.qpos, &*d.qvel, &*d.act), (&*before.qpos, &*before.qvel, &*before.act));
        assert_eq!(d.time, before.time);
    }
}

#[test]
fn controls_are_nudged_within_their_range() {
    let mut m = oscillator();
    m.actuator_ctrllimited[0] = true.into();
    let derivative = |m: &Model, ctrl: f64, centered: bool| {
        let mut d = Data::new(m);
        d.ctrl[0] = ctrl;
        let mut b = [0.0; 6];
        let out = Transition { b: Some(&mut b), ..Default::default() };
        transition_fd(m, &mut d, 1e-5, centered, out).unwrap();
        b[2]
    };
    m.actuator_ctrlrange[0] = [-1.0, 1.0];
    let inside = derivative(&m, 0.0, true);
    for ctrl in [-1.0, 1.0] {
        assert!((derivative(&m, ctrl, false) - inside).abs() < 1e-9);
        assert!((derivative(&m, ctrl, true) - inside).abs() < 1e-9);
    }
    m.actuator_ctrlrange[0] = [0.0, 1e-6];
    assert_eq!(derivative(&m, 0.0, true), 0.0);
}

#[test]
fn skipped_stages_do_not_change_the_answer() {
    for integrator in [Integrator::Euler, Integrator::Implicitfast, Integrator::Implicit] {
        let mut m = sensing(0);
        m.opt.integrator = integrator;
        let mut d = pushed(&m);
        let (n, eps) = (2 * m.nv, 1e-6);
        let mut a = vec![0.0; n * n];
        transition_fd(&m, &mut d, eps, false, Transition { a: Some(&mut a), ..Default::default() })
            .unwrap();

        // by whole steps
        let next = |nudge: Option<usize>| {
            let mut d = pushed(&m);
            if let Some(v) = nudge {
                d.qvel[v] += eps;
            }
            engine::step(&m, &mut d);
            d
        };
        let base = next(None);
        for v in 0..m.nv {
            let nudged = next(Some(v));
            for w in 0..m.nv {
                let wanted = (nudged.qvel[w] - base.qvel[w]) / eps;
                assert!((a[(m.nv + w) * n + m.nv + v] - wanted).abs() < 1e-12, "{integrator:?}");
            }
        }
    }
}

#[test]
fn inverse_by_acceleration_is_the_inertia() {
    let m = chain(ALL_KINDS);
    let mut d = moving(&m);
    d.qacc.copy_from_slice(&Random::new(23).vector(m.nv));
    let (mut acc, mut vel) = (vec![0.0; m.nv * m.nv], vec![0.0; m.nv * m.nv]);
    let mut inertia = vec![0.0; m.nv * m.nM];
    let out = InverseJacobians {
        force_acc: Some(&mut acc),
        force_vel: Some(&mut vel),
        inertia_pos: Some(&mut inertia),
        ..Default::default()
    };
    let before = d.clone();
    inverse_fd(&m, &mut d, 1e-6, false, out).unwrap();
    assert_eq!((&*d.qpos, &*d.qvel, &*d.qacc), (&*before.qpos, &*before.qvel, &*before.qacc));

    let mut full = vec![0.0; m.nv * m.nv];
    engine::forward(&m, &mut d);
    engine::full_m(&m, &mut full, &d.qM);
    assert!(distance(&acc, &full) < 1e-6);

    // the force by velocity is minus the derivative of the smooth forces, transposed
    engine::smooth_vel(&m, &mut d, true);
    for v in 0..m.nv {
        for w in 0..m.nv {
            assert!((vel[v * m.nv + w] + d.qDeriv[w * m.nv + v]).abs() < 1e-3);
        }
    }

    // translation of a free body changes no inertia
    assert!(inertia[..3 * m.nM].iter().all(|x| x.abs() < 1e-6));
    assert!(inertia[3 * m.nM..].iter().any(|x| x.abs() > 0.1));
}

#[test]
fn what_has_no_derivative_is_an_error() {
    let mut m = sensing(2);
    let mut d = moving(&m);
    let none = Transition::default;
    let run = |m: &Model, d: &mut Data, out| transition_fd(m, d, 1e-6, false, out);
    assert_eq!(run(&m, &mut d, none()), Err(FiniteDifferenceError::Delay));
    m.opt.integrator = Integrator::Rk4;
    assert_eq!(run(&m, &mut d, none()), Err(FiniteDifferenceError::RungeKutta));
    let inverse = |m: &Model, d: &mut Data, out| inverse_fd(m, d, 1e-6, false, out);
    let out = InverseJacobians::default;
    assert_eq!(inverse(&m, &mut d, out()), Err(FiniteDifferenceError::RungeKutta));
    m.opt.integrator = Integrator::Euler;
    let mut short = [0.0; 3];
    let wrong = InverseJacobians { force_pos: Some(&mut short), ..out() };
    let error = FiniteDifferenceError::Length { name: "force_pos", found: 3, wanted: m.nv * m.nv };
    assert_eq!(inverse(&m, &mut d, wrong), Err(error));
    m.opt.noslip_iterations = 1;
    assert_eq!(inverse(&m, &mut d, out()), Err(FiniteDifferenceError::Noslip));
}

#[test]
fn angular_momentum_is_its_matrix_times_velocity() {
    let m = chain(ALL_KINDS);
    let mut d = moving(&m);
    engine::forward(&m, &mut d);
    engine::subtree_vel(&m, &mut d);
    let mut mat = vec![0.0; 3 * m.nv];
    for b in m.bodies().skip(1).map(BodyId::idx) {
        engine::angmom_mat(&m, &d, &mut mat, BodyId::new(b));
        for k in 0..3 {
            let row = &mat[k * m.nv..(k + 1) * m.nv];
            let momentum: f64 = row.iter().zip(d.qvel.iter()).map(|(a, b)| a * b).sum();
            assert!((momentum - d.subtree_angmom[b][k]).abs() < 1e-11);
        }
    }
}
