//! Volume, area, centre and inertia of triangle meshes.
//!
//! Sums run over the triangles in order, so that results agree with MuJoCo's to the bit.

use sinew_math::{MINVAL, Mat3, Vec3};

/// Weight of a triangle in the mass properties of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MassRule {
    /// The signed volume of its pyramid: exact for closed, consistently oriented meshes.
    Signed,
    /// The absolute volume of its pyramid: insensitive to orientation, too large if concave.
    Absolute,
    /// The area of the surface.
    Shell,
}

/// Area, unit normal (zero if the area is) and centre of a triangle.
pub fn triangle(a: Vec3, b: Vec3, c: Vec3) -> (f64, Vec3, Vec3) {
    let sum = |x: f64, y: f64, z: f64| (x + y + z) / 3.0;
    let center = Vec3::new(sum(a.x, b.x, c.x), sum(a.y, b.y, c.y), sum(a.z, b.z, c.z));
    let normal = (b - a).cross(c - a);
    let len = normal.norm();
    if len < MINVAL {
        return (0.0, normal, center);
    }
    (0.5 * len, Vec3::new(normal.x / len, normal.y / len, normal.z / len), center)
}

/// Total area and mean of the triangles' centres, weighted by area.
pub fn face_centroid(vert: &[Vec3], faces: &[[i32; 3]]) -> (f64, Vec3) {
    let (mut total, mut mean) = (0.0, Vec3::ZERO);
    for face in faces {
        let (area, _, center) = triangle_of(vert, face);
        mean += Vec3::new(area * center.x, area * center.y, area * center.z);
        total += area;
    }
    if total >= MINVAL {
        mean = divide(mean, total);
    }
    (total, mean)
}

/// Volume (or area) and centre of mass, from pyramids with their tips at `tip`.
pub fn volume_and_center(
    vert: &[Vec3],
    faces: &[[i32; 3]],
    tip: Vec3,
    rule: MassRule,
) -> (f64, Vec3) {
    let (mut total, mut center_of_mass) = (0.0, Vec3::ZERO);
    for face in faces {
        let (area, normal, center) = triangle_of(vert, face);
        let weight = match rule {
            MassRule::Shell => area,
            MassRule::Signed => (center - tip).dot(normal) * area / 3.0,
            MassRule::Absolute => ((center - tip).dot(normal) * area / 3.0).abs(),
        };
        total += weight;
        let part = |c: f64, t: f64| weight * (c * 3.0 / 4.0 + t / 4.0);
        center_of_mass +=
            Vec3::new(part(center.x, tip.x), part(center.y, tip.y), part(center.z, tip.z));
    }
    if total >= MINVAL {
        center_of_mass = divide(center_of_mass, total);
    }
    (total, center_of_mass)
}

/// Volume (or area) and inertia about `origin`, for unit density.
pub fn inertia(vert: &[Vec3], faces: &[[i32; 3]], origin: Vec3, rule: MassRule) -> (f64, Mat3) {
    const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
    let divisor = if rule == MassRule::Shell { 12.0 } else { 20.0 };
    let mut total = 0.0;
    let mut products = [0.0; 6];
    for face in faces {
        let corner = |k: usize| (vert[face[k] as usize] - origin).to_array();
        let (d, e, f) = (corner(0), corner(1), corner(2));
        let (area, normal, center) = triangle(d.into(), e.into(), f.into());
        let weight = match rule {
            MassRule::Shell => area,
            MassRule::Signed => center.dot(normal) * area / 3.0,
            MassRule::Absolute => (center.dot(normal) * area / 3.0).abs(),
        };
        total += weight;

        // products of inertia of a tetrahedron (or triangle)
        for (product, (i, j)) in products.iter_mut().zip(PAIRS) {
            *product += weight / divisor
                * (2.0 * (d[i] * d[j] + e[i] * e[j] + f[i] * f[j])
                    + d[i] * e[j]
                    + d[j] * e[i]
                    + d[i] * f[j]
                    + d[j] * f[i]
                    + e[i] * f[j]
                    + e[j] * f[i]);
        }
    }
    let [xx, yy, zz, xy, xz, yz] = products;
    (total, Mat3([[yy + zz, -xy, -xz], [-xy, xx + zz, -yz], [-xz, -yz, xx + yy]]))
}

fn triangle_of(vert: &[Vec3], face: &[i32; 3]) -> (f64, Vec3, Vec3) {
    triangle(vert[face[0] as usize], vert[face[1] as usize], vert[face[2] as usize])
}

fn divide(v: Vec3, by: f64) -> Vec3 {
    Vec3::new(v.x / by, v.y / by, v.z / by)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box of half sizes 1, 2, 3 with its corner 0 at -1 -2 -3.
    fn brick() -> (Vec<Vec3>, Vec<[i32; 3]>) {
        let at = |i: usize, bit: usize, h: f64| if i & (1 << bit) != 0 { h } else { -h };
        let vert = (0..8).map(|i| Vec3::new(at(i, 0, 1.0), at(i, 1, 2.0), at(i, 2, 3.0)));
        let quads =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
        (vert.collect(), faces)
    }

    #[test]
    fn box_has_the_analytic_mass() {
        let (vert, faces) = brick();
        let (area, center) = face_centroid(&vert, &faces);
        assert!((area - 88.0).abs() < 1e-12 && center.norm() < 1e-12);
        let tip = Vec3::new(0.3, 0.2, 0.1);
        let (volume, center) = volume_and_center(&vert, &faces, tip, MassRule::Signed);
        assert!((volume - 48.0).abs() < 1e-12 && center.norm() < 1e-12);
        let (volume, inertia) = inertia(&vert, &faces, Vec3::ZERO, MassRule::Absolute);
        assert!((volume - 48.0).abs() < 1e-12);
        for (i, expected) in [208.0, 160.0, 80.0].into_iter().enumerate() {
            assert!((inertia[(i, i)] - expected).abs() < 1e-10);
        }
    }

    #[test]
    fn flat_triangle_has_no_area() {
        let (area, _, center) = triangle(Vec3::ZERO, Vec3::X, Vec3::X);
        assert_eq!((area, center.x), (0.0, 2.0 / 3.0));
    }
}
