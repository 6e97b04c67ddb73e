//! Changes of a model or its state by field, displayed as statements of Rust or Python.

use core::fmt;
use core::ops::Range;

use sinew_model::pod::Scalar;
use sinew_model::{Data, Model};

/// A change of values in one field.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Sets one value.
    Set {
        /// MuJoCo's name of a field of the model or of the data, or `opt.` and the name of an
        /// option.
        field: &'static str,
        /// Row and column.
        at: [usize; 2],
        /// The new value.
        value: f64,
    },
    /// Multiplies all values of some rows.
    Scale {
        /// MuJoCo's name of a field of the model.
        field: &'static str,
        /// Range of rows.
        rows: Range<usize>,
        /// Factor.
        factor: f64,
    },
}

/// A list of edits that are applied together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change(pub Vec<Edit>);

impl Change {
    /// A change of one value: field, row and column, value.
    pub fn one(field: &'static str, at: [usize; 2], value: f64) -> Change {
        Change(vec![Edit::Set { field, at, value }])
    }

    /// Appends the change of one more value.
    pub fn and(mut self, field: &'static str, at: [usize; 2], value: f64) -> Change {
        self.0.push(Edit::Set { field, at, value });
        self
    }

    /// Applies all edits, to the model or to the state `d`. Returns whether all fields were found.
    pub fn apply(&self, m: &mut Model, d: &mut Data) -> bool {
        // count without a short circuit, so that every edit is applied
        self.0.iter().filter(|edit| !edit.apply(m, d)).count() == 0
    }
}

impl Edit {
    fn apply(&self, m: &mut Model, d: &mut Data) -> bool {
        match self {
            Edit::Set { field, at, value } => set(m, d, field, *at, *value),
            Edit::Scale { field, rows, factor } => scale(m, field, rows.clone(), *factor),
        }
    }
}

/// Writes one value.
fn set(m: &mut Model, d: &mut Data, name: &str, [row, column]: [usize; 2], value: f64) -> bool {
    match name {
        "opt.timestep" => m.opt.timestep = value,
        "opt.integrator" => m.opt.integrator.0 = value as i32,
        "opt.iterations" => m.opt.iterations = value as i32,
        "opt.solver" => m.opt.solver.0 = value as i32,
        _ => {
            let field = match m.field_mut(name) {
                Some(field) => Some(field),
                None => d.field_mut(name),
            };
            let Some(field) = field else { return false };
            let size = field.info.scalar.size();
            let place = (row * field.shape.cols.unwrap_or(1) + column) * size;
            let Some(bytes) = field.bytes.get_mut(place..place + size) else { return false };
            match field.info.scalar {
                Scalar::F64 => bytes.copy_from_slice(&value.to_ne_bytes()),
                Scalar::I32 => bytes.copy_from_slice(&(value as i32).to_ne_bytes()),
                Scalar::U8 => bytes[0] = value as u8,
                _ => return false,
            }
        }
    }
    true
}

/// Multiplies rows of a field of floats.
fn scale(m: &mut Model, name: &str, rows: Range<usize>, factor: f64) -> bool {
    let Some(field) = m.field_mut(name) else { return false };
    let width = field.shape.cols.unwrap_or(1) * 8;
    let range = rows.start * width..rows.end * width;
    let (Scalar::F64, Some(bytes)) = (field.info.scalar, field.bytes.get_mut(range)) else {
        return false;
    };
    for bytes in bytes.chunks_exact_mut(8) {
        let mut number = [0; 8];
        number.copy_from_slice(bytes);
        bytes.copy_from_slice(&(factor * f64::from_ne_bytes(number)).to_ne_bytes());
    }
    true
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Edit::Set { field, value, .. } if field.starts_with("opt.") => {
                write!(f, "{field} = {value}")
            }
            Edit::Set { field, at: [row, column], value } => {
                write!(f, "{field}[{row}, {column}] = {value}")
            }
            Edit::Scale { field, rows, factor } => {
                write!(f, "{field}[{}:{}] *= {factor}", rows.start, rows.end)
            }
        }
    }
}
