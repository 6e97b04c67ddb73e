//! Meshes: from elements to the tables of the model.

use sinew_model::Model;
use sinew_model::enums::{GeomType, MeshBuiltin, MeshInertia, ObjType};

use crate::asset::mesh::compile_mesh;
use crate::asset::mesh::data::MeshInput;
use crate::compile::assets::source::{asset_name, once_each, read_asset, without};
use crate::compile::cx::{At, Cx};
use crate::compile::rows::{copy_bvh, put};
use crate::files::{AssetKind, Files};
use crate::spec::Mesh;

/// Compiles what geoms need: meshes, on as many threads as pay. Failures are reported.
pub(crate) fn compile_meshes(cx: &mut Cx<'_>, files: &Files<'_>) {
    // a mesh from its attributes
    let need_hull = meshes_with_hull(cx);
    let inputs: Vec<MeshInput> =
        cx.mesh_elems.iter().zip(&need_hull).map(|(e, hull)| mesh_input(e, *hull)).collect();
    let scopes = &cx.spec.scopes;
    let compile = |i: usize| {
        let head = &cx.mesh_elems[i].head;
        let mut read = |file: &str| read_asset(files, scopes, head, AssetKind::Mesh, file);
        compile_mesh(&inputs[i], &mut read)
    };

    // equal ones are compiled once
    let keys = cx.mesh_elems.iter().zip(&need_hull).map(|(e, hull)| {
        e.file
            .is_set()
            .then(|| (e.head.scope, *hull, without(e.attributes(), &["name", "material"])))
    });

    // results in order
    for (i, result) in once_each(keys, &compile).into_iter().enumerate() {
        match result {
            Ok(mut mesh) => {
                let head = cx.mesh_elems[i].head;
                for text in mesh.warnings.drain(..) {
                    cx.diag.warn("mesh", head.span, text);
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

/// Which meshes need a convex hull because a geom collides as it.
fn meshes_with_hull(cx: &Cx<'_>) -> Vec<bool> {
    let mut in_pair = vec![false; cx.world.geoms.len()];
    for pair in &cx.spec.pairs {
        for name in [pair.geom1.text(), pair.geom2.text()] {
            if let Some(g) = cx.find(ObjType::Geom, name) {
                in_pair[g] = true;
            }
        }
    }
    let mut need = vec![false; cx.mesh_elems.len()];
    for (geom, paired) in cx.world.geoms.iter().zip(in_pair) {
        let Some(mesh) = geom.mesh else { continue };
        let collides = geom.contype != 0 || geom.conaffinity != 0;
        if geom.kind == GeomType::Mesh && (collides || paired) {
            need[mesh] = true;
        }
    }
    need
}

fn mesh_input(e: &Mesh, needhull: bool) -> MeshInput {
    let shape = e.builtin.get().copied().filter(|shape| *shape != MeshBuiltin::None);
    MeshInput {
        name: asset_name(&e.name, &e.file),
        file: e.file.text().to_owned(),
        content_type: e.content_type.text().to_owned(),
        uservert: e.vertex.or(Vec::new()),
        usernormal: e.normal.or(Vec::new()),
        usertexcoord: e.texcoord.or(Vec::new()),
        userface: e.face.or(Vec::new()),
        builtin: shape.map(|s| (s, e.params.or(Vec::new()))),
        scale: e.scale.or([1.0; 3]),
        refpos: e.refpos.or([0.0; 3]),
        refquat: e.refquat.or([1.0, 0.0, 0.0, 0.0]),
        smoothnormal: e.smoothnormal.or(false),
        maxhullvert: e.maxhullvert.or(-1),
        inertia: e.inertia.or(MeshInertia::Legacy),
        needhull,
        ..MeshInput::default()
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
    }
}

/// Copies the meshes into the model; their trees follow those of the bodies, from `bvh` on.
pub(crate) fn store_meshes(cx: &Cx<'_>, mut bvh: usize, m: &mut Model) {
    // where the next mesh begins in each table
    let (mut vert, mut normal, mut texcoord, mut face) = (0, 0, 0, 0);
    let (mut graph, mut poly, mut polyvert, mut polymap) = (0, 0, 0, 0);
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
        m.mesh_octadr[i] = -1;
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
    }
}

/// Copies addresses to `at`, each moved by `shift`.
fn put_shifted(table: &mut [i32], at: usize, addresses: &[i32], shift: usize) {
    for (to, from) in table[at..at + addresses.len()].iter_mut().zip(addresses) {
        *to = from + shift as i32;
    }
}
