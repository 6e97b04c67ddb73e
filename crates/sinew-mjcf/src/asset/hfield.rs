//! Height fields: PNG, MuJoCo's binary format, or inline elevations.

use super::{AssetError, ReadFile};

/// All that decides a compiled height field.
#[derive(Clone, Debug, Default)]
pub struct HFieldInput {
    /// File to read, or empty.
    pub file: String,
    /// Content type of the file; empty to go by its extension.
    pub content_type: String,
    /// Rows, if there is no file.
    pub nrow: i32,
    /// Columns, if there is no file.
    pub ncol: i32,
    /// `size`: half width, half depth, elevation, base.
    pub size: [f64; 4],
    /// `elevation` as written (first row at the top); `None` gives a flat field to be set later.
    pub elevation: Option<Vec<f32>>,
}

/// A compiled height field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompiledHField {
    /// Rows.
    pub nrow: i32,
    /// Columns.
    pub ncol: i32,
    /// Elevations from 0 to 1, row by row from the smallest y.
    pub data: Vec<f32>,
}

/// Compiles one height field.
pub fn compile_hfield(
    input: &HFieldInput,
    read: &mut ReadFile<'_>,
) -> Result<CompiledHField, AssetError> {
    let _ = (input, read);
    Err(AssetError::new("height fields are not supported yet"))
}
