//! The kernel, natively, beside the engine.
#![allow(clippy::unwrap_used)]

mod native;
mod native_constraints;
mod native_contacts;
mod native_results;
mod native_sensors;
mod native_smooth;
