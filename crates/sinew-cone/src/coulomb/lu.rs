//! Elimination with row exchanges, for matrices that are not symmetric but have a symmetric
//! profile.

use crate::dense;
use crate::lane::{Lane, twin};

/// A matrix row by row, then its factors.
#[derive(Clone, Debug, Default)]
pub(super) struct Lu {
    n: usize,
    pub(super) k: Vec<f64>,
    /// One past the last column of each row that can be nonzero; grows with exchanges.
    end: Vec<usize>,
    /// One past the last row of each column that can be nonzero.
    bottom: Vec<usize>,
    pivots: Vec<usize>,
}

impl Lu {
    /// A zero matrix with one row per end; ends must not fall from row to row.
    pub(super) fn reset(&mut self, ends: &[usize]) {
        self.n = ends.len();
        self.k.clear();
        self.k.resize(self.n * self.n, 0.0);
        for list in [&mut self.end, &mut self.bottom] {
            list.clear();
            list.extend_from_slice(ends);
        }
    }

    /// A row that is being filled in.
    pub(super) fn row(&mut self, i: usize) -> &mut [f64] {
        &mut self.k[i * self.n..(i + 1) * self.n]
    }

    /// Factors in place; false if the matrix is singular.
    pub(super) fn factor(&mut self) -> bool {
        factor(self)
    }

    /// Solves with the factors in place.
    pub(super) fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        for i in 0..n {
            x.swap(i, self.pivots[i]);
            x[i] -= dense::dot(&self.k[i * n..i * n + i], &x[..i]);
        }
        for i in (0..n).rev() {
            let (from, to) = (i + 1, self.end[i]);
            let row = &self.k[i * n..(i + 1) * n];
            x[i] = (x[i] - dense::dot(&row[from..to], &x[from..to])) / row[i];
        }
    }
}

twin! {
    /// Factors in place.
    factor, factor_avx, factor_body, (lu: &mut Lu) -> bool
}

#[inline(always)]
fn factor_body<L: Lane>(lu: &mut Lu) -> bool {
    let n = lu.n;
    lu.pivots.clear();
    for c in 0..n {
        let size = |i: usize| lu.k[i * n + c].abs();
        let larger = |best: usize, i: usize| if size(i) > size(best) { i } else { best };
        let pivot = (c + 1..lu.bottom[c]).fold(c, larger);
        lu.pivots.push(pivot);
        if pivot != c {
            let (a, b) = lu.k.split_at_mut(pivot * n);
            a[c * n..(c + 1) * n].swap_with_slice(&mut b[..n]);
            lu.end.swap(c, pivot);
        }
        let (top, rest) = lu.k.split_at_mut((c + 1) * n);
        let (from, to) = (c + 1, lu.end[c]);
        let head = &top[c * n..][..to];
        if head[c] == 0.0 || !head[c].is_finite() {
            return false;
        }
        let inverse = 1.0 / head[c];
        let lines = rest.chunks_exact_mut(n).zip(&mut lu.end[c + 1..]);
        for (line, end) in lines.take(lu.bottom[c] - from) {
            if line[c] != 0.0 {
                line[c] *= inverse;
                dense::axpy(-line[c], &head[from..], &mut line[from..to]);
                *end = (*end).max(to);
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_solves_with_and_without_a_profile() {
        for n in 0..18 {
            for width in [1, 3, n] {
                let entry = |i: usize, j: usize| {
                    let near = i.abs_diff(j) <= width;
                    if near { ((i * 7 + j * 13) % 11) as f64 / 11.0 - 0.4 } else { 0.0 }
                };
                let ends: Vec<usize> = (0..n).map(|i| (i + width + 1).min(n)).collect();
                let mut lu = Lu::default();
                lu.reset(&ends);
                let mut x: Vec<f64> = vec![0.0; n];
                for i in 0..n {
                    for j in 0..n {
                        // an empty diagonal, so that rows must be exchanged
                        let value = if i == j { 0.0 } else { entry(i, j) };
                        lu.row(i)[j] = value;
                        x[i] += value * (j as f64 - 3.0);
                    }
                }
                if lu.factor() {
                    lu.solve(&mut x);
                    for (j, x) in x.iter().enumerate() {
                        assert!((x - (j as f64 - 3.0)).abs() < 1e-6, "n = {n}, {width}: {x}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        let mut lu = Lu::default();
        lu.reset(&[2, 2]);
        assert!(!lu.factor());
    }
}
