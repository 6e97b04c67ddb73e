//! What a thread keeps while it paints tiles.

use crate::cell::CellForms;
use crate::linear::{V3, add};
use crate::raster::Block;
use crate::wide::LANES;

/// No triangle.
pub(crate) const NOTHING: u32 = u32::MAX;

/// Crossings of the lines of planes that are remembered.
const CORNERS: usize = 4096;

/// The samples of a tile, in blocks, and the light of planes.
#[derive(Default)]
pub(crate) struct Worker {
    pub(crate) depth: Vec<Block>,
    pub(crate) id: Vec<[u32; LANES]>,
    pub(crate) color: Vec<[V3; LANES]>,
    pub(crate) lattice: Lattice,
}

impl Worker {
    /// Begins with a picture of `blocks` per tile and `stride` colours at a point.
    pub(crate) fn start(&mut self, blocks: usize, stride: usize) {
        self.depth.resize(blocks, [0.0; LANES]);
        self.id.resize(blocks, [NOTHING; LANES]);
        self.lattice.start(stride);
    }

    /// Empties the tile.
    pub(crate) fn clear(&mut self) {
        self.depth.fill([0.0; LANES]);
        self.id.fill([NOTHING; LANES]);
    }
}

/// Light at the crossings of the lines of planes, computed when it is first asked for.
#[derive(Default)]
pub(crate) struct Lattice {
    /// Which crossing of which plane is in each place.
    key: Vec<[u32; 3]>,
    light: Vec<V3>,
    stride: usize,
    /// The cell that was asked for last, and where its corners are kept.
    cell: ([u32; 3], [usize; 4]),
    /// The sums of its colours.
    pub(crate) sum: CellForms,
}

impl Lattice {
    fn start(&mut self, stride: usize) {
        self.stride = stride;
        self.cell = ([u32::MAX; 3], [0; 4]);
        self.key.clear();
        self.key.resize(CORNERS, [u32::MAX; 3]);
        self.light.resize(CORNERS * stride, [0.0; 3]);
    }

    /// Where the colours at the corners of a cell are kept; `compute` is called for those that are
    /// not known.
    #[inline(always)]
    pub(crate) fn cell(
        &mut self,
        plane: u32,
        [i, j]: [usize; 2],
        compute: impl Fn(usize, usize, &mut [V3]),
    ) -> [usize; 4] {
        if self.cell.0 != [plane, i as u32, j as u32] {
            self.enter(plane, i, j, compute);
        }
        self.cell.1
    }

    /// Goes over to another cell.
    #[inline(never)]
    fn enter(&mut self, plane: u32, i: usize, j: usize, compute: impl Fn(usize, usize, &mut [V3])) {
        let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
        let corners = corners.map(|(i, j)| self.corner(plane, i, j, &compute));
        self.cell = ([plane, i as u32, j as u32], corners);
        let all = |first: usize| self.light[first..first + self.stride].iter();
        self.sum = CellForms::new(corners.map(|at| all(at).copied().fold([0.0; 3], add)));
    }

    #[inline]
    fn corner(
        &mut self,
        plane: u32,
        i: usize,
        j: usize,
        compute: impl Fn(usize, usize, &mut [V3]),
    ) -> usize {
        let key = [plane, i as u32, j as u32];
        let slot = (i + 64 * j + 977 * plane as usize) % CORNERS;
        let first = slot * self.stride;
        if self.key[slot] != key {
            self.key[slot] = key;
            compute(i, j, &mut self.light[first..first + self.stride]);
        }
        first
    }

    /// A colour of a crossing, by the number that `cell` gave.
    #[inline]
    pub(crate) fn light(&self, at: usize) -> V3 {
        self.light[at]
    }
}
