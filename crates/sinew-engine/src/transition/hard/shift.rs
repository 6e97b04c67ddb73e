//! The correction of the position: M s = Jᵀ μ, where some rows of J s are as they should be.
//!
//! ```text
//! M ds = -dM s + dJᵀ μ + Jᵀ dμ    J ds = dw - dJ s
//! ```
//!
//! The goal w depends on the violation that the step leaves, x + h u. A bounced contact moves to
//! its place after a bounce at the time of touch. The place also depends on the contact's velocity
//! without impulses, u - J p with M p = Jᵀ λ.

use sinew_math::Vec3;
use sinew_math::vector::{add_scaled, dot};
use sinew_model::{Data, Model};

use super::rows::{Changes, Group};
use super::work::{HardWork, Shift, velocity};
use crate::coulomb::{Goal, flight_slopes, solve_mass, uses_own_matrix};
use crate::transition::error::TransitionError;
use crate::transition::integrate::{PositionMap, add_inertia_change, position_maps};
use crate::transition::linear::StepWork;
use crate::transition::residual::Residual;
use crate::transition::rotation::{right_jacobian, straight_dofs};

impl HardWork {
    /// Makes the correction linear.
    pub(super) fn set_shift(
        &mut self,
        m: &Model,
        d: &mut Data,
        work: &mut StepWork,
    ) -> Result<(), TransitionError> {
        let h = m.opt.timestep;
        let mut shift = core::mem::take(&mut self.shift);
        shift.start.clear();
        shift.start.extend(self.rows.list.iter().map(|&row| d.efc_vel[row]));
        shift.rows.clear();
        shift.goals.clear();
        let moves = |group: &Group| group.traced.push.is_some_and(|push| push.acts);
        if self.rows.groups.iter().any(moves) {
            let impulse: Vec<f64> = self.rows.list.iter().map(|&r| h * d.efc_force[r]).collect();
            let p = self.moved_by(m, &impulse);
            let force = self.set_goals(m, d, &p, &mut shift);
            let mut s = d.coulomb.shift.clone();
            s.resize(m.nv, 0.0);
            let to = (&mut shift.by_input, &mut shift.changes);
            self.add_moved(m, d, work, (&s, &force), to)?;
            if shift.flies {
                let to = (&mut shift.free, &mut shift.free_changes);
                self.add_moved(m, d, work, (&p, &impulse), to)?;
            }
            self.factor_shift(&mut shift);
        }
        self.shift = shift;
        Ok(())
    }

    /// Lists the rows that are moved, with their goals; their multipliers.
    fn set_goals(&self, m: &Model, d: &Data, p: &[f64], shift: &mut Shift) -> Vec<f64> {
        let h = m.opt.timestep;
        let mut force = vec![0.0; self.rows.list.len()];
        shift.flies = false;
        for group in &self.rows.groups {
            let Some(push) = group.traced.push.filter(|push| push.acts) else { continue };
            let row = group.first;
            force[row] = push.force;
            shift.rows.push(row);
            shift.goals.push(match push.goal {
                Goal::Share(share) => [0.0, 0.0, -share * h, -share],
                Goal::Flight => {
                    shift.flies = true;
                    let after = velocity(m, d, group.traced.row);
                    let free = after - dot(self.rows.row(m, row), p);
                    let gap = d.efc_pos[group.traced.row];
                    flight_slopes(h, shift.start[row], free, after, gap)
                }
            });
        }
        force
    }

    /// M⁻¹ Jᵀ f
    fn moved_by(&self, m: &Model, force: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; m.nv];
        for (row, x) in self.response.chunks_exact(m.nv.max(1)).zip(force) {
            add_scaled(&mut out, row, *x);
        }
        out
    }

    /// Sets M⁻¹ (dJᵀ f - dM y) for every input, and the changes of J y.
    fn add_moved(
        &mut self,
        m: &Model,
        d: &mut Data,
        work: &mut StepWork,
        (y, force): (&[f64], &[f64]),
        (out, changes): (&mut Residual, &mut Changes),
    ) -> Result<(), TransitionError> {
        let StepWork { wrenches, twists, tree, actuators, arms, extra, integrate, .. } = work;
        let tendons = &arms.tendons[..];
        out.clear(m);
        wrenches.clear(m);
        let HardWork { rows, changes: scratch, .. } = self;
        rows.changes(m, d, tendons, (y, force), (changes, scratch), (out, wrenches))?;
        let forces = (&*twists, tendons, actuators);
        add_inertia_change(m, d, forces, (y, wrenches), out, tree, (integrate, extra));
        let own = uses_own_matrix(m);
        for row in out.rows.chunks_exact_mut(m.nv.max(1)) {
            row.iter_mut().for_each(|x| *x = -*x);
            solve_mass(m, d, own, row);
        }
        Ok(())
    }

    fn factor_shift(&self, shift: &mut Shift) {
        let (n, size) = (self.rows.list.len(), shift.rows.len());
        let [mut whole, mut soft] = [vec![0.0; size * size], vec![0.0; size * size]];
        for (i, row) in shift.rows.iter().enumerate() {
            for (j, column) in shift.rows.iter().enumerate() {
                whole[i * size + j] = self.matrix[row * n + column];
            }
            soft[i * size + i] = whole[i * size + i];
        }
        shift.system.factor(size, &whole, &soft);
    }

    /// Sets the change of the correction by an input. Inputs are the changes of the velocity after
    /// the impulses and of the impulses of the active rows.
    pub(super) fn shift_change(
        &mut self,
        m: &Model,
        input: usize,
        rate: &[f64],
        impulses: &[f64],
        out: &mut Vec<f64>,
    ) {
        let nv = m.nv;
        let HardWork { rows, shift, at_end, at_start, response, active, .. } = self;
        out.clear();
        out.resize(nv, 0.0);
        if shift.rows.is_empty() {
            return;
        }
        let (by_pos, by_vel) = (input < nv, (nv..2 * nv).contains(&input));
        let by_position = |list: &[f64], row: usize| {
            if by_pos { list[row * nv + input] } else { 0.0 }
        };
        out.copy_from_slice(&shift.by_input.rows[input * nv..(input + 1) * nv]);
        let mut p = Vec::new();
        if shift.flies {
            p.extend_from_slice(&shift.free.rows[input * nv..(input + 1) * nv]);
            for (&row, by) in active.iter().zip(impulses) {
                add_scaled(&mut p, &response[row * nv..(row + 1) * nv], *by);
            }
        }
        let mut wanted: Vec<f64> = Vec::with_capacity(shift.rows.len());
        for (&row, &[by_start, by_free, by_after, by_gap]) in shift.rows.iter().zip(&shift.goals) {
            let jacobian = rows.row(m, row);
            let after = dot(jacobian, rate) + by_position(at_end, row);
            let mut goal = by_after * after + by_gap * by_position(&rows.gap, row);
            if by_start != 0.0 || by_free != 0.0 {
                let own = if by_vel { jacobian[input - nv] } else { by_position(at_start, row) };
                let pushed = dot(jacobian, &p) + by_position(&shift.free_changes, row);
                goal += by_start * own + by_free * (after - pushed);
            }
            wanted.push(goal - by_position(&shift.changes, row) - dot(jacobian, out));
        }
        shift.system.solve(&mut wanted);
        for (&row, x) in shift.rows.iter().zip(&wanted) {
            add_scaled(out, &response[row * nv..(row + 1) * nv], *x);
        }
    }
}

/// Sets the change of the next position: along the new velocity, then by the correction.
pub(super) fn next_position(
    m: &Model,
    vel: &[f64],
    shift: &[f64],
    (input, rate, by_shift): (usize, &[f64], &[f64]),
    out: &mut [f64],
) {
    let h = m.opt.timestep;
    let moved = |v: usize| if input == v { 1.0 } else { 0.0 };
    position_maps(m, vel, |map| match map {
        PositionMap::Straight(v) => out[v] = moved(v) + h * rate[v] + by_shift[v],
        PositionMap::Turn(v, [back, jacobian]) => {
            let own = back * Vec3::new(moved(v), moved(v + 1), moved(v + 2));
            let turn = own + jacobian * Vec3::from_slice(&rate[v..]) * h;
            out[v..v + 3].copy_from_slice(&turn.to_array());
        }
    });

    // orientations turn once more
    for j in m.joints() {
        let straight = straight_dofs(m.jnt_type[j]);
        let dofs = m.jnt_dofs(j).map(|v| v.idx());
        let Some(v) = dofs.clone().nth(straight) else { continue };
        let angle = if shift.is_empty() { Vec3::ZERO } else { Vec3::from_slice(&shift[v..]) };
        let back = sinew_math::Quat::default().integrate(-angle, 1.0).to_mat();
        let turn = back * Vec3::from_slice(&out[v..])
            + right_jacobian(angle) * Vec3::from_slice(&by_shift[v..]);
        out[v..v + 3].copy_from_slice(&turn.to_array());
    }
}
