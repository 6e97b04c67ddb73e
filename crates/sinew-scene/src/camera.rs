//! Cameras: conversion of the user's camera to a renderer's camera.

use core::f64::consts::PI;

use sinew_math::{MINVAL, Mat3, Quat, Vec3, scalar};
use sinew_model::enums::{Projection, VisCamera};
use sinew_model::{BodyId, CamId, Data, Model};

use crate::error::SceneError;
use crate::geom::single;
use crate::records::{Camera, GlCamera};
use crate::scene::Scene;

/// Position and orientation of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraFrame {
    /// Position.
    pub pos: Vec3,
    /// Viewing direction.
    pub forward: Vec3,
    /// Upward direction.
    pub up: Vec3,
    /// Right-hand direction.
    pub right: Vec3,
}

/// View volume of a camera.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frustum {
    /// Extents below and above the axis, at the near plane.
    pub zver: [f32; 2],
    /// Extents left and right of the axis, at the near plane; zero if the aspect ratio decides.
    pub zhor: [f32; 2],
    /// Near and far plane.
    pub zclip: [f32; 2],
}

/// The id of a fixed camera.
fn fixed_id(m: &Model, cam: &Camera) -> Result<CamId, SceneError> {
    let id = usize::try_from(cam.fixedcamid).ok().filter(|&id| id < m.ncam);
    id.map(CamId::new).ok_or(SceneError::FixedCamera)
}

/// The frame of a camera.
#[doc(alias = "mjv_cameraFrame")]
pub fn camera_frame(d: &Data, cam: &Camera) -> Result<CameraFrame, SceneError> {
    match cam.r#type {
        VisCamera::Free | VisCamera::Tracking => {
            let (azimuth, elevation) = (cam.azimuth / 180.0 * PI, cam.elevation / 180.0 * PI);
            let (ca, sa) = (scalar::cos(azimuth), scalar::sin(azimuth));
            let (ce, se) = (scalar::cos(elevation), scalar::sin(elevation));
            let forward = Vec3::new(ce * ca, ce * sa, se);
            Ok(CameraFrame {
                pos: cam.lookat + forward * -cam.distance,
                forward,
                up: Vec3::new(-se * ca, -se * sa, ce),
                right: Vec3::new(sa, -ca, 0.0),
            })
        }
        VisCamera::Fixed => {
            let id = usize::try_from(cam.fixedcamid).ok().filter(|&id| id < d.cam_xpos.len());
            let id = id.ok_or(SceneError::FixedCamera)?;
            let mat = d.cam_xmat[id];
            Ok(CameraFrame {
                pos: d.cam_xpos[id],
                forward: -mat.col(2),
                up: mat.col(1),
                right: mat.col(0),
            })
        }
        _ => Err(SceneError::CameraType),
    }
}

/// The frustum of a camera with intrinsics, at its near plane.
pub(crate) fn intrinsic_frustum(near: f32, intrinsic: [f32; 4], sensor: [f32; 2]) -> Frustum {
    let [fx, fy, cx, cy] = intrinsic;
    let zhor = [near / fx * (sensor[0] / 2.0 - cx), near / fx * (sensor[0] / 2.0 + cx)];
    let zver = [near / fy * (sensor[1] / 2.0 - cy), near / fy * (sensor[1] / 2.0 + cy)];
    Frustum { zver, zhor, zclip: [0.0; 2] }
}

/// The frustum of a camera.
#[doc(alias = "mjv_cameraFrustum")]
pub fn camera_frustum(m: &Model, cam: &Camera) -> Result<Frustum, SceneError> {
    let near = (f64::from(m.vis.map.znear) * m.stat.extent) as f32;
    let far = (f64::from(m.vis.map.zfar) * m.stat.extent) as f32;

    // vertical field of view, or the sensor of a fixed camera
    let (fovy, sensor) = match cam.r#type {
        VisCamera::Free | VisCamera::Tracking => (f64::from(m.vis.global.fovy), None),
        VisCamera::Fixed => {
            let id = fixed_id(m, cam)?;
            let sensor = m.cam_sensorsize[id];
            (m.cam_fovy[id], (sensor[1] != 0.0).then(|| (m.cam_intrinsic[id], sensor)))
        }
        _ => return Err(SceneError::CameraType),
    };

    // half sizes at the near plane; an orthographic camera has a length in place of the angle
    let zclip = [near, far];
    if orthographic(m, cam)? {
        return Ok(Frustum { zver: [(fovy / 2.0) as f32; 2], zhor: [0.0; 2], zclip });
    }
    Ok(match sensor {
        Some((intrinsic, sensor)) => {
            Frustum { zclip, ..intrinsic_frustum(near, intrinsic, sensor) }
        }
        None => {
            let half = f64::from(near) * scalar::tan(fovy * PI / 360.0);
            Frustum { zver: [half as f32; 2], zhor: [0.0; 2], zclip }
        }
    })
}

/// Whether a camera is orthographic.
fn orthographic(m: &Model, cam: &Camera) -> Result<bool, SceneError> {
    Ok(match cam.r#type {
        VisCamera::Fixed => m.cam_projection[fixed_id(m, cam)?] == Projection::Orthographic,
        _ => m.vis.global.orthographic != 0,
    })
}

/// Sets both cameras of the scene; a tracking camera follows its body.
///
/// Reads `cam_xpos`, `cam_xmat`, `subtree_com`. A camera of type user is unchanged.
#[doc(alias = "mjv_updateCamera")]
pub fn update_camera(
    m: &Model,
    d: &Data,
    cam: &mut Camera,
    scn: &mut Scene,
) -> Result<(), SceneError> {
    if cam.r#type == VisCamera::User {
        return Ok(());
    }
    if cam.r#type == VisCamera::Tracking {
        let body = usize::try_from(cam.trackbodyid).ok().filter(|&body| body < m.nbody);
        cam.lookat = d.subtree_com[BodyId::new(body.ok_or(SceneError::TrackedBody)?)];
    }

    // frame, frustum, distance between the eyes
    let frame = camera_frame(d, cam)?;
    let Frustum { zver, zhor, zclip } = camera_frustum(m, cam)?;
    let orthographic = orthographic(m, cam)?;
    let ipd = match cam.r#type {
        VisCamera::Fixed => m.cam_ipd[fixed_id(m, cam)?],
        _ => f64::from(m.vis.global.ipd),
    };

    // left and right eye
    for (eye, camera) in scn.camera.iter_mut().enumerate() {
        let half = if eye == 0 { -ipd } else { ipd } * 0.5;
        *camera = GlCamera {
            pos: single(frame.pos + frame.right * half),
            forward: single(frame.forward),
            up: single(frame.up),
            frustum_center: (zhor[1] - zhor[0]) / 2.0,
            frustum_width: (zhor[1] + zhor[0]) / 2.0,
            frustum_bottom: -zver[0],
            frustum_top: zver[1],
            frustum_near: zclip[0],
            frustum_far: zclip[1],
            orthographic: orthographic.into(),
        };
    }
    scn.enabletransform = false;
    Ok(())
}

/// Three single-precision numbers as a vector.
pub(crate) fn wide(v: [f32; 3]) -> Vec3 {
    v.map(f64::from).into()
}

/// Returns an error if the scene's cameras were never set.
fn require_near(scn: &Scene) -> Result<(), SceneError> {
    let near = scn.camera.iter().all(|camera| f64::from(camera.frustum_near) >= MINVAL);
    if near { Ok(()) } else { Err(SceneError::NearPlane) }
}

/// Position and orientation in the model's frame, from those in the room's frame.
#[doc(alias = "mjv_room2model")]
pub fn room_2_model(pos: Vec3, quat: Quat, scn: &Scene) -> Result<(Vec3, Quat), SceneError> {
    if f64::from(scn.scale) < MINVAL {
        return Err(SceneError::Scale);
    }
    if !scn.enabletransform {
        return Ok((pos, quat));
    }
    let translate = wide(scn.translate);
    let inverse = Quat::from(scn.rotate.map(f64::from)).conj();
    let origin = -inverse.rotate(translate);
    let pos = inverse.rotate(pos) + origin;
    Ok((pos * (1.0 / f64::from(scn.scale)), (inverse * quat).normalize().0))
}

/// Position and orientation in the room's frame, from those in the model's frame.
#[doc(alias = "mjv_model2room")]
pub fn model_2_room(pos: Vec3, quat: Quat, scn: &Scene) -> Result<(Vec3, Quat), SceneError> {
    if f64::from(scn.scale) < MINVAL {
        return Err(SceneError::Scale);
    }
    if !scn.enabletransform {
        return Ok((pos, quat));
    }
    let rotate = Quat::from(scn.rotate.map(f64::from));
    let pos = rotate.rotate(pos) + wide(scn.translate);
    Ok((pos * f64::from(scn.scale), (rotate * quat).normalize().0))
}

/// Mean of both cameras in the model's frame: position, forward and up.
#[doc(alias = "mjv_cameraInModel")]
pub fn camera_in_model(scn: &Scene) -> Result<[Vec3; 3], SceneError> {
    require_near(scn)?;
    let mut sum = [Vec3::ZERO; 3];
    for camera in &scn.camera {
        // x to the left, y upwards, z forward
        let forward = wide(camera.forward).normalize().0;
        let up = wide(camera.up).normalize().0;
        let left = up.cross(forward).normalize().0;
        let quat = Mat3::from_cols(left, up, forward).to_quat();

        let (pos, quat) = room_2_model(wide(camera.pos), quat, scn)?;
        let mat = quat.to_mat();
        for (sum, part) in sum.iter_mut().zip([pos, mat.col(2), mat.col(1)]) {
            *sum += part * 0.5;
        }
    }
    let [pos, forward, up] = sum;
    Ok([pos, forward.normalize().0, up.normalize().0])
}

/// Mean of both cameras in the room's frame: position, forward and up.
#[doc(alias = "mjv_cameraInRoom")]
pub fn camera_in_room(scn: &Scene) -> Result<[Vec3; 3], SceneError> {
    require_near(scn)?;
    let mut sum = [Vec3::ZERO; 3];
    for camera in &scn.camera {
        for (sum, part) in sum.iter_mut().zip([camera.pos, camera.forward, camera.up]) {
            *sum += wide(part) * 0.5;
        }
    }
    let [pos, forward, up] = sum;
    Ok([pos, forward.normalize().0, up.normalize().0])
}

/// Height of the frustum at unit distance, or of an orthographic view; mean of both cameras.
#[doc(alias = "mjv_frustumHeight")]
pub fn frustum_height(scn: &Scene) -> Result<f64, SceneError> {
    let [left, right] = &scn.camera;
    if left.orthographic != right.orthographic {
        return Err(SceneError::MixedProjection);
    }
    let height = |camera: &GlCamera| camera.frustum_top - camera.frustum_bottom;
    let sum = if left.orthographic != 0 {
        height(left) + height(right)
    } else {
        require_near(scn)?;
        height(left) / left.frustum_near + height(right) / right.frustum_near
    };
    Ok(0.5 * f64::from(sum))
}

/// The mean of two cameras.
#[doc(alias = "mjv_averageCamera")]
pub fn average_camera(a: &GlCamera, b: &GlCamera) -> Result<GlCamera, SceneError> {
    if a.orthographic != b.orthographic {
        return Err(SceneError::MixedProjection);
    }
    let pos = (wide(a.pos) + wide(b.pos)) * 0.5;
    let forward = (wide(a.forward) + wide(b.forward)).normalize().0;
    let up = wide(a.up) + wide(b.up);
    let up = (up + forward * -up.dot(forward)).normalize().0;
    Ok(GlCamera {
        pos: single(pos),
        forward: single(forward),
        up: single(up),
        frustum_center: 0.5 * (a.frustum_center + b.frustum_center),
        frustum_width: 0.5 * (a.frustum_width + b.frustum_width),
        frustum_bottom: 0.5 * (a.frustum_bottom + b.frustum_bottom),
        frustum_top: 0.5 * (a.frustum_top + b.frustum_top),
        frustum_near: 0.5 * (a.frustum_near + b.frustum_near),
        frustum_far: 0.5 * (a.frustum_far + b.frustum_far),
        orthographic: a.orthographic,
    })
}
