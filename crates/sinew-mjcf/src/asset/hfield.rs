//! Height fields: PNG, MuJoCo's binary format, or inline elevations.

use crate::asset::cache::{Recipe, bytes_of};
use crate::asset::error::AssetError;
use crate::asset::fingerprint::Fingerprint;
use crate::asset::png;
use crate::asset::source::{ReadFile, content_type};

/// Maximum number of points of a height field given by its size only.
const MAX_POINTS: i64 = 1 << 28;

/// All that decides a compiled height field.
#[derive(Clone, Debug, Default)]
pub(crate) struct HFieldInput {
    /// File to read, or empty.
    pub(crate) file: String,
    /// Content type of the file; empty to go by its extension.
    pub(crate) content_type: String,
    /// Rows, if there is no file.
    pub(crate) nrow: i32,
    /// Columns, if there is no file.
    pub(crate) ncol: i32,
    /// `size`: half width, half depth, elevation, base.
    pub(crate) size: [f64; 4],
    /// `elevation` as written (first row at the top); `None` gives a flat field to be set later.
    pub(crate) elevation: Option<Vec<f32>>,
}

/// A compiled height field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CompiledHField {
    /// Rows.
    pub(crate) nrow: i32,
    /// Columns.
    pub(crate) ncol: i32,
    /// Elevations from 0 to 1, row by row from the smallest y.
    pub(crate) data: Vec<f32>,
}

impl Recipe for HFieldInput {
    type Made = CompiledHField;

    fn files(&self) -> Vec<&str> {
        if self.file.is_empty() { Vec::new() } else { vec![&self.file] }
    }

    fn add_settings(&self, to: &mut Fingerprint<'_>) {
        let HFieldInput { file, content_type: kind, nrow, ncol, size, elevation } = self;
        to.add((file.is_empty(), content_type(file, kind), nrow, ncol, elevation.is_some()));
        to.add_f64(size);
        to.add_f32(elevation.as_deref().unwrap_or_default());
    }

    fn make(&self, read: &mut ReadFile<'_>) -> Result<CompiledHField, AssetError> {
        compile_hfield(self, read)
    }

    fn bytes(made: &CompiledHField) -> usize {
        size_of::<CompiledHField>() + bytes_of(&made.data)
    }
}

/// Compiles one height field.
#[doc(alias = "mjCHField")]
pub(crate) fn compile_hfield(
    input: &HFieldInput,
    read: &mut ReadFile<'_>,
) -> Result<CompiledHField, AssetError> {
    let mut field =
        if input.file.is_empty() { from_user(input)? } else { CompiledHField::default() };
    if input.size.iter().any(|x| *x <= 0.0) {
        return Err(AssetError::new("size parameter is not positive in hfield"));
    }
    if !input.file.is_empty() {
        field = from_file(input, read)?;
    }
    if field.nrow < 1 || field.ncol < 1 || field.data.is_empty() {
        return Err(AssetError::new("hfield not specified"));
    }

    // elevations to [0, 1]
    let (mut low, mut high) = (1e10_f32, -1e10_f32);
    for &x in &field.data {
        low = if x < low { x } else { low };
        high = if high < x { x } else { high };
    }
    if low > high {
        return Err(AssetError::new(format!("invalid data range in hfield '{}'", input.file)));
    }
    for x in &mut field.data {
        *x -= low;
        if f64::from(high - low) > 1e-14 {
            *x /= high - low;
        }
    }
    Ok(field)
}

/// Inline elevations, from the top row down, or zeros.
fn from_user(input: &HFieldInput) -> Result<CompiledHField, AssetError> {
    let (nrow, ncol) = (input.nrow, input.ncol);
    if nrow <= 0 || ncol <= 0 {
        return Ok(CompiledHField::default());
    }
    let points = i64::from(nrow) * i64::from(ncol);
    let data = match &input.elevation {
        Some(rows) if rows.len() as i64 != points => {
            return Err(AssetError::new("elevation data length must match nrow*ncol"));
        }
        Some(rows) => rows.chunks_exact(ncol as usize).rev().flatten().copied().collect(),
        None if points > MAX_POINTS => {
            return Err(AssetError::new("could not allocate buffers in hfield"));
        }
        None => vec![0.0; points as usize],
    };
    Ok(CompiledHField { nrow, ncol, data })
}

fn from_file(input: &HFieldInput, read: &mut ReadFile<'_>) -> Result<CompiledHField, AssetError> {
    let path = &input.file;
    match content_type(path, &input.content_type).as_deref() {
        Some("image/png") => {
            let bytes = read(path).map_err(AssetError::new)?;
            let image = png::decode(&bytes, path, 1)?;
            let rows = image.data.chunks_exact(image.width).rev();
            Ok(CompiledHField {
                nrow: image.height as i32,
                ncol: image.width as i32,
                data: rows.flatten().map(|&x| f32::from(x)).collect(),
            })
        }
        None | Some("image/vnd.mujoco.hfield") => {
            from_binary(&read(path).map_err(AssetError::new)?, path)
        }
        Some(other) => Err(AssetError::new(format!("unsupported content type: '{other}'"))),
    }
}

/// Two counts and the elevations, rows from the smallest y.
fn from_binary(bytes: &[u8], path: &str) -> Result<CompiledHField, AssetError> {
    let fail = |text: &str| Err(AssetError::new(text.replace("{}", path)));
    if bytes.is_empty() {
        return fail("could not read hfield file '{}'");
    }
    if bytes.len() < 8 {
        return fail("hfield missing header '{}'");
    }
    let mut words = bytes.chunks_exact(4).map(|b| [b[0], b[1], b[2], b[3]]);
    let mut count = || words.next().map_or(0, i32::from_le_bytes);
    let (nrow, ncol) = (count(), count());
    if nrow < 1 || ncol < 1 {
        return fail("non-positive hfield dimensions in file '{}'");
    }
    if bytes.len() as i128 != 4 * i128::from(nrow) * i128::from(ncol) + 8 {
        return fail("unexpected file size in file '{}'");
    }
    Ok(CompiledHField { nrow, ncol, data: words.map(f32::from_le_bytes).collect() })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn compile(input: &HFieldInput, bytes: &[u8]) -> Result<CompiledHField, AssetError> {
        compile_hfield(input, &mut |_| Ok(bytes.into()))
    }

    fn sized(file: &str) -> HFieldInput {
        HFieldInput { file: file.into(), size: [1.0; 4], ..HFieldInput::default() }
    }

    #[test]
    fn inline_rows_are_flipped_and_scaled() {
        let elevation = Some(vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        let input = HFieldInput { nrow: 2, ncol: 3, elevation, ..sized("") };
        let field = compile(&input, &[]).unwrap();
        // hfield_data of MuJoCo 3.5.0 for the same model
        assert_eq!(field.data, [0.6, 0.8, 1.0, 0.0, 0.2, 0.4]);
    }

    #[test]
    fn png_rows_are_flipped() {
        let bytes = png::tests::encode(2, 2, ::png::ColorType::Grayscale, &[0, 51, 102, 255]);
        let field = compile(&sized("a.png"), &bytes).unwrap();
        assert_eq!((field.nrow, field.ncol), (2, 2));
        assert_eq!(field.data, [0.4, 1.0, 0.0, 0.2]);
    }

    #[test]
    fn binary_is_read_as_it_is() {
        let mut bytes: Vec<u8> = [1_i32, 2].iter().flat_map(|n| n.to_le_bytes()).collect();
        [3.0_f32, 5.0].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        assert_eq!(compile(&sized("a.bin"), &bytes).unwrap().data, [0.0, 1.0]);
        let text = |bytes: &[u8]| compile(&sized("a.bin"), bytes).unwrap_err().message;
        assert_eq!(text(&bytes[..15]), "unexpected file size in file 'a.bin'");
        assert_eq!(text(&bytes[..7]), "hfield missing header 'a.bin'");
        assert_eq!(text(&[0; 8]), "non-positive hfield dimensions in file 'a.bin'");
    }

    #[test]
    fn what_is_missing_is_named() {
        let text = |input: &HFieldInput| compile(input, &[]).unwrap_err().message;
        assert_eq!(text(&sized("")), "hfield not specified");
        let jpeg = HFieldInput { content_type: "image/jpeg".into(), ..sized("a.jpg") };
        assert_eq!(text(&jpeg), "unsupported content type: 'image/jpeg'");
        let flat = HFieldInput { size: [1.0, 1.0, 0.0, 1.0], ..sized("a.png") };
        assert_eq!(text(&flat), "size parameter is not positive in hfield");
        let huge = HFieldInput { nrow: i32::MAX, ncol: i32::MAX, ..sized("") };
        assert_eq!(text(&huge), "could not allocate buffers in hfield");
    }
}
