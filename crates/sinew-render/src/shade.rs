//! Colours of triangles, for pixels in a row.

use crate::forms::PlaneForms;
use crate::geometry::PlaneGrid;
use crate::item::{Item, Look};
use crate::linear::V3;
use crate::pass::{Pass, TILE};
use crate::raster::weights;
use crate::texture::{Change, Known};
use crate::wide::{LANES, Wide, Wide3, along};
use crate::worker::Lattice;

/// Red, green, blue and alpha of pixels.
pub(crate) type Colors<W> = [W; 4];

/// A plane in a tile, with its grid.
pub(crate) struct GridPlane<'a> {
    pub(crate) plane: &'a PlaneForms,
    pub(crate) grid: &'a PlaneGrid,
}

/// A triangle prepared for shading in a tile.
pub(crate) struct Face<'a> {
    pub(crate) id: u32,
    pub(crate) item: &'a Item<'a>,
    pub(crate) number: u32,
    /// Number of lights that cast shadows.
    pub(crate) lights: usize,
    /// World positions of the corners, and their colours: without shadowed lights, then for each.
    world: [V3; 3],
    color: [&'a [V3]; 3],
    /// Perspective-correct weights of the corners, as ratios of linear forms.
    form: [[f32; 3]; 3],
    /// Origin of the tile.
    origin: [usize; 2],
    /// Lights that reach the whole tile, as bits.
    pub(crate) open: u32,
    /// Texture coordinates of the corners. For both axes: the derivative of the sum of the forms,
    /// and of the forms times the coordinates.
    tex: [V3; 3],
    slope: [(f32, V3); 2],
    /// Forms of the plane, if the triangle is of a plane.
    pub(crate) plane: Option<PlaneForms>,
}

impl Face<'_> {
    /// Texture coordinates and, by the quotient rule, their derivatives by pixel.
    #[inline(always)]
    fn texture_place<W: Wide>(&self, place: &TrianglePoints<W>) -> (Wide3<W>, Change<W>) {
        let at = place.mix(self.tex);
        let change = self.slope.map(|(sum, rise)| {
            [0, 1, 2].map(|k| (W::splat(rise[k]) - at[k].times(sum)) * place.inverse)
        });
        (at, change)
    }
}

/// Positions of some pixels on a triangle.
struct TrianglePoints<W> {
    weight: Wide3<W>,
    /// Reciprocal of the sum of the forms.
    inverse: W,
}

impl<W: Wide> TrianglePoints<W> {
    #[inline(always)]
    fn new(form: &[[f32; 3]; 3], x: usize, y: usize) -> TrianglePoints<W> {
        let fx = W::lanes(|l| l as f32).plus(x as f32 + 0.5);
        let fy = y as f32 + 0.5;
        let q = form.map(|[a, b, c]| fx.times(a).plus(b * fy + c));
        let inverse = W::splat(1.0) / (q[0] + q[1] + q[2]);
        TrianglePoints { weight: q.map(|q| q * inverse), inverse }
    }

    /// Interpolates values of the corners.
    #[inline(always)]
    fn mix(&self, value: [V3; 3]) -> Wide3<W> {
        let [a, b, c] = self.weight;
        [0, 1, 2].map(|k| a.times(value[0][k]) + b.times(value[1][k]) + c.times(value[2][k]))
    }
}

impl<'p> Pass<'p> {
    /// Prepares a triangle for shading in a tile.
    pub(crate) fn face<'a>(&'a self, id: u32, origin: [usize; 2]) -> Face<'a> {
        let found = self.find(id);
        let item = &self.items[found.tri.item as usize];
        let (batch, [i, j, k]) = (found.batch, found.tri.v.map(|v| v as usize));
        let colors = |v: usize| &batch.color[v * batch.stride..(v + 1) * batch.stride];

        // barycentric weights as linear functions of the pixel
        let form = weights(found.corners(), origin);
        let mut face = Face {
            id,
            item,
            number: found.tri.item,
            lights: batch.stride - 1,
            world: [batch.world[i], batch.world[j], batch.world[k]],
            color: [colors(i), colors(j), colors(k)],
            form,
            origin,
            open: 0,
            tex: [[0.0; 3]; 3],
            slope: [(0.0, [0.0; 3]); 2],
            plane: None,
        };

        // texture coordinates and their derivatives by pixel
        if item.surface.paint.texture().is_some() || matches!(item.look, Look::Haze) {
            let tex = [batch.tex[i], batch.tex[j], batch.tex[k]];
            face.tex = tex;
            face.slope = [0, 1].map(|axis| {
                let [a, b, c] = form.map(|f| f[axis]);
                let rise = [0, 1, 2].map(|k| a * tex[0][k] + b * tex[1][k] + c * tex[2][k]);
                (a + b + c, rise)
            });
        }

        // planes have closed formulas
        if let Look::Plane(_) = item.look {
            let own = face.color.map(|color| color[0]);
            face.plane = Some(PlaneForms::new(&form, &own, &face.world, &face.tex));
            self.find_shadows(&mut face);
        }
        face
    }

    /// Colours of a triangle at the centres of pixels from (`x`, `y`) of the tile on.
    #[inline(never)]
    pub(crate) fn shade<W: Wide>(
        &self,
        lattice: &mut Lattice,
        face: &Face<'_>,
        [x, y]: [usize; 2],
        known: Known,
    ) -> Colors<W> {
        let item = face.item;
        if let (Some(plane), Look::Plane(grid)) = (&face.plane, &item.look) {
            return self.shade_plane(lattice, face, GridPlane { plane, grid }, [x, y], known);
        }
        let place = TrianglePoints::<W>::new(&face.form, x, y);
        let [a, b, c] = face.color;
        let corner = |k: usize| place.mix([a[k], b[k], c[k]]);

        // lighting
        let needs_world = self.how.fog.is_some() || item.shaded;
        let world = if needs_world { place.mix(face.world) } else { [W::zero(); 3] };
        let mut color = corner(0);
        if item.shaded {
            for k in 1..=face.lights {
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
            let texture = &self.how.assets.textures[texture];
            let (at, change) = face.texture_place(&place);
            let texels = texture.sample(&at, &change, known);
            texture.paint(&texels, &mut color, &mut alpha);
        } else if let Look::Haze = item.look {
            alpha = place.mix(face.tex)[0];
        }
        self.finish(face, [x, y], &world, &mut color);
        let [r, g, b] = color;
        [r, g, b, alpha].map(W::clamp01)
    }

    /// 1 at points of a face that light `k` reaches, 0 at the others.
    #[inline(always)]
    pub(crate) fn lit<W: Wide>(&self, face: &Face<'_>, k: usize, world: &Wide3<W>) -> W {
        match face.open >> k & 1 {
            1 => W::splat(1.0),
            _ => self.how.shadows.lit(k, world, face.item.geom),
        }
    }

    /// Adds fog and the reflection in a mirror.
    #[inline(always)]
    pub(crate) fn finish<W: Wide>(
        &self,
        face: &Face<'_>,
        [x, y]: [usize; 2],
        world: &Wide3<W>,
        color: &mut Wide3<W>,
    ) {
        // fog by depth
        let view = &self.how.view;
        if let Some(fog) = &self.how.fog {
            let depth = along([0, 1, 2].map(|k| world[k].plus(-view.origin[k])), view.forward);
            *color = fog.over(*color, depth);
        }

        // the reflection, unless it is black here
        let Some(image) = self.how.reflection.filter(|_| face.item.mirror) else { return };
        let [ox, oy] = face.origin;
        let columns = view.width.div_ceil(TILE[0]);
        if !image.used[oy / TILE[1] * columns + ox / TILE[0]] {
            return;
        }
        let row = &image.pixel[(oy + y) * view.width..(oy + y + 1) * view.width];
        let first = ox + x;
        if row[first..].iter().take(W::COUNT).all(|pixel| *pixel == [0; 3]) {
            return;
        }

        // added to the colour
        let mut more = [[0.0; LANES]; 3];
        for (l, pixel) in row[first..].iter().take(W::COUNT).enumerate() {
            (0..3).for_each(|k| more[k][l] = f32::from(pixel[k]));
        }
        for (color, more) in color.iter_mut().zip(&more) {
            *color = *color + W::lanes(|l| more[l]).times(1.0 / 255.0);
        }
    }
}

/// Whether no shadow falls on the tile of a face.
#[inline(always)]
pub(crate) fn all_open(face: &Face<'_>) -> bool {
    face.item.shaded && face.open + 1 == 1 << face.lights
}
