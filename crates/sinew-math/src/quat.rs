//! Unit quaternions, scalar part first.

use core::ops::{Index, IndexMut, Mul};

use crate::scalar::{self, MINVAL};
use crate::simd::Quad;
use crate::vec3::Vec3;

/// A quaternion (w, x, y, z); same bytes as `[f64; 4]`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Quat {
    /// Scalar part.
    pub w: f64,
    /// First component of the vector part.
    pub x: f64,
    /// Second component of the vector part.
    pub y: f64,
    /// Third component of the vector part.
    pub z: f64,
}

impl Default for Quat {
    #[inline]
    fn default() -> Self {
        Quat::IDENTITY
    }
}

impl Quat {
    /// The identity rotation.
    pub const IDENTITY: Quat = Quat::new(1.0, 0.0, 0.0, 0.0);

    /// The quaternion w + xi + yj + zk.
    #[inline]
    pub const fn new(w: f64, x: f64, y: f64, z: f64) -> Self {
        Quat { w, x, y, z }
    }

    /// The components as an array, scalar part first.
    #[inline]
    pub const fn to_array(self) -> [f64; 4] {
        [self.w, self.x, self.y, self.z]
    }

    /// The first four numbers of a slice; panics if there are fewer.
    #[inline]
    pub fn from_slice(s: &[f64]) -> Self {
        Quat::new(s[0], s[1], s[2], s[3])
    }

    /// The vector part.
    #[inline]
    pub const fn vec(self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }

    /// Rotation by `angle` about the unit vector `axis`.
    #[doc(alias = "mju_axisAngle2Quat")]
    #[inline]
    pub fn from_axis_angle(axis: Vec3, angle: f64) -> Quat {
        if angle == 0.0 {
            return Quat::IDENTITY;
        }
        let s = scalar::sin(angle * 0.5);
        Quat::new(scalar::cos(angle * 0.5), axis.x * s, axis.y * s, axis.z * s)
    }

    /// Rotation that takes +z to the direction of `v`; the identity if `v` is zero.
    #[doc(alias = "mju_quatZ2Vec")]
    #[inline]
    pub fn z_to(v: Vec3) -> Quat {
        let (dir, len) = v.normalize();
        if len < MINVAL {
            return Quat::IDENTITY;
        }
        let (axis, sin) = Vec3::Z.cross(dir).normalize();
        if sin.abs() < MINVAL {
            // parallel, or a half turn about x
            let opposite = dir.dot(Vec3::Z) < 0.0;
            return if opposite { Quat::new(0.0, 1.0, 0.0, 0.0) } else { Quat::IDENTITY };
        }
        Quat::from_axis_angle(axis, scalar::atan2(sin, dir.dot(Vec3::Z)))
    }

    /// The inverse of a unit quaternion.
    #[doc(alias = "mju_negQuat")]
    #[inline]
    pub fn conj(self) -> Quat {
        Quat::new(self.w, -self.x, -self.y, -self.z)
    }

    /// The unit quaternion and the former length. A length within [`MINVAL`] of one is unchanged; a
    /// length below [`MINVAL`] gives the identity.
    #[inline]
    pub fn normalize(self) -> (Quat, f64) {
        let norm = (self.w * self.w + self.x * self.x + self.y * self.y + self.z * self.z).sqrt();
        if norm < MINVAL {
            (Quat::IDENTITY, norm)
        } else if (norm - 1.0).abs() > MINVAL {
            let s = 1.0 / norm;
            (Quat::new(self.w * s, self.x * s, self.y * s, self.z * s), norm)
        } else {
            (self, norm)
        }
    }

    /// `v` rotated by this quaternion.
    #[doc(alias = "mju_rotVecQuat")]
    #[inline]
    pub fn rotate(self, v: Vec3) -> Vec3 {
        if v.x == 0.0 && v.y == 0.0 && v.z == 0.0 {
            return Vec3::ZERO;
        }
        if self == Quat::IDENTITY {
            return v;
        }
        // v + 2 q × (w v + q × v)
        let Quat { w, x, y, z } = self;
        let t = Vec3::new(
            w * v.x + y * v.z - z * v.y,
            w * v.y + z * v.x - x * v.z,
            w * v.z + x * v.y - y * v.x,
        );
        Vec3::new(
            v.x + 2.0 * (y * t.z - z * t.y),
            v.y + 2.0 * (z * t.x - x * t.z),
            v.z + 2.0 * (x * t.y - y * t.x),
        )
    }

    /// Product with the pure quaternion (0, `axis`).
    #[doc(alias = "mju_mulQuatAxis")]
    #[inline]
    pub fn mul_axis(self, axis: Vec3) -> Quat {
        let Quat { w, x, y, z } = self;
        Quat::new(
            -x * axis.x - y * axis.y - z * axis.z,
            w * axis.x + y * axis.z - z * axis.y,
            w * axis.y + z * axis.x - x * axis.z,
            w * axis.z + x * axis.y - y * axis.x,
        )
    }

    /// Rotation vector per time `dt`: axis times angle in (-π, π], divided by `dt`.
    #[doc(alias = "mju_quat2Vel")]
    #[inline]
    pub fn to_vel(self, dt: f64) -> Vec3 {
        let (axis, sin_half) = self.vec().normalize();
        let mut angle = 2.0 * scalar::atan2(sin_half, self.w);
        if angle > core::f64::consts::PI {
            angle -= 2.0 * core::f64::consts::PI;
        }
        axis * (angle / dt)
    }

    /// The rotation vector r for which `other * exp(r) = self`.
    #[doc(alias = "mju_subQuat")]
    #[inline]
    pub fn rotvec_from(self, other: Quat) -> Vec3 {
        (other.conj() * self).to_vel(1.0)
    }

    /// Time derivative under the angular velocity `vel` (world frame).
    #[doc(alias = "mju_derivQuat")]
    #[inline]
    pub fn deriv(self, vel: Vec3) -> Quat {
        let Quat { w, x, y, z } = self;
        Quat::new(
            0.5 * (-vel.x * x - vel.y * y - vel.z * z),
            0.5 * (vel.x * w + vel.y * z - vel.z * y),
            0.5 * (-vel.x * z + vel.y * w + vel.z * x),
            0.5 * (vel.x * y - vel.y * x + vel.z * w),
        )
    }

    /// This orientation after rotating at the body-frame velocity `vel` for `dt`.
    #[doc(alias = "mju_quatIntegrate")]
    #[inline]
    pub fn integrate(self, vel: Vec3, dt: f64) -> Quat {
        let (axis, speed) = vel.normalize();
        self.normalize().0 * Quat::from_axis_angle(axis, dt * speed)
    }
}

impl Mul for Quat {
    type Output = Quat;
    #[inline]
    fn mul(self, o: Quat) -> Quat {
        // one component of `self` after another, with all of `o`: `w (w, x, y, z) + x (-x, w, -z,
        // y) + y (-y, z, w, -x) + z (-z, -y, x, w)`
        let wxyz = Quad::new(o.to_array());
        let xwzy = wxyz.neighbours();
        let yzwx = wxyz.halves_swapped();
        let zyxw = yzwx.neighbours();
        let [w, x, y, z] = self.to_array().map(Quad::all);
        let sum = (w * wxyz).sub_add(x * xwzy);
        let sum = sum + (y * yzwx).with_signs([-1.0, 1.0, 1.0, -1.0]);
        let sum = sum + (z * zyxw).with_signs([-1.0, -1.0, 1.0, 1.0]);
        sum.to_array().into()
    }
}

impl From<[f64; 4]> for Quat {
    #[inline]
    fn from(a: [f64; 4]) -> Self {
        Quat::new(a[0], a[1], a[2], a[3])
    }
}

impl From<Quat> for [f64; 4] {
    #[inline]
    fn from(q: Quat) -> Self {
        q.to_array()
    }
}

impl Index<usize> for Quat {
    type Output = f64;
    #[inline]
    fn index(&self, i: usize) -> &f64 {
        match i {
            0 => &self.w,
            1 => &self.x,
            2 => &self.y,
            3 => &self.z,
            _ => panic!("component {i} of a Quat"),
        }
    }
}

impl IndexMut<usize> for Quat {
    #[inline]
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        match i {
            0 => &mut self.w,
            1 => &mut self.x,
            2 => &mut self.y,
            3 => &mut self.z,
            _ => panic!("component {i} of a Quat"),
        }
    }
}
