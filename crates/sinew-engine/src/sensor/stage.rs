//! The sensors of a stage, computed or read from their histories, the user's last.

use sinew_model::enums::{DisableBit, ObjType, PluginCapabilityBit, SensorType, Stage};
use sinew_model::{Data, Model, SensorId};

use crate::constraint::rne_post_constraint;
use crate::hooks::{self, Hooks};
use crate::instances;
use crate::sensor::compute::{apply_cutoff, compute_sensor};
use crate::sensor::history::{read_sensor, sensor_due};
use crate::sleep::{is_asleep, some_asleep};
use crate::smooth::subtree::subtree_vel;
use crate::work::set_aside;

/// Sensors that depend on position.
///
/// Reads the position stage. Writes `sensordata`, and the energies if a sensor needs them.
pub fn sensor_pos_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    sensors_of(m, d, Stage::Pos, hooks);
}

/// Sensors that depend on velocity.
///
/// Reads the position and velocity stages. Writes `sensordata`, and `subtree_linvel` and
/// `subtree_angmom` if a sensor needs them.
pub fn sensor_vel_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    sensors_of(m, d, Stage::Vel, hooks);
}

/// Sensors that depend on acceleration and forces.
///
/// Reads all stages. Writes `sensordata`, and `cacc`, `cfrc_int` and `cfrc_ext` if a sensor needs
/// them.
pub fn sensor_acc_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    sensors_of(m, d, Stage::Acc, hooks);
}

/// The sensors of a stage, the user's last.
#[inline(always)]
pub(crate) fn sensors_of(m: &Model, d: &mut Data, stage: Stage, hooks: &mut (impl Hooks + ?Sized)) {
    if m.nsensor == 0 || m.opt.disabled(DisableBit::Sensor) {
        return;
    }
    let first = m.sensor_needstage.iter().position(|&need| need == stage);
    if first.is_some() || m.nplugin > 0 {
        compute_stage(m, d, stage, first.unwrap_or(m.nsensor), hooks);
    }
}

/// The sensors of a stage, of which `first` is the first.
#[inline(never)]
fn compute_stage(
    m: &Model,
    d: &mut Data,
    stage: Stage,
    first: usize,
    hooks: &mut (impl Hooks + ?Sized),
) {
    let has_user = set_aside(
        d,
        |d| &mut d.sensordata,
        |d, out| compute_all(m, d, stage, first, out.flat_mut()),
    );
    if has_user {
        hooks::call(hooks, "mjcb_sensor", |hooks| hooks.sensor(m, d, stage));
        user_cutoffs(m, d, stage);
    }
    if m.nplugin > 0 {
        plugin_sensors(m, d, stage);
    }
}

/// All sensors of a stage except plugins', which come after all others. Sensors of the user get
/// zeros; returns whether there are any.
fn compute_all(
    m: &Model,
    d: &mut Data,
    stage: Stage,
    first: usize,
    sensordata: &mut [f64],
) -> bool {
    let mut has_user = false;
    let some_asleep = some_asleep(m, d);
    for s in first..m.nsensor {
        if m.sensor_needstage[s] != stage || some_asleep && is_asleep(m, d, ObjType::Sensor, s) {
            continue;
        }
        let s = SensorId::new(s);
        let adr = m.sensor_adr[s] as usize;
        let out = &mut sensordata[adr..adr + m.sensor_dim[s] as usize];

        // readings of plugins and of the user come later; delayed ones from the history
        match m.sensor_type[s] {
            SensorType::Plugin => {}
            SensorType::User => {
                has_user = true;
                prepare_reading(m, d, stage);
                out.fill(0.0);
            }
            _ if m.nhistory > 0 && read_earlier(m, d, s, out) => {}
            _ => compute_sensor(m, d, s, out),
        }
    }
    has_user
}

/// Computes the quantities that sensors of the user and of plugins may read beside the stages.
#[cold]
#[inline(never)]
fn prepare_reading(m: &Model, d: &mut Data, stage: Stage) {
    if stage == Stage::Vel && !d.flg_subtreevel {
        subtree_vel(m, d);
    } else if stage == Stage::Acc && !d.flg_rnepost {
        rne_post_constraint(m, d);
    }
}

/// The sensors of plugins that need this stage, within their cutoffs.
fn plugin_sensors(m: &Model, d: &mut Data, stage: Stage) {
    instances::each(m, d, PluginCapabilityBit::Sensor, |instance, d, id| {
        let need = m.plugin_of(id).map_or(Stage::None, |plugin| plugin.needstage());
        if need != stage && (stage, need) != (Stage::Pos, Stage::None) {
            return;
        }

        prepare_reading(m, d, stage);
        instance.compute(m, d, id, PluginCapabilityBit::Sensor);
        let own = |s: &SensorId| {
            m.sensor_type[*s] == SensorType::Plugin && m.sensor_plugin[*s].get() == Some(id)
        };
        m.sensors().filter(own).for_each(|s| limit(m, d, s, stage));
    });
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

/// Shows the value from a sensor's history if it has a delay or an interval that is not over, and
/// returns whether it did.
#[cold]
#[inline(never)]
fn read_earlier(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) -> bool {
    let delayed = m.sensor_delay[s] > 0.0;
    let earlier = m.sensor_history[s][0] > 0
        && (delayed || (m.sensor_interval[s][0] > 0.0 && !sensor_due(m, d, s)));
    if earlier {
        read_sensor(m, d, s, d.time, -1, out);
    }
    earlier
}
