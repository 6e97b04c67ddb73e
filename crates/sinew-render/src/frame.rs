//! A picture: what is opaque, then the sky, then what is seen through.

use rayon::prelude::*;

use crate::linear::{V3, add, scale};
use crate::pass::Pass;
use crate::raster::{Edges, Samples};
use crate::shade::Memory;
use crate::spot::Spot;

/// No triangle.
const NOTHING: u32 = u32::MAX;

impl Pass<'_> {
    /// The colours of all pixels, row by row from the top.
    pub(crate) fn paint(&self) -> Vec<V3> {
        let (width, size) = (self.view.width, self.opaque.size);
        let mut image = vec![[0.0; 3]; width * self.view.height];
        image.par_chunks_mut(width * size).enumerate().for_each_init(
            || TileBuffer::new(size, self.samples, self.batch.stride),
            |buffer, (row, pixels)| {
                for column in 0..self.opaque.columns() {
                    self.paint_tile(buffer, column, row, pixels);
                }
            },
        );
        debug_assert_eq!(self.opaque.rows(), self.view.height.div_ceil(size));
        image
    }

    fn paint_tile(&self, buffer: &mut TileBuffer, column: usize, row: usize, pixels: &mut [V3]) {
        let (size, width) = (self.opaque.size, self.view.width);
        let (ox, oy) = (column * size, row * size);
        let wide = size.min(width - ox);
        let high = size.min(self.view.height - oy);
        let (opaque, glass) = (self.opaque.tile(column, row), self.glass.tile(column, row));
        if opaque.is_empty() && glass.is_empty() {
            return;
        }
        buffer.start(ox, oy);
        for &t in opaque {
            self.raster(buffer, t, ox, oy);
        }
        let lanes = buffer.samples.width;
        let per_row = size / lanes;
        if glass.is_empty() {
            // every pixel is finished at once
            for y in 0..high {
                for x in 0..wide {
                    let block = y * per_row + x / lanes;
                    pixels[y * width + ox + x] = if lanes == 1 {
                        self.resolve(buffer, block, x, y)
                    } else {
                        let id = buffer.id[block][x % lanes];
                        self.opaque_color(buffer, id, x, y)
                    };
                }
            }
            return;
        }
        self.paint_samples(buffer, wide, high);
        for &t in glass {
            self.blend(buffer, t, ox, oy);
        }
        for y in 0..high {
            for x in 0..wide {
                let color = &buffer.color[y * per_row + x / lanes];
                pixels[y * width + ox + x] = if lanes == 1 {
                    core::array::from_fn(|k| 0.25 * (0..4).map(|l| color[l][k]).sum::<f32>())
                } else {
                    color[x % lanes]
                };
            }
        }
    }

    fn corners(&self, t: u32) -> [Spot; 3] {
        self.batch.tri[t as usize].v.map(|v| self.batch.spot[v as usize])
    }

    /// Notes where a triangle is nearest.
    fn raster(&self, buffer: &mut TileBuffer, t: u32, ox: usize, oy: usize) {
        let size = self.opaque.size;
        let Some(edges) = Edges::new(self.corners(t), ox, oy, size) else { return };
        let TileBuffer { depth, id, samples, .. } = buffer;
        edges.cover(samples, size, |block, z| {
            let (depth, id) = (&mut depth[block], &mut id[block]);
            for l in 0..4 {
                let nearer = z[l] >= depth[l];
                depth[l] = if nearer { z[l] } else { depth[l] };
                id[l] = if nearer { t } else { id[l] };
            }
        });
    }

    fn opaque_color(&self, buffer: &mut TileBuffer, id: u32, x: usize, y: usize) -> V3 {
        if id == NOTHING {
            return [0.0; 3];
        }
        let [r, g, b, _] = self.fragment(&mut buffer.keep, id, x, y);
        [r, g, b]
    }

    /// The mean of the four samples of a pixel; each triangle in it is shaded once.
    fn resolve(&self, buffer: &mut TileBuffer, block: usize, x: usize, y: usize) -> V3 {
        let id = buffer.id[block];
        let first = self.opaque_color(buffer, id[0], x, y);
        if id[1..] == [id[0]; 3] {
            return first;
        }
        let mut sum = first;
        for l in 1..4 {
            let same = (0..l).find(|&k| id[k] == id[l]);
            let color = match same {
                Some(0) => first,
                _ => self.opaque_color(buffer, id[l], x, y),
            };
            sum = add(sum, color);
        }
        scale(sum, 0.25)
    }

    /// Colours of all samples, to be blended over.
    fn paint_samples(&self, buffer: &mut TileBuffer, wide: usize, high: usize) {
        let lanes = buffer.samples.width;
        let per_row = self.opaque.size / lanes;
        for y in 0..high {
            for column in 0..wide.div_ceil(lanes) {
                let block = y * per_row + column;
                let id = buffer.id[block];
                let mut color = [[0.0; 3]; 4];
                for l in 0..4 {
                    let x = if lanes == 1 { column } else { column * lanes + l };
                    let same = (0..l).find(|&k| lanes == 1 && id[k] == id[l]);
                    color[l] = match same {
                        Some(k) => color[k],
                        None => self.opaque_color(buffer, id[l], x, y),
                    };
                }
                buffer.color[block] = color;
            }
        }
    }

    /// Draws a transparent triangle over what is there.
    fn blend(&self, buffer: &mut TileBuffer, t: u32, ox: usize, oy: usize) {
        let size = self.opaque.size;
        let Some(edges) = Edges::new(self.corners(t), ox, oy, size) else { return };
        let TileBuffer { depth, color, samples, keep, .. } = buffer;
        let lanes = samples.width;
        let per_row = size / lanes;
        edges.cover(&samples.clone(), size, |block, z| {
            let visible: [bool; 4] = core::array::from_fn(|l| z[l] >= depth[block][l]);
            if visible == [false; 4] {
                return;
            }
            let (x, y) = (block % per_row * lanes, block / per_row);
            let mut fragment = [0.0; 4];
            let mut shaded = false;
            for l in (0..4).filter(|&l| visible[l]) {
                if !shaded || lanes > 1 {
                    fragment = self.fragment(keep, t, if lanes > 1 { x + l } else { x }, y);
                    shaded = true;
                }
                let [r, g, b, alpha] = fragment;
                let keep_behind = if self.additive { 1.0 } else { 1.0 - alpha };
                for (to, c) in color[block][l].iter_mut().zip([r, g, b]) {
                    *to = (*to * keep_behind + c * alpha).min(1.0);
                }
            }
        });
    }
}

/// The samples of one tile.
struct TileBuffer {
    depth: Vec<[f32; 4]>,
    id: Vec<[u32; 4]>,
    color: Vec<[V3; 4]>,
    samples: Samples,
    keep: Memory,
}

impl TileBuffer {
    fn new(size: usize, samples: Samples, stride: usize) -> TileBuffer {
        let blocks = size * size / samples.width;
        TileBuffer {
            depth: vec![[0.0; 4]; blocks],
            id: vec![[NOTHING; 4]; blocks],
            color: vec![[[0.0; 3]; 4]; blocks],
            samples,
            keep: Memory::new(stride),
        }
    }

    fn start(&mut self, x: usize, y: usize) {
        self.depth.fill([0.0; 4]);
        self.id.fill([NOTHING; 4]);
        self.keep.start(x, y);
    }
}
