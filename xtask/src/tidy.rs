//! Checks that no compiler makes: layers, cycles of modules, budgets, leftovers, links, quoted
//! command lines, prose and proofs of unsafe code. The pages of the book and the chart of speed are
//! checked too.

mod book;
mod budget;
mod circles;
mod commands;
mod layers;
mod map;
mod prose;
mod source;
mod text;
mod unsafety;

use std::path::Path;

use crate::chart::{CHART, PAGE, draw};
pub use source::Source;
use source::read_all;

/// Writes the list of unsafe places.
pub fn write_unsafe_list(root: &Path) -> Result<(), String> {
    let (text, _) = unsafety::list(&read_all(root)?);
    let path = root.join(unsafety::LIST);
    std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
}

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
    book::check(&files, &mut findings);
    map::check(&files, &mut findings);
    prose::check(&files, &mut findings);
    text::check(root, &files, &mut findings);
    chart(root, &files, &mut findings);
    unsafety::check(&files, &mut findings);
    let changed = crate::ptx::changed(root)?;
    findings.extend(changed.iter().map(|source| {
        format!("{source}: not what {} was built from: run cargo xtask ptx", crate::ptx::KERNELS)
    }));
    findings.sort();
    Ok(findings)
}

/// Compares the chart of speed with its table.
fn chart(root: &Path, files: &[Source], findings: &mut Vec<String>) {
    let page = files.iter().find(|f| f.path == PAGE).map_or("", |f| &f.text);
    let found = std::fs::read_to_string(root.join(CHART)).unwrap_or_default();
    match draw(page) {
        Ok(wanted) if found == wanted => {}
        Ok(_) => findings.push(format!("{CHART}: not of its table; `cargo xtask chart` draws it")),
        Err(message) => findings.push(message),
    }
}
