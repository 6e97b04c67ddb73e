//! What the stages visit: everything, or what is awake.

use core::ops::Range;

use sinew_model::enums::EnableBit;
use sinew_model::{Data, Model};

/// Whether a tree sleeps, so that stages leave something out.
#[inline]
pub(crate) fn some_asleep(m: &Model, d: &Data) -> bool {
    m.opt.enabled(EnableBit::Sleep) && d.ntree_awake < m.ntree
}

/// Bodies or dofs to visit, as runs of neighbours: a single one if all are awake. The trees of a
/// model are such runs, so a stage is written for a run and does not know of sleep.
#[derive(Debug)]
pub(crate) struct Runs {
    of: List,
    /// Number of bodies or dofs of the model.
    all: usize,
    /// Places in the list of what is awake that are still to be visited.
    left: Range<usize>,
}

/// Where the numbers of a run come from.
#[derive(Clone, Copy, Debug)]
enum List {
    All,
    Bodies,
    Dofs,
}

impl Runs {
    /// The bodies that are awake, and the fixed ones.
    #[inline]
    pub(crate) fn bodies(m: &Model, d: &Data) -> Runs {
        Runs::new(m, d, m.nbody, List::Bodies, d.nbody_awake)
    }

    /// The dofs that are awake.
    #[inline]
    pub(crate) fn dofs(m: &Model, d: &Data) -> Runs {
        Runs::new(m, d, m.nv, List::Dofs, d.nv_awake)
    }

    #[inline]
    fn new(m: &Model, d: &Data, all: usize, list: List, awake: usize) -> Runs {
        if some_asleep(m, d) {
            Runs { of: list, all, left: 0..awake }
        } else {
            Runs { of: List::All, all, left: 0..1 }
        }
    }

    /// The numbers of what is awake; users may have written anything into them.
    fn list<'a>(&self, d: &'a Data) -> &'a [i32] {
        match self.of {
            List::All => &[],
            List::Bodies => &d.body_awake_ind,
            List::Dofs => &d.dof_awake_ind,
        }
    }

    /// The next run.
    #[inline]
    pub(crate) fn next(&mut self, d: &Data) -> Option<Range<usize>> {
        if let List::All = self.of {
            return self.left.next().map(|_| 0..self.all);
        }
        self.next_awake(self.list(d))
    }

    /// The last run.
    #[inline]
    pub(crate) fn next_back(&mut self, d: &Data) -> Option<Range<usize>> {
        if let List::All = self.of {
            return self.left.next().map(|_| 0..self.all);
        }
        self.last_awake(self.list(d))
    }

    fn next_awake(&mut self, list: &[i32]) -> Option<Range<usize>> {
        let start = loop {
            let start = *list.get(self.left.next()?)? as usize;
            if start < self.all {
                break start;
            }
        };
        let mut end = start + 1;
        while end < self.all
            && !self.left.is_empty()
            && list.get(self.left.start).is_some_and(|&next| next as usize == end)
        {
            end += 1;
            self.left.start += 1;
        }
        Some(start..end)
    }

    fn last_awake(&mut self, list: &[i32]) -> Option<Range<usize>> {
        let last = loop {
            let last = *list.get(self.left.next_back()?)? as usize;
            if last < self.all {
                break last;
            }
        };
        let mut start = last;
        while start > 0
            && !self.left.is_empty()
            && list.get(self.left.end - 1).is_some_and(|&before| before as usize == start - 1)
        {
            start -= 1;
            self.left.end -= 1;
        }
        Some(start..last + 1)
    }
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

/// The run that follows after some places of the list of what is awake, and how many places have
/// then been visited.
type NextRun = fn(&Model, &Data, usize) -> Option<(Range<usize>, usize)>;

/// Calls a stage for `all` at once, or for each run that is awake. The call is written once, so
/// that the stage is inlined: most visits are of a few bodies. Where nothing sleeps a visit is a
/// question before the stage and one after it: a step of a small model has two dozen visits, and
/// keeping `Runs` through them took a twentieth of its instructions.
#[inline(always)]
fn visit(
    m: &Model,
    d: &mut Data,
    all: usize,
    next: NextRun,
    mut stage: impl FnMut(&mut Data, Range<usize>),
) {
    let some_asleep = some_asleep(m, d);
    let (mut run, mut visited) = (0..all, 0);
    if some_asleep {
        let Some(first) = next(m, d, 0) else { return };
        (run, visited) = first;
    }
    loop {
        stage(d, run);
        if !some_asleep {
            return;
        }
        let Some(following) = next(m, d, visited) else { return };
        (run, visited) = following;
    }
}

// out of line: a small model spends most of a step in fetching instructions, and where nothing
// sleeps it fetches none of these

#[cold]
#[inline(never)]
fn next_bodies(m: &Model, d: &Data, visited: usize) -> Option<(Range<usize>, usize)> {
    next_run(Runs::bodies(m, d), d, visited)
}

#[cold]
#[inline(never)]
fn next_dofs(m: &Model, d: &Data, visited: usize) -> Option<(Range<usize>, usize)> {
    next_run(Runs::dofs(m, d), d, visited)
}

#[inline]
fn next_run(mut runs: Runs, d: &Data, visited: usize) -> Option<(Range<usize>, usize)> {
    runs.left.start = visited;
    let run = runs.next(d)?;
    Some((run, runs.left.start))
}

#[cold]
#[inline(never)]
fn last_bodies(m: &Model, d: &Data, visited: usize) -> Option<(Range<usize>, usize)> {
    let mut runs = Runs::bodies(m, d);
    let awake = runs.left.end;
    runs.left.end = awake.saturating_sub(visited);
    let run = runs.next_back(d)?;
    Some((run, awake - runs.left.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(list: &[i32], all: usize, back: bool) -> Vec<Range<usize>> {
        let mut runs = Runs { of: List::Bodies, all, left: 0..list.len() };
        let next = || if back { runs.last_awake(list) } else { runs.next_awake(list) };
        core::iter::from_fn(next).collect()
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
    }
}
