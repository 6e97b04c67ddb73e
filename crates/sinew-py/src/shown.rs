//! Matrices of the constraint rows in the dense form that MuJoCo shows.
//!
//! The engine's matrices are always sparse. A dense matrix is a copy that Python may read, write
//! and keep. The next call into the engine first copies changes to the state, and afterwards
//! updates the copies with references.

use numpy::PyArray1;
use pyo3::prelude::*;
use sinew_engine as engine;

use crate::pickle::set_list;

/// A matrix of the constraint rows.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Matrix {
    /// `efc_J`.
    Jacobian,
    /// `efc_AR`.
    Inertia,
}

/// Representation of a per-step list in Python.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum ListKind {
    /// The list itself.
    Plain,
    /// A copy sorted by island, which is updated first.
    Sorted,
    /// The entries of a matrix.
    Entries(Matrix),
    /// Columns of a matrix.
    Columns(Matrix),
    /// Sizes and addresses of the rows of a matrix.
    Rows(Matrix),
}

impl ListKind {
    /// The representation of the list called `name`.
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

/// A dense matrix held by Python, with its contents at the last comparison.
pub(crate) struct Dense {
    pub(crate) matrix: Matrix,
    pub(crate) array: Py<PyArray1<f64>>,
    pub(crate) shadow: Vec<f64>,
    /// Number of the call into the engine that it shows.
    pub(crate) call: u64,
}

/// The dense matrices that Python may hold.
#[derive(Default)]
pub(crate) struct Shown(pub(crate) Vec<Dense>);

/// Converts a sparse matrix to dense entries with `width` columns.
pub(crate) fn entries(d: &sinew_model::Data, matrix: Matrix, width: usize) -> Vec<f64> {
    let row = match matrix {
        Matrix::Jacobian => engine::jacobian_row,
        Matrix::Inertia => engine::inertia_row,
    };
    let mut out = vec![0.0; d.nefc * width];
    for (r, out) in out.chunks_exact_mut(width.max(1)).enumerate() {
        let (ind, row) = row(d, r);
        for (&i, &x) in ind.iter().zip(row) {
            // columns may have been written by hand
            if let Some(to) = out.get_mut(i as usize) {
                *to = x;
            }
        }
    }
    out
}

/// Sets a matrix of the state from a dense matrix, with a full pattern.
pub(crate) fn set_dense(d: &mut sinew_model::Data, matrix: Matrix, numbers: &[f64]) {
    let n = d.nefc;
    if n == 0 || !numbers.len().is_multiple_of(n) {
        return;
    }
    let width = numbers.len() / n;

    // rows, columns and entries of the full pattern
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
        set_list(d, name, &bytes);
    }

    // fields that depend on the pattern
    match matrix {
        Matrix::Jacobian => {
            set_list(d, "efc_J_rowsuper", &ints(&mut (0..n).map(|r| n - 1 - r)));
            d.nJ = n * width;
        }
        Matrix::Inertia => d.nA = n * width,
    }
}

/// Allocates zeroed contacts, constraint rows and entries of their Jacobian.
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
