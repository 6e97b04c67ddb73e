//! Elements that refer to the kinematic tree: contacts, equalities, tendons, actuators, sensors,
//! custom fields, keyframes.

use sinew_model::enums::*;
use sinew_model::options::{DEFAULT_SOLIMP, DEFAULT_SOLREF};

use crate::spec::attr::{Attr, OneOrTwo, Partial};
use crate::spec::elements::common::GRAY;
use crate::spec::elements::declare::elements;
use crate::spec::elements::plugin::PluginUse;
use crate::spec::input::Input;
use crate::spec::keywords::*;
use crate::spec::kind::Kind;
use crate::spec::poly::Poly;

elements! {
    /// `<contact><pair>`.
    Pair {
        name: String = "name";
        geom1: String = "geom1" or "" => geomname1;
        geom2: String = "geom2" or "" => geomname2;
        condim: i32 = "condim" or 3;
        friction: Partial<5> = "friction" or [1.0, 1.0, 0.005, 0.0001, 0.0001];
        solref: Partial<2> = "solref" or DEFAULT_SOLREF;
        solreffriction: Partial<2> = "solreffriction" or [0.0; 2];
        solimp: Partial<5> = "solimp" or DEFAULT_SOLIMP;
        gap: f64 = "gap" or 0.0;
        margin: f64 = "margin" or 0.0;
        adhesion: f64 = "adhesion" or 0.0;
        restitution: f64 = "restitution";
    }
    /// `<contact><exclude>`.
    Exclude {
        name: String = "name";
        body1: String = "body1" or "" => bodyname1;
        body2: String = "body2" or "" => bodyname2;
    }
    /// A child of `<equality>`: the union of all kinds' attributes.
    Equality {
        name: String = "name";
        body1: String = "body1";
        body2: String = "body2";
        site1: String = "site1";
        site2: String = "site2";
        joint1: String = "joint1";
        joint2: String = "joint2";
        tendon1: String = "tendon1";
        tendon2: String = "tendon2";
        flex: String = "flex";
        anchor: [f64; 3] = "anchor";
        relpose: [f64; 7] = "relpose";
        polycoef: Partial<5> = "polycoef" or [0.0, 1.0, 0.0, 0.0, 0.0] => _;
        torquescale: f64 = "torquescale" or 1.0 => _;
        active: bool = "active" or true;
        solref: Partial<2> = "solref" or DEFAULT_SOLREF;
        solimp: Partial<5> = "solimp" or DEFAULT_SOLIMP;
        + /// What the tag says.
        kind: EqType;
    }
    /// `<tendon><spatial>` or `<fixed>`.
    Tendon {
        name: String = "name";
        group: i32 = "group" or 0;
        limited: Tri = "limited" or Tri::Auto;
        actuatorfrclimited: Tri = "actuatorfrclimited" or Tri::False => actfrclimited;
        range: [f64; 2] = "range" or [0.0; 2];
        actuatorfrcrange: [f64; 2] = "actuatorfrcrange" or [0.0; 2] => actfrcrange;
        solreflimit: Partial<2> = "solreflimit" or DEFAULT_SOLREF => solref_limit;
        solimplimit: Partial<5> = "solimplimit" or DEFAULT_SOLIMP => solimp_limit;
        solreffriction: Partial<2> = "solreffriction" or DEFAULT_SOLREF => solref_friction;
        solimpfriction: Partial<5> = "solimpfriction" or DEFAULT_SOLIMP => solimp_friction;
        frictionloss: f64 = "frictionloss" or 0.0;
        springlength: OneOrTwo = "springlength" or [-1.0; 2];
        springyield: f64 = "springyield" or 0.0;
        width: f64 = "width" or 0.003;
        material: String = "material" or "";
        margin: f64 = "margin" or 0.0;
        stiffness: Poly = "stiffness" or [0.0; 3];
        damping: Poly = "damping" or [0.0; 3];
        armature: f64 = "armature" or 0.0;
        rgba: [f32; 4] = "rgba" or GRAY;
        user: Vec<f64> = "user" or &[] => userdata;
        + /// Whether the tag is `spatial`.
        spatial: bool;
        + /// The path, in order.
        path: Vec<Wrap>;
    }
    /// An element of a tendon's path: the union of `<site>`, `<geom>`, `<pulley>`, `<joint>`.
    Wrap {
        site: String = "site";
        geom: String = "geom";
        sidesite: String = "sidesite";
        divisor: f64 = "divisor";
        joint: String = "joint";
        coef: f64 = "coef";
        + /// What the tag says.
        kind: WrapTag;
    }
    /// A child of `<actuator>`: the union of all kinds' attributes.
    Actuator {
        name: String = "name";
        group: i32 = "group" or 0;
        nsample: i32 = "nsample" or 0;
        interp: Interp = "interp" or Interp(0);
        delay: f64 = "delay" or 0.0;
        ctrllimited: Tri = "ctrllimited" or Tri::Auto;
        forcelimited: Tri = "forcelimited" or Tri::Auto;
        actlimited: Tri = "actlimited" or Tri::Auto;
        ctrlrange: [f64; 2] = "ctrlrange" or [0.0; 2];
        forcerange: [f64; 2] = "forcerange" or [0.0; 2];
        actrange: [f64; 2] = "actrange" or [0.0; 2];
        lengthrange: [f64; 2] = "lengthrange" or [0.0; 2];
        gear: Partial<6> = "gear" or [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        damping: Poly = "damping" or [0.0; 3] => damping: Kind::Reals(3);
        armature: f64 = "armature" or 0.0;
        cranklength: f64 = "cranklength" or 0.0;
        user: Vec<f64> = "user" or &[] => userdata;
        joint: String = "joint";
        jointinparent: String = "jointinparent";
        tendon: String = "tendon";
        slidersite: String = "slidersite" or "";
        cranksite: String = "cranksite";
        site: String = "site";
        refsite: String = "refsite" or "";
        body: String = "body";
        actdim: i32 = "actdim" or -1;
        dyntype: DynType = "dyntype" or DynType::None;
        gaintype: GainType = "gaintype" or GainType::Fixed;
        biastype: BiasType = "biastype" or BiasType::None;
        dynprm: Partial<10> = "dynprm" or [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        gainprm: Partial<10> = "gainprm" or [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        biasprm: Partial<10> = "biasprm" or [0.0; 10];
        actearly: bool = "actearly" or false;
        inheritrange: f64 = "inheritrange" or 0.0;
        kp: f64 = "kp";
        kv: f64 = "kv";
        dampratio: f64 = "dampratio";
        ki: f64 = "ki";
        imax: f64 = "imax";
        slewmax: f64 = "slewmax";
        posrange: [f64; 2] = "posrange";
        velrange: [f64; 2] = "velrange" or [0.0; 2];
        ffrange: [f64; 2] = "ffrange" or [0.0; 2];
        timeconst: Partial<2> = "timeconst";
        area: f64 = "area";
        diameter: f64 = "diameter";
        bias: [f64; 3] = "bias";
        tausmooth: f64 = "tausmooth";
        range: [f64; 2] = "range";
        force: f64 = "force";
        scale: f64 = "scale";
        lmin: f64 = "lmin";
        lmax: f64 = "lmax";
        vmax: f64 = "vmax";
        fpmax: f64 = "fpmax";
        fvmax: f64 = "fvmax";
        gain: f64 = "gain";
        input: Input = "input" or Input::of(0) => ctrlspec;
        motorconst: Partial<2> = "motorconst";
        resistance: f64 = "resistance";
        nominal: Partial<3> = "nominal";
        saturation: Partial<3> = "saturation";
        inductance: Partial<2> = "inductance";
        cogging: Partial<3> = "cogging";
        controller: Partial<6> = "controller";
        thermal: Partial<6> = "thermal";
        lugre: Partial<5> = "lugre";
        + /// What the tag says.
        kind: ActuatorTag;
        + /// The plugin that a `<plugin>` names.
        plugin: Option<Box<PluginUse>>;
    }
    /// A child of `<sensor>`: the union of all kinds' attributes.
    Sensor {
        name: String = "name";
        nsample: i32 = "nsample" or 0;
        interp: Interp = "interp" or Interp(0);
        delay: f64 = "delay" or 0.0;
        interval: Partial<2> = "interval" or [0.0; 2];
        cutoff: f64 = "cutoff" or 0.0;
        noise: f64 = "noise" or 0.0;
        user: Vec<f64> = "user" or &[] => userdata;
        site: String = "site";
        camera: String = "camera";
        joint: String = "joint";
        tendon: String = "tendon";
        actuator: String = "actuator";
        body: String = "body";
        geom: String = "geom";
        mesh: String = "mesh";
        geom1: String = "geom1";
        geom2: String = "geom2";
        body1: String = "body1";
        body2: String = "body2";
        subtree1: String = "subtree1";
        subtree2: String = "subtree2";
        objtype: String = "objtype";
        objname: String = "objname";
        reftype: String = "reftype";
        refname: String = "refname";
        data: String = "data";
        enclosed: bool = "enclosed" or false => _;
        num: i32 = "num" or 1 => _;
        reduce: Reduce = "reduce" or Reduce(0) => _;
        datatype: DataType = "datatype";
        needstage: Stage = "needstage";
        dim: i32 = "dim" or 0 => _;
        + /// The tag.
        tag: String;
        + /// The plugin that a `<plugin>` names.
        plugin: Option<Box<PluginUse>>;
    }
    /// `<custom><numeric>`.
    Numeric {
        name: String = "name";
        size: i32 = "size" or 0;
        data: Vec<f64> = "data" or &[];
    }
    /// `<custom><text>`.
    Text {
        name: String = "name";
        data: String = "data" or "";
    }
    /// `<custom><tuple>`.
    Tuple {
        name: String = "name";
        + /// `<element>` children.
        elements: Vec<TupleElement>;
    }
    /// `<tuple><element>`.
    TupleElement {
        objtype: String = "objtype";
        objname: String = "objname";
        prm: f64 = "prm" or 0.0 => _;
    }
    /// `<keyframe><key>`.
    Key {
        name: String = "name";
        time: f64 = "time" or 0.0;
        qpos: Vec<f64> = "qpos" or &[];
        qvel: Vec<f64> = "qvel" or &[];
        act: Vec<f64> = "act" or &[];
        mpos: Vec<f64> = "mpos" or &[];
        mquat: Vec<f64> = "mquat" or &[];
        ctrl: Vec<f64> = "ctrl" or &[];
        plastic: Vec<f64> = "plastic" or &[];
        + /// Whether a NaN stands for the reference pose: keyframes of attached models.
        partial: bool;
    }
}

/// The attributes of sensors that are names, by their own names.
macro_rules! references {
    ($($name:ident)*) => {
        impl Sensor {
            /// An attribute that is a name.
            pub(crate) fn reference(&self, attr: &str) -> Option<&Attr<String>> {
                match attr {
                    $(stringify!($name) => Some(&self.$name),)*
                    _ => None,
                }
            }

            /// An attribute that is a name, to be changed.
            pub(crate) fn reference_mut(&mut self, attr: &str) -> Option<&mut Attr<String>> {
                match attr {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}
references! {
    site camera joint tendon actuator body geom mesh geom1 geom2 body1 body2 subtree1 subtree2
    objtype objname reftype refname
}

impl Equality {
    /// Elements of `<equality>` and their kinds.
    pub const NAMES: [(&'static str, EqType); 6] = [
        ("connect", EqType::Connect),
        ("weld", EqType::Weld),
        ("joint", EqType::Joint),
        ("tendon", EqType::Tendon),
        ("flex", EqType::Flex),
        ("flexvert", EqType::Flexvert),
    ];

    /// The kind of an element.
    pub fn kind_of(tag: &str) -> Option<EqType> {
        Self::NAMES.iter().find(|(name, _)| *name == tag).map(|(_, kind)| *kind)
    }

    /// The element that has a kind.
    pub fn tag_of(kind: EqType) -> Option<&'static str> {
        Self::NAMES.iter().find(|(_, k)| *k == kind).map(|(name, _)| *name)
    }
}

/// Type of an element of a tendon's path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WrapTag {
    /// A site.
    #[default]
    Site,
    /// A sphere or cylinder to wrap around.
    Geom,
    /// A pulley.
    Pulley,
    /// A joint (fixed tendons).
    Joint,
}

/// The kinds of actuator elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ActuatorTag {
    /// `<general>`
    #[default]
    General,
    /// `<motor>`
    Motor,
    /// `<position>`
    Position,
    /// `<velocity>`
    Velocity,
    /// `<intvelocity>`
    IntVelocity,
    /// `<damper>`
    Damper,
    /// `<cylinder>`
    Cylinder,
    /// `<muscle>`
    Muscle,
    /// `<adhesion>`
    Adhesion,
    /// `<dcmotor>`
    DcMotor,
    /// `<pid>`
    Pid,
    /// `<orientation>`
    Orientation,
    /// `<plugin>`
    Plugin,
}
impl ActuatorTag {
    /// Elements and their kinds.
    pub const NAMES: [(&'static str, ActuatorTag); 13] = [
        ("general", ActuatorTag::General),
        ("motor", ActuatorTag::Motor),
        ("position", ActuatorTag::Position),
        ("velocity", ActuatorTag::Velocity),
        ("intvelocity", ActuatorTag::IntVelocity),
        ("damper", ActuatorTag::Damper),
        ("cylinder", ActuatorTag::Cylinder),
        ("muscle", ActuatorTag::Muscle),
        ("adhesion", ActuatorTag::Adhesion),
        ("dcmotor", ActuatorTag::DcMotor),
        ("pid", ActuatorTag::Pid),
        ("orientation", ActuatorTag::Orientation),
        ("plugin", ActuatorTag::Plugin),
    ];

    /// The kind of an element.
    pub fn from_name(name: &str) -> Option<ActuatorTag> {
        Self::NAMES.iter().find(|(n, _)| *n == name).map(|(_, tag)| *tag)
    }

    /// The element's name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, tag)| *tag == self).map_or("general", |(n, _)| n)
    }
}
