//! Springs, dampers and inertia with the parts that came with later versions of MuJoCo.
//!
//! The force of a spring is -x k(x), with k(x) = k₀ + k₁ x + k₂ x². A damper has the same form in
//! the velocity, with its absolute value in k. Actuators add coefficients and inertia to their
//! targets, times the square of their gear.

use core::ops::Range;

use sinew_model::enums::TrnType;
use sinew_model::later::{Later, row};
use sinew_model::{ActuatorId, Data, DofId, JointId, Model, TendonId};

/// Coefficients of a spring or damper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Poly(pub(crate) [f64; 3]);

impl Poly {
    fn new(linear: f64, [second, third]: [f64; 2]) -> Self {
        Poly([linear, second, third])
    }

    /// Whether the force is always zero.
    pub(crate) fn is_zero(self) -> bool {
        self.0 == [0.0; 3]
    }

    /// k(x).
    #[doc(alias = "mju_polyForce")]
    pub(crate) fn at(self, x: f64) -> f64 {
        let Poly([linear, second, third]) = self;
        linear + second * x + third * (x * x)
    }

    /// Derivative of x k(x).
    #[doc(alias = "mjd_xPolyForce")]
    pub(crate) fn slope(self, x: f64) -> f64 {
        let Poly([linear, second, third]) = self;
        linear + 2.0 * second * x + 3.0 * third * (x * x)
    }

    /// Integral of x k(x).
    #[doc(alias = "mju_polyPotential")]
    pub(crate) fn potential(self, x: f64) -> f64 {
        let Poly([linear, second, third]) = self;
        let square = x * x;
        0.5 * linear * square + second / 3.0 * (square * x) + third / 4.0 * (square * x * x)
    }

    /// Force of a damper.
    pub(crate) fn drag(self, v: f64) -> f64 {
        -v * self.at(v.abs())
    }

    /// Derivative of the force of a damper, without its sign.
    pub(crate) fn drag_slope(self, v: f64) -> f64 {
        self.slope(v.abs())
    }
}

/// The spring of a joint.
pub(crate) fn joint_spring(m: &Model, j: JointId) -> Poly {
    let high = m.later.as_ref().map_or([0.0; 2], |l| row(&l.jnt_stiffnesspoly, j.idx()));
    Poly::new(m.jnt_stiffness[j], high)
}

/// The spring of a tendon.
pub(crate) fn tendon_spring(m: &Model, t: TendonId) -> Poly {
    let high = m.later.as_ref().map_or([0.0; 2], |l| row(&l.tendon_stiffnesspoly, t.idx()));
    Poly::new(m.tendon_stiffness[t], high)
}

/// Where the spring of a tendon rests: from the plastic state if it yields.
pub(crate) fn tendon_rest(m: &Model, d: &Data, t: TendonId) -> [f64; 2] {
    match m.plastic_tendon(t) {
        Some(adr) => [d.plastic[adr], d.plastic[adr + 1]],
        None => m.tendon_lengthspring[t],
    }
}

/// Where the spring of a joint rests: its numbers in the plastic state or in `qpos_spring`.
pub(crate) fn joint_rest<'a>(m: &'a Model, d: &'a Data, j: JointId) -> &'a [f64] {
    match m.plastic_joint(j) {
        Some(adr) => &d.plastic[adr..],
        None => m.qpos_spring.split_at(m.jnt_qpos(j).start).1,
    }
}

/// The damper of a dof, with the actuators' parts.
pub(crate) fn dof_damper(m: &Model, v: DofId) -> Poly {
    let own = m.dof_damping[v];
    let Some(later) = &m.later else { return Poly::new(own, [0.0; 2]) };
    let joint = m.dof_jntid[v].idx();
    let added = sum(m, later, Target::Joint(joint), |u| later.damping_of(u));
    with(own, row(&later.dof_dampingpoly, v.idx()), added)
}

/// The damper of a tendon, with the actuators' parts.
pub(crate) fn tendon_damper(m: &Model, t: TendonId) -> Poly {
    let own = m.tendon_damping[t];
    let Some(later) = &m.later else { return Poly::new(own, [0.0; 2]) };
    let added = sum(m, later, Target::Tendon(t.idx()), |u| later.damping_of(u));
    with(own, row(&later.tendon_dampingpoly, t.idx()), added)
}

fn with(linear: f64, high: [f64; 2], added: [f64; 3]) -> Poly {
    Poly([linear + added[0], high[0] + added[1], high[1] + added[2]])
}

/// Inertia of a tendon along its length, with the actuators' parts.
pub(crate) fn tendon_armature(m: &Model, t: TendonId) -> f64 {
    let own = m.tendon_armature[t];
    let Some(later) = &m.later else { return own };
    let target = Target::Tendon(t.idx());
    own + sum(m, later, target, |u| [row(&later.actuator_armature, u)])[0]
}

/// Whether any tendon may have inertia.
#[inline]
pub(crate) fn some_tendon_armature(m: &Model) -> bool {
    m.later.is_some() || m.tendon_armature.iter().any(|&armature| armature != 0.0)
}

/// Inertia that actuators add to a dof.
pub(crate) fn added_armature(m: &Model, v: DofId) -> f64 {
    let Some(later) = &m.later else { return 0.0 };
    let target = Target::Joint(m.dof_jntid[v].idx());
    sum(m, later, target, |u| [row(&later.actuator_armature, u)])[0]
}

/// Whether a dof has damping for Euler's implicit step. Actuators count even if they add none.
fn has_damper(m: &Model, v: DofId) -> bool {
    let Some(later) = &m.later else { return m.dof_damping[v] > 0.0 };
    let actuated = later.jnt_actuatorid.get(m.dof_jntid[v].idx()).is_some_and(|&id| id != -1);
    m.dof_damping[v] > 0.0 || row(&later.dof_dampingpoly, v.idx()) != [0.0; 2] || actuated
}

/// Whether any of some dofs has damping for that step.
pub(crate) fn any_damper(m: &Model, dofs: Range<usize>) -> bool {
    match m.later {
        None => m.dof_damping.rows(dofs).iter().any(|&b| b > 0.0),
        Some(_) => { dofs }.any(|v| has_damper(m, DofId::new(v))),
    }
}

/// Forces of the dampers of some dofs.
#[cold]
#[inline(never)]
pub(crate) fn dof_drag(m: &Model, d: &mut Data, dofs: Range<usize>) {
    for v in dofs.map(DofId::new) {
        d.qfrc_damper[v] = dof_damper(m, v).drag(d.qvel[v]);
    }
}

/// Object that takes damping and inertia from actuators.
#[derive(Clone, Copy)]
enum Target {
    Joint(usize),
    Tendon(usize),
}

/// Sum of a property of the actuators of an object, times the square of the gear of each.
#[doc(alias = "mj_actuatorDamping")]
#[doc(alias = "mj_actuatorArmature")]
fn sum<const N: usize>(
    m: &Model,
    later: &Later,
    target: Target,
    property: impl Fn(usize) -> [f64; N],
) -> [f64; N] {
    let (ids, id) = match target {
        Target::Joint(id) => (&later.jnt_actuatorid, id),
        Target::Tendon(id) => (&later.tendon_actuatorid, id),
    };
    let scaled = |u: ActuatorId| {
        let gear = m.actuator_gear[u][0];
        property(u.idx()).map(|x| x * (gear * gear))
    };
    match ids.get(id).copied().unwrap_or(-1) {
        -1 => [0.0; N],
        u if (0..m.nu as i32).contains(&u) => scaled(ActuatorId::new(u as usize)),
        _ => {
            let all = m.actuators().filter(|&u| acts_on(m, u, target));
            all.fold([0.0; N], |sum, u| {
                let own = scaled(u);
                core::array::from_fn(|i| sum[i] + own[i])
            })
        }
    }
}

/// Whether an actuator acts on a joint or tendon.
fn acts_on(m: &Model, u: ActuatorId, target: Target) -> bool {
    let kind = m.actuator_trntype[u];
    let (same, id) = match target {
        Target::Joint(id) => (matches!(kind, TrnType::Joint | TrnType::Jointinparent), id),
        Target::Tendon(id) => (kind == TrnType::Tendon, id),
    };
    same && m.actuator_trnid[u][0] == id as i32
}
