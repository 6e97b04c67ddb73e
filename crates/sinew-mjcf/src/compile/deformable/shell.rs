//! How the elements of a flex are connected: its border, the distance of elements from it, and
//! which vertices may touch which elements.

use std::collections::HashMap;

/// Edges of an element of 1, 2 or 3 dimensions, as corners.
const EDGES: [&[[usize; 2]]; 3] =
    [&[[0, 1]], &[[1, 2], [2, 0], [0, 1]], &[[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]]];

/// Fragments of an element of 1, 2 or 3 dimensions: its ends, edges or outward faces.
const FRAGMENTS: [&[&[usize]]; 3] = [
    &[&[0], &[1]],
    &[&[0, 1], &[1, 2], &[2, 0]],
    &[&[0, 1, 2], &[0, 2, 3], &[0, 3, 1], &[1, 3, 2]],
];

/// The edges of all elements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edges {
    /// The two vertices, the smaller number first.
    pub(crate) edge: Vec<[i32; 2]>,
    /// The vertices opposite to the edge in the first and the last triangle at it, or -1.
    pub(crate) flap: Vec<[i32; 2]>,
    /// As in the first triangle: its ends in order.
    pub(crate) ends: Vec<[i32; 2]>,
    /// Edges of each element.
    pub(crate) of_elem: Vec<i32>,
}

impl Edges {
    /// Numbers the edges in the order in which elements name them.
    pub(crate) fn of(elem: &[i32], dim: usize) -> Edges {
        let mut out = Edges::default();
        let mut known: HashMap<[i32; 2], usize> = HashMap::new();
        for corners in elem.chunks_exact(dim + 1) {
            for &[a, b] in EDGES[dim - 1] {
                let (first, second) = (corners[a], corners[b]);
                let pair = [first.min(second), first.max(second)];
                let opposite = if dim == 2 { corners[(b + 1) % 3] } else { -1 };
                let next = out.edge.len();
                let id = *known.entry(pair).or_insert(next);
                if id == next {
                    out.edge.push(pair);
                    out.ends.push([first, second]);
                    out.flap.push([opposite, -1]);
                } else {
                    out.flap[id][1] = opposite;
                }
                out.of_elem.push(id as i32);
            }
        }
        out
    }
}

/// Lists that follow from elements that share fragments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shell {
    /// Vertices of the fragments that only one element has, in the order of that element.
    pub(crate) shell: Vec<i32>,
    /// Distance of each element from the border, in elements; zero in one and two dimensions.
    pub(crate) layer: Vec<i32>,
    /// Elements and vertices of neighbours at the border that may touch.
    pub(crate) evpair: Vec<[i32; 2]>,
}

/// A fragment: its vertices sorted and as the element has them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fragment {
    sorted: Vec<i32>,
    elem: usize,
    vert: Vec<i32>,
}

/// Two elements with a common fragment.
struct Link {
    elems: [usize; 2],
    common: Vec<i32>,
}

impl Shell {
    #[doc(alias = "CreateShellPair")]
    pub(crate) fn of(elem: &[i32], dim: usize) -> Shell {
        let count = elem.len() / (dim + 1);
        let fragments = fragments(elem, dim);

        // equal fragments follow each other; one that is alone is on the border
        let mut border = vec![false; count];
        let mut out = Shell::default();
        let mut links = Vec::new();
        for group in fragments.chunk_by(|a, b| a.sorted == b.sorted) {
            if let [only] = group {
                border[only.elem] = true;
                out.shell.extend(&only.vert);
            }
            for pair in group.windows(2) {
                let elems = [pair[0].elem, pair[1].elem];
                links.push(Link { elems, common: pair[1].sorted.clone() });
            }
        }

        if dim == 3 {
            out.layer = layers(&border, &links);
        } else {
            out.layer = vec![0; count];
            out.evpair = links
                .iter()
                .filter(|link| link.elems.iter().any(|&e| border[e]))
                .flat_map(|link| touching(elem, dim, link))
                .collect();
        }
        out
    }
}

/// All fragments of all elements, sorted.
fn fragments(elem: &[i32], dim: usize) -> Vec<Fragment> {
    let mut out = Vec::with_capacity(elem.len());
    for (e, corners) in elem.chunks_exact(dim + 1).enumerate() {
        for fragment in FRAGMENTS[dim - 1] {
            let vert: Vec<i32> = fragment.iter().map(|&k| corners[k]).collect();
            let mut sorted = vert.clone();
            sorted.sort_unstable();
            out.push(Fragment { sorted, elem: e, vert });
        }
    }
    out.sort_unstable();
    out
}

/// Distances from the border, by relaxation along the links.
fn layers(border: &[bool], links: &[Link]) -> Vec<i32> {
    let far = border.len() as i32 + 1;
    let mut layer: Vec<i32> = border.iter().map(|&b| if b { 0 } else { far }).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &Link { elems: [a, b], .. } in links {
            if layer[a] > layer[b] + 1 {
                layer[a] = layer[b] + 1;
                changed = true;
            } else if layer[b] > layer[a] + 1 {
                layer[b] = layer[a] + 1;
                changed = true;
            }
        }
    }
    layer
}

/// For both linked elements: the other one, and the vertex that it does not share with it.
fn touching(elem: &[i32], dim: usize, link: &Link) -> Vec<[i32; 2]> {
    let pair = |this: usize, other: usize| {
        let corners = &elem[this * (dim + 1)..(this + 1) * (dim + 1)];
        let vert = corners.iter().find(|v| !link.common.contains(v))?;
        Some([other as i32, *vert])
    };
    let [a, b] = link.elems;
    [pair(a, b), pair(b, a)].into_iter().flatten().collect()
}
