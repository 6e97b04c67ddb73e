//! `Spec` to XML that loads back to the same model.
//!
//! Everything is written out: replicates and attachments expanded, default classes laid under their
//! elements. Only actuators keep classes, because their inherited values depend on the kinds of
//! elements in the classes.

mod escape;
mod mujoco;

use core::fmt::Write as _;
use std::collections::HashMap;

use sinew_model::Model;
use sinew_model::enums::{JointType, TextureRole};
use sinew_model::plugin::Registry;

use crate::copy_back::{Change, copy_back};
use crate::defaults::Defaults;
use crate::diag::Diagnostics;
use crate::expand::subtree::with_stack;
use crate::files::{AssetKind, asset_path, base_name, join};
use crate::orientation::{PI, resolve};
use crate::pose::principal_axes;
use crate::settings::Settings;
use crate::spec::{
    Angle, Attr, Body, Camera, Child, ClassId, Equality, Geom, Head, Inertial, Joint, Key, Layer,
    Material, Orientation, PluginConfig, PluginUse, Spec, Tendon, Tri, WrapTag,
};
use crate::write::escape::{LINE_ENDS, escape};

/// Attributes of an element, as text.
type Attrs = Vec<(&'static str, String)>;

impl Spec {
    /// The model as MJCF. Keyframes of attached models are complete only if the compiled model is
    /// given. The outermost model decides compiler settings other than angles and folders.
    #[doc(alias = "mj_saveLastXML")]
    pub fn to_xml(&self, model: Option<&Model>) -> String {
        write(&crate::expand::expand(self, &mut Diagnostics::default()), model)
    }

    /// The model as MJCF with its changes since compilation: `before` is the result of the
    /// compilation, `after` the changed model. None if static bodies were fused, or objects
    /// discarded, so that there are other elements than objects.
    #[doc(alias = "mj_copyBack")]
    pub fn to_xml_edited(&self, before: &Model, after: &Model) -> Option<String> {
        let mut spec = crate::expand::expand(self, &mut Diagnostics::default()).into_owned();
        let same = copy_back(&mut spec, Change { before, after, all: false });
        same.then(|| write(&spec, Some(after)))
    }

    /// The model as MuJoCo writes it, with its classes: `model` is the compiled model, and
    /// `plugins` gives the order of their attributes. None if static bodies were fused, or objects
    /// discarded, so that there are other elements than objects.
    ///
    /// ```
    /// # use sinew_mjcf::spec::{Geom, Spec};
    /// # use sinew_mjcf::{Assets, LoadOptions};
    /// let mut spec = Spec::new("ball");
    /// spec.world().add(Geom::sphere(0.1));
    /// let options = LoadOptions::default();
    /// let model = spec.compile(&Assets::new(), &options)?.model;
    /// let xml = spec.to_mujoco_xml(&model, &options.plugins)?;
    /// assert!(xml.is_some_and(|xml| xml.contains(r#"<geom size="0.1"/>"#)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// MuJoCo's words about an element that has no text.
    #[doc(alias = "mj_saveXMLString")]
    pub fn to_mujoco_xml(
        &self,
        model: &Model,
        plugins: &Registry,
    ) -> Result<Option<String>, String> {
        let expanded = crate::expand::expand(self, &mut Diagnostics::default());
        mujoco_style(&expanded, model, plugins)
    }

    /// [`to_mujoco_xml`](Spec::to_mujoco_xml) with the present numbers of a model: `before` is the
    /// result of the compilation, `after` the changed model.
    ///
    /// # Errors
    ///
    /// MuJoCo's words about an element that has no text.
    #[doc(alias = "mj_saveLastXML")]
    pub fn to_mujoco_xml_edited(
        &self,
        before: &Model,
        after: &Model,
        plugins: &Registry,
    ) -> Result<Option<String>, String> {
        let mut spec = crate::expand::expand(self, &mut Diagnostics::default()).into_owned();
        let change = Change { before, after, all: true };
        if !copy_back(&mut spec, change) {
            return Ok(None);
        }
        mujoco_style(&spec, after, plugins)
    }
}

/// An expanded model in MuJoCo's style.
fn mujoco_style(spec: &Spec, m: &Model, plugins: &Registry) -> Result<Option<String>, String> {
    let text = with_stack(&spec.world.children, || mujoco::write(spec, m, plugins));
    text.unwrap_or_else(|| Err("no memory to write a model this deep".to_owned()))
}

/// An expanded model as MJCF.
pub(crate) fn write(spec: &Spec, model: Option<&Model>) -> String {
    let settings: Vec<Settings> = spec.scopes.iter().map(|s| Settings::new(&s.compiler)).collect();
    let mixed = settings
        .iter()
        .any(|s| (s.degree, s.eulerseq) != (settings[0].degree, settings[0].eulerseq));
    let mut writer = Writer {
        spec,
        defaults: Defaults::new(spec),
        settings,
        radian: mixed,
        out: String::new(),
        depth: 0,
        classes: HashMap::new(),
        tendon_classes: HashMap::new(),
    };
    writer.model(model);
    writer.out
}

struct Writer<'s> {
    spec: &'s Spec,
    defaults: Defaults,
    settings: Vec<Settings>,
    /// Whether all angles are written in radians, because files differ in their units.
    radian: bool,
    out: String,
    depth: usize,
    /// Names of the classes written for actuators.
    classes: HashMap<usize, String>,
    /// Names of the classes written for fixed tendons.
    tendon_classes: HashMap<usize, String>,
}

impl Writer<'_> {
    fn model(&mut self, model: Option<&Model>) {
        let mut attrs = Attrs::new();
        if let Some(name) = self.spec.modelname.get() {
            attrs.push(("model", name.clone()));
        }
        self.open("mujoco", &attrs);
        self.settings_sections();
        self.section("default", |w| {
            w.actuator_classes();
            w.tendon_classes();
        });
        self.extensions();
        self.custom();
        self.assets();
        self.section("worldbody", |w| {
            w.children(&w.spec.world.children);
            w.plugin(&w.spec.world.plugin);
        });
        self.parts();
        self.keys(model);
        self.close("mujoco");
    }

    /// An element with its contents, or as an empty tag.
    fn element(&mut self, name: &str, attrs: &Attrs, inner: impl FnOnce(&mut Self)) {
        if !self.filled(name, attrs, inner) {
            self.leaf(name, attrs);
        }
    }

    /// An element without attributes, left out if it is empty.
    fn section(&mut self, name: &str, inner: impl FnOnce(&mut Self)) {
        self.filled(name, &Attrs::new(), inner);
    }

    /// Writes an element if it has contents, and returns whether it has.
    fn filled(&mut self, name: &str, attrs: &Attrs, inner: impl FnOnce(&mut Self)) -> bool {
        let start = self.out.len();
        self.open(name, attrs);
        let body = self.out.len();
        inner(self);
        let filled = self.out.len() > body;
        if filled {
            self.close(name);
        } else {
            self.out.truncate(start);
            self.depth -= 1;
        }
        filled
    }

    fn open(&mut self, name: &str, attrs: &Attrs) {
        self.tag(name, attrs, ">");
        self.depth += 1;
    }

    fn close(&mut self, name: &str) {
        self.depth -= 1;
        let _ = writeln!(self.out, "{:width$}</{name}>", "", width = 2 * self.depth);
    }

    fn leaf(&mut self, name: &str, attrs: &Attrs) {
        self.tag(name, attrs, "/>");
    }

    fn tag(&mut self, name: &str, attrs: &Attrs, end: &str) {
        let _ = write!(self.out, "{:width$}<{name}", "", width = 2 * self.depth);
        for (key, value) in attrs {
            let _ = write!(self.out, " {key}=\"{}\"", escape(value, &LINE_ENDS));
        }
        let _ = writeln!(self.out, "{end}");
    }

    fn settings_sections(&mut self) {
        let spec = self.spec;

        // the compiler, without resolved settings
        let mut compiler = spec.scopes[0].compiler.clone();
        compiler.assetdir.clear();
        compiler.exactmeshinertia.clear();
        if self.radian {
            compiler.angle.set(Angle::Radian);
        }
        if spec.scopes.len() > 1 {
            compiler.strippath.clear();
        }
        self.element("compiler", &compiler.attributes(), |w| {
            w.some("lengthrange", compiler.lengthrange.attributes());
        });

        // the rest as it was written
        self.element("option", &spec.option.attributes(), |w| {
            w.some("flag", spec.option.flag.attributes());
        });
        // counts of an earlier element merge with `memory`, which excludes them in its own
        let (counts, sizes) = spec.size.attributes().into_iter().partition(|(name, _)| {
            spec.size.memory.is_set() && matches!(*name, "njmax" | "nstack")
        });
        self.some("size", counts);
        self.some("size", sizes);
        let v = &spec.visual;
        self.section("visual", |w| {
            w.some("global", v.global.attributes());
            w.some("quality", v.quality.attributes());
            w.some("headlight", v.headlight.attributes());
            w.some("map", v.map.attributes());
            w.some("scale", v.scale.attributes());
            w.some("rgba", v.rgba.attributes());
        });
        self.some("statistic", spec.statistic.attributes());
    }

    /// An element if it has attributes.
    fn some(&mut self, name: &str, attrs: Attrs) {
        if !attrs.is_empty() {
            self.leaf(name, &attrs);
        }
    }

    /// The records actuators inherit, each in a class inside of the one before.
    fn actuator_classes(&mut self) {
        let mut used: Vec<usize> =
            self.spec.actuators.iter().filter_map(|a| Some(a.head.class?.0)).collect();
        used.sort_unstable();
        used.dedup();
        for class in used {
            let head = Head { class: Some(ClassId(class)), ..Head::default() };
            let records = self.defaults.actuators(&head).to_vec();
            for (i, record) in records.iter().enumerate() {
                let name = format!("actuator{class}-{i}");
                self.open("default", &vec![("class", name.clone())]);
                self.leaf(record.kind.name(), &record.attributes());
                self.classes.insert(class, name);
            }
            records.iter().for_each(|_| self.close("default"));
        }
    }

    /// Values that fixed tendons inherit but cannot have themselves.
    fn tendon_classes(&mut self) {
        let fixed = self.spec.tendons.iter().filter(|t| !t.spatial);
        let mut used: Vec<usize> = fixed.filter_map(|t| Some(t.head.class?.0)).collect();
        used.sort_unstable();
        used.dedup();
        for class in used {
            let head = Head { class: Some(ClassId(class)), ..Head::default() };
            let Some(record) = self.defaults.class(&head) else { continue };
            let looks = Tendon {
                width: record.tendon.width.clone(),
                material: record.tendon.material.clone(),
                rgba: record.tendon.rgba.clone(),
                ..Tendon::default()
            };
            let attrs = looks.attributes();
            if !attrs.is_empty() {
                let name = format!("tendon{class}");
                self.open("default", &vec![("class", name.clone())]);
                self.leaf("tendon", &attrs);
                self.close("default");
                self.tendon_classes.insert(class, name);
            }
        }
    }

    /// Plugins and their instances; those that composites make are instances like others here.
    fn extensions(&mut self) {
        let spec = self.spec;
        let mut made = Vec::new();
        made_instances(&spec.world, &mut made);
        self.section("extension", |w| {
            for extension in &spec.extensions {
                w.element("plugin", &extension.attributes(), |w| {
                    for instance in &extension.instances {
                        w.element("instance", &instance.attributes(), |w| {
                            w.config(&instance.config)
                        });
                    }
                    // a plugin may be declared twice; its instances are written once
                    let name = extension.plugin.text();
                    let own = |p: &&PluginUse| p.plugin.text() == name;
                    let first = spec.extensions.iter().find(|e| e.plugin.text() == name);
                    if first.is_none_or(|first| !core::ptr::eq(first, extension)) {
                        return;
                    }
                    for plugin in made.iter().copied().filter(own) {
                        let name = vec![("name", plugin.instance.text().to_owned())];
                        w.element("instance", &name, |w| w.config(&plugin.config));
                    }
                });
            }
        });
    }

    fn config(&mut self, config: &[PluginConfig]) {
        config.iter().for_each(|c| self.leaf("config", &c.attributes()));
    }

    /// The plugin in an element.
    fn plugin(&mut self, plugin: &Option<Box<PluginUse>>) {
        if plugin.is_some() {
            self.plugin_element("plugin", Attrs::new(), plugin);
        }
    }

    /// An element that is a plugin, or has none.
    fn plugin_element(&mut self, name: &str, mut attrs: Attrs, plugin: &Option<Box<PluginUse>>) {
        let Some(plugin) = plugin else { return self.leaf(name, &attrs) };
        attrs.extend(plugin.attributes());
        let config = if plugin.makes_instance { &[][..] } else { &plugin.config };
        self.element(name, &attrs, |w| w.config(config));
    }

    fn custom(&mut self) {
        let spec = self.spec;
        self.section("custom", |w| {
            spec.numerics.iter().for_each(|x| w.leaf("numeric", &x.attributes()));
            spec.texts.iter().for_each(|x| w.leaf("text", &x.attributes()));
            for tuple in &spec.tuples {
                w.element("tuple", &tuple.attributes(), |w| {
                    tuple.elements.iter().for_each(|x| w.leaf("element", &x.attributes()));
                });
            }
        });
    }

    fn assets(&mut self) {
        let spec = self.spec;
        self.section("asset", |w| {
            // textures, all of their files
            for texture in &spec.textures {
                let mut texture = texture.clone();
                let head = texture.head;
                for file in texture.files_mut() {
                    w.file(file, &head, AssetKind::Texture);
                }
                w.leaf("texture", &texture.attributes());
            }

            // materials and their layers
            for material in &spec.materials {
                let material = layered(w.defaults.material(material));
                w.element("material", &material.attributes(), |w| {
                    material.layers.iter().for_each(|x| w.leaf("layer", &x.attributes()));
                });
            }

            // meshes
            for mesh in &spec.meshes {
                let mut mesh = w.defaults.mesh(mesh);
                w.file(&mut mesh.file, &mesh.head, AssetKind::Mesh);
                w.element("mesh", &mesh.attributes(), |w| w.plugin(&mesh.plugin));
            }

            // height fields
            for hfield in &spec.hfields {
                let mut hfield = hfield.clone();
                w.file(&mut hfield.file, &hfield.head, AssetKind::Mesh);
                w.leaf("hfield", &hfield.attributes());
            }
        });
    }

    /// A file of an attached model is written with its whole path unless it is in the same folder.
    fn file(&self, file: &mut Attr<String>, head: &Head, kind: AssetKind) {
        let scopes = &self.spec.scopes;
        if let Some(name) = file.get_mut()
            && scopes.len() > 1
        {
            let full = |scope: usize, name: &str| {
                let path = asset_path(&scopes[scope], kind, name);
                join(&scopes[scope].dir.to_string_lossy(), &path)
            };
            let path = full(head.scope, name);
            if scopes[head.scope].compiler.strippath.or(false) {
                *name = base_name(name).to_owned();
            }
            if head.scope > 0 && path != full(0, name) {
                *name = std::path::absolute(&path)
                    .map_or(path, |path| path.to_string_lossy().into_owned());
            }
        }
    }

    fn children(&mut self, children: &[Child]) {
        for child in children {
            match child {
                Child::Body(b) => {
                    let mut attrs = without(b.attributes(), &["childclass", "quat"]);
                    self.orientation(&mut attrs, &b.head, &b.quat, &b.alt);
                    self.element("body", &attrs, |w| {
                        w.children(&b.children);
                        w.plugin(&b.plugin);
                    });
                }
                Child::Frame(f) => {
                    let mut attrs = without(f.attributes(), &["childclass", "quat"]);
                    self.orientation(&mut attrs, &f.head, &f.quat, &f.alt);
                    self.element("frame", &attrs, |w| w.children(&f.children));
                }
                leaf => self.tree_leaf(leaf),
            }
        }
    }

    /// An inertia as its file balances it, where the outermost model does not say that it is.
    fn balanced(&self, i: &Inertial) -> Inertial {
        let mut i = i.clone();
        if self.settings[0].balanceinertia || !self.settings[i.head.scope].balanceinertia {
            return i;
        }
        let principal = i.fullinertia.get().and_then(|&full| principal_axes(full).ok().flatten());
        let [a, b, c] = match principal {
            Some((_, inertia)) => inertia.into(),
            None => i.values().diaginertia(),
        };
        if a + b < c || a + c < b || b + c < a {
            i.fullinertia.clear();
            i.diaginertia.set([(a + b + c) / 3.0; 3]);
        }
        i
    }

    #[inline(never)]
    fn tree_leaf(&mut self, child: &Child) {
        match child {
            Child::Inertial(i) => {
                let i = self.balanced(i);
                let mut attrs = without(i.attributes(), &["quat"]);
                // a full inertia has its own orientation
                if !i.fullinertia.is_set() {
                    self.orientation(&mut attrs, &i.head, &i.quat, &i.alt);
                }
                self.leaf("inertial", &attrs);
            }
            Child::Joint(j) => {
                let joint = self.joint(self.defaults.joint(j));
                match aligned(&joint) {
                    Some(attrs) => self.leaf("freejoint", &attrs),
                    None => self.leaf("joint", &joint.attributes()),
                }
            }
            Child::FreeJoint(j) => self.leaf("freejoint", &j.attributes()),
            Child::Geom(g) => {
                let g: Geom = self.defaults.geom(g);
                let mut attrs = without(g.attributes(), &["quat"]);
                self.orientation(&mut attrs, &g.head, &g.quat, &g.alt);
                self.element("geom", &attrs, |w| w.plugin(&g.plugin));
            }
            Child::Site(s) => {
                let s = self.defaults.site(s);
                let mut attrs = without(s.attributes(), &["quat"]);
                self.orientation(&mut attrs, &s.head, &s.quat, &s.alt);
                self.leaf("site", &attrs);
            }
            Child::Camera(c) => {
                let mut c: Camera = self.defaults.camera(c);
                if c.sensorsize.is_set() {
                    c.fovy.clear();
                }
                let mut attrs = without(c.attributes(), &["quat"]);
                self.orientation(&mut attrs, &c.head, &c.quat, &c.alt);
                self.leaf("camera", &attrs);
            }
            Child::Light(l) => {
                let light = self.defaults.light(l);
                self.leaf("light", &light.attributes());
            }
            Child::Body(_) | Child::Frame(_) | Child::Replicate(_) | Child::Attach(_) => {}
        }
    }

    /// The orientation: the alternative if there is one, else the quaternion.
    fn orientation(
        &self,
        attrs: &mut Attrs,
        head: &Head,
        quat: &Attr<[f64; 4]>,
        alt: &Attr<Orientation>,
    ) {
        use crate::spec::attr::Value as _;
        let settings = &self.settings[head.scope];
        attrs.extend(match alt.get() {
            // units and sequences of angles are the file's
            Some(alt) if self.radian => {
                resolve(alt, settings).ok().map(|quat| ("quat", quat.to_array().write()))
            }
            Some(Orientation::AxisAngle(x)) => Some(("axisangle", x.write())),
            Some(Orientation::XyAxes(x)) => Some(("xyaxes", x.write())),
            Some(Orientation::ZAxis(x)) => Some(("zaxis", x.write())),
            Some(Orientation::Euler(x)) => Some(("euler", x.write())),
            None => quat.get().map(|x| ("quat", x.write())),
        });
    }

    /// A joint in the units of the file that is written.
    fn joint(&self, mut joint: Joint) -> Joint {
        let settings = &self.settings[joint.head.scope];
        if !(self.radian && settings.degree) {
            return joint;
        }
        let kind = joint.values().type_();
        let limited = joint.values().limited();
        if matches!(kind, JointType::Hinge | JointType::Ball)
            && let Some(range) = joint.range.get_mut()
            && (limited == Tri::True || (limited == Tri::Auto && range[0] < range[1]))
        {
            *range = range.map(|x| x * (PI / 180.0));
        }
        if kind == JointType::Hinge {
            for angle in [&mut joint.ref_, &mut joint.springref] {
                if let Some(angle) = angle.get_mut() {
                    *angle *= PI / 180.0;
                }
            }
        }
        if matches!(kind, JointType::Hinge | JointType::Ball)
            && let Some(angle) = joint.springyield.get_mut()
        {
            *angle *= PI / 180.0;
        }
        joint
    }

    /// Contact, equality, tendon, actuator, sensor.
    fn parts(&mut self) {
        let spec = self.spec;

        // contacts
        self.section("contact", |w| {
            for pair in &spec.pairs {
                let pair = w.defaults.pair(pair);
                w.leaf("pair", &pair.attributes());
            }
            spec.excludes.iter().for_each(|x| w.leaf("exclude", &x.attributes()));
        });
        self.deformable();

        // equalities
        self.section("equality", |w| {
            for eq in &spec.equalities {
                let tag = Equality::tag_of(eq.kind).unwrap_or("tendon");
                let eq = w.defaults.equality(eq);
                w.leaf(tag, &eq.attributes());
            }
        });

        // tendons; values that fixed ones may not have come from a class
        self.section("tendon", |w| {
            for tendon in &spec.tendons {
                let mut tendon = w.defaults.tendon(tendon);
                let mut class = None;
                if !tendon.spatial {
                    tendon.width.clear();
                    tendon.material.clear();
                    tendon.rgba.clear();
                    class = tendon.head.class.and_then(|c| w.tendon_classes.get(&c.0)).cloned();
                }
                let name = if tendon.spatial { "spatial" } else { "fixed" };
                let mut attrs = tendon.attributes();
                attrs.extend(class.map(|class| ("class", class)));
                w.element(name, &attrs, |w| {
                    for wrap in &tendon.path {
                        let name = match wrap.kind {
                            WrapTag::Site => "site",
                            WrapTag::Geom => "geom",
                            WrapTag::Pulley => "pulley",
                            WrapTag::Joint => "joint",
                        };
                        w.leaf(name, &wrap.attributes());
                    }
                });
            }
        });

        // actuators keep their class: its records cannot be merged
        self.section("actuator", |w| {
            for actuator in &spec.actuators {
                let mut attrs = actuator.attributes();
                if let Some(class) = actuator.head.class.and_then(|c| w.classes.get(&c.0)) {
                    attrs.push(("class", class.clone()));
                }
                w.plugin_element(actuator.kind.name(), attrs, &actuator.plugin);
            }
        });

        // sensors
        self.section("sensor", |w| {
            for sensor in &spec.sensors {
                let sensor = match sensor.tag.as_str() {
                    "tactile" => sensor.clone(),
                    _ => w.defaults.sensor(sensor),
                };
                w.plugin_element(&sensor.tag, sensor.attributes(), &sensor.plugin);
            }
        });
    }

    /// Flexes and skins.
    fn deformable(&mut self) {
        let spec = self.spec;
        self.section("deformable", |w| {
            for flex in &spec.flexes {
                let mut contact = flex.contact.clone();
                // a flexcomp has no attribute for passive contacts
                let read_back = contact.internal.get().or(flex.flatskin.get()).copied();
                if contact.passive.or(false) != read_back.unwrap_or(false) {
                    contact.passive.clear();
                }
                contact.vertcollide.clear();
                w.element("flex", &flex.attributes(), |w| {
                    w.some("contact", contact.attributes());
                    w.some("edge", flex.edge.attributes());
                    w.some("elasticity", flex.elasticity.attributes());
                });
            }
            for skin in &spec.skins {
                let mut skin = skin.clone();
                w.file(&mut skin.file, &skin.head, AssetKind::Mesh);
                w.element("skin", &skin.attributes(), |w| {
                    skin.bones.iter().for_each(|b| w.leaf("bone", &b.attributes()));
                });
            }
        });
    }

    fn keys(&mut self, model: Option<&Model>) {
        let spec = self.spec;
        self.section("keyframe", |w| {
            for (i, key) in spec.keys.iter().enumerate() {
                let mut key = key.clone();
                if let Some(m) = model
                    && key.partial
                    && i < m.nkey
                {
                    complete(&mut key, m, i);
                }
                w.leaf("key", &key.attributes());
            }
        });
    }
}

/// The first of all that make an instance, in a tree.
pub(crate) fn made_instances<'s>(body: &'s Body, made: &mut Vec<&'s PluginUse>) {
    fn visit<'s>(children: &'s [Child], made: &mut Vec<&'s PluginUse>) {
        for child in children {
            match child {
                Child::Body(b) => made_instances(b, made),
                Child::Frame(f) => visit(&f.children, made),
                _ => {}
            }
        }
    }
    if let Some(plugin) = body.plugin.as_deref().filter(|p| p.makes_instance)
        && made.iter().all(|other| other.instance.text() != plugin.instance.text())
    {
        made.push(plugin);
    }
    visit(&body.children, made);
}

/// Takes the lists of a keyframe from the compiled model.
fn complete(key: &mut Key, m: &Model, i: usize) {
    for (list, values) in [
        (&mut key.qpos, &m.key_qpos[i]),
        (&mut key.mpos, &m.key_mpos[i]),
        (&mut key.mquat, &m.key_mquat[i]),
        (&mut key.plastic, m.key_plastic(i)),
    ] {
        if list.is_set() {
            list.set(values.to_vec());
        }
    }
}

/// A material whose texture is a layer if it has other layers, because XML allows only one.
fn layered(mut material: Material) -> Material {
    if material.texture.is_set() && !material.layers.is_empty() {
        let mut layer = Layer { texture: material.texture.clone(), ..Layer::default() };
        layer.role.set(TextureRole::Rgb);
        material.layers.insert(0, layer);
        material.texture.clear();
    }
    material
}

/// The attributes of a `<freejoint>`, the only element with `align`, for a free joint made in code
/// that sets it. `None` if the joint has more attributes than such an element can have.
fn aligned(joint: &Joint) -> Option<Attrs> {
    let align = joint.align.get()?;
    let mut attrs = without(joint.attributes(), &["type"]);
    let free = joint.values().type_() == JointType::Free;
    let plain = attrs.iter().all(|(name, _)| ["name", "group"].contains(name));
    attrs.push(("align", crate::spec::attr::Value::write(align)));
    (free && plain).then_some(attrs)
}

fn without(mut attrs: Attrs, names: &[&str]) -> Attrs {
    attrs.retain(|(name, _)| !names.contains(name));
    attrs
}
