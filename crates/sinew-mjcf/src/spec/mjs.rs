//! The elements of edited models, MuJoCo's `mjs`: tables for callers that keep their own objects.
//!
//! Most attributes follow from the tables of `elements`. The tables here add the attributes that
//! MJCF writes as other elements, as several attributes, or not at all.

use crate::spec::elements::*;
use crate::spec::keywords::*;
use crate::spec::kind::{Kind, Preset, Row};
use crate::spec::sensor_kinds::{CONTACT_FIELDS, RAY_FIELDS};
use sinew_model::enums::*;

/// A kind of element of edited models.
#[derive(Clone, Debug)]
pub struct Record {
    /// Name of the kind, as in `add_geom`.
    pub name: &'static str,
    /// Attributes of the kind.
    pub rows: Vec<Row>,
}

/// Declares kinds of elements: the tables of their attributes, and additional attributes by name
/// and type. The name in MJCF follows a comma; the default follows `=>`, if not zero or empty.
macro_rules! records {
    ($($name:literal: $($table:ident)* {
        $($field:ident: $kind:expr $(, $xml:literal)? $(=> [$($x:expr),*])? $(=> $text:literal)?;)*
    })*) => {
        /// All kinds of elements, with their attributes.
        pub fn records() -> Vec<Record> {
            vec![$(Record {
                name: $name,
                rows: [
                    $($table::ROWS,)*
                    &[$(Row {
                        name: Some(stringify!($field)),
                        xml: records!(@xml $($xml)?),
                        kind: $kind,
                        preset: || records!(@preset $([$($x),*])? $($text)?),
                    },)*][..],
                ].concat(),
            }),*]
        }
    };
    (@xml) => { None };
    (@xml $xml:literal) => { Some($xml) };
    (@preset) => { Preset::Numbers(Vec::new()) };
    (@preset [$($x:expr),*]) => { Preset::Numbers(vec![$($x),*]) };
    (@preset $text:literal) => { Preset::Text($text) };
}

/// The value of a number that is not set.
const NONE: f64 = f64::NAN;

records! {
    "body": Body {
        childclass: Kind::Text, "childclass";
        alt: Kind::Orientation;
        mass: Kind::Real;
        ipos: Kind::Reals(3) => [NONE];
        iquat: Kind::Reals(4) => [1.0];
        inertia: Kind::Reals(3);
        ialt: Kind::Orientation;
        fullinertia: Kind::Reals(6) => [NONE];
        explicitinertial: Kind::Flag;
        plugin: Kind::Plugin;
        info: Kind::Text;
    }
    "frame": Frame {
        childclass: Kind::Text, "childclass";
        alt: Kind::Orientation;
        info: Kind::Text;
    }
    "geom": Geom {
        alt: Kind::Orientation;
        plugin: Kind::Plugin;
        info: Kind::Text;
    }
    "joint": Joint {
        align: Kind::Words("tri"), "align" => [2.0];
        info: Kind::Text;
    }
    "site": Site {
        alt: Kind::Orientation;
        info: Kind::Text;
    }
    "camera": Camera {
        alt: Kind::Orientation;
        intrinsic: Kind::Singles(4);
        info: Kind::Text;
    }
    "light": Light {
        info: Kind::Text;
    }
    "flex": Flex FlexContact FlexElasticity FlexEdge {
        size: Kind::Reals(3);
        node: Kind::RealList;
        info: Kind::Text;
    }
    "mesh": Mesh {
        needsdf: Kind::Flag;
        userfacenormal: Kind::IntegerList, "facenormal";
        userfacetexcoord: Kind::IntegerList, "facetexcoord";
        plugin: Kind::Plugin;
        info: Kind::Text;
    }
    "hfield": HField {
        userdata: Kind::SingleList;
        info: Kind::Text;
    }
    "skin": Skin {
        bodyname: Kind::TextList;
        bindpos: Kind::SingleList;
        bindquat: Kind::SingleList;
        vertid: Kind::IntegerLists;
        vertweight: Kind::SingleLists;
        info: Kind::Text;
    }
    "texture": Texture {
        gridlayout: Kind::Characters(12), "gridlayout" => "............";
        cubefiles: Kind::TextList => ",,,,,";
        data: Kind::Bytes;
        info: Kind::Text;
    }
    "material": Material {
        textures: Kind::TextList => ",,,,,,,,,";
        info: Kind::Text;
    }
    "pair": Pair {
        info: Kind::Text;
    }
    "exclude": Exclude {
        info: Kind::Text;
    }
    "equality": Equality {
        type: Kind::Enum("mjtEq");
        data: Kind::Reals(11) => [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        name1: Kind::Text;
        name2: Kind::Text;
        objtype: Kind::Enum("mjtObj");
        info: Kind::Text;
    }
    "tendon": Tendon {
        info: Kind::Text;
    }
    "actuator": Actuator {
        trntype: Kind::Enum("mjtTrn") => [f64::from(TrnType::Undefined.0)];
        target: Kind::Text;
        plugin: Kind::Plugin;
        info: Kind::Text;
    }
    "sensor": Sensor {
        type: Kind::Enum("mjtSensor");
        objtype: Kind::Enum("mjtObj");
        objname: Kind::Text;
        reftype: Kind::Enum("mjtObj");
        refname: Kind::Text;
        intprm: Kind::Integers(3);
        datatype: Kind::Enum("mjtDataType");
        needstage: Kind::Enum("mjtStage") => [f64::from(Stage::Acc.0)];
        dim: Kind::Integer;
        plugin: Kind::Plugin;
        info: Kind::Text;
    }
    "numeric": Numeric {
        info: Kind::Text;
    }
    "text": Text {
        info: Kind::Text;
    }
    "tuple": Tuple {
        objtype: Kind::IntegerList;
        objname: Kind::TextList;
        objprm: Kind::RealList;
        info: Kind::Text;
    }
    "key": Key {
        info: Kind::Text;
    }
    "plugin": {
        name: Kind::Text;
        plugin_name: Kind::Text;
        active: Kind::Flag;
        info: Kind::Text;
    }
    "wrap": {
        type: Kind::Enum("mjtWrap");
        info: Kind::Text;
    }
    "orientation": {
        type: Kind::Enum("mjtOrientation");
        axisangle: Kind::Reals(4);
        xyaxes: Kind::Reals(6);
        zaxis: Kind::Reals(3);
        euler: Kind::Reals(3);
    }
    "compiler": Compiler {
        degree: Kind::Flag => [1.0];
        eulerseq: Kind::Characters(3), "eulerseq" => "xyz";
    }
    "spec": SizeElement {
        strippath: Kind::Flag;
        memory: Kind::Integer => [-1.0];
        nemax: Kind::Integer;
        modelname: Kind::Text => "MuJoCo Model";
        comment: Kind::Text;
        modelfiledir: Kind::Text;
        hasImplicitPluginElem: Kind::Flag;
    }
}

/// The keywords of a type with their numbers, by the name of the type in edited models.
fn table<K: Keyword>() -> (&'static str, Vec<(&'static str, i32)>) {
    let name = match K::KIND {
        Kind::Enum(name) | Kind::Words(name) => name,
        _ => "bool",
    };
    (name, K::WORDS.iter().map(|(word, value)| (*word, value.number())).collect())
}

/// Keywords and their numbers by the name of their type, for callers in other languages.
pub fn keyword_tables() -> Vec<(&'static str, Vec<(&'static str, i32)>)> {
    let words = |list: &[(&'static str, usize)]| {
        list.iter().enumerate().map(|(i, (word, _))| (*word, i as i32)).collect()
    };
    vec![
        table::<bool>(),
        table::<SleepPolicy>(),
        table::<JointType>(),
        table::<GeomType>(),
        table::<Projection>(),
        table::<CamLight>(),
        table::<LightType>(),
        table::<Integrator>(),
        table::<ConeType>(),
        table::<JacobianType>(),
        table::<SolverType>(),
        table::<TextureType>(),
        table::<ColorSpace>(),
        table::<DynType>(),
        table::<GainType>(),
        table::<BiasType>(),
        table::<Stage>(),
        table::<DataType>(),
        table::<LRMode>(),
        table::<MeshInertia>(),
        table::<FlexSelf>(),
        table::<Elastic2d>(),
        table::<Tri>(),
        table::<Interp>(),
        table::<Conflict>(),
        table::<TextureRole>(),
        table::<Builtin>(),
        table::<Mark>(),
        table::<Reduce>(),
        ("mjtGeomInertia", table::<bool>().1),
        ("mjtEq", Equality::NAMES.iter().map(|(word, kind)| (*word, kind.0)).collect()),
        ("camout", CamOut::WORDS.to_vec()),
        ("raydata", words(RAY_FIELDS)),
        ("condata", words(CONTACT_FIELDS)),
    ]
}
