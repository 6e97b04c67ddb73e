//! Impulses of the last step as the start of the next, when contacts come, go or move.

use sinew_math::Vec3;
use sinew_model::coulomb::{ContactCertificate, ContactState, Impulses, RowImpulse};
use sinew_model::enums::{ConstraintType, DisableBit};
use sinew_model::{Contact, Data, GeomId, Model};

use super::work::{Fresh, Memory, Pair, Work};
use sinew_cone::State;

/// Cosine of the angle between normals up to which a contact is the same: 15 degrees.
const SAME_NORMAL: f64 = 0.965_925_826_289_068_3;

impl Memory {
    /// Copies the result of the last step.
    pub(super) fn reset(&mut self, last: &Impulses) {
        self.contacts.clear();
        self.contacts.extend(last.contacts.iter().enumerate().map(|(i, old)| (old.geom, i)));
        self.contacts.sort_unstable();
        self.rows.clear();
        self.rows.extend(last.rows.iter().enumerate().map(|(i, old)| (old.source, i)));
        self.rows.sort_unstable();
        self.taken.clear();
        self.taken.resize(last.rows.len(), false);
    }

    /// Contacts of the last step between two geoms.
    fn between<'a>(
        &self,
        last: &'a Impulses,
        pair: Pair,
    ) -> impl Iterator<Item = &'a ContactCertificate> + use<'_, 'a> {
        let start = self.contacts.partition_point(|(other, _)| *other < pair);
        let list = self.contacts[start..].iter().take_while(move |(other, _)| *other == pair);
        list.map(|(_, i)| &last.contacts[*i])
    }

    /// Impulse of the last step's row with the same source, the first that nobody has taken.
    fn row(&mut self, last: &Impulses, source: [i32; 2]) -> f64 {
        let start = self.rows.partition_point(|(other, _)| *other < source);
        let mut list = self.rows[start..].iter().take_while(|(other, _)| *other == source);
        let Some(&(_, i)) = list.find(|(_, i)| !self.taken[*i]) else { return 0.0 };
        self.taken[i] = true;
        last.rows[i].impulse
    }
}

/// Fills `warm` with the impulses of the last step, feasible in this one; zero for new rows.
///
/// Every old contact hands its impulse to the nearest one now between the same geoms, if the
/// normals are about the same. Where a corner becomes two contacts, or two become one, their sum
/// does not change.
pub(super) fn warm_start(m: &Model, d: &Data, work: &mut Work) {
    let n = work.rows.len();
    work.warm.clear();
    work.warm.resize(n, 0.0);
    if m.opt.disabled(DisableBit::Warmstart) {
        return;
    }
    let Work { rows, cones, warm, last, memory, .. } = work;

    // rows without friction, by their source; contacts are listed
    memory.fresh.clear();
    let mut first = 0;
    for cone in &*cones {
        let r = rows[first];
        match contact_of(d, r) {
            Some((contact, con)) if con.efc_address == r as i32 => {
                let point = local_point(m, d, con.geom[1], con.pos);
                memory.fresh.push(Fresh { pair: con.geom, first, contact, point });
            }
            Some(_) => {}
            None => warm[first] = memory.row(last, source(d, r)),
        }
        first += cone.dim();
    }

    // contacts, pair by pair
    let mut fresh = core::mem::take(&mut memory.fresh);
    fresh.sort_unstable_by_key(|new| (new.pair, new.first));
    for group in fresh.chunk_by(|a, b| a.pair == b.pair) {
        for old in memory.between(last, group[0].pair) {
            if let Some(new) = nearest(d, group, old) {
                let con = &d.contact[new.contact];
                let dim = (con.dim.max(1) as usize).min(6).min(n - new.first);
                hand_over(old, con, &mut warm[new.first..new.first + dim]);
            }
        }
    }
    memory.fresh = fresh;

    // feasible for the friction of this step
    let mut first = 0;
    for cone in &*cones {
        cone.project(&mut warm[first..first + cone.dim()]);
        first += cone.dim();
    }
}

/// The contact nearest to an old one, of those whose normal is about the same.
fn nearest<'a>(d: &Data, group: &'a [Fresh], old: &ContactCertificate) -> Option<&'a Fresh> {
    let mut best: Option<(&Fresh, f64)> = None;
    for new in group {
        let distance = new.point.dist(old.point[1]);
        let normal = d.contact[new.contact].frame.row(0);
        let same = old.frame.row(0).dot(normal) >= SAME_NORMAL;
        if same && best.is_none_or(|(_, least)| distance < least) {
            best = Some((new, distance));
        }
    }
    best.map(|(new, _)| new)
}

/// Fills `depth`, of every cone: how deep its contact plausibly is.
///
/// When faces are nearly parallel, the contacts of two boxes may be reported far deeper than the
/// boxes overlap, step after step. So the depth of geoms that touched before is bounded by the
/// former depth and their relative motion.
pub(super) fn plausible_depths(m: &Model, d: &Data, work: &mut Work) {
    let Work { rows, cones, depth, last, memory, .. } = work;
    depth.clear();
    let mut first = 0;
    let mut known: Option<(Pair, Option<f64>)> = None;
    for cone in &*cones {
        let r = rows[first];
        first += cone.dim();
        let Some((_, con)) = contact_of(d, r) else {
            depth.push(0.0);
            continue;
        };
        let before = match known {
            Some((pair, before)) if pair == con.geom => before,
            _ => deepest(m, d, memory.between(last, con.geom)),
        };
        known = Some((con.geom, before));
        let closed = m.opt.timestep * (-d.efc_vel[r]).max(0.0);
        depth.push(before.map_or(-con.dist, |before| (before + closed).min(-con.dist)));
    }
}

/// How deep two geoms may be by now, whose old contacts are given.
fn deepest<'a>(
    m: &Model,
    d: &Data,
    contacts: impl Iterator<Item = &'a ContactCertificate>,
) -> Option<f64> {
    let depth = |old: &ContactCertificate| {
        let [a, b] = old.geom.map(|g| geom_id(m, g));
        let moved = world_point(d, a?, old.point[0]).dist(world_point(d, b?, old.point[1]));
        Some(old.depth.max(0.0) + moved)
    };
    contacts.filter_map(depth).reduce(f64::max)
}

/// Writes the impulses of the current rows into the certificate.
pub(super) fn keep(m: &Model, d: &mut Data, work: &Work) {
    let states = work.states();
    let mut first = 0;
    for (k, cone) in work.cones.iter().enumerate() {
        let impulse = &work.impulse[first..first + cone.dim()];
        let r = work.rows[first];
        first += cone.dim();

        // a row without friction: its impulse, by its source
        let Some((c, con)) = contact_of(d, r) else {
            let source = source(d, r);
            d.coulomb.rows.push(RowImpulse { source, impulse: impulse[0] });
            continue;
        };

        // a contact: its impulse, and where it is on both geoms
        let mut kept = ContactCertificate {
            contact: c,
            state: match states.get(k) {
                Some(State::Stick) => ContactState::Stick,
                Some(State::Slide) => ContactState::Slide,
                _ => ContactState::Separate,
            },
            geom: con.geom,
            point: con.geom.map(|g| local_point(m, d, g, con.pos)),
            frame: con.frame,
            depth: work.depth[k],
            ..ContactCertificate::default()
        };
        kept.impulse[..impulse.len()].copy_from_slice(impulse);
        d.coulomb.contacts.push(kept);
    }
}

fn contact_of(d: &Data, r: usize) -> Option<(usize, &Contact)> {
    let of_contact = matches!(
        d.efc_type[r],
        ConstraintType::ContactFrictionless | ConstraintType::ContactElliptic
    );
    let c = usize::try_from(d.efc_id[r]).ok().filter(|_| of_contact)?;
    Some((c, d.contact.get(c)?))
}

fn source(d: &Data, r: usize) -> [i32; 2] {
    [d.efc_type[r].0, d.efc_id[r]]
}

fn geom_id(m: &Model, geom: i32) -> Option<GeomId> {
    usize::try_from(geom).ok().filter(|&g| g < m.ngeom).map(GeomId::new)
}

/// A point in the frame of a geom, with which it moves if it sticks there; of no geom, the point
/// itself.
fn local_point(m: &Model, d: &Data, geom: i32, pos: Vec3) -> Vec3 {
    match geom_id(m, geom) {
        Some(g) => d.geom_xmat[g].tmul_vec(pos - d.geom_xpos[g]),
        None => pos,
    }
}

fn world_point(d: &Data, geom: GeomId, point: Vec3) -> Vec3 {
    d.geom_xpos[geom] + d.geom_xmat[geom] * point
}

/// Adds old impulses in the axes of the contact as it is now.
fn hand_over(old: &ContactCertificate, con: &Contact, warm: &mut [f64]) {
    let force = old.frame.tmul_vec(Vec3::from_slice(&old.impulse));
    let torque = old.frame.tmul_vec(Vec3::from_slice(&old.impulse[3..]));
    for (axis, warm) in warm.iter_mut().enumerate() {
        // the normal impulse belongs to the contact, not to a direction in space
        *warm += match axis {
            0 => old.impulse[0],
            1 | 2 => con.frame.row(axis).dot(force),
            _ => con.frame.row(axis - 3).dot(torque),
        };
    }
}
