//! The elements that a composite expands to, or the reason why it cannot be made.

use crate::spec::{Child, Exclude, Skin, Text};

/// The elements that a composite expands to.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    /// The first body, with the others inside of it.
    pub(crate) body: Child,
    /// The text by which MuJoCo marks it.
    pub(crate) text: Text,
    /// Neighbours do not collide.
    pub(crate) excludes: Vec<Exclude>,
    /// The skin, of a cable of boxes.
    pub(crate) skin: Option<Skin>,
}

/// Why a composite cannot be made.
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    /// MuJoCo's words.
    pub(crate) words: String,
    /// The element to write instead.
    pub(crate) help: Option<String>,
}

impl From<&str> for Wrong {
    fn from(words: &str) -> Wrong {
        Wrong { words: words.to_owned(), help: None }
    }
}
