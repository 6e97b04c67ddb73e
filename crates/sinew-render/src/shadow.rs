//! Shadow maps: the points that a light does not reach.
//!
//! As in MuJoCo, every light that casts shadows has a depth map seen from the light. Planes would
//! fill the whole map, so their shadows are computed analytically.

use rayon::prelude::*;
use sinew_model::enums::LightType;
use sinew_scene::Scene;

use crate::assets::ShadowSettings;
use crate::ball::{Ball, casting};
use crate::camera::Projection;
use crate::item::{Item, Look, MeshPart};
use crate::light::{Lamp, Lights};
use crate::linear::{Mat4, V3, column, cross, dot, normalize};
use crate::shadow_map::{LARGEST, Map, Places};
use crate::wide::{Wide, Wide3, along};

/// Width of a cell of a map in texels: least and greatest, and cells per pixel of the image.
const CELL: [usize; 2] = [32, 64];
const PER_PIXEL: usize = 4;

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
    /// Maps that note where a small image looks for shadows. `None` where they would not save work:
    /// items have fewer triangles than the image has pixels.
    pub(crate) fn ask(
        items: &[Item<'_>],
        how: &Casting<'_>,
        maps: &'a mut Vec<Map>,
    ) -> Option<Self> {
        let Casting { scn, lights, settings, view, several } = *how;
        // large images have many points, and their threads would wait for the list
        if several {
            return None;
        }
        let casters: Vec<&Item<'_>> = items.iter().filter(|item| item.casts(scn)).collect();
        let source = lamps(lights);
        let matrices = source.iter().map(|lamp| light_matrix(lamp, settings, view));
        let matrices: Vec<Mat4> = matrices.collect();
        let each = |matrix: &Mat4| -> usize {
            casters.iter().map(|item| triangles(item, matrix, view)).sum()
        };
        if matrices.iter().map(each).sum::<usize>() <= view.width * view.height {
            return None;
        }
        maps.resize_with(source.len().max(maps.len()), Map::default);
        for (map, matrix) in maps.iter_mut().zip(&matrices) {
            map.ask(*matrix, settings.size.min(LARGEST));
        }
        Some(Shadows { map: &maps[..source.len()], source, screen: Vec::new(), skin: 0.0 })
    }

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

        // a map for each light with shadows
        let source = lamps(lights);
        maps.resize_with(source.len().max(maps.len()), Map::default);
        let draw = |(map, lamp): (&mut Map, &Lamp)| {
            draw(map, &casters, light_matrix(lamp, settings, view), settings.size, view);
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
        let place = self.map[k].places(at);
        let mut lit = self.map[k].lit(&place);
        for screen in self.screen.iter().filter(|screen| screen.geom != geom) {
            screen.hide((&self.source[k], &self.map[k]), (at, &place), self.skin, &mut lit);
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

/// The lights that cast shadows.
fn lamps(lights: &Lights) -> Vec<Lamp> {
    lights.lamps.iter().filter(|lamp| lamp.shadow.is_some()).copied().collect()
}

/// Number of triangles of an item in the view of a light.
fn triangles(item: &Item<'_>, matrix: &Mat4, view: &Projection) -> usize {
    let count = |part: &MeshPart<'_>| {
        let place = Mat4::part(item.pos, &item.mat, part.scale, part.offset);
        let (ball, lit) = (Ball::new(part, &place), matches!(item.look, Look::Lit));
        if ball.unlit(matrix) { 0 } else { casting(part, &ball, view, lit).tri.len() }
    };
    item.parts.iter().map(count).sum()
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

/// Adds the triangles of casters to a map of `size` texels.
fn draw(map: &mut Map, casters: &[&Item<'_>], matrix: Mat4, size: usize, view: &Projection) {
    let (size, wide) = (size.min(LARGEST), view.width.max(view.height));
    let cell = (PER_PIXEL * size / wide.next_power_of_two()).clamp(CELL[0], CELL[1]);
    map.start(matrix, size, cell);
    for item in casters {
        if matches!(item.look, Look::Plane(_)) {
            continue;
        }
        let place = |part: &MeshPart<'_>| Mat4::part(item.pos, &item.mat, part.scale, part.offset);

        // a light sees the inner sides of a shape around it
        let ahead = |part: &MeshPart<'_>| Ball::new(part, &place(part)).ahead(&matrix);
        let closed = item.closed && item.parts.iter().all(ahead);
        for part in &item.parts {
            let place = place(part);
            let ball = Ball::new(part, &place);
            if ball.unlit(&matrix) {
                continue;
            }
            let mesh = casting(part, &ball, view, matches!(item.look, Look::Lit));
            let points = mesh.vert.iter().map(|v| &v.pos);
            map.add(&place, points, &mesh.tri, closed);
        }
    }
    map.sort();
}

impl Screen {
    /// Sets `lit` to 0 at points that the plane hides from a lamp with a map.
    #[inline(always)]
    fn hide<W: Wide>(
        &self,
        (lamp, map): (&Lamp, &Map),
        (at, place): (&Wide3<W>, &Places<W>),
        skin: f32,
        lit: &mut W,
    ) {
        let [axis_x, axis_y, normal] = [0, 1, 2].map(|k| column(&self.mat, k));
        let (sun, light) = (lamp.light.r#type == LightType::Directional, &lamp.light);
        let rel = [0, 1, 2].map(|k| at[k] - W::splat(self.pos[k]));
        let to_light = [0, 1, 2].map(|k| match sun {
            true => W::splat(-light.dir[k]),
            false => W::splat(light.pos[k]) - at[k],
        });
        let (height, climb) = (along(rel, normal), along(to_light, normal));
        let crossed = (height * climb).less(W::zero()) & place.covered;
        let far = W::splat(skin * skin).at_most(height * height);
        if !W::any(crossed & far) {
            return;
        }

        // where the ray meets the plane; the map begins at its near plane
        let t = W::zero() - height / climb;
        let x = along(rel, axis_x) + t * along(to_light, axis_x);
        let y = along(rel, axis_y) + t * along(to_light, axis_y);
        let hit = [0, 1, 2].map(|k| at[k] + t * to_light[k]);
        let [[x0, x1], [y0, y1]] = self.range.map(|r| r.map(W::splat));
        let before = t.less(W::splat(if sun { f32::INFINITY } else { 1.0 }))
            & map.depth(&hit).at_most(W::splat(1.0));
        let within = x0.at_most(x) & x.at_most(x1) & y0.at_most(y) & y.at_most(y1);
        *lit = W::choose(crossed & far & before & within, W::zero(), *lit);
    }
}
