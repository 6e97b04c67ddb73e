//! From plain data to a `Spec`.

use sinew_model::enums::TextureRole;

use crate::diag::{Diagnostics, Error};
use crate::plain::tree::{Plain, PlainModel};
use crate::spec::attr::{AttrSource, ValueError, read_attr};
use crate::spec::datum::Datum;
use crate::spec::*;

impl Spec {
    /// The model that plain data describes. Its default classes are names and bases for writing:
    /// every element says itself what it is. Errors are about texts that are no values of their
    /// attributes.
    pub fn from_plain(plain: &PlainModel) -> Result<Spec, Error> {
        let mut diag = Diagnostics::default();
        let mut spec = Spec::default();
        spec.modelname.set(plain.name.clone());
        spec.comment.clone_from(&plain.comment);
        spec.complete = true;
        for (class, parent) in &plain.classes {
            let mut own = Builder { spec: &mut spec, diag: &mut diag }.class(class);
            own.parent = parent.map(ClassId);
            spec.defaults.push(own);
        }
        if spec.defaults.is_empty() {
            spec.defaults.push(DefaultClass { name: "main".into(), ..DefaultClass::default() });
        }

        // settings, then everything in order
        for (compiler, dir) in &plain.scopes {
            let mut own = Compiler::read(&mut source(compiler, &mut diag));
            if let Some(child) = compiler.children.first() {
                own.lengthrange = LengthRange::read(&mut source(child, &mut diag));
            }
            spec.scopes.push(Scope { compiler: own, dir: dir.clone() });
        }
        for part in &plain.parts {
            Builder { spec: &mut spec, diag: &mut diag }.part(part);
        }
        match diag.failed() {
            true => Err(Error { diagnostics: diag.list, sources: Vec::new() }),
            false => Ok(spec),
        }
    }
}

/// A plain element while its attributes are read.
struct PlainSource<'p> {
    plain: &'p Plain,
    span: Span,
    diag: &'p mut Diagnostics,
}

fn source<'p>(plain: &'p Plain, diag: &'p mut Diagnostics) -> PlainSource<'p> {
    PlainSource { plain, span: span_of(plain), diag }
}

/// The text of an attribute; an empty one if it has none.
fn text_of(plain: &Plain, name: &str) -> String {
    match plain.attr(name) {
        Some(Datum::Text(text)) => text.clone(),
        _ => String::new(),
    }
}

/// The span by which errors name an element.
fn span_of(plain: &Plain) -> Span {
    Span { file: 0, start: plain.mark, end: plain.mark }
}

impl AttrSource for PlainSource<'_> {
    fn text(&self, _: &'static str) -> Option<(&str, Span)> {
        None
    }

    fn datum(&self, name: &'static str) -> Option<(&Datum, Span)> {
        self.plain.attr(name).map(|datum| (datum, self.span))
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
        let tag = &self.plain.tag;
        self.diag.error("attribute", span, format!("attribute '{name}' of {tag}: {words}"));
    }

    fn note_nan(&mut self, _: &'static str, _: Span) {}

    fn head(&self) -> Head {
        let class = self.plain.class.map(ClassId);
        Head { span: self.span, scope: self.plain.scope, class, ..Head::default() }
    }
}

impl PlainSource<'_> {
    /// An orientation other than `quat`.
    fn orientation(&mut self) -> Attr<Orientation> {
        fn of<T: Clone>(attr: Attr<T>, make: impl Fn(T) -> Orientation) -> Option<Orientation> {
            attr.get().cloned().map(make)
        }
        let found = of(read_attr(self, "axisangle"), Orientation::AxisAngle)
            .or_else(|| of(read_attr(self, "xyaxes"), Orientation::XyAxes))
            .or_else(|| of(read_attr(self, "zaxis"), Orientation::ZAxis))
            .or_else(|| of(read_attr(self, "euler"), Orientation::Euler));
        found.map_or(Attr::default(), |alt| Attr::at(alt, self.span))
    }
}

struct Builder<'b> {
    spec: &'b mut Spec,
    diag: &'b mut Diagnostics,
}

impl Builder<'_> {
    fn source<'p>(&'p mut self, plain: &'p Plain) -> PlainSource<'p> {
        source(plain, self.diag)
    }

    /// A part of the model.
    fn part(&mut self, p: &Plain) {
        match p.tag.as_ref() {
            "option" | "size" | "statistic" | "visual" => self.setting(p),
            "mesh" | "hfield" | "texture" | "material" | "flex" | "skin" => self.asset(p),
            "worldbody" => {
                self.spec.world.head = self.source(p).head();
                self.spec.world.children = self.children(&p.children);
            }
            _ => self.object(p),
        }
    }

    /// A default class with what is in it.
    fn class(&mut self, p: &Plain) -> DefaultClass {
        let name = text_of(p, "class");
        let mut class = DefaultClass { name, ..DefaultClass::default() };
        for child in &p.children {
            let source = &mut source(child, self.diag);
            match child.tag.as_ref() {
                "mesh" => class.mesh = Mesh::read(source),
                "material" => class.material = self.material(child),
                "joint" => class.joint = Joint::read(source),
                "geom" => class.geom = Geom::read(source),
                "site" => class.site = Site::read(source),
                "camera" => class.camera = Camera::read(source),
                "light" => class.light = Light::read(source),
                "pair" => class.pair = Pair::read(source),
                "equality" => class.equality = Equality::read(source),
                "tendon" => class.tendon = Tendon::read(source),
                _ => class.actuators.push(Actuator::read(source).with_chart()),
            }
        }
        class
    }

    fn material(&mut self, p: &Plain) -> Material {
        let mut material = Material::read(&mut self.source(p));
        material.layers = p.children.iter().map(|c| self.layer(c)).collect();
        material
    }

    fn setting(&mut self, p: &Plain) {
        let flag = p.children.iter().find(|c| c.tag == "flag");
        match p.tag.as_ref() {
            "option" => {
                self.spec.option = OptionElement::read(&mut self.source(p));
                if let Some(flag) = flag {
                    self.spec.option.flag = FlagElement::read(&mut self.source(flag));
                }
            }
            "size" => self.spec.size = SizeElement::read(&mut self.source(p)),
            "statistic" => self.spec.statistic = StatisticElement::read(&mut self.source(p)),
            _ => p.children.iter().for_each(|child| self.visual(child)),
        }
    }

    fn visual(&mut self, p: &Plain) {
        let (diag, visual) = (&mut *self.diag, &mut self.spec.visual);
        let source = &mut source(p, diag);
        match p.tag.as_ref() {
            "global" => visual.global = GlobalElement::read(source),
            "quality" => visual.quality = QualityElement::read(source),
            "headlight" => visual.headlight = HeadlightElement::read(source),
            "map" => visual.map = MapElement::read(source),
            "scale" => visual.scale = ScaleElement::read(source),
            _ => visual.rgba = RgbaElement::read(source),
        }
    }

    fn asset(&mut self, p: &Plain) {
        match p.tag.as_ref() {
            "mesh" => {
                let mut mesh = Mesh::read(&mut self.source(p));
                for (name, list) in
                    [("facenormal", &mut mesh.facenormal), ("facetexcoord", &mut mesh.facetexcoord)]
                {
                    let read: Attr<Vec<i32>> = read_attr(&mut source(p, self.diag), name);
                    *list = read.or(Vec::new());
                }
                mesh.plugin = self.plugin(p);
                self.spec.meshes.push(mesh);
            }
            "hfield" => {
                let hfield = HField::read(&mut self.source(p));
                self.spec.hfields.push(hfield);
            }
            "texture" => {
                let mut texture = Texture::read(&mut self.source(p));
                texture.data = p.bytes.clone();
                self.spec.textures.push(texture);
            }
            "material" => {
                let material = self.material(p);
                self.spec.materials.push(material);
            }
            "skin" => {
                let mut skin = Skin::read(&mut self.source(p));
                skin.bones = p.children.iter().map(|c| Bone::read(&mut self.source(c))).collect();
                self.spec.skins.push(skin);
            }
            _ => self.flex(p),
        }
    }

    /// A texture of a material, whose role is a number: not all roles have keywords.
    fn layer(&mut self, p: &Plain) -> Layer {
        let mut layer = Layer::default();
        layer.texture.set(text_of(p, "texture"));
        let role: Attr<i32> = read_attr(&mut self.source(p), "role");
        layer.role.set(TextureRole(role.or(TextureRole::Rgb.0)));
        layer
    }

    fn flex(&mut self, p: &Plain) {
        let mut flex = Flex::read(&mut self.source(p));
        for child in &p.children {
            let source = &mut source(child, self.diag);
            match child.tag.as_ref() {
                "contact" => flex.contact = FlexContact::read(source),
                "edge" => flex.edge = FlexEdge::read(source),
                "elasticity" => flex.elasticity = FlexElasticity::read(source),
                _ => {
                    let pos: Attr<Vec<f64>> = read_attr(source, "pos");
                    flex.node_pos = pos.or(Vec::new());
                    let order: Attr<i32> = read_attr(source, "order");
                    flex.order = order.get().copied();
                }
            }
        }
        self.spec.flexes.push(flex);
    }

    /// What is in a body or frame, but for its plugin.
    fn children(&mut self, list: &[Plain]) -> Vec<Child> {
        list.iter().filter(|p| p.tag != "plugin").filter_map(|p| self.child(p)).collect()
    }

    fn child(&mut self, p: &Plain) -> Option<Child> {
        let source = &mut source(p, self.diag);
        Some(match p.tag.as_ref() {
            "body" => {
                let mut body = Body::read(source);
                body.alt = source.orientation();
                body.plugin = self.plugin(p);
                body.children = self.children(&p.children);
                Child::Body(body)
            }
            "frame" => {
                let mut frame = Frame::read(source);
                frame.alt = source.orientation();
                frame.children = self.children(&p.children);
                Child::Frame(frame)
            }
            "inertial" => {
                let mut inertial = Inertial::read(source);
                inertial.alt = source.orientation();
                inertial.implied = p.attr("implied").is_some();
                Child::Inertial(inertial)
            }
            "joint" => {
                let mut joint = Joint::read(source);
                joint.align = read_attr(source, "align");
                Child::Joint(joint)
            }
            "freejoint" => Child::FreeJoint(FreeJoint::read(source)),
            "geom" => {
                let mut geom = Geom::read(source);
                geom.alt = source.orientation();
                geom.plugin = self.plugin(p);
                Child::Geom(geom)
            }
            "site" => {
                let mut site = Site::read(source);
                site.alt = source.orientation();
                Child::Site(site)
            }
            "camera" => {
                let mut camera = Camera::read(source);
                camera.alt = source.orientation();
                Child::Camera(camera)
            }
            "light" => Child::Light(Light::read(source)),
            other => {
                let words = format!("unknown element '{other}' in a body");
                self.diag.error("unknown-element", span_of(p), words);
                return None;
            }
        })
    }

    /// What refers to the tree.
    fn object(&mut self, p: &Plain) {
        let source = &mut source(p, self.diag);
        match p.tag.as_ref() {
            "pair" => self.spec.pairs.push(Pair::read(source)),
            "exclude" => self.spec.excludes.push(Exclude::read(source)),
            "fixed" | "spatial" => {
                let mut tendon = Tendon::read(source);
                tendon.spatial = p.tag == "spatial";
                tendon.path = p.children.iter().map(|c| self.wrap(c)).collect();
                self.spec.tendons.push(tendon);
            }
            "general" | "plugin" => {
                let mut actuator = Actuator::read(source).with_chart();
                actuator.plugin = self.plugin(p);
                if p.tag == "plugin" {
                    actuator.kind = ActuatorTag::Plugin;
                }
                self.spec.actuators.push(actuator);
            }
            "extension" => self.extension(p),
            "numeric" => self.spec.numerics.push(Numeric::read(source)),
            "text" => self.spec.texts.push(Text::read(source)),
            "tuple" => {
                let mut tuple = Tuple::read(source);
                let elements = p.children.iter();
                tuple.elements =
                    elements.map(|c| TupleElement::read(&mut self.source(c))).collect();
                self.spec.tuples.push(tuple);
            }
            "key" => {
                let mut key = Key::read(source);
                key.partial = p.attr("partial").is_some();
                self.spec.keys.push(key);
            }
            tag => match tag.strip_prefix("equality/").and_then(Equality::kind_of) {
                Some(kind) => {
                    let mut equality = Equality::read(source);
                    equality.kind = kind;
                    self.spec.equalities.push(equality);
                }
                None => {
                    let mut sensor = Sensor::read(source);
                    sensor.tag = tag.strip_prefix("sensor/").unwrap_or(tag).to_owned();
                    sensor.plugin = self.plugin(p);
                    self.spec.sensors.push(sensor);
                }
            },
        }
    }

    /// A plugin the model uses, with its instances.
    fn extension(&mut self, p: &Plain) {
        let mut extension = Extension::read(&mut self.source(p));
        for child in &p.children {
            let mut instance = PluginInstance::read(&mut self.source(child));
            instance.config = self.config(child);
            extension.instances.push(instance);
        }
        self.spec.extensions.push(extension);
    }

    /// The plugin of an element, if it has one.
    fn plugin(&mut self, p: &Plain) -> Option<Box<PluginUse>> {
        let child = p.children.iter().find(|c| c.tag == "plugin")?;
        let mut plugin = PluginUse::read(&mut self.source(child));
        plugin.config = self.config(child);
        plugin.makes_instance = child.attr("makes_instance").is_some();
        Some(Box::new(plugin))
    }

    fn config(&mut self, p: &Plain) -> Vec<PluginConfig> {
        let settings = p.children.iter().filter(|c| c.tag == "config");
        settings.map(|c| PluginConfig::read(&mut self.source(c))).collect()
    }

    fn wrap(&mut self, p: &Plain) -> Wrap {
        let mut wrap = Wrap::read(&mut self.source(p));
        wrap.kind = match p.tag.as_ref() {
            "site" => WrapTag::Site,
            "geom" => WrapTag::Geom,
            "pulley" => WrapTag::Pulley,
            _ => WrapTag::Joint,
        };
        wrap
    }
}
