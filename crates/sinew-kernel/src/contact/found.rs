//! The contacts of a pair while they are found.

use sinew_geom::touch::{Touch, Touches};
use sinew_math::Vec3;
use sinew_math::algebra::Vec3s;

use crate::memory::Cells;
use crate::real::Real;
use crate::rows::row3;
use crate::tables::World;

/// Numbers of a place for a contact: distance, place, normal, tangent.
pub(super) const SLOT: usize = 10;

/// The contacts of a pair, in its places of the workspace.
pub(super) struct Found<'a, R> {
    slot: Cells<'a, R>,
    first: usize,
    most: usize,
    pub(super) count: usize,
}

impl<'a, R: Real> Found<'a, R> {
    /// No contacts yet, with room for `most` from the place `first` on.
    #[inline(always)]
    pub(super) fn new(w: World<'a, R>, first: usize, most: usize) -> Self {
        Found { slot: w.slot(), first, most, count: 0 }
    }

    #[inline(always)]
    fn at(&self, i: usize) -> usize {
        SLOT * (self.first + i)
    }

    /// Appends a contact. A pair has no more than there is room for: it would be dropped.
    #[inline(always)]
    pub(super) fn add(&mut self, dist: R, pos: Vec3s<R>, [normal, tangent]: [Vec3s<R>; 2]) {
        if self.count < self.most {
            self.write(self.count, dist, [pos, normal, tangent]);
            self.count += 1;
        }
    }

    #[inline(always)]
    fn write(&mut self, i: usize, dist: R, vectors: [Vec3s<R>; 3]) {
        let at = self.at(i);
        self.slot.put(at, dist);
        for (k, v) in vectors.into_iter().enumerate() {
            self.slot.put(at + 3 * k + 1, v.x);
            self.slot.put(at + 3 * k + 2, v.y);
            self.slot.put(at + 3 * k + 3, v.z);
        }
    }

    /// Keeps the contacts that are nearer than a distance.
    #[inline(always)]
    pub(super) fn keep_below(&mut self, dist: R) {
        let mut kept = 0;
        for i in 0..self.count {
            if self.slot.at(self.at(i)) >= dist {
                continue;
            }
            if kept != i {
                for k in 0..SLOT {
                    self.slot.put(self.at(kept) + k, self.slot.at(self.at(i) + k));
                }
            }
            kept += 1;
        }
        self.count = kept;
    }
}

/// For geometry in f64, with any number type of the world.
impl<R: Real> Touches for Found<'_, R> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn push(&mut self, touch: Touch) {
        if self.count < self.most {
            self.count += 1;
            self.set(self.count - 1, touch);
        }
    }

    #[inline(always)]
    fn touch(&self, i: usize) -> Touch {
        let at = self.at(i);
        let vector = |k: usize| {
            let v = row3(self.slot, at + k);
            Vec3::new(v.x.to_f64(), v.y.to_f64(), v.z.to_f64())
        };
        let dist = self.slot.at(at).to_f64();
        Touch { dist, pos: vector(1), normal: vector(4), tangent: vector(7) }
    }

    #[inline(always)]
    fn set(&mut self, i: usize, touch: Touch) {
        let vector = |v: Vec3| Vec3s { x: R::of(v.x), y: R::of(v.y), z: R::of(v.z) };
        let vectors = [touch.pos, touch.normal, touch.tangent].map(vector);
        self.write(i, R::of(touch.dist), vectors);
    }

    #[inline(always)]
    fn truncate(&mut self, count: usize) {
        if count < self.count {
            self.count = count;
        }
    }
}
