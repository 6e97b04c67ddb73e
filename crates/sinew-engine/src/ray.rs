//! Rays against the geoms of a model.
//!
//! Where a `Data` may be written, rays remember the nodes of meshes that they visit, for
//! `bvh_active`: MuJoCo marks them there. `mark_nodes` does so when somebody asks.

use core::f64::consts::PI;

use crate::geometry::{height_field, mesh_tree};
use crate::sdf;
use crate::work::{RayWork, scratch};
use sinew_math::{MINVAL, Vec3, scalar};
use sinew_model::enums::GeomType;
use sinew_model::{BodyId, Data, GeomId, MeshId, Model};

pub use crate::geometry::shape;
pub use sinew_geom::ray::{Hit, Ray};
pub use sinew_geom::shape::{Pose, Shape};

/// Beyond every coordinate (`mjMAXVAL`).
const MAXVAL: f64 = 1e10;

/// Number of geom groups (`mjNGROUP`); geoms outside count as of the nearest.
pub const NGROUP: usize = 6;

/// Filter of the geoms that a ray can hit. Invisible ones are never hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RayFilter {
    /// Groups that are met; all if none.
    pub groups: Option<[bool; NGROUP]>,
    /// Whether geoms that cannot move are met.
    pub fixed: bool,
    /// The body whose geoms are passed through.
    pub exclude: Option<BodyId>,
}

impl Default for RayFilter {
    /// All geoms.
    fn default() -> Self {
        RayFilter { groups: None, fixed: true, exclude: None }
    }
}

impl RayFilter {
    /// Whether a ray can hit the geom.
    fn admits(&self, m: &Model, g: GeomId) -> bool {
        let body = m.geom_bodyid[g];
        let alpha = match m.geom_matid[g].get() {
            Some(mat) => m.mat_rgba[mat][3],
            None => m.geom_rgba[g][3],
        };
        let group = m.geom_group[g].clamp(0, NGROUP as i32 - 1) as usize;
        self.exclude != Some(body)
            && alpha != 0.0
            && (self.fixed || m.body_weldid[body] != BodyId::WORLD)
            && self.groups.is_none_or(|groups| groups[group])
    }
}

/// Where a ray first hits a geom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The geom.
    pub geom: GeomId,
    /// Distance, in units of the ray's vector.
    pub dist: f64,
    /// Outward normal of its surface there.
    pub normal: Vec3,
}

/// The nearest geom along a ray; none for a ray without direction.
///
/// Reads `geom_xpos`, `geom_xmat`.
#[doc(alias = "mj_ray")]
pub fn ray(m: &Model, d: &Data, ray: Ray, filter: &RayFilter) -> Option<RayHit> {
    nearest(m, d, ray, filter, &mut |_| {})
}

/// The same as [`ray`]; the nodes of meshes that it meets are remembered for `bvh_active`.
pub fn cast_ray(m: &Model, d: &mut Data, ray: Ray, filter: &RayFilter) -> Option<RayHit> {
    remembering(m, d, |d, visit| nearest(m, d, ray, filter, visit))
}

/// The same as [`ray_geom`]; the nodes of a mesh that it meets are remembered for `bvh_active`.
pub fn cast_ray_at(m: &Model, d: &mut Data, g: GeomId, ray: Ray) -> Option<Hit> {
    remembering(m, d, |d, visit| hit(m, d, g, ray, visit))
}

/// Callback for the nodes that a ray visits.
type Visit<'a> = &'a mut dyn FnMut(usize);

/// Casts rays and remembers the nodes that they visit, if there can be any and they can be shown.
fn remembering<T>(m: &Model, d: &mut Data, cast: impl FnOnce(&Data, Visit<'_>) -> T) -> T {
    if m.nmesh == 0 || m.vis.global.bvactive == 0 {
        return cast(d, &mut |_| {});
    }
    let mut visited = core::mem::take(&mut scratch(d).ray.visited);
    visited.nodes.resize(m.nbvh, false);
    let found = cast(d, &mut |node| {
        visited.any = true;
        visited.nodes[node] = true;
    });
    scratch(d).ray.visited = visited;
    found
}

/// The nearest geom along a ray; `visit` receives the visited nodes.
fn nearest(m: &Model, d: &Data, ray: Ray, filter: &RayFilter, visit: Visit<'_>) -> Option<RayHit> {
    if ray.dir.norm() < MINVAL {
        return None;
    }
    let mut best = None;
    let reach = Reach::new(ray);
    for g in m.geoms() {
        if reach.may_improve(m, d, g, &best) && filter.admits(m, g) {
            offer(&mut best, g, hit(m, d, g, ray, visit));
        }
    }
    best
}

/// A ray, and the square of its vector.
struct Reach {
    ray: Ray,
    square: f64,
}

impl Reach {
    fn new(ray: Ray) -> Reach {
        Reach { ray, square: ray.dir.dot(ray.dir) }
    }

    /// Whether a geom may be nearer than the best so far, judged by the sphere around it. The
    /// sphere is enlarged by much more than any rounding.
    #[inline(always)]
    fn may_improve(&self, m: &Model, d: &Data, g: GeomId, best: &Option<RayHit>) -> bool {
        let Vec3 { x, y, z } = m.geom_size[g];
        let radius2 = match m.geom_type[g] {
            GeomType::Sphere => x * x,
            GeomType::Capsule => (x + y) * (x + y),
            GeomType::Cylinder => x * x + y * y,
            GeomType::Ellipsoid | GeomType::Box => x * x + y * y + z * z,
            _ => return true,
        };
        let from = self.ray.origin - d.geom_xpos[g];
        let (a, b, c) = (self.square, self.ray.dir.dot(from), from.dot(from));
        let radius2 = radius2 * (1.0 + 1e-6) + c * 1e-12;

        // a t² + 2 b t + c = r² has no solution, or none ahead
        let det = b * b - a * (c - radius2);
        if det < 0.0 || (b > 0.0 && c > radius2) {
            return false;
        }
        // both are beyond the best: -b - √det > a t
        let Some(best) = best else { return true };
        let beyond = -b - a * best.dist;
        !(beyond > 0.0 && beyond * beyond > det)
    }
}

/// The nearest geoms along several rays from one point, a result for each direction.
///
/// Geoms farther than `cutoff` are left out, and so are geoms outside a cone of angles around the
/// ray. As in MuJoCo that test is rough, and can miss a geom that a single ray hits.
///
/// Reads `geom_xpos`, `geom_xmat`, `xipos`.
#[doc(alias = "mj_multiRay")]
pub fn multi_ray(
    m: &Model,
    d: &mut Data,
    origin: Vec3,
    dirs: &[Vec3],
    filter: &RayFilter,
    cutoff: f64,
    mut each: impl FnMut(usize, Option<RayHit>),
) {
    let mut work = core::mem::take(&mut scratch(d).ray);
    prepare(m, d, origin, filter, cutoff, &mut work);
    scratch(d).ray.visited = core::mem::take(&mut work.visited);
    remembering(m, d, |d, visit| {
        for (i, &dir) in dirs.iter().enumerate() {
            let blind = dir.dot(dir) < MINVAL;
            let ray = Ray { origin, dir };
            each(i, if blind { None } else { one_of_many(m, d, ray, &work, visit) });
        }
    });
    let RayWork { skip, angles, .. } = work;
    let kept = &mut scratch(d).ray;
    (kept.skip, kept.angles) = (skip, angles);
}

/// Where a ray hits one geom. The distance from a signed distance field is in units of length, as
/// in MuJoCo, for any length of the ray's vector.
#[doc(alias = "mj_rayMesh")]
#[doc(alias = "mj_rayHfield")]
pub fn ray_geom(m: &Model, d: &Data, g: GeomId, ray: Ray) -> Option<Hit> {
    hit(m, d, g, ray, &mut |_| {})
}

/// The hit of a ray on one geom; `visit` receives the visited nodes.
fn hit(m: &Model, d: &Data, g: GeomId, ray: Ray, visit: Visit<'_>) -> Option<Hit> {
    let pose = Pose { pos: d.geom_xpos[g], mat: d.geom_xmat[g] };
    match m.geom_type[g] {
        GeomType::Mesh => {
            let first = m.mesh_bvhadr[MeshId::new(usize::try_from(m.geom_dataid[g]).ok()?)];
            let visit = |node: usize| visit(first.max(0) as usize + node);
            mesh_tree(m, g)?.hit(m.geom_size[g], pose, ray, visit)
        }
        GeomType::Hfield => height_field(m, g)?.hit(pose, ray),
        GeomType::Sdf => sdf::ray(m, d, g, ray),
        kind => ray.hit(shape(kind, m.geom_size[g])?, pose),
    }
}

/// Keeps the nearest geom that was hit, the first of equals.
fn offer(best: &mut Option<RayHit>, geom: GeomId, hit: Option<Hit>) {
    let Some(Hit { dist, normal }) = hit else { return };
    if dist >= 0.0 && best.is_none_or(|best| dist < best.dist) {
        *best = Some(RayHit { geom, dist, normal });
    }
}

/// Geoms to skip, and the view angles of the others.
#[doc(alias = "mju_multiRayPrepare")]
fn prepare(m: &Model, d: &Data, origin: Vec3, filter: &RayFilter, cutoff: f64, work: &mut RayWork) {
    work.skip.clear();
    work.skip.extend(m.geoms().map(|g| !filter.admits(m, g)));
    work.angles.clear();
    work.angles.resize(m.ngeom, EVERYWHERE);
    for b in m.bodies().filter(|&b| m.body_bvhadr[b] != -1) {
        for g in m.body_geoms(b).filter(|&g| filter.admits(m, g)) {
            if d.geom_xpos[g].dist(origin) > cutoff + m.geom_rbound[g] {
                work.skip[g.idx()] = true;
            } else {
                work.angles[g.idx()] = angles(m, d, g, origin);
            }
        }
    }
}

/// Smallest azimuth and elevation, greatest azimuth and elevation: all directions.
const EVERYWHERE: [f64; 4] = [-PI, 0.0, PI, PI];

/// The angles under which a geom's box is seen, widened for the curvature of angles.
fn angles(m: &Model, d: &Data, g: GeomId, origin: Vec3) -> [f64; 4] {
    let [cx, cy, cz, hx, hy, hz] = m.geom_aabb[g];
    let (center, half) = (Vec3::new(cx, cy, cz), Vec3::new(hx, hy, hz));
    let (pos, mat) = (d.geom_xpos[g], d.geom_xmat[g]);
    let seen = mat.tmul_vec(origin - pos) - center;
    if (0..3).all(|k| seen[k].abs() <= half[k]) {
        return EVERYWHERE;
    }

    // corners of the box
    let mut bounds = [MAXVAL, MAXVAL, -MAXVAL, -MAXVAL];
    for corner in 0..8 {
        let side = |k: usize| match corner & (1 << k) != 0 {
            true => center[k] + half[k],
            false => center[k] - half[k],
        };
        let dif = mat * Vec3::new(side(0), side(1), side(2)) + pos - origin;
        let (azimuth, elevation) = spherical(dif);
        bounds[0] = bounds[0].min(azimuth);
        bounds[1] = bounds[1].min(elevation);
        bounds[2] = bounds[2].max(azimuth);
        bounds[3] = bounds[3].max(elevation);
    }

    // faces bulge out of the angles of their corners
    let dist = origin.dist(pos);
    if dist > MINVAL {
        let margin = scalar::atan2(half.x.max(half.y.max(half.z)), dist);
        bounds[0] -= margin;
        bounds[1] -= margin;
        bounds[2] += margin;
        bounds[3] += margin;
    }
    let wide = bounds[2] - bounds[0] > PI || bounds[3] - bounds[1] > PI;
    if wide { EVERYWHERE } else { bounds }
}

/// Azimuth and elevation, the latter counted from +z.
fn spherical(v: Vec3) -> (f64, f64) {
    let across = (v.x * v.x + v.y * v.y).sqrt();
    (scalar::atan2(v.y, v.x), scalar::atan2(across, v.z))
}

/// The nearest geom along one of several rays.
#[doc(alias = "mju_singleRay")]
fn one_of_many(m: &Model, d: &Data, ray: Ray, work: &RayWork, visit: Visit<'_>) -> Option<RayHit> {
    let direction: [f64; 2] = spherical(ray.dir).into();
    let reach = Reach::new(ray);
    let mut best = None;
    for b in m.bodies().filter(|&b| may_hit(m, d, b, ray)) {
        let bounded = m.body_bvhadr[b] != -1;
        for g in m.body_geoms(b) {
            let hidden = bounded && !sees(work.angles[g.idx()], direction);
            if !work.skip[g.idx()] && !hidden && reach.may_improve(m, d, g, &best) {
                offer(&mut best, g, hit(m, d, g, ray, visit));
            }
        }
    }
    best
}

/// Whether the ray hits the sphere around the body's box; MuJoCo does not turn its centre with
/// the body.
fn may_hit(m: &Model, d: &Data, b: BodyId, ray: Ray) -> bool {
    let root = usize::try_from(m.body_bvhadr[b]).ok();
    let Some(&aabb) = root.and_then(|root| m.bvh_aabb.get(root)) else { return true };
    let [x, y, z, hx, hy, hz] = aabb;
    ray.meets_sphere(Vec3::new(x, y, z) + d.xipos[b], hx * hx + hy * hy + hz * hz)
}

/// Whether a direction is within the angles of a geom.
fn sees([az_min, el_min, az_max, el_max]: [f64; 4], [azimuth, elevation]: [f64; 2]) -> bool {
    if elevation < el_min || elevation > el_max {
        return false;
    }
    let mut off = azimuth - (az_min + az_max) * 0.5;
    if off > PI {
        off -= 2.0 * PI;
    } else if off < -PI {
        off += 2.0 * PI;
    }
    off.abs() <= (az_max - az_min) * 0.5
}
