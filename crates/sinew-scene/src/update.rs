//! Updating a scene.

use sinew_model::enums::{CatBit, ObjType, VisFlag};
use sinew_model::nesting::user_code;
use sinew_model::plugin::Shown;
use sinew_model::{Data, Model};

use crate::draw::{Draw, Owner};
use crate::error::SceneError;
use crate::records::{Camera, Perturb, VisOption};
use crate::scene::Scene;
use crate::{camera, decor, flex, geoms, light, skin, tendons};

/// Options of a view: visual options, perturbation, and categories as bits of `mjtCatBit`.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Visual options.
    pub opt: &'a VisOption,
    /// Selection and perturbation.
    pub pert: &'a Perturb,
    /// Visible categories of geoms.
    pub catmask: i32,
}

/// Updates the scene: geoms, cameras, lights, flexes and skins. A tracking camera follows its body.
///
/// Reads the results of `forward`, and the marks of [`mark_nodes`]. A full scene sets `status`.
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

/// Marks in `bvh_active` the nodes that were active in the last collision, if the options show it.
pub fn mark_nodes(m: &Model, d: &mut Data, opt: &VisOption) {
    if opt.shows(VisFlag::Bodybvh) || opt.shows(VisFlag::Meshbvh) {
        sinew_engine::mark_nodes(m, d);
    }
}

/// Adds the geoms of plugins.
fn add_plugins(m: &Model, d: &Data, view: View<'_>, scn: &mut Scene) {
    let View { opt, pert, catmask } = view;
    let mut draw = Draw { m, d, opt, pert, catmask, scn };
    for id in m.plugin_ids() {
        let Some(instance) = d.plugin_instance(id) else { continue };
        let mut show = |shown: Shown| {
            let owner = Owner::decor(ObjType::Unknown, shown.objid);
            let Some(mut geom) = draw.acquire(owner) else { return };
            let Shown { kind, size, pos, mat, rgba, .. } = shown;
            geom.init(kind, Some(size), Some(pos), Some(mat), Some(rgba));
            draw.push(geom);
        };
        user_code(|| m.plugin_label(id), || instance.visualize(m, d, id, &mut show));
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

    // the model
    geoms::flexes(&mut draw);
    geoms::skins(&mut draw);
    geoms::geoms(&mut draw);
    geoms::sites(&mut draw);
    tendons::tendons(&mut draw);
    tendons::slider_cranks(&mut draw);

    // decor
    if draw.draws(CatBit::Decor) {
        decor::add(&mut draw);
    }
}
