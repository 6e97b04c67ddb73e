//! Distance of two geoms.

use sinew_geom::ccd;
use sinew_math::Vec3;
use sinew_model::enums::{DisableBit, GeomType};
use sinew_model::{Data, GeomId, Model};

use crate::collision::narrow::{by_type, ccd_options, solid, touches};
use crate::work::{CollisionWork, scratch};

/// How far two geoms are from each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Distance between the surfaces, negative if the geoms overlap.
    pub dist: f64,
    /// The nearest point of the first geom; zero if the geoms are too far apart.
    pub from: Vec3,
    /// The nearest point of the second geom; zero if the geoms are too far apart.
    pub to: Vec3,
}

/// Distance of two geoms, or `max_dist` if they are farther apart.
///
/// Reads `geom_xpos`, `geom_xmat`; changes nothing but scratch memory.
#[doc(alias = "mj_geomDistance")]
pub fn geom_distance(
    m: &Model,
    d: &mut Data,
    geom1: GeomId,
    geom2: GeomId,
    max_dist: f64,
) -> Distance {
    let mut work = scratch(d).collision.take().unwrap_or_default();
    let distance = match is_convex(m, geom1, geom2) && !m.opt.disabled(DisableBit::Nativeccd) {
        true => convex(m, d, [geom1, geom2], max_dist, &mut work),
        false => nearest_touch(m, d, [geom1, geom2], max_dist, &mut work),
    };
    scratch(d).collision = Some(work);
    distance
}

/// Whether two geoms are a pair for general convex collision. So are two boxes: the manifold of
/// their contacts says little about their distance.
fn is_convex(m: &Model, geom1: GeomId, geom2: GeomId) -> bool {
    use GeomType as T;
    let [first, second] = by_type(m, [geom1, geom2]).map(|g| m.geom_type[g]);
    match first {
        T::Sphere => matches!(second, T::Ellipsoid | T::Mesh),
        T::Capsule => matches!(second, T::Ellipsoid | T::Cylinder | T::Mesh),
        T::Ellipsoid | T::Cylinder | T::Box | T::Mesh => second.0 <= T::Mesh.0,
        _ => false,
    }
}

#[doc(alias = "mj_geomDistanceCCD")]
fn convex(
    m: &Model,
    d: &Data,
    [g1, g2]: [GeomId; 2],
    max_dist: f64,
    work: &mut CollisionWork,
) -> Distance {
    // one by one: as a pair they would be copied once more
    let far = Distance { dist: max_dist, from: Vec3::ZERO, to: Vec3::ZERO };
    let Some(a) = solid(m, d, g1) else { return far };
    let Some(b) = solid(m, d, g2) else { return far };
    let options = ccd_options(m, g1, g2);
    let (dist, [from, to]) = ccd::distance(&a, &b, max_dist, &options, &mut work.ccd);
    Distance { dist, from, to }
}

/// The deepest of the contacts that a margin of `max_dist` gives.
fn nearest_touch(
    m: &Model,
    d: &Data,
    geoms: [GeomId; 2],
    max_dist: f64,
    work: &mut CollisionWork,
) -> Distance {
    let ordered = by_type(m, geoms);
    touches(m, d, ordered, max_dist, &mut work.ccd, &mut work.touches);
    let mut nearest = Distance { dist: max_dist, from: Vec3::ZERO, to: Vec3::ZERO };
    for touch in &work.touches {
        if touch.dist < nearest.dist {
            let sign = if ordered == geoms { 1.0 } else { -1.0 };
            let half = touch.normal * (0.5 * sign * touch.dist);
            nearest = Distance { dist: touch.dist, from: touch.pos - half, to: touch.pos + half };
        }
    }
    nearest
}
