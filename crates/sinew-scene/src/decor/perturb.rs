//! The selected point, the user's perturbation, and applied forces.

use sinew_math::{MINVAL, Mat3, Vec3};
use sinew_model::BodyId;
use sinew_model::enums::{GeomType, ObjType, PertBit, VisFlag, VisLabel};

use crate::color::mixed;
use crate::draw::{Draw, Link, Owner};

/// The selected body and the selected point.
fn selected(draw: &Draw<'_>) -> Option<(BodyId, Vec3)> {
    let sel = usize::try_from(draw.pert.select).ok();
    let b = BodyId::new(sel.filter(|&sel| sel > 0 && sel < draw.m.nbody)?);
    Some((b, draw.d.xmat[b] * draw.pert.localpos + draw.d.xpos[b]))
}

/// The spring that pulls the selected body, and the box that shows its reference orientation.
pub(super) fn objects(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Pertobj) {
        return;
    }
    let Some((b, point)) = selected(draw) else { return };
    let (m, d, pert) = (draw.m, draw.d, draw.pert);
    let owner = Owner::decor(ObjType::Unknown, b.idx());
    let active = |bit: PertBit| (pert.active & bit.0 != 0, pert.active2 & bit.0 != 0);
    let mat = pert.refquat.to_mat();

    // a line with a sphere at its end
    let (first, second) = active(PertBit::Translate);
    if first || second {
        let rgba = mixed(m.vis.rgba.constraint, first, second);
        let width = f64::from(draw.meansize() * m.vis.scale.constraint);
        let to = pert.refselpos;
        draw.link(owner, Link { kind: GeomType::Capsule, width, from: point, to }, Some(rgba));
        let Some(mut geom) = draw.acquire(owner) else { return };
        let size = Vec3::new(2.0 * width, 2.0 * width, 2.0 * width);
        geom.init(GeomType::Sphere, Some(size), Some(to), Some(mat), Some(rgba));
        draw.push(geom);
    }

    // the bounding box of the body in the reference orientation
    let (first, second) = active(PertBit::Rotate);
    if first || second {
        let Some(mut geom) = draw.acquire(owner) else { return };
        let rgba = mixed(m.vis.rgba.inertia, first, second);
        let (size, offset) = if m.body_bvhnum[b] > 0 {
            let aabb = &m.bvh_aabb[m.body_bvhadr[b] as usize];
            (Vec3::from_slice(&aabb[3..]), d.ximat[b] * Vec3::from_slice(aabb))
        } else {
            let size = f64::from(draw.meansize());
            (Vec3::new(size, size, size), Vec3::ZERO)
        };
        let pos = offset + d.xipos[b];
        geom.init(GeomType::Box, Some(size), Some(pos), Some(mat), Some(rgba));
        draw.push(geom);
    }
}

/// The selected point.
pub(super) fn selection(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Select) {
        return;
    }
    let Some((b, point)) = selected(draw) else { return };
    let Some(mut geom) = draw.acquire(Owner::decor(ObjType::Unknown, b.idx())) else { return };
    let size = [draw.meansize() * draw.m.vis.scale.selectpoint; 3];
    geom.place(GeomType::Sphere, size, point, Mat3::IDENTITY);
    geom.rgba = draw.m.vis.rgba.selectpoint;
    if draw.opt.label == VisLabel::Selpnt {
        let Vec3 { x, y, z } = draw.pert.localpos;
        geom.set_label(&format!("{point:.3} (local {x:.3} {y:.3} {z:.3})"));
    }
    draw.push(geom);
}

/// Forces applied by the user to bodies.
pub(super) fn forces(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Pertforce) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    for b in (1..m.nbody).map(BodyId::new) {
        // `xfrc_applied` stores the force first, unlike other spatial vectors
        let force = d.xfrc_applied[b].rot;
        if force.norm() <= MINVAL {
            continue;
        }
        let from = d.xipos[b];
        let to = from + force * (f64::from(m.vis.map.force) / m.stat.meanmass);
        let width = f64::from(m.vis.scale.forcewidth * draw.meansize());
        let link = Link { kind: GeomType::Arrow, width, from, to };
        draw.link(Owner::decor(ObjType::Unknown, b.idx()), link, Some(m.vis.rgba.force));
    }
}
