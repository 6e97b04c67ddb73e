//! Elements of an `MjSpec` as Python objects: handles of records.

use numpy::{Element as Number, PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyAttributeError, PyIndexError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyInt, PyString, PyTuple, PyType};
use pyo3::{IntoPyObjectExt, intern};
use sinew_mjcf::document::{self, Field, Fields, Record};
use sinew_mjcf::spec::ActuatorTag;
use sinew_mjcf::spec::datum::Datum;
use sinew_mjcf::spec::kind::Kind;

use crate::memory::row_view;

/// An element. Python's classes of elements extend it, and say the kind as `_kind`.
#[pyclass(subclass, weakref, module = "sinew._sinew", name = "Record")]
pub(crate) struct Element {
    fields: &'static Fields,
    home: Home,
    /// Views of its rows of numbers, and its structs, by the place of their attribute.
    views: Vec<(usize, Py<PyAny>)>,
}

/// Where the record of an element is.
enum Home {
    Own(Record),
    /// In the element that has the struct as an attribute.
    Part(Py<Element>, usize),
}

/// The element's own record.
impl Element {
    pub(super) fn record(&self) -> PyResult<&Record> {
        match &self.home {
            Home::Own(record) => Ok(record),
            Home::Part(..) => Err(PyTypeError::new_err("not an element but a part of one")),
        }
    }

    pub(super) fn record_mut(&mut self) -> PyResult<&mut Record> {
        match &mut self.home {
            Home::Own(record) => Ok(record),
            Home::Part(..) => Err(PyTypeError::new_err("not an element but a part of one")),
        }
    }

    /// Replaces the values of the element; nobody has read them yet.
    pub(super) fn replace(&mut self, record: Record) {
        self.home = Home::Own(record);
    }
}

/// Calls a function with the record of an element, wherever it is.
fn with<R>(slf: &Bound<'_, Element>, f: impl FnOnce(&mut Record) -> R) -> PyResult<R> {
    let mut this = slf.try_borrow_mut()?;
    let (outer, i) = match &mut this.home {
        Home::Own(record) => return Ok(f(record)),
        Home::Part(outer, i) => (outer.clone_ref(slf.py()), *i),
    };
    drop(this);
    let mut outer = outer.bind(slf.py()).try_borrow_mut()?;
    let part = outer.record_mut()?.part_mut(i);
    Ok(f(part.ok_or_else(|| PyTypeError::new_err("the attribute is no struct"))?))
}

/// The place of an attribute, and the attribute.
fn field_of(slf: &Bound<'_, Element>, name: &str) -> PyResult<(usize, &'static Field)> {
    let fields = slf.try_borrow()?.fields;
    let found = fields.index(name).map(|i| (i, &fields.list[i]));
    found.ok_or_else(|| PyAttributeError::new_err(format!("{} has no {name}", fields.kind)))
}

#[pymethods]
impl Element {
    #[new]
    #[classmethod]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(
        cls: &Bound<'_, PyType>,
        _args: &Bound<'_, PyTuple>,
        _kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let kind = cls.getattr(intern!(cls.py(), "_kind"))?;
        let kind = kind.cast::<PyString>()?.to_str()?;
        let fields = Fields::of(kind);
        let fields = fields.ok_or_else(|| PyTypeError::new_err(format!("no element '{kind}'")))?;
        Ok(Element { fields, home: Home::Own(Record::new(fields)), views: Vec::new() })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Home::Part(outer, _) = &self.home {
            visit.call(outer)?;
        }
        self.views.iter().try_for_each(|(_, view)| visit.call(view))
    }

    fn __clear__(&mut self) {
        self.views.clear();
        if let Home::Part(..) = self.home {
            self.home = Home::Own(Record::new(self.fields));
        }
    }

    #[getter]
    fn get__name(slf: &Bound<'_, Self>) -> PyResult<String> {
        with(slf, |record| record.name.clone())
    }

    #[setter]
    fn set__name(slf: &Bound<'_, Self>, name: String) -> PyResult<()> {
        with(slf, |record| record.name = name)
    }

    #[getter]
    fn get__cls(&self) -> PyResult<&str> {
        self.record().map(|record| record.class.as_str())
    }

    #[setter]
    fn set__cls(&mut self, class: String) -> PyResult<()> {
        self.record_mut().map(|record| record.class = class)
    }

    #[getter]
    fn get__id(slf: &Bound<'_, Self>) -> PyResult<i32> {
        with(slf, |record| record.id)
    }

    #[setter]
    fn set__id(&mut self, id: i32) -> PyResult<()> {
        self.record_mut().map(|record| record.id = id)
    }

    /// Whether a keyframe leaves missing values to the reference.
    #[getter]
    fn get__partial(&self) -> PyResult<bool> {
        self.record().map(|record| record.extra("partial").is_some())
    }

    #[setter]
    fn set__partial(&mut self, partial: bool) -> PyResult<()> {
        let extra = &mut self.record_mut()?.extra;
        extra.retain(|(name, _)| *name != "partial");
        if partial {
            extra.push(("partial", Datum::from("true")));
        }
        Ok(())
    }

    /// The settings of a plugin, as texts that are key and value in turn.
    #[getter]
    fn get__config(slf: &Bound<'_, Self>) -> PyResult<Vec<String>> {
        with(slf, |record| match record.extra("config") {
            Some(Datum::Texts(list)) => list.clone(),
            _ => Vec::new(),
        })
    }

    #[setter]
    fn set__config(slf: &Bound<'_, Self>, config: Vec<String>) -> PyResult<()> {
        with(slf, |record| record.extra = vec![("config", Datum::Texts(config))])
    }

    /// The value of an attribute: of a fixed number of numbers the same array every time, of a
    /// longer list a copy.
    fn _get<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let (py, (i, _)) = (slf.py(), field_of(slf, name)?);
        if let Some((_, view)) = slf.try_borrow()?.views.iter().find(|(at, _)| *at == i) {
            return Ok(view.bind(py).clone());
        }
        let got = with(slf, |record| match record.row(i) {
            Some(row) => Ok(row.clone()),
            None => Err(record.value(i)),
        })?;
        match got {
            Ok(row) => slf.keep(i, row_view(py, &row)?),
            Err(datum) => value_of(py, &datum),
        }
    }

    /// Sets an attribute that is no row of numbers; the value has its type.
    fn _set(slf: &Bound<'_, Self>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (i, field) = field_of(slf, name)?;
        let datum = datum_for(field.kind, value)?;
        with(slf, |record| record.set(i, datum))
    }

    /// The struct that an attribute is, as an object of a class; the same every time.
    fn _part<'py>(
        slf: &Bound<'py, Self>,
        name: &str,
        cls: &Bound<'py, PyType>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, (i, _)) = (slf.py(), field_of(slf, name)?);
        if let Some((_, part)) = slf.try_borrow()?.views.iter().find(|(at, _)| *at == i) {
            return Ok(part.bind(py).clone());
        }
        let part = cls.call0()?;
        part.cast::<Element>()?.try_borrow_mut()?.home = Home::Part(slf.clone().unbind(), i);
        slf.keep(i, part)
    }

    /// Whether an attribute was set or looked at.
    fn _has(slf: &Bound<'_, Self>, name: &str) -> PyResult<bool> {
        let (i, _) = field_of(slf, name)?;
        with(slf, |record| record.has(i))
    }

    /// Copies the values of another element of its kind.
    fn _assign(slf: &Bound<'_, Self>, other: &Bound<'_, Element>) -> PyResult<()> {
        if slf.is(other) {
            return Ok(());
        }
        let other = with(other, |record| record.clone())?;
        if !core::ptr::eq(other.fields(), slf.try_borrow()?.fields) {
            return Err(PyTypeError::new_err("the elements are of different kinds"));
        }
        with(slf, |record| record.assign(&other))
    }

    /// Copies the values of an element of a default class, for a new element.
    fn _inherit(&mut self, class: &Bound<'_, Element>) -> PyResult<()> {
        let record = document::inherited(class.try_borrow()?.record()?);
        self.replace(record);
        Ok(())
    }

    /// Number of members of a list.
    fn _length(slf: &Bound<'_, Self>, name: &str) -> PyResult<usize> {
        let (i, _) = field_of(slf, name)?;
        with(slf, |record| record.datum_mut(i).map_or(0, |datum| length(datum)))
    }

    /// A member of a list.
    fn _item<'py>(slf: &Bound<'py, Self>, name: &str, at: usize) -> PyResult<Bound<'py, PyAny>> {
        let (py, (i, _)) = (slf.py(), field_of(slf, name)?);
        let item = with(slf, |record| match record.datum_mut(i)? {
            Datum::Integers(list) => list.get(at).map(|x| Datum::Integer(*x)),
            Datum::Reals(list) => list.get(at).map(|x| Datum::Real(*x)),
            Datum::Singles(list) => list.get(at).map(|x| Datum::Real(f64::from(*x))),
            Datum::Texts(list) => list.get(at).cloned().map(Datum::Text),
            _ => None,
        })?;
        value_of(py, &item.ok_or_else(|| PyIndexError::new_err("Index out of range."))?)
    }

    /// Sets a member of a list.
    fn _put(
        slf: &Bound<'_, Self>,
        name: &str,
        at: usize,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (i, _) = field_of(slf, name)?;
        let datum = datum_of(value)?;
        let put = with(slf, |record| match (record.datum_mut(i)?, datum) {
            (Datum::Integers(list), Datum::Integer(x)) => list.get_mut(at).map(|slot| *slot = x),
            (Datum::Reals(list), Datum::Real(x)) => list.get_mut(at).map(|slot| *slot = x),
            (Datum::Singles(list), Datum::Real(x)) => list.get_mut(at).map(|slot| *slot = x as f32),
            (Datum::Texts(list), Datum::Text(x)) => list.get_mut(at).map(|slot| *slot = x),
            _ => None,
        })?;
        put.ok_or_else(|| PyIndexError::new_err("Index out of range."))
    }

    /// Applies a shortcut to an actuator, with the values of its parameters that are given.
    fn _apply(&mut self, kind: &str, given: Vec<(String, Vec<f64>)>) -> PyResult<()> {
        let tag = ActuatorTag::from_name(kind);
        let tag = tag.ok_or_else(|| PyValueError::new_err(format!("no actuator '{kind}'")))?;
        let given: Vec<_> =
            given.iter().map(|(name, values)| (name.as_str(), values.clone())).collect();
        document::shortcut(self.record_mut()?, tag, &given).map_err(PyValueError::new_err)
    }

    /// Makes a mesh a builtin one.
    fn _make(&mut self, shape: &str, params: Vec<f64>) -> PyResult<()> {
        let made = document::make_mesh(self.record_mut()?, shape, &params);
        made.map_err(|words| PyValueError::new_err(format!("Error: {words}")))
    }
}

/// Keeping views of an element.
trait Keep<'py> {
    fn keep(&self, i: usize, view: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>;
}

impl<'py> Keep<'py> for Bound<'py, Element> {
    fn keep(&self, i: usize, view: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.try_borrow_mut()?.views.push((i, view.clone().unbind()));
        Ok(view)
    }
}

fn length(datum: &Datum) -> usize {
    match datum {
        Datum::Integers(list) => list.len(),
        Datum::Reals(list) => list.len(),
        Datum::Singles(list) => list.len(),
        Datum::Texts(list) => list.len(),
        _ => 0,
    }
}

/// The numbers of an array of their type.
fn numbers<T: Number + Copy>(value: &Bound<'_, PyAny>) -> Option<Vec<T>> {
    let array = value.cast::<PyArray1<T>>().ok()?;
    if let Ok(list) = array.to_vec() {
        return Some(list);
    }
    Some(array.try_readonly().ok()?.as_array().iter().copied().collect())
}

/// A value of a type of attribute that a Python object is.
fn datum_for(kind: Kind, value: &Bound<'_, PyAny>) -> PyResult<Datum> {
    let wrong = || PyTypeError::new_err("wrong type of numbers");
    Ok(match kind {
        Kind::Integer | Kind::Flag | Kind::Enum(_) | Kind::Words(_) => {
            Datum::Integer(value.extract()?)
        }
        Kind::Real | Kind::Single => Datum::Real(value.extract()?),
        Kind::Text => Datum::Text(value.extract()?),
        Kind::Integers(_) | Kind::IntegerList => Datum::Integers(numbers(value).ok_or_else(wrong)?),
        Kind::Reals(_) | Kind::Poly | Kind::RealList => {
            Datum::Reals(numbers(value).ok_or_else(wrong)?)
        }
        Kind::Singles(_) | Kind::SingleList => Datum::Singles(numbers(value).ok_or_else(wrong)?),
        Kind::Characters(_) | Kind::TextList => Datum::Texts(value.extract()?),
        Kind::IntegerLists => Datum::IntegerLists(value.extract()?),
        Kind::SingleLists => Datum::SingleLists(value.extract()?),
        Kind::Bytes => Datum::Bytes(value.cast::<PyBytes>()?.as_bytes().to_vec()),
        Kind::File | Kind::Orientation | Kind::Plugin => {
            return Err(PyTypeError::new_err("the attribute is a struct"));
        }
    })
}

/// A value as a Python object.
pub(super) fn value_of<'py>(py: Python<'py>, datum: &Datum) -> PyResult<Bound<'py, PyAny>> {
    Ok(match datum {
        Datum::Integer(x) => x.into_pyobject(py)?.into_any(),
        Datum::Real(x) => x.into_pyobject(py)?.into_any(),
        Datum::Text(text) => text.into_pyobject(py)?.into_any(),
        Datum::Integers(list) => PyArray1::from_slice(py, list).into_any(),
        Datum::Reals(list) => PyArray1::from_slice(py, list).into_any(),
        Datum::Singles(list) => PyArray1::from_slice(py, list).into_any(),
        Datum::Texts(list) => list.into_pyobject(py)?.into_any(),
        Datum::IntegerLists(lists) => lists.into_bound_py_any(py)?,
        Datum::SingleLists(lists) => lists.into_bound_py_any(py)?,
        Datum::Bytes(bytes) => PyBytes::new(py, bytes).into_any(),
    })
}

/// The value that a Python object is.
pub(super) fn datum_of(value: &Bound<'_, PyAny>) -> PyResult<Datum> {
    Ok(if let Ok(x) = value.cast::<PyFloat>() {
        Datum::Real(x.value())
    } else if let Ok(text) = value.cast::<PyString>() {
        Datum::Text(text.extract()?)
    } else if value.is_instance_of::<PyInt>() {
        Datum::Integer(value.extract()?)
    } else if let Some(list) = numbers(value) {
        Datum::Reals(list)
    } else if let Some(list) = numbers(value) {
        Datum::Singles(list)
    } else if let Some(list) = numbers(value) {
        Datum::Integers(list)
    } else {
        Datum::Texts(value.extract()?)
    })
}
