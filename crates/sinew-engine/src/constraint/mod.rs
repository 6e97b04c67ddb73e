//! Equality and limit constraints as soft rows, with forces found exactly.
//!
//! A row wants J q̈ = aref and pays with the force f = -(J q̈ - aref) / R: equalities always, limits
//! only when that pushes. Length-range estimation simulates with these rows alone.
//! Theory: MuJoCo docs, "Computation / Constraint model".

mod chain;
mod contact;
mod equality;
mod friction;
mod impedance;
mod limit;
mod lists;
mod pivot;
mod product;
mod project;
mod rows;
mod scalar_row;
mod seed;

use sinew_math::vector;
use sinew_model::enums::DisableBit;
use sinew_model::{Data, Model};

use crate::inertia::solve_ld;

use product::mul_jac_vec_dense;
pub use product::{jacobian_row, mul_jac_t_vec, mul_jac_vec};
pub use project::{inertia_row, is_dual, project_constraint};
use rows::Rows;
pub(crate) use seed::Unsupported;

/// Buffers of the solve, kept between steps.
#[derive(Debug, Default)]
pub(crate) struct ExactSolver {
    rows: seed::Rows,
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
pub fn make_constraint(m: &Model, d: &mut Data) {
    (d.ne, d.nf, d.nl, d.nefc, d.nJ, d.nA) = (0, 0, 0, 0, 0, 0);
    let mut rows = Rows::take(d);
    d.tendon_efcadr.resize(m.ntendon);
    d.tendon_efcadr.fill(-1);
    if !m.opt.disabled(DisableBit::Constraint) && m.nv > 0 {
        append_all(m, d, &mut rows);
    }
    rows.put_back(d);
    resize_results(d);
    d.maxuse_con = d.maxuse_con.max(d.contact.len());
    d.maxuse_efc = d.maxuse_efc.max(d.nefc);
}

/// Rows of all kinds, in MuJoCo's order, and how many there are of each.
fn append_all(m: &Model, d: &mut Data, rows: &mut Rows) {
    if !m.opt.disabled(DisableBit::Equality) && m.nemax > 0 {
        equality::equalities(m, d, rows);
    }
    d.ne = rows.len();
    if !m.opt.disabled(DisableBit::Frictionloss) {
        friction::dry_friction(m, d, rows);
    }
    d.nf = rows.len() - d.ne;
    if !m.opt.disabled(DisableBit::Limit) {
        limit::limits(m, d, rows);
    }
    d.nl = rows.len() - d.ne - d.nf;
    if !m.opt.disabled(DisableBit::Contact) {
        contact::contacts(m, d, rows);
    }
}

/// Gives the lists that later stages fill one entry per row.
fn resize_results(d: &mut Data) {
    for list in [&mut d.efc_vel, &mut d.efc_aref, &mut d.efc_b, &mut d.efc_force] {
        list.resize(d.nefc);
    }
    d.efc_state.resize(d.nefc);
}

/// Velocity and reference acceleration of the constraint rows.
///
/// Reads the rows, `qvel`. Writes `efc_vel`, `efc_aref`.
#[doc(alias = "mj_referenceConstraint")]
pub fn reference_constraint(m: &Model, d: &mut Data) {
    let mut vel = core::mem::take(&mut d.efc_vel);
    vel.resize(d.nefc);
    if m.is_sparse() {
        mul_jac_vec(d, &mut vel, &d.qvel);
    } else {
        mul_jac_vec_dense(d, &mut vel, &d.qvel);
    }
    d.efc_vel = vel;

    // aref = -B vel - K imp (pos - margin)
    d.efc_aref.resize(d.nefc);
    let Data { efc_aref, efc_vel, efc_KBIP, efc_pos, efc_margin, .. } = d;
    for r in 0..efc_aref.len() {
        let [k, b, imp, _] = efc_KBIP[r];
        efc_aref[r] = -b * efc_vel[r] - k * imp * (efc_pos[r] - efc_margin[r]);
    }
}
