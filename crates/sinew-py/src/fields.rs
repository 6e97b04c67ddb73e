//! Attributes of `MjModel` and `MjData`: one descriptor per entry of the field tables.

use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyEllipsis;
use pyo3::{IntoPyObjectExt, types::PyString};
use sinew_model::fields::Mark;
use sinew_model::pod::Scalar;

use crate::data::Data;
use crate::lists;
use crate::model::{Model, is_text};
use crate::scalars::{INLINE, Number, SCALARS, ScalarField};
use crate::shown::ListKind;

/// An attribute whose value is in a model or state.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct Field {
    /// The attribute's name.
    #[pyo3(get)]
    name: &'static str,
    /// Documentation of the attribute.
    #[pyo3(get)]
    doc: &'static str,
    /// numpy's name of the scalar type: `int`, `float` or `bytes`.
    #[pyo3(get)]
    dtype: &'static str,
    /// Name of the size that is the number of rows.
    #[pyo3(get)]
    rows: &'static str,
    /// Location of the value.
    place: Location,
}

#[derive(Clone, Copy)]
enum Location {
    Size,
    ModelArray(usize),
    Scalar(&'static ScalarField),
    DataArray(usize),
    /// An array that is updated when it is read.
    Marks(usize),
    List {
        index: usize,
        kind: ListKind,
    },
}

/// All attributes of a model.
pub(crate) fn model_fields() -> Vec<Field> {
    let sizes = sinew_model::Model::SIZES.iter().map(|&(name, doc)| Field {
        name,
        doc,
        dtype: "int",
        rows: "",
        place: Location::Size,
    });
    let arrays = sinew_model::Model::FIELDS.iter().enumerate().map(|(index, f)| Field {
        name: f.name,
        doc: f.doc,
        dtype: if is_text(f.name) { "bytes" } else { dtype(f.scalar) },
        rows: f.rows,
        place: Location::ModelArray(index),
    });
    sizes.chain(arrays).collect()
}

/// All attributes of a state.
pub(crate) fn data_fields() -> Vec<Field> {
    let scalars = SCALARS.iter().map(|scalar| Field {
        name: scalar.name,
        doc: "",
        dtype: if scalar.real { "float" } else { "int" },
        rows: "",
        place: Location::Scalar(scalar),
    });
    let arrays = sinew_model::Data::FIELDS.iter().enumerate().map(|(index, f)| Field {
        name: f.name,
        doc: f.doc,
        dtype: dtype(f.scalar),
        rows: f.rows,
        place: match f.fixed {
            true if f.name == "bvh_active" => Location::Marks(index),
            true => Location::DataArray(index),
            false => Location::List { index, kind: ListKind::of(f.name) },
        },
    });
    let first = sinew_model::Data::FIELDS.len();
    let inline = INLINE.iter().enumerate().map(move |(i, &(name, scalar))| Field {
        name,
        doc: "",
        dtype: dtype(scalar),
        rows: "",
        place: Location::DataArray(first + i),
    });
    scalars.chain(inline).chain(arrays).collect()
}

/// numpy's name of a scalar type.
pub(crate) const fn dtype(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::F64 => "float64",
        Scalar::F32 => "float32",
        Scalar::I32 => "int32",
        Scalar::I64 => "int64",
        Scalar::U64 => "uint64",
        Scalar::U8 => "uint8",
        Scalar::Char => "int8",
    }
}

#[pymethods]
impl Field {
    fn __get__<'py>(
        slf: Bound<'py, Self>,
        obj: Option<Bound<'py, PyAny>>,
        _class: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let Some(obj) = obj.filter(|o| !o.is_none()) else {
            return Ok(slf.into_any());
        };
        let field = slf.get();
        match field.place {
            Location::ModelArray(index) => obj.cast::<Model>()?.get().array(py, index),
            Location::DataArray(index) => obj.cast::<Data>()?.get().array(py, index),
            Location::Marks(index) => lists::marks(py, obj.cast::<Data>()?.get(), index),
            Location::List { index, kind } => {
                lists::list(py, obj.cast::<Data>()?.get(), kind, index)
            }
            Location::Size => {
                // unset legacy limits wrap to -1
                let size = |m: &sinew_model::Model| m.size(field.name).map(|n| n as i64);
                obj.cast::<Model>()?.get().cell.peek_ref(size).into_bound_py_any(py)
            }
            Location::Scalar(scalar) => {
                let d = obj.cast::<Data>()?.get();
                if let Some(size) = lists::size(d, scalar.name) {
                    return size.into_bound_py_any(py);
                }
                match d.cell.peek_ref(scalar.get) {
                    Number::Float(x) => x.into_bound_py_any(py),
                    Number::Int(x) => x.into_bound_py_any(py),
                }
            }
        }
    }

    fn __set__(&self, obj: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = obj.py();
        match self.place {
            Location::ModelArray(index) if self.dtype != "bytes" => {
                let view = obj.cast::<Model>()?.get().array(py, index)?;
                view.set_item(PyEllipsis::get(py), value)
            }
            Location::DataArray(index) => {
                let view = obj.cast::<Data>()?.get().array(py, index)?;
                view.set_item(PyEllipsis::get(py), value)
            }
            Location::Marks(index) => {
                let view = lists::marks(py, obj.cast::<Data>()?.get(), index)?;
                view.set_item(PyEllipsis::get(py), value)
            }
            Location::List { index, kind } => {
                let view = lists::list(py, obj.cast::<Data>()?.get(), kind, index)?;
                view.set_item(PyEllipsis::get(py), value)
            }
            Location::Scalar(scalar) => {
                if value.is_instance_of::<PyString>() {
                    return Err(PyTypeError::new_err(format!("{} is a number", self.name)));
                }
                let number = match scalar.real {
                    true => Number::Float(value.extract()?),
                    false => Number::Int(value.extract()?),
                };
                let mut d = obj.cast::<Data>()?.get().cell.write(py)?;
                scalar.put(&mut d, number).map_err(PyValueError::new_err)
            }
            _ => {
                let class = obj.get_type().name()?;
                let text = format!("property '{}' of '{class}' object has no setter", self.name);
                Err(PyAttributeError::new_err(text))
            }
        }
    }

    #[getter]
    fn __doc__(&self) -> &'static str {
        self.doc
    }

    /// Whether the value's memory is fixed; per-step lists move.
    #[getter]
    fn fixed(&self) -> bool {
        !matches!(self.place, Location::List { .. })
    }

    /// Whether `set_const` computes the value from other fields of the model.
    #[getter]
    fn derived(&self) -> bool {
        let Location::ModelArray(index) = self.place else { return false };
        sinew_model::Model::FIELDS[index].has(Mark::Derived)
    }

    fn __repr__(&self) -> String {
        format!("<field {}: {}>", self.name, self.dtype)
    }
}
