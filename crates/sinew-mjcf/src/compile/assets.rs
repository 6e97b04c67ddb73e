//! Meshes, height fields and textures: from elements to the tables of the model.

use std::collections::HashMap;

use sinew_model::Model;
use sinew_model::enums::{
    Builtin, ColorSpace, GeomType, Mark, MeshBuiltin, MeshInertia, ObjType, TextureType,
};

use crate::asset::hfield::{CompiledHField, HFieldInput, compile_hfield};
use crate::asset::texture::{CompiledTexture, TextureInput, compile_texture};
use crate::asset::{AssetError, mesh};
use crate::compile::cx::{At, Cx};
use crate::compile::put;
use crate::files::{AssetKind, Files, base_name};
use crate::spec::{Attr, Head, Mesh, Texture};

/// Compiles what geoms need: meshes, on as many threads as pay. Failures are reported.
pub fn compile_meshes(cx: &mut Cx<'_>, files: &Files<'_>) {
    let need_hull = meshes_with_hull(cx);
    let inputs: Vec<mesh::MeshInput> =
        cx.mesh_elems.iter().zip(&need_hull).map(|(e, hull)| mesh_input(e, *hull)).collect();
    let scopes = &cx.spec.scopes;
    let compile = |i: usize| {
        let head = &cx.mesh_elems[i].head;
        let mut read = |file: &str| read_asset(files, scopes, head, AssetKind::Mesh, file);
        mesh::compile_mesh(&inputs[i], &mut read)
    };
    let keys = cx.mesh_elems.iter().zip(&need_hull).map(|(e, hull)| {
        e.file
            .is_set()
            .then(|| (e.head.scope, *hull, without(e.attributes(), &["name", "material"])))
    });

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

/// What an asset is made from: its scope, a flag, and its attributes.
type AssetKey = (usize, bool, Vec<(&'static str, String)>);

/// Attributes that matter for what an asset becomes.
fn without(
    mut attributes: Vec<(&'static str, String)>,
    names: &[&str],
) -> Vec<(&'static str, String)> {
    attributes.retain(|(name, _)| !names.contains(name));
    attributes
}

/// Results of `job` for each key; equal keys share one run.
fn once_each<T: Clone + Send>(
    keys: impl Iterator<Item = Option<AssetKey>>,
    job: &(dyn Fn(usize) -> T + Sync),
) -> Vec<T> {
    let mut seen: HashMap<AssetKey, usize> = HashMap::new();
    let (mut runs, mut run_of) = (Vec::new(), Vec::new());
    for (i, key) in keys.enumerate() {
        let next = runs.len();
        let run = key.map_or(next, |key| *seen.entry(key).or_insert(next));
        if run == next {
            runs.push(i);
        }
        run_of.push(run);
    }
    let results = in_parallel(runs.len(), &|run| job(runs[run]));
    if runs.len() == run_of.len() {
        return results;
    }
    run_of.into_iter().map(|run| results[run].clone()).collect()
}

/// Results of `job` for 0 to `n`, in order; several threads take jobs from a common counter.
fn in_parallel<T: Send>(n: usize, job: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, |t| t.get().min(16)).min(n);
    if threads < 2 {
        return (0..n).map(job).collect();
    }
    let next = std::sync::atomic::AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if i >= n {
                return done;
            }
            done.push((i, job(i)));
        }
    };
    let mut all: Vec<(usize, T)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads).map(|_| scope.spawn(take)).collect();
        let mut all = take();
        for worker in workers {
            match worker.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, result)| result).collect()
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

/// The bytes of an asset in the scope of an element.
fn read_asset(
    files: &Files<'_>,
    scopes: &[crate::spec::Scope],
    head: &Head,
    kind: AssetKind,
    file: &str,
) -> Result<Vec<u8>, String> {
    let scope = scopes.get(head.scope).ok_or_else(|| format!("Error opening file '{file}'"))?;
    files.read(scope, kind, file).map(std::borrow::Cow::into_owned)
}

/// The name of an asset; that of its file where it has none of its own.
pub fn asset_name(name: &Attr<String>, file: &Attr<String>) -> String {
    let own = name.text();
    if !own.is_empty() {
        return own.to_owned();
    }
    let base = base_name(file.text());
    base.rsplit_once('.').map_or(base, |(stem, _)| stem).to_owned()
}

fn mesh_input(e: &Mesh, needhull: bool) -> mesh::MeshInput {
    let shape = e.builtin.get().copied().filter(|shape| *shape != MeshBuiltin::None);
    mesh::MeshInput {
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
        ..mesh::MeshInput::default()
    }
}

/// Compiles the height fields; failures are reported.
pub fn compile_hfields(cx: &mut Cx<'_>, files: &Files<'_>) -> Vec<CompiledHField> {
    let spec = cx.spec;
    let compile = |id: usize| {
        let e = &spec.hfields[id];
        let input = HFieldInput {
            file: e.file.text().to_owned(),
            content_type: e.content_type.text().to_owned(),
            nrow: e.nrow.or(0),
            ncol: e.ncol.or(0),
            size: e.size.or([0.0; 4]),
            elevation: e.elevation.get().cloned(),
        };
        let mut read = |file: &str| read_asset(files, &spec.scopes, &e.head, AssetKind::Mesh, file);
        compile_hfield(&input, &mut read)
    };
    let keys = spec.hfields.iter().map(|e| {
        e.file.is_set().then(|| (e.head.scope, false, without(e.attributes(), &["name"])))
    });
    let mut out = Vec::with_capacity(spec.hfields.len());
    for (id, result) in once_each(keys, &compile).into_iter().enumerate() {
        out.push(result.unwrap_or_else(|error| {
            let e = &spec.hfields[id];
            let name = asset_name(&e.name, &e.file);
            cx.fail(At { name: &name, id, span: e.head.span }, error);
            CompiledHField::default()
        }));
    }
    out
}

/// Compiles the textures; failures are reported.
pub fn compile_textures(cx: &mut Cx<'_>, files: &Files<'_>) -> Vec<CompiledTexture> {
    let spec = cx.spec;
    if cx.settings[0].discardvisual {
        return Vec::new();
    }
    let compile = |id: usize| {
        let e = &spec.textures[id];
        let mut read =
            |file: &str| read_asset(files, &spec.scopes, &e.head, AssetKind::Texture, file);
        compile_texture(&texture_input(e, id)?, &mut read)
    };
    let mut out = Vec::with_capacity(spec.textures.len());
    let keys = spec.textures.iter().map(|e| {
        e.file.is_set().then(|| (e.head.scope, false, without(e.attributes(), &["name"])))
    });
    for (id, result) in once_each(keys, &compile).into_iter().enumerate() {
        match result {
            Ok(texture) => out.push(texture),
            Err(error) => {
                let e = &spec.textures[id];
                let name = asset_name(&e.name, &e.file);
                cx.fail(At { name: &name, id, span: e.head.span }, error);
            }
        }
    }
    out
}

fn texture_input(e: &Texture, id: usize) -> Result<TextureInput, AssetError> {
    let gridsize = e.gridsize.or([1, 1]);
    let mut layout = "............".to_owned();
    if let Some(text) = e.gridlayout.get() {
        if text.len() > 12 {
            return Err(AssetError::new("gridlayout length cannot exceed 12 characters"));
        }
        let cells = i64::from(gridsize[0]) * i64::from(gridsize[1]);
        if text.len() as i64 != cells {
            return Err(AssetError::new("gridlayout length must match gridsize"));
        }
        layout = format!("{text:.<12}");
    }
    let side = |a: &Attr<String>| a.text().to_owned();
    Ok(TextureInput {
        name: asset_name(&e.name, &e.file),
        id,
        kind: e.type_.or(TextureType::Cube),
        colorspace: e.colorspace.or(ColorSpace::Auto),
        file: side(&e.file),
        content_type: side(&e.content_type),
        cubefiles: [
            side(&e.fileright),
            side(&e.fileleft),
            side(&e.fileup),
            side(&e.filedown),
            side(&e.filefront),
            side(&e.fileback),
        ],
        gridsize,
        gridlayout: layout,
        builtin: e.builtin.or(Builtin::None),
        rgb1: e.rgb1.or([0.8; 3]),
        rgb2: e.rgb2.or([0.5; 3]),
        mark: e.mark.or(Mark::None),
        markrgb: e.markrgb.or([0.0; 3]),
        random: e.random.or(0.01),
        width: e.width.or(0),
        height: e.height.or(0),
        hflip: e.hflip.or(false),
        vflip: e.vflip.or(false),
        nchannel: e.nchannel.or(3),
    })
}

/// Adds the sizes of meshes, height fields and textures.
pub fn count_assets(
    cx: &Cx<'_>,
    hfields: &[CompiledHField],
    textures: &[CompiledTexture],
    m: &mut Model,
) {
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
    m.nhfield = hfields.len();
    m.nhfielddata = hfields.iter().map(|h| h.data.len()).sum();
    m.ntex = textures.len();
    m.ntexdata = textures.iter().map(|t| t.data.len()).sum();
}

/// Copies the meshes into the model; their trees follow those of the bodies, from `bvh` on.
pub fn store_meshes(cx: &Cx<'_>, mut bvh: usize, m: &mut Model) {
    let (mut vert, mut normal, mut texcoord, mut face) = (0, 0, 0, 0);
    let (mut graph, mut poly, mut polyvert, mut polymap) = (0, 0, 0, 0);
    for (i, mesh) in cx.meshes.iter().enumerate() {
        let Some(mesh) = mesh else { continue };
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
        super::copy_bvh(&mesh.bvh, bvh, m);

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

/// Copies the height fields into the model.
pub fn store_hfields(cx: &Cx<'_>, hfields: &[CompiledHField], m: &mut Model) {
    let mut adr = 0;
    for (i, field) in hfields.iter().enumerate() {
        m.hfield_size[i] = cx.hfield_sizes[i];
        m.hfield_nrow[i] = field.nrow;
        m.hfield_ncol[i] = field.ncol;
        m.hfield_adr[i] = adr as i32;
        put(&mut m.hfield_data, adr, &field.data);
        adr += field.data.len();
    }
}

/// Copies the textures into the model.
pub fn store_textures(textures: &[CompiledTexture], m: &mut Model) {
    let mut adr = 0;
    for (i, texture) in textures.iter().enumerate() {
        m.tex_type[i] = texture.kind;
        m.tex_colorspace[i] = texture.colorspace;
        m.tex_height[i] = texture.height;
        m.tex_width[i] = texture.width;
        m.tex_nchannel[i] = texture.nchannel;
        m.tex_adr[i] = adr as i64;
        put(&mut m.tex_data, adr, &texture.data);
        adr += texture.data.len();
    }
}
