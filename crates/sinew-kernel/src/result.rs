//! Results that a step does not depend on: frames of sites and geoms, accelerations of bodies,
//! sensors.

use sinew_math::algebra::{Mat3s, Quats, Spatials, Vec3s};

use crate::real::Real;
use crate::rows::*;
use crate::sensing;
use crate::smooth::{BALL, FREE, lift};
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

/// The measured quantity of a sensor, by MuJoCo's numbers.
pub mod sensor {
    /// Normal forces of contacts at a site.
    pub const TOUCH: u32 = 0;
    /// Linear acceleration of a site, against gravity, in its axes.
    pub const ACCELEROMETER: u32 = 1;
    /// Linear velocity of a site in its axes.
    pub const VELOCIMETER: u32 = 2;
    /// Angular velocity of a site in its axes.
    pub const GYRO: u32 = 3;
    /// Force between the body of a site and its parent.
    pub const FORCE: u32 = 4;
    /// Torque between the body of a site and its parent.
    pub const TORQUE: u32 = 5;
    /// Magnetic flux in the axes of a site.
    pub const MAGNETOMETER: u32 = 6;
    /// The nearest geom along a ray.
    pub const RANGEFINDER: u32 = 7;
    /// Where a camera sees a site.
    pub const CAMPROJECTION: u32 = 8;
    /// Position of a hinge or slide.
    pub const JOINTPOS: u32 = 9;
    /// Velocity of a hinge or slide.
    pub const JOINTVEL: u32 = 10;
    /// Length of a tendon.
    pub const TENDONPOS: u32 = 11;
    /// Velocity of a tendon.
    pub const TENDONVEL: u32 = 12;
    /// Length of an actuator.
    pub const ACTUATORPOS: u32 = 13;
    /// Velocity of an actuator.
    pub const ACTUATORVEL: u32 = 14;
    /// Force of an actuator.
    pub const ACTUATORFRC: u32 = 15;
    /// Force of all actuators on a dof.
    pub const JOINTACTFRC: u32 = 16;
    /// Force of all actuators on a tendon.
    pub const TENDONACTFRC: u32 = 17;
    /// Orientation of a ball.
    pub const BALLQUAT: u32 = 18;
    /// Angular velocity of a ball.
    pub const BALLANGVEL: u32 = 19;
    /// Distance of a joint from its limit, less the margin.
    pub const JOINTLIMITPOS: u32 = 20;
    /// Velocity of that.
    pub const JOINTLIMITVEL: u32 = 21;
    /// Force of the limit.
    pub const JOINTLIMITFRC: u32 = 22;
    /// Distance of a tendon from its limit, less the margin.
    pub const TENDONLIMITPOS: u32 = 23;
    /// Velocity of that.
    pub const TENDONLIMITVEL: u32 = 24;
    /// Force of the limit.
    pub const TENDONLIMITFRC: u32 = 25;
    /// Position of a frame.
    pub const FRAMEPOS: u32 = 26;
    /// Orientation of a frame.
    pub const FRAMEQUAT: u32 = 27;
    /// The first axis of a frame.
    pub const FRAMEXAXIS: u32 = 28;
    /// The second axis.
    pub const FRAMEYAXIS: u32 = 29;
    /// The third axis.
    pub const FRAMEZAXIS: u32 = 30;
    /// Linear velocity of a frame.
    pub const FRAMELINVEL: u32 = 31;
    /// Angular velocity.
    pub const FRAMEANGVEL: u32 = 32;
    /// Linear acceleration, against gravity.
    pub const FRAMELINACC: u32 = 33;
    /// Angular acceleration.
    pub const FRAMEANGACC: u32 = 34;
    /// Centre of mass of a body and those below.
    pub const SUBTREECOM: u32 = 35;
    /// Velocity of that.
    pub const SUBTREELINVEL: u32 = 36;
    /// Angular momentum of a body and those below.
    pub const SUBTREEANGMOM: u32 = 37;
    /// Whether a frame is inside the volume of a site.
    pub const INSIDESITE: u32 = 38;
    /// Contacts of objects.
    pub const CONTACT: u32 = 42;
    /// Energy of gravity and of springs.
    pub const E_POTENTIAL: u32 = 43;
    /// Energy of motion.
    pub const E_KINETIC: u32 = 44;
    /// Seconds.
    pub const CLOCK: u32 = 45;
}

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

/// Σ mass · x over a body and those below.
#[inline(always)]
pub(crate) fn moment_of_mass<R: Real>(
    m: Model<'_, R>,
    root: usize,
    of: impl Fn(usize) -> Vec3s<R>,
) -> Vec3s<R> {
    let mut sum = zero3();
    for b in root..m.body_end().at(root) as usize {
        sum = sum + of(b).scale(m.body_mass().at(b));
    }
    sum
}

/// The centre of mass of a body and those below; the body's own, if they have no mass.
#[inline(always)]
pub(crate) fn subtree_com<R: Real>(m: Model<'_, R>, w: World<'_, R>, root: usize) -> Vec3s<R> {
    let mass = m.subtree_mass().at(root);
    if mass < R::of(sinew_math::MINVAL) {
        return get3(w.xipos(), root);
    }
    moment_of_mass(m, root, |b| get3(w.xipos(), b)).scale(R::ONE / mass)
}

/// Velocity of the subtree.
#[inline(always)]
pub(crate) fn subtree_velocity<R: Real>(m: Model<'_, R>, w: World<'_, R>, root: usize) -> Vec3s<R> {
    let mass = m.subtree_mass().at(root).max(R::of(sinew_math::MINVAL));
    let velocity = |b: usize| {
        let vel = get6(w.cvel(), b);
        let com = get3(w.com(), m.body_root().at(b) as usize);
        vel.lin - (get3(w.xipos(), b) - com).cross(vel.rot)
    };
    moment_of_mass(m, root, velocity).scale(R::ONE / mass)
}
