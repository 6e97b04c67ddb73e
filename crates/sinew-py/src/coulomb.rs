//! The exact friction mode: settings and certificate as dictionaries, and friction parameters of
//! geoms.

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sinew_model::coulomb::{Certificate, ContactState, Coulomb, CoulombStatus, FrictionLaw};

use crate::data::Data;
use crate::model::Model;

/// Settings of the exact friction mode.
#[pyfunction]
fn coulomb_settings<'py>(m: &Bound<'py, Model>) -> PyResult<Bound<'py, PyDict>> {
    let py = m.py();
    let c: Coulomb = m.get().cell.read(py)?.coulomb.clone();
    let out = PyDict::new(py);
    out.set_item("enabled", c.enabled)?;
    out.set_item("law", if c.law == FrictionLaw::Exact { "exact" } else { "convex" })?;
    out.set_item("tolerance", c.tolerance)?;
    out.set_item("iterations", c.iterations)?;
    out.set_item("bounce_speed", c.bounce_speed)?;
    out.set_item("slop", c.slop)?;
    out.set_item("correction", c.correction)?;
    out.set_item("geom_restitution", c.geom_restitution)?;
    out.set_item("pair_restitution", c.pair_restitution)?;
    Ok(out)
}

/// Sets the given settings.
#[pyfunction]
fn set_coulomb_settings(m: &Bound<'_, Model>, settings: &Bound<'_, PyDict>) -> PyResult<()> {
    let py = m.py();
    let mut new: Coulomb = m.get().cell.read(py)?.coulomb.clone();
    for (key, value) in settings {
        let key: String = key.extract()?;
        match key.as_str() {
            "enabled" => new.enabled = value.extract()?,
            "law" => new.law = law(&value.extract::<String>()?)?,
            "tolerance" => new.tolerance = value.extract()?,
            "iterations" => new.iterations = value.extract()?,
            "bounce_speed" => new.bounce_speed = value.extract()?,
            "slop" => new.slop = value.extract()?,
            "correction" => new.correction = value.extract()?,
            "geom_restitution" => new.geom_restitution = value.extract()?,
            "pair_restitution" => new.pair_restitution = value.extract()?,
            _ => return Err(PyKeyError::new_err(key)),
        }
    }
    m.get().cell.write(py)?.coulomb = new;
    Ok(())
}

fn law(word: &str) -> PyResult<FrictionLaw> {
    match word {
        "exact" => Ok(FrictionLaw::Exact),
        "convex" => Ok(FrictionLaw::Convex),
        _ => Err(PyValueError::new_err(format!("law is '{word}', wanted 'exact' or 'convex'"))),
    }
}

/// `solreffriction` of every geom; zeros mean the default.
#[pyfunction]
fn geom_solreffriction(m: &Bound<'_, Model>) -> PyResult<Vec<[f64; 2]>> {
    let m = m.get().cell.read(m.py())?;
    Ok(m.geoms().map(|g| m.solreffriction(g)).collect())
}

/// Sets `solreffriction` of every geom.
#[pyfunction]
fn set_geom_solreffriction(m: &Bound<'_, Model>, values: Vec<[f64; 2]>) -> PyResult<()> {
    let mut m = m.get().cell.write(m.py())?;
    if values.len() != m.ngeom {
        let (found, wanted) = (values.len(), m.ngeom);
        return Err(PyValueError::new_err(format!("{found} rows, wanted one per geom: {wanted}")));
    }
    let any = values.iter().any(|v| *v != [0.0; 2]);
    m.geom_solreffriction = if any { values } else { Vec::new() };
    Ok(())
}

/// Certificate of the last step of the mode.
#[pyfunction]
fn coulomb_certificate<'py>(d: &Bound<'py, Data>) -> PyResult<Bound<'py, PyDict>> {
    let py = d.py();
    let c: Certificate = d.get().cell.read(py)?.coulomb.clone();
    let out = PyDict::new(py);
    out.set_item("status", status(c.status))?;
    out.set_item("converged", c.converged())?;
    out.set_item("residual", c.residual)?;
    out.set_item("residual_impulse", c.residual_impulse)?;
    out.set_item("residual_velocity", c.residual_velocity)?;
    out.set_item("iterations", c.iterations)?;
    out.set_item("convex_problems", c.convex_problems)?;
    out.set_item("restitution_scale", c.restitution_scale)?;
    out.set_item("energy", c.energy)?;

    // contacts
    let contacts = PyList::empty(py);
    for contact in &c.contacts {
        let row = PyDict::new(py);
        row.set_item("contact", contact.contact)?;
        row.set_item("geom", contact.geom)?;
        row.set_item("state", state(contact.state))?;
        row.set_item("impulse", contact.impulse)?;
        contacts.append(row)?;
    }
    out.set_item("contacts", contacts)?;
    Ok(out)
}

fn status(status: CoulombStatus) -> &'static str {
    match status {
        CoulombStatus::Idle => "idle",
        CoulombStatus::Converged => "converged",
        CoulombStatus::NotConverged => "not converged",
        CoulombStatus::IllPosed => "ill-posed",
        CoulombStatus::Invalid => "invalid",
        CoulombStatus::Unsupported => "unsupported",
    }
}

fn state(state: ContactState) -> &'static str {
    match state {
        ContactState::Separate => "separate",
        ContactState::Stick => "stick",
        ContactState::Slide => "slide",
    }
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(coulomb_settings, m)?)?;
    m.add_function(wrap_pyfunction!(set_coulomb_settings, m)?)?;
    m.add_function(wrap_pyfunction!(geom_solreffriction, m)?)?;
    m.add_function(wrap_pyfunction!(set_geom_solreffriction, m)?)?;
    m.add_function(wrap_pyfunction!(coulomb_certificate, m)?)
}
