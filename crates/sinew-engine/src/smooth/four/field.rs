//! A field of four worlds.

use sinew_math::four::Four;
use sinew_math::simd::{Lane, lanes};

/// Of each number of a field the four of the worlds, in the order of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Field(Vec<Four>);

impl Field {
    /// Sets how many numbers there are.
    #[inline(always)]
    pub(super) fn resize(&mut self, n: usize) {
        if self.0.len() != n {
            self.0.resize(n, [0.0; 4]);
        }
    }

    /// All numbers.
    #[inline(always)]
    pub(super) fn all(&self) -> &[Four] {
        &self.0
    }

    /// All numbers, to be written.
    #[inline(always)]
    pub(super) fn all_mut(&mut self) -> &mut [Four] {
        &mut self.0
    }

    /// Row `i`, if rows have `N` numbers.
    #[inline(always)]
    pub(super) fn row<const N: usize>(&self, i: usize) -> &[Four; N] {
        &self.0.as_chunks().0[i]
    }

    /// Row `i`, to be written.
    #[inline(always)]
    pub(super) fn row_mut<const N: usize>(&mut self, i: usize) -> &mut [Four; N] {
        &mut self.0.as_chunks_mut().0[i]
    }

    /// `N` numbers from the one at `start` on.
    #[inline(always)]
    pub(super) fn from<const N: usize>(&self, start: usize) -> &[Four; N] {
        &self.0.split_at(start).1.as_chunks().0[0]
    }

    /// Takes the field from the worlds.
    // registers go through no closures here: those are not compiled for the wide ones
    #[inline(always)]
    pub(super) fn gather<L: Lane>(&mut self, worlds: [&[f64]; 4]) {
        let [a, b, c, d] = worlds;
        let n = a.len();
        let (b, c, d) = (&b[..n], &c[..n], &d[..n]);
        self.resize(n);
        let (fours, rest) = self.0.as_chunks_mut::<4>();
        let rows = lanes(a).iter().zip(lanes(b)).zip(lanes(c).iter().zip(lanes(d)));
        for (out, ((a, b), (c, d))) in fours.iter_mut().zip(rows) {
            let t = L::transpose([L::load(a), L::load(b), L::load(c), L::load(d)]);
            for k in 0..4 {
                t[k].store(&mut out[k]);
            }
        }
        let first = n - rest.len();
        for (i, out) in (first..n).zip(rest) {
            *out = [a[i], b[i], c[i], d[i]];
        }
    }

    /// Gives the field to the worlds.
    #[inline(always)]
    pub(super) fn scatter<L: Lane>(&self, worlds: [&mut [f64]; 4]) {
        let n = self.0.len();
        let [a, b, c, d] = worlds;
        let ((a4, a1), (b4, b1)) = (a[..n].as_chunks_mut(), b[..n].as_chunks_mut());
        let ((c4, c1), (d4, d1)) = (c[..n].as_chunks_mut(), d[..n].as_chunks_mut());
        let (fours, rest) = self.0.as_chunks::<4>();
        let rows = a4.iter_mut().zip(b4).zip(c4.iter_mut().zip(d4));
        for (x, ((a, b), (c, d))) in fours.iter().zip(rows) {
            let t = L::transpose([L::load(&x[0]), L::load(&x[1]), L::load(&x[2]), L::load(&x[3])]);
            t[0].store(a);
            t[1].store(b);
            t[2].store(c);
            t[3].store(d);
        }
        for (i, x) in rest.iter().enumerate() {
            [a1[i], b1[i], c1[i], d1[i]] = *x;
        }
    }
}
