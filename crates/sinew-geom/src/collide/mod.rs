//! Contacts between two solids.
//!
//! [`collide`] picks the function of a pair, as MuJoCo's table `mjCOLLISIONFUNC` does; pairs
//! without a formula of their own go to [`ccd`]. Every function takes the solids' poses as they
//! are, appends its contacts in MuJoCo's order and keeps nothing.

mod box_box;
mod capsule;
mod capsule_box;
mod hull;
mod plane;
mod sphere;
#[cfg(not(target_arch = "nvptx64"))]
mod steady;
#[cfg(test)]
mod tests;
#[cfg(not(target_arch = "nvptx64"))]
mod triangle;

pub use capsule::Rod;
#[cfg(not(target_arch = "nvptx64"))]
pub use steady::collide_steady;
#[cfg(not(target_arch = "nvptx64"))]
pub use triangle::{Triangle, box_triangle, capsule_triangle, sphere_triangle};

#[cfg(not(target_arch = "nvptx64"))]
use crate::ccd;
use crate::collide::box_box::relative::Cuboid;
use crate::collide::sphere::Ball;
use crate::shape::{Placed, Pose, Shape};
use crate::solid::{Form, Hull, Solid};
use crate::touch::{Touch, Touches};

/// Contacts between two solids that are nearer than `margin`.
///
/// `a`'s form is not after `b`'s in the order plane, height field, sphere, capsule, ellipsoid,
/// cylinder, box, hull. Planes and height fields do not touch each other. Appends to `out`.
#[cfg(not(target_arch = "nvptx64"))]
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
            let first = Placed { pose: &a.pose, shape: first };
            let second = Placed { pose: &b.pose, shape: second };
            if !collide_shapes(first, second, margin, out) {
                ccd::collide_convex(a, b, margin, options, work, out);
            }
        }
        (Form::Shape(Shape::Plane { .. }), Form::Hull(hull)) if options.steady => {
            steady::hull(&a.pose, &b.pose, hull, margin, out);
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
pub fn collide_shapes(a: Placed<'_>, b: Placed<'_>, margin: f64, out: &mut impl Touches) -> bool {
    let Placed { pose: pose1, shape: shape1 } = a;
    let Placed { pose: pose2, shape: shape2 } = b;

    // by the order of the shapes; other pairs are left to the caller
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

/// Completes the contact of a plane and an ellipsoid that was fitted to a mesh. MuJoCo adds
/// contacts at vertices of the mesh, as if it were the ellipsoid's. `out` ends with that contact.
pub fn collide_fitted_ellipsoid(
    plane: &Pose,
    ellipsoid: &Pose,
    mesh: &Hull<'_>,
    margin: f64,
    out: &mut impl Touches,
) {
    plane::fitted_ellipsoid(plane, ellipsoid, mesh, margin, out);
}

/// Contacts of a plane with the hull of a mesh: at most three.
pub fn collide_plane_hull(
    plane: &Pose,
    pose: &Pose,
    hull: &Hull<'_>,
    margin: f64,
    out: &mut impl Touches,
) {
    plane::hull(plane, pose, hull, margin, out);
}

/// Contacts between two capsules: as [`collide_shapes`], without poses, of which little is needed.
#[inline]
pub fn collide_capsules(a: &Rod, b: &Rod, margin: f64, out: &mut impl Touches) {
    capsule::capsule(a, b, margin, out);
}

/// Contacts between a plane and a primitive shape.
fn collide_plane(a: &Pose, pose: &Pose, shape: &Shape, margin: f64, out: &mut impl Touches) {
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
fn collide_sphere(
    a: &Ball,
    pose: &Pose,
    shape: &Shape,
    margin: f64,
    out: &mut impl Touches,
) -> bool {
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
