//! SIMD numbers in single precision.
//!
//! Code for pixels, samples and vertices is generic over [`Wide`]: one number (`f32`) or eight
//! ([`F8`]). Every lane has the same result as a single number, so the bytes do not depend on the
//! width. Intrinsics are explicit because the compiler keeps arrays of eight in memory.
#![allow(unsafe_code)]

use core::ops::{Add, BitAnd, Div, Mul, Sub};

#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
use core::arch::x86_64::*;

/// Number of lanes of an [`F8`].
pub(crate) const LANES: usize = 8;

/// One number, or several.
pub(crate) trait Wide:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Result of a comparison, for each lane.
    type Mask: Copy + BitAnd<Output = Self::Mask>;

    /// Number of lanes.
    const COUNT: usize;

    fn splat(x: f32) -> Self;
    fn lanes(f: impl FnMut(usize) -> f32) -> Self;
    fn get(self, lane: usize) -> f32;
    /// Minimum; the second operand if either is NaN.
    fn least(self, other: Self) -> Self;
    /// Maximum; the second operand if either is NaN.
    fn most(self, other: Self) -> Self;
    fn floor(self) -> Self;
    fn sqrt(self) -> Self;
    fn less(self, other: Self) -> Self::Mask;
    fn at_most(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is true, `no` elsewhere.
    fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self;
    fn all(mask: Self::Mask) -> bool;
    fn any(mask: Self::Mask) -> bool;
    /// One bit per lane; the lowest is the first lane.
    fn bits(mask: Self::Mask) -> u32;
    /// Conversion to integers, rounded towards zero; unspecified for values out of range.
    fn integers(self) -> [i32; LANES];

    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }

    #[inline(always)]
    fn times(self, x: f32) -> Self {
        self * Self::splat(x)
    }

    #[inline(always)]
    fn plus(self, x: f32) -> Self {
        self + Self::splat(x)
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Self::Mask {
        self.at_most(other) & other.at_most(self)
    }

    #[inline(always)]
    fn clamp01(self) -> Self {
        self.most(Self::zero()).least(Self::splat(1.0))
    }

    #[inline(always)]
    fn map(self, f: impl Fn(f32) -> f32) -> Self {
        Self::lanes(|l| f(self.get(l)))
    }
}

/// Vectors in structure-of-arrays form: all x, all y, all z.
pub(crate) type Wide3<W> = [W; 3];

#[inline(always)]
pub(crate) fn dot3<W: Wide>(a: Wide3<W>, b: Wide3<W>) -> W {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Dot products with one vector.
#[inline(always)]
pub(crate) fn along<W: Wide>(a: Wide3<W>, b: [f32; 3]) -> W {
    a[0].times(b[0]) + a[1].times(b[1]) + a[2].times(b[2])
}

impl Wide for f32 {
    type Mask = bool;
    const COUNT: usize = 1;

    #[inline(always)]
    fn splat(x: f32) -> f32 {
        x
    }

    #[inline(always)]
    fn lanes(mut f: impl FnMut(usize) -> f32) -> f32 {
        f(0)
    }

    #[inline(always)]
    fn get(self, _: usize) -> f32 {
        self
    }

    #[inline(always)]
    fn least(self, other: f32) -> f32 {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn most(self, other: f32) -> f32 {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn floor(self) -> f32 {
        f32::floor(self)
    }

    #[inline(always)]
    fn sqrt(self) -> f32 {
        f32::sqrt(self)
    }

    #[inline(always)]
    fn less(self, other: f32) -> bool {
        self < other
    }

    #[inline(always)]
    fn at_most(self, other: f32) -> bool {
        self <= other
    }

    #[inline(always)]
    fn choose(mask: bool, yes: f32, no: f32) -> f32 {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn all(mask: bool) -> bool {
        mask
    }

    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }

    #[inline(always)]
    fn bits(mask: bool) -> u32 {
        u32::from(mask)
    }

    #[inline(always)]
    fn integers(self) -> [i32; LANES] {
        [self as i32; LANES]
    }
}

/// Eight numbers.
#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct F8(__m256);

/// Mask of eight lanes: all bits of a lane set, or none.
#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
#[derive(Clone, Copy)]
pub(crate) struct M8(__m256);

#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
macro_rules! operator {
    ($trait:ident, $method:ident, $type:ident, $instruction:ident) => {
        impl $trait for $type {
            type Output = $type;

            #[inline(always)]
            fn $method(self, other: $type) -> $type {
                // SAFETY: this is compiled only where AVX is enabled for the whole program
                $type(unsafe { $instruction(self.0, other.0) })
            }
        }
    };
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
mod avx {
    use super::*;

    operator!(Add, add, F8, _mm256_add_ps);
    operator!(Sub, sub, F8, _mm256_sub_ps);
    operator!(Mul, mul, F8, _mm256_mul_ps);
    operator!(Div, div, F8, _mm256_div_ps);
    operator!(BitAnd, bitand, M8, _mm256_and_ps);

    impl F8 {
        #[inline(always)]
        pub(crate) fn new(x: [f32; LANES]) -> F8 {
            // SAFETY: AVX is enabled, and the instruction reads the eight numbers of the array
            F8(unsafe { _mm256_loadu_ps(x.as_ptr()) })
        }

        #[inline(always)]
        pub(crate) fn array(self) -> [f32; LANES] {
            let mut out = [0.0; LANES];
            // SAFETY: AVX is enabled, and the instruction writes the eight numbers of the array
            unsafe { _mm256_storeu_ps(out.as_mut_ptr(), self.0) };
            out
        }
    }

    // SAFETY of all instructions below: this is compiled only where AVX is enabled for the whole
    // program, and none of them reads or writes memory.
    impl Wide for F8 {
        type Mask = M8;
        const COUNT: usize = LANES;

        #[inline(always)]
        fn splat(x: f32) -> F8 {
            // SAFETY: see above
            F8(unsafe { _mm256_set1_ps(x) })
        }

        #[inline(always)]
        fn lanes(f: impl FnMut(usize) -> f32) -> F8 {
            F8::new(core::array::from_fn(f))
        }

        #[inline(always)]
        fn get(self, lane: usize) -> f32 {
            self.array()[lane]
        }

        #[inline(always)]
        fn least(self, other: F8) -> F8 {
            // SAFETY: see above
            F8(unsafe { _mm256_min_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn most(self, other: F8) -> F8 {
            // SAFETY: see above
            F8(unsafe { _mm256_max_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn floor(self) -> F8 {
            // SAFETY: see above
            F8(unsafe { _mm256_floor_ps(self.0) })
        }

        #[inline(always)]
        fn sqrt(self) -> F8 {
            // SAFETY: see above
            F8(unsafe { _mm256_sqrt_ps(self.0) })
        }

        #[inline(always)]
        fn less(self, other: F8) -> M8 {
            // SAFETY: see above
            M8(unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) })
        }

        #[inline(always)]
        fn at_most(self, other: F8) -> M8 {
            // SAFETY: see above
            M8(unsafe { _mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0) })
        }

        #[inline(always)]
        fn choose(mask: M8, yes: F8, no: F8) -> F8 {
            // SAFETY: see above
            F8(unsafe { _mm256_blendv_ps(no.0, yes.0, mask.0) })
        }

        #[inline(always)]
        fn all(mask: M8) -> bool {
            F8::bits(mask) == 0xff
        }

        #[inline(always)]
        fn any(mask: M8) -> bool {
            F8::bits(mask) != 0
        }

        #[inline(always)]
        fn bits(mask: M8) -> u32 {
            // SAFETY: see above
            unsafe { _mm256_movemask_ps(mask.0) as u32 }
        }

        #[inline(always)]
        fn integers(self) -> [i32; LANES] {
            let mut out = [0; LANES];
            // SAFETY: AVX is enabled, and the second instruction writes the eight numbers
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm256_cvttps_epi32(self.0)) };
            out
        }
    }
}

/// Eight numbers.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct F8([f32; LANES]);

/// Mask of eight lanes.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
#[derive(Clone, Copy)]
pub(crate) struct M8([bool; LANES]);

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
mod portable {
    use core::array::from_fn;

    use super::*;

    macro_rules! operator {
        ($trait:ident, $method:ident) => {
            impl $trait for F8 {
                type Output = F8;

                #[inline(always)]
                fn $method(self, other: F8) -> F8 {
                    F8(from_fn(|l| self.0[l].$method(other.0[l])))
                }
            }
        };
    }

    operator!(Add, add);
    operator!(Sub, sub);
    operator!(Mul, mul);
    operator!(Div, div);

    impl BitAnd for M8 {
        type Output = M8;

        #[inline(always)]
        fn bitand(self, other: M8) -> M8 {
            M8(from_fn(|l| self.0[l] & other.0[l]))
        }
    }

    impl F8 {
        #[inline(always)]
        pub(crate) fn new(x: [f32; LANES]) -> F8 {
            F8(x)
        }

        #[inline(always)]
        pub(crate) fn array(self) -> [f32; LANES] {
            self.0
        }
    }

    impl Wide for F8 {
        type Mask = M8;
        const COUNT: usize = LANES;

        #[inline(always)]
        fn splat(x: f32) -> F8 {
            F8([x; LANES])
        }

        #[inline(always)]
        fn lanes(f: impl FnMut(usize) -> f32) -> F8 {
            F8(from_fn(f))
        }

        #[inline(always)]
        fn get(self, lane: usize) -> f32 {
            self.0[lane]
        }

        #[inline(always)]
        fn least(self, other: F8) -> F8 {
            F8(from_fn(|l| self.0[l].least(other.0[l])))
        }

        #[inline(always)]
        fn most(self, other: F8) -> F8 {
            F8(from_fn(|l| self.0[l].most(other.0[l])))
        }

        #[inline(always)]
        fn floor(self) -> F8 {
            F8(self.0.map(f32::floor))
        }

        #[inline(always)]
        fn sqrt(self) -> F8 {
            F8(self.0.map(f32::sqrt))
        }

        #[inline(always)]
        fn less(self, other: F8) -> M8 {
            M8(from_fn(|l| self.0[l] < other.0[l]))
        }

        #[inline(always)]
        fn at_most(self, other: F8) -> M8 {
            M8(from_fn(|l| self.0[l] <= other.0[l]))
        }

        #[inline(always)]
        fn choose(mask: M8, yes: F8, no: F8) -> F8 {
            F8(from_fn(|l| if mask.0[l] { yes.0[l] } else { no.0[l] }))
        }

        #[inline(always)]
        fn all(mask: M8) -> bool {
            mask.0.iter().all(|m| *m)
        }

        #[inline(always)]
        fn any(mask: M8) -> bool {
            mask.0.iter().any(|m| *m)
        }

        #[inline(always)]
        fn bits(mask: M8) -> u32 {
            (0..LANES).map(|l| u32::from(mask.0[l]) << l).sum()
        }

        #[inline(always)]
        fn integers(self) -> [i32; LANES] {
            self.0.map(|x| x as i32)
        }
    }
}

/// Writes the three lowest bytes of each lane.
#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
#[inline(always)]
pub(crate) fn store_bytes(packed: [i32; LANES], out: &mut [[u8; 3]; LANES]) {
    let out = out.as_flattened_mut().as_mut_ptr();
    // SAFETY: AVX, and with it SSSE3, is enabled. 16 bytes are read from each half of `packed`. Of
    // the 24 bytes of `out` the first 16 are written, then the last 12 (as 8 and 4).
    unsafe {
        let order = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
        let half =
            |i: usize| _mm_shuffle_epi8(_mm_loadu_si128(packed.as_ptr().add(4 * i).cast()), order);
        let (first, last) = (half(0), half(1));
        _mm_storeu_si128(out.cast(), first);
        _mm_storel_epi64(out.add(12).cast(), last);
        out.add(20).cast::<i32>().write_unaligned(_mm_extract_epi32::<2>(last));
    }
}

/// Writes the three lowest bytes of each lane.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
#[inline(always)]
pub(crate) fn store_bytes(packed: [i32; LANES], out: &mut [[u8; 3]; LANES]) {
    for (pixel, packed) in out.iter_mut().zip(packed) {
        let [r, g, b, _] = packed.to_le_bytes();
        *pixel = [r, g, b];
    }
}

/// Converts four bytes to floats.
#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
#[inline(always)]
pub(crate) fn numbers(bytes: [u8; 4]) -> [f32; 4] {
    let mut out = [0.0; 4];
    // SAFETY: AVX, and with it SSE4.1, is enabled; the last instruction writes the four numbers
    unsafe {
        let wide = _mm_cvtepu8_epi32(_mm_cvtsi32_si128(i32::from_ne_bytes(bytes)));
        _mm_storeu_ps(out.as_mut_ptr(), _mm_cvtepi32_ps(wide));
    }
    out
}

/// Converts four bytes to floats.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
#[inline(always)]
pub(crate) fn numbers(bytes: [u8; 4]) -> [f32; 4] {
    bytes.map(f32::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each operation on eight lanes has the bits of the operation on single numbers.
    #[test]
    fn lanes_equal_single_numbers() {
        let numbers = [0.0, -0.0, 1.5, -2.25, 1e-30, 3e30, f32::NAN, f32::INFINITY];
        let turned = [7.0, 0.0, 1.5, f32::NAN, -1e-30, 2.0, 1.0, f32::NEG_INFINITY];
        let (a, b) = (F8::new(numbers), F8::new(turned));
        let same = |wide: F8, one: &dyn Fn(f32, f32) -> f32| {
            for l in 0..LANES {
                let (x, y) = (wide.get(l), one(numbers[l], turned[l]));
                assert!(x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan()), "{x} {y}");
            }
        };
        same(a + b, &|x, y| x + y);
        same(a - b, &|x, y| x - y);
        same(a * b, &|x, y| x * y);
        same(a / b, &|x, y| x / y);
        same(a.least(b), &|x, y| x.least(y));
        same(a.most(b), &|x, y| x.most(y));
        same(a.floor(), &|x, _| x.floor());
        same(a.sqrt(), &|x, _| x.sqrt());
        same(F8::choose(a.less(b), a, b), &|x, y| if x < y { x } else { y });
        same(F8::choose(a.at_most(b), a, b), &|x, y| if x <= y { x } else { y });
    }
}
