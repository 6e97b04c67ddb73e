//! Names of objects: the ids they lead to while a model is compiled.

use core::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use sinew_model::enums::ObjType;

/// Ids by kind and name.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// One map for each kind, for look-ups only: its order of iteration is random.
    ids: Vec<HashMap<String, usize>>,
    /// All names of each kind, by id.
    lists: Vec<Vec<String>>,
    /// Names that were looked up and belong to another object than the one found.
    mistaken: RefCell<BTreeSet<(usize, String)>>,
}

impl Names {
    /// Replaces the names of one kind; their positions are their ids. Of several objects of the
    /// same name the last is found. Returns the first repeated name in alphabetical order.
    pub(crate) fn set(&mut self, kind: ObjType, names: Vec<String>) -> Option<String> {
        let slot = slot(kind);
        if self.ids.len() <= slot {
            self.ids.resize_with(slot + 1, HashMap::new);
            self.lists.resize_with(slot + 1, Vec::new);
        }
        let map = &mut self.ids[slot];
        map.clear();
        let mut repeated: Option<String> = None;
        for (id, name) in names.iter().enumerate() {
            let again = map.insert(name.clone(), id).is_some();
            if again && !name.is_empty() && repeated.as_ref().is_none_or(|r| name < r) {
                repeated = Some(name.clone());
            }
        }
        self.lists[slot] = names;
        repeated
    }

    /// The id of the object called `name`; an empty name is found where MuJoCo finds it: nowhere.
    pub(crate) fn get(&self, kind: ObjType, name: &str) -> Option<usize> {
        if name.is_empty() {
            return None;
        }
        let slot = slot(kind);
        let id = self.ids.get(slot)?.get(name).copied()?;
        if self.lists[slot].get(id).is_some_and(|found| found != name) {
            self.mistaken.borrow_mut().insert((slot, name.to_owned()));
        }
        Some(id)
    }

    /// The objects of a kind have been sorted anew. As in MuJoCo, a name still leads to the place
    /// where its object was; `mistaken` tells when that matters.
    pub(crate) fn reorder(&mut self, kind: ObjType, names: Vec<String>) {
        self.lists[slot(kind)] = names;
    }

    /// Only some objects of a kind are kept; `ids` has their new places.
    pub(crate) fn retain(&mut self, kind: ObjType, keep: &[bool], ids: &[usize]) {
        let mut kept = keep.iter();
        self.lists[slot(kind)].retain(|_| kept.next().copied().unwrap_or(true));
        let map = &mut self.ids[slot(kind)];
        map.retain(|_, id| keep[*id]);
        map.values_mut().for_each(|id| *id = ids[*id]);
    }

    /// Lookups of names that led to another object: its kind, the name, and the object found.
    pub(crate) fn mistaken(&self) -> Vec<(ObjType, String, String)> {
        let list = self.mistaken.borrow();
        let told = list.iter().filter_map(|(slot, name)| {
            let kind = ObjType(i32::try_from(*slot).ok()?);
            let found = &self.lists[*slot][*self.ids[*slot].get(name)?];
            Some((kind, name.clone(), found.clone()))
        });
        told.collect()
    }

    /// All names of one kind, by id.
    pub(crate) fn list(&self, kind: ObjType) -> &[String] {
        self.lists.get(slot(kind)).map_or(&[], Vec::as_slice)
    }

    /// The name most like `name`, if there is one that is near.
    pub(crate) fn nearest(&self, kind: ObjType, name: &str) -> Option<&str> {
        let score = |other: &str| strsim::jaro_winkler(name, other);
        let best = self
            .list(kind)
            .iter()
            .filter(|n| !n.is_empty())
            .max_by(|a, b| score(a).total_cmp(&score(b)))?;
        (score(best) > 0.75).then_some(best.as_str())
    }
}

/// Where a kind's names are kept; bodies and their inertial frames share one list.
fn slot(kind: ObjType) -> usize {
    let kind = if kind == ObjType::Xbody { ObjType::Body } else { kind };
    usize::try_from(kind.0).unwrap_or(0)
}

/// Kinds of named objects in the order in which the model stores their names, with MuJoCo's words
/// for them.
pub(crate) const KINDS: [(ObjType, &str); 23] = [
    (ObjType::Body, "body"),
    (ObjType::Joint, "joint"),
    (ObjType::Geom, "geom"),
    (ObjType::Site, "site"),
    (ObjType::Camera, "camera"),
    (ObjType::Light, "light"),
    (ObjType::Flex, "flex"),
    (ObjType::Mesh, "mesh"),
    (ObjType::Skin, "skin"),
    (ObjType::Hfield, "hfield"),
    (ObjType::Texture, "texture"),
    (ObjType::Material, "material"),
    (ObjType::Pair, "pair"),
    (ObjType::Exclude, "exclude"),
    (ObjType::Equality, "equality"),
    (ObjType::Tendon, "tendon"),
    (ObjType::Actuator, "actuator"),
    (ObjType::Sensor, "sensor"),
    (ObjType::Numeric, "numeric"),
    (ObjType::Text, "text"),
    (ObjType::Tuple, "tuple"),
    (ObjType::Key, "key"),
    (ObjType::Plugin, "plugin"),
];

/// MuJoCo's word for a kind.
pub(crate) fn word(kind: ObjType) -> &'static str {
    KINDS.iter().find(|(k, _)| *k == kind).map_or("frame", |(_, word)| word)
}
