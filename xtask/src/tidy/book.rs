//! The book: its summary lists every page and nothing else.

use super::source::Source;

/// The list of pages.
const SUMMARY: &str = "docs/SUMMARY.md";

pub(super) fn check(files: &[Source], findings: &mut Vec<String>) {
    let Some(summary) = files.iter().find(|f| f.path == SUMMARY) else {
        findings.push(format!("{SUMMARY}: the book has no list of its pages"));
        return;
    };
    let listed: Vec<String> = links(&summary.text).map(|link| format!("docs/{link}")).collect();
    for (k, page) in listed.iter().enumerate() {
        if listed[..k].contains(page) {
            findings.push(format!("{SUMMARY}: {page} is listed twice"));
        }
    }
    let pages = files.iter().filter(|f| f.path.starts_with("docs/") && f.path.ends_with(".md"));
    for page in pages.filter(|f| f.path != SUMMARY && !listed.contains(&f.path)) {
        findings.push(format!("{}: not in {SUMMARY}", page.path));
    }
}

/// The targets of the links of a page.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_are_not_listed_or_twice_are_found() {
        let file = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let files = [
            file("docs/SUMMARY.md", "- [One](one.md)\n- [One again](one.md)\n"),
            file("docs/one.md", ""),
            file("docs/inside/two.md", ""),
        ];
        let mut found = Vec::new();
        check(&files, &mut found);
        assert_eq!(
            found,
            [
                "docs/SUMMARY.md: docs/one.md is listed twice",
                "docs/inside/two.md: not in docs/SUMMARY.md"
            ]
        );
    }
}
