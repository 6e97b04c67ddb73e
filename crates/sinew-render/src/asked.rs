//! The texels of a shadow map in which an image looks for shadows, with their depths.
//!
//! An image has far fewer points than a map has texels, and large meshes have more triangles than
//! an image has points. So the points come first, and each triangle is tested with the points in
//! its bounds (Johnson et al., "The irregular Z-buffer", 2005).

use std::sync::{Mutex, PoisonError};

/// Width of a cell in texels, as a power of two.
const BITS: u32 = 4;

/// Texels, sorted by cells.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// Texels of the image so far, in any order and repeated.
    new: Mutex<Vec<u32>>,
    /// Number of cells in a row.
    across: usize,
    /// Key of each texel: its cell, row in the cell and column in the cell.
    key: Vec<u32>,
    /// First texel of each cell.
    start: Vec<u32>,
    /// Nearest depth at each texel so far; -1 without a triangle.
    depth: Vec<f32>,
}

impl Asked {
    /// Starts the list of a map with `size` texels.
    pub(crate) fn start(&mut self, size: usize) {
        self.across = (size >> BITS) + 1;
        self.new.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The key of a texel.
    fn key(&self, [x, y]: [u32; 2]) -> u32 {
        let low = (1 << BITS) - 1;
        let cell = (y >> BITS) * self.across as u32 + (x >> BITS);
        cell << (2 * BITS) | (y & low) << BITS | x & low
    }

    /// Adds texels.
    pub(crate) fn add(&self, texels: impl Iterator<Item = [u32; 2]>) {
        let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        new.extend(texels.map(|texel| self.key(texel)));
    }

    /// Sorts the texels. Their order, and so all results, do not depend on the order of threads.
    pub(crate) fn sort(&mut self) {
        let new = self.new.get_mut().unwrap_or_else(PoisonError::into_inner);
        new.sort_unstable();
        new.dedup();
        core::mem::swap(&mut self.key, new);
        self.depth.clear();
        self.depth.resize(self.key.len(), -1.0);
        self.start.clear();
        self.start.reserve(self.across * self.across + 1);
        for (i, key) in self.key.iter().enumerate() {
            let cell = (key >> (2 * BITS)) as usize;
            if self.start.len() <= cell {
                self.start.resize(cell + 1, i as u32);
            }
        }
        self.start.resize(self.across * self.across + 1, self.key.len() as u32);
    }

    /// Calls `depth` with the texels between two columns and two rows, for a nearer depth or -1.
    #[inline(always)]
    pub(crate) fn lower(
        &mut self,
        [left, right]: [u32; 2],
        [top, bottom]: [u32; 2],
        mut depth: impl FnMut([u32; 2]) -> f32,
    ) {
        let low = (1 << BITS) - 1;
        for row in top >> BITS..=bottom >> BITS {
            // cells of a row are neighbours in the list
            let first = row * self.across as u32;
            let cells = [first + (left >> BITS), first + (right >> BITS) + 1];
            let [from, to] = cells.map(|cell| self.start[cell as usize] as usize);
            for i in from..to {
                let key = self.key[i];
                let x = ((key >> (2 * BITS)) - first) << BITS | key & low;
                let y = row << BITS | key >> BITS & low;
                if (left..=right).contains(&x) && (top..=bottom).contains(&y) {
                    self.depth[i] = self.depth[i].max(depth([x, y]));
                }
            }
        }
    }

    /// The depth at a texel; -1 where none is known.
    #[inline]
    pub(crate) fn depth(&self, texel: [u32; 2]) -> f32 {
        let key = self.key(texel);
        let cell = (key >> (2 * BITS)) as usize;
        let [from, to] = [self.start[cell], self.start[cell + 1]].map(|i| i as usize);
        let place = self.key[from..to].iter().position(|k| *k == key);
        place.map_or(-1.0, |i| self.depth[from + i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_their_texels_and_no_others() {
        let mut asked = Asked::default();
        asked.start(100);
        let texels = [[0, 0], [99, 99], [15, 16], [16, 15], [15, 16], [40, 3], [41, 3], [63, 64]];
        asked.add(texels.into_iter());
        asked.sort();
        assert_eq!(asked.key.len(), texels.len() - 1);
        for columns in [[0, 15], [15, 16], [16, 40], [0, 99], [41, 63]] {
            for rows in [[0, 3], [3, 16], [0, 99], [64, 99]] {
                let mut seen = Vec::new();
                asked.lower(columns, rows, |texel| {
                    seen.push(texel);
                    0.0
                });
                let inside = |[x, y]: &[u32; 2]| {
                    (columns[0]..=columns[1]).contains(x) && (rows[0]..=rows[1]).contains(y)
                };
                let mut want: Vec<[u32; 2]> = texels.into_iter().filter(inside).collect();
                want.sort_unstable();
                want.dedup();
                seen.sort_unstable();
                assert_eq!(seen, want);
            }
        }
        asked.lower([41, 41], [3, 3], |_| 0.5);
        asked.lower([41, 41], [3, 3], |_| 0.25);
        assert_eq!([[41, 3], [40, 3], [42, 3]].map(|t| asked.depth(t)), [0.5, 0.0, -1.0]);
    }
}
