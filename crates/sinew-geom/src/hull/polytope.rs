//! The growing polytope: facets, vertices and ridges in arenas, and the lists they are in.
//!
//! The order of every list is part of the result: MuJoCo stores the faces and vertices of a hull in
//! Qhull's final order, so lists are updated in Qhull's order. In particular an unordered removal
//! moves the last element into the gap.

use sinew_math::Vec3;

use crate::hull::error::HullError;
use crate::hull::tolerance::Tolerance;

/// No facet, vertex or ridge.
pub(super) const NONE: usize = usize::MAX;
/// The facet and the vertex that end the lists.
pub(super) const TAIL: usize = 0;

/// A side of the polytope. A facet is simplicial until it is merged with another: a triangle, whose
/// neighbour `i` is opposite to vertex `i`. After a merge, ridges are its edges with its
/// neighbours.
#[derive(Clone, Debug, Default)]
pub(super) struct Facet {
    pub(super) id: usize,
    pub(super) next: usize,
    pub(super) previous: usize,
    /// Plane: signed distance is `offset + normal · x`; none until it is computed.
    pub(super) normal: Option<Vec3>,
    pub(super) offset: f64,
    /// Centre of the vertices projected onto the plane, when it was needed.
    pub(super) center: Option<Vec3>,
    /// Vertices by decreasing id.
    pub(super) vertices: Vec<usize>,
    pub(super) ridges: Vec<usize>,
    /// Whether the list of ridges was ever used.
    pub(super) has_ridges: bool,
    pub(super) neighbors: Vec<usize>,
    /// Points above the facet, the furthest last.
    pub(super) outside: Vec<usize>,
    pub(super) furthest_dist: f64,
    /// Points within rounding of the facet, the furthest last.
    pub(super) coplanar: Vec<usize>,
    pub(super) maxoutside: f64,
    pub(super) nummerge: usize,
    pub(super) visit: u32,
    /// By state: the facet that replaces this one, the cycle of new facets to be merged into a
    /// coplanar neighbour, or this triangle's origin.
    pub(super) link: usize,
    pub(super) toporient: bool,
    pub(super) simplicial: bool,
    pub(super) seen: bool,
    pub(super) flipped: bool,
    pub(super) visible: bool,
    pub(super) newfacet: bool,
    pub(super) tested: bool,
    pub(super) tricoplanar: bool,
    pub(super) keepcentrum: bool,
    pub(super) newmerge: bool,
    pub(super) degenerate: bool,
    pub(super) redundant: bool,
    pub(super) mergehorizon: bool,
    pub(super) cycledone: bool,
    pub(super) coplanarhorizon: bool,
    pub(super) notfurthest: bool,
}

/// A corner of the polytope; its id is its place in the arena.
#[derive(Clone, Debug, Default)]
pub(super) struct Vertex {
    pub(super) next: usize,
    pub(super) previous: usize,
    pub(super) point: usize,
    pub(super) neighbors: Vec<usize>,
    pub(super) visit: u32,
    pub(super) seen: bool,
    pub(super) delridge: bool,
    pub(super) deleted: bool,
    pub(super) newfacet: bool,
    pub(super) partitioned: bool,
}

/// An edge between two facets of which at least one is not simplicial.
#[derive(Clone, Debug, Default)]
pub(super) struct Ridge {
    /// Ends by decreasing id.
    pub(super) vertices: [usize; 2],
    pub(super) top: usize,
    pub(super) bottom: usize,
    pub(super) tested: bool,
    pub(super) nonconvex: bool,
    pub(super) simplicialtop: bool,
    pub(super) simplicialbot: bool,
}

impl Ridge {
    pub(super) fn other(&self, facet: usize) -> usize {
        if self.top == facet { self.bottom } else { self.top }
    }
}

/// Why two facets are merged; the order decides which comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MergeKind {
    Coplanar,
    Concave,
    ConcaveCoplanar,
    Flip,
    Degenerate,
    Redundant,
    CoplanarHorizon,
}

/// A merge of the first facet into the second that is to be done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Merge {
    pub(super) facet1: usize,
    pub(super) facet2: usize,
    pub(super) kind: MergeKind,
    pub(super) distance: f64,
}

/// The polytope and the state of its construction.
pub(super) struct Polytope<'a> {
    pub(super) points: &'a [Vec3],
    pub(super) tol: Tolerance,
    pub(super) interior: Vec3,
    pub(super) facets: Vec<Facet>,
    pub(super) vertices: Vec<Vertex>,
    pub(super) ridges: Vec<Ridge>,
    free_facets: Vec<usize>,
    free_ridges: Vec<usize>,
    pub(super) facet_list: usize,
    pub(super) facet_next: usize,
    pub(super) newfacet_list: usize,
    pub(super) visible_list: usize,
    pub(super) vertex_list: usize,
    pub(super) newvertex_list: usize,
    pub(super) num_facets: usize,
    pub(super) num_vertices: usize,
    pub(super) num_visible: usize,
    facet_id: usize,
    pub(super) first_newfacet: usize,
    pub(super) visit: u32,
    pub(super) vertex_visit: u32,
    /// Distance of the furthest point above a facet that was accepted.
    pub(super) max_outside: f64,
    pub(super) max_vertex: f64,
    pub(super) min_vertex: f64,
    pub(super) maxoutside_now: f64,
    pub(super) total_merges: usize,
    pub(super) narrow: bool,
    pub(super) vertex_neighbors: bool,
    pub(super) findbestnew: bool,
    pub(super) findbest_notsharp: bool,
    pub(super) repartitioned: usize,
    pub(super) del_vertices: Vec<usize>,
    pub(super) facet_merges: Vec<Merge>,
    pub(super) degen_merges: Vec<Merge>,
    pub(super) stack: Vec<usize>,
    /// Where the facet that starts at a vertex of the horizon is, while new facets are matched.
    pub(super) at_vertex: Vec<[(usize, usize); 2]>,
}

impl<'a> Polytope<'a> {
    pub(super) fn new(points: &'a [Vec3], tol: Tolerance) -> Self {
        // the end of the list counts as new: the next facet to process may be there
        let tail =
            Facet { next: NONE, previous: NONE, link: NONE, newfacet: true, ..Facet::default() };
        let end = Vertex { next: NONE, previous: NONE, point: NONE, ..Vertex::default() };
        Polytope {
            points,
            max_vertex: tol.dist_round,
            min_vertex: -tol.dist_round,
            interior: Vec3::ZERO,
            facets: vec![tail],
            vertices: vec![end],
            ridges: Vec::new(),
            free_facets: Vec::new(),
            free_ridges: Vec::new(),
            facet_list: TAIL,
            facet_next: NONE,
            newfacet_list: TAIL,
            visible_list: NONE,
            vertex_list: TAIL,
            newvertex_list: TAIL,
            num_facets: 0,
            num_vertices: 0,
            num_visible: 0,
            facet_id: 1,
            first_newfacet: 0,
            visit: 0,
            vertex_visit: 0,
            max_outside: 0.0,
            maxoutside_now: (tol.one_merge + tol.dist_round).max(tol.min_outside),
            tol,
            total_merges: 0,
            narrow: false,
            vertex_neighbors: false,
            findbestnew: false,
            findbest_notsharp: false,
            repartitioned: 0,
            del_vertices: Vec::new(),
            facet_merges: Vec::new(),
            degen_merges: Vec::new(),
            stack: Vec::new(),
            at_vertex: Vec::new(),
        }
    }

    pub(super) fn point_of(&self, vertex: usize) -> Vec3 {
        self.points[self.vertices[vertex].point]
    }

    /// Whether a list goes on at this facet.
    pub(super) fn in_list(&self, facet: usize) -> bool {
        facet != NONE && self.facets[facet].next != NONE
    }

    /// The facets from `start` to the end of the list.
    pub(super) fn facets_from(&self, start: usize) -> impl Iterator<Item = usize> + '_ {
        let mut at = start;
        core::iter::from_fn(move || {
            if !self.in_list(at) {
                return None;
            }
            let facet = at;
            at = self.facets[facet].next;
            Some(facet)
        })
    }

    /// The vertices from `start` to the end of the list.
    pub(super) fn vertices_from(&self, start: usize) -> impl Iterator<Item = usize> + '_ {
        let mut at = start;
        core::iter::from_fn(move || {
            if at == NONE || self.vertices[at].next == NONE {
                return None;
            }
            let vertex = at;
            at = self.vertices[vertex].next;
            Some(vertex)
        })
    }

    /// The facets about to be deleted, which begin the visible list.
    pub(super) fn visible_facets(&self) -> Vec<usize> {
        let mut list = Vec::new();
        let mut at = self.visible_list;
        while at != NONE && self.facets[at].visible {
            list.push(at);
            at = self.facets[at].next;
        }
        list
    }

    pub(super) fn next_visit(&mut self) -> u32 {
        self.visit += 1;
        self.visit
    }

    pub(super) fn next_vertex_visit(&mut self) -> u32 {
        self.vertex_visit += 1;
        self.vertex_visit
    }

    pub(super) fn next_facet_id(&self) -> usize {
        self.facet_id
    }

    pub(super) fn new_facet(&mut self) -> usize {
        let facet = Facet {
            id: self.facet_id,
            next: NONE,
            previous: NONE,
            link: NONE,
            maxoutside: self.tol.dist_round,
            simplicial: true,
            newfacet: true,
            ..Facet::default()
        };
        self.facet_id += 1;
        match self.free_facets.pop() {
            Some(at) => {
                self.facets[at] = facet;
                at
            }
            None => {
                self.facets.push(facet);
                self.facets.len() - 1
            }
        }
    }

    pub(super) fn new_vertex(&mut self, point: usize) -> usize {
        self.vertices.push(Vertex { next: NONE, previous: NONE, point, ..Vertex::default() });
        self.vertices.len() - 1
    }

    pub(super) fn new_ridge(&mut self, ridge: Ridge) -> usize {
        match self.free_ridges.pop() {
            Some(at) => {
                self.ridges[at] = ridge;
                at
            }
            None => {
                self.ridges.push(ridge);
                self.ridges.len() - 1
            }
        }
    }

    pub(super) fn free_ridge(&mut self, ridge: usize) {
        self.free_ridges.push(ridge);
    }

    pub(super) fn push_ridge(&mut self, facet: usize, ridge: usize) {
        self.facets[facet].ridges.push(ridge);
        self.facets[facet].has_ridges = true;
    }

    pub(super) fn append_facet(&mut self, facet: usize) {
        if self.newfacet_list == TAIL {
            self.newfacet_list = facet;
            if self.visible_list == TAIL {
                self.visible_list = facet;
            }
        }
        if self.facet_next == TAIL {
            self.facet_next = facet;
        }
        let previous = self.facets[TAIL].previous;
        self.facets[facet].previous = previous;
        self.facets[facet].next = TAIL;
        if previous == NONE {
            self.facet_list = facet;
        } else {
            self.facets[previous].next = facet;
        }
        self.facets[TAIL].previous = facet;
        self.num_facets += 1;
    }

    pub(super) fn remove_facet(&mut self, facet: usize) {
        let (next, previous) = (self.facets[facet].next, self.facets[facet].previous);
        for list in [&mut self.newfacet_list, &mut self.facet_next, &mut self.visible_list] {
            if *list == facet {
                *list = next;
            }
        }
        if previous == NONE {
            self.facet_list = next;
        } else {
            self.facets[previous].next = next;
        }
        self.facets[next].previous = previous;
        self.num_facets -= 1;
    }

    pub(super) fn move_to_end(&mut self, facet: usize) {
        self.remove_facet(facet);
        self.append_facet(facet);
    }

    /// Puts a facet before `list` and returns it as the new start of that list.
    pub(super) fn prepend_facet(&mut self, facet: usize, list: usize) -> usize {
        let list = if list == NONE { TAIL } else { list };
        let previous = self.facets[list].previous;
        self.facets[facet].previous = previous;
        if previous != NONE {
            self.facets[previous].next = facet;
        }
        self.facets[list].previous = facet;
        self.facets[facet].next = list;
        if self.facet_list == list {
            self.facet_list = facet;
        }
        if self.facet_next == list {
            self.facet_next = facet;
        }
        self.num_facets += 1;
        facet
    }

    pub(super) fn delete_facet(&mut self, facet: usize) {
        self.remove_facet(facet);
        self.facets[facet] = Facet { visible: true, ..Facet::default() };
        self.free_facets.push(facet);
    }

    pub(super) fn append_vertex(&mut self, vertex: usize) {
        if self.newvertex_list == TAIL {
            self.newvertex_list = vertex;
        }
        let previous = self.vertices[TAIL].previous;
        let entry = &mut self.vertices[vertex];
        entry.newfacet = true;
        entry.previous = previous;
        entry.next = TAIL;
        if previous == NONE {
            self.vertex_list = vertex;
        } else {
            self.vertices[previous].next = vertex;
        }
        self.vertices[TAIL].previous = vertex;
        self.num_vertices += 1;
    }

    pub(super) fn remove_vertex(&mut self, vertex: usize) {
        let (next, previous) = (self.vertices[vertex].next, self.vertices[vertex].previous);
        if self.newvertex_list == vertex {
            self.newvertex_list = next;
        }
        if previous == NONE {
            self.vertex_list = next;
        } else {
            self.vertices[previous].next = next;
        }
        self.vertices[next].previous = previous;
        self.num_vertices -= 1;
    }

    /// Moves vertices that are not among the new ones there.
    pub(super) fn renew_vertices(&mut self, vertices: &[usize]) {
        for &vertex in vertices {
            if !self.vertices[vertex].newfacet {
                self.remove_vertex(vertex);
                self.append_vertex(vertex);
            }
        }
    }

    pub(super) fn mark_deleted(&mut self, vertex: usize) {
        self.vertices[vertex].deleted = true;
        self.del_vertices.push(vertex);
    }

    /// Takes a facet out of the polytope, to be freed with the visible ones.
    pub(super) fn will_delete(&mut self, facet: usize, replacement: usize) {
        self.remove_facet(facet);
        self.visible_list = self.prepend_facet(facet, self.visible_list);
        self.num_visible += 1;
        let entry = &mut self.facets[facet];
        entry.visible = true;
        entry.link = replacement;
        entry.ridges.clear();
        entry.neighbors.clear();
    }

    /// The facet that stands in for a deleted one; `NONE` if there is none.
    pub(super) fn replacement(&self, mut facet: usize) -> Result<usize, HullError> {
        for _ in 0..=self.facets.len() {
            if facet == NONE || !self.facets[facet].visible {
                return Ok(facet);
            }
            facet = self.facets[facet].link;
        }
        Err(HullError::Precision)
    }

    /// Frees the visible facets and the vertices that only they had.
    pub(super) fn delete_visible(&mut self) {
        for facet in self.visible_facets() {
            self.delete_facet(facet);
        }
        self.num_visible = 0;
        for vertex in core::mem::take(&mut self.del_vertices) {
            self.remove_vertex(vertex);
            self.vertices[vertex].neighbors = Vec::new();
        }
    }

    /// Ends a round: nothing is new any more, and nothing visible if `visible`.
    pub(super) fn reset_lists(&mut self, visible: bool) {
        let mut vertex = self.newvertex_list;
        while vertex != NONE && self.vertices[vertex].next != NONE {
            self.vertices[vertex].newfacet = false;
            vertex = self.vertices[vertex].next;
        }
        self.newvertex_list = NONE;
        self.first_newfacet = 0;
        let mut facet = self.newfacet_list;
        while self.in_list(facet) {
            self.facets[facet].newfacet = false;
            facet = self.facets[facet].next;
        }
        self.newfacet_list = NONE;
        if visible {
            for facet in self.visible_facets() {
                self.facets[facet].link = NONE;
                self.facets[facet].visible = false;
            }
            self.num_visible = 0;
        }
        self.visible_list = NONE;
    }

    /// Lists the facets at each vertex, if they are not kept up to date already.
    pub(super) fn make_vertex_neighbors(&mut self) {
        if self.vertex_neighbors {
            return;
        }
        let mut facet = self.facet_list;
        let mark = self.next_vertex_visit();
        while self.in_list(facet) {
            if !self.facets[facet].visible {
                for i in 0..self.facets[facet].vertices.len() {
                    let vertex = &mut self.vertices[self.facets[facet].vertices[i]];
                    if vertex.visit != mark {
                        vertex.visit = mark;
                        vertex.neighbors.clear();
                    }
                    vertex.neighbors.push(facet);
                }
            }
            facet = self.facets[facet].next;
        }
        self.vertex_neighbors = true;
    }
}

/// Removes an element; the last one takes its place. Says whether it was there.
pub(super) fn unordered_remove(set: &mut Vec<usize>, element: usize) -> bool {
    match set.iter().position(|e| *e == element) {
        Some(at) => {
            set.swap_remove(at);
            true
        }
        None => false,
    }
}

/// Removes an element and keeps the order of the others.
pub(super) fn ordered_remove(set: &mut Vec<usize>, element: usize) {
    if let Some(at) = set.iter().position(|e| *e == element) {
        set.remove(at);
    }
}

/// Replaces an element where it stands; an error if it is not there.
pub(super) fn replace(set: &mut [usize], old: usize, new: usize) -> Result<(), HullError> {
    let at = set.iter_mut().find(|e| **e == old).ok_or(HullError::Precision)?;
    *at = new;
    Ok(())
}

/// Appends before the last element.
pub(super) fn push_second_last(set: &mut Vec<usize>, element: usize) {
    set.push(element);
    let n = set.len();
    if n > 1 {
        set.swap(n - 2, n - 1);
    }
}
