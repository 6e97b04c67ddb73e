//! The frame of all methods. Every elliptic cone becomes the Lorentz cone `|t| <= n`, and every
//! diagonal block of the matrix gets a largest eigenvalue of about one.
//!
//! `λ = S y` with `S = s diag(1, mu_1, mu_2, ..)` per contact, `P = S A S`, `q = S b`. The natural
//! map in `y` with step one then has a step per contact that fits its inertia. The map's projection
//! has a closed form even where the friction differs between axes. Axes without friction have no
//! `y`.

use sinew_math::simd::{LANES, Lane, dispatch, padded};

use crate::cone::{Cone, with_rows};

/// The set in which a block of `y` must stay.
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
    /// Whether it has three rows, and the same friction on both axes.
    pub(crate) round: bool,
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
}

/// Maximum number of rows of a block.
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
    /// First row of each cone.
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

    /// Blocks that are taken alone, and the first ones of groups, with their index.
    #[inline(always)]
    pub(crate) fn heads(&self) -> impl Iterator<Item = (usize, &Block)> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let (c, block) = (next, self.blocks.get(next)?);
            next += block.group.max(1);
            Some((c, block))
        })
    }

    /// Takes over a problem; buffers are kept. `order` has its cones, `entry` the entries
    /// of `A`, of which the blocks on the diagonal are asked for.
    pub(crate) fn set(
        &mut self,
        cones: &[Cone],
        order: impl IntoIterator<Item = usize>,
        b: &[f64],
        entry: &impl Fn(usize, usize) -> f64,
    ) {
        self.cones.clear();
        self.cones.extend_from_slice(cones);
        self.first.clear();
        self.first.extend(with_rows(cones).map(|(_, rows)| rows.start));
        self.blocks.clear();
        self.rows.clear();
        self.scale.clear();
        self.three.clear();
        order.into_iter().for_each(|c| self.push_block(c, entry));

        // neighbours that are taken together, and their scales
        let mut at = 0;
        while at < self.blocks.len() {
            let group = self.blocks[at..].iter().take(LANES).take_while(|b| b.round).count();
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

    /// Lays out the block of a cone.
    fn push_block(&mut self, c: usize, entry: &impl Fn(usize, usize) -> f64) {
        let (cone, first, start) = (self.cones[c], self.first[c], self.rows.len());
        self.rows.push(first);
        self.scale.push(1.0);
        for (j, &mu) in cone.friction().iter().enumerate().filter(|(_, mu)| **mu > 0.0) {
            self.rows.push(first + 1 + j);
            self.scale.push(mu);
        }
        let dim = self.rows.len() - start;
        let (mut s, mut three) = (1.0, [0.0; 6]);
        let round = matches!(cone, Cone::Contact3([mu, other]) if mu == other && mu > 0.0);
        if round {
            let (mu, at) = (self.scale[start + 1], |i, j| entry(first + i, first + j));
            let square = mu * mu;
            three = [at(0, 0), at(0, 1) * mu, at(0, 2) * mu, at(1, 1), at(1, 2), at(2, 2)];
            three[3..].iter_mut().for_each(|x| *x *= square);
        } else {
            s = self.block_scale(entry, start, dim);
            self.scale[start..].iter_mut().for_each(|x| *x *= s);
        }
        self.three.push(three);
        let shape = match cone {
            Cone::Free => Shape::Interval(f64::NEG_INFINITY, f64::INFINITY),
            Cone::Interval { lower, upper } => Shape::Interval(lower / s, upper / s),
            _ if dim == 1 => Shape::Interval(0.0, f64::INFINITY),
            _ => Shape::Lorentz,
        };
        self.blocks.push(Block { shape, start, dim, cone: c, round, group: 0 });
    }

    /// `1 / sqrt` of (almost) the largest eigenvalue of the block that was just laid out.
    fn block_scale(&self, entry: &impl Fn(usize, usize) -> f64, start: usize, dim: usize) -> f64 {
        let (rows, scale) = (&self.rows[start..], &self.scale[start..]);
        let mut block = [[0.0; WIDEST]; WIDEST];
        for i in 0..dim {
            for j in 0..=i {
                block[i][j] = entry(rows[i], rows[j]) * scale[i] * scale[j];
                block[j][i] = block[i][j];
            }
        }
        let trace: f64 = (0..dim).map(|i| block[i][i]).sum();
        if trace.is_nan() || trace <= 0.0 || trace.is_infinite() {
            return 1.0;
        }
        if dim == 1 {
            return 1.0 / trace.sqrt();
        }

        // |B⁸| with the Frobenius norm is at most sqrt(N) above the eighth power of the largest
        // eigenvalue: 7 % too much for three rows, and never too little
        let over = 1.0 / trace;
        block.iter_mut().flatten().for_each(|x| *x *= over);
        for _ in 0..3 {
            let last = block;
            for i in 0..dim {
                for j in 0..=i {
                    block[i][j] = (0..dim).map(|k| last[i][k] * last[j][k]).sum();
                    block[j][i] = block[i][j];
                }
            }
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
    for at in 0..frame.blocks.len() {
        let Block { start, group, .. } = frame.blocks[at];
        if group == 0 {
            continue;
        }
        let mut b = [[0.0; LANES]; 6];
        for (l, three) in frame.three[at..at + group].iter().enumerate() {
            (0..6).for_each(|k| b[k][l] = three[k]);
        }
        for (l, s) in bound_scales::<L>(&b).to_array().iter().enumerate().take(group) {
            frame.scale[start + 3 * l..][..3].iter_mut().for_each(|x| *x *= s);
        }
    }
}

/// [`Frame::block_scale`] of four blocks of three rows.
#[inline(always)]
fn bound_scales<L: Lane>(b: &[[f64; LANES]; 6]) -> L {
    let one = L::splat(1.0);
    let trace = L::load(&b[0]) + L::load(&b[3]) + L::load(&b[5]);
    let over = one / trace;
    let mut power = [one; 6];
    (0..6).for_each(|k| power[k] = L::load(&b[k]) * over);
    for _ in 0..3 {
        let [p, q, r, s, t, u] = power;
        power = [
            (p * p).add_mul(q, q).add_mul(r, r),
            (p * q).add_mul(q, s).add_mul(r, t),
            (p * r).add_mul(q, t).add_mul(r, u),
            (q * q).add_mul(s, s).add_mul(t, t),
            (q * r).add_mul(s, t).add_mul(t, u),
            (r * r).add_mul(t, t).add_mul(u, u),
        ];
    }
    let [p, q, r, s, t, u] = power;
    let off = (q * q).add_mul(r, r).add_mul(t, t);
    let norm = ((p * p).add_mul(s, s).add_mul(u, u) + (off + off)).sqrt();
    let scale = one / (trace * norm.sqrt().sqrt().sqrt()).sqrt();
    scale.at_most(L::splat(f64::MAX)).select(scale, one)
}
