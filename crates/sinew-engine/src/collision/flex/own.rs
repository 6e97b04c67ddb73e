//! Contacts of a flex with itself: inside its elements, and between them.

use sinew_geom::touch::Touch;
use sinew_math::Vec3;
use sinew_model::FlexId;
use sinew_model::enums::{DisableBit, FlexSelf};

use crate::collision::flex::narrow::{collide_elem_vert, collide_elems};
use crate::collision::flex::search::FlexSearch;
use crate::collision::flex::sweep::sweep_contacts;
use crate::collision::flex::tree::flex_trees;
use crate::collision::list::Touching;
use crate::collision::mid::Tree;
use crate::collision::params::{Params, Surface};

/// Finds the contacts of a flex with itself, as far as it enables them.
pub(crate) fn own_contacts(s: &mut FlexSearch, f: FlexId) {
    let m = s.m;
    if m.flex_rigid[f].get() || m.flex_contype[f] & m.flex_conaffinity[f] == 0 {
        return;
    }
    if m.flex_internal[f].get() {
        internal(s, f);
    }
    let mode = FlexSelf(m.flex_selfcollide[f]);
    if mode == FlexSelf::None {
        return;
    }
    let tree = Tree::of_flex(m, s.d, f)
        .filter(|_| mode != FlexSelf::Narrow && !m.opt.disabled(DisableBit::Midphase));
    match tree {
        Some(tree) if mode == FlexSelf::Bvh || mode == FlexSelf::Auto && m.flex_dim[f] == 3 => {
            flex_trees(s, [f, f], &tree, &tree);
        }
        Some(tree) => sweep_contacts(s, f, &tree.aabb[0]),
        None => every_pair(s, f),
    }
}

/// All pairs of elements that take part.
fn every_pair(s: &mut FlexSearch, f: FlexId) {
    let (m, n) = (s.m, s.m.flex_elems(f).len());
    for e1 in (0..n).filter(|&e| m.flex_elem_is_active(f, e)) {
        for e2 in (e1 + 1..n).filter(|&e| m.flex_elem_is_active(f, e)) {
            collide_elems(s, [f, f], [e1, e2]);
        }
    }
}

/// The faces of a tetrahedron, and the corner across from each.
const FACES: [([usize; 3], usize); 4] =
    [([0, 1, 2], 3), ([0, 2, 3], 1), ([0, 3, 1], 2), ([1, 3, 2], 0)];

/// Contacts of listed vertices with listed elements, and of each corner of a tetrahedron with the
/// opposite face. The latter keep the element from turning inside out. Margins do not count: the
/// contacts would last for ever.
#[doc(alias = "mj_collideFlexInternal")]
fn internal(s: &mut FlexSearch, f: FlexId) {
    let (m, d) = (s.m, s.d);

    // listed vertices with listed elements
    let first = m.flex_evpairadr[f].max(0) as usize;
    for pair in first..first + m.flex_evpairnum[f].max(0) as usize {
        let [elem, vert] = m.flex_evpair[pair].map(|id| id.max(0) as usize);
        collide_elem_vert(s, f, elem, vert);
    }
    if m.flex_dim[f] != 3 {
        return;
    }

    // corners of tetrahedra with the faces across from them
    let surface = Surface::of_flex(m, f);
    let params = Params { dim: 1, ..Params::of_surfaces(m, &surface, &surface) };
    let verts = d.flexvert_xpos.rows(m.flex_verts(f));
    for elem in 0..m.flex_elems(f).len() {
        let ids = m.flex_elem_verts(f, elem);
        let corners = [0, 1, 2, 3].map(|k: usize| verts[ids[k] as usize]);
        for (face, across) in FACES {
            s.touches.clear();
            let face = face.map(|k| corners[k]);
            s.touches.extend(face_touch(face, corners[across], m.flex_radius[f]));
            let of = Touching {
                flex: [f.idx() as i32; 2],
                elem: [elem as i32, -1],
                vert: [-1, ids[across]],
                ..Touching::NOTHING
            };
            s.add(of, 0.0, &params);
        }
    }
}

/// A corner that has come through the face across from it, or nearer than both radii.
fn face_touch([origin, a, b]: [Vec3; 3], corner: Vec3, radius: f64) -> Option<Touch> {
    let normal = (a - origin).cross(b - origin).normalize().0;
    let height = (corner - origin).dot(normal);
    (height > -2.0 * radius).then(|| Touch {
        dist: -height - 2.0 * radius,
        pos: corner + normal * (-0.5 * height),
        normal: normal * -1.0,
        tangent: Vec3::ZERO,
    })
}
