//! Contacts between two solids.
//!
//! [`collide`] picks the function of a pair, as MuJoCo's table `mjCOLLISIONFUNC` does; pairs without
//! a formula of their own go to [`ccd`]. Every function takes the solids' poses as they are, appends
//! its contacts in MuJoCo's order and keeps nothing.

mod box_box;
mod capsule;
mod capsule_box;
mod hull;
mod plane;
mod sphere;
#[cfg(test)]
mod tests;
mod triangle;

pub use triangle::{Triangle, box_triangle, capsule_triangle, sphere_triangle};

use sinew_math::Vec3;

use self::box_box::Cuboid;
use self::capsule::Rod;
use self::sphere::Ball;
use crate::ccd;
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
    /// An element or a vertex of a flexible object; the position of the solid is its middle.
    Element(Element),
}

/// Up to four points and everything within a radius of their hull: a vertex, an edge, a triangle or
/// a tetrahedron of a flexible object.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    corners: [Vec3; 4],
    count: usize,
    radius: f64,
}

impl Element {
    /// The element with these corners, of which the first four count.
    pub fn new(corners: impl IntoIterator<Item = Vec3>, radius: f64) -> Element {
        let mut element = Element { corners: [Vec3::ZERO; 4], count: 0, radius };
        for (slot, corner) in element.corners.iter_mut().zip(corners) {
            *slot = corner;
            element.count += 1;
        }
        element
    }

    /// The corners.
    pub fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }

    /// How far it reaches beyond its corners.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The corner farthest in a direction, the first of equals.
    #[inline]
    pub(crate) fn farthest_corner(&self, dir: Vec3) -> Vec3 {
        let mut best = self.corners[0];
        let mut max = best.dot(dir);
        for &corner in self.corners().iter().skip(1) {
            let height = corner.dot(dir);
            if height > max {
                (best, max) = (corner, height);
            }
        }
        best
    }

    /// The element as seen from a frame.
    pub(crate) fn seen_from(&self, frame: &Pose) -> Element {
        let corners = self.corners.map(|corner| frame.mat.tmul_vec(corner - frame.pos));
        Element { corners, ..*self }
    }
}

/// The convex hull of a mesh, as the tables of a model hold it.
#[derive(Clone, Copy, Debug)]
pub struct Hull<'a> {
    /// Radius of a ball around the mesh's centre that holds it (`geom_rbound`).
    pub rbound: f64,
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

/// Contacts between two solids that are nearer than `margin`.
///
/// `a`'s form is not after `b`'s in the order plane, height field, sphere, capsule, ellipsoid,
/// cylinder, box, hull; planes and height fields do not touch each other. Appends to `out`.
#[doc(alias = "mjCOLLISIONFUNC")]
pub fn collide(
    a: &Solid<'_>,
    b: &Solid<'_>,
    margin: f64,
    options: &ccd::Options,
    work: &mut ccd::Work,
    out: &mut Vec<Touch>,
) {
    match (&a.form, &b.form) {
        (Form::Shape(first), Form::Shape(second)) => {
            if !collide_shapes((&a.pose, first), (&b.pose, second), margin, out) {
                ccd::collide_convex(a, b, margin, options, work, out);
            }
        }
        (Form::Shape(Shape::Plane { .. }), Form::Hull(hull)) => {
            plane::hull(&a.pose, &b.pose, hull, margin, out);
        }
        (_, Form::HeightField(_) | Form::Shape(Shape::Plane { .. })) => {}
        (Form::HeightField(_), _) => ccd::collide_hfield(a, b, margin, options, work, out),
        _ => ccd::collide_convex(a, b, margin, options, work, out),
    }
}

/// Contacts between two primitive shapes, ordered as for [`collide`]; false if the pair has no
/// formula.
#[inline]
pub fn collide_shapes(
    (pose1, shape1): (&Pose, &Shape),
    (pose2, shape2): (&Pose, &Shape),
    margin: f64,
    out: &mut Vec<Touch>,
) -> bool {
    match (shape1, shape2) {
        (Shape::Plane { .. }, _) => collide_plane(pose1, pose2, shape2, margin, out),
        (_, Shape::Plane { .. }) => {}
        (&Shape::Sphere { radius }, _) => {
            return collide_sphere(&Ball::new(pose1, radius), pose2, shape2, margin, out);
        }
        (
            &Shape::Capsule { radius: radius1, half_len: len1 },
            &Shape::Capsule { radius: radius2, half_len: len2 },
        ) => {
            let second = Rod::new(pose2, radius2, len2);
            capsule::capsule(&Rod::new(pose1, radius1, len1), &second, margin, out);
        }
        (&Shape::Capsule { radius, half_len }, &Shape::Box { half }) => {
            capsule_box::cuboid(pose1, [radius, half_len], pose2, half, margin, out);
        }
        (Shape::Box { half: half1 }, Shape::Box { half: half2 }) => {
            let second = Cuboid { pose: pose2, half: half2 };
            box_box::cuboid(&Cuboid { pose: pose1, half: half1 }, &second, margin, out);
        }
        _ => return false,
    }
    true
}

/// Adds to the contact of a plane and an ellipsoid that was fitted to a mesh those that MuJoCo finds at
/// vertices of the mesh, which it takes for the ellipsoid's. `out` ends with that contact.
pub fn collide_fitted_ellipsoid(
    plane: &Pose,
    ellipsoid: &Pose,
    mesh: &Hull<'_>,
    margin: f64,
    out: &mut Vec<Touch>,
) {
    plane::fitted_ellipsoid(plane, ellipsoid, mesh, margin, out);
}

/// Contacts between two capsules, each given by its centre, its axis, and its radius and half
/// length: as [`collide_shapes`], without poses, of which little is needed.
#[inline]
pub fn collide_capsules(
    (center1, axis1, size1): (Vec3, Vec3, [f64; 2]),
    (center2, axis2, size2): (Vec3, Vec3, [f64; 2]),
    margin: f64,
    out: &mut Vec<Touch>,
) {
    let second = Rod::at_place(center2, axis2, size2);
    capsule::capsule(&Rod::at_place(center1, axis1, size1), &second, margin, out);
}

/// Contacts between a plane and a primitive shape.
fn collide_plane(a: &Pose, pose: &Pose, shape: &Shape, margin: f64, out: &mut Vec<Touch>) {
    match *shape {
        Shape::Plane { .. } => {}
        Shape::Sphere { radius } => plane::sphere(a, pose.pos, radius, margin, out),
        Shape::Capsule { radius, half_len } => {
            plane::capsule(a, pose, [radius, half_len], margin, out);
        }
        Shape::Ellipsoid { half } => plane::ellipsoid(a, pose, half, margin, out),
        Shape::Cylinder { radius, half_len } => {
            plane::cylinder(a, pose, [radius, half_len], margin, out);
        }
        Shape::Box { half } => plane::cuboid(a, pose, half, margin, out),
    }
}

/// Contacts between a sphere and a primitive shape after it; false if the pair has no formula.
fn collide_sphere(a: &Ball, pose: &Pose, shape: &Shape, margin: f64, out: &mut Vec<Touch>) -> bool {
    match *shape {
        Shape::Sphere { radius } => sphere::sphere(a, &Ball::new(pose, radius), margin, out),
        Shape::Capsule { radius, half_len } => {
            sphere::capsule(a, pose, [radius, half_len], margin, out);
        }
        Shape::Cylinder { radius, half_len } => {
            sphere::cylinder(a, pose, [radius, half_len], margin, out);
        }
        Shape::Box { half } => sphere::cuboid(a, pose, half, margin, out),
        Shape::Plane { .. } | Shape::Ellipsoid { .. } => return false,
    }
    true
}
