//! Contacts: points, frames and forces.

use sinew_engine::contact_force;
use sinew_math::{MINVAL, Mat3, Vec3};
use sinew_model::enums::{GeomType, ObjType, VisFlag, VisFrame, VisLabel};
use sinew_model::number::general;
use sinew_model::{Contact, Model};

use crate::color::island_color;
use crate::draw::{Axes, Draw, Owner};
use crate::label::{cut, name};

pub(super) fn contacts(draw: &mut Draw<'_>) {
    let points = draw.shows(VisFlag::Contactpoint);
    let forces = draw.shows(VisFlag::Contactforce);
    let frames = draw.opt.frame == VisFrame::Contact;
    if !points && !forces && !frames {
        return;
    }
    let d = draw.d;
    for (c, contact) in d.contact.iter().enumerate() {
        if points {
            point(draw, c, contact);
        }
        if frames {
            let axes = half_axes(draw);
            draw.frame(c, contact.pos, contact.frame.transpose(), axes);
        }
        if forces && contact.efc_address >= 0 {
            force(draw, c, contact);
        }
    }
}

/// Axes half as long as in other frames.
fn half_axes(draw: &Draw<'_>) -> Axes {
    let (scale, size) = (&draw.m.vis.scale, draw.m.stat.meansize);
    let half = |x: f32| (f64::from(x) * size / 2.0) as f32;
    Axes { length: half(scale.framelength), width: half(scale.framewidth) }
}

/// A disc perpendicular to the normal, with the penetration depth as thickness.
fn point(draw: &mut Draw<'_>, c: usize, contact: &Contact) {
    let (m, d) = (draw.m, draw.d);
    let Some(mut geom) = draw.acquire(Owner::decor(ObjType::Unknown, c)) else { return };
    let width = (f64::from(m.vis.scale.contactwidth) * m.stat.meansize) as f32;
    let height = (f64::from(m.vis.scale.contactheight) * m.stat.meansize) as f32;
    let depth = (-contact.dist / 2.0) as f32;
    let frame = contact.frame;
    let mat = Mat3::from_cols(frame.row(1), frame.row(2), frame.row(0));
    let size = [width, width, if height > depth { height } else { depth }];
    geom.place(GeomType::Cylinder, size, contact.pos, mat);

    // colour by island, or by whether the contact exerts force
    let row = usize::try_from(contact.efc_address).ok();
    geom.rgba = match row {
        Some(row) if draw.shows(VisFlag::Island) => {
            let island = if d.nisland > 0 { d.efc_island[row] } else { -1 };
            island_color(draw.island_number(island), true)
        }
        Some(_) => m.vis.rgba.contactpoint,
        None => m.vis.rgba.contactgap,
    };
    if draw.opt.label == VisLabel::Contactpoint {
        let [first, second] = [0, 1].map(|side| side_label(m, contact, side));
        geom.set_label(&format!("{} | {}", cut(&first, 47), cut(&second, 47)));
    }
    draw.push(geom);
}

/// Label of one side of a contact: a geom, or an element or vertex of a flex.
fn side_label(m: &Model, contact: &Contact, side: usize) -> String {
    if let Ok(geom) = usize::try_from(contact.geom[side]) {
        return match name(m, ObjType::Geom, geom) {
            Some(name) => name.to_owned(),
            None => format!("g{geom}"),
        };
    }
    let flex = contact.flex[side];
    let flex = match usize::try_from(flex).ok().and_then(|flex| name(m, ObjType::Flex, flex)) {
        Some(name) => name.to_owned(),
        None => format!("f{flex}"),
    };
    match contact.elem[side] {
        elem if elem >= 0 => format!("{flex}.e{elem}"),
        _ => format!("{flex}.v{}", contact.vert[side]),
    }
}

/// Arrows for the force of a contact: the total, or normal and friction separately.
fn force(draw: &mut Draw<'_>, c: usize, contact: &Contact) {
    let m = draw.m;
    let mut local = contact_force(m, draw.d, c).force;
    for k in contact.dim.clamp(0, 3) as usize..3 {
        local[k] = 0.0;
    }
    if local.norm() < MINVAL {
        return;
    }
    let axes = contact.frame.transpose();
    let normal = axes.col(0) * local.x;
    let friction = axes.col(1) * local.y + axes.col(2) * local.z;
    let colors = &m.vis.rgba;
    let split = draw.shows(VisFlag::Contactsplit) && contact.dim > 1;
    let parts: &[(Vec3, [f32; 4])] = if split {
        &[(normal, colors.contactforce), (friction, colors.contactfriction)]
    } else {
        &[(axes * local, colors.contactforce)]
    };

    // towards the body or flex with the higher id; both ways between two moving bodies
    let owners = [0, 1].map(|side| match usize::try_from(contact.geom[side]) {
        Ok(geom) => m.geom_bodyid[geom].idx(),
        Err(_) => m.nbody + contact.flex[side].max(0) as usize,
    });
    let both = owners[0] > 0 && owners[1] > 0 && !split;
    let kind = if both { GeomType::Arrow2 } else { GeomType::Arrow };
    let width = f64::from(m.vis.scale.forcewidth) * m.stat.meansize;
    for (i, &(vec, rgba)) in parts.iter().enumerate() {
        let mut vec = vec * (f64::from(m.vis.map.force) / m.stat.meanmass);
        if owners[0] > owners[1] {
            vec *= -1.0;
        }
        let Some(mut geom) = draw.acquire(Owner::decor(ObjType::Unknown, c)) else { return };
        geom.connect(kind, width, contact.pos, contact.pos + vec);
        geom.rgba = rgba;
        if draw.opt.label == VisLabel::Contactforce && i == 0 {
            geom.set_label(&general(local.norm(), 3));
        }
        draw.push(geom);
    }
}
