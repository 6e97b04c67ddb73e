//! Moving the camera or the whole model with the mouse.

use core::f64::consts::PI;

use sinew_math::{Quat, Vec3, scalar};
use sinew_model::Model;
use sinew_model::enums::{VisCamera, VisMouse};

use crate::camera::{camera_in_model, camera_in_room, frustum_height};
use crate::error::SceneError;
use crate::geom::single;
use crate::records::Camera;
use crate::scene::Scene;

/// Factor on the motion of orthographic cameras and of bodies they show (MuJoCo's coefficient).
pub(super) const ORTHOGRAPHIC_SLOWDOWN: f64 = 0.15;

/// Rotates a vector in the horizontal plane by the angle from (0, 1) to `forward`.
#[doc(alias = "mjv_alignToCamera")]
pub fn align_to_camera(vec: Vec3, forward: Vec3) -> Vec3 {
    let norm = (forward.x * forward.x + forward.y * forward.y).sqrt();
    let y = if norm < sinew_math::MINVAL {
        [1.0, 0.0]
    } else {
        [forward.x * (1.0 / norm), forward.y * (1.0 / norm)]
    };
    let x = [y[1], -y[0]];
    Vec3::new(vec.x * x[0] + vec.y * y[0], vec.x * x[1] + vec.y * y[1], vec.z)
}

/// The mouse motion as a vector in the world, aligned with the camera's horizontal axes.
pub(super) fn motion(
    action: VisMouse,
    dx: f64,
    dy: f64,
    forward: Vec3,
) -> Result<Vec3, SceneError> {
    let vec = match action {
        VisMouse::RotateV => Vec3::new(dy, 0.0, dx),
        VisMouse::RotateH => Vec3::new(dy, dx, 0.0),
        VisMouse::MoveV | VisMouse::MoveVRel => Vec3::new(dx, 0.0, -dy),
        VisMouse::MoveH | VisMouse::MoveHRel => Vec3::new(dx, -dy, 0.0),
        VisMouse::Zoom => Vec3::ZERO,
        _ => return Err(SceneError::MouseAction(action.0)),
    };
    Ok(align_to_camera(vec, forward))
}

/// Moves the camera by a mouse motion, given relative to the height of the window.
#[doc(alias = "mjv_moveCamera")]
pub fn move_camera(
    m: &Model,
    action: VisMouse,
    [dx, dy]: [f64; 2],
    scn: &Scene,
    cam: &mut Camera,
) -> Result<(), SceneError> {
    if cam.r#type == VisCamera::Fixed {
        return Ok(());
    }
    let tracks = cam.r#type == VisCamera::Tracking;
    match action {
        VisMouse::RotateV | VisMouse::RotateH => {
            cam.azimuth -= dx * 180.0;
            cam.elevation -= dy * 180.0;
        }
        VisMouse::Zoom => {
            let extent = m.stat.extent;
            cam.distance -= scalar::log(1.0 + cam.distance / extent / 3.0) * dy * 9.0 * extent;
        }
        // a tracked body stays centred
        VisMouse::MoveV | VisMouse::MoveH | VisMouse::MoveVRel | VisMouse::MoveHRel if tracks => {
            return Ok(());
        }
        VisMouse::MoveV | VisMouse::MoveH => {
            let [head, forward, _] = camera_in_model(scn)?;
            let vec = motion(action, dx, dy, forward)?;
            let mut scale = frustum_height(scn)? * (cam.lookat - head).dot(forward);
            if cam.orthographic != 0 {
                scale *= ORTHOGRAPHIC_SLOWDOWN;
            }
            cam.lookat += vec * -scale;
        }
        VisMouse::MoveVRel | VisMouse::MoveHRel => {
            let [_, forward, up] = camera_in_model(scn)?;
            let along = if action == VisMouse::MoveVRel { up } else { forward };
            cam.lookat += along * dy;
            cam.lookat += forward.cross(up) * dx;
        }
        _ => return Err(SceneError::MouseAction(action.0)),
    }
    clamp(m, cam);
    Ok(())
}

fn clamp(m: &Model, cam: &mut Camera) {
    if cam.azimuth > 180.0 {
        cam.azimuth -= 360.0;
    }
    if cam.azimuth < -180.0 {
        cam.azimuth += 360.0;
    }
    cam.elevation = scalar::clip(cam.elevation, -89.0, 89.0);
    cam.distance = scalar::clip(cam.distance, 0.01 * m.stat.extent, 100.0 * m.stat.extent);
}

/// Moves the model in the room, if the scene has a transform.
#[doc(alias = "mjv_moveModel")]
pub fn move_model(
    m: &Model,
    action: VisMouse,
    [dx, dy]: [f64; 2],
    roomup: Vec3,
    scn: &mut Scene,
) -> Result<(), SceneError> {
    if !scn.enabletransform {
        return Ok(());
    }

    // horizontal axes of the room, relative to the camera
    let [_, forward, _] = camera_in_room(scn)?;
    let roomforward = (forward + roomup * -forward.dot(roomup)).normalize().0;
    let roomright = roomforward.cross(roomup).normalize().0;
    let extent = m.stat.extent;
    let mut shift = |vec: Vec3| {
        for k in 0..3 {
            let step = f64::from(vec[k] as f32) * extent;
            scn.translate[k] = (f64::from(scn.translate[k]) + step) as f32;
        }
    };
    match action {
        VisMouse::RotateV | VisMouse::RotateH => {
            let axis = if action == VisMouse::RotateV { roomup } else { roomforward };
            let (axis, angle) = (axis * dx + roomright * dy).normalize();
            let turn = Quat::from_axis_angle(axis, angle * PI);
            let rotate = Quat::from(scn.rotate.map(f64::from));
            scn.rotate = single((turn * rotate).normalize().0);
        }
        VisMouse::MoveV | VisMouse::MoveVRel => shift(roomright * dx - roomup * dy),
        VisMouse::MoveH | VisMouse::MoveHRel => shift(roomright * dx - roomforward * dy),
        VisMouse::Zoom => {
            let scale = f64::from(scn.scale);
            let step = scalar::log(1.0 + f64::from(scn.scale / 3.0)) * dy * 3.0;
            scn.scale = (scale as f32 + step as f32).clamp(0.01, 100.0);
        }
        _ => return Err(SceneError::MouseAction(action.0)),
    }
    Ok(())
}
