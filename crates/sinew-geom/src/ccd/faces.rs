//! Several contacts from one overlap: the faces that lie on each other, clipped.
//!
//! EPA ends with a face of the Minkowski difference. The vertices of that face name a face, an edge
//! or a vertex of each solid. If two faces around them are parallel, or an edge lies in a face, the
//! contacts are the corners of their intersection.

use sinew_math::{MINVAL, Vec3, scalar};

use crate::ccd::epa::{Depth, Polytope};
use crate::ccd::gjk::Pair;
use crate::ccd::memory::{List, Memory, Plain};
use crate::ccd::simplex::{Vertex, same_point};
use crate::ccd::support::{Convex, Outline, hull_vertex};
use crate::solid::Hull;
use crate::touch::MAX_CONTACTS;

/// Cosine of the angle below which two faces are parallel, 1.6e-3.
pub(super) const FACE_TOL: f64 = 0.99999872;

/// Sine of the angle below which an edge is parallel to a face, 1.6e-3.
pub(super) const EDGE_TOL: f64 = 0.00159999931;

/// Vertices of a polygon, or polygons at a vertex, past which the others are ignored.
const MAX_POLYGON: usize = 150;

/// Corners of the faces of a box, in the signs of its half sizes.
const BOX_FACES: [[[f64; 3]; 4]; 6] = [
    [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [1.0, -1.0, 1.0]],
    [[-1.0, 1.0, -1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [-1.0, -1.0, -1.0]],
    [[-1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]],
    [[-1.0, -1.0, 1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, -1.0]],
    [[-1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]],
    [[1.0, 1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, -1.0], [1.0, -1.0, -1.0]],
];

/// Scratch of the recovery.
pub(super) struct Scratch<M: Memory> {
    pub(super) sides: [M::List<Side>; 2],
    pub(super) edges: M::List<Edge>,
    pub(super) faces: [M::List<Vec3>; 2],
    pub(super) planes: M::List<Wall>,
    pub(super) polygon: M::List<Vec3>,
    pub(super) clipped: M::List<Vec3>,
}

impl<M: Memory> Scratch<M> {
    /// Whether a list had no room for a corner or another entry.
    pub(super) fn is_spilled(&self) -> bool {
        let [sides1, sides2] = &self.sides;
        let [face1, face2] = &self.faces;
        sides1.is_spilled()
            || sides2.is_spilled()
            || self.edges.is_spilled()
            || face1.is_spilled()
            || face2.is_spilled()
            || self.planes.is_spilled()
            || self.polygon.is_spilled()
            || self.clipped.is_spilled()
    }
}

// SAFETY: numbers alone.
#[allow(unsafe_code)]
unsafe impl Plain for Vec3 {}
// SAFETY: numbers alone.
#[allow(unsafe_code)]
unsafe impl Plain for [Vec3; 2] {}
// SAFETY: numbers alone.
#[allow(unsafe_code)]
unsafe impl Plain for Side {}
// SAFETY: numbers alone.
#[allow(unsafe_code)]
unsafe impl Plain for Edge {}
// SAFETY: numbers alone.
#[allow(unsafe_code)]
unsafe impl Plain for Wall {}

/// A face that may touch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Side {
    normal: Vec3,
    /// Which face of the solid.
    id: usize,
}

/// An edge that may touch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    dir: Vec3,
    end: Vec3,
}

/// A wall on an edge of a polygon: its normal, and its distance from the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wall {
    normal: Vec3,
    dist: f64,
}

/// The part of a solid that EPA's face comes from: `dim` vertices.
#[derive(Clone, Copy, Debug)]
struct Feature {
    dim: usize,
    ids: [i32; 3],
    at: [Vec3; 3],
}

/// Replaces the pair of deepest points by the corners of the common face, `most` of them unless
/// more than four are allowed.
#[doc(alias = "multicontact")]
pub(super) fn recover<M: Memory>(
    pair: &Pair,
    polytope: &Polytope<M>,
    depth: &Depth,
    most: usize,
    scratch: &mut Scratch<M>,
    points: &mut M::List<[Vec3; 2]>,
) {
    let verts = depth.face.verts.map(|i| &polytope.verts[i as usize]);
    let (f1, f2) = (Feature::new(verts, 0), Feature::new(verts, 1));
    let dir = depth.points[1] - depth.points[0];
    let [sides1, sides2] = &mut scratch.sides;
    list_sides(&pair.a, &f1, depth.points[0] - depth.points[1], sides1);
    list_sides(&pair.b, &f2, dir, sides2);

    // two faces
    if let Some((s1, s2)) = facing(sides1, sides2) {
        let [face1, face2] = &mut scratch.faces;
        list_corners(&pair.a, s1.id, face1);
        list_corners(&pair.b, s2.id, face2);
        let shift = s2.normal * dir.norm();
        return clip(scratch, Clipper { by: 0, normal: s1.normal, shift }, most, points);
    }

    // an edge of the first on a face of the second
    if f1.dim < 3 && f1.dim <= f2.dim {
        list_edges(&pair.a, &f1, &mut scratch.edges);
        if let Some((edge, side)) = lying(&scratch.edges, sides2) {
            let [face1, face2] = &mut scratch.faces;
            face1.clear();
            face1.append([verts[0].on[0], edge.end]);
            list_corners(&pair.b, side.id, face2);
            let shift = side.normal * dir.norm();
            clip(scratch, Clipper { by: 1, normal: side.normal, shift }, most, points);
        }
    // an edge of the second on a face of the first
    } else if f2.dim < 3 {
        list_edges(&pair.b, &f2, &mut scratch.edges);
        if let Some((edge, side)) = lying(&scratch.edges, sides1) {
            let [face1, face2] = &mut scratch.faces;
            list_corners(&pair.a, side.id, face1);
            face2.clear();
            face2.append([verts[0].on[1], edge.end]);
            let shift = side.normal * -dir.norm();
            clip(scratch, Clipper { by: 0, normal: side.normal, shift }, most, points);
        }
    }
}

impl Feature {
    /// Of solid `i` of the pair.
    fn new([a, b, c]: [&Vertex; 3], i: usize) -> Self {
        let (ids, at) = ([a.id[i], b.id[i], c.id[i]], [a.on[i], b.on[i], c.on[i]]);
        let mut feature = Feature { dim: 1, ids, at };
        if ids[0] != ids[1] {
            feature.dim = if ids[2] == ids[0] || ids[2] == ids[1] { 2 } else { 3 };
        } else if ids[0] != ids[2] {
            feature.ids[1] = ids[2];
            feature.at[1] = at[2];
            feature.dim = 2;
        }
        feature
    }
}

// ---- faces and edges of a solid

/// The faces around a feature; `dir` points out of the solid towards the other.
fn list_sides(solid: &Convex, feature: &Feature, dir: Vec3, out: &mut impl List<Side>) {
    out.clear();
    match &solid.outline {
        Outline::Box { .. } => list_box_sides(solid, feature, dir, out),
        Outline::Scan { hull, .. } | Outline::Climb { hull, .. } => {
            list_hull_sides(solid, hull, feature, out);
        }
        _ => {}
    }
}

fn list_box_sides(solid: &Convex, feature: &Feature, dir: Vec3, out: &mut impl List<Side>) {
    let corners = &feature.ids[..feature.dim];
    for (axis, unit) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
        let bit = 1 << axis;
        let (sign, id) = if corners.iter().all(|&c| c & bit != 0) {
            (1.0, 2 * axis)
        } else if corners.iter().all(|&c| c & bit == 0) {
            (-1.0, 2 * axis + 1)
        } else {
            continue;
        };
        out.push(Side { normal: solid.pose.mat * (unit * sign), id });
    }

    // corners of a face have one side in common, of an edge two: otherwise rounding mixed them up
    if out.len() != 4 - feature.dim {
        out.clear();
        let local = solid.pose.mat.tmul_vec(dir);
        let local = local * (1.0 / scalar::sqrt(local.dot(local)));
        for (axis, along) in local.to_array().into_iter().enumerate() {
            let unit = [Vec3::X, Vec3::Y, Vec3::Z][axis];
            if along.abs() > FACE_TOL {
                let (sign, id) = if along > 0.0 { (1.0, 2 * axis) } else { (-1.0, 2 * axis + 1) };
                out.push(Side { normal: solid.pose.mat * (unit * sign), id });
                return;
            }
        }
    }
}

fn list_hull_sides(solid: &Convex, hull: &Hull, feature: &Feature, out: &mut impl List<Side>) {
    let around = |i: usize| polygons_at(hull, feature.ids[i]);
    let mut push = |id: i32| {
        if let Some(&normal) = usize::try_from(id).ok().and_then(|i| hull.poly_normal.get(i)) {
            out.push(Side { normal: solid.pose.mat * normal, id: id as usize });
        }
    };

    // polygons in both sets, the first two
    let shared = |set: &[i32], other: &[i32]| {
        let (mut both, mut n) = ([-1; 2], 0);
        for &id in set {
            let count = other.iter().fold(0, |count, &o| count + usize::from(o == id));
            for _ in 0..count.min(2 - n) {
                both[n] = id;
                n += 1;
            }
        }
        both
    };

    // around a vertex, on both sides of an edge, or the polygon of a triangle
    match feature.dim {
        1 => around(0).iter().take(MAX_POLYGON).for_each(|&id| push(id)),
        2 => shared(around(0), around(1)).into_iter().for_each(push),
        _ => {
            let of_edge = shared(around(0), around(1));
            let n = of_edge.iter().take_while(|&&id| id >= 0).count();
            push(shared(&of_edge[..n], around(2))[0]);
        }
    }
}

/// Polygons at a vertex of a hull.
pub(super) fn polygons_at<'a>(hull: &Hull<'a>, vertex: i32) -> &'a [i32] {
    let of = |table: &[i32]| {
        usize::try_from(vertex)
            .ok()
            .and_then(|v| table.get(v))
            .and_then(|&x| usize::try_from(x).ok())
    };
    let Some((adr, num)) = of(hull.poly_map_adr).zip(of(hull.poly_map_num)) else { return &[] };
    hull.poly_map.get(adr..adr.saturating_add(num)).unwrap_or_default()
}

/// Vertices of a polygon of a hull.
fn polygon<'a>(hull: &Hull<'a>, id: usize) -> &'a [i32] {
    let of = |table: &[i32]| table.get(id).and_then(|&x| usize::try_from(x).ok());
    let Some((adr, num)) = of(hull.poly_vert_adr).zip(of(hull.poly_vert_num)) else { return &[] };
    hull.poly_vert.get(adr..adr.saturating_add(num)).unwrap_or_default()
}

/// The edges around a feature.
fn list_edges(solid: &Convex, feature: &Feature, out: &mut impl List<Edge>) {
    out.clear();
    let start = feature.at[0];
    let mut push = |end: Vec3| out.push(Edge { dir: (end - start).normalize().0, end });
    if feature.dim == 2 {
        return push(feature.at[1]);
    }
    let crate::shape::Pose { pos, mat } = solid.pose;
    match &solid.outline {
        Outline::Box { half } => {
            let sign = |bit: i32| if feature.ids[0] & bit != 0 { 1.0 } else { -1.0 };
            let (x, y, z) = (sign(1) * half.x, sign(2) * half.y, sign(4) * half.z);
            for end in [Vec3::new(-x, y, z), Vec3::new(x, -y, z), Vec3::new(x, y, -z)] {
                push(mat * end + pos);
            }
        }
        Outline::Scan { hull, .. } | Outline::Climb { hull, .. } => {
            // from each polygon at the vertex, the edge that arrives there
            for &id in polygons_at(hull, feature.ids[0]).iter().take(MAX_POLYGON) {
                let verts = polygon(hull, usize::try_from(id).unwrap_or(usize::MAX));
                if let Some(j) = verts.iter().position(|&v| v == feature.ids[0]) {
                    let before = verts[if j == 0 { verts.len() - 1 } else { j - 1 }];
                    push(mat * hull_vertex(hull.vert, before as usize) + pos);
                }
            }
        }
        _ => {}
    }
}

/// Corners of a face, clockwise from outside.
fn list_corners(solid: &Convex, id: usize, out: &mut impl List<Vec3>) {
    out.clear();
    let crate::shape::Pose { pos, mat } = solid.pose;
    match &solid.outline {
        Outline::Box { half } => {
            let corners = BOX_FACES.get(id).into_iter().flatten();
            out.append(corners.map(|&sign| mat * half.mul_elem(sign.into()) + pos));
        }
        Outline::Scan { hull, .. } | Outline::Climb { hull, .. } => {
            let verts = polygon(hull, id);
            let verts = &verts[..verts.len().min(MAX_POLYGON)];
            out.append(verts.iter().rev().map(|&v| mat * hull_vertex(hull.vert, v as usize) + pos));
        }
        _ => {}
    }
}

/// The first two faces that look at each other.
fn facing(first: &[Side], second: &[Side]) -> Option<(Side, Side)> {
    first.iter().find_map(|s1| {
        second.iter().find(|s2| s1.normal.dot(s2.normal) < -FACE_TOL).map(|s2| (*s1, *s2))
    })
}

/// The first edge that is parallel to a face.
fn lying(edges: &[Edge], sides: &[Side]) -> Option<(Edge, Side)> {
    sides.iter().find_map(|side| {
        edges.iter().find(|e| e.dir.dot(side.normal).abs() < EDGE_TOL).map(|e| (*e, *side))
    })
}

// ---- clipping

/// How the two polygons in `Scratch::faces` are clipped.
struct Clipper {
    /// The polygon that clips; the other is clipped.
    by: usize,
    /// Normal of that polygon.
    normal: Vec3,
    /// From a contact on the first solid to that on the second.
    shift: Vec3,
}

/// Clips one polygon by the walls that stand on the edges of the other (Sutherland-Hodgman).
fn clip<M: Memory>(
    s: &mut Scratch<M>,
    clipper: Clipper,
    most: usize,
    points: &mut M::List<[Vec3; 2]>,
) {
    let walls = &s.faces[clipper.by];
    if walls.len() < 3 {
        return;
    }

    // the walls of the polygon that clips
    s.planes.clear();
    for (i, &v1) in walls.iter().enumerate() {
        let v2 = walls[(i + 1) % walls.len()];
        let normal = (v2 - v1).cross(v1 + clipper.normal - v1);
        s.planes.push(Wall { normal, dist: normal.dot(v1) });
    }

    s.polygon.clear();
    s.polygon.append(s.faces[1 - clipper.by].iter().copied());
    for (&corner, &Wall { normal, dist }) in walls.iter().zip(s.planes.iter()) {
        let is_inside = |p: Vec3| (p - corner).dot(normal) > -MINVAL;
        let Some((&first, others)) = s.polygon.split_first() else { break };

        // nothing to cut off: the list starts with the next corner
        if s.polygon.iter().fold(true, |all, &p| all & is_inside(p)) {
            s.polygon.copy_within(1.., 0);
            let last = s.polygon.len() - 1;
            s.polygon[last] = first;
            continue;
        }

        // from corner to corner, and back to the first
        s.clipped.clear();
        let (mut p, mut from_inside) = (first, is_inside(first));
        for &q in others.iter().chain([&first]) {
            let to_inside = is_inside(q);
            if from_inside != to_inside {
                let along = q - p;
                let t = (dist - normal.dot(p)) / normal.dot(along);
                if (0.0..=1.0).contains(&t) {
                    s.clipped.push(p + along * t);
                }
            }
            if to_inside {
                s.clipped.push(q);
            }
            (p, from_inside) = (q, to_inside);
        }
        core::mem::swap(&mut s.polygon, &mut s.clipped);
    }
    if s.polygon.is_empty() {
        return;
    }

    // contacts: a quadrilateral if there may be four only, else all corners that differ
    points.clear();
    let both = |on2: Vec3| [on2 - clipper.shift, on2];
    if most < 5 && s.polygon.len() > 4 {
        points.append(largest_quad(&s.polygon).map(both));
    } else if s.polygon.len() > MAX_CONTACTS {
        points.append(s.polygon[..MAX_CONTACTS].iter().map(|&corner| both(corner)));
    } else {
        for &corner in s.polygon.iter() {
            if !points.iter().any(|&[_, before]| same_point(before, corner)) {
                points.push(both(corner));
            }
        }
    }
}

/// Four corners of a convex polygon that span a large area, found by turning around it once.
fn largest_quad(polygon: &[Vec3]) -> [Vec3; 4] {
    let n = polygon.len();
    let next = |i: usize| if i + 1 == n { 0 } else { i + 1 };
    let area = |q: [usize; 4]| quad_area(q.map(|i| polygon[i]));
    let mut quad = [0, 1, 2, 3];
    let mut best = quad;
    let mut max = area(quad);
    let mut advance = |quad: &mut [usize; 4], corner: usize| {
        let mut moved = *quad;
        moved[corner] = next(moved[corner]);
        let area = area(moved);
        let grows = area > max;
        if grows {
            (*quad, best, max) = (moved, moved, area);
        }
        grows
    };
    for a in 0..n {
        quad[0] = a;
        while advance(&mut quad, 3) {
            while advance(&mut quad, 2) {}
            while advance(&mut quad, 1) {}
        }

        // corners stay in order when the first one catches up
        for corner in 1..4 {
            if quad[corner] != quad[corner - 1] {
                break;
            }
            quad[corner] = next(quad[corner]);
        }
    }
    best.map(|i| polygon[i])
}

fn quad_area([a, b, c, d]: [Vec3; 4]) -> f64 {
    0.5 * ((d - a).cross(b - d) + (c - b).cross(a - c)).norm()
}
