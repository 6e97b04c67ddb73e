//! Joints and their degrees of freedom.

use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::enums::JointType;
use sinew_model::ids::{BodyId, DofId, JointId};

use crate::compile::cx::{At, Cx};
use crate::compile::limits::{Limited, limits, undecided};
use crate::compile::rows::{copy_user, put};
use crate::orientation::PI;
use crate::pose::{EPS, Pose, unit_vec};
use crate::spec::Tri;

/// Compiles one joint.
#[doc(alias = "mjCJoint::Compile")]
pub(crate) fn compile_joint(cx: &mut Cx<'_>, id: usize) {
    let result = try_compile(cx, id);
    let joint = &cx.world.joints[id];
    let (name, span) = (joint.elem.name.text().to_owned(), joint.elem.head.span);
    let swing = joint.kind == JointType::Ball && joint.limited && joint.range[0] > 0.0;
    match result {
        Err(message) => cx.fail(At { name: &name, id, span }, message),
        Ok(()) if swing => {
            let ours = "the range is the largest swing and the largest twist";
            cx.diag.extension("ball-limits", span, BALL_RANGE, ours);
        }
        Ok(()) => {}
    }
}

/// MuJoCo's complaint about a ball joint with two limits.
const BALL_RANGE: &str = "range[0] should be 0 in ball joint";

fn try_compile(cx: &mut Cx<'_>, id: usize) -> Result<(), String> {
    let settings = cx.settings(&cx.world.joints[id].elem.head).clone();
    let (most_user, free_limits) = (cx.nuser.jnt, cx.opts.free_joint_limits);
    let joint = &mut cx.world.joints[id];
    let e = &joint.elem;
    if e.user.get().map_or(0, Vec::len) > most_user {
        return Err("user has more values than nuser_jnt in joint".into());
    }
    let [time, ratio] = e.values().springdamper();
    if (time != 0.0 || ratio != 0.0) && (time <= 0.0 || ratio <= 0.0) {
        return Err("when defined, springdamper values must be positive in joint".into());
    }

    // limits, in radians for angles
    let angular = matches!(joint.kind, JointType::Ball | JointType::Hinge)
        || (joint.kind == JointType::Free && free_limits);
    let wanted = e.values().limited();
    joint.limited = match joint.kind {
        JointType::Free if !free_limits => false,
        _ => decide(wanted, joint.range, settings.autolimits)?,
    };
    if joint.limited {
        let one_sided = matches!(joint.kind, JointType::Ball | JointType::Free);
        let [low, high] = joint.range;
        if low >= high && !one_sided {
            return Err("range[0] should be smaller than range[1] in joint".into());
        }
        if low < 0.0 && one_sided {
            return Err(BALL_RANGE.into());
        }
        if settings.degree && angular {
            let rad = |x: f64| if x != 0.0 { x * (PI / 180.0) } else { x };
            joint.range = [rad(low), rad(high)];
        }
    }

    // limits of the actuator force
    let scalar = !matches!(joint.kind, JointType::Free | JointType::Ball);
    let wanted = e.values().actuatorfrclimited();
    joint.actfrclimited = match scalar {
        true => decide(wanted, joint.actfrcrange, settings.autolimits)?,
        false => false,
    };
    if joint.actfrclimited && joint.actfrcrange[0] >= joint.actfrcrange[1] {
        return Err("actfrcrange[0] should be smaller than actfrcrange[1] in joint".into());
    }

    // axis and anchor
    if !scalar {
        joint.axis = Vec3::Z;
    } else if let Some(frame) = joint.frame {
        joint.axis = frame.quat.rotate(joint.axis);
    }
    let (axis, len) = unit_vec(joint.axis);
    if len < EPS {
        return Err("axis too small in joint".into());
    }
    joint.axis = axis;
    if joint.kind == JointType::Free {
        joint.pos = Vec3::ZERO;
    } else if let Some(frame) = joint.frame {
        joint.pos = frame.then(Pose { pos: joint.pos, ..Pose::IDENTITY }).pos;
    }

    if joint.kind == JointType::Hinge && settings.degree {
        joint.ref_ *= PI / 180.0;
        joint.springref *= PI / 180.0;
    }
    if matches!(joint.kind, JointType::Hinge | JointType::Ball) && settings.degree {
        joint.springyield *= PI / 180.0;
    }
    if joint.springyield < 0.0 {
        return Err("springyield cannot be negative in joint".into());
    }
    if joint.springyield > 0.0 && joint.kind == JointType::Free {
        return Err("springyield should not be defined in free joint".into());
    }
    Ok(())
}

/// Whether a range limits, or MuJoCo's complaint that this is not said.
fn decide(limited: Tri, range: [f64; 2], autolimits: bool) -> Result<bool, String> {
    match undecided(autolimits, limited, range, Limited { entity: "joint", attr: "" }) {
        Some(text) => Err(text),
        None => Ok(limits(limited, range)),
    }
}

/// Gives every joint its place in `qpos` and `qvel`; returns `nq` and `nv`.
pub(crate) fn number_joints(cx: &mut Cx<'_>) -> (usize, usize) {
    let (mut nq, mut nv) = (0, 0);
    for joint in &mut cx.world.joints {
        joint.qposadr = nq;
        joint.dofadr = nv;
        nq += joint.kind.nq();
        nv += joint.kind.nv();
    }
    (nq, nv)
}

/// Copies the joints and their degrees of freedom into the model, with `qpos0`.
pub(crate) fn store_joints(cx: &Cx<'_>, m: &mut Model) {
    for (i, joint) in cx.world.joints.iter().enumerate() {
        // the joint
        let e = &joint.elem;
        m.jnt_type[i] = joint.kind;
        m.jnt_qposadr[i] = joint.qposadr as i32;
        m.jnt_dofadr[i] = DofId::new(joint.dofadr);
        m.jnt_bodyid[i] = BodyId::new(joint.body);
        m.jnt_group[i] = e.values().group();
        m.jnt_limited[i] = joint.limited.into();
        m.jnt_actfrclimited[i] = joint.actfrclimited.into();
        m.jnt_actgravcomp[i] = e.values().actuatorgravcomp().into();
        m.jnt_solref[i] = e.values().solreflimit();
        m.jnt_solimp[i] = e.values().solimplimit();
        m.jnt_pos[i] = joint.pos;
        m.jnt_axis[i] = joint.axis;
        m.jnt_stiffness[i] = e.values().stiffness()[0];
        m.jnt_range[i] = joint.range;
        m.jnt_actfrcrange[i] = joint.actfrcrange;
        m.jnt_margin[i] = e.values().margin();
        copy_user(&mut m.jnt_user[i], e.user.get());
        store_qpos0(cx, i, m);

        // its degrees of freedom
        for v in joint.dofadr..joint.dofadr + joint.kind.nv() {
            m.dof_bodyid[v] = BodyId::new(joint.body);
            m.dof_jntid[v] = JointId::new(i);
            m.dof_solref[v] = e.values().solreffriction();
            m.dof_solimp[v] = e.values().solimpfriction();
            m.dof_frictionloss[v] = e.values().frictionloss();
            m.dof_armature[v] = e.values().armature();
            m.dof_damping[v] = e.values().damping()[0];
        }
    }
}

/// The coordinates of a joint in the reference pose and where its spring rests.
fn store_qpos0(cx: &Cx<'_>, id: usize, m: &mut Model) {
    let joint = &cx.world.joints[id];
    let adr = joint.qposadr;
    match joint.kind {
        JointType::Free => {
            let Pose { pos, quat } = cx.world.bodies[joint.body].pose;
            let (p, q) = (pos.to_array(), quat.to_array());
            let start = [p[0], p[1], p[2], q[0], q[1], q[2], q[3]];
            put(&mut m.qpos0, adr, &start);
            put(&mut m.qpos_spring, adr, &start);
        }
        JointType::Ball => {
            put(&mut m.qpos0, adr, &[1.0, 0.0, 0.0, 0.0]);
            put(&mut m.qpos_spring, adr, &[1.0, 0.0, 0.0, 0.0]);
        }
        _ => {
            m.qpos0[adr] = joint.ref_;
            m.qpos_spring[adr] = joint.springref;
        }
    }
}
