//! What is wrong with a state that must not be advanced.

use core::fmt;

use sinew_model::enums::Warning;

/// A number of the state is not finite or too large, or a buffer was full.
#[derive(Clone, Debug, PartialEq)]
pub struct BadState {
    /// What is bad.
    pub warning: Warning,
    /// Which coordinate, degree of freedom or actuator it is about.
    pub index: usize,
    /// The joint or actuator that is, if it has a name.
    pub name: Option<String>,
    /// Simulation time.
    pub time: f64,
}

impl fmt::Display for BadState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, index) = match self.warning {
            Warning::Inertia => ("the inertia matrix is close to singular", "dof"),
            Warning::Contactfull => ("there are too many contacts", "at"),
            Warning::Cnstrfull => ("there are too many constraints", "at"),
            Warning::Badqpos => ("qpos is not finite or huge", "coordinate"),
            Warning::Badqvel => ("qvel is not finite or huge", "dof"),
            Warning::Badqacc => ("qacc is not finite or huge", "dof"),
            Warning::Badctrl => ("ctrl is not finite or huge", "actuator"),
            _ => ("the state is bad", "at"),
        };
        write!(f, "{what} ({index} {}", self.index)?;
        if let Some(name) = &self.name {
            write!(f, ", '{name}'")?;
        }
        write!(f, ", time {})", self.time)
    }
}

impl core::error::Error for BadState {}
