//! The scene: geoms, lights and cameras.

use sinew_model::Model;
use sinew_model::enums::RndFlag;

use crate::records::{GlCamera, Light, SceneGeom};
use crate::surfaces::{FlexScene, SkinScene};

/// Maximum number of lights in a scene (`mjMAXLIGHT`).
pub const MAXLIGHT: usize = 100;

/// A list of geoms with lights and cameras, ready to draw.
#[doc(alias = "mjvScene")]
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Maximum number of geoms.
    pub maxgeom: usize,
    /// The geoms.
    pub geoms: Vec<SceneGeom>,
    /// The lights; the headlight is first.
    pub lights: Vec<Light>,
    /// Left and right camera.
    pub camera: [GlCamera; 2],
    /// Whether the transform of the three fields below places the model in the room.
    pub enabletransform: bool,
    /// Translation of the model.
    pub translate: [f32; 3],
    /// Rotation of the model.
    pub rotate: [f32; 4],
    /// Scale of the model.
    pub scale: f32,
    /// Stereoscopic rendering (`mjtStereo`).
    pub stereo: i32,
    /// Rendering flags, indexed by `mjtRndFlag`.
    pub flags: [u8; 11],
    /// Width in pixels of the border around the image; 0 for none.
    pub framewidth: i32,
    /// Colour of the border.
    pub framergb: [f32; 3],
    /// 1 if the geoms exceeded `maxgeom`, else 0.
    pub status: i32,
    /// Vertices and triangles of flexes.
    pub flex: FlexScene,
    /// Vertices of skins.
    pub skin: SkinScene,
}

/// Rendering flags that are on by default (`mjRNDSTRING`).
const RENDERED: [RndFlag; 5] =
    [RndFlag::Shadow, RndFlag::Reflection, RndFlag::Skybox, RndFlag::Haze, RndFlag::CullFace];

impl Scene {
    /// An empty scene for a model.
    #[doc(alias = "mjv_makeScene")]
    pub fn new(m: &Model, maxgeom: usize) -> Scene {
        Scene { flex: FlexScene::new(m), skin: SkinScene::new(m), ..Scene::without_model(maxgeom) }
    }

    /// An empty scene without memory for flexes and skins.
    pub fn without_model(maxgeom: usize) -> Scene {
        let mut flags = [0; 11];
        for flag in RENDERED {
            flags[flag.0 as usize] = 1;
        }
        Scene {
            maxgeom,
            geoms: Vec::new(),
            lights: Vec::new(),
            camera: [GlCamera::default(); 2],
            enabletransform: false,
            translate: [0.0; 3],
            rotate: [1.0, 0.0, 0.0, 0.0],
            scale: 1.0,
            stereo: 0,
            flags,
            framewidth: 0,
            framergb: [0.0; 3],
            status: 0,
            flex: FlexScene::default(),
            skin: SkinScene::default(),
        }
    }

    /// Whether a rendering flag is on.
    pub fn renders(&self, flag: RndFlag) -> bool {
        self.flags[flag.0 as usize] != 0
    }
}
