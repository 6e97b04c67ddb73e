//! Registers as arrays, for any processor; the reference for the wide registers.

use core::array::from_fn;
use core::ops::{Add, Div, Mul, Sub};

use super::lane::{LANES, Lane, LaneF32};

/// Four numbers in the registers of the target; never fuses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portable([f64; LANES]);

/// Eight numbers of single precision in the registers of the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PortableF32([f32; 8]);

macro_rules! operators {
    ($type:ident: $($trait:ident $method:ident $op:tt),*) => {$(
        impl $trait for $type {
            type Output = $type;
            #[inline(always)]
            fn $method(self, other: $type) -> $type {
                $type(from_fn(|k| self.0[k] $op other.0[k]))
            }
        }
    )*};
}
operators!(Portable: Add add +, Sub sub -, Mul mul *, Div div /);
operators!(PortableF32: Add add +, Sub sub -, Mul mul *);

impl Portable {
    #[inline(always)]
    fn mask(set: [bool; LANES]) -> Portable {
        Portable(set.map(|set| f64::from_bits(if set { u64::MAX } else { 0 })))
    }
}

impl Lane for Portable {
    #[inline(always)]
    fn new(x: [f64; LANES]) -> Self {
        Portable(x)
    }

    #[inline(always)]
    fn load(from: &[f64; LANES]) -> Self {
        Portable(*from)
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; LANES]) {
        *to = self.0;
    }

    #[inline(always)]
    fn load_some(from: &[f64], count: usize) -> Self {
        let mut x = [0.0; LANES];
        x[..count].copy_from_slice(&from[..count]);
        Portable(x)
    }

    #[inline(always)]
    fn store_some(self, to: &mut [f64], count: usize) {
        to[..count].copy_from_slice(&self.0[..count]);
    }

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Portable([x; LANES])
    }

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

    #[inline(always)]
    fn sqrt(self) -> Self {
        Portable(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Portable(self.0.map(f64::abs))
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Portable(from_fn(|k| if b[k] > a[k] { b[k] } else { a[k] }))
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Portable(from_fn(|k| if b[k] < a[k] { b[k] } else { a[k] }))
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Self {
        Portable::mask(from_fn(|k| self.0[k] <= other.0[k]))
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        Portable::mask(from_fn(|k| self.0[k] < other.0[k]))
    }

    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        Portable(from_fn(|k| if self.0[k].to_bits() == 0 { b.0[k] } else { a.0[k] }))
    }

    #[inline(always)]
    fn and(self, mask: Self) -> Self {
        Portable(from_fn(|k| f64::from_bits(self.0[k].to_bits() & mask.0[k].to_bits())))
    }

    #[inline(always)]
    fn and_not(self, mask: Self) -> Self {
        Portable(from_fn(|k| f64::from_bits(self.0[k].to_bits() & !mask.0[k].to_bits())))
    }

    #[inline(always)]
    fn bits(self) -> u8 {
        (0..LANES).fold(0, |bits, k| bits | u8::from(self.0[k].is_sign_negative()) << k)
    }

    #[inline(always)]
    fn sum(self) -> f64 {
        let x = self.0;
        (x[0] + x[2]) + (x[1] + x[3])
    }

    #[inline(always)]
    fn sums(lanes: [Self; 4]) -> Self {
        Portable(lanes.map(|Portable(x)| (x[0] + x[1]) + (x[2] + x[3])))
    }

    #[inline(always)]
    fn split(triples: [Self; 3]) -> [Self; 3] {
        let at = |k: usize| triples[k / LANES].0[k % LANES];
        from_fn(|part| Portable(from_fn(|k| at(3 * k + part))))
    }

    #[inline(always)]
    fn join(parts: [Self; 3]) -> [Self; 3] {
        let at = |k: usize| parts[k % 3].0[k / 3];
        from_fn(|t| Portable(from_fn(|k| at(LANES * t + k))))
    }

    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        from_fn(|i| Portable(from_fn(|j| rows[j].0[i])))
    }
}

impl LaneF32 for PortableF32 {
    #[inline(always)]
    fn load(from: &[f32; 8]) -> Self {
        PortableF32(*from)
    }

    #[inline(always)]
    fn splat(x: f32) -> Self {
        PortableF32([x; 8])
    }

    #[inline(always)]
    fn not_above(self, other: Self) -> Self {
        let above = |k: usize| self.0[k] > other.0[k];
        PortableF32(from_fn(|k| f32::from_bits(if above(k) { 0 } else { u32::MAX })))
    }

    #[inline(always)]
    fn and(self, mask: Self) -> Self {
        PortableF32(from_fn(|k| f32::from_bits(self.0[k].to_bits() & mask.0[k].to_bits())))
    }

    #[inline(always)]
    fn bits(self) -> u8 {
        (0..8).fold(0, |bits, k| bits | u8::from(self.0[k].is_sign_negative()) << k)
    }
}
