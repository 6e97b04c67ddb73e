//! What no compiler checks: layers, circles of modules, budgets, leftovers, links,
//! quoted command lines.

mod budget;
mod circles;
mod commands;
mod layers;
mod source;
mod text;

use std::path::Path;

pub use source::Source;
use source::read_all;

/// Every finding in the workspace at `root`; empty when all is well.
pub fn check(root: &Path) -> Result<Vec<String>, String> {
    let files = read_all(root)?;
    let exceptions = budget::Exceptions::parse(
        files.iter().find(|f| f.path == budget::EXCEPTIONS).map_or("", |f| &f.text),
    )?;

    let mut findings = Vec::new();
    layers::check(&files, &mut findings);
    circles::check(&files, &mut findings);
    budget::check(&files, &exceptions, &mut findings);
    commands::check(root, &files, &mut findings);
    text::check(root, &files, &mut findings);
    findings.sort();
    Ok(findings)
}
