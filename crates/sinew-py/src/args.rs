//! Array arguments. Arguments may overlap each other and the memory of the model or state.
//! Therefore inputs are copied, and results are written back at the end.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyEllipsis};
use sinew_math::{Mat3, Quat, Vec3};

use crate::numbers::{copy_in, copy_out, is_writable};

/// A vector of any length.
pub(crate) struct Vector(pub(crate) Vec<f64>);

/// A row-major matrix; a vector counts as a column.
pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) data: Vec<f64>,
}

/// `N` numbers.
pub(crate) struct In<const N: usize>(pub(crate) [f64; N]);

/// Three numbers.
pub(crate) struct V3(pub(crate) Vec3);

/// A quaternion.
pub(crate) struct Q4(pub(crate) Quat);

/// A 3×3 matrix, given as nine numbers.
pub(crate) struct M9(pub(crate) Mat3);

/// A result vector.
pub(crate) struct OutVector<'py>(Bound<'py, PyArrayDyn<f64>>);

/// A result matrix, row-major.
pub(crate) struct OutMatrix<'py> {
    array: Bound<'py, PyArrayDyn<f64>>,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
}

/// A result of `N` numbers.
pub(crate) struct Out<'py, const N: usize>(OutVector<'py>);

/// Text, as `str` or `bytes`.
pub(crate) struct Text(pub(crate) String);

impl<'a, 'py> FromPyObject<'a, 'py> for Text {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match obj.cast::<PyBytes>() {
            Ok(bytes) => Ok(Text(String::from_utf8_lossy(bytes.as_bytes()).into_owned())),
            Err(_) => obj.extract().map(Text).map_err(|_| wanted("text")),
        }
    }
}

/// The error for an argument of the wrong type.
fn wanted(what: &str) -> PyErr {
    PyTypeError::new_err(format!("incompatible function arguments: wanted {what}"))
}

/// Converts an object to an array of `f64`, as numpy does.
fn floats<'py>(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let py = obj.py();
    if let Ok(array) = obj.cast::<PyArrayDyn<f64>>() {
        return Ok(array.to_owned());
    }
    let numpy = py.import(intern!(py, "numpy"))?;
    let array = numpy
        .call_method1(intern!(py, "asarray"), (obj, "float64"))
        .map_err(|_| wanted("an array of numbers"))?;
    array.cast_into::<PyArrayDyn<f64>>().map_err(|_| wanted("an array of numbers"))
}

/// All numbers of an array, in row order.
fn all(array: &Bound<'_, PyArrayDyn<f64>>) -> Vec<f64> {
    let mut numbers = vec![0.0; array.len()];
    match copy_out(array, &mut numbers) {
        true => numbers,
        false => array.to_owned_array().iter().copied().collect(),
    }
}

/// The first `N` numbers of an array, padded with zeros.
fn first<const N: usize>(array: &Bound<'_, PyArrayDyn<f64>>) -> [f64; N] {
    let mut numbers = [0.0; N];
    if !copy_out(array, &mut numbers) {
        let mut found = array.to_owned_array().into_iter();
        numbers = core::array::from_fn(|_| found.next().unwrap_or(0.0));
    }
    numbers
}

/// The length of a vector or column.
fn length(shape: &[usize]) -> PyResult<usize> {
    match *shape {
        [] => Ok(1),
        [n] | [n, 1] => Ok(n),
        _ => Err(wanted("a vector")),
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Vector {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = floats(obj)?;
        length(array.shape())?;
        Ok(Vector(all(&array)))
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Matrix {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = floats(obj)?;
        let (rows, cols) = matrix_shape(array.shape())?;
        Ok(Matrix { rows, cols, data: all(&array) })
    }
}

fn matrix_shape(shape: &[usize]) -> PyResult<(usize, usize)> {
    match *shape {
        [n] => Ok((n, 1)),
        [r, c] => Ok((r, c)),
        _ => Err(wanted("a matrix")),
    }
}

impl<'a, 'py, const N: usize> FromPyObject<'a, 'py> for In<N> {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = floats(obj)?;
        if length(array.shape())? != N {
            return Err(wanted(&format!("{N} numbers")));
        }
        Ok(In(first(&array)))
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for V3 {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        obj.extract::<In<3>>().map(|a| V3(a.0.into()))
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Q4 {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        obj.extract::<In<4>>().map(|a| Q4(a.0.into()))
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for M9 {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        obj.extract::<In<9>>().map(|a| M9(a.0.into()))
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for OutVector<'py> {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = writable(obj)?;
        length(array.shape())?;
        Ok(OutVector(array))
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for OutMatrix<'py> {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = writable(obj)?;
        if !array.is_c_contiguous() {
            return Err(wanted("a C-contiguous matrix"));
        }
        let (rows, cols) = matrix_shape(array.shape())?;
        Ok(OutMatrix { array, rows, cols })
    }
}

impl<'a, 'py, const N: usize> FromPyObject<'a, 'py> for Out<'py, N> {
    type Error = PyErr;
    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let out = obj.extract::<OutVector<'py>>()?;
        match out.len() == N {
            true => Ok(Out(out)),
            false => Err(wanted(&format!("a writable array of {N} numbers"))),
        }
    }
}

fn writable<'py>(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let what = "a writable array of float64";
    let array = obj.cast::<PyArrayDyn<f64>>().map_err(|_| wanted(what))?;
    if is_writable(&array) { Ok(array.to_owned()) } else { Err(wanted(what)) }
}

/// Writes the numbers into the array in row order.
fn fill(array: &Bound<'_, PyArrayDyn<f64>>, numbers: &[f64]) -> PyResult<()> {
    if copy_in(array, numbers) {
        return Ok(());
    }
    // numpy handles any other layout
    let py = array.py();
    let source = PyArray1::from_slice(py, numbers).reshape(array.shape())?;
    array.as_any().set_item(PyEllipsis::get(py), source)
}

impl Matrix {
    /// Row `i`.
    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.cols..][..self.cols]
    }
}

impl OutVector<'_> {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The present contents of the array.
    pub(crate) fn get(&self) -> Vec<f64> {
        all(&self.0)
    }

    pub(crate) fn set(&self, numbers: &[f64]) -> PyResult<()> {
        fill(&self.0, numbers)
    }
}

impl OutMatrix<'_> {
    pub(crate) fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// The present contents of the array, row-major.
    pub(crate) fn get(&self) -> Vec<f64> {
        all(&self.array)
    }

    pub(crate) fn set(&self, numbers: &[f64]) -> PyResult<()> {
        fill(&self.array, numbers)
    }
}

impl<const N: usize> Out<'_, N> {
    /// The present contents of the array.
    pub(crate) fn get(&self) -> [f64; N] {
        first(&self.0.0)
    }

    pub(crate) fn set(&self, numbers: impl Into<[f64; N]>) -> PyResult<()> {
        self.0.set(&numbers.into())
    }
}

/// Returns MuJoCo's error text for an argument of the wrong size, unless `ok`.
pub(crate) fn require(ok: bool, text: &'static str) -> PyResult<()> {
    if ok { Ok(()) } else { Err(PyTypeError::new_err(text)) }
}

/// An id argument: the index of one of the `count` objects of a kind. `what` names the function and
/// the argument, as in `mj_jacGeom: geom`.
pub(crate) fn index(what: &str, id: i64, count: usize) -> PyResult<usize> {
    let found = usize::try_from(id).ok().filter(|&id| id < count);
    found.ok_or_else(|| {
        PyValueError::new_err(match count {
            0 => format!("{what} is {id}, but the model has none"),
            _ => format!("{what} is {id}, must be from 0 to {}", count - 1),
        })
    })
}
