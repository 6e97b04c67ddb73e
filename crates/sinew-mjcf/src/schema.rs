//! Which elements and attributes there are, and checking a tree against that.

use core::cell::LazyCell;

use crate::diag::Diagnostics;
use crate::later::{self, Attribute};
use crate::rules::{AttrRule, Occurs, Origin, Rule, rules};
use crate::spec::{Frame, ORIENTATIONS, Replicate, Span};
use crate::xml::{AttrNode, Node};

/// Checks a model's elements and attributes; all problems are reported.
pub(crate) fn check(root: Node<'_>, diag: &mut Diagnostics) {
    let rule = rules();
    if root.name() != rule.name {
        unknown_element(root, &[rule.name], diag);
        return;
    }
    check_node(root, "", rule, 0, diag);
}

/// Whether a node goes by a rule; `level` is the node's.
fn matches(rule: &Rule, node: Node<'_>, level: usize) -> bool {
    match (rule.name, node.name()) {
        ("body", "worldbody") => level == 1,
        ("body", "frame" | "replicate") => level >= 1,
        (a, b) => a == b,
    }
}

/// Checks a child of the element called `parent`, and its own children.
fn check_node(node: Node<'_>, parent: &str, rule: &Rule, level: usize, diag: &mut Diagnostics) {
    check_attrs(node, parent, rule, diag);

    // children, and how often each occurs
    let mut counts = vec![0usize; rule.children.len()];
    for child in node.children() {
        let own = rule.children.iter().position(|r| matches(r, child, level + 1));
        if let Some(i) = own {
            counts[i] += 1;
            check_child(node, child, &rule.children[i], level + 1, diag);
        } else if rule.occurs == Occurs::Recursive && matches(rule, child, level + 1) {
            // MuJoCo checks nothing below a frame or replicate
            match child.name() {
                "frame" | "replicate" => check_unruled(child, rule, diag),
                _ => check_node(child, node.name(), rule, level + 1, diag),
            }
        } else {
            unknown_child(node, child, rule, diag);
        }
    }

    for (r, n) in rule.children.iter().zip(counts) {
        let name = r.name;
        match r.occurs {
            Occurs::Once | Occurs::AtMostOnce | Occurs::LaterOnce if n > 1 => diag.error(
                "repeated-element",
                node.span(),
                format!("{}: Schema violation: unique element '{name}' found {n} times", tag(node)),
            ),
            Occurs::Once if n < 1 => diag.error(
                "missing-element",
                node.span(),
                format!("{}: Schema violation: element '{name}' is required", tag(node)),
            ),
            _ => {}
        }
    }
}

fn check_child(node: Node<'_>, child: Node<'_>, rule: &Rule, level: usize, diag: &mut Diagnostics) {
    match rule.occurs {
        Occurs::Extension => {
            let words = format!(
                "Schema violation: unrecognized element '{}' in '{}'",
                child.name(),
                node.name()
            );
            let ours = match child.name() {
                "actuator" => "read as <general>",
                _ => "applies to all sensors",
            };
            diag.extension("default-element", child.span(), &words, ours);
            check_node(child, node.name(), rule, level, diag);
        }
        Occurs::Later | Occurs::LaterOnce => {
            let words = || format!("Schema violation: unrecognized element '{}'", child.name());
            diag.later("later-element", child.span(), words);
            check_node(child, node.name(), rule, level, diag);
        }
        _ => check_node(child, node.name(), rule, level, diag),
    }
}

fn check_attrs(node: Node<'_>, parent: &str, rule: &Rule, diag: &mut Diagnostics) {
    let tag = LazyCell::new(|| tag(node));
    for AttrNode { name, name_span, text, .. } in node.attrs() {
        match rule.attr(name) {
            Some(AttrRule { origin: Origin::MuJoCo, .. }) => {}
            Some(AttrRule { origin: Origin::Later, .. }) => {
                let words = || format!("{}: unrecognized attribute: '{name}'", *tag);
                diag.later("later-attribute", name_span, words);
            }
            Some(_) => {
                let words = format!("{}: unrecognized attribute: '{name}'", *tag);
                let ours = "it is used";
                diag.extension("extension-attribute", name_span, &words, ours);
            }
            None => {
                let words = format!("{}: Schema violation: unrecognized attribute: '{name}'", *tag);
                let known = later::attribute(parent, node.name(), name, text);
                if !later_attr(known, name_span, words, diag) {
                    suggest(name, rule.attrs.iter().map(|a| a.name), diag);
                }
            }
        }
    }
}

/// Reports an attribute that the schema lacks, in the words of MuJoCo 3.5; whether a later version
/// has it.
fn later_attr(known: Attribute, span: Span, mujoco: String, diag: &mut Diagnostics) -> bool {
    match known {
        Attribute::Unknown => {
            diag.error("unknown-attribute", span, mujoco);
            return false;
        }
        Attribute::Usual => diag.later("later-attribute", span, || mujoco),
        Attribute::NoEffect(version) => {
            let ours = format!("it came with MuJoCo {version} and has no effect");
            diag.first_later.get_or_insert(span);
            diag.extension("later-attribute", span, &mujoco, &ours);
        }
        Attribute::Refused(version) => {
            let words = format!("{mujoco}: {}", later::words(version));
            diag.error("later-attribute", span, words);
        }
    }
    true
}

/// Below a frame: unknown elements are errors of the reader, unknown attributes have no effect.
fn check_unruled(node: Node<'_>, body: &Rule, diag: &mut Diagnostics) {
    // attributes
    let known = |name: &str| match node.name() {
        "frame" => Frame::ATTRIBUTES.contains(&name) || ORIENTATIONS.contains(&name),
        "replicate" => Replicate::ATTRIBUTES.contains(&name),
        _ => body.attr(name).is_some(),
    };
    let tag = LazyCell::new(|| tag(node));
    for attr in node.attrs().filter(|a| !known(a.name)) {
        ignored_attr(node, &tag, attr, diag);
    }

    // elements
    for child in node.children() {
        match child.name() {
            "frame" | "replicate" | "body" => check_unruled(child, body, diag),
            name => match body.children.iter().find(|r| r.name == name) {
                Some(rule) => check_unruled_leaf(child, rule, diag),
                None => {
                    let words = format!("unrecognized model element '{name}'");
                    diag.error("unknown-element", child.span(), words);
                    let names = body.children.iter().map(|r| r.name);
                    suggest(name, names.chain(["body", "frame", "replicate"]), diag);
                }
            },
        }
    }
}

fn check_unruled_leaf(node: Node<'_>, rule: &Rule, diag: &mut Diagnostics) {
    let tag = LazyCell::new(|| tag(node));
    for attr in node.attrs() {
        let AttrNode { name, name_span, .. } = attr;
        match rule.attr(name) {
            Some(attr) if attr.origin != Origin::Sinew => {}
            Some(_) => {
                let words = format!("{}: attribute '{name}' is ignored by MuJoCo", *tag);
                diag.warn("extension-attribute", name_span, words);
            }
            None => ignored_attr(node, &tag, attr, diag),
        }
    }
}

fn ignored_attr(node: Node<'_>, tag: &str, attr: AttrNode<'_>, diag: &mut Diagnostics) {
    let AttrNode { name, name_span, text, .. } = attr;
    let known = later::attribute("body", node.name(), name, text);
    if known != Attribute::Unknown {
        let words = format!("{tag}: unrecognized attribute: '{name}'");
        later_attr(known, name_span, words, diag);
        return;
    }
    let words = format!("{tag}: unrecognized attribute: '{name}' has no effect");
    diag.warn("unknown-attribute", name_span, words);
}

fn unknown_child(node: Node<'_>, child: Node<'_>, rule: &Rule, diag: &mut Diagnostics) {
    let (parent, name) = (node.name(), child.name());
    match (parent, name) {
        ("contact", _) => {
            let words = format!("Schema violation: unrecognized element '{name}' in 'contact'");
            diag.extension("unknown-element", child.span(), &words, "it has no effect");
        }
        ("spatial", "joint") => {
            let tendon = node.attr("name").map_or("", |(t, _)| t);
            let words = format!(
                "Joint elements inside spatial tendons are not supported (tendon '{tendon}'). \
                 Use a fixed tendon for joint coupling. (Schema violation: unrecognized element)"
            );
            diag.error("unknown-element", child.span(), words);
        }
        _ => {
            // allowed elements, for the suggestion
            let mut names: Vec<&str> = rule.children.iter().map(|r| r.name).collect();
            if rule.occurs == Occurs::Recursive {
                names.push(rule.name);
            }
            if rule.name == "body" {
                names.extend(["frame", "replicate"]);
            }
            if rule.name == "mujoco" {
                names.push("worldbody");
            }
            names.push("include");
            match later::element(parent, name) {
                Some(version) => {
                    let words = format!(
                        "Schema violation: unrecognized element '{name}': {}",
                        later::words(version)
                    );
                    diag.error("later-element", child.span(), words);
                }
                None => unknown_element(child, &names, diag),
            }
        }
    }
}

fn unknown_element(node: Node<'_>, names: &[&'static str], diag: &mut Diagnostics) {
    let words = format!("Schema violation: unrecognized element '{}'", node.name());
    diag.error("unknown-element", node.span(), words);
    suggest(node.name(), names.iter().copied(), diag);
}

/// Adds the nearest name as help to the last diagnostic.
fn suggest(name: &str, names: impl Iterator<Item = &'static str>, diag: &mut Diagnostics) {
    if let Some(near) = nearest(name, names) {
        diag.help(format!("did you mean '{near}'?"));
    }
}

/// The name most like `name`, if one is like it.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut best = (0.75, None);
    for candidate in names {
        let likeness = strsim::jaro_winkler(name, candidate);
        if likeness > best.0 && candidate != name {
            best = (likeness, Some(candidate));
        }
    }
    best.1
}

/// An element as messages call it: `<joint name="elbow">`.
pub(crate) fn tag(node: Node<'_>) -> String {
    match node.attr("name") {
        Some((name, _)) => format!("<{} name=\"{name}\">", node.name()),
        None => format!("<{}>", node.name()),
    }
}
