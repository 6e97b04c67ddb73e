//! Separating axes of pairs, kept from step to step (temporal coherence).
//!
//! Most pairs that reach the narrow phase do not overlap, and an axis that separates them in one
//! step usually does so in the next. One support point shows it where GJK needs several. Nothing
//! else is concluded from the memory, so results do not depend on it.

use crate::ccd::axis::Axis;
use crate::ccd::gjk::Pair;
use crate::ccd::options::Options;

/// Bounds on the places for pairs: twice the number of pairs, up to the maximum. Then a new pair
/// replaces the oldest.
const FEWEST: usize = 64;
const MOST: usize = 16_384;

/// A pair is kept in one of this many places side by side.
const WAYS: usize = 4;

/// Separating axes of pairs: a set-associative cache by the name of the pair.
#[derive(Clone, Debug, Default)]
pub(super) struct SeparatingAxes {
    /// The names of the pairs, zero where a place is free; not in `slots`, so that a look-up reads
    /// one cache line.
    names: Vec<[u64; WAYS]>,
    slots: Vec<[Axis; WAYS]>,
    /// Number of taken places.
    used: usize,
}

impl SeparatingAxes {
    /// Whether the axis that separated the pair before still does, by more than the tolerance.
    pub(super) fn still_separate(&mut self, pair: &mut Pair, options: &Options) -> bool {
        let set = place(options.pair, self.names.len());
        let names = self.names.get(set).copied().unwrap_or_default();
        let Some(way) = names.iter().position(|&name| name == options.pair) else { return false };
        let is_separate = self.slots[set][way].separates(pair, options);
        if !is_separate {
            // an axis that no longer separates rarely does so in the next step: its place is freed
            self.names[set][way] = 0;
            self.used -= 1;
        }
        is_separate
    }

    /// Keeps a separating axis of the pair.
    pub(super) fn remember(&mut self, axis: Axis, options: &Options) {
        if 2 * self.used >= WAYS * self.names.len() && WAYS * self.names.len() < MOST {
            self.grow();
        }
        self.put(options.pair, axis);
    }

    /// Doubles the number of places.
    fn grow(&mut self) {
        let sets = (2 * self.names.len()).max(FEWEST / WAYS);
        let names = core::mem::replace(&mut self.names, vec![[0; WAYS]; sets]);
        let slots = core::mem::replace(&mut self.slots, vec![[Axis::default(); WAYS]; sets]);
        self.used = 0;
        for (names, slots) in names.into_iter().zip(slots) {
            for (name, slot) in names.into_iter().zip(slots).filter(|&(name, _)| name != 0) {
                self.put(name, slot);
            }
        }
    }

    /// Puts a pair in its place, else in a free one, else in the place of the oldest.
    fn put(&mut self, name: u64, slot: Axis) {
        let set = place(name, self.names.len());
        let (names, slots) = (&mut self.names[set], &mut self.slots[set]);
        let own = names.iter().position(|&other| other == name);
        let way = own.or_else(|| names.iter().position(|&other| other == 0)).unwrap_or_else(|| {
            names.rotate_left(1);
            slots.rotate_left(1);
            WAYS - 1
        });
        self.used += usize::from(names[way] == 0);
        (names[way], slots[way]) = (name, slot);
    }
}

/// The set of places, of `n`, a power of two, that a pair is kept in.
fn place(pair: u64, n: usize) -> usize {
    let mixed = pair.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as usize & n.wrapping_sub(1)
}
