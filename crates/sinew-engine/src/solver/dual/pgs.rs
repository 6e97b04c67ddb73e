//! Projected Gauss-Seidel: forces of one constraint after another, in the space of the rows.

use sinew_math::simd::{Lane, dispatch};
use sinew_math::{MINVAL, vector};
use sinew_model::{Data, Model};

use super::cone::{FrictionCone, Softness, segments};
use super::matrix::{BLOCK, Matrix, entry};
use super::work::{COST_GROWTH, DualWork, RowBlock, Simple, cost_change, end_sweep, finish};
use crate::solver::stats::cost_scale;
use crate::work::scratch;

/// Improves `efc_force` in at most `max_iter` sweeps.
///
/// Reads `efc_AR`, `efc_b`, `efc_force`. Writes `efc_force`, `efc_state`, `qfrc_constraint`, `qacc`
/// and the statistics.
#[doc(alias = "mj_solPGS")]
pub(crate) fn pgs(m: &Model, d: &mut Data, max_iter: usize) {
    let mut work = scratch(d).dual.take::<DualWork>();
    work.prepare(d, Softness::Soft);
    find_rows(d, &mut work);

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
    scratch(d).dual.put(work);
    finish(m, d);
}

/// Equalities take any force, dry friction one up to its loss, the others none that pulls.
fn find_rows(d: &Data, work: &mut DualWork) {
    let DualWork { runs, rows, row_blocks, cones, .. } = work;
    // bounds of the forces
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

    // neighbours whose rows of A have the same columns form a block
    let a = Matrix { values: d.efc_AR.flat(), runs };
    row_blocks.clear();
    for (mut segment, _) in segments(cones, d.nefc) {
        while let Some(row) = segment.next() {
            let mut n = 1;
            while n < BLOCK && n <= segment.len() && a.alike(row, row + n) {
                n += 1;
            }
            let mut block = [[0.0; BLOCK]; BLOCK];
            for (i, block) in block.iter_mut().enumerate().take(n) {
                for (j, x) in block.iter_mut().enumerate().take(n) {
                    *x = entry(d, row + i, row + j);
                }
            }
            row_blocks.push(RowBlock { row, n, a: block });
            segment.start += n - 1;
        }
    }
}

/// A sweep over all rows.
struct Sweep<'a> {
    a: Matrix<'a>,
    rows: &'a [Simple],
    row_blocks: &'a [RowBlock],
    cones: &'a [FrictionCone],
    blocks: &'a [f64],
    force: &'a mut [f64],
    res: &'a mut [f64],
}

/// Improves every force in turn; by how much the cost falls.
fn sweep(d: &mut Data, work: &mut DualWork) -> f64 {
    let DualWork { runs, residual: res, cones, blocks, rows, row_blocks, .. } = work;
    let a = Matrix { values: d.efc_AR.flat(), runs };
    let force = d.efc_force.flat_mut();
    sweep_rows(Sweep { a, rows, row_blocks, cones, blocks, force, res })
}

dispatch! {
    fn sweep_rows(sweep: Sweep<'_>) -> f64 = sweep_kernel::<Fused>;
}

#[inline(always)]
fn sweep_kernel<L: Lane>(mut sweep: Sweep<'_>) -> f64 {
    let mut improvement = 0.0;
    let mut row_blocks = sweep.row_blocks.iter().peekable();
    for cone in sweep.cones.iter().map(Some).chain([None]) {
        let end = cone.map_or(usize::MAX, |cone| cone.row);
        while let Some(block) = row_blocks.next_if(|block| block.row < end) {
            improvement -= sweep.update_block::<L>(block);
        }
        if let Some(cone) = cone {
            // cones of the usual sizes have loops of known length
            improvement -= match cone.dim {
                3 => sweep.update_cone::<L>(cone, 3),
                4 => sweep.update_cone::<L>(cone, 4),
                6 => sweep.update_cone::<L>(cone, 6),
                dim => sweep.update_cone::<L>(cone, dim),
            };
        }
    }
    improvement
}

impl Sweep<'_> {
    /// The best force of each row, one after the other; the change of cost.
    #[inline(always)]
    fn update_block<L: Lane>(&mut self, block: &RowBlock) -> f64 {
        // loops of known length keep the numbers of a block in registers
        match block.n {
            1 => self.update_rows::<L, 1>(block),
            2 => self.update_rows::<L, 2>(block),
            3 => self.update_rows::<L, 3>(block),
            _ => self.update_rows::<L, BLOCK>(block),
        }
    }

    /// Rows of a block see each other's changes at once, all other rows after the last.
    #[inline(always)]
    fn update_rows<L: Lane, const N: usize>(&mut self, block: &RowBlock) -> f64 {
        let &RowBlock { row, ref a, .. } = block;
        let (rows, forces) = (&self.rows[row..][..N], &mut self.force[row..][..N]);
        let res = &self.res[row..][..N];
        let mut at: [f64; N] = core::array::from_fn(|i| res[i]);
        let mut delta = [0.0; N];
        let mut sum = 0.0;
        let mut update = |i: usize| {
            let old = forces[i];
            let new = rows[i].best(old, at[i]);
            let step = new - old;
            let change = 0.5 * step * step * a[i][i] + step * at[i];
            if change > COST_GROWTH {
                return;
            }
            sum += change;
            forces[i] = new;
            delta[i] = step;
            for k in i + 1..N {
                at[k] += a[i][k] * step;
            }
        };
        // written out: as a loop it would pass every residual through memory
        const { assert!(N >= 1 && N <= 4 && BLOCK == 4) };
        update(0);
        if N > 1 {
            update(1);
        }
        if N > 2 {
            update(2);
        }
        if N > 3 {
            update(3);
        }
        self.a.add_rows::<L>(row, &delta, self.res);
        sum
    }

    /// A better force of an elliptic cone of `dim` rows; the change of cost.
    #[inline(always)]
    fn update_cone<L: Lane>(&mut self, cone: &FrictionCone, dim: usize) -> f64 {
        let block = &cone.block(self.blocks)[..dim * dim];
        let force = &mut self.force[cone.row..][..dim];
        let at = &self.res[cone.row..][..dim];
        let mut old = [0.0; 6];
        let old = &mut old[..dim];
        old.copy_from_slice(force);

        // the normal force, then the best friction for it
        update_normal(block, force, at);
        if force[0] < MINVAL {
            force[1..].fill(0.0);
        } else {
            // b of the friction directions: the residual without their own part
            let mut b = [0.0; 5];
            for (j, row) in block.chunks_exact(dim).skip(1).enumerate() {
                b[j] = at[j + 1] - vector::dot(&row[1..], &old[1..]);
                b[j] += row[0] * (force[0] - old[0]);
            }
            let friction = cone.best_friction(self.blocks, force[0], &b);
            force[1..].copy_from_slice(&friction[..dim - 1]);
        }

        // kept unless the cost grows
        let change = cost_change(block, force, old, at);
        self.a.spread::<L>(cone.row, force, old, self.res);
        change
    }
}

/// Without force: the best normal force. Else the best force along the ray of the force there is.
#[inline(always)]
fn update_normal(block: &[f64], force: &mut [f64], res: &[f64]) {
    if force[0] < MINVAL {
        force[0] -= res[0] * (1.0 / block[0]);
        if force[0] < 0.0 {
            force[0] = 0.0;
        }
        force[1..].fill(0.0);
        return;
    }

    // along the ray: x = -ray·res / ray·A ray, not beyond the tip of the cone
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
