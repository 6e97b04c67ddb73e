//! Velocity and acceleration of things that have a frame.

use sinew_math::{Mat3, Spatial, Vec3};
use sinew_model::enums::ObjType;
use sinew_model::{BodyId, Data, Model};

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

/// A [`Frame`] where it is stored: a copy would cost more than its use.
#[derive(Clone, Copy)]
pub(crate) struct FrameAt<'a> {
    /// Position in the world.
    pub(crate) pos: &'a Vec3,
    /// Orientation in the world.
    pub(crate) mat: &'a Mat3,
    /// The body it is fixed to.
    pub(crate) body: BodyId,
}

/// The frame of an object: body (inertial), xbody, geom, site or camera; none for other kinds.
#[inline]
pub fn object_frame(m: &Model, d: &Data, kind: ObjType, id: usize) -> Option<Frame> {
    let FrameAt { pos, mat, body } = frame_at(m, d, kind, id)?;
    Some(Frame { pos: *pos, mat: *mat, body })
}

/// Where the frame of an object is.
#[inline]
pub(crate) fn frame_at<'a>(
    m: &Model,
    d: &'a Data,
    kind: ObjType,
    id: usize,
) -> Option<FrameAt<'a>> {
    let (pos, mat, body) = match kind {
        ObjType::Body => (&d.xipos, &d.ximat, BodyId::new(id)),
        ObjType::Xbody => (&d.xpos, &d.xmat, BodyId::new(id)),
        ObjType::Geom => {
            let body = *m.geom_bodyid.get(id)?;
            return Some(FrameAt { pos: &d.geom_xpos[id], mat: &d.geom_xmat[id], body });
        }
        ObjType::Site => return site_at(m, d, id),
        ObjType::Camera => {
            let body = *m.cam_bodyid.get(id)?;
            return Some(FrameAt { pos: &d.cam_xpos[id], mat: &d.cam_xmat[id], body });
        }
        _ => return None,
    };
    Some(FrameAt { pos: pos.get(id)?, mat: &mat[body], body })
}

/// Where the frame of a site is.
#[inline]
pub(crate) fn site_at<'a>(m: &Model, d: &'a Data, id: usize) -> Option<FrameAt<'a>> {
    let body = *m.site_bodyid.get(id)?;
    Some(FrameAt { pos: &d.site_xpos[id], mat: &d.site_xmat[id], body })
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
    Some(frame_velocity(m, d, frame_at(m, d, kind, id)?, local))
}

/// Velocity of a frame, in world or (`local`) its own axes.
#[inline(always)]
pub(crate) fn frame_velocity(m: &Model, d: &Data, frame: FrameAt<'_>, local: bool) -> Spatial {
    if m.body_weldid[frame.body] == BodyId::WORLD {
        return Spatial::ZERO;
    }
    moved(m, d, &d.cvel[frame.body], frame, local)
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
    Some(frame_acceleration(m, d, frame_at(m, d, kind, id)?, local))
}

/// Acceleration of a frame, in world or (`local`) its own axes.
#[inline(always)]
pub(crate) fn frame_acceleration(m: &Model, d: &Data, frame: FrameAt<'_>, local: bool) -> Spatial {
    if m.body_weldid[frame.body] == BodyId::WORLD {
        return Spatial::ZERO;
    }
    let acc = moved(m, d, &d.cacc[frame.body], frame, local);
    let vel = moved(m, d, &d.cvel[frame.body], frame, local);

    // Coriolis: the frame turns under a moving point
    Spatial::new(acc.rot, acc.lin + vel.rot.cross(vel.lin))
}

/// A motion vector about the tree's centre of mass, taken to a frame.
// inlined, as `local_2_global`
#[doc(alias = "mju_transformSpatial")]
#[inline(always)]
fn moved(m: &Model, d: &Data, motion: &Spatial, frame: FrameAt<'_>, local: bool) -> Spatial {
    let moved = motion_moved(*motion, *frame.pos - d.subtree_com[m.body_rootid[frame.body]]);
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
