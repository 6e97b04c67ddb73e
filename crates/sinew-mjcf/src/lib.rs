//! mjcf

pub mod asset;
