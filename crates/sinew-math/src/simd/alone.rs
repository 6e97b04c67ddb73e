//! Numbers that stay out of pairs.
//!
//! The compiler computes neighbouring coordinates in pairs wherever it finds them (the SLP
//! vectorizer). Where every coordinate is soon needed alone, in a scalar product or a comparison,
//! packing and unpacking cost more than they save: the searches of convex collision, whose steps
//! wait for one another, take a sixth longer with pairs.

/// The number itself, in a register of its own: the compiler makes no pair of it.
#[inline(always)]
pub fn alone(x: f64) -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut own = x;
        // SAFETY: no instruction at all, in and out of one register
        unsafe {
            core::arch::asm!(
                "/* {0} */",
                inout(xmm_reg) own,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        own
    }
    #[cfg(not(target_arch = "x86_64"))]
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;

    #[test]
    fn numbers_alone_are_the_same() {
        for x in [0.0, -0.0, 1.5, -1e300, f64::INFINITY, f64::NAN] {
            assert_eq!(alone(x).to_bits(), x.to_bits());
        }
        let (a, b) = (Vec3::new(0.1, 1e17, -3.3), Vec3::new(7.7, 1e-17, 0.3));
        assert_eq!(a.alone(), a);
        assert_eq!(a.dot_alone(b).to_bits(), a.dot(b).to_bits());
    }
}
