//! Tendons, transmissions, derived constants and length ranges, on a chain with every kind of
//! joint.

use crate::chain::{actuated, chain, distance, moving, resized};
use sinew_engine as engine;
use sinew_engine::{LengthRangeError, LengthRangeOptions};
use sinew_math::Vec3;
use sinew_model::enums::{EqType, GainType, JacobianType, JointType, ObjType, TrnType, WrapType};
use sinew_model::options::{DEFAULT_SOLIMP, DEFAULT_SOLREF};
use sinew_model::{ActuatorId, Data, Model, TendonId};

/// The tendon's Jacobian as a dense row.
fn tendon_jacobian(m: &Model, d: &Data) -> Vec<f64> {
    if !m.is_sparse() {
        return d.ten_J[0].to_vec();
    }
    let mut row = vec![0.0; m.nv];
    for k in 0..d.ten_J_rownnz[0] as usize {
        row[d.ten_J_colind.flat()[k].idx()] = d.ten_J.flat()[k];
    }
    row
}

/// Central difference of a number along each dof.
fn gradient(m: &Model, d: &Data, value: impl Fn(&Data) -> f64) -> Vec<f64> {
    const STEP: f64 = 1e-6;
    (0..m.nv)
        .map(|v| {
            let at = |sign: f64| {
                let mut d = d.clone();
                let mut along = vec![0.0; m.nv];
                along[v] = sign;
                engine::integrate_pos(m, &mut d.qpos, &along, STEP);
                engine::fwd_position(m, &mut d);
                value(&d)
            };
            (at(1.0) - at(-1.0)) / (2.0 * STEP)
        })
        .collect()
}

#[test]
fn tendon_jacobian_is_the_gradient_of_length() {
    let mut m = actuated();
    let mut d = moving(&m);

    // the sphere close to the middle of the piece that may wrap it
    engine::fwd_position(&m, &mut d);
    let middle = (d.site_xpos[1] + d.site_xpos[3]) * 0.5 + Vec3::new(0.1, 0.2, 0.1);
    let body = m.geom_bodyid[0];
    m.geom_pos[0] = d.xmat[body].tmul_vec(middle - d.xpos[body]);
    engine::fwd_position(&m, &mut d);

    // site, geom twice, site; pulley; two sites
    assert_eq!(d.ten_wrapnum[0], 7, "the sphere is wrapped");
    assert_eq!(d.wrap_obj.as_flattened()[..7], [-1, 0, 0, -1, -2, -1, -1]);
    let numeric = gradient(&m, &d, |d| d.ten_length[0]);
    assert!(distance(&tendon_jacobian(&m, &d), &numeric) < 1e-8);

    engine::fwd_velocity(&m, &mut d);
    let rate: f64 = numeric.iter().zip(d.qvel.iter()).map(|(x, v)| x * v).sum();
    assert!((d.ten_velocity[0] - rate).abs() < 1e-8);
}

#[test]
fn sparse_and_dense_tendons_agree() {
    let mut m = actuated();
    let mut d = moving(&m);
    engine::forward(&m, &mut d);
    m.opt.jacobian = JacobianType::Sparse;
    let mut sparse = moving(&m);
    engine::forward(&m, &mut sparse);
    assert_eq!(tendon_jacobian(&m, &sparse), d.ten_J[0].to_vec());
    assert_eq!(sparse.actuator_length, d.actuator_length);
    assert!(distance(&sparse.actuator_velocity, &d.actuator_velocity) < 1e-14);
}

#[test]
fn tendon_jacobian_changes_at_its_time_derivative() {
    // without the sphere: the derivative over geoms is not defined
    let mut m = actuated();
    m.wrap_type[1] = WrapType::Site;
    m.wrap_objid[1] = 2;
    let mut d = moving(&m);
    engine::forward(&m, &mut d);
    let mut derivative = Vec::new();
    engine::tendon_dot(&m, &d, TendonId::new(0), &mut derivative);
    const STEP: f64 = 1e-6;
    let at = |time: f64| {
        let mut d = d.clone();
        let vel = d.qvel.to_vec();
        engine::integrate_pos(&m, &mut d.qpos, &vel, time);
        engine::fwd_position(&m, &mut d);
        tendon_jacobian(&m, &d)
    };
    let numeric: Vec<f64> =
        at(STEP).iter().zip(at(-STEP)).map(|(x, y)| (x - y) / (2.0 * STEP)).collect();
    assert!(distance(&derivative, &numeric) < 1e-7);
}

#[test]
fn power_of_actuators_is_that_of_the_joints() {
    let m = actuated();
    let mut d = moving(&m);
    for u in 0..m.nu {
        (d.ctrl[u], d.actuator_force[u]) = (0.3 + u as f64, 0.0);
    }
    let mut strong = m.clone();
    for u in 0..m.nu {
        strong.actuator_gainprm[u][0] = 2.0;
    }
    engine::forward(&strong, &mut d);
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let actuators = product(&d.actuator_force, &d.actuator_velocity);
    let joints = product(&d.qfrc_actuator, &d.qvel);
    assert!((actuators - joints).abs() < 1e-12 * actuators.abs());
    assert_eq!(d.actuator_force[1], 2.0 * 1.3);

    // a bad control switches all of them off, and is counted
    d.ctrl[2] = f64::NAN;
    engine::forward(&strong, &mut d);
    assert_eq!(*d.qfrc_actuator, [0.0; 12]);
    assert_eq!((d.warning[7].number, d.warning[7].lastinfo), (1, 2));
}

#[test]
fn constants_follow_from_the_model() {
    let mut m = actuated();
    let mut d = Data::new(&m);
    engine::set_const(&mut m, &mut d).expect("the chain is sound");
    let mut d = Data::new(&m);
    engine::forward(&m, &mut d);

    assert!((m.body_subtreemass[0] - m.body_mass.iter().sum::<f64>()).abs() < 1e-12);
    assert_eq!((m.tree_bodynum[0], m.tree_dofnum[0]), (5, 12));
    assert_eq!((m.tendon_treenum[0], m.tendon_length0[0]), (1, d.ten_length[0]));
    assert_eq!(m.tendon_lengthspring[0], [d.ten_length[0]; 2]);
    for v in m.dofs() {
        let diagonal = d.M[m.M_row(v).end - 1];
        assert!((m.dof_M0[v] - diagonal).abs() < 1e-12 * diagonal);
    }

    // J M⁻¹ Jᵀ of the tendon, |M⁻¹ Jᵀ| of its actuator
    let row = tendon_jacobian(&m, &d);
    let mut solved = vec![0.0; m.nv];
    engine::solve_m(&m, &d, &mut solved, &row);
    let weight: f64 = row.iter().zip(&solved).map(|(x, y)| x * y).sum();
    assert!((m.tendon_invweight0[0] - weight).abs() < 1e-12 * weight);
    let norm = solved.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!((m.actuator_acc0[1] - norm).abs() < 1e-12 * norm);
}

/// Two hinges with a muscle on the first.
fn muscle_on_hinges(equalities: usize) -> Model {
    let plain = chain(&[JointType::Hinge, JointType::Hinge]);
    let mut m =
        resized(&plain, |m| (m.nu, m.nJmom, m.neq, m.nemax) = (1, 1, equalities, equalities));
    m.actuator_gaintype[0] = GainType::Muscle;
    m.actuator_trntype[0] = TrnType::Joint;
    m.actuator_trnid[0] = [0, -1];
    m.actuator_gear[0][0] = 1.0;
    (m.actuator_actadr[0], m.actuator_historyadr[0]) = (-1, -1);
    for j in 0..m.njnt {
        (m.jnt_solref[j], m.jnt_solimp[j]) = (DEFAULT_SOLREF, DEFAULT_SOLIMP);
    }
    m
}

fn length_range(m: &mut Model, opt: &LengthRangeOptions) -> Result<[f64; 2], LengthRangeError> {
    let mut d = Data::new(m);
    engine::set_const(m, &mut d).expect("the chain is sound");
    match engine::set_length_ranges(m, opt).first() {
        None => Ok(m.actuator_lengthrange[0]),
        Some(error) => Err(*error),
    }
}

#[test]
fn length_range_ends_at_limits() {
    let mut m = muscle_on_hinges(0);
    (m.jnt_limited[0], m.jnt_range[0]) = (true.into(), [-0.5, 0.8]);
    let opt = LengthRangeOptions::default();
    let before = m.opt;
    let [lo, hi] = length_range(&mut m, &opt).expect("the joint stops at its limits");
    assert!((lo + 0.5).abs() < 0.02 && (hi - 0.8).abs() < 0.02, "({lo}, {hi})");
    assert_eq!(m.opt, before);

    // a range that is there stays, and limits can be taken as they are
    m.actuator_lengthrange[0] = [1.0, 2.0];
    assert_eq!(length_range(&mut m, &opt), Ok([1.0, 2.0]));
    let from_limits = LengthRangeOptions { useexisting: false, uselimit: true, ..opt };
    assert_eq!(length_range(&mut m, &from_limits), Ok([-0.5, 0.8]));
}

#[test]
fn length_range_ends_where_a_coupling_does() {
    // the second joint is half the first, and limited
    let mut m = muscle_on_hinges(1);
    (m.eq_type[0], m.eq_objtype[0]) = (EqType::Joint, ObjType::Joint);
    (m.eq_obj1id[0], m.eq_obj2id[0], m.eq_active0[0]) = (1, 0, true.into());
    m.eq_data[0][1] = 0.5;
    // hard, so that the muscle does not stretch the coupling
    let hard = [0.999, 0.999, 0.001, 0.5, 2.0];
    (m.eq_solref[0], m.eq_solimp[0]) = (DEFAULT_SOLREF, hard);
    (m.jnt_limited[1], m.jnt_range[1], m.jnt_solimp[1]) = (true.into(), [-0.2, 0.3], hard);
    let [lo, hi] =
        length_range(&mut m, &LengthRangeOptions::default()).expect("the coupling stops the joint");
    assert!((lo + 0.4).abs() < 0.03 && (hi - 0.6).abs() < 0.03, "({lo}, {hi})");
}

#[test]
fn length_range_of_a_free_joint_is_refused() {
    let mut m = muscle_on_hinges(0);
    let opt = LengthRangeOptions::default();
    let u = ActuatorId::new(0);
    let error = length_range(&mut m, &opt);
    assert!(matches!(error, Err(LengthRangeError::NotConverged(x, _, _)) if x == u), "{error:?}");
    let endless = LengthRangeOptions { timestep: 1e-12, ..opt };
    assert_eq!(length_range(&mut m, &endless), Err(LengthRangeError::TooLong(u)));
}

#[test]
fn histories_are_set_as_a_whole() {
    let mut m = resized(&actuated(), |m| m.nhistory = 2 + 2 * 3);
    for u in 0..m.nu {
        (m.actuator_actadr[u], m.actuator_historyadr[u]) = (-1, -1);
    }
    (m.actuator_history[0], m.actuator_historyadr[0]) = ([3, 1], 0);
    let mut d = Data::new(&m);
    let u = ActuatorId::new(0);
    let (times, values) = ([0.0, 1.0, 3.0], [5.0, 6.0, 8.0]);
    engine::init_ctrl_history(&m, &mut d, u, Some(&times), &values).unwrap();
    assert_eq!(engine::read_ctrl(&m, &d, u, 2.0, -1), 7.0);
    engine::init_ctrl_history(&m, &mut d, u, None, &[1.0, 2.0, 3.0]).unwrap();
    assert_eq!(engine::read_ctrl(&m, &d, u, 0.5, 1), 1.5);

    let mut set = |times: &[f64], values: &[f64], u| {
        engine::init_ctrl_history(&m, &mut d, ActuatorId::new(u), Some(times), values)
    };
    use engine::HistoryError as E;
    assert_eq!(set(&times[..2], &values, 0), Err(E::Length { found: 2, wanted: 3 }));
    assert_eq!(set(&times, &values[..2], 0), Err(E::Length { found: 2, wanted: 3 }));
    assert_eq!(set(&[0.0, 0.0, 1.0], &values, 0), Err(E::Order { index: 0, times: [0.0; 2] }));
    assert_eq!(set(&times, &values, 1), Err(E::None));
}
