//! MuJoCo's binary model format (MJB) of version 3.5.0.

use crate::coulomb::Coulomb;
use crate::friction_ref;
use crate::later::Later;
use crate::model::Model;
use crate::options::Visual;
use crate::plugin::{Registry, UnknownSlot};
use crate::record::{record_bytes, record_bytes_mut};
use crate::validate::InvalidModel;

/// First number of a file.
const ID: i32 = 54321;
/// MuJoCo version of the file format, as reported by `mj_version()`.
const VERSION: i32 = 3005000;

/// Reasons why a binary model cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BinaryError {
    /// The file is truncated.
    Truncated {
        /// Part of the file that is incomplete.
        what: &'static str,
    },
    /// The file has no header of MuJoCo 3.5.0.
    Header {
        /// Part of the header that differs.
        what: &'static str,
        /// Number in the file.
        found: i32,
        /// Expected number.
        wanted: i32,
    },
    /// A size is negative or exceeds the file.
    Size {
        /// Name of the size.
        name: &'static str,
        /// Number in the file.
        found: i64,
    },
    /// The arrays are inconsistent.
    Invalid(InvalidModel),
    /// A plugin of the model is not registered.
    Plugin(UnknownSlot),
    /// The file has bytes after the model.
    Trailing {
        /// Number of excess bytes.
        bytes: usize,
    },
}

impl core::fmt::Display for BinaryError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            BinaryError::Truncated { what } => write!(f, "the file ends within {what}"),
            BinaryError::Header { what, found, wanted } => {
                write!(f, "not a binary model of MuJoCo 3.5.0: {what} is {found}, wanted {wanted}")
            }
            BinaryError::Size { name, found } => {
                write!(f, "size {name} = {found} does not fit the file")
            }
            BinaryError::Invalid(why) => why.fmt(f),
            BinaryError::Plugin(why) => why.fmt(f),
            BinaryError::Trailing { bytes } => write!(f, "{bytes} bytes follow the model"),
        }
    }
}

impl core::error::Error for BinaryError {}

/// Approximate number of bytes besides the tables: sizes and settings.
const BESIDE_TABLES: usize = 4096;

impl Model {
    /// Converts the model to the bytes of an MJB file.
    ///
    /// Settings of the exact friction mode, friction reference parameters of geoms, and parameters
    /// of later versions of MuJoCo follow the model, if there are any. MuJoCo rejects such a file,
    /// and so does not run the model in another mode by mistake.
    #[doc(alias = "mj_saveModel")]
    pub fn to_binary(&self) -> Vec<u8> {
        let mut tables = 0;
        self.for_each_field(|f| tables += f.bytes.len());
        let mut out = Vec::with_capacity(tables + BESIDE_TABLES);
        for (_, wanted) in header() {
            out.extend_from_slice(&wanted.to_le_bytes());
        }
        for (name, _) in Model::SIZES {
            let n = self.size(name).expect("listed sizes exist") as i64;
            out.extend_from_slice(&n.to_le_bytes());
        }
        out.extend_from_slice(record_bytes(&self.opt));
        visit_visual(&self.vis, |bytes| out.extend_from_slice(bytes));
        out.extend_from_slice(record_bytes(&self.stat));
        self.for_each_field(|f| out.extend_from_slice(f.bytes));
        if self.coulomb != Coulomb::default() {
            self.coulomb.append_to(&mut out);
        }
        if !self.geom_solreffriction.is_empty() {
            friction_ref::append(&self.geom_solreffriction, &mut out);
        }
        if let Some(later) = &self.later {
            later.append_to(&mut out);
        }
        out
    }

    /// Reads a model without plugins from an MJB file's bytes.
    pub fn from_binary(bytes: &[u8]) -> Result<Model, BinaryError> {
        Model::from_binary_with(bytes, &Registry::default())
    }

    /// Reads a model from the bytes of an MJB file. A file stores the slots of its plugins instead
    /// of their names. So plugins must be registered in the same order as at the time of writing.
    #[doc(alias = "mj_loadModelBuffer")]
    pub fn from_binary_with(bytes: &[u8], plugins: &Registry) -> Result<Model, BinaryError> {
        let mut input = Input { rest: bytes };

        // header and sizes
        for (what, wanted) in header() {
            let found = i32::from_le_bytes(input.take("the header")?);
            if found != wanted {
                return Err(BinaryError::Header { what, found, wanted });
            }
        }
        let mut m = Model::default();
        for &(name, _) in Model::SIZES {
            let found = i64::from_le_bytes(input.take("the sizes")?);
            // unset legacy limits are -1, which wraps here and back when writing
            let counts_rows = !matches!(name, "narena" | "nbuffer" | "nemax" | "njmax" | "nconmax");
            // sizes of arrays in the file are bounded by its length below
            if counts_rows && !(0..=i64::from(i32::MAX)).contains(&found) {
                return Err(BinaryError::Size { name, found });
            }
            *m.size_mut(name).expect("listed sizes exist") = found as usize;
        }

        // options, then arrays
        input.fill(record_bytes_mut(&mut m.opt), "the options")?;
        let mut result = Ok(());
        visit_visual_mut(&mut m.vis, |bytes| {
            if result.is_ok() {
                result = input.fill(bytes, "the visual settings");
            }
        });
        result?;
        input.fill(record_bytes_mut(&mut m.stat), "the statistics")?;
        let wanted = m.array_bytes();
        if wanted.is_none_or(|n| n > input.rest.len()) {
            return Err(BinaryError::Truncated { what: "the arrays" });
        }
        m.allocate();
        let mut result = Ok(());
        m.for_each_field_mut(|f| {
            if result.is_ok() {
                result = input.fill(f.bytes, f.info.name);
            }
        });
        result?;
        if let Some((coulomb, rest)) = Coulomb::read_from(input.rest) {
            (m.coulomb, input.rest) = (coulomb, rest);
        }
        if let Some((table, rest)) = friction_ref::read(input.rest) {
            (m.geom_solreffriction, input.rest) = (table, rest);
        }
        if let Some((later, rest)) = Later::read_from(input.rest)
            && later.fits(&m)
        {
            (m.later, input.rest) = (Some(Box::new(later)), rest);
        }
        if !input.rest.is_empty() {
            return Err(BinaryError::Trailing { bytes: input.rest.len() });
        }
        m.validate().map_err(BinaryError::Invalid)?;
        m.link_later();
        m.resolve_plugins(plugins).map_err(BinaryError::Plugin)?;
        Ok(m)
    }
}

/// The five numbers at the start of the file, with their meanings.
fn header() -> [(&'static str, i32); 5] {
    [
        ("the file's id", ID),
        ("bytes per number", 8),
        ("the number of sizes", Model::SIZES.len() as i32),
        ("the version", VERSION),
        ("the number of arrays", Model::FIELDS.len() as i32),
    ]
}

fn visit_visual(v: &Visual, mut f: impl FnMut(&[u8])) {
    f(record_bytes(&v.global));
    f(record_bytes(&v.quality));
    f(record_bytes(&v.headlight));
    f(record_bytes(&v.map));
    f(record_bytes(&v.scale));
    f(record_bytes(&v.rgba));
}

fn visit_visual_mut(v: &mut Visual, mut f: impl FnMut(&mut [u8])) {
    f(record_bytes_mut(&mut v.global));
    f(record_bytes_mut(&mut v.quality));
    f(record_bytes_mut(&mut v.headlight));
    f(record_bytes_mut(&mut v.map));
    f(record_bytes_mut(&mut v.scale));
    f(record_bytes_mut(&mut v.rgba));
}

/// Unread bytes.
struct Input<'a> {
    rest: &'a [u8],
}

impl Input<'_> {
    fn take<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], BinaryError> {
        let mut out = [0; N];
        self.fill(&mut out, what)?;
        Ok(out)
    }

    fn fill(&mut self, out: &mut [u8], what: &'static str) -> Result<(), BinaryError> {
        let (head, rest) =
            self.rest.split_at_checked(out.len()).ok_or(BinaryError::Truncated { what })?;
        out.copy_from_slice(head);
        self.rest = rest;
        Ok(())
    }
}
