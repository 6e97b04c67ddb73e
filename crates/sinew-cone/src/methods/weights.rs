//! `U`, `V` and `Δ` of a linear system: see `system`.

use std::ops::Range;

use sinew_math::simd::{LANES, Lane, dispatch, lanes_mut};

use super::iterate::Iterate;
use crate::dense::combine;
use crate::frame::{Block, Frame, Shape, WIDEST};
use crate::natural_map::NaturalMap;
use crate::small::{part_along, tangent};

/// `U` and `Δ`, at the rows of the frame; the rows of a block that take part come first.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    /// Whether `U` is not `V`, and `U` then.
    pub(super) slides: bool,
    turned: Vec<[f64; WIDEST]>,
    pub(super) delta: Vec<f64>,
    /// Blocks that take part, and how many unknowns they have.
    pub(super) active: Vec<Active>,
    pub(super) unknowns: usize,
}

/// A block that takes part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Active {
    /// Index, first row and number of rows of the block.
    pub(super) block: usize,
    pub(super) start: usize,
    pub(super) dim: usize,
    /// First unknown, and how many there are.
    pub(super) first: usize,
    pub(super) rank: usize,
    /// If it has three rows, its eigenvectors by entries, and one over their eigenvalues; zeros for
    /// those that do not take part.
    pub(super) v: [[f64; LANES]; 3],
    over: [f64; LANES],
}

impl Active {
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.start + self.dim
    }
}

impl Weights {
    /// Numbers the unknowns.
    pub(super) fn number(&mut self, frame: &Frame, map: &NaturalMap) {
        self.active.clear();
        let mut first = 0;
        for (c, block) in frame.blocks.iter().enumerate().filter(|(c, _)| map.rank[*c] > 0) {
            let (rank, Block { start, dim, .. }) = (map.rank[c], *block);
            let (mut v, mut over) = ([[0.0; LANES]; 3], [0.0; LANES]);
            if dim == 3 {
                v = by_entries(&map.basis[block.range()], rank);
                let delta = map.delta[block.range()].iter().take(rank);
                over.iter_mut().zip(delta).for_each(|(over, delta)| *over = 1.0 / delta);
            }
            self.active.push(Active { block: c, start, dim, first, rank, v, over });
            first += rank;
        }
        self.unknowns = first;
    }

    pub(super) fn resize(&mut self, frame: &Frame) {
        self.delta.resize(frame.len(), 0.0);
        self.turned.resize(frame.len(), [0.0; WIDEST]);
    }

    /// `U`.
    #[inline(always)]
    pub(super) fn left<'a>(&'a self, map: &'a NaturalMap) -> &'a [[f64; WIDEST]] {
        if self.slides { &self.turned } else { &map.basis }
    }

    /// Takes over a system that is symmetric.
    pub(super) fn set(&mut self, delta: &[f64]) {
        self.slides = false;
        self.delta.copy_from_slice(delta);
    }

    /// Turns the rows of a system in which all take part, `U = Gᵀ V`.
    pub(super) fn turn(&mut self, frame: &Frame, map: &NaturalMap, turn: &[f64]) {
        for block in &frame.blocks {
            for at in block.range() {
                let v = map.basis[at];
                self.turned[at] = v;
                if block.shape == Shape::Lorentz && v[0] != 0.0 {
                    self.slides = true;
                    for (k, u) in turn[block.range()].iter().enumerate().skip(1) {
                        self.turned[at][k] += v[0] * u;
                    }
                }
            }
        }
    }

    /// The system of a step by the convex law.
    pub(super) fn set_convex(&mut self, map: &NaturalMap, proximal: f64) {
        self.slides = false;
        for (out, delta) in self.delta.iter_mut().zip(&map.delta) {
            // where it is zero nobody takes part
            *out = proximal + (1.0 - delta) / delta;
        }
    }

    /// The same by Coulomb's law, from a point with gradient `w`.
    pub(super) fn set_coulomb(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        w: &[f64],
        proximal: f64,
    ) {
        self.slides = false;
        for (c, block) in frame.blocks.iter().enumerate() {
            let ratio = |k: usize| frame.scale[block.start + k] / frame.scale[block.start];
            let speed = if sticks(map, c, block) { 0.0 } else { sliding(block, w) };
            for at in block.start..block.start + map.rank[c] {
                let (v, delta) = (map.basis[at], map.delta[at]);
                self.turned[at] = v;
                if speed > 0.0 && v[0] != 0.0 {
                    // Gᵀ v
                    self.slides = true;
                    for (k, w) in w[block.range()].iter().enumerate().skip(1) {
                        self.turned[at][k] += v[0] * w / speed;
                    }
                }

                // impulses that change no velocity stay where they are, in the units of the problem
                let weight: f64 = (0..block.dim).map(|k| (v[k] * ratio(k)).powi(2)).sum();
                self.delta[at] = proximal * weight + (1.0 - delta) / delta;
            }
        }
    }
}

/// Speed along the surface of a contact.
fn sliding(block: &Block, w: &[f64]) -> f64 {
    if block.shape == Shape::Lorentz { tangent(&w[block.range()]) } else { 0.0 }
}

/// Whether a contact is inside its cone: nothing of its rows is known in advance.
pub(super) fn sticks(map: &NaturalMap, c: usize, block: &Block) -> bool {
    block.shape == Shape::Lorentz && map.plain[c] && map.rank[c] == block.dim
}

/// Three eigenvectors by their entries; vectors from `rank` on are zero.
#[inline(always)]
pub(super) fn by_entries(basis: &[[f64; WIDEST]], rank: usize) -> [[f64; LANES]; 3] {
    let mut v = [[0.0; LANES]; 3];
    for (l, axis) in basis.iter().enumerate().take(rank) {
        (v[0][l], v[1][l], v[2][l]) = (axis[0], axis[1], axis[2]);
    }
    v
}

dispatch! {
    /// Writes `d₀ = -V₀ V₀ᵀ F` to `step` and `-Vᵀ F / δ` to `rhs`, which has four more numbers than
    /// rows. `w` takes the place of `F` where a contact sticks.
    pub(crate) fn right_hand_side(
        weights: &Weights,
        frame: &Frame,
        map: &NaturalMap,
        here: &Iterate,
        step: &mut [f64],
        rhs: &mut [f64],
    ) = right_hand_side_body::<Fused>;
}

#[inline(always)]
fn right_hand_side_body<L: Lane>(
    weights: &Weights,
    frame: &Frame,
    map: &NaturalMap,
    here: &Iterate,
    step: &mut [f64],
    rhs: &mut [f64],
) {
    // -F where nothing else is known
    for (block, rank) in frame.blocks.iter().zip(&map.rank) {
        if *rank == 0 {
            for (d, f) in step[block.range()].iter_mut().zip(&here.f[block.range()]) {
                *d = -f;
            }
        }
    }
    for block in &weights.active {
        let sticks = sticks(map, block.block, &frame.blocks[block.block]);
        let f = if sticks { &here.w[block.range()] } else { &here.f[block.range()] };
        let d = &mut step[block.range()];
        if let ([a, b, c], [x, y, z]) = (f, &mut *d) {
            // entries past the block are overwritten by the next block
            let along = combine::<L>(&block.v, [*a, *b, *c]);
            let rhs = &mut lanes_mut(&mut rhs[block.start..block.start + LANES])[0];
            L::splat(0.0).sub_mul(along, L::load(&block.over)).store(rhs);
            (*x, *y, *z) = (0.0, 0.0, 0.0);
            if block.rank < 3 {
                // F less its part that the others see
                let v = [L::load(&block.v[0]), L::load(&block.v[1]), L::load(&block.v[2])];
                *x = (v[0] * along).sum() - a;
                *y = (v[1] * along).sum() - b;
                *z = (v[2] * along).sum() - c;
            }
            continue;
        }
        d.fill(0.0);
        for (l, at) in block.range().enumerate() {
            let along = part_along(&map.basis[at], f);
            if l < block.rank {
                rhs[at] = -along / map.delta[at];
            } else {
                add(d, -along, &map.basis[at]);
            }
        }
    }
}

/// Adds the eigenvectors that take part to a vector, each as often as `x` says.
pub(super) fn add_all(
    to: &mut [f64],
    weights: &Weights,
    map: &NaturalMap,
    x: impl Fn(usize) -> f64,
) {
    for block in &weights.active {
        for at in block.start..block.start + block.rank {
            add(&mut to[block.range()], x(at), &map.basis[at]);
        }
    }
}

/// Adds a multiple of an eigenvector to its block.
#[inline(always)]
pub(super) fn add(to: &mut [f64], factor: f64, v: &[f64; WIDEST]) {
    if let [a, b, c] = to {
        (*a, *b, *c) = (*a + factor * v[0], *b + factor * v[1], *c + factor * v[2]);
        return;
    }
    to.iter_mut().zip(v).for_each(|(to, v)| *to += factor * v);
}
