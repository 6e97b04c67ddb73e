//! Per-step lists as Python sees them. Dense matrices, copies sorted by island, and marks of
//! bounding volumes are updated when they are read. Values written to dense matrices are copied to
//! the state before the next call into the engine.

use std::sync::atomic::Ordering;

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use sinew_engine as engine;

use crate::data::Data;
use crate::failure::caught;
use crate::memory::is_shared;
use crate::shown::{Dense, ListKind, Matrix, entries, set_dense};

/// The list as Python sees it; `index` is the field's index.
pub(crate) fn list<'py>(
    py: Python<'py>,
    d: &Data,
    kind: ListKind,
    index: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let matrix = match kind {
        ListKind::Plain => return plain(py, d, index),
        ListKind::Sorted => {
            sort(py, d)?;
            return d.list(py, index);
        }
        ListKind::Entries(matrix) | ListKind::Columns(matrix) | ListKind::Rows(matrix) => matrix,
    };
    let (sparse, nv) = d.model.get().cell.peek_ref(|m| (m.is_sparse(), m.nv));
    let (nefc, inertia) = d.cell.peek_ref(|d| (d.nefc, d.nA > 0));
    // a primal solver without this matrix has no rows of it; MuJoCo shows uninitialised memory
    let no_rows = !inertia && kind == ListKind::Rows(Matrix::Inertia);
    let by_hand = d.resized.load(Ordering::Relaxed) == d.calls();
    if (sparse && !no_rows) || by_hand {
        return d.list(py, index);
    }
    let width = match (matrix, inertia) {
        (Matrix::Jacobian, _) => nv,
        (Matrix::Inertia, true) => nefc,
        (Matrix::Inertia, false) => 0,
    };
    Ok(match kind {
        ListKind::Entries(matrix) => dense(py, d, matrix, width)?,
        ListKind::Columns(_) => PyArray1::<i32>::zeros(py, nefc * width, false).into_any(),
        _ => PyArray1::<i32>::zeros(py, nefc, false).into_any(),
    })
}

/// The marks of the bounding volumes that were active in the last collision detection.
pub(crate) fn marks<'py>(py: Python<'py>, d: &Data, index: usize) -> PyResult<Bound<'py, PyAny>> {
    d.model.get().check(py)?;
    {
        let m = d.model.get().cell.read(py)?;
        let mut state = d.cell.write(py)?;
        caught(|| engine::mark_nodes(&m, &mut state))?;
    }
    d.array(py, index)
}

/// A list without conversion. Lists with a row for every tree or dof exist without islands, too;
/// MuJoCo's are uninitialised there, Sinew's are zero.
fn plain<'py>(py: Python<'py>, d: &Data, index: usize) -> PyResult<Bound<'py, PyAny>> {
    let list = d.list(py, index)?;
    let rows = d.model.get().cell.peek_ref(|m| match sinew_model::Data::FIELDS[index].name {
        "tree_island" | "map_itree2tree" => m.ntree,
        "dof_island" | "map_dof2idof" | "map_idof2dof" => m.nv,
        _ => 0,
    });
    match rows > 0 && list.len()? == 0 {
        true => Ok(PyArray1::<i32>::zeros(py, rows, false).into_any()),
        false => Ok(list),
    }
}

/// Updates the copies sorted by island, once after every call into the engine.
fn sort(py: Python<'_>, d: &Data) -> PyResult<()> {
    let call = d.calls();
    if d.sorted.swap(call, Ordering::Relaxed) != call {
        d.model.get().check(py)?;
        let m = d.model.get().cell.read(py)?;
        let mut state = d.cell.write(py)?;
        caught(|| engine::island_copies(&m, &mut state))?;
    }
    Ok(())
}

/// A dense matrix; the same object until the next call into the engine.
fn dense<'py>(
    py: Python<'py>,
    d: &Data,
    matrix: Matrix,
    width: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let call = d.calls();
    let same = |s: &&Dense| s.matrix == matrix && s.call == call;
    if let Some(shown) = d.shown().0.iter().find(same) {
        return Ok(shown.array.bind(py).clone().into_any());
    }
    let shadow = {
        let state = d.cell.read(py)?;
        caught(|| entries(&state, matrix, width))?
    };
    let array = PyArray1::from_slice(py, &shadow);
    let shown = Dense { matrix, array: array.clone().unbind(), shadow, call };
    let mut list = d.shown();
    list.0.retain(|s| s.matrix != matrix);
    list.0.push(shown);
    Ok(array.into_any())
}

/// Before a call into the engine: copies values that Python wrote to dense matrices, and drops
/// matrices without references.
pub(crate) fn before(py: Python<'_>, d: &Data) -> PyResult<()> {
    if !d.has_shown() {
        return Ok(());
    }
    let list = core::mem::take(&mut d.shown().0);
    let mut kept = Vec::new();
    for shown in list {
        let numbers = shown.array.bind(py).readonly();
        let numbers = numbers.as_slice()?;
        if numbers != shown.shadow && shown.call == d.calls() {
            set_dense(&mut *d.cell.write(py)?, shown.matrix, numbers);
        }
        if is_shared(py, &shown.array) {
            kept.push(shown);
        }
    }
    match kept.is_empty() {
        true => d.forget_shown(),
        false => d.shown().0 = kept,
    }
    Ok(())
}

/// After a call into the engine: updates dense matrices whose size is unchanged.
pub(crate) fn after(py: Python<'_>, d: &Data) -> PyResult<()> {
    if !d.has_shown() {
        return Ok(());
    }

    // matrices of another size are left to their views
    let mut list = core::mem::take(&mut d.shown().0);
    {
        let state = d.cell.read(py)?;
        let nv = d.model.get().cell.peek_ref(|m| m.nv);
        list.retain_mut(|shown| {
            let width = if shown.matrix == Matrix::Jacobian { nv } else { state.nefc };
            let known = shown.matrix == Matrix::Jacobian || state.nA > 0;
            if !known || shown.shadow.len() != state.nefc * width {
                return false;
            }
            shown.shadow = entries(&state, shown.matrix, width);
            shown.call = d.calls();
            true
        });
    }

    // the others are updated in place
    for shown in &list {
        let mut array = shown.array.bind(py).readwrite();
        array.as_slice_mut()?.copy_from_slice(&shown.shadow);
    }
    d.shown().0 = list;
    Ok(())
}

/// The size `name` if it is shown with another value than the engine's: entries of matrices.
pub(crate) fn size(d: &Data, name: &str) -> Option<usize> {
    if name != "nJ" && name != "nA" {
        return None;
    }
    let (sparse, nv) = d.model.get().cell.peek_ref(|m| (m.is_sparse(), m.nv));
    let (nefc, inertia) = d.cell.peek_ref(|d| (d.nefc, d.nA > 0));
    match name {
        _ if sparse || d.resized.load(Ordering::Relaxed) == d.calls() => None,
        "nJ" => Some(nefc * nv),
        _ => inertia.then_some(nefc * nefc),
    }
}
