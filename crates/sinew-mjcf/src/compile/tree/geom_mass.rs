//! Mass and inertia of geoms.

use sinew_engine as engine;
use sinew_geom::shape::{Matter, Shape};
use sinew_math::Vec3;
use sinew_model::enums::GeomType;

use crate::asset::mesh::data::CompiledMesh;
use crate::compile::world::GeomRec;
use crate::pose::EPS;

/// Mass and principal inertias from `mass` or `density`, of the volume or the surface.
pub(crate) fn mass_and_inertia(
    geom: &GeomRec,
    mesh: Option<&CompiledMesh>,
) -> Result<(f64, Vec3), String> {
    let e = &geom.elem;
    let matter = if e.values().shellinertia() { Matter::Shell } else { Matter::Solid };
    let body = Massive::new(geom, mesh);

    // mass as written, else from density and volume
    let mut density = e.values().density();
    let (mut mass, mut inertia) = (0.0, Vec3::ZERO);
    match e.mass.get().copied().filter(|m| !m.is_nan()) {
        Some(0.0) => density = 0.0,
        Some(wanted) => {
            let volume = body.volume(matter);
            if volume > EPS {
                mass = wanted;
                density = wanted / volume;
                inertia = body.inertia(mass, matter);
            }
        }
        None if density == 0.0 => {}
        None => {
            mass = density * body.volume(matter);
            inertia = body.inertia(mass, matter);
        }
    }

    // neither may be negative
    let negative = inertia.to_array().iter().any(|i| *i < 0.0);
    if mass < 0.0 || negative || density < 0.0 {
        return Err("mass, inertia or density are negative in geom".into());
    }
    Ok((mass, inertia))
}

/// A geom's part that has mass.
enum Massive<'a> {
    /// A shape; a height field has its box.
    Shape(Shape),
    Mesh(&'a CompiledMesh),
    Nothing,
}

impl Massive<'_> {
    fn new<'a>(geom: &GeomRec, mesh: Option<&'a CompiledMesh>) -> Massive<'a> {
        let shape = match geom.kind {
            kind if kind.is_mesh() => return mesh.map_or(Massive::Nothing, Massive::Mesh),
            GeomType::Hfield => Some(Shape::Box { half: geom.size }),
            kind => engine::shape(kind, geom.size),
        };
        shape.map_or(Massive::Nothing, Massive::Shape)
    }

    /// Volume, or area if only the surface has mass.
    fn volume(&self, matter: Matter) -> f64 {
        match self {
            Massive::Shape(shape) => shape.volume(matter),
            Massive::Mesh(mesh) => mesh.volume,
            Massive::Nothing => 0.0,
        }
    }

    /// Principal inertias at the given mass; a mesh has the inertias of its box of equal inertia.
    fn inertia(&self, mass: f64, matter: Matter) -> Vec3 {
        match self {
            Massive::Shape(shape) => shape.inertia(mass, matter),
            Massive::Mesh(mesh) => Shape::Box { half: mesh.boxsz }.inertia(mass, Matter::Solid),
            Massive::Nothing => Vec3::ZERO,
        }
    }
}
