//! Inputs of a texture.

use sinew_model::enums::{Builtin, ColorSpace, Mark, TextureType};

/// All that decides a compiled texture.
#[derive(Clone, Debug)]
pub(crate) struct TextureInput {
    /// Name used in messages.
    pub(crate) name: String,
    /// Index of the texture, used in messages.
    pub(crate) id: usize,
    /// Type.
    pub(crate) kind: TextureType,
    /// Colour space.
    pub(crate) colorspace: ColorSpace,
    /// File to read, or empty.
    pub(crate) file: String,
    /// Content type of the files; empty to go by their extension.
    pub(crate) content_type: String,
    /// Files of the six sides (right, left, up, down, front, back), or empty.
    pub(crate) cubefiles: [String; 6],
    /// Rows and columns of the sides in a single file.
    pub(crate) gridsize: [i32; 2],
    /// Which side is in which cell (`.RLUDFB`), row by row; padded with dots.
    pub(crate) gridlayout: String,
    /// Pattern.
    pub(crate) builtin: Builtin,
    /// First colour.
    pub(crate) rgb1: [f64; 3],
    /// Second colour.
    pub(crate) rgb2: [f64; 3],
    /// Mark.
    pub(crate) mark: Mark,
    /// Colour of the mark.
    pub(crate) markrgb: [f64; 3],
    /// Probability of a random dot.
    pub(crate) random: f64,
    /// Width of a builtin texture.
    pub(crate) width: i32,
    /// Height of a builtin 2-D texture.
    pub(crate) height: i32,
    /// Flip left and right.
    pub(crate) hflip: bool,
    /// Flip up and down.
    pub(crate) vflip: bool,
    /// Bytes per pixel: 1, 3 or 4.
    pub(crate) nchannel: i32,
    /// Pixels that are given as they are, or none.
    pub(crate) data: Vec<u8>,
}

impl Default for TextureInput {
    fn default() -> Self {
        TextureInput {
            name: String::new(),
            id: 0,
            kind: TextureType::Cube,
            colorspace: ColorSpace::Auto,
            file: String::new(),
            content_type: String::new(),
            cubefiles: Default::default(),
            gridsize: [1, 1],
            gridlayout: "............".to_owned(),
            builtin: Builtin::None,
            rgb1: [0.8; 3],
            rgb2: [0.5; 3],
            mark: Mark::None,
            markrgb: [0.0; 3],
            random: 0.01,
            width: 0,
            height: 0,
            hflip: false,
            vflip: false,
            nchannel: 3,
            data: Vec::new(),
        }
    }
}
