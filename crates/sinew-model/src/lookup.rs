//! Lookup of typed ids by name; an error suggests the nearest name.

use crate::enums::ObjType;
use crate::ids::*;
use crate::model::Model;

/// No object has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// Type of the object, in MJCF's words.
    pub kind: &'static str,
    /// Requested name.
    pub name: String,
    /// Most similar name of this type, if any is similar.
    pub nearest: Option<String>,
}

impl core::fmt::Display for NameError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "no {} named '{}'", self.kind, self.name)?;
        match &self.nearest {
            Some(nearest) => write!(f, "; did you mean '{nearest}'?"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for NameError {}

macro_rules! lookups {
    ($($fn:ident, $id:ident, $obj:ident, $kind:literal;)*) => {
        impl Model {
            $(
                #[doc = concat!("The ", $kind, " called `name`.")]
                pub fn $fn(&self, name: &str) -> Result<$id, NameError> {
                    self.find(ObjType::$obj, $kind, name).map($id::new)
                }
            )*
        }
    };
}

lookups! {
    body, BodyId, Body, "body";
    joint, JointId, Joint, "joint";
    geom, GeomId, Geom, "geom";
    site, SiteId, Site, "site";
    camera, CamId, Camera, "camera";
    light, LightId, Light, "light";
    mesh, MeshId, Mesh, "mesh";
    equality, EqId, Equality, "equality";
    tendon, TendonId, Tendon, "tendon";
    actuator, ActuatorId, Actuator, "actuator";
    sensor, SensorId, Sensor, "sensor";
    key, KeyId, Key, "key";
}

impl Model {
    fn find(&self, kind: ObjType, word: &'static str, name: &str) -> Result<usize, NameError> {
        self.name2id(kind, name).ok_or_else(|| {
            let nearest = self.nearest(kind, name);
            NameError { kind: word, name: name.to_string(), nearest }
        })
    }

    fn nearest(&self, kind: ObjType, name: &str) -> Option<String> {
        let names = (0..).map_while(|i| self.id2name(kind, i)).filter(|n| !n.is_empty());
        nearest(name, names).map(str::to_string)
    }
}

/// The name with the fewest edits from `name`, if at most a third of its letters differ.
pub fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (edits, best) = names.map(|n| (edit_distance(n, name), n)).min()?;
    (edits <= 1.max(name.chars().count() / 3)).then_some(best)
}

/// Insertions, deletions and replacements that turn one name into the other (Levenshtein 1966).
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        assert_eq!(edit_distance("elbow", "elbow"), 0);
        assert_eq!(edit_distance("elbow", "elbo"), 1);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }

    #[test]
    fn the_error_names_kind_and_neighbour() {
        let error = NameError { kind: "body", name: "hnad".into(), nearest: Some("hand".into()) };
        assert_eq!(error.to_string(), "no body named 'hnad'; did you mean 'hand'?");
    }
}
