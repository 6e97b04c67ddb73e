//! How far objects reach out of the volume of a site.
//!
//! For convex bodies A and B the sensor has the maximum over x in A of the signed distance to B.
//! If A is not inside, this number is the directed Hausdorff distance. The signed distance is
//! convex, so its maximum is at an extreme point of A. Extreme points are corners, ends, and points
//! of rims and ellipsoids.

use sinew_geom::shape::{Pose, Shape};
use sinew_geom::solid::{Form, Hull, Solid};
use sinew_math::{Vec3, scalar};
use sinew_model::enums::ObjType;
use sinew_model::{BodyId, Data, GeomId, Model, SensorId, SiteId};

use crate::collision::solid;
use crate::geometry::{hull_planes, polygon, site_solid};

/// Least coordinate of a point in an ellipsoid relative to the half axis; keeps the root finite.
const TINY: f64 = 1e-14;
/// Most steps of an ascent. Each converges linearly, with the ratio of the two curvatures.
const MAX_STEPS: usize = 500;
/// Gain relative to the size of the solid below which an ascent ends.
const MIN_GAIN: f64 = 1e-15;

/// How far the object of a sensor reaches out of its site; negative for the clearance inside.
pub(super) fn enclosed(m: &Model, d: &Data, s: SensorId) -> f64 {
    let Some(outer) = site_solid(m, d, SiteId::new(m.sensor_refid[s] as usize)) else {
        return 0.0;
    };
    let id = m.sensor_objid[s] as usize;
    let geom = |g: GeomId| solid(m, d, g).map_or(f64::MIN, |inner| excess(&inner, &outer));
    let of_body = |b: BodyId| m.body_geoms(b).map(geom).fold(f64::MIN, f64::max);
    let most = match m.sensor_objtype[s] {
        ObjType::Geom => geom(GeomId::new(id)),
        ObjType::Site => {
            site_solid(m, d, SiteId::new(id)).map_or(f64::MIN, |inner| excess(&inner, &outer))
        }
        ObjType::Body => of_body(BodyId::new(id)),
        ObjType::Xbody => {
            let inside = |b: &BodyId| {
                let mut at = *b;
                while at.idx() > id {
                    at = m.body_parentid[at];
                }
                at.idx() == id
            };
            m.bodies().filter(inside).map(of_body).fold(f64::MIN, f64::max)
        }
        _ => f64::MIN,
    };
    // objects without a compact convex shape
    if most == f64::MIN { 0.0 } else { most }
}

/// How far one solid reaches out of another.
fn excess(inner: &Solid<'_>, outer: &Solid<'_>) -> f64 {
    let at = |local: Vec3| distance(outer, inner.pose.pos + inner.pose.mat * local).0;
    let farthest = |points: [Vec3; 2]| at(points[0]).max(at(points[1]));
    match inner.form {
        Form::Shape(Shape::Sphere { radius }) => at(Vec3::ZERO) + radius,
        Form::Shape(Shape::Capsule { radius, half_len }) => {
            let end = Vec3::new(0.0, 0.0, half_len);
            farthest([end, end * -1.0]) + radius
        }
        Form::Shape(Shape::Box { half }) => {
            let sign = |i: usize, bit: usize| if i >> bit & 1 == 0 { 1.0 } else { -1.0 };
            let corner =
                |i| Vec3::new(half.x * sign(i, 0), half.y * sign(i, 1), half.z * sign(i, 2));
            (0..8).map(|i| at(corner(i))).fold(f64::MIN, f64::max)
        }
        Form::Shape(shape @ (Shape::Cylinder { .. } | Shape::Ellipsoid { .. })) => {
            let starts = (0..27).filter(|&i| i != 13);
            let part = |i: usize| i as f64 - 1.0;
            let dir = |i: usize| Vec3::new(part(i % 3), part(i / 3 % 3), part(i / 9));
            starts.map(|i| ascend(shape, &inner.pose, outer, dir(i))).fold(f64::MIN, f64::max)
        }
        Form::Hull(hull) => {
            let points = hull.vert.iter().map(|v| Vec3::from(v.map(f64::from)));
            points.map(at).fold(f64::MIN, f64::max)
        }
        _ => f64::MIN,
    }
}

/// A local maximum of the distance to a solid over the points of a round shape. The point of the
/// shape that is farthest along the gradient is at least as far: the distance is convex.
fn ascend(shape: Shape, pose: &Pose, outer: &Solid<'_>, start: Vec3) -> f64 {
    let reach = shape.bounding_radius();
    let (mut dir, mut best) = (start, f64::MIN);
    for _ in 0..MAX_STEPS {
        let (dist, normal) = distance(outer, pose.pos + pose.mat * support(shape, dir));
        if dist <= best + MIN_GAIN * reach {
            return best.max(dist);
        }
        (best, dir) = (dist, pose.mat.tmul_vec(normal));
    }
    best
}

/// The point of a cylinder or ellipsoid that is farthest in a direction.
fn support(shape: Shape, dir: Vec3) -> Vec3 {
    match shape {
        Shape::Cylinder { radius, half_len } => {
            let across = Vec3::new(dir.x, dir.y, 0.0);
            // along the axis all points of the rim are as far
            let across = if across.norm() > 0.0 { across } else { Vec3::new(1.0, 0.0, 0.0) };
            across * (radius / across.norm()) + Vec3::new(0.0, 0.0, half_len.copysign(dir.z))
        }
        Shape::Ellipsoid { half } => {
            let scaled = Vec3::new(half.x * dir.x, half.y * dir.y, half.z * dir.z);
            let along = scaled * (1.0 / scaled.norm());
            Vec3::new(half.x * along.x, half.y * along.y, half.z * along.z)
        }
        _ => Vec3::ZERO,
    }
}

/// Signed distance of a point to a solid, and its gradient.
fn distance(outer: &Solid<'_>, point: Vec3) -> (f64, Vec3) {
    let p = outer.pose.local_point(point);
    let (dist, normal) = match outer.form {
        Form::Shape(shape) => to_shape(shape, p),
        Form::Hull(hull) => to_hull(hull, p),
        _ => (0.0, Vec3::ZERO),
    };
    (dist, outer.pose.mat * normal)
}

fn to_shape(shape: Shape, p: Vec3) -> (f64, Vec3) {
    match shape {
        Shape::Sphere { radius } => {
            let (normal, length) = p.normalize();
            (length - radius, normal)
        }
        Shape::Capsule { radius, half_len } => {
            let nearest = Vec3::new(0.0, 0.0, scalar::clip(p.z, -half_len, half_len));
            let (normal, length) = (p - nearest).normalize();
            (length - radius, normal)
        }
        Shape::Cylinder { radius, half_len } => {
            let (across, length) = Vec3::new(p.x, p.y, 0.0).normalize();
            let along = Vec3::new(0.0, 0.0, 1_f64.copysign(p.z));
            to_faces([(length - radius, across), (p.z.abs() - half_len, along)])
        }
        Shape::Box { half } => {
            let axis = |k: usize, x: f64| {
                let mut normal = [0.0; 3];
                normal[k] = 1_f64.copysign(x);
                Vec3::from(normal)
            };
            to_faces([
                (p.x.abs() - half.x, axis(0, p.x)),
                (p.y.abs() - half.y, axis(1, p.y)),
                (p.z.abs() - half.z, axis(2, p.z)),
            ])
        }
        Shape::Ellipsoid { half } => to_ellipsoid(half, p),
        Shape::Plane { .. } => (p.z, Vec3::new(0.0, 0.0, 1.0)),
    }
}

/// Distance to the meet of orthogonal sides, from the distances to each and their normals.
fn to_faces<const N: usize>(sides: [(f64, Vec3); N]) -> (f64, Vec3) {
    let mut nearest = sides[0];
    let mut beyond = Vec3::ZERO;
    for (dist, normal) in sides {
        if dist > nearest.0 {
            nearest = (dist, normal);
        }
        beyond += normal * dist.max(0.0);
    }
    let (normal, length) = beyond.normalize();
    if length > 0.0 { (length, normal) } else { nearest }
}

/// Distance to an ellipsoid.
///
/// The nearest point of the surface is x_k = a_k² y_k / (s + a_k² - a²). The smallest half axis is
/// a, and s > 0 puts the point on the surface.
///
/// Eberly, *Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid* (2013).
fn to_ellipsoid(half: Vec3, p: Vec3) -> (f64, Vec3) {
    let (half, p) = (half.to_array(), p.to_array());
    let least = half[0].min(half[1]).min(half[2]);
    let axes: [usize; 3] = [0, 1, 2];
    let y = axes.map(|k| p[k].abs().max(TINY * half[k]));
    let share = |s: f64, k: usize| half[k] * y[k] / (s + (half[k] * half[k] - least * least));

    // the sum of squares falls from above one at the lower end to below one at the upper
    let products = Vec3::from(axes.map(|k| half[k] * y[k]));
    let thin = axes.into_iter().filter(|&k| half[k] == least);
    let (mut lower, mut upper) = (thin.map(|k| least * y[k]).fold(0.0, f64::max), products.norm());
    loop {
        let middle = (lower * upper).sqrt();
        if middle <= lower || middle >= upper {
            break;
        }
        let sum: f64 = axes.iter().map(|&k| share(middle, k) * share(middle, k)).sum();
        if sum > 1.0 {
            lower = middle;
        } else {
            upper = middle;
        }
    }

    // outward normal at that point
    let surface = axes.map(|k| half[k] * share(upper, k));
    let away: Vec3 = axes.map(|k| y[k] - surface[k]).into();
    let inside = axes.iter().map(|&k| p[k] * p[k] / (half[k] * half[k])).sum::<f64>() < 1.0;
    let normal = axes.map(|k| (surface[k] / (half[k] * half[k])).copysign(p[k]));
    let length = away.norm();
    (if inside { -length } else { length }, Vec3::from(normal).normalize().0)
}

/// Distance to a hull, and its gradient: inside to the planes, outside to the polygons.
fn to_hull(hull: Hull<'_>, p: Vec3) -> (f64, Vec3) {
    let mut deepest = (f64::MIN, Vec3::ZERO);
    for (normal, corner) in hull_planes(hull) {
        let dist = normal.dot(p - corner);
        if dist > deepest.0 {
            deepest = (dist, normal);
        }
    }
    if deepest.0 <= 0.0 {
        return if deepest.0 == f64::MIN { (0.0, Vec3::ZERO) } else { deepest };
    }

    // the nearest point is on a polygon that the point sees
    let mut best = (f64::MAX, Vec3::ZERO);
    for (i, &normal) in hull.poly_normal.iter().enumerate() {
        let Some(corner) = polygon(hull, i).next() else { continue };
        if normal.dot(p - corner) >= 0.0 {
            let away = p - nearest_on_polygon(hull, i, normal, p);
            let length = away.norm();
            if length < best.0 {
                best = (length, away * (1.0 / length.max(f64::MIN_POSITIVE)));
            }
        }
    }
    best
}

/// The point of a convex polygon that is nearest to a point.
fn nearest_on_polygon(hull: Hull<'_>, i: usize, normal: Vec3, p: Vec3) -> Vec3 {
    let corners = polygon(hull, i);
    let next = corners.clone().cycle().skip(1);
    let (mut inside, mut best, mut least) = (true, p, f64::MAX);
    for (from, to) in corners.zip(next) {
        let edge = to - from;
        inside &= normal.dot(edge.cross(p - from)) >= 0.0;
        let share = edge.dot(p - from) / edge.dot(edge).max(f64::MIN_POSITIVE);
        let point = from + edge * scalar::clip(share, 0.0, 1.0);
        let length = (p - point).norm();
        if length < least {
            (best, least) = (point, length);
        }
    }
    let Some(corner) = polygon(hull, i).next().filter(|_| inside) else { return best };
    p - normal * normal.dot(p - corner)
}

#[cfg(test)]
mod tests {
    use sinew_math::Mat3;

    use super::*;

    const HALF: Vec3 = Vec3 { x: 0.6, y: 0.7, z: 0.9 };

    fn solid_at(shape: Shape, pos: Vec3) -> Solid<'static> {
        Solid { pose: Pose { pos, mat: Mat3::IDENTITY }, form: Form::Shape(shape) }
    }

    #[test]
    fn the_distance_to_an_ellipsoid_is_that_to_its_nearest_point() {
        let ellipsoid = solid_at(Shape::Ellipsoid { half: HALF }, Vec3::ZERO);
        let cases = [
            (Vec3::ZERO, -0.6),
            (Vec3::new(0.0, 0.0, 2.0), 1.1),
            (Vec3::new(-1.0, 0.0, 0.0), 0.4),
            (Vec3::new(0.1, 0.0, 0.0), -0.5),
        ];
        for (point, wanted) in cases {
            let (dist, _) = distance(&ellipsoid, point);
            assert!((dist - wanted).abs() < 1e-12, "{point:?}: {dist}");
        }

        // along a normal of the surface, both ways
        for dist in [-0.3, -0.01, 0.5] {
            let at = Vec3::new(0.6 * 0.48, -0.7 * 0.6, 0.9 * 0.64);
            let normal = Vec3::new(at.x / 0.36, at.y / 0.49, at.z / 0.81).normalize().0;
            let (found, gradient) = distance(&ellipsoid, at + normal * dist);
            assert!((found - dist).abs() < 1e-12, "{found}, wanted {dist}");
            assert!((gradient - normal).norm() < 1e-10);
        }
    }

    #[test]
    fn corners_reach_out_by_the_distance_to_the_nearest_edge() {
        let outer = solid_at(Shape::Box { half: Vec3::new(1.0, 1.0, 1.0) }, Vec3::ZERO);
        let inner = Shape::Box { half: Vec3::new(0.5, 0.5, 0.5) };
        let at = |x: f64, y: f64| excess(&solid_at(inner, Vec3::new(x, y, 0.0)), &outer);
        assert_eq!(at(0.25, 0.0), -0.25);
        assert_eq!(at(1.0, 0.0), 0.5);
        assert!((at(0.8, 0.9) - 0.3_f64.hypot(0.4)).abs() < 1e-15);
    }

    #[test]
    fn round_shapes_reach_out_at_their_farthest_points() {
        let outer = solid_at(Shape::Sphere { radius: 0.5 }, Vec3::ZERO);
        let rim = Shape::Cylinder { radius: 0.3, half_len: 0.4 };
        let at = |shape, x| excess(&solid_at(shape, Vec3::new(x, 0.0, 0.0)), &outer);
        assert!(at(rim, 0.0).abs() < 1e-15);
        assert!((at(rim, 0.2) - (0.5_f64.hypot(0.4) - 0.5)).abs() < 1e-15);
        let egg = Shape::Ellipsoid { half: Vec3::new(0.1, 0.45, 0.2) };
        assert!((at(egg, 0.0) + 0.05).abs() < 1e-14);
    }
}
