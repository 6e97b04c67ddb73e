//! The surface of a mesh file, for flexes.

use std::collections::HashMap;

use crate::asset::error::AssetError;
use crate::asset::mesh::data::RawMesh;
use crate::asset::mesh::{obj, stl};
use crate::asset::source::content_type;

/// The surface of a mesh file, with equal vertices made one.
#[doc(alias = "LoadFromResource")]
pub(crate) fn load_surface(path: &str, bytes: &[u8]) -> Result<RawMesh, AssetError> {
    let mut mesh = match content_type(path, "").as_deref() {
        Some("model/stl") => return stl::load(bytes, path, true),
        Some("model/obj") => obj::load(bytes, path, true)?,
        Some("model/vnd.mujoco.msh") => {
            return Err(AssetError::new("legacy MSH files are not supported in flexcomp"));
        }
        Some(other) => return Err(AssetError::new(format!("unsupported mesh type: '{other}'"))),
        None => {
            return Err(AssetError::new(format!("unknown or unsupported mesh file: '{path}'")));
        }
    };

    // the first of equal vertices stays; -0 equals 0
    let mut ids: HashMap<[u64; 3], i32> = HashMap::new();
    let mut kept = Vec::new();
    let mut new_id = Vec::with_capacity(mesh.vert.len());
    for v in &mesh.vert {
        let id = *ids.entry(v.to_array().map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
            kept.push(*v);
            kept.len() as i32 - 1
        });
        new_id.push(id);
    }
    for v in &mut mesh.face {
        *v = usize::try_from(*v).ok().and_then(|v| new_id.get(v)).copied().unwrap_or(-1);
    }
    mesh.vert = kept;
    Ok(mesh)
}
