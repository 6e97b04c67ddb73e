//! Actuators: names resolved, ranges decided, consistency checked.

use sinew_model::Model;
use sinew_model::enums::{BiasType, DynType, GainType, JointType, ObjType, TrnType};
use sinew_model::later::{DYN_DCMOTOR, DYN_PID, GAIN_PID, GAIN_SO3, TRN_SO3};
use sinew_model::validate::MAX_DATA_NUMBERS;

use crate::actuator_kinds::ActuatorSettings;
use crate::compile::cx::{At, Cx};
use crate::compile::limits::{Limited, limits, undecided};
use crate::compile::objects::tendon::TendonRec;
use crate::diag::tag;
use crate::spec::{Actuator, ActuatorTag, Attr, Head};

mod inputs;

/// Maximum number of samples in a history buffer: the range of integers in a 32-bit float, in which
/// MuJoCo keeps a cursor.
pub(crate) const MAX_SAMPLES: i32 = 1 << 24;

/// A compiled actuator.
#[derive(Clone, Debug)]
pub(crate) struct ActuatorRec {
    /// All settings; ranges and `actdim` are final.
    pub(crate) set: ActuatorSettings,
    /// The element it comes from.
    pub(crate) element: usize,
    /// The first row of its actuator: one of several controls has a row for each.
    pub(crate) owner: usize,
    /// The target, and its second site; -1 for none.
    pub(crate) trnid: [i32; 2],
    /// Whether the control is limited.
    pub(crate) ctrllimited: bool,
    /// Whether the force is limited.
    pub(crate) forcelimited: bool,
    /// Whether the activation is limited.
    pub(crate) actlimited: bool,
}

impl ActuatorRec {
    /// Number of activations.
    fn actdim(&self) -> usize {
        usize::try_from(self.set.actdim).unwrap_or(0)
    }

    /// Numbers in the history buffer: user's, cursor, times and values.
    fn history(&self) -> usize {
        history_size(self.set.nsample, 1)
    }
}

/// Numbers in a history buffer of `nsample` samples: user's, cursor, times and values.
pub(crate) fn history_size(nsample: i32, dim: usize) -> usize {
    match usize::try_from(nsample) {
        Ok(n) if n > 0 => n.saturating_mul(dim).saturating_add(2 + n),
        _ => 0,
    }
}

/// Compiles all actuators; tendons must be compiled.
pub(crate) fn compile_actuators(cx: &mut Cx<'_>, tendons: &[TendonRec]) -> Vec<ActuatorRec> {
    let spec = cx.spec;

    // errors in default classes, once for each class
    for class in &spec.defaults {
        let head = Head { class: class.parent, ..Head::default() };
        let inherited = class.parent.map_or(&[][..], |_| cx.defaults.actuators(&head));
        let mut set = ActuatorSettings::of(inherited);
        for elem in &class.actuators {
            set.apply(elem, cx.diag);
        }
    }

    // each actuator on top of its classes
    let mut settings = Vec::with_capacity(spec.actuators.len());
    for elem in &spec.actuators {
        let mut set = ActuatorSettings::of(cx.defaults.actuators(&elem.head));
        set.apply(elem, cx.diag);
        settings.push(set);
    }

    // user data: `nuser_actuator` numbers, or the length of the longest list
    let longest = settings.iter().map(|set| set.user.len()).max();
    cx.nuser.actuator = match spec.size.values().nuser_actuator() {
        n if n >= 0 => n as usize,
        _ => longest.unwrap_or(0),
    };

    let mut recs = Vec::with_capacity(settings.len());
    let mut total = 0_usize;
    for (id, (elem, set)) in spec.actuators.iter().zip(settings).enumerate() {
        let Some(rec) = (Pass { cx, tendons, elem, id }).compile(set) else { continue };
        let own = rec.rows(recs.len());
        for rec in &own {
            total = total.saturating_add(rec.actdim()).saturating_add(rec.history());
        }
        if total > MAX_DATA_NUMBERS {
            let text =
                format!("actuators have more than {MAX_DATA_NUMBERS} activations and samples");
            cx.diag.error("too-large", elem.head.span, text);
            break;
        }
        recs.extend(own);
    }
    recs
}

/// Sets the sizes that depend on actuators; adds to `nhistory`.
pub(crate) fn size_actuators(recs: &[ActuatorRec], m: &mut Model) {
    m.nu = recs.len();
    m.na = recs.iter().map(ActuatorRec::actdim).sum();
    m.nhistory += recs.iter().map(ActuatorRec::history).sum::<usize>();
}

/// Copies the actuators to the model.
pub(crate) fn store_actuators(recs: &[ActuatorRec], m: &mut Model) {
    let (mut actadr, mut historyadr) = (0, 0);
    for (i, rec) in recs.iter().enumerate() {
        let set = &rec.set;

        // types and targets
        let is_servo = set.gaintype == GAIN_SO3 || recs[rec.owner].set.gaintype == GAIN_SO3;
        m.actuator_trntype[i] = if is_servo { TRN_SO3 } else { set.trntype };
        m.actuator_dyntype[i] = set.dyntype;
        m.actuator_gaintype[i] = set.gaintype;
        m.actuator_biastype[i] = set.biastype;
        m.actuator_trnid[i] = rec.trnid;

        // activations and history, one actuator after the other
        m.actuator_actnum[i] = set.actdim;
        m.actuator_actadr[i] = if set.actdim > 0 { actadr } else { -1 };
        actadr += set.actdim;
        m.actuator_group[i] = set.group;
        m.actuator_delay[i] = set.delay;
        m.actuator_history[i] = [set.nsample, set.interp];
        m.actuator_historyadr[i] = if rec.history() > 0 { historyadr as i32 } else { -1 };
        historyadr += rec.history();

        // parameters
        m.actuator_ctrllimited[i] = rec.ctrllimited.into();
        m.actuator_forcelimited[i] = rec.forcelimited.into();
        m.actuator_actlimited[i] = rec.actlimited.into();
        m.actuator_actearly[i] = set.actearly.into();
        m.actuator_cranklength[i] = set.cranklength;
        m.actuator_gear[i] = set.gear;
        m.actuator_dynprm[i] = set.dynprm;
        m.actuator_gainprm[i] = set.gainprm;
        m.actuator_biasprm[i] = set.biasprm;
        m.actuator_ctrlrange[i] = set.ctrlrange;
        m.actuator_forcerange[i] = set.forcerange;
        m.actuator_actrange[i] = set.actrange;
        m.actuator_lengthrange[i] = set.lengthrange;
        m.actuator_user[i][..set.user.len()].copy_from_slice(&set.user);
    }
}

/// One actuator being compiled.
struct Pass<'p, 'c> {
    cx: &'p mut Cx<'c>,
    tendons: &'p [TendonRec],
    elem: &'p Actuator,
    id: usize,
}

impl<'p> Pass<'p, '_> {
    fn compile(&mut self, mut set: ActuatorSettings) -> Option<ActuatorRec> {
        // user data
        if set.user.len() > self.cx.nuser.actuator {
            let (name, id) = (self.elem.name.text(), self.id);
            let text = "user has more values than nuser_actuator in actuator";
            self.fail(&self.elem.user, format!("{text} '{name}' (id = {id})"));
            set.user.truncate(self.cx.nuser.actuator);
        }

        // target
        if set.target.text().is_empty() {
            self.fail_here("missing transmission target for actuator");
            return None;
        }
        let trnid = self.transmission(&set)?;

        // ranges, dynamics, history
        self.controls(&mut set, trnid);
        self.inherit_range(&mut set, trnid[0]);
        self.ranges(&mut set);
        self.activation(&mut set);
        self.motor(&mut set);
        self.muscle(&set);
        self.history(&set);
        Some(ActuatorRec {
            element: self.id,
            owner: 0,
            trnid,
            ctrllimited: limits(set.ctrllimited, set.ctrlrange),
            forcelimited: limits(set.forcelimited, set.forcerange),
            actlimited: limits(set.actlimited, set.actrange),
            set,
        })
    }

    /// The objects it acts on.
    fn transmission(&mut self, set: &ActuatorSettings) -> Option<[i32; 2]> {
        let (name, id) = (self.elem.name.text(), self.id);

        // kind of the target, and the second object of a slider-crank or site
        let (kind, second) = match set.trntype {
            TrnType::Joint | TrnType::Jointinparent => (ObjType::Joint, -1),
            TrnType::Tendon => (ObjType::Tendon, -1),
            TrnType::Body => (ObjType::Body, -1),
            TrnType::Slidercrank => {
                if set.slidersite.text().is_empty() {
                    let text = "missing base site for slider-crank";
                    self.fail_here(format!("{text} '{name}' (id = {id})"));
                    return None;
                }
                let base = self.site(&set.slidersite, "base site")?;
                if set.cranklength <= 0.0 {
                    let text = "crank length must be positive in actuator";
                    self.fail(&self.elem.cranklength, format!("{text} '{name}' (id = {id})"));
                    return None;
                }
                (ObjType::Site, base)
            }
            TrnType::Site if !set.refsite.text().is_empty() => {
                (ObjType::Site, self.site(&set.refsite, "reference site")?)
            }
            TrnType::Site => (ObjType::Site, -1),
            _ => {
                self.fail_here("invalid transmission type in actuator");
                return None;
            }
        };

        // the target itself
        let target = set.target.text();
        let Some(first) = self.cx.find(kind, target) else {
            let text = match kind {
                ObjType::Joint => {
                    format!("unknown transmission target '{target}' for actuator id = {id}")
                }
                _ => format!("transmission target '{target}' not found in actuator {id}"),
            };
            self.fail(&set.target, text);
            self.cx.suggest(kind, target);
            return None;
        };
        Some([first as i32, second])
    }

    /// The second site of a transmission.
    fn site(&mut self, attr: &Attr<String>, word: &str) -> Option<i32> {
        let name = attr.text();
        let found = self.cx.find(ObjType::Site, name);
        if found.is_none() {
            self.fail(attr, format!("{word} '{name}' not found for actuator {}", self.id));
            self.cx.suggest(ObjType::Site, name);
        }
        found.map(|id| id as i32)
    }

    /// Takes the range of the control or activation from the joint or tendon it acts on, if
    /// `inheritrange` is set.
    fn inherit_range(&mut self, set: &mut ActuatorSettings, target: i32) {
        let is_pid = set.gaintype == GAIN_PID;
        let servo = set.biastype == BiasType::Affine
            && (is_pid || set.gaintype == GainType::Fixed && set.gainprm[0] == -set.biasprm[1]);
        if !servo || set.inheritrange <= 0.0 {
            return;
        }
        let inherit = &self.elem.inheritrange;
        let range = match set.dyntype {
            DynType::None | DynType::Filterexact | DYN_PID => &mut set.ctrlrange,
            DynType::Integrator => &mut set.actrange,
            _ => {
                let text = "inheritrange only available for position and intvelocity actuators";
                return self.fail(inherit, text);
            }
        };

        // range of the target
        let target = target as usize;
        let from = match set.trntype {
            TrnType::Joint => {
                let joint = &self.cx.world.joints[target];
                if !matches!(joint.kind, JointType::Hinge | JointType::Slide) {
                    let text =
                        "inheritrange can only be used with hinge and slide joints, actuator";
                    return self.fail(inherit, text);
                }
                joint.range
            }
            TrnType::Tendon => self.tendons[target].range,
            _ => {
                let text =
                    "inheritrange can only be used with joint and tendon transmission, actuator";
                return self.fail(inherit, text);
            }
        };
        if from[0] == from[1] {
            let (name, id) = (set.target.text(), self.id);
            let text = format!(
                "inheritrange used but target '{name}' has no range defined in actuator {id}"
            );
            return self.fail(inherit, text);
        }

        let mean = 0.5 * (from[1] + from[0]);
        let radius = 0.5 * (from[1] - from[0]) * set.inheritrange;
        *range = [mean - radius, mean + radius];
    }

    /// Limits of force, control and activation.
    fn ranges(&mut self, set: &mut ActuatorSettings) {
        // MuJoCo wants the range of an adhesion written; the force can only be on or off
        if self.elem.kind == ActuatorTag::Adhesion && set.ctrlrange == [0.0; 2] {
            let span = self.elem.head.span;
            let tag = tag("adhesion", &self.elem.name);
            let text = format!("{tag}: invalid control range for actuator");
            self.cx.diag.extension("adhesion-range", span, &text, "ctrlrange is 0 1");
            set.ctrlrange = [0.0, 1.0];
        }

        let e = self.elem;
        let auto = self.cx.settings(&e.head).autolimits;
        let rows = [
            ("force", set.forcelimited, set.forcerange, &e.forcerange, "invalid force range for"),
            ("ctrl", set.ctrllimited, set.ctrlrange, &e.ctrlrange, "invalid control range for"),
            ("act", set.actlimited, set.actrange, &e.actrange, "invalid actrange for"),
        ];
        for (word, limited, range, attr, invalid) in rows {
            if let Some(text) =
                undecided(auto, limited, range, Limited { entity: "actuator", attr: word })
            {
                self.fail(attr, text);
            } else if limits(limited, range) && range[0] >= range[1] {
                self.fail(attr, format!("{invalid} actuator"));
            }
        }
        if limits(set.actlimited, set.actrange) && set.dyntype == DynType::None {
            self.fail(&e.actrange, "actrange specified but dyntype is 'none' in actuator");
        }
    }

    /// The number of activations.
    fn activation(&mut self, set: &mut ActuatorSettings) {
        let stateful = set.dyntype != DynType::None;
        let wrong = match set.actdim {
            _ if self.elem.kind == ActuatorTag::Plugin || set.dyntype == DYN_DCMOTOR => None,
            _ if set.dyntype == DYN_PID && set.actdim > 0 => None,
            3 if set.gaintype == GAIN_SO3 && stateful => None,
            2.. if set.dyntype != DynType::User => {
                Some("actdim > 1 is only allowed for dyntype 'user' in actuator")
            }
            1 if !stateful => Some("invalid actdim 1 in stateless actuator"),
            0 if stateful => Some("invalid actdim 0 in stateful actuator"),
            _ => None,
        };
        if let Some(text) = wrong {
            self.fail(&self.elem.actdim, text);
        }
        if set.actdim < 0 {
            set.actdim = stateful.into();
        }
    }

    /// The parameters of a muscle.
    fn muscle(&mut self, set: &ActuatorSettings) {
        let gain = (set.gaintype == GainType::Muscle).then_some(&set.gainprm);
        let bias = (set.biastype == BiasType::Muscle).then_some(&set.biasprm);
        for prm in gain.into_iter().chain(bias) {
            let text = if prm[0] >= prm[1] {
                "range[0]<range[1] required in muscle".to_owned()
            } else if prm[4] >= 1.0 || prm[5] <= 1.0 {
                "lmin<1<lmax required in muscle".to_owned()
            } else if [3, 6, 7, 8].iter().any(|&i| prm[i] <= 0.0) {
                let (name, id) = (self.elem.name.text(), self.id);
                let text = "positive scale, vmax, fpmax, fvmax required in muscle";
                format!("{text} '{name}' (id = {id})")
            } else {
                continue;
            };
            self.fail_here(text);
            return;
        }
    }

    /// The history buffer.
    fn history(&mut self, set: &ActuatorSettings) {
        if set.delay > 0.0 && set.nsample <= 0 {
            self.fail(&self.elem.delay, "setting delay > 0 without a history buffer");
        }
        if set.nsample > MAX_SAMPLES {
            let text = "at most 2^24 samples in history buffer, got";
            self.fail(&self.elem.nsample, format!("{text} {}", set.nsample));
        }
    }

    /// Reports an error at an attribute, or at the element where a class wrote the attribute.
    fn fail<T>(&mut self, attr: &Attr<T>, text: impl core::fmt::Display) {
        let span = attr.span().unwrap_or(self.elem.head.span);
        self.cx.fail(At { name: self.elem.name.text(), id: self.id, span }, text);
    }

    /// Reports an error at the element.
    fn fail_here(&mut self, text: impl core::fmt::Display) {
        let at = At { name: self.elem.name.text(), id: self.id, span: self.elem.head.span };
        self.cx.fail(at, text);
    }
}
