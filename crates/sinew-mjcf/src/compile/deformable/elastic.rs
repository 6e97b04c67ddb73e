//! Stiffness of flexes: of triangles, tetrahedra, bending edges, and of the lattice of nodes.

use sinew_math::lagrange::{slope, value};
use sinew_math::{Vec3, scalar};

use crate::pose::unit_vec;

/// Young's modulus and Poisson's ratio.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material {
    pub(crate) young: f64,
    pub(crate) poisson: f64,
}

/// Upper triangle of an element's matrix over its edges; triangles use the first six numbers.
pub(crate) type Stiffness = [f64; 21];

/// The two faces (of a triangle: edges) that are not at an edge, as corners of the element. Edges
/// are numbered as in `flex_elemedge`.
const TRIANGLE: [[[usize; 2]; 2]; 3] = [[[2, 0], [0, 1]], [[0, 1], [1, 2]], [[1, 2], [2, 0]]];
const TETRAHEDRON: [[[usize; 3]; 2]; 6] = [
    [[1, 2, 3], [2, 0, 3]],
    [[0, 1, 3], [2, 0, 3]],
    [[1, 2, 3], [0, 1, 3]],
    [[0, 1, 3], [2, 1, 0]],
    [[2, 1, 0], [1, 2, 3]],
    [[2, 1, 0], [2, 0, 3]],
];

/// Stiffness of a triangle of a given thickness against stretching.
///
/// The strain is written in the symmetric products of the normals of the other two edges:
/// Weischedel, *A discrete geometric view on shear-deformable shell models* (2012), §4.1; linear
/// finite elements without coordinates. MuJoCo `ComputeStiffness<Stencil2D>`.
pub(crate) fn triangle(x: [Vec3; 3], material: Material, thickness: f64) -> Stiffness {
    let area = unit_vec((x[1] - x[0]).cross(x[2] - x[0])).1 / 2.0;
    let basis = TRIANGLE.map(|[l, r]| {
        let left = x[l[0]] - x[l[1]];
        let right = x[r[1]] - x[r[0]];
        let normal = unit_vec(right.cross(left)).0;
        symmetric(normal.cross(left), right.cross(normal), 8.0 * area * area)
    });
    metric(&basis, material, area, thickness)
}

/// Stiffness of a tetrahedron: the same with the area normals of the faces not at the edge.
pub(crate) fn tetrahedron(x: [Vec3; 4], material: Material) -> Stiffness {
    let volume = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6.0;
    let normal = |f: [usize; 3]| (x[f[1]] - x[f[0]]).cross(x[f[2]] - x[f[0]]);
    let basis =
        TETRAHEDRON.map(|[l, r]| symmetric(normal(l), normal(r), 36.0 * 2.0 * volume * volume));
    metric(&basis, material, volume, 4.0)
}

/// (a bᵀ + b aᵀ) / scale.
fn symmetric(a: Vec3, b: Vec3, scale: f64) -> [[f64; 3]; 3] {
    core::array::from_fn(|i| core::array::from_fn(|j| (a[i] * b[j] + b[i] * a[j]) / scale))
}

/// μ tr(Eₐ E_b) + λ tr(Eₐ) tr(E_b) for every pair of edges, with Lamé's parameters.
#[doc(alias = "MetricTensor")]
fn metric(basis: &[[[f64; 3]; 3]], material: Material, volume: f64, thickness: f64) -> Stiffness {
    let Material { young: e, poisson: nu } = material;
    let mu = e / (2.0 * (1.0 + nu)) * volume.abs() / 4.0 * thickness;
    let la = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)) * volume.abs() / 4.0 * thickness;
    let trace = |m: &[[f64; 3]; 3]| (0..3).fold(0.0, |sum, i| sum + m[i][i]);
    let mut out = [0.0; 21];
    let mut next = 0;
    for (i, a) in basis.iter().enumerate() {
        for b in &basis[i..] {
            let mut product = 0.0;
            for r in 0..3 {
                for c in 0..3 {
                    product += a[r][c] * b[c][r];
                }
            }
            out[next] = mu * product + la * trace(b) * trace(a);
            next += 1;
        }
    }
    out
}

/// Bending stiffness of the edge between `x[0]` and `x[1]` with `x[2]` and `x[3]` opposite to it:
/// a 4×4 matrix over these points, and the coefficient of the rest curvature.
///
/// The matrix is from Wardetzky et al., *Discrete Quadratic Curvature Energies* (2007); the
/// coefficient from Garg et al., *Cubic Shells* (2007). MuJoCo `ComputeBending`.
pub(crate) fn bending(x: [Vec3; 4], shear: f64, thickness: f64) -> [f64; 17] {
    let cot = |a: usize, b: usize, c: usize| {
        let (e1, e2) = (x[b] - x[a], x[c] - x[a]);
        let normal = e1.cross(e2);
        e1.dot(e2) / normal.dot(normal).sqrt()
    };
    let area = |a: usize, b: usize, c: usize| {
        let normal = (x[b] - x[a]).cross(x[c] - x[a]);
        normal.dot(normal).sqrt() / 2.0
    };
    let (a01, a02) = (cot(0, 1, 2), cot(0, 3, 1));
    let (a03, a04) = (cot(1, 2, 0), cot(1, 0, 3));
    let c = [a03 + a04, a01 + a02, -(a01 + a03), -(a02 + a04)];
    let volume = area(0, 1, 2) + area(1, 0, 3);
    let stiffness = 3.0 * shear * scalar::pow(thickness, 3.0) / (24.0 * volume);

    // cosine of the angle between both triangles
    let (e0, e1, e2) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let (e3, e4) = (x[2] - x[1], x[3] - x[1]);
    let t0 = -(e1 * a03 + e3 * a01);
    let t1 = -(e2 * a04 + e4 * a02);
    let square = e0.dot(e0);
    let cosine = -t0.dot(t1) / square;

    let mut out = [0.0; 17];
    for i in 0..4 {
        for j in 0..4 {
            out[4 * i + j] += c[i] * c[j] * cosine * stiffness;
        }
    }
    out[16] =
        e0.cross(e1).dot(e2) * (a01 - a03) * (a04 - a02) * stiffness / (square * square.sqrt());
    out
}

/// Stiffness matrix of a lattice of nodes at rest, row by row: linear elasticity with trilinear or
/// triquadratic finite elements, integrated by Gauss' rule. MuJoCo `ComputeLinearStiffness`.
pub(crate) fn lattice(node: &[Vec3], material: Material, order: usize) -> Vec<f64> {
    let width = order + 1;
    let count = width * width * width;
    let size = node[count - 1] - node[0];
    let volume = size.x * size.y * size.z;
    let inverse = [1.0 / size.x, 1.0 / size.y, 1.0 / size.z];
    let Material { young: e, poisson: nu } = material;
    let la = e * nu / (1.0 + nu) / (1.0 - 2.0 * nu);
    let mu = e / (2.0 * (1.0 + nu));

    let (points, weights) = gauss(width);
    let mut out = vec![0.0; 9 * count * count];
    for at in 0..count {
        let at = [at / width / width, at / width % width, at % width];
        let [s, t, u] = at.map(|k| points[k]);
        let dvol = weights[at[0]] * weights[at[1]] * weights[at[2]] * volume;

        // gradients of the shape functions, in the coordinates of the lattice
        let gradients: Vec<[f64; 3]> = (0..count)
            .map(|i| {
                let (bx, by, bz) = (i / width / width, i / width % width, i % width);
                [
                    inverse[0] * (slope(s, bx, order) * value(t, by, order) * value(u, bz, order)),
                    inverse[1] * (value(s, bx, order) * slope(t, by, order) * value(u, bz, order)),
                    inverse[2] * (value(s, bx, order) * value(t, by, order) * slope(u, bz, order)),
                ]
            })
            .collect();
        for (i, di) in gradients.iter().enumerate() {
            for (j, dj) in gradients.iter().enumerate() {
                for k in 0..3 {
                    for l in 0..3 {
                        let entry = &mut out[3 * count * (3 * i + k) + 3 * j + l];
                        *entry -= la * di[k] * dj[l] * dvol;
                        *entry -= mu * contracted(strain(di, k), strain(dj, l)) * dvol;
                    }
                }
            }
        }
    }
    out
}

/// Symmetric part of the displacement gradient whose row `k` is `row`.
fn strain(row: &[f64; 3], k: usize) -> [[f64; 3]; 3] {
    let full = |i: usize, j: usize| if i == k { row[j] } else { 0.0 };
    core::array::from_fn(|i| core::array::from_fn(|j| (full(i, j) + full(j, i)) / 2.0))
}

/// tr(A B).
fn contracted(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> f64 {
    let entry = |i: usize| a[i][0] * b[0][i] + a[i][1] * b[1][i] + a[i][2] * b[2][i];
    entry(0) + entry(1) + entry(2)
}

/// Points and weights on [0, 1]. The outer points of the rule of three are MuJoCo's, at a distance
/// of ½ √(5/3) from the middle instead of ½ √(3/5).
#[doc(alias = "quadratureGaussLegendre")]
fn gauss(count: usize) -> (Vec<f64>, Vec<f64>) {
    let half = 0.5;
    if count == 2 {
        let offset = half / 3f64.sqrt();
        return (vec![-offset + half, offset + half], vec![half; 2]);
    }
    let offset = half / (3.0f64 / 5.0).sqrt();
    let weights = [8.0 / 9.0, 5.0 / 9.0, 5.0 / 9.0].map(|w| w * half);
    (vec![half, -offset + half, offset + half], weights.to_vec())
}
