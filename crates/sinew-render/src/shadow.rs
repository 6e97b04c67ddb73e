//! Shadow maps: the points that a light does not reach.
//!
//! As in MuJoCo, every light that casts shadows has a depth map seen from the light. Planes would
//! fill the whole map, so their shadows are computed analytically. Empty tiles of a map are never
//! touched.

use rayon::prelude::*;
use sinew_model::enums::LightType;
use sinew_scene::Scene;

use crate::assets::ShadowSettings;
use crate::camera::Projection;
use crate::item::{Item, Look};
use crate::light::{Lamp, Lights};
use crate::linear::{Mat4, V3, column, cross, dot, normalize};
use crate::raster::{Block, Edges, SINGLE};
use crate::spot::Spot;
use crate::tile::Bins;
use crate::vertex::{Ball, pick, reaches};
use crate::wide::{F8, LANES, Wide, Wide3, along};

/// Width of a tile of a map in pixels, and number of its blocks.
const TILE: usize = 32;
const BLOCKS: usize = TILE * TILE / LANES;

/// Index of an empty tile.
const EMPTY: u32 = u32::MAX;

/// Offset of surfaces from the light: factor of the slope, and absolute depth (`glPolygonOffset` in
/// `render_gl3.c`).
const SLOPE_OFFSET: f32 = 1.5;
const DEPTH_OFFSET: f32 = 4.0 / 16_777_216.0;

/// Maximum width of a map relative to the image; time grows with the square.
const DETAIL: usize = 1;

/// Maximum error of a round shape's outline, in pixels of a map. A pixel of a map is mostly smaller
/// than a pixel of the image.
const OUTLINE: f32 = 0.7;

/// Depth map of a light.
#[derive(Default)]
pub(crate) struct Map {
    matrix: Mat4,
    size: usize,
    /// Maximum error of meshes in pixels of the map; negative for the meshes themselves.
    mesh_error: f32,
    /// Offset of every tile's depths, by rows of tiles.
    slot: Vec<u32>,
    /// Tiles with depths, and their bounds in pixels.
    filled: Vec<usize>,
    range: [[f32; 2]; 2],
    depth: Vec<Block>,
    spot: Vec<Spot>,
    corners: Vec<[Spot; 3]>,
    bins: Bins,
}

/// A plane that casts an analytic shadow.
struct Screen {
    pos: V3,
    mat: [V3; 3],
    range: [[f32; 2]; 2],
    geom: usize,
}

/// All shadow maps and planes of a scene.
#[derive(Default)]
pub(crate) struct Shadows<'a> {
    map: &'a [Map],
    source: Vec<Lamp>,
    screen: Vec<Screen>,
    /// Distance within which a point counts as on a plane.
    skin: f32,
}

/// Settings of shadows besides the items.
pub(crate) struct Casting<'a> {
    pub(crate) scn: &'a Scene,
    pub(crate) lights: &'a Lights,
    pub(crate) settings: &'a ShadowSettings,
    pub(crate) view: &'a Projection,
    pub(crate) several: bool,
}

impl<'a> Shadows<'a> {
    /// Computes the shadows that items cast.
    pub(crate) fn new(items: &[Item<'_>], how: &Casting<'_>, maps: &'a mut Vec<Map>) -> Self {
        let Casting { scn, lights, settings, view, several } = *how;

        // casters; planes are handled analytically
        let casters: Vec<&Item<'_>> = items.iter().filter(|item| item.casts(scn)).collect();
        let screens = casters.iter().filter_map(|item| match &item.look {
            Look::Plane(grid) => {
                let range = [grid.range(0), grid.range(1)];
                Some(Screen { pos: item.pos, mat: item.mat, range, geom: item.geom })
            }
            _ => None,
        });
        let screen = screens.collect();

        // resolution: at most that of the image
        let wanted = (DETAIL * view.width.max(view.height)).next_power_of_two().max(4 * TILE);
        let size = settings.size.min(wanted).max(TILE) / TILE * TILE;

        // a map for each light with shadows
        let source: Vec<Lamp> =
            lights.lamps.iter().filter(|lamp| lamp.shadow.is_some()).copied().collect();
        maps.resize_with(source.len().max(maps.len()), Map::default);
        let draw = |(map, lamp): (&mut Map, &Lamp)| {
            map.mesh_error = OUTLINE * view.mesh_error;
            map.draw(&casters, light_matrix(lamp, settings, view), size, several);
        };
        match several {
            true => maps.par_iter_mut().zip(&source).for_each(draw),
            false => maps.iter_mut().zip(&source).for_each(draw),
        }
        let map = &maps[..source.len()];
        Shadows { map, source, screen, skin: 1e-4 * settings.clip.max(1e-3) }
    }

    /// 1 at points of a geom that light `k` reaches, 0 at the others.
    #[inline]
    pub(crate) fn lit<W: Wide>(&self, k: usize, at: &Wide3<W>, geom: usize) -> W {
        let mut lit = self.map[k].lit(at);
        for screen in self.screen.iter().filter(|screen| screen.geom != geom) {
            screen.hide(&self.source[k], at, self.skin, &mut lit);
        }
        lit
    }
}

impl Shadows<'_> {
    /// Whether light `k` certainly reaches the whole quadrangle between four points of a geom.
    pub(crate) fn none_on(&self, k: usize, corners: &[V3; 4], geom: usize) -> bool {
        let planes = self.screen.iter().any(|screen| screen.geom != geom);
        !planes && self.map[k].misses(corners)
    }
}

/// Transform from the world to the clip space of a light.
fn light_matrix(lamp: &Lamp, settings: &ShadowSettings, view: &Projection) -> Mat4 {
    let light = &lamp.light;
    let side = cross(light.dir, [-1.0, 0.0, 0.0]);
    let up = if dot(side, side) > 0.01 { side } else { cross(light.dir, [0.0, 1.0, 0.0]) };
    let look = Mat4::look_at(light.pos, light.dir, normalize(up));
    let project = if light.r#type == LightType::Directional {
        let c = settings.clip;
        Mat4::orthographic([-c, c, -c, c], view.near, view.far)
    } else {
        let fovy = (2.0 * light.cutoff * settings.scale).min(160.0);
        let h = (fovy * 0.5).to_radians().tan() * view.near;
        Mat4::frustum([-h, h, -h, h], view.near, view.far)
    };
    project.mul(look)
}

impl Map {
    /// Draws the depths of casters.
    fn draw(&mut self, casters: &[&Item<'_>], matrix: Mat4, size: usize, several: bool) {
        (self.matrix, self.size) = (matrix, size);
        self.bins.start(size, size, [TILE, TILE]);
        self.corners.clear();
        for item in casters {
            self.project(item);
        }

        // memory for every tile that is not empty
        let per_row = self.bins.columns();
        self.slot.clear();
        self.filled.clear();
        for i in 0..self.bins.len() {
            let used = !self.bins.tile(i % per_row, i / per_row).is_empty();
            self.slot.push(if used { (self.filled.len() * BLOCKS) as u32 } else { EMPTY });
            self.filled.extend(used.then_some(i));
        }
        self.range = [0, 1].map(|axis| {
            let along = |i: &usize| if axis == 0 { i % per_row } else { i / per_row };
            let first = self.filled.iter().map(along).min().unwrap_or(0);
            let last = self.filled.iter().map(along).max().map_or(0, |last| last + 1);
            [(first * TILE) as f32, (last * TILE) as f32]
        });
        self.depth.resize(self.filled.len() * BLOCKS, [0.0; LANES]);
        let (bins, corners, filled) = (&self.bins, &self.corners, &self.filled);
        let draw = |(depth, &i): (&mut [Block], &usize)| {
            draw_tile(corners, bins, [i % per_row, i / per_row], depth);
        };
        match several {
            true => self.depth.par_chunks_mut(BLOCKS).zip(filled).for_each(draw),
            false => self.depth.chunks_mut(BLOCKS).zip(filled).for_each(draw),
        }
    }

    /// Adds the triangles of an item; triangles that reach behind the light are omitted.
    fn project(&mut self, item: &Item<'_>) {
        if matches!(item.look, Look::Plane(_)) {
            return;
        }
        let half = 0.5 * self.size as f32;
        for part in &item.parts {
            // coarsest level whose outline is accurate enough at this distance
            let place = Mat4::part(item.pos, &item.mat, part.scale, part.offset);
            let scale = Ball::new(part, &place).pixels_per_unit(&self.matrix, self.size);
            let mesh = pick(part, scale, self.mesh_error, |levels, r, h| {
                levels.detail(r, h, OUTLINE, f32::INFINITY)
            });
            let column = self.matrix.mul(place).columns();

            // vertices projected from the light
            self.spot.clear();
            self.spot.extend(mesh.vert.iter().map(|v| {
                let [x, y, z] = v.pos;
                let [x, y, z, w]: [f32; 4] = core::array::from_fn(|k| {
                    column[0][k] * x + column[1][k] * y + column[2][k] * z + column[3][k]
                });
                let inverse = 1.0 / w;
                let invw = if w > 0.0 && z <= w { inverse } else { -1.0 };
                Spot {
                    x: (x * inverse + 1.0) * half,
                    y: (y * inverse + 1.0) * half,
                    z: z * inverse,
                    invw,
                }
            }));

            // triangles by tile
            for t in &mesh.tri {
                let corners = t.map(|v| self.spot[v as usize]);
                if drawn(&corners, item.closed) {
                    self.bins.insert(corners, self.corners.len() as u32);
                    self.corners.push(corners);
                }
            }
        }
    }

    /// Whether the tiles between the images of four points have no caster.
    fn misses(&self, corners: &[V3; 4]) -> bool {
        let spots = corners.map(|p| {
            let [x, y, _, w] = self.matrix.point(p);
            let half = 0.5 * self.size as f32;
            (w > 0.0).then(|| [(x / w + 1.0) * half, (y / w + 1.0) * half])
        });
        let [Some(a), Some(b), Some(c), Some(d)] = spots else {
            // geometry behind the light receives no shadow
            return spots.iter().all(Option::is_none);
        };

        // tiles between the points
        let span = |axis: usize| {
            let along = [a, b, c, d].map(|p| p[axis]);
            let [low, high] = self.range[axis];
            let first = along.into_iter().fold(f32::INFINITY, f32::min).max(low);
            let last = along.into_iter().fold(f32::NEG_INFINITY, f32::max).min(high - 1.0);
            let tile = |x: f32| x as u32 as usize / TILE;
            if first <= last { tile(first)..tile(last) + 1 } else { 0..0 }
        };
        let (columns, per_row) = (span(0), self.size / TILE);
        !span(1).any(|row| columns.clone().any(|i| self.slot[row * per_row + i] != EMPTY))
    }

    /// 1 at points without a caster nearer to the light, 0 at the others.
    #[inline(always)]
    fn lit<W: Wide>(&self, at: &Wide3<W>) -> W {
        let form = |k: usize| {
            let [x, y, z, c] = self.matrix.0[k];
            along(*at, [x, y, z]).plus(c)
        };
        let half = 0.5 * self.size as f32;
        let w = form(3);
        let inverse = W::splat(1.0) / w;
        let x = (form(0) * inverse).plus(1.0).times(half);
        let y = (form(1) * inverse).plus(1.0).times(half);
        let z = form(2) * inverse;

        // points outside the casters' bounds are lit
        let [[x0, x1], [y0, y1]] = self.range.map(|r| r.map(W::splat));
        let inside = x0.at_most(x) & x.less(x1) & y0.at_most(y) & y.less(y1) & W::zero().less(w);
        if !W::any(inside) {
            return W::splat(1.0);
        }

        // all points are usually in one tile
        let per_row = self.size / TILE;
        let tile = |x: W| x.times(1.0 / TILE as f32).floor();
        let (column, row) = (tile(x), tile(y));
        let first = W::splat(column.get(0)).plus(row.get(0) * per_row as f32);
        let number = column + row.times(per_row as f32);
        let one = W::all(inside) && W::all(first.at_most(number) & number.at_most(first));
        if one && self.slot[number.get(0) as u32 as usize] == EMPTY {
            return W::splat(1.0);
        }
        let x = W::choose(inside, x, W::splat(-1.0)).integers();
        let y = y.integers();
        W::lanes(|l| {
            if x[l] < 0 {
                return 1.0;
            }
            let (x, y) = (x[l] as usize, y[l] as usize);
            let slot = self.slot[y / TILE * per_row + x / TILE];
            if slot == EMPTY {
                return 1.0;
            }
            let (x, y) = (x % TILE, y % TILE);
            let depth = self.depth[slot as usize + y * (TILE / LANES) + x / LANES][x % LANES];
            if z.get(l) >= depth { 1.0 } else { 0.0 }
        })
    }
}

/// Whether a triangle is drawn into a map: in front of the light and, on closed surfaces, facing
/// it.
#[inline(always)]
fn drawn([a, b, c]: &[Spot; 3], closed: bool) -> bool {
    let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    a.invw > 0.0
        && b.invw > 0.0
        && c.invw > 0.0
        && (area > 0.0 || (!closed && area < 0.0))
        && reaches([a.x, b.x, c.x], 1.0)
        && reaches([a.y, b.y, c.y], 1.0)
}

/// Draws the depths of the nearest triangles of a tile, with the offset.
fn draw_tile(corners: &[[Spot; 3]], bins: &Bins, [column, row]: [usize; 2], depth: &mut [Block]) {
    depth.fill([0.0; LANES]);
    let tile = bins.place(column, row);
    for &t in bins.tile(column, row) {
        let Some(edges) = Edges::new(corners[t as usize], tile) else { continue };
        let [za, zb, _] = edges.depth;
        let offset = SLOPE_OFFSET * za.abs().max(zb.abs()) + DEPTH_OFFSET;
        let offset = F8::splat(offset);
        edges.cover(&SINGLE, TILE / LANES, |block, z| {
            depth[block] = (z - offset).most(F8::new(depth[block])).array();
        });
    }
}

impl Screen {
    /// Sets `lit` to 0 at points that the plane hides from a lamp.
    #[inline(always)]
    fn hide<W: Wide>(&self, lamp: &Lamp, at: &Wide3<W>, skin: f32, lit: &mut W) {
        let [axis_x, axis_y, normal] = [0, 1, 2].map(|k| column(&self.mat, k));
        let (sun, light) = (lamp.light.r#type == LightType::Directional, &lamp.light);
        let rel = [0, 1, 2].map(|k| at[k] - W::splat(self.pos[k]));
        let to_light = [0, 1, 2].map(|k| match sun {
            true => W::splat(-light.dir[k]),
            false => W::splat(light.pos[k]) - at[k],
        });
        let (height, climb) = (along(rel, normal), along(to_light, normal));
        let crossed = (height * climb).less(W::zero());
        let far = W::splat(skin * skin).at_most(height * height);
        if !W::any(crossed & far) {
            return;
        }

        // where the ray meets the plane
        let t = W::zero() - height / climb;
        let x = along(rel, axis_x) + t * along(to_light, axis_x);
        let y = along(rel, axis_y) + t * along(to_light, axis_y);
        let [[x0, x1], [y0, y1]] = self.range.map(|r| r.map(W::splat));
        let before = t.less(W::splat(if sun { f32::INFINITY } else { 1.0 }));
        let within = x0.at_most(x) & x.at_most(x1) & y0.at_most(y) & y.at_most(y1);
        *lit = W::choose(crossed & far & before & within, W::zero(), *lit);
    }
}
