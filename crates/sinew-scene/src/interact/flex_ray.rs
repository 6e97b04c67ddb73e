//! Rays against flexes and skins, as they are drawn.

use sinew_geom::ray::Ray;
use sinew_geom::ray_mesh::Across;
use sinew_geom::shape::{Pose, Shape};
use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::enums::VisFlag;
use sinew_model::{Data, Model};

use crate::camera::wide;
use crate::records::VisOption;
use crate::span::{rest, span};

/// The nearest hit so far: distance, and the vertex nearest to it.
#[derive(Clone, Copy, Default)]
pub(super) struct Nearest(pub(super) Option<(f64, usize)>);

impl Nearest {
    fn offer(&mut self, dist: f64, vertex: impl FnOnce() -> usize) {
        if dist >= 0.0 && self.0.is_none_or(|(best, _)| dist < best) {
            self.0 = Some((dist, vertex()));
        }
    }

    fn offer_triangle(&mut self, across: &Across, ray: Ray, corners: [Vec3; 3], ids: [usize; 3]) {
        let Some((dist, _)) = across.hit(corners) else { return };
        self.offer(dist, || {
            let point = ray.at(dist);
            let [a, b, c] = corners.map(|corner| corner.dist(point));
            if a <= b && a <= c {
                ids[0]
            } else if b <= c {
                ids[1]
            } else {
                ids[2]
            }
        });
    }
}

/// Whether the ray meets the box around all vertices, enlarged by `radius`.
fn meets_box(ray: Ray, vert: impl Iterator<Item = Vec3> + Clone, radius: f64) -> bool {
    let fold = |start: f64, f: fn(f64, f64) -> f64, k: usize| {
        vert.clone().fold(start, |bound, v| f(bound, v[k]))
    };
    let bound = |k: usize| {
        let low = fold(f64::INFINITY, f64::min, k) - radius;
        let high = fold(f64::NEG_INFINITY, f64::max, k) + radius;
        (0.5 * (low + high), 0.5 * (high - low))
    };
    let [(x, a), (y, b), (z, c)] = [0, 1, 2].map(bound);
    let half = Vec3::new(a, b, c);
    let pose = Pose { pos: Vec3::new(x, y, z), mat: Mat3::IDENTITY };
    half.is_finite() && ray.hit(Shape::Box { half }, pose).is_some()
}

/// The nearest hit on a flex, as far as its parts are shown.
#[doc(alias = "mj_rayFlex")]
pub(super) fn ray_flex(m: &Model, d: &Data, opt: &VisOption, f: usize, ray: Ray) -> Nearest {
    let mut nearest = Nearest::default();
    let vert = span(&d.flexvert_xpos, m.flex_vertadr[f], m.flex_vertnum[f]);
    let (dim, radius) = (m.flex_dim[f], m.flex_radius[f]);
    if !meets_box(ray, vert.iter().copied(), radius) {
        return nearest;
    }

    // edges, or vertices where edges are not shown
    let skin = dim > 1 && opt.shows(VisFlag::Flexskin);
    if opt.shows(VisFlag::Flexedge) || skin {
        for edge in span(&m.flex_edge, m.flex_edgeadr[f], m.flex_edgenum[f]) {
            offer_edge(&mut nearest, ray, vert, edge.map(|v| v as usize), radius);
        }
    } else if opt.shows(VisFlag::Flexvert) {
        for (v, &pos) in vert.iter().enumerate() {
            let pose = Pose { pos, mat: Mat3::IDENTITY };
            if let Some(hit) = ray.hit(Shape::Sphere { radius }, pose) {
                nearest.offer(hit.dist, || v);
            }
        }
    }

    // faces
    if dim > 1 && (opt.shows(VisFlag::Flexface) || skin) {
        let across = Across::new(ray);
        let width = dim as usize + 1;
        let data = rest(&m.flex_elem, m.flex_elemdataadr[f]);
        let layers = m.flex_elemadr[f].max(0) as usize;
        for e in 0..m.flex_elemnum[f].max(0) as usize {
            let layer = m.flex_elemlayer[layers + e];
            if dim == 3 && if skin { layer > 0 } else { layer != opt.flex_layer } {
                continue;
            }
            let elem = &data[e * width..][..width];
            let sides: &[[usize; 3]] = match dim {
                2 => &[[0, 1, 2]],
                _ => &[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]],
            };
            for side in sides {
                let ids = side.map(|k| elem[k] as usize);
                nearest.offer_triangle(&across, ray, ids.map(|v| vert[v]), ids);
            }
        }
    }
    nearest
}

fn offer_edge(nearest: &mut Nearest, ray: Ray, vert: &[Vec3], ids: [usize; 2], radius: f64) {
    let [v1, v2] = ids.map(|v| vert[v]);
    let (dir, length) = (v2 - v1).normalize();
    let mat = Quat::z_to(dir).to_mat();
    let pose = Pose { pos: (v1 + v2) * 0.5, mat };
    if let Some(hit) = ray.hit(Shape::Capsule { radius, half_len: 0.5 * length }, pose) {
        nearest.offer(hit.dist, || {
            let point = ray.at(hit.dist);
            if v1.dist(point) < v2.dist(point) { ids[0] } else { ids[1] }
        });
    }
}

/// The nearest hit on a skin with the given vertices.
#[doc(alias = "mju_raySkin")]
pub(super) fn ray_skin(face: &[[i32; 3]], vert: &[[f32; 3]], ray: Ray) -> Nearest {
    let mut nearest = Nearest::default();
    if meets_box(ray, vert.iter().map(|&v| wide(v)), 0.0) {
        let across = Across::new(ray);
        for face in face {
            let ids = face.map(|v| v as usize);
            nearest.offer_triangle(&across, ray, ids.map(|v| wide(vert[v])), ids);
        }
    }
    nearest
}
