//! The extension module `sinew._sinew`: Python's door to the engine.
//!
//! `lock` shares models and states among threads, `memory` with numpy (`pin` keeps memory that lists
//! leave), `model` and `data` are the classes, `fields` their
//! attributes, `call` the way into the engine, `callback` the way back; `spatial`, `vector` and `functions` hold MuJoCo's
//! functions. What needs no speed (named access, records, enumerations) is written in Python on
//! top of the tables that `tables` hands over.
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
mod dynamics;
mod fields;
mod functions;
mod inverse;
mod load;
mod lock;
mod memory;
mod model;
mod numeric;
mod pickle;
mod pin;
mod plugin;
mod ray;
mod records;
mod render;
mod rollout;
mod scene;
mod setup;
mod shown;
mod spatial;
mod spec;
mod tables;
mod vector;
mod viewer;

use pyo3::prelude::*;

#[pymodule]
fn _sinew(m: &Bound<'_, PyModule>) -> PyResult<()> {
    call::register();
    lock::register(m)?;
    m.add_class::<model::Model>()?;
    m.add_class::<data::Data>()?;
    m.add_class::<fields::Field>()?;
    m.add("FatalError", m.py().get_type::<call::FatalError>())?;
    m.add("UnexpectedError", m.py().get_type::<call::UnexpectedError>())?;
    records::register(m)?;
    tables::register(m)?;
    spatial::register(m)?;
    vector::register(m)?;
    functions::register(m)?;
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
    batch::register(m)?;
    rollout::register(m)?;
    spec::register(m)?;
    load::register(m)
}
