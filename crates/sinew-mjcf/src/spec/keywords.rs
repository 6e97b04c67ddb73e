//! Keywords of MJCF and the values they stand for.

use sinew_model::enums::*;
use sinew_model::later::{
    BIAS_DCMOTOR, BIAS_SO3, DYN_DCMOTOR, DYN_PID, GAIN_DCMOTOR, GAIN_PID, GAIN_SO3,
};

use crate::spec::attr::{Value, ValueError};
use crate::spec::datum::Datum;
use crate::spec::kind::{Kind, Preset};

/// A type that has keywords.
pub(crate) trait Keyword: Value {
    /// Keywords and their values.
    const WORDS: &'static [(&'static str, Self)];

    /// MuJoCo's number.
    fn number(&self) -> i32;
}

/// Declares the keywords of types; after `as` the type in edited models.
macro_rules! keywords {
    ($($t:ty $(as $kind:ident $(($name:literal))?)? { $($word:literal => $value:expr,)* })*) => {$(
        impl Value for $t {
            type Given<'a> = $t;
            type Whole<'e> = $t;
            $(const KIND: Kind = Kind::$kind $(($name))?;)?

            fn whole(written: Option<&$t>, default: $t) -> $t {
                written.copied().unwrap_or(default)
            }
            fn preset(default: $t) -> Preset {
                Preset::Numbers(vec![f64::from(default.number())])
            }

            fn difference(value: $t, base: $t, _: bool) -> Option<String> {
                (value != base).then(|| value.write()).filter(|word| !word.is_empty())
            }

            fn given(given: $t) -> Self {
                given
            }
            fn parse(text: &str) -> Result<Self, ValueError> {
                match text {
                    $($word => Ok($value),)*
                    _ => Err(ValueError::Keyword {
                        found: text.to_owned(),
                        words: vec![$($word),*],
                    }),
                }
            }
            fn write(&self) -> String {
                $(if *self == $value { return $word.to_owned(); })*
                String::new()
            }
            fn datum(&self) -> Datum {
                match Self::KIND {
                    Kind::File => Datum::Text(self.write()),
                    _ => Datum::Integer(self.number()),
                }
            }
            fn of_datum(datum: &Datum) -> Result<Self, ValueError> {
                let number = match datum {
                    Datum::Integer(number) => *number,
                    Datum::Text(text) => return Self::parse(text),
                    _ => return Err(ValueError::Other("wanted an integer or a keyword".into())),
                };
                let found = Self::WORDS.iter().find(|(_, value)| value.number() == number);
                found.map(|(_, value)| *value).ok_or_else(|| ValueError::Keyword {
                    found: number.to_string(),
                    words: vec![$($word),*],
                })
            }
        }

        impl Keyword for $t {
            const WORDS: &'static [(&'static str, $t)] = &[$(($word, $value)),*];

            fn number(&self) -> i32 {
                Number::number(*self)
            }
        }
    )*};
}

/// The number of an enumeration's value, for open and closed enumerations.
trait Number {
    fn number(self) -> i32;
}

macro_rules! numbers {
    (open: $($open:ident)*; closed: $($closed:ident)*;) => {
        $(impl Number for $open {
            fn number(self) -> i32 {
                self.0.into()
            }
        })*
        $(impl Number for $closed {
            fn number(self) -> i32 {
                self as i32
            }
        })*
    };
}

/// `false`, `true` or `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tri {
    /// Off.
    False,
    /// On.
    True,
    /// Decided from the other attributes.
    Auto,
}

/// `enable` or `disable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enable(pub bool);

/// `degree` or `radian`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Angle {
    /// Degrees: MJCF's default.
    Degree,
    /// Radians.
    Radian,
}

/// `local` or `global`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinate {
    /// The only one that is supported.
    Local,
    /// No longer supported by MuJoCo.
    Global,
}

/// The treatment of settings that an attached model has, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// The outer model's settings count.
    Warning,
    /// The settings are united.
    Merge,
    /// The settings are an error.
    Error,
}

/// Interpolation of delayed signals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interp(pub i32);

/// Shape used by the fluid model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FluidShape {
    /// Inertia box of the body.
    None,
    /// Ellipsoid of the geom.
    Ellipsoid,
}

/// Whether and how friction is exact; MuJoCo has no such option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoulombMode {
    /// MuJoCo's soft contacts.
    Off,
    /// Coulomb's law.
    Exact,
    /// The convex relaxation.
    Convex,
}

/// How a contact sensor reduces the contacts it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduce(pub i32);

/// Shape of a flexcomp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlexcompType {
    /// A lattice of one, two or three dimensions.
    Grid,
    /// A box with points on its surface.
    Box,
    /// The box, pressed into a cylinder.
    Cylinder,
    /// The box, pressed into an ellipsoid.
    Ellipsoid,
    /// A lattice of two dimensions.
    Square,
    /// The lattice, pressed into a disc.
    Disc,
    /// A closed line.
    Circle,
    /// The triangles of a mesh file.
    Mesh,
    /// The elements of a GMSH file.
    Gmsh,
    /// Points and elements as written.
    Direct,
}

/// How the points of a flexcomp move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlexcompDof {
    /// Along three axes.
    Full,
    /// Away from the centre.
    Radial,
    /// With the eight corners of the box around them.
    Trilinear,
    /// With the corners and midpoints of that box.
    Quadratic,
}

/// Which elasticity a flex of two dimensions has: bits 1 for bending, 2 for stretching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elastic2d(pub i32);

/// Constraints that hold the edges of a flexcomp: 0 none, 1 of edges, 2 of vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlexEquality(pub i32);

/// Type of a composite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompositeType {
    /// Removed from MuJoCo.
    Particle,
    /// Removed from MuJoCo.
    Grid,
    /// Removed from MuJoCo.
    Rope,
    /// Removed from MuJoCo.
    Loop,
    /// A chain of bodies.
    Cable,
    /// Removed from MuJoCo.
    Cloth,
}

/// Which joints of a composite are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// All there are.
    Main,
}

keywords! {
    FlexcompType {
        "grid" => FlexcompType::Grid,
        "box" => FlexcompType::Box,
        "cylinder" => FlexcompType::Cylinder,
        "ellipsoid" => FlexcompType::Ellipsoid,
        "square" => FlexcompType::Square,
        "disc" => FlexcompType::Disc,
        "circle" => FlexcompType::Circle,
        "mesh" => FlexcompType::Mesh,
        "gmsh" => FlexcompType::Gmsh,
        "direct" => FlexcompType::Direct,
    }
    FlexcompDof {
        "full" => FlexcompDof::Full,
        "radial" => FlexcompDof::Radial,
        "trilinear" => FlexcompDof::Trilinear,
        "quadratic" => FlexcompDof::Quadratic,
    }
    FlexSelf as Words("flexself") {
        "none" => FlexSelf::None,
        "narrow" => FlexSelf::Narrow,
        "bvh" => FlexSelf::Bvh,
        "sap" => FlexSelf::Sap,
        "auto" => FlexSelf::Auto,
    }
    Elastic2d as Words("elastic2d") {
        "none" => Elastic2d(0), "bend" => Elastic2d(1), "stretch" => Elastic2d(2),
        "both" => Elastic2d(3),
    }
    FlexEquality {
        "false" => FlexEquality(0), "true" => FlexEquality(1), "vert" => FlexEquality(2),
    }
    CompositeType {
        "particle" => CompositeType::Particle,
        "grid" => CompositeType::Grid,
        "rope" => CompositeType::Rope,
        "loop" => CompositeType::Loop,
        "cable" => CompositeType::Cable,
        "cloth" => CompositeType::Cloth,
    }
    JointKind { "main" => JointKind::Main, }
    bool as Flag { "false" => false, "true" => true, }
    Tri as Words("tri") { "false" => Tri::False, "true" => Tri::True, "auto" => Tri::Auto, }
    Enable { "disable" => Enable(false), "enable" => Enable(true), }
    Angle { "radian" => Angle::Radian, "degree" => Angle::Degree, }
    Coordinate { "local" => Coordinate::Local, "global" => Coordinate::Global, }
    Conflict as Words("conflict") {
        "warning" => Conflict::Warning, "merge" => Conflict::Merge, "error" => Conflict::Error,
    }
    Interp as Words("interp") { "zoh" => Interp(0), "linear" => Interp(1), "cubic" => Interp(2), }
    FluidShape { "none" => FluidShape::None, "ellipsoid" => FluidShape::Ellipsoid, }
    CoulombMode {
        "off" => CoulombMode::Off, "exact" => CoulombMode::Exact, "convex" => CoulombMode::Convex,
    }
    Reduce as Words("reduce") {
        "none" => Reduce(0), "mindist" => Reduce(1), "maxforce" => Reduce(2),
        "netforce" => Reduce(3),
    }
    SleepPolicy as Enum("mjtSleepPolicy") {
        "auto" => SleepPolicy::Auto,
        "never" => SleepPolicy::Never,
        "allowed" => SleepPolicy::Allowed,
        "init" => SleepPolicy::Init,
    }
    JointType as Enum("mjtJoint") {
        "free" => JointType::Free,
        "ball" => JointType::Ball,
        "slide" => JointType::Slide,
        "hinge" => JointType::Hinge,
    }
    GeomType as Enum("mjtGeom") {
        "plane" => GeomType::Plane,
        "hfield" => GeomType::Hfield,
        "sphere" => GeomType::Sphere,
        "capsule" => GeomType::Capsule,
        "ellipsoid" => GeomType::Ellipsoid,
        "cylinder" => GeomType::Cylinder,
        "box" => GeomType::Box,
        "mesh" => GeomType::Mesh,
        "sdf" => GeomType::Sdf,
    }
    Projection as Enum("mjtProjection") {
        "perspective" => Projection::Perspective,
        "orthographic" => Projection::Orthographic,
    }
    CamLight as Enum("mjtCamLight") {
        "fixed" => CamLight::Fixed,
        "track" => CamLight::Track,
        "trackcom" => CamLight::Trackcom,
        "targetbody" => CamLight::Targetbody,
        "targetbodycom" => CamLight::Targetbodycom,
    }
    LightType as Enum("mjtLightType") {
        "spot" => LightType::Spot,
        "directional" => LightType::Directional,
        "point" => LightType::Point,
        "image" => LightType::Image,
    }
    TextureRole as Words("texrole") {
        "rgb" => TextureRole::Rgb,
        "occlusion" => TextureRole::Occlusion,
        "roughness" => TextureRole::Roughness,
        "metallic" => TextureRole::Metallic,
        "normal" => TextureRole::Normal,
        "opacity" => TextureRole::Opacity,
        "emissive" => TextureRole::Emissive,
        "rgba" => TextureRole::Rgba,
        "orm" => TextureRole::Orm,
    }
    Integrator as Enum("mjtIntegrator") {
        "Euler" => Integrator::Euler,
        "RK4" => Integrator::Rk4,
        "implicit" => Integrator::Implicit,
        "implicitfast" => Integrator::Implicitfast,
    }
    ConeType as Enum("mjtCone") {
        "pyramidal" => ConeType::Pyramidal,
        "elliptic" => ConeType::Elliptic,
    }
    JacobianType as Enum("mjtJacobian") {
        "dense" => JacobianType::Dense,
        "sparse" => JacobianType::Sparse,
        "auto" => JacobianType::Auto,
    }
    SolverType as Enum("mjtSolver") {
        "PGS" => SolverType::Pgs,
        "CG" => SolverType::Cg,
        "Newton" => SolverType::Newton,
    }
    TextureType as Enum("mjtTexture") {
        "2d" => TextureType::T2d,
        "cube" => TextureType::Cube,
        "skybox" => TextureType::Skybox,
    }
    ColorSpace as Enum("mjtColorSpace") {
        "auto" => ColorSpace::Auto,
        "linear" => ColorSpace::Linear,
        "sRGB" => ColorSpace::Srgb,
    }
    Builtin as Words("builtin") {
        "none" => Builtin::None,
        "gradient" => Builtin::Gradient,
        "checker" => Builtin::Checker,
        "flat" => Builtin::Flat,
    }
    Mark as Words("mark") {
        "none" => Mark::None,
        "edge" => Mark::Edge,
        "cross" => Mark::Cross,
        "random" => Mark::Random,
    }
    DynType as Enum("mjtDyn") {
        "none" => DynType::None,
        "integrator" => DynType::Integrator,
        "filter" => DynType::Filter,
        "filterexact" => DynType::Filterexact,
        "muscle" => DynType::Muscle,
        "dcmotor" => DYN_DCMOTOR,
        "pid" => DYN_PID,
        "user" => DynType::User,
    }
    GainType as Enum("mjtGain") {
        "fixed" => GainType::Fixed,
        "affine" => GainType::Affine,
        "muscle" => GainType::Muscle,
        "dcmotor" => GAIN_DCMOTOR,
        "pid" => GAIN_PID,
        "so3" => GAIN_SO3,
        "user" => GainType::User,
    }
    BiasType as Enum("mjtBias") {
        "none" => BiasType::None,
        "affine" => BiasType::Affine,
        "muscle" => BiasType::Muscle,
        "dcmotor" => BIAS_DCMOTOR,
        "so3" => BIAS_SO3,
        "user" => BiasType::User,
    }
    Stage as Enum("mjtStage") {
        "none" => Stage::None,
        "pos" => Stage::Pos,
        "vel" => Stage::Vel,
        "acc" => Stage::Acc,
    }
    DataType as Enum("mjtDataType") {
        "real" => DataType::Real,
        "positive" => DataType::Positive,
        "axis" => DataType::Axis,
        "quaternion" => DataType::Quaternion,
    }
    LRMode as Enum("mjtLRMode") {
        "none" => LRMode::None,
        "muscle" => LRMode::Muscle,
        "muscleuser" => LRMode::Muscleuser,
        "all" => LRMode::All,
    }
    MeshInertia as Enum("mjtMeshInertia") {
        "convex" => MeshInertia::Convex,
        "legacy" => MeshInertia::Legacy,
        "exact" => MeshInertia::Exact,
        "shell" => MeshInertia::Shell,
    }
    MeshBuiltin {
        "none" => MeshBuiltin::None,
        "sphere" => MeshBuiltin::Sphere,
        "hemisphere" => MeshBuiltin::Hemisphere,
        "cone" => MeshBuiltin::Cone,
        "supertorus" => MeshBuiltin::Supertorus,
        "supersphere" => MeshBuiltin::Supersphere,
        "wedge" => MeshBuiltin::Wedge,
        "plate" => MeshBuiltin::Plate,
    }
}

numbers! {
    open:
        FlexSelf Elastic2d FlexEquality Interp Reduce SleepPolicy JointType GeomType
        Projection CamLight LightType TextureRole Integrator ConeType JacobianType
        SolverType TextureType ColorSpace Builtin Mark DynType GainType BiasType Stage
        DataType LRMode MeshInertia MeshBuiltin Enable;
    closed:
        Angle Conflict Coordinate FluidShape CoulombMode FlexcompType FlexcompDof CompositeType
        JointKind Tri bool;
}

/// Several keywords in one attribute, as a set of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits<K>(pub i32, core::marker::PhantomData<K>);

/// A keyword that stands for one bit of a set.
pub trait BitWord {
    /// Keywords and their bits.
    const WORDS: &'static [(&'static str, i32)];
}

impl<K: BitWord + Clone + 'static> Value for Bits<K> {
    type Given<'a> = i32;
    type Whole<'e> = i32;
    const KIND: Kind = Kind::Integer;

    fn whole(written: Option<&Self>, default: i32) -> i32 {
        written.map_or(default, |bits| bits.0)
    }
    fn preset(default: i32) -> Preset {
        Preset::Numbers(vec![f64::from(default)])
    }

    fn difference(value: i32, base: i32, _: bool) -> Option<String> {
        (value != base).then(|| Self::given(value).write()).filter(|words| !words.is_empty())
    }

    fn given(given: i32) -> Self {
        Bits(given, core::marker::PhantomData)
    }

    fn parse(text: &str) -> Result<Self, ValueError> {
        let mut bits = 0;
        let mut seen: Vec<&str> = Vec::new();
        for word in text.split_ascii_whitespace() {
            let found =
                K::WORDS.iter().find(|(w, _)| *w == word).ok_or_else(|| ValueError::Keyword {
                    found: word.to_owned(),
                    words: K::WORDS.iter().map(|(w, _)| *w).collect(),
                })?;
            if seen.contains(&word) {
                return Err(ValueError::Repeated { word: word.to_owned() });
            }
            seen.push(word);
            bits |= found.1;
        }
        Ok(Bits(bits, core::marker::PhantomData))
    }
    fn write(&self) -> String {
        let set = K::WORDS.iter().filter(|(_, bit)| self.0 & bit != 0).map(|(w, _)| *w);
        set.collect::<Vec<_>>().join(" ")
    }
    fn datum(&self) -> Datum {
        Datum::Integer(self.0)
    }
    fn of_datum(datum: &Datum) -> Result<Self, ValueError> {
        match datum {
            Datum::Integer(bits) => {
                Ok(Self::given(bits & K::WORDS.iter().fold(0, |all, (_, bit)| all | bit)))
            }
            Datum::Text(text) => Self::parse(text),
            _ => Err(ValueError::Other("wanted an integer or keywords".into())),
        }
    }
}

/// Outputs of a camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CamOut;

impl BitWord for CamOut {
    const WORDS: &'static [(&'static str, i32)] = &[
        ("rgb", CamOutBit::Rgb.0),
        ("depth", CamOutBit::Depth.0),
        ("distance", CamOutBit::Dist.0),
        ("normal", CamOutBit::Normal.0),
        ("segmentation", CamOutBit::Seg.0),
    ];
}

/// Kinds of objects by the words that stand for them.
pub const OBJECTS: &[(&str, ObjType)] = &[
    ("body", ObjType::Body),
    ("xbody", ObjType::Xbody),
    ("joint", ObjType::Joint),
    ("dof", ObjType::Dof),
    ("geom", ObjType::Geom),
    ("site", ObjType::Site),
    ("camera", ObjType::Camera),
    ("light", ObjType::Light),
    ("flex", ObjType::Flex),
    ("mesh", ObjType::Mesh),
    ("skin", ObjType::Skin),
    ("hfield", ObjType::Hfield),
    ("texture", ObjType::Texture),
    ("material", ObjType::Material),
    ("pair", ObjType::Pair),
    ("exclude", ObjType::Exclude),
    ("equality", ObjType::Equality),
    ("tendon", ObjType::Tendon),
    ("actuator", ObjType::Actuator),
    ("sensor", ObjType::Sensor),
    ("numeric", ObjType::Numeric),
    ("text", ObjType::Text),
    ("tuple", ObjType::Tuple),
    ("key", ObjType::Key),
    ("plugin", ObjType::Plugin),
];

/// The kind of object a word stands for.
#[doc(alias = "mju_str2Type")]
pub(crate) fn object_type(word: &str) -> Option<ObjType> {
    OBJECTS.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind)
}

/// The word that stands for a kind of object.
pub(crate) fn object_word(kind: ObjType) -> Option<&'static str> {
    OBJECTS.iter().find(|(_, k)| *k == kind).map(|(word, _)| *word)
}
