//! Inverse weights of bodies and dofs: how far a unit force moves them.

use sinew_math::{MINVAL, ldl, vector};
use sinew_model::{BodyId, Data, DofId, Model};

use super::error::ConstError;
use crate::smooth::factor::m_rows;
use crate::smooth::inertia::solve_m;
use crate::smooth::jacobian::jac_body_com;

/// Mean diagonal of J M⁻¹ Jᵀ over translation and over rotation of each body.
pub(super) fn set_bodies(m: &mut Model, d: &Data) -> Result<(), ConstError> {
    let nv = m.nv;
    let mut jac = vec![0.0; 6 * nv];
    let mut system = System::<6>::new(m, d);
    for b in m.bodies() {
        m.body_invweight0[b] = if m.body_weldid[b] == BodyId::WORLD {
            [0.0, 0.0]
        } else if m.body_simple[b] == 2 {
            [inverse_mass(m, b)?, 0.0]
        } else {
            let (jacp, jacr) = jac.split_at_mut(3 * nv);
            jac_body_com(m, d, Some(jacp), Some(jacr), b);
            let diag = system.diagonal(m, d, &jac, m.body_last_dof(b));
            let tran = (diag[0] + diag[1] + diag[2]) / 3.0;
            let rot = (diag[3] + diag[4] + diag[5]) / 3.0;
            // one of them alone stands for both, so that no constraint degenerates
            if tran < MINVAL && rot > MINVAL {
                [rot, rot]
            } else if rot < MINVAL && tran > MINVAL {
                [tran, tran]
            } else {
                [tran, rot]
            }
        };
    }
    Ok(())
}

/// Inverse of a body's mass; an error if it has none.
fn inverse_mass(m: &Model, b: BodyId) -> Result<f64, ConstError> {
    let mass = m.body_mass[b];
    if mass == 0.0 {
        return Err(ConstError::NoMass(b));
    }
    Ok(1.0 / if MINVAL > mass { MINVAL } else { mass })
}

/// Mean diagonal of M⁻¹ over the dofs of each joint; apart for the two halves of a free joint.
pub(super) fn set_dofs(m: &mut Model, d: &Data) -> Result<(), ConstError> {
    let (mut one, mut three) = (System::<1>::new(m, d), System::<3>::new(m, d));
    let mut unit = vec![0.0; 3 * m.nv];
    for j in m.joints() {
        let body = m.jnt_bodyid[j];
        let first = m.jnt_dofadr[j];
        if m.body_simple[body] == 2 {
            m.dof_invweight0[first] = inverse_mass(m, body)?;
            continue;
        }

        // three dofs at a time, or one
        let dofs = m.jnt_dofs(j).map(DofId::idx).collect::<Vec<_>>();
        for dofs in dofs.chunks(3) {
            let last = dofs.last().map(|&v| DofId::new(v));
            dofs.iter().enumerate().for_each(|(k, v)| unit[k * m.nv + v] = 1.0);
            let weight = match dofs.len() {
                3 => {
                    let diag = three.diagonal(m, d, &unit, last);
                    (diag[0] + diag[1] + diag[2]) / 3.0
                }
                _ => one.diagonal(m, d, &unit[..m.nv], last)[0],
            };
            dofs.iter().enumerate().for_each(|(k, v)| unit[k * m.nv + v] = 0.0);
            dofs.iter().for_each(|&v| m.dof_invweight0[v] = weight);
        }
    }
    Ok(())
}

/// Solves systems with M for `N` right-hand sides that are zero but for a dof and its ancestors.
struct System<const N: usize> {
    /// Whether M has an inverse; without one NaN must spread as it does in MuJoCo.
    is_regular: bool,
    /// The dof and its ancestors, rising.
    dofs: Vec<u32>,
    /// The right-hand sides side by side, then the solutions.
    wide: Vec<[f64; N]>,
    /// The solutions one after the other.
    solved: Vec<f64>,
}

impl<const N: usize> System<N> {
    fn new(m: &Model, d: &Data) -> System<N> {
        System {
            is_regular: d.qLDiagInv.iter().all(|x| x.is_finite()),
            dofs: Vec::new(),
            wide: vec![[0.0; N]; m.nv],
            solved: vec![0.0; N * m.nv],
        }
    }

    /// Diagonal of J M⁻¹ Jᵀ, for `N` rows of J that are zero but for `last` and its ancestors.
    fn diagonal(&mut self, m: &Model, d: &Data, jac: &[f64], last: Option<DofId>) -> [f64; N] {
        if self.is_regular {
            self.solve_on_ancestors(m, d, jac, last);
        } else {
            solve_m(m, d, &mut self.solved, jac);
        }
        core::array::from_fn(|k| {
            let row = k * m.nv..(k + 1) * m.nv;
            vector::dot(&jac[row.clone()], &self.solved[row])
        })
    }

    /// M⁻¹ Jᵀ where J is not zero; the other numbers are not read.
    fn solve_on_ancestors(&mut self, m: &Model, d: &Data, jac: &[f64], last: Option<DofId>) {
        let Self { dofs, wide, solved, .. } = self;
        dofs.clear();
        dofs.extend(last.into_iter().flat_map(|v| m.dof_chain(v)).map(|v| v.idx() as u32));
        dofs.reverse();
        for v in dofs.iter().map(|&v| v as usize) {
            wide[v] = core::array::from_fn(|k| jac[k * m.nv + v]);
        }
        ldl::solve_on(&m_rows(m), &d.qLD, &d.qLDiagInv, dofs, wide);
        for v in dofs.iter().map(|&v| v as usize) {
            (0..N).for_each(|k| solved[k * m.nv + v] = wide[v][k]);
        }
    }
}
