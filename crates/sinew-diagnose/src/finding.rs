//! What was found, and what to do about it.

use core::fmt;

use crate::change::Change;
use crate::part::Part;

/// Why a simulation goes bad, or may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// A number the user gave is not finite or huge.
    Input,
    /// An actuator's stiffness is too high for the time step.
    Gain,
    /// A joint's or a tendon's spring is too stiff for the time step.
    Spring,
    /// A flexible body is too stiff for the time step.
    Flex,
    /// A damper that is not implicit is too strong for the time step.
    Damping,
    /// The resistance of the fluid is too strong for the time step.
    Fluid,
    /// A force grows with the displacement or the velocity that it causes.
    Feedback,
    /// A contact, limit or equality answers faster than the time step.
    StiffConstraint,
    /// The solver stopped before its answer was good, as with heavy bodies on light ones.
    Solver,
    /// Geoms overlap at the start.
    Overlap,
    /// A joint or tendon starts beyond its limit, or its limits leave it no room.
    Limit,
    /// An equality starts far from what it demands.
    Equality,
    /// An inertia is too small for the forces on it.
    Inertia,
    /// A body turns too far in one time step.
    Spin,
    /// The time step is too large, for a reason that no other rule names.
    TimeStep,
    /// A mesh differs much from the convex hull that it collides with.
    Hull,
    /// Nothing refers to it.
    Unused,
    /// No rule applies.
    Unknown,
}

impl Cause {
    /// A short word for programs.
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
            Cause::Hull => "hull",
            Cause::Unused => "unused",
            Cause::Unknown => "unknown",
        }
    }
}

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The simulation will probably go bad.
    Warning,
    /// Worth knowing.
    Note,
}

/// What would help.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// In words, as MJCF says it.
    pub text: String,
    /// The same as numbers of fields.
    pub change: Change,
    /// For how many steps the run held with it; zero if that was not tried.
    pub held: usize,
}

impl Remedy {
    /// A remedy that nobody has tried.
    pub(crate) fn new(text: String, change: Change) -> Remedy {
        Remedy { text, change, held: 0 }
    }
}

/// A suspicious thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What kind of thing.
    pub cause: Cause,
    /// How much it weighs.
    pub weight: Weight,
    /// What it is about.
    pub parts: Vec<Part>,
    /// What was measured, in words.
    pub text: String,
    /// What would help, the first being the best.
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

/// A positive number with two digits, not above `x`: values for people to write.
pub(crate) fn round_down(x: f64) -> f64 {
    if !(x.is_finite() && x > 0.0) {
        return x;
    }
    let unit = 10f64.powi(x.log10().floor() as i32 - 1);
    let rounded = (x / unit * (1.0 + 1e-12)).floor() * unit;
    // through decimal digits, so that it prints as short as it is
    format!("{rounded:.1e}").parse().unwrap_or(rounded)
}

/// A positive number with two digits, not below `x`.
pub(crate) fn round_up(x: f64) -> f64 {
    let down = round_down(x);
    if down >= x || !(x.is_finite() && x > 0.0) {
        return x;
    }
    let unit = 10f64.powi(x.log10().floor() as i32 - 1);
    format!("{:.1e}", down + unit).parse().unwrap_or(x)
}

/// A number for people: three digits.
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
