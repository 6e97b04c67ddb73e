//! Prose of the documents and of comments: width of lines, length of sentences, their subjects.
//!
//! Code, tables, headings, formulas and targets of links are exempt.

use super::source::Source;

/// Columns of a line.
const COLUMNS: usize = 100;
/// Words of a sentence. A list of names in code counts as one word.
const WORDS: usize = 25;
/// Words before `what` after which a noun serves better.
const BEFORE_WHAT: [&str; 11] =
    ["of", "by", "with", "from", "for", "in", "to", "than", "and", "but", "as"];
/// Beginnings of a sentence that name no subject; questions may begin with them.
const NO_SUBJECT: [&[&str]; 14] = [
    &["What"],
    &["what"],
    &["Whatever"],
    &["those"],
    &["Who"],
    &["Whoever"],
    &["It"],
    &["Its"],
    &["That"],
    &["Those"],
    &["One", "of"],
    &["One", "is"],
    &["One", "has"],
    &["As", "many"],
];

pub(super) fn check(files: &[Source], findings: &mut Vec<String>) {
    for file in files {
        let found = if file.path.ends_with(".md") {
            findings_of(&file.text)
        } else if file.path.ends_with(".rs") {
            comments(&file.text).iter().flat_map(findings_in).collect()
        } else {
            Vec::new()
        };
        for (line, message) in found {
            findings.push(format!("{}:{line}: {message}", file.path));
        }
    }
}

/// The findings in a text of Markdown, each with its line.
fn findings_of(text: &str) -> Vec<(usize, String)> {
    let mut findings = Vec::new();
    for (n, line) in prose_lines(text) {
        if without_targets(line).chars().count() > COLUMNS {
            findings.push((n, format!("wider than {COLUMNS} columns")));
        }
    }
    for (n, paragraph) in paragraphs(text) {
        findings.extend(findings_in_paragraph(n, &paragraph));
    }
    findings
}

/// The findings in a comment of Rust, which begins at a line.
fn findings_in((start, text): &(usize, String)) -> Vec<(usize, String)> {
    let in_paragraph = |(n, text): &(usize, String)| findings_in_paragraph(start + n - 1, text);
    paragraphs(text).iter().flat_map(in_paragraph).collect()
}

/// The findings in the sentences of a paragraph, which begins at line `n`.
fn findings_in_paragraph(n: usize, paragraph: &str) -> Vec<(usize, String)> {
    let mut findings = Vec::new();
    for sentence in sentences(paragraph) {
        let words: Vec<&str> = sentence.split_whitespace().filter(|w| is_word(w)).collect();
        let start = words.iter().take(4).copied().collect::<Vec<_>>().join(" ");
        if words.len() > WORDS {
            let message = format!("`{start} ...` has {} words, at most {WORDS}", words.len());
            findings.push((n, message));
        }
        let begins = |no: &&[&str]| words.len() >= no.len() && words[..no.len()] == **no;
        if !sentence.ends_with('?') && NO_SUBJECT.iter().any(begins) {
            findings.push((n, format!("`{start} ...` begins with no subject")));
        }
        let for_a_noun = |pair: &&[&str]| pair[1] == "what" && BEFORE_WHAT.contains(&pair[0]);
        if let Some(pair) = words.windows(2).find(for_a_noun) {
            findings.push((n, format!("`{} what` stands for a noun: name it", pair[0])));
        }
    }
    findings
}

/// The comments of a Rust file that stand on lines of their own, each with its first line. Lines of
/// a formula, which have columns apart, are empty.
fn comments(text: &str) -> Vec<(usize, String)> {
    let mut comments: Vec<(usize, String)> = Vec::new();
    let mut last: Option<(usize, &str)> = None;
    for (k, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let marker = ["///", "//!", "//"].into_iter().find(|marker| line.starts_with(marker));
        if let Some(marker) = marker {
            let body = line[marker.len()..].trim_start_matches('/').trim_end();
            let body = if body.trim_start().contains("  ") { "" } else { body };
            if last != Some((k, marker)) {
                comments.push((k + 1, String::new()));
            }
            if let Some((_, comment)) = comments.last_mut() {
                comment.push_str(body);
                comment.push('\n');
            }
            last = Some((k + 1, marker));
        }
    }
    comments
}

/// Lines that are neither code nor tables nor headings, with their numbers. Blank lines, and empty
/// lines in place of others, end paragraphs.
fn prose_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence = false;
    text.lines().enumerate().map(move |(n, line)| {
        let start = line.trim_start();
        let is_fence = start.starts_with("```");
        let exempt = fence || is_fence || start.starts_with(['|', '#']) || start.starts_with("![");
        fence ^= is_fence;
        (n + 1, if exempt { "" } else { line })
    })
}

/// Paragraphs and items of lists, each in one line, without markup, with the number of its first.
fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let mut paragraphs: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (n, line) in prose_lines(text) {
        let text = line.trim();
        let numbered = text.split_once(". ").is_some_and(|(k, _)| k.parse::<u8>().is_ok());
        let item = text.starts_with("- ") || text.starts_with("* ") || numbered;
        match paragraphs.last_mut() {
            _ if text.is_empty() => open = false,
            Some((_, paragraph)) if open && !item => {
                paragraph.push(' ');
                paragraph.push_str(text);
            }
            _ => {
                let marker = if item { text.find(' ').map_or(0, |at| at + 1) } else { 0 };
                paragraphs.push((n, text[marker..].to_owned()));
                open = true;
            }
        }
    }
    for (_, paragraph) in &mut paragraphs {
        *paragraph = plain(&without_targets(paragraph));
    }
    paragraphs
}

/// A text without the targets of its links.
fn without_targets(text: &str) -> String {
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or("").to_owned();
    for part in parts {
        plain.push(']');
        plain.push_str(part.split_once(')').map_or(part, |(_, rest)| rest));
    }
    plain
}

/// A text without emphasis, in which names in code that follow each other are one word.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for (k, part) in text.split('`').enumerate() {
        let joins = k % 2 == 0 && k > 0 && matches!(part.trim(), "," | "and" | "or" | ", and" | "");
        match (k % 2, joins) {
            (0, false) => plain.push_str(&part.replace(['*', '[', ']'], "")),
            (1, _) if !plain.ends_with('`') => plain.push_str("`code`"),
            _ => {}
        }
    }
    plain
}

/// The sentences of a paragraph: a full stop, question or exclamation mark ends one where a blank
/// and no small letter follows.
fn sentences(paragraph: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for (at, mark) in paragraph.char_indices().filter(|(_, c)| ".?!:".contains(*c)) {
        let rest = &paragraph[at + mark.len_utf8()..];
        let rest = rest.trim_start_matches([')', '"', '\'']);
        let next = rest.trim_start().chars().next();
        let blank = rest.starts_with(' ');
        let ends = match mark {
            // a colon ends a sentence where another begins
            ':' => blank && next.is_some_and(char::is_uppercase),
            _ => rest.is_empty() || blank && !next.is_some_and(char::is_lowercase),
        };
        if ends {
            let end = paragraph.len() - rest.len();
            sentences.push(paragraph[start..end].trim());
            start = end;
        }
    }
    sentences.push(paragraph[start..].trim());
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// Whether a piece between blanks counts as a word.
fn is_word(piece: &str) -> bool {
    piece.contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<String> {
        findings_of(text).into_iter().map(|(n, message)| format!("{n}: {message}")).collect()
    }

    #[test]
    fn lines_of_prose_are_wrapped() {
        let wide = "A word. ".repeat(13);
        assert_eq!(messages(&wide), ["1: wider than 100 columns"]);
        for exempt in ["| ", "# ", "![a](b) "] {
            assert!(messages(&format!("{exempt}{wide}")).is_empty());
        }
        assert!(messages(&format!("```\n{wide}\n```\n")).is_empty());
        assert!(messages(&format!("[a link]({})", "a/".repeat(60))).is_empty());
    }

    #[test]
    fn sentences_are_short() {
        let long = "w ".repeat(26);
        assert_eq!(messages(&format!("Fine.\n\n- {}\n  end", long.trim())).len(), 1);
        assert!(messages("Twenty words. ".repeat(6).trim()).is_empty());
        let names = (0..30).map(|k| format!("`name{k}`")).collect::<Vec<_>>().join(",\n");
        assert!(messages(&format!("The names are {names}.")).is_empty());
        let half = "w ".repeat(13);
        let halves = format!("{half}version 3.5.0 of\n{}", half.trim());
        assert_eq!(messages(&halves), ["1: `w w w w ...` has 29 words, at most 25"]);
    }

    #[test]
    fn comments_are_read_by_paragraphs() {
        let found = |text: &str| -> Vec<usize> {
            comments(text).iter().flat_map(findings_in).map(|(line, _)| line).collect()
        };
        let half = "w ".repeat(13);
        assert_eq!(found(&format!("fn f() {{}}\n/// {half}\n/// {half}\nfn g() {{}}")), [2]);
        assert!(found(&format!("/// {half}\n///\n/// {half}\n")).is_empty());
        assert!(found(&format!("//! {half}\n// {half}\n")).is_empty());
        assert!(found(&format!("    // a  b {half}{half}\n")).is_empty());
        assert!(found(&format!("let s = \"// {half}\"; // {half}{half}\n")).is_empty());
        assert_eq!(found("//! Fine.\n//!\n//! Those go. It goes.\n"), [3, 3]);
    }

    #[test]
    fn sentences_begin_with_a_subject() {
        assert_eq!(
            messages("A noun does. It does\nnot."),
            ["1: `It does not. ...` begins with no subject"]
        );
        assert_eq!(messages("- Those of others.").len(), 1);
        assert!(messages("What is this? One world has items.").is_empty());
        assert_eq!(
            messages("A world keeps the rest of what it had."),
            ["1: `of what` stands for a noun: name it"]
        );
        assert!(messages("The error says what is wrong.").is_empty());
    }
}
