//! Two numbers side by side, in the register that every x86-64 processor has.
//!
//! Each number has the same operations in the same order as alone, so results are equal to the bit,
//! and no dispatch is needed. The compiler also forms such pairs, but not always the pairs that
//! need no shuffling.
// SAFETY of every block: the instructions are of SSE2, which is part of x86-64, and references to
// two numbers can be read and written.

use core::ops::{Add, Mul, Sub};

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{
    __m128d, _mm_add_pd, _mm_add_sd, _mm_cvtsd_f64, _mm_loadu_pd, _mm_mul_pd, _mm_set_pd,
    _mm_set_sd, _mm_set1_pd, _mm_storeu_pd, _mm_sub_pd, _mm_unpackhi_pd, _mm_unpacklo_pd,
};

/// Two numbers: one register of every x86-64 processor.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Pair(__m128d);

/// Two numbers.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy, Debug)]
pub struct Pair([f64; 2]);

#[cfg(target_arch = "x86_64")]
impl Pair {
    /// The two numbers.
    #[inline(always)]
    pub fn new(a: f64, b: f64) -> Pair {
        Pair(unsafe { _mm_set_pd(b, a) })
    }

    /// The two numbers.
    #[inline(always)]
    pub fn load(from: &[f64; 2]) -> Pair {
        Pair(unsafe { _mm_loadu_pd(from.as_ptr()) })
    }

    /// Writes the two numbers.
    #[inline(always)]
    pub fn store(self, to: &mut [f64; 2]) {
        unsafe { _mm_storeu_pd(to.as_mut_ptr(), self.0) }
    }

    /// One number twice.
    #[inline(always)]
    pub fn both(a: f64) -> Pair {
        Pair(unsafe { _mm_set1_pd(a) })
    }

    /// The two numbers.
    #[inline(always)]
    pub fn to_array(self) -> [f64; 2] {
        unsafe { [_mm_cvtsd_f64(self.0), _mm_cvtsd_f64(_mm_unpackhi_pd(self.0, self.0))] }
    }

    /// The first numbers of two pairs.
    #[inline(always)]
    pub fn firsts(self, o: Pair) -> Pair {
        Pair(unsafe { _mm_unpacklo_pd(self.0, o.0) })
    }

    /// The second numbers of two pairs.
    #[inline(always)]
    pub fn seconds(self, o: Pair) -> Pair {
        Pair(unsafe { _mm_unpackhi_pd(self.0, o.0) })
    }

    /// `x` added to the first number.
    #[inline(always)]
    pub fn add_first(self, x: f64) -> Pair {
        Pair(unsafe { _mm_add_sd(self.0, _mm_set_sd(x)) })
    }

    /// The sum of the two numbers, and the sum of another two.
    #[inline(always)]
    pub fn sums(self, o: Pair) -> Pair {
        Pair(unsafe { _mm_add_pd(_mm_unpacklo_pd(self.0, o.0), _mm_unpackhi_pd(self.0, o.0)) })
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Pair {
    /// The two numbers.
    #[inline(always)]
    pub fn new(a: f64, b: f64) -> Pair {
        Pair([a, b])
    }

    /// The two numbers.
    #[inline(always)]
    pub fn load(from: &[f64; 2]) -> Pair {
        Pair(*from)
    }

    /// Writes the two numbers.
    #[inline(always)]
    pub fn store(self, to: &mut [f64; 2]) {
        *to = self.0;
    }

    /// One number twice.
    #[inline(always)]
    pub fn both(a: f64) -> Pair {
        Pair([a, a])
    }

    /// The two numbers.
    #[inline(always)]
    pub fn to_array(self) -> [f64; 2] {
        self.0
    }

    /// The first numbers of two pairs.
    #[inline(always)]
    pub fn firsts(self, o: Pair) -> Pair {
        Pair([self.0[0], o.0[0]])
    }

    /// The second numbers of two pairs.
    #[inline(always)]
    pub fn seconds(self, o: Pair) -> Pair {
        Pair([self.0[1], o.0[1]])
    }

    /// `x` added to the first number.
    #[inline(always)]
    pub fn add_first(self, x: f64) -> Pair {
        Pair([self.0[0] + x, self.0[1]])
    }

    /// The sum of the two numbers, and the sum of another two.
    #[inline(always)]
    pub fn sums(self, o: Pair) -> Pair {
        Pair([self.0[0] + self.0[1], o.0[0] + o.0[1]])
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $op:tt, $instruction:ident) => {
        impl $trait for Pair {
            type Output = Pair;
            #[inline(always)]
            fn $method(self, o: Pair) -> Pair {
                #[cfg(target_arch = "x86_64")]
                return Pair(unsafe { $instruction(self.0, o.0) });
                #[cfg(not(target_arch = "x86_64"))]
                return Pair([self.0[0] $op o.0[0], self.0[1] $op o.0[1]]);
            }
        }
    };
}
operator!(Add, add, +, _mm_add_pd);
operator!(Sub, sub, -, _mm_sub_pd);
operator!(Mul, mul, *, _mm_mul_pd);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_their_numbers() {
        let (a, b, c, d) = (1.1, -2.3, 1e-17, 7.7);
        let (p, q) = (Pair::new(a, b), Pair::new(c, d));
        assert_eq!((p + q).to_array(), [a + c, b + d]);
        assert_eq!((p - q).to_array(), [a - c, b - d]);
        assert_eq!((p * q).to_array(), [a * c, b * d]);
        assert_eq!(p.sums(q).to_array(), [a + b, c + d]);
        assert_eq!(p.firsts(q).to_array(), [a, c]);
        assert_eq!(p.seconds(q).to_array(), [b, d]);
        assert_eq!(p.add_first(d).to_array(), [a + d, b]);
        assert_eq!(Pair::both(a).to_array(), [a, a]);
        let mut back = [0.0; 2];
        Pair::load(&[a, b]).store(&mut back);
        assert_eq!(back, [a, b]);
    }
}
