//! Cameras.

use sinew_model::Model;
use sinew_model::enums::ObjType;
use sinew_model::ids::BodyId;

use crate::compile::cx::{At, Cx};
use crate::compile::rows::copy_user;
use crate::orientation::{PI, orientation};
use crate::pose::{Pose, unit_quat};

/// Compiles one camera; `shift` is the displacement by the alignment of a free body.
pub(crate) fn compile_camera(cx: &mut Cx<'_>, id: usize, shift: Option<Pose>) {
    if let Err(message) = try_compile(cx, id, shift) {
        let elem = &cx.world.cameras[id].elem;
        let (name, span) = (elem.name.text().to_owned(), elem.head.span);
        cx.fail(At { name: &name, id, span }, message);
    }
}

fn try_compile(cx: &mut Cx<'_>, id: usize, shift: Option<Pose>) -> Result<(), String> {
    let e = &cx.world.cameras[id].elem;
    if e.user.get().map_or(0, Vec::len) > cx.nuser.cam {
        return Err("user has more values than nuser_cam in camera".into());
    }

    // pose and target
    let quat = orientation(&e.quat, &e.alt, cx.settings(&e.head))
        .map_err(|why| format!("orientation specification error '{why}' in camera {id}"))?;
    let mut pose = Pose { pos: e.values().pos().into(), quat };
    if let Some(frame) = cx.world.cameras[id].frame {
        pose = frame.then(pose);
    }
    pose.quat = unit_quat(pose.quat);
    if let Some(shift) = shift {
        pose = shift.then(pose);
    }
    let target = e.target.text();
    let found = cx.find(ObjType::Body, target);
    if found.is_none() && !target.is_empty() {
        return Err(format!("unknown target body in camera: '{target}'"));
    }
    let near = cx.spec.visual.map.znear.or(0.01);
    let camera = &mut cx.world.cameras[id];
    camera.pose = pose;
    camera.target = found;
    intrinsics(camera, id, near)
}

/// Focal length, principal point and field of view.
fn intrinsics(
    camera: &mut crate::compile::world::CameraRec,
    id: usize,
    near: f32,
) -> Result<(), String> {
    let e = &camera.elem;
    let name = e.name.text();
    if camera.fovy >= 180.0 {
        return Err(format!(
            "fovy too large in camera '{name}' (id = {id}, value = {})",
            camera.fovy
        ));
    }
    let (focal, focal_px) = (e.values().focal(), e.values().focalpixel());
    let (center, center_px) = (e.values().principal(), e.values().principalpixel());
    let given = [focal, focal_px, center, center_px].concat().iter().any(|x| *x != 0.0);
    let [width, height] = camera.sensorsize;
    let has_sensor = width > 0.0 && height > 0.0;
    if given && !has_sensor {
        return Err(format!("focal/principal require sensorsize in camera '{name}' (id = {id})"));
    }
    if !has_sensor {
        camera.intrinsic = [near, near, 0.0, 0.0];
        return Ok(());
    }
    let [columns, rows] = camera.resolution;
    if columns <= 0 || rows <= 0 {
        return Err(format!(
            "sensorsize requires positive resolution in camera '{name}' (id = {id})"
        ));
    }

    // pixels win over lengths
    let density = [columns as f32 / width, rows as f32 / height];
    let pick = |px: [f32; 2], len: [f32; 2], k: usize| {
        if px[k] != 0.0 { px[k] / density[k] } else { len[k] }
    };
    camera.intrinsic = [
        pick(focal_px, focal, 0),
        pick(focal_px, focal, 1),
        pick(center_px, center, 0),
        pick(center_px, center, 1),
    ];
    // the angle is computed in single precision, as its arguments are
    let half = (height / 2.0).atan2(camera.intrinsic[1]);
    camera.fovy = f64::from(half) * 360.0 / PI;
    Ok(())
}

/// Copies the cameras into the model.
pub(crate) fn store_cameras(cx: &Cx<'_>, m: &mut Model) {
    for (i, camera) in cx.world.cameras.iter().enumerate() {
        let e = &camera.elem;
        m.cam_mode[i] = e.values().mode();
        m.cam_bodyid[i] = BodyId::new(camera.body);
        m.cam_targetbodyid[i] = camera.target.map(BodyId::new).into();
        m.cam_pos[i] = camera.pose.pos;
        m.cam_quat[i] = camera.pose.quat;
        m.cam_projection[i] = e.values().projection();
        m.cam_fovy[i] = camera.fovy;
        m.cam_ipd[i] = e.values().ipd();
        m.cam_resolution[i] = camera.resolution;
        m.cam_output[i] = camera.output;
        m.cam_sensorsize[i] = camera.sensorsize;
        m.cam_intrinsic[i] = camera.intrinsic;
        copy_user(&mut m.cam_user[i], e.user.get());
    }
}
