//! Options, statistics and visual settings, in MuJoCo's layout.

use sinew_math::Vec3;

use crate::enums::*;
use crate::record::records;

records! {
    /// Simulation options: the part of a model that may change between steps.
    Options {
        timestep: f64, "time step, seconds";
        impratio: f64, "impedance of friction relative to the normal direction";
        tolerance: f64, "tolerance of the solver";
        ls_tolerance: f64, "tolerance of the line search";
        noslip_tolerance: f64, "tolerance of the noslip solver";
        ccd_tolerance: f64, "tolerance of convex collision";
        sleep_tolerance: f64, "speed below which a tree may fall asleep";
        gravity: Vec3, "acceleration of gravity";
        wind: Vec3, "velocity of the medium";
        magnetic: Vec3, "magnetic flux";
        density: f64, "density of the medium";
        viscosity: f64, "viscosity of the medium";
        o_margin: f64, "margin of all contacts, with `override`";
        o_solref: [f64; 2], "reference of all contacts, with `override`";
        o_solimp: [f64; 5], "impedance of all contacts, with `override`";
        o_friction: [f64; 5], "friction of all contacts, with `override`";
        integrator: Integrator, "integrator";
        cone: ConeType, "friction cone";
        jacobian: JacobianType, "dense or sparse Jacobian";
        solver: SolverType, "constraint solver";
        iterations: i32, "most solver iterations";
        ls_iterations: i32, "most line-search iterations";
        noslip_iterations: i32, "most noslip iterations";
        ccd_iterations: i32, "most iterations of convex collision";
        disableflags: i32, "features switched off, as bits";
        enableflags: i32, "optional features switched on, as bits";
        disableactuator: i32, "actuator groups switched off, as bits";
        sdf_initpoints: i32, "starting points for collisions of distance fields";
        sdf_iterations: i32, "iterations for collisions of distance fields";
        pad_: i32, "unused; makes the size a multiple of eight";
    }
    /// Statistics of a model, which scale tolerances and visual sizes.
    Statistic {
        meaninertia: f64, "mean diagonal of M";
        meanmass: f64, "mean body mass";
        meansize: f64, "mean body size";
        extent: f64, "size of the model";
        center: Vec3, "centre of the model";
    }
    /// Visual settings: global.
    VisualGlobal {
        cameraid: i32, "cameraid";
        orthographic: i32, "orthographic";
        fovy: f32, "fovy";
        ipd: f32, "ipd";
        azimuth: f32, "azimuth";
        elevation: f32, "elevation";
        linewidth: f32, "linewidth";
        glow: f32, "glow";
        realtime: f32, "realtime";
        offwidth: i32, "offwidth";
        offheight: i32, "offheight";
        ellipsoidinertia: i32, "ellipsoidinertia";
        bvactive: i32, "bvactive";
    }
    /// Visual settings: quality.
    VisualQuality {
        shadowsize: i32, "shadowsize";
        offsamples: i32, "offsamples";
        numslices: i32, "numslices";
        numstacks: i32, "numstacks";
        numquads: i32, "numquads";
    }
    /// Visual settings: headlight.
    VisualHeadlight {
        ambient: [f32; 3], "ambient";
        diffuse: [f32; 3], "diffuse";
        specular: [f32; 3], "specular";
        active: i32, "active";
    }
    /// Visual settings: map.
    VisualMap {
        stiffness: f32, "stiffness";
        stiffnessrot: f32, "stiffnessrot";
        force: f32, "force";
        torque: f32, "torque";
        alpha: f32, "alpha";
        fogstart: f32, "fogstart";
        fogend: f32, "fogend";
        znear: f32, "znear";
        zfar: f32, "zfar";
        haze: f32, "haze";
        shadowclip: f32, "shadowclip";
        shadowscale: f32, "shadowscale";
        actuatortendon: f32, "actuatortendon";
    }
    /// Visual settings: scale.
    VisualScale {
        forcewidth: f32, "forcewidth";
        contactwidth: f32, "contactwidth";
        contactheight: f32, "contactheight";
        connect: f32, "connect";
        com: f32, "com";
        camera: f32, "camera";
        light: f32, "light";
        selectpoint: f32, "selectpoint";
        jointlength: f32, "jointlength";
        jointwidth: f32, "jointwidth";
        actuatorlength: f32, "actuatorlength";
        actuatorwidth: f32, "actuatorwidth";
        framelength: f32, "framelength";
        framewidth: f32, "framewidth";
        constraint: f32, "constraint";
        slidercrank: f32, "slidercrank";
        frustum: f32, "frustum";
    }
    /// Visual settings: rgba.
    VisualRgba {
        fog: [f32; 4], "fog";
        haze: [f32; 4], "haze";
        force: [f32; 4], "force";
        inertia: [f32; 4], "inertia";
        joint: [f32; 4], "joint";
        actuator: [f32; 4], "actuator";
        actuatornegative: [f32; 4], "actuatornegative";
        actuatorpositive: [f32; 4], "actuatorpositive";
        com: [f32; 4], "com";
        camera: [f32; 4], "camera";
        light: [f32; 4], "light";
        selectpoint: [f32; 4], "selectpoint";
        connect: [f32; 4], "connect";
        contactpoint: [f32; 4], "contactpoint";
        contactforce: [f32; 4], "contactforce";
        contactfriction: [f32; 4], "contactfriction";
        contacttorque: [f32; 4], "contacttorque";
        contactgap: [f32; 4], "contactgap";
        rangefinder: [f32; 4], "rangefinder";
        constraint: [f32; 4], "constraint";
        slidercrank: [f32; 4], "slidercrank";
        crankbroken: [f32; 4], "crankbroken";
        frustum: [f32; 4], "frustum";
        bv: [f32; 4], "bv";
        bvactive: [f32; 4], "bvactive";
    }
    /// Count and last argument of a warning.
    #[derive(Default)]
    WarningStat {
        lastinfo: i32, "what the last warning was about (an index)";
        number: i32, "how many times";
    }
    /// Statistics of one solver iteration.
    SolverStat {
        improvement: f64, "cost reduction, scaled";
        gradient: f64, "gradient norm, scaled";
        lineslope: f64, "slope at the end of the line search";
        nactive: i32, "number of active rows";
        nchange: i32, "number of rows that changed state";
        neval: i32, "number of cost evaluations in the line search";
        nupdate: i32, "number of Cholesky updates";
    }
    /// Time spent in a stage.
    #[derive(Default)]
    TimerStat {
        duration: f64, "total duration";
        number: i64, "number of calls";
    }
}

/// Visual settings.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Visual {
    /// Global settings.
    pub global: VisualGlobal,
    /// Rendering quality.
    pub quality: VisualQuality,
    /// Headlight.
    pub headlight: VisualHeadlight,
    /// Mapping from physical to visual quantities.
    pub map: VisualMap,
    /// Sizes of decor elements relative to the mean body size.
    pub scale: VisualScale,
    /// Colours of decor elements.
    pub rgba: VisualRgba,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            timestep: 0.002,
            impratio: 1.0,
            tolerance: 1e-8,
            ls_tolerance: 0.01,
            noslip_tolerance: 1e-6,
            ccd_tolerance: 1e-6,
            sleep_tolerance: 1e-4,
            gravity: Vec3::new(0.0, 0.0, -9.81),
            wind: Vec3::ZERO,
            magnetic: Vec3::new(0.0, -0.5, 0.0),
            density: 0.0,
            viscosity: 0.0,
            o_margin: 0.0,
            o_solref: DEFAULT_SOLREF,
            o_solimp: DEFAULT_SOLIMP,
            o_friction: [1.0, 1.0, 0.005, 0.0001, 0.0001],
            integrator: Integrator::Euler,
            cone: ConeType::Pyramidal,
            jacobian: JacobianType::Auto,
            solver: SolverType::Newton,
            iterations: 100,
            ls_iterations: 50,
            noslip_iterations: 0,
            ccd_iterations: 35,
            disableflags: 0,
            enableflags: 0,
            disableactuator: 0,
            sdf_initpoints: 40,
            sdf_iterations: 10,
            pad_: 0,
        }
    }
}

/// Maximum number of iterations of any solver. MuJoCo has no maximum; a model with 2^31 iterations
/// would never finish a step.
pub const MAX_ITERATIONS: i32 = 100_000;

/// Number of iterations that a solver with the limit `n` may make: 0 if negative, and at most
/// [`MAX_ITERATIONS`].
#[inline]
pub fn iterations(n: i32) -> usize {
    n.clamp(0, MAX_ITERATIONS) as usize
}

impl Options {
    /// Whether a feature is disabled.
    pub fn disabled(&self, bit: DisableBit) -> bool {
        self.disableflags & bit.0 != 0
    }

    /// Whether an optional feature is enabled.
    pub fn enabled(&self, bit: EnableBit) -> bool {
        self.enableflags & bit.0 != 0
    }
}

/// Default constraint reference: time constant and damping ratio.
pub const DEFAULT_SOLREF: [f64; 2] = [0.02, 1.0];

/// Default constraint impedance: dmin, dmax, width, midpoint, power.
pub const DEFAULT_SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

impl Default for Statistic {
    fn default() -> Self {
        Statistic {
            meaninertia: 1.0,
            meanmass: 1.0,
            meansize: 0.2,
            extent: 2.0,
            center: Vec3::ZERO,
        }
    }
}

#[rustfmt::skip]
impl Default for Visual {
    fn default() -> Self {
        Visual {
            global: VisualGlobal {
                cameraid: -1,
                orthographic: 0,
                fovy: 45.0,
                ipd: 0.068,
                azimuth: 90.0,
                elevation: -45.0,
                linewidth: 1.0,
                glow: 0.3,
                realtime: 1.0,
                offwidth: 640,
                offheight: 480,
                ellipsoidinertia: 0,
                bvactive: 1,
            },
            quality: VisualQuality {
                shadowsize: 4096,
                offsamples: 4,
                numslices: 28,
                numstacks: 16,
                numquads: 4,
            },
            headlight: VisualHeadlight {
                ambient: [0.1, 0.1, 0.1],
                diffuse: [0.4, 0.4, 0.4],
                specular: [0.5, 0.5, 0.5],
                active: 1,
            },
            map: VisualMap {
                stiffness: 100.0,
                stiffnessrot: 500.0,
                force: 0.005,
                torque: 0.1,
                alpha: 0.3,
                fogstart: 3.0,
                fogend: 10.0,
                znear: 0.01,
                zfar: 50.0,
                haze: 0.3,
                shadowclip: 1.0,
                shadowscale: 0.6,
                actuatortendon: 2.0,
            },
            scale: VisualScale {
                forcewidth: 0.1,
                contactwidth: 0.3,
                contactheight: 0.1,
                connect: 0.2,
                com: 0.4,
                camera: 0.3,
                light: 0.3,
                selectpoint: 0.2,
                jointlength: 1.0,
                jointwidth: 0.1,
                actuatorlength: 0.7,
                actuatorwidth: 0.2,
                framelength: 1.0,
                framewidth: 0.1,
                constraint: 0.1,
                slidercrank: 0.2,
                frustum: 10.0,
            },
            rgba: VisualRgba {
                fog: [0.0, 0.0, 0.0, 1.0],
                haze: [1.0, 1.0, 1.0, 1.0],
                force: [1.0, 0.5, 0.5, 1.0],
                inertia: [0.8, 0.2, 0.2, 0.6],
                joint: [0.2, 0.6, 0.8, 1.0],
                actuator: [0.2, 0.25, 0.2, 1.0],
                actuatornegative: [0.2, 0.6, 0.9, 1.0],
                actuatorpositive: [0.9, 0.4, 0.2, 1.0],
                com: [0.9, 0.9, 0.9, 1.0],
                camera: [0.6, 0.9, 0.6, 1.0],
                light: [0.6, 0.6, 0.9, 1.0],
                selectpoint: [0.9, 0.9, 0.1, 1.0],
                connect: [0.2, 0.2, 0.8, 1.0],
                contactpoint: [0.9, 0.6, 0.2, 1.0],
                contactforce: [0.7, 0.9, 0.9, 1.0],
                contactfriction: [0.9, 0.8, 0.4, 1.0],
                contacttorque: [0.9, 0.7, 0.9, 1.0],
                contactgap: [0.5, 0.8, 0.9, 1.0],
                rangefinder: [1.0, 1.0, 0.1, 1.0],
                constraint: [0.9, 0.0, 0.0, 1.0],
                slidercrank: [0.5, 0.3, 0.8, 1.0],
                crankbroken: [0.9, 0.0, 0.0, 1.0],
                frustum: [1.0, 1.0, 0.0, 0.2],
                bv: [0.0, 1.0, 0.0, 0.5],
                bvactive: [1.0, 0.0, 0.0, 0.5],
            },
        }
    }
}
