//! Transmission: lengths of actuators, and their moments at the dofs.

use sinew_math::algebra::Vec3s;

use crate::joint::{BALL, FREE};
use crate::real::Real;
use crate::rows::*;
use crate::smooth::rotation_vector;
use crate::tables::{Model, World};
use crate::team::Team;

/// Kinds of transmission.
pub mod kind {
    /// A joint; a ball or free joint takes the gear as a wrench in the frame of its child.
    pub const JOINT: u32 = 0;
    /// A joint whose wrench is in the frame of the parent.
    pub const JOINT_IN_PARENT: u32 = 1;
    /// A tendon.
    pub const TENDON: u32 = 2;
    /// A wrench in the frame of a site.
    pub const SITE: u32 = 3;
    /// The pose of a site relative to another.
    pub const BETWEEN_SITES: u32 = 4;
    /// A crank between a site and a slider.
    pub const CRANK: u32 = 5;
    /// Minus the mean of the normals of all contacts of a body.
    pub const ADHESION: u32 = 6;
}

/// Moments of all actuators at their dofs, with these contacts.
#[inline(always)]
pub(crate) fn moments<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>, contacts: usize) {
    let moment = w.moment();
    t.par(moment.len(), |e| {
        let (u, v) = (m.entry_act().at(e) as usize, m.act_dof().at(e) as usize);
        let k = e - m.act_adr().at(u) as usize;
        let act = Act { m, w, u };
        let x = match m.act_kind().at(u) {
            kind::JOINT | kind::JOINT_IN_PARENT => act.of_joint(k),
            kind::TENDON => {
                let first = m.ten_adr().at(act.object(0)) as usize;
                act.gear(0).x * w.ten_J().at(first + k)
            }
            _ if !T::FULL => R::ZERO,
            kind::CRANK => act.of_crank(v),
            kind::ADHESION => act.of_contacts(v, contacts),
            _ => act.of_site(v),
        };
        moment.put(e, x);
    });
}

/// The length of an actuator.
#[inline(always)]
pub(crate) fn length<R: Real, T: Team>(m: Model<'_, R>, w: World<'_, R>, u: usize) -> R {
    let act = Act { m, w, u };
    match m.act_kind().at(u) {
        kind::JOINT | kind::JOINT_IN_PARENT => act.joint_length(),
        kind::TENDON => act.gear(0).x * w.ten_length().at(act.object(0)),
        _ if !T::FULL => R::ZERO,
        kind::CRANK => act.crank().length * act.gear(0).x,
        kind::BETWEEN_SITES => act.distance(),
        _ => R::ZERO,
    }
}

/// An actuator.
#[derive(Clone, Copy)]
struct Act<'a, R> {
    m: Model<'a, R>,
    w: World<'a, R>,
    u: usize,
}

/// Length of a crank, and its derivatives by the vector from slider to crank and by the axis.
struct Crank<R> {
    axis: Vec3s<R>,
    length: R,
    by_vec: Vec3s<R>,
    by_axis: Vec3s<R>,
}

impl<R: Real> Act<'_, R> {
    #[inline(always)]
    fn object(self, k: usize) -> usize {
        self.m.act_object().at(k * self.m.nu() as usize + self.u) as usize
    }

    /// Half of the gear: translation, rotation.
    #[inline(always)]
    fn gear(self, half: usize) -> Vec3s<R> {
        get3(self.m.act_gear(), 2 * self.u + half)
    }

    /// The axis of a ball, or of the rotation of a free joint, in the frame of the child.
    #[inline(always)]
    fn turned(self, gear: Vec3s<R>, adr: usize) -> Vec3s<R> {
        if self.m.act_kind().at(self.u) == kind::JOINT {
            return gear;
        }
        turn(conjugate(unit_row4(self.w.qpos(), adr)), gear)
    }

    /// Moment at the dof `k` of a joint.
    #[inline(always)]
    fn of_joint(self, k: usize) -> R {
        let j = self.object(0);
        let (gear, adr) = (self.gear(0), self.m.jnt_qposadr().at(j) as usize);
        match self.m.jnt_type().at(j) {
            BALL => part(self.turned(gear, adr), k),
            FREE if k < 3 => part(gear, k),
            FREE => part(self.turned(self.gear(1), adr + 3), k - 3),
            _ => gear.x,
        }
    }

    #[inline(always)]
    fn joint_length(self) -> R {
        let j = self.object(0);
        let (gear, adr) = (self.gear(0), self.m.jnt_qposadr().at(j) as usize);
        match self.m.jnt_type().at(j) {
            BALL => rotation_vector(unit_row4(self.w.qpos(), adr)).dot(self.turned(gear, adr)),
            FREE => R::ZERO,
            _ => self.w.qpos().at(adr) * gear.x,
        }
    }

    /// Place of a site.
    #[inline(always)]
    fn place(self, s: usize) -> Vec3s<R> {
        get3(self.w.site_xpos(), s)
    }

    /// A vector in the frame of a site, in space.
    #[inline(always)]
    fn out_of(self, s: usize, v: Vec3s<R>) -> Vec3s<R> {
        let b = self.m.site_body().at(s) as usize;
        let own = turn(get4(self.m.site_quat(), s), v);
        get9(self.w.xmat(), b).mul_vec(own)
    }

    /// Whether a dof moves the body of a site.
    #[inline(always)]
    fn moves(self, v: usize, s: usize) -> bool {
        moves_body(self.m, v, self.m.site_body().at(s) as usize)
    }

    /// Moment of a wrench at a site, less that at the site it is relative to; dofs that move both
    /// cancel.
    #[inline(always)]
    fn of_site(self, v: usize) -> R {
        let (s, between) = (self.object(0), self.m.act_kind().at(self.u) == kind::BETWEEN_SITES);
        let frame = if between { self.object(1) } else { s };
        let force = self.out_of(frame, self.gear(0));
        let torque = self.out_of(frame, self.gear(1));
        let moves = [self.moves(v, s), between && self.moves(v, frame)];
        if moves[0] == moves[1] {
            return R::ZERO;
        }
        let at = if moves[0] { s } else { frame };
        let motion = point_motion(self.m, self.w, v, self.place(at));
        let rot = get6(self.w.cdof(), v).rot;
        let moment = motion.dot(force) + rot.dot(torque);
        if moves[0] { moment } else { -moment }
    }

    /// Pose of a site relative to another, along the gear.
    #[inline(always)]
    fn distance(self) -> R {
        let (s, frame) = (self.object(0), self.object(1));
        let off = self.place(s) - self.place(frame);
        let along = self.out_of(frame, self.gear(0)).dot(off);
        // the order of this product is MuJoCo 3.5.0's
        let quat = |s: usize| {
            let b = self.m.site_body().at(s) as usize;
            get4(self.m.site_quat(), s) * get4(self.w.xquat(), b)
        };
        along + rotation_vector(conjugate(quat(frame)) * quat(s)).dot(self.gear(1))
    }

    /// A crank of fixed length between a site and a slider on the z axis of another. With v from
    /// slider to crank, a the axis and r the rod: length = aᵀv - √((aᵀv)² + r² - vᵀv).
    #[inline(always)]
    fn crank(self) -> Crank<R> {
        let (crank, slider) = (self.object(0), self.object(1));
        let rod = self.m.act_rod().at(self.u);
        let axis = self.out_of(slider, vec3(R::ZERO, R::ZERO, R::ONE));
        let vec = self.place(crank) - self.place(slider);
        let along = vec.dot(axis);
        let det = along * along + rod * rod - vec.dot(vec);
        if det <= R::ZERO {
            // a rod that is too short follows the slider
            return Crank { axis, length: along, by_vec: axis, by_axis: vec };
        }
        let root = det.sqrt();
        let share = R::ONE - along / root;
        let by_vec = axis.scale(share) + vec.scale(R::ONE / root);
        Crank { axis, length: along - root, by_vec, by_axis: vec.scale(share) }
    }

    /// Minus the mean of the normals of contacts of a body: a pyramid's is that of its edges.
    #[inline(always)]
    fn of_contacts(self, v: usize, contacts: usize) -> R {
        let (m, w, width) = (self.m, self.w, self.m.width() as usize);
        let (mut sum, mut count) = (R::ZERO, R::ZERO);
        for c in 0..contacts {
            let p = w.con_pair().at(c) as usize;
            let body =
                |k: usize| m.geom_body().at(m.pair_geom().at(k * m.npair() as usize + p) as usize);
            if body(0) as usize != self.object(0) && body(1) as usize != self.object(0) {
                continue;
            }
            count += R::ONE;
            let (first, row) = (m.pattern_adr().at(p) as usize, w.con_row().at(c) as usize * width);
            for k in 0..m.pattern_adr().at(p + 1) as usize - first {
                if m.pattern_dof().at(first + k) as usize != v {
                    continue;
                }
                let pyramid = m.elliptic() == 0 && m.pair_dim().at(p) > 1;
                let normal = w.J().at(row + k);
                sum += if pyramid {
                    (normal + w.J().at(row + width + k)) * R::of(0.5)
                } else {
                    normal
                };
            }
        }
        if count > R::ZERO { -sum / count } else { R::ZERO }
    }

    #[inline(always)]
    fn of_crank(self, v: usize) -> R {
        let (crank, slider) = (self.object(0), self.object(1));
        let Crank { axis, by_vec, by_axis, .. } = self.crank();
        let motion = |s: usize| point_motion(self.m, self.w, v, self.place(s));
        let (mut vec, mut turn) = (zero3(), zero3());
        if self.moves(v, crank) {
            vec = motion(crank);
        }
        if self.moves(v, slider) {
            vec = vec - motion(slider);
            turn = get6(self.w.cdof(), v).rot.cross(axis);
        }
        (by_axis.dot(turn) + by_vec.dot(vec)) * self.gear(0).x
    }
}

/// Component `k` of a vector.
#[inline(always)]
fn part<R: Real>(v: Vec3s<R>, k: usize) -> R {
    match k {
        0 => v.x,
        1 => v.y,
        _ => v.z,
    }
}
