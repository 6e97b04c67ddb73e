//! Bodies that a contact of a flexible object moves: bodies of the surrounding vertices, by weight.
//!
//! A contact on an element acts on its vertices by the inverse of their distances. In an
//! interpolated flex the contact acts on the nodes through the vertices.

use sinew_math::{MINVAL, Vec3};
use sinew_model::{BodyId, Contact, Data, FlexId, GeomId, Model};

use crate::smooth::flex::basis::{order, weight};
use crate::smooth::flex::work::{BodyWeight, FlexWork};
use crate::smooth::jacobian::point_jacobian;

/// Nodes that count less than this are left out.
const MIN_WEIGHT: f64 = 1e-5;

/// The dofs that move a contact, into `work`, with the motion of the second side relative to the
/// first per unit of their velocities.
#[doc(alias = "mj_jacSum")]
pub(crate) fn contact_columns(m: &Model, d: &Data, con: &Contact, work: &mut FlexWork) {
    let FlexWork { bodies, dofs, columns, .. } = work;
    bodies.clear();
    side_bodies(m, d, con, 0, -1.0, bodies);
    side_bodies(m, d, con, 1, 1.0, bodies);

    // dofs of all bodies, each once
    dofs.clear();
    dofs.extend(bodies.iter().flat_map(|b| m.body_chain(b.body)));
    dofs.sort_unstable();
    dofs.dedup();

    // weighted sum of the Jacobians, body by body
    columns.clear();
    columns.resize(dofs.len(), [Vec3::ZERO; 2]);
    for &BodyWeight { body, weight } in bodies.iter() {
        let offset = con.pos - d.subtree_com[m.body_rootid[body]];
        for dof in m.body_chain(body) {
            let Ok(k) = dofs.binary_search(&dof) else { continue };
            columns[k][0] += point_jacobian(d.cdof[dof], offset) * weight;
            columns[k][1] += d.cdof[dof].rot * weight;
        }
    }
}

/// Bodies of one side of a contact. The weights have the sign `sign`.
///
/// MuJoCo gives the vertices of the first side negative weights before it interpolates between the
/// nodes. So it interpolates at a negative place of the unit box, and this function does the same.
pub(crate) fn side_bodies(
    m: &Model,
    d: &Data,
    con: &Contact,
    side: usize,
    sign: f64,
    out: &mut Vec<BodyWeight>,
) {
    // a geom
    if let Some(g) = id(con.geom[side], m.ngeom) {
        out.push(BodyWeight { body: m.geom_bodyid[GeomId::new(g)], weight: sign });
        return;
    }

    // a vertex of a flex, or the vertices of an element with their weights
    let Some(f) = id(con.flex[side], m.nflex).map(FlexId::new) else { return };
    let mut vertices = [(0, 0.0); 4];
    let vertices = match usize::try_from(con.vert[side]) {
        Ok(v) => {
            vertices[0] = (m.flex_verts(f).start + v, sign);
            &vertices[..1]
        }
        Err(_) => {
            let n = element_weights(m, d, con, side, f, &mut vertices);
            vertices[..n].iter_mut().for_each(|(_, w)| *w *= sign);
            &vertices[..n]
        }
    };

    // vertices move with their own bodies, or with the nodes they are interpolated from
    if m.flex_interp[f] == 0 {
        let bodies = vertices.iter().map(|&(v, weight)| (m.flex_vert_body(v), weight));
        out.extend(bodies.map(|(body, weight)| BodyWeight { body, weight }));
    } else {
        node_weights(m, f, vertices, out);
    }
}

/// The body of a side of a contact that is a vertex of a flex which moves with its body.
pub(crate) fn vertex_body(m: &Model, con: &Contact, side: usize) -> Option<BodyId> {
    let f = FlexId::new(id(con.flex[side], m.nflex)?);
    let v = usize::try_from(con.vert[side]).ok().filter(|_| m.flex_interp[f] == 0)?;
    m.flex_vertbodyid.get(m.flex_verts(f).start + v)?.get()
}

/// Vertices of the element that a contact is on, and their weights; how many there are. A vertex
/// that is the other side of the contact is left out.
#[doc(alias = "mj_elemBodyWeight")]
fn element_weights(
    m: &Model,
    d: &Data,
    con: &Contact,
    side: usize,
    f: FlexId,
    out: &mut [(usize, f64); 4],
) -> usize {
    let first = m.flex_verts(f).start;
    let mut n = 0;
    for &v in m.flex_elem_verts(f, con.elem[side].max(0) as usize) {
        if v == con.vert[1 - side] {
            continue;
        }
        let vert = first + v as usize;
        let dist = con.pos.dist(d.flexvert_xpos[vert]);
        out[n] = (vert, 1.0 / if MINVAL > dist { MINVAL } else { dist });
        n += 1;
    }
    let sum: f64 = out[..n].iter().fold(0.0, |sum, (_, w)| sum + w);
    out[..n].iter_mut().for_each(|(_, w)| *w *= 1.0 / sum);
    n
}

/// Nodes of an interpolated flex that move a point between vertices.
#[doc(alias = "mj_vertBodyWeight")]
fn node_weights(m: &Model, f: FlexId, vertices: &[(usize, f64)], out: &mut Vec<BodyWeight>) {
    let at = vertices.iter().fold(Vec3::ZERO, |sum, &(v, w)| sum + m.flex_vert0[v] * w);
    for (k, node) in m.flex_nodes(f).enumerate() {
        let weight = weight(at, k, order(m, f));
        // NaN is kept, so that it reaches the rows and their warning
        if weight >= MIN_WEIGHT || weight.is_nan() {
            out.push(BodyWeight { body: m.flex_nodebodyid[node], weight });
        }
    }
}

fn id(id: i32, end: usize) -> Option<usize> {
    usize::try_from(id).ok().filter(|&id| id < end)
}
