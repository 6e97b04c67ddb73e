//! Frames, inertias, velocities and forces without constraints.
//!
//! Bodies are in depth-first order, so that the descendants of a body are a run. Sums over subtrees
//! are sums over runs, and sums towards the root follow lists of ancestors. Only frames go from
//! level to level. Spatial vectors are about the centre of mass of each tree, as in MuJoCo.

use sinew_math::algebra::{Inertias, Mat3s, Quats, Spatials, Vec3s};

use crate::fluid::fluid_force;
use crate::heavy;
use crate::joint::{BALL, FREE, HINGE, SLIDE};
use crate::memory::Cells;
use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};
use crate::team::Team;
use crate::tendon::{force_on, tendon_forces};

/// Frames of bodies and joints. Featherstone, *Rigid Body Dynamics Algorithms* (2008), 4.
#[inline(always)]
pub(crate) fn frames<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    let (nbody, njnt) = (m.nbody() as usize, m.njnt() as usize);

    // the motion of each joint, then each body relative to its parent; a root's parent is the world
    t.par(njnt, |j| joint_rotation(m, w, j));
    t.par(nbody, |b| local_frame(m, w, b));

    // from level to level
    let (xpos, xquat, parent) = (w.xpos(), w.xquat(), m.body_parent());
    let (adr, bodies) = (m.level_adr(), m.level_body());
    for level in 0..m.nlevel() as usize {
        let first = adr.at(level) as usize;
        t.par(adr.at(level + 1) as usize - first, |i| {
            let b = bodies.at(first + i) as usize;
            let p = parent.at(b) as usize;
            let up = get4(xquat, p);
            let pos = get3(xpos, p) + turn(up, get3(xpos, b));
            put3(xpos, b, pos);
            put4(xquat, b, unit(up * get4(xquat, b)));
        });
    }

    // matrices and centres of mass of bodies
    let (xmat, xipos, ipos) = (w.xmat(), w.xipos(), m.body_ipos());
    t.par(nbody, |b| {
        let mat = get4(xquat, b).products();
        put9(xmat, b, mat);
        put3(xipos, b, get3(xpos, b) + mat.mul_vec(get3(ipos, b)));
    });

    // joints, from the frames of the parents
    let (xanchor, xaxis, body) = (w.xanchor(), w.xaxis(), m.jnt_body());
    t.par(njnt, |j| {
        let p = parent.at(body.at(j) as usize) as usize;
        if p != 0 {
            let mat = get9(xmat, p);
            let anchor = get3(xpos, p) + mat.mul_vec(get3(xanchor, j));
            put3(xanchor, j, anchor);
            put3(xaxis, j, mat.mul_vec(get3(xaxis, j)));
        }
    });
}

#[inline(always)]
fn joint_rotation<R: Real>(m: Model<'_, R>, w: World<'_, R>, j: usize) {
    let (kind, adr) = (m.jnt_type().at(j), m.jnt_qposadr().at(j) as usize);
    if kind == SLIDE {
        return;
    }
    let quat = match kind {
        FREE => unit_row4(w.qpos(), adr + 3),
        BALL => unit_row4(w.qpos(), adr),
        _ => {
            let angle = w.qpos().at(adr) - m.jnt_ref().at(j);
            let (sin, cos) = (angle * R::of(0.5)).sin_cos();
            let axis = get3(m.jnt_axis(), j).scale(sin);
            Quats([cos, axis.x, axis.y, axis.z])
        }
    };
    put4(w.jnt_quat(), j, quat);
}

/// Frame of a body, and anchors and axes of its joints, in the frame of its parent.
#[inline(always)]
fn local_frame<R: Real>(m: Model<'_, R>, w: World<'_, R>, b: usize) {
    let (first, joints) = (m.body_jntadr().at(b) as usize, m.body_jntnum().at(b) as usize);
    let mocap = m.body_mocap().at(b);
    let (mut pos, mut quat) = if mocap != NONE {
        let at = mocap as usize;
        (row3(w.mocap_pos(), 3 * at), unit_row4(w.mocap_quat(), 4 * at))
    } else {
        (get3(m.body_pos(), b), get4(m.body_quat(), b))
    };
    for j in first..first + joints {
        let (kind, adr) = (m.jnt_type().at(j), m.jnt_qposadr().at(j) as usize);
        let axis = get3(m.jnt_axis(), j);
        if kind == FREE {
            pos = row3(w.qpos(), adr);
            quat = get4(w.jnt_quat(), j);
            put3(w.xanchor(), j, pos);
            put3(w.xaxis(), j, axis);
            continue;
        }
        let at = get3(m.jnt_pos(), j);
        let (axis, anchor) = (turn(quat, axis), turn(quat, at) + pos);
        if kind == SLIDE {
            pos = pos + axis.scale(w.qpos().at(adr) - m.jnt_ref().at(j));
        } else {
            quat = quat * get4(w.jnt_quat(), j);
            pos = anchor - turn(quat, at);
        }
        put3(w.xanchor(), j, anchor);
        put3(w.xaxis(), j, axis);
    }
    put3(w.xpos(), b, pos);
    put4(w.xquat(), b, unit(quat));
}

/// Centres of mass of the trees, and the motion axis of each dof.
#[inline(always)]
pub(crate) fn motion_axes<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    let (nroot, njnt) = (m.nroot() as usize, m.njnt() as usize);
    let (com, xipos, mass) = (w.com(), w.xipos(), m.body_mass());
    t.par(3 * nroot, |i| {
        let (r, k) = (i / 3, i % 3);
        let root = m.root_body().at(r) as usize;
        let inv = m.root_inv_mass().at(r);
        let mut sum = R::ZERO;
        for b in root..m.body_end().at(root) as usize {
            sum += mass.at(b) * xipos.at(3 * b + k);
        }
        com.put(i, if inv == R::ZERO { xipos.at(3 * root + k) } else { sum * inv });
    });

    let cdof = w.cdof();
    t.par(njnt, |j| {
        let (b, mut v) = (m.jnt_body().at(j) as usize, m.jnt_dofadr().at(j) as usize);
        let axis = get3(w.xaxis(), j);
        let root = m.body_root().at(b) as usize;
        let offset = get3(com, root) - get3(w.xanchor(), j);
        match m.jnt_type().at(j) {
            HINGE => return put6(cdof, v, Spatials::turn(axis, offset)),
            SLIDE => return put6(cdof, v, Spatials { rot: zero3(), lin: axis }),
            FREE => {
                // a free joint moves along the world's axes, then turns like a ball
                let one = |k: usize| if k == 0 { R::ONE } else { R::ZERO };
                for k in 0..3 {
                    let lin = vec3(one(k), one((k + 2) % 3), one((k + 1) % 3));
                    put6(cdof, v + k, Spatials { rot: zero3(), lin });
                }
                v += 3;
            }
            _ => {}
        }
        for (k, axis) in get9(w.xmat(), b).cols().into_iter().enumerate() {
            put6(cdof, v + k, Spatials::turn(axis, offset));
        }
    });
}

/// Velocities of bodies, and the sums over subtrees of inertias and of forces: the forces of the
/// motion, less the given forces on bodies.
#[inline(always)]
pub(crate) fn rigid_bodies<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    let nbody = m.nbody() as usize;
    let (joint_vel, joint_acc, cvel) = (w.joint_vel(), w.joint_acc(), w.cvel());
    let (adr, chain) = (m.chain_adr(), m.chain_body());
    let sum = |of: Cells<'_, R>, b: usize, start: Spatials<R>| {
        let mut sum = start;
        for i in adr.at(b) as usize..adr.at(b + 1) as usize {
            sum = sum.plus(get6(of, chain.at(i) as usize));
        }
        sum
    };

    // relative to the parent; then v_b = Σ over ancestors, a_b = Σ (… + v_parent × v_relative)
    t.par(nbody, |b| relative_motion(m, w, b));
    t.par(nbody, |b| put6(cvel, b, sum(joint_vel, b, zero6())));
    t.par(nbody, |b| {
        let up = get6(cvel, m.body_parent().at(b) as usize);
        let acc = get6(joint_acc, b).plus(up.cross_motion(get6(joint_vel, b)));
        put6(joint_acc, b, acc);
    });

    // inertia, and force I a + v ×* I v
    let s = m.scalars();
    let gravity = vec3(s.gravity_x, s.gravity_y, s.gravity_z);
    let rising = Spatials { rot: zero3(), lin: gravity.scale(-R::ONE) };
    let rigid = w.rigid();
    t.par(nbody, |b| {
        let root = get3(w.com(), m.body_root().at(b) as usize);
        let (inertia, offset) = body_inertia(m, w, b, root);
        let (vel, acc) = (get6(cvel, b), sum(joint_acc, b, rising));
        let asked = inertia.mul(acc).plus(vel.cross_force(inertia.mul(vel)));

        // forces given: by the user, gravity compensation, and a fluid
        let weight = m.body_mass().at(b) * m.body_gravcomp().at(b);
        let lin = row3(w.xfrc_applied(), 6 * b) - gravity.scale(weight);
        let torque = row3(w.xfrc_applied(), 6 * b + 3) + offset.cross(lin);
        let mut given = Spatials { rot: torque, lin };
        if T::FULL && m.fluid() != 0 {
            given = given.plus(fluid_force(m, w, b, vel, root));
        }
        put_rigid(rigid, b, &inertia, minus(asked, given));
    });

    // sums over the run of bodies below
    let composite = w.composite();
    t.par(nbody * RIGID, |i| {
        let (b, k) = (i / RIGID, i % RIGID);
        let mut sum = rigid.at(i);
        if b != 0 {
            for below in b + 1..m.body_end().at(b) as usize {
                sum += rigid.at(below * RIGID + k);
            }
        }
        composite.put(i, sum);
    });
}

/// Velocity of a body relative to its parent, and the acceleration due to its own joints'
/// velocities: Σ (velocity before the joint) × axis · rate.
#[inline(always)]
fn relative_motion<R: Real>(m: Model<'_, R>, w: World<'_, R>, b: usize) {
    let (mut vel, mut acc) = (zero6(), zero6());
    let first = m.body_jntadr().at(b) as usize;
    for j in first..first + m.body_jntnum().at(b) as usize {
        let mut v = m.jnt_dofadr().at(j) as usize;
        let kind = m.jnt_type().at(j);
        let moved = |v: usize| get6(w.cdof(), v).scale(w.qvel().at(v));
        if kind == FREE {
            // axes of translation are fixed
            vel = vel.plus(moved(v)).plus(moved(v + 1)).plus(moved(v + 2));
            v += 3;
        }
        // a ball's three axes all with the velocity before the joint
        let before = vel;
        let axes = if kind == FREE || kind == BALL { 3 } else { 1 };
        for v in v..v + axes {
            let more = moved(v);
            acc = acc.plus(before.cross_motion(more));
            vel = vel.plus(more);
        }
    }
    put6(w.joint_vel(), b, vel);
    put6(w.joint_acc(), b, acc);
}

/// Inertia of a body about a centre, and the place of its centre of mass from there.
#[inline(always)]
fn body_inertia<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    b: usize,
    centre: Vec3s<R>,
) -> (Inertias<R>, Vec3s<R>) {
    let [xx, yy, zz, xy, xz, yz] = m.body_inertia().row(6 * b);
    let own = Mat3s([vec3(xx, xy, xz), vec3(xy, yy, yz), vec3(xz, yz, zz)]);
    let [r0, r1, r2] = get9(w.xmat(), b).0;
    let [s0, s1, s2] = [r0, r1, r2].map(|row| own.mul_vec(row));
    let offset = get3(w.xipos(), b) - centre;
    let (Vec3s { x, y, z }, mass) = (offset, m.body_mass().at(b));
    let inertia = Inertias([
        r0.dot(s0) + mass * (y * y + z * z),
        r1.dot(s1) + mass * (x * x + z * z),
        r2.dot(s2) + mass * (x * x + y * y),
        r0.dot(s1) - mass * x * y,
        r0.dot(s2) - mass * x * z,
        r1.dot(s2) - mass * y * z,
        mass * x,
        mass * y,
        mass * z,
        mass,
    ]);
    (inertia, offset)
}

/// The inertia matrix: M(i, j) = cdof_j · (I_i cdof_i) for each dof i and its ancestors j.
#[inline(always)]
pub(crate) fn inertia_matrix<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    let nv = m.nv() as usize;
    let (cdof, force, matrix) = (w.cdof(), w.dof_force(), w.M());
    t.par(nv, |v| {
        let b = m.dof_body().at(v) as usize;
        put6(force, v, inertia(w.composite(), b).mul(get6(cdof, v)));
    });
    let (row, col) = (m.M_row(), m.M_col());
    t.par(row.len(), |k| {
        let (i, j) = (row.at(k) as usize, col.at(k) as usize);
        let armature = if i == j { m.dof_armature().at(i) } else { R::ZERO };
        matrix.put(k, armature + get6(cdof, j).dot(get6(force, i)));
    });
}

/// The forces of all but constraints on each dof.
#[inline(always)]
pub(crate) fn smooth_forces<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    let (nv, qfrc) = (m.nv() as usize, w.qfrc_smooth());
    if m.nspring_ten() != 0 {
        tendon_forces(t, m, w);
    }
    if T::FULL && m.nheavy() != 0 {
        heavy::add_forces(t, m, w);
    }
    t.par(nv, |v| {
        let b = m.dof_body().at(v) as usize;
        let bias = get6(w.cdof(), v).dot(rigid_force(w.composite(), b));
        let mut actuator = R::ZERO;
        for i in m.dof_act_adr().at(v) as usize..m.dof_act_adr().at(v + 1) as usize {
            let moment = w.moment().at(m.dof_act_entry().at(i) as usize);
            actuator += moment * w.act_force().at(m.dof_act().at(i) as usize);
        }
        let lifted = T::FULL && m.lifted() != 0 && m.dof_lift().at(v) != 0;
        let own = if lifted { lift(m, w, v) } else { R::ZERO };
        if lifted {
            actuator += own;
        }
        actuator = actuator.clip(m.dof_act_range().at(v), m.dof_act_range().at(nv + v));
        if lifted {
            // the bias has it as a force on bodies
            actuator -= own;
        }
        let damping = m.dof_damping().at(v) * w.qvel().at(v);
        let pull = if m.nspring_ten() != 0 { force_on(m, w, v) } else { R::ZERO };
        qfrc.put(v, w.qfrc_applied().at(v) + actuator + pull - damping - bias);
    });
    if m.nspring() > 0 {
        t.par(m.nspring() as usize, |i| spring(m, w, i));
    }
}

/// Gravity compensation on a dof whose actuators give it.
// out of line: few models have such dofs
#[inline(never)]
pub(crate) fn lift<R: Real>(m: Model<'_, R>, w: World<'_, R>, v: usize) -> R {
    let (b, axis, s) = (m.dof_body().at(v) as usize, get6(w.cdof(), v), m.scalars());
    let gravity = vec3(s.gravity_x, s.gravity_y, s.gravity_z);
    let centre = get3(w.com(), m.dof_root().at(v) as usize);
    let mut sum = R::ZERO;
    for below in b..m.body_end().at(b) as usize {
        let lin = gravity.scale(-m.body_mass().at(below) * m.body_gravcomp().at(below));
        let rot = (get3(w.xipos(), below) - centre).cross(lin);
        sum += axis.dot(Spatials { rot, lin });
    }
    sum
}

/// Adds the force of a joint's spring.
#[inline(always)]
fn spring<R: Real>(m: Model<'_, R>, w: World<'_, R>, i: usize) {
    let j = m.spring_jnt().at(i) as usize;
    let (q, v) = (m.jnt_qposadr().at(j) as usize, m.jnt_dofadr().at(j) as usize);
    let k = m.spring_stiffness().at(i);
    let (qpos, rest, qfrc) = (w.qpos(), m.qpos_spring(), w.qfrc_smooth());
    let kind = m.jnt_type().at(j);
    let linear = match kind {
        FREE => 3,
        BALL => 0,
        _ => 1,
    };
    for n in 0..linear {
        qfrc.put(v + n, qfrc.at(v + n) - k * (qpos.at(q + n) - rest.at(q + n)));
    }
    if kind == FREE || kind == BALL {
        // the rotation from rest, as a vector in the body's frame
        let (q, v) = (q + linear, v + linear);
        let [w0, x, y, z] = [rest.at(q), -rest.at(q + 1), -rest.at(q + 2), -rest.at(q + 3)];
        let turned = rotation_vector(Quats([w0, x, y, z]) * unit_row4(qpos, q));
        for (n, x) in [turned.x, turned.y, turned.z].into_iter().enumerate() {
            qfrc.put(v + n, qfrc.at(v + n) - k * x);
        }
    }
}

/// Axis times angle in [-π, π] of a unit quaternion.
#[inline(always)]
pub(crate) fn rotation_vector<R: Real>(q: Quats<R>) -> Vec3s<R> {
    let [w, x, y, z] = q.0;
    let u = vec3(x, y, z);
    let sin = u.dot(u).sqrt();
    if sin < R::of(sinew_math::MINVAL) {
        return zero3();
    }
    let mut angle = R::of(2.0) * sin.atan2(w);
    let pi = R::of(core::f64::consts::PI);
    if angle > pi {
        angle -= R::of(2.0) * pi;
    }
    u.scale(angle / sin)
}
