//! Vectors and matrices in single precision.

/// A vector or point.
pub(crate) type V3 = [f32; 3];

pub(crate) fn add(a: V3, b: V3) -> V3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scale(a: V3, s: f32) -> V3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

pub(crate) fn mul(a: V3, b: V3) -> V3 {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

pub(crate) fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The unit vector; +z for a zero vector.
pub(crate) fn normalize(a: V3) -> V3 {
    let length = dot(a, a).sqrt();
    if length < 1e-10 { [0.0, 0.0, 1.0] } else { scale(a, 1.0 / length) }
}

/// Column `k` of a rotation stored by rows.
pub(crate) fn column(mat: &[V3; 3], k: usize) -> V3 {
    [mat[0][k], mat[1][k], mat[2][k]]
}

/// A rotation times a vector.
pub(crate) fn rotate(mat: &[V3; 3], v: V3) -> V3 {
    [dot(mat[0], v), dot(mat[1], v), dot(mat[2], v)]
}

/// A 4×4 matrix of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Mat4(pub(crate) [[f32; 4]; 4]);

impl Mat4 {
    pub(crate) fn mul(self, o: Mat4) -> Mat4 {
        let (a, b) = (self.0, o.0);
        Mat4(core::array::from_fn(|i| {
            core::array::from_fn(|j| (0..4).map(|k| a[i][k] * b[k][j]).sum())
        }))
    }

    /// The image of a point, in homogeneous coordinates.
    #[inline(always)]
    pub(crate) fn point(&self, p: V3) -> [f32; 4] {
        self.0.map(|r| r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3])
    }

    /// The transform that adds `offset`, scales by `stretch`, rotates by `mat` and moves by `pos`.
    pub(crate) fn part(pos: V3, mat: &[V3; 3], stretch: V3, offset: V3) -> Mat4 {
        let shift = add(pos, rotate(mat, mul(stretch, offset)));
        let row = |i: usize| {
            let [x, y, z] = mul(mat[i], stretch);
            [x, y, z, shift[i]]
        };
        Mat4([row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]])
    }

    /// The columns; the image of a point is their linear combination.
    pub(crate) fn columns(&self) -> [[f32; 4]; 4] {
        core::array::from_fn(|j| core::array::from_fn(|i| self.0[i][j]))
    }

    /// The transform into the frame of an eye that looks along `forward`: x right, y up, z
    /// backwards.
    pub(crate) fn look_at(eye: V3, forward: V3, up: V3) -> Mat4 {
        let f = normalize(forward);
        let s = normalize(cross(f, up));
        let u = normalize(cross(s, f));
        let row = |axis: V3| [axis[0], axis[1], axis[2], -dot(axis, eye)];
        Mat4([row(s), row(u), row(scale(f, -1.0)), [0.0, 0.0, 0.0, 1.0]])
    }

    /// The perspective projection of a frustum given by its edges at the near plane. Depth goes
    /// from 1 at the near plane to 0 at the far plane, so that single precision is finest far away.
    pub(crate) fn frustum([l, r, b, t]: [f32; 4], near: f32, far: f32) -> Mat4 {
        let (w, h, d) = (r - l, t - b, far - near);
        Mat4([
            [2.0 * near / w, 0.0, (r + l) / w, 0.0],
            [0.0, 2.0 * near / h, (t + b) / h, 0.0],
            [0.0, 0.0, near / d, far * near / d],
            [0.0, 0.0, -1.0, 0.0],
        ])
    }

    /// The orthographic projection.
    pub(crate) fn orthographic([l, r, b, t]: [f32; 4], near: f32, far: f32) -> Mat4 {
        let (w, h, d) = (r - l, t - b, far - near);
        Mat4([
            [2.0 / w, 0.0, 0.0, -(r + l) / w],
            [0.0, 2.0 / h, 0.0, -(t + b) / h],
            [0.0, 0.0, 1.0 / d, far / d],
            [0.0, 0.0, 0.0, 1.0],
        ])
    }

    /// The reflection in the plane through `pos` with unit normal `n`.
    pub(crate) fn mirror(pos: V3, n: V3) -> Mat4 {
        let offset = 2.0 * dot(n, pos);
        let entry = |i: usize, j: usize| f32::from(u8::from(i == j)) - 2.0 * n[i] * n[j];
        let row = |i: usize| [entry(i, 0), entry(i, 1), entry(i, 2), offset * n[i]];
        Mat4([row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]])
    }

    /// The transform that scales, rotates and translates.
    pub(crate) fn place(translate: V3, quat: [f32; 4], scale: f32) -> Mat4 {
        let [w, x, y, z] = quat;
        let m = [
            [w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ];
        let row = |i: usize| [m[i][0] * scale, m[i][1] * scale, m[i][2] * scale, translate[i]];
        Mat4([row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirror_is_its_own_inverse() {
        let mirror = Mat4::mirror([0.1, 0.2, 0.3], normalize([1.0, 2.0, -1.0]));
        let [x, y, z, w] = mirror.mul(mirror).point([1.0, 2.0, 3.0]);
        for (got, want) in [(x, 1.0), (y, 2.0), (z, 3.0), (w, 1.0)] {
            assert!((got - want).abs() < 1e-5);
        }
    }

    #[test]
    fn depth_is_one_at_the_near_plane_and_zero_at_the_far_one() {
        let edges = [-1.0, 1.0, -1.0, 1.0];
        for proj in [Mat4::frustum(edges, 0.5, 20.0), Mat4::orthographic(edges, 0.5, 20.0)] {
            for (dist, depth) in [(0.5, 1.0), (20.0, 0.0)] {
                let [_, _, z, w] = proj.point([0.0, 0.0, -dist]);
                assert!((z / w - depth).abs() < 1e-6);
            }
        }
    }
}
