//! Pairs of elements of one flex by sweep and prune.
//!
//! The order of the pairs is the order of MuJoCo's sweep (`mj_SAP`), because contacts come in the
//! same order. Ends of boxes are compared in single precision, and equal ends come in the order of
//! the elements.

use sinew_math::simd::{LANES, Lane, dispatch};
use sinew_model::FlexId;

use crate::collision::flex::corners::Corners;
use crate::collision::flex::narrow::collide_own;
use crate::collision::flex::scratch::{OpenBoxes, OpenFour, SweepBox, SweepScratch};
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
    let mut work = core::mem::take(s.sweep);
    list_boxes(s, f, axis, &mut work);
    let SweepScratch { boxes, ends, open, hits, .. } = &mut work;
    sort_from_last(ends);

    // a box that begins is compared with those that have not ended
    let mut pairs = 0;
    let most = MAX_PAIRS.min(boxes.len() * boxes.len().saturating_sub(1) / 2);
    open.clear();
    'sweep: for &end in ends.iter() {
        let (k, is_upper) = ((end as u32 >> 1) as usize, end & 1 == 1);
        if is_upper {
            open.remove(k);
            continue;
        }
        let own = &boxes[k];
        hits.clear();
        find_overlaps(&open.fours, own.across, hits);
        for &slot in hits.iter() {
            let Some(other) = open.at(slot as usize).map(|k| &boxes[k]) else { continue };
            // the ends of the sweep are rounded
            let separated = other.along[1] < own.along[0] || own.along[1] < other.along[0];
            if !separated && !other.corners.share_body(&own.corners) {
                collide_own(s, f, &other.corners, &own.corners);
            }
            pairs += 1;
            if pairs >= most {
                break 'sweep;
            }
        }
        open.add(k, own.across);
    }
    *s.sweep = work;
}

/// Lists the boxes of the elements that take part, and their ends along the axis. The order is the
/// last sweep's, so the lists are nearly sorted.
fn list_boxes(s: &FlexSearch, f: FlexId, axis: usize, work: &mut SweepScratch) {
    let SweepScratch { boxes, keys, ends, .. } = work;
    boxes.clear();
    keys.clear();

    // boxes of active elements; the key of an end sorts by place, then element, then lower end
    let [y, z] = [(axis + 1) % 3, (axis + 2) % 3];
    let elem_boxes = s.d.flexelem_aabb.rows(s.m.flex_elems(f));
    for (elem, aabb) in elem_boxes.iter().enumerate() {
        if !s.m.flex_elem_is_active(f, elem) {
            continue;
        }
        let (low, high) = (|k: usize| aabb[k] - aabb[k + 3], |k: usize| aabb[k] + aabb[k + 3]);
        let number = (boxes.len() as u64) << 1;
        keys.push(sort_key(low(axis)) << 32 | number);
        keys.push(sort_key(high(axis)) << 32 | number | 1);
        boxes.push(SweepBox {
            along: [low(axis), high(axis)],
            across: [low(y), high(y), low(z), high(z)],
            corners: Corners::new(s.m, f, elem),
        });
    }

    // in the order of the last sweep
    if ends.len() == keys.len() {
        for end in ends.iter_mut() {
            *end = keys[*end as u32 as usize];
        }
    } else {
        ends.clone_from(keys);
    }
}

/// Sorts a nearly sorted list: few numbers move, and not far.
fn sort_from_last(ends: &mut [u64]) {
    let mut moves = 0;
    for k in 1..ends.len() {
        let (end, mut at) = (ends[k], k);
        while at > 0 && ends[at - 1] > end {
            ends[at] = ends[at - 1];
            at -= 1;
        }
        ends[at] = end;
        moves += k - at;
        if moves > 8 * ends.len() {
            ends.sort_unstable();
            return;
        }
    }
}

/// A whole number that rises with `x` in single precision; both zeros have the same.
fn sort_key(x: f64) -> u64 {
    let bits = (x as f32 + 0.0).to_bits();
    let flip = if bits >> 31 == 1 { u32::MAX } else { 1 << 31 };
    u64::from(bits ^ flip)
}

dispatch! {
    /// Appends the places of open boxes that overlap one across the axis.
    fn find_overlaps(open: &[OpenFour], own: [f64; 4], hits: &mut Vec<u32>)
        = find_overlaps_kernel::<Exact>;
}

#[inline(always)]
fn find_overlaps_kernel<L: Lane>(open: &[OpenFour], own: [f64; 4], hits: &mut Vec<u32>) {
    let (low_y, high_y) = (L::splat(own[0]), L::splat(own[1]));
    let (low_z, high_z) = (L::splat(own[2]), L::splat(own[3]));
    for (k, four) in open.iter().enumerate() {
        let (y0, y1) = (L::load(&four.across[0]), L::load(&four.across[1]));
        let (z0, z1) = (L::load(&four.across[2]), L::load(&four.across[3]));
        // not: overlaps where both ends compare, so that NaN reaches the narrow phase
        let separated_y = high_y.less(y0).bits() | y1.less(low_y).bits();
        let separated_z = high_z.less(z0).bits() | z1.less(low_z).bits();
        let mut near = !(separated_y | separated_z) & 0xf;
        while near != 0 {
            hits.push((LANES * k) as u32 + near.trailing_zeros());
            near &= near - 1;
        }
    }
}

impl OpenBoxes {
    fn clear(&mut self) {
        self.fours.clear();
        self.boxes.clear();
        self.gone = 0;
    }

    /// The box at a place, unless it has ended.
    fn at(&self, slot: usize) -> Option<usize> {
        self.boxes.get(slot).filter(|&&k| k != OpenBoxes::GONE).map(|&k| k as usize)
    }

    fn add(&mut self, k: usize, across: [f64; 4]) {
        let slot = self.boxes.len();
        if slot.is_multiple_of(LANES) {
            self.fours.push(OpenFour::NOTHING);
        }
        let four = &mut self.fours[slot / LANES].across;
        for (ends, x) in four.iter_mut().zip(across) {
            ends[slot % LANES] = x;
        }
        self.boxes.push(k as u32);
        if self.places.len() <= k {
            self.places.resize(k + 1, 0);
        }
        self.places[k] = slot as u32;
    }

    /// Marks a box as ended; when half of the places are of such boxes, the others move up.
    ///
    /// A box with a negative radius ends before it begins, when it has no place.
    fn remove(&mut self, k: usize) {
        let Some(slot) = self.places.get(k).map(|&slot| slot as usize) else { return };
        if self.boxes.get(slot) != Some(&(k as u32)) {
            return;
        }
        self.boxes[slot] = OpenBoxes::GONE;
        self.fours[slot / LANES].across[0][slot % LANES] = f64::INFINITY;
        self.gone += 1;
        if 2 * self.gone > self.boxes.len() + LANES {
            self.close_gaps();
        }
    }

    fn close_gaps(&mut self) {
        let before = self.boxes.len();
        let mut count = 0;
        for slot in 0..before {
            let k = self.boxes[slot];
            if k == OpenBoxes::GONE {
                continue;
            }
            for i in 0..4 {
                let x = self.fours[slot / LANES].across[i][slot % LANES];
                self.fours[count / LANES].across[i][count % LANES] = x;
            }
            self.boxes[count] = k;
            self.places[k as usize] = count as u32;
            count += 1;
        }
        self.boxes.truncate(count);
        self.fours.truncate(count.div_ceil(LANES));
        for slot in count..self.fours.len() * LANES {
            self.fours[slot / LANES].across[0][slot % LANES] = f64::INFINITY;
        }
        self.gone = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_rise_with_the_numbers() {
        let rising = [f64::NEG_INFINITY, -3.0, -1e-30, 0.0, 1e-30, 0.5, 2.0, f64::INFINITY];
        assert!(rising.windows(2).all(|x| sort_key(x[0]) < sort_key(x[1])));
        assert_eq!(sort_key(0.0), sort_key(-0.0));
    }

    #[test]
    fn sorting_from_any_order_sorts() {
        for step in [1, 7, 499] {
            let mut ends: Vec<u64> = (0..1000).map(|k| (k * step) % 1009).collect();
            sort_from_last(&mut ends);
            assert!(ends.is_sorted());
        }
    }

    #[test]
    fn open_boxes_keep_their_order_while_others_end() {
        let mut open = OpenBoxes::default();
        let mut kept = Vec::new();
        let mut seed = 1_u32;
        for k in 0..200 {
            open.add(k, [k as f64, k as f64 + 1.5, 0.0, 1.0]);
            kept.push(k);
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if seed >> 30 > 0 && !kept.is_empty() {
                open.remove(kept.remove(seed as usize % kept.len()));
            }
            let mut hits = Vec::new();
            find_overlaps(&open.fours, [10.2, 70.0, 0.5, 0.6], &mut hits);
            let found: Vec<usize> = hits.iter().filter_map(|&h| open.at(h as usize)).collect();
            let near = |&&k: &&usize| (9..=70).contains(&k);
            assert_eq!(found, kept.iter().filter(near).copied().collect::<Vec<_>>());
        }
    }
}
