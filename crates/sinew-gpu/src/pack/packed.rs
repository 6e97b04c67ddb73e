//! What a packed model is, and why there is none.

use core::fmt;

/// A field of a world's row of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in `Data`.
    pub name: &'static str,
    /// The first number.
    pub offset: usize,
    /// How many numbers.
    pub width: usize,
}

/// A model, packed.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The blob, in words that align it; a GPU has it at a multiple of 16 bytes.
    pub(super) words: Vec<u128>,
    /// Numbers of a world's row.
    pub state_stride: u32,
    /// Bytes of a team's workspace.
    pub work_stride: u32,
    /// Whether the smaller program steps the model; see `sinew_kernel::team::Team::FULL`.
    pub plain: bool,
    /// What is in a row.
    pub fields: Vec<Field>,
    /// Fields of numbers in a workspace, for tests: `offset` is in bytes.
    pub work_fields: Vec<Field>,
    /// Fields of indices in a workspace, for tests: `offset` is in bytes.
    pub work_words: Vec<Field>,
}

impl Packed {
    /// The blob.
    pub fn as_ptr(&self) -> *const u8 {
        self.words.as_ptr().cast()
    }

    /// Bytes of the blob.
    pub fn size(&self) -> usize {
        size_of_val(&self.words[..])
    }

    /// The field of a row with a name.
    pub fn field(&self, name: &str) -> Option<Field> {
        self.fields.iter().find(|field| field.name == name).copied()
    }
}

/// Features of a model that the kernel does not have, each once, in words. Energy, sensors and
/// other results that a step does not depend on are not among them: a world's row has no field for
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The features.
    pub features: Vec<&'static str>,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not on a GPU yet: {}", self.features.join(", "))
    }
}

impl core::error::Error for Unsupported {}
