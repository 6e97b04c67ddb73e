//! Registers of several numbers, for the kernels of the primal solvers.
//!
//! A kernel is written once over `Lane` and compiled for each kind of processor. With FMA a product
//! and a sum are rounded once, so results may differ in the last bits between processors, but not
//! between two runs on one.
// the intrinsics, and loads and stores without bounds checks
#![allow(unsafe_code)]

/// What the processor can do, as far as the kernels care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// Anything.
    Portable,
    /// AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Default for Level {
    /// The best this processor has.
    fn default() -> Level {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return Level::Avx2;
        }
        Level::Portable
    }
}

/// Four numbers.
///
/// # Safety
/// Methods may need the processor features of the type: they are inlined into functions compiled
/// for those, which are only called if the processor has them.
pub(super) trait Lane: Copy {
    /// The four numbers at `p`.
    ///
    /// # Safety
    /// `p` points at four readable numbers.
    unsafe fn load(p: *const f64) -> Self;

    /// Writes the four numbers to `p`.
    ///
    /// # Safety
    /// `p` points at four writable numbers.
    unsafe fn store(self, p: *mut f64);

    /// Four times the same.
    fn splat(x: f64) -> Self;

    fn add(self, o: Self) -> Self;

    fn mul(self, o: Self) -> Self;

    /// self + a b
    fn add_mul(self, a: Self, b: Self) -> Self;

    /// self - a b
    fn sub_mul(self, a: Self, b: Self) -> Self;

    /// x - a b, of single numbers
    fn sub_mul_one(x: f64, a: f64, b: f64) -> f64;

    /// (0+2) + (1+3)
    fn sum(self) -> f64;

    /// The sums of four.
    fn sums(lanes: [Self; 4]) -> Self;

    fn div(self, o: Self) -> Self;

    fn sqrt(self) -> Self;

    /// A mask of where self ≥ o; false where either is not a number.
    fn at_least(self, o: Self) -> Self;

    /// Each number where the mask is set, else 0.
    fn only(self, mask: Self) -> Self;

    /// Each number where the mask is not set, else 0.
    fn except(self, mask: Self) -> Self;

    /// Each number where `x` is negative, else 0.
    fn where_negative(self, x: Self) -> Self;

    /// A bit for each number that is negative.
    fn negative(self) -> u8;
}

impl Lane for [f64; 4] {
    #[inline(always)]
    unsafe fn load(p: *const f64) -> Self {
        // SAFETY: the caller's promise; an array of numbers has their alignment.
        unsafe { *p.cast() }
    }

    #[inline(always)]
    unsafe fn store(self, p: *mut f64) {
        // SAFETY: as in `load`.
        unsafe { *p.cast() = self }
    }

    #[inline(always)]
    fn splat(x: f64) -> Self {
        [x; 4]
    }

    #[inline(always)]
    fn add(self, o: Self) -> Self {
        core::array::from_fn(|k| self[k] + o[k])
    }

    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        core::array::from_fn(|k| self[k] * o[k])
    }

    #[inline(always)]
    fn add_mul(self, a: Self, b: Self) -> Self {
        core::array::from_fn(|k| self[k] + a[k] * b[k])
    }

    #[inline(always)]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        core::array::from_fn(|k| self[k] - a[k] * b[k])
    }

    #[inline(always)]
    fn sub_mul_one(x: f64, a: f64, b: f64) -> f64 {
        x - a * b
    }

    #[inline(always)]
    fn sum(self) -> f64 {
        (self[0] + self[2]) + (self[1] + self[3])
    }

    #[inline(always)]
    fn sums(lanes: [Self; 4]) -> Self {
        lanes.map(Lane::sum)
    }

    #[inline(always)]
    fn div(self, o: Self) -> Self {
        core::array::from_fn(|k| self[k] / o[k])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }

    #[inline(always)]
    fn at_least(self, o: Self) -> Self {
        core::array::from_fn(|k| f64::from_bits(if self[k] >= o[k] { u64::MAX } else { 0 }))
    }

    #[inline(always)]
    fn only(self, mask: Self) -> Self {
        core::array::from_fn(|k| f64::from_bits(self[k].to_bits() & mask[k].to_bits()))
    }

    #[inline(always)]
    fn except(self, mask: Self) -> Self {
        core::array::from_fn(|k| f64::from_bits(self[k].to_bits() & !mask[k].to_bits()))
    }

    #[inline(always)]
    fn where_negative(self, x: Self) -> Self {
        core::array::from_fn(|k| if x[k] < 0.0 { self[k] } else { 0.0 })
    }

    #[inline(always)]
    fn negative(self) -> u8 {
        (0..4).fold(0, |bits, k| bits | u8::from(self[k] < 0.0) << k)
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use core::arch::x86_64::*;

    use super::Lane;

    /// A register of AVX; only for functions compiled for AVX2 and FMA.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Avx2(__m256d);

    // SAFETY of every block below: see `Lane`; pointers are the caller's promise.
    impl Lane for Avx2 {
        #[inline(always)]
        unsafe fn load(p: *const f64) -> Self {
            unsafe { Avx2(_mm256_loadu_pd(p)) }
        }

        #[inline(always)]
        unsafe fn store(self, p: *mut f64) {
            unsafe { _mm256_storeu_pd(p, self.0) }
        }

        #[inline(always)]
        fn splat(x: f64) -> Self {
            unsafe { Avx2(_mm256_set1_pd(x)) }
        }

        #[inline(always)]
        fn add(self, o: Self) -> Self {
            unsafe { Avx2(_mm256_add_pd(self.0, o.0)) }
        }

        #[inline(always)]
        fn mul(self, o: Self) -> Self {
            unsafe { Avx2(_mm256_mul_pd(self.0, o.0)) }
        }

        #[inline(always)]
        fn add_mul(self, a: Self, b: Self) -> Self {
            unsafe { Avx2(_mm256_fmadd_pd(a.0, b.0, self.0)) }
        }

        #[inline(always)]
        fn sub_mul(self, a: Self, b: Self) -> Self {
            unsafe { Avx2(_mm256_fnmadd_pd(a.0, b.0, self.0)) }
        }

        #[inline(always)]
        fn sub_mul_one(x: f64, a: f64, b: f64) -> f64 {
            (-a).mul_add(b, x)
        }

        #[inline(always)]
        fn sum(self) -> f64 {
            unsafe {
                let low = _mm256_castpd256_pd128(self.0);
                let high = _mm256_extractf128_pd::<1>(self.0);
                let pair = _mm_add_pd(low, high);
                _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)))
            }
        }

        #[inline(always)]
        fn sums([a, b, c, d]: [Self; 4]) -> Self {
            unsafe {
                // (a0+a1, b0+b1, a2+a3, b2+b3) and the same of c, d; then the halves
                let ab = _mm256_hadd_pd(a.0, b.0);
                let cd = _mm256_hadd_pd(c.0, d.0);
                let low = _mm256_permute2f128_pd::<0x20>(ab, cd);
                let high = _mm256_permute2f128_pd::<0x31>(ab, cd);
                Avx2(_mm256_add_pd(low, high))
            }
        }

        #[inline(always)]
        fn div(self, o: Self) -> Self {
            unsafe { Avx2(_mm256_div_pd(self.0, o.0)) }
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            unsafe { Avx2(_mm256_sqrt_pd(self.0)) }
        }

        #[inline(always)]
        fn at_least(self, o: Self) -> Self {
            unsafe { Avx2(_mm256_cmp_pd::<_CMP_GE_OQ>(self.0, o.0)) }
        }

        #[inline(always)]
        fn only(self, mask: Self) -> Self {
            unsafe { Avx2(_mm256_and_pd(self.0, mask.0)) }
        }

        #[inline(always)]
        fn except(self, mask: Self) -> Self {
            unsafe { Avx2(_mm256_andnot_pd(mask.0, self.0)) }
        }

        #[inline(always)]
        fn where_negative(self, x: Self) -> Self {
            unsafe {
                let mask = _mm256_cmp_pd::<_CMP_LT_OQ>(x.0, _mm256_setzero_pd());
                Avx2(_mm256_and_pd(self.0, mask))
            }
        }

        #[inline(always)]
        fn negative(self) -> u8 {
            unsafe {
                let mask = _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, _mm256_setzero_pd());
                _mm256_movemask_pd(mask) as u8
            }
        }
    }
}
