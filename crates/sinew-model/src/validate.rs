//! Checks a model as a whole, so that no stage can go astray in one that came from outside.
//!
//! Every integer of the tables has a meaning: its type tells (`Meaning`), or `rules` declares it,
//! and a test fails where neither does. The passes here compare what is redundant in a model with
//! what it must be.

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

/// What a number of a model had to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wanted {
    /// At least the first and at most the second.
    Between(i64, i64),
    /// This number.
    Exactly(i64),
    /// What the words say.
    Such(&'static str),
}

/// A number of a model that refers to nothing, or to the wrong thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidModel {
    /// The array or size.
    pub field: &'static str,
    /// Row and column; none for a size, and no column where a row is a single number.
    pub index: Option<(usize, Option<usize>)>,
    /// The number that is there, where it is an integer.
    pub value: Option<i64>,
    /// What it had to be.
    pub wanted: Wanted,
}

impl fmt::Display for InvalidModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid model: {}{}", self.field, Place(self.index))?;
        write!(f, "{}{}", Value(self.value), self.wanted)
    }
}

impl core::error::Error for InvalidModel {}

/// A number of a state that refers to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidData {
    /// The array or count.
    pub field: &'static str,
    /// Row and column; none for a count, and no column where a row is a single number.
    pub index: Option<(usize, Option<usize>)>,
    /// The number that is there.
    pub value: Option<i64>,
    /// What it had to be.
    pub wanted: Wanted,
}

impl fmt::Display for InvalidData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid data: {}{}", self.field, Place(self.index))?;
        write!(f, "{}{}", Value(self.value), self.wanted)
    }
}

impl core::error::Error for InvalidData {}

/// Row and column of a number, as numpy writes them.
struct Place(Option<(usize, Option<usize>)>);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some((row, Some(column))) => write!(f, "[{row}, {column}]"),
            Some((row, None)) => write!(f, "[{row}]"),
            None => Ok(()),
        }
    }
}

/// What a number is, where it is known.
struct Value(Option<i64>);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |value| write!(f, " is {value}"))
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Wanted::Between(lo, hi) if lo > hi => write!(f, ", where nothing is possible"),
            Wanted::Between(lo, hi) => write!(f, ", must be from {lo} to {hi}"),
            Wanted::Exactly(n) => write!(f, ", must be {n}"),
            Wanted::Such(words) => write!(f, ", must be {words}"),
        }
    }
}

/// Most numbers of all arrays together that only `Data` has: half a gigabyte, so that a state and
/// its copies fit into memory.
pub const MAX_DATA_NUMBERS: usize = 1 << 26;

/// A fault, at a number of an array counted from its first.
#[derive(Clone, Copy, Debug)]
struct Fault {
    field: &'static str,
    at: usize,
    wanted: Wanted,
}

/// What a check finds.
type Check = Result<(), Fault>;

/// `Ok` if `ok`; otherwise the fault.
fn check(ok: bool, field: &'static str, at: usize, wanted: Wanted) -> Check {
    if ok { Ok(()) } else { Err(Fault { field, at, wanted }) }
}

/// The number must be `wanted`.
fn exactly(found: i64, wanted: usize, field: &'static str, at: usize) -> Check {
    check(found == wanted as i64, field, at, Wanted::Exactly(wanted as i64))
}

/// The number must be one of the rows.
fn row(id: i32, rows: usize, field: &'static str, at: usize) -> Check {
    check(within(id, rows), field, at, Wanted::Between(0, rows as i64 - 1))
}

/// The number must be one of the rows, or -1.
fn maybe_row(id: i32, rows: usize, field: &'static str, at: usize) -> Check {
    check(id == -1 || within(id, rows), field, at, Wanted::Between(-1, rows as i64 - 1))
}

/// Whether `id` is one of `n` rows.
fn within(id: i32, n: usize) -> bool {
    usize::try_from(id).is_ok_and(|id| id < n)
}

/// The rows that an address and a count name; `rules` has checked that they are there.
fn rows(adr: i32, num: i32) -> Range<usize> {
    let start = adr.max(0) as usize;
    start..start + num.max(0) as usize
}

impl Model {
    /// Checks every number that refers to something: ids, addresses, counts, sparse patterns, the
    /// order of trees, enumerations and sizes.
    ///
    /// Whoever fills a model from outside owes this check before simulating: stages index without
    /// asking.
    #[doc(alias = "mj_validateReferences")]
    pub fn validate(&self) -> Result<(), InvalidModel> {
        self.check_all().map_err(|fault| self.describe(fault))
    }

    fn check_all(&self) -> Check {
        // the later ones rely on the earlier
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

    /// A fault with the number that is there.
    fn describe(&self, fault: Fault) -> InvalidModel {
        let Fault { field, at, wanted } = fault;
        let Some(view) = self.field(field) else {
            return InvalidModel { field, index: None, value: self.setting(field), wanted };
        };
        let index = index(&view, at);
        let value = self.numbers(field).nth(at);
        InvalidModel { field, index: Some(index), value, wanted }
    }

    /// The integers of an array, row after row; none if it holds other numbers.
    fn numbers(&self, field: &str) -> impl Iterator<Item = i64> {
        integers(self.field(field))
    }
}

/// Row and column of a number of an array, counted from its first.
fn index(view: &FieldView<'_>, at: usize) -> (usize, Option<usize>) {
    match view.shape.cols {
        Some(width) => (at / width.max(1), Some(at % width.max(1))),
        None => (at, None),
    }
}

/// The integers of an array, row after row; none if it holds other numbers.
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
