//! Exact line search: where the cost along a direction is least.
//!
//! The cost along a line is convex, once differentiable and piecewise smooth. Newton steps from one
//! side until the minimum is bracketed, then from both sides and the middle. MuJoCo `PrimalSearch`.

use sinew_math::simd::padded;
use sinew_math::{MINVAL, vector};

use super::problem::{Problem, sum};
use super::rows::Rows;
use crate::solver::kernel::{
    ConeLines, FrictionLines, OneSidedLines, cones_along, friction_quads, one_sided_quads,
    row_quads,
};

/// Cost at a point of the line and its derivatives.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    alpha: f64,
    cost: f64,
    slope: f64,
    curvature: f64,
}

impl Point {
    /// Where a Newton step leads.
    fn next(&self) -> f64 {
        self.alpha - self.slope / self.curvature
    }
}

/// The result of a line search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The step to take; zero if there is nothing to gain.
    pub(crate) alpha: f64,
    /// Slope there, scaled; one if it was not computed.
    pub(crate) slope: f64,
    /// How often the cost was computed.
    pub(crate) evaluations: usize,
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Slope below which a point is good, for a direction of length one, scaled.
    pub(crate) tolerance: f64,
    /// Scale of the cost.
    pub(crate) scale: f64,
    /// How often to compute the cost.
    pub(crate) evaluations: usize,
}

/// Quadratics of the rows along the line, and the data of cones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// Coefficients of 1, alpha, alpha² of each row.
    quad: [Vec<f64>; 3],
    cones: ConeLines,
    /// Sum of the quadratic terms without zones: inertia and equalities.
    smooth: [f64; 3],
    evaluations: usize,
}

impl Problem {
    /// The best step along `v.search`; computes `v.mv` and `rows.jv`.
    pub(crate) fn line_search(&mut self, line: &mut Line, limits: &Limits) -> Found {
        line.evaluations = 0;
        let length = vector::norm(&self.v.search[..self.n]);
        if length < MINVAL {
            return Found { alpha: 0.0, slope: 1.0, evaluations: 0 };
        }
        self.mul_search();
        line.prepare(self);
        let tolerance = limits.tolerance * length / limits.scale;
        let (alpha, slope) = line.search(&self.rows, tolerance, limits.evaluations);
        let slope = slope.map_or(1.0, |slope| slope.abs() * (limits.scale / length));
        Found { alpha, slope, evaluations: line.evaluations }
    }
}

impl Line {
    fn prepare(&mut self, problem: &Problem) {
        let (v, rows, n) = (&problem.v, &problem.rows, problem.n);
        let total = rows.d.len();
        for quad in &mut self.quad {
            quad.resize(total, 0.0);
        }
        let [q0, q1, q2] = &mut self.quad;
        row_quads(&rows.d, &rows.jar, &rows.jv, [q0, q1, q2]);

        // ½ alpha² v·Mv + alpha v·(Ma - f_smooth) + the cost at the start
        let search = &v.search[..n];
        self.smooth = [
            problem.gauss,
            vector::dot(search, &v.ma[..n]) - vector::dot(&v.qfrc_smooth[..n], search),
            0.5 * vector::dot(search, &v.mv[..n]),
        ];
        for (smooth, quad) in self.smooth.iter_mut().zip(&self.quad) {
            *smooth = sum(*smooth, quad[rows.equality.clone()].iter().copied());
        }
        if !rows.cones.is_empty() {
            self.prepare_cones(rows);
        }
    }

    #[inline(never)]
    fn prepare_cones(&mut self, rows: &Rows) {
        self.cones.resize(padded(rows.cones.len()));
        let ConeLines { u0, v0, uu, uv, vv, mu, dm, quad } = &mut self.cones;
        for (i, contact) in rows.cones.iter().enumerate() {
            let (range, cone) = (contact.rows(), &contact.cone);
            for (sum, quad) in quad.iter_mut().zip(&self.quad) {
                sum[i] = quad[range.clone()].iter().fold(0.0, |sum, q| sum + q);
            }
            let (jar, jv) = (&rows.jar[range.clone()], &rows.jv[range]);
            (uu[i], uv[i], vv[i]) = (0.0, 0.0, 0.0);
            for j in 1..cone.dim {
                let (u, v) = (jar[j] * cone.scale[j], jv[j] * cone.scale[j]);
                uu[i] += u * u;
                uv[i] += u * v;
                vv[i] += v * v;
            }
            (u0[i], v0[i]) = (jar[0] * cone.mu, jv[0] * cone.mu);
            (mu[i], dm[i]) = (cone.mu, cone.dm);
        }
    }

    /// Where to go and the slope there; no slope if nothing was gained.
    fn search(&mut self, rows: &Rows, tolerance: f64, limit: usize) -> (f64, Option<f64>) {
        // a Newton step from the start
        let mut eval = |alpha| self.evaluate(rows, alpha);
        let done = |p: &Point| (p.alpha, Some(p.slope));
        let start = eval(0.0);
        let mut p1 = eval(start.next());
        if p1.slope.abs() < tolerance {
            return done(&p1);
        }

        // from one side until the slope changes its sign
        let mut used = 2;
        let dir = if p1.slope < 0.0 { 1.0 } else { -1.0 };
        let mut p2 = start;
        while p1.slope * dir <= -tolerance && used < limit {
            p2 = p1;
            p1 = eval(p1.next());
            used += 1;
            if p1.slope.abs() < tolerance {
                return done(&p1);
            }
        }
        if used >= limit {
            return done(&p1);
        }

        // from both sides and the middle
        let mut p2_next = p1;
        let mut p1_next = eval(p1.next());
        used += 1;
        while used < limit {
            let mid = eval(0.5 * (p1.alpha + p2.alpha));
            used += 1;
            let candidates = [p1_next, p2_next, mid];
            if let Some(best) = converged(&candidates, tolerance) {
                return done(best);
            }
            let (closer1, closer2) = (tighten(&mut p1, &candidates), tighten(&mut p2, &candidates));
            if closer1 {
                p1_next = eval(p1.next());
            }
            if closer2 {
                p2_next = eval(p2.next());
            }
            used += usize::from(closer1) + usize::from(closer2);
            if !closer1 && !closer2 {
                return done(&mid);
            }
        }

        // the better end, if it is better than the start
        if p1.cost <= p2.cost && p1.cost < start.cost {
            done(&p1)
        } else if p2.cost <= p1.cost && p2.cost < start.cost {
            done(&p2)
        } else {
            (0.0, None)
        }
    }

    fn evaluate(&mut self, rows: &Rows, alpha: f64) -> Point {
        self.evaluations += 1;
        let mut quad = self.smooth;
        let mut add = |q: [f64; 3]| (0..3).for_each(|k| quad[k] += q[k]);

        // dry friction
        if !rows.friction_zones.is_empty() {
            let range = rows.padded_friction();
            let lines = FrictionLines {
                jar: &rows.jar[range.clone()],
                jv: &rows.jv[range.clone()],
                loss: &rows.frictionloss[range.clone()],
                bound: &rows.bound[range.clone()],
                quad: self.quad.each_ref().map(|q| &q[range.clone()]),
            };
            add(friction_quads(&lines, alpha));
        }

        // one-sided rows
        if !rows.pushes.is_empty() {
            let range = rows.padded_one_sided();
            let lines = OneSidedLines {
                jar: &rows.jar[range.clone()],
                jv: &rows.jv[range.clone()],
                quad: self.quad.each_ref().map(|q| &q[range.clone()]),
            };
            add(one_sided_quads(&lines, alpha));
        }

        // cones
        let (mut cost, mut slope, mut curvature) = (0.0, 0.0, 0.0);
        if !rows.cones.is_empty() {
            let [quadratic, sliding] = cones_along(&self.cones, alpha);
            add(quadratic);
            [cost, slope, curvature] = sliding;
        }

        // all of it at alpha
        cost += alpha * alpha * quad[2] + alpha * quad[1] + quad[0];
        slope += 2.0 * alpha * quad[2] + quad[1];
        curvature += 2.0 * quad[2];
        if curvature <= 0.0 {
            curvature = MINVAL;
        }
        Point { alpha, cost, slope, curvature }
    }
}

/// The cheapest of the points whose slope is small enough.
fn converged(points: &[Point; 3], tolerance: f64) -> Option<&Point> {
    let mut best: Option<&Point> = None;
    for p in points {
        if p.slope.abs() < tolerance && best.is_none_or(|best| p.cost < best.cost) {
            best = Some(p);
        }
    }
    best
}

/// Moves an end of the bracket to any candidate on its side with a smaller slope; whether it moved.
fn tighten(p: &mut Point, candidates: &[Point; 3]) -> bool {
    let mut moved = false;
    for c in candidates {
        let below = p.slope < 0.0 && c.slope < 0.0 && p.slope < c.slope;
        let above = p.slope > 0.0 && c.slope > 0.0 && p.slope > c.slope;
        if below || above {
            *p = *c;
            moved = true;
        }
    }
    moved
}
