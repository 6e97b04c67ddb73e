//! The surfaces of a model: meshes, hulls, height fields, planes.

use sinew_model::enums::GeomType;
use sinew_model::{HFieldId, MeshId, Model};

use crate::linear::{V3, dot};
use crate::mesh::{Mesh, face_normal};
use crate::shape::MAX_PARTS;
use crate::wide::Wide;

/// Maximum number of divisions of a plane's grid (`mjMAXPLANEGRID`).
const MAXPLANEGRID: usize = 200;

/// Cosine between vertex normal and face normal below which the face normal is used, because the
/// edge is sharp (`mjr_uploadMesh`).
const SMOOTH: f32 = 0.8;

/// The triangles of a mesh.
pub fn mesh(m: &Model, id: MeshId) -> Mesh {
    let mut out = Mesh::default();
    let vertadr = m.mesh_vertadr[id] as usize;
    let normaladr = m.mesh_normaladr[id] as usize;
    let texcoordadr = usize::try_from(m.mesh_texcoordadr[id]).ok();
    let first = m.mesh_faceadr[id] as usize;
    for face in first..first + m.mesh_facenum[id].max(0) as usize {
        let corners: [V3; 3] = m.mesh_face[face].map(|v| m.mesh_vert[vertadr + v as usize]);
        let own = face_normal(corners);
        let ids: [u32; 3] = core::array::from_fn(|k| {
            // a file may leave out the normals and texture coordinates of some faces
            let normal = usize::try_from(m.mesh_facenormal[face][k]).ok();
            let normal = normal.and_then(|n| m.mesh_normal.get(normaladr + n)).copied();
            let normal = normal.unwrap_or(own);
            match texcoordadr {
                Some(adr) => {
                    let uv = usize::try_from(m.mesh_facetexcoord[face][k]).ok();
                    let uv = uv.and_then(|t| m.mesh_texcoord.get(adr + t)).copied();
                    let uv = uv.unwrap_or_default();
                    out.vertex_uv(corners[k], normal, uv)
                }
                None => {
                    let normal = if dot(normal, own) < SMOOTH { own } else { normal };
                    out.vertex(corners[k], normal)
                }
            }
        });
        out.tri.push(ids);
    }
    out
}

/// The triangles of a mesh's convex hull; empty without a hull.
pub fn hull(m: &Model, id: MeshId) -> Mesh {
    let mut out = Mesh::default();
    let Ok(adr) = usize::try_from(m.mesh_graphadr[id]) else { return out };
    let vertadr = m.mesh_vertadr[id] as usize;
    let (nvert, nface) = (m.mesh_graph[adr] as usize, m.mesh_graph[adr + 1] as usize);
    let first = adr + 2 + 3 * nvert + 3 * nface;
    for face in 0..nface {
        let corner = |k: usize| m.mesh_vert[vertadr + m.mesh_graph[first + 3 * face + k] as usize];
        out.flat([corner(0), corner(1), corner(2)]);
    }
    out
}

/// The surface of a height field, its sides and its bottom.
pub fn height_field(m: &Model, id: HFieldId) -> Mesh {
    let mut out = Mesh::default();
    let [sx, sy, sz, depth] = m.hfield_size[id].map(|x| x as f32);
    let (nr, nc) = (m.hfield_nrow[id] as usize, m.hfield_ncol[id] as usize);
    let adr = m.hfield_adr[id] as usize;
    let x = |c: usize| sx * (c as f32 / (0.5 * (nc as f32 - 1.0)) - 1.0);
    let y = |r: usize| sy * (r as f32 / (0.5 * (nr as f32 - 1.0)) - 1.0);
    let height = |r: usize, c: usize| m.hfield_data[adr + r * nc + c] * sz;
    let top = |r: usize, c: usize| [x(c), y(r), height(r, c)];

    // strips of triangles from upper to lower row
    for r in 0..nr.saturating_sub(1) {
        for c in 0..nc.saturating_sub(1) {
            out.flat([top(r + 1, c), top(r, c), top(r + 1, c + 1)]);
            out.flat([top(r, c), top(r, c + 1), top(r + 1, c + 1)]);
        }
    }

    // sides
    let below = |p: V3| [p[0], p[1], -depth];
    for r in 0..nr.saturating_sub(1) {
        let (a, b) = (top(r, 0), top(r + 1, 0));
        out.flat_quad([below(b), below(a), a, b], [-1.0, 0.0, 0.0]);
        let (a, b) = (top(r, nc - 1), top(r + 1, nc - 1));
        out.flat_quad([below(a), below(b), b, a], [1.0, 0.0, 0.0]);
    }
    for c in 0..nc.saturating_sub(1) {
        let (a, b) = (top(0, c), top(0, c + 1));
        out.flat_quad([below(a), below(b), b, a], [0.0, -1.0, 0.0]);
        let (a, b) = (top(nr - 1, c), top(nr - 1, c + 1));
        out.flat_quad([below(b), below(a), a, b], [0.0, 1.0, 0.0]);
    }

    // bottom
    let n = (m.vis.quality.numquads.max(1) as usize).min(MAX_PARTS);
    let part = |k: usize| 2.0 * k as f32 / n as f32 - 1.0;
    for r in 0..n {
        for c in 0..n {
            let at = |c: usize, r: usize| [sx * part(c), sy * part(r), -depth];
            let corners = [at(c, r), at(c, r + 1), at(c + 1, r + 1), at(c + 1, r)];
            out.flat_quad(corners, [0.0, 0.0, -1.0]);
        }
    }
    out
}

/// The grid lines of a plane in x and y; light is computed at their intersections.
#[derive(Clone, Debug)]
pub(crate) struct PlaneGrid {
    pub(crate) lines: [Vec<f32>; 2],
    /// Cells per unit of length.
    per_unit: [f32; 2],
}

impl PlaneGrid {
    fn new(lines: [Vec<f32>; 2]) -> PlaneGrid {
        let per_unit = [0, 1].map(|k| match lines[k].get(1..3) {
            Some(&[a, b]) if b > a => 1.0 / (b - a),
            _ => 0.0,
        });
        PlaneGrid { lines, per_unit }
    }

    /// The cells that contain coordinates. All lines except the outermost have equal spacing.
    #[inline(always)]
    pub(crate) fn cells<W: Wide>(&self, axis: usize, x: W) -> W {
        let lines = &self.lines[axis];
        let last = lines.len().saturating_sub(2) as f32;
        let from = x.plus(-lines[1]).times(self.per_unit[axis]).floor();
        from.plus(1.0).most(W::zero()).least(W::splat(last))
    }

    /// Relative positions of coordinates in a cell, from 0 to 1.
    #[inline(always)]
    pub(crate) fn part<W: Wide>(&self, axis: usize, cell: usize, x: W) -> W {
        let [from, to] = [0, 1].map(|k| self.lines[axis][cell + k]);
        let inverse = if to > from { 1.0 / (to - from) } else { 0.0 };
        x.plus(-from).times(inverse).clamp01()
    }

    /// Bounds of the plane along an axis.
    pub(crate) fn range(&self, axis: usize) -> [f32; 2] {
        let lines = &self.lines[axis];
        [lines[0], lines[lines.len() - 1]]
    }
}

/// The grids of all planes of a model, in the order of its geoms.
pub(crate) fn plane_grids(m: &Model) -> Vec<PlaneGrid> {
    let planes = m.geoms().filter(|&g| m.geom_type[g] == GeomType::Plane);
    let lines = |g, k: usize| {
        let size = m.geom_size[g];
        if size[k] > 0.0 {
            finite_lines(size[k], size.z)
        } else {
            let far = f64::from(m.vis.map.zfar) * m.stat.extent;
            let repeat = m.geom_matid[g].get().map_or(0.0, |mat| m.mat_texrepeat[mat][k]);
            let default = 2.1 * far / (MAXPLANEGRID as f64 - 2.0);
            endless_lines(far, if repeat > 0.0 { f64::from(2.0 / repeat) } else { default })
        }
    };
    planes.map(|g| PlaneGrid::new([lines(g, 0), lines(g, 1)])).collect()
}

/// Lines from -`half` to `half`, `2 spacing` apart; the outermost cells are smaller.
fn finite_lines(half: f64, spacing: f64) -> Vec<f32> {
    let spacing = spacing.max(half / (MAXPLANEGRID as f64 - 2.0));
    let cells = (half / spacing.max(1e-15)).floor() as usize;
    let cells = cells - cells % 2;
    let pad = half - cells as f64 * spacing;
    let inner = (0..=cells).map(|x| -half + pad + x as f64 * spacing * 2.0);
    let all = [-half].into_iter().chain(inner).map(|x| x.min(half) as f32);
    let mut lines: Vec<f32> = all.collect();
    lines.push(half as f32);
    lines
}

/// Lines of an infinite plane, which reach beyond the far plane.
fn endless_lines(far: f64, step: f64) -> Vec<f32> {
    let d = (2.1 * far + 2.0 * step) / MAXPLANEGRID as f64;
    (0..=MAXPLANEGRID).map(|x| (d * x as f64 - d * (MAXPLANEGRID / 2) as f64) as f32).collect()
}
