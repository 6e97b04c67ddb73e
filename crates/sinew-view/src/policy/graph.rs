//! An ONNX graph: its nodes in order, its weights, inputs and outputs.

use std::collections::HashMap;

use super::operators::{self, Attributes, Budget};
use super::proto::each;
use super::tensor::{NumberKind, Tensor};

/// Maximum number of nodes.
const MAX_NODES: usize = 10_000;
/// Maximum number of values in all weights together.
const MAX_WEIGHTS: usize = 1 << 24;

#[derive(Clone, Debug, Default)]
struct Node {
    operator: String,
    inputs: Vec<String>,
    outputs: Vec<String>,
    attributes: Attributes,
}

/// An input: its name, its kind of numbers and its shape, in which 1 stands for an open size.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) name: String,
    pub(super) kind: NumberKind,
    pub(super) shape: Vec<usize>,
}

/// A graph of operators.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    weights: HashMap<String, Tensor>,
    pub(super) inputs: Vec<Input>,
    pub(super) outputs: Vec<String>,
    /// Keys and values that the exporting program added.
    pub(super) metadata: HashMap<String, String>,
}

impl Graph {
    /// Reads a `ModelProto`. The error names the part that is not supported.
    pub(super) fn read(bytes: &[u8]) -> Result<Graph, String> {
        let mut graph = Graph::default();
        let mut found = false;
        each(bytes, |number, value| {
            match number {
                7 => {
                    found = true;
                    graph.read_graph(value.bytes()?)?;
                }
                14 => {
                    let (mut key, mut text) = (String::new(), String::new());
                    each(value.bytes()?, |number, value| {
                        match number {
                            1 => key = value.text()?,
                            2 => text = value.text()?,
                            _ => {}
                        }
                        Ok(())
                    })?;
                    graph.metadata.insert(key, text);
                }
                _ => {}
            }
            Ok(())
        })?;
        if !found {
            return Err("it is not an ONNX file".into());
        }
        // old files list weights as inputs too
        let Graph { inputs, weights, .. } = &mut graph;
        inputs.retain(|input| !weights.contains_key(&input.name));
        Ok(graph)
    }

    fn read_graph(&mut self, bytes: &[u8]) -> Result<(), String> {
        let mut count = 0;
        each(bytes, |number, value| {
            match number {
                1 if self.nodes.len() >= MAX_NODES => {
                    return Err(format!("it has more than {MAX_NODES} nodes"));
                }
                1 => self.nodes.push(node(value.bytes()?)?),
                5 => {
                    let (name, tensor) = Tensor::read(value.bytes()?)?;
                    count += tensor.values.len();
                    if count > MAX_WEIGHTS {
                        return Err(format!("it has more than {MAX_WEIGHTS} weights"));
                    }
                    self.weights.insert(name, tensor);
                }
                11 => self.inputs.push(input(value.bytes()?)?),
                12 => self.outputs.push(input(value.bytes()?)?.name),
                _ => {}
            }
            Ok(())
        })
    }

    /// Computes the outputs.
    pub(super) fn run(&self, inputs: HashMap<&str, Tensor>) -> Result<Vec<Tensor>, String> {
        let mut computed: HashMap<&str, Tensor> = inputs;
        let mut budget = Budget::default();
        for node in &self.nodes {
            let about = |why: String| format!("{}: {why}", node.operator);
            let find = |name: &String| match computed.get(name.as_str()) {
                // an optional input that is not given
                _ if name.is_empty() => Ok(None),
                Some(tensor) => Ok(Some(tensor)),
                None => match self.weights.get(name) {
                    Some(tensor) => Ok(Some(tensor)),
                    None => Err(about(format!("'{name}' is not computed before"))),
                },
            };
            let given = node.inputs.iter().map(find).collect::<Result<Vec<_>, _>>()?;
            let result = operators::apply(&node.operator, &given, &node.attributes, &mut budget);
            let results = result.map_err(about)?;
            for (name, tensor) in node.outputs.iter().zip(results) {
                computed.insert(name, tensor);
            }
        }
        let output = |name: &String| {
            let tensor = computed.get(name.as_str()).or_else(|| self.weights.get(name));
            tensor.cloned().ok_or_else(|| format!("the output '{name}' is not computed"))
        };
        self.outputs.iter().map(output).collect()
    }
}

/// Reads a `NodeProto`.
fn node(bytes: &[u8]) -> Result<Node, String> {
    let mut node = Node::default();
    each(bytes, |number, value| {
        match number {
            1 => node.inputs.push(value.text()?),
            2 => node.outputs.push(value.text()?),
            4 => node.operator = value.text()?,
            5 => node.attributes.read(value.bytes()?)?,
            7 if !value.bytes()?.is_empty() && value.bytes()? != b"ai.onnx" => {
                return Err(format!("operators of '{}' are not known", value.text()?));
            }
            _ => {}
        }
        Ok(())
    })?;
    if !operators::is_known(&node.operator) {
        return Err(format!("the operator {} is not known", node.operator));
    }
    Ok(node)
}

/// Reads a `ValueInfoProto` of a tensor.
fn input(bytes: &[u8]) -> Result<Input, String> {
    let mut input = Input { name: String::new(), kind: NumberKind::Single, shape: Vec::new() };
    each(bytes, |number, value| {
        match number {
            1 => input.name = value.text()?,
            2 => each(value.bytes()?, |number, value| match number {
                1 => tensor_type(value.bytes()?, &mut input),
                // a word about the meaning
                6 => Ok(()),
                _ => Err("an input is not an array".into()),
            })?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(input)
}

fn tensor_type(bytes: &[u8], input: &mut Input) -> Result<(), String> {
    each(bytes, |number, value| {
        match number {
            1 => input.kind = NumberKind::of(value.number()?)?,
            2 => each(value.bytes()?, |_, dimension| {
                let mut size = 1;
                each(dimension.bytes()?, |number, value| {
                    if number == 1 {
                        size =
                            usize::try_from(value.number()?).map_err(|_| "a size is too large")?;
                    }
                    Ok(())
                })?;
                input.shape.push(size);
                super::tensor::size(&input.shape).map(drop)
            })?,
            _ => {}
        }
        Ok(())
    })
}
