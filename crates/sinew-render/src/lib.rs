//! A software rasteriser: pixels from a scene, on the processor.
//!
//! A [`Renderer`] is made from a model once. Shapes are tessellated as finely as the model asks,
//! and more coarsely for small images. Large meshes get coarser levels on first use, and textures
//! get mipmaps. The renderer then turns scenes into images, depth maps or segmentations. Neither a
//! graphics driver nor a window is needed. The bytes do not depend on the number of threads.
//!
//! Lighting follows OpenGL's fixed pipeline, which MuJoCo uses: colours are computed at the
//! vertices and interpolated. Vertices are projected and lit (`vertex`), and their triangles are
//! sorted into tiles (`tile`). Tiles are independent: first the visible triangle of every sample is
//! found (`raster`), then its colour (`shade`, `plane`). Transparent triangles are blended over the
//! opaque ones, and labels are written last (`text`).

mod asked;
mod assets;
mod ball;
mod camera;
mod cell;
mod cluster;
mod detail;
mod font;
mod forms;
mod frame;
mod geometry;
mod haze;
mod item;
mod light;
mod linear;
mod material;
mod mesh;
mod pass;
mod plane;
mod power;
mod quadric;
mod raster;
mod renderer;
mod scratch;
mod segment;
mod shade;
mod shadow;
mod shadow_map;
mod shape;
mod simplify;
mod sky;
mod spot;
mod store;
mod text;
mod texture;
mod threads;
mod tile;
mod vertex;
mod weld;
mod wide;
mod worker;

pub use geometry::{height_field, hull, mesh};
pub use mesh::{Mesh, Vertex};
pub use renderer::{Picture, RenderError, Renderer};
pub use text::{TextStyle, draw_text, text_size};
pub use threads::parallel_map;
