//! Objects that the stages visit: all, or the awake ones.
//!
//! Bodies and dofs are visited as runs of neighbours: a single one if all are awake. The trees of a
//! model are such runs, so a stage is written for a run and does not know of sleep.

use core::ops::Range;

use sinew_model::enums::EnableBit;
use sinew_model::{Data, Model};

/// Whether a tree sleeps, so that stages leave something out.
#[inline]
pub(crate) fn some_asleep(m: &Model, d: &Data) -> bool {
    m.opt.enabled(EnableBit::Sleep) && d.ntree_awake < m.ntree
}

/// Calls a stage for each run of bodies that are awake or fixed.
#[inline(always)]
pub(crate) fn for_bodies(m: &Model, d: &mut Data, stage: impl FnMut(&mut Data, Range<usize>)) {
    visit(m, d, m.nbody, next_bodies, stage);
}

/// `for_bodies`, from the last run to the first.
#[inline(always)]
pub(crate) fn for_bodies_back(m: &Model, d: &mut Data, stage: impl FnMut(&mut Data, Range<usize>)) {
    visit(m, d, m.nbody, last_bodies, stage);
}

/// Calls a stage for each run of dofs that are awake.
#[inline(always)]
pub(crate) fn for_dofs(m: &Model, d: &mut Data, stage: impl FnMut(&mut Data, Range<usize>)) {
    visit(m, d, m.nv, next_dofs, stage);
}

/// The runs of dofs that are awake, where some are not.
pub(crate) fn awake_dofs(m: &Model, d: &Data) -> impl Iterator<Item = Range<usize>> {
    let mut place = Some(0);
    core::iter::from_fn(move || {
        let (run, following) = next_dofs(m, d, place?)?;
        place = following;
        Some(run)
    })
}

/// A run, and the number of places in the list of awake elements before the next run, if there is
/// any.
type Found = (Range<usize>, Option<usize>);

/// Calls a stage for `all` at once, or for each run that is awake. A short stage is best a closure
/// that is always inlined: called from two places, it would not be.
#[inline(always)]
fn visit(
    m: &Model,
    d: &mut Data,
    all: usize,
    next: impl Fn(&Model, &Data, usize) -> Option<Found>,
    mut stage: impl FnMut(&mut Data, Range<usize>),
) {
    if some_asleep(m, d) {
        visit_awake(m, d, next, stage);
    } else {
        stage(d, 0..all);
    }
}

// not inlined: without sleep no step needs it
#[cold]
#[inline(never)]
fn visit_awake(
    m: &Model,
    d: &mut Data,
    next: impl Fn(&Model, &Data, usize) -> Option<Found>,
    mut stage: impl FnMut(&mut Data, Range<usize>),
) {
    let mut place = Some(0);
    while let Some(at) = place {
        let Some((run, following)) = next(m, d, at) else { return };
        stage(d, run);
        place = following;
    }
}

#[inline(always)]
fn next_bodies(m: &Model, d: &Data, visited: usize) -> Option<Found> {
    next_run(first(&d.body_awake_ind, d.nbody_awake), visited, m.nbody)
}

#[inline(always)]
fn next_dofs(m: &Model, d: &Data, visited: usize) -> Option<Found> {
    next_run(first(&d.dof_awake_ind, d.nv_awake), visited, m.nv)
}

#[inline(always)]
fn last_bodies(m: &Model, d: &Data, visited: usize) -> Option<Found> {
    last_run(first(&d.body_awake_ind, d.nbody_awake), visited, m.nbody)
}

/// The first `count` entries of a list.
#[inline(always)]
fn first(list: &[i32], count: usize) -> &[i32] {
    list.get(..count).unwrap_or(list)
}

/// The run of neighbours after `visited` places. Numbers that are not below `all` are left out:
/// users may have written anything.
#[inline(always)]
fn next_run(list: &[i32], visited: usize, all: usize) -> Option<Found> {
    let mut at = visited;
    let start = loop {
        let start = *list.get(at)? as usize;
        at += 1;
        if start < all {
            break start;
        }
    };
    let mut end = start + 1;
    while end < all && list.get(at).is_some_and(|&next| next as usize == end) {
        end += 1;
        at += 1;
    }
    Some((start..end, (at < list.len()).then_some(at)))
}

/// The same from the end of the list.
#[inline(always)]
fn last_run(list: &[i32], visited: usize, all: usize) -> Option<Found> {
    let mut left = list.get(..list.len().checked_sub(visited)?)?;
    let last = loop {
        let (&last, before) = left.split_last()?;
        left = before;
        if (last as usize) < all {
            break last as usize;
        }
    };
    let mut start = last;
    while let Some((&before, rest)) = left.split_last()
        && start > 0
        && before as usize == start - 1
    {
        start -= 1;
        left = rest;
    }
    Some((start..last + 1, (!left.is_empty()).then_some(list.len() - left.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(list: &[i32], all: usize, back: bool) -> Vec<Range<usize>> {
        let next = if back { last_run } else { next_run };
        let mut place = Some(0);
        core::iter::from_fn(|| {
            let (run, following) = next(list, place?, all)?;
            place = following;
            Some(run)
        })
        .collect()
    }

    #[test]
    fn neighbours_are_one_run_in_both_directions() {
        let list = [0, 1, 2, 5, 7, 8];
        assert_eq!(runs(&list, 9, false), [0..3, 5..6, 7..9]);
        assert_eq!(runs(&list, 9, true), [7..9, 5..6, 0..3]);
    }

    #[test]
    fn numbers_that_are_no_body_are_left_out() {
        let list = [-1, 3, 100, 4, i32::MIN, 2];
        assert_eq!(runs(&list, 5, false), [3..4, 4..5, 2..3]);
        assert_eq!(runs(&list, 5, true), [2..3, 4..5, 3..4]);
        assert!(runs(&[9], 5, false).is_empty());
        assert!(runs(&[], 5, true).is_empty());
    }
}
