//! Sites.

use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::enums::{GeomType, ObjType};
use sinew_model::ids::{BodyId, MatId};

use crate::compile::cx::{At, Cx};
use crate::compile::rows::copy_user;
use crate::compile::tree::discard_visual;
use crate::compile::tree::geom::{box_size, check_size, from_to, same_frame};
use crate::orientation::orientation;
use crate::pose::{Pose, unit_quat};
use crate::spec::Site;

/// Finds the meshes and the materials of all sites.
pub(crate) fn resolve_assets(cx: &mut Cx<'_>) {
    for id in 0..cx.world.sites.len() {
        let Site { mesh, material: own, .. } = cx.world.sites[id].elem.clone();
        let mesh = find(cx, id, (ObjType::Mesh, "mesh"), mesh.text());
        cx.world.sites[id].mesh = mesh;

        // without a material of its own a site has that of its mesh
        let material = match mesh {
            Some(mesh) if own.text().is_empty() => cx.mesh_elems[mesh].material.clone(),
            _ => own,
        };
        if cx.settings[0].discardvisual && !material.text().is_empty() {
            discard_visual::warn_lost(cx, &material);
            continue;
        }
        let found = find(cx, id, (ObjType::Material, "material"), material.text());
        cx.world.sites[id].material = found;
    }
}

/// The asset that a site names; none if it names none or there is no such asset.
fn find(cx: &mut Cx<'_>, id: usize, (kind, tag): (ObjType, &str), name: &str) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    let found = cx.find(kind, name);
    if found.is_none() {
        fail(cx, id, format!("{tag} '{name}' not found in site {id}"));
        cx.suggest(kind, name);
    }
    found
}

/// Reports an error about a site.
fn fail(cx: &mut Cx<'_>, id: usize, message: impl core::fmt::Display) {
    let elem = &cx.world.sites[id].elem;
    let (name, span) = (elem.name.text().to_owned(), elem.head.span);
    cx.fail(At { name: &name, id, span }, message);
}

/// Compiles one site; `shift` is the displacement by the alignment of a free body.
pub(crate) fn compile_site(cx: &mut Cx<'_>, id: usize, shift: Option<Pose>) {
    if let Err(message) = try_compile(cx, id, shift) {
        fail(cx, id, message);
    }
}

fn try_compile(cx: &mut Cx<'_>, id: usize, shift: Option<Pose>) -> Result<(), String> {
    let settings = cx.settings(&cx.world.sites[id].elem.head).clone();
    let most_user = cx.nuser.site;
    let Cx { world, meshes, .. } = cx;
    let site = &mut world.sites[id];
    let e = &site.elem;

    // allowed shapes of a site
    if e.user.get().map_or(0, Vec::len) > most_user {
        return Err("user has more values than nuser_site in site".into());
    }
    let named = !e.mesh.text().is_empty();
    if matches!(site.kind, GeomType::Hfield | GeomType::Plane)
        || (site.kind == GeomType::Mesh && !named)
    {
        return Err("meshes, hfields and planes not allowed in site".into());
    }
    if named && site.kind != GeomType::Mesh {
        return Err("mesh can only be specified for mesh sites".into());
    }

    // pose as written, or along `fromto`
    let pos: Vec3 = e.values().pos().into();
    let mut pose = match e.fromto.get().copied() {
        Some(fromto) if !fromto[0].is_nan() => {
            let (pose, size) = from_to(site.kind, fromto, pos, site.size)?;
            site.size = size;
            pose
        }
        _ => {
            let quat = orientation(&e.quat, &e.alt, &settings)
                .map_err(|why| format!("orientation specification error '{why}' in site {id}"))?;
            Pose { pos, quat }
        }
    };

    // in its frames, and in the body it was merged into
    if let Some(frame) = site.frame {
        pose = frame.then(pose);
    }
    pose.quat = unit_quat(pose.quat);
    if let Some(shift) = shift {
        pose = shift.then(pose);
    }
    site.pose = pose;
    if let Some(mesh) = site.mesh.and_then(|i| meshes.get(i)?.as_deref()) {
        site.size = box_size(mesh.aamm);
    }
    check_size(site.kind, site.size)
}

/// Copies the sites into the model.
pub(crate) fn store_sites(cx: &Cx<'_>, m: &mut Model) {
    for (i, site) in cx.world.sites.iter().enumerate() {
        m.site_type[i] = site.kind;
        m.site_bodyid[i] = BodyId::new(site.body);
        m.site_matid[i] = site.material.map(MatId::new).into();
        m.site_group[i] = site.elem.values().group();
        m.site_sameframe[i] = same_frame(site.pose, cx.world.bodies[site.body].ipose());
        m.site_size[i] = site.size;
        m.site_pos[i] = site.pose.pos;
        m.site_quat[i] = site.pose.quat;
        m.site_rgba[i] = site.elem.values().rgba();
        copy_user(&mut m.site_user[i], site.elem.user.get());
    }
}
