//! Derivatives of whole steps and of inverse dynamics, by finite differences.
//!
//! A stage is evaluated again only if one of its inputs was perturbed. Controls and activations
//! affect neither position nor velocity stages, and velocities do not affect position stages.

use sinew_model::enums::{DisableBit, Integrator, Stage, StateBit};
use sinew_model::state::{StateError, get_state, set_state, state_size};
use sinew_model::{ActuatorId, Data, Model};

use crate::actuator::actuation::fwd_actuation_with;
use crate::hooks::Hooks;
use crate::smooth::position::{differentiate_pos, integrate_pos};
use crate::step::advance::step_skip_with;
use crate::step::inverse::{InverseError, inverse_skip_with};

/// Why derivatives could not be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FiniteDifferenceError {
    /// Runge-Kutta evaluates all stages several times in a step.
    RungeKutta,
    /// The noslip solver has no inverse.
    Noslip,
    /// The model has delays, whose histories are not part of the state differenced.
    Delay,
    /// An output has the wrong length.
    Length {
        /// Name of the output.
        name: &'static str,
        /// Actual length.
        found: usize,
        /// Expected length.
        wanted: usize,
    },
    /// Inverse dynamics has no answer.
    Inverse(InverseError),
    /// The state could not be saved.
    State(StateError),
}

impl core::fmt::Display for FiniteDifferenceError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::RungeKutta => f.write_str("RK4 integrator is not supported"),
            Self::Noslip => f.write_str("noslip solver is not supported"),
            Self::Delay => f.write_str("delays are not supported"),
            Self::Length { name, found, wanted } => {
                write!(f, "{name} has {found} numbers, the model asks for {wanted}")
            }
            Self::Inverse(e) => e.fmt(f),
            Self::State(e) => e.fmt(f),
        }
    }
}

impl core::error::Error for FiniteDifferenceError {}

impl From<InverseError> for FiniteDifferenceError {
    fn from(e: InverseError) -> Self {
        Self::Inverse(e)
    }
}

impl From<StateError> for FiniteDifferenceError {
    fn from(e: StateError) -> Self {
        Self::State(e)
    }
}

/// The matrices of a step made linear, by rows: dx' = A dx + B du, ds = C dx + D du.
///
/// x is (position, velocity, activation) of `n` = 2 `nv` + `na` numbers, with differences of
/// position as velocities; u are the controls, s the sensors. A matrix that is `None` is not
/// computed.
#[derive(Debug, Default)]
pub struct Transition<'a> {
    /// A: `n` × `n`.
    pub a: Option<&'a mut [f64]>,
    /// B: `n` × `nu`.
    pub b: Option<&'a mut [f64]>,
    /// C: `nsensordata` × `n`.
    pub c: Option<&'a mut [f64]>,
    /// D: `nsensordata` × `nu`.
    pub d: Option<&'a mut [f64]>,
}

/// Jacobians of inverse dynamics, by rows, one row per nudged dof. A matrix that is `None` is not
/// computed.
#[derive(Debug, Default)]
pub struct InverseJacobians<'a> {
    /// Force by position: `nv` × `nv`.
    pub force_pos: Option<&'a mut [f64]>,
    /// Force by velocity: `nv` × `nv`.
    pub force_vel: Option<&'a mut [f64]>,
    /// Force by acceleration: `nv` × `nv`.
    pub force_acc: Option<&'a mut [f64]>,
    /// Sensors by position: `nv` × `nsensordata`.
    pub sensor_pos: Option<&'a mut [f64]>,
    /// Sensors by velocity: `nv` × `nsensordata`.
    pub sensor_vel: Option<&'a mut [f64]>,
    /// Sensors by acceleration: `nv` × `nsensordata`.
    pub sensor_acc: Option<&'a mut [f64]>,
    /// `qM` by position: `nv` × `nM`.
    pub inertia_pos: Option<&'a mut [f64]>,
}

/// Derivatives of a step and its sensors by state and controls, with nudges of `eps` forward, or
/// also backward if `centered`. Controls are nudged only within their range.
///
/// The call restores the state; computed fields change.
pub fn transition_fd_with(
    m: &Model,
    d: &mut Data,
    eps: f64,
    centered: bool,
    mut out: Transition<'_>,
    hooks: &mut (impl Hooks + ?Sized),
) -> Result<(), FiniteDifferenceError> {
    if m.opt.integrator == Integrator::Rk4 {
        return Err(FiniteDifferenceError::RungeKutta);
    }
    if m.nhistory > 0 {
        return Err(FiniteDifferenceError::Delay);
    }
    let (n, ns) = (2 * m.nv + m.na, m.nsensordata);
    check_length("A", &out.a, n * n)?;
    check_length("B", &out.b, n * m.nu)?;
    check_length("C", &out.c, ns * n)?;
    check_length("D", &out.d, ns * m.nu)?;
    let sensors = out.c.is_some() || out.d.is_some();
    let mut fd = StepDifference::new(m, d, Nudge { eps, centered, sensors }, hooks)?;

    // first the stages that stay valid at the present state
    if out.b.is_some() || out.d.is_some() {
        for u in m.actuators() {
            fd.control(u)?;
            write_column(&mut out.b, u.idx(), m.nu, &fd.state);
            write_column(&mut out.d, u.idx(), m.nu, &fd.sensor);
        }
    }
    if out.a.is_some() || out.c.is_some() {
        let act = (0..m.na).map(|k| (Input::Activation(k), 2 * m.nv + k));
        let vel = (0..m.nv).map(|k| (Input::Velocity(k), m.nv + k));
        let pos = (0..m.nv).map(|k| (Input::Position(k), k));
        for (input, column) in act.chain(vel).chain(pos) {
            fd.state_input(input)?;
            write_column(&mut out.a, column, n, &fd.state);
            write_column(&mut out.c, column, n, &fd.sensor);
        }
    }
    Ok(())
}

/// Derivatives of inverse dynamics and its sensors by position, velocity and acceleration, with
/// forward differences of size `eps`. With `actuation`, the actuators' forces are subtracted from
/// the inverse force.
///
/// The call restores position, velocity and acceleration; computed fields change.
pub fn inverse_fd_with(
    m: &Model,
    d: &mut Data,
    eps: f64,
    actuation: bool,
    mut out: InverseJacobians<'_>,
    hooks: &mut (impl Hooks + ?Sized),
) -> Result<(), FiniteDifferenceError> {
    if m.opt.integrator == Integrator::Rk4 {
        return Err(FiniteDifferenceError::RungeKutta);
    }
    if m.opt.noslip_iterations > 0 {
        return Err(FiniteDifferenceError::Noslip);
    }
    check_inverse_lengths(m, &out)?;
    let (nv, ns) = (m.nv, m.nsensordata);
    let skip_sensor =
        out.sensor_pos.is_none() && out.sensor_vel.is_none() && out.sensor_acc.is_none();
    let mut run = |d: &mut Data, skip: Stage, force: &mut [f64]| {
        inverse_skip_with(m, d, skip, skip_sensor, hooks)?;
        force.copy_from_slice(&d.qfrc_inverse);
        if actuation {
            fwd_actuation_with(m, d, hooks);
            force.iter_mut().zip(d.qfrc_actuator.iter()).for_each(|(f, a)| *f -= a);
        }
        Ok::<(), InverseError>(())
    };

    // the centre
    let qpos = d.qpos.to_vec();
    let (mut force, mut nudged) = (vec![0.0; nv], vec![0.0; nv]);
    run(d, Stage::None, &mut force)?;
    let (sensor, inertia) = (d.sensordata.to_vec(), d.qM.to_vec());

    if out.force_acc.is_some() || out.sensor_acc.is_some() {
        for v in 0..nv {
            let centre = d.qacc[v];
            d.qacc[v] += eps;
            let result = run(d, Stage::Vel, &mut nudged);
            d.qacc[v] = centre;
            result?;
            write_row(&mut out.force_acc, v, nv, difference(&force, &nudged, eps));
            write_row(&mut out.sensor_acc, v, ns, difference(&sensor, &d.sensordata, eps));
        }
    }
    if out.force_vel.is_some() || out.sensor_vel.is_some() {
        for v in 0..nv {
            let centre = d.qvel[v];
            d.qvel[v] += eps;
            let result = run(d, Stage::Pos, &mut nudged);
            d.qvel[v] = centre;
            result?;
            write_row(&mut out.force_vel, v, nv, difference(&force, &nudged, eps));
            write_row(&mut out.sensor_vel, v, ns, difference(&sensor, &d.sensordata, eps));
        }
    }
    if out.force_pos.is_some() || out.sensor_pos.is_some() || out.inertia_pos.is_some() {
        let mut direction = vec![0.0; nv];
        for v in 0..nv {
            direction.fill(0.0);
            direction[v] = 1.0;
            integrate_pos(m, &mut d.qpos, &direction, eps);
            let result = run(d, Stage::None, &mut nudged);
            d.qpos.copy_from_slice(&qpos);
            result?;
            write_row(&mut out.force_pos, v, nv, difference(&force, &nudged, eps));
            write_row(&mut out.sensor_pos, v, ns, difference(&sensor, &d.sensordata, eps));
            write_row(&mut out.inertia_pos, v, m.nM, difference(&inertia, &d.qM, eps));
        }
    }
    Ok(())
}

/// A number of the state.
#[derive(Clone, Copy)]
enum Input {
    Position(usize),
    Velocity(usize),
    Activation(usize),
}

/// Where a step leads: the next state, and the sensors if wanted.
#[derive(Default)]
struct Outcome {
    state: Vec<f64>,
    sensor: Vec<f64>,
}

impl Outcome {
    fn read(&mut self, d: &Data, sensors: bool) {
        self.state.clear();
        for part in [d.qpos.flat(), d.qvel.flat(), d.act.flat()] {
            self.state.extend_from_slice(part);
        }
        self.sensor.clear();
        if sensors {
            self.sensor.extend_from_slice(d.sensordata.flat());
        }
    }
}

/// How inputs are nudged, and whether sensors are looked at.
#[derive(Clone, Copy)]
struct Nudge {
    eps: f64,
    centered: bool,
    sensors: bool,
}

/// Steps from nudged inputs, and their differences.
struct StepDifference<'a, H: Hooks + ?Sized> {
    m: &'a Model,
    d: &'a mut Data,
    hooks: &'a mut H,
    nudge: Nudge,
    /// The inputs, and which parts of the state they are.
    inputs: Vec<f64>,
    parts: i32,
    /// A direction of change of position.
    direction: Vec<f64>,
    base: Outcome,
    plus: Outcome,
    minus: Outcome,
    /// The last difference of states.
    state: Vec<f64>,
    /// The last difference of sensors.
    sensor: Vec<f64>,
}

impl<'a, H: Hooks + ?Sized> StepDifference<'a, H> {
    /// Saves the inputs and makes the step from the present state.
    fn new(
        m: &'a Model,
        d: &'a mut Data,
        nudge: Nudge,
        hooks: &'a mut H,
    ) -> Result<Self, StateError> {
        let sensors = nudge.sensors;
        let mut parts = StateBit::Fullphysics.0 | StateBit::Ctrl.0;
        if !m.opt.disabled(DisableBit::Warmstart) {
            parts |= StateBit::Warmstart.0;
        }
        let mut inputs = vec![0.0; state_size(m, parts)?];
        get_state(m, d, &mut inputs, parts)?;
        let (mut base, plus, minus) = <(Outcome, Outcome, Outcome)>::default();
        step_skip_with(m, d, Stage::None, !sensors, hooks);
        base.read(d, sensors);
        set_state(m, d, &inputs, parts)?;
        let state = vec![0.0; 2 * m.nv + m.na];
        let sensor = vec![0.0; if sensors { m.nsensordata } else { 0 }];
        let direction = vec![0.0; m.nv];
        Ok(Self { m, d, hooks, nudge, inputs, parts, direction, base, plus, minus, state, sensor })
    }

    /// Differences by a control: on one side only if the other is out of range, zero if both are.
    fn control(&mut self, u: ActuatorId) -> Result<(), StateError> {
        let (ctrl, eps) = (self.d.ctrl[u], self.nudge.eps);
        let [lo, hi] = self.m.actuator_ctrlrange[u];
        let within = |x: f64| x >= lo && x <= hi;
        let free = !self.m.actuator_ctrllimited[u].get();
        let forward = free || (within(ctrl) && within(ctrl + eps));
        let backward =
            (self.nudge.centered || !forward) && (free || (within(ctrl - eps) && within(ctrl)));
        if forward {
            self.d.ctrl[u] += eps;
            self.outcome(Stage::Vel, true)?;
        }
        if backward {
            self.d.ctrl[u] -= eps;
            self.outcome(Stage::Vel, false)?;
        }
        self.subtract(forward, backward);
        if forward && backward {
            // MuJoCo 3.5.0 has this one block of its centered derivatives with the sign reversed
            self.sensor.iter_mut().for_each(|x| *x = -*x);
        }
        Ok(())
    }

    /// Differences by a number of the state.
    fn state_input(&mut self, input: Input) -> Result<(), StateError> {
        let skip = match input {
            Input::Position(_) => Stage::None,
            Input::Velocity(_) => Stage::Pos,
            Input::Activation(_) => Stage::Vel,
        };
        self.change(input, self.nudge.eps);
        self.outcome(skip, true)?;
        if self.nudge.centered {
            self.change(input, -self.nudge.eps);
            self.outcome(skip, false)?;
        }
        self.subtract(true, self.nudge.centered);
        Ok(())
    }

    fn change(&mut self, input: Input, by: f64) {
        match input {
            Input::Velocity(k) => self.d.qvel[k] += by,
            Input::Activation(k) => self.d.act[k] += by,
            Input::Position(k) => {
                self.direction.fill(0.0);
                self.direction[k] = 1.0;
                integrate_pos(self.m, &mut self.d.qpos, &self.direction, by);
            }
        }
    }

    /// Steps, keeps the outcome as `plus` or `minus`, and restores the inputs.
    fn outcome(&mut self, skip: Stage, forward: bool) -> Result<(), StateError> {
        step_skip_with(self.m, self.d, skip, !self.nudge.sensors, self.hooks);
        let outcome = if forward { &mut self.plus } else { &mut self.minus };
        outcome.read(self.d, self.nudge.sensors);
        set_state(self.m, self.d, &self.inputs, self.parts)
    }

    /// The difference of the outcomes over the difference of the inputs.
    fn subtract(&mut self, plus: bool, minus: bool) {
        let (from, to, h) = match (plus, minus) {
            (true, true) => (&self.minus, &self.plus, 2.0 * self.nudge.eps),
            (true, false) => (&self.base, &self.plus, self.nudge.eps),
            (false, true) => (&self.minus, &self.base, self.nudge.eps),
            (false, false) => {
                self.state.fill(0.0);
                self.sensor.fill(0.0);
                return;
            }
        };
        assign(&mut self.sensor, difference(&from.sensor, &to.sensor, h));
        let Model { nq, nv, .. } = *self.m;
        if nq == nv {
            assign(&mut self.state, difference(&from.state, &to.state, h));
        } else {
            differentiate_pos(self.m, &mut self.state, h, &from.state, &to.state);
            assign(&mut self.state[nv..], difference(&from.state[nq..], &to.state[nq..], h));
        }
    }
}

/// (to - from) / h
fn difference(from: &[f64], to: &[f64], h: f64) -> impl Iterator<Item = f64> {
    let inv = 1.0 / h;
    from.iter().zip(to).map(move |(a, b)| inv * (b - a))
}

fn assign(out: &mut [f64], values: impl Iterator<Item = f64>) {
    out.iter_mut().zip(values).for_each(|(x, value)| *x = value);
}

fn write_row(
    out: &mut Option<&mut [f64]>,
    row: usize,
    ncol: usize,
    values: impl Iterator<Item = f64>,
) {
    if let Some(out) = out {
        assign(&mut out[row * ncol..(row + 1) * ncol], values);
    }
}

fn write_column(out: &mut Option<&mut [f64]>, column: usize, ncol: usize, values: &[f64]) {
    if let Some(out) = out {
        for (row, value) in values.iter().enumerate() {
            out[row * ncol + column] = *value;
        }
    }
}

fn check_length(
    name: &'static str,
    out: &Option<&mut [f64]>,
    wanted: usize,
) -> Result<(), FiniteDifferenceError> {
    match out {
        Some(out) if out.len() != wanted => {
            Err(FiniteDifferenceError::Length { name, found: out.len(), wanted })
        }
        _ => Ok(()),
    }
}

fn check_inverse_lengths(
    m: &Model,
    out: &InverseJacobians<'_>,
) -> Result<(), FiniteDifferenceError> {
    let (force, sensor) = (m.nv * m.nv, m.nv * m.nsensordata);
    check_length("force_pos", &out.force_pos, force)?;
    check_length("force_vel", &out.force_vel, force)?;
    check_length("force_acc", &out.force_acc, force)?;
    check_length("sensor_pos", &out.sensor_pos, sensor)?;
    check_length("sensor_vel", &out.sensor_vel, sensor)?;
    check_length("sensor_acc", &out.sensor_acc, sensor)?;
    check_length("inertia_pos", &out.inertia_pos, m.nv * m.nM)
}
