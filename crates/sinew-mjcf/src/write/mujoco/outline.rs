//! The contents of bodies, with the numbers of the compiled model.

use sinew_model::Model;

use crate::settings::Settings;
use crate::spec::{Body, Child, Frame, Inertial, Span, Tri};

/// A body with its contents, frames beside the elements that are in them.
pub(super) struct Outline<'s> {
    /// The body itself.
    pub(super) body: &'s Body,
    /// Number of the body.
    pub(super) id: usize,
    /// Frames of the body, each with its parent frame.
    pub(super) frames: Vec<(Option<usize>, &'s Frame)>,
    /// Elements that contain no others.
    pub(super) leaves: Vec<Leaf<'s>>,
    /// Bodies inside, each with its frame.
    pub(super) bodies: Vec<(Option<usize>, Outline<'s>)>,
    /// Inertia of the body, where written.
    pub(super) inertial: Option<&'s Inertial>,
}

impl Outline<'_> {
    /// Whether the inertia comes from the `<inertial>`, by the settings of an element.
    pub(super) fn explicit_inertia(&self, settings: &Settings) -> bool {
        let written = self.inertial.is_some_and(|inertial| !inertial.implied);
        written && settings.inertiafromgeom != Tri::True
    }
}

/// An element of a body.
pub(super) struct Leaf<'s> {
    /// The element.
    pub(super) child: &'s Child,
    /// Number among elements of its kind.
    pub(super) id: usize,
    /// The frame it is in.
    pub(super) frame: Option<usize>,
}

/// The numbers of the next elements: bodies, joints, geoms, sites, cameras, lights.
type Next = [usize; 6];

/// The world with all that is in it; none if the model has other elements.
pub(super) fn outline<'s>(world: &'s Body, shared_frames: bool, m: &Model) -> Option<Outline<'s>> {
    let mut walk = Walk { next: Next::default(), shared_frames };
    let found = walk.body(world);
    let sizes = [m.nbody, m.njnt, m.ngeom, m.nsite, m.ncam, m.nlight];
    (walk.next == sizes).then_some(found)
}

struct Walk {
    next: Next,
    /// Whether frames of one place are one frame.
    shared_frames: bool,
}

impl Walk {
    fn number(&mut self, kind: usize) -> usize {
        self.next[kind] += 1;
        self.next[kind] - 1
    }

    fn body<'s>(&mut self, body: &'s Body) -> Outline<'s> {
        let mut out = Outline {
            body,
            id: self.number(0),
            frames: Vec::new(),
            leaves: Vec::new(),
            bodies: Vec::new(),
            inertial: None,
        };
        let mut bodies = Vec::new();
        self.children(&body.children, None, &mut out, &mut bodies);
        out.bodies = bodies.into_iter().map(|(frame, body)| (frame, self.body(body))).collect();
        out
    }

    /// Sorts the contents of a body or of its frames; bodies are numbered after the leaves.
    fn children<'s>(
        &mut self,
        children: &'s [Child],
        frame: Option<usize>,
        out: &mut Outline<'s>,
        bodies: &mut Vec<(Option<usize>, &'s Body)>,
    ) {
        for child in children {
            let kind = match child {
                Child::Body(body) => {
                    bodies.push((frame, body));
                    continue;
                }
                Child::Frame(inner) => {
                    let at = self.frame(inner, frame, out);
                    self.children(&inner.children, Some(at), out, bodies);
                    continue;
                }
                Child::Inertial(inertial) => {
                    out.inertial = Some(inertial);
                    continue;
                }
                Child::Replicate(_) | Child::Attach(_) => continue,
                Child::Joint(_) | Child::FreeJoint(_) => 1,
                Child::Geom(_) => 2,
                Child::Site(_) => 3,
                Child::Camera(_) => 4,
                Child::Light(_) => 5,
            };
            out.leaves.push(Leaf { child, id: self.number(kind), frame });
        }
    }

    /// The number of a frame among its body's frames.
    fn frame<'s>(&self, frame: &'s Frame, outer: Option<usize>, out: &mut Outline<'s>) -> usize {
        let span = frame.head.span;
        let known = |(_, other): &(Option<usize>, &Frame)| other.head.span == span;
        if self.shared_frames
            && span != Span::default()
            && let Some(at) = out.frames.iter().position(known)
        {
            // one of them has the name
            if frame.name.is_set() {
                out.frames[at].1 = frame;
            }
            return at;
        }
        out.frames.push((outer, frame));
        out.frames.len() - 1
    }
}
