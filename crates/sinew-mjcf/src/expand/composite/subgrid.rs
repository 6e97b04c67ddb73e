//! Weights of a skin with vertices between the points of its composite: bicubic interpolation.
//!
//! On a square with corners 00, 10, 11, 01 the surface is a bicubic patch, given by f, f_x, f_y and
//! f_xy at the corners. Derivatives are differences of the points around it, central where there
//! are points on both sides.

/// Points of a row of `count` with `n` more between any two.
pub(super) fn refined(count: usize, n: usize) -> usize {
    count + (count - 1) * n
}

/// Vertices of a bone and their weights.
#[derive(Clone, Debug, Default)]
pub(super) struct Bound {
    pub(super) vert: Vec<i32>,
    pub(super) weight: Vec<f32>,
}

/// Corners of a square.
const CORNERS: [[usize; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];

/// For every point of a lattice of `count`: the vertices of the refined lattice, on both sheets,
/// that it moves, and how much.
#[doc(alias = "MakeSkin2Subgrid")]
pub(super) fn binding(count: [usize; 2], subgrid: usize) -> Vec<Bound> {
    let columns = refined(count[1], subgrid);
    let sheet = (refined(count[0], subgrid) * columns) as i32;
    let mut out = vec![Bound::default(); count[0] * count[1]];
    let steps = 1 + subgrid;
    for ix in 0..count[0] - 1 {
        for iy in 0..count[1] - 1 {
            let around = [border(ix, count[0]), border(iy, count[1])];
            let derivatives = derivatives(around);

            // the last square has the last row of vertices too
            for dx in 0..steps + usize::from(ix == count[0] - 2) {
                for dy in 0..steps + usize::from(iy == count[1] - 2) {
                    let vert = ((ix * steps + dx) * columns + iy * steps + dy) as i32;
                    let step = 1.0 / steps as f64;
                    let weights = weights(dx as f64 * step, dy as f64 * step, &derivatives);
                    for (k, &w) in weights.iter().enumerate().filter(|(_, w)| **w != 0.0) {
                        // points around the square: from one before to one after its far corner
                        let (bx, by) = (ix + k / 4, iy + k % 4);
                        let bone = bx.wrapping_sub(1).wrapping_mul(count[1]) + by.wrapping_sub(1);
                        if let Some(bound) = out.get_mut(bone) {
                            bound.vert.extend([vert, vert + sheet]);
                            bound.weight.extend([w as f32; 2]);
                        }
                    }
                }
            }
        }
    }
    out
}

/// Which end of a row a square is at.
#[derive(Clone, Copy, PartialEq)]
enum Border {
    First,
    Middle,
    Last,
}

fn border(i: usize, count: usize) -> Border {
    if i == 0 {
        Border::First
    } else if i == count - 2 {
        Border::Last
    } else {
        Border::Middle
    }
}

/// Weights of four points in a row for the derivative at the second (`corner` 0) or third.
fn slope(corner: usize, at: Border) -> [f64; 4] {
    match (corner, at) {
        (0, Border::First) => [0.0, -1.0, 1.0, 0.0],
        (0, _) => [-0.5, 0.0, 0.5, 0.0],
        (_, Border::Last) => [0.0, -1.0, 1.0, 0.0],
        _ => [0.0, -0.5, 0.0, 0.5],
    }
}

/// Weights of the 16 points around a square for f, f_x, f_y and f_xy at its corners.
fn derivatives(around: [Border; 2]) -> [[f64; 16]; 16] {
    let value = |corner: usize| match corner {
        0 => [0.0, 1.0, 0.0, 0.0],
        _ => [0.0, 0.0, 1.0, 0.0],
    };
    let mut out = [[0.0; 16]; 16];
    for (c, [cx, cy]) in CORNERS.into_iter().enumerate() {
        let (x, y) = ([value(cx), slope(cx, around[0])], [value(cy), slope(cy, around[1])]);
        for (row, (wx, wy)) in [
            (c, (x[0], y[0])),
            (4 + c, (x[1], y[0])),
            (8 + c, (x[0], y[1])),
            (12 + c, (x[1], y[1])),
        ] {
            for k in 0..16 {
                out[row][k] = wx[k / 4] * wy[k % 4];
            }
        }
    }
    out
}

/// Coefficients of xⁱ yʲ, row 4 i + j, from f, f_x, f_y and f_xy at the corners.
const CUBIC: [[f64; 16]; 16] = [
    [1., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.],
    [0., 0., 0., 0., 0., 0., 0., 0., 1., 0., 0., 0., 0., 0., 0., 0.],
    [-3., 0., 0., 3., 0., 0., 0., 0., -2., 0., 0., -1., 0., 0., 0., 0.],
    [2., 0., 0., -2., 0., 0., 0., 0., 1., 0., 0., 1., 0., 0., 0., 0.],
    [0., 0., 0., 0., 1., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.],
    [0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 1., 0., 0., 0.],
    [0., 0., 0., 0., -3., 0., 0., 3., 0., 0., 0., 0., -2., 0., 0., -1.],
    [0., 0., 0., 0., 2., 0., 0., -2., 0., 0., 0., 0., 1., 0., 0., 1.],
    [-3., 3., 0., 0., -2., -1., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.],
    [0., 0., 0., 0., 0., 0., 0., 0., -3., 3., 0., 0., -2., -1., 0., 0.],
    [9., -9., 9., -9., 6., 3., -3., -6., 6., -6., -3., 3., 4., 2., 1., 2.],
    [-6., 6., -6., 6., -4., -2., 2., 4., -3., 3., 3., -3., -2., -1., -1., -2.],
    [2., -2., 0., 0., 1., 1., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.],
    [0., 0., 0., 0., 0., 0., 0., 0., 2., -2., 0., 0., 1., 1., 0., 0.],
    [-6., 6., -6., 6., -3., -3., 3., 3., -4., 4., 2., -2., -2., -2., -1., -1.],
    [4., -4., 4., -4., 2., 2., -2., -2., 2., -2., -2., 2., 1., 1., 1., 1.],
];

/// Weights of the 16 points for the surface at (x, y) of the unit square.
fn weights(x: f64, y: f64, derivatives: &[[f64; 16]; 16]) -> [f64; 16] {
    let powers: [f64; 16] = core::array::from_fn(|k| {
        let px = (0..k / 4).fold(1.0, |p, _| p * x);
        (0..k % 4).fold(px, |p, _| p * y)
    });
    product(&product(&powers, &CUBIC), derivatives)
}

/// A row times a matrix; zeros of the row are skipped, as in `mju_mulMatMat`.
fn product(row: &[f64; 16], mat: &[[f64; 16]; 16]) -> [f64; 16] {
    let mut out = [0.0; 16];
    for (&scale, row) in row.iter().zip(mat).filter(|(scale, _)| **scale != 0.0) {
        for (to, x) in out.iter_mut().zip(row) {
            *to += x * scale;
        }
    }
    out
}
