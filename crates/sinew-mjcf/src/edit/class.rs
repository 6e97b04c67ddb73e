//! Default classes of models that are edited.

use core::panic::Location;

use crate::diag::{Diagnostics, Error};
use crate::edit::element::Element;
use crate::edit::find::no_such;
use crate::edit::id::Id;
use crate::edit::place::place_of;
use crate::spec::{ClassId, DefaultClass, Spec};

impl Spec {
    /// A new default class that inherits from another, to be filled; `main` is always there.
    ///
    /// ```
    /// # use sinew_mjcf::spec::{Geom, Joint, Spec};
    /// # use sinew_mjcf::{Assets, LoadOptions};
    /// let mut spec = Spec::new("arm");
    /// spec.class("main")?.joint.damping.set(1.0);
    /// spec.add_class("stiff", "main")?.joint.stiffness.set(50.0);
    /// let mut upper = spec.world().body("upper").childclass("stiff")?.geom(Geom::sphere(0.1));
    /// let hinge = upper.add_joint(Joint::hinge([0.0, 1.0, 0.0]));
    /// let model = spec.compile(&Assets::new(), &LoadOptions::default())?.model;
    /// assert_eq!((model.dof_damping[0], model.jnt_stiffness[0]), (1.0, 50.0));
    ///
    /// spec.set_class(hinge, "main")?;
    /// let model = spec.compile(&Assets::new(), &LoadOptions::default())?.model;
    /// assert_eq!((model.dof_damping[0], model.jnt_stiffness[0]), (1.0, 0.0));
    /// # Ok::<(), sinew_mjcf::diag::Error>(())
    /// ```
    #[track_caller]
    pub fn add_class(&mut self, name: &str, parent: &str) -> Result<&mut DefaultClass, Error> {
        let span = place_of(&mut self.sources, Location::caller());
        let parent = Some(class_of(&self.defaults, parent)?);
        if self.defaults.iter().any(|class| class.name == name) {
            let mut diag = Diagnostics::default();
            diag.error("repeated-name", span, format!("repeated default class name '{name}'"));
            return Err(Error { diagnostics: diag.list, sources: self.sources.clone() });
        }
        let class = DefaultClass { name: name.to_owned(), span, parent, ..DefaultClass::default() };
        self.defaults.push(class);
        let last = self.defaults.len() - 1;
        Ok(&mut self.defaults[last])
    }

    /// A default class, to be changed; an error that suggests a name if there is none of this one.
    pub fn class(&mut self, name: &str) -> Result<&mut DefaultClass, Error> {
        let ClassId(at) = class_of(&self.defaults, name)?;
        Ok(&mut self.defaults[at])
    }

    /// Gives an element another default class.
    pub fn set_class<T: Element>(&mut self, id: Id<T>, class: &str) -> Result<(), Error> {
        let class = class_of(&self.defaults, class)?;
        match self.at_mut(id) {
            Some(element) => {
                element.head_mut().class = Some(class);
                Ok(())
            }
            None => Err(no_such(T::WORD, &format!("{id:?}"), &[])),
        }
    }
}

/// The class of a name; an error that suggests a name if there is none.
pub(super) fn class_of(classes: &[DefaultClass], name: &str) -> Result<ClassId, Error> {
    let found = classes.iter().position(|class| class.name == name);
    let names = || classes.iter().map(|class| class.name.as_str()).collect::<Vec<_>>();
    found.map(ClassId).ok_or_else(|| no_such("default class", name, &names()))
}
