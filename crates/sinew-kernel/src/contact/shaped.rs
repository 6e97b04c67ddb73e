//! Solids, and pairs of them with a formula, by the functions of `sinew-geom` themselves.
//!
//! Contacts are in f64 for worlds in f32 too. Single precision would need tolerances of its own
//! where these functions compare, and would find other contacts.

use sinew_geom::collide::{collide_fitted_ellipsoid, collide_plane_hull, collide_shapes};
use sinew_geom::shape::{Placed, Pose, Shape};
use sinew_geom::solid::{Form, HeightField, Hull, Solid};
use sinew_math::algebra::Vec3s;
use sinew_math::{Mat3, Vec3};

use super::found::Found;
use super::kind::shape as kind;
use super::scratch::run;
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
    let npair = m.npair() as usize;
    let (g1, g2) = (m.pair_geom().at(p) as usize, m.pair_geom().at(npair + p) as usize);
    let (pose1, pose2) = (pose(m, w, g1), pose(m, w, g2));
    let margin = m.pair_margin().at(p).to_f64();
    let shape1 = shape(m, g1);
    let has_hull = m.geom_asset().at(g2) != NONE;
    if m.geom_type().at(g2) > kind::BOX {
        return collide_plane_hull(&pose1, &pose2, &hull(m, g2), margin, found);
    }
    let shape2 = shape(m, g2);
    let first = Placed { pose: &pose1, shape: &shape1 };
    let second = Placed { pose: &pose2, shape: &shape2 };
    collide_shapes(first, second, margin, found);
    if has_hull && m.geom_type().at(g1) == kind::PLANE {
        collide_fitted_ellipsoid(&pose1, &pose2, &hull(m, g2), margin, found);
    }
}

/// A geom as a solid.
#[inline(always)]
pub(super) fn solid<'a, R: Real>(m: Model<'a, R>, w: World<'a, R>, g: usize) -> Solid<'a> {
    let form = match m.geom_type().at(g) {
        kind::HFIELD => Form::HeightField(field(m, g)),
        other if other > kind::BOX => Form::Hull(hull(m, g)),
        _ => Form::Shape(shape(m, g)),
    };
    Solid { pose: pose(m, w, g), form }
}

/// A geom as a solid of which support points alone are asked for; no height field.
#[inline(always)]
pub(super) fn outline<'a, R: Real>(m: Model<'a, R>, w: World<'a, R>, g: usize) -> Solid<'a> {
    let is_hull = m.geom_type().at(g) > kind::BOX;
    let form = if is_hull { Form::Hull(hull_vertices(m, g)) } else { Form::Shape(shape(m, g)) };
    Solid { pose: pose(m, w, g), form }
}

/// Where a geom is.
#[inline(always)]
fn pose<R: Real>(m: Model<'_, R>, w: World<'_, R>, g: usize) -> Pose {
    // in the engine's order: searches amplify the last bits
    let body = get4(w.xquat(), m.geom_body().at(g) as usize);
    let [x, y, z] = (body * get4(m.geom_quat(), g)).products().0.map(double);
    Pose { pos: double(get3(w.geom_xpos(), g)), mat: Mat3::from_rows(x, y, z) }
}

#[inline(always)]
fn double<R: Real>(v: Vec3s<R>) -> Vec3 {
    Vec3::new(v.x.to_f64(), v.y.to_f64(), v.z.to_f64())
}

/// The shape of a geom.
#[inline(always)]
fn shape<R: Real>(m: Model<'_, R>, g: usize) -> Shape {
    let size = double(get3(m.geom_size(), g));
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

/// The hull of a geom's mesh.
fn hull<'a, R: Real>(m: Model<'a, R>, g: usize) -> Hull<'a> {
    let [poly, corner, around] = [3, 4, 5].map(|k| range(m, g, k));
    let vert = range(m, g, 0);
    Hull {
        poly_normal: run(m.hull_normal(), poly),
        poly_vert_adr: run(m.hull_poly_adr(), poly),
        poly_vert_num: run(m.hull_poly_num(), poly),
        poly_vert: run(m.hull_corner(), corner),
        poly_map_adr: run(m.hull_map_adr(), vert),
        poly_map_num: run(m.hull_map_num(), vert),
        poly_map: run(m.hull_around(), around),
        ..hull_vertices(m, g)
    }
}

/// The hull without its polygons.
#[inline(always)]
fn hull_vertices<'a, R: Real>(m: Model<'a, R>, g: usize) -> Hull<'a> {
    let [vert, graph, links] = [0, 1, 2].map(|k| range(m, g, k));
    Hull {
        rbound: m.geom_rbound().at(g).to_f64(),
        vert: run(m.hull_vert(), vert),
        graph: run(m.hull_graph(), graph),
        links: run(m.hull_link(), links),
        poly_normal: &[],
        poly_vert_adr: &[],
        poly_vert_num: &[],
        poly_vert: &[],
        poly_map_adr: &[],
        poly_map_num: &[],
        poly_map: &[],
    }
}

/// First item and number of the items that the hull of a geom has in table `k`.
#[inline(always)]
fn range<R: Real>(m: Model<'_, R>, g: usize, k: usize) -> [u32; 2] {
    let at = 12 * m.geom_asset().at(g) as usize + 2 * k;
    [m.hull().at(at), m.hull().at(at + 1)]
}

/// The height field of a geom.
fn field<'a, R: Real>(m: Model<'a, R>, g: usize) -> HeightField<'a> {
    let at = m.geom_asset().at(g) as usize;
    let size = [0, 1, 2, 3].map(|k| m.field_size().at(4 * at + k).to_f64());
    let (nrow, ncol) = (m.field_row().at(at), m.field_col().at(at));
    let data = run(m.field_data(), [m.field_adr().at(at), nrow * ncol]);
    HeightField { size, nrow: nrow as usize, ncol: ncol as usize, data }
}
