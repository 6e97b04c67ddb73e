//! Arrays of numbers with a shape.

use super::proto::{Value, doubles, each, floats, integers};

/// Maximum number of values in an array.
pub(super) const MAX_VALUES: usize = 1 << 22;
/// Maximum number of dimensions.
const MAX_RANK: usize = 8;

/// The kind of numbers; sums and products are computed in double precision and then rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberKind {
    Single,
    Double,
    Integer,
}

impl NumberKind {
    /// The kind of a number in `TensorProto.DataType`.
    pub(super) fn of(number: u64) -> Result<NumberKind, String> {
        match number {
            1 => Ok(NumberKind::Single),
            11 => Ok(NumberKind::Double),
            // int32, int64 and bool
            6 | 7 | 9 => Ok(NumberKind::Integer),
            _ => Err(format!("numbers of ONNX's type {number} are not known")),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tensor {
    pub(super) kind: NumberKind,
    pub(super) shape: Vec<usize>,
    pub(super) values: Vec<f64>,
}

/// The number of values of a shape, which is bounded; so are all sizes of an array without values.
pub(super) fn size(shape: &[usize]) -> Result<usize, String> {
    let product = shape.iter().try_fold(1_usize, |n, &size| n.checked_mul(size.max(1)));
    match product.filter(|&n| n <= MAX_VALUES && shape.len() <= MAX_RANK) {
        Some(_) => Ok(shape.iter().product()),
        None => Err(format!("an array has the shape {shape:?}, which is too large")),
    }
}

impl Tensor {
    /// An array of numbers rounded to their kind; an error if the shape does not fit.
    pub(super) fn new(
        kind: NumberKind,
        shape: Vec<usize>,
        mut values: Vec<f64>,
    ) -> Result<Tensor, String> {
        if size(&shape)? != values.len() {
            return Err(format!("{} numbers do not have the shape {shape:?}", values.len()));
        }
        match kind {
            NumberKind::Single => values.iter_mut().for_each(|x| *x = f64::from(*x as f32)),
            NumberKind::Integer => values.iter_mut().for_each(|x| *x = x.trunc()),
            NumberKind::Double => {}
        }
        Ok(Tensor { kind, shape, values })
    }

    /// The integers of an array, as axes and shapes are given.
    pub(super) fn integers(&self) -> Vec<i64> {
        self.values.iter().map(|&x| x as i64).collect()
    }

    /// Reads a `TensorProto`: its name and the array.
    pub(super) fn read(bytes: &[u8]) -> Result<(String, Tensor), String> {
        let (mut name, mut kind, mut dims) = (String::new(), 0, Vec::new());
        let (mut values, mut whole, mut raw) = (Vec::new(), Vec::new(), None);
        each(bytes, |number, value| {
            match number {
                1 => integers(value, &mut dims)?,
                2 => kind = value.number()?,
                4 => floats(value, &mut values)?,
                5 | 7 => integers(value, &mut whole)?,
                8 => name = value.text()?,
                9 => raw = Some(value.bytes()?),
                10 => doubles(value, &mut values)?,
                13 | 14 if !matches!(value, Value::Number(0)) => {
                    return Err("its weights are in another file, which is not read; export it \
                                with all weights inside"
                        .into());
                }
                _ => {}
            }
            Ok(())
        })?;
        let shape: Result<Vec<usize>, _> = dims.iter().map(|&n| usize::try_from(n)).collect();
        let shape = shape.map_err(|_| "an array has a negative size")?;
        values.extend(whole.iter().map(|&n| n as f64));
        if let Some(raw) = raw {
            values = unpacked(kind, raw)?;
        }
        Ok((name, Tensor::new(NumberKind::of(kind)?, shape, values)?))
    }
}

/// The numbers in bytes, little-endian.
fn unpacked(kind: u64, raw: &[u8]) -> Result<Vec<f64>, String> {
    Ok(match kind {
        1 => raw.as_chunks().0.iter().map(|&b| f64::from(f32::from_le_bytes(b))).collect(),
        11 => raw.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect(),
        6 => raw.as_chunks().0.iter().map(|&b| f64::from(i32::from_le_bytes(b))).collect(),
        7 => raw.as_chunks().0.iter().map(|&b| i64::from_le_bytes(b) as f64).collect(),
        9 => raw.iter().map(|&b| f64::from(b)).collect(),
        _ => return Err(format!("numbers of ONNX's type {kind} are not known")),
    })
}
