//! Settings of the exact friction mode, which MuJoCo does not have.

use sinew_model::Model;
use sinew_model::coulomb::FrictionLaw;
use sinew_model::enums::Integrator;
use sinew_model::options::MAX_ITERATIONS;

use crate::compile::cx::Cx;
use crate::compile::objects::pair::PairRec;
use crate::spec::{Attr, CoulombMode};

/// Copies the settings of `<option>` and the restitution of geoms and pairs into the model.
pub(crate) fn store_coulomb(cx: &mut Cx<'_>, pairs: &[PairRec], m: &mut Model) {
    store_settings(cx, m);

    // restitution; the table stays empty if no geom and no pair has one
    let spec = cx.spec;
    let geoms = cx.world.geoms.iter().map(|geom| geom.elem.restitution.clone());
    let geoms: Vec<Attr<f64>> = geoms.collect();
    let pairs: Vec<Attr<f64>> = pairs.iter().map(|pair| pair.elem.restitution.clone()).collect();
    for attr in geoms.iter().chain(&pairs) {
        let place = attr.span().unwrap_or(spec.option.head.span);
        if attr.get().is_some_and(|e| !(0.0..=1.0).contains(e)) {
            cx.diag.error("restitution", place, "restitution must be within 0 and 1");
        }
    }
    m.coulomb.geom_restitution = table(&geoms, 0.0);
    m.coulomb.pair_restitution = table(&pairs, -1.0);
}

fn table(attrs: &[Attr<f64>], absent: f64) -> Vec<f64> {
    match attrs.iter().any(Attr::is_set) {
        true => attrs.iter().map(|attr| attr.or(absent)).collect(),
        false => Vec::new(),
    }
}

fn store_settings(cx: &mut Cx<'_>, m: &mut Model) {
    let (e, to) = (&cx.spec.option, &mut m.coulomb);

    // written values
    match e.coulomb.or(CoulombMode::Off) {
        CoulombMode::Off => {}
        CoulombMode::Exact => (to.enabled, to.law) = (true, FrictionLaw::Exact),
        CoulombMode::Convex => (to.enabled, to.law) = (true, FrictionLaw::Convex),
    }
    to.tolerance = e.coulomb_tolerance.or(to.tolerance);
    to.bounce_speed = e.coulomb_bounce.or(to.bounce_speed);
    to.slop = e.coulomb_slop.or(to.slop);
    to.correction = e.coulomb_correction.or(to.correction);
    if let Some(&n) = e.coulomb_iterations.get() {
        to.iterations = usize::try_from(n).unwrap_or(0);
    }

    // numbers that make no sense
    let checks = [
        (to.tolerance > 0.0 && to.tolerance.is_finite(), &e.coulomb_tolerance, TOLERANCE),
        (to.bounce_speed >= 0.0, &e.coulomb_bounce, BOUNCE),
        (to.slop >= 0.0 && to.slop.is_finite(), &e.coulomb_slop, SLOP),
        ((0.0..=1.0).contains(&to.correction), &e.coulomb_correction, CORRECTION),
    ];
    let mut wrong: Vec<_> = checks
        .into_iter()
        .filter(|(fine, ..)| !fine)
        .map(|(_, attr, text)| (attr.span(), text))
        .collect();
    if !(1..=MAX_ITERATIONS as usize).contains(&to.iterations) {
        wrong.push((e.coulomb_iterations.span(), ITERATIONS));
    }

    // integrators that cannot use impulses
    if to.enabled {
        match m.opt.integrator {
            Integrator::Rk4 => wrong.push((e.coulomb.span(), RUNGE_KUTTA)),
            Integrator::Implicit => wrong.push((e.coulomb.span(), IMPLICIT)),
            _ => {}
        }
    }
    for (span, text) in wrong {
        cx.diag.error("coulomb", span.unwrap_or(e.head.span), text);
    }
}

const ITERATIONS: &str = "coulomb_iterations must be within 1 and 100000";
const TOLERANCE: &str = "coulomb_tolerance must be positive";
const BOUNCE: &str = "coulomb_bounce must not be negative";
const SLOP: &str = "coulomb_slop must not be negative";
const CORRECTION: &str = "coulomb_correction must be within 0 and 1";
const RUNGE_KUTTA: &str = "coulomb needs the integrator Euler or implicitfast: the intermediate \
                           states of RK4 would each have impacts of their own";
const IMPLICIT: &str = "coulomb needs the integrator Euler or implicitfast: the matrix of implicit \
                        is not symmetric";
