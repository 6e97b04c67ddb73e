//! Friction forces once more, without the softness that lets contacts creep.
//!
//! Gauss-Seidel sweeps over dry friction and the friction of contacts, with A instead of A + R.
//! Normal forces and all other forces are the main solver's.

use sinew_math::simd::{Lane, dispatch};
use sinew_math::{MINVAL, vector};
use sinew_model::enums::ConstraintType;
use sinew_model::{Data, Model};

use super::cone::{FrictionCone, Softness};
use super::matrix::{Matrix, hard_diagonal};
use super::work::{DualWork, Edges, Simple, cost_change, end_sweep, finish, update_states};
use crate::solver::stats::cost_scale;
use crate::work::scratch;

/// Improves the friction forces in `efc_force` in at most `max_iter` sweeps.
///
/// Reads `efc_AR`, `efc_R`, `efc_b`, `efc_force`. Writes `efc_force`, `efc_state`,
/// `qfrc_constraint`, `qacc` and the statistics.
#[doc(alias = "mj_solNoSlip")]
pub(crate) fn noslip(m: &Model, d: &mut Data, max_iter: usize) {
    let mut work = scratch(d).dual.take::<DualWork>();
    work.prepare(d, Softness::Hard);
    update_states(d, &work.cones);
    find_rows(d, &mut work);

    let scale = cost_scale(m);
    let mut iter = 0;
    while iter < max_iter {
        // the first sweep also removes the cost of softness
        let mut improvement = 0.0;
        if iter == 0 {
            for (f, r) in d.efc_force.iter().zip(d.efc_R.iter()) {
                improvement += 0.5 * f * f * r;
            }
        }
        improvement = (improvement + sweep(d, &mut work)) * scale;
        let done = d.solver_niter[0].max(0) as usize;
        end_sweep(d, &work.cones, done + iter, improvement);
        iter += 1;
        if improvement < m.opt.noslip_tolerance {
            break;
        }
    }

    d.solver_niter[0] += iter as i32;
    scratch(d).dual.put(work);
    finish(m, d);
}

/// The rows of dry friction, and pairs of opposite edges.
fn find_rows(d: &Data, work: &mut DualWork) {
    let DualWork { runs, rows, edges, .. } = work;
    let a = Matrix { values: d.efc_AR.flat(), runs };
    rows.clear();
    rows.extend((d.ne..d.ne + d.nf).map(|r| {
        let loss = d.efc_frictionloss[r];
        let inv_diag = 1.0 / (a.entry(r, r) - d.efc_R[r]).max(MINVAL);
        Simple { inv_diag, bounds: [-loss, loss] }
    }));
    edges.clear();
    let mut row = d.ne + d.nf;
    while row + 1 < d.nefc {
        if d.efc_type[row] != ConstraintType::ContactPyramidal {
            row += 1;
            continue;
        }
        let [first, second, ..] = a.square(row, 2);
        let diagonal = [first[0], second[1]];
        let [a00, a11] = [0, 1].map(|k| hard_diagonal(diagonal[k], d.efc_R[row + k]));
        edges.push(Edges { row, a: [a00, first[1], second[0], a11] });
        row += 2;
    }
}

/// A sweep over the friction rows.
struct Sweep<'a> {
    friction: Friction<'a>,
    /// First row of dry friction.
    first_dry: usize,
    /// The rows of dry friction.
    dry: &'a [Simple],
    edges: &'a [Edges],
    cones: &'a [FrictionCone],
    blocks: &'a [f64],
    force: &'a mut [f64],
    res: &'a mut [f64],
}

/// Improves every friction force in turn; returns the decrease of the cost.
fn sweep(d: &mut Data, work: &mut DualWork) -> f64 {
    let DualWork { runs, residual: res, cones, blocks, rows, edges, .. } = work;
    let Data { efc_AR, efc_R, efc_force, ne, .. } = d;
    let friction = Friction { a: Matrix { values: efc_AR.flat(), runs }, softness: efc_R };
    let force = efc_force.flat_mut();
    let first_dry = *ne;
    sweep_friction(Sweep { friction, first_dry, dry: rows, edges, cones, blocks, force, res })
}

dispatch! {
    fn sweep_friction(sweep: Sweep<'_>) -> f64 = sweep_kernel::<Fused>;
}

#[inline(always)]
fn sweep_kernel<L: Lane>(sweep: Sweep<'_>) -> f64 {
    let Sweep { friction, first_dry, dry, edges, cones, blocks, force, res } = sweep;
    let mut improvement = 0.0;
    for (r, row) in (first_dry..).zip(dry) {
        improvement -= friction.update_dry::<L>(r, row, force, res);
    }
    for edges in edges {
        improvement -= friction.update_edges::<L>(edges, force, res);
    }
    for cone in cones {
        // loops of known length keep the numbers of a cone in registers
        improvement -= match cone.dim {
            0 | 1 => 0.0,
            2 => friction.update_cone::<L, 1>(cone, blocks, force, res),
            3 => friction.update_cone::<L, 2>(cone, blocks, force, res),
            4 => friction.update_cone::<L, 3>(cone, blocks, force, res),
            5 => friction.update_cone::<L, 4>(cone, blocks, force, res),
            _ => friction.update_cone::<L, 5>(cone, blocks, force, res),
        };
    }
    improvement
}

/// Inputs of the updates: the matrix, and R, which it contains but should not.
struct Friction<'a> {
    a: Matrix<'a>,
    softness: &'a [f64],
}

impl Friction<'_> {
    /// The residual of a row without its softness.
    fn hard(&self, row: usize, force: &[f64], res: &[f64]) -> f64 {
        res[row] - self.softness[row] * force[row]
    }

    #[inline(always)]
    fn update_dry<L: Lane>(
        &self,
        row: usize,
        simple: &Simple,
        force: &mut [f64],
        res: &mut [f64],
    ) -> f64 {
        let (old, hard) = (force[row], self.hard(row, force, res));
        force[row] = simple.best(old, hard);
        let delta = force[row] - old;
        self.a.spread::<L>(row, &[force[row]], &[old], res);
        0.5 * delta * delta / simple.inv_diag + delta * hard
    }

    /// Shifts force between two opposite edges; their sum stays.
    #[inline(always)]
    fn update_edges<L: Lane>(&self, edges: &Edges, force: &mut [f64], res: &mut [f64]) -> f64 {
        // b: the residual without the edges' own part
        let &Edges { row, ref a } = edges;
        let hard = [self.hard(row, force, res), self.hard(row + 1, force, res)];
        let force = &mut force[row..row + 2];
        let old = [force[0], force[1]];
        let b0 = hard[0] - vector::dot(&a[..2], &old);
        let b1 = hard[1] - vector::dot(&a[2..], &old);

        // f₀ = mid + y, f₁ = mid - y:  minimise ½ k₁ y² + k₀ y  over |y| ≤ mid
        let mid = 0.5 * (old[0] + old[1]);
        let k1 = a[0] + a[3] - a[1] - a[2];
        let k0 = mid * (a[0] - a[3]) + b0 - b1;
        let best = if k1 < MINVAL {
            [mid, mid]
        } else {
            let y = -k0 / k1;
            if y < -mid {
                [0.0, 2.0 * mid]
            } else if y > mid {
                [2.0 * mid, 0.0]
            } else {
                [mid + y, mid - y]
            }
        };
        force.copy_from_slice(&best);
        let change = cost_change(a, force, &old, &hard);
        self.a.spread::<L>(row, force, &old, res);
        change
    }

    /// The best friction force in the cone, of `N` directions, for the normal force there is.
    #[inline(always)]
    fn update_cone<L: Lane, const N: usize>(
        &self,
        cone: &FrictionCone,
        blocks: &[f64],
        force: &mut [f64],
        res: &mut [f64],
    ) -> f64 {
        // forces and residuals of the friction directions
        let first = cone.row + 1;
        let hard: [f64; N] = core::array::from_fn(|k| self.hard(first + k, force, res));
        let normal = force[cone.row];
        let (block, _) = cone.block(blocks).as_chunks::<N>();
        let (Some(block), Some(force)) =
            (block.first_chunk::<N>(), force[first..].first_chunk_mut::<N>())
        else {
            return 0.0;
        };
        let old = *force;

        // the minimum in the cone
        *force = if normal < MINVAL {
            [0.0; N]
        } else {
            let b = core::array::from_fn(|k| hard[k] - vector::dot(&block[k], &old));
            cone.best_friction(blocks, normal, &b)
        };

        // kept unless the cost grows
        let change = cost_change(block.as_flattened(), force, &old, &hard);
        self.a.spread::<L>(first, force, &old, res);
        change
    }
}
