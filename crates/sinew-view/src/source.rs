//! The source of a model: a file that may change, or files dropped on the page.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};
use sinew_mjcf::diag::{Diagnostic, Error, Severity};
use sinew_mjcf::spec::Source as Text;
use sinew_mjcf::{Assets, LoadOptions, Loaded};
use sinew_model::Model;

/// Interval between checks of a model's files.
const WATCH_TIME: Duration = Duration::from_millis(300);
/// Lines of context shown around a diagnostic.
const CONTEXT: usize = 2;
/// Maximum number of diagnostics shown.
const MAX_DIAGNOSTICS: usize = 50;

/// The folder of dropped files.
const NOWHERE: &str = "dropped:";

/// The source of a model.
#[derive(Debug)]
pub(crate) struct Source {
    origin: Origin,
    options: LoadOptions,
    /// The files of the model, with the stamp of each.
    stamps: Vec<(PathBuf, Option<Stamp>)>,
    looked: Instant,
}

#[derive(Debug)]
enum Origin {
    File(PathBuf),
    Dropped { name: String, bytes: Vec<u8>, assets: Assets },
}

/// Modification time and length of a file.
type Stamp = (SystemTime, u64);

impl Source {
    pub(crate) fn file(path: &Path, options: LoadOptions) -> Source {
        Source {
            origin: Origin::File(path.to_owned()),
            options,
            stamps: Vec::new(),
            looked: Instant::now(),
        }
    }

    /// Dropped files: the first file that can be a model is loaded, the others are its assets.
    pub(crate) fn dropped(files: Vec<(String, Vec<u8>)>, options: LoadOptions) -> Option<Source> {
        let ends = |name: &str, end: &str| name.to_ascii_lowercase().ends_with(end);
        let is_model = |(name, bytes): &(String, Vec<u8>)| {
            let root = bytes.windows(7).any(|w| w == b"<mujoco")
                || bytes.windows(6).any(|w| w == b"<robot");
            ends(name, ".mjb")
                || root && (ends(name, ".xml") || ends(name, ".mjcf") || ends(name, ".urdf"))
        };
        let at = files.iter().position(is_model)?;
        let (name, bytes) = files[at].clone();
        let name = name.rsplit(['/', '\\']).next().unwrap_or("").to_owned();
        let assets = files.into_iter().collect();
        let origin = Origin::Dropped { name, bytes, assets };
        Some(Source { origin, options, stamps: Vec::new(), looked: Instant::now() })
    }

    /// The name of the model.
    pub(crate) fn name(&self) -> String {
        match &self.origin {
            Origin::File(path) => path.display().to_string(),
            Origin::Dropped { name, .. } => name.clone(),
        }
    }

    /// Reads and compiles the model.
    pub(crate) fn load(&mut self) -> Result<Loaded, Error> {
        let result = match &self.origin {
            Origin::File(path) if is_binary(path) => match fs::read(path) {
                Ok(bytes) => binary(&bytes),
                Err(e) => Err(no_place(format!("cannot read '{}': {e}", path.display()))),
            },
            Origin::File(path) => sinew_mjcf::load_path(path, &self.options),
            Origin::Dropped { name, bytes, .. } if is_binary(Path::new(name)) => binary(bytes),
            Origin::Dropped { name, assets, .. } => {
                // the folder does not exist, so the model can name only files that were dropped
                // with it
                let options = LoadOptions { confine: true, ..self.options.clone() };
                sinew_mjcf::load_path_with_assets(&Path::new(NOWHERE).join(name), assets, &options)
            }
        };
        self.watch_from_now(&result);
        result
    }

    /// Records the stamps of the model's files. The files named by a broken model and by the last
    /// good model both stay watched.
    fn watch_from_now(&mut self, result: &Result<Loaded, Error>) {
        let Origin::File(path) = &self.origin else { return };
        let mut files: Vec<PathBuf> = self.stamps.drain(..).map(|(path, _)| path).collect();
        files.push(path.clone());
        let sources = match result {
            Ok(loaded) => &loaded.sources,
            Err(error) => &error.sources,
        };
        files.extend(sources.iter().map(|source| PathBuf::from(&source.path)));
        if result.is_ok() && !is_binary(path) {
            // a model that was just parsed lists its files; otherwise the texts alone are watched
            let found = sinew_mjcf::xml_dependencies(path).unwrap_or_default();
            files.extend(found.into_iter().map(PathBuf::from));
        }
        files.sort();
        files.dedup();
        self.stamps = files.into_iter().map(|path| (path.clone(), stamp(&path))).collect();
    }

    /// Whether a file has changed since the model was loaded; checks the disk at intervals of
    /// `WATCH_TIME`.
    pub(crate) fn changed(&mut self) -> bool {
        if self.looked.elapsed() < WATCH_TIME {
            return false;
        }
        self.looked = Instant::now();
        self.stamps.iter().any(|(path, before)| stamp(path) != *before)
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let info = fs::metadata(path).ok()?;
    Some((info.modified().ok()?, info.len()))
}

fn is_binary(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("mjb"))
}

fn binary(bytes: &[u8]) -> Result<Loaded, Error> {
    let model = Model::from_binary(bytes).map_err(|e| no_place(e.to_string()))?;
    let (warnings, sources, places) = Default::default();
    Ok(Loaded { model, warnings, sources, places })
}

/// An error without a place in a file.
pub(crate) fn no_place(message: String) -> Error {
    let diagnostic = Diagnostic {
        severity: Severity::Error,
        code: "load",
        message,
        span: None,
        help: None,
        first: None,
    };
    Error { diagnostics: vec![diagnostic], sources: Vec::new() }
}

/// Diagnostics in the form that a page shows, with their source lines.
pub(crate) fn notice(title: &str, diagnostics: &[Diagnostic], sources: &[Text]) -> Value {
    let shown = diagnostics.iter().take(MAX_DIAGNOSTICS);
    let list: Vec<Value> = shown.map(|d| entry(d, sources)).collect();
    let hidden = diagnostics.len().saturating_sub(MAX_DIAGNOSTICS);
    json!({ "title": title, "list": list, "hidden": hidden })
}

fn entry(d: &Diagnostic, sources: &[Text]) -> Value {
    let mut value = json!({
        "error": d.is_error(), "code": d.code, "message": d.message, "help": d.help,
    });
    let Some(place) = d.place(sources) else { return value };
    let text = sources.iter().find(|s| s.path == place.file).map_or("", |s| &s.text);
    let first = place.line.saturating_sub(CONTEXT + 1);
    let lines = text.lines().enumerate().skip(first).take(2 * CONTEXT + 1);
    let clip = |line: &str| line.chars().take(400).collect::<String>();
    value["lines"] = lines.map(|(n, line)| json!([n + 1, clip(line)])).collect();
    value["file"] = json!(place.file);
    value["line"] = json!(place.line);
    value["column"] = json!(place.column);
    value
}
