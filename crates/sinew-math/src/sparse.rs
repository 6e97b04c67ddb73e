//! Products of sparse rows with dense vectors, in MuJoCo's order of sums.

/// Scalar product of a sparse row and a dense vector.
#[doc(alias = "mju_dotSparse")]
#[inline(always)]
pub fn dot(ind: &[i32], val: &[f64], dense: &[f64]) -> f64 {
    let n = ind.len().min(val.len());
    let (ind, val) = (&ind[..n], &val[..n]);
    let mut acc = [0.0; 4];
    let (ind4, ind_rest) = ind.as_chunks::<4>();
    let (val4, val_rest) = val.as_chunks::<4>();
    for (i, x) in ind4.iter().zip(val4) {
        for k in 0..4 {
            acc[k] += x[k] * dense[i[k] as usize];
        }
    }
    let mut sum = (acc[0] + acc[2]) + (acc[1] + acc[3]);
    if let ([i, ..], [x, ..]) = (ind_rest, val_rest) {
        sum += x * dense[*i as usize];
    }
    if let ([_, i, ..], [_, x, ..]) = (ind_rest, val_rest) {
        sum += x * dense[*i as usize];
    }
    if let ([_, _, i, ..], [_, _, x, ..]) = (ind_rest, val_rest) {
        sum += x * dense[*i as usize];
    }
    sum
}

/// [`dot`] for `N` interleaved dense vectors.
#[inline]
pub fn dot_wide<const N: usize>(ind: &[i32], val: &[f64], dense: &[[f64; N]]) -> [f64; N] {
    let add = |sum: &mut [f64; N], i: i32, x: f64| {
        for (sum, dense) in sum.iter_mut().zip(&dense[i as usize]) {
            *sum += x * dense;
        }
    };
    let mut acc = [[0.0; N]; 4];
    let (ind4, ind_rest) = ind.as_chunks::<4>();
    let (val4, val_rest) = val.as_chunks::<4>();
    for (i, x) in ind4.iter().zip(val4) {
        for k in 0..4 {
            add(&mut acc[k], i[k], x[k]);
        }
    }
    let mut sum = core::array::from_fn(|k| (acc[0][k] + acc[2][k]) + (acc[1][k] + acc[3][k]));
    for (&i, &x) in ind_rest.iter().zip(val_rest) {
        add(&mut sum, i, x);
    }
    sum
}
