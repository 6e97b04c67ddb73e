//! Equality and limit constraints as soft rows, with forces found exactly.
//!
//! A row wants J q̈ = aref and pays with the force f = -(J q̈ - aref) / R: equalities always, limits
//! only when that pushes. Length-range estimation simulates with these rows alone.
//! Theory: MuJoCo docs, "Computation / Constraint model".

mod impedance;
mod pivot;
mod product;
mod project;
mod rows;

use sinew_math::vector;
use sinew_model::{Data, Model};

use crate::inertia::solve_ld;

pub(crate) use product::jacobian_row;
pub use product::{mul_jac_t_vec, mul_jac_vec};
pub use project::project_constraint;
pub(crate) use rows::{Rows, Unsupported};

/// Buffers of the solve, kept between steps.
#[derive(Debug, Default)]
pub(crate) struct ExactSolver {
    rows: Rows,
    /// M⁻¹ Jᵀ, a row of `nv` numbers for each constraint row.
    inv_m_jt: Vec<f64>,
    problem: pivot::Problem,
}

impl ExactSolver {
    /// Constraint forces and the acceleration with them.
    ///
    /// Reads the position and velocity stages, `qacc_smooth`. Writes `qacc`, `qfrc_constraint`.
    pub(crate) fn solve(&mut self, m: &Model, d: &mut Data) -> Result<(), Unsupported> {
        d.qfrc_constraint.fill(0.0);
        d.qacc.copy_from_slice(&d.qacc_smooth);
        self.rows.make(m, d)?;
        let n = self.rows.len();
        if n == 0 {
            return Ok(());
        }

        // A = J M⁻¹ Jᵀ + R,  b = J q̈_smooth - aref
        let nv = m.nv;
        self.inv_m_jt.clear();
        self.inv_m_jt.extend_from_slice(self.rows.jacobian());
        solve_ld(m, &mut self.inv_m_jt, &d.qLD, &d.qLDiagInv);
        self.problem.reset(n);
        for i in 0..n {
            let jac = self.rows.jacobian_row(i);
            for j in 0..=i {
                let solved = &self.inv_m_jt[j * nv..(j + 1) * nv];
                self.problem.set(i, j, vector::dot(jac, solved));
            }
            let row = self.rows.row(i);
            self.problem.add_diagonal(i, row.r);
            self.problem.set_side(i, row.one_sided, vector::dot(jac, &d.qacc_smooth) - row.aref);
        }

        // q̈ = q̈_smooth + M⁻¹ Jᵀ f
        for (i, &f) in self.problem.solve().iter().enumerate() {
            if f != 0.0 {
                vector::add_scaled(&mut d.qfrc_constraint, self.rows.jacobian_row(i), f);
                vector::add_scaled(&mut d.qacc, &self.inv_m_jt[i * nv..(i + 1) * nv], f);
            }
        }
        Ok(())
    }
}

/// Makes the constraint rows of position.
///
/// Reads `contact` and the position stage. Writes `ne`, `nf`, `nl`, `nefc`, the `efc_*` lists that
/// depend on position, and `efc_address` of each contact.
#[doc(alias = "mj_makeConstraint")]
pub fn make_constraint(_m: &Model, d: &mut Data) {
    (d.ne, d.nf, d.nl, d.nefc, d.nJ) = (0, 0, 0, 0, 0);
}

/// Velocity and reference acceleration of the constraint rows.
///
/// Reads the rows, `qvel`. Writes `efc_vel`, `efc_aref`.
#[doc(alias = "mj_referenceConstraint")]
pub fn reference_constraint(_m: &Model, _d: &mut Data) {}
