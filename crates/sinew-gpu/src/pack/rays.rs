//! Geoms that rays meet, with their height fields and meshes.

use std::collections::BTreeMap;

use sinew_engine as engine;
use sinew_kernel::real::Real;
use sinew_model::enums::GeomType;
use sinew_model::{GeomId, MeshId, Model};

use super::blob::Blob;
use super::bodies::{NONE, by_rows};
use super::hulls::add_field;

/// Whether rays meet a geom.
fn is_visible(m: &Model, g: GeomId) -> bool {
    match m.geom_matid[g].get() {
        Some(mat) => m.mat_rgba[mat][3] != 0.0,
        None => m.geom_rgba[g][3] != 0.0,
    }
}

fn visible(m: &Model) -> impl Iterator<Item = GeomId> {
    m.geoms().filter(|&g| is_visible(m, g))
}

/// Whether the kernel has the shapes of all geoms that rays meet.
pub(super) fn are_known(m: &Model) -> bool {
    visible(m).all(|g| match m.geom_type[g] {
        GeomType::Hfield => engine::height_field(m, g).is_some(),
        GeomType::Mesh => usize::try_from(m.geom_dataid[g]).is_ok(),
        kind => engine::shape(kind, m.geom_size[g]).is_some(),
    })
}

/// Packs the geoms that rays meet; the frame of geom 0 is at `first`.
pub(super) fn add<R: Real>(m: &Model, first: usize, blob: &mut Blob<R>) {
    let geoms: Vec<GeomId> = visible(m).collect();
    blob.seen_place = geoms.iter().map(|g| (first + g.idx()) as u32).collect();
    blob.seen_type = geoms.iter().map(|&g| m.geom_type[g].0 as u32).collect();
    let sizes: Vec<[f64; 3]> = geoms.iter().map(|&g| m.geom_size[g].into()).collect();
    blob.seen_size = by_rows(&sizes);
    blob.counts.nseen = geoms.len() as u32;
    let (mut fields, mut meshes) = (BTreeMap::new(), BTreeMap::new());
    for &g in &geoms {
        let asset = m.geom_dataid[g];
        let place = match m.geom_type[g] {
            GeomType::Hfield => engine::height_field(m, g)
                .map(|field| *fields.entry(asset).or_insert_with(|| add_field(&field, blob))),
            GeomType::Mesh => usize::try_from(asset).ok().map(|id| {
                *meshes.entry(asset).or_insert_with(|| add_mesh(m, MeshId::new(id), blob))
            }),
            _ => None,
        };
        blob.seen_asset.push(place.unwrap_or(NONE));
    }
}

/// Adds the triangles and the tree of a mesh; its place among them.
fn add_mesh<R: Real>(m: &Model, mesh: MeshId, blob: &mut Blob<R>) -> u32 {
    let place = blob.seen_mesh.len() / 6;
    let range = |adr: i32, num: i32| {
        let start = adr.max(0) as usize;
        start..start + num.max(0) as usize
    };
    let vert = range(m.mesh_vertadr[mesh], m.mesh_vertnum[mesh]);
    let face = range(m.mesh_faceadr[mesh], m.mesh_facenum[mesh]);
    let node = range(m.mesh_bvhadr[mesh], m.mesh_bvhnum[mesh]);
    let ends = [blob.seen_vert.len() / 3, blob.seen_face.len() / 3, blob.seen_item.len()];
    for (first, run) in ends.into_iter().zip([&vert, &face, &node]) {
        blob.seen_mesh.extend([first as u32, run.len() as u32]);
    }
    let words = |x: &i32| *x as u32;
    blob.seen_vert.extend(m.mesh_vert.rows(vert).iter().flatten().map(|x| x.to_bits()));
    blob.seen_face.extend(m.mesh_face.rows(face).iter().flatten().map(words));
    for bits in m.bvh_aabb.rows(node.clone()).iter().flatten().map(|x| x.to_bits()) {
        blob.seen_aabb.extend([bits as u32, (bits >> 32) as u32]);
    }
    blob.seen_child.extend(m.bvh_child.rows(node.clone()).iter().flatten().map(words));
    blob.seen_item.extend(m.bvh_nodeid.rows(node).iter().map(words));
    place as u32
}
