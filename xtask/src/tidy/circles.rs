//! Circles of modules: files of a crate, or its top-level modules, that import each other.
//!
//! An edge goes from a file to the file of the module that a path in it names. The path may be in a
//! `use`, a re-export or an expression. Code under `#[cfg(test)]` and the declaration `mod child;`
//! do not count.

use std::collections::{BTreeMap, BTreeSet};

use super::budget::is_test_file;
use super::source::Source;
use crate::scan;

/// Tolerated circles. A circle within a listed one is tolerated; an unused entry is reported.
const KNOWN: &[&[&str]] = &[];

/// Nodes by name, each with the nodes it imports.
type Graph = BTreeMap<String, BTreeSet<String>>;

pub(super) fn check(files: &[Source], findings: &mut Vec<String>) {
    check_except(files, KNOWN, findings);
}

fn check_except(files: &[Source], known: &[&[&str]], findings: &mut Vec<String>) {
    let mut needed = BTreeSet::new();
    for source in source_folders(files) {
        let krate = Crate::new(&source, files);
        for graph in [krate.file_graph(), krate.module_graph()] {
            for circle in circles(&graph) {
                let entry = known
                    .iter()
                    .position(|entry| circle.iter().all(|node| entry.contains(&node.as_str())));
                match entry {
                    Some(entry) => _ = needed.insert(entry),
                    None => findings.push(describe(&graph, &circle)),
                }
            }
        }
    }
    for (k, entry) in known.iter().enumerate() {
        if !needed.contains(&k) {
            let (first, n) = (entry.first().copied().unwrap_or_default(), entry.len());
            findings.push(format!("{first} and {} others: no circle; remove the entry", n - 1));
        }
    }
}

/// The folders `src` of the crates.
fn source_folders(files: &[Source]) -> Vec<String> {
    let roots = files.iter().filter_map(|file| {
        let folder = file.path.strip_suffix("Cargo.toml")?;
        (!folder.is_empty()).then(|| format!("{folder}src/"))
    });
    roots.collect()
}

/// The modules of a crate that are files, by path.
struct Crate<'a> {
    /// Folder of the sources, with a slash at the end.
    folder: &'a str,
    /// The file of each module.
    modules: BTreeMap<Vec<String>, &'a Source>,
}

impl<'a> Crate<'a> {
    fn new(folder: &'a str, files: &'a [Source]) -> Self {
        let mut modules = BTreeMap::new();
        let has_library = files.iter().any(|f| f.path == format!("{folder}lib.rs"));
        for file in files.iter().filter(|f| !is_test_file(&f.path)) {
            let Some(inner) = file.path.strip_prefix(folder) else { continue };
            // a program beside a library is a separate crate
            let other = inner.starts_with("bin/") || (inner == "main.rs" && has_library);
            if let Some(stem) = inner.strip_suffix(".rs").filter(|_| !other) {
                modules.insert(module_path(stem), file);
            }
        }
        Crate { folder, modules }
    }

    /// Files, by path, with the files they import.
    fn file_graph(&self) -> Graph {
        let mut graph = Graph::new();
        for (from, to) in self.edges() {
            let file = |module: &[String]| self.modules[module].path.clone();
            graph.entry(file(&from)).or_default().insert(file(&to));
        }
        graph
    }

    /// Top-level modules with the top-level modules they import. The root is omitted, because it
    /// names all.
    fn module_graph(&self) -> Graph {
        let mut graph = Graph::new();
        for (from, to) in self.edges() {
            if let (Some(from), Some(to)) = (from.first(), to.first())
                && from != to
            {
                let module = |name: &str| format!("{}{name}", self.folder);
                graph.entry(module(from)).or_default().insert(module(to));
            }
        }
        graph
    }

    /// Every pair of different modules of which the first names the second.
    fn edges(&self) -> BTreeSet<(Vec<String>, Vec<String>)> {
        let mut edges = BTreeSet::new();
        for (module, file) in &self.modules {
            for (scope, path) in paths_of(&file.text) {
                let here = [module.as_slice(), &scope].concat();
                if let Some(target) = self.resolve(&here, &path)
                    && target != module.as_slice()
                {
                    edges.insert((module.clone(), target.to_vec()));
                }
            }
        }
        edges
    }

    /// The module of a file that a path in module `here` refers to.
    fn resolve(&self, here: &[String], path: &[String]) -> Option<&[String]> {
        let mut full = here.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                full.clear();
                rest = &path[1..];
            }
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|name| name == "super") {
                    full.pop()?;
                    rest = &rest[1..];
                }
            }
            name => {
                // a child of this module; any other name is a crate, a type or an import
                full.push(name.to_string());
                if !self.modules.contains_key(&full) {
                    return None;
                }
                full.pop();
            }
        }
        full.extend_from_slice(rest);

        // the longest prefix that is a file
        (0..=full.len()).rev().find_map(|n| {
            self.modules.get_key_value(&full[..n]).map(|(module, _)| module.as_slice())
        })
    }
}

/// The path of the module in the file `stem`.rs.
fn module_path(stem: &str) -> Vec<String> {
    let mut path: Vec<String> = stem.split('/').map(String::from).collect();
    if matches!(path.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        path.pop();
    }
    path
}

/// Every path of names in a file outside tests, each with the inline modules it stands in.
fn paths_of(text: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let code = scan::blank(text);
    let tests = scan::test_ranges(&code);

    // the tokens outside of tests
    let tokens: Vec<_> = tokens(&code)
        .into_iter()
        .filter(|(at, _)| !tests.iter().any(|range| range.contains(at)))
        .map(|(_, token)| token)
        .collect();

    // paths, each with the inline modules around it
    let mut found = Vec::new();
    let mut scope: Vec<(String, usize)> = Vec::new();
    let mut depth = 0;
    let mut i = 0;
    while i < tokens.len() {
        match tokens[i] {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                scope.pop_if(|(_, inside)| *inside > depth);
            }
            "mod" if tokens.get(i + 2) == Some(&"{") => {
                scope.push((tokens[i + 1].to_string(), depth + 1));
                i += 1;
            }
            token if is_name(token) && tokens.get(i + 1) == Some(&"::") => {
                let of_macro = i > 0 && tokens[i - 1] == "$";
                let mut paths = Vec::new();
                i = read_path(&tokens, i, Vec::new(), &mut paths);
                let inline: Vec<String> = scope.iter().map(|(name, _)| name.clone()).collect();
                if !of_macro {
                    found.extend(paths.into_iter().map(|path| (inline.clone(), path)));
                }
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    found
}

/// Reads the path, or the tree of paths of a `use`, at token `i`; gives the token after it.
fn read_path(
    tokens: &[&str],
    mut i: usize,
    mut path: Vec<String>,
    found: &mut Vec<Vec<String>>,
) -> usize {
    loop {
        match tokens.get(i) {
            Some(&"{") => {
                i += 1;
                while tokens.get(i).is_some_and(|token| *token != "}") {
                    let start = i;
                    i = read_path(tokens, i, path.clone(), found);
                    if tokens.get(i) == Some(&",") || i == start {
                        i += 1;
                    }
                }
                return i + 1;
            }
            Some(name) if is_name(name) => {
                // `self` inside a group is the path so far
                if path.is_empty() || *name != "self" {
                    path.push(name.to_string());
                }
                i += 1;
            }
            _ => {}
        }
        if tokens.get(i) != Some(&"::") {
            break;
        }
        i += 1;
    }
    while tokens.get(i) == Some(&"as") {
        i += 2;
    }
    found.push(path);
    i
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Names, `::` and single characters of blanked source, with their places.
fn tokens(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = code[at..].chars().next() {
        let rest = &code[at..];
        let length = if c.is_alphanumeric() || c == '_' {
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            c.len_utf8()
        };
        if !c.is_whitespace() {
            found.push((at, &rest[..length]));
        }
        at += length;
    }
    found
}

/// Sets of nodes that all lead to each other, of two nodes or more.
fn circles(graph: &Graph) -> Vec<BTreeSet<String>> {
    let reach: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|node| (node, reachable(graph, node))).collect();
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for (node, seen) in &reach {
        if !seen.contains(node) || found.iter().any(|circle| circle.contains(*node)) {
            continue;
        }
        let back = |other: &&&String| reach.get(**other).is_some_and(|set| set.contains(node));
        found.push(seen.iter().filter(back).map(|other| (*other).clone()).collect());
    }
    found
}

/// All nodes to which edges lead from `start`.
fn reachable<'a>(graph: &'a Graph, start: &'a String) -> BTreeSet<&'a String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        for next in graph.get(node).into_iter().flatten() {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen
}

/// The circle's members, and one way around.
fn describe(graph: &Graph, circle: &BTreeSet<String>) -> String {
    let way = shortest_way(graph, circle);
    let names: Vec<&str> = way.iter().map(|node| node.as_str()).collect();
    let way = names.join(" -> ");
    format!("{way}: a circle of modules ({} in all)", circle.len())
}

/// The shortest way from the first member of a circle back to itself.
fn shortest_way<'a>(graph: &'a Graph, circle: &'a BTreeSet<String>) -> Vec<&'a String> {
    let Some(start) = circle.first() else { return Vec::new() };
    let mut from: BTreeMap<&String, &String> = BTreeMap::new();
    let mut layer = vec![start];
    while !from.contains_key(start) && !layer.is_empty() {
        let mut next = Vec::new();
        for node in layer {
            for to in graph[node].iter().filter(|to| circle.contains(*to)) {
                if !from.contains_key(to) {
                    from.insert(to, node);
                    next.push(to);
                }
            }
        }
        layer = next;
    }

    // backwards along the first discoveries
    let mut way = vec![start];
    let mut node = start;
    while let Some(before) = from.get(node) {
        way.push(before);
        node = before;
        if node == start {
            break;
        }
    }
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(files: &[(&str, &str)], known: &[&[&str]]) -> Vec<String> {
        let mut sources = vec![Source { path: "c/Cargo.toml".into(), text: String::new() }];
        sources.extend(
            files.iter().map(|(path, text)| Source { path: (*path).into(), text: (*text).into() }),
        );
        let mut out = Vec::new();
        check_except(&sources, known, &mut out);
        out
    }

    #[test]
    fn files_that_use_each_other_are_a_circle() {
        let files = [
            ("c/src/lib.rs", "mod r;"),
            ("c/src/r/mod.rs", "mod a; mod b;"),
            ("c/src/r/a.rs", "use crate::r::b::f;"),
            ("c/src/r/b.rs", "fn f() { super::a::g() }"),
        ];
        let circle = "c/src/r/a.rs -> c/src/r/b.rs -> c/src/r/a.rs: a circle of modules (2 in all)";
        assert_eq!(findings(&files, &[]), [circle]);
    }

    #[test]
    fn a_child_that_uses_what_its_parent_takes_from_it_is_a_circle() {
        let parent = ("c/src/r/mod.rs", "mod a; pub use a::f; pub struct T;");
        let child = ("c/src/r/a.rs", "use super::{T, other::U};");
        assert_eq!(findings(&[("c/src/lib.rs", "mod r;"), parent, child], &[]).len(), 1);
        let plain = ("c/src/r/mod.rs", "mod a; pub struct T;");
        assert!(findings(&[("c/src/lib.rs", "mod r;"), plain, child], &[]).is_empty());
    }

    #[test]
    fn rooms_that_use_each_other_are_a_circle_even_where_their_files_are_not() {
        let files = [
            ("c/src/lib.rs", "mod r; mod s; pub use r::a::f; pub use s::b::g;"),
            ("c/src/r/a.rs", "use crate::s::b::g;"),
            ("c/src/s/b.rs", ""),
            ("c/src/s/d.rs", "use crate::{r::e::{self, h}, s::b};"),
            ("c/src/r/e.rs", ""),
        ];
        let circle = "c/src/r -> c/src/s -> c/src/r: a circle of modules (2 in all)";
        assert_eq!(findings(&files, &[]), [circle]);
    }

    #[test]
    fn tests_comments_inline_modules_and_macros_make_no_circle() {
        let files = [
            ("c/src/lib.rs", "mod a; mod b;"),
            ("c/src/a.rs", "use crate::b::f; mod inner { use super::T; }"),
            ("c/src/b.rs", "// crate::a\n#[cfg(test)]\nmod tests { use crate::a::g; }"),
            ("c/src/b/tests.rs", "use crate::a::g;"),
            ("c/src/d.rs", "macro_rules! m { () => { $crate::a::T } }"),
        ];
        assert!(findings(&files, &[]).is_empty());
    }

    #[test]
    fn a_known_circle_is_tolerated_until_it_is_broken() {
        let circle = [("c/src/a.rs", "use crate::b::f;"), ("c/src/b.rs", "use crate::a::g;")];
        let files: &[&str] = &["c/src/a.rs", "c/src/b.rs", "c/src/d.rs"];
        let folders: &[&str] = &["c/src/a", "c/src/b"];
        assert!(findings(&circle, &[files, folders]).is_empty());
        let broken = [("c/src/a.rs", "use crate::b::f;"), ("c/src/b.rs", "")];
        assert_eq!(findings(&broken, &[files, folders]).len(), 2);
    }
}
