//! Names of objects and paths of assets in the model.

use sinew_model::Model;
use sinew_model::enums::ObjType;
use sinew_model::ids::Char;

use crate::compile::cx::Cx;
use crate::compile::names::KINDS;
use crate::files::base_name;

/// Slots of the hash map per name.
const LOAD: usize = 2;

/// Name of a model that has none.
const MODEL_NAME: &str = "MuJoCo Model";

/// All names in the order of the model, and the address of the first of each kind.
pub(crate) fn count_names(cx: &Cx<'_>, m: &mut Model) {
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

/// The files of height fields, meshes, skins and textures as written; none where there is no file.
fn asset_paths<'c>(cx: &'c Cx<'_>) -> impl Iterator<Item = Option<&'c str>> {
    let spec = cx.spec;
    let strip = spec.scopes.first().is_some_and(|s| s.compiler.strippath.or(false));
    let textures = if cx.settings[0].discardvisual { &[][..] } else { &spec.textures[..] };
    let hfields = spec.hfields.iter().map(|e| e.file.text());
    let meshes = cx.mesh_elems.iter().map(|e| e.file.text());
    let skins = spec.skins.iter().map(|e| e.file.text());
    hfields.chain(meshes).chain(skins).chain(textures.iter().map(|e| e.file.text())).map(
        move |file| {
            let file = if strip { base_name(file) } else { file };
            (!file.is_empty()).then_some(file)
        },
    )
}

/// Copies names and paths into the model.
pub(crate) fn store_names(cx: &Cx<'_>, m: &mut Model) {
    // names and their hash maps, kind after kind
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

    // paths of assets
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
    let (meshes, rest) = rest.split_at(m.nmesh);
    let (skins, textures) = rest.split_at(m.nskin);
    m.skin_pathadr.copy_from_slice(skins);
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
        ObjType::Flex => &mut m.name_flexadr,
        ObjType::Mesh => &mut m.name_meshadr,
        ObjType::Skin => &mut m.name_skinadr,
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
        ObjType::Plugin => &mut m.name_pluginadr,
        _ => return None,
    })
}
