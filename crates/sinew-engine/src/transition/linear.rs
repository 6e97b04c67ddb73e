//! A step made linear at a state, before any system is solved.
//!
//! With dG the derivatives of the residual and dX the integrator's terms, every input has
//!
//! ```text
//! da = -H⁻¹ dG    da' = (M - h D)⁻¹ (M da + dX)
//! ```
//!
//! where a' = a and nothing is added if nothing is implicit. Matrices solve for every input,
//! products for one vector.

use core::ops::Range;

use sinew_math::chol::panel::Row;
use sinew_model::enums::Stage;
use sinew_model::{Data, Model};

use super::actuator::{ActuatorWork, add_actuators};
use super::arm::{Arms, set_tendons};
use super::constraint::{ConstraintWork, add_constraints};
use super::error::TransitionError;
use super::fluid::add_fluid;
use super::hard::work::HardWork;
use super::hessian::Hessian;
use super::integrate::{IntegrateWork, Scheme, integrator_terms, solve_transposed};
use super::panel::{Panel, WIDTH};
use super::passive::add_passive;
use super::refine::refine;
use super::residual::Residual;
use super::sensor::{SensorWork, fill_sensors};
use super::support::check_model;
use super::switches::Switches;
use super::tree::{Motion, Slopes, TreeWork, Wrenches, add_inverse_dynamics};
use super::twist::Twists;
use crate::bad_numbers::first_bad;
use crate::finite::Transition;
use crate::plain::forward_skip;
use crate::smooth::inertia::mul_m;
use crate::work::scratch;

/// Scratch of the derivatives of a step.
#[derive(Debug, Default)]
pub(super) struct StepWork {
    /// dG.
    pub(super) residual: Residual,
    /// dX, if anything is implicit.
    pub(super) extra: Residual,
    pub(super) scheme: Option<Scheme>,
    pub(super) actuators: ActuatorWork,
    /// The velocity after the step.
    pub(super) vel: Vec<f64>,
    pub(super) integrate: IntegrateWork,
    pub(super) wrenches: Wrenches,
    pub(super) twists: Twists,
    pub(super) tree: TreeWork,
    pub(super) hard: HardWork,
    pub(super) arms: Arms,
    constraint: ConstraintWork,
    hessian: Hessian,
    panel: Panel,
    pub(super) sensors: SensorWork,
    /// Derivatives of the acceleration.
    acc: Vec<f64>,
    /// Whether contacts come from `refine` instead of the step.
    refined: bool,
    /// Two vectors of a product.
    pub(super) vectors: [Vec<f64>; 2],
}

/// Makes the step of a state linear, and calls `f` with it; sensors are computed unless
/// `skip_sensor`.
pub(super) fn with_linear(
    m: &Model,
    d: &mut Data,
    skip_sensor: bool,
    f: impl FnOnce(&Model, &Data, &mut StepWork),
) -> Result<Switches, TransitionError> {
    check_start(m, d)?;
    let mut work = scratch(d).transition.take::<StepWork>();
    let result = linearize(m, d, skip_sensor, &mut work);
    if result.is_ok() {
        f(m, d, &mut work);
    }
    if work.refined {
        forward_skip(m, d, Stage::None, skip_sensor);
    }
    scratch(d).transition.put(work);
    result
}

/// An error if the model has a part without derivative or if the state is bad.
pub(super) fn check_start(m: &Model, d: &Data) -> Result<(), TransitionError> {
    check_model(m)?;
    check_state("qpos", &d.qpos)?;
    check_state("qvel", &d.qvel)?;
    check_state("act", &d.act)?;
    check_state("ctrl", &d.ctrl)
}

/// Computes forward dynamics and sets dG, dX and all factors.
pub(super) fn linearize(
    m: &Model,
    d: &mut Data,
    skip_sensor: bool,
    work: &mut StepWork,
) -> Result<Switches, TransitionError> {
    forward_skip(m, d, Stage::None, skip_sensor);
    check_state("qacc", &d.qacc)?;
    work.refined = true;
    work.refined = refine(m, d)?;
    work.differentiate(m, d)
}

/// An error if an array has the wrong length.
pub(super) fn check_length(
    name: &'static str,
    found: usize,
    wanted: usize,
) -> Result<(), TransitionError> {
    if found == wanted { Ok(()) } else { Err(TransitionError::Length { name, found, wanted }) }
}

/// An error if a number of a state is not finite or too large.
pub(super) fn check_state(field: &'static str, x: &[f64]) -> Result<(), TransitionError> {
    first_bad(x).map_or(Ok(()), |index| Err(TransitionError::BadState { field, index }))
}

impl StepWork {
    /// Sets dG, dX and all factors, after forward dynamics.
    fn differentiate(&mut self, m: &Model, d: &mut Data) -> Result<Switches, TransitionError> {
        let StepWork { residual, wrenches, twists, tree, actuators, arms, .. } = self;
        residual.clear(m);
        wrenches.clear(m);
        twists.set(m, d, &d.qvel);
        set_tendons(m, d, arms)?;
        let tendons = &arms.tendons[..];
        add_passive(m, d, tendons, residual, wrenches);
        add_fluid(m, d, twists, residual, wrenches);
        add_actuators(m, d, (twists, tendons), actuators, residual, wrenches);
        let StepWork { constraint, hessian, .. } = self;
        let motion = (&*twists, tendons);
        let switches = add_constraints(m, d, motion, constraint, residual, wrenches, hessian)?;
        let motion = Motion { rates: Some(&d.qvel), acc: &d.qacc, gravity: true };
        let (pos, vel) = residual.pos_vel();
        let slopes = Slopes { pos: Some(pos), vel: Some(vel), scale: 1.0 };
        add_inverse_dynamics(m, d, motion, Some(wrenches), tree, slopes);

        // the acceleration and the velocity that are integrated
        let StepWork { extra, integrate, .. } = self;
        let forces = (&*twists, tendons, actuators);
        self.scheme = integrator_terms(m, d, forces, extra, tree, integrate);
        self.vel.clear();
        let acc = &self.integrate.acc;
        self.vel.extend(d.qvel.iter().zip(acc).map(|(v, a)| v + m.opt.timestep * a));
        Ok(switches)
    }

    /// Turns all rows of dG into the derivatives da' of the acceleration that is integrated.
    pub(super) fn solve_all(&mut self, m: &Model, d: &Data) {
        let StepWork { residual, extra, scheme, hessian, panel, .. } = self;
        let width = WIDTH * m.nv.max(1);
        for (k, rows) in residual.rows.chunks_mut(width).enumerate() {
            let inputs = k * WIDTH..k * WIDTH + rows.len() / m.nv.max(1);
            let extra = scheme.map_or(&[][..], |_| extra.rows(inputs));
            panel.solve(m, d, (hessian, *scheme), rows, extra);
        }
    }

    /// Number of parts of H.
    pub(super) fn parts(&self) -> usize {
        self.hessian.parts()
    }

    /// Calls `f` with the derivatives da' by several inputs at once: the inputs, the dofs where the
    /// derivatives are not zero, and rows of lanes.
    pub(super) fn for_panels(
        &mut self,
        m: &Model,
        d: &Data,
        mut f: impl FnMut(Range<usize>, &[u32], &[Row]),
    ) {
        let StepWork { residual, extra, scheme, hessian, panel, .. } = self;
        let nv = m.nv.max(1);
        for (k, rows) in residual.rows.chunks(WIDTH * nv).enumerate() {
            let inputs = k * WIDTH..k * WIDTH + rows.len() / nv;
            let extra = scheme.map_or(&[][..], |_| extra.rows(inputs.clone()));
            let (dofs, x) = panel.solve_lanes(m, d, (hessian, *scheme), rows, extra);
            f(inputs, dofs, x);
        }
    }

    /// Fills C and D, before dG is solved with.
    pub(super) fn fill_sensors(&mut self, m: &Model, d: &Data, out: &mut Transition<'_>) {
        let StepWork { residual, hessian, panel, actuators, sensors, acc, arms, .. } = self;
        acc.clear();
        acc.extend_from_slice(&residual.rows);
        for rows in acc.chunks_mut(WIDTH * m.nv.max(1)) {
            panel.solve(m, d, (hessian, None), rows, &[]);
        }
        fill_sensors(m, d, (acc, &arms.tendons), actuators, sensors, out);
    }

    /// The derivative da' along a direction, from dG and dX along it.
    pub(super) fn solve_direction(&mut self, m: &Model, d: &Data, x: &mut [f64], extra: &[f64]) {
        let StepWork { scheme, hessian, panel, .. } = self;
        if m.nv > 0 {
            panel.solve(m, d, (hessian, *scheme), x, extra);
        }
    }

    /// The factors y, z with y·dG + z·dX = x·da' for every input, where z replaces x.
    pub(super) fn solve_adjoint(&mut self, m: &Model, d: &Data, x: &mut [f64], y: &mut [f64]) {
        if m.nv == 0 {
            return;
        }
        if let Some(scheme) = self.scheme {
            solve_transposed(m, d, scheme, x);
            mul_m(m, d, y, x);
        } else {
            y.copy_from_slice(x);
        }
        self.panel.solve(m, d, (&self.hessian, None), y, &[]);
    }
}
