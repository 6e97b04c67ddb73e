//! Four numbers in one register, on targets whose baseline has such registers.
//!
//! As for [`Pair`](super::Pair), each number has the same operations as alone, and no dispatch is
//! needed.
// SAFETY of every block: the instructions are of AVX, and the module exists only where the target
// has AVX. References to four numbers can be read and written.

use core::ops::{Add, Mul};

#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
use core::arch::x86_64::{
    __m256d, _mm256_add_pd, _mm256_addsub_pd, _mm256_mul_pd, _mm256_permute_pd,
    _mm256_permute2f128_pd, _mm256_set1_pd, _mm256_setr_pd, _mm256_storeu_pd, _mm256_xor_pd,
};

/// Four numbers: one register.
#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
#[derive(Clone, Copy, Debug)]
pub struct Quad(__m256d);

/// Four numbers.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
#[derive(Clone, Copy, Debug)]
pub struct Quad([f64; 4]);

#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
impl Quad {
    /// The four numbers.
    #[inline(always)]
    pub fn new([a, b, c, d]: [f64; 4]) -> Quad {
        Quad(unsafe { _mm256_setr_pd(a, b, c, d) })
    }

    /// One number four times.
    #[inline(always)]
    pub fn all(a: f64) -> Quad {
        Quad(unsafe { _mm256_set1_pd(a) })
    }

    /// The four numbers.
    #[inline(always)]
    pub fn to_array(self) -> [f64; 4] {
        let mut x = [0.0; 4];
        unsafe { _mm256_storeu_pd(x.as_mut_ptr(), self.0) };
        x
    }

    /// (1, 0, 3, 2)
    #[inline(always)]
    pub fn neighbours(self) -> Quad {
        Quad(unsafe { _mm256_permute_pd::<0b0101>(self.0) })
    }

    /// (2, 3, 0, 1)
    #[inline(always)]
    pub fn halves_swapped(self) -> Quad {
        Quad(unsafe { _mm256_permute2f128_pd::<1>(self.0, self.0) })
    }

    /// Differences of the first and third numbers, sums of the second and fourth.
    #[inline(always)]
    pub fn sub_add(self, o: Quad) -> Quad {
        Quad(unsafe { _mm256_addsub_pd(self.0, o.0) })
    }

    /// The numbers with the signs of `signs`, whose entries are 1 or -1.
    #[inline(always)]
    pub fn with_signs(self, signs: [f64; 4]) -> Quad {
        let [a, b, c, d] = signs.map(|x| if x < 0.0 { -0.0 } else { 0.0 });
        Quad(unsafe { _mm256_xor_pd(self.0, _mm256_setr_pd(a, b, c, d)) })
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
impl Quad {
    /// The four numbers.
    #[inline(always)]
    pub fn new(x: [f64; 4]) -> Quad {
        Quad(x)
    }

    /// One number four times.
    #[inline(always)]
    pub fn all(a: f64) -> Quad {
        Quad([a; 4])
    }

    /// The four numbers.
    #[inline(always)]
    pub fn to_array(self) -> [f64; 4] {
        self.0
    }

    /// (1, 0, 3, 2)
    #[inline(always)]
    pub fn neighbours(self) -> Quad {
        let [a, b, c, d] = self.0;
        Quad([b, a, d, c])
    }

    /// (2, 3, 0, 1)
    #[inline(always)]
    pub fn halves_swapped(self) -> Quad {
        let [a, b, c, d] = self.0;
        Quad([c, d, a, b])
    }

    /// Differences of the first and third numbers, sums of the second and fourth.
    #[inline(always)]
    pub fn sub_add(self, o: Quad) -> Quad {
        let ([a, b, c, d], o) = (self.0, o.0);
        Quad([a - o[0], b + o[1], c - o[2], d + o[3]])
    }

    /// The numbers with the signs of `signs`, whose entries are 1 or -1.
    #[inline(always)]
    pub fn with_signs(self, signs: [f64; 4]) -> Quad {
        let x = self.0;
        Quad(core::array::from_fn(|k| if signs[k] < 0.0 { -x[k] } else { x[k] }))
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $op:tt, $instruction:ident) => {
        impl $trait for Quad {
            type Output = Quad;
            #[inline(always)]
            fn $method(self, o: Quad) -> Quad {
                #[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
                return Quad(unsafe { $instruction(self.0, o.0) });
                #[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
                return Quad(core::array::from_fn(|k| self.0[k] $op o.0[k]));
            }
        }
    };
}
operator!(Add, add, +, _mm256_add_pd);
operator!(Mul, mul, *, _mm256_mul_pd);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quads_are_their_numbers() {
        let ([a, b, c, d], [e, f, g, h]) = ([1.1, -2.3, 1e-17, 7.7], [0.3, 1e17, -0.0, 5.5]);
        let (p, q) = (Quad::new([a, b, c, d]), Quad::new([e, f, g, h]));
        assert_eq!((p + q).to_array(), [a + e, b + f, c + g, d + h]);
        assert_eq!((p * q).to_array(), [a * e, b * f, c * g, d * h]);
        assert_eq!(p.sub_add(q).to_array(), [a - e, b + f, c - g, d + h]);
        assert_eq!(p.neighbours().to_array(), [b, a, d, c]);
        assert_eq!(p.halves_swapped().to_array(), [c, d, a, b]);
        assert_eq!(p.with_signs([1.0, -1.0, -1.0, 1.0]).to_array(), [a, -b, -c, d]);
        assert_eq!(Quad::all(a).to_array(), [a; 4]);
    }
}
