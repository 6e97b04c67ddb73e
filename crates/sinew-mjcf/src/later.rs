//! Names of MJCF that came with later versions of MuJoCo and that the schema lacks.

/// A line of `later.txt`: a version, the parents and the name of an element, its new names.
type Line = (&'static str, &'static str, &'static str, &'static str);

/// All lines.
fn lines() -> impl Iterator<Item = Line> {
    let lines = include_str!("later.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let (version, rest) = line.split_once(' ')?;
        let (place, names) = rest.split_once(' ')?;
        let (parents, element) = place.split_once('/')?;
        Some((version, parents, element, names))
    })
}

/// The version that brought a name of an element to the children of `parent`.
fn find(parent: &str, element: &str, name: &str) -> Option<&'static str> {
    let parent = match (parent, element) {
        (_, "body" | "worldbody" | "frame" | "replicate") => "mujoco",
        ("worldbody" | "frame" | "replicate", _) => "body",
        (other, _) => other,
    };
    let element =
        if matches!(element, "worldbody" | "frame" | "replicate") { "body" } else { element };
    let found = lines().find(|(_, parents, own, names)| {
        let here = *own == element && parents.split(',').any(|p| p == parent);
        here && names.split(' ').any(|n| n == name)
    });
    found.map(|(version, ..)| version)
}

/// The version of MuJoCo that brought an element, if it is one of the list.
pub(crate) fn element(parent: &str, element: &str) -> Option<&'static str> {
    find(parent, element, "+")
}

/// The treatment of an attribute of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attribute {
    /// The attribute is not in the list.
    Unknown,
    /// The attribute is an error; the version that brought it.
    Refused(&'static str),
    /// The attribute has no effect; the version that brought it.
    NoEffect(&'static str),
    /// The value is the one that holds without the attribute.
    Usual,
}

/// The treatment of an attribute with a value.
pub(crate) fn attribute(parent: &str, element: &str, name: &str, value: &str) -> Attribute {
    let find = |name: &str| find(parent, element, name);
    if find(&format!("{name}:{value}")).is_some() {
        return Attribute::Usual;
    }
    match (find(&format!("~{name}")), find(name)) {
        (Some(version), _) => Attribute::NoEffect(version),
        (None, Some(version)) => Attribute::Refused(version),
        (None, None) => Attribute::Unknown,
    }
}

/// The version of MuJoCo that brought a keyword of a text, if it is in the list.
pub(crate) fn keyword(element: &str, name: &str, text: &str) -> Option<&'static str> {
    text.split_ascii_whitespace().find_map(|word| find("-", element, &format!("{name}={word}")))
}

/// The end of a message about something that came with `version`.
pub(crate) fn words(version: &str) -> String {
    format!("it came with MuJoCo {version} and is not supported")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Occurs, Rule, rules};

    /// The output of `schema_names.py`.
    const NAMES: &str = include_str!("../tests/mjcf-4.0.0.txt");

    /// The rule at a path, such as `mujoco/asset/mesh`.
    fn at(path: &str) -> Option<&'static Rule> {
        path.split('/').skip(1).try_fold(rules(), |rule, name| {
            let same = rule.occurs == Occurs::Recursive && rule.name == name;
            rule.children.iter().find(|r| r.name == name).or(same.then_some(rule))
        })
    }

    fn last_two(path: &str) -> (&str, &str) {
        let (parents, element) = path.rsplit_once('/').unwrap_or(("", path));
        (parents.rsplit('/').next().unwrap_or(""), element)
    }

    #[test]
    fn every_name_of_mujoco_4_is_in_the_schema_or_in_the_list() {
        for line in NAMES.lines().filter(|line| !line.starts_with('#')) {
            let (path, names) = line.split_once(' ').unwrap_or((line, ""));
            let (parent, name) = last_two(path);
            let Some(rule) = at(path) else {
                assert!(element(parent, name).is_some(), "{path} is unknown");
                continue;
            };
            assert!(element(parent, name).is_none(), "{path} is in the schema and in later.txt");
            for attr in names.split_whitespace() {
                let ours = rule.attr(attr).is_some();
                let later = attribute(parent, name, attr, "") != Attribute::Unknown;
                assert!(ours || later, "{path}: '{attr}' is unknown");
                assert!(!(ours && later), "{path}: '{attr}' is in the schema and in later.txt");
            }
        }
    }

    #[test]
    fn every_name_of_the_list_is_of_mujoco_4() {
        for (_, parents, own, names) in lines().filter(|line| line.1 != "-") {
            for parent in parents.split(',') {
                let found = NAMES.lines().find_map(|line| {
                    let (path, attrs) = line.split_once(' ').unwrap_or((line, ""));
                    (last_two(path) == (parent, own)).then_some(attrs)
                });
                let attrs = found.unwrap_or_else(|| panic!("no element {parent}/{own}"));
                for name in names.split(' ').filter(|name| *name != "+") {
                    let name = name.trim_start_matches('~').split(':').next().unwrap_or("");
                    let known = attrs.split(' ').any(|attr| attr == name);
                    assert!(known, "{parent}/{own}: no attribute '{name}'");
                }
            }
        }
    }
}
