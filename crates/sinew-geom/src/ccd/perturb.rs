//! Several contacts from one, by turning the solids a little about it.
//!
//! Where flat or straight sides face each other, a small rotation moves the deepest point to
//! another end of the common face or edge. Used where the faces themselves are not known.

use sinew_math::algebra::Quats;
use sinew_math::{Mat3, Vec3};

use crate::ccd::gjk::Pair;
use crate::ccd::memory::Memory;
use crate::ccd::options::Options;
use crate::ccd::query::find_contacts;
use crate::ccd::support::Outline;
use crate::ccd::work::Search;
use crate::shape::Pose;
use crate::touch::{Touch, Touches};

/// Cosine and sine of half the angle of the turns, 1e-3 rad; in digits, since a GPU's sines differ.
const HALF_TURN: [f64; 2] = [0.999_999_875_000_002_6, 4.999_999_791_666_669e-4];

/// Contacts nearer than this share of the bounding radius are one.
const RELATIVE_TOL: f64 = 1e-3;

/// Whether both solids have flat or straight sides.
pub(super) fn is_useful(pair: &Pair) -> bool {
    let is_round =
        |outline: &Outline| matches!(outline, Outline::Ball { .. } | Outline::Ellipsoid { .. });
    !is_round(&pair.a.outline) && !is_round(&pair.b.outline)
}

/// Adds up to four contacts to the one that `out` ends with.
pub(super) fn add_contacts<M: Memory>(
    pair: &mut Pair,
    margin: f64,
    options: &Options,
    search: &mut Search<M>,
    out: &mut impl Touches,
) {
    let Some(first) = out.count().checked_sub(1) else { return };
    let origin = out.touch(first);
    let poses = (pair.a.pose, pair.b.pose);
    let tolerance = RELATIVE_TOL * options.rbound;
    for axis in tangents(origin.normal) {
        for sign in [-1.0, 1.0] {
            // rotations by opposite angles about the contact
            let turn = rotation(axis, sign);
            pair.a.pose = turned(poses.0, turn, origin.pos);
            pair.b.pose = turned(poses.1, turn.transpose(), origin.pos);

            let before = out.count();
            find_contacts(pair, 1, margin, options, search, out);
            if out.count() == before {
                continue;
            }
            let new = out.touch(before);
            if (first..before).any(|i| out.touch(i).pos.dist(new.pos) <= tolerance) {
                out.truncate(before);
            } else {
                out.set(before, Touch { dist: origin.dist, ..new });
            }
        }
    }
    (pair.a.pose, pair.b.pose) = poses;
}

/// A small rotation about a unit vector, to one side or the other.
fn rotation(axis: Vec3, sign: f64) -> Mat3 {
    let [cos, sin] = HALF_TURN;
    let s = sin * sign;
    let rows = Quats([cos, axis.x * s, axis.y * s, axis.z * s]).products().0;
    Mat3(rows.map(|row| [row.x, row.y, row.z]))
}

/// Two axes across a normal, as a contact frame has them.
#[doc(alias = "mju_makeFrame")]
fn tangents(normal: Vec3) -> [Vec3; 2] {
    let x = normal.normalize().0;
    let y = if x.y < 0.5 && x.y > -0.5 { Vec3::Y } else { Vec3::Z };
    let y = (y - x * x.dot(y)).normalize().0;
    [y, x.cross(y)]
}

/// A frame turned about a point.
#[doc(alias = "mju_rotateFrame")]
fn turned(pose: Pose, turn: Mat3, about: Vec3) -> Pose {
    let arm = about - pose.pos;
    Pose { pos: pose.pos - (turn * arm - arm), mat: turn * pose.mat }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::{Quat, scalar};

    #[test]
    fn rotations_are_those_of_quaternions_to_the_bit() {
        assert_eq!(HALF_TURN, [scalar::cos(0.5e-3), scalar::sin(0.5e-3)]);
        let axis = Vec3::new(0.3, -0.2, 0.7).normalize().0;
        for sign in [-1.0, 1.0] {
            assert_eq!(rotation(axis, sign), Quat::from_axis_angle(axis, 1e-3 * sign).to_mat());
        }
    }
}
