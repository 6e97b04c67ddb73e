//! Errors and warnings with their places.

use crate::spec::{Source, Span};

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
    /// What is wrong, and what would be right.
    pub message: String,
    /// Where; none if the problem has no place in a file.
    pub span: Option<Span>,
    /// A suggestion, e.g. the nearest name.
    pub help: Option<String>,
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
}

impl Diagnostics {
    /// Reports an error.
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.push(Severity::Error, code, span, message.into());
    }

    /// Reports a warning.
    pub fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.push(Severity::Warning, code, span, message.into());
    }

    /// Reports something MuJoCo rejects and Sinew accepts: a warning, an error if strict.
    /// `mujoco` is the text of MuJoCo's error, `ours` says what is done instead.
    pub fn extension(&mut self, code: &'static str, span: Span, mujoco: &str, ours: &str) {
        if self.strict {
            self.error(code, span, mujoco);
        } else {
            self.warn(code, span, format!("{mujoco}; accepted: {ours}"));
        }
    }

    /// Adds a suggestion to the last diagnostic.
    pub fn help(&mut self, text: impl Into<String>) {
        if let Some(last) = self.list.last_mut() {
            last.help = Some(text.into());
        }
    }

    /// Whether there is any error.
    pub fn failed(&self) -> bool {
        self.list.iter().any(Diagnostic::is_error)
    }

    fn push(&mut self, severity: Severity, code: &'static str, span: Span, message: String) {
        let span = (span != Span::default()).then_some(span);
        self.list.push(Diagnostic { severity, code, message, span, help: None });
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
        for d in &self.diagnostics {
            writeln!(f, "{}", d.message)?;
        }
        Ok(())
    }
}

impl core::error::Error for Error {}
