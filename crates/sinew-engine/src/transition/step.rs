//! The matrices of a step.

use core::ops::Range;

use sinew_math::chol::panel::Row;
use sinew_model::enums::Integrator;
use sinew_model::{Data, Model};

use super::error::TransitionError;
use super::hard::{fill_hard, is_hard};
use super::integrate::{PositionMap, position_maps};
use super::linear::{StepWork, check_length, with_linear};
use super::panel::WIDTH;
use super::runge_kutta::fill_stages;
use super::sensor::check_sensors;
use super::switches::Switches;
use crate::finite::Transition;

/// Derivatives of a step by state and controls, in closed form.
///
/// The matrices have the meaning and the shapes of [`transition_fd`](crate::transition_fd). The
/// state is as before afterwards, and everything that [`forward`](crate::forward) computes is up to
/// date; sensors only if C or D is asked for. The first call for a model allocates, later ones do
/// not.
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
    let skip_sensor = out.c.is_none() && out.d.is_none();
    if !skip_sensor {
        check_sensors(m)?;
    }
    if m.opt.integrator == Integrator::Rk4 {
        return fill_stages(m, d, &mut out);
    }
    if is_hard(m) {
        return fill_hard(m, d, &mut out);
    }
    with_linear(m, d, skip_sensor, |m, d, work| fill(m, d, work, &mut out))
}

/// Fills the matrices.
fn fill(m: &Model, d: &Data, work: &mut StepWork, out: &mut Transition<'_>) {
    if out.c.is_some() || out.d.is_some() {
        work.fill_sensors(m, d, out);
    }
    let (nv, n) = (m.nv, 2 * m.nv + m.na);
    let Transition { a, b, .. } = out;
    for (matrix, ncol) in [(&mut *a, n), (&mut *b, m.nu)] {
        if let Some(matrix) = matrix.as_mut().filter(|_| work.parts() > 1) {
            matrix[nv * ncol..2 * nv * ncol].fill(0.0);
        }
    }
    work.for_panels(m, d, |inputs, dofs, x| {
        let states = inputs.len().min(n.saturating_sub(inputs.start));
        if let Some(a) = a {
            write_velocity(m, (a, n), inputs.start, (dofs, x), 0..states);
        }
        if let Some(b) = b {
            let first = inputs.start.saturating_sub(n);
            write_velocity(m, (b, m.nu), first, (dofs, x), states..inputs.len());
        }
    });
    let StepWork { actuators, vel, .. } = work;
    if let Some(a) = &mut out.a {
        for v in nv..2 * nv {
            a[v * n + v] += 1.0;
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

/// The rows of velocity in some columns from `first` on: h da of some lanes.
fn write_velocity(
    m: &Model,
    (matrix, ncol): (&mut [f64], usize),
    first: usize,
    (dofs, x): (&[u32], &[Row]),
    lanes: Range<usize>,
) {
    if lanes.is_empty() {
        return;
    }
    let h = m.opt.timestep;
    for &v in dofs {
        let v = v as usize;
        let row = &mut matrix[(m.nv + v) * ncol..(m.nv + v + 1) * ncol];
        let scaled = x[v].map(|x| h * x);
        match row[first..].first_chunk_mut() {
            Some(all) if lanes.len() == WIDTH => *all = scaled,
            _ => {
                let to = row[first..].iter_mut();
                to.zip(&scaled[lanes.clone()]).for_each(|(to, x)| *to = *x);
            }
        }
    }
}

/// The rows of position from the rows of velocity; `by_state` if the columns are the state's.
fn write_position(m: &Model, vel: &[f64], matrix: &mut [f64], ncol: usize, by_state: bool) {
    let (h, nv) = (m.opt.timestep, m.nv);
    let (pos, rest) = matrix.split_at_mut(nv * ncol);
    let row = |v: usize| v * ncol..(v + 1) * ncol;
    position_maps(m, vel, |map| match map {
        PositionMap::Straight(v) => {
            let rates = pos[row(v)].iter_mut().zip(&rest[row(v)]);
            rates.for_each(|(pos, vel)| *pos = h * vel);
            if by_state {
                pos[v * ncol + v] += 1.0;
            }
        }
        PositionMap::Turn(v, [back, jacobian]) => {
            let [x, y, z] = [0, 1, 2].map(|k| &rest[row(v + k)]);
            for i in 0..3 {
                let [a, b, c] = jacobian.0[i].map(|x| h * x);
                let rates = pos[row(v + i)].iter_mut().zip(x).zip(y).zip(z);
                rates.for_each(|(((pos, x), y), z)| *pos = a * x + b * y + c * z);
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
