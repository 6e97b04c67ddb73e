//! What the passes of a compilation share: the spec, the names, and the world as far as compiled.
//!
//! A module compiles its elements with `compile_x(cx) -> Vec<XRec>`, after the kinematic tree is
//! final, and copies them with `store_x(&recs, m)` once all sizes are known.

use sinew_geom::bvh::Bvh;
use sinew_math::{Quat, Vec3};
use sinew_model::enums::{CamOutBit, GeomType, JointType, ObjType, SleepPolicy};

use crate::LoadOptions;
use crate::asset::mesh::CompiledMesh;
use crate::compile::names::Names;
use crate::compile::settings::Settings;
use crate::defaults::Defaults;
use crate::diag::Diagnostics;
use crate::spec::{Attr, Camera, Geom, Head, Inertial, Joint, Light, Mesh, Site, Span, Spec};

/// The state of a compilation.
pub struct Cx<'a> {
    /// The model as written, with `replicate` and `attach` expanded.
    pub spec: &'a Spec,
    /// How it is to be loaded.
    pub opts: &'a LoadOptions,
    /// Errors and warnings so far.
    pub diag: &'a mut Diagnostics,
    /// The settings of each scope: `settings[element.head.scope]`.
    pub settings: Vec<Settings>,
    /// Default classes, each with what it inherits.
    pub defaults: Defaults,
    /// Ids of all named objects.
    pub names: Names,
    /// The kinematic tree.
    pub world: World,
    /// Mesh elements with their defaults, by mesh id.
    pub mesh_elems: Vec<Mesh>,
    /// Compiled meshes, by mesh id; `None` where compiling one failed.
    pub meshes: Vec<Option<CompiledMesh>>,
    /// Sizes of height fields, by hfield id.
    pub hfield_sizes: Vec<[f64; 4]>,
    /// Numbers of user data per element.
    pub nuser: NUser,
}

/// Everything in the kinematic tree; the index of a record is the id of the object.
#[derive(Debug, Default)]
pub struct World {
    /// Bodies, depth first; the world is the first.
    pub bodies: Vec<BodyRec>,
    /// Joints, by body.
    pub joints: Vec<JointRec>,
    /// Geoms, by body.
    pub geoms: Vec<GeomRec>,
    /// Sites, by body.
    pub sites: Vec<SiteRec>,
    /// Cameras, by body.
    pub cameras: Vec<CameraRec>,
    /// Lights, by body.
    pub lights: Vec<LightRec>,
    /// Names and places of frames.
    pub frames: Vec<(String, Span)>,
    /// Rows of the tables of bounding volumes that nothing uses.
    pub unused_bvh: usize,
}

/// A position and an orientation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// Position.
    pub pos: Vec3,
    /// Orientation.
    pub quat: Quat,
}

/// A compiled body.
#[derive(Debug, Default)]
pub struct BodyRec {
    /// Name, or empty.
    pub name: String,
    /// Place and scope.
    pub head: Head,
    /// Parent; the world is its own.
    pub parent: usize,
    /// Children in order.
    pub children: Vec<usize>,
    /// Nearest ancestor (or self) with joints, or the world.
    pub weld: usize,
    /// Joints, by id.
    pub joints: Vec<usize>,
    /// Geoms, by id.
    pub geoms: Vec<usize>,
    /// Sites, by id.
    pub sites: Vec<usize>,
    /// Cameras, by id.
    pub cameras: Vec<usize>,
    /// Lights, by id.
    pub lights: Vec<usize>,
    /// The frames around it.
    pub frame: Option<Pose>,
    /// Pose in the parent.
    pub pose: Pose,
    /// `pos` and `quat` as they are in the file.
    pub written: Pose,
    /// Inertial frame; none while it is to be inferred.
    pub inertial: Option<Pose>,
    /// The `<inertial>`, if there is one.
    pub explicit: Option<Inertial>,
    /// Mass.
    pub mass: f64,
    /// Principal inertias.
    pub inertia: Vec3,
    /// Number of degrees of freedom.
    pub dofnum: usize,
    /// Whether it is moved by `mocap_pos`.
    pub mocap: bool,
    /// Share of its weight to be compensated.
    pub gravcomp: f64,
    /// When it may sleep.
    pub sleep: SleepPolicy,
    /// User data.
    pub user: Vec<f64>,
    /// OR over the geoms.
    pub contype: i32,
    /// OR over the geoms.
    pub conaffinity: i32,
    /// Maximum over the geoms.
    pub margin: f64,
    /// Boxes around the geoms.
    pub bvh: Bvh,
    /// By node: which colliding geom was there before bodies were merged into this one.
    pub old_leaves: Vec<Option<usize>>,
}

impl BodyRec {
    /// The inertial frame, which every compiled body has.
    pub fn ipose(&self) -> Pose {
        self.inertial.unwrap_or_default()
    }
}

/// A compiled joint.
#[derive(Debug)]
pub struct JointRec {
    /// The element with its defaults.
    pub elem: Joint,
    /// Its body.
    pub body: usize,
    /// The frames around it.
    pub frame: Option<Pose>,
    /// Type.
    pub kind: JointType,
    /// Whether alignment of a free joint with the inertia was asked for.
    pub align: Option<bool>,
    /// Anchor in the body.
    pub pos: Vec3,
    /// Unit axis in the body.
    pub axis: Vec3,
    /// Whether it is limited.
    pub limited: bool,
    /// Range; radians if it is a limited angle.
    pub range: [f64; 2],
    /// Whether the actuator force is limited.
    pub actfrclimited: bool,
    /// Range of the actuator force.
    pub actfrcrange: [f64; 2],
    /// Position at `qpos0`, radians if an angle.
    pub ref_: f64,
    /// Position at which the spring rests, radians if an angle.
    pub springref: f64,
    /// First position in `qpos`.
    pub qposadr: usize,
    /// First degree of freedom.
    pub dofadr: usize,
}

/// A compiled geom.
#[derive(Debug)]
pub struct GeomRec {
    /// The element with its defaults.
    pub elem: Geom,
    /// Its body.
    pub body: usize,
    /// The frames around it.
    pub frame: Option<Pose>,
    /// Type.
    pub kind: GeomType,
    /// Size.
    pub size: Vec3,
    /// Pose in the body.
    pub pose: Pose,
    /// Mesh, if it is one or a primitive fitted to one.
    pub mesh: Option<usize>,
    /// Height field, if it is one.
    pub hfield: Option<usize>,
    /// Material.
    pub material: Option<usize>,
    /// Mass used for the inertia of its body.
    pub mass: f64,
    /// Principal inertias used for the inertia of its body.
    pub inertia: Vec3,
    /// Centre and half sizes of the bounding box.
    pub aabb: [f64; 6],
    /// Coefficients of the fluid model.
    pub fluid: [f64; 12],
    /// Contact type.
    pub contype: i32,
    /// Contact affinity.
    pub conaffinity: i32,
    /// Distance at which contacts are detected.
    pub margin: f64,
}

/// A compiled site.
#[derive(Debug)]
pub struct SiteRec {
    /// The element with its defaults.
    pub elem: Site,
    /// Its body.
    pub body: usize,
    /// The frames around it.
    pub frame: Option<Pose>,
    /// Type.
    pub kind: GeomType,
    /// Size.
    pub size: Vec3,
    /// Pose in the body.
    pub pose: Pose,
    /// Material.
    pub material: Option<usize>,
}

/// A compiled camera.
#[derive(Debug)]
pub struct CameraRec {
    /// The element with its defaults.
    pub elem: Camera,
    /// Its body.
    pub body: usize,
    /// The frames around it.
    pub frame: Option<Pose>,
    /// Pose in the body.
    pub pose: Pose,
    /// Body it looks at.
    pub target: Option<usize>,
    /// Vertical field of view.
    pub fovy: f64,
    /// Width and height in pixels.
    pub resolution: [i32; 2],
    /// What it renders, as bits.
    pub output: i32,
    /// Size of the sensor.
    pub sensorsize: [f32; 2],
    /// Focal length and principal point.
    pub intrinsic: [f32; 4],
}

/// A compiled light.
#[derive(Debug)]
pub struct LightRec {
    /// The element with its defaults.
    pub elem: Light,
    /// Its body.
    pub body: usize,
    /// The frames around it.
    pub frame: Option<Pose>,
    /// Position in the body.
    pub pos: Vec3,
    /// Unit direction in the body.
    pub dir: Vec3,
    /// Body it shines at.
    pub target: Option<usize>,
    /// Texture.
    pub texture: Option<usize>,
}

impl CameraRec {
    /// A camera that is still to be compiled.
    pub fn new(elem: Camera, body: usize, frame: Option<Pose>) -> Self {
        CameraRec {
            body,
            frame,
            pose: Pose::IDENTITY,
            target: None,
            fovy: elem.fovy.or(45.0),
            resolution: elem.resolution.or([1, 1]),
            output: elem.output.get().map_or(CamOutBit::Rgb.0, |bits| bits.0),
            sensorsize: elem.sensorsize.or([0.0; 2]),
            intrinsic: [0.0; 4],
            elem,
        }
    }
}

impl LightRec {
    /// A light that is still to be compiled.
    pub fn new(elem: Light, body: usize, frame: Option<Pose>) -> Self {
        LightRec {
            body,
            frame,
            pos: elem.pos.or([0.0; 3]).into(),
            dir: elem.dir.or([0.0, 0.0, -1.0]).into(),
            target: None,
            texture: None,
            elem,
        }
    }
}

/// Numbers of user data per element.
#[derive(Clone, Copy, Debug, Default)]
pub struct NUser {
    /// `nuser_body`
    pub body: usize,
    /// `nuser_jnt`
    pub jnt: usize,
    /// `nuser_geom`
    pub geom: usize,
    /// `nuser_site`
    pub site: usize,
    /// `nuser_cam`
    pub cam: usize,
    /// `nuser_tendon`
    pub tendon: usize,
    /// `nuser_actuator`
    pub actuator: usize,
    /// `nuser_sensor`
    pub sensor: usize,
}

/// Most errors that get a suggestion.
const MAX_SUGGESTIONS: usize = 50;

/// The element an error is about.
#[derive(Clone, Copy, Debug)]
pub struct At<'n> {
    /// Its name, or empty.
    pub name: &'n str,
    /// Its id.
    pub id: usize,
    /// Its place.
    pub span: Span,
}

impl Cx<'_> {
    /// Reports an error about an element, in MuJoCo's words.
    pub fn fail(&mut self, at: At<'_>, message: impl core::fmt::Display) {
        let text = format!("{message}\nElement name '{}', id {}", at.name, at.id);
        self.diag.error("compile", at.span, text);
    }

    /// The settings under which an element was written.
    pub fn settings(&self, head: &Head) -> &Settings {
        self.settings.get(head.scope).unwrap_or(&self.settings[0])
    }

    /// The id of an object; none if there is no such object.
    pub fn find(&self, kind: ObjType, name: &str) -> Option<usize> {
        self.names.get(kind, name)
    }

    /// Like `find`, where MuJoCo does not ask whether a name is empty: one that is leads to the last
    /// object without a name.
    pub fn find_unnamed(&self, kind: ObjType, name: &str) -> Option<usize> {
        match name {
            "" => self.names.list(kind).iter().rposition(String::is_empty),
            _ => self.find(kind, name),
        }
    }

    /// Suggests a similar name after an error about `name`; no longer once there are many errors,
    /// since every suggestion looks at all names.
    pub fn suggest(&mut self, kind: ObjType, name: &str) {
        if self.diag.list.len() > MAX_SUGGESTIONS {
            return;
        }
        if let Some(near) = self.names.nearest(kind, name) {
            self.diag.help(format!("did you mean '{near}'?"));
        }
    }
}

/// An element as it is called in messages about its attributes.
pub fn tag(element: &str, name: &Attr<String>) -> String {
    match name.get() {
        Some(name) => format!("<{element} name=\"{name}\">"),
        None => format!("<{element}>"),
    }
}
