//! Rays against the geoms of a model, by the functions of `sinew-geom`.
#![allow(unsafe_code)] // tables of words as numbers of other kinds

use sinew_geom::ray::{Hit, Ray};
use sinew_geom::ray_mesh::MeshTree;
use sinew_geom::shape::{Pose, Shape};
use sinew_geom::solid::HeightField;
use sinew_math::{Mat3, Vec3};

use crate::contact::kind::shape as kind;
use crate::memory::Slice;
use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};

/// Shape of a mesh, by MuJoCo's number.
const MESH: u32 = 7;

/// Numbers in tables of words.
///
/// # Safety
/// Any bits are a value.
unsafe trait Bits {}
// SAFETY: numbers alone.
unsafe impl Bits for i32 {}
// SAFETY: numbers alone.
unsafe impl Bits for f32 {}
// SAFETY: numbers alone.
unsafe impl Bits for [f32; 3] {}
// SAFETY: numbers alone.
unsafe impl Bits for [i32; 2] {}
// SAFETY: numbers alone.
unsafe impl Bits for [i32; 3] {}
// SAFETY: numbers alone.
unsafe impl Bits for [f64; 6] {}

/// Some items of a table: the first, and how many.
#[inline(always)]
fn run<'a, T: Bits>(table: Slice<'a, u32>, [first, len]: [u32; 2]) -> &'a [T] {
    let (first, len) = (first as usize, len as usize);
    let at = table.as_ptr().cast::<T>();
    assert!(at.is_aligned() && (first + len) * size_of::<T>() <= 4 * table.len(), "a run");
    // SAFETY: inside and aligned, as was asserted, and any bits are a value.
    unsafe { core::slice::from_raw_parts(at.add(first), len) }
}

/// A vector in double precision.
#[inline(always)]
pub(crate) fn double<R: Real>(v: sinew_math::algebra::Vec3s<R>) -> Vec3 {
    Vec3::new(v.x.to_f64(), v.y.to_f64(), v.z.to_f64())
}

/// A frame, as the geometry has it.
// out of line, as everything that is called twice
#[inline(never)]
pub(crate) fn pose<R: Real>(w: World<'_, R>, place: usize) -> Pose {
    let sinew_math::algebra::Mat3s(rows) = get9(w.place_xmat(), place);
    let [x, y, z] = rows.map(double);
    Pose { pos: double(get3(w.place_xpos(), place)), mat: Mat3::from_rows(x, y, z) }
}

/// A shape by MuJoCo's number and size.
#[inline(never)]
pub(crate) fn shape_of(kind: u32, size: Vec3) -> Shape {
    let (radius, half_len) = (size.x, size.y);
    match kind {
        kind::PLANE => Shape::Plane { half: [size.x, size.y] },
        kind::SPHERE => Shape::Sphere { radius },
        kind::CAPSULE => Shape::Capsule { radius, half_len },
        kind::ELLIPSOID => Shape::Ellipsoid { half: size },
        kind::CYLINDER => Shape::Cylinder { radius, half_len },
        _ => Shape::Box { half: size },
    }
}

/// The nearest geom along a ray, the first of equals, except those of a body.
#[inline(never)]
pub(crate) fn nearest<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    ray: Ray,
    except: u32,
) -> Option<Hit> {
    let mut best: Option<Hit> = None;
    for g in 0..m.nseen() as usize {
        let at = m.seen_place().at(g) as usize;
        if m.place_body().at(at) == except {
            continue;
        }
        if let Some(hit) = hit(m, g, ray, pose(w, at))
            && best.is_none_or(|best| hit.dist < best.dist)
        {
            best = Some(hit);
        }
    }
    best
}

/// The hit of a ray on one geom.
#[inline(always)]
fn hit<R: Real>(m: Model<'_, R>, g: usize, ray: Ray, pose: Pose) -> Option<Hit> {
    let (kind, size) = (m.seen_type().at(g), double(get3(m.seen_size(), g)));
    let asset = m.seen_asset().at(g) as usize;
    match kind {
        kind::HFIELD => {
            let size = [0, 1, 2, 3].map(|k| m.field_size().at(4 * asset + k).to_f64());
            let (nrow, ncol) = (m.field_row().at(asset), m.field_col().at(asset));
            let data = run(m.field_data(), [m.field_adr().at(asset), nrow * ncol]);
            let field = HeightField { size, nrow: nrow as usize, ncol: ncol as usize, data };
            field.hit(pose, ray)
        }
        MESH => {
            let range = |k: usize| [0, 1].map(|n| m.seen_mesh().at(6 * asset + 2 * k + n));
            let nodes = range(2);
            let tree = MeshTree {
                vert: run(m.seen_vert(), range(0)),
                face: run(m.seen_face(), range(1)),
                aabb: run(m.seen_aabb(), nodes),
                child: run(m.seen_child(), nodes),
                item: run(m.seen_item(), nodes),
            };
            tree.hit(size, pose, ray, |_| {})
        }
        _ => ray.hit(shape_of(kind, size), pose),
    }
}
