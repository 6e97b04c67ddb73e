//! The matrix the integrator solves with, and what it makes of the constraint rows.

use core::mem::take;

use sinew_cone::SparseRows;
use sinew_model::enums::{DisableBit, Integrator};
use sinew_model::{Data, DofId, Model};

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

/// With more entries than this, 1448 rows, A is not made: sweeps work on its sparse factor.
const MAX_ENTRIES: usize = 1 << 21;

/// The rows J L⁻¹ D^-½ of a factor of A, its diagonal, and -J v.
pub(super) fn halve(m: &Model, d: &Data, own: bool, work: &mut Work) {
    let Work { rows, half, diagonal, demand, image, free, chain, .. } = work;
    let (factor, inverse) =
        if own { (d.qH.flat(), &d.qHDiagInv) } else { (d.qLD.flat(), &d.qLDiagInv) };
    let colind = &*m.M_colind;
    half.clear();
    diagonal.clear();
    demand.clear();
    image.clear();
    image.resize(m.nv, 0.0);
    for &r in &*rows {
        // the dofs it moves and those above them, in rising order
        let (ind, row) = jacobian_row(d, r);
        demand.push(-sparse::dot_index(ind, row, free));
        chain.clear();
        chain.extend(ind.iter().map(|&i| i as u32));
        add_ancestors(m, chain);
        add_row(d, r, 1.0, image);

        // from the leaves to the root
        for &v in chain.iter().rev() {
            let x = image[v as usize];
            let start = m.M_rowadr[v as usize] as usize;
            let above = start..start + m.M_rownnz[v as usize] as usize - 1;
            for (l, up) in factor[above.clone()].iter().zip(&colind[above]) {
                image[up.idx()] -= l * x;
            }
        }
        let root = |v: u32| inverse[v as usize].sqrt();
        half.push(chain.iter().map(|&v| (v, take(&mut image[v as usize]) * root(v))));
        let mass: f64 = half.row(half.len() - 1).1.iter().map(|x| x * x).sum();

        // what nothing can move is left out: its Jacobian is rounding
        if !moves(d, r, mass, ROUNDING) {
            half.scale_row(half.len() - 1, 0.0);
            demand[half.len() - 1] = 0.0;
        }
        diagonal.push(if moves(d, r, mass, ROUNDING) { mass } else { 0.0 });
    }
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

/// A over some of the rows at hand, times `scale`. Exactly symmetric. False, and none, if it would
/// be too large.
pub(super) fn assemble(
    half: &SparseRows,
    list: impl ExactSizeIterator<Item = usize> + Clone,
    scale: f64,
    image: &mut [f64],
    matrix: &mut Vec<f64>,
) -> bool {
    let n = list.len();
    matrix.clear();
    if n.saturating_mul(n) > MAX_ENTRIES {
        return false;
    }
    matrix.resize(n * n, 0.0);
    image.fill(0.0);
    for (i, r) in list.clone().enumerate() {
        half.add_to(r, scale, image);
        let (columns, _) = half.row(r);
        let (first, last) = (columns.first(), columns.last());
        for (j, s) in list.clone().take(i + 1).enumerate() {
            let (others, _) = half.row(s);
            if others.last() < first || others.first() > last {
                continue;
            }
            let entry = half.dot(s, image);
            matrix[i * n + j] = entry;
            matrix[j * n + i] = entry;
        }
        for &c in columns {
            image[c as usize] = 0.0;
        }
    }
    true
}

/// Share of its usual inverse mass below which that of a row is rounding.
const ROUNDING: f64 = 1e-12;

/// Whether a row with this inverse mass moves at least as easily as `share` of what is usual for it.
pub(super) fn moves(d: &Data, r: usize, inverse_mass: f64, share: f64) -> bool {
    // NaN moves, and is refused later
    inverse_mass.is_nan() || inverse_mass > share * d.efc_diagApprox[r]
}
