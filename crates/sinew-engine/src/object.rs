//! Velocity and acceleration of things that have a frame.

use sinew_math::{Mat3, Spatial, Vec3};
use sinew_model::enums::ObjType;
use sinew_model::{BodyId, CamId, Data, GeomId, Model, SiteId};

/// Where an object is, how it is turned, and the body it moves with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Position in the world.
    pub pos: Vec3,
    /// Orientation in the world.
    pub mat: Mat3,
    /// The body it is fixed to.
    pub body: BodyId,
}

/// The frame of an object: body (inertial), xbody, geom, site or camera; none for other kinds.
#[inline]
pub fn object_frame(m: &Model, d: &Data, kind: ObjType, id: usize) -> Option<Frame> {
    Some(match kind {
        ObjType::Body => {
            let b = BodyId::new(id);
            Frame { pos: *d.xipos.get(id)?, mat: d.ximat[b], body: b }
        }
        ObjType::Xbody => {
            let b = BodyId::new(id);
            Frame { pos: *d.xpos.get(id)?, mat: d.xmat[b], body: b }
        }
        ObjType::Geom => {
            let g = GeomId::new(id);
            Frame { pos: *d.geom_xpos.get(id)?, mat: d.geom_xmat[g], body: m.geom_bodyid[g] }
        }
        ObjType::Site => {
            let s = SiteId::new(id);
            Frame { pos: *d.site_xpos.get(id)?, mat: d.site_xmat[s], body: m.site_bodyid[s] }
        }
        ObjType::Camera => {
            let c = CamId::new(id);
            Frame { pos: *d.cam_xpos.get(id)?, mat: d.cam_xmat[c], body: m.cam_bodyid[c] }
        }
        _ => return None,
    })
}

/// Velocity (rot:lin) of an object at its own centre, in world or (`local`) its own axes.
///
/// Reads `cvel`, `subtree_com`.
#[doc(alias = "mj_objectVelocity")]
pub fn object_velocity(
    m: &Model,
    d: &Data,
    kind: ObjType,
    id: usize,
    local: bool,
) -> Option<Spatial> {
    Some(frame_velocity(m, d, object_frame(m, d, kind, id)?, local))
}

/// Velocity of a frame, in world or (`local`) its own axes.
#[inline]
pub(crate) fn frame_velocity(m: &Model, d: &Data, frame: Frame, local: bool) -> Spatial {
    if m.body_weldid[frame.body] == BodyId::WORLD {
        return Spatial::ZERO;
    }
    moved(m, d, d.cvel[frame.body], frame, local)
}

/// Acceleration (rot:lin) of an object at its own centre, in world or (`local`) its own axes.
///
/// Reads `cacc`, `cvel`, `subtree_com`.
#[doc(alias = "mj_objectAcceleration")]
pub fn object_acceleration(
    m: &Model,
    d: &Data,
    kind: ObjType,
    id: usize,
    local: bool,
) -> Option<Spatial> {
    let frame = object_frame(m, d, kind, id)?;
    if m.body_weldid[frame.body] == BodyId::WORLD {
        return Some(Spatial::ZERO);
    }
    let mut acc = moved(m, d, d.cacc[frame.body], frame, local);
    let vel = moved(m, d, d.cvel[frame.body], frame, local);

    // Coriolis: the frame turns under a moving point
    acc.lin += vel.rot.cross(vel.lin);
    Some(acc)
}

/// A motion vector about the tree's centre of mass, taken to a frame.
#[doc(alias = "mju_transformSpatial")]
fn moved(m: &Model, d: &Data, motion: Spatial, frame: Frame, local: bool) -> Spatial {
    let moved = motion_moved(motion, frame.pos - d.subtree_com[m.body_rootid[frame.body]]);
    if local {
        Spatial::new(frame.mat.tmul_vec(moved.rot), frame.mat.tmul_vec(moved.lin))
    } else {
        moved
    }
}

/// A motion vector about a point, taken to the point `dif` away.
pub(crate) fn motion_moved(motion: Spatial, dif: Vec3) -> Spatial {
    Spatial::new(motion.rot, motion.lin - dif.cross(motion.rot))
}
