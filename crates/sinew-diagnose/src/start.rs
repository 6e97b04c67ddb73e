//! Faults of the initial state: overlaps, joints beyond limits, violated equalities.

use sinew_engine::{row_response, shape};
use sinew_model::enums::{ConstraintType, GeomType, JointType, ObjType};
use sinew_model::{Contact, Data, GeomId, JointId, Model, TendonId};

use crate::change::Change;
use crate::element::Element;
use crate::finding::{Cause, Finding, Remedy, Weight, shown};

/// Reported depth of an overlap, relative to the half thickness of the thinner geom.
pub(crate) const DEEP: f64 = 0.5;
/// Exit speed in m/s or rad/s above which a violation is a warning; a slower violation resolves
/// without harm.
const THROW: f64 = 20.0;

/// The speed at which a row resolves a violation: at most x ω/e for a critically damped spring.
fn exit_speed(m: &Model, solref: [f64; 2], solimp: [f64; 5], violation: f64) -> f64 {
    let [k, _, d, _] = row_response(m, solref, solimp, -violation);
    violation * d * k.sqrt() / core::f64::consts::E
}

/// Severity of a violation.
fn weight(speed: f64) -> Weight {
    if speed > THROW { Weight::Warning } else { Weight::Note }
}

/// Geoms that overlap by more than a share of their thickness, in a state with contacts.
pub(crate) fn overlaps(m: &Model, d: &Data, share: f64) -> Vec<Finding> {
    let mut found: Vec<(f64, &Contact)> = Vec::new();
    for contact in d.contact.iter().filter(|c| c.dist < 0.0 && c.exclude == 0) {
        let [Ok(a), Ok(b)] = contact.geom.map(usize::try_from) else { continue };
        let thin =
            [a, b].map(|g| thickness(m, GeomId::new(g))).into_iter().fold(f64::MAX, f64::min);
        let depth = -contact.dist / thin;
        if depth <= share {
            continue;
        }
        // the deepest contact of each pair
        match found.iter_mut().find(|(_, c)| c.geom == contact.geom) {
            Some(known) if known.0 < depth => *known = (depth, contact),
            Some(_) => {}
            None => found.push((depth, contact)),
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().map(|(depth, contact)| overlap(m, depth, contact)).collect()
}

fn overlap(m: &Model, depth: f64, contact: &Contact) -> Finding {
    let geoms = contact.geom.map(|g| g.max(0) as usize);
    let parts: Vec<Element> = geoms.iter().map(|&g| Element::new(m, ObjType::Geom, g)).collect();
    let bodies = geoms.map(|g| Element::new(m, ObjType::Body, m.geom_bodyid[g].idx()));
    let speed = exit_speed(m, contact.solref, contact.solimp, -contact.dist);
    let text = format!(
        "{} of {} and {} of {} overlap by {} m at the start, {} of the thinner one, and part at {} m/s",
        parts[0],
        bodies[0],
        parts[1],
        bodies[1],
        shown(-contact.dist),
        percent(depth),
        shown(speed),
    );
    let remedies = separate(m, contact, geoms).into_iter().collect();
    Finding { cause: Cause::Overlap, weight: weight(speed), parts, text, remedies }
}

/// A share in percent.
fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Moves a free body out of the other geom, or excludes the pair from collisions.
fn separate(m: &Model, contact: &Contact, geoms: [usize; 2]) -> Option<Remedy> {
    let normal = contact.frame.row(0);
    for (geom, sign) in geoms.into_iter().zip([-1.0, 1.0]) {
        let body = m.geom_bodyid[geom];
        let free = m.body_joints(body).find(|&j| m.jnt_type[j] == JointType::Free);
        if let Some(j) = free {
            let first = m.jnt_qpos(j).start;
            let shift = normal * (-1.01 * sign * contact.dist);
            let mut change = Change::default();
            for (k, x) in shift.to_array().into_iter().enumerate() {
                change = change.and("qpos", [first + k, 0], m.qpos0[first + k] + x);
            }
            let part = Element::new(m, ObjType::Body, body.idx());
            let [x, y, z] = shift.to_array().map(shown);
            return Some(Remedy::new(format!("{part} moved by ({x}, {y}, {z}) m"), change));
        }
    }
    let geom = geoms.into_iter().find(|&g| m.body_weldid[m.geom_bodyid[g]].idx() != 0)?;
    let change =
        Change::one("geom_contype", [geom, 0], 0.0).and("geom_conaffinity", [geom, 0], 0.0);
    let [a, b] = geoms.map(|g| Element::new(m, ObjType::Body, m.geom_bodyid[g].idx()));
    Some(Remedy::new(format!("an <exclude> of {a} and {b}"), change))
}

/// Half the smallest extent of a geom; infinite for planes and height fields.
pub(crate) fn thickness(m: &Model, g: GeomId) -> f64 {
    let kind = m.geom_type[g];
    let [_, _, _, x, y, z] = m.geom_aabb[g];
    match shape(kind, m.geom_size[g]) {
        Some(shape) => shape.thickness(),
        None if kind == GeomType::Hfield => f64::MAX,
        None => x.min(y).min(z),
    }
}

/// Joints and tendons beyond their limits by more than a share of their range.
pub(crate) fn beyond_limits(m: &Model, qpos: &[f64], d: &Data, share: f64) -> Vec<Finding> {
    let mut found = Vec::new();
    for j in m.joints().filter(|&j| m.jnt_limited[j].get()) {
        if !matches!(m.jnt_type[j], JointType::Hinge | JointType::Slide) {
            continue;
        }
        let at = m.jnt_qpos(j).start;
        let [low, high] = m.jnt_range[j];
        let beyond = (low - qpos[at]).max(qpos[at] - high);
        if beyond > share * (high - low) {
            found.push(beyond_limit(m, j, qpos[at]));
        }
    }
    for t in m.tendons().filter(|&t| m.tendon_limited[t].get()) {
        let [low, high] = m.tendon_range[t];
        let length = d.ten_length[t];
        if (low - length).max(length - high) > share * (high - low) {
            found.push(tendon_beyond(m, t, length));
        }
    }
    found
}

fn beyond_limit(m: &Model, j: JointId, at: f64) -> Finding {
    let part = Element::new(m, ObjType::Joint, j.idx());
    let [low, high] = m.jnt_range[j];
    let text = format!(
        "{part} starts at {}, beyond its range of {} to {}",
        shown(at),
        shown(low),
        shown(high)
    );
    let inside = at.clamp(low, high);
    let change = Change::one("qpos", [m.jnt_qpos(j).start, 0], inside);
    let remedy = Remedy::new(format!("{part} starting at {}", shown(inside)), change);
    let speed = exit_speed(m, m.jnt_solref[j], m.jnt_solimp[j], (at - inside).abs());
    let (weight, remedies) = (weight(speed), vec![remedy]);
    Finding { cause: Cause::Limit, weight, parts: vec![part], text, remedies }
}

fn tendon_beyond(m: &Model, t: TendonId, length: f64) -> Finding {
    let part = Element::new(m, ObjType::Tendon, t.idx());
    let [low, high] = m.tendon_range[t];
    let text = format!(
        "{part} starts with a length of {}, beyond its range of {} to {}",
        shown(length),
        shown(low),
        shown(high)
    );
    let beyond = (low - length).max(length - high);
    let speed = exit_speed(m, m.tendon_solref_lim[t], m.tendon_solimp_lim[t], beyond);
    let [low, high] = [low.min(length), high.max(length)];
    let change =
        Change::one("tendon_range", [t.idx(), 0], low).and("tendon_range", [t.idx(), 1], high);
    let words = format!("range=\"{} {}\" at {part}", shown(low), shown(high));
    let remedies = vec![Remedy::new(words, change)];
    Finding { cause: Cause::Limit, weight: weight(speed), parts: vec![part], text, remedies }
}

/// Equalities violated at the start by more than a share of the model's size, or of a radian.
pub(crate) fn violated_equalities(m: &Model, d: &Data, share: f64) -> Vec<Finding> {
    // the largest violation of each equality
    let mut worst: Vec<(usize, f64)> = Vec::new();
    for i in 0..d.nefc.min(d.efc_type.len()) {
        let id = d.efc_id[i].max(0) as usize;
        if d.efc_type[i] != ConstraintType::Equality || id >= m.neq {
            continue;
        }
        let size = d.efc_pos[i].abs();
        match worst.iter_mut().find(|(e, _)| *e == id) {
            Some((_, known)) => *known = known.max(size),
            None => worst.push((id, size)),
        }
    }

    // violations above the bound, with the speed that they give to bodies
    let bound = share * m.stat.extent.max(1e-3);
    let far = worst.into_iter().filter(|(_, size)| *size > bound);
    far.map(|(e, size)| {
        let part = Element::new(m, ObjType::Equality, e);
        let text = format!("{part} starts {} away from what it demands", shown(size));
        let change = Change::one("eq_active", [e, 0], 0.0);
        let remedies = vec![Remedy::new(format!("active=\"false\" at {part}"), change)];
        let speed = exit_speed(m, m.eq_solref[e], m.eq_solimp[e], size);
        let weight = weight(speed);
        Finding { cause: Cause::Equality, weight, parts: vec![part], text, remedies }
    })
    .collect()
}
