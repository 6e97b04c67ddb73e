//! The lights of a scene.

use sinew_model::enums::LightType;
use sinew_model::{Data, Model};

use crate::camera::camera_in_model;
use crate::error::SceneError;
use crate::geom::single;
use crate::records::Light;
use crate::scene::{MAXLIGHT, Scene};

/// Collects the active lights: the headlight at the camera, then the lights of the model.
///
/// Reads `light_xpos`, `light_xdir`.
#[doc(alias = "mjv_makeLights")]
pub fn make_lights(m: &Model, d: &Data, scn: &mut Scene) -> Result<(), SceneError> {
    scn.lights.clear();

    // headlight
    let head = &m.vis.headlight;
    if head.active != 0 {
        let [pos, forward, _] = camera_in_model(scn)?;
        scn.lights.push(Light {
            id: -1,
            headlight: 1,
            texid: -1,
            r#type: LightType::Directional,
            bulbradius: 0.02,
            range: 10.0,
            pos: single(pos),
            dir: single(forward),
            ambient: head.ambient,
            diffuse: head.diffuse,
            specular: head.specular,
            ..Light::default()
        });
    }

    // lights of the model
    for l in m.lights().filter(|&l| m.light_active[l].get()) {
        if scn.lights.len() >= MAXLIGHT {
            break;
        }
        let mut light = Light {
            id: l.idx() as i32,
            r#type: m.light_type[l],
            texid: m.light_texid[l].get().map_or(-1, |tex| tex.idx() as i32),
            castshadow: m.light_castshadow[l].get().into(),
            bulbradius: m.light_bulbradius[l],
            intensity: m.light_intensity[l],
            range: m.light_range[l],
            ambient: m.light_ambient[l],
            diffuse: m.light_diffuse[l],
            specular: m.light_specular[l],
            pos: single(d.light_xpos[l]),
            dir: single(d.light_xdir[l]),
            ..Light::default()
        };
        if light.r#type == LightType::Spot {
            light.attenuation = m.light_attenuation[l];
            light.exponent = m.light_exponent[l];
            light.cutoff = m.light_cutoff[l];
        }
        scn.lights.push(light);
    }
    Ok(())
}
