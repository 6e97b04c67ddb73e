//! Surfaces of the model: geoms, sites, flexes, skins.

use sinew_engine::site_pose;
use sinew_math::Vec3;
use sinew_model::enums::{CatBit, EnableBit, GeomType, ObjType, VisFlag, VisLabel};
use sinew_model::nesting::user_code;
use sinew_model::{BodyId, Data, GeomId, MeshId, Model, SiteId};

use crate::camera::wide;
use crate::color::island_color;
use crate::draw::{Draw, Owner};
use crate::geom::single;
use crate::records::{SceneGeom, in_group};

/// Maximum number of divisions of a plane's grid (`mjMAXPLANEGRID`).
const MAXPLANEGRID: f64 = 200.0;

pub(crate) fn flexes(draw: &mut Draw<'_>) {
    if !draw.draws(CatBit::Dynamic) || !draw.opt.shows_flexes() {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    for f in 0..m.nflex {
        if !in_group(&draw.opt.flexgroup, m.flex_group[f]) {
            continue;
        }
        let Some(mut geom) = draw.acquire(Owner::dynamic(ObjType::Flex, f)) else { return };

        // position of the first vertex
        let first = d.flexvert_xpos[m.flex_vertadr[f] as usize];
        geom.init(GeomType::Flex, None, Some(first), None, None);
        geom.size[0] = m.flex_radius[f] as f32;
        geom.paint(m, draw.paint(m.flex_matid[f], m.flex_rgba[f]));
        if m.flex_texcoordadr[f] >= 0 {
            geom.texcoord = 1;
        } else {
            geom.matid = -1;
        }
        if draw.pert.flexselect == f as i32 {
            draw.glow(&mut geom);
        }
        if geom.rgba[3] != 0.0 {
            draw.label(&mut geom, VisLabel::Flex, ObjType::Flex, f);
            draw.push(geom);
        }
    }
}

pub(crate) fn skins(draw: &mut Draw<'_>) {
    if !draw.draws(CatBit::Dynamic) || !draw.shows(VisFlag::Skin) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    for s in 0..m.nskin {
        if !in_group(&draw.opt.skingroup, m.skin_group[s]) {
            continue;
        }
        let Some(mut geom) = draw.acquire(Owner::dynamic(ObjType::Skin, s)) else { return };

        // position of the first bone
        let bone = m.skin_bonebodyid[m.skin_boneadr[s] as usize];
        geom.init(GeomType::Skin, None, Some(d.xpos[bone]), None, None);
        geom.paint(m, draw.paint(m.skin_matid[s], m.skin_rgba[s]));
        if draw.pert.skinselect == s as i32 {
            draw.glow(&mut geom);
        }
        if m.skin_texcoordadr[s] >= 0 {
            geom.texcoord = 1;
        }
        if geom.rgba[3] != 0.0 {
            draw.label(&mut geom, VisLabel::Skin, ObjType::Skin, s);
            draw.push(geom);
        }
    }
}

/// Whether a body is selected.
fn selected(draw: &Draw<'_>, body: BodyId) -> bool {
    draw.pert.select > 0 && draw.pert.select == body.idx() as i32
}

pub(crate) fn geoms(draw: &mut Draw<'_>) {
    let (m, d) = (draw.m, draw.d);
    let colors = plugin_colors(m, d);
    let mut planes = 0;
    for g in m.geoms() {
        let (kind, body) = (m.geom_type[g], m.geom_bodyid[g]);

        // the count includes hidden planes
        let plane = planes;
        planes += i32::from(kind == GeomType::Plane);

        let category = draw.category(body);
        if !draw.draws(category) || !in_group(&draw.opt.geomgroup, m.geom_group[g]) {
            continue;
        }
        let owner = Owner { kind: ObjType::Geom, id: g.idx(), category };
        let Some(mut geom) = draw.acquire(owner) else { return };
        let (pos, mat) = (d.geom_xpos[g], d.geom_xmat[g]);
        geom.init(kind, Some(m.geom_size[g]), Some(pos), Some(mat), None);
        geom.dataid = m.geom_dataid[g];
        geom.modelrbound = m.geom_rbound[g] as f32;
        let mut rgba = m.geom_rgba[g];
        if let Some(&Some(color)) = colors.get(g.idx()) {
            rgba[..3].copy_from_slice(&color);
        }
        geom.paint(m, draw.paint(m.geom_matid[g], rgba));
        if draw.shows(VisFlag::Island) {
            paint_island(draw, &mut geom, body);
        }
        let mesh = mesh_of(m, g);
        if mesh.is_some_and(|mesh| m.mesh_texcoordadr[mesh] >= 0) {
            geom.texcoord = 1;
        }
        if geom.rgba[3] == 0.0 {
            continue;
        }
        if selected(draw, body) {
            draw.glow(&mut geom);
        }
        draw.label(&mut geom, VisLabel::Geom, ObjType::Geom, g.idx());
        if kind == GeomType::Mesh || kind == GeomType::Sdf {
            geom.dataid = geom.dataid * 2 + i32::from(shows_hull(draw, g, mesh));
        } else if kind == GeomType::Plane {
            geom.dataid = plane;
            geom.pos = single(recentered(draw, g));
        }
        draw.push(geom);
    }
}

/// Colours that plugins give to geoms; empty without plugins.
///
/// MuJoCo's plugins write these colours into the model; Sinew's model is constant.
fn plugin_colors(m: &Model, d: &Data) -> Vec<Option<[f32; 3]>> {
    let mut colors = vec![None; if m.nplugin > 0 { m.ngeom } else { 0 }];
    for id in m.plugin_ids() {
        let Some(instance) = d.plugin_instance(id) else { continue };
        let mut paint = |geom: GeomId, color| colors[geom.idx()] = Some(color);
        user_code(|| m.plugin_label(id), || instance.colors(m, d, id, &mut paint));
    }
    colors
}

/// The mesh of a geom, if it has one.
fn mesh_of(m: &Model, g: GeomId) -> Option<MeshId> {
    let has = m.geom_type[g] == GeomType::Mesh || m.geom_type[g] == GeomType::Sdf;
    let mesh = usize::try_from(m.geom_dataid[g]).ok().filter(|&mesh| mesh < m.nmesh);
    mesh.filter(|_| has).map(MeshId::new)
}

/// Whether the convex hull is shown instead of the mesh.
fn shows_hull(draw: &Draw<'_>, g: GeomId, mesh: Option<MeshId>) -> bool {
    let m = draw.m;
    draw.shows(VisFlag::Convexhull)
        && mesh.is_some_and(|mesh| m.mesh_graphadr[mesh] >= 0)
        && (m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0)
}

/// The mesh of a site, or its convex hull.
pub(crate) fn dress_site(draw: &Draw<'_>, geom: &mut SceneGeom, s: SiteId) {
    let Some(mesh) = draw.m.site_mesh(s) else { return };
    let hull = draw.shows(VisFlag::Convexhull) && draw.m.mesh_graphadr[mesh] >= 0;
    geom.dataid = 2 * mesh.idx() as i32 + i32::from(hull);
    geom.texcoord = i32::from(draw.m.mesh_texcoordadr[mesh] >= 0);
}

/// Colours the geoms of moving bodies by constraint island, or by tree if sleep is enabled.
fn paint_island(draw: &Draw<'_>, geom: &mut SceneGeom, body: BodyId) {
    let (m, d) = (draw.m, draw.d);
    let Some(dof) = m.body_dofs(m.body_weldid[body]).next() else { return };
    geom.matid = -1;
    let island = if d.nisland > 0 { d.dof_island[dof] } else { -1 };
    let mut number = draw.island_number(island);
    let awake = d.body_awake[body].0 != 0;
    if number.is_none() && m.opt.enabled(EnableBit::Sleep) {
        let tree = m.dof_treeid[dof].idx();
        let tree = if awake { Some(tree) } else { first_asleep(&d.tree_asleep, tree) };
        number = tree.map(|tree| m.tree_dofadr[tree].idx() as i32);
    }
    geom.rgba = island_color(number, awake);
}

/// The lowest tree in the cycle of sleeping trees that contains `start`; `None` if it is awake.
#[doc(alias = "mj_sleepCycle")]
fn first_asleep(tree_asleep: &[i32], start: usize) -> Option<usize> {
    let (mut smallest, mut tree) = (start, start);
    for _ in 0..=tree_asleep.len() {
        tree = usize::try_from(*tree_asleep.get(tree)?).ok()?;
        smallest = smallest.min(tree);
        if tree == start {
            return Some(smallest);
        }
    }
    None
}

/// The drawn position of a plane: infinite planes follow the camera in steps of their texture.
fn recentered(draw: &Draw<'_>, g: GeomId) -> Vec3 {
    let (m, d) = (draw.m, draw.d);
    let mut pos = d.geom_xpos[g];
    let size = m.geom_size[g];
    if size.x > 0.0 && size.y > 0.0 {
        return pos;
    }
    let [left, right] = &draw.scn.camera;
    let sum: [f32; 3] = core::array::from_fn(|k| left.pos[k] + right.pos[k]);
    let to_camera = wide(sum) * 0.5 - d.geom_xpos[g];
    for k in (0..2).filter(|&k| size[k] <= 0.0) {
        let repeat = m.geom_matid[g].get().map_or(0.0, |mat| m.mat_texrepeat[mat][k]);
        let step = if repeat > 0.0 {
            f64::from(2.0 / repeat)
        } else {
            let far = f64::from(m.vis.map.zfar) * m.stat.extent;
            2.1 * far / (MAXPLANEGRID - 2.0)
        };
        let axis = d.geom_xmat[g].col(k);
        let along = to_camera.dot(axis);
        pos += axis * (2.0 * step * nearest(0.5 * along / step));
    }
    pos
}

/// The nearest integer; halves round up.
#[doc(alias = "mju_round")]
fn nearest(x: f64) -> f64 {
    let (lower, upper) = (x.floor(), x.ceil());
    if x - lower < upper - x { lower } else { upper }
}

pub(crate) fn sites(draw: &mut Draw<'_>) {
    let (m, d) = (draw.m, draw.d);
    for s in m.sites() {
        let body = m.site_bodyid[s];
        let category = draw.category(body);
        if !draw.draws(category) || !in_group(&draw.opt.sitegroup, m.site_group[s]) {
            continue;
        }
        let owner = Owner { kind: ObjType::Site, id: s.idx(), category };
        let Some(mut geom) = draw.acquire(owner) else { return };
        let at = site_pose(m, d, s);
        geom.init(m.site_type[s], Some(m.site_size[s]), Some(at.pos), Some(at.mat), None);
        dress_site(draw, &mut geom, s);
        geom.paint(m, draw.paint(m.site_matid[s], m.site_rgba[s]));
        if geom.rgba[3] == 0.0 {
            continue;
        }
        if selected(draw, body) {
            draw.glow(&mut geom);
        }
        draw.label(&mut geom, VisLabel::Site, ObjType::Site, s.idx());
        draw.push(geom);
    }
}
