//! The colour of a triangle, for pixels in a row.

use crate::geometry::PlaneGrid;
use crate::item::{Item, Look};
use crate::light::Points;
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
    /// Lights that nothing comes before, as bits.
    open: u32,
    /// Texture coordinates at the corners, and for both axes how the sum of the forms changes, and
    /// the forms times the coordinates.
    tex: [V3; 3],
    slope: [(f32, V3); 2],
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
        let item = &self.items[found.tri.item as usize];
        let v = found.tri.v.map(|v| v as usize);
        let form = weights(found.corners(), origin);
        let mut face = Face {
            item,
            number: found.tri.item,
            batch: found.batch,
            v,
            form,
            origin,
            open: 0,
            tex: [[0.0; 3]; 3],
            slope: [(0.0, [0.0; 3]); 2],
        };
        if item.surface.paint.texture().is_some() {
            let tex = v.map(|v| found.batch.tex[v]);
            face.tex = tex;
            face.slope = [0, 1].map(|axis| {
                let [a, b, c] = form.map(|f| f[axis]);
                let rise = [0, 1, 2].map(|k| a * tex[0][k] + b * tex[1][k] + c * tex[2][k]);
                (a + b + c, rise)
            });
        }
        face
    }

    /// Finds the lights from which no shadow falls on a tile that the triangle covers.
    pub(crate) fn find_shadows(&self, face: &mut Face<'_>) {
        let [w, h] = TILE;
        let corner = |x: usize, y: usize| {
            let place = Place::<f32>::new(&face.form, x, y);
            place.mix(face.v.map(|v| face.batch.world[v]))
        };
        let corners = [corner(0, 0), corner(w, 0), corner(0, h), corner(w, h)];
        for k in 0..face.batch.stride - 1 {
            let open = self.how.shadows.none_on(k, &corners, face.item.geom);
            face.open |= u32::from(open) << k;
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
        let shaded = item.shaded && !all_open(face);
        let needs_world = self.how.fog.is_some() || shaded;
        let world = if needs_world { place.mix(v.map(|v| batch.world[v])) } else { [W::zero(); 3] };
        let mut color = corner(0);
        if let Look::Plane(grid) = &item.look {
            color = self.plane_light(lattice, face, grid, [color[0], color[1]], &world);
        } else if item.shaded {
            for k in 1..stride {
                let more = corner(k);
                if W::any(W::zero().less(more[0] + more[1] + more[2])) {
                    let lit = self.lit(face, k - 1, &world);
                    color = [0, 1, 2].map(|c| color[c] + more[c] * lit);
                }
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

    /// For points of a face, 1 where light `k` reaches them, and 0 elsewhere.
    #[inline(always)]
    fn lit<W: Wide>(&self, face: &Face<'_>, k: usize, world: &Wide3<W>) -> W {
        match face.open >> k & 1 {
            1 => W::splat(1.0),
            _ => self.how.shadows.lit(k, world, face.item.geom),
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
        let at = place.mix(face.tex);

        // how coordinates change from pixel to pixel: the derivatives of a ratio of forms
        let change = face.slope.map(|(sum, rise)| {
            [0, 1, 2].map(|k| (W::splat(rise[k]) - at[k].times(sum)) * place.inverse)
        });
        let texture = &self.how.assets.textures[texture];
        let texel = texture.sample(&at, &change);
        let channel = |k: usize| W::lanes(|l| texel[l][k]).times(1.0 / 255.0);
        *color = [0, 1, 2].map(|k| color[k] * channel(k));
        if !texture.opaque() {
            *alpha = *alpha * channel(3);
        }
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
        if let Some(((i, u), (j, v))) = grid.one_cell(0, x).zip(grid.one_cell(1, y)) {
            let corners = self.cell(lattice, face, grid, [i, j]);

            if all_open(face) {
                return in_cell(lattice.sum, u, v);
            }

            // lights that reach all points or none are added at the corners
            let mut sum = corners.map(|at| lattice.light(at));
            let mut rest = [W::zero(); 3];
            for k in (1..stride).filter(|_| face.item.shaded) {
                let more = corners.map(|at| lattice.light(at + k));
                if more == [[0.0; 3]; 4] {
                    continue;
                }
                let lit = self.lit(face, k - 1, world);
                if W::all(W::splat(1.0).at_most(lit)) {
                    sum = [0, 1, 2, 3].map(|c| add(sum[c], more[c]));
                } else if W::any(W::zero().less(lit)) {
                    let more = in_cell(more, u, v);
                    rest = [0, 1, 2].map(|c| rest[c] + more[c] * lit);
                }
            }
            let color = in_cell(sum, u, v);
            return [0, 1, 2].map(|c| color[c] + rest[c]);
        }

        // each pixel in its own cell
        let mut cell = [([0; 4], 0.0, 0.0); LANES];
        for (l, cell) in cell.iter_mut().enumerate().take(W::COUNT) {
            let (i, u) = grid.cell(0, x.get(l));
            let (j, v) = grid.cell(1, y.get(l));
            *cell = (self.cell(lattice, face, grid, [i, j]), u, v);
        }
        let mut color = [W::zero(); 3];
        for k in (0..stride).take_while(|k| *k == 0 || face.item.shaded) {
            let mut each = [[0.0; LANES]; 3];
            for (l, (corners, u, v)) in cell.iter().enumerate().take(W::COUNT) {
                let color: V3 = in_cell(corners.map(|at| lattice.light(at + k)), *u, *v);
                (0..3).for_each(|c| each[c][l] = color[c]);
            }
            let lit = if k == 0 { W::splat(1.0) } else { self.lit(face, k - 1, world) };
            color = [0, 1, 2].map(|c| color[c] + W::lanes(|l| each[c][l]) * lit);
        }
        color
    }

    /// Where the colours at the corners of a cell of a plane are kept.
    #[inline(always)]
    fn cell(
        &self,
        lattice: &mut Lattice,
        face: &Face<'_>,
        grid: &PlaneGrid,
        cell: [usize; 2],
    ) -> [usize; 4] {
        lattice.cell(face.number, cell, |i, j, out| {
            self.light_at(face.item, [grid.lines[0][i], grid.lines[1][j]], out);
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

/// Whether no shadow falls on the tile of a face.
#[inline(always)]
fn all_open(face: &Face<'_>) -> bool {
    face.item.shaded && face.open + 1 == 1 << (face.batch.stride - 1)
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
