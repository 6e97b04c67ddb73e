//! Flexible objects in the implicit integrators.
//!
//! The stiffness of an interpolated flex is implicit too. With the damping b of the flex, its dofs
//! solve the dense system (M - h D + (h² + h b) JᵀKJ) q̈ = f - h JᵀKJ q̇. The other dofs come from
//! the usual system, and their coupling to the flex goes to the right-hand side.

use core::ops::Range;

use sinew_math::{MINVAL, Mat3, Vec3, chol};
use sinew_model::enums::Integrator;
use sinew_model::{Data, DofId, FlexId, Model};

use crate::derivative::pattern::add_outer;
use crate::smooth::flex::basis::{Corotated, MAX_NODES};
use crate::smooth::flex::edge::{row as edge_row, sliding_ends};
use crate::smooth::flex::work::{Coupling, FlexSystem, FlexWork};
use crate::smooth::jacobian::point_jacobian;
use crate::sparse::SparseRow;
use crate::work::scratch;

/// Adds the derivative of the dampers along edges; `row` is scratch.
pub(super) fn add_edge_damping(m: &Model, d: &Data, row: &mut SparseRow, deriv: &mut [f64]) {
    for f in m.flexes().filter(|&f| !m.flex_rigid[f].get() && m.flex_edgedamping[f] != 0.0) {
        let first = m.flex_verts(f).start;
        for edge in m.flex_edges(f).filter(|&edge| !m.flexedge_rigid[edge].get()) {
            let entries = edge_row(m, edge);
            let slope = -m.flex_edgedamping[f];
            if let Some([low, high]) = sliding_ends(m, edge, first) {
                // two bodies that are not coupled
                let entries = d.flexedge_J.rows(entries);
                let (low_row, high_row) = entries.split_at(low.dofs.len().min(entries.len()));
                add_block(m, deriv, low.dofs, low_row, slope);
                add_block(m, deriv, high.dofs, high_row, slope);
                continue;
            }
            row.clear();
            let columns = m.flexedge_J_colind.rows(entries.clone()).iter();
            row.ind.extend(columns.map(|&v| DofId::new(v as usize)));
            row.val.extend_from_slice(d.flexedge_J.rows(entries));
            add_outer(m, deriv, &row.ind, &row.val, slope);
        }
    }
}

/// deriv += slope · rowᵀ row for the sliders of a body that nothing else moves.
#[inline]
fn add_block(m: &Model, deriv: &mut [f64], dofs: Range<usize>, row: &[f64], slope: f64) {
    // three sliders are side by side
    let first = m.D_rowadr.get(dofs.start).map_or(0, |&adr| adr as usize);
    let ends = dofs.end > 0 && m.D_rowadr[dofs.end - 1] as usize == first + 6;
    if let (Ok(&[x, y, z]), true) = (<&[f64; 3]>::try_from(row), ends)
        && let Some(block) = deriv.get_mut(first..first + 9)
    {
        for (out, scale) in block.chunks_exact_mut(3).zip([x, y, z]) {
            let scale = scale * slope;
            out[0] += scale * x;
            out[1] += scale * y;
            out[2] += scale * z;
        }
        return;
    }
    for (v, &x) in dofs.zip(row) {
        let (scale, adr) = (x * slope, m.D_rowadr[v] as usize);
        for (out, &y) in deriv[adr..adr + m.D_rownnz[v] as usize].iter_mut().zip(row) {
            *out += scale * y;
        }
    }
}

/// Builds and factors the system of the dofs of interpolated flexes, from the matrix in `qLU` or
/// `qH` before it is factored. Without such flexes it is empty.
pub(crate) fn factor_flexes(m: &Model, d: &mut Data) {
    if m.nflex == 0 {
        return;
    }
    let mut work = scratch(d).flex.take::<FlexWork>();
    let system = &mut work.system;
    list_dofs(m, system);
    let n = system.dofs.len();
    copy_matrix(m, d, system);
    let h = m.opt.timestep;
    for f in interpolated(m) {
        let scale = h * h + h * m.flex_damping[f];
        let stiff = Stiffness::new(m, d, f);
        stiff.for_each_pair(m, d, |(row, a), (col, b), k| {
            let (Some(i), Some(j)) = (system.place(row), system.place(col)) else { return };
            system.matrix[i * n + j] -= scale * a.dot(k * b);
        });
    }
    chol::factor(&mut system.matrix, n, MINVAL);
    scratch(d).flex.put(work);
}

/// Replaces the accelerations of the dofs of interpolated flexes. `qacc` has the solution of the
/// usual system, `qfrc_smooth` and `qfrc_constraint` make its right-hand side.
pub(crate) fn solve_flexes(m: &Model, d: &mut Data, qacc: &mut [f64]) {
    let mut work = scratch(d).flex.take::<FlexWork>();
    let FlexSystem { dofs, places, matrix, force, coupling } = &mut work.system;
    if !dofs.is_empty() {
        force.clear();
        force.extend(dofs.iter().map(|&v| d.qfrc_smooth[v] + d.qfrc_constraint[v]));
        add_velocity_term(m, d, places, force);
        for &Coupling { row, col, value } in coupling.iter() {
            force[row] -= value * qacc[col];
        }
        chol::solve(matrix, force);
        for (&dof, &x) in dofs.iter().zip(force.iter()) {
            qacc[dof.idx()] = x;
        }
    }
    scratch(d).flex.put(work);
}

/// Forgets the system, so that the next solution comes from the usual one.
pub(crate) fn skip_flexes(m: &Model, d: &mut Data) {
    if m.nflex > 0 {
        let mut work = scratch(d).flex.take::<FlexWork>();
        work.system.dofs.clear();
        scratch(d).flex.put(work);
    }
}

/// Flexes with nodes and stiffness.
fn interpolated(m: &Model) -> impl Iterator<Item = FlexId> + '_ {
    m.flexes().filter(|&f| {
        let stiffness = m.flex_stiffness.get(m.flex_elems(f).start).map_or(0.0, |k| k[0]);
        m.flex_interp[f] != 0 && !m.flex_rigid[f].get() && stiffness != 0.0
    })
}

/// The dofs of the nodes of all interpolated flexes, in the order of the nodes.
fn list_dofs(m: &Model, system: &mut FlexSystem) {
    let FlexSystem { dofs, places, .. } = system;
    dofs.clear();
    for f in m.flexes().filter(|&f| m.flex_interp[f] != 0) {
        for node in m.flex_nodes(f) {
            dofs.extend(m.body_dofs(m.flex_nodebodyid[node]));
        }
    }
    places.clear();
    places.resize(m.nv, None);
    for (k, dof) in dofs.iter().enumerate() {
        places[dof.idx()] = Some(k);
    }
}

/// Copies the usual matrix for these dofs, and records their coupling to others.
fn copy_matrix(m: &Model, d: &Data, system: &mut FlexSystem) {
    let FlexSystem { dofs, places, matrix, coupling, .. } = system;
    let n = dofs.len();
    matrix.clear();
    matrix.resize(n * n, 0.0);
    coupling.clear();
    let full = m.opt.integrator == Integrator::Implicit;
    for (row, &dof) in dofs.iter().enumerate() {
        let (adr, nnz) = match full {
            true => (m.D_rowadr[dof], m.D_rownnz[dof]),
            false => (m.M_rowadr[dof], m.M_rownnz[dof]),
        };
        for k in adr as usize..(adr + nnz) as usize {
            let (col, value) = match full {
                true => (m.D_colind[k].idx(), d.qLU[k]),
                false => (m.M_colind[k].idx(), d.qH[k]),
            };
            match places[col] {
                Some(place) => matrix[row * n + place] = value,
                None => coupling.push(Coupling { row, col, value }),
            }
        }
    }
}

/// Adds - h JᵀKJ q̇. MuJoCo computes it with the factor (h² + h b) of each flex and then removes
/// the first flex's.
fn add_velocity_term(m: &Model, d: &Data, places: &[Option<usize>], force: &mut [f64]) {
    let h = m.opt.timestep;
    let common = h * h + h * m.flex_damping.first().copied().unwrap_or(0.0);
    let factor = if common > MINVAL { h / common } else { 0.0 };
    for f in interpolated(m) {
        let scale = (h * h + h * m.flex_damping[f]) * factor;
        let stiff = Stiffness::new(m, d, f);
        stiff.for_each_pair(m, d, |(row, a), (col, b), k| {
            if let Some(i) = places[row.idx()] {
                force[i] += scale * a.dot(k * b) * d.qvel[col];
            }
        });
    }
}

/// The stiffness of a flex in the world. As `flex_stiffness` it has the sign of a force.
struct Stiffness<'a> {
    nodes: Corotated,
    matrix: &'a [f64],
    flex: FlexId,
}

impl<'a> Stiffness<'a> {
    fn new(m: &'a Model, d: &Data, f: FlexId) -> Self {
        let nodes = Corotated::new(m, d, f);
        let first = 21 * m.flex_elems(f).start;
        let size = 9 * nodes.count * nodes.count;
        let matrix = m.flex_stiffness.flat().get(first..first + size).unwrap_or_default();
        Stiffness { nodes, matrix, flex: f }
    }

    /// Calls `visit` for each pair of dofs of two nodes. The arguments are the motion of each node
    /// per unit of velocity, and the block of the stiffness between the nodes.
    ///
    /// As in MuJoCo, the motion is the motion of a point at the node's place in the turned frame.
    /// Dofs that slide are not affected.
    fn for_each_pair(
        &self,
        m: &Model,
        d: &Data,
        mut visit: impl FnMut((DofId, Vec3), (DofId, Vec3), Mat3),
    ) {
        // columns of the Jacobian of a node
        let turn = self.nodes.turn.to_mat();
        let back = turn.transpose();
        let bodies = m.flex_nodebodyid.rows(m.flex_nodes(self.flex));
        let columns = |node: usize| {
            let offset = self.nodes.pos[node] - d.subtree_com[m.body_rootid[bodies[node]]];
            let dofs = m.body_chain(bodies[node]);
            dofs.map(move |dof| (dof, point_jacobian(d.cdof[dof], offset)))
        };

        // blocks of the stiffness, turned into the world: Rᵀ K R
        let count = self.nodes.count.min(MAX_NODES).min(bodies.len());
        for i in 0..count {
            for j in 0..count {
                let Some(block) = self.block(i, j) else { return };
                let block = back * (block * turn);
                for row in columns(i) {
                    for col in columns(j) {
                        visit(row, col, block);
                    }
                }
            }
        }
    }

    /// The block between two nodes, in the frame of the flex.
    fn block(&self, i: usize, j: usize) -> Option<Mat3> {
        let width = 3 * self.nodes.count;
        let row = |r: usize| {
            let at = (3 * i + r) * width + 3 * j;
            self.matrix.get(at..at + 3).map(Vec3::from_slice)
        };
        Some(Mat3::from_rows(row(0)?, row(1)?, row(2)?))
    }
}
