//! Pairs of boxes that overlap, found with a uniform grid in a time proportional to their number.
//!
//! A sweep along one axis tests n^(5/3) pairs of boxes that fill a volume evenly; a grid tests a
//! few for each box. Boxes that are much larger than usual do not go into the grid, and are
//! compared with all.

use crate::work::GridWork;

/// Boxes up to this many times the median size go into the grid.
const LARGEST: f32 = 4.0;

/// From how many boxes the usual size is taken.
const SAMPLE: usize = 256;

/// Cells are a little larger than boxes, so that boxes that overlap are in neighbouring cells even
/// after rounding.
const SLACK: f64 = 1.001;

/// Finds the pairs of boxes that overlap, in no particular order.
pub(super) fn overlapping_boxes(lo: &[Vec<f32>; 3], hi: &[Vec<f32>; 3], work: &mut GridWork) {
    work.found.clear();
    sort_by_size(lo, hi, work);
    if let Some(grid) = Grid::around(lo, hi, &work.small, &work.sizes) {
        grid.fill(lo, hi, work);
        grid.small_pairs(work);
    }
    large_pairs(lo, hi, work);
}

/// Splits the boxes into small ones, with their sizes, and large ones.
fn sort_by_size(lo: &[Vec<f32>; 3], hi: &[Vec<f32>; 3], work: &mut GridWork) {
    let size = |i: usize| (0..3).map(|axis| hi[axis][i] - lo[axis][i]).fold(0.0, f32::max);
    let known = |i: usize| (0..3).all(|axis| lo[axis][i].is_finite() && hi[axis][i].is_finite());
    let n = lo[0].len();
    let GridWork { small, large, sizes, .. } = work;

    // the median of a sample is as good
    sizes.clear();
    sizes.extend((0..n).step_by(1 + n / SAMPLE).filter(|&i| known(i)).map(size));
    let middle = sizes.len() / 2;
    let median = match sizes.is_empty() {
        true => 0.0,
        false => *sizes.select_nth_unstable_by(middle, f32::total_cmp).1,
    };

    small.clear();
    large.clear();
    sizes.clear();
    for i in 0..n {
        let size = size(i);
        if size <= LARGEST * median && known(i) {
            small.push(i as u32);
            sizes.push(size);
        } else {
            large.push(i as u32);
        }
    }
}

/// A grid of cubes.
struct Grid {
    origin: [f64; 3],
    per_cell: f64,
    n: [usize; 3],
}

impl Grid {
    /// A grid around the centres of boxes, with at most a few cells for each; none without boxes.
    fn around(
        lo: &[Vec<f32>; 3],
        hi: &[Vec<f32>; 3],
        boxes: &[u32],
        sizes: &[f32],
    ) -> Option<Grid> {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for &i in boxes {
            let center = center(lo, hi, i as usize);
            for axis in 0..3 {
                low[axis] = low[axis].min(center[axis]);
                high[axis] = high[axis].max(center[axis]);
            }
        }
        let largest = sizes.iter().copied().reduce(f32::max)?;
        let mut cell = (f64::from(largest) * SLACK).max(f64::MIN_POSITIVE);
        let most = 4 * boxes.len();
        loop {
            let counts: [f64; 3] = core::array::from_fn(|k| ((high[k] - low[k]) / cell).floor());
            let total: f64 = counts.iter().map(|n| n + 1.0).product();
            if total <= most as f64 {
                let n = counts.map(|n| n as usize + 1);
                return Some(Grid { origin: low, per_cell: 1.0 / cell, n });
            }
            // a surplus is harmless: the next size has at most half the cells
            cell *= (total / most as f64).cbrt().max(1.26);
        }
    }

    /// Column, row and layer of a point.
    fn place(&self, center: [f64; 3]) -> [u32; 3] {
        core::array::from_fn(|k| {
            let place = ((center[k] - self.origin[k]) * self.per_cell) as usize;
            place.min(self.n[k] - 1) as u32
        })
    }

    fn cell(&self, [x, y, z]: [u32; 3]) -> usize {
        (z as usize * self.n[1] + y as usize) * self.n[0] + x as usize
    }

    /// Sorts the small boxes by cell.
    fn fill(&self, lo: &[Vec<f32>; 3], hi: &[Vec<f32>; 3], work: &mut GridWork) {
        let GridWork { small, places, starts, order, order_places, .. } = work;
        places.clear();
        places.extend(small.iter().map(|&i| self.place(center(lo, hi, i as usize))));

        // counting sort: ends of the cells, then each box to the last free place of its cell
        starts.clear();
        starts.resize(self.n.iter().product::<usize>() + 1, 0);
        for &place in places.iter() {
            starts[self.cell(place)] += 1;
        }
        let mut end = 0;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        order.clear();
        order.resize(small.len(), 0);
        order_places.clear();
        order_places.resize(small.len(), [0; 3]);
        for (&i, &place) in small.iter().zip(places.iter()).rev() {
            let start = &mut starts[self.cell(place)];
            *start -= 1;
            order[*start as usize] = i;
            order_places[*start as usize] = place;
        }

        // boxes side by side as they are compared
        for axis in 0..3 {
            work.lo[axis].clear();
            work.lo[axis].extend(work.order.iter().map(|&i| lo[axis][i as usize]));
            work.hi[axis].clear();
            work.hi[axis].extend(work.order.iter().map(|&i| hi[axis][i as usize]));
        }
    }

    /// Compares each box with those after it in its own cell and in the cells ahead.
    fn small_pairs(&self, work: &mut GridWork) {
        let [nx, ny, nz] = self.n;
        for at in 0..work.order.len() {
            let place = work.order_places[at];
            let cell = self.cell(place);
            let [x, y, z] = place.map(|k| k as usize);
            let columns = x.saturating_sub(1)..(x + 2).min(nx);

            // the rest of the own cell and the next one, then the rows ahead, which lie side by
            // side
            let end = work.starts[cell - x + columns.end] as usize;
            offer(at, at + 1..end, work);
            for (row, layer) in [(y + 1, z), (y.wrapping_sub(1), z + 1), (y, z + 1), (y + 1, z + 1)]
            {
                if row < ny && layer < nz {
                    let row_start = (layer * ny + row) * nx;
                    let first = work.starts[row_start + columns.start] as usize;
                    let end = work.starts[row_start + columns.end] as usize;
                    offer(at, first..end, work);
                }
            }
        }
    }
}

/// Keeps the pairs of a box and those of a range that overlap it.
fn offer(at: usize, others: core::ops::Range<usize>, work: &mut GridWork) {
    let GridWork { lo, hi, order, found, .. } = work;
    let [lx, ly, lz] = lo.each_ref().map(|axis| &axis[others.clone()]);
    let [hx, hy, hz] = hi.each_ref().map(|axis| &axis[others.clone()]);
    let (low, high) = (lo.each_ref().map(|axis| axis[at]), hi.each_ref().map(|axis| axis[at]));
    for (k, &other) in order[others].iter().enumerate() {
        let separated = (lx[k] > high[0])
            | (low[0] > hx[k])
            | (ly[k] > high[1])
            | (low[1] > hy[k])
            | (lz[k] > high[2])
            | (low[2] > hz[k]);
        if !separated {
            found.push(pair(order[at], other));
        }
    }
}

/// Compares each large box with the small ones and with later large ones.
fn large_pairs(lo: &[Vec<f32>; 3], hi: &[Vec<f32>; 3], work: &mut GridWork) {
    let GridWork { large, overlaps, found, .. } = work;
    let n = lo[0].len();
    for (k, &i) in large.iter().enumerate() {
        overlaps.clear();
        overlaps.resize(n, 1);
        for &earlier in &large[..=k] {
            overlaps[earlier as usize] = 0;
        }
        for axis in 0..3 {
            let own = [lo[axis][i as usize], hi[axis][i as usize]];
            overlap_along(own, &lo[axis], &hi[axis], overlaps);
        }
        let hits = overlaps.iter().enumerate().filter(|&(_, &overlaps)| overlaps != 0);
        found.extend(hits.map(|(j, _)| pair(i, j as u32)));
    }
}

/// Clears the marks of the intervals that do not overlap the given one. NaN counts
/// as overlapping, so that bad input reaches the narrow phase and its warning.
fn overlap_along([low, high]: [f32; 2], lo: &[f32], hi: &[f32], overlaps: &mut [u8]) {
    for ((overlaps, &l), &h) in overlaps.iter_mut().zip(lo).zip(hi) {
        let separated = (l > high) | (low > h);
        *overlaps &= u8::from(!separated);
    }
}

fn center(lo: &[Vec<f32>; 3], hi: &[Vec<f32>; 3], i: usize) -> [f64; 3] {
    core::array::from_fn(|k| 0.5 * (f64::from(lo[k][i]) + f64::from(hi[k][i])))
}

/// Two boxes, the smaller number first.
fn pair(i: u32, j: u32) -> [u32; 2] {
    if i < j { [i, j] } else { [j, i] }
}

#[cfg(test)]
mod tests {
    use sinew_testkit::Random;

    use super::*;

    fn check(n: usize, spread: [f32; 3], size: impl Fn(f32) -> f32, seed: u64) {
        let mut random = Random::new(seed);
        let (mut lo, mut hi): ([Vec<f32>; 3], [Vec<f32>; 3]) = Default::default();
        for i in 0..n {
            let half = size(random.unit() as f32);
            for k in 0..3 {
                let at = spread[k] * random.unit() as f32;
                let strange = i % 97 == 13 && k == 1;
                lo[k].push(if strange { f32::NAN } else { at - half });
                hi[k].push(at + half);
            }
        }
        let mut work = GridWork::default();
        overlapping_boxes(&lo, &hi, &mut work);
        work.found.sort_unstable();

        let separated =
            |i: usize, j: usize| (0..3).any(|k| lo[k][i] > hi[k][j] || lo[k][j] > hi[k][i]);
        let mut wanted = Vec::new();
        for i in 0..n {
            let later = (i + 1..n).filter(|&j| !separated(i, j));
            wanted.extend(later.map(|j| pair(i as u32, j as u32)));
        }
        assert_eq!(work.found, wanted, "{n} boxes in {spread:?}");
    }

    #[test]
    fn the_grid_finds_the_same_pairs_as_comparing_all() {
        for seed in 0..8 {
            check(300, [10.0, 10.0, 10.0], |_| 0.5, seed);
            check(300, [10.0, 10.0, 0.0], |x| 0.1 + x, seed);
            check(300, [1000.0, 1.0, 1.0], |x| 2.0 * x * x * x * x, seed);
            check(200, [1e-3, 1e6, 1.0], |x| if x < 0.05 { 100.0 } else { 0.01 }, seed);
            check(50, [0.0; 3], |_| 0.0, seed);
            check(2, [1.0; 3], |_| 1.0, seed);
        }
    }
}
