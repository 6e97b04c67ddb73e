//! Lights.

use sinew_model::Model;
use sinew_model::enums::{LightType, ObjType};
use sinew_model::ids::{BodyId, TexId};

use crate::compile::cx::{At, Cx};
use crate::pose::{EPS, Pose, unit_vec};

/// Compiles one light; `shift` is the displacement by the alignment of a free body.
pub(crate) fn compile_light(cx: &mut Cx<'_>, id: usize, shift: Option<Pose>) {
    if let Err(message) = try_compile(cx, id, shift) {
        let elem = &cx.world.lights[id].elem;
        let (name, span) = (elem.name.text().to_owned(), elem.head.span);
        cx.fail(At { name: &name, id, span }, message);
    }
}

fn try_compile(cx: &mut Cx<'_>, id: usize, shift: Option<Pose>) -> Result<(), String> {
    let light = &mut cx.world.lights[id];
    if let Some(frame) = light.frame {
        light.pos = frame.then(Pose { pos: light.pos, ..Pose::IDENTITY }).pos;
        light.dir = frame.quat.rotate(light.dir);
    }
    let (dir, len) = unit_vec(light.dir);
    if len < EPS {
        return Err("zero direction in light".into());
    }
    light.dir = dir;
    if let Some(shift) = shift {
        light.pos = shift.then(Pose { pos: light.pos, ..Pose::IDENTITY }).pos;
        light.dir = shift.quat.rotate(light.dir);
    }
    let find = |kind: ObjType, name: &str, what: &str| match cx.names.get(kind, name) {
        None if !name.is_empty() => Err(format!("unknown {what} in light: '{name}'")),
        found => Ok(found),
    };
    let target = find(ObjType::Body, light.elem.target.text(), "target body")?;
    let texture = find(ObjType::Texture, light.elem.texture.text(), "texture")?;
    (light.target, light.texture) = (target, texture);
    Ok(())
}

/// Copies the lights into the model.
pub(crate) fn store_lights(cx: &Cx<'_>, m: &mut Model) {
    for (i, light) in cx.world.lights.iter().enumerate() {
        let e = &light.elem;
        // `directional` is the older way to write the type
        let kind = match e.directional.get() {
            Some(true) => LightType::Directional,
            _ => LightType::Spot,
        };
        m.light_mode[i] = e.values().mode();
        m.light_bodyid[i] = BodyId::new(light.body);
        m.light_targetbodyid[i] = light.target.map(BodyId::new).into();
        m.light_type[i] = e.type_.or(kind);
        m.light_texid[i] = light.texture.map(TexId::new).into();
        m.light_castshadow[i] = e.values().castshadow().into();
        m.light_bulbradius[i] = e.values().bulbradius();
        m.light_intensity[i] = e.values().intensity();
        m.light_range[i] = e.values().range();
        m.light_active[i] = e.values().active().into();
        m.light_pos[i] = light.pos;
        m.light_dir[i] = light.dir;
        m.light_attenuation[i] = e.values().attenuation();
        m.light_cutoff[i] = e.values().cutoff();
        m.light_exponent[i] = e.values().exponent();
        m.light_ambient[i] = e.values().ambient();
        m.light_diffuse[i] = e.values().diffuse();
        m.light_specular[i] = e.values().specular();
    }
}
