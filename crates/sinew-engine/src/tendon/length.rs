//! Lengths, velocities and Jacobians of tendons.

use sinew_math::{Vec3, vector};
use sinew_model::enums::{ObjType, WrapType};
use sinew_model::{Data, DofId, JointId, Model, TendonId};

use crate::sleep::{is_asleep, some_asleep};
use crate::smooth::dof_path::Carried;
use crate::smooth::jacobian::BodyPoint;
use crate::sparse;
use crate::tendon::path::{Path, PathItem, Span, path_range};
use crate::tendon::row::{self, Piece};
use crate::tendon::wrap::{Wrap, wrap};
use crate::work::{Work, scratch};

/// Paths, lengths and Jacobians of all tendons.
///
/// Reads `qpos`, `site_xpos`, `geom_xpos`, `geom_xmat`, `subtree_com`, `cdof`. Writes
/// `ten_wrapadr`, `ten_wrapnum`, `wrap_obj`, `wrap_xpos`, `ten_length`, `ten_J` and, with sparse
/// Jacobians, `ten_J_rownnz`, `ten_J_rowadr`, `ten_J_colind`.
#[doc(alias = "mj_tendon")]
pub fn tendon(m: &Model, d: &mut Data) {
    if m.ntendon == 0 {
        return;
    }
    let (sparse, some_asleep) = (m.is_sparse(), some_asleep(m, d));
    row::prepare(m, &mut scratch(d).tendon);
    let mut points = 0;
    let mut nnz = 0;
    for t in m.tendons() {
        if !sparse {
            d.ten_J[t].fill(0.0);
        }
        if some_asleep && is_asleep(m, d, ObjType::Tendon, t.idx()) {
            // no length and an empty row, where the last one was: MuJoCo appends to it
            (d.ten_length[t], d.ten_J_rownnz[t]) = (0.0, 0);
            nnz = d.ten_J_rowadr[t] as usize;
            continue;
        }
        d.ten_wrapadr[t] = points as i32;
        let is_fixed = m.wrap_type[m.tendon_adr[t]] == WrapType::Joint;
        d.ten_length[t] = if is_fixed {
            fixed_tendon(m, d, t, sparse)
        } else {
            spatial_tendon(m, d, t, &mut points)
        };
        d.ten_wrapnum[t] = points as i32 - d.ten_wrapadr[t];
        match (is_fixed, sparse) {
            (true, true) => nnz = store_fixed_row(d, t, nnz),
            (true, false) => {}
            (false, true) => nnz = store_path_row(d, t, nnz),
            (false, false) => store_dense_path_row(d, t),
        }
    }
}

/// Writes the sparse Jacobian row of a fixed tendon at address `nnz`, and gives the address after
/// it.
fn store_fixed_row(d: &mut Data, t: TendonId, nnz: usize) -> usize {
    let Data { work, ten_J_rownnz, ten_J_rowadr, ten_J_colind, ten_J, .. } = d;
    let row = &Work::of(work).tendon.row;
    let end = nnz + row.ind.len();
    ten_J_rownnz[t] = row.ind.len() as i32;
    ten_J_rowadr[t] = nnz as i32;
    ten_J_colind.flat_mut()[nnz..end].copy_from_slice(&row.ind);
    ten_J.flat_mut()[nnz..end].copy_from_slice(&row.val);
    end
}

/// `store_fixed_row` for a spatial tendon.
fn store_path_row(d: &mut Data, t: TendonId, nnz: usize) -> usize {
    let Data { work, ten_J_rownnz, ten_J_rowadr, ten_J_colind, ten_J, .. } = d;
    let (columns, values) = (ten_J_colind.flat_mut(), ten_J.flat_mut());
    let mut end = nnz;
    Work::of(work).tendon.path.drain(|dof, x| {
        columns[end] = DofId::new(dof);
        values[end] = x;
        end += 1;
    });
    ten_J_rownnz[t] = (end - nnz) as i32;
    ten_J_rowadr[t] = nnz as i32;
    end
}

/// Writes the dense Jacobian row of a spatial tendon, which is zero before.
fn store_dense_path_row(d: &mut Data, t: TendonId) {
    let Data { work, ten_J, .. } = d;
    let row = &mut ten_J[t];
    Work::of(work).tendon.path.drain(|dof, x| row[dof] += x);
}

/// Length and Jacobian of a weighted sum of joint coordinates.
fn fixed_tendon(m: &Model, d: &mut Data, t: TendonId, sparse: bool) -> f64 {
    let mut length = 0.0;
    scratch(d).tendon.row.clear();
    let path = path_range(m, t);
    for (&id, &coef) in (*m.wrap_objid)[path.clone()].iter().zip(&(*m.wrap_prm)[path]) {
        let joint = JointId::new(id as usize);
        length += coef * d.qpos[m.jnt_qposadr[joint] as usize];
        let dof = m.jnt_dofadr[joint];
        // a joint that is named twice counts once in dense Jacobians, as in the reference
        if sparse {
            scratch(d).tendon.row.add(dof, coef);
        } else {
            d.ten_J[t][dof.idx()] = coef;
        }
    }
    length
}

/// Length, path and Jacobian of a path through sites and over geoms.
// not inlined: fixed tendons need none of it
#[inline(never)]
fn spatial_tendon(m: &Model, d: &mut Data, t: TendonId, points: &mut usize) -> f64 {
    let mut length = 0.0;
    for item in Path::new(m, t) {
        let Span { from, to, over, divisor, last: ends_branch } = match item {
            PathItem::Pulley => {
                put_point(d, points, Vec3::ZERO, -2);
                continue;
            }
            PathItem::Span(span) => span,
        };
        let (start, end) = (d.site_xpos[from], d.site_xpos[to]);
        let touch = over.and_then(|o| wrap([start, end], &o.obstacle(m, d), o.side_pos(d)));

        // length and moment of the straight pieces; the arc moves with its geom
        let first = BodyPoint { pos: start, body: m.site_bodyid[from] };
        let last = BodyPoint { pos: end, body: m.site_bodyid[to] };
        put_point(d, points, start, -1);
        let piece = |d: &mut Data, ends| add_piece(m, d, ends, divisor);
        if let (Some(Wrap { points: [p, q], length: arc }), Some(over)) = (touch, over) {
            let body = m.geom_bodyid[over.geom];
            let before = piece(d, [first, BodyPoint { pos: p, body }]);
            let after = piece(d, [BodyPoint { pos: q, body }, last]);
            length += (before + arc + after) / divisor;
            put_point(d, points, p, over.geom.idx() as i32);
            put_point(d, points, q, over.geom.idx() as i32);
        } else {
            length += piece(d, [first, last]) / divisor;
        }
        if ends_branch {
            put_point(d, points, end, -1);
        }
    }
    length
}

/// Appends a point to the drawn paths; `obj` is the geom it lies on, -1 at a site, -2 at a pulley.
#[inline]
fn put_point(d: &mut Data, points: &mut usize, at: Vec3, obj: i32) {
    let n = *points;
    d.wrap_obj.as_flattened_mut()[n] = obj;
    d.wrap_xpos.flat_mut()[3 * n..3 * n + 3].copy_from_slice(&at.to_array());
    *points += 1;
}

/// Adds directionᵀ (J₁ - J₀) / divisor of a straight piece to the row of the tendon, nothing if
/// both ends are on one body. Returns the length of the piece.
fn add_piece(m: &Model, d: &mut Data, [from, to]: [BodyPoint; 2], divisor: f64) -> f64 {
    // number by number: they come from the stack, where they were not written by pairs
    let (start, end) = (from.pos.alone(), to.pos.alone());
    let (dir, length) = (end - start).normalize();
    if from.body != to.body {
        let ends = [Carried::new(m, d, from.body, start), Carried::new(m, d, to.body, end)];
        row::add(m, d, &Piece { ends, dir, scale: 1.0 / divisor });
    }
    length
}

/// Velocities of all tendons.
///
/// Reads `ten_J`, `qvel`. Writes `ten_velocity`.
pub fn tendon_vel(m: &Model, d: &mut Data) {
    let sparse = m.is_sparse();
    for t in m.tendons() {
        d.ten_velocity[t] = if sparse {
            let (ind, val) = jacobian_row(d, t);
            sparse::dot(ind, val, &d.qvel)
        } else {
            vector::dot(&d.ten_J[t], &d.qvel)
        };
    }
}

/// Non-zeros of a sparse tendon Jacobian row.
pub(crate) fn jacobian_row(d: &Data, t: TendonId) -> (&[DofId], &[f64]) {
    let start = d.ten_J_rowadr[t] as usize;
    let range = start..start + d.ten_J_rownnz[t] as usize;
    (&d.ten_J_colind.flat()[range.clone()], &d.ten_J.flat()[range])
}

/// The Jacobian row of a tendon as `nv` numbers.
pub(crate) fn dense_row(m: &Model, d: &Data, t: TendonId, row: &mut Vec<f64>) {
    row.clear();
    if m.is_sparse() {
        row.resize(m.nv, 0.0);
        let (ind, val) = jacobian_row(d, t);
        for (dof, x) in ind.iter().zip(val) {
            row[dof.idx()] = *x;
        }
    } else {
        row.extend_from_slice(&d.ten_J[t]);
    }
}
