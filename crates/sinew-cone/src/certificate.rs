//! What a solution is worth: its residual in the units of the problem, and the state of each cone.

use crate::cone::Cone;
use crate::dense;
use crate::frame::WIDEST;
use crate::problem::Problem;
use crate::solution::{Solution, State};

/// Speed over the largest entry of `b` from which on a contact moves.
pub(crate) const MOVING: f64 = 1e-6;

/// Share of the friction limit from which on a contact counts as sliding.
const SURFACE: f64 = 1.0 - 1e-9;

/// `A λ - b`: the velocity of the rows after the impulses, less what `b` asks for.
pub(crate) fn velocity(problem: &Problem<'_>, impulses: &[f64], out: &mut [f64]) {
    dense::gradient(problem.a(), impulses, problem.b(), out);
}

/// `½ λᵀ A λ - bᵀ λ` of a solution whose velocity is known: `½ λᵀ (g - b)`.
pub(crate) fn objective(b: &[f64], solution: &Solution) -> f64 {
    let rows = solution.impulses.iter().zip(&solution.velocity).zip(b);
    0.5 * rows.map(|((x, g), b)| x * (g - b)).sum::<f64>()
}

/// The residual with velocity `g`, in the units of the problem. With `coulomb` the normal
/// velocity of a sliding contact is corrected first.
pub(crate) fn residual(cones: &[Cone], impulses: &[f64], g: &[f64], coulomb: bool) -> f64 {
    let (mut sum, mut first) = (0.0, 0);
    for cone in cones {
        let dim = cone.dim();
        let (impulse, g) = (&impulses[first..first + dim], &g[first..first + dim]);
        let mut moved = [0.0; WIDEST];
        for k in 0..dim {
            moved[k] = impulse[k] - g[k];
        }
        if coulomb {
            moved[0] -= slip(cone, g);
        }
        cone.project(&mut moved[..dim]);
        for (a, b) in impulse.iter().zip(&moved) {
            sum += (a - b) * (a - b);
        }
        first += dim;
    }
    sum.sqrt()
}

/// Sliding speed of a contact weighted by its friction, `sqrt(Σ (mu_j g_j)²)`.
pub(crate) fn slip(cone: &Cone, g: &[f64]) -> f64 {
    cone.friction().iter().zip(&g[1..]).map(|(mu, g)| (mu * g) * (mu * g)).sum::<f64>().sqrt()
}

/// State of one cone with velocity `g`; slower than `still` is at rest. Statically indeterminate contacts
/// may use up their friction without moving.
pub(crate) fn state(cone: &Cone, impulse: &[f64], g: &[f64], still: f64) -> State {
    match *cone {
        Cone::Free => State::Stick,
        Cone::Interval { lower, upper } if impulse[0] <= lower || impulse[0] >= upper => {
            State::Slide
        }
        Cone::Interval { .. } => State::Stick,
        _ if impulse[0] <= 0.0 => State::Separate,
        _ => {
            let friction = cone.friction();
            let used: f64 = friction
                .iter()
                .zip(&impulse[1..])
                .filter(|(mu, _)| **mu > 0.0)
                .map(|(mu, t)| (t / mu) * (t / mu))
                .sum();
            let moves = g[1..].iter().any(|g| g.abs() > still);
            let slides = moves && used.sqrt() >= SURFACE * impulse[0];
            if slides { State::Slide } else { State::Stick }
        }
    }
}
