//! Shading of planes, which fill most pixels of many images. All triangles of a plane share its
//! forms.

use crate::cell::CellForms;
use crate::geometry::PlaneGrid;
use crate::item::Item;
use crate::light::Points;
use crate::linear::{add, rotate};
use crate::pass::{Pass, TILE};
use crate::shade::{Colors, Face, GridPlane, all_open};
use crate::texture::{Known, Texels};
use crate::wide::{F8, LANES, Wide, Wide3};
use crate::worker::Lattice;

impl Pass<'_> {
    /// Finds the lights whose shadows do not fall on the plane's part in a tile.
    pub(crate) fn find_shadows(&self, face: &mut Face<'_>) {
        let Some(plane) = &face.plane else { return };
        let [w, h] = TILE.map(|n| n as f32);
        let corners = [[0.0, 0.0], [w, 0.0], [0.0, h], [w, h]].map(|[x, y]| plane.place(x, y));
        // not if the tile contains the horizon
        if corners.iter().any(|corner| corner.inverse <= 0.0) {
            return;
        }
        let corners = corners.map(|corner| plane.world(&corner));
        for k in 0..face.lights {
            let open = self.how.shadows.none_on(k, &corners, face.item.geom);
            face.open |= u32::from(open) << k;
        }
    }

    /// Texture information of a plane for each eight pixels of a tile's row.
    pub(crate) fn plain_row(&self, face: &Face<'_>, y: usize) -> [Known; TILE[0] / LANES] {
        let texture = face.item.surface.paint.texture();
        let (Some(plane), Some(texture)) = (&face.plane, texture) else {
            return [Known::Nothing; TILE[0] / LANES];
        };
        let first = F8::lanes(|l| (l * LANES) as f32 + 0.5);
        let ends = [first, first.plus(LANES as f32 - 1.0)];
        let places = ends.map(|x| plane.texture_place(&plane.place(x, y as f32 + 0.5)));
        self.how.assets.textures[texture].plain(places)
    }

    /// Colours of a plane at the centres of pixels from (`x`, `y`) of the tile on.
    #[inline(always)]
    pub(crate) fn shade_plane<W: Wide>(
        &self,
        lattice: &mut Lattice,
        face: &Face<'_>,
        flat: GridPlane<'_>,
        [x, y]: [usize; 2],
        known: Known,
    ) -> Colors<W> {
        let GridPlane { plane, grid } = flat;
        let item = face.item;

        // positions of the pixels on the plane
        let place = plane.place(W::lanes(|l| l as f32).plus(x as f32 + 0.5), y as f32 + 0.5);
        let needs_world = self.how.fog.is_some() || (item.shaded && !all_open(face));
        let world = if needs_world { plane.world(&place) } else { [W::zero(); 3] };
        let own = plane.own.map(|form| place.value(form));

        // lighting, then texture, then fog and reflection
        let mut color = self.plane_light(lattice, face, grid, own, &world);
        let mut alpha = W::splat(item.surface.rgba[3]);
        if let Some(texture) = item.surface.paint.texture() {
            let texture = &self.how.assets.textures[texture];
            let texels = match known {
                Known::Plain(texel) => Texels::One(texel),
                _ => {
                    let (at, change) = plane.texture_place(&place);
                    texture.sample(&at, &change, known)
                }
            };
            texture.paint(&texels, &mut color, &mut alpha);
        }
        self.finish(face, [x, y], &world, &mut color);
        let [r, g, b] = color;
        [r, g, b, alpha].map(W::clamp01)
    }

    /// Light at plane coordinates, interpolated in the cells of the grid.
    #[inline(always)]
    fn plane_light<W: Wide>(
        &self,
        lattice: &mut Lattice,
        face: &Face<'_>,
        grid: &PlaneGrid,
        at: [W; 2],
        world: &Wide3<W>,
    ) -> Wide3<W> {
        // all pixels are usually in one cell
        let cell = [0, 1].map(|axis| grid.cells(axis, at[axis]));
        let mut color = [W::zero(); 3];
        let (mut lane, mut done) = (0, 0);
        while lane < W::COUNT {
            let here = cell.map(|c| c.get(lane));
            let same = cell[0].equals(W::splat(here[0])) & cell[1].equals(W::splat(here[1]));
            let light = self.cell_light(lattice, face, grid, here.map(|c| c as usize), at, world);
            if W::all(same) {
                return light;
            }
            color = [0, 1, 2].map(|c| W::choose(same, light[c], color[c]));
            done |= W::bits(same);
            lane = done.trailing_ones() as usize;
        }
        color
    }

    /// Light of points in one cell.
    #[inline(always)]
    fn cell_light<W: Wide>(
        &self,
        lattice: &mut Lattice,
        face: &Face<'_>,
        grid: &PlaneGrid,
        cell: [usize; 2],
        [x, y]: [W; 2],
        world: &Wide3<W>,
    ) -> Wide3<W> {
        let (u, v) = (grid.part(0, cell[0], x), grid.part(1, cell[1], y));
        let corners = self.cell(lattice, face, grid, cell);
        if all_open(face) {
            return lattice.sum.colors(u, v);
        }

        // lights that reach all points or none are summed at the corners
        let mut sum = corners.map(|at| lattice.light(at));
        let mut rest = [W::zero(); 3];
        for k in (1..=face.lights).filter(|_| face.item.shaded) {
            let more = corners.map(|at| lattice.light(at + k));
            if more == [[0.0; 3]; 4] {
                continue;
            }
            let lit = self.lit(face, k - 1, world);
            if W::all(W::splat(1.0).at_most(lit)) {
                sum = [0, 1, 2, 3].map(|c| add(sum[c], more[c]));
            } else if W::any(W::zero().less(lit)) {
                let more = CellForms::new(more).colors(u, v);
                rest = [0, 1, 2].map(|c| rest[c] + more[c] * lit);
            }
        }
        let color = CellForms::new(sum).colors(u, v);
        [0, 1, 2].map(|c| color[c] + rest[c])
    }

    /// Indices of the cached colours at the corners of a cell.
    #[inline(always)]
    fn cell(
        &self,
        lattice: &mut Lattice,
        face: &Face<'_>,
        grid: &PlaneGrid,
        cell: [usize; 2],
    ) -> [usize; 4] {
        lattice.cell(face.number, cell, |corners, out| {
            let [x, y] =
                [0, 1].map(|axis| F8::lanes(|l| grid.lines[axis][corners[l.min(3)][axis]]));
            self.light_at(face.item, [x, y], out);
        })
    }

    /// Colours of some points of a plane.
    #[inline(never)]
    fn light_at(&self, item: &Item<'_>, [x, y]: [F8; 2], out: &mut [Wide3<F8>]) {
        let lights = if item.shaded { self.how.lights } else { self.how.plain };
        let pos = [0, 1, 2].map(|k| {
            let [a, b, _] = item.mat[k];
            (x.times(a) + y.times(b)).plus(item.pos[k])
        });
        let normal = rotate(&item.mat, [0.0, 0.0, 1.0]).map(F8::splat);
        let points = Points { pos, normal };
        let surface = item.surface.dimmed(self.how.dim);
        lights.shine(&surface, &points, self.how.view.eye, out);
    }
}
