//! Elements by identity.

use crate::diag::{Diagnostics, Error};
use crate::edit::element::Element;
use crate::edit::id::Id;
use crate::schema::nearest;
use crate::spec::{Span, Spec};

impl Spec {
    /// The identity of the element of this name; an error that suggests a name if there is none.
    ///
    /// ```
    /// # use sinew_mjcf::spec::{Geom, Spec};
    /// let mut spec = Spec::new("ball");
    /// spec.world().body("ball").free("").geom(Geom::sphere(0.1).name("skin"));
    /// let skin = spec.id::<Geom>("skin")?;
    /// spec.at_mut(skin).expect("it is there").name.set("hide".to_owned());
    /// assert_eq!(spec.at(skin).map(|g| g.name.text()), Some("hide"));
    /// # Ok::<(), sinew_mjcf::diag::Error>(())
    /// ```
    pub fn id<T: Element>(&mut self, name: &str) -> Result<Id<T>, Error> {
        self.must_have::<T>(name)?;
        let mut last = self.last_id;
        let found = T::find_mut(self, &|e| e.name_of() == name);
        let head = found.ok_or_else(|| no_such(T::WORD, name, &[]))?.head_mut();
        if head.id == 0 {
            head.id = Id::<T>::next(&mut last).number();
        }
        let id = Id::of(head.id);
        self.last_id = last;
        Ok(id)
    }

    /// The element of this identity; none if it is no longer in the model.
    pub fn at<T: Element>(&self, id: Id<T>) -> Option<&T> {
        T::all(self).into_iter().find(|e| e.head().id == id.number())
    }

    /// The element of this identity, to be changed; none if it is no longer in the model.
    pub fn at_mut<T: Element>(&mut self, id: Id<T>) -> Option<&mut T> {
        T::find_mut(self, &|e| e.head().id == id.number())
    }

    /// Takes an element out of the model; a body goes with its contents and the elements that refer
    /// to them. None if it is no longer in the model.
    ///
    /// ```
    /// # use sinew_mjcf::spec::{Actuator, Body, Geom, Joint, Spec};
    /// let mut spec = Spec::new("arm");
    /// let mut upper = spec.world().body("upper").geom(Geom::sphere(0.1));
    /// upper.add(Joint::hinge([0.0, 1.0, 0.0]).name("shoulder"));
    /// spec.add(Actuator::motor("shoulder"));
    /// let upper = spec.id::<Body>("upper")?;
    /// assert_eq!(spec.delete(upper).expect("it is there").children.len(), 2);
    /// assert!(spec.actuators.is_empty() && spec.delete(upper).is_none());
    /// # Ok::<(), sinew_mjcf::diag::Error>(())
    /// ```
    pub fn delete<T: Element>(&mut self, id: Id<T>) -> Option<T> {
        T::take(self, &|e| e.head().id == id.number())
    }

    /// An error if no element of a kind has a name.
    pub(super) fn must_have<T: Element>(&self, name: &str) -> Result<(), Error> {
        let names: Vec<&str> = T::all(self).iter().map(|e| e.name_of()).collect();
        if names.contains(&name) { Ok(()) } else { Err(no_such(T::WORD, name, &names)) }
    }
}

/// The error that there is no element of a name, with the most similar of others.
pub(super) fn no_such(kind: &str, name: &str, names: &[&str]) -> Error {
    let mut diag = Diagnostics::default();
    diag.error("unknown-name", Span::default(), format!("there is no {kind} '{name}'"));
    if let Some(near) = nearest(name, names.iter().copied()) {
        diag.help(format!("did you mean '{near}'?"));
    }
    Error { diagnostics: diag.list, sources: Vec::new() }
}
