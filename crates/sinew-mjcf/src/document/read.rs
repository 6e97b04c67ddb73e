//! From the elements of a `Spec` to records.

use sinew_model::enums::{BiasType, DynType, GainType, JointType};

use crate::actuator_kinds::{ActuatorSettings, SHORTCUTS};
use crate::defaults::Defaults;
use crate::diag::{Diagnostics, Error};
use crate::document::record::{Fields, Record};
use crate::spec::datum::Datum;
use crate::spec::sensor_kinds::{CONTACT_FIELDS, End, RAY_FIELDS, SENSOR_KINDS};
use crate::spec::*;

/// The kinds of elements that default classes have.
pub const IN_CLASS: [&str; 12] = [
    "mesh", "material", "joint", "geom", "site", "camera", "light", "flex", "pair", "equality",
    "tendon", "actuator",
];

/// The attributes that name the target of an actuator, by its transmission.
const TRANSMISSIONS: [&str; 6] = ["joint", "jointinparent", "cranksite", "tendon", "site", "body"];

/// A default class: an element of every kind of [`IN_CLASS`], with its inherited values.
#[derive(Clone, Debug)]
pub struct Class {
    /// Name of the class.
    pub name: String,
    /// The number of its parent; none for `main` and for classes of attached models.
    pub parent: Option<usize>,
    /// Elements of the class.
    pub records: Vec<Record>,
}

/// An instance of a plugin, with the number of its scope.
pub type Instance = (Record, usize);

/// A model that is read: every element has all its values. An error of a method describes a mistake
/// in its element.
#[derive(Debug)]
pub struct Reader {
    /// The model, `replicate` and `attach` expanded.
    pub spec: Spec,
    /// Default classes of the model.
    pub classes: Vec<Class>,
    /// Instances of plugins: the model's own, then instances that elements have made so far.
    pub plugins: Vec<Instance>,
    /// Whether an element refers to an instance by name.
    pub refers_to_plugin: bool,
    /// The names of classes for elements of theirs.
    names: Vec<String>,
    defaults: Defaults,
    /// Where the lines of the files begin.
    lines: Vec<Vec<u32>>,
}

/// An empty record of a kind.
fn new(kind: &'static str) -> Record {
    Record::new(Fields::of(kind).expect("all kinds have a table"))
}

impl Reader {
    /// Expands a model and takes its classes and plugins.
    pub fn new(spec: &Spec) -> Result<Result<Reader, String>, Error> {
        let mut diag = Diagnostics::default();
        let spec_ = crate::expand::expand(spec, &mut diag).into_owned();
        if diag.failed() {
            return Err(Error { diagnostics: diag.list, sources: spec.sources.clone() });
        }
        let starts = |text: &str| {
            let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            ends.map(|(i, _)| i as u32).collect()
        };
        let lines = spec.sources.iter().map(|s| starts(&s.text)).collect();
        let defaults = Defaults::new(&spec_);
        let mut reader = Reader {
            spec: spec_,
            classes: Vec::new(),
            plugins: Vec::new(),
            refers_to_plugin: false,
            names: Vec::new(),
            defaults,
            lines,
        };
        Ok(reader.read_classes().map(|()| {
            reader.read_plugins();
            reader
        }))
    }

    fn read_plugins(&mut self) {
        for extension in &self.spec.extensions {
            for instance in &extension.instances {
                let plugin = extension.plugin.text();
                let made = instance_of(plugin, instance.name.text(), &instance.config);
                self.plugins.push((made, instance.head.scope));
            }
        }
    }

    fn read_classes(&mut self) -> Result<(), String> {
        for i in 0..self.spec.defaults.len() {
            let c = &self.spec.defaults[i];
            let parent = c.parent.map(|ClassId(parent)| parent);
            let mut records = match parent {
                Some(parent) => self.classes[parent].records.clone(),
                None => IN_CLASS.map(new).to_vec(),
            };
            for record in &mut records {
                record.class.clone_from(&c.name);
            }
            let mut put = |kind: &str, attributes, special: &[&str]| {
                if let Some(at) = IN_CLASS.iter().position(|k| *k == kind) {
                    records[at].say(attributes, special);
                }
            };
            put("mesh", c.mesh.written(), &[]);
            put("joint", c.joint.written(), &[]);
            put("site", c.site.written(), &[]);
            put("camera", c.camera.written(), &[]);
            put("light", c.light.written(), &[]);
            put("pair", c.pair.written(), &[]);
            put("tendon", c.tendon.written(), &[]);
            put("equality", c.equality.written(), &["polycoef", "torquescale"]);
            say_material(&mut records[1], &c.material);
            say_geom(&mut records[3], &c.geom);
            for (at, alt) in [(3, &c.geom.alt), (4, &c.site.alt), (5, &c.camera.alt)] {
                say_orientation(&mut records[at], "alt", alt);
            }

            // actuators in order, each on top of those before it
            let outer = Head { class: c.parent, ..Head::default() };
            let outer = c.parent.map_or(&[][..], |_| self.defaults.actuators(&outer));
            let mut before = outer.to_vec();
            for actuator in &c.actuators {
                say_actuator(&mut records[11], actuator, &before)?;
                before.push(actuator.clone());
            }
            // elements in the class `main` of an attached model are in this model's `main`
            let root = parent.is_none() && (i == 0 || c.name.ends_with("main"));
            self.names.push(if root { "main".to_owned() } else { c.name.clone() });
            self.classes.push(Class { name: c.name.clone(), parent, records });
        }
        Ok(())
    }

    /// The line of a place, counted from 1; 0 if it has none.
    fn line(&self, span: Span) -> u32 {
        match self.lines.get(span.file as usize) {
            Some(ends) if span != Span::default() => {
                1 + ends.partition_point(|end| *end < span.start) as u32
            }
            _ => 0,
        }
    }

    /// A new element, with the values of its class.
    fn element(&self, kind: &'static str, head: &Head, inherits: bool) -> Record {
        let class = head.class.map(|ClassId(class)| class);
        let place = IN_CLASS.iter().position(|k| *k == kind && kind != "flex");
        let mut record = match (class, place) {
            (Some(class), Some(place)) if inherits => {
                inherited(&self.classes[class].records[place])
            }
            _ => new(kind),
        };
        record.class = class.map_or("main".to_owned(), |class| self.names[class].clone());
        let line = self.line(head.span);
        if line > 0 && kind != "key" {
            let equals = if kind == "frame" { "= " } else { "" };
            record.put("info", format!("line {equals}{line}"));
        }
        record
    }

    /// Takes the plugin of an element, and makes an instance for it if it names none.
    fn plugged(&mut self, record: &mut Record, plugin: Option<&PluginUse>) {
        let Some(plugin) = plugin else { return };
        let name = plugin.instance.text();
        self.refers_to_plugin |= !name.is_empty();
        let known = self.plugins.iter().position(|(p, _)| !name.is_empty() && p.name == name);
        let known = known.unwrap_or_else(|| {
            let made = instance_of(plugin.plugin.text(), name, &plugin.config);
            self.plugins.push((made, 0));
            self.plugins.len() - 1
        });
        let config = self.plugins[known].0.extra.clone();
        let part = record.fields().index("plugin").and_then(|i| record.part_mut(i));
        if let Some(part) = part {
            part.put("active", 1);
            part.put("plugin_name", plugin.plugin.text());
            name.clone_into(&mut part.name);
            part.extra = config;
        }
    }

    /// The settings of a scope.
    pub fn compiler(&self, scope: &Scope) -> Record {
        let mut record = new("compiler");
        let angle = scope.compiler.angle.or(Angle::Degree);
        record.put("degree", i32::from(angle == Angle::Degree));
        let special = ["angle", "strippath", "coordinate", "assetdir", "exactmeshinertia"];
        record.say(scope.compiler.written(), &special);
        record
    }

    /// The settings of the model: names, sizes, folder.
    pub fn settings(&self, spec: &Spec) -> Result<Record, String> {
        let mut record = new("spec");
        if let Some(name) = spec.modelname.get() {
            record.put("modelname", name.as_str());
        }
        record.put("comment", spec.comment.as_str());
        record.say(spec.size.written(), &["memory"]);
        match memory_bytes(spec.size.memory.text()) {
            Ok(None) => {}
            Ok(Some(bytes)) => match i32::try_from(bytes) {
                Ok(bytes) => record.put("memory", bytes),
                Err(_) => {
                    return Err(format!("memory: {bytes} does not fit an integer of 4 bytes"));
                }
            },
            Err(_) => return Err(format!("memory: '{}' is no size", spec.size.memory.text())),
        }
        if let Some(scope) = spec.scopes.first() {
            record.put("strippath", i32::from(scope.compiler.strippath.or(false)));
            record.put("modelfiledir", scope.dir.to_string_lossy().into_owned());
        }
        Ok(record)
    }

    // the tree

    /// A body without its inertia and without its contents.
    pub fn body(&mut self, e: &Body) -> Record {
        let mut record = self.element("body", &e.head, false);
        record.say(e.written(), &["childclass"]);
        say_orientation(&mut record, "alt", &e.alt);
        self.plugged(&mut record, e.plugin.as_deref());
        record
    }

    /// A frame without its contents.
    pub fn frame(&self, e: &Frame) -> Record {
        let mut record = self.element("frame", &e.head, false);
        record.say(e.written(), &["childclass"]);
        say_orientation(&mut record, "alt", &e.alt);
        record
    }

    /// Another element in a body or frame, and its scope; `None` for an element without a record.
    pub fn leaf(&mut self, child: &Child) -> Option<(Record, usize)> {
        let (record, head) = match child {
            Child::Joint(e) => {
                let mut record = self.element("joint", &e.head, true);
                record.say(e.written(), &[]);
                (record, e.head)
            }
            Child::FreeJoint(e) => {
                let mut record =
                    self.element("joint", &Head { span: Span::default(), ..e.head }, false);
                record.say(e.written(), &[]);
                record.put("type", JointType::Free.0);
                (record, e.head)
            }
            Child::Geom(e) => {
                let mut record = self.element("geom", &e.head, true);
                say_geom(&mut record, e);
                say_orientation(&mut record, "alt", &e.alt);
                self.plugged(&mut record, e.plugin.as_deref());
                (record, e.head)
            }
            Child::Site(e) => {
                let mut record = self.element("site", &e.head, true);
                record.say(e.written(), &[]);
                say_orientation(&mut record, "alt", &e.alt);
                (record, e.head)
            }
            Child::Camera(e) => {
                let mut record = self.element("camera", &e.head, true);
                record.say(e.written(), &[]);
                say_orientation(&mut record, "alt", &e.alt);
                (record, e.head)
            }
            Child::Light(e) => {
                let mut record = self.element("light", &e.head, true);
                record.say(e.written(), &[]);
                (record, e.head)
            }
            _ => return None,
        };
        Some((record, head.scope))
    }

    // assets

    /// A mesh, made if it is a builtin one.
    pub fn mesh(&mut self, e: &Mesh) -> Result<Record, String> {
        let mut record = self.element("mesh", &e.head, true);
        record.say(e.written(), &[]);
        let mut take = |name: &str| {
            let at = record.extra.iter().position(|(n, _)| *n == name)?;
            Some(record.extra.remove(at).1)
        };
        let (shape, params) = (take("builtin"), take("params"));
        if let Some(Datum::Text(shape)) = shape.filter(|s| *s != Datum::from("none")) {
            let params = params.map_or(Vec::new(), |params| params.numbers());
            make_mesh(&mut record, &shape, &params)?;
        }
        self.plugged(&mut record, e.plugin.as_deref());
        Ok(record)
    }

    /// A height field; its first row is the last in a file.
    pub fn hfield(&self, e: &HField) -> Record {
        let mut record = self.element("hfield", &e.head, true);
        record.say(e.written(), &["elevation"]);
        let (rows, columns) = (record.integer("nrow").max(0), record.integer("ncol").max(0));
        let (rows, columns) = (rows as usize, columns as usize);
        if let Some(data) = e.elevation.get() {
            let mut data = data.clone();
            if rows * columns == data.len() && columns > 0 {
                data = data.chunks_exact(columns).rev().flatten().copied().collect();
            }
            record.put("userdata", data);
        } else if record.text("file").is_empty() && rows > 0 && columns > 0 {
            record.put("userdata", vec![0f32; rows * columns]);
        }
        record
    }

    /// A texture.
    pub fn texture(&self, e: &Texture) -> Record {
        let mut record = self.element("texture", &e.head, true);
        let sides = ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];
        let written = e.written();
        let file = |side: &&str| {
            let said = written.iter().find(|(name, _)| name == side);
            match said {
                Some((_, Datum::Text(file))) => file.clone(),
                _ => String::new(),
            }
        };
        let files: Vec<String> = sides.iter().map(file).collect();
        let [a, b, c, d, f, g] = sides;
        record.say(written, &[a, b, c, d, f, g, "gridlayout"]);
        record.put("cubefiles", files);
        let layout = e.gridlayout.text().chars().chain(core::iter::repeat('.'));
        record.put("gridlayout", layout.take(12).map(String::from).collect::<Vec<_>>());
        record
    }

    /// A material.
    pub fn material(&self, e: &Material) -> Record {
        let mut record = self.element("material", &e.head, true);
        say_material(&mut record, e);
        record
    }

    /// A flexible object.
    pub fn flex(&self, e: &Flex) -> Record {
        let mut record = self.element("flex", &e.head, false);
        record.say(e.written(), &[]);
        record.say(e.contact.written(), &[]);
        record.say(e.elasticity.written(), &["damping"]);
        let damping = [
            ("damping", &e.elasticity.damping),
            ("edgestiffness", &e.edge.stiffness),
            ("edgedamping", &e.edge.damping),
        ];
        for (name, attribute) in damping {
            attribute.get().into_iter().for_each(|x| record.put(name, *x));
        }
        if !e.node_pos.is_empty() {
            record.put("node", e.node_pos.clone());
        }
        if let Some(order) = e.order {
            record.add_extra("order", Datum::Integer(order));
        }
        record
    }

    /// A skin.
    pub fn skin(&self, e: &Skin) -> Record {
        let mut record = self.element("skin", &e.head, true);
        record.say(e.written(), &[]);
        let bones = || e.bones.iter();
        record.put("bodyname", bones().map(|b| b.body.text().to_owned()).collect::<Vec<_>>());
        let pos = bones().flat_map(|b| b.bindpos.get()).flatten();
        record.put("bindpos", pos.copied().collect::<Vec<f32>>());
        let quat = bones().flat_map(|b| b.bindquat.get()).flatten();
        record.put("bindquat", quat.copied().collect::<Vec<f32>>());
        let ids = bones().map(|b| b.vertid.or(Vec::new())).collect();
        record.put("vertid", Datum::IntegerLists(ids));
        let weights = bones().map(|b| b.vertweight.or(Vec::new())).collect();
        record.put("vertweight", Datum::SingleLists(weights));
        record
    }

    // elements that refer to the tree

    /// An element whose record has its attributes.
    pub fn simple(
        &self,
        kind: &'static str,
        head: &Head,
        written: Vec<(&'static str, Datum)>,
    ) -> Record {
        let mut record = self.element(kind, head, true);
        record.say(written, &[]);
        if kind == "numeric" {
            let mut data = record.numbers("data");
            if record.fields().index("size").is_some_and(|i| !record.has(i)) {
                record.put("size", data.len() as i32);
            }
            data.resize(data.len().max(record.integer("size").max(0) as usize), 0.0);
            record.put("data", data);
        }
        record
    }

    /// A keyframe.
    pub fn key(&self, e: &Key) -> Record {
        let mut record = self.simple("key", &e.head, e.written());
        if e.partial {
            record.add_extra("partial", Datum::from("true"));
        }
        record
    }

    /// An equality constraint.
    pub fn equality(&self, e: &Equality) -> Record {
        let mut record = self.element("equality", &e.head, true);
        let special = [
            "anchor",
            "relpose",
            "polycoef",
            "torquescale",
            "body1",
            "body2",
            "site1",
            "site2",
            "joint1",
            "joint2",
            "tendon1",
            "tendon2",
            "flex",
        ];
        record.say(e.written(), &special);
        record.put("type", e.kind.0);
        let word = Equality::tag_of(e.kind).unwrap_or("tendon");
        let ends = [
            ("body", &e.body1, &e.body2),
            ("site", &e.site1, &e.site2),
            ("joint", &e.joint1, &e.joint2),
            ("tendon", &e.tendon1, &e.tendon2),
            ("flex", &e.flex, &Attr::default()),
        ];
        for (kind, first, second) in ends {
            for (name, attribute) in [("name1", first), ("name2", second)] {
                let Some(text) = attribute.get() else { continue };
                record.put(name, text.as_str());
                if matches!(word, "connect" | "weld")
                    && let Some(kind) = object_type(kind)
                {
                    record.put("objtype", kind.0);
                }
            }
        }
        let mut data = record.numbers("data");
        let mut put = |first: usize, values: &[f64]| {
            data[first..first + values.len()].copy_from_slice(values);
        };
        if word == "weld" && !e.anchor.is_set() && e.body1.is_set() {
            put(0, &[0.0; 3]);
        }
        e.anchor.get().into_iter().for_each(|x| put(0, x));
        e.relpose.get().into_iter().for_each(|x| put(3, x));
        e.torquescale.get().into_iter().for_each(|x| put(10, &[*x]));
        e.polycoef.get().into_iter().for_each(|x| put(0, &x.value[..x.len]));
        record.put("data", data);
        record
    }

    /// A tendon without its path.
    pub fn tendon(&self, e: &Tendon) -> Record {
        let mut record = self.element("tendon", &e.head, true);
        record.say(e.written(), &[]);
        record
    }

    /// An actuator.
    pub fn actuator(&mut self, e: &Actuator) -> Result<Record, String> {
        let mut record = self.element("actuator", &e.head, true);
        say_actuator(&mut record, e, self.defaults.actuators(&e.head))?;
        self.plugged(&mut record, e.plugin.as_deref());
        Ok(record)
    }

    /// A sensor.
    pub fn sensor(&mut self, e: &Sensor) -> Record {
        let mut record = self.element("sensor", &e.head, true);
        say_sensor(&mut record, e);
        self.plugged(&mut record, e.plugin.as_deref());
        record
    }

    /// A tuple.
    pub fn tuple(&self, e: &Tuple) -> Record {
        let mut record = self.element("tuple", &e.head, true);
        record.say(e.written(), &[]);
        let elements = || e.elements.iter();
        let kind = |e: &TupleElement| object_type(e.objtype.text()).map_or(0, |kind| kind.0);
        record.put("objtype", elements().map(kind).collect::<Vec<_>>());
        let name = |e: &TupleElement| e.objname.text().to_owned();
        record.put("objname", elements().map(name).collect::<Vec<_>>());
        record.put("objprm", elements().map(|e| e.prm.or(0.0)).collect::<Vec<_>>());
        record
    }
}

/// A new element with the values of its class for its kind.
pub fn inherited(class: &Record) -> Record {
    let mut record = class.clone();
    record.name.clear();
    let dropped: &[&str] =
        if record.fields().kind == "camera" { &["info", "userdata"] } else { &["info"] };
    for name in dropped {
        record.fields().index(name).into_iter().for_each(|i| record.forget(i));
    }
    record
}

/// An instance of a plugin, its settings in order.
fn instance_of(plugin: &str, name: &str, config: &[PluginConfig]) -> Record {
    let mut record = new("plugin");
    name.clone_into(&mut record.name);
    record.put("plugin_name", plugin);
    let pairs: std::collections::BTreeMap<&str, &str> =
        config.iter().map(|c| (c.key.text(), c.value.text())).collect();
    let texts = pairs.into_iter().flat_map(|(key, value)| [key.to_owned(), value.to_owned()]);
    record.add_extra("config", Datum::Texts(texts.collect()));
    record
}

/// Takes an orientation other than a quaternion.
fn say_orientation(record: &mut Record, name: &str, orientation: &Attr<Orientation>) {
    let Some(orientation) = orientation.get() else { return };
    let (kind, name_of, values): (i32, &str, &[f64]) = match orientation {
        Orientation::AxisAngle(v) => (1, "axisangle", v),
        Orientation::XyAxes(v) => (2, "xyaxes", v),
        Orientation::ZAxis(v) => (3, "zaxis", v),
        Orientation::Euler(v) => (4, "euler", v),
    };
    if let Some(alt) = record.fields().index(name).and_then(|i| record.part_mut(i)) {
        alt.put("type", kind);
        alt.put(name_of, values.to_vec());
    }
}

/// Takes the inertia of a body.
pub fn say_inertial(body: &mut Record, e: &Inertial) {
    body.put("explicitinertial", 1);
    body.put("ipos", vec![0.0; 3]);
    for (name, datum) in e.written() {
        let own = match name {
            "pos" => "ipos",
            "quat" => "iquat",
            "diaginertia" => "inertia",
            name => name,
        };
        body.put(own, datum);
    }
    say_orientation(body, "ialt", &e.alt);
}

fn say_geom(record: &mut Record, e: &Geom) {
    record.say(e.written(), &["fluidshape"]);
    if let Some(shape) = e.fluidshape.get() {
        record.put("fluid_ellipsoid", f64::from(*shape == FluidShape::Ellipsoid));
    }
}

fn say_material(record: &mut Record, e: &Material) {
    record.say(e.written(), &["texture"]);
    let mut textures = record.texts("textures").to_vec();
    let roles = e.layers.iter().map(|l| (l.role.get().map_or(1, |role| role.0), &l.texture));
    for (role, texture) in e.texture.get().map(|_| (1, &e.texture)).into_iter().chain(roles) {
        if let Some(slot) = usize::try_from(role).ok().and_then(|role| textures.get_mut(role)) {
            texture.text().clone_into(slot);
        }
    }
    if e.texture.is_set() || !e.layers.is_empty() {
        record.put("textures", textures);
    }
}

/// Takes the values of an actuator, on top of elements of its classes; of a later kind as general
/// attributes.
fn say_actuator(record: &mut Record, e: &Actuator, classes: &[Actuator]) -> Result<(), String> {
    let later =
        matches!(e.kind, ActuatorTag::DcMotor | ActuatorTag::Pid | ActuatorTag::Orientation);
    let (kind, written) = match later {
        true => {
            let mut set = ActuatorSettings::of(classes);
            set.add(e);
            let mut general = e.clone();
            general.say_generally(&set);
            (ActuatorTag::General, general.written())
        }
        false => (e.kind, e.written()),
    };
    let parameters = || SHORTCUTS.iter().flat_map(|s| s.parameters.iter().map(|(name, _)| *name));
    let special: Vec<&str> = TRANSMISSIONS.into_iter().chain(parameters()).collect();
    for (i, name) in TRANSMISSIONS.into_iter().enumerate() {
        if let Some((_, target)) = written.iter().find(|(n, _)| *n == name) {
            record.put("target", target.clone());
            record.put("trntype", i as i32);
        }
    }
    let given = written.iter().filter(|(name, _)| parameters().any(|p| p == *name));
    let given: Vec<_> = given.map(|(name, datum)| (*name, datum.numbers())).collect();
    record.say(written, &special);
    match SHORTCUTS.iter().any(|s| s.kind == kind) {
        true => shortcut(record, kind, &given),
        false => Ok(()),
    }
}

/// Applies the given parameters of a shortcut to an actuator; an error keeps the values before it.
pub fn shortcut(
    record: &mut Record,
    kind: ActuatorTag,
    given: &[(&str, Vec<f64>)],
) -> Result<(), String> {
    fn row<const N: usize>(record: &Record, name: &str) -> [f64; N] {
        record.numbers(name).try_into().unwrap_or([0.0; N])
    }
    let mut set = ActuatorSettings {
        gainprm: row(record, "gainprm"),
        biasprm: row(record, "biasprm"),
        dynprm: row(record, "dynprm"),
        ctrlrange: row(record, "ctrlrange"),
        actrange: row(record, "actrange"),
        inheritrange: record.real("inheritrange"),
        dyntype: DynType(record.integer("dyntype")),
        gaintype: GainType(record.integer("gaintype")),
        biastype: BiasType(record.integer("biastype")),
        ..ActuatorSettings::default()
    };
    let result = set.shortcut(kind, given);
    let rows = [("gainprm", set.gainprm), ("biasprm", set.biasprm), ("dynprm", set.dynprm)];
    rows.into_iter().for_each(|(name, row)| record.put(name, row.to_vec()));
    record.put("ctrlrange", set.ctrlrange.to_vec());
    record.put("actrange", set.actrange.to_vec());
    record.put("inheritrange", set.inheritrange);
    record.put("dyntype", set.dyntype.0);
    record.put("gaintype", set.gaintype.0);
    record.put("biastype", set.biastype.0);
    for (name, limited) in [("ctrllimited", set.ctrllimited), ("actlimited", set.actlimited)] {
        if limited == Tri::True {
            record.put(name, 1);
        }
    }
    result
}

fn say_sensor(record: &mut Record, e: &Sensor) {
    let Some(kind) = SENSOR_KINDS.iter().find(|kind| kind.tag == e.tag) else { return };
    let written = e.written();
    let text = |name: &str| match written.iter().find(|(n, _)| *n == name) {
        Some((_, Datum::Text(text))) => Some(text.clone()),
        _ => None,
    };
    let ends = [
        (kind.target.object(), ["objtype", "objname"]),
        (kind.target.reference(), ["reftype", "refname"]),
    ];
    record.put("type", kind.type_.0);
    let mut special = vec![
        "objtype",
        "objname",
        "reftype",
        "refname",
        "data",
        "enclosed",
        "num",
        "reduce",
        "datatype",
        "needstage",
        "dim",
    ];
    for (end, [type_, name]) in ends {
        match end {
            End::OneOf(ends) => {
                for (attribute, of) in ends {
                    special.push(attribute);
                    if let Some(text) = text(attribute) {
                        record.put(type_, of.0);
                        record.put(name, text);
                    }
                }
            }
            _ => {
                if let Some(word) = text(type_) {
                    record.put(type_, object_type(&word).map_or(0, |kind| kind.0));
                    record.put(name, text(name).unwrap_or_default());
                }
            }
        }
    }
    let bits = |table: &[(&str, usize)]| {
        let data = text("data").unwrap_or_default();
        let place = |word: &str| table.iter().position(|(name, _)| *name == word);
        let bits: i32 = data.split_ascii_whitespace().filter_map(place).map(|i| 1 << i).sum();
        if bits == 0 { 1 } else { bits }
    };
    match kind.tag {
        "rangefinder" => record.put("intprm", vec![bits(RAY_FIELDS)]),
        "contact" => {
            let prm = vec![bits(CONTACT_FIELDS), e.values().reduce().0, e.values().num()];
            record.put("intprm", prm);
        }
        "insidesite" if e.values().enclosed() => record.put("intprm", vec![1]),
        "user" => {
            record.put("dim", e.values().dim());
            record.put("datatype", e.datatype.get().map_or(0, |kind| kind.0));
            e.needstage.get().into_iter().for_each(|stage| record.put("needstage", stage.0));
        }
        _ => {}
    }
    record.say(written, &special);
}

/// Makes a mesh a builtin one.
pub fn make_mesh(record: &mut Record, shape: &str, params: &[f64]) -> Result<(), String> {
    use crate::spec::attr::Value;
    let kind =
        <MeshBuiltin as Value>::parse(shape).map_err(|_| format!("no builtin mesh '{shape}'"))?;
    let mut mesh = Mesh::default();
    mesh.make(kind, params)?;
    record.put("uservert", mesh.vertex.or(Vec::new()));
    if let Some(normals) = mesh.normal.get().filter(|list| !list.is_empty()) {
        record.put("usernormal", normals.clone());
    }
    if let Some(faces) = mesh.face.get().filter(|list| !list.is_empty()) {
        record.put("userface", faces.clone());
    }
    if mesh.inertia.is_set() {
        record.put("inertia", sinew_model::enums::MeshInertia::Shell.0);
    }
    Ok(())
}
