//! Triangles sorted into tiles of the screen.

use crate::spot::Spot;
use crate::vertex::Batch;

/// For every tile, the triangles that may be seen in it, in the order in which they were given.
pub(crate) struct Bins {
    /// Pixels along the side of a tile.
    pub(crate) size: usize,
    across: usize,
    down: usize,
    list: Vec<Vec<u32>>,
}

impl Bins {
    pub(crate) fn new(width: usize, height: usize, size: usize) -> Bins {
        let (across, down) = (width.div_ceil(size), height.div_ceil(size));
        Bins { size, across, down, list: vec![Vec::new(); across * down] }
    }

    /// Rows of tiles.
    pub(crate) fn rows(&self) -> usize {
        self.down
    }

    /// Tiles in a row.
    pub(crate) fn columns(&self) -> usize {
        self.across
    }

    /// The triangles of a tile.
    pub(crate) fn tile(&self, column: usize, row: usize) -> &[u32] {
        &self.list[row * self.across + column]
    }

    /// Adds a triangle of the batch to all tiles that it may touch.
    pub(crate) fn insert(&mut self, batch: &Batch, t: u32) {
        let corners = batch.tri[t as usize].v.map(|v| batch.spot[v as usize]);
        self.insert_corners(corners, t);
    }

    pub(crate) fn insert_corners(&mut self, corners: [Spot; 3], t: u32) {
        let range = |get: fn(&Spot) -> f32, tiles: usize| {
            let low = corners.iter().map(get).fold(f32::INFINITY, f32::min);
            let high = corners.iter().map(get).fold(f32::NEG_INFINITY, f32::max);
            let size = self.size as f32;
            let limit = tiles as f32 * size;
            // a coordinate that is not a number is in no tile
            let visible = high >= 0.0 && low <= limit;
            let first = (low.max(0.0) / size) as usize;
            let last = (high.min(limit) / size) as usize;
            if visible { first..(last + 1).min(tiles) } else { 0..0 }
        };
        let (columns, rows) = (range(|s| s.x, self.across), range(|s| s.y, self.down));
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

    /// Whether a tile is not wholly outside of one of the edges.
    fn touches(&self, edges: &[[f64; 3]; 3], column: usize, row: usize) -> bool {
        let size = self.size as f64;
        let (x, y) = (column as f64 * size, row as f64 * size);
        edges.iter().all(|&[a, b, c]| {
            let inner_x = if a > 0.0 { x + size } else { x };
            let inner_y = if b > 0.0 { y + size } else { y };
            a * inner_x + b * inner_y + c >= 0.0
        })
    }
}

/// The edges of a triangle as linear forms that are positive inside.
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
