//! Contacts that are softer than the model says, or than its bodies bear.
//!
//! MuJoCo raises the time constant of `solref` to two time steps. The reference acceleration -K d r
//! balances the regularisation (1 - d) g / d. At rest under gravity g, a contact with impedance d
//! and stiffness K therefore has the depth (1 - d) g / (K d²).

use sinew_engine::row_response;
use sinew_model::enums::{DisableBit, ObjType};
use sinew_model::{GeomId, Model};

use crate::change::Change;
use crate::element::Element;
use crate::finding::{Cause, Finding, Remedy, Weight, round_down, shown};
use crate::start::thickness;

/// Depth at rest, relative to the half thickness of a geom, from which contacts are reported.
const SUNK: f64 = 1.0;

/// Contacts whose time constant the time step raises, and contacts that cannot carry their bodies.
pub(crate) fn soft_contacts(m: &Model) -> Vec<Finding> {
    if m.nv == 0 || m.opt.disabled(DisableBit::Contact) {
        return Vec::new();
    }
    raised(m).into_iter().chain(sunk(m)).collect()
}

/// Geoms that may be in contact.
fn colliding(m: &Model) -> impl Iterator<Item = GeomId> + '_ {
    m.geoms().filter(|&g| m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0)
}

/// Contacts that are softened, since their time constant is below two time steps.
fn raised(m: &Model) -> Option<Finding> {
    let h = m.opt.timestep;
    if m.opt.disabled(DisableBit::Refsafe) {
        return None;
    }
    let fast = |&g: &GeomId| {
        let [timeconst, dampratio] = m.geom_solref[g];
        dampratio > 0.0 && timeconst > 0.0 && timeconst < 2.0 * h
    };
    let geoms: Vec<GeomId> = colliding(m).filter(fast).collect();
    let least = geoms.iter().map(|&g| m.geom_solref[g][0]).fold(f64::MAX, f64::min);
    let first = Element::new(m, ObjType::Geom, geoms.first()?.idx());
    let more = match geoms.len() {
        1 => String::new(),
        n => format!(" and {} more", n - 1),
    };
    let text = format!(
        "contacts of {first}{more}: their time constant of {} s is below two time steps of {h} s, so it \
         is raised to {} s, and they are softer than solref says",
        shown(least),
        shown(2.0 * h)
    );
    let smaller = round_down(0.5 * least);
    let change = Change::one("opt.timestep", [0, 0], smaller);
    let remedies = vec![Remedy::new(format!("timestep=\"{smaller}\""), change)];
    let weight = if least < h { Weight::Warning } else { Weight::Note };
    let parts = geoms.iter().map(|g| Element::new(m, ObjType::Geom, g.idx())).collect();
    Some(Finding { cause: Cause::TimeStep, weight, parts, text, remedies })
}

/// The depth of a contact that carries a body against gravity.
fn rest_depth(m: &Model, g: GeomId, gravity: f64) -> f64 {
    let mut depth = 0.0;
    for _ in 0..50 {
        let [k, _, d, _] = row_response(m, m.geom_solref[g], m.geom_solimp[g], -depth);
        let next = (1.0 - d) * gravity / (k * d * d);
        if (next - depth).abs() <= 1e-6 * next {
            return next;
        }
        depth = next;
    }
    depth
}

/// The geom that sinks deepest under its own body, beyond its half thickness.
fn sunk(m: &Model) -> Option<Finding> {
    let gravity = match m.opt.disabled(DisableBit::Gravity) {
        true => 0.0,
        false => m.opt.gravity.dot(m.opt.gravity).sqrt(),
    };
    let moving = |&g: &GeomId| m.body_weldid[m.geom_bodyid[g]].idx() != 0;
    let share = |g: GeomId| rest_depth(m, g, gravity) / thickness(m, g);
    let solid = |&g: &GeomId| thickness(m, g) > 0.0;
    let movable = colliding(m).filter(moving).filter(solid);
    let worst = movable.max_by(|&a, &b| share(a).total_cmp(&share(b)))?;
    if share(worst).is_nan() || share(worst) <= SUNK {
        return None;
    }
    let part = Element::new(m, ObjType::Geom, worst.idx());
    let text = format!(
        "{part}: its contacts are so soft that it rests at a depth of {} m under the weight of its \
         body, {} times half its thickness of {} m",
        shown(rest_depth(m, worst, gravity)),
        shown(share(worst)),
        shown(2.0 * thickness(m, worst)),
    );
    let (cause, weight) = (Cause::Penetration, Weight::Warning);
    Some(Finding { cause, weight, parts: vec![part], text, remedies: Vec::new() })
}
