//! The kinds of sensors: what they are attached to, when they are computed, what they give.

use sinew_model::enums::{DataType, ObjType, SensorType, Stage};

/// What MuJoCo fixes for a kind of sensor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// The XML element.
    pub(crate) tag: &'static str,
    /// MuJoCo's number.
    pub(crate) type_: SensorType,
    /// How its object is written.
    pub(crate) target: Target,
    /// When it is computed.
    pub(crate) stage: Stage,
    /// What its numbers are.
    pub(crate) data: DataType,
    /// How many numbers; 0 where it depends on the sensor.
    pub(crate) dim: usize,
}

/// How a sensor's object is written and what it must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
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

macro_rules! kinds {
    ($($tag:literal $type_:ident $target:ident $stage:ident $data:ident $dim:literal;)*) => {
        &[$(Kind {
            tag: $tag,
            type_: SensorType::$type_,
            target: Target::$target,
            stage: Stage::$stage,
            data: DataType::$data,
            dim: $dim,
        },)*]
    };
}

/// All kinds; for `user` stage and data are what is used where none are written.
const KINDS: &[Kind] = kinds! {
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
pub(crate) fn kind_of(tag: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.tag == tag)
}

/// Fields of a contact sensor and their sizes, in the order of their bits.
pub(crate) const CONTACT_FIELDS: &[(&str, usize)] = &[
    ("found", 1),
    ("force", 3),
    ("torque", 3),
    ("dist", 1),
    ("pos", 3),
    ("normal", 3),
    ("tangent", 3),
];

/// Fields of a rangefinder and their sizes, in the order of their bits.
pub(crate) const RAY_FIELDS: &[(&str, usize)] =
    &[("dist", 1), ("dir", 3), ("origin", 3), ("point", 3), ("normal", 3), ("depth", 1)];

/// Bits of the fields an attribute lists; the first field if it lists none.
pub(crate) fn field_bits(text: &str, fields: &[(&str, usize)]) -> Result<i32, String> {
    let mut bits = 0;
    for word in text.split_ascii_whitespace() {
        let Some(bit) = fields.iter().position(|(name, _)| *name == word) else {
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

/// The kind of object a word stands for; unknown for any other word.
#[doc(alias = "mju_str2Type")]
pub(crate) fn object_type(word: &str) -> ObjType {
    crate::spec::object_type(word).unwrap_or(ObjType::Unknown)
}
