//! The joint-space inertia matrix M, its factor, and products and solutions with them.
//!
//! M is symmetric with the sparsity of the kinematic tree: row `i` holds the ancestors of dof `i`
//! and itself, in order. The factor LᵀDL has the same pattern: no fill-in. Featherstone, *Rigid
//! Body Dynamics Algorithms* (2008), §6.2 and §6.5.

use core::ops::Range;

use sinew_math::{Inertia, InertiaPair, Spatial, SpatialPair, ldl, vector};
use sinew_model::enums::ObjType;
use sinew_model::{BodyId, Data, DofId, Model};

use crate::later;
use crate::sleep::{for_bodies, for_dofs, is_asleep, some_asleep};
pub use crate::smooth::factor::factor_i;
use crate::smooth::factor::{factor_dofs, m_rows, solve_dofs};
use crate::sparse;

/// Composite inertias and the joint-space inertia matrix, without tendons.
///
/// Reads `cinert`, `cdof`. Writes `crb`, `M`.
#[doc(alias = "mj_crb")]
#[inline(always)]
pub fn crb(m: &Model, d: &mut Data) {
    if some_asleep(m, d) {
        return awake_crb(m, d);
    }
    let n = m.nbody;
    let Data { crb, cinert, .. } = d;
    let crb = crb.rows_mut(0..n);
    let parent = m.body_parentid.rows(0..n);
    crb.copy_from_slice(cinert.rows(0..n));
    for b in (1..n).rev() {
        add_to_parent(crb, parent, b);
    }
    inertia_rows(m, d, 0..m.nv);
}

/// [`crb`] where trees sleep.
#[cold]
#[inline(never)]
fn awake_crb(m: &Model, d: &mut Data) {
    for_bodies(m, d, |d, run| {
        d.crb.rows_mut(run.clone()).copy_from_slice(d.cinert.rows(run));
    });
    let Data { crb, parent_awake_ind, nparent_awake, .. } = d;
    let bodies = parent_awake_ind.iter().take(*nparent_awake).map(|&b| b as usize);
    for b in bodies.rev().filter(|&b| b < m.nbody) {
        add_to_parent(crb, &m.body_parentid, b);
    }
    for_dofs(m, d, |d, run| inertia_rows(m, d, run));
}

/// A child adds its composite inertia to its parent's.
#[inline(always)]
fn add_to_parent(crb: &mut [Inertia], parent: &[BodyId], b: usize) {
    let parent = parent[b];
    if parent != BodyId::WORLD {
        let child = crb[b];
        crb[parent.idx()] += child;
    }
}

/// M(i,j) = cdof_j · (crb_i cdof_i), for each dof i of a run and each ancestor j.
#[inline(always)]
fn inertia_rows(m: &Model, d: &mut Data, dofs: Range<usize>) {
    let Data { crb, M, cdof, .. } = d;
    let inertia = M.flat_mut();
    let (mut next, end) = (dofs.start, dofs.end);
    let rows = Rows {
        adr: m.M_rowadr.rows(0..end),
        nnz: m.M_rownnz.rows(0..end),
        cols: &m.M_colind,
        armature: m.dof_armature.rows(0..end),
        cdof: cdof.rows(0..end),
    };
    let (simple, body) = (m.dof_simplenum.rows(0..end), m.dof_bodyid.rows(0..end));
    while next < end {
        let i = next;
        next += 1;
        if simple[i] != 0 {
            // a run of bodies with a constant each
            let adr = rows.adr[i] as usize;
            let run = (simple[i].max(1) as usize).min(end - i);
            vector::copy(&mut inertia[adr..adr + run], &(*m.dof_M0)[i..i + run]);
            next = i + run;
            continue;
        }
        let (b, v) = (&crb[body[i]], &rows.cdof[i]);
        if next == end || simple[next] != 0 {
            rows.put(inertia, i, *b * *v);
            continue;
        }
        let two = InertiaPair::new(b, &crb[body[next]]);
        let [force, force_next] = two.mul(SpatialPair::new(v, &rows.cdof[next])).split();
        rows.put(inertia, i, force);
        rows.put(inertia, next, force_next);
        next += 1;
    }
    if m.later.is_some() {
        add_armature(m, inertia, dofs);
    }
}

/// Adds the inertia of actuators; for simple dofs it is a part of their constants.
#[cold]
#[inline(never)]
fn add_armature(m: &Model, inertia: &mut [f64], dofs: Range<usize>) {
    for v in dofs.map(DofId::new).filter(|&v| m.dof_simplenum[v] == 0) {
        inertia[m.M_row(v).end - 1] += later::added_armature(m, v);
    }
}

/// The first rows of the inertia matrix, and the motion axes of their dofs.
struct Rows<'a> {
    adr: &'a [i32],
    nnz: &'a [i32],
    cols: &'a [DofId],
    armature: &'a [f64],
    cdof: &'a [Spatial],
}

impl Rows<'_> {
    /// Writes row `i`, given the force it takes to move that dof.
    #[inline(always)]
    fn put(&self, inertia: &mut [f64], i: usize, force: Spatial) {
        let (adr, num) = (self.adr[i] as usize, (self.nnz[i] as usize).saturating_sub(1));
        let (row, cols) = (&mut inertia[adr..][..num + 1], &self.cols[adr..][..num]);
        scalar_products(&mut row[..num], cols, self.cdof, force);
        row[num] = self.armature[i] + self.cdof[i].dot(force);
    }
}

/// Scalar products of `force` with the axes of some dofs.
#[inline(always)]
fn scalar_products(out: &mut [f64], dofs: &[DofId], cdof: &[Spatial], force: Spatial) {
    let (out2, out1) = out.as_chunks_mut::<2>();
    let (dofs2, dofs1) = dofs.as_chunks::<2>();
    for (x, &[i, j]) in out2.iter_mut().zip(dofs2) {
        *x = force.dot_both(&cdof[i.idx()], &cdof[j.idx()]);
    }
    if let ([x], &[i]) = (out1, dofs1) {
        *x = cdof[i.idx()].dot(force);
    }
}

/// Adds the inertia that tendons carry: M += Jᵀ armature J.
///
/// Reads `ten_J`. Writes `M`.
#[doc(alias = "mj_tendonArmature")]
pub fn tendon_armature(m: &Model, d: &mut Data) {
    if !later::some_tendon_armature(m) {
        return;
    }
    let (sparse, some_asleep) = (m.is_sparse(), some_asleep(m, d));
    for t in m.tendons() {
        let armature = later::tendon_armature(m, t);
        if armature == 0.0 || some_asleep && is_asleep(m, d, ObjType::Tendon, t.idx()) {
            continue;
        }
        if sparse {
            let adr = d.ten_J_rowadr[t] as usize;
            let end = adr + d.ten_J_rownnz[t] as usize;
            let (cols, vals) = (&d.ten_J_colind.flat()[adr..end], &d.ten_J.flat()[adr..end]);
            for (&i, &val) in cols.iter().zip(vals) {
                if val == 0.0 {
                    continue;
                }
                // both lists of columns increase
                let mut k = m.M_row(i).start;
                for (&j, &other) in cols.iter().zip(vals) {
                    while k < m.M_row(i).end && m.M_colind[k] < j {
                        k += 1;
                    }
                    if k < m.M_row(i).end && m.M_colind[k] == j {
                        d.M[k] += armature * val * other;
                    }
                }
            }
        } else {
            let row = &d.ten_J[t];
            for i in m.dofs().filter(|i| row[i.idx()] != 0.0) {
                for k in m.M_row(i) {
                    d.M[k] += armature * row[i.idx()] * row[m.M_colind[k].idx()];
                }
            }
        }
    }
}

/// The joint-space inertia matrix, in both layouts.
///
/// Reads `cinert`, `cdof`, `ten_J`. Writes `crb`, `M`, `qM`.
#[doc(alias = "mj_makeM")]
pub fn make_m(m: &Model, d: &mut Data) {
    crb(m, d);
    if m.ntendon > 0 {
        tendon_armature(m, d);
    }
    put_legacy_m(m, d);
}

/// The joint-space inertia matrix in the legacy layout.
///
/// Reads `M`. Writes `qM`.
#[inline(always)]
pub(crate) fn put_legacy_m(m: &Model, d: &mut Data) {
    put_legacy(&mut d.qM, &d.M, &m.mapM2M);
}

/// M in the legacy layout, with its numbers at `places`; four at a time, because long chains have
/// many.
fn put_legacy(legacy: &mut [f64], inertia: &[f64], places: &[i32]) {
    let n = inertia.len().min(places.len());
    let (inertia4, inertia1) = inertia[..n].as_chunks::<4>();
    let (places4, places1) = places[..n].as_chunks::<4>();
    for (vals, places) in inertia4.iter().zip(places4) {
        for k in 0..4 {
            legacy[places[k] as usize] = vals[k];
        }
    }
    for (&val, &place) in inertia1.iter().zip(places1) {
        legacy[place as usize] = val;
    }
}

/// Factor of the inertia matrix.
///
/// Reads `M`. Writes `qLD`, `qLDiagInv`.
#[doc(alias = "mj_factorM")]
pub fn factor_m(m: &Model, d: &mut Data) {
    if some_asleep(m, d) {
        return awake_factor_m(m, d);
    }
    let Data { qLD, qLDiagInv, M, .. } = d;
    vector::copy(qLD, M);
    factor_dofs(m, 0..m.nv, qLD, qLDiagInv);
}

/// [`factor_m`] where trees sleep.
#[cold]
#[inline(never)]
fn awake_factor_m(m: &Model, d: &mut Data) {
    for_dofs(m, d, |d, run| {
        let Data { qLD, qLDiagInv, M, .. } = d;
        let numbers = m.M_rows(run.clone());
        vector::copy(qLD.rows_mut(numbers.clone()), M.rows(numbers));
        factor_dofs(m, run, qLD, qLDiagInv);
    });
}

/// In place x = (LᵀDL)⁻¹ x, for one or several vectors of `nv` numbers.
#[doc(alias = "mj_solveLD")]
pub fn solve_ld(m: &Model, x: &mut [f64], ld: &[f64], diag_inv: &[f64]) {
    if m.nv == 0 {
        return;
    }
    for x in x.chunks_exact_mut(m.nv) {
        solve_dofs(m, 0..m.nv, x, ld, diag_inv);
    }
}

/// x = M⁻¹ y, for one or several vectors.
///
/// Reads `qLD`, `qLDiagInv`.
#[doc(alias = "mj_solveM")]
pub fn solve_m(m: &Model, d: &Data, x: &mut [f64], y: &[f64]) {
    x.copy_from_slice(y);
    solve_ld(m, x, &d.qLD, &d.qLDiagInv);
}

/// x = √D⁻¹ L⁻ᵀ y, for one or several vectors: half of `solve_m`.
///
/// Reads `qLD`; `sqrt_inv_d` holds the square roots of `qLDiagInv`.
#[doc(alias = "mj_solveM2")]
pub fn solve_m2(m: &Model, d: &Data, x: &mut [f64], y: &[f64], sqrt_inv_d: &[f64]) {
    x.copy_from_slice(y);
    if m.nv == 0 {
        return;
    }
    let rows = m_rows(m);
    for x in x.chunks_exact_mut(m.nv) {
        ldl::solve_transposed(&rows, rows.dofs(), &d.qLD, x);
        for (x, s) in x.iter_mut().zip(sqrt_inv_d) {
            *x *= s;
        }
    }
}

/// res = M vec.
///
/// Reads `M`.
#[doc(alias = "mj_mulM")]
pub fn mul_m(m: &Model, d: &Data, res: &mut [f64], vec: &[f64]) {
    mul_sym(m, &d.M, res, vec);
}

/// res = √D L vec, so that the product with its transpose is M.
///
/// Reads `qLD`.
#[doc(alias = "mj_mulM2")]
pub fn mul_m2(m: &Model, d: &Data, res: &mut [f64], vec: &[f64]) {
    for i in m.dofs() {
        let row = m.M_row(i);
        let mut sum = vec[i.idx()];
        if m.dof_simplenum[i] == 0 {
            let (cols, vals) = off_diagonal(m, i, &d.qLD);
            sum += sparse::dot(cols, vals, vec);
        }
        res[i.idx()] = sum * d.qLD[row.end - 1].sqrt();
    }
}

/// The dense inertia matrix from the legacy layout `qM`.
#[doc(alias = "mj_fullM")]
pub fn full_m(m: &Model, dst: &mut [f64], qm: &[f64]) {
    dst.fill(0.0);
    let mut vals = qm.iter();
    for i in m.dofs() {
        for (j, &val) in m.dof_chain(i).zip(&mut vals) {
            dst[i.idx() * m.nv + j.idx()] = val;
            dst[j.idx() * m.nv + i.idx()] = val;
        }
    }
}

/// Adds the lower triangle of M to a dense matrix.
///
/// Reads `M`.
#[doc(alias = "mj_addM")]
pub fn add_m(m: &Model, d: &Data, dst: &mut [f64]) {
    for i in m.dofs() {
        for k in m.M_row(i) {
            dst[i.idx() * m.nv + m.M_colind[k].idx()] += d.M[k];
        }
    }
}

/// res = A vec for a symmetric matrix of which M's pattern holds the lower triangle.
#[doc(alias = "mju_mulSymVecSparse")]
pub(crate) fn mul_sym(m: &Model, mat: &[f64], res: &mut [f64], vec: &[f64]) {
    mul_sym_rows(m, mat, res, vec, m.dofs());
}

/// Contribution of some rows of the lower triangle, in ascending order, and of their mirror images.
pub(crate) fn mul_sym_rows(
    m: &Model,
    mat: &[f64],
    res: &mut [f64],
    vec: &[f64],
    rows: impl Iterator<Item = DofId>,
) {
    res.fill(0.0);
    for i in rows {
        let i_ = i.idx();
        let x = vec[i_];
        let mut sum = mat[m.M_row(i).end - 1] * x;
        let (cols, vals) = off_diagonal(m, i, mat);
        for (j, &val) in cols.iter().zip(vals).rev() {
            sum += val * vec[j.idx()];
            res[j.idx()] += val * x;
        }
        res[i_] = sum;
    }
}

/// Columns and values of row `i` before the diagonal.
#[inline]
fn off_diagonal<'a>(m: &'a Model, i: DofId, mat: &'a [f64]) -> (&'a [DofId], &'a [f64]) {
    let row = m.M_row(i);
    let row = row.start..row.end - 1;
    (&(*m.M_colind)[row.clone()], &mat[row])
}
