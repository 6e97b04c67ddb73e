//! What is seen where, and how far away it is.

use rayon::prelude::*;

use crate::camera::Projection;
use crate::item::Item;
use crate::light::Lights;
use crate::raster::{Edges, SINGLE};
use crate::tile::Bins;
use crate::vertex::{Batch, Lighting, project};

/// Pixels along the side of a tile.
const TILE: usize = 32;

/// For every pixel, row by row from the top: the item that is seen, and its depth.
pub(crate) struct Seen {
    pub(crate) item: Vec<Option<u32>>,
    pub(crate) depth: Vec<f32>,
}

/// Finds what is nearest at every pixel; transparent things count as others do.
pub(crate) fn seen(items: &[Item<'_>], view: &Projection, dark: &Lights) -> Seen {
    let how = Lighting { lights: dark, plain: dark, stride: 1, dim: 0.0 };
    let batches: Vec<Batch> =
        items.par_iter().enumerate().map(|(i, item)| project(item, i as u32, view, &how)).collect();
    let mut batch = Batch { stride: 1, ..Batch::default() };
    batches.iter().for_each(|part| batch.append(part));
    let mut bins = Bins::new(view.width, view.height, TILE);
    for t in 0..batch.tri.len() as u32 {
        bins.insert(&batch, t);
    }
    let n = view.width * view.height;
    let mut out = Seen { item: vec![None; n], depth: vec![0.0; n] };
    let chunk = view.width * TILE;
    let rows = out.item.par_chunks_mut(chunk).zip(out.depth.par_chunks_mut(chunk)).enumerate();
    rows.for_each(|(row, (item, depth))| {
        for column in 0..bins.columns() {
            find(&batch, bins.tile(column, row), [column, row], view, (item, depth));
        }
    });
    out
}

/// Finds what is nearest in one tile.
fn find(
    batch: &Batch,
    list: &[u32],
    [column, row]: [usize; 2],
    view: &Projection,
    (item, depth): (&mut [Option<u32>], &mut [f32]),
) {
    let (ox, oy) = (column * TILE, row * TILE);
    let mut near = vec![[0.0f32; 4]; TILE * TILE / 4];
    let mut id = vec![[u32::MAX; 4]; TILE * TILE / 4];
    for &t in list {
        let tri = batch.tri[t as usize];
        let corners = tri.v.map(|v| batch.spot[v as usize]);
        let Some(edges) = Edges::new(corners, ox, oy, TILE) else { continue };
        edges.cover(&SINGLE, TILE, |block, z| {
            for l in 0..4 {
                let nearer = z[l] >= near[block][l];
                near[block][l] = if nearer { z[l] } else { near[block][l] };
                id[block][l] = if nearer { tri.item } else { id[block][l] };
            }
        });
    }
    for y in 0..TILE.min(view.height - oy) {
        for x in 0..TILE.min(view.width - ox) {
            let (block, lane) = (y * (TILE / 4) + x / 4, x % 4);
            let pixel = y * view.width + ox + x;
            item[pixel] = (id[block][lane] != u32::MAX).then_some(id[block][lane]);
            depth[pixel] = near[block][lane];
        }
    }
}
