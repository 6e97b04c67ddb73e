//! Names of recorded columns, from the names of joints, actuators and sensors.

use sinew::Model;
use sinew::model::enums::{JointType, ObjType};

/// The recorded quantities in order.
pub(super) const NAMES: [&str; 6] = ["time", "qpos", "qvel", "act", "ctrl", "sensordata"];

const FREE: [&str; 7] = ["x", "y", "z", "qw", "qx", "qy", "qz"];
const FREE_RATE: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];

/// The recorded quantities and their columns' names, such as `qpos.elbow` or `qpos.torso.qw`.
pub(super) fn quantities(m: &Model) -> Vec<(&'static str, Vec<String>)> {
    let [time, qpos, qvel, act, ctrl, sensordata] = NAMES;
    let mut lists = vec![(time, vec![time.to_string()])];

    // joints
    let (mut positions, mut velocities) = (Vec::new(), Vec::new());
    for j in m.joints() {
        let (of_pos, of_vel): (&[&str], &[&str]) = match m.jnt_type[j] {
            JointType::Free => (&FREE, &FREE_RATE),
            JointType::Ball => (&FREE[3..], &FREE_RATE[3..]),
            _ => (&[""], &[""]),
        };
        let named = |quantity: &str, parts: &[&str], first: usize| {
            let label = label(m, ObjType::Joint, j.idx());
            let column = |(k, part): (usize, &&str)| match (&label, part.is_empty()) {
                (Some(name), true) => format!("{quantity}.{name}"),
                (Some(name), false) => format!("{quantity}.{name}.{part}"),
                (None, _) => format!("{quantity}.{}", first + k),
            };
            parts.iter().enumerate().map(column).collect::<Vec<_>>()
        };
        positions.extend(named(qpos, of_pos, positions.len()));
        velocities.extend(named(qvel, of_vel, velocities.len()));
    }
    lists.extend([(qpos, positions), (qvel, velocities)]);

    // activations and controls of actuators
    let mut activations: Vec<String> = (0..m.na).map(|i| format!("{act}.{i}")).collect();
    let mut controls = Vec::new();
    for u in m.actuators() {
        let name = label(m, ObjType::Actuator, u.idx());
        let adr = usize::try_from(m.actuator_actadr[u]).ok();
        let number = m.actuator_actnum[u].max(0) as usize;
        if let (Some(adr), Some(name)) = (adr, &name) {
            for k in 0..number.min(m.na.saturating_sub(adr)) {
                activations[adr + k] = numbered(act, name, k, number);
            }
        }
        controls.push(format!("{ctrl}.{}", name.unwrap_or(u.idx().to_string())));
    }
    lists.extend([(act, activations), (ctrl, controls)]);

    // sensors
    let mut readings: Vec<String> =
        (0..m.nsensordata).map(|i| format!("{sensordata}.{i}")).collect();
    for s in m.sensors() {
        let (adr, number) = (m.sensor_adr[s] as usize, m.sensor_dim[s] as usize);
        if let Some(name) = label(m, ObjType::Sensor, s.idx()) {
            for k in 0..number {
                readings[adr + k] = numbered(sensordata, &name, k, number);
            }
        }
    }
    lists.push((sensordata, readings));
    lists
}

fn numbered(quantity: &str, name: &str, k: usize, number: usize) -> String {
    match number {
        1 => format!("{quantity}.{name}"),
        _ => format!("{quantity}.{name}.{k}"),
    }
}

/// The name of an object, if it has one.
fn label(m: &Model, kind: ObjType, id: usize) -> Option<String> {
    m.id2name(kind, id).filter(|name| !name.is_empty()).map(str::to_string)
}
