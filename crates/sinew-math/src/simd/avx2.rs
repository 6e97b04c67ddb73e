//! Registers of AVX, for functions compiled for AVX2 and FMA. [`super::dispatch!`] is the only
//! caller of these functions, after checking the processor.
// SAFETY of every block: values of these types exist only where the processor has AVX2 and FMA (see
// above). References to numbers can be read and written.

use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Sub};

use super::lane::{LANES, Lane, LaneF32};

/// Four numbers; a product and a sum are rounded one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Exact(__m256d);

/// Four numbers; a product and a sum are rounded once.
#[derive(Clone, Copy, Debug)]
pub struct Fused(__m256d);

/// Eight numbers of single precision.
#[derive(Clone, Copy, Debug)]
pub struct Single(__m256);

/// A mask of the first `count` lanes, all if there are more.
#[inline(always)]
fn first_lanes(count: usize) -> __m256i {
    const BITS: [[i64; LANES]; LANES + 1] =
        [[0, 0, 0, 0], [-1, 0, 0, 0], [-1, -1, 0, 0], [-1, -1, -1, 0], [-1; LANES]];
    unsafe { _mm256_loadu_si256(BITS[count.min(LANES)].as_ptr().cast()) }
}

macro_rules! operators {
    ($type:ident: $($trait:ident $method:ident $instruction:ident),*) => {$(
        impl $trait for $type {
            type Output = $type;
            #[inline(always)]
            fn $method(self, other: $type) -> $type {
                $type(unsafe { $instruction(self.0, other.0) })
            }
        }
    )*};
}
operators!(Exact: Add add _mm256_add_pd, Sub sub _mm256_sub_pd, Mul mul _mm256_mul_pd,
    Div div _mm256_div_pd);
operators!(Fused: Add add _mm256_add_pd, Sub sub _mm256_sub_pd, Mul mul _mm256_mul_pd,
    Div div _mm256_div_pd);
operators!(Single: Add add _mm256_add_ps, Sub sub _mm256_sub_ps, Mul mul _mm256_mul_ps);

/// All operations of a lane except products and sums, which depend on the type.
macro_rules! lane {
    ($type:ident, $($products:item)*) => {
        impl Lane for $type {
            $($products)*

            #[inline(always)]
            fn new(x: [f64; LANES]) -> Self {
                $type(unsafe { _mm256_setr_pd(x[0], x[1], x[2], x[3]) })
            }

            #[inline(always)]
            fn load(from: &[f64; LANES]) -> Self {
                $type(unsafe { _mm256_loadu_pd(from.as_ptr()) })
            }

            #[inline(always)]
            fn store(self, to: &mut [f64; LANES]) {
                unsafe { _mm256_storeu_pd(to.as_mut_ptr(), self.0) }
            }

            #[inline(always)]
            fn load_some(from: &[f64], count: usize) -> Self {
                let from = &from[..count];
                // masked lanes are not read
                $type(unsafe { _mm256_maskload_pd(from.as_ptr(), first_lanes(count)) })
            }

            #[inline(always)]
            fn store_some(self, to: &mut [f64], count: usize) {
                let to = &mut to[..count];
                // masked lanes are not written
                unsafe { _mm256_maskstore_pd(to.as_mut_ptr(), first_lanes(count), self.0) }
            }

            #[inline(always)]
            fn splat(x: f64) -> Self {
                $type(unsafe { _mm256_set1_pd(x) })
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                $type(unsafe { _mm256_sqrt_pd(self.0) })
            }

            #[inline(always)]
            fn abs(self) -> Self {
                $type(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
            }

            #[inline(always)]
            fn larger(self, other: Self) -> Self {
                // the instruction returns its second operand unless the first is larger
                $type(unsafe { _mm256_max_pd(other.0, self.0) })
            }

            #[inline(always)]
            fn smaller(self, other: Self) -> Self {
                $type(unsafe { _mm256_min_pd(other.0, self.0) })
            }

            #[inline(always)]
            fn at_most(self, other: Self) -> Self {
                $type(unsafe { _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0) })
            }

            #[inline(always)]
            fn less(self, other: Self) -> Self {
                $type(unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0) })
            }

            #[inline(always)]
            fn select(self, a: Self, b: Self) -> Self {
                $type(unsafe { _mm256_blendv_pd(b.0, a.0, self.0) })
            }

            #[inline(always)]
            fn and(self, mask: Self) -> Self {
                $type(unsafe { _mm256_and_pd(self.0, mask.0) })
            }

            #[inline(always)]
            fn and_not(self, mask: Self) -> Self {
                $type(unsafe { _mm256_andnot_pd(mask.0, self.0) })
            }

            #[inline(always)]
            fn bits(self) -> u8 {
                unsafe { _mm256_movemask_pd(self.0) as u8 }
            }

            #[inline(always)]
            fn sum(self) -> f64 {
                unsafe {
                    let high = _mm256_extractf128_pd::<1>(self.0);
                    let pair = _mm_add_pd(_mm256_castpd256_pd128(self.0), high);
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
                    $type(_mm256_add_pd(low, high))
                }
            }

            #[inline(always)]
            fn split([a, b, c]: [Self; 3]) -> [Self; 3] {
                // a = x0 y0 z0 x1, b = y1 z1 x2 y2, c = z2 x3 y3 z3
                unsafe {
                    let p = _mm256_blend_pd::<0b1100>(a.0, b.0);
                    let q = _mm256_permute2f128_pd::<0x21>(a.0, c.0);
                    let r = _mm256_blend_pd::<0b1100>(b.0, c.0);
                    [
                        $type(_mm256_shuffle_pd::<0b1010>(p, q)),
                        $type(_mm256_shuffle_pd::<0b0101>(p, r)),
                        $type(_mm256_shuffle_pd::<0b1010>(q, r)),
                    ]
                }
            }

            #[inline(always)]
            fn join([x, y, z]: [Self; 3]) -> [Self; 3] {
                unsafe {
                    let p = _mm256_shuffle_pd::<0b0000>(x.0, y.0);
                    let q = _mm256_shuffle_pd::<0b1010>(z.0, x.0);
                    let r = _mm256_shuffle_pd::<0b1111>(y.0, z.0);
                    [
                        $type(_mm256_permute2f128_pd::<0x20>(p, q)),
                        $type(_mm256_blend_pd::<0b1100>(r, p)),
                        $type(_mm256_permute2f128_pd::<0x31>(q, r)),
                    ]
                }
            }

            #[inline(always)]
            fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
                unsafe {
                    let (low, high) = (_mm256_unpacklo_pd(a.0, b.0), _mm256_unpackhi_pd(a.0, b.0));
                    let (low2, high2) =
                        (_mm256_unpacklo_pd(c.0, d.0), _mm256_unpackhi_pd(c.0, d.0));
                    [
                        $type(_mm256_permute2f128_pd::<0x20>(low, low2)),
                        $type(_mm256_permute2f128_pd::<0x20>(high, high2)),
                        $type(_mm256_permute2f128_pd::<0x31>(low, low2)),
                        $type(_mm256_permute2f128_pd::<0x31>(high, high2)),
                    ]
                }
            }
        }
    };
}

lane! {
    Exact,

    #[inline(always)]
    fn add_mul(self, a: Self, b: Self) -> Self {
        self + a * b
    }

    #[inline(always)]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        self - a * b
    }

    #[inline(always)]
    fn sub_mul_one(x: f64, a: f64, b: f64) -> f64 {
        x - a * b
    }
}

lane! {
    Fused,

    #[inline(always)]
    fn add_mul(self, a: Self, b: Self) -> Self {
        Fused(unsafe { _mm256_fmadd_pd(a.0, b.0, self.0) })
    }

    #[inline(always)]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        Fused(unsafe { _mm256_fnmadd_pd(a.0, b.0, self.0) })
    }

    #[inline(always)]
    fn sub_mul_one(x: f64, a: f64, b: f64) -> f64 {
        (-a).mul_add(b, x)
    }
}

impl LaneF32 for Single {
    #[inline(always)]
    fn load(from: &[f32; 8]) -> Self {
        Single(unsafe { _mm256_loadu_ps(from.as_ptr()) })
    }

    #[inline(always)]
    fn splat(x: f32) -> Self {
        Single(unsafe { _mm256_set1_ps(x) })
    }

    #[inline(always)]
    fn not_above(self, other: Self) -> Self {
        Single(unsafe { _mm256_cmp_ps::<_CMP_NGT_UQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn and(self, mask: Self) -> Self {
        Single(unsafe { _mm256_and_ps(self.0, mask.0) })
    }

    #[inline(always)]
    fn bits(self) -> u8 {
        unsafe { _mm256_movemask_ps(self.0) as u8 }
    }
}
