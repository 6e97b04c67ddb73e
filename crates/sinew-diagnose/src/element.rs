//! Elements of a model, as named in messages.

use core::fmt;

use sinew_model::Model;
use sinew_model::enums::ObjType;

/// An element of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Type of the element.
    pub kind: ObjType,
    /// Index among the elements of its type.
    pub id: usize,
    /// Name, if it has one.
    pub name: Option<String>,
}

impl Element {
    /// The element with this index.
    pub fn new(m: &Model, kind: ObjType, id: usize) -> Element {
        let name = m.id2name(kind, id).filter(|name| !name.is_empty());
        Element { kind, id, name: name.map(str::to_string) }
    }

    /// The name of its type in MJCF.
    pub fn word(&self) -> &'static str {
        match self.kind {
            ObjType::Body => "body",
            ObjType::Joint => "joint",
            ObjType::Geom => "geom",
            ObjType::Site => "site",
            ObjType::Flex => "flex",
            ObjType::Mesh => "mesh",
            ObjType::Hfield => "hfield",
            ObjType::Texture => "texture",
            ObjType::Material => "material",
            ObjType::Pair => "pair",
            ObjType::Equality => "equality",
            ObjType::Tendon => "tendon",
            ObjType::Actuator => "actuator",
            ObjType::Key => "keyframe",
            _ => "model",
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{} '{name}'", self.word()),
            None if self.kind == ObjType::Unknown => f.write_str("the model"),
            None => write!(f, "{} {}", self.word(), self.id),
        }
    }
}
