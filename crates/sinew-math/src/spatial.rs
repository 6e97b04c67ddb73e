//! Spatial (6-D) vectors and inertias: rotation first, then translation.

use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::mat3::Mat3;
use crate::simd::Pair;
use crate::vec3::Vec3;

/// A spatial motion or force vector; same bytes as `[f64; 6]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Spatial {
    /// Angular velocity, or torque.
    pub rot: Vec3,
    /// Linear velocity, or force.
    pub lin: Vec3,
}

impl Spatial {
    /// All zeros.
    pub const ZERO: Spatial = Spatial { rot: Vec3::ZERO, lin: Vec3::ZERO };

    /// A spatial vector from its two halves.
    #[inline]
    pub const fn new(rot: Vec3, lin: Vec3) -> Self {
        Spatial { rot, lin }
    }

    /// The six numbers.
    #[inline]
    pub const fn to_array(self) -> [f64; 6] {
        let (r, l) = (self.rot, self.lin);
        [r.x, r.y, r.z, l.x, l.y, l.z]
    }

    /// The first six numbers of a slice; panics if there are fewer.
    #[inline]
    pub fn from_slice(s: &[f64]) -> Self {
        Spatial::new(Vec3::from_slice(s), Vec3::from_slice(&s[3..]))
    }

    /// Scalar product of a motion and a force, in the order of `mju_dot` for six numbers.
    #[inline]
    pub fn dot(self, o: Spatial) -> f64 {
        let ([a0, a1, a2, a3, a4, a5], [b0, b1, b2, b3, b4, b5]) = (self.to_array(), o.to_array());
        // sums that begin with zero have no negative zeros
        0.0 + ((a0 * b0 + a2 * b2) + (a1 * b1 + a3 * b3)) + (a4 * b4 + a5 * b5)
    }

    /// Scalar products of two motions and this force.
    #[inline(always)]
    pub fn dot_both(self, a: &Spatial, b: &Spatial) -> [f64; 2] {
        let [f0, f1, f2, f3, f4, f5] = self.to_array();
        let (f01, f23, f45) = (Pair::new(f0, f1), Pair::new(f2, f3), Pair::new(f4, f5));
        let products = |Spatial { rot, lin }: &Spatial| {
            let four = Pair::new(rot.x, rot.y) * f01 + Pair::new(rot.z, lin.x) * f23;
            (four, Pair::new(lin.y, lin.z) * f45)
        };
        let ((a, a_rest), (b, b_rest)) = (products(a), products(b));
        (Pair::both(0.0) + a.sums(b) + a_rest.sums(b_rest)).to_array()
    }

    /// Rate of change of the motion vector `v` carried by a frame that moves at `self`.
    #[doc(alias = "mju_crossMotion")]
    #[inline]
    pub fn cross_motion(self, v: Spatial) -> Spatial {
        let (w, l) = (self.rot, self.lin);
        Spatial::new(
            cross_neg_first(w, v.rot),
            cross_neg_first(w, v.lin) + cross_neg_first(l, v.rot),
        )
    }

    /// Rate of change of the force vector `f` carried by a frame that moves at `self`.
    #[doc(alias = "mju_crossForce")]
    #[inline]
    pub fn cross_force(self, f: Spatial) -> Spatial {
        let (w, l) = (self.rot, self.lin);
        Spatial::new(
            cross_neg_first(w, f.rot) + cross_neg_first(l, f.lin),
            cross_neg_first(w, f.lin),
        )
    }
}

/// a × b with MuJoCo's order of terms in spatial products: -a2 b1 + a1 b2, ...
#[inline]
fn cross_neg_first(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(-a.z * b.y + a.y * b.z, a.z * b.x - a.x * b.z, -a.y * b.x + a.x * b.y)
}

impl Add for Spatial {
    type Output = Spatial;
    #[inline]
    fn add(self, o: Spatial) -> Spatial {
        Spatial::new(self.rot + o.rot, self.lin + o.lin)
    }
}

impl Sub for Spatial {
    type Output = Spatial;
    #[inline]
    fn sub(self, o: Spatial) -> Spatial {
        Spatial::new(self.rot - o.rot, self.lin - o.lin)
    }
}

impl Neg for Spatial {
    type Output = Spatial;
    #[inline]
    fn neg(self) -> Spatial {
        Spatial::new(-self.rot, -self.lin)
    }
}

impl Mul<f64> for Spatial {
    type Output = Spatial;
    #[inline]
    fn mul(self, s: f64) -> Spatial {
        Spatial::new(self.rot * s, self.lin * s)
    }
}

impl AddAssign for Spatial {
    #[inline]
    fn add_assign(&mut self, o: Spatial) {
        *self = *self + o;
    }
}

impl SubAssign for Spatial {
    #[inline]
    fn sub_assign(&mut self, o: Spatial) {
        *self = *self - o;
    }
}

/// Spatial inertia about a point: xx yy zz xy xz yz of the rotational part, mass times offset,
/// mass; same bytes as MuJoCo's `cinert` row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct Inertia(pub [f64; 10]);

impl Inertia {
    /// Inertia about a point that lies at -`dif` from the centre of mass. `diag` and `mat` are the
    /// principal moments and axes (columns).
    #[doc(alias = "mju_inertCom")]
    #[inline]
    pub fn from_principal(diag: Vec3, mat: Mat3, dif: Vec3, mass: f64) -> Inertia {
        // R diag Rᵀ
        let r = mat.0;
        let d = diag;
        let s: [[f64; 3]; 3] = core::array::from_fn(|j| {
            let dj = d[j];
            [r[0][j] * dj, r[1][j] * dj, r[2][j] * dj]
        });
        let rot = |i: usize, k: usize| r[i][0] * s[0][k] + r[i][1] * s[1][k] + r[i][2] * s[2][k];
        let (dx, dy, dz) = (dif.x, dif.y, dif.z);

        // shifted by -m [dif]ײ
        Inertia([
            rot(0, 0) + mass * (dy * dy + dz * dz),
            rot(1, 1) + mass * (dx * dx + dz * dz),
            rot(2, 2) + mass * (dx * dx + dy * dy),
            rot(0, 1) - mass * dx * dy,
            rot(0, 2) - mass * dx * dz,
            rot(1, 2) - mass * dy * dz,
            mass * dx,
            mass * dy,
            mass * dz,
            mass,
        ])
    }
}

impl AddAssign for Inertia {
    #[inline]
    fn add_assign(&mut self, o: Inertia) {
        for (a, b) in self.0.iter_mut().zip(o.0) {
            *a += b;
        }
    }
}

impl Mul<Spatial> for Inertia {
    type Output = Spatial;
    #[rustfmt::skip]
    #[inline]
    fn mul(self, v: Spatial) -> Spatial {
        let i = self.0;
        let (w, l) = (v.rot, v.lin);
        Spatial::new(
            Vec3::new(
                i[0] * w.x + i[3] * w.y + i[4] * w.z - i[8] * l.y + i[7] * l.z,
                i[3] * w.x + i[1] * w.y + i[5] * w.z + i[8] * l.x - i[6] * l.z,
                i[4] * w.x + i[5] * w.y + i[2] * w.z - i[7] * l.x + i[6] * l.y,
            ),
            Vec3::new(
                i[8] * w.y - i[7] * w.z + i[9] * l.x,
                i[6] * w.z - i[8] * w.x + i[9] * l.y,
                i[7] * w.x - i[6] * w.y + i[9] * l.z,
            ),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spatial(seed: f64) -> Spatial {
        let x = |k: f64| (seed + 1.7 * k).sin();
        Spatial::new(Vec3::new(x(0.0), x(1.0), x(2.0)), Vec3::new(x(3.0), x(4.0), x(5.0)))
    }

    #[test]
    fn two_at_once_are_each_alone() {
        let (a, b, f) = (spatial(0.3), spatial(2.1), spatial(-4.0));
        assert_eq!(f.dot_both(&a, &b), [a.dot(f), b.dot(f)]);
        assert_eq!(a.dot(f), crate::vector::dot(&a.to_array(), &f.to_array()));
    }

    #[test]
    fn products_have_no_negative_zeros() {
        let (a, f) = (Spatial::ZERO, -spatial(0.1));
        assert_eq!(a.dot(f).to_bits(), 0);
        assert_eq!(f.dot_both(&a, &a).map(f64::to_bits), [0, 0]);
    }
}
