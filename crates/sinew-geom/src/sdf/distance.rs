//! Signed distances from primitive shapes, and their gradients.
//!
//! I. Quilez, *Distance functions*; MuJoCo `engine_collision_sdf.c`.

use sinew_math::{Vec3, scalar};

use crate::shape::Shape;

/// Signed distance of a point from a shape, in the frame of the shape.
///
/// Inside a box the distance is measured along a field that turns from radial to the normals of the
/// faces. For an ellipsoid the distance is a bound.
#[inline]
pub fn distance(shape: Shape, x: Vec3) -> f64 {
    match shape {
        Shape::Plane { .. } => x.z,
        Shape::Sphere { radius } => x.norm() - radius,
        Shape::Capsule { radius, half_len } => {
            let z = x.z - scalar::clip(x.z, -half_len, half_len);
            Vec3::new(x.x, x.y, z).norm() - radius
        }
        Shape::Ellipsoid { half } => {
            let a = Vec3::new(x.x / half.x, x.y / half.y, x.z / half.z);
            let b = Vec3::new(a.x / half.x, a.y / half.y, a.z / half.z);
            let (k0, k1) = (a.norm(), b.norm());
            k0 * (k0 - 1.0) / k1
        }
        Shape::Cylinder { radius, half_len } => {
            let a = [(x.x * x.x + x.y * x.y).sqrt() - radius, x.z.abs() - half_len];
            let b = [a[0].max(0.0), a[1].max(0.0)];
            a[0].max(a[1]).min(0.0) + (b[0] * b[0] + b[1] * b[1]).sqrt()
        }
        Shape::Box { half } => box_distance(half, x),
    }
}

fn box_distance(half: Vec3, x: Vec3) -> f64 {
    let a = Vec3::new(x.x.abs() - half.x, x.y.abs() - half.y, x.z.abs() - half.z);
    if a.x >= 0.0 || a.y >= 0.0 || a.z >= 0.0 {
        let outside = Vec3::new(a.x.max(0.0), a.y.max(0.0), a.z.max(0.0));
        return outside.norm() + a.x.max(a.y.max(a.z)).min(0.0);
    }
    // inside: along the field to the nearest face
    let field = Vec3::new(-half.x / a.x, -half.y / a.y, -half.z / a.z).normalize().0;
    let steps = [0, 1, 2].map(|k| -a[k] / field[k].abs());
    -steps[0].min(steps[1].min(steps[2])) * field.norm()
}

/// Direction in which the distance from a shape grows fastest, in the frame of the shape.
pub fn gradient(shape: Shape, x: Vec3) -> Vec3 {
    match shape {
        Shape::Plane { .. } => Vec3::Z,
        Shape::Sphere { .. } => x * (1.0 / x.norm()),
        Shape::Capsule { half_len, .. } => {
            let z = x.z - scalar::clip(x.z, -half_len, half_len);
            let a = Vec3::new(x.x, x.y, z);
            let norm = a.norm();
            Vec3::new(a.x / norm, a.y / norm, a.z / norm)
        }
        Shape::Ellipsoid { half } => ellipsoid_gradient(half, x),
        Shape::Cylinder { radius, half_len } => cylinder_gradient(radius, half_len, x),
        Shape::Box { half } => box_gradient(half, x),
    }
}

fn ellipsoid_gradient(half: Vec3, x: Vec3) -> Vec3 {
    let a = Vec3::new(x.x / half.x, x.y / half.y, x.z / half.z);
    let b = Vec3::new(a.x / half.x, a.y / half.y, a.z / half.z);
    let (k0, k1) = (a.norm(), b.norm());
    let (inv0, inv1) = (1.0 / k0, 1.0 / k1);

    // d = k0 (k0 - 1) / k1
    let by_k0 = (2.0 * k0 - 1.0) * inv1;
    let by_k1 = k0 * (k0 - 1.0) * inv1 * inv1;
    let along = |k: usize| b[k] * inv0 * by_k0 - b[k] * inv1 / (half[k] * half[k]) * by_k1;
    Vec3::new(along(0), along(1), along(2)).normalize().0
}

/// Smallest divisor among lengths.
const TINY: f64 = 1e-10;

fn cylinder_gradient(radius: f64, half_len: f64, x: Vec3) -> Vec3 {
    let (rho, height) = ((x.x * x.x + x.y * x.y).sqrt(), x.z.abs());
    let a = [rho - radius, height - half_len];
    let (across, along) = (rho.max(TINY), height.max(TINY));
    let out = Vec3::new(x.x / across, x.y / across, x.z / along);
    let side = a[0] > a[1];
    if a[usize::from(!side)] < 0.0 {
        return if side { Vec3::new(out.x, out.y, 0.0) } else { Vec3::new(0.0, 0.0, out.z) };
    }
    let b = [a[0].max(0.0), a[1].max(0.0)];
    let norm = (b[0] * b[0] + b[1] * b[1]).sqrt().max(TINY);
    Vec3::new(out.x * b[0] / norm, out.y * b[0] / norm, out.z * b[1] / norm)
}

fn box_gradient(half: Vec3, x: Vec3) -> Vec3 {
    let a = Vec3::new(x.x.abs() - half.x, x.y.abs() - half.y, x.z.abs() - half.z);
    let k = if a.x > a.y { 0 } else { 1 };
    let most = if a.z > a[k] { 2 } else { k };
    if a[most] < 0.0 {
        // inside: the field along which the distance is measured, away from the centre
        let field = Vec3::new(-half.x / a.x, -half.y / a.y, -half.z / a.z).normalize().0;
        let along = |k: usize| if x[k] < 0.0 { -field[k] } else { field[k] };
        return Vec3::new(along(0), along(1), along(2));
    }
    let b = Vec3::new(a.x.max(0.0), a.y.max(0.0), a.z.max(0.0));
    let norm = b.norm();
    let along = |k: usize| if a[k] > 0.0 { b[k] / norm * x[k] / x[k].abs() } else { 0.0 };
    Vec3::new(along(0), along(1), along(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_surfaces_have_no_distance() {
        let cases = [
            (Shape::Plane { half: [0.0; 2] }, Vec3::new(3.0, 4.0, 0.0)),
            (Shape::Sphere { radius: 2.0 }, Vec3::new(0.0, 2.0, 0.0)),
            (Shape::Capsule { radius: 0.5, half_len: 1.0 }, Vec3::new(0.0, 0.0, -1.5)),
            (Shape::Ellipsoid { half: Vec3::new(1.0, 2.0, 3.0) }, Vec3::new(0.0, 0.0, 3.0)),
            (Shape::Cylinder { radius: 0.5, half_len: 1.0 }, Vec3::new(0.5, 0.0, 0.3)),
            (Shape::Box { half: Vec3::new(1.0, 2.0, 3.0) }, Vec3::new(1.0, 0.0, 1.0)),
        ];
        for (shape, on) in cases {
            assert!(distance(shape, on).abs() < 1e-15, "{shape:?}");
            assert!(distance(shape, on + Vec3::Z * 10.0) > 0.0, "{shape:?}");
        }
        let inside = distance(Shape::Box { half: Vec3::new(1.0, 1.0, 1.0) }, Vec3::ZERO);
        assert!((inside + 3f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn gradients_are_slopes_of_distances() {
        let shapes = [
            Shape::Plane { half: [0.0; 2] },
            Shape::Sphere { radius: 2.0 },
            Shape::Capsule { radius: 0.5, half_len: 1.0 },
            Shape::Cylinder { radius: 0.5, half_len: 1.0 },
            Shape::Box { half: Vec3::new(1.0, 2.0, 3.0) },
        ];
        const STEP: f64 = 1e-6;
        for shape in shapes {
            for p in [Vec3::new(2.1, 2.3, 3.7), Vec3::new(-1.2, 0.3, 0.4)] {
                let slope = |v: Vec3| {
                    (distance(shape, p + v * STEP) - distance(shape, p - v * STEP)) / (2.0 * STEP)
                };
                let slopes = Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z));
                assert!(gradient(shape, p).dist(slopes) < 1e-8, "{shape:?} {p:?}");
            }
        }
    }
}
