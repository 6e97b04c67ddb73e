//! Teams of lanes that step one world together.
//!
//! A stage is a sequence of `par` loops. Control flow between them is uniform: it depends only on
//! numbers that all lanes read. An item of a loop may not read numbers that another item of the
//! same loop writes. The order of every reduction is fixed and does not depend on the number of
//! lanes.

use crate::real::Real;

/// Partial sums of a reduction: item `i` belongs to partial sum `i % PARTS`.
pub const PARTS: usize = 32;

/// Lanes that step one world together.
pub trait Team: Copy {
    /// Whether every model can be stepped, or plain ones alone. Plain models lack elliptic cones,
    /// equalities, sites, muscles, fluids and shapes other than planes, spheres and capsules. The
    /// code for these takes registers and room in the instruction cache from the rest.
    const FULL: bool;

    /// Runs all items, then waits for them.
    fn par(self, n: usize, f: impl FnMut(usize));

    /// The sums of `N` numbers over all items, the same in all lanes.
    fn sums<R: Real, const N: usize>(self, n: usize, f: impl FnMut(usize) -> [R; N]) -> [R; N];

    /// Whether any item answers yes.
    fn any(self, n: usize, f: impl FnMut(usize) -> bool) -> bool;

    /// Gives every item the sum of the counts before it, and returns the sum of all.
    fn scan(
        self,
        n: usize,
        count: impl FnMut(usize) -> usize,
        f: impl FnMut(usize, usize),
    ) -> usize;

    /// Waits for the other teams of a block, so that they share the instruction cache. All teams of
    /// a block call it equally often.
    #[inline(always)]
    fn lockstep(self) {}

    /// Whether a team of the block says yes, after a wait for all of them, as `lockstep`. Programs
    /// for plain models do not wait: they are smaller.
    #[inline(always)]
    fn any_team(self, yes: bool) -> bool {
        yes
    }

    /// The sum of a number over all items.
    #[inline(always)]
    fn sum<R: Real>(self, n: usize, mut f: impl FnMut(usize) -> R) -> R {
        let [sum] = self.sums(n, |i| [f(i)]);
        sum
    }
}

/// Sums of partial sums, by halves: the tree of a warp's exchange.
#[cfg(not(target_arch = "nvptx64"))]
fn tree<R: Real, const N: usize>(mut parts: [[R; N]; PARTS]) -> [R; N] {
    let mut half = PARTS / 2;
    while half > 0 {
        for i in 0..half {
            for k in 0..N {
                let other = parts[i + half][k];
                parts[i][k] += other;
            }
        }
        half /= 2;
    }
    parts[0]
}

/// A single lane.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Clone, Copy, Debug)]
pub struct One;

#[cfg(not(target_arch = "nvptx64"))]
impl Team for One {
    const FULL: bool = true;

    #[inline(always)]
    fn par(self, n: usize, f: impl FnMut(usize)) {
        (0..n).for_each(f);
    }

    #[inline(always)]
    fn sums<R: Real, const N: usize>(self, n: usize, mut f: impl FnMut(usize) -> [R; N]) -> [R; N] {
        let mut parts = [[R::ZERO; N]; PARTS];
        for i in 0..n {
            let x = f(i);
            for k in 0..N {
                parts[i % PARTS][k] += x[k];
            }
        }
        tree(parts)
    }

    #[inline(always)]
    fn any(self, n: usize, mut f: impl FnMut(usize) -> bool) -> bool {
        (0..n).fold(false, |any, i| any | f(i))
    }

    #[inline(always)]
    fn scan(
        self,
        n: usize,
        mut count: impl FnMut(usize) -> usize,
        mut f: impl FnMut(usize, usize),
    ) -> usize {
        let mut sum = 0;
        for i in 0..n {
            let more = count(i);
            f(i, sum);
            sum += more;
        }
        sum
    }
}

/// Another team, for plain models alone.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Clone, Copy, Debug)]
pub struct Plain<T>(pub T);

#[cfg(not(target_arch = "nvptx64"))]
impl<T: Team> Team for Plain<T> {
    const FULL: bool = false;

    fn par(self, n: usize, f: impl FnMut(usize)) {
        self.0.par(n, f);
    }

    fn sums<R: Real, const N: usize>(self, n: usize, f: impl FnMut(usize) -> [R; N]) -> [R; N] {
        self.0.sums(n, f)
    }

    fn any(self, n: usize, f: impl FnMut(usize) -> bool) -> bool {
        self.0.any(n, f)
    }

    fn scan(
        self,
        n: usize,
        count: impl FnMut(usize) -> usize,
        f: impl FnMut(usize, usize),
    ) -> usize {
        self.0.scan(n, count, f)
    }
}

/// A single lane that visits items in a pseudo-random order, to find an item that needs another of
/// its own loop.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Clone, Copy, Debug)]
pub struct Shuffled(pub u64);

#[cfg(not(target_arch = "nvptx64"))]
impl Shuffled {
    /// Visits 0..n, stepping by a number without a common divisor.
    fn visit(self, n: usize, mut f: impl FnMut(usize)) {
        if n == 0 {
            return;
        }
        let seed = self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(n as u64) >> 33;
        let mut step = seed as usize % n + 1;
        while gcd(step, n) != 1 {
            step += 1;
        }
        let mut i = (seed / 7) as usize % n;
        for _ in 0..n {
            f(i);
            i = (i + step) % n;
        }
    }
}

#[cfg(not(target_arch = "nvptx64"))]
fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(not(target_arch = "nvptx64"))]
impl Team for Shuffled {
    const FULL: bool = true;

    fn par(self, n: usize, f: impl FnMut(usize)) {
        self.visit(n, f);
    }

    fn sums<R: Real, const N: usize>(self, n: usize, mut f: impl FnMut(usize) -> [R; N]) -> [R; N] {
        // each partial sum has its items in order; the partial sums are visited in any order
        let mut parts = [[R::ZERO; N]; PARTS];
        self.visit(PARTS, |part| {
            for i in (part..n).step_by(PARTS) {
                let x = f(i);
                for k in 0..N {
                    parts[part][k] += x[k];
                }
            }
        });
        tree(parts)
    }

    fn any(self, n: usize, mut f: impl FnMut(usize) -> bool) -> bool {
        let mut any = false;
        self.visit(n, |i| any |= f(i));
        any
    }

    fn scan(
        self,
        n: usize,
        mut count: impl FnMut(usize) -> usize,
        mut f: impl FnMut(usize, usize),
    ) -> usize {
        let mut sum = 0;
        for first in (0..n).step_by(PARTS) {
            // counts of a chunk first, as a warp has them
            let mut before = [0; PARTS];
            for (k, at) in before.iter_mut().enumerate().take(n - first) {
                *at = sum;
                sum += count(first + k);
            }
            for k in (0..PARTS.min(n - first)).rev() {
                f(first + k, before[k]);
            }
        }
        sum
    }
}

/// The 32 lanes of a warp.
#[cfg(target_arch = "nvptx64")]
pub use warp::Warp;

#[cfg(target_arch = "nvptx64")]
#[allow(unsafe_code)] // the instructions of a warp
mod warp {
    use core::arch::asm;
    use core::arch::nvptx::_thread_idx_x;

    use super::{PARTS, Team};
    use crate::real::Real;

    /// Items have numbers of 32 bits, of which a GPU's registers have one.
    const LANES: u32 = PARTS as u32;

    /// The 32 lanes of a warp.
    #[derive(Clone, Copy)]
    pub struct Warp<const FULL: bool>;

    impl<const FULL: bool> Warp<FULL> {
        #[inline(always)]
        fn lane(self) -> u32 {
            // SAFETY: reads a register.
            unsafe { _thread_idx_x() as u32 & (LANES - 1) }
        }

        /// Waits for all lanes, and makes their writes seen.
        #[inline(always)]
        fn sync(self) {
            // SAFETY: all lanes of the warp reach every call, as control flow between loops is
            // uniform.
            unsafe { asm!("bar.warp.sync 0xffffffff;") }
        }
    }

    /// The register of the lane whose number differs in the bits of `mask`.
    #[inline(always)]
    fn exchange(x: u32, mask: u32) -> u32 {
        let y: u32;
        // SAFETY: as in `sync`.
        unsafe {
            asm!("shfl.sync.bfly.b32 {y}, {x}, {mask}, 0x1f, 0xffffffff;",
                y = out(reg32) y, x = in(reg32) x, mask = in(reg32) mask);
        }
        y
    }

    /// The register of the lane `by` before; of the lane itself, where there is none.
    #[inline(always)]
    fn before(x: u32, by: u32) -> u32 {
        let y: u32;
        // SAFETY: as in `sync`.
        unsafe {
            asm!("shfl.sync.up.b32 {y}, {x}, {by}, 0x0, 0xffffffff;",
                y = out(reg32) y, x = in(reg32) x, by = in(reg32) by);
        }
        y
    }

    /// The register of one lane.
    #[inline(always)]
    fn of_lane(x: u32, lane: u32) -> u32 {
        let y: u32;
        // SAFETY: as in `sync`.
        unsafe {
            asm!("shfl.sync.idx.b32 {y}, {x}, {lane}, 0x1f, 0xffffffff;",
                y = out(reg32) y, x = in(reg32) x, lane = in(reg32) lane);
        }
        y
    }

    impl<const FULL: bool> Team for Warp<FULL> {
        const FULL: bool = FULL;

        #[cfg(feature = "lockstep")]
        #[inline(always)]
        fn lockstep(self) {
            // SAFETY: all warps of a block make the same number of calls.
            unsafe { asm!("bar.sync 0;") }
        }

        #[cfg(feature = "lockstep")]
        #[inline(always)]
        fn any_team(self, yes: bool) -> bool {
            if !FULL {
                return yes;
            }
            let any: u32;
            // SAFETY: as in `lockstep`.
            unsafe {
                asm!("{{ .reg .pred p, q;", "setp.ne.u32 p, {yes}, 0;", "bar.red.or.pred q, 0, p;",
                    "selp.u32 {any}, 1, 0, q; }}", yes = in(reg32) yes as u32, any = out(reg32) any);
            }
            any != 0
        }

        #[inline(always)]
        fn par(self, n: usize, mut f: impl FnMut(usize)) {
            let mut i = self.lane();
            while i < n as u32 {
                f(i as usize);
                i += LANES;
            }
            self.sync();
        }

        #[inline(always)]
        fn sums<R: Real, const N: usize>(
            self,
            n: usize,
            mut f: impl FnMut(usize) -> [R; N],
        ) -> [R; N] {
            let mut sum = [R::ZERO; N];
            let mut i = self.lane();
            while i < n as u32 {
                let x = f(i as usize);
                let mut k = 0;
                while k < N {
                    sum[k] = sum[k] + x[k];
                    k += 1;
                }
                i += LANES;
            }
            self.sync();
            let mut half = LANES / 2;
            while half > 0 {
                let mut k = 0;
                while k < N {
                    sum[k] = sum[k] + sum[k].through_words(|word| exchange(word, half));
                    k += 1;
                }
                half /= 2;
            }
            sum
        }

        #[inline(always)]
        fn any(self, n: usize, mut f: impl FnMut(usize) -> bool) -> bool {
            let mut any = false;
            let mut i = self.lane();
            while i < n as u32 {
                any |= f(i as usize);
                i += LANES;
            }
            let mut word = any as u32;
            let mut half = LANES / 2;
            while half > 0 {
                word |= exchange(word, half);
                half /= 2;
            }
            self.sync();
            word != 0
        }

        #[inline(always)]
        fn scan(
            self,
            n: usize,
            mut count: impl FnMut(usize) -> usize,
            mut f: impl FnMut(usize, usize),
        ) -> usize {
            let (lane, mut sum, mut first) = (self.lane(), 0, 0);
            while first < n as u32 {
                let i = first + lane;
                let own = if i < n as u32 { count(i as usize) as u32 } else { 0 };
                let (mut upto, mut by) = (own, 1);
                while by < LANES {
                    let more = before(upto, by);
                    if lane >= by {
                        upto += more;
                    }
                    by *= 2;
                }
                if i < n as u32 {
                    f(i as usize, (sum + upto - own) as usize);
                }
                sum += of_lane(upto, LANES - 1);
                first += LANES;
            }
            self.sync();
            sum as usize
        }
    }
}
