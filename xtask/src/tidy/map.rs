//! The map of the crates in ARCHITECTURE.md: every module that a table names exists.

use super::source::Source;

const MAP: &str = "ARCHITECTURE.md";

pub(super) fn check(files: &[Source], findings: &mut Vec<String>) {
    let Some(map) = files.iter().find(|f| f.path == MAP) else {
        findings.push(format!("{MAP}: missing"));
        return;
    };
    let exists = |path: &str| {
        files.iter().any(|f| {
            let rest = f.path.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']))
        })
    };
    findings.extend(missing(&map.text, exists).into_iter().map(|text| format!("{MAP}:{text}")));
}

/// Modules in the first columns of tables that do not exist, each with its line. A table is about
/// the crates of its heading, or of its own head.
fn missing(text: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut missing = Vec::new();
    let mut crates: Vec<&str> = Vec::new();
    for (k, line) in text.lines().enumerate() {
        if line.starts_with('#') {
            crates = names(line).filter(|name| is_crate(name)).collect();
        } else if let Some(row) = line.strip_prefix("| ") {
            let first = row.split(" | ").next().unwrap_or(row);
            if first.starts_with("module of ") {
                crates = names(first).collect();
                continue;
            }
            for name in names(first) {
                let path = name.trim_end_matches('/');
                let found = match is_crate(name) {
                    true => exists(&format!("crates/{path}")),
                    false if crates.is_empty() => exists(path),
                    false => crates.iter().any(|of| {
                        exists(&format!("crates/{of}/src/{path}"))
                            || exists(&format!("crates/{of}/{path}"))
                    }),
                };
                if !found {
                    missing.push(format!("{}: no module `{name}`", k + 1));
                }
            }
        }
    }
    missing
}

/// The names in code of a line.
fn names(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

fn is_crate(name: &str) -> bool {
    name == "sinew" || name.starts_with("sinew-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_that_a_table_names_must_exist() {
        let exists = |path: &str| {
            ["crates/sinew-a", "crates/sinew-a/src/one", "crates/sinew-b/src/two"].contains(&path)
        };
        let tables = "### `sinew-a`\n| module | contents |\n| `one`, `two` | `three` |\n\
                      | module of `sinew-b` | contents |\n| `two` | |\n\
                      ## Tools\n| `sinew-a` | |\n| `sinew-c` | |\n";
        let found = missing(tables, exists);
        assert_eq!(found, ["3: no module `two`", "8: no module `sinew-c`"]);
    }
}
