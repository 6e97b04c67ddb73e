//! Models as text: read, checked, compiled, edited and written.
#![allow(clippy::unwrap_used)]

mod actuators;
mod broken_input;
mod cache;
mod common;
mod defaults;
mod deformables;
mod document;
mod editing;
mod equalities;
mod expanding;
mod fluids;
mod hostile;
mod meshes;
mod mujoco_style;
mod pairs;
mod reading;
mod saving;
mod sensors;
mod tables;
mod tendon_forces;
mod tendon_lengths;
mod tendons;
mod urdf;
mod world;
