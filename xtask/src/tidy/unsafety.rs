//! The list of all unsafe places with their proofs: each place needs a proof, and the list must
//! match the code.

use std::fmt::Write as _;

use super::source::Source;
use crate::scan;

/// Path of the list.
pub(super) const LIST: &str = "docs/unsafe.md";

/// Number of lines above a place in which its proof may begin.
const REACH: usize = 8;

/// Head of the list.
const HEAD: &str = "# Unsafe code\n\n\
    This page lists every unsafe place with its proof, the `SAFETY` comment above the place.\n\
    `unsafe_code` is denied everywhere else. `cargo xtask unsafe` writes the page, and\n\
    `cargo xtask tidy` compares it with the code.\n";

/// An unsafe block, function, trait or implementation.
struct Place {
    line: usize,
    kind: &'static str,
    function: Option<String>,
    proof: Option<String>,
}

/// The up-to-date list, and the places without a proof.
pub(super) fn list(files: &[Source]) -> (String, Vec<String>) {
    let mut text = HEAD.to_owned();
    let mut findings = Vec::new();
    let mut total = 0;
    for file in files.iter().filter(|f| f.path.ends_with(".rs") && f.path.starts_with("crates/")) {
        let places = places(&file.text);
        if places.is_empty() {
            continue;
        }
        total += places.len();
        let (package, module) = file.path["crates/".len()..].split_once('/').unwrap_or_default();
        let module = module.trim_start_matches("src/");
        let _ = write!(text, "\n## {package}, {module} ({})\n\n", places.len());
        text.push_str("| place | proof |\n|---|---|\n");
        // places with the same proof in one function share a line
        let mut rows: Vec<((String, String), usize)> = Vec::new();
        for place in places {
            let Some(proof) = place.proof else {
                let (path, line) = (&file.path, place.line);
                findings.push(format!("{path}:{line}: unsafe {} without a proof", place.kind));
                continue;
            };
            let name = place.function.map_or_else(String::new, |name| format!(" in `{name}`"));
            let row = (format!("{}{name}", place.kind), proof.replace('|', "\\|"));
            match rows.iter_mut().find(|(other, _)| *other == row) {
                Some((_, count)) => *count += 1,
                None => rows.push((row, 1)),
            }
        }
        for ((place, proof), count) in rows {
            let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
            let _ = writeln!(text, "| {place}{times} | {proof} |");
        }
    }
    let _ = writeln!(text, "\nThe code has {total} unsafe places.");
    (text, findings)
}

/// Compares the list with the code.
pub(super) fn check(files: &[Source], findings: &mut Vec<String>) {
    let (wanted, missing) = list(files);
    findings.extend(missing);
    let found = files.iter().find(|f| f.path == LIST).map_or("", |f| &f.text);
    if found != wanted {
        findings.push(format!("{LIST}: not that of the code; `cargo xtask unsafe` writes it"));
    }
}

/// The unsafe places of a file.
fn places(source: &str) -> Vec<Place> {
    let code = scan::blank(source);
    let lines: Vec<&str> = source.lines().collect();
    let functions = scan::functions(&code);
    let mut found = Vec::new();
    for (at, _) in code.match_indices("unsafe") {
        let before = code[..at].chars().next_back();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let after = &code[at + "unsafe".len()..];
        if before.is_some_and(is_word) || after.starts_with(is_word) {
            continue;
        }
        let Some(kind) = kind(after.trim_start()) else { continue };
        let line = 1 + code[..at].matches('\n').count();
        let inner = functions.iter().filter(|f| (f.line..f.line + f.lines).contains(&line));
        let function = inner.max_by_key(|f| f.line).map(|f| f.name.clone());
        found.push(Place { line, kind, function, proof: proof(&lines, line) });
    }
    found
}

/// The kind of unsafe place that the word `unsafe` introduces; `None` for attributes.
fn kind(after: &str) -> Option<&'static str> {
    let starts =
        [("{", "block"), ("impl", "implementation"), ("trait", "trait"), ("fn", "function")];
    let starts = starts.into_iter().chain([("extern", "function")]);
    starts.into_iter().find(|(word, _)| after.starts_with(word)).map(|(_, kind)| kind)
}

/// The proof of a place: the nearest comment above it, or a comment for every block of the file.
fn proof(lines: &[&str], line: usize) -> Option<String> {
    let marked = |text: &str| text.contains("SAFETY") || text.contains("# Safety");
    let comment = |k: usize| {
        let text = lines[k].trim_start();
        text.starts_with("//")
    };
    let above = (line.saturating_sub(REACH + 1)..line).rev();
    let near = above.clone().find(|&k| comment(k) && marked(lines[k]));
    let every = || (0..line).rev().find(|&k| comment(k) && lines[k].contains("SAFETY of every"));
    let start = near.or_else(every)?;
    let words = lines[start..].iter().take_while(|l| l.trim_start().starts_with("//"));
    let words =
        words.map(|l| l.trim_start().trim_start_matches('/').trim_start_matches('!').trim());
    let mut text = words.filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ");
    for mark in ["SAFETY:", "# Safety", "SAFETY"] {
        text = text.trim_start_matches(mark).trim().to_owned();
    }
    Some(text).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Vec<Source> {
        vec![Source { path: "crates/a/src/lib.rs".into(), text: text.into() }]
    }

    #[test]
    fn a_place_is_listed_with_its_proof() {
        let text = "fn f() {\n    // SAFETY: it is\n    // in range.\n    unsafe { g() }\n}\n";
        let (list, findings) = list(&file(text));
        assert!(list.contains("| block in `f` | it is in range. |"), "{list}");
        assert!(findings.is_empty());
    }

    #[test]
    fn a_place_without_a_proof_is_found() {
        let (_, findings) = list(&file("fn f() {\n    unsafe { g() }\n}\n"));
        assert_eq!(findings, ["crates/a/src/lib.rs:2: unsafe block without a proof"]);
        let (list, findings) = list(&file("#![allow(unsafe_code)]\n// unsafe { }\n"));
        assert!(findings.is_empty() && list.contains("has 0 unsafe"));
    }
}
