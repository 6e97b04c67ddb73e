//! Pairs of elements of one flex by sweep and prune.
//!
//! The order of the pairs is that of MuJoCo's sweep (`mj_SAP`), as contacts come in the same order:
//! ends of boxes in single precision, equal ones in the order of the elements.

use sinew_model::FlexId;

use crate::collision::flex::narrow::collide_elems;
use crate::collision::flex::scratch::{End, SweepScratch};
use crate::collision::flex::search::FlexSearch;

/// More pairs than this are not looked at, as in MuJoCo.
const MAX_PAIRS: usize = 1_000_000;

/// Finds the contacts of a flex with itself by a sweep along the longest axis of its box `root`.
#[doc(alias = "mj_collideFlexSAP")]
pub(crate) fn sweep_contacts(s: &mut FlexSearch, f: FlexId, root: &[f64; 6]) {
    let [.., hx, hy, hz] = *root;
    let axis = match (hx > hy && hx > hz, hy > hz) {
        (true, _) => 0,
        (_, true) => 1,
        _ => 2,
    };
    let others = [(axis + 1) % 3, (axis + 2) % 3];

    // ends of all boxes in rising order
    let m = s.m;
    let SweepScratch { mut ends, mut open, order } = core::mem::take(s.sweep);
    ends.clear();
    open.clear();
    for elem in (0..m.flex_elems(f).len()).filter(|&e| m.flex_elem_is_active(f, e)) {
        let aabb = s.elem_box(f, elem);
        let low = (aabb[axis] - aabb[axis + 3]) as f32;
        let high = (aabb[axis] + aabb[axis + 3]) as f32;
        ends.push(End { at: low, elem: elem as u32, upper: false });
        ends.push(End { at: high, elem: elem as u32, upper: true });
    }
    ends.sort_unstable_by(|a, b| {
        let places = a.at.partial_cmp(&b.at).unwrap_or_else(|| a.at.total_cmp(&b.at));
        places.then(a.elem.cmp(&b.elem)).then(a.upper.cmp(&b.upper))
    });

    // a box that begins is compared with those that have not ended
    let mut pairs = 0;
    let count = ends.len() / 2;
    let most = MAX_PAIRS.min(count * count.saturating_sub(1) / 2);
    'sweep: for end in &ends {
        if end.upper {
            open.retain(|&elem| elem != end.elem);
            continue;
        }
        for k in 0..open.len() {
            let [e1, e2] = [open[k] as usize, end.elem as usize];
            let (a, b) = (*s.elem_box(f, e1), *s.elem_box(f, e2));
            let apart =
                |k: usize| a[k] - a[k + 3] > b[k] + b[k + 3] || b[k] - b[k + 3] > a[k] + a[k + 3];
            if others.into_iter().any(apart) {
                continue;
            }
            collide_elems(s, [f, f], [e1, e2]);
            pairs += 1;
            if pairs >= most {
                break 'sweep;
            }
        }
        open.push(end.elem);
    }
    *s.sweep = SweepScratch { ends, open, order };
}
