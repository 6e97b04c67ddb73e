//! The matrix H = M + Jᵀ W J and its factor.
//!
//! Trees that no row connects are parts of their own, each with a dense block of H.

use core::ops::Range;

use sinew_math::chol::panel::{self, Row, matrix_len, squares_len};
use sinew_math::simd::padded;
use sinew_model::{Data, DofId, Model};

use crate::constraint::jacobian_row;

/// The parts of H, their blocks, and then the factors of these.
#[derive(Debug, Default)]
pub(super) struct Hessian {
    /// For each tree an earlier one of its part, or itself if there is none; then its part.
    trees: Vec<u32>,
    parts: Vec<DofBlock>,
    /// The dofs of all parts, those of each in rising order.
    dofs: Vec<u32>,
    /// The place of each dof in its part.
    place: Vec<u32>,
    /// Blocks by padded columns, of which the lower triangle counts.
    mat: Vec<f64>,
    /// Inverses of the diagonal blocks of the factors.
    squares: Vec<f64>,
}

/// A block of H.
#[derive(Clone, Copy, Debug, Default)]
struct DofBlock {
    /// First dof of the block in the list, and the number of dofs.
    first: usize,
    len: usize,
    /// First numbers of the block.
    mat: usize,
    squares: usize,
}

impl DofBlock {
    fn dofs(&self) -> Range<usize> {
        self.first..self.first + self.len
    }
}

impl Hessian {
    /// Finds the parts, and sets H = M if there are rows.
    pub(super) fn begin(&mut self, m: &Model, d: &Data) {
        self.connect(m, d);
        self.number(m);
        if d.nefc == 0 {
            return;
        }
        let (mut mat, mut squares) = (0, 0);
        for part in &mut self.parts {
            (part.mat, part.squares) = (mat, squares);
            mat += matrix_len(part.len);
            squares += squares_len(part.len);
        }
        self.mat.clear();
        self.mat.resize(mat, 0.0);
        self.squares.resize(squares, 0.0);
        for i in m.dofs() {
            let (block, own) = (self.block(m, i), self.place[i.idx()] as usize);
            for k in m.M_row(i) {
                let above = self.place[m.M_colind[k].idx()] as usize;
                self.mat[block.at(above, own)] = d.M[k];
            }
        }
    }

    /// Joins the trees that rows connect.
    fn connect(&mut self, m: &Model, d: &Data) {
        let trees = &mut self.trees;
        trees.clear();
        trees.extend(0..m.ntree as u32);
        if m.ntree < 2 {
            return;
        }
        for row in 0..d.nefc {
            let (columns, _) = jacobian_row(d, row);
            let mut own = columns.iter().map(|&v| m.dof_treeid[v as usize].idx());
            let Some(mut last) = own.next() else { continue };
            for tree in own {
                if tree != last {
                    let [a, b] = [last, tree].map(|t| leader(trees, t));
                    trees[a.max(b) as usize] = a.min(b);
                    last = tree;
                }
            }
        }
    }

    /// Numbers the parts, and lists their dofs.
    fn number(&mut self, m: &Model) {
        let Hessian { trees, parts, dofs, place, .. } = self;
        parts.clear();
        for tree in 0..trees.len() {
            // the first tree of a part has a number already, as it is earlier
            trees[tree] = if trees[tree] as usize == tree {
                parts.push(DofBlock::default());
                parts.len() as u32 - 1
            } else {
                trees[trees[tree] as usize]
            };
        }
        place.clear();
        for v in m.dofs() {
            let part = &mut parts[trees[m.dof_treeid[v].idx()] as usize];
            place.push(part.len as u32);
            part.len += 1;
        }
        let mut first = 0;
        for part in &mut *parts {
            part.first = first;
            first += part.len;
        }
        dofs.clear();
        dofs.resize(m.nv, 0);
        for v in m.dofs() {
            let part = &parts[trees[m.dof_treeid[v].idx()] as usize];
            dofs[part.first + place[v.idx()] as usize] = v.idx() as u32;
        }
    }

    /// Adds a symmetric matrix for some dofs of one part, in rising order: padded rows of which the
    /// numbers from the diagonal on count.
    pub(super) fn add(&mut self, m: &Model, dofs: &[DofId], rows: &[f64]) {
        let Some(&first) = dofs.first() else { return };
        let block = self.block(m, first);
        for (j, (&dof, row)) in dofs.iter().zip(rows.chunks_exact(padded(dofs.len()))).enumerate() {
            let start = block.at(self.place[dof.idx()] as usize, 0);
            let column = &mut self.mat[start..start + block.ld];
            for (&w, x) in dofs[j..].iter().zip(&row[j..]) {
                column[self.place[w.idx()] as usize] += x;
            }
        }
    }

    /// Adds a number for a dof alone.
    pub(super) fn add_diagonal(&mut self, m: &Model, v: DofId, x: f64) {
        let own = self.place[v.idx()] as usize;
        let place = self.block(m, v).at(own, own);
        self.mat[place] += x;
    }

    /// Adds a number for a dof and each of those above it.
    pub(super) fn add_chain(&mut self, m: &Model, v: DofId, x: impl Fn(DofId) -> f64) {
        let (block, own) = (self.block(m, v), self.place[v.idx()] as usize);
        for w in m.dof_chain(v) {
            self.mat[block.at(self.place[w.idx()] as usize, own)] += x(w);
        }
    }

    /// Factors all blocks.
    pub(super) fn factor(&mut self) {
        let Hessian { parts, mat, squares, .. } = self;
        for part in parts {
            let mat = &mut mat[part.mat..part.mat + matrix_len(part.len)];
            panel::factor(mat, part.len, &mut squares[part.squares..]);
        }
    }

    /// Number of parts.
    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The dofs of a part, in rising order.
    pub(super) fn dofs(&self, part: usize) -> &[u32] {
        &self.dofs[self.parts[part].dofs()]
    }

    /// In place x = H⁻¹ x on the dofs of a part; `own` is scratch. Rows beyond all dofs are zero.
    pub(super) fn solve(&self, part: usize, x: &mut [Row], own: &mut Vec<Row>) {
        let DofBlock { len, mat, squares, .. } = self.parts[part];
        let factor = &self.mat[mat..mat + matrix_len(len)];
        let squares = &self.squares[squares..squares + squares_len(len)];
        if self.parts.len() == 1 {
            return panel::solve(factor, squares, &mut x[..padded(len)]);
        }
        own.clear();
        own.extend(self.dofs(part).iter().map(|&v| x[v as usize]));
        own.resize(padded(len), [0.0; panel::WIDTH]);
        panel::solve(factor, squares, own);
        for (&v, own) in self.dofs(part).iter().zip(own) {
            x[v as usize] = *own;
        }
    }

    /// The block of a dof.
    fn block(&self, m: &Model, v: DofId) -> Block {
        let part = &self.parts[self.trees[m.dof_treeid[v].idx()] as usize];
        Block { start: part.mat, ld: padded(part.len) }
    }
}

/// A matrix by columns of `ld` numbers.
#[derive(Clone, Copy)]
struct Block {
    start: usize,
    ld: usize,
}

impl Block {
    fn at(self, column: usize, row: usize) -> usize {
        self.start + column * self.ld + row
    }
}

/// The first tree of a part. Trees on the way refer to a nearer one afterwards.
fn leader(trees: &mut [u32], mut tree: usize) -> u32 {
    while trees[tree] as usize != tree {
        trees[tree] = trees[trees[tree] as usize];
        tree = trees[tree] as usize;
    }
    tree as u32
}
