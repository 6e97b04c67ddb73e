//! Contacts of a face of a box with the facing side of another.

use sinew_math::{Mat3, Vec3};

use crate::collide::box_box::relative::{Cuboid, Relative, Side, Turn, corners, crossings};
use crate::touch::{Touch, Touches};

/// The other box seen from a face: z is the outward normal.
pub(super) struct View {
    turn: Turn,
    /// Centre of the other box, relative to the box's centre.
    pos: Vec3,
    /// Axes of the other box, as columns.
    rot: Mat3,
    /// Contact normal over outward normal.
    sign: f64,
}

impl View {
    /// From a face of the first box.
    #[inline]
    pub(super) fn of_first(relative: &Relative, face: Side) -> View {
        let turn = face.turn();
        View { turn, pos: turn.vec(&relative.pos21), rot: turn.rows(&relative.rot), sign: 1.0 }
    }

    /// From a face of the second box.
    #[inline]
    pub(super) fn of_second(relative: &Relative, face: Side) -> View {
        let turn = face.turn();
        let rot = turn.rows(&relative.rot.transpose());
        View { turn, pos: turn.vec(&relative.pos12), rot, sign: -1.0 }
    }
}

/// The side of a box that faces down: a corner, and up to two edges from it that rise slowly.
struct Incident {
    corner: Vec3,
    edges: [Vec3; 2],
    n_edges: usize,
}

impl Incident {
    /// The lowest corner of a box around `pos`, and its edges that rise by less than half their
    /// length.
    #[inline]
    fn new(pos: Vec3, rot: &Mat3, half: &Vec3) -> Incident {
        let mut corner = pos;
        let mut edges = [Vec3::ZERO; 2];
        let mut n_edges = 0;
        for i in 0..3 {
            let (axis, size) = (rot.col(i), half[i]);
            corner += axis * if axis.z < 0.0 { size } else { -size };
        }
        for i in 0..3 {
            let (axis, size) = (rot.col(i), half[i]);
            // a rotation has at most two such axes
            if axis.z.abs() < 0.5 && n_edges < 2 {
                edges[n_edges] = axis * (size * if axis.z < 0.0 { -2.0 } else { 2.0 });
                n_edges += 1;
            }
        }
        Incident { corner, edges, n_edges }
    }

    /// The lines of the outline: start and direction.
    #[inline]
    fn outline(&self) -> ([(Vec3, Vec3); 4], usize) {
        let &Incident { corner, edges: [e, f], n_edges } = self;
        let lines = [(corner, e), (corner, f), (corner + e, f), (corner + f, e)];
        (lines, [0, 1, 4][n_edges])
    }
}

/// Takes points of the other side in the frame of the face.
struct Found<'a, O> {
    frame: Mat3,
    origin: Vec3,
    height: f64,
    normal: Vec3,
    margin: f64,
    out: &'a mut O,
}

impl<O: Touches> Found<'_, O> {
    /// Adds the contact at a point, midway to the face, unless it is too high.
    #[inline(always)]
    fn add(&mut self, point: Vec3) {
        if point.z > self.margin {
            return;
        }
        let midway = Vec3::new(point.x, point.y, point.z * 0.5 + self.height);
        let pos = self.frame * midway + self.origin;
        self.out.push(Touch { dist: point.z, pos, normal: self.normal, tangent: Vec3::ZERO });
    }
}

/// Appends the contacts of a face of `solid` with `other`: crossings of the outlines, corners of
/// the face, corners of the other side.
pub(super) fn contacts(
    solid: &Cuboid<'_>,
    other: &Cuboid<'_>,
    view: &View,
    margin: f64,
    out: &mut impl Touches,
) {
    let Vec3 { x, y, z } = view.turn.size(solid.half);
    let half = [x, y];
    let pos = Vec3::new(view.pos.x, view.pos.y, view.pos.z - z);
    let side = Incident::new(pos, &view.rot, other.half);

    let frame = view.turn.frame(&solid.pose.mat);
    let normal = frame.col(2) * view.sign;
    let mut found = Found { frame, origin: solid.pose.pos, height: z, normal, margin, out };

    let (lines, n_lines) = side.outline();
    for &(start, dir) in lines.iter().take(n_lines) {
        crossings([start.x, start.y], [dir.x, dir.y], half, |_, _, t, _| {
            found.add(start + dir * t);
        });
    }

    // corners of the face strictly inside the side, seen along the normal
    let [e, f] = side.edges;
    if side.n_edges > 1 {
        let inverse = 1.0 / (e.x * f.y - f.x * e.y);
        for [x, y] in corners(half) {
            let (dx, dy) = (x - side.corner.x, y - side.corner.y);
            let u = (dx * f.y - dy * f.x) * inverse;
            let v = (dy * e.x - dx * e.y) * inverse;
            // NaN, and so no corner, if the side is a line
            if 0.0 < u && u < 1.0 && 0.0 < v && v < 1.0 {
                found.add(Vec3::new(x, y, side.corner.z + u * e.z + v * f.z));
            }
        }
    }

    // the lowest corner wherever it is, the others strictly inside the face
    found.add(side.corner);
    let [over_e, over_f] = [side.corner + e, side.corner + f];
    for corner in [over_e, over_f, over_e + f].into_iter().take((1 << side.n_edges) - 1) {
        if corner.x.abs() < x && corner.y.abs() < y {
            found.add(corner);
        }
    }
}
