//! Flags and lists of awake trees, bodies and dofs, which follow from `tree_asleep`.

use crate::data::Data;
use crate::enums::{EnableBit, SleepState};
use crate::model::Model;

/// Number of slow steps before a tree falls asleep.
#[doc(alias = "mjMINAWAKE")]
pub const MIN_AWAKE: i32 = 10;

/// `tree_asleep` of a fully awake tree.
pub const AWAKE: i32 = -(1 + MIN_AWAKE);

/// Updates the flags and lists of awake objects.
///
/// Reads `tree_asleep`. Writes `tree_awake`, `body_awake`, `body_awake_ind`, `parent_awake_ind`,
/// `dof_awake_ind` and their counts.
#[doc(alias = "mj_updateSleep")]
pub fn update_sleep(m: &Model, d: &mut Data) {
    update(m, d, SleepState::Static);
}

/// Sets everything awake, including static bodies, so that all stages visit everything.
#[doc(alias = "mj_updateSleepInit")]
pub fn wake_everything(m: &Model, d: &mut Data) {
    d.tree_asleep.fill(AWAKE);
    update(m, d, SleepState::Awake);
}

/// Sets every tree awake. In models with sleep, stages place static bodies only once. Until then
/// these bodies count as awake, and `nbody_awake` is zero.
pub(crate) fn begin_awake(m: &Model, d: &mut Data) {
    if m.opt.enabled(EnableBit::Sleep) {
        wake_everything(m, d);
        d.nbody_awake = 0;
    } else {
        d.tree_asleep.fill(AWAKE);
        update_sleep(m, d);
    }
}

/// `update_sleep` with the given state of static bodies.
fn update(m: &Model, d: &mut Data, fixed: SleepState) {
    d.ntree_awake = 0;
    for (awake, &asleep) in d.tree_awake.iter_mut().zip(d.tree_asleep.iter()) {
        *awake = i32::from(asleep < 0);
        d.ntree_awake += usize::from(asleep < 0);
    }

    // bodies: mocap bodies and bodies fixed to them always move
    (d.nbody_awake, d.nparent_awake, d.nv_awake) = (0, 0, 0);
    for b in m.bodies() {
        d.body_awake[b] = match m.body_treeid[b].get() {
            Some(tree) if d.tree_awake[tree] == 0 => SleepState::Asleep,
            None if m.body_mocapid[m.body_rootid[b]].get().is_none() => fixed,
            _ => SleepState::Awake,
        };
        if d.body_awake[b] != SleepState::Asleep {
            d.body_awake_ind[d.nbody_awake] = b.idx() as i32;
            d.nbody_awake += 1;
        }
        if b.idx() > 0 && d.body_awake[m.body_parentid[b]] != SleepState::Asleep {
            d.parent_awake_ind[d.nparent_awake] = b.idx() as i32;
            d.nparent_awake += 1;
        }
    }

    for v in m.dofs() {
        let b = m.dof_bodyid[v];
        if m.body_treeid[b].get().is_some() && d.body_awake[b] == SleepState::Awake {
            d.dof_awake_ind[d.nv_awake] = v.idx() as i32;
            d.nv_awake += 1;
        }
    }
}
