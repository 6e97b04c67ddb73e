//! Cutting merged facets into triangles.

use crate::hull::error::HullError;
use crate::hull::polytope::{NONE, Polytope, TAIL, replace};

impl Polytope<'_> {
    /// Cuts every facet that is not simplicial into a fan around its newest vertex.
    pub(super) fn triangulate(&mut self) -> Result<(), HullError> {
        let mark = self.next_visit();
        self.newvertex_list = TAIL;
        let mut first_vertex = NONE;
        let mut first_facet = NONE;
        let mut facet = self.facet_list;
        while self.in_list(facet) {
            let next = self.facets[facet].next;
            if !self.facets[facet].visible && !self.facets[facet].simplicial {
                if first_facet == NONE {
                    first_facet = facet;
                }
                self.cut(facet, mark)?;
                if first_vertex == NONE {
                    first_vertex = self.newvertex_list;
                }
                self.newvertex_list = NONE;
                self.visible_list = NONE;
                self.add_to_vertices();
                self.reset_lists(false);
            }
            facet = next;
        }
        self.drop_flat_triangles(first_facet)?;

        // a facet that was cut into triangles is removed from its vertices, then deleted
        let mut vertex = first_vertex;
        while vertex != NONE && self.vertices[vertex].next != NONE {
            let mut neighbors = core::mem::take(&mut self.vertices[vertex].neighbors);
            neighbors.retain(|&f| !self.facets[f].visible);
            self.vertices[vertex].neighbors = neighbors;
            vertex = self.vertices[vertex].next;
        }
        for facet in self.facets_from(self.facet_list).collect::<Vec<_>>() {
            if self.facets[facet].visible {
                self.delete_facet(facet);
            }
        }
        self.make_vertex_neighbors();
        Ok(())
    }

    /// Replaces one facet by a fan; the two ridges at its centre give triangles without area.
    fn cut(&mut self, facet: usize, mark: u32) -> Result<(), HullError> {
        self.first_newfacet = self.next_facet_id();
        for i in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[i];
            self.facets[neighbor].seen = false;
            self.facets[neighbor].coplanarhorizon = false;
        }
        self.visible_list = TAIL;
        self.newfacet_list = TAIL;
        self.facets[facet].visit = mark;
        let apex = self.facets[facet].vertices[0];
        self.cone_over_ridges(facet, apex, mark)?;
        self.will_delete(facet, NONE);
        let (normal, offset) = (self.facets[facet].normal, self.facets[facet].offset);
        let mut new = self.newfacet_list;
        while self.in_list(new) {
            let f = &mut self.facets[new];
            f.tricoplanar = true;
            (f.normal, f.offset) = (normal, offset);
            new = f.next;
        }
        self.match_new_facets()
    }

    /// Adds the new facets to the lists of their vertices, if these are kept.
    pub(super) fn add_to_vertices(&mut self) {
        if !self.vertex_neighbors {
            return;
        }
        let mut facet = self.newfacet_list;
        while self.in_list(facet) {
            for i in 0..self.facets[facet].vertices.len() {
                let vertex = self.facets[facet].vertices[i];
                self.vertices[vertex].neighbors.push(facet);
            }
            facet = self.facets[facet].next;
        }
    }

    /// Triangles with the same vertex twice go; the facets on both sides become neighbours.
    fn drop_flat_triangles(&mut self, first: usize) -> Result<(), HullError> {
        let mut facet = first;
        while self.in_list(facet) {
            let next = self.facets[facet].next;
            let f = &mut self.facets[facet];
            if !f.visible {
                if !f.ridges.is_empty() {
                    return Err(HullError::Precision);
                }
                f.has_ridges = false;
                if f.vertices[0] == f.vertices[1] {
                    let (outer, inner) = (f.neighbors[0], f.neighbors[1]);
                    if self.facets[outer].neighbors.contains(&inner) {
                        return Err(HullError::Pinched);
                    }
                    replace(&mut self.facets[inner].neighbors, facet, outer)?;
                    replace(&mut self.facets[outer].neighbors, facet, inner)?;
                    self.will_delete(facet, NONE);
                }
            }
            facet = next;
        }
        Ok(())
    }
}
