//! Logarithms and powers without branches or tables, with a relative error of about 4e-6. One step
//! of an 8-bit colour is 4e-3.

/// The float whose unit in the last place is 1: adding it rounds to the nearest integer in the low
/// bits.
const SHIFT: f32 = 12_582_912.0;

/// √½ as bits: lower bound of the reduced mantissa.
const SQRT_HALF: i32 = 0x3f35_04f3;

/// Logarithm to base 2 of a positive number.
#[inline(always)]
fn log2(x: f32) -> f32 {
    // x = m 2^e with m in [√½, √2), log m = 2 artanh((m - 1) / (m + 1))
    let bits = (x.to_bits() as i32).wrapping_sub(SQRT_HALF);
    let exponent = (bits >> 23) as f32;
    let m = f32::from_bits(((bits & 0x007f_ffff) + SQRT_HALF) as u32);
    let s = (m - 1.0) / (m + 1.0);
    let t = s * s;
    exponent + s * (2.885_39 + t * (0.961_796_7 + t * (0.577_078 + t * 0.412_198_6)))
}

/// Logarithm to base 2 of a positive number with an error of about 0.01, for choosing a mipmap
/// level.
#[inline(always)]
pub(crate) fn rough_log2(x: f32) -> f32 {
    // exponent and mantissa are piecewise linear in the logarithm; a parabola corrects the mantissa
    let line = x.to_bits() as i32 as f32 * (1.0 / 8_388_608.0) - 127.0;
    let part = line - line.floor();
    line + 0.346 * part * (1.0 - part)
}

/// Powers of 2, for exponents from -126 to 126.
#[inline(always)]
fn exp2(x: f32) -> f32 {
    let x = if x > -126.0 { x } else { -126.0 };
    let x = if x < 126.0 { x } else { 126.0 };
    let shifted = x + SHIFT;
    let f = x - (shifted - SHIFT);
    let whole = f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23));
    let high = 0.055_504_11 + f * (0.009_618_13 + f * 0.001_333_36);
    whole * (1.0 + f * (core::f32::consts::LN_2 + f * (0.240_226_5 + f * high)))
}

/// `x` to the power `exponent`, for `x` from 0 to 1.
#[inline(always)]
pub(crate) fn power(x: f32, exponent: f32) -> f32 {
    exp2(exponent * log2(if x > 1e-30 { x } else { 1e-30 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_and_powers_agree_with_the_library() {
        for i in 1..2000 {
            let x = i as f32 * 0.013;
            assert!((log2(x) - x.log2()).abs() < 1e-6 * x.log2().abs().max(1.0));
            assert!((rough_log2(x) - x.log2()).abs() < 0.01);
            let e = i as f32 * 0.1 - 100.0;
            assert!((exp2(e) / e.exp2() - 1.0).abs() < 4e-6);
            let base = i as f32 / 2000.0;
            assert!((power(base, 64.0) - base.powf(64.0)).abs() < 2e-5);
        }
        assert!(power(0.0, 3.0) < 1e-30);
    }
}
