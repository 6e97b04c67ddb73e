//! From a file to the elements of an `MjSpec`.

use std::collections::HashMap;
use std::path::Path;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use sinew_mjcf::diag::Error;
use sinew_mjcf::document::{IN_CLASS, Reader, Record, say_inertial};
use sinew_mjcf::spec::datum::Datum;
use sinew_mjcf::spec::{Child, Spec, Tendon, WrapTag};
use sinew_mjcf::{Assets, LoadOptions};

use super::element::{Element, value_of};
use crate::failure::{fatal, quiet};
use crate::load::error_text;
use crate::plugin::registry;

/// Reads a text, or a file if `xml` is none, into an empty model, without compiling it. `classes`
/// are Python's classes of elements by their kinds.
#[pyfunction]
#[pyo3(signature = (spec, classes, xml, path, files))]
pub(super) fn spec_read(
    py: Python<'_>,
    spec: &Bound<'_, PyAny>,
    classes: &Bound<'_, PyDict>,
    xml: Option<&str>,
    path: &str,
    files: HashMap<String, Vec<u8>>,
) -> PyResult<()> {
    let files: Assets = files.into_iter().collect();
    let options = LoadOptions { plugins: registry(), ..LoadOptions::default() };
    let read = || -> Result<Result<Reader, String>, Error> {
        let (spec, _) = match xml {
            Some(xml) => Spec::parse_str(xml, &files, &options)?,
            None => Spec::load_with_assets(Path::new(path), &files, &options)?,
        };
        Reader::new(&spec)
    };
    let reader = py.detach(|| quiet(read)).map_err(|panic| fatal(&*panic))?;
    let reader = reader.map_err(|e| PyValueError::new_err(error_text(&e)))?;
    let mut reader = reader.map_err(PyValueError::new_err)?;
    let model = core::mem::take(&mut reader.spec);
    let mut making = Making { spec: spec.clone(), classes: classes.clone(), scopes: Vec::new() };
    making.settings(&reader, &model)?;
    making.defaults(&reader)?;
    making.assets(&mut reader, &model)?;
    making.tree(&mut reader, &model)?;
    making.objects(&mut reader, &model)?;
    making.plugins(reader)
}

/// A model while its elements are made.
struct Making<'py> {
    spec: Bound<'py, PyAny>,
    classes: Bound<'py, PyDict>,
    /// The settings of scopes.
    scopes: Vec<Bound<'py, PyAny>>,
}

/// Attributes as keyword arguments.
fn dict<'py>(py: Python<'py>, list: Vec<(&'static str, Datum)>) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    for (name, datum) in list {
        out.set_item(PyString::intern(py, name), value_of(py, &datum)?)?;
    }
    Ok(out)
}

/// Replaces the values of an element.
fn replace(element: &Bound<'_, PyAny>, record: Record) -> PyResult<()> {
    element.cast::<Element>()?.try_borrow_mut()?.replace(record);
    Ok(())
}

impl<'py> Making<'py> {
    fn settings(&mut self, reader: &Reader, model: &Spec) -> PyResult<()> {
        let (py, spec) = (self.spec.py(), &self.spec);
        replace(spec, reader.settings(model).map_err(PyValueError::new_err)?)?;
        for (i, scope) in model.scopes.iter().enumerate() {
            let own = spec.getattr("compiler_")?;
            let compiler = if i == 0 { own } else { own.get_type().call0()? };
            replace(&compiler, reader.compiler(scope))?;
            let options = compiler.getattr("_lropt")?;
            for (name, datum) in scope.compiler.lengthrange.written() {
                options.setattr(name, value_of(py, &datum)?)?;
            }
            compiler.setattr("_dir", scope.dir.to_string_lossy())?;
            self.scopes.push(compiler);
        }
        let option = (dict(py, model.option.written())?, dict(py, model.option.flag.written())?);
        spec.call_method1("_read_option", option)?;
        spec.call_method1("_read_statistic", (dict(py, model.statistic.written())?,))?;
        let v = &model.visual;
        let parts = [
            ("global_", v.global.written()),
            ("quality", v.quality.written()),
            ("headlight", v.headlight.written()),
            ("map", v.map.written()),
            ("scale", v.scale.written()),
            ("rgba", v.rgba.written()),
        ];
        for (name, written) in parts {
            spec.call_method1("_read_visual", (name, dict(py, written)?))?;
        }
        for extension in &model.extensions {
            spec.call_method1("activate_plugin", (extension.plugin.text(),))?;
        }
        Ok(())
    }

    fn defaults(&self, reader: &Reader) -> PyResult<()> {
        let mut made: Vec<Bound<'py, PyAny>> = Vec::new();
        for (i, class) in reader.classes.iter().enumerate() {
            let parent = class.parent.map(|parent| made[parent].clone());
            let default = self.spec.call_method1("_read_class", (i, &class.name, parent))?;
            for (kind, record) in IN_CLASS.iter().zip(&class.records) {
                replace(&default.getattr(format!("_{kind}"))?, record.clone())?;
            }
            made.push(default);
        }
        Ok(())
    }

    /// A new element in a scope.
    fn element(&self, record: Record, scope: usize) -> PyResult<Bound<'py, PyAny>> {
        let py = self.spec.py();
        let class = self.classes.get_item(record.fields().kind)?;
        let class = class.ok_or_else(|| PyRuntimeError::new_err("a kind has no class"))?;
        let element = class.call1((&self.spec,))?;
        replace(&element, record)?;
        if scope > 0 {
            element.setattr(intern!(py, "_compiler"), &self.scopes[scope])?;
        }
        Ok(element)
    }

    /// A new element of a list of the model.
    fn listed(&self, mut record: Record, scope: usize) -> PyResult<Bound<'py, PyAny>> {
        let py = self.spec.py();
        let late = record.extra("partial").is_some();
        let list = match late {
            true => self.spec.getattr(intern!(py, "_late_keys"))?,
            false => self.spec.getattr(intern!(py, "_lists"))?.get_item(record.fields().kind)?,
        };
        let list = list.cast_into::<PyList>()?;
        record.id = list.len() as i32;
        let element = self.element(record, scope)?;
        list.append(&element)?;
        Ok(element)
    }

    fn assets(&self, reader: &mut Reader, model: &Spec) -> PyResult<()> {
        for e in &model.meshes {
            let record =
                reader.mesh(e).map_err(|text| PyValueError::new_err(format!("Error: {text}")))?;
            self.listed(record, e.head.scope)?;
        }
        for e in &model.hfields {
            self.listed(reader.hfield(e), e.head.scope)?;
        }
        for e in &model.textures {
            self.listed(reader.texture(e), e.head.scope)?;
        }
        for e in &model.materials {
            self.listed(reader.material(e), e.head.scope)?;
        }
        for e in &model.flexes {
            self.listed(reader.flex(e), e.head.scope)?;
        }
        for e in &model.skins {
            self.listed(reader.skin(e), e.head.scope)?;
        }
        Ok(())
    }

    fn objects(&self, reader: &mut Reader, model: &Spec) -> PyResult<()> {
        for e in &model.pairs {
            self.listed(reader.simple("pair", &e.head, e.written()), e.head.scope)?;
        }
        for e in &model.excludes {
            self.listed(reader.simple("exclude", &e.head, e.written()), e.head.scope)?;
        }
        for e in &model.equalities {
            self.listed(reader.equality(e), e.head.scope)?;
        }
        for e in &model.tendons {
            let tendon = self.listed(reader.tendon(e), e.head.scope)?;
            path(&tendon, e)?;
        }
        for e in &model.actuators {
            let record = reader.actuator(e).map_err(PyValueError::new_err)?;
            self.listed(record, e.head.scope)?;
        }
        for e in &model.sensors {
            self.listed(reader.sensor(e), e.head.scope)?;
        }
        for e in &model.numerics {
            self.listed(reader.simple("numeric", &e.head, e.written()), e.head.scope)?;
        }
        for e in &model.texts {
            self.listed(reader.simple("text", &e.head, e.written()), e.head.scope)?;
        }
        for e in &model.tuples {
            self.listed(reader.tuple(e), e.head.scope)?;
        }
        for e in &model.keys {
            self.listed(reader.key(e), e.head.scope)?;
        }
        Ok(())
    }

    /// The contents of the world, of its bodies and of their frames.
    fn tree(&self, reader: &mut Reader, model: &Spec) -> PyResult<()> {
        let py = self.spec.py();
        let none = py.None().into_bound(py);
        let world = self.spec.getattr("worldbody_")?;
        let mut opened = vec![(world, none.clone(), model.world.children.iter())];
        while let Some((body, frame, rest)) = opened.last_mut() {
            let Some(child) = rest.next() else {
                opened.pop();
                continue;
            };
            let (body, frame) = (body.clone(), frame.clone());
            let put = |record: Record, scope: usize, list: &str| {
                let element = self.element(record, scope)?;
                element.setattr(intern!(py, "_parent"), &body)?;
                element.setattr(intern!(py, "_frame"), &frame)?;
                let list = body.getattr(PyString::intern(py, list))?;
                list.cast_into::<PyList>()?.append(&element)?;
                Ok::<_, PyErr>(element)
            };
            match child {
                Child::Body(e) => {
                    let inner = put(reader.body(e), e.head.scope, "bodies_")?;
                    opened.push((inner, none.clone(), e.children.iter()));
                }
                Child::Frame(e) => {
                    let inner = put(reader.frame(e), e.head.scope, "frames_")?;
                    opened.push((body.clone(), inner, e.children.iter()));
                }
                Child::Inertial(e) => {
                    let mut this = body.cast::<Element>()?.try_borrow_mut()?;
                    say_inertial(this.record_mut()?, e);
                }
                child => {
                    let Some((record, scope)) = reader.leaf(child) else { continue };
                    let list = match record.fields().kind {
                        "joint" => "joints_",
                        "geom" => "geoms_",
                        "site" => "sites_",
                        "camera" => "cameras_",
                        _ => "lights_",
                    };
                    put(record, scope, list)?;
                }
            }
        }
        Ok(())
    }

    /// Instances that attached models name come after those that elements make without a name.
    fn plugins(&self, reader: Reader) -> PyResult<()> {
        if reader.refers_to_plugin {
            self.spec.setattr("hasImplicitPluginElem", 1)?;
        }
        let mut plugins = reader.plugins;
        plugins.sort_by_key(|(record, scope)| !record.name.is_empty() && *scope > 0);
        plugins.into_iter().try_for_each(|(record, scope)| self.listed(record, scope).map(drop))
    }
}

/// Gives a tendon its path.
fn path(tendon: &Bound<'_, PyAny>, e: &Tendon) -> PyResult<()> {
    for wrap in &e.path {
        match wrap.kind {
            WrapTag::Site => tendon.call_method1("wrap_site", (wrap.site.text(),))?,
            WrapTag::Geom => {
                tendon.call_method1("wrap_geom", (wrap.geom.text(), wrap.sidesite.text()))?
            }
            WrapTag::Pulley => tendon.call_method1("wrap_pulley", (wrap.divisor.or(1.0),))?,
            WrapTag::Joint => {
                tendon.call_method1("wrap_joint", (wrap.joint.text(), wrap.coef.or(0.0)))?
            }
        };
    }
    Ok(())
}
