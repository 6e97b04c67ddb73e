//! Rays against flexes and skins, as they are drawn.

use sinew_geom::ray::Ray;
use sinew_geom::ray_mesh::Across;
use sinew_geom::shape::{Pose, Shape};
use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::{Data, FlexId, Model};

/// Where a ray hits a flex or a skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftHit {
    /// Distance, in lengths of the ray's direction.
    pub dist: f64,
    /// Of a flex or skin, counted from its first, the vertex nearest to the point that is hit.
    pub vertex: usize,
    /// The normal there.
    pub normal: Vec3,
}

/// The parts of a flex that a ray may hit. A flex of two or three dimensions is drawn as a skin or
/// by its other parts.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlexParts {
    /// Vertices, as balls; only where edges are left out.
    pub vert: bool,
    /// Edges, as capsules.
    pub edge: bool,
    /// Faces; of a flex of three dimensions the faces of the elements in `layer`.
    pub face: bool,
    /// The skin.
    pub skin: bool,
    /// The layer of elements, from the outside.
    pub layer: i32,
}

/// The nearest hit so far.
#[derive(Default)]
struct Nearest(Option<SoftHit>);

impl Nearest {
    fn offer(&mut self, dist: f64, normal: Vec3, vertex: impl FnOnce() -> usize) {
        if dist >= 0.0 && self.0.is_none_or(|best| dist < best.dist) {
            self.0 = Some(SoftHit { dist, vertex: vertex(), normal });
        }
    }

    fn offer_edge(&mut self, ray: Ray, vert: &[Vec3], ids: [usize; 2], radius: f64) {
        let [v1, v2] = ids.map(|v| vert[v]);
        let (dir, length) = (v2 - v1).normalize();
        let pose = Pose { pos: (v1 + v2) * 0.5, mat: Quat::z_to(dir).to_mat() };
        if let Some(hit) = ray.hit(Shape::Capsule { radius, half_len: 0.5 * length }, pose) {
            self.offer(hit.dist, hit.normal, || {
                let point = ray.at(hit.dist);
                if v1.dist(point) < v2.dist(point) { ids[0] } else { ids[1] }
            });
        }
    }

    fn offer_triangle(&mut self, across: &Across, ray: Ray, corners: [Vec3; 3], ids: [usize; 3]) {
        let Some((dist, normal)) = across.hit(corners) else { return };
        self.offer(dist, normal.normalize().0, || {
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

/// The nearest hit on some parts of a flex.
///
/// Reads `flexvert_xpos`.
#[doc(alias = "mj_rayFlex")]
pub fn ray_flex(m: &Model, d: &Data, f: FlexId, ray: Ray, parts: FlexParts) -> Option<SoftHit> {
    let mut nearest = Nearest::default();
    let vert = d.flexvert_xpos.get(m.flex_verts(f))?;
    let (dim, radius) = (m.flex_dim[f], m.flex_radius[f]);
    if !meets_box(ray, vert.iter().copied(), radius) {
        return None;
    }

    // edges, or vertices where edges are not shown
    let skin = dim > 1 && parts.skin;
    if parts.edge || skin {
        for edge in m.flex_edge.get(m.flex_edges(f))? {
            nearest.offer_edge(ray, vert, edge.map(|v| v as usize), radius);
        }
    } else if parts.vert {
        for (v, &pos) in vert.iter().enumerate() {
            let pose = Pose { pos, mat: Mat3::IDENTITY };
            if let Some(hit) = ray.hit(Shape::Sphere { radius }, pose) {
                nearest.offer(hit.dist, hit.normal, || v);
            }
        }
    }

    // faces
    if dim > 1 && (parts.face || skin) {
        let across = Across::new(ray);
        for (e, row) in m.flex_elems(f).enumerate() {
            let layer = m.flex_elemlayer[row];
            if dim == 3 && if skin { layer > 0 } else { layer != parts.layer } {
                continue;
            }
            let elem = m.flex_elem_verts(f, e);
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
    nearest.0
}

/// The nearest hit on a skin with the given faces and vertices.
#[doc(alias = "mju_raySkin")]
pub fn ray_skin(face: &[[i32; 3]], vert: &[[f32; 3]], ray: Ray) -> Option<SoftHit> {
    let wide = |v: [f32; 3]| Vec3::from(v.map(f64::from));
    let mut nearest = Nearest::default();
    if meets_box(ray, vert.iter().map(|&v| wide(v)), 0.0) {
        let across = Across::new(ray);
        for face in face {
            let ids = face.map(|v| v as usize);
            nearest.offer_triangle(&across, ray, ids.map(|v| wide(vert[v])), ids);
        }
    }
    nearest.0
}
