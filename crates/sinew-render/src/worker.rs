//! Scratch memory of a thread that paints tiles.

use crate::cell::CellForms;
use crate::light::MAX_LIGHTS;
use crate::linear::{V3, add};
use crate::raster::Block;
use crate::wide::{F8, LANES, Wide, Wide3};

/// Id of no triangle.
pub(crate) const NOTHING: u32 = u32::MAX;

/// Capacity of the cache of grid points.
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
    /// Starts an image with `blocks` per tile and `stride` colours per point.
    pub(crate) fn start(&mut self, blocks: usize, stride: usize) {
        self.depth.resize(blocks, [0.0; LANES]);
        self.id.resize(blocks, [NOTHING; LANES]);
        self.lattice.start(stride);
    }

    /// Clears the tile.
    pub(crate) fn clear(&mut self) {
        self.depth.fill([0.0; LANES]);
        self.id.fill([NOTHING; LANES]);
    }
}

/// Cache of light at the grid points of planes, computed on demand.
#[derive(Default)]
pub(crate) struct Lattice {
    /// Plane and grid point stored in each slot.
    key: Vec<[u32; 3]>,
    light: Vec<V3>,
    stride: usize,
    /// The cell of the last query, and the slots of its corners.
    cell: ([u32; 3], [usize; 4]),
    /// Sums of the cell's colours.
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

    /// The slots of the colours at the corners of a cell; `compute` is called if any is missing.
    #[inline(always)]
    pub(crate) fn cell(
        &mut self,
        plane: u32,
        [i, j]: [usize; 2],
        compute: impl Fn([[usize; 2]; 4], &mut [Wide3<F8>]),
    ) -> [usize; 4] {
        if self.cell.0 != [plane, i as u32, j as u32] {
            self.enter(plane, i, j, compute);
        }
        self.cell.1
    }

    /// Switches to another cell.
    #[inline(never)]
    fn enter(
        &mut self,
        plane: u32,
        i: usize,
        j: usize,
        compute: impl Fn([[usize; 2]; 4], &mut [Wide3<F8>]),
    ) {
        let corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
        let key = corners.map(|[i, j]| [plane, i as u32, j as u32]);
        let slots = corners.map(|[i, j]| (i + 64 * j + 977 * plane as usize) % CORNERS);
        if (0..4).any(|k| self.key[slots[k]] != key[k]) {
            let mut light = [[F8::zero(); 3]; 1 + MAX_LIGHTS];
            let light = &mut light[..self.stride];
            compute(corners, light);
            let light = light.iter().map(|color| color.map(F8::array));
            for (l, color) in light.enumerate() {
                for (k, slot) in slots.into_iter().enumerate() {
                    self.light[slot * self.stride + l] = color.map(|c| c[k]);
                }
            }
            (0..4).for_each(|k| self.key[slots[k]] = key[k]);
        }
        let corners = slots.map(|slot| slot * self.stride);
        self.cell = ([plane, i as u32, j as u32], corners);
        let all = |first: usize| self.light[first..first + self.stride].iter();
        self.sum = CellForms::new(corners.map(|at| all(at).copied().fold([0.0; 3], add)));
    }

    /// A colour of a grid point by its slot, as returned by `cell`.
    #[inline]
    pub(crate) fn light(&self, at: usize) -> V3 {
        self.light[at]
    }
}
