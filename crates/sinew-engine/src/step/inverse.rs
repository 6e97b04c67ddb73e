//! Inverse dynamics: from position, velocity and acceleration to the force that causes it.

use core::mem::take;

use sinew_math::vector;
use sinew_model::enums::{DisableBit, EnableBit, Integrator, Stage, Timer};
use sinew_model::{Data, Model};

use crate::constraint::mul_jac_vec;
use crate::derivative::{implicit_matrix, smooth_vel};
use crate::hooks::Hooks;
use crate::later;
use crate::sensor::sensors_of;
use crate::smooth::energy::energy_pos;
use crate::smooth::inertia::{mul_m, mul_sym, solve_ld};
use crate::smooth::jacobian::xfrc_accumulate;
use crate::solver::constraint_update;
use crate::sparse;
use crate::step::forward::{Outputs, position_stages, velocity};
use crate::tendon::bias_force;
use crate::timer::timed;
use crate::work::{scratch, set_aside};

/// Why inverse dynamics has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InverseError {
    /// The model has the flag `invdiscrete`, and a Runge-Kutta step has none.
    DiscreteRungeKutta,
}

impl core::fmt::Display for InverseError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            InverseError::DiscreteRungeKutta => {
                f.write_str("discrete inverse dynamics is not supported by RK4 integrator")
            }
        }
    }
}

impl core::error::Error for InverseError {}

/// Inverse dynamics: the force, beyond passive and constraint forces, that gives `qacc`.
///
/// With the flag `invdiscrete`, `qacc` is not the instantaneous acceleration. The field is the
/// change of velocity of a whole step over its duration, by the model's integrator.
///
/// Reads `qpos`, `qvel`, `qacc`. Writes `qfrc_inverse`, `qfrc_constraint`, and the position and
/// velocity stages.
pub fn inverse_with(
    m: &Model,
    d: &mut Data,
    hooks: &mut (impl Hooks + ?Sized),
) -> Result<(), InverseError> {
    inverse_skip_with(m, d, Stage::None, false, hooks)
}

/// Inverse dynamics without the stages up to `skip`, with or without sensors.
pub fn inverse_skip_with(
    m: &Model,
    d: &mut Data,
    skip: Stage,
    skip_sensor: bool,
    hooks: &mut (impl Hooks + ?Sized),
) -> Result<(), InverseError> {
    let discrete = m.opt.enabled(EnableBit::Invdiscrete);
    if discrete && m.opt.integrator == Integrator::Rk4 {
        return Err(InverseError::DiscreteRungeKutta);
    }
    timed(d, hooks, Timer::Inverse, |d, hooks| {
        if skip < Stage::Pos {
            position(m, d, skip_sensor, hooks);
        }
        if skip < Stage::Vel {
            velocity(m, d, Outputs::sensors_unless(skip_sensor), hooks);
        }

        // sensors and constraints see the instantaneous acceleration; the caller's comes back after
        let mut given = take(&mut scratch(d).inverse.qacc);
        if discrete {
            given.clear();
            given.extend_from_slice(&d.qacc);
            instantaneous_acc(m, d);
        }
        timed(d, hooks, Timer::Constraint, |d, _| inv_constraint(m, d));
        if !skip_sensor {
            d.flg_rnepost = false;
            sensors_of(m, d, Stage::Acc, hooks);
        }
        net_force(m, d);
        if discrete {
            d.qacc.copy_from_slice(&given);
        }
        scratch(d).inverse.qacc = given;
    });
    Ok(())
}

/// Compares forward with inverse dynamics, whose results forward dynamics must have left: the
/// norms of the differences in constraint forces and in applied forces. Zero without constraints.
///
/// Reads all stages. Writes `solver_fwdinv`, `qfrc_inverse`.
#[doc(alias = "mj_compareFwdInv")]
pub fn compare_fwd_inv(m: &Model, d: &mut Data) -> Result<(), InverseError> {
    d.solver_fwdinv = [0.0; 2];
    if d.nefc == 0 {
        return Ok(());
    }
    let mut force = take(&mut scratch(d).inverse.force);
    let mut qfrc_constraint = take(&mut scratch(d).inverse.qfrc_constraint);
    let mut efc_force = take(&mut scratch(d).inverse.efc_force);

    // the expected result of inverse dynamics, and the fields that it overwrites
    force.clear();
    force.extend(d.qfrc_applied.iter().zip(d.qfrc_actuator.iter()).map(|(a, b)| a + b));
    xfrc_accumulate(m, d, &mut force);
    qfrc_constraint.clear();
    qfrc_constraint.extend_from_slice(&d.qfrc_constraint);
    efc_force.clear();
    efc_force.extend_from_slice(&d.efc_force);

    let result = inverse_skip_with(m, d, Stage::Vel, true, &mut ());
    if result.is_ok() {
        vector::add_scaled(&mut force, &d.qfrc_inverse, -1.0);
        let mut dif = scratch(d).take_dof(m.nv);
        for (x, (a, b)) in dif.iter_mut().zip(qfrc_constraint.iter().zip(d.qfrc_constraint.iter()))
        {
            *x = a - b;
        }
        d.solver_fwdinv = [vector::norm(&dif), vector::norm(&force)];
        scratch(d).dof = dif;
        d.qfrc_constraint.copy_from_slice(&qfrc_constraint);
        d.efc_force.copy_from_slice(&efc_force);
    }
    let work = &mut scratch(d).inverse;
    (work.force, work.qfrc_constraint, work.efc_force) = (force, qfrc_constraint, efc_force);
    result
}

/// Stages that depend on position.
///
/// Not `fwd_position`: preparations of the constraint solver are not needed.
pub fn inv_position_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    position_stages(m, d, false, Outputs::Views, hooks);
}

/// Constraint forces at `qacc`; none without rows.
///
/// Reads the rows, `qacc`. Writes `qfrc_constraint`, `efc_force`, `efc_state`.
#[doc(alias = "mj_invConstraint")]
pub fn inv_constraint(m: &Model, d: &mut Data) {
    if d.nefc == 0 {
        d.qfrc_constraint.fill(0.0);
        return;
    }
    let mut jar = take(&mut scratch(d).inverse.jar);
    jar.clear();
    jar.resize(d.nefc, 0.0);
    mul_jac_vec(d, &mut jar, &d.qacc);
    vector::add_scaled(&mut jar, &d.efc_aref, -1.0);
    constraint_update(m, d, &jar, None, false);
    scratch(d).inverse.jar = jar;
}

/// Position stage with its sensors and energy, which a sensor may have computed already.
fn position(m: &Model, d: &mut Data, skip_sensor: bool, hooks: &mut (impl Hooks + ?Sized)) {
    inv_position_with(m, d, hooks);
    if !skip_sensor {
        sensors_of(m, d, Stage::Pos, hooks);
    }
    if m.opt.enabled(EnableBit::Energy) && !d.flg_energypos {
        energy_pos(m, d);
    }
}

/// qfrc_inverse = bias + M q̈ - passive - constraint
fn net_force(m: &Model, d: &mut Data) {
    // dofs that sleep have no new bias: as in MuJoCo, the old bias counts
    set_aside(d, |d| &mut d.qfrc_inverse, |d, force| bias_force(m, d, force));
    let mut inertial = scratch(d).take_dof(m.nv);
    let Data { M, qacc, qfrc_passive, qfrc_constraint, qfrc_inverse, .. } = d;
    mul_sym(m, M, &mut inertial, qacc);
    for v in m.dofs() {
        qfrc_inverse[v] += inertial[v] - qfrc_passive[v] - qfrc_constraint[v];
    }
    scratch(d).dof = inertial;
}

/// Replaces `qacc`, the change of velocity over a step, by the acceleration from which the
/// integrator makes it: M⁻¹ A q̈, where A is the integrator's modified inertia.
#[doc(alias = "mj_discreteAcc")]
fn instantaneous_acc(m: &Model, d: &mut Data) {
    let mut force = scratch(d).take_dof(m.nv);

    // A q̈, if the integrator changes the inertia
    let changed = match m.opt.integrator {
        Integrator::Implicit => {
            smooth_vel(m, d, true);
            implicit_matrix(m, d, true);
            for v in m.dofs() {
                let start = m.D_rowadr[v] as usize;
                let row = start..start + m.D_rownnz[v] as usize;
                let (cols, vals) = (&m.D_colind.split_at(start).1[..row.len()], &d.qLU.flat()[row]);
                force[v] = sparse::dot(cols, vals, &d.qacc);
            }
            true
        }
        Integrator::Implicitfast => {
            smooth_vel(m, d, false);
            implicit_matrix(m, d, false);
            mul_sym(m, &d.qH, &mut force, &d.qacc);
            true
        }
        _ => euler_force(m, d, &mut force),
    };

    // M⁻¹ of that
    if changed {
        let Data { qacc, qLD, qLDiagInv, .. } = d;
        qacc.copy_from_slice(&force);
        solve_ld(m, qacc, qLD, qLDiagInv);
    }
    scratch(d).dof = force;
}

/// force = (M + h B) q̈ of Euler's implicit damping, and whether the integrator has it.
fn euler_force(m: &Model, d: &Data, force: &mut [f64]) -> bool {
    // unlike the integrator, MuJoCo's inverse does not look at the flag `damper`
    if m.opt.disabled(DisableBit::Eulerdamp) || !later::any_damper(m, 0..m.nv) {
        return false;
    }
    mul_m(m, d, force, &d.qacc);
    for v in m.dofs() {
        let damping = later::dof_damper(m, v).drag_slope(d.qvel[v]);
        force[v.idx()] += m.opt.timestep * damping * d.qacc[v];
    }
    true
}
