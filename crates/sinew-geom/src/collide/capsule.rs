//! Capsule against capsule.

use sinew_math::{MINVAL, Vec3, scalar};

use crate::collide::sphere::{self, Ball};
use crate::shape::Pose;
use crate::touch::Touches;

/// The axis of a capsule: `center` ± `half`, with `radius` around it.
#[derive(Clone, Copy, Debug)]
pub struct Rod {
    center: Vec3,
    half: Vec3,
    radius: f64,
    up: Vec3,
}

impl Rod {
    /// The axis of the capsule at `pose`.
    #[inline]
    pub(super) fn new(pose: &Pose, radius: f64, half_len: f64) -> Rod {
        Rod::along(pose.pos, pose.mat.col(2), [radius, half_len])
    }

    /// The axis of the capsule around `center` along the unit vector `up`.
    #[inline]
    pub fn along(center: Vec3, up: Vec3, [radius, half_len]: [f64; 2]) -> Rod {
        Rod { center, half: up * half_len, radius, up }
    }

    /// The ball at `x` in [-1, 1] along the axis.
    #[inline]
    fn at(&self, x: f64) -> Ball {
        Ball { center: self.half * x + self.center, radius: self.radius, up: self.up }
    }
}

/// Capsule against capsule: one contact at the nearest points of the axes. Parallel axes have at
/// most two, at the ends of the first, then of the second capsule.
///
/// Axes count as parallel if the determinant of their normal equations is below [`MINVAL`], which
/// also holds for very short capsules. The nearest point of a capsule
/// without length is its centre.
#[doc(alias = "mjc_CapsuleCapsule")]
pub(super) fn capsule(a: &Rod, b: &Rod, margin: f64, out: &mut impl Touches) {
    // minimum of |a(x1) - b(x2)|²:  [ma mb; mb mc] [x1; x2] = [u; v]
    let offset = a.center - b.center;
    let ma = a.half.dot(a.half);
    let mb = -a.half.dot(b.half);
    let mc = b.half.dot(b.half);
    let u = -a.half.dot(offset);
    let v = b.half.dot(offset);
    let det = ma * mc - mb * mb;

    if det.abs() >= MINVAL {
        let (x1, x2) = nearest([ma, mb, mc], u, v, det);
        sphere::sphere(&a.at(x1), &b.at(x2), margin, out);
        return;
    }

    // ends of the first capsule, then of the second until there are two contacts
    let first = out.count();
    for end in [1.0, -1.0] {
        let x2 = share(v - end * mb, mc);
        sphere::sphere(&a.at(end), &b.at(x2), margin, out);
    }
    for end in [1.0, -1.0] {
        if out.count() - first >= 2 {
            return;
        }
        let x1 = share(u - end * mb, ma);
        sphere::sphere(&a.at(x1), &b.at(end), margin, out);
    }
}

/// Nearest points of two segments that are not parallel, as shares in [-1, 1] of their halves.
#[inline]
fn nearest([ma, mb, mc]: [f64; 3], u: f64, v: f64, det: f64) -> (f64, f64) {
    let mut x1 = (mc * u - mb * v) / det;
    let mut x2 = (ma * v - mb * u) / det;
    if x1 > 1.0 {
        x1 = 1.0;
        x2 = (v - mb) / mc;
    } else if x1 < -1.0 {
        x1 = -1.0;
        x2 = (v + mb) / mc;
    }
    if x2 > 1.0 {
        x2 = 1.0;
        x1 = scalar::clip((u - mb) / ma, -1.0, 1.0);
    } else if x2 < -1.0 {
        x2 = -1.0;
        x1 = scalar::clip((u + mb) / ma, -1.0, 1.0);
    }
    (x1, x2)
}

/// `num` / `den` limited to [-1, 1]; 0 on a segment without length.
#[inline]
fn share(num: f64, den: f64) -> f64 {
    if den == 0.0 { 0.0 } else { scalar::clip(num / den, -1.0, 1.0) }
}
