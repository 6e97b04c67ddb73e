//! Validation of a model from outside, so that no stage indexes out of range.
//!
//! Every integer of the tables has a meaning, from its type (`Meaning`) or from `rules`; a test
//! fails for an integer with neither. The passes here compare redundant fields with their required
//! values.

mod asset;
mod data;
mod flex;
mod mesh;
mod object;
mod option;
mod pattern;
mod rules;
mod sensor;
mod tree;

use core::fmt;
use core::ops::Range;

use crate::fields::FieldView;
use crate::model::Model;
use crate::pod::Scalar;

/// Requirement on a value of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Requirement {
    /// Within these bounds.
    Between(i64, i64),
    /// Equal to this value.
    Exactly(i64),
    /// As described.
    Such(&'static str),
}

/// An invalid value of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidModel {
    /// Name of the array or size.
    pub field: &'static str,
    /// Row and column; `None` for a size, and no column if a row is a single number.
    pub index: Option<(usize, Option<usize>)>,
    /// The value, if it is an integer.
    pub value: Option<i64>,
    /// Requirement on the value.
    pub wanted: Requirement,
}

impl fmt::Display for InvalidModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid model: {}{}", self.field, Subscript(self.index))?;
        write!(f, "{}{}", Value(self.value), self.wanted)
    }
}

impl core::error::Error for InvalidModel {}

/// An invalid value of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidData {
    /// Name of the array or count.
    pub field: &'static str,
    /// Row and column; `None` for a count, and no column if a row is a single number.
    pub index: Option<(usize, Option<usize>)>,
    /// The value.
    pub value: Option<i64>,
    /// Requirement on the value.
    pub wanted: Requirement,
}

impl fmt::Display for InvalidData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid data: {}{}", self.field, Subscript(self.index))?;
        write!(f, "{}{}", Value(self.value), self.wanted)
    }
}

impl core::error::Error for InvalidData {}

/// Row and column of a value in numpy's notation.
struct Subscript(Option<(usize, Option<usize>)>);

impl fmt::Display for Subscript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some((row, Some(column))) => write!(f, "[{row}, {column}]"),
            Some((row, None)) => write!(f, "[{row}]"),
            None => Ok(()),
        }
    }
}

/// Meaning of a value, where it is known.
struct Value(Option<i64>);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |value| write!(f, " is {value}"))
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Requirement::Between(lo, hi) if lo > hi => write!(f, ", where nothing is possible"),
            Requirement::Between(lo, hi) => write!(f, ", must be from {lo} to {hi}"),
            Requirement::Exactly(n) => write!(f, ", must be {n}"),
            Requirement::Such(words) => write!(f, ", must be {words}"),
        }
    }
}

/// Bound on the total number of values in arrays that only `Data` has: 0.5 GB, so that a state and
/// its copies fit into memory.
pub const MAX_DATA_NUMBERS: usize = 1 << 26;

/// A fault, with the flat index of the value in its array.
#[derive(Clone, Copy, Debug)]
struct Fault {
    field: &'static str,
    at: usize,
    wanted: Requirement,
}

/// Result of a check.
type Check = Result<(), Fault>;

/// `Ok` if `ok`; otherwise the fault.
fn check(ok: bool, field: &'static str, at: usize, wanted: Requirement) -> Check {
    if ok { Ok(()) } else { Err(Fault { field, at, wanted }) }
}

/// Requires the value `wanted`.
fn exactly(found: i64, wanted: usize, field: &'static str, at: usize) -> Check {
    check(found == wanted as i64, field, at, Requirement::Exactly(wanted as i64))
}

/// Requires the index of a row.
fn row(id: i32, rows: usize, field: &'static str, at: usize) -> Check {
    check(within(id, rows), field, at, Requirement::Between(0, rows as i64 - 1))
}

/// Requires the index of a row, or -1.
fn maybe_row(id: i32, rows: usize, field: &'static str, at: usize) -> Check {
    check(id == -1 || within(id, rows), field, at, Requirement::Between(-1, rows as i64 - 1))
}

/// Whether `id` is one of `n` rows.
fn within(id: i32, n: usize) -> bool {
    usize::try_from(id).is_ok_and(|id| id < n)
}

/// The rows of an address and a count; `rules` has checked their bounds.
fn rows(adr: i32, num: i32) -> Range<usize> {
    let start = adr.max(0) as usize;
    start..start + num.max(0) as usize
}

impl Model {
    /// Validates all references: ids, addresses, counts, sparse patterns, the order of trees,
    /// enumerations and sizes.
    ///
    /// A model filled from outside must be validated before a simulation, because stages index
    /// without checks.
    #[doc(alias = "mj_validateReferences")]
    pub fn validate(&self) -> Result<(), InvalidModel> {
        self.check_all().map_err(|fault| self.describe(fault))
    }

    fn check_all(&self) -> Check {
        // later passes rely on earlier ones
        self.check_options()?;
        self.check_rules()?;
        self.check_tree()?;
        self.check_patterns()?;
        self.check_meshes()?;
        self.check_assets()?;
        self.check_flexes()?;
        self.check_objects()?;
        self.check_sensors()
    }

    /// A fault with the actual value.
    fn describe(&self, fault: Fault) -> InvalidModel {
        let Fault { field, at, wanted } = fault;
        let Some(view) = self.field(field) else {
            return InvalidModel { field, index: None, value: self.setting(field), wanted };
        };
        let index = index(&view, at);
        let value = self.numbers(field).nth(at);
        InvalidModel { field, index: Some(index), value, wanted }
    }

    /// The integers of an array, row after row; `None` for other scalar types.
    fn numbers(&self, field: &str) -> impl Iterator<Item = i64> {
        integers(self.field(field))
    }
}

/// Row and column of a value from its flat index.
fn index(view: &FieldView<'_>, at: usize) -> (usize, Option<usize>) {
    match view.shape.cols {
        Some(width) => (at / width.max(1), Some(at % width.max(1))),
        None => (at, None),
    }
}

/// The integers of an array, row after row; `None` for other scalar types.
fn integers(view: Option<FieldView<'_>>) -> impl Iterator<Item = i64> {
    let bytes = view.as_ref().map_or(&[][..], |view| view.bytes);
    let scalar = view.map_or(Scalar::Char, |view| view.info.scalar);
    let width = match scalar {
        Scalar::I32 | Scalar::I64 | Scalar::U8 => scalar.size(),
        _ => usize::MAX,
    };
    bytes.chunks_exact(width).map(|chunk| match *chunk {
        [a, b, c, d] => i64::from(i32::from_ne_bytes([a, b, c, d])),
        [a] => i64::from(a),
        _ => chunk.try_into().map_or(0, i64::from_ne_bytes),
    })
}
