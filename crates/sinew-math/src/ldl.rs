//! The factor LᵀDL of symmetric matrices whose pattern is a tree, such as joint-space inertia.
//!
//! Row i holds the ancestors of i and, last, i itself. The other columns are zero, and elimination
//! from the leaves to the roots has no fill-in. L has a unit diagonal, where D is stored.
//! Featherstone, *Rigid Body Dynamics Algorithms* (2008), §6.5; MuJoCo `mj_factorI`, `mj_solveLD`.
//! All sums are in MuJoCo's order.

use core::ops::Range;

use crate::simd::{Lane, Pair, dispatch, lanes_mut};
use crate::sparse;

/// The sparsity pattern: first entry, number of entries, and ascending columns of each row; the
/// last column is the row itself.
#[derive(Clone, Copy, Debug)]
pub struct TreeRows<'a> {
    /// First number of each row.
    pub adr: &'a [i32],
    /// Numbers of each row.
    pub nnz: &'a [i32],
    /// Columns of all numbers.
    pub cols: &'a [i32],
}

impl TreeRows<'_> {
    /// All dofs.
    #[inline]
    pub fn dofs(&self) -> Range<usize> {
        0..self.adr.len().min(self.nnz.len())
    }

    /// Range of the entries of row `i` before its diagonal.
    #[inline(always)]
    pub(crate) fn before_diagonal(&self, i: usize) -> Range<usize> {
        let start = self.adr[i] as usize;
        start..start + self.nnz[i] as usize - 1
    }

    /// Number of leading ancestors of a dof that form a chain with consecutive rows: from 1 to
    /// `STEM`.
    #[inline(always)]
    fn stem(&self, cols: &[i32]) -> usize {
        let root = cols[0] as usize;
        let side_by_side = |n: usize| {
            let last = root + n - 1;
            cols[n - 1] as usize == last
                && self.adr[last] as usize == self.adr[root] as usize + n * (n - 1) / 2
        };
        let mut stem = cols.len().min(STEM);
        while stem > 1 && !side_by_side(stem) {
            stem -= 1;
        }
        stem
    }

    /// Number of dofs that are eliminated together, ending with `k`.
    #[inline(always)]
    fn chain_to(&self, k: usize) -> usize {
        (2..=4).rev().find(|&len| self.ends_chain(k, len)).unwrap_or(1)
    }

    /// Whether dof `k` ends a chain of `len` dofs with consecutive rows.
    #[inline(always)]
    fn ends_chain(&self, k: usize, len: usize) -> bool {
        let (adr, num) = (self.adr[k] as usize, self.nnz[k] as usize - 1);
        let before = len - 1;
        num >= before
            && self.cols[adr + num - before] as usize + before == k
            && self.nnz[k - before] as usize + before == num + 1
            && self.adr[k - before] as usize + before * num - before * (before - 1) / 2 == adr
    }
}

/// Number of entries before the diagonal from which up to four rows are eliminated together.
const LONG: usize = 12;

/// Longest chain at the root of a tree that is eliminated in registers: a free joint.
const STEM: usize = 6;

/// In-place factor LᵀDL of a matrix, and the inverse of D, for the dofs of whole trees.
///
/// The dofs k are eliminated from the last to the first: M(i,:) -= M(k,i) / M(k,k) M(k,:) for the
/// rows of its ancestors i. The chain at the root of a tree is eliminated in registers. Up to four
/// long rows are eliminated together if each dof is the parent of the next, so that rows above are
/// visited once. The sums and their order do not depend on the method.
#[doc(alias = "mj_factorI")]
pub fn factor(rows: &TreeRows<'_>, dofs: Range<usize>, mat: &mut [f64], diag_inv: &mut [f64]) {
    let (first, mut k) = (dofs.start, dofs.end);
    while k > first {
        k -= 1;

        // a dof without ancestors
        let nnz = rows.nnz[k];
        if nnz == 1 {
            diag_inv[k] = 1.0 / mat[rows.adr[k] as usize];
            if k > first && rows.nnz[k - 1] == 1 {
                k -= invert_diagonals(rows, mat, diag_inv, first..k);
            }
            continue;
        }

        // long rows, up to four of a chain together
        let num = nnz as usize - 1;
        if num >= LONG {
            let len = rows.chain_to(k);
            k -= len - 1;
            match len {
                4 => eliminate_four(rows, mat, diag_inv, k),
                3 => eliminate_three(rows, mat, diag_inv, k),
                2 => eliminate_two(rows, mat, diag_inv, k),
                _ => eliminate_one(rows, mat, diag_inv, k),
            }
            continue;
        }

        // a short row alone
        if num >= STEM || !rows.ends_chain(k, num + 1) {
            eliminate_short(rows, mat, diag_inv, k);
            continue;
        }

        // the chain at the root of a tree
        k -= num;
        match num {
            1 => eliminate_tree::<2>(rows, mat, diag_inv, k),
            2 => eliminate_tree::<3>(rows, mat, diag_inv, k),
            3 => eliminate_tree::<4>(rows, mat, diag_inv, k),
            4 => eliminate_tree::<5>(rows, mat, diag_inv, k),
            _ => eliminate_tree::<6>(rows, mat, diag_inv, k),
        }
    }
}

// separate functions, because small trees would otherwise run the prologue of the longest chains
dispatch! {
    fn eliminate_one(rows: &TreeRows<'_>, mat: &mut [f64], diag_inv: &mut [f64], first: usize)
        = eliminate::<Exact, 1>;
    fn eliminate_two(rows: &TreeRows<'_>, mat: &mut [f64], diag_inv: &mut [f64], first: usize)
        = eliminate::<Exact, 2>;
    fn eliminate_three(rows: &TreeRows<'_>, mat: &mut [f64], diag_inv: &mut [f64], first: usize)
        = eliminate::<Exact, 3>;
    fn eliminate_four(rows: &TreeRows<'_>, mat: &mut [f64], diag_inv: &mut [f64], first: usize)
        = eliminate::<Exact, 4>;
}

/// Eliminates dof `k` with a short row.
#[inline(always)]
fn eliminate_short(rows: &TreeRows<'_>, mat: &mut [f64], diag_inv: &mut [f64], k: usize) {
    let (adr, num) = (rows.adr[k] as usize, rows.nnz[k] as usize - 1);
    let (above, row) = mat.split_at_mut(adr);
    let (row, cols) = (&mut row[..num + 1], &rows.cols[adr..adr + num]);
    let inv = 1.0 / row[num];
    diag_inv[k] = inv;

    // the rows of its ancestors; the first form a triangle
    let stem = rows.stem(cols);
    for n in stem..num {
        let target = &mut above[rows.adr[cols[n] as usize] as usize..][..n + 1];
        add_row(target, &row[..n + 1], -row[n] * inv);
    }
    let triangle = &mut above[rows.adr[cols[0] as usize] as usize..];
    match stem {
        1 => add_triangle::<1>(triangle, row, inv),
        2 => add_triangle::<2>(triangle, row, inv),
        3 => add_triangle::<3>(triangle, row, inv),
        4 => add_triangle::<4>(triangle, row, inv),
        5 => add_triangle::<5>(triangle, row, inv),
        _ => add_triangle::<6>(triangle, row, inv),
    }
    let row = &mut row[..num];
    change_short(row, |x, _| x.map(|x| x * inv));
    if num < 4 {
        row.iter_mut().take(3).for_each(|x| *x *= inv);
    }
}

/// Adds multiples of a row to the first `N` rows of a tree, which form a triangle.
#[inline(always)]
fn add_triangle<const N: usize>(triangle: &mut [f64], row: &[f64], inv: f64) {
    let triangle = &mut triangle[..N * (N + 1) / 2];
    let row: [f64; N] = core::array::from_fn(|n| row[..N][n]);
    for n in 0..N {
        let scale = -row[n] * inv;
        for (x, y) in triangle[n * (n + 1) / 2..][..n + 1].iter_mut().zip(&row) {
            *x += y * scale;
        }
    }
}

/// target += row scale, for rows of at most twelve numbers.
#[inline(always)]
fn add_row(target: &mut [f64], row: &[f64], scale: f64) {
    let row = &row[..target.len()];
    change_short(target, |t, at| core::array::from_fn(|k| t[k] + row[at..at + 4][k] * scale));
    if target.len() < 4 {
        for (t, r) in target.iter_mut().zip(row).take(3) {
            *t += r * scale;
        }
    }
}

/// Replaces four to twelve numbers; `new` computes four at a time.
// without a loop, which the compiler would unroll too much for few numbers
#[inline(always)]
fn change_short(x: &mut [f64], new: impl Fn(&[f64; 4], usize) -> [f64; 4]) {
    let last = x.len().wrapping_sub(4);
    let (Some(first4), Some(last4)) = (x.first_chunk(), x.last_chunk()) else { return };
    // the last four may overlap the others; their inputs are the original numbers
    let (new_first, new_last) = (new(first4, 0), new(last4, last));
    if let Some((_, rest)) = x.split_first_chunk_mut::<4>()
        && rest.len() > 4
        && let Some(middle) = rest.first_chunk_mut()
    {
        *middle = new(middle, 4);
    }
    if let Some(x) = x.first_chunk_mut() {
        *x = new_first;
    }
    if let Some(x) = x.last_chunk_mut() {
        *x = new_last;
    }
}

/// Eliminates a tree that is a chain of `N` dofs from `first` on.
#[inline(never)]
fn eliminate_tree<const N: usize>(
    rows: &TreeRows<'_>,
    mat: &mut [f64],
    diag_inv: &mut [f64],
    first: usize,
) {
    let chain = &mut mat[rows.adr[first] as usize..][..N * (N + 1) / 2];
    let (inv, _) = eliminate_within::<N>(chain, 0);
    diag_inv[first..first + N].copy_from_slice(&inv);
}

/// Eliminates the columns of a chain of `N` dofs within the chain, in registers; each row has `num`
/// earlier columns. Returns the inverses of D, and the factors `scale[i][k]` by which row k is
/// multiplied before it is added to row i.
#[inline(always)]
fn eliminate_within<const N: usize>(chain: &mut [f64], num: usize) -> ([f64; N], [[f64; N]; N]) {
    let start = |k: usize| k * num + k * (k + 1) / 2;

    // lower triangle into registers
    let mut within = [[0.0; N]; N];
    for k in 0..N {
        within[k][..k + 1].copy_from_slice(&chain[start(k) + num..start(k + 1)]);
    }

    // eliminate from the last dof to the first
    let mut inv = [0.0; N];
    let mut scale = [[0.0; N]; N];
    for k in (0..N).rev() {
        inv[k] = 1.0 / within[k][k];
        for i in 0..k {
            scale[i][k] = -within[k][i] * inv[k];
            for j in 0..=i {
                within[i][j] += within[k][j] * scale[i][k];
            }
        }
    }
    // store the rows of L
    for k in 0..N {
        for i in 0..k {
            within[k][i] *= inv[k];
        }
        chain[start(k) + num..start(k + 1)].copy_from_slice(&within[k][..k + 1]);
    }
    (inv, scale)
}

/// Eliminates a chain of `N` dofs from `first` on. Each row has the columns of ancestors above the
/// chain, then the columns within.
#[inline(always)]
fn eliminate<L: Lane, const N: usize>(
    rows: &TreeRows<'_>,
    mat: &mut [f64],
    diag_inv: &mut [f64],
    first: usize,
) {
    // row k of the chain: `num` numbers above the chain and k + 1 within
    let (adr, num) = (rows.adr[first] as usize, rows.nnz[first] as usize - 1);
    let (above, chain) = mat.split_at_mut(adr);
    let start = |k: usize| k * num + k * (k + 1) / 2;
    let chain = &mut chain[..start(N)];
    let (inv, scale) = eliminate_within::<N>(chain, num);
    diag_inv[first..first + N].copy_from_slice(&inv);

    // the columns above the chain, for the rows of the chain
    for i in (0..N - 1).rev() {
        let (own, later) = chain.split_at_mut(start(i + 1));
        let target = &mut own[start(i)..start(i) + num];
        let row = |k: usize| &later[start(k) - start(i + 1)..][..num];
        match N - 1 - i {
            1 => add_rows::<L, 1>(target, [row(i + 1)], [scale[i][i + 1]]),
            2 => {
                let scales = [scale[i][i + 2], scale[i][i + 1]];
                add_rows::<L, 2>(target, [row(i + 2), row(i + 1)], scales);
            }
            _ => {
                let scales = [scale[i][i + 3], scale[i][i + 2], scale[i][i + 1]];
                add_rows::<L, 3>(target, [row(i + 3), row(i + 2), row(i + 1)], scales);
            }
        }
    }

    // then the rows of the ancestors, from the last dof of the chain to the first
    for (n, &i) in rows.cols[adr..adr + num].iter().enumerate().rev() {
        let target = &mut above[rows.adr[i as usize] as usize..][..n + 1];
        let row = |k: usize| &chain[start(N - 1 - k)..][..n + 1];
        let rows: [&[f64]; N] = core::array::from_fn(row);
        let scales = core::array::from_fn(|k| -rows[k][n] * inv[N - 1 - k]);
        add_rows::<L, N>(target, rows, scales);
    }
    for k in 0..N {
        scale_row::<L>(&mut chain[start(k)..start(k) + num], inv[k]);
    }
}

/// Inverts consecutive rows at the end of `dofs` that are a diagonal alone, and returns their
/// number. The divisions are independent, so several take the time of one.
// not inlined, because this code for free bodies slows the code for trees
#[inline(never)]
fn invert_diagonals(
    rows: &TreeRows<'_>,
    mat: &[f64],
    diag_inv: &mut [f64],
    dofs: Range<usize>,
) -> usize {
    let k = dofs.end;
    let adr = rows.adr[k] as usize;
    let before = rows.nnz[dofs.clone()].iter().zip(&rows.adr[dofs]).rev();
    let alone = |&(at, (&nnz, &a)): &(usize, (&i32, &i32))| nnz == 1 && a as usize + at + 1 == adr;
    let num = before.enumerate().take_while(alone).count();
    for (inv, x) in diag_inv[k - num..k].iter_mut().zip(&mat[adr - num..adr]) {
        *inv = 1.0 / x;
    }
    num
}

/// target += row scale, for one row after another; all have the length of `target`.
#[inline(always)]
fn add_rows<L: Lane, const N: usize>(target: &mut [f64], rows: [&[f64]; N], scales: [f64; N]) {
    // four columns at a time
    let n = target.len();
    let rows = rows.map(|row| &row[..n]);
    let (target4, target) = target.as_chunks_mut::<4>();
    let rows4 = rows.map(|row| row.as_chunks::<4>());
    for (i, t) in target4.iter_mut().enumerate() {
        let mut sum = L::load(t);
        for k in 0..N {
            sum = sum.add_mul(L::load(&rows4[k].0[i]), L::splat(scales[k]));
        }
        sum.store(t);
    }

    // then two, then one
    let (target2, target) = target.as_chunks_mut::<2>();
    let rows2 = rows4.map(|(_, rest)| rest.as_chunks::<2>());
    if let [t] = target2 {
        let mut sum = Pair::load(t);
        for k in 0..N {
            sum = sum + Pair::load(&rows2[k].0[0]) * Pair::both(scales[k]);
        }
        sum.store(t);
    }
    if let [t] = target {
        for k in 0..N {
            *t += rows2[k].1[0] * scales[k];
        }
    }
}

/// row *= scale
#[inline(always)]
fn scale_row<L: Lane>(row: &mut [f64], scale: f64) {
    let whole = row.len() - row.len() % 4;
    let (row4, rest) = row.split_at_mut(whole);
    for x in lanes_mut(row4) {
        (L::load(x) * L::splat(scale)).store(x);
    }
    if let [x, ..] = rest {
        *x *= scale;
    }
    if let [_, x, ..] = rest {
        *x *= scale;
    }
    if let [_, _, x, ..] = rest {
        *x *= scale;
    }
}

/// In place x = (LᵀDL)⁻¹ x, with the factor `ld` and the inverse of D, for the dofs of whole trees.
#[doc(alias = "mj_solveLD")]
pub fn solve(rows: &TreeRows<'_>, dofs: Range<usize>, ld: &[f64], diag_inv: &[f64], x: &mut [f64]) {
    solve_transposed(rows, dofs.clone(), ld, x);

    // x ← L⁻¹ D⁻¹ x
    let TreeRows { adr, nnz, cols } = *rows;
    let end = dofs.end;
    let (adr, nnz, diag_inv) = (&adr[..end], &nnz[..end], &diag_inv[..end]);
    for i in dofs {
        let mut x_i = x[i] * diag_inv[i];
        if nnz[i] > 1 {
            let row = adr[i] as usize..adr[i] as usize + nnz[i] as usize - 1;
            x_i -= sparse::dot(&cols[row.clone()], &ld[row], x);
        }
        x[i] = x_i;
    }
}

/// In place x = L⁻ᵀ x for the dofs of whole trees.
///
/// A dof and its parent are processed together if the parent is the dof before. Their common
/// ancestors are then visited once, with the same sums in the same order.
pub fn solve_transposed(rows: &TreeRows<'_>, dofs: Range<usize>, ld: &[f64], x: &mut [f64]) {
    let TreeRows { adr, nnz, cols } = *rows;
    let (first, mut i) = (dofs.start, dofs.end);
    while i > first {
        i -= 1;
        // rows with a diagonal only, and zeros, change nothing
        if nnz[i] <= 1 || x[i] == 0.0 {
            continue;
        }
        let (x_i, start, num) = (x[i], adr[i] as usize, nnz[i] as usize - 1);
        let (cols, row) = (&cols[start..start + num], &ld[start..start + num]);
        let parent = cols[num - 1] as usize;
        if num == 1 || parent + 1 != i || adr[parent] as usize + num != start {
            for (&j, val) in cols.iter().zip(row) {
                x[j as usize] -= val * x_i;
            }
            continue;
        }

        // the dof and its parent
        let x_p = x[parent] - row[num - 1] * x_i;
        x[parent] = x_p;
        let parent_row = &ld[start - num..start - 1];
        if x_p == 0.0 {
            for (&j, val) in cols.iter().zip(&row[..num - 1]) {
                x[j as usize] -= val * x_i;
            }
        } else {
            for (&j, (val, parent_val)) in cols.iter().zip(row.iter().zip(parent_row)) {
                let x_j = &mut x[j as usize];
                *x_j = (*x_j - val * x_i) - parent_val * x_p;
            }
        }
        i = parent;
    }
}

/// In place x = L⁻ᵀ x for `N` interleaved vectors that are zero outside `dofs`. The list `dofs` is
/// ascending and contains the ancestors of each dof.
#[inline]
pub fn solve_transposed_on<const N: usize>(
    rows: &TreeRows<'_>,
    ld: &[f64],
    dofs: &[u32],
    x: &mut [[f64; N]],
) {
    for &v in dofs.iter().rev() {
        let x_v = x[v as usize];
        let row = rows.before_diagonal(v as usize);
        for (&l, &up) in ld[row.clone()].iter().zip(&rows.cols[row]) {
            let to = &mut x[up as usize];
            for k in 0..N {
                to[k] -= l * x_v[k];
            }
        }
    }
}

/// In place x = (LᵀDL)⁻¹ x on `dofs`, an ascending list that contains the ancestors of each dof,
/// for `N` interleaved vectors that are zero elsewhere. For finite values, every number has the
/// sums of `solve`.
pub fn solve_on<const N: usize>(
    rows: &TreeRows<'_>,
    ld: &[f64],
    diag_inv: &[f64],
    dofs: &[u32],
    x: &mut [[f64; N]],
) {
    solve_transposed_on(rows, ld, dofs, x);
    for &v in dofs {
        x[v as usize] = x[v as usize].map(|x| x * diag_inv[v as usize]);
    }

    // x ← L⁻¹ x
    for &v in dofs {
        let row = rows.before_diagonal(v as usize);
        if !row.is_empty() {
            let sum = sparse::dot_wide(&rows.cols[row.clone()], &ld[row], x);
            let x = &mut x[v as usize];
            *x = core::array::from_fn(|k| x[k] - sum[k]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Portable;

    type Factor = dyn Fn(&TreeRows<'_>, Range<usize>, &mut [f64], &mut [f64]);

    /// Parents of dofs: a chain of seven, branches of every length up to ten, a dof alone.
    fn parents() -> Vec<Option<usize>> {
        let mut parents: Vec<Option<usize>> = (0..7usize).map(|i| i.checked_sub(1)).collect();
        for len in 1..=10 {
            parents.push(Some(len % 7));
            for _ in 1..len {
                parents.push(Some(parents.len() - 1));
            }
        }
        // and trees that are a chain
        for len in 1..=5 {
            parents.push(None);
            for _ in 1..len {
                parents.push(Some(parents.len() - 1));
            }
        }
        parents
    }

    /// The pattern of the tree, and a dense matrix with a dominant diagonal in its entries.
    fn matrix() -> (Vec<i32>, Vec<i32>, Vec<i32>, Vec<f64>) {
        // rows: ancestors from the root, then the dof itself
        let parents = parents();
        let (mut adr, mut nnz, mut cols) = (vec![], vec![], vec![]);
        for i in 0..parents.len() {
            let mut row: Vec<usize> = core::iter::successors(Some(i), |&i| parents[i]).collect();
            row.reverse();
            adr.push(cols.len() as i32);
            nnz.push(row.len() as i32);
            cols.extend(row.into_iter().map(|i| i as i32));
        }
        let mut mat: Vec<f64> = (0..cols.len()).map(|i| ((i * i + 1) as f64).sin()).collect();
        for (a, n) in adr.iter().zip(&nnz) {
            mat[(a + n - 1) as usize] += 20.0;
        }
        (adr, nnz, cols, mat)
    }

    /// Eliminates one dof and one ancestor after another, by the formula.
    fn one_by_one(rows: &TreeRows<'_>, dofs: Range<usize>, mat: &mut [f64], diag_inv: &mut [f64]) {
        for k in dofs.rev() {
            let (adr, num) = (rows.adr[k] as usize, rows.nnz[k] as usize - 1);
            let inv = 1.0 / mat[adr + num];
            diag_inv[k] = inv;
            for n in (0..num).rev() {
                let target = rows.adr[rows.cols[adr + n] as usize] as usize;
                let scale = -mat[adr + n] * inv;
                for c in 0..=n {
                    mat[target + c] += mat[adr + c] * scale;
                }
            }
            for x in &mut mat[adr..adr + num] {
                *x *= inv;
            }
        }
    }

    /// `factor` with portable registers.
    fn portable(rows: &TreeRows<'_>, dofs: Range<usize>, mat: &mut [f64], diag_inv: &mut [f64]) {
        let mut k = dofs.end;
        while k > dofs.start {
            k -= 1;
            let len = rows.chain_to(k);
            k -= len - 1;
            match len {
                4 => eliminate::<Portable, 4>(rows, mat, diag_inv, k),
                3 => eliminate::<Portable, 3>(rows, mat, diag_inv, k),
                2 => eliminate::<Portable, 2>(rows, mat, diag_inv, k),
                _ => eliminate::<Portable, 1>(rows, mat, diag_inv, k),
            }
        }
    }

    #[test]
    fn all_ways_give_the_same_bits() {
        let (adr, nnz, cols, mat) = matrix();
        let rows = TreeRows { adr: &adr, nnz: &nnz, cols: &cols };
        let run = |factor: &Factor| -> Vec<u64> {
            let (mut mat, mut diag_inv) = (mat.clone(), vec![0.0; adr.len()]);
            factor(&rows, rows.dofs(), &mut mat, &mut diag_inv);
            mat.iter().chain(&diag_inv).map(|x| x.to_bits()).collect()
        };
        let expected = run(&one_by_one);
        assert_eq!(run(&portable), expected);
        assert_eq!(run(&factor), expected);
    }

    #[test]
    fn a_solution_times_the_matrix_is_the_right_hand_side() {
        let (adr, nnz, cols, mat) = matrix();
        let rows = TreeRows { adr: &adr, nnz: &nnz, cols: &cols };
        let n = adr.len();
        let (mut ld, mut diag_inv) = (mat.clone(), vec![0.0; n]);
        factor(&rows, rows.dofs(), &mut ld, &mut diag_inv);
        let b: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let mut x = b.clone();
        solve(&rows, rows.dofs(), &ld, &diag_inv, &mut x);
        let mut product = vec![0.0; n];
        for i in 0..n {
            let row = rows.before_diagonal(i);
            product[i] += mat[row.end] * x[i];
            for (&j, val) in cols[row.clone()].iter().zip(&mat[row]) {
                product[i] += val * x[j as usize];
                product[j as usize] += val * x[i];
            }
        }
        assert!(product.iter().zip(&b).all(|(p, b)| (p - b).abs() < 1e-12));
    }

    #[test]
    fn trees_alone_are_as_among_others() {
        // three trees: a chain of two, two dofs alone, a chain of three
        let (adr, nnz) = ([0, 1, 3, 4, 5, 6, 8], [1, 2, 1, 1, 1, 2, 3]);
        let cols = [0, 0, 1, 2, 3, 4, 4, 5, 4, 5, 6];
        let rows = TreeRows { adr: &adr, nnz: &nnz, cols: &cols };
        let mat: Vec<f64> = (0..cols.len()).map(|i| 2.0 + (i as f64).sin()).collect();
        let (mut ld, mut diag_inv) = (mat.clone(), vec![0.0; 7]);
        factor(&rows, rows.dofs(), &mut ld, &mut diag_inv);
        let mut x = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        let given = x.clone();
        solve(&rows, rows.dofs(), &ld, &diag_inv, &mut x);
        for dofs in [0..2, 2..3, 3..4, 4..7, 2..7] {
            let (mut own, mut own_inv) = (mat.clone(), vec![0.0; 7]);
            factor(&rows, dofs.clone(), &mut own, &mut own_inv);
            let mut own_x = given.clone();
            solve(&rows, dofs.clone(), &own, &own_inv, &mut own_x);
            for v in 0..7 {
                let row = adr[v] as usize..(adr[v] + nnz[v]) as usize;
                let inside = dofs.contains(&v);
                assert_eq!(own[row.clone()], if inside { &ld } else { &mat }[row]);
                assert_eq!(own_inv[v], if inside { diag_inv[v] } else { 0.0 });
                assert_eq!(own_x[v], if inside { x[v] } else { given[v] });
            }
        }
    }

    #[test]
    fn a_solve_on_some_dofs_is_that_on_all() {
        let (adr, nnz, cols, mat) = matrix();
        let rows = TreeRows { adr: &adr, nnz: &nnz, cols: &cols };
        let (mut ld, mut diag_inv) = (mat, vec![0.0; adr.len()]);
        factor(&rows, rows.dofs(), &mut ld, &mut diag_inv);
        // the ancestors of the last dof of the longest branch, and of one on another
        let last = (0..adr.len()).max_by_key(|&i| nnz[i]).expect("there are dofs");
        let mut dofs: Vec<u32> =
            cols[rows.before_diagonal(last)].iter().map(|&i| i as u32).collect();
        dofs.extend([last as u32, 7]);
        dofs.sort_unstable();
        let mut two = vec![[0.0; 2]; adr.len()];
        for (k, &v) in dofs.iter().enumerate() {
            two[v as usize] = [1.0 + k as f64, (k as f64).sin()];
        }
        let mut alone: [Vec<f64>; 2] = [0, 1].map(|k| two.iter().map(|x| x[k]).collect());
        solve_transposed_on(&rows, &ld, &dofs, &mut two);
        for (k, x) in alone.iter_mut().enumerate() {
            solve_transposed(&rows, rows.dofs(), &ld, x);
            assert!(x.iter().zip(&two).all(|(x, two)| *x == two[k]));
        }

        // and the whole solve
        let mut alone: [Vec<f64>; 2] = [0, 1].map(|k| two.iter().map(|x| x[k]).collect());
        solve_on(&rows, &ld, &diag_inv, &dofs, &mut two);
        for (k, x) in alone.iter_mut().enumerate() {
            solve(&rows, rows.dofs(), &ld, &diag_inv, x);
            assert!(dofs.iter().all(|&v| x[v as usize] == two[v as usize][k]));
        }
    }
}
