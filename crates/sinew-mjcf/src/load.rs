//! From a file or a text to a `Spec` and to a `Model`.

use std::path::Path;

use crate::diag::{Diagnostic, Diagnostics, Error};
use crate::files::{Assets, Files};
use crate::spec::Spec;
use crate::{LoadOptions, Loaded};

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
        let _ = (path, assets, opts);
        Err(Error::default())
    }

    /// Reads a model (MJCF or URDF) from a text.
    pub fn parse_str(
        xml: &str,
        assets: &Assets,
        opts: &LoadOptions,
    ) -> Result<(Spec, Vec<Diagnostic>), Error> {
        let _ = (xml, assets, opts);
        Err(Error::default())
    }

    /// Compiles: expands `replicate` and `attach`, then builds the model.
    pub fn compile(&self, assets: &Assets, opts: &LoadOptions) -> Result<Loaded, Error> {
        let mut diag = Diagnostics { strict: opts.strict, ..Diagnostics::default() };
        let _files = Files { assets };
        let _expanded = crate::expand::expand(self, &mut diag);
        Err(Error { diagnostics: diag.list, sources: self.sources.clone() })
    }
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
