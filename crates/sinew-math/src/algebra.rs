//! Vectors, rotations and inertias of any [`Number`]: a register of four numbers, or one.
//!
//! Operations and their order are the same as in [`Vec3`](crate::Vec3) and the other types of one
//! f64.

use core::ops::{Add, Div, Mul, Sub};

use crate::scalar;

/// The number under vectors and matrices: a register of four numbers, or one number.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// The number, in all lanes.
    fn splat(x: f64) -> Self;

    /// Square root.
    fn sqrt(self) -> Self;

    /// Absolute value.
    fn abs(self) -> Self;
}

impl Number for f64 {
    #[inline(always)]
    fn splat(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn sqrt(self) -> f64 {
        scalar::sqrt(self)
    }

    #[inline(always)]
    fn abs(self) -> f64 {
        f64::from_bits(self.to_bits() & !(1 << 63))
    }
}

impl Number for f32 {
    #[inline(always)]
    fn splat(x: f64) -> f32 {
        x as f32
    }

    #[inline(always)]
    fn sqrt(self) -> f32 {
        scalar::sqrt_f32(self)
    }

    #[inline(always)]
    fn abs(self) -> f32 {
        f32::from_bits(self.to_bits() & !(1 << 31))
    }
}

/// Vectors.
#[derive(Clone, Copy, Debug)]
pub struct Vec3s<L> {
    /// First components.
    pub x: L,
    /// Second components.
    pub y: L,
    /// Third components.
    pub z: L,
}

/// Quaternions, scalar parts first.
#[derive(Clone, Copy, Debug)]
pub struct Quats<L>(pub [L; 4]);

/// Matrices, by rows.
#[derive(Clone, Copy, Debug)]
pub struct Mat3s<L>(pub [Vec3s<L>; 3]);

/// Spatial vectors.
#[derive(Clone, Copy, Debug)]
pub struct Spatials<L> {
    /// Rotations.
    pub rot: Vec3s<L>,
    /// Translations.
    pub lin: Vec3s<L>,
}

/// Inertias.
#[derive(Clone, Copy, Debug)]
pub struct Inertias<L>(pub [L; 10]);

impl<L: Number> Vec3s<L> {
    /// Scalar products.
    #[inline(always)]
    pub fn dot(self, o: Self) -> L {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    /// Vector products.
    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        Vec3s {
            x: self.y * o.z - self.z * o.y,
            y: self.z * o.x - self.x * o.z,
            z: self.x * o.y - self.y * o.x,
        }
    }

    /// Products with scalars.
    #[inline(always)]
    pub fn scale(self, s: L) -> Self {
        Vec3s { x: self.x * s, y: self.y * s, z: self.z * s }
    }
}

impl<L: Number> Add for Vec3s<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Vec3s { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

impl<L: Number> Sub for Vec3s<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Vec3s { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

impl<L: Number> Quats<L> {
    /// The rotation matrices of unit quaternions.
    #[inline(always)]
    pub fn products(self) -> Mat3s<L> {
        let [w, x, y, z] = self.0;
        let two = L::splat(2.0);
        let (ww, xx, yy, zz) = (w * w, x * x, y * y, z * z);
        let (wx, wy, wz) = (w * x, w * y, w * z);
        let (xy, xz, yz) = (x * y, x * z, y * z);
        Mat3s([
            Vec3s { x: ww + xx - yy - zz, y: two * (xy - wz), z: two * (xz + wy) },
            Vec3s { x: two * (xy + wz), y: ww - xx + yy - zz, z: two * (yz - wx) },
            Vec3s { x: two * (xz - wy), y: two * (yz + wx), z: ww - xx - yy + zz },
        ])
    }
}

impl<L: Number> Mul for Quats<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        let ([aw, ax, ay, az], [bw, bx, by, bz]) = (self.0, o.0);
        Quats([
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ])
    }
}

impl<L: Number> Mat3s<L> {
    /// Products with vectors.
    #[inline(always)]
    pub fn mul_vec(self, v: Vec3s<L>) -> Vec3s<L> {
        Vec3s { x: self.0[0].dot(v), y: self.0[1].dot(v), z: self.0[2].dot(v) }
    }

    /// Columns.
    #[inline(always)]
    pub fn cols(self) -> [Vec3s<L>; 3] {
        let [a, b, c] = self.0;
        [
            Vec3s { x: a.x, y: b.x, z: c.x },
            Vec3s { x: a.y, y: b.y, z: c.y },
            Vec3s { x: a.z, y: b.z, z: c.z },
        ]
    }
}

impl<L: Number> Spatials<L> {
    /// Motion vectors of rotations about axes through a point at `offset` from the reference point.
    #[inline(always)]
    pub fn turn(axis: Vec3s<L>, offset: Vec3s<L>) -> Self {
        Spatials { rot: axis, lin: axis.cross(offset) }
    }

    /// Sums.
    #[inline(always)]
    pub fn plus(self, o: Self) -> Self {
        Spatials { rot: self.rot + o.rot, lin: self.lin + o.lin }
    }

    /// Products with scalars.
    #[inline(always)]
    pub fn scale(self, s: L) -> Self {
        Spatials { rot: self.rot.scale(s), lin: self.lin.scale(s) }
    }

    /// [`crate::Spatial::cross_motion`].
    #[inline(always)]
    pub fn cross_motion(self, v: Self) -> Self {
        Spatials { rot: self.rot.cross(v.rot), lin: self.rot.cross(v.lin) + self.lin.cross(v.rot) }
    }

    /// [`crate::Spatial::cross_force`].
    #[inline(always)]
    pub fn cross_force(self, f: Self) -> Self {
        Spatials { rot: self.rot.cross(f.rot) + self.lin.cross(f.lin), lin: self.rot.cross(f.lin) }
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [L; 6] {
        let (r, l) = (self.rot, self.lin);
        [r.x, r.y, r.z, l.x, l.y, l.z]
    }

    /// [`crate::Spatial::dot`].
    #[inline(always)]
    pub fn dot(self, o: Self) -> L {
        let ([a0, a1, a2, a3, a4, a5], [b0, b1, b2, b3, b4, b5]) = (self.to_array(), o.to_array());
        L::splat(0.0) + ((a0 * b0 + a2 * b2) + (a1 * b1 + a3 * b3)) + (a4 * b4 + a5 * b5)
    }
}

impl<L: Number> Inertias<L> {
    /// Sums.
    #[inline(always)]
    pub fn added_to(self, mut o: Self) -> Self {
        for k in 0..10 {
            o.0[k] = o.0[k] + self.0[k];
        }
        o
    }

    /// Products of inertias and motions.
    #[rustfmt::skip]
    #[inline(always)]
    pub fn mul(&self, v: Spatials<L>) -> Spatials<L> {
        let i = &self.0;
        let (w, l) = (v.rot, v.lin);
        Spatials {
            rot: Vec3s {
                x: i[0] * w.x + i[3] * w.y + i[4] * w.z - i[8] * l.y + i[7] * l.z,
                y: i[3] * w.x + i[1] * w.y + i[5] * w.z + i[8] * l.x - i[6] * l.z,
                z: i[4] * w.x + i[5] * w.y + i[2] * w.z - i[7] * l.x + i[6] * l.y,
            },
            lin: Vec3s {
                x: i[8] * w.y - i[7] * w.z + i[9] * l.x,
                y: i[6] * w.z - i[8] * w.x + i[9] * l.y,
                z: i[7] * w.x - i[6] * w.y + i[9] * l.z,
            },
        }
    }
}
