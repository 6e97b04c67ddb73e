//! Waking: by the user, by contacts, by limits of tendons, by equalities.

use sinew_model::awake::{AWAKE, update_sleep};
use sinew_model::enums::{EnableBit, EqType, ObjType};
use sinew_model::{BodyId, Data, EqId, GeomId, Model, SiteId, TreeId};

use crate::sleep::policy::{can_sleep, refuses_sleep};

/// Wakes the trees that the user has moved or pushed since they fell asleep, and all if sleep is
/// now switched off. A tree whose bodies are not where they were has its `tree_awake` set by
/// `kinematics`.
///
/// Reads `xfrc_applied`, `qfrc_applied`, `qvel`. Reads and writes `tree_asleep`, `tree_awake`;
/// writes the lists of awake elements.
#[doc(alias = "mj_wake")]
#[inline(always)]
pub(crate) fn wake(m: &Model, d: &mut Data) {
    if m.opt.enabled(EnableBit::Sleep) {
        wake_moved(m, d);
    } else if d.ntree_awake < m.ntree {
        wake_all(m, d);
    }
}

#[cold]
#[inline(never)]
fn wake_all(m: &Model, d: &mut Data) {
    d.tree_asleep.fill(AWAKE);
    update_sleep(m, d);
}

#[inline(never)]
fn wake_moved(m: &Model, d: &mut Data) {
    let mut woke = false;
    for t in m.trees() {
        if d.tree_asleep[t] >= 0 && (d.tree_awake[t] != 0 || !can_sleep(m, d, t, 0.0)) {
            wake_tree(&mut d.tree_asleep, t, AWAKE);
            woke = true;
        }
    }
    if woke {
        update_sleep(m, d);
    }
}

/// Wakes a tree and those that fell asleep with it. An awake tree stays awake for at least `count`
/// steps.
#[doc(alias = "mj_wakeTree")]
fn wake_tree(tree_asleep: &mut [i32], tree: TreeId, count: i32) {
    let mut current = tree.idx();
    if tree_asleep[current] < 0 {
        tree_asleep[current] = tree_asleep[current].min(count);
        return;
    }

    // round the cycle; users may have broken it
    for _ in 0..tree_asleep.len() {
        let next = core::mem::replace(&mut tree_asleep[current], count);
        match usize::try_from(next) {
            Ok(next) if next < tree_asleep.len() && next != tree.idx() => current = next,
            _ => return,
        }
    }
}

/// The first tree among those that fell asleep with one; none if there is no such cycle.
#[doc(alias = "mj_sleepCycle")]
fn sleep_cycle(tree_asleep: &[i32], tree: TreeId) -> Option<usize> {
    let (mut first, mut current) = (tree.idx(), tree.idx());
    for _ in 0..=tree_asleep.len() {
        current = usize::try_from(*tree_asleep.get(current)?).ok()?;
        first = first.min(current);
        if current == tree.idx() {
            return Some(first);
        }
    }
    None
}

/// Wakes the one of two trees that sleeps, for as long as the other will be awake; whether there is
/// one.
fn wake_other(d: &mut Data, [t1, t2]: [TreeId; 2]) -> bool {
    let (awake1, awake2) = (d.tree_awake[t1] != 0, d.tree_awake[t2] != 0);
    if awake1 == awake2 {
        return false;
    }
    let (awake, asleep) = if awake1 { (t1, t2) } else { (t2, t1) };
    let count = d.tree_asleep[awake].min(-1);
    let was = d.tree_asleep[asleep] >= 0;
    wake_tree(&mut d.tree_asleep, asleep, count);
    was
}

/// Wakes trees that something awake touches; whether there are any, for which contacts must be
/// found anew.
///
/// Reads `contact`. Reads and writes `tree_asleep`; writes the lists of awake elements.
#[doc(alias = "mj_wakeCollision")]
#[inline]
pub(crate) fn wake_collision(m: &Model, d: &mut Data) -> bool {
    m.opt.enabled(EnableBit::Sleep) && d.ntree_awake < m.ntree && wake_touched(m, d)
}

fn wake_touched(m: &Model, d: &mut Data) -> bool {
    let mut woke = false;
    for k in 0..d.ncon.min(d.contact.len()) {
        // contacts of flexes wake no tree, as in MuJoCo
        let tree = |g: i32| {
            let g = usize::try_from(g).ok().filter(|&g| g < m.ngeom)?;
            m.body_treeid[m.geom_bodyid[GeomId::new(g)]].get()
        };
        if let [Some(t1), Some(t2)] = d.contact[k].geom.map(tree) {
            woke |= wake_other(d, [t1, t2]);
        }
    }
    if woke {
        update_sleep(m, d);
    }
    woke
}

/// Wakes trees that a tendon at its limit ties to something awake.
///
/// Reads `ten_length`. Reads and writes `tree_asleep`; writes the lists of awake elements.
#[doc(alias = "mj_wakeTendon")]
#[inline]
pub(crate) fn wake_tendon(m: &Model, d: &mut Data) {
    if m.opt.enabled(EnableBit::Sleep) && d.ntree_awake < m.ntree && m.ntendon > 0 {
        wake_tied(m, d);
    }
}

fn wake_tied(m: &Model, d: &mut Data) {
    let mut woke = false;
    for t in m.tendons().filter(|&t| m.tendon_treenum[t] == 2 && m.tendon_limited[t].get()) {
        let ([lo, hi], length) = (m.tendon_range[t], d.ten_length[t]);
        let margin = m.tendon_margin[t];
        if (length - lo < margin || hi - length < margin)
            && let [Some(t1), Some(t2)] = m.tendon_treeid[t].map(|tree| tree.get())
        {
            woke |= wake_other(d, [t1, t2]);
        }
    }
    if woke {
        update_sleep(m, d);
    }
}

/// Wakes trees that an equality ties to something awake, or to trees that fell asleep without them.
/// With an equality of a tendon or a flex, which MuJoCo refuses, all trees.
///
/// Reads `eq_active`. Reads and writes `tree_asleep`; writes the lists of awake elements.
#[doc(alias = "mj_wakeEquality")]
#[inline]
pub(crate) fn wake_equality(m: &Model, d: &mut Data) {
    if m.opt.enabled(EnableBit::Sleep) && d.ntree_awake < m.ntree && m.neq > 0 {
        wake_held(m, d);
    }
}

fn wake_held(m: &Model, d: &mut Data) {
    let mut woke = false;
    if refuses_sleep(m, d).is_some() {
        d.tree_asleep.fill(AWAKE);
        woke = true;
    }

    // an equality between two trees: neither sleeps alone
    for e in m.equalities().filter(|&e| d.eq_active[e].get()) {
        let [Some(t1), Some(t2)] = equality_trees(m, e) else { continue };
        let [awake1, awake2] = [t1, t2].map(|t| d.tree_awake[t] != 0);
        if t1 == t2 || (awake1 && awake2) {
            continue;
        }

        // both asleep, but not together: both wake
        if !awake1 && !awake2 {
            let cycle = |t| sleep_cycle(&d.tree_asleep, t);
            if cycle(t1) != cycle(t2) {
                wake_tree(&mut d.tree_asleep, t1, AWAKE);
                wake_tree(&mut d.tree_asleep, t2, AWAKE);
                woke = true;
            }
            continue;
        }

        // one asleep: it wakes
        let asleep = if awake1 { t2 } else { t1 };
        woke |= d.tree_asleep[asleep] >= 0;
        wake_tree(&mut d.tree_asleep, asleep, AWAKE);
    }
    if woke {
        update_sleep(m, d);
    }
}

/// The trees that an equality couples: trees of joints, connects and welds.
fn equality_trees(m: &Model, e: EqId) -> [Option<TreeId>; 2] {
    let body = |id: i32| -> Option<BodyId> {
        let id = usize::try_from(id).ok()?;
        match (m.eq_type[e], m.eq_objtype[e]) {
            (EqType::Joint, _) => m.jnt_bodyid.get(id).copied(),
            (EqType::Connect | EqType::Weld, ObjType::Body) => {
                (id < m.nbody).then(|| BodyId::new(id))
            }
            (EqType::Connect | EqType::Weld, _) => {
                (id < m.nsite).then(|| m.site_bodyid[SiteId::new(id)])
            }
            _ => None,
        }
    };
    [m.eq_obj1id[e], m.eq_obj2id[e]].map(|id| body(id).and_then(|b| m.body_treeid[b].get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waking_one_tree_wakes_those_that_fell_asleep_with_it() {
        // 0 → 2 → 4 → 0 sleep together, 3 alone, 1 is awake
        let mut asleep = [2, -5, 4, 3, 0];
        assert_eq!(sleep_cycle(&asleep, TreeId::new(4)), Some(0));
        assert_eq!(sleep_cycle(&asleep, TreeId::new(3)), Some(3));
        assert_eq!(sleep_cycle(&asleep, TreeId::new(1)), None);
        wake_tree(&mut asleep, TreeId::new(2), AWAKE);
        assert_eq!(asleep, [AWAKE, -5, AWAKE, 3, AWAKE]);
    }

    #[test]
    fn a_tree_that_is_awake_stays_so_for_the_longer_time() {
        let mut asleep = [-3, -8];
        wake_tree(&mut asleep, TreeId::new(0), -5);
        wake_tree(&mut asleep, TreeId::new(1), -5);
        assert_eq!(asleep, [-5, -8]);
    }

    #[test]
    fn a_broken_cycle_ends() {
        for mut asleep in [[1, 1, 0], [7, 0, 0], [1, 2, -4], [1, 2, 1]] {
            assert_eq!(sleep_cycle(&asleep, TreeId::new(0)), None);
            wake_tree(&mut asleep, TreeId::new(0), AWAKE);
            assert_eq!(asleep[0], AWAKE);
        }
    }
}
