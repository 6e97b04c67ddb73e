//! A scanner of Rust source for measurements: comments, strings, braces, functions.

use std::ops::Range;

/// A function found in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Name of the function.
    pub name: String,
    /// Line on which it starts, from 1.
    pub line: usize,
    /// Lines from the signature to the closing brace.
    pub lines: usize,
    /// Number of parameters, `self` included.
    pub params: usize,
}

/// The source with comments and contents of literals blanked; lines and columns stay.
pub fn blank(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut out = bytes.to_vec();
    let mut i = 0;
    while i < bytes.len() {
        // end of a comment or literal that begins here
        let end = match bytes[i] {
            b'/' if bytes.get(i + 1) == Some(&b'/') => line_end(bytes, i),
            b'/' if bytes.get(i + 1) == Some(&b'*') => block_comment_end(bytes, i),
            b'"' => string_end(bytes, i),
            b'r' if !is_word_before(bytes, i) => match raw_string_end(bytes, i) {
                Some(end) => end,
                None => i,
            },
            b'\'' => char_end(bytes, i).unwrap_or(i),
            _ => i,
        };
        if end == i {
            i += 1;
            continue;
        }

        // a blank for each byte
        for byte in &mut out[i..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        i = end;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The byte ranges of modules under `#[cfg(test)]` in blanked source.
pub fn test_ranges(code: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut from = 0;
    while let Some(at) = code[from..].find("#[cfg(test)]") {
        let start = from + at;
        let body = code[start..].find(['{', ';']).map_or(code.len(), |k| start + k);
        let end = if code.as_bytes().get(body) == Some(&b'{') { close(code, body) } else { body };
        ranges.push(start..end);
        from = end.max(start + 1);
    }
    ranges
}

/// Every function with a body in blanked source.
pub fn functions(code: &str) -> Vec<Function> {
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = code[from..].find("fn ") {
        let start = from + at;
        from = start + 3;
        if is_word_before(bytes, start) {
            continue;
        }
        if let Some(function) = function_at(code, start) {
            found.push(function);
        }
    }
    found
}

/// The function whose `fn` keyword is at `start`; `None` for a declaration or a function type.
fn function_at(code: &str, start: usize) -> Option<Function> {
    let bytes = code.as_bytes();
    let mut i = start + 3;
    let name_end = i + code[i..].find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))?;
    let name = code[i..name_end].to_string();
    if name.is_empty() {
        return None;
    }

    // generic parameters, in which `->` is no closing bracket
    i = name_end;
    if bytes.get(i) == Some(&b'<') {
        let mut depth = 0i32;
        loop {
            match bytes.get(i)? {
                b'<' => depth += 1,
                b'>' if bytes[i - 1] != b'-' => depth -= 1,
                _ => {}
            }
            i += 1;
            if depth == 0 {
                break;
            }
        }
    }

    // parameters, then the body
    let open = i + code[i..].find('(')?;
    let shut = close(code, open);
    let params = count_params(&code[open + 1..shut.saturating_sub(1).max(open + 1)]);
    let body = shut + code[shut..].find(['{', ';'])?;
    if bytes[body] == b';' {
        return None;
    }
    let end = close(code, body);
    let line = 1 + code[..start].matches('\n').count();
    let lines = 1 + code[start..end].matches('\n').count();
    Some(Function { name, line, lines, params })
}

/// Parameters in the text between the parentheses.
fn count_params(text: &str) -> usize {
    let mut depth = 0i32;
    let mut count = 0;
    let mut any = false;
    let mut previous = ' ';
    for c in text.chars() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if previous != '-' => depth -= 1,
            ',' if depth == 0 => {
                count += usize::from(any);
                any = false;
            }
            _ => {}
        }
        any |= !c.is_whitespace() && c != ',';
        previous = c;
    }
    count + usize::from(any)
}

/// Index after the bracket that closes the bracket at `open`.
fn close(code: &str, open: usize) -> usize {
    let mut depth = 0i32;
    for (k, byte) in code.as_bytes()[open..].iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + k + 1;
        }
    }
    code.len()
}

fn is_word_before(bytes: &[u8], i: usize) -> bool {
    i > 0 && (bytes[i - 1].is_ascii_alphanumeric() || bytes[i - 1] == b'_')
}

fn line_end(bytes: &[u8], i: usize) -> usize {
    bytes[i..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |k| i + k)
}

fn block_comment_end(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0;
    let mut i = start;
    while i + 1 < bytes.len() {
        match (bytes[i], bytes[i + 1]) {
            (b'/', b'*') => {
                depth += 1;
                i += 2;
            }
            (b'*', b'/') => {
                depth -= 1;
                i += 2;
                if depth == 0 {
                    return i;
                }
            }
            _ => i += 1,
        }
    }
    bytes.len()
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut i = start + 1;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 2,
            b'"' => return i + 1,
            _ => i += 1,
        }
    }
    bytes.len()
}

fn raw_string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let hashes = bytes[start + 1..].iter().take_while(|&&b| b == b'#').count();
    let quote = start + 1 + hashes;
    if bytes.get(quote) != Some(&b'"') {
        return None;
    }
    let mut closing = vec![b'"'];
    closing.resize(1 + hashes, b'#');
    let body = &bytes[quote + 1..];
    let at = body.windows(closing.len()).position(|w| w == closing)?;
    Some(quote + 1 + at + closing.len())
}

/// End of a character literal; `None` for a lifetime.
fn char_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut i = start + 1;
    if bytes.get(i) == Some(&b'\\') {
        i += 2;
        while *bytes.get(i)? != b'\'' {
            i += 1;
        }
        return Some(i + 1);
    }
    // one character of one to four bytes, then the quote
    let width = match bytes.get(i)? {
        0..0x80 => 1,
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    };
    (bytes.get(i + width) == Some(&b'\'')).then_some(i + width + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_comments_are_blanked() {
        let code = blank(
            "let a = \"{\"; // {\nlet b = '{'; let c = r#\"\"}\"#; /* { /* { */ */ fn f<'a>() {}",
        );
        assert_eq!(code.matches('{').count(), 1);
        assert_eq!(code.matches('}').count(), 1);
        assert_eq!(code.matches('\n').count(), 1);
    }

    #[test]
    fn functions_are_measured() {
        let code = blank(
            "impl A {\n  fn one(&self, f: impl Fn(u8) -> u8, (a, b): (u8, u8),) -> u8 {\n 1\n }\n}\n\
             trait T { fn none(&self); }\nfn two<F: Fn() -> u8>(x: [u8; 2]) { }\ntype P = fn (u8);",
        );
        let found = functions(&code);
        let brief: Vec<_> =
            found.iter().map(|f| (f.name.as_str(), f.line, f.lines, f.params)).collect();
        assert_eq!(brief, [("one", 2, 3, 3), ("two", 7, 1, 1)]);
    }

    #[test]
    fn test_modules_are_found() {
        let code = "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { } }\nfn c() {}";
        let first = |code| test_ranges(code).into_iter().next();
        assert_eq!(first(code), Some(10..47));
        assert_eq!(first("#[cfg(test)]\nmod tests;"), Some(0..22));
    }
}
