//! Falling asleep: islands whose trees have all been slow for long enough.

use sinew_model::awake::AWAKE;
use sinew_model::enums::{EnableBit, ObjType, SleepPolicy};
use sinew_model::{BodyId, Data, Model, TreeId};

use crate::sleep::policy::{can_sleep, refuses_sleep};

/// Why a state cannot begin with trees asleep as the model asks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SleepError {
    /// How many trees the model wants asleep.
    pub wanted: usize,
    /// How many could be.
    pub slept: usize,
    /// The root of the first tree that could not.
    pub body: BodyId,
    /// Name of the element; empty if it has none.
    pub name: String,
}

impl core::fmt::Display for SleepError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let SleepError { wanted, slept, body, name } = self;
        write!(
            f,
            "{wanted} trees were marked as sleep='init' but only {slept} could be slept.\n\
             Body '{name}' (id={}) is the root of the first tree that could not be slept.",
            body.idx()
        )
    }
}

impl core::error::Error for SleepError {}

/// Counts the slow steps of trees. Islands whose trees have all been slow long enough fall asleep,
/// and so do trees without constraints. Returns the number of trees that fell asleep.
///
/// Reads `qvel`, `xfrc_applied`, `qfrc_applied` and the islands. Writes `tree_asleep`, and zeros to
/// `qvel` and `qacc` of trees that fall asleep.
#[doc(alias = "mj_sleep")]
#[inline(always)]
pub(crate) fn fall_asleep(m: &Model, d: &mut Data) -> usize {
    if m.opt.enabled(EnableBit::Sleep) { fall_if_still(m, d) } else { 0 }
}

#[inline(never)]
fn fall_if_still(m: &Model, d: &mut Data) -> usize {
    // constraints without islands: which trees they tie together is not known
    if d.nefc > 0 && d.nisland == 0 {
        return 0;
    }
    if m.neq > 0 && refuses_sleep(m, d).is_some() {
        return 0;
    }
    count_down(m, d);
    put_islands_to_sleep(m, d) + put_free_trees_to_sleep(m, d)
}

fn count_down(m: &Model, d: &mut Data) {
    for t in m.trees() {
        if d.tree_asleep[t] >= 0 {
            continue;
        }
        let slow = can_sleep(m, d, t, m.opt.sleep_tolerance);
        d.tree_asleep[t] = if slow { (d.tree_asleep[t] + 1).min(-1) } else { AWAKE };
    }
}

/// Islands of which every tree is ready.
fn put_islands_to_sleep(m: &Model, d: &mut Data) -> usize {
    let mut slept = 0;
    for i in 0..d.nisland {
        let start = d.island_itreeadr[i] as usize;
        let trees = start..start + d.island_ntree[i] as usize;
        let ready = |k: usize| d.tree_asleep[d.map_itree2tree[k] as usize] == -1;
        if trees.clone().all(ready) {
            slept += trees.len();
            put_to_sleep(m, d, trees);
        }
    }
    slept
}

/// Trees without rows that are ready, each for itself.
fn put_free_trees_to_sleep(m: &Model, d: &mut Data) -> usize {
    let last = d.nisland.checked_sub(1);
    let start = last.map_or(0, |i| (d.island_itreeadr[i] + d.island_ntree[i]) as usize);
    let mut slept = 0;
    for k in start..m.ntree {
        // the list of trees has those without an island last
        let tree = if d.nisland > 0 { d.map_itree2tree[k] as usize } else { k };
        if d.tree_asleep[tree] == -1 {
            rest(m, d, tree, tree);
            slept += 1;
        }
    }
    slept
}

/// Puts the trees of an island to sleep, each pointing to the next.
fn put_to_sleep(m: &Model, d: &mut Data, trees: core::ops::Range<usize>) {
    for k in trees.clone() {
        let next = if k + 1 < trees.end { k + 1 } else { trees.start };
        let [tree, next] = [k, next].map(|k| d.map_itree2tree[k] as usize);
        rest(m, d, tree, next);
    }
}

/// Puts a tree to sleep: it no longer moves.
fn rest(m: &Model, d: &mut Data, tree: usize, next: usize) {
    d.tree_asleep[tree] = next as i32;
    let start = m.tree_dofadr[tree].idx();
    let dofs = start..start + m.tree_dofnum[tree].max(0) as usize;
    d.qvel.rows_mut(dofs.clone()).fill(0.0);
    d.qacc.rows_mut(dofs).fill(0.0);
}

/// The trees that the model wants asleep from the start.
pub(crate) fn init_trees(m: &Model) -> impl Iterator<Item = TreeId> + '_ {
    m.trees().filter(|&t| m.tree_sleep_policy[t] == SleepPolicy::Init)
}

/// Puts the trees to sleep that the model wants asleep from the start; an error if others keep one
/// of them awake.
pub(crate) fn sleep_init(m: &Model, d: &mut Data) -> Result<(), SleepError> {
    d.tree_asleep.fill(AWAKE);
    let mut wanted = 0;
    for t in init_trees(m) {
        d.tree_asleep[t] = -1;
        wanted += 1;
    }
    let slept = fall_asleep(m, d);
    let awake = init_trees(m).find(|&t| d.tree_asleep[t] < 0);
    let Some(tree) = awake.filter(|_| slept != wanted) else { return Ok(()) };
    let body = m.tree_bodyadr[tree];
    let name = m.id2name(ObjType::Body, body.idx()).unwrap_or_default().to_owned();
    Err(SleepError { wanted, slept, body, name })
}
