//! Possible causes of a bad state, the likeliest first.

use sinew_engine::{forward, is_bad};
use sinew_model::enums::{Integrator, ObjType, SolverType};
use sinew_model::{BodyId, Data, DofId, Model};

use crate::change::Change;
use crate::element::Element;
use crate::explicit::explicit;
use crate::finding::{Cause, Finding, Remedy, Weight, round_down, round_up, shown};
use crate::rows::{stiff_elements, stiff_rows};
use crate::start::{beyond_limits, overlaps, violated_equalities};
use crate::values::{not_finite, start_not_finite};

/// Rotation of a body per step, in radians, above which the integration is inaccurate.
const TURN: f64 = 0.5;
/// Displacement of a dof per step by one force, in radians or metres, above which the inertia is
/// too small.
const JUMP: f64 = 0.5;

/// Iterations that suffice for Newton's method, and relative error of a solution that is reported.
const ITERATIONS: i32 = 100;
const WRONG: f64 = 0.5;

/// The suspects of a run from its initial state and the state at the onset of growth, while `go_on`
/// returns true. Both states have their forces.
pub(crate) fn suspects(
    m: &Model,
    start: &Data,
    onset: &Data,
    go_on: &dyn Fn() -> bool,
) -> Vec<Finding> {
    let mut found = not_finite(m);
    found.extend(start_not_finite(m, start));
    found.extend(inputs(m, start));
    let rules: [&dyn Fn() -> Vec<Finding>; 12] = [
        &|| explicit(m, start, go_on),
        &|| explicit(m, onset, go_on),
        &|| stiff_rows(m, start),
        &|| stiff_rows(m, onset),
        &|| stiff_elements(m),
        &|| unsolved(m, start),
        &|| unsolved(m, onset),
        &|| overlaps(m, start, 0.05).into_iter().take(3).collect(),
        &|| beyond_limits(m, &start.qpos, start, 0.0),
        &|| violated_equalities(m, start, 0.05),
        &|| too_light(m, start).or_else(|| too_light(m, onset)).into_iter().collect(),
        &|| turning(m, start).or_else(|| turning(m, onset)).into_iter().collect(),
    ];
    for rule in rules {
        if !go_on() {
            break;
        }
        for finding in rule() {
            let known = |f: &Finding| f.cause == finding.cause && f.parts == finding.parts;
            if !found.iter().any(known) {
                found.push(finding);
            }
        }
    }
    found
}

/// Inputs of the user that are not finite or too large.
fn inputs(m: &Model, d: &Data) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |part: Element, field: &'static str, at: [usize; 2], value: f64| {
        let text = format!("{field} of {part} is {value}");
        let remedies =
            vec![Remedy::new(format!("{field}[{}] = 0", at[0]), Change::one(field, at, 0.0))];
        let weight = Weight::Warning;
        found.push(Finding { cause: Cause::Input, weight, parts: vec![part], text, remedies });
    };
    let joint = |v: usize| Element::new(m, ObjType::Joint, m.dof_jntid[v].idx());
    // larger accelerations are bad states
    let huge = |x: f64| is_bad(x) || x.abs() > 1e9;
    for (u, &x) in d.ctrl.iter().enumerate().filter(|(_, x)| huge(**x)) {
        add(Element::new(m, ObjType::Actuator, u), "ctrl", [u, 0], x);
    }
    for (v, &x) in d.qfrc_applied.iter().enumerate().filter(|(_, x)| huge(**x)) {
        add(joint(v), "qfrc_applied", [v, 0], x);
    }
    for (v, &x) in d.qvel.iter().enumerate().filter(|(_, x)| huge(**x)) {
        add(joint(v), "qvel", [v, 0], x);
    }
    for (b, x) in d.xfrc_applied.iter().enumerate() {
        let flat: [f64; 6] = x.to_array();
        for (k, &x) in flat.iter().enumerate().filter(|(_, x)| huge(**x)) {
            add(Element::new(m, ObjType::Body, b), "xfrc_applied", [b, k], x);
        }
    }
    found
}

/// A solution of the solver that differs much from Newton's method.
fn unsolved(m: &Model, d: &Data) -> Vec<Finding> {
    let enough = m.opt.solver == SolverType::Newton && m.opt.iterations >= ITERATIONS;
    if d.nefc == 0 || enough {
        return Vec::new();
    }
    let mut right = m.clone();
    right.opt.solver = SolverType::Newton;
    right.opt.iterations = ITERATIONS;
    let mut solved = d.clone();
    forward(&right, &mut solved);
    let largest = |x: &mut dyn Iterator<Item = f64>| x.fold(0.0_f64, |max, x| max.max(x.abs()));
    let wanted = largest(&mut solved.qacc.iter().copied());
    let pairs = d.qacc.iter().zip(solved.qacc.iter());
    let off = largest(&mut pairs.map(|(a, b)| a - b)) / wanted.max(1e-9);
    if off.is_nan() || off <= WRONG {
        return Vec::new();
    }

    // description, with the usual cause
    let moving = m.body_mass.iter().skip(1).copied().filter(|&mass| mass > 0.0);
    let (light, heavy) =
        moving.fold((f64::MAX, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
    let name = match m.opt.solver {
        SolverType::Pgs => "PGS",
        SolverType::Cg => "CG",
        _ => "Newton",
    };
    let text = format!(
        "the solver ({name}, {} iterations) gives accelerations that are off by {} times the right \
         ones; masses are between {} and {} kg, a ratio of {}",
        m.opt.iterations,
        shown(off),
        shown(light),
        shown(heavy),
        shown(heavy / light)
    );
    let iterations = f64::from(ITERATIONS);
    let change = Change::one("opt.iterations", [0, 0], iterations);
    let mut remedies = vec![Remedy::new(format!("iterations=\"{iterations}\""), change.clone())];
    if m.opt.solver != SolverType::Newton {
        let newton = change.and("opt.solver", [0, 0], f64::from(SolverType::Newton.0));
        remedies.insert(
            0,
            Remedy::new(format!("solver=\"Newton\" iterations=\"{iterations}\""), newton),
        );
    }
    let (weight, parts) = (Weight::Warning, Vec::new());
    vec![Finding { cause: Cause::Solver, weight, parts, text, remedies }]
}

/// The dof whose acceleration by actuators and springs exceeds the bound most.
fn too_light(m: &Model, d: &Data) -> Option<Finding> {
    let h = m.opt.timestep;
    let force = |v: usize| d.qfrc_actuator[v].abs() + d.qfrc_applied[v].abs();
    let jump = |v: usize| force(v) * m.dof_invweight0[v] * h * h;
    let worst = (0..m.nv).max_by(|&a, &b| jump(a).total_cmp(&jump(b)))?;
    if jump(worst).is_nan() || jump(worst) <= JUMP {
        return None;
    }
    let part = Element::new(m, ObjType::Joint, m.dof_jntid[DofId::new(worst)].idx());
    let inertia = 1.0 / m.dof_invweight0[worst];
    let text = format!(
        "{part}: a force of {} on an inertia of {} moves it by {} in one time step of {h} s",
        shown(force(worst)),
        shown(inertia),
        shown(jump(worst))
    );
    let armature = round_up(force(worst) * h * h / 0.002 + m.dof_armature[worst]);
    let heavier = Remedy::new(
        format!("armature=\"{armature}\" at {part}"),
        Change::one("dof_armature", [worst, 0], armature),
    );
    let (weight, remedies) = (Weight::Warning, vec![heavier]);
    Some(Finding { cause: Cause::Inertia, weight, parts: vec![part], text, remedies })
}

/// The body with the largest rotation per step.
fn turning(m: &Model, d: &Data) -> Option<Finding> {
    let h = m.opt.timestep;

    // the fastest body
    let speed = |b: BodyId| {
        let [x, y, z, ..] = d.cvel[b].to_array();
        (x * x + y * y + z * z).sqrt()
    };
    let worst = m.bodies().skip(1).max_by(|&a, &b| speed(a).total_cmp(&speed(b)))?;
    let spin = speed(worst);
    if !spin.is_finite() || h * spin <= TURN {
        return None;
    }

    // rotation per step
    let part = Element::new(m, ObjType::Body, worst.idx());
    let text = format!(
        "{part} turns at {} rad/s, {} rad in one time step of {h} s",
        shown(spin),
        shown(h * spin)
    );

    // remedies: a smaller step, or an integrator with implicit gyroscopic forces
    let smaller = round_down(0.05 / spin);
    let mut remedies = vec![Remedy::new(
        format!("timestep=\"{smaller}\""),
        Change::one("opt.timestep", [0, 0], smaller),
    )];
    if m.opt.integrator != Integrator::Implicit {
        let change = Change::one("opt.integrator", [0, 0], f64::from(Integrator::Implicit.0));
        remedies.push(Remedy::new("integrator=\"implicit\"".into(), change));
    }
    let weight = Weight::Warning;
    Some(Finding { cause: Cause::Spin, weight, parts: vec![part], text, remedies })
}
