//! Bending of cloth.
//!
//! An inner edge with the two triangles at it is a hinge. The energy is quadratic in the places of
//! the four vertices, with an additional part for a cloth that is curved at rest. Wardetzky et al.,
//! "Discrete quadratic curvature energies" (2007).

use sinew_math::Vec3;
use sinew_model::{BodyId, Data, FlexId, Model};

use crate::passive::flex::enabled::Enabled;

/// Adds the bending forces of a cloth.
///
/// As in MuJoCo, dofs of a vertex are assumed to slide along the world's axes.
pub(super) fn plate(m: &Model, d: &mut Data, f: FlexId, enabled: Enabled) {
    let verts = m.flex_verts(f);
    for edge in m.flex_edges(f) {
        let ([v0, v1], [v2, v3]) = (m.flex_edge[edge], m.flex_edgeflap[edge]);
        if v3 == -1 {
            continue; // at the border
        }
        let hinge = [v0, v1, v2, v3].map(|v| verts.start + v as usize);
        let bodies = hinge.map(|v| m.flex_vert_body(v));
        let b = &m.flex_bending[edge];

        // spring: B x, and the part of the curvature at rest; damper: B ẋ
        let pos = hinge.map(|v| d.flexvert_xpos[v]);
        let curved = curvature_gradient(&pos).map(|g| g * b[16]);
        let spring = times(b, &pos);
        let spring: [Vec3; 4] = core::array::from_fn(|i| spring[i] + curved[i]);
        let damper = times(b, &bodies.map(|body| velocity(m, d, body)));

        if enabled.spring {
            subtract(m, &bodies, &spring, 1.0, &mut d.qfrc_spring);
        }
        if enabled.damper {
            subtract(m, &bodies, &damper, m.flex_damping[f], &mut d.qfrc_damper);
        }
    }
}

/// Gradient of the volume between the four vertices of a hinge.
fn curvature_gradient(pos: &[Vec3; 4]) -> [Vec3; 4] {
    let [a, b, c] = [1, 2, 3].map(|k: usize| pos[k] - pos[0]);
    let (g1, g2, g3) = (b.cross(c), c.cross(a), a.cross(b));
    [-(g1 + g2 + g3), g1, g2, g3]
}

/// The 4 × 4 matrix of a hinge times a vector at each vertex.
fn times(b: &[f64; 17], x: &[Vec3; 4]) -> [Vec3; 4] {
    core::array::from_fn(|i| (0..4).fold(Vec3::ZERO, |sum, j| sum + x[j] * b[4 * i + j]))
}

/// The first three velocities of a body.
///
/// MuJoCo reads them without asking whether there are any. For a body without dofs, which has a
/// pinned vertex, MuJoCo thereby reads the number before `qvel` and the first two velocities of the
/// model. The number is the last position if it fills its line of memory, else zero.
fn velocity(m: &Model, d: &Data, body: BodyId) -> Vec3 {
    let at = |k: usize| d.qvel.get(k).copied().unwrap_or(0.0);
    match m.body_dofadr[body].get() {
        Some(dof) => Vec3::new(at(dof.idx()), at(dof.idx() + 1), at(dof.idx() + 2)),
        None => {
            let line = size_of::<[f64; 8]>() / size_of::<f64>();
            let before = d.qpos.last().filter(|_| m.nq.is_multiple_of(line)).copied();
            Vec3::new(before.unwrap_or(0.0), at(0), at(1))
        }
    }
}

/// Subtracts the forces on the vertices from the forces on their bodies' dofs.
///
/// A body may have more than three dofs if a vertex is pinned to it; MuJoCo then continues with the
/// forces of the next vertices.
fn subtract(m: &Model, bodies: &[BodyId; 4], force: &[Vec3; 4], scale: f64, qfrc: &mut [f64]) {
    for (i, &body) in bodies.iter().enumerate() {
        let dofs = m.body_dof_range(body);
        if let Ok(qfrc) = <&mut [f64; 3]>::try_from(&mut qfrc[dofs.clone()]) {
            for (qfrc, x) in qfrc.iter_mut().zip(force[i].to_array()) {
                *qfrc -= x * scale;
            }
            continue;
        }
        for (x, qfrc) in qfrc[dofs].iter_mut().enumerate() {
            let k = 3 * i + x;
            *qfrc -= force.get(k / 3).map_or(0.0, |force| force[k % 3]) * scale;
        }
    }
}
