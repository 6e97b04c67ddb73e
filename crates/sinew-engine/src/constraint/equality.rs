//! Rows of equality constraints: connect, weld, couplings of joints and tendons, and flexes that do
//! not stretch.

use core::ops::Range;

use sinew_math::{Quat, Vec3, vector};
use sinew_model::enums::{ConstraintType, EqType, ObjType};
use sinew_model::{BodyId, Data, EqId, FlexId, JointId, Model, SiteId, TendonId};

use crate::constraint::impedance::Response;
use crate::constraint::rows::{self, Origin, RowValues, jacobian};
use crate::constraint::scalar_row::{append_row, can_move, tendon_row};
use crate::sleep::{is_asleep, some_asleep};
use crate::smooth::dof_path::{Carried, chain_columns};
use crate::smooth::flex::edge::row as edge_row;
use crate::smooth::flex::strain::rows as strain_rows;
use crate::sparse::SparseRow;
use crate::work::{ConstraintWork, scratch};

/// Rows of all active constraints.
pub(crate) fn equalities(m: &Model, d: &mut Data) {
    let mut work = scratch(d).constraint.take().unwrap_or_default();
    let some_asleep = some_asleep(m, d);
    for e in m.equalities() {
        if !d.eq_active[e].get() {
            continue;
        }
        if some_asleep && is_asleep(m, d, ObjType::Equality, e.idx()) {
            continue;
        }
        match m.eq_type[e] {
            EqType::Connect => connect(m, d, e, &mut work),
            EqType::Weld => weld(m, d, e, &mut work),
            EqType::Joint | EqType::Tendon => coupling(m, d, e, &mut work),
            EqType::Flex => flex_edges(m, d, e),
            EqType::Flexvert => flex_strains(m, d, e),
            _ => {}
        }
    }
    scratch(d).constraint = Some(work);
}

/// Two points stay together.
fn connect(m: &Model, d: &mut Data, e: EqId, work: &mut ConstraintWork) {
    let ends = anchors(m, d, e);
    let pos = (ends[0].pos - ends[1].pos).to_array();
    let [second, first] = [0, 1].map(|k: usize| Carried::new(m, d, ends[k].body, ends[k].pos));
    work.chain.merge(m, first.dof, second.dof);
    let width = work.chain.columns().len();
    let entries = jacobian(d, 3, work.chain.columns());
    let Data { efc_J, cdof, .. } = d;
    let out = efc_J.rows_mut(entries);
    for (k, column, _) in chain_columns(cdof, &first, &second, work.chain.links()) {
        for axis in 0..3 {
            out[axis * width + k] = column[axis];
        }
    }
    if can_move(m, out) {
        let diag = invweight(m, &ends, 0);
        commit(m, d, e, &pos, |_| diag);
    }
}

/// Two frames stay together.
fn weld(m: &Model, d: &mut Data, e: EqId, work: &mut ConstraintWork) {
    let ends = anchors(m, d, e);
    let turn = Turn::new(m, d, e, &ends);
    let lin = ends[0].pos - ends[1].pos;
    let rot = turn.error();
    let pos = [lin.x, lin.y, lin.z, rot.x, rot.y, rot.z];
    let [second, first] = [0, 1].map(|k: usize| Carried::new(m, d, ends[k].body, ends[k].pos));
    work.chain.merge(m, first.dof, second.dof);
    let width = work.chain.columns().len();
    let entries = jacobian(d, 6, work.chain.columns());
    let Data { efc_J, cdof, .. } = d;
    let out = efc_J.rows_mut(entries);
    for (k, column, axis) in chain_columns(cdof, &first, &second, work.chain.links()) {
        let rot = turn.column(axis);
        for row in 0..3 {
            out[row * width + k] = column[row];
            out[(row + 3) * width + k] = rot[row];
        }
    }
    if can_move(m, out) {
        let diag = [invweight(m, &ends, 0), invweight(m, &ends, 1)];
        commit(m, d, e, &pos, |row| diag[row / 3]);
    }
}

/// One joint or tendon follows a polynomial of another.
fn coupling(m: &Model, d: &mut Data, e: EqId, work: &mut ConstraintWork) {
    let ConstraintWork { row, other, merge, .. } = work;
    let Some(first) = Coordinate::new(m, d, e, m.eq_obj1id[e], row) else { return };
    let [c0, c1, c2, c3, c4, ..] = m.eq_data[e];
    let mut pos = first.value - first.reference - c0;
    let mut diag = first.weight;
    if let Some(second) = Coordinate::new(m, d, e, m.eq_obj2id[e], other) {
        let x = second.value - second.reference;
        pos -= c1 * x + c2 * x * x + c3 * x * x * x + c4 * x * x * x * x;
        let slope = c1 + 2.0 * c2 * x + 3.0 * c3 * x * x + 4.0 * c4 * x * x * x;
        diag += second.weight;
        row.add_scaled(other, -slope, merge);
    }
    let from = Origin { kind: ConstraintType::Equality, id: e.idx() };
    let response = Response::new(m, m.eq_solref[e], m.eq_solimp[e], pos);
    append_row(m, d, row, from, values(response, pos, diag));
}

/// The edges of a flex keep their lengths: one row for each that can stretch.
fn flex_edges(m: &Model, d: &mut Data, e: EqId) {
    let Some(f) = flex_of(m, e) else { return };
    for edge in m.flex_edges(f).filter(|&edge| !m.flexedge_rigid[edge].get()) {
        let pos = d.flexedge_length[edge] - m.flexedge_length0[edge];
        let row = edge_row(m, edge);
        let entries = jacobian(d, 1, m.flexedge_J_colind.rows(row.clone()));
        d.efc_J.rows_mut(entries.clone()).copy_from_slice(d.flexedge_J.rows(row));
        commit_flex(m, d, e, entries, pos, m.flexedge_invweight0[edge]);
    }
}

/// The vertices of a flex keep their strains: two rows for each.
fn flex_strains(m: &Model, d: &mut Data, e: EqId) {
    let Some(f) = flex_of(m, e) else { return };
    for v in m.flex_verts(f) {
        let diag = m.body_invweight0[m.flex_vert_body(v)][0];
        for (row, pos) in strain_rows(m, v).into_iter().zip(d.flexvert_length[v]) {
            let entries = jacobian(d, 1, &m.flexvert_J_colind.as_flattened()[row.clone()]);
            d.efc_J.rows_mut(entries.clone()).copy_from_slice(&d.flexvert_J.flat()[row]);
            commit_flex(m, d, e, entries, pos, diag);
        }
    }
}

fn flex_of(m: &Model, e: EqId) -> Option<FlexId> {
    usize::try_from(m.eq_obj1id[e]).ok().filter(|&f| f < m.nflex).map(FlexId::new)
}

/// Completes the row of a flex that has these entries, if it can move.
fn commit_flex(m: &Model, d: &mut Data, e: EqId, entries: Range<usize>, pos: f64, diag: f64) {
    if can_move(m, d.efc_J.rows(entries)) {
        let response = Response::new(m, m.eq_solref[e], m.eq_solimp[e], pos);
        let from = Origin { kind: ConstraintType::Equality, id: e.idx() };
        rows::commit_one(d, from, &values(response, pos, diag));
    }
}

/// Completes the rows whose Jacobian was written last: they soften together, by the length of
/// their violation.
fn commit(m: &Model, d: &mut Data, e: EqId, pos: &[f64], diag: impl Fn(usize) -> f64) {
    let response = Response::new(m, m.eq_solref[e], m.eq_solimp[e], vector::norm(pos));
    let from = Origin { kind: ConstraintType::Equality, id: e.idx() };
    rows::commit(d, from, pos.len(), |row| values(response, pos[row], diag(row)));
}

fn values(response: Response, pos: f64, diag: f64) -> RowValues {
    let r = response.regularisation(diag);
    RowValues { pos, margin: 0.0, frictionloss: 0.0, response, r }
}

/// A point of a body that a constraint holds.
pub(crate) struct Anchor {
    pub(crate) body: BodyId,
    pub(crate) pos: Vec3,
}

/// The two points a connect or weld constraint holds together.
pub(crate) fn anchors(m: &Model, d: &Data, e: EqId) -> [Anchor; 2] {
    let data = &m.eq_data[e];
    let weld = m.eq_type[e] == EqType::Weld;
    [0, 1].map(|k| {
        let id = if k == 0 { m.eq_obj1id[e] } else { m.eq_obj2id[e] }.max(0) as usize;
        if m.eq_objtype[e] == ObjType::Body {
            // a weld stores the anchor in its second body first
            let at = if weld { 3 * (1 - k) } else { 3 * k };
            let body = BodyId::new(id);
            Anchor { body, pos: d.xmat[body] * Vec3::from_slice(&data[at..]) + d.xpos[body] }
        } else {
            let site = SiteId::new(id);
            Anchor { body: m.site_bodyid[site], pos: d.site_xpos[site] }
        }
    })
}

/// Inverse inertia of both bodies: translation (0) or rotation (1).
fn invweight(m: &Model, ends: &[Anchor; 2], kind: usize) -> f64 {
    m.body_invweight0[ends[0].body][kind] + m.body_invweight0[ends[1].body][kind]
}

/// Rotation error of a weld: the vector part of conj(q1) q0 relpose, scaled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    quat0: Quat,
    /// Conjugate of the second orientation.
    quat1: Quat,
    scale: f64,
}

impl Turn {
    pub(crate) fn new(m: &Model, d: &Data, e: EqId, ends: &[Anchor; 2]) -> Self {
        let data = &m.eq_data[e];
        let [q0, q1] = [0, 1].map(|k: usize| d.xquat[ends[k].body]);
        let (quat0, quat1) = if m.eq_objtype[e] == ObjType::Body {
            (q0 * Quat::from_slice(&data[6..]), q1)
        } else {
            let [site0, site1] = [m.eq_obj1id[e], m.eq_obj2id[e]]
                .map(|id| m.site_quat[SiteId::new(id.max(0) as usize)]);
            (q0 * site0, q1 * site1)
        };
        Turn { quat0, quat1: quat1.conj(), scale: data[10] }
    }

    fn error(&self) -> Vec3 {
        (self.quat1 * self.quat0).vec() * self.scale
    }

    /// Rate of the error when the first frame turns about `axis` relative to the second.
    pub(crate) fn column(&self, axis: Vec3) -> Vec3 {
        (self.quat1.mul_axis(axis) * self.quat0).vec() * 0.5 * self.scale
    }

    /// Change of `column` when the frames turn about these axes, at a constant `axis`.
    pub(crate) fn column_change(&self, axis: Vec3, [first, second]: [Vec3; 2]) -> Vec3 {
        let by_first = self.quat1.mul_axis(axis).mul_axis(first) * self.quat0;
        let by_second = self.quat1.mul_axis(second).mul_axis(axis) * self.quat0;
        (by_first.vec() - by_second.vec()) * (0.25 * self.scale)
    }

    /// The transpose of `column`: the torque of a force on the error.
    pub(crate) fn pull_back(&self, force: Vec3) -> Vec3 {
        let along = |axis| self.column(axis).dot(force);
        Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z))
    }
}

/// A joint or tendon as a number.
struct Coordinate {
    value: f64,
    reference: f64,
    /// Inverse inertia.
    weight: f64,
}

impl Coordinate {
    /// The joint or tendon `id` of a constraint, and its Jacobian into `row`.
    fn new(m: &Model, d: &mut Data, e: EqId, id: i32, row: &mut SparseRow) -> Option<Self> {
        let id = usize::try_from(id).ok()?;
        Some(if m.eq_type[e] == EqType::Joint {
            let j = JointId::new(id);
            let adr = m.jnt_qpos(j).start;
            row.clear();
            row.push(m.jnt_dofadr[j], 1.0);
            Coordinate {
                value: d.qpos[adr],
                reference: m.qpos0[adr],
                weight: m.dof_invweight0[m.jnt_dofadr[j]],
            }
        } else {
            let t = TendonId::new(id);
            // MuJoCo notes the constraint here, not its row
            if d.tendon_efcadr[t] == -1 {
                d.tendon_efcadr[t] = e.idx() as i32;
            }
            tendon_row(m, d, t, row);
            Coordinate {
                value: d.ten_length[t],
                reference: m.tendon_length0[t],
                weight: m.tendon_invweight0[t],
            }
        })
    }
}
