//! Forward kinematics: from joint positions to Cartesian frames.

use core::ops::Range;

use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::enums::{EnableBit, JointType, SameFrame, SleepState};
use sinew_model::{BodyId, Data, Model, Table};

use crate::sleep::{for_bodies, some_asleep, wake};
use crate::smooth::ranges::BodyJoints;

/// Frames of bodies, their inertias, joints, geoms and sites. Wakes trees that the user has moved.
///
/// Reads `qpos`, `mocap_pos`, `mocap_quat`.
/// Writes `xpos`, `xquat`, `xmat`, `xipos`, `ximat`, `xanchor`, `xaxis`, `geom_xpos`, `geom_xmat`,
/// `site_xpos`, `site_xmat`.
#[doc(alias = "mj_kinematics")]
pub fn kinematics(m: &Model, d: &mut Data) {
    if m.opt.enabled(EnableBit::Sleep) {
        sleepy_frames(m, d);
    } else {
        body_frames::<false>(m, d);
        wake(m, d);
    }
    if some_asleep(m, d) {
        awake_frames(m, d);
    } else {
        geom_frames(m, d, 0..m.ngeom);
        if m.nsite > 0 {
            site_frames(m, d, 0..m.nsite);
        }
    }
}

/// Frames of bodies and of their inertias where trees may sleep.
#[inline(never)]
fn sleepy_frames(m: &Model, d: &mut Data) {
    body_frames::<true>(m, d);
    wake(m, d);
    for_bodies(m, d, |d, run| inertial_frames(m, d, run));
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
    let Data { geom_xpos, geom_xmat, xpos, xquat, xmat, xipos, ximat, .. } = d;
    let bodies = Bodies { pos: xpos, quat: xquat, mat: xmat, ipos: xipos, imat: ximat };
    let local = Locals {
        pos: &m.geom_pos,
        quat: &m.geom_quat,
        body: &m.geom_bodyid,
        same: &m.geom_sameframe,
    };
    bodies.place_all(local, geoms, geom_xpos, geom_xmat);
}

fn site_frames(m: &Model, d: &mut Data, sites: Range<usize>) {
    let Data { site_xpos, site_xmat, xpos, xquat, xmat, xipos, ximat, .. } = d;
    let bodies = Bodies { pos: xpos, quat: xquat, mat: xmat, ipos: xipos, imat: ximat };
    let local = Locals {
        pos: &m.site_pos,
        quat: &m.site_quat,
        body: &m.site_bodyid,
        same: &m.site_sameframe,
    };
    bodies.place_all(local, sites, site_xpos, site_xmat);
}

/// Frames of the bodies and of their inertias.
struct Bodies<'a> {
    pos: &'a [Vec3],
    quat: &'a [Quat],
    mat: &'a [Mat3],
    ipos: &'a [Vec3],
    imat: &'a [Mat3],
}

/// A frame relative to a body, and the frame of the body with which it coincides.
struct Local {
    pos: Vec3,
    quat: Quat,
    body: BodyId,
    same: SameFrame,
}

/// The tables of such frames.
struct Locals<'a, I> {
    pos: &'a Table<I, Vec3>,
    quat: &'a Table<I, Quat>,
    body: &'a Table<I, BodyId>,
    same: &'a Table<I, SameFrame>,
}

impl Bodies<'_> {
    /// Writes some frames that are given relative to bodies.
    #[inline(always)]
    fn place_all<I>(
        &self,
        local: Locals<'_, I>,
        range: Range<usize>,
        xpos: &mut Table<I, Vec3>,
        xmat: &mut Table<I, Mat3>,
    ) {
        let end = range.end;
        let (pos, quat) = (local.pos.rows(0..end), local.quat.rows(0..end));
        let (body, same) = (local.body.rows(0..end), local.same.rows(0..end));
        let (xpos, xmat) = (xpos.rows_mut(0..end), xmat.rows_mut(0..end));
        for i in range {
            let local = Local { pos: pos[i], quat: quat[i], body: body[i], same: same[i] };
            self.place(local, &mut xpos[i], &mut xmat[i]);
        }
    }

    /// Writes a frame that is given relative to a body, as [`local_2_global`] does.
    #[inline(always)]
    fn place(&self, local: Local, xpos: &mut Vec3, xmat: &mut Mat3) {
        let Local { pos, quat, body, same } = local;
        let b = body.idx();

        // a frame of its own
        if same == SameFrame::None {
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

        // position, rotation or both coincide with the body's or its inertia's
        *xpos = match same {
            SameFrame::Body => self.pos[b],
            SameFrame::Inertia => self.ipos[b],
            _ => self.mat[b] * pos + self.pos[b],
        };
        *xmat = match same {
            SameFrame::Body | SameFrame::Bodyrot => self.mat[b],
            SameFrame::Inertia | SameFrame::Inertiarot => self.imat[b],
            _ => (self.quat[b] * quat).to_mat(),
        };
    }
}

/// A frame given relative to a body, in the world; `sameframe` names the frame of the body with
/// which it coincides.
// inlined so that vectors stay in registers: an eighth of the time of a small model's step
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
/// may sleep, fixed bodies do not move, and a sleeping tree that is no longer in its place is
/// marked awake. Without sleep the frames of inertias are set as well.
#[inline(always)]
fn body_frames<const SLEEP: bool>(m: &Model, d: &mut Data) {
    let n = m.nbody;
    let Data { xpos, xquat, xmat, xipos, ximat, .. } = d;
    let (xpos, xquat, xmat) = (xpos.rows_mut(0..n), xquat.rows_mut(0..n), xmat.rows_mut(0..n));
    let (xipos, ximat) = (xipos.rows_mut(0..n), ximat.rows_mut(0..n));
    let (parent, has_mocap) = (m.body_parentid.rows(0..n), m.nmocap > 0);
    let (pos, quat) = (m.body_pos.rows(0..n), m.body_quat.rows(0..n));
    let (ipos, iquat) = (m.body_ipos.rows(0..n), m.body_iquat.rows(0..n));
    let (joints, same) = (BodyJoints::of(m, n), m.body_sameframe.rows(0..n));
    let mut moved = Joints::of(m, &d.qpos, &mut d.xanchor, &mut d.xaxis);

    (xpos[0], xipos[0]) = (Vec3::ZERO, Vec3::ZERO);
    (xmat[0], ximat[0]) = (Mat3::IDENTITY, Mat3::IDENTITY);
    xquat[0] = Quat::IDENTITY;
    for b in 1..n {
        if SLEEP && d.body_awake[b] == SleepState::Static {
            continue;
        }
        let joints = joints.range(b);
        let frame = if joints.len() == 1 && moved.kind[joints.start] == JointType::Free {
            moved.free_frame(joints.start)
        } else {
            // place in the parent: from the model, or given by the user
            let mocap = if has_mocap { m.body_mocapid[b].get() } else { None };
            let (pos, quat) = match mocap {
                Some(mocap) => (d.mocap_pos[mocap], d.mocap_quat[mocap].normalize().0),
                None => (pos[b], quat[b]),
            };
            let up = parent[b].idx();
            let (pos, quat) = if parent[b] == BodyId::WORLD {
                (pos, quat)
            } else {
                (xmat[up] * pos + xpos[up], xquat[up] * quat)
            };
            moved.jointed_frame(joints.clone(), pos, quat)
        };
        let (pos, quat) = (frame.0, frame.1.normalize().0);
        if SLEEP && d.body_awake[b] == SleepState::Asleep && !joints.is_empty() {
            if (pos, quat) == (xpos[b], xquat[b]) {
                continue;
            }
            if let Some(tree) = m.body_treeid[b].get() {
                d.tree_awake[tree] = 1;
            }
        }
        let mat = quat.to_mat();
        (xpos[b], xquat[b], xmat[b]) = (pos, quat, mat);
        if SLEEP {
            continue;
        }
        (xipos[b], ximat[b]) = match same[b] {
            SameFrame::Body => (pos, mat),
            SameFrame::Bodyrot => (mat * ipos[b] + pos, mat),
            SameFrame::Inertia => (xipos[b], ximat[b]),
            SameFrame::Inertiarot => (mat * ipos[b] + pos, ximat[b]),
            _ => (mat * ipos[b] + pos, (quat * iquat[b]).to_mat()),
        };
    }
}

/// How joints move their bodies, and where that puts them.
struct Joints<'a> {
    kind: &'a [JointType],
    axis: &'a [Vec3],
    pos: &'a [Vec3],
    adr: &'a [i32],
    qpos: &'a [f64],
    qpos0: &'a [f64],
    xanchor: &'a mut [Vec3],
    xaxis: &'a mut [Vec3],
}

impl<'a> Joints<'a> {
    #[inline(always)]
    fn of(
        m: &'a Model,
        qpos: &'a [f64],
        xanchor: &'a mut [Vec3],
        xaxis: &'a mut [Vec3],
    ) -> Joints<'a> {
        let (n, nq) = (m.njnt, m.nq);
        Joints {
            kind: m.jnt_type.rows(0..n),
            axis: m.jnt_axis.rows(0..n),
            pos: m.jnt_pos.rows(0..n),
            adr: m.jnt_qposadr.rows(0..n),
            qpos: &qpos[..nq],
            qpos0: m.qpos0.rows(0..nq),
            xanchor: &mut xanchor[..n],
            xaxis: &mut xaxis[..n],
        }
    }

    /// The quaternion that begins at a place of `qpos`.
    #[inline(always)]
    fn quat_at(&self, adr: usize) -> Quat {
        Quat::from_slice(&self.qpos[adr..][..4]).normalize().0
    }

    /// Position and orientation of a floating body: as `qpos` has them.
    #[inline(always)]
    fn free_frame(&mut self, j: usize) -> (Vec3, Quat) {
        let adr = self.adr[j] as usize;
        let pos = Vec3::from_slice(&self.qpos[adr..][..3]);
        self.xanchor[j] = pos;
        self.xaxis[j] = self.axis[j];
        (pos, self.quat_at(adr + 3))
    }

    /// Position and orientation of a body after its joints have moved it, one after another.
    #[inline(always)]
    fn jointed_frame(
        &mut self,
        joints: Range<usize>,
        mut pos: Vec3,
        mut quat: Quat,
    ) -> (Vec3, Quat) {
        for j in joints {
            let axis = quat.rotate(self.axis[j]);
            let anchor = quat.rotate(self.pos[j]) + pos;
            let adr = self.adr[j] as usize;
            if self.kind[j] == JointType::Slide {
                pos += axis * (self.qpos[adr] - self.qpos0[adr]);
            } else {
                // turn about the anchor
                let turn = if self.kind[j] == JointType::Ball {
                    self.quat_at(adr)
                } else {
                    Quat::from_axis_angle(self.axis[j], self.qpos[adr] - self.qpos0[adr])
                };
                quat = quat * turn;
                pos = anchor - quat.rotate(self.pos[j]);
            }
            self.xanchor[j] = anchor;
            self.xaxis[j] = axis;
        }
        (pos, quat)
    }
}
