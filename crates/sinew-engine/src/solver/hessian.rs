//! The Newton direction: H = M + Jᵀ D J over the rows that are quadratic, and the curvature of the
//! contacts that slide, formed and factored front by front.
//!
//! MuJoCo updates the factor row by row as rows change; forming and factoring anew is cheaper with
//! blocked kernels, and gives the same direction up to rounding.

use sinew_math::MINVAL;
use sinew_model::enums::ConstraintState;

use super::kernel::{Factor, Gram, Group, Kernel, Pass, SolveT};
use super::lane::Level;
use super::problem::{Cone, Problem};
use super::symbolic::Node;

/// Room for the matrix and its parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Hessian {
    /// The fronts by columns, then their factors.
    fronts: Vec<f64>,
    /// Inverses of the squares on the factor's diagonal.
    squares: Vec<f64>,
    /// A vector over the dofs of a front.
    x: Vec<f64>,
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
        self.factor(hessian);
        self.solve(hessian);
    }

    /// The fronts before elimination; the gradient is their last row, so that factoring does the
    /// first half of the solve.
    fn assemble(&mut self, hessian: &mut Hessian) {
        hessian.fronts.clear();
        if self.inertia.dense.is_empty() {
            hessian.fronts.resize(self.fronts.total, 0.0);
            for (&at, val) in self.inertia.at.iter().zip(&self.inertia.vals) {
                hessian.fronts[at as usize] += val;
            }
        } else {
            hessian.fronts.extend_from_slice(&self.inertia.dense);
        }
        for s in &self.jac.singles {
            let weight = self.rows.weight[s.row as usize];
            hessian.fronts[s.at] += weight * s.val * s.val;
        }
        for i in 0..self.jac.groups.len() {
            let g = self.jac.groups[i];
            let cones = &mut self.rows.cones[g.cone..g.cone + g.cones];
            for cone in cones.iter_mut().filter(|c| c.state == ConstraintState::Cone) {
                cone.derive(&self.rows.jar[cone.row..cone.row + cone.dim]);
            }
            let vals = &self.jac.vals[g.vals..g.vals + g.n * g.width];
            hessian.add_group(self.level, &g, vals, &self.rows.weight[g.row..g.row + g.n], cones);
            let node = &self.fronts.nodes[g.front];
            hessian.scatter(&self.jac.at[g.cols..g.cols + g.k], g.width, node.vals, node.ld);
        }
        for node in &self.fronts.nodes {
            let columns = hessian.fronts[node.vals..].chunks_exact_mut(node.ld);
            for (column, grad) in columns.zip(&self.v.grad[node.first..node.first + node.own]) {
                column[node.size] = *grad;
            }
        }
    }

    /// Eliminates the dofs of each front and passes on what is left.
    fn factor(&mut self, hessian: &mut Hessian) {
        let Hessian { fronts, squares, .. } = hessian;
        squares.resize(self.fronts.squares, 0.0);
        for node in &self.fronts.nodes {
            let &Node { own, size, ld, .. } = node;
            let mat = &mut fronts[node.vals..node.vals + ld * size];
            let squares = &mut squares[node.squares..];
            Factor { mat, ld, own, size, squares }.dispatch(self.level);
            let Some(parent) = node.parent.map(|parent| &self.fronts.nodes[parent]) else {
                continue;
            };
            let (from, to) = fronts.split_at_mut(parent.vals);
            Pass {
                from: &from[node.vals + own * ld..node.vals + size * ld],
                from_ld: ld,
                skip: own,
                to: &mut to[..parent.ld * parent.size],
                to_ld: parent.ld,
                places: &self.fronts.places[node.rows..node.rows + size - own],
                side: parent.size,
            }
            .dispatch(self.level);
        }
    }

    /// v.search = -L⁻ᵀ y, where y is the last row of the fronts.
    fn solve(&mut self, hessian: &mut Hessian) {
        let Hessian { fronts, squares, x, .. } = hessian;
        let search = &mut self.v.search;
        for node in self.fronts.nodes.iter().rev() {
            let &Node { first, own, size, ld, .. } = node;
            let mat = &fronts[node.vals..node.vals + ld * own];
            x.clear();
            x.extend(mat.chunks_exact(ld).map(|column| -column[size]));
            let rows = &self.fronts.rows[node.rows..node.rows + size - own];
            x.extend(rows.iter().map(|&row| search[row as usize]));
            x.resize(ld, 0.0);
            SolveT { mat, ld, own, squares: &squares[node.squares..], x }.dispatch(self.level);
            search[first..first + own].copy_from_slice(&x[..own]);
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

    /// Adds `gram` to a front, at the places of its columns.
    fn scatter(&mut self, places: &[u32], width: usize, front: usize, ld: usize) {
        if self.active.is_empty() {
            return;
        }
        for (b, &col) in places.iter().enumerate() {
            let target = &mut self.fronts[front + col as usize * ld..][..ld];
            let from = &self.gram[b * width..][..places.len()];
            for (&row, x) in places[b..].iter().zip(&from[b..]) {
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
