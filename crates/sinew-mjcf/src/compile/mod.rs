//! From a `Spec` to a `Model`.
//!
//! [`compile`] is the table of contents. The kinematic tree is compiled first, fused and thinned
//! out if the settings say so. Then its ids are final, and the elements that refer to it follow.

mod assets;
mod cx;
mod deformable;
mod finish;
mod instances;
mod later;
mod limits;
mod names;
pub(crate) mod objects;
mod options;
mod plugins;
mod register;
mod rows;
mod tree;
mod world;

use std::sync::Arc;

use sinew_model::Model;

use crate::asset::hfield::CompiledHField;
use crate::asset::texture::CompiledTexture;
use crate::compile::assets::budget::check_budget;
use crate::compile::assets::material::MaterialRec;
use crate::compile::assets::{compile_assets, hfield, material, mesh, texture};
use crate::compile::cx::{Cx, NUser};
use crate::compile::deformable::flex::FlexRec;
use crate::compile::deformable::skin::SkinRec;
use crate::compile::deformable::{flex, skin, store as flex_store};
use crate::compile::finish::sparsity::{Dofs, link_dofs};
use crate::compile::finish::{constants, names as stored_names};
use crate::compile::instances::Instances;
use crate::compile::names::Names;
use crate::compile::objects::actuator::ActuatorRec;
use crate::compile::objects::custom::CustomRec;
use crate::compile::objects::equality::EqualityRec;
use crate::compile::objects::pair::{ExcludeRec, PairRec};
use crate::compile::objects::sensor::SensorRec;
use crate::compile::objects::tendon::TendonRec;
use crate::compile::objects::{actuator, custom, equality, keyframe, pair, sensor, tendon};
use crate::compile::options::{coulomb, option};
use crate::compile::tree::{body, camera, discard_visual, fuse, geom, joint, light, plant, site};
use crate::compile::world::World;
use crate::defaults::Defaults;
use crate::diag::Diagnostics;
use crate::files::Files;
use crate::options::{LoadOptions, Places};
use crate::settings::Settings;
use crate::spec::{Key, Mesh, Spec};

/// Maximum number of bodies: their ids are packed two into a signature.
const MAX_BODIES: usize = 65534;

/// Largest model, in bytes: a bound on memory.
const MAX_MODEL: usize = 1 << 32;

/// Maximum number of entries of user data, a quarter of a gigabyte: a few words ask for any number
/// of them.
const MAX_USER_NUMBERS: usize = 1 << 25;

/// Compiles an expanded model; `None` if there are errors, which are in `diag`.
pub(crate) fn compile(
    spec: &Spec,
    files: &Files<'_>,
    opts: &LoadOptions,
    diag: &mut Diagnostics,
) -> Option<(Model, Places)> {
    let mut cx = new_context(spec, opts, diag);
    plugins::collect(&mut cx);
    plant::plant(&mut cx);
    let keys = keyframe::list_keys(&mut cx);
    if cx.world.bodies.len() + spec.flexes.len() >= MAX_BODIES {
        let text = format!("number of bodies plus flexes must be less than {MAX_BODIES}");
        cx.diag.error("compile", spec.world.head.span, text);
        return None;
    }
    if !cx.world.bodies[0].joints.is_empty() {
        cx.diag.error("compile", spec.world.head.span, "joint found in world body");
    }
    register::register_world(&mut cx);
    register::register_others(&mut cx, &keys);
    plugins::check_settings(&mut cx);
    plugins::check_elements(&mut cx);

    // assets, which geoms need
    geom::resolve_assets(&mut cx);
    site::resolve_assets(&mut cx);
    count_user_data(&mut cx);
    if !check_budget(&mut cx) {
        return None;
    }
    let (textures, hfields) = compile_assets(&mut cx, files);

    // the kinematic tree
    body::compile_bodies(&mut cx);
    if cx.settings[0].fusestatic {
        fuse::fuse_static(&mut cx);
        register::register_merged(&mut cx);
    }
    body::check_free_joints(&mut cx);
    if cx.settings[0].discardvisual {
        discard_visual::discard_visual(&mut cx);
        register::register_meshes(&mut cx);
    }
    body::build_bvh(&mut cx);

    let flexes = flex::compile_flexes(&mut cx);
    let skins = skin::compile_skins(&mut cx, files);
    let assets = Assets { flexes, skins, hfields, textures };
    let parts = compile_parts(&mut cx, keys, assets);
    register::warn_mistaken(&mut cx);
    if !cx.diag.failed() {
        body::check_masses(&mut cx);
    }
    if cx.diag.failed() {
        return None;
    }
    let mut model = assemble(&mut cx, &parts)?;
    plugins::start(&mut cx, &mut model);
    option::check_sizes(&mut cx, &model);
    if cx.diag.failed() {
        return None;
    }
    constants::finish(&mut cx, &mut model);
    let places = places(&cx);
    (!cx.diag.failed()).then_some((model, places))
}

/// Where the objects of the tree, and the meshes, were written.
fn places(cx: &Cx<'_>) -> Places {
    let w = &cx.world;
    Places {
        body: w.bodies.iter().map(|b| b.head.span).collect(),
        joint: w.joints.iter().map(|r| r.elem.head.span).collect(),
        geom: w.geoms.iter().map(|r| r.elem.head.span).collect(),
        site: w.sites.iter().map(|r| r.elem.head.span).collect(),
        camera: w.cameras.iter().map(|r| r.elem.head.span).collect(),
        light: w.lights.iter().map(|r| r.elem.head.span).collect(),
        mesh: cx.mesh_elems.iter().map(|e| e.head.span).collect(),
    }
}

fn new_context<'a>(spec: &'a Spec, opts: &'a LoadOptions, diag: &'a mut Diagnostics) -> Cx<'a> {
    let mut settings: Vec<Settings> =
        spec.scopes.iter().map(|scope| Settings::new(&scope.compiler)).collect();
    if settings.is_empty() {
        settings.push(Settings::new(&crate::spec::Compiler::default()));
    }
    let defaults = Defaults::new(spec);
    let mesh_elems: Vec<Mesh> = spec.meshes.iter().map(|e| defaults.mesh(e)).collect();
    Cx {
        spec,
        opts,
        diag,
        settings,
        defaults,
        names: Names::default(),
        world: World::default(),
        meshes: Vec::with_capacity(mesh_elems.len()),
        mesh_elems,
        hfield_sizes: spec.hfields.iter().map(|e| e.values().size()).collect(),
        nuser: NUser::default(),
        plugins: Instances::default(),
    }
}

/// Numbers of user data per element: `nuser_*` if it is written, else the length of the longest
/// list.
fn count_user_data(cx: &mut Cx<'_>) {
    let (size, w) = (&cx.spec.size, &cx.world);

    // the written number, or the length of the longest list
    let count = |written: i32, longest: Option<usize>| match usize::try_from(written) {
        Ok(n) => n,
        Err(_) => longest.unwrap_or(0),
    };
    let len = |user: &crate::spec::Attr<Vec<f64>>| user.get().map_or(0, Vec::len);
    let nuser = NUser {
        body: count(size.values().nuser_body(), w.bodies.iter().map(|b| b.user.len()).max()),
        jnt: count(size.values().nuser_jnt(), w.joints.iter().map(|r| len(&r.elem.user)).max()),
        geom: count(size.values().nuser_geom(), w.geoms.iter().map(|r| len(&r.elem.user)).max()),
        site: count(size.values().nuser_site(), w.sites.iter().map(|r| len(&r.elem.user)).max()),
        cam: count(size.values().nuser_cam(), w.cameras.iter().map(|r| len(&r.elem.user)).max()),
        ..cx.nuser
    };
    cx.nuser = nuser;

    // -1 leaves the choice, less is an error
    let all = [
        (&size.nuser_body, "nuser_body"),
        (&size.nuser_jnt, "nuser_jnt"),
        (&size.nuser_geom, "nuser_geom"),
        (&size.nuser_site, "nuser_site"),
        (&size.nuser_cam, "nuser_cam"),
        (&size.nuser_tendon, "nuser_tendon"),
        (&size.nuser_actuator, "nuser_actuator"),
        (&size.nuser_sensor, "nuser_sensor"),
    ];
    for (written, name) in all {
        if written.or(-1) < -1 {
            let span = written.span().unwrap_or_default();
            cx.diag.error("size", span, format!("{name} must be >= -1"));
        }
    }
}

/// Assets, compiled before the elements that refer to them.
struct Assets {
    flexes: Vec<FlexRec>,
    skins: Vec<SkinRec>,
    hfields: Vec<Arc<CompiledHField>>,
    textures: Vec<Arc<CompiledTexture>>,
}

/// Everything outside the kinematic tree, compiled.
struct Parts {
    assets: Assets,
    materials: Vec<MaterialRec>,
    pairs: Vec<PairRec>,
    excludes: Vec<ExcludeRec>,
    equalities: Vec<EqualityRec>,
    tendons: Vec<TendonRec>,
    actuators: Vec<ActuatorRec>,
    sensors: Vec<SensorRec>,
    custom: CustomRec,
    keys: Vec<Key>,
}

/// Compiles everything outside the kinematic tree.
fn compile_parts(cx: &mut Cx<'_>, keys: Vec<Key>, assets: Assets) -> Parts {
    // in the order in which they need each other
    let materials = material::compile_materials(cx);
    let pairs = pair::compile_pairs(cx);
    let excludes = pair::compile_excludes(cx);
    let equalities = equality::compile_equalities(cx);
    let tendons = tendon::compile_tendons(cx);
    let actuators = actuator::compile_actuators(cx, &tendons);
    let sensors = sensor::compile_sensors(cx, &tendons, &actuators);
    register::register_pairs(cx, &pairs, &excludes);
    let custom = custom::compile_custom(cx);
    Parts {
        assets,
        materials,
        pairs,
        excludes,
        equalities,
        tendons,
        actuators,
        sensors,
        custom,
        keys,
    }
}

/// Allocates the model and copies everything into it.
fn assemble(cx: &mut Cx<'_>, parts: &Parts) -> Option<Model> {
    // sizes, and memory for them
    let mut m = Model::default();
    let (nq, nv) = joint::number_joints(cx);
    let dofs = link_dofs(cx, &parts.tendons);
    (m.nq, m.nv) = (nq, nv);
    count(cx, parts, &dofs, &mut m);
    if m.array_bytes().is_none_or(|bytes| bytes > MAX_MODEL) {
        cx.diag.error("too-large", cx.spec.world.head.span, "could not create mjModel: too large");
        return None;
    }
    if user_numbers(&m) > MAX_USER_NUMBERS {
        let text = format!("there are more than {MAX_USER_NUMBERS} numbers of user data");
        cx.diag.error("too-large", cx.spec.size.head.span, text);
        return None;
    }
    m.allocate();

    // the kinematic tree
    stored_names::store_names(cx, &mut m);
    option::store_options(cx, &mut m);
    body::store_bodies(cx, &mut m);
    joint::store_joints(cx, &mut m);
    geom::store_geoms(cx, &mut m);
    site::store_sites(cx, &mut m);
    camera::store_cameras(cx, &mut m);
    light::store_lights(cx, &mut m);
    dofs.store(&mut m);

    // assets
    let bodies_bvh = cx.world.bodies.iter().map(|b| b.bvh.len()).sum();
    mesh::store_meshes(cx, bodies_bvh, &mut m);
    hfield::store_hfields(cx, &parts.assets.hfields, &mut m);
    texture::store_textures(&parts.assets.textures, &mut m);
    flex_store::store_flexes(cx, &parts.assets.flexes, &parts.equalities, &mut m);
    skin::store_skins(&parts.assets.skins, &mut m);
    material::store_materials(&parts.materials, &mut m);

    // objects that refer to the tree, and settings
    pair::store_pairs(&parts.pairs, &mut m);
    pair::store_excludes(&parts.excludes, &mut m);
    equality::store_equalities(&parts.equalities, &mut m);
    tendon::store_tendons(&parts.tendons, &mut m);
    actuator::store_actuators(&parts.actuators, &mut m);
    later::store(cx, &parts.pairs, &parts.tendons, &parts.actuators, &mut m);
    sensor::store_sensors(&parts.sensors, &mut m);
    custom::store_custom(&parts.custom, &mut m);
    plugins::store(cx, &mut m);
    keyframe::store_keys(cx, &parts.keys, &mut m);
    coulomb::store_coulomb(cx, &parts.pairs, &mut m);
    option::store_sizes(cx, &mut m);
    Some(m)
}

/// How many numbers of user data all elements have together.
fn user_numbers(m: &Model) -> usize {
    let kinds = [
        (m.nbody, m.nuser_body),
        (m.njnt, m.nuser_jnt),
        (m.ngeom, m.nuser_geom),
        (m.nsite, m.nuser_site),
        (m.ncam, m.nuser_cam),
        (m.ntendon, m.nuser_tendon),
        (m.nu, m.nuser_actuator),
        (m.nsensor, m.nuser_sensor),
    ];
    kinds.iter().fold(0, |sum: usize, &(n, each)| sum.saturating_add(n.saturating_mul(each)))
}

/// Sets all sizes but `nq` and `nv`, which must be set.
fn count(cx: &Cx<'_>, parts: &Parts, dofs: &Dofs, m: &mut Model) {
    let w = &cx.world;

    // the kinematic tree
    m.nbody = w.bodies.len();
    m.njnt = w.joints.len();
    m.ngeom = w.geoms.len();
    m.nsite = w.sites.len();
    m.ncam = w.cameras.len();
    m.nlight = w.lights.len();
    m.nmocap = w.bodies.iter().filter(|b| b.mocap).count();
    m.nbvhstatic = w.unused_bvh + w.bodies.iter().map(|b| b.bvh.len()).sum::<usize>();
    dofs.count(cx, m);

    // assets
    mesh::count_meshes(cx, m);
    hfield::count_hfields(&parts.assets.hfields, m);
    texture::count_textures(&parts.assets.textures, m);
    flex_store::count_flexes(cx, &parts.assets.flexes, m);
    skin::count_skins(&parts.assets.skins, m);
    m.nbvh = m.nbvhstatic + m.nbvhdynamic;
    m.nmat = parts.materials.len();

    // objects
    m.npair = parts.pairs.len();
    m.nexclude = parts.excludes.len();
    equality::size_equalities(&parts.equalities, m);
    tendon::size_tendons(&parts.tendons, m);
    actuator::size_actuators(&parts.actuators, m);
    sensor::size_sensors(&parts.sensors, m);
    custom::count_custom(&parts.custom, m);
    plugins::count(cx, m);
    m.nkey = parts.keys.len();

    // user data and names
    m.nuser_body = cx.nuser.body;
    m.nuser_jnt = cx.nuser.jnt;
    m.nuser_geom = cx.nuser.geom;
    m.nuser_site = cx.nuser.site;
    m.nuser_cam = cx.nuser.cam;
    m.nuser_tendon = cx.nuser.tendon;
    m.nuser_actuator = cx.nuser.actuator;
    m.nuser_sensor = cx.nuser.sensor;
    stored_names::count_names(cx, m);
}
