//! Summary of a model: tree of bodies, actuators and sensors.

use sinew_model::enums::{ENUMS, JointType, ObjType, SensorType, TrnType};
use sinew_model::later::TRN_SO3;
use sinew_model::{ActuatorId, BodyId, Model, SensorId};

/// Summary of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySummary {
    /// Name, or index without a name.
    pub name: String,
    /// Number of ancestors, without the world.
    pub depth: usize,
    /// Mass, kg.
    pub mass: f64,
    /// Mass of the body and its descendants, kg.
    pub subtree_mass: f64,
    /// Joints: name and type.
    pub joints: Vec<(String, &'static str)>,
    /// Number of geoms.
    pub geoms: usize,
}

/// An actuator or a sensor with its target.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// Name, or index without a name.
    pub name: String,
    /// Type of the actuator's transmission or of the sensor.
    pub kind: String,
    /// Target, as in `joint elbow`.
    pub target: String,
}

/// Summary of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelSummary {
    /// All bodies, parents before children.
    pub bodies: Vec<BodySummary>,
    /// All actuators.
    pub actuators: Vec<Attachment>,
    /// All sensors.
    pub sensors: Vec<Attachment>,
}

/// Summarises a model.
///
/// ```
/// let model = sinew::load_str(
///     "<mujoco><worldbody>
///        <body name='arm'><joint name='elbow'/><geom size='1'/></body>
///      </worldbody>
///      <actuator><motor name='pull' joint='elbow'/></actuator></mujoco>",
/// )?;
/// let all = sinew::summary::summary(&model);
/// assert_eq!(all.bodies[1].joints, [("elbow".to_string(), "hinge")]);
/// assert_eq!(all.actuators[0].target, "joint elbow");
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn summary(m: &Model) -> ModelSummary {
    ModelSummary {
        bodies: m.bodies().map(|b| body(m, b)).collect(),
        actuators: m.actuators().map(|u| actuator(m, u)).collect(),
        sensors: m.sensors().map(|s| sensor(m, s)).collect(),
    }
}

/// The name of an object, or `#` and its index without a name.
///
/// ```
/// use sinew::model::enums::ObjType;
///
/// let model = sinew::load_str(
///     "<mujoco><worldbody><geom name='floor' size='1'/><geom size='1'/></worldbody></mujoco>",
/// )?;
/// let name = |id| sinew::summary::name_of(&model, ObjType::Geom, id);
/// assert_eq!([name(0), name(1)], ["floor", "#1"]);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn name_of(m: &Model, kind: ObjType, id: usize) -> String {
    match m.id2name(kind, id) {
        Some(name) if !name.is_empty() => name.to_string(),
        _ => format!("#{id}"),
    }
}

fn body(m: &Model, b: BodyId) -> BodySummary {
    let parents = core::iter::successors(Some(b), |&b| (b.idx() > 0).then(|| m.body_parentid[b]));
    let joint = |j: sinew_model::JointId| {
        let kind = match m.jnt_type[j] {
            JointType::Free => "free",
            JointType::Ball => "ball",
            JointType::Slide => "slide",
            _ => "hinge",
        };
        (name_of(m, ObjType::Joint, j.idx()), kind)
    };
    BodySummary {
        name: name_of(m, ObjType::Body, b.idx()),
        depth: parents.count() - 1,
        mass: m.body_mass[b],
        subtree_mass: m.body_subtreemass[b],
        joints: m.body_joints(b).map(joint).collect(),
        geoms: m.body_geomnum[b].max(0) as usize,
    }
}

fn actuator(m: &Model, u: ActuatorId) -> Attachment {
    let [first, second] = m.actuator_trnid[u];
    let object = |kind: ObjType, id: i32| described(m, kind, id);
    let (kind, target) = match m.actuator_trntype[u] {
        TrnType::Joint => ("joint", object(ObjType::Joint, first)),
        TrnType::Jointinparent => ("joint in parent", object(ObjType::Joint, first)),
        TrnType::Slidercrank => ("slider crank", object(ObjType::Site, first)),
        TrnType::Tendon => ("tendon", object(ObjType::Tendon, first)),
        TRN_SO3 if second < 0 => ("orientation", object(ObjType::Joint, first)),
        TrnType::Site | TRN_SO3 => match second >= 0 {
            true => {
                let [a, b] = [first, second].map(|id| object(ObjType::Site, id));
                ("site", format!("{a} relative to {b}"))
            }
            false => ("site", object(ObjType::Site, first)),
        },
        TrnType::Body => ("body", object(ObjType::Body, first)),
        _ => ("undefined", "nothing".to_string()),
    };
    Attachment { name: name_of(m, ObjType::Actuator, u.idx()), kind: kind.into(), target }
}

fn sensor(m: &Model, s: SensorId) -> Attachment {
    let mut target = described(m, m.sensor_objtype[s], m.sensor_objid[s]);
    if m.sensor_refid[s] >= 0 {
        let reference = described(m, m.sensor_reftype[s], m.sensor_refid[s]);
        target = format!("{target} relative to {reference}");
    }
    let kind = sensor_kind(m.sensor_type[s]);
    Attachment { name: name_of(m, ObjType::Sensor, s.idx()), kind, target }
}

/// The MJCF element of a sensor type: `mjSENS_TOUCH` is `touch`.
fn sensor_kind(kind: SensorType) -> String {
    let values = ENUMS.iter().find(|(name, _)| *name == "mjtSensor").map_or(&[][..], |(_, v)| v);
    let name = values.iter().find(|(_, value)| *value == i64::from(kind.0));
    let word = name.and_then(|(name, _)| name.strip_prefix("mjSENS_"));
    word.map_or_else(|| kind.0.to_string(), str::to_lowercase)
}

/// An object in words, as in `joint elbow`.
fn described(m: &Model, kind: ObjType, id: i32) -> String {
    let word = match kind {
        ObjType::Body => "body inertia",
        ObjType::Xbody => "body",
        ObjType::Joint => "joint",
        ObjType::Geom => "geom",
        ObjType::Site => "site",
        ObjType::Camera => "camera",
        ObjType::Tendon => "tendon",
        ObjType::Actuator => "actuator",
        ObjType::Mesh => "mesh",
        _ => return "the whole model".to_string(),
    };
    let named = if kind == ObjType::Xbody { ObjType::Body } else { kind };
    match usize::try_from(id) {
        Ok(id) => format!("{word} {}", name_of(m, named, id)),
        Err(_) => "nothing".to_string(),
    }
}
