//! From records to the elements of a `Spec`.

use core::cell::RefCell;
use std::path::PathBuf;

use sinew_model::options::{Options, Visual};

use crate::copy_back;
use crate::diag::{Diagnostics, Error};
use crate::document::record::Record;
use crate::spec::attr::{AttrSource, ValueError, read_attr};
use crate::spec::datum::Datum;
use crate::spec::*;

/// A record with its class and scope.
#[derive(Clone, Copy, Debug)]
pub struct Given<'r> {
    /// Values of the element.
    pub record: &'r Record,
    /// Default class of the element; `None` if no class applies.
    pub class: Option<usize>,
    /// Compiler settings of the element: the number of a scope.
    pub scope: usize,
    /// A number of the caller's, which errors about the element have as the start of their span.
    pub mark: u32,
}

/// An element of a tendon's path.
#[derive(Clone, Debug)]
pub struct Passed {
    /// Type of the element.
    pub kind: WrapTag,
    /// The name of the site, geom or joint.
    pub target: String,
    /// The name of the site on whose side of a geom the tendon is.
    pub side: String,
    /// The divisor of a pulley, or the coefficient of a joint.
    pub number: f64,
    /// As in [`Given`].
    pub mark: u32,
}

/// A `Spec` while it is made of records. The default classes are names and bases for writing: every
/// element has all its values. An error of a method describes a mistake in its element.
#[derive(Debug)]
pub struct Builder {
    pub(super) spec: Spec,
    diag: RefCell<Diagnostics>,
    /// The named instances of plugins, and the plugins they are of.
    instances: Vec<(String, String)>,
}

/// Attributes of an element while it is read.
pub(super) struct Source<'b> {
    tag: &'static str,
    head: Head,
    said: Vec<(&'static str, Datum)>,
    diag: &'b RefCell<Diagnostics>,
}

impl AttrSource for Source<'_> {
    fn text(&self, _: &'static str) -> Option<(&str, Span)> {
        None
    }

    fn datum(&self, name: &'static str) -> Option<(&Datum, Span)> {
        let found = self.said.iter().find(|(n, _)| *n == name);
        found.map(|(_, datum)| (datum, self.head.span))
    }

    fn fail(&mut self, name: &'static str, span: Span, error: ValueError) {
        let words = match error {
            ValueError::NotNumber { word } | ValueError::NotInteger { word } => {
                format!("'{word}' is not a number")
            }
            ValueError::TooFew { wanted, found } => format!("wanted {wanted} numbers, not {found}"),
            ValueError::TooMany { wanted } => format!("wanted at most {wanted} numbers"),
            ValueError::Keyword { found, .. } => format!("invalid keyword '{found}'"),
            ValueError::Range { word } => format!("number is too large: '{word}'"),
            ValueError::Repeated { word } => format!("'{word}' is repeated"),
            ValueError::Other(words) => words,
        };
        let tag = self.tag;
        self.diag.borrow_mut().error(
            "attribute",
            span,
            format!("attribute '{name}' of {tag}: {words}"),
        );
    }

    fn note_nan(&mut self, _: &'static str, _: Span) {}

    fn head(&self) -> Head {
        self.head
    }
}

/// The place by which errors name an element.
pub(super) fn span_of(mark: u32) -> Span {
    Span { file: 0, start: mark, end: mark }
}

/// An orientation other than a quaternion.
pub(super) fn orientation(given: &Given<'_>, name: &str) -> Attr<Orientation> {
    let Some(alt) = given.record.part_of(name) else { return Attr::default() };
    fn row<const N: usize>(alt: &Record, name: &str) -> [f64; N] {
        alt.numbers(name).try_into().unwrap_or([0.0; N])
    }
    let orientation = match alt.integer("type") {
        1 => Orientation::AxisAngle(row(alt, "axisangle")),
        2 => Orientation::XyAxes(row(alt, "xyaxes")),
        3 => Orientation::ZAxis(row(alt, "zaxis")),
        4 => Orientation::Euler(row(alt, "euler")),
        _ => return Attr::default(),
    };
    Attr::at(orientation, span_of(given.mark))
}

/// Settings of a plugin, from texts that are key and value in turn.
fn config(record: &Record) -> Vec<PluginConfig> {
    let Some(Datum::Texts(list)) = record.extra("config") else { return Vec::new() };
    let pairs = list.chunks_exact(2);
    pairs.map(|pair| PluginConfig::default().key(&pair[0]).value(&pair[1])).collect()
}

impl Builder {
    /// A model of which only the name and the comment are known.
    pub fn new(settings: &Record) -> Builder {
        let mut spec = Spec { complete: true, ..Spec::default() };
        spec.modelname.set(settings.text("modelname").to_owned());
        settings.text("comment").clone_into(&mut spec.comment);
        Builder { spec, diag: RefCell::default(), instances: Vec::new() }
    }

    /// The model, or the error in a value.
    pub fn finish(self) -> Result<Spec, Error> {
        let diag = self.diag.into_inner();
        match diag.failed() {
            true => Err(Error { diagnostics: diag.list, sources: Vec::new() }),
            false => Ok(self.spec),
        }
    }

    /// The attributes of an element: the given ones, its name, and the values of its record except
    /// some.
    pub(super) fn source(
        &self,
        tag: &'static str,
        given: &Given<'_>,
        mut said: Vec<(&'static str, Datum)>,
        left_out: &[&str],
    ) -> Result<Source<'_>, String> {
        let record = given.record;
        if !record.name.is_empty() && !left_out.contains(&"name") {
            said.push(("name", Datum::from(record.name.as_str())));
        }
        let own = record.extra.iter().filter(|(name, _)| !left_out.contains(name));
        said.extend(own.cloned());
        said.extend(record.said()?.into_iter().filter(|(name, _)| !left_out.contains(name)));
        Ok(self.attributes(tag, given.head(), said))
    }

    /// The attributes of an element that has no record.
    pub(super) fn attributes(
        &self,
        tag: &'static str,
        head: Head,
        said: Vec<(&'static str, Datum)>,
    ) -> Source<'_> {
        Source { tag, head, said, diag: &self.diag }
    }

    // settings

    /// Options, sizes and visualisation, as far as they differ from their defaults; `more` are
    /// options that MuJoCo lacks.
    pub fn settings(
        &mut self,
        sizes: &Given<'_>,
        (options, more): (&Options, Vec<(&'static str, Datum)>),
        visual: &Visual,
    ) -> Result<(), String> {
        let mut option = OptionElement::read(&mut self.attributes("option", Head::default(), more));
        copy_back::options(&mut option, &Options::default(), options);
        copy_back::visual(&mut self.spec.visual, &Visual::default(), visual);
        self.spec.option = option;
        let memory = sizes.record.integer("memory");
        let said = match memory {
            -1 => Vec::new(),
            bytes => vec![("memory", Datum::Text(bytes.to_string()))],
        };
        self.spec.size = SizeElement::read(&mut self.source("size", sizes, said, &["name"])?);
        Ok(())
    }

    /// Statistics, of which NaN is one that is not given.
    pub fn statistic(&mut self, numbers: [f64; 4], center: [f64; 3]) {
        let e = &mut self.spec.statistic;
        let fields = [&mut e.meaninertia, &mut e.meanmass, &mut e.meansize, &mut e.extent];
        for (field, number) in fields.into_iter().zip(numbers) {
            if !number.is_nan() {
                field.set(number);
            }
        }
        if !center[0].is_nan() {
            e.center.set(center);
        }
    }

    /// Compiler settings and folder of the model, or of a model attached to it.
    pub fn scope(
        &mut self,
        compiler: &Given<'_>,
        strippath: bool,
        lengthrange: Vec<(&'static str, Datum)>,
        dir: PathBuf,
    ) -> Result<(), String> {
        let degree = compiler.record.integer("degree") != 0;
        let angle = if degree { "degree" } else { "radian" };
        let mut said = vec![("angle", Datum::from(angle))];
        if strippath {
            said.push(("strippath", Datum::Integer(1)));
        }
        let mut own = Compiler::read(&mut self.source("compiler", compiler, said, &["name"])?);
        let head = Head::default();
        own.lengthrange = LengthRange::read(&mut self.attributes("lengthrange", head, lengthrange));
        self.spec.scopes.push(Scope { compiler: own, dir });
        Ok(())
    }

    /// A default class, and the number of its parent; its records are of different kinds.
    pub fn class(
        &mut self,
        name: &str,
        parent: Option<usize>,
        says: &[Given<'_>],
    ) -> Result<(), String> {
        let mut class = DefaultClass { name: name.to_owned(), ..DefaultClass::default() };
        class.parent = parent.map(ClassId);
        for given in says {
            match given.record.fields().kind {
                "material" => class.material = self.material(given)?,
                "geom" => class.geom = Geom::read(&mut self.geom_source(given)?),
                "camera" => class.camera = Camera::read(&mut self.camera_source(given)?),
                kind => {
                    let source = &mut self.simple(given)?;
                    match kind {
                        "mesh" => class.mesh = Mesh::read(source),
                        "joint" => class.joint = Joint::read(source),
                        "site" => class.site = Site::read(source),
                        "light" => class.light = Light::read(source),
                        "pair" => class.pair = Pair::read(source),
                        "equality" => class.equality = Equality::read(source),
                        "tendon" => class.tendon = Tendon::read(source),
                        "actuator" => class.actuators.push(Actuator::read(source).with_chart()),
                        _ => {}
                    }
                }
            }
        }
        self.spec.defaults.push(class);
        Ok(())
    }

    // plugins

    /// A plugin the model uses, with its instances.
    pub fn extension(&mut self, plugin: &str, instances: &[Given<'_>]) {
        let mut extension = Extension::default().plugin(plugin);
        for given in instances {
            let name = &given.record.name;
            let mut instance = PluginInstance { head: given.head(), ..PluginInstance::default() };
            instance.name = Attr::at(name.clone(), span_of(given.mark));
            instance.config = config(given.record);
            extension.instances.push(instance);
            self.instances.push((name.clone(), plugin.to_owned()));
        }
        self.spec.extensions.push(extension);
    }

    /// The plugin of an element, if it has one.
    pub(super) fn plugin(&self, given: &Given<'_>) -> Option<Box<PluginUse>> {
        let plugin = given.record.part_of("plugin").filter(|p| p.integer("active") != 0)?;
        let head = Head { span: span_of(given.mark), ..Head::default() };
        let mut made = PluginUse { head, ..PluginUse::default() };
        let known = self.instances.iter().find(|(name, _)| *name == plugin.name);
        let name = match known {
            Some((_, of)) if !plugin.name.is_empty() => of,
            _ => plugin.text("plugin_name"),
        };
        if !name.is_empty() {
            made.plugin = Attr::at(name.to_owned(), head.span);
        }
        match plugin.name.is_empty() {
            true => made.config = config(plugin),
            false => made.instance = Attr::at(plugin.name.clone(), head.span),
        }
        Some(Box::new(made))
    }

    // the tree

    /// The world, with its contents.
    pub fn world(&mut self, world: &Given<'_>, children: Vec<Child>) {
        self.spec.world.head = world.head();
        self.spec.world.children = children;
    }

    /// A body without its contents except its inertia, if the inertia has any values.
    pub fn body(&self, given: &Given<'_>) -> Result<Body, String> {
        let source = &mut self.source("body", given, Vec::new(), &["childclass"])?;
        let mut body = Body::read(source);
        body.alt = orientation(given, "alt");
        body.plugin = self.plugin(given);
        body.children.extend(self.inertial(given).map(Child::Inertial));
        Ok(body)
    }

    /// The inertia of a body, if anything about it is said.
    fn inertial(&self, given: &Given<'_>) -> Option<Inertial> {
        let r = given.record;
        if !r.has_any(&["explicitinertial", "ipos", "fullinertia", "mass", "inertia", "ialt"]) {
            return None;
        }
        let (full, diagonal, pos) =
            (r.numbers("fullinertia"), r.numbers("inertia"), r.numbers("ipos"));
        let explicit = r.integer("explicitinertial") != 0;
        let (has_full, has_diagonal) = (!full[0].is_nan(), diagonal.iter().any(|x| *x != 0.0));
        let alt = orientation(given, "ialt");
        let said = explicit || !pos[0].is_nan() || has_full || r.real("mass") != 0.0;
        if !(said || has_diagonal || alt.is_set()) {
            return None;
        }
        let mut said = vec![("pos", pos.into()), ("mass", Datum::Real(r.real("mass")))];
        if has_full {
            said.push(("fullinertia", full.into()));
        }
        if has_diagonal {
            said.push(("diaginertia", diagonal.into()));
        }
        said.push(("quat", r.numbers("iquat").into()));
        let mut inertial = Inertial::read(&mut self.attributes("inertial", given.head(), said));
        inertial.alt = alt;
        inertial.implied = !explicit;
        Some(inertial)
    }

    /// A frame without its contents and without its name.
    pub fn frame(&self, given: &Given<'_>) -> Result<Frame, String> {
        let source = &mut self.source("frame", given, Vec::new(), &["childclass", "name"])?;
        let mut frame = Frame::read(source);
        frame.alt = orientation(given, "alt");
        Ok(frame)
    }

    /// The attributes of a geom.
    fn geom_source(&self, given: &Given<'_>) -> Result<Source<'_>, String> {
        if !(0..=8).contains(&given.record.integer("type")) {
            return Err("invalid type in geom".to_owned());
        }
        let said = match given.record.real("fluid_ellipsoid") {
            0.0 => Vec::new(),
            _ => vec![("fluidshape", Datum::from("ellipsoid"))],
        };
        self.source("geom", given, said, &[])
    }

    /// The attributes of a camera; the size of its sensor says the angle it sees.
    fn camera_source(&self, given: &Given<'_>) -> Result<Source<'_>, String> {
        let size = given.record.numbers("sensor_size");
        let by_sensor = !size[0].is_nan() && size.iter().any(|x| *x != 0.0);
        self.source("camera", given, Vec::new(), if by_sensor { &["fovy"] } else { &[] })
    }

    /// A joint, geom, site, camera or light.
    pub fn leaf(&self, given: &Given<'_>) -> Result<Child, String> {
        Ok(match given.record.fields().kind {
            "joint" => {
                let source = &mut self.simple(given)?;
                let mut joint = Joint::read(source);
                joint.align = read_attr(source, "align");
                Child::Joint(joint)
            }
            "geom" => {
                let mut geom = Geom::read(&mut self.geom_source(given)?);
                geom.alt = orientation(given, "alt");
                geom.plugin = self.plugin(given);
                Child::Geom(geom)
            }
            "camera" => {
                let mut camera = Camera::read(&mut self.camera_source(given)?);
                camera.alt = orientation(given, "alt");
                Child::Camera(camera)
            }
            "light" => Child::Light(self.read(given, Light::read)?),
            _ => {
                let mut site = self.read(given, Site::read)?;
                site.alt = orientation(given, "alt");
                Child::Site(site)
            }
        })
    }
}

impl Given<'_> {
    /// Data of the element beside its attributes.
    pub(super) fn head(&self) -> Head {
        let class = self.class.map(ClassId);
        Head { span: span_of(self.mark), scope: self.scope, class, ..Head::default() }
    }
}
