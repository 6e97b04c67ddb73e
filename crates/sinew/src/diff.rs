//! Differences between two models.

use sinew_model::Model;
use sinew_model::fields::FieldView;
use sinew_model::options::Options;
use sinew_model::pod::Scalar;
use sinew_model::record::{Record, record_bytes};

/// A field in which two models differ.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDifference {
    /// MuJoCo's name; options begin with `opt.`.
    pub field: String,
    /// The difference.
    pub what: Difference,
}

/// Difference of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Difference {
    /// The fields have different shapes, or the sizes different values.
    Size([usize; 2]),
    /// Some values differ.
    Values {
        /// Number of different values.
        count: usize,
        /// Row and column of the first difference.
        first: [usize; 2],
        /// The two values of the first difference.
        values: [f64; 2],
        /// The largest difference in absolute value.
        largest: f64,
    },
}

/// The fields in which two models differ, in MuJoCo's order; empty for bitwise equal models.
///
/// ```
/// let model = |size: f64| {
///     let world = format!("<worldbody><geom size='{size}'/></worldbody>");
///     sinew::load_str(&format!("<mujoco>{world}</mujoco>"))
/// };
/// let found = sinew::diff::model_differences(&model(0.1)?, &model(0.2)?);
/// assert!(found.iter().any(|d| d.field == "geom_size"));
/// assert!(sinew::diff::model_differences(&model(0.1)?, &model(0.1)?).is_empty());
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn model_differences(a: &Model, b: &Model) -> Vec<FieldDifference> {
    let mut found = Vec::new();

    // sizes
    for (name, _) in Model::SIZES {
        if let (Some(n), Some(k)) = (a.size(name), b.size(name))
            && n != k
        {
            found.push(FieldDifference { field: name.to_string(), what: Difference::Size([n, k]) });
        }
    }

    // options
    for field in Options::FIELDS.iter().filter(|f| f.name != "pad_") {
        let range = field.offset..field.offset + field.width * field.scalar.size();
        let bytes = [&record_bytes(&a.opt)[range.clone()], &record_bytes(&b.opt)[range]];
        if let Some(what) = values(bytes, field.scalar, field.width) {
            found.push(FieldDifference { field: format!("opt.{}", field.name), what });
        }
    }

    // arrays
    let mut others = Vec::new();
    b.for_each_field(|field| others.push(field));
    let mut others = others.into_iter();
    a.for_each_field(|field| {
        let other = others.next().expect("both models have all fields");
        if let Some(what) = field_difference(&field, &other) {
            found.push(FieldDifference { field: field.info.name.to_string(), what });
        }
    });
    found
}

fn field_difference(a: &FieldView<'_>, b: &FieldView<'_>) -> Option<Difference> {
    if a.shape.rows != b.shape.rows || a.shape.cols != b.shape.cols {
        return Some(Difference::Size([a.shape.rows, b.shape.rows]));
    }
    values([a.bytes, b.bytes], a.info.scalar, a.shape.cols.unwrap_or(1))
}

/// Compares values bit for bit.
fn values(bytes: [&[u8]; 2], scalar: Scalar, cols: usize) -> Option<Difference> {
    let [a, b] = bytes.map(|bytes| bytes.chunks_exact(scalar.size()));
    let (mut count, mut largest, mut first) = (0, 0.0_f64, None);
    for (i, (x, y)) in a.zip(b).enumerate().filter(|(_, (x, y))| x != y) {
        let pair = [number(x, scalar), number(y, scalar)];
        count += 1;
        largest = largest.max((pair[0] - pair[1]).abs());
        first.get_or_insert(([i / cols.max(1), i % cols.max(1)], pair));
    }
    let (first, values) = first?;
    Some(Difference::Values { count, first, values, largest })
}

/// A value as `f64`.
fn number(bytes: &[u8], scalar: Scalar) -> f64 {
    fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
        core::array::from_fn(|i| bytes[i])
    }
    match scalar {
        Scalar::F64 => f64::from_ne_bytes(array(bytes)),
        Scalar::F32 => f64::from(f32::from_ne_bytes(array(bytes))),
        Scalar::I32 => f64::from(i32::from_ne_bytes(array(bytes))),
        Scalar::I64 => i64::from_ne_bytes(array(bytes)) as f64,
        Scalar::U64 => u64::from_ne_bytes(array(bytes)) as f64,
        Scalar::U8 | Scalar::Char => f64::from(bytes[0]),
    }
}
