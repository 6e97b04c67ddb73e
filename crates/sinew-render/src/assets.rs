//! Renderer's copy of a model: shapes, textures, materials and settings.

use sinew_model::enums::{GeomType, TextureType};
use sinew_model::{HFieldId, MeshId, Model, TexId};
use sinew_scene::SceneGeom;

use crate::detail::Detailed;
use crate::geometry::{self, PlaneGrid};
use crate::haze::haze_mesh;
use crate::material::Materials;
use crate::mesh::Mesh;
use crate::raster::{MULTIPLE, SINGLE, Samples};
use crate::shape::{MAX_PARTS, Quality, Shapes};
use crate::texture::Texture;
use crate::threads::parallel_map;
use crate::wide::{Wide, Wide3};

/// Linear fog between two distances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fog {
    pub(crate) start: f32,
    pub(crate) end: f32,
    pub(crate) rgba: [f32; 4],
}

impl Fog {
    /// Blends the fog over colours at a distance.
    #[inline(always)]
    pub(crate) fn over<W: Wide>(&self, color: Wide3<W>, dist: W) -> Wide3<W> {
        let clear = (W::splat(self.end) - dist).times(1.0 / (self.end - self.start)).clamp01();
        [0, 1, 2].map(|k| clear * color[k] + (W::splat(1.0) - clear).times(self.rgba[k]))
    }
}

/// Settings of shadow maps.
pub(crate) struct ShadowSettings {
    /// Width and height of a map in pixels.
    pub(crate) size: usize,
    /// Half width of the region that directional lights cover.
    pub(crate) clip: f32,
    /// Fraction of a spot light's cone that the map covers.
    pub(crate) scale: f32,
}

/// Renderer's copy of a model.
pub(crate) struct Assets {
    pub(crate) shapes: Shapes,
    /// Meshes at even indices, their convex hulls at odd indices.
    pub(crate) meshes: Vec<Detailed>,
    pub(crate) fields: Vec<Mesh>,
    pub(crate) planes: Vec<PlaneGrid>,
    pub(crate) textures: Vec<Texture>,
    pub(crate) materials: Materials,
    pub(crate) line_width: f32,
    pub(crate) sky: Option<usize>,
    pub(crate) haze: Mesh,
    pub(crate) haze_color: [f32; 4],
    pub(crate) shadow: ShadowSettings,
    pub(crate) fog: Fog,
    pub(crate) samples: Samples,
}

impl Assets {
    pub(crate) fn new(m: &Model) -> Assets {
        // tessellation of round shapes
        let q = &m.vis.quality;
        let at_least = |n: i32, least: usize| usize::try_from(n).unwrap_or(0).max(least);
        let quality = Quality {
            slices: at_least(q.numslices, 3).min(MAX_PARTS),
            stacks: at_least(q.numstacks, 2).min(MAX_PARTS),
            quads: at_least(q.numquads, 1).min(MAX_PARTS),
        };

        // all meshes, height fields and textures; unit shapes have lengths in units of the extent
        let ids: Vec<MeshId> = (0..m.nmesh).map(MeshId::new).collect();
        let sky = (0..m.ntex).find(|&t| m.tex_type[t] == TextureType::Skybox);
        let extent = m.stat.extent;
        let rgba = &m.vis.rgba;
        Assets {
            shapes: Shapes::new(quality),
            meshes: parallel_map(&ids, |&i| {
                [geometry::mesh(m, i), geometry::hull(m, i)].map(Detailed::new)
            })
            .into_iter()
            .flatten()
            .collect(),
            fields: (0..m.nhfield).map(|i| geometry::height_field(m, HFieldId::new(i))).collect(),
            planes: geometry::plane_grids(m),
            textures: (0..m.ntex).map(|t| Texture::new(m, TexId::new(t))).collect(),
            materials: Materials::new(m),
            line_width: m.vis.global.linewidth,
            sky,
            haze: haze_mesh(quality.slices, m.vis.map.haze),
            haze_color: rgba.haze,
            shadow: ShadowSettings {
                size: at_least(q.shadowsize, 0),
                clip: (extent * f64::from(m.vis.map.shadowclip)) as f32,
                scale: m.vis.map.shadowscale,
            },
            fog: Fog {
                start: (extent * f64::from(m.vis.map.fogstart)) as f32,
                end: (extent * f64::from(m.vis.map.fogend)) as f32,
                rgba: rgba.fog,
            },
            samples: if q.offsamples > 0 { MULTIPLE } else { SINGLE },
        }
    }

    /// The mesh of a geom.
    pub(crate) fn mesh(&self, geom: &SceneGeom) -> Option<&Detailed> {
        let meshes =
            matches!(geom.r#type, GeomType::Mesh | GeomType::Sdf).then_some(&self.meshes)?;
        meshes.get(usize::try_from(geom.dataid).ok()?)
    }
}
