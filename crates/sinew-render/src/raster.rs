//! Rasterisation: the samples of a tile that a triangle covers, and their depths.
//!
//! Edges are linear forms (Pineda, "A parallel algorithm for polygon rasterization", 1988). Two
//! triangles that share an edge have forms that are exact negatives of each other, so there are no
//! gaps between them. Samples are tested in blocks of eight: the samples of two neighbouring
//! pixels, or eight pixels in a row with one sample each.

use crate::spot::Spot;
use crate::wide::{F8, LANES, Wide};

/// Values at the samples of a block.
pub(crate) type Block = [f32; LANES];

/// Positions of the samples of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Samples {
    /// Width of a block in pixels: 2 with four samples per pixel, 8 with one.
    pub(crate) width: usize,
    x: Block,
    y: Block,
}

/// Four samples per pixel at the positions of OpenGL implementations, seen from the top.
pub(crate) const MULTIPLE: Samples = Samples {
    width: 2,
    x: [0.375, 0.875, 0.125, 0.625, 1.375, 1.875, 1.125, 1.625],
    y: [0.875, 0.625, 0.375, 0.125, 0.875, 0.625, 0.375, 0.125],
};

/// One sample at the centre of every pixel.
pub(crate) const SINGLE: Samples =
    Samples { width: 8, x: [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5], y: [0.5; 8] };

/// A tile of an image: its origin and its size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile {
    pub(crate) origin: [usize; 2],
    pub(crate) size: [usize; 2],
}

/// A triangle as linear forms in the pixel coordinates of a tile.
pub(crate) struct Edges {
    /// Forms a x + b y + c for the edge opposite to each corner, positive inside.
    a: [f32; 3],
    b: [f32; 3],
    c: [f32; 3],
    /// Depth as a linear form.
    pub(crate) depth: [f32; 3],
    /// First and last pixel of the tile that the triangle may cover.
    x: [usize; 2],
    y: [usize; 2],
}

impl Edges {
    /// The triangle in a tile, or `None` if it does not reach the tile.
    #[inline]
    pub(crate) fn new(corners: [Spot; 3], tile: Tile) -> Option<Edges> {
        let [ox, oy] = tile.origin.map(|x| x as f32);
        let p = corners.map(|s| [s.x - ox, s.y - oy]);
        let x = pixels([p[0][0], p[1][0], p[2][0]], tile.size[0])?;
        let y = pixels([p[0][1], p[1][1], p[2][1]], tile.size[1])?;

        // double precision, because sums of products of coordinates exceed single precision
        let f = p.map(|p| p.map(f64::from));
        let [dx1, dy1] = [f[1][0] - f[0][0], f[1][1] - f[0][1]];
        let [dx2, dy2] = [f[2][0] - f[0][0], f[2][1] - f[0][1]];
        let area = dx1 * dy2 - dx2 * dy1;
        let inverse = 1.0 / area;
        if !(inverse as f32).is_finite() {
            return None;
        }
        let sign = if area < 0.0 { -1.0 } else { 1.0 };
        let (mut a, mut b, mut c) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        for i in 0..3 {
            let ([xj, yj], [xk, yk]) = (p[(i + 1) % 3], p[(i + 2) % 3]);
            a[i] = sign * (yj - yk);
            b[i] = sign * (xk - xj);
            let cross = f64::from(xj) * f64::from(yk) - f64::from(xk) * f64::from(yj);
            c[i] = sign * cross as f32;
        }

        // depth, from the first corner on
        let [z, z1, z2] = corners.map(|s| f64::from(s.z));
        let za = ((z1 - z) * dy2 - (z2 - z) * dy1) * inverse;
        let zb = (dx1 * (z2 - z) - dx2 * (z1 - z)) * inverse;
        let depth = [za, zb, z - za * f[0][0] - zb * f[0][1]].map(|c| c as f32);
        Some(Edges { a, b, c, depth, x, y })
    }

    /// Whether the triangle covers every sample of a tile.
    pub(crate) fn covers(&self, size: [usize; 2]) -> bool {
        let [w, h] = size.map(|n| n as f32);
        (0..3).all(|i| {
            let (a, b) = (self.a[i], self.b[i]);
            a.min(0.0) * w + b.min(0.0) * h + self.c[i] >= 0.0
        })
    }

    /// Whether a point of the tile is in the triangle.
    pub(crate) fn contains(&self, [x, y]: [f32; 2]) -> bool {
        (0..3).all(|i| self.a[i] * x + self.b[i] * y + self.c[i] >= 0.0)
    }

    /// Twice the area in pixels.
    pub(crate) fn area(&self) -> f32 {
        (self.a[0] * self.b[1] - self.a[1] * self.b[0]).abs()
    }

    /// Least and greatest depth of the triangle's plane in a tile.
    pub(crate) fn depths(&self, size: [usize; 2]) -> [f32; 2] {
        let [w, h] = size.map(|n| n as f32);
        let [a, b, c] = self.depth;
        [c + a.min(0.0) * w + b.min(0.0) * h, c + a.max(0.0) * w + b.max(0.0) * h]
    }

    /// Calls `f` with every block that the triangle may cover and the depths of its samples; an
    /// uncovered sample has depth -1. A row has `per_row` blocks.
    #[inline(always)]
    pub(crate) fn cover(&self, samples: &Samples, per_row: usize, mut f: impl FnMut(usize, F8)) {
        let (sx, sy) = (F8::new(samples.x), F8::new(samples.y));
        let offset = |a: f32, b: f32| sx.times(a) + sy.times(b);
        let o = [0, 1, 2].map(|i| offset(self.a[i], self.b[i]));
        let [za, zb, zc] = self.depth;
        let oz = offset(za, zb);
        let wide = self.x[1] - self.x[0] > 2 * samples.width;
        for y in self.y[0]..=self.y[1] {
            let fy = y as f32;
            let row = [0, 1, 2].map(|i| self.b[i] * fy + self.c[i]);
            let zrow = zb * fy + zc;
            let [x0, x1] = if wide { self.span(&row, samples) } else { self.x };
            if x0 > x1 {
                continue;
            }
            for block in x0 / samples.width..=x1 / samples.width {
                let fx = (block * samples.width) as f32;
                let e = [0, 1, 2].map(|i| o[i].plus(self.a[i] * fx + row[i]));
                let covered = F8::zero().at_most(e[0].least(e[1]).least(e[2]));
                let z = oz.plus(za * fx + zrow);
                f(y * per_row + block, F8::choose(covered, z, F8::splat(-1.0)));
            }
        }
    }

    /// Calls `f` with every block of a tile that the triangle covers fully, and the depths of its
    /// samples.
    #[inline(always)]
    pub(crate) fn fill(&self, samples: &Samples, tile: [usize; 2], mut f: impl FnMut(usize, F8)) {
        let [za, zb, zc] = self.depth;
        let oz = F8::new(samples.x).times(za) + F8::new(samples.y).times(zb);
        let per_row = tile[0] / samples.width;
        for y in 0..tile[1] {
            let zrow = zb * y as f32 + zc;
            for block in 0..per_row {
                f(y * per_row + block, oz.plus(za * (block * samples.width) as f32 + zrow));
            }
        }
    }

    /// First and last pixel of a row that may be covered, from the values of the forms at its
    /// beginning.
    fn span(&self, row: &[f32; 3], samples: &Samples) -> [usize; 2] {
        let [mut low, mut high] = self.x.map(|x| x as f32);
        for i in 0..3 {
            // maximum of the form at a pixel, beyond its value at the corner
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

/// Perspective-correct weights of the corners of a triangle: linear forms in the pixel coordinates
/// of a tile. The weights are the ratios of the forms to their sum.
#[inline(always)]
pub(crate) fn weights(corners: [Spot; 3], origin: [usize; 2]) -> [[f32; 3]; 3] {
    // double precision, because corners of large triangles are far outside the image
    let [ox, oy] = origin.map(|x| x as f64);
    let [p, q, r] = corners;
    let [[x0, y0], [x1, y1], [x2, y2]] = corners.map(|s| [f64::from(s.x), f64::from(s.y)]);
    let [dx1, dy1, dx2, dy2] = [x1 - x0, y1 - y0, x2 - x0, y2 - y0];
    let inverse = 1.0 / (dx1 * dy2 - dx2 * dy1);
    let form = |a: f64, b: f64| [a, b, -(a * (x0 - ox) + b * (y0 - oy))];
    let second = form(dy2 * inverse, -dx2 * inverse);
    let third = form(-dy1 * inverse, dx1 * inverse);
    let first = [0, 1, 2].map(|k| -second[k] - third[k]);
    let times = |form: [f64; 3], invw: f32| form.map(|c| (c * f64::from(invw)) as f32);
    [
        times([first[0], first[1], 1.0 + first[2]], p.invw),
        times(second, q.invw),
        times(third, r.invw),
    ]
}

/// First and last of `size` pixels between three coordinates; `None` for NaN.
#[inline(always)]
fn pixels([a, b, c]: [f32; 3], size: usize) -> Option<[usize; 2]> {
    let (low, high) = (a.least(b).least(c), a.most(b).most(c));
    let inside = high >= 0.0 && low < size as f32;
    inside.then(|| [low.most(0.0) as u32 as usize, (high as u32 as usize).min(size - 1)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(x: f32, y: f32) -> Spot {
        Spot { x, y, z: 0.5, invw: 1.0 }
    }

    #[test]
    fn two_halves_of_a_square_cover_every_sample_once() {
        let tile = Tile { origin: [0, 0], size: [64, 32] };
        for samples in [MULTIPLE, SINGLE] {
            let per_row = 64 / samples.width;
            let mut count = vec![[0; LANES]; 32 * per_row];
            let corners = [spot(-3.3, -2.1), spot(90.2, -1.7), spot(80.9, 60.0), spot(-9.0, 44.4)];
            for t in [[0, 1, 3], [1, 2, 3]] {
                let edges = Edges::new(t.map(|v| corners[v]), tile).expect("it is in the tile");
                edges.cover(&samples, per_row, |block, z| {
                    for l in 0..LANES {
                        count[block][l] += i32::from(z.get(l) >= 0.0);
                    }
                });
            }
            assert!(count.iter().all(|c| *c == [1; LANES]));
        }
    }
    /// A floor that is clipped near the eye has corners far outside the image.
    #[test]
    fn large_triangles_have_exact_depths() {
        let depth = |y: f64| 0.9998559 * (y - 96.5625) / (16689.25 - 96.5625);
        let at = |x: f32, y: f32| Spot { x, y, z: depth(f64::from(y)) as f32, invw: 1.0 };
        let corners = [at(43653.54, 16689.25), at(-116.55469, 96.5625), at(-152.96875, 96.5625)];
        let tile = Tile { origin: [0, 144], size: [64, 16] };
        let edges = Edges::new(corners, tile).expect("it is in the tile");
        let [a, b, c] = edges.depth;
        let (got, want) = (a * 5.5 + b * 1.5 + c, depth(145.5) as f32);
        assert!((got - want).abs() < 1e-5 * want, "{got} {want}");
    }
}
