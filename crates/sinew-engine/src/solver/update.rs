//! Forces, states and cost of constraint rows at a given acceleration.

use sinew_math::vector;
use sinew_model::enums::{ConstraintState, ConstraintType};
use sinew_model::{Contact, Data, Model};

use crate::constraint::mul_jac_t_vec;
use crate::work::scratch;

/// Forces and states of the constraint rows at `jar` = J q̈ - aref, and what they cost.
///
/// Reads the constraint rows. Writes `efc_force`, `efc_state`, `qfrc_constraint`, and `H` of the
/// contacts that slide if `with_cone_hessian`.
#[doc(alias = "mj_constraintUpdate")]
pub fn constraint_update(
    _m: &Model,
    d: &mut Data,
    jar: &[f64],
    cost: Option<&mut f64>,
    with_cone_hessian: bool,
) {
    let Data { efc_force, efc_state, contact, .. } = d;
    let rows = RowsView {
        ne: d.ne,
        nf: d.nf,
        kind: &d.efc_type,
        id: &d.efc_id,
        d: &d.efc_D,
        r: &d.efc_R,
        frictionloss: &d.efc_frictionloss,
    };
    let total = update_rows(&rows, jar, contact, efc_state, efc_force, with_cone_hessian);
    if let Some(cost) = cost {
        *cost = total;
    }
    let nv = d.qfrc_constraint.len();
    let mut qfrc = scratch(d).take_dof(nv);
    mul_jac_t_vec(d, &mut qfrc, &d.efc_force);
    if d.nefc > 0 {
        d.qfrc_constraint.copy_from_slice(&qfrc);
    }
    scratch(d).dof = qfrc;
}

/// The rows as far as forces depend on them: equalities first, then dry friction.
struct RowsView<'a> {
    ne: usize,
    nf: usize,
    kind: &'a [ConstraintType],
    id: &'a [i32],
    d: &'a [f64],
    r: &'a [f64],
    frictionloss: &'a [f64],
}

/// Fills `state` and `force`; returns the cost.
fn update_rows(
    rows: &RowsView<'_>,
    jar: &[f64],
    contact: &mut [Contact],
    state: &mut [ConstraintState],
    force: &mut [f64],
    with_cone_hessian: bool,
) -> f64 {
    let mut cost = 0.0;
    let n = jar.len().min(rows.kind.len()).min(state.len());
    let mut i = 0;
    while i < n {
        let (d, x) = (rows.d[i], jar[i]);
        let quadratic = (ConstraintState::Quadratic, -d * x, 0.5 * d * x * x);
        let (s, f, c) = if i < rows.ne {
            quadratic
        } else if i < rows.ne + rows.nf {
            friction_row(x, rows.r[i], rows.frictionloss[i]).unwrap_or(quadratic)
        } else if rows.kind[i] != ConstraintType::ContactElliptic {
            if x >= 0.0 { (ConstraintState::Satisfied, 0.0, 0.0) } else { quadratic }
        } else if let Some(con) = usize::try_from(rows.id[i]).ok().and_then(|c| contact.get_mut(c))
        {
            let dim = (con.dim.clamp(1, 6) as usize).min(n - i);
            let (jar, d) = (&jar[i..i + dim], &rows.d[i..i + dim]);
            let (s, c) = cone(con, jar, d, &mut force[i..i + dim], with_cone_hessian);
            state[i..i + dim].fill(s);
            cost += c;
            i += dim;
            continue;
        } else {
            (ConstraintState::Satisfied, 0.0, 0.0)
        };
        (state[i], force[i]) = (s, f);
        cost += c;
        i += 1;
    }
    cost
}

/// State, force and cost of a dry-friction row outside its quadratic zone.
fn friction_row(x: f64, r: f64, loss: f64) -> Option<(ConstraintState, f64, f64)> {
    if x <= -r * loss {
        Some((ConstraintState::Linearneg, loss, -0.5 * r * loss * loss - loss * x))
    } else if x >= r * loss {
        Some((ConstraintState::Linearpos, -loss, -0.5 * r * loss * loss + loss * x))
    } else {
        None
    }
}

/// State and cost of an elliptic contact; fills the forces of its rows, and its `H` if asked for.
fn cone(
    con: &mut Contact,
    jar: &[f64],
    d: &[f64],
    force: &mut [f64],
    with_hessian: bool,
) -> (ConstraintState, f64) {
    // to the space in which the cone is circular
    let dim = jar.len();
    let mu = con.mu;
    let scale: [f64; 6] = core::array::from_fn(|j| if j == 0 { mu } else { con.friction[j - 1] });
    let mut u = [0.0; 6];
    for j in 0..dim {
        u[j] = jar[j] * scale[j];
    }
    let (normal, tangent) = (u[0], vector::norm(&u[1..dim]));

    // inside the dual cone: no force
    if normal >= mu * tangent || (tangent <= 0.0 && normal >= 0.0) {
        force.fill(0.0);
        return (ConstraintState::Satisfied, 0.0);
    }

    // inside the cone: every row is quadratic
    if mu * normal + tangent <= 0.0 || (tangent <= 0.0 && normal < 0.0) {
        let mut cost = 0.0;
        for j in 0..dim {
            force[j] = -d[j] * jar[j];
            cost += 0.5 * d[j] * jar[j] * jar[j];
        }
        return (ConstraintState::Quadratic, cost);
    }

    // between them: cost ½ d₀ / (µ² (1 + µ²)) (N - µ T)²
    let dm = d[0] / (mu * mu * (1.0 + mu * mu));
    let gap = normal - mu * tangent;
    force[0] = -dm * gap * mu;
    for j in 1..dim {
        force[j] = -force[0] / tangent * u[j] * scale[j];
    }
    if with_hessian {
        cone_hessian(con.H.as_flattened_mut(), &u[..dim], &scale, mu, dm);
    }
    (ConstraintState::Cone, 0.5 * dm * gap * gap)
}

/// Second derivative of a sliding contact's cost by its rows, `dim` numbers to a row.
fn cone_hessian(h: &mut [f64], u: &[f64], scale: &[f64; 6], mu: f64, dm: f64) {
    let dim = u.len();
    let (normal, tangent) = (u[0], vector::norm(&u[1..]));

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

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(dim: i32, mu: f64, friction: [f64; 5]) -> Contact {
        Contact { dim, mu, friction, ..Contact::default() }
    }

    fn evaluate(con: &mut Contact, jar: &[f64], d: &[f64]) -> (ConstraintState, f64, Vec<f64>) {
        let mut force = vec![f64::NAN; jar.len()];
        let (state, cost) = cone(con, jar, d, &mut force, true);
        (state, cost, force)
    }

    /// The cost of an elliptic contact is once differentiable everywhere; -force is its gradient
    /// and `H` the derivative of that.
    #[test]
    fn cone_force_and_hessian_are_derivatives_of_the_cost() {
        let d = [3.0, 1.5, 1.2, 0.8, 0.7, 0.6];
        let mut con = contact(6, 0.9, [0.8, 0.7, 0.05, 0.02, 0.01]);
        let at = [-0.5, 0.9, -1.1, 3.0, 2.0, -1.0];
        let (state, _, force) = evaluate(&mut con, &at, &d);
        assert_eq!(state, ConstraintState::Cone);
        let h = con.H;
        let eps = 1e-6;
        for j in 0..6 {
            let (mut up, mut down) = (at, at);
            up[j] += eps;
            down[j] -= eps;
            let (_, cost_up, force_up) = evaluate(&mut con, &up, &d);
            let (_, cost_down, force_down) = evaluate(&mut con, &down, &d);
            assert!((force[j] + (cost_up - cost_down) / (2.0 * eps)).abs() < 1e-8);
            for k in 0..6 {
                let slope = (force_up[k] - force_down[k]) / (2.0 * eps);
                assert!((h.as_flattened()[k * 6 + j] + slope).abs() < 1e-8, "{k} {j}");
            }
        }
    }

    #[test]
    fn a_contact_has_three_zones() {
        let d = [3.0, 1.5, 1.5];
        let mut con = contact(3, 0.5, [0.5; 5]);
        assert_eq!(evaluate(&mut con, &[1.0, 0.1, 0.0], &d).0, ConstraintState::Satisfied);
        assert_eq!(evaluate(&mut con, &[-1.0, 0.1, 0.0], &d).0, ConstraintState::Quadratic);
        assert_eq!(evaluate(&mut con, &[-1.0, 9.0, 0.0], &d).0, ConstraintState::Cone);
        assert_eq!(evaluate(&mut con, &[0.0, 0.0, 0.0], &d).0, ConstraintState::Satisfied);
        assert_eq!(evaluate(&mut con, &[-1.0, 0.0, 0.0], &d).0, ConstraintState::Quadratic);
    }

    #[test]
    fn dry_friction_is_bounded() {
        assert_eq!(friction_row(-3.0, 0.5, 2.0), Some((ConstraintState::Linearneg, 2.0, 5.0)));
        assert_eq!(friction_row(3.0, 0.5, 2.0), Some((ConstraintState::Linearpos, -2.0, 5.0)));
        assert_eq!(friction_row(0.5, 0.5, 2.0), None);
    }
}
