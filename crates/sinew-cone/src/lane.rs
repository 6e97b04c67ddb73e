//! Registers of four numbers.
//!
//! A kernel is written once over [`Lane`] and compiled twice on x86-64, for the baseline and for AVX: left to
//! itself the compiler would vectorise across loops of four and shuffle. Lanes are independent and
//! nothing is fused, so both give the same bits.

// the intrinsics, in functions that are only reached if the processor has them
#![allow(unsafe_code)]

/// Compiles `$body` for the baseline and for AVX and chooses at run time. What `$body` calls must be
/// inlined to take part.
macro_rules! twin {
    ($(#[$doc:meta])* $name:ident, $avx:ident, $body:ident, ($($arg:ident: $ty:ty),*) $(-> $ret:ty)?) => {
        $(#[$doc])*
        #[allow(unsafe_code)] // the call of the AVX twin, after asking the processor
        pub(crate) fn $name($($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx") {
                // SAFETY: the processor has just been asked for the feature.
                return unsafe { $avx($($arg),*) };
            }
            $body::<[f64; 4]>($($arg),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx")]
        fn $avx($($arg: $ty),*) $(-> $ret)? {
            $body::<$crate::lane::Avx>($($arg),*)
        }
    };
}
pub(crate) use twin;

/// Numbers in a register.
pub(crate) const LANES: usize = 4;

/// `n` rounded up to whole registers.
pub(crate) const fn padded(n: usize) -> usize {
    n.next_multiple_of(LANES)
}

/// The registers of a padded slice.
#[inline(always)]
pub(crate) fn lanes(x: &[f64]) -> &[[f64; LANES]] {
    x.as_chunks().0
}

/// The registers of a padded slice.
#[inline(always)]
pub(crate) fn lanes_mut(x: &mut [f64]) -> &mut [[f64; LANES]] {
    x.as_chunks_mut().0
}

/// Four numbers. Types that need features of the processor are only used in functions compiled for
/// them.
pub(crate) trait Lane: Copy {
    fn load(from: &[f64; LANES]) -> Self;

    fn store(self, to: &mut [f64; LANES]);

    fn splat(x: f64) -> Self;

    fn add(self, other: Self) -> Self;

    fn sub(self, other: Self) -> Self;

    fn mul(self, other: Self) -> Self;

    /// The larger numbers; those of `self` where one is NaN.
    fn larger(self, other: Self) -> Self;

    fn abs(self) -> Self;

    /// (0+2) + (1+3)
    #[inline(always)]
    fn sum(self) -> f64 {
        let mut x = [0.0; LANES];
        self.store(&mut x);
        (x[0] + x[2]) + (x[1] + x[3])
    }
}

impl Lane for [f64; LANES] {
    #[inline(always)]
    fn load(from: &[f64; LANES]) -> Self {
        *from
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; LANES]) {
        *to = self;
    }

    #[inline(always)]
    fn splat(x: f64) -> Self {
        [x; LANES]
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        std::array::from_fn(|l| self[l] + other[l])
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        std::array::from_fn(|l| self[l] - other[l])
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        std::array::from_fn(|l| self[l] * other[l])
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        std::array::from_fn(|l| if other[l] > self[l] { other[l] } else { self[l] })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.map(f64::abs)
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use avx::Avx;

#[cfg(target_arch = "x86_64")]
mod avx {
    use std::arch::x86_64::*;

    use super::{LANES, Lane};

    /// A register of AVX; only for functions compiled for it.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx(__m256d);

    // SAFETY of every block: see `Avx`; references to four numbers can be read and written.
    impl Lane for Avx {
        #[inline(always)]
        fn load(from: &[f64; LANES]) -> Self {
            unsafe { Avx(_mm256_loadu_pd(from.as_ptr())) }
        }

        #[inline(always)]
        fn store(self, to: &mut [f64; LANES]) {
            unsafe { _mm256_storeu_pd(to.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn splat(x: f64) -> Self {
            unsafe { Avx(_mm256_set1_pd(x)) }
        }

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            unsafe { Avx(_mm256_add_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            unsafe { Avx(_mm256_sub_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            unsafe { Avx(_mm256_mul_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn larger(self, other: Self) -> Self {
            // the instruction returns its second operand if the first is not larger
            unsafe { Avx(_mm256_max_pd(other.0, self.0)) }
        }

        #[inline(always)]
        fn abs(self) -> Self {
            unsafe { Avx(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0)) }
        }

        #[inline(always)]
        fn sum(self) -> f64 {
            unsafe {
                let high = _mm256_extractf128_pd::<1>(self.0);
                let pair = _mm_add_pd(_mm256_castpd256_pd128(self.0), high);
                _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)))
            }
        }
    }
}
