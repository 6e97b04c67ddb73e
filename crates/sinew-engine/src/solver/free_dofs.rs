//! Dofs that no constraint moves.

use sinew_model::Data;

/// Dofs in no island have the smooth acceleration.
pub(crate) fn free_dofs(d: &mut Data) {
    if d.nisland > 0 {
        let Data { qacc, qacc_smooth, map_idof2dof, .. } = d;
        for &dof in map_idof2dof.iter().skip(d.nidof) {
            qacc[dof as usize] = qacc_smooth[dof as usize];
        }
    }
}
