//! Numbers of pairs of shapes, and of shapes.

/// A plane and a sphere.
pub const PLANE_SPHERE: u32 = 0;
/// A plane and a capsule.
pub const PLANE_CAPSULE: u32 = 1;
/// A plane and another shape.
pub const PLANE_SHAPE: u32 = 2;
/// Two spheres.
pub const SPHERE_SPHERE: u32 = 3;
/// A sphere and a capsule.
pub const SPHERE_CAPSULE: u32 = 4;
/// Two capsules.
pub const CAPSULE_CAPSULE: u32 = 5;
/// Other shapes with a formula.
pub const SHAPES: u32 = 6;
/// Convex shapes without a formula.
pub const CONVEX: u32 = 7;
/// A height field and a convex shape.
pub const TERRAIN: u32 = 8;

/// Whether a pair is one of planes, spheres and capsules.
#[inline(always)]
pub const fn is_round(kind: u32) -> bool {
    kind < SHAPES && kind != PLANE_SHAPE
}

/// Whether the boxes around the geoms of a pair are tested first.
#[inline(always)]
pub const fn has_boxes(kind: u32) -> bool {
    kind == SHAPES || kind == CONVEX
}

/// Shapes, by MuJoCo's numbers.
pub mod shape {
    /// A plane.
    pub const PLANE: u32 = 0;
    /// A height field.
    pub const HFIELD: u32 = 1;
    /// A sphere.
    pub const SPHERE: u32 = 2;
    /// A capsule.
    pub const CAPSULE: u32 = 3;
    /// An ellipsoid.
    pub const ELLIPSOID: u32 = 4;
    /// A cylinder.
    pub const CYLINDER: u32 = 5;
    /// A box.
    pub const BOX: u32 = 6;
}
