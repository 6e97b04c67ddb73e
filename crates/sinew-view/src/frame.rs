//! Encodes scenes: the style of geoms, which seldom changes, and their poses.

use serde_json::{Value, json};
use sinew_model::Model;
use sinew_model::enums::GeomType;
use sinew_scene::{Light, Scene, SceneGeom};

use crate::wire::{self, Out};

/// Tags of the sections of a frame.
const POSES: u32 = 1;
const LIGHTS: u32 = 2;
const SURFACE: u32 = 3;
const TUBES: u32 = 4;
const BALLS: u32 = 5;
pub(crate) const NUMBERS: u32 = 6;

/// Index of the first geom of a list that a page may hide by itself.
pub(crate) type ExtraFrom = Option<usize>;

/// Encodes scenes as messages.
#[derive(Debug, Default)]
pub(crate) struct Encoder {
    style: Vec<u8>,
    version: u32,
    number: u32,
}

/// An encoded scene: its style if that has changed, and its frame.
pub(crate) struct Encoded {
    pub(crate) style: Option<Vec<u8>>,
    pub(crate) frame: Vec<u8>,
}

impl Encoder {
    /// Encodes a scene; `numbers` appends further sections to the frame.
    pub(crate) fn encode(
        &mut self,
        m: &Model,
        scn: &Scene,
        time: f64,
        extra: ExtraFrom,
        numbers: impl FnOnce(&mut Out),
    ) -> Encoded {
        // a changed style has a new version
        let style = style(scn, extra);
        let changed = style != self.style || self.version == 0;
        if changed {
            self.version += 1;
            self.style.clone_from(&style);
        }
        self.number = self.number.wrapping_add(1);

        // poses, which move in every frame
        let mut out = Out::new(wire::FRAME);
        out.u32(self.number);
        out.f64(time);
        out.u32(self.version);
        out.u32(0);
        out.section(POSES, 0, |out| scn.geoms.iter().for_each(|geom| pose(geom, out)));
        out.section(LIGHTS, 0, |out| scn.lights.iter().for_each(|light| lamp(light, out)));
        for (i, geom) in scn.geoms.iter().enumerate() {
            match geom.r#type {
                GeomType::Flex => flex(scn, geom, i as u32, &mut out),
                GeomType::Skin => skin(m, scn, geom, i as u32, &mut out),
                _ => {}
            }
        }
        numbers(&mut out);

        // the style, only when it is new
        let style = changed.then(|| {
            let mut out = Out::new(wire::STYLE);
            out.u32(self.version);
            out.bytes.extend(style);
            out.bytes
        });
        Encoded { style, frame: out.bytes }
    }
}

/// The attributes of all geoms except pose and size.
fn style(scn: &Scene, extra: ExtraFrom) -> Vec<u8> {
    let mut out = Out::default();
    let mut labels = Vec::new();
    out.u32(scn.geoms.len() as u32);
    for (i, geom) in scn.geoms.iter().enumerate() {
        let is_extra = extra.is_some_and(|first| i >= first);
        let marks = geom.category & 0xff
            | i32::from(geom.texcoord != 0) << 8
            | i32::from(geom.transparent != 0) << 9
            | i32::from(is_extra) << 10;
        for x in [geom.r#type.0, geom.dataid, geom.matid, geom.objtype.0, geom.objid, marks] {
            out.i32(x);
        }
        out.f32s(&geom.rgba);
        out.f32s(&[geom.emission, geom.specular, geom.shininess, geom.reflectance]);
        let label = text(geom);
        if !label.is_empty() {
            labels.push(json!([i, label]));
        }
    }
    out.json(&Value::Array(labels));
    out.bytes
}

/// The label of a geom.
fn text(geom: &SceneGeom) -> String {
    let bytes = geom.label.as_flattened().iter().map(|c| c.0).take_while(|&c| c != 0);
    String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
}

/// Position, orientation as a quaternion (x, y, z, w as three.js has it), and size.
fn pose(geom: &SceneGeom, out: &mut Out) {
    let finite = |x: f32| if x.is_finite() { x } else { 0.0 };
    out.f32s(&geom.pos.map(finite));
    out.f32s(&quaternion(&geom.mat).map(finite));
    out.f32s(&geom.size.map(finite));
}

/// The quaternion of a rotation, by the largest of its four squares (Shepperd's method).
pub(crate) fn quaternion(r: &[[f32; 3]; 3]) -> [f32; 4] {
    let trace = r[0][0] + r[1][1] + r[2][2];
    let squares = [r[0][0], r[1][1], r[2][2], trace];
    let largest = (0..4).max_by(|&a, &b| squares[a].total_cmp(&squares[b])).unwrap_or(3);
    let mut q = if largest == 3 {
        [r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1], 1.0 + trace]
    } else {
        let (i, j, k) = (largest, (largest + 1) % 3, (largest + 2) % 3);
        let mut q = [0.0; 4];
        q[i] = 1.0 + 2.0 * r[i][i] - trace;
        q[j] = r[i][j] + r[j][i];
        q[k] = r[i][k] + r[k][i];
        q[3] = r[k][j] - r[j][k];
        q
    };
    let norm = q.iter().map(|x| x * x).sum::<f32>().sqrt();
    q.iter_mut().for_each(|x| *x /= norm);
    q
}

fn lamp(light: &Light, out: &mut Out) {
    out.i32(light.id);
    out.i32(light.r#type.0);
    out.u32(u32::from(light.headlight) | u32::from(light.castshadow) << 1);
    out.f32s(&light.pos);
    out.f32s(&light.dir);
    out.f32s(&light.ambient);
    out.f32s(&light.diffuse);
    out.f32s(&light.specular);
    out.f32s(&light.attenuation);
    out.f32s(&[light.cutoff, light.exponent, light.range, light.intensity, light.bulbradius]);
}

/// A flex: its triangles or, if they are hidden, its edges and vertices.
fn flex(scn: &Scene, geom: &SceneGeom, index: u32, out: &mut Out) {
    let (flex, f, radius) = (&scn.flex, geom.objid.max(0) as usize, geom.size[0]);
    let (Some(&used), Some(&vertadr)) = (flex.flexfaceused.get(f), flex.flexvertadr.get(f)) else {
        return;
    };

    // triangles
    let first = flex.flexfaceadr[f].max(0) as usize;
    let faces = first..first + used.max(0) as usize;
    if !faces.is_empty() {
        out.section(SURFACE, index, |out| {
            out.u32(3 * faces.len() as u32);
            out.u32(u32::from(geom.texcoord != 0));
            flex.flexface[faces.clone()].as_flattened().iter().for_each(|p| out.f32s(p));
            flex.flexnormal[faces.clone()].as_flattened().iter().for_each(|&n| out.normal(n));
            if geom.texcoord != 0 {
                flex.flextexcoord[faces].as_flattened().iter().for_each(|uv| out.f32s(uv));
            }
        });
    }

    // vertices and edges, unless the skin covers them
    let [shows_vert, shows_edge, _, shows_skin] = flex.options;
    if radius <= 0.0 || shows_skin && used > 0 {
        return;
    }
    let first = vertadr.max(0) as usize;
    let vert = &flex.flexvert[first..first + flex.flexvertnum[f].max(0) as usize];
    if shows_vert {
        out.section(BALLS, index, |out| {
            out.f32(radius);
            vert.iter().for_each(|p| out.f32s(p));
        });
    }
    if shows_edge {
        let first = flex.flexedgeadr[f].max(0) as usize;
        let edges = &flex.flexedge[first..first + flex.flexedgenum[f].max(0) as usize];
        out.section(TUBES, index, |out| {
            out.f32(radius);
            edges.iter().flatten().for_each(|&v| out.f32s(&vert[v as usize]));
        });
    }
}

/// The vertices of a skin; its triangles were sent with the model.
fn skin(m: &Model, scn: &Scene, geom: &SceneGeom, index: u32, out: &mut Out) {
    let s = geom.objid.max(0) as usize;
    if s >= m.nskin || scn.skin.skinvert.len() != m.nskinvert {
        return;
    }
    let first = m.skin_vertadr[s].max(0) as usize;
    let verts = first..first + m.skin_vertnum[s].max(0) as usize;
    out.section(SURFACE, index, |out| {
        out.u32(verts.len() as u32);
        out.u32(0);
        scn.skin.skinvert[verts.clone()].iter().for_each(|p| out.f32s(p));
        scn.skin.skinnormal[verts].iter().for_each(|&n| out.normal(n));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quaternions_turn_as_their_matrices_do() {
        let half = 0.5f32.sqrt();
        let cases = [
            ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0, 0.0, 0.0, 1.0]),
            ([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]], [1.0, 0.0, 0.0, 0.0]),
            ([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]], [0.0, 1.0, 0.0, 0.0]),
            ([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [0.0, 0.0, half, half]),
            ([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [0.5; 4]),
        ];
        for (mat, want) in cases {
            let got = quaternion(&mat);
            assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-6), "{got:?}, {want:?}");
        }
    }
}
