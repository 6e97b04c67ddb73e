//! Projected Gauss-Seidel: forces of one constraint after another, in the space of the rows.

use core::mem::take;

use sinew_math::{MINVAL, vector};
use sinew_model::{Data, Model};

use super::dual::{
    COST_GROWTH, Matrix, clamp, cone, cost_change, cost_scale, finish, onto_cone, residuals,
    save_stats, update_states,
};
use super::qcqp::{self, Qcqp};

/// Improves `efc_force` in at most `max_iter` sweeps.
///
/// Reads `efc_AR`, `efc_b`, `efc_force`. Writes `efc_force`, `efc_state`, `qfrc_constraint`, `qacc`
/// and the statistics.
#[doc(alias = "mj_solPGS")]
#[allow(dead_code)]
pub(crate) fn pgs(m: &Model, d: &mut Data, max_iter: usize) {
    let mut work = take(&mut d.work.dual);
    let values = take(&mut d.efc_AR);
    let a = Matrix::new(m, d, &values, &mut work.matrix);
    work.inv_diag.clear();
    work.inv_diag.extend((0..d.nefc).map(|r| 1.0 / a.get(r, r)));
    copy_blocks(d, &a, &mut work.blocks);
    residuals(&a, d, &mut work.residual);
    update_states(d);

    let scale = cost_scale(m);
    let mut iter = 0;
    while iter < max_iter {
        let sweep = Sweep { a: &a, inv_diag: &work.inv_diag, blocks: &work.blocks };
        let improvement = sweep.run(d, &mut work.residual) * scale;
        let changes = update_states(d);
        save_stats(d, iter, improvement, changes);
        iter += 1;
        if improvement < m.opt.tolerance {
            break;
        }
    }

    d.solver_niter[0] += iter as i32;
    d.solver_nnz[0] =
        if m.is_sparse() { d.efc_AR_rownnz.iter().sum() } else { (d.nefc * d.nefc) as i32 };
    d.efc_AR = values;
    d.work.dual = work;
    finish(m, d);
}

/// The blocks of A on its diagonal that belong to elliptic cones, each followed by the scaled matrix
/// of its friction directions.
fn copy_blocks(d: &Data, a: &Matrix<'_>, blocks: &mut Vec<f64>) {
    blocks.clear();
    let mut row = 0;
    while row < d.nefc {
        let Some((contact, dim)) = cone(d, row) else {
            row += 1;
            continue;
        };
        for i in row..row + dim {
            blocks.extend((row..row + dim).map(|j| a.get(i, j)));
        }
        qcqp::scale(dim - 1, &contact.friction, blocks, |i, j| a.get(row + 1 + i, row + 1 + j));
        row += dim;
    }
}

/// What a sweep over all rows reads.
struct Sweep<'a> {
    a: &'a Matrix<'a>,
    inv_diag: &'a [f64],
    blocks: &'a [f64],
}

impl Sweep<'_> {
    /// Improves every force in turn; by how much the cost falls.
    fn run(&self, d: &mut Data, res: &mut [f64]) -> f64 {
        let mut improvement = 0.0;
        let mut blocks = self.blocks;
        let mut row = 0;
        while row < d.nefc {
            if let Some((contact, dim)) = cone(d, row) {
                let (block, rest) = blocks.split_at(dim * dim);
                let (scaled, rest) = rest.split_at((dim - 1) * (dim - 1));
                let mu = contact.friction;
                let cone = Cone { block, qcqp: Qcqp { n: dim - 1, a: scaled, mu: &mu } };
                improvement -= self.update_cone(d, row, &cone, res);
                blocks = rest;
                row += dim;
            } else {
                improvement -= self.update_simple(d, row, res);
                row += 1;
            }
        }
        improvement
    }

    /// The best force of a row on its own, within its bounds; the change of cost.
    fn update_simple(&self, d: &mut Data, row: usize, res: &mut [f64]) -> f64 {
        let old = d.efc_force[row];
        let mut force = old - res[row] * self.inv_diag[row];
        if row >= d.ne + d.nf {
            if force < 0.0 {
                force = 0.0;
            }
        } else if row >= d.ne {
            force = clamp(force, d.efc_frictionloss[row]);
        }
        let delta = force - old;
        let change = 0.5 * delta * delta * (1.0 / self.inv_diag[row]) + delta * res[row];
        if change > COST_GROWTH {
            return 0.0;
        }
        d.efc_force[row] = force;
        if delta != 0.0 {
            self.a.add_row(row, delta, res);
        }
        change
    }

    /// A better force of an elliptic cone; the change of cost.
    fn update_cone(&self, d: &mut Data, row: usize, cone: &Cone<'_>, res: &mut [f64]) -> f64 {
        let n = cone.qcqp.n + 1;
        let force = &mut d.efc_force.flat_mut()[row..row + n];
        let at = &res[row..row + n];
        let mut old = [0.0; 6];
        let old = &mut old[..n];
        old.copy_from_slice(force);

        cone.update_normal(force, at, self.inv_diag[row]);
        cone.update_friction(force, old, at);
        let change = cost_change(cone.block, force, old, at);
        for (k, (force, old)) in force.iter().zip(old).enumerate() {
            let delta = *force - *old;
            if delta != 0.0 {
                self.a.add_row(row + k, delta, res);
            }
        }
        change
    }
}

/// The block of A that belongs to an elliptic cone, and the problem of its friction.
struct Cone<'a> {
    block: &'a [f64],
    qcqp: Qcqp<'a>,
}

impl Cone<'_> {
    /// Without force: the best normal force. Else the best force along the ray of the force there is.
    fn update_normal(&self, force: &mut [f64], res: &[f64], inv_diag: f64) {
        if force[0] < MINVAL {
            force[0] -= res[0] * inv_diag;
            if force[0] < 0.0 {
                force[0] = 0.0;
            }
            force[1..].fill(0.0);
            return;
        }
        let n = force.len();
        let mut ray = [0.0; 6];
        let ray = &mut ray[..n];
        ray.copy_from_slice(force);
        let mut product = [0.0; 6];
        for (p, row) in product.iter_mut().zip(self.block.chunks_exact(n)) {
            *p = vector::dot(row, ray);
        }
        let curvature = vector::dot(ray, &product[..n]);
        if curvature >= MINVAL {
            let mut x = -vector::dot(ray, res) / curvature;
            if force[0] + x * ray[0] < 0.0 {
                x = -ray[0] / force[0];
            }
            for (f, v) in force.iter_mut().zip(ray) {
                *f += x * *v;
            }
        }
    }

    /// The best friction force with the normal force as it is now.
    fn update_friction(&self, force: &mut [f64], old: &[f64], res: &[f64]) {
        let n = self.qcqp.n;
        if force[0] < MINVAL {
            force[1..].fill(0.0);
            return;
        }

        // b of the friction directions: the residual without their own part
        let mut b = [0.0; 5];
        for (j, row) in self.block.chunks_exact(n + 1).skip(1).enumerate() {
            b[j] = res[j + 1] - vector::dot(&row[1..], &old[1..]);
            b[j] += row[0] * (force[0] - old[0]);
        }
        let (mut friction, on_surface) = self.qcqp.solve(&b, force[0]);
        if on_surface {
            onto_cone(&mut friction[..n], force[0], self.qcqp.mu);
        }
        force[1..].copy_from_slice(&friction[..n]);
    }
}
