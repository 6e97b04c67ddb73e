//! Recursive Newton-Euler: forces from motion.
//!
//! Featherstone, *Rigid Body Dynamics Algorithms* (2008), §5.3.

use core::ops::Range;

use sinew_math::{Spatial, Vec3};
use sinew_model::enums::DisableBit;
use sinew_model::{BodyId, Data, Model};

use crate::sleep::{for_bodies, for_bodies_back, some_asleep};
use crate::smooth::com::mul_dof_vec;
use crate::smooth::ranges::BodyDofs;
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
    if some_asleep(m, d) {
        return awake_rne(m, d, acceleration, result);
    }
    outwards(m, d, acceleration, 1..m.nbody);
    inwards(m, d, 1..m.nbody, result);
}

/// The passes of [`rne`] where trees sleep.
#[cold]
#[inline(never)]
fn awake_rne(m: &Model, d: &mut Data, acceleration: bool, result: &mut [f64]) {
    for_bodies(m, d, |d, run| outwards(m, d, acceleration, run.start.max(1)..run.end));
    for_bodies_back(m, d, |d, run| inwards(m, d, run.start.max(1)..run.end, result));
}

/// Acceleration of each body of a run, and the force it takes to move it.
#[inline(always)]
fn outwards(m: &Model, d: &mut Data, acceleration: bool, bodies: Range<usize>) {
    let end = bodies.end;
    let Data { work, cinert, cdof, cdof_dot, cvel, qvel, qacc, .. } = d;
    let RneWork { cacc, cfrc } = &mut Work::of(work).rne;
    let (cacc, cfrc) = (cacc.rows_mut(0..end), cfrc.rows_mut(0..end));
    let (cinert, cvel) = (cinert.rows(0..end), cvel.rows(0..end));
    let (parent, dofs) = (m.body_parentid.rows(0..end), BodyDofs::of(m, end));
    let (cdof_dot, qvel) = (cdof_dot.rows(0..m.nv), qvel.rows(0..m.nv));
    for b in bodies {
        let dofs = dofs.range(b);
        let mut acc = cacc[parent[b].idx()] + mul_dof_vec(cdof_dot, qvel, dofs.clone());
        if acceleration {
            acc += mul_dof_vec(cdof, qacc, dofs);
        }
        cacc[b] = acc;
        cfrc[b] = cinert[b].force(&acc, &cvel[b]);
    }
}

/// The force on each dof of a run, from the last body to the first: a parent also carries its
/// children.
#[inline(always)]
fn inwards(m: &Model, d: &mut Data, bodies: Range<usize>, result: &mut [f64]) {
    let end = bodies.end;
    let Data { work, cdof, .. } = d;
    let cfrc = Work::of(work).rne.cfrc.rows_mut(0..end);
    let (parent, dofs) = (m.body_parentid.rows(0..end), BodyDofs::of(m, end));
    let (cdof, result) = (cdof.rows(0..m.nv), &mut result[..m.nv]);
    for b in bodies.rev() {
        let force = cfrc[b];
        let dofs = dofs.range(b);
        for (x, axis) in result[dofs.clone()].iter_mut().zip(&cdof[dofs]) {
            *x = axis.dot(force);
        }
        if parent[b] != BodyId::WORLD {
            cfrc[parent[b].idx()] += force;
        }
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
