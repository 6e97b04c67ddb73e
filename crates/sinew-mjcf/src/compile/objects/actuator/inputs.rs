//! Meaning of the controls of an actuator: motors, controllers and servos of later versions.
//!
//! An actuator of several controls has a row of the model for each. The first has the law of force;
//! three rows of a servo of orientations have a torque each.

use sinew_model::enums::{BiasType, DynType, GainType, JointType, TrnType};
use sinew_model::later::{
    BIAS_DCMOTOR, BIAS_SO3, CHART_EXPMAP, CHART_QUAT, DYN_DCMOTOR, DYN_PID, GAIN_DCMOTOR, GAIN_PID,
    GAIN_SO3, INPUT_FF, INPUT_POS, INPUT_PRESSURE, INPUT_VEL, INPUT_VOLTAGE, count_inputs,
};

use super::{ActuatorRec, Pass};
use crate::actuator_kinds::ActuatorSettings;
use crate::compile::limits::limits;
use crate::spec::{Span, Tri};

/// Controls of a controller.
const SETPOINTS: i32 = INPUT_POS | INPUT_VEL | INPUT_FF;

/// Where and why the controls are wrong.
type Outcome = Result<(), (Option<Span>, &'static str)>;

impl ActuatorSettings {
    /// The meaning of the controls, where the settings leave it to the kind.
    fn inputs(&self) -> i32 {
        match self.gaintype {
            _ if self.ctrlspec != 0 => self.ctrlspec,
            GAIN_PID => INPUT_POS | INPUT_VEL,
            GAIN_DCMOTOR => INPUT_VOLTAGE,
            GAIN_SO3 => CHART_EXPMAP,
            _ => 0,
        }
    }

    /// How many rows of the model the actuator has: one, or one for each control.
    pub(crate) fn rows(&self) -> usize {
        match self.gaintype {
            GAIN_PID | GAIN_DCMOTOR => count_inputs(self.inputs()).max(1),
            GAIN_SO3 if self.inputs() == CHART_QUAT => 4,
            GAIN_SO3 => 3,
            _ => 1,
        }
    }

    /// How many activations the dynamics need.
    pub(crate) fn activations(&self) -> usize {
        if self.gaintype == GAIN_SO3 { 3 } else { 1 }
    }
}

impl ActuatorRec {
    /// The rows of an actuator, of which `owner` is the first.
    pub(super) fn rows(self, owner: usize) -> Vec<ActuatorRec> {
        let count = self.set.rows();
        let mut first = ActuatorRec { owner, ..self };
        if count == 1 {
            return vec![first];
        }
        let is_servo = first.set.gaintype == GAIN_SO3;
        if is_servo && first.set.actdim == 3 {
            first.set.actdim = 1;
        }
        let mut rows = vec![first.clone()];
        for k in 1..count {
            let mut other = first.clone();
            other.set.ctrlspec = 0;
            (other.set.damping, other.set.armature) = ([0.0; 3], 0.0);
            other.set.user.clear();
            if !is_servo || k == 3 {
                silence(&mut other);
            }
            rows.push(other);
        }
        if first.set.gaintype == GAIN_PID {
            bound(&mut rows);
        }
        rows
    }
}

/// Makes a row that has a control and no force.
fn silence(rec: &mut ActuatorRec) {
    let set = &mut rec.set;
    (set.dyntype, set.gaintype, set.biastype) = (DynType::None, GainType::Fixed, BiasType::None);
    (set.dynprm, set.gainprm, set.biasprm) = ([0.0; 10], [0.0; 10], [0.0; 10]);
    (set.actdim, set.actearly) = (0, false);
    (rec.forcelimited, rec.actlimited) = (false, false);
}

/// Gives each control of a controller its own range.
fn bound(rows: &mut [ActuatorRec]) {
    let [set] = &mut rows[..1] else { return };
    let set = &set.set;
    let own = [
        (INPUT_POS, set.ctrlrange, limits(set.ctrllimited, set.ctrlrange)),
        (INPUT_VEL, set.velrange, set.velrange[0] < set.velrange[1]),
        (INPUT_FF, set.ffrange, set.ffrange[0] < set.ffrange[1]),
    ];
    let inputs = set.ctrlspec;
    let present = own.into_iter().filter(|(bit, ..)| inputs & bit != 0);
    for (rec, (_, range, limited)) in rows.iter_mut().zip(present) {
        (rec.set.ctrlrange, rec.ctrllimited) = (range, limited);
    }
}

impl Pass<'_, '_> {
    /// Resolves the meaning of the controls, and checks the kinds that have several.
    pub(super) fn controls(&mut self, set: &mut ActuatorSettings, trnid: [i32; 2]) {
        let is_servo = set.gaintype == GAIN_SO3 || set.biastype == BIAS_SO3;
        let outcome = match set.gaintype {
            _ if is_servo => self.servo(set, trnid),
            GAIN_PID => self.pid(set),
            _ if set.dyntype == DYN_PID => {
                let text = "dyntype 'pid' requires gaintype 'pid', actuator";
                Err((self.elem.dyntype.span(), text))
            }
            GAIN_DCMOTOR => Ok(()),
            _ => self.declared(set),
        };
        if let Err((span, text)) = outcome {
            let name = self.elem.name.text();
            let at = crate::compile::cx::At {
                name,
                id: self.id,
                span: span.unwrap_or(self.elem.head.span),
            };
            self.cx.fail(at, text);
        }
    }

    /// The meaning of a plain actuator's control changes nothing.
    fn declared(&self, set: &mut ActuatorSettings) -> Outcome {
        let inputs = core::mem::take(&mut set.ctrlspec);
        let plain = matches!(set.gaintype, GainType::Fixed | GainType::Affine);
        match inputs {
            0 => Ok(()),
            INPUT_POS | INPUT_VEL | INPUT_PRESSURE if plain => Ok(()),
            _ if plain => {
                let text = "fixed and affine gains take one input, 'pos', 'vel' or 'pressure', in \
                            actuator";
                Err((self.elem.input.span(), text))
            }
            _ => {
                let text = "input is only available for fixed, affine, so3, pid and dcmotor \
                            actuators, actuator";
                Err((self.elem.input.span(), text))
            }
        }
    }

    /// A servo of orientations.
    fn servo(&self, set: &mut ActuatorSettings, trnid: [i32; 2]) -> Outcome {
        let e = self.elem;
        if (set.gaintype, set.biastype) != (GAIN_SO3, BIAS_SO3) {
            let text = "gaintype and biastype must both be 'so3' in actuator";
            return Err((e.gaintype.span(), text));
        }
        if !matches!(set.dyntype, DynType::None | DynType::Integrator) {
            let text = "so3 requires dyntype 'none' or 'integrator' in actuator";
            return Err((e.dyntype.span(), text));
        }
        if set.gainprm[0] != -set.biasprm[1] {
            let text = "so3 requires gainprm[0] == -biasprm[1] in actuator";
            return Err((e.gainprm.span(), text));
        }
        let ball = |id: i32| self.cx.world.joints[id as usize].kind == JointType::Ball;
        match set.trntype {
            TrnType::Site if trnid[1] < 0 => {
                let text = "so3 site transmission requires refsite in actuator";
                return Err((e.site.span(), text));
            }
            TrnType::Joint if !ball(trnid[0]) => {
                let text = "so3 joint transmission requires a ball joint in actuator";
                return Err((e.joint.span(), text));
            }
            TrnType::Site | TrnType::Joint => {}
            _ => return Err((None, "so3 requires site or ball joint transmission in actuator")),
        }

        // activations are the target as a vector of rotation
        if set.dyntype == DynType::Integrator {
            if set.actdim > 0 && set.actdim != 3 {
                return Err((e.actdim.span(), "so3 integrator requires actdim 3 in actuator"));
            }
            set.actdim = 3;
            if set.actlimited == Tri::True && set.actrange == [0.0; 2] {
                set.actlimited = Tri::False;
            }
        }
        set.ctrlspec = set.inputs();
        if limits(set.forcelimited, set.forcerange) && set.forcerange[0] != 0.0 {
            let text = "so3 forcerange bounds the force norm, lower bound must be 0 in actuator";
            return Err((e.forcerange.span(), text));
        }
        match set.ctrlspec {
            CHART_EXPMAP => Ok(()),
            CHART_QUAT if set.dyntype == DynType::None => Ok(()),
            CHART_QUAT => {
                Err((e.input.span(), "so3 quat input requires dyntype 'none' in actuator"))
            }
            _ => Err((e.input.span(), "so3 input must be expmap or quat in actuator")),
        }
    }

    /// A controller of position and velocity.
    fn pid(&self, set: &mut ActuatorSettings) -> Outcome {
        let e = self.elem;
        let stateful = set.dyntype == DYN_PID;
        set.ctrlspec = set.inputs();
        let count = i32::from(set.dynprm[1] > 0.0) + i32::from(set.gainprm[0] > 0.0);
        let (place, text) = match () {
            _ if set.biastype != BiasType::Affine => {
                (e.biastype.span(), "pid requires biastype 'affine' in actuator")
            }
            _ if !stateful && set.dyntype != DynType::None => {
                (e.dyntype.span(), "pid requires dyntype 'none' or 'pid' in actuator")
            }
            _ if !stateful && set.gainprm[0] != 0.0 => {
                (e.gainprm.span(), "ki (gainprm[0]) requires dyntype 'pid' in actuator")
            }
            _ if set.trntype == TrnType::Body => {
                (e.body.span(), "pid cannot use body transmission, actuator")
            }
            _ if stateful && set.dynprm[0] < 0.0 => {
                (e.imax.span(), "imax (dynprm[0]) must be non-negative in actuator")
            }
            _ if stateful && set.dynprm[1] < 0.0 => {
                (e.slewmax.span(), "slewmax (dynprm[1]) must be non-negative in actuator")
            }
            _ if stateful && set.actdim > 0 && set.actdim != count => {
                (e.actdim.span(), "pid controller states require matching actdim in actuator")
            }
            _ if set.ctrlspec & !SETPOINTS != 0 => {
                (e.input.span(), "pid inputs are a subset of [pos, vel, ff] in actuator")
            }
            _ if stateful && set.ctrlspec & INPUT_POS == 0 => {
                (e.input.span(), "pid controller states require the pos input in actuator")
            }
            _ => {
                set.actdim = if stateful { count } else { set.actdim.min(0) };
                return Ok(());
            }
        };
        Err((place, text))
    }

    /// The controls and the activations of a motor.
    pub(super) fn motor(&mut self, set: &mut ActuatorSettings) {
        let e = self.elem;
        let types = (set.gaintype == GAIN_DCMOTOR, set.dyntype == DYN_DCMOTOR);
        if types != (set.biastype == BIAS_DCMOTOR, types.0) {
            let text = "dyntype, gaintype and biastype must all be 'dcmotor' in actuator";
            return self.fail(&e.dyntype, text);
        }
        if !types.0 {
            return;
        }
        if !set.actearly {
            self.fail(&e.actearly, "actearly cannot be false for DC motor actuator");
        }
        let states = [set.dynprm[7], set.gainprm[5], set.dynprm[2], set.dynprm[5], set.dynprm[0]];
        let count = states.iter().filter(|&&x| x > 0.0).count() as i32;
        if set.actdim != count {
            self.fail(&e.actdim, format!("actdim of this DC motor must be {count} in actuator"));
        }

        // the controller needs a setpoint
        set.ctrlspec = set.inputs();
        let raw = set.ctrlspec & SETPOINTS == 0;
        let gains = set.gainprm[4..7].iter().any(|&gain| gain != 0.0);
        let wrong = match () {
            _ if !(set.gainprm[0] > 0.0 && set.gainprm[1] > 0.0) => {
                "dcmotor resistance and motor constant must be positive in actuator"
            }
            _ if set.ctrlspec & !(SETPOINTS | INPUT_VOLTAGE) != 0 => {
                "dcmotor inputs are a subset of [pos, vel, ff, voltage] in actuator"
            }
            _ if raw && gains => {
                "dcmotor controller gains require a controller input [pos, vel, ff] in actuator"
            }
            _ if set.gainprm[5] > 0.0 && set.ctrlspec & INPUT_POS == 0 => {
                "dcmotor integral gain requires the pos input in actuator"
            }
            _ if raw && set.dynprm[7] > 0.0 => {
                "dcmotor slew rate limiting requires a controller input [pos, vel, ff] in actuator"
            }
            _ => return,
        };
        self.fail(&e.controller, wrong);
    }
}
