//! What a packed model is.

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
    /// What is in a row.
    pub fields: Vec<Field>,
    /// Fields of numbers in a workspace, for tests: `offset` is in bytes.
    pub work_fields: Vec<Field>,
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
