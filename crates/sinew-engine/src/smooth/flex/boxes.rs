//! Boxes around the elements of flexes, and around the nodes of their bounding-volume trees.

use sinew_model::enums::DisableBit;
use sinew_model::{Data, FlexId, Model};

use crate::smooth::flex::work::FlexWork;
use crate::work::scratch;

/// Boxes of all elements with their radius: centre and half sizes along the world's axes.
pub(super) fn elements(m: &Model, d: &mut Data) {
    for f in m.flexes() {
        match m.flex_dim[f] {
            1 => elements_of::<2>(m, d, f),
            2 => elements_of::<3>(m, d, f),
            _ => elements_of::<4>(m, d, f),
        }
    }
}

/// Boxes of the elements of a flex, which have `N` corners.
fn elements_of<const N: usize>(m: &Model, d: &mut Data, f: FlexId) {
    let radius = m.flex_radius[f];
    let vert = d.flexvert_xpos.rows(m.flex_verts(f));
    let corners = m.flex_elem.split_at(m.flex_elemdataadr[f].max(0) as usize).1;
    let boxes = d.flexelem_aabb.rows_mut(m.flex_elems(f));
    for (aabb, corners) in boxes.iter_mut().zip(corners.as_chunks::<N>().0) {
        let first = vert[corners[0] as usize].to_array();
        let (mut lo, mut hi) = (first, first);
        for &corner in &corners[1..] {
            let corner = vert[corner as usize].to_array();
            for k in 0..3 {
                lo[k] = smaller(lo[k], corner[k]);
                hi[k] = larger(hi[k], corner[k]);
            }
        }
        for k in 0..3 {
            aabb[k] = 0.5 * (hi[k] + lo[k]);
            aabb[k + 3] = 0.5 * (hi[k] - lo[k]) + radius;
        }
    }
}

/// Boxes of the trees' nodes, leaves first; parents come before their children in the list.
#[doc(alias = "mj_updateDynamicBVH")]
pub(super) fn trees(m: &Model, d: &mut Data) {
    if m.opt.disabled(DisableBit::Midphase) {
        return;
    }
    let mut work = scratch(d).flex.take::<FlexWork>();
    let Data { bvh_aabb_dyn, flexelem_aabb, .. } = d;
    for f in m.flexes() {
        let nodes = m.flex_bvh(f);
        let Some(first) = nodes.start.checked_sub(m.nbvhstatic) else { continue };
        let boxes = bvh_aabb_dyn.rows_mut(first..first + nodes.len());
        let (elem, child) = (m.bvh_nodeid.rows(nodes.clone()), m.bvh_child.rows(nodes));
        let elem_boxes = flexelem_aabb.rows(m.flex_elems(f));
        let [leaves, inner] = work.split_nodes(elem);
        for &node in leaves {
            boxes[node as usize] = elem_boxes[elem[node as usize] as usize];
        }
        for &node in inner.iter().rev() {
            let [a, b] = child[node as usize];
            boxes[node as usize] = around(&boxes[a.max(0) as usize], &boxes[b.max(0) as usize]);
        }
    }
    scratch(d).flex.put(work);
}

impl FlexWork {
    /// The nodes that are leaves, and the others, by the element that each has or -1.
    ///
    /// Every node is written to both lists and counted in one. In a tree a branch on the kind of a
    /// node would be mispredicted every other time.
    fn split_nodes(&mut self, elem: &[i32]) -> [&[u32]; 2] {
        let (leaves, inner) = (&mut self.leaves, &mut self.inner);
        for list in [&mut *leaves, &mut *inner] {
            list.resize(elem.len().max(list.len()), 0);
        }
        let (mut leaf_count, mut inner_count) = (0, 0);
        for (node, &elem) in elem.iter().enumerate() {
            leaves[leaf_count] = node as u32;
            inner[inner_count] = node as u32;
            let is_leaf = elem >= 0;
            leaf_count += usize::from(is_leaf);
            inner_count += usize::from(!is_leaf);
        }
        [&leaves[..leaf_count], &inner[..inner_count]]
    }
}

/// The box around two boxes.
#[inline(always)]
fn around(a: &[f64; 6], b: &[f64; 6]) -> [f64; 6] {
    let mut out = [0.0; 6];
    for k in 0..3 {
        let lo = smaller(a[k] - a[k + 3], b[k] - b[k + 3]);
        let hi = larger(a[k] + a[k + 3], b[k] + b[k + 3]);
        out[k] = 0.5 * (hi + lo);
        out[k + 3] = 0.5 * (hi - lo);
    }
    out
}

fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
