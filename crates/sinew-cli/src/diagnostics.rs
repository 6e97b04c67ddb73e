//! Diagnostics as text and as data.

use std::path::Path;

use serde_json::{Value, json};
use sinew::mjcf::diag::{Diagnostic, Error, Severity, render};
use sinew::mjcf::spec::Source;
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
        render(&self.diagnostics, &self.sources)
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
        if let Some(place) = d.place(&self.sources) {
            value["file"] = json!(place.file);
            value["line"] = json!(place.line);
            value["column"] = json!(place.column);
        }
        value
    }
}
