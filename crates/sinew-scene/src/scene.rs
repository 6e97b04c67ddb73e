//! The scene: everything there is to draw.

use sinew_model::Model;
use sinew_model::enums::RndFlag;

use crate::records::{GlCamera, Light, SceneGeom};
use crate::surfaces::{FlexScene, SkinScene};

/// Most lights in a scene (`mjMAXLIGHT`).
pub const MAXLIGHT: usize = 100;

/// Everything there is to draw.
#[doc(alias = "mjvScene")]
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Most geoms there may be.
    pub maxgeom: usize,
    /// The geoms.
    pub geoms: Vec<SceneGeom>,
    /// The lights; the head light first.
    pub lights: Vec<Light>,
    /// Left and right camera.
    pub camera: [GlCamera; 2],
    /// Whether the model is moved into the room by the three fields below.
    pub enabletransform: bool,
    /// Translation of the model.
    pub translate: [f32; 3],
    /// Rotation of the model.
    pub rotate: [f32; 4],
    /// Scale of the model.
    pub scale: f32,
    /// Stereoscopic rendering (`mjtStereo`).
    pub stereo: i32,
    /// Rendering flags, by `mjtRndFlag`.
    pub flags: [u8; 11],
    /// Width of the frame around the picture in pixels; 0 for none.
    pub framewidth: i32,
    /// Colour of that frame.
    pub framergb: [f32; 3],
    /// 0, or 1 if there were more geoms than `maxgeom`.
    pub status: i32,
    /// Where flexes are.
    pub flex: FlexScene,
    /// Where skins are.
    pub skin: SkinScene,
}

/// Rendering flags that are on unless switched off (`mjRNDSTRING`).
const RENDERED: [RndFlag; 5] =
    [RndFlag::Shadow, RndFlag::Reflection, RndFlag::Skybox, RndFlag::Haze, RndFlag::CullFace];

impl Scene {
    /// An empty scene for a model.
    #[doc(alias = "mjv_makeScene")]
    pub fn new(m: &Model, maxgeom: usize) -> Scene {
        Scene { flex: FlexScene::new(m), skin: SkinScene::new(m), ..Scene::without_model(maxgeom) }
    }

    /// An empty scene without flexes and skins.
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
