//! Standard output, which a reader such as `head` may close early.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::Value;

/// Writes a text without a line feed.
pub(crate) fn text(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}

/// Writes a line.
pub(crate) fn line(line: &str) -> Result<()> {
    text(&format!("{line}\n"))
}

/// Writes a value as indented JSON.
pub(crate) fn json(value: &Value) -> Result<()> {
    line(&serde_json::to_string_pretty(value)?)
}

/// Whether an error means that the reader has closed the output, which is no fault.
pub(crate) fn is_closed(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
