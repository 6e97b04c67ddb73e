//! Names of objects: looking them up while compiling, and storing them in the model.

use core::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use sinew_model::Model;
use sinew_model::enums::{ObjType, TextureType};
use sinew_model::ids::Char;

use crate::compile::assets::asset_name;
use crate::compile::cx::Cx;
use crate::compile::pair::{ExcludeRec, PairRec};
use crate::files::base_name;
use crate::spec::{Attr, Head, Key, Mesh, Span, Texture};

/// Ids by kind and name.
#[derive(Debug, Default)]
pub struct Names {
    /// One map for each kind; only ever asked for a key, never walked.
    ids: Vec<HashMap<String, usize>>,
    /// All names of each kind, by id.
    lists: Vec<Vec<String>>,
    /// Names that were looked up and belong to another object than the one found.
    mistaken: RefCell<BTreeSet<(usize, String)>>,
}

impl Names {
    /// Replaces the names of one kind; their positions are their ids. Of several objects of the
    /// same name the last is found. Returns the first repeated name in alphabetical order.
    pub fn set(&mut self, kind: ObjType, names: Vec<String>) -> Option<String> {
        let slot = slot(kind);
        if self.ids.len() <= slot {
            self.ids.resize_with(slot + 1, HashMap::new);
            self.lists.resize_with(slot + 1, Vec::new);
        }
        let map = &mut self.ids[slot];
        map.clear();
        let mut repeated: Option<String> = None;
        for (id, name) in names.iter().enumerate() {
            let again = map.insert(name.clone(), id).is_some();
            if again && !name.is_empty() && repeated.as_ref().is_none_or(|r| name < r) {
                repeated = Some(name.clone());
            }
        }
        self.lists[slot] = names;
        repeated
    }

    /// The id of the object called `name`; an empty name is found where MuJoCo finds it: nowhere.
    pub fn get(&self, kind: ObjType, name: &str) -> Option<usize> {
        if name.is_empty() {
            return None;
        }
        let slot = slot(kind);
        let id = self.ids.get(slot)?.get(name).copied()?;
        if self.lists[slot].get(id).is_some_and(|found| found != name) {
            self.mistaken.borrow_mut().insert((slot, name.to_owned()));
        }
        Some(id)
    }

    /// The objects of a kind have been sorted anew. As in MuJoCo, a name still leads to the place
    /// where its object was; `mistaken` tells when that matters.
    pub fn reorder(&mut self, kind: ObjType, names: Vec<String>) {
        self.lists[slot(kind)] = names;
    }

    /// Only some objects of a kind are kept; `ids` has their new places.
    pub fn retain(&mut self, kind: ObjType, keep: &[bool], ids: &[usize]) {
        let mut kept = keep.iter();
        self.lists[slot(kind)].retain(|_| kept.next().copied().unwrap_or(true));
        let map = &mut self.ids[slot(kind)];
        map.retain(|_, id| keep[*id]);
        map.values_mut().for_each(|id| *id = ids[*id]);
    }

    /// What was looked up and led to another object: its kind, its name, and what was found.
    pub fn mistaken(&self) -> Vec<(ObjType, String, String)> {
        let list = self.mistaken.borrow();
        let told = list.iter().filter_map(|(slot, name)| {
            let kind = ObjType(i32::try_from(*slot).ok()?);
            let found = &self.lists[*slot][*self.ids[*slot].get(name)?];
            Some((kind, name.clone(), found.clone()))
        });
        told.collect()
    }

    /// All names of one kind, by id.
    pub fn list(&self, kind: ObjType) -> &[String] {
        self.lists.get(slot(kind)).map_or(&[], Vec::as_slice)
    }

    /// The name most like `name`, if there is one that is near.
    pub fn nearest(&self, kind: ObjType, name: &str) -> Option<&str> {
        let score = |other: &str| strsim::jaro_winkler(name, other);
        let best = self
            .list(kind)
            .iter()
            .filter(|n| !n.is_empty())
            .max_by(|a, b| score(a).total_cmp(&score(b)))?;
        (score(best) > 0.75).then_some(best.as_str())
    }
}

/// Where a kind's names are kept; bodies and their inertial frames share one list.
fn slot(kind: ObjType) -> usize {
    let kind = if kind == ObjType::Xbody { ObjType::Body } else { kind };
    usize::try_from(kind.0).unwrap_or(0)
}

/// Kinds of named objects in the order in which the model stores their names, with MuJoCo's words
/// for them.
const KINDS: [(ObjType, &str); 23] = [
    (ObjType::Body, "body"),
    (ObjType::Joint, "joint"),
    (ObjType::Geom, "geom"),
    (ObjType::Site, "site"),
    (ObjType::Camera, "camera"),
    (ObjType::Light, "light"),
    (ObjType::Flex, "flex"),
    (ObjType::Mesh, "mesh"),
    (ObjType::Skin, "skin"),
    (ObjType::Hfield, "hfield"),
    (ObjType::Texture, "texture"),
    (ObjType::Material, "material"),
    (ObjType::Pair, "pair"),
    (ObjType::Exclude, "exclude"),
    (ObjType::Equality, "equality"),
    (ObjType::Tendon, "tendon"),
    (ObjType::Actuator, "actuator"),
    (ObjType::Sensor, "sensor"),
    (ObjType::Numeric, "numeric"),
    (ObjType::Text, "text"),
    (ObjType::Tuple, "tuple"),
    (ObjType::Key, "key"),
    (ObjType::Plugin, "plugin"),
];

/// MuJoCo's word for a kind.
fn word(kind: ObjType) -> &'static str {
    KINDS.iter().find(|(k, _)| *k == kind).map_or("frame", |(_, word)| word)
}

/// Slots of the hash map per name.
const LOAD: usize = 2;

/// Name of a model that has none.
const MODEL_NAME: &str = "MuJoCo Model";

/// Registers all names of a kind; a repeated one is reported.
fn register(cx: &mut Cx<'_>, kind: ObjType, named: Vec<(String, Span)>) {
    let spans: Vec<Span> = named.iter().map(|(_, span)| *span).collect();
    let names = named.into_iter().map(|(name, _)| name).collect();
    if let Some(name) = cx.names.set(kind, names) {
        let word = word(kind);
        let last = cx.names.get(kind, &name).and_then(|id| spans.get(id)).copied();
        let text = format!("repeated name '{name}' in {word}");
        cx.diag.error("repeated-name", last.unwrap_or_default(), text);
    }
}

/// Registers the names of everything in the kinematic tree.
pub fn register_world(cx: &mut Cx<'_>) {
    let w = &cx.world;
    let bodies = w.bodies.iter().map(|b| (b.name.clone(), b.head.span)).collect();
    let named = |name: &Attr<String>, head: &Head| (name.text().to_owned(), head.span);
    let joints = w.joints.iter().map(|r| named(&r.elem.name, &r.elem.head)).collect();
    let geoms = w.geoms.iter().map(|r| named(&r.elem.name, &r.elem.head)).collect();
    let sites = w.sites.iter().map(|r| named(&r.elem.name, &r.elem.head)).collect();
    let cameras = w.cameras.iter().map(|r| named(&r.elem.name, &r.elem.head)).collect();
    let lights = w.lights.iter().map(|r| named(&r.elem.name, &r.elem.head)).collect();
    register(cx, ObjType::Body, bodies);
    register(cx, ObjType::Joint, joints);
    register(cx, ObjType::Geom, geoms);
    register(cx, ObjType::Site, sites);
    register(cx, ObjType::Camera, cameras);
    register(cx, ObjType::Light, lights);
}

/// Registers what the merger of bodies has changed. Geoms and sites have new places, but MuJoCo
/// looks for them at the old ones.
pub fn register_merged(cx: &mut Cx<'_>) {
    let w = &cx.world;
    let bodies = w.bodies.iter().map(|b| (b.name.clone(), b.head.span)).collect();
    let geoms = w.geoms.iter().map(|r| r.elem.name.text().to_owned()).collect();
    let sites = w.sites.iter().map(|r| r.elem.name.text().to_owned()).collect();
    let named = |name: &Attr<String>, head: &Head| (name.text().to_owned(), head.span);
    let cameras = w.cameras.iter().map(|r| named(&r.elem.name, &r.elem.head)).collect();
    let lights = w.lights.iter().map(|r| named(&r.elem.name, &r.elem.head)).collect();
    cx.names.reorder(ObjType::Geom, geoms);
    cx.names.reorder(ObjType::Site, sites);
    register(cx, ObjType::Body, bodies);
    register(cx, ObjType::Camera, cameras);
    register(cx, ObjType::Light, lights);
}

/// Warns of names that lead to another object than the one so called.
pub fn warn_mistaken(cx: &mut Cx<'_>) {
    for (kind, name, found) in cx.names.mistaken() {
        let (geoms, sites) = (&cx.world.geoms, &cx.world.sites);
        let span = match kind {
            ObjType::Geom => {
                geoms.iter().find(|r| r.elem.name.text() == name).map(|r| r.elem.head.span)
            }
            _ => sites.iter().find(|r| r.elem.name.text() == name).map(|r| r.elem.head.span),
        };
        let kind = word(kind);
        let text = format!(
            "MuJoCo 3.5.0, and so Sinew, takes {kind} '{found}' for '{name}': fusestatic merges \
             bodies and changes the order of what they hold, but not where names lead"
        );
        cx.diag.warn("fused-name", span.unwrap_or_default(), text);
        cx.diag.help("leave fusestatic off, or merge the bodies in the file");
    }
}

/// Registers the meshes that are in the model.
pub fn register_meshes(cx: &mut Cx<'_>) {
    let of = |e: &Mesh| (asset_name(&e.name, &e.file), e.head.span);
    let meshes = cx.mesh_elems.iter().map(of).collect();
    register(cx, ObjType::Mesh, meshes);
}

/// Registers the names of all assets and of everything outside the kinematic tree.
pub fn register_others(cx: &mut Cx<'_>, keys: &[Key]) {
    let spec = cx.spec;
    register_meshes(cx);
    macro_rules! list {
        ($list:expr) => {
            $list.iter().map(|e| (e.name.text().to_owned(), e.head.span)).collect()
        };
    }
    let hfields = spec.hfields.iter().map(|e| (asset_name(&e.name, &e.file), e.head.span));
    register(cx, ObjType::Hfield, hfields.collect());
    let textures = spec.textures.iter().map(|e| (asset_name(&e.name, &e.file), e.head.span));
    register(cx, ObjType::Texture, textures.collect());
    register(cx, ObjType::Material, list!(spec.materials));
    if cx.settings[0].discardvisual {
        // their names must differ all the same
        for kind in [ObjType::Texture, ObjType::Material] {
            cx.names.set(kind, Vec::new());
        }
    }
    register(cx, ObjType::Pair, list!(spec.pairs));
    register(cx, ObjType::Exclude, list!(spec.excludes));
    register(cx, ObjType::Equality, list!(spec.equalities));
    register(cx, ObjType::Tendon, list!(spec.tendons));
    register(cx, ObjType::Actuator, list!(spec.actuators));
    register(cx, ObjType::Sensor, list!(spec.sensors));
    register(cx, ObjType::Numeric, list!(spec.numerics));
    register(cx, ObjType::Text, list!(spec.texts));
    register(cx, ObjType::Tuple, list!(spec.tuples));
    register(cx, ObjType::Key, list!(keys));
    let frames = cx.world.frames.clone();
    register(cx, ObjType::Frame, frames);
    check_asset_names(cx);
}

/// Registers pairs and exclusions again after they were sorted.
pub fn register_pairs(cx: &mut Cx<'_>, pairs: &[PairRec], excludes: &[ExcludeRec]) {
    let pairs = pairs.iter().map(|p| (p.elem.name.text().to_owned(), p.elem.head.span));
    register(cx, ObjType::Pair, pairs.collect());
    let excludes = excludes.iter().map(|e| (e.name.clone(), Span::default()));
    register(cx, ObjType::Exclude, excludes.collect());
}

/// Reports assets without a name, which nothing could refer to.
fn check_asset_names(cx: &mut Cx<'_>) {
    let spec = cx.spec;
    let skybox = |e: &&Texture| e.type_.or(TextureType::Cube) != TextureType::Skybox;
    let textures = spec.textures.iter().filter(skybox);
    let named = (spec.meshes.iter().map(|e| (&e.name, &e.file, "mesh", e.head.span)))
        .chain(spec.hfields.iter().map(|e| (&e.name, &e.file, "height field", e.head.span)))
        .chain(textures.map(|e| (&e.name, &e.file, "texture", e.head.span)))
        .chain(spec.materials.iter().map(|e| (&e.name, &e.name, "material", e.head.span)));
    for (name, file, what, span) in named {
        if asset_name(name, file).is_empty() {
            cx.diag.error("compile", span, format!("empty name in {what}"));
        }
    }
}

/// All names in the order of the model, and the address of the first of each kind.
pub fn count_names(cx: &Cx<'_>, m: &mut Model) {
    let lists = KINDS.iter().flat_map(|(kind, _)| cx.names.list(*kind));
    let (mut count, mut bytes) = (0, model_name(cx).len() + 1);
    for name in lists {
        count += 1;
        bytes += name.len() + 1;
    }
    m.nnames = bytes;
    m.nnames_map = LOAD * count;
    let paths: usize = asset_paths(cx).flatten().map(|p| p.len() + 1).sum();
    m.npaths = paths.max(1);
}

fn model_name<'a>(cx: &Cx<'a>) -> &'a str {
    cx.spec.modelname.get().map_or(MODEL_NAME, String::as_str)
}

/// The files of height fields, meshes and textures as written; none where there is no file.
fn asset_paths<'c>(cx: &'c Cx<'_>) -> impl Iterator<Item = Option<&'c str>> {
    let spec = cx.spec;
    let strip = spec.scopes.first().is_some_and(|s| s.compiler.strippath.or(false));
    let textures = if cx.settings[0].discardvisual { &[][..] } else { &spec.textures[..] };
    let hfields = spec.hfields.iter().map(|e| e.file.text());
    let meshes = cx.mesh_elems.iter().map(|e| e.file.text());
    hfields.chain(meshes).chain(textures.iter().map(|e| e.file.text())).map(move |file| {
        let file = if strip { base_name(file) } else { file };
        (!file.is_empty()).then_some(file)
    })
}

/// Copies names and paths into the model.
pub fn store_names(cx: &Cx<'_>, m: &mut Model) {
    let mut bytes = model_name(cx).as_bytes().to_vec();
    bytes.push(0);
    m.names_map.fill(-1);
    let mut slots = 0;
    for (kind, _) in KINDS {
        let list = cx.names.list(kind);
        let Some(addresses) = addresses(m, kind) else { continue };
        for (id, name) in list.iter().enumerate() {
            addresses[id] = bytes.len() as i32;
            bytes.extend(name.as_bytes());
            bytes.push(0);
        }
        let map: &mut [i32] = &mut m.names_map;
        store_map(list, &mut map[slots..slots + LOAD * list.len()]);
        slots += LOAD * list.len();
    }
    put_chars(&mut m.names, &bytes);

    let mut bytes = Vec::new();
    let mut adr = Vec::new();
    for path in asset_paths(cx) {
        adr.push(path.map_or(-1, |_| bytes.len() as i32));
        if let Some(path) = path {
            bytes.extend(path.as_bytes());
            bytes.push(0);
        }
    }
    put_chars(&mut m.paths, &bytes);
    let (hfields, rest) = adr.split_at(m.nhfield);
    let (meshes, textures) = rest.split_at(m.nmesh);
    m.hfield_pathadr.copy_from_slice(hfields);
    m.mesh_pathadr.copy_from_slice(meshes);
    m.tex_pathadr.copy_from_slice(textures);
}

fn put_chars(to: &mut [Char], bytes: &[u8]) {
    for (to, from) in to.iter_mut().zip(bytes) {
        *to = Char(*from);
    }
}

/// Hash map from names to ids, with linear probing.
fn store_map(names: &[String], map: &mut [i32]) {
    for (id, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let mut slot = (hash(name) % map.len() as u64) as usize;
        while map[slot] != -1 {
            slot = (slot + 1) % map.len();
        }
        map[slot] = id as i32;
    }
}

/// Bernstein's hash of a name, over bytes as C's signed characters.
#[doc(alias = "mj_hashString")]
fn hash(name: &str) -> u64 {
    name.bytes().fold(5381, |h: u64, c| (h << 5).wrapping_add(h) ^ (c as i8 as i64 as u64))
}

/// Where the addresses of the names of a kind are stored.
fn addresses(m: &mut Model, kind: ObjType) -> Option<&mut [i32]> {
    Some(match kind {
        ObjType::Body => &mut m.name_bodyadr,
        ObjType::Joint => &mut m.name_jntadr,
        ObjType::Geom => &mut m.name_geomadr,
        ObjType::Site => &mut m.name_siteadr,
        ObjType::Camera => &mut m.name_camadr,
        ObjType::Light => &mut m.name_lightadr,
        ObjType::Mesh => &mut m.name_meshadr,
        ObjType::Hfield => &mut m.name_hfieldadr,
        ObjType::Texture => &mut m.name_texadr,
        ObjType::Material => &mut m.name_matadr,
        ObjType::Pair => &mut m.name_pairadr,
        ObjType::Exclude => &mut m.name_excludeadr,
        ObjType::Equality => &mut m.name_eqadr,
        ObjType::Tendon => &mut m.name_tendonadr,
        ObjType::Actuator => &mut m.name_actuatoradr,
        ObjType::Sensor => &mut m.name_sensoradr,
        ObjType::Numeric => &mut m.name_numericadr,
        ObjType::Text => &mut m.name_textadr,
        ObjType::Tuple => &mut m.name_tupleadr,
        ObjType::Key => &mut m.name_keyadr,
        _ => return None,
    })
}
