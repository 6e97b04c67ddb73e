//! Rows of contacts: frictionless, or with a pyramidal or elliptic friction cone.

use sinew_math::{MINVAL, Vec3};
use sinew_model::enums::{ConeType, ConstraintType};
use sinew_model::{BodyId, Contact, Data, GeomId, Model};

use crate::constraint::impedance::Response;
use crate::constraint::rows::{Origin, RowValues, Rows};
use crate::dof_chain::{ChainLink, Moves, merge_rising};
use crate::smooth::dof_path::Carried;
use crate::smooth::flex::weighted::{contact_columns, side_bodies, vertex_body};
use crate::smooth::flex::work::FlexWork;
use crate::work::{ConstraintWork, scratch, set_aside};

/// Rows of all contacts that are not excluded.
///
/// A contact that no dof can move is excluded here, with sparse Jacobians only: with dense ones
/// MuJoCo keeps its empty rows.
pub(crate) fn contacts(m: &Model, d: &mut Data, rows: &mut Rows) {
    if d.contact.is_empty() {
        return;
    }
    let mut work = scratch(d).constraint.take().unwrap_or_default();
    set_aside(d, |d| &mut d.contact, |d, contact| append_all(m, d, contact, &mut work, rows));
    scratch(d).constraint = Some(work);
}

fn append_all(
    m: &Model,
    d: &mut Data,
    contact: &mut [Contact],
    work: &mut ConstraintWork,
    rows: &mut Rows,
) {
    let mut last = None;
    for (id, con) in contact.iter_mut().enumerate() {
        if m.nflex > 0 && is_passive(m, con) {
            (con.efc_address, con.exclude) = (-1, Contact::PASSIVE);
        }
        if con.exclude != 0 {
            continue;
        }
        let Some(bodies) = bodies_of(m, con) else {
            flex_contact(m, d, id, con, rows);
            continue;
        };

        // neighbours in the list are mostly of the same two bodies
        let ends = bodies.map(|b| Carried::new(m, d, b, con.pos));
        if last != Some(bodies) {
            merge_rising(m, ends[0].dof, ends[1].dof, &mut work.chain);
            last = Some(bodies);
        }
        if work.chain.is_empty() && m.is_sparse() {
            (con.efc_address, con.exclude) = (-1, Contact::FIXED);
            continue;
        }
        let ConstraintWork { chain, axes, .. } = &mut *work;
        let along = axis_jacobian(d, con, &ends, chain, axes);
        let dofs = chain.iter().map(|link| link.dof.idx() as i32);
        let tran = m.body_invweight0[bodies[0]][0] + m.body_invweight0[bodies[1]][0];
        append(m, rows, Touch { id, con, tran }, dofs, along);
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
fn flex_contact(m: &Model, d: &mut Data, id: usize, con: &mut Contact, rows: &mut Rows) {
    let mut work = scratch(d).flex.take::<FlexWork>();
    contact_columns(m, d, con, &mut work);
    if work.dofs.is_empty() && m.is_sparse() {
        (con.efc_address, con.exclude) = (-1, Contact::FIXED);
    } else {
        let FlexWork { bodies, dofs, columns, axes, .. } = &mut *work;
        let along = flex_axis_jacobian(con, columns, axes);
        bodies.clear();
        side_bodies(m, d, con, 0, 1.0, bodies);
        side_bodies(m, d, con, 1, 1.0, bodies);
        let tran = bodies.iter().fold(0.0, |sum, b| sum + m.body_invweight0[b.body][0] * b.weight);
        let dofs = dofs.iter().map(|dof| dof.idx() as i32);
        append(m, rows, Touch { id, con, tran }, dofs, along);
    }
    scratch(d).flex.put(work);
}

/// Rows along the axes of a contact whose motion by each dof is known, in `axes`.
fn flex_axis_jacobian<'a>(
    con: &Contact,
    columns: &[[Vec3; 2]],
    axes: &'a mut Vec<f64>,
) -> &'a [f64] {
    axes.clear();
    for part in 0..2 {
        for k in 0..3 {
            let axis = con.frame.row(k);
            axes.extend(columns.iter().map(|column| axis.dot(column[part])));
        }
    }
    axes
}

/// A contact and what its rows need besides their Jacobian.
struct Touch<'a> {
    id: usize,
    con: &'a mut Contact,
    /// Inverse inertia of translation of both sides.
    tran: f64,
}

/// Appends the rows of a contact and sets the friction of its regularised cone. `along` has the
/// Jacobian along its axes, over `dofs`.
fn append(
    m: &Model,
    rows: &mut Rows,
    touch: Touch<'_>,
    dofs: impl ExactSizeIterator<Item = i32>,
    along: &[f64],
) {
    let Touch { id, con, tran } = touch;
    con.efc_address = rows.len() as i32;
    let dim = con.dim.clamp(1, 6) as usize;
    let pyramid = dim > 1 && m.cone() == ConeType::Pyramidal;
    let size = if pyramid { 2 * (dim - 1) } else { dim };
    let out = rows.jacobian(size, dofs);
    if pyramid {
        pyramid_jacobian(&con.friction, along, out);
    } else {
        out.copy_from_slice(&along[..out.len()]);
    }

    // all regularisation follows from that of the normal, or of the first edge
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
    // as a rule the ratio is one, which takes no division
    let plain = ratio == 1.0 && r.is_finite();
    let r_friction = if plain { r } else { r / ratio };
    con.mu = if plain { fri } else { fri * (r_friction / r).sqrt() };
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

/// Rows along the axes of a contact, in `axes`: normal and two tangents, then rotation about them.
/// Those beyond the dimension of the contact are missing or left over from before.
fn axis_jacobian<'a>(
    d: &Data,
    con: &Contact,
    [first, second]: &[Carried; 2],
    chain: &[ChainLink],
    axes: &'a mut Vec<f64>,
) -> &'a [f64] {
    let width = chain.len();
    if axes.len() < 6 * width {
        axes.resize(6 * width, 0.0);
    }
    let axes = &mut axes[..6 * width];
    let (lin, rot) = axes.split_at_mut(3 * width);
    let [normal, tangent1, tangent2] = [0, 1, 2].map(|k| con.frame.row(k));

    // a dof that moves both bodies moves the point of both alike
    let (row0, row12) = lin.split_at_mut(width);
    let (row1, row2) = row12.split_at_mut(width);
    for (((link, x), y), z) in chain.iter().zip(row0).zip(row1).zip(row2) {
        let cdof = d.cdof[link.dof];
        let end = if link.moves == Moves::First { first } else { second };
        let column = end.column(cdof) * sign(link);
        *x = normal.dot(column);
        *y = tangent1.dot(column);
        *z = tangent2.dot(column);
    }
    if con.dim > 3 {
        let (row0, row12) = rot.split_at_mut(width);
        let (row1, row2) = row12.split_at_mut(width);
        for (((link, x), y), z) in chain.iter().zip(row0).zip(row1).zip(row2) {
            let column = d.cdof[link.dof].rot * sign(link);
            *x = normal.dot(column);
            *y = tangent1.dot(column);
            *z = tangent2.dot(column);
        }
    }
    axes
}

/// How the second body moves relative to the first.
fn sign(link: &ChainLink) -> f64 {
    match link.moves {
        Moves::First => -1.0,
        Moves::Second => 1.0,
        Moves::Both => 0.0,
    }
}

/// Rows along the edges of a friction pyramid: normal plus and minus each friction direction.
fn pyramid_jacobian(friction: &[f64; 5], along: &[f64], out: &mut [f64]) {
    let width = along.len() / 6;
    let (normal, tangents) = along.split_at(width);
    if width == 0 {
        return;
    }
    let pairs = out.chunks_exact_mut(2 * width).zip(tangents.chunks_exact(width)).zip(friction);
    for ((pair, tangent), &mu) in pairs {
        let (plus, minus) = pair.split_at_mut(width);
        for (((plus, minus), n), t) in plus.iter_mut().zip(minus).zip(normal).zip(tangent) {
            *plus = n + t * mu;
            *minus = n - t * mu;
        }
    }
}
