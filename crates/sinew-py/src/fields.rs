//! Attributes of `MjModel` and `MjData`: one descriptor per entry of the field tables.

use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyEllipsis;
use pyo3::{IntoPyObjectExt, types::PyString};
use sinew_model::pod::Scalar;

use crate::constraint;
use crate::data::{self, Data, INLINE, Number, SCALARS};
use crate::memory::read_only;
use crate::model::{Model, is_text};

/// An attribute whose value lies in a model or state.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct Field {
    /// The attribute's name.
    #[pyo3(get)]
    name: &'static str,
    /// What it means.
    #[pyo3(get)]
    doc: &'static str,
    /// numpy's name of the kind of number, `int`, `float` or `bytes`.
    #[pyo3(get)]
    dtype: &'static str,
    /// The size that counts the rows of an array.
    #[pyo3(get)]
    rows: &'static str,
    /// Where the value is found.
    place: Place,
}

#[derive(Clone, Copy)]
enum Place {
    Size,
    ModelArray(usize),
    Scalar { real: bool },
    DataArray { index: usize, fixed: bool },
}

/// All attributes of a model.
pub(crate) fn model_fields() -> Vec<Field> {
    let sizes = sinew_model::Model::SIZES.iter().map(|&(name, doc)| Field {
        name,
        doc,
        dtype: "int",
        rows: "",
        place: Place::Size,
    });
    let arrays = sinew_model::Model::FIELDS.iter().enumerate().map(|(index, f)| Field {
        name: f.name,
        doc: f.doc,
        dtype: if is_text(f.name) { "bytes" } else { dtype(f.scalar) },
        rows: f.rows,
        place: Place::ModelArray(index),
    });
    sizes.chain(arrays).collect()
}

/// All attributes of a state.
pub(crate) fn data_fields() -> Vec<Field> {
    let scalars = SCALARS.iter().map(|&(name, real)| Field {
        name,
        doc: "",
        dtype: if real { "float" } else { "int" },
        rows: "",
        place: Place::Scalar { real },
    });
    let arrays = sinew_model::Data::FIELDS.iter().enumerate().map(|(index, f)| Field {
        name: f.name,
        doc: f.doc,
        dtype: dtype(f.scalar),
        rows: f.rows,
        place: Place::DataArray { index, fixed: f.fixed },
    });
    let first = sinew_model::Data::FIELDS.len();
    let inline = INLINE.iter().enumerate().map(move |(i, &(name, scalar))| Field {
        name,
        doc: "",
        dtype: dtype(scalar),
        rows: "",
        place: Place::DataArray { index: first + i, fixed: true },
    });
    scalars.chain(inline).chain(arrays).collect()
}

/// numpy's name of a kind of number.
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

/// The model that a state was made for.
fn model_of<'py>(data: &Bound<'py, PyAny>) -> Option<Bound<'py, Model>> {
    data.getattr(intern!(data.py(), "_model")).ok()?.cast_into().ok()
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
            Place::ModelArray(index) => obj.cast::<Model>()?.get().array(py, index),
            Place::DataArray { index, fixed } => {
                let d = obj.cast::<Data>()?.get();
                let shown = match model_of(&obj) {
                    Some(m) if !fixed => constraint::shown_list(&m, d, field.name),
                    _ => None,
                };
                match shown {
                    Some(list) => read_only(list),
                    None => d.array(py, index),
                }
            }
            Place::Size => {
                let m = obj.cast::<Model>()?.get().cell.read(py);
                // unset legacy limits wrap to -1
                m.size(field.name).map(|n| n as i64).into_bound_py_any(py)
            }
            Place::Scalar { .. } => {
                let d = obj.cast::<Data>()?.get();
                let model = ["nJ", "nA"].contains(&field.name).then(|| model_of(&obj)).flatten();
                if let Some(size) = model.and_then(|m| constraint::shown_size(&m, d, field.name)) {
                    return size.into_bound_py_any(py);
                }
                let d = d.cell.read(py);
                match data::scalar(&d, field.name) {
                    Some(Number::Float(x)) => x.into_bound_py_any(py),
                    Some(Number::Int(x)) => x.into_bound_py_any(py),
                    None => Err(PyAttributeError::new_err(field.name)),
                }
            }
        }
    }

    fn __set__(&self, obj: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = obj.py();
        match self.place {
            Place::ModelArray(index) if self.dtype != "bytes" => {
                let view = obj.cast::<Model>()?.get().array(py, index)?;
                view.set_item(PyEllipsis::get(py), value)
            }
            Place::DataArray { index, fixed: true } => {
                let view = obj.cast::<Data>()?.get().array(py, index)?;
                view.set_item(PyEllipsis::get(py), value)
            }
            Place::Scalar { real } => {
                if value.is_instance_of::<PyString>() {
                    return Err(PyTypeError::new_err(format!("{} is a number", self.name)));
                }
                let number = match real {
                    true => Number::Float(value.extract()?),
                    false => Number::Int(value.extract()?),
                };
                let mut d = obj.cast::<Data>()?.get().cell.write(py)?;
                data::set_scalar(&mut d, self.name, number);
                Ok(())
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

    /// Whether the value is memory that stays; the others are copies.
    #[getter]
    fn fixed(&self) -> bool {
        !matches!(self.place, Place::DataArray { fixed: false, .. })
    }

    fn __repr__(&self) -> String {
        format!("<field {}: {}>", self.name, self.dtype)
    }
}
