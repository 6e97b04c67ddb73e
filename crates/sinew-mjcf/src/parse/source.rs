//! An XML element as a source of attributes, and the messages about mistakes in them.

use crate::diag::Diagnostics;
use crate::later;
use crate::schema::{nearest, tag};
use crate::spec::attr::{AttrSource, ValueError, read_attr};
use crate::spec::{Attr, Head, Orientation, Span};
use crate::xml::Node;

/// A node while its attributes are read.
pub(crate) struct ElementSource<'a, 't> {
    pub(crate) node: Node<'t>,
    pub(crate) head: Head,
    pub(crate) diag: &'a mut Diagnostics,
    /// An attribute that is to be read as another text.
    pub(crate) instead: Option<(&'static str, String)>,
}

impl AttrSource for ElementSource<'_, '_> {
    fn text(&self, name: &'static str) -> Option<(&str, Span)> {
        let (text, span) = self.node.attr(name)?;
        match &self.instead {
            Some((other, text)) if *other == name => Some((text, span)),
            _ => Some((text, span)),
        }
    }

    fn fail(&mut self, name: &'static str, span: Span, error: ValueError) {
        report(self.node, name, span, error, self.diag);
    }

    fn note_nan(&mut self, name: &'static str, span: Span) {
        let tag = tag(self.node);
        let words = format!("{tag}: attribute '{name}' contains a NaN. Please check it carefully.");
        self.diag.warn("nan", span, words);
    }

    fn head(&self) -> Head {
        self.head
    }
}

impl ElementSource<'_, '_> {
    /// An orientation other than `quat`; at most one may be given, `quat` included.
    pub(crate) fn orientation(&mut self) -> Attr<Orientation> {
        let axisangle = read_attr(self, "axisangle").map(Orientation::AxisAngle);
        let xyaxes = read_attr(self, "xyaxes").map(Orientation::XyAxes);
        let zaxis = read_attr(self, "zaxis").map(Orientation::ZAxis);
        let euler = read_attr(self, "euler").map(Orientation::Euler);
        let mut count = usize::from(self.node.attr("quat").is_some());
        let mut found = Attr::default();
        for alt in [axisangle, xyaxes, zaxis, euler] {
            if alt.is_set() {
                count += 1;
                found = alt;
            }
        }
        if count > 1 {
            let words =
                format!("{}: multiple orientation specifiers are not allowed", tag(self.node));
            self.diag.error("orientation", self.node.span(), words);
        }
        found
    }

    /// Refuses a quaternion of zeros.
    pub(crate) fn check_quat(&mut self, quat: &Attr<[f64; 4]>) {
        if let (Some([0.0, 0.0, 0.0, 0.0]), Some(span)) = (quat.get(), quat.span()) {
            let words = format!("{}: zero quaternion is not allowed", tag(self.node));
            self.diag.error("zero-quaternion", span, words);
        }
    }
}

/// Reports a mistake in an attribute, in MuJoCo's words and then in ours.
fn report(node: Node<'_>, name: &str, span: Span, error: ValueError, diag: &mut Diagnostics) {
    let tag = tag(node);

    // MuJoCo's words, with ours about the text found
    let (code, words) = match &error {
        ValueError::NotNumber { word } => {
            ("bad-number", format!("bad format in attribute '{name}': '{word}' is not a number"))
        }
        ValueError::NotInteger { word } => (
            "bad-number",
            format!("problem reading attribute '{name}': '{word}' is not an integer"),
        ),
        ValueError::Range { word } => {
            ("bad-number", format!("number is too large in attribute '{name}': '{word}'"))
        }
        ValueError::TooFew { wanted, found } => (
            "wrong-count",
            format!(
                "attribute '{name}' does not have enough data: wanted {wanted} numbers, \
                 found {found}"
            ),
        ),
        ValueError::TooMany { wanted } => (
            "wrong-count",
            format!("attribute '{name}' has too much data: wanted at most {wanted}"),
        ),
        ValueError::Keyword { found, .. } => {
            ("keyword", format!("invalid keyword: '{found}' in attribute '{name}'"))
        }
        ValueError::Repeated { word } => {
            ("keyword", format!("duplicate keyword: '{word}' in attribute '{name}'"))
        }
        ValueError::Other(words) => ("attribute", format!("attribute '{name}': {words}")),
    };

    // a keyword of a later version
    if let ValueError::Keyword { found, .. } = &error
        && let Some(version) = later::keyword(node.name(), name, found)
    {
        let words = format!("{tag}: {words}: {}", later::words(version));
        diag.error("later-keyword", span, words);
        return;
    }

    // the nearest keyword, or all of them
    diag.error(code, span, format!("{tag}: {words}"));
    if let ValueError::Keyword { found, words } = error {
        match nearest(&found, words.iter().copied()) {
            Some(near) => diag.help(format!("did you mean '{near}'?")),
            None => diag.help(format!("wanted one of: {}", words.join(", "))),
        }
    }
}
