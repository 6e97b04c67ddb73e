//! Recursive Newton-Euler: forces from motion.
//!
//! Featherstone, *Rigid Body Dynamics Algorithms* (2008), §5.3.

use core::ops::Range;

use sinew_math::{Inertia, InertiaPair, Spatial, SpatialPair, Vec3};
use sinew_model::enums::DisableBit;
use sinew_model::{BodyId, Data, Model};

use crate::sleep::{for_bodies, for_bodies_back, for_dofs};
use crate::smooth::com::mul_dof_vec;
use crate::work::{RneWork, Work, scratch};

/// Generalised force M q̈ + c(q, q̇) into `result`; without `acceleration` only c, the bias force.
///
/// Reads `cinert`, `cdof`, `cdof_dot`, `cvel`, `qvel`, `qacc` (with `acceleration`). What `result`
/// has for dofs that sleep stays.
#[doc(alias = "mj_rne")]
pub fn rne(m: &Model, d: &mut Data, acceleration: bool, result: &mut [f64]) {
    let RneWork { cacc, cfrc } = &mut scratch(d).rne;
    cacc.resize(m.nbody);
    cfrc.resize(m.nbody);
    cacc[BodyId::WORLD] = world_acceleration(m);
    cfrc[BodyId::WORLD] = Spatial::ZERO;
    for_bodies(m, d, |d, run| outwards(m, d, acceleration, run.start.max(1)..run.end));

    // inwards: a parent also carries its children
    for_bodies_back(m, d, |d, run| {
        let RneWork { cfrc, .. } = &mut scratch(d).rne;
        for b in run.rev() {
            let parent = m.body_parentid[b];
            if parent != BodyId::WORLD {
                let child = cfrc[b];
                cfrc[parent] += child;
            }
        }
    });

    for_dofs(m, d, |d, run| {
        let Data { work, cdof, .. } = d;
        let cfrc = &Work::of(work).rne.cfrc;
        let axes = cdof.rows(run.clone()).iter().zip(m.dof_bodyid.rows(run.clone()));
        for (x, (&axis, &b)) in result[run].iter_mut().zip(axes) {
            *x = axis.dot(cfrc[b]);
        }
    });
}

/// Acceleration of each body of a run, and the force on it.
fn outwards(m: &Model, d: &mut Data, acceleration: bool, bodies: Range<usize>) {
    let Data { work, cinert, cdof, cdof_dot, cvel, qvel, qacc, .. } = d;
    let RneWork { cacc, cfrc } = &mut Work::of(work).rne;
    for (b, &parent) in bodies.clone().zip(m.body_parentid.rows(bodies.clone())) {
        let dofs = m.body_dof_range(BodyId::new(b));
        let mut acc = cacc[parent] + mul_dof_vec(cdof_dot, qvel, dofs.clone());
        if acceleration {
            acc += mul_dof_vec(cdof, qacc, dofs);
        }
        cacc[b] = acc;
    }
    let (inertia, acc) = (cinert.rows(bodies.clone()), cacc.rows(bodies.clone()));
    body_forces(cfrc.rows_mut(bodies.clone()), inertia, acc, cvel.rows(bodies));
}

/// The forces it takes to move bodies: I acc + vel × I vel, for two of them at once.
fn body_forces(force: &mut [Spatial], inertia: &[Inertia], acc: &[Spatial], vel: &[Spatial]) {
    let (force2, force1) = force.as_chunks_mut::<2>();
    let ((inertia2, inertia1), (acc2, acc1), (vel2, vel1)) =
        (inertia.as_chunks::<2>(), acc.as_chunks::<2>(), vel.as_chunks::<2>());
    for (((force, [i, j]), [a, b]), [v, w]) in force2.iter_mut().zip(inertia2).zip(acc2).zip(vel2) {
        let (inertia, vel) = (InertiaPair::new(i, j), SpatialPair::new(v, w));
        let momentum = vel.cross_force(inertia.mul(vel));
        *force = inertia.mul(SpatialPair::new(a, b)).plus(momentum).split();
    }
    if let ([force], [inertia], [acc], [vel]) = (force1, inertia1, acc1, vel1) {
        *force = *inertia * *acc + vel.cross_force(*inertia * *vel);
    }
}

/// A force (torque:force) about a point, taken to the point `dif` away.
#[inline(always)]
pub(crate) fn force_moved(force: Spatial, dif: Vec3) -> Spatial {
    Spatial::new(force.rot - dif.cross(force.lin), force.lin)
}

/// Gravity as an upward acceleration of the world.
pub(crate) fn world_acceleration(m: &Model) -> Spatial {
    if m.opt.disabled(DisableBit::Gravity) {
        Spatial::ZERO
    } else {
        Spatial::new(Vec3::ZERO, m.opt.gravity * -1.0)
    }
}
