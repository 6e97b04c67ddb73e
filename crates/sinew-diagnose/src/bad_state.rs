//! Reasons why a state cannot be advanced.

use core::fmt;

use sinew_model::enums::Warning;

/// A state that cannot be advanced: a value is not finite or too large, or a buffer is full.
#[derive(Clone, Debug, PartialEq)]
pub struct BadState {
    /// Warning that describes the fault.
    pub warning: Warning,
    /// Index of the coordinate, degree of freedom or actuator.
    pub index: usize,
    /// Name of the joint or actuator, if it has one.
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
