//! Findings and their remedies.

use core::fmt;

use crate::change::Change;
use crate::element::Element;

/// Cause of a bad state, or of a likely one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// A value set by the user is not finite or too large.
    Input,
    /// An actuator's stiffness is too high for the time step.
    Gain,
    /// A joint's or a tendon's spring is too stiff for the time step.
    Spring,
    /// A flexible body is too stiff for the time step.
    Flex,
    /// An explicit damper is too strong for the time step.
    Damping,
    /// The fluid's drag is too strong for the time step.
    Fluid,
    /// A force grows with the displacement or the velocity that it causes.
    Feedback,
    /// A contact, limit or equality is too stiff for the time step.
    StiffConstraint,
    /// The solver stopped before it converged, as with large ratios of masses.
    Solver,
    /// Geoms overlap at the start.
    Overlap,
    /// A joint or tendon starts beyond its limit, or its limits are always active.
    Limit,
    /// An equality is violated at the start.
    Equality,
    /// An inertia is too small for the forces on it.
    Inertia,
    /// A body rotates too far in one time step.
    Spin,
    /// The time step is too large, for a reason that no other rule identifies.
    TimeStep,
    /// A body sinks into another beyond its half thickness.
    Penetration,
    /// A geom moves so far in a time step that it may pass through others.
    Tunnelling,
    /// Energy appears without a source.
    Energy,
    /// The volume of a mesh differs much from its convex hull, which collides.
    Hull,
    /// No element refers to an asset.
    Unused,
    /// No rule applies.
    Unknown,
}

impl Cause {
    /// An identifier for programs.
    pub fn code(self) -> &'static str {
        match self {
            Cause::Input => "input",
            Cause::Gain => "gain",
            Cause::Spring => "spring",
            Cause::Flex => "flex",
            Cause::Damping => "damping",
            Cause::Fluid => "fluid",
            Cause::Feedback => "feedback",
            Cause::StiffConstraint => "stiff-constraint",
            Cause::Solver => "solver",
            Cause::Overlap => "overlap",
            Cause::Limit => "limit",
            Cause::Equality => "equality",
            Cause::Inertia => "inertia",
            Cause::Spin => "spin",
            Cause::TimeStep => "time-step",
            Cause::Penetration => "penetration",
            Cause::Tunnelling => "tunnelling",
            Cause::Energy => "energy",
            Cause::Hull => "hull",
            Cause::Unused => "unused",
            Cause::Unknown => "unknown",
        }
    }
}

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The simulation will probably have a bad state.
    Warning,
    /// A remark.
    Note,
}

/// A suggested change.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// Description in the words of MJCF.
    pub text: String,
    /// The change of fields.
    pub change: Change,
    /// Number of steps that the run stayed finite with the change; zero if it was not tried.
    pub held: usize,
}

impl Remedy {
    /// An untried remedy.
    pub(crate) fn new(text: String, change: Change) -> Remedy {
        Remedy { text, change, held: 0 }
    }
}

/// A result of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Cause.
    pub cause: Cause,
    /// Severity.
    pub weight: Weight,
    /// The elements concerned.
    pub parts: Vec<Element>,
    /// Description with the measured values.
    pub text: String,
    /// Remedies, the best first.
    pub remedies: Vec<Remedy>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        let texts: Vec<&str> = self.remedies.iter().map(|r| r.text.as_str()).collect();
        match texts.is_empty() {
            true => Ok(()),
            false => write!(f, "; holds with {}", texts.join(", or ")),
        }
    }
}

/// A positive number rounded to two digits, not above `x`, for suggested values.
pub(crate) fn round_down(x: f64) -> f64 {
    if !(x.is_finite() && x > 0.0) {
        return x;
    }
    let unit = 10f64.powi(x.log10().floor() as i32 - 1);
    let rounded = (x / unit * (1.0 + 1e-12)).floor() * unit;
    // parsing two decimal digits gives the shortest representation
    format!("{rounded:.1e}").parse().unwrap_or(rounded)
}

/// A positive number rounded to two digits, not below `x`.
pub(crate) fn round_up(x: f64) -> f64 {
    let down = round_down(x);
    if down >= x || !(x.is_finite() && x > 0.0) {
        return x;
    }
    let unit = 10f64.powi(x.log10().floor() as i32 - 1);
    format!("{:.1e}", down + unit).parse().unwrap_or(x)
}

/// A number in three digits, for messages.
pub(crate) fn shown(x: f64) -> String {
    let size = x.abs();
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        return format!("{x:.2e}");
    }
    let digits = if size >= 100.0 || size == 0.0 { 0 } else { 2 - size.log10().floor() as i32 };
    let text = format!("{x:.*}", digits.max(0) as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_for_people_have_two_digits_and_stay_on_their_side() {
        for x in [0.00123, 7.0, 0.002, 99.9, 1234.5, 1e-9, 3.33e12] {
            let (down, up) = (round_down(x), round_up(x));
            assert!(down <= x && x <= up && up < 1.11 * down, "{down} {x} {up}");
            assert!(down.to_string().trim_matches(|c| "0.".contains(c)).len() <= 13);
        }
        assert_eq!(round_down(0.002), 0.002);
        assert_eq!(round_down(1234.5), 1200.0);
        assert_eq!(round_up(1234.5), 1300.0);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0.0123456, 1234.5, 2.5, 1e7, 0.0].map(shown),
            ["0.0123", "1234", "2.5", "1.00e7", "0"]
        );
    }
}
