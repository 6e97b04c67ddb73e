//! Registers the names of all objects, as often as they change.

use sinew_model::enums::{ObjType, TextureType};

use crate::actuator_kinds::ActuatorSettings;
use crate::compile::assets::source::asset_name;
use crate::compile::cx::Cx;
use crate::compile::names::word;
use crate::compile::objects::pair::{ExcludeRec, PairRec};
use crate::spec::{Attr, Head, Key, Mesh, Span, Texture};

/// Registers all names of a kind; a repeated one is reported.
fn register(cx: &mut Cx<'_>, kind: ObjType, named: Vec<(String, Span)>) {
    let spans: Vec<Span> = named.iter().map(|(_, span)| *span).collect();
    let names = named.into_iter().map(|(name, _)| name).collect();
    if let Some(name) = cx.names.set(kind, names) {
        let word = word(kind);
        let first = cx.names.list(kind).iter().position(|n| *n == name);
        let last = cx.names.get(kind, &name);
        let [first, last] = [first, last].map(|id| id.and_then(|id| spans.get(id)).copied());
        let text = format!("repeated name '{name}' in {word}");
        cx.diag.error("repeated-name", last.unwrap_or_default(), text);
        cx.diag.first(first.unwrap_or_default());
    }
}

/// Name and place of an element.
fn named(name: &Attr<String>, head: &Head) -> (String, Span) {
    (name.text().to_owned(), head.span)
}

/// Registers the names of everything in the kinematic tree.
pub(crate) fn register_world(cx: &mut Cx<'_>) {
    let w = &cx.world;
    let bodies = w.bodies.iter().map(|b| (b.name.clone(), b.head.span)).collect();
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

/// Registers the elements that the merger of bodies has changed. Geoms and sites have new places,
/// but MuJoCo looks for them at the old ones.
pub(crate) fn register_merged(cx: &mut Cx<'_>) {
    let w = &cx.world;
    let bodies = w.bodies.iter().map(|b| (b.name.clone(), b.head.span)).collect();
    let geoms = w.geoms.iter().map(|r| r.elem.name.text().to_owned()).collect();
    let sites = w.sites.iter().map(|r| r.elem.name.text().to_owned()).collect();
    let cameras = w.cameras.iter().map(|r| named(&r.elem.name, &r.elem.head)).collect();
    let lights = w.lights.iter().map(|r| named(&r.elem.name, &r.elem.head)).collect();
    cx.names.reorder(ObjType::Geom, geoms);
    cx.names.reorder(ObjType::Site, sites);
    register(cx, ObjType::Body, bodies);
    register(cx, ObjType::Camera, cameras);
    register(cx, ObjType::Light, lights);
}

/// Warns of names that lead to another object than the one so called.
pub(crate) fn warn_mistaken(cx: &mut Cx<'_>) {
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
pub(crate) fn register_meshes(cx: &mut Cx<'_>) {
    let of = |e: &Mesh| (asset_name(&e.name, &e.file), e.head.span);
    let meshes = cx.mesh_elems.iter().map(of).collect();
    register(cx, ObjType::Mesh, meshes);
}

/// Registers the names of all assets and of everything outside the kinematic tree.
pub(crate) fn register_others(cx: &mut Cx<'_>, keys: &[Key]) {
    let spec = cx.spec;
    register_meshes(cx);
    let hfields = spec.hfields.iter().map(|e| (asset_name(&e.name, &e.file), e.head.span));
    register(cx, ObjType::Hfield, hfields.collect());
    let textures = spec.textures.iter().map(|e| (asset_name(&e.name, &e.file), e.head.span));
    register(cx, ObjType::Texture, textures.collect());
    register(
        cx,
        ObjType::Material,
        spec.materials.iter().map(|e| named(&e.name, &e.head)).collect(),
    );
    if cx.settings[0].discardvisual {
        // their names must differ all the same
        for kind in [ObjType::Texture, ObjType::Material] {
            cx.names.set(kind, Vec::new());
        }
    }
    register(cx, ObjType::Flex, spec.flexes.iter().map(|e| named(&e.name, &e.head)).collect());
    let skins = spec.skins.iter().map(|e| (asset_name(&e.name, &e.file), e.head.span));
    register(cx, ObjType::Skin, skins.collect());
    register(cx, ObjType::Pair, spec.pairs.iter().map(|e| named(&e.name, &e.head)).collect());
    register(cx, ObjType::Exclude, spec.excludes.iter().map(|e| named(&e.name, &e.head)).collect());
    register(
        cx,
        ObjType::Equality,
        spec.equalities.iter().map(|e| named(&e.name, &e.head)).collect(),
    );
    register(cx, ObjType::Tendon, spec.tendons.iter().map(|e| named(&e.name, &e.head)).collect());
    let actuators = spec.actuators.iter().flat_map(|e| {
        // further rows of an actuator have no name
        let mut set = ActuatorSettings::of(cx.defaults.actuators(&e.head));
        set.add(e);
        let others = (1..set.rows()).map(|_| (String::new(), e.head.span));
        core::iter::once(named(&e.name, &e.head)).chain(others)
    });
    let actuators = actuators.collect();
    register(cx, ObjType::Actuator, actuators);
    register(cx, ObjType::Sensor, spec.sensors.iter().map(|e| named(&e.name, &e.head)).collect());
    register(cx, ObjType::Numeric, spec.numerics.iter().map(|e| named(&e.name, &e.head)).collect());
    register(cx, ObjType::Text, spec.texts.iter().map(|e| named(&e.name, &e.head)).collect());
    register(cx, ObjType::Tuple, spec.tuples.iter().map(|e| named(&e.name, &e.head)).collect());
    register(cx, ObjType::Key, keys.iter().map(|e| named(&e.name, &e.head)).collect());
    let plugins = cx.plugins.names();
    register(cx, ObjType::Plugin, plugins);
    let frames = cx.world.frames.clone();
    register(cx, ObjType::Frame, frames);
    check_asset_names(cx);
}

/// Registers pairs and exclusions again after they were sorted.
pub(crate) fn register_pairs(cx: &mut Cx<'_>, pairs: &[PairRec], excludes: &[ExcludeRec]) {
    let pairs = pairs.iter().map(|p| (p.elem.name.text().to_owned(), p.elem.head.span));
    register(cx, ObjType::Pair, pairs.collect());
    let excludes = excludes.iter().map(|e| (e.name.clone(), Span::default()));
    register(cx, ObjType::Exclude, excludes.collect());
}

/// Reports assets without a name, which nothing could refer to.
fn check_asset_names(cx: &mut Cx<'_>) {
    let spec = cx.spec;
    let skybox = |e: &&Texture| e.values().type_() != TextureType::Skybox;
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
