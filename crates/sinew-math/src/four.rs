//! Vectors, rotations and inertias of four worlds, one in each lane of a register.
//!
//! Each world has the same operations in the same order as alone, so its bits are the same.
//! Branches on values are selections. The algebra of any number is in
//! [`algebra`](crate::algebra).

pub use crate::algebra::{Inertias, Mat3s, Number, Quats, Spatials, Vec3s};
use crate::scalar::{self, MINVAL};
use crate::simd::{LANES, Lane};
use crate::vec3::Vec3;
use crate::{Mat3, Quat, Spatial};

/// A number of each of four worlds.
pub type Four = [f64; LANES];

impl<L: Lane> Number for L {
    #[inline(always)]
    fn splat(x: f64) -> L {
        <L as Lane>::splat(x)
    }

    #[inline(always)]
    fn sqrt(self) -> L {
        Lane::sqrt(self)
    }

    #[inline(always)]
    fn abs(self) -> L {
        Lane::abs(self)
    }
}

impl<L: Lane> Vec3s<L> {
    /// The same vector four times.
    #[inline(always)]
    pub fn splat(v: Vec3) -> Self {
        Vec3s { x: L::splat(v.x), y: L::splat(v.y), z: L::splat(v.z) }
    }

    /// Reads.
    #[inline(always)]
    pub fn load(from: &[Four; 3]) -> Self {
        Vec3s { x: L::load(&from[0]), y: L::load(&from[1]), z: L::load(&from[2]) }
    }

    /// Writes.
    #[inline(always)]
    pub fn store(self, to: &mut [Four; 3]) {
        self.x.store(&mut to[0]);
        self.y.store(&mut to[1]);
        self.z.store(&mut to[2]);
    }

    /// The vectors of `a` where the mask is set, of `b` elsewhere.
    #[inline(always)]
    pub fn select(mask: L, a: Self, b: Self) -> Self {
        Vec3s { x: mask.select(a.x, b.x), y: mask.select(a.y, b.y), z: mask.select(a.z, b.z) }
    }
}

/// Mask of equal numbers.
#[inline(always)]
pub fn equal<L: Lane>(a: L, b: L) -> L {
    a.at_most(b).and(b.at_most(a))
}

impl<L: Lane> Quats<L> {
    /// The same quaternion four times.
    #[inline(always)]
    pub fn splat(q: Quat) -> Self {
        Quats([L::splat(q.w), L::splat(q.x), L::splat(q.y), L::splat(q.z)])
    }

    /// Reads.
    #[inline(always)]
    pub fn load(from: &[Four; 4]) -> Self {
        Quats([L::load(&from[0]), L::load(&from[1]), L::load(&from[2]), L::load(&from[3])])
    }

    /// Writes.
    #[inline(always)]
    pub fn store(self, to: &mut [Four; 4]) {
        for k in 0..4 {
            self.0[k].store(&mut to[k]);
        }
    }

    /// [`Quat::from_axis_angle`], of one axis.
    #[inline(always)]
    pub fn from_axis_angle(axis: Vec3, angle: L) -> Self {
        let half = (angle * L::splat(0.5)).to_array();
        let (mut sin, mut cos) = ([0.0; LANES], [0.0; LANES]);
        for k in 0..LANES {
            (sin[k], cos[k]) = (scalar::sin(half[k]), scalar::cos(half[k]));
        }
        let (s, c) = (L::load(&sin), L::load(&cos));
        // no negative zeros for the identity
        let none = equal(angle, L::splat(0.0));
        let part = |a: f64| (L::splat(a) * s).and_not(none);
        Quats([none.select(L::splat(1.0), c), part(axis.x), part(axis.y), part(axis.z)])
    }

    /// [`Quat::normalize`], without the lengths.
    #[inline(always)]
    pub fn normalize(self) -> Self {
        let [w, x, y, z] = self.0;
        let norm = (w * w + x * x + y * y + z * z).sqrt();
        let (one, least) = (L::splat(1.0), L::splat(MINVAL));
        let off = least.less((norm - one).abs());
        if !off.any() {
            return self;
        }
        let s = one / norm;
        let short = norm.less(least);
        let part = |x: L| off.select(x * s, x).and_not(short);
        Quats([short.select(one, part(w)), part(x), part(y), part(z)])
    }

    /// [`Quat::rotate`] of one vector.
    #[inline(always)]
    pub fn rotate(self, v: Vec3) -> Vec3s<L> {
        if v.x == 0.0 && v.y == 0.0 && v.z == 0.0 {
            return Vec3s::splat(Vec3::ZERO);
        }
        let (v, two) = (Vec3s::splat(v), L::splat(2.0));
        let [w, x, y, z] = self.0;
        let t = Vec3s {
            x: w * v.x + y * v.z - z * v.y,
            y: w * v.y + z * v.x - x * v.z,
            z: w * v.z + x * v.y - y * v.x,
        };
        let turned = Vec3s {
            x: v.x + two * (y * t.z - z * t.y),
            y: v.y + two * (z * t.x - x * t.z),
            z: v.z + two * (x * t.y - y * t.x),
        };
        Vec3s::select(self.is_identity(), v, turned)
    }

    /// [`Quat::to_mat`].
    #[inline(always)]
    pub fn to_mat(self) -> Mat3s<L> {
        let mut mat = self.products();
        let none = self.is_identity();
        if none.any() {
            // zeros without sign
            let [a, b, c] = mat.0;
            mat = Mat3s([
                Vec3s::select(none, Vec3s::splat(Vec3::X), a),
                Vec3s::select(none, Vec3s::splat(Vec3::Y), b),
                Vec3s::select(none, Vec3s::splat(Vec3::Z), c),
            ]);
        }
        mat
    }

    /// Mask of identity rotations.
    #[inline(always)]
    fn is_identity(self) -> L {
        let [w, x, y, z] = self.0;
        let zero = L::splat(0.0);
        equal(w, L::splat(1.0)).and(equal(x, zero)).and(equal(y, zero)).and(equal(z, zero))
    }
}

impl<L: Lane> Mat3s<L> {
    /// The same matrix four times.
    #[inline(always)]
    pub fn splat(m: Mat3) -> Self {
        Mat3s([Vec3s::splat(m.row(0)), Vec3s::splat(m.row(1)), Vec3s::splat(m.row(2))])
    }

    /// Reads.
    #[inline(always)]
    pub fn load(from: &[Four; 9]) -> Self {
        let row = |i: usize| Vec3s {
            x: L::load(&from[i]),
            y: L::load(&from[i + 1]),
            z: L::load(&from[i + 2]),
        };
        Mat3s([row(0), row(3), row(6)])
    }

    /// Writes.
    #[inline(always)]
    pub fn store(self, to: &mut [Four; 9]) {
        for i in 0..3 {
            self.0[i].x.store(&mut to[3 * i]);
            self.0[i].y.store(&mut to[3 * i + 1]);
            self.0[i].z.store(&mut to[3 * i + 2]);
        }
    }
}

impl<L: Lane> Spatials<L> {
    /// The same vector four times.
    #[inline(always)]
    pub fn splat(v: Spatial) -> Self {
        Spatials { rot: Vec3s::splat(v.rot), lin: Vec3s::splat(v.lin) }
    }

    /// The vectors of `a` where the mask is set, of `b` elsewhere.
    #[inline(always)]
    pub fn select(mask: L, a: Self, b: Self) -> Self {
        Spatials { rot: Vec3s::select(mask, a.rot, b.rot), lin: Vec3s::select(mask, a.lin, b.lin) }
    }

    /// Reads.
    #[inline(always)]
    pub fn load(from: &[Four; 6]) -> Self {
        let part = |i: usize| Vec3s {
            x: L::load(&from[i]),
            y: L::load(&from[i + 1]),
            z: L::load(&from[i + 2]),
        };
        Spatials { rot: part(0), lin: part(3) }
    }

    /// Writes.
    #[inline(always)]
    pub fn store(self, to: &mut [Four; 6]) {
        let x = self.to_array();
        for k in 0..6 {
            x[k].store(&mut to[k]);
        }
    }
}

impl<L: Lane> Inertias<L> {
    /// Reads.
    #[inline(always)]
    pub fn load(from: &[Four; 10]) -> Self {
        let mut parts = [L::splat(0.0); 10];
        for k in 0..10 {
            parts[k] = L::load(&from[k]);
        }
        Inertias(parts)
    }

    /// Writes.
    #[inline(always)]
    pub fn store(self, to: &mut [Four; 10]) {
        for k in 0..10 {
            self.0[k].store(&mut to[k]);
        }
    }

    /// [`crate::Inertia::from_principal`] of one body.
    #[inline(always)]
    pub fn from_principal(diag: Vec3, mat: Mat3s<L>, dif: Vec3s<L>, mass: f64) -> Self {
        let [r0, r1, r2] = mat.0;
        let d = Vec3s::<L>::splat(diag);
        let scaled = |r: Vec3s<L>| Vec3s { x: r.x * d.x, y: r.y * d.y, z: r.z * d.z };
        let (s0, s1, s2) = (scaled(r0), scaled(r1), scaled(r2));
        let Vec3s { x, y, z } = dif;
        let m = L::splat(mass);
        Inertias([
            r0.dot(s0) + m * (y * y + z * z),
            r1.dot(s1) + m * (x * x + z * z),
            r2.dot(s2) + m * (x * x + y * y),
            r0.dot(s1) - m * x * y,
            r0.dot(s2) - m * x * z,
            r1.dot(s2) - m * y * z,
            m * x,
            m * y,
            m * z,
            m,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Inertia;
    use crate::simd::Portable;

    type L = Portable;

    fn number(seed: usize) -> f64 {
        (1.7 * seed as f64 + 0.3).sin()
    }

    fn vec(seed: usize) -> Vec3 {
        Vec3::new(number(seed), number(seed + 50), number(seed + 90))
    }

    /// Quaternions of all kinds: zero, short, identity with various signs, random.
    fn quats() -> [Quat; 8] {
        let any = |k: usize| Quat::new(number(k), number(k + 1), number(k + 2), number(k + 3));
        [
            Quat::new(0.0, 0.0, 0.0, 0.0),
            Quat::IDENTITY,
            Quat::new(1.0, -0.0, 0.0, -0.0),
            Quat::new(1e-16, 0.0, 1e-17, 0.0),
            any(1).normalize().0,
            any(2),
            Quat::new(f64::NAN, 1.0, 0.0, 0.0),
            Quat::new(f64::INFINITY, 1.0, 0.0, 0.0),
        ]
    }

    fn join<const N: usize>(of: impl Fn(usize) -> [f64; N]) -> [Four; N] {
        core::array::from_fn(|i| core::array::from_fn(|world| of(world)[i]))
    }

    #[track_caller]
    fn same<const N: usize>(four: [Four; N], alone: impl Fn(usize) -> [f64; N]) {
        let alone = join(alone);
        for (a, b) in four.iter().flatten().zip(alone.iter().flatten()) {
            assert!(a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(), "{four:?} {alone:?}");
        }
    }

    fn put<const N: usize>(store: impl Fn(&mut [Four; N])) -> [Four; N] {
        let mut out = [[0.0; 4]; N];
        store(&mut out);
        out
    }

    #[test]
    fn rotations_are_each_alone() {
        let all = quats();
        for first in [0, 4] {
            let q = |world: usize| all[first + world];
            let four = Quats::<L>::load(&join(|w| q(w).to_array()));
            same(put(|to| four.normalize().store(to)), |w| q(w).normalize().0.to_array());
            same(put(|to| four.to_mat().store(to)), |w| q(w).to_mat().to_array());
            for v in [Vec3::ZERO, Vec3::new(-0.0, 1.0, 0.0), vec(3)] {
                same(put(|to| four.rotate(v).store(to)), |w| q(w).rotate(v).to_array());
            }
            let other = Quats::<L>::splat(all[5]);
            same(put(|to| (four * other).store(to)), |w| (q(w) * all[5]).to_array());
        }
        let (axis, angles) = (Vec3::new(-0.6, 0.0, 0.8), [0.0, -0.0, 1.3, -7.0]);
        let turned = Quats::<L>::from_axis_angle(axis, L::load(&angles));
        same(put(|to| turned.store(to)), |w| Quat::from_axis_angle(axis, angles[w]).to_array());
    }

    #[test]
    fn spatial_products_are_each_alone() {
        let (a, b) = (|w| Spatial::new(vec(w), vec(w + 7)), |w| Spatial::new(vec(w + 20), vec(w)));
        let mat = |w: usize| Mat3::from_rows(vec(w + 1), vec(w + 2), vec(w + 3));
        let (diag, mass) = (vec(30), 1.7);
        let inertia = |w| Inertia::from_principal(diag, mat(w), vec(w + 9), mass);
        let v = Spatials::<L>::load(&join(|w| a(w).to_array()));
        let f = Spatials::<L>::load(&join(|w| b(w).to_array()));
        let mats = Mat3s::<L>::load(&join(|w| mat(w).to_array()));
        let offsets = Vec3s::<L>::load(&join(|w| vec(w + 9).to_array()));
        let inertias = Inertias::from_principal(diag, mats, offsets, mass);

        same(put(|to| inertias.store(to)), |w| inertia(w).0);
        same(put(|to| inertias.mul(v).store(to)), |w| (inertia(w) * a(w)).to_array());
        same(put(|to| v.cross_motion(f).store(to)), |w| a(w).cross_motion(b(w)).to_array());
        same(put(|to| v.cross_force(f).store(to)), |w| a(w).cross_force(b(w)).to_array());
        same([v.dot(f).to_array()], |w| [a(w).dot(b(w))]);
        same(put(|to| mats.mul_vec(offsets).store(to)), |w| (mat(w) * vec(w + 9)).to_array());
    }
}
