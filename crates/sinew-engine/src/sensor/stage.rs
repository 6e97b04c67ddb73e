//! The sensors of a stage, computed or read from their histories, the user's last.

use core::mem::take;

use sinew_model::enums::{DisableBit, ObjType, PluginCapabilityBit, SensorType, Stage};
use sinew_model::{Data, Model, SensorId};

use crate::constraint::rne_post_constraint;
use crate::hooks::Hooks;
use crate::instances;
use crate::sensor::compute::{apply_cutoff, compute_sensor};
use crate::sensor::history::{read_sensor, sensor_due};
use crate::sleep::{is_asleep, some_asleep};
use crate::smooth::subtree::subtree_vel;
use crate::work::scratch;

/// Sensors that depend on position.
///
/// Reads the position stage. Writes `sensordata`, and the energies if a sensor asks for them.
pub fn sensor_pos_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    sensors_of(m, d, Stage::Pos, hooks);
}

/// Sensors that depend on velocity.
///
/// Reads the position and velocity stages. Writes `sensordata`, and `subtree_linvel` and
/// `subtree_angmom` if a sensor asks for them.
pub fn sensor_vel_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    sensors_of(m, d, Stage::Vel, hooks);
}

/// Sensors that depend on acceleration and forces.
///
/// Reads all stages. Writes `sensordata`, and `cacc`, `cfrc_int` and `cfrc_ext` if a sensor asks
/// for them.
pub fn sensor_acc_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    sensors_of(m, d, Stage::Acc, hooks);
}

/// The sensors of a stage, the user's last.
pub(crate) fn sensors_of(m: &Model, d: &mut Data, stage: Stage, hooks: &mut (impl Hooks + ?Sized)) {
    if m.nsensor > 0 && !m.opt.disabled(DisableBit::Sensor) {
        compute_stage(m, d, stage, hooks);
    }
}

fn compute_stage(m: &Model, d: &mut Data, stage: Stage, hooks: &mut (impl Hooks + ?Sized)) {
    let mut has_user = false;
    let some_asleep = some_asleep(m, d);
    for (s, _) in m.sensor_needstage.iter().enumerate().filter(|&(_, need)| *need == stage) {
        if some_asleep && is_asleep(m, d, ObjType::Sensor, s) {
            continue;
        }
        let s = SensorId::new(s);
        let adr = m.sensor_adr[s] as usize;
        let place = adr..adr + m.sensor_dim[s] as usize;
        match m.sensor_type[s] {
            // after all others
            SensorType::Plugin => {}
            SensorType::User => {
                // the user's hook finds these
                has_user = true;
                if stage == Stage::Vel && !d.flg_subtreevel {
                    subtree_vel(m, d);
                } else if stage == Stage::Acc && !d.flg_rnepost {
                    rne_post_constraint(m, d);
                }
                d.sensordata.flat_mut()[place].fill(0.0);
            }
            _ if place.len() <= FEW => few_numbers(m, d, s, place),
            _ => {
                let mut out = take(&mut scratch(d).sensor.sample);
                out.clear();
                out.extend_from_slice(&d.sensordata.flat()[place.clone()]);
                compute_or_read(m, d, s, &mut out);
                d.sensordata.flat_mut()[place].copy_from_slice(&out);
                scratch(d).sensor.sample = out;
            }
        }
    }
    if has_user {
        hooks.sensor(m, d, stage);
        user_cutoffs(m, d, stage);
    }
    if m.nplugin > 0 {
        plugin_sensors(m, d, stage);
    }
}

/// The sensors of plugins that need this stage, within their cutoffs.
fn plugin_sensors(m: &Model, d: &mut Data, stage: Stage) {
    instances::each(m, d, PluginCapabilityBit::Sensor, |instance, d, id| {
        let need = m.plugin_of(id).map_or(Stage::None, |plugin| plugin.needstage());
        if need != stage && (stage, need) != (Stage::Pos, Stage::None) {
            return;
        }

        // what a sensor may read
        if stage == Stage::Vel && !d.flg_subtreevel {
            subtree_vel(m, d);
        } else if stage == Stage::Acc && !d.flg_rnepost {
            rne_post_constraint(m, d);
        }
        instance.compute(m, d, id, PluginCapabilityBit::Sensor);
        let own = |s: &SensorId| {
            m.sensor_type[*s] == SensorType::Plugin && m.sensor_plugin[*s].get() == Some(id)
        };
        m.sensors().filter(own).for_each(|s| limit(m, d, s, stage));
    });
}

/// Most sensors have no more numbers than this: a quaternion.
const FEW: usize = 4;

/// A sensor of few numbers, which need no scratch memory.
#[inline(always)]
fn few_numbers(m: &Model, d: &mut Data, s: SensorId, place: core::ops::Range<usize>) {
    let mut few = [0.0; FEW];
    let out = &mut few[..place.len()];
    // one by one, as each is read and written below
    for (x, old) in out.iter_mut().zip(&d.sensordata.flat()[place.clone()]) {
        *x = *old;
    }
    compute_or_read(m, d, s, out);
    for (x, new) in d.sensordata.flat_mut()[place].iter_mut().zip(out) {
        *x = *new;
    }
}

fn user_cutoffs(m: &Model, d: &mut Data, stage: Stage) {
    let of_user = |s: &SensorId| m.sensor_type[*s] == SensorType::User;
    m.sensors().filter(of_user).for_each(|s| limit(m, d, s, stage));
}

/// Applies the cutoff of a sensor of this stage.
fn limit(m: &Model, d: &mut Data, s: SensorId, stage: Stage) {
    if m.sensor_needstage[s] == stage && m.sensor_cutoff[s] > 0.0 {
        let adr = m.sensor_adr[s] as usize;
        let out = &mut d.sensordata.flat_mut()[adr..adr + m.sensor_dim[s] as usize];
        apply_cutoff(m.sensor_datatype[s], m.sensor_cutoff[s], out);
    }
}

/// The value the sensor shows: a new one, or one from its history if it has a delay or an
/// interval that is not over.
#[inline(always)]
fn compute_or_read(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    if m.sensor_history[s][0] > 0 {
        let delayed = m.sensor_delay[s] > 0.0;
        if delayed || (m.sensor_interval[s][0] > 0.0 && !sensor_due(m, d, s)) {
            read_sensor(m, d, s, d.time, -1, out);
            return;
        }
    }
    compute_sensor(m, d, s, out);
}
