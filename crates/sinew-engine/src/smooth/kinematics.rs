//! Forward kinematics: from joint positions to Cartesian frames.

use core::ops::Range;

use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::enums::{EnableBit, JointType, SameFrame, SleepState};
use sinew_model::{BodyId, Data, JointId, Model};

use crate::sleep::{for_bodies, some_asleep, wake};

/// Frames of bodies, their inertias, joints, geoms and sites. Wakes trees that the user has moved.
///
/// Reads `qpos`, `mocap_pos`, `mocap_quat`.
/// Writes `xpos`, `xquat`, `xmat`, `xipos`, `ximat`, `xanchor`, `xaxis`, `geom_xpos`, `geom_xmat`,
/// `site_xpos`, `site_xmat`.
#[doc(alias = "mj_kinematics")]
pub fn kinematics(m: &Model, d: &mut Data) {
    if m.opt.enabled(EnableBit::Sleep) {
        body_frames::<true>(m, d);
    } else {
        body_frames::<false>(m, d);
    }
    wake(m, d);
    for_bodies(m, d, |d, run| inertial_frames(m, d, run));
    if some_asleep(m, d) {
        awake_frames(m, d);
    } else {
        geom_frames(m, d, 0..m.ngeom);
        if m.nsite > 0 {
            site_frames(m, d, 0..m.nsite);
        }
    }
}

fn inertial_frames(m: &Model, d: &mut Data, bodies: Range<usize>) {
    for b in bodies.map(BodyId::new).filter(|&b| b != BodyId::WORLD) {
        let (pos, mat) = local_2_global(d, m.body_ipos[b], m.body_iquat[b], b, m.body_sameframe[b]);
        d.xipos[b] = pos;
        d.ximat[b] = mat;
    }
}

/// The geoms and sites of bodies that move.
fn awake_frames(m: &Model, d: &mut Data) {
    for_bodies(m, d, |d, run| {
        for b in run {
            if d.body_awake[b] == SleepState::Awake {
                geom_frames(m, d, m.body_geom_range(BodyId::new(b)));
            }
        }
    });
    for s in 0..m.nsite {
        if d.body_awake[m.site_bodyid[s]] == SleepState::Awake {
            site_frames(m, d, s..s + 1);
        }
    }
}

fn geom_frames(m: &Model, d: &mut Data, geoms: Range<usize>) {
    let Data { geom_xpos, geom_xmat, .. } = d;
    let bodies =
        Bodies { pos: &d.xpos, quat: &d.xquat, mat: &d.xmat, ipos: &d.xipos, imat: &d.ximat };
    let places = m.geom_pos.rows(geoms.clone()).iter().zip(m.geom_quat.rows(geoms.clone()));
    let frames = m.geom_bodyid.rows(geoms.clone()).iter().zip(m.geom_sameframe.rows(geoms.clone()));
    let out = geom_xpos.rows_mut(geoms.clone()).iter_mut().zip(geom_xmat.rows_mut(geoms));
    for (((pos, quat), (&body, &same)), out) in places.zip(frames).zip(out) {
        bodies.place(*pos, *quat, body, same, out);
    }
}

fn site_frames(m: &Model, d: &mut Data, sites: Range<usize>) {
    let Data { site_xpos, site_xmat, .. } = d;
    let bodies =
        Bodies { pos: &d.xpos, quat: &d.xquat, mat: &d.xmat, ipos: &d.xipos, imat: &d.ximat };
    let places = m.site_pos.rows(sites.clone()).iter().zip(m.site_quat.rows(sites.clone()));
    let frames = m.site_bodyid.rows(sites.clone()).iter().zip(m.site_sameframe.rows(sites.clone()));
    let out = site_xpos.rows_mut(sites.clone()).iter_mut().zip(site_xmat.rows_mut(sites));
    for (((pos, quat), (&body, &same)), out) in places.zip(frames).zip(out) {
        bodies.place(*pos, *quat, body, same, out);
    }
}

/// Frames of the bodies and of their inertias.
struct Bodies<'a> {
    pos: &'a [Vec3],
    quat: &'a [Quat],
    mat: &'a [Mat3],
    ipos: &'a [Vec3],
    imat: &'a [Mat3],
}

impl Bodies<'_> {
    /// Writes a frame that is given relative to a body, as [`local_2_global`] does.
    #[inline(always)]
    fn place(
        &self,
        pos: Vec3,
        quat: Quat,
        body: BodyId,
        sameframe: SameFrame,
        (xpos, xmat): (&mut Vec3, &mut Mat3),
    ) {
        let b = body.idx();
        if sameframe == SameFrame::None {
            let quat = if body == BodyId::WORLD {
                *xpos = pos + Vec3::ZERO;
                quat
            } else {
                *xpos = self.mat[b] * pos + self.pos[b];
                self.quat[b] * quat
            };
            *xmat = quat.to_mat();
            return;
        }
        *xpos = match sameframe {
            SameFrame::Body => self.pos[b],
            SameFrame::Inertia => self.ipos[b],
            _ => self.mat[b] * pos + self.pos[b],
        };
        *xmat = match sameframe {
            SameFrame::Body | SameFrame::Bodyrot => self.mat[b],
            SameFrame::Inertia | SameFrame::Inertiarot => self.imat[b],
            _ => (self.quat[b] * quat).to_mat(),
        };
    }
}

/// A frame given relative to a body, in the world; `sameframe` says what it coincides with.
// always inlined: otherwise the vectors pass through the stack and are read back in another width
// than they were written in, which defeats store forwarding; the small vectors of a step waited an
// eighth of it
#[doc(alias = "mj_local2Global")]
#[inline(always)]
pub fn local_2_global(
    d: &Data,
    pos: Vec3,
    quat: Quat,
    body: BodyId,
    sameframe: SameFrame,
) -> (Vec3, Mat3) {
    let xpos = match sameframe {
        SameFrame::Body => d.xpos[body],
        SameFrame::Inertia => d.xipos[body],
        _ => d.xmat[body] * pos + d.xpos[body],
    };
    let xmat = match sameframe {
        SameFrame::Body | SameFrame::Bodyrot => d.xmat[body],
        SameFrame::Inertia | SameFrame::Inertiarot => d.ximat[body],
        _ => (d.xquat[body] * quat).to_mat(),
    };
    (xpos, xmat)
}

/// Frames of the bodies, and the anchor and axis of each joint, from the root outwards. Where trees
/// may sleep, fixed bodies stay where they are, and a tree that sleeps but is no longer where it
/// was is marked awake.
fn body_frames<const SLEEP: bool>(m: &Model, d: &mut Data) {
    let world = BodyId::WORLD;
    (d.xpos[world], d.xipos[world]) = (Vec3::ZERO, Vec3::ZERO);
    (d.xmat[world], d.ximat[world]) = (Mat3::IDENTITY, Mat3::IDENTITY);
    d.xquat[world] = Quat::IDENTITY;

    for b in m.bodies().skip(1) {
        if SLEEP && d.body_awake[b] == SleepState::Static {
            continue;
        }
        let (pos, quat) = match free_joint(m, b) {
            Some(j) => free_frame(m, d, j),
            None => jointed_frame(m, d, b),
        };
        let quat = quat.normalize().0;
        if SLEEP && d.body_awake[b] == SleepState::Asleep && m.body_jntnum[b] > 0 {
            if (pos, quat) == (d.xpos[b], d.xquat[b]) {
                continue;
            }
            if let Some(tree) = m.body_treeid[b].get() {
                d.tree_awake[tree] = 1;
            }
        }
        d.xpos[b] = pos;
        d.xquat[b] = quat;
        d.xmat[b] = quat.to_mat();
    }
}

/// The free joint of a body, if that is what it hangs on.
fn free_joint(m: &Model, b: BodyId) -> Option<JointId> {
    let j = m.body_jntadr[b].get()?;
    (m.body_jntnum[b] == 1 && m.jnt_type[j] == JointType::Free).then_some(j)
}

/// Position and orientation of a floating body: as `qpos` has them.
fn free_frame(m: &Model, d: &mut Data, j: JointId) -> (Vec3, Quat) {
    let qpos = &d.qpos.split_at(m.jnt_qpos(j).start).1;
    let pos = Vec3::from_slice(qpos);
    let quat = Quat::from_slice(&qpos[3..]).normalize().0;
    d.xanchor[j] = pos;
    d.xaxis[j] = m.jnt_axis[j];
    (pos, quat)
}

/// Position and orientation of a body from its parent's, moved by its joints one after another.
#[inline(always)]
fn jointed_frame(m: &Model, d: &mut Data, b: BodyId) -> (Vec3, Quat) {
    // place in the parent: from the model, or given by the user
    let (pos, quat) = match m.body_mocapid[b].get() {
        Some(mocap) => (d.mocap_pos[mocap], d.mocap_quat[mocap].normalize().0),
        None => (m.body_pos[b], m.body_quat[b]),
    };
    let parent = m.body_parentid[b];
    let (mut pos, mut quat) = if parent == BodyId::WORLD {
        (pos, quat)
    } else {
        (d.xmat[parent] * pos + d.xpos[parent], d.xquat[parent] * quat)
    };

    for j in m.body_joints(b) {
        let axis = quat.rotate(m.jnt_axis[j]);
        let anchor = quat.rotate(m.jnt_pos[j]) + pos;
        let adr = m.jnt_qpos(j).start;
        if m.jnt_type[j] == JointType::Slide {
            pos += axis * (d.qpos[adr] - m.qpos0[adr]);
        } else {
            // turn about the anchor
            let turn = if m.jnt_type[j] == JointType::Ball {
                Quat::from_slice(d.qpos.split_at(adr).1).normalize().0
            } else {
                Quat::from_axis_angle(m.jnt_axis[j], d.qpos[adr] - m.qpos0[adr])
            };
            quat = quat * turn;
            pos = anchor - quat.rotate(m.jnt_pos[j]);
        }
        d.xanchor[j] = anchor;
        d.xaxis[j] = axis;
    }
    (pos, quat)
}
