//! Selecting a body with the mouse.

use sinew_engine::{FlexParts, Ray, RayFilter, eval_basis, ray, ray_flex, ray_skin};
use sinew_math::Vec3;
use sinew_model::enums::VisFlag;
use sinew_model::{BodyId, Data, FlexId, GeomId, Model, SkinId};

use crate::camera::{average_camera, camera_in_model, wide};
use crate::error::SceneError;
use crate::records::VisOption;
use crate::scene::Scene;
use crate::span::span;

/// The selected object and point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// The body.
    pub body: BodyId,
    /// The point in world coordinates.
    pub point: Vec3,
    /// The geom, if a geom was hit.
    pub geom: Option<GeomId>,
    /// The flex, if a flex was hit.
    pub flex: Option<FlexId>,
    /// The skin, if a skin was hit.
    pub skin: Option<SkinId>,
}

/// A position in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cursor {
    /// Aspect ratio of the window, width over height.
    pub aspectratio: f64,
    /// Horizontal position, from 0 at the left to 1 at the right.
    pub relx: f64,
    /// Vertical position, from 0 at the bottom to 1 at the top.
    pub rely: f64,
}

/// Selects the nearest visible geom, flex or skin under the cursor.
///
/// Reads `geom_xpos`, `geom_xmat`, `flexvert_xpos`.
#[doc(alias = "mjv_select")]
pub fn select(
    m: &Model,
    d: &Data,
    opt: &VisOption,
    cursor: Cursor,
    scn: &Scene,
) -> Result<Option<Selection>, SceneError> {
    let line = line_of_sight(cursor, scn)?;
    let filter = RayFilter {
        groups: Some(opt.geomgroup.map(|shown| shown != 0)),
        fixed: opt.shows(VisFlag::Static),
        exclude: None,
    };

    // nearest hit so far
    let mut best: Option<(f64, Selection)> = None;
    let mut offer = |dist: f64, selection: Selection| {
        if best.is_none_or(|(nearest, _)| dist < nearest) {
            best = Some((dist, selection));
        }
    };

    // geoms
    if let Some(hit) = ray(m, d, line, &filter) {
        let (body, point) = (m.geom_bodyid[hit.geom], line.at(hit.dist));
        let geom = Some(hit.geom);
        offer(hit.dist, Selection { body, point, geom, flex: None, skin: None });
    }

    // flexes
    if opt.shows_flexes() {
        for f in 0..m.nflex {
            let shown = FlexParts {
                vert: opt.shows(VisFlag::Flexvert),
                edge: opt.shows(VisFlag::Flexedge),
                face: opt.shows(VisFlag::Flexface),
                skin: opt.shows(VisFlag::Flexskin),
                layer: opt.flex_layer,
            };
            if let Some(hit) = ray_flex(m, d, FlexId::new(f), line, shown) {
                let (body, point) = flex_point(m, d, f, hit.vertex)?;
                let flex = Some(FlexId::new(f));
                offer(hit.dist, Selection { body, point, geom: None, flex, skin: None });
            }
        }
    }

    // skins
    if opt.shows(VisFlag::Skin) {
        for s in 0..m.nskin {
            let face = span(&m.skin_face, m.skin_faceadr[s], m.skin_facenum[s]);
            let vert = span(&scn.skin.skinvert, m.skin_vertadr[s], m.skin_vertnum[s]);
            let Some(hit) = ray_skin(face, vert, line) else { continue };
            if let Some(body) = heaviest_bone(m, s, hit.vertex) {
                let (point, skin) = (wide(vert[hit.vertex]), Some(SkinId::new(s)));
                offer(hit.dist, Selection { body, point, geom: None, flex: None, skin });
            }
        }
    }
    Ok(best.map(|(_, selection)| selection))
}

/// The ray from the camera through the cursor, in the model's frame.
fn line_of_sight(cursor: Cursor, scn: &Scene) -> Result<Ray, SceneError> {
    let cam = average_camera(&scn.camera[0], &scn.camera[1])?;
    let [pos, forward, up] = camera_in_model(scn)?;
    let left = up.cross(forward).normalize().0;
    let height = f64::from(cam.frustum_top - cam.frustum_bottom);
    let half_width = 0.5 * cursor.aspectratio * height;
    let up_by = f64::from(cam.frustum_bottom) + cursor.rely * height;
    let left_by = -(f64::from(cam.frustum_center) + (2.0 * cursor.relx - 1.0) * half_width);
    let aside = |from: Vec3| from + up * up_by + left * left_by;
    if cam.orthographic != 0 {
        return Ok(Ray { origin: aside(pos), dir: forward });
    }
    let dir = aside(forward * f64::from(cam.frustum_near)).normalize().0;
    Ok(Ray { origin: pos, dir })
}

/// The body that moves a vertex of a flex, and its position: the vertex or the nearest node.
fn flex_point(m: &Model, d: &Data, f: usize, vertex: usize) -> Result<(BodyId, Vec3), SceneError> {
    let v = m.flex_vertadr[f].max(0) as usize + vertex;
    let order = m.flex_interp[f];
    if order == 0 {
        let body = m.flex_vertbodyid[v].get().ok_or(SceneError::FlexNode(f))?;
        return Ok((body, d.flexvert_xpos[v]));
    }
    let first = m.flex_nodeadr[f].max(0) as usize;
    let mut best = (0.0, None);
    for i in 0..m.flex_nodenum[f].max(0) as usize {
        let weight = eval_basis(m.flex_vert0[v], i, order as usize);
        if weight > best.0 {
            best = (weight, Some(first + i));
        }
    }
    let node = best.1.ok_or(SceneError::FlexNode(f))?;
    // MuJoCo adds the first node's index twice, and so reads a node of a later flex if there is one
    let body = m.flex_nodebodyid.get(first + node).copied().unwrap_or(m.flex_nodebodyid[node]);
    let point = if m.flex_centered[f].get() {
        d.xpos[body]
    } else {
        d.xmat[body] * m.flex_node[node] + d.xpos[body]
    };
    Ok((body, point))
}

/// The body of the bone with the largest weight at a vertex of a skin.
fn heaviest_bone(m: &Model, s: usize, vertex: usize) -> Option<BodyId> {
    let mut best: Option<(f32, BodyId)> = None;
    let bones = m.skin_boneadr[s].max(0) as usize;
    for bone in bones..bones + m.skin_bonenum[s].max(0) as usize {
        let adr = m.skin_bonevertadr[bone].max(0) as usize;
        for k in adr..adr + m.skin_bonevertnum[bone].max(0) as usize {
            let weight = m.skin_bonevertweight[k];
            let here = m.skin_bonevertid[k] as usize == vertex;
            if here && best.is_none_or(|(most, _)| weight > most) {
                best = Some((weight, m.skin_bonebodyid[bone]));
            }
        }
    }
    best.map(|(_, body)| body)
}
