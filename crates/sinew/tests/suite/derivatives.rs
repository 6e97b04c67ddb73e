//! Jacobians and analytic derivatives compared with central differences, at random states of the
//! repository's models.

use std::path::Path;

use sinew::model::enums::{Integrator, JointType, TrnType};
use sinew::{ActuatorId, BodyId, Data, Model, TendonId, Vec3, engine};
use sinew_testkit::Random;
use sinew_testkit::tolerance::DIFFERENCE_STEP as STEP;

const MODELS: [&str; 11] = [
    "arm.xml",
    "gripper.xml",
    "humanoid.xml",
    "muscles.xml",
    "quadruped.xml",
    "tendons.xml",
    "features/actuators.xml",
    "features/fluid.xml",
    "features/joints.xml",
    "features/sensor_dynamics.xml",
    "features/tendon_paths.xml",
];
const STATES: u64 = 3;

/// Runs a check on every model at some random states after forward dynamics.
fn for_each_state(check: impl Fn(&Model, &Data, &str)) {
    for name in MODELS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
        let mut m = sinew::load(path).unwrap();
        // `implicitfast` makes the derivatives symmetric
        m.opt.integrator = Integrator::Implicit;
        // derivatives ignore limits of joint and tendon forces
        m.jnt_actfrclimited.fill(false.into());
        m.tendon_actfrclimited.fill(false.into());
        // they also ignore the bias force of tendon armature, as in MuJoCo
        m.tendon_armature.fill(0.0);
        // MuJoCo's guard against division by zero changes the drag derivative of small slow
        // ellipsoids; larger ellipsoids avoid it
        for g in m.geoms().filter(|&g| m.geom_fluid[g][0] > 0.0).collect::<Vec<_>>() {
            m.geom_size[g] *= 4.0;
        }
        for seed in 1..=STATES {
            let d = random_state(&m, seed);
            check(&m, &d, &format!("{name}, state {seed}"));
        }
    }
}

fn random_state(m: &Model, seed: u64) -> Data {
    let mut random = Random::new(seed);
    let mut d = Data::new(m);
    let along: Vec<f64> = (0..m.nv).map(|_| random.between([-0.4, 0.4])).collect();
    engine::integrate_pos(m, &mut d.qpos, &along, 1.0);
    d.qvel.fill_with(|| random.between([-1.0, 1.0]));
    d.act.fill_with(|| random.unit());
    for u in m.actuators() {
        let limited = m.actuator_ctrllimited[u].get();
        let range = if limited { m.actuator_ctrlrange[u] } else { [-1.0, 1.0] };
        d.ctrl[u] = random.between(range);
    }
    sinew::forward(m, &mut d);
    d
}

/// States at a small displacement forwards and backwards along a dof.
struct Pair {
    forth: Data,
    back: Data,
}

impl Pair {
    fn along(m: &Model, d: &Data, direction: &[f64]) -> Pair {
        let at = |step: f64| {
            let mut d = d.clone();
            engine::integrate_pos(m, &mut d.qpos, direction, step);
            engine::fwd_position(m, &mut d);
            d
        };
        Pair { forth: at(STEP), back: at(-STEP) }
    }

    fn all(m: &Model, d: &Data) -> Vec<Pair> {
        let unit = |v: usize| (0..m.nv).map(|k| f64::from(u8::from(k == v))).collect::<Vec<_>>();
        (0..m.nv).map(|v| Pair::along(m, d, &unit(v))).collect()
    }

    fn slope(&self, value: impl Fn(&Data) -> f64) -> f64 {
        (value(&self.forth) - value(&self.back)) / (2.0 * STEP)
    }

    fn slope3(&self, value: impl Fn(&Data) -> Vec3) -> Vec3 {
        (value(&self.forth) - value(&self.back)) * (0.5 / STEP)
    }

    /// Angular velocity of a body in the world frame.
    fn turning(&self, b: BodyId) -> Vec3 {
        let local = self.forth.xquat[b].rotvec_from(self.back.xquat[b]);
        self.back.xmat[b] * local * (0.5 / STEP)
    }
}

#[track_caller]
fn near(got: f64, want: f64, tolerance: f64, what: &str) {
    let scale = want.abs().max(1.0);
    assert!((got - want).abs() <= tolerance * scale, "{what}: {got}, numerically {want}");
}

/// Compares the columns of a Jacobian with three rows with numerical derivatives.
#[track_caller]
fn columns(jac: &[f64], pairs: &[Pair], numeric: impl Fn(&Pair) -> Vec3, what: &str) {
    for (v, pair) in pairs.iter().enumerate() {
        let want = numeric(pair).to_array();
        for (k, &want) in want.iter().enumerate() {
            near(jac[k * pairs.len() + v], want, 2e-8, &format!("{what}, row {k}, dof {v}"));
        }
    }
}

/// A point and an axis fixed to a body.
fn carried(d: &Data, b: BodyId) -> (Vec3, Vec3) {
    let (point, axis) = (Vec3::new(0.1, -0.2, 0.3), Vec3::new(0.6, 0.0, -0.8));
    (d.xpos[b] + d.xmat[b] * point, d.xmat[b] * axis)
}

#[test]
fn jacobians_of_bodies_match_differences() {
    for_each_state(|m, d, name| {
        let pairs = Pair::all(m, d);
        let (mut p, mut r) = (vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]);
        for b in m.bodies() {
            let what = |kind: &str| format!("{name}: {kind} of body {}", b.idx());
            engine::jac_body(m, d, Some(&mut p), Some(&mut r), b);
            columns(&p, &pairs, |x| x.slope3(|d| d.xpos[b]), &what("jac_body"));
            columns(&r, &pairs, |x| x.turning(b), &what("rotation"));
            engine::jac_body_com(m, d, Some(&mut p), Some(&mut r), b);
            columns(&p, &pairs, |x| x.slope3(|d| d.xipos[b]), &what("jac_body_com"));
            columns(&r, &pairs, |x| x.turning(b), &what("rotation"));
            engine::jac_subtree_com(m, d, &mut p, b);
            columns(&p, &pairs, |x| x.slope3(|d| d.subtree_com[b]), &what("jac_subtree_com"));

            let (point, axis) = carried(d, b);
            engine::jac(m, d, Some(&mut p), Some(&mut r), point, b);
            columns(&p, &pairs, |x| x.slope3(|d| carried(d, b).0), &what("jac"));
            columns(&r, &pairs, |x| x.turning(b), &what("rotation"));
            engine::jac_point_axis(m, d, Some(&mut p), Some(&mut r), point, axis, b);
            columns(&p, &pairs, |x| x.slope3(|d| carried(d, b).0), &what("jac_point_axis"));
            columns(&r, &pairs, |x| x.slope3(|d| carried(d, b).1), &what("axis"));
        }
    });
}

#[test]
fn jacobians_of_geoms_and_sites_match_differences() {
    for_each_state(|m, d, name| {
        let pairs = Pair::all(m, d);
        let (mut p, mut r) = (vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]);
        for g in m.geoms() {
            let what = format!("{name}: jac_geom {}", g.idx());
            engine::jac_geom(m, d, Some(&mut p), Some(&mut r), g);
            columns(&p, &pairs, |x| x.slope3(|d| d.geom_xpos[g]), &what);
            columns(&r, &pairs, |x| x.turning(m.geom_bodyid[g]), &what);
        }
        for s in m.sites() {
            let what = format!("{name}: jac_site {}", s.idx());
            engine::jac_site(m, d, Some(&mut p), Some(&mut r), s);
            columns(&p, &pairs, |x| x.slope3(|d| d.site_xpos[s]), &what);
            columns(&r, &pairs, |x| x.turning(m.site_bodyid[s]), &what);
        }
    });
}

#[test]
fn time_derivatives_of_jacobians_match_differences() {
    for_each_state(|m, d, name| {
        let pair = Pair::along(m, d, &d.qvel);
        let size = 3 * m.nv;
        let jacobian = |d: &Data, b: BodyId| {
            let mut both = vec![0.0; 2 * size];
            let (p, r) = both.split_at_mut(size);
            engine::jac(m, d, Some(p), Some(r), carried(d, b).0, b);
            both
        };
        for b in m.bodies() {
            let mut rate = vec![0.0; 2 * size];
            let (p, r) = rate.split_at_mut(size);
            engine::jac_dot(m, d, Some(p), Some(r), carried(d, b).0, b);
            let (forth, back) = (jacobian(&pair.forth, b), jacobian(&pair.back, b));
            for (k, &rate) in rate.iter().enumerate() {
                let want = (forth[k] - back[k]) / (2.0 * STEP);
                near(rate, want, 1e-7, &format!("{name}: jac_dot of body {}, {k}", b.idx()));
            }
        }
    });
}

/// A tendon's row of `ten_J`.
fn tendon_row(m: &Model, d: &Data, t: TendonId) -> Vec<f64> {
    if !m.is_sparse() {
        return d.ten_J[t].to_vec();
    }
    let mut row = vec![0.0; m.nv];
    let start = d.ten_J_rowadr[t] as usize;
    for k in start..start + d.ten_J_rownnz[t] as usize {
        row[d.ten_J_colind.flat()[k].idx()] = d.ten_J.flat()[k];
    }
    row
}

#[test]
fn jacobians_of_tendons_match_differences() {
    for_each_state(|m, d, name| {
        let pairs = Pair::all(m, d);
        for t in m.tendons() {
            let row = tendon_row(m, d, t);
            for (v, pair) in pairs.iter().enumerate() {
                let want = pair.slope(|d| d.ten_length[t]);
                near(row[v], want, 1e-7, &format!("{name}: tendon {}, dof {v}", t.idx()));
            }
            let rate: f64 = row.iter().zip(d.qvel.iter()).map(|(j, v)| j * v).sum();
            near(
                d.ten_velocity[t],
                rate,
                1e-12,
                &format!("{name}: velocity of tendon {}", t.idx()),
            );
        }
    });
}

/// Whether an actuator's moment is the gradient of its length. Exceptions are 3D rotations, sites
/// (whose length is zero without a reference site), and contacts.
fn has_gradient(m: &Model, u: ActuatorId) -> bool {
    let target = m.actuator_trnid[u][0] as usize;
    match m.actuator_trntype[u] {
        TrnType::Joint | TrnType::Jointinparent => {
            matches!(m.jnt_type[target], JointType::Hinge | JointType::Slide)
        }
        TrnType::Tendon | TrnType::Slidercrank => true,
        _ => false,
    }
}

#[test]
fn moments_of_actuators_match_differences() {
    for_each_state(|m, d, name| {
        let pairs = Pair::all(m, d);
        for u in m.actuators() {
            let mut row = vec![0.0; m.nv];
            let start = d.moment_rowadr[u] as usize;
            for k in start..start + d.moment_rownnz[u] as usize {
                row[d.moment_colind[k].idx()] = d.actuator_moment.flat()[k];
            }
            let rate: f64 = row.iter().zip(d.qvel.iter()).map(|(j, v)| j * v).sum();
            let what = format!("{name}: actuator {}", u.idx());
            near(d.actuator_velocity[u], rate, 1e-12, &what);
            for (v, pair) in pairs.iter().enumerate().filter(|_| has_gradient(m, u)) {
                let want = pair.slope(|d| d.actuator_length[u]);
                near(row[v], want, 1e-7, &format!("{what}, dof {v}"));
            }
        }
    });
}

/// Numerical derivatives of forces by velocity, as a dense matrix.
fn force_slopes(m: &Model, d: &Data, force: impl Fn(&Data, usize) -> f64) -> Vec<f64> {
    let mut slopes = vec![0.0; m.nv * m.nv];
    for v in 0..m.nv {
        let at = |step: f64| {
            let mut d = d.clone();
            d.qvel[v] += step;
            engine::fwd_velocity(m, &mut d);
            engine::fwd_actuation(m, &mut d);
            d
        };
        let (forth, back) = (at(STEP), at(-STEP));
        for row in 0..m.nv {
            slopes[row * m.nv + v] = (force(&forth, row) - force(&back, row)) / (2.0 * STEP);
        }
    }
    slopes
}

/// Compares `qDeriv` with numerical derivatives at its entries; dofs of different branches have
/// none.
#[track_caller]
fn entries(m: &Model, d: &Data, slopes: &[f64], what: &str) {
    let scale = slopes.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
    for v in m.dofs() {
        let start = m.D_rowadr[v] as usize;
        for k in start..start + m.D_rownnz[v] as usize {
            let col = m.D_colind[k].idx();
            let want = slopes[v.idx() * m.nv + col];
            let error = (d.qDeriv[k] - want).abs();
            assert!(error <= 1e-7 * scale, "{what}: {}, {col}: {}, {want}", v.idx(), d.qDeriv[k]);
        }
    }
}

#[test]
fn velocity_derivatives_of_forces_match_differences() {
    for_each_state(|m, d, name| {
        let mut d = d.clone();
        engine::smooth_vel(m, &mut d, false);
        let slopes = force_slopes(m, &d, |d, v| d.qfrc_actuator[v] + d.qfrc_passive[v]);
        entries(m, &d, &slopes, &format!("{name}: actuators and passive forces"));
        engine::smooth_vel(m, &mut d, true);
        let slopes =
            force_slopes(m, &d, |d, v| d.qfrc_actuator[v] + d.qfrc_passive[v] - d.qfrc_bias[v]);
        entries(m, &d, &slopes, &format!("{name}: with bias forces"));
    });
}

#[test]
fn velocity_derivatives_in_fluids_match_differences() {
    for_each_state(|m, d, name| {
        let mut m = m.clone();
        (m.opt.density, m.opt.viscosity) = (500.0, 0.7);
        m.opt.wind = Vec3::new(0.3, -0.2, 0.1);
        let mut d = d.clone();
        sinew::forward(&m, &mut d);
        engine::smooth_vel(&m, &mut d, false);
        let slopes = force_slopes(&m, &d, |d, v| d.qfrc_actuator[v] + d.qfrc_passive[v]);
        entries(&m, &d, &slopes, &format!("{name}: in a fluid"));
    });
}
