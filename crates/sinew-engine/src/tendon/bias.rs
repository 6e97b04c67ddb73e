//! Forces from velocity: forces of the bodies, and of tendons whose armature moves with them.

use sinew_math::{MINVAL, Spatial, Vec3, vector};
use sinew_model::enums::{JointType, ObjType, WrapType};
use sinew_model::{Data, DofId, Model, SiteId, TendonId};

use crate::dof_chain::{ChainLink, Moves, merged};
use crate::later;
use crate::sleep::{is_asleep, some_asleep};
use crate::smooth::dof_path::{Carried, relative};
use crate::smooth::rne::{body_bias, rne};
use crate::tendon::length::dense_row;
use crate::tendon::path::{Path, PathItem, Span};
use crate::work::{scratch, set_aside};

/// The bias force c(q, q̇): Coriolis, centrifugal and gravity forces, of tendons too.
///
/// Reads the inputs of `bias_force`. Writes `qfrc_bias`.
#[inline(always)]
pub(crate) fn fwd_bias(m: &Model, d: &mut Data) {
    body_bias(m, d);
    if m.ntendon > 0 {
        set_aside(d, |d| &mut d.qfrc_bias, |d, bias| tendon_bias(m, d, bias));
    }
}

/// Bias force c(q, q̇) of the bodies and of the armature of tendons, into `bias`.
///
/// Reads the inputs of `rne` and `tendon_bias`.
#[inline(always)]
pub(crate) fn bias_force(m: &Model, d: &mut Data, bias: &mut [f64]) {
    rne(m, d, false, bias);
    if m.ntendon > 0 {
        tendon_bias(m, d, bias);
    }
}

/// Adds the velocity-dependent force of tendon armature, armature Jᵀ (dJ/dt q̇), to `bias`.
///
/// Reads `ten_J`, `qvel`, `cvel`, `cdof_dot`.
#[doc(alias = "mj_tendonBias")]
pub fn tendon_bias(m: &Model, d: &mut Data, bias: &mut [f64]) {
    if !later::some_tendon_armature(m) {
        return;
    }
    let some_asleep = some_asleep(m, d);
    for t in m.tendons() {
        let armature = later::tendon_armature(m, t);
        if armature == 0.0 || some_asleep && is_asleep(m, d, ObjType::Tendon, t.idx()) {
            continue;
        }
        let mut row = core::mem::take(&mut scratch(d).tendon.dense);
        tendon_dot(m, d, t, &mut row);
        let coef = armature * vector::dot(&row, &d.qvel);
        if coef != 0.0 {
            dense_row(m, d, t, &mut row);
            vector::add_scaled(bias, &row, coef);
        }
        scratch(d).tendon.dense = row;
    }
}

/// Time derivative of a tendon's Jacobian, as `nv` numbers.
///
/// Pieces over geoms count as straight lines between their sites: the reference refuses such
/// models, and so does the compiler.
#[doc(alias = "mj_tendonDot")]
pub fn tendon_dot(m: &Model, d: &Data, t: TendonId, out: &mut Vec<f64>) {
    out.clear();
    out.resize(m.nv, 0.0);
    if m.wrap_type[m.tendon_adr[t]] == WrapType::Joint {
        return;
    }
    for item in Path::new(m, t) {
        let PathItem::Span(Span { from, to, divisor, .. }) = item else {
            continue;
        };
        if m.site_bodyid[from] == m.site_bodyid[to] {
            continue;
        }

        // direction of the piece and its rate of change
        let (first, second) = (Moving::site(m, d, from), Moving::site(m, d, to));
        let (dir, norm) = (d.site_xpos[to] - d.site_xpos[from]).normalize();
        let vel = second.vel - first.vel;
        let across = vel + dir * -dir.dot(vel);
        let dir_dot = across * if norm > MINVAL { 1.0 / norm } else { 0.0 };

        // d/dt (J₁ - J₀)ᵀ dir + (J₁ - J₀)ᵀ d/dt dir
        let scale = 1.0 / divisor;
        for ChainLink { dof, moves } in merged(m, first.at.dof, second.at.dof) {
            let cdof = d.cdof[dof];
            let axis_dot = axis_dot(m, d, dof);
            let columns_dot = match moves {
                Moves::First => -first.column_dot(cdof, axis_dot),
                Moves::Second => second.column_dot(cdof, axis_dot),
                Moves::Both => second.column_dot(cdof, axis_dot) - first.column_dot(cdof, axis_dot),
            };
            let columns = relative(&first.at, &second.at, cdof, moves);
            out[dof.idx()] += columns_dot.dot(dir) * scale;
            out[dof.idx()] += columns.dot(dir_dot) * scale;
        }
    }
}

/// A site with its velocity.
struct Moving {
    at: Carried,
    vel: Vec3,
}

impl Moving {
    fn site(m: &Model, d: &Data, site: SiteId) -> Self {
        let at = Carried::site(m, d, site);
        let cvel = d.cvel[m.site_bodyid[site]];
        Moving { at, vel: cvel.lin - at.offset.cross(cvel.rot) }
    }

    /// Rate of change of the site's velocity per unit velocity of a dof.
    fn column_dot(&self, cdof: Spatial, cdof_dot: Spatial) -> Vec3 {
        cdof_dot.lin + cdof_dot.rot.cross(self.at.offset) + cdof.rot.cross(self.vel)
    }
}

/// Rate of change of a dof's motion axis.
fn axis_dot(m: &Model, d: &Data, dof: DofId) -> Spatial {
    if turns_quaternion(m, dof) {
        // the axes turn with the body itself, not with its parent
        d.cvel[m.dof_bodyid[dof]].cross_motion(d.cdof[dof])
    } else {
        d.cdof_dot[dof]
    }
}

/// Whether a dof is one of the three angular velocities of a quaternion.
fn turns_quaternion(m: &Model, dof: DofId) -> bool {
    let joint = m.dof_jntid[dof];
    match m.jnt_type[joint] {
        JointType::Ball => true,
        JointType::Free => dof.idx() >= m.jnt_dofadr[joint].idx() + 3,
        _ => false,
    }
}
