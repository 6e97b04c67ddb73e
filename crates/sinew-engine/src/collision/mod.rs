//! From the poses of geoms to the list of contacts.
//!
//! Bodies whose boxes meet (`broad`), pairs of their geoms whose boxes meet (`mid`), contacts of
//! these (`narrow`) with their parameters (`params`). `plan` knows what can collide at all.

use sinew_model::enums::{DisableBit, EnableBit, SleepState, Timer, Warning};
use sinew_model::work::{CollisionPlan, CollisionWork};
use sinew_model::{Contact, Data, Flag, GeomId, Model, PairId};

use crate::collision::filter::{geoms_may_meet, signature, spheres_apart};
use crate::collision::params::Params;
use crate::collision::sweep::Sweep;
use crate::forward::tally;
use crate::hooks::Hooks;

pub use distance::{Distance, geom_distance};

mod broad;
mod distance;
mod filter;
mod grid;
mod mid;
mod narrow;
mod params;
mod plan;
mod sweep;

/// Finds the contacts. They are sorted by the bodies in contact; those of explicit pairs come
/// first among those of the same bodies.
///
/// Reads `geom_xpos`, `geom_xmat`, `xipos`, `ximat`. Writes `contact`, `ncon`, `bvh_active`;
/// discards the constraint rows.
#[doc(alias = "mj_collision")]
pub fn collision(m: &Model, d: &mut Data) {
    collision_with(m, d, &mut ());
}

/// `collision`, with the user's hooks.
pub fn collision_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    let begin = hooks.time();
    d.contact.clear();
    (d.ncon, d.nefc, d.nisland) = (0, 0, 0);
    let mut work = d.work.collision.take().unwrap_or_default();
    unmark(m, d, &mut work.active);
    let disabled = m.opt.disabled(DisableBit::Constraint) || m.opt.disabled(DisableBit::Contact);
    if !disabled && m.nbody >= 2 {
        let mut contacts = core::mem::take(&mut d.contact);
        find_contacts(m, d, &mut work, &mut contacts, hooks);
        d.ncon = contacts.len();
        d.contact = contacts;
        for &node in &work.active {
            d.bvh_active[node as usize] = Flag::from(true);
        }
        tally(d, hooks, Timer::PosCollision, begin);
    }
    d.work.collision = Some(work);
}

/// More contacts than this are dropped with a warning, as a full arena drops them in MuJoCo: a model
/// of a few lines can ask for more memory than there is.
const MAX_CONTACTS: usize = 1 << 17;

/// Up to this many nodes are cleared without looking which were marked.
const FEW_NODES: usize = 4096;

/// Clears the marks of the last collision. Most nodes belong to meshes, which collision never
/// marks. Which nodes are marked depends on how pairs of bodies are found, and so is not the same
/// as in MuJoCo: only those of bodies with bounding spheres that meet.
fn unmark(m: &Model, d: &mut Data, active: &mut Vec<u32>) {
    if m.vis.global.bvactive != 0 {
        if m.nbvh <= FEW_NODES {
            d.bvh_active.fill(Flag::from(false));
        }
        for &node in active.iter() {
            if let Some(mark) = d.bvh_active.get_mut(node as usize) {
                *mark = Flag::from(false);
            }
        }
    }
    active.clear();
}

fn find_contacts<H: Hooks + ?Sized>(
    m: &Model,
    d: &mut Data,
    work: &mut CollisionWork,
    contacts: &mut Vec<Contact>,
    hooks: &mut H,
) {
    let start = hooks.time();
    plan::update(m, hooks.filters_contacts(), &mut work.plan);
    broad::body_pairs(m, d, &work.plan, &mut work.broad);
    tally(d, hooks, Timer::ColBroad, start);

    let start = hooks.time();
    Search { m, d: &mut *d, work, contacts, sweep: Sweep::default(), hooks: &mut *hooks }.run();
    tally(d, hooks, Timer::ColNarrow, start);
}

/// A search for contacts.
struct Search<'a, H: ?Sized> {
    m: &'a Model,
    d: &'a mut Data,
    work: &'a mut CollisionWork,
    contacts: &'a mut Vec<Contact>,
    sweep: Sweep,
    hooks: &'a mut H,
}

impl<H: Hooks + ?Sized> Search<'_, H> {
    /// Pairs of bodies, merged with explicit pairs by signature.
    fn run(&mut self) {
        let m = self.m;
        let mut next = 0;
        for k in 0..self.work.broad.pairs.len() {
            let pair = self.work.broad.pairs[k].map(|i| i as usize);
            let [b1, b2] = pair.map(|i| self.work.plan.bodies[i]);
            let signature = signature(b1, b2);
            let first = next;
            while next < m.npair && m.pair_signature[next] as u32 <= signature {
                self.explicit(PairId::new(next));
                next += 1;
            }
            self.bodies(pair, first..next);
        }
        for pair in next..m.npair {
            self.explicit(PairId::new(pair));
        }
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
        if !spheres_apart(m, d, geoms[0], geoms[1], margin) && self.touch(geoms, margin) {
            self.add(geoms, margin, &Params::of_pair(m, pair));
        }
    }

    /// The contacts of two bodies, but for pairs of geoms that are among the explicit ones.
    #[doc(alias = "mj_collideGeomPair")]
    fn bodies(&mut self, [i, j]: [usize; 2], explicit: core::ops::Range<usize>) {
        let m = self.m;
        let plan = &self.work.plan;
        let everywhere = plan.everywhere[i] || plan.everywhere[j];
        let (b1, b2) = (plan.bodies[i], plan.bodies[j]);
        let single = m.body_geomnum[b1] == 1 && m.body_geomnum[b2] == 1;
        if single {
            let geoms = [plan.geoms[plan.first[i] as usize], plan.geoms[plan.first[j] as usize]];
            if geoms_may_meet(m, geoms[0], geoms[1], plan.asked) {
                self.automatic(geoms, everywhere, &explicit);
            }
            return;
        }
        self.pair_geoms([i, j]);
        for k in 0..self.work.mid.pairs.len() {
            self.automatic(self.work.mid.pairs[k], everywhere, &explicit);
        }
    }

    /// The contacts of two geoms, unless they are an explicit pair.
    fn automatic(
        &mut self,
        geoms: [GeomId; 2],
        everywhere: bool,
        explicit: &core::ops::Range<usize>,
    ) {
        let (m, d) = (self.m, &*self.d);
        let margin = params::margin(m, geoms[0], geoms[1]);
        if spheres_apart(m, d, geoms[0], geoms[1], margin)
            || explicit.clone().any(|p| is_pair(m, PairId::new(p), geoms))
        {
            return;
        }
        let geoms = narrow::by_type(m, geoms);
        if self.work.plan.asked && self.filtered(geoms) {
            return;
        }
        if self.touch(geoms, margin)
            && (everywhere || self.sweep.finds(m, self.d, geoms[0], geoms[1]))
        {
            self.add(geoms, margin, &Params::of_geoms(m, geoms[0], geoms[1]));
        }
    }

    /// Whether the user's filter, or the bits if it is gone by now, stops two geoms that may touch.
    fn filtered(&mut self, geoms: [GeomId; 2]) -> bool {
        let m = self.m;
        if !self.hooks.filters_contacts() {
            return !geoms_may_meet(m, geoms[0], geoms[1], false);
        }
        narrow::can_touch(m, geoms) && self.hooks.contact_filter(m, self.d, geoms)
    }

    /// Finds the pairs of geoms of two bodies that may touch, in the order of their contacts.
    fn pair_geoms(&mut self, [i, j]: [usize; 2]) {
        let (m, d) = (self.m, &*self.d);
        let CollisionWork { plan, mid, active, .. } = &mut *self.work;
        let (b1, b2) = (plan.bodies[i], plan.bodies[j]);
        mid.pairs.clear();
        let trees = m.body_bvhadr[b1] >= 0 && m.body_bvhadr[b2] >= 0;
        if trees && !m.opt.disabled(DisableBit::Midphase) {
            if !spheres_meet(m, d, plan, [i, j]) {
                return;
            }
            let active = (m.vis.global.bvactive != 0).then_some(active);
            mid::tree_pairs(m, d, [b1, b2], plan.asked, mid, active);
            mid.pairs.sort_unstable_by_key(|&geoms| narrow::by_type(m, geoms));
        } else {
            all_pairs(m, plan, [i, j], &mut mid.pairs);
        }
    }

    /// Whether two geoms touch; how is left in the scratch memory.
    fn touch(&mut self, geoms: [GeomId; 2], margin: f64) -> bool {
        let CollisionWork { touches, ccd, .. } = &mut *self.work;
        narrow::touches(self.m, self.d, geoms, margin, ccd, touches);
        !touches.is_empty()
    }

    /// Adds contacts where two geoms touch.
    #[doc(alias = "mj_addContact")]
    fn add(&mut self, geoms: [GeomId; 2], margin: f64, params: &Params) {
        let room = MAX_CONTACTS.saturating_sub(self.contacts.len());
        let touches = self.work.touches.iter().take(room);
        self.contacts.extend(touches.map(|t| narrow::contact(t, geoms, margin, params)));
        if self.work.touches.len() > room {
            self.d.warn(Warning::Contactfull, self.contacts.len());
        }
    }
}

/// Whether an explicit pair is of these geoms.
fn is_pair(m: &Model, pair: PairId, [g1, g2]: [GeomId; 2]) -> bool {
    let (p1, p2) = (m.pair_geom1[pair], m.pair_geom2[pair]);
    (p1, p2) == (g1, g2) || (p1, p2) == (g2, g1)
}

/// The geoms of two bodies that may collide.
fn geoms_of(plan: &CollisionPlan, pair: [usize; 2]) -> [&[GeomId]; 2] {
    pair.map(|i| &plan.geoms[plan.first[i] as usize..plan.first[i + 1] as usize])
}

/// All pairs of geoms of two bodies that may collide.
fn all_pairs(m: &Model, plan: &CollisionPlan, pair: [usize; 2], pairs: &mut Vec<[GeomId; 2]>) {
    let [geoms1, geoms2] = geoms_of(plan, pair);
    for &g1 in geoms1 {
        let others = geoms2.iter().filter(|&&g2| geoms_may_meet(m, g1, g2, plan.asked));
        pairs.extend(others.map(|&g2| [g1, g2]));
    }
}

/// Up to this many pairs of bounding spheres are tested before the trees of two bodies, whose
/// boxes cost more. The number is a guess.
const FEW_SPHERES: usize = 32;

/// Whether bounding spheres of two bodies meet, or are too many to be tested.
fn spheres_meet(m: &Model, d: &Data, plan: &CollisionPlan, pair: [usize; 2]) -> bool {
    let [geoms1, geoms2] = geoms_of(plan, pair);
    if geoms1.len() * geoms2.len() > FEW_SPHERES {
        return true;
    }
    let meet = |g1: GeomId, g2: GeomId| {
        geoms_may_meet(m, g1, g2, plan.asked)
            && !spheres_apart(m, d, g1, g2, params::margin(m, g1, g2))
    };
    geoms1.iter().any(|&g1| geoms2.iter().any(|&g2| meet(g1, g2)))
}
