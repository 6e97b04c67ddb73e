//! Numbers as text.

/// A number with at most `digits` significant digits, as C's `%g` writes it.
pub fn general(x: f64, digits: usize) -> String {
    if x.is_nan() {
        return if x.is_sign_negative() { "-nan" } else { "nan" }.to_owned();
    }
    if x.is_infinite() {
        return if x < 0.0 { "-inf" } else { "inf" }.to_owned();
    }
    let last = digits.max(1) as i32 - 1;
    let scientific = format!("{x:.*e}", last as usize);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..=last).contains(&exponent) {
        return trimmed(&format!("{x:.*}", (last - exponent) as usize)).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
}

/// A decimal number without trailing zeros.
fn trimmed(number: &str) -> &str {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_c_writes_them() {
        for (x, three, six) in [
            (0.0, "0", "0"),
            (-0.0, "-0", "-0"),
            (1.0, "1", "1"),
            (12.34, "12.3", "12.34"),
            (999.6, "1e+03", "999.6"),
            (999_999.5, "1e+06", "1e+06"),
            (123_456.7, "1.23e+05", "123457"),
            (0.0001234, "0.000123", "0.0001234"),
            (0.00001234, "1.23e-05", "1.234e-05"),
            (1e100, "1e+100", "1e+100"),
            (f64::INFINITY, "inf", "inf"),
            (f64::NEG_INFINITY, "-inf", "-inf"),
            (f64::NAN, "nan", "nan"),
        ] {
            assert_eq!((general(x, 3).as_str(), general(x, 6).as_str()), (three, six));
        }
    }
}
