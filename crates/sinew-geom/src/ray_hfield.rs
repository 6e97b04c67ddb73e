//! Rays against height fields.

use sinew_math::{Vec3, scalar};

use crate::ray::{Hit, Nearest, Ray, nearest_face};
use crate::ray_mesh::Across;
use crate::shape::{Pose, Shape};
use crate::solid::HeightField;

/// Outward normals of the vertical sides, in the order of a box's faces.
const SIDES: [Vec3; 4] = [Vec3::new(-1.0, 0.0, 0.0), Vec3::X, Vec3::new(0.0, -1.0, 0.0), Vec3::Y];

impl HeightField<'_> {
    /// The first hit on the terrain, its vertical sides or the box below.
    #[doc(alias = "mj_rayHfield")]
    pub fn hit(&self, pose: Pose, ray: Ray) -> Option<Hit> {
        let [sx, sy, top, base] = self.size;
        let up = pose.mat.col(2);
        let below = Pose { pos: pose.pos - up * base * 0.5, mat: pose.mat };
        let above = Pose { pos: pose.pos + up * top * 0.5, mat: pose.mat };

        // the box below; done if the ray misses the terrain's box
        let floor = ray.hit(Shape::Box { half: Vec3::new(sx, sy, base * 0.5) }, below);
        let Some(faces) = ray.box_faces(Vec3::new(sx, sy, top * 0.5), above) else {
            return floor;
        };
        let Some((_, entry)) = nearest_face(&faces) else {
            return floor;
        };
        let local = ray.local(pose);
        let start = floor.map(|hit| (hit.dist, pose.mat.tmul_vec(hit.normal)));
        let mut best = Nearest::from(start);

        self.hit_terrain(local, segment(entry, &faces), &mut best);
        self.hit_sides(local, &faces, &mut best);

        let (dist, normal) = best.get()?;
        Some(Hit { dist, normal: pose.mat * normal })
    }

    /// The triangles under a segment of the ray.
    fn hit_terrain(&self, ray: Ray, segment: [f64; 2], best: &mut Nearest<Vec3>) {
        let [sx, sy, top, _] = self.size;
        let (dx, dy) = self.spacing();
        let columns = covered(segment.map(|x| (ray.origin.x + x * ray.dir.x + sx) / dx), self.ncol);
        let rows = covered(segment.map(|x| (ray.origin.y + x * ray.dir.y + sy) / dy), self.nrow);
        let across = Across::new(ray);
        let corner = |r: usize, c: usize| {
            Vec3::new(dx * c as f64 - sx, dy * r as f64 - sy, self.height(r, c) * top)
        };
        for r in rows {
            for c in columns.clone() {
                let (near, far) = (corner(r, c), corner(r + 1, c + 1));
                for triangle in [[near, corner(r, c + 1), far], [near, far, corner(r + 1, c)]] {
                    if let Some((x, normal)) = across.hit(triangle) {
                        best.offer(x, normal.normalize().0);
                    }
                }
            }
        }
    }

    /// The vertical sides, where the ray intersects them below the terrain.
    fn hit_sides(&self, ray: Ray, faces: &[Option<f64>; 6], best: &mut Nearest<Vec3>) {
        let [sx, sy, top, _] = self.size;
        let (dx, dy) = self.spacing();
        for (side, &normal) in SIDES.iter().enumerate() {
            let Some(x) = faces[side] else { continue };
            let point = ray.at(x);
            let last = side % 2 == 1;

            // place along the edge, and the heights of the samples around it
            let (at, n) = match side < 2 {
                true => ((point.y + sy) / dy, self.nrow),
                false => ((point.x + sx) / dx, self.ncol),
            };
            let cell = scalar::floor(at).min(n as f64 - 2.0).max(0.0);
            let sample = |k: usize| match side < 2 {
                true => self.height(k, if last { self.ncol.saturating_sub(1) } else { 0 }),
                false => self.height(if last { self.nrow.saturating_sub(1) } else { 0 }, k),
            };
            let (z0, z1) = (sample(cell as usize), sample(cell as usize + 1));
            if point.z / top < z0 * (cell + 1.0 - at) + z1 * (at - cell) {
                best.offer(x, normal);
            }
        }
    }

    /// Distance between samples in x and y.
    fn spacing(&self) -> (f64, f64) {
        let [sx, sy, ..] = self.size;
        ((2.0 * sx) / (self.ncol as f64 - 1.0), (2.0 * sy) / (self.nrow as f64 - 1.0))
    }

    fn height(&self, r: usize, c: usize) -> f64 {
        self.data.get(r * self.ncol + c).map_or(0.0, |&h| f64::from(h))
    }
}

/// The part of the ray inside the box of the terrain: from its entry, or the origin, to the exit.
fn segment(entry: f64, faces: &[Option<f64>; 6]) -> [f64; 2] {
    let mut segment = [0.0, entry];
    for &x in faces.iter().flatten() {
        if x > segment[1] {
            segment = [entry, x];
        }
    }
    segment
}

/// Cells between two places on the grid, with one more at each end.
fn covered(ends: [f64; 2], samples: usize) -> core::ops::Range<usize> {
    let (low, high) = if ends[0] < ends[1] { (ends[0], ends[1]) } else { (ends[1], ends[0]) };
    let first = (scalar::floor(low) - 1.0).max(0.0) as usize;
    let end = (scalar::ceil(high) + 1.0).min(samples as f64 - 1.0).max(0.0) as usize;
    first..end
}

#[cfg(test)]
mod tests;
