//! Rows of contacts: frictionless, or with a pyramidal or elliptic friction cone.

use sinew_math::MINVAL;
use sinew_model::enums::{ConeType, ConstraintType};
use sinew_model::pod::as_i32;
use sinew_model::{BodyId, Contact, Data, GeomId, Model};

use crate::constraint::contact_rows::{ContactRows, axis_blocks, rows_of_bodies, rows_of_columns};
use crate::constraint::impedance::Response;
use crate::constraint::rows::{Origin, RowValues, commit, commit_alike, jacobian};
use crate::smooth::dof_path::last_dof;
use crate::smooth::flex::weighted::{contact_columns, side_bodies, vertex_body};
use crate::smooth::flex::work::FlexWork;
use crate::work::{ConstraintWork, scratch, set_aside};

/// Rows of all contacts that are not excluded.
///
/// A contact that no dof can move is excluded here, with sparse Jacobians only: with dense ones
/// MuJoCo keeps its empty rows.
pub(crate) fn contacts(m: &Model, d: &mut Data) {
    if d.contact.is_empty() {
        return;
    }
    let mut work = scratch(d).constraint.take().unwrap_or_default();
    set_aside(d, |d| &mut d.contact, |d, contact| append_all(m, d, contact, &mut work));
    scratch(d).constraint = Some(work);
}

fn append_all(m: &Model, d: &mut Data, contact: &mut [Contact], work: &mut ConstraintWork) {
    let mut last = None;
    for (id, con) in contact.iter_mut().enumerate() {
        if m.nflex > 0 && is_passive(m, con) {
            (con.efc_address, con.exclude) = (-1, Contact::PASSIVE);
        }
        if con.exclude != 0 {
            continue;
        }
        let Some(bodies) = bodies_of(m, con) else {
            flex_contact(m, d, id, con);
            continue;
        };

        // neighbours in the list are mostly of the same two bodies
        let ConstraintWork { chain, blocks, .. } = &mut *work;
        if last != Some(bodies) {
            chain.merge(m, last_dof(m, bodies[0]), last_dof(m, bodies[1]));
            let coms = bodies.map(|b| d.subtree_com[m.body_rootid[b]]);
            axis_blocks(d, chain.links(), coms, blocks);
            last = Some(bodies);
        }
        let columns = chain.columns();
        if columns.is_empty() && m.is_sparse() {
            (con.efc_address, con.exclude) = (-1, Contact::FIXED);
            continue;
        }
        let tran = m.body_invweight0[bodies[0]][0] + m.body_invweight0[bodies[1]][0];
        let pos = con.pos;
        append(m, d, Touch { id, con, tran }, columns, |out| rows_of_bodies(blocks, pos, out));
    }
}

/// Whether a contact is one of a flex whose contacts act as springs.
fn is_passive(m: &Model, con: &Contact) -> bool {
    let flex = |f: i32| usize::try_from(f).ok().and_then(|f| m.flex_passive.get(f));
    con.flex.into_iter().filter_map(flex).any(|&passive| passive != 0)
}

/// The bodies of a contact; none where a side moves with several, as an element of a flex does.
fn bodies_of(m: &Model, con: &Contact) -> Option<[BodyId; 2]> {
    let body = |side: usize| {
        if let Some(g) = usize::try_from(con.geom[side]).ok().filter(|&g| g < m.ngeom) {
            return Some(m.geom_bodyid[GeomId::new(g)]);
        }
        vertex_body(m, con, side)
    };
    Some([body(0)?, body(1)?])
}

/// Rows of a contact with an element of a flex.
fn flex_contact(m: &Model, d: &mut Data, id: usize, con: &mut Contact) {
    let mut work = scratch(d).flex.take::<FlexWork>();
    contact_columns(m, d, con, &mut work);
    if work.dofs.is_empty() && m.is_sparse() {
        (con.efc_address, con.exclude) = (-1, Contact::FIXED);
    } else {
        let FlexWork { bodies, dofs, columns, .. } = &mut *work;
        bodies.clear();
        side_bodies(m, d, con, 0, 1.0, bodies);
        side_bodies(m, d, con, 1, 1.0, bodies);
        let tran = bodies.iter().fold(0.0, |sum, b| sum + m.body_invweight0[b.body][0] * b.weight);
        append(m, d, Touch { id, con, tran }, as_i32(dofs), |out| rows_of_columns(columns, out));
    }
    scratch(d).flex.put(work);
}

/// A contact, with the data of its rows besides their Jacobian.
struct Touch<'a> {
    id: usize,
    con: &'a mut Contact,
    /// Inverse inertia of translation of both sides.
    tran: f64,
}

/// Appends the rows of a contact over some dofs and sets the friction of its regularised cone.
fn append(
    m: &Model,
    d: &mut Data,
    touch: Touch<'_>,
    columns: &[i32],
    fill: impl FnOnce(ContactRows<'_>),
) {
    let Touch { id, con, tran } = touch;
    con.efc_address = d.nefc as i32;
    let dim = con.dim.clamp(1, 6) as usize;
    let pyramid = dim > 1 && m.cone() == ConeType::Pyramidal;
    let size = if pyramid { 2 * (dim - 1) } else { dim };
    let width = columns.len();
    let entries = jacobian(d, size, columns);
    let out = d.efc_J.rows_mut(entries);
    let (frame, friction) = (&con.frame, &con.friction);
    fill(ContactRows { frame, friction, dim, pyramid, width, out });

    // all regularisation follows from the normal's, or from the first edge's
    let response = Response::new(m, con.solref, con.solimp, con.dist - con.includemargin);
    let [fri, ..] = con.friction;
    let diag = if pyramid { tran + fri * fri * tran } else { tran };
    let r = response.regularisation(diag);
    let normal =
        RowValues { pos: con.dist, margin: con.includemargin, frictionloss: 0.0, response, r };
    if dim == 1 {
        let kind = ConstraintType::ContactFrictionless;
        commit_alike(d, Origin { kind, id }, 1, &normal);
        return;
    }
    let ratio = if MINVAL > m.opt.impratio { MINVAL } else { m.opt.impratio };
    // as a rule the ratio is one, which takes no division
    let plain = ratio == 1.0 && r.is_finite();
    let r_friction = if plain { r } else { r / ratio };
    con.mu = if plain { fri } else { fri * (r_friction / r).sqrt() };
    if pyramid {
        // one R for all edges, such that the friction impedance equals the elliptic cone's
        let kind = ConstraintType::ContactPyramidal;
        let edge = RowValues { r: 2.0 * con.mu * con.mu * r, ..normal };
        commit_alike(d, Origin { kind, id }, size, &edge);
    } else {
        let kind = ConstraintType::ContactElliptic;
        let response = response.in_friction(m, con.solreffriction);
        let friction = &con.friction;
        commit(d, Origin { kind, id }, dim, |k| {
            if k == 0 {
                return normal;
            }
            // R μ² is the same for all friction directions
            let mu = friction[k - 1];
            let r = if k == 1 { r_friction } else { r_friction * fri * fri / (mu * mu) };
            RowValues { pos: 0.0, margin: 0.0, frictionloss: 0.0, response, r }
        });
    }
}
