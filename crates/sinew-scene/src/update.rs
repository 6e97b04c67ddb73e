//! Filling a scene.

use sinew_model::enums::{CatBit, ObjType, VisFlag};
use sinew_model::plugin::Shown;
use sinew_model::{Data, Model};

use crate::draw::{Draw, Owner};
use crate::error::SceneError;
use crate::records::{Camera, Perturb, VisOption};
use crate::scene::Scene;
use crate::{camera, decor, flex, geoms, light, skin, tendons};

/// What is shown of a model: options, what the user holds, and categories as bits of `mjtCatBit`.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// What is shown.
    pub opt: &'a VisOption,
    /// What the user holds.
    pub pert: &'a Perturb,
    /// Categories of geoms that are shown.
    pub catmask: i32,
}

/// Fills the scene: geoms, cameras, lights, flexes and skins. A tracking camera moves along.
///
/// Reads what `forward` leaves behind, and the marks of [`mark_nodes`]. Where the scene is full,
/// `status` says so.
#[doc(alias = "mjv_updateScene")]
pub fn update_scene(
    m: &Model,
    d: &Data,
    view: View<'_>,
    cam: &mut Camera,
    scn: &mut Scene,
) -> Result<(), SceneError> {
    scn.geoms.clear();
    scn.status = 0;
    add_plugins(m, d, view, scn);
    add_geoms(m, d, view, scn);
    camera::update_camera(m, d, cam, scn)?;
    light::make_lights(m, d, scn)?;
    if view.opt.shows_flexes() {
        flex::update_active_flex(m, d, scn, view.opt);
    }
    if view.opt.shows(VisFlag::Skin) {
        skin::update_active_skin(m, d, scn, view.opt);
    }
    Ok(())
}

/// Marks in `bvh_active` what took part in the last collision, if the options show it.
pub fn mark_nodes(m: &Model, d: &mut Data, opt: &VisOption) {
    if opt.shows(VisFlag::Bodybvh) || opt.shows(VisFlag::Meshbvh) {
        sinew_engine::mark_nodes(m, d);
    }
}

/// Adds what plugins show.
fn add_plugins(m: &Model, d: &Data, view: View<'_>, scn: &mut Scene) {
    let View { opt, pert, catmask } = view;
    let mut draw = Draw { m, d, opt, pert, catmask, scn };
    for id in m.plugin_ids() {
        let Some(instance) = d.plugin_instance(id) else { continue };
        instance.visualize(m, d, id, &mut |shown| {
            let owner = Owner::decor(ObjType::Unknown, shown.objid);
            let Some(mut geom) = draw.acquire(owner) else { return };
            let Shown { kind, size, pos, mat, rgba, .. } = shown;
            geom.init(kind, Some(size), Some(pos), Some(mat), Some(rgba));
            draw.push(geom);
        });
    }
}

/// Adds the geoms of the given categories to the scene.
#[doc(alias = "mjv_addGeoms")]
pub fn add_geoms(m: &Model, d: &Data, view: View<'_>, scn: &mut Scene) {
    let View { opt, pert, mut catmask } = view;
    if !opt.shows(VisFlag::Static) {
        catmask &= !CatBit::Static.0;
    }
    let mut draw = Draw { m, d, opt, pert, catmask, scn };

    // the model itself
    geoms::flexes(&mut draw);
    geoms::skins(&mut draw);
    geoms::geoms(&mut draw);
    geoms::sites(&mut draw);
    tendons::tendons(&mut draw);
    tendons::slider_cranks(&mut draw);

    // what is shown beside it
    if draw.draws(CatBit::Decor) {
        decor::add(&mut draw);
    }
}
