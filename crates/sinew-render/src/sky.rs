//! The sky around the scene, and the haze on its horizon.

use std::borrow::Cow;

use sinew_model::enums::{GeomType, RndFlag};
use sinew_scene::Scene;

use crate::assets::Assets;
use crate::camera::Projection;
use crate::item::{Form, Item, Look, MeshPart, Sides};
use crate::linear::{V3, column, dot, sub};
use crate::material::{Paint, Surface};

/// Radius of the sky relative to the far plane: below 1/√2, so that the corners are not clipped.
const SKY_RADIUS: f32 = 0.70;

fn backdrop<'a>(head: V3, rgba: [f32; 4], paint: Paint, part: MeshPart<'a>) -> Item<'a> {
    Item {
        parts: vec![part],
        lines: Vec::new(),
        line_width: 0.0,
        pos: head,
        mat: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        surface: Surface { rgba, emission: 0.0, specular: 0.0, shininess: 0.0, paint },
        look: Look::Flat,
        sides: Sides::Back,
        shaded: false,
        mirror: false,
        closed: false,
        smooth: false,
        geom: usize::MAX,
    }
}

/// The sky, if the model has one.
pub(crate) fn sky<'a>(assets: &'a Assets, scn: &Scene, view: &Projection) -> Option<Item<'a>> {
    let texture = assets.sky.filter(|_| scn.renders(RndFlag::Skybox))?;
    let radius = radius(scn, view);
    // a smooth backdrop: only its outline matters, so it has one stack
    let form = Form::Shape(&assets.shapes.cylinder);
    let part = MeshPart { form, offset: [0.0; 3], scale: [radius; 3] };
    Some(backdrop(view.eye, [1.0; 4], Paint::Sky(texture), part))
}

fn radius(scn: &Scene, view: &Projection) -> f32 {
    let radius = view.far * SKY_RADIUS;
    if scn.enabletransform { radius / scn.scale } else { radius }
}

/// The haze over the first infinite plane, visible from above.
pub(crate) fn haze<'a>(assets: &'a Assets, scn: &Scene, view: &Projection) -> Option<Item<'a>> {
    if assets.sky.is_none() || !scn.renders(RndFlag::Skybox) || !scn.renders(RndFlag::Haze) {
        return None;
    }
    let endless = |g: &&sinew_scene::SceneGeom| {
        g.r#type == GeomType::Plane && g.size[0] == 0.0 && g.size[1] == 0.0
    };
    let plane = scn.geoms.iter().find(endless)?;
    let radius = radius(scn, view);
    let elevation = dot(sub(view.eye, plane.pos), column(&plane.mat, 2)) / radius;
    if elevation < 0.0 {
        return None;
    }
    let part = MeshPart {
        form: Form::Mesh(Cow::Borrowed(&assets.haze)),
        offset: [0.0, 0.0, -1.0],
        scale: [radius, radius, radius * elevation],
    };
    let mut item = backdrop(view.eye, assets.haze_color, Paint::Plain, part);
    item.mat = plane.mat;
    item.look = Look::Haze;
    Some(item)
}
