//! Diagnostics as text and as data.

use std::path::Path;

use serde_json::{Value, json};
use sinew::mjcf::diag::{Diagnostic, Error, Severity};
use sinew::mjcf::spec::{Source, Span};
use sinew::{Assets, LoadOptions, Model, Spec};

/// A model with its warnings, or the errors, and the sources both point into.
pub(crate) struct Outcome {
    /// The model, if it compiled.
    pub(crate) model: Option<Model>,
    /// Everything there is to say.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The files the places are in.
    pub(crate) sources: Vec<Source>,
}

/// Loads a file and keeps the sources, which the warnings of a good model need too.
pub(crate) fn load(path: &Path, options: &LoadOptions) -> Outcome {
    let (spec, mut diagnostics) = match Spec::load(path, options) {
        Ok(read) => read,
        Err(error) => return failed(error),
    };
    match spec.compile(&Assets::new(), options) {
        Ok(loaded) => {
            diagnostics.extend(loaded.warnings);
            Outcome { model: Some(loaded.model), diagnostics, sources: spec.sources }
        }
        Err(error) => {
            let mut outcome = failed(error);
            diagnostics.append(&mut outcome.diagnostics);
            Outcome { diagnostics, ..outcome }
        }
    }
}

fn failed(error: Error) -> Outcome {
    Outcome { model: None, diagnostics: error.diagnostics, sources: error.sources }
}

impl Outcome {
    /// The diagnostics as the library renders them, with source lines.
    pub(crate) fn text(&self) -> String {
        let shown = Error { diagnostics: self.diagnostics.clone(), sources: self.sources.clone() };
        shown.to_string()
    }

    /// The diagnostics as data.
    pub(crate) fn json(&self) -> Value {
        self.diagnostics.iter().map(|d| self.one(d)).collect()
    }

    fn one(&self, d: &Diagnostic) -> Value {
        let severity = match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut value = json!({ "severity": severity, "code": d.code, "message": d.message });
        if let Some(help) = &d.help {
            value["help"] = json!(help);
        }
        if let Some((path, line, column)) = d.span.and_then(|span| place(&self.sources, span)) {
            value["file"] = json!(path);
            value["line"] = json!(line);
            value["column"] = json!(column);
        }
        value
    }
}

/// File, line and column of a span, both counted from 1.
fn place(sources: &[Source], span: Span) -> Option<(&str, usize, usize)> {
    let source = sources.get(usize::try_from(span.file).ok()?)?;
    let before = source.text.get(..usize::try_from(span.start).ok()?)?;
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.rsplit('\n').next().map_or(0, |last| last.chars().count());
    Some((&source.path, line, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_from_one() {
        let sources = [Source { path: "a.xml".into(), text: "<a>\n  <b/>\n</a>".into() }];
        let span = Span { file: 0, start: 6, end: 10 };
        assert_eq!(place(&sources, span), Some(("a.xml", 2, 3)));
        assert_eq!(place(&sources, Span { file: 1, start: 0, end: 0 }), None);
    }
}
