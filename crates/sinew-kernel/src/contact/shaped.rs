//! Boxes, cylinders and ellipsoids, by the functions of `sinew-geom` themselves.
//!
//! They are in f64 for worlds in f32 too: single precision would need tolerances of its own where
//! these functions compare, and would find other contacts.

use sinew_geom::collide::collide_shapes;
use sinew_geom::shape::{Placed, Pose, Shape};
use sinew_math::algebra::Vec3s;
use sinew_math::{Mat3, Vec3};

use super::found::Found;
use super::kind::shape as kind;
use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};

/// Finds the contacts of a pair with a formula.
// out of line: most models have none
#[inline(never)]
pub(super) fn touches<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    p: usize,
    found: &mut Found<'_, R>,
) {
    let npair = m.npair as usize;
    let (g1, g2) = (m.pair_geom().at(p) as usize, m.pair_geom().at(npair + p) as usize);
    let (pose1, pose2) = (pose(m, w, g1), pose(m, w, g2));
    let (shape1, shape2) = (shape(m, g1), shape(m, g2));
    let first = Placed { pose: &pose1, shape: &shape1 };
    let second = Placed { pose: &pose2, shape: &shape2 };
    collide_shapes(first, second, m.pair_margin().at(p).to_f64(), found);
}

/// Where a geom is.
#[inline(always)]
fn pose<R: Real>(m: Model<'_, R>, w: World<'_, R>, g: usize) -> Pose {
    let (ngeom, nbody) = (m.ngeom as usize, m.nbody as usize);
    let body = get9(w.xmat(), nbody, m.geom_body().at(g) as usize);
    let own = get4(m.geom_quat(), ngeom, g).products();
    let [x, y, z] = own.cols().map(|col| double(body.mul_vec(col)));
    Pose { pos: double(get3(w.geom_xpos(), ngeom, g)), mat: Mat3::from_cols(x, y, z) }
}

#[inline(always)]
fn double<R: Real>(v: Vec3s<R>) -> Vec3 {
    Vec3::new(v.x.to_f64(), v.y.to_f64(), v.z.to_f64())
}

/// The shape of a geom; a box for the types that have no name.
#[inline(always)]
fn shape<R: Real>(m: Model<'_, R>, g: usize) -> Shape {
    let size = double(get3(m.geom_size(), m.ngeom as usize, g));
    let (radius, half_len) = (size.x, size.y);
    match m.geom_type().at(g) {
        kind::PLANE => Shape::Plane { half: [size.x, size.y] },
        kind::SPHERE => Shape::Sphere { radius },
        kind::CAPSULE => Shape::Capsule { radius, half_len },
        kind::ELLIPSOID => Shape::Ellipsoid { half: size },
        kind::CYLINDER => Shape::Cylinder { radius, half_len },
        _ => Shape::Box { half: size },
    }
}
