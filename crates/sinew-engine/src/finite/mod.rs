//! Derivatives of a whole step and of inverse dynamics by finite differences.

mod differences;

pub use differences::{
    FiniteDifferenceError, InverseJacobians, Transition, inverse_fd_with, transition_fd_with,
};
