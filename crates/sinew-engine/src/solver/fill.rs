//! How many numbers MuJoCo keeps of its sparse Newton matrix and its factor: `solver_nnz`.
//!
//! MuJoCo lays out the lower triangle of JᵀDJ, with room for M beside it, and factors
//! H = LᵀL from the last dof to the first. Our own factor has another order and other zeros, so
//! MuJoCo's entries are counted on sets of dofs alone, as bits.

use super::kernel::Jacobian;

/// Entries of MuJoCo's matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fill {
    /// Below the diagonal of JᵀJ.
    pub(super) pairs: usize,
    /// On it: dofs that rows have.
    pub(super) touched: usize,
    /// In the factor of JᵀDJ + M.
    pub(super) factor: usize,
}

/// The largest problem whose sets fit in one word.
pub(super) const ONE_WORD: usize = u64::BITS as usize;

/// Counts for a problem of at most `ONE_WORD` dofs in their own order; `inertia` has the dofs before
/// each whose inertia is tied to its own.
pub(super) fn one_word(jac: &Jacobian, inertia: impl Iterator<Item = u64>) -> Fill {
    let mut lower = [0_u64; ONE_WORD];
    let mut touched = 0_u64;
    let mut last: &[u32] = &[];
    for group in &jac.groups {
        // contacts of two bodies come one after another
        let cols = &jac.cols[group.cols..group.cols + group.k];
        if cols == last {
            continue;
        }
        last = cols;
        let mut before = 0;
        for &col in cols {
            lower[col as usize] |= before;
            before |= 1 << col;
        }
        touched |= before;
    }
    for single in &jac.singles {
        touched |= 1 << single.col;
    }
    let count = |set: u64| set.count_ones() as usize;
    let (mut n, mut pairs) = (0, 0);
    for tied in inertia {
        // most sets of rows have all dofs before
        pairs += if lower[n] == (1 << n) - 1 { n } else { count(lower[n]) };
        lower[n] |= tied;
        n += 1;
    }
    let mut factor = n;
    for i in (0..n).rev() {
        factor += if lower[i] == (1 << i) - 1 { i } else { count(lower[i]) };
        if let Some(next) = lower[i].checked_ilog2() {
            lower[next as usize] |= lower[i] & !(1 << next);
        }
    }
    Fill { pairs, touched: count(touched), factor }
}

/// Sets of blocks of dofs, `words` to a set.
pub(super) struct Blocks<'a> {
    /// First dof of each block; one more for the end.
    pub(super) start: &'a [u32],
    pub(super) words: usize,
}

impl Blocks<'_> {
    fn size(&self, block: usize) -> usize {
        (self.start[block + 1] - self.start[block]) as usize
    }

    /// Counts the blocks that squares tie to each, itself among them; keeps those before it.
    pub(super) fn squares(&self, near: &mut [u64]) -> Fill {
        let mut fill = Fill::default();
        for (b, set) in near.chunks_exact_mut(self.words).enumerate() {
            let size = self.size(b);
            if set[b / 64] >> (b % 64) & 1 == 1 {
                fill.pairs += size * (size - 1) / 2;
                fill.touched += size;
            }
            keep_before(set, b);
            fill.pairs += size * self.width(set);
        }
        fill
    }

    /// Entries of the factor, from the blocks before each that are tied to it; `alone` says
    /// whether nothing ties the dofs of a block together.
    pub(super) fn factor(&self, lower: &mut [u64], alone: impl Fn(usize) -> bool) -> usize {
        let mut entries = 0;
        for b in (0..self.start.len() - 1).rev() {
            let (before, set) = lower.split_at_mut(b * self.words);
            let set = &set[..self.words];
            let size = self.size(b);
            entries += if alone(b) { size } else { size * (size + 1) / 2 };
            entries += size * self.width(set);
            if let Some(next) = last(set) {
                let above = &mut before[next * self.words..(next + 1) * self.words];
                above.iter_mut().zip(set).for_each(|(a, s)| *a |= s);
                keep_before(above, next);
            }
        }
        entries
    }

    /// Dofs in a set.
    fn width(&self, set: &[u64]) -> usize {
        super::symbolic::members(set).map(|b| self.size(b)).sum()
    }
}

fn keep_before(set: &mut [u64], block: usize) {
    let (word, bit) = (block / 64, block % 64);
    set[word] &= (1 << bit) - 1;
    set[word + 1..].fill(0);
}

fn last(set: &[u64]) -> Option<usize> {
    let word = set.iter().rposition(|&bits| bits != 0)?;
    Some(64 * word + set[word].ilog2() as usize)
}
