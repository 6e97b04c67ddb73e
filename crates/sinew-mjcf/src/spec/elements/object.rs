//! What refers to the kinematic tree: contacts, equalities, tendons, actuators, sensors, custom
//! fields, keyframes.

use sinew_model::enums::*;

use crate::spec::attr::{OneOrTwo, Partial};
use crate::spec::elements::declare::elements;
use crate::spec::elements::plugin::PluginUse;
use crate::spec::keywords::*;

elements! {
    /// `<contact><pair>`.
    Pair {
        name: String = "name";
        geom1: String = "geom1";
        geom2: String = "geom2";
        condim: i32 = "condim";
        friction: Partial<5> = "friction";
        solref: Partial<2> = "solref";
        solreffriction: Partial<2> = "solreffriction";
        solimp: Partial<5> = "solimp";
        gap: f64 = "gap";
        margin: f64 = "margin";
        restitution: f64 = "restitution";
    }
    /// `<contact><exclude>`.
    Exclude {
        name: String = "name";
        body1: String = "body1";
        body2: String = "body2";
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
        polycoef: Partial<5> = "polycoef";
        torquescale: f64 = "torquescale";
        active: bool = "active";
        solref: Partial<2> = "solref";
        solimp: Partial<5> = "solimp";
        + /// What the tag says.
        kind: EqType;
    }
    /// `<tendon><spatial>` or `<fixed>`.
    Tendon {
        name: String = "name";
        group: i32 = "group";
        limited: Tri = "limited";
        actuatorfrclimited: Tri = "actuatorfrclimited";
        range: [f64; 2] = "range";
        actuatorfrcrange: [f64; 2] = "actuatorfrcrange";
        solreflimit: Partial<2> = "solreflimit";
        solimplimit: Partial<5> = "solimplimit";
        solreffriction: Partial<2> = "solreffriction";
        solimpfriction: Partial<5> = "solimpfriction";
        frictionloss: f64 = "frictionloss";
        springlength: OneOrTwo = "springlength";
        width: f64 = "width";
        material: String = "material";
        margin: f64 = "margin";
        stiffness: f64 = "stiffness";
        damping: f64 = "damping";
        armature: f64 = "armature";
        rgba: [f32; 4] = "rgba";
        user: Vec<f64> = "user";
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
        group: i32 = "group";
        nsample: i32 = "nsample";
        interp: Interp = "interp";
        delay: f64 = "delay";
        ctrllimited: Tri = "ctrllimited";
        forcelimited: Tri = "forcelimited";
        actlimited: Tri = "actlimited";
        ctrlrange: [f64; 2] = "ctrlrange";
        forcerange: [f64; 2] = "forcerange";
        actrange: [f64; 2] = "actrange";
        lengthrange: [f64; 2] = "lengthrange";
        gear: Partial<6> = "gear";
        cranklength: f64 = "cranklength";
        user: Vec<f64> = "user";
        joint: String = "joint";
        jointinparent: String = "jointinparent";
        tendon: String = "tendon";
        slidersite: String = "slidersite";
        cranksite: String = "cranksite";
        site: String = "site";
        refsite: String = "refsite";
        body: String = "body";
        actdim: i32 = "actdim";
        dyntype: DynType = "dyntype";
        gaintype: GainType = "gaintype";
        biastype: BiasType = "biastype";
        dynprm: Partial<10> = "dynprm";
        gainprm: Partial<10> = "gainprm";
        biasprm: Partial<10> = "biasprm";
        actearly: bool = "actearly";
        inheritrange: f64 = "inheritrange";
        kp: f64 = "kp";
        kv: f64 = "kv";
        dampratio: f64 = "dampratio";
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
        + /// What the tag says.
        kind: ActuatorTag;
        + /// The plugin that a `<plugin>` names.
        plugin: Option<Box<PluginUse>>;
    }
    /// A child of `<sensor>`: the union of all kinds' attributes.
    Sensor {
        name: String = "name";
        nsample: i32 = "nsample";
        interp: Interp = "interp";
        delay: f64 = "delay";
        interval: Partial<2> = "interval";
        cutoff: f64 = "cutoff";
        noise: f64 = "noise";
        user: Vec<f64> = "user";
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
        num: i32 = "num";
        reduce: Reduce = "reduce";
        datatype: DataType = "datatype";
        needstage: Stage = "needstage";
        dim: i32 = "dim";
        + /// The tag.
        tag: String;
        + /// The plugin that a `<plugin>` names.
        plugin: Option<Box<PluginUse>>;
    }
    /// `<custom><numeric>`.
    Numeric {
        name: String = "name";
        size: i32 = "size";
        data: Vec<f64> = "data";
    }
    /// `<custom><text>`.
    Text {
        name: String = "name";
        data: String = "data";
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
        prm: f64 = "prm";
    }
    /// `<keyframe><key>`.
    Key {
        name: String = "name";
        time: f64 = "time";
        qpos: Vec<f64> = "qpos";
        qvel: Vec<f64> = "qvel";
        act: Vec<f64> = "act";
        mpos: Vec<f64> = "mpos";
        mquat: Vec<f64> = "mquat";
        ctrl: Vec<f64> = "ctrl";
        + /// Whether a NaN stands for the reference pose: keyframes of attached models.
        partial: bool;
    }
}

/// What a tendon's path element is.
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
    /// `<plugin>`
    Plugin,
}
impl ActuatorTag {
    /// Elements and their kinds.
    pub const NAMES: [(&'static str, ActuatorTag); 10] = [
        ("general", ActuatorTag::General),
        ("motor", ActuatorTag::Motor),
        ("position", ActuatorTag::Position),
        ("velocity", ActuatorTag::Velocity),
        ("intvelocity", ActuatorTag::IntVelocity),
        ("damper", ActuatorTag::Damper),
        ("cylinder", ActuatorTag::Cylinder),
        ("muscle", ActuatorTag::Muscle),
        ("adhesion", ActuatorTag::Adhesion),
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
