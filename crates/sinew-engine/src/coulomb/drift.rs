//! Penetration and drift, taken out of the position after a step while the velocity stays.

use sinew_cone::{Cone, Options, Solver, SparseProblem, SparseRows};
use sinew_model::{Data, Model};

use super::matrix::{moves, solve_mass};
use super::{Work, add_row};
use crate::sleep::for_bodies;
use crate::smooth::position::integrate_joints;

/// Violation of an equality that is left alone, m or rad.
const EQUALITY_SLOP: f64 = 1e-9;

/// Share of its usual inverse mass below which a row is left alone: taking a small depth away would
/// take a large motion, as of a hinge whose own link overlaps what it is mounted on.
const STUCK: f64 = 1e-3;

/// Scratch of the correction.
#[derive(Default)]
pub(super) struct DriftWork {
    solver: Solver,
    /// Which of the rows at hand take part.
    rows: Vec<usize>,
    cones: Vec<Cone>,
    half: SparseRows,
    rhs: Vec<f64>,
}

/// Adds to `coulomb.shift` the smallest motion, measured by kinetic energy, that takes away a share of
/// the violations which the step leaves.
pub(super) fn correct(m: &Model, d: &mut Data, own: bool, work: &mut Work) {
    if !select(m, d, work) {
        return;
    }
    let Work { drift, rows, half, diagonal, image, .. } = work;
    let unit = work.mass;
    let sum: f64 = drift.rows.iter().map(|&k| diagonal[k]).sum();
    let (mass, length) =
        (drift.rows.len() as f64 / sum, drift.rhs.iter().fold(0.0_f64, |a, x| a.max(x.abs())));
    for x in &mut drift.rhs {
        *x /= length;
    }

    // rows that contradict each other share the error
    drift.solver.options = Options {
        tolerance: 1e-6,
        regularization: 1e-8,
        max_iterations: m.coulomb.iterations,
        ..Options::default()
    };
    if !drift.solve(half, mass / unit, image.len()) {
        return;
    }
    for (&k, push) in drift.rows.iter().zip(&drift.solver.solution().impulses) {
        add_row(d, rows[k], push * mass * length, image);
    }
    solve_mass(m, d, own, image);
    if image.iter().all(|x| x.is_finite()) {
        d.coulomb.shift.resize(m.nv, 0.0);
        for (to, x) in d.coulomb.shift.iter_mut().zip(&*image) {
            *to += x;
        }
    }
    image.fill(0.0);
}

impl DriftWork {
    /// Solves for the pushes, with a factor on A; false if there are none.
    fn solve(&mut self, half: &SparseRows, factor: f64, width: usize) -> bool {
        let root = factor.sqrt();
        self.half.clear();
        for &k in &self.rows {
            let (columns, values) = half.row(k);
            self.half.push(columns.iter().zip(values).map(|(&c, v)| (c, v * root)));
        }
        let problem = SparseProblem::new(&self.half, width, &self.rhs, &self.cones);
        problem.is_ok_and(|problem| self.solver.solve_sparse(&problem, None).is_ok())
    }
}

/// Finds the rows that take part and how far each has to move; false if none has to.
fn select(m: &Model, d: &Data, work: &mut Work) -> bool {
    let Work { drift, rows, cones, after, depth, diagonal, .. } = work;
    let (h, slop, share) = (m.opt.timestep, m.coulomb.slop, m.coulomb.correction);
    drift.rows.clear();
    drift.cones.clear();
    drift.rhs.clear();
    let (mut first, mut any) = (0, false);
    for (cone, depth) in cones.iter().zip(&*depth) {
        let k = first;
        first += cone.dim();
        if !moves(d, rows[k], diagonal[k], STUCK) {
            continue;
        }
        let known = if *depth > 0.0 { -depth } else { d.efc_pos[rows[k]] };
        let left = known + h * after[k];
        let (kind, wanted) = match cone {
            Cone::Interval { .. } => continue,
            Cone::Free => (Cone::Free, -share * left),
            // what lies above the slop may sink to it
            _ if left > -slop => (Cone::HalfLine, -(left + slop)),
            _ => (Cone::HalfLine, -share * (left + slop)),
        };
        any |= match kind {
            Cone::Free => left.abs() > EQUALITY_SLOP,
            _ => left < -slop * (1.0 + 1e-6),
        };
        drift.rows.push(k);
        drift.cones.push(kind);
        drift.rhs.push(wanted);
    }
    any && share > 0.0
}

/// Moves the position by what the correction asks for; not of what has just fallen asleep.
pub(crate) fn apply_shift(m: &Model, d: &mut Data) {
    if d.coulomb.shift.len() == m.nv {
        for_bodies(m, d, |d, run| {
            integrate_joints(m, &mut d.qpos, &d.coulomb.shift, 1.0, m.joint_range(run));
        });
    }
    d.coulomb.shift.clear();
}
