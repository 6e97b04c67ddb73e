//! The matrices of a step.

use sinew_model::{Data, Model};

use super::actuator::{ActuatorWork, add_actuators};
use super::constraint::{ConstraintWork, Hessian, add_constraints};
use super::error::{TransitionError, unsupported};
use super::integrate::{IntegrateWork, PositionMap, integrated_acceleration, position_maps};
use super::passive::add_passive;
use super::residual::Residual;
use super::support::check_model;
use super::switches::Switches;
use super::tree::{Motion, Slopes, TreeWork, Wrenches, add_inverse_dynamics};
use super::twist::Twists;
use crate::bad::first_bad;
use crate::finite::Transition;
use crate::plain::forward;
use crate::smooth::factor::solve_dofs;
use crate::sparse::SparseRow;
use crate::work::scratch;

/// Scratch of the derivatives of a step.
#[derive(Debug, Default)]
struct StepWork {
    residual: Residual,
    wrenches: Wrenches,
    twists: Twists,
    tree: TreeWork,
    actuators: ActuatorWork,
    row: SparseRow,
    constraint: ConstraintWork,
    hessian: Hessian,
    integrate: IntegrateWork,
    zero: Vec<f64>,
    vel: Vec<f64>,
}

/// Derivatives of a step by state and controls, in closed form.
///
/// A and B have the meaning and the shapes of [`transition_fd`](crate::transition_fd). Models with
/// sensors give C and D empty or not at all. The state is as before afterwards, and everything that
/// [`forward`] computes is up to date. The first call for a model allocates, later ones do not.
///
/// Parts of a model without derivative are an error that names the part.
pub fn transition(
    m: &Model,
    d: &mut Data,
    mut out: Transition<'_>,
) -> Result<Switches, TransitionError> {
    check_model(m)?;
    let n = 2 * m.nv + m.na;
    check_length("A", &out.a, n * n)?;
    check_length("B", &out.b, n * m.nu)?;
    check_length("C", &out.c, m.nsensordata * n)?;
    check_length("D", &out.d, m.nsensordata * m.nu)?;
    if m.nsensordata > 0 && (out.c.is_some() || out.d.is_some()) {
        return unsupported("sensors (outputs C and D)");
    }
    check_state("qpos", &d.qpos)?;
    check_state("qvel", &d.qvel)?;
    check_state("act", &d.act)?;
    check_state("ctrl", &d.ctrl)?;
    forward(m, d);
    check_state("qacc", &d.qacc)?;
    let mut work = scratch(d).transition.take::<StepWork>();
    let result = fill(m, d, &mut work, &mut out);
    scratch(d).transition.put(work);
    result
}

fn check_length(
    name: &'static str,
    out: &Option<&mut [f64]>,
    wanted: usize,
) -> Result<(), TransitionError> {
    match out {
        Some(out) if out.len() != wanted => {
            Err(TransitionError::Length { name, found: out.len(), wanted })
        }
        _ => Ok(()),
    }
}

fn check_state(field: &'static str, x: &[f64]) -> Result<(), TransitionError> {
    first_bad(x).map_or(Ok(()), |index| Err(TransitionError::BadState { field, index }))
}

/// Fills A and B after forward dynamics.
fn fill(
    m: &Model,
    d: &mut Data,
    work: &mut StepWork,
    out: &mut Transition<'_>,
) -> Result<Switches, TransitionError> {
    let switches = acceleration_slopes(m, d, work)?;
    let StepWork { residual, tree, integrate, vel, actuators, .. } = work;
    let acc = integrated_acceleration(m, d, residual, tree, integrate);
    vel.clear();
    vel.extend(d.qvel.iter().zip(acc).map(|(v, a)| v + m.opt.timestep * a));

    let (nv, n) = (m.nv, 2 * m.nv + m.na);
    let inputs = residual.rows.chunks_exact(nv.max(1));
    for (input, slopes) in inputs.enumerate() {
        let (matrix, ncol, column) =
            if input < n { (&mut out.a, n, input) } else { (&mut out.b, m.nu, input - n) };
        if let Some(matrix) = matrix {
            write_velocity(m, matrix, ncol, column, input, slopes);
        }
    }
    if let Some(a) = &mut out.a {
        write_position(m, vel, a, n, true);
        write_activation(m, a, n, |k| (2 * nv + k, actuators.activations[k].act));
    }
    if let Some(b) = &mut out.b {
        write_position(m, vel, b, m.nu, false);
        if m.nu > 0 {
            let slopes = |k: usize| actuators.activations[k];
            write_activation(m, b, m.nu, |k| (slopes(k).actuator, slopes(k).ctrl));
        }
    }
    Ok(switches)
}

/// Derivatives of the acceleration, into `residual`: -H⁻¹ dG.
fn acceleration_slopes(
    m: &Model,
    d: &mut Data,
    work: &mut StepWork,
) -> Result<Switches, TransitionError> {
    let StepWork { residual, wrenches, twists, tree, actuators, row, zero, .. } = work;
    residual.clear(m);
    wrenches.clear(m);
    zero.clear();
    zero.resize(m.nv, 0.0);
    twists.set(m, d, &d.qvel);
    add_passive(m, d, row, residual, wrenches);
    add_actuators(m, d, twists, actuators, residual, wrenches);
    let switches =
        add_constraints(m, d, twists, &mut work.constraint, residual, wrenches, &mut work.hessian)?;
    let motion = Motion { rates: &d.qvel, acc: &d.qacc, gravity: true };
    let (pos, vel) = residual.pos_vel();
    let slopes = Slopes { pos: Some(pos), vel: Some(vel), scale: 1.0 };
    add_inverse_dynamics(m, d, motion, Some(wrenches), tree, slopes);

    // da = -H⁻¹ dG
    for row in residual.rows.chunks_exact_mut(m.nv.max(1)) {
        row.iter_mut().for_each(|x| *x = -*x);
        if d.nefc == 0 {
            solve_dofs(m, 0..m.nv, row, &d.qLD, &d.qLDiagInv);
        } else {
            work.hessian.solve(row);
        }
    }
    Ok(switches)
}

/// The rows of velocity in one column: dv' = dv + h da.
fn write_velocity(
    m: &Model,
    matrix: &mut [f64],
    ncol: usize,
    column: usize,
    input: usize,
    slopes: &[f64],
) {
    for (v, slope) in slopes.iter().enumerate() {
        let own = if input == m.nv + v { 1.0 } else { 0.0 };
        matrix[(m.nv + v) * ncol + column] = own + m.opt.timestep * slope;
    }
}

/// The rows of position from those of velocity; `by_state` if the columns are those of the state.
fn write_position(m: &Model, vel: &[f64], matrix: &mut [f64], ncol: usize, by_state: bool) {
    let (h, nv) = (m.opt.timestep, m.nv);
    let (pos, rest) = matrix.split_at_mut(nv * ncol);
    position_maps(m, vel, |map| match map {
        PositionMap::Straight(v) => {
            for column in 0..ncol {
                pos[v * ncol + column] = h * rest[v * ncol + column];
            }
            if by_state {
                pos[v * ncol + v] += 1.0;
            }
        }
        PositionMap::Turn(v, [back, jacobian]) => {
            for i in 0..3 {
                for column in 0..ncol {
                    let sum = (0..3)
                        .fold(0.0, |sum, k| sum + jacobian.0[i][k] * rest[(v + k) * ncol + column]);
                    pos[(v + i) * ncol + column] = h * sum;
                }
                if by_state {
                    for k in 0..3 {
                        pos[(v + i) * ncol + v + k] += back.0[i][k];
                    }
                }
            }
        }
    });
}

/// The rows of activations, each with one entry.
fn write_activation(
    m: &Model,
    matrix: &mut [f64],
    ncol: usize,
    entry: impl Fn(usize) -> (usize, f64),
) {
    for (k, row) in matrix[2 * m.nv * ncol..].chunks_exact_mut(ncol).enumerate() {
        row.fill(0.0);
        let (column, value) = entry(k);
        row[column] = value;
    }
}
