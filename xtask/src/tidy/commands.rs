//! Command lines in documents: their packages, files and steps must exist.
//!
//! Packages, examples, tests, steps of `ci` and paths are looked up. The arguments of `sinew` are
//! tested by `crates/sinew-cli/tests/suite/documents.rs`, which runs the commands.

use std::path::Path;

use super::source::Source;

pub(super) fn check(root: &Path, files: &[Source], findings: &mut Vec<String>) {
    for file in files {
        let quotes = |line: &str| match () {
            () if file.path.ends_with(".md") => true,
            () => file.path.ends_with(".rs") && line.trim_start().starts_with("//"),
        };
        for (n, line) in file.text.lines().enumerate().filter(|(_, line)| quotes(line)) {
            for command in commands(line) {
                if let Some(wrong) = wrong(root, &command) {
                    findings.push(format!("{}:{}: `{command}`: {wrong}", file.path, n + 1));
                }
            }
        }
    }
}

/// The command lines of cargo and sinew in a line: the whole line, or the text between backticks.
fn commands(line: &str) -> Vec<String> {
    let plain = line.trim().trim_start_matches("//!").trim_start_matches("///").trim();
    let quoted = line.split('`').skip(1).step_by(2);
    let candidates = [plain].into_iter().chain(quoted);
    let is_command = |text: &&str| text.starts_with("cargo ") || text.starts_with("sinew ");
    let found = candidates.filter(is_command);
    // a comment, a pipe or a redirection ends a command
    let shortened = found.map(|text| {
        let end = text.find(" #").into_iter().chain(text.find(" > ")).chain(text.find(" | "));
        text[..end.min().unwrap_or(text.len())].trim().to_string()
    });
    shortened.filter(|text| !text.contains('`')).collect()
}

/// The missing names in a command.
fn wrong(root: &Path, command: &str) -> Option<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let after = |flag: &str| {
        let at = words.iter().position(|word| *word == flag)?;
        words.get(at + 1).copied()
    };
    let folder = |package: &str| match package {
        "xtask" => "xtask".to_string(),
        package => format!("crates/{package}"),
    };

    // the package and its examples and tests
    let package = after("-p").or(after("--package"));
    if let Some(package) = package
        && !root.join(folder(package)).join("Cargo.toml").exists()
    {
        return Some(format!("there is no package {package}"));
    }
    for (flag, place) in [("--example", "examples"), ("--test", "tests")] {
        if let Some(name) = after(flag) {
            let Some(package) = package else {
                return Some(format!("{flag} {name} without its package"));
            };
            if !root.join(folder(package)).join(place).join(format!("{name}.rs")).exists() {
                return Some(format!("{package} has no {place}/{name}.rs"));
            }
        }
    }

    // the steps of `ci`
    if let ["cargo", "xtask", "ci", steps @ ..] = words.as_slice() {
        let unknown = steps.iter().find(|s| !s.starts_with("--") && !crate::ci::is_step(s));
        if let Some(unknown) = unknown {
            return Some(format!("ci has no step {unknown}"));
        }
    }

    // files of this repository
    let ours = |word: &&&str| word.starts_with("models/") || word.starts_with("crates/");
    let missing = words.iter().filter(ours).find(|word| {
        let folder = word.split('*').next().unwrap_or(word);
        !root.join(folder).exists()
    });
    missing.map(|path| format!("there is no {path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_in_blocks_and_in_sentences() {
        assert_eq!(commands("cargo xtask ci test   # some"), ["cargo xtask ci test"]);
        assert_eq!(
            commands("//! Run `cargo run -p sinew --example slope`, or `sinew run a.xml`."),
            ["cargo run -p sinew --example slope", "sinew run a.xml"]
        );
        assert_eq!(commands("//! sinew run a.xml > b.txt"), ["sinew run a.xml"]);
        assert!(commands("The crate `sinew` needs cargo.").is_empty());
    }

    #[test]
    fn what_a_command_names_must_exist() {
        let wrong = |command: &str| wrong(&crate::root(), command);
        assert_eq!(wrong("cargo run -p sinew --example slope -- docs"), None);
        assert!(wrong("cargo run -p sinew --example no_such").is_some());
        assert!(wrong("cargo test -p sinew-nothing").is_some());
        assert!(wrong("cargo xtask ci tset").is_some());
        assert!(wrong("sinew check models/no_such.xml").is_some());
        assert_eq!(wrong("sinew check models/*.xml"), None);
    }
}
