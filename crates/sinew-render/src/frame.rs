//! An image: opaque triangles first, then transparent ones.

use rayon::prelude::*;

use crate::item::Look;
use crate::linear::{V3, add, scale};
use crate::pass::{Group, Pass, TILE, number};
use crate::raster::{Block, Edges, Tile};
use crate::shade::{Colors, Face};
use crate::texture::Known;
use crate::tile::Bins;
use crate::wide::{F8, LANES, Wide, store_bytes};
use crate::worker::{Lattice, NOTHING, Worker};

/// Output of the colours of one row of a tile.
trait Row {
    /// Writes the colours of `n` pixels from `x` on.
    fn run<W: Wide>(&mut self, x: usize, n: usize, color: &Colors<W>);
    /// Writes the colours of the four samples of a pixel.
    fn samples(&mut self, x: usize, color: &[V3; 4]);
}

/// Finished pixels.
struct Bytes<'a>(&'a mut [[u8; 3]]);

impl Row for Bytes<'_> {
    #[inline(always)]
    fn run<W: Wide>(&mut self, x: usize, n: usize, color: &Colors<W>) {
        // three bytes in one number, exact in single precision
        let [r, g, b] = [0, 1, 2].map(|k| color[k].times(255.0).plus(0.5).floor());
        let packed = (r + g.times(256.0) + b.times(65536.0)).integers();
        let pixels = &mut self.0[x..x + n];
        match pixels.try_into() {
            Ok(pixels) if W::COUNT == LANES => store_bytes(packed, pixels),
            _ => {
                for (pixel, packed) in pixels.iter_mut().zip(packed) {
                    let [r, g, b, _] = packed.to_le_bytes();
                    *pixel = [r, g, b];
                }
            }
        }
    }

    fn samples(&mut self, x: usize, color: &[V3; 4]) {
        self.0[x] = mean(color).map(byte);
    }
}

/// Samples below transparent triangles.
struct Under<'a> {
    block: &'a mut [[V3; LANES]],
    /// Width of a block in pixels.
    width: usize,
}

impl Row for Under<'_> {
    #[inline(always)]
    fn run<W: Wide>(&mut self, x: usize, n: usize, color: &Colors<W>) {
        let each = LANES / self.width;
        for l in 0..n {
            let (block, first) = ((x + l) / self.width, (x + l) % self.width * each);
            self.block[block][first..first + each].fill([0, 1, 2].map(|k| color[k].get(l)));
        }
    }

    fn samples(&mut self, x: usize, color: &[V3; 4]) {
        self.block[x / 2][x % 2 * 4..][..4].copy_from_slice(color);
    }
}

fn mean(color: &[V3; 4]) -> V3 {
    scale(add(add(color[0], color[1]), add(color[2], color[3])), 0.25)
}

/// A colour component as a byte.
#[inline(always)]
pub(crate) fn byte(x: f32) -> u8 {
    (x.clamp01() * 255.0 + 0.5) as u8
}

impl Pass<'_> {
    /// Paints all pixels, row by row from the top.
    pub(crate) fn paint(&self, image: &mut [[u8; 3]]) {
        let width = self.how.view.width;
        let columns = width.div_ceil(TILE[0]);

        // a row of tiles, with the scratch memory of a thread
        let paint_row = |worker: &mut Worker, row: usize, pixels: &mut [[u8; 3]]| {
            for column in 0..columns {
                self.paint_tile(worker, [column, row], pixels);
            }
        };
        let take = || {
            let mut worker = self.workers.take();
            let blocks = TILE[0] * TILE[1] / self.how.samples.width;
            worker.get().start(blocks, 1 + self.how.lights.shadows());
            worker
        };

        // rows are independent, so the number of threads does not change the bytes
        if self.how.several {
            let rows = image.par_chunks_mut(width * TILE[1]).enumerate();
            rows.for_each_init(take, |worker, (row, pixels)| {
                paint_row(worker.get(), row, pixels);
            });
        } else {
            let mut worker = take();
            for (row, pixels) in image.chunks_mut(width * TILE[1]).enumerate() {
                paint_row(worker.get(), row, pixels);
            }
        }
    }

    /// Whether a tile has any triangle.
    pub(crate) fn touches(&self, tile: usize) -> bool {
        let columns = self.glass.columns();
        let filled = |bins: &Bins| !bins.tile(tile % columns, tile / columns).is_empty();
        self.groups.iter().any(|group| filled(&group.opaque)) || filled(self.glass)
    }

    /// Number of tiles.
    pub(crate) fn tiles(&self) -> usize {
        self.glass.len()
    }

    fn paint_tile(&self, worker: &mut Worker, [column, row]: [usize; 2], pixels: &mut [[u8; 3]]) {
        let width = self.how.view.width;
        let tile = Tile { origin: [column * TILE[0], row * TILE[1]], size: TILE };
        let [ox, oy] = tile.origin;
        let wide = TILE[0].min(width - ox);
        let high = TILE[1].min(self.how.view.height - oy);
        let glass = self.glass.tile(column, row);
        let line = |y: usize| y * width + ox..y * width + ox + wide;
        if !self.touches(row * self.glass.columns() + column) {
            // empty tiles of a reflection are not read
            if !self.how.view.mirrored {
                (0..high).for_each(|y| pixels[line(y)].fill([0; 3]));
            }
            return;
        }
        let uniform = self.raster(worker, column, row, tile);
        let mut last = Last { face: None, plane: None };
        if glass.is_empty() {
            for y in 0..high {
                let out = &mut Bytes(&mut pixels[line(y)]);
                match uniform {
                    Some(id) => {
                        if let Some(face) = last.face(self, id, tile) {
                            self.uniform_row(&mut worker.lattice, face, y, out);
                        }
                    }
                    None => self.row(worker, &mut last, tile, y, out),
                }
            }
            return;
        }
        if let Some(base) = self.base(uniform, tile) {
            self.spread(worker, &base);
        }

        // colours of all samples, transparent triangles over them, and the mean of each pixel
        let per_row = TILE[0] / self.how.samples.width;
        let mut color = core::mem::take(&mut worker.color);
        color.resize(per_row * TILE[1], [[0.0; 3]; LANES]);
        for y in 0..high {
            let block = &mut color[y * per_row..(y + 1) * per_row];
            let row = &mut Under { block, width: self.how.samples.width };
            self.row(worker, &mut last, tile, y, row);
        }
        worker.color = color;
        for &t in glass {
            self.blend(worker, t, tile);
        }
        for y in 0..high {
            for (x, pixel) in pixels[line(y)].iter_mut().enumerate() {
                let w = self.how.samples.width;
                let block = &worker.color[y * per_row + x / w];
                *pixel = match w {
                    2 => mean(&core::array::from_fn(|l| block[x % 2 * 4 + l])),
                    _ => block[x % LANES],
                }
                .map(byte);
            }
        }
    }

    /// Finds the nearest opaque triangle at every sample of a tile. If one triangle is nearest
    /// everywhere, returns it and writes nothing.
    fn raster(&self, worker: &mut Worker, column: usize, row: usize, tile: Tile) -> Option<u32> {
        let samples = self.how.samples;
        let per_row = TILE[0] / samples.width;

        // a triangle that covers the whole tile is written only when another one appears
        let mut base: Option<Base> = None;
        let mut noted = false;
        // depth that is covered in the whole tile; farther triangles are hidden
        let mut behind = 0.0;
        for (g, group) in self.groups.iter().enumerate() {
            let mut rest = group.opaque.tile(column, row);
            while let Some(&first) = rest.first() {
                let over = self.plane_over(group, rest, tile);
                let (t, count) = over.unwrap_or((first, 1));
                rest = &rest[count..];
                let corners = group.corners(t);
                if corners[0].z.most(corners[1].z).most(corners[2].z) < behind {
                    continue;
                }
                let Some(edges) = Edges::new(corners, tile) else { continue };
                let whole = over.is_some() || edges.covers(TILE);
                let depths = edges.depths(TILE);
                if depths[1] < behind {
                    continue;
                }
                let next = Base { id: number(g, t), edges };
                if whole
                    && !noted
                    && base.as_ref().is_none_or(|b| b.edges.depths(TILE)[1] <= depths[0])
                {
                    behind = depths[0].max(behind);
                    base = Some(next);
                    continue;
                }
                if !noted {
                    noted = true;
                    match &base {
                        Some(base) => self.spread(worker, base),
                        None => worker.clear(),
                    }
                }
                let Worker { depth, id, .. } = worker;
                let note = |block: usize, z: F8| next.note(&mut depth[block], &mut id[block], z);
                if whole {
                    next.edges.fill(&samples, TILE, note);
                    behind = depths[0].max(behind);
                } else {
                    next.edges.cover(&samples, per_row, note);
                }
            }
        }
        match base {
            Some(base) if !noted => Some(base.id),
            _ => {
                if !noted {
                    worker.clear();
                }
                None
            }
        }
    }

    /// Finds a plane whose first triangles in a list cover a whole tile together. Returns its
    /// largest triangle, which represents the plane, and the number of triangles.
    fn plane_over(&self, group: &Group, list: &[u32], tile: Tile) -> Option<(u32, usize)> {
        let item = |t: u32| group.batch.tri[t as usize].item;
        let first = item(list[0]);
        if self.how.wireframe || !matches!(self.items[first as usize].look, Look::Plane(_)) {
            return None;
        }
        let plane = &list[..list.iter().take_while(|t| item(**t) == first).count()];

        // the visible part of a plane is convex: covering the corners means covering the tile
        let [w, h] = TILE.map(|n| n as f32);
        let mut covered = [false; 4];
        let mut largest = (0.0, list[0]);
        for &t in plane {
            let Some(edges) = Edges::new(group.corners(t), tile) else { continue };
            let corners = [[0.0, 0.0], [w, 0.0], [0.0, h], [w, h]];
            covered = core::array::from_fn(|k| covered[k] || edges.contains(corners[k]));
            if edges.area() > largest.0 {
                largest = (edges.area(), t);
            }
        }
        (covered == [true; 4]).then_some((largest.1, plane.len()))
    }

    /// A triangle that covers a whole tile.
    fn base(&self, id: Option<u32>, tile: Tile) -> Option<Base> {
        let id = id?;
        Some(Base { id, edges: Edges::new(self.find(id).corners(), tile)? })
    }

    /// Writes a triangle to every sample of a tile.
    fn spread(&self, worker: &mut Worker, base: &Base) {
        let Worker { depth, id, .. } = worker;
        base.edges.fill(&self.how.samples, TILE, |block, z| {
            depth[block] = z.array();
            id[block] = [base.id; LANES];
        });
    }

    /// The colours of a tile's row that shows one triangle.
    fn uniform_row(&self, lattice: &mut Lattice, face: &Face<'_>, y: usize, out: &mut Bytes<'_>) {
        let wide = out.0.len();
        let known = self.plain_row(face, y);
        for (x, known) in (0..wide).step_by(LANES).zip(known) {
            let color = self.shade::<F8>(lattice, face, [x, y], known);
            out.run(x, LANES.min(wide - x), &color);
        }
    }

    /// The colours of a row of a tile.
    fn row<'a>(
        &'a self,
        worker: &mut Worker,
        last: &mut Last<'a>,
        tile: Tile,
        y: usize,
        out: &mut impl Row,
    ) {
        let w = self.how.samples.width;
        let per_row = TILE[0] / w;
        let wide = TILE[0].min(self.how.view.width - tile.origin[0]);
        let Worker { id, lattice, .. } = worker;
        let ids = id[y * per_row..(y + 1) * per_row].as_flattened();
        let each = LANES / w;
        let pixel = |x: usize| -> [u32; 4] {
            match each {
                4 => core::array::from_fn(|l| ids[4 * x..4 * x + 4][l]),
                _ => [ids[x]; 4],
            }
        };
        let mut x = 0;
        while x < wide {
            let id = pixel(x);
            if let Some(one) = self.one(id) {
                // neighbouring pixels of the same triangle
                let same = |x: &usize| pixel(*x) == [one; 4];
                let n = (x + 1..wide.min(x + LANES)).take_while(same).count() + 1;
                match last.face(self, one, tile) {
                    None => out.run(x, n, &[F8::zero(); 4]),
                    Some(face) if n == 1 => {
                        out.run(x, 1, &self.shade::<f32>(lattice, face, [x, y], Known::Nothing))
                    }
                    Some(face) => {
                        out.run(x, n, &self.shade::<F8>(lattice, face, [x, y], Known::Nothing))
                    }
                }
                x += n;
                continue;
            }

            // each triangle in the pixel is shaded once
            let mut color = [[0.0; 3]; 4];
            for l in 0..4 {
                color[l] = match (0..l).find(|&k| id[k] == id[l]) {
                    Some(k) => color[k],
                    None => last.face(self, id[l], tile).map_or([0.0; 3], |face| {
                        let [r, g, b, _] = self.shade::<f32>(lattice, face, [x, y], Known::Nothing);
                        [r, g, b]
                    }),
                };
            }
            out.samples(x, &color);
            x += 1;
        }
    }

    /// The triangle that represents a pixel, if any: all samples show it, or its neighbours on a
    /// smooth surface.
    #[inline]
    fn one(&self, id: [u32; 4]) -> Option<u32> {
        if id == [id[0]; 4] {
            return Some(id[0]);
        }
        if id.contains(&NOTHING) {
            return None;
        }
        let item = self.find(id[0]).tri.item;
        let smooth = self.items[item as usize].smooth
            && id[1..].iter().all(|other| self.find(*other).tri.item == item);
        smooth.then_some(id[0])
    }

    /// Blends a transparent triangle over the samples.
    fn blend(&self, worker: &mut Worker, t: u32, tile: Tile) {
        let Some(edges) = Edges::new(self.find(t).corners(), tile) else { return };
        let face = self.face(t, tile.origin);
        let w = self.how.samples.width;
        let per_row = TILE[0] / w;
        let Worker { depth, color, lattice, .. } = worker;

        // colours of eight pixels, which are one or several blocks
        let mut shaded = [usize::MAX; 2];
        let mut fragment = [[0.0; LANES]; 4];
        edges.cover(&self.how.samples, per_row, |block, z| {
            let visible = F8::new(depth[block]).at_most(z);
            if !F8::any(visible) {
                return;
            }
            let (x, y) = (block % per_row * w, block / per_row);
            let first = x / LANES * LANES;
            if shaded != [first, y] {
                shaded = [first, y];
                fragment =
                    self.shade::<F8>(lattice, &face, [first, y], Known::Nothing).map(F8::array);
            }
            let visible = F8::choose(visible, F8::splat(1.0), F8::zero()).array();
            for l in (0..LANES).filter(|&l| visible[l] > 0.0) {
                let [r, g, b, alpha] = fragment.map(|c| c[x - first + l * w / LANES]);
                let kept = if self.how.additive { 1.0 } else { 1.0 - alpha };
                for (to, c) in color[block][l].iter_mut().zip([r, g, b]) {
                    *to = (*to * kept + c * alpha).min(1.0);
                }
            }
        });
    }
}

/// A triangle's depth in a tile.
struct Base {
    id: u32,
    edges: Edges,
}

impl Base {
    /// Writes the triangle to the samples of a block where it is nearest.
    #[inline(always)]
    fn note(&self, depth: &mut Block, id: &mut [u32; LANES], z: F8) {
        let nearer = F8::new(*depth).at_most(z);
        *depth = F8::choose(nearer, z, F8::new(*depth)).array();
        let (new, old) = (f32::from_bits(self.id), F8::new(id.map(f32::from_bits)));
        *id = F8::choose(nearer, F8::splat(new), old).array().map(f32::to_bits);
    }
}

/// The triangle shaded last, and the last triangle of a plane.
struct Last<'a> {
    face: Option<Face<'a>>,
    plane: Option<Face<'a>>,
}

impl<'a> Last<'a> {
    /// Prepares a triangle for shading, unless it is the last one.
    #[inline]
    fn face(&mut self, pass: &'a Pass<'_>, id: u32, tile: Tile) -> Option<&Face<'a>> {
        if id == NOTHING {
            return None;
        }
        let is = |place: &Option<Face<'_>>| place.as_ref().is_some_and(|face| face.id == id);
        if is(&self.plane) {
            return self.plane.as_ref();
        }
        if !is(&self.face) {
            let face = pass.face(id, tile.origin);
            if face.plane.is_some() {
                self.plane = Some(face);
                return self.plane.as_ref();
            }
            self.face = Some(face);
        }
        self.face.as_ref()
    }
}
