//! The extension module `sinew._sinew`, Python's binding to the engine.
//!
//! - `model` and `data` are the classes, and `fields` their attributes (`scalars`, `shown`,
//!   `lists`).
//! - `lock` shares models and states among threads, `memory` with numpy; `pin` keeps the memory of
//!   lists that move.
//! - `call` has the calls into the engine, `callback` the calls from it, and `failure` their
//!   exceptions.
//! - `spatial`, `vector` and `functions` have MuJoCo's functions.
//!
//! Named access, records and enumerations need no speed: they are Python code over the tables of
//! `tables`.
#![allow(non_snake_case)]

mod args;
mod batch;
mod call;
mod callback;
mod collision;
mod constraint;
mod coulomb;
mod data;
mod dense;
mod device;
mod diverge;
mod dynamics;
mod failure;
mod fields;
mod functions;
mod inverse;
mod later;
mod lists;
mod load;
mod lock;
mod memory;
mod model;
mod numbers;
mod numeric;
mod pickle;
mod pin;
mod plugin;
mod ray;
mod records;
mod render;
mod rollout;
mod scalars;
mod scene;
mod setup;
mod shown;
mod spatial;
mod spec;
mod step;
mod tables;
mod transition;
mod vector;
mod viewer;
mod watch;

use pyo3::prelude::*;

#[pymodule]
fn _sinew(m: &Bound<'_, PyModule>) -> PyResult<()> {
    check_processor()?;
    failure::register(m)?;
    lock::register(m)?;
    m.add_class::<model::Model>()?;
    m.add_class::<data::Data>()?;
    m.add_class::<fields::Field>()?;
    m.add("FatalError", m.py().get_type::<failure::FatalError>())?;
    m.add("UnexpectedError", m.py().get_type::<failure::UnexpectedError>())?;
    diverge::register(m)?;
    records::register(m)?;
    tables::register(m)?;
    spatial::register(m)?;
    vector::register(m)?;
    functions::register(m)?;
    step::register(m)?;
    dynamics::register(m)?;
    constraint::register(m)?;
    dense::register(m)?;
    inverse::register(m)?;
    callback::register(m)?;
    plugin::register(m)?;
    setup::register(m)?;
    numeric::register(m)?;
    ray::register(m)?;
    scene::register(m)?;
    render::register(m)?;
    viewer::register(m)?;
    collision::register(m)?;
    coulomb::register(m)?;
    later::register(m)?;
    batch::register(m)?;
    device::register(m)?;
    rollout::register(m)?;
    transition::register(m)?;
    spec::register(m)?;
    load::register(m)
}

/// Returns an error if the package was built for a newer processor, which would otherwise crash.
#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
fn check_processor() -> PyResult<()> {
    // `cpuid` directly, because `is_x86_feature_detected` is constant for features that the
    // compiler may assume
    const AVX: u32 = 1 << 28;
    if core::arch::x86_64::__cpuid(1).ecx & AVX != 0 {
        return Ok(());
    }
    Err(pyo3::exceptions::PyImportError::new_err(
        "this build of sinew needs a processor with AVX; build it from source with RUSTFLAGS=\"\"",
    ))
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
fn check_processor() -> PyResult<()> {
    Ok(())
}
