//! `<sensor>`: what each kind must name.

use super::Reader;
use crate::schema::tag;
use crate::spec::Sensor;
use crate::xml::Node;

impl<'t> Reader<'_, 't> {
    pub(super) fn sensor(&mut self, node: Node<'t>) {
        for child in node.children() {
            let mut sensor = Sensor::read(&mut self.source(child));
            self.name(child, "sensor", &sensor.name);
            sensor.tag = child.name().to_owned();
            self.check_sensor(child, &sensor);
            self.spec.sensors.push(sensor);
        }
    }

    fn check_sensor(&mut self, node: Node<'t>, s: &Sensor) {
        match node.name() {
            "touch" | "accelerometer" | "velocimeter" | "gyro" | "force" | "torque"
            | "magnetometer" => self.require(node, &["site"]),
            "camprojection" => self.require(node, &["site", "camera"]),
            "rangefinder" => {
                if s.site.is_set() == s.camera.is_set() {
                    let words = "rangefinder requires exactly one of 'site' or 'camera'";
                    self.error(node, "sensor", words);
                }
                self.check_data(node, &["dist", "dir", "origin", "point", "normal", "depth"]);
            }
            "jointpos" | "jointvel" | "jointactuatorfrc" | "ballquat" | "ballangvel"
            | "jointlimitpos" | "jointlimitvel" | "jointlimitfrc" => {
                self.require(node, &["joint"]);
            }
            "tendonpos" | "tendonvel" | "tendonactuatorfrc" | "tendonlimitpos"
            | "tendonlimitvel" | "tendonlimitfrc" => self.require(node, &["tendon"]),
            "actuatorpos" | "actuatorvel" | "actuatorfrc" => self.require(node, &["actuator"]),
            "framepos" | "framequat" | "framexaxis" | "frameyaxis" | "framezaxis"
            | "framelinvel" | "frameangvel" => {
                self.require(node, &["objtype", "objname"]);
                self.check_reference(node, s);
            }
            "framelinacc" | "frameangacc" => self.require(node, &["objtype", "objname"]),
            "insidesite" => self.require(node, &["site", "objtype", "objname"]),
            "subtreecom" | "subtreelinvel" | "subtreeangmom" => self.require(node, &["body"]),
            "distance" | "normal" | "fromto" => self.check_distance(node, s),
            "contact" => self.check_contact(node, s),
            "user" => self.check_user(node, s),
            "tactile" => self.require(node, &["geom", "mesh"]),
            _ => {}
        }
    }

    fn check_reference(&mut self, node: Node<'t>, s: &Sensor) {
        if s.reftype.is_set() {
            self.require(node, &["refname"]);
        } else if s.refname.is_set() {
            let words = format!("refname '{}' given but reftype is missing", s.refname.text());
            self.error(node, "sensor", words);
        }
    }

    fn check_distance(&mut self, node: Node<'t>, s: &Sensor) {
        if s.body1.is_set() == s.geom1.is_set() {
            self.error(node, "sensor", "exactly one of (geom1, body1) must be specified");
        }
        if s.body2.is_set() == s.geom2.is_set() {
            self.error(node, "sensor", "exactly one of (geom2, body2) must be specified");
        }
    }

    fn check_contact(&mut self, node: Node<'t>, s: &Sensor) {
        let first = [&s.site, &s.body1, &s.subtree1, &s.geom1];
        if first.iter().filter(|a| a.is_set()).count() > 1 {
            let words = "at most one of (geom1, body1, subtree1, site) can be specified";
            self.error(node, "sensor", words);
        }
        let second = [&s.body2, &s.subtree2, &s.geom2];
        if second.iter().filter(|a| a.is_set()).count() > 1 {
            let words = "at most one of (geom2, body2, subtree2) can be specified";
            self.error(node, "sensor", words);
        }
        if s.num.get().is_some_and(|n| *n <= 0) {
            self.error(node, "sensor", "'num' must be positive in sensor");
        }
        let words = ["found", "force", "torque", "dist", "pos", "normal", "tangent"];
        self.check_data(node, &words);
    }

    /// Keywords of `data`: known, each once and in order.
    fn check_data(&mut self, node: Node<'t>, known: &[&str]) {
        let Some((text, span)) = node.attr("data") else { return };
        let mut last = None;
        for word in text.split_ascii_whitespace() {
            let at = known.iter().position(|k| *k == word);
            let words = match at {
                None => format!("invalid keyword: '{word}' in attribute 'data'"),
                Some(at) if last == Some(at) => format!("duplicate keyword: '{word}'"),
                Some(at) if last.is_some_and(|l| at < l) => {
                    format!("data attributes must be in order: {}", known.join(", "))
                }
                Some(at) => {
                    last = Some(at);
                    continue;
                }
            };
            self.diag.error("sensor", span, format!("{}: {words}", tag(node)));
            return;
        }
    }

    fn check_user(&mut self, node: Node<'t>, s: &Sensor) {
        if s.objtype.is_set() && !s.objname.is_set() {
            let words = format!("objtype '{}' given but objname is missing", s.objtype.text());
            self.error(node, "sensor", words);
        } else if s.objname.is_set() && !s.objtype.is_set() {
            let words = format!("objname '{}' given but objtype is missing", s.objname.text());
            self.error(node, "sensor", words);
        }
        self.require(node, &["dim"]);
    }
}
