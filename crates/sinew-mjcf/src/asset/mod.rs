//! Assets: from bytes to compiled meshes, height fields and textures.
//!
//! Nothing here opens files: the caller hands in a function that reads a path, so that assets may
//! come from memory. Every function is pure, so meshes may be compiled on several threads.

pub(crate) mod cache;
pub(crate) mod error;
pub(crate) mod fingerprint;
pub(crate) mod gmsh;
pub(crate) mod hfield;
pub(crate) mod mesh;
mod png;
pub(crate) mod skn;
pub(crate) mod source;
pub(crate) mod texture;
