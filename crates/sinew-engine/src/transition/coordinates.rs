//! Changes of `qpos` and of the dofs.
//!
//! An orientation q changes by ½ q ⊗ (0, δ) when its dofs change by δ. A step uses q / |q|, so that
//! a change dq means δ = 2 vec(conj(q) ⊗ dq) / |q|².

use sinew_math::Quat;
use sinew_model::Model;
use sinew_model::enums::JointType;

/// The numbers of a joint: those with one dof each, and an orientation.
struct Parts {
    /// First of `qpos` and first dof.
    first: [usize; 2],
    straight: usize,
    turns: bool,
}

fn parts(m: &Model) -> impl Iterator<Item = Parts> + '_ {
    m.joints().map(|j| {
        let first = [m.jnt_qpos(j).start, m.jnt_dofadr[j].idx()];
        let (straight, turns) = match m.jnt_type[j] {
            JointType::Free => (3, true),
            JointType::Ball => (0, true),
            _ => (1, false),
        };
        Parts { first, straight, turns }
    })
}

/// q ⊗ (0, e) for the three axes e, of the unit quaternion along q, and the length of q.
fn axes(qpos: &[f64]) -> ([[f64; 4]; 3], f64) {
    let (unit, length) = Quat::from_slice(qpos).normalize();
    let axis = |k: usize| {
        let mut e = [0.0; 4];
        e[k + 1] = 1.0;
        (unit * Quat::from_slice(&e)).to_array()
    };
    ([axis(0), axis(1), axis(2)], length)
}

fn dot(a: &[f64; 4], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// The gradient by the dofs from that by `qpos`.
pub(super) fn gradient_to_dofs(m: &Model, qpos: &[f64], by_qpos: &[f64], out: &mut [f64]) {
    for Parts { first: [q, v], straight, turns } in parts(m) {
        out[v..v + straight].copy_from_slice(&by_qpos[q..q + straight]);
        if turns {
            let (q, v) = (q + straight, v + straight);
            let (axes, _) = axes(&qpos[q..]);
            for (out, axis) in out[v..].iter_mut().zip(&axes) {
                *out = 0.5 * dot(axis, &by_qpos[q..]);
            }
        }
    }
}

/// The gradient by `qpos` from that by the dofs.
pub(super) fn gradient_to_qpos(m: &Model, qpos: &[f64], by_dofs: &[f64], out: &mut [f64]) {
    for Parts { first: [q, v], straight, turns } in parts(m) {
        out[q..q + straight].copy_from_slice(&by_dofs[v..v + straight]);
        if turns {
            let (q, v) = (q + straight, v + straight);
            let (axes, length) = axes(&qpos[q..]);
            for k in 0..4 {
                let sum = (0..3).fold(0.0, |sum, e| sum + axes[e][k] * by_dofs[v + e]);
                out[q + k] = 2.0 / length * sum;
            }
        }
    }
}

/// The change of `qpos` from the change of the dofs.
pub(super) fn change_to_qpos(m: &Model, qpos: &[f64], dofs: &[f64], out: &mut [f64]) {
    for Parts { first: [q, v], straight, turns } in parts(m) {
        out[q..q + straight].copy_from_slice(&dofs[v..v + straight]);
        if turns {
            let (q, v) = (q + straight, v + straight);
            let (axes, length) = axes(&qpos[q..]);
            for k in 0..4 {
                let sum = (0..3).fold(0.0, |sum, e| sum + axes[e][k] * dofs[v + e]);
                out[q + k] = 0.5 * length * sum;
            }
        }
    }
}

/// The change of the dofs from the change of `qpos`.
pub(super) fn change_to_dofs(m: &Model, qpos: &[f64], change: &[f64], out: &mut [f64]) {
    for Parts { first: [q, v], straight, turns } in parts(m) {
        out[v..v + straight].copy_from_slice(&change[q..q + straight]);
        if turns {
            let (q, v) = (q + straight, v + straight);
            let (axes, length) = axes(&qpos[q..]);
            for (out, axis) in out[v..].iter_mut().zip(&axes) {
                *out = 2.0 / length * dot(axis, &change[q..]);
            }
        }
    }
}
