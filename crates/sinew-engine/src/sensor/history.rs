//! Histories of sensors: recorded at each step, read with a delay or between ticks.

use core::mem::take;

use sinew_model::{Data, Model, SensorId};

use crate::actuator::history::{HEADER, History, HistoryError, init, insert};
use crate::sensor::compute::compute_sensor;
use crate::work::scratch;

/// Sets the history of a sensor, oldest sample first, and the time of its last tick to `phase`.
/// Without `times` the stored times stay.
#[doc(alias = "mj_initSensorHistory")]
pub fn init_sensor_history(
    m: &Model,
    d: &mut Data,
    s: SensorId,
    times: Option<&[f64]>,
    values: &[f64],
    phase: f64,
) -> Result<(), HistoryError> {
    let n = sensor_samples(m, s).ok_or(HistoryError::None)?;
    let adr = m.sensor_historyadr[s] as usize;
    let len = HEADER + n * (1 + m.sensor_dim[s] as usize);
    let buf = &mut d.history.flat_mut()[adr..adr + len];
    init(buf, n, times, values)?;
    buf[0] = phase;
    Ok(())
}

/// Samples kept for a sensor; none if it has no history.
fn sensor_samples(m: &Model, s: SensorId) -> Option<usize> {
    usize::try_from(m.sensor_history[s][0]).ok().filter(|&n| n > 0)
}

/// The values of a sensor as they were its delay before `time`; without a history, the present
/// ones. `interp` is the order of interpolation; a negative one means the model's.
#[doc(alias = "mj_readSensor")]
pub fn read_sensor(m: &Model, d: &Data, s: SensorId, time: f64, interp: i32, out: &mut [f64]) {
    let Some(n) = sensor_samples(m, s) else {
        let adr = m.sensor_adr[s] as usize;
        out.copy_from_slice(&d.sensordata.flat()[adr..adr + out.len()]);
        return;
    };
    let order = if interp < 0 { m.sensor_history[s][1] } else { interp };
    let buf = &d.history.flat()[m.sensor_historyadr[s] as usize..];
    let dim = m.sensor_dim[s] as usize;
    History::new(buf, n, dim).read(time - m.sensor_delay[s], order, out);
}

/// Whether the interval since a sensor's last tick, the user's number of its history, is over.
pub(crate) fn sensor_due(m: &Model, d: &Data, s: SensorId) -> bool {
    d.history.flat()[m.sensor_historyadr[s] as usize] + m.sensor_interval[s][0] <= d.time
}

/// Records the sensor values of this step in their histories, those with an interval when due. The
/// output of a delayed sensor is old, so its present value is computed here.
pub fn record_sensors(m: &Model, d: &mut Data) {
    for s in m.sensors() {
        let Some(n) = sensor_samples(m, s) else { continue };
        let dim = m.sensor_dim[s] as usize;
        let interval = m.sensor_interval[s][0];
        if interval > 0.0 && !sensor_due(m, d, s) {
            continue;
        }
        let first = m.sensor_historyadr[s] as usize;
        let buf = &mut d.history.flat_mut()[first..];
        if interval > 0.0 {
            // ticks are exact intervals apart
            buf[0] += interval;
        }
        let start = first + HEADER + n + dim * insert(buf, n, dim, d.time);
        let slot = start..start + dim;
        if m.sensor_delay[s] > 0.0 {
            // a sensor of the user's own keeps its values
            let mut sample = take(&mut scratch(d).sensor.sample);
            sample.clear();
            sample.extend_from_slice(&d.history.flat()[slot.clone()]);
            compute_sensor(m, d, s, &mut sample);
            d.history.flat_mut()[slot].copy_from_slice(&sample);
            scratch(d).sensor.sample = sample;
        } else {
            let adr = m.sensor_adr[s] as usize;
            let reading = &d.sensordata.flat()[adr..adr + dim];
            d.history.flat_mut()[slot].copy_from_slice(reading);
        }
    }
}
