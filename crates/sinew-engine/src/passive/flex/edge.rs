//! Springs and dampers along the edges of flexes.

use sinew_model::{Data, Model};

use crate::passive::flex::enabled::Enabled;
use crate::smooth::flex::edge::row;

/// Adds the forces along the edges that can stretch.
pub(super) fn spring_dampers(m: &Model, d: &mut Data, enabled: Enabled) {
    let Data { qfrc_spring, qfrc_damper, flexedge_J, flexedge_length, flexedge_velocity, .. } = d;
    for f in m.flexes() {
        let stiffness = if enabled.spring { m.flex_edgestiffness[f] } else { 0.0 };
        let damping = if enabled.damper { m.flex_edgedamping[f] } else { 0.0 };
        if m.flex_rigid[f].get() || (stiffness == 0.0 && damping == 0.0) {
            continue;
        }
        for edge in m.flex_edges(f).filter(|&e| !m.flexedge_rigid[e].get()) {
            let pull = stiffness * (m.flexedge_length0[edge] - flexedge_length[edge]);
            let drag = -damping * flexedge_velocity[edge];
            let row = row(m, edge);
            let entries = m.flexedge_J_colind.rows(row.clone()).iter().zip(flexedge_J.rows(row));
            for (&column, &x) in entries {
                qfrc_spring[column as usize] += x * pull;
                qfrc_damper[column as usize] += x * drag;
            }
        }
    }
}
