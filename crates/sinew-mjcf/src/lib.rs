//! MJCF and URDF to `Model`: parsing with places, defaults, assets, compilation.

pub mod asset;
pub mod compile;
pub mod defaults;
pub mod diag;
pub mod expand;
pub mod files;
mod include;
pub mod load;
mod parse;
mod schema;
pub mod spec;
mod write;
mod xml;

pub use files::Assets;
pub use load::{load_path, load_path_with_assets, load_str};

/// Choices about how a model is loaded; the defaults give MuJoCo's own behaviour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Everything MuJoCo rejects is an error, also what Sinew would accept with a warning.
    pub strict: bool,
    /// Attributes a `<pair>` does not give come from its geoms instead of fixed defaults.
    pub pair_from_geoms: bool,
    /// Of several `<pair>`s of the same two geoms only the last is kept.
    pub pair_dedup: bool,
    /// A `<pair>` of a geom with itself gives no contact.
    pub pair_skip_self: bool,
    /// `limited` and `range` of a free joint limit its rotation.
    pub free_joint_limits: bool,
}

/// A compiled model and what there is to say about it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model.
    pub model: sinew_model::Model,
    /// Warnings, in order of discovery.
    pub warnings: Vec<diag::Diagnostic>,
    /// The files they point into.
    pub sources: Vec<spec::Source>,
}
