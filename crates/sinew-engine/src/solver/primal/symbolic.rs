//! Which numbers of the Newton matrix are not zero, and in which order to eliminate its dofs.
//!
//! The matrix is a sum of dense squares. Every pattern of constraint rows has a square, and every
//! path from a leaf of a kinematic tree to its root. Dofs that always come together form a block.
//! Blocks are eliminated in order of least degree; eliminating one ties its neighbours together.
//! Blocks with nested neighbours are merged to nodes, each of which becomes a dense front. A front
//! has its own dofs, which are eliminated there, and the dofs that they touch. Duff and Reid, *The
//! multifrontal solution of indefinite sparse symmetric linear systems* (1983); George and Liu,
//! *The evolution of the minimum degree ordering algorithm* (1989).

use core::mem::take;

use sinew_math::simd::padded;
use sinew_model::{Data, Model};

use super::block_sets::{Blocks, insert, members, remove, unite};
use super::part::Part;
use crate::constraint::jacobian_row;

/// Problems up to this many dofs are one dense front, without analysis.
pub(crate) const DENSE: usize = 48;

/// Multiplications that the handling of a front costs as much as.
const FRONT_COST: usize = 2000;

/// A dense front. The first columns belong to its own dofs, the others to its rows in `rows`; one
/// more row is for the right-hand side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    /// First of the dofs that are eliminated here, in the new order.
    pub(crate) first: usize,
    /// How many.
    pub(crate) own: usize,
    /// How many dofs altogether.
    pub(crate) size: usize,
    /// First of its rows in `Fronts::rows` and of their places in the parent in `Fronts::places`;
    /// there are `size - own`.
    pub(crate) rows: usize,
    /// Length of a column: a whole number of registers, more than `size`.
    pub(crate) ld: usize,
    /// First of its numbers; there are `ld` for each dof.
    pub(crate) vals: usize,
    /// First of the numbers of the squares on its diagonal: see `Factor`.
    pub(crate) squares: usize,
    /// The node that takes over the remainder after the elimination of a node's own dofs.
    pub(crate) parent: Option<usize>,
}

/// The fronts of a problem, in the order of elimination.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fronts {
    pub(crate) nodes: Vec<Node>,
    /// Dofs that each node touches beyond its own, in the new order, rising.
    pub(crate) rows: Vec<u32>,
    /// Their places in the parent's front.
    pub(crate) places: Vec<u32>,
    /// Numbers in all fronts.
    pub(crate) total: usize,
    /// Numbers in the squares on their diagonals.
    pub(crate) squares: usize,
    /// Dof in the new order, for each in the old.
    pub(crate) order: Vec<u32>,
    /// The node that eliminates each dof, in the new order.
    pub(crate) owner: Vec<u32>,
    /// The input of the analysis.
    pub(crate) made_of: Patterns,
    /// Blocks of the pattern, in the old order.
    pub(crate) blocks: Blocks,
    /// Sets of the blocks that rows tie to each, itself among them.
    pub(crate) tied_by_rows: Vec<u64>,
    work: Work,
}

/// Squares that make up the matrix, by their columns in the old order, rising.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Patterns {
    /// Number of dofs.
    pub(crate) n: usize,
    /// The dof above each in its tree; itself at a root.
    pub(crate) parent: Vec<u32>,
    /// Whether the inertia of each is tied to no other, although it is in a tree.
    pub(crate) simple: Vec<bool>,
    /// Columns of all squares.
    pub(crate) cols: Vec<u32>,
    /// Where each ends.
    pub(crate) ends: Vec<u32>,
}

impl Patterns {
    fn clear(&mut self, n: usize) {
        self.n = n;
        self.parent.clear();
        self.simple.clear();
        self.cols.clear();
        self.ends.clear();
    }

    /// Adds a square, unless it is the same as the last.
    fn add(&mut self, cols: impl Iterator<Item = u32>) {
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

    /// The trees and the patterns of the rows.
    pub(crate) fn take(&mut self, m: &Model, d: &Data, part: &Part<'_>) {
        self.clear(part.dofs.len());
        for k in 0..part.dofs.len() {
            self.parent.push(part.parent(m, k) as u32);
            self.simple.push(part.is_simple(m, k));
        }
        let mut p = 0;
        while p < part.rows.len() {
            let cols = jacobian_row(d, part.rows[p] as usize).0;
            if cols.len() > 1 {
                self.add(cols.iter().map(|&c| part.local(c.max(0) as usize) as u32));
            }
            p += part.run(d, p, part.kind(d, p));
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

/// Scratch of the analysis.
#[derive(Clone, Debug, Default)]
struct Work {
    /// Whether a block begins at each dof.
    breaks: Vec<bool>,
    blocks: Blocks,
    /// Neighbours of each block that are not eliminated before it.
    near: Vec<u64>,
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
    /// The last block: its neighbours are the node's neighbours.
    last: u32,
    /// Dofs of the blocks.
    own: usize,
    /// Dofs that they touch.
    others: usize,
}

impl Fronts {
    /// One dense front for everything.
    pub(crate) fn dense(&mut self, n: usize) {
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

    /// Whether a problem of `n` dofs is faster as a dense one, for any pattern.
    pub(crate) fn small(n: usize) -> bool {
        n <= DENSE
    }

    /// Fronts for a pattern; the result depends on nothing else. Returns whether it has changed.
    pub(crate) fn analyse(&mut self, patterns: &mut Patterns) -> bool {
        if self.made_of == *patterns {
            return false;
        }
        core::mem::swap(&mut self.made_of, patterns);

        // blocks, their neighbours, and the order of elimination
        let mut work = take(&mut self.work);
        work.find_blocks(&self.made_of);
        work.tie_rows(&self.made_of);
        self.tied_by_rows.clone_from(&work.near);
        work.tie_trees(&self.made_of);
        work.eliminate();
        work.sort();
        work.merge();

        // fronts, unless one for everything is cheaper
        let sparse: usize = work.merged.iter().map(|n| cost(n.own, n.others)).sum();
        if sparse < cost(self.made_of.n, 0) {
            self.lay_out(&mut work);
        } else {
            let made_of = take(&mut self.made_of);
            self.dense(made_of.n);
            self.made_of = made_of;
        }
        core::mem::swap(&mut self.blocks, &mut work.blocks);
        self.work = work;
        true
    }

    /// Nodes, rows and places from the merged blocks.
    fn lay_out(&mut self, work: &mut Work) {
        // the order of elimination
        let n = self.made_of.n;
        work.dofs.clear();
        for &b in &work.postorder {
            work.dofs.extend(work.blocks.start[b as usize]..work.blocks.start[b as usize + 1]);
        }
        self.order.resize(n, 0);
        for (new, &old) in work.dofs.iter().enumerate() {
            self.order[old as usize] = new as u32;
        }

        // a node for each list of merged blocks
        self.nodes.clear();
        self.rows.clear();
        self.owner.clear();
        (self.total, self.squares) = (0, 0);
        for (i, merged) in work.merged.iter().enumerate() {
            let (first, rows) = (self.owner.len(), self.rows.len());
            self.owner.resize(first + merged.own, i as u32);
            for b in members(work.set_of(merged.last)) {
                let dofs = work.blocks.start[b]..work.blocks.start[b + 1];
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

    /// Where the diagonal number of a dof is.
    pub(crate) fn diagonal(&self, dof: u32) -> usize {
        self.owner.get(dof as usize).map_or(0, |&node| {
            let node = &self.nodes[node as usize];
            node.vals + (dof as usize - node.first) * (node.ld + 1)
        })
    }

    /// Place of a dof in a node's front.
    pub(crate) fn place_of(&self, node: usize, dof: u32) -> usize {
        let node = &self.nodes[node];
        let own = dof as usize - node.first;
        if own < node.own {
            return own;
        }
        let rows = &self.rows[node.rows..node.rows + node.size - node.own];
        node.own + rows.partition_point(|&row| row < dof)
    }

    /// Places in a node's front of some of its dofs, which rise; appended to `out`.
    pub(crate) fn places_of(&self, node: usize, dofs: &[u32], out: &mut Vec<u32>) {
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

/// Cost of a front: multiplications, and the same amount for handling it.
fn cost(own: usize, others: usize) -> usize {
    let (own, all) = (own as u64, (own + others) as u64);
    let squares = |n: u64| n * (n + 1) * (2 * n + 1) / 6;
    // column j of `own` updates a triangle of all - j
    let multiplications = (squares(all) - squares(all - own)) / 2;
    (multiplications + (all - own) * (all - own)) as usize + FRONT_COST
}

impl Work {
    fn set_of(&self, block: u32) -> &[u64] {
        &self.near[block as usize * self.blocks.words..][..self.blocks.words]
    }

    /// Dofs that no square and no branch of a tree separates.
    fn find_blocks(&mut self, patterns: &Patterns) {
        // where a branch or a square begins or ends
        let n = patterns.n;
        self.breaks.clear();
        self.breaks.resize(n + 1, false);
        for (dof, &parent) in patterns.parent.iter().enumerate() {
            let parent = parent as usize;
            if parent + 1 != dof {
                self.breaks[dof] = true;
                // the node after the parent is another branch; a root is its own parent
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

        // blocks from one break to the next
        let Blocks { start, of_dof, words } = &mut self.blocks;
        of_dof.clear();
        start.clear();
        for dof in 0..n {
            if self.breaks[dof] || dof == 0 {
                start.push(dof as u32);
            }
            of_dof.push(start.len() as u32 - 1);
        }
        *words = start.len().div_ceil(64);
        start.push(n as u32);
    }

    /// Dofs among the neighbours of a block.
    fn degree_of(&self, block: usize) -> u32 {
        self.blocks.width(self.set_of(block as u32)) as u32
    }

    /// Leaves in `near` the blocks that squares tie to each, itself among them.
    fn tie_rows(&mut self, patterns: &Patterns) {
        let Work { blocks, near, set, .. } = self;
        let words = blocks.words;
        near.clear();
        near.resize(blocks.len() * words, 0);
        for cols in patterns.squares() {
            set.clear();
            set.resize(words, 0);
            for &col in cols {
                insert(set, blocks.of_dof[col as usize] as usize);
            }
            for b in members(set) {
                unite(&mut near[b * words..][..words], set);
            }
        }
    }

    /// Adds to `near` the blocks that trees tie to each, and takes out itself.
    fn tie_trees(&mut self, patterns: &Patterns) {
        let Work { blocks, near, .. } = self;
        let words = blocks.words;
        for b in 0..blocks.len() {
            for above in blocks.above(b, &patterns.parent) {
                insert(&mut near[b * words..][..words], above);
                insert(&mut near[above * words..][..words], b);
            }
        }
        for b in 0..blocks.len() {
            remove(&mut near[b * words..][..words], b);
        }
    }

    /// Least degree first, then least index. Leaves in `near` the remaining neighbours of each
    /// block at its elimination.
    fn eliminate(&mut self) {
        let (blocks, words) = (self.blocks.len(), self.blocks.words);
        self.degree.clear();
        for b in 0..blocks {
            let degree = self.degree_of(b);
            self.degree.push(degree);
        }
        self.time.clear();
        self.time.resize(blocks, u32::MAX);
        self.sequence.clear();
        for time in 0..blocks {
            // the block of least degree
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
            self.set.clear();
            self.set.extend_from_slice(&self.near[best * words..(best + 1) * words]);
            let set = take(&mut self.set);
            for b in members(&set) {
                let near = &mut self.near[b * words..(b + 1) * words];
                unite(near, &set);
                remove(near, best);
                remove(near, b);
                self.degree[b] = self.degree_of(b);
            }
            self.set = set;
        }
    }

    /// The elimination tree, and its blocks such that those below one come right before it.
    fn sort(&mut self) {
        // the block that each hands over to: its neighbour that is eliminated next
        let blocks = self.blocks.len();
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

        // every block after those below it
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
            let own = self.blocks.size(b as usize);
            let others = self.blocks.width(self.set_of(b));
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
