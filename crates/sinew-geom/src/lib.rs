//! Shapes, rays, distances, hulls, bounding volumes and mass properties; knows no model.

pub mod bvh;
pub mod ccd;
pub mod collide;
pub mod hull;
pub mod mass;
pub mod ray;
pub mod ray_hfield;
pub mod ray_mesh;
pub mod sdf;
mod select;
pub mod shape;
pub mod solid;
pub mod touch;
