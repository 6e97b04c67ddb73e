//! Tolerances of a point set, and the simplex from which its hull grows.

use sinew_math::Vec3;

use super::HullError;
use super::polytope::Polytope;

/// A determinant below this part of the largest possible one asks for a search of all points.
const RATIO_MAX_SIMPLEX: f64 = 1e-3;
/// Cosine between facets below which the simplex is too narrow for the usual tests.
const MAX_NARROW: f64 = -0.99999999;

/// What counts as equal, from the rounding of distances to planes.
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

/// Four points that span a large volume, chosen among the extremes if they do.
pub(super) fn choose(
    points: &[Vec3],
    tol: &Tolerance,
    extremes: [usize; 6],
) -> Result<Vec<usize>, HullError> {
    if tol.max_width <= 0.0 {
        return Err(HullError::Flat);
    }

    // smallest and largest x
    let (mut low, mut high) = (extremes[0], extremes[0]);
    for &i in &extremes {
        if points[high].x < points[i].x {
            high = i;
        }
        if points[low].x > points[i].x {
            low = i;
        }
    }
    if low == high {
        return Err(HullError::Flat);
    }
    let mut simplex = vec![low, high];
    let mut last = points[high].x - points[low].x;

    // then the point of the largest determinant, in x and y first
    for dim in 2..4 {
        let mut best: Option<(usize, f64, bool)> = None;
        let mut largest = -1.0;
        for &i in &extremes {
            if !simplex.contains(&i) {
                let (det, near_zero) = determinant(points, tol, i, &simplex, dim);
                if det > largest {
                    largest = det;
                    best = Some((i, det, near_zero));
                }
            }
        }
        let target = last * tol.max_width;
        let narrow = largest > 0.0 && largest / target < RATIO_MAX_SIMPLEX;
        if best.is_none_or(|(_, _, near_zero)| near_zero) || narrow {
            let enough = 10.0 * RATIO_MAX_SIMPLEX * target;
            for i in 0..points.len() {
                if extremes.contains(&i) || simplex.contains(&i) {
                    continue;
                }
                let (det, near_zero) = determinant(points, tol, i, &simplex, dim);
                if det > largest {
                    largest = det;
                    best = Some((i, det, near_zero));
                    if !near_zero && det > enough {
                        break;
                    }
                }
            }
        }
        let (point, _, _) = best.ok_or(HullError::Flat)?;
        simplex.push(point);
        last = largest;
    }
    Ok(simplex)
}

/// Absolute determinant of the first `dim` points seen from `apex`, in the first `dim`
/// coordinates, and whether rounding may have made it.
fn determinant(
    points: &[Vec3],
    tol: &Tolerance,
    apex: usize,
    simplex: &[usize],
    dim: usize,
) -> (f64, bool) {
    let row = |i: usize| points[simplex[i]] - points[apex];
    let (a, b) = (row(0), row(1));
    let det2 = |a1: f64, a2: f64, b1: f64, b2: f64| a1 * b2 - a2 * b1;
    let det = if dim == 2 {
        det2(a.x, a.y, b.x, b.y)
    } else {
        let c = row(2);
        a.x * det2(b.y, b.z, c.y, c.z) - b.x * det2(a.y, a.z, c.y, c.z)
            + c.x * det2(a.y, a.z, b.y, b.z)
    };
    (det.abs(), det.abs() < 10.0 * tol.near_zero[dim - 1])
}

impl Polytope<'_> {
    /// Makes the simplex of four points the polytope.
    pub(super) fn start(&mut self, simplex: &[usize]) -> Result<(), HullError> {
        // corners by decreasing id; facet i leaves out corner i
        let mut corners: Vec<usize> = simplex.iter().map(|&p| self.new_vertex(p)).collect();
        corners.reverse();
        let mut facets = Vec::with_capacity(4);
        for (i, &corner) in corners.iter().enumerate() {
            let facet = self.new_facet();
            self.facets[facet].vertices =
                corners.iter().copied().filter(|v| *v != corner).collect();
            self.facets[facet].toporient = i % 2 == 0;
            self.append_facet(facet);
            self.append_vertex(corner);
            facets.push(facet);
        }
        for &facet in &facets {
            self.facets[facet].neighbors = facets.iter().copied().filter(|f| *f != facet).collect();
        }
        self.reset_lists(true);
        self.facet_next = self.facet_list;
        self.interior = self.center_of(&corners);
        self.orient(&facets)?;

        // a simplex that is nearly flat
        for &facet in &facets {
            for &neighbor in &facets {
                if facet != neighbor && self.angle(facet, neighbor) < MAX_NARROW {
                    self.narrow = true;
                }
            }
        }
        Ok(())
    }

    /// Gives the facets of the simplex planes that face outwards.
    fn orient(&mut self, facets: &[usize]) -> Result<(), HullError> {
        let flip_all = |hull: &mut Self| {
            for &facet in facets {
                hull.facets[facet].toporient ^= true;
            }
        };
        self.set_plane(facets[0]);
        self.facets[facets[0]].flipped = false;
        if self.distance(self.interior, facets[0]) > self.tol.dist_round {
            flip_all(self);
            self.set_plane(facets[0]);
        }
        for &facet in &facets[1..] {
            self.set_plane(facet);
        }
        for &facet in facets {
            self.facets[facet].flipped = false;
            if self.distance(self.interior, facet) > self.tol.dist_round {
                flip_all(self);
                for &facet in facets {
                    self.facets[facet].flipped = false;
                    self.orient_outside(facet);
                }
                break;
            }
        }
        for &facet in facets {
            if self.check_flipped(facet) {
                return Err(HullError::Flat);
            }
        }
        Ok(())
    }
}
