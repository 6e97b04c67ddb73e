//! The colour of a triangle, for pixels in a row.

use crate::geometry::PlaneGrid;
use crate::item::{Item, Look};
use crate::light::{MAX_LIGHTS, Points};
use crate::linear::{V3, add, rotate};
use crate::pass::{Pass, TILE};
use crate::raster::weights;
use crate::vertex::Batch;
use crate::wide::{LANES, Wide, Wide3, along};
use crate::worker::Lattice;

/// Red, green, blue and alpha of pixels.
pub(crate) type Colors<W> = [W; 4];

/// A triangle that is being shaded.
pub(crate) struct Face<'a> {
    item: &'a Item<'a>,
    number: u32,
    batch: &'a Batch,
    v: [usize; 3],
    /// Forms whose ratios are the weights of the corners, perspective included.
    form: [[f32; 3]; 3],
    /// Where its tile is.
    origin: [usize; 2],
}

/// Where pixels are on a triangle.
struct Place<W> {
    weight: Wide3<W>,
    /// One over the sum of the forms.
    inverse: W,
}

impl<W: Wide> Place<W> {
    #[inline(always)]
    fn new(form: &[[f32; 3]; 3], x: usize, y: usize) -> Place<W> {
        let fx = W::lanes(|l| l as f32).plus(x as f32 + 0.5);
        let fy = y as f32 + 0.5;
        let q = form.map(|[a, b, c]| fx.times(a).plus(b * fy + c));
        let inverse = W::splat(1.0) / (q[0] + q[1] + q[2]);
        Place { weight: q.map(|q| q * inverse), inverse }
    }

    /// Values between those at the corners.
    #[inline(always)]
    fn mix(&self, value: [V3; 3]) -> Wide3<W> {
        let [a, b, c] = self.weight;
        [0, 1, 2].map(|k| a.times(value[0][k]) + b.times(value[1][k]) + c.times(value[2][k]))
    }
}

impl<'p> Pass<'p> {
    /// Makes a triangle ready for its colours in a tile.
    pub(crate) fn face<'a>(&'a self, id: u32, origin: [usize; 2]) -> Face<'a> {
        let found = self.find(id);
        Face {
            item: &self.items[found.tri.item as usize],
            number: found.tri.item,
            batch: found.batch,
            v: found.tri.v.map(|v| v as usize),
            form: weights(found.corners(), origin),
            origin,
        }
    }

    /// Colours of a triangle at the middles of pixels from (`x`, `y`) of the tile on.
    #[inline(never)]
    pub(crate) fn shade<W: Wide>(
        &self,
        lattice: &mut Lattice,
        face: &Face<'_>,
        x: usize,
        y: usize,
    ) -> Colors<W> {
        let Face { item, batch, v, .. } = face;
        let place = Place::<W>::new(&face.form, x, y);
        let stride = batch.stride;
        let corner = |k: usize| place.mix(v.map(|v| batch.color[v * stride + k]));

        // light
        let shaded = stride > 1 && item.shaded;
        let needs_world = self.how.fog.is_some() || shaded;
        let world = if needs_world { place.mix(v.map(|v| batch.world[v])) } else { [W::zero(); 3] };
        let mut color = corner(0);
        if let Look::Plane(grid) = &item.look {
            color = self.plane_light(lattice, face, grid, [color[0], color[1]], &world);
        } else if shaded {
            for k in 1..stride {
                self.add_lit(&mut color, corner(k), k - 1, &world, item.geom);
            }
        }

        // texture
        let mut alpha = W::splat(item.surface.rgba[3]);
        if let Some(texture) = item.surface.paint.texture() {
            self.texture(face, &place, texture, &mut color, &mut alpha);
        } else if let Look::Haze = item.look {
            alpha = place.mix(v.map(|v| batch.tex[v]))[0];
        }
        self.finish(face, [x, y], &world, &mut color);
        let [r, g, b] = color;
        [r, g, b, alpha].map(W::clamp01)
    }

    /// Adds the colours that light `k` gives, where it shines.
    #[inline(always)]
    fn add_lit<W: Wide>(
        &self,
        color: &mut Wide3<W>,
        more: Wide3<W>,
        k: usize,
        world: &Wide3<W>,
        geom: usize,
    ) {
        if W::any(W::zero().less(more[0] + more[1] + more[2])) {
            let lit = self.how.shadows.lit(k, world, geom);
            *color = [0, 1, 2].map(|k| color[k] + more[k] * lit);
        }
    }

    /// Multiplies colours by those of a texture.
    #[inline(always)]
    fn texture<W: Wide>(
        &self,
        face: &Face<'_>,
        place: &Place<W>,
        texture: usize,
        color: &mut Wide3<W>,
        alpha: &mut W,
    ) {
        let corners = face.v.map(|v| face.batch.tex[v]);
        let at = place.mix(corners);

        // how coordinates change from pixel to pixel: the derivatives of a ratio of forms
        let change = [0, 1].map(|axis| {
            let slope = face.form.map(|f| f[axis]);
            let sum = slope[0] + slope[1] + slope[2];
            [0, 1, 2].map(|k| {
                let rise: f32 = (0..3).map(|i| slope[i] * corners[i][k]).sum();
                (W::splat(rise) - at[k].times(sum)) * place.inverse
            })
        });
        let [r, g, b, a] = self.how.assets.textures[texture].sample(&at, &change);
        *color = [color[0] * r, color[1] * g, color[2] * b];
        *alpha = *alpha * a;
    }

    /// Adds fog, and what a mirror shows.
    #[inline(always)]
    fn finish<W: Wide>(
        &self,
        face: &Face<'_>,
        [x, y]: [usize; 2],
        world: &Wide3<W>,
        color: &mut Wide3<W>,
    ) {
        let view = &self.how.view;
        if let Some(fog) = &self.how.fog {
            let depth = along([0, 1, 2].map(|k| world[k].plus(-view.origin[k])), view.forward);
            *color = fog.over(*color, depth);
        }
        let Some(image) = self.how.reflection.filter(|_| face.item.mirror) else { return };
        let [ox, oy] = face.origin;
        let columns = view.width.div_ceil(TILE[0]);
        if image.used[oy / TILE[1] * columns + ox / TILE[0]] {
            let first = (oy + y) * view.width;
            let pixel = |l: usize| image.pixel[first + (ox + x + l).min(view.width - 1)];
            let more = |k: usize| W::lanes(|l| f32::from(pixel(l)[k])).times(1.0 / 255.0);
            *color = [0, 1, 2].map(|k| color[k] + more(k));
        }
    }

    /// Light of a plane at its own coordinates, interpolated in cells of its grid.
    #[inline(always)]
    fn plane_light<W: Wide>(
        &self,
        lattice: &mut Lattice,
        face: &Face<'_>,
        grid: &PlaneGrid,
        [x, y]: [W; 2],
        world: &Wide3<W>,
    ) -> Wide3<W> {
        let stride = face.batch.stride;
        let mut colors = [[W::zero(); 3]; 1 + MAX_LIGHTS];
        let colors = &mut colors[..stride];
        if let Some(((i, u), (j, v))) = grid.one_cell(0, x).zip(grid.one_cell(1, y)) {
            let corners = self.cell(lattice, face, grid, [i, j]);
            for (k, color) in colors.iter_mut().enumerate() {
                *color = in_cell(corners.map(|at| lattice.light(at + k)), u, v);
            }
        } else {
            let mut each = [[[0.0; LANES]; 3]; 1 + MAX_LIGHTS];
            for l in 0..W::COUNT {
                let (i, u) = grid.cell(0, x.get(l));
                let (j, v) = grid.cell(1, y.get(l));
                let corners = self.cell(lattice, face, grid, [i, j]);
                for (k, each) in each.iter_mut().enumerate().take(stride) {
                    let color: V3 = in_cell(corners.map(|at| lattice.light(at + k)), u, v);
                    (0..3).for_each(|c| each[c][l] = color[c]);
                }
            }
            for (color, each) in colors.iter_mut().zip(each) {
                *color = each.map(|c| W::lanes(|l| c[l]));
            }
        }
        let mut color = colors[0];
        if face.item.shaded {
            for (k, more) in colors[1..].iter().enumerate() {
                self.add_lit(&mut color, *more, k, world, face.item.geom);
            }
        }
        color
    }

    /// Where the colours at the corners of a cell of a plane are kept.
    #[inline]
    fn cell(
        &self,
        lattice: &mut Lattice,
        face: &Face<'_>,
        grid: &PlaneGrid,
        [i, j]: [usize; 2],
    ) -> [usize; 4] {
        [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| {
            lattice.corner(face.number, i, j, |out| {
                self.light_at(face.item, [grid.lines[0][i], grid.lines[1][j]], out);
            })
        })
    }

    /// Colours of a point of a plane.
    #[inline(never)]
    fn light_at(&self, item: &Item<'_>, [x, y]: [f32; 2], out: &mut [V3]) {
        let lights = if item.shaded { self.how.lights } else { self.how.plain };
        let pos = add(item.pos, rotate(&item.mat, [x, y, 0.0]));
        let normal = rotate(&item.mat, [0.0, 0.0, 1.0]);
        let points = Points { pos, normal };
        let surface = item.surface.dimmed(self.how.dim);
        lights.shine(&surface, &points, self.how.view.eye, out);
    }
}

/// Colours in a cell, which is divided from its second corner to its last.
#[inline(always)]
fn in_cell<W: Wide>([a, b, c, d]: [V3; 4], u: W, v: W) -> Wide3<W> {
    let one = W::splat(1.0);
    let lower = (u + v).at_most(one);
    let (s, t) = (W::choose(lower, u, one - u), W::choose(lower, v, one - v));
    [0, 1, 2].map(|k| {
        let near = s.times(b[k] - a[k]) + t.times(d[k] - a[k]);
        let far = s.times(d[k] - c[k]) + t.times(b[k] - c[k]);
        W::choose(lower, near.plus(a[k]), far.plus(c[k]))
    })
}
