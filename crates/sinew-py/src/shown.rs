//! Matrices of the constraint rows as MuJoCo shows them where its Jacobians are dense.
//!
//! The engine's matrices are always sparse. A dense one is a copy that Python may read, write and
//! keep: the next call into the engine takes over what was written, and afterwards the copies that
//! somebody still has are brought up to date.

use std::sync::atomic::Ordering;

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use sinew_engine as engine;

use crate::data::Data;
use crate::lock::Busy;
use crate::memory::is_shared;

/// A matrix of the constraint rows.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Matrix {
    /// `efc_J`.
    Jacobian,
    /// `efc_AR`.
    Inertia,
}

/// How Python sees a per-step list.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum ListKind {
    /// As it is.
    Plain,
    /// A copy sorted by island, to be brought up to date first.
    Sorted,
    /// The entries of a matrix.
    Entries(Matrix),
    /// Columns of a matrix.
    Columns(Matrix),
    /// Sizes and addresses of the rows of a matrix.
    Rows(Matrix),
}

impl ListKind {
    /// The kind of the list called `name`.
    pub(crate) fn of(name: &str) -> Self {
        let matrix = match name {
            _ if name.starts_with("efc_J") || name.starts_with("iefc_J_") => Matrix::Jacobian,
            _ if name.starts_with("efc_AR") => Matrix::Inertia,
            _ if ["iM", "iLD", "iacc", "ifrc", "iefc"].iter().any(|c| name.starts_with(c)) => {
                return ListKind::Sorted;
            }
            _ => return ListKind::Plain,
        };
        match name {
            "efc_J" | "efc_AR" => ListKind::Entries(matrix),
            _ if name.ends_with("_colind") => ListKind::Columns(matrix),
            _ => ListKind::Rows(matrix),
        }
    }
}

/// A dense matrix that Python has, and what was in it when it was made or last looked at.
struct Dense {
    matrix: Matrix,
    array: Py<PyArray1<f64>>,
    shadow: Vec<f64>,
    /// The call into the engine that it shows.
    call: u64,
}

/// The dense matrices that Python may have.
#[derive(Default)]
pub(crate) struct Shown(Vec<Dense>);

/// The list as Python sees it; `index` is that of the field.
pub(crate) fn list<'py>(
    py: Python<'py>,
    d: &Data,
    kind: ListKind,
    index: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let matrix = match kind {
        ListKind::Plain => return d.list(py, index),
        ListKind::Sorted => {
            sort(py, d)?;
            return d.list(py, index);
        }
        ListKind::Entries(matrix) | ListKind::Columns(matrix) | ListKind::Rows(matrix) => matrix,
    };
    let (sparse, nv) = d.model.get().cell.peek_ref(|m| (m.is_sparse(), m.nv));
    let (nefc, inertia) = d.cell.peek_ref(|d| (d.nefc, d.nA > 0));
    // without its matrix a primal solver has no rows of it; MuJoCo shows memory of no meaning
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

/// Brings the copies sorted by island up to date, once after every call into the engine.
fn sort(py: Python<'_>, d: &Data) -> Result<(), Busy> {
    let call = d.calls();
    if d.sorted.swap(call, Ordering::Relaxed) != call {
        let m = d.model.get().cell.read(py)?;
        let mut state = d.cell.write(py)?;
        engine::island_copies(&m, &mut state);
    }
    Ok(())
}

/// A dense matrix, the same one until the next call into the engine.
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
    let shadow = entries(&*d.cell.read(py)?, matrix, width);
    let array = PyArray1::from_slice(py, &shadow);
    let shown = Dense { matrix, array: array.clone().unbind(), shadow, call };
    let mut list = d.shown();
    list.0.retain(|s| s.matrix != matrix);
    list.0.push(shown);
    Ok(array.into_any())
}

/// The entries of a matrix of `width` columns, from its sparse rows.
fn entries(d: &sinew_model::Data, matrix: Matrix, width: usize) -> Vec<f64> {
    let row = match matrix {
        Matrix::Jacobian => engine::jacobian_row,
        Matrix::Inertia => engine::inertia_row,
    };
    let mut out = vec![0.0; d.nefc * width];
    for (r, out) in out.chunks_exact_mut(width.max(1)).enumerate() {
        let (ind, row) = row(d, r);
        for (&i, &x) in ind.iter().zip(row) {
            out[i as usize] = x;
        }
    }
    out
}

/// Before a call into the engine: takes over what Python wrote into dense matrices, and forgets
/// those that nobody has.
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

/// After a call into the engine: brings dense matrices up to date, as far as their size is the same.
pub(crate) fn after(py: Python<'_>, d: &Data) -> PyResult<()> {
    if !d.has_shown() {
        return Ok(());
    }
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
    for shown in &list {
        let mut array = shown.array.bind(py).readwrite();
        array.as_slice_mut()?.copy_from_slice(&shown.shadow);
    }
    d.shown().0 = list;
    Ok(())
}

/// Makes a matrix of the state what a dense one says, with a full pattern.
fn set_dense(d: &mut sinew_model::Data, matrix: Matrix, numbers: &[f64]) {
    let n = d.nefc;
    if n == 0 || !numbers.len().is_multiple_of(n) {
        return;
    }
    let width = numbers.len() / n;
    let [num, adr, ind, entries] = match matrix {
        Matrix::Jacobian => ["efc_J_rownnz", "efc_J_rowadr", "efc_J_colind", "efc_J"],
        Matrix::Inertia => ["efc_AR_rownnz", "efc_AR_rowadr", "efc_AR_colind", "efc_AR"],
    };
    let ints = |numbers: &mut dyn Iterator<Item = usize>| -> Vec<u8> {
        numbers.flat_map(|i| (i as i32).to_ne_bytes()).collect()
    };
    let rows: Vec<u8> = numbers.iter().flat_map(|x| x.to_ne_bytes()).collect();
    let lists = [
        (num, ints(&mut (0..n).map(|_| width))),
        (adr, ints(&mut (0..n).map(|r| r * width))),
        (ind, ints(&mut (0..n * width).map(|k| k % width))),
        (entries, rows),
    ];
    for (name, bytes) in lists {
        crate::pickle::set_list(d, name, &bytes);
    }
    match matrix {
        Matrix::Jacobian => {
            crate::pickle::set_list(d, "efc_J_rowsuper", &ints(&mut (0..n).map(|r| n - 1 - r)));
            d.nJ = n * width;
        }
        Matrix::Inertia => d.nA = n * width,
    }
}

/// Room for contacts, constraint rows and entries of their Jacobian, all zero.
pub(crate) fn resize_rows(m: &sinew_model::Model, d: &mut sinew_model::Data, sizes: [usize; 3]) {
    let [ncon, nefc, entries] = sizes;
    d.contact.clear();
    d.contact.resize(ncon, sinew_model::contact::Contact::default());
    for info in sinew_model::Data::FIELDS.iter().filter(|f| !f.fixed) {
        let rows = match info.rows {
            "nefc" => nefc,
            "nJ" => entries,
            "nA" => 0,
            _ => continue,
        };
        d.resize_list(info.name, 0);
        d.resize_list(info.name, rows);
    }
    (d.ncon, d.nefc, d.nJ, d.nA) = (ncon, nefc, entries, 0);
    (d.ne, d.nf, d.nl) = (0, 0, 0);
    if entries == nefc * m.nv {
        set_dense(d, Matrix::Jacobian, &vec![0.0; entries]);
    }
}

/// The size `name` where it is shown otherwise than the engine has it: entries of matrices.
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
