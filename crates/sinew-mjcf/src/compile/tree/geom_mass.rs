//! Mass and inertia of geoms.

use sinew_math::{Vec3, scalar};
use sinew_model::enums::GeomType;

use crate::asset::mesh::data::CompiledMesh;
use crate::compile::world::GeomRec;
use crate::orientation::PI;
use crate::pose::EPS;

/// Mass and principal inertias from `mass` or `density`, of the volume or the surface.
pub(crate) fn mass_and_inertia(
    geom: &GeomRec,
    mesh: Option<&CompiledMesh>,
) -> Result<(f64, Vec3), String> {
    let e = &geom.elem;
    let solid = Solid { kind: geom.kind, size: geom.size, shell: e.values().shellinertia(), mesh };

    // mass as written, else from density and volume
    let mut density = e.values().density();
    let (mut mass, mut inertia) = (0.0, Vec3::ZERO);
    match e.mass.get().copied().filter(|m| !m.is_nan()) {
        Some(0.0) => density = 0.0,
        Some(wanted) => {
            let volume = solid.volume();
            if volume > EPS {
                mass = wanted;
                density = wanted / volume;
                inertia = solid.inertia(mass);
            }
        }
        None if density == 0.0 => {}
        None => {
            mass = density * solid.volume();
            inertia = solid.inertia(mass);
        }
    }

    // neither may be negative
    let negative = inertia.to_array().iter().any(|i| *i < 0.0);
    if mass < 0.0 || negative || density < 0.0 {
        return Err("mass, inertia or density are negative in geom".into());
    }
    Ok((mass, inertia))
}

/// A shape that has mass.
struct Solid<'a> {
    kind: GeomType,
    size: Vec3,
    shell: bool,
    mesh: Option<&'a CompiledMesh>,
}

impl Solid<'_> {
    /// Volume, or area if only the surface has mass.
    #[doc(alias = "GetVolume")]
    fn volume(&self) -> f64 {
        let s = self.size;
        let (radius, height) = (s.x, 2.0 * s.y);
        match (self.kind, self.shell) {
            (GeomType::Mesh | GeomType::Sdf, _) => self.mesh.map_or(0.0, |m| m.volume),
            (GeomType::Sphere, false) => 4.0 * PI * radius * radius * radius / 3.0,
            (GeomType::Sphere, true) => 4.0 * PI * radius * radius,
            (GeomType::Capsule, false) => {
                PI * (radius * radius * height + 4.0 * radius * radius * radius / 3.0)
            }
            (GeomType::Capsule, true) => 4.0 * PI * radius * radius + 2.0 * PI * radius * height,
            (GeomType::Cylinder, false) => PI * radius * radius * height,
            (GeomType::Cylinder, true) => 2.0 * PI * radius * radius + 2.0 * PI * radius * height,
            (GeomType::Ellipsoid, false) => 4.0 * PI * s.x * s.y * s.z / 3.0,
            (GeomType::Ellipsoid, true) => {
                // Thomsen's approximation
                let p = 1.6075;
                let sum = scalar::pow(s.x * s.y, p)
                    + scalar::pow(s.y * s.z, p)
                    + scalar::pow(s.z * s.x, p);
                4.0 * PI * scalar::pow(sum / 3.0, 1.0 / p)
            }
            (GeomType::Hfield | GeomType::Box, false) => s.x * s.y * s.z * 8.0,
            (GeomType::Hfield | GeomType::Box, true) => 8.0 * (s.x * s.y + s.y * s.z + s.z * s.x),
            _ => 0.0,
        }
    }

    /// Principal inertias at the given mass.
    #[doc(alias = "SetInertia")]
    fn inertia(&self, mass: f64) -> Vec3 {
        let s = self.size;
        let square = s.mul_elem(s);

        // solids and shells of uniform density
        match (self.kind, self.shell) {
            (GeomType::Mesh | GeomType::Sdf, _) => {
                let half = self.mesh.map_or(Vec3::ZERO, |m| m.boxsz);
                about_axes(mass, half.mul_elem(half), 3.0)
            }
            (GeomType::Sphere, shell) => {
                let i = 2.0 * mass * s.x * s.x / if shell { 3.0 } else { 5.0 };
                Vec3::new(i, i, i)
            }
            (GeomType::Capsule, false) => capsule(mass, s.x, 2.0 * s.y),
            (GeomType::Capsule, true) => capsule_shell(mass, s.x, s.y),
            (GeomType::Cylinder, false) => {
                let (radius, height) = (s.x, 2.0 * s.y);
                let across = mass * (3.0 * radius * radius + height * height) / 12.0;
                Vec3::new(across, across, mass * radius * radius / 2.0)
            }
            (GeomType::Cylinder, true) => cylinder_shell(mass, s.x, s.y),
            (GeomType::Ellipsoid, false) => about_axes(mass, square, 5.0),
            (GeomType::Ellipsoid, true) => ellipsoid_shell(mass, s),
            (GeomType::Hfield | GeomType::Box, false) => about_axes(mass, square, 3.0),
            (GeomType::Hfield | GeomType::Box, true) => box_shell(mass, s),
            _ => Vec3::ZERO,
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
