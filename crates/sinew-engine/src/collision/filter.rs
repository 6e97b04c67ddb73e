//! Filters of collisions between bodies and geoms.

use sinew_math::simd::LaneF32;
use sinew_math::{Mat3, Vec3};
use sinew_model::enums::{EnableBit, GeomType, SleepState};
use sinew_model::{BodyId, Data, FlexId, GeomId, Model};

use crate::collision::params::half_margin;
use crate::work::{BodyFilter, WorldBox};

/// Smallest size (m) of solids that are searched in single precision, so that squares do not
/// underflow.
pub(super) const LEAST: f64 = 1e-18;

/// `contype` and `conaffinity` of a geom or body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits {
    contype: i32,
    conaffinity: i32,
}

impl Bits {
    pub(super) fn of_body(m: &Model, b: BodyId) -> Bits {
        Bits { contype: m.body_contype[b], conaffinity: m.body_conaffinity[b] }
    }

    pub(super) fn of_geom(m: &Model, g: GeomId) -> Bits {
        Bits { contype: m.geom_contype[g], conaffinity: m.geom_conaffinity[g] }
    }

    pub(super) fn of_flex(m: &Model, f: FlexId) -> Bits {
        Bits { contype: m.flex_contype[f], conaffinity: m.flex_conaffinity[f] }
    }

    /// Whether it collides with anything at all.
    pub(super) fn any(self) -> bool {
        self.contype | self.conaffinity != 0
    }

    /// Whether one of the two collides with the other.
    pub(super) fn collides_with(self, o: Bits) -> bool {
        self.contype & o.conaffinity != 0 || o.contype & self.conaffinity != 0
    }
}

/// Whether the bits of two geoms let them collide, or a filter of the user decides
/// instead.
#[inline]
pub(super) fn geoms_may_collide(m: &Model, g1: GeomId, g2: GeomId, user_filter: bool) -> bool {
    user_filter || Bits::of_geom(m, g1).collides_with(Bits::of_geom(m, g2))
}

/// Fields of a body that decide its permitted collisions.
pub(super) fn body_filter(m: &Model, b: BodyId) -> BodyFilter {
    let weld = m.body_weldid[b];
    BodyFilter {
        weld,
        parent: m.body_weldid[m.body_parentid[weld]],
        contype: m.body_contype[b],
        conaffinity: m.body_conaffinity[b],
    }
}

/// Whether the tree and the bits of two bodies permit a collision. Bodies welded together do not
/// collide. Parent and child collide only if the parent is static or the filter is off.
#[doc(alias = "filterBodyPair")]
#[inline]
pub(super) fn may_collide(b1: &BodyFilter, b2: &BodyFilter, filter_parent: bool) -> bool {
    let bits = b1.contype & b2.conaffinity | b2.contype & b1.conaffinity;
    let related = b1.weld == b2.parent || b2.weld == b1.parent;
    let fixed = b1.weld == BodyId::WORLD || b2.weld == BodyId::WORLD;
    b1.weld != b2.weld && bits != 0 && (fixed || !related || !filter_parent)
}

/// Both bodies in one number, the smaller first, as explicit pairs and excluded bodies are sorted.
pub(super) fn signature(b1: BodyId, b2: BodyId) -> u32 {
    let (low, high) = if b1 < b2 { (b1, b2) } else { (b2, b1) };
    ((low.idx() as u32) << 16).wrapping_add(high.idx() as u32)
}

/// Whether the model excludes the contacts of two bodies.
pub(super) fn excluded(m: &Model, b1: BodyId, b2: BodyId) -> bool {
    if m.nexclude == 0 {
        return false;
    }
    let wanted = signature(b1, b2);
    m.exclude_signature.binary_search_by_key(&wanted, |&s| s as u32).is_ok()
}

/// Bodies of which one must be awake for contacts to matter.
pub(super) struct Sleepers<'a> {
    body_awake: &'a [SleepState],
}

impl<'a> Sleepers<'a> {
    /// None if all bodies are awake.
    pub(super) fn new(m: &Model, d: &'a Data) -> Option<Self> {
        let some = m.opt.enabled(EnableBit::Sleep) && d.nbody_awake < m.nbody;
        some.then_some(Sleepers { body_awake: &d.body_awake })
    }

    /// Whether a body is awake and not fixed.
    pub(super) fn moves(&self, m: &Model, b: BodyId) -> bool {
        self.body_awake[b.idx()] != SleepState::Asleep && m.body_weldid[b] != BodyId::WORLD
    }

    /// Whether both bodies are asleep, or one asleep and the other fixed.
    pub(super) fn skip(&self, m: &Model, b1: BodyId, b2: BodyId) -> bool {
        let asleep = |b: BodyId| self.body_awake[b.idx()] == SleepState::Asleep;
        let fixed = |b: BodyId| m.body_weldid[b] == BodyId::WORLD;
        asleep(b1) && (asleep(b2) || fixed(b2)) || asleep(b2) && fixed(b1)
    }
}

/// Whether two geoms are certainly farther apart than `margin`: by their bounding spheres, or by
/// one of these and a plane.
#[doc(alias = "mj_filterSphere")]
#[inline]
pub(super) fn spheres_separated(m: &Model, d: &Data, g1: GeomId, g2: GeomId, margin: f64) -> bool {
    let (r1, r2) = (m.geom_rbound[g1], m.geom_rbound[g2]);
    if r1 > 0.0 && r2 > 0.0 {
        let offset = d.geom_xpos[g1] - d.geom_xpos[g2];
        let bound = r1 + r2 + margin;
        return offset.dot(offset) > bound * bound;
    }
    let plane = |g| m.geom_type[g] == GeomType::Plane;
    plane(g1) && r2 > 0.0 && height(d, g1, g2) > margin + r2
        || plane(g2) && r1 > 0.0 && height(d, g2, g1) > margin + r1
}

/// Whether contacts of two geoms take so long to find that their boxes are worth a look.
#[inline]
pub(super) fn are_boxed(m: &Model, g1: GeomId, g2: GeomId) -> bool {
    let (type1, type2) = (m.geom_type[g1].0, m.geom_type[g2].0);
    let (low, high) = (type1.min(type2), type1.max(type2));
    let least = if high == GeomType::Mesh.0 { GeomType::Sphere.0 } else { GeomType::Capsule.0 };
    low >= least && high <= GeomType::Mesh.0
}

/// Whether two boxes along the axes of the world are certainly apart; NaN counts as overlapping.
#[inline(always)]
pub(super) fn boxes_separated<L: LaneF32>(box1: &WorldBox, box2: &WorldBox) -> bool {
    L::load(&box1.low).not_above(L::load(&box2.high)).bits() != u8::MAX
}

/// Share of its coordinates by which the box of a mesh is larger, since vertices are rounded to
/// single precision.
const VERTEX_ROUNDING: f64 = 1e-6;

/// Part of a box by which it is larger: several times the rounding of single precision.
const BOX_ROUNDING: f64 = 1e-6;

/// A box along the axes of the world around a geom from sphere to mesh with its share of the
/// margin. Geoms whose boxes do not overlap are too far apart for a contact.
pub(super) fn box_around(m: &Model, d: &Data, g: GeomId) -> WorldBox {
    let (center, half) = bounds(m, d, g);
    // convex searches report contacts within their tolerance
    let reach = half_margin(m, g) + m.opt.ccd_tolerance;
    let mut around = WorldBox::default();
    let (center, half) = (center.to_array(), half.to_array());
    for axis in 0..3 {
        let (at, half) = (center[axis], half[axis]);
        let larger = half + reach + BOX_ROUNDING * (at.abs() + half + reach.abs()) + LEAST;
        let (low, high) = ((at - larger) as f32, (at + larger) as f32);
        (around.low[axis], around.low[axis + 4]) = (low, -high);
        (around.high[axis], around.high[axis + 4]) = (high, -low);
    }
    around
}

/// Centre and half sizes of a box along the axes of the world around a geom from sphere to mesh. A
/// mesh is as large as its own box, `geom_aabb`, says; other shapes as their sizes say.
#[inline]
fn bounds(m: &Model, d: &Data, g: GeomId) -> (Vec3, Vec3) {
    let (size, mat) = (m.geom_size[g], &d.geom_xmat[g]);
    let mut center = d.geom_xpos[g];
    let ball = Vec3::new(size.x, size.x, size.x);
    let half = match m.geom_type[g] {
        GeomType::Sphere => ball,
        GeomType::Capsule => {
            let up = mat.col(2);
            Vec3::new(up.x.abs(), up.y.abs(), up.z.abs()) * size.y + ball
        }
        GeomType::Cylinder => turned_box(mat, [size.x, size.x, size.y]),
        GeomType::Mesh => {
            let [x, y, z, hx, hy, hz] = m.geom_aabb[g];
            let larger = |c: f64, h: f64| h + VERTEX_ROUNDING * (c.abs() + h);
            center = *mat * Vec3::new(x, y, z) + center;
            turned_box(mat, [larger(x, hx), larger(y, hy), larger(z, hz)])
        }
        _ => turned_box(mat, size.to_array()),
    };
    (center, half)
}

/// Half sizes of a box along the axes of the world around one that is turned.
#[inline]
fn turned_box(mat: &Mat3, [x, y, z]: [f64; 3]) -> Vec3 {
    let (first, second, third) = (mat.col(0), mat.col(1), mat.col(2));
    let along = |a: f64, b: f64, c: f64| a.abs() * x + b.abs() * y + c.abs() * z;
    Vec3::new(
        along(first.x, second.x, third.x),
        along(first.y, second.y, third.y),
        along(first.z, second.z, third.z),
    )
}

/// Height of a geom's centre above a plane.
#[inline]
fn height(d: &Data, plane: GeomId, g: GeomId) -> f64 {
    let normal: Vec3 = d.geom_xmat[plane].col(2);
    (d.geom_xpos[g] - d.geom_xpos[plane]).dot(normal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::simd::PortableF32;

    #[test]
    fn boxes_are_separated_if_they_are_along_an_axis() {
        let cube = |at: [f32; 3], half: f32| {
            let mut around = WorldBox::default();
            for axis in 0..3 {
                let (low, high) = (at[axis] - half, at[axis] + half);
                (around.low[axis], around.low[axis + 4]) = (low, -high);
                (around.high[axis], around.high[axis + 4]) = (high, -low);
            }
            around
        };
        let separated = |a: &WorldBox, b: &WorldBox| boxes_separated::<PortableF32>(a, b);
        let one = cube([1.0, 2.0, 3.0], 1.0);
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let mut at = [1.0, 2.0, 3.0];
                at[axis] += 2.0 * side;
                assert!(!separated(&one, &cube(at, 1.0)) && !separated(&cube(at, 1.0), &one));
                assert!(separated(&one, &cube(at, 0.9)) && separated(&cube(at, 0.9), &one));
                at[axis] = f32::NAN;
                assert!(!separated(&one, &cube(at, 0.9)));
            }
        }
    }
}
