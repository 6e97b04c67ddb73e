//! The Newton direction: H = M + Jᵀ D J over the rows that are quadratic, and the curvature of the
//! contacts that slide, formed and factored front by front.
//!
//! MuJoCo updates the factor row by row as rows change. Forming and factoring anew is cheaper with
//! blocked kernels, and gives the same direction up to rounding.

use sinew_math::chol::blocked;
use sinew_math::vector;
use sinew_model::enums::ConstraintState;

use super::problem::Problem;
use super::rows::EllipticContact;
use super::symbolic::Node;
use crate::solver::kernel::{ExtendAdd, RowGroup, WeightedRow, add_gram, extend_add, gram};

/// Scratch for the matrix and its parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hessian {
    /// The fronts by columns, then their factors.
    fronts: Vec<f64>,
    /// Inverses of the squares on the factor's diagonal.
    squares: Vec<f64>,
    /// A vector over the dofs of a front.
    x: Vec<f64>,
    /// The sum of one group of rows.
    gram: Vec<f64>,
    /// Rows of a group that take part, and their weights; then others.
    active: Vec<WeightedRow>,
    /// How many take part.
    count: usize,
}

impl Problem {
    /// v.search = -H⁻¹ grad
    pub(crate) fn newton_direction(&mut self, hessian: &mut Hessian) {
        hessian.squares.resize(self.fronts.squares, 0.0);
        self.assemble(hessian);
        if let &[Node { own: n, ld, .. }] = &self.fronts.nodes[..] {
            let Hessian { fronts: mat, squares, .. } = hessian;
            let (b, x) = (&self.v.grad, &mut self.v.search);
            blocked::solve_whole(blocked::Whole { mat, ld, n, squares, b, x });
            return;
        }
        self.factor(hessian);
        self.solve(hessian);
    }

    /// The fronts before elimination, without the gradient.
    fn assemble(&mut self, hessian: &mut Hessian) {
        // M; the first rows that are added to it may copy it
        let dense = &self.inertia.dense;
        let mut copied = true;
        if dense.is_empty() {
            hessian.fronts.clear();
            hessian.fronts.resize(self.fronts.total, 0.0);
            for (&at, val) in self.inertia.at.iter().zip(&self.inertia.vals) {
                hessian.fronts[at as usize] += val;
            }
        } else {
            vector::set_len(&mut hessian.fronts, dense.len());
            copied = !self.jac.whole || !self.jac.singles.is_empty() || self.jac.groups.is_empty();
            if copied {
                hessian.fronts.copy_from_slice(dense);
            }
        }

        // rows
        for s in &self.jac.singles {
            let weight = self.rows.weight[s.row as usize];
            hessian.fronts[s.at] += weight * s.val * s.val;
        }
        for i in 0..self.jac.groups.len() {
            let g = self.jac.groups[i];
            let vals = &mut self.jac.vals[g.vals..g.vals + (g.n + 2 * g.cones) * g.width];
            hessian.weigh_rows(&self.rows.weight[g.row..g.row + g.n]);
            if g.cones > 0 {
                hessian.add_cones(&g, vals, &self.rows.cones[g.cone..g.cone + g.cones]);
            }
            let active = &hessian.active[..hessian.count];
            if self.jac.whole {
                let to = if copied { None } else { Some(&dense[..]) };
                add_gram(vals, active, g.width, to, &mut hessian.fronts);
                copied = true;
            } else if !active.is_empty() {
                hessian.gram.resize(hessian.gram.len().max(g.width * g.width), 0.0);
                gram(vals, active, g.width, &mut hessian.gram);
                let node = &self.fronts.nodes[g.front];
                hessian.scatter(&self.jac.at[g.cols..g.cols + g.k], g.width, node.vals, node.ld);
            }
        }
    }

    /// Eliminates the dofs of each front and passes on the remainder. The gradient is the last row
    /// of the fronts, so that factoring does the first half of the solve.
    fn factor(&mut self, hessian: &mut Hessian) {
        let Hessian { fronts, squares, .. } = hessian;

        // the gradient as the last row
        for node in &self.fronts.nodes {
            let columns = fronts[node.vals..].chunks_exact_mut(node.ld);
            for (column, grad) in columns.zip(&self.v.grad[node.first..node.first + node.own]) {
                column[node.size] = *grad;
            }
        }

        // children before parents: dense Cholesky of the front's own columns
        for node in &self.fronts.nodes {
            let &Node { own, size, ld, .. } = node;
            let mat = &mut fronts[node.vals..node.vals + ld * size];
            let squares = &mut squares[node.squares..];
            blocked::factor(blocked::Factor { mat, ld, own, size, squares });

            // the Schur complement is added to the parent's front
            let Some(parent) = node.parent.map(|parent| &self.fronts.nodes[parent]) else {
                continue;
            };
            let (from, to) = fronts.split_at_mut(parent.vals);
            extend_add(ExtendAdd {
                from: &from[node.vals + own * ld..node.vals + size * ld],
                from_ld: ld,
                skip: own,
                to: &mut to[..parent.ld * parent.size],
                to_ld: parent.ld,
                places: &self.fronts.places[node.rows..node.rows + size - own],
                side: parent.size,
            });
        }
    }

    /// v.search = -L⁻ᵀ y, where y is the last row of the fronts.
    fn solve(&mut self, hessian: &mut Hessian) {
        let Hessian { fronts, squares, x, .. } = hessian;
        let search = &mut self.v.search;
        for node in self.fronts.nodes.iter().rev() {
            let &Node { first, own, size, ld, .. } = node;
            let mat = &fronts[node.vals..node.vals + ld * own];
            vector::set_len(x, ld);
            let (dofs, padding) = x.split_at_mut(size);
            for (x, column) in dofs.iter_mut().zip(mat.chunks_exact(ld)) {
                *x = -column[size];
            }
            let rows = &self.fronts.rows[node.rows..node.rows + size - own];
            for (x, &row) in dofs[own..].iter_mut().zip(rows) {
                *x = search[row as usize];
            }
            vector::zero(padding);
            let squares = &squares[node.squares..];
            blocked::solve_t(blocked::SolveT { mat, ld, own, squares, x });
            vector::copy(&mut search[first..first + own], &x[..own]);
        }
    }
}

impl Hessian {
    /// Leaves in `active` the rows of a group that take part.
    #[inline(always)]
    fn weigh_rows(&mut self, weight: &[f64]) {
        if self.active.len() < weight.len() {
            self.active.resize(weight.len(), WeightedRow { row: 0, weight: 0.0 });
        }
        // no branches: which rows push is hard to foresee
        let active = &mut self.active[..weight.len()];
        let mut count = 0;
        for (row, &weight) in (0..).zip(weight) {
            active[count] = WeightedRow { row, weight };
            count += usize::from(weight != 0.0);
        }
        self.count = count;
    }

    /// The contacts of a group that slide take part, too.
    #[inline(never)]
    fn add_cones(&mut self, g: &RowGroup, vals: &mut [f64], cones: &[EllipticContact]) {
        self.active.truncate(self.count);
        let sliding = cones.iter().enumerate().filter(|(_, c)| c.state == ConstraintState::Cone);
        for (k, contact) in sliding {
            self.add_sliding(g, vals, contact, g.n + 2 * k);
        }
        self.count = self.active.len();
    }

    /// A contact that slides: its curvature as weighted rows, of which two are made, from row
    /// `extra`. The direction of sliding is t, with e = (1, -µ t) and P = I - t tᵀ across t. Then
    /// the second derivative of the cost by the rows is d_m S (e eᵀ + c P) S, which is
    /// `EllipticCone::hessian`.
    fn add_sliding(
        &mut self,
        g: &RowGroup,
        vals: &mut [f64],
        contact: &EllipticContact,
        extra: usize,
    ) {
        let (cone, t) = (&contact.cone, &contact.direction);
        let (width, dim) = (g.width, cone.dim);
        let first = contact.row - g.row;
        let (rows, made) = vals.split_at_mut(extra * width);
        let rows = &rows[first * width..(first + dim) * width];
        let (along, across) = made[..2 * width].split_at_mut(width);

        // along e: the normal less µ times the direction of sliding
        for (x, normal) in along.iter_mut().zip(rows) {
            *x = cone.scale[0] * normal;
        }
        let weight = cone.dm * contact.across;
        if dim == 3 {
            // across it, in the plane: the direction turned by a right angle
            let (t1, t2) = (t[1] * cone.scale[1], t[2] * cone.scale[2]);
            let (s1, s2) = (t[1] * cone.scale[2], t[2] * cone.scale[1]);
            let (row1, row2) = rows[width..].split_at(width);
            for (((x, y), a), b) in along.iter_mut().zip(across).zip(row1).zip(row2) {
                *x -= cone.mu * (t1 * a + t2 * b);
                *y = s1 * b - s2 * a;
            }
            self.active.push(WeightedRow { row: extra as u32 + 1, weight });
        } else {
            // across it: all directions except the direction of sliding
            across.fill(0.0);
            for (j, row) in rows.chunks_exact(width).enumerate().skip(1) {
                let scale = t[j] * cone.scale[j];
                for (y, x) in across.iter_mut().zip(row) {
                    *y += scale * x;
                }
                let weight = weight * cone.scale[j] * cone.scale[j];
                self.active.push(WeightedRow { row: (first + j) as u32, weight });
            }
            for (x, y) in along.iter_mut().zip(across) {
                *x -= cone.mu * *y;
            }
            self.active.push(WeightedRow { row: extra as u32 + 1, weight: -weight });
        }
        self.active.push(WeightedRow { row: extra as u32, weight: cone.dm });
    }

    /// Adds `gram` to a front, at the places of its columns.
    fn scatter(&mut self, places: &[u32], width: usize, front: usize, ld: usize) {
        for (b, &col) in places.iter().enumerate() {
            let target = &mut self.fronts[front + col as usize * ld..][..ld];
            let from = &self.gram[b * width..][..places.len()];
            for (&row, x) in places[b..].iter().zip(&from[b..]) {
                target[row as usize] += x;
            }
        }
    }
}
