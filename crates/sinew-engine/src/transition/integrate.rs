//! Derivatives of the integrators.
//!
//! An implicit integrator solves (M - h D) a' = M a for the acceleration a' that it integrates.
//! D is the derivative by velocity of the forces that it treats implicitly. Hence
//!
//! ```text
//! (M - h D) da' = M da + dM (a - a') + h dD a'
//! ```
//!
//! Bias forces are quadratic in velocity, so D y = (c(v - y) - c(v + y)) / 2 without error.
//! Therefore their dD y is a difference of two derivatives of inverse dynamics.

use sinew_math::{Vec3, vector};
use sinew_model::enums::{DisableBit, DynType, Integrator, TrnType};
use sinew_model::{ActuatorId, Data, DofId, Model};

use super::actuator::{
    ActuatorWork, Moments, add_turning_moment, drive_slopes, find_slopes, force_slopes, is_wrench,
    moment_change, site_wrench,
};
use super::arm::Arm;
use super::fluid::add_fluid_damping;
use super::mat6::Mat6;
use super::residual::Residual;
use super::rotation::{right_jacobian, straight_dofs};
use super::tree::{Motion, Slopes, TreeWork, Wrenches, add_inverse_dynamics};
use super::twist::Twists;
use crate::actuator::actuation::actuator_disabled;
use crate::derivative::lu::{factor_lu, solve_lu, solve_lu_transposed};
use crate::derivative::{euler_matrix, implicit_matrix, smooth_vel};
use crate::later;
use crate::smooth::factor::{factor_dofs, solve_dofs};
use crate::sparse::SparseRow;

/// Scratch of the integrators.
#[derive(Debug, Default)]
pub(super) struct IntegrateWork {
    /// The acceleration that is integrated.
    pub(super) acc: Vec<f64>,
    /// Velocities or accelerations at which bias forces are differentiated.
    rates: Vec<f64>,
    zero: Vec<f64>,
    moments: Moments,
    twists: Twists,
    wrenches: Wrenches,
}

/// Finds the acceleration that is integrated, factors the matrix of the integrator, and adds dM (a
/// - a') + h dD a' to `extra`. Returns the implicit terms, if there are any.
pub(super) fn integrator_terms(
    m: &Model,
    d: &mut Data,
    (vel, tendons, actuators): (&Twists, &[Arm], &mut ActuatorWork),
    extra: &mut Residual,
    tree: &mut TreeWork,
    work: &mut IntegrateWork,
) -> Option<Scheme> {
    work.acc.clear();
    work.acc.extend_from_slice(&d.qacc);
    let scheme = match m.opt.integrator {
        Integrator::Implicit => Scheme::Full,
        Integrator::Implicitfast => Scheme::Fast,
        Integrator::Euler if has_implicit_damping(m) => Scheme::Damping,
        _ => return None,
    };
    match scheme {
        // dampers of dofs are constant
        Scheme::Damping => extra.clear_pos(m),
        _ => extra.clear(m),
    }

    // a' = (M - h D)⁻¹ f
    factor(m, d, scheme);
    vector::combine(&mut work.acc, [&d.qfrc_smooth, &d.qfrc_constraint], |[smooth, constraint]| {
        smooth + constraint
    });
    solve(m, d, scheme, &mut work.acc);

    // dM (a - a')
    work.zero.clear();
    work.zero.resize(m.nv, 0.0);
    work.rates.clear();
    work.rates.extend(d.qacc.iter().zip(&work.acc).map(|(a, b)| a - b));
    let motion = Motion { rates: None, acc: &work.rates, gravity: false };
    let out = Slopes { pos: Some(extra.pos()), vel: None, scale: 1.0 };
    add_inverse_dynamics(m, d, motion, None, tree, out);

    // h dD a'
    if scheme == Scheme::Full {
        add_bias_change(m, d, extra, tree, work);
    }
    if scheme != Scheme::Damping {
        add_implicit_change(m, d, (vel, tendons, actuators), extra, tree, work);
    }
    Some(scheme)
}

/// Adds h dD a' of all forces but the bias, at the acceleration a' of the scratch memory.
fn add_implicit_change(
    m: &Model,
    d: &Data,
    (vel, tendons, actuators): (&Twists, &[Arm], &mut ActuatorWork),
    extra: &mut Residual,
    tree: &mut TreeWork,
    work: &mut IntegrateWork,
) {
    work.twists.set(m, d, &work.acc);
    work.wrenches.clear(m);
    add_damper_change(m, d, tendons, &work.acc, extra);
    add_fluid_damping(m, d, [vel, &work.twists], extra, &mut work.wrenches);
    if !m.opt.disabled(DisableBit::Actuation) {
        add_actuator_change(m, d, (vel, tendons, actuators), extra, work);
    }
    if work.wrenches.any {
        let motion = Motion { rates: None, acc: &work.zero, gravity: false };
        // wrenches count against inverse dynamics
        let out = Slopes { pos: Some(extra.pos()), vel: None, scale: -1.0 };
        add_inverse_dynamics(m, d, motion, Some(&work.wrenches), tree, out);
    }
}

/// Adds the change of (M - h D) y by the state to `out`, where y stays as it is.
pub(super) fn add_inertia_change(
    m: &Model,
    d: &Data,
    (vel, tendons, actuators): (&Twists, &[Arm], &mut ActuatorWork),
    (y, wrenches): (&[f64], &Wrenches),
    out: &mut Residual,
    tree: &mut TreeWork,
    (work, extra): (&mut IntegrateWork, &mut Residual),
) {
    let motion = Motion { rates: None, acc: y, gravity: false };
    let slopes = Slopes { pos: Some(out.pos()), vel: None, scale: 1.0 };
    add_inverse_dynamics(m, d, motion, Some(wrenches), tree, slopes);
    if m.opt.integrator != Integrator::Implicitfast {
        return;
    }
    extra.clear(m);
    work.zero.clear();
    work.zero.resize(m.nv, 0.0);
    work.acc.clear();
    work.acc.extend_from_slice(y);
    add_implicit_change(m, d, (vel, tendons, actuators), extra, tree, work);
    out.rows.iter_mut().zip(&extra.rows).for_each(|(out, x)| *out -= x);
}

/// The terms that an integrator treats implicitly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scheme {
    /// Dampers of dofs.
    Damping,
    /// All forces but the bias.
    Fast,
    /// All forces.
    Full,
}

fn has_implicit_damping(m: &Model) -> bool {
    !m.opt.disabled(DisableBit::Eulerdamp)
        && !m.opt.disabled(DisableBit::Damper)
        && later::any_damper(m, 0..m.nv)
}

/// Factors the matrix of the integrator, into `qLU` or into `qH` and `qHDiagInv`.
fn factor(m: &Model, d: &mut Data, scheme: Scheme) {
    let dofs = 0..m.nv;
    if scheme == Scheme::Damping {
        let Data { qH, M, qvel, .. } = d;
        euler_matrix(m, dofs.clone(), [M, qvel], qH);
    } else {
        smooth_vel(m, d, scheme == Scheme::Full);
        implicit_matrix(m, d, scheme == Scheme::Full);
    }
    let Data { qLU, qH, qHDiagInv, .. } = d;
    if scheme == Scheme::Full {
        factor_lu(m, dofs, qLU);
    } else {
        factor_dofs(m, dofs, qH, qHDiagInv);
    }
}

/// In place x = (M - h D)⁻¹ x.
fn solve(m: &Model, d: &Data, scheme: Scheme, x: &mut [f64]) {
    if scheme == Scheme::Full {
        solve_lu(m, 0..m.nv, &d.qLU, x);
    } else {
        solve_dofs(m, 0..m.nv, x, &d.qH, &d.qHDiagInv);
    }
}

/// In place x = (M - h D)⁻ᵀ x.
pub(super) fn solve_transposed(m: &Model, d: &Data, scheme: Scheme, x: &mut [f64]) {
    if scheme == Scheme::Full {
        solve_lu_transposed(m, 0..m.nv, &d.qLU, x);
    } else {
        solve_dofs(m, 0..m.nv, x, &d.qH, &d.qHDiagInv);
    }
}

/// Adds h dD a' of the bias forces.
fn add_bias_change(
    m: &Model,
    d: &Data,
    slopes: &mut Residual,
    tree: &mut TreeWork,
    work: &mut IntegrateWork,
) {
    let h = m.opt.timestep;
    for sign in [1.0, -1.0] {
        work.rates.clear();
        work.rates.extend(d.qvel.iter().zip(&work.acc).map(|(v, y)| v + sign * y));
        let motion = Motion { rates: Some(&work.rates), acc: &work.zero, gravity: false };
        let out = Slopes { pos: Some(slopes.pos()), vel: None, scale: -0.5 * sign * h };
        add_inverse_dynamics(m, d, motion, None, tree, out);
    }
    let motion = Motion { rates: Some(&work.acc), acc: &work.zero, gravity: false };
    let out = Slopes { pos: None, vel: Some(slopes.pos_vel().1), scale: -h };
    add_inverse_dynamics(m, d, motion, None, tree, out);
}

/// Adds h dD a' of the actuators: D is Jᵀ s_w J of each, in the pattern of the trees.
fn add_actuator_change(
    m: &Model,
    d: &Data,
    (vel, tendons, actuators): (&Twists, &[Arm], &mut ActuatorWork),
    slopes: &mut Residual,
    work: &mut IntegrateWork,
) {
    let h = m.opt.timestep;
    for u in m.actuators().filter(|&u| !actuator_disabled(m, u)) {
        let force = force_slopes(m, d, u);
        let curved = force.curve != [0.0; 2];
        if force.limited || force.implicit == 0.0 && force.mixed == 0.0 && !curved {
            continue;
        }
        work.moments.set(m, d, tendons, u);
        let Moments { row, arm, .. } = &work.moments;
        let speed =
            row.ind.iter().zip(&row.val).fold(0.0, |sum, (&v, x)| sum + x * work.acc[v.idx()]);
        let slope = h * force.implicit;
        if is_wrench(m, u) {
            let (body, wrench) = site_wrench(m, d, u);
            let held = wrench * (slope * speed);
            work.wrenches.add(body, held, &Mat6::carried(held));
            for &v in &row.ind {
                let change = slope * moment_change(d, &work.twists, wrench, v);
                for (&w, &moment) in row.ind.iter().zip(&row.val) {
                    slopes.by_pos(v.idx())[w.idx()] += moment * change;
                }
            }
        } else if arm.turns {
            add_arm_change(m, arm, slope, &work.acc, slopes);
        } else {
            turn_with_child(m, d, u, slope, speed, &work.acc, slopes);
        }
        add_drive_change(m, d, u, h * force.mixed, row, &work.acc, slopes);
        if curved {
            let curve = force.curve.map(|x| x * h);
            let changes = find_slopes(m, d, (vel, tendons), u, actuators);
            add_curve_change(m, curve, changes, &work.acc, slopes);
        }
    }
}

/// Adds the change of Jᵀ slope J y, in the pattern of the trees.
fn add_arm_change(m: &Model, arm: &Arm, slope: f64, acc: &[f64], slopes: &mut Residual) {
    for (j, &w) in arm.dofs.iter().enumerate() {
        let related = arm.dofs.iter().enumerate().filter(|(_, v)| are_related(m, w, **v));
        for (place, &input) in arm.dofs.iter().enumerate() {
            let changes = arm.changes(place);
            let [mut speed, mut change] = [0.0; 2];
            for (k, v) in related.clone() {
                speed += arm.values[k] * acc[v.idx()];
                change += changes[k] * acc[v.idx()];
            }
            let sum = changes[j] * speed + arm.values[j] * change;
            slopes.by_pos(input.idx())[w.idx()] += slope * sum;
        }
    }
}

/// Adds the change of Jᵀ s_w J y by length and velocity.
fn add_curve_change(
    m: &Model,
    [by_length, by_velocity]: [f64; 2],
    (row, changes): (&SparseRow, &[[f64; 2]]),
    acc: &[f64],
    slopes: &mut Residual,
) {
    for (&w, &moment) in row.ind.iter().zip(&row.val) {
        let related = row.ind.iter().zip(&row.val).filter(|(v, _)| are_related(m, w, **v));
        let speed = moment * related.fold(0.0, |sum, (v, x)| sum + x * acc[v.idx()]);
        for ((&v, &rate), [length, velocity]) in row.ind.iter().zip(&row.val).zip(changes) {
            let change = by_length * length + by_velocity * velocity;
            slopes.by_pos(v.idx())[w.idx()] += speed * change;
            slopes.by_vel(v.idx())[w.idx()] += speed * by_velocity * rate;
        }
    }
}

/// Adds h dD a' of the dampers of tendons.
fn add_damper_change(m: &Model, d: &Data, tendons: &[Arm], acc: &[f64], slopes: &mut Residual) {
    if m.opt.disabled(DisableBit::Damper) {
        return;
    }
    for (t, arm) in m.tendons().zip(tendons).filter(|(_, arm)| arm.turns) {
        let damping = later::tendon_damper(m, t).drag_slope(d.ten_velocity[t]);
        if damping != 0.0 {
            add_arm_change(m, arm, -m.opt.timestep * damping, acc, slopes);
        }
    }
}

/// Adds the change of Jᵀ slope J y where J turns back with the child.
fn turn_with_child(
    m: &Model,
    d: &Data,
    u: ActuatorId,
    slope: f64,
    speed: f64,
    acc: &[f64],
    slopes: &mut Residual,
) {
    add_turning_moment(m, d, u, -slope * speed, slopes.pos());
    if m.actuator_trntype[u] != TrnType::Jointinparent {
        return;
    }
    let (dofs, moments) = crate::actuator::transmission::moment_row(d, u);
    let Some(turn) = dofs.len().checked_sub(3) else { return };
    let (gear, dof) = (Vec3::from_slice(&moments[turn..]), dofs[turn].idx());
    let rate = Vec3::from_slice(&acc[dof..]);
    for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
        let change = slope * gear.cross(axis).dot(rate);
        for (&w, &moment) in dofs.iter().zip(moments) {
            slopes.by_pos(dof + k)[w.idx()] += moment * change;
        }
    }
}

/// Adds the change of Jᵀ s_w J y by the input of the actuator.
fn add_drive_change(
    m: &Model,
    d: &Data,
    u: ActuatorId,
    mixed: f64,
    row: &SparseRow,
    acc: &[f64],
    slopes: &mut Residual,
) {
    if mixed == 0.0 {
        return;
    }
    let drive = drive_slopes(m, d, u);
    for (&w, &moment) in row.ind.iter().zip(&row.val) {
        let speed = row.ind.iter().zip(&row.val).filter(|(v, _)| are_related(m, w, **v));
        let speed = speed.fold(0.0, |sum, (v, x)| sum + x * acc[v.idx()]);
        let change = mixed * moment * speed;
        if m.actuator_dyntype[u] == DynType::None {
            // MuJoCo takes the control before clamping here
            slopes.by_ctrl(u.idx())[w.idx()] += change;
        } else if let Some((act, by_act)) = drive.act {
            slopes.by_act(act)[w.idx()] += change * by_act;
            slopes.by_ctrl(u.idx())[w.idx()] += change * drive.ctrl;
        }
    }
}

/// Whether one of two dofs is above the other.
pub(super) fn are_related(m: &Model, v: DofId, w: DofId) -> bool {
    m.D_colind.rows(m.D_rows(v.idx()..v.idx() + 1)).contains(&w)
}

/// The change of the next position by the present position and by the next velocity, as two blocks.
/// A block is for three dofs that turn together or for one.
#[derive(Clone, Copy, Debug)]
pub(super) enum PositionMap {
    /// dq' = dq + h dv'
    Straight(usize),
    /// dq' = exp(-h ω) dq + h J(h ω) dv', with the first of the three dofs.
    Turn(usize, [sinew_math::Mat3; 2]),
}

/// The maps of all dofs at the next velocity `vel`.
pub(super) fn position_maps(m: &Model, vel: &[f64], mut visit: impl FnMut(PositionMap)) {
    let h = m.opt.timestep;
    for j in m.joints() {
        let dofs = m.jnt_dofs(j).map(DofId::idx);
        let turns = straight_dofs(m.jnt_type[j]);
        dofs.clone().take(turns).for_each(|v| visit(PositionMap::Straight(v)));
        if let Some(v) = dofs.clone().nth(turns) {
            let angle = Vec3::from_slice(&vel[v..]) * h;
            let back = sinew_math::Quat::default().integrate(-angle, 1.0).to_mat();
            visit(PositionMap::Turn(v, [back, right_jacobian(angle)]));
        }
    }
}
