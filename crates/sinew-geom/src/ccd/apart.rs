//! Directions that separated pairs before, and are tried first when the pair comes again.
//!
//! Most pairs that reach the narrow phase are apart, and stay apart in the same direction from
//! step to step: one support point shows it where GJK needs several. Nothing else is concluded
//! from the memory, so results do not depend on it.

use sinew_math::Vec3;

use super::Options;
use super::gjk::Pair;

/// Places for pairs; two pairs that want the same one make the memory grow, up to the most.
const FEWEST: usize = 64;
const MOST: usize = 16_384;

/// Separating directions of pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Apart {
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The name of the pair; zero if the place is free.
    pair: u64,
    dir: Vec3,
    /// Vertices of the hulls' graphs where the search for support points ended.
    perch: [u32; 2],
}

impl Apart {
    /// Whether the direction that separated the pair before does so still, by more than the
    /// tolerance.
    pub(super) fn shows(&mut self, pair: &mut Pair, options: &Options) -> bool {
        let at = place(options.pair, self.slots.len());
        let Some(slot) = self.slots.get_mut(at).filter(|slot| slot.pair == options.pair) else {
            return false;
        };
        let before = [pair.a.mark(), pair.b.mark()];
        pair.a.perch_on(slot.perch[0]);
        pair.b.perch_on(slot.perch[1]);
        let vertex = pair.support(slot.dir);
        slot.perch = [pair.a.perch as u32, pair.b.perch as u32];
        pair.a.restore(before[0]);
        pair.b.restore(before[1]);

        // twice the tolerance and more than rounding: GJK would find the same
        let size = vertex.on[0].x.abs() + vertex.on[0].y.abs() + vertex.on[0].z.abs();
        slot.dir.dot(vertex.at) < -(2.0 * options.tolerance + 1e-12 * size)
    }

    /// Notes a direction that separates the pair.
    pub(super) fn remember(&mut self, pair: &Pair, dir: Vec3, options: &Options) {
        if self.slots.is_empty() {
            self.slots.resize(FEWEST, Slot::default());
        }
        let perch = [pair.a.perch as u32, pair.b.perch as u32];
        let new = Slot { pair: options.pair, dir, perch };
        while !self.put(new) && self.slots.len() < MOST {
            let old = core::mem::take(&mut self.slots);
            self.slots.resize(2 * old.len(), Slot::default());
            for slot in old.into_iter().filter(|slot| slot.pair != 0) {
                self.put(slot);
            }
        }
        let at = place(new.pair, self.slots.len());
        self.slots[at] = new;
    }

    /// Puts a pair in its place unless another pair is there.
    fn put(&mut self, new: Slot) -> bool {
        let at = place(new.pair, self.slots.len());
        let free = self.slots[at].pair == 0 || self.slots[at].pair == new.pair;
        if free {
            self.slots[at] = new;
        }
        free
    }
}

/// Where a pair is kept among `n` places, a power of two.
fn place(pair: u64, n: usize) -> usize {
    let mixed = pair.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as usize & n.wrapping_sub(1)
}
