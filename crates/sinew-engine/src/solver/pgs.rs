//! Projected Gauss-Seidel: forces of one constraint after another, in the space of the rows.

use sinew_math::{MINVAL, vector};
use sinew_model::{Data, Model};

use super::dual::{
    COST_GROWTH, Cone, DualWork, Matrix, Simple, Softness, cost_change, cost_scale, end_sweep,
    entry, finish, segments,
};
use super::kernel::Kernel;
use super::lane::{Lane, Level};

/// Improves `efc_force` in at most `max_iter` sweeps.
///
/// Reads `efc_AR`, `efc_b`, `efc_force`. Writes `efc_force`, `efc_state`, `qfrc_constraint`, `qacc`
/// and the statistics.
#[doc(alias = "mj_solPGS")]
pub(crate) fn pgs(m: &Model, d: &mut Data, max_iter: usize) {
    let mut work = d.work.dual.take::<DualWork>();
    work.prepare(d, Softness::Soft);
    find_rows(d, &mut work.rows);

    let scale = cost_scale(m);
    let mut iter = 0;
    while iter < max_iter {
        let improvement = sweep(d, &mut work) * scale;
        end_sweep(d, &work.cones, iter, improvement);
        iter += 1;
        if improvement < m.opt.tolerance {
            break;
        }
    }

    d.solver_niter[0] += iter as i32;
    d.solver_nnz[0] = if m.is_sparse() { d.nA } else { d.nefc * d.nefc } as i32;
    d.work.dual.put(work);
    finish(m, d);
}

/// Equalities take any force, dry friction one up to its loss, the others none that pulls.
fn find_rows(d: &Data, rows: &mut Vec<Simple>) {
    rows.clear();
    rows.extend((0..d.nefc).map(|r| {
        let bounds = if r < d.ne {
            [f64::NEG_INFINITY, f64::INFINITY]
        } else if r < d.ne + d.nf {
            [-d.efc_frictionloss[r], d.efc_frictionloss[r]]
        } else {
            [0.0, f64::INFINITY]
        };
        Simple { inv_diag: 1.0 / entry(d, r, r), bounds }
    }));
}

/// A sweep over all rows.
struct Sweep<'a> {
    a: Matrix<'a>,
    rows: &'a [Simple],
    cones: &'a [Cone],
    blocks: &'a [f64],
    force: &'a mut [f64],
    res: &'a mut [f64],
}

/// Improves every force in turn; by how much the cost falls.
fn sweep(d: &mut Data, work: &mut DualWork) -> f64 {
    let DualWork { runs, residual: res, cones, blocks, rows, .. } = work;
    let a = Matrix { values: d.efc_AR.flat(), runs };
    let force = d.efc_force.flat_mut();
    Sweep { a, rows, cones, blocks, force, res }.dispatch(Level::default())
}

impl Kernel for Sweep<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lane>(mut self) -> f64 {
        let mut improvement = 0.0;
        for (rows, cone) in segments(self.cones, self.force.len()) {
            for r in rows {
                improvement -= self.update_row::<L>(r);
            }
            if let Some(cone) = cone {
                improvement -= self.update_cone::<L>(cone);
            }
        }
        improvement
    }
}

impl Sweep<'_> {
    /// The best force of a row on its own; the change of cost.
    #[inline(always)]
    fn update_row<L: Lane>(&mut self, r: usize) -> f64 {
        let (row, old, at) = (self.rows[r], self.force[r], self.res[r]);
        let new = row.best(old, at);
        let delta = new - old;
        let change = 0.5 * delta * delta * (1.0 / row.inv_diag) + delta * at;
        if change > COST_GROWTH {
            return 0.0;
        }
        self.force[r] = new;
        if delta != 0.0 {
            self.a.add_row::<L>(r, delta, self.res);
        }
        change
    }

    /// A better force of an elliptic cone; the change of cost.
    #[inline(always)]
    fn update_cone<L: Lane>(&mut self, cone: &Cone) -> f64 {
        let block = cone.block(self.blocks);
        let force = &mut self.force[cone.row..cone.row + cone.dim];
        let at = &self.res[cone.row..cone.row + cone.dim];
        let mut old = [0.0; 6];
        let old = &mut old[..cone.dim];
        old.copy_from_slice(force);

        update_normal(block, force, at);
        if force[0] < MINVAL {
            force[1..].fill(0.0);
        } else {
            // b of the friction directions: the residual without their own part
            let mut b = [0.0; 5];
            for (j, row) in block.chunks_exact(cone.dim).skip(1).enumerate() {
                b[j] = at[j + 1] - vector::dot(&row[1..], &old[1..]);
                b[j] += row[0] * (force[0] - old[0]);
            }
            let friction = cone.best_friction(self.blocks, force[0], &b);
            force[1..].copy_from_slice(&friction[..cone.dim - 1]);
        }
        let change = cost_change(block, force, old, at);
        self.a.spread::<L>(cone.row, force, old, self.res);
        change
    }
}

/// Without force: the best normal force. Else the best force along the ray of the force there is.
fn update_normal(block: &[f64], force: &mut [f64], res: &[f64]) {
    if force[0] < MINVAL {
        force[0] -= res[0] * (1.0 / block[0]);
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
    for (p, row) in product.iter_mut().zip(block.chunks_exact(n)) {
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
