//! The kinematic tree as far as it is compiled: one record for each object.

use sinew_geom::bvh::Bvh;
use sinew_math::Vec3;
use sinew_model::enums::{GeomType, JointType, SleepPolicy};

use crate::pose::Pose;
use crate::spec::{Camera, Geom, Head, Inertial, Joint, Light, PluginUse, Site, Span};

/// Everything in the kinematic tree; the index of a record is the id of the object.
#[derive(Debug, Default)]
pub(crate) struct World {
    /// Bodies, depth first; the world is the first.
    pub(crate) bodies: Vec<BodyRec>,
    /// Joints, by body.
    pub(crate) joints: Vec<JointRec>,
    /// Geoms, by body.
    pub(crate) geoms: Vec<GeomRec>,
    /// Sites, by body.
    pub(crate) sites: Vec<SiteRec>,
    /// Cameras, by body.
    pub(crate) cameras: Vec<CameraRec>,
    /// Lights, by body.
    pub(crate) lights: Vec<LightRec>,
    /// Names and places of frames.
    pub(crate) frames: Vec<(String, Span)>,
    /// Rows of the tables of bounding volumes that nothing uses.
    pub(crate) unused_bvh: usize,
}

/// A compiled body.
#[derive(Debug, Default)]
pub(crate) struct BodyRec {
    /// Name, or empty.
    pub(crate) name: String,
    /// Place and scope.
    pub(crate) head: Head,
    /// Parent; the world is its own.
    pub(crate) parent: usize,
    /// Children in order.
    pub(crate) children: Vec<usize>,
    /// Nearest ancestor (or self) with joints, or the world.
    pub(crate) weld: usize,
    /// Joints, by id.
    pub(crate) joints: Vec<usize>,
    /// Geoms, by id.
    pub(crate) geoms: Vec<usize>,
    /// Sites, by id.
    pub(crate) sites: Vec<usize>,
    /// Cameras, by id.
    pub(crate) cameras: Vec<usize>,
    /// Lights, by id.
    pub(crate) lights: Vec<usize>,
    /// The frames around it.
    pub(crate) frame: Option<Pose>,
    /// Pose in the parent.
    pub(crate) pose: Pose,
    /// Pose in the world, with all joints at their reference.
    pub(crate) world: Pose,
    /// `pos` and `quat` as they are in the file.
    pub(crate) written: Pose,
    /// Inertial frame; none while it is to be inferred.
    pub(crate) inertial: Option<Pose>,
    /// The `<inertial>`, if there is one.
    pub(crate) explicit: Option<Inertial>,
    /// Mass.
    pub(crate) mass: f64,
    /// Principal inertias.
    pub(crate) inertia: Vec3,
    /// Number of degrees of freedom.
    pub(crate) dofnum: usize,
    /// Whether it is moved by `mocap_pos`.
    pub(crate) mocap: bool,
    /// Share of its weight to be compensated.
    pub(crate) gravcomp: f64,
    /// When it may sleep.
    pub(crate) sleep: SleepPolicy,
    /// User data.
    pub(crate) user: Vec<f64>,
    /// Plugin of the body, as written.
    pub(crate) plugin_use: Option<Box<PluginUse>>,
    /// The instance of its plugin.
    pub(crate) plugin: Option<usize>,
    /// OR over the geoms.
    pub(crate) contype: i32,
    /// OR over the geoms.
    pub(crate) conaffinity: i32,
    /// Maximum over the geoms.
    pub(crate) margin: f64,
    /// Boxes around the geoms.
    pub(crate) bvh: Bvh,
    /// By node: which colliding geom was there before bodies were merged into this one.
    pub(crate) old_leaves: Vec<Option<usize>>,
}

impl BodyRec {
    /// The inertial frame, which every compiled body has.
    pub(crate) fn ipose(&self) -> Pose {
        self.inertial.unwrap_or_default()
    }
}

/// A compiled joint.
#[derive(Debug)]
pub(crate) struct JointRec {
    /// The element with its defaults.
    pub(crate) elem: Joint,
    /// Index of the body.
    pub(crate) body: usize,
    /// The frames around it.
    pub(crate) frame: Option<Pose>,
    /// Type.
    pub(crate) kind: JointType,
    /// `align` of a free joint: whether its frame is aligned with the inertia, if it is written.
    pub(crate) align: Option<bool>,
    /// Anchor in the body.
    pub(crate) pos: Vec3,
    /// Unit axis in the body.
    pub(crate) axis: Vec3,
    /// Whether it is limited.
    pub(crate) limited: bool,
    /// Range; radians if it is a limited angle.
    pub(crate) range: [f64; 2],
    /// Whether the actuator force is limited.
    pub(crate) actfrclimited: bool,
    /// Range of the actuator force.
    pub(crate) actfrcrange: [f64; 2],
    /// Position at `qpos0`, radians if an angle.
    pub(crate) ref_: f64,
    /// Position at which the spring rests, radians if an angle.
    pub(crate) springref: f64,
    /// Deflection at which the spring yields, radians if an angle.
    pub(crate) springyield: f64,
    /// First position in `qpos`.
    pub(crate) qposadr: usize,
    /// First degree of freedom.
    pub(crate) dofadr: usize,
}

/// A compiled geom.
#[derive(Debug)]
pub(crate) struct GeomRec {
    /// The element with its defaults.
    pub(crate) elem: Geom,
    /// Index of the body.
    pub(crate) body: usize,
    /// The frames around it.
    pub(crate) frame: Option<Pose>,
    /// Type.
    pub(crate) kind: GeomType,
    /// Size.
    pub(crate) size: Vec3,
    /// Pose in the body.
    pub(crate) pose: Pose,
    /// Mesh, if it is one or a primitive fitted to one.
    pub(crate) mesh: Option<usize>,
    /// The pose in the frame of its mesh's file.
    pub(crate) in_mesh: Pose,
    /// Height field, if it is one.
    pub(crate) hfield: Option<usize>,
    /// Material.
    pub(crate) material: Option<usize>,
    /// The instance of its plugin.
    pub(crate) plugin: Option<usize>,
    /// Mass used for the inertia of its body.
    pub(crate) mass: f64,
    /// Principal inertias used for the inertia of its body.
    pub(crate) inertia: Vec3,
    /// Centre and half sizes of the bounding box.
    pub(crate) aabb: [f64; 6],
    /// Coefficients of the fluid model.
    pub(crate) fluid: [f64; 12],
    /// Contact type.
    pub(crate) contype: i32,
    /// Contact affinity.
    pub(crate) conaffinity: i32,
    /// Distance at which contacts are detected.
    pub(crate) margin: f64,
}

/// A compiled site.
#[derive(Debug)]
pub(crate) struct SiteRec {
    /// The element with its defaults.
    pub(crate) elem: Site,
    /// Index of the body.
    pub(crate) body: usize,
    /// The frames around it.
    pub(crate) frame: Option<Pose>,
    /// Type.
    pub(crate) kind: GeomType,
    /// Size.
    pub(crate) size: Vec3,
    /// Pose in the body.
    pub(crate) pose: Pose,
    /// Mesh.
    pub(crate) mesh: Option<usize>,
    /// Material.
    pub(crate) material: Option<usize>,
}

/// A compiled camera.
#[derive(Debug)]
pub(crate) struct CameraRec {
    /// The element with its defaults.
    pub(crate) elem: Camera,
    /// Index of the body.
    pub(crate) body: usize,
    /// The frames around it.
    pub(crate) frame: Option<Pose>,
    /// Pose in the body.
    pub(crate) pose: Pose,
    /// Body it looks at.
    pub(crate) target: Option<usize>,
    /// Vertical field of view.
    pub(crate) fovy: f64,
    /// Width and height in pixels.
    pub(crate) resolution: [i32; 2],
    /// Rendered outputs, as bits.
    pub(crate) output: i32,
    /// Size of the sensor.
    pub(crate) sensorsize: [f32; 2],
    /// Focal length and principal point.
    pub(crate) intrinsic: [f32; 4],
}

/// A compiled light.
#[derive(Debug)]
pub(crate) struct LightRec {
    /// The element with its defaults.
    pub(crate) elem: Light,
    /// Index of the body.
    pub(crate) body: usize,
    /// The frames around it.
    pub(crate) frame: Option<Pose>,
    /// Position in the body.
    pub(crate) pos: Vec3,
    /// Unit direction in the body.
    pub(crate) dir: Vec3,
    /// Body it shines at.
    pub(crate) target: Option<usize>,
    /// Texture.
    pub(crate) texture: Option<usize>,
}

impl CameraRec {
    /// A camera that is still to be compiled.
    pub(crate) fn new(elem: Camera, body: usize, frame: Option<Pose>) -> Self {
        CameraRec {
            body,
            frame,
            pose: Pose::IDENTITY,
            target: None,
            fovy: elem.values().fovy(),
            resolution: elem.values().resolution(),
            output: elem.values().output(),
            sensorsize: elem.values().sensorsize(),
            intrinsic: [0.0; 4],
            elem,
        }
    }
}

impl LightRec {
    /// A light that is still to be compiled.
    pub(crate) fn new(elem: Light, body: usize, frame: Option<Pose>) -> Self {
        LightRec {
            body,
            frame,
            pos: elem.values().pos().into(),
            dir: elem.values().dir().into(),
            target: None,
            texture: None,
            elem,
        }
    }
}
