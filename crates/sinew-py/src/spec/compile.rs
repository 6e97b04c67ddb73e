//! From the elements of an `MjSpec` to a compiled model.

use std::collections::HashMap;
use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use sinew_mjcf::diag::{Diagnostic, Error, render};
use sinew_mjcf::document::{Builder, Given, IN_CLASS, Passed, Record};
use sinew_mjcf::spec::{Body, Child, Frame, OptionElement, Span, Spec, WrapTag};
use sinew_mjcf::{Assets, LoadOptions, Loaded};
use sinew_model::enums::ObjType;
use sinew_model::options::{Options, Statistic, Visual};

use super::element::{Element, datum_of};
use crate::failure::{fatal, quiet};
use crate::memory::zeroed;
use crate::model::{Model, Origin};
use crate::plugin::registry;
use crate::records::record_of;

/// Elements are nested no deeper than this.
const MAX_DEPTH: usize = 1024;

/// Kinds of lists in the order in which they are compiled: those before the world, and after it.
const BEFORE: [&str; 6] = ["mesh", "hfield", "texture", "material", "flex", "skin"];
const AFTER: [&str; 10] = [
    "pair", "exclude", "equality", "tendon", "actuator", "sensor", "numeric", "text", "tuple",
    "key",
];

/// Elements of a body, in order, and the attributes of bodies that have them.
const LEAVES: [&str; 5] = ["joints_", "geoms_", "sites_", "cameras_", "lights_"];

/// Compiles a model: the model, and the settings of all its parts. Elements get their numbers.
/// Errors name the mistake, the element or none, and whether the element is to be named.
#[pyfunction]
pub(super) fn spec_compile<'py>(
    py: Python<'py>,
    spec: &Bound<'py, PyAny>,
    files: HashMap<String, Vec<u8>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let mut walk = Walk::new(spec)?;
    let marked = |walk: &Walk<'py>, mark: u32| {
        let element = walk.marked.get(mark as usize).cloned().flatten();
        element.map(|element| element.into_any())
    };
    if let Err(error) = walk.all() {
        return match walk.wrong.take() {
            Some((text, mark)) => (text, marked(&walk, mark), true).into_pyobject(py),
            None => Err(error),
        };
    }
    let made = core::mem::replace(&mut walk.builder, Builder::new(&walk.settings)).finish();
    let assets: Assets = files.into_iter().collect();
    let options = LoadOptions { plugins: registry(), ..LoadOptions::default() };

    // detached: no Python object is touched
    let compile = || -> Result<(Spec, Loaded), Error> {
        let spec = made?;
        let loaded = spec.compile(&assets, &options)?;
        Ok((spec, loaded))
    };
    match py.detach(|| quiet(compile)).map_err(|panic| fatal(&*panic))? {
        Ok((spec, loaded)) => {
            let text = |w: &Diagnostic| render(core::slice::from_ref(w), &[]).trim_end().to_owned();
            let warnings = loaded.warnings.iter().map(text).collect();
            let p = &loaded.places;
            walk.number(&[&p.body, &p.joint, &p.geom, &p.site, &p.camera, &p.light, &p.mesh])?;
            let origin = Origin { spec, assets, options, read: false };
            let model = Bound::new(py, Model::compiled(loaded.model, warnings, origin))?;
            (model, PyList::new(py, walk.compilers)?).into_pyobject(py)
        }
        Err(error) => {
            let first = error.diagnostics.iter().find(|d| d.is_error());
            let mark = first.and_then(|d| d.span).map_or(0, |span| span.start);
            let text = first.map_or("", |d| d.message.as_str());
            (text, marked(&walk, mark), false).into_pyobject(py)
        }
    }
}

/// A walk through the elements of a model.
struct Walk<'py> {
    spec: Bound<'py, PyAny>,
    /// Settings of the model itself.
    settings: Record,
    builder: Builder,
    /// The settings of scopes.
    compilers: Vec<Bound<'py, PyAny>>,
    classes: HashMap<String, usize>,
    /// Errors name elements by their place in this list, from 1 on.
    marked: Vec<Option<Bound<'py, Element>>>,
    /// Frames without name and contents, by address.
    frames: HashMap<usize, Frame>,
    /// Frames up to now.
    count: i32,
    /// The error of an element, and its mark.
    wrong: Option<(String, u32)>,
}

impl<'py> Walk<'py> {
    fn new(spec: &Bound<'py, PyAny>) -> PyResult<Self> {
        let settings = spec.cast::<Element>()?.try_borrow()?.record()?.clone();
        let mut classes = HashMap::new();
        let defaults = spec.getattr(intern!(spec.py(), "_defaults"))?;
        for (i, default) in defaults.try_iter()?.enumerate() {
            let name: String = default?.getattr(intern!(spec.py(), "_name"))?.extract()?;
            classes.entry(name).or_insert(i);
        }
        classes.insert("main".to_owned(), 0);
        Ok(Walk {
            spec: spec.clone(),
            builder: Builder::new(&settings),
            settings,
            compilers: Vec::new(),
            classes,
            marked: vec![None],
            frames: HashMap::new(),
            count: 0,
            wrong: None,
        })
    }

    /// Everything.
    fn all(&mut self) -> PyResult<()> {
        let py = self.spec.py();
        let compiler = self.spec.getattr(intern!(py, "compiler_"))?;
        self.scope_of(compiler);
        self.settings()?;
        self.extensions()?;
        let lists = self.spec.getattr(intern!(py, "_lists"))?.cast_into::<PyDict>()?;
        BEFORE.iter().try_for_each(|kind| self.list(&lists, kind))?;

        let world = self.spec.getattr(intern!(py, "worldbody_"))?;
        let mut children = Vec::new();
        self.inside(&world, &mut children, 1)?;
        let world = element(world)?;
        let this = world.try_borrow()?;
        let given = self.given(&world, this.record()?)?;
        self.builder.world(&given, children);

        AFTER.iter().try_for_each(|kind| self.list(&lists, kind))?;
        self.defaults()?;
        (0..self.compilers.len()).try_for_each(|i| self.scope(i))
    }

    /// The built value; an error stops the walk at the element of the mark.
    fn of<T>(&mut self, result: Result<T, String>, mark: u32) -> PyResult<T> {
        result.map_err(|text| {
            self.wrong = Some((text, mark));
            PyValueError::new_err("an element is wrong")
        })
    }

    /// The number of a scope.
    fn scope_of(&mut self, compiler: Bound<'py, PyAny>) -> usize {
        if let Some(i) = self.compilers.iter().position(|known| known.is(&compiler)) {
            return i;
        }
        self.compilers.push(compiler);
        self.compilers.len() - 1
    }

    fn mark(&mut self, e: &Bound<'py, Element>) -> u32 {
        self.marked.push(Some(e.clone()));
        self.marked.len() as u32 - 1
    }

    /// A record with its class, its scope, and a new mark.
    fn given<'r>(&mut self, e: &Bound<'py, Element>, record: &'r Record) -> PyResult<Given<'r>> {
        let compiler = e.getattr(intern!(e.py(), "_compiler"))?;
        let scope = if compiler.is(&self.compilers[0]) { 0 } else { self.scope_of(compiler) };
        let class = self.classes.get(record.class.as_str()).copied();
        Ok(Given { record, class, scope, mark: self.mark(e) })
    }

    // settings

    fn settings(&mut self) -> PyResult<()> {
        let (py, spec) = (self.spec.py(), &self.spec);
        let options = record_of(&spec.getattr(intern!(py, "option_"))?, Options::default())?;
        let mut more = Vec::new();
        let extra = spec.getattr(intern!(py, "_option_extra"))?.cast_into::<PyDict>();
        for (name, value) in extra?.iter() {
            let name = name.cast::<PyString>()?.to_str()?;
            if let Some(name) = OptionElement::ATTRIBUTES.iter().find(|n| **n == name) {
                more.push((*name, datum_of(&value)?));
            }
        }
        let parts = spec.getattr(intern!(py, "visual_"))?.getattr(intern!(py, "_parts"))?;
        let d = Visual::default();
        let visual = Visual {
            global: record_of(&parts.get_item("global_")?, d.global)?,
            quality: record_of(&parts.get_item("quality")?, d.quality)?,
            headlight: record_of(&parts.get_item("headlight")?, d.headlight)?,
            map: record_of(&parts.get_item("map")?, d.map)?,
            scale: record_of(&parts.get_item("scale")?, d.scale)?,
            rgba: record_of(&parts.get_item("rgba")?, d.rgba)?,
        };
        let stat: Statistic = record_of(&spec.getattr(intern!(py, "stat_"))?, zeroed())?;
        let given = Given { record: &self.settings, class: None, scope: 0, mark: 0 };
        let made = self.builder.settings(&given, (&options, more), &visual);
        self.of(made, 0)?;
        let numbers = [stat.meaninertia, stat.meanmass, stat.meansize, stat.extent];
        self.builder.statistic(numbers, stat.center.into());
        Ok(())
    }

    /// The settings of a scope; the first is the model's own.
    fn scope(&mut self, i: usize) -> PyResult<()> {
        let compiler = element(self.compilers[i].clone())?;
        let py = compiler.py();
        let dir: PathBuf = match i {
            0 => self.settings.text("modelfiledir").into(),
            _ => compiler.getattr(intern!(py, "_dir"))?.extract()?,
        };
        let mut ranges = Vec::new();
        let options = compiler.getattr(intern!(py, "_lropt"))?;
        for name in ["mode", "useexisting", "uselimit"] {
            ranges.push((name, options.getattr(name)?.extract::<i32>()?.into()));
        }
        for name in
            ["accel", "maxforce", "timeconst", "timestep", "inttotal", "interval", "tolrange"]
        {
            ranges.push((name, options.getattr(name)?.extract::<f64>()?.into()));
        }
        let this = compiler.try_borrow()?;
        let given = Given { record: this.record()?, class: None, scope: 0, mark: 0 };
        let strippath = self.settings.integer("strippath") != 0;
        let made = self.builder.scope(&given, strippath, ranges, dir);
        self.of(made, 0)
    }

    fn defaults(&mut self) -> PyResult<()> {
        let py = self.spec.py();
        let defaults = self.spec.getattr(intern!(py, "_defaults"))?.cast_into::<PyList>();
        let defaults: Vec<_> = defaults?.iter().collect();
        for default in &defaults {
            let parent = default.getattr(intern!(py, "_parent"))?;
            let parent = defaults.iter().position(|d| d.is(&parent));
            let mut elements = Vec::new();
            for kind in IN_CLASS.iter().filter(|kind| **kind != "flex") {
                elements.push(element(default.getattr(format!("_{kind}"))?)?);
            }
            let borrowed = elements.iter().map(|e| e.try_borrow());
            let borrowed: Vec<_> = borrowed.collect::<Result<_, _>>()?;
            let mut says = Vec::new();
            for (e, this) in elements.iter().zip(&borrowed) {
                if this.record()?.says_anything() {
                    says.push(self.given(e, this.record()?)?);
                }
            }
            let name: String = default.getattr(intern!(py, "_name"))?.extract()?;
            let mark = says.first().map_or(0, |given| given.mark);
            let made = self.builder.class(&name, parent, &says);
            self.of(made, mark)?;
        }
        Ok(())
    }

    /// The plugins that the model uses, with their instances.
    fn extensions(&mut self) -> PyResult<()> {
        let py = self.spec.py();
        let active: Vec<String> = self.spec.getattr(intern!(py, "_active_plugins"))?.extract()?;
        let lists = self.spec.getattr(intern!(py, "_lists"))?;
        let mut named = Vec::new();
        for (i, plugin) in lists.get_item("plugin")?.try_iter()?.enumerate() {
            let plugin = element(plugin?)?;
            plugin.try_borrow_mut()?.record_mut()?.id = i as i32;
            if !plugin.try_borrow()?.record()?.name.is_empty() {
                named.push(plugin);
            }
        }
        let borrowed = named.iter().map(|e| e.try_borrow());
        let borrowed: Vec<_> = borrowed.collect::<Result<_, _>>()?;
        let mut names = Vec::new();
        let own = borrowed.iter().map(|this| Ok(this.record()?.text("plugin_name").to_owned()));
        for name in active.into_iter().chain(own.collect::<PyResult<Vec<_>>>()?) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        for name in names {
            let mut instances = Vec::new();
            for (e, this) in named.iter().zip(&borrowed) {
                if this.record()?.text("plugin_name") == name {
                    instances.push(self.given(e, this.record()?)?);
                }
            }
            self.builder.extension(&name, &instances);
        }
        Ok(())
    }

    // elements

    /// The elements of a list, which get their numbers.
    fn list(&mut self, lists: &Bound<'py, PyDict>, kind: &str) -> PyResult<()> {
        let Some(list) = lists.get_item(kind)? else { return Ok(()) };
        for (i, e) in list.cast::<PyList>()?.iter().enumerate() {
            let e = element(e)?;
            e.try_borrow_mut()?.record_mut()?.id = i as i32;
            let this = e.try_borrow()?;
            let given = self.given(&e, this.record()?)?;
            let path = if kind == "tendon" { self.path(&e)? } else { Vec::new() };
            let spec = self.spec.clone();
            let find = |kind: ObjType, name: &str| finds(&spec, kind, name).unwrap_or(false);
            let made = self.builder.listed(&given, &path, &find);
            self.of(made, given.mark)?;
        }
        Ok(())
    }

    /// The path of a tendon.
    fn path(&mut self, tendon: &Bound<'py, Element>) -> PyResult<Vec<Passed>> {
        let py = tendon.py();
        let mut path = Vec::new();
        for wrap in tendon.getattr(intern!(py, "_path"))?.try_iter()? {
            let wrap = wrap?;
            let kind = match wrap.cast::<Element>()?.try_borrow()?.record()?.integer("type") {
                1 => WrapTag::Joint,
                2 => WrapTag::Pulley,
                3 => WrapTag::Site,
                _ => WrapTag::Geom,
            };
            path.push(Passed {
                kind,
                target: wrap.getattr(intern!(py, "_target"))?.extract()?,
                side: wrap.getattr(intern!(py, "_side"))?.extract()?,
                number: wrap.getattr(intern!(py, "_prm"))?.extract()?,
                mark: self.mark(tendon),
            });
        }
        Ok(path)
    }

    /// The contents of a body: frames, then elements in order of kinds, then bodies.
    fn inside(
        &mut self,
        body: &Bound<'py, PyAny>,
        children: &mut Vec<Child>,
        depth: usize,
    ) -> PyResult<()> {
        self.leaves(body, children, depth)?;
        let py = body.py();
        let bodies = body.getattr(intern!(py, "bodies_"))?.cast_into::<PyList>();
        for child in bodies?.iter() {
            let (mut inner, depth) = self.body(&child, depth)?;
            self.inside(&child, &mut inner.children, depth)?;
            let framed = self.framed(&child, Child::Body(*inner))?;
            children.push(framed);
        }
        Ok(())
    }

    /// A body without its contents, and its depth, of which each frame is a level.
    #[inline(never)]
    fn body(&mut self, body: &Bound<'py, PyAny>, depth: usize) -> PyResult<(Box<Body>, usize)> {
        let depth = depth + 1 + self.frames_around(body, depth)?;
        let e = element(body.clone())?;
        let this = e.try_borrow()?;
        let given = self.given(&e, this.record()?)?;
        Ok((Box::new(self.of(self.builder.body(&given), given.mark)?), depth))
    }

    /// How many frames are around an element; an error if it is nested too deeply.
    fn frames_around(&self, e: &Bound<'py, PyAny>, depth: usize) -> PyResult<usize> {
        let (py, mut count) = (e.py(), 0);
        let mut frame = e.getattr(intern!(py, "_frame"))?;
        while !frame.is_none() && depth + count < MAX_DEPTH {
            count += 1;
            frame = frame.getattr(intern!(py, "_frame"))?;
        }
        if depth + count >= MAX_DEPTH {
            return Err(PyValueError::new_err("Error: elements are nested too deeply"));
        }
        Ok(count)
    }

    /// The frames and elements of a body.
    #[inline(never)]
    fn leaves(
        &mut self,
        body: &Bound<'py, PyAny>,
        children: &mut Vec<Child>,
        depth: usize,
    ) -> PyResult<()> {
        let py = body.py();
        let frames = body.getattr(intern!(py, "frames_"))?.cast_into::<PyList>();
        for frame in frames?.iter() {
            self.frames_around(&frame, depth)?;
            let e = element(frame.clone())?;
            let mut made = self.frame(&e)?;
            let mut this = e.try_borrow_mut()?;
            let record = this.record_mut()?;
            record.id = self.count;
            self.count += 1;
            if !record.name.is_empty() {
                made.name.set(record.name.clone());
            }
            drop(this);
            let framed = self.framed(&frame, Child::Frame(made))?;
            children.push(framed);
        }
        for list in LEAVES {
            let list = body.getattr(PyString::intern(py, list))?.cast_into::<PyList>();
            for leaf in list?.iter() {
                self.frames_around(&leaf, depth)?;
                let e = element(leaf.clone())?;
                let this = e.try_borrow()?;
                let given = self.given(&e, this.record()?)?;
                let made = self.of(self.builder.leaf(&given), given.mark)?;
                drop(this);
                let framed = self.framed(&leaf, made)?;
                children.push(framed);
            }
        }
        Ok(())
    }

    /// A frame without name and contents; the same mark each time.
    fn frame(&mut self, e: &Bound<'py, Element>) -> PyResult<Frame> {
        let address = e.as_ptr().addr();
        if !self.frames.contains_key(&address) {
            let this = e.try_borrow()?;
            let given = self.given(e, this.record()?)?;
            let made = self.of(self.builder.frame(&given), given.mark)?;
            self.frames.insert(address, made);
        }
        Ok(self.frames[&address].clone())
    }

    /// An element inside of the frames it is in.
    #[inline(never)]
    fn framed(&mut self, e: &Bound<'py, PyAny>, mut child: Child) -> PyResult<Child> {
        let py = e.py();
        let mut frame = e.getattr(intern!(py, "_frame"))?;
        while !frame.is_none() {
            let around = element(frame.clone())?;
            let mut made = self.frame(&around)?;
            made.children.push(child);
            child = Child::Frame(made);
            frame = frame.getattr(intern!(py, "_frame"))?;
        }
        Ok(child)
    }

    /// Gives elements the numbers that the compiler has found: -1 to those that it left out.
    fn number(&self, lists: &[&Vec<Span>]) -> PyResult<()> {
        let id = |mark: usize, id: i32| -> PyResult<()> {
            if let Some(Some(e)) = self.marked.get(mark) {
                e.try_borrow_mut()?.record_mut()?.id = id;
            }
            Ok(())
        };
        let kinds = ["body", "joint", "geom", "site", "camera", "light", "mesh"];
        for (mark, e) in self.marked.iter().enumerate() {
            let Some(e) = e else { continue };
            let kind = e.try_borrow()?.record()?.fields().kind;
            if kinds.contains(&kind) {
                id(mark, -1)?;
            }
        }
        for list in lists {
            for (i, span) in list.iter().enumerate() {
                id(span.start as usize, i as i32)?;
            }
        }
        Ok(())
    }
}

/// An element of Python's as one.
fn element<'py>(e: Bound<'py, PyAny>) -> PyResult<Bound<'py, Element>> {
    Ok(e.cast_into::<Element>()?)
}

/// Whether the model has an element of a kind and a name.
fn finds(spec: &Bound<'_, PyAny>, kind: ObjType, name: &str) -> PyResult<bool> {
    let words = ObjType::VALUES.iter().find(|(_, number)| *number == i64::from(kind.0));
    let Some((word, _)) = words else { return Ok(false) };
    let kind = word.trim_start_matches("mjOBJ_").to_ascii_lowercase();
    Ok(!spec.call_method1("_find", (kind, name))?.is_none())
}
