//! Derivatives of smooth forces with respect to velocity, for the implicit integrators.
//!
//! The result, `qDeriv`, has a row per dof with its ancestors and descendants (`D_colind`).

use sinew_model::enums::{BiasType, DisableBit, DynType, GainType, ObjType};
use sinew_model::later::{BIAS_SO3, GAIN_DCMOTOR, GAIN_SO3};
use sinew_model::{ActuatorId, Data, DofId, Model};

use crate::actuator::actuation::{actuator_disabled, next_activation};
use crate::actuator::muscle::muscle_gain_vel;
use crate::actuator::transmission::moment_row;
use crate::actuator::{dcmotor, servo};
use crate::later;
use crate::sleep::{for_dofs, is_asleep, some_asleep};
use crate::tendon::jacobian_row;

use super::pattern::add_outer;
use super::{bias, flex, fluid};
use crate::work::{Work, scratch, set_aside};

/// d(qfrc_actuator + qfrc_passive - qfrc_bias) / d qvel; without `with_bias` the last is left out.
///
/// Reads `actuator_moment`, `actuator_force`, `ten_J`, `cdof`, `cdof_dot`, `cinert`, `cvel`,
/// `qvel`, and for fluid forces the fields of `passive`. Writes `qDeriv`.
#[doc(alias = "mjd_smooth_vel")]
pub fn smooth_vel(m: &Model, d: &mut Data, with_bias: bool) {
    for_dofs(m, d, |d, run| d.qDeriv.rows_mut(m.D_rows(run)).fill(0.0));
    set_aside(
        d,
        |d| &mut d.qDeriv,
        |d, deriv| {
            if !m.opt.disabled(DisableBit::Actuation) {
                actuator_vel(m, d, deriv);
            }
            passive_vel(m, d, deriv);
            if with_bias {
                bias::subtract_bias_vel(m, d, deriv);
            }
        },
    );
}

/// Adds the derivative of actuator forces.
#[doc(alias = "mjd_actuator_vel")]
fn actuator_vel(m: &Model, d: &Data, deriv: &mut [f64]) {
    let some_asleep = some_asleep(m, d);
    for u in m.actuators().filter(|&u| !actuator_disabled(m, u)) {
        if some_asleep && is_asleep(m, d, ObjType::Actuator, u.idx()) {
            continue;
        }
        // a force at its limit does not change
        let [lo, hi] = m.actuator_forcerange[u];
        let force = d.actuator_force[u];
        let is_limited = match m.actuator_gaintype[u] {
            GAIN_SO3 => servo::is_limited(m, d, u),
            _ => m.actuator_forcelimited[u].get() && (force <= lo || force >= hi),
        };
        if is_limited {
            continue;
        }
        let slope = force_vel(m, d, u);
        if slope != 0.0 {
            let (ind, val) = moment_row(d, u);
            add_outer(m, deriv, ind, val, slope);
        }
    }
}

/// d force / d velocity of an actuator.
fn force_vel(m: &Model, d: &Data, u: ActuatorId) -> f64 {
    if m.actuator_gaintype[u] == GAIN_DCMOTOR {
        return dcmotor::force_vel(m, d, u);
    }

    // slopes of bias and gain
    let bias = match m.actuator_biastype[u] {
        BiasType::Affine | BIAS_SO3 => m.actuator_biasprm[u][2],
        _ => 0.0,
    };
    let prm = &m.actuator_gainprm[u];
    let gain = match m.actuator_gaintype[u] {
        GainType::Affine => prm[2],
        GainType::Muscle => {
            let (len, vel) = (d.actuator_length[u], d.actuator_velocity[u]);
            muscle_gain_vel(len, vel, m.actuator_lengthrange[u], m.actuator_acc0[u], prm)
        }
        _ => 0.0,
    };
    if gain == 0.0 {
        return bias;
    }

    // the factor of the gain
    let last = m.actuator_actadr[u] + m.actuator_actnum[u] - 1;
    let drive = match usize::try_from(last) {
        Ok(last) if m.actuator_dyntype[u] != DynType::None => {
            if m.actuator_actearly[u].get() {
                next_activation(m, d, u, last, d.act_dot[last])
            } else {
                d.act[last]
            }
        }
        _ => d.ctrl[u],
    };
    bias + gain * drive
}

/// Adds the derivative of passive forces.
#[doc(alias = "mjd_passive_vel")]
fn passive_vel(m: &Model, d: &mut Data, deriv: &mut [f64]) {
    let damper = !m.opt.disabled(DisableBit::Damper);
    if !damper && m.opt.disabled(DisableBit::Spring) {
        return;
    }

    // fluid
    if m.opt.viscosity > 0.0 || m.opt.density > 0.0 {
        fluid::add_fluid_vel(m, d, deriv);
    }
    if !damper {
        return;
    }

    // dampers of joints and tendons
    for_dofs(m, d, |d, run| {
        for v in run {
            let place = (m.D_rowadr[v] + m.D_diag[v]) as usize;
            deriv[place] -= match m.later {
                None => m.dof_damping[v],
                Some(_) => later::dof_damper(m, DofId::new(v)).drag_slope(d.qvel[v]),
            };
        }
    });
    if m.nflex > 0 {
        let mut row = core::mem::take(&mut scratch(d).tendon.row);
        flex::add_edge_damping(m, d, &mut row, deriv);
        scratch(d).tendon.row = row;
    }
    let some_asleep = some_asleep(m, d);
    for t in m.tendons() {
        let slope = -later::tendon_damper(m, t).drag_slope(d.ten_velocity[t]);
        if slope == 0.0 {
            continue;
        }
        if some_asleep && is_asleep(m, d, ObjType::Tendon, t.idx()) {
            continue;
        }
        if m.is_sparse() {
            let (ind, val) = jacobian_row(d, t);
            add_outer(m, deriv, ind, val, slope);
        } else {
            let Data { work, ten_J, .. } = &mut *d;
            let row = &mut Work::of(work).tendon.row;
            row.clear();
            for (v, &x) in m.dofs().zip(&ten_J[t]).filter(|(_, x)| **x != 0.0) {
                row.push(v, x);
            }
            add_outer(m, deriv, &row.ind, &row.val, slope);
        }
    }
}
