//! The tree of tags and values.

use std::borrow::Cow;
use std::path::PathBuf;

use crate::spec::datum::Datum;

/// An element: what a tag says, and what the tag is in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plain {
    /// The tag, as in MJCF.
    pub tag: Cow<'static, str>,
    /// Attributes and their values.
    pub attrs: Vec<(Cow<'static, str>, Datum)>,
    /// Its default class, by number; none if no class applies.
    pub class: Option<usize>,
    /// Its settings: the number of a scope.
    pub scope: usize,
    /// A number of the caller's, which errors about the element have as the start of their span;
    /// in an exported model the line of the file, 0 for none.
    pub mark: u32,
    /// Bytes that no attribute can hold: the pixels of a texture.
    pub bytes: Vec<u8>,
    /// Elements inside of it.
    pub children: Vec<Plain>,
}

impl Plain {
    /// An element without attributes.
    pub fn new(tag: impl Into<Cow<'static, str>>) -> Plain {
        Plain { tag: tag.into(), ..Plain::default() }
    }

    /// The value of an attribute.
    pub fn attr(&self, name: &str) -> Option<&Datum> {
        self.attrs.iter().find(|(n, _)| n == name).map(|(_, datum)| datum)
    }
}

/// A model as plain data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainModel {
    /// Name of the model.
    pub name: String,
    /// The comment at its top.
    pub comment: String,
    /// Compiler settings and folder of the model and of what was attached to it.
    pub scopes: Vec<(Plain, PathBuf)>,
    /// Default classes, each with the number of its parent; `main` is first. In an exported model
    /// elements take what their class says; in a model from plain data they say it themselves.
    pub classes: Vec<(Plain, Option<usize>)>,
    /// Everything else: settings, assets, the world, and what refers to it.
    pub parts: Vec<Plain>,
}
