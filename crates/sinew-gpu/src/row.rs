//! A world's row of numbers, to and from a state.

use sinew_model::Data;
use sinew_model::pod::{Scalar, bytes_of, bytes_of_mut};

use crate::pack::{Field, Kept, Packed};
use crate::programs::Precision;

/// The numbers of a field in a row.
pub fn get(row: &[u8], field: Field, precision: Precision) -> Vec<f64> {
    let size = precision.size();
    let bytes = &row[field.offset * size..][..field.width * size];
    match precision {
        Precision::Double => numbers::<f64>(bytes),
        Precision::Single => numbers::<f32>(bytes).into_iter().map(f64::from).collect(),
    }
}

/// Writes the numbers of a field into a row.
pub fn put(row: &mut [u8], field: Field, precision: Precision, x: &[f64]) {
    let size = precision.size();
    let bytes = &mut row[field.offset * size..][..field.width * size];
    match precision {
        Precision::Double => bytes.copy_from_slice(bytes_of(x)),
        Precision::Single => {
            let x: Vec<f32> = x.iter().map(|&x| x as f32).collect();
            bytes.copy_from_slice(bytes_of(&x));
        }
    }
}

/// Numbers from bytes of any alignment.
fn numbers<T: sinew_model::pod::Pod>(bytes: &[u8]) -> Vec<T> {
    let mut x = vec![T::default(); bytes.len() / size_of::<T>()];
    bytes_of_mut(&mut x).copy_from_slice(bytes);
    x
}

/// A state as a row; fields that a state does not have are zero.
pub fn of_data(packed: &Packed, precision: Precision, d: &Data) -> Vec<u8> {
    let mut row = vec![0; packed.state_stride as usize * precision.size()];
    for &field in &packed.fields {
        let x = if field.name == "time" {
            vec![d.time]
        } else {
            let Some(view) = d.field(field.name) else { continue };
            match view.info.scalar {
                Scalar::F64 => numbers::<f64>(view.bytes),
                Scalar::I32 => numbers::<i32>(view.bytes).into_iter().map(f64::from).collect(),
                Scalar::U8 => view.bytes.iter().map(|&x| f64::from(x)).collect(),
                _ => continue,
            }
        };
        if x.len() == field.width {
            put(&mut row, field, precision, &x);
        }
    }
    row
}

/// A result of a step, as numbers of worlds.
pub fn of_field(precision: Precision, d: &Data, kept: &Kept) -> Vec<u8> {
    let whole = Field { name: kept.name, offset: 0, width: kept.len };
    let mut bytes = vec![0; kept.len * precision.size()];
    if let Some(view) = d.field(kept.name) {
        let x = numbers::<f64>(view.bytes);
        if x.len() == kept.len {
            put(&mut bytes, whole, precision, &x);
        }
    }
    bytes
}

/// A row into a state: the fields that both have.
pub fn to_data(packed: &Packed, precision: Precision, row: &[u8], d: &mut Data) {
    for &field in &packed.fields {
        let x = get(row, field, precision);
        if field.name == "time" {
            d.time = x[0];
            continue;
        }
        let Some(view) = d.field_mut(field.name) else { continue };
        if view.shape.rows * view.shape.cols.unwrap_or(1) != field.width {
            continue;
        }
        match view.info.scalar {
            Scalar::F64 => view.bytes.copy_from_slice(bytes_of(&x)),
            Scalar::I32 => {
                let x: Vec<i32> = x.iter().map(|&x| x as i32).collect();
                view.bytes.copy_from_slice(bytes_of(&x));
            }
            Scalar::U8 => {
                view.bytes.iter_mut().zip(&x).for_each(|(byte, &x)| *byte = u8::from(x != 0.0))
            }
            _ => {}
        }
    }
}
