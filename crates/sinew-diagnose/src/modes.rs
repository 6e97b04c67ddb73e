//! The fastest modes of motion under smooth forces.
//!
//! Near a state, springs, actuators and flexible bodies have the force -K q, and dampers have -B
//! q̇. The largest eigenvalues of M⁻¹K and M⁻¹B give the fastest oscillation (ω²) and decay. Their
//! smallest eigenvalues, if negative, give the fastest growth. Lanczos' method needs only products
//! with K and B, which are finite differences of forces. Golub and Van Loan, *Matrix Computations*
//! (4th ed.), §10.1.

use sinew_engine::{
    com_pos, flex, fwd_actuation, fwd_position, fwd_velocity, integrate_pos, kinematics, mul_m,
    solve_m, tendon, transmission,
};
use sinew_math::vector::dot;
use sinew_model::enums::{DisableBit, EnableBit};
use sinew_model::{Data, Model};

/// Steps of Lanczos' method. Extreme eigenvalues have an error below 1 % after `STEPS` and of 10 %
/// after `FEW_STEPS`.
pub(crate) const STEPS: usize = 40;
pub(crate) const FEW_STEPS: usize = 14;
/// Largest displacement or velocity in the finite differences of forces.
const PERTURBATION: f64 = 1e-6;

/// A mode of motion and its eigenvalue.
#[derive(Clone, Debug)]
pub struct Mode {
    /// Eigenvalue: ω² in 1/s², or the rate of decay in 1/s.
    pub value: f64,
    /// Velocities of the dofs, with vᵀMv = 1.
    pub vector: Vec<f64>,
}

/// The variable of differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// Displacement: stiffness.
    Position,
    /// Velocity: damping.
    Velocity,
}

/// A state with its forces, and a perturbed copy.
pub(crate) struct Linear<'a> {
    /// Whether the search may go on; without more time nothing is found.
    pub(crate) go_on: &'a dyn Fn() -> bool,
    /// The model without constraints.
    pub(crate) m: Model,
    /// The state with all quantities that follow from it.
    pub(crate) base: Data,
    /// The state after the last perturbation.
    pub(crate) perturbed: Data,
    /// Size of the perturbation per unit of the direction.
    pub(crate) scale: f64,
}

/// A copy of the model without contacts, sensors and sleep.
pub(crate) fn without_contacts(m: &Model) -> Model {
    let mut free = m.clone();
    free.opt.disableflags |= DisableBit::Contact.0 | DisableBit::Sensor.0;
    free.opt.enableflags &= !(EnableBit::Sleep.0 | EnableBit::Fwdinv.0);
    free
}

impl<'a> Linear<'a> {
    /// Linearises about the positions and controls of `d`, at rest and without constraints.
    pub(crate) fn new(m: &Model, d: &Data, go_on: &'a dyn Fn() -> bool) -> Linear<'a> {
        let mut m = without_contacts(m);
        m.opt.disableflags |= DisableBit::Constraint.0;
        let mut base = Data::new(&m);
        copy_inputs(&mut base, d);
        base.qvel.fill(0.0);
        fwd_position(&m, &mut base);
        forces(&m, &mut base);
        let perturbed = base.clone();
        Linear { go_on, m, base, perturbed, scale: 0.0 }
    }

    /// Perturbs the copy along a direction and computes its forces.
    pub(crate) fn perturb(&mut self, along: Along, direction: &[f64]) {
        let size = direction.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
        self.scale = if size > 0.0 { PERTURBATION / size } else { 0.0 };
        let Linear { m, base, perturbed, scale, .. } = self;
        perturbed.qpos.copy_from_slice(&base.qpos);
        perturbed.qvel.fill(0.0);
        match along {
            Along::Position => integrate_pos(m, &mut perturbed.qpos, direction, *scale),
            Along::Velocity => {
                perturbed.qvel.iter_mut().zip(direction).for_each(|(v, x)| *v = *scale * x);
            }
        }
        forces(m, perturbed);
    }

    /// The product of K or B with a direction; `implicit` is the damping that the integrator treats
    /// implicitly.
    pub(crate) fn product(
        &mut self,
        along: Along,
        implicit: &[f64],
        direction: &[f64],
        out: &mut [f64],
    ) {
        self.perturb(along, direction);
        let Linear { base, perturbed, scale, .. } = self;
        for (v, out) in out.iter_mut().enumerate() {
            let of = |d: &Data| d.qfrc_passive[v] - d.qfrc_gravcomp[v] + d.qfrc_actuator[v];
            let slope = if *scale > 0.0 { (of(base) - of(perturbed)) / *scale } else { 0.0 };
            let taken = if along == Along::Velocity { implicit[v] * direction[v] } else { 0.0 };
            *out = slope - taken;
        }
    }

    /// The modes with the smallest and the largest eigenvalue; `None` without dofs, without time,
    /// or for non-finite values.
    pub(crate) fn extremes(
        &mut self,
        along: Along,
        implicit: &[f64],
        steps: usize,
    ) -> Option<[Mode; 2]> {
        let nv = self.m.nv;
        let steps = steps.min(nv);
        let mut basis: Vec<Vec<f64>> = Vec::with_capacity(steps);
        let (mut diagonal, mut off_diagonal) = (Vec::new(), Vec::new());
        let (mut image, mut force) = (vec![0.0; nv], vec![0.0; nv]);
        let mut next = scattered(nv);
        for _ in 0..steps {
            if !(self.go_on)() {
                return None;
            }

            // orthogonal to all earlier vectors, with unit energy
            for _ in 0..2 {
                mul_m(&self.m, &self.base, &mut image, &next);
                for q in &basis {
                    let share = dot(q, &image);
                    next.iter_mut().zip(q).for_each(|(x, q)| *x -= share * q);
                }
            }
            mul_m(&self.m, &self.base, &mut image, &next);
            let energy = dot(&next, &image);
            if !(energy.is_finite() && energy > 0.0) {
                break;
            }
            let norm = energy.sqrt();
            if let Some(&last) = diagonal.last() {
                let scale: f64 =
                    diagonal.iter().fold(f64::abs(last), |max: f64, x: &f64| max.max(x.abs()));
                if norm <= 1e-10 * scale {
                    break;
                }
                off_diagonal.push(norm);
            }
            next.iter_mut().for_each(|x| *x /= norm);
            basis.push(next.clone());

            // the product with the matrix
            self.product(along, implicit, &next, &mut force);
            diagonal.push(dot(&next, &force));
            solve_m(&self.m, &self.base, &mut next, &force);
        }
        if diagonal.is_empty() || diagonal.iter().chain(&off_diagonal).any(|x: &f64| !x.is_finite())
        {
            return None;
        }
        Some([-1.0, 1.0].map(|sign| ritz(&basis, &diagonal, &off_diagonal, sign)))
    }

    /// u times the derivative of a force along the last perturbation, by dof.
    pub(crate) fn work(&self, of: impl Fn(&Data, usize) -> f64, v: usize, direction: f64) -> f64 {
        match self.scale > 0.0 {
            true => (of(&self.base, v) - of(&self.perturbed, v)) / self.scale * direction,
            false => 0.0,
        }
    }
}

/// The forces of a state.
fn forces(m: &Model, d: &mut Data) {
    kinematics(m, d);
    com_pos(m, d);
    flex(m, d);
    tendon(m, d);
    transmission(m, d);
    fwd_velocity(m, d);
    fwd_actuation(m, d);
}

/// Copies the inputs from one state to another of the same sizes.
pub(crate) fn copy_inputs(to: &mut Data, from: &Data) {
    to.time = from.time;
    to.qpos.copy_from_slice(&from.qpos);
    to.qvel.copy_from_slice(&from.qvel);
    to.act.copy_from_slice(&from.act);
    to.ctrl.copy_from_slice(&from.ctrl);
    to.history.copy_from_slice(&from.history);
    to.mocap_pos.copy_from_slice(&from.mocap_pos);
    to.mocap_quat.copy_from_slice(&from.mocap_quat);
    to.qfrc_applied.copy_from_slice(&from.qfrc_applied);
    to.xfrc_applied.copy_from_slice(&from.xfrc_applied);
    to.eq_active.copy_from_slice(&from.eq_active);
    to.plugin_state.copy_from_slice(&from.plugin_state);
}

/// A deterministic start vector that has a component in every mode.
fn scattered(n: usize) -> Vec<f64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let numbers = core::iter::repeat_with(|| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    });
    numbers.take(n).collect()
}

/// The extreme eigenvector of the tridiagonal matrix, by power iteration, as a mode of the model.
fn ritz(basis: &[Vec<f64>], diagonal: &[f64], off_diagonal: &[f64], sign: f64) -> Mode {
    let n = diagonal.len();
    let at = |i: usize| if i < off_diagonal.len() { off_diagonal[i] } else { 0.0 };
    // shifted by Gershgorin's bound, so that the wanted eigenvalue has the largest absolute value
    let bound = |i: usize| at(i).abs() + if i > 0 { at(i - 1).abs() } else { 0.0 };
    let shift = (0..n).fold(0.0_f64, |max, i| max.max(bound(i) + diagonal[i].abs()));
    let mut y: Vec<f64> = (0..n).map(|i| 1.0 + i as f64 / n as f64).collect();
    for _ in 0..3000 {
        let mut z: Vec<f64> = (0..n)
            .map(|i| {
                let low = if i > 0 { at(i - 1) * y[i - 1] } else { 0.0 };
                let high = if i + 1 < n { at(i) * y[i + 1] } else { 0.0 };
                sign * (diagonal[i] * y[i] + low + high) + shift * y[i]
            })
            .collect();
        let norm = dot(&z, &z).sqrt();
        if norm > 0.0 {
            z.iter_mut().for_each(|x| *x /= norm);
        }
        y = z;
    }
    let value: f64 = (0..n)
        .map(|i| {
            let high = if i + 1 < n { 2.0 * at(i) * y[i] * y[i + 1] } else { 0.0 };
            diagonal[i] * y[i] * y[i] + high
        })
        .sum();
    let mut vector = vec![0.0; basis[0].len()];
    for (q, share) in basis.iter().zip(&y) {
        vector.iter_mut().zip(q).for_each(|(x, q)| *x += share * q);
    }
    Mode { value, vector }
}
