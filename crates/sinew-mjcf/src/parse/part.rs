//! `<contact>`, `<equality>`, `<tendon>`, `<actuator>`, `<sensor>`, `<custom>`, `<keyframe>`.
//!
//! Which attributes go together is checked where the elements are compiled.

use sinew_model::enums::EqType;

use super::Reader;
use crate::schema::tag;
use crate::spec::{
    Actuator, ActuatorTag, Attr, ClassId, Equality, Exclude, Key, Numeric, Pair, Sensor, Tendon,
    Text, Tuple, TupleElement, Wrap, WrapTag, object_type,
};
use crate::xml::Node;

impl<'t> Reader<'_, 't> {
    pub(super) fn contact(&mut self, node: Node<'t>) {
        for child in node.children() {
            match child.name() {
                "pair" => {
                    let class = self.class_of(child, Some(ClassId(0)));
                    let mut pair = Pair::read(&mut self.source_of(child, class));
                    self.name(child, "pair", &pair.name);
                    self.round_condim(child, &mut pair.condim, "invalid condim in contact pair");
                    self.spec.pairs.push(pair);
                }
                "exclude" => {
                    let exclude = Exclude::read(&mut self.source(child));
                    self.name(child, "exclude", &exclude.name);
                    self.require(child, &["body1", "body2"]);
                    self.spec.excludes.push(exclude);
                }
                _ => {}
            }
        }
    }

    pub(super) fn equality(&mut self, node: Node<'t>) {
        for child in node.children() {
            let class = self.class_of(child, Some(ClassId(0)));
            let mut eq = Equality::read(&mut self.source_of(child, class));
            self.name(child, "equality", &eq.name);
            eq.kind = Equality::kind_of(child.name()).unwrap_or(EqType::Tendon);
            self.spec.equalities.push(eq);
        }
    }

    pub(super) fn tendon(&mut self, node: Node<'t>) {
        for child in node.children() {
            let class = self.class_of(child, Some(ClassId(0)));
            let mut tendon = Tendon::read(&mut self.source_of(child, class));
            self.name(child, "tendon", &tendon.name);
            tendon.spatial = child.name() == "spatial";
            for part in child.children() {
                let wrap = self.wrap(part);
                tendon.path.push(wrap);
            }
            self.spec.tendons.push(tendon);
        }
    }

    fn wrap(&mut self, node: Node<'t>) -> Wrap {
        let mut wrap = Wrap::read(&mut self.source(node));
        wrap.kind = match node.name() {
            "site" => WrapTag::Site,
            "geom" => WrapTag::Geom,
            "pulley" => WrapTag::Pulley,
            _ => WrapTag::Joint,
        };
        match wrap.kind {
            WrapTag::Site => self.require(node, &["site"]),
            WrapTag::Geom => self.require(node, &["geom"]),
            WrapTag::Joint => self.require(node, &["joint", "coef"]),
            WrapTag::Pulley if !wrap.divisor.is_set() => {
                let words = format!("{}: required attribute missing: 'divisor'", tag(node));
                self.diag.extension("divisor", node.span(), &words, "taken as 1");
                wrap.divisor = Attr::at(1.0, node.span());
            }
            WrapTag::Pulley => {}
        }
        wrap
    }

    pub(super) fn actuator(&mut self, node: Node<'t>) {
        for child in node.children() {
            let Some(kind) = ActuatorTag::from_name(child.name()) else { continue };
            let class = self.class_of(child, Some(ClassId(0)));
            let actuator = self.one_actuator(child, class, kind);
            self.name(child, "actuator", &actuator.name);
            self.spec.actuators.push(actuator);
        }
    }

    /// An actuator, of the model or of a class.
    pub(super) fn one_actuator(
        &mut self,
        node: Node<'t>,
        class: Option<ClassId>,
        kind: ActuatorTag,
    ) -> Actuator {
        let gear = self.long_gear(node);
        let mut source = self.source_of(node, class);
        source.instead = gear.map(|text| ("gear", text));
        let mut actuator = Actuator::read(&mut source);
        actuator.kind = kind;
        if kind == ActuatorTag::Plugin {
            actuator.plugin = Some(self.plugin(node));
        }
        actuator
    }

    /// More than six gears: the rest has no effect, an extension.
    fn long_gear(&mut self, node: Node<'t>) -> Option<String> {
        let (text, span) = node.attr("gear")?;
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        if words.len() <= 6 {
            return None;
        }
        let mujoco = format!("{}: attribute 'gear' has too much data", tag(node));
        self.diag.extension("gear", span, &mujoco, "only the first six are used");
        Some(words[..6].join(" "))
    }

    pub(super) fn sensor(&mut self, node: Node<'t>) {
        for child in node.children() {
            let mut sensor = Sensor::read(&mut self.source(child));
            self.name(child, "sensor", &sensor.name);
            sensor.tag = child.name().to_owned();
            if sensor.tag == "plugin" {
                sensor.plugin = Some(self.plugin(child));
            }
            self.spec.sensors.push(sensor);
        }
    }

    pub(super) fn custom(&mut self, node: Node<'t>) {
        for child in node.children() {
            self.require(child, &["name"]);
            match child.name() {
                "numeric" => {
                    let numeric = Numeric::read(&mut self.source(child));
                    self.name(child, "numeric", &numeric.name);

                    // `size` numbers, or all of them if there are fewer
                    let len = numeric.data.get().map_or(0, |d| d.len() as i64);
                    let size = numeric.size.get().map_or(len, |n| i64::from(*n));
                    if len > size && size > 0 {
                        self.error(child, "wrong-count", "attribute 'data' has too much data");
                    } else if !(1..=500).contains(&size) {
                        let words = "custom field size must be between 1 and 500";
                        self.error(child, "custom", words);
                    }
                    self.spec.numerics.push(numeric);
                }
                "text" => {
                    let text = Text::read(&mut self.source(child));
                    self.name(child, "text", &text.name);
                    self.require(child, &["data"]);
                    if text.data.get().is_some_and(String::is_empty) {
                        self.error(child, "custom", "text field cannot be empty");
                    }
                    self.spec.texts.push(text);
                }
                "tuple" => self.tuple(child),
                _ => {}
            }
        }
    }

    fn tuple(&mut self, node: Node<'t>) {
        let mut tuple = Tuple::read(&mut self.source(node));
        self.name(node, "tuple", &tuple.name);
        for child in node.children() {
            self.require(child, &["objtype", "objname"]);
            let element = TupleElement::read(&mut self.source(child));
            if element.objtype.get().is_some_and(|t| object_type(t).is_none()) {
                let words = format!("unknown object type '{}'", element.objtype.text());
                self.error(child, "tuple", words);
            }
            tuple.elements.push(element);
        }
        self.spec.tuples.push(tuple);
    }

    pub(super) fn keyframe(&mut self, node: Node<'t>) {
        for child in node.children() {
            let key = Key::read(&mut self.source(child));
            self.name(child, "key", &key.name);
            self.spec.keys.push(key);
        }
    }
}
