//! The Jacobian of the rows of a contact, four dofs at a time.
// stores without bounds checks, after the check at the top of each kernel
#![allow(unsafe_code)]

use core::ops::{Add, Mul, Sub};

use sinew_math::simd::{LANES, Lane, dispatch};
use sinew_math::{Mat3, Vec3};
use sinew_model::Data;

use crate::dof_chain::{ChainLink, Moves};
use crate::work::ChainBlock;

dispatch! {
    /// The rows of a contact of two bodies, with the motion axes of the dofs that move them, at the
    /// point `pos`.
    pub(super) fn rows_of_bodies(blocks: &[ChainBlock], pos: Vec3, rows: ContactRows<'_>)
        = rows_of_bodies_kernel::<Exact>;

    /// The rows of a contact whose motion by each dof is known: translation, then rotation.
    pub(super) fn rows_of_columns(columns: &[[Vec3; 2]], rows: ContactRows<'_>)
        = rows_of_columns_kernel::<Exact>;
}

/// Inputs and outputs of a contact's rows.
pub(super) struct ContactRows<'a> {
    /// Normal and two tangents.
    pub(super) frame: &'a Mat3,
    pub(super) friction: &'a [f64; 5],
    /// Dimension of the contact, from one to six.
    pub(super) dim: usize,
    /// Whether rows go along the edges of a pyramid: normal plus and minus each friction direction.
    /// Otherwise they go along the axes: normal and tangents, then rotation about them.
    pub(super) pyramid: bool,
    /// Numbers of a row.
    pub(super) width: usize,
    /// The rows, one after the other.
    pub(super) out: &'a mut [f64],
}

/// The first column of each block of four. The last block has columns of the one before, so that
/// whole registers are written, unless there are fewer than four.
#[inline(always)]
fn block_starts(width: usize) -> impl Iterator<Item = usize> {
    (0..width).step_by(LANES).map(move |start| start.min(width.saturating_sub(LANES)))
}

/// The motion axes of a chain; axes of the first and the second body refer to these centres of
/// mass. A dof that moves both bodies moves the point of both alike.
pub(super) fn axis_blocks(
    d: &Data,
    chain: &[ChainLink],
    [first, second]: [Vec3; 2],
    blocks: &mut Vec<ChainBlock>,
) {
    let n = chain.len().div_ceil(LANES);
    if blocks.len() < n {
        blocks.resize(n, ChainBlock::default());
    }

    // relative velocity: the second body's less the first body's
    for (start, block) in block_starts(chain.len()).zip(blocks) {
        for (k, link) in chain[start..].iter().take(LANES).enumerate() {
            let cdof = &d.cdof[link.dof];
            let (sign, com) = match link.moves {
                Moves::First => (-1.0, first),
                Moves::Second => (1.0, second),
                Moves::Both => (0.0, second),
            };
            put_lane(&mut block.rot, k, cdof.rot);
            put_lane(&mut block.lin, k, cdof.lin);
            put_lane(&mut block.com, k, com);
            block.sign[k] = sign;
        }
    }
}

#[inline(always)]
fn put_lane(lanes: &mut [[f64; LANES]; 3], k: usize, v: Vec3) {
    (lanes[0][k], lanes[1][k], lanes[2][k]) = (v.x, v.y, v.z);
}

#[inline(always)]
fn rows_of_bodies_kernel<L: Lane>(blocks: &[ChainBlock], pos: Vec3, mut rows: ContactRows<'_>) {
    rows.check();
    for (start, block) in block_starts(rows.width).zip(blocks) {
        let (rot, sign) = (Three::<L>::load(&block.rot), L::load(&block.sign));
        let offset = Three::splat(pos.to_array()) - Three::load(&block.com);
        let lin = Three::load(&block.lin) + rot.cross(offset);
        rows.put_block(start, lin * sign, || rot * sign);
    }
}

#[inline(always)]
fn rows_of_columns_kernel<L: Lane>(columns: &[[Vec3; 2]], mut rows: ContactRows<'_>) {
    rows.check();
    for start in block_starts(rows.width) {
        let [mut lin, mut rot] = [[[0.0; LANES]; 3]; 2];
        for (k, column) in columns[start..].iter().take(LANES).enumerate() {
            put_lane(&mut lin, k, column[0]);
            put_lane(&mut rot, k, column[1]);
        }
        rows.put_block(start, Three::<L>::load(&lin), || Three::load(&rot));
    }
}

impl ContactRows<'_> {
    /// Asserts that there is space for all rows.
    #[inline(always)]
    fn check(&self) {
        let rows = if self.pyramid { 2 * self.dim.saturating_sub(1) } else { self.dim };
        assert!(self.out.len() >= rows * self.width);
    }

    /// All rows over the four dofs from `start`, by their translation and rotation of the second
    /// side relative to the first.
    #[inline(always)]
    fn put_block<L: Lane>(&mut self, start: usize, lin: Three<L>, rot: impl FnOnce() -> Three<L>) {
        let along = self.along(lin);
        for (k, axis) in along.into_iter().enumerate() {
            self.put_axis(start, k, along[0], axis);
        }
        if self.dim > 3 {
            for (k, axis) in self.along(rot()).into_iter().enumerate() {
                self.put_axis(start, k + 3, along[0], axis);
            }
        }
    }

    /// Components of a motion along the axes of the contact.
    #[inline(always)]
    fn along<L: Lane>(&self, motion: Three<L>) -> [L; 3] {
        let [normal, tangent1, tangent2] = self.frame.0;
        [motion.along(normal), motion.along(tangent1), motion.along(tangent2)]
    }

    /// The rows that axis `k` is for, if the contact has it.
    #[inline(always)]
    fn put_axis<L: Lane>(&mut self, start: usize, k: usize, normal: L, axis: L) {
        if k >= self.dim {
            return;
        }
        if !self.pyramid {
            self.put(start, k, axis);
        } else if k > 0 {
            let tangent = axis * L::splat(self.friction[k - 1]);
            self.put(start, 2 * k - 2, normal + tangent);
            self.put(start, 2 * k - 1, normal - tangent);
        }
    }

    /// Up to four numbers of a row, from column `start`.
    #[inline(always)]
    fn put<L: Lane>(&mut self, start: usize, row: usize, numbers: L) {
        let at = row * self.width + start;
        if self.width < LANES {
            numbers.store_some(&mut self.out[at..], self.width);
            return;
        }
        // SAFETY: `check` has found space for the rows, and `start` is at least four columns before
        // the end of one.
        unsafe { numbers.store_at(self.out.as_mut_ptr().add(at)) }
    }
}

/// Four vectors, by components.
#[derive(Clone, Copy)]
struct Three<L>([L; 3]);

impl<L: Lane> Three<L> {
    #[inline(always)]
    fn load(x: &[[f64; LANES]; 3]) -> Self {
        Three([L::load(&x[0]), L::load(&x[1]), L::load(&x[2])])
    }

    #[inline(always)]
    fn splat(x: [f64; 3]) -> Self {
        Three([L::splat(x[0]), L::splat(x[1]), L::splat(x[2])])
    }

    /// Scalar products with one vector, summed as [`Vec3::dot`].
    #[inline(always)]
    fn along(self, axis: [f64; 3]) -> L {
        let (Three([x, y, z]), Three([a, b, c])) = (self, Self::splat(axis));
        a * x + b * y + c * z
    }

    #[inline(always)]
    fn cross(self, o: Self) -> Self {
        let (Three([x, y, z]), Three([a, b, c])) = (self, o);
        Three([y * c - z * b, z * a - x * c, x * b - y * a])
    }
}

impl<L: Lane> Add for Three<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        let (Three([x, y, z]), Three([a, b, c])) = (self, o);
        Three([x + a, y + b, z + c])
    }
}

impl<L: Lane> Sub for Three<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        let (Three([x, y, z]), Three([a, b, c])) = (self, o);
        Three([x - a, y - b, z - c])
    }
}

impl<L: Lane> Mul<L> for Three<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, scale: L) -> Self {
        let Three([x, y, z]) = self;
        Three([x * scale, y * scale, z * scale])
    }
}
