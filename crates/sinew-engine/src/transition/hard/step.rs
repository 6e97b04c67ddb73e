//! The matrices of a step with exact friction.

use sinew_cone::{Cone, State};
use sinew_math::vector::{add_scaled, dot};
use sinew_model::coulomb::{CoulombStatus, FrictionLaw};
use sinew_model::enums::{ConstraintType, Integrator, Stage};
use sinew_model::{Data, Model};

use super::law::{LinearLaw, ROWS};
use super::rows::{Group, Rows};
use super::shift::next_position;
use super::work::{HardWork, velocity};
use crate::coulomb::{set_tracing, solve_mass, spin_changes, uses_own_matrix, with_trace};
use crate::finite::Transition;
use crate::plain::forward_skip;
use crate::transition::actuator::add_actuators;
use crate::transition::arm::set_tendons;
use crate::transition::error::{TransitionError, unsupported};
use crate::transition::fluid::add_fluid;
use crate::transition::integrate::add_inertia_change;
use crate::transition::linear::{StepWork, check_start, check_state};
use crate::transition::passive::add_passive;
use crate::transition::refine::refine;
use crate::transition::residual::Residual;
use crate::transition::sensor::fill_sensors;
use crate::transition::switches::Switches;
use crate::transition::tree::{Motion, Slopes, add_inverse_dynamics};
use crate::work::scratch;

/// Share of its usual inverse mass below which a row's inverse mass is rounding.
const ROUNDING: f64 = 1e-12;

/// Whether the steps of a model have exact friction: other integrators use MuJoCo's contacts.
pub(crate) fn is_hard(m: &Model) -> bool {
    m.coulomb.enabled && matches!(m.opt.integrator, Integrator::Euler | Integrator::Implicitfast)
}

/// Fills the matrices.
pub(crate) fn fill_hard(
    m: &Model,
    d: &mut Data,
    out: &mut Transition<'_>,
) -> Result<Switches, TransitionError> {
    check_start(m, d)?;
    let skip_sensor = out.c.is_none() && out.d.is_none();
    set_tracing(d, true);
    let mut work = scratch(d).transition.take::<StepWork>();
    forward_skip(m, d, Stage::None, skip_sensor);
    let result = linearize(m, d, &mut work, out);
    set_tracing(d, false);
    forward_skip(m, d, Stage::None, skip_sensor);
    scratch(d).transition.put(work);
    result
}

fn linearize(
    m: &Model,
    d: &mut Data,
    work: &mut StepWork,
    out: &mut Transition<'_>,
) -> Result<Switches, TransitionError> {
    refine(m, d)?;
    check_state("qacc", &d.qacc)?;
    if !matches!(d.coulomb.status, CoulombStatus::Idle | CoulombStatus::Converged) {
        return unsupported("exact friction whose impulses have not converged");
    }
    let mut hard = core::mem::take(&mut work.hard);
    let result = with_trace(d, |d, trace| {
        if trace.iter().any(|traced| traced.shallow) {
            return unsupported("exact friction with a depth that the last step bounds");
        }
        hard.rows.set(m, d, trace);
        hard.set_smooth(m, d, work)?;
        hard.set_system(m, d)?;
        hard.set_shift(m, d, work)?;
        let mut switches = gaps(d);
        for traced in trace.iter().filter(|traced| traced.state == State::Separate) {
            if traced.cone.is_contact() {
                let u = velocity(m, d, traced.row);
                switches.at_acceleration((u - traced.bias) / m.opt.timestep);
            }
        }
        hard.law_switches(m, &mut switches);
        hard.fill(m, d, work, out);
        Ok(switches)
    });
    work.hard = hard;
    result
}

/// How far contacts and limits are from touching and from the margins of their rows.
fn gaps(d: &Data) -> Switches {
    let mut switches = Switches::NONE;
    for row in 0..d.nefc {
        let kind = d.efc_type[row];
        let is_first = kind != ConstraintType::ContactElliptic
            || row == 0
            || d.efc_type[row - 1] != kind
            || d.efc_id[row - 1] != d.efc_id[row];
        let has_gap = !matches!(
            kind,
            ConstraintType::Equality | ConstraintType::FrictionDof | ConstraintType::FrictionTendon
        );
        if is_first && has_gap {
            switches.at_gap(d.efc_pos[row] - d.efc_margin[row]);
            switches.at_gap(d.efc_pos[row]);
        }
    }
    switches
}

impl HardWork {
    /// Sets M da for every input while impulses stay as they are, with the opposite sign, and the
    /// changes of the velocities of the rows.
    fn set_smooth(
        &mut self,
        m: &Model,
        d: &mut Data,
        work: &mut StepWork,
    ) -> Result<(), TransitionError> {
        let StepWork { residual, wrenches, twists, tree, actuators, arms, .. } = work;
        self.zero.clear();
        self.zero.resize(m.nv, 0.0);
        residual.clear(m);
        wrenches.clear(m);
        twists.set(m, d, &d.qvel);
        set_tendons(m, d, arms)?;
        let tendons = &arms.tendons[..];
        add_passive(m, d, tendons, residual, wrenches);
        add_fluid(m, d, twists, residual, wrenches);
        add_actuators(m, d, (twists, tendons), actuators, residual, wrenches);
        let motion = Motion { rates: Some(&d.qvel), acc: &self.zero, gravity: true };
        let (pos, vel) = residual.pos_vel();
        let slopes = Slopes { pos: Some(pos), vel: Some(vel), scale: 1.0 };
        add_inverse_dynamics(m, d, motion, Some(wrenches), tree, slopes);
        self.add_midpoint(m, d, residual);

        // impulses, whose wrenches the bodies carry, and inertia
        let (h, acc) = (m.opt.timestep, d.qacc.to_vec());
        let after: Vec<f64> = d.qvel.iter().zip(&acc).map(|(v, a)| v + h * a).collect();
        let force: Vec<f64> = self.rows.list.iter().map(|&row| d.efc_force[row]).collect();
        wrenches.clear(m);
        let HardWork { rows, changes, at_end, at_start, .. } = self;
        let out = (&mut *residual, &mut *wrenches);
        rows.changes(m, d, tendons, (&after, &force), (at_end, changes), out)?;
        let StepWork { extra, integrate, .. } = work;
        let forces = (&*twists, tendons, &mut *actuators);
        add_inertia_change(m, d, forces, (&acc, wrenches), residual, tree, (integrate, extra));

        // velocities before the step, from which contacts bounce
        let none = vec![0.0; force.len()];
        let start = d.qvel.to_vec();
        extra.clear(m);
        rows.changes(m, d, tendons, (&start, &none), (at_start, changes), (extra, wrenches))
    }

    /// Subtracts the midpoint rule's part of the torques of free bodies.
    fn add_midpoint(&mut self, m: &Model, d: &Data, residual: &mut Residual) {
        spin_changes(m, d, &d.qfrc_smooth, &mut self.spins);
        self.turned.clear(m);
        let nv = m.nv.max(1);
        for spin in &self.spins {
            let rows =
                residual.rows.chunks_exact_mut(nv).zip(self.turned.rows.chunks_exact_mut(nv));
            for (input, (row, turned)) in rows.enumerate() {
                let at = |k: usize| sinew_math::Vec3::from_slice(&row[spin.first + k..]);
                let mut change = -(spin.by_force * at(0) + spin.by_torque * at(3));
                for k in 0..3 {
                    let dof = spin.first + 3 + k;
                    if input == dof {
                        change += spin.by_turn.col(k);
                    } else if input == nv + dof {
                        change += spin.by_spin.col(k);
                    }
                }
                for (k, x) in change.to_array().into_iter().enumerate() {
                    turned[spin.first + 3 + k] += x;
                    row[spin.first + 3 + k] -= x;
                }
            }
        }
    }

    /// Sets the response of the rows, their laws, and the factor of the system for the impulses.
    fn set_system(&mut self, m: &Model, d: &Data) -> Result<(), TransitionError> {
        let (nv, n, h) = (m.nv.max(1), self.rows.list.len(), m.opt.timestep);
        let HardWork { rows, response, matrix, laws, active, system, .. } = self;
        response.clear();
        response.extend_from_slice(&rows.jacobian);
        let own = uses_own_matrix(m);
        response.chunks_exact_mut(nv).for_each(|row| solve_mass(m, d, own, row));
        matrix.clear();
        for row in rows.jacobian.chunks_exact(nv) {
            matrix.extend(response.chunks_exact(nv).map(|other| dot(row, other)));
        }

        // the laws, and the rows that they are about
        laws.clear();
        active.clear();
        for group in &rows.groups {
            let (mut u, mut impulse) = ([0.0; ROWS], [0.0; ROWS]);
            for k in 0..group.dim {
                let row = rows.list[group.first + k];
                (u[k], impulse[k]) = (velocity(m, d, row), h * d.efc_force[row]);
                let at = group.first + k;
                if group.acts && matrix[at * n + at] > ROUNDING * d.efc_diagApprox[row] {
                    active.push(at);
                }
            }
            let state = (&group.traced.cone, group.traced.state);
            let convex = m.coulomb.law == FrictionLaw::Convex;
            laws.push(LinearLaw::new(state, &u, &impulse, convex));
        }

        // by_velocity A + by_impulse
        let size = active.len();
        let [mut whole, mut soft] = [vec![0.0; size * size], vec![0.0; size * size]];
        for (i, (group, local)) in active_rows(rows, active).enumerate() {
            let (law, first) = (&laws[group], rows.groups[group].first);
            for k in 0..rows.groups[group].dim {
                let by_velocity = law.by_velocity[local][k];
                let by_impulse = law.by_impulse[local][k];
                for (j, &column) in active.iter().enumerate() {
                    let entry = by_velocity * matrix[(first + k) * n + column];
                    whole[i * size + j] += entry;
                    if column == first + k {
                        whole[i * size + j] += by_impulse;
                        soft[i * size + j] += entry;
                    }
                }
            }
        }
        system.factor(size, &whole, &soft);
        Ok(())
    }

    /// Takes into account how far the cones are from other states.
    fn law_switches(&self, m: &Model, switches: &mut Switches) {
        let n = self.rows.list.len();
        for (group, law) in self.rows.groups.iter().zip(&self.laws).filter(|(g, _)| g.acts) {
            let inverse_mass = self.matrix[group.first * (n + 1)];
            let [velocity, impulse] = law.apart;
            switches.at_acceleration(velocity / m.opt.timestep);
            switches.at_acceleration(impulse * inverse_mass / m.opt.timestep);
        }
    }

    /// Fills the matrices, input by input.
    fn fill(&mut self, m: &Model, d: &Data, work: &mut StepWork, out: &mut Transition<'_>) {
        let (nv, h, own) = (m.nv, m.opt.timestep, uses_own_matrix(m));
        let n = 2 * nv + m.na;
        let StepWork { residual, actuators, arms, sensors, integrate, vel, .. } = work;
        for row in residual.rows.chunks_exact_mut(nv.max(1)) {
            row.iter_mut().for_each(|x| *x = -*x);
            solve_mass(m, d, own, row);
        }

        // damping implicit: the integrator leaves the midpoint rule out
        let leaves_out = own && !self.spins.is_empty();
        if leaves_out {
            self.turned.rows.chunks_exact_mut(nv).for_each(|row| solve_mass(m, d, own, row));
        }
        integrate.acc.clear();
        if own {
            let forces = d.qfrc_smooth.iter().zip(d.qfrc_constraint.iter());
            integrate.acc.extend(forces.map(|(smooth, constraint)| smooth + constraint));
            solve_mass(m, d, own, &mut integrate.acc);
        } else {
            integrate.acc.extend_from_slice(&d.qacc);
        }
        vel.clear();
        vel.extend(d.qvel.iter().zip(&integrate.acc).map(|(v, a)| v + h * a));

        let [mut impulses, mut rate, mut shift, mut column] = [(); 4].map(|()| Vec::new());
        for (input, acc) in residual.rows.chunks_exact_mut(nv.max(1)).enumerate() {
            self.solve_impulses(m, input, acc, &mut impulses);
            for (&row, by) in self.active.iter().zip(&impulses) {
                add_scaled(acc, &self.response[row * nv..(row + 1) * nv], by / h);
            }

            // velocity after the impulses, with which the position is corrected
            rate.clear();
            rate.extend(acc.iter().map(|x| h * x));
            if (nv..2 * nv).contains(&input) {
                rate[input - nv] += 1.0;
            }
            self.shift_change(m, input, &rate, &impulses, &mut shift);
            if leaves_out {
                add_scaled(&mut rate, &self.turned.rows[input * nv..(input + 1) * nv], -h);
            }
            column.clear();
            column.resize(n, 0.0);
            next_position(m, vel, &d.coulomb.shift, (input, &rate, &shift), &mut column);
            column[nv..2 * nv].copy_from_slice(&rate);
            for (k, slopes) in actuators.activations.iter().enumerate() {
                column[2 * nv + k] = match input {
                    _ if input == 2 * nv + k => slopes.act,
                    _ if input == n + slopes.actuator => slopes.ctrl,
                    _ => 0.0,
                };
            }
            let (matrix, width, at) = match input.checked_sub(n) {
                None => (&mut out.a, n, input),
                Some(ctrl) => (&mut out.b, m.nu, ctrl),
            };
            if let Some(matrix) = matrix {
                column.iter().enumerate().for_each(|(row, x)| matrix[row * width + at] = *x);
            }
        }
        if out.c.is_some() || out.d.is_some() {
            fill_sensors(m, d, (&residual.rows, &arms.tendons), actuators, sensors, out);
        }
    }

    /// Sets the changes of the impulses of the active rows by an input, whose acceleration while
    /// they stay as they are is `acc`.
    fn solve_impulses(&mut self, m: &Model, input: usize, acc: &[f64], out: &mut Vec<f64>) {
        let (nv, h) = (m.nv, m.opt.timestep);
        let HardWork { rows, at_end, at_start, laws, active, system, .. } = self;
        let by_pos = input < nv;
        let by_vel = (nv..2 * nv).contains(&input);
        let change = |row: usize| {
            let mut u = h * dot(rows.row(m, row), acc);
            if by_pos {
                u += at_end[row * nv + input];
            } else if by_vel {
                u += rows.jacobian[row * nv + input - nv];
            }
            u
        };
        out.clear();
        for (group, local) in active_rows(rows, active) {
            let of = &rows.groups[group];
            let terms = 0..of.dim;
            let sum = terms.map(|k| laws[group].by_velocity[local][k] * change(of.first + k));
            let mut rhs = -sum.sum::<f64>();
            if local == 0 && (by_pos || by_vel) {
                let [by_gap, by_approach] = of.target(h, self.shift.start[of.first]);
                let row = of.first * nv;
                if by_pos {
                    rhs += by_gap * rows.gap[row + input] + by_approach * at_start[row + input];
                } else {
                    rhs += by_approach * rows.jacobian[row + input - nv];
                }
            }
            out.push(rhs);
        }
        system.solve(out);
    }
}

/// The group and the place in it of every active row.
fn active_rows<'a>(
    rows: &'a Rows,
    active: &'a [usize],
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let mut group = 0;
    active.iter().map(move |&row| {
        while rows.groups[group].first + rows.groups[group].dim <= row {
            group += 1;
        }
        (group, row - rows.groups[group].first)
    })
}

impl Group {
    /// Derivatives of the least velocity of the normal, by the violation and by the velocity of the
    /// row before the step.
    fn target(&self, h: f64, start: f64) -> [f64; 2] {
        let traced = &self.traced;
        let by_gap = if traced.bias != 0.0 { -1.0 / h } else { 0.0 };
        if traced.bounce == 0.0 || !matches!(traced.cone, Cone::HalfLine) && self.dim < 2 {
            return [by_gap, 0.0];
        }
        let restitution = (traced.bounce + traced.bias) / -start;
        [(1.0 - traced.share) * by_gap, -traced.share * restitution]
    }
}
