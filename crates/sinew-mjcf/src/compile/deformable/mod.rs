//! Deformable objects: flexes and skins.

mod elastic;
pub(crate) mod flex;
mod shell;
pub(crate) mod skin;
pub(crate) mod store;
