//! Shadows: which points a light does not reach.
//!
//! As in MuJoCo, every light that casts shadows gets a map of depths, seen from the light. Planes
//! would fill the whole map; what they hide is computed instead. Tiles of the map that nothing was
//! drawn into are never touched.

use rayon::prelude::*;
use sinew_model::enums::LightType;
use sinew_scene::Scene;

use crate::assets::ShadowSettings;
use crate::camera::Projection;
use crate::item::{Item, Look};
use crate::light::{Lamp, Lights};
use crate::linear::{Mat4, V3, column, cross, dot, normalize, sub};
use crate::raster::{Edges, Four, SINGLE};
use crate::spot::Spot;
use crate::tile::Bins;
use crate::vertex::place;

/// Pixels along the side of a tile of a map.
const TILE: usize = 64;

/// How far surfaces are pushed away from the light, by their slope and by steps of depth
/// (`glPolygonOffset` in `render_gl3.c`).
const SLOPE_OFFSET: f32 = 1.5;
const DEPTH_OFFSET: f32 = 4.0 / 16_777_216.0;

/// A map is at most so many times as wide as the picture: the time of a map
/// grows with its area. Chosen without a measurement.
const DETAIL: usize = 4;

/// Depths seen from a light.
struct Map {
    matrix: Mat4,
    size: usize,
    /// Tiles by rows; those without triangles are empty.
    tile: Vec<Vec<Four>>,
}

/// A plane that hides what is behind it.
struct Screen {
    pos: V3,
    mat: [V3; 3],
    range: [[f32; 2]; 2],
    geom: usize,
}

/// All shadows of a scene.
#[derive(Default)]
pub(crate) struct Shadows {
    map: Vec<Map>,
    source: Vec<Lamp>,
    screen: Vec<Screen>,
    /// Distance within which a point counts as on a plane.
    skin: f32,
}

impl Shadows {
    /// The shadows that items cast.
    pub(crate) fn new(
        items: &[Item<'_>],
        scn: &Scene,
        lights: &Lights,
        settings: &ShadowSettings,
        view: &Projection,
    ) -> Shadows {
        let casters: Vec<&Item<'_>> = items.iter().filter(|item| item.casts(scn)).collect();
        let screens = casters.iter().filter_map(|item| match &item.look {
            Look::Plane(grid) => {
                let range = [grid.range(0), grid.range(1)];
                Some(Screen { pos: item.pos, mat: item.mat, range, geom: item.geom })
            }
            _ => None,
        });
        let screen = screens.collect();
        let wanted = (DETAIL * view.width.max(view.height)).next_power_of_two().max(4 * TILE);
        let size = settings.size.min(wanted).max(TILE) / TILE * TILE;
        let source: Vec<Lamp> =
            lights.lamps.iter().filter(|lamp| lamp.shadow.is_some()).copied().collect();
        let map = source
            .iter()
            .map(|lamp| Map::new(&casters, light_matrix(lamp, settings, view), size))
            .collect();
        Shadows { map, source, screen, skin: 1e-4 * settings.clip.max(1e-3) }
    }

    /// Whether light `k` reaches a point of a geom.
    #[inline]
    pub(crate) fn lit(&self, k: usize, point: V3, geom: usize) -> bool {
        self.map[k].lit(point)
            && !self.screen.iter().any(|screen| {
                screen.geom != geom && screen.hides(&self.source[k], point, self.skin)
            })
    }
}

/// From the world to the clip space of a light.
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
    fn new(casters: &[&Item<'_>], matrix: Mat4, size: usize) -> Map {
        // corners of all triangles, on the map
        let groups: Vec<Vec<[Spot; 3]>> =
            casters.par_iter().map(|item| project(item, &matrix, size)).collect();
        let corners: Vec<[Spot; 3]> = groups.concat();
        let mut bins = Bins::new(size, size, TILE);
        for (i, c) in corners.iter().enumerate() {
            bins.insert_corners(*c, i as u32);
        }

        // the nearest of them, pushed away a little
        let per_row = size / TILE;
        let tile = (0..per_row * per_row).into_par_iter().map(|i| {
            let (column, row) = (i % per_row, i / per_row);
            let list = bins.tile(column, row);
            if list.is_empty() {
                return Vec::new();
            }
            let mut depth = vec![[0.0f32; 4]; TILE * TILE / 4];
            for &t in list {
                let corner = corners[t as usize];
                let Some(edges) = Edges::new(corner, column * TILE, row * TILE, TILE) else {
                    continue;
                };
                let [za, zb, _] = edges.depth;
                let offset = SLOPE_OFFSET * za.abs().max(zb.abs()) + DEPTH_OFFSET;
                edges.cover(&SINGLE, TILE, |block, z| {
                    let depth = &mut depth[block];
                    for l in 0..4 {
                        let z = z[l] - offset;
                        depth[l] = if z > depth[l] { z } else { depth[l] };
                    }
                });
            }
            depth
        });
        Map { matrix, size, tile: tile.collect() }
    }

    #[inline]
    fn lit(&self, point: V3) -> bool {
        let [x, y, z, w] = self.matrix.point(point);
        if w <= 0.0 {
            return true;
        }
        let inverse = 1.0 / w;
        let half = 0.5 * self.size as f32;
        let (x, y) = ((x * inverse + 1.0) * half, (y * inverse + 1.0) * half);
        let limit = self.size as f32;
        if !(x >= 0.0 && y >= 0.0 && x < limit && y < limit) {
            return true;
        }
        let (x, y) = (x as usize, y as usize);
        let tile = &self.tile[y / TILE * (self.size / TILE) + x / TILE];
        if tile.is_empty() {
            return true;
        }
        let (x, y) = (x % TILE, y % TILE);
        z * inverse >= tile[y * (TILE / 4) + x / 4][x % 4]
    }
}

/// Triangles of an item on a map; those that reach behind the light are left out.
fn project(item: &Item<'_>, matrix: &Mat4, size: usize) -> Vec<[Spot; 3]> {
    let mut out = Vec::new();
    if matches!(item.look, Look::Plane(_)) {
        return out;
    }
    let half = 0.5 * size as f32;
    for part in &item.parts {
        let spots: Vec<Option<Spot>> = part
            .mesh
            .vert
            .iter()
            .map(|v| {
                let [x, y, z, w] = matrix.point(place(item, part, v.pos));
                let inverse = 1.0 / w;
                (w > 0.0 && z <= w).then_some(Spot {
                    x: (x * inverse + 1.0) * half,
                    y: (y * inverse + 1.0) * half,
                    z: z * inverse,
                    invw: inverse,
                })
            })
            .collect();
        out.extend(part.mesh.tri.iter().filter_map(|t| {
            let [a, b, c] = t.map(|v| spots[v as usize]);
            Some([a?, b?, c?])
        }));
    }
    out
}

impl Screen {
    /// Whether the plane is between a light and a point.
    fn hides(&self, lamp: &Lamp, point: V3, skin: f32) -> bool {
        let normal = column(&self.mat, 2);
        let rel = sub(point, self.pos);
        let height = dot(rel, normal);
        if height.abs() < skin {
            return false;
        }
        let light = &lamp.light;
        let to_light = if light.r#type == LightType::Directional {
            [-light.dir[0], -light.dir[1], -light.dir[2]]
        } else {
            sub(light.pos, point)
        };
        let climb = dot(to_light, normal);
        if height * climb >= 0.0 {
            return false;
        }
        let t = -height / climb;
        if light.r#type != LightType::Directional && t >= 1.0 {
            return false;
        }
        (0..2).all(|k| {
            let axis = column(&self.mat, k);
            let at = dot(rel, axis) + t * dot(to_light, axis);
            (self.range[k][0]..=self.range[k][1]).contains(&at)
        })
    }
}
