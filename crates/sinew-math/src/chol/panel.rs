//! Linear systems with eight right-hand sides at once, one in each lane: Cholesky factors, factors
//! of trees, and LU.
//!
//! A factor is read once for all of them. The order of sums is the kernels' own, with fused
//! products on processors with FMA.

use crate::chol::blocked::{self, Factor};
use crate::ldl::TreeRows;
use crate::lu::LuRows;
use crate::simd::{LANES, Lane, dispatch, padded};

/// Right-hand sides at once: two registers.
pub const WIDTH: usize = 2 * LANES;

/// The numbers of one row in all right-hand sides.
pub type Row = [f64; WIDTH];

/// Numbers of the inverses of the diagonal blocks of a Cholesky factor of `n` columns.
pub const fn squares_len(n: usize) -> usize {
    4 * padded(n)
}

/// Numbers of a matrix of `n` columns, which are padded to whole registers.
pub const fn matrix_len(n: usize) -> usize {
    padded(n) * n
}

/// In-place Cholesky factor of a matrix, stored by padded columns of which the lower triangle
/// counts; rows beyond the matrix are zero. Pivots are at least `MINVAL`.
pub fn factor(mat: &mut [f64], n: usize, squares: &mut [f64]) {
    if n > 0 {
        blocked::factor(Factor { mat, ld: padded(n), own: n, size: n, squares });
    }
}

dispatch! {
    /// In place x = (L Lᵀ)⁻¹ x with the results of [`factor`]; `x` is padded with rows of zeros to
    /// whole registers.
    pub fn solve(mat: &[f64], squares: &[f64], x: &mut [Row]) = solve_kernel::<Fused>;

    /// In place x = (LᵀDL)⁻¹ x on `dofs`, an ascending list with the ancestors of each dof.
    pub fn solve_tree(factor: TreeFactor<'_>, dofs: &[u32], x: &mut [Row])
        = solve_tree_kernel::<Fused>;

    /// In place x = (U L)⁻¹ x on `dofs`, an ascending list of the dofs of whole trees.
    pub fn solve_lu(rows: LuRows<'_>, lu: &[f64], dofs: &[u32], x: &mut [Row])
        = solve_lu_kernel::<Fused>;

    /// Adds multiples of vectors, one in each lane, as long as `x` at least.
    pub fn add_vectors(vectors: [&[f64]; WIDTH], scale: f64, x: &mut [Row])
        = add_vectors_kernel::<Fused>;

    /// `out` = A B for small matrices by rows, where A has `inner` columns, and rows of B and of
    /// `out` are padded to whole registers.
    pub fn product(a: &[f64], b: &[f64], inner: usize, out: &mut [f64]) = product_kernel::<Fused>;

    /// `out` = A x on `dofs`, an ascending list of the dofs of whole trees. A is symmetric, and its
    /// lower triangle has the pattern of the trees.
    pub fn multiply(rows: TreeRows<'_>, mat: &[f64], dofs: &[u32], x: &[Row], out: &mut [Row])
        = multiply_kernel::<Fused>;
}

/// A factor LᵀDL by [`ldl`](crate::ldl).
#[derive(Clone, Copy)]
pub struct TreeFactor<'a> {
    /// The pattern.
    pub rows: TreeRows<'a>,
    /// L, with D on its diagonal.
    pub ld: &'a [f64],
    /// The inverse of D.
    pub diag_inv: &'a [f64],
}

#[inline(always)]
fn solve_tree_kernel<L: Lane>(factor: TreeFactor<'_>, dofs: &[u32], x: &mut [Row]) {
    let TreeFactor { rows, ld, diag_inv } = factor;

    // D⁻¹ L⁻ᵀ x
    for &v in dofs.iter().rev() {
        let own = two::<L>(&x[v as usize]);
        let row = rows.before_diagonal(v as usize);
        for (&l, &up) in ld[row.clone()].iter().zip(&rows.cols[row]) {
            let above = two(&x[up as usize]);
            put(subtract(above, L::splat(l), own), &mut x[up as usize]);
        }
        put(scaled(own, L::splat(diag_inv[v as usize])), &mut x[v as usize]);
    }

    // L⁻¹ of that
    for &v in dofs {
        let row = rows.before_diagonal(v as usize);
        let sum = reduced::<L>(two(&x[v as usize]), &ld[row.clone()], &rows.cols[row], x);
        put(sum, &mut x[v as usize]);
    }
}

#[inline(always)]
fn solve_lu_kernel<L: Lane>(rows: LuRows<'_>, lu: &[f64], dofs: &[u32], x: &mut [Row]) {
    for &i in dofs.iter().rev() {
        let i = i as usize;
        let row = rows.row(i);
        let after = row.start + rows.diag[i] as usize + 1..row.end;
        let sum = reduced::<L>(two(&x[i]), &lu[after.clone()], &rows.cols[after], x);
        put(sum, &mut x[i]);
    }
    for &i in dofs {
        let i = i as usize;
        let start = rows.row(i).start;
        let diag = start + rows.diag[i] as usize;
        let sum = reduced::<L>(two(&x[i]), &lu[start..diag], &rows.cols[start..diag], x);
        put(scaled(sum, L::splat(1.0 / lu[diag])), &mut x[i]);
    }
}

#[inline(always)]
fn multiply_kernel<L: Lane>(
    rows: TreeRows<'_>,
    mat: &[f64],
    dofs: &[u32],
    x: &[Row],
    out: &mut [Row],
) {
    for &i in dofs {
        let i = i as usize;
        let row = rows.before_diagonal(i);
        let own = two::<L>(&x[i]);
        let mut sum = scaled(own, L::splat(mat[row.end]));
        for (&value, &j) in mat[row.clone()].iter().zip(&rows.cols[row]) {
            let (j, value) = (j as usize, L::splat(value));
            sum = add(sum, value, two(&x[j]));
            put(add(two(&out[j]), value, own), &mut out[j]);
        }
        put(sum, &mut out[i]);
    }
}

#[inline(always)]
fn add_vectors_kernel<L: Lane>(vectors: [&[f64]; WIDTH], scale: f64, x: &mut [Row]) {
    let n = x.len();
    let mut lanes = vectors;
    for lane in &mut lanes {
        *lane = &lane[..n];
    }

    // four numbers of each vector at a time
    let (blocks, rest) = x.as_chunks_mut::<LANES>();
    let done = blocks.len() * LANES;
    let factor = L::splat(scale);
    for (k, block) in blocks.iter_mut().enumerate() {
        for half in 0..2 {
            let mut four = [factor; LANES];
            for (to, lane) in four.iter_mut().zip(&lanes[half * LANES..]) {
                *to = L::load(&lane.as_chunks().0[k]);
            }
            let rows = L::transpose(four);
            for (row, numbers) in block.iter_mut().zip(rows) {
                let row = &mut row.as_chunks_mut::<LANES>().0[half];
                L::load(row).add_mul(factor, numbers).store(row);
            }
        }
    }
    for (v, row) in rest.iter_mut().enumerate() {
        for (to, lane) in row.iter_mut().zip(&lanes) {
            *to += scale * lane[done + v];
        }
    }
}

#[inline(always)]
fn product_kernel<L: Lane>(a: &[f64], b: &[f64], inner: usize, out: &mut [f64]) {
    if inner == 0 {
        return out.fill(0.0);
    }
    let ld = b.len() / inner;
    for (row, out) in a.chunks_exact(inner).zip(out.chunks_exact_mut(ld.max(1))) {
        for (at, out) in out.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            let mut sum = L::splat(0.0);
            for (factor, b) in row.iter().zip(b.chunks_exact(ld)) {
                sum = sum.add_mul(L::splat(*factor), L::load(&b.as_chunks().0[at]));
            }
            sum.store(out);
        }
    }
}

/// A row minus the product of a sparse row and all rows.
#[inline(always)]
fn reduced<L: Lane>(mut sum: [L; 2], vals: &[f64], cols: &[i32], x: &[Row]) -> [L; 2] {
    for (&value, &col) in vals.iter().zip(cols) {
        sum = subtract(sum, L::splat(value), two(&x[col as usize]));
    }
    sum
}

/// Four rows of the solution.
type Block<L> = [[L; 2]; LANES];

#[inline(always)]
fn solve_kernel<L: Lane>(mat: &[f64], squares: &[f64], x: &mut [Row]) {
    let ld = x.len();
    if ld == 0 {
        return;
    }
    assert!(ld.is_multiple_of(LANES));
    let inverses = squares.as_chunks::<16>().0;

    // L⁻¹ x, four rows at a time
    for (block, inverse) in inverses.iter().enumerate().take(ld / LANES) {
        let (done, rest) = x.split_at_mut(block * LANES);
        let mut acc = load::<L>(rest);
        for (column, x) in mat.chunks_exact(ld).zip(&*done) {
            let Some(factors) = column[block * LANES..].first_chunk::<LANES>() else { return };
            subtract_each(&mut acc, factors, two(x));
        }
        store(apply(inverse, [4, 1], &acc), rest);
    }

    // L⁻ᵀ of that
    for (block, inverse) in inverses.iter().enumerate().take(ld / LANES).rev() {
        let (head, done) = x.split_at_mut((block + 1) * LANES);
        let rest = &mut head[block * LANES..];
        let mut acc = load::<L>(rest);
        let mut columns = [&[][..]; LANES];
        for (k, column) in columns.iter_mut().enumerate() {
            let start = (block * LANES + k) * ld;
            if let Some(whole) = mat.get(start..start + ld) {
                *column = &whole[(block + 1) * LANES..];
            }
        }
        let [a, b, c, d] = columns;
        for ((((x, a), b), c), d) in done.iter().zip(a).zip(b).zip(c).zip(d) {
            subtract_each(&mut acc, &[*a, *b, *c, *d], two(x));
        }
        store(apply(inverse, [1, 4], &acc), rest);
    }
}

// Plain loops from here on: closures are compiled for the baseline processor.

#[inline(always)]
fn two<L: Lane>(x: &Row) -> [L; 2] {
    let halves = x.as_chunks::<LANES>().0;
    [L::load(&halves[0]), L::load(&halves[1])]
}

#[inline(always)]
fn put<L: Lane>(x: [L; 2], to: &mut Row) {
    let halves = to.as_chunks_mut::<LANES>().0;
    x[0].store(&mut halves[0]);
    x[1].store(&mut halves[1]);
}

#[inline(always)]
fn scaled<L: Lane>(x: [L; 2], scale: L) -> [L; 2] {
    [x[0] * scale, x[1] * scale]
}

#[inline(always)]
fn load<L: Lane>(x: &[Row]) -> Block<L> {
    [two(&x[0]), two(&x[1]), two(&x[2]), two(&x[3])]
}

#[inline(always)]
fn store<L: Lane>(block: Block<L>, x: &mut [Row]) {
    for (row, to) in block.into_iter().zip(x) {
        put(row, to);
    }
}

#[inline(always)]
fn add<L: Lane>(sum: [L; 2], factor: L, x: [L; 2]) -> [L; 2] {
    [sum[0].add_mul(factor, x[0]), sum[1].add_mul(factor, x[1])]
}

#[inline(always)]
fn subtract<L: Lane>(sum: [L; 2], factor: L, x: [L; 2]) -> [L; 2] {
    [sum[0].sub_mul(factor, x[0]), sum[1].sub_mul(factor, x[1])]
}

/// Subtracts a multiple of one row from each row of a block.
#[inline(always)]
fn subtract_each<L: Lane>(acc: &mut Block<L>, factors: &[f64; LANES], x: [L; 2]) {
    for (acc, factor) in acc.iter_mut().zip(factors) {
        *acc = subtract(*acc, L::splat(*factor), x);
    }
}

/// The product of a 4×4 matrix, whose columns have the stride `down` and rows the stride `right`,
/// and a block.
#[inline(always)]
fn apply<L: Lane>(matrix: &[f64; 16], [down, right]: [usize; 2], x: &Block<L>) -> Block<L> {
    let mut out = [[L::splat(0.0); 2]; LANES];
    for (row, sum) in out.iter_mut().enumerate() {
        for (k, x) in x.iter().enumerate() {
            *sum = add(*sum, L::splat(matrix[down * row + right * k]), *x);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use sinew_testkit::Random;

    use super::*;
    use crate::simd::Portable;
    use crate::{ldl, lu};

    fn random_rows(random: &mut Random, n: usize) -> Vec<Row> {
        (0..n).map(|_| core::array::from_fn(|_| random.between([-1.0, 1.0]))).collect()
    }

    /// Checks A x = b for A by its entries.
    #[track_caller]
    fn check(n: usize, entry: impl Fn(usize, usize) -> f64, x: &[Row], b: &[Row]) {
        for i in 0..n {
            for lane in 0..WIDTH {
                let product: f64 = (0..n).map(|j| entry(i, j) * x[j][lane]).sum();
                assert!((product - b[i][lane]).abs() < 1e-12, "{n}: row {i}");
            }
        }
    }

    #[test]
    fn a_cholesky_solution_times_the_matrix_is_the_right_hand_side() {
        for n in 1..30 {
            let (ld, mut random) = (padded(n), Random::new(n as u64));
            let mut mat = vec![0.0; matrix_len(n)];
            for j in 0..n {
                for i in j..n {
                    mat[j * ld + i] = random.between([-0.3, 0.3]);
                }
                mat[j * ld + j] += n as f64;
            }
            let mut rows = random_rows(&mut random, n);
            rows.resize(ld, [0.0; WIDTH]);
            let (mut l, mut squares) = (mat.clone(), vec![0.0; squares_len(n)]);
            factor(&mut l, n, &mut squares);
            let (mut wide, mut portable) = (rows.clone(), rows.clone());
            solve(&l, &squares, &mut wide);
            solve_kernel::<Portable>(&l, &squares, &mut portable);
            for x in [wide, portable] {
                check(n, |i, j| mat[i.min(j) * ld + i.max(j)], &x, &rows);
                assert!(x[n..].iter().all(|row| *row == [0.0; WIDTH]), "padding stays");
            }
        }
    }

    #[test]
    fn products_are_sums_over_the_inner_index() {
        for (rows, inner, cols) in [(3, 1, 4), (5, 4, 8), (2, 10, 12)] {
            let mut random = Random::new(inner as u64);
            let (a, b) = (random.vector(rows * inner), random.vector(inner * cols));
            let (mut wide, mut portable) = (vec![1.0; rows * cols], vec![1.0; rows * cols]);
            product(&a, &b, inner, &mut wide);
            product_kernel::<Portable>(&a, &b, inner, &mut portable);
            for (k, (x, y)) in wide.into_iter().zip(portable).enumerate() {
                let entry = |l: usize| a[k / cols * inner + l] * b[l * cols + k % cols];
                let sum: f64 = (0..inner).map(entry).sum();
                assert!((x - sum).abs() < 1e-12 && (y - sum).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn added_vectors_are_the_lanes() {
        for n in 0..10 {
            let mut random = Random::new(n as u64);
            let vectors: Vec<Vec<f64>> = (0..WIDTH).map(|_| random.vector(n + 1)).collect();
            let lanes = core::array::from_fn(|k| &vectors[k][..]);
            let start = random_rows(&mut random, n);
            let (mut wide, mut portable) = (start.clone(), start.clone());
            add_vectors(lanes, -2.0, &mut wide);
            add_vectors_kernel::<Portable>(lanes, -2.0, &mut portable);
            for v in 0..n {
                for k in 0..WIDTH {
                    let sum = start[v][k] - 2.0 * vectors[k][v];
                    assert_eq!((wide[v][k], portable[v][k]), (sum, sum), "row {v}, lane {k}");
                }
            }
        }
    }

    /// Two trees, 0 - 1 with the branches 2 - 3 and 4, and 5 - 6: the parents.
    const PARENTS: [Option<usize>; 7] = [None, Some(0), Some(1), Some(2), Some(1), None, Some(5)];

    /// Whether a dof is above another or the same.
    fn is_above(i: usize, j: usize) -> bool {
        core::iter::successors(Some(j), |&j| PARENTS[j]).any(|j| j == i)
    }

    /// Addresses, lengths and columns of the rows whose entries are given by `has`.
    fn pattern(has: impl Fn(usize, usize) -> bool) -> [Vec<i32>; 3] {
        let (mut adr, mut nnz, mut cols) = (vec![], vec![], vec![]);
        for i in 0..PARENTS.len() {
            adr.push(cols.len() as i32);
            cols.extend((0..PARENTS.len()).filter(|&j| has(i, j)).map(|j| j as i32));
            nnz.push(cols.len() as i32 - adr[i]);
        }
        [adr, nnz, cols]
    }

    #[test]
    fn solutions_of_trees_times_the_matrix_are_the_right_hand_side() {
        let n = PARENTS.len();
        let value = |i: usize, j: usize| {
            if i == j { 9.0 } else { ((i + j) as f64 + (i * j) as f64).sin() }
        };
        let entry = |i: usize, j: usize| {
            if is_above(i, j) || is_above(j, i) { value(i, j) } else { 0.0 }
        };
        let [adr, nnz, cols] = pattern(|i, j| is_above(j, i));
        let rows = TreeRows { adr: &adr, nnz: &nnz, cols: &cols };
        let row_of = |k: usize| adr.partition_point(|&a| a as usize <= k) - 1;
        let mat: Vec<f64> = (0..cols.len()).map(|k| value(row_of(k), cols[k] as usize)).collect();
        let (mut ld, mut diag_inv) = (mat.clone(), vec![0.0; n]);
        ldl::factor(&rows, 0..n, &mut ld, &mut diag_inv);
        let b = random_rows(&mut Random::new(3), n);
        let factor = TreeFactor { rows, ld: &ld, diag_inv: &diag_inv };
        let dofs: Vec<u32> = (0..n as u32).collect();
        let (mut wide, mut portable) = (b.clone(), b.clone());
        solve_tree(factor, &dofs, &mut wide);
        solve_tree_kernel::<Portable>(factor, &dofs, &mut portable);
        check(n, entry, &wide, &b);
        check(n, entry, &portable, &b);

        // the product, and one tree alone
        let mut product = b.clone();
        multiply(rows, &mat, &dofs, &wide, &mut product);
        check(n, |i, j| f64::from(u8::from(i == j)), &product, &b);
        let mut alone = b.clone();
        solve_tree(factor, &dofs[5..], &mut alone);
        assert_eq!((&alone[..5], &alone[5..]), (&b[..5], &wide[5..]));
    }

    #[test]
    fn lu_solutions_times_the_matrix_are_the_right_hand_side() {
        let n = PARENTS.len();
        let related = |i: usize, j: usize| is_above(i, j) || is_above(j, i);
        let value = |i: usize, j: usize| {
            if i == j { 9.0 } else { ((i + 2 * j) as f64 + (i * j) as f64).sin() }
        };
        let [adr, nnz, cols] = pattern(related);
        let row_of = |k: usize| adr.partition_point(|&a| a as usize <= k) - 1;
        let mut mat: Vec<f64> =
            (0..cols.len()).map(|k| value(row_of(k), cols[k] as usize)).collect();
        let place = |i: usize| (0..nnz[i]).find(|k| cols[(adr[i] + k) as usize] == i as i32);
        let diag: Vec<i32> = (0..n).map(|i| place(i).expect("a diagonal")).collect();
        let rows = LuRows { adr: &adr, nnz: &nnz, diag: &diag, cols: &cols };
        lu::factor(&rows, 0..n, &mut mat);
        let b = random_rows(&mut Random::new(4), n);
        let dofs: Vec<u32> = (0..n as u32).collect();
        let (mut wide, mut portable) = (b.clone(), b.clone());
        solve_lu(rows, &mat, &dofs, &mut wide);
        solve_lu_kernel::<Portable>(rows, &mat, &dofs, &mut portable);
        let entry = |i: usize, j: usize| if related(i, j) { value(i, j) } else { 0.0 };
        check(n, entry, &wide, &b);
        check(n, entry, &portable, &b);
    }
}
