//! Loading models, and diagnostics as text and as data.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};
use sinew::mjcf::diag::{Diagnostic, Error, Severity, render};
use sinew::mjcf::spec::Source;
use sinew::{Assets, LoadOptions, Model, Spec};

use crate::common::Common;

/// A model with its warnings, or the errors, and the sources both point into.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The model, if it compiled.
    pub(crate) model: Option<Model>,
    /// What it was compiled from; none for a binary file.
    pub(crate) spec: Option<Spec>,
    /// Everything there is to say.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The files the places are in.
    pub(crate) sources: Vec<Source>,
}

/// A model that did not load, with the reasons.
#[derive(Debug)]
pub(crate) struct BadModel {
    path: String,
    pub(crate) outcome: Outcome,
}

/// Loads a model for a command that needs one: warnings go to stderr, `--set` is applied.
pub(crate) fn model(path: &Path, common: &Common) -> Result<Model> {
    let mut outcome = load(path, common);
    match outcome.model.take() {
        Some(mut model) => {
            if !outcome.diagnostics.is_empty() {
                eprintln!("{}", outcome.text().trim_end());
            }
            common.set.iter().try_for_each(|setting| setting.apply(&mut model))?;
            Ok(model)
        }
        None => Err(BadModel { path: path.display().to_string(), outcome }.into()),
    }
}

/// Loads a file and keeps the sources, which the warnings of a good model need too.
pub(crate) fn load(path: &Path, common: &Common) -> Outcome {
    let options = common.load_options();
    match binary(path) {
        Err(reason) => return failed(reason),
        Ok(Some(bytes)) => return from_binary(&bytes),
        Ok(None) => {}
    }
    let (spec, mut diagnostics) = match Spec::load(path, &options) {
        Ok(read) => read,
        Err(error) => return failed(error),
    };
    match spec.compile(&Assets::new(), &options) {
        Ok(loaded) => {
            diagnostics.extend(loaded.warnings);
            let sources = spec.sources.clone();
            Outcome { model: Some(loaded.model), spec: Some(spec), diagnostics, sources }
        }
        Err(error) => {
            let mut outcome = failed(error);
            diagnostics.append(&mut outcome.diagnostics);
            Outcome { diagnostics, ..outcome }
        }
    }
}

/// The bytes of a binary model; none if the file is text, an error if it cannot be read.
fn binary(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let unreadable = |reason: String| no_place("missing-file", reason);
    let info = fs::metadata(path)
        .map_err(|e| unreadable(format!("cannot read '{}': {}", path.display(), words(&e))))?;
    if info.is_dir() {
        return Err(unreadable(format!("cannot read '{}': it is a directory", path.display())));
    }
    if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("mjb")) {
        return Ok(None);
    }
    let bytes = fs::read(path)
        .map_err(|e| unreadable(format!("cannot read '{}': {}", path.display(), words(&e))))?;
    Ok(Some(bytes))
}

/// The reason of an error of the system, without its number.
pub(crate) fn words(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text[..end].to_lowercase()
}

fn from_binary(bytes: &[u8]) -> Outcome {
    match Model::from_binary_with(bytes, &LoadOptions::default().plugins) {
        Ok(model) => {
            Outcome { model: Some(model), spec: None, diagnostics: Vec::new(), sources: Vec::new() }
        }
        Err(error) => failed(no_place("bad-binary", error.to_string())),
    }
}

/// An error about no place in a file.
fn no_place(code: &'static str, message: String) -> Error {
    let diagnostic =
        Diagnostic { severity: Severity::Error, code, message, span: None, help: None };
    Error { diagnostics: vec![diagnostic], sources: Vec::new() }
}

fn failed(error: Error) -> Outcome {
    let Error { diagnostics, sources } = error;
    Outcome { model: None, spec: None, diagnostics, sources }
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

impl fmt::Display for BadModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} does not load", self.path)
    }
}

impl std::error::Error for BadModel {}
