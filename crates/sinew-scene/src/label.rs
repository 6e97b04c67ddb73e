//! Labels of geoms.

use sinew_model::Model;
use sinew_model::enums::ObjType;
use sinew_model::ids::Char;

use crate::geom::NO_LABEL;
use crate::records::SceneGeom;

impl SceneGeom {
    /// Sets the label, truncated to its capacity.
    pub fn set_label(&mut self, text: &str) {
        self.label = NO_LABEL;
        for (to, from) in self.label.as_flattened_mut()[..99].iter_mut().zip(text.bytes()) {
            *to = Char(from);
        }
    }

    /// The bytes of the label.
    pub fn label_bytes(&self) -> Vec<u8> {
        self.label.as_flattened().iter().map(|c| c.0).take_while(|&c| c != 0).collect()
    }
}

/// The name of an object, or its kind and id if it has no name.
pub(crate) fn object_label(m: &Model, kind: ObjType, id: usize) -> String {
    match name(m, kind, id) {
        Some(name) => name.to_owned(),
        None => match word(kind) {
            Some(word) => format!("{word} {id}"),
            None => id.to_string(),
        },
    }
}

/// The name of an object, if it has one.
pub(crate) fn name(m: &Model, kind: ObjType, id: usize) -> Option<&str> {
    m.id2name(kind, id).filter(|name| !name.is_empty())
}

/// The name of a kind of object (`mju_type2Str`).
fn word(kind: ObjType) -> Option<&'static str> {
    Some(match kind {
        ObjType::Body => "body",
        ObjType::Joint => "joint",
        ObjType::Geom => "geom",
        ObjType::Site => "site",
        ObjType::Camera => "camera",
        ObjType::Light => "light",
        ObjType::Flex => "flex",
        ObjType::Skin => "skin",
        ObjType::Equality => "equality",
        ObjType::Tendon => "tendon",
        ObjType::Actuator => "actuator",
        _ => return None,
    })
}

/// At most the first `n` bytes of a text, cut at a character boundary.
pub(crate) fn cut(text: &str, n: usize) -> &str {
    let end = (0..=n.min(text.len())).rev().find(|&i| text.is_char_boundary(i));
    &text[..end.unwrap_or(0)]
}

/// A number with three significant digits, as C's `%.3g` writes it.
pub(crate) fn three_digits(x: f64) -> String {
    if !x.is_finite() {
        return format!("{x}").to_lowercase();
    }
    let scientific = format!("{x:.2e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..3).contains(&exponent) {
        return trimmed(&format!("{x:.*}", (2 - exponent) as usize)).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
}

/// A decimal number without trailing zeros.
fn trimmed(number: &str) -> &str {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_written_as_c_writes_them() {
        for (x, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (12.34, "12.3"),
            (999.6, "1e+03"),
            (0.0001234, "0.000123"),
            (0.00001234, "1.23e-05"),
            (98.1, "98.1"),
        ] {
            assert_eq!(three_digits(x), text);
        }
    }

    #[test]
    fn a_label_is_cut_between_characters() {
        assert_eq!(cut("aé", 2), "a");
        assert_eq!(cut("abc", 5), "abc");
    }
}
