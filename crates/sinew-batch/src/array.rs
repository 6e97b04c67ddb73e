//! Arrays with one row per world.

use sinew_model::pod::{Pod, Scalar, bytes_of, bytes_of_mut};

/// Numbers of one type.
#[derive(Clone, Debug)]
enum Numbers {
    F64(Vec<f64>),
    F32(Vec<f32>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U64(Vec<u64>),
    /// Bytes, as flags or text.
    U8(Vec<u8>),
}

/// A contiguous array of shape `(N, ...)`: a row for each of `N` worlds. The memory never moves.
#[derive(Clone, Debug)]
pub struct Array {
    numbers: Numbers,
    scalar: Scalar,
    /// Shape of one row.
    shape: Vec<usize>,
    /// Bytes of one row.
    row: usize,
}

impl Array {
    /// Creates an array of zeros.
    pub(crate) fn new(worlds: usize, scalar: Scalar, shape: Vec<usize>) -> Array {
        let width: usize = shape.iter().product();
        let n = worlds * width;
        let numbers = match scalar {
            Scalar::F64 => Numbers::F64(vec![0.0; n]),
            Scalar::F32 => Numbers::F32(vec![0.0; n]),
            Scalar::I32 => Numbers::I32(vec![0; n]),
            Scalar::I64 => Numbers::I64(vec![0; n]),
            Scalar::U64 => Numbers::U64(vec![0; n]),
            Scalar::U8 | Scalar::Char => Numbers::U8(vec![0; n]),
        };
        Array { numbers, scalar, shape, row: width * scalar.size() }
    }

    /// Type of the numbers.
    pub fn scalar(&self) -> Scalar {
        self.scalar
    }

    /// Shape of the row of one world; empty for a scalar.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Length in bytes of the row of one world.
    pub fn row_bytes(&self) -> usize {
        self.row
    }

    /// All bytes, in native order.
    pub fn bytes(&self) -> &[u8] {
        match &self.numbers {
            Numbers::F64(x) => bytes_of(x),
            Numbers::F32(x) => bytes_of(x),
            Numbers::I32(x) => bytes_of(x),
            Numbers::I64(x) => bytes_of(x),
            Numbers::U64(x) => bytes_of(x),
            Numbers::U8(x) => x,
        }
    }

    /// All bytes, writable.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.numbers {
            Numbers::F64(x) => bytes_of_mut(x),
            Numbers::F32(x) => bytes_of_mut(x),
            Numbers::I32(x) => bytes_of_mut(x),
            Numbers::I64(x) => bytes_of_mut(x),
            Numbers::U64(x) => bytes_of_mut(x),
            Numbers::U8(x) => x,
        }
    }

    /// The bytes of one world.
    pub fn row(&self, world: usize) -> &[u8] {
        &self.bytes()[world * self.row..][..self.row]
    }

    /// The bytes of one world, writable.
    pub fn row_mut(&mut self, world: usize) -> &mut [u8] {
        let row = self.row;
        &mut self.bytes_mut()[world * row..][..row]
    }

    /// All numbers, or `None` if they are of another type.
    pub fn f64(&self) -> Option<&[f64]> {
        if let Numbers::F64(x) = &self.numbers { Some(x) } else { None }
    }

    /// All numbers, writable, or `None` if they are of another type.
    pub fn f64_mut(&mut self) -> Option<&mut [f64]> {
        if let Numbers::F64(x) = &mut self.numbers { Some(x) } else { None }
    }

    /// All numbers, or `None` if they are of another type.
    pub fn i32(&self) -> Option<&[i32]> {
        if let Numbers::I32(x) = &self.numbers { Some(x) } else { None }
    }

    /// All numbers, writable, or `None` if they are of another type.
    pub fn i32_mut(&mut self) -> Option<&mut [i32]> {
        if let Numbers::I32(x) = &mut self.numbers { Some(x) } else { None }
    }

    /// Consecutive pieces of `worlds` rows each. An array with empty rows gives `pieces` empty
    /// pieces.
    pub(crate) fn pieces(
        &mut self,
        worlds: usize,
        pieces: usize,
    ) -> impl Iterator<Item = &mut [u8]> {
        let row = self.row;
        let mut rest = self.bytes_mut();
        (0..pieces).map(move |_| {
            let n = (worlds * row).min(rest.len());
            rest.split_off_mut(..n).unwrap_or_default()
        })
    }
}

/// Copies numbers into the bytes of a row.
pub(crate) fn put<T: Pod>(row: &mut [u8], numbers: &[T]) {
    row.copy_from_slice(bytes_of(numbers));
}

/// Copies the bytes of a row into numbers.
pub(crate) fn take<T: Pod>(numbers: &mut [T], row: &[u8]) {
    bytes_of_mut(numbers).copy_from_slice(row);
}
