//! Derivatives of sensors.
//!
//! A reading depends on position, velocity and acceleration of the dofs; the acceleration has the
//! derivatives of the step. A dof with axis S, before which bodies move at ξ₀ and accelerate at a₀,
//! carries everything after it. A body after it has, with u = ξ - ξ₀ and α = a - a₀ - ξ₀ × u,
//!
//! ```text
//! dξ/dq = S × u    da/dq = ξ₀ × (S × u) + S × α    da/dq̇ = ξ₀ × S + S × (ξ - ξ_after)
//! ```

use sinew_math::{Mat3, Quat, Spatial, Vec3};
use sinew_model::enums::{DataType, DisableBit, JointType, ObjType, SensorType, TrnType};
use sinew_model::{ActuatorId, BodyId, Data, DofId, JointId, Model, SensorId, SiteId};

use super::actuator::{ActuatorWork, drive_slopes, find_slopes, force_slopes, set_sources};
use super::arm::Arm;
use super::error::{TransitionError, unsupported_object};
use super::quantity::{
    kinetic_energy, limit_reading, potential_energy, ray_distance, subtree_velocity,
};
use super::reading::{POS, Reading, VEL};
use super::twist::{Twists, dofs_together};
use crate::actuator::actuation::actuator_disabled;
use crate::finite::Transition;
use crate::smooth::object::{Frame, object_frame};

/// Scratch of the sensors.
#[derive(Debug, Default)]
pub(super) struct SensorWork {
    twists: Twists,
    /// Acceleration of each body, and before each dof.
    acc: Vec<Spatial>,
    before: Vec<Spatial>,
    inside: Vec<bool>,
    momentum: Vec<Spatial>,
    sources: Vec<(ActuatorId, f64)>,
    readings: [Reading; 4],
}

/// Refuses sensors without derivative.
pub(super) fn check_sensors(m: &Model) -> Result<(), TransitionError> {
    let known = |s: &SensorId| {
        let kind = m.sensor_type[*s];
        let known = [&FRAMED[..], &LOCAL, &PLAIN, &OTHERS].iter().any(|of| of.contains(&kind));
        known && is_covered(m, *s)
    };
    match m.sensors().find(|s| !known(s)) {
        Some(s) => unsupported_object(m, ObjType::Sensor, s.idx(), "its type"),
        None => Ok(()),
    }
}

/// Whether a sensor of a known type has derivatives with its object.
fn is_covered(m: &Model, s: SensorId) -> bool {
    let id = m.sensor_objid[s].max(0) as usize;
    match m.sensor_type[s] {
        // the distance alone, from a site
        SensorType::Rangefinder => {
            m.sensor_objtype[s] == ObjType::Site && m.sensor_intprm[s][0] == 1
        }
        SensorType::Insidesite => !m.is_enclosed(s),
        SensorType::Jointlimitvel | SensorType::Jointlimitfrc => {
            matches!(m.jnt_type[id], JointType::Hinge | JointType::Slide)
        }
        _ => true,
    }
}

/// Sensors of limits, energies and others.
const OTHERS: [SensorType; 11] = [
    SensorType::Jointlimitpos,
    SensorType::Jointlimitvel,
    SensorType::Jointlimitfrc,
    SensorType::Tendonlimitpos,
    SensorType::Tendonlimitvel,
    SensorType::Tendonlimitfrc,
    SensorType::Tendonactfrc,
    SensorType::EPotential,
    SensorType::EKinetic,
    SensorType::Subtreelinvel,
    SensorType::Rangefinder,
];

/// Sensors of frames, which may have a reference.
const FRAMED: [SensorType; 9] = [
    SensorType::Framepos,
    SensorType::Framequat,
    SensorType::Framexaxis,
    SensorType::Frameyaxis,
    SensorType::Framezaxis,
    SensorType::Framelinvel,
    SensorType::Frameangvel,
    SensorType::Framelinacc,
    SensorType::Frameangacc,
];

/// Sensors in the axes of their site.
const LOCAL: [SensorType; 4] = [
    SensorType::Accelerometer,
    SensorType::Velocimeter,
    SensorType::Gyro,
    SensorType::Magnetometer,
];

/// Other sensors.
const PLAIN: [SensorType; 12] = [
    SensorType::Jointpos,
    SensorType::Jointvel,
    SensorType::Ballquat,
    SensorType::Ballangvel,
    SensorType::Tendonpos,
    SensorType::Tendonvel,
    SensorType::Actuatorpos,
    SensorType::Actuatorvel,
    SensorType::Actuatorfrc,
    SensorType::Subtreecom,
    SensorType::Clock,
    SensorType::Insidesite,
];

/// Fills C and D, where `acc` has the derivatives of the acceleration, a row for each input.
pub(super) fn fill_sensors(
    m: &Model,
    d: &Data,
    (acc, tendons): (&[f64], &[Arm]),
    actuators: &mut ActuatorWork,
    work: &mut SensorWork,
    out: &mut Transition<'_>,
) {
    let n = 2 * m.nv + m.na;
    for matrix in [&mut out.c, &mut out.d].into_iter().flatten() {
        matrix.fill(0.0);
    }
    if m.opt.disabled(DisableBit::Sensor) {
        return;
    }
    work.set_motions(m, d);
    for s in m.sensors() {
        let (first, dim) = (m.sensor_adr[s].max(0) as usize, m.sensor_dim[s].max(0) as usize);
        work.readings.iter_mut().for_each(|reading| reading.clear(m));
        work.set_readings(m, d, s, (tendons, actuators));
        for (k, reading) in work.readings.iter().enumerate().take(dim) {
            let row = first + k;
            if is_cut(m, s, d.sensordata[row]) {
                continue;
            }
            let [pos, vel, by_acc] = &reading.dofs;
            let direct = pos.iter().chain(vel).chain(&reading.act).chain(&reading.ctrl);
            for (input, &own) in direct.enumerate() {
                let through = &acc[input * m.nv..(input + 1) * m.nv];
                let slope = own + sinew_math::vector::dot(by_acc, through);
                if let (Some(c), true) = (&mut out.c, input < n) {
                    c[row * n + input] = slope;
                } else if let (Some(d), true) = (&mut out.d, input >= n) {
                    d[row * m.nu + input - n] = slope;
                }
            }
        }
    }
}

/// Whether a reading is at its cutoff.
fn is_cut(m: &Model, s: SensorId, x: f64) -> bool {
    let cutoff = m.sensor_cutoff[s];
    cutoff > 0.0
        && match m.sensor_datatype[s] {
            DataType::Real => x.abs() >= cutoff,
            DataType::Positive => x >= cutoff,
            _ => false,
        }
}

/// A frame, and how it moves.
struct MovingFrame {
    frame: Frame,
    vel: Spatial,
    acc: Spatial,
}

/// Changes of a frame by a dof.
#[derive(Clone, Copy, Default)]
struct Change {
    turn: Vec3,
    pos: Vec3,
    vel: Spatial,
    acc: Spatial,
}

impl SensorWork {
    /// Sets the motions of all bodies.
    fn set_motions(&mut self, m: &Model, d: &Data) {
        let SensorWork { twists, acc, before, .. } = self;
        twists.set(m, d, &d.qvel);
        acc.resize(m.nbody, Spatial::ZERO);
        before.resize(m.nv, Spatial::ZERO);
        let gravity = if m.has_gravity() { m.opt.gravity } else { Vec3::ZERO };
        acc[0] = Spatial::new(Vec3::ZERO, -gravity);
        for b in m.bodies().skip(1) {
            let mut sum = acc[m.body_parentid[b].idx()];
            for j in m.body_joints(b) {
                for together in dofs_together(m, j) {
                    before[together.clone()].fill(sum);
                    for v in together {
                        let turned = twists.before[v].cross_motion(d.cdof[v]);
                        sum += d.cdof[v] * d.qacc[v] + turned * d.qvel[v];
                    }
                }
            }
            acc[b.idx()] = sum;
        }
    }

    /// Sets the slopes of all numbers of a sensor.
    fn set_readings(
        &mut self,
        m: &Model,
        d: &Data,
        s: SensorId,
        (tendons, actuators): (&[Arm], &mut ActuatorWork),
    ) {
        let (kind, id) = (m.sensor_type[s], m.sensor_objid[s].max(0) as usize);
        if LOCAL.contains(&kind) {
            let Some(own) = self.placed(m, d, ObjType::Site, m.sensor_objid[s]) else { return };
            self.set_local(m, d, kind, &own);
        } else if FRAMED.contains(&kind) {
            let own = self.placed(m, d, m.sensor_objtype[s], m.sensor_objid[s]);
            let reference = self.placed(m, d, m.sensor_reftype[s], m.sensor_refid[s]);
            let Some(own) = own else { return };
            self.set_framed(m, d, s, [Some(&own), reference.as_ref()]);
        } else if let SensorType::Actuatorpos | SensorType::Actuatorvel | SensorType::Actuatorfrc =
            kind
        {
            self.set_actuator(m, d, kind, ActuatorId::new(id), (tendons, actuators));
        } else if kind == SensorType::Tendonactfrc {
            let pulls = |u: &ActuatorId| {
                m.actuator_trntype[*u] == TrnType::Tendon && m.actuator_trnid[*u][0] == id as i32
            };
            for u in m.actuators().filter(pulls) {
                self.set_actuator(m, d, SensorType::Actuatorfrc, u, (tendons, actuators));
            }
        } else if OTHERS.contains(&kind) {
            self.set_other(m, d, kind, id, tendons);
        } else {
            self.set_plain(m, d, kind, id, tendons);
        }
    }

    /// Sensors of joints, tendons and centres of mass.
    fn set_plain(&mut self, m: &Model, d: &Data, kind: SensorType, id: usize, tendons: &[Arm]) {
        let SensorWork { readings, inside, .. } = self;
        match kind {
            SensorType::Jointpos | SensorType::Jointvel => {
                let which = if kind == SensorType::Jointpos { POS } else { VEL };
                readings[0].dofs[which][m.jnt_dofadr[JointId::new(id)].idx()] = 1.0;
            }
            SensorType::Ballangvel => {
                let dof = m.jnt_dofadr[JointId::new(id)].idx();
                (0..3).for_each(|k| readings[k].dofs[VEL][dof + k] = 1.0);
            }
            SensorType::Ballquat if m.jnt_type[id] == JointType::Ball => {
                let j = JointId::new(id);
                let quat = Quat::from_slice(d.qpos.split_at(m.jnt_qpos(j).start).1).normalize().0;
                for k in 0..3 {
                    let turn = quat * vector_part([Vec3::X, Vec3::Y, Vec3::Z][k] * 0.5);
                    for (reading, x) in readings.iter_mut().zip(turn.to_array()) {
                        reading.dofs[POS][m.jnt_dofadr[j].idx() + k] = x;
                    }
                }
            }
            SensorType::Tendonpos | SensorType::Tendonvel => {
                let arm = &tendons[id];
                let [pos, vel, _] = &mut readings[0].dofs;
                for (place, v) in arm.dofs.iter().enumerate() {
                    if kind == SensorType::Tendonpos {
                        pos[v.idx()] = arm.length[place];
                    } else {
                        pos[v.idx()] = arm.rate_change(place, &d.qvel);
                        vel[v.idx()] = arm.values[place];
                    }
                }
            }
            SensorType::Subtreecom => {
                let root = BodyId::new(id);
                let total = m.body_subtreemass[root];
                inside.clear();
                for b in m.bodies() {
                    let parent = inside.get(m.body_parentid[b].idx()).copied().unwrap_or(false);
                    inside.push(b == root || b.idx() > 0 && parent);
                    if !inside[b.idx()] || total <= 0.0 {
                        continue;
                    }
                    let at = d.xipos[b] - d.subtree_com[m.body_rootid[b]];
                    let share = m.body_mass[b] / total;
                    for v in m.body_chain(b) {
                        let moved = d.cdof[v].lin + d.cdof[v].rot.cross(at);
                        (0..3).for_each(|k| readings[k].dofs[POS][v.idx()] += share * moved[k]);
                    }
                }
            }
            // time and insides stay
            _ => {}
        }
    }

    fn set_actuator(
        &mut self,
        m: &Model,
        d: &Data,
        kind: SensorType,
        u: ActuatorId,
        (tendons, actuators): (&[Arm], &mut ActuatorWork),
    ) {
        let SensorWork { readings, twists, sources, .. } = self;
        let reading = &mut readings[0];
        if kind == SensorType::Actuatorfrc {
            let rests = actuator_disabled(m, u) || m.opt.disabled(DisableBit::Actuation);
            if rests || force_slopes(m, d, u).limited {
                return;
            }
            set_sources(m, d, u, sources);
            for &(k, share) in &*sources {
                add_actuator_force(m, d, (k, share), (twists, tendons, actuators), reading);
            }
            return;
        }
        let (row, changes) = find_slopes(m, d, (twists, tendons), u, actuators);
        let entries = row.ind.iter().zip(&row.val).zip(changes);
        if kind == SensorType::Actuatorpos {
            entries.for_each(|((v, _), change)| reading.dofs[POS][v.idx()] += change[0]);
        } else {
            for ((v, moment), change) in entries {
                reading.dofs[POS][v.idx()] += change[1];
                reading.dofs[VEL][v.idx()] += moment;
            }
        }
    }

    /// Limits, energies, velocities of centres of mass, distances along rays.
    fn set_other(&mut self, m: &Model, d: &Data, kind: SensorType, id: usize, tendons: &[Arm]) {
        let SensorWork { readings, twists, momentum, .. } = self;
        match kind {
            SensorType::EPotential => potential_energy(m, d, tendons, &mut readings[0]),
            SensorType::EKinetic => kinetic_energy(m, d, twists, momentum, &mut readings[0]),
            SensorType::Subtreelinvel => {
                subtree_velocity(m, d, BodyId::new(id), twists, readings);
            }
            SensorType::Rangefinder => ray_distance(m, d, SiteId::new(id), &mut readings[0]),
            _ => limit_reading(m, d, kind, id, tendons, &mut readings[0]),
        }
    }

    /// The frame of an object and its motion, if it has one.
    fn placed(&self, m: &Model, d: &Data, kind: ObjType, id: i32) -> Option<MovingFrame> {
        let frame = object_frame(m, d, kind, usize::try_from(id).ok()?)?;
        let at = offset(m, d, &frame);
        let vel = at_point(self.twists.body[frame.body.idx()], at);
        let acc = at_point(self.acc[frame.body.idx()], at);
        let acc = Spatial::new(acc.rot, acc.lin + vel.rot.cross(vel.lin));
        Some(MovingFrame { frame, vel, acc })
    }

    /// Changes of a frame by position, velocity and acceleration of a dof that moves it.
    fn changes(&self, m: &Model, d: &Data, own: &MovingFrame, v: DofId) -> [Change; 3] {
        let (at, b, axis) = (offset(m, d, &own.frame), own.frame.body.idx(), d.cdof[v]);
        let [before, after] = [self.twists.before[v.idx()], self.twists.after[v.idx()]];
        let (twist, acc) = (self.twists.body[b], self.acc[b]);
        let moved = at_point(axis, at);

        // by position
        let u = twist - before;
        let alpha = acc - self.before[v.idx()] - before.cross_motion(u);
        let turned = axis.cross_motion(u);
        let carried = |x: Spatial, change: Spatial| {
            let change = at_point(change, at);
            Spatial::new(change.rot, change.lin + x.rot.cross(moved.lin))
        };
        let vel = carried(twist, turned);
        let acc = carried(acc, before.cross_motion(turned) + axis.cross_motion(alpha));
        let turning = |acc: Spatial, vel: Spatial| {
            let lin = vel.rot.cross(own.vel.lin) + own.vel.rot.cross(vel.lin);
            Spatial::new(acc.rot, acc.lin + lin)
        };
        let pos = Change { turn: axis.rot, pos: moved.lin, vel, acc: turning(acc, vel) };

        // by velocity
        let coriolis = before.cross_motion(axis) + axis.cross_motion(twist - after);
        let acc = turning(at_point(coriolis, at), moved);
        let vel = Change { vel: moved, acc, ..Change::default() };
        [pos, vel, Change { acc: moved, ..Change::default() }]
    }

    /// Sensors in the axes of their site.
    fn set_local(&mut self, m: &Model, d: &Data, kind: SensorType, own: &MovingFrame) {
        let pick = |vel: Spatial, acc: Spatial| match kind {
            SensorType::Accelerometer => acc.lin,
            SensorType::Velocimeter => vel.lin,
            SensorType::Gyro => vel.rot,
            _ => Vec3::ZERO,
        };
        let value = match kind {
            SensorType::Magnetometer => m.opt.magnetic,
            _ => pick(own.vel, own.acc),
        };
        for v in m.body_chain(own.frame.body) {
            for (which, change) in self.changes(m, d, own, v).into_iter().enumerate() {
                let by = pick(change.vel, change.acc) - change.turn.cross(value);
                self.add(which, v, own.frame.mat.tmul_vec(by));
            }
        }
    }

    /// Sensors of frames, in the axes of the reference.
    fn set_framed(&mut self, m: &Model, d: &Data, s: SensorId, placed: [Option<&MovingFrame>; 2]) {
        let kind = m.sensor_type[s];
        let mat = placed[1].map_or(Mat3::IDENTITY, |reference| reference.frame.mat);
        for (k, own) in placed.into_iter().enumerate() {
            let Some(own) = own else { continue };
            for v in m.body_chain(own.frame.body) {
                for (which, change) in self.changes(m, d, own, v).into_iter().enumerate() {
                    let mut both = [Change::default(); 2];
                    both[k] = change;
                    if kind == SensorType::Framequat {
                        let turn = mat.tmul_vec(both[0].turn - both[1].turn) * 0.5;
                        let adr = m.sensor_adr[s].max(0) as usize;
                        let quat = Quat::from_slice(d.sensordata.split_at(adr).1);
                        let change = (vector_part(turn) * quat).to_array();
                        for (reading, x) in self.readings.iter_mut().zip(change) {
                            reading.dofs[which][v.idx()] += x;
                        }
                    } else {
                        self.add(which, v, mat.tmul_vec(framed_change(kind, placed, both)));
                    }
                }
            }
        }
    }

    /// Adds the slopes of three numbers by a dof.
    fn add(&mut self, which: usize, v: DofId, slopes: Vec3) {
        for k in 0..3 {
            self.readings[k].dofs[which][v.idx()] += slopes[k];
        }
    }
}

/// Adds a share of the slopes of an actuator's force.
fn add_actuator_force(
    m: &Model,
    d: &Data,
    (u, share): (ActuatorId, f64),
    (twists, tendons, actuators): (&Twists, &[Arm], &mut ActuatorWork),
    reading: &mut Reading,
) {
    let (slopes, drive) = (force_slopes(m, d, u), drive_slopes(m, d, u));
    let (row, changes) = find_slopes(m, d, (twists, tendons), u, actuators);
    for ((v, moment), [length, velocity]) in row.ind.iter().zip(&row.val).zip(changes) {
        let change = slopes.length * length + slopes.velocity * velocity;
        reading.dofs[POS][v.idx()] += share * change;
        reading.dofs[VEL][v.idx()] += share * slopes.velocity * moment;
    }
    reading.ctrl[u.idx()] += share * slopes.drive * drive.ctrl;
    if let Some((act, by_act)) = drive.act {
        reading.act[act] += share * slopes.drive * by_act;
    }
}

/// Change of a vector of a frame in the axes of the reference, before it is turned to them.
fn framed_change(
    kind: SensorType,
    [own, reference]: [Option<&MovingFrame>; 2],
    [by_own, by_reference]: [Change; 2],
) -> Vec3 {
    let Some(own) = own else { return Vec3::ZERO };
    // accelerations have no reference
    match kind {
        SensorType::Framelinacc => return by_own.acc.lin,
        SensorType::Frameangacc => return by_own.acc.rot,
        _ => {}
    }
    let base = reference.map_or(Spatial::ZERO, |reference| reference.vel);
    let apart = own.frame.pos - reference.map_or(Vec3::ZERO, |reference| reference.frame.pos);
    let by_apart = by_own.pos - by_reference.pos;
    let (value, change) = match kind {
        SensorType::Framepos => (apart, by_apart),
        SensorType::Framelinvel => (
            own.vel.lin - base.lin + apart.cross(base.rot),
            by_own.vel.lin - by_reference.vel.lin
                + by_apart.cross(base.rot)
                + apart.cross(by_reference.vel.rot),
        ),
        SensorType::Frameangvel => (own.vel.rot - base.rot, by_own.vel.rot - by_reference.vel.rot),
        _ => {
            let axis = match kind {
                SensorType::Framexaxis => own.frame.mat.col(0),
                SensorType::Frameyaxis => own.frame.mat.col(1),
                _ => own.frame.mat.col(2),
            };
            (axis, by_own.turn.cross(axis))
        }
    };
    change - by_reference.turn.cross(value)
}

/// From the centre of mass of the tree to a frame.
fn offset(m: &Model, d: &Data, frame: &Frame) -> Vec3 {
    frame.pos - d.subtree_com[m.body_rootid[frame.body]]
}

/// A motion about the centre of mass, taken to a point.
fn at_point(motion: Spatial, at: Vec3) -> Spatial {
    Spatial::new(motion.rot, motion.lin + motion.rot.cross(at))
}

/// A quaternion without real part.
fn vector_part(v: Vec3) -> Quat {
    Quat::from_slice(&[0.0, v.x, v.y, v.z])
}
