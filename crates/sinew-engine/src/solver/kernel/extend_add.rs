//! The extend-add of multifrontal elimination.

use sinew_math::simd::{Lane, dispatch};

dispatch! {
    /// Adds the remainder of a front to its parent's front.
    pub(crate) fn extend_add(fronts: ExtendAdd<'_>) = extend_add_kernel::<Fused>;
}

/// A front whose own columns are eliminated, and its parent. Duff and Reid, *The multifrontal
/// solution of indefinite sparse symmetric linear systems* (1983).
pub(crate) struct ExtendAdd<'a> {
    /// The columns after the eliminated ones.
    pub(crate) from: &'a [f64],
    pub(crate) from_ld: usize,
    /// Rows before those that are passed on.
    pub(crate) skip: usize,
    pub(crate) to: &'a mut [f64],
    pub(crate) to_ld: usize,
    /// Place in the parent of each dof, rising.
    pub(crate) places: &'a [u32],
    /// The place of the right-hand side, which comes last.
    pub(crate) side: usize,
}

#[expect(
    clippy::extra_unused_type_parameters,
    reason = "the compiler chooses the registers, in a function compiled for the processor"
)]
#[inline(always)]
fn extend_add_kernel<L: Lane>(fronts: ExtendAdd<'_>) {
    let ExtendAdd { from, from_ld, skip, to, to_ld, places, side } = fronts;
    for (b, column) in from.chunks_exact(from_ld).take(places.len()).enumerate() {
        let column = &column[skip..=skip + places.len()];
        let target = &mut to[places[b] as usize * to_ld..][..to_ld];
        let mut a = b;
        while a < places.len() {
            // as far as places follow each other
            let place = places[a] as usize;
            let mut end = a + 1;
            while end < places.len() && places[end] as usize == place + end - a {
                end += 1;
            }
            for (t, x) in target[place..place + end - a].iter_mut().zip(&column[a..end]) {
                *t += x;
            }
            a = end;
        }
        target[side] += column[places.len()];
    }
}
