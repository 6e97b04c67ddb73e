//! Which objects there are while a model is put together.

use std::collections::{HashMap, HashSet};

use crate::spec::{Attr, OBJECTS, Spec};
use sinew_model::enums::ObjType;

macro_rules! kinds {
    ($($kind:ident $word:literal,)*) => {
        /// Kinds of objects with names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Kind { $($kind,)* }

        impl Kind {
            /// As messages and `objtype` call it.
            pub(crate) fn word(self) -> &'static str {
                match self { $(Kind::$kind => $word,)* }
            }

            /// Whether it is part of the kinematic tree.
            fn in_tree(self) -> bool {
                use Kind::*;
                matches!(self, Body | Frame | Joint | Geom | Site | Camera | Light)
            }

            /// The kind of an object.
            pub(crate) fn of_object(kind: ObjType) -> Option<Kind> {
                let (word, _) = OBJECTS.iter().find(|(_, k)| *k == kind)?;
                Kind::from_word(word)
            }

            /// The kind an `objtype` names.
            pub(crate) fn from_word(word: &str) -> Option<Kind> {
                match word {
                    "xbody" => Some(Kind::Body),
                    $($word => Some(Kind::$kind),)*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    Body "body", Frame "frame", Joint "joint", Geom "geom", Site "site", Camera "camera",
    Light "light", Flex "flex", Mesh "mesh", Skin "skin", HField "hfield", Texture "texture",
    Material "material",
    Pair "pair", Exclude "exclude", Equality "equality", Tendon "tendon", Actuator "actuator",
    Sensor "sensor", Numeric "numeric", Text "text", Tuple "tuple", Key "key",
}

/// Names in use.
#[derive(Default)]
pub(crate) struct Names {
    used: HashMap<Kind, HashSet<String>>,
    /// Names of the tree in order of appearance, for undoing.
    pub(crate) log: Vec<(Kind, String)>,
    /// Geoms around which MuJoCo lets no tendon wrap before it compiles them: it looks at the type
    /// that their class gives them.
    smooth: HashSet<String>,
}

impl Names {
    /// The names of all that is not in the tree.
    pub(crate) fn of_lists(spec: &Spec) -> Names {
        let mut names = Names::default();
        names.add_all(Kind::Flex, spec.flexes.iter().map(|e| &e.name));
        names.add_all(Kind::Skin, spec.skins.iter().map(|e| &e.name));
        names.add_all(Kind::Mesh, spec.meshes.iter().map(|e| &e.name));
        names.add_all(Kind::HField, spec.hfields.iter().map(|e| &e.name));
        names.add_all(Kind::Texture, spec.textures.iter().map(|e| &e.name));
        names.add_all(Kind::Material, spec.materials.iter().map(|e| &e.name));
        names.add_all(Kind::Pair, spec.pairs.iter().map(|e| &e.name));
        names.add_all(Kind::Exclude, spec.excludes.iter().map(|e| &e.name));
        names.add_all(Kind::Equality, spec.equalities.iter().map(|e| &e.name));
        names.add_all(Kind::Tendon, spec.tendons.iter().map(|e| &e.name));
        names.add_all(Kind::Actuator, spec.actuators.iter().map(|e| &e.name));
        names.add_all(Kind::Sensor, spec.sensors.iter().map(|e| &e.name));
        names.add_all(Kind::Numeric, spec.numerics.iter().map(|e| &e.name));
        names.add_all(Kind::Text, spec.texts.iter().map(|e| &e.name));
        names.add_all(Kind::Tuple, spec.tuples.iter().map(|e| &e.name));
        names.add_all(Kind::Key, spec.keys.iter().map(|e| &e.name));
        names
    }

    fn add_all<'n>(&mut self, kind: Kind, names: impl Iterator<Item = &'n Attr<String>>) {
        names.for_each(|name| _ = self.add(kind, name.text()));
    }

    /// Adds a name; false if it is taken. An empty name is none.
    pub(crate) fn add(&mut self, kind: Kind, name: &str) -> bool {
        if name.is_empty() {
            return true;
        }
        let new = self.used.entry(kind).or_default().insert(name.to_owned());
        if new && kind.in_tree() {
            self.log.push((kind, name.to_owned()));
        }
        new
    }

    /// Notes a geom that only its own type makes a sphere or cylinder.
    pub(crate) fn add_smooth(&mut self, name: &str) {
        self.smooth.insert(name.to_owned());
    }

    /// Whether a tendon may refer to it: there is such a geom, of which MuJoCo knows its type.
    pub(crate) fn has_wrapped(&self, name: &str) -> bool {
        self.has(Kind::Geom, name) && !self.smooth.contains(name)
    }

    pub(crate) fn remove(&mut self, kind: Kind, name: &str) {
        if let Some(names) = self.used.get_mut(&kind) {
            names.remove(name);
        }
    }

    pub(crate) fn has(&self, kind: Kind, name: &str) -> bool {
        self.used.get(&kind).is_some_and(|names| names.contains(name))
    }
}
