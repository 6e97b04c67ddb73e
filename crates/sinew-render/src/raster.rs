//! Which samples of a tile a triangle covers, and at which depth.
//!
//! Edges are linear forms (Pineda, "A parallel algorithm for polygon rasterization", 1988). Two
//! triangles that share an edge have forms that are each other's negative to the last bit, so
//! there are no gaps between them. Samples are looked at in blocks of four: the four samples of a
//! pixel, or four pixels in a row with one sample each.

use crate::spot::Spot;

/// Numbers for the four samples of a block.
pub(crate) type Four = [f32; 4];

/// Where the samples of a block are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Samples {
    /// Pixels that a block is wide: 1 if a pixel has four samples, 4 if it has one.
    pub(crate) width: usize,
    x: Four,
    y: Four,
}

/// Four samples in every pixel, where OpenGL implementations have them, seen from the top.
pub(crate) const MULTIPLE: Samples =
    Samples { width: 1, x: [0.375, 0.875, 0.125, 0.625], y: [0.875, 0.625, 0.375, 0.125] };

/// One sample in the middle of every pixel.
pub(crate) const SINGLE: Samples =
    Samples { width: 4, x: [0.5, 1.5, 2.5, 3.5], y: [0.5, 0.5, 0.5, 0.5] };

/// A triangle as linear forms of the pixels of a tile.
pub(crate) struct Edges {
    /// Forms a x + b y + c, positive inside, for the edge opposite to each corner.
    a: [f32; 3],
    b: [f32; 3],
    c: [f32; 3],
    /// What turns the forms into barycentric coordinates.
    pub(crate) inverse_area: f32,
    /// Depth as a form.
    pub(crate) depth: [f32; 3],
    /// First and last pixels of the tile that it may cover.
    x: [usize; 2],
    y: [usize; 2],
}

impl Edges {
    /// The triangle in the tile at (`ox`, `oy`), `size` pixels wide; none if it is not in it.
    #[inline]
    pub(crate) fn new(corners: [Spot; 3], ox: usize, oy: usize, size: usize) -> Option<Edges> {
        let p = corners.map(|s| [f64::from(s.x) - ox as f64, f64::from(s.y) - oy as f64]);
        let area =
            (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
        let sign = if area < 0.0 { -1.0 } else { 1.0 };
        let mut form = [[0.0f64; 3]; 3];
        for i in 0..3 {
            let ([xj, yj], [xk, yk]) = (p[(i + 1) % 3], p[(i + 2) % 3]);
            form[i] = [sign * (yj - yk), sign * (xk - xj), sign * (xj * yk - xk * yj)];
        }
        let inverse = 1.0 / area.abs();
        let depth = core::array::from_fn(|k| {
            let sum: f64 = (0..3).map(|i| f64::from(corners[i].z) * form[i][k]).sum();
            (sum * inverse) as f32
        });
        let range = |k: usize| {
            let low = p[0][k].min(p[1][k]).min(p[2][k]);
            let high = p[0][k].max(p[1][k]).max(p[2][k]);
            let inside = inverse.is_finite() && high >= 0.0 && low < size as f64;
            inside.then(|| [low.max(0.0) as usize, (high as usize).min(size - 1)])
        };
        Some(Edges {
            a: core::array::from_fn(|i| form[i][0] as f32),
            b: core::array::from_fn(|i| form[i][1] as f32),
            c: core::array::from_fn(|i| form[i][2] as f32),
            inverse_area: inverse as f32,
            depth,
            x: range(0)?,
            y: range(1)?,
        })
    }

    /// The form of one edge.
    pub(crate) fn form(&self, i: usize) -> [f32; 3] {
        [self.a[i], self.b[i], self.c[i]]
    }

    /// Calls `f` with every block that the triangle may cover, and the depths of its samples;
    /// those that are not covered have a depth of -1.
    #[inline(always)]
    pub(crate) fn cover(&self, samples: &Samples, size: usize, mut f: impl FnMut(usize, Four)) {
        let per_row = size / samples.width;
        let offset = |a: f32, b: f32| -> Four {
            core::array::from_fn(|l| a * samples.x[l] + b * samples.y[l])
        };
        let o: [Four; 3] = core::array::from_fn(|i| offset(self.a[i], self.b[i]));
        let [za, zb, zc] = self.depth;
        let oz = offset(za, zb);
        let wide = self.x[1] - self.x[0] > 8;
        for y in self.y[0]..=self.y[1] {
            let fy = y as f32;
            let row: [f32; 3] = core::array::from_fn(|i| self.b[i] * fy + self.c[i]);
            let zrow = zb * fy + zc;
            let [x0, x1] = if wide { self.span(&row, samples) } else { self.x };
            if x0 > x1 {
                continue;
            }
            for block in x0 / samples.width..=x1 / samples.width {
                let fx = (block * samples.width) as f32;
                let e: [f32; 3] = core::array::from_fn(|i| self.a[i] * fx + row[i]);
                let z0 = za * fx + zrow;
                let mut z = [0.0f32; 4];
                for l in 0..4 {
                    let (e0, e1, e2) = (e[0] + o[0][l], e[1] + o[1][l], e[2] + o[2][l]);
                    let least = if e0 < e1 { e0 } else { e1 };
                    let least = if least < e2 { least } else { e2 };
                    z[l] = if least >= 0.0 { z0 + oz[l] } else { -1.0 };
                }
                f(y * per_row + block, z);
            }
        }
    }

    /// First and last pixel of a row that may be covered, by the forms at its beginning.
    fn span(&self, row: &[f32; 3], samples: &Samples) -> [usize; 2] {
        let [mut low, mut high] = self.x.map(|x| x as f32);
        for i in 0..3 {
            // the most that the form can be at a pixel, beyond its value at the corner
            let a = self.a[i];
            let slack = self.b[i].max(0.0) + a.abs() * samples.width as f32;
            let zero = -(row[i] + slack) / a;
            if a > 0.0 {
                low = low.max(zero);
            } else if a < 0.0 {
                high = high.min(zero);
            } else if row[i] + slack < 0.0 {
                return [1, 0];
            }
        }
        if low > high { [1, 0] } else { [low as usize, high as usize] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(x: f32, y: f32) -> Spot {
        Spot { x, y, z: 0.5, invw: 1.0 }
    }

    #[test]
    fn two_halves_of_a_square_cover_every_sample_once() {
        for samples in [MULTIPLE, SINGLE] {
            let mut count = vec![[0; 4]; 32 * 32 / samples.width];
            let corners = [spot(-3.3, -2.1), spot(50.2, -1.7), spot(40.9, 60.0), spot(-9.0, 44.4)];
            for t in [[0, 1, 3], [1, 2, 3]] {
                let edges = Edges::new(t.map(|v| corners[v]), 0, 0, 32).expect("it is in the tile");
                edges.cover(&samples, 32, |block, z| {
                    for l in 0..4 {
                        count[block][l] += i32::from(z[l] >= 0.0);
                    }
                });
            }
            assert!(count.iter().all(|c| *c == [1; 4]));
        }
    }
}
