//! Assets: from bytes to compiled meshes, height fields and textures.
//!
//! Nothing here opens files: the caller hands in a function that reads a path, so that assets may
//! come from memory. Every function is pure, so meshes may be compiled on several threads.

mod fit;
pub mod hfield;
pub mod mesh;
mod mesh_builtin;
mod msh;
mod normals;
mod obj;
mod png;
mod polygon;
mod stl;
pub mod texture;
mod texture_builtin;

use core::fmt;

/// Reads the file of the given path, or says in MuJoCo's words why it cannot.
pub type ReadFile<'a> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'a;

/// Why an asset was rejected, in MuJoCo's words; the caller adds the element's name and place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetError {
    /// The message.
    pub message: String,
}

impl AssetError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        AssetError { message: message.into() }
    }
}

impl fmt::Display for AssetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for AssetError {}

/// The content type of a file: `content_type` without its parameters where given (`None` if it is
/// malformed), else what the extension says (`None` if unknown).
pub fn content_type(path: &str, content_type: &str) -> Option<String> {
    if content_type.is_empty() {
        return type_of_extension(path).map(str::to_owned);
    }
    let (kind, rest) = content_type.split_once('/')?;
    let subtype = match rest.split_once(';') {
        None => rest,
        Some((_, parameter)) if parameter.find('=').is_none_or(|at| at == 0) => return None,
        Some((subtype, _)) => subtype,
    };
    Some(format!("{kind}/{subtype}"))
}

/// What MuJoCo takes a file for by its extension, in any case of letters.
fn type_of_extension(path: &str) -> Option<&'static str> {
    let (_, extension) = path.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "stl" => Some("model/stl"),
        "obj" => Some("model/obj"),
        "ply" => Some("model/ply"),
        "msh" => Some("model/vnd.mujoco.msh"),
        "png" => Some("image/png"),
        _ => None,
    }
}
