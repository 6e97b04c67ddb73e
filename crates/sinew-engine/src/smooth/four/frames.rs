//! Frames of bodies, of their inertias, joints, geoms and sites.

use sinew_math::four::{Mat3s, Quats, Vec3s};
use sinew_math::simd::Lane;
use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::enums::{JointType, SameFrame};
use sinew_model::{BodyId, JointId, Model};

use super::work::FourWork;

#[inline(always)]
pub(super) fn body_frames<L: Lane>(m: &Model, w: &mut FourWork) {
    for (field, width) in [(&mut w.xpos, 3), (&mut w.xipos, 3), (&mut w.xquat, 4)] {
        field.resize(width * m.nbody);
    }
    w.xmat.resize(9 * m.nbody);
    w.ximat.resize(9 * m.nbody);
    w.xanchor.resize(3 * m.njnt);
    w.xaxis.resize(3 * m.njnt);

    // the world
    let (origin, unturned) = (Vec3s::<L>::splat(Vec3::ZERO), Mat3s::<L>::splat(Mat3::IDENTITY));
    origin.store(w.xpos.row_mut(0));
    origin.store(w.xipos.row_mut(0));
    unturned.store(w.xmat.row_mut(0));
    unturned.store(w.ximat.row_mut(0));
    Quats::<L>::splat(Quat::IDENTITY).store(w.xquat.row_mut(0));

    // outwards: each body after its parent
    for b in m.bodies().skip(1) {
        let first = m.body_jntadr[b].get();
        let (pos, quat) = match first {
            Some(j) if m.body_jntnum[b] == 1 && m.jnt_type[j] == JointType::Free => {
                free_frame::<L>(m, w, j)
            }
            _ => jointed_frame::<L>(m, w, b),
        };
        let quat = quat.normalize();
        pos.store(w.xpos.row_mut(b.idx()));
        quat.store(w.xquat.row_mut(b.idx()));
        quat.to_mat().store(w.xmat.row_mut(b.idx()));
    }
}

#[inline(always)]
fn free_frame<L: Lane>(m: &Model, w: &mut FourWork, j: JointId) -> (Vec3s<L>, Quats<L>) {
    let start = m.jnt_qpos(j).start;
    let pos = Vec3s::load(w.qpos.from(start));
    let quat = Quats::load(w.qpos.from(start + 3)).normalize();
    pos.store(w.xanchor.row_mut(j.idx()));
    Vec3s::<L>::splat(m.jnt_axis[j]).store(w.xaxis.row_mut(j.idx()));
    (pos, quat)
}

#[inline(always)]
fn jointed_frame<L: Lane>(m: &Model, w: &mut FourWork, b: BodyId) -> (Vec3s<L>, Quats<L>) {
    // the frame without joints: relative to the parent, then in the world
    let (pos, quat) = match m.body_mocapid[b].get() {
        Some(mocap) => (
            Vec3s::load(w.mocap_pos.row(mocap.idx())),
            Quats::load(w.mocap_quat.row(mocap.idx())).normalize(),
        ),
        None => (Vec3s::splat(m.body_pos[b]), Quats::splat(m.body_quat[b])),
    };
    let parent = m.body_parentid[b];
    let (mut pos, mut quat) = if parent == BodyId::WORLD {
        (pos, quat)
    } else {
        let (mat, at) = (Mat3s::load(w.xmat.row(parent.idx())), w.xpos.row(parent.idx()));
        (mat.mul_vec(pos) + Vec3s::load(at), Quats::load(w.xquat.row(parent.idx())) * quat)
    };

    // each joint moves it: a ball and a hinge about their anchor, a slide along its axis
    for j in m.body_joints(b) {
        let axis = quat.rotate(m.jnt_axis[j]);
        let anchor = quat.rotate(m.jnt_pos[j]) + pos;
        let adr = m.jnt_qpos(j).start;
        if m.jnt_type[j] == JointType::Ball {
            quat = quat * Quats::load(w.qpos.from(adr)).normalize();
            pos = anchor - quat.rotate(m.jnt_pos[j]);
        } else {
            let moved = L::load(&w.qpos.all()[adr]) - L::splat(m.qpos0[adr]);
            if m.jnt_type[j] == JointType::Slide {
                pos = pos + axis.scale(moved);
            } else {
                quat = quat * Quats::from_axis_angle(m.jnt_axis[j], moved);
                pos = anchor - quat.rotate(m.jnt_pos[j]);
            }
        }
        anchor.store(w.xanchor.row_mut(j.idx()));
        axis.store(w.xaxis.row_mut(j.idx()));
    }
    (pos, quat)
}

#[inline(always)]
pub(super) fn inertial_frames<L: Lane>(m: &Model, w: &mut FourWork) {
    for b in m.bodies().skip(1) {
        let (pos, mat) = place::<L>(w, m.body_ipos[b], m.body_iquat[b], b, m.body_sameframe[b]);
        pos.store(w.xipos.row_mut(b.idx()));
        mat.store(w.ximat.row_mut(b.idx()));
    }
}

#[inline(always)]
pub(super) fn geom_frames<L: Lane>(m: &Model, w: &mut FourWork) {
    w.geom_xpos.resize(3 * m.ngeom);
    w.geom_xmat.resize(9 * m.ngeom);
    for g in 0..m.ngeom {
        let (body, same) = (m.geom_bodyid[g], m.geom_sameframe[g]);
        let (pos, mat) = place_any::<L>(w, m.geom_pos[g], m.geom_quat[g], body, same);
        pos.store(w.geom_xpos.row_mut(g));
        mat.store(w.geom_xmat.row_mut(g));
    }
}

#[inline(always)]
pub(super) fn site_frames<L: Lane>(m: &Model, w: &mut FourWork) {
    w.site_xpos.resize(3 * m.nsite);
    w.site_xmat.resize(9 * m.nsite);
    for s in 0..m.nsite {
        let (body, same) = (m.site_bodyid[s], m.site_sameframe[s]);
        let (pos, mat) = place_any::<L>(w, m.site_pos[s], m.site_quat[s], body, same);
        pos.store(w.site_xpos.row_mut(s));
        mat.store(w.site_xmat.row_mut(s));
    }
}

/// A frame that is given relative to a body, which may be the world.
#[inline(always)]
fn place_any<L: Lane>(
    w: &FourWork,
    pos: Vec3,
    quat: Quat,
    body: BodyId,
    same: SameFrame,
) -> (Vec3s<L>, Mat3s<L>) {
    if same == SameFrame::None && body == BodyId::WORLD {
        return (Vec3s::splat(pos + Vec3::ZERO), Mat3s::splat(quat.to_mat()));
    }
    place(w, pos, quat, body, same)
}

/// A frame that is given relative to a body.
#[inline(always)]
fn place<L: Lane>(
    w: &FourWork,
    pos: Vec3,
    quat: Quat,
    body: BodyId,
    same: SameFrame,
) -> (Vec3s<L>, Mat3s<L>) {
    let b = body.idx();
    let xpos = match same {
        SameFrame::Body => Vec3s::load(w.xpos.row(b)),
        SameFrame::Inertia => Vec3s::load(w.xipos.row(b)),
        _ => Mat3s::load(w.xmat.row(b)).mul_vec(Vec3s::splat(pos)) + Vec3s::load(w.xpos.row(b)),
    };
    let xmat = match same {
        SameFrame::Body | SameFrame::Bodyrot => Mat3s::load(w.xmat.row(b)),
        SameFrame::Inertia | SameFrame::Inertiarot => Mat3s::load(w.ximat.row(b)),
        _ => (Quats::load(w.xquat.row(b)) * Quats::splat(quat)).to_mat(),
    };
    (xpos, xmat)
}
