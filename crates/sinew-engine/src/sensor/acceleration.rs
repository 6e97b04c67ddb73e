//! Sensors that depend on acceleration and forces.

use sinew_geom::ray::Ray;
use sinew_geom::shape::Pose;
use sinew_math::Spatial;
use sinew_model::enums::{ConstraintType, SensorType, TrnType};
use sinew_model::{ActuatorId, Data, JointId, Model, SensorId, SiteId};

use crate::constraint::contact_force;
use crate::constraint::rne_post_constraint;
use crate::ray::shape;
use crate::sensor::contact::{contact, contact_bodies};
use crate::sensor::position::object;
use crate::sensor::tactile::tactile;
use crate::sensor::value::{limit_row, put_from, put3};
use crate::smooth::object::{FrameAt, frame_acceleration, site_at};
use crate::smooth::rne::force_moved;

pub(super) fn compute(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    let (id, kind) = (m.sensor_objid[s], m.sensor_type[s]);
    let at = id as usize;

    // accelerations and forces between bodies, once for all sensors
    let needs_rne = matches!(
        kind,
        SensorType::Accelerometer
            | SensorType::Force
            | SensorType::Torque
            | SensorType::Framelinacc
            | SensorType::Frameangacc
    );
    if needs_rne && !d.flg_rnepost {
        rne_post_constraint(m, d);
    }
    match kind {
        SensorType::Touch => out[0] = touch(m, d, SiteId::new(at)),
        SensorType::Contact => contact(m, d, s, out),
        SensorType::Tactile => tactile(m, d, s, out),
        SensorType::Accelerometer => put3(out, acceleration(m, d, site_at(m, d, at), true).lin),
        SensorType::Force => put3(out, interaction(m, d, SiteId::new(at)).lin),
        SensorType::Torque => put3(out, interaction(m, d, SiteId::new(at)).rot),
        SensorType::Actuatorfrc => put_from(out, &d.actuator_force, at),
        SensorType::Jointactfrc => {
            out[0] = d.qfrc_actuator[m.jnt_dofadr[JointId::new(at)]];
        }
        SensorType::Tendonactfrc => {
            let pulls = |u: &ActuatorId| {
                m.actuator_trntype[*u] == TrnType::Tendon && m.actuator_trnid[*u][0] == id
            };
            out[0] = m.actuators().filter(pulls).fold(0.0, |sum, u| sum + d.actuator_force[u]);
        }
        SensorType::Jointlimitfrc => out[0] = limit_force(d, ConstraintType::LimitJoint, id),
        SensorType::Tendonlimitfrc => out[0] = limit_force(d, ConstraintType::LimitTendon, id),
        SensorType::Framelinacc => put3(out, acceleration(m, d, object(m, d, s), false).lin),
        SensorType::Frameangacc => put3(out, acceleration(m, d, object(m, d, s), false).rot),
        _ => {}
    }
}

/// Acceleration of an object; zero without one.
#[inline(always)]
fn acceleration(m: &Model, d: &Data, at: Option<FrameAt<'_>>, local: bool) -> Spatial {
    let Some(at) = at else { return Spatial::ZERO };
    frame_acceleration(m, d, at, local)
}

/// Sum of the normal forces on the site's body whose lines, seen from the contact into the body,
/// pass through the site.
fn touch(m: &Model, d: &Data, site: SiteId) -> f64 {
    let body = m.site_bodyid[site];
    let pose = Pose { pos: d.site_xpos[site], mat: d.site_xmat[site] };
    let Some(zone) = shape(m.site_type[site], m.site_size[site]) else { return 0.0 };
    let mut sum = 0.0;
    for (c, contact) in d.contact.iter().enumerate() {
        let [first, second] = contact_bodies(m, contact);
        if contact.efc_address < 0 || (first != Some(body) && second != Some(body)) {
            continue;
        }
        let normal = contact_force(m, d, c).force.x;
        if normal <= 0.0 {
            continue;
        }
        let dir = (contact.frame.row(0) * normal).normalize().0;
        let dir = if second == Some(body) { dir * -1.0 } else { dir };
        if (Ray { origin: contact.pos, dir }).hit(zone, pose).is_some() {
            sum += normal;
        }
    }
    sum
}

/// Force and torque between the site's body and its parent, at the site and in its axes.
#[inline(always)]
fn interaction(m: &Model, d: &Data, site: SiteId) -> Spatial {
    let body = m.site_bodyid[site];
    let dif = d.site_xpos[site] - d.subtree_com[m.body_rootid[body]];
    let force = force_moved(d.cfrc_int[body], dif);
    let mat = &d.site_xmat[site];
    Spatial::new(mat.tmul_vec(force.rot), mat.tmul_vec(force.lin))
}

/// Force of an active limit; zero if inactive.
fn limit_force(d: &Data, kind: ConstraintType, id: i32) -> f64 {
    limit_row(d, kind, id).map_or(0.0, |r| d.efc_force[r])
}
