//! Inertia of the dofs of a problem.

use core::ops::Range;

use sinew_math::ldl::{self, TreeRows};
use sinew_math::simd::padded;
use sinew_model::pod::as_i32;
use sinew_model::{Data, DofId, Model};

use super::part::Part;
use super::symbolic::Fronts;
use crate::solver::kernel::mul_dense;

/// Sparse rows as in `M`, and the same as a dense matrix for a dense front.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inertia {
    /// First number of each row.
    adr: Vec<i32>,
    /// Numbers of each row.
    nnz: Vec<i32>,
    /// Columns: the row's ancestors in the tree and, last, itself.
    cols: Vec<i32>,
    pub(crate) vals: Vec<f64>,
    /// Where each number adds to the fronts, if there are several.
    pub(crate) at: Vec<u32>,
    /// The factor LᵀDL, for conjugate gradient.
    factor: Vec<f64>,
    /// Inverse of D.
    diag_inv: Vec<f64>,
    /// Sum of the diagonal.
    pub(crate) trace: f64,
    /// Both triangles by columns of `ld` numbers; empty if there are several fronts, or many dofs
    /// and no fronts.
    pub(crate) dense: Vec<f64>,
    /// Dofs that are not coupled to another.
    alone: Vec<u32>,
    /// The other dofs, rising.
    coupled: Vec<u32>,
    /// Whether each dof is one of these.
    is_coupled: Vec<bool>,
}

impl Inertia {
    /// Takes over the inertia of a part whose dofs are `dofs` in the order of the fronts.
    pub(crate) fn gather(&mut self, m: &Model, d: &Data, part: &Part<'_>, layout: &Layout<'_>) {
        let &Layout { dofs, fronts, ld, newton } = layout;
        self.clear();
        let one_front = fronts.nodes.len() == 1;
        if one_front && (newton || Fronts::small(dofs.len())) {
            self.take_dense(m, d, part, ld);
        }
        if newton && one_front {
            return;
        }

        // sparse rows, and their factor if nothing else is factored
        for &dof in dofs {
            let row = m.M_row(DofId::new(dof as usize));
            let cols = &as_i32(&m.M_colind)[row.clone()];
            let local = cols.iter().map(|&c| fronts.order[part.local(c as usize)] as i32);
            self.adr.push(self.cols.len() as i32);
            self.nnz.push(row.len() as i32);
            self.cols.extend(local);
            self.vals.extend_from_slice(&d.M.flat()[row.clone()]);
            if !newton {
                self.factor.extend_from_slice(&d.qLD.flat()[row]);
                self.diag_inv.push(d.qLDiagInv[dof as usize]);
            }
        }
        if newton {
            self.find_places(fronts);
        }
        self.find_coupled();
        self.trace = (0..dofs.len()).map(|i| self.vals[self.row(i).end - 1]).sum();
    }

    fn clear(&mut self) {
        for list in [&mut self.adr, &mut self.nnz, &mut self.cols] {
            list.clear();
        }
        for list in [&mut self.at, &mut self.alone, &mut self.coupled] {
            list.clear();
        }
        for list in [&mut self.vals, &mut self.factor, &mut self.diag_inv, &mut self.dense] {
            list.clear();
        }
    }

    fn row(&self, i: usize) -> Range<usize> {
        self.adr[i] as usize..(self.adr[i] + self.nnz[i]) as usize
    }

    /// The dense matrix, and its trace.
    fn take_dense(&mut self, m: &Model, d: &Data, part: &Part<'_>, ld: usize) {
        let n = part.dofs.len();
        // whole registers of columns
        self.dense.resize(padded(n) * ld, 0.0);
        let mut trace = 0.0;
        let run = part.run_of_dofs();
        for (i, &dof) in part.dofs.iter().enumerate() {
            let row = m.M_row(DofId::new(dof as usize));
            let vals = &d.M.flat()[row.clone()];
            trace += vals.last().copied().unwrap_or(0.0);
            // columns rise up to the diagonal: those before this one have its other half
            let (before, column) = self.dense.split_at_mut(i * ld);
            let column = &mut column[..n];
            for (&c, &val) in as_i32(&m.M_colind)[row].iter().zip(vals) {
                let j = match run {
                    Some(first) => (c as usize).wrapping_sub(first),
                    None => part.local(c as usize),
                };
                if j < n {
                    column[j] = val;
                    if let Some(x) = before.get_mut(j * ld + i) {
                        *x = val;
                    }
                }
            }
        }
        self.trace = trace;
    }

    /// Which dofs are in rows with others.
    fn find_coupled(&mut self) {
        self.is_coupled.clear();
        self.is_coupled.resize(self.nnz.len(), false);
        for i in (0..self.nnz.len()).filter(|&i| self.nnz[i] > 1) {
            for &col in &self.cols[self.row(i)] {
                self.is_coupled[col as usize] = true;
            }
        }
        for (i, &is_coupled) in self.is_coupled.iter().enumerate() {
            if is_coupled { &mut self.coupled } else { &mut self.alone }.push(i as u32);
        }
    }

    /// Where the numbers add to the fronts.
    fn find_places(&mut self, fronts: &Fronts) {
        for i in 0..self.adr.len() {
            for k in self.row(i) {
                let (i, j) = (i as u32, self.cols[k] as u32);
                let (col, row) = (i.min(j), i.max(j));
                let index = fronts.owner[col as usize] as usize;
                let node = &fronts.nodes[index];
                let column = node.vals + (col as usize - node.first) * node.ld;
                self.at.push((column + fronts.place_of(index, row)) as u32);
            }
        }
    }

    /// out = M x
    #[inline(always)]
    pub(crate) fn mul(&self, n: usize, x: &[f64], out: &mut [f64]) {
        if !self.dense.is_empty() {
            mul_dense(&self.dense, &x[..n], out);
            return;
        }

        // dofs that no other is coupled to
        for i in self.alone.iter().map(|&i| i as usize) {
            out[i] = self.vals[self.adr[i] as usize] * x[i];
        }

        // the others: each entry of the lower triangle counts for its row and its column
        for &i in &self.coupled {
            out[i as usize] = 0.0;
        }
        for i in self.coupled.iter().map(|&i| i as usize) {
            let row = self.row(i);
            let (cols, vals) = (&self.cols[row.clone()], &self.vals[row]);
            let (Some((_, cols)), Some((diag, vals))) = (cols.split_last(), vals.split_last())
            else {
                continue;
            };
            let x_i = x[i];
            let mut sum = diag * x_i;
            for (&j, val) in cols.iter().zip(vals) {
                sum += val * x[j as usize];
                out[j as usize] += val * x_i;
            }
            out[i] += sum;
        }
    }

    /// x ← M⁻¹ x, with the factor.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let rows = TreeRows { adr: &self.adr, nnz: &self.nnz, cols: &self.cols };
        if self.alone.is_empty() {
            ldl::solve(&rows, rows.dofs(), &self.factor, &self.diag_inv, x);
            return;
        }
        for i in self.alone.iter().map(|&i| i as usize) {
            x[i] *= self.diag_inv[i];
        }
        let x = x.as_chunks_mut::<1>().0;
        ldl::solve_on(&rows, &self.factor, &self.diag_inv, &self.coupled, x);
    }
}

/// How the dofs of a problem are laid out.
pub(crate) struct Layout<'a> {
    /// The dofs, in the order of elimination.
    pub(crate) dofs: &'a [u32],
    pub(crate) fronts: &'a Fronts,
    /// Length of a column of the dense matrix.
    pub(crate) ld: usize,
    /// For Newton's method, else for conjugate gradient.
    pub(crate) newton: bool,
}
