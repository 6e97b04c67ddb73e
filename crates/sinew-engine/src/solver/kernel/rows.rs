//! Forces of rows, and their cost along a line of search.
//!
//! Slices are padded to whole registers with rows that do nothing.

use sinew_math::simd::{LANES, Lane, dispatch, lanes, lanes_mut};

dispatch! {
    /// Sets the forces of one-sided rows, their weights, and which of them push.
    pub(crate) fn one_sided_forces(rows: OneSidedRows<'_>) -> OneSidedCount
        = one_sided_forces_kernel::<Fused>;

    /// Sum of the quadratics of those one-sided rows that push at a step of `alpha`.
    pub(crate) fn one_sided_quads(rows: &OneSidedLines<'_>, alpha: f64) -> [f64; 3]
        = one_sided_quads_kernel::<Fused>;

    /// The quadratics ½ d (jar + alpha jv)² of rows: coefficients of 1, alpha and alpha².
    pub(crate) fn row_quads(d: &[f64], jar: &[f64], jv: &[f64], quad: [&mut [f64]; 3])
        = row_quads_kernel::<Fused>;

    /// Contacts at a step of `alpha`: the sum of the quadratics of those that are quadratic; cost,
    /// slope and curvature of those that slide.
    pub(crate) fn cones_along(lines: &ConeLines, alpha: f64) -> [[f64; 3]; 2]
        = cones_along_kernel::<Fused>;
}

/// One-sided rows: a row pushes where `jar` is negative.
pub(crate) struct OneSidedRows<'a> {
    pub(crate) d: &'a [f64],
    pub(crate) jar: &'a [f64],
    pub(crate) force: &'a mut [f64],
    /// D of the rows that push, else 0.
    pub(crate) weight: &'a mut [f64],
    /// A bit for each row that pushes, four to a byte.
    pub(crate) pushes: &'a mut [u8],
}

/// The result of an update of one-sided rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneSidedCount {
    pub(crate) cost: f64,
    /// Rows that push.
    pub(crate) active: usize,
    /// Rows that began to push or ceased to.
    pub(crate) changed: usize,
}

#[inline(always)]
fn one_sided_forces_kernel<L: Lane>(rows: OneSidedRows<'_>) -> OneSidedCount {
    let OneSidedRows { d, jar, force, weight, pushes } = rows;
    let n = pushes.len() * LANES;
    assert!(d.len() == n && jar.len() == n && force.len() == n && weight.len() == n);
    let zero = L::splat(0.0);
    let (mut cost, mut active, mut changed) = (zero, 0, 0);
    let inputs = lanes(d).iter().zip(lanes(jar));
    let outputs = lanes_mut(force).iter_mut().zip(lanes_mut(weight)).zip(pushes);
    for ((d, jar), ((force, weight), old)) in inputs.zip(outputs) {
        // force = -d jar where jar < 0
        let jar = L::load(jar);
        let negative = jar.less(zero);
        let w = L::load(d).and(negative);
        let f = zero.sub_mul(w, jar);
        w.store(weight);
        f.store(force);
        cost = cost.sub_mul(f, jar);

        // which rows push, and which did not before
        let new = negative.bits();
        active += ones(new);
        changed += ones(new ^ *old);
        *old = new;
    }
    OneSidedCount { cost: 0.5 * cost.sum(), active, changed }
}

/// How many of four bits are set; not every processor can count them.
#[inline(always)]
pub(super) fn ones(bits: u8) -> usize {
    const COUNTS: u64 = 0x4332_3221_3221_2110;
    (COUNTS >> (4 * (bits & 0xf)) & 0xf) as usize
}

/// One-sided rows along a line of search.
pub(crate) struct OneSidedLines<'a> {
    pub(crate) jar: &'a [f64],
    pub(crate) jv: &'a [f64],
    /// See `row_quads`.
    pub(crate) quad: [&'a [f64]; 3],
}

#[inline(always)]
fn one_sided_quads_kernel<L: Lane>(rows: &OneSidedLines<'_>, alpha: f64) -> [f64; 3] {
    let &OneSidedLines { jar, jv, quad } = rows;
    let n = jar.len();
    assert!(n.is_multiple_of(LANES) && jv.len() == n && quad.iter().all(|q| q.len() == n));
    let (jar, jv, quad) = (lanes(jar), lanes(jv), quad.map(lanes));
    let mut total = [L::splat(0.0); 3];
    let alpha = L::splat(alpha);
    for at in 0..jar.len() {
        let pushes = L::load(&jar[at]).add_mul(alpha, L::load(&jv[at])).less(L::splat(0.0));
        for (total, quad) in total.iter_mut().zip(quad) {
            *total = *total + L::load(&quad[at]).and(pushes);
        }
    }
    total.map(L::sum)
}

#[inline(always)]
fn row_quads_kernel<L: Lane>(d: &[f64], jar: &[f64], jv: &[f64], quad: [&mut [f64]; 3]) {
    let n = jar.len();
    assert!(n.is_multiple_of(LANES) && jv.len() == n && d.len() == n);
    let [q0, q1, q2] = quad.map(lanes_mut);
    let half = L::splat(0.5);
    let inputs = lanes(d).iter().zip(lanes(jar)).zip(lanes(jv));
    let outputs = q0.iter_mut().zip(q1).zip(q2);
    for (((d, jar), jv), ((q0, q1), q2)) in inputs.zip(outputs) {
        let (d, jar, jv) = (L::load(d), L::load(jar), L::load(jv));
        let dj = d * jar;
        (jar * dj * half).store(q0);
        (jv * dj).store(q1);
        (jv * d * jv * half).store(q2);
    }
}

/// Elliptic contacts along a line of search, padded with contacts that are satisfied.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConeLines {
    /// The normal, scaled, is u0 + alpha v0.
    pub(crate) u0: Vec<f64>,
    pub(crate) v0: Vec<f64>,
    /// The square of the tangent, scaled, is uu + 2 alpha uv + alpha² vv.
    pub(crate) uu: Vec<f64>,
    pub(crate) uv: Vec<f64>,
    pub(crate) vv: Vec<f64>,
    pub(crate) mu: Vec<f64>,
    /// D of the normal / (µ² (1 + µ²)).
    pub(crate) dm: Vec<f64>,
    /// Coefficients of 1, alpha and alpha² where all rows are quadratic.
    pub(crate) quad: [Vec<f64>; 3],
}

impl ConeLines {
    /// Space for `n` contacts, all satisfied.
    pub(crate) fn resize(&mut self, n: usize) {
        let ConeLines { u0, v0, uu, uv, vv, mu, dm, quad: [q0, q1, q2] } = self;
        for list in [u0, v0, uu, uv, vv, mu, dm, q0, q1, q2] {
            list.clear();
            list.resize(n, 0.0);
        }
    }
}

#[inline(always)]
fn cones_along_kernel<L: Lane>(cone_lines: &ConeLines, alpha: f64) -> [[f64; 3]; 2] {
    let ConeLines { u0, v0, uu, uv, vv, mu, dm, quad } = cone_lines;
    let n = u0.len();
    let all = [v0, uu, uv, vv, mu, dm, &quad[0], &quad[1], &quad[2]];
    assert!(n.is_multiple_of(LANES) && all.iter().all(|list| list.len() == n));
    let (zero, half) = (L::splat(0.0), L::splat(0.5));
    let alpha = L::splat(alpha);
    let mut quadratic = [zero; 3];
    let mut sliding = [zero; 3];
    for at in 0..n / LANES {
        let load = |list: &Vec<f64>| L::load(&lanes(list)[at]);
        let (v0, uv, vv, mu, dm) = (load(v0), load(uv), load(vv), load(mu), load(dm));
        let normal = load(u0).add_mul(alpha, v0);
        let rate = uv.add_mul(alpha, vv);
        let square = load(uu).add_mul(alpha, uv + rate);

        // zones; without a tangent the sign of the normal decides, and zero.at_least(x) is unset
        // where x is positive
        let no_tangent = zero.at_least(square);
        let tangent = square.and_not(no_tangent).sqrt();
        let satisfied = normal.at_least(mu * tangent);
        let inside = zero.at_least(tangent.add_mul(mu, normal)).and_not(satisfied);
        for (sum, quad) in quadratic.iter_mut().zip(quad) {
            *sum = *sum + load(quad).and(inside);
        }

        // ½ dm (N - µT)² and its derivatives
        let over = L::splat(1.0) / tangent;
        let t1 = rate * over;
        let t2 = vv.sub_mul(t1, t1) * over;
        let gap = normal.sub_mul(mu, tangent);
        let gap_rate = v0.sub_mul(mu, t1);
        let scaled = dm * gap;
        let curvature = (dm * gap_rate * gap_rate).sub_mul(scaled * mu, t2);
        let terms = [scaled * gap * half, scaled * gap_rate, curvature];
        for (sum, term) in sliding.iter_mut().zip(terms) {
            *sum = *sum + term.and_not(satisfied).and_not(inside);
        }
    }
    [quadratic.map(L::sum), sliding.map(L::sum)]
}

#[cfg(test)]
mod tests {
    use sinew_math::simd::Portable;

    use super::*;
    use crate::solver::tests::{near, random};

    #[test]
    fn one_sided_rows_push_where_they_are_violated() {
        let (d, jar) = (vec![2.0; 8], vec![-1.0, 0.5, -0.5, 0.0, 3.0, -2.0, 0.1, 0.2]);
        for portable in [true, false] {
            let (mut force, mut weight, mut pushes) = (vec![9.0; 8], vec![9.0; 8], vec![0, 0xf]);
            let rows = OneSidedRows {
                d: &d,
                jar: &jar,
                force: &mut force,
                weight: &mut weight,
                pushes: &mut pushes,
            };
            let count = if portable {
                one_sided_forces_kernel::<Portable>(rows)
            } else {
                one_sided_forces(rows)
            };
            near(count.cost, 1.0 + 0.25 + 4.0);
            assert_eq!((count.active, count.changed), (3, 2 + 3));
            assert_eq!(force, [2.0, 0.0, 1.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
            assert_eq!(weight, [2.0, 0.0, 2.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        }
    }

    /// Cost, slope and curvature of contacts along a line, against differences.
    #[test]
    fn contacts_along_a_line_have_consistent_derivatives() {
        let list = |seed| random(4, seed);
        let (us, vs, u0, v0) = (list(1), list(2), list(3), list(4));
        let lines = ConeLines {
            uu: us.iter().map(|u| u * u).collect(),
            uv: us.iter().zip(&vs).map(|(u, v)| u * v).collect(),
            vv: vs.iter().map(|v| v * v + 0.1).collect(),
            u0,
            v0,
            mu: vec![0.8; 4],
            dm: vec![2.0; 4],
            quad: [vec![0.0; 4], vec![0.0; 4], vec![0.0; 4]],
        };
        for along in [cones_along_kernel::<Portable>, cones_along] {
            let at = |alpha| along(&lines, alpha)[1];
            let mut sliding = 0;
            for k in 0..20 {
                let (alpha, eps) = (0.1 * f64::from(k), 1e-6);
                let ([_, slope, bend], [up, su, _], [down, sd, _]) =
                    (at(alpha), at(alpha + eps), at(alpha - eps));
                if slope == 0.0 {
                    continue;
                }
                sliding += 1;
                // quadratic zones cost nothing here, so a contact that enters one is a jump
                if ((up - down) / (2.0 * eps) - slope).abs() < 1e-3 {
                    assert!(((up - down) / (2.0 * eps) - slope).abs() < 1e-6);
                    assert!(((su - sd) / (2.0 * eps) - bend).abs() < 1e-6);
                }
            }
            assert!(sliding > 5);
        }
    }
}
