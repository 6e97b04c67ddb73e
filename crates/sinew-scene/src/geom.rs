//! Initialisation of a scene's geoms.

use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::enums::{CatBit, GeomType, ObjType};
use sinew_model::ids::Char;
use sinew_model::{MatId, Maybe, Model};

use crate::error::SceneError;
use crate::records::SceneGeom;

/// Converts numbers to single precision.
pub(crate) fn single<const N: usize>(numbers: impl Into<[f64; N]>) -> [f32; N] {
    numbers.into().map(|x| x as f32)
}

/// Converts a matrix to single precision.
pub(crate) fn single_mat(mat: Mat3) -> [[f32; 3]; 3] {
    mat.0.map(|row| row.map(|x| x as f32))
}

/// An empty label, in rows of ten because longer arrays have no default.
pub(crate) const NO_LABEL: [[Char; 10]; 10] = [[Char(0); 10]; 10];

/// Default colour.
const GRAY: [f32; 4] = [0.5, 0.5, 0.5, 1.0];

impl Default for SceneGeom {
    fn default() -> Self {
        SceneGeom {
            r#type: GeomType::None,
            dataid: -1,
            objtype: ObjType::Unknown,
            objid: 0,
            category: 0,
            matid: -1,
            texcoord: 0,
            segid: 0,
            size: [0.1; 3],
            pos: [0.0; 3],
            mat: single_mat(Mat3::IDENTITY),
            rgba: GRAY,
            emission: 0.0,
            specular: 0.5,
            shininess: 0.5,
            reflectance: 0.0,
            label: NO_LABEL,
            camdist: 0.0,
            modelrbound: 0.0,
            transparent: 0,
            pad_: [0; 3],
        }
    }
}

impl SceneGeom {
    /// Sets shape and pose; attributes of the surface get their defaults.
    #[doc(alias = "mjv_initGeom")]
    pub fn init(
        &mut self,
        kind: GeomType,
        size: Option<Vec3>,
        pos: Option<Vec3>,
        mat: Option<Mat3>,
        rgba: Option<[f32; 4]>,
    ) {
        let default = SceneGeom::default();
        self.r#type = kind;
        self.size = size.map_or(default.size, |size| scaling(kind, size));
        self.pos = pos.map_or(default.pos, single);
        self.mat = mat.map_or(default.mat, single_mat);
        self.rgba = rgba.unwrap_or(default.rgba);
        self.dataid = default.dataid;
        self.matid = default.matid;
        self.texcoord = default.texcoord;
        self.emission = default.emission;
        self.specular = default.specular;
        self.shininess = default.shininess;
        self.reflectance = default.reflectance;
        self.label[0][0] = Char(0);
        self.modelrbound = default.modelrbound;
    }

    /// Sets shape and pose and keeps the surface.
    pub(crate) fn place(&mut self, kind: GeomType, size: [f32; 3], pos: Vec3, mat: Mat3) {
        self.r#type = kind;
        self.size = size;
        self.pos = single(pos);
        self.mat = single_mat(mat);
    }

    /// Sets type, size and pose so that the geom connects two points. The type must be a connector.
    pub(crate) fn connect(&mut self, kind: GeomType, width: f64, from: Vec3, to: Vec3) {
        let dif = to - from;
        let length = dif.norm() as f32;
        let centered = kind == GeomType::Capsule || kind == GeomType::Cylinder;
        let (pos, length) = if centered {
            let middle = |k: usize| 0.5 * (from[k] + to[k]);
            (Vec3::new(middle(0), middle(1), middle(2)), length * 0.5)
        } else {
            (from, length)
        };
        let size = [width as f32, width as f32, length];
        self.place(kind, size, pos, Quat::z_to(dif).to_mat());
    }

    /// Sets material and colour; `transparent` is the factor of a moving geom's alpha, if any.
    pub(crate) fn paint(&mut self, m: &Model, paint: Paint) {
        let Paint { material, rgba, textured, transparent } = paint;
        let material = material.get();
        if let Some(mat) = material {
            self.rgba = m.mat_rgba[mat];
            self.emission = m.mat_emission[mat];
            self.specular = m.mat_specular[mat];
            self.shininess = m.mat_shininess[mat];
            self.reflectance = m.mat_reflectance[mat];
        }
        if rgba != GRAY || material.is_none() {
            self.rgba = rgba;
        }
        if let Some(mat) = material
            && textured
        {
            self.matid = mat.idx() as i32;
        }
        if transparent && self.category == CatBit::Dynamic.0 {
            self.rgba[3] *= m.vis.map.alpha;
        }
    }

    /// The radius of the geom's bounding sphere.
    #[doc(alias = "mjv_rbound")]
    pub fn rbound(&self) -> f32 {
        let [x, y, z] = self.size;
        if self.objtype == ObjType::Geom {
            return self.modelrbound;
        }
        match self.r#type {
            GeomType::Sphere => x,
            GeomType::Capsule => x + z,
            GeomType::Cylinder => (x * x + z * z).sqrt(),
            GeomType::Box => (x * x + y * y + z * z).sqrt(),
            _ => x.max(y.max(z)),
        }
    }
}

/// Attributes that determine a geom's surface.
#[derive(Clone, Copy)]
pub(crate) struct Paint {
    pub(crate) material: Maybe<MatId>,
    /// The object's own colour, which overrides the material's colour unless it is the default.
    pub(crate) rgba: [f32; 4],
    /// Whether textures are shown.
    pub(crate) textured: bool,
    /// Whether moving geoms are drawn transparent.
    pub(crate) transparent: bool,
}

/// The scale of each axis that turns a unit shape into a shape of this size.
fn scaling(kind: GeomType, size: Vec3) -> [f32; 3] {
    let [x, y, _] = single(size);
    match kind {
        GeomType::Sphere => [x; 3],
        GeomType::Capsule | GeomType::Cylinder => [x, x, y],
        _ => single(size),
    }
}

/// Makes a geom connect two points, as a capsule, cylinder, arrow or line.
#[doc(alias = "mjv_connector")]
pub fn connector(
    geom: &mut SceneGeom,
    kind: GeomType,
    width: f64,
    from: Vec3,
    to: Vec3,
) -> Result<(), SceneError> {
    let connects = matches!(
        kind,
        GeomType::Capsule
            | GeomType::Cylinder
            | GeomType::Arrow
            | GeomType::Arrow1
            | GeomType::Arrow2
            | GeomType::Line
    );
    if !connects {
        return Err(SceneError::ConnectorType(kind.0));
    }
    geom.connect(kind, width, from, to);
    Ok(())
}
