//! Numbers that are unfit for simulation.

/// Numbers beyond this are as bad as infinity.
const MAXVAL: f64 = 1e10;

/// Whether a number is unfit for simulation.
#[doc(alias = "mju_isBad")]
#[inline]
#[allow(clippy::neg_cmp_op_on_partial_ord)] // NaN is unfit too, and at most nothing
pub fn is_bad(x: f64) -> bool {
    !(x.abs() <= MAXVAL)
}

/// The first number that is bad. There is one so seldom that all are tested together.
pub(crate) fn first_bad(x: &[f64]) -> Option<usize> {
    let any = x.iter().fold(false, |any, &x| any | is_bad(x));
    if any { x.iter().position(|&x| is_bad(x)) } else { None }
}
