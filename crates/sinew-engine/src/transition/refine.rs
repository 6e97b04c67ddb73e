//! Contacts that a search finds up to `ccd_tolerance`, taken to the points that it looks for.
//!
//! At the nearest points of two convex shapes the outward normals are opposite:
//!
//! ```text
//! x₂(-n) - x₁(n) = dist n
//! ```
//!
//! where x(n) is the farthest point of a shape along n. Newton's method finds n from the normal of
//! the search. The matrix across n is dist + P₁ + P₂, as in `surface`.

use sinew_math::{Mat3, Vec3};
use sinew_model::enums::GeomType;
use sinew_model::{Contact, Data, GeomId, Model};

use super::error::TransitionError;
use super::feature::{CORNER, ContactGeom, PARALLEL, Surface};
use super::surface::{is_curved, refuse, solve_across};
use crate::collision::make_frame;
use crate::constraint::{make_constraint, project_constraint, reference_constraint};
use crate::island::island;
use crate::step::forward::fwd_constraint;

/// Share of a size within which the point of the search counts as on a feature.
const FOUND: f64 = 1e-4;

/// Share of a size, and part of a unit normal, that count as rounding.
const ROUNDING: f64 = 1e-10;

/// Maximum number of steps of Newton's method, and the last step's length with which it has
/// converged.
const STEPS: usize = 50;
const CONVERGED: f64 = 1e-13;

/// How often a shape may turn out to touch with another of its features.
const FEATURES: usize = 8;

/// Cosine of the angle within which the normal stays near the search's.
const NEAR: f64 = 0.9;

/// Makes the contacts that a search found exact, and solves for the constraint forces again;
/// whether there were any.
pub(super) fn refine(m: &Model, d: &mut Data) -> Result<bool, TransitionError> {
    let mut any = false;
    for id in 0..d.contact.len() {
        let con = &d.contact[id];
        let [Ok(g1), Ok(g2)] = con.geom.map(usize::try_from) else { continue };
        let geoms = [GeomId::new(g1), GeomId::new(g2)];
        if con.efc_address < 0 || !is_curved(geoms.map(|g| m.geom_type[g])) {
            continue;
        }
        let Some((normal, [x, y])) = nearest(m, d, geoms, con) else { return refuse(m, geoms) };
        let con = &mut d.contact[id];
        con.frame = make_frame(normal, Vec3::ZERO);
        con.dist = normal.dot(y - x);
        con.pos = (x + y) * 0.5;
        any = true;
    }
    if any {
        make_constraint(m, d);
        island(m, d);
        project_constraint(m, d);
        reference_constraint(m, d);
        fwd_constraint(m, d);
    }
    Ok(any)
}

/// The normal and the points of the shapes at a contact.
fn nearest(m: &Model, d: &Data, geoms: [GeomId; 2], con: &Contact) -> Option<(Vec3, [Vec3; 2])> {
    let found = con.frame.row(0);
    let shapes = [0, 1].map(|k| {
        let sign = if k == 0 { 1.0 } else { -1.0 };
        let place = ContactGeom {
            size: m.geom_size[geoms[k]],
            pos: d.geom_xpos[geoms[k]],
            mat: d.geom_xmat[geoms[k]],
            outward: found * sign,
            point: con.pos - found * (0.5 * sign * con.dist),
        };
        Shape { kind: m.geom_type[geoms[k]], place }
    });
    let mut features = shapes.map(|shape| shape.feature());
    for _ in 0..FEATURES {
        let (normal, points) = meet(&shapes, features, found)?;
        let next = [0, 1].map(|k| {
            let outward = if k == 0 { normal } else { -normal };
            shapes[k].next(features[k], points[k], outward)
        });
        if next == features {
            return (normal.dot(found) > NEAR).then_some((normal, points));
        }
        features = next;
    }
    None
}

/// The part of a shape that touches.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Feature {
    /// All of a ball or of an ellipsoid.
    Whole,
    /// The side of a capsule or of a cylinder.
    Side,
    /// The end of a capsule or the rim of a cylinder, on this side.
    End(f64),
    /// The cap of a cylinder, on this side.
    Cap(f64),
    /// A face, an edge or a corner of a box: the side along each axis, zero where points may slide.
    Sides([f64; 3]),
}

/// How a feature bounds its shape.
enum Bound {
    Face { normal: Vec3, point: Vec3 },
    Line { axis: Vec3, point: Vec3, radius: f64 },
    Round,
}

/// A geom, with the point and the normal of the search.
#[derive(Clone, Copy)]
struct Shape {
    kind: GeomType,
    place: ContactGeom,
}

impl Shape {
    fn axis(&self) -> Vec3 {
        self.place.mat.col(2)
    }

    fn local(&self, x: Vec3) -> Vec3 {
        self.place.mat.tmul_vec(x - self.place.pos)
    }

    /// The feature that the point of the search is on.
    fn feature(&self) -> Feature {
        let ContactGeom { size, mat, outward, point, .. } = self.place;
        let local = self.local(point);
        let is_within = |x: f64, size: f64| x.abs() < size * (1.0 - FOUND);
        match self.kind {
            GeomType::Capsule | GeomType::Cylinder if is_within(local.z, size.y) => Feature::Side,
            GeomType::Cylinder if is_within(local.x.hypot(local.y), size.x) => {
                Feature::Cap(local.z.signum())
            }
            GeomType::Capsule | GeomType::Cylinder => Feature::End(local.z.signum()),
            GeomType::Box => {
                let side = |k: usize| {
                    if is_within(local[k], size[k]) { 0.0 } else { local[k].signum() }
                };
                let mut sides = [0, 1, 2].map(side);
                if sides == [0.0; 3] {
                    // below all faces: the one that the normal is nearest to
                    let normal = mat.tmul_vec(outward).to_array();
                    let nearest =
                        (0..3).max_by(|&a, &b| normal[a].abs().total_cmp(&normal[b].abs()));
                    nearest.into_iter().for_each(|k| sides[k] = normal[k].signum());
                }
                Feature::Sides(sides)
            }
            _ => Feature::Whole,
        }
    }

    /// The feature, or the one beside it that a point and its outward normal belong to.
    fn next(&self, feature: Feature, point: Vec3, outward: Vec3) -> Feature {
        let size = self.place.size;
        let (local, normal) = (self.local(point), self.place.mat.tmul_vec(outward));
        let is_beyond = |x: f64, size: f64| x.abs() > size * (1.0 + ROUNDING);
        match feature {
            Feature::Side if is_beyond(local.z, size.y) => Feature::End(local.z.signum()),
            Feature::End(side) if normal.z * side < -ROUNDING => Feature::Side,
            Feature::Cap(side) if is_beyond(local.x.hypot(local.y), size.x) => Feature::End(side),
            Feature::Sides(sides) => {
                let mut next = sides;
                for k in 0..3 {
                    if sides[k] == 0.0 && is_beyond(local[k], size[k]) {
                        next[k] = local[k].signum();
                    } else if normal[k] * sides[k] < -ROUNDING {
                        next[k] = 0.0;
                    }
                }
                Feature::Sides(if next == [0.0; 3] { sides } else { next })
            }
            _ => feature,
        }
    }

    fn bound(&self, feature: Feature) -> Bound {
        let ContactGeom { size, pos, mat, .. } = self.place;
        match feature {
            Feature::Whole | Feature::End(_) => Bound::Round,
            Feature::Side => Bound::Line { axis: self.axis(), point: pos, radius: size.x },
            Feature::Cap(side) => {
                let normal = self.axis() * side;
                Bound::Face { normal, point: pos + normal * size.y }
            }
            Feature::Sides(sides) => {
                let point = pos + mat * size.mul_elem(sides.into());
                let free = |k: &usize| sides[*k] == 0.0;
                let fixed = (0..3).find(|k| !free(k)).unwrap_or(0);
                match (0..3).filter(free).count() {
                    0 => Bound::Round,
                    1 => {
                        let axis = mat.col((0..3).find(free).unwrap_or(0));
                        Bound::Line { axis, point, radius: 0.0 }
                    }
                    _ => Bound::Face { normal: mat.col(fixed) * sides[fixed], point },
                }
            }
        }
    }

    /// The farthest point of a round feature along a normal, and its change P.
    fn farthest(&self, feature: Feature, outward: Vec3) -> (Vec3, Mat3) {
        let place = ContactGeom { outward, ..self.place };
        let ContactGeom { size, pos, mat, .. } = place;
        let (point, surface) = match (self.kind, feature) {
            (GeomType::Ellipsoid, _) => {
                let normal = mat.tmul_vec(outward);
                let far = size.mul_elem(size).mul_elem(normal);
                let length = size.mul_elem(normal).norm();
                (pos + mat * (far * (1.0 / length)), place.ellipsoid())
            }
            (GeomType::Cylinder, Feature::End(side)) => {
                let axis = self.axis();
                let low = (outward - axis * outward.dot(axis)).normalize().0;
                (pos + axis * (side * size.y) + low * size.x, place.rim())
            }
            (GeomType::Capsule, Feature::End(side)) => {
                (pos + self.axis() * (side * size.y) + outward * size.x, place.sphere())
            }
            (_, Feature::Sides(sides)) => (pos + mat * size.mul_elem(sides.into()), CORNER),
            _ => (pos + outward * size.x, place.sphere()),
        };
        let Surface::Curved(p) = surface else { return (point, Mat3([[0.0; 3]; 3])) };
        (point, p)
    }
}

/// The normal and the nearest points of two features; none if they have no single one.
fn meet(shapes: &[Shape; 2], features: [Feature; 2], found: Vec3) -> Option<(Vec3, [Vec3; 2])> {
    let bounds = [0, 1].map(|k| shapes[k].bound(features[k]));
    let round = |k: usize, outward: Vec3| shapes[k].farthest(features[k], outward);
    match bounds {
        [Bound::Face { normal, point }, Bound::Round] => {
            let far = round(1, -normal).0;
            Some((normal, [far - normal * normal.dot(far - point), far]))
        }
        [Bound::Round, Bound::Face { normal, point }] => {
            let far = round(0, -normal).0;
            Some((-normal, [far, far - normal * normal.dot(far - point)]))
        }
        [Bound::Round, Bound::Round] => newton(found, |normal| {
            let ((x, p), (y, q)) = (round(0, normal), round(1, -normal));
            let gap = y - x;
            let frame = make_frame(normal, Vec3::ZERO);
            let tangents = [frame.row(1), frame.row(2)];
            let image = |t: Vec3| t * gap.dot(normal) + p * t + q * t;
            (solve_across(tangents, tangents.map(image), gap), [x, y])
        }),
        [Bound::Line { axis, point, radius }, Bound::Round] => {
            newton(across(found, axis)?, |normal| {
                let (far, p) = round(1, -normal);
                let near = point + axis * axis.dot(far - point) + normal * radius;
                (turn_beside(normal, axis, far - near, (radius, p)), [near, far])
            })
        }
        [Bound::Round, Bound::Line { axis, point, radius }] => {
            newton(across(found, axis)?, |normal| {
                let (far, p) = round(0, normal);
                let near = point + axis * axis.dot(far - point) - normal * radius;
                (turn_beside(normal, axis, near - far, (radius, p)), [far, near])
            })
        }
        [
            Bound::Line { axis, point, radius },
            Bound::Line { axis: other, point: far, radius: other_radius },
        ] => {
            let (normal, sine) = axis.cross(other).normalize();
            if sine < PARALLEL {
                return None;
            }
            let normal = if normal.dot(found) < 0.0 { -normal } else { normal };
            let (x, y) = lines(normal, [axis, other], [point, far]);
            Some((normal, [x + normal * radius, y - normal * other_radius]))
        }
        _ => None,
    }
}

/// The part of a normal across an axis, as a unit vector.
fn across(normal: Vec3, axis: Vec3) -> Option<Vec3> {
    let (normal, length) = (normal - axis * axis.dot(normal)).normalize();
    (length > PARALLEL).then_some(normal)
}

/// Newton's method on the normal, where `step` has its change and the points.
fn newton(mut normal: Vec3, step: impl Fn(Vec3) -> (Vec3, [Vec3; 2])) -> Option<(Vec3, [Vec3; 2])> {
    for _ in 0..STEPS {
        let (turn, points) = step(normal);
        if !turn.is_finite() {
            return None;
        }
        if turn.norm() < CONVERGED {
            return Some((normal, points));
        }
        normal = (normal + turn).normalize().0;
    }
    None
}

/// The turn about an axis that takes the gap between a line and a curved surface P to the normal.
fn turn_beside(normal: Vec3, axis: Vec3, gap: Vec3, (radius, p): (f64, Mat3)) -> Vec3 {
    let side = normal.cross(axis);
    side * (gap.dot(side) / (gap.dot(normal) + radius + (p * side).dot(side)))
}

/// The points of two lines that are nearest to each other; the normal is across both.
fn lines(normal: Vec3, [a, b]: [Vec3; 2], [x, y]: [Vec3; 2]) -> (Vec3, Vec3) {
    let (gap, of_a, of_b) = (y - x, normal.cross(b), normal.cross(a));
    (x + a * (gap.dot(of_a) / a.dot(of_a)), y - b * (gap.dot(of_b) / b.dot(of_b)))
}
