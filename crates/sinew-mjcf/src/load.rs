//! From a file or a text to a `Spec` and to a `Model`.

use std::path::Path;

use sinew_model::Model;

use crate::changed::warn_of_changes;
use crate::diag::{Diagnostic, Diagnostics, Error};
use crate::expand::subtree::with_stack;
use crate::files::{Assets, Files, dir_name};
use crate::options::{LoadOptions, Loaded};
use crate::parse::{Setting, read_model};
use crate::spec::Spec;
use crate::xml::text_of;

impl Spec {
    /// Reads a model file (MJCF or URDF) without compiling it.
    pub fn load(path: &Path, opts: &LoadOptions) -> Result<(Spec, Vec<Diagnostic>), Error> {
        Spec::load_with_assets(path, &Assets::new(), opts)
    }

    /// Reads a model file that may be among `assets`, as may the files it names.
    pub fn load_with_assets(
        path: &Path,
        assets: &Assets,
        opts: &LoadOptions,
    ) -> Result<(Spec, Vec<Diagnostic>), Error> {
        let path = path.to_string_lossy();
        match (Files { assets, confined_to: None }).read_path("".as_ref(), &path) {
            Ok(bytes) if bytes.is_empty() => {
                Err(no_place(format!("ParseXML: empty file '{path}'")))
            }
            Ok(bytes) => read(&path, text_of(&bytes), assets, opts),
            Err(words) => Err(no_place(format!("ParseXML: {words}"))),
        }
    }

    /// Reads a model (MJCF or URDF) from a text.
    pub fn parse_str(
        xml: &str,
        assets: &Assets,
        opts: &LoadOptions,
    ) -> Result<(Spec, Vec<Diagnostic>), Error> {
        read("", text_of(xml.as_bytes()), assets, opts)
    }

    /// Compiles: expands `replicate` and `attach`, then builds the model.
    pub fn compile(&self, assets: &Assets, opts: &LoadOptions) -> Result<Loaded, Error> {
        with_stack(&self.world.children, || self.compile_here(assets, opts))
            .unwrap_or_else(|| Err(no_place("no memory to compile a model this deep".into())))
    }

    fn compile_here(&self, assets: &Assets, opts: &LoadOptions) -> Result<Loaded, Error> {
        let mut diag = Diagnostics { strict: opts.strict, ..Diagnostics::default() };
        let expanded = crate::expand::expand(self, &mut diag);
        let folder = self.scopes.first().map_or(Path::new(""), |scope| &scope.dir);
        let files = Files { assets, confined_to: opts.confine.then_some(folder) };
        if !diag.failed()
            && let Some((mut model, places)) =
                crate::compile::compile(&expanded, &files, opts, &mut diag)
        {
            complete_keys(&expanded, &mut model);
            warn_of_flexes(&expanded, &model, &mut diag);
            warn_of_changes(&expanded, &model, &mut diag);
            let sources = self.sources.clone();
            return Ok(Loaded { model, warnings: diag.list, sources, places });
        }
        Err(Error { diagnostics: diag.list, sources: self.sources.clone() })
    }
}

/// Warns of a flexible body that the time step cannot follow: it would diverge.
fn warn_of_flexes(spec: &Spec, m: &Model, diag: &mut Diagnostics) {
    let Some(found) = sinew_diagnose::flex_instability(m) else { return };
    let flex = found.parts.first().and_then(|part| spec.flexes.get(part.id));
    let span = flex.map_or(crate::spec::Span::default(), |flex| flex.head.span);
    diag.warn("unstable-flex", span, found.text.clone());
    let remedies: Vec<&str> = found.remedies.iter().map(|r| r.text.as_str()).collect();
    diag.help(format!("it holds with {}", remedies.join(", or ")));
}

/// Puts the reference pose where keyframes of attached models say nothing.
fn complete_keys(spec: &Spec, m: &mut Model) {
    fn fill(to: &mut [f64], from: &[f64]) {
        for (x, x0) in to.iter_mut().zip(from) {
            if x.is_nan() {
                *x = *x0;
            }
        }
    }
    let qpos0 = m.qpos0.to_vec();
    let mocap = || m.bodies().filter(|&b| m.body_mocapid[b].get().is_some());
    let pos: Vec<f64> = mocap().flat_map(|b| m.body_pos[b].to_array()).collect();
    let quat: Vec<f64> = mocap().flat_map(|b| m.body_quat[b].to_array()).collect();
    for (i, _) in spec.keys.iter().enumerate().filter(|(_, key)| key.partial) {
        fill(&mut m.key_qpos[i], &qpos0);
        fill(&mut m.key_mpos[i], &pos);
        fill(&mut m.key_mquat[i], &quat);
    }
}

fn read(
    path: &str,
    text: String,
    assets: &Assets,
    opts: &LoadOptions,
) -> Result<(Spec, Vec<Diagnostic>), Error> {
    let mut diag = Diagnostics { strict: opts.strict, ..Diagnostics::default() };
    let open = [path.to_owned()];
    let folder = Path::new(dir_name(path));
    let files = Files { assets, confined_to: opts.confine.then_some(folder) };
    let setting = Setting { files, open: &open };
    let mut spec = read_model(path, text, 0, setting, &mut diag);
    spec.later = diag.first_later;
    if diag.failed() {
        return Err(Error { diagnostics: diag.list, sources: spec.sources });
    }
    Ok((spec, diag.list))
}

/// An error about no place in a file.
fn no_place(message: String) -> Error {
    let mut diag = Diagnostics::default();
    diag.error("missing-file", crate::spec::Span::default(), message);
    Error { diagnostics: diag.list, sources: Vec::new() }
}

/// Loads and compiles a model file.
pub fn load_path(path: &Path, opts: &LoadOptions) -> Result<Loaded, Error> {
    load_path_with_assets(path, &Assets::new(), opts)
}

/// Loads and compiles a model file that may be among `assets`, as may the files it names.
pub fn load_path_with_assets(
    path: &Path,
    assets: &Assets,
    opts: &LoadOptions,
) -> Result<Loaded, Error> {
    let (spec, warnings) = Spec::load_with_assets(path, assets, opts)?;
    finish(&spec, warnings, assets, opts)
}

/// Loads and compiles a model given as a text.
pub fn load_str(xml: &str, assets: &Assets, opts: &LoadOptions) -> Result<Loaded, Error> {
    let (spec, warnings) = Spec::parse_str(xml, assets, opts)?;
    finish(&spec, warnings, assets, opts)
}

/// Compiles and puts the reader's warnings before the compiler's.
fn finish(
    spec: &Spec,
    mut warnings: Vec<Diagnostic>,
    assets: &Assets,
    opts: &LoadOptions,
) -> Result<Loaded, Error> {
    match spec.compile(assets, opts) {
        Ok(mut loaded) => {
            warnings.append(&mut loaded.warnings);
            loaded.warnings = warnings;
            Ok(loaded)
        }
        Err(mut error) => {
            warnings.append(&mut error.diagnostics);
            error.diagnostics = warnings;
            Err(error)
        }
    }
}
