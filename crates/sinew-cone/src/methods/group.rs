//! Contacts with three rows that do not couple, brought to obey the law four at a time.
//!
//! The twin of `contact` in registers: one step for each contact, which is enough while the others
//! have not settled.

use sinew_math::simd::{LANES, Lane};

use crate::small::{eliminate, project_round, select3, sub3};
use crate::tuning::ROUNDING;

/// A symmetric matrix of three rows: 00, 01, 02, 11, 12, 22.
type Three = [f64; 6];

/// Blocks that do not couple with each other and are solved at once, one per lane. A group has up
/// to four contacts with three rows, or one block of another kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) blocks: [usize; LANES],
    /// First rows of the blocks; a lane without a block repeats the first.
    starts: [usize; LANES],
    /// Contacts with three rows; none for a block of another kind.
    pub(super) count: usize,
    /// The diagonal blocks and their inverses, by entries: 00, 01, 02, 11, 12, 22.
    b: [[f64; LANES]; 6],
    inverse: [[f64; LANES]; 6],
}

impl Group {
    pub(super) fn new(c: usize, start: usize) -> Group {
        let zero = [[0.0; LANES]; 6];
        Group { blocks: [c; LANES], starts: [start; LANES], count: 0, b: zero, inverse: zero }
    }

    /// Adds a block of three rows.
    #[inline]
    pub(super) fn enter(&mut self, c: usize, start: usize, b: &Three) {
        let (l, inverse) = (self.count, invert_three(b));
        for k in 0..6 {
            self.b[k][l] = b[k];
            self.inverse[k][l] = inverse[k];
        }
        self.blocks[l] = c;
        self.starts[l] = start;
        self.count += 1;
    }

    /// One step of its contacts by Coulomb's law or the convex one, where their gradient is `g`; by
    /// how much the impulses of each change.
    #[inline(always)]
    pub(super) fn settle<L: Lane>(
        &self,
        slip: bool,
        g: [L; 3],
        y: &mut [f64],
    ) -> [[f64; 3]; LANES] {
        let old = self.pick::<L>(y);
        let new = if slip { step::<L, true>(self, old, g) } else { step::<L, false>(self, old, g) };
        let (point, change) = (new.map(L::to_array), sub3(&new, &old).map(L::to_array));
        for l in 0..self.count {
            (0..3).for_each(|k| y[self.starts[l] + k] = point[k][l]);
        }
        [0, 1, 2, 3].map(|l| [change[0][l], change[1][l], change[2][l]])
    }

    /// Numbers of its contacts.
    #[inline(always)]
    pub(super) fn pick<L: Lane>(&self, v: &[f64]) -> [L; 3] {
        let three = |at: usize| [v[at], v[at + 1], v[at + 2]];
        let [a, b, c, d] = self.starts.map(three);
        [
            L::new([a[0], b[0], c[0], d[0]]),
            L::new([a[1], b[1], c[1], d[1]]),
            L::new([a[2], b[2], c[2], d[2]]),
        ]
    }
}

/// Contacts with three rows, one per lane, in the frame where their cones are `|t| <= n`: their
/// velocity is `B x + c`.
struct Contacts<L, const SLIP: bool> {
    b: [L; 6],
    c: [L; 3],
}

/// Impulses of contacts, their velocity and its sliding speed, with one step of the fixed point
/// that the law defines. The step is stored before and after its projection, with the square of its
/// length.
#[derive(Clone, Copy)]
struct Point<L> {
    x: [L; 3],
    w: [L; 3],
    speed: L,
    z: [L; 3],
    relaxed: [L; 3],
    miss: L,
}

/// One step of the contacts of a group, from `x` with gradient `g`.
#[inline(always)]
fn step<L: Lane, const SLIP: bool>(group: &Group, x: [L; 3], g: [L; 3]) -> [L; 3] {
    let zero = L::splat(0.0);
    let b = group.b.map(|b| L::load(&b));
    let c = sub3(&g, &image(&b, &x));

    // they leave; or they stick
    let leaves = if SLIP { zero.at_most(c[0]) } else { inside(&c) };
    let stick = image(&group.inverse.map(|b| L::load(&b)), &c).map(L::negated);
    let easy = select3(leaves, &[zero; 3], &stick);
    let slides = zero.at_most(zero).and_not(leaves).and_not(inside(&stick));
    if !slides.any() {
        return easy;
    }

    // they slide
    let contacts = Contacts::<L, SLIP> { b, c };
    let mut here = contacts.at(x, g);
    let tangent = x[1].abs() + x[2].abs();
    let moved = if SLIP { tangent.smaller(x[0]) } else { tangent + x[0] };
    let new = moved.at_most(zero).and(slides);
    if new.any() {
        let mut start = contacts.at_point(project_round(&stick));
        if SLIP {
            start = contacts.at_point(contacts.slide(&start));
        }
        here = here.or(new, &start);
    }
    let inner = if SLIP { here.x } else { project_round(&stick) };
    let mut next = contacts.at_point(contacts.newton(&here, &inner));
    let far = slides.and_not(contacts.is_better(&next, &here));
    if far.any() {
        next = next.or(far, &contacts.at_point(contacts.slide(&here)));
        let far = slides.and_not(contacts.is_better(&next, &here));
        next.x = select3(far, &here.relaxed, &next.x);
    }
    let size = next.x[0].abs() + next.x[1].abs() + next.x[2].abs();
    let finite = size.at_most(L::splat(f64::MAX));
    select3(slides, &select3(finite, &next.x, &x), &easy)
}

impl<L: Lane, const SLIP: bool> Contacts<L, SLIP> {
    #[inline(always)]
    fn at_point(&self, x: [L; 3]) -> Point<L> {
        let image = image(&self.b, &x);
        self.at(x, [image[0] + self.c[0], image[1] + self.c[1], image[2] + self.c[2]])
    }

    /// Evaluates the law at impulses with a velocity.
    #[inline(always)]
    fn at(&self, x: [L; 3], w: [L; 3]) -> Point<L> {
        let mut z = sub3(&x, &w);
        let speed = (w[1] * w[1]).add_mul(w[2], w[2]).sqrt();
        if SLIP {
            z[0] = z[0] - speed;
        }
        let relaxed = project_round(&z);
        let d = sub3(&relaxed, &x);
        let miss = (d[0] * d[0]).add_mul(d[1], d[1]).add_mul(d[2], d[2]);
        Point { x, w, speed, z, relaxed, miss }
    }

    /// Where one point is nearer to the law than another; by the convex law, where its value is not
    /// larger.
    #[inline(always)]
    fn is_better(&self, next: &Point<L>, here: &Point<L>) -> L {
        if SLIP {
            return next.miss.less(here.miss);
        }
        let rise = |k: usize| (next.x[k] - here.x[k]) * (next.w[k] + here.w[k]);
        (rise(0) + rise(1) + rise(2)).at_most(L::splat(0.0))
    }

    /// The impulses against the sliding at a point with which the contacts stay.
    #[inline(always)]
    fn slide(&self, here: &Point<L>) -> [L; 3] {
        if !SLIP {
            return here.relaxed;
        }
        let over = L::splat(1.0) / here.speed.larger(L::splat(f64::MIN_POSITIVE));
        let ray = [here.w[1] * over, here.w[2] * over];
        let give = self.b[0].sub_mul(self.b[1], ray[0]).sub_mul(self.b[2], ray[1]);
        let n = (self.c[0] / give).negated();
        let slid = [n, (n * ray[0]).negated(), (n * ray[1]).negated()];
        select3(L::splat(0.0).less(give), &slid, &here.x)
    }

    /// Newton's step on the natural map, where it is on the surface, and the projection of its end;
    /// else `inner`.
    ///
    /// With `u` the direction of `z_t` and `v` that across it, it leads to `h (1, u) + k (0, v)`,
    /// where `pᵀ (B x + c) = 0` with `p = (1, u)`, for Coulomb's law `(1, u + w_t / |w_t|)`, and
    /// `vᵀ (B x + c) + e k = 0` with `e = (|z_t| - z_n) / (|z_t| + z_n)`.
    #[inline(always)]
    fn newton(&self, here: &Point<L>, inner: &[L; 3]) -> [L; 3] {
        let Contacts { b, c } = self;
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let Point { w, speed, z, .. } = here;
        let t = (z[1] * z[1]).add_mul(z[2], z[2]).sqrt();
        let high = z[0] + t;
        let mut surface = z[0].less(t);
        let (u, p) = if SLIP {
            let over = one / (t * *speed);
            let (over_t, over_speed) = (over * *speed, over * t);
            surface = surface.and(zero.less(high)).and(zero.less(*speed));
            let u = [z[1] * over_t, z[2] * over_t];
            (u, [u[0].add_mul(w[1], over_speed), u[1].add_mul(w[2], over_speed)])
        } else {
            let over = one / t;
            let u = [z[1] * over, z[2] * over];
            (u, u)
        };

        // B (1, u) and B (0, v)
        let along = image(b, &[one, u[0], u[1]]);
        let across = [
            (b[2] * u[0]).sub_mul(b[1], u[1]),
            (b[4] * u[0]).sub_mul(b[3], u[1]),
            (b[5] * u[0]).sub_mul(b[4], u[1]),
        ];

        // two equations, the second times |z_t| + z_n
        let by_p = |x: &[L; 3]| x[0].add_mul(p[0], x[1]).add_mul(p[1], x[2]);
        let by_v = |x: &[L; 3]| (x[2] * u[0]).sub_mul(x[1], u[1]) * high;
        let (k11, k12, r1) = (by_p(&along), by_p(&across), by_p(c));
        let (k21, k22, r2) = (by_v(&along), by_v(&across) + (t - z[0]), by_v(c));
        let over = one / (k12 * k21).sub_mul(k11, k22);
        let h = (r1 * k22).sub_mul(r2, k12) * over;
        let k = (r2 * k11).sub_mul(r1, k21) * over;

        // |(h, k)| >= h: outside the cone
        let length = (h * h).add_mul(k, k).sqrt();
        let n = L::splat(0.5) * (h + length);
        let shrink = n / length.larger(L::splat(f64::MIN_POSITIVE));
        let turned = [(h * u[0]).sub_mul(k, u[1]), (h * u[1]).add_mul(k, u[0])];
        let end = [n, shrink * turned[0], shrink * turned[1]];
        let end = if SLIP { end } else { end.map(|x| x.and(zero.less(high))) };
        select3(surface, &end, inner)
    }
}

impl<L: Lane> Point<L> {
    /// This point, and another where a mask is set.
    #[inline(always)]
    fn or(&self, mask: L, other: &Point<L>) -> Point<L> {
        Point {
            x: select3(mask, &other.x, &self.x),
            w: select3(mask, &other.w, &self.w),
            speed: mask.select(other.speed, self.speed),
            z: select3(mask, &other.z, &self.z),
            relaxed: select3(mask, &other.relaxed, &self.relaxed),
            miss: mask.select(other.miss, self.miss),
        }
    }
}

/// A mask of where `x` is in the cone.
#[inline(always)]
fn inside<L: Lane>(x: &[L; 3]) -> L {
    let tangent = x[1] * x[1] + x[2] * x[2];
    L::splat(0.0).at_most(x[0]).and(tangent.at_most(x[0] * x[0]))
}

#[inline(always)]
fn image<L: Lane>(b: &[L; 6], x: &[L; 3]) -> [L; 3] {
    [
        (b[0] * x[0]).add_mul(b[1], x[1]).add_mul(b[2], x[2]),
        (b[1] * x[0]).add_mul(b[3], x[1]).add_mul(b[4], x[2]),
        (b[2] * x[0]).add_mul(b[4], x[1]).add_mul(b[5], x[2]),
    ]
}

/// Inverse of a symmetric 3 by 3 matrix, lifted a little where it is singular. Cofactors give it,
/// or a solve column by column where cofactors lose too many digits.
fn invert_three(b: &Three) -> Three {
    let (x, y, z) = (b[0] + ROUNDING, b[3] + ROUNDING, b[5] + ROUNDING);
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
