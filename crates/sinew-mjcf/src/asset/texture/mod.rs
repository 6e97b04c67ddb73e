//! Textures: builtin patterns, PNG, KTX and MuJoCo's binary format.

mod builtin;
pub(crate) mod input;

use sinew_model::enums::{Builtin, ColorSpace, TextureType};

use crate::asset::cache::{Recipe, bytes_of};
use crate::asset::error::AssetError;
use crate::asset::fingerprint::Fingerprint;
use crate::asset::png;
use crate::asset::source::{ReadFile, content_type};
use crate::asset::texture::input::TextureInput;

/// Maximum number of bytes of a generated texture.
const MAX_BYTES: i64 = 1 << 30;

/// A compiled texture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CompiledTexture {
    /// Type.
    pub(crate) kind: TextureType,
    /// Colour space; `Auto` if no file decided it.
    pub(crate) colorspace: ColorSpace,
    /// Width.
    pub(crate) width: i32,
    /// Height; six times the width for cubes.
    pub(crate) height: i32,
    /// Bytes per pixel.
    pub(crate) nchannel: i32,
    /// Pixels.
    pub(crate) data: Vec<u8>,
}

impl Recipe for TextureInput {
    type Made = CompiledTexture;

    fn files(&self) -> Vec<&str> {
        if !self.data.is_empty() || self.builtin != Builtin::None {
            return Vec::new();
        }
        let paths: Vec<&str> = match self.file.is_empty() {
            false => vec![&self.file],
            true => self.cubefiles.iter().map(String::as_str).collect(),
        };
        paths.into_iter().filter(|path| !path.is_empty()).collect()
    }

    fn add_settings(&self, to: &mut Fingerprint<'_>) {
        // all of them, apart from those in messages
        let TextureInput { name: _, id: _, kind, colorspace, file, content_type: given, .. } = self;
        let TextureInput { cubefiles, gridsize, gridlayout, builtin, rgb1, rgb2, .. } = self;
        let TextureInput { mark, markrgb, random, width, height, hflip, vflip, .. } = self;
        let TextureInput { nchannel, data, .. } = self;

        // files
        for path in core::iter::once(file).chain(cubefiles) {
            to.add((path.is_empty(), content_type(path, given)));
        }
        to.add((gridsize, gridlayout, hflip, vflip, nchannel));

        // patterns and pixels
        to.add((kind, colorspace, builtin, mark, width, height));
        [rgb1, rgb2, markrgb, &[*random; 3]].iter().for_each(|list| to.add_f64(&list[..]));
        to.add_bytes(data);
    }

    fn make(&self, read: &mut ReadFile<'_>) -> Result<CompiledTexture, AssetError> {
        compile_texture(self, read)
    }

    fn bytes(made: &CompiledTexture) -> usize {
        size_of::<CompiledTexture>() + bytes_of(&made.data)
    }
}

/// Compiles one texture.
#[doc(alias = "mjCTexture")]
pub(crate) fn compile_texture(
    input: &TextureInput,
    read: &mut ReadFile<'_>,
) -> Result<CompiledTexture, AssetError> {
    let mut texture = if !input.data.is_empty() {
        given(input)?
    } else if input.builtin != Builtin::None {
        generate(input)?
    } else if !input.file.is_empty() {
        match input.kind {
            TextureType::T2d => single_image(input, read)?,
            _ => cube_from_one(input, read)?,
        }
    } else {
        if input.kind == TextureType::T2d {
            return Err(AssetError::new("Cannot load 2D texture from separate files, texture"));
        }
        if input.cubefiles.iter().all(String::is_empty) {
            return Err(AssetError::new("No cubefiles_ defined in cube or skybox texture"));
        }
        cube_from_six(input, read)?
    };

    // the model stores width * height * nchannel bytes, for any result of the loader
    let size = i64::from(texture.width) * i64::from(texture.height) * i64::from(input.nchannel);
    texture.data.resize(usize::try_from(size).unwrap_or(0), 0);
    if texture.data.is_empty() {
        let (name, id) = (&input.name, input.id);
        return Err(AssetError::new(format!("texture '{name}' (id {id}) was not specified")));
    }
    Ok(texture)
}

impl CompiledTexture {
    fn new(input: &TextureInput, width: usize, height: usize, data: Vec<u8>) -> Self {
        CompiledTexture {
            kind: input.kind,
            colorspace: input.colorspace,
            width: width as i32,
            height: height as i32,
            nchannel: input.nchannel,
            data,
        }
    }

    /// Takes the colour space of the (first) file, unless the user has set it.
    fn set_colorspace(&mut self, srgb: bool) {
        if self.colorspace == ColorSpace::Auto {
            self.colorspace = if srgb { ColorSpace::Srgb } else { ColorSpace::Linear };
        }
    }
}

/// Pixels that are given as they are.
fn given(input: &TextureInput) -> Result<CompiledTexture, AssetError> {
    let side = |n: i32| usize::try_from(n).unwrap_or(0);
    let (width, height) = (side(input.width), side(input.height));
    let found = input.data.len();
    let wanted = side(input.nchannel).saturating_mul(width).saturating_mul(height);
    if found != wanted {
        let words = format!("Texture buffer has incorrect size, given {found} expected {wanted}");
        return Err(AssetError::new(words));
    }
    let mut image = Loaded { width, height, data: input.data.clone(), srgb: false };
    flip(&mut image, input);
    Ok(CompiledTexture::new(input, width, height, image.data))
}

fn generate(input: &TextureInput) -> Result<CompiledTexture, AssetError> {
    let flat = input.kind == TextureType::T2d;
    if input.width < 1 || (!flat && input.width >= i32::MAX / 6) {
        return Err(AssetError::new("Invalid width of builtin texture"));
    }
    if flat && input.height < 1 {
        return Err(AssetError::new("Invalid height of builtin texture"));
    }
    let height = if flat { input.height } else { 6 * input.width };
    let size = i64::from(input.width) * i64::from(height);
    if input.nchannel < 1 || size > MAX_BYTES / i64::from(input.nchannel) {
        return Err(AssetError::new("Could not allocate memory for texture"));
    }

    // patterns are written as three channels, for any number of channels
    let bytes = (size * i64::from(input.nchannel.max(3))) as usize;
    let mut data = vec![0; bytes];
    builtin::paint(input, input.width as usize, height as usize, &mut data);
    Ok(CompiledTexture::new(input, input.width as usize, height as usize, data))
}

/// An image file: width, height, bytes, whether it is sRGB.
struct Loaded {
    width: usize,
    height: usize,
    data: Vec<u8>,
    srgb: bool,
}

/// Reads one image and flips it if `hflip` or `vflip` is set.
#[doc(alias = "LoadFlip")]
fn load(input: &TextureInput, path: &str, read: &mut ReadFile<'_>) -> Result<Loaded, AssetError> {
    let kind = content_type(path, &input.content_type);
    let mut image = match kind.as_deref() {
        // decoded
        Some("image/png") => {
            let bytes = read(path).map_err(AssetError::new)?;
            let channels = match input.nchannel {
                n @ (1 | 3 | 4) => n as usize,
                n => {
                    return Err(AssetError::new(format!("Unsupported number of channels: {n}")));
                }
            };
            let png::Image { width, height, data, srgb } = png::decode(&bytes, path, channels)?;
            Loaded { width, height, data, srgb }
        }

        // kept as it is
        Some("image/ktx") => {
            let bytes = read(path).map_err(AssetError::new)?;
            if input.hflip || input.vflip {
                return Err(AssetError::new("cannot flip KTX textures"));
            }
            if bytes.is_empty() {
                return Err(AssetError::new(format!("texture file is empty: '{path}'")));
            }
            Loaded { width: bytes.len(), height: 1, data: bytes.into_owned(), srgb: false }
        }

        // raw pixels
        None | Some("image/vnd.mujoco.texture") => {
            from_binary(&read(path).map_err(AssetError::new)?, path)?
        }
        Some(other) => {
            return Err(AssetError::new(format!("unsupported content type: '{other}'")));
        }
    };
    flip(&mut image, input);
    Ok(image)
}

/// MuJoCo's own format: two counts, then red, green and blue bytes.
fn from_binary(bytes: &[u8], path: &str) -> Result<Loaded, AssetError> {
    let fail = |what: &str| {
        Err(AssetError::new(format!(
            "Non-PNG texture, assuming custom binary file format,\n{what} in file '{path}'"
        )))
    };
    if bytes.is_empty() {
        return Err(AssetError::new(format!("texture file is empty: '{path}'")));
    }
    let count = |at: usize| {
        bytes.get(at..at + 4).map_or(0, |b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    };
    let (width, height) = (count(0), count(4));
    if width < 1 || height < 1 {
        return fail("non-positive texture dimensions");
    }
    if bytes.len() as i128 != 8 + 3 * i128::from(width) * i128::from(height) {
        return fail("unexpected file size");
    }
    let data = bytes[8..].to_vec();
    Ok(Loaded { width: width as usize, height: height as usize, data, srgb: false })
}

fn flip(image: &mut Loaded, input: &TextureInput) {
    let pixel = input.nchannel.max(1) as usize;
    let row = pixel * image.width;
    if row == 0 || image.data.len() < row * image.height {
        return;
    }

    // left and right
    if input.hflip {
        for line in image.data.chunks_exact_mut(row) {
            for left in 0..image.width / 2 {
                let right = image.width - 1 - left;
                for k in 0..pixel {
                    line.swap(pixel * left + k, pixel * right + k);
                }
            }
        }
    }

    // top and bottom
    if input.vflip {
        for top in 0..image.height / 2 {
            let bottom = image.height - 1 - top;
            for k in 0..row {
                image.data.swap(top * row + k, bottom * row + k);
            }
        }
    }
}

fn single_image(
    input: &TextureInput,
    read: &mut ReadFile<'_>,
) -> Result<CompiledTexture, AssetError> {
    let image = load(input, &input.file, read)?;
    let mut texture = CompiledTexture::new(input, image.width, image.height, image.data);
    texture.set_colorspace(image.srgb);
    Ok(texture)
}

/// A cube whose sides all show the file, or show the cells of its grid.
fn cube_from_one(
    input: &TextureInput,
    read: &mut ReadFile<'_>,
) -> Result<CompiledTexture, AssetError> {
    // the grid of sides in the image
    let [rows, columns] = input.gridsize;
    if rows < 1 || columns < 1 || i64::from(rows) * i64::from(columns) > 12 {
        return Err(AssetError::new(
            "gridsize must be non-zero and no more than 12 squares in texture",
        ));
    }
    let (rows, columns) = (rows as usize, columns as usize);

    // the image, which the grid must divide
    let image = load(input, &input.file, read)?;
    let uneven = image.width / columns != image.height / rows
        || !image.width.is_multiple_of(columns)
        || !image.height.is_multiple_of(rows);
    if uneven {
        let (file, id) = (&input.file, input.id);
        return Err(AssetError::new(format!(
            "PNG size must be integer multiple of gridsize in texture '{file}' (id {id})"
        )));
    }

    // one side for all six, or the sides of the grid
    let side = image.width / columns;
    let mut texture = if rows == 1 && columns == 1 {
        let mut data = image.data;
        data.resize(3 * side * side, 0);
        CompiledTexture::new(input, side, side, data)
    } else {
        CompiledTexture::new(input, side, 6 * side, from_grid(input, &image, side)?)
    };
    texture.set_colorspace(image.srgb);
    Ok(texture)
}

/// The six sides cut out of a grid; those not in it are of the first colour.
fn from_grid(input: &TextureInput, image: &Loaded, side: usize) -> Result<Vec<u8>, AssetError> {
    let cells = (input.gridsize[0] * input.gridsize[1]) as usize;
    let columns = input.gridsize[1] as usize;
    let mut data = vec![0; 18 * side * side];
    let mut loaded = [false; 6];

    // copy each cell to the side its letter names
    let layout = input.gridlayout.bytes().chain(std::iter::repeat(b'.'));
    for (cell, symbol) in layout.take(cells).enumerate() {
        if symbol == b'.' {
            continue;
        }
        let Some(face) = b"RLUDFB".iter().position(|s| *s == symbol) else {
            return Err(AssetError::new("gridlayout symbol is not among '.RLUDFB' in texture"));
        };
        let (top, left) = (side * (cell / columns), side * (cell % columns));
        for row in 0..side {
            let from = 3 * ((top + row) * image.width + left);
            let to = 3 * (face * side + row) * side;
            if let Some(line) = image.data.get(from..from + 3 * side) {
                data[to..to + 3 * side].copy_from_slice(line);
            }
        }
        loaded[face] = true;
    }

    // the others have the first colour
    fill_missing(&mut data, side, loaded, input.rgb1);
    Ok(data)
}

fn cube_from_six(
    input: &TextureInput,
    read: &mut ReadFile<'_>,
) -> Result<CompiledTexture, AssetError> {
    let mut texture: Option<CompiledTexture> = None;
    let mut loaded = [false; 6];
    let (id, mut side) = (input.id, 0);

    // sides, all squares of the size of the first
    for (face, path) in input.cubefiles.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
        let image = load(input, path, read)?;
        if image.width != image.height {
            return Err(AssetError::new(format!(
                "Non-square PNG file '{path}' in cube or skybox id {id}"
            )));
        }
        let texture = texture.get_or_insert_with(|| {
            side = image.width;
            let data = vec![0; 18 * side * side];
            CompiledTexture::new(input, side, 6 * side, data)
        });
        texture.set_colorspace(image.srgb);
        if image.width != side {
            return Err(AssetError::new(format!(
                "PNG file '{path}' has incompatible size in texture id {id}"
            )));
        }
        let bytes = image.data.len().min(3 * side * side);
        let start = 3 * face * side * side;
        texture.data[start..start + bytes].copy_from_slice(&image.data[..bytes]);
        loaded[face] = true;
    }

    // missing ones have the first colour
    let Some(mut texture) = texture else {
        return Err(AssetError::new("No cubefiles_ defined in cube or skybox texture"));
    };
    fill_missing(&mut texture.data, side, loaded, input.rgb1);
    Ok(texture)
}

/// Paints the sides of a cube that no file gave.
fn fill_missing(data: &mut [u8], side: usize, loaded: [bool; 6], rgb: [f64; 3]) {
    let color = builtin::bytes(rgb);
    let size = 3 * side * side;
    for (face, _) in loaded.iter().enumerate().filter(|(_, loaded)| !**loaded) {
        for pixel in data[face * size..(face + 1) * size].chunks_exact_mut(3) {
            pixel.copy_from_slice(&color);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
