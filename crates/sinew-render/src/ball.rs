//! The size of parts in an image, and their levels of detail.

use crate::camera::Projection;
use crate::item::{Form, MeshPart};
use crate::linear::{Mat4, V3, dot, sub};
use crate::mesh::Mesh;

/// Pixels per stack of vertices, chosen by the similarity of images of a few models to MuJoCo's.
const STACK: f32 = 8.0;

/// The mesh of a part in an image. `lit` parts need vertices for their lighting; errors may be
/// `coarse` times the usual ones.
pub(crate) fn shown<'a>(
    part: &'a MeshPart<'_>,
    ball: &Ball,
    view: &Projection,
    lit: bool,
    coarse: f32,
) -> &'a Mesh {
    let stack = if lit { coarse * STACK } else { f32::INFINITY };
    let pixels = ball.pixels_per_unit(&view.matrix, view.height);
    pick(part, pixels, [coarse * view.mesh_error, coarse * view.outline_error, stack])
}

/// The mesh of a part whose shadow is seen. A visible part casts its visible triangles, which do
/// not hide themselves.
pub(crate) fn casting<'a>(
    part: &'a MeshPart<'_>,
    ball: &Ball,
    view: &Projection,
    lit: bool,
) -> &'a Mesh {
    match ball.outside(view) {
        false => shown(part, ball, view, lit, 1.0),
        true => pick(
            part,
            ball.pixels_around(view),
            [view.mesh_error, view.outline_error, f32::INFINITY],
        ),
    }
}

/// The level of detail of a part by its size in pixels. The bounds are errors in pixels of a mesh
/// and of a round shape's outline, and the length of a stack.
fn pick<'a>(
    part: &'a MeshPart<'_>,
    pixels_per_unit: f32,
    [mesh_error, outline, stack]: [f32; 3],
) -> &'a Mesh {
    match &part.form {
        Form::Mesh(mesh) => mesh,
        Form::Model(mesh) => mesh.pick(mesh_error / pixels_per_unit),
        Form::Shape(levels) => {
            let [x, y, z] = part.scale.map(|s| s.abs() * pixels_per_unit);
            let (radius, length) = (x.max(y), 2.0 * x.max(y).max(z));
            levels.pick(levels.detail(radius, length, outline, stack))
        }
    }
}

/// Bounding sphere of a part.
pub(crate) struct Ball {
    pub(crate) center: V3,
    pub(crate) radius: f32,
}

impl Ball {
    pub(crate) fn new(part: &MeshPart<'_>, place: &Mat4) -> Ball {
        let [x, y, z] = part.scale.map(f32::abs);
        let center = [place.0[0][3], place.0[1][3], place.0[2][3]];
        Ball { center, radius: part.form.radius() * x.max(y).max(z) }
    }

    /// Signed distance of the centre from a plane, positive inside.
    fn beyond(&self, [a, b, c, d]: [f32; 4]) -> f32 {
        let [x, y, z] = self.center;
        let length = (a * a + b * b + c * c).sqrt().max(1e-20);
        (a * x + b * y + c * z + d) / length
    }

    /// Whether the sphere is entirely out of view: beyond an edge of the image or behind the eye.
    pub(crate) fn outside(&self, view: &Projection) -> bool {
        let [left, right, top, bottom, near, _] = planes(&view.matrix);
        [left, right, top, bottom, near].into_iter().any(|p| self.beyond(p) < -self.radius)
    }

    /// Whether the sphere is entirely out of the view of a light.
    pub(crate) fn unlit(&self, matrix: &Mat4) -> bool {
        let [left, right, bottom, top, near, _] = planes(matrix);
        [left, right, bottom, top, near].into_iter().any(|p| self.beyond(p) < -self.radius)
    }

    /// Whether the sphere is entirely inside the clipping planes.
    pub(crate) fn inside(&self, view: &Projection) -> bool {
        let [_, _, _, _, near, far] = planes(&view.matrix);
        let cuts = [Some(near), Some(far), view.clip];
        cuts.into_iter().flatten().all(|p| self.beyond(p) > self.radius)
    }

    /// Maximum number of pixels per unit of length at the sphere's distance from the eye, in any
    /// direction.
    pub(crate) fn pixels_around(&self, view: &Projection) -> f32 {
        let Some(eye) = view.viewpoint() else {
            return self.pixels_per_unit(&view.matrix, view.height);
        };
        let [_, [a, b, c, _], _, [d, e, f, _]] = view.matrix.0;
        let rel = sub(self.center, eye);
        let dist = (dot(rel, rel).sqrt() - self.radius) * dot([d, e, f], [d, e, f]).sqrt();
        let steep = dot([a, b, c], [a, b, c]).sqrt();
        if dist > 0.0 { 0.5 * view.height as f32 * steep / dist } else { f32::INFINITY }
    }

    /// Whether the sphere is entirely beyond the near plane of a projection.
    pub(crate) fn ahead(&self, matrix: &Mat4) -> bool {
        self.beyond(planes(matrix)[4]) > self.radius
    }

    /// Maximum number of pixels per unit of length, in an image of `size` pixels.
    pub(crate) fn pixels_per_unit(&self, matrix: &Mat4, size: usize) -> f32 {
        let [_, y, _, w] = matrix.0;
        let steep = |row: [f32; 4]| dot([row[0], row[1], row[2]], [row[0], row[1], row[2]]).sqrt();
        let [cx, cy, cz] = self.center;
        let depth = w[0] * cx + w[1] * cy + w[2] * cz + w[3] - self.radius * steep(w);
        if depth > 0.0 { 0.5 * size as f32 * steep(y) / depth } else { f32::INFINITY }
    }
}

/// The planes of the view volume as linear forms, positive inside: left, right, bottom, top, near,
/// far.
fn planes(matrix: &Mat4) -> [[f32; 4]; 6] {
    let [x, y, z, w] = matrix.0;
    let sum = |row: [f32; 4], sign: f32| core::array::from_fn(|k| w[k] + sign * row[k]);
    [sum(x, 1.0), sum(x, -1.0), sum(y, 1.0), sum(y, -1.0), sum(z, -1.0), z]
}
