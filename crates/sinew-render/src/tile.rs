//! Triangles sorted into tiles of the image.

use crate::raster::Tile;
use crate::spot::Spot;
use crate::wide::Wide;

/// The triangles that may be visible in each tile, in their given order.
#[derive(Default)]
pub(crate) struct Bins {
    /// Width and height of a tile in pixels.
    pub(crate) size: [usize; 2],
    across: usize,
    down: usize,
    list: Vec<Vec<u32>>,
}

impl Bins {
    /// Starts another image; lists keep their memory.
    pub(crate) fn start(&mut self, width: usize, height: usize, size: [usize; 2]) {
        (self.across, self.down) = (width.div_ceil(size[0]), height.div_ceil(size[1]));
        self.size = size;
        self.list.iter_mut().for_each(Vec::clear);
        if self.list.len() < self.across * self.down {
            self.list.resize_with(self.across * self.down, Vec::new);
        }
    }

    /// Number of tiles in a row.
    pub(crate) fn columns(&self) -> usize {
        self.across
    }

    /// Number of tiles.
    pub(crate) fn len(&self) -> usize {
        self.across * self.down
    }

    /// The position and size of a tile.
    pub(crate) fn place(&self, column: usize, row: usize) -> Tile {
        Tile { origin: [column * self.size[0], row * self.size[1]], size: self.size }
    }

    /// The triangles of a tile.
    pub(crate) fn tile(&self, column: usize, row: usize) -> &[u32] {
        &self.list[row * self.across + column]
    }

    /// Adds a triangle to all tiles that it may touch.
    pub(crate) fn insert(&mut self, corners: [Spot; 3], t: u32) {
        let [w, h] = self.size;
        let columns = range(corners.map(|s| s.x), w, self.across);
        let rows = range(corners.map(|s| s.y), h, self.down);
        if columns.len() * rows.len() <= 4 {
            for row in rows {
                for column in columns.clone() {
                    self.list[row * self.across + column].push(t);
                }
            }
            return;
        }
        let edges = outlines(corners);
        for row in rows {
            for column in columns.clone() {
                if self.touches(&edges, column, row) {
                    self.list[row * self.across + column].push(t);
                }
            }
        }
    }

    /// Whether a tile is not entirely outside one of the edges.
    fn touches(&self, edges: &[[f64; 3]; 3], column: usize, row: usize) -> bool {
        let [w, h] = self.size.map(|n| n as f64);
        let (x, y) = (column as f64 * w, row as f64 * h);
        edges.iter().all(|&[a, b, c]| {
            let inner_x = if a > 0.0 { x + w } else { x };
            let inner_y = if b > 0.0 { y + h } else { y };
            a * inner_x + b * inner_y + c >= 0.0
        })
    }
}

/// The tiles that contain or touch the range of three coordinates; there are `tiles`, each `size`
/// wide.
fn range([a, b, c]: [f32; 3], size: usize, tiles: usize) -> core::ops::Range<usize> {
    let (low, high) = (a.least(b).least(c), a.most(b).most(c));
    let limit = (tiles * size) as f32;
    // NaN is in no tile
    if !(high >= 0.0 && low <= limit) {
        return 0..0;
    }
    let first = low.most(0.0) as u32 as usize / size;
    let last = high.least(limit) as u32 as usize / size;
    first..(last + 1).min(tiles)
}

/// The edges of a triangle as linear forms, positive inside.
fn outlines(corners: [Spot; 3]) -> [[f64; 3]; 3] {
    let p = corners.map(|s| [f64::from(s.x), f64::from(s.y)]);
    let area =
        (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
    let sign = if area < 0.0 { -1.0 } else { 1.0 };
    core::array::from_fn(|i| {
        let ([xj, yj], [xk, yk]) = (p[(i + 1) % 3], p[(i + 2) % 3]);
        [sign * (yj - yk), sign * (xk - xj), sign * (xj * yk - xk * yj)]
    })
}
