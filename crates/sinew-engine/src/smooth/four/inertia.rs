//! Centres of mass, inertias, motion axes, the joint-space inertia matrix and its factor.

use sinew_math::four::{Inertias, Mat3s, Spatials, Vec3s};
use sinew_math::simd::Lane;
use sinew_math::{MINVAL, Vec3};
use sinew_model::enums::JointType;
use sinew_model::{BodyId, Model};

use super::work::FourWork;

/// Centres of mass of the subtrees.
#[inline(always)]
pub(super) fn centres<L: Lane>(m: &Model, w: &mut FourWork) {
    w.subtree_com.resize(3 * m.nbody);
    for b in 0..m.nbody {
        let moment = Vec3s::<L>::load(w.xipos.row(b)).scale(L::splat(m.body_mass[b]));
        moment.store(w.subtree_com.row_mut(b));
    }
    for b in (1..m.nbody).rev() {
        let moment = Vec3s::<L>::load(w.subtree_com.row(b));
        let parent = w.subtree_com.row_mut(m.body_parentid[b].idx());
        (Vec3s::load(parent) + moment).store(parent);
    }
    for b in 0..m.nbody {
        let (com, mass) = (w.subtree_com.row_mut(b), m.body_subtreemass[b]);
        if mass < MINVAL {
            *com = *w.xipos.row(b);
        } else {
            Vec3s::<L>::load(com).scale(L::splat(1.0 / mass)).store(com);
        }
    }
}

/// Inertias about the tree's centre of mass.
#[inline(always)]
pub(super) fn inertias<L: Lane>(m: &Model, w: &mut FourWork) {
    w.cinert.resize(10 * m.nbody);
    *w.cinert.row_mut(0) = [[0.0; 4]; 10];
    for b in 1..m.nbody {
        let root = Vec3s::<L>::load(w.subtree_com.row(m.body_rootid[b].idx()));
        let offset = Vec3s::load(w.xipos.row(b)) - root;
        let mat = Mat3s::load(w.ximat.row(b));
        Inertias::from_principal(m.body_inertia[b], mat, offset, m.body_mass[b])
            .store(w.cinert.row_mut(b));
    }
}

/// Motion axis of each dof.
#[inline(always)]
pub(super) fn motion_axes<L: Lane>(m: &Model, w: &mut FourWork) {
    w.cdof.resize(6 * m.nv);
    let none = Vec3s::<L>::splat(Vec3::ZERO);
    for j in 0..m.njnt {
        let (b, first) = (m.jnt_bodyid[j], m.jnt_dofadr[j].idx());
        let com = Vec3s::<L>::load(w.subtree_com.row(m.body_rootid[b].idx()));
        let (axis, offset) = (Vec3s::load(w.xaxis.row(j)), com - Vec3s::load(w.xanchor.row(j)));
        let mut turning = first;
        match m.jnt_type[j] {
            JointType::Hinge => {
                Spatials::turn(axis, offset).store(w.cdof.row_mut(first));
                continue;
            }
            JointType::Slide => {
                Spatials { rot: none, lin: axis }.store(w.cdof.row_mut(first));
                continue;
            }
            JointType::Ball => {}
            _ => {
                // a free joint moves along the world's axes, then turns like a ball
                for (k, lin) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                    let along = Spatials { rot: none, lin: Vec3s::splat(lin) };
                    along.store(w.cdof.row_mut(first + k));
                }
                turning += 3;
            }
        }
        let axes = Mat3s::<L>::load(w.xmat.row(b.idx())).cols();
        for k in 0..3 {
            Spatials::turn(axes[k], offset).store(w.cdof.row_mut(turning + k));
        }
    }
}

/// Composite inertias and the inertia matrix.
#[inline(always)]
pub(super) fn crb<L: Lane>(m: &Model, w: &mut FourWork) {
    w.crb.resize(10 * m.nbody);
    w.crb.all_mut().copy_from_slice(w.cinert.all());
    for b in (1..m.nbody).rev() {
        let parent = m.body_parentid[b];
        if parent != BodyId::WORLD {
            let child = Inertias::<L>::load(w.crb.row(b));
            let parent = w.crb.row_mut(parent.idx());
            child.added_to(Inertias::load(parent)).store(parent);
        }
    }

    w.M.resize(m.nC);
    let mut next = 0;
    while next < m.nv {
        let i = next;
        next += 1;
        let adr = m.M_rowadr[i] as usize;
        if m.dof_simplenum[i] != 0 {
            // a run of bodies with a constant each
            let run = (m.dof_simplenum[i].max(1) as usize).min(m.nv - i);
            let constants = &(*m.dof_M0)[i..i + run];
            for (x, &constant) in w.M.all_mut()[adr..adr + run].iter_mut().zip(constants) {
                *x = [constant; 4];
            }
            next = i + run;
            continue;
        }
        let num = (m.M_rownnz[i] as usize).saturating_sub(1);
        let own = Spatials::<L>::load(w.cdof.row(i));
        let force = Inertias::load(w.crb.row(m.dof_bodyid[i].idx())).mul(own);
        let row = &mut w.M.all_mut()[adr..=adr + num];
        for (x, j) in row.iter_mut().zip(&(*m.M_colind)[adr..adr + num]) {
            Spatials::load(w.cdof.row(j.idx())).dot(force).store(x);
        }
        (L::splat(m.dof_armature[i]) + own.dot(force)).store(&mut row[num]);
    }
}

/// The factor LᵀDL of the inertia matrix.
#[inline(always)]
pub(super) fn factor<L: Lane>(m: &Model, w: &mut FourWork) {
    w.qLD.resize(m.nC);
    w.qLDiagInv.resize(m.nv);
    let mat = w.qLD.all_mut();
    mat.copy_from_slice(w.M.all());
    for k in (0..m.nv).rev() {
        let (adr, num) = (m.M_rowadr[k] as usize, (m.M_rownnz[k] as usize).saturating_sub(1));
        let (above, own) = mat.split_at_mut(adr);
        let (own, diag) = own.split_at_mut(num);
        let inv = L::splat(1.0) / L::load(&diag[0]);
        inv.store(&mut w.qLDiagInv.all_mut()[k]);
        for (n, i) in (*m.M_colind)[adr..adr + num].iter().enumerate().rev() {
            let row = &mut above[m.M_rowadr[*i] as usize..][..n + 1];
            let scale = L::load(&own[n]).negated() * inv;
            for (x, from) in row.iter_mut().zip(&own[..n + 1]) {
                (L::load(x) + L::load(from) * scale).store(x);
            }
        }
        for x in own {
            (L::load(x) * inv).store(x);
        }
    }
}
