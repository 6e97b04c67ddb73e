//! Geoms as the geometry crate knows them.

use sinew_geom::ray_mesh::MeshTree;
use sinew_geom::sdf::Octree;
use sinew_geom::shape::{Pose, Shape};
use sinew_geom::solid::{Form, HeightField, Hull, Solid};
use sinew_math::Vec3;
use sinew_model::enums::GeomType;
use sinew_model::{Data, GeomId, HFieldId, MeshId, Model, SiteId};

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
    hull_of(m, mesh, m.geom_rbound[g])
}

/// The hull of a mesh, with the radius of a ball around its centre.
fn hull_of(m: &Model, mesh: MeshId, rbound: f64) -> Option<Hull<'_>> {
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
        rbound,
    })
}

/// The volume of a site: a primitive shape, or the hull of its mesh.
///
/// The pose of a site is that of the frame in which the file of its mesh has the vertices.
pub(crate) fn site_solid<'a>(m: &'a Model, d: &Data, s: SiteId) -> Option<Solid<'a>> {
    let pose = site_pose(m, d, s);
    let form = match m.site_mesh(s) {
        Some(mesh) => Form::Hull(hull_of(m, mesh, m.site_size[s].norm())?),
        None => Form::Shape(shape(m.site_type[s], m.site_size[s])?),
    };
    Some(Solid { pose, form })
}

/// The frame of a site's volume: that of the vertices in the model where it is a mesh.
pub fn site_pose(m: &Model, d: &Data, s: SiteId) -> Pose {
    let (pos, mat) = (d.site_xpos[s], d.site_xmat[s]);
    match m.site_mesh(s) {
        Some(mesh) => {
            Pose { pos: pos + mat * m.mesh_pos[mesh], mat: mat * m.mesh_quat[mesh].to_mat() }
        }
        None => Pose { pos, mat },
    }
}

/// Whether a point of the world is inside the volume of a site.
#[doc(alias = "mj_insideSite")]
pub fn inside_site(m: &Model, d: &Data, s: SiteId, point: Vec3) -> bool {
    let Some(Solid { pose, form }) = site_solid(m, d, s) else { return false };
    match form {
        Form::Shape(shape) => shape.contains(pose, point),
        Form::Hull(hull) => {
            let point = pose.local_point(point);
            // the hull of a mesh without polygons is flat
            let inside = |(normal, corner): (Vec3, Vec3)| normal.dot(point - corner) <= 0.0;
            !hull.poly_normal.is_empty() && hull_planes(hull).all(inside)
        }
        _ => false,
    }
}

/// The planes of a hull's polygons: normal, and a corner.
pub(crate) fn hull_planes<'a>(hull: Hull<'a>) -> impl Iterator<Item = (Vec3, Vec3)> + 'a {
    let normals = hull.poly_normal.iter().copied();
    normals.enumerate().filter_map(move |(i, normal)| {
        let corner = polygon(hull, i).next()?;
        Some((normal, corner))
    })
}

/// The corners of a polygon of a hull, in order.
pub(crate) fn polygon<'a>(hull: Hull<'a>, i: usize) -> impl Iterator<Item = Vec3> + Clone + 'a {
    let row = |table: &[i32]| usize::try_from(table.get(i).copied().unwrap_or(0)).unwrap_or(0);
    let (start, count) = (row(hull.poly_vert_adr), row(hull.poly_vert_num));
    let corners = hull.poly_vert.get(start..start + count).unwrap_or(&[]);
    let vertex = move |&i: &i32| hull.vert.get(usize::try_from(i).ok()?);
    corners.iter().filter_map(vertex).map(|v| Vec3::from(v.map(f64::from)))
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
