//! Bodies and geoms that a fluid acts on.

use sinew_engine as engine;
use sinew_kernel::real::Real;
use sinew_math::MINVAL;
use sinew_model::enums::DisableBit;
use sinew_model::{BodyId, GeomId, Model};

use super::blob::Blob;
use super::bodies::{by_components, by_rows};

/// Whether a fluid acts: its forces are passive, and go with springs and dampers.
pub(super) fn acts(m: &Model) -> bool {
    let passive = !m.opt.disabled(DisableBit::Spring) || !m.opt.disabled(DisableBit::Damper);
    passive && (m.opt.viscosity != 0.0 || m.opt.density != 0.0)
}

pub(super) fn add<R: Real>(m: &Model, blob: &mut Blob<R>) {
    if !acts(m) {
        return;
    }
    blob.counts.fluid = 1;
    // a negative number of either has no effect on boxes
    let wind: [f64; 3] = m.opt.wind.into();
    let s = &mut blob.scalars;
    [s.wind_x, s.wind_y, s.wind_z] = wind.map(R::of);
    (s.density, s.viscosity) = (R::of(m.opt.density), R::of(m.opt.viscosity));

    // a body is the box of its inertia, or its geoms
    let (mut boxes, mut geoms) = (Vec::new(), Vec::new());
    for b in m.bodies() {
        blob.fluid_adr.push(geoms.len() as u32);
        let (moves, detailed) =
            (m.body_mass[b] >= MINVAL, m.body_geoms(b).any(|g| m.geom_fluid[g][0] > 0.0));
        boxes.push(if moves && !detailed { inertia_box(m, b) } else { [0.0; 3] });
        let some = m.body_geoms(b).filter(|&g| moves && detailed && m.geom_fluid[g][0] != 0.0);
        geoms.extend(some);
    }
    blob.fluid_adr.push(geoms.len() as u32);
    blob.counts.nfluid = geoms.len() as u32;
    let rows = |of: &dyn Fn(GeomId) -> [f64; 3]| -> Vec<R> {
        by_rows(&geoms.iter().map(|&g| of(g)).collect::<Vec<_>>())
    };
    blob.fluid_box = by_rows(&boxes);
    let axes: Vec<[f64; 4]> = m.bodies().map(|b| m.body_iquat[b].to_array()).collect();
    blob.body_iquat = by_rows(&axes);
    blob.fluid_pos = rows(&|g| m.geom_pos[g].into());
    blob.fluid_size = rows(&|g| engine::semi_axes(m.geom_type[g], m.geom_size[g]).into());
    let quats: Vec<[f64; 4]> = geoms.iter().map(|&g| m.geom_quat[g].to_array()).collect();
    blob.fluid_quat = by_rows(&quats);
    blob.fluid_coef = by_components(&geoms.iter().map(|&g| m.geom_fluid[g]).collect::<Vec<_>>());
}

/// Sides of the box that has a body's inertia.
fn inertia_box(m: &Model, b: BodyId) -> [f64; 3] {
    let [x, y, z] = m.body_inertia[b].to_array();
    let side = |a: f64, b: f64, c: f64, mass: f64| ((a + b - c).max(MINVAL) / mass * 6.0).sqrt();
    let mass = m.body_mass[b];
    [side(y, z, x, mass), side(x, z, y, mass), side(x, y, z, mass)]
}
