//! Bodies and frames that are being built.

use core::panic::Location;

use crate::diag::Error;
use crate::edit::class::class_of;
use crate::edit::element::{InTree, find_in_tree, put_head};
use crate::edit::find::no_such;
use crate::edit::id::Id;
use crate::edit::place::place_of;
use crate::spec::{
    Body, Camera, Child, ClassId, DefaultClass, Frame, FreeJoint, Geom, Inertial, Joint, Light,
    Orientation, Site, Source, Span, Spec,
};

/// A body of a model, to be filled.
#[derive(Debug)]
pub struct BodyMut<'s> {
    body: &'s mut Body,
    around: Around<'s>,
}

/// A frame of a body, to be filled.
#[derive(Debug)]
pub struct FrameMut<'s> {
    frame: &'s mut Frame,
    around: Around<'s>,
}

/// The model's data for the elements that are put into it.
#[derive(Debug)]
struct Around<'s> {
    sources: &'s mut Vec<Source>,
    last_id: &'s mut u32,
    classes: &'s [DefaultClass],
}

impl Around<'_> {
    /// The same for a shorter time.
    fn again(&mut self) -> Around<'_> {
        Around { sources: self.sources, last_id: self.last_id, classes: self.classes }
    }

    /// Adds an element to a list, and says which it is.
    fn put<T: InTree>(
        &mut self,
        children: &mut Vec<Child>,
        element: T,
        class: Option<ClassId>,
        at: &Location<'_>,
    ) -> Id<T> {
        let span = place_of(self.sources, at);
        let id = Id::next(self.last_id);
        let mut child = element.into();
        mark(&mut child, span, class, id.number());
        children.push(child);
        id
    }
}

/// Elements that can be in a body, with their common parts.
macro_rules! children {
    ($($ty:ident)*) => {
        $(impl From<$ty> for Child {
            fn from(element: $ty) -> Child {
                Child::$ty(element)
            }
        })*

        /// Records the place of an element in the model, and its identity; its contents have no
        /// identity yet.
        fn mark(child: &mut Child, span: Span, class: Option<ClassId>, id: u32) {
            let (head, inside) = match child {
                Child::Body(e) => (&mut e.head, Some(&mut e.children)),
                Child::Frame(e) => (&mut e.head, Some(&mut e.children)),
                $(Child::$ty(e) => (&mut e.head, None),)*
                Child::Replicate(e) => (&mut e.head, Some(&mut e.children)),
                Child::Attach(e) => (&mut e.head, None),
            };
            put_head(head, span, class, id);
            inside.into_iter().flatten().for_each(|child| mark(child, span, class, 0));
        }
    };
}
impl From<Body> for Child {
    fn from(element: Body) -> Child {
        Child::Body(element)
    }
}
impl From<Frame> for Child {
    fn from(element: Frame) -> Child {
        Child::Frame(element)
    }
}
children! { Inertial Joint FreeJoint Geom Site Camera Light }

/// Methods that bodies and frames have in common.
macro_rules! filling {
    ($name:ident, $field:ident) => {
        impl<'s> $name<'s> {
            /// Puts an element into it.
            #[track_caller]
            pub fn add(&mut self, element: impl Into<Child>) -> &mut Self {
                let span = place_of(self.around.sources, Location::caller());
                let mut child = element.into();
                mark(&mut child, span, self.class_inside(), 0);
                self.$field.children.push(child);
                self
            }

            /// Puts an element into it, and says which it is.
            #[track_caller]
            pub fn insert<T: InTree>(&mut self, element: T) -> Id<T> {
                let (class, at) = (self.class_inside(), Location::caller());
                self.around.put(&mut self.$field.children, element, class, at)
            }

            /// Puts a geom into it.
            #[track_caller]
            pub fn add_geom(&mut self, geom: Geom) -> Id<Geom> {
                self.insert(geom)
            }

            /// Puts a joint into it.
            #[track_caller]
            pub fn add_joint(&mut self, joint: Joint) -> Id<Joint> {
                self.insert(joint)
            }

            /// Puts a site into it.
            #[track_caller]
            pub fn add_site(&mut self, site: Site) -> Id<Site> {
                self.insert(site)
            }

            /// Puts a camera into it.
            #[track_caller]
            pub fn add_camera(&mut self, camera: Camera) -> Id<Camera> {
                self.insert(camera)
            }

            /// Puts a light into it.
            #[track_caller]
            pub fn add_light(&mut self, light: Light) -> Id<Light> {
                self.insert(light)
            }

            /// Gives all that is put into it from now on a default class, unless it has its own.
            pub fn childclass(self, class: &str) -> Result<Self, Error> {
                let id = class_of(self.around.classes, class)?;
                self.$field.childclass.set(class.to_owned());
                self.$field.head.class = Some(id);
                Ok(self)
            }

            /// The class of its contents.
            fn class_inside(&self) -> Option<ClassId> {
                self.$field.head.class.or(Some(ClassId(0)))
            }

            /// With an element in it.
            #[track_caller]
            #[must_use = "without it, `add` says the same"]
            pub fn with(mut self, element: impl Into<Child>) -> Self {
                self.add(element);
                self
            }

            /// Puts a geom into it.
            #[track_caller]
            pub fn geom(mut self, geom: Geom) -> Self {
                self.add(geom);
                self
            }

            /// Puts a site into it.
            #[track_caller]
            pub fn site(mut self, name: &str, pos: [f64; 3]) -> Self {
                self.add(Site::default().name(name).pos(pos));
                self
            }

            /// Goes on with a new body inside of it.
            #[track_caller]
            pub fn body(self, name: &str) -> BodyMut<'s> {
                let class = self.class_inside();
                let $name { $field: outer, around } = self;
                inner_body(&mut outer.children, around, name, (class, Location::caller()))
            }

            /// A new body inside of it.
            #[track_caller]
            pub fn add_body(&mut self, name: &str) -> BodyMut<'_> {
                let (class, around) = (self.class_inside(), self.around.again());
                inner_body(&mut self.$field.children, around, name, (class, Location::caller()))
            }

            /// A new frame inside of it: its pose applies to all its contents.
            #[track_caller]
            pub fn add_frame(&mut self, pos: [f64; 3]) -> FrameMut<'_> {
                self.insert(Frame::default().pos(pos));
                match self.$field.children.last_mut() {
                    Some(Child::Frame(frame)) => FrameMut { frame, around: self.around.again() },
                    _ => unreachable!("the frame was added above"),
                }
            }

            /// Sets the position.
            pub fn at(self, pos: [f64; 3]) -> Self {
                self.$field.pos.set(pos);
                self
            }

            /// Sets the orientation.
            pub fn turned(self, orientation: Orientation) -> Self {
                self.$field.alt.set(orientation);
                self
            }

            /// All that it says, to be changed.
            pub fn element(&mut self) -> &mut filling!(@element $name) {
                self.$field
            }
        }
    };
    (@element BodyMut) => {
        Body
    };
    (@element FrameMut) => {
        Frame
    };
}
filling! { BodyMut, body }
filling! { FrameMut, frame }

impl FrameMut<'_> {
    /// With a name, by which models are attached to it.
    pub fn named(self, name: &str) -> Self {
        self.frame.name.set(name.to_owned());
        self
    }
}

impl BodyMut<'_> {
    /// Puts a hinge into it, the axis given in the frame of the body.
    #[track_caller]
    pub fn hinge(self, name: &str, axis: [f64; 3]) -> Self {
        self.with(Joint::hinge(axis).name(name))
    }

    /// Lets it slide along an axis.
    #[track_caller]
    pub fn slide(self, name: &str, axis: [f64; 3]) -> Self {
        self.with(Joint::slide(axis).name(name))
    }

    /// Lets it turn in all directions.
    #[track_caller]
    pub fn ball(self, name: &str) -> Self {
        self.with(Joint::ball().name(name))
    }

    /// Lets it move freely; only a body of the world may.
    #[track_caller]
    pub fn free(self, name: &str) -> Self {
        self.with(FreeJoint::default().name(name))
    }

    /// Gives it mass, instead of the mass of its geoms.
    #[track_caller]
    pub fn inertial(self, mass: f64, pos: [f64; 3], diagonal: [f64; 3]) -> Self {
        self.with(Inertial::default().mass(mass).pos(pos).diaginertia(diagonal))
    }
}

/// A new body in a list of children, with its class and the place in code that makes it.
fn inner_body<'s>(
    children: &'s mut Vec<Child>,
    mut around: Around<'s>,
    name: &str,
    (class, at): (Option<ClassId>, &Location<'_>),
) -> BodyMut<'s> {
    let body = if name.is_empty() { Body::default() } else { Body::default().name(name) };
    around.put(children, body, class, at);
    match children.last_mut() {
        Some(Child::Body(body)) => BodyMut { body, around },
        _ => unreachable!("the body was added above"),
    }
}

impl Spec {
    /// The world, to be filled.
    pub fn world(&mut self) -> BodyMut<'_> {
        let Spec { world, sources, last_id, defaults, .. } = self;
        BodyMut { body: world, around: Around { sources, last_id, classes: defaults } }
    }

    /// A body, to be filled or changed; an error that suggests a name if there is none of this one.
    ///
    /// ```
    /// # use sinew_mjcf::spec::{Geom, Spec};
    /// let mut spec = Spec::new("hand");
    /// spec.world().body("palm").geom(Geom::cuboid([0.05, 0.05, 0.01]));
    /// let knob = spec.body("palm")?.add_geom(Geom::sphere(0.01));
    /// spec.at_mut(knob).expect("it was added").mass.set(0.02);
    /// let error = spec.body("plam").expect_err("there is none");
    /// assert!(error.to_string().contains("did you mean 'palm'?"), "{error}");
    /// # Ok::<(), sinew_mjcf::diag::Error>(())
    /// ```
    pub fn body(&mut self, name: &str) -> Result<BodyMut<'_>, Error> {
        if name == "world" {
            return Ok(self.world());
        }
        self.must_have::<Body>(name)?;
        let Spec { world, sources, last_id, defaults, .. } = self;
        let found = find_in_tree(&mut world.children, &|b: &Body| b.name.text() == name);
        let around = Around { sources, last_id, classes: defaults };
        found.map(|body| BodyMut { body, around }).ok_or_else(|| no_such("body", name, &[]))
    }

    /// A frame, to be filled or changed; an error that suggests a name if there is none of this
    /// one.
    pub fn frame(&mut self, name: &str) -> Result<FrameMut<'_>, Error> {
        self.must_have::<Frame>(name)?;
        let Spec { world, sources, last_id, defaults, .. } = self;
        let found = find_in_tree(&mut world.children, &|f: &Frame| f.name.text() == name);
        let around = Around { sources, last_id, classes: defaults };
        found.map(|frame| FrameMut { frame, around }).ok_or_else(|| no_such("frame", name, &[]))
    }
}
