//! Assets: meshes, height fields, textures, materials.

pub(crate) mod budget;
pub(crate) mod hfield;
pub(crate) mod material;
pub(crate) mod mesh;
pub(crate) mod source;
pub(crate) mod texture;
