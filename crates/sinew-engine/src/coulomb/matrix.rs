//! The matrix that the integrator solves with, and the constraint rows in its terms.

use core::mem::take;

use sinew_math::ldl;
use sinew_model::enums::{DisableBit, Integrator};
use sinew_model::{Data, DofId, Model};

use super::work::Work;
use crate::constraint::jacobian_row;
use crate::derivative::{euler_matrix, implicit_matrix, smooth_vel};
use crate::later;
use crate::smooth::factor::m_rows;
use crate::smooth::inertia::{factor_i, solve_ld};
use crate::sparse;

/// Whether the integrator solves with another matrix than M.
pub(crate) fn uses_own_matrix(m: &Model) -> bool {
    m.opt.integrator == Integrator::Implicitfast
        || !m.opt.disabled(DisableBit::Eulerdamp)
            && !m.opt.disabled(DisableBit::Damper)
            && later::any_damper(m, 0..m.nv)
}

/// Factors that matrix, in `qH` and `qHDiagInv`.
pub(super) fn factor(m: &Model, d: &mut Data) {
    if m.opt.integrator == Integrator::Implicitfast {
        smooth_vel(m, d, false);
        implicit_matrix(m, d, false);
    } else {
        let Data { qH, M, qvel, .. } = d;
        euler_matrix(m, 0..m.nv, [M, qvel], qH);
    }
    let Data { qH, qHDiagInv, .. } = d;
    factor_i(m, qH, qHDiagInv);
}

/// In place x = M⁻¹ x, with the matrix of the integrator.
pub(crate) fn solve_mass(m: &Model, d: &Data, own: bool, x: &mut [f64]) {
    if own {
        solve_ld(m, x, &d.qH, &d.qHDiagInv);
    } else {
        solve_ld(m, x, &d.qLD, &d.qLDiagInv);
    }
}

/// The rows J L⁻¹ D^-½ of a factor of A, scaled, the diagonal of A, and -J v.
pub(super) fn factor_rows(m: &Model, d: &Data, own: bool, work: &mut Work) {
    let Work { rows, half, diagonal, demand, image, free, chain, values, .. } = work;
    let (factor, inverse) =
        if own { (d.qH.flat(), &d.qHDiagInv) } else { (d.qLD.flat(), &d.qLDiagInv) };
    half.clear();
    diagonal.clear();
    demand.clear();
    // zero, before and after
    image.resize(m.nv, 0.0);
    let mut last: &[i32] = &[];
    for &r in &*rows {
        // the dofs it moves and the dofs above them, in rising order; mostly the same as in the row
        // before
        let (ind, row) = jacobian_row(d, r);
        demand.push(-sparse::dot_index(ind, row, free));
        if ind != last || ind.is_empty() {
            chain.clear();
            chain.extend(ind.iter().map(|&i| i as u32));
            add_ancestors(m, chain);
            last = ind;
        }
        add_row(d, r, 1.0, image);

        // from the leaves to the root
        ldl::solve_transposed_on(&m_rows(m), factor, chain, image.as_chunks_mut::<1>().0);
        values.clear();
        let root = |v: u32| inverse[v as usize].sqrt();
        values.extend(chain.iter().map(|&v| take(&mut image[v as usize]) * root(v)));
        half.push_slices(chain, values);
        let mass: f64 = values.iter().map(|x| x * x).sum();

        // a row that nothing can move is left out: its Jacobian is rounding
        if !moves(d, r, mass, ROUNDING) {
            half.scale_row(half.len() - 1, 0.0);
            demand[half.len() - 1] = 0.0;
        }
        diagonal.push(if moves(d, r, mass, ROUNDING) { mass } else { 0.0 });
    }

    // units in which A is of order one
    let mass = rows.len() as f64 / diagonal.iter().sum::<f64>();
    if mass.is_finite() && mass > 0.0 {
        (0..half.len()).for_each(|k| half.scale_row(k, mass.sqrt()));
    }
    work.mass = mass;
}

/// Completes dofs in rising order by those above them.
fn add_ancestors(m: &Model, chain: &mut Vec<u32>) {
    let own = chain.len();
    for k in 0..own {
        let mut dof = DofId::new(chain[k] as usize);
        while let Some(up) = m.dof_parentid[dof].get() {
            let index = up.idx() as u32;
            if chain[..own].binary_search(&index).is_ok() || chain[own..].contains(&index) {
                break;
            }
            chain.push(index);
            dof = up;
        }
    }
    if chain.len() > own {
        chain.sort_unstable();
    }
}

/// Share of its usual inverse mass below which a row's inverse mass is rounding.
const ROUNDING: f64 = 1e-12;

/// Whether the inverse mass of a row is at least `share` of the row's usual inverse mass.
pub(super) fn moves(d: &Data, r: usize, inverse_mass: f64, share: f64) -> bool {
    // NaN moves, and is refused later
    inverse_mass.is_nan() || inverse_mass > share * d.efc_diagApprox[r]
}

/// Adds a row of the Jacobian, scaled, to a vector over the dofs.
pub(super) fn add_row(d: &Data, r: usize, scale: f64, out: &mut [f64]) {
    let (ind, row) = jacobian_row(d, r);
    for (&i, x) in ind.iter().zip(row) {
        out[i as usize] += x * scale;
    }
}
