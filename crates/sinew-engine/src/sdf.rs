//! Geoms as signed distance fields: their own, plugins', and the octrees of meshes.

use sinew_geom::ray::{Hit, Ray};
use sinew_geom::sdf::{self, Field, Octree, Pair, Search};
use sinew_geom::shape::{Pose, Shape};
use sinew_geom::touch::Touch;
use sinew_math::Vec3;
use sinew_model::enums::GeomType;
use sinew_model::options::iterations;
use sinew_model::plugin::DistanceField;
use sinew_model::{Data, GeomId, Model};

use crate::geometry::{mesh_tree, octree, shape};

/// A geom as a signed distance field.
pub(crate) enum GeomField<'a> {
    Shape(Shape),
    Octree(Octree<'a>),
    Plugin(&'a dyn DistanceField),
    /// A mesh without an octree: rays to the origin of the world stand in for distances.
    Mesh {
        m: &'a Model,
        geom: GeomId,
        pose: Pose,
    },
}

impl<'a> GeomField<'a> {
    /// The field of a geom in its own frame; none for height fields, and where there is neither a
    /// plugin nor an octree.
    pub(crate) fn of(m: &'a Model, d: &'a Data, g: GeomId) -> Option<GeomField<'a>> {
        match m.geom_type[g] {
            GeomType::Sdf => match m.geom_plugin[g].get() {
                Some(id) => Some(GeomField::Plugin(d.plugin_instance(id)?.distance_field()?)),
                None => octree(m, usize::try_from(m.geom_dataid[g]).ok()?).map(GeomField::Octree),
            },
            // MuJoCo asks the mesh that has the number of the geom whether it has an octree
            GeomType::Mesh => Some(match octree(m, g.idx()) {
                Some(tree) => GeomField::Octree(tree),
                None => {
                    let pose = Pose { pos: d.geom_xpos[g], mat: d.geom_xmat[g] };
                    GeomField::Mesh { m, geom: g, pose }
                }
            }),
            kind => shape(kind, m.geom_size[g]).map(GeomField::Shape),
        }
    }
}

impl Field for GeomField<'_> {
    #[inline]
    fn distance(&self, x: Vec3) -> f64 {
        match self {
            GeomField::Shape(shape) => sdf::distance(*shape, x),
            GeomField::Octree(tree) => tree.distance(x),
            GeomField::Plugin(field) => field.distance(x),
            GeomField::Mesh { m, geom, pose } => {
                let at = pose.mat * x + pose.pos;
                let towards = at * -1.0;
                let dist = ray_to_mesh(m, *geom, *pose, at, towards);
                if dist > towards.norm() {
                    return -ray_to_mesh(m, *geom, *pose, at, towards * -1.0);
                }
                dist
            }
        }
    }

    fn gradient(&self, x: Vec3) -> Vec3 {
        match self {
            GeomField::Shape(shape) => sdf::gradient(*shape, x),
            GeomField::Octree(tree) => tree.gradient(x),
            GeomField::Plugin(field) => field.gradient(x),
            GeomField::Mesh { m, geom, pose } => {
                let at = pose.mat * x + pose.pos;
                let towards = at * -1.0;
                let outside = ray_to_mesh(m, *geom, *pose, at, towards) > towards.norm();
                Vec3::new(1.0, 1.0, 1.0) * if outside { 1.0 } else { -1.0 }
            }
        }
    }
}

/// Where a ray hits a mesh, in units of its vector; -1 if it does not.
fn ray_to_mesh(m: &Model, g: GeomId, pose: Pose, origin: Vec3, dir: Vec3) -> f64 {
    let ray = Ray { origin, dir };
    let hit = mesh_tree(m, g).and_then(|tree| tree.hit(m.geom_size[g], pose, ray, |_| {}));
    hit.map_or(-1.0, |hit| hit.dist)
}

/// Contacts of two geoms of which the second is a distance field and the first neither a plane nor
/// a height field.
pub(crate) fn touches(m: &Model, d: &Data, geoms: [GeomId; 2], out: &mut Vec<Touch>) {
    let [Some(first), Some(second)] = geoms.map(|g| GeomField::of(m, d, g)) else { return };
    let pair = Pair {
        fields: [&first, &second],
        poses: geoms.map(|g| Pose { pos: d.geom_xpos[g], mat: d.geom_xmat[g] }),
        boxes: geoms.map(|g| m.geom_aabb[g]),
    };
    let search = Search {
        points: iterations(m.opt.sdf_initpoints),
        steps: iterations(m.opt.sdf_iterations),
    };
    sdf::touches(&pair, search, out);
}

/// Where a ray hits a distance field: by marching along it as far as nothing can be.
#[doc(alias = "mj_raySdf")]
pub(crate) fn ray(m: &Model, d: &Data, g: GeomId, ray: Ray) -> Option<Hit> {
    /// Steps along the ray.
    const STEPS: usize = 40;
    /// Nearer than this is on the surface.
    const ON_SURFACE: f64 = 1e-7;
    /// Farther than this is nowhere.
    const NOWHERE: f64 = 1e6;
    let pose = Pose { pos: d.geom_xpos[g], mat: d.geom_xmat[g] };
    ray.hit(Shape::Box { half: m.geom_size[g] }, pose)?;
    let field = GeomField::of(m, d, g)?;

    // in the frame of the geom
    let from = pose.local_point(ray.origin);
    let along = pose.mat.tmul_vec(ray.dir).normalize().0;
    let mut dist = 0.0;
    for _ in 0..STEPS {
        let step = field.distance(from + along * dist).abs();
        dist += step;
        if step < ON_SURFACE {
            let normal = field.gradient(from + along * dist).normalize().0;
            return Some(Hit { dist, normal: pose.mat * normal });
        }
        if step > NOWHERE {
            return None;
        }
    }
    None
}
