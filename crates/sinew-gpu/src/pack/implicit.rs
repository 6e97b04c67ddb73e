//! Derivatives of the forces on bodies, which some integrators have implicit.

use sinew_kernel::real::Real;
use sinew_model::Model;
use sinew_model::enums::Integrator;

use super::blob::Blob;
use super::fluid;

pub(super) fn add<R: Real>(m: &Model, blob: &mut Blob<R>) {
    let full = m.opt.integrator == Integrator::Implicit;
    let sloped = full || m.opt.integrator == Integrator::Implicitfast && fluid::acts(m);
    (blob.counts.unsymmetric, blob.counts.sloped) = (u32::from(full), u32::from(sloped));
    let w = &mut blob.work;
    if sloped {
        (w.body_slope, w.slope_sum) = (36 * m.nbody, 36 * m.nbody);
    }
    w.dof_rate = if full { 6 * m.nv } else { 0 };
}
