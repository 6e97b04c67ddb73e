//! The rows of a problem by position, and the zone that each is in.
//!
//! Rows are sorted by kind: equalities, dry friction, one-sided rows, elliptic cones. Each kind
//! begins at a whole register and is padded with rows without effect. Within a kind, rows keep
//! their order.

use core::ops::Range;

use sinew_math::simd::padded;
use sinew_math::vector;
use sinew_model::Data;
use sinew_model::enums::ConstraintState;

use super::part::{Part, RowKind};
use crate::solver::kernel::{
    FrictionRows, FrictionZones, OneSidedRows, friction_forces, one_sided_forces,
};
use crate::solver::zones::EllipticCone;

/// The rows by position, and their vectors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// Equalities.
    pub(crate) equality: Range<usize>,
    /// Dry friction.
    pub(crate) friction: Range<usize>,
    /// One-sided rows: limits, frictionless contacts, edges of pyramids.
    pub(crate) one_sided: Range<usize>,
    /// Rows of elliptic contacts.
    pub(crate) conic: Range<usize>,
    /// Positions that no row has.
    padding: Vec<usize>,
    /// Which rows of the data are where.
    segments: Vec<Segment>,
    pub(crate) d: Vec<f64>,
    pub(crate) aref: Vec<f64>,
    /// Of dry friction; zero elsewhere.
    pub(crate) frictionloss: Vec<f64>,
    /// R times friction loss: the half width of the quadratic zone.
    pub(crate) bound: Vec<f64>,
    /// J q̈ - aref
    pub(crate) jar: Vec<f64>,
    /// J times the direction of search.
    pub(crate) jv: Vec<f64>,
    pub(crate) force: Vec<f64>,
    /// D where the row is quadratic, else 0.
    pub(crate) weight: Vec<f64>,
    /// The zones of the dry-friction rows, four at a time.
    pub(crate) friction_zones: Vec<FrictionZones>,
    /// A bit for each one-sided row that pushes, four to a byte.
    pub(crate) pushes: Vec<u8>,
    pub(crate) cones: Vec<EllipticContact>,
    /// The states, when they were last asked for.
    states: Vec<ConstraintState>,
}

/// States of four one-sided rows by the bits of those that push.
const ONE_SIDED_STATES: [[ConstraintState; 4]; 16] = {
    let mut states = [[ConstraintState::Satisfied; 4]; 16];
    let mut i = 0;
    while i < 64 {
        if (i / 4) >> (i % 4) & 1 != 0 {
            states[i / 4][i % 4] = ConstraintState::Quadratic;
        }
        i += 1;
    }
    states
};

/// Rows of one kind that follow each other, in the data and here.
#[derive(Clone, Copy, Debug)]
struct Segment {
    /// First row of the data.
    efc: usize,
    /// First position.
    at: usize,
    /// How many.
    n: usize,
}

/// An elliptic contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EllipticContact {
    /// First of its rows.
    pub(crate) row: usize,
    pub(crate) cone: EllipticCone,
    /// The zone it is in.
    pub(crate) state: ConstraintState,
    /// Contact of the cone.
    pub(crate) contact: usize,
    /// Whether it has ever slid.
    pub(crate) slid: bool,
    /// When it last slid: U, see `zones`.
    pub(crate) u: [f64; 6],
    /// When it last slid: the direction of sliding, of length one, in the space where the cone is
    /// circular; the first number is zero.
    pub(crate) direction: [f64; 6],
    /// When it last slid: the curvature across that direction, µ² - µ N / T, over d_m.
    pub(crate) across: f64,
}

/// The number of rows in each zone, and their cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ZoneCounts {
    /// Cost of the rows.
    pub(crate) cost: f64,
    /// Rows that are not satisfied.
    pub(crate) active: usize,
    /// Rows that have moved to another zone.
    pub(crate) changed: usize,
    /// Rows that became quadratic or ceased to be so.
    pub(crate) toggled: usize,
    /// Rows of contacts that slide.
    pub(crate) sliding: usize,
}

impl Rows {
    /// Where each kind begins; space for all.
    pub(crate) fn layout(&mut self, d: &Data, part: &Part<'_>) {
        // kinds one after the other
        let ne = part.ne.min(part.rows.len());
        let nf = part.nf.min(part.rows.len() - ne);
        let others = ne + nf..part.rows.len();
        let conic = match part.conic {
            true => others.clone().filter(|&p| part.kind(d, p) == RowKind::Conic).count(),
            false => 0,
        };
        let counts = [ne, nf, others.len() - conic, conic];
        let mut end = 0;
        let kinds = counts.map(|count| {
            let start = end;
            end = padded(start + count);
            start..start + count
        });
        self.cones.clear();
        self.segments.clear();
        if kinds == self.kinds() {
            self.clear_padding();
            return;
        }
        self.padding.clear();
        self.padding.extend(kinds.iter().flat_map(|range| range.end..padded(range.end)));
        [self.equality, self.friction, self.one_sided, self.conic] = kinds;

        // numbers of all, states of none
        for v in [
            &mut self.d,
            &mut self.aref,
            &mut self.frictionloss,
            &mut self.bound,
            &mut self.jar,
            &mut self.jv,
            &mut self.force,
            &mut self.weight,
        ] {
            v.clear();
            v.resize(end, 0.0);
        }
        self.friction_zones.resize(self.friction.len().div_ceil(4), FrictionZones::default());
        self.pushes.resize(self.one_sided.len().div_ceil(4), 0);
        self.states.clear();
        self.states.resize(end, ConstraintState::Quadratic);
    }

    /// Padding as it was in the beginning: a step that was no number has made it no number, too.
    fn clear_padding(&mut self) {
        for &at in &self.padding {
            (self.jar[at], self.jv[at]) = (0.0, 0.0);
        }
    }

    /// The positions of each kind.
    pub(crate) fn kinds(&self) -> [Range<usize>; 4] {
        [&self.equality, &self.friction, &self.one_sided, &self.conic].map(Range::clone)
    }

    /// The dry-friction rows with their padding.
    pub(crate) fn padded_friction(&self) -> Range<usize> {
        self.friction.start..self.friction.start + 4 * self.friction_zones.len()
    }

    /// The one-sided rows with their padding.
    pub(crate) fn padded_one_sided(&self) -> Range<usize> {
        self.one_sided.start..self.one_sided.start + 4 * self.pushes.len()
    }

    /// Gives numbers by position to the rows of the data.
    pub(crate) fn put(&self, from: &[f64], to: &mut [f64]) {
        for &Segment { efc, at, n } in &self.segments {
            vector::copy(&mut to[efc..efc + n], &from[at..at + n]);
        }
    }

    /// Gives the states to the rows of the data; `place` tells where those from one on are.
    pub(crate) fn put_states(
        &mut self,
        to: &mut [ConstraintState],
        place: impl Fn(usize) -> usize,
    ) {
        self.find_states();
        for &Segment { efc, at, n } in &self.segments {
            // absent only if somebody has written other places
            let first = place(efc);
            if let Some(to) = to.get_mut(first..first.saturating_add(n)) {
                vector::copy(to, &self.states[at..at + n]);
            }
        }
    }

    /// The states by position; equalities are always quadratic.
    fn find_states(&mut self) {
        let (friction, one_sided) = (self.padded_friction(), self.padded_one_sided());
        let fours = self.states[friction].as_chunks_mut::<4>().0;
        for (four, zones) in fours.iter_mut().zip(&self.friction_zones) {
            *four = core::array::from_fn(|k| zones.state(k));
        }
        let fours = self.states[one_sided].as_chunks_mut::<4>().0;
        for (four, &pushes) in fours.iter_mut().zip(&self.pushes) {
            *four = ONE_SIDED_STATES[usize::from(pushes % 16)];
        }
        for contact in &self.cones {
            self.states[contact.rows()].fill(contact.state);
        }
    }

    /// Rows `first..` of the data, of one kind, to the positions from `at`.
    #[inline(always)]
    pub(crate) fn take(&mut self, d: &Data, first: usize, at: usize, run: usize) {
        let of_new_kind = self.kinds().iter().any(|kind| kind.start == at);
        match self.segments.last_mut() {
            Some(last) if !of_new_kind && (last.efc + last.n, last.at + last.n) == (first, at) => {
                last.n += run;
            }
            _ => self.segments.push(Segment { efc: first, at, n: run }),
        }
        if self.friction.contains(&at) {
            for i in 0..run {
                self.frictionloss[at + i] = d.efc_frictionloss[first + i];
                self.bound[at + i] = d.efc_R[first + i] * d.efc_frictionloss[first + i];
            }
        }
        vector::copy(&mut self.d[at..at + run], &d.efc_D.flat()[first..first + run]);
        vector::copy(&mut self.aref[at..at + run], &d.efc_aref.flat()[first..first + run]);
    }

    /// The contacts of a run of conic rows.
    pub(crate) fn take_cones(&mut self, d: &Data, first: usize, at: usize, run: usize) {
        let mut i = 0;
        while i < run {
            let contact = d.efc_id[first + i].max(0) as usize;
            let Some(con) = d.contact.get(contact) else { return };
            let dim = (con.dim.clamp(1, 6) as usize).min(run - i);
            self.cones.push(EllipticContact {
                row: at + i,
                cone: EllipticCone::new(con, dim, self.d[at + i]),
                state: ConstraintState::Satisfied,
                contact,
                slid: false,
                u: [0.0; 6],
                direction: [0.0; 6],
                across: 0.0,
            });
            i += dim;
        }
    }
}

impl Rows {
    /// Forces and zones of all rows at `jar`.
    pub(crate) fn update(&mut self) -> ZoneCounts {
        let mut counts = ZoneCounts::default();
        self.equalities(&mut counts);
        self.dry_friction(&mut counts);
        self.one_sided(&mut counts);
        self.contacts(&mut counts);
        counts
    }

    fn equalities(&mut self, counts: &mut ZoneCounts) {
        let range = self.equality.clone();
        if range.is_empty() {
            return;
        }
        let jar = &self.jar[range.clone()];
        let (d, force) = (&self.d[range.clone()], &mut self.force[range.clone()]);
        for ((force, d), jar) in force.iter_mut().zip(d).zip(jar) {
            *force = -d * jar;
        }
        counts.cost -= 0.5 * vector::dot(force, jar);
        vector::copy(&mut self.weight[range.clone()], d);
        counts.active += range.len();
    }

    fn dry_friction(&mut self, counts: &mut ZoneCounts) {
        if self.friction_zones.is_empty() {
            return;
        }
        let range = self.padded_friction();
        let found = friction_forces(FrictionRows {
            d: &self.d[range.clone()],
            jar: &self.jar[range.clone()],
            loss: &self.frictionloss[range.clone()],
            bound: &self.bound[range.clone()],
            force: &mut self.force[range.clone()],
            weight: &mut self.weight[range],
            zones: &mut self.friction_zones,
        });
        counts.cost += found.cost;
        counts.active += self.friction.len();
        counts.changed += found.changed;
        counts.toggled += found.toggled;
    }

    /// One-sided rows push where jar < 0.
    fn one_sided(&mut self, counts: &mut ZoneCounts) {
        if self.pushes.is_empty() {
            return;
        }
        let range = self.padded_one_sided();
        let found = one_sided_forces(OneSidedRows {
            d: &self.d[range.clone()],
            jar: &self.jar[range.clone()],
            force: &mut self.force[range.clone()],
            weight: &mut self.weight[range],
            pushes: &mut self.pushes,
        });
        counts.cost += found.cost;
        counts.active += found.active;
        counts.changed += found.changed;
        counts.toggled += found.changed;
    }

    fn contacts(&mut self, counts: &mut ZoneCounts) {
        let Rows { cones, d, jar, force, weight, .. } = self;
        for contact in cones {
            let (rows, dim, old) = (contact.rows(), contact.cone.dim, contact.state);
            let (d, weight) = (&d[rows.clone()], &mut weight[rows.clone()]);
            counts.cost += contact.update(d, &jar[rows.clone()], &mut force[rows]);
            let state = contact.state;
            let quadratic = state == ConstraintState::Quadratic;
            if quadratic {
                vector::copy(weight, d);
            } else {
                vector::zero(weight);
            }
            let toggled = quadratic != (old == ConstraintState::Quadratic);
            counts.active += dim * usize::from(state != ConstraintState::Satisfied);
            counts.changed += dim * usize::from(state != old);
            counts.toggled += dim * usize::from(toggled);
            counts.sliding += dim * usize::from(state == ConstraintState::Cone);
        }
    }
}

impl EllipticContact {
    /// Rows of the cone.
    pub(crate) fn rows(&self) -> Range<usize> {
        self.row..self.row + self.cone.dim
    }

    /// Sets the zone and the forces; returns the cost.
    #[inline(always)]
    fn update(&mut self, d: &[f64], jar: &[f64], force: &mut [f64]) -> f64 {
        let zone = self.cone.update(d, jar, force);
        self.state = zone.state;
        if zone.state == ConstraintState::Cone {
            let (mu, tangent) = (self.cone.mu, zone.tangent);
            self.slid = true;
            self.u = zone.u;
            for j in 1..self.cone.dim {
                self.direction[j] = zone.u[j] / tangent;
            }
            self.across = mu * mu - mu * zone.u[0] / tangent;
        }
        zone.cost
    }
}
