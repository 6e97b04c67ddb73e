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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_cut_between_characters() {
        assert_eq!(cut("aé", 2), "a");
        assert_eq!(cut("abc", 5), "abc");
    }
}
