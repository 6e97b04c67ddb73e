//! Matrices that take motions to forces.

use sinew_math::{Spatial, Vec3};

/// A 6×6 matrix by columns, each of them a force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mat6(pub(super) [Spatial; 6]);

impl Mat6 {
    pub(super) const ZERO: Mat6 = Mat6([Spatial::ZERO; 6]);

    /// The matrix whose columns are the images of the unit motions.
    pub(super) fn from_images(image: impl Fn(Spatial) -> Spatial) -> Mat6 {
        Mat6(UNIT.map(image))
    }

    /// A force with a fixed direction at a point that a motion carries: x ↦ (ẋ × force, 0). Here
    /// `at` is the point relative to the centre of the motions.
    pub(super) fn carried_point(at: Vec3, force: Vec3) -> Mat6 {
        Mat6::from_images(|x| Spatial::new((x.lin + x.rot.cross(at)).cross(force), Vec3::ZERO))
    }

    /// A force that a motion carries as a whole: x ↦ x ×* force.
    pub(super) fn carried(force: Spatial) -> Mat6 {
        Mat6::from_images(|x| x.cross_force(force))
    }

    pub(super) fn mul(&self, x: Spatial) -> Spatial {
        let mut sum = Spatial::ZERO;
        for (&column, x) in self.0.iter().zip(x.to_array()) {
            sum += column * x;
        }
        sum
    }

    /// The product of the transpose.
    pub(super) fn tmul(&self, x: Spatial) -> Spatial {
        Spatial::from_slice(&self.0.map(|column| column.dot(x)))
    }

    /// Adds a bᵀ.
    pub(super) fn add_product(&mut self, a: Spatial, b: Spatial) {
        for (column, b) in self.0.iter_mut().zip(b.to_array()) {
            *column += a * b;
        }
    }

    pub(super) fn add(&mut self, o: &Mat6) {
        for (a, b) in self.0.iter_mut().zip(o.0) {
            *a += b;
        }
    }
}

/// Unit motions: rotations about the axes, then translations along them.
pub(super) const UNIT: [Spatial; 6] = [
    Spatial::new(Vec3::X, Vec3::ZERO),
    Spatial::new(Vec3::Y, Vec3::ZERO),
    Spatial::new(Vec3::Z, Vec3::ZERO),
    Spatial::new(Vec3::ZERO, Vec3::X),
    Spatial::new(Vec3::ZERO, Vec3::Y),
    Spatial::new(Vec3::ZERO, Vec3::Z),
];
