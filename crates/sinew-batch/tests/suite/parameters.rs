//! A world's own parameters have the effect of a separate model with these parameters.

use crate::common::{batch, disturb, disturb_one, model, run, run_one};
use sinew_batch::{Batch, BatchError};
use sinew_model::{Data, Model};

const WORLDS: usize = 4;

/// Compares positions after steps of a batch and of single models.
#[track_caller]
fn check(b: &mut Batch, models: &[Model]) {
    disturb(b);
    run(b, 0..60);
    for (world, m) in models.iter().enumerate() {
        let mut d = Data::new(m);
        disturb_one(&mut d, world);
        run_one(m, &mut d, world, 0..60);
        let row = &b.array("qpos").unwrap().f64().unwrap()[world * m.nq..][..m.nq];
        assert_eq!(row, &*d.qpos, "world {world}");
    }
}

/// Scales a field of every world.
fn scale(b: &mut Batch, name: &str, factor: impl Fn(usize) -> f64) {
    let array = b.expand(name).unwrap().f64_mut().unwrap();
    let width = array.len() / WORLDS;
    for (i, x) in array.iter_mut().enumerate() {
        *x *= factor(i / width);
    }
}

fn models(m: &Model, change: impl Fn(usize, &mut Model)) -> Vec<Model> {
    let mut all = vec![m.clone(); WORLDS];
    all.iter_mut().enumerate().for_each(|(world, m)| change(world, m));
    all
}

#[test]
fn friction_gains_gravity_and_filters_equal_separate_models() {
    let m = model("quadruped.xml");
    let factor = |world: usize| 0.5 + 0.3 * world as f64;
    let mut b = batch(&m, WORLDS, 2, 1);
    scale(&mut b, "geom_friction", factor);
    scale(&mut b, "actuator_gainprm", factor);
    scale(&mut b, "opt.gravity", factor);
    let contype = b.expand("geom_contype").unwrap().i32_mut().unwrap();
    contype[m.ngeom..2 * m.ngeom].fill(0);
    let conaffinity = b.expand("geom_conaffinity").unwrap().i32_mut().unwrap();
    conaffinity[m.ngeom..2 * m.ngeom].fill(0);
    let all = models(&m, |world, m| {
        m.geom_friction.flat_mut().iter_mut().for_each(|x| *x *= factor(world));
        m.actuator_gainprm.flat_mut().iter_mut().for_each(|x| *x *= factor(world));
        m.opt.gravity *= factor(world);
        if world == 1 {
            m.geom_contype.fill(0);
            m.geom_conaffinity.fill(0);
        }
    });
    check(&mut b, &all);
}

#[test]
fn masses_and_their_constants_equal_separate_models() {
    for name in ["humanoid.xml", "muscles.xml", "tendons.xml"] {
        let m = model(name);
        let factor = |world: usize| 1.0 + 0.2 * world as f64;
        let mut b = batch(&m, WORLDS, 2, 1);
        scale(&mut b, "body_mass", factor);
        scale(&mut b, "body_inertia", factor);
        b.set_const().unwrap();
        let all = models(&m, |world, m| {
            m.body_mass.iter_mut().for_each(|x| *x *= factor(world));
            m.body_inertia.flat_mut().iter_mut().for_each(|x| *x *= factor(world));
            sinew_engine::set_const(m, &mut Data::new(&m.clone())).unwrap();
        });

        // every field, so that no constant is missed
        for (world, want) in all.iter().enumerate() {
            let got = b.world_model(world);
            want.for_each_field(|f| {
                assert!(got.field(f.info.name).unwrap().bytes == f.bytes, "{name} {}", f.info.name);
            });
            assert_eq!(got.stat, want.stat);
        }
        check(&mut b, &all);
    }
}

#[test]
fn compensated_weight_counts_after_set_const() {
    let m = model("quadruped.xml");
    let mut b = batch(&m, WORLDS, 2, 1);
    let comp = b.expand("body_gravcomp").unwrap().f64_mut().unwrap();
    comp[m.nbody..2 * m.nbody].fill(1.0);
    b.set_const().unwrap();
    let all = models(&m, |world, m| {
        m.body_gravcomp.fill(if world == 1 { 1.0 } else { 0.0 });
        sinew_engine::set_const(m, &mut Data::new(&m.clone())).unwrap();
    });
    check(&mut b, &all);
}

#[test]
fn invalid_integers_are_an_error_and_nothing_is_stepped() {
    let m = model("quadruped.xml");
    let mut b = batch(&m, WORLDS, 2, 1);
    b.expand("geom_bodyid").unwrap().i32_mut().unwrap()[2 * m.ngeom] = 1_000_000;
    let error = b.step(1, None).unwrap_err();
    assert!(
        matches!(&error, BatchError::Invalid { world: 2, text } if text.contains("geom_bodyid"))
    );
    assert!(b.array("time").unwrap().f64().unwrap().iter().all(|&t| t == 0.0));
    b.expand("geom_bodyid").unwrap().i32_mut().unwrap()[2 * m.ngeom] = 0;
    b.step(1, None).unwrap();
}

#[test]
fn another_version_of_the_model_reaches_all_worlds_but_their_own_parameters() {
    let m = model("quadruped.xml");
    let mut b = batch(&m, WORLDS, 2, 1);
    scale(&mut b, "opt.gravity", |world| 1.0 + world as f64);
    b.step(1, None).unwrap();
    b.reset(None, None).unwrap();
    let mut soft = m.clone();
    soft.dof_damping.iter_mut().for_each(|x| *x += 3.0);
    b.set_model(&soft).unwrap();
    let all = models(&soft, |world, m| m.opt.gravity *= 1.0 + world as f64);
    check(&mut b, &all);
    let error = b.set_model(&model("humanoid.xml")).unwrap_err();
    assert!(matches!(error, BatchError::Shapes { .. }));
}

#[test]
fn unknown_fields_suggest_the_nearest() {
    let mut b = batch(&model("humanoid.xml"), 1, 1, 0);
    let words = |e: BatchError| e.to_string();
    assert!(
        words(b.expand("geom_frction").err().unwrap()).ends_with("did you mean 'geom_friction'?")
    );
    assert!(words(b.expand("opt.gravty").err().unwrap()).ends_with("did you mean 'gravity'?"));
    assert!(words(b.bind("qpoos").err().unwrap()).ends_with("did you mean 'qpos'?"));
    assert!(words(b.bind("nonsense").err().unwrap()).ends_with("no field 'nonsense'"));
}
