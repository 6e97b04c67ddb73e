//! Segmentation and depth: the nearest item at every pixel, and its distance.

use rayon::prelude::*;

use crate::camera::Projection;
use crate::item::Item;
use crate::light::Lights;
use crate::raster::{Block, Edges, SINGLE};
use crate::tile::Bins;
use crate::vertex::{Batch, Lighting, project};
use crate::wide::{F8, LANES, Wide};

/// Width and height of a tile in pixels.
const TILE: [usize; 2] = [64, 16];

/// The visible item and its depth at every pixel, row by row from the top.
pub(crate) struct Seen {
    pub(crate) item: Vec<Option<u32>>,
    pub(crate) depth: Vec<f32>,
}

/// Finds the nearest item at every pixel; transparent items count as opaque.
pub(crate) fn seen(items: &[Item<'_>], view: &Projection, several: bool) -> Seen {
    // triangles in tiles
    let dark = Lights::default();
    let how = Lighting { lights: &dark, plain: &dark, stride: 1, dim: 1.0, shown: false };
    let mut batch = Batch::default();
    batch.clear(1);
    for (i, item) in items.iter().enumerate() {
        project(item, i as u32, view, &how, &mut batch);
    }
    let mut bins = Bins::default();
    bins.start(view.width, view.height, TILE);
    for (t, tri) in batch.tri.iter().enumerate() {
        bins.insert(tri.v.map(|v| batch.spot[v as usize]), t as u32);
    }

    // tiles row by row
    let n = view.width * view.height;
    let mut out = Seen { item: vec![None; n], depth: vec![0.0; n] };
    let chunk = view.width * TILE[1];
    let find_row = |(row, (item, depth)): (usize, (&mut [Option<u32>], &mut [f32]))| {
        for column in 0..bins.columns() {
            find(&batch, &bins, [column, row], view, Strip { item, depth });
        }
    };
    match several {
        true => {
            let rows = out.item.par_chunks_mut(chunk).zip(out.depth.par_chunks_mut(chunk));
            rows.enumerate().for_each(find_row);
        }
        false => {
            let rows = out.item.chunks_mut(chunk).zip(out.depth.chunks_mut(chunk));
            rows.enumerate().for_each(find_row);
        }
    }
    out
}

/// One row of tiles of the image.
struct Strip<'a> {
    item: &'a mut [Option<u32>],
    depth: &'a mut [f32],
}

/// Finds the nearest item at every pixel of one tile.
fn find(batch: &Batch, bins: &Bins, [column, row]: [usize; 2], view: &Projection, out: Strip<'_>) {
    const PER_ROW: usize = TILE[0] / LANES;
    let tile = bins.place(column, row);
    let mut near: [Block; PER_ROW * TILE[1]] = [[0.0; LANES]; PER_ROW * TILE[1]];
    // indices of items, stored as bits
    let mut id: [Block; PER_ROW * TILE[1]] = [[f32::from_bits(u32::MAX); LANES]; PER_ROW * TILE[1]];
    for &t in bins.tile(column, row) {
        let tri = batch.tri[t as usize];
        let corners = tri.v.map(|v| batch.spot[v as usize]);
        let Some(edges) = Edges::new(corners, tile) else { continue };
        let number = F8::splat(f32::from_bits(tri.item));
        edges.cover(&SINGLE, PER_ROW, |block, z| {
            let nearer = F8::new(near[block]).at_most(z);
            near[block] = F8::choose(nearer, z, F8::new(near[block])).array();
            id[block] = F8::choose(nearer, number, F8::new(id[block])).array();
        });
    }
    let [ox, oy] = tile.origin;
    for y in 0..TILE[1].min(view.height - oy) {
        for x in 0..TILE[0].min(view.width - ox) {
            let (block, lane) = (y * PER_ROW + x / LANES, x % LANES);
            let pixel = y * view.width + ox + x;
            let number = id[block][lane].to_bits();
            out.item[pixel] = (number != u32::MAX).then_some(number);
            out.depth[pixel] = near[block][lane];
        }
    }
}
