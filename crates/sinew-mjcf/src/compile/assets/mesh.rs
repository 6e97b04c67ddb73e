//! Meshes: from elements to the tables of the model.

use sinew_model::Model;
use sinew_model::enums::{GeomType, MeshBuiltin, ObjType};
use sinew_model::plugin::DistanceField;

use crate::asset::cache::Made;
use crate::asset::mesh::data::{CompiledMesh, MeshInput};
use crate::compile::assets::jobs::Jobs;
use crate::compile::assets::source::{asset_name, asset_size, read_asset, without};
use crate::compile::cx::{At, Cx};
use crate::compile::rows::{copy_bvh, put};
use crate::files::{AssetKind, Files};
use crate::spec::Mesh;

/// The meshes that are to be compiled, as geoms need them.
pub(crate) fn mesh_jobs<'a>(
    cx: &'a Cx<'_>,
    files: &'a Files<'_>,
    needs: &[Needs],
    fields: Vec<Option<Box<dyn DistanceField>>>,
) -> Jobs<'a, Made<CompiledMesh>> {
    let (elems, scopes, cache) = (&cx.mesh_elems, &cx.spec.scopes, &cx.opts.cache);

    // different needs of geoms make different meshes
    let keys = elems.iter().zip(needs).map(|(e, need)| {
        let key = e.file.is_set().then(|| {
            let mut same = without(e.attributes(), &["name", "material"]);
            same.push(("octree", format!("{} {}", need.octree, e.plugin.is_some())));
            (e.head.scope, need.hull, same)
        });
        (key, asset_size(files, scopes, &e.head, AssetKind::Mesh, &e.file))
    });

    // a mesh from its attributes
    let wanted = elems.iter().zip(needs).zip(fields);
    let inputs: Vec<MeshInput> =
        wanted.map(|((e, need), field)| mesh_input(e, *need, field)).collect();
    Jobs::new(keys, move |i| {
        let head = &elems[i].head;
        let mut read = |file: &str| read_asset(files, scopes, head, AssetKind::Mesh, file);
        cache.make(&inputs[i], &mut read)
    })
}

/// Takes the meshes, in order; failures and warnings are reported.
pub(crate) fn take_meshes(cx: &mut Cx<'_>, made: Vec<Made<CompiledMesh>>) {
    for (i, result) in made.into_iter().enumerate() {
        match result {
            Ok(mesh) => {
                let head = cx.mesh_elems[i].head;
                for text in &mesh.warnings {
                    cx.diag.warn("mesh", head.span, text.clone());
                }
                cx.meshes.push(Some(mesh));
            }
            Err(error) => {
                let e = &cx.mesh_elems[i];
                let (name, span) = (asset_name(&e.name, &e.file), e.head.span);
                cx.fail(At { name: &name, id: i, span }, error);
                cx.meshes.push(None);
            }
        }
    }
}

/// Which meshes need a convex hull because a geom collides as it, and which an octree.
pub(crate) fn needs_of_geoms(cx: &Cx<'_>) -> Vec<Needs> {
    let mut in_pair = vec![false; cx.world.geoms.len()];
    for pair in &cx.spec.pairs {
        for name in [pair.geom1.text(), pair.geom2.text()] {
            if let Some(g) = cx.find(ObjType::Geom, name) {
                in_pair[g] = true;
            }
        }
    }
    let mut need = vec![Needs::default(); cx.mesh_elems.len()];
    for (geom, paired) in cx.world.geoms.iter().zip(in_pair) {
        let Some(mesh) = geom.mesh else { continue };
        let collides = geom.contype != 0 || geom.conaffinity != 0;
        let solid = geom.kind.is_mesh();
        need[mesh].hull |= solid && (collides || paired);
        need[mesh].collides |= geom.kind == GeomType::Mesh && (collides || paired);
        need[mesh].octree |= geom.kind == GeomType::Sdf;
    }
    for mesh in cx.world.sites.iter().filter_map(|site| site.mesh) {
        need[mesh].hull = true;
    }
    need
}

/// Properties that geoms need of a mesh.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Needs {
    hull: bool,
    octree: bool,
    /// Whether a geom collides as the hull, and not as a distance field.
    collides: bool,
}

/// The distance fields of meshes that plugins make; failures are reported.
pub(crate) fn distance_fields(cx: &mut Cx<'_>) -> Vec<Option<Box<dyn DistanceField>>> {
    let spec = cx.spec;
    let mut fields = Vec::with_capacity(spec.meshes.len());
    for (id, e) in spec.meshes.iter().enumerate() {
        let made = cx.plugins.of(&e.plugin).and_then(|plugin| cx.plugins.distance_field(plugin));
        fields.push(match made.filter(|_| !e.file.is_set()) {
            Some(Ok(field)) => Some(field),
            Some(Err(why)) => {
                cx.fail(At { name: e.name.text(), id, span: e.head.span }, why);
                None
            }
            None => None,
        });
    }
    fields
}

fn mesh_input(e: &Mesh, need: Needs, field: Option<Box<dyn DistanceField>>) -> MeshInput {
    let shape = e.builtin.get().copied().filter(|shape| *shape != MeshBuiltin::None);
    MeshInput {
        name: asset_name(&e.name, &e.file),
        file: e.file.text().to_owned(),
        content_type: e.content_type.text().to_owned(),
        uservert: e.values().vertex().to_vec(),
        usernormal: e.values().normal().to_vec(),
        usertexcoord: e.values().texcoord().to_vec(),
        userface: e.values().face().to_vec(),
        userfacenormal: e.facenormal.clone(),
        userfacetexcoord: e.facetexcoord.clone(),
        builtin: shape.map(|s| (s, e.params.or(Vec::new()))),
        scale: e.values().scale(),
        refpos: e.values().refpos(),
        refquat: e.values().refquat(),
        smoothnormal: e.values().smoothnormal(),
        maxhullvert: e.values().maxhullvert(),
        inertia: e.values().inertia(),
        needhull: need.hull,
        needoctree: need.octree,
        only_field: need.hull && !need.collides,
        plugin: e.plugin.is_some(),
        field: field.map(Into::into),
    }
}

/// Adds the sizes of meshes.
pub(crate) fn count_meshes(cx: &Cx<'_>, m: &mut Model) {
    m.nmesh = cx.meshes.len();
    for mesh in cx.meshes.iter().flatten() {
        m.nbvhstatic += mesh.bvh.len();
        m.nmeshvert += mesh.vert.len();
        m.nmeshnormal += mesh.normal.len();
        m.nmeshtexcoord += mesh.texcoord.len();
        m.nmeshface += mesh.face.len();
        m.nmeshgraph += mesh.graph.len();
        m.nmeshpoly += mesh.polynormal.len();
        m.nmeshpolyvert += mesh.polyvert.len();
        m.nmeshpolymap += mesh.polymap.len();
        m.noct += mesh.octree.depth.len();
    }
}

/// Copies the meshes into the model; their trees follow the bodies' trees, from `bvh` on.
pub(crate) fn store_meshes(cx: &Cx<'_>, mut bvh: usize, m: &mut Model) {
    // where the next mesh begins in each table
    let (mut vert, mut normal, mut texcoord, mut face) = (0, 0, 0, 0);
    let (mut graph, mut poly, mut polyvert, mut polymap, mut oct) = (0, 0, 0, 0, 0);
    for (i, mesh) in cx.meshes.iter().enumerate() {
        let Some(mesh) = mesh else { continue };

        // addresses and sizes
        let nvert = mesh.vert.len();
        m.mesh_vertadr[i] = vert as i32;
        m.mesh_vertnum[i] = nvert as i32;
        m.mesh_normaladr[i] = normal as i32;
        m.mesh_normalnum[i] = mesh.normal.len() as i32;
        m.mesh_texcoordadr[i] = if mesh.texcoord.is_empty() { -1 } else { texcoord as i32 };
        m.mesh_texcoordnum[i] = mesh.texcoord.len() as i32;
        m.mesh_faceadr[i] = face as i32;
        m.mesh_facenum[i] = mesh.face.len() as i32;
        m.mesh_graphadr[i] = if mesh.graph.is_empty() { -1 } else { graph as i32 };
        m.mesh_bvhadr[i] = if mesh.bvh.is_empty() { -1 } else { bvh as i32 };
        m.mesh_bvhnum[i] = mesh.bvh.len() as i32;
        let cells = &mesh.octree;
        m.mesh_octadr[i] = if cells.depth.is_empty() { -1 } else { oct as i32 };
        m.mesh_octnum[i] = cells.depth.len() as i32;
        m.mesh_polyadr[i] = poly as i32;
        m.mesh_polynum[i] = mesh.polynormal.len() as i32;
        (m.mesh_scale[i], m.mesh_pos[i], m.mesh_quat[i]) = (mesh.scale, mesh.pos, mesh.quat);

        // the tables
        put(&mut m.mesh_vert, vert, &mesh.vert);
        put(&mut m.mesh_normal, normal, &mesh.normal);
        put(&mut m.mesh_texcoord, texcoord, &mesh.texcoord);
        put(&mut m.mesh_graph, graph, &mesh.graph);
        put(&mut m.mesh_face, face, &mesh.face);
        put(&mut m.mesh_facenormal, face, &mesh.facenormal);
        if !mesh.texcoord.is_empty() {
            put(&mut m.mesh_facetexcoord, face, &mesh.facetexcoord);
        }
        put_shifted(&mut m.mesh_polyvertadr, poly, &mesh.polyvertadr, polyvert);
        put_shifted(&mut m.mesh_polymapadr, vert, &mesh.polymapadr, polymap);
        put(&mut m.mesh_polyvertnum, poly, &mesh.polyvertnum);
        put(&mut m.mesh_polymapnum, vert, &mesh.polymapnum);
        put(&mut m.mesh_polynormal, poly, &mesh.polynormal);
        put(&mut m.mesh_polyvert, polyvert, &mesh.polyvert);
        put(&mut m.mesh_polymap, polymap, &mesh.polymap);
        put(&mut m.oct_aabb, oct, &cells.aabb);
        put(&mut m.oct_child, oct, &cells.child);
        put(&mut m.oct_depth, oct, &cells.depth);
        put(&mut m.oct_coeff, oct, &cells.coeff);
        copy_bvh(&mesh.bvh, bvh, m);

        // the next mesh
        vert += nvert;
        normal += mesh.normal.len();
        texcoord += mesh.texcoord.len();
        graph += mesh.graph.len();
        face += mesh.face.len();
        poly += mesh.polynormal.len();
        polyvert += mesh.polyvert.len();
        polymap += mesh.polymap.len();
        bvh += mesh.bvh.len();
        oct += cells.depth.len();
    }
}

/// Copies addresses to `at`, each moved by `shift`.
fn put_shifted(table: &mut [i32], at: usize, addresses: &[i32], shift: usize) {
    for (to, from) in table[at..at + addresses.len()].iter_mut().zip(addresses) {
        *to = from + shift as i32;
    }
}
