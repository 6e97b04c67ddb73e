//! Every world computes the same as a single state, on any number of threads.

use std::sync::Arc;

use crate::common::{batch, bits, control, disturb, disturb_one, hash, model, parse, run, run_one};
use sinew_batch::{Batch, BatchError, BatchOptions};
use sinew_model::{Data, Model};

/// Compares `worlds` single simulations with a batch, for several numbers of threads and chunk
/// sizes.
#[track_caller]
fn check(m: &Model, worlds: usize, steps: usize) {
    let mut hashes = Vec::new();
    for (threads, chunk) in [(1, 0), (2, 1), (3, 2), (8, 5), (2, 100)] {
        let mut b = batch(m, worlds, threads, chunk);
        disturb(&mut b);
        run(&mut b, 0..steps);
        hashes.push(hash(&b));
        if threads > 1 {
            continue;
        }
        for world in 0..worlds {
            let mut d = Data::new(m);
            sinew_engine::reset_data(m, &mut d);
            disturb_one(&mut d, world);
            run_one(m, &mut d, world, 0..steps);
            assert!(d.qpos.iter().all(|x| x.is_finite()));
            let same = |name: &str, one: &[f64]| {
                let all = b.array(name).unwrap().f64().unwrap();
                let row = &all[world * one.len()..][..one.len()];
                let differ = row.iter().zip(one).find(|(a, b)| a.to_bits() != b.to_bits());
                assert!(differ.is_none(), "world {world} {name}: {differ:?}");
            };
            same("time", &[d.time]);
            same("qpos", &d.qpos);
            same("qvel", &d.qvel);
            same("act", &d.act);
            same("history", &d.history);
            same("sensordata", &d.sensordata);
        }
    }
    assert!(hashes.iter().all(|h| *h == hashes[0]), "{hashes:?}");
}

#[test]
fn a_thousand_steps_equal_single_states() {
    check(&model("quadruped.xml"), 7, 1000);
}

#[test]
fn contacts_muscles_tendons_sensors_and_delays_equal_single_states() {
    for name in ["humanoid.xml", "pile.xml", "muscles.xml", "tendons.xml"] {
        check(&model(name), 4, 60);
    }
    for name in ["sensors", "sensor_history", "sensor_contacts", "delays", "equality", "actuators"]
    {
        check(&model(&format!("features/{name}.xml")), 4, 60);
    }
}

#[test]
fn flexes_equal_single_states() {
    check(&model("features/flexcomp_grid.xml"), 3, 20);
}

/// Two bouncing balls and a sliding box.
const HARD: &str = "<mujoco><option coulomb='exact'/><worldbody><geom type='plane' size='9 9 1'/>
    <body pos='0 0 .2'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
    <body pos='0 0 .5'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";

#[test]
fn hard_contacts_equal_single_states() {
    check(&parse(HARD), 5, 200);
}

#[test]
fn plugins_equal_single_states() {
    for name in ["plugin_cable", "plugin_pid", "plugin_touch_grid"] {
        check(&model(&format!("features/{name}.xml")), 3, 60);
    }
}

#[test]
fn worlds_with_sleeping_trees_equal_single_states() {
    for name in ["sleep_contacts", "sleep_init", "sleep_ties"] {
        let m = model(&format!("features/{name}.xml"));
        check(&m, 3, 60);

        // without controls, so that trees fall asleep
        let mut b = batch(&m, 3, 2, 1);
        let trees = b.bind("ntree_awake").unwrap().i32().unwrap().to_vec();
        b.step(1500, None).unwrap();
        let mut d = Data::new(&m);
        sinew_engine::reset_data(&m, &mut d);
        (0..1500).for_each(|_| sinew_engine::step(&m, &mut d));
        assert_eq!(b.array("qpos").unwrap().f64().unwrap()[2 * m.nq..], *d.qpos);
        let awake = b.array("ntree_awake").unwrap().i32().unwrap();
        assert_eq!(awake, [d.ntree_awake as i32; 3], "{trees:?}");
        assert!(d.ntree_awake < m.ntree, "{name}: nothing sleeps");
    }
}

#[test]
fn worlds_with_whole_states_are_the_same() {
    let m = model("pile.xml");
    let mut b = batch(&m, 4, 2, 1);
    let options = BatchOptions { threads: 2, chunk: 1, keep_data: true };
    let mut kept = Batch::new(Arc::new(m), 4, options).unwrap();
    for b in [&mut b, &mut kept] {
        disturb(b);
        run(b, 0..300);
    }
    assert_eq!(hash(&b), hash(&kept));
    assert!(kept.bytes_per_world() > 3 * b.bytes_per_world());
    assert!(kept.data(1).unwrap().ncon > 0);
}

#[test]
fn a_bound_field_equals_a_single_state_and_changes_nothing() {
    let m = model("humanoid.xml");
    let (mut plain, mut bound) = (batch(&m, 3, 2, 1), batch(&m, 3, 2, 1));
    for name in ["xpos", "cinert", "cvel", "qfrc_actuator", "ncon", "energy", "solver_niter"] {
        bound.bind(name).unwrap();
    }
    for b in [&mut plain, &mut bound] {
        disturb(b);
        run(b, 0..80);
    }
    assert_eq!(hash(&plain), hash(&bound));
    for world in 0..3 {
        let mut d = Data::new(&m);
        disturb_one(&mut d, world);
        run_one(&m, &mut d, world, 0..80);
        let n = 3 * m.nbody;
        assert_eq!(bound.array("xpos").unwrap().f64().unwrap()[world * n..][..n], *d.xpos.flat());
        assert_eq!(bound.array("ncon").unwrap().i32().unwrap()[world], d.ncon as i32);
        let n = 20;
        let niter = bound.array("solver_niter").unwrap().i32().unwrap();
        assert_eq!(niter[world * n..][..n], d.solver_niter);
    }
}

#[test]
fn a_field_bound_late_equals_forward_and_leaves_the_state_unchanged() {
    let m = model("humanoid.xml");
    let mut b = batch(&m, 3, 1, 0);
    disturb(&mut b);
    run(&mut b, 0..30);
    let before = hash(&b);
    let xpos: Vec<f64> = b.bind("xpos").unwrap().f64().unwrap().to_vec();
    assert_eq!(hash(&b), before);
    let d = b.data(2).unwrap();
    assert_eq!(xpos[2 * 3 * m.nbody..], *d.xpos.flat());
}

#[test]
fn one_call_with_n_steps_equals_n_calls() {
    let m = model("quadruped.xml");
    let (mut one, mut many) = (batch(&m, 5, 2, 2), batch(&m, 5, 2, 2));
    disturb(&mut one);
    disturb(&mut many);
    one.step(25, None).unwrap();
    (0..25).for_each(|_| many.step(1, None).unwrap());
    assert_eq!(hash(&one), hash(&many));
}

#[test]
fn a_mask_steps_and_resets_only_its_worlds() {
    let m = model("quadruped.xml");
    let mut b = batch(&m, 6, 2, 2);
    disturb(&mut b);
    run(&mut b, 0..20);
    let (qpos, time) = (bits(&b, "qpos"), b.array("time").unwrap().f64().unwrap().to_vec());
    let mask = [true, false, false, true, false, true];
    b.reset(Some(&mask), None).unwrap();
    for world in 0..6 {
        let row = &bits(&b, "qpos")[world * m.nq..][..m.nq];
        let old = &qpos[world * m.nq..][..m.nq];
        let start: Vec<u64> = m.qpos0.iter().map(|x| x.to_bits()).collect();
        assert_eq!(row, if mask[world] { &start[..] } else { old });
    }
    b.step(3, Some(&mask)).unwrap();
    let now = b.array("time").unwrap().f64().unwrap();
    for world in 0..6 {
        assert_eq!(now[world] == time[world], !mask[world]);
    }
}

#[test]
fn a_reset_world_starts_like_a_new_one() {
    let m = model("muscles.xml");
    let (mut used, mut fresh) = (batch(&m, 3, 2, 1), batch(&m, 3, 2, 1));
    disturb(&mut used);
    run(&mut used, 0..50);
    used.reset(None, None).unwrap();
    for b in [&mut used, &mut fresh] {
        disturb(b);
        run(b, 0..50);
    }
    assert_eq!(hash(&used), hash(&fresh));
}

#[test]
fn a_restored_state_continues_identically() {
    let m = model("humanoid.xml");
    let sig = sinew_model::enums::StateBit::Integration.0;
    let mut b = batch(&m, 3, 2, 1);
    disturb(&mut b);
    run(&mut b, 0..20);
    let mut state = vec![0.0; 3 * b.state_size(sig).unwrap()];
    b.state(sig, &mut state).unwrap();
    let mut other = batch(&m, 3, 1, 0);
    other.set_state(&state, sig, None).unwrap();
    run(&mut b, 20..60);
    run(&mut other, 20..60);
    assert_eq!(hash(&b), hash(&other));
    let short = other.set_state(&state[1..], sig, None).unwrap_err();
    assert!(matches!(short, BatchError::Length { what: "state", .. }), "{short}");
}

#[test]
fn a_world_that_diverges_is_flagged_and_leaves_the_others_unchanged() {
    let m = model("quadruped.xml");
    let (mut good, mut bad) = (batch(&m, 5, 2, 2), batch(&m, 5, 2, 2));
    for b in [&mut good, &mut bad] {
        disturb(b);
        run(b, 0..10);
        assert!(b.diverged().bytes().iter().all(|&x| x == 0));
    }
    bad.bind("qvel").unwrap().f64_mut().unwrap()[3 * m.nv] = f64::NAN;
    run(&mut bad, 10..11);
    assert_eq!(bad.diverged().bytes(), [0, 0, 0, 1, 0]);
    run(&mut bad, 11..30);
    run(&mut good, 10..30);
    assert_eq!(bad.diverged().bytes(), [0; 5]);
    let warning = bad.array("warning").unwrap().i32().unwrap();
    let counts: Vec<i32> = (0..5).map(|w| warning[w * 8 + 5]).collect();
    assert_eq!(counts, [0, 0, 0, 1, 0]);
    for world in [0, 1, 2, 4] {
        let row = |b: &Batch| bits(b, "qpos")[world * m.nq..][..m.nq].to_vec();
        assert_eq!(row(&good), row(&bad), "world {world}");
    }
    assert!(bad.array("qpos").unwrap().f64().unwrap().iter().all(|x| x.is_finite()));
}

#[test]
fn a_panic_in_one_world_is_its_error_and_the_others_go_on() {
    let m = model("quadruped.xml");
    let mut b = batch(&m, 4, 2, 1);
    let error = b.for_each(None, |world, m, d| {
        assert!(world != 2, "world two gives up");
        sinew_engine::step(m, d);
    });
    let error = error.unwrap_err();
    assert!(
        matches!(&error, BatchError::Stopped { world: 2, text, .. } if text.contains("gives up"))
    );
    let dt = m.opt.timestep;
    assert_eq!(b.array("time").unwrap().f64().unwrap(), [dt, dt, 0.0, dt]);
    b.step(1, None).unwrap();
}

#[test]
fn models_may_differ_by_world_where_states_have_one_shape() {
    let light = model("quadruped.xml");
    let mut heavy = light.clone();
    heavy.body_mass.iter_mut().for_each(|x| *x *= 1.5);
    let models = vec![Arc::new(light.clone()), Arc::new(heavy.clone())];
    let options = BatchOptions { threads: 2, chunk: 1, ..Default::default() };
    let mut b = Batch::of(models, vec![0, 1, 1, 0], options).unwrap();
    disturb(&mut b);
    run(&mut b, 0..50);
    for (world, m) in [(0, &light), (1, &heavy), (2, &heavy), (3, &light)] {
        let mut d = Data::new(m);
        disturb_one(&mut d, world);
        run_one(m, &mut d, world, 0..50);
        assert_eq!(b.array("qpos").unwrap().f64().unwrap()[world * m.nq..][..m.nq], *d.qpos);
    }
    let other = Arc::new(model("humanoid.xml"));
    let error = Batch::of(vec![Arc::new(light), other], vec![0, 1], options).err().unwrap();
    assert!(matches!(&error, BatchError::Shapes { world: 1, .. }), "{error}");
}

#[test]
fn an_unknown_field_is_an_error_that_names_it() {
    let m = model("quadruped.xml");
    let mut b = batch(&m, 2, 1, 0);
    let text = |e: Option<BatchError>| e.unwrap().to_string();
    assert!(text(b.bind("qposs").err()).contains("'qposs'"));
    assert!(text(b.bind("contact").err()).contains("length of its own"));
    assert!(text(b.bind("efc_J").err()).contains("length of its own"));
    assert!(text(b.expand("geom_frictions").err()).contains("model has no field"));
    assert!(text(b.expand("opt.nothing").err()).contains("opt.nothing"));
    assert!(text(b.expand("names").err()).contains("how the model is built"));
    assert!(text(b.step(1, Some(&[true])).err()).contains("mask has 1 numbers, wanted 2"));
    assert!(text(b.reset(None, Some(99)).err()).contains("key"));
    assert!(text(b.data(2).err()).contains("world 2"));
    assert_eq!(Batch::new(Arc::new(m), 0, Default::default()).err(), Some(BatchError::Empty));
}

#[test]
fn closures_see_every_world_once() {
    let m = model("quadruped.xml");
    let mut b = batch(&m, 9, 3, 2);
    b.for_each(None, |world, _, d| d.ctrl[0] = control(world, 3, 0)).unwrap();
    let ctrl = b.array("ctrl").unwrap().f64().unwrap();
    for world in 0..9 {
        assert_eq!(ctrl[world * m.nu], control(world, 3, 0));
    }
}

#[test]
fn threads_and_worlds_beyond_the_machine_are_refused_with_the_figure() {
    let m = Arc::new(parse(
        "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>",
    ));
    let threads = BatchOptions { threads: 1 << 31, ..Default::default() };
    let error = Batch::new(m.clone(), 4, threads).err().unwrap();
    assert!(matches!(error, BatchError::TooManyThreads { threads: 2147483648, .. }), "{error}");
    assert!(error.to_string().contains("this machine has"), "{error}");
    for worlds in [usize::MAX, usize::MAX / 8, 1 << 40] {
        let error = Batch::new(m.clone(), worlds, Default::default()).err().unwrap();
        assert!(matches!(error, BatchError::TooMuchMemory { .. }), "{error}");
        assert!(error.to_string().contains("GiB"), "{error}");
    }

    // the number of threads of a machine with other cores
    let many = BatchOptions { threads: 256, ..Default::default() };
    assert_eq!(Batch::new(m, 4, many).unwrap().threads(), 256);
}
