//! The rows of the cones that take part, and their changes.

use sinew_cone::{Cone, State};
use sinew_model::enums::{ConstraintType, EqType, ObjType};
use sinew_model::{Data, Model};

use crate::constraint::jacobian_row;
use crate::coulomb::Traced;
use crate::transition::arm::Arm;
use crate::transition::constraint::row_changes;
use crate::transition::error::{TransitionError, unsupported, unsupported_object};
use crate::transition::residual::Residual;
use crate::transition::rows::{Block, RowContext, RowOutput, RowScratch};
use crate::transition::tree::Wrenches;
use crate::transition::twist::Twists;

/// Stiffness, damping and impedance of a row with which the change of its regularisation is that of
/// its violation, and no reference acceleration is left.
const HARD: [f64; 4] = [0.0, 0.0, 0.5, 0.25];

/// A cone that takes part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) traced: Traced,
    /// First row of the block in the list, and the number of rows.
    pub(super) first: usize,
    pub(super) dim: usize,
    /// Whether it has impulses that may change.
    pub(super) acts: bool,
}

/// The rows that take part, as dense rows over the dofs.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) groups: Vec<Group>,
    /// The constraint row of each.
    pub(super) list: Vec<usize>,
    pub(super) jacobian: Vec<f64>,
    /// Change of the violation by position.
    pub(super) gap: Vec<f64>,
}

/// The changes of J y by position, for rates y that stay as they are.
pub(super) type Changes = Vec<f64>;

/// Scratch of the changes.
#[derive(Debug, Default)]
pub(super) struct ChangeWork {
    block: Block,
    scratch: RowScratch,
    rates: Twists,
    rest: Twists,
}

impl Rows {
    /// Lists the rows of a trace.
    pub(super) fn set(&mut self, m: &Model, d: &Data, trace: &[Traced]) {
        let Rows { groups, list, jacobian, gap } = self;
        [&mut *jacobian, gap].into_iter().for_each(Vec::clear);
        groups.clear();
        list.clear();
        for traced in trace {
            let acts = match traced.cone {
                Cone::Free => true,
                Cone::Interval { lower, upper } => traced.state == State::Stick && lower < upper,
                _ => traced.state != State::Separate,
            };
            let pushes = traced.push.is_some_and(|push| push.acts);
            if acts || pushes {
                let (first, dim) = (list.len(), traced.cone.dim());
                groups.push(Group { traced: *traced, first, dim, acts });
                list.extend(traced.row..traced.row + dim);
            }
        }
        jacobian.resize(list.len() * m.nv, 0.0);
        for (row, out) in list.iter().zip(jacobian.chunks_exact_mut(m.nv.max(1))) {
            let (dofs, values) = jacobian_row(d, *row);
            dofs.iter().zip(values).for_each(|(&v, x)| out[v as usize] = *x);
        }
        gap.resize(list.len() * m.nv, 0.0);
    }

    /// The Jacobian of a row.
    pub(super) fn row(&self, m: &Model, row: usize) -> &[f64] {
        &self.jacobian[row * m.nv..(row + 1) * m.nv]
    }

    /// Sets the changes of J y and of the violations by position. Adds -dJᵀ f to the residual by
    /// position, and the parts that follow the bodies to the wrenches.
    pub(super) fn changes(
        &mut self,
        m: &Model,
        d: &mut Data,
        tendons: &[Arm],
        (y, force): (&[f64], &[f64]),
        (changes, work): (&mut Changes, &mut ChangeWork),
        (residual, wrenches): (&mut Residual, &mut Wrenches),
    ) -> Result<(), TransitionError> {
        let nv = m.nv;
        changes.clear();
        changes.resize(self.list.len() * nv, 0.0);
        let acc = d.qacc.to_vec();
        let forces = d.efc_force.to_vec();
        d.qacc.copy_from_slice(y);
        d.efc_force.fill(0.0);
        self.list.iter().zip(force).for_each(|(&row, x)| d.efc_force[row] = *x);
        self.list.iter().for_each(|&row| d.efc_KBIP[row] = HARD);
        let ChangeWork { block, scratch, rates, rest } = work;
        rates.set(m, d, y);
        rest.rest(m);
        let mut result = Ok(());
        for group in &self.groups {
            let (row, rows) = (group.first, group.traced.row..group.traced.row + group.dim);
            result = result.and_then(|()| check_row(m, d, rows.start, tendons));
            if result.is_err() || group.dim == 0 {
                break;
            }
            let context = RowContext { m, d, acc: rates, vel: rest, tendons };
            // rows of equalities that belong together come one by one in the trace
            let Some(rows) = whole(m, d, rows) else { continue };
            block.prepare(d, rows.clone());
            let mut out = RowOutput {
                block: &mut *block,
                residual: &mut *residual,
                wrenches: &mut *wrenches,
                scratch: &mut *scratch,
            };
            result = row_changes(&context, rows.clone(), &mut out);
            add_turned(block, residual);
            let width = block.dofs.len();
            for local in 0..rows.len() {
                let start = (row + local) * nv;
                for (j, dof) in block.dofs.iter().enumerate() {
                    changes[start + dof.idx()] += block.change[local * width + j];
                    if local == 0 {
                        self.gap[start + dof.idx()] = block.stiffening[j];
                    }
                }
            }
            if d.efc_type[rows.start] == ConstraintType::Equality {
                // the Jacobian is the gradient of the violation
                let range = row * nv..(row + rows.len()) * nv;
                self.gap[range.clone()].copy_from_slice(&self.jacobian[range]);
            }
        }
        d.qacc.copy_from_slice(&acc);
        d.efc_force.copy_from_slice(&forces);
        result
    }
}

/// The rows that belong together from the first of them on; none for the others.
fn whole(m: &Model, d: &Data, rows: core::ops::Range<usize>) -> Option<core::ops::Range<usize>> {
    if d.efc_type[rows.start] != ConstraintType::Equality {
        return Some(rows);
    }
    let id = d.efc_id[rows.start];
    let is_first = rows.start == 0
        || d.efc_type[rows.start - 1] != ConstraintType::Equality
        || d.efc_id[rows.start - 1] != id;
    let count = match m.eq_type[id.max(0) as usize] {
        EqType::Connect => 3,
        EqType::Weld => 6,
        _ => 1,
    };
    is_first.then_some(rows.start..rows.start + count)
}

/// Adds the change of a force's wrench by the change of the contact's frame and point.
fn add_turned(block: &Block, residual: &mut Residual) {
    for (dof, turned) in block.dofs.iter().zip(&block.turned) {
        let out = residual.by_pos(dof.idx());
        for (other, motion) in block.dofs.iter().zip(&block.motions) {
            out[other.idx()] -= motion.dot(*turned);
        }
    }
}

/// Refuses rows whose changes are not known here.
fn check_row(m: &Model, d: &Data, row: usize, tendons: &[Arm]) -> Result<(), TransitionError> {
    let id = d.efc_id[row].max(0) as usize;
    let turns = |t: i32| usize::try_from(t).is_ok_and(|t| tendons[t].turns);
    let object = match d.efc_type[row] {
        ConstraintType::FrictionTendon | ConstraintType::LimitTendon if turns(id as i32) => {
            (ObjType::Tendon, id)
        }
        ConstraintType::Equality if m.eq_type[id] == EqType::Tendon => {
            if !turns(m.eq_obj1id[id]) && !turns(m.eq_obj2id[id]) {
                return Ok(());
            }
            (ObjType::Equality, id)
        }
        ConstraintType::ContactPyramidal => return unsupported("pyramids with exact friction"),
        _ => return Ok(()),
    };
    unsupported_object(m, object.0, object.1, "rows of a spatial tendon with exact friction")
}
