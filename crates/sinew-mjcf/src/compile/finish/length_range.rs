//! `<compiler><lengthrange>`: which actuators get their feasible lengths computed, and how.

use sinew_engine::setup::length_range::{LengthRangeOptions, set_length_ranges};
use sinew_model::Model;

use crate::diag::Diagnostics;
use crate::spec::{LengthRange, Span, Spec};

/// Computes missing length ranges; `set_const` must have been called.
pub(crate) fn compute_length_ranges(spec: &Spec, m: &mut Model, diag: &mut Diagnostics) {
    let written = spec.scopes.first().map(|scope| &scope.compiler.lengthrange);
    let opt = written.map_or_else(LengthRangeOptions::default, options);
    for error in set_length_ranges(m, &opt) {
        let row = error.actuator();
        let element = m.whole_actuators().take_while(|&u| u <= m.actuator_first(row)).count() - 1;
        let actuator = spec.actuators.get(element);
        let span = actuator.map_or(Span::default(), |e| e.head.span);
        diag.error("lengthrange", span, error.to_string());
    }
}

fn options(e: &LengthRange) -> LengthRangeOptions {
    let d = LengthRangeOptions::default();
    LengthRangeOptions {
        mode: e.mode.or(d.mode),
        useexisting: e.useexisting.or(d.useexisting),
        uselimit: e.uselimit.or(d.uselimit),
        accel: e.accel.or(d.accel),
        maxforce: e.maxforce.or(d.maxforce),
        timeconst: e.timeconst.or(d.timeconst),
        timestep: e.timestep.or(d.timestep),
        inttotal: e.inttotal.or(d.inttotal),
        interval: e.interval.or(d.interval),
        tolrange: e.tolrange.or(d.tolrange),
    }
}
