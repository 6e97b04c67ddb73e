//! Contacts between two solids.

use sinew_math::Vec3;

use crate::ray_hfield::HeightField;
use crate::shape::{Pose, Shape};

/// Most contacts a pair of solids may have.
pub const MAX_CONTACTS: usize = 50;

/// A solid somewhere in the world.
#[derive(Clone, Copy, Debug)]
pub struct Solid<'a> {
    /// Where it is.
    pub pose: Pose,
    /// What it is.
    pub form: Form<'a>,
}

/// The form of a solid.
#[derive(Clone, Copy, Debug)]
pub enum Form<'a> {
    /// A primitive shape.
    Shape(Shape),
    /// The convex hull of a mesh.
    Hull(Hull<'a>),
    /// A terrain.
    HeightField(HeightField<'a>),
}

/// The convex hull of a mesh, as the tables of a model hold it.
#[derive(Clone, Copy, Debug)]
pub struct Hull<'a> {
    /// Vertices of the mesh.
    pub vert: &'a [[f32; 3]],
    /// Hull graph: sizes, edges of each vertex, faces; empty if there is none.
    pub graph: &'a [i32],
    /// Normal of each polygon.
    pub poly_normal: &'a [Vec3],
    /// First entry of `poly_vert` of each polygon.
    pub poly_vert_adr: &'a [i32],
    /// Number of vertices of each polygon.
    pub poly_vert_num: &'a [i32],
    /// Vertices of the polygons, counted from the mesh's first.
    pub poly_vert: &'a [i32],
    /// First entry of `poly_map` of each vertex.
    pub poly_map_adr: &'a [i32],
    /// Number of polygons at each vertex.
    pub poly_map_num: &'a [i32],
    /// Polygons at each vertex, counted from the mesh's first.
    pub poly_map: &'a [i32],
}

/// A point where two solids touch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch {
    /// Distance between the surfaces; negative if they overlap.
    pub dist: f64,
    /// Point midway between the surfaces.
    pub pos: Vec3,
    /// Unit normal, from the first solid to the second.
    pub normal: Vec3,
    /// Direction of the first tangent; zero leaves the choice open.
    pub tangent: Vec3,
}
