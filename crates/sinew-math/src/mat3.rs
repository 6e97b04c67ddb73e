//! 3×3 matrices, stored by rows.

use core::ops::Mul;

use crate::vec3::Vec3;

/// A 3×3 matrix of rows; same bytes as MuJoCo's `mjtNum[9]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct Mat3(pub [[f64; 3]; 3]);

impl Mat3 {
    /// The identity.
    pub const IDENTITY: Mat3 = Mat3([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    /// All zeros.
    pub const ZERO: Mat3 = Mat3([[0.0; 3]; 3]);

    /// A matrix from its rows.
    #[inline]
    pub const fn from_rows(a: Vec3, b: Vec3, c: Vec3) -> Self {
        Mat3([a.to_array(), b.to_array(), c.to_array()])
    }

    /// A matrix from its columns.
    #[inline]
    pub const fn from_cols(a: Vec3, b: Vec3, c: Vec3) -> Self {
        Mat3([[a.x, b.x, c.x], [a.y, b.y, c.y], [a.z, b.z, c.z]])
    }

    /// The diagonal matrix of `d`.
    #[inline]
    pub const fn diag(d: Vec3) -> Self {
        Mat3([[d.x, 0.0, 0.0], [0.0, d.y, 0.0], [0.0, 0.0, d.z]])
    }

    /// The first nine numbers of a slice, by rows; panics if there are fewer.
    #[inline]
    pub fn from_slice(s: &[f64]) -> Self {
        Mat3([[s[0], s[1], s[2]], [s[3], s[4], s[5]], [s[6], s[7], s[8]]])
    }

    /// The nine numbers by rows.
    #[inline]
    pub const fn to_array(self) -> [f64; 9] {
        let m = self.0;
        [m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2]]
    }

    /// Row `i`.
    #[inline]
    pub fn row(self, i: usize) -> Vec3 {
        self.0[i].into()
    }

    /// Column `j`.
    #[inline]
    pub fn col(self, j: usize) -> Vec3 {
        Vec3::new(self.0[0][j], self.0[1][j], self.0[2][j])
    }

    /// The transposed matrix.
    #[inline]
    pub fn transpose(self) -> Mat3 {
        Mat3::from_cols(self.row(0), self.row(1), self.row(2))
    }

    /// selfᵀ v
    #[doc(alias = "mju_mulMatTVec3")]
    #[inline]
    pub fn tmul_vec(self, v: Vec3) -> Vec3 {
        let m = self.0;
        Vec3::new(
            m[0][0] * v.x + m[1][0] * v.y + m[2][0] * v.z,
            m[0][1] * v.x + m[1][1] * v.y + m[2][1] * v.z,
            m[0][2] * v.x + m[1][2] * v.y + m[2][2] * v.z,
        )
    }

    /// selfᵀ o
    #[doc(alias = "mju_mulMatTMat3")]
    #[inline]
    pub fn tmul(self, o: Mat3) -> Mat3 {
        self.transpose() * o
    }

    /// self oᵀ
    #[doc(alias = "mju_mulMatMatT3")]
    #[inline]
    pub fn mul_t(self, o: Mat3) -> Mat3 {
        self * o.transpose()
    }

    /// Determinant.
    #[inline]
    pub fn det(self) -> f64 {
        self.row(0).dot(self.row(1).cross(self.row(2)))
    }
}

impl Mul<Vec3> for Mat3 {
    type Output = Vec3;
    #[inline]
    fn mul(self, v: Vec3) -> Vec3 {
        Vec3::new(self.row(0).dot(v), self.row(1).dot(v), self.row(2).dot(v))
    }
}

impl Mul for Mat3 {
    type Output = Mat3;
    #[inline]
    fn mul(self, o: Mat3) -> Mat3 {
        let (a, b) = (self.0, o.0);
        let dot = |i: usize, j: usize| a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
        Mat3(core::array::from_fn(|i| core::array::from_fn(|j| dot(i, j))))
    }
}

impl From<[f64; 9]> for Mat3 {
    #[inline]
    fn from(a: [f64; 9]) -> Self {
        Mat3::from_slice(&a)
    }
}

impl core::ops::Index<(usize, usize)> for Mat3 {
    type Output = f64;
    #[inline]
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.0[i][j]
    }
}

impl core::ops::IndexMut<(usize, usize)> for Mat3 {
    #[inline]
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.0[i][j]
    }
}
