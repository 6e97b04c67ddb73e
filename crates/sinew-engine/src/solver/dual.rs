//! What the solvers in the space of the constraint rows share.
//!
//! They minimise ½ fᵀ A f + fᵀ b, one constraint after the other. The residual A f + b is kept up to
//! date for all rows: a force that does not change costs nothing, and one that does adds its row of A.
// registers of several numbers, in one loop
#![allow(unsafe_code)]

use core::ops::Range;

use sinew_math::{MINVAL, vector};
use sinew_model::enums::{ConstraintState, ConstraintType};
use sinew_model::options::SolverStat;
use sinew_model::{Data, Model};

use super::kernel::{Kernel, LANES};
use super::lane::{Lane, Level};
use super::qcqp::{self, Qcqp};
use crate::constraint::{inertia_row, mul_jac_t_vec};
use crate::smooth::inertia::solve_ld;
use crate::work::scratch;

/// A change of cost above this is a failure of rounding; the force is then left as it was.
pub(super) const COST_GROWTH: f64 = 1e-10;

/// Iterations whose statistics are kept (`mjNSOLVER`).
const NSOLVER: usize = 200;

/// Rows that are worked on together.
pub(super) const BLOCK: usize = 4;

/// Scratch of the solvers.
#[derive(Debug, Default)]
pub(super) struct DualWork {
    pub(super) runs: Runs,
    /// A f + b of each row.
    pub(super) residual: Vec<f64>,
    /// Contacts with elliptic cones.
    pub(super) cones: Vec<Cone>,
    /// Blocks of A for the cones, see `Cone::block`.
    pub(super) blocks: Vec<f64>,
    /// How the force of a row is found, for rows on their own.
    pub(super) rows: Vec<Simple>,
    /// Neighbouring rows on their own.
    pub(super) groups: Vec<Group>,
    /// Pairs of opposite edges of pyramids.
    pub(super) edges: Vec<Edges>,
}

/// Where the rows of A have numbers: stretches of columns.
#[derive(Debug, Default)]
pub(super) struct Runs {
    runs: Vec<Run>,
    rows: Vec<RunRow>,
}

/// Neighbouring columns.
#[derive(Clone, Copy, Debug)]
struct Run {
    column: u32,
    len: u32,
}

/// A row made of stretches, one after the other.
#[derive(Clone, Copy, Debug)]
struct RunRow {
    /// Its first number in `efc_AR`.
    start: usize,
    /// Its first stretch, and the first after it.
    runs: [u32; 2],
}

/// The number in row `r` and column `c` of A.
pub(super) fn entry(d: &Data, r: usize, c: usize) -> f64 {
    let (cols, row) = inertia_row(d, r);
    cols.binary_search(&(c as i32)).map_or(0.0, |k| row[k])
}

impl Runs {
    /// Finds the stretches of all rows.
    fn find(&mut self, d: &Data) {
        self.runs.clear();
        self.rows.clear();
        let mut last: &[i32] = &[];
        for r in 0..d.nefc {
            let cols = inertia_row(d, r).0;
            let start = d.efc_AR_rowadr.get(r).map_or(0, |&adr| adr.max(0) as usize);
            // rows of one constraint have the same columns
            let runs = match self.rows.last() {
                Some(row) if last == cols => row.runs,
                _ => {
                    let first = self.runs.len() as u32;
                    for run in cols.chunk_by(|a, b| a + 1 == *b) {
                        let (column, len) = (run[0] as u32, run.len() as u32);
                        // columns beyond the last row have no residual
                        if column as usize + run.len() <= d.nefc {
                            self.runs.push(Run { column, len });
                        }
                    }
                    [first, self.runs.len() as u32]
                }
            };
            last = cols;
            self.rows.push(RunRow { start, runs });
        }
    }
}

/// The matrix A, by its rows.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a> {
    pub(super) values: &'a [f64],
    pub(super) runs: &'a Runs,
}

impl Matrix<'_> {
    /// First number and stretches of a row.
    #[inline(always)]
    fn row(&self, r: usize) -> (usize, &[Run]) {
        let RunRow { start, runs: [first, end] } = self.runs.rows[r];
        (start, &self.runs.runs[first as usize..end as usize])
    }

    /// res += scale A(r, :)
    #[inline(always)]
    pub(super) fn add_row<L: Lane>(&self, r: usize, scale: f64, res: &mut [f64]) {
        self.add::<L, 1>([r], [scale], res);
    }

    /// Whether rows have the same stretches.
    pub(super) fn alike(&self, r: usize, o: usize) -> bool {
        self.runs.rows[r].runs == self.runs.rows[o].runs
    }

    /// Brings the residuals up to date after forces from `row` on have changed from `old`.
    #[inline(always)]
    pub(super) fn spread<L: Lane>(&self, row: usize, force: &[f64], old: &[f64], res: &mut [f64]) {
        let mut k = 0;
        while k < force.len() {
            // rows of one contact have the same stretches
            let end = (k + BLOCK).min(force.len());
            let alike = (k + 1..end).take_while(|&o| self.alike(row + k, row + o)).count() + 1;
            let mut delta = [0.0; BLOCK];
            for (i, delta) in delta.iter_mut().enumerate().take(alike) {
                *delta = force[k + i] - old[k + i];
            }
            self.add_rows::<L>(row + k, &delta[..alike], res);
            k += alike;
        }
    }

    /// res += Σ scale A(r, :) over rows with the same stretches, from `row` on; `BLOCK` at most.
    #[inline(always)]
    pub(super) fn add_rows<L: Lane>(&self, row: usize, scales: &[f64], res: &mut [f64]) {
        let mut rows = [0; BLOCK];
        let mut used = [0.0; BLOCK];
        let mut n = 0;
        for (k, &scale) in scales.iter().enumerate().take(BLOCK) {
            if scale != 0.0 {
                (rows[n], used[n]) = (row + k, scale);
                n += 1;
            }
        }
        let ([r0, r1, r2, r3], [s0, s1, s2, s3]) = (rows, used);
        match n {
            0 => {}
            1 => self.add::<L, 1>([r0], [s0], res),
            2 => self.add::<L, 2>([r0, r1], [s0, s1], res),
            3 => self.add::<L, 3>([r0, r1, r2], [s0, s1, s2], res),
            _ => self.add::<L, 4>([r0, r1, r2, r3], [s0, s1, s2, s3], res),
        }
    }

    #[inline(always)]
    fn add<L: Lane, const N: usize>(&self, rows: [usize; N], scales: [f64; N], res: &mut [f64]) {
        let mut starts = rows.map(|r| self.runs.rows[r].start);
        for run in self.row(rows[0]).1 {
            let len = run.len as usize;
            let values = starts.map(|start| &self.values[start..start + len]);
            add_scaled::<L, N>(&mut res[run.column as usize..][..len], values, scales);
            starts = starts.map(|start| start + len);
        }
    }
}

/// res += Σ scale row, one row after the other.
#[inline(always)]
fn add_scaled<L: Lane, const N: usize>(res: &mut [f64], rows: [&[f64]; N], scales: [f64; N]) {
    let lanes = scales.map(L::splat);
    let (res4, res_rest) = res.as_chunks_mut::<LANES>();
    let rows = rows.map(|row| row.as_chunks::<LANES>());
    for (i, x) in res4.iter_mut().enumerate() {
        // SAFETY: the arrays have the four numbers.
        unsafe {
            let mut sum = L::load(x.as_ptr());
            for k in 0..N {
                sum = sum.add_mul(L::load(rows[k].0[i].as_ptr()), lanes[k]);
            }
            sum.store(x.as_mut_ptr());
        }
    }
    for (i, x) in res_rest.iter_mut().enumerate() {
        for k in 0..N {
            *x += rows[k].1[i] * scales[k];
        }
    }
}

/// A row on its own: its force is the best one within bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simple {
    /// Of the number on the diagonal of A.
    pub(super) inv_diag: f64,
    /// The least and the greatest force.
    pub(super) bounds: [f64; 2],
}

impl Simple {
    /// The best force, where the residual is `res`.
    #[inline]
    pub(super) fn best(&self, force: f64, res: f64) -> f64 {
        let best = force - res * self.inv_diag;
        let [low, high] = self.bounds;
        if best < low {
            low
        } else if best > high {
            high
        } else {
            best
        }
    }
}

/// Neighbouring rows on their own whose rows of A have the same stretches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// The first row.
    pub(super) row: usize,
    /// How many rows.
    pub(super) n: usize,
    /// Their block of A.
    pub(super) a: [[f64; BLOCK]; BLOCK],
}

/// Two opposite edges of a pyramid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edges {
    /// The first edge; the second comes after it.
    pub(super) row: usize,
    /// Their block of A, without R.
    pub(super) a: [f64; 4],
}

/// The rows of a contact with an elliptic cone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    /// The first row, that of the normal.
    pub(super) row: usize,
    /// Number of rows.
    pub(super) dim: usize,
    /// Friction of the regularised cone.
    mu: f64,
    /// Friction of each direction.
    friction: [f64; 5],
    /// Where its numbers begin among the blocks: the block of A, in rows; then the block of the
    /// friction directions once more, scaled.
    adr: usize,
    /// Rows and columns of the block of A: all, or those of friction alone.
    size: usize,
}

impl Cone {
    /// Its block of A.
    #[inline]
    pub(super) fn block<'a>(&self, blocks: &'a [f64]) -> &'a [f64] {
        &blocks[self.adr..][..self.size * self.size]
    }

    /// The best friction force for a normal force. `b` is the linear part of the cost.
    #[inline]
    pub(super) fn best_friction(&self, blocks: &[f64], normal: f64, b: &[f64; 5]) -> [f64; 5] {
        let n = self.dim - 1;
        let a = &blocks[self.adr + self.size * self.size..][..n * n];
        let (mut friction, on_surface) = Qcqp { n, a, mu: &self.friction }.solve(b, normal);
        if !on_surface {
            return friction;
        }

        // the minimum is only near the surface: move it there
        let mut sum = 0.0;
        for (v, mu) in friction.iter().zip(&self.friction).take(n) {
            sum += v * v / (mu * mu);
        }
        let scale = (normal * normal / sum.max(MINVAL)).sqrt();
        for v in &mut friction[..n] {
            *v *= scale;
        }
        friction
    }

    /// The zone of the dual cone that a force is in; the names are those of the primal zones.
    fn state(&self, force: &[f64]) -> ConstraintState {
        let normal = force[0] / self.mu;
        let mut tangent = [0.0; 5];
        for (t, (f, mu)) in tangent.iter_mut().zip(force[1..].iter().zip(&self.friction)) {
            *t = f / mu;
        }
        let tangent = vector::norm(&tangent[..self.dim - 1]);
        if self.mu * normal >= tangent {
            ConstraintState::Satisfied
        } else if normal + self.mu * tangent <= 0.0 {
            ConstraintState::Quadratic
        } else {
            ConstraintState::Cone
        }
    }
}

/// The rows that are no part of a cone, and the cone that follows them.
pub(super) fn segments(
    cones: &[Cone],
    nefc: usize,
) -> impl Iterator<Item = (Range<usize>, Option<&Cone>)> {
    let mut row = 0;
    cones.iter().map(Some).chain([None]).map(move |cone| {
        let rows = row..cone.map_or(nefc, |cone| cone.row);
        row = cone.map_or(nefc, |cone| cone.row + cone.dim);
        (rows, cone)
    })
}

/// Which matrix a solver works with.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Softness {
    /// A + R, as `efc_AR` has it.
    Soft,
    /// A alone, for the friction rows of cones.
    Hard,
}

impl DualWork {
    /// Finds the rows of A, the cones and their blocks, the residuals and the states.
    ///
    /// Reads `efc_AR`, `efc_R`, `efc_b`, `efc_force`. Writes `efc_state`.
    pub(super) fn prepare(&mut self, d: &mut Data, softness: Softness) {
        self.runs.find(d);
        self.find_cones(d, softness);
        self.residual.clear();
        self.residual.extend_from_slice(&d.efc_b);
        let a = Matrix { values: d.efc_AR.flat(), runs: &self.runs };
        Residuals { a, force: &d.efc_force, res: &mut self.residual }.dispatch(Level::default());
        update_states(d, &self.cones);
    }

    fn find_cones(&mut self, d: &Data, softness: Softness) {
        self.cones.clear();
        self.blocks.clear();
        let mut row = (d.ne + d.nf).min(d.nefc);
        while row < d.nefc {
            let contact = d.contact.get(d.efc_id[row] as usize);
            let elliptic = d.efc_type[row] == ConstraintType::ContactElliptic;
            let Some(contact) = contact.filter(|_| elliptic) else {
                row += 1;
                continue;
            };
            // never more rows than there are
            let dim = (contact.dim.clamp(1, 6) as usize).min(d.nefc - row);
            let (first, size) = match softness {
                Softness::Soft => (row, dim),
                Softness::Hard => (row + 1, dim - 1),
            };
            let friction = contact.friction;
            let adr = self.blocks.len();
            self.cones.push(Cone { row, dim, mu: contact.mu, friction, adr, size });
            for i in first..first + size {
                self.blocks.extend((first..first + size).map(|j| match softness {
                    Softness::Soft => entry(d, i, j),
                    Softness::Hard => hard_entry(d, i, j),
                }));
            }
            let skip = size + 1 - dim;
            qcqp::scale(&mut self.blocks, &friction, dim - 1, |i, j| {
                adr + (i + skip) * size + j + skip
            });
            row += dim;
        }
    }
}

/// res += A f
struct Residuals<'a> {
    a: Matrix<'a>,
    force: &'a [f64],
    res: &'a mut [f64],
}

impl Kernel for Residuals<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        for (r, &force) in self.force.iter().enumerate() {
            if force != 0.0 {
                self.a.add_row::<L>(r, force, self.res);
            }
        }
    }
}

/// A number of A without R; on the diagonal not below a small one.
pub(super) fn hard_entry(d: &Data, r: usize, c: usize) -> f64 {
    let x = entry(d, r, c);
    if r == c { (x - d.efc_R[r]).max(1e-10) } else { x }
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
    for (k, row) in a.chunks_exact(n.max(1)).enumerate() {
        quadratic += delta[k] * vector::dot(row, delta);
    }
    let change = 0.5 * quadratic + vector::dot(delta, res);
    if change > COST_GROWTH {
        force.copy_from_slice(old);
        return 0.0;
    }
    change
}

/// One over the mass that makes improvements comparable between models.
pub(super) fn cost_scale(m: &Model) -> f64 {
    1.0 / (m.stat.meaninertia * m.nv.max(1) as f64)
}

/// Sets the states after a sweep and keeps its statistics, as long as there is room.
pub(super) fn end_sweep(d: &mut Data, cones: &[Cone], iter: usize, improvement: f64) {
    let (nactive, nchange) = update_states(d, cones);
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
fn update_states(d: &mut Data, cones: &[Cone]) -> (i32, i32) {
    let (mut active, mut changes) = (0, 0);
    let Data { efc_force, efc_frictionloss, efc_state, ne, nf, nefc, .. } = d;
    for (rows, cone) in segments(cones, *nefc) {
        for r in rows {
            let (force, bilateral) = (efc_force[r], r < *ne + *nf);
            let state = if bilateral {
                let loss = if r < *ne { f64::INFINITY } else { efc_frictionloss[r] };
                if force <= -loss {
                    ConstraintState::Linearpos
                } else if force >= loss {
                    ConstraintState::Linearneg
                } else {
                    ConstraintState::Quadratic
                }
            } else if force <= 0.0 {
                ConstraintState::Satisfied
            } else {
                ConstraintState::Quadratic
            };
            active += i32::from(bilateral || state != ConstraintState::Satisfied);
            changes += i32::from(efc_state[r] != state);
            efc_state[r] = state;
        }
        if let Some(cone) = cone {
            let state = cone.state(&efc_force.flat()[cone.row..cone.row + cone.dim]);
            active += if state == ConstraintState::Satisfied { 0 } else { cone.dim as i32 };
            for old in efc_state.iter_mut().skip(cone.row).take(cone.dim) {
                changes += i32::from(*old != state);
                *old = state;
            }
        }
    }
    (active, changes)
}

/// From row forces to forces and accelerations of the dofs.
///
/// Reads `efc_force`, `qacc_smooth`. Writes `qfrc_constraint`, `qacc`.
pub(super) fn finish(m: &Model, d: &mut Data) {
    let mut qfrc = scratch(d).take_dof(m.nv);
    mul_jac_t_vec(d, &mut qfrc, &d.efc_force);
    d.qfrc_constraint.copy_from_slice(&qfrc);
    scratch(d).dof = qfrc;
    d.qacc.copy_from_slice(&d.qfrc_constraint);
    solve_ld(m, &mut d.qacc, &d.qLD, &d.qLDiagInv);
    for (qacc, smooth) in d.qacc.iter_mut().zip(d.qacc_smooth.iter()) {
        *qacc += smooth;
    }
}
