//! Sensors: stages, cutoffs, histories, and forces that are given by hand.

use crate::chain::{moving, sensing};
use sinew_engine as engine;
use sinew_math::{Mat3, Vec3};
use sinew_model::contact::Contact;
use sinew_model::enums::{
    ConeType, ConstraintType, DataType, DisableBit, GeomType, SensorType, Stage,
};
use sinew_model::{BodyId, Data, Model, SensorId};
use sinew_testkit::Random;

fn find(m: &Model, kind: SensorType) -> SensorId {
    m.sensors().find(|&s| m.sensor_type[s] == kind).expect("the chain has every kind")
}

fn reading(m: &Model, d: &Data, kind: SensorType) -> Vec<f64> {
    let s = find(m, kind);
    let adr = m.sensor_adr[s] as usize;
    d.sensordata.flat()[adr..adr + m.sensor_dim[s] as usize].to_vec()
}

#[test]
fn forward_fills_every_sensor() {
    let m = sensing(0);
    let mut d = moving(&m);
    d.sensordata.fill(f64::NAN);
    engine::forward(&m, &mut d);
    assert!(d.sensordata.iter().all(|x| x.is_finite()));
    for kind in [SensorType::Accelerometer, SensorType::Gyro, SensorType::Subtreeangmom] {
        assert!(reading(&m, &d, kind).iter().all(|&x| x != 0.0), "{kind:?}");
    }
}

#[test]
fn disabled_sensors_keep_their_values() {
    let mut m = sensing(0);
    m.opt.disableflags = DisableBit::Sensor.0;
    let mut d = moving(&m);
    d.sensordata.fill(7.0);
    engine::forward(&m, &mut d);
    assert!(d.sensordata.iter().all(|&x| x == 7.0));
    assert!(!d.flg_energypos && !d.flg_subtreevel && !d.flg_rnepost);
    assert_eq!(d.energy, [0.0; 2]);
}

#[test]
fn sensors_compute_what_they_need_once() {
    let m = sensing(0);
    let mut d = moving(&m);
    engine::forward_skip(&m, &mut d, Stage::None, true);
    assert!(!d.flg_energypos && !d.flg_subtreevel && !d.flg_rnepost);
    engine::forward(&m, &mut d);
    assert!(d.flg_subtreevel && d.flg_rnepost);
    // the velocity stage forgets the kinetic energy that a position sensor asked for
    assert!(d.flg_energypos && !d.flg_energyvel);
    assert!(d.energy[0] != 0.0 && d.energy[1] != 0.0);

    // a valid result is not computed again
    d.subtree_linvel[1] = Vec3::new(1.0, 2.0, 3.0);
    engine::sensor_vel(&m, &mut d);
    assert_eq!(reading(&m, &d, SensorType::Subtreelinvel), [1.0, 2.0, 3.0]);
}

#[test]
fn cutoffs_depend_on_the_kind_of_number() {
    let mut m = sensing(0);
    let mut d = moving(&m);
    engine::forward(&m, &mut d);
    let free = reading(&m, &d, SensorType::Gyro);
    let s = find(&m, SensorType::Gyro);
    m.sensor_cutoff[s] = 0.1;
    for (kind, want) in [
        (DataType::Real, [0, 1, 2].map(|k: usize| free[k].clamp(-0.1, 0.1))),
        (DataType::Positive, [0, 1, 2].map(|k: usize| free[k].min(0.1))),
        (DataType::Axis, [free[0], free[1], free[2]]),
    ] {
        m.sensor_datatype[s] = kind;
        engine::sensor_vel(&m, &mut d);
        assert_eq!(reading(&m, &d, SensorType::Gyro), want);
    }
}

#[test]
fn delayed_sensors_show_the_past() {
    let (now, mut late) = (sensing(0), sensing(8));
    let steps = 5;
    late.sensor_delay.fill(steps as f64 * late.opt.timestep);
    let (mut d, mut e) = (moving(&now), moving(&late));
    let mut shown = Vec::new();
    for step in 0..20 {
        engine::step(&now, &mut d);
        engine::step(&late, &mut e);
        shown.push(d.sensordata.to_vec());
        if step >= steps {
            for s in now.sensors().filter(|&s| now.sensor_type[s] != SensorType::User) {
                let at = now.sensor_adr[s] as usize;
                assert_eq!(e.sensordata[at], shown[step - steps][at], "step {step}, {s:?}");
            }
        }
    }
}

#[test]
fn sensors_with_an_interval_hold_their_values() {
    let (now, mut slow) = (sensing(0), sensing(2));
    slow.sensor_interval.fill([4.0 * slow.opt.timestep, 0.0]);
    let (mut d, mut e) = (moving(&now), moving(&slow));
    let at = now.sensor_adr[find(&now, SensorType::Gyro)] as usize;
    let mut changes = 0;
    let mut last = f64::NAN;
    for _ in 0..16 {
        engine::step(&now, &mut d);
        engine::step(&slow, &mut e);
        if e.sensordata[at] != last {
            assert_eq!(e.sensordata[at], d.sensordata[at]);
            last = e.sensordata[at];
            changes += 1;
        }
    }
    assert_eq!(changes, 4);
}

/// A contact of the sphere on body 3 with the height field, with `force` along its edges.
fn touching(m: &Model, force: &[f64]) -> Data {
    let mut d = moving(m);
    engine::forward(m, &mut d);
    let contact = Contact {
        dist: -0.01,
        pos: d.geom_xpos[0],
        frame: Mat3::from_rows(Vec3::Z, Vec3::X, Vec3::Y),
        includemargin: 0.0,
        friction: [0.5, 0.5, 0.1, 0.01, 0.01],
        solref: [0.0; 2],
        solreffriction: [0.0; 2],
        solimp: [0.0; 5],
        mu: 0.0,
        H: [[0.0; 6]; 6],
        dim: 3,
        geom1: 0,
        geom2: 2,
        geom: [0, 2],
        flex: [-1; 2],
        elem: [-1; 2],
        vert: [-1; 2],
        exclude: 0,
        efc_address: 0,
        pad_: 0,
    };
    d.contact.push(contact);
    (d.ncon, d.nefc) = (1, force.len());
    for list in ["efc_type", "efc_id", "efc_force"] {
        assert!(d.resize_list(list, force.len()));
    }
    d.efc_type.fill(ConstraintType::ContactPyramidal);
    d.efc_force.copy_from_slice(force);
    d.flg_rnepost = false;
    d
}

#[test]
fn contacts_are_felt_and_reported() {
    let mut m = sensing(0);
    let s = find(&m, SensorType::Touch);
    let site = m.sensor_objid[s] as usize;
    (m.site_bodyid[site], m.site_type[site]) = (BodyId::new(3), GeomType::Sphere);
    m.site_size[site] = Vec3::new(100.0, 0.0, 0.0);

    // a pyramid of four edges: normal 1+2+3+4, tangents (1-2) μ, (3-4) μ
    let mut d = touching(&m, &[1.0, 2.0, 3.0, 4.0]);
    engine::sensor_acc(&m, &mut d);
    assert_eq!(reading(&m, &d, SensorType::Touch), [10.0]);
    let slot = reading(&m, &d, SensorType::Contact);
    assert_eq!(slot[..8], [1.0, 10.0, -0.5, -0.5, 0.0, 0.0, 0.0, -0.01]);
    assert_eq!(slot[8..11], d.contact[0].pos.to_array());
    assert_eq!(slot[11..], [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);

    // the body pushes back, and the forces between bodies know it
    let pushed = d.cfrc_ext[3];
    assert_eq!(pushed.lin, Vec3::new(0.5, 0.5, -10.0));

    // seen from the other side
    m.opt.cone = ConeType::Elliptic;
    d = touching(&m, &[10.0, 1.0, 2.0]);
    d.contact[0].geom = [2, 0];
    engine::sensor_acc(&m, &mut d);
    let slot = reading(&m, &d, SensorType::Contact);
    assert_eq!(slot[1..4], [10.0, 1.0, -2.0]);
    assert_eq!(slot[11..14], [0.0, 0.0, -1.0]);

    // not felt without force
    d.efc_force.fill(0.0);
    engine::sensor_acc(&m, &mut d);
    assert_eq!(reading(&m, &d, SensorType::Touch), [0.0]);
}

#[test]
fn limits_are_read_from_their_rows() {
    let m = sensing(0);
    let mut d = moving(&m);
    engine::forward(&m, &mut d);
    let s = find(&m, SensorType::Jointlimitpos);
    for list in ["efc_type", "efc_id", "efc_pos", "efc_margin", "efc_vel", "efc_force"] {
        assert!(d.resize_list(list, 3));
    }
    (d.nf, d.nefc) = (1, 3);
    let random = Random::new(5).vector(9);
    for r in 0..3 {
        d.efc_type[r] = ConstraintType::LimitJoint;
        d.efc_id[r] = if r == 1 { 0 } else { m.sensor_objid[s] };
        (d.efc_pos[r], d.efc_vel[r], d.efc_force[r]) =
            (random[3 * r], random[3 * r + 1], random[3 * r + 2]);
        d.efc_margin[r] = 0.5;
    }
    engine::sensor_pos(&m, &mut d);
    engine::sensor_vel(&m, &mut d);
    engine::sensor_acc(&m, &mut d);

    // the first row is dry friction's, the second another joint's
    assert_eq!(reading(&m, &d, SensorType::Jointlimitpos), [random[6] - 0.5]);
    assert_eq!(reading(&m, &d, SensorType::Jointlimitvel), [random[7]]);
    assert_eq!(reading(&m, &d, SensorType::Jointlimitfrc), [random[8]]);
    assert_eq!(reading(&m, &d, SensorType::Tendonlimitfrc), [0.0]);
}
