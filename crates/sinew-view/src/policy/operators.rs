//! The operators of ONNX that networks for control have.
//!
//! The specification is the ONNX operator reference; attributes that became inputs in later
//! versions are accepted in both places.

use std::collections::HashMap;

use super::proto::{Value, each, floats, integers};
use super::tensor::{NumberKind, Tensor, size};

/// Number of multiplications and copies in one evaluation. A network of three layers with 1024
/// units each needs a third.
const MOST_WORK: usize = 20_000_000;

/// The work that an evaluation may still do.
#[derive(Debug)]
pub(super) struct Budget(usize);

impl Default for Budget {
    fn default() -> Budget {
        Budget(MOST_WORK)
    }
}

impl Budget {
    fn charge(&mut self, work: usize) -> Result<(), String> {
        self.0 = self.0.checked_sub(work).ok_or("the network is too large")?;
        Ok(())
    }
}

#[derive(Clone, Debug)]
enum Attribute {
    Float(f64),
    Int(i64),
    Ints(Vec<i64>),
    Floats(Vec<f64>),
    Tensor(Tensor),
}

/// The attributes of a node by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes(HashMap<String, Attribute>);

impl Attributes {
    /// Reads an `AttributeProto`; attributes of other types are not used by any operator here.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Result<(), String> {
        let (mut name, mut found) = (String::new(), None);
        let (mut ints, mut floats_found) = (Vec::new(), Vec::new());
        each(bytes, |number, value| {
            match (number, value) {
                (1, _) => name = value.text()?,
                (2, Value::Four(b)) => found = Some(Attribute::Float(f32::from_le_bytes(b).into())),
                (3, _) => found = Some(Attribute::Int(value.number()? as i64)),
                (5, _) => found = Some(Attribute::Tensor(Tensor::read(value.bytes()?)?.1)),
                (7, _) => floats(value, &mut floats_found)?,
                (8, _) => integers(value, &mut ints)?,
                _ => {}
            }
            Ok(())
        })?;
        let lists = [
            (!ints.is_empty()).then_some(Attribute::Ints(ints)),
            (!floats_found.is_empty()).then_some(Attribute::Floats(floats_found)),
        ];
        if let Some(attribute) = found.or(lists.into_iter().flatten().next()) {
            self.0.insert(name, attribute);
        }
        Ok(())
    }

    fn float(&self, name: &str, default: f64) -> f64 {
        match self.0.get(name) {
            Some(Attribute::Float(x)) => *x,
            _ => default,
        }
    }

    fn int(&self, name: &str, default: i64) -> i64 {
        match self.0.get(name) {
            Some(Attribute::Int(i)) => *i,
            _ => default,
        }
    }

    fn ints(&self, name: &str) -> Option<Vec<i64>> {
        match self.0.get(name) {
            Some(Attribute::Ints(list)) => Some(list.clone()),
            _ => None,
        }
    }
}

/// A function of one number, with the attribute `alpha` or its default.
fn unary(operator: &str, attributes: &Attributes) -> Option<Box<dyn Fn(f64) -> f64>> {
    let alpha = |default| attributes.float("alpha", default);
    Some(match operator {
        "Abs" => Box::new(f64::abs),
        "Ceil" => Box::new(f64::ceil),
        "Cos" => Box::new(f64::cos),
        "Dropout" | "Identity" => Box::new(|x| x),
        "Elu" => {
            let a = alpha(1.0);
            Box::new(move |x| if x > 0.0 { x } else { a * x.exp_m1() })
        }
        "Exp" => Box::new(f64::exp),
        "Floor" => Box::new(f64::floor),
        "LeakyRelu" => {
            let a = alpha(0.01);
            Box::new(move |x| if x > 0.0 { x } else { a * x })
        }
        "Log" => Box::new(f64::ln),
        "Neg" => Box::new(|x| -x),
        "Not" => Box::new(|x| f64::from(u8::from(x == 0.0))),
        "Reciprocal" => Box::new(f64::recip),
        "Relu" => Box::new(|x| x.max(0.0)),
        "Selu" => {
            // the constants of Klambauer et al., "Self-normalizing neural networks" (2017)
            let (a, g) = (alpha(1.673_263_2), attributes.float("gamma", 1.050_701));
            Box::new(move |x| if x > 0.0 { g * x } else { g * a * x.exp_m1() })
        }
        "Sigmoid" => Box::new(|x| 1.0 / (1.0 + (-x).exp())),
        "Sign" => Box::new(|x| if x == 0.0 { 0.0 } else { x.signum() }),
        "Sin" => Box::new(f64::sin),
        "Softplus" => Box::new(|x| x.max(0.0) + (-x.abs()).exp().ln_1p()),
        "Softsign" => Box::new(|x| x / (1.0 + x.abs())),
        "Sqrt" => Box::new(f64::sqrt),
        "Tanh" => Box::new(f64::tanh),
        _ => return None,
    })
}

/// A function of two numbers; comparisons give 0 or 1.
fn binary(operator: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match operator {
        "Add" | "Sum" => |a, b| a + b,
        "Sub" => |a, b| a - b,
        "Mul" => |a, b| a * b,
        "Div" => |a, b| a / b,
        "Pow" => f64::powf,
        "Min" => |a, b| if a < b || a.is_nan() { a } else { b },
        "Max" => |a, b| if a > b || a.is_nan() { a } else { b },
        "Equal" => |a, b| f64::from(u8::from(a == b)),
        "Greater" => |a, b| f64::from(u8::from(a > b)),
        "GreaterOrEqual" => |a, b| f64::from(u8::from(a >= b)),
        "Less" => |a, b| f64::from(u8::from(a < b)),
        "LessOrEqual" => |a, b| f64::from(u8::from(a <= b)),
        _ => return None,
    })
}

/// Operators that are neither functions of one number nor of two.
const OTHERS: [&str; 21] = [
    "Cast",
    "Clip",
    "Concat",
    "Constant",
    "ConstantOfShape",
    "Expand",
    "Flatten",
    "Gather",
    "Gemm",
    "MatMul",
    "ReduceMean",
    "ReduceSum",
    "Reshape",
    "Shape",
    "Slice",
    "Softmax",
    "Split",
    "Squeeze",
    "Transpose",
    "Unsqueeze",
    "Where",
];

/// Whether an operator can be applied.
pub(super) fn is_known(operator: &str) -> bool {
    unary(operator, &Attributes::default()).is_some()
        || binary(operator).is_some()
        || OTHERS.contains(&operator)
}

/// The inputs of a node, some of which may be absent.
struct Inputs<'a>(&'a [Option<&'a Tensor>]);

impl<'a> Inputs<'a> {
    fn get(&self, k: usize) -> Option<&'a Tensor> {
        self.0.get(k).copied().flatten()
    }

    fn need(&self, k: usize) -> Result<&'a Tensor, String> {
        self.get(k).ok_or_else(|| format!("input {k} is missing"))
    }

    /// Integers of an input, or of an attribute in older files.
    fn list(&self, k: usize, attributes: &Attributes, name: &str) -> Option<Vec<i64>> {
        self.get(k).map(Tensor::integers).or_else(|| attributes.ints(name))
    }
}

/// Applies an operator.
pub(super) fn apply(
    operator: &str,
    inputs: &[Option<&Tensor>],
    attributes: &Attributes,
    budget: &mut Budget,
) -> Result<Vec<Tensor>, String> {
    let given = Inputs(inputs);
    let read: usize = inputs.iter().flatten().map(|tensor| tensor.values.len()).sum();
    budget.charge(read + 1)?;
    if let Some(f) = unary(operator, attributes) {
        let x = given.need(0)?;
        let values = x.values.iter().map(|&x| f(x)).collect();
        return Ok(vec![Tensor::new(x.kind, x.shape.clone(), values)?]);
    }
    if let Some(f) = binary(operator) {
        let mut result = given.need(0)?.clone();
        for k in 1..inputs.len() {
            result = broadcast(&[&result, given.need(k)?], budget, |x| f(x[0], x[1]))?;
        }
        if ["Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"].contains(&operator) {
            result.kind = NumberKind::Integer;
        }
        return Ok(vec![result]);
    }
    if operator == "Split" {
        return split(&given, attributes, budget);
    }
    Ok(vec![match operator {
        "Cast" => {
            let (x, to) = (given.need(0)?, attributes.int("to", 1));
            let kind = NumberKind::of(u64::try_from(to).unwrap_or(0))?;
            Tensor::new(kind, x.shape.clone(), x.values.clone())?
        }
        "Clip" => {
            let bound = |k, name, default| match given.get(k) {
                Some(tensor) => tensor.values.first().copied().unwrap_or(default),
                None => attributes.float(name, default),
            };
            let (x, low) = (given.need(0)?, bound(1, "min", f64::NEG_INFINITY));
            let high = bound(2, "max", f64::INFINITY);
            let values = x.values.iter().map(|&x| if x < low { low } else { x });
            let values = values.map(|x| if x > high { high } else { x }).collect();
            Tensor::new(x.kind, x.shape.clone(), values)?
        }
        "Concat" => concat(inputs, attributes, budget)?,
        "Constant" => constant(attributes)?,
        "ConstantOfShape" => {
            let shape = shape(&given.need(0)?.integers())?;
            let n = size(&shape)?;
            budget.charge(n)?;
            let (kind, value) = match attributes.0.get("value") {
                Some(Attribute::Tensor(t)) => (t.kind, t.values.first().copied().unwrap_or(0.0)),
                _ => (NumberKind::Single, 0.0),
            };
            Tensor::new(kind, shape, vec![value; n])?
        }
        "Expand" => {
            let x = given.need(0)?;
            let shape = shape(&given.need(1)?.integers())?;
            let n = size(&shape)?;
            let zeros = Tensor::new(x.kind, shape, vec![0.0; n])?;
            broadcast(&[x, &zeros], budget, |x| x[0])?
        }
        "Gather" => gather(&given, attributes, budget)?,
        "Gemm" => gemm(&given, attributes, budget)?,
        "MatMul" => matmul(given.need(0)?, given.need(1)?, budget)?,
        "ReduceMean" | "ReduceSum" => reduce(&given, attributes, operator == "ReduceMean", budget)?,
        "Shape" => {
            let sizes: Vec<f64> = given.need(0)?.shape.iter().map(|&n| n as f64).collect();
            Tensor::new(NumberKind::Integer, vec![sizes.len()], sizes)?
        }
        "Slice" => slice(&given, attributes, budget)?,
        "Softmax" => softmax(given.need(0)?, attributes)?,
        "Where" => {
            let [c, a, b] = [given.need(0)?, given.need(1)?, given.need(2)?];
            let mut result =
                broadcast(&[a, b, c], budget, |x| if x[2] != 0.0 { x[0] } else { x[1] })?;
            result.kind = a.kind;
            result
        }
        _ => reshaped(operator, &given, attributes)?,
    }])
}

/// Operators that give the same numbers another shape.
fn reshaped(operator: &str, given: &Inputs<'_>, attributes: &Attributes) -> Result<Tensor, String> {
    Ok(match operator {
        "Flatten" => {
            let x = given.need(0)?;
            let at = axis(attributes.int("axis", 1), x.shape.len() + 1)?;
            let rows: usize = x.shape[..at].iter().product();
            let columns: usize = x.shape[at..].iter().product();
            Tensor::new(x.kind, vec![rows, columns], x.values.clone())?
        }
        "Reshape" => reshape(given.need(0)?, &given.need(1)?.integers())?,
        "Squeeze" => {
            let x = given.need(0)?;
            let axes = axes(given.list(1, attributes, "axes"), x.shape.len())?;
            let goes = |k: usize| axes.as_ref().map_or(x.shape[k] == 1, |axes| axes.contains(&k));
            let kept = (0..x.shape.len()).filter(|&k| !goes(k)).map(|k| x.shape[k]).collect();
            Tensor::new(x.kind, kept, x.values.clone())?
        }
        "Transpose" => transpose(given.need(0)?, attributes)?,
        "Unsqueeze" => {
            let x = given.need(0)?;
            let list = given.list(1, attributes, "axes").ok_or("axes are missing")?;
            let rank = x.shape.len() + list.len();
            size(&vec![1; rank])?;
            let axes = axes(Some(list), rank)?.unwrap_or_default();
            let mut old = x.shape.iter();
            let size = |k| if axes.contains(&k) { Some(1) } else { old.next().copied() };
            Tensor::new(x.kind, (0..rank).filter_map(size).collect(), x.values.clone())?
        }
        _ => return Err("it is not known".into()),
    })
}

/// An axis, counted from the end if it is negative.
fn axis(axis: i64, rank: usize) -> Result<usize, String> {
    let counted = if axis < 0 { axis + rank as i64 } else { axis };
    let found = usize::try_from(counted).ok().filter(|&k| k < rank);
    found.ok_or_else(|| format!("an array of {rank} dimensions has no axis {axis}"))
}

fn axes(list: Option<Vec<i64>>, rank: usize) -> Result<Option<Vec<usize>>, String> {
    list.map(|list| list.into_iter().map(|k| axis(k, rank)).collect()).transpose()
}

fn shape(sizes: &[i64]) -> Result<Vec<usize>, String> {
    let list: Result<Vec<usize>, _> = sizes.iter().map(|&n| usize::try_from(n)).collect();
    list.map_err(|_| "a size is negative".into())
}

/// Numbers of elements before, along and after an axis.
fn spans(shape: &[usize], axis: usize) -> [usize; 3] {
    [shape[..axis].iter().product(), shape[axis], shape[axis + 1..].iter().product()]
}

/// Applies a function to the elements of arrays whose shapes are extended to a common one.
fn broadcast(
    inputs: &[&Tensor],
    budget: &mut Budget,
    f: impl Fn(&[f64]) -> f64,
) -> Result<Tensor, String> {
    let rank = inputs.iter().map(|t| t.shape.len()).max().unwrap_or(0);
    let extent = |t: &Tensor, k: usize| {
        let missing = rank - t.shape.len();
        if k < missing { 1 } else { t.shape[k - missing] }
    };
    let mut shape = vec![1; rank];
    for t in inputs {
        for (k, n) in shape.iter_mut().enumerate() {
            match (*n, extent(t, k)) {
                (1, other) => *n = other,
                (a, b) if a == b || b == 1 => {}
                _ => {
                    let shapes: Vec<_> = inputs.iter().map(|t| t.shape.clone()).collect();
                    return Err(format!("shapes do not fit: {shapes:?}"));
                }
            }
        }
    }
    let n = size(&shape)?;
    budget.charge(n)?;

    // the place of an element in each array
    let place = |t: &Tensor, element: usize| {
        let (mut rest, mut at, mut stride) = (element, 0, 1);
        for k in (0..rank).rev() {
            let own = extent(t, k);
            if own > 1 {
                at += rest % shape[k] * stride;
            }
            rest /= shape[k];
            stride *= own;
        }
        at
    };
    let mut x = vec![0.0; inputs.len()];
    let values = (0..n).map(|element| {
        for (x, t) in x.iter_mut().zip(inputs) {
            *x = t.values[if t.values.len() == n { element } else { place(t, element) }];
        }
        f(&x)
    });
    let values = values.collect();
    Tensor::new(inputs[0].kind, shape, values)
}

fn constant(attributes: &Attributes) -> Result<Tensor, String> {
    let get = |name: &str| attributes.0.get(name);
    let found = get("value").or(get("value_float")).or(get("value_int"));
    match found.or(get("value_floats")).or(get("value_ints")) {
        Some(Attribute::Tensor(tensor)) => Ok(tensor.clone()),
        Some(Attribute::Float(x)) => Tensor::new(NumberKind::Single, vec![], vec![*x]),
        Some(Attribute::Int(i)) => Tensor::new(NumberKind::Integer, vec![], vec![*i as f64]),
        Some(Attribute::Floats(list)) => {
            Tensor::new(NumberKind::Single, vec![list.len()], list.clone())
        }
        Some(Attribute::Ints(list)) => {
            let values = list.iter().map(|&i| i as f64).collect();
            Tensor::new(NumberKind::Integer, vec![list.len()], values)
        }
        None => Err("the value is missing".into()),
    }
}

fn concat(
    inputs: &[Option<&Tensor>],
    attributes: &Attributes,
    budget: &mut Budget,
) -> Result<Tensor, String> {
    let parts: Vec<&Tensor> = inputs.iter().copied().flatten().collect();
    let first = parts.first().ok_or("there is nothing to join")?;
    let at = axis(attributes.int("axis", 0), first.shape.len())?;
    let mut shape = first.shape.clone();
    let others = |t: &Tensor| {
        let mut shape = t.shape.clone();
        (at < shape.len()).then(|| shape.remove(at));
        shape
    };
    if parts.iter().any(|t| t.shape.len() != shape.len() || others(t) != others(first)) {
        let shapes: Vec<_> = parts.iter().map(|t| t.shape.clone()).collect();
        return Err(format!("shapes do not fit: {shapes:?}"));
    }
    shape[at] = parts.iter().map(|t| t.shape[at]).sum();
    let [rows, ..] = spans(&shape, at);
    budget.charge(rows.saturating_mul(parts.len()))?;
    let mut values = Vec::with_capacity(size(&shape)?);
    for row in 0..rows {
        for t in &parts {
            let width = t.values.len() / rows;
            values.extend_from_slice(&t.values[row * width..(row + 1) * width]);
        }
    }
    Tensor::new(first.kind, shape, values)
}

/// The elements along an axis, in an order.
fn pick(x: &Tensor, at: usize, order: &[usize]) -> Result<Tensor, String> {
    let [rows, along, width] = spans(&x.shape, at);
    let mut shape = x.shape.clone();
    shape[at] = order.len();
    let mut values = Vec::with_capacity(size(&shape)?);
    for row in 0..rows {
        for k in order {
            let start = (row * along + k) * width;
            values.extend_from_slice(&x.values[start..start + width]);
        }
    }
    Tensor::new(x.kind, shape, values)
}

fn gather(
    given: &Inputs<'_>,
    attributes: &Attributes,
    budget: &mut Budget,
) -> Result<Tensor, String> {
    let (x, index) = (given.need(0)?, given.need(1)?);
    let at = axis(attributes.int("axis", 0), x.shape.len())?;
    let order: Result<Vec<usize>, String> =
        index.integers().into_iter().map(|i| axis(i, x.shape[at])).collect();
    let order = order.map_err(|_| format!("an index exceeds {}", x.shape[at]))?;
    budget.charge(order.len().saturating_mul(x.values.len() / x.shape[at].max(1)))?;
    let mut picked = pick(x, at, &order)?;
    // the axis is replaced by the shape of the indices
    picked.shape.splice(at..=at, index.shape.iter().copied());
    Tensor::new(picked.kind, picked.shape, picked.values)
}

fn slice(
    given: &Inputs<'_>,
    attributes: &Attributes,
    budget: &mut Budget,
) -> Result<Tensor, String> {
    let mut x = given.need(0)?.clone();
    let starts = given.list(1, attributes, "starts").ok_or("starts are missing")?;
    let ends = given.list(2, attributes, "ends").ok_or("ends are missing")?;
    let rank = x.shape.len();
    let along = axes(given.list(3, attributes, "axes"), rank)?;
    let along = along.unwrap_or_else(|| (0..starts.len().min(rank)).collect());
    let steps = given.get(4).map_or_else(|| vec![1; starts.len()], Tensor::integers);
    if [ends.len(), along.len(), steps.len()].iter().any(|&n| n != starts.len()) {
        return Err("starts, ends, axes and steps differ in number".into());
    }
    for (k, &at) in along.iter().enumerate() {
        let n = x.shape[at] as i64;
        let (step, from) = (steps[k], |i: i64| if i < 0 { i.saturating_add(n) } else { i });
        let order: Vec<usize> = match step {
            0 => return Err("a step is 0".into()),
            1.. => (from(starts[k]).clamp(0, n)..from(ends[k]).clamp(0, n))
                .step_by(step as usize)
                .map(|i| i as usize)
                .collect(),
            _ => {
                let (start, end) = (from(starts[k]).clamp(-1, n - 1), from(ends[k]).clamp(-1, n));
                let back = (end + 1..=start).rev().step_by(step.unsigned_abs() as usize);
                back.map(|i| i as usize).collect()
            }
        };
        budget.charge(x.values.len() + spans(&x.shape, at)[0] + 1)?;
        x = pick(&x, at, &order)?;
    }
    Ok(x)
}

fn split(
    given: &Inputs<'_>,
    attributes: &Attributes,
    budget: &mut Budget,
) -> Result<Vec<Tensor>, String> {
    let x = given.need(0)?;
    let at = axis(attributes.int("axis", 0), x.shape.len())?;
    let n = x.shape[at];
    let parts = usize::try_from(attributes.int("num_outputs", 1)).unwrap_or(1).max(1);
    let even = || (0..n.div_ceil(n.div_ceil(parts).max(1))).map(|_| n.div_ceil(parts) as i64);
    let sizes = shape(&given.list(1, attributes, "split").unwrap_or_else(|| even().collect()))?;
    let mut start = 0_usize;
    let part = |size: usize| {
        let end = start.saturating_add(size).min(n);
        let order: Vec<usize> = (start..end).collect();
        start = end;
        budget.charge(spans(&x.shape, at)[0] + order.len() + 1)?;
        pick(x, at, &order)
    };
    sizes.into_iter().map(part).collect()
}

fn transpose(x: &Tensor, attributes: &Attributes) -> Result<Tensor, String> {
    let rank = x.shape.len();
    let reversed = || (0..rank as i64).rev().collect();
    let order = axes(Some(attributes.ints("perm").unwrap_or_else(reversed)), rank)?;
    let order = order.unwrap_or_default();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..rank) {
        return Err(format!("{order:?} is not an order of {rank} axes"));
    }
    let stride = |k: usize| x.shape[k + 1..].iter().product::<usize>();
    let shape: Vec<usize> = order.iter().map(|&k| x.shape[k]).collect();
    let value = |element: usize| {
        let (mut rest, mut at) = (element, 0);
        for (&k, &n) in order.iter().zip(&shape).rev() {
            at += rest % n * stride(k);
            rest /= n;
        }
        x.values[at]
    };
    Tensor::new(x.kind, shape.clone(), (0..x.values.len()).map(value).collect())
}

fn reshape(x: &Tensor, wanted: &[i64]) -> Result<Tensor, String> {
    let fixed = |(k, &n): (usize, &i64)| match n {
        0 => x.shape.get(k).copied().ok_or("a size is copied that is not there"),
        -1 => Ok(1),
        _ => usize::try_from(n).map_err(|_| "a size is negative"),
    };
    let mut shape = wanted.iter().enumerate().map(fixed).collect::<Result<Vec<_>, _>>()?;
    if let Some(free) = wanted.iter().position(|&n| n == -1) {
        shape[free] = x.values.len() / size(&shape)?.max(1);
    }
    Tensor::new(x.kind, shape, x.values.clone())
}

fn reduce(
    given: &Inputs<'_>,
    attributes: &Attributes,
    mean: bool,
    budget: &mut Budget,
) -> Result<Tensor, String> {
    let mut x = given.need(0)?.clone();
    let rank = x.shape.len();
    let all = || (0..rank).collect();
    let along = axes(given.list(1, attributes, "axes"), rank)?.unwrap_or_else(all);
    for &at in &along {
        let [rows, n, width] = spans(&x.shape, at);
        budget.charge(x.values.len() + rows * width + 1)?;
        let scale = if mean { 1.0 / n.max(1) as f64 } else { 1.0 };
        let sum = |row: usize, k: usize| {
            (0..n).map(|i| x.values[(row * n + i) * width + k]).sum::<f64>() * scale
        };
        let values = (0..rows).flat_map(|row| (0..width).map(move |k| (row, k)));
        let values = values.map(|(row, k)| sum(row, k)).collect();
        let mut shape = x.shape.clone();
        shape[at] = 1;
        x = Tensor::new(x.kind, shape, values)?;
    }
    if attributes.int("keepdims", 1) == 0 {
        let kept = (0..rank).filter(|k| !along.contains(k)).map(|k| x.shape[k]).collect();
        x = Tensor::new(x.kind, kept, x.values)?;
    }
    Ok(x)
}

fn softmax(x: &Tensor, attributes: &Attributes) -> Result<Tensor, String> {
    let at = axis(attributes.int("axis", -1), x.shape.len())?;
    let [rows, n, width] = spans(&x.shape, at);
    let mut values = x.values.clone();
    for (row, k) in (0..rows).flat_map(|row| (0..width).map(move |k| (row, k))) {
        let place = |i: usize| (row * n + i) * width + k;
        let most = (0..n).map(|i| x.values[place(i)]).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = (0..n).map(|i| (x.values[place(i)] - most).exp()).sum();
        for i in 0..n {
            values[place(i)] = (x.values[place(i)] - most).exp() / sum;
        }
    }
    Tensor::new(x.kind, x.shape.clone(), values)
}

/// `alpha A B + beta C`, with either matrix transposed.
fn gemm(
    given: &Inputs<'_>,
    attributes: &Attributes,
    budget: &mut Budget,
) -> Result<Tensor, String> {
    let turned = |k: usize, name: &str| {
        let x = given.need(k)?;
        if x.shape.len() != 2 {
            return Err(format!("{:?} is not the shape of a matrix", x.shape));
        }
        match attributes.int(name, 0) {
            0 => Ok(x.clone()),
            _ => transpose(x, &Attributes::default()),
        }
    };
    let mut product = matmul(&turned(0, "transA")?, &turned(1, "transB")?, budget)?;
    let (alpha, beta) = (attributes.float("alpha", 1.0), attributes.float("beta", 1.0));
    product.values.iter_mut().for_each(|x| *x *= alpha);
    match given.get(2) {
        Some(c) => broadcast(&[&product, c], budget, |x| x[0] + beta * x[1]),
        None => Ok(product),
    }
}

/// The product of rows of any number with a matrix.
fn matmul(a: &Tensor, b: &Tensor, budget: &mut Budget) -> Result<Tensor, String> {
    let (Some((&inner, outer)), [depth, width]) = (a.shape.split_last(), &b.shape[..]) else {
        return Err(format!("shapes do not fit: {:?}, {:?}", a.shape, b.shape));
    };
    let (depth, width) = (*depth, *width);
    if inner != depth {
        return Err(format!("shapes do not fit: {:?}, {:?}", a.shape, b.shape));
    }
    let shape = [outer, &[width]].concat();
    let n = size(&shape)?;
    budget.charge(n.saturating_mul(depth))?;
    let mut values = vec![0.0; n];
    if depth > 0 && width > 0 {
        for (row, out) in a.values.chunks_exact(depth).zip(values.chunks_exact_mut(width)) {
            for (x, line) in row.iter().zip(b.values.chunks_exact(width)) {
                out.iter_mut().zip(line).for_each(|(out, w)| *out += x * w);
            }
        }
    }
    Tensor::new(a.kind, shape, values)
}
