//! The diagnosis: from a run with a bad state to the cause.

use core::fmt;

use sinew_engine::{contact_force, forward};
use sinew_model::enums::ObjType;
use sinew_model::{Data, Model};

use crate::bad_state::BadState;
use crate::change::Change;
use crate::checked::joint_of;
use crate::element::Element;
use crate::finding::{Cause, Finding, Remedy, Weight, round_down, shown};
use crate::rerun::{Budget, End, Past};
use crate::suspects::suspects;

/// The cause of a bad state, and remedies.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// Step that produced the bad state, counted from 1.
    pub step: u64,
    /// The bad state, with its time.
    pub bad: BadState,
    /// Step from which the velocities grew.
    pub since: u64,
    /// Joint with the bad value.
    pub joint: Option<Element>,
    /// The body of that joint.
    pub body: Option<Element>,
    /// Geoms or flexes of the strongest contact at the onset of growth.
    pub contact: Option<[Element; 2]>,
    /// The likely cause; a nonzero `held` means that its first remedy was tried.
    pub cause: Finding,
    /// Other findings.
    pub others: Vec<Finding>,
}

/// Reasons why there is no diagnosis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoDiagnosis {
    /// The repeated run has no bad state, as after changes of other inputs than controls.
    Finite,
    /// The search ended before the repeated run met the bad state.
    Unfinished,
}

impl fmt::Display for NoDiagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoDiagnosis::Finite => "the last steps do not go bad when they are run again",
            NoDiagnosis::Unfinished => {
                "the cause is unknown: there was no time to run the last steps again"
            }
        })
    }
}

impl core::error::Error for NoDiagnosis {}

/// Repeats the recorded run and finds its cause, while `go_on` returns true.
pub(crate) fn diagnose(
    m: &Model,
    past: &Past,
    most: usize,
    go_on: &dyn Fn() -> bool,
) -> Result<Diagnosis, NoDiagnosis> {
    // the step of the bad state, and the onset of growth
    let mut d = past.data(m);
    let end = past.run(m, &mut d, most, 1.0, go_on);
    let none = if end.stopped { NoDiagnosis::Unfinished } else { NoDiagnosis::Finite };
    let bad = end.bad.clone().ok_or(none)?;
    let since = onset(&end);
    let mut start = past.data(m);
    forward(m, &mut start);
    let growing = past.at(m, since, go_on);
    let joint = joint_of(m, bad.warning, bad.index);

    // the first suspect whose remedy keeps the same run finite
    let mut list = suspects(m, &start, &growing, go_on);
    let steps = end.steps + end.steps / 2 + 100;
    let mut left = Budget::new(go_on);
    let cause = culprit(m, past, &mut list, steps, &mut left);
    let body = joint.map(|j| Element::new(m, ObjType::Body, m.jnt_bodyid[j].idx()));
    Ok(Diagnosis {
        step: past.first + end.steps as u64 + 1,
        since: past.first + since as u64 + 1,
        joint: joint.map(|j| Element::new(m, ObjType::Joint, j)),
        body,
        contact: strongest_contact(m, &growing),
        cause,
        others: list,
        bad,
    })
}

/// Removes the cause from the list of findings, or returns a finding about the time step.
fn culprit(
    m: &Model,
    past: &Past,
    list: &mut Vec<Finding>,
    steps: usize,
    left: &mut Budget<'_>,
) -> Finding {
    // the first finding with a successful remedy
    for k in 0..list.len() {
        for r in 0..list[k].remedies.len() {
            if let Some(held) = past.held(m, &list[k].remedies[r].change, steps, left) {
                let mut cause = list.remove(k);
                let mut remedy = cause.remedies.remove(r);
                remedy.held = held;
                cause.remedies.insert(0, remedy);
                return cause;
            }
        }
    }

    // else a smaller time step, the first finding, or an unknown cause
    if let Some(finding) = smaller_step(m, past, steps, left) {
        return finding;
    }
    if !list.is_empty() {
        return list.remove(0);
    }
    let text = match (left.go_on)() {
        true => "no rule names the cause, and no smaller time step that was tried helps",
        false => "unknown: the time of the search was over before a rule named one",
    };
    Finding {
        cause: Cause::Unknown,
        weight: Weight::Warning,
        parts: Vec::new(),
        text: text.into(),
        remedies: Vec::new(),
    }
}

/// The largest of some smaller time steps with which the run stays finite.
fn smaller_step(m: &Model, past: &Past, steps: usize, left: &mut Budget<'_>) -> Option<Finding> {
    let h = m.opt.timestep;
    for divisor in [2.0, 5.0, 20.0] {
        let smaller = round_down(h / divisor);
        let change = Change::one("opt.timestep", [0, 0], smaller);
        if let Some(held) = past.held(m, &change, steps, left) {
            let text = format!("the time step of {h} s is too large for this motion");
            let remedy = Remedy { text: format!("timestep=\"{smaller}\""), change, held };
            return Some(Finding {
                cause: Cause::TimeStep,
                weight: Weight::Warning,
                parts: Vec::new(),
                text,
                remedies: vec![remedy],
            });
        }
    }
    None
}

/// The last step before the velocities exceeded their usual range.
fn onset(end: &End) -> usize {
    let mut sorted: Vec<f64> = end.speeds.iter().map(|s| s.0).filter(|x| x.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let (Some(&usual), Some(&last)) = (sorted.get(sorted.len() / 4), sorted.last()) else {
        return 0;
    };
    let usual = usual.max(1e-6);
    let bound = usual * (last / usual).max(1.0).powf(0.2);
    end.speeds.iter().rposition(|s| s.0 <= bound).unwrap_or(0)
}

/// The geoms or flexes of the contact with the largest force.
fn strongest_contact(m: &Model, d: &Data) -> Option<[Element; 2]> {
    let force = |c: usize| {
        let f = contact_force(m, d, c).force;
        f.dot(f)
    };
    let strongest = (0..d.contact.len())
        .filter(|&c| d.contact[c].efc_address >= 0)
        .max_by(|&a, &b| force(a).total_cmp(&force(b)))?;
    let contact = &d.contact[strongest];
    Some([0, 1].map(|side| match usize::try_from(contact.geom[side]) {
        Ok(geom) => Element::new(m, ObjType::Geom, geom),
        Err(_) => Element::new(m, ObjType::Flex, contact.flex[side].max(0) as usize),
    }))
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "diverged at step {} (time {} s): {}",
            self.step,
            shown(self.bad.time),
            self.bad
        )?;
        let mut place = Vec::new();
        if let (Some(joint), Some(body)) = (&self.joint, &self.body) {
            place.push(format!("{joint} of {body}"));
        }
        place.push(format!("growing since step {}", self.since));
        if let Some([a, b]) = &self.contact {
            place.push(format!("strongest contact: {a} and {b}"));
        }
        writeln!(f, "  where  {}", place.join(", "))?;
        write!(f, "  cause  {}", self.cause.text)?;
        for (k, remedy) in self.cause.remedies.iter().enumerate() {
            let word = match k {
                0 if remedy.held > 0 => "holds  with",
                0 => "try   ",
                _ => "       or",
            };
            write!(f, "\n  {word} {}", remedy.text)?;
            if remedy.held > 0 {
                write!(f, " (tried for {} steps)", remedy.held)?;
            }
        }
        for other in self.others.iter().take(3) {
            write!(f, "\n  also   {}", other.text)?;
        }
        Ok(())
    }
}
