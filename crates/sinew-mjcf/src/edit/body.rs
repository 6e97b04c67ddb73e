//! Bodies and frames that are being built.

use core::panic::Location;

use crate::edit::element::find_in_tree;
use crate::edit::place::place_of;
use crate::spec::{
    Body, Camera, Child, Frame, FreeJoint, Geom, Inertial, Joint, Light, Orientation, Site, Source,
    Span, Spec,
};

/// A body of a model, to be filled.
#[derive(Debug)]
pub struct BodyMut<'s> {
    body: &'s mut Body,
    sources: &'s mut Vec<Source>,
}

/// A frame of a body, to be filled.
#[derive(Debug)]
pub struct FrameMut<'s> {
    frame: &'s mut Frame,
    sources: &'s mut Vec<Source>,
}

/// Elements that can be in a body, with what they have in common.
macro_rules! children {
    ($($ty:ident)*) => {
        $(impl From<$ty> for Child {
            fn from(element: $ty) -> Child {
                Child::$ty(element)
            }
        })*

        /// Says where an element was put into the model; one that was read keeps its place.
        fn mark(child: &mut Child, span: Span) {
            let head = match child {
                $(Child::$ty(e) => &mut e.head,)*
                Child::Replicate(e) => &mut e.head,
                Child::Attach(e) => &mut e.head,
            };
            if head.span == Span::default() {
                head.span = span;
            }
            if head.class.is_none() {
                head.class = Some(crate::spec::ClassId(0));
            }
        }
    };
}
children! { Body Frame Inertial Joint FreeJoint Geom Site Camera Light }

/// What bodies and frames have in common.
macro_rules! filling {
    ($name:ident, $field:ident) => {
        impl<'s> $name<'s> {
            /// Puts an element into it.
            #[track_caller]
            pub fn add(&mut self, element: impl Into<Child>) -> &mut Self {
                let span = place_of(self.sources, Location::caller());
                let mut child = element.into();
                mark(&mut child, span);
                self.$field.children.push(child);
                self
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
                let $name { $field: outer, sources } = self;
                inner_body(&mut outer.children, sources, name, Location::caller())
            }

            /// A new body inside of it.
            #[track_caller]
            pub fn add_body(&mut self, name: &str) -> BodyMut<'_> {
                inner_body(&mut self.$field.children, self.sources, name, Location::caller())
            }

            /// A new frame inside of it: its pose is that of all it contains.
            #[track_caller]
            pub fn add_frame(&mut self, pos: [f64; 3]) -> FrameMut<'_> {
                let span = place_of(self.sources, Location::caller());
                let mut child = Child::Frame(Frame::default().pos(pos));
                mark(&mut child, span);
                self.$field.children.push(child);
                match self.$field.children.last_mut() {
                    Some(Child::Frame(frame)) => FrameMut { frame, sources: self.sources },
                    _ => unreachable!("the frame was added above"),
                }
            }

            /// Its position.
            pub fn at(self, pos: [f64; 3]) -> Self {
                self.$field.pos.set(pos);
                self
            }

            /// Its orientation.
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

    /// Gives it mass, instead of what its geoms have.
    #[track_caller]
    pub fn inertial(self, mass: f64, pos: [f64; 3], diagonal: [f64; 3]) -> Self {
        self.with(Inertial::default().mass(mass).pos(pos).diaginertia(diagonal))
    }
}

/// A new body in a list of children.
fn inner_body<'s>(
    children: &'s mut Vec<Child>,
    sources: &'s mut Vec<Source>,
    name: &str,
    at: &Location<'_>,
) -> BodyMut<'s> {
    let span = place_of(sources, at);
    let mut child =
        Child::Body(if name.is_empty() { Body::default() } else { Body::default().name(name) });
    mark(&mut child, span);
    children.push(child);
    match children.last_mut() {
        Some(Child::Body(body)) => BodyMut { body, sources },
        _ => unreachable!("the body was added above"),
    }
}

impl Spec {
    /// The world, to be filled.
    pub fn world(&mut self) -> BodyMut<'_> {
        BodyMut { body: &mut self.world, sources: &mut self.sources }
    }

    /// A body, to be filled or changed; none if there is none of this name.
    pub fn body(&mut self, name: &str) -> Option<BodyMut<'_>> {
        let body = match name {
            "world" => &mut self.world,
            _ => find_in_tree(&mut self.world.children, name)?,
        };
        Some(BodyMut { body, sources: &mut self.sources })
    }

    /// A frame, to be filled or changed; none if there is none of this name.
    pub fn frame(&mut self, name: &str) -> Option<FrameMut<'_>> {
        let frame = find_in_tree(&mut self.world.children, name)?;
        Some(FrameMut { frame, sources: &mut self.sources })
    }
}
