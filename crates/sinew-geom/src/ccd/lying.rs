//! A cylinder or capsule that lies on a flat side: contacts at the ends of the line they share.
//!
//! The searches stop where the depth is right to their tolerance. On a round wall the place of such
//! a contact is uncertain by the square root of the tolerance. With a radius of 0.1 m and the usual
//! tolerance, it is up to 0.4 mm to either side of the line below the axis. A solid that can roll
//! is pushed off by it. Here the line lies in the wall, and its depth is measured from the side.

use sinew_math::Vec3;

use crate::ccd::faces::{EDGE_TOL, FACE_TOL, polygons_at};
use crate::ccd::gjk::Pair;
use crate::ccd::support::{Convex, Outline};
use crate::touch::{Touch, Touches};

/// Replaces the contacts of such a pair, at the end of `out` from `first` on, by the two ends of
/// their line. A single contact remains where only one end is deep enough.
pub(super) fn straighten(pair: &mut Pair, margin: f64, first: usize, out: &mut impl Touches) {
    if first >= out.count() {
        return;
    }
    let origin = out.touch(first);
    let Pair { a, b } = pair;
    let found = line(a, b, origin.normal).map(|line| (line, 1.0));
    let found = found.or_else(|| line(b, a, -origin.normal).map(|line| (line, -1.0)));
    let Some((line, sign)) = found else { return };

    // the part of the line that the contacts span
    let along = |touch: &Touch| line.axis.dot(touch.pos - line.middle);
    let span = (first..out.count()).fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], i| {
        let s = along(&out.touch(i)).clamp(-line.half_len, line.half_len);
        [low.min(s), high.max(s)]
    });

    // its ends, each as deep as it is
    out.truncate(first);
    let ends = if span[0] < span[1] { &span[..] } else { &span[..1] };
    for s in ends {
        let on_rod = line.middle + line.axis * *s;
        let dist = line.side.dot(on_rod - line.on_side);
        if dist <= margin {
            let pos = on_rod - line.side * (0.5 * dist);
            out.push(Touch { dist, pos, normal: -line.side * sign, tangent: Vec3::ZERO });
        }
    }
}

/// The line of a round wall that is nearest to a flat side.
struct Line {
    middle: Vec3,
    axis: Vec3,
    half_len: f64,
    /// Normal of the side, out of it, and a point on it.
    side: Vec3,
    on_side: Vec3,
}

/// The line along which a solid lies on another, if it is round and the other flat. `normal` is the
/// contact's normal, from the first to the second.
fn line(rod: &Convex, flat: &mut Convex, normal: Vec3) -> Option<Line> {
    let (Outline::Cylinder { radius, half_len } | Outline::Capsule { radius, half_len }) =
        rod.outline
    else {
        return None;
    };
    let axis = rod.pose.mat.col(2);
    if axis.dot(normal).abs() > EDGE_TOL {
        return None;
    }
    let (side, on_side) = side_facing(flat, -normal)?;
    let down = (axis * side.dot(axis) - side).normalize().0;
    Some(Line { middle: rod.pose.pos + down * radius, axis, half_len, side, on_side })
}

/// The flat side that faces a direction: its normal, and a point on it.
fn side_facing(solid: &mut Convex, dir: Vec3) -> Option<(Vec3, Vec3)> {
    let point = solid.surface(dir);
    let mat = solid.pose.mat;
    let normal = match &solid.outline {
        Outline::Box { .. } => {
            let axes = [mat.col(0), mat.col(1), mat.col(2)];
            let flat = axes.into_iter().find(|axis| axis.dot(dir).abs() > FACE_TOL)?;
            if flat.dot(dir) < 0.0 { -flat } else { flat }
        }
        Outline::Cylinder { .. } if mat.col(2).dot(dir) > FACE_TOL => mat.col(2),
        Outline::Cylinder { .. } if mat.col(2).dot(dir) < -FACE_TOL => -mat.col(2),
        Outline::Scan { hull, .. } | Outline::Climb { hull, .. } => {
            let around = polygons_at(hull, solid.vertex).iter();
            let normals = around.filter_map(|&id| hull.poly_normal.get(usize::try_from(id).ok()?));
            let nearest =
                normals.max_by(|a, b| (mat * **a).dot(dir).total_cmp(&(mat * **b).dot(dir)))?;
            (mat * *nearest).normalize().0
        }
        _ => return None,
    };
    (normal.dot(dir) > FACE_TOL).then_some((normal, point))
}
