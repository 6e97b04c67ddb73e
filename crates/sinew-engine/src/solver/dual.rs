//! What the solvers in the space of the constraint rows share.
//!
//! They minimise ½ fᵀ A f + fᵀ b, one constraint after the other. The residual A f + b is kept up to
//! date for all rows: a force that does not change costs nothing, and one that does adds its row of A.

use sinew_math::vector;
use sinew_model::enums::{ConstraintState, ConstraintType};
use sinew_model::options::SolverStat;
use sinew_model::work::{MatrixWork, Run, RunRow};
use sinew_model::{Contact, Data, Model};

use crate::constraint::mul_jac_t_vec;
use crate::inertia::solve_ld;

/// A change of cost above this is a failure of rounding; the force is then left as it was.
pub(super) const COST_GROWTH: f64 = 1e-10;

/// Iterations whose statistics are kept (`mjNSOLVER`).
const NSOLVER: usize = 200;

/// Columns that are looked at together when a row of a full matrix is searched for zeros.
const CHUNK: usize = 8;

/// The rows of A: stretches of numbers that are not zero.
pub(super) struct Matrix<'a> {
    values: &'a [f64],
    runs: &'a [Run],
    rows: &'a [RunRow],
}

impl<'a> Matrix<'a> {
    /// Finds the stretches of all rows of `values`, which are the numbers of `efc_AR`.
    pub(super) fn new(m: &Model, d: &Data, values: &'a [f64], work: &'a mut MatrixWork) -> Self {
        let MatrixWork { runs, rows } = work;
        runs.clear();
        rows.clear();
        for r in 0..d.nefc {
            let first = runs.len();
            let start = if m.is_sparse() {
                let start = d.efc_AR_rowadr[r] as usize;
                let cols = d.efc_AR_colind.get(start..start + d.efc_AR_rownnz[r] as usize);
                sparse_runs(cols.unwrap_or_default(), runs);
                start
            } else {
                dense_runs(&values[r * d.nefc..(r + 1) * d.nefc], runs);
                r * d.nefc
            };

            // rows of one constraint have the same stretches: keep them once
            match rows.last() {
                Some(&RunRow { runs: last, .. }) if runs[last.0..last.1] == runs[first..] => {
                    runs.truncate(first);
                    rows.push(RunRow { start, runs: last });
                }
                _ => rows.push(RunRow { start, runs: (first, runs.len()) }),
            }
        }
        Matrix { values, runs, rows }
    }

    /// First number of a row among all, and its stretches.
    #[inline]
    fn row(&self, r: usize) -> (usize, &[Run]) {
        let RunRow { start, runs } = self.rows[r];
        (start, &self.runs[runs.0..runs.1])
    }

    /// res += scale A(r, :)
    #[inline]
    pub(super) fn add_row(&self, r: usize, scale: f64, res: &mut [f64]) {
        let (start, runs) = self.row(r);
        for run in runs {
            let from = start + run.place;
            vector::add_scaled(
                &mut res[run.column..run.column + run.len],
                &self.values[from..from + run.len],
                scale,
            );
        }
    }

    /// A(r, c); zero where the row has nothing.
    pub(super) fn get(&self, r: usize, c: usize) -> f64 {
        let (start, runs) = self.row(r);
        match runs.iter().find(|run| c < run.column + run.len) {
            Some(run) if c >= run.column => self.values[start + run.place + c - run.column],
            _ => 0.0,
        }
    }
}

fn sparse_runs(cols: &[i32], runs: &mut Vec<Run>) {
    let mut place = 0;
    for run in cols.chunk_by(|a, b| a + 1 == *b) {
        runs.push(Run { place, column: run[0] as usize, len: run.len() });
        place += run.len();
    }
}

fn dense_runs(row: &[f64], runs: &mut Vec<Run>) {
    let mut open: Option<Run> = None;
    for (i, chunk) in row.chunks(CHUNK).enumerate() {
        let column = i * CHUNK;
        let empty = chunk.iter().fold(true, |empty, &x| empty & (x == 0.0));
        match &mut open {
            Some(run) if !empty => run.len += chunk.len(),
            Some(_) => runs.extend(open.take()),
            None if !empty => open = Some(Run { place: column, column, len: chunk.len() }),
            None => {}
        }
    }
    runs.extend(open);
}

/// Rows of a contact with an elliptic cone: its contact and their number, never more than there are.
pub(super) fn cone(d: &Data, row: usize) -> Option<(&Contact, usize)> {
    if d.efc_type[row] != ConstraintType::ContactElliptic {
        return None;
    }
    let contact = d.contact.get(d.efc_id[row] as usize)?;
    Some((contact, (contact.dim.clamp(1, 6) as usize).min(d.nefc - row)))
}

/// The force nearest to `force` that dry friction can exert.
pub(super) fn clamp(force: f64, loss: f64) -> f64 {
    if force < -loss {
        -loss
    } else if force > loss {
        loss
    } else {
        force
    }
}

/// The change of cost from `old` to `force`, with the residual at `old`: ½ Δᵀ A Δ + Δᵀ res. Where it
/// grows, `force` becomes `old`. `a` has rows of the length of the force.
pub(super) fn cost_change(a: &[f64], force: &mut [f64], old: &[f64], res: &[f64]) -> f64 {
    let n = force.len();
    let mut delta = [0.0; 6];
    for k in 0..n {
        delta[k] = force[k] - old[k];
    }
    let delta = &delta[..n];
    let mut quadratic = 0.0;
    for (k, row) in a.chunks_exact(n).take(n).enumerate() {
        quadratic += delta[k] * vector::dot(row, delta);
    }
    let change = 0.5 * quadratic + vector::dot(delta, res);
    if change > COST_GROWTH {
        force.copy_from_slice(old);
        return 0.0;
    }
    change
}

/// Moves friction onto the surface of its cone, where the minimum is said to lie but is only near.
pub(super) fn onto_cone(friction: &mut [f64], normal: f64, mu: &[f64; 5]) {
    let mut sum = 0.0;
    for (v, mu) in friction.iter().zip(mu) {
        sum += v * v / (mu * mu);
    }
    let scale = (normal * normal / sum.max(sinew_math::MINVAL)).sqrt();
    for v in friction {
        *v *= scale;
    }
}

/// Residuals A f + b of all rows.
pub(super) fn residuals(a: &Matrix<'_>, d: &Data, res: &mut Vec<f64>) {
    res.clear();
    res.extend_from_slice(&d.efc_b);
    for r in 0..d.nefc {
        if d.efc_force[r] != 0.0 {
            a.add_row(r, d.efc_force[r], res);
        }
    }
}

/// One over the mass that makes improvements comparable between models.
pub(super) fn cost_scale(m: &Model) -> f64 {
    1.0 / (m.stat.meaninertia * m.nv.max(1) as f64)
}

/// Keeps the statistics of an iteration, as long as there is room.
pub(super) fn save_stats(
    d: &mut Data,
    iter: usize,
    improvement: f64,
    (nactive, nchange): (i32, i32),
) {
    if iter >= NSOLVER {
        return;
    }
    let stat = SolverStat {
        improvement,
        gradient: 0.0,
        lineslope: 0.0,
        nactive,
        nchange,
        neval: 0,
        nupdate: 0,
    };
    if d.solver.len() <= iter {
        d.solver.resize(iter + 1, stat);
    }
    d.solver[iter] = stat;
}

/// Sets `efc_state` from the forces; how many rows are active, and how many have changed.
pub(super) fn update_states(d: &mut Data) -> (i32, i32) {
    let (mut active, mut changes) = (0, 0);
    let mut row = 0;
    while row < d.nefc {
        let mut dim = 1;
        let force = d.efc_force[row];
        let state = if row < d.ne {
            active += 1;
            ConstraintState::Quadratic
        } else if row < d.ne + d.nf {
            active += 1;
            let loss = d.efc_frictionloss[row];
            if force <= -loss {
                ConstraintState::Linearpos
            } else if force >= loss {
                ConstraintState::Linearneg
            } else {
                ConstraintState::Quadratic
            }
        } else if let Some((contact, rows)) = cone(d, row) {
            dim = rows;
            let state = cone_state(contact, &d.efc_force.flat()[row..row + dim]);
            active += if state == ConstraintState::Satisfied { 0 } else { dim as i32 };
            state
        } else if force <= 0.0 {
            ConstraintState::Satisfied
        } else {
            active += 1;
            ConstraintState::Quadratic
        };
        for old in d.efc_state.iter_mut().skip(row).take(dim) {
            changes += i32::from(*old != state);
            *old = state;
        }
        row += dim;
    }
    (active, changes)
}

/// The zone of the dual cone that a force is in: the names are those of the primal zones.
fn cone_state(contact: &Contact, force: &[f64]) -> ConstraintState {
    let mu = contact.mu;
    let normal = force[0] / mu;
    let mut tangent = [0.0; 5];
    for (t, (f, friction)) in tangent.iter_mut().zip(force[1..].iter().zip(&contact.friction)) {
        *t = f / friction;
    }
    let tangent = vector::norm(&tangent[..force.len() - 1]);
    if mu * normal >= tangent {
        ConstraintState::Satisfied
    } else if normal + mu * tangent <= 0.0 {
        ConstraintState::Quadratic
    } else {
        ConstraintState::Cone
    }
}

/// From row forces to forces and accelerations of the dofs.
///
/// Reads `efc_force`, `qacc_smooth`. Writes `qfrc_constraint`, `qacc`.
pub(super) fn finish(m: &Model, d: &mut Data) {
    let mut qfrc = d.work.take_dof(m.nv);
    mul_jac_t_vec(d, &mut qfrc, &d.efc_force);
    d.qfrc_constraint.copy_from_slice(&qfrc);
    d.work.dof = qfrc;
    d.qacc.copy_from_slice(&d.qfrc_constraint);
    solve_ld(m, &mut d.qacc, &d.qLD, &d.qLDiagInv);
    for (qacc, smooth) in d.qacc.iter_mut().zip(d.qacc_smooth.iter()) {
        *qacc += smooth;
    }
}
