//! Blocks of dofs that always come together, and sets of blocks as bits.

/// Blocks of neighbouring dofs. A set of them is `words` words, a bit for each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    /// First dof of each block; one more for the end.
    pub(crate) start: Vec<u32>,
    /// Block of each dof.
    pub(crate) of_dof: Vec<u32>,
    /// Words of a set.
    pub(crate) words: usize,
}

impl Blocks {
    /// Number of blocks.
    pub(crate) fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// Dofs of a block.
    pub(crate) fn size(&self, block: usize) -> usize {
        (self.start[block + 1] - self.start[block]) as usize
    }

    /// Dofs in a set.
    pub(crate) fn width(&self, set: &[u64]) -> usize {
        members(set).map(|b| self.size(b)).sum()
    }

    /// The blocks above one, towards the root of its tree.
    pub(crate) fn above<'a>(
        &'a self,
        block: usize,
        parent: &'a [u32],
    ) -> impl Iterator<Item = usize> + 'a {
        let mut dof = self.start[block] as usize;
        core::iter::from_fn(move || {
            let up = parent[dof] as usize;
            if up == dof {
                return None;
            }
            let above = self.of_dof[up] as usize;
            dof = self.start[above] as usize;
            Some(above)
        })
    }
}

/// The blocks of a set, rising.
pub(crate) fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(w, &bits)| {
        core::iter::successors((bits != 0).then_some(bits), |&bits| {
            let rest = bits & (bits - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |bits| 64 * w + bits.trailing_zeros() as usize)
    })
}

/// The last block of a set.
pub(crate) fn last(set: &[u64]) -> Option<usize> {
    let word = set.iter().rposition(|&bits| bits != 0)?;
    Some(64 * word + set[word].ilog2() as usize)
}

/// Whether a set has a block.
pub(crate) fn contains(set: &[u64], block: usize) -> bool {
    set[block / 64] >> (block % 64) & 1 == 1
}

/// Adds a block to a set.
pub(crate) fn insert(set: &mut [u64], block: usize) {
    set[block / 64] |= 1 << (block % 64);
}

/// Takes a block out of a set.
pub(crate) fn remove(set: &mut [u64], block: usize) {
    set[block / 64] &= !(1 << (block % 64));
}

/// Adds all blocks of another set.
pub(crate) fn unite(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
}

/// Takes a block and all after it out of a set.
pub(crate) fn keep_before(set: &mut [u64], block: usize) {
    let (word, bit) = (block / 64, block % 64);
    set[word] &= (1 << bit) - 1;
    set[word + 1..].fill(0);
}
