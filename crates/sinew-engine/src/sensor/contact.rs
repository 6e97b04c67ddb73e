//! Contact sensors: which contacts match, how they are reduced, and the reported data of each.

use core::mem::take;

use crate::work::{ContactMatch, scratch};
use sinew_math::{MINVAL, Vec3};
use sinew_model::contact::Contact;
use sinew_model::enums::{ConDataField, ObjType};
use sinew_model::{BodyId, Data, GeomId, Model, SensorId, SiteId};

use crate::constraint::{ContactForce, contact_force};
use crate::geometry::inside_site;

/// How many contacts become few.
mod reduce {
    pub(super) const MINDIST: i32 = 1;
    pub(super) const MAXFORCE: i32 = 2;
    pub(super) const NETFORCE: i32 = 3;
}

pub(super) fn contact(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    let [fields, reduction, _] = m.sensor_intprm[s];
    let size = slot_size(fields).max(1);
    out.fill(0.0);

    // matching contacts, in order or sorted
    let mut found = take(&mut scratch(d).sensor.matches);
    found.clear();
    for c in 0..d.contact.len() {
        let Some(flip) = matches(m, d, s, &d.contact[c]) else { continue };
        let key = match reduction {
            reduce::MINDIST => d.contact[c].dist,
            reduce::MAXFORCE => {
                let force = contact_force(m, d, c).force;
                -force.dot(force)
            }
            _ => 0.0,
        };
        found.push(ContactMatch { contact: c, flip, key });
    }

    if reduction == reduce::NETFORCE {
        if let Some(out) = out.get_mut(..size) {
            net_force(m, d, &found).write(fields, out);
        }
    } else {
        // equal keys keep the order of contacts; adding zero makes both zeros equal
        let key = |x: &ContactMatch| x.key + 0.0;
        found.sort_unstable_by(|a, b| key(a).total_cmp(&key(b)).then(a.contact.cmp(&b.contact)));
        for (x, out) in found.iter().zip(out.chunks_exact_mut(size)) {
            report(m, d, x, found.len(), fields).write(fields, out);
        }
    }
    scratch(d).sensor.matches = found;
}

/// The bodies of a contact's geoms; none for a flex.
pub(super) fn contact_bodies(m: &Model, contact: &Contact) -> [Option<BodyId>; 2] {
    let body = |g: Option<GeomId>| m.geom_bodyid.get(g?.idx()).copied();
    let [first, second] = geoms(contact);
    [body(first), body(second)]
}

/// The geoms of a contact; none for a flex.
fn geoms(contact: &Contact) -> [Option<GeomId>; 2] {
    let geom = |g: i32| usize::try_from(g).ok().map(GeomId::new);
    let [first, second] = contact.geom;
    [geom(first), geom(second)]
}

/// Numbers of one slot with the given fields.
#[doc(alias = "mju_condataSize")]
fn slot_size(fields: i32) -> usize {
    let sizes = [1, 3, 3, 1, 3, 3, 3];
    (0..).zip(sizes).filter(|&(bit, _)| fields & (1 << bit) != 0).map(|(_, size)| size).sum()
}

/// Whether the contact is one the sensor looks for, and then whether its normal is to be turned.
fn matches(m: &Model, d: &Data, s: SensorId, contact: &Contact) -> Option<bool> {
    let (kind1, id1) = (m.sensor_objtype[s], m.sensor_objid[s]);
    let (kind2, id2) = (m.sensor_reftype[s], m.sensor_refid[s]);
    let any = ObjType::Unknown;
    if kind1 == any && kind2 == any {
        return Some(false);
    }
    if kind1 == ObjType::Site {
        let site = SiteId::new(usize::try_from(id1).ok()?);
        if !inside_site(m, d, site, contact.pos) {
            return None;
        }
    }

    // which side each of the two objects is on
    let (body, geom) = (contact_bodies(m, contact), geoms(contact));
    let is_on = |k: usize, kind: ObjType, id: i32| is_part(m, body[k], geom[k], kind, id);
    let (first1, first2) = (is_on(0, kind1, id1), is_on(1, kind1, id1));
    let (second1, second2) = (is_on(0, kind2, id2), is_on(1, kind2, id2));
    if !(first1 || first2) || !(second1 || second2) {
        return None;
    }
    if kind1 != any && kind2 != any {
        let (regular, reverse) = (first1 && second2, first2 && second1);
        return (regular || reverse).then_some(!regular);
    }
    // away from the first object, or towards the second
    Some(if kind1 != any { !first1 } else { !second2 })
}

/// Whether one side of a contact belongs to an object: a geom, a body, a subtree. Every side
/// belongs to the empty object and to a site's volume.
fn is_part(m: &Model, body: Option<BodyId>, geom: Option<GeomId>, kind: ObjType, id: i32) -> bool {
    let object = usize::try_from(id).ok();
    match kind {
        ObjType::Unknown | ObjType::Site => true,
        ObjType::Geom => geom.is_some() && geom.map(GeomId::idx) == object,
        ObjType::Body => body.is_some() && body.map(BodyId::idx) == object,
        ObjType::Xbody => {
            let (Some(mut body), Some(root)) = (body, object) else { return false };
            while body.idx() > root {
                body = m.body_parentid[body];
            }
            body.idx() == root
        }
        _ => false,
    }
}

/// Data that a contact sensor can report.
struct Report {
    found: usize,
    force: Vec3,
    torque: Vec3,
    dist: f64,
    pos: Vec3,
    normal: Vec3,
    tangent: Vec3,
}

impl Report {
    /// Writes the fields of the sensor.
    fn write(&self, fields: i32, out: &mut [f64]) {
        let mut at = 0;
        let mut put = |field: ConDataField, numbers: &[f64]| {
            if fields & (1 << field.0) != 0 {
                out[at..at + numbers.len()].copy_from_slice(numbers);
                at += numbers.len();
            }
        };
        put(ConDataField::Found, &[self.found as f64]);
        put(ConDataField::Force, &self.force.to_array());
        put(ConDataField::Torque, &self.torque.to_array());
        put(ConDataField::Dist, &[self.dist]);
        put(ConDataField::Pos, &self.pos.to_array());
        put(ConDataField::Normal, &self.normal.to_array());
        put(ConDataField::Tangent, &self.tangent.to_array());
    }
}

/// One contact in its own frame; turned half round its third axis if `flip` is set, and then the
/// force is the opposite one. Force and torque only where `fields` has one of them.
fn report(m: &Model, d: &Data, x: &ContactMatch, found: usize, fields: i32) -> Report {
    let contact = &d.contact[x.contact];
    let wanted = fields & (1 << ConDataField::Force.0 | 1 << ConDataField::Torque.0) != 0;
    let wrench = if wanted { contact_force(m, d, x.contact) } else { ContactForce::default() };
    let sign = if x.flip { -1.0 } else { 1.0 };
    let turned = |v: Vec3| Vec3::new(v.x, v.y, v.z * sign);
    Report {
        found,
        force: turned(wrench.force),
        torque: turned(wrench.torque),
        dist: contact.dist,
        pos: contact.pos,
        normal: contact.frame.row(0) * sign,
        tangent: contact.frame.row(1) * sign,
    }
}

/// All contacts as one, in world axes: at the centre of their forces, with their total wrench.
fn net_force(m: &Model, d: &Data, found: &[ContactMatch]) -> Report {
    // force-weighted mean of the positions
    let (mut point, mut total) = (Vec3::ZERO, 0.0);
    for x in found {
        let weight = contact_force(m, d, x.contact).force.norm();
        point += d.contact[x.contact].pos * weight;
        total += weight;
    }
    point *= 1.0 / total.max(MINVAL);

    // wrench about it
    let (mut force, mut torque) = (Vec3::ZERO, Vec3::ZERO);
    for x in found {
        let contact = &d.contact[x.contact];
        let sign = if x.flip { -1.0 } else { 1.0 };
        let wrench = contact_force(m, d, x.contact);
        let own = contact.frame.tmul_vec(wrench.force * sign);
        force += own;
        torque += contact.frame.tmul_vec(wrench.torque * sign);
        torque += (contact.pos - point).cross(own);
    }
    let (normal, tangent) = (Vec3::X, Vec3::Y);
    Report { found: found.len(), force, torque, dist: 0.0, pos: point, normal, tangent }
}
