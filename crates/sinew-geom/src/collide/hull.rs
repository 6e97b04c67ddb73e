//! The vertices of a hull and the graph that joins them.

use sinew_math::Vec3;

use crate::solid::Hull;

/// The graph of a hull: its vertices have numbers of their own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Graph<'a> {
    /// First entry of `edges` of each vertex.
    first_edge: &'a [i32],
    /// Number in the mesh of each vertex.
    in_mesh: &'a [i32],
    /// The neighbours of each vertex, ended by -1.
    edges: &'a [i32],
}

impl<'a> Graph<'a> {
    /// Reads the table of a model: sizes, first edges, numbers in the mesh, edges, faces.
    fn new(table: &'a [i32]) -> Option<Graph<'a>> {
        let n = usize::try_from(*table.first()?).ok()?;
        let (first_edge, rest) = table.get(2..)?.split_at_checked(n)?;
        let (in_mesh, edges) = rest.split_at_checked(n)?;
        Some(Graph { first_edge, in_mesh, edges })
    }

    /// The neighbours of a vertex.
    #[inline]
    fn around(&self, vertex: usize) -> impl Iterator<Item = usize> + use<'a> {
        let start = self.first_edge.get(vertex).and_then(|&e| usize::try_from(e).ok());
        let edges = start.and_then(|e| self.edges.get(e..)).unwrap_or(&[]);
        edges.iter().map_while(|&v| usize::try_from(v).ok())
    }
}

/// A vertex of a hull, and where to look for others.
#[derive(Clone, Copy, Debug)]
pub(super) enum Extreme<'a> {
    /// Number in the mesh of a hull without a graph.
    InMesh(usize),
    /// Number in the graph.
    InGraph(Graph<'a>, usize),
}

impl<'a> Hull<'a> {
    /// Vertex `i` of the mesh; the origin if there is none.
    #[inline]
    fn vertex(&self, i: usize) -> Vec3 {
        self.vert.get(i).map_or(Vec3::ZERO, |v| Vec3::from(v.map(f64::from)))
    }

    /// Vertex `i` of the graph.
    #[inline]
    fn graph_vertex(&self, graph: &Graph<'a>, i: usize) -> Vec3 {
        let in_mesh = graph.in_mesh.get(i).and_then(|&v| usize::try_from(v).ok());
        in_mesh.map_or(Vec3::ZERO, |v| self.vertex(v))
    }

    /// The vertex farthest in direction `dir`: by climbing the graph from its first vertex, else
    /// the first of the farthest.
    #[doc(alias = "mjccd_support")]
    pub(super) fn extreme(&self, dir: Vec3) -> (Vec3, Extreme<'a>) {
        let Some(graph) = Graph::new(self.graph) else {
            let mut best = (0, f64::NEG_INFINITY);
            for i in 0..self.vert.len() {
                let reach = dir.dot(self.vertex(i));
                if reach > best.1 {
                    best = (i, reach);
                }
            }
            return (self.vertex(best.0), Extreme::InMesh(best.0));
        };

        // climb until no neighbour is farther; the reach grows strictly, so this ends
        let mut at = 0;
        let mut reach = dir.dot(self.graph_vertex(&graph, at));
        loop {
            let start = at;
            for next in graph.around(start) {
                let next_reach = dir.dot(self.graph_vertex(&graph, next));
                if next_reach > reach {
                    reach = next_reach;
                    at = next;
                }
            }
            if at == start {
                break;
            }
        }
        (self.graph_vertex(&graph, at), Extreme::InGraph(graph, at))
    }

    /// Calls `see` for the neighbours of a vertex, or for all others if there is no graph, until it
    /// returns false.
    pub(super) fn around(&self, vertex: Extreme<'a>, mut see: impl FnMut(Vec3) -> bool) {
        match vertex {
            Extreme::InMesh(best) => {
                let mut others = (0..self.vert.len()).filter(|&i| i != best);
                others.all(|i| see(self.vertex(i)));
            }
            Extreme::InGraph(graph, best) => {
                graph.around(best).all(|i| see(self.graph_vertex(&graph, i)));
            }
        }
    }
}
