//! Merging several new facets at once into the facet of the horizon they are coplanar with.

use crate::hull::error::HullError;
use crate::hull::merge::without;
use crate::hull::polytope::{Polytope, Ridge, ordered_remove, replace, unordered_remove};

impl Polytope<'_> {
    /// Merges a ring of new facets into a facet of the horizon.
    pub(super) fn merge_cycle(&mut self, cycle: &[usize], target: usize) -> Result<(), HullError> {
        self.total_merges += 1;
        self.make_vertex_neighbors();
        let apex = self.facets[cycle[0]].vertices[0];
        self.make_ridges(target);
        self.cycle_neighbors(cycle, target)?;
        self.cycle_ridges(cycle, target)?;
        self.cycle_vertices(cycle, target);
        if self.facets[target].vertices.first() != Some(&apex) {
            self.facets[target].vertices.insert(0, apex);
        }
        if !self.facets[target].newfacet {
            self.renew_vertices(&self.facets[target].vertices.clone());
        }

        // the facets of the cycle are deleted, and the target counts as a new facet
        self.move_to_end(target);
        let f = &mut self.facets[target];
        f.newfacet = true;
        f.simplicial = false;
        f.newmerge = true;
        for &same in cycle {
            self.will_delete(same, target);
        }
        let f = &mut self.facets[target];
        if f.vertices.len() <= 8 {
            f.center = None;
        }
        Ok(())
    }

    /// Neighbours of the ring become neighbours of the facet. Leaves the ring marked with the
    /// visit before the last.
    fn cycle_neighbors(&mut self, cycle: &[usize], target: usize) -> Result<(), HullError> {
        // marks of the cycle, and of neighbours of the target
        let ring = self.next_visit();
        for &same in cycle {
            self.facets[same].visit = ring;
        }
        let mark = self.next_visit();
        self.facets[target].visit = mark;
        let mut neighbors = core::mem::take(&mut self.facets[target].neighbors);
        neighbors.retain(|&n| self.facets[n].visit != ring);
        for &neighbor in &neighbors {
            self.facets[neighbor].visit = mark;
        }
        self.facets[target].neighbors = neighbors;
        for &same in cycle {
            // the neighbours of the cycle become neighbours of the target, each once
            for i in 0..self.facets[same].neighbors.len() {
                let neighbor = self.facets[same].neighbors[i];
                if self.facets[neighbor].visit == ring {
                    continue;
                }
                let fresh = self.facets[neighbor].visit != mark;
                if self.facets[neighbor].simplicial && fresh {
                    self.facets[target].neighbors.push(neighbor);
                    replace(&mut self.facets[neighbor].neighbors, same, target)?;
                    self.facets[neighbor].visit = mark;
                    self.redirect_first_ridge(neighbor, same, target);
                } else if self.facets[neighbor].simplicial {
                    self.make_ridges(neighbor);
                    unordered_remove(&mut self.facets[neighbor].neighbors, same);
                } else {
                    unordered_remove(&mut self.facets[neighbor].neighbors, same);
                    if fresh {
                        self.facets[neighbor].neighbors.push(target);
                        self.facets[target].neighbors.push(neighbor);
                        self.facets[neighbor].visit = mark;
                    }
                }
            }
        }
        Ok(())
    }

    fn redirect_first_ridge(&mut self, facet: usize, from: usize, to: usize) {
        for i in 0..self.facets[facet].ridges.len() {
            let ridge = &mut self.ridges[self.facets[facet].ridges[i]];
            if ridge.top == from {
                ridge.top = to;
                return;
            }
            if ridge.bottom == from {
                ridge.bottom = to;
                return;
            }
        }
    }

    /// Ridges of the ring become ridges of the facet; those inside go.
    fn cycle_ridges(&mut self, cycle: &[usize], target: usize) -> Result<(), HullError> {
        // ridges between the target and the cycle go
        let ring = self.visit - 1;
        let mut kept = core::mem::take(&mut self.facets[target].ridges);
        kept.retain(|&r| self.facets[self.ridges[r].other(target)].visit != ring);
        self.facets[target].ridges = kept;
        for &same in cycle {
            for ridge in core::mem::take(&mut self.facets[same].ridges) {
                // ridges of the cycle belong to the target
                let r = &mut self.ridges[ridge];
                let neighbor = if r.top == same {
                    r.top = target;
                    r.bottom
                } else if r.bottom == same {
                    r.bottom = target;
                    r.top
                } else if r.top == target || r.bottom == target {
                    self.push_ridge(target, ridge);
                    continue;
                } else {
                    return Err(HullError::Precision);
                };

                // unless they are inside of it
                if neighbor == target {
                    self.free_ridge(ridge);
                } else if self.facets[neighbor].visit == ring {
                    unordered_remove(&mut self.facets[neighbor].ridges, ridge);
                    self.free_ridge(ridge);
                } else {
                    self.push_ridge(target, ridge);
                }
            }
            if self.facets[same].simplicial {
                self.ridges_of_triangle(same, target, ring);
            }
        }
        Ok(())
    }

    /// New ridges between the facet and simplicial neighbours of a triangle of the ring.
    fn ridges_of_triangle(&mut self, same: usize, target: usize, ring: u32) {
        for i in 0..self.facets[same].neighbors.len() {
            let neighbor = self.facets[same].neighbors[i];
            let n = &self.facets[neighbor];
            if n.visit == ring || !n.simplicial {
                continue;
            }
            let top = self.facets[same].toporient ^ (i % 2 == 1);
            let ridge = self.new_ridge(Ridge {
                vertices: without(&self.facets[same].vertices, i),
                top: if top { target } else { neighbor },
                bottom: if top { neighbor } else { target },
                simplicialtop: !top,
                simplicialbot: top,
                tested: false,
                nonconvex: false,
            });
            self.push_ridge(target, ridge);
            self.push_ridge(neighbor, ridge);
        }
    }

    /// The vertices of the ring have the facet instead of the ring.
    fn cycle_vertices(&mut self, cycle: &[usize], target: usize) {
        // all vertices of the cycle, the apex last
        let ring = self.visit - 1;
        self.facets[target].visit = ring;
        let apex = self.facets[cycle[0]].vertices[0];
        let mark = self.next_vertex_visit();
        self.vertices[apex].visit = mark;
        let mut vertices = Vec::new();
        for &same in cycle {
            for i in 0..self.facets[same].vertices.len() {
                let vertex = self.facets[same].vertices[i];
                if self.vertices[vertex].visit != mark {
                    self.vertices[vertex].visit = mark;
                    vertices.push(vertex);
                }
            }
        }
        vertices.push(apex);

        // their facets: the target instead of the cycle
        for vertex in vertices {
            self.vertices[vertex].delridge = true;
            let mut neighbors = core::mem::take(&mut self.vertices[vertex].neighbors);
            neighbors.retain(|&f| self.facets[f].visit != ring);
            neighbors.push(target);
            let alone = neighbors.len() < 2;
            self.vertices[vertex].neighbors = neighbors;
            if alone {
                ordered_remove(&mut self.facets[target].vertices, vertex);
                self.mark_deleted(vertex);
            }
        }
    }
}
