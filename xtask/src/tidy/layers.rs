//! Permitted dependencies of crates, and operations that lower layers must not use.

use super::source::Source;
use crate::scan;

/// A crate with its allowed dependencies: crates of this workspace, and crates of crates.io.
struct Layer {
    name: &'static str,
    ours: &'static [&'static str],
    theirs: &'static [&'static str],
}

/// All permitted dependencies.
const LAYERS: &[Layer] = &[
    // a development dependency of any crate's tests
    Layer { name: "sinew-testkit", ours: &[], theirs: &[] },
    Layer { name: "sinew-math", ours: &[], theirs: &[] },
    Layer { name: "sinew-geom", ours: &["sinew-math"], theirs: &[] },
    Layer { name: "sinew-cone", ours: &["sinew-math"], theirs: &[] },
    Layer { name: "sinew-model", ours: &["sinew-math"], theirs: &[] },
    Layer {
        name: "sinew-engine",
        ours: &["sinew-math", "sinew-geom", "sinew-cone", "sinew-model"],
        theirs: &["rayon"],
    },
    Layer {
        name: "sinew-diagnose",
        ours: &["sinew-math", "sinew-model", "sinew-engine"],
        theirs: &[],
    },
    Layer { name: "sinew-kernel", ours: &["sinew-math", "sinew-geom"], theirs: &[] },
    Layer {
        name: "sinew-gpu",
        ours: &["sinew-math", "sinew-geom", "sinew-model", "sinew-engine", "sinew-kernel"],
        theirs: &["libloading"],
    },
    Layer {
        name: "sinew-batch",
        ours: &["sinew-model", "sinew-engine", "sinew-kernel", "sinew-gpu"],
        theirs: &["rayon"],
    },
    Layer {
        name: "sinew-scene",
        ours: &["sinew-math", "sinew-geom", "sinew-model", "sinew-engine"],
        theirs: &[],
    },
    Layer { name: "sinew-render", ours: &["sinew-model", "sinew-scene"], theirs: &["rayon"] },
    Layer {
        name: "sinew-mjcf",
        ours: &["sinew-math", "sinew-geom", "sinew-model", "sinew-engine", "sinew-diagnose"],
        theirs: &["annotate-snippets", "strsim", "tobj", "png", "thiserror"],
    },
    Layer {
        name: "sinew-view",
        ours: &[
            "sinew-math",
            "sinew-model",
            "sinew-engine",
            "sinew-mjcf",
            "sinew-scene",
            "sinew-render",
        ],
        theirs: &["getrandom", "miniz_oxide", "serde_json"],
    },
    Layer {
        name: "sinew",
        ours: &[
            "sinew-math",
            "sinew-geom",
            "sinew-model",
            "sinew-engine",
            "sinew-batch",
            "sinew-diagnose",
            "sinew-mjcf",
        ],
        theirs: &[],
    },
    Layer { name: "sinew-c", ours: &["sinew"], theirs: &[] },
    Layer { name: "sinew-workload", ours: &["sinew"], theirs: &["libc"] },
    Layer { name: "sinew-bench", ours: &["sinew-workload"], theirs: &[] },
    Layer {
        name: "sinew-cli",
        ours: &["sinew", "sinew-workload", "sinew-scene", "sinew-render", "sinew-view"],
        theirs: &[
            "anyhow",
            "clap",
            "clap_complete",
            "indicatif",
            "miniz_oxide",
            "png",
            "serde_json",
        ],
    },
    Layer {
        name: "sinew-fuzz",
        ours: &[
            "sinew",
            "sinew-cone",
            "sinew-gpu",
            "sinew-kernel",
            "sinew-scene",
            "sinew-render",
            "sinew-view",
            "sinew-testkit",
        ],
        theirs: &[],
    },
    Layer {
        name: "sinew-py",
        ours: BELOW_FACADE_USERS,
        // the last three only settle features of builds
        theirs: &["pyo3", "numpy", "rayon", "anstyle", "either", "serde_core"],
    },
    Layer { name: "xtask", ours: &[], theirs: &[] },
];

/// Permitted dependencies of the top crates.
const BELOW_FACADE_USERS: &[&str] = &[
    "sinew",
    "sinew-math",
    "sinew-geom",
    "sinew-model",
    "sinew-engine",
    "sinew-batch",
    "sinew-diagnose",
    "sinew-scene",
    "sinew-render",
    "sinew-mjcf",
    "sinew-view",
];

/// Crates below `sinew-mjcf` do not print, exit, read the clock or touch files.
const PURE: [&str; 7] = [
    "sinew-math",
    "sinew-geom",
    "sinew-cone",
    "sinew-model",
    "sinew-engine",
    "sinew-diagnose",
    "sinew-scene",
];
const IMPURE: [&str; 7] =
    ["std::fs", "std::env", "std::time", "std::process", "std::net", "println!", "print!"];

pub(super) fn check(files: &[Source], findings: &mut Vec<String>) {
    for file in files.iter().filter(|f| f.path.ends_with("/Cargo.toml")) {
        check_manifest(file, findings);
    }
    for file in files.iter().filter(|f| f.path.ends_with(".rs")) {
        let pure = PURE.iter().any(|name| file.path.starts_with(&format!("crates/{name}/src/")));
        if pure && !super::budget::is_test_file(&file.path) {
            check_purity(file, findings);
        }
    }
}

fn check_manifest(file: &Source, findings: &mut Vec<String>) {
    let manifest = Manifest::parse(&file.text);
    let folder = file.path.trim_end_matches("/Cargo.toml").rsplit('/').next().unwrap_or("");
    if folder != manifest.name {
        findings.push(format!("{}: crate {} is not its folder's name", file.path, manifest.name));
    }
    let Some(layer) = LAYERS.iter().find(|l| l.name == manifest.name) else {
        findings.push(format!("{}: crate {} has no layer", file.path, manifest.name));
        return;
    };
    for dependency in &manifest.dependencies {
        let allowed = layer.ours.iter().chain(layer.theirs).any(|a| a == dependency);
        if !allowed {
            findings.push(format!("{}: {} may not use {dependency}", file.path, layer.name));
        }
    }
}

fn check_purity(file: &Source, findings: &mut Vec<String>) {
    let code = scan::blank(&file.text);
    let tests = scan::test_ranges(&code);
    for word in IMPURE {
        for (at, _) in code.match_indices(word) {
            if tests.iter().any(|r| r.contains(&at)) {
                continue;
            }
            let line = 1 + code[..at].matches('\n').count();
            findings.push(format!("{}:{line}: {word} below sinew-mjcf", file.path));
        }
    }
}

/// The relevant part of a manifest.
struct Manifest {
    name: String,
    dependencies: Vec<String>,
}

impl Manifest {
    /// Reads the name and the normal dependencies; development dependencies may point anywhere.
    fn parse(text: &str) -> Manifest {
        let mut manifest = Manifest { name: String::new(), dependencies: Vec::new() };
        let mut section = "";
        for line in text.lines().map(str::trim) {
            if line.starts_with('[') {
                section = line;
                if let Some(name) = line.strip_prefix("[dependencies.") {
                    manifest.dependencies.push(name.trim_end_matches(']').to_string());
                }
                continue;
            }
            let Some((key, value)) = line.split_once('=') else { continue };
            let key = key.trim().trim_end_matches(".workspace").trim_matches('"');
            if section == "[package]" && key == "name" {
                manifest.name = value.trim().trim_matches('"').to_string();
            }
            if section == "[dependencies]" && !key.starts_with('#') {
                manifest.dependencies.push(key.to_string());
            }
        }
        manifest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<String> {
        let mut out = Vec::new();
        check(&[Source { path: path.into(), text: text.into() }], &mut out);
        out
    }

    #[test]
    fn an_upward_dependency_is_found() {
        let bad =
            "[package]\nname = \"sinew-geom\"\n[dependencies]\nsinew-model.workspace = true\n";
        assert_eq!(
            findings("crates/sinew-geom/Cargo.toml", bad),
            ["crates/sinew-geom/Cargo.toml: sinew-geom may not use sinew-model"]
        );
        let good = "[package]\nname = \"sinew-geom\"\n[dev-dependencies]\nsinew-model = \"1\"\n";
        assert!(findings("crates/sinew-geom/Cargo.toml", good).is_empty());
    }

    #[test]
    fn files_are_not_touched_below_mjcf() {
        let text = "fn f() { std::fs::read(\"x\"); }\n#[cfg(test)]\nmod tests { use std::time; }";
        assert_eq!(
            findings("crates/sinew-engine/src/lib.rs", text),
            ["crates/sinew-engine/src/lib.rs:1: std::fs below sinew-mjcf"]
        );
    }
}
