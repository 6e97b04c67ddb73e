//! Momentum of subtrees.

use core::ops::Range;

use sinew_math::{MINVAL, Mat3, Spatial, Vec3};
use sinew_model::{BodyId, Data, Model};

use crate::sleep::{for_bodies, for_bodies_back};
use crate::smooth::jacobian::point_jacobian;
use crate::work::{Work, scratch};

/// Linear velocity and angular momentum of every subtree, about its centre of mass.
///
/// Reads `cvel`, `xipos`, `ximat`, `subtree_com`.
/// Writes `subtree_linvel`, `subtree_angmom`, `flg_subtreevel`.
#[doc(alias = "mj_subtreeVel")]
pub fn subtree_vel(m: &Model, d: &mut Data) {
    scratch(d).body.resize(m.nbody);
    for_bodies(m, d, |d, run| own_momentum(m, d, run));
    for_bodies_back(m, d, |d, run| sum_linear(m, d, run));
    for_bodies_back(m, d, |d, run| sum_angular(m, d, run.start.max(1)..run.end));
    d.flg_subtreevel = true;
}

/// Each body's own momentum.
fn own_momentum(m: &Model, d: &mut Data, bodies: Range<usize>) {
    let Data { subtree_linvel, subtree_angmom, cvel, xipos, ximat, subtree_com, work, .. } = d;
    let vel = &mut Work::of(work).body;
    for b in bodies.map(BodyId::new) {
        let own = if m.body_weldid[b] == BodyId::WORLD {
            Spatial::ZERO
        } else {
            let (dif, Spatial { rot, lin }) = (xipos[b] - subtree_com[m.body_rootid[b]], cvel[b]);
            Spatial::new(rot, lin - dif.cross(rot))
        };
        vel[b] = own;
        subtree_linvel[b] = own.lin * m.body_mass[b];
        let spin = ximat[b].tmul_vec(own.rot).mul_elem(m.body_inertia[b]);
        subtree_angmom[b] = ximat[b] * spin;
    }
}

/// Linear momentum summed towards the root, over mass.
fn sum_linear(m: &Model, d: &mut Data, bodies: Range<usize>) {
    let Data { subtree_linvel, .. } = d;
    for b in bodies.rev().map(BodyId::new) {
        let momentum = subtree_linvel[b];
        if b != BodyId::WORLD {
            subtree_linvel[m.body_parentid[b]] += momentum;
        }
        subtree_linvel[b] = momentum * (1.0 / m.body_subtreemass[b].max(MINVAL));
    }
}

/// Angular momentum: the body's about its subtree's centre, then the subtree's about the parent's.
fn sum_angular(m: &Model, d: &mut Data, bodies: Range<usize>) {
    let Data { subtree_linvel, subtree_angmom, xipos, subtree_com, work, .. } = d;
    let vel = &Work::of(work).body;
    for b in bodies.rev().map(BodyId::new) {
        let parent = m.body_parentid[b];
        let moment = |dx: Vec3, dv: Vec3, mass: f64| dx.cross(dv * mass);
        subtree_angmom[b] +=
            moment(xipos[b] - subtree_com[b], vel[b].lin - subtree_linvel[b], m.body_mass[b]);
        let own = subtree_angmom[b];
        subtree_angmom[parent] += own;
        subtree_angmom[parent] += moment(
            subtree_com[b] - subtree_com[parent],
            subtree_linvel[b] - subtree_linvel[parent],
            m.body_subtreemass[b],
        );
    }
}

/// The matrix that takes velocities to the angular momentum of a subtree about its centre of mass:
/// 3 rows of `nv`.
///
/// Reads `cdof`, `xipos`, `ximat`, `subtree_com`.
#[doc(alias = "mj_angmomMat")]
pub fn angmom_mat(m: &Model, d: &Data, mat: &mut [f64], body: BodyId) {
    mat.fill(0.0);

    // the bodies that follow until one has an older parent
    for b in m.bodies().skip(body.idx()) {
        if b > body && m.body_parentid[b] < body {
            break;
        }
        let axes = d.ximat[b];
        let inertia = (axes * Mat3::diag(m.body_inertia[b])).mul_t(axes);
        let arm = d.xipos[b] - d.subtree_com[body];
        let offset = d.xipos[b] - d.subtree_com[m.body_rootid[b]];
        for v in m.body_chain(b) {
            let spin = inertia * d.cdof[v].rot;
            let orbit = arm.cross(point_jacobian(d.cdof[v], offset)) * m.body_mass[b];
            for k in 0..3 {
                let x = &mut mat[k * m.nv + v.idx()];
                *x += spin[k];
                *x += orbit[k];
            }
        }
    }
}
