//! Boxes around two geoms: where they are apart, a search for contacts is in vain.

use sinew_math::algebra::Vec3s;

use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};

/// A box: its centre, its axes, its half sizes.
struct Box<R> {
    pos: Vec3s<R>,
    axes: [Vec3s<R>; 3],
    half: [R; 3],
}

impl<R: Real> Box<R> {
    #[inline(always)]
    fn of(m: Model<'_, R>, w: World<'_, R>, g: usize) -> Self {
        let body = get4(w.xquat(), m.geom_body().at(g) as usize);
        let turned = (body * get4(m.geom_quat(), g)).products();
        let [x, y, z, a, b, c] = m.geom_box().row(6 * g);
        let pos = get3(w.geom_xpos(), g) + turned.mul_vec(vec3(x, y, z));
        Box { pos, axes: turned.cols(), half: [a, b, c] }
    }
}

/// Whether the boxes around the geoms of a pair overlap along the axes of both. Other axes tell
/// few more pairs apart.
// out of line: models of planes, spheres and capsules have none
#[inline(never)]
pub(super) fn overlap<R: Real>(m: Model<'_, R>, w: World<'_, R>, p: usize) -> bool {
    let npair = m.npair() as usize;
    let (g1, g2) = (m.pair_geom().at(p) as usize, m.pair_geom().at(npair + p) as usize);
    let (a, b) = (Box::of(m, w, g1), Box::of(m, w, g2));
    let offset = b.pos - a.pos;
    // a little more than the margin, as rounding is not to decide
    let slack = m.pair_margin().at(p) + m.pair_reach().at(p) * R::of(1e-6);
    let mut apart = false;
    let mut across = b.half;
    for (k, x) in a.axes.into_iter().enumerate() {
        let mut reach = a.half[k] + slack;
        for (i, y) in b.axes.into_iter().enumerate() {
            let cosine = x.dot(y).abs();
            reach += cosine * b.half[i];
            across[i] += cosine * a.half[k];
        }
        apart |= x.dot(offset).abs() > reach;
    }
    for (i, y) in b.axes.into_iter().enumerate() {
        apart |= y.dot(offset).abs() > across[i] + slack;
    }
    !apart
}
