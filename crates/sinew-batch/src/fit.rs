//! System identification: parameters of a model from a recorded trajectory.
//!
//! The recording is cut into segments. Each starts at its recorded state, and its last state is
//! predicted. The errors are r, their derivatives by the values R, and the weights W the inverse
//! mean squares of the errors. A step of Gauss and Newton solves
//!
//! ```text
//! (Rᵀ W R + μ D) step = -Rᵀ W r
//! ```
//!
//! where μ D is the damping of Levenberg and Marquardt. The inverse of Rᵀ W R is the covariance.

use sinew_engine::{Parameter, Rollout};
use sinew_model::Model;
use sinew_model::enums::ObjType;
use sinew_model::pod::bytes_of_mut;

use crate::error::BatchError;
use crate::field::ModelField;
use crate::rollouts::{RolloutGradients, RolloutInputs, Rollouts};

/// A number of a model that is fitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FitEntry {
    /// The field.
    pub parameter: Parameter,
    /// The place among the numbers of the field.
    pub index: usize,
}

/// How parameters are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitOptions {
    /// Steps of a segment.
    pub steps: usize,
    /// Maximum number of iterations.
    pub iterations: usize,
    /// Relative change of the values at which the fit has converged.
    pub tolerance: f64,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions { steps: 10, iterations: 30, tolerance: 1e-8 }
    }
}

/// The result of a fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fit {
    /// The values, in the order of the entries.
    pub values: Vec<f64>,
    /// Their standard deviations; infinite where the recording does not determine them.
    pub deviations: Vec<f64>,
    /// Their covariance, row after row.
    pub covariance: Vec<f64>,
    /// Root mean square of the errors of prediction, for each number of a state.
    pub residual: Vec<f64>,
    /// Number of iterations.
    pub iterations: usize,
    /// Whether the last step changed the values by less than the tolerance.
    pub converged: bool,
}

impl FitEntry {
    /// The entry that a text names: `field:object`, `field:object:column`, or numbers instead of
    /// names, as in `opt.gravity:2`.
    pub fn parse(m: &Model, text: &str) -> Result<FitEntry, String> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let Some(parameter) = Parameter::from_name(name) else {
            let known = Parameter::ALL.map(Parameter::name).join(", ");
            return Err(format!("no gradients by '{name}'; there are {known}"));
        };
        let (rows, columns) = shape(m, parameter);
        let place = |part: &str, size: usize| {
            let at: isize = part.parse().ok()?;
            let at = if at < 0 { at + size as isize } else { at };
            usize::try_from(at).ok().filter(|&at| at < size)
        };
        let wrong = || format!("'{text}' is no number of {name}, of shape ({rows}, {columns})");
        let row = match parts.next() {
            None if rows == 1 => 0,
            None => return Err(wrong()),
            Some(part) => match place(part, rows) {
                Some(row) => row,
                None if part.parse::<isize>().is_ok() => return Err(wrong()),
                None => row_of(m, parameter, part)
                    .ok_or_else(|| format!("'{text}': there is no object '{part}' with {name}"))?,
            },
        };
        let column = match parts.next() {
            None if columns == 1 => 0,
            None => return Err(wrong()),
            Some(part) => place(part, columns).ok_or_else(wrong)?,
        };
        match parts.next() {
            None => Ok(FitEntry { parameter, index: row * columns + column }),
            Some(_) => Err(wrong()),
        }
    }
}

/// Rows and columns of a field.
fn shape(m: &Model, parameter: Parameter) -> (usize, usize) {
    let columns = match parameter {
        Parameter::BodyIpos | Parameter::BodyInertia => 3,
        Parameter::ActuatorGainprm | Parameter::ActuatorBiasprm => 10,
        _ => 1,
    };
    (parameter.len(m) / columns, columns)
}

/// The row of a named object; of a joint with several dofs, the first.
fn row_of(m: &Model, parameter: Parameter, name: &str) -> Option<usize> {
    let of = |kind| m.name2id(kind, name);
    match parameter {
        Parameter::BodyMass | Parameter::BodyIpos | Parameter::BodyInertia => of(ObjType::Body),
        Parameter::DofDamping | Parameter::DofArmature | Parameter::DofFrictionloss => {
            of(ObjType::Joint).map(|j| m.jnt_dofadr[j].idx())
        }
        Parameter::JntStiffness => of(ObjType::Joint),
        Parameter::TendonFrictionloss => of(ObjType::Tendon),
        Parameter::ActuatorGainprm | Parameter::ActuatorBiasprm => of(ObjType::Actuator),
        _ => None,
    }
}

impl Rollouts {
    /// Fits parameters of a model to a recording.
    ///
    /// `state` has `qpos`, `qvel` and `act` before the first step and after every step, a row for
    /// each; `ctrl` has a row for every step. The entries start at the values of the model.
    pub fn fit(
        &mut self,
        m: &Model,
        state: &[f64],
        ctrl: &[f64],
        entries: &[FitEntry],
        options: &FitOptions,
    ) -> Result<Fit, BatchError> {
        let problem = Problem::new(m, state, ctrl, entries, options)?;
        let mut values = problem.start();
        let mut residual = problem.residual(self, &values)?;
        let mut out = Fit::default();
        let mut damping = 1e-6;
        for iteration in 1..=options.iterations {
            out.iterations = iteration;
            let weights = problem.weights(&residual);
            let jacobian = problem.jacobian(self, &values)?;
            let (normal, gradient) = problem.normal(&jacobian, &residual, &weights);
            let before = problem.squares(&residual, &weights);
            let mut change = 0.0;
            for _ in 0..TRIES {
                let step = damped_step(&normal, &gradient, damping);
                let moved: Vec<f64> = values.iter().zip(&step).map(|(x, dx)| x + dx).collect();
                // the states may go bad at these values
                let found = problem.residual(self, &moved).ok();
                let better = found.filter(|found| problem.squares(found, &weights) <= before);
                if let Some(found) = better {
                    change = values
                        .iter()
                        .zip(&step)
                        .fold(0.0, |most: f64, (x, dx)| most.max(dx.abs() / (x.abs() + 1e-3)));
                    (values, residual) = (moved, found);
                    damping = (damping / 10.0).max(1e-12);
                    break;
                }
                damping = (10.0 * damping).max(1e-9);
            }
            if change < options.tolerance {
                out.converged = true;
                break;
            }
        }

        // the covariance of the values
        let weights = problem.weights(&residual);
        let jacobian = problem.jacobian(self, &values)?;
        let (normal, _) = problem.normal(&jacobian, &residual, &weights);
        out.covariance = inverse(&normal, values.len());
        let diagonal = (0..values.len()).map(|k| out.covariance[k * (values.len() + 1)].sqrt());
        out.deviations = diagonal.collect();
        out.residual = problem.mean_squares(&residual).into_iter().map(f64::sqrt).collect();
        out.values = values;
        Ok(out)
    }
}

/// How often the damping is raised until a step lowers the sum of squares.
const TRIES: usize = 12;

/// Predictions of the segments of a recording.
struct Problem<'a> {
    m: &'a Model,
    entries: &'a [FitEntry],
    /// The fields of the entries, each once, with their values in the model.
    base: Vec<(Parameter, Vec<f64>)>,
    len: usize,
    steps: usize,
    segments: usize,
    /// The states before and after each segment, and its controls.
    start: Vec<f64>,
    after: Vec<f64>,
    ctrl: Vec<f64>,
}

impl<'a> Problem<'a> {
    fn new(
        m: &'a Model,
        state: &[f64],
        ctrl: &[f64],
        entries: &'a [FitEntry],
        options: &FitOptions,
    ) -> Result<Problem<'a>, BatchError> {
        let (len, steps) = (Rollout::state_len(m), options.steps.max(1));
        let count = (state.len() / len.max(1)).saturating_sub(1);
        let length = |what, found, wanted| {
            if found == wanted { Ok(()) } else { Err(BatchError::Length { what, found, wanted }) }
        };
        length("state", state.len(), (count + 1) * len)?;
        length("ctrl", ctrl.len(), count * m.nu)?;
        if count < steps || entries.is_empty() {
            return Err(BatchError::Empty);
        }
        let mut base: Vec<(Parameter, Vec<f64>)> = Vec::new();
        let mut model = m.clone();
        for entry in entries {
            if base.iter().all(|(parameter, _)| *parameter != entry.parameter) {
                let mut values = vec![0.0; entry.parameter.len(m)];
                let field = ModelField::find(entry.parameter.name())?;
                field.store(&mut model, bytes_of_mut(&mut values));
                base.push((entry.parameter, values));
            }
        }
        let segments = count / steps;
        let rows = |first: usize| {
            let segment = move |k: usize| (first + k * steps) * len;
            (0..segments).flat_map(move |k| state[segment(k)..segment(k) + len].iter().copied())
        };
        Ok(Problem {
            m,
            entries,
            base,
            len,
            steps,
            segments,
            start: rows(0).collect(),
            after: rows(steps).collect(),
            ctrl: ctrl[..segments * steps * m.nu].to_vec(),
        })
    }

    /// The place of an entry: its field, and the number there.
    fn place(&self, entry: &FitEntry) -> (usize, usize) {
        let field = self.base.iter().position(|(parameter, _)| *parameter == entry.parameter);
        (field.unwrap_or(0), entry.index)
    }

    fn start(&self) -> Vec<f64> {
        let value = |entry| {
            let (field, index) = self.place(entry);
            self.base[field].1[index]
        };
        self.entries.iter().map(value).collect()
    }

    /// The fields with some values, for a number of worlds.
    fn params(&self, values: &[f64], worlds: usize) -> Vec<(Parameter, Vec<f64>)> {
        let mut params = self.base.clone();
        for (entry, value) in self.entries.iter().zip(values) {
            let (field, index) = self.place(entry);
            params[field].1[index] = *value;
        }
        params.into_iter().map(|(p, values)| (p, values.repeat(worlds))).collect()
    }

    /// Prediction minus recording at the ends of the segments, a row for each.
    fn residual(&self, rollouts: &mut Rollouts, values: &[f64]) -> Result<Vec<f64>, BatchError> {
        let params = self.params(values, self.segments);
        let params: Vec<_> = params.iter().map(|(p, x)| (*p, &x[..])).collect();
        let inputs = RolloutInputs {
            worlds: self.segments,
            steps: self.steps,
            start: &self.start,
            ctrl: &self.ctrl,
            params: &params,
        };
        let width = self.steps * self.len;
        let mut states = vec![0.0; self.segments * width];
        rollouts.run(self.m, &inputs, &mut states)?;
        let ends = states.chunks_exact(width).flat_map(|row| &row[width - self.len..]);
        Ok(ends.zip(&self.after).map(|(a, b)| a - b).collect())
    }

    /// Derivatives of the residual by the values: a row for every number of every segment.
    fn jacobian(&self, rollouts: &mut Rollouts, values: &[f64]) -> Result<Vec<f64>, BatchError> {
        // a world for every number of the last states
        let (n, worlds, width) = (self.len, self.segments * self.len, self.steps * self.len);
        let repeat = |rows: &[f64], width: usize| -> Vec<f64> {
            rows.chunks_exact(width.max(1)).flat_map(|row| row.repeat(n)).collect()
        };
        let (start, ctrl) = (repeat(&self.start, n), repeat(&self.ctrl, self.steps * self.m.nu));
        let params = self.params(values, worlds);
        let params: Vec<_> = params.iter().map(|(p, x)| (*p, &x[..])).collect();
        let inputs = RolloutInputs {
            worlds,
            steps: self.steps,
            start: &start,
            ctrl: &ctrl,
            params: &params,
        };
        let mut by_states = vec![0.0; worlds * width];
        for world in 0..worlds {
            by_states[(world + 1) * width - n + world % n] = 1.0;
        }
        let (mut by_start, mut by_ctrl) = (vec![0.0; start.len()], vec![0.0; ctrl.len()]);
        let mut gradients: Vec<Vec<f64>> = params.iter().map(|(_, x)| vec![0.0; x.len()]).collect();
        let mut slices: Vec<&mut [f64]> = gradients.iter_mut().map(|x| &mut x[..]).collect();
        let out =
            RolloutGradients { start: &mut by_start, ctrl: &mut by_ctrl, params: &mut slices };
        rollouts.vjp(self.m, &inputs, &by_states, out)?;
        let mut rows = Vec::with_capacity(worlds * values.len());
        for world in 0..worlds {
            rows.extend(self.entries.iter().map(|entry| {
                let (field, index) = self.place(entry);
                gradients[field][world * self.base[field].1.len() + index]
            }));
        }
        Ok(rows)
    }

    /// The mean square of every number of a state.
    fn mean_squares(&self, residual: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.len];
        for row in residual.chunks_exact(self.len) {
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x * x);
        }
        sums.iter().map(|sum| sum / self.segments as f64).collect()
    }

    /// Numbers that are predicted exactly count no more than rounding lets them.
    fn weights(&self, residual: &[f64]) -> Vec<f64> {
        let squares = self.mean_squares(residual);
        let least = squares.iter().fold(1e-12, |most: f64, x| most.max(*x)) * 1e-12;
        squares.iter().map(|x| 1.0 / x.max(least)).collect()
    }

    fn squares(&self, residual: &[f64], weights: &[f64]) -> f64 {
        let weights = weights.iter().cycle();
        residual.iter().zip(weights).map(|(x, w)| w * x * x).sum()
    }

    /// Rᵀ W R and Rᵀ W r.
    fn normal(&self, jacobian: &[f64], residual: &[f64], weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let k = self.entries.len();
        let (mut normal, mut gradient) = (vec![0.0; k * k], vec![0.0; k]);
        let rows = jacobian.chunks_exact(k).zip(residual).zip(weights.iter().cycle());
        for ((row, x), w) in rows {
            for i in 0..k {
                gradient[i] += w * row[i] * x;
                for j in 0..k {
                    normal[i * k + j] += w * row[i] * row[j];
                }
            }
        }
        (normal, gradient)
    }
}

/// The step of Levenberg and Marquardt.
fn damped_step(normal: &[f64], gradient: &[f64], damping: f64) -> Vec<f64> {
    let k = gradient.len();
    let mut damped = normal.to_vec();
    for i in 0..k {
        damped[i * (k + 1)] = (1.0 + damping) * normal[i * (k + 1)].max(1e-300);
    }
    let inverse = inverse(&damped, k);
    let product = |row: &[f64]| -row.iter().zip(gradient).map(|(a, g)| a * g).sum::<f64>();
    let step: Vec<f64> = inverse.chunks_exact(k).map(product).collect();
    if step.iter().all(|x| x.is_finite()) { step } else { vec![0.0; k] }
}

/// The inverse of a symmetric matrix, scaled to a unit diagonal first. Directions that the matrix
/// does not determine have infinite numbers on the diagonal.
fn inverse(matrix: &[f64], k: usize) -> Vec<f64> {
    let scale: Vec<f64> = (0..k).map(|i| 1.0 / matrix[i * (k + 1)].max(1e-300).sqrt()).collect();
    let mut left: Vec<f64> =
        (0..k * k).map(|at| matrix[at] * scale[at / k] * scale[at % k]).collect();
    let mut right: Vec<f64> = (0..k * k).map(|at| f64::from(at / k == at % k)).collect();
    let mut bound = vec![true; k];
    for _ in 0..k {
        // the largest pivot that is left
        let left_at = |i: &usize| left[i * (k + 1)];
        let free = (0..k).filter(|&i| bound[i]);
        let Some(p) = free.max_by(|a, b| left_at(a).total_cmp(&left_at(b))) else { break };
        let pivot = left[p * (k + 1)];
        if pivot < SINGULAR {
            break;
        }
        bound[p] = false;
        for list in [&mut left, &mut right] {
            list[p * k..(p + 1) * k].iter_mut().for_each(|x| *x /= pivot);
        }
        for i in (0..k).filter(|&i| i != p) {
            let share = left[i * k + p];
            for list in [&mut left, &mut right] {
                for j in 0..k {
                    list[i * k + j] -= share * list[p * k + j];
                }
            }
        }
    }
    for i in (0..k).filter(|&i| bound[i]) {
        right[i * (k + 1)] = f64::INFINITY;
    }
    (0..k * k).map(|at| right[at] * scale[at / k] * scale[at % k]).collect()
}

/// Pivots of a matrix with a unit diagonal below this are rounding.
const SINGULAR: f64 = 1e-13;

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const ARM: &str = "<mujoco><option timestep='.005'/>
      <worldbody><body name='upper'><joint name='shoulder' axis='0 1 0' damping='.1'/>
        <geom size='.05' fromto='0 0 0 .3 0 0' type='capsule' mass='1'/>
        <body name='fore' pos='.3 0 0'><joint name='elbow' axis='0 1 0' damping='.05'/>
          <geom size='.04' fromto='0 0 0 .25 0 0' type='capsule' mass='.5' contype='0'/></body>
      </body></worldbody>
      <actuator><motor name='push' joint='shoulder' gear='2'/></actuator></mujoco>";

    fn arm() -> Model {
        sinew_mjcf::load_str(ARM, &Default::default(), &Default::default()).unwrap().model
    }

    #[test]
    fn parameters_are_found() {
        let mut m = arm();
        let names = ["body_mass:fore", "dof_damping:elbow", "opt.gravity:2"];
        let entries = names.map(|name| FitEntry::parse(&m, name).unwrap());
        let (mass, damping) = (m.body_mass[2], m.dof_damping[1]);
        (m.body_mass[2], m.dof_damping[1]) = (1.2 * mass, 0.7 * damping);
        let ctrl: Vec<f64> = (0..200).map(|k| (0.1 * f64::from(k)).sin()).collect();
        let mut rollouts = Rollouts::new(1).unwrap();
        let mut state = vec![0.0; 4 * 201];
        let inputs =
            RolloutInputs { worlds: 1, steps: 200, start: &[0.0; 4], ctrl: &ctrl, params: &[] };
        rollouts.run(&m, &inputs, &mut state[4..]).unwrap();

        let wanted = [m.body_mass[2], m.dof_damping[1], m.opt.gravity.z];
        let found = rollouts.fit(&arm(), &state, &ctrl, &entries, &FitOptions::default()).unwrap();
        assert!(found.converged);
        for (value, wanted) in found.values.iter().zip(wanted) {
            assert!((value - wanted).abs() < 1e-6 * wanted.abs(), "{value} instead of {wanted}");
        }
    }

    #[test]
    fn names_that_are_wrong_are_errors() {
        let m = arm();
        for (name, text) in [
            ("body_pos:1", "no gradients by 'body_pos'"),
            ("body_mass", "is no number of body_mass"),
            ("body_mass:9", "is no number of body_mass"),
            ("body_mass:hand", "there is no object 'hand'"),
            ("actuator_gainprm:push", "is no number"),
        ] {
            let error = FitEntry::parse(&m, name).unwrap_err();
            assert!(error.contains(text), "{error}");
        }
        assert_eq!(FitEntry::parse(&m, "actuator_gainprm:push:-1").unwrap().index, 9);
    }

    #[test]
    fn what_is_not_determined_has_no_deviation() {
        let found = inverse(&[2.0, 0.0, 0.0, 0.0], 2);
        assert_eq!(found[0], 0.5);
        assert!(found[3].is_infinite());
    }
}
