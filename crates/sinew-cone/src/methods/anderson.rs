//! Fixed-point iteration with Anderson's extrapolation (1965) from its last states.
//!
//! The method looks for a small change, and the laws have kinks: near a small change without an
//! answer it stagnates. Steps without extrapolation leave such places.

use sinew_math::simd::{LANES, Lane, dispatch, lanes, lanes_mut};

use crate::dense::zero;
use crate::small::solve_spd;
use crate::tuning::{ANDERSON_MEMORY, PROGRESS, ROUNDING};

/// The iteration. The caller takes the steps: a step fills `image` and `change` for `state`.
#[derive(Clone, Debug, Default)]
pub(super) struct Anderson {
    pub(super) state: Vec<f64>,
    /// The image of the state under a step, and the change.
    pub(super) image: Vec<f64>,
    pub(super) change: Vec<f64>,
    /// Weights of the entries in the residual.
    pub(super) weight: Vec<f64>,
    /// The image of the last state that was kept.
    kept: Vec<f64>,
    past: History,
    /// Steps within which the residual must halve, and how many do not extrapolate at first.
    stall: usize,
    plain: usize,
    /// Steps since the start, and since the residual has last halved.
    taken: usize,
    waited: usize,
    /// The last residual, and the one that has to be halved.
    last: f64,
    best: f64,
}

impl Anderson {
    /// Zeros for `n` entries, which fill whole registers, with weights of one.
    pub(super) fn resize(&mut self, n: usize) {
        zero([&mut self.state, &mut self.image, &mut self.change, &mut self.kept], n);
        self.weight.clear();
        self.weight.resize(n, 1.0);
        self.past.resize(n);
    }

    /// Begins at the state; the residual must halve within `stall` steps. Where extrapolation has
    /// failed before, twice the number of `plain` steps come first, which do not extrapolate.
    pub(super) fn start(&mut self, stall: usize, plain: bool) {
        (self.stall, self.plain) = (stall, if plain { 2 * stall } else { 0 });
        self.past.count = 0;
        (self.taken, self.waited) = (0, 0);
        (self.last, self.best) = (f64::INFINITY, f64::INFINITY);
    }

    /// The size of the change.
    pub(super) fn residual(&self) -> f64 {
        square(&self.change, &self.weight).sqrt()
    }

    /// Looks at a step; none if it came from an extrapolation that led away, which is taken back. A
    /// plain step may lead away for a while.
    pub(super) fn judge(&mut self) -> Option<f64> {
        self.taken += 1;
        self.waited += 1;
        let residual = self.residual();
        if self.past.count > 0 && (residual.is_nan() || PROGRESS * residual > self.last) {
            self.past.count = 0;
            self.state.copy_from_slice(&self.kept);
            self.last = f64::INFINITY;
            return None;
        }
        self.last = residual;
        self.kept.copy_from_slice(&self.image);
        Some(residual)
    }

    /// Goes on to the next state; false if there was no progress for too long.
    pub(super) fn advance(&mut self) -> bool {
        let plain = self.taken <= self.plain;
        if self.last < PROGRESS * self.best || plain {
            (self.best, self.waited) = (self.last, 0);
        }
        if self.waited >= self.stall {
            return false;
        }
        self.state.copy_from_slice(&self.image);
        if !plain {
            self.past.push(&self.change, &self.image, &self.weight);
            self.past.extrapolate(&self.change, &self.weight, &mut self.state);
        }
        true
    }
}

/// A register for each stored difference.
type Registers = [[f64; LANES]; ANDERSON_MEMORY];

/// The last differences of changes and of images, and products of the former. All differences of
/// four entries are next to each other.
#[derive(Clone, Debug, Default)]
struct History {
    change: Vec<Registers>,
    image: Vec<Registers>,
    gram: [[f64; ANDERSON_MEMORY]; ANDERSON_MEMORY],
    last_change: Vec<f64>,
    last_image: Vec<f64>,
    /// States since it was empty, and where the next difference goes.
    count: usize,
    next: usize,
}

impl History {
    /// Buffers for `n` entries, which fill whole registers.
    fn resize(&mut self, n: usize) {
        for list in [&mut self.change, &mut self.image] {
            list.resize(n / LANES, [[0.0; LANES]; ANDERSON_MEMORY]);
        }
        for list in [&mut self.last_change, &mut self.last_image] {
            list.resize(n, 0.0);
        }
        self.count = 0;
    }

    /// Differences that there are.
    fn len(&self) -> usize {
        self.count.saturating_sub(1).min(ANDERSON_MEMORY)
    }

    /// Stores the result of a step.
    fn push(&mut self, change: &[f64], image: &[f64], weight: &[f64]) {
        self.count += 1;
        if self.count == 1 {
            self.next = 0;
        } else {
            let at = self.next;
            keep_difference(&mut self.image, at, image, &mut self.last_image);
            keep_difference(&mut self.change, at, change, &mut self.last_change);
            let products = products(&self.change, &self.last_change, weight);
            for other in 0..self.len() {
                self.gram[at][other] = products[other];
                self.gram[other][at] = products[other];
            }
            self.next = (at + 1) % ANDERSON_MEMORY;
        }
        self.last_change.copy_from_slice(change);
        self.last_image.copy_from_slice(image);
    }

    /// Moves the last image to where, by the differences, the change would be least.
    fn extrapolate(&self, change: &[f64], weight: &[f64], state: &mut [f64]) {
        let n = self.len();
        let mut matrix = self.gram;
        let mut share = products(&self.change, change, weight);
        let trace: f64 = (0..n).map(|k| matrix[k][k]).sum();
        for k in 0..n {
            matrix[k][k] += ROUNDING * trace;
        }
        if solve_spd(&mut matrix, &mut share, n) {
            subtract(&self.image, &share[..n], state);
        }
    }
}

dispatch! {
    /// `Σ a² weight`.
    pub(crate) fn square(a: &[f64], weight: &[f64]) -> f64
        = square_body::<Fused>;

    /// Writes `x - last` as one of the differences, and to `last`.
    pub(crate) fn keep_difference(list: &mut [Registers], at: usize, x: &[f64], last: &mut [f64])
        = keep_difference_body::<Fused>;

    /// Products of all differences with a vector.
    pub(crate) fn products(list: &[Registers], x: &[f64], weight: &[f64]) -> [f64; ANDERSON_MEMORY]
        = products_body::<Fused>;

    /// Subtracts the first differences, each as often as its share says.
    pub(crate) fn subtract(list: &[Registers], share: &[f64], from: &mut [f64])
        = subtract_body::<Fused>;
}

#[inline(always)]
fn square_body<L: Lane>(a: &[f64], weight: &[f64]) -> f64 {
    let mut sum = [L::splat(0.0); 2];
    for (k, (a, weight)) in lanes(a).iter().zip(lanes(weight)).enumerate() {
        let a = L::load(a);
        sum[k % 2] = sum[k % 2].add_mul(a * a, L::load(weight));
    }
    (sum[0] + sum[1]).sum()
}

#[inline(always)]
fn keep_difference_body<L: Lane>(list: &mut [Registers], at: usize, x: &[f64], last: &mut [f64]) {
    for ((list, x), last) in list.iter_mut().zip(lanes(x)).zip(lanes_mut(last)) {
        (L::load(x) - L::load(last)).store(last);
        list[at] = *last;
    }
}

#[inline(always)]
fn products_body<L: Lane>(list: &[Registers], x: &[f64], weight: &[f64]) -> [f64; ANDERSON_MEMORY] {
    let mut sums = [L::splat(0.0); ANDERSON_MEMORY];
    for ((list, x), weight) in list.iter().zip(lanes(x)).zip(lanes(weight)) {
        let x = L::load(x) * L::load(weight);
        for (sum, a) in sums.iter_mut().zip(list) {
            *sum = sum.add_mul(L::load(a), x);
        }
    }
    sums.map(L::sum)
}

#[inline(always)]
fn subtract_body<L: Lane>(list: &[Registers], share: &[f64], from: &mut [f64]) {
    for (list, from) in list.iter().zip(lanes_mut(from)) {
        let mut sum = L::load(from);
        for (share, a) in share.iter().zip(list) {
            sum = sum.sub_mul(L::splat(*share), L::load(a));
        }
        sum.store(from);
    }
}
