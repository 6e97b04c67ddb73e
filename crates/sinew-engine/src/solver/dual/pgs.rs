//! Projected Gauss-Seidel: forces of one constraint after another, in the space of the rows.

use sinew_math::MINVAL;
use sinew_math::simd::{Lane, dispatch};
use sinew_model::{Data, Model};

use super::cone::{FrictionCone, segments};
use super::matrix::{BLOCK, Matrix};
use super::start::start;
use super::work::{COST_GROWTH, DualWork, RowBlock, Simple, end_sweep, finish};
use crate::solver::stats::cost_scale;
use crate::work::scratch;

/// Finds `efc_force` in at most `max_iter` sweeps.
///
/// Reads `efc_AR`, `qacc_smooth`, `qacc_warmstart`. Writes `efc_b`, `efc_force`, `efc_state`,
/// `qfrc_constraint`, `qacc` and the statistics.
#[doc(alias = "mj_solPGS")]
pub(crate) fn pgs(m: &Model, d: &mut Data, max_iter: usize) {
    let mut work = scratch(d).dual.take::<DualWork>();
    start(m, d, &mut work);
    find_blocks(d, &mut work);

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

/// Neighbouring rows on their own, whose rows of A have the same columns, form a block.
fn find_blocks(d: &Data, work: &mut DualWork) {
    let DualWork { runs, row_blocks, cones, .. } = work;
    let a = Matrix { values: d.efc_AR.flat(), runs };
    row_blocks.clear();
    for (mut segment, _) in segments(cones, d.nefc) {
        while let Some(row) = segment.next() {
            let mut n = 1;
            while n < BLOCK && n <= segment.len() && a.alike(row, row + n) {
                n += 1;
            }
            let block = a.square(row, n);
            let mut rows = [Simple::default(); BLOCK];
            for (k, simple) in rows.iter_mut().enumerate().take(n) {
                *simple = Simple { inv_diag: 1.0 / block[k][k], bounds: bounds(d, row + k) };
            }
            row_blocks.push(RowBlock { row, n, rows, a: block });
            segment.start += n - 1;
        }
    }
}

/// Equalities take any force, dry friction one up to its loss, the others none that pulls.
fn bounds(d: &Data, row: usize) -> [f64; 2] {
    if row < d.ne {
        [f64::NEG_INFINITY, f64::INFINITY]
    } else if row < d.ne + d.nf {
        [-d.efc_frictionloss[row], d.efc_frictionloss[row]]
    } else {
        [0.0, f64::INFINITY]
    }
}

/// A sweep over all rows.
struct Sweep<'a> {
    a: Matrix<'a>,
    row_blocks: &'a [RowBlock],
    cones: &'a [FrictionCone],
    blocks: &'a [f64],
    force: &'a mut [f64],
    res: &'a mut [f64],
}

/// Improves every force in turn; returns the decrease of the cost.
fn sweep(d: &mut Data, work: &mut DualWork) -> f64 {
    let DualWork { runs, residual: res, cones, blocks, row_blocks, .. } = work;
    let a = Matrix { values: d.efc_AR.flat(), runs };
    let force = d.efc_force.flat_mut();
    sweep_rows(Sweep { a, row_blocks, cones, blocks, force, res })
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
            // loops of known length keep the numbers of a cone in registers
            improvement -= match cone.dim {
                1 => sweep.update_cone::<L, 1, 0>(cone),
                2 => sweep.update_cone::<L, 2, 1>(cone),
                3 => sweep.update_cone::<L, 3, 2>(cone),
                4 => sweep.update_cone::<L, 4, 3>(cone),
                5 => sweep.update_cone::<L, 5, 4>(cone),
                _ => sweep.update_cone::<L, 6, 5>(cone),
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
        let &RowBlock { row, ref rows, ref a, .. } = block;
        let forces = &mut self.force[row..][..N];
        let res = &self.res[row..][..N];
        let mut at: [f64; N] = core::array::from_fn(|i| res[i]);
        let mut delta = [0.0; N];
        let mut sum = 0.0;
        let mut update = |i: usize| {
            let old = forces[i];
            let new = rows[i].within(L::sub_mul_one(old, at[i], rows[i].inv_diag));
            let step = new - old;
            let change = 0.5 * step * step * a[i][i] + step * at[i];
            if change > COST_GROWTH {
                return;
            }
            sum += change;
            forces[i] = new;
            delta[i] = step;
            for k in i + 1..N {
                at[k] = L::sub_mul_one(at[k], a[i][k], old - new);
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

    /// A better force of an elliptic cone of `N` rows, `T` of them tangential; the change of cost.
    #[inline(always)]
    fn update_cone<L: Lane, const N: usize, const T: usize>(&mut self, cone: &FrictionCone) -> f64 {
        let (block, _) = cone.block(self.blocks).as_chunks::<N>();
        let (Some(block), Some(force), Some(at)) = (
            block.first_chunk::<N>(),
            self.force[cone.row..].first_chunk_mut::<N>(),
            self.res[cone.row..].first_chunk::<N>(),
        ) else {
            return 0.0;
        };
        let old = *force;

        // the normal force, then the best friction for it
        update_normal(block, force, at);
        if force[0] < MINVAL {
            force[1..].fill(0.0);
        } else {
            // b of the friction directions: the residual without their own part
            let mut b = [0.0; T];
            for j in 1..N {
                let mut own = 0.0;
                for k in 1..N {
                    own += block[j][k] * old[k];
                }
                b[j - 1] = at[j] - own + block[j][0] * (force[0] - old[0]);
            }
            let friction = cone.best_friction(self.blocks, force[0], &b);
            force[1..].copy_from_slice(&friction);
        }

        // the change of cost from the old force; if it grows, that is kept
        let delta: [f64; N] = core::array::from_fn(|k| force[k] - old[k]);
        let mut change = 0.0;
        for k in 0..N {
            change += delta[k] * (0.5 * dot(&block[k], &delta) + at[k]);
        }
        if change > COST_GROWTH {
            *force = old;
            return 0.0;
        }
        self.a.spread::<L>(cone.row, &self.force[cone.row..][..N], &old, self.res);
        change
    }
}

/// Without force: the best normal force. Else the best force along the ray of the force there is.
#[inline(always)]
fn update_normal<const N: usize>(block: &[[f64; N]; N], force: &mut [f64; N], res: &[f64; N]) {
    if force[0] < MINVAL {
        force[0] -= res[0] * (1.0 / block[0][0]);
        if force[0] < 0.0 {
            force[0] = 0.0;
        }
        force[1..].fill(0.0);
        return;
    }

    // along the ray: x = -ray·res / ray·A ray, not beyond the tip of the cone
    let ray = *force;
    let mut curvature = 0.0;
    for k in 0..N {
        curvature += ray[k] * dot(&block[k], &ray);
    }
    if curvature >= MINVAL {
        let mut x = -dot(&ray, res) / curvature;
        if force[0] + x * ray[0] < 0.0 {
            x = -ray[0] / force[0];
        }
        for k in 0..N {
            force[k] += x * ray[k];
        }
    }
}

/// The scalar product of few numbers.
#[inline(always)]
fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for k in 0..N {
        sum += a[k] * b[k];
    }
    sum
}
