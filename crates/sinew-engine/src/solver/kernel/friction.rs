//! Dry friction: forces of its rows, and their cost along a line of search.
//!
//! A row is quadratic within its bound on either side of zero, and costs a constant force beyond.
//! Slices are padded to whole registers with rows that do nothing.

use sinew_math::simd::{LANES, Lane, dispatch, lanes, lanes_mut};
use sinew_model::enums::ConstraintState;

use super::rows::ones;

dispatch! {
    /// Sets the forces of dry-friction rows, their weights and their zones.
    pub(crate) fn friction_forces(rows: FrictionRows<'_>) -> FrictionCount
        = friction_forces_kernel::<Fused>;

    /// Sum of the quadratics of dry-friction rows at a step of `alpha`: coefficients of 1, alpha
    /// and alpha².
    pub(crate) fn friction_quads(rows: &FrictionLines<'_>, alpha: f64) -> [f64; 3]
        = friction_quads_kernel::<Fused>;
}

/// Dry-friction rows.
pub(crate) struct FrictionRows<'a> {
    pub(crate) d: &'a [f64],
    pub(crate) jar: &'a [f64],
    pub(crate) loss: &'a [f64],
    /// Half the width of the quadratic zone.
    pub(crate) bound: &'a [f64],
    pub(crate) force: &'a mut [f64],
    /// D of the rows that are quadratic, else 0.
    pub(crate) weight: &'a mut [f64],
    pub(crate) zones: &'a mut [FrictionZones],
}

/// The zones of four rows, a bit for each; a row without one is quadratic.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrictionZones {
    /// Below the bound, where the force is the friction loss.
    negative: u8,
    /// Above it.
    positive: u8,
}

impl FrictionZones {
    /// The state of the row `k`.
    pub(crate) fn state(self, k: usize) -> ConstraintState {
        if self.negative >> k & 1 != 0 {
            ConstraintState::Linearneg
        } else if self.positive >> k & 1 != 0 {
            ConstraintState::Linearpos
        } else {
            ConstraintState::Quadratic
        }
    }
}

/// The result of an update of dry-friction rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrictionCount {
    pub(crate) cost: f64,
    /// Rows that have moved to another zone.
    pub(crate) changed: usize,
    /// Rows that became quadratic or ceased to be so.
    pub(crate) toggled: usize,
}

#[inline(always)]
fn friction_forces_kernel<L: Lane>(rows: FrictionRows<'_>) -> FrictionCount {
    let FrictionRows { d, jar, loss, bound, force, weight, zones } = rows;
    let n = zones.len() * LANES;
    assert!([d, jar, loss, bound].iter().all(|list| list.len() == n));
    assert!(force.len() == n && weight.len() == n);
    let (zero, half) = (L::splat(0.0), L::splat(0.5));
    let (mut cost, mut changed, mut toggled) = (zero, 0, 0);
    let inputs = lanes(d).iter().zip(lanes(jar)).zip(lanes(loss).iter().zip(lanes(bound)));
    let outputs = lanes_mut(force).iter_mut().zip(lanes_mut(weight)).zip(zones);
    for (((d, jar), (loss, bound)), ((force, weight), old)) in inputs.zip(outputs) {
        // the zones
        let (jar, bound, loss) = (L::load(jar), L::load(bound), L::load(loss));
        let negative = jar.at_most(zero - bound);
        let positive = bound.at_most(jar).and_not(negative);
        let near = jar.and_not(negative).and_not(positive);
        let w = L::load(d).and_not(negative).and_not(positive);
        let (below, above) = (loss.and(negative), loss.and(positive));

        // ½ d x² near zero, loss (|x| - ½ bound) beyond
        let f = zero.sub_mul(w, near);
        (f + below - above).store(force);
        w.store(weight);
        let linear = below + above;
        cost = cost.sub_mul(half * f, near);
        cost = cost.add_mul(linear, jar.abs()).sub_mul(half * bound, linear);

        // which rows moved
        let new = FrictionZones { negative: negative.bits(), positive: positive.bits() };
        let moved = (new.negative ^ old.negative) | (new.positive ^ old.positive);
        let flipped = (new.negative | new.positive) ^ (old.negative | old.positive);
        changed += ones(moved);
        toggled += ones(flipped);
        *old = new;
    }
    FrictionCount { cost: cost.sum(), changed, toggled }
}

/// Dry-friction rows along a line of search.
pub(crate) struct FrictionLines<'a> {
    pub(crate) jar: &'a [f64],
    pub(crate) jv: &'a [f64],
    pub(crate) loss: &'a [f64],
    pub(crate) bound: &'a [f64],
    /// See `row_quads`.
    pub(crate) quad: [&'a [f64]; 3],
}

#[inline(always)]
fn friction_quads_kernel<L: Lane>(rows: &FrictionLines<'_>, alpha: f64) -> [f64; 3] {
    let &FrictionLines { jar, jv, loss, bound, quad } = rows;
    let n = jar.len();
    assert!(n.is_multiple_of(LANES) && [jv, loss, bound].iter().all(|list| list.len() == n));
    assert!(quad.iter().all(|list| list.len() == n));
    let (zero, half, alpha) = (L::splat(0.0), L::splat(0.5), L::splat(alpha));
    let mut total = [zero; 3];
    for at in 0..n / LANES {
        let load = |list: &[f64]| L::load(&lanes(list)[at]);
        let (from, dir, bound) = (load(jar), load(jv), load(bound));
        let x = from.add_mul(alpha, dir);
        let negative = x.at_most(zero - bound);
        let near = x.less(bound).and_not(negative);
        for (total, quad) in total.iter_mut().zip(quad) {
            *total = *total + load(quad).and(near);
        }

        // loss (|x| - ½ bound), where |x| grows with x or falls
        let linear = load(loss).and_not(near);
        let start = negative.select(zero - from, from).sub_mul(half, bound);
        total[0] = total[0].add_mul(linear, start);
        total[1] = total[1].add_mul(linear, negative.select(zero - dir, dir));
    }
    total.map(L::sum)
}

#[cfg(test)]
mod tests {
    use sinew_math::simd::Portable;

    use super::*;
    use crate::solver::tests::{near, random};
    use crate::solver::zones::dry_friction;

    const N: usize = 8;

    #[test]
    fn forces_are_those_of_single_rows() {
        let (d, loss, bound) = (vec![2.0; N], vec![0.5; N], vec![0.25; N]);
        let jar = [-1.0, 0.1, -0.2, 0.25, 3.0, -0.25, 0.0, 0.24];
        for portable in [true, false] {
            let (mut force, mut weight) = (vec![9.0; N], vec![9.0; N]);
            let mut zones = [FrictionZones::default(); N / LANES];
            let rows = FrictionRows {
                d: &d,
                jar: &jar,
                loss: &loss,
                bound: &bound,
                force: &mut force,
                weight: &mut weight,
                zones: &mut zones,
            };
            let count = if portable {
                friction_forces_kernel::<Portable>(rows)
            } else {
                friction_forces(rows)
            };
            let rows = jar.map(|x| dry_friction(x, 2.0, 0.5, 0.25));
            near(count.cost, rows.iter().map(|row| row.cost).sum());
            assert_eq!((count.changed, count.toggled), (4, 4));
            for (k, row) in rows.iter().enumerate() {
                near(force[k], row.force);
                assert_eq!(zones[k / LANES].state(k % LANES), row.state);
                assert_eq!(weight[k] != 0.0, row.state == ConstraintState::Quadratic);
            }
        }
    }

    #[test]
    fn costs_along_a_line_are_those_of_single_rows() {
        let (jar, jv) = (random(N, 1), random(N, 2));
        let (d, loss, bound) = (2.0, [0.5; N], [0.25; N]);
        let mut quad = [[0.0; N]; 3];
        for k in 0..N {
            quad[0][k] = 0.5 * d * jar[k] * jar[k];
            quad[1][k] = d * jar[k] * jv[k];
            quad[2][k] = 0.5 * d * jv[k] * jv[k];
        }
        let quad = quad.each_ref().map(|list| &list[..]);
        let lines = FrictionLines { jar: &jar, jv: &jv, loss: &loss, bound: &bound, quad };
        for along in [friction_quads_kernel::<Portable>, friction_quads] {
            for step in 0..20 {
                let alpha = 0.3 * f64::from(step) - 2.0;
                let [q0, q1, q2] = along(&lines, alpha);
                let x = |k: usize| jar[k] + alpha * jv[k];
                let cost = (0..N).map(|k| dry_friction(x(k), d, 0.5, 0.25).cost).sum();
                near(q0 + alpha * (q1 + alpha * q2), cost);
            }
        }
    }
}
