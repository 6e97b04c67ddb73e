//! The editable model: MJCF as a tree in which every attribute is written or not.

pub mod attr;
pub mod datum;
pub mod elements;
mod input;
pub mod keywords;
pub mod kind;
pub mod mjs;
mod poly;
pub mod sensor_kinds;

pub use attr::{Attr, ClassId, Head, OneOrTwo, Partial, Span, Values, Words};
pub use elements::*;
pub use input::Input;
pub use keywords::*;
pub use poly::Poly;
pub use sinew_model::enums::MeshBuiltin;

/// A model before compilation.
///
/// After loading, `include` and `asset/model` are resolved; [`Child::Replicate`] and
/// [`Child::Attach`] are still in the tree and are expanded by the compiler's first pass.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// The files it was read from.
    pub sources: Vec<Source>,
    /// `<mujoco model="...">`.
    pub modelname: Attr<String>,
    /// A comment at the top of the file, which MuJoCo's style writes.
    pub comment: String,
    /// Whether elements and classes have all the values of their classes: a class is then only a
    /// name and a base for writing. A model from plain data is complete.
    pub complete: bool,
    /// Compiler settings: first the model's own, then the settings of models attached to it.
    pub scopes: Vec<Scope>,
    /// `<option>`, merged over all occurrences.
    pub option: OptionElement,
    /// `<size>`, merged.
    pub size: SizeElement,
    /// `<visual>`, merged.
    pub visual: VisualElement,
    /// `<statistic>`, merged.
    pub statistic: StatisticElement,
    /// Default classes; the first is `main`. A parent comes before its children.
    pub defaults: Vec<DefaultClass>,
    /// `<extension><plugin>`.
    pub extensions: Vec<Extension>,
    /// `<asset><mesh>`.
    pub meshes: Vec<Mesh>,
    /// `<asset><hfield>`.
    pub hfields: Vec<HField>,
    /// `<asset><texture>`.
    pub textures: Vec<Texture>,
    /// `<asset><material>`.
    pub materials: Vec<Material>,
    /// `<asset><model>`, loaded.
    pub models: Vec<SubModel>,
    /// `<worldbody>`, merged.
    pub world: Body,
    /// `<deformable><flex>`, and flexes of `<flexcomp>`.
    pub flexes: Vec<Flex>,
    /// `<skin>`, and skins of `<composite>`.
    pub skins: Vec<Skin>,
    /// `<contact><pair>`.
    pub pairs: Vec<Pair>,
    /// `<contact><exclude>`.
    pub excludes: Vec<Exclude>,
    /// `<equality>`.
    pub equalities: Vec<Equality>,
    /// `<tendon>`.
    pub tendons: Vec<Tendon>,
    /// `<actuator>`.
    pub actuators: Vec<Actuator>,
    /// `<sensor>`.
    pub sensors: Vec<Sensor>,
    /// `<custom><numeric>`.
    pub numerics: Vec<Numeric>,
    /// `<custom><text>`.
    pub texts: Vec<Text>,
    /// `<custom><tuple>`.
    pub tuples: Vec<Tuple>,
    /// `<keyframe>`.
    pub keys: Vec<Key>,
    /// The first name that only later versions of MuJoCo than 3.5 know.
    pub(crate) later: Option<Span>,
    /// The last identity that an element got.
    pub(crate) last_id: u32,
}

/// A file that was read, for diagnostics.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Path as the user would write it; empty for a model given as a string.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// The `<include>` that brought it in.
    pub included: Option<Span>,
    /// If it is a place in code, its line, counted from 1; 0 for a file that was read.
    pub line: u32,
    /// If it is a place in code, its column.
    pub column: u32,
}

impl Spec {
    /// Moves all places to a list of sources to which the model's own were added after `by` others.
    pub(crate) fn shift_places(&mut self, by: u32) {
        // the tree
        fn children(list: &mut [Child], by: u32) {
            for child in list {
                match child {
                    Child::Body(e) => {
                        e.shift_places(by);
                        e.alt.shift(by);
                        children(&mut e.children, by);
                    }
                    Child::Frame(e) => {
                        e.shift_places(by);
                        e.alt.shift(by);
                        children(&mut e.children, by);
                    }
                    Child::Replicate(e) => {
                        e.shift_places(by);
                        children(&mut e.children, by);
                    }
                    Child::Attach(e) => e.shift_places(by),
                    Child::Inertial(e) => e.shift_places(by),
                    Child::Joint(e) => e.shift_places(by),
                    Child::FreeJoint(e) => e.shift_places(by),
                    Child::Geom(e) => e.shift_places(by),
                    Child::Site(e) => e.shift_places(by),
                    Child::Camera(e) => e.shift_places(by),
                    Child::Light(e) => e.shift_places(by),
                }
            }
        }
        children(&mut self.world.children, by);

        self.later.iter_mut().for_each(|span| span.shift(by));

        // assets
        self.meshes.iter_mut().for_each(|e| e.shift_places(by));
        self.hfields.iter_mut().for_each(|e| e.shift_places(by));
        self.textures.iter_mut().for_each(|e| e.shift_places(by));
        self.materials.iter_mut().for_each(|e| e.shift_places(by));
        self.flexes.iter_mut().for_each(|e| e.shift_places(by));
        self.skins.iter_mut().for_each(|e| e.shift_places(by));

        // objects that refer to the tree
        self.pairs.iter_mut().for_each(|e| e.shift_places(by));
        self.excludes.iter_mut().for_each(|e| e.shift_places(by));
        self.equalities.iter_mut().for_each(|e| e.shift_places(by));
        self.tendons.iter_mut().for_each(|e| e.shift_places(by));
        self.actuators.iter_mut().for_each(|e| e.shift_places(by));
        self.sensors.iter_mut().for_each(|e| e.shift_places(by));
        self.numerics.iter_mut().for_each(|e| e.shift_places(by));
        self.texts.iter_mut().for_each(|e| e.shift_places(by));
        self.tuples.iter_mut().for_each(|e| e.shift_places(by));
        self.keys.iter_mut().for_each(|e| e.shift_places(by));
    }
}

/// The settings under which a file's elements are to be understood.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// `<compiler>`, merged over all occurrences in the file.
    pub compiler: Compiler,
    /// Folder of the model file, against which asset paths are resolved.
    pub dir: std::path::PathBuf,
}

/// A model that can be attached.
#[derive(Clone, Debug, Default)]
pub struct SubModel {
    /// The element that names it.
    pub asset: ModelAsset,
    /// The model itself.
    pub spec: Spec,
}

/// A default class: attributes as written in it, without its parents' attributes.
#[derive(Clone, Debug, Default)]
pub struct DefaultClass {
    /// Name of the class.
    pub name: String,
    /// Place in the file.
    pub span: Span,
    /// The class it inherits from; none for `main`.
    pub parent: Option<ClassId>,
    /// `<mesh>`.
    pub mesh: Mesh,
    /// `<material>`.
    pub material: Material,
    /// `<joint>`.
    pub joint: Joint,
    /// `<geom>`.
    pub geom: Geom,
    /// `<site>`.
    pub site: Site,
    /// `<camera>`.
    pub camera: Camera,
    /// `<light>`.
    pub light: Light,
    /// `<pair>`.
    pub pair: Pair,
    /// `<equality>`.
    pub equality: Equality,
    /// `<tendon>`.
    pub tendon: Tendon,
    /// `<general>`, `<motor>`, ...: all kinds write one record, in document order.
    pub actuators: Vec<Actuator>,
    /// `<sensor>` (an extension): noise and cutoff.
    pub sensor: Sensor,
}

/// Bytes of memory that `<size memory>` gives: none if it leaves the choice (`-1`, as signed or
/// unsigned number, or empty).
pub fn memory_bytes(text: &str) -> Result<Option<u64>, attr::ValueError> {
    let wrong = || attr::ValueError::Range { word: text.to_owned() };

    // one word, of which -1 leaves the choice
    let mut words = text.split_ascii_whitespace();
    let Some(word) = words.next() else { return Ok(None) };
    if words.next().is_some() {
        return Err(wrong());
    } else if word == "-1" {
        return Ok(None);
    }

    // digits and a suffix that multiplies by a power of 1024
    let word = word.strip_prefix('+').unwrap_or(word);
    let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
    let base: u64 = digits.parse().map_err(|_| wrong())?;
    if base == u64::MAX {
        return Ok(None);
    }
    let bits = match &word[digits.len()..] {
        "" => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        "T" | "t" => 40,
        "P" | "p" => 50,
        "E" | "e" => 60,
        _ => return Err(wrong()),
    };
    if base > (u64::MAX >> bits) { Err(wrong()) } else { Ok(Some(base << bits)) }
}
