//! Settings of the whole model: `<compiler>`, `<option>`, `<size>`, `<visual>`, `<statistic>`.

use sinew_model::enums::*;

use crate::spec::attr::Partial;
use crate::spec::elements::declare::elements;
use crate::spec::keywords::*;

elements! {
    /// `<compiler>`: how this file is to be read and compiled.
    Compiler {
        autolimits: bool = "autolimits" or true;
        boundmass: f64 = "boundmass" or 0.0;
        boundinertia: f64 = "boundinertia" or 0.0;
        settotalmass: f64 = "settotalmass" or -1.0;
        balanceinertia: bool = "balanceinertia" or false;
        strippath: bool = "strippath";
        coordinate: Coordinate = "coordinate";
        angle: Angle = "angle";
        fitaabb: bool = "fitaabb" or false;
        eulerseq: String = "eulerseq";
        meshdir: String = "meshdir" or "";
        texturedir: String = "texturedir" or "";
        assetdir: String = "assetdir";
        discardvisual: bool = "discardvisual" or false;
        usethread: bool = "usethread" or true;
        fusestatic: bool = "fusestatic" or false;
        inertiafromgeom: Tri = "inertiafromgeom" or Tri::Auto;
        inertiagrouprange: [i32; 2] = "inertiagrouprange" or [0, 5];
        saveinertial: bool = "saveinertial" or false;
        alignfree: bool = "alignfree" or false;
        conflict: Conflict = "conflict" or Conflict::Warning;
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
        njmax: i32 = "njmax" or -1;
        nconmax: i32 = "nconmax" or -1;
        nstack: i32 = "nstack" or -1;
        nuserdata: i32 = "nuserdata" or 0;
        nkey: i32 = "nkey" or 0;
        nuser_body: i32 = "nuser_body" or -1;
        nuser_jnt: i32 = "nuser_jnt" or -1;
        nuser_geom: i32 = "nuser_geom" or -1;
        nuser_site: i32 = "nuser_site" or -1;
        nuser_cam: i32 = "nuser_cam" or -1;
        nuser_tendon: i32 = "nuser_tendon" or -1;
        nuser_actuator: i32 = "nuser_actuator" or -1;
        nuser_sensor: i32 = "nuser_sensor" or -1;
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
}
