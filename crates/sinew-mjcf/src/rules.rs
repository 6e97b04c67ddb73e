//! The table of elements and attributes: `schema.txt` over the tables of `spec::elements`.
//!
//! An attribute is declared once, with its type, in `spec/elements`. `schema.txt` says where the
//! element may stand and how often, and which attributes of its table it has there.

use std::sync::OnceLock;

use crate::spec::sensor_kinds::{SENSOR_KINDS, SensorKind};
use crate::spec::table_attributes;

/// How often an element may occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occurs {
    Once,
    AtMostOnce,
    Any,
    Recursive,
    /// An element of Sinew that MuJoCo does not know.
    Extension,
    /// An element of later versions of MuJoCo, at most once.
    LaterOnce,
    /// Such an element, any number of times.
    Later,
}

/// An attribute of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttrRule {
    pub(crate) name: &'static str,
    /// Origin of the attribute.
    pub(crate) origin: Origin,
}

/// Programs that know an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// MuJoCo 3.5.
    MuJoCo,
    /// Later versions of MuJoCo.
    Later,
    /// Sinew alone.
    Sinew,
}

/// An element in its place.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) occurs: Occurs,
    pub(crate) attrs: Vec<AttrRule>,
    pub(crate) children: Vec<Rule>,
}

impl Rule {
    /// The attribute of this name, if the element has it.
    pub(crate) fn attr(&self, name: &str) -> Option<AttrRule> {
        self.attrs.iter().copied().find(|a| a.name == name)
    }
}

/// All elements with their attributes, indented by depth; as a table of HTML with `html`, with
/// non-breaking spaces for the indentation with `pad`.
#[doc(alias = "mj_printSchema")]
pub fn schema_text(html: bool, pad: bool) -> String {
    let mut out = String::new();
    if html {
        out.push_str("<table>\n");
    }
    print_rule(rules(), 0, Format { html, pad }, &mut out);
    if html {
        out.push_str("</table>\n");
    }
    out
}

/// How a schema is written.
#[derive(Clone, Copy)]
struct Format {
    html: bool,
    pad: bool,
}

fn print_rule(rule: &Rule, depth: usize, format: Format, out: &mut String) {
    let Format { html, pad } = format;
    let sign = match rule.occurs {
        Occurs::Once => '!',
        Occurs::AtMostOnce | Occurs::LaterOnce => '?',
        Occurs::Recursive => 'R',
        _ => '*',
    };
    let attrs: Vec<&str> = rule.attrs.iter().map(|a| a.name).collect();
    let attrs = attrs.join(" ");
    let indent = if html && pad { "&nbsp;&nbsp;" } else { "  " }.repeat(depth);
    let line = match html {
        true => format!("<tr><td>{indent}{}</td><td>{sign}</td><td>{attrs}</td></tr>\n", rule.name),
        false => format!("{indent}{} ({sign})  {attrs}\n", rule.name),
    };
    out.push_str(&line);
    for child in &rule.children {
        print_rule(child, depth + 1, format, out);
    }
}

/// A word of `schema.txt` and the words it stands for.
type Groups = Vec<(&'static str, &'static str)>;

/// The rule of the root element.
pub(crate) fn rules() -> &'static Rule {
    static RULES: OnceLock<Rule> = OnceLock::new();
    RULES.get_or_init(|| {
        let mut groups = Groups::new();
        let mut open: Vec<Rule> = Vec::new();
        for line in include_str!("schema.txt").lines() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            } else if let Some(group) = line.strip_prefix('@') {
                groups.extend(group.split_once(' '));
                continue;
            }
            let depth = (line.len() - line.trim_start().len()) / 2;
            close(&mut open, depth);
            match line.trim_start() {
                "@sensors" => open
                    .last_mut()
                    .expect("sensors are in a section")
                    .children
                    .extend(SENSOR_KINDS.iter().map(|kind| sensor_rule(kind, &groups))),
                _ => open.push(parse_rule(line, &groups)),
            }
        }
        close(&mut open, 1);
        open.pop().expect("schema.txt begins with the root")
    })
}

/// Puts finished rules into their parents until `depth` are open.
fn close(open: &mut Vec<Rule>, depth: usize) {
    while open.len() > depth.max(1) {
        let done = open.pop().expect("there are more than `depth`");
        open.last_mut().expect("the root stays open").children.push(done);
    }
}

fn parse_rule(line: &'static str, groups: &Groups) -> Rule {
    let mut words = line.split_whitespace();
    let name = words.next().expect("lines are not empty");
    let occurs = match words.next() {
        Some("!") => Occurs::Once,
        Some("?") => Occurs::AtMostOnce,
        Some("R") => Occurs::Recursive,
        Some("+") => Occurs::Extension,
        Some("^") => Occurs::LaterOnce,
        Some("&") => Occurs::Later,
        _ => Occurs::Any,
    };
    let mut rule = Rule { name, occurs, attrs: Vec::new(), children: Vec::new() };
    for word in words {
        add_word(&mut rule.attrs, word, groups);
    }
    rule
}

/// The rule of a sensor, from the table of sensors.
fn sensor_rule(kind: &SensorKind, groups: &Groups) -> Rule {
    let mut rule =
        Rule { name: kind.tag, occurs: Occurs::Any, attrs: Vec::new(), children: Vec::new() };
    add_word(&mut rule.attrs, "name", groups);
    for word in kind.target.attributes().split_whitespace() {
        add_word(&mut rule.attrs, word, groups);
    }
    if kind.tag == "plugin" {
        rule.children.push(parse_rule("config * PluginConfig", groups));
    }
    rule
}

/// Adds or removes the attributes that a word of `schema.txt` stands for.
fn add_word(attrs: &mut Vec<AttrRule>, word: &'static str, groups: &Groups) {
    let plain = |name: &'static str| AttrRule { name, origin: Origin::MuJoCo };
    if let Some(group) = word.strip_prefix('@') {
        let members = groups.iter().find(|(g, _)| *g == group).map_or("", |(_, m)| m);
        attrs.extend(members.split(' ').map(plain));
    } else if let Some(name) = word.strip_prefix('-') {
        attrs.retain(|a| a.name != name);
    } else if let Some(name) = word.strip_prefix(['+', '^']) {
        let origin = if word.starts_with('^') { Origin::Later } else { Origin::Sinew };
        attrs.retain(|a| a.name != name);
        attrs.push(AttrRule { name, origin });
    } else if word.starts_with(|c: char| c.is_ascii_uppercase()) {
        // a colon only tells the tests whose attributes follow
        if !word.ends_with(':') {
            attrs.extend(table_attributes(word).unwrap_or_default().iter().map(|a| plain(a)));
        }
    } else {
        attrs.push(plain(word));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::spec::TABLES;

    /// The attributes that a line of `schema.txt` lists for a table.
    fn taken() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
        let mut groups = Groups::new();
        let mut taken: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for line in include_str!("schema.txt").lines().filter(|l| !l.starts_with('#')) {
            if let Some(group) = line.strip_prefix('@') {
                groups.extend(group.split_once(' '));
                continue;
            }
            let is_table = |w: &&str| w.starts_with(|c: char| c.is_ascii_uppercase());
            let Some(table) = line.split_whitespace().skip(2).find(is_table) else { continue };
            let rule = parse_rule(line, &groups);
            let names = rule.attrs.iter().map(|a| a.name);
            taken.entry(table.trim_end_matches(':')).or_default().extend(names);
        }
        for kind in SENSOR_KINDS {
            let rule = sensor_rule(kind, &groups);
            let names = rule.attrs.iter().map(|a| a.name);
            taken.entry("Sensor").or_default().extend(names);
        }
        taken
    }

    /// Attributes that are read apart from the tables: the class, other ways to write `quat`, and
    /// the plugin of an actuator or sensor.
    const READ_ELSEWHERE: [&str; 7] =
        ["class", "axisangle", "xyaxes", "zaxis", "euler", "plugin", "instance"];

    #[test]
    fn the_schema_takes_only_attributes_that_are_declared() {
        for (table, names) in taken() {
            let declared = table_attributes(table);
            let declared = declared.unwrap_or_else(|| panic!("no table {table} in spec/elements"));
            for name in names {
                let restitution = (table, name) == ("Wrap", "restitution");
                let known =
                    declared.contains(&name) || READ_ELSEWHERE.contains(&name) || restitution;
                assert!(known, "schema.txt: {table} has no attribute '{name}'");
            }
        }
    }

    #[test]
    fn every_declared_attribute_is_in_the_schema() {
        // containers that MuJoCo's schema does not list, and a record without attributes
        let exempt = ["Frame", "Replicate", "VisualElement"];
        let taken = taken();
        for (table, names) in TABLES.iter().copied().flatten() {
            if exempt.contains(table) {
                continue;
            }
            let used = taken.get(table).unwrap_or_else(|| panic!("schema.txt lacks {table}"));
            for name in *names {
                assert!(used.contains(name), "schema.txt: no element takes '{name}' of {table}");
            }
        }
    }
}
