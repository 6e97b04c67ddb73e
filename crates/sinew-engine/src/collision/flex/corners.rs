//! The corners of an element, and quick answers about two elements.

use sinew_math::Vec3;
use sinew_model::{BodyId, Data, FlexId, Model};

/// The corners of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corners {
    /// The element, counted from the first of its flex.
    pub(crate) elem: usize,
    /// Rows of `flexvert_xpos`. An element with fewer than four corners repeats its first.
    verts: [u32; 4],
    /// Bodies of the corners, -1 for none.
    bodies: [i32; 4],
}

impl Corners {
    #[inline]
    pub(crate) fn new(m: &Model, f: FlexId, elem: usize) -> Corners {
        let first = m.flex_vertadr[f].max(0) as usize;
        let ids = m.flex_elem_verts(f, elem);
        let verts = [0, 1, 2, 3].map(|k: usize| {
            let vert = ids.get(k).or(ids.first()).copied().unwrap_or(0);
            (first + vert.max(0) as usize) as u32
        });
        let bodies = verts.map(|v| m.flex_vertbodyid[v as usize].get());
        let bodies = bodies.map(|body| body.map_or(-1, |body: BodyId| body.idx() as i32));
        Corners { elem, verts, bodies }
    }

    /// Whether a corner is on this body.
    #[inline]
    pub(crate) fn are_on(&self, body: BodyId) -> bool {
        self.bodies.contains(&(body.idx() as i32))
    }

    /// Whether two elements have corners on one body: they then never touch.
    #[inline]
    pub(crate) fn share_body(&self, other: &Corners) -> bool {
        let [a, b, c, d] = other.bodies;
        let shares = |x: i32| x >= 0 && ((x == a) | (x == b) | (x == c) | (x == d));
        self.bodies.into_iter().any(shares)
    }

    /// Whether two elements are clearly farther apart than `reach` along one of a few lines. The
    /// first line connects their centres, each next one the corners that were nearest along the
    /// last. No statement about those that it cannot tell apart.
    pub(crate) fn separated(
        &self,
        other: &Corners,
        d: &Data,
        middles: [Vec3; 2],
        reach: f64,
    ) -> bool {
        let first: [Vec3; 4] = core::array::from_fn(|k| d.flexvert_xpos[self.verts[k] as usize]);
        let second: [Vec3; 4] = core::array::from_fn(|k| d.flexvert_xpos[other.verts[k] as usize]);
        let mut axis = middles[1] - middles[0];
        for _ in 0..LINES {
            let (high, from) = farthest(&first, middles[0], axis);
            let (low, to) = farthest(&second, middles[0], -axis);
            let length = axis.norm();
            if -low - high > (reach + CLEARLY * length) * length {
                return true;
            }
            axis = to - from;
        }
        false
    }
}

/// Whether two elements of one flex have a vertex in common, and the first has bodies at all
/// corners: they then never touch. No statement about others.
#[inline]
pub(crate) fn share_vertex(m: &Model, f: FlexId, elems: [usize; 2]) -> bool {
    let [first, second] = elems.map(|elem| m.flex_elem_verts(f, elem));
    let shares = match (first.first_chunk::<4>(), second.first_chunk::<4>()) {
        (Some(first), Some(second)) => any_equal(first, second),
        _ => match (first.first_chunk::<3>(), second.first_chunk::<3>()) {
            (Some(first), Some(second)) => any_equal(first, second),
            _ => return false,
        },
    };
    let start = m.flex_vertadr[f].max(0) as usize;
    let has_body = |v: &i32| m.flex_vertbodyid[start + (*v).max(0) as usize].get().is_some();
    shares && first.iter().all(has_body)
}

/// Whether a number is in both arrays, without branches.
#[inline(always)]
fn any_equal<const N: usize>(first: &[i32; N], second: &[i32; N]) -> bool {
    first.iter().fold(false, |found, x| second.iter().fold(found, |found, y| found | (x == y)))
}

/// How far the farthest corner is along an axis from an origin, and the corner.
#[inline]
fn farthest(corners: &[Vec3; 4], origin: Vec3, axis: Vec3) -> (f64, Vec3) {
    let mut best = ((corners[0] - origin).dot(axis), corners[0]);
    for &corner in &corners[1..] {
        let along = (corner - origin).dot(axis);
        if along > best.0 {
            best = (along, corner);
        }
    }
    best
}

/// Number of lines of sight.
const LINES: usize = 3;

/// Excess that counts as clear, relative to the distance of the centres; far above rounding.
const CLEARLY: f64 = 1e-6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_share_a_vertex_wherever_it_is() {
        for k in 0..4 {
            for l in 0..4 {
                let (mut first, mut second) = ([1, 2, 3, 4], [5, 6, 7, 8]);
                assert!(!any_equal(&first, &second));
                (first[k], second[l]) = (9, 9);
                assert!(any_equal(&first, &second));
            }
        }
    }
}
