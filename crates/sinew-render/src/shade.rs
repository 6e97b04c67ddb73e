//! The colour of a pixel of a triangle.

use crate::item::{Item, Look};
use crate::linear::{V3, add, dot, rotate, scale, sub};
use crate::pass::Pass;
use crate::raster::Edges;

/// Cells of planes that a tile remembers the light of.
const CELLS: usize = 64;

/// What a tile keeps from pixel to pixel.
pub(crate) struct Memory {
    /// The triangle that was shaded last.
    triangle: u32,
    /// Forms whose ratios are the weights of its corners, perspective included.
    form: [[f32; 3]; 3],
    /// Where the tile is.
    origin: [usize; 2],
    /// Which cell of which plane is in each place.
    cell: [(u32, u32, u32); CELLS],
    /// Colours at the corners of the cells.
    light: Vec<[V3; 4]>,
}

impl Memory {
    pub(crate) fn new(stride: usize) -> Memory {
        Memory {
            triangle: u32::MAX,
            form: [[0.0; 3]; 3],
            origin: [0; 2],
            cell: [(u32::MAX, 0, 0); CELLS],
            light: vec![[[0.0; 3]; 4]; CELLS * stride],
        }
    }

    /// Begins with another tile.
    pub(crate) fn start(&mut self, x: usize, y: usize) {
        self.triangle = u32::MAX;
        self.origin = [x, y];
    }
}

/// Where a pixel is on its triangle.
struct Place {
    weight: [f32; 3],
    /// How the weights change to the next pixel, to the right and down.
    change: [[f32; 3]; 2],
}

fn mix(weight: [f32; 3], value: [V3; 3]) -> V3 {
    core::array::from_fn(|k| {
        weight[0] * value[0][k] + weight[1] * value[1][k] + weight[2] * value[2][k]
    })
}

impl Pass<'_> {
    /// Colour and alpha of a triangle at the middle of pixel (`x`, `y`) of the tile.
    pub(crate) fn fragment(&self, keep: &mut Memory, t: u32, x: usize, y: usize) -> [f32; 4] {
        let tri = self.batch.tri[t as usize];
        let item = &self.items[tri.item as usize];
        let ids = tri.v.map(|v| v as usize);
        let place = self.place(keep, t, x, y);

        // light
        let stride = self.batch.stride;
        let corner = |k: usize| mix(place.weight, ids.map(|v| self.batch.color[v * stride + k]));
        let mut color = corner(0);
        let mut alpha = item.surface.rgba[3];
        let needs_world = self.fog.is_some() || (stride > 1 && item.shaded);
        let world = if needs_world {
            mix(place.weight, ids.map(|v| self.batch.world[v]))
        } else {
            [0.0; 3]
        };
        if let Look::Plane(_) = item.look {
            color = self.plane_light(keep, tri.item, [color[0], color[1]], world);
        } else if item.shaded {
            for k in 1..stride {
                let more = corner(k);
                if more != [0.0; 3] && self.shadows.lit(k - 1, world, item.geom) {
                    color = add(color, more);
                }
            }
        }

        // texture
        if let Some(texture) = item.surface.paint.texture() {
            let corners = ids.map(|v| self.batch.tex[v]);
            let change = place.change.map(|c| mix(c, corners));
            let texel = self.assets.textures[texture].sample(mix(place.weight, corners), &change);
            for k in 0..3 {
                color[k] *= texel[k];
            }
            alpha *= texel[3];
        } else if let Look::Haze = item.look {
            alpha = mix(place.weight, ids.map(|v| self.batch.tex[v]))[0];
        }
        if let Some(fog) = &self.fog {
            color = fog.over(color, self.view.depth_of(world));
        }

        // what it mirrors
        if item.mirror
            && let Some(image) = self.reflection
        {
            let row = (keep.origin[1] + y).min(self.view.height - 1);
            let column = (keep.origin[0] + x).min(self.view.width - 1);
            color = add(color, image[row * self.view.width + column]);
        }
        let [r, g, b] = color.map(|c| c.clamp(0.0, 1.0));
        [r, g, b, alpha.clamp(0.0, 1.0)]
    }

    /// Weights of the corners of a triangle at a pixel: barycentric coordinates over w.
    fn place(&self, keep: &mut Memory, t: u32, x: usize, y: usize) -> Place {
        if keep.triangle != t {
            keep.triangle = t;
            let corners = self.batch.tri[t as usize].v.map(|v| self.batch.spot[v as usize]);
            let [ox, oy] = keep.origin;
            keep.form = match Edges::new(corners, ox, oy, self.opaque.size) {
                Some(edges) => core::array::from_fn(|i| {
                    let factor = corners[i].invw * edges.inverse_area;
                    edges.form(i).map(|c| c * factor)
                }),
                None => [[0.0, 0.0, 1.0]; 3],
            };
        }
        let (fx, fy) = (x as f32 + 0.5, y as f32 + 0.5);
        let q = keep.form.map(|[a, b, c]| a * fx + b * fy + c);
        let inverse = 1.0 / (q[0] + q[1] + q[2]);
        let weight = q.map(|q| q * inverse);
        let change = [0, 1].map(|axis| {
            let sum: f32 = keep.form.iter().map(|f| f[axis]).sum();
            core::array::from_fn(|i| (keep.form[i][axis] - weight[i] * sum) * inverse)
        });
        Place { weight, change }
    }

    /// Light of a plane, interpolated in a cell of its grid.
    fn plane_light(&self, keep: &mut Memory, number: u32, at: [f32; 2], world: V3) -> V3 {
        let item = &self.items[number as usize];
        let Look::Plane(grid) = &item.look else { return [0.0; 3] };
        let ((i, u), (j, v)) = (grid.cell(0, at[0]), grid.cell(1, at[1]));
        let stride = self.batch.stride;
        let key = (number, i as u32, j as u32);
        let slot = (i * 7 + j * 13 + number as usize * 29) % CELLS;
        if keep.cell[slot] != key {
            keep.cell[slot] = key;
            let mut out = vec![[0.0; 3]; stride];
            let normal = rotate(&item.mat, [0.0, 0.0, 1.0]);
            for (c, (di, dj)) in [(0, 0), (1, 0), (1, 1), (0, 1)].into_iter().enumerate() {
                let local = [grid.lines[0][i + di], grid.lines[1][j + dj], 0.0];
                let pos = add(item.pos, rotate(&item.mat, local));
                self.light_at(item, pos, normal, &mut out);
                for (k, color) in out.iter().enumerate() {
                    keep.light[slot * stride + k][c] = *color;
                }
            }
        }

        // the quadrangle is divided from its second corner to its last
        let blend = |[a, b, c, d]: [V3; 4]| -> V3 {
            let (from, along, across, s, t) =
                if u + v <= 1.0 { (a, b, d, u, v) } else { (c, d, b, 1.0 - u, 1.0 - v) };
            add(from, add(scale(sub(along, from), s), scale(sub(across, from), t)))
        };
        let mut color = blend(keep.light[slot * stride]);
        for k in 1..stride {
            let more = blend(keep.light[slot * stride + k]);
            if item.shaded && more != [0.0; 3] && self.shadows.lit(k - 1, world, item.geom) {
                color = add(color, more);
            }
        }
        color
    }

    /// Colours of a point of an item.
    fn light_at(&self, item: &Item<'_>, pos: V3, normal: V3, out: &mut [V3]) {
        let mut surface = item.surface;
        for c in &mut surface.rgba[..3] {
            *c *= self.dim;
        }
        let lights = if item.shaded { self.lights } else { self.plain };
        lights.shine(&surface, pos, normal, self.view.eye, out);
    }
}

impl crate::camera::Projection {
    /// Distance of a point along the line of sight.
    pub(crate) fn depth_of(&self, world: V3) -> f32 {
        dot(sub(world, self.origin), self.forward)
    }
}
