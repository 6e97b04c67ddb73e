//! Results that a step does not depend on: frames of sites and geoms, accelerations of bodies,
//! sensors.

use sinew_math::algebra::{Mat3s, Quats, Spatials, Vec3s};

use crate::joint::{BALL, FREE};
use crate::real::Real;
use crate::rows::*;
use crate::sensing;
use crate::sensor;
use crate::smooth::lift;
use crate::subtree::{subtree_com, subtree_velocity};
use crate::tables::{Model, World};
use crate::team::Team;
use crate::touching::body_forces;
use crate::transmission;

/// Frames of sites, geoms and bodies: a bit of the wanted results.
pub const PLACES: u32 = 1;
/// Accelerations of bodies.
pub const ACCELERATIONS: u32 = 2;
/// Readings of sensors.
pub const SENSORS: u32 = 4;

/// Computes the wanted results, from the workspace of an evaluation.
// out of line, as everything that is called twice
#[inline(never)]
pub(crate) fn compute<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>, wanted: u32) {
    if wanted & PLACES != 0 {
        t.par(m.nplace() as usize, |p| place(m, w, p));
    }
    if wanted & ACCELERATIONS != 0 {
        accelerations(t, m, w);
    }
    if T::FULL && wanted & SENSORS != 0 && m.nholding() > 0 {
        body_forces(t, m, w);
    }
    if wanted & SENSORS != 0 {
        t.par(m.nsensor() as usize, |s| read::<R, T>(m, w, s));
    }
}

#[inline(always)]
fn place<R: Real>(m: Model<'_, R>, w: World<'_, R>, p: usize) {
    let b = m.place_body().at(p) as usize;
    let pos = get3(w.xpos(), b) + get9(w.xmat(), b).mul_vec(get3(m.place_pos(), p));
    put3(w.place_xpos(), p, pos);
    put9(w.place_xmat(), p, quat(m, w, p).products());
}

#[inline(always)]
fn quat<R: Real>(m: Model<'_, R>, w: World<'_, R>, p: usize) -> Quats<R> {
    get4(w.xquat(), m.place_body().at(p) as usize) * get4(m.place_quat(), p)
}

/// a_b = -g + Σ over ancestors (axis' q̇ + axis q̈)
#[inline(always)]
fn accelerations<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    // relative to the parent, in memory that the stages before no longer need
    let (nbody, relative) = (m.nbody() as usize, w.joint_vel());
    t.par(nbody, |b| {
        let mut acc = get6(w.joint_acc(), b);
        let first = m.body_jntadr().at(b) as usize;
        for j in first..first + m.body_jntnum().at(b) as usize {
            let v = m.jnt_dofadr().at(j) as usize;
            let dofs = match m.jnt_type().at(j) {
                FREE => 6,
                BALL => 3,
                _ => 1,
            };
            for v in v..v + dofs {
                acc = acc.plus(get6(w.cdof(), v).scale(w.qacc().at(v)));
            }
        }
        put6(relative, b, acc);
    });
    let s = m.scalars();
    let rising = vec3(-s.gravity_x, -s.gravity_y, -s.gravity_z);
    let (adr, chain) = (m.chain_adr(), m.chain_body());
    t.par(nbody, |b| {
        let mut acc = Spatials { rot: zero3(), lin: rising };
        for i in adr.at(b) as usize..adr.at(b + 1) as usize {
            acc = acc.plus(get6(relative, chain.at(i) as usize));
        }
        put6(w.cacc(), b, acc);
    });
}

/// A frame in space.
struct Frame<'a, R> {
    m: Model<'a, R>,
    w: World<'a, R>,
    place: usize,
    pos: Vec3s<R>,
    /// Axes of the frame.
    axes: [Vec3s<R>; 3],
}

impl<'a, R: Real> Frame<'a, R> {
    #[inline(always)]
    fn of(m: Model<'a, R>, w: World<'a, R>, place: usize) -> Self {
        let Mat3s(rows) = get9(w.place_xmat(), place);
        Frame { m, w, place, pos: get3(w.place_xpos(), place), axes: Mat3s(rows).cols() }
    }

    #[inline(always)]
    fn body(&self) -> usize {
        self.m.place_body().at(self.place) as usize
    }

    /// A motion about the centre of mass of the tree, taken to the frame; none of a frame that
    /// cannot move.
    #[inline(always)]
    fn moved(&self, motion: Spatials<R>) -> Spatials<R> {
        if self.m.place_still().at(self.place) != 0 {
            return zero6();
        }
        let com = get3(self.w.com(), self.m.body_root().at(self.body()) as usize);
        let lin = motion.lin - (self.pos - com).cross(motion.rot);
        Spatials { rot: motion.rot, lin }
    }

    #[inline(always)]
    fn velocity(&self) -> Spatials<R> {
        self.moved(get6(self.w.cvel(), self.body()))
    }

    /// With the acceleration of a point that moves in a frame that turns.
    #[inline(always)]
    fn acceleration(&self) -> Spatials<R> {
        let (acc, vel) = (self.moved(get6(self.w.cacc(), self.body())), self.velocity());
        Spatials { rot: acc.rot, lin: acc.lin + vel.rot.cross(vel.lin) }
    }

    /// A vector in the frame's axes.
    #[inline(always)]
    fn inside(&self, v: Vec3s<R>) -> Vec3s<R> {
        let [x, y, z] = self.axes;
        vec3(x.dot(v), y.dot(v), z.dot(v))
    }
}

/// Writes the readings of a sensor.
#[inline(always)]
fn read<R: Real, T: Team>(m: Model<'_, R>, w: World<'_, R>, s: usize) {
    let (adr, dim) = (m.sensor_adr().at(s) as usize, m.sensor_dim().at(s) as usize);
    if T::FULL && m.sensor_rare().at(s) != 0 {
        sensing::read(m, w, s);
    } else {
        let [a, b, c, d] = readings::<R, T>(m, w, s);
        for (k, x) in [a, b, c, d].into_iter().enumerate() {
            if k < dim {
                w.sensordata().put(adr + k, x);
            }
        }
    }
    let cutoff = m.sensor_cutoff().at(s);
    if cutoff > R::ZERO {
        let low = if m.sensor_positive().at(s) != 0 { -R::of(f64::MAX) } else { -cutoff };
        for k in adr..adr + dim {
            w.sensordata().put(k, w.sensordata().at(k).clip(low, cutoff));
        }
    }
}

/// The numbers of a sensor, at most four.
#[inline(always)]
fn readings<R: Real, T: Team>(m: Model<'_, R>, w: World<'_, R>, s: usize) -> [R; 4] {
    let (kind, at) = (m.sensor_type().at(s), m.sensor_object().at(s) as usize);
    let one = |x: R| [x, R::ZERO, R::ZERO, R::ZERO];
    match kind {
        sensor::JOINTPOS => one(w.qpos().at(at)),
        sensor::JOINTVEL => one(w.qvel().at(at)),
        sensor::TENDONPOS => one(w.ten_length().at(at)),
        sensor::TENDONVEL => one(tendon_velocity(m, w, at)),
        sensor::ACTUATORPOS => one(transmission::length::<R, T>(m, w, at)),
        sensor::ACTUATORVEL => one(actuator_velocity(m, w, at)),
        sensor::ACTUATORFRC => one(w.act_force().at(at)),
        sensor::JOINTACTFRC => one(force_of_actuators::<R, T>(m, w, at)),
        sensor::BALLQUAT => unit_row4(w.qpos(), at).0,
        sensor::BALLANGVEL => three(row3(w.qvel(), at)),
        sensor::SUBTREECOM => three(subtree_com(m, w, at)),
        sensor::SUBTREELINVEL => three(subtree_velocity(m, w, at)),
        sensor::CLOCK => one(w.time().at(0)),
        _ => frame_readings(m, w, s, kind),
    }
}

#[inline(always)]
fn three<R: Real>(v: Vec3s<R>) -> [R; 4] {
    [v.x, v.y, v.z, R::ZERO]
}

/// The numbers of a sensor of a frame, maybe as seen from another.
#[inline(always)]
fn frame_readings<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize, kind: u32) -> [R; 4] {
    let (own, reference) = (m.sensor_object().at(s) as usize, m.sensor_ref().at(s));
    if kind == sensor::FRAMEQUAT {
        let own = quat(m, w, own);
        return match reference {
            NONE => own.0,
            other => (conjugate(quat(m, w, other as usize)) * own).0,
        };
    }
    let own = Frame::of(m, w, own);
    match kind {
        sensor::ACCELEROMETER => return three(own.inside(own.acceleration().lin)),
        sensor::FRAMELINACC => return three(own.acceleration().lin),
        sensor::FRAMEANGACC => return three(own.acceleration().rot),
        sensor::VELOCIMETER => return three(own.inside(own.velocity().lin)),
        sensor::GYRO => return three(own.inside(own.velocity().rot)),
        sensor::MAGNETOMETER => return three(own.inside(get3(m.magnetic(), 0))),
        _ => {}
    }
    let mut v = match kind {
        sensor::FRAMEPOS => own.pos,
        sensor::FRAMEXAXIS => own.axes[0],
        sensor::FRAMEYAXIS => own.axes[1],
        sensor::FRAMEZAXIS => own.axes[2],
        sensor::FRAMELINVEL => own.velocity().lin,
        _ => own.velocity().rot,
    };
    if reference != NONE {
        let base = Frame::of(m, w, reference as usize);
        let motion = base.velocity();
        // where the reference turns, points at rest seem to move
        match kind {
            sensor::FRAMEPOS => v = v - base.pos,
            sensor::FRAMELINVEL => {
                v = v - motion.lin + (own.pos - base.pos).cross(motion.rot);
            }
            sensor::FRAMEANGVEL => v = v - motion.rot,
            _ => {}
        }
        v = base.inside(v);
    }
    three(v)
}

#[inline(always)]
fn tendon_velocity<R: Real>(m: Model<'_, R>, w: World<'_, R>, i: usize) -> R {
    let mut sum = R::ZERO;
    for e in m.ten_adr().at(i) as usize..m.ten_adr().at(i + 1) as usize {
        sum += w.ten_J().at(e) * w.qvel().at(m.ten_dof().at(e) as usize);
    }
    sum
}

#[inline(always)]
fn actuator_velocity<R: Real>(m: Model<'_, R>, w: World<'_, R>, u: usize) -> R {
    let mut sum = R::ZERO;
    for e in m.act_adr().at(u) as usize..m.act_adr().at(u + 1) as usize {
        sum += w.moment().at(e) * w.qvel().at(m.act_dof().at(e) as usize);
    }
    sum
}

/// The force of all actuators on a dof, within its bounds; with gravity compensation where it is
/// theirs.
#[inline(always)]
fn force_of_actuators<R: Real, T: Team>(m: Model<'_, R>, w: World<'_, R>, v: usize) -> R {
    let mut sum = R::ZERO;
    for i in m.dof_act_adr().at(v) as usize..m.dof_act_adr().at(v + 1) as usize {
        let moment = w.moment().at(m.dof_act_entry().at(i) as usize);
        sum += moment * w.act_force().at(m.dof_act().at(i) as usize);
    }
    if T::FULL && m.lifted() != 0 && m.dof_lift().at(v) != 0 {
        sum += lift(m, w, v);
    }
    sum.clip(m.dof_act_range().at(v), m.dof_act_range().at(m.nv() as usize + v))
}
