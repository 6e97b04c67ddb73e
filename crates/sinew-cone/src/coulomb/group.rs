//! Contacts with three rows that do not couple, brought to obey the convex law four at a time.
//!
//! The twin of `contact` in registers: one step for each contact, which is enough while the others
//! have not settled.

use sinew_math::simd::{LANES, Lane};

use crate::frame::Frame;
use crate::small::{eliminate, select3, sub3};
use crate::tuning::{SINGULAR, WINDOW};

/// A symmetric matrix of three rows: 00, 01, 02, 11, 12, 22.
type Symmetric = [f64; 6];

/// Blocks that do not couple with each other and are solved at once, one per lane: four contacts
/// with three rows, or fewer, or one block of another kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) blocks: [usize; LANES],
    /// First rows of the blocks; that of the first one where there is none.
    starts: [usize; LANES],
    /// Contacts with three rows; none for a block of another kind.
    pub(super) count: usize,
    /// The diagonal blocks and their inverses, by entries: 00, 01, 02, 11, 12, 22.
    b: [[f64; LANES]; 6],
    inverse: [[f64; LANES]; 6],
}

impl Group {
    fn new(c: usize, start: usize) -> Group {
        let zero = [[0.0; LANES]; 6];
        Group { blocks: [c; LANES], starts: [start; LANES], count: 0, b: zero, inverse: zero }
    }

    /// Adds a block of three rows.
    #[inline]
    fn enter(&mut self, c: usize, start: usize, b: &Symmetric) {
        let (l, inverse) = (self.count, invert_three(b));
        for k in 0..6 {
            self.b[k][l] = b[k];
            self.inverse[k][l] = inverse[k];
        }
        self.blocks[l] = c;
        self.starts[l] = start;
        self.count += 1;
    }

    /// One step of its contacts; by how much the impulses of each change.
    #[inline(always)]
    pub(super) fn settle<L: Lane>(&self, y: &mut [f64], w: &[f64]) -> [[f64; 3]; LANES] {
        let old = pick::<L>(&self.starts, y);
        let new = contacts::<L>(self, old, pick::<L>(&self.starts, w));
        let (mut point, mut change) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        for k in 0..3 {
            new[k].store(&mut point[k]);
            new[k].sub(old[k]).store(&mut change[k]);
        }
        for l in 0..self.count {
            for k in 0..3 {
                y[self.starts[l] + k] = point[k][l];
            }
        }
        [0, 1, 2, 3].map(|l| [change[0][l], change[1][l], change[2][l]])
    }
}

/// All blocks of a problem in groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    list: Vec<Group>,
    grouped: Vec<bool>,
}

impl Groups {
    /// The groups, some times.
    pub(super) fn repeat(&self, times: usize) -> impl Iterator<Item = &Group> {
        std::iter::repeat_n(&self.list, times).flatten()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn forget(&mut self) {
        self.list.clear();
    }

    /// Puts all blocks into groups. `couples` tells whether two contacts do, `own` has the blocks on
    /// the diagonal.
    pub(super) fn gather(
        &mut self,
        frame: &Frame,
        couples: &impl Fn(usize, usize) -> bool,
        own: &impl Fn(usize) -> Symmetric,
    ) {
        let Groups { list, grouped } = self;
        list.clear();
        grouped.clear();
        grouped.resize(frame.blocks.len(), false);
        for (c, block) in frame.blocks.iter().enumerate() {
            if grouped[c] {
                continue;
            }
            let mut group = Group::new(c, block.start);
            if block.dim != 3 {
                list.push(group);
                continue;
            }
            for (other, candidate) in frame.blocks.iter().enumerate().skip(c).take(WINDOW) {
                let members = &group.blocks[..group.count];
                let alone = || !members.iter().any(|m| couples(*m, other));
                if candidate.dim != 3 || grouped[other] || !alone() {
                    continue;
                }
                grouped[other] = true;
                group.enter(other, candidate.start, &own(other));
                if group.count == LANES {
                    break;
                }
            }
            list.push(group);
        }
    }
}

/// Three numbers from each of four places.
#[inline(always)]
fn pick<L: Lane>(at: &[usize; LANES], v: &[f64]) -> [L; 3] {
    let three = |at: usize| [v[at], v[at + 1], v[at + 2]];
    let (a, b, c, d) = (three(at[0]), three(at[1]), three(at[2]), three(at[3]));
    [
        L::new([a[0], b[0], c[0], d[0]]),
        L::new([a[1], b[1], c[1], d[1]]),
        L::new([a[2], b[2], c[2], d[2]]),
    ]
}

#[inline(always)]
fn load<L: Lane>(b: &[[f64; LANES]; 6]) -> [L; 6] {
    [L::load(&b[0]), L::load(&b[1]), L::load(&b[2]), L::load(&b[3]), L::load(&b[4]), L::load(&b[5])]
}

/// One step of the contacts of a group, from `x` with gradient `g`.
#[inline(always)]
fn contacts<L: Lane>(group: &Group, x: [L; 3], g: [L; 3]) -> [L; 3] {
    let zero = L::splat(0.0);
    let b = load::<L>(&group.b);
    let c = sub3(&g, &image(&b, &x));

    // nothing pushes: the apex;  the unconstrained minimum fits: that one
    let apex = polar(&c);
    let free = sub3(&[zero; 3], &image(&load::<L>(&group.inverse), &c));
    let fits = polar(&free);
    let easy = select3(apex, &[zero; 3], &free);
    let hard = zero.at_most(zero).and_not(apex).and_not(fits);
    if !hard.any() {
        return easy;
    }
    let (mut x, mut g) = (x, g);
    let moved = x[0].abs().add(x[1].abs()).add(x[2].abs());
    let resting = moved.at_most(zero).and(hard);
    if resting.any() {
        let projected = project_lanes(&free);
        let at = image(&b, &projected);
        x = select3(resting, &projected, &x);
        let there = [at[0].add(c[0]), at[1].add(c[1]), at[2].add(c[2])];
        g = select3(resting, &there, &g);
    }

    // the surface, unless that would raise the value: a gradient step of length one cannot, as
    // the eigenvalues of B are at most 1
    let (mut next, low) = surface_lanes(&b, &g, &x);
    let stuck = zero.at_most(low).and(hard);
    if stuck.any() {
        next = select3(stuck, &project_lanes(&free), &next);
    }
    let d = sub3(&next, &x);
    let rise = image(&b, &d);
    let half = L::splat(0.5);
    let mut gain = d[0].mul(g[0].add_mul(half, rise[0]));
    for k in 1..3 {
        gain = gain.add_mul(d[k], g[k].add_mul(half, rise[k]));
    }
    let bad = hard.and_not(gain.at_most(zero));
    if bad.any() {
        let back = project_lanes(&sub3(&x, &g));
        next = select3(bad, &back, &next);
    }
    select3(hard, &next, &easy)
}

/// A mask of where `x` is in the cone.
#[inline(always)]
fn polar<L: Lane>(x: &[L; 3]) -> L {
    let tangent = x[1].mul(x[1]).add(x[2].mul(x[2]));
    L::splat(0.0).at_most(x[0]).and(tangent.at_most(x[0].mul(x[0])))
}

#[inline(always)]
fn project_lanes<L: Lane>(x: &[L; 3]) -> [L; 3] {
    let t = x[1].mul(x[1]).add(x[2].mul(x[2])).sqrt();
    let half = L::splat(0.5).mul(x[0].add(t)).larger(L::splat(0.0));
    let factor = half.div(t.larger(L::splat(f64::MIN_POSITIVE)));
    let inside = t.at_most(x[0]);
    let outside = [half, factor.mul(x[1]), factor.mul(x[2])];
    select3(inside, x, &outside)
}

/// Newton's step on the natural map of one contact, where it is on the surface, and the projection of
/// its end: in the axes normal, along the
/// friction `u` and across it, the step leads to `(h, h, c)`, whatever `x` is. Roots and quotients
/// take most of the time, so none waits for another that it could do without. Also how far the
/// gradient step from `x` is inside the cone; there is no surface to speak of where that is
/// positive.
#[inline(always)]
fn surface_lanes<L: Lane>(b: &[L; 6], g: &[L; 3], x: &[L; 3]) -> ([L; 3], L) {
    let (zero, one, half) = (L::splat(0.0), L::splat(1.0), L::splat(0.5));
    let z = sub3(x, g);
    let square = z[1].mul(z[1]).add_mul(z[2], z[2]);
    let (t, over) = (square.sqrt(), one.div(square));
    let (high, low) = (z[0].add(t), z[0].sub(t));
    let excess = t.sub(z[0]).div(high);

    // B in these axes; u is (z₁, z₂) / t
    let inverse = t.mul(over);
    let nu = b[1].mul(z[1]).add_mul(b[2], z[2]).mul(inverse);
    let nv = b[2].mul(z[1]).sub_mul(b[1], z[2]).mul(inverse);
    let bu = b[3].mul(z[1]).add_mul(b[4], z[2]);
    let bv = b[4].mul(z[1]).add_mul(b[5], z[2]);
    let uu = bu.mul(z[1]).add_mul(bv, z[2]).mul(over);
    let uv = bv.mul(z[1]).sub_mul(bu, z[2]).mul(over);
    let vv = b[3].add(b[5]).sub(uu);

    // F along the ray (1, u), across it, and off the cone; the last is met at once
    let along = x[1].mul(z[1]).add_mul(x[2], z[2]).mul(inverse);
    let across = x[2].mul(z[1]).sub_mul(x[1], z[2]).mul(inverse);
    let (middle, off) = (half.mul(x[0].add(along)), half.mul(x[0].sub(along)));
    let k11 = b[0].add(nu.add(nu)).add(uu);
    let (k12, k22) = (nv.add(uv), vv.add(excess));
    let r1 = high.sub(middle.add(middle)).sub_mul(off, uu.sub(b[0]));
    let r2 = zero.sub(across.add_mul(across, excess)).sub_mul(off, uv.sub(nv));
    let det = k11.mul(k22).sub_mul(k12, k12);
    let h = middle.mul(det).add_mul(r1, k22).sub_mul(r2, k12);
    let c = across.mul(det).add_mul(r2, k11).sub_mul(r1, k12);

    // |(h, c)| >= h: outside the cone. Both are too large by the determinant, which is positive
    let length = h.mul(h).add_mul(c, c).sqrt();
    let sum = half.mul(h.add(length));
    let shrink = sum.div(length.larger(L::splat(f64::MIN_POSITIVE)));
    let share = one.div(det);
    let axes = share.mul(inverse);
    let surface = [
        sum.mul(share),
        shrink.mul(h.mul(z[1]).sub_mul(c, z[2]).mul(axes)),
        shrink.mul(h.mul(z[2]).add_mul(c, z[1]).mul(axes)),
    ];
    (select3(high.at_most(zero), &[zero; 3], &surface), low)
}

#[inline(always)]
fn image<L: Lane>(b: &[L; 6], x: &[L; 3]) -> [L; 3] {
    [
        b[0].mul(x[0]).add_mul(b[1], x[1]).add_mul(b[2], x[2]),
        b[1].mul(x[0]).add_mul(b[3], x[1]).add_mul(b[4], x[2]),
        b[2].mul(x[0]).add_mul(b[4], x[1]).add_mul(b[5], x[2]),
    ]
}

/// Inverse of a symmetric 3 by 3 matrix, lifted a little where it is singular: by its cofactors, or
/// column by column if that would lose too many digits.
fn invert_three(b: &Symmetric) -> Symmetric {
    let (x, y, z) = (b[0] + SINGULAR, b[3] + SINGULAR, b[5] + SINGULAR);
    let minor = [y * z - b[4] * b[4], b[2] * b[4] - b[1] * z, b[1] * b[4] - b[2] * y];
    let determinant = x * minor[0] + b[1] * minor[1] + b[2] * minor[2];
    if determinant.is_nan() || determinant < 1e-6 {
        let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|mut column| {
            eliminate(&mut [[x, b[1], b[2]], [b[1], y, b[4]], [b[2], b[4], z]], &mut column);
            column
        });
        let [[a, d, e], [_, g, h], [_, _, i]] = columns;
        return [a, d, e, g, h, i];
    }
    let rest = [x * z - b[2] * b[2], b[1] * b[2] - x * b[4], x * y - b[1] * b[1]];
    [minor[0], minor[1], minor[2], rest[0], rest[1], rest[2]].map(|entry| entry / determinant)
}
