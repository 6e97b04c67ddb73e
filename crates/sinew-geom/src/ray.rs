//! Rays against shapes: the distance along the ray of its first intersection with the surface.
//!
//! Distances are in units of the ray's vector, which need not be a unit vector. MuJoCo
//! `engine_ray.c`.

use sinew_math::{MINVAL, Vec3, scalar};

use crate::shape::{Pose, Shape};

/// The points `origin + x * dir`, x ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub origin: Vec3,
    /// Where it goes; distances are in units of its length.
    pub dir: Vec3,
}

/// The intersection of a ray and a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance along the ray, in units of its vector.
    pub dist: f64,
    /// Outward normal of the surface there.
    pub normal: Vec3,
}

impl Ray {
    /// The point at distance `x`.
    pub fn at(self, x: f64) -> Vec3 {
        self.origin + self.dir * x
    }

    /// The ray as seen from a frame.
    pub fn local(self, pose: Pose) -> Ray {
        Ray { origin: pose.local_point(self.origin), dir: pose.mat.tmul_vec(self.dir) }
    }

    /// The first hit on a shape, from outside or inside; planes are hit from above only, and
    /// within the rectangle that is drawn.
    #[doc(alias = "mju_rayGeom")]
    pub fn hit(self, shape: Shape, pose: Pose) -> Option<Hit> {
        match shape {
            Shape::Plane { half } => self.hit_plane(half, pose),
            Shape::Sphere { radius } => self.hit_sphere(radius, pose),
            Shape::Capsule { radius, half_len } => self.hit_capsule(radius, half_len, pose),
            Shape::Ellipsoid { half } => self.hit_ellipsoid(half, pose),
            Shape::Cylinder { radius, half_len } => self.hit_cylinder(radius, half_len, pose),
            Shape::Box { half } => self.hit_box(half, pose),
        }
    }

    /// Distance to the sphere of squared radius `r2` around `center`.
    fn sphere_dist(self, center: Vec3, r2: f64) -> Option<f64> {
        first(roots_to_point(Ray { origin: self.origin - center, dir: self.dir }, r2)?)
    }

    /// Whether the ray intersects the sphere of squared radius `r2` around `center`; decides as the
    /// distance would, without dividing.
    #[inline]
    pub fn meets_sphere(self, center: Vec3, r2: f64) -> bool {
        let (from, dir) = (self.origin - center, self.dir);
        let (a, b, c) = (dir.dot(dir), dir.dot(from), from.dot(from) - r2);
        let det = b * b - a * c;
        let real = !(det < 0.0 || a < MINVAL);
        // the later root is not negative
        real && (b <= 0.0 || scalar::sqrt(det) >= b)
    }

    fn hit_plane(self, half: [f64; 2], pose: Pose) -> Option<Hit> {
        let Ray { origin, dir } = self.local(pose);
        if dir.z > -MINVAL {
            return None;
        }
        let dist = -origin.z / dir.z;
        if dist < 0.0 {
            return None;
        }
        let inside = |p: f64, half: f64| half <= 0.0 || p.abs() <= half;
        let hit =
            inside(origin.x + dist * dir.x, half[0]) && inside(origin.y + dist * dir.y, half[1]);
        hit.then(|| Hit { dist, normal: pose.mat.col(2) })
    }

    fn hit_sphere(self, radius: f64, pose: Pose) -> Option<Hit> {
        let dist = self.sphere_dist(pose.pos, radius * radius)?;
        Some(Hit { dist, normal: (self.at(dist) - pose.pos).normalize().0 })
    }

    fn hit_capsule(self, radius: f64, half_len: f64, pose: Pose) -> Option<Hit> {
        let bound = radius + half_len;
        if !self.meets_sphere(pose.pos, bound * bound) {
            return None;
        }
        let ray = self.local(pose);
        let mut best = Nearest::none();

        // round side, between the caps
        let side = round_side(ray, radius).filter(|&x| ray.height(x).abs() <= half_len);
        if let Some(x) = side {
            best.offer(x, 0.0);
        }

        // caps: the outer half of each ball
        for end in [1.0, -1.0] {
            let origin = Vec3::new(ray.origin.x, ray.origin.y, ray.origin.z - end * half_len);
            let ball = roots_to_point(Ray { origin, dir: ray.dir }, radius * radius);
            for x in ball.into_iter().flatten() {
                let beyond = match end > 0.0 {
                    true => ray.height(x) >= half_len,
                    false => ray.height(x) <= -half_len,
                };
                if beyond {
                    best.offer(x, end);
                }
            }
        }

        let (dist, end) = best.get()?;
        let point = ray.at(dist);
        let z = if end == 0.0 { 0.0 } else { point.z - half_len * end };
        Some(Hit { dist, normal: pose.mat * Vec3::new(point.x, point.y, z).normalize().0 })
    }

    fn hit_ellipsoid(self, half: Vec3, pose: Pose) -> Option<Hit> {
        let ray = self.local(pose);
        let Ray { origin: p, dir: v } = ray;

        // (p + x v)ᵀ diag(1/half²) (p + x v) = 1
        let s =
            Vec3::new(1.0 / (half.x * half.x), 1.0 / (half.y * half.y), 1.0 / (half.z * half.z));
        let a = s.x * v.x * v.x + s.y * v.y * v.y + s.z * v.z * v.z;
        let b = s.x * v.x * p.x + s.y * v.y * p.y + s.z * v.z * p.z;
        let c = s.x * p.x * p.x + s.y * p.y * p.y + s.z * p.z * p.z - 1.0;
        let dist = first(roots(a, b, c)?)?;
        Some(Hit { dist, normal: pose.mat * s.mul_elem(ray.at(dist)).normalize().0 })
    }

    fn hit_cylinder(self, radius: f64, half_len: f64, pose: Pose) -> Option<Hit> {
        if !self.meets_sphere(pose.pos, radius * radius + half_len * half_len) {
            return None;
        }
        let ray = self.local(pose);
        let Ray { origin, dir } = ray;
        let mut best = Nearest::none();

        // flat ends
        if dir.z.abs() > MINVAL {
            for end in [-1.0, 1.0] {
                let x = (end * half_len - origin.z) / dir.z;
                let (px, py) = (origin.x + x * dir.x, origin.y + x * dir.y);
                if px * px + py * py <= radius * radius {
                    best.offer(x, end);
                }
            }
        }

        // round side, between the ends
        let side = round_side(ray, radius).filter(|&x| ray.height(x).abs() <= half_len);
        if let Some(x) = side {
            best.offer(x, 0.0);
        }

        let (dist, end) = best.get()?;
        let point = ray.at(dist);
        let normal = if end == 0.0 {
            Vec3::new(point.x, point.y, 0.0).normalize().0
        } else {
            Vec3::new(0.0, 0.0, end)
        };
        Some(Hit { dist, normal: pose.mat * normal })
    }

    fn hit_box(self, half: Vec3, pose: Pose) -> Option<Hit> {
        let faces = self.box_faces(half, pose)?;
        let (face, dist) = nearest_face(&faces)?;
        let mut normal = Vec3::ZERO;
        normal[face / 2] = if face % 2 == 0 { -1.0 } else { 1.0 };
        Some(Hit { dist, normal: pose.mat * normal })
    }

    /// Distance to each face of a box that the ray intersects: -x, +x, -y, +y, -z, +z. `None` if
    /// the ray misses the sphere around the box.
    pub fn box_faces(self, half: Vec3, pose: Pose) -> Option<[Option<f64>; 6]> {
        if !self.meets_sphere(pose.pos, half.x * half.x + half.y * half.y + half.z * half.z) {
            return None;
        }
        let Ray { origin, dir } = self.local(pose);
        let (origin, dir, half) = (origin.to_array(), dir.to_array(), half.to_array());
        let mut faces = [None; 6];
        for (axis, [i, j]) in [[1, 2], [0, 2], [0, 1]].into_iter().enumerate() {
            if dir[axis].abs() <= MINVAL {
                continue;
            }
            for (face, side) in [(2 * axis, -1.0), (2 * axis + 1, 1.0)] {
                let x = (side * half[axis] - origin[axis]) / dir[axis];
                let within = |k: usize| (origin[k] + x * dir[k]).abs() <= half[k];
                if x >= 0.0 && within(i) && within(j) {
                    faces[face] = Some(x);
                }
            }
        }
        Some(faces)
    }

    /// Third coordinate at distance `x`.
    fn height(self, x: f64) -> f64 {
        self.origin.z + x * self.dir.z
    }
}

/// The nearest of the faces that are met.
pub(crate) fn nearest_face(faces: &[Option<f64>; 6]) -> Option<(usize, f64)> {
    let mut best = Nearest::none();
    for (face, x) in faces.iter().enumerate() {
        if let &Some(x) = x {
            best.offer(x, face);
        }
    }
    best.get().map(|(x, face)| (face, x))
}

/// The smallest non-negative distance so far and the object there; the first of equals stays.
pub(crate) struct Nearest<T>(Option<(f64, T)>);

impl<T: Copy> Nearest<T> {
    pub(crate) fn none() -> Self {
        Nearest(None)
    }

    pub(crate) fn from(found: Option<(f64, T)>) -> Self {
        Nearest(found)
    }

    /// Keeps the object if it is nearer than all before. Returns whether it is.
    pub(crate) fn offer(&mut self, x: f64, what: T) -> bool {
        let nearer = x >= 0.0 && self.0.is_none_or(|(best, _)| x < best);
        if nearer {
            self.0 = Some((x, what));
        }
        nearer
    }

    pub(crate) fn get(&self) -> Option<(f64, T)> {
        self.0
    }
}

/// Both solutions of a x² + 2 b x + c = 0, the smaller first; none if they are not real or not
/// finite.
fn roots(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let det = b * b - a * c;
    if det < 0.0 || a < MINVAL {
        return None;
    }
    let root = scalar::sqrt(det);
    Some([(-b - root) / a, (-b + root) / a])
}

/// The smallest solution that is not negative.
fn first(roots: [f64; 2]) -> Option<f64> {
    roots.into_iter().find(|&x| x >= 0.0)
}

/// Where a ray is at the squared distance `r2` from the origin.
fn roots_to_point(ray: Ray, r2: f64) -> Option<[f64; 2]> {
    let Ray { origin, dir } = ray;
    roots(dir.dot(dir), dir.dot(origin), origin.dot(origin) - r2)
}

/// The first point of the infinite cylinder around z.
fn round_side(ray: Ray, radius: f64) -> Option<f64> {
    let Ray { origin: p, dir: v } = ray;
    let c = p.x * p.x + p.y * p.y - radius * radius;
    first(roots(v.x * v.x + v.y * v.y, v.x * p.x + v.y * p.y, c)?)
}

#[cfg(test)]
mod tests;
