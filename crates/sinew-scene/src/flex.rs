//! Surfaces of flexes.

use sinew_math::Vec3;
use sinew_model::enums::VisFlag;
use sinew_model::{Data, Model};

use crate::geom::single;
use crate::records::VisOption;
use crate::scene::Scene;
use crate::span::{rest, span};
use crate::surfaces::FlexScene;

/// Updates vertices and triangles of all flexes.
///
/// Reads `flexvert_xpos`.
#[doc(alias = "mjv_updateActiveFlex")]
pub fn update_active_flex(m: &Model, d: &Data, scn: &mut Scene, opt: &VisOption) {
    let out = &mut scn.flex;
    let flags = [VisFlag::Flexvert, VisFlag::Flexedge, VisFlag::Flexface, VisFlag::Flexskin];
    out.options = flags.map(|flag| opt.shows(flag));
    for (to, from) in out.flexvert.iter_mut().zip(d.flexvert_xpos.iter()) {
        *to = single(*from);
    }
    let [_, _, shows_faces, shows_skin] = out.options;
    for f in 0..m.nflex {
        let mut faces = Faces::new(m, d, f, out);
        if m.flex_dim[f] != 1 && shows_skin {
            faces.skin();
        } else if m.flex_dim[f] != 1 && shows_faces {
            faces.elements(opt.flex_layer);
        }
        out.flexfaceused[f] = faces.used as i32;
    }
}

/// The triangles of one flex under construction.
struct Faces<'a> {
    m: &'a Model,
    f: usize,
    dim: usize,
    vert: &'a [Vec3],
    radius: f64,
    texcoord: Option<&'a [[f32; 2]]>,
    face: &'a mut [[[f32; 3]; 3]],
    normal: &'a mut [[[f32; 3]; 3]],
    tex: &'a mut [[[f32; 2]; 3]],
    used: usize,
}

impl<'a> Faces<'a> {
    fn new(m: &'a Model, d: &'a Data, f: usize, out: &'a mut FlexScene) -> Faces<'a> {
        let first = out.flexfaceadr[f].max(0) as usize;
        let range = first..first + out.flexfacenum[f].max(0) as usize;
        let texcoord = m.flex_texcoordadr[f];
        Faces {
            m,
            f,
            dim: m.flex_dim[f].max(0) as usize,
            vert: span(&d.flexvert_xpos, m.flex_vertadr[f], m.flex_vertnum[f]),
            radius: m.flex_radius[f],
            texcoord: (texcoord >= 0).then(|| rest(&m.flex_texcoord, texcoord)),
            face: &mut out.flexface[range.clone()],
            normal: &mut out.flexnormal[range.clone()],
            tex: &mut out.flextexcoord[range],
            used: 0,
        }
    }

    /// Rows of `n` numbers of a list of vertices.
    fn rows(list: &[i32], first: i32, rows: i32, n: usize) -> impl Iterator<Item = Vec<usize>> {
        let list = span(list, first, rows.saturating_mul(n as i32));
        list.chunks_exact(n).map(|row| row.iter().map(|&v| v as usize).collect())
    }

    /// Vertices of all elements, and their texture coordinates.
    fn elems(&self) -> Vec<(Vec<usize>, Vec<usize>)> {
        let (m, f) = (self.m, self.f);
        let rows = |list: &'a [i32]| {
            Self::rows(list, m.flex_elemdataadr[f], m.flex_elemnum[f], self.dim + 1)
        };
        rows(&m.flex_elem).zip(rows(&m.flex_elemtexcoord)).collect()
    }

    fn shell(&self) -> Vec<Vec<usize>> {
        let (m, f) = (self.m, self.f);
        Self::rows(&m.flex_shell, m.flex_shelldataadr[f], m.flex_shellnum[f], self.dim).collect()
    }

    fn push(&mut self, face: [Vec3; 3], normal: [Vec3; 3], tex: [usize; 3]) {
        let Some(place) = self.face.get_mut(self.used) else { return };
        *place = face.map(single);
        self.normal[self.used] = normal.map(single);
        if let Some(texcoord) = self.texcoord {
            // a file may omit the coordinates of some faces
            self.tex[self.used] = tex.map(|v| texcoord.get(v).copied().unwrap_or_default());
        }
        self.used += 1;
    }

    fn face_normal(&self, [i0, i1, i2]: [usize; 3]) -> Vec3 {
        let v0 = self.vert[i0];
        (self.vert[i1] - v0).cross(self.vert[i2] - v0).normalize().0
    }

    /// Flat triangles of the elements; of one layer in solids.
    fn elements(&mut self, layer: i32) {
        let first = self.m.flex_elemadr[self.f].max(0) as usize;
        let corners: &[[usize; 3]] = match self.dim {
            2 => &[[0, 1, 2], [0, 2, 1]],
            _ => &[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
        };
        for (e, (elem, tex)) in self.elems().into_iter().enumerate() {
            if self.dim != 2 && self.m.flex_elemlayer[first + e] != layer {
                continue;
            }
            for corner in corners {
                let ids = corner.map(|k| elem[k]);
                let normal = self.face_normal(ids);
                let face = ids.map(|v| self.vert[v] + normal * self.radius);
                self.push(face, [normal; 3], corner.map(|k| tex[k]));
            }
        }
    }

    /// Smooth triangles around the flex: both sides and the rim of a sheet, or the shell of a
    /// solid.
    fn skin(&mut self) {
        let (elems, shell) = (self.elems(), self.shell());

        // normals at the vertices
        let mut vertnorm = vec![Vec3::ZERO; self.vert.len()];
        let outer = if self.dim == 2 {
            elems.iter().map(|(elem, _)| [elem[0], elem[1], elem[2]]).collect()
        } else {
            shell.iter().map(|s| [s[0], s[1], s[2]]).collect::<Vec<_>>()
        };
        for ids in &outer {
            let normal = self.face_normal(*ids);
            for &v in ids {
                vertnorm[v] += normal;
            }
        }
        for normal in &mut vertnorm {
            *normal = normal.normalize().0;
        }

        // triangles
        if self.dim == 2 {
            for (e, t) in &elems {
                self.smooth(1.0, &vertnorm, [e[0], e[1], e[2]], [t[0], t[1], t[2]]);
                self.smooth(-1.0, &vertnorm, [e[0], e[2], e[1]], [t[0], t[2], t[1]]);
            }
            for s in &shell {
                self.side(1.0, &vertnorm, s[0], s[1]);
                self.side(-1.0, &vertnorm, s[1], s[0]);
            }
        } else {
            for ids in outer {
                self.smooth(1.0, &vertnorm, ids, ids);
            }
        }
    }

    /// A triangle offset along its vertex normals by `side` radii.
    fn smooth(&mut self, side: f64, vertnorm: &[Vec3], ids: [usize; 3], tex: [usize; 3]) {
        let radius = side * self.radius;
        let sign = if radius > 0.0 { 1.0 } else { -1.0 };
        let normal = if self.m.flex_flatskin[self.f].get() {
            [self.face_normal(ids) * sign; 3]
        } else {
            ids.map(|v| vertnorm[v] * sign)
        };
        self.push(ids.map(|v| self.vert[v] + vertnorm[v] * radius), normal, tex);
    }

    /// Half of the rim of a sheet along one edge.
    fn side(&mut self, side: f64, vertnorm: &[Vec3], i0: usize, i1: usize) {
        let radius = side * self.radius;
        let mut normal = (self.vert[i1] - self.vert[i0]).cross(vertnorm[i1]);
        if radius < 0.0 {
            normal *= -1.0;
        }
        let normal = normal.normalize().0;
        let corner = |v: usize, sign: f64| self.vert[v] + vertnorm[v] * (sign * radius);
        let face = [corner(i0, 1.0), corner(i1, -1.0), corner(i1, 1.0)];
        self.push(face, [normal; 3], [i0, i1, i1]);
    }
}
