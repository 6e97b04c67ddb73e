//! Attributes of the elements of `MjSpec` as values for the compiler, and values as attributes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyString};
use sinew_mjcf::plain::Plain;
use sinew_mjcf::spec::datum::Datum;
use sinew_mjcf::spec::kind::{Kind, Preset};
use sinew_mjcf::spec::mjs::{keyword_tables, records};

/// An attribute that MJCF has, too.
struct Field {
    /// Its name in MJCF.
    xml: &'static str,
    kind: Kind,
    /// Its value in a new element, as numbers or as a text.
    numbers: Vec<f64>,
    text: &'static str,
    /// The numbers of its keywords; none if it has no keywords.
    keywords: Option<Vec<i32>>,
}

/// The attributes of a kind of element by their names.
type Fields = HashMap<&'static str, Field>;

/// The attributes of all kinds of elements.
static FIELDS: LazyLock<HashMap<&'static str, Fields>> = LazyLock::new(|| {
    let keywords: HashMap<_, _> = keyword_tables().into_iter().collect();
    let of_kind = |kind: Kind| match kind {
        Kind::Enum(name) | Kind::Words(name) => {
            keywords.get(name).map(|words| words.iter().map(|(_, number)| *number).collect())
        }
        _ => None,
    };
    let fields = records().into_iter().map(|record| {
        let rows = record.rows.iter().filter_map(|row| {
            let (numbers, text) = match (row.preset)() {
                Preset::Numbers(numbers) => (numbers, ""),
                Preset::Text(text) => (Vec::new(), text),
            };
            let keywords = of_kind(row.kind);
            Some((row.name?, Field { xml: row.xml?, kind: row.kind, numbers, text, keywords }))
        });
        (record.name, rows.collect())
    });
    fields.collect()
});

/// Adds the attributes of an element that differ from those of a new one, unless the element says
/// them already or `left_out` names them; gives what is wrong with a keyword.
pub(crate) fn add_values(
    plain: &mut Plain,
    left_out: &[String],
    kind: &str,
    values: &Bound<'_, PyDict>,
) -> PyResult<Option<String>> {
    let Some(fields) = FIELDS.get(kind) else { return Ok(None) };
    for (name, value) in values.iter() {
        let name = name.cast::<PyString>()?.to_str()?;
        let Some(field) = fields.get(name) else { continue };
        if plain.attr(field.xml).is_some() || left_out.iter().any(|name| name == field.xml) {
            continue;
        }
        let Some(datum) = field.differing(&value)? else { continue };
        if let (Datum::Integer(number), Some(keywords)) = (&datum, &field.keywords)
            && !keywords.contains(number)
        {
            return Ok(Some(format!("invalid {name} in {kind}")));
        }
        plain.attrs.push((Cow::Borrowed(field.xml), datum));
    }
    Ok(None)
}

impl Field {
    /// The value if it differs from that of a new element; NaN stands for none.
    fn differing(&self, value: &Bound<'_, PyAny>) -> PyResult<Option<Datum>> {
        let first = self.numbers.first().copied().unwrap_or_default();
        let differs = |number: f64| number != first && !number.is_nan();
        Ok(match self.kind {
            Kind::Integer | Kind::Enum(_) | Kind::Words(_) => {
                let number: i32 = value.extract()?;
                differs(number.into()).then_some(Datum::Integer(number))
            }
            Kind::Flag => {
                let flag: i32 = value.extract()?;
                differs(flag.into()).then_some(Datum::Integer((flag != 0).into()))
            }
            Kind::Real | Kind::Single => {
                let number: f64 = value.extract()?;
                differs(number).then_some(Datum::Real(number))
            }
            Kind::Text => {
                let text = value.cast::<PyString>()?.to_str()?;
                (text != self.text).then(|| Datum::from(text))
            }
            Kind::Characters(_) => {
                let text = value.extract::<Vec<String>>()?.concat();
                (text != self.text).then_some(Datum::Text(text))
            }
            Kind::Reals(_) => self.array(value, Datum::Reals),
            Kind::Poly => self.array(value, |mut list: Vec<f64>| {
                // the last coefficients that are zero are not said
                list.truncate(list.iter().rposition(|x| *x != 0.0).map_or(1, |last| last + 1));
                Datum::Reals(list)
            }),
            Kind::Singles(_) => self.array(value, Datum::Singles),
            Kind::Integers(_) => self.array(value, Datum::Integers),
            Kind::RealList => numbers(value).filter(|list| !list.is_empty()).map(Datum::Reals),
            Kind::SingleList => numbers(value).filter(|list| !list.is_empty()).map(Datum::Singles),
            Kind::IntegerList => {
                numbers(value).filter(|list| !list.is_empty()).map(Datum::Integers)
            }
            Kind::TextList => {
                let list: Vec<String> = value.extract()?;
                (!list.is_empty()).then_some(Datum::Texts(list))
            }
            // crossing in other ways: in the scope of the element, or beside its attributes
            Kind::File
            | Kind::IntegerLists
            | Kind::SingleLists
            | Kind::Bytes
            | Kind::Orientation
            | Kind::Plugin => None,
        })
    }

    /// An array if it differs from that of a new element and does not begin with NaN.
    fn array<T: Element + Copy + Into<f64>>(
        &self,
        value: &Bound<'_, PyAny>,
        make: impl FnOnce(Vec<T>) -> Datum,
    ) -> Option<Datum> {
        let list: Vec<T> = numbers(value)?;
        let preset = self.numbers.iter().copied().chain(core::iter::repeat(0.0));
        let same = list.iter().zip(preset).all(|(x, preset)| (*x).into() == preset);
        let none = list.first().is_some_and(|x| (*x).into().is_nan());
        (!same && !none).then(|| make(list))
    }
}

/// The numbers of an array of their type.
fn numbers<T: Element + Copy>(value: &Bound<'_, PyAny>) -> Option<Vec<T>> {
    let array = value.cast::<PyArray1<T>>().ok()?;
    if let Ok(list) = array.to_vec() {
        return Some(list);
    }
    Some(array.try_readonly().ok()?.as_array().iter().copied().collect())
}

/// A value as a Python object.
pub(crate) fn value_of<'py>(py: Python<'py>, datum: &Datum) -> PyResult<Bound<'py, PyAny>> {
    Ok(match datum {
        Datum::Integer(x) => x.into_pyobject(py)?.into_any(),
        Datum::Real(x) => x.into_pyobject(py)?.into_any(),
        Datum::Text(text) => text.into_pyobject(py)?.into_any(),
        Datum::Integers(list) => PyArray1::from_slice(py, list).into_any(),
        Datum::Reals(list) => PyArray1::from_slice(py, list).into_any(),
        Datum::Singles(list) => PyArray1::from_slice(py, list).into_any(),
        Datum::Texts(list) => list.into_pyobject(py)?.into_any(),
    })
}

/// The value that a Python object is.
pub(crate) fn datum_of(value: &Bound<'_, PyAny>) -> PyResult<Datum> {
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
