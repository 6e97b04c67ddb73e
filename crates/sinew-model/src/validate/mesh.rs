//! Meshes: faces, hull graphs, polygons, bounding-volume trees and octrees.

use core::ops::Range;

use super::{Check, Requirement, check, exactly, row, rows, within};
use crate::model::Model;

/// Maximum depth of a bounding-volume tree; balanced trees are much shallower.
const MAX_DEPTH: u8 = 60;

impl Model {
    /// All parts of a mesh refer to its own vertices and polygons; trees are valid.
    pub(super) fn check_meshes(&self) -> Check {
        let nodes = self.nbvhstatic.checked_add(self.nbvhdynamic);
        check(nodes == Some(self.nbvh), "nbvh", 0, Requirement::Such("nbvhstatic + nbvhdynamic"))?;
        // the trees of bodies come first, in consecutive ranges
        let mut next = 0;
        for b in self.bodies() {
            let nodes = rows(self.body_bvhadr[b], self.body_bvhnum[b]);
            if !nodes.is_empty() {
                exactly(i64::from(self.body_bvhadr[b]), next, "body_bvhadr", b.idx())?;
            }
            next += nodes.len();
            // geoms have absolute indices
            self.check_boxes(nodes, self.body_geom_range(b))?;
        }
        for k in 0..self.nmesh {
            let faces = rows(self.mesh_faceadr[k], self.mesh_facenum[k]);
            self.check_faces(k, faces.clone())?;
            self.check_boxes(rows(self.mesh_bvhadr[k], self.mesh_bvhnum[k]), 0..faces.len())?;
            self.check_octree(rows(self.mesh_octadr[k], self.mesh_octnum[k]))?;
            self.check_graph(k)?;
            self.check_polygons(k)?;
        }
        Ok(())
    }

    /// Corners of triangles.
    fn check_faces(&self, mesh: usize, faces: Range<usize>) -> Check {
        let vertices = self.mesh_vertnum[mesh] as usize;
        for face in faces {
            for (k, &v) in self.mesh_face[face].iter().enumerate() {
                row(v, vertices, "mesh_face", 3 * face + k)?;
            }
        }
        Ok(())
    }

    /// Nodes follow their only parent; leaves hold one of `items`.
    pub(super) fn check_boxes(&self, nodes: Range<usize>, items: Range<usize>) -> Check {
        let mut depth = vec![0u8; nodes.len()];
        for node in 0..nodes.len() {
            let at = nodes.start + node;
            let leaf = self.bvh_nodeid[at];
            let children = self.bvh_child[at];
            let inner = children.iter().any(|&child| child != -1);
            // an inner node may also have an item, which no search reads
            let first = if inner { -1 } else { items.start as i64 };
            let wanted = Requirement::Between(first, items.end as i64 - 1);
            let known = first <= i64::from(leaf) && i64::from(leaf) < items.end as i64;
            check(known, "bvh_nodeid", at, wanted)?;
            for (k, child) in children.into_iter().enumerate() {
                if child == -1 {
                    continue;
                }
                let after = Requirement::Between(node as i64 + 1, nodes.len() as i64 - 1);
                let fits = within(child, nodes.len()) && child as usize > node;
                check(fits, "bvh_child", 2 * at + k, after)?;
                let fresh = depth[child as usize] == 0 && depth[node] < MAX_DEPTH;
                check(fresh, "bvh_child", 2 * at + k, Requirement::Such("the child of one node"))?;
                depth[child as usize] = depth[node] + 1;
            }
        }
        Ok(())
    }

    /// Cells have eight children or none; each follows its only parent.
    fn check_octree(&self, cells: Range<usize>) -> Check {
        let mut has_parent = vec![false; cells.len()];
        for cell in 0..cells.len() {
            let at = cells.start + cell;
            let children = self.oct_child[at];
            let inner = children.iter().filter(|&&child| child != -1).count();
            check(
                inner == 0 || inner == 8,
                "oct_child",
                8 * at,
                Requirement::Such("eight children or none"),
            )?;
            for (k, &child) in children.iter().enumerate().take(inner) {
                let fits = within(child, cells.len()) && child as usize > cell;
                let after = Requirement::Between(cell as i64 + 1, cells.len() as i64 - 1);
                check(fits, "oct_child", 8 * at + k, after)?;
                let fresh = !core::mem::replace(&mut has_parent[child as usize], true);
                check(fresh, "oct_child", 8 * at + k, Requirement::Such("the child of one cell"))?;
            }
        }
        Ok(())
    }

    /// The graph of a convex hull: sizes, the edge address and mesh vertex of each vertex, edges'
    /// ends (closed by -1), and the faces.
    fn check_graph(&self, mesh: usize) -> Check {
        let Ok(start) = usize::try_from(self.mesh_graphadr[mesh]) else { return Ok(()) };
        let vertices = self.mesh_vertnum[mesh] as usize;
        let graph = self.mesh_graph.rows(start..self.nmeshgraph);
        let count = |k: usize| graph.get(k).and_then(|&n| usize::try_from(n).ok());

        // starts of the parts: edge addresses, vertex ids, edges, faces
        let words = Requirement::Such("the start of a graph that is there");
        let fault = super::Fault { field: "mesh_graphadr", at: mesh, wanted: words };
        let (nvert, nface) = count(0).zip(count(1)).ok_or(fault)?;
        let ids = 2 + nvert;
        let edges = nvert.checked_mul(2).map(|n| n + 2).ok_or(fault)?;
        let nedge = nface.checked_mul(3).and_then(|n| n.checked_add(nvert)).ok_or(fault)?;
        let faces = edges.checked_add(nedge).ok_or(fault)?;
        let end = nface.checked_mul(3).and_then(|n| n.checked_add(faces)).ok_or(fault)?;
        if end > graph.len() {
            return Err(fault);
        }

        // every value of each part
        let at = |k: usize| start + k;
        for (k, &adr) in graph.iter().enumerate().take(ids).skip(2) {
            row(adr, nedge, "mesh_graph", at(k))?;
        }
        for (k, &id) in graph.iter().enumerate().take(edges).skip(ids) {
            row(id, vertices, "mesh_graph", at(k))?;
        }
        for (k, &id) in graph.iter().enumerate().take(faces).skip(edges) {
            super::maybe_row(id, nvert, "mesh_graph", at(k))?;
        }
        let closed = nedge == 0 || graph[faces - 1] == -1;
        check(closed, "mesh_graph", at(faces).saturating_sub(1), Requirement::Exactly(-1))?;
        for (k, &id) in graph.iter().enumerate().take(end).skip(faces) {
            row(id, vertices, "mesh_graph", at(k))?;
        }
        Ok(())
    }

    /// Corners of polygons, and the polygons at each vertex.
    fn check_polygons(&self, mesh: usize) -> Check {
        let verts = rows(self.mesh_vertadr[mesh], self.mesh_vertnum[mesh]);
        let polygons = rows(self.mesh_polyadr[mesh], self.mesh_polynum[mesh]);
        for p in polygons.clone() {
            for k in rows(self.mesh_polyvertadr[p], self.mesh_polyvertnum[p]) {
                row(self.mesh_polyvert[k], verts.len(), "mesh_polyvert", k)?;
            }
        }
        for v in verts {
            for k in rows(self.mesh_polymapadr[v], self.mesh_polymapnum[v]) {
                row(self.mesh_polymap[k], polygons.len(), "mesh_polymap", k)?;
            }
        }
        exactly(self.mesh_polymapadr.len() as i64, self.nmeshvert, "nmeshvert", 0)
    }
}
