//! Numerical methods of the `mju_*` functions: band matrices, box-constrained quadratic programs,
//! random numbers.

use core::sync::atomic::{AtomicU64, Ordering};

use numpy::{PyReadwriteArray1, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sinew_math::boxqp::BoxQp;
use sinew_math::vector::{add_scaled, dot};
use sinew_math::{MINVAL, scalar};

use crate::args::{Matrix, OutMatrix, OutVector, Vector, require};
use crate::failure::FatalError;

/// The layout of a symmetric band-dense matrix: a banded lower triangle, followed by dense rows.
#[derive(Clone, Copy)]
struct Band {
    ntotal: usize,
    nband: usize,
    nsparse: usize,
}

impl Band {
    /// The layout, if the matrix has `len` entries.
    fn new([ntotal, nband, ndense]: [usize; 3], len: usize) -> Option<Band> {
        let nsparse = ntotal.checked_sub(ndense)?;
        let size = nsparse.checked_mul(nband)?.checked_add(ndense.checked_mul(ntotal)?)?;
        (size == len && (nband > 0 || nsparse == 0)).then_some(Band { ntotal, nband, nsparse })
    }

    /// The first column of row `i`.
    fn first(&self, i: usize) -> usize {
        if i < self.nsparse { (i + 1).saturating_sub(self.nband) } else { 0 }
    }

    /// The index of the entry in row `i` and column `j`.
    fn at(&self, i: usize, j: usize) -> usize {
        if i < self.nsparse {
            (i + 1) * self.nband - 1 - i + j
        } else {
            self.nsparse * self.nband + (i - self.nsparse) * self.ntotal + j
        }
    }

    /// Entries of row `i` in the columns `from..to`.
    fn row<'a>(&self, mat: &'a [f64], i: usize, from: usize, to: usize) -> &'a [f64] {
        &mat[self.at(i, from)..][..to - from]
    }
}

/// The layout, or MuJoCo's error for a matrix of another size.
fn band(sizes: [usize; 3], len: usize, text: &'static str) -> PyResult<Band> {
    Band::new(sizes, len).ok_or_else(|| PyTypeError::new_err(text))
}

/// Address of a diagonal entry of a band matrix.
#[pyfunction]
fn mju_bandDiag(i: i64, ntotal: i64, nband: i64, ndense: i64) -> i64 {
    let nsparse = ntotal.wrapping_sub(ndense);
    if i < nsparse {
        i.wrapping_mul(nband).wrapping_add(nband - 1)
    } else {
        nsparse.wrapping_mul(nband).wrapping_add((i - nsparse).wrapping_mul(ntotal)).wrapping_add(i)
    }
}

/// Converts a band matrix to a dense one, with the upper triangle if `flg_sym`.
#[pyfunction]
fn mju_band2Dense(
    res: OutMatrix<'_>,
    mat: Vector,
    ntotal: usize,
    nband: usize,
    ndense: usize,
    flg_sym: i32,
) -> PyResult<()> {
    let text = "mat must have size (ntotal-ndense)*nband + ndense*ntotal";
    let b = band([ntotal, nband, ndense], mat.0.len(), text)?;
    require(res.rows == ntotal, "res should have ntotal rows")?;
    require(res.cols == ntotal, "res should have ntotal columns")?;
    let mut out = vec![0.0; ntotal * ntotal];
    for i in 0..ntotal {
        for j in b.first(i)..=i {
            out[i * ntotal + j] = mat.0[b.at(i, j)];
            if flg_sym != 0 {
                out[j * ntotal + i] = mat.0[b.at(i, j)];
            }
        }
    }
    res.set(&out)
}

/// Converts a dense matrix to a band matrix.
#[pyfunction]
fn mju_dense2Band(
    res: OutVector<'_>,
    mat: Matrix,
    ntotal: usize,
    nband: usize,
    ndense: usize,
) -> PyResult<()> {
    let text = "res must have size (ntotal-ndense)*nband + ndense*ntotal";
    let b = band([ntotal, nband, ndense], res.len(), text)?;
    require(mat.rows == ntotal, "mat should have ntotal rows")?;
    require(mat.cols == ntotal, "mat should have ntotal columns")?;
    let mut out = res.get();
    for i in 0..ntotal {
        for j in b.first(i)..=i {
            out[b.at(i, j)] = mat.row(i)[j];
        }
    }
    res.set(&out)
}

/// Multiplies a band matrix by vectors, with the upper triangle if `flg_sym`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are MuJoCo's")]
fn mju_bandMulMatVec(
    res: OutMatrix<'_>,
    mat: Matrix,
    vec: Matrix,
    ntotal: usize,
    nband: usize,
    ndense: usize,
    nvec: usize,
    flg_sym: i32,
) -> PyResult<()> {
    let text = "mat must have size (ntotal-ndense)*nband + ndense*ntotal";
    let b = band([ntotal, nband, ndense], mat.data.len(), text)?;
    require(res.rows == ntotal, "res should have ntotal rows")?;
    require(res.cols == nvec, "res should have nvec columns")?;
    require(vec.rows == ntotal, "vec should have ntotal rows")?;
    require(vec.cols == nvec, "vec should have nvec columns")?;

    // lower triangle by rows, mirrored if `flg_sym`
    let mut out = vec![0.0; ntotal * nvec];
    for (out, vec) in out.chunks_exact_mut(ntotal.max(1)).zip(vec.data.chunks_exact(ntotal.max(1)))
    {
        for i in 0..ntotal {
            let first = b.first(i);
            out[i] = dot(b.row(&mat.data, i, first, i + 1), &vec[first..=i]);
            if flg_sym != 0 {
                add_scaled(&mut out[first..i], b.row(&mat.data, i, first, i), vec[i]);
            }
        }
    }
    res.set(&out)
}

/// Cholesky factor of a band matrix, in place, after adding `diagadd` + `diagmul` times the
/// diagonal. Returns the least square of the factor's diagonal, or 0 for a singular matrix.
#[pyfunction]
fn mju_cholFactorBand(
    mat: OutVector<'_>,
    ntotal: usize,
    nband: usize,
    ndense: usize,
    diagadd: f64,
    diagmul: f64,
) -> PyResult<f64> {
    let text = "mat must have size (ntotal-ndense)*nband + ndense*ntotal";
    let b = band([ntotal, nband, ndense], mat.len(), text)?;
    let mut a = mat.get();
    let mut least = -1.0;
    for j in 0..ntotal {
        // diagonal entry minus the contribution of earlier columns
        let (first, own) = (b.first(j), a[b.at(j, j)]);
        let left = b.row(&a, j, first, j);
        let square = diagadd + diagmul * own + own - dot(left, left);
        if square < least || least < 0.0 {
            least = square;
        }
        if square < MINVAL {
            least = 0.0;
            break;
        }

        // column below it, within the band
        let diagonal = square.sqrt();
        let scale = 1.0 / diagonal;
        for i in (j + 1..ntotal).filter(|&i| b.first(i) <= j) {
            let from = b.first(i).max(first);
            let product = dot(b.row(&a, j, from, j), b.row(&a, i, from, j));
            let x = &mut a[b.at(i, j)];
            *x = scale * (*x - product);
        }
        a[b.at(j, j)] = diagonal;
    }
    mat.set(&a).map(|()| least)
}

/// Solves with a Cholesky factor of a band matrix.
#[pyfunction]
fn mju_cholSolveBand(
    res: OutVector<'_>,
    mat: Vector,
    vec: Vector,
    ntotal: usize,
    nband: usize,
    ndense: usize,
) -> PyResult<()> {
    let text = "mat must have (ntotal-ndense)*nband + ndense*ntotal elements";
    let b = band([ntotal, nband, ndense], mat.0.len(), text)?;
    require(res.len() == ntotal, "size of res should equal ntotal")?;
    require(vec.0.len() == ntotal, "size of vec should equal ntotal")?;
    let (mat, mut x) = (mat.0, vec.0);

    // L y = b
    for i in 0..ntotal {
        let first = b.first(i);
        x[i] -= dot(b.row(&mat, i, first, i), &x[first..i]);
        x[i] /= mat[b.at(i, i)];
    }

    // Lᵀ x = y
    for i in (0..ntotal).rev() {
        for j in (i + 1..ntotal).filter(|&j| b.first(j) <= i) {
            x[i] -= mat[b.at(j, i)] * x[j];
        }
        x[i] /= mat[b.at(i, i)];
    }
    res.set(&x)
}

/// Minimises ½ xᵀ H x + xᵀ g within bounds, starting from `res`. Returns the number of unbounded
/// dimensions, or -1 if H is not positive definite.
#[pyfunction]
#[pyo3(signature = (res, R, index, H, g, lower, upper))]
fn mju_boxQP(
    res: OutVector<'_>,
    R: OutMatrix<'_>,
    index: Option<PyReadwriteArray1<'_, i32>>,
    H: Matrix,
    g: Vector,
    lower: Option<Vector>,
    upper: Option<Vector>,
) -> PyResult<i64> {
    // sizes and bounds
    let n = res.len();
    let fits = |v: &Option<Vector>| v.as_ref().is_none_or(|v| v.0.len() == n);
    require(R.rows * R.cols == BoxQp::scratch_len(n), "size of R should be n*(n+7)")?;
    require(index.as_ref().is_none_or(|i| i.len() == n), "size of index should equal n")?;
    require((H.rows, H.cols) == (n, n), "H should be of shape (n, n)")?;
    require(g.0.len() == n, "size of g should equal n")?;
    require(fits(&lower), "size of lower should equal n")?;
    require(fits(&upper), "size of upper should equal n")?;
    let fatal = |text: &str| FatalError::new_err(format!("mju_boxQPoption: {text}"));
    if n == 0 {
        return Err(fatal("problem size n must be positive"));
    }
    if let (Some(lower), Some(upper)) = (&lower, &upper)
        && lower.0.iter().zip(&upper.0).any(|(lo, hi)| lo >= hi)
    {
        return Err(fatal("upper bounds must be stricly larger than lower bounds"));
    }

    // solve from the present result
    let mut free: Vec<i32> = vec![0; n];
    if let Some(index) = &index {
        free.copy_from_slice(index.as_slice()?);
    }
    let bounds = [&lower, &upper].map(|bound| bound.as_ref().map(|v| &*v.0));
    let program = BoxQp { h: &H.data, g: &g.0, lower: bounds[0], upper: bounds[1] };
    let (mut x, mut factor) = (res.get(), R.get());
    let rank = program.solve(&mut x, &mut factor, &mut free);

    // results, in place
    res.set(&x)?;
    R.set(&factor)?;
    if let Some(mut index) = index {
        index.as_slice_mut()?.copy_from_slice(&free);
    }
    Ok(rank.map_or(-1, |rank| rank as i64))
}

/// State of the random number generator, shared by all threads.
static RANDOM: AtomicU64 = AtomicU64::new(1);

/// A uniform random number in (-1, 1) (SplitMix64).
fn uniform() -> f64 {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut z = RANDOM.fetch_add(GOLDEN, Ordering::Relaxed).wrapping_add(GOLDEN);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    2.0 * ((z >> 11) as f64 + 0.5) / (1u64 << 53) as f64 - 1.0
}

/// A random number with standard normal distribution; `num2` is unused, as in MuJoCo's binding.
#[pyfunction]
#[pyo3(signature = (num2))]
#[expect(unused_variables, reason = "the name is MuJoCo's")]
fn mju_standardNormal(num2: Option<f64>) -> f64 {
    loop {
        let (x, y) = (uniform(), uniform());
        let square = x * x + y * y;
        if square < 1.0 && square > 0.0 {
            return x * (-2.0 * scalar::log(square) / square).sqrt();
        }
    }
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mju_bandDiag, m)?)?;
    m.add_function(wrap_pyfunction!(mju_band2Dense, m)?)?;
    m.add_function(wrap_pyfunction!(mju_dense2Band, m)?)?;
    m.add_function(wrap_pyfunction!(mju_bandMulMatVec, m)?)?;
    m.add_function(wrap_pyfunction!(mju_cholFactorBand, m)?)?;
    m.add_function(wrap_pyfunction!(mju_cholSolveBand, m)?)?;
    m.add_function(wrap_pyfunction!(mju_boxQP, m)?)?;
    m.add_function(wrap_pyfunction!(mju_standardNormal, m)?)
}
