//! The matrices of a step.

use sinew_model::enums::Integrator;
use sinew_model::{Data, Model};

use super::error::TransitionError;
use super::integrate::{PositionMap, position_maps};
use super::linear::{StepWork, check_length, with_linear};
use super::runge_kutta::fill_stages;
use super::sensor::check_sensors;
use super::switches::Switches;
use crate::finite::Transition;

/// Derivatives of a step by state and controls, in closed form.
///
/// The matrices have the meaning and the shapes of [`transition_fd`](crate::transition_fd). The
/// state is as before afterwards, and everything that [`forward`](crate::forward) computes is up to
/// date. The first call for a model allocates, later ones do not.
///
/// Parts of a model without derivative are an error that names the part.
pub fn transition(
    m: &Model,
    d: &mut Data,
    mut out: Transition<'_>,
) -> Result<Switches, TransitionError> {
    let n = 2 * m.nv + m.na;
    let length = |out: &Option<&mut [f64]>, wanted: usize| out.as_ref().map_or(wanted, |o| o.len());
    check_length("A", length(&out.a, n * n), n * n)?;
    check_length("B", length(&out.b, n * m.nu), n * m.nu)?;
    check_length("C", length(&out.c, m.nsensordata * n), m.nsensordata * n)?;
    check_length("D", length(&out.d, m.nsensordata * m.nu), m.nsensordata * m.nu)?;
    if out.c.is_some() || out.d.is_some() {
        check_sensors(m)?;
    }
    if m.opt.integrator == Integrator::Rk4 {
        return fill_stages(m, d, &mut out);
    }
    with_linear(m, d, |m, d, work| fill(m, d, work, &mut out))
}

/// Fills the matrices.
fn fill(m: &Model, d: &Data, work: &mut StepWork, out: &mut Transition<'_>) {
    if out.c.is_some() || out.d.is_some() {
        work.fill_sensors(m, d, out);
    }
    work.solve_all(m, d);
    let StepWork { residual, actuators, vel, .. } = work;
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
    for (k, row) in matrix[2 * m.nv * ncol..].chunks_exact_mut(ncol.max(1)).enumerate() {
        row.fill(0.0);
        let (column, value) = entry(k);
        row[column] = value;
    }
}
