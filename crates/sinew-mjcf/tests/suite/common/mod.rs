//! Checkers: a model in, numbers or messages out.

use sinew_mjcf::diag::{Diagnostic, Error, Severity};
use sinew_mjcf::{Assets, LoadOptions, Loaded, load_str};
use sinew_model::Model;

/// Loads a model with options.
pub(crate) fn try_load(xml: &str, opts: &LoadOptions) -> Result<Loaded, Error> {
    load_str(xml, &Assets::new(), opts)
}

/// The model, which must load without a warning.
#[track_caller]
pub(crate) fn model(xml: &str) -> Model {
    let loaded = try_load(xml, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    loaded.model
}

/// The model must be rejected with a message that contains `text` and has a place.
#[track_caller]
pub(crate) fn rejected(xml: &str, text: &str) {
    let error = try_load(xml, &LoadOptions::default()).expect_err("must be rejected");
    said(&error.diagnostics, Severity::Error, text);
}

/// The model, which loads with a warning that contains `text`.
#[track_caller]
pub(crate) fn warned(xml: &str, text: &str) -> Model {
    let loaded = try_load(xml, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    said(&loaded.warnings, Severity::Warning, text);
    loaded.model
}

/// The model is accepted with a warning that contains `text`, and rejected with it if strict.
#[track_caller]
pub(crate) fn extension(xml: &str, text: &str) -> Model {
    let strict = LoadOptions { strict: true, ..LoadOptions::default() };
    let error = try_load(xml, &strict).expect_err("must be rejected if strict");
    said(&error.diagnostics, Severity::Error, text);
    warned(xml, text)
}

#[track_caller]
fn said(list: &[Diagnostic], severity: Severity, text: &str) {
    let found = list.iter().find(|d| d.severity == severity && d.message.contains(text));
    let found = found.unwrap_or_else(|| panic!("nobody says '{text}': {list:#?}"));
    assert!(found.span.is_some(), "no place: {found:#?}");
}

/// Numbers must agree.
#[track_caller]
pub(crate) fn close(got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len(), "{got:?}, wanted {want:?}");
    for (g, w) in got.iter().zip(want) {
        assert!((g - w).abs() <= tolerance * w.abs().max(1.0), "{got:?}, wanted {want:?}");
    }
}
