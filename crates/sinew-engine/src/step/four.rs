//! A step of four worlds of one model together.
//!
//! Worlds go through the stages side by side. The smooth stages take all four at once, a world in
//! each lane of a register. The others take one world after the other, so the instruction cache
//! keeps their code. Every world computes the bits of a step alone.

use sinew_model::enums::{EnableBit, Integrator, Stage, Timer};
use sinew_model::{Data, Model};

use crate::constraint::reference_constraint;
use crate::hooks::Quiet;
use crate::passive::forces::passive_with;
use crate::sensor::sensors_of;
use crate::sleep::wake;
use crate::smooth::four;
use crate::smooth::inertia::put_legacy_m;
use crate::step::advance::{compare_if_enabled, integrate, step_with};
use crate::step::check::{check_acc, check_pos, check_vel};
use crate::step::forward::{
    Outputs, constraints, forces, frames_beside_bodies, rates, read_position, read_velocity,
};
use crate::step::integrate::runge_kutta_four;
use crate::work::scratch;

/// Whether [`step_four`] is faster than four steps on this processor. Four at once are faster for
/// models of up to 64 bodies, unless trees may sleep or tendons have inertia.
pub fn four_at_once(m: &Model) -> bool {
    four::fits(m)
}

/// One step of four worlds of a model, each as by [`step`](crate::step()).
///
/// If they are not `seen`, the energy and the fields of
/// [`Mark::Result`](sinew_model::fields::Mark::Result) may be left out. Nothing that follows from
/// them, such as the forces between bodies, can be asked for.
pub fn step_four(m: &Model, worlds: &mut [&mut Data; 4], seen: bool) {
    if !four::fits(m) {
        worlds.iter_mut().for_each(|d| step_with(m, d, &mut ()));
        return;
    }

    // bad states
    for d in worlds.iter_mut() {
        check_pos(m, d);
        check_vel(m, d);
    }

    // forward dynamics
    let (first, last) = wanted(m, seen);
    evaluate(m, worlds, first);
    for d in worlds.iter_mut() {
        check_acc(m, d);
        compare_if_enabled(m, d);
        d.clock(Timer::Step, 0.0, 1);
    }

    // integration
    if m.opt.integrator == Integrator::Rk4 {
        runge_kutta_four(m, worlds, last, evaluate);
        return;
    }
    for d in worlds.iter_mut() {
        integrate(m, d, m.opt.integrator, Stage::None, &mut Quiet);
        d.clock(Timer::Advance, 0.0, 1);
    }
}

/// Outputs of the first evaluation of a step and of the last. Sensors may read fields that nothing
/// else reads; a sensor of kinetic energy reads even the step before. So do plugins, derivatives of
/// the bias force and inverse dynamics.
fn wanted(m: &Model, seen: bool) -> (Outputs, Outputs) {
    let read = m.nsensor > 0
        || m.nplugin > 0
        || m.opt.integrator == Integrator::Implicit
        || m.opt.enabled(EnableBit::Fwdinv);
    if seen || read {
        (Outputs::Sensors, Outputs::Views)
    } else {
        (Outputs::Nothing, Outputs::Nothing)
    }
}

/// Forward dynamics of four worlds.
fn evaluate(m: &Model, worlds: &mut [&mut Data; 4], wanted: Outputs) {
    // position: smooth stages side by side, the others world by world
    let mut work = scratch(worlds[0]).four.take();
    worlds.iter_mut().for_each(|d| wake(m, d));
    let seen = wanted != Outputs::Nothing;
    four::position(m, worlds, &mut work, seen);
    for d in worlds.iter_mut() {
        d.flg_energypos = false;
        frames_beside_bodies(m, d, wanted);
        if seen {
            put_legacy_m(m, d);
        }
        constraints(m, d, true, &mut Quiet);
        for timer in [Timer::PosKinematics, Timer::PosInertia, Timer::Position] {
            d.clock(timer, 0.0, 1);
        }
        read_position(m, d, wanted, &mut Quiet);
    }

    // velocity
    four::velocity(m, worlds, &mut work);
    // forces and acceleration
    for d in worlds.iter_mut() {
        rates(m, d);
        passive_with(m, d, &mut Quiet);
        reference_constraint(m, d);
        d.clock(Timer::Velocity, 0.0, 1);
        read_velocity(m, d, wanted, &mut Quiet);
    }

    for d in worlds.iter_mut() {
        forces(m, d, &mut Quiet);
        if wanted == Outputs::Sensors {
            d.flg_rnepost = false;
            sensors_of(m, d, Stage::Acc, &mut Quiet);
        }
        d.clock(Timer::Forward, 0.0, 1);
    }
    scratch(worlds[0]).four.put(work);
}
