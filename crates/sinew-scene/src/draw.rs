//! Adding geoms to a scene.

use sinew_math::{Mat3, Vec3};
use sinew_model::enums::{CatBit, ConstraintType, GeomType, ObjType, VisFlag, VisLabel};
use sinew_model::{BodyId, Data, MatId, Maybe, Model};

use crate::geom::Paint;
use crate::label::object_label;
use crate::records::{Perturb, SceneGeom, VisOption};
use crate::scene::Scene;

/// A scene under construction, with the model, state and options that it shows.
pub(crate) struct Draw<'a> {
    pub(crate) m: &'a Model,
    pub(crate) d: &'a Data,
    pub(crate) opt: &'a VisOption,
    pub(crate) pert: &'a Perturb,
    /// Visible categories as bits (`mjtCatBit`).
    pub(crate) catmask: i32,
    pub(crate) scn: &'a mut Scene,
}

/// The object that a geom belongs to.
#[derive(Clone, Copy)]
pub(crate) struct Owner {
    pub(crate) kind: ObjType,
    pub(crate) id: usize,
    pub(crate) category: CatBit,
}

impl Owner {
    /// An object outside the model, such as decor.
    pub(crate) fn decor(kind: ObjType, id: usize) -> Owner {
        Owner { kind, id, category: CatBit::Decor }
    }

    /// A dynamic object.
    pub(crate) fn dynamic(kind: ObjType, id: usize) -> Owner {
        Owner { kind, id, category: CatBit::Dynamic }
    }
}

/// A geom that connects two points, and its width.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    pub(crate) kind: GeomType,
    pub(crate) width: f64,
    pub(crate) from: Vec3,
    pub(crate) to: Vec3,
}

impl Draw<'_> {
    /// The next free geom, or `None` and a status flag if the scene is full.
    pub(crate) fn acquire(&mut self, owner: Owner) -> Option<SceneGeom> {
        if self.scn.geoms.len() >= self.scn.maxgeom {
            self.scn.status = 1;
            return None;
        }
        Some(SceneGeom {
            objtype: owner.kind,
            objid: owner.id as i32,
            category: owner.category.0,
            segid: self.scn.geoms.len() as i32,
            ..SceneGeom::default()
        })
    }

    /// Adds a geom from `acquire`.
    pub(crate) fn push(&mut self, geom: SceneGeom) {
        self.scn.geoms.push(geom);
    }

    /// Adds a geom that connects two points; grey by default.
    pub(crate) fn link(&mut self, owner: Owner, link: Link, rgba: Option<[f32; 4]>) {
        let Some(mut geom) = self.acquire(owner) else { return };
        geom.connect(link.kind, link.width, link.from, link.to);
        geom.rgba = rgba.unwrap_or(geom.rgba);
        self.push(geom);
    }

    /// Adds a triangle: its first edge along x, its second along y, its normal along z.
    pub(crate) fn triangle(&mut self, owner: Owner, corners: [Vec3; 3], rgba: [f32; 4]) {
        let Some(mut geom) = self.acquire(owner) else { return };
        let [v0, v1, v2] = corners;
        let (e1, e2) = (v1 - v0, v2 - v0);
        let (normal, area) = e1.cross(e2).normalize();
        let ((e1, first), (e2, second)) = (e1.normalize(), e2.normalize());
        let lengths = Vec3::new(first, second, area);
        let mat = Mat3::from_cols(e1, e2, normal);
        geom.init(GeomType::Triangle, Some(lengths), Some(v0), Some(mat), Some(rgba));
        self.push(geom);
    }

    /// Adds the axes of a frame: red, green and blue.
    pub(crate) fn frame(&mut self, id: usize, pos: Vec3, rot: Mat3, axes: Axes) {
        for j in 0..3 {
            let mut axis = Vec3::ZERO;
            axis[j] = f64::from(axes.length);
            let Some(mut geom) = self.acquire(Owner::decor(ObjType::Unknown, id)) else { return };
            geom.connect(GeomType::Cylinder, f64::from(axes.width), pos, pos + rot * axis);
            geom.rgba = [0.0, 0.0, 0.0, 1.0];
            geom.rgba[j] = 0.9;
            self.push(geom);
        }
    }

    /// Length and width of a frame's axes, scaled by `times`.
    pub(crate) fn axes(&self, times: f32) -> Axes {
        let scale = &self.m.vis.scale;
        let size = self.meansize();
        Axes { length: scale.framelength * size * times, width: scale.framewidth * size * times }
    }

    /// The mean size of bodies, the unit of length of decor.
    pub(crate) fn meansize(&self) -> f32 {
        self.m.stat.meansize as f32
    }

    pub(crate) fn shows(&self, flag: VisFlag) -> bool {
        self.opt.shows(flag)
    }

    /// Whether a category is drawn.
    pub(crate) fn draws(&self, category: CatBit) -> bool {
        category.0 & self.catmask != 0
    }

    /// Labels a geom with an object's name if labels of that kind are shown.
    pub(crate) fn label(&self, geom: &mut SceneGeom, label: VisLabel, kind: ObjType, id: usize) {
        if self.opt.label == label {
            geom.set_label(&object_label(self.m, kind, id));
        }
    }

    /// Sets the emission of a geom of the selected body.
    pub(crate) fn glow(&self, geom: &mut SceneGeom) {
        geom.emission += self.m.vis.global.glow;
    }

    /// The surface of an object.
    pub(crate) fn paint(&self, material: Maybe<MatId>, rgba: [f32; 4]) -> Paint {
        Paint {
            material,
            rgba,
            textured: self.shows(VisFlag::Texture),
            transparent: self.shows(VisFlag::Transparent),
        }
    }

    /// The category of a body: static if it is welded to the world without a mocap body between.
    pub(crate) fn category(&self, body: BodyId) -> CatBit {
        let root = self.m.body_rootid[body];
        let fixed =
            self.m.body_weldid[body] == BodyId::WORLD && self.m.body_mocapid[root].get().is_none();
        if fixed { CatBit::Static } else { CatBit::Dynamic }
    }

    /// Impedance of the active limit of a joint or tendon; zero without one.
    pub(crate) fn limit_impedance(&self, kind: ConstraintType, id: usize) -> f64 {
        let d = self.d;
        let start = d.ne + d.nf;
        let limits = start..(start + d.nl).min(d.efc_type.len());
        limits
            .rev()
            .find(|&r| d.efc_type[r] == kind && d.efc_id[r] == id as i32)
            .map_or(0.0, |r| d.efc_KBIP[r][2])
    }

    /// The number that determines an island's colour: its first dof.
    pub(crate) fn island_number(&self, island: i32) -> Option<i32> {
        let island = usize::try_from(island).ok()?;
        self.d.island_dofadr.get(island).copied()
    }
}

/// Length and width of the axes of a frame.
#[derive(Clone, Copy)]
pub(crate) struct Axes {
    pub(crate) length: f32,
    pub(crate) width: f32,
}
