//! Motors with a commutator: `<dcmotor>`, which came with MuJoCo 3.7.
//!
//! R is the resistance, K the motor constant and V the voltage. The current is (V - K ω) / R, or
//! follows it with an electrical time constant; the torque is K times the current. Temperature
//! changes R. Friction has bristles (LuGre), and the torque of the poles (cogging) depends on the
//! angle. Activations stand in the order slew, integral, temperature, bristle, current.

use sinew_math::{MINVAL, scalar};
use sinew_model::later::{INPUT_FF, INPUT_POS, INPUT_VEL, motor_states};
use sinew_model::{ActuatorId, Data, Model};

use crate::actuator::pid::unpack;

/// The activations that a motor has, by their offset.
#[derive(Clone, Copy, Default)]
struct Slots {
    slew: Option<usize>,
    integral: Option<usize>,
    temperature: Option<usize>,
    bristle: Option<usize>,
    current: Option<usize>,
    count: usize,
}

fn slots(m: &Model, u: ActuatorId) -> Slots {
    let mut slots = Slots::default();
    let states = motor_states(&m.actuator_dynprm[u], &m.actuator_gainprm[u]);
    let [slew, integral, temperature, bristle, current] = states.map(|has| {
        let slot = has.then_some(slots.count);
        slots.count += usize::from(has);
        slot
    });
    Slots { slew, integral, temperature, bristle, current, ..slots }
}

/// A motor with its activations.
struct Motor<'a> {
    m: &'a Model,
    d: &'a Data,
    u: ActuatorId,
    slots: Slots,
    first: usize,
}

impl<'a> Motor<'a> {
    fn new(m: &'a Model, d: &'a Data, u: ActuatorId) -> Self {
        let first = m.actuator_actadr[u].max(0) as usize;
        Motor { m, d, u, slots: slots(m, u), first }
    }

    fn dynprm(&self) -> &'a [f64; 10] {
        &self.m.actuator_dynprm[self.u]
    }

    fn gainprm(&self) -> &'a [f64; 10] {
        &self.m.actuator_gainprm[self.u]
    }

    fn velocity(&self) -> f64 {
        self.d.actuator_velocity[self.u]
    }

    fn act(&self, slot: usize) -> f64 {
        self.d.act[self.first + slot]
    }

    /// The first control after the limit of its rate.
    fn setpoint(&self, ctrl: &[f64]) -> f64 {
        let ctrl = ctrl[self.u.idx()];
        let Some(slot) = self.slots.slew else { return ctrl };
        let (before, most) = (self.act(slot), self.dynprm()[7] * self.m.opt.timestep);
        scalar::clip(ctrl, before - most, before + most)
    }

    /// Controls as position, velocity, torque and voltage, the first after the limit of its rate.
    fn inputs(&self, ctrl: &[f64]) -> [f64; 4] {
        let mut inputs = unpack(self.m, self.u, ctrl);
        let first = self.spec().trailing_zeros() as usize;
        if let Some(input) = inputs.get_mut(first) {
            *input = self.setpoint(ctrl);
        }
        inputs
    }

    /// Resistance at the present temperature.
    fn resistance(&self) -> f64 {
        let (dyn_, gain) = (self.dynprm(), self.gainprm());
        let rise = self.slots.temperature.map(|slot| self.act(slot));
        gain[0] * rise.map_or(1.0, |rise| 1.0 + gain[2] * (rise + dyn_[4] - gain[3]))
    }

    /// Voltage, given the inputs: the controller's voltage within its limit, and the given voltage.
    fn voltage(&self, inputs: [f64; 4]) -> f64 {
        let (most, given) = (self.gainprm()[7], inputs[3]);
        if !self.is_controlled() {
            return given;
        }
        let voltage = self.asked(inputs);
        given + if most > 0.0 { scalar::clip(voltage, -most, most) } else { voltage }
    }

    /// Whether the controller makes the voltage.
    fn is_controlled(&self) -> bool {
        self.spec() & (INPUT_POS | INPUT_VEL | INPUT_FF) != 0
    }

    /// Voltage of the controller before its limit.
    fn asked(&self, [pos, target, torque, _]: [f64; 4]) -> f64 {
        let gain = self.gainprm();
        let (len, vel) = (self.d.actuator_length[self.u], self.velocity());
        let integral = self.slots.integral.map_or(0.0, |slot| self.act(slot));
        let torque = gain[4] * (pos - len) + gain[6] * (target - vel) + gain[5] * integral + torque;
        gain[0] / gain[1] * torque + gain[1] * vel
    }

    /// Meaning of the controls.
    fn spec(&self) -> i32 {
        self.m.actuator_inputs(self.u)
    }

    /// Decay rate of the bristles.
    fn decay(&self) -> f64 {
        let [_, _, _, coulomb, breakaway, stribeck, ..] = self.m.actuator_biasprm[self.u];
        let ratio = self.velocity() / at_least(stribeck);
        let friction = coulomb + (breakaway - coulomb) * scalar::exp(-ratio * ratio);
        -self.dynprm()[5] * self.velocity().abs() / at_least(friction)
    }

    /// Rates of the activations.
    fn rates(&self, ctrl: &[f64]) -> [f64; 5] {
        let (dyn_, gain, vel) = (self.dynprm(), self.gainprm(), self.velocity());
        let mut rates = [0.0; 5];
        let input = self.setpoint(ctrl);
        if let Some(slot) = self.slots.slew {
            rates[slot] = (input - self.act(slot)) / self.m.opt.timestep;
        }
        if let Some(slot) = self.slots.integral {
            let error = input - self.d.actuator_length[self.u];
            let (sum, most) = (self.act(slot), dyn_[8]);
            rates[slot] = match () {
                _ if most > 0.0 && sum >= most => error.min(0.0),
                _ if most > 0.0 && sum <= -most => error.max(0.0),
                _ => error,
            };
        }

        // temperature, with the heat of the current
        let (voltage, resistance) = (self.voltage(self.inputs(ctrl)), self.resistance());
        if let Some(slot) = self.slots.temperature {
            let current = match self.slots.current {
                Some(current) => self.act(current),
                None => (voltage - gain[1] * vel) / resistance,
            };
            let heat = resistance * current * current;
            rates[slot] = (heat - self.act(slot) / dyn_[2]) / dyn_[3];
        }
        if let Some(slot) = self.slots.bristle {
            rates[slot] = self.decay() * self.act(slot) + vel;
        }
        if let Some(slot) = self.slots.current {
            let goal = voltage / resistance - gain[1] / resistance * vel;
            let rate = (goal - self.act(slot)) / dyn_[0];
            rates[slot] = if dyn_[1] > 0.0 { scalar::clip(rate, -dyn_[1], dyn_[1]) } else { rate };
        }
        rates
    }

    /// The activation of a slot after one step.
    fn next(&self, slot: usize, rate: f64) -> f64 {
        let (dyn_, h, act) = (self.dynprm(), self.m.opt.timestep, self.act(slot));
        if Some(slot) == self.slots.current {
            let time = at_least(dyn_[0]);
            return act + rate * time * (1.0 - scalar::exp(-h / time));
        }
        if Some(slot) == self.slots.bristle {
            let decay = self.decay();
            let left = scalar::exp(decay * h);
            let share = if decay.abs() > MINVAL { (left - 1.0) / decay } else { h };
            return left * act + share * self.velocity();
        }
        let next = act + rate * h;
        match dyn_[8] {
            most if Some(slot) == self.slots.integral && most > 0.0 => {
                scalar::clip(next, -most, most)
            }
            _ => next,
        }
    }
}

fn at_least(x: f64) -> f64 {
    if MINVAL > x { MINVAL } else { x }
}

/// Writes the rates of the activations of a motor.
#[cold]
#[inline(never)]
pub(crate) fn put_rates(m: &Model, d: &mut Data, u: ActuatorId, ctrl: &[f64]) {
    if !m.is_motor(u) {
        return;
    }
    let motor = Motor::new(m, d, u);
    let (rates, first, count) = (motor.rates(ctrl), motor.first, motor.slots.count);
    d.act_dot.flat_mut()[first..first + count].copy_from_slice(&rates[..count]);
}

/// The activation of a motor at address `adr` after one step.
#[cold]
#[inline(never)]
pub(crate) fn next(m: &Model, d: &Data, u: ActuatorId, adr: usize, rate: f64) -> f64 {
    let motor = Motor::new(m, d, u);
    motor.next(adr - motor.first, rate)
}

/// Torque of the current, before the limits of force.
#[cold]
#[inline(never)]
pub(crate) fn force(m: &Model, d: &Data, u: ActuatorId, ctrl: &[f64]) -> f64 {
    if !m.is_motor(u) {
        return 0.0;
    }
    let motor = Motor::new(m, d, u);
    let constant = motor.gainprm()[1];
    if let Some(slot) = motor.slots.current {
        let adr = motor.first + slot;
        return constant * motor.next(slot, d.act_dot[adr]);
    }
    let gain = constant / at_least(motor.resistance());
    gain * motor.voltage(motor.inputs(ctrl)) - gain * constant * motor.velocity()
}

/// Adds the torques of poles and friction, which no limit holds.
#[cold]
#[inline(never)]
pub(crate) fn add_mechanical(m: &Model, d: &mut Data, rests: impl Fn(&Data, ActuatorId) -> bool) {
    for u in m.actuators().filter(|&u| m.is_motor(u)) {
        if rests(d, u) {
            continue;
        }
        let [amplitude, periods, phase, ..] = m.actuator_biasprm[u];
        if amplitude != 0.0 {
            let angle = periods * d.actuator_length[u] + phase;
            d.actuator_force[u] += amplitude * scalar::sin(angle);
        }
        let slots = slots(m, u);
        if let Some(slot) = slots.bristle {
            let adr = m.actuator_actadr[u].max(0) as usize + slot;
            let [_, _, _, _, _, stiffness, damping, ..] = m.actuator_dynprm[u];
            d.actuator_force[u] -= stiffness * d.act[adr] + damping * d.act_dot[adr];
        }
    }
}

/// d force / d velocity. A voltage at its limit does not change.
pub(crate) fn force_vel(m: &Model, d: &Data, u: ActuatorId) -> f64 {
    if !m.is_motor(u) {
        return 0.0;
    }
    let motor = Motor::new(m, d, u);
    let (dyn_, gain) = (motor.dynprm(), motor.gainprm());
    let (resistance, constant) = (at_least(motor.resistance()), gain[1]);
    let asked = motor.asked(motor.inputs(&d.ctrl)).abs();
    let voltage = match motor.is_controlled() {
        true if gain[7] <= 0.0 || asked < gain[7] => -gain[6] * gain[0] / constant + constant,
        _ => 0.0,
    };
    let share = match dyn_[0] {
        time if time > 0.0 => 1.0 - scalar::exp(-m.opt.timestep / time),
        _ => 1.0,
    };
    let slope = constant * (voltage - constant) * share / resistance;
    if dyn_[6] > 0.0 { slope - dyn_[6] } else { slope }
}
