//! Kernels of the primal solvers: the loops in which their time goes.
//!
//! Matrices are stored by columns, with columns and vectors padded to whole registers. A kernel
//! checks the lengths of what it is given and then loads without further checks.
// to call code that is compiled for a feature, after asking the processor for it
#![allow(unsafe_code)]

mod factor;
mod jacobian;
mod rows;

#[cfg(target_arch = "x86_64")]
use super::lane::Avx2;
use super::lane::{Lane, Level};
pub(super) use factor::{Factor, Pass, SolveT};
pub(super) use jacobian::{Gram, Group, Jacobian, MulDense, MulJacobian, MulJacobianT, Single};
pub(super) use rows::{ConeLines, ConesAlong, OneSidedForces, OneSidedQuads, Quads};

/// Numbers in a register.
pub(super) const LANES: usize = 4;

/// `n` rounded up to whole registers.
pub(super) const fn padded(n: usize) -> usize {
    n.next_multiple_of(LANES)
}

/// A loop that is compiled for several kinds of processor.
pub(super) trait Kernel: Sized {
    /// What it returns.
    type Output;

    /// Runs it; implementations are `#[inline(always)]`.
    fn run<L: Lane>(self) -> Self::Output;

    /// Runs it with what the processor has.
    #[inline]
    fn dispatch(self, level: Level) -> Self::Output {
        match level {
            Level::Portable => self.run::<[f64; 4]>(),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the level says that the processor has AVX2 and FMA.
            Level::Avx2 => unsafe { run_avx2(self) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

#[cfg(test)]
mod tests {
    use sinew_testkit::Random;

    use super::*;

    /// What every kernel is tested with.
    pub(super) const LEVELS: [fn() -> Level; 2] = [|| Level::Portable, Level::default];

    pub(super) fn random(n: usize, seed: u64) -> Vec<f64> {
        Random::new(seed).vector(n)
    }

    #[track_caller]
    pub(super) fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} {b}");
    }
}
