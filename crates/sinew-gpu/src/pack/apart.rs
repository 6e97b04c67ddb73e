//! Pairs of geoms whose distance is measured.

use sinew_kernel::apart::PAIR;
use sinew_kernel::contact::MOST_TOUCHES;
use sinew_kernel::real::Real;
use sinew_model::enums::{GeomType, ObjType};
use sinew_model::{BodyId, GeomId, Model, SensorId};

use super::blob::Blob;
use super::bodies::reals;

/// The geoms of an object: itself, or those of a body.
fn geoms(m: &Model, kind: ObjType, id: i32) -> Option<Vec<GeomId>> {
    let id = usize::try_from(id).ok()?;
    match kind {
        ObjType::Geom => Some(vec![GeomId::new(id)]),
        ObjType::Body => Some(m.body_geoms(BodyId::new(id)).collect()),
        _ => None,
    }
}

/// Whether the kernel has a formula for the distance of two shapes, in rising order.
fn has_formula(m: &Model, [g1, g2]: [GeomId; 2]) -> bool {
    use GeomType as G;
    let fitted = m.geom_type[g2] == G::Ellipsoid && m.geom_dataid[g2] >= 0;
    match (m.geom_type[g1], m.geom_type[g2]) {
        (G::Plane, G::Sphere | G::Capsule | G::Ellipsoid | G::Cylinder | G::Box) => !fitted,
        (G::Sphere, G::Sphere | G::Capsule | G::Cylinder | G::Box) => true,
        (G::Capsule, G::Capsule | G::Box) => true,
        _ => false,
    }
}

/// Packs the pairs of a sensor: the first and how many; none if the kernel has not all formulas.
/// The frame of geom 0 is at `first`.
pub(super) fn add<R: Real>(
    m: &Model,
    s: SensorId,
    first: usize,
    blob: &mut Blob<R>,
) -> Option<[u32; 2]> {
    let mut pairs = Vec::new();
    for g1 in geoms(m, m.sensor_objtype[s], m.sensor_objid[s])? {
        for g2 in geoms(m, m.sensor_reftype[s], m.sensor_refid[s])? {
            let swapped = m.geom_type[g1].0 > m.geom_type[g2].0;
            let pair = if swapped { [g2, g1] } else { [g1, g2] };
            if !has_formula(m, pair) {
                return None;
            }
            pairs.push((pair, swapped));
        }
    }
    let start = blob.apart.len() / PAIR;
    for &(pair, swapped) in &pairs {
        for g in pair {
            blob.apart.extend([(first + g.idx()) as u32, m.geom_type[g].0 as u32]);
            blob.apart_size.extend(reals::<R>(<[f64; 3]>::from(m.geom_size[g])));
        }
        blob.apart.push(u32::from(swapped));
    }
    // places for their contacts, after those of all others
    blob.work.slot += 10 * MOST_TOUCHES * pairs.len();
    Some([start as u32, pairs.len() as u32])
}
