//! Policies that drive a robot: networks in ONNX files, from the state to the controls.
//!
//! The inputs of a network are named after the fields of the state that they take, such as `qpos`.
//! [`INPUTS`] lists them. The output `ctrl` is the controls. An output `next` is the input `last`
//! at the next decision.
//!
//! The file's metadata may have the key `sinew.period`, the time between decisions in seconds, by
//! default a step. The key `sinew.commands` names the numbers of the input `command`, with their
//! ranges, as JSON: `[["forward", -0.5, 1.0]]`.
//!
//! A file is data of a stranger. Sizes and work are bounded, loops are not supported, and no other
//! file is read.

use std::collections::HashMap;

use serde_json::Value;
use sinew_model::{Data, Model};

use crate::widgets::{WidgetId, Widgets};

mod graph;
mod operators;
mod proto;
mod tensor;

use graph::Graph;
use tensor::{Tensor, size};

/// Maximum size of a file in bytes.
pub const MAX_POLICY: usize = 64 << 20;
/// Maximum number of commands.
const MAX_COMMANDS: usize = 16;
/// Names of inputs: fields of the state, the user's commands, and the network's own memory.
pub const INPUTS: [&str; 10] =
    ["time", "qpos", "qvel", "act", "ctrl", "sensordata", "xpos", "site_xpos", "command", "last"];

/// A command: its name and its range.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// Name for the user.
    pub name: String,
    /// Lowest and highest value.
    pub range: [f64; 2],
}

/// A network that drives a robot.
#[derive(Clone, Debug)]
pub struct Policy {
    graph: Graph,
    period: Option<f64>,
    commands: Vec<Command>,
}

impl Policy {
    /// Reads an ONNX file. The error names the part that is not supported.
    pub fn read(bytes: &[u8]) -> Result<Policy, String> {
        if bytes.len() > MAX_POLICY {
            return Err(format!("it has {} bytes, more than {MAX_POLICY}", bytes.len()));
        }
        let graph = Graph::read(bytes)?;
        if let Some(input) = graph.inputs.iter().find(|i| !INPUTS.contains(&i.name.as_str())) {
            return Err(format!(
                "its input '{}' is no field of the state ({}); `python -m sinew.gym.ppo` writes a \
                 file drive.onnx for the viewer",
                input.name,
                INPUTS.join(", ")
            ));
        }
        if !graph.outputs.iter().any(|name| name == "ctrl") {
            return Err(format!("its outputs are {}, and none is ctrl", graph.outputs.join(", ")));
        }
        let period = match graph.metadata.get("sinew.period") {
            Some(text) => Some(text.parse().ok().filter(|&t: &f64| t > 0.0).ok_or_else(|| {
                format!("sinew.period is '{}', not a time in seconds", clipped(text))
            })?),
            None => None,
        };
        let commands = match graph.metadata.get("sinew.commands") {
            Some(text) => commands(text).ok_or_else(|| {
                format!("sinew.commands is not a list of names and ranges: '{}'", clipped(text))
            })?,
            None => Vec::new(),
        };
        Ok(Policy { graph, period, commands })
    }

    /// The commands that the network follows.
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// Computes the controls of a state once. The error says why the policy does not fit the model.
    pub fn fits(&self, m: &Model, d: &Data) -> Result<(), String> {
        let command = vec![0.0; self.commands.len()];
        self.decide(m, d, &mut Memory { command, last: Vec::new() }).map(drop)
    }

    /// The controls for a state, after which `more` has the network's new memory.
    fn decide(&self, m: &Model, d: &Data, more: &mut Memory) -> Result<Vec<f64>, String> {
        let mut inputs = HashMap::new();
        for input in &self.graph.inputs {
            let wanted = size(&input.shape)?;
            let mut values = numbers(&input.name, d, more);
            if input.name == "last" && values.is_empty() {
                values = vec![0.0; wanted];
            }
            if values.len() != wanted {
                return Err(format!(
                    "it takes {wanted} numbers of {}, and the model has {}",
                    input.name,
                    values.len()
                ));
            }
            let tensor = Tensor::new(input.kind, input.shape.clone(), values)?;
            inputs.insert(input.name.as_str(), tensor);
        }
        let outputs = self.graph.run(inputs)?;
        let mut ctrl = Vec::new();
        for (name, tensor) in self.graph.outputs.iter().zip(outputs) {
            match name.as_str() {
                "ctrl" => ctrl = tensor.values,
                "next" => more.last = tensor.values,
                _ => {}
            }
        }
        if ctrl.len() != m.nu {
            return Err(format!("it gives {} controls, and the model has {}", ctrl.len(), m.nu));
        }
        Ok(ctrl)
    }
}

/// The numbers of an input.
fn numbers(name: &str, d: &Data, more: &Memory) -> Vec<f64> {
    match name {
        "time" => vec![d.time],
        "qpos" => d.qpos.flat().to_vec(),
        "qvel" => d.qvel.flat().to_vec(),
        "act" => d.act.to_vec(),
        "ctrl" => d.ctrl.flat().to_vec(),
        "sensordata" => d.sensordata.to_vec(),
        "xpos" => d.xpos.flat().to_vec(),
        "site_xpos" => d.site_xpos.flat().to_vec(),
        "command" => more.command.clone(),
        _ => more.last.clone(),
    }
}

/// The commands in a JSON text.
fn commands(text: &str) -> Option<Vec<Command>> {
    let value: Value = serde_json::from_str(text).ok()?;
    let command = |entry: &Value| {
        let number = |k: usize| entry[k].as_f64().filter(|x| x.is_finite());
        let range = [number(1)?, number(2)?];
        let name = entry[0].as_str()?.to_owned();
        (range[0] < range[1]).then_some(Command { name, range })
    };
    value.as_array().filter(|list| list.len() <= MAX_COMMANDS)?.iter().map(command).collect()
}

fn clipped(text: &str) -> String {
    text.chars().take(60).collect()
}

/// Inputs of a network besides the state.
#[derive(Clone, Debug, Default)]
struct Memory {
    command: Vec<f64>,
    last: Vec<f64>,
}

/// A policy that drives a simulation, with the sliders of its commands.
#[derive(Debug)]
pub(crate) struct Driver {
    policy: Policy,
    sliders: Vec<WidgetId>,
    memory: Memory,
    /// Times of the last and of the next decision.
    decided: Option<[f64; 2]>,
}

impl Driver {
    /// Starts to drive a model; the error says why the policy does not fit it.
    pub(crate) fn new(policy: Policy, m: &Model, d: &Data) -> Result<Driver, String> {
        // a first evaluation finds the faults, because sizes seldom depend on the numbers
        policy.fits(m, d)?;
        Ok(Driver { policy, sliders: Vec::new(), memory: Memory::default(), decided: None })
    }

    /// The sliders of the commands, which rest at 0 or at the nearest possible value.
    pub(crate) fn add_sliders(&mut self) -> Widgets {
        let mut widgets = Widgets::new("Commands");
        let sliders = self.policy.commands.iter();
        self.sliders = sliders.map(|c| widgets.add_slider(&c.name, c.range, 0.0)).collect();
        widgets.steer();
        widgets
    }

    /// Reads the sliders.
    pub(crate) fn listen(&mut self, widgets: &Widgets) {
        self.memory.command = self.sliders.iter().map(|&id| widgets.number(id)).collect();
    }

    /// Sets the controls if a decision is due; before a step.
    pub(crate) fn drive(&mut self, m: &Model, d: &mut Data) {
        let period = self.policy.period.unwrap_or(m.opt.timestep);
        let half = 0.5 * m.opt.timestep;
        match self.decided {
            Some([last, next]) if d.time >= last - half && d.time < next - half => return,
            // after a reset the network starts anew
            Some([last, _]) if d.time < last - half => self.memory.last.clear(),
            _ => {}
        }
        self.decided = Some([d.time, d.time + period]);
        // the first evaluation had no fault; controls stay in the rare case of a later one
        if let Ok(ctrl) = self.policy.decide(m, d, &mut self.memory) {
            let finite = |(old, new): (&f64, f64)| if new.is_finite() { new } else { *old };
            let ctrl: Vec<f64> = d.ctrl.iter().zip(ctrl).map(finite).collect();
            d.ctrl.copy_from_slice(&ctrl);
        }
    }
}

#[cfg(test)]
mod tests;
