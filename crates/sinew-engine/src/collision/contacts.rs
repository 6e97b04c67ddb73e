//! The list of contacts: pairs of bodies in order, their pairs of geoms, and where these touch.

use sinew_model::enums::{DisableBit, EnableBit, SleepState, Timer, Warning};
use sinew_model::{BodyId, Contact, Data, GeomId, Model, PairId};

use crate::collision::filter::{geoms_may_collide, signature, spheres_separated};
use crate::collision::flex::{
    FlexScratch, FlexSearch, SweepScratch, list_pairs, own_contacts, pair_contacts,
};
use crate::collision::list::{ContactList, Touching};
use crate::collision::params::Params;
use crate::collision::plan::geoms_of;
use crate::collision::sweep::Sweep;
use crate::collision::{broad, marks, mid, narrow, params, plan};
use crate::hooks::{self, Hooks};
use crate::timer::timed_from;
use crate::work::{BodyPair, CollisionPlan, CollisionWork, scratch};

/// Finds the contacts. The list is sorted by the bodies in contact; contacts of explicit pairs come
/// first among contacts of the same bodies.
///
/// Reads `geom_xpos`, `geom_xmat`, `xipos`, `ximat`. Writes `contact`, `ncon`; discards the
/// constraint rows. `mark_nodes` writes `bvh_active`.
pub fn collision_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    (d.ncon, d.nefc, d.nisland) = (0, 0, 0);
    let mut work = scratch(d).collision.take().unwrap_or_default();
    marks::expire(m, d, &mut work.marks);
    let disabled = m.opt.disabled(DisableBit::Constraint) || m.opt.disabled(DisableBit::Contact);
    if !disabled && m.nbody >= 2 {
        let start = hooks.time();
        let mut contacts = core::mem::take(&mut d.contact);
        let (ncon, end) = find_contacts(m, d, &mut work, &mut contacts, start, hooks);
        d.clock(Timer::PosCollision, end - start, 1);
        contacts.truncate(ncon);
        (d.ncon, d.contact) = (ncon, contacts);
    } else {
        d.contact.clear();
    }
    scratch(d).collision = Some(work);
}

/// Replaces the contacts of the last step, and returns their number, and when the search that began
/// at `start` ended.
fn find_contacts<H: Hooks + ?Sized>(
    m: &Model,
    d: &mut Data,
    work: &mut CollisionWork,
    contacts: &mut Vec<Contact>,
    start: f64,
    hooks: &mut H,
) -> (usize, f64) {
    let ((), now) = timed_from(d, hooks, Timer::ColBroad, start, |d, hooks| {
        plan::update(m, hooks.filters_contacts(), &mut work.plan);
        broad::body_pairs(m, d, &work.plan, &mut work.broad);
    });
    timed_from(d, hooks, Timer::ColNarrow, now, |d, hooks| {
        let sweep = Sweep::default();
        let list = ContactList::new(contacts);
        let mut search = Search { m, d: &mut *d, work, list, sweep, hooks };
        search.run();
        let (ncon, overflows) = (search.list.len(), search.list.overflows);
        for _ in 0..overflows {
            d.warn(Warning::Contactfull, ncon);
        }
        ncon
    })
}

/// Number of geom pairs above which the bounding-volume trees of the bodies are searched first,
/// because they reject many pairs at once.
const FEW_PAIRS: usize = 4;

/// A search for contacts.
struct Search<'a, H: ?Sized> {
    m: &'a Model,
    d: &'a mut Data,
    work: &'a mut CollisionWork,
    list: ContactList<'a>,
    sweep: Sweep,
    hooks: &'a mut H,
}

/// Data of two bodies that their contacts depend on, besides the geoms.
struct Scope {
    bodies: [BodyId; 2],
    /// Whether one of the bodies may touch all others, wherever it is.
    everywhere: bool,
    /// Whether the trees of the bodies must overlap too.
    trees: bool,
    /// Explicit pairs that may be of these bodies.
    explicit: core::ops::Range<usize>,
}

/// How many explicit pairs, and pairs with flexes, have been looked at.
#[derive(Default)]
struct Merged {
    explicit: usize,
    flexes: usize,
}

impl<'a, H: Hooks + ?Sized> Search<'a, H> {
    /// Pairs of bodies and flexes, merged with explicit pairs by signature; then flexes with
    /// themselves.
    fn run(&mut self) {
        if self.m.nflex > 0 {
            self.run_with_flexes();
            return;
        }
        let mut done = Merged::default();
        for k in 0..self.work.broad.pairs.len() {
            self.body_pair(k, &mut done);
        }
        self.explicit_up_to(u32::MAX, &mut done);
    }

    fn run_with_flexes(&mut self) {
        let m = self.m;
        let mut flex = self.work.flex.take::<FlexScratch>();
        list_pairs(m, self.d, &self.work.plan, &mut flex.pairs);
        let mut done = Merged::default();
        for k in 0..self.work.broad.pairs.len() {
            self.flexes_before(self.signature(k), &mut flex, &mut done);
            self.body_pair(k, &mut done);
        }
        self.flexes_before(u32::MAX, &mut flex, &mut done);
        self.explicit_up_to(u32::MAX, &mut done);
        for f in m.flexes() {
            if !self.list.is_full() {
                own_contacts(&mut self.flex_search(&mut flex.sweep), f);
            }
        }
        self.work.flex.put(flex);
    }

    /// The contacts of a pair of bodies, after earlier contacts of explicit pairs.
    #[inline]
    fn body_pair(&mut self, k: usize, done: &mut Merged) {
        let first = done.explicit;
        if self.m.npair > 0 {
            self.explicit_up_to(self.signature(k), done);
        }
        self.bodies(self.work.broad.pairs[k], first..done.explicit);
    }

    /// The signature of a pair of bodies.
    #[inline]
    fn signature(&self, k: usize) -> u32 {
        let CollisionWork { broad, plan, .. } = &*self.work;
        let [b1, b2] = broad.pairs[k].bodies.map(|i| plan.bodies[i as usize]);
        signature(b1, b2)
    }

    /// The contacts of explicit pairs that come before or with a signature.
    fn explicit_up_to(&mut self, signature: u32, done: &mut Merged) {
        let m = self.m;
        while done.explicit < m.npair && m.pair_signature[done.explicit] as u32 <= signature {
            self.explicit(PairId::new(done.explicit));
            done.explicit += 1;
        }
    }

    /// The contacts of pairs with a flex that come before a signature.
    fn flexes_before(&mut self, signature: u32, flex: &mut FlexScratch, done: &mut Merged) {
        while let Some(&pair) = flex.pairs.get(done.flexes).filter(|p| p.signature < signature) {
            self.explicit_up_to(pair.signature, done);
            if !self.list.is_full() {
                pair_contacts(&mut self.flex_search(&mut flex.sweep), pair);
            }
            done.flexes += 1;
        }
    }

    /// Data for a search for contacts of flexes.
    fn flex_search<'s>(&'s mut self, sweep: &'s mut SweepScratch) -> FlexSearch<'s, 'a> {
        let CollisionWork { touches, ccd, mid, .. } = &mut *self.work;
        let (m, d, stack, list) = (self.m, &*self.d, &mut mid.stack, &mut self.list);
        FlexSearch { m, d, touches, ccd, stack, sweep, list }
    }

    /// The contacts of an explicit pair of geoms, which no filter stops.
    fn explicit(&mut self, pair: PairId) {
        let (m, d) = (self.m, &*self.d);
        let geoms = [m.pair_geom1[pair], m.pair_geom2[pair]];
        if m.opt.enabled(EnableBit::Sleep) {
            let awake = |g: GeomId| d.body_awake[m.geom_bodyid[g]] == SleepState::Awake;
            if !geoms.into_iter().any(awake) {
                return;
            }
        }
        let geoms = narrow::by_type(m, geoms);
        let margin = params::pair_margin(m, pair);
        if !spheres_separated(m, d, geoms[0], geoms[1], margin) && self.touch(geoms, margin) {
            self.add(geoms, margin, &Params::of_pair(m, pair));
        }
    }

    /// The contacts of two bodies, but for pairs of geoms that are among the explicit ones.
    #[doc(alias = "mj_collideGeomPair")]
    fn bodies(&mut self, pair: BodyPair, explicit: core::ops::Range<usize>) {
        let m = self.m;
        let CollisionWork { plan, broad, .. } = &*self.work;
        let [i, j] = pair.bodies.map(|i| i as usize);
        let bodies = [plan.bodies[i], plan.bodies[j]];
        let everywhere = plan.everywhere[i] || plan.everywhere[j];
        let single = bodies.iter().all(|&b| m.body_geomnum[b] == 1);
        let trees = !single
            && bodies.iter().all(|&b| m.body_bvhadr[b] >= 0)
            && !m.opt.disabled(DisableBit::Midphase);
        let scope = Scope { bodies, everywhere, trees, explicit };
        let [first, end] = pair.geoms.map(|k| k as usize);
        if end == first + 1 {
            self.automatic(broad.geoms[first].map(|k| plan.geoms[k as usize]), &scope);
            return;
        }
        let scope = Scope { trees: self.pair_geoms(pair, &scope), ..scope };
        for k in 0..self.work.mid.pairs.len() {
            self.automatic(self.work.mid.pairs[k], &scope);
        }
    }

    /// The contacts of two geoms whose bounding spheres overlap, unless they are an explicit pair.
    ///
    /// Tests come in the order of their cost. Where a short formula finds the contacts of a pair,
    /// boxes and trees of bodies are tested only if the pair touches.
    fn automatic(&mut self, geoms: [GeomId; 2], scope: &Scope) {
        let (m, d) = (self.m, &*self.d);
        if scope.explicit.clone().any(|p| is_pair(m, PairId::new(p), geoms)) {
            return;
        }

        // boxes first if the contacts themselves are costly or the user's filter is to be called
        let margin = params::margin(m, geoms[0], geoms[1]);
        let ordered = narrow::by_type(m, geoms);
        let boxes_first =
            scope.trees && (self.work.plan.user_filter || !narrow::is_quick(m, ordered));
        if boxes_first && !mid::geom_boxes_overlap(m, d, geoms[0], geoms[1]) {
            return;
        }
        if self.work.plan.user_filter
            && (scope.trees && !self.trees_overlap(geoms, scope) || self.filtered(ordered))
        {
            return;
        }

        // the contacts; for a short formula whether the boxes overlap is tested after it
        if self.touch(ordered, margin)
            && (!scope.trees
                || (boxes_first || mid::geom_boxes_overlap(m, self.d, geoms[0], geoms[1]))
                    && self.trees_overlap(geoms, scope))
            && (scope.everywhere || self.sweep.finds(m, self.d, geoms[0], geoms[1]))
        {
            self.add(ordered, margin, &Params::of_geoms(m, ordered[0], ordered[1]));
        }
    }

    /// Whether two geoms, one of each body, whose boxes overlap, are found through the trees of the
    /// bodies.
    fn trees_overlap(&self, geoms: [GeomId; 2], scope: &Scope) -> bool {
        mid::trees_overlap(self.m, self.d, scope.bodies, geoms)
    }

    /// Whether the user's filter, or the bits if it is gone by now, stops two geoms that may touch.
    fn filtered(&mut self, geoms: [GeomId; 2]) -> bool {
        let m = self.m;
        if !self.hooks.filters_contacts() {
            return !geoms_may_collide(m, geoms[0], geoms[1], false);
        }
        narrow::can_touch(m, geoms) && {
            let d = &mut *self.d;
            hooks::call(self.hooks, "mjcb_contactfilter", |hooks| hooks.contact_filter(m, d, geoms))
        }
    }

    /// Lists the pairs of geoms of two bodies that may touch, in the order of their contacts.
    /// Returns whether the trees must still be searched.
    fn pair_geoms(&mut self, pair: BodyPair, scope: &Scope) -> bool {
        let (m, d) = (self.m, &*self.d);
        let CollisionWork { plan, broad, mid, .. } = &mut *self.work;
        let [first, end] = pair.geoms.map(|k| k as usize);
        mid.pairs.clear();

        // pairs that the broad phase has listed
        if end > first && !(scope.trees && end - first > FEW_PAIRS) {
            let listed = &mut broad.geoms[first..end];
            if !scope.trees {
                listed.sort_unstable();
            }
            mid.pairs.extend(listed.iter().map(|k| k.map(|k| plan.geoms[k as usize])));
            if scope.trees {
                mid.pairs.sort_unstable_by_key(|&geoms| narrow::by_type(m, geoms));
            }
            return scope.trees;
        }

        // pairs from the trees, or all
        if scope.trees {
            mid::tree_pairs(m, d, scope.bodies, plan.user_filter, mid);
            mid.pairs.sort_unstable_by_key(|&geoms| narrow::by_type(m, geoms));
        } else {
            all_pairs(m, d, plan, pair.bodies, &mut mid.pairs);
        }
        false
    }

    /// Whether two geoms touch and there is room for it; how is left in the scratch memory.
    fn touch(&mut self, geoms: [GeomId; 2], margin: f64) -> bool {
        if self.list.is_full() {
            return false;
        }
        let CollisionWork { touches, ccd, .. } = &mut *self.work;
        narrow::touches(self.m, self.d, geoms, margin, ccd, touches);
        !touches.is_empty()
    }

    /// Adds contacts where two geoms touch.
    fn add(&mut self, geoms: [GeomId; 2], margin: f64, params: &Params) {
        self.list.add(&self.work.touches, Touching::geoms(geoms), margin - params.gap, params);
    }
}

/// Whether an explicit pair is of these geoms.
fn is_pair(m: &Model, pair: PairId, [g1, g2]: [GeomId; 2]) -> bool {
    let (p1, p2) = (m.pair_geom1[pair], m.pair_geom2[pair]);
    (p1, p2) == (g1, g2) || (p1, p2) == (g2, g1)
}

/// All pairs of geoms of two bodies whose bounding spheres overlap.
fn all_pairs(
    m: &Model,
    d: &Data,
    plan: &CollisionPlan,
    bodies: [u32; 2],
    pairs: &mut Vec<[GeomId; 2]>,
) {
    let [first, second] = bodies.map(|i| &plan.geoms[geoms_of(plan, i as usize)]);
    for &g1 in first {
        let may_touch = |g2: GeomId| {
            geoms_may_collide(m, g1, g2, plan.user_filter)
                && !spheres_separated(m, d, g1, g2, params::margin(m, g1, g2))
        };
        pairs.extend(second.iter().filter(|&&g2| may_touch(g2)).map(|&g2| [g1, g2]));
    }
}
