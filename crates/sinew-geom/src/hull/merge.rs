//! Merging facets that are not clearly convex, so that the polytope stays valid under rounding.

use crate::hull::error::HullError;
use crate::hull::polytope::{
    Merge, MergeKind, NONE, Polytope, Ridge, ordered_remove, replace, unordered_remove,
};

/// Facets with more vertices than this keep their centre when they grow.
const KEEP_CENTER: usize = 3 + 5;
/// Facets with more vertices than this are compared with neighbours by their centre.
const COMPARE_CENTER: usize = 2 * 3 + 20;
/// Facets with more vertices than this look at nonconvex ridges first.
const COMPARE_NONCONVEX: usize = 3 + 15;
/// A merge that moves a plane by more than this many times the usual is an error.
const WIDE: f64 = 100.0;

impl Polytope<'_> {
    /// Merges the new facets as far as needed.
    pub(super) fn premerge(&mut self) -> Result<(), HullError> {
        if self.is_convex() {
            return Ok(());
        }
        let mut merged = self.merge_coplanar_horizon()?;
        merged |= self.merge_flipped()?;
        self.collect_initial_merges()?;
        self.merge_all(merged)
    }

    /// Whether the new facets are simplicial and clearly convex.
    fn is_convex(&mut self) -> bool {
        let new: Vec<usize> = self.facets_from(self.newfacet_list).collect();
        for &facet in &new {
            let f = &self.facets[facet];
            if !self.facets[f.neighbors[0]].simplicial || f.flipped || f.normal.is_none() {
                return false;
            }
        }
        let clear = -2.0 * self.tol.dist_round;
        for &facet in &new {
            let f = &self.facets[facet];
            for i in 1..f.neighbors.len() {
                if self.distance(self.point_of(f.vertices[i]), f.neighbors[i]) >= clear {
                    return false;
                }
            }
            let horizon = &self.facets[f.neighbors[0]];
            let far = horizon.vertices.iter().find(|v| !f.vertices[1..].contains(v));
            if far.is_some_and(|&v| self.distance(self.point_of(v), facet) >= clear) {
                return false;
            }
        }
        true
    }

    /// Merges new facets into facets of the horizon that they are coplanar with.
    fn merge_coplanar_horizon(&mut self) -> Result<bool, HullError> {
        let mut any = false;
        let mut facet = self.newfacet_list;
        while self.in_list(facet) {
            let mut next = self.facets[facet].next;
            if self.facets[facet].normal.is_some() {
                facet = next;
                continue;
            }

            // a new facet that is coplanar with its horizon facet, alone or in a cycle
            let horizon = self.facets[facet].neighbors[0];
            if self.facets[facet].link == facet {
                for i in 1..3 {
                    let vertex = self.facets[facet].vertices[i];
                    self.vertices[vertex].delridge = true;
                }
                self.facets[horizon].link = NONE;
                self.merge_facet(facet, horizon, MergeKind::CoplanarHorizon, None)?;
            } else {
                let cycle = self.close_cycle(facet)?;
                while next != NONE && self.facets[next].cycledone {
                    next = self.facets[next].next;
                }
                self.facets[horizon].link = NONE;
                let count = cycle.len();
                self.merge_cycle(&cycle, horizon)?;
                self.facets[horizon].nummerge += count;
            }
            any = true;
            facet = next;
        }

        // facets that became redundant or degenerate by it
        if any {
            for new in self.facets_from(self.newfacet_list).collect::<Vec<_>>() {
                if self.facets[new].coplanarhorizon {
                    self.test_redundant_neighbors(new)?;
                    self.facets[new].coplanarhorizon = false;
                }
            }
            self.merge_degenerate()?;
        }
        Ok(any)
    }

    /// The facets of a ring without those that have a plane already, ending with `facet`.
    fn close_cycle(&mut self, facet: usize) -> Result<Vec<usize>, HullError> {
        let mut cycle = Vec::new();
        let mut same = self.facets[facet].link;
        loop {
            if same == NONE || self.facets[same].cycledone || self.facets[same].visible {
                return Err(HullError::Precision);
            }
            self.facets[same].cycledone = true;
            let next = self.facets[same].link;
            if self.facets[same].normal.is_some() {
                self.facets[same].link = NONE;
            } else {
                cycle.push(same);
            }
            if same == facet {
                return Ok(cycle);
            }
            same = next;
        }
    }

    /// Merges facets that face inwards into their best neighbour.
    fn merge_flipped(&mut self) -> Result<bool, HullError> {
        let flipped: Vec<usize> =
            self.facets_from(self.newfacet_list).filter(|&f| self.facets[f].flipped).collect();
        let mut any = false;
        for facet in flipped {
            if self.facets[facet].visible || self.facets[facet].redundant {
                continue;
            }
            let (neighbor, _, low, high) = self.best_neighbor(facet)?;
            self.merge_facet(facet, neighbor, MergeKind::Flip, Some((low, high)))?;
            any = true;
        }
        self.merge_degenerate()?;
        Ok(any)
    }

    /// Merges until no merge is left and no vertex is redundant.
    fn merge_all(&mut self, mut other: bool) -> Result<(), HullError> {
        loop {
            // facets, until none asks for a merge
            let mut any = false;
            while !self.facet_merges.is_empty() || !self.degen_merges.is_empty() {
                if !self.degen_merges.is_empty() {
                    self.merge_degenerate()?;
                    any = true;
                }
                while let Some(merge) = self.facet_merges.pop() {
                    if self.is_stale(&merge) {
                        continue;
                    }
                    self.merge_nonconvex(&merge)?;
                    self.merge_degenerate()?;
                    any = true;
                }
                self.collect_merges()?;
            }

            // then vertices, which may make new ones
            if !self.vertex_neighbors || !(any || other) {
                return Ok(());
            }
            other = false;
            if !self.reduce_vertices()? {
                return Ok(());
            }
            self.collect_merges()?;
        }
    }

    /// Whether a facet is gone, or was merged since a coplanar merge was found.
    fn is_stale(&self, merge: &Merge) -> bool {
        let (a, b) = (&self.facets[merge.facet1], &self.facets[merge.facet2]);
        let untested = (!a.tested && a.newfacet) || (!b.tested && b.newfacet);
        a.visible || b.visible || (merge.kind == MergeKind::Coplanar && untested)
    }

    /// Merges one of two facets into its best neighbour, whichever moves less.
    fn merge_nonconvex(&mut self, merge: &Merge) -> Result<(), HullError> {
        let (mut facet1, mut facet2) = (merge.facet1, merge.facet2);
        if !self.facets[facet1].newfacet {
            (facet1, facet2) = (facet2, facet1);
        }
        let (neighbor1, dist1, low1, high1) = self.best_neighbor(facet1)?;
        let (neighbor2, dist2, low2, high2) = self.best_neighbor(facet2)?;
        if dist1 < dist2 {
            self.merge_facet(facet1, neighbor1, merge.kind, Some((low1, high1)))
        } else {
            self.merge_facet(facet2, neighbor2, merge.kind, Some((low2, high2)))
        }
    }

    /// The neighbour whose plane a facet's vertices are closest to, their distance from it, and
    /// the smallest and largest of them.
    fn best_neighbor(&mut self, facet: usize) -> Result<(usize, f64, f64, f64), HullError> {
        // neighbours over nonconvex ridges if there are many
        let size = self.facets[facet].vertices.len();
        let by_center = size > COMPARE_CENTER;
        let mut candidates = Vec::new();
        if size > COMPARE_NONCONVEX {
            let ridges = self.facets[facet].ridges.iter().map(|&r| &self.ridges[r]);
            candidates = ridges.filter(|r| r.nonconvex).map(|r| r.other(facet)).collect();
        }
        if candidates.is_empty() {
            candidates.clone_from(&self.facets[facet].neighbors);
        }

        // the one whose plane is moved least
        let mut best: Option<(usize, f64, f64, f64)> = None;
        for neighbor in candidates {
            let flipped = |f: usize| self.facets[f].flipped;
            if flipped(facet) && flipped(neighbor) && best.is_some_and(|(f, ..)| !flipped(f)) {
                continue;
            }
            let (low, high, dist) = if by_center {
                let center = self.centrum(facet);
                let dist = 3.0 * self.distance(center, neighbor);
                (dist.min(0.0), dist.max(0.0), dist.abs())
            } else {
                self.spread(facet, neighbor)
            };
            if best.is_none_or(|(_, nearest, ..)| dist < nearest) {
                best = Some((neighbor, dist, low, high));
            }
        }

        // and by how much
        let (neighbor, dist, mut low, mut high) = best.ok_or(HullError::Precision)?;
        if by_center {
            (low, high, _) = self.spread(facet, neighbor);
        }
        Ok((neighbor, dist, low, high))
    }

    /// Merges facets that have too few neighbours or whose vertices another has; says how many.
    pub(super) fn merge_degenerate(&mut self) -> Result<usize, HullError> {
        let mut merges = 0;
        while let Some(merge) = self.degen_merges.pop() {
            // facets that are still there
            let facet = merge.facet1;
            if self.facets[facet].visible {
                continue;
            }
            self.facets[facet].degenerate = false;
            self.facets[facet].redundant = false;

            // redundant: into the one that contains it
            if merge.kind == MergeKind::Redundant {
                let other = self.replacement(merge.facet2)?;
                if other == NONE {
                    return Err(HullError::Precision);
                }
                if other != facet {
                    self.merge_facet(facet, other, merge.kind, None)?;
                    merges += 1;
                }
            } else if self.facets[facet].neighbors.is_empty() {
                // without neighbours: gone
                self.will_delete(facet, NONE);
                for vertex in self.facets[facet].vertices.clone() {
                    unordered_remove(&mut self.vertices[vertex].neighbors, facet);
                    if self.vertices[vertex].neighbors.is_empty() {
                        self.mark_deleted(vertex);
                    }
                }
                merges += 1;
            } else if self.facets[facet].neighbors.len() < 3 {
                // with fewer than three: into the best neighbour
                let (neighbor, _, low, high) = self.best_neighbor(facet)?;
                self.merge_facet(facet, neighbor, merge.kind, Some((low, high)))?;
                merges += 1;
            }
        }
        Ok(merges)
    }

    /// Finds the merges between new facets and their neighbours.
    fn collect_initial_merges(&mut self) -> Result<(), HullError> {
        let mark = self.next_visit();
        for facet in self.facets_from(self.newfacet_list).collect::<Vec<_>>() {
            self.facets[facet].visit = mark;
            for i in 0..self.facets[facet].neighbors.len() {
                let neighbor = self.facets[facet].neighbors[i];
                if self.facets[neighbor].visit == mark || !self.test_merge(facet, neighbor)? {
                    continue;
                }
                let shared = self.facets[neighbor].ridges.iter().copied();
                let shared = shared.into_iter().find(|&r| self.ridges[r].other(neighbor) == facet);
                if let Some(ridge) = shared {
                    self.ridges[ridge].nonconvex = true;
                }
            }
            self.facets[facet].tested = true;
            for i in 0..self.facets[facet].ridges.len() {
                let ridge = self.facets[facet].ridges[i];
                self.ridges[ridge].tested = true;
            }
        }
        self.sort_merges();
        Ok(())
    }

    /// Finds the merges of facets that changed.
    fn collect_merges(&mut self) -> Result<(), HullError> {
        // new facets that were not tested
        let mark = self.next_visit();
        for facet in self.facets_from(self.newfacet_list).collect::<Vec<_>>() {
            if self.facets[facet].tested {
                continue;
            }
            self.facets[facet].visit = mark;
            for i in 0..self.facets[facet].neighbors.len() {
                let neighbor = self.facets[facet].neighbors[i];
                self.facets[neighbor].seen = false;
            }

            // each neighbour once
            for i in 0..self.facets[facet].ridges.len() {
                let ridge = self.facets[facet].ridges[i];
                let Ridge { tested, nonconvex, .. } = self.ridges[ridge];
                if tested && !nonconvex {
                    continue;
                }
                let neighbor = self.ridges[ridge].other(facet);
                if self.facets[neighbor].seen {
                    self.ridges[ridge].tested = true;
                    self.ridges[ridge].nonconvex = false;
                } else if self.facets[neighbor].visit != mark {
                    self.facets[neighbor].seen = true;
                    self.ridges[ridge].nonconvex = self.test_merge(facet, neighbor)?;
                    self.ridges[ridge].tested = true;
                }
            }
            self.facets[facet].tested = true;
        }

        // in order of distance
        self.sort_merges();
        Ok(())
    }

    /// The merges to be done first come last.
    fn sort_merges(&mut self) {
        self.facet_merges
            .sort_by(|a, b| b.kind.cmp(&a.kind).then_with(|| b.distance.total_cmp(&a.distance)));
    }

    /// Asks for a merge if two neighbours are not clearly convex, by the distance of each one's
    /// centre from the other's plane.
    fn test_merge(&mut self, facet: usize, neighbor: usize) -> Result<bool, HullError> {
        let radius = self.tol.centrum;
        let center = self.centrum(facet);
        let dist1 = self.distance(center, neighbor);
        let center = self.centrum(neighbor);
        let dist2 = self.distance(center, facet);
        let concave = dist1 > radius || dist2 > radius;
        let near = |dist: f64| (-radius..=radius).contains(&dist);
        let coplanar = near(dist1) || near(dist2);
        if concave && coplanar {
            if dist1 > dist2 {
                self.request(facet, neighbor, MergeKind::ConcaveCoplanar, dist1)?;
            } else {
                self.request(neighbor, facet, MergeKind::ConcaveCoplanar, dist2)?;
            }
        } else if concave {
            self.request(facet, neighbor, MergeKind::Concave, dist1.max(dist2))?;
        } else if coplanar {
            self.request(facet, neighbor, MergeKind::Coplanar, dist1.abs().min(dist2.abs()))?;
        }
        Ok(concave || coplanar)
    }

    /// Notes a merge, unless one of the facets goes anyway.
    pub(super) fn request(
        &mut self,
        facet1: usize,
        facet2: usize,
        kind: MergeKind,
        distance: f64,
    ) -> Result<(), HullError> {
        // facets that need no merge, or must not be merged
        let (a, b) = (&self.facets[facet1], &self.facets[facet2]);
        if a.redundant || b.redundant || (a.degenerate && kind == MergeKind::Degenerate) {
            return Ok(());
        }
        if b.flipped && !a.flipped {
            return Err(HullError::Precision);
        }

        // redundant ones come first, degenerate ones after them
        let merge = Merge { facet1, facet2, kind, distance };
        match kind {
            MergeKind::Degenerate => {
                self.facets[facet1].degenerate = true;
                let last = self.degen_merges.last().map(|m| m.kind);
                if last.is_none_or(|kind| kind == MergeKind::Degenerate) {
                    self.degen_merges.push(merge);
                } else {
                    self.degen_merges.insert(0, merge);
                }
            }
            MergeKind::Redundant => {
                self.facets[facet1].redundant = true;
                self.degen_merges.push(merge);
            }
            _ => self.facet_merges.push(merge),
        }
        Ok(())
    }

    /// Asks for the removal of a facet whose vertices a neighbour has, or with few neighbours.
    pub(super) fn test_redundant_facet(&mut self, facet: usize) -> Result<(), HullError> {
        if self.facets[facet].flipped {
            return Ok(());
        }
        for i in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[i];
            if self.facets[neighbor].visible {
                return Err(HullError::Precision);
            }
            if !self.facets[neighbor].flipped && self.contains_vertices(neighbor, facet) {
                return self.request(facet, neighbor, MergeKind::Redundant, 0.0);
            }
        }
        if self.facets[facet].neighbors.len() < 3 {
            self.request(facet, facet, MergeKind::Degenerate, 0.0)?;
        }
        Ok(())
    }

    /// Asks for the removal of neighbours whose vertices a facet has.
    pub(super) fn test_redundant_neighbors(&mut self, facet: usize) -> Result<(), HullError> {
        if self.facets[facet].neighbors.len() < 3 {
            return self.request(facet, facet, MergeKind::Degenerate, 0.0);
        }
        let mark = self.next_vertex_visit();
        for i in 0..self.facets[facet].vertices.len() {
            let vertex = self.facets[facet].vertices[i];
            self.vertices[vertex].visit = mark;
        }
        for i in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[i];
            let n = &self.facets[neighbor];
            if n.visible {
                return Err(HullError::Precision);
            }
            if n.degenerate || n.redundant || (self.facets[facet].flipped && !n.flipped) {
                continue;
            }
            if n.vertices.iter().all(|&v| self.vertices[v].visit == mark) {
                self.request(neighbor, facet, MergeKind::Redundant, 0.0)?;
            }
        }
        Ok(())
    }

    fn test_degenerate_neighbors(&mut self, facet: usize) -> Result<(), HullError> {
        for i in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[i];
            let n = &self.facets[neighbor];
            if n.visible {
                return Err(HullError::Precision);
            }
            if !n.degenerate && !n.redundant && n.neighbors.len() < 3 {
                self.request(neighbor, neighbor, MergeKind::Degenerate, 0.0)?;
            }
        }
        Ok(())
    }

    /// Whether `facet` has all vertices of `part`; both lists are sorted.
    fn contains_vertices(&self, facet: usize, part: usize) -> bool {
        let (all, part) = (&self.facets[facet].vertices, &self.facets[part].vertices);
        let mut all = all.iter();
        part.iter().all(|v| all.by_ref().any(|w| w == v))
    }

    /// Merges the first facet into the second. `moved` is how far the vertices of the first are
    /// below and above the plane of the second.
    fn merge_facet(
        &mut self,
        facet1: usize,
        facet2: usize,
        kind: MergeKind,
        moved: Option<(f64, f64)>,
    ) -> Result<(), HullError> {
        // a merge that leaves a polytope
        self.total_merges += 1;
        let gone = self.facets[facet1].visible || self.facets[facet2].visible;
        if facet1 == facet2 || gone || self.num_facets - self.num_visible <= 4 {
            return Err(HullError::Precision);
        }

        // both facets as polygons with ridges
        self.make_vertex_neighbors();
        self.make_ridges(facet1);
        self.make_ridges(facet2);
        if let Some((low, high)) = moved {
            self.note_move(facet1, facet2, low, high)?;
        }
        self.facets[facet2].nummerge += self.facets[facet1].nummerge + 1;
        self.facets[facet2].newmerge = true;
        self.forget_tests(facet1, facet2);

        // vertices, neighbours and ridges go to the second
        if self.facets[facet1].vertices.len() == 3 {
            self.merge_triangle(facet1, facet2, kind == MergeKind::CoplanarHorizon)?;
        } else {
            self.merge_polygon(facet1, facet2)?;
        }

        // it is tested again
        self.move_to_end(facet2);
        self.facets[facet2].newfacet = true;
        self.facets[facet2].tested = false;
        if kind != MergeKind::CoplanarHorizon {
            self.test_redundant_neighbors(facet2)?;
            self.test_degenerate_neighbors(facet1)?;
            self.test_redundant_facet(facet2)?;
        }
        self.will_delete(facet1, facet2);
        Ok(())
    }

    fn note_move(
        &mut self,
        facet1: usize,
        facet2: usize,
        low: f64,
        high: f64,
    ) -> Result<(), HullError> {
        let (out1, out2) = (self.facets[facet1].maxoutside, self.facets[facet2].maxoutside);
        let limit = (WIDE * self.tol.one_merge).max(out1).max(out2);
        if high > limit || -low > limit {
            return Err(HullError::Precision);
        }
        self.max_outside = self.max_outside.max(high);
        self.max_vertex = self.max_vertex.max(high);
        self.min_vertex = self.min_vertex.min(low);
        let wide = self.tol.wide_facet;
        let f = &mut self.facets[facet2];
        f.maxoutside = f.maxoutside.max(high);
        f.keepcentrum |= high > wide || low < -wide;
        Ok(())
    }

    /// A merge makes the tests of ridges invalid and, for small facets, the centre.
    fn forget_tests(&mut self, facet1: usize, facet2: usize) {
        self.facets[facet2].tested = false;
        for i in 0..self.facets[facet1].ridges.len() {
            let ridge = self.facets[facet1].ridges[i];
            self.ridges[ridge].tested = false;
        }
        let f = &mut self.facets[facet2];
        if f.center.is_none() {
            return;
        }
        let size = f.vertices.len();
        if !f.keepcentrum {
            f.keepcentrum = size > KEEP_CENTER;
        } else if size == 3 {
            f.keepcentrum = false;
        }
        if !f.keepcentrum {
            f.center = None;
            for i in 0..self.facets[facet2].ridges.len() {
                let ridge = self.facets[facet2].ridges[i];
                self.ridges[ridge].tested = false;
            }
        }
    }

    /// Gives a simplicial facet ridges towards all its neighbours.
    pub(super) fn make_ridges(&mut self, facet: usize) {
        if !self.facets[facet].simplicial {
            return;
        }

        // neighbours to which there is a ridge already
        self.facets[facet].simplicial = false;
        for i in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[i];
            self.facets[neighbor].seen = false;
        }
        for i in 0..self.facets[facet].ridges.len() {
            let other = self.ridges[self.facets[facet].ridges[i]].other(facet);
            self.facets[other].seen = true;
        }
        for i in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[i];
            if self.facets[neighbor].seen {
                continue;
            }

            // a ridge to each of the others
            let f = &self.facets[facet];
            let top = f.toporient ^ (i % 2 == 1);
            let simplicial = self.facets[neighbor].simplicial;
            let ridge = Ridge {
                vertices: without(&f.vertices, i),
                top: if top { facet } else { neighbor },
                bottom: if top { neighbor } else { facet },
                simplicialtop: top || simplicial,
                simplicialbot: !top || simplicial,
                tested: f.tested,
                nonconvex: false,
            };
            let ridge = self.new_ridge(ridge);
            self.push_ridge(facet, ridge);
            self.push_ridge(neighbor, ridge);
        }
    }

    /// Takes a ridge out of both its facets.
    pub(super) fn delete_ridge(&mut self, ridge: usize) {
        if self.ridges[ridge].nonconvex {
            self.copy_nonconvex(ridge);
        }
        let Ridge { vertices, top, bottom, .. } = self.ridges[ridge];
        for vertex in vertices {
            self.vertices[vertex].delridge = true;
        }
        unordered_remove(&mut self.facets[top].ridges, ridge);
        unordered_remove(&mut self.facets[bottom].ridges, ridge);
        self.free_ridge(ridge);
    }

    /// Marks another ridge between the same facets as not convex instead of this one.
    fn copy_nonconvex(&mut self, ridge: usize) {
        let Ridge { top, bottom, .. } = self.ridges[ridge];
        self.ridges[ridge].nonconvex = false;
        let others = self.facets[top].ridges.iter().copied().filter(|r| *r != ridge);
        let mut between =
            others.filter(|&r| self.ridges[r].top == bottom || self.ridges[r].bottom == bottom);
        if let Some(other) = between.next() {
            self.ridges[other].nonconvex = true;
        }
    }

    /// Merges a triangle; `apex` says that its first vertex is the new one.
    fn merge_triangle(
        &mut self,
        facet1: usize,
        facet2: usize,
        apex: bool,
    ) -> Result<(), HullError> {
        let corners = self.facets[facet1].vertices.clone();
        let (opposite, added) = if apex {
            if !self.facets[facet2].newfacet {
                self.renew_vertices(&self.facets[facet2].vertices.clone());
            }
            let added = self.facets[facet2].vertices.first() != Some(&corners[0]);
            if added {
                self.facets[facet2].vertices.insert(0, corners[0]);
            }
            (corners[0], added)
        } else {
            self.add_opposite(facet1, facet2, &corners)?
        };

        // facets at the vertices
        for vertex in corners {
            if vertex == opposite && added {
                replace(&mut self.vertices[vertex].neighbors, facet1, facet2)?;
            } else {
                self.leave_vertex(vertex, facet1, facet2);
            }
        }

        // ridges and neighbours
        let mark = self.next_visit();
        for i in 0..self.facets[facet2].neighbors.len() {
            let neighbor = self.facets[facet2].neighbors[i];
            self.facets[neighbor].visit = mark;
        }
        let mut i = 0;
        while i < self.facets[facet1].ridges.len() {
            let ridge = self.facets[facet1].ridges[i];
            let other = self.ridges[ridge].other(facet1);
            if other == facet2 {
                self.delete_ridge(ridge);
                unordered_remove(&mut self.facets[facet2].neighbors, facet1);
                continue;
            }
            self.push_ridge(facet2, ridge);
            if self.facets[other].visit == mark {
                self.forget_neighbor(other, facet1, facet2)?;
            } else {
                self.facets[facet2].neighbors.push(other);
                replace(&mut self.facets[other].neighbors, facet1, facet2)?;
                self.facets[other].visit = mark;
            }
            self.hand_over(ridge, facet1, facet2);
            i += 1;
        }
        Ok(())
    }

    /// Adds the vertex of a triangle that its ridge with `facet2` does not have.
    fn add_opposite(
        &mut self,
        facet1: usize,
        facet2: usize,
        corners: &[usize],
    ) -> Result<(usize, bool), HullError> {
        // the ridge between the two, whose ends may go
        let ridges = self.facets[facet1].ridges.iter().copied();
        let shared = ridges.into_iter().find(|&r| self.ridges[r].other(facet1) == facet2);
        let ends = shared.map_or([NONE; 2], |r| self.ridges[r].vertices);
        for vertex in ends.into_iter().filter(|v| *v != NONE) {
            self.vertices[vertex].delridge = true;
        }

        // the third corner, in its place by id
        let opposite = corners.iter().copied().find(|v| !ends.contains(v));
        let opposite = opposite.ok_or(HullError::Precision)?;
        let vertices = &mut self.facets[facet2].vertices;
        let at = vertices.iter().position(|v| *v <= opposite).unwrap_or(vertices.len());
        let added = vertices.get(at) != Some(&opposite);
        if added {
            vertices.insert(at, opposite);
        }

        // vertices of changed facets are new
        if !self.facets[facet2].newfacet {
            self.renew_vertices(&self.facets[facet2].vertices.clone());
        } else {
            self.renew_vertices(&[opposite]);
        }
        Ok((opposite, added))
    }

    /// A vertex loses `facet1`; if only one facet is left there, `facet2` loses the vertex.
    fn leave_vertex(&mut self, vertex: usize, facet1: usize, facet2: usize) {
        unordered_remove(&mut self.vertices[vertex].neighbors, facet1);
        if self.vertices[vertex].neighbors.len() < 2 {
            ordered_remove(&mut self.facets[facet2].vertices, vertex);
            self.mark_deleted(vertex);
        }
    }

    /// `other` was a neighbour of both facets and becomes one of `facet2` only.
    fn forget_neighbor(
        &mut self,
        other: usize,
        facet1: usize,
        facet2: usize,
    ) -> Result<(), HullError> {
        self.make_ridges(other);
        let neighbors = &mut self.facets[other].neighbors;
        if neighbors.first() == Some(&facet1) {
            unordered_remove(neighbors, facet2);
            return replace(neighbors, facet1, facet2);
        }
        unordered_remove(neighbors, facet1);
        Ok(())
    }

    fn hand_over(&mut self, ridge: usize, facet1: usize, facet2: usize) {
        let r = &mut self.ridges[ridge];
        if r.top == facet1 {
            (r.top, r.simplicialtop) = (facet2, false);
        } else {
            (r.bottom, r.simplicialbot) = (facet2, false);
        }
    }

    /// Merges a facet of more than three vertices.
    fn merge_polygon(&mut self, facet1: usize, facet2: usize) -> Result<(), HullError> {
        // neighbours
        let mark = self.next_visit();
        for i in 0..self.facets[facet2].neighbors.len() {
            let neighbor = self.facets[facet2].neighbors[i];
            self.facets[neighbor].visit = mark;
        }
        for i in 0..self.facets[facet1].neighbors.len() {
            let neighbor = self.facets[facet1].neighbors[i];
            if self.facets[neighbor].visit == mark {
                self.forget_neighbor(neighbor, facet1, facet2)?;
            } else if neighbor != facet2 {
                self.facets[facet2].neighbors.push(neighbor);
                replace(&mut self.facets[neighbor].neighbors, facet1, facet2)?;
            }
        }
        unordered_remove(&mut self.facets[facet1].neighbors, facet2);
        unordered_remove(&mut self.facets[facet2].neighbors, facet1);

        // vertices, by decreasing id
        let shared = self.next_vertex_visit();
        let mut vertices = core::mem::take(&mut self.facets[facet2].vertices);
        for &vertex in &vertices {
            self.vertices[vertex].visit = shared;
        }
        vertices.extend(&self.facets[facet1].vertices);
        vertices.sort_unstable_by(|a, b| b.cmp(a));
        vertices.dedup();
        self.facets[facet2].vertices = vertices;

        // ridges
        let mut i = 0;
        while i < self.facets[facet2].ridges.len() {
            let ridge = self.facets[facet2].ridges[i];
            if self.ridges[ridge].top == facet1 || self.ridges[ridge].bottom == facet1 {
                self.delete_ridge(ridge);
            } else {
                i += 1;
            }
        }
        for i in 0..self.facets[facet1].ridges.len() {
            let ridge = self.facets[facet1].ridges[i];
            self.hand_over(ridge, facet1, facet2);
            self.push_ridge(facet2, ridge);
        }

        // facets at the vertices
        for vertex in self.facets[facet1].vertices.clone() {
            if self.vertices[vertex].visit == shared {
                self.leave_vertex(vertex, facet1, facet2);
            } else {
                replace(&mut self.vertices[vertex].neighbors, facet1, facet2)?;
            }
        }
        if !self.facets[facet2].newfacet {
            self.renew_vertices(&self.facets[facet2].vertices.clone());
        }
        Ok(())
    }
}

/// A triangle's vertices without one.
pub(super) fn without(vertices: &[usize], skip: usize) -> [usize; 2] {
    match skip {
        0 => [vertices[1], vertices[2]],
        1 => [vertices[0], vertices[2]],
        _ => [vertices[0], vertices[1]],
    }
}
