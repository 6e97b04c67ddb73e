//! The Jacobian row of a spatial tendon, summed over the straight pieces of its path.
//!
//! Sums are kept for all dofs, and a bit says which dofs the row has. Pieces of one tendon share
//! most of them, so merging sparse rows would take longer than the sums themselves.

use sinew_math::simd::{LANES, Lane, dispatch};
use sinew_math::{Spatial, Vec3};
use sinew_model::{Data, DofId, Model};

use crate::smooth::dof_path::Carried;
use crate::work::{AxisBlock, DofRun, PathRow, TendonWork, Work};

/// Models with fewer dofs take them one by one.
const MIN_DOFS: usize = 12;

/// A straight piece of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Ends of the piece.
    pub(super) ends: [Carried; 2],
    /// Direction of the piece.
    pub(super) dir: Vec3,
    /// Share of the tendon's length that its length counts.
    pub(super) scale: f64,
}

/// Makes ready for the rows of a model.
pub(super) fn prepare(m: &Model, work: &mut TendonWork) {
    let PathRow { sums, bits, has_blocks, .. } = &mut work.path;
    *has_blocks = false;
    let (places, words) = (m.nv.next_multiple_of(LANES), m.nv.div_ceil(64));
    // `drain` has left an empty row
    let is_empty = bits.iter().all(|&word| word == 0);
    if !is_empty || sums.len() != places || bits.len() != words {
        make_empty(&mut work.path, places, words);
    }
}

#[cold]
#[inline(never)]
fn make_empty(row: &mut PathRow, places: usize, words: usize) {
    // to a negative zero every number adds as it is, also a negative zero
    row.sums.clear();
    row.sums.resize(places, -0.0);
    row.bits.clear();
    row.bits.resize(words, 0);
}

/// Adds directionᵀ (J₁ - J₀) scale of a piece to the row.
pub(super) fn add(m: &Model, d: &mut Data, piece: &Piece) {
    let Data { work, cdof, .. } = d;
    let row = &mut Work::of(work).tendon.path;
    let &Piece { ends: [first, second], dir, scale } = piece;

    // dofs that move one of the ends; -1 for none
    let number = |dof: Option<DofId>| dof.map_or(-1, |v| v.idx() as i32);
    let (mut a, mut b) = (number(first.dof), number(second.dof));
    while a != b {
        let dof = DofId::new(a.max(b) as usize);
        let up = number(m.dof_parentid[dof].get());
        let column = if a > b {
            a = up;
            -first.column(cdof[dof])
        } else {
            b = up;
            second.column(cdof[dof])
        };
        row.add(dof.idx(), column.dot(dir) * scale);
    }

    // dofs that move both
    let Ok(last) = usize::try_from(a) else { return };
    if m.nv < MIN_DOFS {
        for dof in core::iter::successors(Some(DofId::new(last)), |&v| m.dof_parentid[v].get()) {
            let column = second.column(cdof[dof]) - first.column(cdof[dof]);
            row.add(dof.idx(), column.dot(dir) * scale);
        }
        return;
    }
    if !row.has_blocks {
        make_blocks(m, cdof, row);
    }
    let PathRow { sums, bits, blocks, runs, .. } = row;
    add_common(blocks, runs, last, piece, sums, bits);
}

impl PathRow {
    fn add(&mut self, dof: usize, x: f64) {
        self.sums[dof] += x;
        self.bits[dof / 64] |= 1 << (dof % 64);
    }

    /// Takes the entries out, in rising order.
    #[inline(always)]
    pub(super) fn drain(&mut self, mut put: impl FnMut(usize, f64)) {
        for (k, word) in self.bits.iter_mut().enumerate() {
            let mut left = core::mem::take(word);
            while left != 0 {
                let dof = 64 * k + left.trailing_zeros() as usize;
                left &= left - 1;
                put(dof, core::mem::replace(&mut self.sums[dof], -0.0));
            }
        }
    }
}

/// Makes the blocks and runs of this evaluation.
#[cold]
#[inline(never)]
fn make_blocks(m: &Model, cdof: &[Spatial], row: &mut PathRow) {
    row.has_blocks = true;
    put_blocks(cdof, &mut row.blocks);
    put_runs(m.dof_parentid.iter().map(|up| up.get().map(|up| up.idx())), &mut row.runs);
}

/// The motion axes of four dofs side by side.
fn put_blocks(cdof: &[Spatial], blocks: &mut Vec<AxisBlock>) {
    blocks.resize(cdof.len().div_ceil(LANES), AxisBlock::default());
    for (block, axes) in blocks.iter_mut().zip(cdof.chunks(LANES)) {
        for (lane, axis) in axes.iter().enumerate() {
            for (out, x) in block.0.iter_mut().zip(axis.to_array()) {
                out[lane] = x;
            }
        }
    }
}

/// The runs of neighbours that chains of dofs consist of, from the parent of each dof.
fn put_runs(parents: impl Iterator<Item = Option<usize>>, runs: &mut Vec<DofRun>) {
    runs.clear();
    for (v, up) in parents.enumerate() {
        let run = match (up, runs.last()) {
            (Some(up), Some(&before)) if up + 1 == v => before,
            _ => DofRun { first: v as u32, up: up.map_or(-1, |up| up as i32) },
        };
        runs.push(run);
    }
}

dispatch! {
    /// Adds the entries of the dofs that move both ends of a piece, from `last` upwards.
    fn add_common(
        blocks: &[AxisBlock],
        runs: &[DofRun],
        last: usize,
        piece: &Piece,
        sums: &mut [f64],
        bits: &mut [u64],
    ) = add_common_kernel::<Exact>;
}

#[inline(always)]
fn add_common_kernel<L: Lane>(
    blocks: &[AxisBlock],
    runs: &[DofRun],
    mut last: usize,
    piece: &Piece,
    sums: &mut [f64],
    bits: &mut [u64],
) {
    let [first, second] = piece.ends.map(|end| end.offset.to_array().map(L::splat));
    let [x, y, z] = piece.dir.to_array().map(L::splat);
    let scale = L::splat(piece.scale);
    let places = L::new([0.0, 1.0, 2.0, 3.0]);
    let sums = sums.as_chunks_mut::<LANES>().0;
    loop {
        let run = runs[last];
        let start = run.first as usize;
        for k in start / LANES..=last / LANES {
            // (lin + rot × second) - (lin + rot × first)
            let [rx, ry, rz, lx, ly, lz] = blocks[k].0.each_ref().map(L::load);
            let column = |[ox, oy, oz]: [L; 3]| {
                [lx + (ry * oz - rz * oy), ly + (rz * ox - rx * oz), lz + (rx * oy - ry * ox)]
            };
            let ([ax, ay, az], [bx, by, bz]) = (column(first), column(second));
            let along = (bx - ax) * x + (by - ay) * y + (bz - az) * z;

            // nothing for the neighbours of the run
            let from = L::splat(start as f64 - (LANES * k) as f64);
            let to = L::splat(last as f64 - (LANES * k) as f64);
            let inside = places.at_least(from).and(places.at_most(to));
            let added = inside.select(along * scale, L::splat(-0.0));
            (L::load(&sums[k]) + added).store(&mut sums[k]);
        }
        mark(bits, start, last);
        match usize::try_from(run.up) {
            Ok(up) => last = up,
            Err(_) => return,
        }
    }
}

/// Sets the bits from `first` to `last`.
fn mark(bits: &mut [u64], first: usize, last: usize) {
    for k in first / 64..=last / 64 {
        let from = if k == first / 64 { first % 64 } else { 0 };
        let to = if k == last / 64 { last % 64 } else { 63 };
        bits[k] |= (u64::MAX >> (63 - to)) & (u64::MAX << from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::simd::Portable;
    use sinew_testkit::Random;

    #[test]
    fn four_dofs_at_once_are_each_alone() {
        let mut random = Random::new(3);
        for n in 1..150 {
            // a tree of dofs in which most follow their parent
            let parents: Vec<Option<usize>> = (0..n)
                .map(|v| {
                    if random.once_in(4) {
                        random.below(v + 1).checked_sub(1)
                    } else {
                        v.checked_sub(1)
                    }
                })
                .collect();
            let vec = |random: &mut Random| Vec3::from(random.array::<3>());
            let cdof: Vec<Spatial> =
                (0..n).map(|_| Spatial::new(vec(&mut random), vec(&mut random))).collect();
            let ends = [(); 2].map(|()| Carried { dof: None, offset: vec(&mut random) });
            let piece = Piece { ends, dir: vec(&mut random), scale: 0.7 };
            let last = random.below(n);

            // one by one
            let mut alone = PathRow::default();
            alone.sums.resize(n.next_multiple_of(LANES), -0.0);
            alone.bits.resize(n.div_ceil(64), 0);
            let (mut wide, mut portable) = (alone.clone(), alone.clone());
            for dof in core::iter::successors(Some(last), |&v| parents[v]) {
                let column = ends[1].column(cdof[dof]) - ends[0].column(cdof[dof]);
                alone.add(dof, column.dot(piece.dir) * piece.scale);
            }

            // by fours
            let (mut blocks, mut runs) = (Vec::new(), Vec::new());
            put_blocks(&cdof, &mut blocks);
            put_runs(parents.iter().copied(), &mut runs);
            add_common(&blocks, &runs, last, &piece, &mut wide.sums, &mut wide.bits);
            let PathRow { sums, bits, .. } = &mut portable;
            add_common_kernel::<Portable>(&blocks, &runs, last, &piece, sums, bits);
            let entries = |row: &mut PathRow| {
                let mut entries = Vec::new();
                row.drain(|dof, x| entries.push((dof, x.to_bits())));
                entries
            };
            let wanted = entries(&mut alone);
            assert_eq!(entries(&mut wide), wanted);
            assert_eq!(entries(&mut portable), wanted);
            assert!(wide.sums.iter().all(|x| x.to_bits() == (-0.0_f64).to_bits()));
        }
    }
}
