//! Zones of constraint rows, and the force and cost in each.
//!
//! An elliptic contact with the coordinates U = S jar, in which its cone is circular, has the
//! normal N = U₀ and the tangent T = |U₁..|. The contact is satisfied where N ≥ µ T, and quadratic
//! in every row where µ N + T ≤ 0. In between it slides, at the cost ½ d_m (N - µ T)². MuJoCo
//! `mj_constraintUpdate`.

use sinew_math::vector;
use sinew_model::Contact;
use sinew_model::enums::ConstraintState;

/// State, force and cost of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RowZone {
    pub(crate) state: ConstraintState,
    pub(crate) force: f64,
    pub(crate) cost: f64,
}

/// A dry-friction row at `x` = J q̈ - aref; its quadratic zone is as wide as `bound` = R `loss` on
/// either side.
#[inline(always)]
pub(crate) fn dry_friction(x: f64, d: f64, loss: f64, bound: f64) -> RowZone {
    if x <= -bound {
        let cost = -0.5 * bound * loss - loss * x;
        RowZone { state: ConstraintState::Linearneg, force: loss, cost }
    } else if x >= bound {
        let cost = -0.5 * bound * loss + loss * x;
        RowZone { state: ConstraintState::Linearpos, force: -loss, cost }
    } else {
        RowZone { state: ConstraintState::Quadratic, force: -d * x, cost: 0.5 * d * x * x }
    }
}

/// The cone of an elliptic contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EllipticCone {
    /// Number of rows.
    pub(crate) dim: usize,
    /// Friction of the regularised cone.
    pub(crate) mu: f64,
    /// S: `mu`, then the friction coefficients.
    pub(crate) scale: [f64; 6],
    /// d_m: D of the normal / (µ² (1 + µ²)).
    pub(crate) dm: f64,
}

/// The zone of a contact, and its cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactZone {
    pub(crate) state: ConstraintState,
    pub(crate) cost: f64,
    /// U
    pub(crate) u: [f64; 6],
    /// T
    pub(crate) tangent: f64,
}

impl EllipticCone {
    /// The cone of the first `dim` rows of a contact, at least one, with `d` of the normal.
    #[inline]
    pub(crate) fn new(con: &Contact, dim: usize, d: f64) -> EllipticCone {
        let mu = con.mu;
        let scale = core::array::from_fn(|j| if j == 0 { mu } else { con.friction[j - 1] });
        EllipticCone { dim, mu, scale, dm: d / (mu * mu * (1.0 + mu * mu)) }
    }

    /// Fills the forces of the rows at `jar`; `d` are their D.
    #[inline(always)]
    pub(crate) fn update(&self, d: &[f64], jar: &[f64], force: &mut [f64]) -> ContactZone {
        // to the space in which the cone is circular
        let &EllipticCone { dim, mu, scale, dm } = self;
        let mut u = [0.0; 6];
        for j in 0..dim {
            u[j] = jar[j] * scale[j];
        }
        let (normal, tangent) = (u[0], vector::norm(&u[1..dim]));

        // inside the dual cone: no force
        if normal >= mu * tangent || (tangent <= 0.0 && normal >= 0.0) {
            force.fill(0.0);
            return ContactZone { state: ConstraintState::Satisfied, cost: 0.0, u, tangent };
        }

        // inside the cone: every row is quadratic
        if mu * normal + tangent <= 0.0 || (tangent <= 0.0 && normal < 0.0) {
            let mut cost = 0.0;
            for j in 0..dim {
                force[j] = -d[j] * jar[j];
                cost -= 0.5 * force[j] * jar[j];
            }
            return ContactZone { state: ConstraintState::Quadratic, cost, u, tangent };
        }

        // between them: the friction opposes the sliding
        let gap = normal - mu * tangent;
        force[0] = -dm * gap * mu;
        let friction = -force[0] / tangent;
        for j in 1..dim {
            force[j] = friction * u[j] * scale[j];
        }
        let cost = 0.5 * dm * gap * gap;
        ContactZone { state: ConstraintState::Cone, cost, u, tangent }
    }

    /// Second derivative of the cost by the rows where the contact slides, at U, `dim` numbers to a
    /// row of `h`.
    pub(crate) fn hessian(&self, u: &[f64; 6], h: &mut [f64]) {
        let &EllipticCone { dim, mu, scale, dm } = self;
        let (normal, tangent) = (u[0], vector::norm(&u[1..dim]));

        // by U: (1, -µ/T U_t) above µN/T³ U_t U_tᵀ + (µ² - µN/T) I
        h[0] = 1.0;
        for j in 1..dim {
            h[j] = -mu / tangent * u[j];
        }
        let outer = mu * normal / (tangent * tangent * tangent);
        let diagonal = mu * mu - mu * normal / tangent;
        for k in 1..dim {
            for j in k..dim {
                h[k * dim + j] = outer * u[j] * u[k];
            }
            h[k * (dim + 1)] += diagonal;
        }

        // by the rows, then the other half
        for k in 0..dim {
            for j in k..dim {
                h[k * dim + j] *= dm * scale[k] * scale[j];
                h[j * dim + k] = h[k * dim + j];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cone(mu: f64, friction: [f64; 5], dim: usize, d: &[f64]) -> EllipticCone {
        EllipticCone::new(&Contact { mu, friction, ..Contact::default() }, dim, d[0])
    }

    fn evaluate(cone: &EllipticCone, jar: &[f64], d: &[f64]) -> (ContactZone, Vec<f64>) {
        let mut force = vec![f64::NAN; jar.len()];
        (cone.update(d, jar, &mut force), force)
    }

    /// The cost of an elliptic contact is once differentiable everywhere; -force is its gradient
    /// and the Hessian the derivative of that.
    #[test]
    fn cone_force_and_hessian_are_derivatives_of_the_cost() {
        let d = [3.0, 1.5, 1.2, 0.8, 0.7, 0.6];
        let cone = cone(0.9, [0.8, 0.7, 0.05, 0.02, 0.01], 6, &d);
        let at = [-0.5, 0.9, -1.1, 3.0, 2.0, -1.0];
        let (zone, force) = evaluate(&cone, &at, &d);
        assert_eq!(zone.state, ConstraintState::Cone);
        let mut h = [0.0; 36];
        cone.hessian(&zone.u, &mut h);
        let eps = 1e-6;
        for j in 0..6 {
            let (mut up, mut down) = (at, at);
            up[j] += eps;
            down[j] -= eps;
            let ((up, force_up), (down, force_down)) =
                (evaluate(&cone, &up, &d), evaluate(&cone, &down, &d));
            assert!((force[j] + (up.cost - down.cost) / (2.0 * eps)).abs() < 1e-8);
            for k in 0..6 {
                let slope = (force_up[k] - force_down[k]) / (2.0 * eps);
                assert!((h[k * 6 + j] + slope).abs() < 1e-8, "{k} {j}");
            }
        }
    }

    #[test]
    fn a_contact_has_three_zones() {
        let d = [3.0, 1.5, 1.5];
        let cone = cone(0.5, [0.5; 5], 3, &d);
        let state = |jar: [f64; 3]| evaluate(&cone, &jar, &d).0.state;
        assert_eq!(state([1.0, 0.1, 0.0]), ConstraintState::Satisfied);
        assert_eq!(state([-1.0, 0.1, 0.0]), ConstraintState::Quadratic);
        assert_eq!(state([-1.0, 9.0, 0.0]), ConstraintState::Cone);
        assert_eq!(state([0.0, 0.0, 0.0]), ConstraintState::Satisfied);
        assert_eq!(state([-1.0, 0.0, 0.0]), ConstraintState::Quadratic);
    }

    #[test]
    fn dry_friction_is_bounded() {
        let zone = |x| {
            let RowZone { state, force, cost } = dry_friction(x, 2.0, 2.0, 1.0);
            (state, force, cost)
        };
        assert_eq!(zone(-3.0), (ConstraintState::Linearneg, 2.0, 5.0));
        assert_eq!(zone(3.0), (ConstraintState::Linearpos, -2.0, 5.0));
        assert_eq!(zone(0.5), (ConstraintState::Quadratic, -1.0, 0.25));
    }
}
