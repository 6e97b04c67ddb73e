//! Sums for pairs of a dof and those above it, four at once.

use sinew_math::Spatial;
use sinew_math::simd::{LANES, Lane, dispatch};

/// Four sums of products for a dof with each dof above it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Factors {
    /// Factors of the axis above: for each of its numbers, of all sums.
    pub(super) axis: [[f64; LANES]; 6],
    /// Factors of the other vectors above.
    pub(super) turned: [[f64; LANES]; 6],
}

/// The vectors of a dof that pairs with dofs below need.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Above {
    pub(super) axis: [f64; 6],
    /// Four vectors, number by number.
    pub(super) turned: [[f64; LANES]; 6],
}

/// The sums with the axis, and the products with each other vector.
pub(super) type Sums = [[f64; LANES]; 2];

dispatch! {
    /// Sums of a dof with the dofs of `chain`.
    pub(super) fn sum_pairs(own: &Factors, chain: &[u32], above: &[Above], out: &mut [Sums])
        = sum_pairs_kernel::<Fused>;
}

#[inline(always)]
fn sum_pairs_kernel<L: Lane>(own: &Factors, chain: &[u32], above: &[Above], out: &mut [Sums]) {
    let zero = L::splat(0.0);
    let (mut axis, mut turned) = ([zero; 6], [zero; 6]);
    for k in 0..6 {
        axis[k] = L::load(&own.axis[k]);
        turned[k] = L::load(&own.turned[k]);
    }
    for (&j, out) in chain.iter().zip(out) {
        let above = &above[j as usize];
        let (mut first, mut second) = (zero, zero);
        for k in 0..6 {
            first = first.add_mul(axis[k], L::splat(above.axis[k]));
            second = second.add_mul(turned[k], L::load(&above.turned[k]));
        }
        first.store(&mut out[0]);
        second.store(&mut out[1]);
    }
}

/// Sets the numbers of four vectors, number by number.
#[inline(always)]
pub(super) fn interleave(vectors: [Spatial; LANES], out: &mut [[f64; LANES]; 6]) {
    let [a, b, c, d] = vectors.map(Spatial::to_array);
    for k in 0..6 {
        out[k] = [a[k], b[k], c[k], d[k]];
    }
}

#[cfg(test)]
mod tests {
    use sinew_math::simd::Portable;
    use sinew_testkit::Random;

    use super::*;

    #[test]
    fn sums_are_products_with_the_vectors_of_each_dof_above() {
        let mut random = Random::new(3);
        let mut block =
            || core::array::from_fn(|_| core::array::from_fn(|_| random.between([-1.0, 1.0])));
        let own = Factors { axis: block(), turned: block() };
        let mut above = [Above::default(); 5];
        for above in &mut above {
            let [axis, ..]: [[f64; LANES]; 6] = block();
            above.turned = block();
            above.axis[..LANES].copy_from_slice(&axis);
        }
        let chain = [4, 2, 1];
        let (mut wide, mut portable) = ([Sums::default(); 3], [Sums::default(); 3]);
        sum_pairs(&own, &chain, &above, &mut wide);
        sum_pairs_kernel::<Portable>(&own, &chain, &above, &mut portable);
        for (place, &j) in chain.iter().enumerate() {
            let above = &above[j as usize];
            for lane in 0..LANES {
                let first: f64 = (0..6).map(|k| own.axis[k][lane] * above.axis[k]).sum();
                let second: f64 = (0..6).map(|k| own.turned[k][lane] * above.turned[k][lane]).sum();
                for sums in [wide[place], portable[place]] {
                    assert!((sums[0][lane] - first).abs() < 1e-14, "dof {j}, sum {lane}");
                    assert!((sums[1][lane] - second).abs() < 1e-14, "dof {j}, sum {lane}");
                }
            }
        }
    }
}
