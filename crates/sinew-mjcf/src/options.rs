//! Options of loading a model, and its result.

use sinew_model::Model;
use sinew_model::plugin::Registry;

use crate::asset::cache::AssetCache;
use crate::diag::Diagnostic;
use crate::spec::{Source, Span};

/// Choices about how a model is loaded; the defaults give MuJoCo's own behaviour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadOptions {
    /// Every input that MuJoCo rejects is an error, even where Sinew would accept it with a
    /// warning.
    pub strict: bool,
    /// Attributes a `<pair>` does not give come from its geoms instead of fixed defaults.
    pub pair_from_geoms: bool,
    /// Of several `<pair>`s of the same two geoms only the last is kept.
    pub pair_dedup: bool,
    /// A `<pair>` of a geom with itself gives no contact.
    pub pair_skip_self: bool,
    /// `limited` and `range` of a free joint limit its rotation.
    pub free_joint_limits: bool,
    /// Includes and assets outside the folder of the model are not read, wherever links lead; for
    /// models from untrusted sources. Files in memory are always read.
    pub confine: bool,
    /// The plugins that a model may name; at first MuJoCo's.
    pub plugins: Registry,
    /// The cache of processed assets; at first the one that the process shares.
    pub cache: AssetCache,
}

impl Default for LoadOptions {
    fn default() -> LoadOptions {
        LoadOptions {
            strict: false,
            pair_from_geoms: false,
            pair_dedup: false,
            pair_skip_self: false,
            free_joint_limits: false,
            confine: false,
            plugins: sinew_engine::plugin::first_party(),
            cache: AssetCache::shared(),
        }
    }
}

/// A compiled model with its diagnostics.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// Warnings, in order of discovery.
    pub warnings: Vec<Diagnostic>,
    /// The files they point into.
    pub sources: Vec<Source>,
    /// Where the objects of the model were written.
    pub places: Places,
}

/// Where objects were written, by their ids; bodies that were fused and geoms that were discarded
/// are in no list.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Bodies.
    pub body: Vec<Span>,
    /// Joints.
    pub joint: Vec<Span>,
    /// Geoms.
    pub geom: Vec<Span>,
    /// Sites.
    pub site: Vec<Span>,
    /// Cameras.
    pub camera: Vec<Span>,
    /// Lights.
    pub light: Vec<Span>,
    /// Meshes.
    pub mesh: Vec<Span>,
}
