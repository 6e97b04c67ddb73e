//! The matrices of the implicit integrators: inertia and the derivatives of the forces.

use core::ops::Range;

use sinew_math::vector;
use sinew_model::{Data, DofId, Model};

use crate::later;

/// M + h B, as lower triangles, for the dofs of whole trees, given M and the velocities.
pub(crate) fn euler_matrix(
    m: &Model,
    dofs: Range<usize>,
    [inertia, vel]: [&[f64]; 2],
    out: &mut [f64],
) {
    let numbers = m.M_rows(dofs.clone());
    vector::copy(&mut out[numbers.clone()], &inertia[numbers]);
    let (adr, nnz) = (m.M_rowadr.rows(0..dofs.end), m.M_rownnz.rows(0..dofs.end));
    let damping = m.dof_damping.rows(0..dofs.end);
    for v in dofs {
        let damping = match m.later {
            None => damping[v],
            Some(_) => later::dof_damper(m, DofId::new(v)).drag_slope(vel[v]),
        };
        out[adr[v] as usize + nnz[v] as usize - 1] += m.opt.timestep * damping;
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
