//! Registers of several numbers, and kernels compiled for more than one kind of processor.
//!
//! A kernel is a generic function over [`Lane`] (four `f64`) or [`LaneF32`] (eight `f32`).
//! [`dispatch!`] turns it into an ordinary, safe function that is compiled twice, for the baseline
//! of the target and for AVX2 with FMA, and asks the processor which of the two to run:
//!
//! ```
//! use sinew_math::simd::{Lane, dispatch, lanes, lanes_mut};
//!
//! dispatch! {
//!     /// y += a x
//!     pub fn axpy(a: f64, x: &[f64], y: &mut [f64]) = axpy_kernel::<Fused>;
//! }
//!
//! #[inline(always)]
//! fn axpy_kernel<L: Lane>(a: f64, x: &[f64], y: &mut [f64]) {
//!     for (x, y) in lanes(x).iter().zip(lanes_mut(y)) {
//!         L::load(y).add_mul(L::splat(a), L::load(x)).store(y);
//!     }
//! }
//!
//! let mut y = [1.0; 4];
//! axpy(2.0, &[1.0, 2.0, 3.0, 4.0], &mut y);
//! assert_eq!(y, [3.0, 5.0, 7.0, 9.0]);
//! ```
//!
//! The kind of register says what a product and a sum are:
//!
//! - `Exact`: `add_mul` rounds twice, as two operations do. Every number has the operations of a
//!   plain loop, so the bits are those of the plain loop, on every processor.
//! - `Fused`: `add_mul` rounds once where the processor has FMA. The last bits differ between
//!   processors, never between two runs on one.
//! - `Single`: eight `f32`, never fused.
//!
//! Everything that a kernel calls per number must be `#[inline(always)]`: what is not inlined into
//! the compiled function is compiled for the baseline. Closures that are inlined take part too.
//! Tests compare a dispatched function with its kernel on [`Portable`].
// the processor's instructions, in functions that are only reached if it has them
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod pair;
mod portable;

use core::ops::{Add, Div, Mul, Sub};

pub use crate::__simd_dispatch as dispatch;
pub use pair::Pair;
pub use portable::{Portable, PortableF32};

/// Numbers in a register of `f64`.
pub const LANES: usize = 4;

/// `n` rounded up to whole registers.
pub const fn padded(n: usize) -> usize {
    n.next_multiple_of(LANES)
}

/// The whole registers of a slice.
#[inline(always)]
pub fn lanes(x: &[f64]) -> &[[f64; LANES]] {
    x.as_chunks().0
}

/// The whole registers of a slice.
#[inline(always)]
pub fn lanes_mut(x: &mut [f64]) -> &mut [[f64; LANES]] {
    x.as_chunks_mut().0
}

/// Four numbers. Comparisons return masks: registers whose lanes have all bits set or none.
///
/// Only [`dispatch!`] chooses an implementation other than [`Portable`]: those need instructions
/// that it asks the processor for.
pub trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// The four numbers.
    fn new(x: [f64; LANES]) -> Self;

    /// The four numbers.
    fn load(from: &[f64; LANES]) -> Self;

    /// Writes the four numbers.
    fn store(self, to: &mut [f64; LANES]);

    /// The first `count` numbers, at most four; zeros behind them.
    fn load_some(from: &[f64], count: usize) -> Self;

    /// Writes the first `count` numbers, at most four.
    fn store_some(self, to: &mut [f64], count: usize);

    /// Four times the same number.
    fn splat(x: f64) -> Self;

    /// `self + a b`, rounded once or twice: see the module.
    fn add_mul(self, a: Self, b: Self) -> Self;

    /// `self - a b`, rounded as [`Lane::add_mul`].
    fn sub_mul(self, a: Self, b: Self) -> Self;

    /// `x - a b` of single numbers, rounded as [`Lane::add_mul`].
    fn sub_mul_one(x: f64, a: f64, b: f64) -> f64;

    /// Square roots.
    fn sqrt(self) -> Self;

    /// Absolute values.
    fn abs(self) -> Self;

    /// The larger numbers; those of `self` where one is NaN.
    fn larger(self, other: Self) -> Self;

    /// The smaller numbers; those of `self` where one is NaN.
    fn smaller(self, other: Self) -> Self;

    /// Where `self <= other`; unset where one is NaN.
    fn at_most(self, other: Self) -> Self;

    /// Where `self < other`; unset where one is NaN.
    fn less(self, other: Self) -> Self;

    /// The numbers of `a` where this mask is set, those of `b` elsewhere.
    fn select(self, a: Self, b: Self) -> Self;

    /// The numbers of `self` where the mask is set, +0 elsewhere; of two masks, where both are set.
    fn and(self, mask: Self) -> Self;

    /// The numbers of `self` where the mask is not set, +0 elsewhere; of two masks, where only this
    /// one is set.
    fn and_not(self, mask: Self) -> Self;

    /// A bit for each lane of a mask, the lowest for the first.
    fn bits(self) -> u8;

    /// (0+2) + (1+3), the order of MuJoCo's `mju_dot`.
    fn sum(self) -> f64;

    /// The sum (0+1) + (2+3) of each of four registers.
    fn sums(lanes: [Self; 4]) -> Self;

    /// Four triples, one after the other, as their first, second and third numbers.
    fn split(triples: [Self; 3]) -> [Self; 3];

    /// The inverse of [`Lane::split`].
    fn join(parts: [Self; 3]) -> [Self; 3];

    /// Rows as columns.
    fn transpose(rows: [Self; 4]) -> [Self; 4];

    /// The four numbers at `p`.
    ///
    /// # Safety
    /// `p` points at four readable numbers.
    #[inline(always)]
    unsafe fn load_at(p: *const f64) -> Self {
        // SAFETY: the caller's promise; an array of numbers has their alignment.
        Self::load(unsafe { &*p.cast() })
    }

    /// Writes the four numbers to `p`.
    ///
    /// # Safety
    /// `p` points at four writable numbers that nothing else refers to.
    #[inline(always)]
    unsafe fn store_at(self, p: *mut f64) {
        // SAFETY: as in `load_at`.
        self.store(unsafe { &mut *p.cast() });
    }

    /// Where `self >= other`; unset where one is NaN.
    #[inline(always)]
    fn at_least(self, other: Self) -> Self {
        other.at_most(self)
    }

    /// Whether a mask is set anywhere.
    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }

    /// The four numbers.
    #[inline(always)]
    fn to_array(self) -> [f64; LANES] {
        let mut x = [0.0; LANES];
        self.store(&mut x);
        x
    }

    /// The first number.
    #[inline(always)]
    fn first(self) -> f64 {
        self.to_array()[0]
    }

    /// The largest of the four, if none is NaN.
    #[inline(always)]
    fn largest(self) -> f64 {
        let x = self.to_array();
        x[0].max(x[1]).max(x[2].max(x[3]))
    }
}

/// Eight numbers of single precision.
pub trait LaneF32: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// The eight numbers.
    fn load(from: &[f32; 8]) -> Self;

    /// Eight times the same number.
    fn splat(x: f32) -> Self;

    /// A mask of where `self > other` is false; set where one is NaN.
    fn not_above(self, other: Self) -> Self;

    /// Where both masks are set.
    fn and(self, mask: Self) -> Self;

    /// A bit for each lane of a mask, the lowest for the first.
    fn bits(self) -> u8;
}

/// Up to four triples at the beginning of `x`, as their first, second and third numbers; zeros
/// where there is none.
#[inline(always)]
pub fn load3<L: Lane>(x: &[f64], count: usize) -> [L; 3] {
    if let (LANES, [a, b, c, ..]) = (count, lanes(x)) {
        return L::split([L::load(a), L::load(b), L::load(c)]);
    }
    let [a, b, c] = triples_per_register(count);
    L::split([L::load_some(x, a), L::load_some(&x[a..], b), L::load_some(&x[a + b..], c)])
}

/// The inverse of [`load3`].
#[inline(always)]
pub fn store3<L: Lane>(parts: [L; 3], x: &mut [f64], count: usize) {
    let t = L::join(parts);
    if let (LANES, [a, b, c, ..]) = (count, lanes_mut(x)) {
        t[0].store(a);
        t[1].store(b);
        t[2].store(c);
        return;
    }
    let [a, b, c] = triples_per_register(count);
    t[0].store_some(x, a);
    t[1].store_some(&mut x[a..], b);
    t[2].store_some(&mut x[a + b..], c);
}

/// How many numbers of `count` triples are in each of three registers.
#[inline(always)]
fn triples_per_register(count: usize) -> [usize; 3] {
    let n = 3 * count;
    let (a, b) = (n.min(LANES), n.min(2 * LANES));
    [a, b - a, n - b]
}

/// Whether the processor has AVX2 and FMA.
#[inline(always)]
#[doc(hidden)]
pub fn has_avx2_and_fma() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// The registers that any processor of the target has, by kind.
#[doc(hidden)]
pub mod baseline {
    pub use super::{Portable as Exact, Portable as Fused, PortableF32 as Single};
}

/// The registers of AVX, by kind. A value of these may only exist where [`has_avx2_and_fma`].
#[cfg(target_arch = "x86_64")]
#[doc(hidden)]
pub mod wide {
    pub use super::avx2::{Exact, Fused, Single};
}

/// Declares functions that run a kernel on the widest registers of the processor.
///
/// `fn name(arguments) = kernel::<Kind>;`, where `kernel` is an `#[inline(always)]` function with
/// one type parameter, and `Kind` is `Exact`, `Fused` or `Single`: see [`simd`](crate::simd).
#[doc(hidden)]
#[macro_export]
macro_rules! __simd_dispatch {
    ($(
        $(#[$attr:meta])*
        $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?
            = $kernel:ident::<$kind:ident>;
    )*) => {$(
        $(#[$attr])*
        #[allow(unsafe_code)] // the call of the wide function, after asking the processor
        $vis fn $name($($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn wide($($arg: $ty),*) $(-> $ret)? {
                    $kernel::<$crate::simd::wide::$kind>($($arg),*)
                }
                if $crate::simd::has_avx2_and_fma() {
                    // SAFETY: the processor has the features that the function is compiled for.
                    return unsafe { wide($($arg),*) };
                }
            }
            $kernel::<$crate::simd::baseline::$kind>($($arg),*)
        }
    )*};
}

#[cfg(test)]
mod tests;
