//! A pass: items that are projected, lit, sorted into tiles and drawn together.

use rayon::prelude::*;

use crate::assets::{Assets, Fog};
use crate::camera::Projection;
use crate::item::Item;
use crate::light::Lights;
use crate::raster::Samples;
use crate::shadow::Shadows;
use crate::spot::Spot;
use crate::store::Store;
use crate::tile::Bins;
use crate::vertex::{Batch, Lighting, Tri, project};
use crate::worker::Worker;

/// Width and height of a tile in pixels. The samples of a tile fit into the first-level cache.
pub(crate) const TILE: [usize; 2] = [64, 16];

/// Maximum sizes of a group and of a pass; the id of a triangle has its group in the upper bits.
const GROUP_BITS: u32 = 26;
const MAX_GROUPS: usize = 32;

/// The image in a mirror.
#[derive(Clone, Copy)]
pub(crate) struct Reflection<'a> {
    pub(crate) pixel: &'a [[u8; 3]],
    /// Tiles that are not empty.
    pub(crate) used: &'a [bool],
}

/// Settings of a pass besides its items.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) assets: &'a Assets,
    pub(crate) view: Projection,
    pub(crate) samples: Samples,
    pub(crate) lights: &'a Lights,
    pub(crate) plain: &'a Lights,
    pub(crate) shadows: &'a Shadows<'a>,
    pub(crate) reflection: Option<Reflection<'a>>,
    pub(crate) fog: Option<Fog>,
    /// Factor of all colours, in a reflection.
    pub(crate) dim: f32,
    /// Whether transparent colours are added to the background instead of covering it.
    pub(crate) additive: bool,
    pub(crate) wireframe: bool,
    /// Whether several threads draw.
    pub(crate) several: bool,
}

/// The triangles of some consecutive items.
#[derive(Default)]
pub(crate) struct Group {
    pub(crate) batch: Batch,
    pub(crate) opaque: Bins,
    /// Range of triangles of each item.
    range: Vec<core::ops::Range<u32>>,
}

/// The items of a pass, projected and sorted into tiles.
#[derive(Clone, Copy)]
pub(crate) struct Pass<'a> {
    pub(crate) how: Setting<'a>,
    pub(crate) items: &'a [Item<'a>],
    pub(crate) groups: &'a [Group],
    pub(crate) glass: &'a Bins,
    pub(crate) workers: &'a Store<Worker>,
}

/// A triangle of a pass with its item.
pub(crate) struct Found<'a> {
    pub(crate) batch: &'a Batch,
    pub(crate) tri: Tri,
}

impl Found<'_> {
    /// The corners in screen coordinates.
    #[inline]
    pub(crate) fn corners(&self) -> [Spot; 3] {
        self.tri.v.map(|v| self.batch.spot[v as usize])
    }
}

/// The id of a triangle of a group.
pub(crate) fn number(group: usize, t: u32) -> u32 {
    (group as u32) << GROUP_BITS | t
}

/// The reusable memory of a pass.
pub(crate) struct Buffers<'a> {
    pub(crate) groups: &'a mut Vec<Group>,
    pub(crate) glass: &'a mut Bins,
    pub(crate) workers: &'a Store<Worker>,
}

impl<'a> Pass<'a> {
    /// Projects items; items from `glass` on are transparent, and drawn in the given order.
    pub(crate) fn new(
        items: &'a [Item<'a>],
        glass: usize,
        order: &[usize],
        how: Setting<'a>,
        buffers: Buffers<'a>,
    ) -> Pass<'a> {
        // one group of items per task
        let wanted = if how.several { 2 * rayon::current_num_threads() } else { 1 };
        let per_group = items.len().div_ceil(wanted.min(MAX_GROUPS)).max(1);
        let count = items.len().div_ceil(per_group);
        buffers.groups.resize_with(count, Group::default);
        let fill = |(g, group): (usize, &mut Group)| {
            let first = g * per_group;
            let last = (first + per_group).min(items.len());
            group.fill(items, first..last, glass, &how);
        };
        match how.several {
            true => buffers.groups.par_iter_mut().enumerate().for_each(fill),
            false => buffers.groups.iter_mut().enumerate().for_each(fill),
        }

        // transparent items in their order
        buffers.glass.start(how.view.width, how.view.height, TILE);
        for &i in order {
            let (g, group) = (i / per_group, &buffers.groups[i / per_group]);
            for t in group.range[i % per_group].clone() {
                buffers.glass.insert(group.corners(t), number(g, t));
            }
        }
        Pass { how, items, groups: buffers.groups, glass: buffers.glass, workers: buffers.workers }
    }

    /// The same pass with shadows.
    pub(crate) fn shadowed<'b>(self, shadows: &'b Shadows<'b>) -> Pass<'b>
    where
        'a: 'b,
    {
        Pass { how: Setting { shadows, ..self.how }, ..self }
    }

    /// A triangle by its id.
    #[inline]
    pub(crate) fn find(&self, id: u32) -> Found<'_> {
        let batch = &self.groups[(id >> GROUP_BITS) as usize].batch;
        Found { batch, tri: batch.tri[(id & ((1 << GROUP_BITS) - 1)) as usize] }
    }
}

impl Group {
    /// The corners of a triangle in screen coordinates.
    #[inline]
    pub(crate) fn corners(&self, t: u32) -> [Spot; 3] {
        self.batch.tri[t as usize].v.map(|v| self.batch.spot[v as usize])
    }

    /// Projects the items of a range, and sorts those before `glass` into tiles.
    fn fill(
        &mut self,
        items: &[Item<'_>],
        range: core::ops::Range<usize>,
        glass: usize,
        how: &Setting<'_>,
    ) {
        // one colour per shadow-casting light, besides the colour without
        let stride = 1 + how.lights.shadows();
        let Setting { lights, plain, dim, view, .. } = *how;
        let lighting = Lighting { lights, plain, stride, dim, shown: true };
        self.batch.clear(stride);
        self.opaque.start(view.width, view.height, TILE);
        self.range.clear();

        // triangles of each item, up to the largest index that an id can hold
        for i in range {
            let first = self.batch.tri.len();
            project(&items[i], i as u32, &view, &lighting, &mut self.batch);
            if how.wireframe && items[i].geom != usize::MAX {
                outline(&mut self.batch, first, how.assets.line_width);
            }
            self.batch.tri.truncate(1 << GROUP_BITS);
            let last = self.batch.tri.len();
            self.range.push(first.min(last) as u32..last as u32);

            // opaque triangles by tile
            if i < glass {
                for t in first as u32..last as u32 {
                    self.opaque.insert(self.corners(t), t);
                }
            }
        }
    }
}

/// Replaces triangles from `first` on by thin strips along their edges.
fn outline(batch: &mut Batch, first: usize, width: f32) {
    for t in batch.tri.split_off(first) {
        for k in 0..3 {
            let ends = [t.v[k] as usize, t.v[(k + 1) % 3] as usize];
            let [a, b] = ends.map(|v| batch.spot[v]);
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            let length = (dx * dx + dy * dy).sqrt().max(1e-6);
            let half = 0.5 * width.max(1.0) / length;
            let new = batch.spot.len() as u32;
            for (spot, v, side) in
                [(a, ends[0], -1.0), (b, ends[1], -1.0), (b, ends[1], 1.0), (a, ends[0], 1.0)]
            {
                let (x, y) = (spot.x - side * dy * half, spot.y + side * dx * half);
                batch.spot.push(Spot { x, y, ..spot });
                batch.world.push(batch.world[v]);
                batch.tex.push(batch.tex[v]);
                batch.color.extend_from_within(v * batch.stride..(v + 1) * batch.stride);
            }
            for v in [[0, 1, 3], [1, 2, 3]] {
                batch.tri.push(Tri { v: v.map(|v| v + new), item: t.item });
            }
        }
    }
}
