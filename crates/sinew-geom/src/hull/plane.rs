//! Planes of facets.

use sinew_math::Vec3;

use crate::hull::polytope::{NONE, Polytope};

impl Polytope<'_> {
    /// Signed distance of a point above a facet.
    pub(super) fn distance(&self, p: Vec3, facet: usize) -> f64 {
        let f = &self.facets[facet];
        let n = f.normal.unwrap_or_default();
        f.offset + p.x * n.x + p.y * n.y + p.z * n.z
    }

    /// Cosine of the angle between two normals.
    pub(super) fn angle(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (self.facets[a].normal, self.facets[b].normal);
        a.unwrap_or_default().dot(b.unwrap_or_default())
    }

    /// Mean of vertices.
    pub(super) fn center_of(&self, vertices: &[usize]) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for &vertex in vertices {
            sum += self.point_of(vertex);
        }
        let n = vertices.len() as f64;
        Vec3::new(sum.x / n, sum.y / n, sum.z / n)
    }

    /// Mean of a facet's vertices, projected onto its plane.
    pub(super) fn centrum(&mut self, facet: usize) -> Vec3 {
        if let Some(center) = self.facets[facet].center {
            return center;
        }
        let mean = self.center_of(&self.facets[facet].vertices);
        let center =
            mean - self.facets[facet].normal.unwrap_or_default() * self.distance(mean, facet);
        self.facets[facet].center = Some(center);
        center
    }

    /// Computes the plane of a simplicial facet, by determinants, or by elimination where they
    /// are not exact enough.
    pub(super) fn set_plane(&mut self, facet: usize) {
        let f = &self.facets[facet];
        let corners = [0, 1, 2].map(|i| self.point_of(f.vertices[i]));
        let toporient = f.toporient;
        let (mut normal, mut offset) = self.plane_by_determinants(corners, toporient);
        let base = corners[0];
        let round = self.tol.dist_round;
        let off = |p: Vec3| (offset + (p.x * normal.x + p.y * normal.y + p.z * normal.z)).abs();
        let mut near_zero = false;
        if (corners[2] != base && off(corners[2]) > round)
            || (corners[1] != base && off(corners[1]) > round)
        {
            (normal, offset, near_zero) = self.plane_by_elimination(corners, toporient);
        }
        self.facets[facet].normal = Some(normal);
        self.facets[facet].offset = offset;
        if near_zero {
            self.orient_outside(facet);
        }
        self.check_flipped(facet);
    }

    /// Marks a facet that does not face away from the interior, and returns whether it did.
    pub(super) fn check_flipped(&mut self, facet: usize) -> bool {
        if !self.facets[facet].flipped {
            let dist = self.distance(self.interior, facet);
            self.facets[facet].flipped = dist >= -self.tol.dist_round;
        }
        self.facets[facet].flipped
    }

    /// Turns the plane of a facet away from the interior.
    pub(super) fn orient_outside(&mut self, facet: usize) {
        if self.distance(self.interior, facet) > 0.0 {
            let f = &mut self.facets[facet];
            f.normal = f.normal.map(|n| -n);
            f.offset = -f.offset;
        }
    }

    fn plane_by_determinants(&self, [a, b, c]: [Vec3; 3], toporient: bool) -> (Vec3, f64) {
        let (u, v) = (b - a, c - a);
        let det2 = |a1: f64, a2: f64, b1: f64, b2: f64| a1 * b2 - a2 * b1;
        let normal =
            Vec3::new(det2(v.y, v.z, u.y, u.z), det2(u.x, u.z, v.x, v.z), det2(v.x, v.y, u.x, u.y));
        let normal = self.normalize(normal, toporient);
        (normal, -(a.x * normal.x + a.y * normal.y + a.z * normal.z))
    }

    /// Unit vector, turned around unless `toporient`; some unit vector if it has no length.
    fn normalize(&self, v: Vec3, toporient: bool) -> Vec3 {
        let mut norm = (v.x * v.x + v.y * v.y + v.z * v.z).sqrt();
        if norm > self.tol.min_denom {
            if !toporient {
                norm = -norm;
            }
            return Vec3::new(v.x / norm, v.y / norm, v.z / norm);
        }
        if norm == 0.0 {
            let third = (1.0_f64 / 3.0).sqrt();
            return Vec3::new(third, third, third);
        }
        // so short that division is not safe: the axis of the largest component
        let largest = (0..3).fold(0, |best, k| if v[k].abs() > v[best].abs() { k } else { best });
        let sign = if (v[largest] >= 0.0) == toporient { 1.0 } else { -1.0 };
        let mut unit = Vec3::ZERO;
        unit[largest] = sign;
        unit
    }

    /// The plane by Gaussian elimination with pivots; also whether a pivot was near zero.
    fn plane_by_elimination(&self, [a, b, c]: [Vec3; 3], toporient: bool) -> (Vec3, f64, bool) {
        let mut rows = [(b - a).to_array(), (c - a).to_array()];
        let mut sign = toporient;
        let mut near_zero = false;
        if rows[1][0].abs() > rows[0][0].abs() {
            rows.swap(0, 1);
            sign ^= true;
        }
        if rows[0][0].abs() <= self.tol.near_zero[0] {
            near_zero = true;
        }
        if rows[0][0] != 0.0 {
            let n = rows[1][0] / rows[0][0];
            for j in 1..3 {
                rows[1][j] -= n * rows[0][j];
            }
        }
        if rows[1][1].abs() <= self.tol.near_zero[1] {
            near_zero = true;
        }
        sign ^= (rows[0][0] < 0.0) != (rows[1][1] < 0.0);

        // back substitution
        let unit = if sign { -1.0 } else { 1.0 };
        let mut normal = [0.0, 0.0, unit];
        for i in [1, 0] {
            let mut x = 0.0;
            for j in i + 1..3 {
                x -= rows[i][j] * normal[j];
            }
            match self.divide(x, rows[i][i]) {
                Some(quotient) => normal[i] = quotient,
                None => {
                    near_zero = true;
                    normal[i] = unit;
                    normal[i + 1..].fill(0.0);
                }
            }
        }
        let normal = self.normalize(normal.into(), true);
        let offset = -(a.x * normal.x) - a.y * normal.y - a.z * normal.z;
        (normal, offset, near_zero)
    }

    /// Quotient, unless it would overflow.
    fn divide(&self, x: f64, by: f64) -> Option<f64> {
        if by.abs() > self.tol.min_denom_2 {
            return Some(x / by);
        }
        let limit = self.tol.min_denom_1_2;
        let safe = if x.abs() < limit { x.abs() < by.abs() } else { (by / x).abs() > limit };
        safe.then(|| x / by)
    }

    /// Smallest and largest distance from a facet's plane of the vertices that only the other facet
    /// has, and the larger of both sizes. Both distances include zero.
    pub(super) fn spread(&mut self, facet: usize, neighbor: usize) -> (f64, f64, f64) {
        for i in 0..self.facets[facet].vertices.len() {
            let vertex = self.facets[facet].vertices[i];
            self.vertices[vertex].seen = false;
        }
        for i in 0..self.facets[neighbor].vertices.len() {
            let vertex = self.facets[neighbor].vertices[i];
            self.vertices[vertex].seen = true;
        }
        let (mut low, mut high) = (0.0, 0.0);
        for &vertex in &self.facets[facet].vertices {
            if !self.vertices[vertex].seen {
                let dist = self.distance(self.point_of(vertex), neighbor);
                if dist < low {
                    low = dist;
                } else if dist > high {
                    high = dist;
                }
            }
        }
        (low, high, if high > -low { high } else { -low })
    }

    /// Whether the new facets face more than one quadrant.
    pub(super) fn sharp_new_facets(&self) -> bool {
        let quadrant = |facet: usize| {
            let n = self.facets[facet].normal.unwrap_or_default();
            [n.x > 0.0, n.y > 0.0, n.z > 0.0]
        };
        self.newfacet_list != NONE
            && self
                .facets_from(self.newfacet_list)
                .any(|facet| quadrant(facet) != quadrant(self.newfacet_list))
    }
}
