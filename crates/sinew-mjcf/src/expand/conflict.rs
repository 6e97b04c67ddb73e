//! Settings of models that are attached, where `compiler/conflict` says that they count.
//!
//! MuJoCo 3.10: settings of both that differ are an error, or are merged: the smaller tolerance,
//! the larger number of iterations, flags of both. Without the attribute the outer model's settings
//! count, as in 3.5.

use crate::spec::attr::Value;
use crate::spec::{Attr, Conflict, Enable, FlagElement, OptionElement, SizeElement, Spec};

/// The merger of settings that both models have.
struct Merge {
    conflict: Conflict,
    /// The settings that differ and cannot be merged, with both values.
    errors: Vec<String>,
}

impl Merge {
    /// Takes over the setting of the attached model, or unites both by `rule`.
    fn take<T: Value + Clone + PartialEq>(
        &mut self,
        name: &str,
        own: &mut Attr<T>,
        sub: &Attr<T>,
        rule: impl FnOnce(&T, &T) -> Option<T>,
    ) {
        let merges = self.conflict == Conflict::Merge;
        let Some(new) = sub.get() else { return };
        match own.get() {
            None if merges => own.set(new.clone()),
            Some(old) if old != new => match rule(old, new).filter(|_| merges) {
                Some(united) => own.set(united),
                None => self.errors.push(format!(
                    "{name}: parent has {}, child has {}",
                    old.write(),
                    new.write()
                )),
            },
            _ => {}
        }
    }
}

/// Merges settings of the same name by a rule.
macro_rules! take {
    ($merge:expr, $own:expr, $sub:expr, $rule:expr; $($field:ident)*) => {
        $($merge.take(stringify!($field), &mut $own.$field, &$sub.$field, $rule);)*
    };
}

/// Brings the settings of an attached model into `spec`. An error names those that differ, and then
/// nothing is changed.
pub(super) fn merge_settings(spec: &mut Spec, sub: &Spec, name: &str) -> Result<(), String> {
    let conflict =
        spec.scopes.first().map_or(Conflict::Warning, |s| s.compiler.values().conflict());
    if conflict == Conflict::Warning {
        return Ok(());
    }
    let mut merge = Merge { conflict, errors: Vec::new() };
    let (mut option, mut size) = (spec.option.clone(), spec.size.clone());
    let mut visual = spec.visual.clone();
    options(&mut merge, &mut option, &sub.option);
    sizes(&mut merge, &mut size, &sub.size);
    let smaller = |a: &f32, b: &f32| Some(a.min(*b));
    take!(merge, visual.map, sub.visual.map, smaller; znear);
    take!(merge, visual.map, sub.visual.map, |a, b| Some(a.max(*b)); zfar);
    take!(merge, visual.global, sub.visual.global, smaller; realtime);
    if merge.errors.is_empty() {
        (spec.option, spec.size, spec.visual) = (option, size, visual);
        return Ok(());
    }
    let (policy, list) = (conflict.write(), merge.errors.join("; "));
    Err(format!("Attach conflict when attaching '{name}', policy is '{policy}': {list}"))
}

fn options(merge: &mut Merge, own: &mut OptionElement, sub: &OptionElement) {
    take!(merge, own, sub, |a, b| Some(a.min(*b));
        timestep tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance);
    take!(merge, own, sub, |a, b| Some(*a.max(b));
        iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints);
    take!(merge, own, sub, |_, _| None;
        gravity wind magnetic density viscosity integrator cone jacobian solver impratio o_margin
        o_solref o_solimp o_friction);
    let both = |a: &Vec<i32>, b: &Vec<i32>| Some(a.iter().chain(b).copied().collect());
    take!(merge, own, sub, both; actuatorgroupdisable);
    flags(merge, &mut own.flag, &sub.flag);
}

fn flags(merge: &mut Merge, own: &mut FlagElement, sub: &FlagElement) {
    take!(merge, own, sub, |a, b| Some(Enable(a.0 && b.0));
        constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart
        filterparent actuation refsafe sensor midphase eulerdamp autoreset nativeccd island);
    take!(merge, own, sub, |a, b| Some(Enable(a.0 || b.0));
        override_ energy fwdinv invdiscrete multiccd sleep);
}

fn sizes(merge: &mut Merge, own: &mut SizeElement, sub: &SizeElement) {
    take!(merge, own, sub, |a, b| Some(*a.max(b));
        nkey nuserdata nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon
        nuser_actuator nuser_sensor);
}
