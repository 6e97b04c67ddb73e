//! Joints: their axes, or boxes and spheres.

use sinew_model::enums::{ConstraintType, GeomType, JointType, ObjType, VisFlag, VisLabel};

use crate::color::blend;
use crate::draw::{Draw, Owner};
use crate::records::in_group;

pub(super) fn joints(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Joint) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    let length = f64::from(m.vis.scale.jointlength * draw.meansize());
    let width = f64::from(m.vis.scale.jointwidth * draw.meansize());
    for j in m.joints() {
        if !in_group(&draw.opt.jointgroup, m.jnt_group[j]) {
            continue;
        }
        let Some(mut geom) = draw.acquire(Owner::decor(ObjType::Joint, j.idx())) else { return };
        let (anchor, axis) = (d.xanchor[j], d.xaxis[j]);
        let kind = match m.jnt_type[j] {
            JointType::Free => GeomType::Box,
            JointType::Ball => GeomType::Sphere,
            JointType::Slide => GeomType::Arrow,
            _ => GeomType::Arrow1,
        };
        if kind == GeomType::Box || kind == GeomType::Sphere {
            let size = [(0.3 * length) as f32; 3];
            geom.place(kind, size, anchor, d.xmat[m.jnt_bodyid[j]]);
        } else {
            geom.connect(kind, width, anchor, anchor + axis * length);
        }

        // coloured by the impedance of the joint's limit
        let impedance = draw.limit_impedance(ConstraintType::LimitJoint, j.idx());
        geom.rgba = blend(m.vis.rgba.joint, m.vis.rgba.constraint, impedance);
        geom.rgba[3] = 1.0;
        draw.label(&mut geom, VisLabel::Joint, ObjType::Joint, j.idx());
        draw.push(geom);
    }
}
