//! XML to a tree whose nodes know their places.
//!
//! The parser is written by hand because MJCF files follow tinyxml2, not the XML standard. Examples
//! are `--` inside comments, a bare `&` or `<` inside an attribute, and Latin-1 text. The parser
//! builds no DTD, expands only the five named entities and character references, and keeps offsets
//! into the text instead of copies.

use core::ops::Range;
use std::collections::HashSet;

use crate::diag::Diagnostics;
use crate::spec::{Source, Span};

/// Elements nested deeper than this are refused, as in tinyxml2.
const MAX_DEPTH: usize = 500;

/// All files of a model as one tree.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// The files.
    pub(crate) sources: Vec<Source>,
    /// Number of the first file among all that were read, for spans.
    pub(crate) base: usize,
    nodes: Vec<NodeData>,
    attrs: Vec<AttrData>,
    /// Values that differ from the text in the file.
    decoded: Vec<String>,
}

#[derive(Debug)]
struct NodeData {
    file: u32,
    name: Range<u32>,
    /// The start tag.
    tag: Range<u32>,
    attrs: Range<u32>,
    children: Vec<NodeId>,
    /// Whether there is text or a comment between the tags.
    content: bool,
}

#[derive(Debug)]
struct AttrData {
    name: Range<u32>,
    value: Range<u32>,
    decoded: Option<u32>,
}

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

/// A node together with its tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'t> {
    tree: &'t Tree,
    /// Which node.
    pub(crate) id: NodeId,
}

/// An attribute of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttrNode<'t> {
    pub(crate) name: &'t str,
    /// Place of the name.
    pub(crate) name_span: Span,
    /// The value.
    pub(crate) text: &'t str,
    /// Place of the value.
    pub(crate) span: Span,
}

impl<'t> Node<'t> {
    fn data(&self) -> &'t NodeData {
        &self.tree.nodes[self.id.0 as usize]
    }

    /// The element's name.
    pub(crate) fn name(&self) -> &'t str {
        self.tree.slice(self.file(), &self.data().name)
    }

    /// Index of the file it is in.
    pub(crate) fn file(&self) -> usize {
        self.data().file as usize
    }

    /// Place of the start tag.
    pub(crate) fn span(&self) -> Span {
        self.tree.span(self.file(), &self.data().tag)
    }

    /// Children of the element, includes replaced by their contents.
    pub(crate) fn children(&self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        let tree = self.tree;
        self.data().children.iter().map(move |&id| Node { tree, id })
    }

    /// Children of this name.
    pub(crate) fn named(&self, name: &'t str) -> impl Iterator<Item = Node<'t>> + use<'t> {
        self.children().filter(move |c| c.name() == name)
    }

    /// Attributes of the element.
    pub(crate) fn attrs(&self) -> impl Iterator<Item = AttrNode<'t>> + use<'t> {
        let (tree, file, range) = (self.tree, self.file(), self.data().attrs.clone());
        range.map(move |i| {
            let a = &tree.attrs[i as usize];
            AttrNode {
                name: tree.slice(file, &a.name),
                name_span: tree.span(file, &a.name),
                text: tree.value(file, a),
                span: tree.span(file, &a.value),
            }
        })
    }

    /// An attribute's text and place.
    pub(crate) fn attr(&self, name: &str) -> Option<(&'t str, Span)> {
        self.attrs().find(|a| a.name == name).map(|a| (a.text, a.span))
    }

    /// Whether there is anything between its tags.
    pub(crate) fn has_content(&self) -> bool {
        self.data().content || !self.data().children.is_empty()
    }
}

impl Tree {
    /// A node.
    pub(crate) fn node(&self, id: NodeId) -> Node<'_> {
        Node { tree: self, id }
    }

    /// Replaces a node's children.
    pub(crate) fn set_children(&mut self, id: NodeId, children: Vec<NodeId>) {
        self.nodes[id.0 as usize].children = children;
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn slice(&self, file: usize, r: &Range<u32>) -> &str {
        &self.sources[file].text[r.start as usize..r.end as usize]
    }

    fn value<'t>(&'t self, file: usize, a: &AttrData) -> &'t str {
        match a.decoded {
            Some(i) => &self.decoded[i as usize],
            None => self.slice(file, &a.value),
        }
    }

    fn span(&self, file: usize, r: &Range<u32>) -> Span {
        Span { file: (self.base + file) as u32, start: r.start, end: r.end.max(r.start + 1) }
    }

    /// Adds a file and parses it; gives its root element. Errors are reported.
    pub(crate) fn parse(&mut self, source: Source, diag: &mut Diagnostics) -> Option<NodeId> {
        let file = self.sources.len();
        let text = source.text.clone();
        self.sources.push(source);
        let seen = HashSet::new();
        let mut parser = Parser { tree: self, file: file as u32, text: &text, at: 0, seen };
        match parser.document() {
            Ok(root) => Some(root),
            Err(e) => {
                let end = (e.at + 1).min(text.len()).max(e.at);
                let span = self.span(file, &(e.at as u32..end as u32));
                let line = 1 + text.as_bytes()[..e.at].iter().filter(|b| **b == b'\n').count();
                let what = e.what;
                let (id, name) = e.kind;
                let message = format!("XML parse error {id}: {name}, line {line}: {what}");
                diag.error("xml", span, message);
                None
            }
        }
    }
}

/// Text of a file: Latin-1 bytes survive as replacement characters, a NUL ends it.
pub(crate) fn text_of(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

struct XmlError {
    kind: (u32, &'static str),
    at: usize,
    what: String,
}

const ELEMENT: (u32, &str) = (6, "XML_ERROR_PARSING_ELEMENT");
const ATTRIBUTE: (u32, &str) = (7, "XML_ERROR_PARSING_ATTRIBUTE");
const TEXT: (u32, &str) = (8, "XML_ERROR_PARSING_TEXT");
const CDATA: (u32, &str) = (9, "XML_ERROR_PARSING_CDATA");
const COMMENT: (u32, &str) = (10, "XML_ERROR_PARSING_COMMENT");
const DECLARATION: (u32, &str) = (11, "XML_ERROR_PARSING_DECLARATION");
const UNKNOWN: (u32, &str) = (12, "XML_ERROR_PARSING_UNKNOWN");
const EMPTY: (u32, &str) = (13, "XML_ERROR_EMPTY_DOCUMENT");
const MISMATCHED: (u32, &str) = (14, "XML_ERROR_MISMATCHED_ELEMENT");
const DEPTH: (u32, &str) = (18, "XML_ELEMENT_DEPTH_EXCEEDED");

type Step<T> = Result<T, XmlError>;

/// The element that an end tag closes.
#[derive(PartialEq)]
enum Closed {
    Element,
    Document,
}

struct Parser<'a> {
    tree: &'a mut Tree,
    file: u32,
    text: &'a str,
    at: usize,
    /// Names of the attributes of the element that is being read.
    seen: HashSet<&'a str>,
}

impl<'a> Parser<'a> {
    fn document(&mut self) -> Step<NodeId> {
        if self.text.starts_with('\u{feff}') {
            self.at = 3;
        }

        // elements that are not closed yet, and the first of the file
        let mut open: Vec<NodeId> = Vec::new();
        let mut root = None;
        let mut started = false;
        loop {
            self.skip_space();
            let rest = &self.text.as_bytes()[self.at..];

            // the end of the text, or a declaration, which must come before everything else
            if rest.is_empty() {
                break;
            } else if rest.starts_with(b"<?") {
                if started {
                    return self.fail(DECLARATION, self.at, "a declaration must come first");
                }
                self.skip_past("<?", "?>", DECLARATION)?;
                continue;
            }

            // comments, text, tags
            started = true;
            if rest.starts_with(b"<!--") {
                self.skip_past("<!--", "-->", COMMENT)?;
                self.mark(&open);
            } else if rest.starts_with(b"<![CDATA[") {
                self.skip_past("<![CDATA[", "]]>", CDATA)?;
                self.mark(&open);
            } else if rest.starts_with(b"<!") {
                self.skip_past("<!", ">", UNKNOWN)?;
                self.mark(&open);
            } else if rest.starts_with(b"</") {
                if self.close(&mut open)? == Closed::Document {
                    break;
                }
            } else if rest[0] == b'<' {
                let (id, empty) = self.open()?;
                match open.last() {
                    Some(parent) => self.tree.nodes[parent.0 as usize].children.push(id),
                    None => root = root.or(Some(id)),
                }
                if !empty {
                    open.push(id);
                    if open.len() >= MAX_DEPTH {
                        return self.fail(DEPTH, self.at - 1, "elements are nested too deeply");
                    }
                }
            } else {
                let Some(n) = self.text[self.at..].find('<') else {
                    return self.fail(TEXT, self.at, "text outside of the root element");
                };
                self.at += n;
                self.mark(&open);
            }
        }

        // unclosed or missing elements
        if let Some(last) = open.last() {
            let name = self.tree.node(*last).name().to_owned();
            let at = self.tree.node(*last).span().start as usize;
            return self.fail(MISMATCHED, at, format!("element '{name}' is not closed"));
        }
        match root {
            Some(root) => Ok(root),
            None if started => self.fail(EMPTY, 0, "XML root element not found"),
            None => self.fail(EMPTY, 0, "the document is empty"),
        }
    }

    /// Notes that the innermost open element has other content than elements.
    fn mark(&mut self, open: &[NodeId]) {
        if let Some(id) = open.last() {
            self.tree.nodes[id.0 as usize].content = true;
        }
    }

    /// A start tag; whether it closes itself.
    fn open(&mut self) -> Step<(NodeId, bool)> {
        // name
        let start = self.at;
        self.at += 1;
        let name = self.name();
        if name.is_empty() {
            return self.fail(ELEMENT, start, "an element's name was expected after '<'");
        }
        let tag = &self.text[name.clone()];

        // attributes, up to the end of the tag
        let first = self.tree.attrs.len();
        self.seen.clear();
        let empty = loop {
            self.skip_space();
            match self.text.as_bytes().get(self.at) {
                Some(&b) if is_name_start(b) => self.attribute(tag)?,
                Some(b'>') => {
                    self.at += 1;
                    break false;
                }
                Some(b'/') if self.text.as_bytes().get(self.at + 1) == Some(&b'>') => {
                    self.at += 2;
                    break true;
                }
                _ => {
                    let what = format!("in element '{tag}': wanted an attribute, '>' or '/>'");
                    return self.fail(ELEMENT, self.at.min(self.text.len()), what);
                }
            }
        };

        // the node
        let id = NodeId(self.tree.nodes.len() as u32);
        self.tree.nodes.push(NodeData {
            file: self.file,
            name: short(name),
            tag: short(start..self.at),
            attrs: first as u32..self.tree.attrs.len() as u32,
            children: Vec::new(),
            content: false,
        });
        Ok((id, empty))
    }

    /// One attribute of the element that is being read.
    fn attribute(&mut self, tag: &str) -> Step<()> {
        let name = self.name();
        let bytes = self.text.as_bytes();
        let wrong = |what: &str| format!("in element '{tag}': {what}");
        self.skip_space();
        if bytes.get(self.at) != Some(&b'=') {
            return self.fail(ATTRIBUTE, self.at, wrong("'=' was expected after an attribute"));
        }
        self.at += 1;
        self.skip_space();
        let quote = match bytes.get(self.at) {
            Some(&q @ (b'"' | b'\'')) => q,
            _ => return self.fail(ATTRIBUTE, self.at, wrong("a quoted value was expected")),
        };
        let from = self.at + 1;
        let Some(len) = bytes[from..].iter().position(|b| *b == quote) else {
            return self.fail(ATTRIBUTE, self.at, wrong("the value is never closed by a quote"));
        };
        let value = from..from + len;
        self.at = value.end + 1;

        // a repeated attribute
        let file: &'a str = self.text;
        let text = &file[name.clone()];
        if !self.seen.insert(text) {
            let what = wrong(&format!("attribute '{text}' is given twice"));
            return self.fail(ATTRIBUTE, name.start, what);
        }
        let decoded = decode(&self.text[value.clone()]).map(|v| {
            self.tree.decoded.push(v);
            self.tree.decoded.len() as u32 - 1
        });
        self.tree.attrs.push(AttrData { name: short(name), value: short(value), decoded });
        Ok(())
    }

    /// An end tag. An end tag that closes no element ends the document, as in tinyxml2.
    fn close(&mut self, open: &mut Vec<NodeId>) -> Step<Closed> {
        let start = self.at;
        self.at += 2;
        self.skip_space();
        let name = self.name();
        self.skip_space();
        let name = &self.text[name];
        if self.text.as_bytes().get(self.at) != Some(&b'>') {
            return self.fail(ELEMENT, start, format!("the end tag of '{name}' is not closed"));
        }
        self.at += 1;
        match open.pop() {
            Some(id) if self.tree.node(id).name() == name => Ok(Closed::Element),
            Some(id) => {
                let wanted = self.tree.node(id).name();
                let what = format!("element '{wanted}' is closed by '</{name}>'");
                self.fail(MISMATCHED, start, what)
            }
            None if name.is_empty() => self.fail(ELEMENT, start, "an end tag has no name"),
            None => Ok(Closed::Document),
        }
    }

    /// The name at the current place, maybe empty.
    fn name(&mut self) -> Range<usize> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        if bytes.get(start).is_some_and(|b| is_name_start(*b)) {
            while bytes.get(self.at).is_some_and(|b| is_name(*b)) {
                self.at += 1;
            }
        }
        start..self.at
    }

    fn skip_space(&mut self) {
        while self.text.as_bytes().get(self.at).is_some_and(|b| is_space(*b)) {
            self.at += 1;
        }
    }

    fn skip_past(&mut self, from: &str, to: &str, kind: (u32, &'static str)) -> Step<()> {
        match self.text[self.at + from.len()..].find(to) {
            Some(n) => {
                self.at += from.len() + n + to.len();
                Ok(())
            }
            None => self.fail(kind, self.at, format!("'{from}' without '{to}'")),
        }
    }

    fn fail<T>(&self, kind: (u32, &'static str), at: usize, what: impl Into<String>) -> Step<T> {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        Err(XmlError { kind, at, what: what.into() })
    }
}

/// Offsets fit in 32 bits because no larger file is read.
fn short(r: Range<usize>) -> Range<u32> {
    r.start as u32..r.end as u32
}

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn is_name_start(b: u8) -> bool {
    b >= 128 || b.is_ascii_alphabetic() || b == b'_' || b == b':'
}

fn is_name(b: u8) -> bool {
    is_name_start(b) || b.is_ascii_digit() || b == b'.' || b == b'-'
}

/// The value of an attribute if it differs from its text: entities, line ends.
fn decode(raw: &str) -> Option<String> {
    if !raw.contains(['&', '\r']) {
        return None;
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(i) = rest.find(['&', '\r']) {
        out.push_str(&rest[..i]);
        rest = &rest[i..];
        if let Some(after) = rest.strip_prefix('\r') {
            out.push('\n');
            rest = after.strip_prefix('\n').unwrap_or(after);
        } else if let Some((c, len)) = entity(rest) {
            if c == '\0' {
                // ends a text, as in MuJoCo
                return Some(out);
            }
            out.push(c);
            rest = &rest[len..];
        } else {
            // an unknown entity is kept as it is
            out.push('&');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    Some(out)
}

/// The character a text that begins with `&` stands for, and the length of its name.
fn entity(text: &str) -> Option<(char, usize)> {
    const NAMED: [(&str, char); 5] =
        [("&quot;", '"'), ("&amp;", '&'), ("&apos;", '\''), ("&lt;", '<'), ("&gt;", '>')];
    for (name, c) in NAMED {
        if text.starts_with(name) {
            return Some((c, name.len()));
        }
    }
    let end = text.as_bytes().iter().take(12).position(|b| *b == b';')?;
    let digits = text.get(2..end).filter(|_| text.starts_with("&#"))?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some((char::from_u32(code)?, end + 1))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (Tree, Option<NodeId>, Diagnostics) {
        let (mut tree, mut diag) = (Tree::default(), Diagnostics::default());
        let root = tree.parse(Source { text: text.into(), ..Source::default() }, &mut diag);
        (tree, root, diag)
    }

    #[test]
    fn reads_what_tinyxml2_reads() {
        let (tree, root, _) = parse(
            "<?xml version='1.0'?><!-- a -- b --><r a='<&amp;&bad;\r\n'b=\"&#65;&#0;B\">text<c/></r>",
        );
        let root = tree.node(root.unwrap());
        assert_eq!(root.attr("a").unwrap().0, "<&&bad;\n");
        assert_eq!(root.attr("b").unwrap().0, "A");
        assert_eq!(root.children().next().unwrap().name(), "c");
    }

    #[track_caller]
    fn check_error(text: &str, words: &str) {
        let (_, root, diag) = parse(text);
        assert!(root.is_none());
        assert!(diag.list[0].message.contains(words), "{}", diag.list[0].message);
    }

    #[test]
    fn errors_name_kind_and_line() {
        check_error("<a>\n<b></c></a>", "XML parse error 14: XML_ERROR_MISMATCHED_ELEMENT, line 2");
        check_error("<a x='1' x='2'/>", "XML_ERROR_PARSING_ATTRIBUTE");
        check_error("<a x=1/>", "a quoted value");
        check_error("<a>", "'a' is not closed");
        check_error("", "XML_ERROR_EMPTY_DOCUMENT");
        check_error("<a/> text", "XML_ERROR_PARSING_TEXT");
        check_error("<a><!-- </a>", "XML_ERROR_PARSING_COMMENT");
        check_error(&"<a>".repeat(100_000), "XML_ELEMENT_DEPTH_EXCEEDED");
        check_error("<a\u{e9} \u{e9}", "XML_ERROR");
    }
}
