//! Impulses of an island: the problem in its own units, and how much restitution it bears.

use sinew_cone::{Law, Options, SparseProblem, Status};
use sinew_model::coulomb::{CoulombStatus, FrictionLaw};
use sinew_model::{Data, Model};

use super::rows;
use super::work::Work;

/// Shares of the restitution that are tried in turn, until the impulses add no energy.
const SHARES: [f64; 4] = [1.0, 0.5, 0.25, 0.0];

/// Energy that counts as none, relative to the work of the impulses.
const ENERGY_ROUNDING: f64 = 1e-9;

/// Fills `impulse` and `after`.
pub(super) fn solve(m: &Model, d: &mut Data, work: &mut Work) -> CoulombStatus {
    let n = work.rows.len();
    for list in [&mut work.impulse, &mut work.after] {
        list.clear();
        list.resize(n, 0.0);
    }

    // less and less restitution, until the impulses add no energy
    let bounces = work.bounce.iter().any(|&x| x != 0.0);
    let mut status = CoulombStatus::Converged;
    let mut spent = 0;
    work.idle = false;
    for (k, share) in SHARES.into_iter().enumerate() {
        // nothing drives the rows: they keep their free velocity
        work.share = share;
        let Some(scale) = Scale::of(work, share) else {
            work.idle = true;
            for (after, demand) in work.after.iter_mut().zip(&work.demand) {
                *after = -demand;
            }
            break;
        };

        // all attempts share one budget of iterations
        work.solver.options = options(m);
        work.solver.options.max_iterations = m.coulomb.iterations.saturating_sub(spent);
        status = solve_scaled(d, work, &scale);
        spent += work.solver.solution().iterations;
        if status == CoulombStatus::Invalid {
            work.impulse.fill(0.0);
        }

        // accepted if no energy is gained, or if nothing bounces, or at the last attempt
        let (energy, size) = energy(work);
        let gains = energy > ENERGY_ROUNDING * size || status == CoulombStatus::IllPosed;
        if !(bounces && gains) || k + 1 == SHARES.len() {
            d.coulomb.energy += energy;
            d.coulomb.restitution_scale = d.coulomb.restitution_scale.min(share);
            break;
        }
    }
    status
}

/// Units in which impulses and velocities are of order one.
struct Scale {
    /// Of the matrix: an apparent mass.
    mass: f64,
    /// Of velocities.
    speed: f64,
}

impl Scale {
    /// The units of the problem with a share of the restitution; the right-hand side is left in
    /// `rhs`. `None` if it is zero or no row can move.
    fn of(work: &mut Work, share: f64) -> Option<Scale> {
        let mass = work.mass;
        work.rhs.clear();
        let parts = work.demand.iter().zip(&work.bias).zip(&work.bounce);
        work.rhs.extend(parts.map(|((demand, bias), bounce)| demand + bias + share * bounce));
        let speed = work.rhs.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let valid = speed > 0.0 && mass.is_finite() && mass > 0.0;
        // NaN goes on, and is refused by the solver
        (valid || work.rhs.iter().any(|x| x.is_nan())).then_some(Scale { mass, speed })
    }

    fn impulse(&self) -> f64 {
        self.mass * self.speed
    }
}

/// Solves the problem in its own units.
fn solve_scaled(d: &mut Data, work: &mut Work, scale: &Scale) -> CoulombStatus {
    let unit = scale.impulse();
    for b in &mut work.rhs {
        *b /= scale.speed;
    }
    for x in &mut work.warm {
        *x /= unit;
    }
    rows::scale_intervals(&mut work.cones, 1.0 / unit);
    let status = search(work);
    rows::scale_intervals(&mut work.cones, unit);
    for x in &mut work.warm {
        *x *= unit;
    }
    let Some(status) = status else { return CoulombStatus::Invalid };

    // back to the units of the model
    let solution = work.solver.solution();
    for (to, from) in work.impulse.iter_mut().zip(&solution.impulses) {
        *to = from * unit;
    }
    let velocity = solution.velocity.iter().zip(&work.rhs);
    for ((to, (g, b)), demand) in work.after.iter_mut().zip(velocity).zip(&work.demand) {
        *to = (g + b) * scale.speed - demand;
    }
    let certificate = &mut d.coulomb;
    certificate.residual = certificate.residual.max(solution.residual);
    certificate.residual_impulse = certificate.residual_impulse.max(solution.residual * unit);
    let velocity = solution.velocity_error * scale.speed;
    certificate.residual_velocity = certificate.residual_velocity.max(velocity);
    certificate.iterations += solution.iterations;
    certificate.convex_problems += solution.outer_iterations;
    match status {
        Status::Converged | Status::ConvergedRelative => CoulombStatus::Converged,
        Status::IllPosed => CoulombStatus::IllPosed,
        Status::NotConverged => CoulombStatus::NotConverged,
    }
}

/// How the search for the impulses ended; none if numbers are not finite.
fn search(work: &mut Work) -> Option<Status> {
    let Work { solver, half, image, rhs, cones, warm, .. } = work;
    let warm = warm.iter().any(|&x| x != 0.0).then_some(&warm[..]);
    let problem = SparseProblem::new(half, image.len(), rhs, cones).ok()?;
    solver.solve_sparse(&problem, warm).ok()?.status
}

fn options(m: &Model) -> Options {
    let law = match m.coulomb.law {
        FrictionLaw::Exact => Law::Coulomb,
        FrictionLaw::Convex => Law::Convex,
    };
    Options {
        tolerance: m.coulomb.tolerance,
        max_iterations: m.coulomb.iterations,
        law,
        ..Options::default()
    }
}

/// Change of kinetic energy by the impulses, ½ λᵀ (J v⁺ + J v), and the size of its terms.
///
/// The forces of a step act before its impulses, or after them: v is the velocity without impulses,
/// or q̇. A resting contact removes the velocity that forces have given it: there it is the former.
/// A bouncing contact reverses the velocity with which the step began, and its energy is measured
/// from there. With the other velocity it would gain energy at a ceiling, from which gravity pulls
/// away.
fn energy(work: &Work) -> (f64, f64) {
    let (mut sum, mut size) = (0.0, 0.0);
    for ((impulse, after), before) in work.impulse.iter().zip(&work.after).zip(&work.before) {
        sum += 0.5 * impulse * (after + before);
        size += 0.5 * impulse.abs() * (after.abs() + before.abs());
    }
    (sum, size)
}
