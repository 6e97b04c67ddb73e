//! Outputs of sensors: vectors, quaternions and rows.

use sinew_math::{Quat, Vec3};
use sinew_model::Data;
use sinew_model::enums::ConstraintType;

/// The first row of the limit of joint or tendon `id`.
pub(super) fn limit_row(d: &Data, kind: ConstraintType, id: i32) -> Option<usize> {
    (d.ne + d.nf..d.nefc).find(|&r| d.efc_type[r] == kind && d.efc_id[r] == id)
}

pub(super) fn put3(out: &mut [f64], v: Vec3) {
    out.copy_from_slice(&v.to_array());
}

pub(super) fn put4(out: &mut [f64], q: Quat) {
    out.copy_from_slice(&q.to_array());
}

/// Copies the numbers of a row that starts at `adr`.
pub(super) fn put_from(out: &mut [f64], from: &[f64], adr: usize) {
    let n = out.len();
    out.copy_from_slice(&from[adr..adr + n]);
}
