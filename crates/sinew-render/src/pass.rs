//! What is drawn at once: items, projected, lit and sorted into tiles.

use rayon::prelude::*;

use crate::assets::{Assets, Fog};
use crate::camera::Projection;
use crate::item::Item;
use crate::light::Lights;
use crate::linear::V3;
use crate::raster::Samples;
use crate::shadow::Shadows;
use crate::spot::Spot;
use crate::tile::Bins;
use crate::vertex::{Batch, Lighting, Tri, project};

/// Pixels along the side of a tile of large pictures, and of small ones, which would otherwise have
/// too few tiles for all threads.
const TILE: usize = 32;
const SMALL_TILE: usize = 16;
const SMALL: usize = 256;

/// What a pass needs besides what it draws.
pub(crate) struct Setting<'a> {
    pub(crate) assets: &'a Assets,
    pub(crate) view: Projection,
    pub(crate) samples: Samples,
    pub(crate) lights: &'a Lights,
    pub(crate) plain: &'a Lights,
    pub(crate) shadows: &'a Shadows,
    pub(crate) reflection: Option<&'a [V3]>,
    pub(crate) fog: Option<Fog>,
    /// What colours are multiplied by, in a mirror.
    pub(crate) dim: f32,
    /// Whether transparent things add to what is behind them instead of covering it.
    pub(crate) additive: bool,
    pub(crate) wireframe: bool,
}

/// Everything that is drawn, projected and sorted into tiles.
pub(crate) struct Pass<'a> {
    pub(crate) items: Vec<Item<'a>>,
    pub(crate) batch: Batch,
    pub(crate) opaque: Bins,
    pub(crate) glass: Bins,
    pub(crate) assets: &'a Assets,
    pub(crate) view: Projection,
    pub(crate) samples: Samples,
    pub(crate) lights: &'a Lights,
    pub(crate) plain: &'a Lights,
    pub(crate) shadows: &'a Shadows,
    pub(crate) reflection: Option<&'a [V3]>,
    pub(crate) fog: Option<Fog>,
    pub(crate) dim: f32,
    pub(crate) additive: bool,
}

impl<'a> Pass<'a> {
    /// Projects items; those from `glass` on are transparent, and drawn in the given order.
    pub(crate) fn new(
        items: Vec<Item<'a>>,
        glass: usize,
        order: &[usize],
        setting: Setting<'a>,
    ) -> Pass<'a> {
        let Setting { assets, view, samples, lights, plain, shadows, reflection, .. } = setting;
        let stride = 1 + lights.shadows();
        let lighting = Lighting { lights, plain, stride, dim: setting.dim };
        let batches: Vec<Batch> = items
            .par_iter()
            .enumerate()
            .map(|(i, item)| {
                let batch = project(item, i as u32, &view, &lighting);
                let lined = setting.wireframe && item.geom != usize::MAX;
                if lined { outlined(&batch, assets.line_width) } else { batch }
            })
            .collect();
        let mut batch = Batch { stride, ..Batch::default() };
        let mut range = Vec::with_capacity(items.len());
        for part in &batches {
            let first = batch.tri.len() as u32;
            batch.append(part);
            range.push(first..batch.tri.len() as u32);
        }

        // opaque items as they come, the others in their order
        let size = if view.width.max(view.height) <= SMALL { SMALL_TILE } else { TILE };
        let bins = || Bins::new(view.width, view.height, size);
        let (mut opaque_bins, mut glass_bins) = (bins(), bins());
        for t in range[..glass].iter().flat_map(Clone::clone) {
            opaque_bins.insert(&batch, t);
        }
        for t in order.iter().flat_map(|&i| range[i].clone()) {
            glass_bins.insert(&batch, t);
        }
        Pass {
            items,
            batch,
            opaque: opaque_bins,
            glass: glass_bins,
            assets,
            view,
            samples,
            lights,
            plain,
            shadows,
            reflection,
            fog: setting.fog,
            dim: setting.dim,
            additive: setting.additive,
        }
    }
}

/// The edges of triangles as thin strips.
fn outlined(batch: &Batch, width: f32) -> Batch {
    let mut out = Batch { tri: Vec::new(), ..batch.clone() };
    for t in &batch.tri {
        for k in 0..3 {
            let ends = [t.v[k] as usize, t.v[(k + 1) % 3] as usize];
            let [a, b] = ends.map(|v| batch.spot[v]);
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            let length = (dx * dx + dy * dy).sqrt().max(1e-6);
            let half = 0.5 * width.max(1.0) / length;
            let first = out.spot.len() as u32;
            for (spot, v, side) in
                [(a, ends[0], -1.0), (b, ends[1], -1.0), (b, ends[1], 1.0), (a, ends[0], 1.0)]
            {
                let (x, y) = (spot.x - side * dy * half, spot.y + side * dx * half);
                out.spot.push(Spot { x, y, ..spot });
                out.world.push(batch.world[v]);
                out.tex.push(batch.tex[v]);
                out.color.extend_from_within(v * batch.stride..(v + 1) * batch.stride);
            }
            for v in [[0, 1, 3], [1, 2, 3]] {
                out.tri.push(Tri { v: v.map(|v| v + first), item: t.item });
            }
        }
    }
    out
}
