//! Models as plain data: what `MjSpec` reads from files and hands to the compiler.
//!
//! A model is a tuple `(name, comment, scopes, classes, parts)`, an element a tuple `(tag,
//! attributes, class, scope, mark, bytes, children)`. An element of `MjSpec` adds the name of its
//! table and its values.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use sinew_mjcf::diag::{Diagnostic, Error, render};
use sinew_mjcf::plain::{Plain, PlainModel};
use sinew_mjcf::spec::attr::Value;
use sinew_mjcf::spec::kind::Preset;
use sinew_mjcf::spec::mjs::{keyword_tables, records};
use sinew_mjcf::spec::sensor_kinds::{CONTACT_FIELDS, End, RAY_FIELDS, SENSOR_KINDS};
use sinew_mjcf::spec::{
    ActuatorTag, FlagElement, Mesh, MeshBuiltin, OptionElement, Orientation, SizeElement, Span,
    Spec, Tri,
};
use sinew_mjcf::{ActuatorSettings, Assets, LoadOptions, SHORTCUTS};
use sinew_model::enums::{BiasType, DynType, GainType};

use crate::attributes::{add_values, datum_of, value_of};
use crate::call::with_model;
use crate::failure::{FatalError, fatal, quiet};
use crate::load::error_text;
use crate::model::{Model, Origin};
use crate::plugin::registry;

/// Elements are nested no deeper than this.
const MAX_DEPTH: usize = 1024;

/// Reads a model from a text, or from a file if `xml` is none, without compiling it.
#[pyfunction]
#[pyo3(signature = (xml, path, files))]
fn spec_read<'py>(
    py: Python<'py>,
    xml: Option<&str>,
    path: &str,
    files: HashMap<String, Vec<u8>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let files: Assets = files.into_iter().collect();
    let options = LoadOptions { plugins: registry(), ..LoadOptions::default() };
    let read = || -> Result<PlainModel, Error> {
        let (spec, _) = match xml {
            Some(xml) => Spec::parse_str(xml, &files, &options)?,
            None => Spec::load_with_assets(Path::new(path), &files, &options)?,
        };
        spec.to_plain()
    };
    let model = py.detach(|| quiet(read)).map_err(|panic| fatal(&*panic))?;
    let model = model.map_err(|e| PyValueError::new_err(error_text(&e)))?;
    plain_model(py, &model)
}

/// The text, in MuJoCo's style, of what a model was compiled from; none if the model lacks elements
/// that were fused or discarded.
#[pyfunction]
fn spec_xml(m: &Bound<'_, Model>) -> PyResult<Option<String>> {
    let Some(origin) = &m.get().origin else { return Ok(None) };
    let text = with_model(m, |model| origin.spec.to_mujoco_xml(model, &origin.options.plugins))?;
    text.map_err(|words| FatalError::new_err(format!("XML Error: {words}")))
}

/// Compiles a model; with it the marks of bodies, joints, geoms, sites, cameras, lights and meshes.
/// If there are errors, a list of `(message, mark, whether an attribute is no keyword)` instead.
#[pyfunction]
fn spec_compile<'py>(
    py: Python<'py>,
    model: &Bound<'py, PyTuple>,
    files: HashMap<String, Vec<u8>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Gathered { model: plain, wrong } = Gathered::of(model)?;
    if !wrong.is_empty() {
        let list = wrong.into_iter().map(|(text, mark)| (text, mark, true));
        return Ok(PyList::new(py, list.collect::<Vec<_>>())?.into_any());
    }
    let assets: Assets = files.into_iter().collect();
    let options = LoadOptions { plugins: registry(), ..LoadOptions::default() };

    // detached: no Python object is touched
    let compile = || -> Result<_, Error> {
        let spec = Spec::from_plain(&plain)?;
        let loaded = spec.compile(&assets, &options)?;
        Ok((spec, loaded))
    };
    let result = py.detach(|| quiet(compile)).map_err(|panic| fatal(&*panic))?;

    // the model with the marks of its elements, or the errors with theirs
    match result {
        Ok((spec, loaded)) => {
            let text = |w: &Diagnostic| render(core::slice::from_ref(w), &[]).trim_end().to_owned();
            let warnings = loaded.warnings.iter().map(text).collect();
            let origin = Origin { spec, assets, options, read: false };
            let p = &loaded.places;
            let marks = |spans: &[Span]| spans.iter().map(|s| s.start).collect::<Vec<u32>>();
            let lists = [&p.body, &p.joint, &p.geom, &p.site, &p.camera, &p.light, &p.mesh];
            let lists = lists.map(|spans| marks(spans));
            let model = Bound::new(py, Model::compiled(loaded.model, warnings, origin))?;
            Ok((model, lists).into_pyobject(py)?.into_any())
        }
        Err(error) => {
            let errors = error.diagnostics.iter().filter(|d| d.is_error());
            let mark = |d: &Diagnostic| d.span.map_or(0, |span| span.start);
            let list = errors.map(|d| (d.message.as_str(), mark(d), false));
            Ok(PyList::new(py, list.collect::<Vec<_>>())?.into_any())
        }
    }
}

/// Vertices, normals and faces of a builtin mesh and whether it is a shell; or what is wrong.
#[pyfunction]
fn builtin_mesh<'py>(
    py: Python<'py>,
    shape: &str,
    params: Vec<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let kind = <MeshBuiltin as Value>::parse(shape);
    let kind = kind.map_err(|_| PyValueError::new_err(format!("no builtin mesh '{shape}'")))?;
    let mut mesh = Mesh::default();
    match mesh.make(kind, &params) {
        Ok(()) => {
            let lists = (
                mesh.vertex.or(Vec::new()),
                mesh.normal.or(Vec::new()),
                mesh.face.or(Vec::new()),
                mesh.inertia.is_set(),
            );
            Ok(lists.into_pyobject(py)?.into_any())
        }
        Err(words) => Ok(PyString::new(py, &words).into_any()),
    }
}

/// The quaternion of an orientation of the given kind, or what is wrong with it.
#[pyfunction]
fn resolve_orientation(
    degree: bool,
    sequence: &str,
    kind: i32,
    values: Vec<f64>,
) -> PyResult<[f64; 4]> {
    let wrong = |_| PyValueError::new_err("wrong number of values");
    let alt = match kind {
        0 => return Ok([1.0, 0.0, 0.0, 0.0]),
        1 => Orientation::AxisAngle(values.try_into().map_err(wrong)?),
        2 => Orientation::XyAxes(values.try_into().map_err(wrong)?),
        3 => Orientation::ZAxis(values.try_into().map_err(wrong)?),
        _ => Orientation::Euler(values.try_into().map_err(wrong)?),
    };
    let sequence = sequence.as_bytes().try_into().unwrap_or(*b"xyz");
    alt.to_quat(degree, sequence).map_err(PyValueError::new_err)
}

/// The tables of attributes, keywords, sensors and actuators.
#[pyfunction]
fn spec_tables(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    // attributes of elements: name, type, default, name in MJCF
    let elements = PyDict::new(py);
    for record in records() {
        let rows = PyList::empty(py);
        for row in record.rows.iter().filter(|row| row.name.is_some()) {
            let preset = match (row.preset)() {
                Preset::Numbers(numbers) => numbers.into_pyobject(py)?.into_any(),
                Preset::Text(text) => text.into_pyobject(py)?.into_any(),
            };
            rows.append((row.name, row.kind.to_string(), preset, row.xml))?;
        }
        elements.set_item(record.name, rows)?;
    }

    // keywords and their numbers
    let keywords = PyDict::new(py);
    for (name, words) in keyword_tables() {
        let table = PyDict::new(py);
        words.iter().try_for_each(|(word, number)| table.set_item(word, number))?;
        keywords.set_item(name, table)?;
    }

    // sensors: type, object, reference, size
    let end = |end: End| match end {
        End::None => Ok(py.None().into_bound(py)),
        End::Typed => Ok("*".into_pyobject(py)?.into_any()),
        End::OneOf(list) => {
            let list: Vec<_> = list.iter().map(|(attr, kind)| (*attr, kind.0)).collect();
            list.into_pyobject(py)
        }
    };
    let sensors = PyDict::new(py);
    for kind in SENSOR_KINDS {
        let ends = (end(kind.target.object())?, end(kind.target.reference())?);
        sensors.set_item(kind.tag, (kind.type_.0, ends.0, ends.1, kind.dim))?;
    }

    // shortcuts of actuators: what they make, parameters and their defaults
    let shortcuts = PyDict::new(py);
    for shortcut in SHORTCUTS {
        let parameters: Vec<_> =
            shortcut.parameters.iter().map(|(name, default)| (*name, default.to_vec())).collect();
        shortcuts.set_item(shortcut.kind.name(), (shortcut.doc, parameters))?;
    }

    // everything by its name
    let settings = PyDict::new(py);
    settings.set_item("option", OptionElement::ATTRIBUTES)?;
    settings.set_item("flag", FlagElement::ATTRIBUTES)?;
    settings.set_item("size", SizeElement::ATTRIBUTES)?;
    let sizes = |fields: &[(&str, usize)]| fields.iter().map(|(_, n)| *n).collect::<Vec<_>>();
    let all = PyDict::new(py);
    all.set_item("records", elements)?;
    all.set_item("keywords", keywords)?;
    all.set_item("sensors", sensors)?;
    all.set_item("shortcuts", shortcuts)?;
    all.set_item("settings", settings)?;
    all.set_item("ray_sizes", sizes(RAY_FIELDS))?;
    all.set_item("contact_sizes", sizes(CONTACT_FIELDS))?;
    Ok(all)
}

/// Parameters of gain, bias and dynamics, ranges of control and activation, `inheritrange`, and the
/// types of dynamics, gain and bias.
type Laws = ([f64; 10], [f64; 10], [f64; 10], [f64; 2], [f64; 2], f64, i32, i32, i32);

/// Applies a shortcut to an actuator: what is wrong with it, whether it limits the control and the
/// activation, and what is set then.
#[pyfunction]
fn actuator_shortcut<'py>(
    py: Python<'py>,
    kind: &str,
    given: Vec<(String, Vec<f64>)>,
    state: Laws,
) -> PyResult<Bound<'py, PyTuple>> {
    let kind = ActuatorTag::from_name(kind)
        .ok_or_else(|| PyValueError::new_err(format!("no actuator '{kind}'")))?;
    let (gainprm, biasprm, dynprm, ctrlrange, actrange, inheritrange, dyntype, gaintype, biastype) =
        state;
    let mut set = ActuatorSettings {
        gainprm,
        biasprm,
        dynprm,
        ctrlrange,
        actrange,
        inheritrange,
        dyntype: DynType(dyntype),
        gaintype: GainType(gaintype),
        biastype: BiasType(biastype),
        ..ActuatorSettings::default()
    };
    let given: Vec<_> =
        given.iter().map(|(name, values)| (name.as_str(), values.clone())).collect();
    let error = set.shortcut(kind, &given).err();
    (
        error,
        set.ctrllimited == Tri::True,
        set.actlimited == Tri::True,
        set.gainprm,
        set.biasprm,
        set.dynprm,
        set.ctrlrange,
        set.actrange,
        set.inheritrange,
        set.dyntype.0,
        set.gaintype.0,
        set.biastype.0,
    )
        .into_pyobject(py)
}

/// A model as `(name, comment, scopes, classes, parts)`.
fn plain_model<'py>(py: Python<'py>, model: &PlainModel) -> PyResult<Bound<'py, PyTuple>> {
    let mut scopes = Vec::new();
    for (plain, dir) in &model.scopes {
        scopes.push((element(py, plain)?, dir.to_string_lossy().into_owned()));
    }
    let mut classes = Vec::new();
    for (plain, parent) in &model.classes {
        classes.push((element(py, plain)?, *parent));
    }
    let parts: Vec<_> = model.parts.iter().map(|p| element(py, p)).collect::<PyResult<Vec<_>>>()?;
    (model.name.as_str(), model.comment.as_str(), scopes, classes, parts).into_pyobject(py)
}

/// An element as a tuple.
fn element<'py>(py: Python<'py>, plain: &Plain) -> PyResult<Bound<'py, PyTuple>> {
    let attrs = PyDict::new(py);
    for (name, datum) in &plain.attrs {
        attrs.set_item(PyString::intern(py, name), value_of(py, datum)?)?;
    }
    let children = plain.children.iter().map(|c| element(py, c)).collect::<PyResult<Vec<_>>>()?;
    let bytes = PyBytes::new(py, &plain.bytes);
    let tag = PyString::intern(py, &plain.tag);
    (tag, attrs, plain.class, plain.scope, plain.mark, bytes, children).into_pyobject(py)
}

/// A model while it is read from tuples.
#[derive(Default)]
struct Gathered {
    model: PlainModel,
    /// What is wrong with elements, and their marks.
    wrong: Vec<(String, u32)>,
}

impl Gathered {
    /// The model that a tuple describes.
    fn of(tuple: &Bound<'_, PyTuple>) -> PyResult<Gathered> {
        let mut all = Gathered::default();
        all.model.name = tuple.get_item(0)?.extract()?;
        all.model.comment = tuple.get_item(1)?.extract()?;
        for scope in tuple.get_item(2)?.try_iter()? {
            let (plain, dir): (Bound<'_, PyTuple>, PathBuf) = scope?.extract()?;
            let plain = all.element(&plain, 0)?;
            all.model.scopes.push((plain, dir));
        }
        for class in tuple.get_item(3)?.try_iter()? {
            let (plain, parent): (Bound<'_, PyTuple>, Option<usize>) = class?.extract()?;
            let plain = all.element(&plain, 0)?;
            all.model.classes.push((plain, parent));
        }
        for part in tuple.get_item(4)?.try_iter()? {
            let plain = all.element(part?.cast::<PyTuple>()?, 0)?;
            all.model.parts.push(plain);
        }
        Ok(all)
    }

    /// The element that a tuple describes; after what every tuple has come, if it has attributes of
    /// its own, their table and their values.
    fn element(&mut self, tuple: &Bound<'_, PyTuple>, depth: usize) -> PyResult<Plain> {
        if depth > MAX_DEPTH {
            return Err(PyValueError::new_err("Error: elements are nested too deeply"));
        }
        let mut plain = Plain {
            tag: tuple.get_item(0)?.extract::<String>()?.into(),
            class: tuple.get_item(2)?.extract()?,
            scope: tuple.get_item(3)?.extract()?,
            mark: tuple.get_item(4)?.extract()?,
            bytes: tuple.get_item(5)?.cast::<PyBytes>()?.as_bytes().to_vec(),
            ..Plain::default()
        };

        // what is said instead of attributes, None for nothing, and the attributes
        let mut left_out = Vec::new();
        for (name, value) in tuple.get_item(1)?.cast::<PyDict>()?.iter() {
            let name: String = name.extract()?;
            match value.is_none() {
                true => left_out.push(name),
                false => plain.attrs.push((name.into(), datum_of(&value)?)),
            }
        }
        if tuple.len() > 7 {
            let (kind, values) = (tuple.get_item(7)?, tuple.get_item(8)?);
            let (kind, values) = (kind.cast::<PyString>()?.to_str()?, values.cast::<PyDict>()?);
            let wrong = add_values(&mut plain, &left_out, kind, values)?;
            self.wrong.extend(wrong.map(|text| (text, plain.mark)));
        }

        for child in tuple.get_item(6)?.try_iter()? {
            plain.children.push(self.element(child?.cast::<PyTuple>()?, depth + 1)?);
        }
        Ok(plain)
    }
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(spec_read, m)?)?;
    m.add_function(wrap_pyfunction!(spec_xml, m)?)?;
    m.add_function(wrap_pyfunction!(spec_compile, m)?)?;
    m.add_function(wrap_pyfunction!(spec_tables, m)?)?;
    m.add_function(wrap_pyfunction!(actuator_shortcut, m)?)?;
    m.add_function(wrap_pyfunction!(builtin_mesh, m)?)?;
    m.add_function(wrap_pyfunction!(resolve_orientation, m)?)
}
