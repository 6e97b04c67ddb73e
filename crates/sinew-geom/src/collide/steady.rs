//! Contacts that neither vanish nor jump, for methods that keep solids exactly in place.
//!
//! MuJoCo's formulas for three pairs of shapes have gaps that its soft contacts soon leave again. A
//! plane finds nothing under a cylinder that stands within 1e-14 rad of upright. Boxes whose faces
//! are nearly parallel may lack a contact, or have a contact that is centimetres deep. A plane
//! takes three corners of a hull, and rounding may leave out the corner that bears the load.
//! Cylinders and boxes have the same contacts here, up to their order, without the holes. A hull
//! has its outermost corners in eight directions.

use sinew_math::Vec3;

use crate::collide::box_box::relative::Cuboid;
use crate::collide::plane::{self, Ground};
use crate::shape::{Placed, Pose, Shape};
use crate::solid::Hull;
use crate::touch::Touch;

/// Share of the smallest side by which another axis must separate more to be preferred. Faces are
/// preferred to edges, and faces of the first box to faces of the second.
const PREFERENCE: f64 = 1e-4;

/// Sine of the angle between edges below which they count as parallel.
const PARALLEL: f64 = 1e-6;

/// Distance, of the smallest side, at which a point is still on a face, and two points are one.
const SAME: f64 = 1e-6;

/// Tangent of the angle by which directions lean from straight down. A face of a hull that is
/// tilted by less lies on the plane with all of its outermost corners.
const LYING: f64 = 1e-2;

/// Sine of the tilt below which a cylinder stands upright: its contacts then keep their places on
/// its rim.
const UPRIGHT: f64 = 1e-6;

/// Contacts between two primitive shapes, if this is one of the pairs; false if not.
pub fn collide_steady(a: Placed<'_>, b: Placed<'_>, margin: f64, out: &mut Vec<Touch>) -> bool {
    match (a.shape, b.shape) {
        (Shape::Plane { .. }, &Shape::Cylinder { radius, half_len }) => {
            cylinder(a.pose, b.pose, [radius, half_len], margin, out);
        }
        (Shape::Box { half: half1 }, Shape::Box { half: half2 }) => {
            let second = Cuboid { pose: b.pose, half: half2 };
            cuboid(&Cuboid { pose: a.pose, half: half1 }, &second, margin, out);
        }
        _ => return false,
    }
    true
}

/// Plane against cylinder: the lowest direction across the axis follows from its two other axes, so
/// rounding keeps it across.
fn cylinder(ground: &Pose, pose: &Pose, size: [f64; 2], margin: f64, out: &mut Vec<Touch>) {
    let a = Ground::new(ground);
    let (x, y) = (pose.mat.col(0), pose.mat.col(1));
    let down = -(x * x.dot(a.normal) + y * y.dot(a.normal));
    let (down, tilt) = down.normalize();
    let lowest = if tilt > UPRIGHT { down } else { x };
    plane::add_rims(&a, pose, size, lowest * size[0], margin, out);
}

/// Plane against hull: at most nine contacts. The lowest corner, and the farthest in eight
/// directions that lean from straight down, each once.
pub(super) fn hull(ground: &Pose, pose: &Pose, hull: &Hull<'_>, margin: f64, out: &mut Vec<Touch>) {
    let a = Ground::new(ground);
    let [x, y, down] =
        [ground.mat.col(0), ground.mat.col(1), -a.normal].map(|axis| pose.mat.tmul_vec(axis));
    let eighths = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let leaning = eighths.map(|(i, j)| {
        let outwards = (x * f64::from(i) + y * f64::from(j)).normalize().0;
        down + outwards * LYING
    });

    let same = SAME * hull.rbound;
    let first = out.len();
    for direction in std::iter::once(down).chain(leaning) {
        let touch = a.point(pose.mat * hull.extreme(direction).0 + pose.pos);
        if touch.dist <= margin && out[first..].iter().all(|t| t.pos.dist(touch.pos) > same) {
            out.push(touch);
        }
    }
}

/// A box by its centre, its axes and half its sides.
struct Side {
    center: Vec3,
    axes: [Vec3; 3],
    half: [f64; 3],
}

impl Side {
    fn new(solid: &Cuboid<'_>) -> Side {
        Side {
            center: solid.pose.pos,
            axes: [0, 1, 2].map(|i| solid.pose.mat.col(i)),
            half: solid.half.to_array(),
        }
    }

    /// How far it reaches from its centre.
    fn reach(&self, direction: Vec3) -> f64 {
        let along = |i: usize| self.half[i] * self.axes[i].dot(direction).abs();
        along(0) + along(1) + along(2)
    }

    fn smallest(&self) -> f64 {
        self.half.iter().fold(f64::INFINITY, |a, x| a.min(*x))
    }

    /// The corners of the side that faces a direction most, one after the other around it.
    fn face(&self, direction: Vec3) -> [Vec3; 4] {
        let part = self.axes.map(|axis| axis.dot(direction));
        let k = (0..3).fold(0, |k, i| if part[i].abs() > part[k].abs() { i } else { k });
        let (u, v) = ((k + 1) % 3, (k + 2) % 3);
        let middle = self.center + self.axes[k] * self.half[k].copysign(part[k]);
        let (u, v) = (self.axes[u] * self.half[u], self.axes[v] * self.half[v]);
        [middle + u + v, middle - u + v, middle - u - v, middle + u - v]
    }

    /// The middle of the edge along axis `i` that lies farthest in a direction.
    fn edge(&self, i: usize, direction: Vec3) -> Vec3 {
        let others = (0..3).filter(|k| *k != i);
        others.fold(self.center, |p, k| {
            p + self.axes[k] * self.half[k].copysign(self.axes[k].dot(direction))
        })
    }
}

/// The face or pair of edges with the greatest separation, or least overlap, of two boxes.
#[derive(Clone, Copy)]
enum Feature {
    Face { of_second: bool, axis: usize },
    Edges(usize, usize),
}

/// Box against box: at most eight contacts.
fn cuboid(a: &Cuboid<'_>, b: &Cuboid<'_>, margin: f64, out: &mut Vec<Touch>) {
    let (a, b) = (Side::new(a), Side::new(b));
    let arm = b.center - a.center;
    match widest(&a, &b, arm, margin) {
        None => {}
        Some((Feature::Face { of_second: false, axis }, _)) => {
            faces(&a, &b, a.axes[axis], axis, margin, out);
        }
        Some((Feature::Face { of_second: true, axis }, _)) => {
            let first = out.len();
            faces(&b, &a, b.axes[axis], axis, margin, out);
            out[first..].iter_mut().for_each(|touch| touch.normal = -touch.normal);
        }
        Some((Feature::Edges(i, j), dist)) => out.push(edges(&a, &b, [i, j], dist)),
    }
}

/// The feature along which the boxes are farthest apart, and how far; none if that is beyond the
/// margin.
fn widest(a: &Side, b: &Side, arm: Vec3, margin: f64) -> Option<(Feature, f64)> {
    let gap = |n: Vec3| arm.dot(n).abs() - a.reach(n) - b.reach(n);
    let preference = PREFERENCE * a.smallest().min(b.smallest());

    // normals of faces; faces of the second box must be clearly better
    let mut best: Option<(Feature, f64)> = None;
    for of_second in [false, true] {
        let side = if of_second { b } else { a };
        let gaps = side.axes.map(gap);
        let axis = (0..3).fold(0, |k, i| if gaps[i] > gaps[k] { i } else { k });
        if gaps[axis] > margin {
            return None;
        }
        if best.is_none_or(|(_, least)| gaps[axis] > least + preference) {
            best = Some((Feature::Face { of_second, axis }, gaps[axis]));
        }
    }

    // products of edges, unless they are parallel
    let mut crossed: Option<(Feature, f64)> = None;
    for i in 0..3 {
        for j in 0..3 {
            let (normal, sine) = a.axes[i].cross(b.axes[j]).normalize();
            if sine < PARALLEL {
                continue;
            }
            let gap = gap(normal);
            if gap > margin {
                return None;
            }
            if crossed.is_none_or(|(_, least)| gap > least) {
                crossed = Some((Feature::Edges(i, j), gap));
            }
        }
    }

    // edges must be clearly better than faces
    let of_face = best.map_or(f64::NEG_INFINITY, |(_, gap)| gap);
    crossed.filter(|(_, gap)| *gap > of_face + preference).or(best)
}

/// Corners of a side, and where its edges leave another: at most two more for each edge that cuts
/// it.
type Outline = ([Vec3; 12], usize);

/// Contacts of a face of one box with the side of the other that faces it, clipped to the part
/// above the face.
fn faces(a: &Side, b: &Side, axis: Vec3, k: usize, margin: f64, out: &mut Vec<Touch>) {
    let normal = if axis.dot(b.center - a.center) < 0.0 { -axis } else { axis };
    let same = SAME * a.smallest().min(b.smallest());
    let mut outline: Outline = ([Vec3::ZERO; 12], 4);
    outline.0[..4].copy_from_slice(&b.face(-normal));
    for i in (0..3).filter(|i| *i != k) {
        for side in [a.axes[i], -a.axes[i]] {
            outline = clip(&outline, |p| (p - a.center).dot(side) - a.half[i], same);
        }
    }

    let first = out.len();
    for &point in &outline.0[..outline.1] {
        let dist = (point - a.center).dot(normal) - a.half[k];
        let pos = point - normal * (0.5 * dist);
        if dist <= margin && out[first..].iter().all(|other| other.pos.dist(pos) > same) {
            out.push(Touch { dist, pos, normal, tangent: Vec3::ZERO });
        }
    }
}

/// The part of an outline where `height` is not positive (Sutherland and Hodgman 1974).
fn clip(outline: &Outline, height: impl Fn(Vec3) -> f64, same: f64) -> Outline {
    let (points, n) = outline;
    let mut kept: Outline = ([Vec3::ZERO; 12], 0);
    let mut push = |point: Vec3| {
        if kept.1 < kept.0.len() {
            kept.0[kept.1] = point;
            kept.1 += 1;
        }
    };
    for i in 0..*n {
        let (p, q) = (points[i], points[(i + 1) % n]);
        let (here, there) = (height(p), height(q));
        if here <= same {
            push(p);
        }
        if (here <= same) != (there <= same) {
            push(p + (q - p) * (here / (here - there)).clamp(0.0, 1.0));
        }
    }
    kept
}

/// The contact of two edges.
fn edges(a: &Side, b: &Side, [i, j]: [usize; 2], dist: f64) -> Touch {
    let (along1, along2) = (a.axes[i], b.axes[j]);
    let normal = along1.cross(along2).normalize().0;
    let normal = if normal.dot(b.center - a.center) < 0.0 { -normal } else { normal };

    // where two lines are nearest
    let (p, q) = (a.edge(i, normal), b.edge(j, -normal));
    let (offset, cosine) = (p - q, along1.dot(along2));
    let (d1, d2) = (along1.dot(offset), along2.dot(offset));
    let s = (cosine * d2 - d1) / (1.0 - cosine * cosine);
    let t = d2 + cosine * s;
    let pos = (p + along1 * s + q + along2 * t) * 0.5;
    Touch { dist, pos, normal, tangent: Vec3::ZERO }
}
