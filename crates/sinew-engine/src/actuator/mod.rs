//! Actuators: from controls over activations and forces to forces on the dofs.

pub(crate) mod history;
pub(crate) mod muscle;

pub(crate) mod dcmotor;
pub(crate) mod pid;
pub(crate) mod servo;

pub(crate) mod actuation;
pub(crate) mod transmission;
