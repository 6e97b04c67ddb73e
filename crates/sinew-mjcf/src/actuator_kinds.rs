//! Settings of actuators by kind: all kinds, and their default classes, fill one record.
//!
//! `<motor>`, `<position>` and the others are shortcuts for settings of `<general>`. A default
//! class keeps a single record for all kinds, so a setting for one kind reaches the others.

mod controller;
mod dcmotor;

use sinew_model::enums::{BiasType, DynType, GainType, TrnType};
use sinew_model::later::GAIN_SO3;

use crate::diag::{Diagnostics, tag};
use crate::spec::attr::Value;
use crate::spec::{Actuator, ActuatorTag, Attr, Input, Interp, Partial, Poly, Span, Tri};

/// The settings of an actuator, before its names are resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct ActuatorSettings {
    /// Group for visibility and disabling.
    pub group: i32,
    /// Samples in the history buffer.
    pub nsample: i32,
    /// Interpolation between samples.
    pub interp: i32,
    /// Delay of the control.
    pub delay: f64,
    /// Whether the control is limited.
    pub ctrllimited: Tri,
    /// Whether the force is limited.
    pub forcelimited: Tri,
    /// Whether the activation is limited.
    pub actlimited: Tri,
    /// Range of controls.
    pub ctrlrange: [f64; 2],
    /// Range of forces.
    pub forcerange: [f64; 2],
    /// Range of activations.
    pub actrange: [f64; 2],
    /// Feasible lengths.
    pub lengthrange: [f64; 2],
    /// Scaling of length and force.
    pub gear: [f64; 6],
    /// Coefficients of damping that the target takes over.
    pub damping: [f64; 3],
    /// Inertia that the target takes over.
    pub armature: f64,
    /// Length of the crank.
    pub cranklength: f64,
    /// User data.
    pub user: Vec<f64>,
    /// Kind of the target.
    pub trntype: TrnType,
    /// The object it acts on.
    pub target: Attr<String>,
    /// Base of a slider-crank.
    pub slidersite: Attr<String>,
    /// Frame in which a site transmission is understood.
    pub refsite: Attr<String>,
    /// Number of activations; a negative number stands for the number that the dynamics need.
    pub actdim: i32,
    /// Activation dynamics.
    pub dyntype: DynType,
    /// Kind of gain.
    pub gaintype: GainType,
    /// Kind of bias.
    pub biastype: BiasType,
    /// Parameters of the dynamics.
    pub dynprm: [f64; 10],
    /// Parameters of the gain.
    pub gainprm: [f64; 10],
    /// Parameters of the bias.
    pub biasprm: [f64; 10],
    /// Whether the force uses the next activation.
    pub actearly: bool,
    /// Meaning of the controls; 0 for the usual.
    pub ctrlspec: i32,
    /// Range of a control that is a velocity, if it is one of several.
    pub velrange: [f64; 2],
    /// Range of a control that is a force, if it is one of several.
    pub ffrange: [f64; 2],
    /// Share of the target's range to be used as range of the control or activation; 0 for none.
    pub inheritrange: f64,
}

impl Default for ActuatorSettings {
    fn default() -> Self {
        let none = Actuator::default();
        let v = none.values();
        ActuatorSettings {
            group: v.group(),
            nsample: v.nsample(),
            interp: v.interp().0,
            delay: v.delay(),
            ctrllimited: v.ctrllimited(),
            forcelimited: v.forcelimited(),
            actlimited: v.actlimited(),
            ctrlrange: v.ctrlrange(),
            forcerange: v.forcerange(),
            actrange: v.actrange(),
            lengthrange: v.lengthrange(),
            gear: v.gear(),
            damping: v.damping(),
            armature: v.armature(),
            cranklength: v.cranklength(),
            user: Vec::new(),
            trntype: TrnType::Undefined,
            target: Attr::default(),
            slidersite: Attr::default(),
            refsite: Attr::default(),
            actdim: v.actdim(),
            dyntype: v.dyntype(),
            gaintype: v.gaintype(),
            biastype: v.biastype(),
            dynprm: v.dynprm(),
            gainprm: v.gainprm(),
            biasprm: v.biasprm(),
            actearly: v.actearly(),
            ctrlspec: v.input().spec,
            velrange: v.velrange(),
            ffrange: v.ffrange(),
            inheritrange: v.inheritrange(),
        }
    }
}

impl ActuatorSettings {
    /// The settings that elements of default classes make, one on top of the other; errors in them
    /// are the compiler's to say.
    pub(crate) fn of(elements: &[Actuator]) -> ActuatorSettings {
        let mut set = ActuatorSettings::default();
        elements.iter().for_each(|e| set.add(e));
        set
    }

    /// Applies an element of which the compiler says the errors.
    pub(crate) fn add(&mut self, e: &Actuator) {
        self.apply(e, &mut Diagnostics::default());
    }

    /// Applies an element, of a default class or of the model, on top of the present settings.
    pub(crate) fn apply(&mut self, e: &Actuator, diag: &mut Diagnostics) {
        self.apply_common(e);
        self.apply_transmission(e, diag);

        if let Err((span, text)) = self.set_kind(e) {
            let text = format!("{}: {text}", tag(e.kind.name(), &e.name));
            diag.error("actuator", span.unwrap_or(e.head.span), text);
        }
    }

    /// Sets the attributes that only some kinds have; an error keeps the settings before it.
    fn set_kind(&mut self, e: &Actuator) -> Outcome {
        match e.kind {
            ActuatorTag::General | ActuatorTag::Plugin => self.set_general(e),
            ActuatorTag::Motor => self.set_motor(),
            ActuatorTag::Position => self.set_position(e),
            ActuatorTag::IntVelocity => self.set_int_velocity(e),
            ActuatorTag::Velocity => self.set_velocity(e.kv.or(self.gainprm[0])),
            ActuatorTag::Damper => self.set_damper(e),
            ActuatorTag::Cylinder => self.set_cylinder(e),
            ActuatorTag::Muscle => self.set_muscle(e),
            ActuatorTag::Adhesion => self.set_adhesion(e),
            ActuatorTag::DcMotor => self.set_dcmotor(e),
            ActuatorTag::Pid => self.set_pid(e),
            ActuatorTag::Orientation => self.set_orientation(e),
        }
    }

    /// Sets the parameters of a shortcut that are given; an error keeps the settings before it.
    pub fn shortcut(
        &mut self,
        kind: ActuatorTag,
        given: &[(&str, Vec<f64>)],
    ) -> Result<(), String> {
        let mut e = Actuator { kind, ..Actuator::default() };
        for (name, values) in given {
            give(&mut e, name, values)?;
        }
        self.set_kind(&e).map_err(|(_, text)| text.to_owned())
    }

    /// The attributes all kinds share.
    fn apply_common(&mut self, e: &Actuator) {
        set(&mut self.group, &e.group);
        set(&mut self.nsample, &e.nsample);
        if let Some(interp) = e.interp.get() {
            self.interp = interp.0;
        }
        set(&mut self.delay, &e.delay);
        set(&mut self.ctrllimited, &e.ctrllimited);
        set(&mut self.forcelimited, &e.forcelimited);
        set(&mut self.actlimited, &e.actlimited);
        set(&mut self.ctrlrange, &e.ctrlrange);
        set(&mut self.forcerange, &e.forcerange);
        set(&mut self.actrange, &e.actrange);
        set(&mut self.lengthrange, &e.lengthrange);
        self.gear = e.gear.fill(self.gear);
        if let Some(damping) = e.damping.get() {
            self.damping = damping.0.fill(self.damping);
        }
        set(&mut self.armature, &e.armature);
        set(&mut self.cranklength, &e.cranklength);
        if let Some(input) = e.input.get() {
            self.ctrlspec = input.spec;
        }
        set(&mut self.velrange, &e.velrange);
        set(&mut self.ffrange, &e.ffrange);
        set(&mut self.user, &e.user);
    }

    /// The target, and the attributes of some kinds of transmission.
    fn apply_transmission(&mut self, e: &Actuator, diag: &mut Diagnostics) {
        let element = tag(e.kind.name(), &e.name);

        // target: at most one
        let targets = [
            (&e.joint, TrnType::Joint),
            (&e.jointinparent, TrnType::Jointinparent),
            (&e.tendon, TrnType::Tendon),
            (&e.cranksite, TrnType::Slidercrank),
            (&e.site, TrnType::Site),
            (&e.body, TrnType::Body),
        ];
        let written: Vec<_> = targets.iter().filter(|(name, _)| name.is_set()).collect();
        if let [_, (second, _), ..] = written[..] {
            let text = "actuator can have at most one of transmission target";
            let place = second.span().unwrap_or(e.head.span);
            diag.error("transmission", place, format!("{element}: {text}"));
        }
        if let Some((name, trntype)) = written.last() {
            self.target = (*name).clone();
            self.trntype = *trntype;
        }

        // crank and slider
        let crank = e.cranklength.span().or(e.slidersite.span());
        if e.slidersite.is_set() {
            self.slidersite = e.slidersite.clone();
        }
        if let Some(span) = crank
            && !matches!(self.trntype, TrnType::Slidercrank | TrnType::Undefined)
        {
            let text = "cranklength and slidersite can only be used in slidercrank transmission";
            diag.error("transmission", span, format!("{element}: {text}"));
        }

        // reference site
        if let Some(span) = e.refsite.span() {
            self.refsite = e.refsite.clone();
            if !matches!(self.trntype, TrnType::Site | TrnType::Undefined) {
                let text = format!("{element}: refsite can only be used with site transmission");
                diag.extension("refsite-ignored", span, &text, "it has no effect");
                self.refsite = Attr::default();
            }
        }
    }

    fn set_general(&mut self, e: &Actuator) -> Outcome {
        set(&mut self.dyntype, &e.dyntype);
        set(&mut self.gaintype, &e.gaintype);
        set(&mut self.biastype, &e.biastype);
        set(&mut self.actearly, &e.actearly);
        // only code says this of a general actuator
        set(&mut self.inheritrange, &e.inheritrange);
        self.dynprm = e.dynprm.fill(self.dynprm);
        self.gainprm = e.gainprm.fill(self.gainprm);
        self.biasprm = e.biasprm.fill(self.biasprm);
        set(&mut self.actdim, &e.actdim);
        Ok(())
    }

    fn set_motor(&mut self) -> Outcome {
        self.gainprm[0] = 1.0;
        self.set_types(DynType::None, GainType::Fixed, BiasType::None);
        Ok(())
    }

    /// A position servo: force = kp (ctrl - length) - kv velocity.
    ///
    /// Stops at the first error, as MuJoCo does: `<intvelocity>` ignores it and keeps the settings
    /// so far.
    fn set_position(&mut self, e: &Actuator) -> Outcome {
        let timeconst = one_number(e)?;
        let kp = e.kp.or(self.gainprm[0]);
        self.gainprm[0] = kp;
        self.biasprm[1] = -kp;

        // biasprm[2]: negative is a damping coefficient, positive a damping ratio
        if e.kv.is_set() && e.dampratio.is_set() {
            return Err((e.dampratio.span(), "kv and dampratio cannot both be defined"));
        }
        if let Some(&kv) = e.kv.get() {
            if kv < 0.0 {
                return Err((e.kv.span(), "kv cannot be negative"));
            }
            self.biasprm[2] = -kv;
        }
        if let Some(&dampratio) = e.dampratio.get() {
            if dampratio < 0.0 {
                return Err((e.dampratio.span(), "dampratio cannot be negative"));
            }
            self.biasprm[2] = dampratio;
        }

        // a time constant filters the control
        if let Some(timeconst) = timeconst {
            if timeconst < 0.0 {
                return Err((e.timeconst.span(), "timeconst cannot be negative"));
            }
            self.dynprm[0] = timeconst;
            self.dyntype = if timeconst == 0.0 { DynType::None } else { DynType::Filterexact };
        }

        set(&mut self.inheritrange, &e.inheritrange);
        if self.inheritrange > 0.0 && self.ctrlrange != [0.0; 2] {
            let text = "ctrlrange and inheritrange cannot both be defined";
            return Err((e.inheritrange.span().or(e.ctrlrange.span()), text));
        }
        self.gaintype = GainType::Fixed;
        self.biastype = BiasType::Affine;
        Ok(())
    }

    fn set_int_velocity(&mut self, e: &Actuator) -> Outcome {
        one_number(e)?;
        let inheritrange = e.inheritrange.or(self.inheritrange);
        let _accepted_by_mujoco = self.set_position(e);
        self.dyntype = DynType::Integrator;
        self.actlimited = Tri::True;
        if inheritrange > 0.0 && self.actrange != [0.0; 2] {
            let text = "actrange and inheritrange cannot both be defined";
            return Err((e.inheritrange.span().or(e.actrange.span()), text));
        }
        Ok(())
    }

    fn set_velocity(&mut self, kv: f64) -> Outcome {
        self.biasprm = [0.0; 10];
        self.gainprm[0] = kv;
        self.biasprm[2] = -kv;
        self.set_types(DynType::None, GainType::Fixed, BiasType::Affine);
        Ok(())
    }

    fn set_damper(&mut self, e: &Actuator) -> Outcome {
        let kv = e.kv.or(0.0);
        self.gainprm = [0.0; 10];
        self.gainprm[2] = -kv;
        self.ctrllimited = Tri::True;
        self.set_types(DynType::None, GainType::Affine, BiasType::None);
        if kv < 0.0 {
            return Err((e.kv.span(), "damping coefficient cannot be negative"));
        }
        if self.ctrlrange[0] < 0.0 || self.ctrlrange[1] < 0.0 {
            return Err((e.ctrlrange.span(), "damper control range cannot be negative"));
        }
        Ok(())
    }

    fn set_cylinder(&mut self, e: &Actuator) -> Outcome {
        if let Some(timeconst) = one_number(e)? {
            self.dynprm[0] = timeconst;
        }
        // of the three numbers of `bias` MuJoCo uses the first
        if let Some(bias) = e.bias.get() {
            self.biasprm[0] = bias[0];
        }
        set(&mut self.gainprm[0], &e.area);
        if let Some(&diameter) = e.diameter.get()
            && diameter >= 0.0
        {
            self.gainprm[0] = core::f64::consts::PI / 4.0 * diameter * diameter;
        }
        self.set_types(DynType::Filter, GainType::Fixed, BiasType::Affine);
        Ok(())
    }

    fn set_muscle(&mut self, e: &Actuator) -> Outcome {
        let timeconst = match e.timeconst.get() {
            Some(t) if t.len < 2 => {
                let text = "attribute 'timeconst' does not have enough data";
                return Err((e.timeconst.span(), text));
            }
            Some(t) => t.value,
            None => [-1.0; 2],
        };

        // muscle defaults where the general defaults still stand
        let replace = |x: &mut f64, general: f64, muscle: f64| {
            if *x == general {
                *x = muscle;
            }
        };
        replace(&mut self.dynprm[0], 1.0, 0.01);
        replace(&mut self.dynprm[1], 0.0, 0.04);
        replace(&mut self.gainprm[0], 1.0, 0.75);
        let rest = [1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
        for (prm, muscle) in self.gainprm[1..9].iter_mut().zip(rest) {
            replace(prm, 0.0, muscle);
        }

        let tausmooth = e.tausmooth.or(self.dynprm[2]);
        if tausmooth < 0.0 {
            return Err((e.tausmooth.span(), "muscle tausmooth cannot be negative"));
        }
        self.dynprm[2] = tausmooth;

        // written values; negative numbers stand for "not written"
        let given = |x: &mut f64, value: f64| {
            if value >= 0.0 {
                *x = value;
            }
        };
        let range = e.range.or([-1.0; 2]);
        given(&mut self.dynprm[0], timeconst[0]);
        given(&mut self.dynprm[1], timeconst[1]);
        given(&mut self.gainprm[0], range[0]);
        given(&mut self.gainprm[1], range[1]);
        let rest = [&e.force, &e.scale, &e.lmin, &e.lmax, &e.vmax, &e.fpmax, &e.fvmax];
        for (prm, attr) in self.gainprm[2..9].iter_mut().zip(rest) {
            given(prm, attr.or(-1.0));
        }

        self.biasprm[..9].copy_from_slice(&self.gainprm[..9]);
        self.set_types(DynType::Muscle, GainType::Muscle, BiasType::Muscle);
        Ok(())
    }

    fn set_adhesion(&mut self, e: &Actuator) -> Outcome {
        set(&mut self.gainprm[0], &e.gain);
        self.ctrllimited = Tri::True;
        self.gaintype = GainType::Fixed;
        self.biastype = BiasType::None;
        if self.gainprm[0] < 0.0 {
            return Err((e.gain.span(), "adhesion gain cannot be negative"));
        }
        if self.ctrlrange[0] < 0.0 || self.ctrlrange[1] < 0.0 {
            return Err((e.ctrlrange.span(), "adhesion control range cannot be negative"));
        }
        Ok(())
    }

    fn set_types(&mut self, dyntype: DynType, gaintype: GainType, biastype: BiasType) {
        self.dyntype = dyntype;
        self.gaintype = gaintype;
        self.biastype = biastype;
    }
}

impl Actuator {
    /// The actuator with a chart as the meaning of its controls, if it is a servo of orientations.
    pub(crate) fn with_chart(mut self) -> Actuator {
        let is_servo = self.gaintype.get() == Some(&GAIN_SO3);
        if let Some(input) = self.input.get_mut() {
            input.chart |= is_servo;
        }
        self
    }

    /// Writes settings as attributes of `<general>`, except names, ranges that other elements give,
    /// and user data.
    pub(crate) fn say_generally(&mut self, set: &ActuatorSettings) {
        let all = |numbers: &[f64; 10]| Partial { value: *numbers, len: 10 };
        let old = core::mem::take(self);
        let kind = ActuatorTag::General;
        *self = Actuator { head: old.head, kind, name: old.name, user: old.user, ..self.clone() };

        // the target
        self.joint = old.joint;
        self.jointinparent = old.jointinparent;
        self.tendon = old.tendon;
        self.slidersite = old.slidersite;
        self.cranksite = old.cranksite;
        self.site = old.site;
        self.refsite = old.refsite;
        self.body = old.body;
        self.plugin = old.plugin;

        // ranges and timing
        self.group.set(set.group);
        self.nsample.set(set.nsample);
        self.interp.set(Interp(set.interp));
        self.delay.set(set.delay);
        self.ctrllimited.set(set.ctrllimited);
        self.forcelimited.set(set.forcelimited);
        self.actlimited.set(set.actlimited);
        self.ctrlrange.set(set.ctrlrange);
        self.forcerange.set(set.forcerange);
        self.actrange.set(set.actrange);
        self.lengthrange.set(set.lengthrange);
        self.gear.set(Partial { value: set.gear, len: 6 });
        self.damping.set(Poly(Partial { value: set.damping, len: 3 }));
        self.armature.set(set.armature);
        self.cranklength.set(set.cranklength);

        // the law of force
        self.input = Attr::default();
        if set.ctrlspec != 0 {
            let chart = set.gaintype == GAIN_SO3;
            self.input.set(Input { spec: set.ctrlspec, chart });
        }
        self.velrange.set(set.velrange);
        self.ffrange.set(set.ffrange);
        self.actearly.set(set.actearly);
        self.actdim.set(set.actdim);
        self.dyntype.set(set.dyntype);
        self.gaintype.set(set.gaintype);
        self.biastype.set(set.biastype);
        self.dynprm.set(all(&set.dynprm));
        self.gainprm.set(all(&set.gainprm));
        self.biasprm.set(all(&set.biasprm));
    }
}

/// A kind of actuator as a method of edited models: `set_to_position` ...
#[derive(Clone, Copy, Debug)]
pub struct Shortcut {
    /// The kind.
    pub kind: ActuatorTag,
    /// Effect on the actuator.
    pub doc: &'static str,
    /// Parameters by the names of attributes, each with its default; an empty one must be given. A
    /// parameter that is not given, or is -1 by default and given as -1, keeps the present value.
    pub parameters: &'static [(&'static str, &'static [f64])],
}

/// All shortcuts, with the parameters of MuJoCo's methods.
#[doc(alias("mjs_setToMotor", "mjs_setToPosition", "mjs_setToIntVelocity", "mjs_setToVelocity"))]
#[doc(alias("mjs_setToDamper", "mjs_setToCylinder", "mjs_setToMuscle", "mjs_setToAdhesion"))]
pub const SHORTCUTS: &[Shortcut] = &[
    Shortcut { kind: ActuatorTag::Motor, doc: "apply what it is told", parameters: &[] },
    Shortcut { kind: ActuatorTag::Position, doc: "a position servo", parameters: SERVO },
    Shortcut {
        kind: ActuatorTag::IntVelocity,
        doc: "a position servo whose target is moved by its control",
        parameters: SERVO,
    },
    Shortcut { kind: ActuatorTag::Velocity, doc: "a velocity servo", parameters: &[("kv", &[])] },
    Shortcut {
        kind: ActuatorTag::Damper,
        doc: "a damper whose strength is its control",
        parameters: &[("kv", &[])],
    },
    Shortcut {
        kind: ActuatorTag::Cylinder,
        doc: "a pneumatic or hydraulic cylinder",
        parameters: &[("timeconst", &[]), ("bias", &[]), ("area", &[]), ("diameter", &[-1.0])],
    },
    Shortcut {
        kind: ActuatorTag::Muscle,
        doc: "a muscle",
        parameters: &[
            ("timeconst", &[-1.0, -1.0]),
            ("tausmooth", &[0.0]),
            ("range", &[-1.0, -1.0]),
            ("force", &[-1.0]),
            ("scale", &[-1.0]),
            ("lmin", &[-1.0]),
            ("lmax", &[-1.0]),
            ("vmax", &[-1.0]),
            ("fpmax", &[-1.0]),
            ("fvmax", &[-1.0]),
        ],
    },
    Shortcut {
        kind: ActuatorTag::Adhesion,
        doc: "pull a body onto what it touches",
        parameters: &[("gain", &[])],
    },
];

/// The parameters of position servos.
const SERVO: &[(&str, &[f64])] = &[
    ("kp", &[]),
    ("kv", &[-1.0]),
    ("dampratio", &[-1.0]),
    ("timeconst", &[-1.0]),
    ("inheritrange", &[0.0]),
];

/// Sets an attribute that only some kinds have.
fn give(e: &mut Actuator, name: &str, values: &[f64]) -> Result<(), String> {
    let wrong = |wanted: &str| format!("{name} must be {wanted}, not {values:?}");
    let attr = match name {
        "timeconst" if matches!(values.len(), 1 | 2) => {
            e.timeconst.set(Partial::given(values));
            return Ok(());
        }
        "timeconst" => return Err(wrong("one or two numbers")),
        "range" => {
            e.range.set(values.try_into().map_err(|_| wrong("two numbers"))?);
            return Ok(());
        }
        "bias" => {
            let first = values.first().ok_or_else(|| wrong("a number"))?;
            e.bias.set([*first, 0.0, 0.0]);
            return Ok(());
        }
        "kp" => &mut e.kp,
        "kv" => &mut e.kv,
        "dampratio" => &mut e.dampratio,
        "inheritrange" => &mut e.inheritrange,
        "area" => &mut e.area,
        "diameter" => &mut e.diameter,
        "tausmooth" => &mut e.tausmooth,
        "force" => &mut e.force,
        "scale" => &mut e.scale,
        "lmin" => &mut e.lmin,
        "lmax" => &mut e.lmax,
        "vmax" => &mut e.vmax,
        "fpmax" => &mut e.fpmax,
        "fvmax" => &mut e.fvmax,
        "gain" => &mut e.gain,
        _ => return Err(format!("no parameter '{name}'")),
    };
    match values {
        [value] => attr.set(*value),
        _ => return Err(wrong("a number")),
    }
    Ok(())
}

/// Where and why an element is wrong.
type Outcome<T = ()> = Result<T, (Option<Span>, &'static str)>;

/// The value of an attribute, if written, over `field`.
fn set<T: Clone>(field: &mut T, attr: &Attr<T>) {
    if let Some(value) = attr.get() {
        field.clone_from(value);
    }
}

/// The time constant of the kinds that have a single one.
fn one_number(e: &Actuator) -> Outcome<Option<f64>> {
    match e.timeconst.get() {
        Some(t) if t.len > 1 => {
            Err((e.timeconst.span(), "attribute 'timeconst' has too much data"))
        }
        Some(t) if t.len == 0 => Ok(None),
        Some(t) => Ok(Some(t.value[0])),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests;
