//! The matrix the integrator solves with, and what it makes of the constraint rows.

use sinew_model::enums::{DisableBit, Integrator};
use sinew_model::{Data, Model};

use super::{Work, add_row};
use crate::constraint::jacobian_row;
use crate::derivative::smooth_vel;
use crate::inertia::{factor_i, solve_ld};
use crate::integrate::{euler_matrix, implicit_matrix};
use crate::sparse;

/// Whether the integrator solves with another matrix than M.
pub(super) fn uses_own_matrix(m: &Model) -> bool {
    m.opt.integrator == Integrator::Implicitfast
        || !m.opt.disabled(DisableBit::Eulerdamp)
            && !m.opt.disabled(DisableBit::Damper)
            && m.dof_damping.iter().any(|&b| b > 0.0)
}

/// Factors that matrix, in `qH` and `qHDiagInv`.
pub(super) fn factor(m: &Model, d: &mut Data) {
    if m.opt.integrator == Integrator::Implicitfast {
        smooth_vel(m, d, false);
        implicit_matrix(m, d, false);
    } else {
        let Data { qH, M, .. } = d;
        euler_matrix(m, M, qH);
    }
    let Data { qH, qHDiagInv, .. } = d;
    factor_i(m, qH, qHDiagInv);
}

/// In place x = M⁻¹ x, with the matrix of the integrator.
pub(super) fn solve_mass(m: &Model, d: &Data, own: bool, x: &mut [f64]) {
    if own {
        solve_ld(m, x, &d.qH, &d.qHDiagInv);
    } else {
        solve_ld(m, x, &d.qLD, &d.qLDiagInv);
    }
}

/// A = J M⁻¹ Jᵀ over the rows at hand, and -J v. Exactly symmetric.
pub(super) fn assemble(m: &Model, d: &Data, own: bool, work: &mut Work) {
    let Work { rows, matrix, demand, image, free, .. } = work;
    let n = rows.len();
    matrix.resize(n * n, 0.0);
    demand.clear();
    for (i, &r) in rows.iter().enumerate() {
        image.clear();
        image.resize(m.nv, 0.0);
        add_row(d, r, 1.0, image);
        solve_mass(m, d, own, image);
        for (j, &s) in rows[..=i].iter().enumerate() {
            let (ind, row) = jacobian_row(d, s);
            let entry = sparse::dot_index(ind, row, image);
            matrix[i * n + j] = entry;
            matrix[j * n + i] = entry;
        }
        let (ind, row) = jacobian_row(d, r);
        demand.push(-sparse::dot_index(ind, row, free));
    }

    // what nothing can move is left out: its Jacobian is rounding
    for (k, &r) in rows.iter().enumerate() {
        if !moves(d, r, matrix[k * n + k], ROUNDING) {
            for j in 0..n {
                matrix[k * n + j] = 0.0;
                matrix[j * n + k] = 0.0;
            }
            demand[k] = 0.0;
        }
    }
}

/// Share of its usual inverse mass below which that of a row is rounding.
const ROUNDING: f64 = 1e-12;

/// Whether a row with this inverse mass moves at least as easily as `share` of what is usual for it.
pub(super) fn moves(d: &Data, r: usize, inverse_mass: f64, share: f64) -> bool {
    // NaN moves, and is refused later
    inverse_mass.is_nan() || inverse_mass > share * d.efc_diagApprox[r]
}
