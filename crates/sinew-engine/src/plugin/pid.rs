//! `mujoco.pid`: proportional, integral and derivative control with a limited rate of the setpoint.
//!
//! The integral of the error and the previous setpoint are activations of the actuator, in this
//! order. They come before the activation of its own dynamics.

use std::sync::Arc;

use sinew_math::scalar;
use sinew_model::enums::{DynType, PluginCapabilityBit};
use sinew_model::plugin::{Instance, Plugin};
use sinew_model::{ActuatorId, Data, Model, PluginId};

use crate::actuator::actuation::next_activation;
use crate::plugin::settings::{leading_number, text};

/// The plugin.
pub(super) struct Pid;

impl Plugin for Pid {
    fn name(&self) -> &str {
        "mujoco.pid"
    }

    fn attributes(&self) -> Vec<&str> {
        vec!["kp", "ki", "kd", "imax", "slewmax"]
    }

    fn capabilities(&self) -> i32 {
        PluginCapabilityBit::Actuator.0
    }

    fn init(&self, m: &Model, id: PluginId) -> Result<Arc<dyn Instance>, String> {
        // settings; the clamp of the integral is written as a force
        let read = |name: &str| match text(m, id, name) {
            "" => None,
            value => Some(leading_number(value).map_or(0.0, |(x, _)| x)),
        };
        let gain = |name: &str| read(name).unwrap_or(0.0);
        let integral = gain("ki");
        let mut control = Control {
            proportional: gain("kp"),
            integral,
            derivative: gain("kd"),
            integral_max: read("imax").filter(|_| integral != 0.0).map(|force| force / integral),
            slew_max: read("slewmax"),
            actuators: Vec::new(),
        };
        if control.integral_max.is_some_and(|max| max < 0.0) {
            return Err("negative imax".into());
        }
        if control.slew_max.is_some_and(|max| max < 0.0) {
            return Err("slewmax must be non-negative".into());
        }

        // its actuators, which have the activations it needs
        control.actuators =
            m.actuators().filter(|&u| m.actuator_plugin[u].get() == Some(id)).collect();
        if control.actuators.is_empty() {
            return Err(format!("actuator not found for plugin instance {}", id.idx()));
        }
        for &u in &control.actuators {
            let filtered = matches!(
                m.actuator_dyntype[u],
                DynType::Filter | DynType::Filterexact | DynType::Integrator
            );
            let (found, wanted) =
                (m.actuator_actnum[u], control.activations() + i32::from(filtered));
            if found != wanted {
                return Err(format!(
                    "actuator {} has actdim {found}, expected {wanted}. Add actdim=\"{wanted}\" to \
                     the actuator plugin element.",
                    u.idx()
                ));
            }
        }
        Ok(Arc::new(control))
    }
}

/// The settings of an instance.
struct Control {
    proportional: f64,
    integral: f64,
    derivative: f64,
    /// Largest integral of the error.
    integral_max: Option<f64>,
    /// Largest rate of the setpoint.
    slew_max: Option<f64>,
    actuators: Vec<ActuatorId>,
}

impl Control {
    /// Number of activations for each actuator.
    fn activations(&self) -> i32 {
        i32::from(self.integral != 0.0) + i32::from(self.slew_max.is_some())
    }

    /// The integral so far, and where it and the previous setpoint are among the activations.
    fn places(&self, m: &Model, u: ActuatorId) -> (Option<usize>, Option<usize>) {
        let first = m.actuator_actadr[u].max(0) as usize;
        let integral = (self.integral != 0.0).then_some(first);
        let slew = self.slew_max.map(|_| first + usize::from(integral.is_some()));
        (integral, slew)
    }

    /// The setpoint: the control, or the activation that follows it, at a limited rate.
    fn setpoint(&self, m: &Model, d: &Data, u: ActuatorId, early: bool) -> f64 {
        let target = if m.actuator_dyntype[u] == DynType::None {
            let [lo, hi] = m.actuator_ctrlrange[u];
            let limited = m.actuator_ctrllimited[u].get();
            if limited { scalar::clip(d.ctrl[u], lo, hi) } else { d.ctrl[u] }
        } else {
            let last = last_activation(m, u);
            if early { next_activation(m, d, u, last, d.act_dot[last]) } else { d.act[last] }
        };
        match (self.slew_max, self.places(m, u).1) {
            // there is no previous setpoint at the start
            (Some(max), Some(at)) if d.time > 0.0 => {
                let step = max * m.opt.timestep;
                scalar::clip(target, d.act[at] - step, d.act[at] + step)
            }
            _ => target,
        }
    }

    /// The integral of the error at the end of the step.
    fn integrated(&self, m: &Model, d: &Data, at: usize, error: f64) -> f64 {
        let integral = d.act[at] + error * m.opt.timestep;
        self.integral_max.map_or(integral, |max| scalar::clip(integral, -max, max))
    }
}

/// Where the activation of an actuator's own dynamics is.
fn last_activation(m: &Model, u: ActuatorId) -> usize {
    (m.actuator_actadr[u] + m.actuator_actnum[u] - 1).max(0) as usize
}

impl Instance for Control {
    fn act_dot(&self, m: &Model, d: &mut Data, _id: PluginId) {
        let dt = m.opt.timestep;
        for &u in &self.actuators {
            let setpoint = self.setpoint(m, d, u, false);
            let error = setpoint - d.actuator_length[u];
            let (integral, slew) = self.places(m, u);
            if let Some(at) = integral {
                d.act_dot[at] = (self.integrated(m, d, at, error) - d.act[at]) / dt;
            }
            if let Some(at) = slew {
                d.act_dot[at] = (setpoint - d.act[at]) / dt;
            }
        }
    }

    fn compute(&self, m: &Model, d: &mut Data, _id: PluginId, _capability: PluginCapabilityBit) {
        for &u in &self.actuators {
            let early = m.actuator_actearly[u].get();
            let error = self.setpoint(m, d, u, early) - d.actuator_length[u];
            let rate = match m.actuator_dyntype[u] {
                DynType::None => 0.0,
                _ => d.act_dot[last_activation(m, u)],
            };
            let error_rate = rate - d.actuator_velocity[u];
            let integral = self.places(m, u).0.map_or(0.0, |at| self.integrated(m, d, at, error));
            d.actuator_force[u] =
                self.proportional * error + self.derivative * error_rate + self.integral * integral;
        }
    }
}
