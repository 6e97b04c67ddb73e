//! `<body>` and what it contains.

use sinew_model::enums::*;

use crate::spec::attr::{Attr, Partial};
use crate::spec::elements::declare::elements;
use crate::spec::elements::plugin::PluginUse;
use crate::spec::keywords::*;

elements! {
    /// `<body>` and `<worldbody>`.
    Body {
        name: String = "name";
        childclass: String = "childclass";
        pos: [f64; 3] = "pos";
        quat: [f64; 4] = "quat";
        mocap: bool = "mocap";
        gravcomp: f64 = "gravcomp";
        sleep: SleepPolicy = "sleep";
        user: Vec<f64> = "user";
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
        pos: [f64; 3] = "pos";
        quat: [f64; 4] = "quat";
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
        pos: [f64; 3] = "pos";
        quat: [f64; 4] = "quat";
        mass: f64 = "mass";
        diaginertia: [f64; 3] = "diaginertia";
        fullinertia: [f64; 6] = "fullinertia";
        + /// Orientation other than `quat`.
        alt: Attr<Orientation>;
    }
    /// `<joint>`.
    Joint {
        name: String = "name";
        type_: JointType = "type";
        group: i32 = "group";
        pos: [f64; 3] = "pos";
        axis: [f64; 3] = "axis";
        springdamper: [f64; 2] = "springdamper";
        limited: Tri = "limited";
        actuatorfrclimited: Tri = "actuatorfrclimited";
        solreflimit: Partial<2> = "solreflimit";
        solimplimit: Partial<5> = "solimplimit";
        solreffriction: Partial<2> = "solreffriction";
        solimpfriction: Partial<5> = "solimpfriction";
        stiffness: f64 = "stiffness";
        range: [f64; 2] = "range";
        actuatorfrcrange: [f64; 2] = "actuatorfrcrange";
        actuatorgravcomp: bool = "actuatorgravcomp";
        margin: f64 = "margin";
        ref_: f64 = "ref";
        springref: f64 = "springref";
        armature: f64 = "armature";
        damping: f64 = "damping";
        frictionloss: f64 = "frictionloss";
        user: Vec<f64> = "user";
        + /// Whether a free joint is aligned with the inertia; in a file only `<freejoint>` says it.
        align: Attr<Tri>;
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
        type_: GeomType = "type";
        contype: i32 = "contype";
        conaffinity: i32 = "conaffinity";
        condim: i32 = "condim";
        group: i32 = "group";
        priority: i32 = "priority";
        size: Partial<3> = "size";
        material: String = "material";
        friction: Partial<3> = "friction";
        mass: f64 = "mass";
        density: f64 = "density";
        shellinertia: bool = "shellinertia";
        solmix: f64 = "solmix";
        solref: Partial<2> = "solref";
        solimp: Partial<5> = "solimp";
        margin: f64 = "margin";
        gap: f64 = "gap";
        fromto: [f64; 6] = "fromto";
        pos: [f64; 3] = "pos";
        quat: [f64; 4] = "quat";
        hfield: String = "hfield";
        mesh: String = "mesh";
        fitscale: f64 = "fitscale";
        rgba: [f32; 4] = "rgba";
        fluidshape: FluidShape = "fluidshape";
        fluidcoef: Partial<5> = "fluidcoef";
        user: Vec<f64> = "user";
        solreffriction: Partial<2> = "solreffriction";
        restitution: f64 = "restitution";
        + /// Orientation other than `quat`.
        alt: Attr<Orientation>;
        + /// `<plugin>`.
        plugin: Option<Box<PluginUse>>;
    }
    /// `<site>`.
    Site {
        name: String = "name";
        type_: GeomType = "type";
        group: i32 = "group";
        pos: [f64; 3] = "pos";
        quat: [f64; 4] = "quat";
        material: String = "material";
        size: Partial<3> = "size";
        fromto: [f64; 6] = "fromto";
        rgba: [f32; 4] = "rgba";
        user: Vec<f64> = "user";
        + /// Orientation other than `quat`.
        alt: Attr<Orientation>;
    }
    /// `<camera>`.
    Camera {
        name: String = "name";
        projection: Projection = "projection";
        fovy: f64 = "fovy";
        ipd: f64 = "ipd";
        resolution: [i32; 2] = "resolution";
        output: Bits<CamOut> = "output";
        pos: [f64; 3] = "pos";
        quat: [f64; 4] = "quat";
        mode: CamLight = "mode";
        target: String = "target";
        focal: [f32; 2] = "focal";
        focalpixel: [f32; 2] = "focalpixel";
        principal: [f32; 2] = "principal";
        principalpixel: [f32; 2] = "principalpixel";
        sensorsize: [f32; 2] = "sensorsize";
        user: Vec<f64> = "user";
        + /// Orientation other than `quat`.
        alt: Attr<Orientation>;
    }
    /// `<light>`.
    Light {
        name: String = "name";
        directional: bool = "directional";
        type_: LightType = "type";
        castshadow: bool = "castshadow";
        active: bool = "active";
        pos: [f64; 3] = "pos";
        dir: [f64; 3] = "dir";
        bulbradius: f32 = "bulbradius";
        intensity: f32 = "intensity";
        range: f32 = "range";
        attenuation: [f32; 3] = "attenuation";
        cutoff: f32 = "cutoff";
        exponent: f32 = "exponent";
        ambient: [f32; 3] = "ambient";
        diffuse: [f32; 3] = "diffuse";
        specular: [f32; 3] = "specular";
        mode: CamLight = "mode";
        target: String = "target";
        texture: String = "texture";
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

/// What a body, frame or replicate contains.
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
    /// A copy of it alone, without what it contains.
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
    /// A copy of it alone, without what it contains.
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
