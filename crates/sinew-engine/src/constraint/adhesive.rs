//! Contacts that pull with a force of their own before they break (`adhesion`, MuJoCo 3.11).
//!
//! The cone of forces moves down the normal by the force δ. The cone of the contact's rows stays.
//! Instead the passive forces get -δ along the normal, and the reference of the normal row R δ.
//! See MuJoCo's documentation, "Computation / Constraint model / Adhesion".

use core::cmp::Ordering;

use sinew_model::enums::ConeType;
use sinew_model::later::Later;
use sinew_model::{Contact, Data, GeomId, Model};

use crate::constraint::product::jacobian_row;

/// Whether any contact of a model may pull.
pub(crate) fn has_adhesion(m: &Model) -> bool {
    let of = |later: &Later| !later.geom_adhesion.is_empty() || !later.pair_adhesion.is_empty();
    m.later.as_deref().is_some_and(of)
}

/// The force with which a contact may pull: that of its explicit pair, of the geom with the higher
/// priority, or of both geoms.
pub fn contact_adhesion(m: &Model, c: &Contact) -> f64 {
    let Some(later) = m.later.as_deref().filter(|_| has_adhesion(m)) else { return 0.0 };
    let geoms = c.geom.map(|g| usize::try_from(g).ok().filter(|&g| g < m.ngeom));
    let pair = (0..m.npair).find(|&i| {
        let of_pair = [m.pair_geom1[i].idx(), m.pair_geom2[i].idx()].map(Some);
        of_pair == geoms || of_pair == [geoms[1], geoms[0]]
    });
    if let Some(pair) = pair {
        return later.pair_adhesion.get(pair).copied().unwrap_or(0.0);
    }
    let own = geoms.map(|g| g.and_then(|g| later.geom_adhesion.get(g).copied()).unwrap_or(0.0));
    let priority = [0, 1].map(|k| match (geoms[k], usize::try_from(c.flex[k])) {
        (Some(g), _) => m.geom_priority[GeomId::new(g)],
        (None, Ok(f)) if f < m.nflex => m.flex_priority[f],
        _ => 0,
    });
    match priority[0].cmp(&priority[1]) {
        Ordering::Greater => own[0],
        Ordering::Less => own[1],
        Ordering::Equal => own[0] + own[1],
    }
}

/// How many rows share the normal of a contact, and the first.
fn normal_rows(m: &Model, c: &Contact, nefc: usize) -> Option<(usize, usize)> {
    let start = usize::try_from(c.efc_address).ok()?;
    let dim = usize::try_from(c.dim).unwrap_or(1);
    let count = if dim > 1 && m.cone() == ConeType::Pyramidal { 2 * (dim - 1) } else { 1 };
    (start + count <= nefc).then_some((start, count))
}

/// Adds R δ to the references of the normals of contacts.
#[cold]
#[inline(never)]
pub(super) fn add_adhesive_reference(m: &Model, d: &mut Data) {
    if !has_adhesion(m) {
        return;
    }
    let Data { contact, efc_aref, efc_R, nefc, .. } = d;
    for c in contact.iter() {
        let pull = contact_adhesion(m, c);
        let Some((start, count)) = normal_rows(m, c, *nefc).filter(|_| pull != 0.0) else {
            continue;
        };
        for r in start..start + count {
            efc_aref[r] += efc_R[r] * pull / count as f64;
        }
    }
}

/// The forces along the normals of contacts that pull; zero without such a contact.
///
/// Reads `contact`, `efc_J`.
#[doc(alias = "mj_adhesion")]
pub fn add_adhesion(m: &Model, d: &Data, force: &mut [f64]) {
    if !has_adhesion(m) {
        return;
    }
    for c in d.contact.iter() {
        let pull = contact_adhesion(m, c);
        let Some((start, count)) = normal_rows(m, c, d.nefc).filter(|_| pull != 0.0) else {
            continue;
        };
        // the normal is the mean of two opposite edges of a pyramid
        let rows = count.min(2);
        for r in start..start + rows {
            let (ind, row) = jacobian_row(d, r);
            for (&i, x) in ind.iter().zip(row) {
                force[i as usize] -= x * pull / rows as f64;
            }
        }
    }
}
