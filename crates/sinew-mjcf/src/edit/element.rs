//! Finding and changing elements by name.

use core::panic::Location;

use crate::edit::id::Id;
use crate::edit::place::place_of;
use crate::spec::*;

/// A kind of element that a model has in any number, each with a name or without.
pub trait Element: Sized {
    /// The kind's name in messages.
    #[doc(hidden)]
    const WORD: &'static str;

    /// Name of the element; empty if it has none.
    fn name_of(&self) -> &str;

    /// All elements of this kind, in order.
    fn all(spec: &Spec) -> Vec<&Self>;

    /// The common part of all elements.
    #[doc(hidden)]
    fn head(&self) -> &Head;

    /// The common part of all elements, to be changed.
    #[doc(hidden)]
    fn head_mut(&mut self) -> &mut Head;

    /// The first element that is wanted, to be changed.
    #[doc(hidden)]
    fn find_mut<'s>(spec: &'s mut Spec, wanted: &dyn Fn(&Self) -> bool) -> Option<&'s mut Self>;

    /// The first element that is wanted, taken out of the model.
    #[doc(hidden)]
    fn take(spec: &mut Spec, wanted: &dyn Fn(&Self) -> bool) -> Option<Self>;
}

/// An element that is in a list of the model, not in a body.
pub trait Listed: Element {
    /// Adds it to its list.
    #[doc(hidden)]
    fn push(self, spec: &mut Spec);
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
        T::all(self).into_iter().find(|e| e.name_of() == name)
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
        T::find_mut(self, &|e| e.name_of() == name)
    }

    /// All elements of a kind, in the order of the compiled model.
    pub fn all<T: Element>(&self) -> Vec<&T> {
        T::all(self)
    }

    /// Adds an element that is in no body: an asset, an actuator, a sensor ...
    #[track_caller]
    pub fn add<T: Listed>(&mut self, element: T) -> &mut Spec {
        self.insert(element);
        self
    }

    /// Adds an element that is in no body, and says which it is.
    ///
    /// ```
    /// # use sinew_mjcf::spec::{Material, Spec};
    /// let mut spec = Spec::new("paint");
    /// let red = spec.insert(Material::default().name("red").rgba([1.0, 0.0, 0.0, 1.0]));
    /// spec.at_mut(red).expect("it was added").shininess.set(0.9);
    /// assert_eq!(spec.delete(red).expect("it is there").name.text(), "red");
    /// assert!(spec.at(red).is_none());
    /// ```
    #[track_caller]
    pub fn insert<T: Listed>(&mut self, mut element: T) -> Id<T> {
        let span = place_of(&mut self.sources, Location::caller());
        let id = Id::next(&mut self.last_id);
        put_head(element.head_mut(), span, Some(ClassId(0)), id.number());
        element.push(self);
        id
    }
}

/// Says where an element was put into the model, and which it is; one that was read keeps its
/// place.
pub(super) fn put_head(head: &mut Head, span: Span, class: Option<ClassId>, id: u32) {
    if head.span == Span::default() {
        head.span = span;
    }
    head.class = head.class.or(class);
    head.id = id;
}

macro_rules! name_and_head {
    () => {
        fn name_of(&self) -> &str {
            self.name.text()
        }
        fn head(&self) -> &Head {
            &self.head
        }
        fn head_mut(&mut self) -> &mut Head {
            &mut self.head
        }
    };
}

macro_rules! listed {
    ($($ty:ident $list:ident $word:literal;)*) => {$(
        impl Element for $ty {
            const WORD: &'static str = $word;

            name_and_head!();

            fn all(spec: &Spec) -> Vec<&Self> {
                spec.$list.iter().collect()
            }
            fn find_mut<'s>(
                spec: &'s mut Spec,
                wanted: &dyn Fn(&Self) -> bool,
            ) -> Option<&'s mut Self> {
                spec.$list.iter_mut().find(|e| wanted(e))
            }
            fn take(spec: &mut Spec, wanted: &dyn Fn(&Self) -> bool) -> Option<Self> {
                let at = spec.$list.iter().position(wanted)?;
                Some(spec.$list.remove(at))
            }
        }

        impl Listed for $ty {
            fn push(self, spec: &mut Spec) {
                spec.$list.push(self);
            }
        }
    )*};
}
listed! {
    Mesh meshes "mesh"; HField hfields "height field"; Texture textures "texture";
    Material materials "material"; Flex flexes "flex"; Skin skins "skin"; Pair pairs "pair";
    Exclude excludes "exclude"; Equality equalities "equality"; Tendon tendons "tendon";
    Actuator actuators "actuator"; Sensor sensors "sensor"; Numeric numerics "numeric";
    Text texts "text"; Tuple tuples "tuple"; Key keys "keyframe";
}

macro_rules! in_tree {
    ($($ty:ident $word:literal $take:expr;)*) => {$(
        impl Element for $ty {
            const WORD: &'static str = $word;

            name_and_head!();

            fn all(spec: &Spec) -> Vec<&Self> {
                let mut out = Vec::new();
                collect(&spec.world.children, &mut out, &|child| match child {
                    Child::$ty(e) => Some(e),
                    _ => None,
                });
                out
            }
            fn find_mut<'s>(
                spec: &'s mut Spec,
                wanted: &dyn Fn(&Self) -> bool,
            ) -> Option<&'s mut Self> {
                find_in_tree(&mut spec.world.children, wanted)
            }
            fn take(spec: &mut Spec, wanted: &dyn Fn(&Self) -> bool) -> Option<Self> {
                $take(spec, wanted)
            }
        }

        impl InTree for $ty {
            fn of(child: &Child) -> Option<&Self> {
                match child {
                    Child::$ty(e) => Some(e),
                    _ => None,
                }
            }
            fn of_mut(child: &mut Child) -> Option<&mut Self> {
                match child {
                    Child::$ty(e) => Some(e),
                    _ => None,
                }
            }
            fn of_owned(child: Child) -> Option<Self> {
                match child {
                    Child::$ty(e) => Some(e),
                    _ => None,
                }
            }
        }
    )*};
}
in_tree! {
    Body "body" Spec::take_body;
    Frame "frame" take_from_world;
    Joint "joint" take_from_world;
    FreeJoint "joint" take_from_world;
    Geom "geom" take_from_world;
    Site "site" take_from_world;
    Camera "camera" take_from_world;
    Light "light" take_from_world;
}

/// Adds the elements that `pick` chooses, elements of a body before elements of its child bodies.
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
pub trait InTree: Element + Into<Child> {
    /// A child of this kind.
    #[doc(hidden)]
    fn of(child: &Child) -> Option<&Self>;

    /// A child of this kind, to be changed.
    #[doc(hidden)]
    fn of_mut(child: &mut Child) -> Option<&mut Self>;

    /// A child of this kind by itself.
    #[doc(hidden)]
    fn of_owned(child: Child) -> Option<Self>;
}

/// The contents of a child.
fn inside(child: &mut Child) -> Option<&mut Vec<Child>> {
    match child {
        Child::Body(e) => Some(&mut e.children),
        Child::Frame(e) => Some(&mut e.children),
        _ => None,
    }
}

/// The first element of this kind that is wanted.
pub(super) fn find_in_tree<'s, T: InTree>(
    children: &'s mut [Child],
    wanted: &dyn Fn(&T) -> bool,
) -> Option<&'s mut T> {
    for child in children {
        if T::of(child).is_some_and(wanted) {
            return T::of_mut(child);
        }
        let found = inside(child).and_then(|inner| find_in_tree(inner, wanted));
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Takes the first wanted element of this kind out of a list or of the list's contents.
fn take_in_tree<T: InTree>(children: &mut Vec<Child>, wanted: &dyn Fn(&T) -> bool) -> Option<T> {
    if let Some(at) = children.iter().position(|child| T::of(child).is_some_and(wanted)) {
        return T::of_owned(children.remove(at));
    }
    children.iter_mut().find_map(|child| take_in_tree(inside(child)?, wanted))
}

fn take_from_world<T: InTree>(spec: &mut Spec, wanted: &dyn Fn(&T) -> bool) -> Option<T> {
    take_in_tree(&mut spec.world.children, wanted)
}
