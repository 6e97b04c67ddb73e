//! The numbers of a simulation: f64 or f32.

use core::ops::{AddAssign, Neg, SubAssign};

use sinew_math::algebra::Number;
use sinew_math::elementary;

/// A number of either precision.
pub trait Real:
    Number + Default + PartialOrd + Neg<Output = Self> + AddAssign + SubAssign + 'static
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;

    /// Distance from one to the next number.
    const EPSILON: Self;

    /// The nearest number.
    fn of(x: f64) -> Self;

    /// The same number.
    fn to_f64(self) -> f64;

    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);

    /// Angle of the point (`x`, `self`).
    fn atan2(self, x: Self) -> Self;

    /// The number whose 32-bit words are those of this one, mapped.
    fn through_words(self, f: impl FnMut(u32) -> u32) -> Self;

    /// The smaller of two numbers.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// The larger of two numbers.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    /// The nearest number of a range.
    #[inline(always)]
    fn clip(self, lo: Self, hi: Self) -> Self {
        if self < lo {
            lo
        } else if self > hi {
            hi
        } else {
            self
        }
    }

    /// Whether a number is unfit for simulation (`mju_isBad`): NaN, or beyond 1e10.
    #[inline(always)]
    #[allow(clippy::neg_cmp_op_on_partial_ord)] // NaN is unfit too, and at most nothing
    fn is_bad(self) -> bool {
        !(self.abs() <= Self::of(1e10))
    }
}

impl Real for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    const EPSILON: f64 = f64::EPSILON;

    #[inline(always)]
    fn of(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn sin_cos(self) -> (f64, f64) {
        elementary::sin_cos(self)
    }

    #[inline(always)]
    fn atan2(self, x: f64) -> f64 {
        elementary::atan2(self, x)
    }

    #[inline(always)]
    fn through_words(self, mut f: impl FnMut(u32) -> u32) -> f64 {
        let bits = self.to_bits();
        let (lo, hi) = (f(bits as u32), f((bits >> 32) as u32));
        f64::from_bits(u64::from(hi) << 32 | u64::from(lo))
    }
}

impl Real for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    const EPSILON: f32 = f32::EPSILON;

    #[inline(always)]
    fn of(x: f64) -> f32 {
        x as f32
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn sin_cos(self) -> (f32, f32) {
        let (sin, cos) = elementary::sin_cos(f64::from(self));
        (sin as f32, cos as f32)
    }

    #[inline(always)]
    fn atan2(self, x: f32) -> f32 {
        elementary::atan2(f64::from(self), f64::from(x)) as f32
    }

    #[inline(always)]
    fn through_words(self, mut f: impl FnMut(u32) -> u32) -> f32 {
        f32::from_bits(f(self.to_bits()))
    }
}
