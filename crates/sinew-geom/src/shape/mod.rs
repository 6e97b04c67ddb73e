//! Primitive shapes, each in its own frame.

#[cfg(not(target_arch = "nvptx64"))]
mod measure;

use sinew_math::{Mat3, Vec3, scalar};

/// A primitive shape around the origin; round ones have z as their axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// The half space z < 0, drawn as a rectangle; a half width of zero stands for infinity.
    Plane {
        /// Half widths in x and y.
        half: [f64; 2],
    },
    /// A ball.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A cylinder with half balls at its ends.
    Capsule {
        /// Radius.
        radius: f64,
        /// Half length of the cylinder.
        half_len: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Half axes.
        half: Vec3,
    },
    /// A cylinder.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Half length.
        half_len: f64,
    },
    /// A box.
    Box {
        /// Half sizes.
        half: Vec3,
    },
}

/// Where the mass of a shape is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matter {
    /// In its whole volume.
    Solid,
    /// On its surface.
    Shell,
}

/// Where a shape is and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position.
    pub pos: Vec3,
    /// Orientation.
    pub mat: Mat3,
}

impl Pose {
    /// A point of the world in this frame.
    pub fn local_point(self, point: Vec3) -> Vec3 {
        self.mat.tmul_vec(point - self.pos)
    }
}

impl Shape {
    /// Half sizes of the box around the shape; a plane's box has its drawn widths.
    #[inline]
    pub fn half_box(self) -> Vec3 {
        match self {
            Shape::Plane { half: [x, y] } => Vec3::new(x, y, 0.0),
            Shape::Sphere { radius } => Vec3::new(radius, radius, radius),
            Shape::Capsule { radius, half_len } => Vec3::new(radius, radius, radius + half_len),
            Shape::Cylinder { radius, half_len } => Vec3::new(radius, radius, half_len),
            Shape::Ellipsoid { half } | Shape::Box { half } => half,
        }
    }

    /// The smallest half width of the shape; infinite for a plane.
    pub fn thickness(self) -> f64 {
        match self {
            Shape::Plane { .. } => f64::MAX,
            Shape::Sphere { radius } | Shape::Capsule { radius, .. } => radius,
            Shape::Cylinder { radius, half_len } => radius.min(half_len),
            Shape::Ellipsoid { half } | Shape::Box { half } => half.x.min(half.y).min(half.z),
        }
    }

    /// Whether a point of the world is strictly inside the shape at `pose`.
    #[doc(alias = "mju_insideGeom")]
    pub fn contains(self, pose: Pose, point: Vec3) -> bool {
        let from_center = point - pose.pos;
        let p = pose.mat.tmul_vec(from_center);
        match self {
            // the vector in the world has the same length, without the rounding of the rotation
            Shape::Sphere { radius } => from_center.dot(from_center) < radius * radius,
            Shape::Capsule { radius, half_len } => {
                let dz = p.z - scalar::clip(p.z, -half_len, half_len);
                p.x * p.x + p.y * p.y + dz * dz < radius * radius
            }
            Shape::Ellipsoid { half } => {
                p.x * p.x / (half.x * half.x)
                    + p.y * p.y / (half.y * half.y)
                    + p.z * p.z / (half.z * half.z)
                    < 1.0
            }
            Shape::Cylinder { radius, half_len } => {
                p.z.abs() < half_len && p.x * p.x + p.y * p.y < radius * radius
            }
            Shape::Box { half } => p.x.abs() < half.x && p.y.abs() < half.y && p.z.abs() < half.z,
            Shape::Plane { .. } => p.z < 0.0,
        }
    }
}

/// A shape and where it is.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// Position and orientation.
    pub pose: &'a Pose,
    /// Shape.
    pub shape: &'a Shape,
}
