//! Fixed-point iteration with Anderson's extrapolation (1965) from its last states.
//!
//! It looks for a small change, and the laws have kinks: where there is a small one without an
//! answer nearby it stays there. Steps without extrapolation leave such places.

use crate::small::solve_spd;
use crate::tuning::{ANDERSON_MEMORY, ANDERSON_RIDGE, ANDERSON_RISE};

/// The iteration. Whoever takes its steps fills `image` and `change` for `state`.
#[derive(Clone, Debug, Default)]
pub(super) struct Anderson {
    pub(super) state: Vec<f64>,
    /// What a step makes of the state, and by how much it changes it.
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
    /// Makes room for as many entries, with weights of one.
    pub(super) fn resize(&mut self, n: usize) {
        for v in [&mut self.state, &mut self.image, &mut self.change, &mut self.kept] {
            v.clear();
            v.resize(n, 0.0);
        }
        self.weight.clear();
        self.weight.resize(n, 1.0);
        self.past.resize(n);
    }

    /// Begins at the state; the residual must halve within `stall` steps. Where that has failed before,
    /// twice as many `plain` ones come first, which do not extrapolate.
    pub(super) fn start(&mut self, stall: usize, plain: bool) {
        (self.stall, self.plain) = (stall, if plain { 2 * stall } else { 0 });
        self.past.count = 0;
        (self.taken, self.waited) = (0, 0);
        (self.last, self.best) = (f64::INFINITY, f64::INFINITY);
    }

    /// The size of the change.
    pub(super) fn residual(&self) -> f64 {
        dot(&self.change, &self.change, &self.weight).sqrt()
    }

    /// Looks at a step; none if it came from an extrapolation that led away, which is taken back. A
    /// plain step may lead away for a while.
    pub(super) fn judge(&mut self) -> Option<f64> {
        self.taken += 1;
        self.waited += 1;
        let residual = self.residual();
        if self.past.count > 0 && (residual.is_nan() || residual > ANDERSON_RISE * self.last) {
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
        if self.last < 0.5 * self.best || plain {
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

/// The last differences of changes and of images, and products of the former. All differences of an
/// entry are next to each other: the products are summed at once, each in the order of the entries.
#[derive(Clone, Debug, Default)]
struct History {
    change: Vec<[f64; ANDERSON_MEMORY]>,
    image: Vec<[f64; ANDERSON_MEMORY]>,
    gram: [[f64; ANDERSON_MEMORY]; ANDERSON_MEMORY],
    last_change: Vec<f64>,
    last_image: Vec<f64>,
    /// States since it was empty, and where the next difference goes.
    count: usize,
    next: usize,
}

impl History {
    fn resize(&mut self, n: usize) {
        for list in [&mut self.change, &mut self.image] {
            list.clear();
            list.resize(n, [0.0; ANDERSON_MEMORY]);
        }
        for list in [&mut self.last_change, &mut self.last_image] {
            list.clear();
            list.resize(n, 0.0);
        }
        self.count = 0;
    }

    /// Differences that there are.
    fn len(&self) -> usize {
        self.count.saturating_sub(1).min(ANDERSON_MEMORY)
    }

    /// Takes in what a step has found.
    fn push(&mut self, change: &[f64], image: &[f64], weight: &[f64]) {
        self.count += 1;
        if self.count == 1 {
            self.next = 0;
        } else {
            let at = self.next;
            for (k, list) in self.change.iter_mut().enumerate() {
                list[at] = change[k] - self.last_change[k];
                self.image[k][at] = image[k] - self.last_image[k];
            }
            let products = self.products(|k| self.change[k][at], weight);
            for other in 0..self.len() {
                self.gram[at][other] = products[other];
                self.gram[other][at] = products[other];
            }
            self.next = (at + 1) % ANDERSON_MEMORY;
        }
        self.last_change.copy_from_slice(change);
        self.last_image.copy_from_slice(image);
    }

    /// Products of all differences of changes with a vector.
    fn products(&self, x: impl Fn(usize) -> f64, weight: &[f64]) -> [f64; ANDERSON_MEMORY] {
        let mut sum = [0.0; ANDERSON_MEMORY];
        for (k, (list, weight)) in self.change.iter().zip(weight).enumerate() {
            let x = x(k);
            for (sum, a) in sum.iter_mut().zip(list) {
                *sum += a * x * weight;
            }
        }
        sum
    }

    /// Moves the last image to where, by the differences, the change would be least.
    fn extrapolate(&self, change: &[f64], weight: &[f64], state: &mut [f64]) {
        let n = self.len();
        let mut matrix = self.gram;
        let mut share = self.products(|k| change[k], weight);
        let trace: f64 = (0..n).map(|k| matrix[k][k]).sum();
        for k in 0..n {
            matrix[k][k] += ANDERSON_RIDGE * trace;
        }
        if !solve_spd(&mut matrix, &mut share, n) {
            return;
        }
        for (state, image) in state.iter_mut().zip(&self.image) {
            for (share, image) in share.iter().zip(image).take(n) {
                *state -= share * image;
            }
        }
    }
}

fn dot(a: &[f64], b: &[f64], weight: &[f64]) -> f64 {
    a.iter().zip(b).zip(weight).map(|((a, b), w)| a * b * w).sum()
}
