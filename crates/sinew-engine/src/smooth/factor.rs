//! The factor LᵀDL of matrices with the pattern of M.
//!
//! Rows are short, so its time is that of the loops about them: the processor chooses between
//! portable ones and ones of AVX. Those have wider registers but fuse nothing and keep the order of
//! operations: the numbers are the same to the last bit.
// to call code that is compiled for a feature, after asking the processor for it
#![allow(unsafe_code)]

use core::array::from_fn;

use sinew_math::vector::add_scaled;
use sinew_model::{DofId, Model};

/// In-place factor LᵀDL of a matrix with the pattern of M, and the inverse of D.
#[doc(alias = "mj_factorI")]
pub fn factor_i(m: &Model, mat: &mut [f64], diag_inv: &mut [f64]) {
    let rows = Rows { adr: &m.M_rowadr, nnz: &m.M_rownnz, cols: &m.M_colind };
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx") {
        // SAFETY: the processor has AVX, the only feature that the function is compiled for.
        return unsafe { factor_avx(&rows, mat, diag_inv) };
    }
    factor::<Portable>(&rows, mat, diag_inv);
}

/// Rows of M: where each begins, how many numbers it has, and their columns.
struct Rows<'a> {
    adr: &'a [i32],
    nnz: &'a [i32],
    cols: &'a [DofId],
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
fn factor_avx(rows: &Rows<'_>, mat: &mut [f64], diag_inv: &mut [f64]) {
    factor::<avx::Avx>(rows, mat, diag_inv);
}

/// Eliminates the dofs k from the last to the first: M(i,:) -= M(k,i) / M(k,k) M(k,:) for the rows
/// of its ancestors i. Up to four dofs go together where each is the parent of the next: rows above
/// are visited once for all, with the same sums in the same order.
#[inline(always)]
fn factor<L: Loops>(rows: &Rows<'_>, mat: &mut [f64], diag_inv: &mut [f64]) {
    let mut k = rows.adr.len();
    while k > 0 {
        k -= 1;
        let (adr, num) = (rows.adr[k] as usize, rows.nnz[k] as usize - 1);
        let (above, row) = mat.split_at_mut(adr);
        let (row, diag) = row.split_at_mut(num);
        let inv = 1.0 / diag[0];
        diag_inv[k] = inv;
        let cols = &rows.cols[adr..adr + num];
        let Some((last, cols)) = cols.split_last() else {
            if k > 0 && rows.nnz[k - 1] == 1 {
                k -= invert_diagonals(rows, mat, diag_inv, k);
            }
            continue;
        };

        // a parent that is not the dof before: this dof alone
        let parent = last.idx();
        let parent_adr = rows.adr[parent] as usize;
        if in_line(rows, k, 4) {
            k -= 3;
            eliminate_four::<L>(rows, mat, &mut diag_inv[k..k + 4], k);
            continue;
        }
        if in_line(rows, k, 3) {
            k -= 2;
            eliminate_three::<L>(rows, mat, &mut diag_inv[k..k + 3], k);
            continue;
        }
        if parent + 1 != k || parent_adr + num != adr {
            L::add(&mut above[parent_adr..][..num], row, -row[num - 1] * inv);
            for (n, i) in cols.iter().enumerate().rev() {
                let target = &mut above[rows.adr[i.idx()] as usize..][..n + 1];
                L::add(target, &row[..n + 1], -row[n] * inv);
            }
            L::scale(row, inv);
            continue;
        }

        // the parent's row, complete with this one, then both
        let (above, parent_row) = above.split_at_mut(parent_adr);
        L::add(parent_row, row, -row[num - 1] * inv);
        let (parent_row, parent_diag) = parent_row.split_at_mut(num - 1);
        let parent_inv = 1.0 / parent_diag[0];
        diag_inv[parent] = parent_inv;
        for (n, i) in cols.iter().enumerate().rev() {
            let target = &mut above[rows.adr[i.idx()] as usize..][..n + 1];
            let scales = (-row[n] * inv, -parent_row[n] * parent_inv);
            L::add_both(target, &row[..n + 1], &parent_row[..n + 1], scales);
        }
        L::scale(row, inv);
        L::scale(parent_row, parent_inv);
        k = parent;
    }
}

/// Whether dof `k` is the last of `len` that are a chain with their rows side by side.
#[inline(always)]
fn in_line(rows: &Rows<'_>, k: usize, len: usize) -> bool {
    let (adr, num) = (rows.adr[k] as usize, rows.nnz[k] as usize - 1);
    let before = len - 1;
    num >= before
        && rows.cols[adr + num - before].idx() + before == k
        && rows.nnz[k - before] as usize + before == num + 1
        && rows.adr[k - before] as usize + before * num - before * (before - 1) / 2 == adr
}

/// Eliminates a chain of three dofs from `first` on. As for two, but within the chain in registers:
/// each row has the columns of dofs above the chain, then those within.
#[inline(always)]
fn eliminate_three<L: Loops>(rows: &Rows<'_>, mat: &mut [f64], diag_inv: &mut [f64], first: usize) {
    let (adr, num) = (rows.adr[first] as usize, rows.nnz[first] as usize - 1);
    let (above, chain) = mat.split_at_mut(adr);
    let (row0, chain) = chain.split_at_mut(num + 1);
    let (row1, chain) = chain.split_at_mut(num + 2);
    let row2 = &mut chain[..num + 3];
    let ((a0, b0), (a1, b1), (a2, b2)) =
        (row0.split_at_mut(num), row1.split_at_mut(num), row2.split_at_mut(num));
    let ([d0], [l10, d1], [l20, l21, d2]) = (b0, b1, b2) else { return };

    // within the chain: each dof updates those before it
    let i2 = 1.0 / *d2;
    let (s21, s20) = (-*l21 * i2, -*l20 * i2);
    let (m10, m1) = (*l10 + *l20 * s21, *d1 + *l21 * s21);
    let i1 = 1.0 / m1;
    let s10 = -m10 * i1;
    let m0 = (*d0 + *l20 * s20) + m10 * s10;
    let i0 = 1.0 / m0;
    (*d1, *d0) = (m1, m0);
    (*l20, *l21, *l10) = (*l20 * i2, *l21 * i2, m10 * i1);
    diag_inv.copy_from_slice(&[i0, i1, i2]);
    if num == 0 {
        return;
    }

    // the columns above
    L::add(a1, a2, s21);
    L::add_both(a0, a2, a1, (s20, s10));
    for (n, i) in rows.cols[adr..adr + num].iter().enumerate().rev() {
        let target = &mut above[rows.adr[i.idx()] as usize..][..n + 1];
        let scales = [-a2[n] * i2, -a1[n] * i1, -a0[n] * i0];
        L::add_three(target, [&a2[..n + 1], &a1[..n + 1], &a0[..n + 1]], scales);
    }
    L::scale(a2, i2);
    L::scale(a1, i1);
    L::scale(a0, i0);
}

/// Eliminates a chain of four dofs from `first` on, as `eliminate_three` does.
#[inline(always)]
fn eliminate_four<L: Loops>(rows: &Rows<'_>, mat: &mut [f64], diag_inv: &mut [f64], first: usize) {
    let (adr, num) = (rows.adr[first] as usize, rows.nnz[first] as usize - 1);
    let (above, chain) = mat.split_at_mut(adr);
    let (row0, chain) = chain.split_at_mut(num + 1);
    let (row1, chain) = chain.split_at_mut(num + 2);
    let (row2, chain) = chain.split_at_mut(num + 3);
    let row3 = &mut chain[..num + 4];
    let ((a0, b0), (a1, b1), (a2, b2), (a3, b3)) = (
        row0.split_at_mut(num),
        row1.split_at_mut(num),
        row2.split_at_mut(num),
        row3.split_at_mut(num),
    );
    let ([d0], [l10, d1], [l20, l21, d2], [l30, l31, l32, d3]) = (b0, b1, b2, b3) else { return };

    // within the chain: each dof updates those before it
    let i3 = 1.0 / *d3;
    let (s32, s31, s30) = (-*l32 * i3, -*l31 * i3, -*l30 * i3);
    let (m20, m21, m2) = (*l20 + *l30 * s32, *l21 + *l31 * s32, *d2 + *l32 * s32);
    let i2 = 1.0 / m2;
    let (s21, s20) = (-m21 * i2, -m20 * i2);
    let m10 = (*l10 + *l30 * s31) + m20 * s21;
    let m1 = (*d1 + *l31 * s31) + m21 * s21;
    let i1 = 1.0 / m1;
    let s10 = -m10 * i1;
    let m0 = ((*d0 + *l30 * s30) + m20 * s20) + m10 * s10;
    let i0 = 1.0 / m0;
    (*d2, *d1, *d0) = (m2, m1, m0);
    (*l30, *l31, *l32) = (*l30 * i3, *l31 * i3, *l32 * i3);
    (*l20, *l21, *l10) = (m20 * i2, m21 * i2, m10 * i1);
    diag_inv.copy_from_slice(&[i0, i1, i2, i3]);
    if num == 0 {
        return;
    }

    // the columns above
    L::add(a2, a3, s32);
    L::add_both(a1, a3, a2, (s31, s21));
    L::add_both(a0, a3, a2, (s30, s20));
    L::add(a0, a1, s10);
    for (n, i) in rows.cols[adr..adr + num].iter().enumerate().rev() {
        let target = &mut above[rows.adr[i.idx()] as usize..][..n + 1];
        let scales = [-a3[n] * i3, -a2[n] * i2, -a1[n] * i1, -a0[n] * i0];
        L::add_four(target, [&a3[..n + 1], &a2[..n + 1], &a1[..n + 1], &a0[..n + 1]], scales);
    }
    L::scale(a3, i3);
    L::scale(a2, i2);
    L::scale(a1, i1);
    L::scale(a0, i0);
}

/// Inverts the rows before `k` that are a diagonal alone and lie side by side with it; how many there
/// are. A division waits for no other: several at once take the time of one.
// not inlined: code for bodies that float alone would be in the way of that for trees
#[inline(never)]
fn invert_diagonals(rows: &Rows<'_>, mat: &[f64], diag_inv: &mut [f64], k: usize) -> usize {
    let adr = rows.adr[k] as usize;
    let before = rows.nnz[..k].iter().zip(&rows.adr[..k]).rev();
    let alone = |&(at, (&nnz, &a)): &(usize, (&i32, &i32))| nnz == 1 && a as usize + at + 1 == adr;
    let num = before.enumerate().take_while(alone).count();
    for (inv, x) in diag_inv[k - num..k].iter_mut().zip(&mat[adr - num..adr]) {
        *inv = 1.0 / x;
    }
    num
}

/// The innermost loops; slices of one call have the same length.
trait Loops {
    /// target += a scale
    fn add(target: &mut [f64], a: &[f64], scale: f64);

    /// target += a scales.0, then target += b scales.1
    fn add_both(target: &mut [f64], a: &[f64], b: &[f64], scales: (f64, f64));

    /// target += row scale, for one of three after another
    fn add_three(target: &mut [f64], rows: [&[f64]; 3], scales: [f64; 3]);

    /// target += row scale, for one of four after another
    fn add_four(target: &mut [f64], rows: [&[f64]; 4], scales: [f64; 4]);

    /// row *= scale
    fn scale(row: &mut [f64], scale: f64);
}

/// Loops for any processor.
struct Portable;

impl Loops for Portable {
    #[inline(always)]
    fn add(target: &mut [f64], a: &[f64], scale: f64) {
        add_scaled(target, a, scale);
    }

    #[inline(always)]
    fn add_both(target: &mut [f64], a: &[f64], b: &[f64], scales: (f64, f64)) {
        let sum = |t: f64, a: f64, b: f64| (t + a * scales.0) + b * scales.1;
        let (target4, target) = target.as_chunks_mut::<4>();
        let ((a4, a), (b4, b)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
        for (t, (a, b)) in target4.iter_mut().zip(a4.iter().zip(b4)) {
            *t = from_fn(|k| sum(t[k], a[k], b[k]));
        }
        for (t, (a, b)) in target.iter_mut().zip(a.iter().zip(b)) {
            *t = sum(*t, *a, *b);
        }
    }

    #[inline(always)]
    fn add_three(target: &mut [f64], [a, b, c]: [&[f64]; 3], [sa, sb, sc]: [f64; 3]) {
        for (t, ((a, b), c)) in target.iter_mut().zip(a.iter().zip(b).zip(c)) {
            *t = ((*t + a * sa) + b * sb) + c * sc;
        }
    }

    #[inline(always)]
    fn add_four(target: &mut [f64], [a, b, c, d]: [&[f64]; 4], [sa, sb, sc, sd]: [f64; 4]) {
        let rows = a.iter().zip(b).zip(c.iter().zip(d));
        for (t, ((a, b), (c, d))) in target.iter_mut().zip(rows) {
            *t = (((*t + a * sa) + b * sb) + c * sc) + d * sd;
        }
    }

    #[inline(always)]
    fn scale(row: &mut [f64], scale: f64) {
        for x in row {
            *x *= scale;
        }
    }
}

/// Loops in registers of four numbers. The compiler, left alone, vectorises across several of them
/// with more shuffling than a short row is worth.
#[cfg(target_arch = "x86_64")]
mod avx {
    use core::arch::x86_64::{
        __m128d, __m256d, _mm_add_pd, _mm_loadu_pd, _mm_mul_pd, _mm_set1_pd, _mm_storeu_pd,
        _mm256_add_pd, _mm256_loadu_pd, _mm256_mul_pd, _mm256_set1_pd, _mm256_storeu_pd,
    };

    use super::Loops;

    /// Only for functions that are compiled for AVX: everything here is inlined into them.
    pub(super) struct Avx;

    impl Loops for Avx {
        #[inline(always)]
        fn add(target: &mut [f64], a: &[f64], scale: f64) {
            let (target4, target) = target.as_chunks_mut::<4>();
            let (a4, a) = a.as_chunks::<4>();
            for (t, a) in target4.iter_mut().zip(a4) {
                // SAFETY: see `Avx`; the arrays have the four numbers.
                unsafe { store4(t, madd4(load4(t), load4(a), scale)) };
            }
            let (target2, target) = target.as_chunks_mut::<2>();
            let (a2, a) = a.as_chunks::<2>();
            if let ([t], [a]) = (target2, a2) {
                // SAFETY: as above, with two numbers.
                unsafe { store2(t, madd2(load2(t), load2(a), scale)) };
            }
            if let ([t], [a]) = (target, a) {
                *t += a * scale;
            }
        }

        #[inline(always)]
        fn add_both(target: &mut [f64], a: &[f64], b: &[f64], (sa, sb): (f64, f64)) {
            let (target4, target) = target.as_chunks_mut::<4>();
            let ((a4, a), (b4, b)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
            for (t, (a, b)) in target4.iter_mut().zip(a4.iter().zip(b4)) {
                // SAFETY: see `Avx`; the arrays have the four numbers.
                unsafe { store4(t, madd4(madd4(load4(t), load4(a), sa), load4(b), sb)) };
            }
            let (target2, target) = target.as_chunks_mut::<2>();
            let ((a2, a), (b2, b)) = (a.as_chunks::<2>(), b.as_chunks::<2>());
            if let ([t], [a], [b]) = (target2, a2, b2) {
                // SAFETY: as above, with two numbers.
                unsafe { store2(t, madd2(madd2(load2(t), load2(a), sa), load2(b), sb)) };
            }
            if let ([t], [a], [b]) = (target, a, b) {
                *t = (*t + a * sa) + b * sb;
            }
        }

        #[inline(always)]
        fn add_three(target: &mut [f64], [a, b, c]: [&[f64]; 3], [sa, sb, sc]: [f64; 3]) {
            let (target4, target) = target.as_chunks_mut::<4>();
            let ((a4, a), (b4, b)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
            let (c4, c) = c.as_chunks::<4>();
            for (t, ((a, b), c)) in target4.iter_mut().zip(a4.iter().zip(b4).zip(c4)) {
                // SAFETY: see `Avx`; the arrays have the four numbers.
                unsafe {
                    let two = madd4(madd4(load4(t), load4(a), sa), load4(b), sb);
                    store4(t, madd4(two, load4(c), sc));
                }
            }
            for (t, ((a, b), c)) in target.iter_mut().zip(a.iter().zip(b).zip(c)) {
                *t = ((*t + a * sa) + b * sb) + c * sc;
            }
        }

        #[inline(always)]
        fn add_four(target: &mut [f64], [a, b, c, d]: [&[f64]; 4], [sa, sb, sc, sd]: [f64; 4]) {
            let (target4, target) = target.as_chunks_mut::<4>();
            let ((a4, a), (b4, b)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
            let ((c4, c), (d4, d)) = (c.as_chunks::<4>(), d.as_chunks::<4>());
            let rows4 = a4.iter().zip(b4).zip(c4.iter().zip(d4));
            for (t, ((a, b), (c, d))) in target4.iter_mut().zip(rows4) {
                // SAFETY: see `Avx`; the arrays have the four numbers.
                unsafe {
                    let two = madd4(madd4(load4(t), load4(a), sa), load4(b), sb);
                    store4(t, madd4(madd4(two, load4(c), sc), load4(d), sd));
                }
            }
            let rows = a.iter().zip(b).zip(c.iter().zip(d));
            for (t, ((a, b), (c, d))) in target.iter_mut().zip(rows) {
                *t = (((*t + a * sa) + b * sb) + c * sc) + d * sd;
            }
        }

        #[inline(always)]
        fn scale(row: &mut [f64], scale: f64) {
            let (row4, row) = row.as_chunks_mut::<4>();
            for x in row4 {
                // SAFETY: see `Avx`; the array has the four numbers.
                unsafe { store4(x, _mm256_mul_pd(load4(x), _mm256_set1_pd(scale))) };
            }
            if let [x, ..] = row {
                *x *= scale;
            }
            if let [_, x, ..] = row {
                *x *= scale;
            }
            if let [_, _, x, ..] = row {
                *x *= scale;
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx")]
    fn load4(x: &[f64; 4]) -> __m256d {
        // SAFETY: the four numbers are there, and need no alignment.
        unsafe { _mm256_loadu_pd(x.as_ptr()) }
    }

    #[inline]
    #[target_feature(enable = "avx")]
    fn store4(x: &mut [f64; 4], v: __m256d) {
        // SAFETY: as in `load4`.
        unsafe { _mm256_storeu_pd(x.as_mut_ptr(), v) }
    }

    #[inline]
    #[target_feature(enable = "avx")]
    fn madd4(t: __m256d, a: __m256d, scale: f64) -> __m256d {
        _mm256_add_pd(t, _mm256_mul_pd(a, _mm256_set1_pd(scale)))
    }

    #[inline]
    #[target_feature(enable = "avx")]
    fn load2(x: &[f64; 2]) -> __m128d {
        // SAFETY: the two numbers are there, and need no alignment.
        unsafe { _mm_loadu_pd(x.as_ptr()) }
    }

    #[inline]
    #[target_feature(enable = "avx")]
    fn store2(x: &mut [f64; 2], v: __m128d) {
        // SAFETY: as in `load2`.
        unsafe { _mm_storeu_pd(x.as_mut_ptr(), v) }
    }

    #[inline]
    #[target_feature(enable = "avx")]
    fn madd2(t: __m128d, a: __m128d, scale: f64) -> __m128d {
        _mm_add_pd(t, _mm_mul_pd(a, _mm_set1_pd(scale)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Factor = dyn Fn(&Rows<'_>, &mut [f64], &mut [f64]);

    /// Parents of dofs: a chain of seven, branches of every length up to ten, a dof alone.
    fn parents() -> Vec<Option<usize>> {
        let mut parents: Vec<Option<usize>> = (0..7usize).map(|i| i.checked_sub(1)).collect();
        for len in 1..=10 {
            parents.push(Some(len % 7));
            for _ in 1..len {
                parents.push(Some(parents.len() - 1));
            }
        }
        parents.push(None);
        parents
    }

    /// One dof and one ancestor after another, as the formula says.
    fn one_by_one(rows: &Rows<'_>, mat: &mut [f64], diag_inv: &mut [f64]) {
        for k in (0..rows.adr.len()).rev() {
            let (adr, num) = (rows.adr[k] as usize, rows.nnz[k] as usize - 1);
            let inv = 1.0 / mat[adr + num];
            diag_inv[k] = inv;
            for n in (0..num).rev() {
                let target = rows.adr[rows.cols[adr + n].idx()] as usize;
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

    #[test]
    fn all_ways_give_the_same_bits() {
        // rows: ancestors from the root, then the dof itself
        let parents = parents();
        let (mut adr, mut nnz, mut cols) = (vec![], vec![], vec![]);
        for i in 0..parents.len() {
            let mut row: Vec<usize> = core::iter::successors(Some(i), |&i| parents[i]).collect();
            row.reverse();
            adr.push(cols.len() as i32);
            nnz.push(row.len() as i32);
            cols.extend(row.into_iter().map(DofId::new));
        }
        let rows = Rows { adr: &adr, nnz: &nnz, cols: &cols };

        // numbers without pattern, with a heavy diagonal
        let mut mat: Vec<f64> = (0..cols.len()).map(|i| ((i * i + 1) as f64).sin()).collect();
        for (a, n) in adr.iter().zip(&nnz) {
            mat[(a + n - 1) as usize] += 20.0;
        }

        let run = |factor: &Factor| -> Vec<u64> {
            let (mut mat, mut diag_inv) = (mat.clone(), vec![0.0; adr.len()]);
            factor(&rows, &mut mat, &mut diag_inv);
            mat.iter().chain(&diag_inv).map(|x| x.to_bits()).collect()
        };
        let expected = run(&one_by_one);
        assert_eq!(run(&factor::<Portable>), expected);
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx") {
            // SAFETY: the processor has AVX.
            assert_eq!(run(&|r, m, d| unsafe { factor_avx(r, m, d) }), expected);
        }
    }
}
