//! A bound on the size of builtin meshes and textures, which a few words of a model generate.
//!
//! A file of a given size has at least that many vertices or pixels. But one attribute of a builtin
//! asset can ask for any number. Their total is bounded by a fixed amount and by the text of the
//! model.

use sinew_model::enums::{Builtin, MeshBuiltin, TextureType};

use crate::compile::assets::source::asset_name;
use crate::compile::cx::{At, Cx};
use crate::spec::{Mesh, Texture};

/// Vertices of builtin meshes in a model with little text. Their hulls are most of the time of such
/// a compilation, so this bounds it.
const VERTICES: f64 = 250_000.0;

/// Bytes of builtin textures in a model with little text. Six sides of 4096 pixels squared in three
/// channels fit, and with the copy in the model they stay below a gigabyte.
const TEXTURE_BYTES: f64 = (400 << 20) as f64;

/// More of both per byte of the model's text.
const PER_BYTE: f64 = 16.0;

/// Reports the first asset that exceeds the bound on builtin assets. Returns whether there is none.
pub(crate) fn check_budget(cx: &mut Cx<'_>) -> bool {
    let text: usize = cx.spec.sources.iter().map(|s| s.text.len()).sum();
    let more = PER_BYTE * text as f64;

    // vertices
    let meshes = cx.mesh_elems.iter().map(vertices);
    if let Some(id) = first_over(meshes, VERTICES + more) {
        let e = &cx.mesh_elems[id];
        let (name, span) = (asset_name(&e.name, &e.file), e.head.span);
        let limit = VERTICES + more;
        let words = format!("builtin meshes up to this one have more than {limit} vertices");
        cx.fail(At { name: &name, id, span }, words);
        return false;
    }

    // pixels
    let textures = cx.spec.textures.iter().map(bytes);
    if let Some(id) = first_over(textures, TEXTURE_BYTES + more) {
        let e = &cx.spec.textures[id];
        let name = asset_name(&e.name, &e.file);
        let limit = (TEXTURE_BYTES + more) / (1 << 20) as f64;
        let words = format!("builtin textures up to this one have more than {limit:.0} MiB");
        cx.fail(At { name: &name, id, span: e.head.span }, words);
        return false;
    }
    true
}

/// The first item with which the sum exceeds `limit`.
fn first_over(sizes: impl Iterator<Item = f64>, limit: f64) -> Option<usize> {
    let mut sum = 0.0;
    let mut enumerated = sizes.enumerate();
    let found = enumerated.find(|(_, size)| {
        sum += size.max(0.0);
        sum > limit
    });
    found.map(|(i, _)| i)
}

/// Vertices of a builtin mesh, about.
fn vertices(e: &Mesh) -> f64 {
    let params = e.params.get().map_or(&[][..], Vec::as_slice);
    let param = |i: usize| params.get(i).copied().unwrap_or(0.0).max(0.0);
    match e.builtin.or(MeshBuiltin::None) {
        MeshBuiltin::Cone => param(0),
        MeshBuiltin::Supersphere | MeshBuiltin::Supertorus => param(0) * param(0),
        MeshBuiltin::Wedge | MeshBuiltin::Plate => param(0) * param(1),
        _ => 0.0,
    }
}

/// Bytes of a builtin texture.
fn bytes(e: &Texture) -> f64 {
    if e.values().builtin() == Builtin::None {
        return 0.0;
    }
    let width = f64::from(e.values().width());
    let height = match e.values().type_() {
        TextureType::T2d => f64::from(e.values().height()),
        _ => 6.0 * width,
    };
    width * height * f64::from(e.values().nchannel().max(3))
}
