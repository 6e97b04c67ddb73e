//! Attaching a model to another, and taking bodies out of one.

use core::panic::Location;

use crate::diag::{Diagnostics, Error};
use crate::edit::element::find_in_tree;
use crate::edit::place::place_of;
use crate::expand::{detach, expand};
use crate::spec::{Attach, Body, Child, Frame, ModelAsset, Site, Spec, SubModel};

/// Prefix and suffix of the names of an attached model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Naming<'n> {
    /// Before each name.
    pub prefix: &'n str,
    /// After each name.
    pub suffix: &'n str,
}

impl<'n> From<&'n str> for Naming<'n> {
    fn from(prefix: &'n str) -> Naming<'n> {
        Naming { prefix, suffix: "" }
    }
}

impl Spec {
    /// Attaches all of another model to the body, frame or site of this name: its bodies, and the
    /// assets, classes, actuators, sensors ... of these.
    ///
    /// ```
    /// use sinew_mjcf::spec::{Body, Geom, Spec};
    ///
    /// let mut finger = Spec::new("finger");
    /// finger.world().body("tip").hinge("bend", [0.0, 1.0, 0.0]).geom(Geom::sphere(0.01));
    /// let mut hand = Spec::new("hand");
    /// hand.world().body("palm").geom(Geom::cuboid([0.05, 0.05, 0.01])).site("mount", [0.0; 3]);
    /// hand.attach(&finger, "palm", "left_")?;
    /// hand.attach(&finger, "mount", "right_")?;
    /// assert!(hand.get::<Body>("left_tip").is_some() && hand.get::<Body>("right_tip").is_some());
    /// # Ok::<(), sinew_mjcf::diag::Error>(())
    /// ```
    #[track_caller]
    pub fn attach<'n>(
        &mut self,
        other: &Spec,
        place: &str,
        naming: impl Into<Naming<'n>>,
    ) -> Result<(), Error> {
        let naming = naming.into();
        let span = place_of(&mut self.sources, Location::caller());

        // the model under a name that no other has, and the element that attaches it
        let mut model = format!("{}#{}", other.modelname.text(), self.models.len());
        while self.models.iter().any(|m| m.spec.modelname.text() == model) {
            model.push('#');
        }
        let mut sub = other.clone();
        sub.modelname.set(model.clone());
        sub.shift_places(self.sources.len() as u32);
        let mut attach = Attach { suffix: naming.suffix.to_owned(), ..Attach::default() };
        attach.head.span = span;
        attach.model.set(model);
        attach.prefix.set(naming.prefix.to_owned());

        // where it goes
        let mut edited = self.clone();
        edited.sources.extend(other.sources.iter().cloned());
        let Some(children) = children_of(&mut edited, place) else {
            let mut diag = Diagnostics::default();
            let words = format!("there is no body, frame or site '{place}' to attach to");
            diag.error("attach", span, words);
            return Err(Error { diagnostics: diag.list, sources: self.sources.clone() });
        };
        children.push(Child::Attach(attach));
        edited.models.push(SubModel { asset: ModelAsset::default(), spec: sub });

        // brought in at once, so that it is found
        let mut diag = Diagnostics::default();
        let mut expanded = expand(&edited, &mut diag).into_owned();
        if diag.failed() {
            return Err(Error { diagnostics: diag.list, sources: edited.sources });
        }
        expanded.models.pop();
        *self = expanded;
        Ok(())
    }

    /// Takes a body out of the model, with its contents and the elements that referred to them.
    /// None if there is none of this name.
    ///
    /// ```
    /// use sinew_mjcf::spec::{Actuator, Geom, Joint, Spec};
    ///
    /// let mut spec = Spec::new("two");
    /// spec.world().body("a").hinge("ja", [0.0, 0.0, 1.0]).geom(Geom::sphere(0.1));
    /// spec.world().body("b").hinge("jb", [0.0, 0.0, 1.0]).geom(Geom::sphere(0.1));
    /// spec.add(Actuator::motor("ja")).add(Actuator::motor("jb"));
    /// let body = spec.detach("a").expect("it is there");
    /// assert_eq!(body.children.len(), 2);
    /// assert_eq!(spec.actuators.len(), 1);
    /// assert!(spec.get::<Joint>("ja").is_none());
    /// ```
    pub fn detach(&mut self, name: &str) -> Option<Body> {
        self.take_body(&|body| body.name.text() == name)
    }

    /// Takes out the first wanted body, with the elements that refer to it.
    pub(super) fn take_body(&mut self, wanted: &dyn Fn(&Body) -> bool) -> Option<Body> {
        let (rest, body) = detach(self, wanted, &mut Diagnostics::default())?;
        *self = rest;
        Some(body)
    }
}

/// The contents of a body or frame; a site gets a frame of its own.
fn children_of<'s>(spec: &'s mut Spec, place: &str) -> Option<&'s mut Vec<Child>> {
    if place == "world" {
        return Some(&mut spec.world.children);
    }
    if spec.get::<Body>(place).is_some() {
        return find_in_tree::<Body>(&mut spec.world.children, &|b| b.name.text() == place)
            .map(|b| &mut b.children);
    }
    if spec.get::<Frame>(place).is_some() {
        return find_in_tree::<Frame>(&mut spec.world.children, &|f| f.name.text() == place)
            .map(|f| &mut f.children);
    }
    let site = spec.get::<Site>(place)?.clone();
    let defaults = crate::defaults::Defaults::new(spec);
    let site = defaults.site(&site);
    let mut frame = Frame { head: site.head, alt: site.alt.clone(), ..Frame::default() };
    (frame.pos, frame.quat) = (site.pos.clone(), site.quat.clone());
    beside_site(&mut spec.world.children, place, frame)
}

/// Puts a frame beside a site, and returns the frame's contents.
fn beside_site<'s>(
    children: &'s mut Vec<Child>,
    name: &str,
    frame: Frame,
) -> Option<&'s mut Vec<Child>> {
    let is_it = |c: &Child| matches!(c, Child::Site(s) if s.name.text() == name);
    if children.iter().any(is_it) {
        children.push(Child::Frame(frame));
        return match children.last_mut() {
            Some(Child::Frame(frame)) => Some(&mut frame.children),
            _ => None,
        };
    }
    children.iter_mut().find_map(|child| match child {
        Child::Body(b) => beside_site(&mut b.children, name, frame.clone()),
        Child::Frame(f) => beside_site(&mut f.children, name, frame.clone()),
        _ => None,
    })
}
