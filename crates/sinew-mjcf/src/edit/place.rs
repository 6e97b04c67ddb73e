//! Places in code.

use core::panic::Location;

use crate::spec::{Source, Span};

/// The place of a line of code, among the sources of a model.
pub(super) fn place_of(sources: &mut Vec<Source>, at: &Location<'_>) -> Span {
    let here = (at.line(), at.column());
    let known = sources.last().is_some_and(|s| (s.line, s.column) == here && s.path == at.file());
    if !known {
        let path = at.file().to_owned();
        sources.push(Source { path, line: here.0, column: here.1, ..Source::default() });
    }
    Span { file: sources.len() as u32 - 1, start: 0, end: 1 }
}
