//! Sensors that depend on velocity.

use sinew_math::Spatial;
use sinew_model::enums::{ConstraintType, SensorType};
use sinew_model::{BodyId, Data, JointId, Model, SensorId, TendonId};

use crate::sensor::position::{object, reference};
use crate::sensor::value::{limit_row, put_from, put3};
use crate::smooth::object::{self, site_at};
use crate::smooth::subtree::subtree_vel;

pub(super) fn compute(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    let id = m.sensor_objid[s];
    let at = id as usize;
    match m.sensor_type[s] {
        SensorType::Velocimeter => put3(out, site_velocity(m, d, at).lin),
        SensorType::Gyro => put3(out, site_velocity(m, d, at).rot),
        SensorType::Jointvel | SensorType::Ballangvel => {
            put_from(out, &d.qvel, m.jnt_dofadr[JointId::new(at)].idx());
        }
        SensorType::Tendonvel => out[0] = d.ten_velocity[TendonId::new(at)],
        SensorType::Actuatorvel => put_from(out, &d.actuator_velocity, at),
        SensorType::Jointlimitvel => out[0] = limit_vel(d, ConstraintType::LimitJoint, id),
        SensorType::Tendonlimitvel => out[0] = limit_vel(d, ConstraintType::LimitTendon, id),
        SensorType::Framelinvel => put3(out, frame_velocity(m, d, s).lin),
        SensorType::Frameangvel => put3(out, frame_velocity(m, d, s).rot),
        SensorType::Subtreelinvel | SensorType::Subtreeangmom => {
            if !d.flg_subtreevel {
                subtree_vel(m, d);
            }
            let b = BodyId::new(at);
            let linear = m.sensor_type[s] == SensorType::Subtreelinvel;
            put3(out, if linear { d.subtree_linvel[b] } else { d.subtree_angmom[b] });
        }
        _ => {}
    }
}

/// Velocity of a site in its own axes.
#[inline(always)]
fn site_velocity(m: &Model, d: &Data, site: usize) -> Spatial {
    let Some(at) = site_at(m, d, site) else { return Spatial::ZERO };
    object::frame_velocity(m, d, at, true)
}

/// Velocity of the object, as seen from the reference frame if there is one.
#[inline(always)]
fn frame_velocity(m: &Model, d: &Data, s: SensorId) -> Spatial {
    let Some(object) = object(m, d, s) else { return Spatial::ZERO };
    let own = object::frame_velocity(m, d, object, false);
    let Some(frame) = reference(m, d, s) else { return own };
    let base = object::frame_velocity(m, d, frame, false);

    // the reference turns: points at rest seem to move
    let lin = own.lin - base.lin + (*object.pos - *frame.pos).cross(base.rot);
    Spatial::new(frame.mat.tmul_vec(own.rot - base.rot), frame.mat.tmul_vec(lin))
}

/// Velocity of an active limit; zero if inactive.
fn limit_vel(d: &Data, kind: ConstraintType, id: i32) -> f64 {
    limit_row(d, kind, id).map_or(0.0, |r| d.efc_vel[r])
}
