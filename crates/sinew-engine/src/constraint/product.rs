//! Products of the constraint Jacobian with vectors.

use sinew_model::Data;

use crate::sparse;

/// res = J vec: from dofs to constraint rows. Without rows `res` is left alone, as in MuJoCo.
///
/// Reads `efc_J` and its pattern.
#[doc(alias = "mj_mulJacVec")]
pub fn mul_jac_vec(d: &Data, res: &mut [f64], vec: &[f64]) {
    let mut r = 0;
    while r < d.nefc {
        // rows of one pattern: three at a time read the indices and the vector once
        let alike = d.efc_J_rowsuper.get(r).map_or(0, |&n| n.max(0) as usize);
        let (ind, first) = jacobian_row(d, r);
        let (second, third) = if alike >= 2 && r + 2 < d.nefc {
            (jacobian_row(d, r + 1).1, jacobian_row(d, r + 2).1)
        } else {
            res[r] = sparse::dot_index(ind, first, vec);
            r += 1;
            continue;
        };
        let sums = sparse::dot3_index(ind, [first, second, third], vec);
        res[r..r + 3].copy_from_slice(&sums);
        r += 3;
    }
}

/// `mul_jac_vec` with the sums in the order of MuJoCo's dense Jacobian: the last bits differ.
pub(crate) fn mul_jac_vec_dense(d: &Data, res: &mut [f64], vec: &[f64]) {
    // models with dense Jacobians are small; what is not needed is not cleared either
    match vec.len() {
        0..=12 => mul_dense::<12>(d, res, vec),
        13..=64 => mul_dense::<64>(d, res, vec),
        _ => mul_dense::<0>(d, res, vec),
    }
}

/// `mul_jac_vec_dense` with a copy of a vector of at most `SMALL` numbers.
fn mul_dense<const SMALL: usize>(d: &Data, res: &mut [f64], vec: &[f64]) {
    let mut spread = [[0.0; 4]; SMALL];
    let small = vec.len() <= SMALL;
    if small {
        sparse::spread(vec, &mut spread);
    }
    let mut r = 0;
    while r < d.nefc {
        let (ind, row) = jacobian_row(d, r);
        let alike = d.efc_J_rowsuper.get(r).map_or(0, |&n| n.max(0) as usize);
        if alike >= 3 && r + 3 < d.nefc {
            let rows =
                [row, jacobian_row(d, r + 1).1, jacobian_row(d, r + 2).1, jacobian_row(d, r + 3).1];
            res[r..r + 4].copy_from_slice(&match small {
                true => sparse::dot_spread(ind, rows, vec, &spread),
                false => sparse::dot_as_dense(ind, rows, vec),
            });
            r += 4;
        } else {
            [res[r]] = match small {
                true => sparse::dot_spread(ind, [row], vec, &spread),
                false => sparse::dot_as_dense(ind, [row], vec),
            };
            r += 1;
        }
    }
}

/// res = Jᵀ vec: from constraint rows to dofs. Without rows `res` is left alone, as in MuJoCo.
///
/// Reads `efc_J` and its pattern.
#[doc(alias = "mj_mulJacTVec")]
pub fn mul_jac_t_vec(d: &Data, res: &mut [f64], vec: &[f64]) {
    if d.nefc == 0 {
        return;
    }
    res.fill(0.0);
    for r in 0..d.nefc {
        let scale = vec[r];
        if scale == 0.0 {
            continue;
        }
        let (ind, row) = jacobian_row(d, r);
        for (&i, x) in ind.iter().zip(row) {
            res[i as usize] += x * scale;
        }
    }
}

/// Columns and entries of a row of `efc_J`; nothing where the addresses point outside.
pub fn jacobian_row(d: &Data, r: usize) -> (&[i32], &[f64]) {
    let start = d.efc_J_rowadr[r].max(0) as usize;
    let range = start..start + d.efc_J_rownnz[r].max(0) as usize;
    match (d.efc_J_colind.get(range.clone()), d.efc_J.get(range)) {
        (Some(ind), Some(row)) => (ind, row),
        _ => (&[], &[]),
    }
}
