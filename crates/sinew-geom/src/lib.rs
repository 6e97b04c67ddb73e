//! Shapes, hulls, bounding volumes and mass properties; knows no model.

pub mod bvh;
pub mod hull;
pub mod mass;
