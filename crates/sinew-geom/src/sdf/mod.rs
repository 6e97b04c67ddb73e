//! Signed distances: how far a point is outside a surface, negative inside.
//!
//! `distance` has distances of primitive shapes, `octree` sampled distances of meshes; `grow` makes
//! the octree, from exact distances (`surface`). `descent` finds where two of them touch, and
//! `marching` makes a mesh of one.

mod cubes;
mod descent;
mod distance;
mod field;
mod grow;
mod marching;
mod octree;
mod surface;

pub use descent::{Pair, Search, halton, touches};
pub use distance::{distance, gradient};
pub use field::Field;
pub use grow::{Cells, grow};
pub use marching::{Isosurface, marching_cubes};
pub use octree::Octree;
pub use surface::Surface;
