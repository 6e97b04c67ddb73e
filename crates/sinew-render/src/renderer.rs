//! The renderer: its copy of a model, and images of scenes.

use core::fmt;

use sinew_model::enums::{GeomType, RndFlag};
use sinew_model::{HFieldId, MeshId, Model, TexId};
use sinew_scene::{Scene, SceneError, halton};

use crate::assets::Assets;
use crate::camera::Projection;
use crate::detail::{self, Detailed};
use crate::frame::byte;
use crate::geometry;
use crate::item::{Item, behind};
use crate::light::Lights;
use crate::linear::{V3, add, column, dot, scale, sub};
use crate::pass::{Buffers, Pass, Reflection, Setting};
use crate::scratch::Scratch;
use crate::segment::{Seen, seen};
use crate::shadow::{Casting, Shadows};
use crate::sky;
use crate::store::Store;
use crate::text::{TextStyle, draw_labels};
use crate::texture::Texture;
use crate::threads;

/// Alpha below which a geom is drawn as transparent.
const OPAQUE: f32 = 0.995;

/// Number of pixels from which several threads draw faster than one.
const LARGE: usize = 128 * 128;

/// Default size of labels in percent (`mjFONTSCALE_150`).
const FONT_SCALE: usize = 150;

/// Default errors in pixels of small and of large images: of the outlines of round shapes and of
/// large meshes. The values were chosen by the similarity of images of many models to MuJoCo's, and
/// by the speed of small images.
const OUTLINE_ERROR: [f32; 2] = [0.2, 0.02];
const MESH_ERROR: [f32; 2] = [0.25, 0.15];

/// Maximum width and height of an image in pixels.
const MAX_SIDE: usize = 16384;

/// Reasons why a scene cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenderError {
    /// The scene has no camera, or two cameras that do not match.
    Scene(SceneError),
    /// The size is zero or too large.
    Size,
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenderError::Scene(e) => e.fmt(f),
            RenderError::Size => write!(f, "a picture has 1 to {MAX_SIDE} pixels along each side"),
        }
    }
}

impl core::error::Error for RenderError {}

impl From<SceneError> for RenderError {
    fn from(e: SceneError) -> Self {
        RenderError::Scene(e)
    }
}

/// An image, row by row from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Red, green and blue of every pixel.
    pub rgb: Vec<[u8; 3]>,
}

/// Draws the scenes of one model.
pub struct Renderer {
    assets: Assets,
    scratch: Store<Scratch>,
    label: TextStyle,
    outline_error: Option<f32>,
    mesh_error: Option<f32>,
}

impl Renderer {
    /// Creates a renderer with its own copy of the model's shapes and textures.
    #[doc(alias = "mjr_makeContext")]
    pub fn new(m: &Model) -> Renderer {
        let label = TextStyle::with_scale(FONT_SCALE);
        Renderer {
            assets: Assets::new(m),
            scratch: Store::default(),
            label,
            outline_error: None,
            mesh_error: None,
        }
    }

    /// Sets the size of labels in percent.
    #[doc(alias = "mjr_changeFont")]
    pub fn set_font_scale(&mut self, percent: usize) {
        self.label = TextStyle::with_scale(percent);
    }

    /// Sets the error of the outlines of round shapes in pixels. By default it is 0.2 in images of
    /// at most 128 x 128 pixels, and 0.02 in larger ones. At 0, shapes have MuJoCo's triangles.
    pub fn set_outline_error(&mut self, pixels: f32) {
        self.outline_error = Some(pixels.max(0.0));
    }

    /// Sets the error of large meshes in pixels (root mean square). By default it is 0.1 in images
    /// of at most 128 x 128 pixels, and 0.15 in larger ones. At 0 or less, all their triangles are
    /// drawn.
    pub fn set_mesh_error(&mut self, pixels: f32) {
        self.mesh_error = Some(if pixels > 0.0 { pixels } else { -1.0 });
    }

    /// Reads a changed texture of the model.
    #[doc(alias = "mjr_uploadTexture")]
    pub fn upload_texture(&mut self, m: &Model, id: usize) {
        if let Some(place) = self.assets.textures.get_mut(id) {
            *place = Texture::new(m, TexId::new(id));
        }
    }

    /// Reads a changed mesh of the model.
    #[doc(alias = "mjr_uploadMesh")]
    pub fn upload_mesh(&mut self, m: &Model, id: usize) {
        if let Some(places) = self.assets.meshes.get_mut(2 * id..2 * id + 2) {
            let mesh = MeshId::new(id);
            places[0] = Detailed::new(geometry::mesh(m, mesh));
            places[1] = Detailed::new(geometry::hull(m, mesh));
        }
    }

    /// Reads a changed height field of the model.
    #[doc(alias = "mjr_uploadHField")]
    pub fn upload_hfield(&mut self, m: &Model, id: usize) {
        if let Some(place) = self.assets.fields.get_mut(id) {
            *place = geometry::height_field(m, HFieldId::new(id));
        }
    }

    /// Draws a scene of the model.
    #[doc(alias = "mjr_render")]
    pub fn render(
        &self,
        m: &Model,
        scn: &Scene,
        width: usize,
        height: usize,
    ) -> Result<Picture, RenderError> {
        require_size(width, height)?;
        let mut rgb = vec![[0; 3]; width * height];
        if scn.stereo == 0 || width < 2 {
            let view = self.view(scn, None, width, height)?;
            self.draw(m, scn, view, &mut rgb);
            draw_labels(scn, &view, self.label, &mut rgb);
        } else {
            // stereo: the two eyes side by side
            let half = width / 2;
            let mut side = vec![[0; 3]; half * height];
            for eye in 0..2 {
                let view = self.view(scn, Some(eye), half, height)?;
                self.draw(m, scn, view, &mut side);
                draw_labels(scn, &view, self.label, &mut side);
                for (to, from) in rgb.chunks_mut(width).zip(side.chunks(half)) {
                    to[eye * half..(eye + 1) * half].copy_from_slice(from);
                }
            }
        }
        frame(scn, width, height, &mut rgb);
        Ok(Picture { width, height, rgb })
    }

    /// The index in the scene of the visible geom at every pixel; -1 for the background.
    pub fn segment(
        &self,
        m: &Model,
        scn: &Scene,
        width: usize,
        height: usize,
    ) -> Result<Vec<i32>, RenderError> {
        require_size(width, height)?;
        let view = self.view(scn, None, width, height)?;
        let (items, seen) = self.see(m, scn, &view);
        let geom = |item: Option<u32>| item.map_or(-1, |i| items[i as usize].geom as i32);
        Ok(seen.item.into_iter().map(geom).collect())
    }

    /// Distance along the line of sight at every pixel; the background has the far plane's
    /// distance.
    pub fn depth(
        &self,
        m: &Model,
        scn: &Scene,
        width: usize,
        height: usize,
    ) -> Result<Vec<f32>, RenderError> {
        require_size(width, height)?;
        let view = self.view(scn, None, width, height)?;
        let seen = self.see(m, scn, &view).1;
        Ok(seen.depth.into_iter().map(|depth| view.distance(depth)).collect())
    }

    /// Depth at every pixel as in OpenGL's depth buffer: 1 at the near plane, 0 at the far plane.
    pub fn raw_depth(
        &self,
        m: &Model,
        scn: &Scene,
        width: usize,
        height: usize,
    ) -> Result<Vec<f32>, RenderError> {
        require_size(width, height)?;
        let view = self.view(scn, None, width, height)?;
        Ok(self.see(m, scn, &view).1.depth)
    }

    /// The view of one eye or of both, after the levels of the scene's meshes are made.
    fn view(
        &self,
        scn: &Scene,
        eye: Option<usize>,
        width: usize,
        height: usize,
    ) -> Result<Projection, SceneError> {
        let mut view = Projection::new(scn, eye, width, height)?;
        view.sampled = !scn.renders(RndFlag::Wireframe);
        let size = usize::from(large(&view));
        view.outline_error = self.outline_error.unwrap_or(OUTLINE_ERROR[size]);
        let mesh_error = self.mesh_error.unwrap_or(MESH_ERROR[size]);
        if mesh_error > 0.0 && view.sampled {
            view.mesh_error = mesh_error;
            detail::prepare(scn.geoms.iter().filter_map(|geom| self.assets.mesh(geom)));
        }
        Ok(view)
    }

    /// Finds the nearest item at every pixel.
    fn see<'a>(&'a self, m: &'a Model, scn: &'a Scene, view: &Projection) -> (Vec<Item<'a>>, Seen) {
        let shown = |i: &usize| scn.geoms[*i].segid >= 0;
        let items: Vec<Item<'a>> = (0..scn.geoms.len())
            .filter(shown)
            .filter_map(|i| Item::new(&self.assets, m, scn, i, view.eye))
            .collect();
        let seen = threads::enter(large(view), |several| seen(&items, view, several));
        (items, seen)
    }

    /// Draws all pixels of a view.
    fn draw(&self, m: &Model, scn: &Scene, view: Projection, rgb: &mut [[u8; 3]]) {
        if scn.renders(RndFlag::Segment) {
            let (items, seen) = self.see(m, scn, &view);
            for (to, item) in rgb.iter_mut().zip(seen.item) {
                *to = item.map_or([0; 3], |i| segment_color(scn, items[i as usize].geom));
            }
        } else if scn.renders(RndFlag::Depth) {
            for (to, z) in rgb.iter_mut().zip(self.see(m, scn, &view).1.depth) {
                *to = [byte(z); 3];
            }
        } else {
            threads::enter(large(&view), |several| {
                let mut scratch = self.scratch.take();
                self.picture(m, scn, view, several, scratch.get(), rgb);
            });
        }
    }

    fn picture(
        &self,
        m: &Model,
        scn: &Scene,
        mut view: Projection,
        several: bool,
        scratch: &mut Scratch,
        rgb: &mut [[u8; 3]],
    ) {
        view.multiple = self.assets.samples.width == 2;
        let assets = &self.assets;
        let casts = scn.renders(RndFlag::Shadow) && assets.shadow.size > 0;
        let lights = Lights::new(scn, casts);
        let plain = lights.unshadowed();
        let none = Shadows::default();
        let sorted = |head: V3| Sorted::new(assets, m, scn, head);
        let Scratch { groups, glass: glass_bins, maps, workers, image, used } = scratch;
        let setting = Setting {
            assets,
            view,
            samples: assets.samples,
            lights: &lights,
            plain: &plain,
            shadows: &none,
            reflection: None,
            fog: scn.renders(RndFlag::Fog).then_some(assets.fog),
            dim: 1.0,
            additive: scn.renders(RndFlag::Additive),
            wireframe: scn.renders(RndFlag::Wireframe),
            several,
        };

        // the image in the first mirror
        let Sorted { mut items, mut glass, mut order } = sorted(view.eye);
        let mirror = items.iter().position(|item| item.mirror).filter(|&i| {
            let geom = &scn.geoms[items[i].geom];
            scn.renders(RndFlag::Reflection) && !behind(view.eye, mirror_plane(geom).0, &geom.mat)
        });
        if let Some(i) = mirror {
            let geom = &scn.geoms[items[i].geom];
            let (pos, normal) = mirror_plane(geom);
            let Sorted { mut items, mut glass, mut order } = sorted(view.eye);
            items.remove(i);
            glass -= usize::from(i < glass);
            order.iter_mut().for_each(|k| *k -= usize::from(*k > i));
            let mirrored = view.mirror(pos, normal);
            let how = Setting { view: mirrored, lights: &plain, dim: geom.reflectance, ..setting };
            image.resize(rgb.len(), [0; 3]);
            let buffers = Buffers { groups, glass: glass_bins, workers };
            let pass = Pass::new(&items, glass, &order, how, buffers);
            pass.paint(image);
            used.clear();
            used.extend((0..pass.tiles()).map(|tile| pass.touches(tile)));
        }
        let pixel = &image[..];
        let reflection = mirror.map(|_| Reflection { pixel, used });

        // the scene itself, with the sky behind it and haze in front of the sky
        if let Some(sky) = sky::sky(assets, scn, &view) {
            items.insert(glass, sky);
            order.iter_mut().for_each(|k| *k += 1);
            glass += 1;
        }
        if let Some(haze) = sky::haze(assets, scn, &view) {
            order.insert(0, items.len());
            items.push(haze);
        }
        let how = Setting { reflection, ..setting };
        let buffers = Buffers { groups, glass: glass_bins, workers };
        let pass = Pass::new(&items, glass, &order, how, buffers);
        if lights.shadows() == 0 {
            return pass.paint(rgb);
        }

        // shadows, where many triangles cast them only at the points that ask
        let casting =
            Casting { scn, lights: &lights, settings: &assets.shadow, view: &view, several };
        if let Some(asked) = Shadows::ask(&items, &casting, maps) {
            pass.shadowed(&asked).paint(rgb);
        }
        let shadows = Shadows::new(&items, &casting, maps);
        pass.shadowed(&shadows).paint(rgb);
    }
}

/// Whether an image is large enough for several threads.
fn large(view: &Projection) -> bool {
    view.width * view.height > LARGE
}

/// The items of a scene: opaque items, then transparent items from `glass` on with their drawing
/// order.
struct Sorted<'a> {
    items: Vec<Item<'a>>,
    glass: usize,
    order: Vec<usize>,
}

impl<'a> Sorted<'a> {
    fn new(assets: &'a Assets, m: &'a Model, scn: &'a Scene, head: V3) -> Sorted<'a> {
        let mut items = Vec::new();
        let mut clear = Vec::new();
        let mut mirrored = false;
        for (i, geom) in scn.geoms.iter().enumerate() {
            let plane = geom.r#type == GeomType::Plane;
            let transparent = geom.rgba[3] < OPAQUE || (plane && behind(head, geom.pos, &geom.mat));
            let Some(mut item) = Item::new(assets, m, scn, i, head) else { continue };
            if transparent {
                item.shaded = false;
                let rel = sub(geom.pos, head);
                let dist = if plane { 1e10 } else { dot(rel, rel).sqrt() - geom.rbound() };
                clear.push((dist, item));
                continue;
            }

            // only the first mirror reflects, and it is drawn before all others
            let mirrors = (plane || geom.r#type == GeomType::Box) && geom.reflectance > 0.0;
            if mirrors && !mirrored {
                mirrored = true;
                item.mirror = true;
                items.insert(0, item);
            } else {
                items.push(item);
            }
        }

        // near to far, then far to near; additive blending needs the first pass only
        clear.sort_by(|a, b| a.0.total_cmp(&b.0));
        let glass = items.len();
        let forth = glass..glass + clear.len();
        let back = forth.clone().rev().filter(|_| !scn.renders(RndFlag::Additive));
        let order = forth.clone().chain(back).collect();
        items.extend(clear.into_iter().map(|(_, item)| item));
        Sorted { items, glass, order }
    }
}

/// The plane of a mirror: a plane geom, or the top of a box.
fn mirror_plane(geom: &sinew_scene::SceneGeom) -> (V3, V3) {
    let normal = column(&geom.mat, 2);
    match geom.r#type {
        GeomType::Box => (add(geom.pos, scale(normal, geom.size[2])), normal),
        _ => (geom.pos, normal),
    }
}

fn require_size(width: usize, height: usize) -> Result<(), RenderError> {
    let fits = |n: usize| (1..=MAX_SIDE).contains(&n);
    if fits(width) && fits(height) { Ok(()) } else { Err(RenderError::Size) }
}

/// The segmentation colour of a geom: its index, or a quasi-random colour.
fn segment_color(scn: &Scene, geom: usize) -> [u8; 3] {
    let segid = scn.geoms[geom].segid;
    if scn.renders(RndFlag::Idcolor) {
        let [r, g, b, _] = (segid + 1).to_le_bytes();
        return [r, g, b];
    }
    let index = usize::try_from(segid + 10).unwrap_or(0);
    [2, 3, 5].map(|base| byte((0.1 + 0.8 * halton(index, base)) as f32))
}

/// Draws the border of an image.
fn frame(scn: &Scene, width: usize, height: usize, rgb: &mut [[u8; 3]]) {
    let Ok(edge) = usize::try_from(scn.framewidth) else { return };
    if edge == 0 {
        return;
    }
    let color = scn.framergb.map(byte);
    for (i, pixel) in rgb.iter_mut().enumerate() {
        let (x, y) = (i % width, i / width);
        if x < edge || y < edge || x + edge >= width || y + edge >= height {
            *pixel = color;
        }
    }
}
