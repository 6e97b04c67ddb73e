//! A model as the blob of bytes that `sinew-kernel` reads.

mod actuators;
mod apart;
mod blob;
mod bodies;
mod constraints;
mod fluid;
mod hulls;
mod implicit;
mod packed;
mod pairs;
mod rays;
mod results;
mod sites;
mod spans;
mod standing;
mod tendons;
mod unsupported;

use sinew_kernel::real::Real;
use sinew_model::Model;

pub use packed::{Field, Kept, Packed, RESULTS, Unsupported};

use blob::Blob;

/// Packs a model for numbers of the kind `R`. The error lists everything in the model that the
/// kernel does not do.
pub fn pack<R: Real>(m: &Model) -> Result<Packed, Unsupported> {
    unsupported::check(m)?;
    let mut blob = Blob::<R>::default();
    bodies::add(m, &mut blob);
    fluid::add(m, &mut blob);
    implicit::add(m, &mut blob);
    let used = tendons::used(m);
    let sites = sites::add(m, &used, &mut blob);
    let tendons = tendons::add(m, &used, &sites, &mut blob);
    actuators::add(m, &tendons, &sites, &mut blob);
    pairs::add(m, &mut blob);
    constraints::add(m, &mut blob);
    standing::add(m, &tendons, &mut blob);
    constraints::finish(m, &mut blob);
    results::add(m, &tendons, &mut blob);
    if results::sampled(m) && !results::keeps_samples(m, &blob) {
        return Err(Unsupported {
            features: vec!["delays of sensors that the kernel does not read"],
        });
    }
    blob.finish()
}
