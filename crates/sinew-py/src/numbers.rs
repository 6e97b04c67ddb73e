//! Copies between numpy arrays and slices.
//!
//! A copy ends before Python runs again, so it needs no entry in the borrow register of the crate
//! `numpy`. Such an entry costs more than the rest of a small function.
#![allow(unsafe_code)]

use numpy::npyffi::flags::NPY_ARRAY_WRITEABLE;
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// Whether the array is writable.
pub(crate) fn is_writable(array: &Bound<'_, PyArrayDyn<f64>>) -> bool {
    // SAFETY: the object is an array that is alive, and the thread is attached to the interpreter.
    unsafe { (*array.as_array_ptr()).fields.flags & NPY_ARRAY_WRITEABLE != 0 }
}

/// Copies all values of the array in row order. Returns `false` if their number differs or they are
/// not contiguous.
pub(crate) fn copy_out(array: &Bound<'_, PyArrayDyn<f64>>, to: &mut [f64]) -> bool {
    let fits = array.is_c_contiguous() && array.len() == to.len();
    if fits {
        let from = array.data().cast_const().cast::<u8>();
        // SAFETY: the array has this many contiguous numbers, for which every bit pattern is valid.
        // Bytes need no alignment, and `copy` permits overlap.
        unsafe { core::ptr::copy(from, to.as_mut_ptr().cast(), size_of_val(to)) };
    }
    fits
}

/// Copies values to an array, up to the shorter length. Returns `false` if the array is not
/// contiguous or not writable.
pub(crate) fn copy_in(array: &Bound<'_, PyArrayDyn<f64>>, from: &[f64]) -> bool {
    let fits = array.is_c_contiguous() && is_writable(array);
    if fits {
        let from = &from[..from.len().min(array.len())];
        let to = array.data().cast::<u8>();
        // SAFETY: as in `copy_out`, and the array is writable.
        unsafe { core::ptr::copy(from.as_ptr().cast(), to, size_of_val(from)) };
    }
    fits
}
