//! Loading models, and printing diagnostics as text or JSON.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};
use sinew::mjcf::diag::{Diagnostic, Error, Place, Severity, render};
use sinew::mjcf::spec::Source;
use sinew::{Assets, LoadOptions, Model, Spec};

use crate::common::Common;
use crate::progress::Waiting;
use crate::zip::read_zip;

/// A model with its warnings, or its errors, with the source files.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The model, if it compiled.
    pub(crate) model: Option<Model>,
    /// The elements of the model; `None` for a binary file.
    pub(crate) spec: Option<Spec>,
    /// Errors and warnings.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The files that the diagnostics refer to.
    pub(crate) sources: Vec<Source>,
    /// The files of an archive.
    pub(crate) assets: Assets,
}

/// A model that does not load, with its errors.
#[derive(Debug)]
pub(crate) struct BadModel {
    path: String,
    pub(crate) outcome: Outcome,
}

/// Loads a model for a command, prints its warnings to stderr and applies `--set`.
pub(crate) fn model(path: &Path, common: &Common) -> Result<Model> {
    let mut outcome = load_waiting(path, common);
    match outcome.model.take() {
        Some(mut model) => {
            if !outcome.diagnostics.is_empty() {
                eprintln!("{}", outcome.text().trim_end());
            }
            common.set.iter().try_for_each(|setting| setting.apply(&mut model))?;
            Ok(model)
        }
        None => Err(bad_model(path, outcome)),
    }
}

/// The error for a model that does not load.
pub(crate) fn bad_model(path: &Path, outcome: Outcome) -> anyhow::Error {
    BadModel { path: path.display().to_string(), outcome }.into()
}

/// Loads a file with a message if it takes long.
pub(crate) fn load_waiting(path: &Path, common: &Common) -> Outcome {
    let _waiting = Waiting::new(format!("compiling {}", path.display()));
    load(path, common)
}

/// Loads a file and keeps its sources, which warnings refer to.
pub(crate) fn load(path: &Path, common: &Common) -> Outcome {
    let options = common.load_options();

    // type of the file
    let (name, assets) = match bytes_of(path) {
        Err(reason) => return failed(reason),
        Ok(Given::Binary(bytes)) => return from_binary(&bytes),
        Ok(Given::Archive(name, assets)) => (name, assets),
        Ok(Given::Text) => (path.to_path_buf(), Assets::new()),
    };

    // parse, then compile; the diagnostics of both are kept
    let (spec, mut diagnostics) = match Spec::load_with_assets(&name, &assets, &options) {
        Ok(read) => read,
        Err(error) => return failed(error),
    };
    match spec.compile(&assets, &options) {
        Ok(loaded) => {
            diagnostics.extend(loaded.warnings);
            let sources = spec.sources.clone();
            Outcome { model: Some(loaded.model), spec: Some(spec), diagnostics, sources, assets }
        }
        Err(error) => {
            let mut outcome = failed(error);
            diagnostics.append(&mut outcome.diagnostics);
            Outcome { diagnostics, ..outcome }
        }
    }
}

/// Type of a file.
enum Given {
    /// XML text, which the library reads.
    Text,
    /// A binary model.
    Binary(Vec<u8>),
    /// An archive: the name of the model in it, and its files.
    Archive(PathBuf, Assets),
}

/// The type of a file, with its bytes unless it is text; an error if it cannot be read.
fn bytes_of(path: &Path) -> Result<Given, Error> {
    let unreadable =
        |why: String| no_place("missing-file", format!("cannot read '{}': {why}", path.display()));
    let info = fs::metadata(path).map_err(|e| unreadable(words(&e)))?;
    if info.is_dir() {
        return Err(unreadable("it is a directory".into()));
    }
    let kind = path.extension().map(|e| e.to_ascii_lowercase());
    let read = || fs::read(path).map_err(|e| unreadable(words(&e)));
    match kind.as_ref().and_then(|e| e.to_str()) {
        Some("mjb") => Ok(Given::Binary(read()?)),
        Some("zip") => {
            let entries = read_zip(&read()?).map_err(|e| unreadable(format!("{e:#}")))?;
            let is_model = |name: &str| name.ends_with(".xml") || name.ends_with(".urdf");
            // the model is the least nested XML file; included files are nested deeper or come
            // later
            let names = entries.iter().map(|entry| entry.name.clone()).filter(|n| is_model(n));
            let name = names.min_by_key(|name| name.matches('/').count());
            let name = name.ok_or_else(|| unreadable("no model is in the archive".into()))?;
            let files = entries.into_iter().map(|entry| (entry.name, entry.bytes));
            Ok(Given::Archive(PathBuf::from(name), files.collect()))
        }
        _ => Ok(Given::Text),
    }
}

/// The reason of an I/O error without its error number.
pub(crate) fn words(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text[..end].to_lowercase()
}

fn from_binary(bytes: &[u8]) -> Outcome {
    match Model::from_binary_with(bytes, &LoadOptions::default().plugins) {
        Ok(model) => Outcome {
            model: Some(model),
            spec: None,
            diagnostics: Vec::new(),
            sources: Vec::new(),
            assets: Assets::new(),
        },
        Err(error) => failed(no_place("bad-binary", error.to_string())),
    }
}

/// An error without a place in a file.
fn no_place(code: &'static str, message: String) -> Error {
    let diagnostic = Diagnostic {
        severity: Severity::Error,
        code,
        message,
        span: None,
        help: None,
        first: None,
    };
    Error { diagnostics: vec![diagnostic], sources: Vec::new() }
}

fn failed(error: Error) -> Outcome {
    let Error { diagnostics, sources } = error;
    Outcome { model: None, spec: None, diagnostics, sources, assets: Assets::new() }
}

impl Outcome {
    /// The diagnostics as text with source lines.
    pub(crate) fn text(&self) -> String {
        render(&self.diagnostics, &self.sources)
    }

    /// The diagnostics as JSON.
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
        if let Some(first) = d.first_place(&self.sources) {
            let Place { file, line, column } = first;
            value["first"] = json!({ "file": file, "line": line, "column": column });
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
