//! Copies of elements that refer to a copied subtree, and removal of elements that refer to a
//! removed subtree.

use sinew_model::enums::EqType;

use crate::expand::expander::Expander;
use crate::expand::names::{Kind, Names};
use crate::expand::rename::Rename;
use crate::files::stem;
use crate::spec::sensor_kinds::{End, sensor_kind};
use crate::spec::{
    Actuator, Attr, Equality, Exclude, HField, Head, Material, Mesh, Numeric, Pair, Sensor, Skin,
    Spec, Tendon, Text, Texture, Tuple, Words, WrapTag,
};

/// Lengths of the lists of referring elements.
#[derive(Clone, Copy)]
pub(crate) struct ListSizes {
    pairs: usize,
    excludes: usize,
    tendons: usize,
    equalities: usize,
    actuators: usize,
    sensors: usize,
    tuples: usize,
    flexes: usize,
}

/// A kind of elements: their list in a model, and the place and name that each has.
trait Listed: Clone + 'static {
    const KIND: Kind;
    fn list(spec: &Spec) -> &Vec<Self>;
    fn list_mut(spec: &mut Spec) -> &mut Vec<Self>;
    fn head_mut(&mut self) -> &mut Head;
    fn name(&self) -> &Attr<String>;
    fn name_mut(&mut self) -> &mut Attr<String>;
}

/// An element that refers to others by name.
trait Referring: Listed {
    /// Makes the references point to a copy; false if there is nothing for it to refer to.
    fn point_to_copy(&mut self, rename: &Rename<'_>, names: &Names) -> bool;

    /// Whether it refers to nothing at all, so that every copy includes it.
    fn is_free(&self) -> bool {
        false
    }
}

/// Declares the lists of a model.
macro_rules! listed {
    ($($ty:ident in $list:ident;)*) => {$(
        impl Listed for $ty {
            const KIND: Kind = Kind::$ty;
            fn list(spec: &Spec) -> &Vec<Self> {
                &spec.$list
            }
            fn list_mut(spec: &mut Spec) -> &mut Vec<Self> {
                &mut spec.$list
            }
            fn head_mut(&mut self) -> &mut Head {
                &mut self.head
            }
            fn name(&self) -> &Attr<String> {
                &self.name
            }
            fn name_mut(&mut self) -> &mut Attr<String> {
                &mut self.name
            }
        }
    )*};
}
listed! {
    Pair in pairs;
    Exclude in excludes;
    Equality in equalities;
    Tendon in tendons;
    Actuator in actuators;
    Sensor in sensors;
    Tuple in tuples;
    Material in materials;
    Numeric in numerics;
    Text in texts;
    Mesh in meshes;
    HField in hfields;
    Texture in textures;
    Skin in skins;
}
/// Two references of which at least one must be to the copy.
fn either(
    kinds: [Kind; 2],
    a: &mut Attr<String>,
    b: &mut Attr<String>,
    rename: &Rename<'_>,
    names: &Names,
) -> bool {
    // the names in the copy, and whether they exist
    let new = [rename.of(a.text()), rename.of(b.text())];
    let found = [names.has(kinds[0], &new[0]), names.has(kinds[1], &new[1])];
    let [new_a, new_b] = new;

    // targets outside the copy must exist
    match found {
        [true, true] => {
            a.set(new_a);
            b.set(new_b);
            true
        }
        [false, true] => {
            b.set(new_b);
            names.has(kinds[0], a.text())
        }
        [true, false] => {
            a.set(new_a);
            names.has(kinds[1], b.text())
        }
        [false, false] => false,
    }
}

/// A reference that must be to the copy.
fn only(kind: Kind, a: &mut Attr<String>, rename: &Rename<'_>, names: &Names) -> bool {
    let new = rename.of(a.text());
    let found = names.has(kind, &new);
    a.set(new);
    found
}

impl Referring for Pair {
    fn point_to_copy(&mut self, rename: &Rename<'_>, names: &Names) -> bool {
        either([Kind::Geom; 2], &mut self.geom1, &mut self.geom2, rename, names)
    }
}

impl Referring for Exclude {
    fn point_to_copy(&mut self, rename: &Rename<'_>, names: &Names) -> bool {
        either([Kind::Body; 2], &mut self.body1, &mut self.body2, rename, names)
    }
}

impl Referring for Equality {
    fn point_to_copy(&mut self, rename: &Rename<'_>, names: &Names) -> bool {
        let (kind, a, b) = match self.kind {
            EqType::Joint => (Kind::Joint, &mut self.joint1, &mut self.joint2),
            EqType::Tendon => (Kind::Tendon, &mut self.tendon1, &mut self.tendon2),
            // there is no second flex: an attribute that is never written stands for it
            EqType::Flex | EqType::Flexvert => (Kind::Flex, &mut self.flex, &mut self.tendon2),
            _ if self.site1.is_set() => (Kind::Site, &mut self.site1, &mut self.site2),
            _ => (Kind::Body, &mut self.body1, &mut self.body2),
        };
        only(kind, a, rename, names) && (b.text().is_empty() || only(kind, b, rename, names))
    }
}

impl Referring for Tendon {
    fn point_to_copy(&mut self, rename: &Rename<'_>, names: &Names) -> bool {
        let mut outside = 0;
        let mut pulleys = 0;
        for wrap in &mut self.path {
            let side = wrap.sidesite.text();
            let (kind, name) = match wrap.kind {
                WrapTag::Site => (Kind::Site, &mut wrap.site),
                WrapTag::Geom => (Kind::Geom, &mut wrap.geom),
                WrapTag::Joint => (Kind::Joint, &mut wrap.joint),
                WrapTag::Pulley => {
                    pulleys += 1;
                    continue;
                }
            };
            // MuJoCo renames the side site even if there is none, and then does not find it
            let new = rename.of(name.text());
            let new_side = rename.of(side);
            let is_geom = wrap.kind == WrapTag::Geom;
            let side_found = |side: &str| side.is_empty() || names.has(Kind::Site, side);
            let found = |name: &str, side: &str| match is_geom {
                true => names.has_wrapped(name) && side_found(side),
                false => names.has(kind, name),
            };
            if found(&new, &new_side) {
                name.set(new);
                if is_geom && !new_side.is_empty() {
                    wrap.sidesite.set(new_side);
                }
            } else if found(name.text(), side) {
                outside += 1;
            } else {
                return false;
            }
        }
        outside != self.path.len() - pulleys
    }
}

impl Referring for Actuator {
    fn point_to_copy(&mut self, rename: &Rename<'_>, names: &Names) -> bool {
        let targets = [
            (Kind::Joint, &mut self.joint),
            (Kind::Joint, &mut self.jointinparent),
            (Kind::Tendon, &mut self.tendon),
            (Kind::Site, &mut self.cranksite),
            (Kind::Site, &mut self.site),
            (Kind::Body, &mut self.body),
            (Kind::Site, &mut self.slidersite),
            (Kind::Site, &mut self.refsite),
        ];
        let mut any = false;
        rename.plugin(&mut self.plugin);
        for (kind, name) in targets {
            if !name.text().is_empty() {
                any = true;
                if !only(kind, name, rename, names) {
                    return false;
                }
            }
        }
        any
    }
}

/// The ends of a sensor: kinds of the object and of the reference with the attributes that name
/// them. None if an `objtype` is no kind of object.
fn sensor_ends(s: &Sensor) -> Option<[Option<(Kind, &'static str)>; 2]> {
    let Some(kind) = sensor_kind(&s.tag) else { return Some([None, None]) };
    let find = |end: End, typed: [&'static str; 2]| match end {
        End::None => Some(None),
        End::OneOf(list) => Some(list.iter().find_map(|(attr, kind)| {
            let written = s.reference(attr).is_some_and(Attr::is_set);
            written.then_some((Kind::of_object(*kind)?, *attr))
        })),
        End::Typed => match s.reference(typed[0]) {
            Some(kind) if kind.is_set() => Some(Some((Kind::from_word(kind.text())?, typed[1]))),
            _ => Some(None),
        },
    };
    Some([
        find(kind.target.object(), ["objtype", "objname"])?,
        find(kind.target.reference(), ["reftype", "refname"])?,
    ])
}

impl Referring for Sensor {
    fn point_to_copy(&mut self, rename: &Rename<'_>, names: &Names) -> bool {
        rename.plugin(&mut self.plugin);
        let Some(ends) = sensor_ends(self) else { return false };
        let mut taken = ends.map(|end| {
            let (kind, attr) = end?;
            Some((kind, core::mem::take(self.reference_mut(attr)?)))
        });
        let found = match &mut taken {
            [None, None] => true,
            [Some((kind, name)), None] | [None, Some((kind, name))] => {
                only(*kind, name, rename, names)
            }
            [Some((k1, a)), Some((k2, b))] => either([*k1, *k2], a, b, rename, names),
        };
        for (end, name) in ends.into_iter().zip(taken) {
            if let (Some((_, attr)), Some((_, name))) = (end, name)
                && let Some(place) = self.reference_mut(attr)
            {
                *place = name;
            }
        }
        found
    }

    fn is_free(&self) -> bool {
        matches!(sensor_ends(self), Some([None, None]))
    }
}

impl Referring for Tuple {
    fn point_to_copy(&mut self, rename: &Rename<'_>, names: &Names) -> bool {
        self.elements.iter_mut().all(|e| {
            let kind = Kind::from_word(e.objtype.text());
            kind.is_some_and(|kind| only(kind, &mut e.objname, rename, names))
        }) && !self.elements.is_empty()
    }
}

impl Expander<'_> {
    /// Number of sensors that refer to nothing.
    pub(crate) fn free_sensors(&self) -> usize {
        self.spec.sensors.iter().filter(|s| s.is_free()).count()
    }

    /// How long the lists are now.
    pub(crate) fn list_sizes(&self) -> ListSizes {
        let s = &self.spec;
        ListSizes {
            pairs: s.pairs.len(),
            excludes: s.excludes.len(),
            tendons: s.tendons.len(),
            equalities: s.equalities.len(),
            actuators: s.actuators.len(),
            sensors: s.sensors.len(),
            tuples: s.tuples.len(),
            flexes: s.flexes.len(),
        }
    }

    /// Copies referring elements of another model, or of this one if none is given. Of this one,
    /// only the first `sizes` are taken, and those that refer to nothing: copies of copies could
    /// refer to nothing that exists.
    pub(crate) fn copy_references(
        &mut self,
        other: Option<&Spec>,
        rename: &Rename<'_>,
        sizes: ListSizes,
    ) {
        self.copy_flexes(other, rename, sizes.flexes);
        self.copy_list::<Pair>(other, rename, sizes.pairs);
        self.copy_list::<Exclude>(other, rename, sizes.excludes);
        self.copy_list::<Tendon>(other, rename, sizes.tendons);
        self.copy_list::<Equality>(other, rename, sizes.equalities);
        self.copy_list::<Actuator>(other, rename, sizes.actuators);
        self.copy_list::<Sensor>(other, rename, sizes.sensors);
        self.copy_list::<Tuple>(other, rename, sizes.tuples);
    }

    /// Copies one list; of this model only the `first` elements, and those that refer to nothing.
    fn copy_list<T: Referring>(&mut self, other: Option<&Spec>, rename: &Rename<'_>, first: usize) {
        // elements whose references exist in the copy
        let mut out = Vec::new();
        let source = T::list(other.unwrap_or(&self.spec));
        for (i, element) in source.iter().enumerate() {
            if other.is_none() && i >= first && !element.is_free() {
                continue;
            }
            let mut copy = element.clone();
            if copy.point_to_copy(rename, &self.names) {
                rename.head(copy.head_mut());
                rename.attr(copy.name_mut());
                out.push(copy);
            }
        }

        // their names, and the marks of actuators, by which keyframes find them
        for copy in &mut out {
            if T::KIND == Kind::Actuator {
                let head = copy.head_mut();
                head.mark = self.keys.copied(head.mark);
            }
            let (name, head) = (copy.name().clone(), *copy.head_mut());
            self.add_name(T::KIND, &name, head);
        }
        T::list_mut(&mut self.spec).extend(out);
    }

    /// Copies flexes all of whose bodies are copied. As in MuJoCo they keep their names.
    fn copy_flexes(&mut self, other: Option<&Spec>, rename: &Rename<'_>, first: usize) {
        let list = other.map_or(&self.spec.flexes[..first], |o| &o.flexes[..]).to_vec();
        for mut flex in list {
            let names = [&mut flex.body, &mut flex.node].into_iter().filter_map(Attr::get_mut);
            let mut found = true;
            for name in names.flat_map(|Words(list)| list) {
                *name = rename.of(name);
                found &= self.names.has(Kind::Body, name);
            }
            if !found {
                continue;
            }
            rename.head(&mut flex.head);
            rename.asset(&mut flex.material);
            self.add_name(Kind::Flex, &flex.name.clone(), flex.head);
            self.spec.flexes.push(flex);
        }
    }

    /// Copies skins of another model all of whose bones are copied. As in MuJoCo they keep the
    /// names of their materials.
    fn copy_skins(&mut self, other: &Spec, rename: &Rename<'_>) {
        for mut skin in other.skins.iter().cloned() {
            skin.name_after_file();
            skin.bones.iter_mut().for_each(|bone| rename.attr(&mut bone.body));
            let has = |name: &str| self.names.has(Kind::Body, name);
            if skin.bones.iter().all(|bone| has(bone.body.text())) {
                rename.head(&mut skin.head);
                self.add_name(Kind::Skin, &skin.name.clone(), skin.head);
                self.spec.skins.push(skin);
            }
        }
    }

    /// Copies all assets and custom data of another model.
    pub(crate) fn copy_assets(&mut self, other: &Spec, rename: &Rename<'_>) {
        let meshes = self.spec.meshes.len();
        self.copy_asset_list::<Mesh>(other, rename);
        for mesh in &mut self.spec.meshes[meshes..] {
            rename.plugin(&mut mesh.plugin);
        }
        self.copy_skins(other, rename);
        self.copy_asset_list::<HField>(other, rename);
        self.copy_asset_list::<Texture>(other, rename);
        self.copy_asset_list::<Material>(other, rename);
        self.copy_asset_list::<Numeric>(other, rename);
        self.copy_asset_list::<Text>(other, rename);
    }

    fn copy_asset_list<T: Asset>(&mut self, other: &Spec, rename: &Rename<'_>) {
        for element in T::list(other) {
            let mut copy = element.clone();
            copy.name_after_file();
            rename.head(copy.head_mut());
            copy.rename(rename);
            let (name, head) = (copy.name().clone(), *copy.head_mut());
            self.add_name(T::KIND, &name, head);
            T::list_mut(&mut self.spec).push(copy);
        }
    }

    /// Forgets the states that keyframes so far have for actuators. MuJoCo copies its model before
    /// it takes objects away, and the originals of copied actuators lose their states.
    pub(crate) fn forget_actuators(&mut self) {
        if self.keys.is_empty() {
            return;
        }
        let tendons = self.referenced::<Tendon>();
        let actuators = self.referenced::<Actuator>();
        let copied = |name: &str| {
            let mut tendons = self.spec.tendons.iter().zip(&tendons);
            name.is_empty() || tendons.any(|(t, exists)| *exists && t.name.text() == name)
        };
        let marks: Vec<u32> = self
            .spec
            .actuators
            .iter()
            .zip(actuators)
            .filter(|(a, exists)| *exists && copied(a.tendon.text()))
            .map(|(a, _)| a.head.mark)
            .collect();
        marks.into_iter().for_each(|mark| self.keys.forget_actuator(mark));
    }

    /// Takes objects away, and all that referred to them. An element that refers to nothing known
    /// stays: it is an error that is still to be reported.
    pub(crate) fn remove_originals(&mut self, originals: &[(Kind, String)]) {
        // elements that refer to existing objects before
        let pairs = self.referenced::<Pair>();
        let excludes = self.referenced::<Exclude>();
        let tendons = self.referenced::<Tendon>();
        let equalities = self.referenced::<Equality>();
        let actuators = self.referenced::<Actuator>();
        let sensors = self.referenced::<Sensor>();

        for (kind, name) in originals {
            self.names.remove(*kind, name);
        }

        // and after
        self.keep_referenced::<Pair>(&pairs);
        self.keep_referenced::<Exclude>(&excludes);
        self.keep_referenced::<Tendon>(&tendons);
        self.keep_referenced::<Equality>(&equalities);
        self.keep_referenced::<Actuator>(&actuators);
        self.keep_referenced::<Sensor>(&sensors);
    }

    /// For each element of a list, whether all it refers to exists.
    fn referenced<T: Referring>(&self) -> Vec<bool> {
        T::list(&self.spec).iter().map(|x| self.references_exist(x)).collect()
    }

    fn references_exist<T: Referring>(&self, element: &T) -> bool {
        element.clone().point_to_copy(&Rename::default(), &self.names)
    }

    /// Removes the elements whose references existed `before` and do not exist any more.
    fn keep_referenced<T: Referring>(&mut self, before: &[bool]) {
        let list = core::mem::take(T::list_mut(&mut self.spec));
        let mut kept = Vec::with_capacity(list.len());
        for (element, existed) in list.into_iter().zip(before) {
            if *existed && !self.references_exist(&element) {
                self.names.remove(T::KIND, element.name().text());
            } else {
                kept.push(element);
            }
        }
        *T::list_mut(&mut self.spec) = kept;
    }
}

/// An asset or a custom field that can be copied from another model.
trait Asset: Listed {
    /// Gives it the name of its file if it has a file and no name.
    fn name_after_file(&mut self) {}

    /// Renames the element and its targets.
    fn rename(&mut self, rename: &Rename<'_>) {
        rename.attr(self.name_mut());
    }
}

/// Declares assets that may come from a file.
macro_rules! file_assets {
    ($($ty:ident)*) => {$(
        impl Asset for $ty {
            fn name_after_file(&mut self) {
                if self.name.text().is_empty() && self.file.is_set() {
                    self.name.set(stem(self.file.text()).to_owned());
                }
            }
        }
    )*};
}
file_assets!(Mesh HField Texture Skin);

impl Asset for Material {
    fn rename(&mut self, rename: &Rename<'_>) {
        rename.material(self);
    }
}

impl Asset for Numeric {}

impl Asset for Text {}
