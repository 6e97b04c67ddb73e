//! Names of objects: looking them up while compiling, and storing them in the model.

use std::collections::HashMap;

use sinew_model::enums::ObjType;

/// Ids by kind and name.
#[derive(Debug, Default)]
pub struct Names {
    /// One map for each kind; only ever asked for a key, never walked.
    ids: Vec<HashMap<String, usize>>,
    /// All names of each kind, by id.
    lists: Vec<Vec<String>>,
}

impl Names {
    /// Replaces the names of one kind; their positions are their ids. Of several objects of the
    /// same name the last is found. Returns the first repeated name in alphabetical order.
    pub fn set(&mut self, kind: ObjType, names: Vec<String>) -> Option<String> {
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
    pub fn get(&self, kind: ObjType, name: &str) -> Option<usize> {
        if name.is_empty() {
            return None;
        }
        self.ids.get(slot(kind))?.get(name).copied()
    }

    /// All names of one kind, by id.
    pub fn list(&self, kind: ObjType) -> &[String] {
        self.lists.get(slot(kind)).map_or(&[], Vec::as_slice)
    }

    /// The name most like `name`, if there is one that is near.
    pub fn nearest(&self, kind: ObjType, name: &str) -> Option<&str> {
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
