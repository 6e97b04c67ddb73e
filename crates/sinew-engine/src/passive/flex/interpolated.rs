//! Elasticity of a flex that is interpolated between nodes: linear in the frame that turns with it.

use sinew_math::{Vec3, vector};
use sinew_model::{Data, FlexId, Model};

use crate::passive::flex::enabled::Enabled;
use crate::smooth::flex::basis::{Corotated, MAX_NODES};
use crate::smooth::jacobian::{PointForce, add_point_force};

/// Adds the elastic forces of a flex: K (x - x0) and its damping in the frame of the flex, turned
/// back to the world. `flex_stiffness` holds -K.
pub(super) fn elasticity(m: &Model, d: &mut Data, f: FlexId, enabled: Enabled) {
    let nodes = m.flex_nodes(f);
    let state = Corotated::new(m, d, f);
    let rest = m.flex_node0.rows(nodes.clone());
    let mut displaced = [Vec3::ZERO; MAX_NODES];
    for ((out, pos), rest) in displaced.iter_mut().zip(state.pos).zip(rest) {
        *out = pos + *rest * -1.0;
    }
    let spring = stiffness_times(m, f, &displaced[..state.count]);
    let damper = stiffness_times(m, f, &state.velocities(m, d, f)[..state.count]);

    let back = state.turn.conj();
    for (k, node) in nodes.enumerate() {
        let body = m.flex_nodebodyid[node];
        let forces = [back.rotate(spring[k]), back.rotate(damper[k]) * m.flex_damping[f]];
        let Data { cdof, subtree_com, qfrc_spring, qfrc_damper, .. } = &mut *d;
        for (qfrc, force, enabled) in
            [(qfrc_spring, forces[0], enabled.spring), (qfrc_damper, forces[1], enabled.damper)]
        {
            if !enabled {
                continue;
            }
            if m.flex_centered[f].get() {
                let first = m.body_dof_range(body).start;
                for (qfrc, x) in qfrc.rows_mut(first..first + 3).iter_mut().zip(force.to_array()) {
                    *qfrc += x;
                }
            } else {
                // MuJoCo lets the force act at the place of the node in the turned frame
                let at = PointForce { force, point: state.pos[k], body };
                add_point_force(m, cdof, subtree_com, at, qfrc);
            }
        }
    }
}

/// The stiffness matrix of a flex times a vector at each node.
pub(crate) fn stiffness_times(m: &Model, f: FlexId, x: &[Vec3]) -> [Vec3; MAX_NODES] {
    let mut out = [Vec3::ZERO; MAX_NODES];
    let n = 3 * x.len();
    let mut flat = [0.0; 3 * MAX_NODES];
    for (flat, x) in flat.chunks_exact_mut(3).zip(x) {
        flat.copy_from_slice(&x.to_array());
    }
    let first = 21 * m.flex_elems(f).start;
    let Some(matrix) = m.flex_stiffness.flat().get(first..first + n * n) else { return out };
    for (k, row) in matrix.chunks_exact(n).enumerate() {
        out[k / 3][k % 3] = vector::dot(row, &flat[..n]);
    }
    out
}
