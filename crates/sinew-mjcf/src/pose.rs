//! Poses as the compiler computes them: MuJoCo's compiler has its own rules for unit vectors,
//! which differ from the engine's in their thresholds.

use sinew_math::{Mat3, Quat, Vec3, eig3_by, scalar};

/// Lengths below this count as nothing (`mjEPS`).
pub(crate) const EPS: f64 = 1e-14;

/// `std::max`: the second only if it is larger, so that a NaN in front stays.
pub(crate) fn largest(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

/// The unit vector and the former length; a vector whose square is below [`EPS`] is left alone and
/// its length is zero.
#[doc(alias = "mjuu_normvec")]
pub(crate) fn unit_vec(v: Vec3) -> (Vec3, f64) {
    let square = v.dot(v);
    if square < EPS {
        return (v, 0.0);
    }
    let norm = scalar::sqrt(square);
    if (norm - 1.0).abs() > EPS {
        return (Vec3::new(v.x / norm, v.y / norm, v.z / norm), norm);
    }
    (v, norm)
}

/// The unit quaternion; one whose square is below [`EPS`] is left alone.
pub(crate) fn unit_quat(q: Quat) -> Quat {
    let square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if square < EPS {
        return q;
    }
    let norm = scalar::sqrt(square);
    if (norm - 1.0).abs() > EPS {
        return Quat::new(q.w / norm, q.x / norm, q.y / norm, q.z / norm);
    }
    q
}

/// The rotation that takes +z to the unit vector `v` on the shortest way.
#[doc(alias = "mjuu_z2quat")]
pub(crate) fn z_to(v: Vec3) -> Quat {
    let (mut axis, sin) = unit_vec(Vec3::Z.cross(v));
    if sin < 1e-10 {
        axis = Vec3::X;
    }
    let angle = scalar::atan2(sin, v.z);
    let s = scalar::sin(angle / 2.0);
    Quat::new(scalar::cos(angle / 2.0), axis.x * s, axis.y * s, axis.z * s)
}

/// A position and an orientation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pose {
    /// Position.
    pub(crate) pos: Vec3,
    /// Orientation.
    pub(crate) quat: Quat,
}

impl Pose {
    /// No displacement.
    pub(crate) const IDENTITY: Pose = Pose { pos: Vec3::ZERO, quat: Quat::IDENTITY };

    /// The pose in this pose's parent of a `child` given in this pose.
    #[doc(alias = "mjuu_frameaccum")]
    pub(crate) fn then(self, child: Pose) -> Pose {
        Pose {
            pos: self.pos + self.quat.to_mat() * child.pos,
            quat: unit_quat(self.quat * child.quat),
        }
    }

    /// The opposite displacement.
    #[doc(alias = "mjuu_frameinvert")]
    pub(crate) fn inverse(self) -> Pose {
        let quat = self.quat.conj();
        Pose { pos: -(quat.to_mat() * self.pos), quat }
    }
}

/// Frame and diagonal of an inertia given as xx, yy, zz, xy, xz, yz; none if it is undefined.
#[doc(alias = "mjuu_fullInertia")]
pub(crate) fn principal_axes(full: [f64; 6]) -> Result<Option<(Quat, Vec3)>, &'static str> {
    if full[0].is_nan() {
        return Ok(None);
    }
    let [xx, yy, zz, xy, xz, yz] = full;
    let eig = eig3_by(Mat3([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), unit_quat);
    if eig.val.z < EPS {
        return Err("inertia must have positive eigenvalues");
    }
    Ok(Some((eig.quat, eig.val)))
}

/// A diagonal inertia seen from the frame in which `quat` is given: xx, yy, zz, xy, xz, yz.
#[doc(alias = "mjuu_globalinertia")]
pub(crate) fn turned_inertia(diag: Vec3, quat: Quat) -> [f64; 6] {
    let m = quat.to_mat().0;
    let entry = |i: usize, j: usize| {
        m[i][0] * (m[j][0] * diag.x) + m[i][1] * (m[j][1] * diag.y) + m[i][2] * (m[j][2] * diag.z)
    };
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}

/// Inertia of a point mass at `r`: xx, yy, zz, xy, xz, yz.
#[doc(alias = "mjuu_offcenter")]
pub(crate) fn displaced_mass(mass: f64, r: Vec3) -> [f64; 6] {
    [
        mass * (r.y * r.y + r.z * r.z),
        mass * (r.x * r.x + r.z * r.z),
        mass * (r.x * r.x + r.y * r.y),
        -mass * r.x * r.y,
        -mass * r.x * r.z,
        -mass * r.y * r.z,
    ]
}

/// Frames closer than this are the same frame.
const SAME: f64 = 1e-6;

/// Whether two positions are the same but for rounding.
pub(crate) fn same_pos(a: Vec3, b: Vec3) -> bool {
    (0..3).all(|k| (a[k] - b[k]).abs() < SAME)
}

/// Whether two orientations are the same but for rounding; q and -q are.
pub(crate) fn same_quat(a: Quat, b: Quat) -> bool {
    (0..4).all(|k| (a[k] - b[k]).abs() < SAME) || (0..4).all(|k| (a[k] + b[k]).abs() < SAME)
}
