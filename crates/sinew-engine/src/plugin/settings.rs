//! Numbers in the settings of plugins, read as C's `strtod` reads them.

use sinew_model::{Model, PluginId};

/// The value of an attribute; empty if there is none.
pub(super) fn text<'m>(m: &'m Model, id: PluginId, attribute: &str) -> &'m str {
    m.plugin_config(id, attribute).unwrap_or("")
}

/// The number at the start of an attribute's value; zero if there is none.
pub(super) fn number(m: &Model, id: PluginId, attribute: &str) -> f64 {
    leading_number(text(m, id, attribute)).map_or(0.0, |(x, _)| x)
}

/// Whether an attribute's value is one number or empty, spaces aside.
pub(super) fn is_number(m: &Model, id: PluginId, attribute: &str) -> bool {
    let value: String =
        text(m, id, attribute).chars().filter(|c| !c.is_ascii_whitespace()).collect();
    value.is_empty() || leading_number(&value).is_some_and(|(_, rest)| rest.is_empty())
}

/// The number at the start of a text, and the rest of the text.
pub(super) fn leading_number(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_ascii_start();
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = text.len() - body.len();

    // words, then digits with a point and an exponent
    for word in ["infinity", "inf", "nan"] {
        if body.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)) {
            let (number, rest) = text.split_at(sign + word.len());
            return Some((number.parse().ok()?, rest));
        }
    }
    let digits = |from: usize| {
        body.as_bytes()
            .get(from..)
            .map_or(0, |b| b.iter().take_while(|c| c.is_ascii_digit()).count())
    };
    let whole = digits(0);
    let mut end = whole;
    let mut any = whole > 0;
    if body[end..].starts_with('.') {
        let fraction = digits(end + 1);
        if any || fraction > 0 {
            end += 1 + fraction;
            any = true;
        }
    }
    if !any {
        return None;
    }
    if body[end..].starts_with(['e', 'E']) {
        let signed = usize::from(body[end + 1..].starts_with(['+', '-']));
        let power = digits(end + 1 + signed);
        if power > 0 {
            end += 1 + signed + power;
        }
    }
    let (number, rest) = text.split_at(sign + end);
    Some((number.parse().ok()?, rest))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_c_reads_them() {
        assert_eq!(leading_number("1e6"), Some((1e6, "")));
        assert_eq!(leading_number("  -2.5 7"), Some((-2.5, " 7")));
        assert_eq!(leading_number("3.e"), Some((3.0, "e")));
        assert_eq!(leading_number(".5e-x"), Some((0.5, "e-x")));
        assert_eq!(leading_number("+INFinite").unwrap(), (f64::INFINITY, "inite"));
        assert_eq!(leading_number("."), None);
        assert_eq!(leading_number(""), None);
        assert_eq!(leading_number("é"), None);
    }
}
