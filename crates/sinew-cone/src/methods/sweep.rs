//! Sweeps: one contact after the other is brought to obey the law, the others held (block
//! Gauss-Seidel). Contacts with three rows that do not couple are taken together, one per lane.

use sinew_math::simd::{LANES, Lane};

use super::contact;
use super::group::Group;
use crate::frame::{Frame, WIDEST};
use crate::tuning::MOST_STEPS;

/// How often, and by which law.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    pub(crate) times: usize,
    /// Whether the law is Coulomb's.
    pub(crate) slip: bool,
}

/// Operations on the matrix `P` that sweeps need. The implementation keeps a vector from which the
/// gradient of a block follows.
pub(super) trait Coupled {
    /// Number of places in which blocks leave marks: a block couples with those that have marked a
    /// place where it looks.
    fn places(&self, frame: &Frame) -> usize;

    /// All marks where a block looks.
    fn look(&self, frame: &Frame, c: usize, marks: &[u64]) -> u64;

    /// Adds the marks of a block.
    fn mark(&self, c: usize, mark: u64, marks: &mut [u64]);

    /// Writes the block on the diagonal, row by row.
    fn own(&self, frame: &Frame, c: usize, out: &mut [f64]);

    /// Gradients of the contacts of a group.
    fn gradients<L: Lane>(&self, frame: &Frame, group: &Group, y: &[f64], kept: &[f64]) -> [L; 3];

    /// Writes the gradient of a block.
    fn gradient<L: Lane>(&self, frame: &Frame, c: usize, y: &[f64], kept: &[f64], out: &mut [f64]);

    /// The vector after a change of a block.
    fn update<L: Lane>(&self, frame: &Frame, c: usize, change: &[f64], kept: &mut [f64]);
}

/// All blocks of a problem in groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    list: Vec<Group>,
    /// At each place, the groups that have marked it, of those that are not full yet.
    marks: Vec<u64>,
}

impl Groups {
    /// To be called when blocks on the diagonal have changed.
    pub(super) fn forget(&mut self) {
        self.list.clear();
    }

    /// Puts all blocks into groups, each into the first where it couples with none, unless that has
    /// been done. A single contact is left alone: it is solved to the end.
    pub(super) fn gather(&mut self, frame: &Frame, blocks: &impl Coupled) {
        let Groups { list, marks } = self;
        if !list.is_empty() {
            return;
        }
        marks.clear();
        marks.resize(blocks.places(frame), 0);
        let (mut first, mut full) = (0, 0);
        for (c, block) in frame.blocks.iter().enumerate() {
            if list.len() - first == u64::BITS as usize {
                // more groups than there are marks: these are left as they are
                marks.fill(0);
                (first, full) = (list.len(), 0);
            }
            if block.dim != 3 || frame.blocks.len() == 1 {
                full |= 1 << (list.len() - first);
                list.push(Group::new(c, block.start));
                continue;
            }
            let free = !(full | blocks.look(frame, c, marks));
            let at = free.trailing_zeros() as usize;
            if list.len() == first + at {
                list.push(Group::new(c, block.start));
            }
            let (group, mut own) = (&mut list[first + at], [0.0; 9]);
            blocks.own(frame, c, &mut own);
            group.enter(c, block.start, &[own[0], own[1], own[2], own[4], own[5], own[8]]);
            blocks.mark(c, 1 << at, marks);
            full |= u64::from(group.count == LANES) << at;
        }
    }
}

/// Sweeps over all blocks; `kept` follows `y`.
#[inline(always)]
pub(super) fn sweep_body<L: Lane>(
    p: &impl Coupled,
    groups: &Groups,
    frame: &Frame,
    sweep: Sweep,
    y: &mut [f64],
    kept: &mut [f64],
) {
    // a single contact is solved to the end
    let steps = if frame.blocks.len() == 1 { MOST_STEPS } else { 1 };
    for group in std::iter::repeat_n(&groups.list, sweep.times).flatten() {
        let blocks = &group.blocks[..group.count];
        if !blocks.is_empty() {
            let g = p.gradients::<L>(frame, group, y, kept);
            let change = group.settle::<L>(sweep.slip, g, y);
            for (&c, change) in blocks.iter().zip(&change) {
                p.update::<L>(frame, c, change, kept);
            }
            continue;
        }
        let c = group.blocks[0];
        let block = &frame.blocks[c];
        let (mut own, mut g) = ([0.0; WIDEST * WIDEST], [0.0; WIDEST]);
        let own = &mut own[..block.dim * block.dim];
        p.own(frame, c, own);
        p.gradient::<L>(frame, c, y, kept, &mut g[..block.dim]);
        let y = &mut y[block.range()];
        let law = contact::Law { own, slip: sweep.slip };
        let change = contact::settle_block(block, law, steps, y, &g[..block.dim]);
        p.update::<L>(frame, c, &change[..block.dim], kept);
    }
}
