//! Cameras as instruments: from pixels to rays, from points to pixels.

use core::f64::consts::PI;

use sinew_geom::ray::Ray;
use sinew_math::{MINVAL, Mat3, Vec3, scalar};
use sinew_model::enums::Projection;
use sinew_model::{CamId, Model};

/// How a camera maps directions to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intrinsics {
    /// Focal lengths, in pixels; half the resolution if orthographic.
    pub focal: [f64; 2],
    /// Principal point, in pixels.
    pub center: [f64; 2],
    /// Height of the view of an orthographic camera; none if perspective.
    pub extent: Option<f64>,
}

/// The intrinsics of a camera, from its sensor size and focal length or its field of view.
#[doc(alias = "mju_camIntrinsics")]
pub fn cam_intrinsics(m: &Model, cam: CamId) -> Intrinsics {
    let [width, height] = m.cam_resolution[cam].map(f64::from);
    if m.cam_projection[cam] == Projection::Orthographic {
        let half = [width / 2.0, height / 2.0];
        return Intrinsics { focal: half, center: half, extent: Some(m.cam_fovy[cam]) };
    }
    let [size_x, size_y] = m.cam_sensorsize[cam];
    let (focal, center) = if size_x != 0.0 && size_y != 0.0 {
        // single precision, as these are stored
        let [fx, fy, cx, cy] = m.cam_intrinsic[cam];
        let (w, h) = (width as f32, height as f32);
        ([fx / size_x * w, fy / size_y * h], [cx / size_x * w, cy / size_y * h])
    } else {
        let focal = fovy_focal(m.cam_fovy[cam], height);
        let center = [width / 2.0, height / 2.0];
        return Intrinsics { focal: [focal; 2], center, extent: None };
    };
    Intrinsics { focal: focal.map(f64::from), center: center.map(f64::from), extent: None }
}

impl Intrinsics {
    /// The ray through the centre of a pixel; row 0 is the top of the image.
    #[doc(alias = "mju_camPixelRay")]
    pub fn pixel_ray(&self, pos: Vec3, mat: Mat3, col: i32, row: i32) -> Ray {
        let x = f64::from(col) + 0.5 - self.center[0];
        let y = f64::from(row) + 0.5 - self.center[1];
        let [fx, fy] = self.focal;
        match self.extent {
            None => {
                let dir = mat * Vec3::new(x / fx, -y / fy, -1.0);
                Ray { origin: pos, dir: dir.normalize().0 }
            }
            Some(extent) => {
                let half = extent / 2.0;
                let offset = mat * Vec3::new(x / fx * half, -y / fy * half, 0.0);
                Ray { origin: pos + offset, dir: -mat.col(2) }
            }
        }
    }
}

/// The pixel at which a perspective camera at `pos`, `mat` sees a point.
pub(crate) fn project(m: &Model, cam: CamId, pos: Vec3, mat: Mat3, point: Vec3) -> [f64; 2] {
    let resolution = m.cam_resolution[cam];
    let [width, height] = resolution.map(f64::from);
    let [size_x, size_y] = m.cam_sensorsize[cam];
    let [fx, fy] = if size_x != 0.0 && size_y != 0.0 {
        let [fx, fy, ..] = m.cam_intrinsic[cam];
        [fx / size_x * resolution[0] as f32, fy / size_y * resolution[1] as f32].map(f64::from)
    } else {
        [fovy_focal(m.cam_fovy[cam], height); 2]
    };

    // rows of (image · focal · rotation · translation), summed in MuJoCo's order
    let axes = [mat.col(0), mat.col(1), mat.col(2)];
    let row = |scale: f64, axis: Vec3, shift: f64| -> [f64; 4] {
        let mut row = [0.0; 4];
        for (factor, axis) in [(scale, axis), (shift, axes[2])] {
            for l in 0..3 {
                row[l] += factor * axis[l];
                row[3] += factor * axis[l] * -pos[l];
            }
        }
        row
    };
    let rows =
        [row(-fx, axes[0], width / 2.0), row(fy, axes[1], height / 2.0), row(0.0, axes[0], 1.0)];
    let [u, v, w] = rows.map(|r| r[0] * point.x + r[1] * point.y + r[2] * point.z + r[3]);

    // a point in the camera's plane is not divided by zero
    let w = if w.abs() >= MINVAL {
        w
    } else if w < 0.0 {
        -MINVAL
    } else {
        MINVAL
    };
    [u / w, v / w]
}

/// Focal length in pixels of a vertical field of view in degrees.
fn fovy_focal(fovy: f64, height: f64) -> f64 {
    0.5 / scalar::tan(fovy * PI / 360.0) * height
}
