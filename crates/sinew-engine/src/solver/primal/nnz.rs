//! How many numbers MuJoCo keeps of its sparse Newton matrix and its factor: `solver_nnz`.
//!
//! MuJoCo lays out the lower triangle of JᵀDJ, with space for M beside it, and factors H = LᵀL from
//! the last dof to the first. Our own factor has another order and other zeros, so MuJoCo's entries
//! are counted on sets of dofs alone, as bits.

use core::mem::replace;

use sinew_model::enums::ConeType;
use sinew_model::{Data, DofId, Model};

use super::block_sets::{Blocks, contains, insert, keep_before, last, unite};
use super::part::Part;
use super::symbolic::{DENSE, Fronts};
use crate::constraint::jacobian_row;
use crate::solver::kernel::Jacobian;

/// Entries of MuJoCo's matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fill {
    /// Below the diagonal of JᵀJ.
    pairs: usize,
    /// On it: dofs that rows have.
    touched: usize,
    /// In the factor of JᵀDJ + M.
    factor: usize,
}

/// The largest problem whose sets fit in one word.
const ONE_WORD: usize = u64::BITS as usize;
const _: () = assert!(DENSE <= ONE_WORD);

/// Counts MuJoCo's entries, once for each pattern of a large problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntryCounter {
    /// The count of the fronts' pattern, without rows that have a single column.
    counted: Option<Fill>,
    /// Whether a row with several columns has each dof, in the order of elimination.
    in_square: Vec<bool>,
    /// Whether any row has each dof, while they are counted.
    seen: Vec<bool>,
}

impl EntryCounter {
    /// To be called when the pattern has changed.
    pub(crate) fn forget(&mut self) {
        self.counted = None;
    }

    /// Entries of the Newton matrix and of its factors, without the space for M.
    pub(crate) fn newton_entries(
        &mut self,
        m: &Model,
        d: &Data,
        part: &Part<'_>,
        fronts: &mut Fronts,
        jac: &Jacobian,
    ) -> usize {
        let fill = if Fronts::small(part.dofs.len()) {
            small_fill(m, d, part)
        } else {
            self.large_fill(fronts, jac)
        };
        let factors = if m.opt.cone == ConeType::Elliptic { 2 } else { 1 };
        factors * fill.factor + fill.pairs + fill.touched
    }

    fn large_fill(&mut self, fronts: &mut Fronts, jac: &Jacobian) -> Fill {
        let mut fill = match self.counted {
            Some(fill) => fill,
            None => *self.counted.insert(block_fill(fronts, &mut self.in_square)),
        };

        // dofs that only rows with a single column have
        self.seen.clone_from(&self.in_square);
        let narrow = jac.groups.iter().filter(|group| group.k == 1);
        let cols = narrow.map(|group| jac.cols[group.cols]);
        for col in cols.chain(jac.singles.iter().map(|single| single.col)) {
            fill.touched += usize::from(!replace(&mut self.seen[col as usize], true));
        }
        fill
    }
}

/// Entries of M that MuJoCo makes space for.
pub(crate) fn inertia_entries(m: &Model, part: &Part<'_>) -> usize {
    part.dofs.iter().map(|&dof| m.M_row(DofId::new(dof as usize)).len()).sum()
}

/// Counts for a problem in one dense front.
fn small_fill(m: &Model, d: &Data, part: &Part<'_>) -> Fill {
    let mut above = [0_u64; ONE_WORD];
    let inertia = (0..part.dofs.len()).map(|k| {
        let parent = part.parent(m, k);
        if parent < k && !part.is_simple(m, k) {
            above[k] = above[parent] | 1 << parent;
        }
        above[k]
    });
    one_word(d, part, inertia)
}

/// Counts for a problem of at most `ONE_WORD` dofs in their own order. `inertia` has the earlier
/// dofs that the inertia couples to each dof.
fn one_word(d: &Data, part: &Part<'_>, inertia: impl Iterator<Item = u64>) -> Fill {
    // dofs before each in a row, and dofs in any row
    let mut lower = [0_u64; ONE_WORD];
    let mut touched = 0_u64;
    let mut last: &[i32] = &[];
    let mut p = 0;
    while p < part.rows.len() {
        // contacts of two bodies come one after another
        let cols = jacobian_row(d, part.rows[p] as usize).0;
        p += part.run(d, p, part.kind(d, p));
        if cols == last {
            continue;
        }
        last = cols;
        let mut before = 0;
        for &col in cols {
            let place = part.local(col.max(0) as usize);
            lower[place] |= before;
            before |= 1 << place;
        }
        touched |= before;
    }

    // entries of JᵀJ, then with M
    let count = |set: u64| set.count_ones() as usize;
    let (mut n, mut pairs) = (0, 0);
    for tied in inertia {
        // most sets of rows have all dofs before
        pairs += if lower[n] == (1 << n) - 1 { n } else { count(lower[n]) };
        lower[n] |= tied;
        n += 1;
    }

    // entries of the factor: each dof hands its set to the next before it
    let mut factor = n;
    for i in (0..n).rev() {
        factor += if lower[i] == (1 << i) - 1 { i } else { count(lower[i]) };
        if let Some(next) = lower[i].checked_ilog2() {
            lower[next as usize] |= lower[i] & !(1 << next);
        }
    }
    Fill { pairs, touched: count(touched), factor }
}

/// Counts for a problem of blocks, from the sets of blocks that rows tie together, which it
/// destroys; fills `in_square`.
fn block_fill(fronts: &mut Fronts, in_square: &mut Vec<bool>) -> Fill {
    let patterns = &fronts.made_of;
    let (blocks, lower) = (&fronts.blocks, &mut fronts.tied_by_rows);
    let words = blocks.words;
    let of_rows = |b: usize, sets: &[u64]| contains(&sets[b * words..][..words], b);
    in_square.clear();
    in_square.resize(patterns.n, false);
    for (dof, &new) in fronts.order.iter().enumerate() {
        in_square[new as usize] = of_rows(blocks.of_dof[dof] as usize, lower);
    }
    let simple = |b: usize| patterns.simple[blocks.start[b + 1] as usize - 1];
    let alone = |b: usize| {
        let dof = blocks.start[b] as usize;
        simple(b) && !in_square[fronts.order[dof] as usize]
    };

    // entries of JᵀJ; then the inertia, where a root's is coupled to no other in any case
    let mut fill = square_fill(blocks, lower);
    for b in (0..blocks.len()).filter(|&b| !simple(b)) {
        for above in blocks.above(b, &patterns.parent) {
            insert(&mut lower[b * words..][..words], above);
        }
    }
    fill.factor = factor_fill(blocks, lower, alone);
    fill
}

/// Counts the entries that the rows couple; keeps of each block's set the blocks before it.
fn square_fill(blocks: &Blocks, near: &mut [u64]) -> Fill {
    let mut fill = Fill::default();
    for (b, set) in near.chunks_exact_mut(blocks.words).enumerate() {
        let size = blocks.size(b);
        if contains(set, b) {
            fill.pairs += size * (size - 1) / 2;
            fill.touched += size;
        }
        keep_before(set, b);
        fill.pairs += size * blocks.width(set);
    }
    fill
}

/// Entries of the factor, from the blocks before each that are tied to it; `alone` says whether
/// nothing ties the dofs of a block together.
fn factor_fill(blocks: &Blocks, lower: &mut [u64], alone: impl Fn(usize) -> bool) -> usize {
    let words = blocks.words;
    let mut entries = 0;
    for b in (0..blocks.len()).rev() {
        let (before, set) = lower.split_at_mut(b * words);
        let set = &set[..words];
        let size = blocks.size(b);
        entries += if alone(b) { size } else { size * (size + 1) / 2 };
        entries += size * blocks.width(set);
        if let Some(next) = last(set) {
            let above = &mut before[next * words..(next + 1) * words];
            unite(above, set);
            keep_before(above, next);
        }
    }
    entries
}
