//! Clusters: neighbouring triangles of a large mesh that are rejected together.

use crate::linear::{V3, add, dot, normalize, scale, sub};
use crate::mesh::{Cluster, Mesh, face_normal};

/// Maximum number of triangles of a cluster.
const TRIANGLES: usize = 128;

/// Mark of a vertex that the current cluster does not have.
const ABSENT: u32 = u32::MAX;

/// The mesh with its triangles in clusters.
pub(crate) fn clustered(mesh: &Mesh) -> Mesh {
    // triangles in the order of a tree over their centres
    let third =
        |t: &[u32; 3]| t.iter().fold([0.0; 3], |sum, &v| add(sum, mesh.vert[v as usize].pos));
    let center: Vec<V3> = mesh.tri.iter().map(third).collect();
    let mut order: Vec<u32> = (0..mesh.tri.len() as u32).collect();
    let mut end = Vec::new();
    split(&center, &mut order, 0, &mut end);

    // each cluster has copies of its vertices
    let mut out = Mesh { radius: mesh.radius, ..Mesh::default() };
    let mut place = vec![ABSENT; mesh.vert.len()];
    let mut start = 0;
    for end in end {
        let first = out.vert.len();
        let used = &order[start..end];
        for &t in used {
            let corners = mesh.tri[t as usize].map(|v| {
                let at = &mut place[v as usize];
                if *at == ABSENT {
                    *at = out.vert.len() as u32;
                    out.vert.push(mesh.vert[v as usize]);
                }
                *at
            });
            out.tri.push(corners);
        }
        used.iter().flat_map(|&t| mesh.tri[t as usize]).for_each(|v| place[v as usize] = ABSENT);
        let bounds = bounds(&out, start, first);
        out.cluster.push(bounds);
        start = end;
    }
    out
}

/// Sorts triangles into clusters by halving along the longest side; `end` gets the ends of the
/// clusters. The list begins at triangle `start`.
fn split(center: &[V3], list: &mut [u32], start: usize, end: &mut Vec<usize>) {
    if list.len() <= TRIANGLES {
        end.push(start + list.len());
        return;
    }
    let at = |t: u32| center[t as usize];
    let side = |axis: usize| {
        let along = list.iter().map(|&t| at(t)[axis]);
        let (low, high) = along.fold((f32::MAX, f32::MIN), |(l, h), x| (l.min(x), h.max(x)));
        high - low
    };
    let length = [side(0), side(1), side(2)];
    let axis = (0..3).fold(0, |best, k| if length[k] > length[best] { k } else { best });

    // equal coordinates are ordered by number, so the result is unique
    let half = list.len() / 2;
    list.select_nth_unstable_by(half, |&a, &b| at(a)[axis].total_cmp(&at(b)[axis]).then(a.cmp(&b)));
    let (low, high) = list.split_at_mut(half);
    split(center, low, start, end);
    split(center, high, start + half, end);
}

/// The bounds of the last triangles of a mesh, from the given triangle and vertex on.
fn bounds(mesh: &Mesh, tri: usize, vert: usize) -> Cluster {
    // sphere around the middle of the box
    let points = || mesh.vert[vert..].iter().map(|v| v.pos);
    let least = points().fold([f32::MAX; 3], |m, p| [0, 1, 2].map(|k| m[k].min(p[k])));
    let most = points().fold([f32::MIN; 3], |m, p| [0, 1, 2].map(|k| m[k].max(p[k])));
    let center = scale(add(least, most), 0.5);
    let far = |p: V3| dot(sub(p, center), sub(p, center));
    let radius = points().map(far).fold(0.0, f32::max).sqrt();

    // cone of normals; triangles without area face nowhere
    let corners = |t: &[u32; 3]| t.map(|v| mesh.vert[v as usize].pos);
    let normals = || mesh.tri[tri..].iter().map(|t| face_normal(corners(t)));
    let axis = normalize(normals().fold([0.0; 3], add));
    let least = normals().map(|n| dot(n, axis)).fold(1.0, f32::min);
    let spread = if least > 0.0 { (1.0 - least * least).max(0.0).sqrt() } else { 1.0 };
    Cluster {
        tri: [tri, mesh.tri.len()],
        vert: [vert, mesh.vert.len()],
        center,
        radius,
        axis,
        spread,
    }
}
