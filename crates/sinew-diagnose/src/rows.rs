//! Contacts, limits and equalities that are too stiff for the time step.
//!
//! A row has the reference acceleration -B v - K d r and impedance d. Like a damped spring under
//! semi-implicit Euler it is stable while h² K d² + 2 h B d < 4. MuJoCo keeps the time constant of
//! `solref` above two time steps. The safeguard fails for a small damping ratio, for stiffness and
//! damping given directly, and if it is disabled.

use sinew_engine::row_response;
use sinew_model::enums::{ConstraintType, DisableBit, Integrator, ObjType};
use sinew_model::{Data, EqId, GeomId, JointId, Model, TendonId};

use crate::change::Change;
use crate::element::Element;
use crate::finding::{Cause, Finding, Remedy, Weight, round_down, round_up, shown};

/// A violation at which the impedance has its maximum.
const FAR: f64 = -1e9;
/// Stability ratio that remedies aim at: well below 1, because several rows act on one body.
const TARGET: f64 = 0.35;

/// Rows with the same parameters, and the fields with these parameters.
struct Rows {
    /// Noun for messages.
    word: &'static str,
    solref: [f64; 2],
    solimp: [f64; 5],
    /// Field and its rows.
    field: &'static str,
    ids: Vec<usize>,
    parts: Vec<Element>,
}

/// Stability ratio of a row: above 1 it overshoots by more than it corrects.
fn stability_ratio(m: &Model, solref: [f64; 2], solimp: [f64; 5]) -> f64 {
    let h = m.opt.timestep;
    let [k, b, d, _] = row_response(m, solref, solimp, FAR);
    let limit = if m.opt.integrator == Integrator::Rk4 { 7.0 } else { 4.0 };
    (h * h * k * d * d + 2.0 * h * b * d) / limit
}

/// Elements whose own parameters are too stiff.
pub(crate) fn stiff_elements(m: &Model) -> Vec<Finding> {
    let mut groups: Vec<Rows> = Vec::new();

    // elements with equal parameters form one finding
    let mut add = |word, field, kind, id: usize, solref: [f64; 2], solimp: [f64; 5]| {
        if stability_ratio(m, solref, solimp) <= 1.0 {
            return;
        }
        let part = Element::new(m, kind, id);
        let same = |g: &&mut Rows| g.field == field && g.solref == solref && g.solimp == solimp;
        match groups.iter_mut().find(same) {
            Some(group) => {
                group.ids.push(id);
                group.parts.push(part);
            }
            None => {
                let (ids, parts) = (vec![id], vec![part]);
                groups.push(Rows { word, solref, solimp, field, ids, parts });
            }
        }
    };

    // contacts
    if !m.opt.disabled(DisableBit::Contact) {
        for g in (0..m.ngeom).filter(|&g| m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0) {
            add("contacts", "geom_solref", ObjType::Geom, g, m.geom_solref[g], m.geom_solimp[g]);
        }
        for p in 0..m.npair {
            add("contacts", "pair_solref", ObjType::Pair, p, m.pair_solref[p], m.pair_solimp[p]);
        }
    }

    // limits
    for j in (0..m.njnt).filter(|&j| m.jnt_limited[j].get()) {
        add("its limit", "jnt_solref", ObjType::Joint, j, m.jnt_solref[j], m.jnt_solimp[j]);
    }
    for t in (0..m.ntendon).filter(|&t| m.tendon_limited[t].get()) {
        let (solref, solimp) = (m.tendon_solref_lim[t], m.tendon_solimp_lim[t]);
        add("its limit", "tendon_solref_lim", ObjType::Tendon, t, solref, solimp);
    }

    // equalities
    for e in 0..m.neq {
        add("it", "eq_solref", ObjType::Equality, e, m.eq_solref[e], m.eq_solimp[e]);
    }
    groups.iter().map(|group| group.finding(m)).collect()
}

/// Active rows of a state that are too stiff, each element once.
pub(crate) fn stiff_rows(m: &Model, d: &Data) -> Vec<Finding> {
    let mut found: Vec<Rows> = Vec::new();

    // each element once
    let mut push = |rows: Rows| {
        let known = found.iter().any(|f| f.field == rows.field && f.ids == rows.ids);
        if !known && stability_ratio(m, rows.solref, rows.solimp) > 1.0 {
            found.push(rows);
        }
    };

    // equalities and limits
    for i in 0..d.nefc.min(d.efc_type.len()) {
        let id = d.efc_id[i].max(0) as usize;
        match d.efc_type[i] {
            ConstraintType::Equality if id < m.neq => push(of_equality(m, EqId::new(id))),
            ConstraintType::LimitJoint if id < m.njnt => push(of_joint(m, JointId::new(id))),
            ConstraintType::LimitTendon if id < m.ntendon => push(of_tendon(m, TendonId::new(id))),
            _ => {}
        }
    }

    // contacts
    for contact in d.contact.iter().filter(|c| c.efc_address >= 0) {
        let geoms: Vec<usize> =
            contact.geom.iter().filter_map(|&g| usize::try_from(g).ok()).collect();
        push(Rows {
            word: "their contact",
            solref: contact.solref,
            solimp: contact.solimp,
            field: "geom_solref",
            parts: geoms.iter().map(|&g| Element::new(m, ObjType::Geom, g)).collect(),
            ids: geoms,
        });
    }
    found.iter().map(|rows| rows.finding(m)).collect()
}

fn of_equality(m: &Model, e: EqId) -> Rows {
    Rows {
        word: "it",
        solref: m.eq_solref[e],
        solimp: m.eq_solimp[e],
        field: "eq_solref",
        ids: vec![e.idx()],
        parts: vec![Element::new(m, ObjType::Equality, e.idx())],
    }
}

fn of_joint(m: &Model, j: JointId) -> Rows {
    Rows {
        word: "its limit",
        solref: m.jnt_solref[j],
        solimp: m.jnt_solimp[j],
        field: "jnt_solref",
        ids: vec![j.idx()],
        parts: vec![Element::new(m, ObjType::Joint, j.idx())],
    }
}

fn of_tendon(m: &Model, t: TendonId) -> Rows {
    Rows {
        word: "its limit",
        solref: m.tendon_solref_lim[t],
        solimp: m.tendon_solimp_lim[t],
        field: "tendon_solref_lim",
        ids: vec![t.idx()],
        parts: vec![Element::new(m, ObjType::Tendon, t.idx())],
    }
}

impl Rows {
    fn finding(&self, m: &Model) -> Finding {
        let h = m.opt.timestep;
        let names = named(&self.parts);

        // the cause: stiffness and damping of the row, and a large ratio of masses
        let [k, b, d, _] = row_response(m, self.solref, self.solimp, FAR);
        let text = format!(
            "{names}: {} with solref=\"{} {}\" oscillates at {} rad/s and decays at {} /s, which a time \
             step of {h} s cannot follow",
            if self.parts.len() == 1 { self.word } else { "contacts" },
            self.solref[0],
            self.solref[1],
            shown(d * k.sqrt()),
            shown(d * b),
        );
        let text = match self.masses(m) {
            Some((light, heavy)) if heavy > 100.0 * light => {
                format!("{text}; the masses are {} and {} kg", shown(light), shown(heavy))
            }
            _ => text,
        };

        // the remedy: softer parameters at all elements
        let [first, second] = softer(m, self.solref, self.solimp);
        let mut change = Change::default();
        for &id in &self.ids {
            change = change.and(self.field, [id, 0], first).and(self.field, [id, 1], second);
        }
        let words = format!("solref=\"{first} {second}\" at {names}");
        Finding {
            cause: Cause::StiffConstraint,
            weight: Weight::Warning,
            parts: self.parts.clone(),
            text,
            remedies: vec![Remedy::new(words, change)],
        }
    }

    /// Masses of two bodies in contact, the smaller first.
    fn masses(&self, m: &Model) -> Option<(f64, f64)> {
        let [a, b] = *self.ids.as_slice() else { return None };
        if self.field != "geom_solref" {
            return None;
        }
        let [a, b] = [a, b].map(|g| m.body_subtreemass[m.geom_bodyid[GeomId::new(g)]]);
        Some((a.min(b), a.max(b)))
    }
}

/// One or two names of elements, and the number of the others.
fn named(parts: &[Element]) -> String {
    match parts {
        [] => "the model".to_string(),
        [one] => one.to_string(),
        [one, two] => format!("{one} and {two}"),
        [one, more @ ..] => format!("{one} and {} more", more.len()),
    }
}

/// The nearest `solref` in the same format that is stable.
fn softer(m: &Model, solref: [f64; 2], solimp: [f64; 5]) -> [f64; 2] {
    let h = m.opt.timestep;
    let [mut first, mut second] = solref;
    let calm = |solref| stability_ratio(m, solref, solimp) <= TARGET;
    if first > 0.0 {
        first = round_up(first.max(2.0 * h));
        for _ in 0..60 {
            if calm([first, second]) {
                break;
            }
            first = round_up(1.25 * first);
        }
        return [first, second];
    }
    // each term within its share of the bound
    (first, second) =
        (-round_down((-first).min(0.2 / (h * h))), -round_down((-second).min(0.3 / h)));
    for _ in 0..60 {
        if calm([first, second]) {
            break;
        }
        (first, second) = (-round_down(-0.8 * first), -round_down(-0.9 * second));
    }
    [first, second]
}
