//! Elements of XML and their text, laid out as MuJoCo lays it out.

use core::fmt::Write as _;

use crate::number::difference;
use crate::write::escape::{APOSTROPHE, escape};

/// Elements with an empty line before them, by the beginnings of their names.
const SECTIONS: [&str; 17] = [
    "actuator",
    "asset",
    "compiler",
    "contact>",
    "custom",
    "default>",
    "deformable",
    "equality",
    "extension",
    "keyframe",
    "option",
    "sensor",
    "size",
    "statistic",
    "tendon",
    "visual",
    "worldbody",
];

/// No rotation.
pub(super) const UNIT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// An element of XML.
#[derive(Debug, Default)]
pub(super) struct Node {
    tag: String,
    attrs: Vec<(&'static str, String)>,
    /// Elements inside of it.
    pub(super) children: Vec<Node>,
}

impl Node {
    /// An element without attributes.
    pub(super) fn new(tag: impl Into<String>) -> Node {
        Node { tag: tag.into(), ..Node::default() }
    }

    /// Adds an attribute, also with an empty text.
    pub(super) fn attribute(&mut self, name: &'static str, text: impl Into<String>) {
        self.attrs.push((name, text.into()));
    }

    /// Adds an attribute, unless its text is empty.
    pub(super) fn text(&mut self, name: &'static str, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.attribute(name, text);
        }
    }

    /// Adds numbers that differ from a base.
    pub(super) fn numbers(&mut self, name: &'static str, values: &[f64], base: &[f64]) {
        self.attrs.extend(difference(values, base, f64::EPSILON, false).map(|text| (name, text)));
    }

    /// Adds numbers, unless one is NaN.
    pub(super) fn all(&mut self, name: &'static str, values: &[f64]) {
        self.numbers(name, values, &[f64::NAN]);
    }

    /// Adds attributes.
    pub(super) fn extend(&mut self, attrs: Vec<(&'static str, String)>) {
        attrs.into_iter().for_each(|(name, text)| self.text(name, text));
    }

    /// Adds an element inside.
    pub(super) fn push(&mut self, child: Node) {
        self.children.push(child);
    }

    /// Adds an element inside if it has attributes.
    pub(super) fn push_said(&mut self, child: Node) {
        if !child.attrs.is_empty() {
            self.push(child);
        }
    }

    /// Adds an element inside if it has attributes or contains something.
    pub(super) fn push_full(&mut self, child: Node) {
        if !(child.attrs.is_empty() && child.children.is_empty()) {
            self.push(child);
        }
    }

    /// The text of a document with this root, and with a comment at its top.
    pub(super) fn document(&self, comment: &str) -> String {
        let mut page = Page::default();
        page.open(self, 0);
        if !comment.is_empty() {
            page.line(1, &format!("<!--{comment}-->"));
        }
        self.children.iter().for_each(|child| page.element(child, 1));
        page.line(0, &format!("</{}>", self.tag));
        page.text
    }
}

/// The text of a document as it grows.
#[derive(Default)]
struct Page {
    text: String,
    /// Whether a section has been written.
    sections: bool,
}

impl Page {
    fn line(&mut self, depth: usize, line: &str) {
        if line.strip_prefix('<').is_some_and(|tag| SECTIONS.iter().any(|s| tag.starts_with(s))) {
            if self.sections {
                self.text.push('\n');
            }
            self.sections = true;
        }
        let _ = writeln!(self.text, "{:width$}{line}", "", width = 2 * depth);
    }

    fn open(&mut self, node: &Node, depth: usize) {
        self.start(node, depth, ">");
    }

    fn start(&mut self, node: &Node, depth: usize, end: &str) {
        let mut line = format!("<{}", node.tag);
        for (name, text) in &node.attrs {
            let _ = write!(line, " {name}=\"{}\"", escape(text, &APOSTROPHE));
        }
        line.push_str(end);
        self.line(depth, &line);
    }

    fn element(&mut self, node: &Node, depth: usize) {
        if node.children.is_empty() {
            return self.start(node, depth, "/>");
        }
        self.open(node, depth);
        node.children.iter().for_each(|child| self.element(child, depth + 1));
        self.line(depth, &format!("</{}>", node.tag));
    }
}
