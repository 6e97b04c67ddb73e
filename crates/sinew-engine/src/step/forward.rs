//! The pipeline's table of contents: which stage follows which, and the timer that counts it.

use sinew_math::vector;
use sinew_model::awake::{update_sleep, wake_everything};
use sinew_model::enums::{DisableBit, EnableBit, Stage, StateBit, Timer};
use sinew_model::{Data, Model, state};

use crate::actuator::actuation::fwd_actuation_with;
use crate::actuator::transmission::{actuator_vel, transmission};
use crate::collision::collision_with;
use crate::constraint::{make_constraint, project_constraint, reference_constraint};
use crate::coulomb;
use crate::hooks::{self, Hooks};
use crate::island::island;
use crate::passive::forces::passive_with;
use crate::sensor::sensors_of;
use crate::sleep::{
    SleepError, init_trees, sleep_init, wake_collision, wake_equality, wake_tendon,
};
use crate::smooth::acceleration::fwd_acceleration;
use crate::smooth::camlight::camlight;
use crate::smooth::com::{com_pos, com_vel};
use crate::smooth::energy::{energy_pos, energy_vel};
use crate::smooth::flex::{flex, flex_vel};
use crate::smooth::inertia::{factor_m, make_m};
use crate::smooth::kinematics::kinematics;
use crate::solver;
use crate::tendon::{fwd_bias, tendon, tendon_vel};
use crate::timer::{timed, timed_from, timed_rest_from};

/// Forward dynamics: from position, velocity and controls to acceleration.
pub fn forward_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    forward_skip_with(m, d, Stage::None, false, hooks);
}

/// Forward dynamics without the stages up to `skip`, with or without sensors.
pub fn forward_skip_with(
    m: &Model,
    d: &mut Data,
    skip: Stage,
    skip_sensor: bool,
    hooks: &mut (impl Hooks + ?Sized),
) {
    evaluate(m, d, skip, Outputs::sensors_unless(skip_sensor), hooks);
}

/// Fields that forward dynamics computes besides the inputs of accelerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outputs {
    /// Sensors and views.
    Sensors,
    /// Views: frames of cameras and lights, and energy, which only sensors and users read.
    Views,
    /// Nothing, as another evaluation follows.
    Nothing,
}

impl Outputs {
    pub(super) fn sensors_unless(skip_sensor: bool) -> Outputs {
        if skip_sensor { Outputs::Views } else { Outputs::Sensors }
    }
}

/// Forward dynamics without the stages up to `skip`, for the wanted outputs.
pub(super) fn evaluate(
    m: &Model,
    d: &mut Data,
    skip: Stage,
    wanted: Outputs,
    hooks: &mut (impl Hooks + ?Sized),
) {
    timed(d, hooks, Timer::Forward, |d, hooks| {
        if skip < Stage::Pos {
            position(m, d, wanted, hooks);
        }
        if skip < Stage::Vel {
            velocity(m, d, wanted, hooks);
        }
        if !m.opt.disabled(DisableBit::Actuation) {
            hooks::call(hooks, "mjcb_control", |hooks| hooks.control(m, d));
        }
        forces(m, d, hooks);
        if wanted == Outputs::Sensors {
            d.flg_rnepost = false;
            sensors_of(m, d, Stage::Acc, hooks);
        }
    });
}

/// Position stage with its sensors and energy, which a sensor may have computed already.
pub(super) fn position(
    m: &Model,
    d: &mut Data,
    wanted: Outputs,
    hooks: &mut (impl Hooks + ?Sized),
) {
    position_stages(m, d, true, wanted, hooks);
    read_position(m, d, wanted, hooks);
}

/// The sensors and the energy of the position stage.
#[inline(always)]
pub(super) fn read_position(
    m: &Model,
    d: &mut Data,
    wanted: Outputs,
    hooks: &mut (impl Hooks + ?Sized),
) {
    if wanted == Outputs::Sensors {
        sensors_of(m, d, Stage::Pos, hooks);
    }
    if d.flg_energypos || wanted == Outputs::Nothing {
        return;
    }
    if m.opt.enabled(EnableBit::Energy) {
        energy_pos(m, d);
    } else {
        d.energy = [0.0; 2];
    }
}

/// Velocity stage with its sensors and energy, which a sensor may have computed already.
pub(super) fn velocity(
    m: &Model,
    d: &mut Data,
    wanted: Outputs,
    hooks: &mut (impl Hooks + ?Sized),
) {
    fwd_velocity_with(m, d, hooks);
    read_velocity(m, d, wanted, hooks);
}

/// The sensors and the energy of the velocity stage.
#[inline(always)]
pub(super) fn read_velocity(
    m: &Model,
    d: &mut Data,
    wanted: Outputs,
    hooks: &mut (impl Hooks + ?Sized),
) {
    if wanted == Outputs::Sensors {
        sensors_of(m, d, Stage::Vel, hooks);
    }
    if wanted != Outputs::Nothing && m.opt.enabled(EnableBit::Energy) && !d.flg_energyvel {
        energy_vel(m, d);
    }
}

/// From controls to acceleration.
pub(super) fn forces(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    timed(d, hooks, Timer::Actuation, |d, hooks| fwd_actuation_with(m, d, hooks));
    fwd_acceleration(m, d);
    timed(d, hooks, Timer::Constraint, |d, _| fwd_constraint(m, d));
}

/// Stages that depend on position.
pub fn fwd_position_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    position_stages(m, d, true, Outputs::Views, hooks);
}

/// The stages that depend on position. Islands, the inertia of rows and waking by constraints run
/// only if a solver follows.
pub(super) fn position_stages(
    m: &Model,
    d: &mut Data,
    for_solver: bool,
    wanted: Outputs,
    hooks: &mut (impl Hooks + ?Sized),
) {
    if m.opt.enabled(EnableBit::Sleep) && d.nbody_awake == 0 {
        begin_new(m, d);
    }
    let start = hooks.time();
    d.flg_energypos = false;

    // frames, then inertia, then constraints
    let ((), now) = timed_from(d, hooks, Timer::PosKinematics, start, |d, _| {
        frames(m, d, wanted);
        if for_solver {
            wake_tendon(m, d);
        }
    });
    timed_from(d, hooks, Timer::PosInertia, now, |d, _| {
        make_m(m, d);
        factor_m(m, d);
    });
    let now = constraints(m, d, for_solver, hooks);
    d.clock(Timer::Position, now - start, 1);
}

/// The stages from collision to the inertia of constraint rows; the time when they ended.
#[inline(always)]
pub(super) fn constraints(
    m: &Model,
    d: &mut Data,
    for_solver: bool,
    hooks: &mut (impl Hooks + ?Sized),
) -> f64 {
    // contacts; again if they wake trees, which were left out
    collision_with(m, d, hooks);
    if for_solver {
        if wake_collision(m, d) {
            collision_with(m, d, hooks);
        }
        wake_equality(m, d);
    }

    // rows and islands, then the actuators, then the inertia of the rows
    let now = hooks.time();
    let ((), now) = timed_from(d, hooks, Timer::PosMake, now, |d, _| {
        make_constraint(m, d);
        if for_solver {
            island(m, d);
        }
    });
    let mut now = timed_rest_from(d, hooks, Timer::PosKinematics, now, |d, _| transmission(m, d));
    if for_solver {
        now = timed_from(d, hooks, Timer::PosProject, now, |d, _| project_constraint(m, d)).1;
    }
    now
}

/// Frames: everything that is geometry alone. Wakes trees that a limit of a tendon couples to awake
/// trees.
#[doc(alias = "mj_fwdKinematics")]
pub fn fwd_kinematics(m: &Model, d: &mut Data) {
    frames(m, d, Outputs::Views);
    wake_tendon(m, d);
}

fn frames(m: &Model, d: &mut Data, wanted: Outputs) {
    kinematics(m, d);
    com_pos(m, d);
    frames_beside_bodies(m, d, wanted);
}

/// Frames of cameras and lights, flexes, tendons.
#[inline(always)]
pub(super) fn frames_beside_bodies(m: &Model, d: &mut Data, wanted: Outputs) {
    if wanted != Outputs::Nothing {
        camlight(m, d);
    }
    if m.nflex > 0 {
        flex(m, d);
    }
    if m.ntendon > 0 {
        tendon(m, d);
    }
}

/// The part of a reset that runs stages, in models with sleep. Static bodies are placed, because
/// stages do not visit them again, and trees that start asleep are put to sleep.
pub(super) fn begin_sleep(
    m: &Model,
    d: &mut Data,
    hooks: &mut (impl Hooks + ?Sized),
) -> Result<(), SleepError> {
    // mocap bodies are placed last: MuJoCo still has them at the origin here
    d.mocap_pos.flat_mut().fill(0.0);
    d.mocap_quat.flat_mut().fill(0.0);
    wake_everything(m, d);

    let mut result = Ok(());
    if init_trees(m).next().is_none() {
        kinematics(m, d);
        com_pos(m, d);
        camlight(m, d);
        tendon(m, d);
    } else {
        forward_with(m, d, hooks);
        result = sleep_init(m, d);
        d.qacc_smooth.fill(0.0);
        d.qfrc_smooth.fill(0.0);
        state::clear_rows(d);
    }
    update_sleep(m, d);
    state::place_mocap(m, d);
    result
}

/// Initialises a state that `Data::new` made, which knows no stages, as a reset does. Values set by
/// the user since then are kept.
#[cold]
fn begin_new(m: &Model, d: &mut Data) {
    let given = Data::clone(d);
    state::reset_data(m, d);
    // trees that cannot sleep are awake, and a signature of all bits is one
    let _ = begin_sleep(m, d, &mut ());
    let _ = state::copy_state(m, &given, d, StateBit::Integration.0);
    d.qacc.copy_from_slice(&given.qacc);
}

/// Stages that depend on velocity.
///
/// Writes `ten_velocity`, `actuator_velocity`, `cvel`, `cdof_dot`, the passive forces, `qfrc_bias`.
pub fn fwd_velocity_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    timed(d, hooks, Timer::Velocity, |d, hooks| {
        rates(m, d);
        com_vel(m, d);
        passive_with(m, d, hooks);
        reference_constraint(m, d);
        fwd_bias(m, d);
    });
}

/// Velocities of flexes, tendons and actuators.
#[inline(always)]
pub(super) fn rates(m: &Model, d: &mut Data) {
    d.flg_subtreevel = false;
    d.flg_energyvel = false;
    if m.nflex > 0 {
        flex_vel(m, d);
    }
    if m.ntendon > 0 {
        tendon_vel(m, d);
    }
    if m.opt.disabled(DisableBit::Actuation) {
        vector::zero(&mut d.actuator_velocity);
    } else {
        actuator_vel(m, d);
    }
}

/// Constraint forces and the acceleration with them, by the exact friction mode if the model has it
/// and by the solver of the model otherwise.
///
/// Reads and writes the fields of `solver::solve`.
#[doc(alias = "mj_fwdConstraint")]
#[inline(always)]
pub fn fwd_constraint(m: &Model, d: &mut Data) {
    vector::zero(&mut d.qfrc_constraint);
    d.solver_niter.fill(0);
    if m.coulomb.enabled && coulomb::begin(m, d) {
        coulomb::fwd_coulomb(m, d);
    } else {
        solver::solve(m, d);
    }
}
