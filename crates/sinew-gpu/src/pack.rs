//! A model as the blob of bytes that `sinew-kernel` reads.

mod actuators;
mod blob;
mod bodies;
mod constraints;
mod hulls;
mod packed;
mod pairs;
mod unsupported;

use sinew_kernel::real::Real;
use sinew_model::Model;

pub use packed::{Field, Packed, Unsupported};

use blob::Blob;

/// Packs a model for numbers of the kind `R`. The error lists everything in the model that the
/// kernel does not do.
pub fn pack<R: Real>(m: &Model) -> Result<Packed, Unsupported> {
    unsupported::check(m)?;
    let mut blob = Blob::<R>::default();
    bodies::add(m, &mut blob);
    actuators::add(m, &mut blob);
    pairs::add(m, &mut blob);
    constraints::add(m, &mut blob);
    blob.finish()
}
