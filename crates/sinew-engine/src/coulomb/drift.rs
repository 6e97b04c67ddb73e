//! Penetration and drift, taken out of the position after a step while the velocity stays.

use sinew_cone::{Cone, Options, SparseProblem, SparseRows};
use sinew_model::{Data, Model};

use super::matrix::{add_row, moves, solve_mass};
use super::traced::Goal;
use super::work::{DriftWork, Work};
use crate::sleep::for_bodies;
use crate::smooth::position::integrate_joints;

/// Violation of an equality that is left alone, m or rad.
const EQUALITY_SLOP: f64 = 1e-9;

/// Share of its usual inverse mass below which a row is left alone. There a small depth would need
/// a large motion, for example at a hinge whose own link overlaps its base.
const STUCK: f64 = 1e-3;

/// Contacts from which on a rough correction will do: a share of it is left for the next step
/// anyway.
const MANY: usize = 50;

/// Adds to `coulomb.shift` the smallest motion, measured by kinetic energy, that takes away a share
/// of the violations which the step leaves.
pub(super) fn correct(m: &Model, d: &mut Data, own: bool, work: &mut Work) {
    work.drift.unit = 0.0;
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
    let contacts = drift.cones.iter().all(|cone| *cone == Cone::HalfLine);
    let rough = contacts && drift.cones.len() > MANY;
    let (tolerance, regularization) = if rough { (1e-2, 1e-4) } else { (1e-6, 1e-8) };
    drift.solver.options = Options {
        tolerance,
        regularization,
        max_iterations: m.coulomb.iterations,
        ..Options::default()
    };
    if !drift.solve(half, mass / unit, image.len()) {
        return;
    }
    drift.unit = mass * length;
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
    let lone = bounces_alone(work);
    let Work { drift, rows, cones, demand, bounce, impulse, after, depth, diagonal, .. } = work;
    let (h, slop, share) = (m.opt.timestep, m.coulomb.slop, m.coulomb.correction);
    drift.rows.clear();
    drift.cones.clear();
    drift.rhs.clear();
    drift.goals.clear();
    let (mut first, mut any) = (0, false);
    for (cone, depth) in cones.iter().zip(&*depth) {
        let k = first;
        first += cone.dim();
        if !moves(d, rows[k], diagonal[k], STUCK) {
            continue;
        }
        let known = if *depth > 0.0 { -depth } else { d.efc_pos[rows[k]] };
        let left = known + h * after[k];
        let bounced = has_bounced(bounce[k], impulse[k], after[k]);
        let flight =
            if bounced { flight(h, d.efc_vel[rows[k]], -demand[k], after[k], known) } else { 0.0 };
        let (kind, wanted) = match cone {
            _ if flight > 0.0 => (Cone::HalfLine, flight),
            _ if flight < 0.0 && lone => (Cone::Free, flight),
            Cone::Interval { .. } => continue,
            Cone::Free => (Cone::Free, -share * left),
            // a contact above the slop may sink to it
            _ if left > -slop => (Cone::HalfLine, -(left + slop)),
            _ => (Cone::HalfLine, -share * (left + slop)),
        };
        any |= match kind {
            _ if flight != 0.0 => flight.abs() > EQUALITY_SLOP,
            Cone::Free => left.abs() > EQUALITY_SLOP,
            _ => left < -slop * (1.0 + 1e-6),
        };
        drift.goals.push(match kind {
            _ if flight != 0.0 && wanted == flight => Goal::Flight,
            Cone::HalfLine if left > -slop => Goal::Share(1.0),
            _ => Goal::Share(share),
        });
        drift.rows.push(k);
        drift.cones.push(kind);
        drift.rhs.push(wanted);
    }
    any && share > 0.0
}

fn has_bounced(bounce: f64, impulse: f64, after: f64) -> bool {
    bounce != 0.0 && impulse > 0.0 && after > 0.0
}

/// Whether nothing pushes but contacts that have bounced: these may be pulled back without anything
/// else being lifted.
fn bounces_alone(work: &Work) -> bool {
    let Work { cones, bounce, impulse, after, .. } = work;
    let mut first = 0;
    cones.iter().all(|cone| {
        let k = first;
        first += cone.dim();
        impulse[k] == 0.0 || has_bounced(bounce[k], impulse[k], after[k])
    })
}

/// The distance that moves a bounced contact to its place after a bounce at the time of touch.
///
/// In free flight with acceleration a, gap s and velocity u before each step, `(u + a h / 2)² - 2 a
/// s` is constant: twice the energy. The constant was W² when the contact touched, and is e² W²
/// afterwards if s is
///
/// ```text
/// e² s₀ + e (1 + e) |u₀| h / 2 + (1 - e²) a h² / 8
/// ```
///
/// for the gap s₀ and velocity u₀ with which the step began, and the velocity -e u₀ with which it
/// ends.
fn flight(h: f64, start: f64, free: f64, after: f64, gap: f64) -> f64 {
    let (speed, a) = (-start, (free - start) / h);
    let e = (after / speed).min(1.0);
    // deeper than this it was before it bounced
    let gap = gap.max(-h * speed);
    let end = e * e * gap + 0.5 * e * (1.0 + e) * speed * h + 0.125 * (1.0 - e * e) * a * h * h;
    end - (gap + h * e * speed)
}

/// The derivatives of `flight` by its arguments after the first.
pub(crate) fn flight_slopes(h: f64, start: f64, free: f64, after: f64, gap: f64) -> [f64; 4] {
    let speed = -start;
    let is_bound = after / speed >= 1.0;
    let e = if is_bound { 1.0 } else { after / speed };
    let is_deep = gap < -h * speed;
    let s = if is_deep { -h * speed } else { gap };
    let fall = free - start;

    // by e, then by the speed and the gap at a constant e
    let by_e = 2.0 * e * s + (0.5 + e) * speed * h - 0.25 * e * fall * h - h * speed;
    let by_gap = e * e - 1.0;
    let by_free = 0.125 * (1.0 - e * e) * h;
    let mut by_speed = 0.5 * e * (1.0 + e) * h - h * e + by_free;
    let mut by_after = 0.0;
    if !is_bound {
        by_speed -= by_e * e / speed;
        by_after = by_e / speed;
    }
    if is_deep {
        by_speed -= h * by_gap;
    }
    [-by_speed, by_free, by_after, if is_deep { 0.0 } else { by_gap }]
}

/// Moves the position by the correction, except for trees that have just fallen asleep.
pub(super) fn apply_shift(m: &Model, d: &mut Data) {
    if d.coulomb.shift.len() == m.nv {
        for_bodies(m, d, |d, run| {
            integrate_joints(m, &mut d.qpos, &d.coulomb.shift, 1.0, m.joint_range(run));
        });
    }
    d.coulomb.shift.clear();
}
