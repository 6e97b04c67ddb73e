//! Contacts of two boxes whose edges cross.

use sinew_math::{MINVAL, Mat3, Vec3, scalar};

use crate::collide::box_box::axis::Edges;
use crate::collide::box_box::relative::{Cuboid, Relative, Side, Turn, corners, crossings};
use crate::touch::{Touch, Touches};

/// The side of the second box next to its edge, in the frame of the first box's side next to its
/// own edge. There z is the outward normal, and zero on the side.
struct Facing {
    turn: Turn,
    /// Half sizes of the first box's side.
    half: [f64; 2],
    /// Half size of the first box across its side.
    height: f64,
    /// Corners: two ends of the edge, two of the edge opposite to it.
    corners: [Vec3; 4],
    /// Corners moved along the axis of least overlap until they lie in the first box's side.
    shadow: [Vec3; 4],
    /// Axis of least overlap.
    normal: Vec3,
    /// Distance along the axis that brings a point down by one, towards the first box.
    slope: f64,
}

impl Facing {
    /// None if the axis lies in the first box's side.
    fn new(a: &Cuboid<'_>, b: &Cuboid<'_>, relative: &Relative, edges: &Edges) -> Option<Facing> {
        // sides next to the edges that face the other box most
        let across1 = relative.rot_abs.col(edges.axis2).to_array();
        let across2 = relative.rot_abs.0[edges.axis1];
        let [_, up] = by_reach(edges.axis1, &across1);
        let [away, down] = by_reach(edges.axis2, &across2);
        let side = Side(if edges.corner1 & (1 << up) != 0 { up } else { up + 3 });
        let turn = side.turn();
        let Vec3 { x, y, z } = turn.size(a.half);
        let normal = turn.vec(&edges.normal);
        if normal.z.abs() < MINVAL {
            return None;
        }

        // corners of the second box's side
        let rot = turn.rows(&relative.rot);
        let pos = turn.vec(&relative.pos21);
        let pos = Vec3::new(pos.x, pos.y, pos.z - z);
        let half = b.half.to_array();
        let step = |i: usize, upper: bool| rot.col(i) * if upper { half[i] } else { -half[i] };
        let is_upper = |i: usize| edges.corner2 & (1 << i) != 0;
        let near = pos + step(away, is_upper(away)) + step(down, is_upper(down));
        let far = pos + step(away, !is_upper(away)) + step(down, is_upper(down));
        let along = edges.axis2;
        let corners = [
            near + step(along, true),
            near + step(along, false),
            far + step(along, true),
            far + step(along, false),
        ];

        let inverse = 1.0 / normal.z;
        Some(Facing {
            turn,
            half: [x, y],
            height: z,
            corners,
            shadow: corners.map(|c| c + normal * (-c.z * inverse)),
            normal,
            slope: inverse * if edges.inward { -1.0 } else { 1.0 },
        })
    }

    /// Adds the crossings of the sides' outlines.
    fn crossings(&self, margin: f64, found: &mut Found<'_, impl Touches>) {
        let (at, [e, f]) = span(&self.shadow);
        let (real_at, [real_e, real_f]) = span(&self.corners);
        let lines = [
            (at, e, real_at, real_e),
            (at, f, real_at, real_f),
            (at + e, f, real_at + real_e, real_f),
            (at + f, e, real_at + real_f, real_e),
        ];
        for (start, dir, real_start, real_dir) in lines {
            crossings([start.x, start.y], [dir.x, dir.y], self.half, |q, side, t, along| {
                if (real_start.z + real_dir.z * t) * self.slope > margin {
                    return;
                }
                let mut middle = (real_start * 0.5 + real_dir * (0.5 * t)).to_array();
                middle[q] += 0.5 * side;
                middle[1 - q] += 0.5 * along;
                found.add(Vec3::from(middle), middle[2] * self.slope * 2.0);
            });
        }
    }

    /// Adds the corners of the first box's side over the second's. Without crossings (`alone`)
    /// those beside it in one direction count too.
    fn own_corners(&self, margin: f64, alone: bool, found: &mut Found<'_, impl Touches>) {
        let (at, [e, f]) = span(&self.shadow);

        // MuJoCo keeps the squared distance of a corner in the variable of the determinant, so that
        // corners after the first are placed with it
        let mut det = e.x * f.y - f.x * e.y;
        for [x, y] in corners(self.half) {
            let (dx, dy) = (x - at.x, y - at.y);
            let mut u = (dx * f.y - dy * f.x) * (1.0 / det);
            let mut v = (dy * e.x - dx * e.y) * (1.0 / det);
            let beside_e = !(0.0..=1.0).contains(&u);
            let beside_f = !(0.0..=1.0).contains(&v);
            let skip = if alone { beside_e && beside_f } else { beside_e || beside_f };
            if skip {
                continue;
            }
            u = scalar::clip(u, 0.0, 1.0);
            v = scalar::clip(v, 0.0, 1.0);

            let [c, c_e, c_f, _] = self.corners;
            let other = c * (1.0 - u - v) + c_e * u + c_f * v;
            let own = Vec3::new(x, y, 0.0);
            let gap = own - other;
            det = gap.dot(gap);
            if other.z > 0.0 && det > margin * margin {
                continue;
            }
            found.add(
                (own + other) * 0.5,
                scalar::sqrt(det) * if other.z < 0.0 { -1.0 } else { 1.0 },
            );
        }
    }

    /// Adds the corners of the second box's side over the first's. Without crossings (`alone`)
    /// those beside it in one direction count too, and all if nothing was found yet.
    fn other_corners(&self, margin: f64, alone: bool, found: &mut Found<'_, impl Touches>) {
        let [x, y] = self.half;
        let any = found.count() > 0;
        for (corner, shadow) in self.corners.iter().zip(&self.shadow) {
            let beside = [shadow.x < -x || shadow.x > x, shadow.y < -y || shadow.y > y];
            let skip = match (alone, any) {
                (true, false) => false,
                (true, true) => beside[0] && beside[1],
                (false, _) => beside[0] || beside[1],
            };
            if skip {
                continue;
            }

            // nearest point of the first box's side
            let own_x = scalar::clip(shadow.x, -x, x);
            let own_y = scalar::clip(shadow.y, -y, y);
            let (dx, dy) = (shadow.x - own_x, shadow.y - own_y);
            let slope = self.slope;
            let dist_sqr = dx * dx + dy * dy + corner.z * slope * corner.z * slope;
            if corner.z > 0.0 && dist_sqr > margin * margin {
                continue;
            }
            let middle = Vec3::new(own_x * 0.5, own_y * 0.5, 0.0) + *corner * 0.5;
            found.add(middle, scalar::sqrt(dist_sqr) * if corner.z < 0.0 { -1.0 } else { 1.0 });
        }
    }
}

/// Appends the contacts of two boxes whose edges cross: crossings of the sides' outlines, then
/// corners of the first box, then of the second.
pub(super) fn contacts(
    a: &Cuboid<'_>,
    b: &Cuboid<'_>,
    relative: &Relative,
    edges: &Edges,
    margin: f64,
    out: &mut impl Touches,
) {
    let Some(facing) = Facing::new(a, b, relative, edges) else {
        return;
    };
    let frame = facing.turn.frame(&a.pose.mat);
    let normal = frame * facing.normal * if edges.inward { -1.0 } else { 1.0 };
    let mut found =
        Found { frame, origin: a.pose.pos, height: facing.height, normal, first: out.count(), out };
    facing.crossings(margin, &mut found);
    let alone = found.count() == 0;
    facing.own_corners(margin, alone, &mut found);
    facing.other_corners(margin, alone, &mut found);
}

/// Takes contacts in the frame of the first box's side.
struct Found<'a, O> {
    frame: Mat3,
    origin: Vec3,
    height: f64,
    normal: Vec3,
    /// Number of contacts before this pair.
    first: usize,
    out: &'a mut O,
}

impl<O: Touches> Found<'_, O> {
    /// Adds a contact.
    #[inline]
    fn add(&mut self, middle: Vec3, dist: f64) {
        let middle = Vec3::new(middle.x, middle.y, middle.z + self.height);
        let pos = self.frame * middle + self.origin;
        self.out.push(Touch { dist, pos, normal: self.normal, tangent: Vec3::ZERO });
    }

    /// Number of contacts so far.
    fn count(&self) -> usize {
        self.out.count() - self.first
    }
}

/// A corner of a side, and the two edges from it.
#[inline]
fn span(corners: &[Vec3; 4]) -> (Vec3, [Vec3; 2]) {
    let [c, c_e, c_f, _] = *corners;
    (c, [c_e - c, c_f - c])
}

/// The other two axes, the axis of the larger `reach` first.
fn by_reach(axis: usize, reach: &[f64; 3]) -> [usize; 2] {
    let (first, second) = match axis {
        0 => (1, 2),
        1 => (0, 2),
        _ => (1, 0),
    };
    if reach[first] < reach[second] { [second, first] } else { [first, second] }
}
