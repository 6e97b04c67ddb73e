//! Trees that may sleep.

use sinew_model::enums::{EqType, SleepPolicy};
use sinew_model::{Data, EqId, Model, TreeId};

/// Whether the policy of a tree, the forces on it and its velocity let it sleep. Velocities must be
/// below `tolerance`, as lengths per time; all zeros if that is zero.
pub(crate) fn can_sleep(m: &Model, d: &Data, t: TreeId, tolerance: f64) -> bool {
    if matches!(m.tree_sleep_policy[t], SleepPolicy::Never | SleepPolicy::AutoNever) {
        return false;
    }
    // bits, not values: a negative zero is something that the user has written
    let untouched = |x: &[f64]| x.iter().fold(0, |bits, x| bits | x.to_bits()) == 0;
    let start = m.tree_bodyadr[t].idx();
    let bodies = 6 * start..6 * (start + m.tree_bodynum[t].max(0) as usize);
    let start = m.tree_dofadr[t].idx();
    let dofs = start..start + m.tree_dofnum[t].max(0) as usize;
    if !untouched(&d.xfrc_applied.flat()[bodies]) || !untouched(d.qfrc_applied.rows(dofs.clone())) {
        return false;
    }
    let qvel = d.qvel.rows(dofs.clone());
    if tolerance == 0.0 {
        return untouched(qvel);
    }
    // as a maximum that begins with zero: NaN does not count
    let mut rates = qvel.iter().zip(m.dof_length.rows(dofs)).map(|(v, length)| length * v.abs());
    let never = tolerance < 0.0;
    !never && !rates.any(|rate| rate >= tolerance)
}

/// The first active equality with which MuJoCo refuses to let anything sleep: of tendons or flexes.
pub fn refuses_sleep(m: &Model, d: &Data) -> Option<EqId> {
    let refused = |e: &EqId| {
        matches!(m.eq_type[*e], EqType::Tendon | EqType::Flex | EqType::Flexvert)
            && d.eq_active[*e].get()
    };
    m.equalities().find(refused)
}
