//! A first-order method on the law itself, which finds the neighbourhood of an answer from afar.
//!
//! The law splits into a linear system and a projection: `P y - q + s = u` with `y ∈ K`, `u ∈ K`,
//! `y ⊥ u`, and De Saxcé's shift `s = |u_t| e_n`. The alternating direction method of multipliers
//! with a metric `R` repeats
//!
//! ```text
//! z = Π_R(p),   u = R (z - p),   y = (P + R)⁻¹ (q - s + u + R z),   p = y - R⁻¹ u
//! ```
//!
//! where `z` and `u` are in their cones and orthogonal at every step, and obey the law once `y =
//! z`. (Boyd and others 2011; Carpentier, Le Lidec and Montaut 2024 for the shift.) `R` is a
//! penalty times the diagonal of `P`, with one entry for the normal of a contact and one for its
//! tangents. In that metric the slope of the cone evens out the compliance of the two. Without it
//! walls with low friction stay unsolved.
//!
//! Anderson's extrapolation takes the place of thousands of steps (`anderson`). Another penalty
//! makes another landscape of the same answers. Penalties of 1e-5 and 1e-3 are for light bodies
//! that carry heavy ones. With 0.02 and 1 alone 21 of 1,904 problems of the survey stay unsolved,
//! with all four a single problem does. Where hardly any velocity is wrong and contacts are
//! statically indeterminate, the impulses drift by the same small amount with every step. The drift
//! is smaller for larger penalties. So a last penalty is chosen by the size of the drift. Newton's
//! method begins wherever the pattern of sticking, sliding and separating contacts has come to
//! rest.

use sinew_math::simd::{Lane, dispatch, load3, store3};

use super::anderson::Anderson;
use super::law::{LawSearch, NEWTON, Task};
use super::system::System;
use crate::dense::zero;
use crate::frame::{Block, Frame, Shape};
use crate::natural_map;
use crate::small::{mul3, project_by, project3, sub3, tangent};
use crate::tuning::{DRIFTS, PENALTIES, ROUNDING, STALL};

/// State and buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Splitting {
    /// `p`, its image under a step, and the change `y - z`. All are weighted with the diagonal of
    /// `P`, the same for all tangents of a contact.
    path: Anderson,
    /// `R`.
    metric: Vec<f64>,
    z: Vec<f64>,
    u: Vec<f64>,
    steps: usize,
    pattern: Pattern,
}

/// Patterns of the last look and of the last Newton method.
#[derive(Clone, Copy, Debug, Default)]
struct Pattern {
    seen: u64,
    tried: u64,
    /// Step before which there is no other, and how many were waited for.
    next: usize,
    wait: usize,
}

/// How the steps with one penalty ended.
#[derive(PartialEq, Eq)]
enum End {
    Found,
    Stalled,
    Spent,
    Lost,
}

impl Splitting {
    /// Goes from the iterate of a search to a point that obeys the law, with Newton's method from
    /// points on the way. Takes at most `most` steps. Returns whether the law holds.
    pub(crate) fn seek(&mut self, at: &mut Task<'_>, law: &mut LawSearch, most: usize) -> bool {
        self.begin(at.p, law);
        let mut drift = 0.0;
        for k in 0.. {
            let fixed = PENALTIES.get(k % (PENALTIES.len() + 1)).copied();
            let penalty = fixed.unwrap_or((DRIFTS * drift).max(ROUNDING));
            if !law.spend(at) || !self.set_penalty(at.p, penalty) {
                break;
            }
            self.path.start(STALL, k >= PENALTIES.len());
            let end = self.run(at, law, most);
            drift = penalty * self.path.residual();
            match end {
                End::Found => return true,
                End::Stalled if law.is_enough() => return true,
                End::Spent | End::Lost => break,
                End::Stalled => self.project(at),
            }
        }
        law.is_enough()
    }

    /// Steps with one penalty, until the total number of steps is reached.
    fn run(&mut self, at: &mut Task<'_>, law: &mut LawSearch, most: usize) -> End {
        while self.steps < most {
            self.steps += 1;
            self.step(at);
            let Some(residual) = self.path.judge() else { continue };
            if residual.is_nan() {
                return End::Lost;
            }
            if self.steps.is_multiple_of(STALL) && self.look(at, law) {
                return End::Found;
            }
            if !self.path.advance() {
                return End::Stalled;
            }
        }
        End::Spent
    }

    /// Takes over a problem and the iterate of a search, with its velocity.
    fn begin(&mut self, p: &mut System, law: &LawSearch) {
        zero([&mut self.metric, &mut self.z, &mut self.u], p.frame.stride());
        self.path.resize(p.frame.stride());
        self.steps = 0;
        self.pattern = Pattern { wait: STALL, ..Pattern::default() };
        let weights = &mut self.path.weight;
        p.diagonal(weights);
        for block in &p.frame.blocks {
            let weight = &mut weights[block.range()];
            if block.dim > 1 {
                let mean = weight[1..].iter().sum::<f64>() / (block.dim - 1) as f64;
                weight[1..].fill(mean);
            }
            let most = weight.iter().fold(0.0_f64, |a, b| a.max(*b));
            weight
                .iter_mut()
                .for_each(|x| *x = if most > 0.0 { x.max(ROUNDING * most) } else { 1.0 });
        }
        self.z.copy_from_slice(&law.here.y);
        self.u.copy_from_slice(&law.here.corrected);
    }

    /// Factors with a penalty, and turns `z` and `u` into the state they have with it; false if
    /// that fails.
    fn set_penalty(&mut self, p: &mut System, penalty: f64) -> bool {
        for (k, metric) in self.metric.iter_mut().enumerate() {
            *metric = penalty * self.path.weight[k];
            self.path.state[k] = self.z[k] - self.u[k] / *metric;
        }
        p.shift(&self.metric)
    }

    /// Writes the nearest points of the cones in the metric to `z`, and the metric times the way
    /// there to `u`. The right-hand side `q - s + u + R z` replaces the change.
    fn project(&mut self, at: &Task<'_>) {
        split(self, &at.p.frame, at.slip);
    }

    /// The image of the state.
    fn step(&mut self, at: &mut Task<'_>) {
        self.project(at);
        let Splitting { path: Anderson { state, image, change, .. }, z, .. } = self;
        at.p.solve_shifted(change);
        for (((change, z), image), state) in change.iter_mut().zip(z).zip(image).zip(state) {
            *change -= *z;
            *image = *state + *change;
        }
    }

    /// Judges the current point, and begins Newton's method there if it is in place; true if that
    /// led to the answer.
    fn look(&mut self, at: &mut Task<'_>, law: &mut LawSearch) -> bool {
        let pattern = self.pattern(&at.p.frame);
        let rests = pattern == self.pattern.seen;
        self.pattern.seen = pattern;
        if law.visit(at, &self.z) {
            return true;
        }
        if self.steps < self.pattern.next || !rests || pattern == self.pattern.tried {
            return false;
        }
        self.pattern.tried = pattern;
        self.pattern.wait *= 2;
        self.pattern.next = self.steps + self.pattern.wait;
        law.newton(at, NEWTON)
    }

    /// A number that tells patterns of sticking, sliding and separating contacts apart (Fowler,
    /// Noll and Vo's hash).
    fn pattern(&self, frame: &Frame) -> u64 {
        let state = |block: &Block| {
            let (z, u) = (self.z[block.start], self.u[block.start]);
            match block.shape {
                Shape::Interval(_, upper) if u != 0.0 => 1 + u64::from(z >= upper),
                Shape::Lorentz if z == 0.0 => 1,
                Shape::Lorentz if u != 0.0 => 2,
                _ => 0,
            }
        };
        let mix = |hash: u64, block: &Block| (hash ^ state(block)).wrapping_mul(0x0100_0000_01b3);
        frame.blocks.iter().fold(0xcbf2_9ce4_8422_2325, mix)
    }
}

dispatch! {
    /// See [`Splitting::project`].
    pub(crate) fn split(splitting: &mut Splitting, frame: &Frame, slip: bool)
        = split_body::<Fused>;
}

#[inline(always)]
fn split_body<L: Lane>(splitting: &mut Splitting, frame: &Frame, slip: bool) {
    let Splitting { path: Anderson { state, change: rhs, .. }, metric, z, u, .. } = splitting;
    for (_, block) in frame.heads() {
        let (at, group) = (block.start, block.group);
        if group == 0 {
            let z = &mut z[block.range()];
            z.copy_from_slice(&state[block.range()]);
            project_block(block, &metric[block.range()], z);
            for (k, z) in block.range().zip(z) {
                u[k] = metric[k] * (*z - state[k]);
                rhs[k] = frame.q[k] + u[k] + metric[k] * *z;
            }
            if slip && block.shape == Shape::Lorentz {
                rhs[at] -= tangent(&u[block.range()]);
            }
            continue;
        }
        let of = |x: &[f64]| load3::<L>(&x[at..], group);
        let (p, metric, mut right) = (of(state), of(metric), of(&frame.q));
        let sum = metric[0] + metric[1];
        let near = project3(&p, L::splat(1.0), |n, t| (metric[0] * n).add_mul(metric[1], t) / sum);
        let way = mul3(&metric, &sub3(&near, &p));
        (0..3).for_each(|k| right[k] = (right[k] + way[k]).add_mul(metric[k], near[k]));
        if slip {
            right[0] = right[0] - (way[1] * way[1]).add_mul(way[2], way[2]).sqrt();
        }
        store3(near, &mut z[at..], group);
        store3(way, &mut u[at..], group);
        store3(right, &mut rhs[at..], group);
    }
}

/// Moves a block to the nearest point of its cone, in a metric with one entry for the normal and
/// one for the tangents.
fn project_block(block: &Block, metric: &[f64], x: &mut [f64]) {
    match block.shape {
        Shape::Interval(..) => natural_map::project_block(block, x),
        Shape::Lorentz => {
            let (normal, across) = (metric[0], metric[1]);
            project_by(x, |n, t| (normal * n + across * t) / (normal + across));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x` is the projection of `p` if it is in the cone, and the scaled rest is in the polar cone
    /// and orthogonal to it.
    #[test]
    fn projections_are_nearest_points_in_their_metric() {
        let block =
            Block { shape: Shape::Lorentz, start: 0, dim: 3, cone: 0, round: false, group: 0 };
        for k in 0..500 {
            let turn = f64::from(k);
            let p = [1.5 * turn.sin(), (1.7 * turn).cos(), (0.3 * turn).sin()];
            let metric = [1.0, 10f64.powi(k % 7 - 3), 10f64.powi(k % 7 - 3)];
            let mut x = p;
            project_block(&block, &metric, &mut x);
            let rest: [f64; 3] = core::array::from_fn(|k| metric[k] * (x[k] - p[k]));
            let work: f64 = rest.iter().zip(&x).map(|(r, x)| r * x).sum();
            assert!(tangent(&x) <= x[0] + 1e-15, "{p:?}: {x:?} outside");
            assert!(tangent(&rest) <= rest[0] + 1e-12, "{p:?}: {x:?} not nearest");
            assert!(work.abs() < 1e-12, "{p:?}: {x:?} not orthogonal");
        }
    }
}
