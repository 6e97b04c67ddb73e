//! Batches on a device, by the kernel that the processor runs where there is no GPU.

use std::sync::Arc;

use sinew_batch::{
    Backend, Batch, BatchError, BatchOptions, DeviceBatch, DeviceOptions, GpuError, Precision,
};
use sinew_model::Model;
use sinew_model::pod::{bytes_of, bytes_of_mut};

const ARM: &str = "<mujoco>
  <option timestep='0.005'/>
  <worldbody><body name='upper'><joint name='shoulder' axis='0 1 0' damping='.1'/>
    <geom type='capsule' size='.05' fromto='0 0 0 0 0 -.5' contype='0' conaffinity='0'/>
    <body name='lower' pos='0 0 -.5'><joint name='elbow' type='ball'/>
      <geom type='capsule' size='.05' fromto='0 0 0 .2 0 -.4' contype='0' conaffinity='0'/>
    </body></body></worldbody>
  <actuator><motor joint='shoulder' gear='2'/></actuator>
  <keyframe><key qpos='.4 1 0 0 0' qvel='1 0 2 0' ctrl='.5'/></keyframe>
</mujoco>";

/// Fields that a step carries over.
const STATE: [&str; 3] = ["time", "qpos", "qvel"];

fn model() -> Arc<Model> {
    Arc::new(sinew_mjcf::load_str(ARM, &Default::default(), &Default::default()).unwrap().model)
}

fn device(worlds: usize) -> DeviceBatch {
    DeviceBatch::new(model(), worlds, DeviceOptions::at(Backend::Kernel)).unwrap()
}

fn read(batch: &mut DeviceBatch, name: &str) -> Vec<f64> {
    let field = batch.bind(name).unwrap();
    let bytes = batch.read(&field).unwrap();
    let mut numbers = vec![0.0; bytes.len() / 8];
    bytes_of_mut(&mut numbers).copy_from_slice(&bytes);
    numbers
}

fn write(batch: &mut DeviceBatch, name: &str, numbers: &[f64]) {
    let field = batch.bind(name).unwrap();
    batch.write(&field, bytes_of(numbers)).unwrap();
}

/// Controls that differ by world.
fn controls(worlds: usize) -> Vec<f64> {
    (0..worlds).map(|world| 0.1 * world as f64 - 0.2).collect()
}

#[test]
fn worlds_on_a_device_follow_those_of_the_processor() {
    let (mut there, mut here) =
        (device(6), Batch::new(model(), 6, BatchOptions::default()).unwrap());
    there.reset(None, Some(0)).unwrap();
    here.reset(None, Some(0)).unwrap();
    write(&mut there, "ctrl", &controls(6));
    here.bind("ctrl").unwrap().f64_mut().unwrap().copy_from_slice(&controls(6));
    there.step(50, None).unwrap();
    here.step(50, None).unwrap();
    for name in STATE {
        sinew_testkit::near(
            &read(&mut there, name),
            here.array(name).unwrap().f64().unwrap(),
            1e-9,
        );
    }
    assert!(there.diverged().iter().all(|&bad| bad == 0));
}

#[test]
fn a_mask_leaves_other_worlds_as_they_are() {
    let mut batch = device(4);
    batch.reset(None, Some(0)).unwrap();
    batch.step(1, None).unwrap();
    let before = read(&mut batch, "qpos");
    let mask = [false, true, false, true];
    batch.step(2, Some(&mask)).unwrap();
    let after = read(&mut batch, "qpos");
    for world in 0..4 {
        assert_eq!(before[5 * world..][..5] != after[5 * world..][..5], mask[world]);
    }
    batch.reset(Some(&mask), None).unwrap();
    assert_eq!(read(&mut batch, "time"), [0.005, 0.0, 0.005, 0.0]);
    assert!(matches!(batch.step(1, Some(&[true])), Err(BatchError::Device(GpuError::Size { .. }))));
}

#[test]
fn a_bad_number_is_that_worlds_alone() {
    let (mut there, mut here) =
        (device(3), Batch::new(model(), 3, BatchOptions::default()).unwrap());
    let mut qvel = vec![0.1; 12];
    qvel[5] = f64::NAN;
    write(&mut there, "qvel", &qvel);
    here.bind("qvel").unwrap().f64_mut().unwrap().copy_from_slice(&qvel);
    there.step(3, None).unwrap();
    here.step(3, None).unwrap();
    assert_eq!(there.diverged(), [0, 1, 0]);
    for name in STATE {
        sinew_testkit::near(
            &read(&mut there, name),
            here.array(name).unwrap().f64().unwrap(),
            1e-12,
        );
    }
    there.step(1, None).unwrap();
    assert_eq!(there.diverged(), [0, 0, 0]);
}

#[test]
fn states_go_out_and_come_back() {
    let mut batch = device(3);
    batch.reset(None, Some(0)).unwrap();
    write(&mut batch, "ctrl", &controls(3));
    batch.step(5, None).unwrap();
    let sig = 16383;
    let mut state = vec![0.0; 3 * batch.state_size(sig).unwrap()];
    batch.state(sig, &mut state).unwrap();
    let qpos = read(&mut batch, "qpos");
    batch.step(5, None).unwrap();
    let later = read(&mut batch, "qpos");
    batch.set_state(&state, sig, None).unwrap();
    assert_eq!(read(&mut batch, "qpos"), qpos);
    batch.step(5, None).unwrap();
    assert_eq!(read(&mut batch, "qpos"), later);
    assert_eq!(&batch.data(1).unwrap().qpos as &[f64], &later[5..10]);
    assert!(matches!(batch.data(3), Err(BatchError::World { .. })));
}

#[test]
fn single_precision_stays_close() {
    let options =
        DeviceOptions { precision: Precision::Single, ..DeviceOptions::at(Backend::Kernel) };
    let mut single = DeviceBatch::new(model(), 1, options).unwrap();
    let mut double = device(1);
    for batch in [&mut single, &mut double] {
        batch.reset(None, Some(0)).unwrap();
        batch.step(20, None).unwrap();
    }
    let sig = 2;
    let (mut a, mut b) = ([0.0; 5], [0.0; 5]);
    single.state(sig, &mut a).unwrap();
    double.state(sig, &mut b).unwrap();
    sinew_testkit::near(&a, &b, 1e-5);
}

#[test]
fn what_is_not_there_is_an_error() {
    let mut batch = device(1);
    assert!(matches!(batch.bind("cinert"), Err(BatchError::NotOnDevice(_))));
    assert!(matches!(batch.bind("nonsense"), Err(BatchError::Unknown { .. })));
    let none = DeviceBatch::new(model(), 0, DeviceOptions::at(Backend::Kernel));
    assert!(matches!(none, Err(BatchError::Empty)));
    // without a GPU, or with too few
    let far = DeviceBatch::new(model(), 1, DeviceOptions::at(Backend::Cuda(1000)));
    let far = far.err().expect("no machine has a thousand GPUs").to_string();
    assert!(far.contains("there is no"), "{far}");
}

#[test]
fn more_worlds_than_memory_are_an_error() {
    for worlds in [1 << 31, 1 << 33, usize::MAX / 2] {
        let made = DeviceBatch::new(model(), worlds, DeviceOptions::at(Backend::Kernel));
        assert!(matches!(made.err(), Some(BatchError::TooMuchMemory { .. })), "{worlds}");
    }
}

/// The arm with its ball, in a batch of each kind, from the keyframe with controls of its own.
fn both(worlds: usize) -> (DeviceBatch, Batch) {
    let mut there = device(worlds);
    let mut here = Batch::new(model(), worlds, BatchOptions::default()).unwrap();
    there.reset(None, Some(0)).unwrap();
    here.reset(None, Some(0)).unwrap();
    write(&mut there, "ctrl", &controls(worlds));
    here.bind("ctrl").unwrap().f64_mut().unwrap().copy_from_slice(&controls(worlds));
    (there, here)
}

#[test]
fn results_of_steps_are_kept() {
    let (mut there, mut here) = both(5);
    let names = ["xpos", "xquat", "cvel", "qacc", "geom_xpos", "actuator_force"];
    for name in names {
        there.bind(name).unwrap();
        here.bind(name).unwrap();
    }
    let same = |there: &mut DeviceBatch, here: &Batch| {
        for name in names {
            let theirs = here.array(name).unwrap().f64().unwrap();
            sinew_testkit::near(&read(there, name), theirs, 1e-9);
        }
    };
    same(&mut there, &here);
    there.step(7, None).unwrap();
    here.step(7, None).unwrap();
    same(&mut there, &here);

    // a mask leaves those of other worlds; a world with a bad state has the engine's
    let mask = [true, false, true, false, false];
    there.step(1, Some(&mask)).unwrap();
    here.step(1, Some(&mask)).unwrap();
    same(&mut there, &here);
    let mut qvel = read(&mut there, "qvel");
    qvel[5] = f64::NAN;
    write(&mut there, "qvel", &qvel);
    here.bind("qvel").unwrap().f64_mut().unwrap()[5] = f64::NAN;
    there.step(2, None).unwrap();
    here.step(2, None).unwrap();
    assert_eq!(there.diverged(), [0, 1, 0, 0, 0]);
    same(&mut there, &here);
    let field = there.bind("xpos").unwrap();
    assert!(matches!(there.write(&field, &[]), Err(BatchError::Result(_))));
}

#[test]
fn steps_that_are_not_waited_for() {
    let (mut there, mut other) = (both(4).0, both(4).0);
    let mut qvel = read(&mut there, "qvel");
    qvel[4] = f64::NAN;
    for batch in [&mut there, &mut other] {
        write(batch, "qvel", &qvel);
    }
    for _ in 0..3 {
        there.start(2, None).unwrap();
        other.step(2, None).unwrap();
    }
    assert_eq!(read(&mut there, "qpos"), read(&mut other, "qpos"));
    assert_eq!(there.diverged(), other.diverged());
}

#[test]
fn parameters_of_single_worlds() {
    let (mut there, mut here) = both(6);
    let each: Vec<f64> = (0..18).map(|i| 1.0 + 0.1 * f64::from(i)).collect();
    let stiff: Vec<f64> = (0..24).map(|i| 0.1 + 0.02 * f64::from(i)).collect();
    for (name, values) in [("body_mass", &each), ("dof_armature", &stiff)] {
        there.expand(name).unwrap();
        there.set_parameter(name, bytes_of(values)).unwrap();
        here.expand(name).unwrap().f64_mut().unwrap().copy_from_slice(values);
    }
    for constants in [false, true] {
        if constants {
            there.set_const().unwrap();
            here.set_const().unwrap();
        }
        there.step(20, None).unwrap();
        here.step(20, None).unwrap();
        for name in STATE {
            let theirs = here.array(name).unwrap().f64().unwrap();
            sinew_testkit::near(&read(&mut there, name), theirs, 1e-9);
        }
    }
    let qpos = read(&mut there, "qpos");
    assert_ne!(qpos[..5], qpos[5..10]);
    assert_eq!(there.world_model(2).body_mass[1], each[7]);

    // arrays that all worlds share
    there.expand("opt.timestep").unwrap();
    there.set_parameter("opt.timestep", bytes_of(&[0.001; 6])).unwrap();
    let error = there.step(1, None).unwrap_err();
    assert!(matches!(error, BatchError::Device(GpuError::Structure(0))), "{error}");
}
