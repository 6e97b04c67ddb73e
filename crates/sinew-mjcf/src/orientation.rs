//! Orientations written otherwise than as quaternions.

use sinew_math::{Mat3, Quat, Vec3, scalar};

use crate::pose::{EPS, unit_quat, unit_vec, z_to};
use crate::settings::Settings;
use crate::spec::{Attr, Orientation};

/// π as MuJoCo writes it.
pub(crate) const PI: f64 = core::f64::consts::PI;

/// The orientation an element gives: its alternative if it has one, else its `quat` as written.
pub(crate) fn orientation(
    quat: &Attr<[f64; 4]>,
    alt: &Attr<Orientation>,
    settings: &Settings,
) -> Result<Quat, &'static str> {
    match alt.get() {
        Some(alt) => resolve(alt, settings),
        None => Ok(quat.or([1.0, 0.0, 0.0, 0.0]).into()),
    }
}

/// [`orientation`], with a plain `quat` made unit; an alternative is left as computed.
pub(crate) fn unit_orientation(
    quat: &Attr<[f64; 4]>,
    alt: &Attr<Orientation>,
    settings: &Settings,
) -> Result<Quat, &'static str> {
    let q = orientation(quat, alt, settings)?;
    Ok(if alt.is_set() { q } else { unit_quat(q) })
}

/// The quaternion of an alternative orientation, or MuJoCo's words why there is none.
#[doc(alias = "ResolveOrientation")]
pub(crate) fn resolve(alt: &Orientation, settings: &Settings) -> Result<Quat, &'static str> {
    match *alt {
        Orientation::AxisAngle([x, y, z, angle]) => {
            let angle = if settings.degree { angle / 180.0 * PI } else { angle };
            let (axis, len) = unit_vec(Vec3::new(x, y, z));
            if len < EPS {
                return Err("axisangle too small");
            }
            let s = scalar::sin(angle / 2.0);
            Ok(Quat::new(scalar::cos(angle / 2.0), s * axis.x, s * axis.y, s * axis.z))
        }
        Orientation::XyAxes([x0, x1, x2, y0, y1, y2]) => {
            xy_axes(Vec3::new(x0, x1, x2), Vec3::new(y0, y1, y2))
        }
        Orientation::ZAxis(z) => {
            let (z, len) = unit_vec(z.into());
            if len < EPS { Err("zaxis too small") } else { Ok(z_to(z)) }
        }
        Orientation::Euler(angles) => euler(angles, settings),
    }
}

impl Orientation {
    /// The quaternion it stands for; `eulerseq` has the axes of Euler angles.
    #[doc(alias = "mjs_resolveOrientation")]
    pub fn to_quat(&self, degree: bool, eulerseq: [u8; 3]) -> Result<[f64; 4], &'static str> {
        let settings = Settings { degree, eulerseq, ..Settings::new(&Default::default()) };
        resolve(self, &settings).map(Quat::to_array)
    }
}

/// The frame with this x axis and a y axis on this side of it.
fn xy_axes(x: Vec3, y: Vec3) -> Result<Quat, &'static str> {
    let (x, len) = unit_vec(x);
    if len < EPS {
        return Err("xaxis too small");
    }
    let (y, len) = unit_vec(y - x * x.dot(y));
    if len < EPS {
        return Err("yaxis too small");
    }
    let (z, len) = unit_vec(x.cross(y));
    if len < EPS {
        return Err("cross(xaxis, yaxis) too small");
    }
    Ok(Mat3::from_cols(x, y, z).to_quat())
}

/// Rotations one after the other: about the moving axes x, y, z or the fixed axes X, Y, Z.
fn euler(angles: [f64; 3], settings: &Settings) -> Result<Quat, &'static str> {
    let mut quat = Quat::IDENTITY;
    for (axis, angle) in settings.eulerseq.into_iter().zip(angles) {
        let angle = if settings.degree { angle / 180.0 * PI } else { angle };
        let (c, s) = (scalar::cos(angle / 2.0), scalar::sin(angle / 2.0));
        let turn = match axis.to_ascii_lowercase() {
            b'x' => Quat::new(c, s, 0.0, 0.0),
            b'y' => Quat::new(c, 0.0, s, 0.0),
            b'z' => Quat::new(c, 0.0, 0.0, s),
            _ => return Err("euler sequence can only contain x, y, z, X, Y, Z"),
        };
        quat = unit_quat(if axis.is_ascii_lowercase() { quat * turn } else { turn * quat });
    }
    Ok(unit_quat(quat))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::spec::Compiler;

    #[test]
    fn euler_sequences_turn_moving_or_fixed_axes() {
        let mut c = Compiler::default();
        let at = |c: &Compiler| {
            resolve(&Orientation::Euler([90.0, 90.0, 0.0]), &Settings::new(c)).unwrap()
        };
        let moving = at(&c);
        assert!((moving.rotate(Vec3::X) - Vec3::Y).norm() < 1e-15);
        c.eulerseq.set("XYZ".to_owned());
        let fixed = at(&c);
        assert!((fixed.rotate(Vec3::X) - Vec3::new(0.0, 0.0, -1.0)).norm() < 1e-15);
    }

    #[test]
    fn degenerate_axes_are_errors() {
        let s = Settings::new(&Compiler::default());
        assert!(resolve(&Orientation::ZAxis([0.0; 3]), &s).is_err());
        assert!(resolve(&Orientation::XyAxes([1.0, 0.0, 0.0, 2.0, 0.0, 0.0]), &s).is_err());
        assert!(resolve(&Orientation::AxisAngle([0.0, 0.0, 0.0, 1.0]), &s).is_err());
    }
}
