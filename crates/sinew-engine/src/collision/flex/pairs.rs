//! Bodies and flexes that may touch a flex.

use sinew_math::Vec3;
use sinew_model::{BodyId, Data, FlexId, GeomId, Model};

use crate::collision::filter::Bits;
use crate::collision::flex::scratch::{FlexPair, Partner};
use crate::collision::params::{half_flex_margin, half_margin};
use crate::work::CollisionPlan;

/// Lists the pairs whose bits allow contacts and whose boxes overlap, by signature.
#[doc(alias = "mj_broadphase")]
pub(crate) fn list_pairs(m: &Model, d: &Data, plan: &CollisionPlan, pairs: &mut Vec<FlexPair>) {
    pairs.clear();
    let number = |f: FlexId| m.nbody + f.idx();
    let signature = |first: usize, f: FlexId| ((first as u32) << 16).wrapping_add(number(f) as u32);

    // bodies: static ones with planes, and the world, are everywhere
    for (&b, &everywhere) in plan.bodies.iter().zip(&plan.everywhere) {
        let bits = Bits::of_body(m, b);
        for f in m.flexes().filter(|&f| bits.collides_with(Bits::of_flex(m, f))) {
            if everywhere || boxes_overlap(body_box(m, d, b), flex_box(m, d, f)) {
                let signature = signature(b.idx(), f);
                pairs.push(FlexPair { partner: Partner::Body(b), flex: f, signature });
            }
        }
    }

    // other flexes
    for first in m.flexes() {
        let bits = Bits::of_flex(m, first);
        let later = m.flexes().skip(first.idx() + 1);
        for f in later.filter(|&f| bits.collides_with(Bits::of_flex(m, f))) {
            if boxes_overlap(flex_box(m, d, first), flex_box(m, d, f)) {
                let signature = signature(number(first), f);
                pairs.push(FlexPair { partner: Partner::Flex(first), flex: f, signature });
            }
        }
    }
}

/// Lower and upper ends along the world's axes. MuJoCo's boxes lie along the principal axes of all
/// geoms and vertices; both hold everything that can touch.
type Box = [[f64; 2]; 3];

const EMPTY: Box = [[f64::INFINITY, f64::NEG_INFINITY]; 3];

/// Around the bounding spheres of a body's geoms, with their margins.
fn body_box(m: &Model, d: &Data, b: BodyId) -> Box {
    let ball = |g: GeomId| (d.geom_xpos[g], m.geom_rbound[g] + half_margin(m, g));
    m.body_geoms(b).map(ball).fold(EMPTY, |ends, (center, radius)| grown(ends, center, radius))
}

/// Around the vertices of a flex, with its radius and margin.
fn flex_box(m: &Model, d: &Data, f: FlexId) -> Box {
    let bound = m.flex_radius[f] + half_flex_margin(m, f);
    let verts = d.flexvert_xpos.rows(m.flex_verts(f));
    verts.iter().fold(EMPTY, |ends, &v| grown(ends, v, bound))
}

fn grown(mut ends: Box, center: Vec3, radius: f64) -> Box {
    for ([low, high], x) in ends.iter_mut().zip(center.to_array()) {
        *low = low.min(x - radius);
        *high = high.max(x + radius);
    }
    ends
}

/// Whether two boxes overlap; NaN counts as overlapping, so that it reaches the narrow phase.
fn boxes_overlap(a: Box, b: Box) -> bool {
    let separated = |k: usize| a[k][1] < b[k][0] || b[k][1] < a[k][0];
    !(0..3).any(separated)
}
