//! Rows of contacts: frictionless, or with a pyramidal or elliptic friction cone.

use sinew_math::MINVAL;
use sinew_model::enums::{ConeType, ConstraintType};
use sinew_model::work::ChainLink;
use sinew_model::{BodyId, Contact, Data, GeomId, Model};

use crate::constraint::chain::{columns, merge};
use crate::constraint::impedance::Response;
use crate::constraint::rows::{Origin, RowValues, Rows};
use crate::dof_path::Carried;

/// Rows of all contacts that are not excluded.
///
/// A contact that no dof can move is excluded here, with sparse Jacobians only: with dense ones
/// MuJoCo keeps its empty rows.
pub(crate) fn contacts(m: &Model, d: &mut Data, rows: &mut Rows) {
    let mut work = core::mem::take(&mut d.work.constraint);
    let mut contact = core::mem::take(&mut d.contact);
    let mut last = None;
    for (id, con) in contact.iter_mut().enumerate() {
        if con.exclude != 0 {
            continue;
        }
        let Some(bodies) = bodies_of(m, con) else { continue };

        // neighbours in the list are mostly of the same two bodies
        let ends = bodies.map(|b| Carried::new(m, d, b, con.pos));
        if last != Some(bodies) {
            merge(m, ends[0].dof, ends[1].dof, &mut work.chain);
            last = Some(bodies);
        }
        if work.chain.is_empty() && m.is_sparse() {
            (con.efc_address, con.exclude) = (-1, 3);
            continue;
        }
        con.efc_address = rows.len() as i32;
        append(m, d, rows, &work.chain, Touch { id, con, ends: &ends, bodies });
    }
    d.contact = contact;
    d.work.constraint = work;
}

/// The bodies of a contact; none where a flex touches.
fn bodies_of(m: &Model, con: &Contact) -> Option<[BodyId; 2]> {
    let [g1, g2] = con.geom.map(|g| usize::try_from(g).ok().filter(|&g| g < m.ngeom));
    Some([m.geom_bodyid[GeomId::new(g1?)], m.geom_bodyid[GeomId::new(g2?)]])
}

/// A contact and what its rows need.
struct Touch<'a> {
    id: usize,
    con: &'a mut Contact,
    ends: &'a [Carried; 2],
    bodies: [BodyId; 2],
}

/// Appends the rows of a contact and sets the friction of its regularised cone.
fn append(m: &Model, d: &Data, rows: &mut Rows, chain: &[ChainLink], touch: Touch<'_>) {
    let Touch { id, con, ends, bodies } = touch;
    let dim = con.dim.clamp(1, 6) as usize;
    let pyramid = dim > 1 && m.cone() == ConeType::Pyramidal;
    let size = if pyramid { 2 * (dim - 1) } else { dim };
    let out = rows.jacobian(size, chain.iter().map(|link| link.dof.idx() as i32));
    if pyramid {
        pyramid_jacobian(d, con, ends, chain, out);
    } else {
        axis_jacobian(d, con, ends, chain, out);
    }

    // all regularisation follows from that of the normal, or of the first edge
    let tran = m.body_invweight0[bodies[0]][0] + m.body_invweight0[bodies[1]][0];
    let response = Response::new(m, con.solref, con.solimp, con.dist - con.includemargin);
    let [fri, ..] = con.friction;
    let diag = if pyramid { tran + fri * fri * tran } else { tran };
    let r = response.regularisation(diag);
    let normal =
        RowValues { pos: con.dist, margin: con.includemargin, frictionloss: 0.0, response, r };
    if dim == 1 {
        let kind = ConstraintType::ContactFrictionless;
        rows.commit(Origin { kind, id }, [normal]);
        return;
    }
    let ratio = if MINVAL > m.opt.impratio { MINVAL } else { m.opt.impratio };
    let r_friction = r / ratio;
    con.mu = fri * (r_friction / r).sqrt();
    if pyramid {
        // one R for all edges, such that the friction impedance is that of the elliptic cone
        let kind = ConstraintType::ContactPyramidal;
        let edge = RowValues { r: 2.0 * con.mu * con.mu * r, ..normal };
        rows.commit(Origin { kind, id }, core::iter::repeat_n(edge, size));
    } else {
        let kind = ConstraintType::ContactElliptic;
        let response = response.in_friction(m, con.solreffriction);
        let friction = con.friction[..dim - 1].iter().enumerate().map(|(k, mu)| {
            // R μ² is the same for all friction directions
            let r = if k == 0 { r_friction } else { r_friction * fri * fri / (mu * mu) };
            RowValues { pos: 0.0, margin: 0.0, frictionloss: 0.0, response, r }
        });
        rows.commit(Origin { kind, id }, core::iter::once(normal).chain(friction));
    }
}

/// Rows along the axes of a contact: normal and two tangents, then rotation about them.
fn axis_jacobian(
    d: &Data,
    con: &Contact,
    [first, second]: &[Carried; 2],
    chain: &[ChainLink],
    out: &mut [f64],
) {
    let width = chain.len();
    for (k, pos, rot) in columns(d, first, second, chain) {
        for (axis, row) in out.chunks_exact_mut(width).enumerate() {
            row[k] = con.frame.row(axis % 3).dot(if axis < 3 { pos } else { rot });
        }
    }
}

/// Rows along the edges of a friction pyramid: normal plus and minus each friction direction.
fn pyramid_jacobian(
    d: &Data,
    con: &Contact,
    [first, second]: &[Carried; 2],
    chain: &[ChainLink],
    out: &mut [f64],
) {
    let width = chain.len();
    for (k, pos, rot) in columns(d, first, second, chain) {
        let normal = con.frame.row(0).dot(pos);
        for (pair, rows) in out.chunks_exact_mut(2 * width).enumerate() {
            let axis = pair + 1;
            let along = con.frame.row(axis % 3).dot(if axis < 3 { pos } else { rot });
            rows[k] = normal + along * con.friction[pair];
            rows[width + k] = normal - along * con.friction[pair];
        }
    }
}
