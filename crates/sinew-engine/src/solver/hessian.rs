//! The Newton direction: H = M + Jᵀ D J over the rows that are quadratic, and the curvature of the
//! contacts that slide, formed and factored as a dense matrix.
//!
//! MuJoCo updates the factor row by row as rows change; forming and factoring anew is cheaper with
//! blocked kernels, and gives the same direction up to rounding.

use sinew_math::MINVAL;
use sinew_model::enums::ConstraintState;

use super::kernel::{Factor, Gram, Group, Kernel, SolveT, padded};
use super::lane::Level;
use super::problem::{Cone, Problem};

/// Room for the matrix and its parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Hessian {
    /// The lower triangle by columns, then its factor.
    mat: Vec<f64>,
    /// Inverse of the factor's diagonal.
    inv: Vec<f64>,
    /// What one group of rows adds.
    gram: Vec<f64>,
    /// Rows of a group with contacts that slide, transformed.
    rows: Vec<f64>,
    /// Rows of a group that take part, and their weights.
    active: Vec<(u32, f64)>,
}

impl Problem {
    /// v.search = -H⁻¹ grad
    pub(super) fn newton_direction(&mut self, hessian: &mut Hessian) {
        self.assemble(hessian);
        let (n, ld) = (self.n, self.ld);

        // the gradient as one more row: factoring does the first half of the solve
        let Hessian { mat, inv, .. } = hessian;
        for (column, grad) in mat.chunks_exact_mut(ld).zip(&self.v.grad[..n]) {
            column[n] = *grad;
        }
        inv.resize(padded(n), 0.0);
        Factor { mat, ld, n, inv }.dispatch(self.level);
        let search = &mut self.v.search;
        for (x, column) in search.iter_mut().zip(mat.chunks_exact(ld)) {
            *x = -column[n];
        }
        SolveT { mat, ld, n, inv, x: search }.dispatch(self.level);
    }

    fn assemble(&mut self, hessian: &mut Hessian) {
        let ld = self.ld;
        hessian.mat.clear();
        hessian.mat.extend_from_slice(&self.inertia.dense);
        for s in &self.jac.singles {
            let at = s.col as usize * (ld + 1);
            hessian.mat[at] += self.rows.weight[s.row as usize] * s.val * s.val;
        }
        for i in 0..self.jac.groups.len() {
            let g = self.jac.groups[i];
            let cones = &mut self.rows.cones[g.cone..g.cone + g.cones];
            for cone in cones.iter_mut().filter(|c| c.state == ConstraintState::Cone) {
                cone.derive(&self.rows.jar[cone.row..cone.row + cone.dim]);
            }
            let vals = &self.jac.vals[g.vals..g.vals + g.n * g.width];
            hessian.add_group(self.level, &g, vals, &self.rows.weight[g.row..g.row + g.n], cones);
            let cols = &self.jac.cols[g.cols..g.cols + g.k];
            hessian.scatter(cols, g.width, ld);
        }
    }
}

impl Hessian {
    /// Leaves in `gram` what a group adds, or nothing in `active` if that is nothing.
    fn add_group(&mut self, level: Level, g: &Group, vals: &[f64], weight: &[f64], cones: &[Cone]) {
        self.active.clear();
        let weighted = weight.iter().enumerate().filter(|(_, w)| **w != 0.0);
        self.active.extend(weighted.map(|(r, w)| (r as u32, *w)));

        // contacts that slide: rows of Lᵀ J, where the curvature is L Lᵀ
        let mut vals = vals;
        if cones.iter().any(|c| c.state == ConstraintState::Cone) {
            self.rows.clear();
            self.rows.extend_from_slice(vals);
            for cone in cones.iter().filter(|c| c.state == ConstraintState::Cone) {
                let first = cone.row - g.row;
                let range = first * g.width..(first + cone.dim) * g.width;
                transform(&mut self.rows[range], g.width, cone);
                self.active.extend((first..first + cone.dim).map(|r| (r as u32, 1.0)));
            }
            vals = &self.rows;
        }
        if self.active.is_empty() {
            return;
        }
        if self.gram.len() < g.width * g.width {
            self.gram.resize(g.width * g.width, 0.0);
        }
        Gram { vals, active: &self.active, width: g.width, out: &mut self.gram }.dispatch(level);
    }

    fn scatter(&mut self, cols: &[u32], width: usize, ld: usize) {
        if self.active.is_empty() {
            return;
        }
        for (b, &col) in cols.iter().enumerate() {
            let target = &mut self.mat[col as usize * ld..][..ld];
            let from = &self.gram[b * width..][..cols.len()];
            for (&row, x) in cols[b..].iter().zip(&from[b..]) {
                target[row as usize] += x;
            }
        }
    }
}

/// The rows of a contact that slides, times the transposed factor of its curvature.
fn transform(rows: &mut [f64], width: usize, cone: &Cone) {
    let dim = cone.dim;
    let l = small_cholesky(&cone.hessian, dim);
    // row c of the result takes rows c.. of the source: in place from the first
    for c in 0..dim {
        let (head, tail) = rows.split_at_mut((c + 1) * width);
        let row = &mut head[c * width..];
        for x in row.iter_mut() {
            *x *= l[c][c];
        }
        for (r, other) in tail.chunks_exact(width).enumerate() {
            let scale = l[c + 1 + r][c];
            for (x, y) in row.iter_mut().zip(other) {
                *x += scale * y;
            }
        }
    }
}

/// Cholesky factor of a symmetric matrix of `dim` rows, pivots at least `MINVAL`.
fn small_cholesky(mat: &[f64; 36], dim: usize) -> [[f64; 6]; 6] {
    let mut l = [[0.0; 6]; 6];
    for j in 0..dim {
        for i in j..dim {
            let mut x = mat[i * dim + j];
            for k in 0..j {
                x -= l[i][k] * l[j][k];
            }
            l[i][j] = if i == j { x.max(MINVAL).sqrt() } else { x / l[j][j] };
        }
    }
    l
}
