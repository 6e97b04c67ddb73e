//! The frame all methods work in: every elliptic cone becomes the Lorentz cone `|t| <= n`, and
//! every diagonal block of the matrix gets a largest eigenvalue of about one.
//!
//! `λ = S y` with `S = s diag(1, mu_1, mu_2, ..)` per contact, `P = S A S`, `q = S b`. The natural
//! map in `y` with step one is then the natural map with a step per contact that fits its inertia,
//! and its projection has a closed form even where the friction differs between axes. Axes without
//! friction have no `y`.
//!
//! `P` itself is never made: what couples the contacts is `B`, `P = B Bᵀ` (`bricks`).

use sinew_math::simd::{LANES, Lane, dispatch, padded};

use crate::cone::Cone;

/// What a block of `y` is confined to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    /// One row between two ends, which may be infinite: all cones but those with friction.
    Interval(f64, f64),
    /// `|t| <= n`.
    Lorentz,
}

/// Rows `start..start + dim` of the frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) shape: Shape,
    pub(crate) start: usize,
    pub(crate) dim: usize,
    /// Index of the cone.
    pub(crate) cone: usize,
    /// Friction where it is the same on all axes, else zero.
    pub(crate) round: f64,
    /// Of how many round contacts with three rows this is the first, to be taken together.
    pub(crate) group: usize,
}

impl Block {
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.dim
    }

    /// Whether a block that begins with `y` is away from the apex and from the ends of an interval.
    pub(crate) fn moves(&self, y: f64) -> bool {
        match self.shape {
            Shape::Lorentz => y > 0.0,
            Shape::Interval(lower, upper) => lower < y && y < upper,
        }
    }

    /// Three rows that are neighbours in the problem too.
    pub(crate) fn whole(&self) -> bool {
        self.round > 0.0 && self.dim == 3
    }
}

/// Most rows of a block.
pub(crate) const WIDEST: usize = 6;

/// The scaled problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) cones: Vec<Cone>,
    pub(crate) blocks: Vec<Block>,
    /// Row of the problem behind each row of the frame.
    pub(crate) rows: Vec<usize>,
    /// `S`.
    pub(crate) scale: Vec<f64>,
    /// `S⁻¹`.
    pub(crate) inverse_scale: Vec<f64>,
    /// Step of the residual: one over the mean of the diagonal of `A`.
    pub(crate) step: f64,
    /// `S b`, padded.
    pub(crate) q: Vec<f64>,
    /// Rows of the problem, and the first of each cone.
    total: usize,
    first: Vec<usize>,
    /// Diagonal blocks of three rows, scaled by friction alone: 00, 01, 02, 11, 12, 22.
    three: Vec<[f64; 6]>,
}

impl Frame {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Length of vectors: rows, padded.
    pub(crate) fn stride(&self) -> usize {
        padded(self.len())
    }

    /// Takes over a problem; buffers are kept. `order` has its cones, `entry` the blocks on the
    /// diagonal of `A`: of a cone, at a row and a column.
    pub(crate) fn set(
        &mut self,
        cones: &[Cone],
        order: impl IntoIterator<Item = usize>,
        b: &[f64],
        entry: &impl Fn(usize, usize, usize) -> f64,
    ) {
        self.total = b.len();
        self.cones.clear();
        self.cones.extend_from_slice(cones);
        self.first.clear();
        let mut first = 0;
        for cone in cones {
            self.first.push(first);
            first += cone.dim();
        }
        self.blocks.clear();
        self.rows.clear();
        self.scale.clear();
        self.three.clear();
        for c in order {
            let (cone, first) = (&cones[c], self.first[c]);
            let start = self.rows.len();
            self.rows.push(first);
            self.scale.push(1.0);
            for (j, &mu) in cone.friction().iter().enumerate().filter(|(_, mu)| **mu > 0.0) {
                self.rows.push(first + 1 + j);
                self.scale.push(mu);
            }
            let dim = self.rows.len() - start;
            let mu = cone.friction();
            let round = if dim == cone.dim() && mu.iter().all(|m| *m == mu[0]) {
                mu.first().copied().unwrap_or(0.0)
            } else {
                0.0
            };
            let (mut s, mut three) = (1.0, [0.0; 6]);
            if round > 0.0 && dim == 3 {
                let at = |i: usize, j: usize| entry(c, first + i, first + j);
                let square = round * round;
                three = [
                    at(0, 0),
                    at(0, 1) * round,
                    at(0, 2) * round,
                    at(1, 1) * square,
                    at(1, 2) * square,
                    at(2, 2) * square,
                ];
            } else {
                s = self.block_scale(&|i, j| entry(c, i, j), start, dim);
                self.scale[start..].iter_mut().for_each(|x| *x *= s);
            }
            self.three.push(three);
            let shape = match *cone {
                Cone::Free => Shape::Interval(f64::NEG_INFINITY, f64::INFINITY),
                Cone::Interval { lower, upper } => Shape::Interval(lower / s, upper / s),
                _ if dim == 1 => Shape::Interval(0.0, f64::INFINITY),
                _ => Shape::Lorentz,
            };
            self.blocks.push(Block { shape, start, dim, cone: c, round, group: 0 });
        }
        let mut at = 0;
        while at < self.blocks.len() {
            let group = self.blocks[at..].iter().take(LANES).take_while(|b| b.whole()).count();
            self.blocks[at].group = group;
            at += group.max(1);
        }
        scale_groups(self);
        self.inverse_scale.clear();
        self.inverse_scale.extend(self.scale.iter().map(|s| 1.0 / s));

        // q = S b
        self.q.clear();
        self.q.extend(self.rows.iter().zip(&self.scale).map(|(&r, s)| b[r] * s));
        self.q.resize(self.stride(), 0.0);
    }

    /// `1 / sqrt` of (almost) the largest eigenvalue of the block that was just laid out.
    fn block_scale(&self, entry: &impl Fn(usize, usize) -> f64, start: usize, dim: usize) -> f64 {
        match dim {
            1 => self.bound_scale::<1>(entry, start),
            2 => self.bound_scale::<2>(entry, start),
            3 => self.bound_scale::<3>(entry, start),
            4 => self.bound_scale::<4>(entry, start),
            5 => self.bound_scale::<5>(entry, start),
            _ => self.bound_scale::<6>(entry, start),
        }
    }

    fn bound_scale<const N: usize>(
        &self,
        entry: &impl Fn(usize, usize) -> f64,
        start: usize,
    ) -> f64 {
        let mut block = [[0.0; N]; N];
        let mut trace = 0.0;
        for i in 0..N {
            for j in 0..N {
                let entry = entry(self.rows[start + i], self.rows[start + j]);
                block[i][j] = entry * self.scale[start + i] * self.scale[start + j];
            }
            trace += block[i][i];
        }
        if trace.is_nan() || trace <= 0.0 || trace.is_infinite() {
            return 1.0;
        }
        if N == 1 {
            return 1.0 / trace.sqrt();
        }

        // |B⁸| with the Frobenius norm is at most sqrt(N) above the eighth power of the largest
        // eigenvalue: 7 % too much for three rows, and never too little
        let over = 1.0 / trace;
        block.iter_mut().flatten().for_each(|x| *x *= over);
        for _ in 0..3 {
            let mut square = [[0.0; N]; N];
            for i in 0..N {
                for j in 0..=i {
                    square[i][j] = (0..N).map(|k| block[i][k] * block[j][k]).sum();
                    square[j][i] = square[i][j];
                }
            }
            block = square;
        }
        let norm = block.iter().flatten().map(|x| x * x).sum::<f64>().sqrt();
        1.0 / (trace * norm.sqrt().sqrt().sqrt()).sqrt()
    }

    /// `y` of an impulse.
    pub(crate) fn enter(&self, impulses: &[f64], y: &mut [f64]) {
        for ((y, &r), s) in y.iter_mut().zip(&self.rows).zip(&self.scale) {
            *y = impulses[r] / s;
        }
    }

    /// The impulse of `y`; rows without friction are zero.
    pub(crate) fn leave(&self, y: &[f64], impulses: &mut [f64]) {
        debug_assert_eq!(impulses.len(), self.total);
        impulses.fill(0.0);
        for ((y, &r), s) in y.iter().zip(&self.rows).zip(&self.scale) {
            impulses[r] = y * s;
        }
    }
}

dispatch! {
    /// The scales of the blocks that are taken together.
    pub(crate) fn scale_groups(frame: &mut Frame)
        = scale_groups_body::<Fused>;
}

#[inline(always)]
fn scale_groups_body<L: Lane>(frame: &mut Frame) {
    let mut at = 0;
    while let Some(&Block { start, group, .. }) = frame.blocks.get(at) {
        let mut b = [[0.0; LANES]; 6];
        for (l, three) in frame.three[at..at + group].iter().enumerate() {
            for k in 0..6 {
                b[k][l] = three[k];
            }
        }
        let mut scale = [1.0; LANES];
        if group > 0 {
            bound_scales::<L>(&b).store(&mut scale);
        }
        for (l, s) in scale.iter().enumerate().take(group) {
            frame.scale[start + 3 * l..][..3].iter_mut().for_each(|x| *x *= s);
        }
        at += group.max(1);
    }
}

/// [`Frame::bound_scale`] of four blocks of three rows.
#[inline(always)]
fn bound_scales<L: Lane>(b: &[[f64; LANES]; 6]) -> L {
    let one = L::splat(1.0);
    let trace = L::load(&b[0]).add(L::load(&b[3])).add(L::load(&b[5]));
    let over = one.div(trace);
    let mut power = [one; 6];
    for k in 0..6 {
        power[k] = L::load(&b[k]).mul(over);
    }
    for _ in 0..3 {
        let [p, q, r, s, t, u] = power;
        power = [
            p.mul(p).add_mul(q, q).add_mul(r, r),
            p.mul(q).add_mul(q, s).add_mul(r, t),
            p.mul(r).add_mul(q, t).add_mul(r, u),
            q.mul(q).add_mul(s, s).add_mul(t, t),
            q.mul(r).add_mul(s, t).add_mul(t, u),
            r.mul(r).add_mul(t, t).add_mul(u, u),
        ];
    }
    let [p, q, r, s, t, u] = power;
    let off = q.mul(q).add_mul(r, r).add_mul(t, t);
    let norm = p.mul(p).add_mul(s, s).add_mul(u, u).add(off.add(off)).sqrt();
    let scale = one.div(trace.mul(norm.sqrt().sqrt().sqrt()).sqrt());
    scale.at_most(L::splat(f64::MAX)).select(scale, one)
}
