//! Copies of what refers to a copied subtree, and removal of what refers to a removed one.

use sinew_model::enums::EqType;

use crate::expand::expander::Expander;
use crate::expand::names::{Kind, Names};
use crate::expand::rename::Rename;
use crate::files::base_name;
use crate::spec::{
    Actuator, Attr, Equality, Exclude, Head, Pair, Sensor, Spec, Tendon, Tuple, WrapTag,
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
}

/// An element that refers to others by name.
trait Referring: Clone {
    const KIND: Kind;
    fn head_mut(&mut self) -> &mut Head;
    fn name(&self) -> &Attr<String>;
    fn name_mut(&mut self) -> &mut Attr<String>;

    /// Makes the references those of a copy; false if there is nothing for it to refer to.
    fn point_to_copy(&mut self, rename: &Rename<'_>, names: &Names) -> bool;

    /// Whether it refers to nothing at all, so that it is copied whatever is copied.
    fn is_free(&self) -> bool {
        false
    }
}

macro_rules! common {
    ($kind:ident) => {
        const KIND: Kind = Kind::$kind;
        fn head_mut(&mut self) -> &mut Head {
            &mut self.head
        }
        fn name(&self) -> &Attr<String> {
            &self.name
        }
        fn name_mut(&mut self) -> &mut Attr<String> {
            &mut self.name
        }
    };
}

/// Two references of which at least one must be to the copy.
fn either(
    kinds: [Kind; 2],
    a: &mut Attr<String>,
    b: &mut Attr<String>,
    rename: &Rename<'_>,
    names: &Names,
) -> bool {
    let new = [rename.of(a.text()), rename.of(b.text())];
    let found = [names.has(kinds[0], &new[0]), names.has(kinds[1], &new[1])];
    let [new_a, new_b] = new;
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
    common!(Pair);
    fn point_to_copy(&mut self, rename: &Rename<'_>, names: &Names) -> bool {
        either([Kind::Geom; 2], &mut self.geom1, &mut self.geom2, rename, names)
    }
}

impl Referring for Exclude {
    common!(Exclude);
    fn point_to_copy(&mut self, rename: &Rename<'_>, names: &Names) -> bool {
        either([Kind::Body; 2], &mut self.body1, &mut self.body2, rename, names)
    }
}

impl Referring for Equality {
    common!(Equality);
    fn point_to_copy(&mut self, rename: &Rename<'_>, names: &Names) -> bool {
        let (kind, a, b) = match self.kind {
            EqType::Joint => (Kind::Joint, &mut self.joint1, &mut self.joint2),
            EqType::Tendon => (Kind::Tendon, &mut self.tendon1, &mut self.tendon2),
            _ if self.site1.is_set() => (Kind::Site, &mut self.site1, &mut self.site2),
            _ => (Kind::Body, &mut self.body1, &mut self.body2),
        };
        only(kind, a, rename, names) && (b.text().is_empty() || only(kind, b, rename, names))
    }
}

impl Referring for Tendon {
    common!(Tendon);
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
    common!(Actuator);
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

/// What a sensor refers to: kinds and names of the object and of the reference. The error is an
/// `objtype` there is not.
type SensorRefs<'s> = (Option<(Kind, &'s mut Attr<String>)>, Option<(Kind, &'s mut Attr<String>)>);

fn sensor_refs(s: &mut Sensor) -> Option<SensorRefs<'_>> {
    fn typed<'s>(
        kind: &Attr<String>,
        name: &'s mut Attr<String>,
    ) -> Option<Option<(Kind, &'s mut Attr<String>)>> {
        if !kind.is_set() {
            return Some(None);
        }
        Some(Some((Kind::from_word(kind.text())?, name)))
    }
    fn first<const N: usize>(
        list: [(Kind, &mut Attr<String>); N],
    ) -> Option<(Kind, &mut Attr<String>)> {
        list.into_iter().find(|(_, name)| name.is_set())
    }
    Some(match s.tag.as_str() {
        "camprojection" => (Some((Kind::Site, &mut s.site)), Some((Kind::Camera, &mut s.camera))),
        "rangefinder" => (first([(Kind::Site, &mut s.site), (Kind::Camera, &mut s.camera)]), None),
        "insidesite" => (typed(&s.objtype, &mut s.objname)?, Some((Kind::Site, &mut s.site))),
        "tactile" => (Some((Kind::Mesh, &mut s.mesh)), Some((Kind::Geom, &mut s.geom))),
        "distance" | "normal" | "fromto" | "contact" => (
            first([
                (Kind::Site, &mut s.site),
                (Kind::Body, &mut s.body1),
                (Kind::Body, &mut s.subtree1),
                (Kind::Geom, &mut s.geom1),
            ]),
            first([
                (Kind::Body, &mut s.body2),
                (Kind::Body, &mut s.subtree2),
                (Kind::Geom, &mut s.geom2),
            ]),
        ),
        _ if s.objtype.is_set() => {
            (typed(&s.objtype, &mut s.objname)?, typed(&s.reftype, &mut s.refname)?)
        }
        _ => {
            let list = [
                (Kind::Site, &mut s.site),
                (Kind::Joint, &mut s.joint),
                (Kind::Tendon, &mut s.tendon),
                (Kind::Actuator, &mut s.actuator),
                (Kind::Body, &mut s.body),
            ];
            (first(list), None)
        }
    })
}

impl Referring for Sensor {
    common!(Sensor);
    fn point_to_copy(&mut self, rename: &Rename<'_>, names: &Names) -> bool {
        match sensor_refs(self) {
            None => false,
            Some((None, None)) => true,
            Some((Some((kind, name)), None) | (None, Some((kind, name)))) => {
                only(kind, name, rename, names)
            }
            Some((Some((k1, a)), Some((k2, b)))) => either([k1, k2], a, b, rename, names),
        }
    }

    fn is_free(&self) -> bool {
        matches!(sensor_refs(&mut self.clone()), Some((None, None)))
    }
}

impl Referring for Tuple {
    common!(Tuple);
    fn point_to_copy(&mut self, rename: &Rename<'_>, names: &Names) -> bool {
        self.elements.iter_mut().all(|e| {
            let kind = Kind::from_word(e.objtype.text());
            kind.is_some_and(|kind| only(kind, &mut e.objname, rename, names))
        }) && !self.elements.is_empty()
    }
}

impl Expander<'_> {
    /// How many sensors refer to nothing.
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
        macro_rules! copy {
            ($($list:ident),*) => {$(
                let source = other.map(|o| o.$list.as_slice());
                let copies = self.copies(source, |s| &s.$list, rename, sizes.$list);
                self.spec.$list.extend(copies);
            )*};
        }
        copy!(pairs, excludes, tendons, equalities, actuators, sensors, tuples);
    }

    fn copies<T: Referring>(
        &mut self,
        other: Option<&[T]>,
        own: fn(&Spec) -> &Vec<T>,
        rename: &Rename<'_>,
        first: usize,
    ) -> Vec<T> {
        let mut out = Vec::new();
        let source = other.unwrap_or(own(&self.spec));
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
        for copy in &mut out {
            if T::KIND == Kind::Actuator {
                let head = copy.head_mut();
                head.mark = self.keys.copied(head.mark);
            }
            let (name, head) = (copy.name().clone(), *copy.head_mut());
            self.add_name(T::KIND, &name, head);
        }
        out
    }

    /// Copies all assets and custom data of another model.
    pub(crate) fn copy_assets(&mut self, other: &Spec, rename: &Rename<'_>) {
        macro_rules! copy {
            ($($list:ident $kind:ident)*) => {$(
                for element in &other.$list {
                    let mut copy = element.clone();
                    // an asset without a name is called after its file
                    copy.default_name();
                    rename.head(&mut copy.head);
                    copy.rename(rename);
                    self.add_name(Kind::$kind, &copy.name.clone(), copy.head);
                    self.spec.$list.push(copy);
                }
            )*};
        }
        copy! {
            meshes Mesh hfields HField textures Texture materials Material numerics Numeric
            texts Text
        }
    }

    /// Forgets the states that keyframes so far have for actuators: before it takes objects away, MuJoCo
    /// copies its model, and the originals of what it could copy lose theirs.
    pub(crate) fn forget_actuators(&mut self) {
        if self.keys.is_empty() {
            return;
        }
        let still = Rename::default();
        let tendons = self.good(&self.spec.tendons, &still);
        let actuators = self.good(&self.spec.actuators, &still);
        let copied = |name: &str| {
            let mut tendons = self.spec.tendons.iter().zip(&tendons);
            name.is_empty() || tendons.any(|(t, good)| *good && t.name.text() == name)
        };
        let marks: Vec<u32> = self
            .spec
            .actuators
            .iter()
            .zip(actuators)
            .filter(|(a, good)| *good && copied(a.tendon.text()))
            .map(|(a, _)| a.head.mark)
            .collect();
        marks.into_iter().for_each(|mark| self.keys.forget_actuator(mark));
    }

    /// Takes objects away, and all that referred to them. What refers to nothing known stays: it
    /// is an error that is still to be reported.
    pub(crate) fn remove_originals(&mut self, originals: &[(Kind, String)]) {
        let still = Rename::default();
        macro_rules! doomed {
            ($($list:ident),*) => {
                ($(self.good(&self.spec.$list, &still),)*)
            };
        }
        let (pairs, excludes, tendons, equalities, actuators, sensors) =
            doomed!(pairs, excludes, tendons, equalities, actuators, sensors);
        for (kind, name) in originals {
            self.names.remove(*kind, name);
        }
        macro_rules! keep {
            ($($list:ident),*) => {$(
                let mut list = core::mem::take(&mut self.spec.$list);
                self.prune(&mut list, &$list, &still);
                self.spec.$list = list;
            )*};
        }
        keep!(pairs, excludes, tendons, equalities, actuators, sensors);
    }

    /// Which elements refer to existing things.
    fn good<T: Referring>(&self, list: &[T], still: &Rename<'_>) -> Vec<bool> {
        list.iter().map(|x| x.clone().point_to_copy(still, &self.names)).collect()
    }

    /// Removes elements that were good and are not any more.
    fn prune<T: Referring>(&mut self, list: &mut Vec<T>, good: &[bool], still: &Rename<'_>) {
        let mut i = 0;
        list.retain(|x| {
            let was_good = good.get(i).copied().unwrap_or(false);
            i += 1;
            let keep = !was_good || x.clone().point_to_copy(still, &self.names);
            if !keep {
                self.names.remove(T::KIND, x.name().text());
            }
            keep
        });
    }
}

/// An asset that can be copied from another model.
trait Asset {
    /// Gives it the name of its file if it has none.
    fn default_name(&mut self) {}
    fn rename(&mut self, rename: &Rename<'_>);
}

macro_rules! file_assets {
    ($($ty:ident)*) => {$(
        impl Asset for crate::spec::$ty {
            fn default_name(&mut self) {
                if self.name.text().is_empty() && self.file.is_set() {
                    let file = base_name(self.file.text());
                    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
                    self.name.set(stem.to_owned());
                }
            }
            fn rename(&mut self, rename: &Rename<'_>) {
                rename.attr(&mut self.name);
            }
        }
    )*};
}
file_assets! { Mesh HField Texture }

impl Asset for crate::spec::Material {
    fn rename(&mut self, rename: &Rename<'_>) {
        rename.material(self);
    }
}

impl Asset for crate::spec::Numeric {
    fn rename(&mut self, rename: &Rename<'_>) {
        rename.attr(&mut self.name);
    }
}

impl Asset for crate::spec::Text {
    fn rename(&mut self, rename: &Rename<'_>) {
        rename.attr(&mut self.name);
    }
}
