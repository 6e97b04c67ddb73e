//! Names of copies: a prefix and a suffix on everything that has or uses one.

use crate::spec::{Attr, Child, ClassId, DefaultClass, Head, Material, PluginUse};

/// How a copy differs from its original.
#[derive(Clone, Copy, Default)]
pub(crate) struct Rename<'a> {
    pub(crate) prefix: &'a str,
    pub(crate) suffix: &'a str,
    /// Whether it comes from another model, whose assets and classes are renamed too.
    pub(crate) foreign: bool,
    /// Where the settings of the other model begin.
    pub(crate) scope: usize,
    /// Where the classes of the other model begin.
    pub(crate) class: usize,
}

impl Rename<'_> {
    /// The new name of a name.
    pub(crate) fn of(&self, name: &str) -> String {
        format!("{}{name}{}", self.prefix, self.suffix)
    }

    /// Renames the value of an attribute, if it has one.
    pub(crate) fn attr(&self, name: &mut Attr<String>) {
        if let Some(text) = name.get_mut()
            && !text.is_empty()
        {
            *text = self.of(text);
        }
    }

    /// Renames a reference to an asset, which only another model's copy has of its own.
    pub(crate) fn asset(&self, name: &mut Attr<String>) {
        if self.foreign {
            self.attr(name);
        }
    }

    /// Points to settings and class of the copy, which has no identity yet.
    pub(crate) fn head(&self, head: &mut Head) {
        head.id = 0;
        if self.foreign {
            head.scope += self.scope;
            head.class = shifted(head.class, self.class);
        }
    }

    /// Renames a subtree; `note` sees every child after its own renaming.
    pub(crate) fn children(&self, list: &mut [Child], note: &mut dyn FnMut(&mut Child)) {
        for child in list {
            self.child(child);
            note(child);
            match child {
                Child::Body(b) => self.children(&mut b.children, note),
                Child::Frame(f) => self.children(&mut f.children, note),
                _ => {}
            }
        }
    }

    fn child(&self, child: &mut Child) {
        match child {
            Child::Body(b) => {
                self.head(&mut b.head);
                self.attr(&mut b.name);
                self.asset(&mut b.childclass);
                self.plugin(&mut b.plugin);
            }
            Child::Frame(f) => {
                self.head(&mut f.head);
                self.attr(&mut f.name);
                self.asset(&mut f.childclass);
            }
            Child::Joint(j) => {
                self.head(&mut j.head);
                self.attr(&mut j.name);
            }
            Child::FreeJoint(j) => {
                self.head(&mut j.head);
                self.attr(&mut j.name);
            }
            Child::Geom(g) => {
                self.head(&mut g.head);
                self.attr(&mut g.name);
                self.asset(&mut g.material);
                self.asset(&mut g.hfield);
                self.asset(&mut g.mesh);
                self.plugin(&mut g.plugin);
            }
            Child::Site(s) => {
                self.head(&mut s.head);
                self.attr(&mut s.name);
                self.asset(&mut s.material);
                self.asset(&mut s.mesh);
            }
            Child::Camera(c) => {
                self.head(&mut c.head);
                self.attr(&mut c.name);
                self.attr(&mut c.target);
            }
            Child::Light(l) => {
                self.head(&mut l.head);
                self.attr(&mut l.name);
                self.attr(&mut l.target);
                self.attr(&mut l.texture);
            }
            Child::Inertial(i) => self.head(&mut i.head),
            // expanded before anything is copied
            Child::Replicate(_) | Child::Attach(_) => {}
        }
    }

    /// The instance that an element refers to, which only another model's copy has of its own.
    pub(crate) fn plugin(&self, plugin: &mut Option<Box<PluginUse>>) {
        if let Some(plugin) = plugin {
            self.asset(&mut plugin.instance);
        }
    }

    /// A material's name and textures.
    pub(crate) fn material(&self, material: &mut Material) {
        self.attr(&mut material.name);
        self.attr(&mut material.texture);
        for layer in &mut material.layers {
            self.attr(&mut layer.texture);
        }
    }

    /// A class of an attached model; its root inherits nothing from the other model.
    pub(crate) fn class(&self, class: &mut DefaultClass) {
        class.name = self.of(&class.name);
        class.parent = shifted(class.parent, self.class);
        self.asset(&mut class.geom.material);
        self.asset(&mut class.geom.hfield);
        self.asset(&mut class.geom.mesh);
        self.asset(&mut class.site.material);
        self.asset(&mut class.site.mesh);
        self.attr(&mut class.material.texture);
        for layer in &mut class.material.layers {
            self.attr(&mut layer.texture);
        }
        for actuator in &mut class.actuators {
            self.head(&mut actuator.head);
        }
    }
}

/// A class of an attached model, in the list of classes of the model it is attached to.
fn shifted(class: Option<ClassId>, by: usize) -> Option<ClassId> {
    class.map(|ClassId(i)| ClassId(i + by))
}
