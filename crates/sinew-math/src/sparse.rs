//! Sparse rows against dense vectors, in MuJoCo's order of sums.

/// Scalar product of a sparse row and a dense vector.
#[doc(alias = "mju_dotSparse")]
#[inline]
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
