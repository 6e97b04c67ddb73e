//! Where each row of a problem is, and its force: satisfied, quadratic, at a bound, or sliding.

use sinew_math::vector;
use sinew_model::enums::ConstraintState;

use super::kernel::{Kernel, OneSidedForces};
use super::problem::{Cone, Problem, Rows};

/// What an update found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Census {
    /// Cost of the rows.
    pub(super) cost: f64,
    /// Rows that are not satisfied.
    pub(super) active: usize,
    /// Rows that have moved to another zone.
    pub(super) changed: usize,
    /// Rows that became quadratic or ceased to be so.
    pub(super) toggled: usize,
    /// Rows of contacts that slide.
    pub(super) sliding: usize,
}

impl Problem {
    /// Forces and zones of all rows at `jar`.
    pub(super) fn update(&mut self) {
        let mut census = Census::default();
        let rows = &mut self.rows;
        rows.equalities(&mut census);
        rows.dry_friction(&mut census);

        // one-sided rows push where jar < 0
        let range = rows.one_sided.start..rows.one_sided.start + 4 * rows.pushes.len();
        let (cost, active, changed) = OneSidedForces {
            d: &rows.d[range.clone()],
            jar: &rows.jar[range.clone()],
            force: &mut rows.force[range.clone()],
            weight: &mut rows.weight[range],
            pushes: &mut rows.pushes,
        }
        .dispatch(self.level);
        census.cost += cost;
        census.active += active;
        census.changed += changed;
        census.toggled += changed;

        rows.contacts(&mut census);
        self.census = census;
    }
}

impl Rows {
    /// The state of the row at each position.
    pub(super) fn states(&self) -> impl Iterator<Item = (usize, ConstraintState)> + '_ {
        let one_sided = self.one_sided.clone().enumerate().map(|(k, i)| {
            let pushes = self.pushes[k / 4] >> (k % 4) & 1 != 0;
            (i, if pushes { ConstraintState::Quadratic } else { ConstraintState::Satisfied })
        });
        let conic = self
            .cones
            .iter()
            .flat_map(|cone| (cone.row..cone.row + cone.dim).map(move |i| (i, cone.state)));
        let friction = self.friction.clone().zip(self.friction_state.iter().copied());
        let equality = self.equality.clone().map(|i| (i, ConstraintState::Quadratic));
        equality.chain(friction).chain(one_sided).chain(conic)
    }

    fn equalities(&mut self, census: &mut Census) {
        let range = self.equality.clone();
        let jar = &self.jar[range.clone()];
        let (d, force) = (&self.d[range.clone()], &mut self.force[range.clone()]);
        for ((force, d), jar) in force.iter_mut().zip(d).zip(jar) {
            *force = -d * jar;
        }
        census.cost -= 0.5 * vector::dot(force, jar);
        self.weight[range.clone()].copy_from_slice(d);
        census.active += range.len();
    }

    fn dry_friction(&mut self, census: &mut Census) {
        for (i, old) in self.friction.clone().zip(&mut self.friction_state) {
            let (x, d, loss, bound) = (self.jar[i], self.d[i], self.frictionloss[i], self.bound[i]);
            let (state, force, cost) = if x <= -bound {
                (ConstraintState::Linearneg, loss, -loss * (0.5 * bound + x))
            } else if x >= bound {
                (ConstraintState::Linearpos, -loss, -loss * (0.5 * bound - x))
            } else {
                (ConstraintState::Quadratic, -d * x, 0.5 * d * x * x)
            };
            let quadratic = state == ConstraintState::Quadratic;
            self.force[i] = force;
            self.weight[i] = if quadratic { d } else { 0.0 };
            census.cost += cost;
            census.changed += usize::from(state != *old);
            census.toggled += usize::from(quadratic != (*old == ConstraintState::Quadratic));
            *old = state;
        }
        census.active += self.friction.len();
    }

    fn contacts(&mut self, census: &mut Census) {
        let Rows { cones, d, jar, force, weight, .. } = self;
        for cone in cones {
            let rows = cone.row..cone.row + cone.dim;
            let old = cone.state;
            let (d, weight) = (&d[rows.clone()], &mut weight[rows.clone()]);
            census.cost += cone.update(d, &jar[rows.clone()], &mut force[rows]);
            let quadratic = cone.state == ConstraintState::Quadratic;
            if quadratic {
                weight.copy_from_slice(d);
            } else {
                weight.fill(0.0);
            }
            let toggled = quadratic != (old == ConstraintState::Quadratic);
            census.active += cone.dim * usize::from(cone.state != ConstraintState::Satisfied);
            census.changed += cone.dim * usize::from(cone.state != old);
            census.toggled += cone.dim * usize::from(toggled);
            census.sliding += cone.dim * usize::from(cone.state == ConstraintState::Cone);
        }
    }
}

impl Cone {
    /// Sets the state and the forces; returns the cost. Formulas: see `update`.
    fn update(&mut self, d: &[f64], jar: &[f64], force: &mut [f64]) -> f64 {
        let dim = self.dim;
        let mut u = [0.0; 6];
        for j in 0..dim {
            u[j] = jar[j] * self.scale[j];
        }
        let mu = self.mu;
        let (normal, tangent) = (u[0], vector::norm(&u[1..dim]));
        if normal >= mu * tangent || (tangent <= 0.0 && normal >= 0.0) {
            force.fill(0.0);
            self.state = ConstraintState::Satisfied;
            return 0.0;
        }
        if mu * normal + tangent <= 0.0 || (tangent <= 0.0 && normal < 0.0) {
            let mut cost = 0.0;
            for j in 0..dim {
                force[j] = -d[j] * jar[j];
                cost -= 0.5 * force[j] * jar[j];
            }
            self.state = ConstraintState::Quadratic;
            return cost;
        }
        let gap = normal - mu * tangent;
        force[0] = -self.dm * gap * mu;
        let slide = -force[0] / tangent;
        for j in 1..dim {
            force[j] = slide * u[j] * self.scale[j];
        }
        self.state = ConstraintState::Cone;
        self.slid = true;
        for j in 1..dim {
            self.slide[j] = u[j] / tangent;
        }
        self.across = mu * mu - mu * normal / tangent;
        0.5 * self.dm * gap * gap
    }

    /// Second derivative of the cost by the rows, when it last slid, `dim` numbers to a row:
    /// dm S (e eᵀ + c P) S with e = (1, -µ t), P = I - t tᵀ across the direction t of sliding.
    pub(super) fn hessian(&self, out: &mut [f64]) {
        let &Cone { dim, mu, dm, scale, slide, across, .. } = self;
        let e = |j: usize| if j == 0 { 1.0 } else { -mu * slide[j] };
        for k in 0..dim {
            for j in 0..dim {
                let on = if k == j && k > 0 { 1.0 } else { 0.0 };
                let within = e(k) * e(j) + across * (on - slide[k] * slide[j]);
                out[k * dim + j] = dm * scale[k] * scale[j] * within;
            }
        }
    }
}
