//! Removing vertices that merged facets no longer need.

use crate::hull::error::HullError;
use crate::hull::polytope::{NONE, Polytope, ordered_remove, unordered_remove};

impl Polytope<'_> {
    /// Drops vertices without ridges and renames vertices that only two facets share. Says
    /// whether facets were merged on the way.
    pub(super) fn reduce_vertices(&mut self) -> Result<bool, HullError> {
        let mut merged = self.merge_degenerate()? > 0;
        while self.drop_or_rename()? {
            merged = true;
        }
        let mut vertex = self.newvertex_list;
        while vertex != NONE && self.vertices[vertex].next != NONE {
            self.vertices[vertex].delridge &= self.vertices[vertex].deleted;
            vertex = self.vertices[vertex].next;
        }
        Ok(merged)
    }

    /// A round of merging; returns `true` if facets were merged and another round is needed.
    fn drop_or_rename(&mut self) -> Result<bool, HullError> {
        // vertices that no ridge needs
        let mut facet = self.newfacet_list;
        while self.in_list(facet) {
            if self.facets[facet].newmerge && self.drop_vertices(facet) {
                self.test_redundant_facet(facet)?;
                if self.merge_degenerate()? > 0 {
                    return Ok(true);
                }
            }
            facet = self.facets[facet].next;
        }

        // vertices that another can stand in for
        let mut facet = self.newfacet_list;
        while self.in_list(facet) {
            if core::mem::take(&mut self.facets[facet].newmerge) {
                let mut i = 0;
                while i < self.facets[facet].vertices.len() {
                    let vertex = self.facets[facet].vertices[i];
                    if self.vertices[vertex].delridge && self.rename_shared(vertex, facet)? {
                        if self.merge_degenerate()? > 0 {
                            return Ok(true);
                        }
                        continue;
                    }
                    i += 1;
                }
            }
            facet = self.facets[facet].next;
        }
        Ok(false)
    }

    /// Removes vertices that no ridge of a facet has; says whether there were any.
    fn drop_vertices(&mut self, facet: usize) -> bool {
        if self.facets[facet].simplicial {
            return false;
        }

        // vertices that are the end of a ridge
        for i in 0..self.facets[facet].vertices.len() {
            let vertex = self.facets[facet].vertices[i];
            self.vertices[vertex].seen = false;
        }
        for i in 0..self.facets[facet].ridges.len() {
            for vertex in self.ridges[self.facets[facet].ridges[i]].vertices {
                self.vertices[vertex].seen = true;
            }
        }

        // the others go
        let mut dropped = false;
        let mut i = 0;
        while i < self.facets[facet].vertices.len() {
            let vertex = self.facets[facet].vertices[i];
            if self.vertices[vertex].seen {
                i += 1;
                continue;
            }
            dropped = true;
            self.facets[facet].vertices.remove(i);
            unordered_remove(&mut self.vertices[vertex].neighbors, facet);
            if self.vertices[vertex].neighbors.is_empty() {
                self.mark_deleted(vertex);
            }
        }
        dropped
    }

    /// Renames a vertex of exactly two facets to another that they share, so that it vanishes.
    fn rename_shared(&mut self, vertex: usize, facet: usize) -> Result<bool, HullError> {
        let [a, b] = self.vertices[vertex].neighbors[..] else { return Ok(false) };
        let neighbor = if a == facet { b } else { a };
        let shared: Vec<usize> = self.facets[facet]
            .ridges
            .iter()
            .copied()
            .filter(|&r| {
                let ridge = &self.ridges[r];
                ridge.other(facet) == neighbor && ridge.vertices.contains(&vertex)
            })
            .collect();
        let mut candidates = self.common_vertices(facet, neighbor);
        unordered_remove(&mut candidates, vertex);
        match self.new_name(vertex, candidates, &shared) {
            Some(name) => {
                self.rename(vertex, name, &shared, facet)?;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// The vertices that two facets share; both lists are by decreasing id.
    fn common_vertices(&self, a: usize, b: usize) -> Vec<usize> {
        let mut others = self.facets[b].vertices.iter().peekable();
        let mut common = Vec::new();
        for &vertex in &self.facets[a].vertices {
            while others.next_if(|&&other| other > vertex).is_some() {}
            if others.peek() == Some(&&vertex) {
                common.push(vertex);
            }
        }
        common
    }

    /// The candidate in fewest ridges with `old` for which renaming doubles no ridge.
    fn new_name(
        &mut self,
        old: usize,
        mut candidates: Vec<usize>,
        ridges: &[usize],
    ) -> Option<usize> {
        // candidates that are on the ridges, the rarest first
        let count = |hull: &Self, v: usize| {
            ridges.iter().filter(|&&r| hull.ridges[r].vertices.contains(&v)).count()
        };
        let mut i = 0;
        while i < candidates.len() {
            if count(self, candidates[i]) == 0 {
                candidates.swap_remove(i);
            } else {
                i += 1;
            }
        }
        candidates.sort_by_key(|&v| count(self, v));

        // the first that would make no ridge twice
        let far_end = |hull: &Self, r: usize, v: usize| {
            let [a, b] = hull.ridges[r].vertices;
            if a == v { b } else { a }
        };
        candidates.into_iter().find(|&name| {
            let own = self.ridges_at(name);
            !own.iter().any(|&r| {
                ridges.iter().any(|&s| r != s && far_end(self, s, old) == far_end(self, r, name))
            })
        })
    }

    /// The ridges at a vertex.
    fn ridges_at(&mut self, vertex: usize) -> Vec<usize> {
        self.visit += 2;
        let mark = self.visit;
        let neighbors = self.vertices[vertex].neighbors.clone();
        for &facet in &neighbors {
            self.facets[facet].visit = mark;
        }
        let mut ridges = Vec::new();
        for &facet in &neighbors[..neighbors.len().saturating_sub(1)] {
            for &ridge in &self.facets[facet].ridges {
                let r = &self.ridges[ridge];
                if self.facets[r.other(facet)].visit == mark && r.vertices.contains(&vertex) {
                    ridges.push(ridge);
                }
            }
            self.facets[facet].visit = mark - 1;
        }
        ridges
    }

    fn rename(
        &mut self,
        old: usize,
        name: usize,
        ridges: &[usize],
        facet: usize,
    ) -> Result<(), HullError> {
        for &ridge in ridges {
            if self.rename_in_ridge(ridge, old, name) && self.is_doubled(ridge) {
                return Err(HullError::Pinched);
            }
        }
        for neighbor in self.vertices[old].neighbors.clone() {
            ordered_remove(&mut self.facets[neighbor].vertices, old);
            self.test_redundant_facet(neighbor)?;
        }
        self.mark_deleted(old);
        self.test_redundant_facet(facet)
    }

    /// Renames an end of a ridge, which goes if it had the new name already. Says whether the
    /// ridge remains.
    fn rename_in_ridge(&mut self, ridge: usize, old: usize, name: usize) -> bool {
        let [a, b] = self.ridges[ridge].vertices;
        let (old_at, other) = if a == old { (0, b) } else { (1, a) };
        if other == name {
            self.ridges[ridge].vertices = [name; 2];
            self.delete_ridge(ridge);
            return false;
        }
        let new_at = usize::from(other > name);
        let r = &mut self.ridges[ridge];
        r.vertices = if new_at == 0 { [name, other] } else { [other, name] };
        r.simplicialtop = false;
        r.simplicialbot = false;
        if new_at != old_at {
            core::mem::swap(&mut r.top, &mut r.bottom);
        }
        true
    }

    /// Whether one of a ridge's facets has another ridge with the same ends.
    fn is_doubled(&self, ridge: usize) -> bool {
        let r = &self.ridges[ridge];
        [r.top, r.bottom].into_iter().any(|facet| {
            let f = &self.facets[facet];
            let twin = |&s: &usize| s != ridge && self.ridges[s].vertices == r.vertices;
            !f.simplicial && f.nummerge > 0 && f.ridges.iter().any(twin)
        })
    }
}
