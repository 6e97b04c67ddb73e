//! Prevents the SLP vectoriser from pairing scalars.
//!
//! The compiler computes neighbouring coordinates in pairs where possible. Packing and unpacking
//! cost more than they save if each coordinate is soon needed alone, in a scalar product or a
//! comparison. The searches of convex collision are a chain of such dependent steps, and are 17 %
//! slower with pairs.

/// Returns the number in a separate register, which the compiler does not pair with another.
#[inline(always)]
pub fn alone(x: f64) -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut own = x;
        // SAFETY: there is no instruction, only an input and output in one register
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
