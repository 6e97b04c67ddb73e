//! The rows of `B` in the scaled frame, contact by contact, where `P = B Bᵀ`.
//!
//! A contact moves few columns, all of its rows the same ones: they are kept as a small dense
//! matrix, a brick. The columns are reordered so that columns of coupled contacts are near each
//! other.

use std::ops::Range;

use sinew_math::order::Order;
use sinew_math::simd::{LANES, Lane, dispatch, lanes, lanes_mut, padded};

use super::group::Group;
use super::sweep::{Coupled, Groups, Sweep, sweep_body};
use crate::dense;
use crate::frame::{Block, Frame};
use crate::natural_map::NaturalMap;
use crate::small::sub3;
use crate::sparse::{SparseProblem, SparseRows};

/// Where the matrix of a block is.
#[derive(Clone, Copy, Debug, Default)]
struct Brick {
    /// First of its columns, how many there are with padding, and its first value.
    columns: usize,
    count: usize,
    values: usize,
    /// First entry of its product with its transpose.
    own: usize,
}

/// Neighbouring bricks with the same columns.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Blocks of the piece, and whether all of them have three rows.
    pub(super) blocks: Range<usize>,
    pub(super) threes: bool,
    /// Rows, columns and values of the piece.
    rows: Range<usize>,
    columns: Range<usize>,
    values: Range<usize>,
}

/// All of `B`. Bricks are padded by columns of zeros, whose place is one past the others.
#[derive(Clone, Debug, Default)]
pub(super) struct Bricks {
    bricks: Vec<Brick>,
    pub(super) runs: Vec<Run>,
    /// Columns of each brick, rising, in the order used here.
    columns: Vec<u32>,
    /// Rows of each brick, one after the other.
    values: Vec<f64>,
    /// Blocks on the diagonal of `P`.
    own: Vec<f64>,
    /// The part of `P`'s diagonal beyond `B Bᵀ`; empty if there is none.
    soft: Vec<f64>,
    /// Number of columns that are not empty.
    width: usize,
    places: Places,
}

/// A brick as it is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) columns: &'a [u32],
    pub(super) values: &'a [f64],
}

impl Bricks {
    /// Takes over the rows of a problem, and makes its frame; false, and nothing, if there are more
    /// than `most` columns.
    pub(super) fn set(
        &mut self,
        problem: &SparseProblem<'_>,
        frame: &mut Frame,
        most: usize,
    ) -> bool {
        let (rows, cones) = (problem.rows(), problem.cones());
        if self.places.find(rows, problem.width()) > most {
            return false;
        }
        frame.set(cones, 0..cones.len(), problem.b(), &|i, j| rows.product(i, j));
        self.width = self.places.arrange(rows, frame);
        self.bricks.clear();
        self.runs.clear();
        self.columns.clear();
        for list in [&mut self.values, &mut self.own, &mut self.soft] {
            list.clear();
        }
        for (c, block) in frame.blocks.iter().enumerate() {
            let (mut columns, values) = (self.columns.len(), self.values.len());
            let alike = self.gather_columns(rows, &frame.rows[block.range()]);
            let count = self.columns.len() - columns;
            self.values.resize(values + block.dim * count, 0.0);
            let (old, new) = self.columns.split_at(columns);
            match self.runs.last_mut() {
                Some(run) if old[run.columns.start..] == *new => {
                    run.blocks.end = c + 1;
                    run.threes &= block.dim == 3;
                    run.rows.end = block.range().end;
                    run.values.end = self.values.len();
                    self.columns.truncate(columns);
                    columns = run.columns.start;
                }
                _ => self.runs.push(Run {
                    blocks: c..c + 1,
                    threes: block.dim == 3,
                    rows: block.range(),
                    columns: columns..self.columns.len(),
                    values: values..self.values.len(),
                }),
            }
            self.bricks.push(Brick { columns, count, values, own: self.own.len() });
            for (k, at) in block.range().enumerate() {
                let line = &mut self.values[values + k * count..][..count];
                let (list, row) = rows.row(frame.rows[at]);
                let scale = frame.scale[at];
                if alike {
                    for (to, slot) in line.iter_mut().zip(&self.places.slots) {
                        *to = scale * row[slot.1 as usize];
                    }
                    continue;
                }
                for (&c, x) in list.iter().zip(row) {
                    let place = self.places.place[c as usize];
                    let slot = self.columns[columns..].iter().position(|other| *other == place);
                    line[slot.unwrap_or(0)] += scale * x;
                }
            }
            let line = |k: usize| &self.values[values + k * count..][..count];
            for i in 0..block.dim {
                self.own.extend((0..block.dim).map(|j| dense::dot(line(i), line(j))));
            }
        }
        true
    }

    /// Appends the columns of some rows, rising and padded; true if every row has just these. The
    /// slots then tell where in a row they are.
    fn gather_columns(&mut self, rows: &SparseRows, list: &[usize]) -> bool {
        let (from, Places { place, slots, .. }) = (self.columns.len(), &mut self.places);
        let Some((&first, others)) = list.split_first() else { return true };
        let head = rows.row(first).0;
        let mut alike = others.iter().all(|&r| rows.row(r).0 == head);
        slots.clear();
        slots.extend(head.iter().zip(0..).map(|(&c, k)| (place[c as usize], k)));
        if !slots.is_sorted_by(|a, b| a.0 < b.0) {
            slots.sort_unstable();
            alike &= slots.is_sorted_by(|a, b| a.0 < b.0);
        }
        self.columns.extend(slots.iter().map(|slot| slot.0));
        if !alike {
            for &r in others {
                self.columns.extend(rows.row(r).0.iter().map(|&c| place[c as usize]));
            }
            self.columns[from..].sort_unstable();
            distinct(&mut self.columns, from);
        }
        let count = self.columns.len() - from;
        self.columns.resize(from + padded(count), self.width as u32);
        alike
    }

    /// Number of columns.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Length of vectors over the columns, with the place of the padding.
    pub(super) fn size(&self) -> usize {
        padded(self.width + 1)
    }

    /// Columns of a brick, with padding.
    #[inline(always)]
    fn columns(&self, c: usize) -> &[u32] {
        let Brick { columns, count, .. } = self.bricks[c];
        &self.columns[columns..columns + count]
    }

    /// The brick of a block.
    #[inline(always)]
    pub(super) fn view(&self, c: usize, block: &Block) -> View<'_> {
        let brick = &self.bricks[c];
        View {
            columns: self.columns(c),
            values: &self.values[brick.values..brick.values + block.dim * brick.count],
        }
    }

    /// Columns and values of a run.
    #[inline(always)]
    fn parts(&self, run: &Run) -> View<'_> {
        View {
            columns: &self.columns[run.columns.clone()],
            values: &self.values[run.values.clone()],
        }
    }

    /// The diagonal of `P`.
    pub(super) fn diagonal(&self, frame: &Frame, out: &mut [f64]) {
        for (brick, block) in self.bricks.iter().zip(&frame.blocks) {
            for (k, out) in out[block.range()].iter_mut().enumerate() {
                *out = self.own[brick.own + k * (block.dim + 1)];
            }
        }
    }

    /// Adds a share of it to the diagonal of the hard `P`, which has none.
    pub(super) fn soften(&mut self, frame: &Frame, share: f64) {
        let before = !self.soft.is_empty();
        self.soft.resize(frame.stride(), 0.0);
        for (brick, block) in self.bricks.iter().zip(&frame.blocks) {
            for (k, soft) in self.soft[block.range()].iter_mut().enumerate() {
                let own = &mut self.own[brick.own + k * (block.dim + 1)];
                if before {
                    *own -= *soft;
                }
                *soft = share * *own;
                *own += *soft;
            }
        }
        if share == 0.0 {
            self.soft.clear();
        }
    }

    /// Adds to `Δ` the softness on the diagonal of `P`, along the eigenvectors that take part.
    pub(super) fn add_softness(&self, frame: &Frame, map: &NaturalMap, delta: &mut [f64]) {
        if self.soft.is_empty() {
            return;
        }
        for (c, block) in frame.blocks.iter().enumerate() {
            for at in block.start..block.start + map.rank[c] {
                let soft = self.soft[block.range()].iter().zip(map.basis[at]);
                delta[at] += soft.map(|(soft, v)| soft * v * v).sum::<f64>();
            }
        }
    }

    /// Adds the part of `P`'s diagonal beyond `B Bᵀ`, times `y`.
    pub(super) fn add_soft(&self, y: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(&self.soft).zip(y).for_each(|((out, soft), y)| *out += soft * y);
    }
}

impl Coupled for Bricks {
    fn places(&self, _: &Frame) -> usize {
        self.size()
    }

    /// Blocks couple if they have a column in common.
    fn look(&self, _: &Frame, c: usize, marks: &[u64]) -> u64 {
        let columns = self.columns(c).iter().filter(|c| (**c as usize) < self.width);
        columns.fold(0, |all, c| all | marks[*c as usize])
    }

    fn mark(&self, c: usize, mark: u64, marks: &mut [u64]) {
        self.columns(c).iter().for_each(|c| marks[*c as usize] |= mark);
    }

    fn own(&self, _: &Frame, c: usize, out: &mut [f64]) {
        out.copy_from_slice(&self.own[self.bricks[c].own..][..out.len()]);
    }

    #[inline(always)]
    fn gradients<L: Lane>(&self, frame: &Frame, group: &Group, y: &[f64], image: &[f64]) -> [L; 3] {
        let mut sums = [[L::splat(0.0); LANES]; 3];
        for (l, &c) in group.blocks[..group.count].iter().enumerate() {
            let [p, q, r] = self.view(c, &frame.blocks[c]).products::<L>(image);
            (sums[0][l], sums[1][l], sums[2][l]) = (p, q, r);
        }
        let mut g = sub3(&sums.map(L::sums), &group.pick(&frame.q));
        if !self.soft.is_empty() {
            let (soft, y) = (group.pick::<L>(&self.soft), group.pick::<L>(y));
            (0..3).for_each(|k| g[k] = g[k].add_mul(soft[k], y[k]));
        }
        g
    }

    #[inline(always)]
    fn gradient<L: Lane>(
        &self,
        frame: &Frame,
        c: usize,
        y: &[f64],
        image: &[f64],
        out: &mut [f64],
    ) {
        let block = &frame.blocks[c];
        self.view(c, block).times::<L>(image, out);
        for (k, out) in block.range().zip(out) {
            *out += self.soft.get(k).map_or(0.0, |soft| soft * y[k]) - frame.q[k];
        }
    }

    #[inline(always)]
    fn update<L: Lane>(&self, frame: &Frame, c: usize, change: &[f64], image: &mut [f64]) {
        self.view(c, &frame.blocks[c]).add_transposed::<L>(change, image);
    }
}

dispatch! {
    /// `out = Bᵀ y`.
    pub(crate) fn transposed(bricks: &Bricks, y: &[f64], out: &mut [f64])
        = transposed_body::<Fused>;

    /// `out = B z`.
    pub(crate) fn times(bricks: &Bricks, z: &[f64], out: &mut [f64])
        = times_body::<Fused>;

    /// Sweeps; `image` is `Bᵀ y`.
    pub(crate) fn sweep_groups(
        bricks: &Bricks,
        groups: &Groups,
        frame: &Frame,
        sweep: Sweep,
        y: &mut [f64],
        image: &mut [f64],
    ) = sweep_body::<Fused>;
}

#[inline(always)]
fn transposed_body<L: Lane>(bricks: &Bricks, y: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for run in &bricks.runs {
        let (view, y) = (bricks.parts(run), &y[run.rows.clone()]);
        match view.columns.len() / LANES {
            1 => add_transposed_run::<L, 1>(view, y, out),
            2 => add_transposed_run::<L, 2>(view, y, out),
            3 => add_transposed_run::<L, 3>(view, y, out),
            _ => view.add_transposed::<L>(y, out),
        }
    }
}

/// `out += Bᵀ y` for rows with `N` registers of columns.
#[inline(always)]
fn add_transposed_run<L: Lane, const N: usize>(view: View<'_>, y: &[f64], out: &mut [f64]) {
    // two sums, so that neither has to wait for itself
    let mut sum = [[L::splat(0.0); N]; 2];
    for (k, (row, y)) in rows_of::<N>(view.values).iter().zip(y).enumerate() {
        let y = L::splat(*y);
        for (sum, row) in sum[k % 2].iter_mut().zip(row) {
            *sum = sum.add_mul(y, L::load(row));
        }
    }
    for (k, at) in view.columns.as_chunks().0.iter().enumerate().take(N) {
        put(sum[0][k] + sum[1][k], out, at);
    }
}

/// Rows of `N` registers each.
#[inline(always)]
fn rows_of<const N: usize>(values: &[f64]) -> &[[[f64; LANES]; N]] {
    lanes(values).as_chunks().0
}

#[inline(always)]
fn times_body<L: Lane>(bricks: &Bricks, z: &[f64], out: &mut [f64]) {
    for run in &bricks.runs {
        let (view, out) = (bricks.parts(run), &mut out[run.rows.clone()]);
        match view.columns.len() / LANES {
            1 => times_run::<L, 1>(view, z, out),
            2 => times_run::<L, 2>(view, z, out),
            3 => times_run::<L, 3>(view, z, out),
            _ => view.times::<L>(z, out),
        }
    }
}

/// `out = B z` for rows with `N` registers of columns.
#[inline(always)]
fn times_run<L: Lane, const N: usize>(view: View<'_>, z: &[f64], out: &mut [f64]) {
    let mut known = [L::splat(0.0); N];
    for (known, at) in known.iter_mut().zip(view.columns.as_chunks().0) {
        *known = pick(z, at);
    }
    let product = |row: &[[f64; LANES]; N]| {
        let mut sum = L::load(&row[0]) * known[0];
        for k in 1..N {
            sum = sum.add_mul(L::load(&row[k]), known[k]);
        }
        sum
    };
    let (fours, rest) = rows_of::<N>(view.values).as_chunks::<LANES>();
    let (first, last) = out.split_at_mut(fours.len() * LANES);
    for (rows, out) in fours.iter().zip(lanes_mut(first)) {
        let [a, b, c, d] = rows;
        L::sums([product(a), product(b), product(c), product(d)]).store(out);
    }
    for (row, out) in rest.iter().zip(last) {
        *out = product(row).sum();
    }
}

/// Whether four rising places are neighbours. Padding repeats its place, so the last place alone
/// does not tell: the columns 8, 10 and padding at 11 are not neighbours.
#[inline(always)]
fn are_neighbours([a, _, c, d]: [usize; LANES]) -> bool {
    c == a + 2 && d == a + 3
}

/// Four numbers from four places: neighbours, or two pairs of neighbours, as a rule.
#[inline(always)]
pub(super) fn pick<L: Lane>(from: &[f64], at: &[u32; LANES]) -> L {
    let at = at.map(|c| c as usize);
    let [a, b, c, d] = at;
    if are_neighbours(at) {
        return L::load(&lanes(&from[a..a + LANES])[0]);
    }
    if b == a + 1 && d == c + 1 {
        let (p, q) = (&from[a..a + 2], &from[c..c + 2]);
        return L::new([p[0], p[1], q[0], q[1]]);
    }
    L::new([from[a], from[b], from[c], from[d]])
}

/// Adds four numbers in four places.
#[inline(always)]
pub(super) fn put<L: Lane>(x: L, to: &mut [f64], at: &[u32; LANES]) {
    let at = at.map(|c| c as usize);
    let [a, b, c, d] = at;
    if are_neighbours(at) {
        if let Some(to) = to[a..a + LANES].first_chunk_mut() {
            (L::load(to) + x).store(to);
        }
        return;
    }
    let four = x.to_array();
    if b == a + 1 && d == c + 1 {
        for (at, [x, y]) in [(a, [four[0], four[1]]), (c, [four[2], four[3]])] {
            let to = &mut to[at..at + 2];
            (to[0], to[1]) = (to[0] + x, to[1] + y);
        }
        return;
    }
    to[a] += four[0];
    to[b] += four[1];
    to[c] += four[2];
    to[d] += four[3];
}

impl View<'_> {
    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.columns.len().max(1))
    }

    /// The rows of a contact that has three.
    #[inline(always)]
    pub(super) fn three(&self) -> [&[[f64; LANES]]; 3] {
        let n = self.columns.len();
        let values = &self.values[..3 * n];
        [lanes(&values[..n]), lanes(&values[n..2 * n]), lanes(&values[2 * n..])]
    }

    /// Products of three rows with `z`, not summed yet.
    #[inline(always)]
    pub(super) fn products<L: Lane>(&self, z: &[f64]) -> [L; 3] {
        let [a, b, c] = self.three();
        let mut sum = [L::splat(0.0); 3];
        for (((at, a), b), c) in self.columns.as_chunks().0.iter().zip(a).zip(b).zip(c) {
            let z = pick::<L>(z, at);
            sum[0] = sum[0].add_mul(L::load(a), z);
            sum[1] = sum[1].add_mul(L::load(b), z);
            sum[2] = sum[2].add_mul(L::load(c), z);
        }
        sum
    }

    /// `out = B z`.
    #[inline(always)]
    pub(super) fn times<L: Lane>(&self, z: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (row, out) in self.rows().zip(out) {
            let mut sum = L::splat(0.0);
            for (at, b) in self.columns.as_chunks().0.iter().zip(lanes(row)) {
                sum = sum.add_mul(L::load(b), pick(z, at));
            }
            *out = sum.sum();
        }
    }

    /// `out += Bᵀ y`.
    #[inline(always)]
    pub(super) fn add_transposed<L: Lane>(&self, y: &[f64], out: &mut [f64]) {
        let columns = self.columns.as_chunks().0;
        if let [x, y, z] = *y {
            let [a, b, c] = self.three();
            let (x, y, z) = (L::splat(x), L::splat(y), L::splat(z));
            for (((at, a), b), c) in columns.iter().zip(a).zip(b).zip(c) {
                let two = (x * L::load(a)).add_mul(y, L::load(b));
                put(two.add_mul(z, L::load(c)), out, at);
            }
            return;
        }
        for (row, y) in self.rows().zip(y) {
            for (at, b) in columns.iter().zip(lanes(row)) {
                put(L::load(b) * L::splat(*y), out, at);
            }
        }
    }
}

/// Removes repetitions from the end of a sorted list, from an index on.
fn distinct(list: &mut Vec<u32>, from: usize) {
    let mut to = from;
    for k in from..list.len() {
        if k == from || list[k] != list[to - 1] {
            list[to] = list[k];
            to += 1;
        }
    }
    list.truncate(to);
}

/// Where the columns of a problem are here. Takes time by those that occur, however wide the matrix
/// is.
#[derive(Clone, Debug, Default)]
struct Places {
    /// Place of each column of the problem; nowhere if it does not occur.
    place: Vec<u32>,
    /// The columns that occur, rising.
    used: Vec<u32>,
    order: Order,
    /// Places of the columns of a block, rising, and where in its rows they are.
    slots: Vec<(u32, u32)>,
}

const NOWHERE: u32 = u32::MAX;

impl Places {
    /// Finds the columns that occur in any row; how many there are.
    fn find(&mut self, rows: &SparseRows, width: usize) -> usize {
        for &c in &self.used {
            self.place[c as usize] = NOWHERE;
        }
        self.used.clear();
        if self.place.len() < width {
            self.place.resize(width, NOWHERE);
        }
        for &c in rows.columns() {
            if self.place[c as usize] == NOWHERE {
                self.place[c as usize] = 0;
                self.used.push(c);
            }
        }
        self.used.len()
    }

    /// Orders them; how many there are. The first row of a block speaks for the others.
    fn arrange(&mut self, rows: &SparseRows, frame: &Frame) -> usize {
        let Places { place, used, order, .. } = self;
        used.sort_unstable();
        for (k, &c) in used.iter().enumerate() {
            place[c as usize] = k as u32;
        }
        order.clear();
        for block in &frame.blocks {
            let head = rows.row(frame.rows[block.start]).0;
            order.couple(head.iter().map(|&c| place[c as usize]));
        }
        for (k, &column) in order.arrange(used.len()).iter().enumerate() {
            place[used[column as usize] as usize] = k as u32;
        }
        used.len()
    }
}

#[cfg(test)]
mod tests {
    use sinew_math::simd::Portable;

    use super::*;

    /// Every four rising places of eleven, the last of which may be padding at place 11.
    #[test]
    fn places_are_read_and_written_one_by_one_or_as_neighbours() {
        let from: Vec<f64> = (0..14).map(f64::from).collect();
        for set in 1..1_u32 << 11 {
            let mut at: Vec<u32> = (0..11).filter(|c| set >> c & 1 == 1).collect();
            at.resize(padded(at.len()), 11);
            for at in at.as_chunks().0 {
                let wanted = at.map(f64::from);
                assert_eq!(pick::<Portable>(&from, at).to_array(), wanted, "{at:?}");
                let mut to = [0.0; 14];
                put(Portable::new([1.0, 2.0, 3.0, 4.0]), &mut to, at);
                let mut sums = [0.0; 14];
                at.iter().zip([1.0, 2.0, 3.0, 4.0]).for_each(|(&c, x)| sums[c as usize] += x);
                assert_eq!(to, sums, "{at:?}");
            }
        }
    }
}
