//! Four worlds stepped together equal four worlds stepped alone, in every field.

use std::path::Path;

use crate::common::{batch, control, disturb, disturb_one, model, parse, run, run_one};
use sinew_engine::{reset_data, step, step_four};
use sinew_model::enums::Integrator;
use sinew_model::fields::Mark;
use sinew_model::{Data, Model};

/// All fields after a step, as names and bytes.
fn everything(d: &Data) -> Vec<(&'static str, Vec<u8>)> {
    let mut all = Vec::new();
    d.for_each_field(|f| all.push((f.info.name, f.bytes.to_vec())));
    let numbers = [d.time, d.energy[0], d.energy[1], d.solver_fwdinv[0], d.solver_fwdinv[1]];
    all.push(("numbers", numbers.iter().flat_map(|x| x.to_ne_bytes()).collect()));
    let counts = [d.ncon, d.ne, d.nf, d.nl, d.nefc, d.nisland, d.ntree_awake];
    all.push(("counts", counts.iter().flat_map(|n| n.to_ne_bytes()).collect()));
    let calls = d.timer.iter().map(|t| t.number);
    all.push(("calls", calls.flat_map(i64::to_ne_bytes).collect()));
    all.push(("iterations", d.solver_niter.iter().flat_map(|n| n.to_ne_bytes()).collect()));
    all
}

/// Steps four worlds together and each alone, and compares all fields.
#[track_caller]
fn check(m: &Model, name: &str, steps: usize) {
    let start = |world: usize| {
        let mut d = Data::new(m);
        reset_data(m, &mut d);
        disturb_one(&mut d, world);
        d
    };
    let mut four: [Data; 4] = core::array::from_fn(start);
    for k in 0..steps {
        for (world, d) in four.iter_mut().enumerate() {
            for (u, ctrl) in d.ctrl.iter_mut().enumerate() {
                *ctrl = control(world, k, u);
            }
        }
        let [a, b, c, d] = &mut four;
        step_four(m, &mut [a, b, c, d], k + 1 == steps);
    }
    for (world, together) in four.iter().enumerate() {
        let mut alone = start(world);
        run_one(m, &mut alone, world, 0..steps);
        for ((field, a), (_, b)) in everything(together).iter().zip(&everything(&alone)) {
            assert!(a == b, "{name}, world {world}: {field} differs");
        }
    }
}

fn models() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut names = Vec::new();
    for sub in ["", "features/"] {
        for entry in std::fs::read_dir(folder.join(sub)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".xml") {
                names.push(format!("{sub}{name}"));
            }
        }
    }
    names.sort();
    assert!(names.len() > 50);
    names
}

#[test]
fn all_fields_of_all_models_equal_single_states() {
    for name in models() {
        check(&model(&name), &name, 12);
    }
}

#[test]
fn all_integrators_equal_single_states() {
    for integrator in
        [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::Implicitfast]
    {
        for name in ["humanoid.xml", "tendons.xml", "features/equality.xml"] {
            let mut m = model(name);
            m.opt.integrator = integrator;
            check(&m, name, 12);
        }
    }
}

/// Joints of all types, several joints on a body, a mocap body, and bodies without joints or mass.
const JOINTS: &str = "<mujoco><option density='20' viscosity='.01'/><worldbody>
    <body mocap='true' pos='1 0 0'><geom size='.1'/></body>
    <body pos='0 0 1'><freejoint/><geom type='box' size='.1 .2 .3'/>
      <body pos='.3 0 0'><joint type='ball' stiffness='3'/><geom size='.1'/>
        <body pos='0 .3 0'><joint axis='-1 0 0'/><joint type='slide' axis='0 -1 0'/>
          <joint axis='0 0 1' pos='0 .1 0' ref='.3'/><geom size='.1' mass='.2'/>
          <body pos='0 0 .1' euler='10 20 30'><geom size='.05'/><site name='s' pos='0 0 .1'/></body>
        </body></body></body>
    <body pos='0 2 0'><joint type='ball' pos='0 0 .1'/><geom type='capsule' size='.1 .2'/>
      <camera mode='targetbody' target='t'/></body>
    <body name='t' pos='0 -2 0'><joint axis='0 1 0' pos='.1 0 0'/><geom type='ellipsoid' size='.1 .2 .3'/></body>
    </worldbody></mujoco>";

#[test]
fn all_joint_types_equal_single_states() {
    check(&parse(JOINTS), "joints", 50);
}

/// A bad state of one of four worlds resets that world alone.
#[test]
fn a_bad_state_changes_no_other_world() {
    let m = parse(JOINTS);
    for bad in [f64::NAN, f64::INFINITY, 1e11] {
        let mut four: [Data; 4] = core::array::from_fn(|_| Data::new(&m));
        let mut alone = four.clone();
        for worlds in [&mut four, &mut alone] {
            worlds.iter_mut().enumerate().for_each(|(world, d)| disturb_one(d, world));
            worlds[2].qvel[1] = bad;
            worlds[1].qfrc_applied[9] = bad;
            worlds[0].mocap_quat.flat_mut().fill(0.0);
        }
        let [a, b, c, d] = &mut four;
        for k in 0..3 {
            step_four(&m, &mut [a, b, c, d], k == 2);
        }
        for (together, alone) in four.iter().zip(&mut alone) {
            (0..3).for_each(|_| step(&m, alone));
            for ((field, a), (_, b)) in everything(together).iter().zip(&everything(alone)) {
                assert!(a == b, "{field} differs");
            }
            let numbers = |d: &Data| d.warning.map(|w| w.number);
            assert_eq!(numbers(together), numbers(alone));
        }
        assert!(four[2].warning.iter().any(|w| w.number > 0));
    }
}

/// Every bindable field, each alone, with worlds stepped in fours and alone.
#[test]
fn each_field_of_a_batch_equals_single_states() {
    for name in ["humanoid.xml", "features/sensors.xml", "features/actuators.xml"] {
        for rk4 in [false, true] {
            let mut m = model(name);
            if rk4 {
                m.opt.integrator = Integrator::Rk4;
            }
            let alone = [0, 1, 2, 3, 4].map(|world| {
                let mut d = Data::new(&m);
                reset_data(&m, &mut d);
                disturb_one(&mut d, world);
                run_one(&m, &mut d, world, 0..6);
                d
            });
            for info in Data::FIELDS.iter().filter(|f| f.fixed) {
                let field = info.name;
                // bound at the start, or later; unused entries of sparse rows may then differ
                for late in [false, info.has(Mark::Result)] {
                    let mut b = batch(&m, 5, 1, 5);
                    disturb(&mut b);
                    run(&mut b, 0..if late { 5 } else { 0 });
                    b.bind(field).unwrap();
                    run(&mut b, if late { 5 } else { 0 }..6);
                    for (world, d) in alone.iter().enumerate() {
                        let row = b.array(field).unwrap().row(world);
                        d.for_each_field(|f| {
                            let same = f.info.name != field || row == f.bytes;
                            assert!(same, "{name}, world {world}: {field} differs, late {late}");
                        });
                    }
                }
            }
        }
    }
}
