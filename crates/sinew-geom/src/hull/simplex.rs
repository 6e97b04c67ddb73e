//! The simplex from which a hull grows.

use sinew_math::Vec3;

use crate::hull::error::HullError;
use crate::hull::polytope::Polytope;
use crate::hull::tolerance::Tolerance;

/// A determinant below this part of the largest possible one asks for a search of all points.
const RATIO_MAX_SIMPLEX: f64 = 1e-3;
/// Cosine between facets below which the simplex is too narrow for the usual tests.
const MAX_NARROW: f64 = -0.99999999;

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

        // the first facet decides for all
        self.set_plane(facets[0]);
        self.facets[facets[0]].flipped = false;
        if self.distance(self.interior, facets[0]) > self.tol.dist_round {
            flip_all(self);
            self.set_plane(facets[0]);
        }

        // a facet that rounding turned the other way decides again
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
