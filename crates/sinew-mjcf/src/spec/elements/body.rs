//! `<body>` and its contents.

use sinew_model::enums::*;
use sinew_model::options::{DEFAULT_SOLIMP, DEFAULT_SOLREF};

use crate::spec::attr::{Attr, Partial};
use crate::spec::elements::common::{FRICTION, GRAY};
use crate::spec::elements::declare::elements;
use crate::spec::elements::plugin::PluginUse;
use crate::spec::keywords::*;
use crate::spec::kind::Kind;
use crate::spec::poly::Poly;

elements! {
    /// `<body>` and `<worldbody>`.
    Body {
        name: String = "name";
        childclass: String = "childclass";
        pos: [f64; 3] = "pos" or [0.0; 3];
        quat: [f64; 4] = "quat" or [1.0, 0.0, 0.0, 0.0];
        mocap: bool = "mocap" or false;
        gravcomp: f64 = "gravcomp" or 0.0;
        sleep: SleepPolicy = "sleep" or SleepPolicy::Auto;
        user: Vec<f64> = "user" or &[] => userdata;
        + /// Orientation other than `quat`.
        alt: Attr<Orientation>;
        + /// `<plugin>`.
        plugin: Option<Box<PluginUse>>;
        + /// Children in document order.
        children: Vec<Child>;
    }
    /// `<frame>`: a pose applied to all it contains.
    Frame {
        name: String = "name";
        childclass: String = "childclass";
        pos: [f64; 3] = "pos" or [0.0; 3];
        quat: [f64; 4] = "quat" or [1.0, 0.0, 0.0, 0.0];
        + /// Orientation other than `quat`.
        alt: Attr<Orientation>;
        + /// Children in document order.
        children: Vec<Child>;
    }
    /// `<replicate>`: its contents, repeated.
    Replicate {
        count: i32 = "count";
        offset: [f64; 3] = "offset";
        euler: [f64; 3] = "euler";
        sep: String = "sep";
        childclass: String = "childclass";
        + /// Children in document order.
        children: Vec<Child>;
    }
    /// `<attach>`: a body of another model.
    Attach {
        model: String = "model";
        body: String = "body";
        prefix: String = "prefix";
        + /// What is put after names; only code says it.
        suffix: String;
    }
    /// `<inertial>`.
    Inertial {
        pos: [f64; 3] = "pos" or [0.0; 3] => _;
        quat: [f64; 4] = "quat" or [1.0, 0.0, 0.0, 0.0] => _;
        mass: f64 = "mass" or 0.0 => _;
        diaginertia: [f64; 3] = "diaginertia" or [0.0; 3] => _;
        fullinertia: [f64; 6] = "fullinertia";
        + /// Orientation other than `quat`.
        alt: Attr<Orientation>;
        + /// Whether MuJoCo's style leaves it out where geoms say the inertia; only code says it.
        implied: bool;
    }
    /// `<joint>`.
    Joint {
        name: String = "name";
        type_: JointType = "type" or JointType::Hinge;
        group: i32 = "group" or 0;
        pos: [f64; 3] = "pos" or [0.0; 3];
        axis: [f64; 3] = "axis" or [0.0, 0.0, 1.0];
        springdamper: [f64; 2] = "springdamper" or [0.0; 2];
        limited: Tri = "limited" or Tri::Auto;
        actuatorfrclimited: Tri = "actuatorfrclimited" or Tri::Auto => actfrclimited;
        solreflimit: Partial<2> = "solreflimit" or DEFAULT_SOLREF => solref_limit;
        solimplimit: Partial<5> = "solimplimit" or DEFAULT_SOLIMP => solimp_limit;
        solreffriction: Partial<2> = "solreffriction" or DEFAULT_SOLREF => solref_friction;
        solimpfriction: Partial<5> = "solimpfriction" or DEFAULT_SOLIMP => solimp_friction;
        stiffness: Poly = "stiffness" or [0.0; 3];
        range: [f64; 2] = "range" or [0.0; 2];
        actuatorfrcrange: [f64; 2] = "actuatorfrcrange" or [0.0; 2] => actfrcrange;
        actuatorgravcomp: bool = "actuatorgravcomp" or false => actgravcomp;
        margin: f64 = "margin" or 0.0;
        ref_: f64 = "ref" or 0.0;
        springref: f64 = "springref" or 0.0;
        springyield: f64 = "springyield" or 0.0;
        armature: f64 = "armature" or 0.0;
        damping: Poly = "damping" or [0.0; 3];
        frictionloss: f64 = "frictionloss" or 0.0;
        user: Vec<f64> = "user" or &[] => userdata;
        + /// Whether a free joint is aligned with the inertia; in a file only `<freejoint>` says it.
        align: Attr<Tri>;
        + /// Whether it takes nothing from its class, as a `<freejoint>`.
        unclassed: bool;
    }
    /// `<freejoint>`: a free joint that takes nothing from defaults.
    FreeJoint {
        name: String = "name";
        group: i32 = "group";
        align: Tri = "align";
    }
    /// `<geom>`.
    Geom {
        name: String = "name";
        type_: GeomType = "type" or GeomType::Sphere;
        contype: i32 = "contype" or 1;
        conaffinity: i32 = "conaffinity" or 1;
        condim: i32 = "condim" or 3;
        group: i32 = "group" or 0;
        priority: i32 = "priority" or 0;
        size: Partial<3> = "size" or [0.0; 3];
        material: String = "material" or "";
        friction: Partial<3> = "friction" or FRICTION;
        mass: f64 = "mass" or f64::NAN;
        density: f64 = "density" or 1000.0;
        shellinertia: bool = "shellinertia" or false => typeinertia: Kind::Enum("mjtGeomInertia");
        solmix: f64 = "solmix" or 1.0;
        solref: Partial<2> = "solref" or DEFAULT_SOLREF;
        solimp: Partial<5> = "solimp" or DEFAULT_SOLIMP;
        margin: f64 = "margin" or 0.0;
        gap: f64 = "gap" or 0.0;
        surfacevel: Partial<6> = "surfacevel" or [0.0; 6];
        adhesion: f64 = "adhesion" or 0.0;
        fromto: [f64; 6] = "fromto" or [f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0];
        pos: [f64; 3] = "pos" or [0.0; 3];
        quat: [f64; 4] = "quat" or [1.0, 0.0, 0.0, 0.0];
        hfield: String = "hfield" or "" => hfieldname;
        mesh: String = "mesh" or "" => meshname;
        fitscale: f64 = "fitscale" or 1.0;
        rgba: [f32; 4] = "rgba" or GRAY;
        fluidshape: FluidShape = "fluidshape" or FluidShape::None => fluid_ellipsoid: Kind::Real;
        fluidcoef: Partial<5> = "fluidcoef" or [0.5, 0.25, 1.5, 1.0, 1.0] => fluid_coefs;
        user: Vec<f64> = "user" or &[] => userdata;
        solreffriction: Partial<2> = "solreffriction" or [0.0; 2] => _;
        restitution: f64 = "restitution";
        + /// Orientation other than `quat`.
        alt: Attr<Orientation>;
        + /// `<plugin>`.
        plugin: Option<Box<PluginUse>>;
    }
    /// `<site>`.
    Site {
        name: String = "name";
        type_: GeomType = "type" or GeomType::Sphere;
        group: i32 = "group" or 0;
        pos: [f64; 3] = "pos" or [0.0; 3];
        quat: [f64; 4] = "quat" or [1.0, 0.0, 0.0, 0.0];
        material: String = "material" or "";
        mesh: String = "mesh" or "" => meshname;
        size: Partial<3> = "size" or [0.005; 3];
        fromto: [f64; 6] = "fromto" or [f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0];
        rgba: [f32; 4] = "rgba" or GRAY;
        user: Vec<f64> = "user" or &[] => userdata;
        + /// Orientation other than `quat`.
        alt: Attr<Orientation>;
    }
    /// `<camera>`.
    Camera {
        name: String = "name";
        projection: Projection = "projection" or Projection::Perspective => proj;
        fovy: f64 = "fovy" or 45.0;
        ipd: f64 = "ipd" or 0.068;
        resolution: [i32; 2] = "resolution" or [1; 2];
        output: Bits<CamOut> = "output" or 1;
        pos: [f64; 3] = "pos" or [0.0; 3];
        quat: [f64; 4] = "quat" or [1.0, 0.0, 0.0, 0.0];
        mode: CamLight = "mode" or CamLight::Fixed;
        target: String = "target" or "" => targetbody;
        focal: [f32; 2] = "focal" or [0.0; 2] => focal_length;
        focalpixel: [f32; 2] = "focalpixel" or [0.0; 2] => focal_pixel;
        principal: [f32; 2] = "principal" or [0.0; 2] => principal_length;
        principalpixel: [f32; 2] = "principalpixel" or [0.0; 2] => principal_pixel;
        sensorsize: [f32; 2] = "sensorsize" or [0.0; 2] => sensor_size;
        user: Vec<f64> = "user" or &[] => userdata;
        + /// Orientation other than `quat`.
        alt: Attr<Orientation>;
    }
    /// `<light>`.
    Light {
        name: String = "name";
        directional: bool = "directional";
        type_: LightType = "type" or LightType::Spot;
        castshadow: bool = "castshadow" or true;
        active: bool = "active" or true;
        pos: [f64; 3] = "pos" or [0.0; 3];
        dir: [f64; 3] = "dir" or [0.0, 0.0, -1.0];
        bulbradius: f32 = "bulbradius" or 0.02;
        intensity: f32 = "intensity" or 0.0;
        range: f32 = "range" or 10.0;
        attenuation: [f32; 3] = "attenuation" or [1.0, 0.0, 0.0];
        cutoff: f32 = "cutoff" or 45.0;
        exponent: f32 = "exponent" or 10.0;
        ambient: [f32; 3] = "ambient" or [0.0; 3];
        diffuse: [f32; 3] = "diffuse" or [0.7; 3];
        specular: [f32; 3] = "specular" or [0.3; 3];
        mode: CamLight = "mode" or CamLight::Fixed;
        target: String = "target" or "" => targetbody;
        texture: String = "texture" or "";
    }
}

impl FreeJoint {
    /// The same as a joint of any kind.
    pub(crate) fn joint(&self) -> Joint {
        let mut joint = Joint { head: self.head, name: self.name.clone(), ..Joint::default() };
        joint.group = self.group.clone();
        joint.type_.set(JointType::Free);
        joint.align = self.align.clone();
        joint.unclassed = true;
        joint
    }
}

/// The attributes that give an orientation otherwise than as `quat`.
pub(crate) const ORIENTATIONS: [&str; 4] = ["axisangle", "xyaxes", "zaxis", "euler"];

/// An orientation written otherwise than as a quaternion; angles in the units of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// `axisangle`: axis and angle.
    AxisAngle([f64; 4]),
    /// `xyaxes`: x axis, then y axis.
    XyAxes([f64; 6]),
    /// `zaxis`.
    ZAxis([f64; 3]),
    /// `euler`: three angles in the sequence of `eulerseq`.
    Euler([f64; 3]),
}

/// An element of a body, frame or replicate.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a box for each geom costs more than it saves")]
pub enum Child {
    /// `<body>`
    Body(Body),
    /// `<frame>`
    Frame(Frame),
    /// `<replicate>`
    Replicate(Replicate),
    /// `<attach>`
    Attach(Attach),
    /// `<inertial>`
    Inertial(Inertial),
    /// `<joint>`
    Joint(Joint),
    /// `<freejoint>`
    FreeJoint(FreeJoint),
    /// `<geom>`
    Geom(Geom),
    /// `<site>`
    Site(Site),
    /// `<camera>`
    Camera(Camera),
    /// `<light>`
    Light(Light),
}

impl Body {
    /// A copy of it alone, without its contents.
    pub(crate) fn without_children(&self) -> Self {
        Self {
            head: self.head,
            name: self.name.clone(),
            childclass: self.childclass.clone(),
            pos: self.pos.clone(),
            quat: self.quat.clone(),
            mocap: self.mocap.clone(),
            gravcomp: self.gravcomp.clone(),
            sleep: self.sleep.clone(),
            user: self.user.clone(),
            alt: self.alt.clone(),
            plugin: self.plugin.clone(),
            children: Vec::new(),
        }
    }
}

impl Frame {
    /// A copy of it alone, without its contents.
    pub(crate) fn without_children(&self) -> Self {
        Self {
            head: self.head,
            name: self.name.clone(),
            childclass: self.childclass.clone(),
            pos: self.pos.clone(),
            quat: self.quat.clone(),
            alt: self.alt.clone(),
            children: Vec::new(),
        }
    }
}
