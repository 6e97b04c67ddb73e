//! Sums of squared distances from planes.

use crate::linear::V3;

/// Weighted planes as a quadratic form of a point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quadric {
    /// Coefficients of xx, yy, zz, xy, xz, yz.
    square: [f64; 6],
    linear: [f64; 3],
    constant: f64,
    weight: f64,
}

impl Quadric {
    /// The squared distance from a plane with the given unit normal through a point.
    pub(crate) fn plane(normal: V3, point: V3, weight: f32) -> Quadric {
        let ([a, b, c], [x, y, z]) = (normal.map(f64::from), point.map(f64::from));
        let weight = f64::from(weight);
        let d = -(a * x + b * y + c * z);
        let square = [a * a, b * b, c * c, 2.0 * a * b, 2.0 * a * c, 2.0 * b * c];
        Quadric {
            square: square.map(|s| s * weight),
            linear: [a, b, c].map(|s| 2.0 * s * d * weight),
            constant: d * d * weight,
            weight,
        }
    }

    pub(crate) fn add(&mut self, other: &Quadric) {
        for k in 0..6 {
            self.square[k] += other.square[k];
        }
        for k in 0..3 {
            self.linear[k] += other.linear[k];
        }
        self.constant += other.constant;
        self.weight += other.weight;
    }

    /// The mean squared distance of a point from the planes.
    pub(crate) fn at(&self, point: V3) -> f64 {
        let [x, y, z] = point.map(f64::from);
        let [xx, yy, zz, xy, xz, yz] = self.square;
        let [lx, ly, lz] = self.linear;
        let square = xx * x * x + yy * y * y + zz * z * z + xy * x * y + xz * x * z + yz * y * z;
        let sum = square + lx * x + ly * y + lz * z + self.constant;
        sum.max(0.0) / self.weight.max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_has_the_mean_squared_distance_from_the_planes() {
        let mut sum = Quadric::plane([0.0, 0.0, 1.0], [5.0, 5.0, 1.0], 1.0);
        sum.add(&Quadric::plane([0.6, 0.8, 0.0], [0.6, 0.8, 7.0], 3.0));
        let want = (1.0 * 9.0 + 3.0 * 25.0) / 4.0;
        assert!((sum.at([3.6, 4.8, 4.0]) - want).abs() < 1e-5);
    }
}
