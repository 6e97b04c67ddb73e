//! Operations of registers.

use core::ops::{Add, Div, Mul, Sub};

/// Number of `f64` values in a register.
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

/// Four numbers. Comparisons return masks: lanes with all bits set or none.
///
/// Only `dispatch!` chooses an implementation other than `Portable`, after checking the processor
/// for its instructions.
pub trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// The four numbers.
    fn new(x: [f64; LANES]) -> Self;

    /// The four numbers.
    fn load(from: &[f64; LANES]) -> Self;

    /// Writes the four numbers.
    fn store(self, to: &mut [f64; LANES]);

    /// The first `count` numbers, at most four, then zeros.
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

    /// The larger numbers; numbers of `self` where either is NaN.
    fn larger(self, other: Self) -> Self;

    /// The smaller numbers; numbers of `self` where either is NaN.
    fn smaller(self, other: Self) -> Self;

    /// Mask of `self <= other`; unset for NaN.
    fn at_most(self, other: Self) -> Self;

    /// Mask of `self < other`; unset for NaN.
    fn less(self, other: Self) -> Self;

    /// The numbers of `a` where this mask is set, of `b` elsewhere.
    fn select(self, a: Self, b: Self) -> Self;

    /// The numbers of `self` where the mask is set, +0 elsewhere; for two masks their intersection.
    fn and(self, mask: Self) -> Self;

    /// The numbers of `self` where the mask is not set, +0 elsewhere; for two masks their
    /// difference.
    fn and_not(self, mask: Self) -> Self;

    /// One bit per lane of a mask, the lowest for the first.
    fn bits(self) -> u8;

    /// (0+2) + (1+3), the order of MuJoCo's `mju_dot`.
    fn sum(self) -> f64;

    /// The sum (0+1) + (2+3) of each of four registers.
    fn sums(lanes: [Self; 4]) -> Self;

    /// Transposes four consecutive triples into registers of first, second and third numbers.
    fn split(triples: [Self; 3]) -> [Self; 3];

    /// The inverse of [`Lane::split`].
    fn join(parts: [Self; 3]) -> [Self; 3];

    /// Transposes a 4×4 block.
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

    /// The numbers with the other sign.
    #[inline(always)]
    fn negated(self) -> Self {
        Self::splat(-0.0) - self
    }

    /// Mask of `self >= other`; unset for NaN.
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

    /// Mask of `self <= other` or NaN.
    fn not_above(self, other: Self) -> Self;

    /// Where both masks are set.
    fn and(self, mask: Self) -> Self;

    /// One bit per lane of a mask, the lowest for the first.
    fn bits(self) -> u8;
}

/// Dot product over the shorter length, in two registers of partial sums.
#[inline(always)]
pub fn dot<L: Lane>(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let ((a, a_tail), (b, b_tail)) = (a[..n].as_chunks(), b[..n].as_chunks());
    let mut sum = [L::splat(0.0); 2];
    for (j, (x, y)) in a.iter().zip(b).enumerate() {
        sum[j % 2] = sum[j % 2].add_mul(L::load(x), L::load(y));
    }
    let tail: f64 = a_tail.iter().zip(b_tail).map(|(x, y)| x * y).sum();
    (sum[0] + sum[1]).sum() + tail
}

/// Up to four triples at the beginning of `x`, as registers of first, second and third numbers,
/// padded with zeros.
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

/// How `count` triples are distributed over three registers.
#[inline(always)]
fn triples_per_register(count: usize) -> [usize; 3] {
    let n = 3 * count;
    let (a, b) = (n.min(LANES), n.min(2 * LANES));
    [a, b - a, n - b]
}
