//! Structs of the visualiser: MuJoCo's fields, in an order without implicit padding.

use sinew_math::{Quat, Vec3};
use sinew_model::enums::{GeomType, LightType, ObjType, VisCamera, VisFlag, VisFrame, VisLabel};
use sinew_model::ids::Char;
use sinew_model::{Model, records};

records! {
    /// Abstract camera that the user controls.
    #[doc(alias = "mjvCamera")]
    Camera {
        r#type: VisCamera, "camera type (mjtCamera)";
        fixedcamid: i32, "fixed camera id";
        trackbodyid: i32, "body id to track";
        orthographic: i32, "0: perspective; 1: orthographic";
        lookat: Vec3, "lookat point";
        distance: f64, "distance to lookat point or tracked body";
        azimuth: f64, "camera azimuth (deg)";
        elevation: f64, "camera elevation (deg)";
    }
    /// Camera in the form of a renderer: a frame and a frustum.
    #[doc(alias = "mjvGLCamera")]
    #[derive(Default)]
    GlCamera {
        pos: [f32; 3], "position";
        forward: [f32; 3], "forward direction";
        up: [f32; 3], "up direction";
        frustum_center: f32, "horizontal centre; left and right follow from the aspect ratio";
        frustum_width: f32, "half width; not used for rendering";
        frustum_bottom: f32, "bottom";
        frustum_top: f32, "top";
        frustum_near: f32, "near";
        frustum_far: f32, "far";
        orthographic: i32, "0: perspective; 1: orthographic";
    }
    /// A geom of the scene.
    #[doc(alias = "mjvGeom")]
    SceneGeom {
        r#type: GeomType, "geom type (mjtGeom)";
        dataid: i32, "mesh, hfield or plane id; -1: none; mesh: 2*id or 2*id+1 (hull)";
        objtype: ObjType, "object type; mjOBJ_UNKNOWN for decor";
        objid: i32, "object id; -1 for decor";
        category: i32, "visual category";
        matid: i32, "material id; -1: no textured material";
        texcoord: i32, "mesh or flex geom has texture coordinates";
        segid: i32, "segmentation id; -1: not shown";
        size: [f32; 3], "size parameters";
        pos: [f32; 3], "Cartesian position";
        mat: [[f32; 3]; 3], "Cartesian orientation";
        rgba: [f32; 4], "color and transparency";
        emission: f32, "emission coef";
        specular: f32, "specular coef";
        shininess: f32, "shininess coef";
        reflectance: f32, "reflectance coef";
        label: [[Char; 10]; 10], "text label";
        camdist: f32, "distance to camera (used by sorter)";
        modelrbound: f32, "geom rbound from model, 0 if not model geom";
        transparent: u8, "treat geom as transparent";
        pad_: [u8; 3], "unused; makes the size a multiple of four";
    }
    /// A light of the scene.
    #[doc(alias = "mjvLight")]
    #[derive(Default)]
    Light {
        id: i32, "light id, -1 for headlight";
        pos: [f32; 3], "position";
        dir: [f32; 3], "direction";
        r#type: LightType, "type (mjtLightType)";
        texid: i32, "texture id for image lights";
        attenuation: [f32; 3], "attenuation (quadratic model)";
        cutoff: f32, "cutoff angle";
        exponent: f32, "exponent";
        ambient: [f32; 3], "ambient rgb";
        diffuse: [f32; 3], "diffuse rgb";
        specular: [f32; 3], "specular rgb";
        headlight: u8, "headlight";
        castshadow: u8, "does light cast shadows";
        pad_: [u8; 2], "unused; makes the size a multiple of four";
        bulbradius: f32, "bulb radius for soft shadows";
        intensity: f32, "intensity, in candelas";
        range: f32, "range of effectiveness";
    }
    /// Visual options.
    #[doc(alias = "mjvOption")]
    VisOption {
        label: VisLabel, "what objects to label (mjtLabel)";
        frame: VisFrame, "which frame to show (mjtFrame)";
        bvh_depth: i32, "depth of the bounding volume hierarchy to be visualized";
        flex_layer: i32, "element layer to be visualized for 3D flex";
        geomgroup: [u8; 6], "geom visualization by group";
        sitegroup: [u8; 6], "site visualization by group";
        jointgroup: [u8; 6], "joint visualization by group";
        tendongroup: [u8; 6], "tendon visualization by group";
        actuatorgroup: [u8; 6], "actuator visualization by group";
        flexgroup: [u8; 6], "flex visualization by group";
        skingroup: [u8; 6], "skin visualization by group";
        flags: [u8; 31], "visualization flags (indexed by mjtVisFlag)";
        pad_: [u8; 3], "unused; makes the size a multiple of four";
    }
    /// Selection and perturbation of a body by the user.
    #[doc(alias = "mjvPerturb")]
    Perturb {
        select: i32, "selected body id; non-positive: none";
        flexselect: i32, "selected flex id; negative: none";
        skinselect: i32, "selected skin id; negative: none";
        active: i32, "perturbation bitmask (mjtPertBit)";
        active2: i32, "secondary perturbation bitmask (mjtPertBit)";
        pad_: i32, "unused; makes the size a multiple of eight";
        refpos: Vec3, "reference position for selected object";
        refquat: Quat, "reference orientation for selected object";
        refselpos: Vec3, "reference position for selection point";
        localpos: Vec3, "selection point in object coordinates";
        localmass: f64, "spatial inertia at selection point";
        scale: f64, "relative mouse motion-to-space scaling";
    }
}

impl Default for Camera {
    #[doc(alias = "mjv_defaultCamera")]
    fn default() -> Self {
        Camera {
            r#type: VisCamera::Free,
            fixedcamid: -1,
            trackbodyid: -1,
            orthographic: 0,
            lookat: Vec3::ZERO,
            distance: 2.0,
            azimuth: 90.0,
            elevation: -45.0,
        }
    }
}

impl Camera {
    /// The default free camera, which shows the whole model.
    #[doc(alias = "mjv_defaultFreeCamera")]
    pub fn free(m: &Model) -> Camera {
        Camera {
            lookat: m.stat.center,
            distance: 1.5 * m.stat.extent,
            azimuth: f64::from(m.vis.global.azimuth),
            elevation: f64::from(m.vis.global.elevation),
            orthographic: m.vis.global.orthographic,
            ..Camera::default()
        }
    }

    /// The model's camera with this id.
    pub fn fixed(id: usize) -> Camera {
        let fixedcamid = i32::try_from(id).unwrap_or(-1);
        Camera { r#type: VisCamera::Fixed, fixedcamid, ..Camera::default() }
    }
}

/// Flags that are on by default (`mjVISSTRING`).
const SHOWN: [VisFlag; 8] = [
    VisFlag::Texture,
    VisFlag::Tendon,
    VisFlag::Rangefinder,
    VisFlag::Pertobj,
    VisFlag::Static,
    VisFlag::Skin,
    VisFlag::Flexedge,
    VisFlag::Flexskin,
];

impl Default for VisOption {
    #[doc(alias = "mjv_defaultOption")]
    fn default() -> Self {
        let group = [1, 1, 1, 0, 0, 0];
        let mut flags = [0; 31];
        for flag in SHOWN {
            flags[flag.0 as usize] = 1;
        }
        VisOption {
            label: VisLabel::None,
            frame: VisFrame::None,
            bvh_depth: 1,
            flex_layer: 0,
            geomgroup: group,
            sitegroup: group,
            jointgroup: group,
            tendongroup: group,
            actuatorgroup: group,
            flexgroup: group,
            skingroup: group,
            flags,
            pad_: [0; 3],
        }
    }
}

impl VisOption {
    /// Whether a flag is on.
    pub fn shows(&self, flag: VisFlag) -> bool {
        self.flags[flag.0 as usize] != 0
    }

    /// Whether any part of flexes is shown.
    pub fn shows_flexes(&self) -> bool {
        [VisFlag::Flexvert, VisFlag::Flexedge, VisFlag::Flexface, VisFlag::Flexskin]
            .iter()
            .any(|&flag| self.shows(flag))
    }
}

/// Whether a group is shown; groups out of range count as the nearest group.
pub(crate) fn in_group(groups: &[u8; 6], group: i32) -> bool {
    groups[group.clamp(0, 5) as usize] != 0
}

impl Default for Perturb {
    #[doc(alias = "mjv_defaultPerturb")]
    fn default() -> Self {
        Perturb {
            select: 0,
            flexselect: -1,
            skinselect: -1,
            active: 0,
            active2: 0,
            pad_: 0,
            refpos: Vec3::ZERO,
            refquat: Quat::IDENTITY,
            refselpos: Vec3::ZERO,
            localpos: Vec3::ZERO,
            localmass: 0.0,
            scale: 1.0,
        }
    }
}
