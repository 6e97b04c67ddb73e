//! Impulses of the last step as the start of the next, whatever contacts came, went or moved.

use sinew_math::Vec3;
use sinew_model::coulomb::{Certificate, ContactCertificate, ContactState, RowImpulse};
use sinew_model::enums::{ConstraintType, DisableBit};
use sinew_model::{Contact, Data, GeomId, Model};

use super::Work;
use sinew_cone::State;

/// Cosine of the angle between normals up to which a contact is the same: 15 degrees.
const SAME_NORMAL: f64 = 0.965_925_826_289_068_3;

/// Which impulses of the last step are taken.
#[derive(Default)]
pub(super) struct Marks {
    contacts: Vec<bool>,
    rows: Vec<bool>,
    /// Where the search for the next row begins.
    next: usize,
}

impl Marks {
    /// None is taken.
    pub(super) fn reset(&mut self, last: &Certificate) {
        for (marks, n) in
            [(&mut self.contacts, last.contacts.len()), (&mut self.rows, last.rows.len())]
        {
            marks.clear();
            marks.resize(n, false);
        }
        self.next = 0;
    }
}

/// Fills `warm` with the impulses of the last step, feasible in this one; zero for what is new.
pub(super) fn recall(m: &Model, d: &Data, work: &mut Work) {
    let n = work.rows.len();
    work.warm.clear();
    work.warm.resize(n, 0.0);
    if m.opt.disabled(DisableBit::Warmstart) {
        return;
    }
    let Work { rows, cones, warm, last, marks, .. } = work;
    let mut first = 0;
    for cone in &*cones {
        let range = first..first + cone.dim();
        first = range.end;
        let r = rows[range.start];
        match contact_of(d, r) {
            Some((_, con)) if con.efc_address == r as i32 => {
                if let Some(old) = find_contact(m, d, con, last, marks) {
                    turn(old, con, &mut warm[range.clone()]);
                }
            }
            Some(_) => {}
            None => warm[range.start] = find_row(d, r, last, marks),
        }
        cone.project(&mut warm[range]);
    }
}

/// Fills `depth`, of every cone: how deep its contact is.
///
/// Box against box may find a contact far deeper than any, step after step, when faces are all but
/// parallel. Geoms that touched before are believed to be as deep as they were, and deeper by as much as they have
/// moved against each other.
pub(super) fn believe(m: &Model, d: &Data, work: &mut Work) {
    let Work { rows, cones, depth, last, .. } = work;
    depth.clear();
    let mut first = 0;
    for cone in &*cones {
        let r = rows[first];
        first += cone.dim();
        let Some((_, con)) = contact_of(d, r) else {
            depth.push(0.0);
            continue;
        };
        let deepest = |old: &ContactCertificate| {
            let [a, b] = old.geom.map(|g| geom_id(m, g));
            let moved = world_point(d, a?, old.point[0]).dist(world_point(d, b?, old.point[1]));
            Some(old.depth.max(0.0) + moved)
        };
        let before = last.contacts.iter().filter(|old| old.geom == con.geom);
        let before = before.filter_map(deepest).reduce(f64::max);
        let closed = m.opt.timestep * (-d.efc_vel[r]).max(0.0);
        depth.push(before.map_or(-con.dist, |before| (before + closed).min(-con.dist)));
    }
}

/// Writes the impulses of the rows at hand into the certificate.
pub(super) fn keep(m: &Model, d: &mut Data, work: &Work) {
    let states = work.states();
    let mut first = 0;
    for (k, cone) in work.cones.iter().enumerate() {
        let impulse = &work.impulse[first..first + cone.dim()];
        let r = work.rows[first];
        first += cone.dim();
        let Some((c, con)) = contact_of(d, r) else {
            let source = source(d, r);
            d.coulomb.rows.push(RowImpulse { source, impulse: impulse[0] });
            continue;
        };
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

/// A point in the frame of a geom, with which it moves if it sticks there; of no geom, the point itself.
fn local_point(m: &Model, d: &Data, geom: i32, pos: Vec3) -> Vec3 {
    match geom_id(m, geom) {
        Some(g) => d.geom_xmat[g].tmul_vec(pos - d.geom_xpos[g]),
        None => pos,
    }
}

fn world_point(d: &Data, geom: GeomId, point: Vec3) -> Vec3 {
    d.geom_xpos[geom] + d.geom_xmat[geom] * point
}

/// The nearest contact of the last step between the same geoms that nobody has taken, if its normal
/// is about the same.
fn find_contact<'a>(
    m: &Model,
    d: &Data,
    con: &Contact,
    last: &'a Certificate,
    marks: &mut Marks,
) -> Option<&'a ContactCertificate> {
    let point = local_point(m, d, con.geom[1], con.pos);
    let mut best: Option<(usize, f64)> = None;
    for (i, old) in last.contacts.iter().enumerate() {
        if old.geom != con.geom || marks.contacts[i] {
            continue;
        }
        let near = point.dist(old.point[1]);
        let same = old.frame.row(0).dot(con.frame.row(0)) >= SAME_NORMAL;
        if same && best.is_none_or(|(_, dist)| near < dist) {
            best = Some((i, near));
        }
    }
    let (i, _) = best?;
    marks.contacts[i] = true;
    Some(&last.contacts[i])
}

/// Impulse of the last step's row with the same source.
fn find_row(d: &Data, r: usize, last: &Certificate, marks: &mut Marks) -> f64 {
    let (n, start, source) = (last.rows.len(), marks.next, source(d, r));
    let found =
        (0..n).map(|i| (start + i) % n).find(|&i| !marks.rows[i] && last.rows[i].source == source);
    found.map_or(0.0, |i| {
        marks.rows[i] = true;
        marks.next = i + 1;
        last.rows[i].impulse
    })
}

/// Turns old impulses into the axes of the contact as it is now.
fn turn(old: &ContactCertificate, con: &Contact, warm: &mut [f64]) {
    let force = old.frame.tmul_vec(Vec3::from_slice(&old.impulse));
    let torque = old.frame.tmul_vec(Vec3::from_slice(&old.impulse[3..]));
    for (axis, warm) in warm.iter_mut().enumerate() {
        *warm = con.frame.row(axis % 3).dot(if axis < 3 { force } else { torque });
    }
    // the normal impulse belongs to the contact, not to a direction in space
    warm[0] = old.impulse[0];
}
