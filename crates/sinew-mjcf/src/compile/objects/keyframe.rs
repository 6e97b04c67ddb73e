//! Keyframes.

use sinew_math::Quat;
use sinew_model::Model;
use sinew_model::enums::JointType;

use crate::compile::cx::{At, Cx};
use crate::pose::unit_quat;
use crate::spec::Key;

/// Maximum number of keyframes: a bound on memory.
pub(crate) const MAX_KEYS: i32 = 1 << 20;

/// The keyframes: those written and empty ones up to `nkey`.
pub(crate) fn list_keys(cx: &mut Cx<'_>) -> Vec<Key> {
    let mut keys = cx.spec.keys.clone();
    let wanted = cx.spec.size.values().nkey();
    if wanted > MAX_KEYS {
        let span = cx.spec.size.nkey.span().unwrap_or_default();
        cx.diag.error("compile", span, format!("nkey is {wanted}, more than {MAX_KEYS}"));
    } else if let Ok(wanted) = usize::try_from(wanted) {
        keys.resize_with(keys.len().max(wanted), Key::default);
    }
    keys
}

/// Copies the keyframes into the model, which must have all its other sizes and `qpos0`.
///
/// A list that is too short goes on with the reference pose.
pub(crate) fn store_keys(cx: &mut Cx<'_>, keys: &[Key], m: &mut Model) {
    // values that complete short lists
    let start = written_pose(cx, m);
    let mut mocap_pos = Vec::with_capacity(3 * m.nmocap);
    let mut mocap_quat = Vec::with_capacity(4 * m.nmocap);
    for b in m.bodies().filter(|&b| m.body_mocapid[b].get().is_some()) {
        mocap_pos.extend(m.body_pos[b].to_array());
        mocap_quat.extend(m.body_quat[b].to_array());
    }

    // unknown before the constants
    let plastic = vec![f64::NAN; m.nplastic()];
    for (i, key) in keys.iter().enumerate() {
        // each list as written, filled up, or refused
        m.key_time[i] = key.values().time();
        let (nq, nv, na, nu, nmocap) = (m.nq, m.nv, m.na, m.nu, m.nmocap);
        let name = key.name.text();
        let mut wrong = Vec::new();
        let qpos0 = m.qpos0.to_vec();
        if !put(&mut m.key_qpos[i], key.qpos.get(), &qpos0, &start.qpos) {
            wrong.push(size_error(name, "qpos", nq, key.qpos.get()));
        }
        if !put(&mut m.key_qvel[i], key.qvel.get(), &[], &[]) {
            wrong.push(size_error(name, "qvel", nv, key.qvel.get()));
        }
        if !put(&mut m.key_act[i], key.act.get(), &[], &[]) {
            wrong.push(size_error(name, "act", na, key.act.get()));
        }
        if !put(&mut m.key_mpos[i], key.mpos.get(), &mocap_pos, &start.mpos) {
            let len = 3 * nmocap;
            wrong.push(format!("keyframe {i}: invalid mpos size, expected length {len}"));
        }
        if !put(&mut m.key_mquat[i], key.mquat.get(), &mocap_quat, &start.mquat) {
            let len = 4 * nmocap;
            wrong.push(format!("keyframe {i}: invalid mquat size, expected length {len}"));
        }
        if !put(&mut m.key_ctrl[i], key.ctrl.get(), &[], &[]) {
            wrong.push(format!("keyframe {i}: invalid ctrl size, expected length {nu}"));
        }

        let len = m.nplastic();
        if !put(m.key_plastic_mut(i), key.plastic.get(), &plastic, &plastic) {
            wrong.push(format!("keyframe {i}: invalid plastic size, expected length {len}"));
        }

        // errors, and unit quaternions
        for message in wrong {
            cx.fail(At { name, id: i, span: key.head.span }, message);
        }
        normalize(m, i);
    }
}

/// Puts the plastic state at the start where keyframes say nothing of it.
pub(crate) fn complete_plastic(m: &mut Model) {
    let start = m.plastic_start();
    for key in 0..m.nkey {
        complete(m.key_plastic_mut(key), &start);
    }
}

/// Numbers of `start` instead of NaN.
fn complete(to: &mut [f64], start: &[f64]) {
    for (x, start) in to.iter_mut().zip(start) {
        if x.is_nan() {
            *x = *start;
        }
    }
}

/// MuJoCo's words for a list of the wrong length.
fn size_error(name: &str, what: &str, wanted: usize, found: Option<&Vec<f64>>) -> String {
    let found = found.map_or(0, Vec::len);
    format!("keyframe '{name}': invalid {what} size, expected {wanted}, got {found}")
}

/// Fills `to` with the given numbers and then with `rest`, or with `base` if nothing is given;
/// zeros where these end. False if more is given than fits.
fn put(to: &mut [f64], given: Option<&Vec<f64>>, base: &[f64], rest: &[f64]) -> bool {
    match given.filter(|g| !g.is_empty()) {
        None => to[..base.len()].copy_from_slice(base),
        Some(given) if given.len() > to.len() => return false,
        Some(given) => {
            if rest.len() == to.len() {
                to.copy_from_slice(rest);
            }
            to[..given.len()].copy_from_slice(given);
        }
    }
    true
}

/// The reference pose as the file has it.
struct Start {
    qpos: Vec<f64>,
    mpos: Vec<f64>,
    mquat: Vec<f64>,
}

/// The numbers that MuJoCo appends to lists that are too short. The values are as written, before
/// frames, orientations and units are resolved.
fn written_pose(cx: &Cx<'_>, m: &Model) -> Start {
    let mut start = Start { qpos: m.qpos0.to_vec(), mpos: Vec::new(), mquat: Vec::new() };
    for joint in &cx.world.joints {
        let adr = joint.qposadr;
        match joint.kind {
            // an attachment does not know yet that a joint is free
            JointType::Free => start.qpos[adr..adr + 7].fill(0.0),
            JointType::Ball => {}
            _ => start.qpos[adr] = joint.elem.values().ref_(),
        }
    }
    for body in cx.world.bodies.iter().filter(|b| b.mocap) {
        start.mpos.extend(body.written.pos.to_array());
        start.mquat.extend(body.written.quat.to_array());
    }
    start
}

/// Makes the quaternions of a keyframe unit; one without length becomes the identity, except for
/// mocap bodies.
fn normalize(m: &mut Model, key: usize) {
    for j in m.joints() {
        let adr = m.jnt_qposadr[j] as usize;
        let at = match m.jnt_type[j] {
            JointType::Free => adr + 3,
            JointType::Ball => adr,
            _ => continue,
        };
        let quat = &mut m.key_qpos[key][at..at + 4];
        let unit = unit_quat(Quat::from_slice(quat)).normalize().0;
        quat.copy_from_slice(&unit.to_array());
    }
    for j in m.joints() {
        if let (JointType::Ball, Some(adr)) = (m.jnt_type[j], m.plastic_joint(j)) {
            let quat = &mut m.key_plastic_mut(key)[adr..adr + 4];
            complete(quat, &[1.0, 0.0, 0.0, 0.0]);
            let unit = unit_quat(Quat::from_slice(quat)).normalize().0;
            quat.copy_from_slice(&unit.to_array());
        }
    }
    for quat in m.key_mquat[key].chunks_exact_mut(4) {
        let unit = unit_quat(Quat::from_slice(quat));
        quat.copy_from_slice(&unit.to_array());
    }
}
