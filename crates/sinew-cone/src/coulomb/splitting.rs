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
//! where `z` and `u` are in their cones and orthogonal at every step, and obey the law once `y = z`
//! (Boyd and others 2011; Carpentier, Le Lidec and Montaut 2024 for the shift). `R` is a penalty
//! times the diagonal of `P`, with one entry for the normal of a contact and one for its tangents:
//! in that metric the slope of the cone evens out the compliance of the two, without which walls
//! with low friction stay unsolved.
//!
//! Anderson's extrapolation (1965) from the last states takes the place of thousands of steps. It
//! looks for a small residual, and the law is not convex: where there is a small one without an
//! answer nearby it stays there. Another penalty makes another landscape of the same answers, and
//! steps without extrapolation leave such places. Newton's method begins wherever the pattern of
//! sticking, sliding and separating contacts has come to rest.

use super::coupling::Shift;
use super::law::{LawSearch, NEWTON, Place};
use crate::frame::{Block, Frame, Shape};
use crate::small::{solve_spd, tangent};

/// Last differences that an extrapolation uses. Five solve 97 % of what ten do.
const MEMORY: usize = 10;

/// Penalties, one after the other, round and round: from impulses of a similar problem, and from
/// scratch, where most problems are solved by the first. With one alone, whichever it is, a tenth
/// of the walls with friction from 1e-3 to 10 stays unsolved. A wall that a ball has hit is a tenth
/// as far from the law after 200 steps in the former order.
const WARM_PENALTIES: [f64; 4] = [0.1, 1.0, 0.01, 0.001];
const PENALTIES: [f64; 4] = [0.01, 0.1, 1.0, 0.001];

/// Penalties with which all steps extrapolate; with later ones the first `PLAIN` do not.
const EAGER: usize = 2;
const PLAIN: usize = 100;

/// Steps within which the residual must halve, or the next penalty comes.
const PATIENCE: usize = 50;

/// Rise of the residual at which an extrapolation is taken back.
const RISE: f64 = 2.0;

/// Share of the Gram matrix' trace that is added to its diagonal.
const RIDGE: f64 = 1e-10;

/// Steps between looks at the pattern; between five and twenty more looks are more factorisations
/// in vain.
const LOOK: usize = 20;

/// Newton's method begins from the same pattern again if the residual has fallen to this share.
const AGAIN: f64 = 0.01;

/// By how much the wait for the next Newton method grows with each, from `LOOK` on.
const WAIT: (usize, usize) = (8, 5);

/// How far and in which manner the method goes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Way {
    /// Most steps.
    pub(crate) steps: usize,
    /// Whether it begins at impulses of a similar problem.
    pub(crate) warm: bool,
}

/// Least entry of a metric, relative to the largest of its contact.
const LEAST: f64 = 1e-9;

/// State and buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Splitting {
    /// The diagonal of `P`, the same for all tangents of a contact.
    weight: Vec<f64>,
    /// `R`.
    metric: Vec<f64>,
    /// The state, its image under a step, and the image of the last state that was kept.
    p: Vec<f64>,
    image: Vec<f64>,
    kept: Vec<f64>,
    /// `y - z`: what a step changes.
    change: Vec<f64>,
    z: Vec<f64>,
    u: Vec<f64>,
    past: History,
    steps: usize,
    way: Way,
    pattern: Pattern,
}

/// Patterns of the last look and of the last Newton method, and the residual at the latter.
#[derive(Clone, Copy, Debug, Default)]
struct Pattern {
    seen: u64,
    tried: u64,
    residual: f64,
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
}

impl Splitting {
    /// From the iterate of a search to where the law holds, with Newton's method from points on the
    /// way; true if the law was found to hold.
    pub(crate) fn seek(
        &mut self,
        at: Place<'_>,
        p: &mut impl Shift,
        law: &mut LawSearch,
        way: Way,
    ) -> bool {
        self.begin(at.frame, p, law);
        self.way = way;
        let penalties = if way.warm { WARM_PENALTIES } else { PENALTIES };
        for (k, penalty) in penalties.into_iter().cycle().enumerate() {
            if !law.spend(at) || !self.set_penalty(at.frame, p, penalty) {
                break;
            }
            let plain = if k < EAGER { 0 } else { PLAIN };
            match self.run(at, p, law, penalty, plain) {
                End::Found => return true,
                End::Stalled if law.is_enough() => return true,
                End::Stalled => self.project(at.frame),
                End::Spent => break,
            }
        }
        law.is_enough()
    }

    /// Steps with one penalty, of which the first ones do not extrapolate.
    fn run(
        &mut self,
        at: Place<'_>,
        p: &mut impl Shift,
        law: &mut LawSearch,
        penalty: f64,
        plain: usize,
    ) -> End {
        let (mut last, mut best, mut waited) = (f64::INFINITY, f64::INFINITY, 0);
        for taken in 1.. {
            if self.steps >= self.way.steps {
                return End::Spent;
            }
            self.steps += 1;
            waited += 1;
            self.step(at, p);
            let residual = dot(&self.change, &self.change, &self.weight).sqrt();

            // an extrapolation that led away is taken back; a plain step may lead away for a while
            let extrapolated = self.past.count > 0;
            if residual.is_nan() && !extrapolated {
                return End::Spent;
            }
            if extrapolated && (residual.is_nan() || residual > RISE * last) {
                self.past.count = 0;
                self.p.copy_from_slice(&self.kept);
                last = f64::INFINITY;
                continue;
            }
            last = residual;
            self.kept.copy_from_slice(&self.image);
            if self.steps.is_multiple_of(LOOK) && self.look(at, p, law, penalty * residual) {
                return End::Found;
            }

            // progress, and the next state
            if residual < 0.5 * best || taken <= plain {
                (best, waited) = (residual, 0);
            }
            if waited >= PATIENCE {
                return End::Stalled;
            }
            self.p.copy_from_slice(&self.image);
            if taken > plain {
                self.past.push(&self.change, &self.image, &self.weight);
                self.past.extrapolate(&self.change, &self.weight, &mut self.p);
            }
        }
        End::Spent
    }

    /// Takes over a problem and the iterate of a search, with its velocity.
    fn begin(&mut self, frame: &Frame, p: &impl Shift, law: &LawSearch) {
        for v in [
            &mut self.weight,
            &mut self.metric,
            &mut self.p,
            &mut self.image,
            &mut self.kept,
            &mut self.change,
            &mut self.z,
            &mut self.u,
        ] {
            v.clear();
            v.resize(frame.stride(), 0.0);
        }
        self.past.resize(frame.stride());
        self.steps = 0;
        self.pattern = Pattern { residual: f64::INFINITY, wait: LOOK, ..Pattern::default() };
        p.diagonal(frame, &mut self.weight);
        for block in &frame.blocks {
            let weight = &mut self.weight[block.range()];
            if block.dim > 1 {
                let mean = weight[1..].iter().sum::<f64>() / (block.dim - 1) as f64;
                weight[1..].fill(mean);
            }
            let most = weight.iter().fold(0.0_f64, |a, b| a.max(*b));
            weight.iter_mut().for_each(|x| *x = if most > 0.0 { x.max(LEAST * most) } else { 1.0 });
        }
        self.weight[frame.len()..].fill(1.0);
        let (y, corrected) = law.iterate();
        self.z.copy_from_slice(y);
        self.u.copy_from_slice(corrected);
    }

    /// Factors with a penalty, and turns `z` and `u` into the state they have with it; false if
    /// that fails.
    fn set_penalty(&mut self, frame: &Frame, p: &mut impl Shift, penalty: f64) -> bool {
        self.past.count = 0;
        for (k, metric) in self.metric.iter_mut().enumerate() {
            *metric = penalty * self.weight[k];
            self.p[k] = self.z[k] - self.u[k] / *metric;
        }
        p.shift(frame, &self.metric)
    }

    /// `z` and `u` of the state.
    fn project(&mut self, frame: &Frame) {
        self.z.copy_from_slice(&self.p);
        for block in &frame.blocks {
            project_block(block, &self.metric[block.range()], &mut self.z[block.range()]);
        }
        for (k, u) in self.u.iter_mut().enumerate() {
            *u = self.metric[k] * (self.z[k] - self.p[k]);
        }
    }

    /// The image of the state.
    fn step(&mut self, at: Place<'_>, p: &mut impl Shift) {
        let frame = at.frame;
        self.project(frame);
        for (k, y) in self.change.iter_mut().enumerate() {
            *y = frame.q[k] + self.u[k] + self.metric[k] * self.z[k];
        }
        for block in frame.blocks.iter().filter(|b| at.slip && b.shape == Shape::Lorentz) {
            self.change[block.start] -= tangent(&self.u[block.range()]);
        }
        p.solve_shifted(frame, &mut self.change);
        for (k, change) in self.change.iter_mut().enumerate() {
            *change -= self.z[k];
            self.image[k] = self.p[k] + *change;
        }
    }

    /// Judges the point at hand, and begins Newton's method there if it is in place; true if that
    /// led to the answer.
    fn look(
        &mut self,
        at: Place<'_>,
        p: &mut impl Shift,
        law: &mut LawSearch,
        residual: f64,
    ) -> bool {
        let pattern = self.pattern(at.frame);
        let rests = pattern == self.pattern.seen;
        self.pattern.seen = pattern;
        if law.visit(at, p, &self.z) {
            return true;
        }
        if self.steps < self.pattern.next
            || !rests
            || pattern == self.pattern.tried && residual > AGAIN * self.pattern.residual
        {
            return false;
        }
        (self.pattern.tried, self.pattern.residual) = (pattern, residual);
        self.pattern.wait = self.pattern.wait * WAIT.0 / WAIT.1;
        self.pattern.next = self.steps + self.pattern.wait;
        law.newton(at, p, NEWTON)
    }

    /// A number that tells patterns of sticking, sliding and separating contacts apart (Fowler,
    /// Noll and Vo's hash).
    fn pattern(&self, frame: &Frame) -> u64 {
        let state = |block: &Block| {
            let (z, u) = (self.z[block.start], self.u[block.start]);
            match block.shape {
                Shape::Interval(_, upper) if u != 0.0 => 1 + u64::from(z >= upper),
                Shape::Ray | Shape::Lorentz if z == 0.0 => 1,
                Shape::Lorentz if u != 0.0 => 2,
                _ => 0,
            }
        };
        let mix = |hash: u64, block: &Block| (hash ^ state(block)).wrapping_mul(0x0100_0000_01b3);
        frame.blocks.iter().fold(0xcbf2_9ce4_8422_2325, mix)
    }
}

/// The last differences of changes and of images, and products of the former.
#[derive(Clone, Debug, Default)]
struct History {
    change: Vec<Vec<f64>>,
    image: Vec<Vec<f64>>,
    gram: [[f64; MEMORY]; MEMORY],
    last_change: Vec<f64>,
    last_image: Vec<f64>,
    /// States since it was empty, and where the next difference goes.
    count: usize,
    next: usize,
}

impl History {
    fn resize(&mut self, n: usize) {
        self.change.resize_with(MEMORY, Vec::new);
        self.image.resize_with(MEMORY, Vec::new);
        let all = self.change.iter_mut().chain(&mut self.image);
        for v in all.chain([&mut self.last_change, &mut self.last_image]) {
            v.clear();
            v.resize(n, 0.0);
        }
        self.count = 0;
    }

    /// Differences that there are.
    fn len(&self) -> usize {
        self.count.saturating_sub(1).min(MEMORY)
    }

    /// Takes in what a step has found.
    fn push(&mut self, change: &[f64], image: &[f64], weight: &[f64]) {
        self.count += 1;
        if self.count == 1 {
            self.next = 0;
        } else {
            let at = self.next;
            subtract(change, &self.last_change, &mut self.change[at]);
            subtract(image, &self.last_image, &mut self.image[at]);
            for other in 0..self.len() {
                let product = dot(&self.change[at], &self.change[other], weight);
                self.gram[at][other] = product;
                self.gram[other][at] = product;
            }
            self.next = (at + 1) % MEMORY;
        }
        self.last_change.copy_from_slice(change);
        self.last_image.copy_from_slice(image);
    }

    /// Moves the last image to where, by the differences, the change would be least.
    fn extrapolate(&self, change: &[f64], weight: &[f64], state: &mut [f64]) {
        let n = self.len();
        let (mut matrix, mut share) = (self.gram, [0.0; MEMORY]);
        let trace: f64 = (0..n).map(|k| matrix[k][k]).sum();
        for k in 0..n {
            share[k] = dot(&self.change[k], change, weight);
            matrix[k][k] += RIDGE * trace;
        }
        if !solve_spd(&mut matrix, &mut share, n) {
            return;
        }
        for (share, image) in share.iter().zip(&self.image).take(n) {
            crate::dense::axpy(-share, image, state);
        }
    }
}

fn subtract(a: &[f64], b: &[f64], out: &mut [f64]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = a - b;
    }
}

fn dot(a: &[f64], b: &[f64], weight: &[f64]) -> f64 {
    a.iter().zip(b).zip(weight).map(|((a, b), w)| a * b * w).sum()
}

/// Moves a block to the nearest point of its cone, in a metric with one entry for the normal and
/// one for the tangents.
fn project_block(block: &Block, metric: &[f64], x: &mut [f64]) {
    if block.shape != Shape::Lorentz {
        crate::natural_map::project_block(block, x);
        return;
    }
    let t = tangent(x);
    if t <= x[0] {
        return;
    }
    let (normal, across) = (metric[0], metric[1]);
    let n = ((normal * x[0] + across * t) / (normal + across)).max(0.0);
    x[0] = n;
    x[1..].iter_mut().for_each(|x| *x *= n / t);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x` is the projection of `p` if it is in the cone, the metric times the rest is in the polar
    /// cone, and they are orthogonal.
    #[test]
    fn projections_are_nearest_points_in_their_metric() {
        let block = Block {
            shape: Shape::Lorentz,
            start: 0,
            dim: 3,
            cone: 0,
            round: 0.0,
            group: 0,
            span: (0, 3),
            reach: 0,
        };
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
