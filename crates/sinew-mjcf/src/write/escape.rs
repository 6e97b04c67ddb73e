//! Entities in values of attributes.

use std::borrow::Cow;

/// Line ends, which a reader would turn into blanks.
pub(crate) const LINE_ENDS: [(char, &str); 2] = [('\n', "&#10;"), ('\r', "&#13;")];
/// The apostrophe, which MuJoCo's writer replaces too.
pub(crate) const APOSTROPHE: [(char, &str); 1] = [('\'', "&apos;")];

/// A value of an attribute with entities for the characters of XML, and for `others`.
pub(crate) fn escape<'t>(text: &'t str, others: &[(char, &str)]) -> Cow<'t, str> {
    const ALWAYS: [(char, &str); 4] =
        [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;")];
    let entity = |c: char| ALWAYS.iter().chain(others).find(|(special, _)| *special == c);
    if !text.contains(|c| entity(c).is_some()) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match entity(c) {
            Some((_, entity)) => out.push_str(entity),
            None => out.push(c),
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_special_characters_have_entities() {
        assert!(matches!(escape("a b", &LINE_ENDS), Cow::Borrowed("a b")));
        assert_eq!(escape("<a&\"b'\n", &LINE_ENDS), "&lt;a&amp;&quot;b'&#10;");
        assert_eq!(escape("'\n", &APOSTROPHE), "&apos;\n");
    }
}
