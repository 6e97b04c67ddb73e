/// Panics unless every number is near its expected value. The difference may be `tolerance` times
/// the expected value, or times one if that is larger.
#[track_caller]
pub fn near(got: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(got.len(), wanted.len(), "{got:?}, wanted {wanted:?}");
    for (i, (x, y)) in got.iter().zip(wanted).enumerate() {
        let error = (x - y).abs();
        let within = error <= tolerance * y.abs().max(1.0);
        assert!(within, "number {i} is {x}, wanted {y}: {error:e} apart\n{got:?}\n{wanted:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_differences_pass_relative_to_large_numbers_and_absolute_to_small_ones() {
        near(&[1e6, 1e-9], &[1e6 + 1e-4, 0.0], 1e-8);
    }

    #[test]
    #[should_panic(expected = "number 1 is NaN, wanted 2")]
    fn nan_is_near_nothing() {
        near(&[1.0, f64::NAN], &[1.0, 2.0], 1.0);
    }
}
