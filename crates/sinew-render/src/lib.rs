//! Pixels from a scene, by a rasteriser on the processor.
//!
//! A [`Renderer`] is made from a model once: shapes are tessellated as finely as the model asks,
//! and more coarsely for when they are small; textures get their smaller copies. It then turns
//! scenes into pictures, depths or numbers of what is seen. There is no driver and no window; the
//! bytes do not depend on the number of threads.
//!
//! A picture has the light of OpenGL's fixed pipeline, which MuJoCo uses: colours are computed at
//! the vertices and interpolated. Vertices are projected and lit (`vertex`), their triangles sorted
//! into tiles (`tile`), and every tile is filled by itself: first which triangle is seen where
//! (`raster`), then its colour (`shade`, `plane`), then what is transparent in front of it. Labels
//! are written over it (`text`).

mod assets;
mod camera;
mod cell;
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
mod raster;
mod renderer;
mod scratch;
mod segment;
mod shade;
mod shadow;
mod shape;
mod sky;
mod spot;
mod store;
mod text;
mod texture;
mod threads;
mod tile;
mod vertex;
mod wide;
mod worker;

pub use geometry::{height_field, hull, mesh};
pub use mesh::{Mesh, Vertex};
pub use renderer::{Picture, RenderError, Renderer};
pub use text::{TextStyle, draw_text, text_size};
pub use threads::parallel_map;
