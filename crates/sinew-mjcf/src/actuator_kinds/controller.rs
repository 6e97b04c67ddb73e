//! `<pid>` and `<orientation>`: controllers with several controls.

use sinew_model::enums::{BiasType, DynType};
use sinew_model::later::{BIAS_SO3, DYN_PID, GAIN_PID, GAIN_SO3};

use super::{ActuatorSettings, Outcome, set};
use crate::spec::Actuator;

impl ActuatorSettings {
    /// A controller of position and velocity; a class with a controller gives the values that the
    /// element omits.
    #[doc(alias = "mjs_setToPID")]
    pub(super) fn set_pid(&mut self, e: &Actuator) -> Outcome {
        let (mut kp, mut ki, mut states) = (1.0, 0.0, [0.0; 2]);
        if self.gaintype == GAIN_PID {
            kp = -self.biasprm[1];
            if self.dyntype == DYN_PID {
                (ki, states) = (self.gainprm[0], [self.dynprm[0], self.dynprm[1]]);
            }
        } else {
            self.biasprm = [0.0; 10];
        }
        (kp, ki) = (e.kp.or(kp), e.ki.or(ki));
        let (most, rate) = (e.imax.or(states[0]), e.slewmax.or(states[1]));
        self.feed_back(e, kp)?;
        if rate < 0.0 {
            return Err((e.slewmax.span(), "slewmax cannot be negative"));
        }
        self.gainprm = [0.0; 10];
        self.gainprm[0] = ki;
        self.dynprm = [0.0; 10];
        self.dynprm[1] = rate;
        self.dynprm[0] = if ki != 0.0 { most } else { 0.0 };
        let stateful = ki != 0.0 || rate != 0.0;
        self.dyntype = if stateful { DYN_PID } else { DynType::None };
        self.actdim = i32::from(rate > 0.0) + i32::from(ki > 0.0);

        set(&mut self.ctrlrange, &e.posrange);
        set(&mut self.inheritrange, &e.inheritrange);
        if self.inheritrange > 0.0 && self.ctrlrange != [0.0; 2] {
            let span = e.inheritrange.span().or(e.posrange.span());
            return Err((span, "posrange and inheritrange cannot both be defined"));
        }
        (self.gaintype, self.biastype) = (GAIN_PID, BiasType::Affine);
        Ok(())
    }

    /// A servo of orientations.
    #[doc(alias = "mjs_setToOrientation")]
    pub(super) fn set_orientation(&mut self, e: &Actuator) -> Outcome {
        let inherited = self.gaintype == GAIN_SO3;
        if !inherited {
            self.biasprm = [0.0; 10];
        }
        let kp = e.kp.or(if inherited { self.gainprm[0] } else { 1.0 });
        self.feed_back(e, kp)?;
        self.gainprm = [0.0; 10];
        self.gainprm[0] = kp;
        self.set_types(DynType::None, GAIN_SO3, BIAS_SO3);
        Ok(())
    }

    /// The feedback of position and velocity; a positive number stands for a damping ratio.
    fn feed_back(&mut self, e: &Actuator, kp: f64) -> Outcome {
        if e.kv.is_set() && e.dampratio.is_set() {
            return Err((e.dampratio.span(), "kv and dampratio cannot both be defined"));
        }
        self.biasprm[1] = -kp;
        let [kv, ratio] = [e.kv.get(), e.dampratio.get()].map(|x| x.copied());
        if kv.is_some_and(|kv| kv < 0.0) {
            return Err((e.kv.span(), "kv cannot be negative"));
        }
        if ratio.is_some_and(|ratio| ratio < 0.0) {
            return Err((e.dampratio.span(), "dampratio cannot be negative"));
        }
        if let Some(damping) = kv.map(|kv| -kv).or(ratio) {
            self.biasprm[2] = damping;
        }
        Ok(())
    }
}
