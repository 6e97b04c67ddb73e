//! From the cameras of a scene to a projection on pixels.

use sinew_scene::{GlCamera, Scene, SceneError, average_camera, camera_in_model};

use crate::linear::{Mat4, V3};

/// A view of the world as an image; row 0 is at the top.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projection {
    /// Transform from world to clip space.
    pub(crate) matrix: Mat4,
    /// Position of the eye in the model's frame.
    pub(crate) eye: V3,
    /// Origin and direction of distances along the line of sight.
    pub(crate) origin: V3,
    pub(crate) forward: V3,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) near: f32,
    pub(crate) far: f32,
    pub(crate) orthographic: bool,
    /// Whether pixels have several samples, which changes how lines are drawn.
    pub(crate) multiple: bool,
    /// Whether triangles without a sample are left out. Wire frames show them.
    pub(crate) sampled: bool,
    /// Maximum error of the outlines of round shapes in pixels.
    pub(crate) outline_error: f32,
    /// Maximum error of meshes in pixels; negative for the meshes themselves.
    pub(crate) mesh_error: f32,
    /// Whether the view is reflected, which reverses the orientation of triangles.
    pub(crate) mirrored: bool,
    /// A linear form; points where it is negative are clipped.
    pub(crate) clip: Option<[f32; 4]>,
}

impl Projection {
    /// The view of one camera, or of the mean of both.
    pub(crate) fn new(
        scn: &Scene,
        eye: Option<usize>,
        width: usize,
        height: usize,
    ) -> Result<Projection, SceneError> {
        let cam: GlCamera = match eye {
            Some(k) => scn.camera[k],
            None => average_camera(&scn.camera[0], &scn.camera[1])?,
        };

        // edges of the near plane; a width of 0 means the aspect ratio of the image
        let half = if cam.frustum_width != 0.0 {
            cam.frustum_width
        } else {
            0.5 * width as f32 / height as f32 * (cam.frustum_top - cam.frustum_bottom)
        };
        let center = cam.frustum_center;
        let edges = [center - half, center + half, cam.frustum_bottom, cam.frustum_top];
        let orthographic = cam.orthographic != 0;

        // clip ← camera ← world, and the model's transform in the world
        let project = if orthographic { Mat4::orthographic } else { Mat4::frustum };
        let (near, far) = (cam.frustum_near, cam.frustum_far);
        let mut matrix = project(edges, near, far).mul(Mat4::look_at(cam.pos, cam.forward, cam.up));
        if scn.enabletransform {
            matrix = matrix.mul(Mat4::place(scn.translate, scn.rotate, scn.scale));
        }

        // light and fog use the mean of both eyes
        let [head, forward, _] = camera_in_model(scn)?;
        Ok(Projection {
            matrix,
            eye: head.to_array().map(|x| x as f32),
            origin: head.to_array().map(|x| x as f32),
            forward: forward.to_array().map(|x| x as f32),
            width,
            height,
            near,
            far,
            orthographic,
            multiple: false,
            sampled: true,
            outline_error: 0.0,
            mesh_error: -1.0,
            mirrored: false,
            clip: None,
        })
    }

    /// The same view reflected in a plane.
    pub(crate) fn mirror(&self, pos: V3, normal: V3) -> Projection {
        let [x, y, z] = normal;
        let offset = -(pos[0] * x + pos[1] * y + pos[2] * z);
        Projection {
            matrix: self.matrix.mul(Mat4::mirror(pos, normal)),
            eye: {
                let [x, y, z, _] = Mat4::mirror(pos, normal).point(self.eye);
                [x, y, z]
            },
            mirrored: true,
            // geometry behind the mirror is not reflected
            clip: Some([x, y, z, offset]),
            ..*self
        }
    }

    /// The point from which the image is seen; `None` if lines of sight are parallel.
    pub(crate) fn viewpoint(&self) -> Option<V3> {
        // the point where the first, second and last row of the matrix are 0
        let [x, y, _, w] = self.matrix.0.map(|row| row.map(f64::from));
        let minor = |skip: usize| {
            let keep = |row: [f64; 4]| {
                let at = |k: usize| row[if k < skip { k } else { k + 1 }];
                [at(0), at(1), at(2)]
            };
            let ([a, b, c], [d, e, f], [g, h, i]) = (keep(x), keep(y), keep(w));
            a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
        };
        let scale = minor(3);
        let point = [-minor(0), minor(1), -minor(2)].map(|p| (p / scale) as f32);
        (!self.orthographic && point.iter().all(|p| p.is_finite())).then_some(point)
    }

    /// Distance along the line of sight from a depth value.
    pub(crate) fn distance(&self, depth: f32) -> f32 {
        let (near, far, depth) = (f64::from(self.near), f64::from(self.far), f64::from(depth));
        let dist = if self.orthographic {
            far - depth * (far - near)
        } else {
            near * far / (near + depth * (far - near))
        };
        dist as f32
    }
}
