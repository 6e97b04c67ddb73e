//! Finding and changing elements by name.

use core::panic::Location;

use crate::edit::place::place_of;
use crate::spec::*;

/// A kind of element that a model has in any number, each with a name or without.
pub trait Element: Sized {
    /// Its name; empty if it has none.
    fn name_of(&self) -> &str;

    /// The first element of this name; of an empty one, the first without a name.
    fn find<'s>(spec: &'s Spec, name: &str) -> Option<&'s Self>;

    /// The first element of this name, to be changed.
    fn find_mut<'s>(spec: &'s mut Spec, name: &str) -> Option<&'s mut Self>;

    /// All elements of this kind, in order.
    fn all(spec: &Spec) -> Vec<&Self>;
}

/// An element that is in a list of the model, not in a body.
pub trait Listed: Element {
    /// Adds it to its list.
    #[doc(hidden)]
    fn push(self, spec: &mut Spec);

    /// What all elements have.
    #[doc(hidden)]
    fn head_mut(&mut self) -> &mut Head;
}

impl Spec {
    /// A model of which only the name is given.
    pub fn new(name: &str) -> Spec {
        let mut spec = Spec { scopes: vec![Scope::default()], ..Spec::default() };
        spec.modelname.set(name.to_owned());
        spec.defaults.push(DefaultClass { name: "main".into(), ..DefaultClass::default() });
        spec.world.head.class = Some(ClassId(0));
        spec
    }

    /// The element of this name; of an empty name, the first element without one.
    pub fn get<T: Element>(&self, name: &str) -> Option<&T> {
        T::find(self, name)
    }

    /// The element of this name, to be changed.
    ///
    /// ```
    /// # use sinew_mjcf::spec::{Geom, Spec};
    /// let mut spec = Spec::new("ball");
    /// spec.world().body("ball").free("").geom(Geom::sphere(0.1).name("skin"));
    /// spec.get_mut::<Geom>("skin").expect("it is there").mass.set(2.0);
    /// assert_eq!(spec.get::<Geom>("skin").and_then(|g| g.mass.get()), Some(&2.0));
    /// assert!(spec.get::<Geom>("bones").is_none());
    /// ```
    pub fn get_mut<T: Element>(&mut self, name: &str) -> Option<&mut T> {
        T::find_mut(self, name)
    }

    /// All elements of a kind, in the order of the compiled model.
    pub fn all<T: Element>(&self) -> Vec<&T> {
        T::all(self)
    }

    /// Adds an element that is in no body: an asset, an actuator, a sensor ...
    #[track_caller]
    pub fn add<T: Listed>(&mut self, mut element: T) -> &mut Spec {
        let span = place_of(&mut self.sources, Location::caller());
        let head = element.head_mut();
        if head.span == Span::default() {
            head.span = span;
        }
        if head.class.is_none() {
            head.class = Some(ClassId(0));
        }
        element.push(self);
        self
    }
}

macro_rules! listed {
    ($($ty:ident $list:ident;)*) => {$(
        impl Element for $ty {
            fn name_of(&self) -> &str {
                self.name.text()
            }
            fn find<'s>(spec: &'s Spec, name: &str) -> Option<&'s Self> {
                spec.$list.iter().find(|e| e.name.text() == name)
            }
            fn find_mut<'s>(spec: &'s mut Spec, name: &str) -> Option<&'s mut Self> {
                spec.$list.iter_mut().find(|e| e.name.text() == name)
            }
            fn all(spec: &Spec) -> Vec<&Self> {
                spec.$list.iter().collect()
            }
        }

        impl Listed for $ty {
            fn push(self, spec: &mut Spec) {
                spec.$list.push(self);
            }
            fn head_mut(&mut self) -> &mut Head {
                &mut self.head
            }
        }
    )*};
}
listed! {
    Mesh meshes; HField hfields; Texture textures; Material materials; Flex flexes; Skin skins;
    Pair pairs; Exclude excludes; Equality equalities; Tendon tendons; Actuator actuators;
    Sensor sensors; Numeric numerics; Text texts; Tuple tuples; Key keys;
}

macro_rules! in_tree {
    ($($ty:ident)*) => {$(
        impl Element for $ty {
            fn name_of(&self) -> &str {
                self.name.text()
            }
            fn find<'s>(spec: &'s Spec, name: &str) -> Option<&'s Self> {
                Self::all(spec).into_iter().find(|e| e.name.text() == name)
            }
            fn find_mut<'s>(spec: &'s mut Spec, name: &str) -> Option<&'s mut Self> {
                find_in_tree(&mut spec.world.children, name)
            }
            fn all(spec: &Spec) -> Vec<&Self> {
                let mut out = Vec::new();
                collect(&spec.world.children, &mut out, &|child| match child {
                    Child::$ty(e) => Some(e),
                    _ => None,
                });
                out
            }
        }

        impl InTree for $ty {
            fn is(child: &Child, name: &str) -> bool {
                matches!(child, Child::$ty(e) if e.name.text() == name)
            }
            fn of(child: &mut Child) -> Option<&mut Self> {
                match child {
                    Child::$ty(e) => Some(e),
                    _ => None,
                }
            }
        }
    )*};
}
in_tree! { Body Frame Joint FreeJoint Geom Site Camera Light }

/// Adds the elements that `pick` chooses, those of a body before those of its bodies.
fn collect<'s, T>(
    children: &'s [Child],
    out: &mut Vec<&'s T>,
    pick: &dyn Fn(&'s Child) -> Option<&'s T>,
) {
    // elements of this body, also those in frames
    fn own<'s, T>(
        children: &'s [Child],
        out: &mut Vec<&'s T>,
        pick: &dyn Fn(&'s Child) -> Option<&'s T>,
    ) {
        for child in children {
            if !matches!(child, Child::Body(_)) {
                out.extend(pick(child));
            }
            if let Child::Frame(frame) = child {
                own(&frame.children, out, pick);
            }
        }
    }

    // the bodies in it, each with all it contains
    fn bodies<'s, T>(
        children: &'s [Child],
        out: &mut Vec<&'s T>,
        pick: &dyn Fn(&'s Child) -> Option<&'s T>,
    ) {
        for child in children {
            match child {
                Child::Body(body) => {
                    out.extend(pick(child));
                    collect(&body.children, out, pick);
                }
                Child::Frame(frame) => bodies(&frame.children, out, pick),
                _ => {}
            }
        }
    }
    own(children, out, pick);
    bodies(children, out, pick);
}

/// A kind of element that is in bodies.
pub(super) trait InTree: Sized {
    /// Whether a child is of this kind and has this name.
    fn is(child: &Child, name: &str) -> bool;

    /// A child of this kind.
    fn of(child: &mut Child) -> Option<&mut Self>;
}

/// The first element of this kind and name.
pub(super) fn find_in_tree<'s, T: InTree>(
    children: &'s mut [Child],
    name: &str,
) -> Option<&'s mut T> {
    for child in children {
        if T::is(child, name) {
            return T::of(child);
        }
        let inner = match child {
            Child::Body(e) => &mut e.children,
            Child::Frame(e) => &mut e.children,
            _ => continue,
        };
        if let Some(found) = find_in_tree(inner, name) {
            return Some(found);
        }
    }
    None
}
