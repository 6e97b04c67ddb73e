//! Elementary functions with the same bits on every processor and on GPUs: sums, products and
//! integers alone, in a fixed order.
//!
//! The engine calls [`crate::scalar`], whose bits are MuJoCo's; the kernels of GPUs call these.
#![allow(clippy::excessive_precision)] // coefficients with the digits that were published

/// 2/π as binary digits behind the point, 64 in a word, the first word the first digits.
const TWO_OVER_PI: [u64; 20] = [
    0xA2F9_836E_4E44_1529,
    0xFC27_57D1_F534_DDC0,
    0xDB62_9599_3C43_9041,
    0xFE51_63AB_DEBB_C561,
    0xB724_6E3A_424D_D2E0,
    0x0649_2EEA_09D1_921C,
    0xFE1D_EB1C_B129_A73E,
    0xE882_35F5_2EBB_4484,
    0xE99C_7026_B45F_7E41,
    0x3991_D639_8353_39F4,
    0x9C84_5F8B_BDF9_283B,
    0x1FF8_97FF_DE05_980F,
    0xEF2F_118B_5A0A_6D1F,
    0x6D36_7ECF_27CB_09B7,
    0x4F46_3F66_9E5F_EA2D,
    0x7527_BAC7_EBE5_F17B,
    0x3D07_39F7_8A52_92EA,
    0x6BFB_5FB1_1F8D_5D08,
    0x5603_3046_FC7B_6BAB,
    0xF0CF_BC20_9AF4_361D,
];

/// Up to here the reduction by three parts of π/2 is exact enough.
const MODERATE: f64 = 1e5;

/// Sine and cosine of `x` radians, within an ulp of the correctly rounded values.
#[inline(always)]
pub fn sin_cos(x: f64) -> (f64, f64) {
    let (quadrant, r, tail) = if x.abs() <= MODERATE { reduce(x) } else { reduce_large(x) };
    let (s, c) = kernels(r, tail);
    match quadrant & 3 {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

/// Angle of the point (`x`, `y`), in [-π, π], within two ulps.
#[inline]
pub fn atan2(y: f64, x: f64) -> f64 {
    use core::f64::consts::{FRAC_PI_2, PI};
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    // |y / x|, or its inverse beyond one
    let (a, b) = (y.abs(), x.abs());
    let (small, large) = if a <= b { (a, b) } else { (b, a) };
    let t = if large == 0.0 {
        0.0
    } else if small == large {
        1.0
    } else {
        small / large
    };
    let acute = if a <= b { atan(t) } else { FRAC_PI_2 - (atan(t) - 6.123_233_995_736_766e-17) };
    let angle =
        if x.is_sign_negative() { PI - (acute - 1.224_646_799_147_353_2e-16) } else { acute };
    angle.copysign(y)
}

/// Arc tangent of a number in [0, 1]: by the nearest of 0, 1/2 and 1, and the polynomial of Sun's
/// fdlibm, 1993.
#[inline(always)]
fn atan(x: f64) -> f64 {
    let (hi, lo, r) = if x < 0.4375 {
        (0.0, 0.0, x)
    } else if x < 0.6875 {
        (
            4.636_476_090_008_060_935_15e-1,
            2.269_877_745_296_168_709_24e-17,
            (2.0 * x - 1.0) / (2.0 + x),
        )
    } else {
        (core::f64::consts::FRAC_PI_4, 3.061_616_997_868_383_017_93e-17, (x - 1.0) / (x + 1.0))
    };
    let (z, p) = (r * r, (r * r) * (r * r));
    let even = z
        * (3.333_333_333_333_293_180_27e-1
            + p * (1.428_571_427_250_346_637_11e-1
                + p * (9.090_887_133_436_506_561_96e-2
                    + p * (6.661_073_137_387_531_206_69e-2
                        + p * (4.976_877_994_615_932_360_17e-2
                            + p * 1.628_582_011_536_578_236_23e-2)))));
    let odd = p
        * (-1.999_999_999_987_648_324_76e-1
            + p * (-1.111_111_040_546_235_578_80e-1
                + p * (-7.691_876_205_044_829_994_95e-2
                    + p * (-5.833_570_133_790_573_486_45e-2
                        + p * -3.653_157_274_421_691_552_70e-2))));
    hi - ((r * (even + odd) - lo) - r)
}

/// Sine and cosine of `r + tail` in [-π/4, π/4]: the minimax polynomials of Sun's fdlibm, 1993.
#[inline(always)]
fn kernels(r: f64, tail: f64) -> (f64, f64) {
    let z = r * r;
    let p = 8.333_333_333_322_489_46e-3
        + z * (-1.984_126_982_985_794_93e-4
            + z * (2.755_731_370_707_006_77e-6
                + z * (-2.505_076_025_340_686_34e-8 + z * 1.589_690_995_211_550_10e-10)));
    let v = z * r;
    let sin = r - ((z * (0.5 * tail - v * p) - tail) - v * -1.666_666_666_666_663_24e-1);
    let q = z
        * (4.166_666_666_666_660_19e-2
            + z * (-1.388_888_888_887_410_96e-3
                + z * (2.480_158_728_947_672_94e-5
                    + z * (-2.755_731_435_139_066_33e-7
                        + z * (2.087_572_321_298_174_83e-9 + z * -1.135_964_755_778_819_48e-11)))));
    let half = 0.5 * z;
    let w = 1.0 - half;
    let cos = w + (((1.0 - w) - half) + (z * q - r * tail));
    (sin, cos)
}

/// The nearest multiple of π/2, and the distance from it in two parts.
#[inline(always)]
fn reduce(x: f64) -> (i64, f64, f64) {
    // adding and subtracting 1.5 2⁵² rounds to an integer
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let k = (x * core::f64::consts::FRAC_2_PI + ROUND) - ROUND;
    // π/2 in three parts, of which the first two have 33 digits each
    let a = x - k * 1.570_796_326_734_125_614_17;
    let w = k * 6.077_100_506_303_965_976_60e-11;
    let b = a - w;
    let lost = (a - b) - w;
    let t = k * 2.022_266_248_795_950_631_54e-21 - lost;
    let r = b - t;
    (k as i64, r, (b - r) - t)
}

/// [`reduce`] for any finite number, by Payne and Hanek's method (1983); NaN for others.
#[cold]
#[inline]
fn reduce_large(x: f64) -> (i64, f64, f64) {
    let bits = x.abs().to_bits();
    if !x.is_finite() {
        return (0, f64::NAN, 0.0);
    }
    // |x| = mantissa 2^exponent
    let (mantissa, exponent) = ((bits & ((1 << 52) - 1)) | 1 << 52, (bits >> 52) as i32 - 1075);

    // 192 digits of 2/π from the one whose product counts twice; products before it count 4, 8, ..
    let first = (exponent - 2 + 64) as usize;
    let word = |n: usize| {
        let (i, shift) = (first / 64 + n, first % 64);
        let at = |i: usize| if i == 0 { 0 } else { TWO_OVER_PI[i - 1] };
        if shift == 0 { at(i) } else { at(i) << shift | at(i + 1) >> (64 - shift) }
    };
    let times = |n: usize| u128::from(word(n)) * u128::from(mantissa);
    let sum = (times(0) << 64).wrapping_add(times(1)).wrapping_add(times(2) >> 64);

    // two digits of quadrant, the others a fraction, taken to the nearest quadrant
    let quadrant = (sum >> 126) as i64;
    let fraction = sum << 2;
    let down = fraction >> 127 == 0;
    let (quadrant, far) =
        if down { (quadrant, fraction) } else { (quadrant + 1, fraction.wrapping_neg()) };
    let (hi, lo) = ((far >> 64) as u64, far as u64);
    const WORD: f64 = 1.0 / 18_446_744_073_709_551_616.0;
    let rest = (hi & 0x7ff) as f64 * WORD + lo as f64 * (WORD * WORD);
    let top = (hi & !0x7ff) as f64 * WORD;
    let h = top + rest;
    let l = (top - h) + rest;

    // times π/2, in two parts
    let (p, p_lo) = (1.570_796_326_734_125_614_17, 6.077_100_506_506_192_601_35e-11);
    let (a, b) = split(h);
    let r0 = a * p;
    let r1 = b * p + (h * p_lo + l * p);
    let r = r0 + r1;
    let tail = (r0 - r) + r1;
    let sign = if (x < 0.0) == down { -1.0 } else { 1.0 };
    (if x < 0.0 { -quadrant } else { quadrant }, sign * r, sign * tail)
}

/// A number as the sum of one with 20 digits and the rest, which Dekker's products need.
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    let high = f64::from_bits(x.to_bits() & !((1 << 33) - 1));
    (high, x - high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_and_cosines_are_within_an_ulp() {
        let mut x = 1e-9;
        while x < 1e300 {
            for x in [x, -x] {
                let (s, c) = sin_cos(x);
                for (ours, theirs) in [(s, x.sin()), (c, x.cos())] {
                    let ulp = theirs.abs() * f64::EPSILON;
                    assert!((ours - theirs).abs() <= ulp, "{x}: {ours} {theirs}");
                }
            }
            x *= 1.003_7;
        }
    }

    #[test]
    fn angles_are_within_two_ulps() {
        for i in -40..=40 {
            for k in -40..=40 {
                let (y, x) = (f64::from(i) * 0.37, f64::from(k) * 0.29);
                let (ours, theirs) = (atan2(y, x), y.atan2(x));
                assert!((ours - theirs).abs() <= 2.0 * f64::EPSILON * theirs.abs(), "{y} {x}");
            }
        }
    }

    #[test]
    fn sines_of_numbers_without_angle_are_nan() {
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let (s, c) = sin_cos(x);
            assert!(s.is_nan() && c.is_nan());
        }
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
    }
}
