//! A new value of any sensor.

use sinew_math::scalar;
use sinew_model::enums::{DataType, SensorType, Stage};
use sinew_model::{Data, Model, SensorId};

use crate::sensor::{acceleration, position, velocity};

/// A new value of a sensor, within its cutoff.
#[doc(alias = "mj_computeSensor")]
pub(crate) fn compute_sensor(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    match m.sensor_needstage[s] {
        Stage::Pos => position::compute(m, d, s, out),
        Stage::Vel => velocity::compute(m, d, s, out),
        _ => acceleration::compute(m, d, s, out),
    }
    let cutoff = m.sensor_cutoff[s];
    if cutoff > 0.0 {
        let unlimited = matches!(m.sensor_type[s], SensorType::Contact | SensorType::Geomfromto);
        if !unlimited {
            apply_cutoff(m.sensor_datatype[s], cutoff, out);
        }
    }
}

/// Limits numbers to ±cutoff, positive ones to the cutoff; axes and quaternions stay.
pub(super) fn apply_cutoff(kind: DataType, cutoff: f64, out: &mut [f64]) {
    for x in out {
        match kind {
            DataType::Real => *x = scalar::clip(*x, -cutoff, cutoff),
            DataType::Positive if *x >= cutoff => *x = cutoff,
            _ => {}
        }
    }
}
