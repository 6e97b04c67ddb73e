//! `cargo xtask publish`: packages every crate in the order of publication, and builds each
//! package.
//!
//! Nothing is uploaded: people decide about a release (CONTRIBUTING.md). With `--pack` the builds
//! are skipped.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Required keys in the manifest of a published crate.
const WANTED: [&str; 7] =
    ["description", "version", "license", "readme", "keywords", "categories", "rust-version"];

/// Checks the manifests, then packages and builds.
pub fn run(args: &[String]) -> Result<(), String> {
    let root = crate::root();
    let manifests = manifests(&root)?;
    let mut findings = Vec::new();
    for (folder, text) in &manifests {
        findings.extend(incomplete(folder, text));
    }
    let published: Vec<&str> =
        manifests.iter().filter(|(_, t)| is_published(t)).map(name).collect();
    let private: Vec<&str> = manifests.iter().filter(|(_, t)| !is_published(t)).map(name).collect();
    findings.extend(dangling(&manifests, &private));
    if !findings.is_empty() {
        return Err(findings.join("\n"));
    }
    eprintln!("publish: {}", published.join(", "));

    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["publish", "--workspace", "--dry-run", "--allow-dirty"]).current_dir(&root);
    if args.iter().any(|a| a == "--pack") {
        cargo.arg("--no-verify");
    }
    let status = cargo.status().map_err(|e| format!("cargo: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("cargo publish: {status}")) }
}

/// The manifests of the crates, by folder.
fn manifests(root: &Path) -> Result<BTreeMap<String, String>, String> {
    let folder = root.join("crates");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut found = BTreeMap::new();
    for entry in entries.flatten() {
        if let Ok(text) = fs::read_to_string(entry.path().join("Cargo.toml")) {
            found.insert(entry.file_name().to_string_lossy().into_owned(), text);
        }
    }
    Ok(found)
}

fn name<'a>((folder, _): (&'a String, &'a String)) -> &'a str {
    folder
}

fn is_published(manifest: &str) -> bool {
    !manifest.lines().any(|line| line.trim() == "publish = false")
}

/// Required keys that a published crate's manifest lacks.
fn incomplete(folder: &str, manifest: &str) -> Vec<String> {
    if !is_published(manifest) {
        return Vec::new();
    }
    let says = |word: &str| {
        manifest.lines().any(|line| {
            let line = line.trim();
            line.starts_with(&format!("{word}.workspace")) || line.starts_with(&format!("{word} ="))
        })
    };
    let missing = WANTED.into_iter().filter(|word| !says(word));
    missing.map(|word| format!("crates/{folder}/Cargo.toml: no {word}")).collect()
}

/// Published crates that depend on an unpublished one.
fn dangling(manifests: &BTreeMap<String, String>, private: &[&str]) -> Vec<String> {
    let mut findings = Vec::new();
    for (folder, text) in manifests.iter().filter(|(_, text)| is_published(text)) {
        let needed = text.split("[dependencies]").nth(1).unwrap_or("");
        let needed = needed.split("\n[").next().unwrap_or("");
        for name in needed.lines().filter_map(|line| line.split(['.', ' ', '=']).next()) {
            if private.contains(&name) {
                findings
                    .push(format!("crates/{folder} is published and needs {name}, which is not"));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_crate_says_what_a_registry_asks_for() {
        let manifests = manifests(&crate::root()).expect("the crates");
        let all: Vec<String> = manifests.iter().flat_map(|(f, t)| incomplete(f, t)).collect();
        assert!(all.is_empty(), "{all:?}");
        let private: Vec<&str> =
            manifests.iter().filter(|(_, t)| !is_published(t)).map(name).collect();
        assert_eq!(private, ["sinew-fuzz", "sinew-py", "sinew-testkit"]);
        assert!(dangling(&manifests, &private).is_empty());
    }

    #[test]
    fn what_is_missing_or_private_is_found() {
        let bare = "[package]\nname = \"a\"\nversion = \"1\"\n[dependencies]\nb.workspace = true\n";
        assert_eq!(incomplete("a", bare).len(), WANTED.len() - 1);
        let manifests = BTreeMap::from([("a".to_string(), bare.to_string())]);
        assert_eq!(
            dangling(&manifests, &["b"]),
            ["crates/a is published and needs b, which is not"]
        );
    }
}
