//! Forces of rows, and their cost along a line of search.
// loads and stores without bounds checks, after the check at the top of each kernel
#![allow(unsafe_code)]

use super::{Kernel, LANES, Lane};

/// Forces of one-sided rows, their weights and a bit for each that pushes; returns their cost, how
/// many push, and how many have changed.
pub(in super::super) struct OneSidedForces<'a> {
    pub(in super::super) d: &'a [f64],
    pub(in super::super) jar: &'a [f64],
    pub(in super::super) force: &'a mut [f64],
    pub(in super::super) weight: &'a mut [f64],
    pub(in super::super) pushes: &'a mut [u8],
}

impl Kernel for OneSidedForces<'_> {
    type Output = (f64, usize, usize);

    #[inline(always)]
    fn run<L: Lane>(self) -> (f64, usize, usize) {
        let OneSidedForces { d, jar, force, weight, pushes } = self;
        let n = pushes.len() * LANES;
        assert!(d.len() == n && jar.len() == n && force.len() == n && weight.len() == n);
        let (mut cost, mut active, mut changed) = (L::splat(0.0), 0, 0);
        for (at, old) in (0..n).step_by(LANES).zip(pushes) {
            // SAFETY: there is a register from `at` in every slice.
            unsafe {
                let jar = L::load(jar.as_ptr().add(at));
                let w = L::load(d.as_ptr().add(at)).where_negative(jar);
                let f = L::splat(0.0).sub_mul(w, jar);
                w.store(weight.as_mut_ptr().add(at));
                f.store(force.as_mut_ptr().add(at));
                cost = cost.sub_mul(f, jar);
                let new = jar.negative();
                active += new.count_ones() as usize;
                changed += (new ^ *old).count_ones() as usize;
                *old = new;
            }
        }
        (0.5 * cost.sum(), active, changed)
    }
}

/// Sum of the quadratics of those one-sided rows that push at a step of `alpha`.
pub(in super::super) struct OneSidedQuads<'a> {
    pub(in super::super) jar: &'a [f64],
    pub(in super::super) jv: &'a [f64],
    pub(in super::super) quad: [&'a [f64]; 3],
    pub(in super::super) alpha: f64,
}

impl Kernel for OneSidedQuads<'_> {
    type Output = [f64; 3];

    #[inline(always)]
    fn run<L: Lane>(self) -> [f64; 3] {
        let OneSidedQuads { jar, jv, quad, alpha } = self;
        let n = jar.len();
        assert!(n.is_multiple_of(LANES) && jv.len() == n && quad.iter().all(|q| q.len() == n));
        let mut total = [L::splat(0.0); 3];
        let alpha = L::splat(alpha);
        for at in (0..n).step_by(LANES) {
            // SAFETY: there is a register from `at` in every slice.
            unsafe {
                let x = L::load(jar.as_ptr().add(at)).add_mul(alpha, L::load(jv.as_ptr().add(at)));
                for (total, quad) in total.iter_mut().zip(quad) {
                    *total = total.add(L::load(quad.as_ptr().add(at)).where_negative(x));
                }
            }
        }
        total.map(L::sum)
    }
}

/// The quadratics ½ d (jar + alpha jv)² of rows: coefficients of 1, alpha and alpha².
pub(in super::super) struct Quads<'a> {
    pub(in super::super) d: &'a [f64],
    pub(in super::super) jar: &'a [f64],
    pub(in super::super) jv: &'a [f64],
    pub(in super::super) quad: [&'a mut [f64]; 3],
}

impl Kernel for Quads<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let Quads { d, jar, jv, quad: [q0, q1, q2] } = self;
        let n = jar.len();
        assert!(n.is_multiple_of(LANES) && jv.len() == n && d.len() == n);
        assert!(q0.len() == n && q1.len() == n && q2.len() == n);
        let half = L::splat(0.5);
        for at in (0..n).step_by(LANES) {
            // SAFETY: there is a register from `at` in every slice.
            unsafe {
                let d = L::load(d.as_ptr().add(at));
                let (jar, jv) = (L::load(jar.as_ptr().add(at)), L::load(jv.as_ptr().add(at)));
                let dj = d.mul(jar);
                jar.mul(dj).mul(half).store(q0.as_mut_ptr().add(at));
                jv.mul(dj).store(q1.as_mut_ptr().add(at));
                jv.mul(d).mul(jv).mul(half).store(q2.as_mut_ptr().add(at));
            }
        }
    }
}

/// Elliptic contacts along a line of search, padded with contacts that are satisfied.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct ConeLines {
    /// The normal, scaled, is u0 + alpha v0.
    pub(in super::super) u0: Vec<f64>,
    pub(in super::super) v0: Vec<f64>,
    /// The square of the tangent, scaled, is uu + 2 alpha uv + alpha² vv.
    pub(in super::super) uu: Vec<f64>,
    pub(in super::super) uv: Vec<f64>,
    pub(in super::super) vv: Vec<f64>,
    pub(in super::super) mu: Vec<f64>,
    /// D of the normal / (µ² (1 + µ²)).
    pub(in super::super) dm: Vec<f64>,
    /// Coefficients of 1, alpha and alpha² where all rows are quadratic.
    pub(in super::super) quad: [Vec<f64>; 3],
}

/// Contacts at a step of `alpha`: the sum of the quadratics of those that are quadratic; cost,
/// slope and curvature of those that slide.
pub(in super::super) struct ConesAlong<'a> {
    pub(in super::super) lines: &'a ConeLines,
    pub(in super::super) alpha: f64,
}

impl Kernel for ConesAlong<'_> {
    type Output = [[f64; 3]; 2];

    #[inline(always)]
    fn run<L: Lane>(self) -> [[f64; 3]; 2] {
        let ConeLines { u0, v0, uu, uv, vv, mu, dm, quad } = self.lines;
        let n = u0.len();
        let all = [v0, uu, uv, vv, mu, dm, &quad[0], &quad[1], &quad[2]];
        assert!(n.is_multiple_of(LANES) && all.iter().all(|list| list.len() == n));
        let (zero, half) = (L::splat(0.0), L::splat(0.5));
        let alpha = L::splat(self.alpha);
        let mut quadratic = [zero; 3];
        let mut sliding = [zero; 3];
        for at in (0..n).step_by(LANES) {
            // SAFETY: there is a register from `at` in every list.
            let load = |list: &Vec<f64>| unsafe { L::load(list.as_ptr().add(at)) };
            let (v0, uv, vv, mu, dm) = (load(v0), load(uv), load(vv), load(mu), load(dm));
            let normal = load(u0).add_mul(alpha, v0);
            let rate = uv.add_mul(alpha, vv);
            let square = load(uu).add_mul(alpha, uv.add(rate));

            // without a tangent, the sign of the normal decides; a mask of at_least(zero, x) has
            // no ones where x is positive
            let bare = zero.at_least(square);
            let tangent = square.except(bare).sqrt();
            let satisfied = normal.at_least(mu.mul(tangent));
            let inside = zero.at_least(tangent.add_mul(mu, normal)).except(satisfied);
            for (sum, quad) in quadratic.iter_mut().zip(quad) {
                *sum = sum.add(load(quad).only(inside));
            }

            // ½ dm (N - µT)² and its derivatives
            let over = L::splat(1.0).div(tangent);
            let t1 = rate.mul(over);
            let t2 = vv.sub_mul(t1, t1).mul(over);
            let gap = normal.sub_mul(mu, tangent);
            let drift = v0.sub_mul(mu, t1);
            let scaled = dm.mul(gap);
            let bend = dm.mul(drift).mul(drift).sub_mul(scaled.mul(mu), t2);
            let terms = [scaled.mul(gap).mul(half), scaled.mul(drift), bend];
            for (sum, term) in sliding.iter_mut().zip(terms) {
                *sum = sum.add(term.except(satisfied).except(inside));
            }
        }
        [quadratic.map(L::sum), sliding.map(L::sum)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{LEVELS, near, random};
    use super::*;

    #[test]
    fn one_sided_rows_push_where_they_are_violated() {
        let (d, jar) = (vec![2.0; 8], vec![-1.0, 0.5, -0.5, 0.0, 3.0, -2.0, 0.1, 0.2]);
        for level in LEVELS {
            let (mut force, mut weight, mut pushes) = (vec![9.0; 8], vec![9.0; 8], vec![0, 0xf]);
            let (cost, active, changed) = OneSidedForces {
                d: &d,
                jar: &jar,
                force: &mut force,
                weight: &mut weight,
                pushes: &mut pushes,
            }
            .dispatch(level());
            near(cost, 1.0 + 0.25 + 4.0);
            assert_eq!((active, changed), (3, 2 + 3));
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
        for level in LEVELS {
            let at = |alpha| ConesAlong { lines: &lines, alpha }.dispatch(level())[1];
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
