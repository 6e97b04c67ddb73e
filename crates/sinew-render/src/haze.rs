//! Geometry of haze.

use core::f32::consts::{FRAC_1_SQRT_2, PI, TAU};

use crate::mesh::Mesh;

/// A ring of haze around the eye with radius `r`: opaque in the middle, transparent below and above
/// (`haze` in `render_context.c`). The first texture coordinate is the alpha.
pub(crate) fn haze_mesh(slices: usize, r: f32) -> Mesh {
    let mut mesh = Mesh::default();
    let alpha = 1f32.atan2(r);
    let beta = 0.75 * PI - alpha;
    let middle = FRAC_1_SQRT_2 * r * alpha.sin() / beta.sin();
    for (h, a) in [(0.0, 0.0), (middle, 1.0), (1.0, 0.0)] {
        for j in 0..slices {
            let (sa, ca) = (TAU * j as f32 / slices as f32).sin_cos();
            let radius = 1.0 - r * (1.0 - h);
            mesh.vertex_uv([ca * radius, sa * radius, h], [0.0, 0.0, 1.0], [a, 0.0]);
        }
    }
    let n = slices as u32;
    for ring in 0..2 {
        for j in 0..n {
            let (a, b) = (ring * n + j, ring * n + (j + 1) % n);
            mesh.quad([a, b, b + n, a + n]);
        }
    }
    mesh
}
