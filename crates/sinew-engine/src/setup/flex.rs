//! Constants of flexes: which dofs move their edges and vertices, their lengths at `qpos0`, the
//! inverse inertia of their edges.

use sinew_math::{MINVAL, Quat, Vec3, vector};
use sinew_model::{BodyId, Data, DofId, FlexId, Model};

use super::error::ConstError;
use crate::dof_chain::merged;
use crate::smooth::flex::flex;
use crate::smooth::flex::strain::{is_constrained, spokes};
use crate::smooth::inertia::solve_m;

/// The columns of the Jacobians of edges and of vertex strains, and the references of the strains.
/// Then turns flexes with vertex strain into the plane of their first element.
#[doc(alias = "makeFlexSparse")]
pub(super) fn set_flex_rows(m: &mut Model) -> Result<(), ConstError> {
    m.flexedge_J_rowadr.fill(0);
    m.flexedge_J_rownnz.fill(0);
    m.flexvert_J_rowadr.fill([0; 2]);
    m.flexvert_J_rownnz.fill([0; 2]);
    m.flex_vertedgeadr.fill(0);
    m.flex_vertedgenum.fill(0);
    m.flex_vertedge.fill([0; 2]);
    m.flex_vertmetric.fill([0.0; 4]);

    // flexes whose vertices move on their own
    let mut listed = 0;
    for f in m.flexes() {
        if m.flex_rigid[f].get() || m.flex_interp[f] != 0 {
            continue;
        }
        set_edge_rows(m, f).ok_or(ConstError::FlexLists(f))?;
        if is_constrained(m, f) {
            listed = list_edges(m, f, listed).ok_or(ConstError::FlexLists(f))?;
            for v in m.flex_verts(f) {
                m.flex_vertmetric[v] = metric(m, f, v)?;
            }
            set_strain_rows(m, f).ok_or(ConstError::FlexLists(f))?;
        }
    }
    m.flexes().for_each(|f| align(m, f));
    Ok(())
}

/// Columns of the Jacobian of each edge, if something acts along the edges. As in MuJoCo, rows
/// start after the rows of the edge before, which has none if nothing acts along it. None if they
/// do not fit, here and below.
fn set_edge_rows(m: &mut Model, f: FlexId) -> Option<()> {
    let acts = m.flex_edgeequality[f] != 0
        || m.flex_edgedamping[f] != 0.0
        || m.flex_edgestiffness[f] != 0.0
        || m.flex_damping[f] != 0.0;
    if !acts {
        return Some(());
    }

    // the dofs that move either end, in rising order
    let base = m.flex_verts(f).start;
    for e in m.flex_edges(f) {
        let adr = match e {
            0 => 0,
            _ => m.flexedge_J_rowadr[e - 1] + m.flexedge_J_rownnz[e - 1],
        };
        let [b1, b2] = m.flex_edge[e].map(|v| body_of(m, base + v as usize));
        let ends = (m.body_last_dof(b1), m.body_last_dof(b2));
        let dofs: Vec<DofId> = merged(m, ends.0, ends.1).map(|link| link.dof).collect();
        let row = m.flexedge_J_colind.get_mut(adr as usize..adr as usize + dofs.len())?;
        for (column, dof) in row.iter_mut().zip(dofs.iter().rev()) {
            *column = dof.idx() as i32;
        }
        m.flexedge_J_rowadr[e] = adr;
        m.flexedge_J_rownnz[e] = dofs.len() as i32;
    }
    Some(())
}

/// Lists the edges at each vertex, after the `listed` entries of other flexes; the new number of
/// entries.
fn list_edges(m: &mut Model, f: FlexId, listed: usize) -> Option<usize> {
    let base = m.flex_verts(f).start;
    let ends = |m: &Model, e: usize| m.flex_edge[e].map(|v| base + v as usize);
    for e in m.flex_edges(f) {
        ends(m, e).into_iter().for_each(|v| m.flex_vertedgenum[v] += 1);
    }
    let mut next = listed;
    for v in m.flex_verts(f) {
        m.flex_vertedgeadr[v] = next as i32;
        next += m.flex_vertedgenum[v] as usize;
    }

    let mut free: Vec<usize> = m.flex_verts(f).map(|v| m.flex_vertedgeadr[v] as usize).collect();
    for (i, e) in m.flex_edges(f).enumerate() {
        for v in ends(m, e) {
            *m.flex_vertedge.as_flattened_mut().get_mut(free[v - base])? = i as i32;
            free[v - base] += 1;
        }
    }
    (next <= 2 * m.nflexedge).then_some(next)
}

/// B⁻¹ with B = Σ w dx dxᵀ over the edges at a vertex; zero where B is singular.
fn metric(m: &Model, f: FlexId, v: usize) -> Result<[f64; 4], ConstError> {
    let mut b = [0.0; 4];
    for edge in spokes(m, f, v) {
        if edge.rest.z.abs() > MINVAL {
            return Err(ConstError::FlexNotPlanar(f));
        }
        for row in 0..2 {
            for col in 0..2 {
                b[2 * row + col] += edge.weight * edge.rest[row] * edge.rest[col];
            }
        }
    }
    let det = b[0] * b[3] - b[1] * b[2];
    if det.abs() < MINVAL {
        return Ok([0.0; 4]);
    }
    let inv = 1.0 / det;
    Ok([b[3] * inv, -b[1] * inv, -b[2] * inv, b[0] * inv])
}

/// Columns of the Jacobians of the strains: the dofs of all edges at the vertex, in both rows.
fn set_strain_rows(m: &mut Model, f: FlexId) -> Option<()> {
    let verts = m.flex_verts(f);
    let mut next = match verts.start {
        0 => 0,
        v => m.flexvert_J_rowadr[v - 1][1] + m.flexvert_J_rownnz[v - 1][1],
    };
    let mut moves = vec![false; m.nv];
    for v in verts {
        moves.fill(false);
        for end in spokes(m, f, v).flat_map(|edge| edge.ends) {
            m.body_chain(body_of(m, end)).for_each(|dof| moves[dof.idx()] = true);
        }
        let dofs: Vec<i32> = (0..m.nv).filter(|&i| moves[i]).map(|i| i as i32).collect();
        let nnz = dofs.len() as i32;
        m.flexvert_J_rownnz[v] = [nnz; 2];
        m.flexvert_J_rowadr[v] = [next, next + nnz];
        let colind = m.flexvert_J_colind.as_flattened_mut();
        for row in m.flexvert_J_rowadr[v] {
            colind.get_mut(row as usize..row as usize + dofs.len())?.copy_from_slice(&dofs);
        }
        next += 2 * nnz;

        // MuJoCo gives the first row of the next flex its start, whether it is used or not
        if v + 1 < m.nflexvert {
            m.flexvert_J_rowadr[v + 1][0] = next;
        }
    }
    Some(())
}

/// Turns the rest shape of a flex with vertex strain so that its first element is horizontal.
#[doc(alias = "mj_alignFlex")]
fn align(m: &mut Model, f: FlexId) {
    if !is_constrained(m, f) {
        return;
    }
    let verts = m.flex_verts(f);
    let corner = |i: usize| m.flex_vert0[verts.start + m.flex_elem_verts(f, 0)[i] as usize];
    let normal = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalize().0;
    let turn = Quat::z_to(normal).to_mat();
    for v in verts {
        m.flex_vert0[v] = turn.tmul_vec(m.flex_vert0[v]);
    }
}

/// Runs the stage of flexes with all edges measured, also the edges of rigid flexes.
pub(super) fn measure_all(m: &mut Model, d: &mut Data) {
    let rigid = m.flex_rigid.clone();
    m.flex_rigid.fill(false.into());
    flex(m, d);
    m.flex_rigid = rigid;
    m.flexedge_length0.copy_from_slice(&d.flexedge_length);
}

/// J M⁻¹ Jᵀ of the edges.
pub(super) fn set_edge_weights(m: &mut Model, d: &Data) {
    let (mut row, mut solved) = (vec![0.0; m.nv], vec![0.0; m.nv]);
    for f in m.flexes().filter(|&f| m.flex_interp[f] == 0 && m.nv > 0) {
        let base = m.flex_verts(f).start;
        for e in m.flex_edges(f) {
            let [b1, b2] = m.flex_edge[e].map(|v| body_of(m, base + v as usize));
            m.flexedge_invweight0[e] = if m.flexedge_rigid[e].get() {
                0.0
            } else if m.body_simple[b1] == 2 && m.body_simple[b2] == 2 {
                (1.0 / m.body_mass[b1] + 1.0 / m.body_mass[b2]) / 2.0
            } else {
                row.fill(0.0);
                let adr = m.flexedge_J_rowadr[e] as usize;
                for k in adr..adr + m.flexedge_J_rownnz[e] as usize {
                    row[m.flexedge_J_colind[k] as usize] = d.flexedge_J[k];
                }
                solve_m(m, d, &mut solved, &row);
                vector::dot(&row, &solved)
            };
        }
    }
}

/// Lengthens the reach of bodies to the reach of the edges at them, or of the lattice of nodes.
pub(super) fn add_edge_lengths(m: &Model, d: &Data, lengths: &mut [f64]) {
    let mut reach = |b: BodyId, x: f64| {
        let length = &mut lengths[b.idx()];
        *length = if *length > x { *length } else { x };
    };
    for f in m.flexes() {
        if m.flex_interp[f] != 0 {
            let at = |n: usize| -> Vec3 { d.xpos[m.flex_nodebodyid[n]] };
            for n1 in m.flex_nodes(f) {
                for n2 in m.flex_nodes(f) {
                    reach(m.flex_nodebodyid[n1], at(n1).dist(at(n2)));
                }
            }
            continue;
        }
        let base = m.flex_verts(f).start;
        for e in m.flex_edges(f) {
            let ends = m.flex_edge[e].map(|v| body_of(m, base + v as usize));
            ends.into_iter().for_each(|b| reach(b, m.flexedge_length0[e]));
        }
    }
}

/// The bodies that carry a flex: bodies of its nodes or of its vertices.
pub(super) fn bodies_of(m: &Model, f: FlexId) -> Vec<BodyId> {
    match m.flex_interp[f] {
        0 => m.flex_verts(f).map(|v| body_of(m, v)).collect(),
        _ => m.flex_nodes(f).map(|n| m.flex_nodebodyid[n]).collect(),
    }
}

/// The body of a vertex; the world where it is interpolated.
fn body_of(m: &Model, v: usize) -> BodyId {
    m.flex_vertbodyid[v].get().unwrap_or(BodyId::WORLD)
}
