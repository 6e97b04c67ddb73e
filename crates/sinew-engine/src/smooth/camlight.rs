//! Cameras and lights that are fixed to, track or look at bodies.

use sinew_math::{Mat3, Vec3};
use sinew_model::enums::{CamLight, SleepState};
use sinew_model::{BodyId, CamId, Data, LightId, Model};

use crate::sleep::some_asleep;

/// Frames of cameras, positions and directions of lights.
///
/// Reads `xpos`, `xquat`, `xmat`, `subtree_com`.
/// Writes `cam_xpos`, `cam_xmat`, `light_xpos`, `light_xdir`.
#[doc(alias = "mj_camlight")]
pub fn camlight(m: &Model, d: &mut Data) {
    let some_asleep = some_asleep(m, d);
    for c in m.cameras() {
        if !some_asleep || !is_still(d, m.cam_bodyid[c], m.cam_targetbodyid[c].get()) {
            place_camera(m, d, c);
        }
    }
    for l in m.lights() {
        if !some_asleep || !is_still(d, m.light_bodyid[l], m.light_targetbodyid[l].get()) {
            place_light(m, d, l);
        }
    }
}

/// The frame of a camera that is fixed to, follows or looks at a body.
///
/// Every case writes for itself. A frame that is made elsewhere first is copied with other widths
/// than it was written in, which defeats store forwarding.
// not inlined: most models have few cameras
#[inline(never)]
fn place_camera(m: &Model, d: &mut Data, c: CamId) {
    let body = m.cam_bodyid[c];
    match m.cam_mode[c] {
        // at a fixed offset from the body or its subtree's centre of mass, never turning
        CamLight::Track => {
            d.cam_xpos[c] = d.xpos[body] + m.cam_pos0[c];
            d.cam_xmat[c] = m.cam_mat0[c];
        }
        CamLight::Trackcom => {
            d.cam_xpos[c] = d.subtree_com[body] + m.cam_poscom0[c];
            d.cam_xmat[c] = m.cam_mat0[c];
        }
        // on the body, and turned towards a target or with the body
        mode => {
            let target = m.cam_targetbodyid[c].get();
            if let Some(target) = target.and_then(|t| look_at(d, mode, t)) {
                let pos = d.xmat[body] * m.cam_pos[c] + d.xpos[body];
                d.cam_xpos[c] = pos;
                d.cam_xmat[c] = looking_at(pos, target);
            } else if body == BodyId::WORLD {
                d.cam_xpos[c] = m.cam_pos[c] + Vec3::ZERO;
                d.cam_xmat[c] = m.cam_quat[c].to_mat();
            } else {
                d.cam_xpos[c] = d.xmat[body] * m.cam_pos[c] + d.xpos[body];
                d.cam_xmat[c] = (d.xquat[body] * m.cam_quat[c]).to_mat();
            }
        }
    }
}

/// Position and direction of a light that is fixed to, follows or looks at a body.
// not inlined, as `place_camera`
#[inline(never)]
fn place_light(m: &Model, d: &mut Data, l: LightId) {
    let body = m.light_bodyid[l];
    let (pos, dir) = match m.light_mode[l] {
        CamLight::Track => (d.xpos[body] + m.light_pos0[l], m.light_dir0[l]),
        CamLight::Trackcom => (d.subtree_com[body] + m.light_poscom0[l], m.light_dir0[l]),
        CamLight::Fixed if body == BodyId::WORLD => (m.light_pos[l] + Vec3::ZERO, m.light_dir[l]),
        mode => {
            let pos = d.xmat[body] * m.light_pos[l] + d.xpos[body];
            let target = m.light_targetbodyid[l].get();
            let dir = match target.and_then(|t| look_at(d, mode, t)) {
                Some(target) => target - pos,
                None => d.xquat[body].rotate(m.light_dir[l]),
            };
            (pos, dir)
        }
    };
    d.light_xpos[l] = pos;
    d.light_xdir[l] = dir.normalize().0;
}

/// Whether neither the body nor the target of a camera or light is awake.
fn is_still(d: &Data, body: BodyId, target: Option<BodyId>) -> bool {
    let still = |b: BodyId| d.body_awake[b] != SleepState::Awake;
    still(body) && target.is_none_or(still)
}

/// The point a camera or light of this mode looks at; none if the mode looks at nothing.
fn look_at(d: &Data, mode: CamLight, target: BodyId) -> Option<Vec3> {
    match mode {
        CamLight::Targetbody => Some(d.xpos[target]),
        CamLight::Targetbodycom => Some(d.subtree_com[target]),
        _ => None,
    }
}

/// Orientation of a camera at `pos` that looks (along -z) at `target`, its x axis horizontal.
fn looking_at(pos: Vec3, target: Vec3) -> Mat3 {
    let z = (pos - target).normalize().0;
    let x = Vec3::Z.cross(z).normalize().0;
    let y = z.cross(x).normalize().0;
    Mat3::from_cols(x, y, z)
}
