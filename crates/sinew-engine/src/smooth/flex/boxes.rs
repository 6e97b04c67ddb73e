//! Boxes around the elements of flexes, and around the nodes of their bounding-volume trees.

use sinew_model::enums::DisableBit;
use sinew_model::{Data, Model};

/// Boxes of all elements with their radius: centre and half sizes along the world's axes.
pub(super) fn elements(m: &Model, d: &mut Data) {
    for f in m.flexes() {
        let (elems, radius) = (m.flex_elems(f), m.flex_radius[f]);
        let vert = d.flexvert_xpos.rows(m.flex_verts(f));
        for (e, aabb) in d.flexelem_aabb.rows_mut(elems).iter_mut().enumerate() {
            let mut corners = m.flex_elem_verts(f, e).iter().map(|&v| vert[v as usize].to_array());
            let Some(first) = corners.next() else { continue };
            let (lo, hi) = corners.fold((first, first), |(lo, hi), corner| {
                (each(lo, corner, smaller), each(hi, corner, larger))
            });
            *aabb = centered(lo, hi);
            for half in &mut aabb[3..] {
                *half += radius;
            }
        }
    }
}

/// Boxes of the trees' nodes, leaves first; parents come before their children in the list.
#[doc(alias = "mj_updateDynamicBVH")]
pub(super) fn trees(m: &Model, d: &mut Data) {
    if m.opt.disabled(DisableBit::Midphase) {
        return;
    }
    let Data { bvh_aabb_dyn, flexelem_aabb, .. } = d;
    for f in m.flexes() {
        let (nodes, first_elem) = (m.flex_bvh(f), m.flex_elems(f).start);
        let Some(first) = nodes.start.checked_sub(m.nbvhstatic) else { continue };
        for node in nodes.rev() {
            let at = node - m.nbvhstatic;
            bvh_aabb_dyn[at] = match usize::try_from(m.bvh_nodeid[node]) {
                Ok(elem) => flexelem_aabb[first_elem + elem],
                Err(_) => {
                    let [a, b] = m.bvh_child[node].map(|c| bvh_aabb_dyn[first + c.max(0) as usize]);
                    let ends = |x: [f64; 6], sign: f64| -> [f64; 3] {
                        core::array::from_fn(|k| x[k] + sign * x[k + 3])
                    };
                    let lo = each(ends(a, -1.0), ends(b, -1.0), smaller);
                    centered(lo, each(ends(a, 1.0), ends(b, 1.0), larger))
                }
            };
        }
    }
}

/// The box between two corners, as centre and half sizes.
fn centered(lo: [f64; 3], hi: [f64; 3]) -> [f64; 6] {
    let mut out = [0.0; 6];
    for k in 0..3 {
        out[k] = 0.5 * (hi[k] + lo[k]);
        out[k + 3] = 0.5 * (hi[k] - lo[k]);
    }
    out
}

fn each(a: [f64; 3], b: [f64; 3], pick: impl Fn(f64, f64) -> f64) -> [f64; 3] {
    core::array::from_fn(|k| pick(a[k], b[k]))
}

fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
