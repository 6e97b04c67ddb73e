//! Copying numbers out of numpy arrays and into them.
//!
//! A copy is over before Python runs again, so it needs no entry in the register of borrows that
//! the crate `numpy` keeps for references: that costs more than all the rest of a small function.
#![allow(unsafe_code)]

use numpy::npyffi::flags::NPY_ARRAY_WRITEABLE;
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// Whether the array may be written.
pub(crate) fn is_writable(array: &Bound<'_, PyArrayDyn<f64>>) -> bool {
    // SAFETY: the object is an array that is alive, and the thread is attached to the interpreter.
    unsafe { (*array.as_array_ptr()).fields.flags & NPY_ARRAY_WRITEABLE != 0 }
}

/// Copies all numbers of the array, in row order; false if they are not as many, or do not lie in
/// a row.
pub(crate) fn copy_out(array: &Bound<'_, PyArrayDyn<f64>>, to: &mut [f64]) -> bool {
    let fits = array.is_c_contiguous() && array.len() == to.len();
    if fits {
        let from = array.data().cast_const().cast::<u8>();
        // SAFETY: the array has as many numbers in a row, of which every bit pattern is valid;
        // bytes need no alignment, and `copy` lets the two overlap.
        unsafe { core::ptr::copy(from, to.as_mut_ptr().cast(), size_of_val(to)) };
    }
    fits
}

/// Copies numbers into an array, as many as both have; false if they do not lie in a row there, or
/// may not be written.
pub(crate) fn copy_in(array: &Bound<'_, PyArrayDyn<f64>>, from: &[f64]) -> bool {
    let fits = array.is_c_contiguous() && is_writable(array);
    if fits {
        let from = &from[..from.len().min(array.len())];
        let to = array.data().cast::<u8>();
        // SAFETY: as in `copy_out`, and the array may be written.
        unsafe { core::ptr::copy(from.as_ptr().cast(), to, size_of_val(from)) };
    }
    fits
}
