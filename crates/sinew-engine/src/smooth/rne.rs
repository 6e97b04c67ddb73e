//! Recursive Newton-Euler: forces from motion.
//!
//! Featherstone, *Rigid Body Dynamics Algorithms* (2008), §5.3.

use core::ops::Range;

use sinew_math::{Spatial, Vec3};
use sinew_model::enums::DisableBit;
use sinew_model::{BodyId, Data, DofId, Model, Table};

use crate::sleep::{for_bodies, for_bodies_back};
use crate::smooth::com::mul_dof_vec;
use crate::smooth::ranges::BodyDofs;
use crate::work::{RneWork, Work, scratch};

/// Generalised force M q̈ + c(q, q̇) into `result`; without `acceleration` only c, the bias force.
///
/// Reads `cinert`, `cdof`, `cdof_dot`, `cvel`, `qvel`, `qacc` (with `acceleration`). Entries of
/// `result` for sleeping dofs are unchanged.
#[doc(alias = "mj_rne")]
pub fn rne(m: &Model, d: &mut Data, acceleration: bool, result: &mut [f64]) {
    body_forces(m, d, acceleration);
    for_bodies_back(
        m,
        d,
        #[inline(always)]
        |d, run| {
            let Data { work, cdof, .. } = d;
            inwards(m, &mut Work::of(work).rne, cdof, run, result);
        },
    );
}

/// Bias force c(q, q̇) of the bodies.
///
/// Reads `cinert`, `cdof`, `cdof_dot`, `cvel`, `qvel`. Writes `qfrc_bias`.
pub(crate) fn body_bias(m: &Model, d: &mut Data) {
    body_forces(m, d, false);
    for_bodies_back(
        m,
        d,
        #[inline(always)]
        |d, run| {
            let Data { work, cdof, qfrc_bias, .. } = d;
            inwards(m, &mut Work::of(work).rne, cdof, run, qfrc_bias);
        },
    );
}

/// The force it takes to move each body, in the scratch memory.
#[inline(always)]
fn body_forces(m: &Model, d: &mut Data, acceleration: bool) {
    let RneWork { cacc, cfrc } = &mut scratch(d).rne;
    cacc.resize(m.nbody);
    cfrc.resize(m.nbody);
    cacc[BodyId::WORLD] = world_acceleration(m);
    cfrc[BodyId::WORLD] = Spatial::ZERO;
    for_bodies(
        m,
        d,
        #[inline(always)]
        |d, run| outwards(m, d, acceleration, run),
    );
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
    for b in bodies.start.max(1)..end {
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
fn inwards(
    m: &Model,
    work: &mut RneWork,
    cdof: &Table<DofId, Spatial>,
    bodies: Range<usize>,
    result: &mut [f64],
) {
    let end = bodies.end;
    let cfrc = work.cfrc.rows_mut(0..end);
    let (parent, dofs) = (m.body_parentid.rows(0..end), BodyDofs::of(m, end));
    let (cdof, result) = (cdof.rows(0..m.nv), &mut result[..m.nv]);
    for b in (bodies.start.max(1)..end).rev() {
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
