//! Sensors that depend on position.

use sinew_math::{Quat, Vec3};
use sinew_model::enums::{ConstraintType, ObjType, SensorType};
use sinew_model::{BodyId, CamId, Data, GeomId, JointId, Model, SensorId, SiteId, TendonId};

use crate::collision::{Distance, geom_distance};
use crate::geometry::inside_site;
use crate::sensor::enclosed::enclosed;
use crate::sensor::rangefinder::rangefinder;
use crate::sensor::value::{limit_row, put_from, put3, put4};
use crate::smooth::camera::project;
use crate::smooth::energy::{energy_pos, energy_vel};
use crate::smooth::object::{FrameAt, frame_at};

pub(super) fn compute(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    let at = m.sensor_objid[s] as usize;
    match m.sensor_type[s] {
        SensorType::Magnetometer => put3(out, d.site_xmat[at].tmul_vec(m.opt.magnetic)),
        SensorType::Jointpos => put_from(out, &d.qpos, m.jnt_qpos(JointId::new(at)).start),
        SensorType::Tendonpos => out[0] = d.ten_length[TendonId::new(at)],
        SensorType::Actuatorpos => put_from(out, &d.actuator_length, at),
        SensorType::Framepos => frame_pos(m, d, s, out),
        SensorType::Framexaxis => frame_axis(m, d, s, 0, out),
        SensorType::Frameyaxis => frame_axis(m, d, s, 1, out),
        SensorType::Framezaxis => frame_axis(m, d, s, 2, out),
        SensorType::Framequat => frame_quat(m, d, s, out),
        SensorType::Subtreecom => put3(out, d.subtree_com[BodyId::new(at)]),
        SensorType::Clock => out[0] = d.time,
        _ => compute_larger(m, d, s, out),
    }
}

/// The sensors that take longer than a call.
// not inlined: the common sensors need no stack frame
#[inline(never)]
fn compute_larger(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    let id = m.sensor_objid[s];
    let at = id as usize;
    match m.sensor_type[s] {
        SensorType::Camprojection => {
            let cam = CamId::new(m.sensor_refid[s] as usize);
            let point = d.site_xpos[SiteId::new(at)];
            out.copy_from_slice(&project(m, cam, d.cam_xpos[cam], d.cam_xmat[cam], point));
        }
        SensorType::Rangefinder => rangefinder(m, d, s, out),
        SensorType::Ballquat => {
            let adr = m.jnt_qpos(JointId::new(at)).start;
            put4(out, Quat::from_slice(d.qpos.split_at(adr).1).normalize().0);
        }
        SensorType::Jointlimitpos => out[0] = limit_pos(d, ConstraintType::LimitJoint, id),
        SensorType::Tendonlimitpos => out[0] = limit_pos(d, ConstraintType::LimitTendon, id),
        SensorType::Insidesite => out[0] = inside(m, d, s),
        SensorType::Geomdist => out[0] = nearest(m, d, s).dist,
        SensorType::Geomnormal => {
            let Distance { from, to, .. } = nearest(m, d, s);
            put3(out, if to == from { Vec3::ZERO } else { (to - from).normalize().0 });
        }
        SensorType::Geomfromto => {
            let Distance { from, to, .. } = nearest(m, d, s);
            put3(&mut out[..3], from);
            put3(&mut out[3..], to);
        }
        SensorType::EPotential => {
            if !d.flg_energypos {
                energy_pos(m, d);
            }
            out[0] = d.energy[0];
        }
        SensorType::EKinetic => {
            if !d.flg_energyvel {
                energy_vel(m, d);
            }
            out[0] = d.energy[1];
        }
        _ => {}
    }
}

/// Where the frame of the sensor's object is; none for an object without one.
#[inline]
pub(super) fn object<'a>(m: &Model, d: &'a Data, s: SensorId) -> Option<FrameAt<'a>> {
    frame(m, d, m.sensor_objtype[s], m.sensor_objid[s])
}

/// The reference frame, if the sensor has one.
#[inline]
pub(super) fn reference<'a>(m: &Model, d: &'a Data, s: SensorId) -> Option<FrameAt<'a>> {
    frame(m, d, m.sensor_reftype[s], m.sensor_refid[s])
}

#[inline]
fn frame<'a>(m: &Model, d: &'a Data, kind: ObjType, id: i32) -> Option<FrameAt<'a>> {
    frame_at(m, d, kind, usize::try_from(id).ok()?)
}

/// Position of the object, as seen from the reference frame if there is one.
fn frame_pos(m: &Model, d: &Data, s: SensorId, out: &mut [f64]) {
    let pos = object(m, d, s).map_or(Vec3::ZERO, |own| *own.pos);
    match reference(m, d, s) {
        Some(frame) => put3(out, frame.mat.tmul_vec(pos - *frame.pos)),
        None => put3(out, pos),
    }
}

/// An axis of the object, as seen from the reference frame if there is one.
fn frame_axis(m: &Model, d: &Data, s: SensorId, axis: usize, out: &mut [f64]) {
    let axis = object(m, d, s).map_or(Vec3::ZERO, |own| own.mat.col(axis));
    match reference(m, d, s) {
        Some(frame) => put3(out, frame.mat.tmul_vec(axis)),
        None => put3(out, axis),
    }
}

/// Orientation of the object, as seen from the reference frame if there is one.
fn frame_quat(m: &Model, d: &Data, s: SensorId, out: &mut [f64]) {
    let own = object_quat(m, d, m.sensor_objtype[s], m.sensor_objid[s]).unwrap_or_default();
    match object_quat(m, d, m.sensor_reftype[s], m.sensor_refid[s]) {
        Some(reference) => put4(out, reference.conj() * own),
        None => put4(out, own),
    }
}

#[inline(always)]
fn object_quat(m: &Model, d: &Data, kind: ObjType, id: i32) -> Option<Quat> {
    let id = usize::try_from(id).ok()?;
    Some(match kind {
        ObjType::Xbody => d.xquat[BodyId::new(id)],
        ObjType::Body => d.xquat[BodyId::new(id)] * m.body_iquat[BodyId::new(id)],
        ObjType::Geom => d.xquat[m.geom_bodyid[id]] * m.geom_quat[GeomId::new(id)],
        ObjType::Site => d.xquat[m.site_bodyid[id]] * m.site_quat[SiteId::new(id)],
        ObjType::Camera => d.xquat[m.cam_bodyid[id]] * m.cam_quat[CamId::new(id)],
        _ => return None,
    })
}

/// The nearest points of the sensor's two objects, each a geom or all geoms of a body.
fn nearest(m: &Model, d: &mut Data, s: SensorId) -> Distance {
    let cutoff = m.sensor_cutoff[s];
    let geoms = |kind: ObjType, id: i32| match kind {
        ObjType::Body => {
            let b = BodyId::new(id as usize);
            let first = m.body_geomadr[b].get().map_or(0, GeomId::idx);
            first..first + m.body_geomnum[b].max(0) as usize
        }
        _ => id as usize..id as usize + 1,
    };
    let mut best = Distance { dist: cutoff, from: Vec3::ZERO, to: Vec3::ZERO };
    for g1 in geoms(m.sensor_objtype[s], m.sensor_objid[s]) {
        for g2 in geoms(m.sensor_reftype[s], m.sensor_refid[s]) {
            let pair = geom_distance(m, d, GeomId::new(g1), GeomId::new(g2), cutoff);
            if pair.dist < best.dist {
                best = pair;
            }
        }
    }
    best
}

/// Whether the origin of an object is inside a site, or how far the object reaches out of it.
fn inside(m: &Model, d: &Data, s: SensorId) -> f64 {
    if m.is_enclosed(s) {
        return enclosed(m, d, s);
    }
    let site = SiteId::new(m.sensor_refid[s] as usize);
    let point = object(m, d, s).map_or(Vec3::ZERO, |own| *own.pos);
    f64::from(u8::from(inside_site(m, d, site, point)))
}

/// Distance to an active limit, minus its margin; zero if inactive.
fn limit_pos(d: &Data, kind: ConstraintType, id: i32) -> f64 {
    limit_row(d, kind, id).map_or(0.0, |r| d.efc_pos[r] - d.efc_margin[r])
}
