//! Appearance of surfaces.

use sinew_model::enums::TextureRole;
use sinew_model::{MatId, Model};
use sinew_scene::SceneGeom;

use crate::linear::V3;
use crate::mesh::Vertex;
use crate::texture::Texture;

/// A surface: its colour, reflectance coefficients and texture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    pub(crate) rgba: [f32; 4],
    pub(crate) emission: f32,
    pub(crate) specular: f32,
    pub(crate) shininess: f32,
    pub(crate) paint: Paint,
}

/// Texture of a surface and the source of its coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Paint {
    /// No texture.
    Plain,
    /// Coordinates of the mesh.
    Given(usize),
    /// x and y of the shape, scaled.
    Flat(usize, [f32; 2]),
    /// Direction from the centre of the shape, scaled.
    Cube(usize, V3),
    /// Direction from the eye.
    Sky(usize),
}

impl Paint {
    /// Index of the texture.
    pub(crate) fn texture(self) -> Option<usize> {
        match self {
            Paint::Plain => None,
            Paint::Given(t) | Paint::Flat(t, _) | Paint::Cube(t, _) | Paint::Sky(t) => Some(t),
        }
    }

    /// Texture coordinates at a vertex of a unit shape.
    pub(crate) fn coordinates(self, v: &Vertex) -> V3 {
        let [x, y, z] = v.pos;
        match self {
            Paint::Plain => [0.0; 3],
            Paint::Given(_) => [v.uv[0], v.uv[1], 0.0],
            Paint::Flat(_, [s, t]) => [0.5 * s * x - 0.5, -0.5 * t * y - 0.5, 0.0],
            Paint::Cube(_, [a, b, c]) => [a * x, b * y, c * z],
            Paint::Sky(_) => [x, z, -y],
        }
    }
}

/// A material with a texture.
#[derive(Clone, Copy, Debug)]
struct Textured {
    texture: usize,
    repeat: [f32; 2],
    uniform: bool,
}

/// The textured materials of a model, by index.
pub(crate) struct Materials {
    textured: Vec<Option<Textured>>,
}

impl Materials {
    pub(crate) fn new(m: &Model) -> Materials {
        let textured = (0..m.nmat).map(MatId::new).map(|mat| {
            let texture = m.mat_texid[mat][TextureRole::Rgb.0 as usize].get()?.idx();
            let uniform = m.mat_texuniform[mat].get();
            Some(Textured { texture, repeat: m.mat_texrepeat[mat], uniform })
        });
        Materials { textured: textured.collect() }
    }

    /// The texture of a geom (`settexture` in `render_gl3.c`).
    pub(crate) fn paint(&self, geom: &SceneGeom, textures: &[Texture]) -> Paint {
        let material = usize::try_from(geom.matid).ok().and_then(|id| self.textured.get(id));
        let Some(&Some(material)) = material else { return Paint::Plain };
        let [sx, sy, sz] = geom.size;
        match textures.get(material.texture) {
            None => Paint::Plain,
            Some(Texture::Flat(_)) if geom.texcoord != 0 => Paint::Given(material.texture),
            Some(Texture::Cube(_)) if geom.texcoord != 0 => Paint::Plain,
            Some(Texture::Flat(_)) => {
                let along = |repeat: f32, size: f32| {
                    let mut scale = repeat;
                    if geom.dataid >= 0 && size > 0.0 {
                        scale /= size;
                    }
                    if material.uniform && size > 0.0 {
                        scale *= size;
                    }
                    scale
                };
                let [u, v] = material.repeat;
                Paint::Flat(material.texture, [along(u, sx), along(v, sy)])
            }
            Some(Texture::Cube(_)) => {
                let scale = if material.uniform { [sx, sy, sz] } else { [1.0; 3] };
                Paint::Cube(material.texture, scale)
            }
        }
    }
}
