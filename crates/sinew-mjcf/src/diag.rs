//! Errors and warnings with their places.

use annotate_snippets::{Annotation, AnnotationKind, Level, Origin, Renderer, Snippet};

use crate::spec::{Attr, Source, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The model cannot be compiled.
    Error,
    /// The model compiles; something in it is an extension or deserves a look.
    Warning,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Machine-readable kind, e.g. `unknown-attribute`.
    pub code: &'static str,
    /// The mistake, and the expected input.
    pub message: String,
    /// Where; none if the problem has no place in a file.
    pub span: Option<Span>,
    /// A suggestion, e.g. the nearest name.
    pub help: Option<String>,
    /// Another place that matters, e.g. the first use of a repeated name, which `message` is about.
    pub first: Option<Span>,
}

impl Diagnostic {
    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Collects the diagnostics of a pass.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    /// All of them, in order of discovery.
    pub list: Vec<Diagnostic>,
    /// Whether extensions are errors.
    pub strict: bool,
    /// The first name that only later versions of MuJoCo than 3.5 know.
    pub(crate) first_later: Option<Span>,
}

/// More diagnostics than this say nothing new; a file may be wrong in every line.
const MAX_KEPT: usize = 1000;

impl Diagnostics {
    /// Reports an error.
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.push(Severity::Error, code, span, message.into());
    }

    /// Reports a warning.
    pub fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.push(Severity::Warning, code, span, message.into());
    }

    /// Reports something MuJoCo rejects and Sinew accepts: a warning, an error if strict. `mujoco`
    /// is the text of MuJoCo's error, `ours` says what Sinew does instead.
    pub fn extension(&mut self, code: &'static str, span: Span, mujoco: &str, ours: &str) {
        if self.strict {
            self.error(code, span, mujoco);
        } else {
            self.warn(code, span, format!("{mujoco}; accepted: {ours}"));
        }
    }

    /// Reports something that MuJoCo 3.5 rejects and a later version accepts: an error if strict.
    pub(crate) fn later(
        &mut self,
        code: &'static str,
        span: Span,
        mujoco: impl FnOnce() -> String,
    ) {
        self.first_later.get_or_insert(span);
        if self.strict {
            self.error(code, span, mujoco());
        }
    }

    /// Adds a suggestion to the last diagnostic.
    pub fn help(&mut self, text: impl Into<String>) {
        if let Some(last) = self.list.last_mut() {
            last.help = Some(text.into());
        }
    }

    /// Adds the place of the first use to the last diagnostic, about a repeated name.
    pub(crate) fn first(&mut self, span: Span) {
        if let Some(last) = self.list.last_mut() {
            last.first = (span != Span::default()).then_some(span);
        }
    }

    /// Whether there is any error.
    pub fn failed(&self) -> bool {
        self.list.iter().any(Diagnostic::is_error)
    }

    fn push(&mut self, severity: Severity, code: &'static str, span: Span, message: String) {
        // A full list still takes its first error, so that a load that failed is not taken for a
        // success.
        let full = self.list.len() >= MAX_KEPT;
        if full && (severity == Severity::Warning || self.list.last().is_some_and(|d| d.is_error()))
        {
            return;
        }
        let span = (span != Span::default()).then_some(span);
        self.list.push(Diagnostic { severity, code, message, span, help: None, first: None });
    }
}

/// Why a model could not be loaded: every error found, with the sources they point into.
#[derive(Clone, Debug, Default)]
pub struct Error {
    /// Errors and warnings, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// The files they point into.
    pub sources: Vec<Source>,
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&render(&self.diagnostics, &self.sources))
    }
}

impl core::error::Error for Error {}

/// Where a diagnostic points to, for people and tools: lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Path of the file; empty for a model given as a string.
    pub file: String,
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

impl Diagnostic {
    /// The place in a file, if there is one.
    pub fn place(&self, sources: &[Source]) -> Option<Place> {
        place_of(self.span?, sources)
    }

    /// The place of the first use of a repeated name.
    pub fn first_place(&self, sources: &[Source]) -> Option<Place> {
        place_of(self.first?, sources)
    }
}

fn place_of(span: Span, sources: &[Source]) -> Option<Place> {
    let source = sources.get(span.file as usize)?;
    if source.line > 0 {
        let (line, column) = (source.line as usize, source.column as usize);
        return Some(Place { file: source.path.clone(), line, column });
    }
    let before = source.text.get(..span.start as usize)?;
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    Some(Place {
        file: source.path.clone(),
        line: 1 + before.bytes().filter(|b| *b == b'\n').count(),
        column: 1 + before[line_start..].chars().count(),
    })
}

/// Number of errors that are shown; files that are wrong throughout give thousands.
const MAX_SHOWN: usize = 50;

/// All diagnostics as plain text: message, file:line:column, excerpt, help.
pub fn render(diagnostics: &[Diagnostic], sources: &[Source]) -> String {
    let mut out = String::new();
    for d in diagnostics.iter().take(MAX_SHOWN) {
        out.push_str(&render_one(d, sources));
        out.push('\n');
    }
    if diagnostics.len() > MAX_SHOWN {
        out.push_str(&format!("... and {} more\n", diagnostics.len() - MAX_SHOWN));
    }
    out
}

fn render_one(d: &Diagnostic, sources: &[Source]) -> String {
    // severity, message and code
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = level
        .primary_title(&d.message)
        .id(d.code)
        .elements(Vec::<Snippet<'_, Annotation<'_>>>::new());

    // the line it is in, or only its number
    let place = d.span.and_then(|span| Some((span, place_of(span, sources)?)));
    if let Some((span, place)) = &place {
        let source = &sources[span.file as usize];
        let path = if source.path.is_empty() { "<string>" } else { &source.path };
        if may_quote(*span, source) {
            let (text, first, range) = excerpt(&source.text, *span, place.line);
            let mark = AnnotationKind::Primary.span(range);
            let snippet = Snippet::source(text).path(path).line_start(first).annotation(mark);
            group = group.element(snippet);
        } else {
            let origin = Origin::path(path).line(place.line).char_column(place.column);
            group = group.element(origin);
        }
    }

    // the first use, and the includes that lead there
    let mut notes = Vec::new();
    if let Some(p) = d.first.and_then(|span| place_of(span, sources)) {
        let file = if p.file.is_empty() { "<string>" } else { &p.file };
        notes.push(format!("the first is at {file}:{}:{}", p.line, p.column));
    }
    let mut from = place.and_then(|(span, _)| sources.get(span.file as usize)?.included);
    while let Some(span) = from {
        if let Some(p) = place_of(span, sources) {
            let file = if p.file.is_empty() { "<string>" } else { &p.file };
            notes.push(format!("included from {file}:{}:{}", p.line, p.column));
        }
        from = sources.get(span.file as usize).and_then(|s| s.included);
    }
    for note in &notes {
        group = group.element(Level::NOTE.message(note));
    }

    // the remedy
    if let Some(help) = &d.help {
        group = group.element(Level::HELP.message(help));
    }
    Renderer::plain().render(&[group])
}

/// Whether an excerpt of a file may be shown. A model can name any file that its reader may read.
/// So other files than the first are quoted only if they look like models: the first element is
/// `mujoco`, `mujocoinclude` or `robot`.
fn may_quote(span: Span, source: &Source) -> bool {
    if source.line > 0 {
        return false;
    }
    if span.file == 0 && source.included.is_none() {
        return true;
    }
    let mut rest = source.text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = match rest {
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<?") => "?>",
            _ => break,
        };
        let Some(at) = rest.find(end) else { return false };
        rest = rest[at + end.len()..].trim_start();
    }
    let name = rest.strip_prefix('<').unwrap_or("");
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    let name = name[..end].to_ascii_lowercase();
    matches!(name.as_str(), "mujoco" | "mujocoinclude" | "robot")
}

/// The line of a span, cut to a readable length around it; its number; the span inside of it.
fn excerpt(text: &str, span: Span, line: usize) -> (&str, usize, core::ops::Range<usize>) {
    const MAX: usize = 160;
    let start = (span.start as usize).min(text.len());
    let mut from = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let mut to = text[start..].find('\n').map_or(text.len(), |i| start + i);
    if start - from > MAX {
        from = ceil_boundary(text, start - MAX);
    }
    if to - start > MAX {
        to = ceil_boundary(text, start + MAX);
    }
    let end = (span.end as usize).clamp(start, to);
    (&text[from..to], line, start - from..ceil_boundary(text, end) - from)
}

/// The first character boundary at or after `at`.
fn ceil_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// An element as it is called in messages about its attributes.
pub(crate) fn tag(element: &str, name: &Attr<String>) -> String {
    match name.get() {
        Some(name) => format!("<{element} name=\"{name}\">"),
        None => format!("<{element}>"),
    }
}
