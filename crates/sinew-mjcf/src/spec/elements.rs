//! The elements of MJCF: each a table of attributes, declared once.
//!
//! A table gives the struct, how it is read, how it is laid over a default class and how it is
//! written. Lines with `=` are XML attributes; lines with `+` are parts that are not.

use sinew_model::enums::*;

use crate::spec::attr::{Attr, AttrSource, Head, OneOrTwo, Partial, Value as _, read_attr};
use crate::spec::keywords::*;

/// Declares elements.
macro_rules! elements {
    ($(
        $(#[$meta:meta])*
        $name:ident {
            $($f:ident: $ty:ty = $xml:literal;)*
            $(+ $(#[$emeta:meta])* $e:ident: $ety:ty;)*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            /// Place, scope and default class.
            pub head: Head,
            $(#[doc = concat!("Attribute `", $xml, "`.")] pub $f: Attr<$ty>,)*
            $($(#[$emeta])* pub $e: $ety,)*
        }

        impl $name {
            /// The XML attributes this element knows.
            pub const ATTRIBUTES: &'static [&'static str] = &[$($xml),*];

            /// Reads the attributes; the other parts stay empty.
            pub fn read(src: &mut dyn AttrSource) -> Self {
                $name { head: src.head(), $($f: read_attr(src, $xml),)* $($e: Default::default(),)* }
            }

            /// This element on top of a default class's.
            pub fn over(&self, _base: &Self) -> Self {
                $name { head: self.head, $($f: self.$f.over(&_base.$f),)* $($e: self.$e.clone(),)* }
            }

            /// Attributes as written, in order of declaration.
            pub fn attributes(&self) -> Vec<(&'static str, String)> {
                let mut _out = Vec::new();
                $(if let Some(v) = self.$f.get() { _out.push(($xml, v.write())); })*
                _out
            }
        }
    )*};
}

elements! {
    /// `<compiler>`: how this file is to be read and compiled.
    Compiler {
        autolimits: bool = "autolimits";
        boundmass: f64 = "boundmass";
        boundinertia: f64 = "boundinertia";
        settotalmass: f64 = "settotalmass";
        balanceinertia: bool = "balanceinertia";
        strippath: bool = "strippath";
        coordinate: Coordinate = "coordinate";
        angle: Angle = "angle";
        fitaabb: bool = "fitaabb";
        eulerseq: String = "eulerseq";
        meshdir: String = "meshdir";
        texturedir: String = "texturedir";
        assetdir: String = "assetdir";
        discardvisual: bool = "discardvisual";
        usethread: bool = "usethread";
        fusestatic: bool = "fusestatic";
        inertiafromgeom: Tri = "inertiafromgeom";
        inertiagrouprange: [i32; 2] = "inertiagrouprange";
        saveinertial: bool = "saveinertial";
        alignfree: bool = "alignfree";
        exactmeshinertia: bool = "exactmeshinertia";
        + /// `<lengthrange>`.
        lengthrange: LengthRange;
    }
    /// `<compiler><lengthrange>`.
    LengthRange {
        mode: LRMode = "mode";
        useexisting: bool = "useexisting";
        uselimit: bool = "uselimit";
        accel: f64 = "accel";
        maxforce: f64 = "maxforce";
        timeconst: f64 = "timeconst";
        timestep: f64 = "timestep";
        inttotal: f64 = "inttotal";
        interval: f64 = "interval";
        tolrange: f64 = "tolrange";
    }
    /// `<option>`.
    OptionElement {
        timestep: f64 = "timestep";
        impratio: f64 = "impratio";
        tolerance: f64 = "tolerance";
        ls_tolerance: f64 = "ls_tolerance";
        noslip_tolerance: f64 = "noslip_tolerance";
        ccd_tolerance: f64 = "ccd_tolerance";
        sleep_tolerance: f64 = "sleep_tolerance";
        gravity: [f64; 3] = "gravity";
        wind: [f64; 3] = "wind";
        magnetic: [f64; 3] = "magnetic";
        density: f64 = "density";
        viscosity: f64 = "viscosity";
        o_margin: f64 = "o_margin";
        o_solref: Partial<2> = "o_solref";
        o_solimp: Partial<5> = "o_solimp";
        o_friction: Partial<5> = "o_friction";
        integrator: Integrator = "integrator";
        cone: ConeType = "cone";
        jacobian: JacobianType = "jacobian";
        solver: SolverType = "solver";
        iterations: i32 = "iterations";
        ls_iterations: i32 = "ls_iterations";
        noslip_iterations: i32 = "noslip_iterations";
        ccd_iterations: i32 = "ccd_iterations";
        sdf_iterations: i32 = "sdf_iterations";
        sdf_initpoints: i32 = "sdf_initpoints";
        actuatorgroupdisable: Vec<i32> = "actuatorgroupdisable";
        coulomb: CoulombMode = "coulomb";
        coulomb_tolerance: f64 = "coulomb_tolerance";
        coulomb_iterations: i32 = "coulomb_iterations";
        coulomb_bounce: f64 = "coulomb_bounce";
        coulomb_slop: f64 = "coulomb_slop";
        coulomb_correction: f64 = "coulomb_correction";
        + /// `<flag>`.
        flag: FlagElement;
    }
    /// `<option><flag>`: the first 19 switch features off, the rest switch some on.
    FlagElement {
        constraint: Enable = "constraint";
        equality: Enable = "equality";
        frictionloss: Enable = "frictionloss";
        limit: Enable = "limit";
        contact: Enable = "contact";
        spring: Enable = "spring";
        damper: Enable = "damper";
        gravity: Enable = "gravity";
        clampctrl: Enable = "clampctrl";
        warmstart: Enable = "warmstart";
        filterparent: Enable = "filterparent";
        actuation: Enable = "actuation";
        refsafe: Enable = "refsafe";
        sensor: Enable = "sensor";
        midphase: Enable = "midphase";
        eulerdamp: Enable = "eulerdamp";
        autoreset: Enable = "autoreset";
        nativeccd: Enable = "nativeccd";
        island: Enable = "island";
        override_: Enable = "override";
        energy: Enable = "energy";
        fwdinv: Enable = "fwdinv";
        invdiscrete: Enable = "invdiscrete";
        multiccd: Enable = "multiccd";
        sleep: Enable = "sleep";
    }
    /// `<size>`.
    SizeElement {
        memory: String = "memory";
        njmax: i32 = "njmax";
        nconmax: i32 = "nconmax";
        nstack: i32 = "nstack";
        nuserdata: i32 = "nuserdata";
        nkey: i32 = "nkey";
        nuser_body: i32 = "nuser_body";
        nuser_jnt: i32 = "nuser_jnt";
        nuser_geom: i32 = "nuser_geom";
        nuser_site: i32 = "nuser_site";
        nuser_cam: i32 = "nuser_cam";
        nuser_tendon: i32 = "nuser_tendon";
        nuser_actuator: i32 = "nuser_actuator";
        nuser_sensor: i32 = "nuser_sensor";
    }
    /// `<statistic>`.
    StatisticElement {
        meaninertia: f64 = "meaninertia";
        meanmass: f64 = "meanmass";
        meansize: f64 = "meansize";
        extent: f64 = "extent";
        center: [f64; 3] = "center";
    }
    /// `<visual>`.
    VisualElement {
        + /// `<global>`.
        global: GlobalElement;
        + /// `<quality>`.
        quality: QualityElement;
        + /// `<headlight>`.
        headlight: HeadlightElement;
        + /// `<map>`.
        map: MapElement;
        + /// `<scale>`.
        scale: ScaleElement;
        + /// `<rgba>`.
        rgba: RgbaElement;
    }
    /// `<visual><global>`.
    GlobalElement {
        cameraid: i32 = "cameraid";
        orthographic: bool = "orthographic";
        fovy: f32 = "fovy";
        ipd: f32 = "ipd";
        azimuth: f32 = "azimuth";
        elevation: f32 = "elevation";
        linewidth: f32 = "linewidth";
        glow: f32 = "glow";
        offwidth: i32 = "offwidth";
        offheight: i32 = "offheight";
        realtime: f32 = "realtime";
        ellipsoidinertia: bool = "ellipsoidinertia";
        bvactive: bool = "bvactive";
    }
    /// `<visual><quality>`.
    QualityElement {
        shadowsize: i32 = "shadowsize";
        offsamples: i32 = "offsamples";
        numslices: i32 = "numslices";
        numstacks: i32 = "numstacks";
        numquads: i32 = "numquads";
    }
    /// `<visual><headlight>`.
    HeadlightElement {
        ambient: [f32; 3] = "ambient";
        diffuse: [f32; 3] = "diffuse";
        specular: [f32; 3] = "specular";
        active: i32 = "active";
    }
    /// `<visual><map>`.
    MapElement {
        stiffness: f32 = "stiffness";
        stiffnessrot: f32 = "stiffnessrot";
        force: f32 = "force";
        torque: f32 = "torque";
        alpha: f32 = "alpha";
        fogstart: f32 = "fogstart";
        fogend: f32 = "fogend";
        znear: f32 = "znear";
        zfar: f32 = "zfar";
        haze: f32 = "haze";
        shadowclip: f32 = "shadowclip";
        shadowscale: f32 = "shadowscale";
        actuatortendon: f32 = "actuatortendon";
    }
    /// `<visual><scale>`.
    ScaleElement {
        forcewidth: f32 = "forcewidth";
        contactwidth: f32 = "contactwidth";
        contactheight: f32 = "contactheight";
        connect: f32 = "connect";
        com: f32 = "com";
        camera: f32 = "camera";
        light: f32 = "light";
        selectpoint: f32 = "selectpoint";
        jointlength: f32 = "jointlength";
        jointwidth: f32 = "jointwidth";
        actuatorlength: f32 = "actuatorlength";
        actuatorwidth: f32 = "actuatorwidth";
        framelength: f32 = "framelength";
        framewidth: f32 = "framewidth";
        constraint: f32 = "constraint";
        slidercrank: f32 = "slidercrank";
        frustum: f32 = "frustum";
    }
    /// `<visual><rgba>`.
    RgbaElement {
        fog: [f32; 4] = "fog";
        haze: [f32; 4] = "haze";
        force: [f32; 4] = "force";
        inertia: [f32; 4] = "inertia";
        joint: [f32; 4] = "joint";
        actuator: [f32; 4] = "actuator";
        actuatornegative: [f32; 4] = "actuatornegative";
        actuatorpositive: [f32; 4] = "actuatorpositive";
        com: [f32; 4] = "com";
        camera: [f32; 4] = "camera";
        light: [f32; 4] = "light";
        selectpoint: [f32; 4] = "selectpoint";
        connect: [f32; 4] = "connect";
        contactpoint: [f32; 4] = "contactpoint";
        contactforce: [f32; 4] = "contactforce";
        contactfriction: [f32; 4] = "contactfriction";
        contacttorque: [f32; 4] = "contacttorque";
        contactgap: [f32; 4] = "contactgap";
        rangefinder: [f32; 4] = "rangefinder";
        constraint: [f32; 4] = "constraint";
        slidercrank: [f32; 4] = "slidercrank";
        crankbroken: [f32; 4] = "crankbroken";
        frustum: [f32; 4] = "frustum";
        bv: [f32; 4] = "bv";
        bvactive: [f32; 4] = "bvactive";
    }
    /// `<asset><mesh>`.
    Mesh {
        name: String = "name";
        content_type: String = "content_type";
        file: String = "file";
        vertex: Vec<f32> = "vertex";
        normal: Vec<f32> = "normal";
        texcoord: Vec<f32> = "texcoord";
        face: Vec<i32> = "face";
        refpos: [f64; 3] = "refpos";
        refquat: [f64; 4] = "refquat";
        scale: [f64; 3] = "scale";
        smoothnormal: bool = "smoothnormal";
        maxhullvert: i32 = "maxhullvert";
        inertia: MeshInertia = "inertia";
        builtin: MeshBuiltin = "builtin";
        params: Vec<f64> = "params";
        material: String = "material";
    }
    /// `<asset><hfield>`.
    HField {
        name: String = "name";
        content_type: String = "content_type";
        file: String = "file";
        nrow: i32 = "nrow";
        ncol: i32 = "ncol";
        size: [f64; 4] = "size";
        elevation: Vec<f32> = "elevation";
    }
    /// `<asset><texture>`.
    Texture {
        name: String = "name";
        type_: TextureType = "type";
        colorspace: ColorSpace = "colorspace";
        content_type: String = "content_type";
        file: String = "file";
        gridsize: [i32; 2] = "gridsize";
        gridlayout: String = "gridlayout";
        fileright: String = "fileright";
        fileleft: String = "fileleft";
        fileup: String = "fileup";
        filedown: String = "filedown";
        filefront: String = "filefront";
        fileback: String = "fileback";
        builtin: Builtin = "builtin";
        rgb1: [f64; 3] = "rgb1";
        rgb2: [f64; 3] = "rgb2";
        mark: Mark = "mark";
        markrgb: [f64; 3] = "markrgb";
        random: f64 = "random";
        width: i32 = "width";
        height: i32 = "height";
        hflip: bool = "hflip";
        vflip: bool = "vflip";
        nchannel: i32 = "nchannel";
    }
    /// `<asset><material>`.
    Material {
        name: String = "name";
        texture: String = "texture";
        texrepeat: [f32; 2] = "texrepeat";
        texuniform: bool = "texuniform";
        emission: f32 = "emission";
        specular: f32 = "specular";
        shininess: f32 = "shininess";
        reflectance: f32 = "reflectance";
        metallic: f32 = "metallic";
        roughness: f32 = "roughness";
        rgba: [f32; 4] = "rgba";
        + /// `<layer>` children.
        layers: Vec<Layer>;
    }
    /// `<material><layer>`.
    Layer {
        texture: String = "texture";
        role: TextureRole = "role";
    }
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
        + /// Children in document order.
        children: Vec<crate::spec::Child>;
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
        children: Vec<crate::spec::Child>;
    }
    /// `<replicate>`: its contents, repeated.
    Replicate {
        count: i32 = "count";
        offset: [f64; 3] = "offset";
        euler: [f64; 3] = "euler";
        sep: String = "sep";
        childclass: String = "childclass";
        + /// Children in document order.
        children: Vec<crate::spec::Child>;
    }
    /// `<attach>`: a body of another model.
    Attach {
        model: String = "model";
        body: String = "body";
        prefix: String = "prefix";
    }
    /// `<asset><model>`: another model to attach from.
    ModelAsset {
        name: String = "name";
        file: String = "file";
        content_type: String = "content_type";
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
}
