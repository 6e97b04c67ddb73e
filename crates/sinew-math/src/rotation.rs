//! Quaternions as rotation matrices and back.

use crate::mat3::Mat3;
use crate::quat::Quat;

impl Quat {
    /// The rotation matrix.
    #[doc(alias = "mju_quat2Mat")]
    #[inline]
    pub fn to_mat(self) -> Mat3 {
        if self == Quat::IDENTITY {
            return Mat3::IDENTITY;
        }
        let Quat { w, x, y, z } = self;
        let (ww, wx, wy, wz) = (w * w, w * x, w * y, w * z);
        let (xx, xy, xz) = (x * x, x * y, x * z);
        let (yy, yz, zz) = (y * y, y * z, z * z);
        Mat3([
            [ww + xx - yy - zz, 2.0 * (xy - wz), 2.0 * (xz + wy)],
            [2.0 * (xy + wz), ww - xx + yy - zz, 2.0 * (yz - wx)],
            [2.0 * (xz - wy), 2.0 * (yz + wx), ww - xx - yy + zz],
        ])
    }
}

impl Mat3 {
    /// The unit quaternion of a rotation matrix.
    #[doc(alias = "mju_mat2Quat")]
    #[inline]
    pub fn to_quat(self) -> Quat {
        let [[m00, m01, m02], [m10, m11, m12], [m20, m21, m22]] = self.0;
        let q = if m00 + m11 + m22 > 0.0 {
            let w = 0.5 * (1.0 + m00 + m11 + m22).sqrt();
            let q = |a: f64, b: f64| 0.25 * (a - b) / w;
            Quat::new(w, q(m21, m12), q(m02, m20), q(m10, m01))
        } else if m00 > m11 && m00 > m22 {
            let x = 0.5 * (1.0 + m00 - m11 - m22).sqrt();
            let (w, y, z) =
                (0.25 * (m21 - m12) / x, 0.25 * (m01 + m10) / x, 0.25 * (m02 + m20) / x);
            Quat::new(w, x, y, z)
        } else if m11 > m22 {
            let y = 0.5 * (1.0 - m00 + m11 - m22).sqrt();
            let (w, x, z) =
                (0.25 * (m02 - m20) / y, 0.25 * (m01 + m10) / y, 0.25 * (m12 + m21) / y);
            Quat::new(w, x, y, z)
        } else {
            let z = 0.5 * (1.0 - m00 - m11 + m22).sqrt();
            let (w, x, y) =
                (0.25 * (m10 - m01) / z, 0.25 * (m02 + m20) / z, 0.25 * (m12 + m21) / z);
            Quat::new(w, x, y, z)
        };
        q.normalize().0
    }
}
