//! Elements that refer to the kinematic tree: contacts, equalities, tendons, actuators, sensors.

use sinew_model::enums::{DataType, EqType, ObjType, Stage, TrnType};

use crate::actuator_kinds::ActuatorSettings;
use crate::copy_back::ordered;
use crate::number::concise_row;
use crate::spec::attr::Value;
use crate::spec::sensor_kinds::{CONTACT_FIELDS, End, RAY_FIELDS, field_bits, sensor_kind};
use crate::spec::{Actuator, Equality, Head, Pair, PluginUse, Sensor, Tendon, Wrap, WrapTag};
use crate::write::mujoco::Writer;
use crate::write::mujoco::node::Node;

/// Names of the things that equalities constrain.
const ENDS: [(&str, &str); 4] =
    [("body1", "body2"), ("site1", "site2"), ("joint1", "joint2"), ("tendon1", "tendon2")];

impl Writer<'_> {
    /// The section of contacts, in the order of the bodies.
    pub(super) fn contact(&self, root: &mut Node) {
        let mut section = Node::new("contact");

        // pairs
        let mut pairs = Vec::new();
        for e in &self.spec.pairs {
            let own = self.defaults.pair(e);
            let (bodies, names) =
                ordered(self.m, ObjType::Geom, [own.geom1.text(), own.geom2.text()]);
            let base = &self.class_of(&e.head).pair;
            pairs.push((bodies, self.pair(&own, base, Some((&e.head, names)))));
        }
        pairs.sort_by_key(|(bodies, _)| *bodies);
        section.children.extend(pairs.into_iter().map(|(_, node)| node));

        // exclusions
        let mut excludes = Vec::new();
        for e in &self.spec.excludes {
            let (bodies, names) = ordered(self.m, ObjType::Body, [e.body1.text(), e.body2.text()]);
            let mut node = Node::new("exclude");
            node.text("name", e.name.text());
            node.text("body1", names[0]);
            node.text("body2", names[1]);
            excludes.push((bodies, node));
        }
        excludes.sort_by_key(|(bodies, _)| *bodies);
        section.children.extend(excludes.into_iter().map(|(_, node)| node));
        root.push_full(section);
    }

    /// A pair of geoms; `at` is its class and its geoms.
    pub(super) fn pair(&self, e: &Pair, base: &Pair, at: Option<(&Head, [&str; 2])>) -> Node {
        let mut node = Node::new("pair");
        if let Some((head, [first, second])) = at {
            self.classed(&mut node, head);
            node.text("geom1", first);
            node.text("geom2", second);
        }
        node.text("name", e.name.text());
        let order = "condim margin gap adhesion solref* solreffriction* solimp* friction";
        node.extend(e.differing(base, order));
        node.extend(e.attributes().into_iter().filter(|(n, _)| *n == "restitution").collect());
        node
    }

    /// The section of equalities.
    pub(super) fn equalities(&self, root: &mut Node) {
        let mut section = Node::new("equality");
        for e in &self.spec.equalities {
            let base = &self.class_of(&e.head).equality;
            section.push(self.equality(&self.defaults.equality(e), base, Some(&e.head)));
        }
        root.push_full(section);
    }

    /// An equality constraint.
    pub(super) fn equality(&self, e: &Equality, base: &Equality, head: Option<&Head>) -> Node {
        let mut node = Node::new("equality");
        if let Some(head) = head {
            node = Node::new(Equality::tag_of(e.kind).unwrap_or("equality"));
            self.named(&mut node, e.name.text(), head);
            node.text("flex", e.flex.text());
            let names = [
                (&e.body1, &e.body2),
                (&e.site1, &e.site2),
                (&e.joint1, &e.joint2),
                (&e.tendon1, &e.tendon2),
            ];
            for ((tag1, tag2), (name1, name2)) in ENDS.into_iter().zip(names) {
                node.text(tag1, name1.text());
                node.text(tag2, name2.text());
            }
            equality_data(&mut node, e);
        }
        node.extend(e.differing(base, "active solref* solimp*"));
        node
    }

    /// The section of tendons, without those that pass nothing.
    pub(super) fn tendons(&self, root: &mut Node) {
        let mut section = Node::new("tendon");
        for e in self.spec.tendons.iter().filter(|e| !e.path.is_empty()) {
            let base = &self.class_of(&e.head).tendon;
            let mut node = self.tendon(&self.defaults.tendon(e), base, Some(&e.head));
            e.path.iter().for_each(|step| node.push(wrap(step)));
            section.push(node);
        }
        if !self.spec.tendons.is_empty() {
            root.push(section);
        }
    }

    /// A tendon without its path.
    pub(super) fn tendon(&self, e: &Tendon, base: &Tendon, head: Option<&Head>) -> Node {
        let fixed = e.path.first().is_some_and(|wrap| wrap.kind == WrapTag::Joint);
        let mut node = match head {
            None => Node::new("tendon"),
            Some(_) => Node::new(if fixed { "fixed" } else { "spatial" }),
        };
        if let Some(head) = head {
            self.named(&mut node, e.name.text(), head);
        }
        let order = "group solreflimit* solimplimit* solreffriction* solimpfriction* limited \
                     actuatorfrclimited range actuatorfrcrange margin stiffness damping armature \
                     frictionloss springlength springyield";
        node.extend(e.differing(base, order));
        if !fixed {
            node.extend(e.differing(base, "material width rgba"));
        }
        let base = if head.is_some() { base.values().user() } else { &[] };
        Writer::user(&mut node, e.values().user(), base, self.m.nuser_tendon);
        node
    }

    /// The section of actuators.
    pub(super) fn actuators(&self, root: &mut Node) {
        let mut section = Node::new("actuator");
        for (u, e) in self.m.whole_actuators().zip(&self.spec.actuators) {
            let base = ActuatorSettings::of(&self.class_of(&e.head).actuators);
            let mut own = ActuatorSettings::of(self.defaults.actuators(&e.head));
            own.add(e);
            if own.inheritrange > 0.0 {
                own.ctrlrange = self.m.actuator_ctrlrange[u];
                own.actrange = self.m.actuator_actrange[u];
            }
            section.push(self.actuator(&own, &base, Some(e), e.plugin.as_deref()));
        }
        root.push_full(section);
    }

    /// An actuator in general terms.
    pub(super) fn actuator(
        &self,
        own: &ActuatorSettings,
        base: &ActuatorSettings,
        e: Option<&Actuator>,
        plugin: Option<&PluginUse>,
    ) -> Node {
        let tag = if plugin.is_some() { "plugin" } else { "general" };
        let mut node = Node::new(tag);
        let (mut general, mut usual) = (Actuator::default(), Actuator::default());
        general.say_generally(own);
        usual.say_generally(base);
        if let Some(e) = e {
            self.named(&mut node, e.name.text(), &e.head);
            target(&mut node, own);

            // activations are written where their number differs from the dynamics'
            let needed = i32::from(own.dyntype.0 != 0);
            general.actdim.set(if own.actdim >= 0 { own.actdim } else { needed });
            usual.actdim.set(needed);
        }
        let order = "group nsample interp delay ctrllimited ctrlrange velrange ffrange forcelimited forcerange \
                     actlimited actrange lengthrange gear damping armature cranklength input actearly actdim dyntype \
                     dynprm";
        node.extend(general.differing(&usual, order));
        match plugin {
            Some(plugin) => self.plugin(&mut node, plugin),
            None => {
                let order = "gaintype biastype gainprm* biasprm*";
                node.extend(general.differing(&usual, order));
            }
        }
        let usual: &[f64] = if e.is_some() { &base.user } else { &[] };
        Writer::user(&mut node, &own.user, usual, self.m.nuser_actuator);
        node
    }

    /// The section of sensors.
    pub(super) fn sensors(&self, root: &mut Node) {
        let mut section = Node::new("sensor");
        for e in &self.spec.sensors {
            let merged = if e.tag == "tactile" { e.clone() } else { self.defaults.sensor(e) };
            section.push(self.sensor(&merged));
        }
        root.push_full(section);
    }

    fn sensor(&self, e: &Sensor) -> Node {
        // the name that MuJoCo writes is not the one it reads
        let mut node = Node::new(e.tag.strip_prefix("e_").unwrap_or(&e.tag));

        // its objects; some sensors name the reference first
        if let Some(kind) = sensor_kind(&e.tag) {
            let (object, reference) = (kind.target.object(), kind.target.reference());
            let tactile = e.tag == "tactile";
            if tactile {
                sensor_end(&mut node, e, reference, false);
            }
            sensor_end(&mut node, e, object, true);
            if !tactile {
                sensor_end(&mut node, e, reference, false);
            }
        }
        self.sensor_data(&mut node, e);

        // attributes of all sensors
        let none = Sensor::default();
        node.text("name", e.name.text());
        node.extend(e.differing(&none, "cutoff"));
        if e.tag != "plugin" {
            node.extend(e.differing(&none, "noise"));
        }
        node.extend(e.differing(&none, "nsample interp delay interval"));
        Writer::user(&mut node, e.values().user(), &[], self.m.nuser_sensor);
        node
    }

    /// The measured quantity of a sensor, where a sensor can choose.
    fn sensor_data(&self, node: &mut Node, e: &Sensor) {
        let none = Sensor::default();
        let words = |fields: &[(&'static str, usize)]| {
            let bits = field_bits(e.data.text(), fields).unwrap_or(1);
            let chosen = fields.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
            let words: Vec<&str> = chosen.map(|(_, (word, _))| *word).collect();
            if bits == 1 { String::new() } else { words.join(" ") }
        };
        match e.tag.as_str() {
            "rangefinder" => node.text("data", words(RAY_FIELDS)),
            "contact" => {
                node.extend(e.differing(&none, "num"));
                node.text("data", words(CONTACT_FIELDS));
                node.extend(e.differing(&none, "reduce"));
            }
            "insidesite" => node.extend(e.differing(&none, "enclosed")),
            "user" => {
                node.text("dim", e.values().dim().to_string());
                node.text("needstage", e.needstage.or(Stage::Acc).write());
                node.text("datatype", e.datatype.or(DataType::Real).write());
            }
            "plugin" => {
                if let Some(plugin) = e.plugin.as_deref() {
                    self.plugin(node, plugin);
                }
            }
            _ => {}
        }
    }
}

/// Adds the numbers of an equality constraint.
fn equality_data(node: &mut Node, e: &Equality) {
    // unset numbers are the numbers of the first joint or tendon of a polynomial
    let of_bodies = e.body1.is_set();
    let unsaid = if e.kind == EqType::Weld { [0.0; 3] } else { [0.0, 1.0, 0.0] };
    if of_bodies {
        node.all("anchor", &e.anchor.or(unsaid));
    }
    match e.kind {
        EqType::Weld => {
            if of_bodies {
                node.all("relpose", &e.relpose.or([0.0; 7]));
            }
            node.all("torquescale", &[e.values().torquescale()]);
        }
        EqType::Joint | EqType::Tendon => node.all("polycoef", &e.values().polycoef()),
        _ => {}
    }
}

/// An element of a tendon's path.
fn wrap(e: &Wrap) -> Node {
    let mut node;
    match e.kind {
        WrapTag::Joint => {
            node = Node::new("joint");
            node.text("joint", e.joint.text());
            node.text("coef", concise_row(&[e.coef.or(0.0)]));
        }
        WrapTag::Site => {
            node = Node::new("site");
            node.text("site", e.site.text());
        }
        WrapTag::Pulley => {
            node = Node::new("pulley");
            node.text("divisor", concise_row(&[e.divisor.or(1.0)]));
        }
        WrapTag::Geom => {
            node = Node::new("geom");
            node.text("geom", e.geom.text());
            node.text("sidesite", e.sidesite.text());
        }
    }
    node
}

/// Adds the target of an actuator.
fn target(node: &mut Node, set: &ActuatorSettings) {
    let name = set.target.text();
    match set.trntype {
        TrnType::Joint => node.text("joint", name),
        TrnType::Jointinparent => node.text("jointinparent", name),
        TrnType::Tendon => node.text("tendon", name),
        TrnType::Slidercrank => {
            node.text("cranksite", name);
            node.text("slidersite", set.slidersite.text());
        }
        TrnType::Site => {
            node.text("site", name);
            node.text("refsite", set.refsite.text());
        }
        TrnType::Body => node.text("body", name),
        _ => {}
    }
}

/// Adds the object of a sensor, or its reference.
fn sensor_end(node: &mut Node, e: &Sensor, end: End, object: bool) {
    match end {
        End::None => {}
        End::OneOf(list) => {
            let found = list.iter().rev().find_map(|(attr, _)| {
                let name = e.reference(attr)?;
                name.get().map(|name| (*attr, name.as_str()))
            });
            if let Some((attr, name)) = found {
                node.text(attr, name);
            }
        }
        End::Typed => {
            if object {
                node.text("objtype", e.objtype.text());
                node.text("objname", e.objname.text());
            } else if e.tag != "plugin" {
                node.text("reftype", e.reftype.text());
                node.text("refname", e.refname.text());
            }
        }
    }
}
