//! `<dcmotor>`: a motor by its electrical and mechanical constants.

use sinew_model::later::{BIAS_DCMOTOR, DYN_DCMOTOR, GAIN_DCMOTOR};

use super::{ActuatorSettings, Outcome};
use crate::spec::{Actuator, Attr, Partial, Tri};

/// Numbers of an attribute, those not written from a base.
fn numbers<const N: usize>(attr: &Attr<Partial<N>>, base: [f64; N]) -> [f64; N] {
    attr.fill(base)
}

/// Whether a number is above zero; NaN is not.
fn is_positive(x: f64) -> bool {
    x > 0.0
}

impl ActuatorSettings {
    /// A motor; a class with a motor gives the values that the element omits.
    #[doc(alias = "mjs_setToDCMotor")]
    pub(super) fn set_dcmotor(&mut self, e: &Actuator) -> Outcome {
        // values of the class
        let none = [0.0; 10];
        let inherited = self.gaintype == GAIN_DCMOTOR;
        let [gain, bias, dyn_] = match inherited {
            true => [self.gainprm, self.biasprm, self.dynprm],
            false => [none; 3],
        };
        (self.gainprm, self.biasprm, self.dynprm) = (none, none, none);
        let motorconst = numbers(&e.motorconst, [gain[1], 0.0]);
        let nominal = numbers(&e.nominal, [0.0; 3]);
        let saturation = numbers(&e.saturation, [0.0, 0.0, dyn_[1]]);
        let controller =
            numbers(&e.controller, [gain[4], gain[5], gain[6], dyn_[7], dyn_[8], gain[7]]);
        let lugre = numbers(&e.lugre, [dyn_[5], dyn_[6], bias[3], bias[4], bias[5]]);
        let thermal = numbers(&e.thermal, [dyn_[2], dyn_[3], 0.0, gain[2], gain[3], dyn_[4]]);
        let inductance = numbers(&e.inductance, [0.0, dyn_[0]]);
        let cogging = numbers(&e.cogging, [bias[0], bias[1], bias[2]]);

        // electrical constants
        let (resistance, constant) = self.electrics(e.resistance.or(gain[0]), motorconst, nominal);
        if !is_positive(constant) {
            return Err((e.motorconst.span(), "DC motor: motor constant K must be positive"));
        }
        if !is_positive(resistance) {
            return Err((e.resistance.span(), "DC motor: resistance R must be positive"));
        }
        (self.gainprm[0], self.gainprm[1]) = (resistance, constant);
        if inductance.iter().any(|&x| x < 0.0) {
            return Err((e.inductance.span(), "DC motor: inductance must be non-negative"));
        }
        self.dynprm[0] =
            if inductance[0] > 0.0 { inductance[0] / resistance } else { inductance[1] };
        self.dynprm[1] = saturation[2].max(0.0);
        self.saturate([saturation[0], constant * saturation[1]]);

        // controller, poles and friction
        self.gainprm[4..7].copy_from_slice(&controller[..3]);
        self.gainprm[7] = controller[5].max(0.0);
        (self.dynprm[7], self.dynprm[8]) = (controller[3], controller[4]);
        self.biasprm[..3].copy_from_slice(&cogging);
        if lugre[0] > 0.0 {
            self.dynprm[5..7].copy_from_slice(&lugre[..2]);
            self.biasprm[3..6].copy_from_slice(&lugre[2..]);
        }
        if let Err(text) = self.heat(thermal) {
            return Err((e.thermal.span(), text));
        }

        // an activation for each effect with a state
        let states = [self.dynprm[7], self.gainprm[5], self.dynprm[2], lugre[0], self.dynprm[0]];
        self.actdim = states.iter().filter(|&&x| x > 0.0).count() as i32;
        self.actlimited = Tri::False;
        self.actearly = true;
        self.set_types(DYN_DCMOTOR, GAIN_DCMOTOR, BIAS_DCMOTOR);
        Ok(())
    }

    /// Resistance and motor constant, where needed from the nominal voltage, stall torque and speed
    /// without load. The equations are `ω₀ = V K / (K² + R B)` with the damping B, and `τ₀ = K V /
    /// R`. ω₀ = V K / (K² + R B) with the damping B, and τ₀ = K V / R.
    fn electrics(
        &self,
        resistance: f64,
        [torque, mut back]: [f64; 2],
        [voltage, stall, speed]: [f64; 3],
    ) -> (f64, f64) {
        if voltage > 0.0 && back <= 0.0 && speed > 0.0 {
            let damping = self.damping[0];
            let simple = voltage / speed;
            back = if damping > 0.0 && resistance > 0.0 {
                let square = voltage * voltage - 4.0 * resistance * damping * speed * speed;
                if square > 0.0 { (voltage + square.sqrt()) / (2.0 * speed) } else { simple }
            } else if damping > 0.0 && stall > 0.0 {
                let exact = simple - voltage * damping / stall;
                if exact > 0.0 { exact } else { simple }
            } else {
                simple
            };
        }
        let constant = match () {
            _ if torque > 0.0 && back > 0.0 => (torque * back).sqrt(),
            _ if torque > 0.0 => torque,
            _ => back,
        };
        let derives = resistance == 0.0 && voltage > 0.0 && stall > 0.0 && constant > 0.0;
        (if derives { constant * voltage / stall } else { resistance }, constant)
    }

    /// Limits the torque to the first number, or to the second if the first is zero.
    fn saturate(&mut self, [torque, of_current]: [f64; 2]) {
        if torque > 0.0 || of_current > 0.0 {
            let most = if torque == 0.0 { of_current } else { torque };
            self.forcerange = [-most, most];
            self.forcelimited = Tri::True;
        }
    }

    /// Thermal resistance and capacity, one of them from the time constant, and the coefficients of
    /// temperature.
    fn heat(&mut self, thermal: [f64; 6]) -> Result<(), &'static str> {
        let [mut resistance, mut capacity, time, slope, reference, ambient] = thermal;
        if !thermal[..3].iter().copied().any(is_positive) {
            return Ok(());
        }
        if time > 0.0 && resistance > 0.0 && capacity == 0.0 {
            capacity = time / resistance;
        } else if time > 0.0 && capacity > 0.0 && resistance == 0.0 {
            resistance = time / capacity;
        }
        if !is_positive(resistance) {
            return Err("DC motor: thermal resistance must be positive");
        }
        if !is_positive(capacity) {
            return Err("DC motor: thermal capacitance must be positive");
        }
        self.dynprm[2..5].copy_from_slice(&[resistance, capacity, ambient]);
        self.gainprm[2..4].copy_from_slice(&[slope, reference]);
        Ok(())
    }
}
