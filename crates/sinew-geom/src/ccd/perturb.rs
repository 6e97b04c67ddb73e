//! Several contacts from one, by turning the solids a little about it.
//!
//! Where flat or straight sides face each other, a small rotation moves the deepest point to
//! another end of the common face or edge. Used where the faces themselves are not known.

use sinew_math::{Mat3, Quat, Vec3};

use crate::ccd::gjk::Pair;
use crate::ccd::options::Options;
use crate::ccd::query::find_contacts;
use crate::ccd::support::Outline;
use crate::ccd::work::Search;
use crate::shape::Pose;
use crate::touch::Touch;

/// Angle of the turns, in radians.
const ANGLE: f64 = 1e-3;

/// Contacts nearer than this share of the bounding radius are one.
const RELATIVE_TOL: f64 = 1e-3;

/// Whether both solids have flat or straight sides.
pub(super) fn is_useful(pair: &Pair) -> bool {
    let is_round =
        |outline: &Outline| matches!(outline, Outline::Ball { .. } | Outline::Ellipsoid { .. });
    !is_round(&pair.a.outline) && !is_round(&pair.b.outline)
}

/// Adds up to four contacts to the one that `out` ends with.
pub(super) fn add_contacts(
    pair: &mut Pair,
    margin: f64,
    options: &Options,
    search: &mut Search,
    out: &mut Vec<Touch>,
) {
    let Some(first) = out.len().checked_sub(1) else { return };
    let origin = out[first];
    let poses = (pair.a.pose, pair.b.pose);
    let tolerance = RELATIVE_TOL * options.rbound;
    for axis in tangents(origin.normal) {
        for angle in [-ANGLE, ANGLE] {
            // rotations by opposite angles about the contact
            let turn = Quat::from_axis_angle(axis, angle).to_mat();
            pair.a.pose = turned(poses.0, turn, origin.pos);
            pair.b.pose = turned(poses.1, turn.transpose(), origin.pos);

            let before = out.len();
            find_contacts(pair, 1, margin, options, search, out);
            let Some(&new) = out.get(before) else { continue };
            if out[first..before].iter().any(|c| c.pos.dist(new.pos) <= tolerance) {
                out.truncate(before);
            } else {
                out[before].dist = origin.dist;
            }
        }
    }
    (pair.a.pose, pair.b.pose) = poses;
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
