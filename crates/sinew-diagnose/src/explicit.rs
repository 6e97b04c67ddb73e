//! Springs, gains and dampers that are too stiff for the time step.

use sinew_engine::{differentiate_pos, integrate_pos};
use sinew_model::enums::{Integrator, ObjType};
use sinew_model::{Data, FlexId, Model};

use crate::change::Change;
use crate::checked::step_checked;
use crate::element::Element;
use crate::finding::{Cause, Finding, Remedy, Weight, round_down, shown};
use crate::modes::{Along, FEW_STEPS, Linear, Mode, STEPS, copy_inputs, without_contacts};
use crate::scaling::weaker;
use crate::shares::{Share, flex_of_dofs, implicit_damping, shares};
use sinew_math::vector::dot;

/// Bound of h²ω² + 2 h b above which a mode is suspected; a trial decides.
const LIMIT: f64 = 3.6;
/// Value of the same measure that remedies aim at, as a margin.
const TARGET: f64 = 1.0;
/// Steps of a trial, and the permitted growth of a disturbance. An unstable mode grows by at least
/// 10 % per step.
const TRIAL: usize = 60;
const GROWTH: f64 = 30.0;
/// Number of steps of e-fold growth below which a self-amplifying force is suspected.
const RUNAWAY: f64 = 20.0;
/// Maximum number of elements that are weakened together.
const ROUNDS: usize = 24;

/// Finds elements that are too stiff or too damped for the time step in the state `d`, while
/// `go_on` returns true.
pub(crate) fn explicit(m: &Model, d: &Data, go_on: &dyn Fn() -> bool) -> Vec<Finding> {
    let mut found = Vec::new();
    if m.nv == 0 || m.opt.timestep <= 0.0 || m.opt.timestep.is_nan() {
        return found;
    }
    let free = without_contacts(m);
    let implicit = implicit_damping(m);
    let mut linear = Linear::new(m, d, go_on);
    for along in [Along::Velocity, Along::Position] {
        let Some([slowest, fastest]) = linear.extremes(along, &implicit, STEPS) else { continue };
        if is_unstable(&mut linear, &free, d, along, &fastest) {
            found.extend(too_fast(&mut linear, &free, d, along, &fastest));
        }
        if steps_to_run_away(m, along, &slowest) < RUNAWAY {
            found.extend(runs_away(&mut linear, along, &slowest));
        }
    }
    found
}

/// Finds an elastic flex that is too stiff for the time step, without simulating.
///
/// The rule sees the model's initial state. The cost is about 40 evaluations of passive forces;
/// models without elastic flexes cost nothing.
pub fn flex_instability(m: &Model) -> Option<Finding> {
    let elastic = |f: FlexId| {
        let first = m.flex_elemadr[f].max(0) as usize;
        let elements = m.flex_stiffness.get(first..).and_then(|rows| rows.first());
        m.flex_edgestiffness[f] != 0.0
            || m.flex_edgedamping[f] != 0.0
            || elements.is_some_and(|row| row.iter().any(|&x| x != 0.0))
            || m.flex_dim[f] == 2
    };
    if !m.flexes().any(|f| !m.flex_rigid[f].get() && elastic(f)) {
        return None;
    }
    // a few Lanczos steps suffice for nearly all models
    let start = Data::new(m);
    let mut linear = Linear::new(m, &start, &|| true);
    let implicit = implicit_damping(m);
    let suspicious = [Along::Velocity, Along::Position].into_iter().any(|along| {
        let modes = linear.extremes(along, &implicit, FEW_STEPS);
        modes.is_some_and(|[_, fastest]| measure(m, along, &fastest) > 0.25 * LIMIT)
    });
    if !suspicious {
        return None;
    }
    let found = explicit(m, &start, &|| true);
    found.into_iter().find(|finding| finding.cause == Cause::Flex)
}

/// The stability measure: h²ω² or 2 h b.
fn measure(m: &Model, along: Along, mode: &Mode) -> f64 {
    let h = m.opt.timestep;
    match along {
        Along::Position => h * h * mode.value,
        Along::Velocity => 2.0 * h * mode.value,
    }
}

/// Number of steps in which a mode with a negative eigenvalue grows e-fold.
fn steps_to_run_away(m: &Model, along: Along, mode: &Mode) -> f64 {
    match along {
        _ if mode.value >= 0.0 => f64::INFINITY,
        Along::Position => 1.0 / (m.opt.timestep * (-mode.value).sqrt()),
        Along::Velocity => 1.0 / (m.opt.timestep * -mode.value),
    }
}

/// Whether a mode is unstable by the measure and in a trial.
fn is_unstable(linear: &mut Linear<'_>, free: &Model, d: &Data, along: Along, mode: &Mode) -> bool {
    let mut measured = measure(free, along, mode);
    if measured <= TARGET {
        return false;
    }
    if along == Along::Position {
        // explicit dampers reduce the bound of springs; if they dominate, they are the cause
        let implicit = implicit_damping(free);
        let mut force = vec![0.0; free.nv];
        linear.product(Along::Velocity, &implicit, &mode.vector, &mut force);
        let damping = 2.0 * free.opt.timestep * dot(&force, &mode.vector);
        if damping > measured {
            return false;
        }
        measured += damping.max(0.0);
    }
    measured > LIMIT && grows(free, d, along, mode, linear.go_on) == Some(true)
}

/// Whether a small disturbance along a mode grows over some steps without contacts; `None` without
/// more time.
fn grows(
    free: &Model,
    d: &Data,
    along: Along,
    mode: &Mode,
    go_on: &dyn Fn() -> bool,
) -> Option<bool> {
    // two states, one disturbed by 1e-6 along the mode
    let mut plain = Data::new(free);
    copy_inputs(&mut plain, d);
    plain.qvel.fill(0.0);
    let mut disturbed = plain.clone();
    let h = free.opt.timestep;
    let size = mode.vector.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
    let scale = 1e-6 / size.max(f64::MIN_POSITIVE);
    match along {
        Along::Position => integrate_pos(free, &mut disturbed.qpos, &mode.vector, scale),
        Along::Velocity => {
            let moved = disturbed.qvel.iter_mut().zip(&mode.vector);
            moved.for_each(|(v, x)| *v = scale / h * x);
        }
    }

    // the growth of their difference; NaN counts as growth
    let mut dif = vec![0.0; free.nv];
    for _ in 0..TRIAL {
        if !go_on() {
            return None;
        }
        if step_checked(free, &mut disturbed).is_err() || step_checked(free, &mut plain).is_err() {
            return Some(true);
        }
        differentiate_pos(free, &mut dif, 1.0, &plain.qpos, &disturbed.qpos);
        let difference = (0..free.nv).fold(0.0_f64, |max, v| {
            max.max(dif[v].abs()).max(h * (disturbed.qvel[v] - plain.qvel[v]).abs())
        });
        if difference.is_nan() || difference >= GROWTH * 1e-6 {
            return Some(true);
        }
    }
    Some(false)
}

/// An unstable mode: its elements, and remedies.
fn too_fast(
    linear: &mut Linear<'_>,
    free: &Model,
    d: &Data,
    along: Along,
    mode: &Mode,
) -> Option<Finding> {
    let first = shares(linear, along, mode).into_iter().next()?;
    let (mut remedies, go_on) = (Vec::new(), linear.go_on);
    if along == Along::Velocity && free.opt.integrator == Integrator::Euler {
        remedies.extend(other_integrator(free, d, mode, go_on));
    }
    remedies.extend(weaker_elements(free, d, along, go_on));
    remedies.extend(smaller_step(free, d, (along, mode), go_on));
    if first.part.kind == ObjType::Flex
        && let Some(last) = remedies.pop()
    {
        // a single value first, before elasticities from which other values follow
        remedies.insert(0, last);
    }
    let cause = match (first.part.kind, along) {
        (ObjType::Flex, _) => Cause::Flex,
        (ObjType::Unknown, _) => Cause::Fluid,
        (_, Along::Velocity) => Cause::Damping,
        (ObjType::Actuator, _) => Cause::Gain,
        _ => Cause::Spring,
    };
    let text = describe(free, along, mode, &first);
    let parts = vec![first.part];
    Some(Finding { cause, weight: Weight::Warning, parts, text, remedies })
}

/// Describes an unstable mode.
fn describe(m: &Model, along: Along, mode: &Mode, first: &Share) -> String {
    let h = m.opt.timestep;
    let part = &first.part;

    // the element
    let fluid = part.kind == ObjType::Unknown;
    let whose = match fluid {
        true => "the resistance of the fluid".to_string(),
        false => {
            let word = if along == Along::Position { "stiffness" } else { "damping" };
            match first.strength != 0.0 {
                true => format!("{part}: its {word} of {}", shown(first.strength)),
                false => format!("{part}: its {word}"),
            }
        }
    };

    // its effect, with the bound of the integrator
    let carried = carrier(m, mode).map_or(" it".to_string(), |body| format!(" {body}"));
    match along {
        Along::Position => {
            let omega = mode.value.sqrt();
            format!(
                "{whose} makes{carried} oscillate at {} rad/s, which a time step of {h} s cannot follow \
                 (h ω = {}, at most {})",
                shown(omega),
                shown(h * omega),
                if m.opt.integrator == Integrator::Rk4 { "2.8" } else { "2" },
            )
        }
        Along::Velocity => format!(
            "{whose} stops{carried} at a rate of {} /s, which a time step of {h} s cannot follow \
             (h b = {}, at most {})",
            shown(mode.value),
            shown(h * mode.value),
            if m.opt.integrator == Integrator::Rk4 { "2.8" } else { "2" },
        ),
    }
}

/// The body whose dof moves most in a mode, unless it belongs to a flex.
fn carrier(m: &Model, mode: &Mode) -> Option<Element> {
    let largest =
        (0..m.nv).max_by(|&a, &b| mode.vector[a].abs().total_cmp(&mode.vector[b].abs()))?;
    let of_flex = m.nflex > 0 && flex_of_dofs(m)[largest].is_some();
    (!of_flex).then(|| Element::new(m, ObjType::Body, m.dof_bodyid[largest].idx()))
}

/// An integrator with implicit damping, if it makes a damped mode stable.
fn other_integrator(
    free: &Model,
    d: &Data,
    mode: &Mode,
    go_on: &dyn Fn() -> bool,
) -> Option<Remedy> {
    let change = Change::one("opt.integrator", [0, 0], f64::from(Integrator::Implicitfast.0));
    let grows = grows(&changed(free, &change), d, Along::Velocity, mode, go_on)?;
    (!grows).then(|| Remedy::new("integrator=\"implicitfast\"".into(), change))
}

/// Weakens elements one after the other until all modes are stable.
fn weaker_elements(
    free: &Model,
    d: &Data,
    along: Along,
    go_on: &dyn Fn() -> bool,
) -> Option<Remedy> {
    let implicit = implicit_damping(free);
    let mut trial = free.clone();
    let mut scratch = Data::new(free);
    let mut done: Vec<(Element, f64)> = Vec::new();
    for _ in 0..ROUNDS {
        let mut linear = Linear::new(&trial, d, go_on);
        let [_, fastest] = linear.extremes(along, &implicit, STEPS)?;
        let measured = measure(&trial, along, &fastest) / TARGET;
        if measured <= 1.02 {
            break;
        }
        let first = shares(&mut linear, along, &fastest).into_iter().next()?;
        let share = (first.work / fastest.value).clamp(0.1, 1.0);
        let factor = (1.0 - (1.0 - 1.0 / measured) / share).clamp(0.02, 0.9);
        match done.iter_mut().find(|(part, _)| *part == first.part) {
            Some((_, sofar)) => *sofar *= factor,
            None => done.push((first.part, factor)),
        }
        trial.clone_from(free);
        for (part, factor) in &done {
            weaker(free, part, along, *factor)?.0.apply(&mut trial, &mut scratch);
        }
    }

    // description, naming the first elements
    let mut change = Change::default();
    let mut words = String::new();
    for (k, (part, factor)) in done.iter().enumerate() {
        let (one, text) = weaker(free, part, along, *factor)?;
        change.0.extend(one.0);
        match k {
            0 => words = text,
            1 => words.push_str(&format!(", {text}")),
            2 => words.push_str(&format!(" and {} more", done.len() - 2)),
            _ => {}
        }
    }
    let mut linear = Linear::new(&trial, d, go_on);
    let [_, fastest] = linear.extremes(along, &implicit, STEPS)?;
    let holds = !done.is_empty() && !is_unstable(&mut linear, &trial, d, along, &fastest);
    holds.then(|| Remedy::new(words, change))
}

/// A time step that makes the mode stable.
fn smaller_step(
    free: &Model,
    d: &Data,
    (along, mode): (Along, &Mode),
    go_on: &dyn Fn() -> bool,
) -> Option<Remedy> {
    let measured = measure(free, along, mode);
    let shrink = match along {
        Along::Position => 1.0 / measured.sqrt(),
        Along::Velocity => 1.0 / measured,
    };
    let mut h = round_down(free.opt.timestep * shrink);
    for _ in 0..6 {
        let change = Change::one("opt.timestep", [0, 0], h);
        if !grows(&changed(free, &change), d, along, mode, go_on)? {
            return Some(Remedy::new(format!("timestep=\"{h}\""), change));
        }
        h = round_down(h / 2.0);
    }
    None
}

fn changed(m: &Model, change: &Change) -> Model {
    let mut copy = m.clone();
    let mut scratch = Data::new(m);
    change.apply(&mut copy, &mut scratch);
    copy
}

/// A force that amplifies itself.
fn runs_away(linear: &mut Linear<'_>, along: Along, mode: &Mode) -> Option<Finding> {
    let first = shares(linear, along, mode).into_iter().next()?;
    let m = &linear.m;
    if first.work >= 0.0 {
        return None;
    }
    let steps = steps_to_run_away(m, along, mode);
    let what = if along == Along::Position { "displacement" } else { "velocity" };
    let text = format!(
        "{}: its force grows with the {what} that it causes ({} per unit), e-fold in {} steps",
        first.part,
        shown(-first.strength),
        shown(steps)
    );
    let remedies = opposite(m, &first, along).into_iter().collect();
    let parts = vec![first.part];
    Some(Finding { cause: Cause::Feedback, weight: Weight::Warning, parts, text, remedies })
}

/// The remedy of the opposite sign.
fn opposite(m: &Model, share: &Share, along: Along) -> Option<Remedy> {
    let id = share.part.id;
    let (field, column, old, word) = match (share.part.kind, along) {
        (ObjType::Actuator, Along::Position) => {
            ("actuator_biasprm", 1, m.actuator_biasprm[id][1], "a negative biasprm[1]")
        }
        (ObjType::Actuator, Along::Velocity) => {
            ("actuator_biasprm", 2, m.actuator_biasprm[id][2], "a negative biasprm[2]")
        }
        (ObjType::Joint, Along::Position) => {
            ("jnt_stiffness", 0, m.jnt_stiffness[id], "a positive stiffness")
        }
        (ObjType::Joint, Along::Velocity) => {
            let v = m.jnt_dofadr[id].idx();
            return Some(Remedy::new(
                format!("a positive damping at {}", share.part),
                Change::one("dof_damping", [v, 0], m.dof_damping[v].abs()),
            ));
        }
        (ObjType::Tendon, Along::Position) => {
            ("tendon_stiffness", 0, m.tendon_stiffness[id], "a positive stiffness")
        }
        (ObjType::Tendon, Along::Velocity) => {
            ("tendon_damping", 0, m.tendon_damping[id], "a positive damping")
        }
        _ => return None,
    };
    let value = if field == "actuator_biasprm" { -old.abs() } else { old.abs() };
    let mut change = Change::one(field, [id, column], value);
    if field == "actuator_biasprm" && m.actuator_gainprm[id][0] == -old {
        // gain and bias of a servo are the same value
        change = change.and("actuator_gainprm", [id, 0], old.abs());
    }
    Some(Remedy::new(format!("{word} ({}) at {}", shown(value), share.part), change))
}
