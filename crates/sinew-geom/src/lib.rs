//! Shapes, rays, distances, hulls, bounding volumes and mass properties; knows no model.
//!
//! On a GPU there is no standard library: the crate has shapes, rays and contacts alone there.
#![cfg_attr(target_arch = "nvptx64", no_std)]

#[cfg(not(target_arch = "nvptx64"))]
pub mod bvh;
pub mod ccd;
pub mod collide;
#[cfg(not(target_arch = "nvptx64"))]
pub mod hull;
#[cfg(not(target_arch = "nvptx64"))]
pub mod mass;
pub mod ray;
pub mod ray_hfield;
pub mod ray_mesh;
#[cfg(not(target_arch = "nvptx64"))]
pub mod sdf;
#[cfg(not(target_arch = "nvptx64"))]
mod select;
pub mod shape;
pub mod solid;
pub mod touch;
