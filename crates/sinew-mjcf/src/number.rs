//! Numbers in the style of MuJoCo's writer: six digits, and integers without a point.

use sinew_model::number::general;

/// Digits that are written.
const DIGITS: usize = 6;
/// Numbers this close to an integer are written as that integer.
const NEAR: f64 = 1e-12;

/// A number with six digits, as C's `%g` writes it.
pub(crate) fn short(x: f64) -> String {
    general(x, DIGITS)
}

/// A number with six digits, or as an integer if it is one but for rounding.
pub(crate) fn concise(x: f64) -> String {
    let (low, high) = (x.floor(), x.ceil());
    if x.abs() < f64::from(i32::MAX) && ((x - low).abs() < NEAR || (x - high).abs() < NEAR) {
        let nearest = if (x - low).abs() < (x - high).abs() { low } else { high };
        return (nearest as i64).to_string();
    }
    short(x)
}

/// Numbers in a row, each by [`concise`].
pub(crate) fn concise_row(values: &[f64]) -> String {
    values.iter().map(|x| concise(*x)).collect::<Vec<_>>().join(" ")
}

/// Numbers in a row, each by [`short`].
pub(crate) fn short_row<T: Copy + Into<f64>>(values: &[T]) -> String {
    values.iter().map(|x| short((*x).into())).collect::<Vec<_>>().join(" ")
}

/// Whether numbers differ by at most `rounding`.
pub(crate) fn same(a: &[f64], b: &[f64], rounding: f64) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= rounding)
}

/// The text of numbers that differ from a base by more than `rounding`; `trim` leaves out the last
/// numbers that do not differ. A NaN stands for nothing.
pub(crate) fn difference(
    values: &[f64],
    base: &[f64],
    rounding: f64,
    trim: bool,
) -> Option<String> {
    if values.iter().any(|x| x.is_nan()) || same(values, base, rounding) {
        return None;
    }
    let mut count = values.len();
    while trim && count > 0 && base.get(count - 1) == values.get(count - 1) {
        count -= 1;
    }
    (count > 0).then(|| concise_row(&values[..count]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_c_writes_them() {
        for (x, text) in [
            (0.1, "0.1"),
            (1234567.0, "1.23457e+06"),
            (999_999.5, "1e+06"),
            (0.0001, "0.0001"),
            (0.00001234567, "1.23457e-05"),
            (-2.5, "-2.5"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(short(x), text);
        }
    }

    #[test]
    fn integers_have_all_their_digits() {
        assert_eq!(concise(1234567.0), "1234567");
        assert_eq!(concise(-0.0), "0");
        assert_eq!(concise(2.0 - 1e-13), "2");
        assert_eq!(concise(3e9), "3e+09");
    }

    #[test]
    fn a_difference_ends_with_the_last_number_that_differs() {
        assert_eq!(
            difference(&[1.0, 2.0, 3.0], &[1.0, 1.0, 3.0], 0.0, true),
            Some("1 2".to_owned())
        );
        assert_eq!(difference(&[0.1 + 1e-17], &[0.1], f64::EPSILON, false), None);
        assert_eq!(difference(&[f64::NAN], &[1.0], 0.0, false), None);
    }
}
