//! From a `Spec` to plain data.

use std::borrow::Cow;

use crate::actuator_kinds::ActuatorSettings;
use crate::defaults::Defaults;
use crate::diag::{Diagnostics, Error};
use crate::plain::tree::{Plain, PlainModel};
use crate::spec::datum::Datum;
use crate::spec::*;

/// Where the lines of the files of a model begin.
struct Lines(Vec<Vec<u32>>);

impl Lines {
    /// Looks through all files.
    fn new(sources: &[Source]) -> Lines {
        let starts = |text: &str| {
            let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            ends.map(|(i, _)| i as u32).collect()
        };
        Lines(sources.iter().map(|s| starts(&s.text)).collect())
    }

    /// The line of a span, counted from 1; 0 if it has no place.
    fn of(&self, span: Span) -> u32 {
        match self.0.get(span.file as usize) {
            Some(ends) if span != Span::default() => {
                1 + ends.partition_point(|end| *end < span.start) as u32
            }
            _ => 0,
        }
    }
}

impl Spec {
    /// The model as plain data, `replicate` and `attach` expanded.
    pub fn to_plain(&self) -> Result<PlainModel, Error> {
        let mut diag = Diagnostics::default();
        let expanded = crate::expand::expand(self, &mut diag);
        if diag.failed() {
            return Err(Error { diagnostics: diag.list, sources: self.sources.clone() });
        }
        let defaults = Defaults::new(&expanded);
        Ok(Exporter { lines: Lines::new(&self.sources), defaults }.model(&expanded))
    }
}

struct Exporter {
    lines: Lines,
    defaults: Defaults,
}

/// Tag and attributes of an element.
macro_rules! plain {
    ($self:ident, $tag:expr, $e:expr) => {
        $self.element($tag, &$e.head, $e.written())
    };
}

impl Exporter {
    fn element(
        &self,
        tag: impl Into<Cow<'static, str>>,
        head: &Head,
        attrs: Vec<(&'static str, Datum)>,
    ) -> Plain {
        Plain {
            tag: tag.into(),
            attrs: attrs.into_iter().map(|(name, datum)| (name.into(), datum)).collect(),
            class: head.class.map(|ClassId(i)| i),
            scope: head.scope,
            mark: self.lines.of(head.span),
            ..Plain::default()
        }
    }

    /// An element with what it contains, left out where it would be empty.
    fn with(mut parent: Plain, children: Vec<Plain>) -> Plain {
        parent.children = children.into_iter().filter(|c| !c.attrs.is_empty()).collect();
        parent
    }

    fn model(&self, spec: &Spec) -> PlainModel {
        let scopes = spec.scopes.iter().map(|scope| {
            let c = &scope.compiler;
            let lengthrange = plain!(self, "lengthrange", c.lengthrange);
            (Self::with(plain!(self, "compiler", c), vec![lengthrange]), scope.dir.clone())
        });
        let classes = spec.defaults.iter();
        let mut parts = self.settings(spec);
        parts.extend(spec.extensions.iter().map(|e| self.extension(e)));
        parts.extend(self.assets(spec));
        parts.push(self.body("worldbody", &spec.world));
        parts.extend(self.objects(spec));
        PlainModel {
            comment: spec.comment.clone(),
            name: spec.modelname.get().cloned().unwrap_or_else(|| "MuJoCo Model".into()),
            scopes: scopes.collect(),
            classes: classes.map(|c| (self.class(c), c.parent.map(|p| p.0))).collect(),
            parts,
        }
    }

    fn extension(&self, e: &Extension) -> Plain {
        let mut plain = plain!(self, "extension", e);
        plain.children = e
            .instances
            .iter()
            .map(|i| {
                let mut instance = plain!(self, "instance", i);
                instance.children = i.config.iter().map(|c| plain!(self, "config", c)).collect();
                instance
            })
            .collect();
        plain
    }

    /// An element with its plugin, which is before what else it contains.
    fn plugged(&self, mut plain: Plain, plugin: Option<&PluginUse>) -> Plain {
        if let Some(e) = plugin {
            let mut child = plain!(self, "plugin", e);
            child.children = e.config.iter().map(|c| plain!(self, "config", c)).collect();
            if e.makes_instance {
                child.attrs.push(("makes_instance".into(), "true".into()));
            }
            plain.children.insert(0, child);
        }
        plain
    }

    fn settings(&self, spec: &Spec) -> Vec<Plain> {
        let flag = plain!(self, "flag", spec.option.flag);
        let v = &spec.visual;
        let visual = vec![
            plain!(self, "global", v.global),
            plain!(self, "quality", v.quality),
            plain!(self, "headlight", v.headlight),
            plain!(self, "map", v.map),
            plain!(self, "scale", v.scale),
            plain!(self, "rgba", v.rgba),
        ];
        vec![
            Self::with(plain!(self, "option", spec.option), vec![flag]),
            plain!(self, "size", spec.size),
            plain!(self, "statistic", spec.statistic),
            Self::with(Plain::new("visual"), visual),
        ]
    }

    /// A default class; its children are what it says, actuators in order.
    fn class(&self, c: &DefaultClass) -> Plain {
        let mut plain = Plain::new("default");
        plain.attrs.push(("class".into(), c.name.as_str().into()));
        let mut children = vec![
            plain!(self, "mesh", c.mesh),
            self.material(&c.material),
            plain!(self, "joint", c.joint),
            self.posed("geom", &c.geom.head, c.geom.written(), &c.geom.alt),
            self.posed("site", &c.site.head, c.site.written(), &c.site.alt),
            self.posed("camera", &c.camera.head, c.camera.written(), &c.camera.alt),
            plain!(self, "light", c.light),
            plain!(self, "pair", c.pair),
            plain!(self, "equality", c.equality),
            plain!(self, "tendon", c.tendon),
        ];
        children.retain(|c| !c.attrs.is_empty() || !c.children.is_empty());
        let outer = Head { class: c.parent, ..Head::default() };
        let outer = c.parent.map_or(&[][..], |_| self.defaults.actuators(&outer));
        let mut before = outer.to_vec();
        for actuator in &c.actuators {
            children.push(self.actuator(actuator, &before));
            before.push(actuator.clone());
        }
        plain.children = children;
        plain
    }

    fn assets(&self, spec: &Spec) -> Vec<Plain> {
        let mut out = Vec::new();
        let meshes = spec.meshes.iter();
        out.extend(meshes.map(|e| self.plugged(plain!(self, "mesh", e), e.plugin.as_deref())));
        out.extend(spec.hfields.iter().map(|e| plain!(self, "hfield", e)));
        out.extend(spec.textures.iter().map(|e| plain!(self, "texture", e)));
        out.extend(spec.materials.iter().map(|e| self.material(e)));
        out.extend(spec.flexes.iter().map(|e| self.flex(e)));
        for skin in &spec.skins {
            let mut plain = plain!(self, "skin", skin);
            plain.children = skin.bones.iter().map(|b| plain!(self, "bone", b)).collect();
            out.push(plain);
        }
        out
    }

    fn material(&self, e: &Material) -> Plain {
        let mut plain = plain!(self, "material", e);
        plain.children = e.layers.iter().map(|l| plain!(self, "layer", l)).collect();
        plain
    }

    fn flex(&self, e: &Flex) -> Plain {
        let mut node = Plain::new("nodes");
        if !e.node_pos.is_empty() {
            node.attrs.push(("pos".into(), Datum::Reals(e.node_pos.clone())));
        }
        if let Some(order) = e.order {
            node.attrs.push(("order".into(), Datum::Integer(order)));
        }
        let parts = vec![
            plain!(self, "contact", e.contact),
            plain!(self, "edge", e.edge),
            plain!(self, "elasticity", e.elasticity),
            node,
        ];
        Self::with(plain!(self, "flex", e), parts)
    }

    /// An element with an orientation.
    fn posed(
        &self,
        tag: &'static str,
        head: &Head,
        mut attrs: Vec<(&'static str, Datum)>,
        alt: &Attr<Orientation>,
    ) -> Plain {
        use crate::spec::attr::Value;
        match alt.get() {
            Some(Orientation::AxisAngle(v)) => attrs.push(("axisangle", v.datum())),
            Some(Orientation::XyAxes(v)) => attrs.push(("xyaxes", v.datum())),
            Some(Orientation::ZAxis(v)) => attrs.push(("zaxis", v.datum())),
            Some(Orientation::Euler(v)) => attrs.push(("euler", v.datum())),
            None => {}
        }
        self.element(tag, head, attrs)
    }

    fn body(&self, tag: &'static str, b: &Body) -> Plain {
        let mut plain = self.posed(tag, &b.head, b.written(), &b.alt);
        plain.children = self.children(&b.children);
        self.plugged(plain, b.plugin.as_deref())
    }

    fn children(&self, list: &[Child]) -> Vec<Plain> {
        list.iter().filter_map(|child| self.child(child)).collect()
    }

    fn child(&self, child: &Child) -> Option<Plain> {
        Some(match child {
            Child::Body(b) => self.body("body", b),
            Child::Frame(f) => {
                let mut plain = self.posed("frame", &f.head, f.written(), &f.alt);
                plain.children = self.children(&f.children);
                plain
            }
            Child::Inertial(e) => self.posed("inertial", &e.head, e.written(), &e.alt),
            Child::Joint(e) => plain!(self, "joint", e),
            Child::FreeJoint(e) => plain!(self, "freejoint", e),
            Child::Geom(e) => {
                let geom = self.posed("geom", &e.head, e.written(), &e.alt);
                self.plugged(geom, e.plugin.as_deref())
            }
            Child::Site(e) => self.posed("site", &e.head, e.written(), &e.alt),
            Child::Camera(e) => self.posed("camera", &e.head, e.written(), &e.alt),
            Child::Light(e) => plain!(self, "light", e),
            // the expansion has removed these
            Child::Replicate(_) | Child::Attach(_) => return None,
        })
    }

    /// An actuator with the elements that its classes have; a later kind in general terms.
    fn actuator(&self, e: &Actuator, classes: &[Actuator]) -> Plain {
        if matches!(e.kind, ActuatorTag::DcMotor | ActuatorTag::Pid | ActuatorTag::Orientation) {
            let mut set = ActuatorSettings::of(classes);
            set.add(e);
            let mut general = e.clone();
            general.say_generally(&set);
            return plain!(self, "general", general);
        }
        self.plugged(plain!(self, e.kind.name(), e), e.plugin.as_deref())
    }

    fn objects(&self, spec: &Spec) -> Vec<Plain> {
        let mut out = Vec::new();
        out.extend(spec.pairs.iter().map(|e| plain!(self, "pair", e)));
        out.extend(spec.excludes.iter().map(|e| plain!(self, "exclude", e)));

        // tags say which kind; equalities and sensors share names of kinds
        out.extend(spec.equalities.iter().map(|e| {
            let tag = Equality::tag_of(e.kind).unwrap_or("tendon");
            plain!(self, format!("equality/{tag}"), e)
        }));
        out.extend(spec.tendons.iter().map(|e| self.tendon(e)));
        let classes = |e: &Actuator| self.defaults.actuators(&e.head);
        out.extend(spec.actuators.iter().map(|e| self.actuator(e, classes(e))));
        out.extend(spec.sensors.iter().map(|e| {
            let sensor = plain!(self, format!("sensor/{}", e.tag), e);
            self.plugged(sensor, e.plugin.as_deref())
        }));
        out.extend(spec.numerics.iter().map(|e| plain!(self, "numeric", e)));
        out.extend(spec.texts.iter().map(|e| plain!(self, "text", e)));

        // with children, or with more than attributes
        for tuple in &spec.tuples {
            let mut plain = plain!(self, "tuple", tuple);
            plain.children = tuple.elements.iter().map(|e| plain!(self, "element", e)).collect();
            out.push(plain);
        }
        for key in &spec.keys {
            let mut plain = plain!(self, "key", key);
            if key.partial {
                plain.attrs.push(("partial".into(), "true".into()));
            }
            out.push(plain);
        }
        out
    }

    fn tendon(&self, e: &Tendon) -> Plain {
        let mut plain = plain!(self, if e.spatial { "spatial" } else { "fixed" }, e);
        plain.children = e
            .path
            .iter()
            .map(|w| {
                let tag = match w.kind {
                    WrapTag::Site => "site",
                    WrapTag::Geom => "geom",
                    WrapTag::Pulley => "pulley",
                    WrapTag::Joint => "joint",
                };
                plain!(self, tag, w)
            })
            .collect();
        plain
    }
}
