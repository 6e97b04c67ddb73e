//! `mj_geomDistance`.

use pyo3::prelude::*;
use sinew_engine as engine;
use sinew_model::GeomId;

use crate::args::{OutVector, index, require};
use crate::call::run;
use crate::data::Data;
use crate::model::Model;

/// The distance between two geoms, or `distmax` if it is larger. The segment between the nearest
/// points is written to `fromto`.
#[pyfunction]
#[pyo3(signature = (m, d, geom1, geom2, distmax, fromto))]
fn mj_geomDistance(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    geom1: i64,
    geom2: i64,
    distmax: f64,
    fromto: Option<OutVector<'_>>,
) -> PyResult<f64> {
    require(fromto.as_ref().is_none_or(|out| out.len() == 6), "fromto should be of size 6")?;
    let ngeom = m.get().cell.peek_ref(|m| m.ngeom);
    let geom1 = GeomId::new(index("mj_geomDistance: geom1", geom1, ngeom)?);
    let geom2 = GeomId::new(index("mj_geomDistance: geom2", geom2, ngeom)?);
    let nearest = run(m.py(), m, d, |m, d| engine::geom_distance(m, d, geom1, geom2, distmax))?;
    let engine::Distance { dist, from, to } = nearest;
    if let Some(out) = fromto {
        out.set(&[from.to_array(), to.to_array()].concat())?;
    }
    Ok(dist)
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_geomDistance, m)?)
}
