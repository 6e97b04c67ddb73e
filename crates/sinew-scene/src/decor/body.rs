//! Inertias, centres of mass, labels and connections of bodies.

use core::f64::consts::PI;

use sinew_math::{MINVAL, Mat3, Vec3, scalar};
use sinew_model::enums::{GeomType, ObjType, VisFlag, VisLabel};
use sinew_model::{BodyId, Model};

use crate::draw::{Draw, Link, Owner};
use crate::label::object_label;

/// All bodies except the world.
fn moving(m: &Model) -> impl Iterator<Item = BodyId> + use<> {
    (1..m.nbody).map(BodyId::new)
}

/// Boxes or ellipsoids with the mass and inertia of the bodies.
pub(super) fn inertias(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Inertia) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    let ellipsoid = m.vis.global.ellipsoidinertia == 1;
    let kind = if ellipsoid { GeomType::Ellipsoid } else { GeomType::Box };
    for b in moving(m) {
        if m.body_mass[b] <= MINVAL || !draw.draws(draw.category(b)) {
            continue;
        }
        let Some(mut geom) = draw.acquire(Owner::decor(ObjType::Body, b.idx())) else { return };

        // size for uniform density, or for the density of water
        let mut size = equivalent_size(m, b, ellipsoid);
        if draw.shows(VisFlag::Sclinertia) {
            let unit = if ellipsoid { 4.0 / 3.0 * PI } else { 8.0 };
            let volume = unit * size.x * size.y * size.z;
            let density = m.body_mass[b] / volume.max(MINVAL);
            size *= scalar::pow(density * 0.001, 1.0 / 3.0);
        }

        // pose, emission of the selected body, label
        let (pos, mat) = (d.xipos[b], d.ximat[b]);
        geom.init(kind, Some(size), Some(pos), Some(mat), Some(m.vis.rgba.inertia));
        let selected = draw.pert.select == b.idx() as i32;
        if selected {
            draw.glow(&mut geom);
        }
        if draw.opt.label == VisLabel::Body || (draw.opt.label == VisLabel::Selection && selected) {
            geom.set_label(&object_label(m, ObjType::Body, b.idx()));
        }
        draw.push(geom);
    }
}

/// Half sizes of the box or ellipsoid with the inertia of a body.
fn equivalent_size(m: &Model, b: BodyId, ellipsoid: bool) -> Vec3 {
    let Vec3 { x, y, z } = m.body_inertia[b];
    let mass = m.body_mass[b];
    let scale = scalar::sqrt(if ellipsoid { 5.0 } else { 3.0 });
    Vec3::new(
        scalar::sqrt((y + z - x) / (2.0 * mass)) * scale,
        scalar::sqrt((x + z - y) / (2.0 * mass)) * scale,
        scalar::sqrt((x + y - z) / (2.0 * mass)) * scale,
    )
}

/// Names of bodies, or of the selected body, unless their inertias are labelled.
pub(super) fn labels(draw: &mut Draw<'_>) {
    let (m, d) = (draw.m, draw.d);
    let only_selected = match draw.opt.label {
        VisLabel::Body => false,
        VisLabel::Selection => true,
        _ => return,
    };
    if draw.shows(VisFlag::Inertia) {
        return;
    }
    for b in moving(m) {
        let passed = only_selected && draw.pert.select != b.idx() as i32;
        if passed || !draw.draws(draw.category(b)) {
            continue;
        }
        let Some(mut geom) = draw.acquire(Owner::decor(ObjType::Unknown, b.idx())) else { return };
        geom.place(GeomType::Label, geom.size, d.xpos[b], d.xmat[b]);
        geom.set_label(&object_label(m, ObjType::Body, b.idx()));
        draw.push(geom);
    }
}

/// Numbers of the constraint islands of bodies.
pub(super) fn island_labels(draw: &mut Draw<'_>) {
    let (m, d) = (draw.m, draw.d);
    if draw.opt.label != VisLabel::Island || d.nisland == 0 {
        return;
    }
    for b in moving(m) {
        let Some(dof) = m.body_dofs(m.body_weldid[b]).next() else { continue };
        let island = d.dof_island[dof];
        if island < 0 {
            continue;
        }
        let Some(mut geom) = draw.acquire(Owner::decor(ObjType::Unknown, b.idx())) else { return };
        geom.place(GeomType::Label, geom.size, d.xipos[b], d.ximat[b]);
        geom.set_label(&island.to_string());
        draw.push(geom);
    }
}

/// Centres of mass of kinematic trees.
pub(super) fn centers_of_mass(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Com) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    for b in moving(m).filter(|&b| m.body_rootid[b] == b) {
        let Some(mut geom) = draw.acquire(Owner::decor(ObjType::Unknown, b.idx())) else { return };
        let size = [draw.meansize() * m.vis.scale.com; 3];
        geom.place(GeomType::Sphere, size, d.subtree_com[b], Mat3::IDENTITY);
        geom.rgba = m.vis.rgba.com;
        draw.push(geom);
    }
}

/// Capsules from the centre of mass of a body, along its joints, to its parent's centre of mass.
pub(super) fn connections(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Autoconnect) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    let width = f64::from(draw.meansize() * m.vis.scale.connect);
    for b in moving(m).filter(|&b| m.body_parentid[b] != BodyId::WORLD) {
        let mut from = d.xipos[b];
        let anchors = m.body_joints(b).rev().map(|j| d.xanchor[j]);
        let parent = d.xipos[m.body_parentid[b]];
        for to in anchors.chain([parent]) {
            let link = Link { kind: GeomType::Capsule, width, from, to };
            draw.link(Owner::decor(ObjType::Unknown, b.idx()), link, Some(m.vis.rgba.connect));
            from = to;
        }
    }
}
