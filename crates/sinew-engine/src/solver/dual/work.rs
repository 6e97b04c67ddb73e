//! The common part of the solvers in the space of the constraint rows.
//!
//! The solvers minimise ½ fᵀ A f + fᵀ b, one constraint after the other. The residual A f + b is
//! kept up to date for all rows. A force that does not change costs nothing, and a changed force
//! adds its row of A.

use sinew_math::vector;
use sinew_model::enums::ConstraintState;
use sinew_model::options::SolverStat;
use sinew_model::{Data, Model};

use super::cone::{FrictionCone, Softness, find_cones, segments};
use super::matrix::{BLOCK, Matrix, Runs, add_product};
use crate::constraint::mul_jac_t_vec;
use crate::smooth::inertia::solve_ld;
use crate::solver::stats::{NO_STAT, save_stat};
use crate::work::scratch;

/// A change of cost above this is a failure of rounding; the force is then left as it was.
pub(crate) const COST_GROWTH: f64 = 1e-10;

/// Memory of the dual solvers from step to step.
#[derive(Debug, Default)]
pub(crate) struct DualWork {
    pub(crate) runs: Runs,
    /// A f + b of each row.
    pub(crate) residual: Vec<f64>,
    /// Contacts with elliptic cones.
    pub(crate) cones: Vec<FrictionCone>,
    /// Blocks of A for the cones, see `Cone::block`.
    pub(crate) blocks: Vec<f64>,
    /// Rows of dry friction, for noslip.
    pub(crate) rows: Vec<Simple>,
    /// Neighbouring rows on their own, updated together.
    pub(crate) row_blocks: Vec<RowBlock>,
    /// Pairs of opposite edges of pyramids.
    pub(crate) edges: Vec<Edges>,
    /// J q̈ - aref where the search starts.
    pub(crate) jar: Vec<f64>,
}

/// A row on its own: its force is the best one within bounds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Simple {
    /// Of the number on the diagonal of A.
    pub(crate) inv_diag: f64,
    /// The least and the greatest force.
    pub(crate) bounds: [f64; 2],
}

impl Simple {
    /// The best force, where the residual is `res`.
    #[inline]
    pub(crate) fn best(&self, force: f64, res: f64) -> f64 {
        self.within(force - res * self.inv_diag)
    }

    /// The force within the bounds that is nearest to the best one without.
    #[inline]
    pub(crate) fn within(&self, best: f64) -> f64 {
        let [low, high] = self.bounds;
        if best < low {
            low
        } else if best > high {
            high
        } else {
            best
        }
    }
}

/// Neighbouring rows on their own whose rows of A have the same stretches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowBlock {
    /// The first row.
    pub(crate) row: usize,
    /// Number of rows.
    pub(crate) n: usize,
    /// How the force of each is found.
    pub(crate) rows: [Simple; BLOCK],
    /// Their block of A.
    pub(crate) a: [[f64; BLOCK]; BLOCK],
}

/// Two opposite edges of a pyramid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edges {
    /// The first edge; the second comes after it.
    pub(crate) row: usize,
    /// Their block of A, without R.
    pub(crate) a: [f64; 4],
}

impl DualWork {
    /// Finds the rows of A, the cones and their blocks, and the residuals.
    ///
    /// Reads `efc_AR`, `efc_R`, `efc_b`, `efc_force`.
    pub(crate) fn prepare(&mut self, d: &Data, softness: Softness) {
        self.runs.find(d);
        let a = Matrix { values: d.efc_AR.flat(), runs: &self.runs };
        find_cones(d, a, softness, &mut self.cones, &mut self.blocks);
        self.residual.clear();
        self.residual.extend_from_slice(&d.efc_b);
        add_product(a, &d.efc_force, &mut self.residual);
    }
}

/// The change of cost from `old` to `force`, with the residual at `old`: ½ Δᵀ A Δ + Δᵀ res. Where
/// it grows, `force` becomes `old`. `a` has rows of the length of the force.
#[inline(always)]
pub(crate) fn cost_change(a: &[f64], force: &mut [f64], old: &[f64], res: &[f64]) -> f64 {
    let n = force.len();
    let mut delta = [0.0; 6];
    for k in 0..n {
        delta[k] = force[k] - old[k];
    }
    let delta = &delta[..n];
    let mut quadratic = 0.0;
    for (k, row) in a.chunks_exact(n.max(1)).enumerate() {
        quadratic += delta[k] * vector::dot(row, delta);
    }
    let change = 0.5 * quadratic + vector::dot(delta, res);
    if change > COST_GROWTH {
        force.copy_from_slice(old);
        return 0.0;
    }
    change
}

/// Sets the states after a sweep and keeps its statistics.
pub(crate) fn end_sweep(d: &mut Data, cones: &[FrictionCone], iter: usize, improvement: f64) {
    let (nactive, nchange) = update_states(d, cones);
    save_stat(&mut d.solver, 0, iter, SolverStat { improvement, nactive, nchange, ..NO_STAT });
}

/// Sets `efc_state` from the forces; how many rows are active, and how many have changed.
pub(crate) fn update_states(d: &mut Data, cones: &[FrictionCone]) -> (i32, i32) {
    let Data { efc_force, efc_frictionloss, efc_state, ne, nf, nefc, .. } = d;
    let (force, state) = (efc_force.rows(0..*nefc), efc_state.rows_mut(0..*nefc));
    let (mut active, mut changes) = (0, 0);
    let mut set = |old: &mut ConstraintState, state: ConstraintState, is_active: bool| {
        active += i32::from(is_active);
        changes += i32::from(*old != state);
        *old = state;
    };

    // equalities, then dry friction
    let pushing = (*ne + *nf).min(*nefc);
    let equalities = (*ne).min(pushing);
    for state in &mut state[..equalities] {
        set(state, ConstraintState::Quadratic, true);
    }
    for r in equalities..pushing {
        let loss = efc_frictionloss[r];
        let zone = if force[r] <= -loss {
            ConstraintState::Linearpos
        } else if force[r] >= loss {
            ConstraintState::Linearneg
        } else {
            ConstraintState::Quadratic
        };
        set(&mut state[r], zone, true);
    }

    // rows that push, and the cone behind them
    for (rows, cone) in segments(cones, *nefc) {
        let rows = rows.start.max(pushing).min(rows.end)..rows.end;
        for (state, &force) in state[rows.clone()].iter_mut().zip(&force[rows]) {
            let pushes = force > 0.0 || force.is_nan();
            let zone = if pushes { ConstraintState::Quadratic } else { ConstraintState::Satisfied };
            set(state, zone, pushes);
        }
        if let Some(cone) = cone {
            let rows = cone.row..cone.row + cone.dim;
            let zone = cone.state(&force[rows.clone()]);
            for state in &mut state[rows] {
                set(state, zone, zone != ConstraintState::Satisfied);
            }
        }
    }
    (active, changes)
}

/// From row forces to forces and accelerations of the dofs.
///
/// Reads `efc_force`, `qacc_smooth`. Writes `qfrc_constraint`, `qacc`.
pub(crate) fn finish(m: &Model, d: &mut Data) {
    let mut qfrc = scratch(d).take_dof(m.nv);
    mul_jac_t_vec(d, &mut qfrc, &d.efc_force);
    d.qfrc_constraint.copy_from_slice(&qfrc);
    scratch(d).dof = qfrc;
    d.qacc.copy_from_slice(&d.qfrc_constraint);
    solve_ld(m, &mut d.qacc, &d.qLD, &d.qLDiagInv);
    for (qacc, smooth) in d.qacc.iter_mut().zip(d.qacc_smooth.iter()) {
        *qacc += smooth;
    }
}
