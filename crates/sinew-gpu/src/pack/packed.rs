//! A packed model, and the reasons why a model cannot be packed.

use core::fmt;
use core::ops::Range;

use sinew_kernel::result::{ACCELERATIONS, PLACES, SENSORS};

/// A field of a world's row of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name in `Data`.
    pub name: &'static str,
    /// The first number.
    pub offset: usize,
    /// Number of entries.
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
    /// Whether only the program for all models reads its sensors.
    pub rare_sensors: bool,
    /// Fields of a row.
    pub fields: Vec<Field>,
    /// Fields of numbers in a workspace: `offset` is in bytes.
    pub work_fields: Vec<Field>,
    /// Fields of indices in a workspace, for tests: `offset` is in bytes.
    pub work_words: Vec<Field>,
    /// Bytes of the blob that are tables of numbers, of which a world may have its own.
    pub numbers: Range<usize>,
    /// Bytes of a number.
    pub(super) number: usize,
    /// Sizes that results depend on.
    pub(super) sizes: Sizes,
    /// Sensors that the kernel does not read, each type once.
    pub unread: Vec<&'static str>,
}

/// Sizes that results depend on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    pub(super) sites: usize,
    pub(super) geoms: usize,
    pub(super) bodies: usize,
    /// None if the kernel has not all of them.
    pub(super) tendons: Option<usize>,
    /// Whether sensors need accelerations of bodies.
    pub(super) accelerations: bool,
}

/// Results of a step that the kernel has.
pub const RESULTS: [&str; 20] = [
    "xpos",
    "xquat",
    "xmat",
    "xipos",
    "ximat",
    "xanchor",
    "xaxis",
    "geom_xpos",
    "geom_xmat",
    "site_xpos",
    "site_xmat",
    "cdof",
    "cvel",
    "cacc",
    "qacc",
    "qfrc_smooth",
    "qfrc_constraint",
    "actuator_force",
    "ten_length",
    "sensordata",
];

/// A result of a step that worlds may keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Name in `Data`.
    pub name: &'static str,
    /// First byte in a workspace.
    pub from: usize,
    /// Number of entries.
    pub len: usize,
    /// Results to compute for it: bits of `sinew_kernel::result`.
    pub wanted: u32,
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

    /// The result of a step with a name of `Data`; none if the kernel does not have it.
    pub fn result(&self, name: &str) -> Option<Kept> {
        let name = RESULTS.into_iter().find(|known| *known == name)?;
        let Sizes { sites, geoms, bodies, tendons, accelerations } = self.sizes;
        let of = |work: &str, first: usize, len: usize, wanted: u32| {
            let field = self.work_fields.iter().find(|field| field.name == work)?;
            (first + len <= field.width).then(|| {
                let size = self.number;
                Kept { name, from: field.offset + first * size, len, wanted }
            })
        };
        let whole = |work: &str, wanted: u32| {
            let field = self.work_fields.iter().find(|field| field.name == work)?;
            of(work, 0, field.width, wanted)
        };
        match name {
            "xpos" | "xquat" | "xmat" | "xipos" | "xanchor" | "xaxis" | "cvel" | "cdof"
            | "qacc" | "qfrc_smooth" | "qfrc_constraint" => whole(name, 0),
            "actuator_force" => whole("act_force", 0),
            "ten_length" => of(name, 0, tendons?, 0),
            "cacc" => whole(name, ACCELERATIONS),
            "site_xpos" => of("place_xpos", 0, 3 * sites, PLACES),
            "site_xmat" => of("place_xmat", 0, 9 * sites, PLACES),
            "geom_xpos" => of("place_xpos", 3 * sites, 3 * geoms, PLACES),
            "geom_xmat" => of("place_xmat", 9 * sites, 9 * geoms, PLACES),
            "ximat" => of("place_xmat", 9 * (sites + geoms), 9 * bodies, PLACES),
            "sensordata" if self.unread.is_empty() => {
                let more = if accelerations { ACCELERATIONS } else { 0 };
                whole(name, PLACES | SENSORS | more)
            }
            _ => None,
        }
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
