//! Actuators: their targets, coloured by control or activation.

use sinew_engine::{actuator_disabled, site_pose};
use sinew_math::{MINVAL, Vec3, scalar};
use sinew_model::enums::{DynType, GeomType, JointType, ObjType, TrnType, VisFlag, VisLabel};
use sinew_model::{ActuatorId, BodyId, JointId, SiteId, TendonId};

use crate::draw::{Draw, Owner};
use crate::geoms::dress_site;
use crate::records::{SceneGeom, in_group};
use crate::tendons::segments;

/// Size of an actuator's geom relative to its target.
const INFLATION: f64 = 1.05;

pub(super) fn actuators(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Actuator) {
        return;
    }
    let m = draw.m;
    for u in m.actuators() {
        let shown = in_group(&draw.opt.actuatorgroup, m.actuator_group[u]);
        let Ok(target) = usize::try_from(m.actuator_trnid[u][0]) else { continue };
        if !shown || actuator_disabled(m, u) {
            continue;
        }
        let rgba = color(draw, u);
        match m.actuator_trntype[u] {
            TrnType::Joint | TrnType::Jointinparent => joint(draw, u, JointId::new(target), rgba),
            TrnType::Site => site(draw, u, SiteId::new(target), rgba),
            TrnType::Body => body(draw, u, BodyId::new(target), rgba),
            TrnType::Tendon => tendon(draw, u, TendonId::new(target), rgba),
            _ => {}
        }
    }
}

/// The range of an actuator, extended to contain zero: lower end, middle, upper end.
fn range(draw: &Draw<'_>, u: ActuatorId) -> [f64; 3] {
    let m = draw.m;
    let [low, high] = if m.actuator_ctrllimited[u].get() {
        m.actuator_ctrlrange[u]
    } else if draw.shows(VisFlag::Activation) && m.actuator_actlimited[u].get() {
        m.actuator_actrange[u]
    } else {
        [-1.0, 1.0]
    };
    let [mut low, middle, mut high] = if low >= 0.0 {
        [-1.0, low, high]
    } else if high <= 0.0 {
        [low, high, 1.0]
    } else {
        [low, 0.0, high]
    };
    if middle - low < MINVAL {
        low = middle - MINVAL;
    }
    if high - middle < MINVAL {
        high = middle + MINVAL;
    }
    [low, middle, high]
}

/// The colour of an actuator: interpolated between the colours of the range's ends and middle.
fn color(draw: &Draw<'_>, u: ActuatorId) -> [f32; 4] {
    let (m, d) = (draw.m, draw.d);
    let [low, middle, high] = range(draw, u);
    let activated = draw.shows(VisFlag::Activation) && m.actuator_dyntype[u] != DynType::None;
    let value = if activated {
        d.act[(m.actuator_actadr[u] + m.actuator_actnum[u] - 1) as usize]
    } else {
        d.ctrl[u]
    };
    let value = scalar::clip(value, low, high);
    let (negative, mean, positive) = if value <= middle {
        let negative = ((middle - value) / (middle - low).max(MINVAL)) as f32;
        (negative, 1.0 - negative, 0.0)
    } else {
        let positive = ((value - middle) / (high - middle).max(MINVAL)) as f32;
        (0.0, 1.0 - positive, positive)
    };
    let rgba = &m.vis.rgba;
    core::array::from_fn(|k| {
        negative * rgba.actuatornegative[k]
            + mean * rgba.actuator[k]
            + positive * rgba.actuatorpositive[k]
    })
}

/// Colours, labels and adds the geom of an actuator.
fn finish(draw: &mut Draw<'_>, mut geom: SceneGeom, u: ActuatorId, rgba: [f32; 4]) {
    geom.rgba = rgba;
    draw.label(&mut geom, VisLabel::Actuator, ObjType::Actuator, u.idx());
    draw.push(geom);
}

fn joint(draw: &mut Draw<'_>, u: ActuatorId, j: JointId, rgba: [f32; 4]) {
    let (m, d) = (draw.m, draw.d);
    let Some(mut geom) = draw.acquire(Owner::decor(ObjType::Actuator, u.idx())) else { return };
    let (anchor, kind) = (d.xanchor[j], m.jnt_type[j]);
    if kind == JointType::Hinge || kind == JointType::Slide {
        let length = f64::from(m.vis.scale.actuatorlength * draw.meansize());
        let width = f64::from(m.vis.scale.actuatorwidth * draw.meansize());
        let arrow = if kind == JointType::Slide { GeomType::Arrow } else { GeomType::Arrow1 };
        geom.connect(arrow, width, anchor, anchor + d.xaxis[j] * length);
    } else {
        let size = f64::from(m.vis.scale.jointlength * draw.meansize()) * 0.33;
        let shape = if kind == JointType::Ball { GeomType::Sphere } else { GeomType::Box };
        let mat = d.xmat[m.jnt_bodyid[j]];
        geom.init(shape, Some(Vec3::new(size, size, size)), Some(anchor), Some(mat), None);
    }
    finish(draw, geom, u, rgba);
}

fn site(draw: &mut Draw<'_>, u: ActuatorId, s: SiteId, rgba: [f32; 4]) {
    let (m, d) = (draw.m, draw.d);
    let Some(mut geom) = draw.acquire(Owner::decor(ObjType::Actuator, u.idx())) else { return };
    let size = m.site_size[s] * INFLATION;
    let at = site_pose(m, d, s);
    geom.init(m.site_type[s], Some(size), Some(at.pos), Some(at.mat), None);
    dress_site(draw, &mut geom, s);
    finish(draw, geom, u, rgba);
}

/// Adds all primitive geoms of the body.
fn body(draw: &mut Draw<'_>, u: ActuatorId, b: BodyId, rgba: [f32; 4]) {
    let (m, d) = (draw.m, draw.d);
    for g in m.body_geoms(b) {
        let kind = m.geom_type[g];
        let other = [GeomType::Plane, GeomType::Hfield, GeomType::Mesh, GeomType::Sdf];
        if other.contains(&kind) {
            continue;
        }
        let Some(mut geom) = draw.acquire(Owner::decor(ObjType::Actuator, u.idx())) else { return };
        let size = m.geom_size[g] * INFLATION;
        let (pos, mat) = (d.geom_xpos[g], d.geom_xmat[g]);
        geom.init(kind, Some(size), Some(pos), Some(mat), Some(rgba));
        draw.push(geom);
    }
}

fn tendon(draw: &mut Draw<'_>, u: ActuatorId, t: TendonId, rgba: [f32; 4]) {
    let (m, d) = (draw.m, draw.d);
    for segment in segments(m, d, t) {
        let Some(mut geom) = draw.acquire(Owner::decor(ObjType::Actuator, u.idx())) else { return };
        let width = segment.width * f64::from(m.vis.map.actuatortendon);
        geom.connect(GeomType::Capsule, width, segment.from, segment.to);
        geom.paint(m, draw.paint(m.tendon_matid[t], m.tendon_rgba[t]));
        geom.rgba = rgba;
        if segment.first {
            draw.label(&mut geom, VisLabel::Actuator, ObjType::Actuator, u.idx());
        }
        draw.push(geom);
    }
}
