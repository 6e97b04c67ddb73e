//! Tolerances of a point set.

use sinew_math::Vec3;

/// Tolerances from the rounding of distances to planes.
#[derive(Clone, Debug)]
pub(super) struct Tolerance {
    /// Rounding of a distance to a plane.
    pub(super) dist_round: f64,
    /// Centres of facets within this of a neighbour's plane are coplanar with it.
    pub(super) centrum: f64,
    /// Points above a facet by more see it.
    pub(super) min_visible: f64,
    /// Facets below a point by no more are coplanar with it.
    pub(super) max_coplanar: f64,
    /// Points above a facet by at least this are outside.
    pub(super) min_outside: f64,
    /// Most that one merge moves a plane.
    pub(super) one_merge: f64,
    /// Points inside by no more than this are kept, as they may come out by merging.
    pub(super) near_inside: f64,
    /// Merges that move a plane by more make it wide.
    pub(super) wide_facet: f64,
    /// Divisors below this count as zero.
    pub(super) min_denom: f64,
    pub(super) min_denom_1_2: f64,
    pub(super) min_denom_2: f64,
    /// Pivots and determinants below this are near zero.
    pub(super) near_zero: [f64; 3],
    pub(super) max_width: f64,
    pub(super) max_abs: f64,
}

/// Tolerances of a point set, and its points of smallest and largest x, y and z.
pub(super) fn measure(points: &[Vec3]) -> (Tolerance, [usize; 6]) {
    // extent of the points
    let (mut max_abs, mut max_width, mut sum) = (0.0_f64, -f64::MAX, 0.0);
    let mut near_zero = [0.0; 3];
    let mut extremes = [0; 6];
    for k in 0..3 {
        let (mut low, mut high) = (0, 0);
        for (i, p) in points.iter().enumerate() {
            if points[high][k] < p[k] {
                high = i;
            } else if points[low][k] > p[k] {
                low = i;
            }
        }
        let largest = points[high][k].max(-points[low][k]);
        max_width = max_width.max(points[high][k] - points[low][k]);
        max_abs = max_abs.max(largest);
        sum += largest;
        extremes[2 * k] = low;
        extremes[2 * k + 1] = high;
        near_zero[k] = 80.0 * sum * f64::EPSILON;
    }

    // rounding of distances, and its multiples (Qhull: qh_detmaxmin, qh_detroundoff)
    let dist_sum = (3.0_f64.sqrt() * max_abs).min(sum);
    let dist_round = f64::EPSILON * (3.0 * dist_sum * 1.01 + max_abs);
    let centrum = 2.0 * dist_round;
    let one_merge = 3.0 * centrum + dist_round;
    let min_outside = 2.0 * centrum;
    let tiny = f64::MIN_POSITIVE;
    let tolerance = Tolerance {
        dist_round,
        centrum,
        min_visible: centrum,
        max_coplanar: centrum,
        min_outside,
        one_merge,
        near_inside: one_merge * 5.0,
        wide_facet: min_outside.max(6.0 * centrum),
        min_denom: tiny * max_abs,
        min_denom_1_2: (tiny * 3.0).sqrt(),
        min_denom_2: (tiny * 3.0).sqrt() * max_abs,
        near_zero,
        max_width,
        max_abs,
    };
    (tolerance, extremes)
}
