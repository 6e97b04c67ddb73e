//! Which numbers of the Newton matrix are not zero, and in which order to eliminate its dofs.
//!
//! The matrix is a sum of dense squares: one for every pattern of constraint rows, and one for
//! every path from a leaf of a kinematic tree to its root. Dofs that always come together form a
//! block. Blocks are eliminated in order of least degree; eliminating one ties its neighbours
//! together. Blocks with nested neighbours are merged to nodes, each of which becomes a dense
//! front: its own dofs, which are eliminated there, and those that they touch.
//! Duff and Reid, *The multifrontal solution of indefinite sparse symmetric linear systems*
//! (1983); George and Liu, *The evolution of the minimum degree ordering algorithm* (1989).

use core::mem::take;

use super::fill::{Blocks, Fill, ONE_WORD};
use super::kernel::padded;

/// Problems up to this many dofs are one dense front, without analysis.
const DENSE: usize = 48;
const _: () = assert!(DENSE <= ONE_WORD);

/// Multiplications that the handling of a front costs as much as.
const FRONT_COST: usize = 2000;

/// A dense front. Its first columns are those of its own dofs, the others its rows in `rows`; one
/// more row is for the right-hand side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// First of the dofs that are eliminated here, in the new order.
    pub(super) first: usize,
    /// How many.
    pub(super) own: usize,
    /// How many dofs altogether.
    pub(super) size: usize,
    /// First of its rows in `Fronts::rows` and of their places in the parent in `Fronts::places`;
    /// there are `size - own`.
    pub(super) rows: usize,
    /// Length of a column: a whole number of registers, more than `size`.
    pub(super) ld: usize,
    /// First of its numbers; there are `ld` for each dof.
    pub(super) vals: usize,
    /// First of the numbers of the squares on its diagonal: see `Factor`.
    pub(super) squares: usize,
    /// The node that takes over what is left when its own dofs are eliminated.
    pub(super) parent: Option<usize>,
}

/// The fronts of a problem, in the order of elimination.
#[derive(Clone, Debug, Default)]
pub(super) struct Fronts {
    pub(super) nodes: Vec<Node>,
    /// Dofs that each node touches beyond its own, in the new order, rising.
    pub(super) rows: Vec<u32>,
    /// Their places in the parent's front.
    pub(super) places: Vec<u32>,
    /// Numbers in all fronts.
    pub(super) total: usize,
    /// Numbers in the squares on their diagonals.
    pub(super) squares: usize,
    /// Dof in the new order, for each in the old.
    pub(super) order: Vec<u32>,
    /// The node that eliminates each dof, in the new order.
    pub(super) owner: Vec<u32>,
    /// What MuJoCo keeps for the same patterns.
    pub(super) fill: Fill,
    /// Whether a square has each dof, in the new order.
    pub(super) in_square: Vec<bool>,
    /// What the analysis was made of: see `Patterns`.
    made_of: Patterns,
    work: Work,
}

/// Squares that make up the matrix, by their columns in the old order, rising.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Patterns {
    /// Number of dofs.
    pub(super) n: usize,
    /// The dof above each in its tree; itself at a root.
    pub(super) parent: Vec<u32>,
    /// Whether the inertia of each is tied to no other, although it is in a tree.
    pub(super) simple: Vec<bool>,
    /// Columns of all squares.
    pub(super) cols: Vec<u32>,
    /// Where each ends.
    pub(super) ends: Vec<u32>,
}

impl Patterns {
    pub(super) fn clear(&mut self, n: usize) {
        self.n = n;
        self.parent.clear();
        self.simple.clear();
        self.cols.clear();
        self.ends.clear();
    }

    /// Adds a square, unless it is the same as the last.
    pub(super) fn add(&mut self, cols: impl Iterator<Item = u32>) {
        let start = self.ends.last().map_or(0, |&end| end as usize);
        self.cols.extend(cols);
        let last = self.ends.len().checked_sub(2).map_or(0, |k| self.ends[k] as usize);
        if self.cols.len() == start
            || (last < start && self.cols[last..start] == self.cols[start..])
        {
            self.cols.truncate(start);
        } else {
            self.ends.push(self.cols.len() as u32);
        }
    }

    fn squares(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let cols = &self.cols[start..end as usize];
            start = end as usize;
            cols
        })
    }
}

/// Room for the analysis. Sets of blocks are bits, `words` to a set.
#[derive(Clone, Debug, Default)]
struct Work {
    /// Whether a block begins at each dof.
    breaks: Vec<bool>,
    /// Block of each dof.
    block: Vec<u32>,
    /// First dof of each block; one more for the end.
    start: Vec<u32>,
    words: usize,
    /// Neighbours of each block that are not eliminated before it.
    near: Vec<u64>,
    /// Those before each in the order of the dofs, by squares and by inertia.
    lower: Vec<u64>,
    /// Whether a square has each block.
    in_square: Vec<bool>,
    /// A set.
    set: Vec<u64>,
    /// Dofs among the neighbours of each block.
    degree: Vec<u32>,
    /// When each block is eliminated.
    time: Vec<u32>,
    /// Blocks in the order of elimination.
    sequence: Vec<u32>,
    /// The block that is eliminated next among the neighbours of each.
    above: Vec<Option<u32>>,
    /// Blocks such that those below come right before.
    postorder: Vec<u32>,
    stack: Vec<u32>,
    /// First and last child of each block, and the next one with the same parent.
    links: Vec<[Option<u32>; 2]>,
    /// Nodes while they are merged.
    merged: Vec<Merged>,
    /// Dof of the old order for each in the new.
    dofs: Vec<u32>,
    place: Vec<u32>,
}

/// Blocks that come one after another and become a node.
#[derive(Clone, Copy, Debug)]
struct Merged {
    /// The last one: what it touches, the node touches.
    last: u32,
    /// Dofs of the blocks.
    own: usize,
    /// Dofs that they touch.
    others: usize,
}

impl Fronts {
    /// One dense front for everything.
    pub(super) fn dense(&mut self, n: usize) {
        if self.nodes.len() == 1 && self.nodes[0].own == n && self.order.len() == n {
            return;
        }
        self.nodes.clear();
        self.rows.clear();
        self.places.clear();
        self.order.clear();
        self.order.extend(0..n as u32);
        self.owner.clear();
        self.owner.resize(n, 0);
        let ld = padded(n + 1);
        self.nodes.push(Node { own: n, size: n, ld, ..Node::default() });
        (self.total, self.squares) = (ld * n, 4 * padded(n));
        self.made_of.n = usize::MAX;
    }

    /// Whether a problem of `n` dofs is better off dense, whatever its pattern.
    pub(super) fn small(n: usize) -> bool {
        n <= DENSE
    }

    /// Fronts for a pattern; the result depends on nothing else.
    pub(super) fn analyse(&mut self, patterns: &mut Patterns) {
        if self.made_of == *patterns {
            return;
        }
        core::mem::swap(&mut self.made_of, patterns);
        let mut work = take(&mut self.work);
        work.find_blocks(&self.made_of);
        self.fill = work.find_neighbours(&self.made_of);
        work.eliminate();
        work.sort();
        work.merge();
        let sparse: usize = work.merged.iter().map(|n| cost(n.own, n.others)).sum();
        if sparse < cost(self.made_of.n, 0) {
            self.lay_out(&mut work);
        } else {
            let made_of = take(&mut self.made_of);
            self.dense(made_of.n);
            self.made_of = made_of;
        }
        self.in_square.resize(self.made_of.n, false);
        for (dof, &new) in self.order.iter().enumerate() {
            self.in_square[new as usize] = work.in_square[work.block[dof] as usize];
        }
        self.work = work;
    }

    /// Nodes, rows and places from the merged blocks.
    fn lay_out(&mut self, work: &mut Work) {
        let n = self.made_of.n;
        work.dofs.clear();
        for &b in &work.postorder {
            work.dofs.extend(work.start[b as usize]..work.start[b as usize + 1]);
        }
        self.order.resize(n, 0);
        for (new, &old) in work.dofs.iter().enumerate() {
            self.order[old as usize] = new as u32;
        }
        self.nodes.clear();
        self.rows.clear();
        self.owner.clear();
        (self.total, self.squares) = (0, 0);
        for (i, merged) in work.merged.iter().enumerate() {
            let (first, rows) = (self.owner.len(), self.rows.len());
            self.owner.resize(first + merged.own, i as u32);
            for b in members(work.set_of(merged.last)) {
                let dofs = work.start[b]..work.start[b + 1];
                self.rows.extend(dofs.map(|dof| self.order[dof as usize]));
            }
            self.rows[rows..].sort_unstable();
            let size = merged.own + merged.others;
            let (ld, own) = (padded(size + 1), merged.own);
            let (vals, squares) = (self.total, self.squares);
            self.nodes.push(Node { first, own, size, rows, ld, vals, squares, parent: None });
            self.total += ld * size;
            self.squares += 4 * padded(own);
        }
        self.find_places(&mut work.place);
    }

    /// Parents, and the places of each node's rows there.
    fn find_places(&mut self, place: &mut Vec<u32>) {
        self.places.clear();
        self.places.resize(self.rows.len(), 0);
        place.resize(self.made_of.n, 0);
        for i in 0..self.nodes.len() {
            let node = self.nodes[i];
            let rows = node.rows..node.rows + node.size - node.own;
            let Some(&next) = self.rows[rows.clone()].first() else { continue };
            let parent = self.owner[next as usize] as usize;
            self.nodes[i].parent = Some(parent);
            self.mark(parent, place);
            for k in rows {
                self.places[k] = place[self.rows[k] as usize];
            }
        }
    }

    /// Place of a dof in a node's front.
    pub(super) fn place_of(&self, node: usize, dof: u32) -> usize {
        let node = &self.nodes[node];
        let own = dof as usize - node.first;
        if own < node.own {
            return own;
        }
        let rows = &self.rows[node.rows..node.rows + node.size - node.own];
        node.own + rows.partition_point(|&row| row < dof)
    }

    /// Places in a node's front of some of its dofs, which rise; appended to `out`.
    pub(super) fn places_of(&self, node: usize, dofs: &[u32], out: &mut Vec<u32>) {
        let node = &self.nodes[node];
        let rows = &self.rows[node.rows..node.rows + node.size - node.own];
        let mut next = 0;
        for &dof in dofs {
            let own = dof as usize - node.first;
            if own < node.own {
                out.push(own as u32);
                continue;
            }
            // most come right after the one before
            if rows.get(next) != Some(&dof) {
                next += rows[next.min(rows.len())..].partition_point(|&row| row < dof);
            }
            out.push((node.own + next) as u32);
            next += 1;
        }
    }

    /// Writes the places of a node's dofs in its front to `place`.
    fn mark(&self, node: usize, place: &mut [u32]) {
        let node = &self.nodes[node];
        for k in 0..node.own {
            place[node.first + k] = k as u32;
        }
        let rows = &self.rows[node.rows..node.rows + node.size - node.own];
        for (k, &row) in rows.iter().enumerate() {
            place[row as usize] = (node.own + k) as u32;
        }
    }
}

/// What a front costs: multiplications, and as many for handling it.
fn cost(own: usize, others: usize) -> usize {
    let (own, all) = (own as u64, (own + others) as u64);
    let squares = |n: u64| n * (n + 1) * (2 * n + 1) / 6;
    // column j of `own` updates a triangle of all - j
    let multiplications = (squares(all) - squares(all - own)) / 2;
    (multiplications + (all - own) * (all - own)) as usize + FRONT_COST
}

pub(super) fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(w, &bits)| {
        core::iter::successors((bits != 0).then_some(bits), |&bits| {
            let rest = bits & (bits - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |bits| 64 * w + bits.trailing_zeros() as usize)
    })
}

impl Work {
    fn set_of(&self, block: u32) -> &[u64] {
        &self.near[block as usize * self.words..][..self.words]
    }

    /// Dofs that no square and no branch of a tree separates.
    fn find_blocks(&mut self, patterns: &Patterns) {
        let n = patterns.n;
        self.breaks.clear();
        self.breaks.resize(n + 1, false);
        for (dof, &parent) in patterns.parent.iter().enumerate() {
            let parent = parent as usize;
            if parent + 1 != dof {
                self.breaks[dof] = true;
                // what follows the parent is another branch; a root is its own parent
                self.breaks[if parent == dof { dof } else { parent + 1 }] = true;
            }
        }
        for cols in patterns.squares() {
            let mut next = None;
            for &col in cols {
                if next != Some(col) {
                    self.breaks[col as usize] = true;
                    self.breaks[next.unwrap_or(col) as usize] = true;
                }
                next = Some(col + 1);
            }
            self.breaks[next.unwrap_or(0) as usize] = true;
        }
        self.block.clear();
        self.start.clear();
        for dof in 0..n {
            if self.breaks[dof] || dof == 0 {
                self.start.push(dof as u32);
            }
            self.block.push(self.start.len() as u32 - 1);
        }
        self.start.push(n as u32);
    }

    fn blocks(&self) -> usize {
        self.start.len() - 1
    }

    fn size(&self, block: usize) -> u32 {
        self.start[block + 1] - self.start[block]
    }

    /// Leaves in `near` the blocks that squares and trees tie to each; counts what MuJoCo keeps.
    fn find_neighbours(&mut self, patterns: &Patterns) -> Fill {
        let blocks = self.blocks();
        self.words = blocks.div_ceil(64);
        self.near.clear();
        self.near.resize(blocks * self.words, 0);

        // blocks that a square ties together
        for cols in patterns.squares() {
            self.set.clear();
            self.set.resize(self.words, 0);
            for &col in cols {
                let b = self.block[col as usize] as usize;
                self.set[b / 64] |= 1 << (b % 64);
            }
            for b in members(&self.set) {
                for (near, set) in self.near[b * self.words..].iter_mut().zip(&self.set) {
                    *near |= set;
                }
            }
        }
        self.in_square.clear();
        for b in 0..blocks {
            self.in_square.push(self.set_of(b as u32)[b / 64] >> (b % 64) & 1 == 1);
        }
        self.lower.clone_from(&self.near);
        let sets = Blocks { start: &self.start, words: self.words };
        let mut fill = sets.squares(&mut self.lower);

        // blocks above in the tree
        for b in 0..blocks {
            let mut dof = self.start[b] as usize;
            // the inertia of a root is tied to no other in any case
            let simple = patterns.simple[self.start[b + 1] as usize - 1];
            loop {
                let parent = patterns.parent[dof] as usize;
                if parent == dof {
                    break;
                }
                let above = self.block[parent] as usize;
                self.near[b * self.words + above / 64] |= 1 << (above % 64);
                self.near[above * self.words + b / 64] |= 1 << (b % 64);
                if !simple {
                    self.lower[b * self.words + above / 64] |= 1 << (above % 64);
                }
                dof = self.start[above] as usize;
            }
        }
        for b in 0..blocks {
            self.near[b * self.words + b / 64] &= !(1 << (b % 64));
        }
        let alone =
            |b: usize| patterns.simple[self.start[b + 1] as usize - 1] && !self.in_square[b];
        let sets = Blocks { start: &self.start, words: self.words };
        fill.factor = sets.factor(&mut self.lower, alone);
        fill
    }

    /// Least degree first, then least index. Leaves in `near` what is left of each block's
    /// neighbours when it is eliminated.
    fn eliminate(&mut self) {
        let blocks = self.blocks();
        self.degree.clear();
        for b in 0..blocks as u32 {
            let degree = members(self.set_of(b)).map(|near| self.size(near)).sum();
            self.degree.push(degree);
        }
        self.time.clear();
        self.time.resize(blocks, u32::MAX);
        self.sequence.clear();
        for time in 0..blocks {
            let mut best = usize::MAX;
            let mut least = u32::MAX;
            for b in 0..blocks {
                if self.degree[b] < least {
                    (best, least) = (b, self.degree[b]);
                }
            }
            self.time[best] = time as u32;
            self.degree[best] = u32::MAX;
            self.sequence.push(best as u32);

            // its neighbours become neighbours of each other
            let words = self.words;
            self.set.clear();
            self.set.extend_from_slice(&self.near[best * words..(best + 1) * words]);
            let set = take(&mut self.set);
            for b in members(&set) {
                let near = &mut self.near[b * words..(b + 1) * words];
                for (near, set) in near.iter_mut().zip(&set) {
                    *near |= set;
                }
                near[best / 64] &= !(1 << (best % 64));
                near[b / 64] &= !(1 << (b % 64));
                self.degree[b] = members(self.set_of(b as u32)).map(|b| self.size(b)).sum();
            }
            self.set = set;
        }
    }

    /// The elimination tree, and its blocks such that those below one come right before it.
    fn sort(&mut self) {
        let blocks = self.blocks();
        self.above.clear();
        for b in 0..blocks as u32 {
            let next = members(self.set_of(b)).min_by_key(|&near| self.time[near]);
            self.above.push(next.map(|b| b as u32));
        }

        // children in the order of elimination
        self.links.clear();
        self.links.resize(blocks, [None; 2]);
        self.stack.clear();
        for &b in self.sequence.iter().rev() {
            match self.above[b as usize] {
                Some(above) => {
                    self.links[b as usize][1] = self.links[above as usize][0];
                    self.links[above as usize][0] = Some(b);
                }
                None => self.stack.push(b),
            }
        }
        self.postorder.clear();
        while let Some(&b) = self.stack.last() {
            match self.links[b as usize][0] {
                // down to the first child, which then gives way to the next
                Some(child) => {
                    self.links[b as usize][0] = self.links[child as usize][1];
                    self.stack.push(child);
                }
                None => {
                    self.stack.pop();
                    self.postorder.push(b);
                }
            }
        }
    }

    /// Merges a block with the node right before it, if that is below it and costs no more.
    fn merge(&mut self) {
        self.merged.clear();
        for at in 0..self.postorder.len() {
            let b = self.postorder[at];
            let own = self.size(b as usize) as usize;
            let others = members(self.set_of(b)).map(|near| self.size(near) as usize).sum();
            let mut node = Merged { last: b, own, others };
            while let Some(child) = self.merged.last().copied() {
                let together = cost(child.own + node.own, node.others);
                if self.above[child.last as usize] != Some(b)
                    || together > cost(child.own, child.others) + cost(node.own, node.others)
                {
                    break;
                }
                self.merged.pop();
                node.own += child.own;
            }
            self.merged.push(node);
        }
    }
}
