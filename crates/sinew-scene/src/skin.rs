//! Skins: meshes that follow bones.

use sinew_math::{MINVAL, Quat, Vec3};
use sinew_model::{Data, Model};

use crate::camera::wide;
use crate::records::{VisOption, in_group};
use crate::scene::Scene;
use crate::span::span;

/// Moves the vertices of visible skins with their bones.
///
/// Reads `xpos`, `xquat`.
#[doc(alias = "mjv_updateActiveSkin")]
pub fn update_active_skin(m: &Model, d: &Data, scn: &mut Scene, opt: &VisOption) {
    for s in 0..m.nskin {
        let first = m.skin_vertadr[s].max(0) as usize;
        let range = first..first + m.skin_vertnum[s].max(0) as usize;
        let vert = &mut scn.skin.skinvert[range.clone()];
        let normal = &mut scn.skin.skinnormal[range];
        vert.fill([0.0; 3]);
        normal.fill([0.0; 3]);
        if in_group(&opt.skingroup, m.skin_group[s]) {
            follow_bones(m, d, s, vert);
            find_normals(m, s, vert, normal);
            inflate(m.skin_inflate[s], vert, normal);
        }
    }
}

/// Linear blend skinning: every vertex is the weighted mean of its positions by each bone.
fn follow_bones(m: &Model, d: &Data, s: usize, vert: &mut [[f32; 3]]) {
    let first = m.skin_vertadr[s].max(0) as usize;
    let bones = m.skin_boneadr[s].max(0) as usize;
    for bone in bones..bones + m.skin_bonenum[s].max(0) as usize {
        let bind_pos = wide(m.skin_bonebindpos[bone]);
        let bind_quat = Quat::from(m.skin_bonebindquat[bone].map(f64::from));
        let body = m.skin_bonebodyid[bone];
        let rotate = (d.xquat[body] * bind_quat.conj()).to_mat();
        let translate = d.xpos[body] - rotate * bind_pos;
        let adr = m.skin_bonevertadr[bone].max(0) as usize;
        for k in adr..adr + m.skin_bonevertnum[bone].max(0) as usize {
            let v = m.skin_bonevertid[k] as usize;
            let weight = m.skin_bonevertweight[k];
            let moved = rotate * wide(m.skin_vert[first + v]) + translate;
            for (sum, x) in vert[v].iter_mut().zip(moved.to_array()) {
                *sum += weight * x as f32;
            }
        }
    }
}

/// Normals at the vertices: means of the adjacent face normals, weighted by area.
fn find_normals(m: &Model, s: usize, vert: &[[f32; 3]], normal: &mut [[f32; 3]]) {
    for face in span(&m.skin_face, m.skin_faceadr[s], m.skin_facenum[s]) {
        let [a, b, c] = face.map(|v| v as usize);
        let edge = |to: usize| -> Vec3 { wide(core::array::from_fn(|k| vert[to][k] - vert[a][k])) };
        let area = edge(b).cross(edge(c)).to_array();
        for v in [a, b, c] {
            for (sum, x) in normal[v].iter_mut().zip(area) {
                *sum = (f64::from(*sum) + x) as f32;
            }
        }
    }
    for n in normal {
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        let scale = (1.0 / f64::from(length).max(MINVAL)) as f32;
        *n = n.map(|x| x * scale);
    }
}

fn inflate(by: f32, vert: &mut [[f32; 3]], normal: &[[f32; 3]]) {
    if by == 0.0 {
        return;
    }
    for (v, n) in vert.iter_mut().zip(normal) {
        for k in 0..3 {
            v[k] += by * n[k];
        }
    }
}
