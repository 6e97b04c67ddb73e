//! The matrices of the implicit integrators: inertia and the derivatives of the forces.

use core::ops::Range;

use sinew_model::{Data, DofId, Model};

/// M + h B, as lower triangles, for the dofs of whole trees.
pub(crate) fn euler_matrix(m: &Model, dofs: Range<usize>, inertia: &[f64], out: &mut [f64]) {
    let numbers = m.M_rows(dofs.clone());
    out[numbers.clone()].copy_from_slice(&inertia[numbers]);
    for v in dofs.map(DofId::new) {
        out[m.M_row(v).end - 1] += m.opt.timestep * m.dof_damping[v];
    }
}

/// M - h D: in `qLU` in full, or its lower triangle in `qH`.
///
/// Reads `M`, `qDeriv`.
pub(crate) fn implicit_matrix(m: &Model, d: &mut Data, full: bool) {
    let h = m.opt.timestep;
    let Data { qLU, qH, qDeriv, M, .. } = d;
    if full {
        for ((x, &k), &deriv) in qLU.iter_mut().zip(m.mapM2D.iter()).zip(qDeriv.iter()) {
            let inertia = usize::try_from(k).map_or(0.0, |k| M[k]);
            *x = inertia + deriv * -h;
        }
    } else {
        for ((x, &k), &inertia) in qH.iter_mut().zip(m.mapD2M.iter()).zip(M.iter()) {
            *x = inertia + qDeriv[k as usize] * -h;
        }
    }
}
