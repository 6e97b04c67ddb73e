//! Volume and inertia of shapes of uniform density, and the sphere around them.
//!
//! Sums stand in MuJoCo's order, so that results have its bits.

use core::f64::consts::PI;

use sinew_math::{Vec3, scalar};

use super::{Matter, Shape};

impl Shape {
    /// Radius of the sphere around the shape; zero for a plane.
    pub fn bounding_radius(self) -> f64 {
        match self {
            Shape::Plane { .. } => 0.0,
            Shape::Sphere { radius } => radius,
            Shape::Capsule { radius, half_len } => radius + half_len,
            Shape::Cylinder { radius, half_len } => (radius * radius + half_len * half_len).sqrt(),
            Shape::Ellipsoid { half } => half.x.max(half.y).max(half.z),
            Shape::Box { half } => (half.x * half.x + half.y * half.y + half.z * half.z).sqrt(),
        }
    }

    /// Volume, or the area of the surface; zero for a plane.
    #[doc(alias = "GetVolume")]
    pub fn volume(self, matter: Matter) -> f64 {
        use Matter::{Shell, Solid};
        match (self, matter) {
            (Shape::Plane { .. }, _) => 0.0,
            (Shape::Sphere { radius: r }, Solid) => 4.0 * PI * r * r * r / 3.0,
            (Shape::Sphere { radius: r }, Shell) => 4.0 * PI * r * r,
            (Shape::Capsule { radius: r, half_len }, Solid) => {
                PI * (r * r * (2.0 * half_len) + 4.0 * r * r * r / 3.0)
            }
            (Shape::Capsule { radius: r, half_len }, Shell) => {
                4.0 * PI * r * r + 2.0 * PI * r * (2.0 * half_len)
            }
            (Shape::Cylinder { radius: r, half_len }, Solid) => PI * r * r * (2.0 * half_len),
            (Shape::Cylinder { radius: r, half_len }, Shell) => {
                2.0 * PI * r * r + 2.0 * PI * r * (2.0 * half_len)
            }
            (Shape::Ellipsoid { half: s }, Solid) => 4.0 * PI * s.x * s.y * s.z / 3.0,
            (Shape::Ellipsoid { half: s }, Shell) => {
                // Thomsen's approximation
                let p = 1.6075;
                let sum = scalar::pow(s.x * s.y, p)
                    + scalar::pow(s.y * s.z, p)
                    + scalar::pow(s.z * s.x, p);
                4.0 * PI * scalar::pow(sum / 3.0, 1.0 / p)
            }
            (Shape::Box { half: s }, Solid) => s.x * s.y * s.z * 8.0,
            (Shape::Box { half: s }, Shell) => 8.0 * (s.x * s.y + s.y * s.z + s.z * s.x),
        }
    }

    /// Principal inertias about the centre, at the given mass; zero for a plane.
    #[doc(alias = "SetInertia")]
    pub fn inertia(self, mass: f64, matter: Matter) -> Vec3 {
        use Matter::{Shell, Solid};
        match (self, matter) {
            (Shape::Plane { .. }, _) => Vec3::ZERO,
            (Shape::Sphere { radius }, matter) => {
                let part = if matter == Shell { 3.0 } else { 5.0 };
                let i = 2.0 * mass * radius * radius / part;
                Vec3::new(i, i, i)
            }
            (Shape::Capsule { radius, half_len }, Solid) => capsule(mass, radius, 2.0 * half_len),
            (Shape::Capsule { radius, half_len }, Shell) => capsule_shell(mass, radius, half_len),
            (Shape::Cylinder { radius, half_len }, Solid) => {
                let height = 2.0 * half_len;
                let across = mass * (3.0 * radius * radius + height * height) / 12.0;
                Vec3::new(across, across, mass * radius * radius / 2.0)
            }
            (Shape::Cylinder { radius, half_len }, Shell) => cylinder_shell(mass, radius, half_len),
            (Shape::Ellipsoid { half }, Solid) => about_axes(mass, half.mul_elem(half), 5.0),
            (Shape::Ellipsoid { half }, Shell) => ellipsoid_shell(mass, half),
            (Shape::Box { half }, Solid) => about_axes(mass, half.mul_elem(half), 3.0),
            (Shape::Box { half }, Shell) => box_shell(mass, half),
        }
    }
}

/// m (b² + c²) / n, m (a² + c²) / n, m (a² + b²) / n
fn about_axes(mass: f64, square: Vec3, n: f64) -> Vec3 {
    Vec3::new(
        mass * (square.y + square.z) / n,
        mass * (square.x + square.z) / n,
        mass * (square.x + square.y) / n,
    )
}

/// A cylinder and two half balls.
fn capsule(mass: f64, radius: f64, height: f64) -> Vec3 {
    let ball = mass * 4.0 * radius / (4.0 * radius + 3.0 * height);
    let middle = mass - ball;
    let across = middle * (3.0 * radius * radius + height * height) / 12.0;
    let along = middle * radius * radius / 2.0;
    let ends = 2.0 * ball * radius * radius / 5.0;
    let shift = ball * height * (3.0 * radius + 2.0 * height) / 8.0;
    let across = across + (ends + shift);
    Vec3::new(across, across, along + ends)
}

/// An open cylinder and two half spheres.
fn capsule_shell(mass: f64, radius: f64, half: f64) -> Vec3 {
    let height = 2.0 * half;
    let area_ends = 4.0 * PI * radius * radius;
    let area_side = 2.0 * PI * radius * height;
    let sphere = mass * area_ends / (area_ends + area_side);
    let side = mass - sphere;
    let across = side * (6.0 * radius * radius + height * height) / 12.0;
    let along = side * radius * radius;
    let ends = 2.0 * sphere * radius * radius / 3.0;
    let com = radius / 2.0;
    let pos = half + com;
    let across = across + (ends + sphere * (pos * pos - com * com));
    Vec3::new(across, across, along + ends)
}

/// An open cylinder and two disks.
fn cylinder_shell(mass: f64, radius: f64, half: f64) -> Vec3 {
    let height = 2.0 * half;
    let area_disk = PI * radius * radius;
    let area_side = 2.0 * PI * radius * height;
    let disk = mass * area_disk / (2.0 * area_disk + area_side);
    let side = mass - 2.0 * disk;
    let across = side * (6.0 * radius * radius + height * height) / 12.0;
    let along = side * radius * radius;
    let disk_across = disk * radius * radius / 4.0 + disk * half * half;
    let disk_along = disk * radius * radius / 2.0;
    let across = across + 2.0 * disk_across;
    Vec3::new(across, across, along + 2.0 * disk_along)
}

/// The difference of two ellipsoids a micrometre apart.
fn ellipsoid_shell(mass: f64, s: Vec3) -> Vec3 {
    let eps = 1e-6;
    let outer = Vec3::new(s.x + eps, s.y + eps, s.z + eps);
    let volume = |r: Vec3| 4.0 * PI * r.x * r.y * r.z / 3.0;
    let (inside, outside) = (volume(s), volume(outer));
    let density = mass / (outside - inside);
    let a = about_axes(inside * density, s.mul_elem(s), 5.0);
    let b = about_axes(outside * density, outer.mul_elem(outer), 5.0);
    b - a
}

/// Three pairs of sides.
fn box_shell(mass: f64, s: Vec3) -> Vec3 {
    let (lx, ly, lz) = (2.0 * s.x, 2.0 * s.y, 2.0 * s.z);
    let (a0, a1, a2) = (lx * ly, ly * lz, lz * lx);
    let total = 2.0 * (a0 + a1 + a2);
    let (sx, sy, sz) = (s.x * s.x, s.y * s.y, s.z * s.z);

    // each side as a plate: in-plane and out-of-plane inertias
    let m0 = mass * a0 / total;
    let (x0, y0, z0) = (m0 * ly * ly / 12.0, m0 * lx * lx / 12.0, m0 * (lx * lx + ly * ly) / 12.0);
    let m1 = mass * a1 / total;
    let (x1, y1, z1) = (m1 * (ly * ly + lz * lz) / 12.0, m1 * lz * lz / 12.0, m1 * ly * ly / 12.0);
    let m2 = mass * a2 / total;
    let (x2, y2, z2) = (m2 * lz * lz / 12.0, m2 * (lx * lx + lz * lz) / 12.0, m2 * lx * lx / 12.0);

    Vec3::new(
        2.0 * (m0 * sz + m2 * sy + x0 + x1 + x2),
        2.0 * (m0 * sz + m1 * sx + y0 + y1 + y2),
        2.0 * (m1 * sx + m2 * sy + z0 + z1 + z2),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume and inertia of a solid by sums over a grid of points in its box.
    fn by_points(shape: Shape) -> (f64, Vec3) {
        const N: usize = 60;
        let half = shape.half_box();
        let place = |i: usize, h: f64| h * ((2 * i + 1) as f64 / N as f64 - 1.0);
        let pose = crate::shape::Pose { pos: Vec3::ZERO, mat: sinew_math::Mat3::IDENTITY };
        let (mut count, mut sum) = (0.0, Vec3::ZERO);
        for i in 0..N * N * N {
            let p = Vec3::new(
                place(i % N, half.x),
                place(i / N % N, half.y),
                place(i / (N * N), half.z),
            );
            if shape.contains(pose, p) {
                count += 1.0;
                let [x, y, z] = p.mul_elem(p).to_array();
                sum += Vec3::new(y + z, x + z, x + y);
            }
        }
        let volume = 8.0 * half.x * half.y * half.z * count / (N * N * N) as f64;
        (volume, sum * (1.0 / count))
    }

    #[test]
    fn formulas_equal_sums_over_points() {
        let half = Vec3::new(0.3, 0.5, 0.2);
        let (radius, half_len) = (0.3, 0.4);
        for shape in [
            Shape::Sphere { radius },
            Shape::Capsule { radius, half_len },
            Shape::Cylinder { radius, half_len },
            Shape::Ellipsoid { half },
            Shape::Box { half },
        ] {
            let (volume, inertia) = by_points(shape);
            let near = |a: f64, b: f64| (a - b).abs() < 0.01 * b;
            assert!(near(shape.volume(Matter::Solid), volume), "{shape:?}");
            let formula = shape.inertia(1.0, Matter::Solid);
            for k in 0..3 {
                assert!(near(formula[k], inertia[k]), "{shape:?}: {formula:?}, {inertia:?}");
            }
        }
    }

    #[test]
    fn a_shell_is_the_difference_of_two_solids() {
        // a little thicker on all sides; an ellipsoid's shell is only nearly so
        let (h, half) = (1e-6, Vec3::new(0.3, 0.5, 0.2));
        let more = Vec3::new(h, h, h);
        let (r, l) = (0.3, 0.4);
        for (inner, outer) in [
            (Shape::Sphere { radius: r }, Shape::Sphere { radius: r + h }),
            (
                Shape::Capsule { radius: r, half_len: l },
                Shape::Capsule { radius: r + h, half_len: l },
            ),
            (
                Shape::Cylinder { radius: r, half_len: l },
                Shape::Cylinder { radius: r + h, half_len: l + h },
            ),
            (Shape::Box { half }, Shape::Box { half: half + more }),
        ] {
            let [small, large] = [inner, outer].map(|s| s.volume(Matter::Solid));
            let area = (large - small) / h;
            assert!((inner.volume(Matter::Shell) - area).abs() < 1e-4 * area, "{inner:?}");
            let [a, b] = [(inner, small), (outer, large)].map(|(s, v)| s.inertia(v, Matter::Solid));
            let shell = inner.inertia(large - small, Matter::Shell);
            for k in 0..3 {
                let wanted = b[k] - a[k];
                assert!((shell[k] - wanted).abs() < 1e-3 * wanted, "{inner:?}: {shell:?}");
            }
        }
    }
}
