//! The kinds of sensors: their objects, their stages, and their outputs.
//!
//! A new sensor is a row of [`SENSOR_KINDS`], a number in MuJoCo's enumeration, and a function of
//! the engine that computes it.

use crate::later;
use sinew_model::enums::{DataType, ObjType, SensorType, Stage};

/// Properties that MuJoCo fixes for a kind of sensor.
#[derive(Clone, Copy, Debug)]
pub struct SensorKind {
    /// The XML element.
    pub tag: &'static str,
    /// MuJoCo's number.
    pub type_: SensorType,
    /// How its object is written.
    pub target: Target,
    /// When it is computed.
    pub stage: Stage,
    /// Type of its numbers.
    pub data: DataType,
    /// How many numbers; 0 where it depends on the sensor.
    pub dim: usize,
}

/// Attributes that name a sensor's object, and its allowed kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// `site`
    Site,
    /// `site`, seen by `camera`
    Projection,
    /// `site` or `camera`
    Ray,
    /// `joint`, a hinge or slide
    Scalar,
    /// `joint`, a ball
    Ball,
    /// `joint` with limits
    LimitedJoint,
    /// `tendon`
    Tendon,
    /// `tendon` with limits
    LimitedTendon,
    /// `actuator`
    Actuator,
    /// `objtype`, `objname`, and optionally `reftype`, `refname`
    FrameIn,
    /// `objtype`, `objname`
    Frame,
    /// `body`
    Body,
    /// `objtype`, `objname`, and `site`
    Inside,
    /// `geom1` or `body1`, and `geom2` or `body2`
    Distance,
    /// Any of the criteria of a contact sensor
    Contact,
    /// Nothing
    Global,
    /// `mesh` and `geom`
    Tactile,
    /// Anything, by `objtype` and `objname`
    User,
    /// Anything, by `objtype` and `objname`, and optionally `reftype`, `refname`
    Plugin,
}

/// How a sensor names an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The sensor has none.
    None,
    /// Exactly one of these attributes names it; the attribute gives its kind.
    OneOf(&'static [(&'static str, ObjType)]),
    /// An attribute names it, another says its kind.
    Typed,
}

impl Target {
    /// The object of the sensor.
    pub const fn object(self) -> End {
        match self {
            Target::Site | Target::Projection => End::OneOf(&[("site", ObjType::Site)]),
            Target::Ray => End::OneOf(&[("site", ObjType::Site), ("camera", ObjType::Camera)]),
            Target::Scalar | Target::Ball | Target::LimitedJoint => {
                End::OneOf(&[("joint", ObjType::Joint)])
            }
            Target::Tendon | Target::LimitedTendon => End::OneOf(&[("tendon", ObjType::Tendon)]),
            Target::Actuator => End::OneOf(&[("actuator", ObjType::Actuator)]),
            Target::Body => End::OneOf(&[("body", ObjType::Body)]),
            Target::Distance => End::OneOf(&[("body1", ObjType::Body), ("geom1", ObjType::Geom)]),
            Target::Contact => End::OneOf(&[
                ("site", ObjType::Site),
                ("body1", ObjType::Body),
                ("subtree1", ObjType::Xbody),
                ("geom1", ObjType::Geom),
            ]),
            Target::Tactile => End::OneOf(&[("mesh", ObjType::Mesh)]),
            Target::Global => End::None,
            Target::FrameIn | Target::Frame | Target::Inside | Target::User | Target::Plugin => {
                End::Typed
            }
        }
    }

    /// The reference of the sensor.
    pub const fn reference(self) -> End {
        match self {
            Target::Projection => End::OneOf(&[("camera", ObjType::Camera)]),
            Target::Inside => End::OneOf(&[("site", ObjType::Site)]),
            Target::Distance => End::OneOf(&[("body2", ObjType::Body), ("geom2", ObjType::Geom)]),
            Target::Contact => End::OneOf(&[
                ("body2", ObjType::Body),
                ("subtree2", ObjType::Xbody),
                ("geom2", ObjType::Geom),
            ]),
            Target::Tactile => End::OneOf(&[("geom", ObjType::Geom)]),
            Target::FrameIn | Target::Frame | Target::Plugin => End::Typed,
            _ => End::None,
        }
    }

    /// The attributes of the element beside its name, in the words of `schema.txt`.
    pub(crate) const fn attributes(self) -> &'static str {
        match self {
            Target::Site => "site @sensor",
            Target::Projection => "site camera @sensor",
            Target::Ray => "site camera data @sensor",
            Target::Scalar | Target::Ball | Target::LimitedJoint => "joint @sensor",
            Target::Tendon | Target::LimitedTendon => "tendon @sensor",
            Target::Actuator => "actuator @sensor",
            Target::FrameIn => "objtype objname reftype refname @sensor",
            Target::Frame => "objtype objname @sensor",
            Target::Body => "body @sensor",
            Target::Inside => "site objtype objname ^enclosed @sensor",
            Target::Distance => "geom1 geom2 body1 body2 @sensor",
            Target::Contact => {
                "geom1 geom2 body1 body2 subtree1 subtree2 site num data reduce @sensor"
            }
            Target::Global => "@sensor",
            Target::Tactile => "geom mesh @delay interval user",
            Target::User => "objtype objname datatype needstage dim cutoff noise user",
            Target::Plugin => "plugin instance cutoff objtype objname reftype refname user",
        }
    }
}

macro_rules! kinds {
    ($($tag:literal $type_:ident $target:ident $stage:ident $data:ident $dim:literal;)*) => {
        &[$(SensorKind {
            tag: $tag,
            type_: SensorType::$type_,
            target: Target::$target,
            stage: Stage::$stage,
            data: DataType::$data,
            dim: $dim,
        },)*]
    };
}

/// All kinds; `user` uses this stage and data where a file has none.
pub const SENSOR_KINDS: &[SensorKind] = kinds! {
    "touch"             Touch          Site          Acc Positive   1;
    "accelerometer"     Accelerometer  Site          Acc Real       3;
    "velocimeter"       Velocimeter    Site          Vel Real       3;
    "gyro"              Gyro           Site          Vel Real       3;
    "force"             Force          Site          Acc Real       3;
    "torque"            Torque         Site          Acc Real       3;
    "magnetometer"      Magnetometer   Site          Pos Real       3;
    "camprojection"     Camprojection  Projection    Pos Real       2;
    "rangefinder"       Rangefinder    Ray           Pos Real       0;
    "jointpos"          Jointpos       Scalar        Pos Real       1;
    "jointvel"          Jointvel       Scalar        Vel Real       1;
    "tendonpos"         Tendonpos      Tendon        Pos Real       1;
    "tendonvel"         Tendonvel      Tendon        Vel Real       1;
    "actuatorpos"       Actuatorpos    Actuator      Pos Real       1;
    "actuatorvel"       Actuatorvel    Actuator      Vel Real       1;
    "actuatorfrc"       Actuatorfrc    Actuator      Acc Real       1;
    "jointactuatorfrc"  Jointactfrc    Scalar        Acc Real       1;
    "tendonactuatorfrc" Tendonactfrc   Tendon        Acc Real       1;
    "ballquat"          Ballquat       Ball          Pos Quaternion 4;
    "ballangvel"        Ballangvel     Ball          Vel Real       3;
    "jointlimitpos"     Jointlimitpos  LimitedJoint  Pos Real       1;
    "jointlimitvel"     Jointlimitvel  LimitedJoint  Vel Real       1;
    "jointlimitfrc"     Jointlimitfrc  LimitedJoint  Acc Real       1;
    "tendonlimitpos"    Tendonlimitpos LimitedTendon Pos Real       1;
    "tendonlimitvel"    Tendonlimitvel LimitedTendon Vel Real       1;
    "tendonlimitfrc"    Tendonlimitfrc LimitedTendon Acc Real       1;
    "framepos"          Framepos       FrameIn       Pos Real       3;
    "framequat"         Framequat      FrameIn       Pos Quaternion 4;
    "framexaxis"        Framexaxis     FrameIn       Pos Axis       3;
    "frameyaxis"        Frameyaxis     FrameIn       Pos Axis       3;
    "framezaxis"        Framezaxis     FrameIn       Pos Axis       3;
    "framelinvel"       Framelinvel    FrameIn       Vel Real       3;
    "frameangvel"       Frameangvel    FrameIn       Vel Real       3;
    "framelinacc"       Framelinacc    Frame         Acc Real       3;
    "frameangacc"       Frameangacc    Frame         Acc Real       3;
    "subtreecom"        Subtreecom     Body          Pos Real       3;
    "subtreelinvel"     Subtreelinvel  Body          Vel Real       3;
    "subtreeangmom"     Subtreeangmom  Body          Vel Real       3;
    "insidesite"        Insidesite     Inside        Pos Positive   1;
    "distance"          Geomdist       Distance      Pos Real       1;
    "normal"            Geomnormal     Distance      Pos Axis       3;
    "fromto"            Geomfromto     Distance      Pos Real       6;
    "contact"           Contact        Contact       Acc Real       0;
    "e_potential"       EPotential     Global        Pos Real       1;
    "e_kinetic"         EKinetic       Global        Pos Real       1;
    "clock"             Clock          Global        Pos Real       1;
    "tactile"           Tactile        Tactile       Acc Real       0;
    "user"              User           User          Acc Real       0;
    "plugin"            Plugin         Plugin        Pos Real       0;
};

/// The kind an XML element stands for.
pub fn sensor_kind(tag: &str) -> Option<&'static SensorKind> {
    SENSOR_KINDS.iter().find(|kind| kind.tag == tag)
}

/// Fields of a contact sensor and their sizes, in the order of their bits.
pub const CONTACT_FIELDS: &[(&str, usize)] = &[
    ("found", 1),
    ("force", 3),
    ("torque", 3),
    ("dist", 1),
    ("pos", 3),
    ("normal", 3),
    ("tangent", 3),
];

/// Fields of a rangefinder and their sizes, in the order of their bits.
pub const RAY_FIELDS: &[(&str, usize)] =
    &[("dist", 1), ("dir", 3), ("origin", 3), ("point", 3), ("normal", 3), ("depth", 1)];

/// Bits of the fields an attribute lists; the first field if it lists none.
pub(crate) fn field_bits(text: &str, fields: &[(&str, usize)]) -> Result<i32, String> {
    let mut bits = 0;
    for word in text.split_ascii_whitespace() {
        let Some(bit) = fields.iter().position(|(name, _)| *name == word) else {
            if let Some(version) = later::keyword("contact", "data", word) {
                let words = later::words(version);
                return Err(format!("invalid keyword: '{word}' in attribute 'data': {words}"));
            }
            let words: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
            return Err(format!("invalid keyword: '{word}', wanted {}", words.join(", ")));
        };
        let bit = 1 << bit;
        if bits & bit != 0 {
            return Err(format!("duplicate keyword: '{word}'"));
        }
        if bits > bit {
            let words: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
            return Err(format!("data attributes must be in order: {}", words.join(", ")));
        }
        bits |= bit;
    }
    Ok(if bits == 0 { 1 } else { bits })
}

/// How many numbers the fields of `bits` are together.
pub(crate) fn field_size(bits: i32, fields: &[(&str, usize)]) -> usize {
    let chosen = fields.iter().enumerate().filter(|(i, _)| bits & (1 << i) != 0);
    chosen.map(|(_, (_, size))| size).sum()
}
