//! A model while it is put together.

use std::collections::HashMap;

use sinew_model::enums::GeomType;

use crate::defaults::Defaults;
use crate::diag::Diagnostics;
use crate::expand::keys::Keys;
use crate::expand::names::{Kind, Names};
use crate::spec::{Attr, Child, Frame, Geom, Head, Spec};

/// A model while `<replicate>` and `<attach>` are expanded.
pub(crate) struct Expander<'d> {
    pub(crate) diag: &'d mut Diagnostics,
    /// The model so far.
    pub(crate) spec: Spec,
    /// Names so far.
    pub(crate) names: Names,
    pub(crate) keys: Keys,
    /// Models to attach, expanded when first used.
    pub(crate) subs: Vec<(usize, Spec)>,
    /// Elements made so far.
    pub(crate) size: usize,
    /// How deep in the tree it is.
    pub(crate) depth: usize,
    /// The body it is in, by number, and how many there are.
    pub(crate) parent: usize,
    pub(crate) bodies: usize,
    /// The body of each named element, and of the attached models.
    pub(crate) parents: HashMap<String, usize>,
    /// The frames it is in, within its body, the outermost first; without their contents.
    pub(crate) frames: Vec<Frame>,
    /// Bodies that were attached again in the same body, and the frames in which that was.
    pub(crate) moves: Vec<(String, Vec<Frame>)>,
    /// Classes of the model itself.
    pub(crate) defaults: Defaults,
}

impl Expander<'_> {
    /// Notes a name; a repeated one is an error.
    pub(crate) fn add_name(&mut self, kind: Kind, name: &Attr<String>, head: Head) {
        if kind == Kind::Geom && head.mark == NOT_WRAPPED {
            self.names.add_smooth(name.text());
        }
        if !self.names.add(kind, name.text()) {
            let words = format!("repeated name '{}' in {}", name.text(), kind.word());
            self.diag.error("repeated-name", name.span().unwrap_or(head.span), words);
        }
    }
}

/// Mark of a geom whose class makes it neither sphere nor cylinder.
pub(crate) const NOT_WRAPPED: u32 = 1;

/// Marks a geom whose class makes it neither sphere nor cylinder, for any type of its own.
pub(crate) fn mark_geom(defaults: &Defaults, child: &mut Child) {
    let Child::Geom(geom) = child else { return };
    let of_class = defaults.geom(&Geom { head: geom.head, ..Geom::default() });
    let kind = of_class.values().type_();
    if kind != GeomType::Sphere && kind != GeomType::Cylinder {
        geom.head.mark = NOT_WRAPPED;
    }
}
