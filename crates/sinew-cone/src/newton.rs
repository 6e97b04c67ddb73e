//! One Newton step on the natural map, as a symmetric positive definite system.
//!
//! The derivative of `F` is `I - D + D (P + σ)`. In the eigenvectors of `D`, a coordinate with
//! eigenvalue zero moves by `-F` whatever the others do; the rows of the others, divided by their
//! eigenvalue, are
//!
//! ```text
//! (Vᵀ P V + diag(σ + (1 - δ) / δ)) d = -Vᵀ F / δ - Vᵀ P d₀
//! ```
//!
//! where `V` has the eigenvectors that take part and `d₀` is the part already known. Separated
//! contacts vanish, sliding ones lose a row, and Cholesky does what would need LU in the original
//! unknowns.

use sinew_math::simd::{LANES, Lane, dispatch, lanes_mut, padded};

use crate::dense::{self, combine};
use crate::frame::{Block, Frame, WIDEST};
use crate::natural_map::NaturalMap;
use crate::small::part_along;

/// How exactly the system is solved. With dependent rows the condition number reaches 1e11.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    Plain,
    Refined,
}

/// The reduced system and its buffers. Its size is padded; the unknowns of the padding are zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewtonSystem {
    /// Unknowns, padded.
    size: usize,
    /// Upper triangle of the matrix, then of its factor.
    k: Vec<f64>,
    /// One over the diagonal of the factor.
    over: Vec<f64>,
    /// The matrix again, for refinement.
    matrix: Vec<f64>,
    /// One past the last column that can be nonzero, for each panel of rows; padded.
    end: Vec<usize>,
    rhs: Vec<f64>,
    x: Vec<f64>,
    image: Vec<f64>,
    /// Rows of `Vᵀ P` for one block.
    strip: Vec<f64>,
    /// Blocks that take part.
    active: Vec<Active>,
}

/// A block that takes part.
#[derive(Clone, Copy, Debug)]
struct Active {
    /// Its index, first row and number of rows.
    block: usize,
    start: usize,
    dim: usize,
    /// First unknown, and how many there are.
    first: usize,
    rank: usize,
    /// Whether its eigenvectors are unit vectors.
    plain: bool,
    /// If it has three rows: first, second and third entries of the eigenvectors, and one over
    /// their eigenvalues; zeros for those that do not take part.
    v: [[f64; LANES]; 3],
    over: [f64; LANES],
    /// One past the last active block it or an earlier one couples with.
    reach: usize,
}

impl NewtonSystem {
    /// Writes the step at the point of `map` to `step`; false if the matrix could not be factored.
    pub(crate) fn step(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        proximal: f64,
        care: Care,
        step: &mut [f64],
    ) -> bool {
        self.count(frame, map);
        assemble(self, frame, map, proximal);
        if care == Care::Refined {
            self.matrix.clear();
            self.matrix.extend_from_slice(&self.k);
        }
        let entries = self.size * self.size;
        if !dense::cholesky(&mut self.k[..entries], &self.end, &mut self.over) {
            return false;
        }
        self.solve(frame, map, care, step);
        true
    }

    /// Writes the step for another `F` with the factor at hand, which belongs to the spectrum in
    /// `map`.
    pub(crate) fn step_again(&mut self, frame: &Frame, map: &NaturalMap, step: &mut [f64]) {
        self.solve(frame, map, Care::Plain, step);
    }

    /// Numbers the unknowns and finds the ends of their rows.
    fn count(&mut self, frame: &Frame, map: &NaturalMap) {
        let mut n = 0;
        self.active.clear();
        for (c, block) in frame.blocks.iter().enumerate() {
            let (rank, plain, start) = (map.rank[c], map.plain[c], block.start);
            if rank > 0 {
                let (dim, first, reach) = (block.dim, n, 0);
                let (v, over) = eigenvectors(map, block, rank, plain);
                let active = Active { block: c, start, dim, first, rank, plain, v, over, reach };
                self.active.push(active);
                n += rank;
            }
        }
        let size = padded(n);
        self.size = size;
        self.end.clear();
        self.end.resize(size / LANES, 0);
        let mut reach = 0;
        for at in 0..self.active.len() {
            // ends do not fall, so the last block of a panel decides
            let to = frame.blocks[self.active[at].block].reach;
            while self.active.get(reach).is_some_and(|other| other.block <= to) {
                reach += 1;
            }
            self.active[at].reach = reach;
            let Active { first, rank, .. } = self.active[at];
            let last = &self.active[reach - 1];
            let end = padded(last.first + last.rank);
            self.end[first / LANES..=(first + rank - 1) / LANES].fill(end);
        }
        self.k.resize(size * size + ROOM, 0.0);
        self.over.resize(size, 0.0);
        self.rhs.resize(size + ROOM, 0.0);
        self.x.resize(size + ROOM, 0.0);
        self.strip.resize(WIDEST * frame.stride(), 0.0);
        for i in n..size {
            let row = &mut self.k[i * size..(i + 1) * size];
            row[i..].fill(0.0);
            row[i] = 1.0;
            self.rhs[i] = 0.0;
        }
    }

    fn solve(&mut self, frame: &Frame, map: &NaturalMap, care: Care, step: &mut [f64]) {
        self.image.resize(frame.stride(), 0.0);
        self.image.fill(0.0);
        if known_part(self, frame, map, step) {
            frame.add_image(step, &mut self.image);
        }
        right_hand_side(self, map);
        self.x.copy_from_slice(&self.rhs);
        dense::cholesky_solve(&self.k, &self.end, &self.over, &mut self.x);
        if care == Care::Refined {
            dense::subtract_product(&self.matrix, &self.end, &self.x, &mut self.rhs);
            dense::cholesky_solve(&self.k, &self.end, &self.over, &mut self.rhs);
            dense::axpy(1.0, &self.rhs, &mut self.x);
        }

        // d = d₀ + V x
        for block in &self.active {
            let d = &mut step[block.start..block.start + block.dim];
            if let ([a, b, c], [x, y, z, ..], v) = (&mut *d, &self.x[block.first..], &block.v) {
                *a += x * v[0][0] + y * v[0][1] + z * v[0][2];
                *b += x * v[1][0] + y * v[1][1] + z * v[1][2];
                *c += x * v[2][0] + y * v[2][1] + z * v[2][2];
                continue;
            }
            let x = &self.x[block.first..block.first + block.rank];
            if block.plain {
                d.iter_mut().zip(x).for_each(|(d, x)| *d = *x);
            } else {
                for (x, v) in x.iter().zip(&map.basis[block.start..]) {
                    d.iter_mut().zip(v).for_each(|(d, v)| *d += x * v);
                }
            }
        }
    }
}

dispatch! {
    /// `d₀ = -V₀ V₀ᵀ F`, and the part of the right-hand side that needs no more than `F`; false if
    /// `d₀` is zero.
    pub(crate) fn known_part(system: &mut NewtonSystem, frame: &Frame, map: &NaturalMap, step: &mut [f64]) -> bool
        = known_part_body::<Fused>;

    /// `-Vᵀ F / δ - Vᵀ P d₀`, of which the first part is there.
    pub(crate) fn right_hand_side(system: &mut NewtonSystem, map: &NaturalMap)
        = right_hand_side_body::<Fused>;
}

#[inline(always)]
fn known_part_body<L: Lane>(
    system: &mut NewtonSystem,
    frame: &Frame,
    map: &NaturalMap,
    step: &mut [f64],
) -> bool {
    // -F where nothing else is known
    let mut any = 0.0;
    for (block, rank) in frame.blocks.iter().zip(&map.rank) {
        if *rank == 0 {
            for (d, f) in step[block.range()].iter_mut().zip(&map.f[block.range()]) {
                *d = -f;
                any += f.abs();
            }
        }
    }
    for block in &system.active {
        let rows = block.start..block.start + block.dim;
        let (f, d) = (&map.f[rows.clone()], &mut step[rows]);
        let ([a, b, c], [x, y, z]) = (f, &mut *d) else {
            any += other_known_part(map, block, f, d, &mut system.rhs);
            continue;
        };
        let v = [L::load(&block.v[0]), L::load(&block.v[1]), L::load(&block.v[2])];
        let along = combine::<L>(&block.v, [*a, *b, *c]);
        let rhs = &mut lanes_mut(&mut system.rhs[block.first..block.first + LANES])[0];
        L::splat(0.0).sub_mul(along, L::load(&block.over)).store(rhs);
        if block.rank == 3 {
            (*x, *y, *z) = (0.0, 0.0, 0.0);
        } else {
            // F less what the others see of it
            *x = v[0].mul(along).sum() - a;
            *y = v[1].mul(along).sum() - b;
            *z = v[2].mul(along).sum() - c;
            any += x.abs() + y.abs() + z.abs();
        }
    }
    any != 0.0
}

#[inline(always)]
fn right_hand_side_body<L: Lane>(system: &mut NewtonSystem, map: &NaturalMap) {
    for block in &system.active {
        let image = &system.image[block.start..block.start + block.dim];
        if let [a, b, c] = *image {
            let rhs = &mut lanes_mut(&mut system.rhs[block.first..block.first + LANES])[0];
            L::load(rhs).sub(combine::<L>(&block.v, [a, b, c])).store(rhs);
            continue;
        }
        let rhs = &mut system.rhs[block.first..block.first + block.rank];
        for (l, rhs) in rhs.iter_mut().enumerate() {
            *rhs -=
                if block.plain { image[l] } else { part_along(&map.basis[block.start + l], image) };
        }
    }
}

/// [`known_part`] of a block that does not have three rows; the sum of its sizes.
fn other_known_part(
    map: &NaturalMap,
    block: &Active,
    f: &[f64],
    d: &mut [f64],
    rhs: &mut [f64],
) -> f64 {
    let mut any = 0.0;
    d.fill(0.0);
    for k in 0..block.dim {
        let v = &map.basis[block.start + k];
        let along = if block.plain { f[k] } else { part_along(v, f) };
        if k < block.rank {
            rhs[block.first + k] = -along / map.delta[block.start + k];
            continue;
        }
        any += along.abs();
        if block.plain {
            d[k] = -along;
        } else {
            d.iter_mut().zip(v).for_each(|(d, v)| *d -= along * v);
        }
    }
    any
}

dispatch! {
    /// `K = Vᵀ P V + diag(σ + (1 - δ)/δ)`, the upper triangle.
    pub(crate) fn assemble(system: &mut NewtonSystem, frame: &Frame, map: &NaturalMap, proximal: f64)
        = assemble_body::<Fused>;
}

#[inline(always)]
fn assemble_body<L: Lane>(
    system: &mut NewtonSystem,
    frame: &Frame,
    map: &NaturalMap,
    proximal: f64,
) {
    let (size, stride) = (system.size, frame.stride());
    for (at, block) in system.active.iter().enumerate() {
        let (first, rank) = (block.first, block.rank);
        let (reached, last) = (&system.active[at..block.reach], &system.active[block.reach - 1]);

        // rows of Vᵀ P, from this block on
        let (from, to) = (block.start / LANES * LANES, padded(last.start + last.dim));
        if block.dim == 3 {
            let rows = frame.three_rows(block.start, from, to);
            let (a, rest) = system.strip.split_at_mut(stride);
            let (b, rest) = rest.split_at_mut(stride);
            let out = [&mut a[from..to], &mut b[from..to], &mut rest[from..to]];
            dense::combine_three::<L>(&block.v, rows, out);
        } else {
            for (l, strip) in system.strip.chunks_exact_mut(stride).take(rank).enumerate() {
                let v = &map.basis[block.start + l];
                strip_row(frame, block, (l, v), &mut strip[from..to], from);
            }
        }

        // times V
        for l in 0..rank {
            let row = first + l;
            let line = &mut system.k[row * size..(row + 1) * size + ROOM];
            let strip = &system.strip[l * stride..(l + 1) * stride];
            for other in reached {
                if other.dim != 3 {
                    project_strip(map, other, strip, line);
                    continue;
                }
                // what is too much is overwritten by the next block, or by the next row
                let p = &strip[other.start..other.start + 3];
                let out = &mut lanes_mut(&mut line[other.first..other.first + LANES])[0];
                combine::<L>(&other.v, [p[0], p[1], p[2]]).store(out);
            }

            // the diagonal, and zeros up to the end of the panel, which may be that of a later
            // block
            let delta = map.delta[block.start + l];
            line[row] += proximal + (1.0 - delta) / delta;
            for x in &mut line[last.first + last.rank..system.end[row / LANES]] {
                *x = 0.0;
            }
        }
    }
}

/// Entries of a row beyond its end that are written and overwritten again.
const ROOM: usize = LANES;

/// Eigenvectors of a block of three rows, by entries, and one over their eigenvalues.
#[inline(always)]
fn eigenvectors(
    map: &NaturalMap,
    block: &Block,
    rank: usize,
    plain: bool,
) -> ([[f64; LANES]; 3], [f64; LANES]) {
    let (mut v, mut over) = ([[0.0; LANES]; 3], [0.0; LANES]);
    let ([a, b, c], [x, y, z]) = (&map.basis[block.range()], &map.delta[block.range()]) else {
        return (v, over);
    };
    if plain {
        (v[0][0], v[1][1], v[2][2]) = (1.0, 1.0, 1.0);
    } else {
        for k in 0..3 {
            v[k] = [a[k], b[k], c[k], 0.0];
        }
    }
    over = [1.0 / x, 1.0 / y, 1.0 / z, 0.0];
    for l in rank..3 {
        over[l] = 0.0;
        v.iter_mut().for_each(|v| v[l] = 0.0);
    }
    (v, over)
}

/// A part of a row of `Vᵀ P V`, for a block that does not have three rows.
fn project_strip(map: &NaturalMap, block: &Active, strip: &[f64], line: &mut [f64]) {
    let p = &strip[block.start..block.start + block.dim];
    let out = &mut line[block.first..block.first + block.rank];
    if block.plain {
        out.iter_mut().zip(p).for_each(|(out, p)| *out = *p);
    } else {
        let basis = &map.basis[block.start..block.start + block.dim];
        out.iter_mut().zip(basis).for_each(|(out, v)| *out = part_along(v, p));
    }
}

/// A row of `Vᵀ P` for an eigenvector of a block, or for a unit vector, from column `from` on.
fn strip_row(
    frame: &Frame,
    block: &Active,
    (l, v): (usize, &[f64; WIDEST]),
    out: &mut [f64],
    from: usize,
) {
    let to = from + out.len();
    if block.plain {
        out.copy_from_slice(&frame.p_row(block.start + l)[from..to]);
        return;
    }
    out.fill(0.0);
    for k in 0..block.dim {
        dense::axpy(v[k], &frame.p_row(block.start + k)[from..to], out);
    }
}
