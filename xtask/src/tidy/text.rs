//! Leftovers, wide lines, machine paths and dead links.

use std::path::Path;

use super::source::Source;
use crate::scan::blank;

/// Markers of unfinished work; permitted only with an issue number, as in `WORD(#12)`.
const MARKERS: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

/// Prefixes of paths that exist on one machine only.
const MACHINE_PATHS: [&str; 5] = [
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!("/ro", "ot/"),
    concat!("/wo", "rk/"),
    concat!("C:", "\\"),
];

/// Maximum columns of a source line. The formatter enforces it for code, but not for comments and
/// macros. Literals may be longer where a break would change or obscure them.
const COLUMNS: usize = 100;

pub(super) fn check(root: &Path, files: &[Source], findings: &mut Vec<String>) {
    for file in files {
        for (n, line) in file.text.lines().enumerate() {
            let place = || format!("{}:{}", file.path, n + 1);
            if let Some(word) = marker(line) {
                findings.push(format!("{}: {word} without an issue", place()));
            }
            if file.path.ends_with(".rs") && line.contains(concat!("db", "g!(")) {
                findings.push(format!("{}: debugging output", place()));
            }
            if let Some(path) = MACHINE_PATHS.iter().find(|p| line.contains(*p)) {
                findings.push(format!("{}: {path} is a path of one machine", place()));
            }
            if line.ends_with([' ', '\t']) {
                findings.push(format!("{}: trailing blanks", place()));
            }
        }
        if file.path.ends_with(".rs") {
            check_width(file, findings);
        }
        if file.path.ends_with(".md") {
            check_links(root, file, findings);
        }
    }
}

/// Comments, and code without its literals, that are too wide.
fn check_width(file: &Source, findings: &mut Vec<String>) {
    for (n, (line, code)) in file.text.lines().zip(blank(&file.text).lines()).enumerate() {
        if is_too_wide(line, code) {
            findings.push(format!("{}:{}: wider than {COLUMNS} columns", file.path, n + 1));
        }
    }
}

/// Whether a line is too wide; `code` is the line without comments and literals.
fn is_too_wide(line: &str, code: &str) -> bool {
    let text = line.trim_start();
    let width = match text.starts_with("//") {
        true => text.chars().count(),
        // words with blanks between them
        false => {
            code.split_whitespace().map(|word| word.len() + 1).sum::<usize>().saturating_sub(1)
        }
    };
    line.len() - text.len() + width > COLUMNS
}

/// The marker in a line, unless it names an issue.
fn marker(line: &str) -> Option<&'static str> {
    MARKERS.into_iter().find(|word| {
        line.match_indices(word).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let rest = &line[at + word.len()..];
            let whole = !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
                && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            whole && !rest.starts_with("(#")
        })
    })
}

/// Relative links of a Markdown file must lead somewhere.
fn check_links(root: &Path, file: &Source, findings: &mut Vec<String>) {
    let folder = root.join(&file.path).parent().map(Path::to_path_buf).unwrap_or_default();
    for (at, _) in file.text.match_indices("](") {
        let rest = &file.text[at + 2..];
        let Some(target) = rest.find(')').map(|end| &rest[..end]) else { continue };
        let target = target.split('#').next().unwrap_or("");
        if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
            continue;
        }
        if !folder.join(target).exists() {
            let line = 1 + file.text[..at].matches('\n').count();
            findings.push(format!("{}:{line}: link to {target} leads nowhere", file.path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_wrapped_and_literals_need_not_be() {
        let (long, wide) = ("word ".repeat(21), |line: &str| is_too_wide(line, &blank(line)));
        assert!(wide(&format!("    /// {long}")));
        assert!(wide(&format!("fn {long}")));
        assert!(!wide(&format!("    call(\"{long}\");")));
        assert!(!wide(&format!("// {}", "½".repeat(90))));
    }

    #[test]
    fn markers_need_issues() {
        assert!(marker(concat!("// TO", "DO: later")).is_some());
        assert!(marker(concat!("// TO", "DO(#12): later")).is_none());
        assert!(marker(concat!("let a", "TO", "DO = 1;")).is_none());
    }
}
