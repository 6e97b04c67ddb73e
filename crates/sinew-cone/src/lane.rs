//! Registers of four numbers.
//!
//! A kernel is written once over [`Lane`] and compiled twice on x86-64, for the baseline and for
//! AVX with FMA: left to itself the compiler would vectorise across loops of four and shuffle. FMA
//! rounds a product and a sum once, so results may differ in the last bits between processors, but
//! not between two runs on one.

// the intrinsics, in functions that are only reached if the processor has them
#![allow(unsafe_code)]

/// Compiles `$body` for the baseline and for AVX with FMA and chooses at run time. What `$body`
/// calls must be inlined to take part.
macro_rules! twin {
    ($(#[$doc:meta])* $name:ident, $avx:ident, $body:ident, ($($arg:ident: $ty:ty),*) $(-> $ret:ty)?) => {
        $(#[$doc])*
        #[allow(unsafe_code)] // the call of the AVX twin, after asking the processor
        pub(crate) fn $name($($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx") && is_x86_feature_detected!("fma") {
                // SAFETY: the processor has just been asked for the features.
                return unsafe { $avx($($arg),*) };
            }
            $body::<[f64; 4]>($($arg),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx,fma")]
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

    /// The first `count` numbers, at most four; zeros behind them.
    fn load_some(from: &[f64], count: usize) -> Self;

    /// Writes the first `count` numbers, at most four.
    fn store_some(self, to: &mut [f64], count: usize);

    fn splat(x: f64) -> Self;

    fn new(x: [f64; LANES]) -> Self;

    fn add(self, other: Self) -> Self;

    fn sub(self, other: Self) -> Self;

    fn mul(self, other: Self) -> Self;

    /// `self + a b`
    fn add_mul(self, a: Self, b: Self) -> Self;

    /// `self - a b`
    fn sub_mul(self, a: Self, b: Self) -> Self;

    /// The larger numbers; those of `self` where one is NaN.
    fn larger(self, other: Self) -> Self;

    /// The smaller numbers; those of `self` where one is NaN.
    fn smaller(self, other: Self) -> Self;

    fn abs(self) -> Self;

    fn div(self, other: Self) -> Self;

    fn sqrt(self) -> Self;

    /// A mask of where `self <= other`; unset where one is NaN.
    fn at_most(self, other: Self) -> Self;

    /// The numbers of `a` where the mask is set, those of `b` elsewhere.
    fn select(self, a: Self, b: Self) -> Self;

    /// Where both masks are set.
    fn and(self, other: Self) -> Self;

    /// Where this mask is set and the other one is not.
    fn and_not(self, other: Self) -> Self;

    /// Whether a mask is set anywhere.
    fn any(self) -> bool;

    /// Four triples, one after the other, as their first, second and third numbers.
    fn split(triples: [Self; 3]) -> [Self; 3];

    /// The inverse of `split`.
    fn join(parts: [Self; 3]) -> [Self; 3];

    /// Rows as columns.
    fn transpose(rows: [Self; 4]) -> [Self; 4];

    #[inline(always)]
    fn first(self) -> f64 {
        let mut x = [0.0; LANES];
        self.store(&mut x);
        x[0]
    }

    /// The largest of the four, if none is NaN.
    #[inline(always)]
    fn largest(self) -> f64 {
        let mut x = [0.0; LANES];
        self.store(&mut x);
        x[0].max(x[1]).max(x[2].max(x[3]))
    }

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
    fn load_some(from: &[f64], count: usize) -> Self {
        let mut x = [0.0; LANES];
        x[..count].copy_from_slice(&from[..count]);
        x
    }

    #[inline(always)]
    fn store_some(self, to: &mut [f64], count: usize) {
        to[..count].copy_from_slice(&self[..count]);
    }

    #[inline(always)]
    fn splat(x: f64) -> Self {
        [x; LANES]
    }

    #[inline(always)]
    fn new(x: [f64; LANES]) -> Self {
        x
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
    fn add_mul(self, a: Self, b: Self) -> Self {
        std::array::from_fn(|l| self[l] + a[l] * b[l])
    }

    #[inline(always)]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        std::array::from_fn(|l| self[l] - a[l] * b[l])
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        std::array::from_fn(|l| if other[l] > self[l] { other[l] } else { self[l] })
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        std::array::from_fn(|l| if other[l] < self[l] { other[l] } else { self[l] })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.map(f64::abs)
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        std::array::from_fn(|l| self[l] / other[l])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Self {
        std::array::from_fn(|l| f64::from_bits(if self[l] <= other[l] { u64::MAX } else { 0 }))
    }

    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        std::array::from_fn(|l| if self[l].to_bits() == 0 { b[l] } else { a[l] })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        std::array::from_fn(|l| f64::from_bits(self[l].to_bits() & other[l].to_bits()))
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        std::array::from_fn(|l| f64::from_bits(self[l].to_bits() & !other[l].to_bits()))
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.iter().any(|x| x.to_bits() != 0)
    }

    #[inline(always)]
    fn split(t: [Self; 3]) -> [Self; 3] {
        let at = |k: usize| t[k / LANES][k % LANES];
        std::array::from_fn(|part| std::array::from_fn(|l| at(3 * l + part)))
    }

    #[inline(always)]
    fn join(parts: [Self; 3]) -> [Self; 3] {
        let at = |k: usize| parts[k % 3][k / 3];
        std::array::from_fn(|t| std::array::from_fn(|l| at(LANES * t + l)))
    }

    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        std::array::from_fn(|i| std::array::from_fn(|j| rows[j][i]))
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use avx::Avx;

#[cfg(target_arch = "x86_64")]
mod avx {
    use std::arch::x86_64::*;

    use super::{LANES, Lane};

    /// A register of AVX, with FMA; only for functions compiled for both.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx(__m256d);

    /// A mask of the first `count` lanes, all if there are more.
    #[inline(always)]
    fn mask(count: usize) -> __m256i {
        const BITS: [[i64; LANES]; LANES + 1] =
            [[0, 0, 0, 0], [-1, 0, 0, 0], [-1, -1, 0, 0], [-1, -1, -1, 0], [-1; LANES]];
        // SAFETY: see `Avx`; the row has four numbers.
        unsafe { _mm256_loadu_si256(BITS[count.min(LANES)].as_ptr().cast()) }
    }

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
        fn load_some(from: &[f64], count: usize) -> Self {
            let from = &from[..count];
            // SAFETY: as above; what the mask leaves out is not read.
            unsafe { Avx(_mm256_maskload_pd(from.as_ptr(), mask(count))) }
        }

        #[inline(always)]
        fn store_some(self, to: &mut [f64], count: usize) {
            let to = &mut to[..count];
            // SAFETY: as above; what the mask leaves out is not written.
            unsafe { _mm256_maskstore_pd(to.as_mut_ptr(), mask(count), self.0) }
        }

        #[inline(always)]
        fn splat(x: f64) -> Self {
            unsafe { Avx(_mm256_set1_pd(x)) }
        }

        #[inline(always)]
        fn new(x: [f64; LANES]) -> Self {
            unsafe { Avx(_mm256_setr_pd(x[0], x[1], x[2], x[3])) }
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
        fn add_mul(self, a: Self, b: Self) -> Self {
            unsafe { Avx(_mm256_fmadd_pd(a.0, b.0, self.0)) }
        }

        #[inline(always)]
        fn sub_mul(self, a: Self, b: Self) -> Self {
            unsafe { Avx(_mm256_fnmadd_pd(a.0, b.0, self.0)) }
        }

        #[inline(always)]
        fn larger(self, other: Self) -> Self {
            // the instruction returns its second operand if the first is not larger
            unsafe { Avx(_mm256_max_pd(other.0, self.0)) }
        }

        #[inline(always)]
        fn smaller(self, other: Self) -> Self {
            unsafe { Avx(_mm256_min_pd(other.0, self.0)) }
        }

        #[inline(always)]
        fn abs(self) -> Self {
            unsafe { Avx(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0)) }
        }

        #[inline(always)]
        fn div(self, other: Self) -> Self {
            unsafe { Avx(_mm256_div_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            unsafe { Avx(_mm256_sqrt_pd(self.0)) }
        }

        #[inline(always)]
        fn at_most(self, other: Self) -> Self {
            unsafe { Avx(_mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0)) }
        }

        #[inline(always)]
        fn select(self, a: Self, b: Self) -> Self {
            unsafe { Avx(_mm256_blendv_pd(b.0, a.0, self.0)) }
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            unsafe { Avx(_mm256_and_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn and_not(self, other: Self) -> Self {
            unsafe { Avx(_mm256_andnot_pd(other.0, self.0)) }
        }

        #[inline(always)]
        fn any(self) -> bool {
            unsafe { _mm256_movemask_pd(self.0) != 0 }
        }

        #[inline(always)]
        fn split([a, b, c]: [Self; 3]) -> [Self; 3] {
            // a = x0 y0 z0 x1, b = y1 z1 x2 y2, c = z2 x3 y3 z3
            unsafe {
                let p = _mm256_blend_pd::<0b1100>(a.0, b.0);
                let q = _mm256_permute2f128_pd::<0x21>(a.0, c.0);
                let r = _mm256_blend_pd::<0b1100>(b.0, c.0);
                [
                    Avx(_mm256_shuffle_pd::<0b1010>(p, q)),
                    Avx(_mm256_shuffle_pd::<0b0101>(p, r)),
                    Avx(_mm256_shuffle_pd::<0b1010>(q, r)),
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
                    Avx(_mm256_permute2f128_pd::<0x20>(p, q)),
                    Avx(_mm256_blend_pd::<0b1100>(r, p)),
                    Avx(_mm256_permute2f128_pd::<0x31>(q, r)),
                ]
            }
        }

        #[inline(always)]
        fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
            unsafe {
                let (low, high) = (_mm256_unpacklo_pd(a.0, b.0), _mm256_unpackhi_pd(a.0, b.0));
                let (low2, high2) = (_mm256_unpacklo_pd(c.0, d.0), _mm256_unpackhi_pd(c.0, d.0));
                [
                    Avx(_mm256_permute2f128_pd::<0x20>(low, low2)),
                    Avx(_mm256_permute2f128_pd::<0x20>(high, high2)),
                    Avx(_mm256_permute2f128_pd::<0x31>(low, low2)),
                    Avx(_mm256_permute2f128_pd::<0x31>(high, high2)),
                ]
            }
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

/// `a - b` of three registers. Closures would not be compiled for the processor's features.
#[inline(always)]
pub(crate) fn sub3<L: Lane>(a: &[L; 3], b: &[L; 3]) -> [L; 3] {
    [a[0].sub(b[0]), a[1].sub(b[1]), a[2].sub(b[2])]
}

/// The registers of `a` where the mask is set, those of `b` elsewhere.
#[inline(always)]
pub(crate) fn select3<L: Lane>(mask: L, a: &[L; 3], b: &[L; 3]) -> [L; 3] {
    [mask.select(a[0], b[0]), mask.select(a[1], b[1]), mask.select(a[2], b[2])]
}

/// Up to four triples at the beginning of `x`, as their first, second and third numbers; zeros
/// where there is none.
#[inline(always)]
pub(crate) fn load3<L: Lane>(x: &[f64], count: usize) -> [L; 3] {
    if let (LANES, [a, b, c, ..]) = (count, lanes(x)) {
        return L::split([L::load(a), L::load(b), L::load(c)]);
    }
    let [a, b, c] = shares(count);
    L::split([L::load_some(x, a), L::load_some(&x[a..], b), L::load_some(&x[a + b..], c)])
}

/// The inverse of `load3`.
#[inline(always)]
pub(crate) fn store3<L: Lane>(parts: [L; 3], x: &mut [f64], count: usize) {
    let t = L::join(parts);
    if let (LANES, [a, b, c, ..]) = (count, lanes_mut(x)) {
        t[0].store(a);
        t[1].store(b);
        t[2].store(c);
        return;
    }
    let [a, b, c] = shares(count);
    t[0].store_some(x, a);
    t[1].store_some(&mut x[a..], b);
    t[2].store_some(&mut x[a + b..], c);
}

/// How many numbers of `count` triples are in each of three registers.
#[inline(always)]
fn shares(count: usize) -> [usize; 3] {
    let n = 3 * count;
    let (a, b) = (n.min(LANES), n.min(2 * LANES));
    [a, b - a, n - b]
}

#[cfg(test)]
mod tests {
    use super::*;

    twin! {
        shuffled, shuffled_avx, shuffled_body, (x: &[f64]) -> [Vec<f64>; 3]
    }

    #[inline(always)]
    fn shuffled_body<L: Lane>(x: &[f64]) -> [Vec<f64>; 3] {
        let parts = load3::<L>(x, LANES);
        let (mut split, mut joined, mut turned) = (vec![0.0; 12], vec![0.0; 12], vec![0.0; 16]);
        for (part, out) in parts.iter().zip(lanes_mut(&mut split)) {
            part.store(out);
        }
        store3::<L>(parts, &mut joined, LANES);
        let x = lanes(x);
        let rows = [L::load(&x[0]), L::load(&x[1]), L::load(&x[2]), L::load(&x[3])];
        for (row, out) in L::transpose(rows).iter().zip(lanes_mut(&mut turned)) {
            row.store(out);
        }
        [split, joined, turned]
    }

    #[test]
    fn shuffles_put_numbers_where_they_belong() {
        let x: Vec<f64> = (0..16).map(f64::from).collect();
        let [split, joined, turned] = shuffled(&x);
        assert_eq!(split, [0.0, 3.0, 6.0, 9.0, 1.0, 4.0, 7.0, 10.0, 2.0, 5.0, 8.0, 11.0]);
        assert_eq!(joined, x[..12]);
        assert!((0..16).all(|k| turned[k] == x[k % 4 * 4 + k / 4]));
        assert_eq!(shuffled(&x), shuffled_body::<[f64; 4]>(&x));
    }
}
