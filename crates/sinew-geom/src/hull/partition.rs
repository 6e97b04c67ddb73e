//! Handing points on: which facet a point is above, if any.

use crate::hull::error::HullError;
use crate::hull::polytope::{NONE, Polytope, push_second_last};

/// A coplanar point that is this many times further out than expected is handed on again.
const RATIO_COPLANAR_OUTSIDE: f64 = 30.0;

/// The facet a point is furthest above.
struct Best {
    facet: usize,
    dist: f64,
    outside: bool,
}

impl Polytope<'_> {
    /// Distance beyond which a point is outside without searching further.
    fn dist_outside(&self) -> f64 {
        let factor = if self.total_merges > 50 { 2.0 } else { 1.0 };
        factor * (2.0 * self.tol.min_outside).max(self.max_outside)
    }

    /// Facets within this below the best one are searched too.
    fn search_dist(&self) -> f64 {
        let factor = if self.total_merges > 50 { 2.0 } else { 1.0 };
        let coplanar = self.tol.min_visible.max(self.tol.max_coplanar);
        factor * (self.max_outside + 2.0 * self.tol.dist_round + coplanar)
    }

    /// Gives every point that is not a corner of the simplex to a facet.
    pub(super) fn partition_all(&mut self, simplex: &[usize]) -> Result<(), HullError> {
        let mut points: Vec<usize> = (0..self.points.len()).collect();
        let limit = self.dist_outside();
        let mut sorted = simplex.to_vec();
        sorted.sort_unstable();
        for &corner in sorted.iter().rev() {
            points.remove(corner);
        }

        // the first facet that a point is clearly above; the furthest comes last
        for facet in self.facets_from(self.facet_list).collect::<Vec<_>>() {
            let mut best: Option<(usize, f64)> = None;
            let mut outside = Vec::new();
            let plane = &self.facets[facet];
            let (offset, n) = (plane.offset, plane.normal.unwrap_or_default());
            let all = self.points;
            points.retain(|&point| {
                let p = all[point];
                let dist = offset + p.x * n.x + p.y * n.y + p.z * n.z;
                if dist < limit {
                    return true;
                }
                match best {
                    Some((_, furthest)) if dist <= furthest => outside.push(point),
                    _ => {
                        outside.extend(best.map(|(last, _)| last));
                        best = Some((point, dist));
                    }
                }
                false
            });
            if let Some((point, dist)) = best {
                outside.push(point);
                self.facets[facet].furthest_dist = dist;
            }
            self.facets[facet].outside = outside;
        }

        // the others need a careful search
        self.findbestnew = true;
        for point in points {
            self.partition_point(point, self.facet_list)?;
        }
        self.findbestnew = false;
        self.reset_lists(true);
        self.facet_next = self.facet_list;
        self.start_with_furthest();
        Ok(())
    }

    /// Moves the facet with the furthest point to the front.
    fn start_with_furthest(&mut self) {
        let mut best: Option<(usize, f64)> = None;
        for facet in self.facets_from(self.facet_list) {
            let f = &self.facets[facet];
            if !f.outside.is_empty() && best.is_none_or(|(_, dist)| f.furthest_dist > dist) {
                best = Some((facet, f.furthest_dist));
            }
        }
        if let Some((facet, _)) = best {
            self.remove_facet(facet);
            self.facet_next = self.prepend_facet(facet, self.facet_next);
        }
    }

    /// Hands the points of the visible facets, and the vertices that were lost, to new facets.
    pub(super) fn partition_visible(&mut self) -> Result<(), HullError> {
        for visible in self.visible_facets() {
            // points of visible facets, from the facets that replace them
            let outside = core::mem::take(&mut self.facets[visible].outside);
            let coplanar = core::mem::take(&mut self.facets[visible].coplanar);
            if outside.is_empty() && coplanar.is_empty() {
                continue;
            }
            let mut start = self.replacement(visible)?;
            if start == NONE {
                start = self.newfacet_list;
            }
            if !self.in_list(start) {
                return Err(HullError::Precision);
            }
            for point in outside {
                self.partition_point(point, start)?;
            }
            for point in coplanar {
                self.partition_coplanar(point, start, None, self.findbestnew)?;
            }
        }

        // vertices that were removed
        for i in 0..self.del_vertices.len() {
            let vertex = self.del_vertices[i];
            if self.vertices[vertex].partitioned {
                continue;
            }
            if !self.in_list(self.newfacet_list) {
                return Err(HullError::Precision);
            }
            let point = self.vertices[vertex].point;
            self.partition_coplanar(point, self.newfacet_list, None, true)?;
            self.vertices[vertex].partitioned = true;
        }
        Ok(())
    }

    /// Gives a point to a facet below it, or keeps it as coplanar, or drops it.
    fn partition_point(&mut self, point: usize, start: usize) -> Result<(), HullError> {
        let best = if self.findbestnew {
            self.find_best_new(point, start, false)?
        } else {
            self.find_best(point, start, false, true)?
        };
        let Best { facet, dist, mut outside } = best;
        if facet == NONE || self.facets[facet].visible {
            return Err(HullError::Precision);
        }
        outside |= self.narrow && dist >= -self.tol.near_inside;
        if outside {
            self.push_outside(point, facet, dist);
        } else if dist >= -self.tol.max_coplanar || dist >= -self.tol.near_inside {
            self.partition_coplanar(point, facet, Some(dist), self.findbestnew)?;
        }
        Ok(())
    }

    fn push_outside(&mut self, point: usize, facet: usize, dist: f64) {
        let (narrow, limit) = (self.narrow, self.tol.min_outside);
        let f = &mut self.facets[facet];
        let mut fresh = false;
        if f.outside.is_empty() {
            f.outside.push(point);
            f.furthest_dist = dist;
            fresh = !narrow || dist > limit;
        } else if f.furthest_dist < dist {
            fresh = narrow && f.furthest_dist < limit && dist >= limit;
            f.outside.push(point);
            f.furthest_dist = dist;
        } else {
            push_second_last(&mut f.outside, point);
        }

        // a facet behind the next one to be processed goes to the end of the list
        if fresh && self.facet_next != facet {
            if self.facets[facet].newfacet {
                let next = self.facet_next;
                if next != NONE && self.facets[next].newfacet {
                    self.facet_next = self.newfacet_list;
                }
            } else {
                self.move_to_end(facet);
                if self.newfacet_list != NONE {
                    self.facets[facet].newfacet = true;
                }
            }
        }
    }

    /// Keeps a point that is on or just inside a facet (`dist` above it if that is known). A point
    /// that is above another facet goes to that facet.
    fn partition_coplanar(
        &mut self,
        point: usize,
        start: usize,
        dist: Option<f64>,
        all_new: bool,
    ) -> Result<(), HullError> {
        // the nearest facet; points far inside are dropped
        let (facet, dist, known) = match dist {
            Some(dist) => (start, dist, true),
            None => {
                let best = if all_new {
                    self.find_best_new(point, start, true)?
                } else {
                    self.find_best(point, start, true, false)?
                };
                if best.dist < -self.tol.near_inside {
                    self.repartitioned = 0;
                    return Ok(());
                }
                (best.facet, best.dist, false)
            }
        };
        if facet == NONE || self.facets[facet].visible {
            return Err(HullError::Precision);
        }

        // points that turn out to be outside are partitioned again
        if dist > self.max_outside {
            let corner = !known && start != facet && self.angle(start, facet) < 0.0;
            let far = dist > self.maxoutside_now * RATIO_COPLANAR_OUTSIDE;
            if !corner && far && start == facet {
                let id = self.facets[start].id;
                if id == self.repartitioned {
                    return Err(HullError::Precision);
                }
                self.repartitioned = id;
            }
            if corner || far {
                let before = core::mem::replace(&mut self.findbestnew, false);
                self.partition_point(point, facet)?;
                self.findbestnew = before;
                self.repartitioned = 0;
                return Ok(());
            }
            self.repartitioned = 0;
            self.max_outside = dist;
        }

        // kept with the facet, the furthest last
        let further = match self.facets[facet].coplanar.last() {
            Some(&last) => self.distance(self.points[last], facet) < dist,
            None => true,
        };
        let coplanar = &mut self.facets[facet].coplanar;
        if further {
            coplanar.push(point);
        } else {
            push_second_last(coplanar, point);
        }
        Ok(())
    }

    /// Searches uphill from `start`. Unless `furthest`, stops at the first facet that the point
    /// is outside of.
    fn find_best(
        &mut self,
        point: usize,
        start: usize,
        furthest: bool,
        only_new: bool,
    ) -> Result<Best, HullError> {
        let p = self.points[point];
        let mark = self.next_visit();
        let limit = self.tol.min_outside;
        let mut best = Best { facet: NONE, dist: -f64::MAX / 2.0, outside: true };
        if !self.facets[start].flipped {
            best = Best { facet: start, dist: self.distance(p, start), outside: true };
            if !furthest && best.dist >= limit {
                return Ok(best);
            }
        }
        self.facets[start].visit = mark;
        let mut facet = start;
        while facet != NONE {
            let mut uphill = NONE;
            for i in 0..self.facets[facet].neighbors.len() {
                let neighbor = self.facets[facet].neighbors[i];
                let f = &mut self.facets[neighbor];
                if (only_new && !f.newfacet) || f.visit == mark {
                    continue;
                }
                f.visit = mark;
                if f.flipped {
                    continue;
                }
                let dist = self.distance(p, neighbor);
                if dist > best.dist {
                    best = Best { facet: neighbor, dist, outside: true };
                    if !furthest && dist >= limit {
                        return Ok(best);
                    }
                    uphill = neighbor;
                    break;
                }
            }
            facet = uphill;
        }

        // the climb stops at a local maximum. Behind a sharp cone of new facets there may be a
        // higher one, so all new facets are searched.
        if only_new && best.facet == NONE {
            return self.find_best_new(point, self.newfacet_list, furthest);
        }
        if only_new && !self.findbest_notsharp && best.dist < -self.tol.dist_round {
            if self.sharp_new_facets() {
                self.findbestnew = true;
                return self.find_best_new(point, best.facet, furthest);
            }
            self.findbest_notsharp = true;
        }
        if best.facet == NONE {
            return Err(HullError::Precision);
        }
        self.find_best_horizon(point, &mut best);
        best.outside = best.dist >= limit;
        Ok(best)
    }

    /// Searches all new facets, those from `start` first.
    fn find_best_new(
        &mut self,
        point: usize,
        start: usize,
        furthest: bool,
    ) -> Result<Best, HullError> {
        if !self.in_list(start) {
            return Err(HullError::Precision);
        }

        // new facets from `start` on, then those before it
        let p = self.points[point];
        let mark = self.next_visit();
        let limit = self.dist_outside();
        let mut best = Best { facet: NONE, dist: -f64::MAX / 2.0, outside: true };
        for (pass, list) in [start, self.newfacet_list].into_iter().enumerate() {
            let mut facet = list;
            while self.in_list(facet) && !(pass == 1 && facet == start) {
                self.facets[facet].visit = mark;
                if !self.facets[facet].flipped {
                    let dist = self.distance(p, facet);
                    if dist > best.dist {
                        best = Best { facet, dist, outside: true };
                        if !furthest && dist >= limit {
                            return Ok(best);
                        }
                    }
                }
                facet = self.facets[facet].next;
            }
        }

        // and facets on the horizon that are nearer
        if best.facet == NONE {
            best.facet = start;
        }
        self.find_best_horizon(point, &mut best);
        best.outside = best.dist >= self.tol.min_outside;
        Ok(best)
    }

    /// Searches on over facets that are nearly as good, as coplanar ones are.
    fn find_best_horizon(&mut self, point: usize, best: &mut Best) {
        // neighbours of the best facet so far, and theirs, while they are near
        let p = self.points[point];
        let mark = self.next_visit();
        let search = self.search_dist();
        let mut low = best.dist - search;
        let mut queue = core::mem::take(&mut self.stack);
        queue.clear();
        self.facets[best.facet].visit = mark;
        let mut facet = best.facet;
        loop {
            let mut next = NONE;
            for i in 0..self.facets[facet].neighbors.len() {
                let neighbor = self.facets[facet].neighbors[i];
                if self.facets[neighbor].visit == mark {
                    continue;
                }
                self.facets[neighbor].visit = mark;
                if !self.facets[neighbor].flipped {
                    let dist = self.distance(p, neighbor);

                    // a better one; a much better one makes those that wait pointless
                    if dist > best.dist {
                        low = dist - search;
                        if dist > best.dist + search {
                            queue.clear();
                        }
                        (best.facet, best.dist) = (neighbor, dist);
                    } else if dist < low {
                        continue;
                    }
                }
                if next != NONE {
                    queue.push(next);
                }
                next = neighbor;
            }

            // the next neighbour, else the last that waits
            facet = next;
            if facet == NONE {
                match queue.pop() {
                    Some(last) => facet = last,
                    None => break,
                }
            }
        }
        self.stack = queue;
    }
}
