//! The share of some rows in the matrix H and in the residual.

use core::ops::Range;

use sinew_math::chol::panel::product;
use sinew_math::simd::padded;
use sinew_model::Data;

use super::residual::Residual;
use super::rows::{Block, MAX_ROWS};
use crate::constraint::jacobian_row;

/// Products of rows that belong together; rows are padded to whole registers.
#[derive(Debug, Default)]
pub(super) struct RowSums {
    jacobian: Vec<f64>,
    /// The numbers that each dof of the pattern gives the rows.
    by_acc: Vec<f64>,
    by_vel: Vec<f64>,
    by_pos: Vec<f64>,
    /// Jᵀ W J.
    pub(super) gram: Vec<f64>,
    /// Jᵀ times the parts of velocity or position in the rows.
    sum: Vec<f64>,
    /// The part of position in the wrench of a contact.
    wrenches: Vec<f64>,
}

impl RowSums {
    /// Sets `gram` to Jᵀ W J, and adds Jᵀ (W de - f dD / D) to the residual.
    pub(super) fn add(
        &mut self,
        d: &Data,
        rows: Range<usize>,
        block: &Block,
        residual: &mut Residual,
    ) {
        let (count, width) = (rows.len(), block.dofs.len());
        let ld = padded(width);
        self.set_factors(d, rows.clone(), block);
        let RowSums { jacobian, by_acc, by_vel, by_pos, gram, sum, wrenches } = self;
        for out in [&mut *gram, &mut *sum] {
            out.resize(width * ld, 0.0);
        }

        // rows of one constraint have mostly the same damping b
        product(by_acc, jacobian, count, gram);
        let b = d.efc_KBIP[rows.start][1];
        let (by_vel, scale) = if rows.clone().all(|row| d.efc_KBIP[row][1] == b) {
            (&*gram, b)
        } else {
            product(by_vel, jacobian, count, sum);
            (&*sum, 1.0)
        };
        for (&dof, sums) in block.dofs.iter().zip(by_vel.chunks_exact(ld.max(1))) {
            let out = residual.by_vel(dof.idx());
            block.dofs.iter().zip(sums).for_each(|(w, x)| out[w.idx()] += scale * x);
        }
        if block.motions.is_empty() {
            product(by_pos, jacobian, count, sum);
        } else {
            set_motions(block, by_pos, count, wrenches, jacobian);
            product(wrenches, jacobian, 6, sum);
        }
        for (&dof, sums) in block.dofs.iter().zip(sum.chunks_exact(ld.max(1))) {
            let out = residual.by_pos(dof.idx());
            block.dofs.iter().zip(sums).for_each(|(w, x)| out[w.idx()] += x);
        }
    }

    /// Sets W J, W b J and W de - f dD / D by the dofs, and the padded Jacobian.
    fn set_factors(&mut self, d: &Data, rows: Range<usize>, block: &Block) {
        let (count, width) = (rows.len(), block.dofs.len());
        let ld = padded(width);
        let RowSums { jacobian, by_acc, by_vel, by_pos, .. } = self;
        jacobian.clear();
        for row in rows.clone() {
            jacobian.extend_from_slice(jacobian_row(d, row).1);
            jacobian.resize(jacobian.len().next_multiple_of(ld.max(1)), 0.0);
        }
        for out in [&mut *by_acc, &mut *by_vel, &mut *by_pos] {
            out.clear();
            out.resize(count * width, 0.0);
        }
        let mut damping = [0.0; MAX_ROWS];
        for (to, row) in damping.iter_mut().zip(rows.clone()) {
            *to = d.efc_KBIP[row][1];
        }
        for k in 0..count {
            let force = d.efc_force[rows.start + k];
            for (j, stiffening) in block.stiffening.iter().enumerate() {
                by_pos[j * count + k] = -force * stiffening;
            }
            let weights = block.weight[k][..count].iter().enumerate();
            for (l, &weight) in weights.filter(|(_, weight)| **weight != 0.0) {
                for j in 0..width {
                    let x = weight * jacobian[l * ld + j];
                    by_acc[j * count + k] += x;
                    by_vel[j * count + k] += x * damping[l];
                    by_pos[j * count + k] += weight * block.change[l * width + j];
                }
            }
        }
    }
}

/// Sets the changes of the wrench of a contact by each dof, with the change of the residual, and
/// the relative motions. Each has six numbers of all dofs, one after another.
fn set_motions(
    block: &Block,
    by_pos: &[f64],
    count: usize,
    wrenches: &mut Vec<f64>,
    motions: &mut Vec<f64>,
) {
    wrenches.clear();
    for (forces, &turned) in by_pos.chunks_exact(count).zip(&block.turned) {
        wrenches.extend((block.wrench(forces) - turned).to_array());
    }
    let ld = padded(block.motions.len());
    motions.clear();
    motions.resize(6 * ld, 0.0);
    for (j, motion) in block.motions.iter().enumerate() {
        for (k, x) in motion.to_array().into_iter().enumerate() {
            motions[k * ld + j] = x;
        }
    }
}
