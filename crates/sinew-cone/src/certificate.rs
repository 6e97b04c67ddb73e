//! The quality of a solution: its residual in the units of the problem, and the state of each cone.

use crate::cone::{Cone, with_rows};
use crate::frame::WIDEST;
use crate::solution::{Solution, State};
use crate::tuning::{MOVING, USUAL};

/// `½ λᵀ A λ - bᵀ λ` of a solution whose velocity is known: `½ λᵀ (g - b)`.
pub(crate) fn objective(b: &[f64], solution: &Solution) -> f64 {
    let rows = solution.impulses.iter().zip(&solution.velocity).zip(b);
    0.5 * rows.map(|((x, g), b)| x * (g - b)).sum::<f64>()
}

/// Units of a problem's impulses and velocities.
#[derive(Clone, Debug)]
pub(crate) struct Units {
    /// Largest entry of `b`; one if that is zero.
    pub(crate) speed: f64,
    /// One over the mean of the diagonal of `A`, of its entries that are not zero: an apparent
    /// mass. One if that is within a thousandfold of it.
    pub(crate) step: f64,
    diagonal: Vec<f64>,
}

impl Default for Units {
    fn default() -> Units {
        Units { speed: 1.0, step: 1.0, diagonal: Vec::new() }
    }
}

impl Units {
    /// Takes over a problem.
    pub(crate) fn set(&mut self, b: &[f64], diagonal: impl Fn(usize) -> f64) {
        self.diagonal.clear();
        self.diagonal.extend((0..b.len()).map(diagonal));
        let count = self.diagonal.iter().filter(|a| **a > 0.0).count();
        let step = count as f64 / self.diagonal.iter().sum::<f64>();
        let speed = b.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        // squares of smaller and larger ones are no numbers
        let usable = |x: f64| if (1e-100..1e100).contains(&x) { x } else { 1.0 };
        (self.step, self.speed) = (rounded(usable(step)), usable(speed));
    }

    /// The impulse that the largest entry of `b` takes; one if it is within a thousandfold of that.
    pub(crate) fn impulse(&self) -> f64 {
        rounded(self.speed * self.step)
    }
}

/// One where a number is not far from it: problems in usual units are measured as they are.
fn rounded(x: f64) -> f64 {
    if (1.0 / USUAL..USUAL).contains(&x) { 1.0 } else { x }
}

/// How far a solution is from the law.
pub(crate) struct Residual {
    /// With the same step for all contacts, an impulse.
    pub(crate) impulse: f64,
    /// The largest of a contact, each with a step of its own, as a velocity of that contact.
    pub(crate) velocity: f64,
}

impl Residual {
    /// Of a solution whose velocity is known. With `coulomb` the normal velocity of a sliding
    /// contact is corrected first.
    pub(crate) fn of(cones: &[Cone], of: &Solution, units: &Units, coulomb: bool) -> Residual {
        let (mut sum, mut velocity) = (0.0, 0.0_f64);
        for (cone, rows) in with_rows(cones) {
            let (impulse, g) = (&of.impulses[rows.clone()], &of.velocity[rows.clone()]);
            let slip = if coulomb { slip(cone, g) } else { 0.0 };
            sum += square(cone, impulse, g, slip, units.step);

            // a row that nothing can move has no velocity
            let own = units.diagonal[rows].iter().fold(0.0, |a: f64, b| a.max(*b));
            if own > 0.0 {
                velocity = velocity.max(square(cone, impulse, g, slip, 1.0 / own).sqrt() * own);
            }
        }
        Residual { impulse: sum.sqrt(), velocity }
    }
}

/// Square of the distance between an impulse and the projection of a step against the velocity.
fn square(cone: &Cone, impulse: &[f64], g: &[f64], slip: f64, step: f64) -> f64 {
    let (dim, mut moved) = (cone.dim(), [0.0; WIDEST]);
    for k in 0..dim {
        moved[k] = impulse[k] - step * g[k];
    }
    moved[0] -= step * slip;
    cone.project(&mut moved[..dim]);
    impulse.iter().zip(&moved).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Sliding speed of a contact weighted by its friction, `sqrt(Σ (mu_j g_j)²)`.
pub(crate) fn slip(cone: &Cone, g: &[f64]) -> f64 {
    cone.friction().iter().zip(&g[1..]).map(|(mu, g)| (mu * g) * (mu * g)).sum::<f64>().sqrt()
}

/// State of one cone with velocity `g`; slower than `still` is at rest. Statically indeterminate
/// contacts may use up their friction without moving.
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
            let slides = moves && used.sqrt() >= (1.0 - MOVING) * impulse[0];
            if slides { State::Slide } else { State::Stick }
        }
    }
}
