//! A mesh of the surface where a sampled field is zero: W. Lorensen and H. Cline, *Marching cubes*
//! (1987), with the vertices and triangles in the order in which MuJoCo has them.

use crate::sdf::cubes::TRIANGLES;

/// A surface of triangles, in the coordinates of the grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Isosurface {
    /// Corners of the triangles.
    pub vertices: Vec<[f32; 3]>,
    /// Unit normals at the corners, towards higher values.
    pub normals: Vec<[f32; 3]>,
    /// The triangles.
    pub faces: Vec<[u32; 3]>,
}

/// The surface where a field is zero; `field[(z * ny + y) * nx + x]`. Empty if the grid has no
/// cells or fewer numbers than it says.
pub fn marching_cubes(field: &[f32], [nx, ny, nz]: [usize; 3]) -> Isosurface {
    let numbers = nx.checked_mul(ny).and_then(|n| n.checked_mul(nz));
    if nx < 2 || ny < 2 || nz < 2 || numbers.is_none_or(|n| n > field.len()) {
        return Isosurface::default();
    }
    let slab = vec![[0; 3]; 2 * nx * ny];
    let mut march = March { field, nx, ny, slab, out: Isosurface::default() };
    for z in 0..nz - 1 {
        for y in 0..ny - 1 {
            for x in 0..nx - 1 {
                march.cell([x, y, z]);
            }
        }
    }
    let mut out = march.out;
    for n in &mut out.normals {
        let norm = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        *n = n.map(|x| x / norm);
    }
    out
}

struct March<'a> {
    field: &'a [f32],
    nx: usize,
    ny: usize,
    /// For two layers of grid points, the vertices on their edges along x, y and z.
    slab: Vec<[u32; 3]>,
    out: Isosurface,
}

/// The edges of a cell in the order in which they get their vertices: axis, and the end of the cell
/// along each axis.
const EDGES: [(usize, [usize; 3]); 12] = [
    (0, [0, 0, 0]),
    (0, [0, 1, 0]),
    (0, [0, 0, 1]),
    (0, [0, 1, 1]),
    (1, [0, 0, 0]),
    (1, [1, 0, 0]),
    (1, [0, 0, 1]),
    (1, [1, 0, 1]),
    (2, [0, 0, 0]),
    (2, [1, 0, 0]),
    (2, [0, 1, 0]),
    (2, [1, 1, 0]),
];

impl March<'_> {
    fn value(&self, [x, y, z]: [usize; 3]) -> f32 {
        self.field[(z * self.ny + y) * self.nx + x]
    }

    fn place(&self, [x, y, z]: [usize; 3]) -> usize {
        self.nx * self.ny * (z % 2) + y * self.nx + x
    }

    /// The triangles in one cell, by its lowest corner.
    fn cell(&mut self, at: [usize; 3]) {
        let corner = |i: usize| core::array::from_fn(|k| at[k] + (i >> k & 1));
        let inside = (0..8).filter(|i| self.value(corner(*i)) < 0.0).fold(0, |set, i| set | 1 << i);
        if inside == 0 || inside == 255 {
            return;
        }

        // vertices on edges that no cell before had, then all edges' vertices
        let mut vertex = [0; 12];
        for (edge, &(axis, end)) in vertex.iter_mut().zip(&EDGES) {
            let from = core::array::from_fn(|k| at[k] + end[k]);
            let first = (0..3).all(|k| k == axis || end[k] == 1 || at[k] == 0);
            if first {
                self.cut(from, axis);
            }
            *edge = self.slab[self.place(from)][axis];
        }

        let mut edges = TRIANGLES[inside].bytes().map(|digit| match digit {
            b'A'..=b'F' => vertex[usize::from(digit - b'A') + 10],
            _ => vertex[usize::from(digit.wrapping_sub(b'0'))],
        });
        while let (Some(a), Some(b), Some(c)) = (edges.next(), edges.next(), edges.next()) {
            self.triangle([a, b, c]);
        }
    }

    /// Makes a vertex where an edge is cut, if it is.
    fn cut(&mut self, from: [usize; 3], axis: usize) {
        let mut to = from;
        to[axis] += 1;
        let (a, b) = (self.value(from), self.value(to));
        if (a < 0.0) == (b < 0.0) {
            return;
        }
        let mut vertex = from.map(|x| x as f32);
        vertex[axis] += a / (a - b);
        let place = self.place(from);
        self.slab[place][axis] = self.out.vertices.len() as u32;
        self.out.vertices.push(vertex);
        self.out.normals.push([0.0; 3]);
    }

    /// Adds a triangle, and its normal to the normals of its corners.
    fn triangle(&mut self, face: [u32; 3]) {
        let [a, b, c] = face.map(|i| self.out.vertices[i as usize]);
        let minus = |p: [f32; 3], q: [f32; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
        let (u, v) = (minus(c, b), minus(a, b));
        let normal =
            [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        for i in face {
            for (sum, x) in self.out.normals[i as usize].iter_mut().zip(normal) {
                *sum += x;
            }
        }
        self.out.faces.push(face);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_becomes_a_closed_surface_with_outward_normals() {
        const N: usize = 20;
        let mut field = Vec::new();
        for z in 0..N {
            for y in 0..N {
                for x in 0..N {
                    let d = [x, y, z].map(|k| k as f32 - 9.3);
                    field.push((d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt() - 7.0);
                }
            }
        }
        let ball = marching_cubes(&field, [N, N, N]);
        for (v, n) in ball.vertices.iter().zip(&ball.normals) {
            let out = v.map(|x| (x - 9.3) / 7.0);
            let along = out[0] * n[0] + out[1] * n[1] + out[2] * n[2];
            assert!(along > 0.97, "{v:?} {n:?}");
        }

        // every edge has a triangle on either side
        let mut edges: Vec<[u32; 2]> =
            ball.faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        let mut back: Vec<[u32; 2]> = edges.iter().map(|&[a, b]| [b, a]).collect();
        edges.sort_unstable();
        back.sort_unstable();
        assert_eq!(edges, back);
    }

    #[test]
    fn a_grid_without_cells_has_no_surface() {
        assert_eq!(marching_cubes(&[1.0; 8], [8, 1, 1]), Isosurface::default());
        assert_eq!(marching_cubes(&[1.0; 7], [2, 2, 2]), Isosurface::default());
    }
}
