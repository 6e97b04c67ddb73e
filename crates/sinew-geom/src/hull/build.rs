//! Growing the polytope: one point at a time, the furthest above some facet.
//!
//! Barber, Dobkin & Huhdanpaa, *The Quickhull Algorithm for Convex Hulls* (1996).

use crate::hull::error::HullError;
use crate::hull::polytope::{NONE, Polytope, Ridge, TAIL, replace, unordered_remove};

impl Polytope<'_> {
    /// Adds points until none is outside, or until there are `limit` vertices.
    pub(super) fn grow(&mut self, limit: Option<usize>) -> Result<(), HullError> {
        self.facet_next = self.facet_list;
        while let Some((point, facet)) = self.next_furthest()? {
            if limit.is_some_and(|limit| self.num_vertices >= limit.max(4)) {
                return Ok(());
            }
            self.add_point(point, facet)?;
        }
        Ok(())
    }

    /// The furthest point of the next facet that has points above it.
    fn next_furthest(&mut self) -> Result<Option<(usize, usize)>, HullError> {
        while self.in_list(self.facet_next) {
            let facet = self.facet_next;
            if self.facets[facet].outside.is_empty() {
                self.facet_next = self.facets[facet].next;
                continue;
            }
            if self.narrow {
                if self.facets[facet].notfurthest {
                    self.furthest_last(facet);
                }
                if self.facets[facet].furthest_dist < self.tol.min_outside {
                    self.facet_next = self.facets[facet].next;
                    continue;
                }
            }
            let point = self.facets[facet].outside.pop().ok_or(HullError::Precision)?;
            return Ok(Some((point, facet)));
        }
        Ok(None)
    }

    /// Moves the furthest point above a facet to the end of its list.
    fn furthest_last(&mut self, facet: usize) {
        let mut best: Option<(usize, f64)> = None;
        for &point in &self.facets[facet].outside {
            let dist = self.distance(self.points[point], facet);
            if best.is_none_or(|(_, furthest)| dist > furthest) {
                best = Some((point, dist));
            }
        }
        if let Some((point, dist)) = best {
            let f = &mut self.facets[facet];
            unordered_remove(&mut f.outside, point);
            f.outside.push(point);
            f.furthest_dist = dist;
        }
        self.facets[facet].notfurthest = false;
    }

    fn add_point(&mut self, point: usize, facet: usize) -> Result<(), HullError> {
        self.maxoutside_now = self
            .max_outside
            .max(self.tol.one_merge + self.tol.dist_round)
            .max(self.tol.min_outside);

        // replace the visible facets by a cone
        self.find_horizon(point, facet)?;
        self.first_newfacet = self.next_facet_id();
        self.make_cone(point)?;
        self.match_new_facets()?;
        for new in self.facets_from(self.newfacet_list).collect::<Vec<_>>() {
            if !self.facets[new].mergehorizon {
                self.set_plane(new);
            }
        }
        self.update_cone_neighbors();

        // make it convex
        self.findbestnew = false;
        self.premerge()?;
        self.findbestnew = self.total_merges > 50
            || self.facets_from(self.newfacet_list).any(|f| !self.facets[f].simplicial);

        // assign the points of the visible facets to the new ones
        self.partition_visible()?;
        self.findbestnew = false;
        self.findbest_notsharp = false;
        self.delete_visible();
        self.reset_lists(true);
        Ok(())
    }

    /// Collects the facets that a point sees at the end of the list.
    fn find_horizon(&mut self, point: usize, facet: usize) -> Result<(), HullError> {
        // the first visible facet
        self.move_to_end(facet);
        self.num_visible = 1;
        self.visible_list = facet;
        self.facets[facet].visible = true;
        self.facets[facet].link = NONE;

        // its neighbours, and theirs, that see the point
        let mark = self.next_visit();
        let position = self.points[point];
        let mut horizon = false;
        let mut visible = facet;
        while visible != NONE && self.facets[visible].visible {
            self.facets[visible].visit = mark;
            for i in 0..self.facets[visible].neighbors.len() {
                let neighbor = self.facets[visible].neighbors[i];
                if self.facets[neighbor].visit == mark {
                    continue;
                }
                self.facets[neighbor].visit = mark;
                let dist = self.distance(position, neighbor);
                if dist > self.tol.min_visible {
                    self.move_to_end(neighbor);
                    self.facets[neighbor].visible = true;
                    self.facets[neighbor].link = NONE;
                    self.num_visible += 1;
                    continue;
                }

                // facets that do not are the horizon, coplanar or not
                horizon = true;
                let coplanar = dist >= -self.tol.max_coplanar;
                self.facets[neighbor].coplanarhorizon = coplanar;
                if coplanar && dist > 0.0 {
                    self.max_outside = self.max_outside.max(dist);
                    self.max_vertex = self.max_vertex.max(dist);
                    let f = &mut self.facets[neighbor];
                    f.maxoutside = f.maxoutside.max(dist);
                } else if coplanar {
                    self.min_vertex = self.min_vertex.min(dist);
                }
            }
            visible = self.facets[visible].next;
        }
        if horizon { Ok(()) } else { Err(HullError::Precision) }
    }

    /// New facets from the point to the horizon.
    fn make_cone(&mut self, point: usize) -> Result<(), HullError> {
        // the apex
        self.newfacet_list = TAIL;
        self.newvertex_list = TAIL;
        let apex = self.new_vertex(point);
        self.append_vertex(apex);
        let mark = self.next_visit();
        let (mut simple, mut merged) = (NONE, NONE);
        let mut visible = self.visible_list;
        while visible != NONE && self.facets[visible].visible {
            // new facets over each edge of the horizon
            for i in 0..self.facets[visible].neighbors.len() {
                let neighbor = self.facets[visible].neighbors[i];
                self.facets[neighbor].seen = false;
            }
            if self.facets[visible].has_ridges {
                self.facets[visible].visit = mark;
                merged = self.cone_over_ridges(visible, apex, mark)?;
            }
            if self.facets[visible].simplicial {
                simple = self.cone_over_triangle(visible, apex)?;
            }
            if merged != NONE {
                simple = merged;
            }

            // a visible facet is replaced by the last of them
            let f = &mut self.facets[visible];
            if simple != NONE {
                f.link = simple;
            }
            f.ridges.clear();
            f.neighbors.clear();
            visible = f.next;
        }
        Ok(())
    }

    fn new_cone_facet(&mut self, vertices: Vec<usize>, toporient: bool, horizon: usize) -> usize {
        self.renew_vertices(&vertices);
        let facet = self.new_facet();
        let f = &mut self.facets[facet];
        f.vertices = vertices;
        f.toporient = toporient;
        f.neighbors.push(horizon);
        self.append_facet(facet);
        facet
    }

    /// New facets over the ridges of a visible facet; returns the last one.
    pub(super) fn cone_over_ridges(
        &mut self,
        visible: usize,
        apex: usize,
        mark: u32,
    ) -> Result<usize, HullError> {
        let mut last = NONE;
        for i in 0..self.facets[visible].ridges.len() {
            // a ridge between two visible facets goes
            let ridge = self.facets[visible].ridges[i];
            let neighbor = self.ridges[ridge].other(visible);
            if self.facets[neighbor].visible {
                if self.facets[neighbor].visit == mark {
                    self.free_ridge(ridge);
                }
            } else {
                // one to the horizon gets a new facet
                let toporient = self.ridges[ridge].top == visible;
                let [a, b] = self.ridges[ridge].vertices;
                last = self.new_cone_facet(vec![apex, a, b], toporient, neighbor);
                if self.facets[neighbor].coplanarhorizon {
                    self.join_cycle(last, neighbor);
                }
                self.attach(last, neighbor, visible, ridge)?;
            }
            self.facets[neighbor].seen = true;
        }
        Ok(last)
    }

    /// Records that a new facet is coplanar with a facet of the horizon, in a ring with the other
    /// coplanar new facets.
    fn join_cycle(&mut self, new: usize, horizon: usize) {
        self.facets[new].mergehorizon = true;
        if self.facets[horizon].seen {
            let member = self.facets[horizon].link;
            self.facets[new].link = self.facets[member].link;
            self.facets[member].link = new;
        } else {
            self.facets[new].link = new;
            self.facets[horizon].link = new;
        }
    }

    /// Puts a new facet in the place of a visible one at a ridge of the horizon.
    fn attach(
        &mut self,
        new: usize,
        horizon: usize,
        visible: usize,
        ridge: usize,
    ) -> Result<(), HullError> {
        // a horizon facet that has a new neighbour already gets one more
        if self.facets[horizon].seen {
            if self.facets[horizon].simplicial {
                return Err(HullError::Precision);
            }
            self.facets[horizon].neighbors.push(new);
        } else {
            replace(&mut self.facets[horizon].neighbors, visible, new)?;
        }
        if self.facets[horizon].simplicial {
            unordered_remove(&mut self.facets[horizon].ridges, ridge);
            self.free_ridge(ridge);
            return Ok(());
        }
        self.push_ridge(new, ridge);
        let Ridge { top, bottom, simplicialtop, simplicialbot, .. } = &mut self.ridges[ridge];
        if *top == visible {
            (*top, *simplicialtop) = (new, true);
        } else {
            (*bottom, *simplicialbot) = (new, true);
        }
        Ok(())
    }

    /// New facets over the edges of a visible triangle towards simplicial facets.
    fn cone_over_triangle(&mut self, visible: usize, apex: usize) -> Result<usize, HullError> {
        let mut last = NONE;
        for i in 0..self.facets[visible].neighbors.len() {
            let neighbor = self.facets[visible].neighbors[i];
            if self.facets[neighbor].seen || self.facets[neighbor].visible {
                continue;
            }
            let horizon = &self.facets[neighbor];
            let skip = horizon.neighbors.iter().take(3).position(|f| *f == visible);
            let skip = skip.ok_or(HullError::Precision)?;
            let mut vertices = vec![apex];
            vertices.extend((0..3).filter(|k| *k != skip).map(|k| horizon.vertices[k]));
            let toporient = (skip % 2 == 1) == horizon.toporient;
            let coplanar = horizon.coplanarhorizon;
            last = self.new_cone_facet(vertices, toporient, neighbor);
            if coplanar {
                self.facets[last].link = last;
                self.facets[last].mergehorizon = true;
            }
            self.facets[neighbor].neighbors[skip] = last;
        }
        Ok(last)
    }

    /// Makes new facets that share an edge at the apex neighbours. More than two at one edge
    /// would mean that the horizon touches itself.
    pub(super) fn match_new_facets(&mut self) -> Result<(), HullError> {
        let new: Vec<usize> = self.facets_from(self.newfacet_list).collect();
        self.at_vertex.resize(self.vertices.len(), [(NONE, 0); 2]);
        for &facet in &new {
            self.facets[facet].neighbors.resize(3, NONE);
        }
        let mut open = 0_isize;
        for &facet in &new {
            for skip in [1, 2] {
                // the edge opposite to `skip` is wanted once by each of two facets
                let vertex = self.facets[facet].vertices[3 - skip];
                let [first, second] = self.at_vertex[vertex];
                if first.0 == NONE {
                    self.at_vertex[vertex][0] = (facet, skip);
                    open += 1;
                    continue;
                }
                let (other, other_skip) = first;
                let same = skip == other_skip;
                let turned = self.facets[facet].toporient != self.facets[other].toporient;
                if second.0 != NONE || same != turned {
                    return Err(HullError::Pinched);
                }
                self.at_vertex[vertex][1] = (facet, skip);
                self.facets[facet].neighbors[skip] = other;
                self.facets[other].neighbors[other_skip] = facet;
                open -= 1;
            }
        }
        for &facet in &new {
            for skip in [1, 2] {
                let vertex = self.facets[facet].vertices[skip];
                self.at_vertex[vertex] = [(NONE, 0); 2];
            }
        }

        // every edge must have found its partner
        if open == 0 { Ok(()) } else { Err(HullError::Pinched) }
    }

    /// Brings the facets at each vertex up to date, if they are kept, and collects the vertices
    /// that the polytope lost.
    fn update_cone_neighbors(&mut self) {
        if self.vertex_neighbors {
            // visible facets are no neighbours any more
            let mut vertex = self.newvertex_list;
            while vertex != NONE && self.vertices[vertex].next != NONE {
                let mut i = 0;
                while i < self.vertices[vertex].neighbors.len() {
                    let neighbor = self.vertices[vertex].neighbors[i];
                    if self.facets[neighbor].visible {
                        self.vertices[vertex].neighbors.swap_remove(i);
                    } else {
                        i += 1;
                    }
                }
                vertex = self.vertices[vertex].next;
            }
        }
        self.add_to_vertices();

        // vertices that no facet has
        self.collect_lost_vertices();
    }

    /// Vertices of visible facets that no other facet has are deleted; others forget them.
    pub(super) fn collect_lost_vertices(&mut self) {
        for visible in self.visible_facets() {
            for i in 0..self.facets[visible].vertices.len() {
                let vertex = self.facets[visible].vertices[i];
                if self.vertices[vertex].newfacet || self.vertices[vertex].deleted {
                    continue;
                }
                let neighbors = &self.vertices[vertex].neighbors;
                if self.vertex_neighbors && neighbors.iter().any(|&f| !self.facets[f].visible) {
                    unordered_remove(&mut self.vertices[vertex].neighbors, visible);
                } else {
                    self.mark_deleted(vertex);
                }
            }
        }
    }
}
