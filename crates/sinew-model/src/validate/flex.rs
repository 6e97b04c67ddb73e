//! Flexible objects: vertices, edges and elements, relative to the first of their flex.

use core::ops::Range;

use super::{Check, Requirement, check, exactly, maybe_row, row, rows};
use crate::ids::FlexId;
use crate::model::Model;

/// Numbers of corners and edges of an element, by the dimension of the flex.
const EDGES: [usize; 4] = [0, 1, 3, 6];

/// A range: first index and length.
struct Run {
    adr: i32,
    num: usize,
}

/// The indices of a range within `total`.
fn part(
    Run { adr, num }: Run,
    total: usize,
    field: &'static str,
    at: usize,
) -> Result<Range<usize>, super::Fault> {
    let last = total as i64 - num as i64;
    let least = if num == 0 { -1 } else { 0 };
    let adr = i64::from(adr);
    check(least <= adr && adr <= last, field, at, Requirement::Between(least, last))?;
    let start = adr.max(0) as usize;
    Ok(start..start + num)
}

impl Model {
    /// Every flex has its own vertices.
    pub(super) fn check_flexes(&self) -> Check {
        for f in self.flexes() {
            self.check_flex_nodes(f)?;
            self.check_flex_edges(f)?;
            self.check_flex_elements(f)?;
            self.check_flex_pairs(f)?;
            self.check_boxes(self.flex_bvh(f), 0..self.flex_elems(f).len())?;
            let nodes = self.flex_bvh(f);
            let last = self.nbvh.saturating_sub(nodes.len()) as i64;
            let dynamic = nodes.is_empty() || nodes.start >= self.nbvhstatic;
            check(
                dynamic,
                "flex_bvhadr",
                f.idx(),
                Requirement::Between(self.nbvhstatic as i64, last),
            )?;
        }
        self.check_flex_rows()
    }

    /// Nodes form a box with two or three along each axis; without nodes, vertices have bodies.
    fn check_flex_nodes(&self, f: FlexId) -> Check {
        let (at, order) = (f.idx(), self.flex_interp[f] as usize);
        let wanted = if order == 0 { None } else { Some((order + 1).pow(3)) };
        if let Some(wanted) = wanted {
            exactly(i64::from(self.flex_nodenum[f]), wanted, "flex_nodenum", at)?;
        }
        let some = self.flex_vertnum[f] > 0;
        check(some, "flex_vertnum", at, Requirement::Such("at least 1"))?;
        for v in self.flex_verts(f) {
            let known = order != 0 || self.flex_vertbodyid[v].get().is_some();
            check(known, "flex_vertbodyid", v, Requirement::Between(0, self.nbody as i64 - 1))?;
        }
        Ok(())
    }

    /// Ends of edges, their opposite vertices, and the edges at each vertex.
    fn check_flex_edges(&self, f: FlexId) -> Check {
        let (vertices, edges) = (self.flex_verts(f).len(), self.flex_edges(f).len());
        for e in self.flex_edges(f) {
            for k in 0..2 {
                row(self.flex_edge[e][k], vertices, "flex_edge", 2 * e + k)?;
                maybe_row(self.flex_edgeflap[e][k], vertices, "flex_edgeflap", 2 * e + k)?;
            }
            // an edge with a second triangle has a first
            if self.flex_edgeflap[e][1] >= 0 {
                row(self.flex_edgeflap[e][0], vertices, "flex_edgeflap", 2 * e)?;
            }
        }
        let list = self.flex_vertedge.as_flattened();
        for v in self.flex_verts(f) {
            let run = Run { adr: self.flex_vertedgeadr[v], num: self.flex_vertedgenum[v] as usize };
            for k in part(run, list.len(), "flex_vertedgeadr", v)? {
                row(list[k], edges, "flex_vertedge", k)?;
            }
        }
        Ok(())
    }

    /// Corners and edges of elements; corners of the shell.
    fn check_flex_elements(&self, f: FlexId) -> Check {
        let (at, dim) = (f.idx(), self.flex_dim[f] as usize);
        let elements = self.flex_elems(f).len();
        let (vertices, edges) = (self.flex_verts(f).len(), self.flex_edges(f).len());

        let run = Run { adr: self.flex_elemdataadr[f], num: elements * (dim + 1) };
        for k in part(run, self.nflexelemdata, "flex_elemdataadr", at)? {
            row(self.flex_elem[k], vertices, "flex_elem", k)?;
        }
        let run = Run { adr: self.flex_elemedgeadr[f], num: elements * EDGES[dim] };
        for k in part(run, self.nflexelemedge, "flex_elemedgeadr", at)? {
            row(self.flex_elemedge[k], edges, "flex_elemedge", k)?;
        }
        let shell = (self.flex_shellnum[f] as usize).saturating_mul(dim);
        let run = Run { adr: self.flex_shelldataadr[f], num: shell.min(i32::MAX as usize) };
        for k in part(run, self.nflexshelldata, "flex_shelldataadr", at)? {
            row(self.flex_shell[k], vertices, "flex_shell", k)?;
        }
        Ok(())
    }

    /// Elements and vertices for collisions.
    fn check_flex_pairs(&self, f: FlexId) -> Check {
        let (vertices, elements) = (self.flex_verts(f).len(), self.flex_elems(f).len());
        for k in rows(self.flex_evpairadr[f], self.flex_evpairnum[f]) {
            let [elem, vert] = self.flex_evpair[k];
            row(elem, elements, "flex_evpair", 2 * k)?;
            row(vert, vertices, "flex_evpair", 2 * k + 1)?;
        }
        Ok(())
    }

    /// Rows of the Jacobians of edges and vertices.
    fn check_flex_rows(&self) -> Check {
        let total = self.flexvert_J_colind.as_flattened().len();
        for v in 0..self.nflexvert {
            for k in 0..2 {
                let run = Run {
                    adr: self.flexvert_J_rowadr[v][k],
                    num: self.flexvert_J_rownnz[v][k] as usize,
                };
                part(run, total, "flexvert_J_rowadr", 2 * v + k)?;
            }
        }
        Ok(())
    }
}
