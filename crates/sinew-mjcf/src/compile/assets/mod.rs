//! Assets: meshes, height fields, textures, materials.

pub(crate) mod budget;
pub(crate) mod hfield;
pub(crate) mod jobs;
pub(crate) mod material;
pub(crate) mod mesh;
pub(crate) mod source;
pub(crate) mod texture;

use std::sync::Arc;

use crate::asset::hfield::CompiledHField;
use crate::asset::texture::CompiledTexture;
use crate::compile::assets::jobs::do_all;
use crate::compile::cx::Cx;
use crate::files::Files;

/// Compiles meshes, textures and height fields, on all threads; the meshes stay in the context.
/// Failures are reported.
pub(crate) fn compile_assets(
    cx: &mut Cx<'_>,
    files: &Files<'_>,
) -> (Vec<Arc<CompiledTexture>>, Vec<Arc<CompiledHField>>) {
    // all kinds at once
    let needs = mesh::needs_of_geoms(cx);
    let fields = mesh::distance_fields(cx);
    let meshes = mesh::mesh_jobs(cx, files, &needs, fields);
    let textures = texture::texture_jobs(cx, files);
    let hfields = hfield::hfield_jobs(cx, files);
    do_all(&[&meshes, &textures, &hfields]);

    // in order of the elements
    let (meshes, textures, hfields) = (meshes.results(), textures.results(), hfields.results());
    mesh::take_meshes(cx, meshes);
    let textures = texture::take_textures(cx, textures);
    let hfields = hfield::take_hfields(cx, hfields);
    (textures, hfields)
}
