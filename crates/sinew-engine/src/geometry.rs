//! Geoms as the geometry crate knows them.

use sinew_geom::ray_mesh::MeshTree;
use sinew_geom::sdf::Octree;
use sinew_geom::shape::Shape;
use sinew_geom::solid::{HeightField, Hull};
use sinew_math::Vec3;
use sinew_model::enums::GeomType;
use sinew_model::{GeomId, HFieldId, MeshId, Model};

/// A primitive shape from a geom's or site's type and size; none for other kinds.
#[inline]
pub fn shape(kind: GeomType, size: Vec3) -> Option<Shape> {
    Some(match kind {
        GeomType::Plane => Shape::Plane { half: [size.x, size.y] },
        GeomType::Sphere => Shape::Sphere { radius: size.x },
        GeomType::Capsule => Shape::Capsule { radius: size.x, half_len: size.y },
        GeomType::Ellipsoid => Shape::Ellipsoid { half: size },
        GeomType::Cylinder => Shape::Cylinder { radius: size.x, half_len: size.y },
        GeomType::Box => Shape::Box { half: size },
        _ => return None,
    })
}

/// The triangles and the tree of a mesh geom.
pub(crate) fn mesh_tree(m: &Model, g: GeomId) -> Option<MeshTree<'_>> {
    let mesh = MeshId::new(usize::try_from(m.geom_dataid[g]).ok()?);
    let range = |adr: i32, num: i32| {
        let start = usize::try_from(adr).unwrap_or(0);
        start..start + usize::try_from(num).unwrap_or(0)
    };
    let vert = range(m.mesh_vertadr[mesh], m.mesh_vertnum[mesh]);
    let face = range(m.mesh_faceadr[mesh], m.mesh_facenum[mesh]);
    let node = range(m.mesh_bvhadr[mesh], m.mesh_bvhnum[mesh]);
    Some(MeshTree {
        vert: m.mesh_vert.get(vert)?,
        face: m.mesh_face.get(face)?,
        aabb: m.bvh_aabb.get(node.clone())?,
        child: m.bvh_child.get(node.clone())?,
        item: m.bvh_nodeid.get(node)?,
    })
}

/// The hull of a mesh geom. Addresses in the tables of polygons count from the start of these
/// tables, so they are given whole.
pub fn mesh_hull(m: &Model, g: GeomId) -> Option<Hull<'_>> {
    let mesh = MeshId::new(usize::try_from(m.geom_dataid[g]).ok()?);
    let range = |adr: i32, num: i32| {
        let start = usize::try_from(adr).unwrap_or(0);
        start..start + usize::try_from(num).unwrap_or(0)
    };

    // runs of the mesh in the tables of vertices and polygons; the graph is optional
    let vert = range(m.mesh_vertadr[mesh], m.mesh_vertnum[mesh]);
    let poly = range(m.mesh_polyadr[mesh], m.mesh_polynum[mesh]);
    let graph = match usize::try_from(m.mesh_graphadr[mesh]) {
        Ok(start) => m.mesh_graph.get(start..)?,
        Err(_) => &[],
    };
    Some(Hull {
        vert: m.mesh_vert.get(vert.clone())?,
        graph,
        links: &[],
        poly_normal: m.mesh_polynormal.get(poly.clone())?,
        poly_vert_adr: m.mesh_polyvertadr.get(poly.clone())?,
        poly_vert_num: m.mesh_polyvertnum.get(poly)?,
        poly_vert: &m.mesh_polyvert,
        poly_map_adr: m.mesh_polymapadr.get(vert.clone())?,
        poly_map_num: m.mesh_polymapnum.get(vert)?,
        poly_map: &m.mesh_polymap,
        rbound: m.geom_rbound[g],
    })
}

/// The samples of a height-field geom.
pub fn height_field(m: &Model, g: GeomId) -> Option<HeightField<'_>> {
    let hfield = HFieldId::new(usize::try_from(m.geom_dataid[g]).ok()?);
    let nrow = usize::try_from(m.hfield_nrow[hfield]).ok()?;
    let ncol = usize::try_from(m.hfield_ncol[hfield]).ok()?;
    let adr = usize::try_from(m.hfield_adr[hfield]).ok()?;
    let data = m.hfield_data.get(adr..adr + nrow * ncol)?;
    Some(HeightField { size: m.hfield_size[hfield], nrow, ncol, data })
}

/// The octree of a mesh, if it has one.
pub(crate) fn octree(m: &Model, mesh: usize) -> Option<Octree<'_>> {
    let start = usize::try_from(*m.mesh_octadr.get(mesh)?).ok()?;
    let cells = start..start + usize::try_from(m.mesh_octnum[mesh]).ok().filter(|n| *n > 0)?;
    Some(Octree::new(
        m.oct_aabb.get(cells.clone())?,
        m.oct_child.get(cells.clone())?,
        m.oct_coeff.get(cells)?,
    ))
}
