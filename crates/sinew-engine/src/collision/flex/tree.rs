//! Contacts of a pair: through the bounding volumes of both, or of everything with everything.

use sinew_math::{Mat3, Vec3};
use sinew_model::enums::{DisableBit, GeomType};
use sinew_model::{BodyId, Data, FlexId, GeomId, Model};

use crate::collision::filter::Bits;
use crate::collision::flex::narrow::{collide_elems, collide_geom_elem, collide_plane};
use crate::collision::flex::scratch::{FlexPair, Partner};
use crate::collision::flex::search::{FlexSearch, ball_separated, boxes_separated};
use crate::collision::mid::{Frames, Tested, Tree, Turned, walk};
use crate::collision::params::{override_margin, surface_margin};

/// Finds the contacts of a pair. Pairs found through trees are sorted by geom or element.
pub(crate) fn pair_contacts(s: &mut FlexSearch, pair: FlexPair) {
    let (m, d) = (s.m, s.d);
    let FlexPair { partner, flex: f, .. } = pair;
    let before = s.list.len();
    let second = Tree::of_flex(m, d, f).filter(|_| !m.opt.disabled(DisableBit::Midphase));
    match partner {
        Partner::Body(b) => match (Tree::of(m, b), second) {
            (Some(first), Some(second)) => {
                body_trees(s, b, f, &first, &second);
                s.list.sort_from(before, &mut s.sweep.order);
            }
            _ => every_geom(s, b, f),
        },
        Partner::Flex(other) => {
            match (Tree::of_flex(m, d, other).filter(|_| second.is_some()), second) {
                (Some(first), Some(second)) => {
                    flex_trees(s, [other, f], &first, &second);
                    s.list.sort_from(before, &mut s.sweep.order);
                }
                _ => every_element(s, other, f),
            }
        }
    }
}

/// Geoms of a body against the elements of a flex, through their trees. Planes have no bounds:
/// planes of static bodies meet every vertex, planes of moving bodies none.
#[doc(alias = "mj_collideTree")]
fn body_trees(s: &mut FlexSearch, b: BodyId, f: FlexId, first: &Tree, second: &Tree) {
    let (m, d) = (s.m, s.d);
    let is_plane = |g: GeomId| m.geom_type[g] == GeomType::Plane;

    // planes are in no tree
    if m.body_weldid[b] == BodyId::WORLD {
        for plane in m.body_geoms(b).filter(|&g| is_plane(g)) {
            collide_plane(s, plane, f);
        }
    }

    // the rest where boxes of both trees overlap
    let reach = override_margin(m, m.body_margin[b] + m.flex_margin[f]);
    let mut frames = Frames::between((d.xipos[b], &d.ximat[b]), (Vec3::ZERO, &Mat3::IDENTITY));
    let mut stack = core::mem::take(s.stack);
    walk(&mut stack, first, second, false, |leaves, nodes| {
        let [box1, box2] = [&first.aabb[nodes[0]], &second.aabb[nodes[1]]];
        let [Some(geom), Some(elem)] = leaves else {
            return frames.boxes_overlap(box1, box2, reach);
        };
        let geom = GeomId::new(geom);
        let overlap = Bits::of_geom(m, geom).collides_with(Bits::of_flex(m, f))
            && geom_reaches(m, d, geom, f, box2);
        if overlap && !is_plane(geom) {
            collide_geom_elem(s, geom, f, elem);
        }
        overlap
    });
    *s.stack = stack;
}

/// Whether the bounding sphere and the box of a geom reach a box of a flex.
pub(crate) fn geom_reaches(m: &Model, d: &Data, g: GeomId, f: FlexId, aabb: &[f64; 6]) -> bool {
    let margin = surface_margin(m, g, f);
    if ball_separated(d.geom_xpos[g], m.geom_rbound[g] + margin, aabb) {
        return false;
    }
    let own = &m.geom_aabb[g];
    let box1 = Turned::new(own, d.geom_xpos[g], &d.geom_xmat[g]);
    let box2 = Turned::new(aabb, Vec3::ZERO, &Mat3::IDENTITY);
    Tested::of(own, aabb).overlap(&box1, &box2, margin)
}

/// Elements of two flexes, or of one with itself, through their trees.
pub(crate) fn flex_trees(s: &mut FlexSearch, flexes: [FlexId; 2], first: &Tree, second: &Tree) {
    let m = s.m;
    let [f1, f2] = flexes;
    let reach = override_margin(m, m.flex_margin[f1] + m.flex_margin[f2]);
    let mut stack = core::mem::take(s.stack);
    walk(&mut stack, first, second, f1 == f2, |leaves, nodes| {
        if let [Some(e1), Some(e2)] = leaves {
            collide_elems(s, [f1, f2], [e1, e2]);
            return true;
        }
        !boxes_separated(&first.aabb[nodes[0]], &second.aabb[nodes[1]], reach)
    });
    *s.stack = stack;
}

/// All geoms of a body against all elements of a flex.
fn every_geom(s: &mut FlexSearch, b: BodyId, f: FlexId) {
    let m = s.m;
    for g in m.body_geoms(b) {
        if !Bits::of_geom(m, g).collides_with(Bits::of_flex(m, f)) {
            continue;
        }
        if m.geom_type[g] == GeomType::Plane {
            collide_plane(s, g, f);
            continue;
        }
        for e in 0..m.flex_elems(f).len() {
            collide_geom_elem(s, g, f, e);
        }
    }
}

/// All elements of two flexes.
fn every_element(s: &mut FlexSearch, f1: FlexId, f2: FlexId) {
    for e1 in 0..s.m.flex_elems(f1).len() {
        for e2 in 0..s.m.flex_elems(f2).len() {
            collide_elems(s, [f1, f2], [e1, e2]);
        }
    }
}
