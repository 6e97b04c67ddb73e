//! Budgets of files, functions and parameter lists, with one file of exceptions.

use super::source::Source;
use crate::scan;

/// Path of the list of exceptions.
pub(super) const EXCEPTIONS: &str = "xtask/exceptions.txt";

const FILE_LINES: usize = 900;
const FUNCTION_LINES: usize = 100;
const PARAMS: usize = 7;
const VAGUE_NAMES: [&str; 5] = ["utils.rs", "util.rs", "helpers.rs", "types.rs", "misc.rs"];

/// Listed exceptions: `kind place reason`, where a place is a file or `file:function`.
pub(super) struct Exceptions(Vec<(String, String)>);

impl Exceptions {
    pub(super) fn parse(text: &str) -> Result<Exceptions, String> {
        let mut list = Vec::new();
        for (n, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut words = line.splitn(3, char::is_whitespace);
            let (Some(kind), Some(place), Some(reason)) =
                (words.next(), words.next(), words.next())
            else {
                return Err(format!("{EXCEPTIONS}:{}: wanted `kind place reason`", n + 1));
            };
            if !["file", "function", "params"].contains(&kind) || reason.trim().len() < 10 {
                return Err(format!("{EXCEPTIONS}:{}: unknown kind or no reason", n + 1));
            }
            list.push((kind.to_string(), place.to_string()));
        }
        Ok(Exceptions(list))
    }

    fn allows(&self, kind: &str, place: &str) -> bool {
        self.0.iter().any(|(k, p)| k == kind && p == place)
    }
}

pub(super) fn check(files: &[Source], exceptions: &Exceptions, findings: &mut Vec<String>) {
    let mut used = Vec::new();
    let mut over = |kind: &str, place: String, message: String, findings: &mut Vec<String>| {
        if exceptions.allows(kind, &place) {
            used.push((kind.to_string(), place));
        } else {
            findings.push(message);
        }
    };
    for file in files.iter().filter(|f| f.path.ends_with(".rs")) {
        let path = &file.path;
        let name = path.rsplit('/').next().unwrap_or("");
        if VAGUE_NAMES.contains(&name) {
            findings.push(format!("{path}: name the thing instead of {name}"));
        }
        if is_test_file(path) {
            continue;
        }

        // lines outside test modules
        let code = scan::blank(&file.text);
        let tests = scan::test_ranges(&code);
        let in_tests: usize = tests.iter().map(|r| code[r.clone()].matches('\n').count()).sum();
        let lines = file.text.lines().count() - in_tests;
        if lines > FILE_LINES {
            let message = format!("{path}: {lines} lines, at most {FILE_LINES}");
            over("file", path.clone(), message, findings);
        }

        // functions outside test modules
        let test_lines: Vec<_> = tests
            .iter()
            .map(|r| code[..r.start].matches('\n').count()..code[..r.end].matches('\n').count())
            .collect();
        for f in scan::functions(&code) {
            if test_lines.iter().any(|r| r.contains(&(f.line - 1))) {
                continue;
            }
            let place = format!("{path}:{}", f.name);
            let at = format!("{path}:{}: fn {}", f.line, f.name);
            if f.lines > FUNCTION_LINES {
                let message = format!("{at} has {} lines, at most {FUNCTION_LINES}", f.lines);
                over("function", place.clone(), message, findings);
            }
            if f.params > PARAMS {
                let message = format!("{at} has {} parameters, at most {PARAMS}", f.params);
                over("params", place, message, findings);
            }
        }
    }
    for (kind, place) in &exceptions.0 {
        if !used.contains(&(kind.clone(), place.clone())) {
            findings.push(format!("{EXCEPTIONS}: {kind} {place} is within its budget; remove it"));
        }
    }
}

/// Whether a file contains only tests.
pub(super) fn is_test_file(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs") || path.contains("/benches/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str, exceptions: &str) -> Vec<String> {
        let list = Exceptions::parse(exceptions).expect("well-formed exceptions");
        let mut out = Vec::new();
        check(&[Source { path: "crates/a/src/a.rs".into(), text: text.into() }], &list, &mut out);
        out
    }

    #[test]
    fn a_long_function_is_found_unless_excepted() {
        let text = format!("fn long() {{\n{}}}\n", "    x();\n".repeat(99));
        assert_eq!(
            findings(&text, ""),
            ["crates/a/src/a.rs:1: fn long has 101 lines, at most 100"]
        );
        let exception = "function crates/a/src/a.rs:long because the case table is one piece";
        assert!(findings(&text, exception).is_empty());
        assert_eq!(findings("fn short() {}", exception).len(), 1);
    }

    #[test]
    fn tests_do_not_count() {
        let body = "    x();\n".repeat(950);
        let text = format!("fn a() {{}}\n#[cfg(test)]\nmod tests {{ fn t() {{\n{body}}} }}\n");
        assert!(findings(&text, "").is_empty());
    }

    #[test]
    fn exceptions_need_reasons() {
        assert!(Exceptions::parse("file crates/a.rs short").is_err());
    }
}
