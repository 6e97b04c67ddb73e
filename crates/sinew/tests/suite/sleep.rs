//! Sleep through the façade.

use sinew::model::enums::{EnableBit, SleepState};
use sinew::{Data, Model, forward, load, load_str, reset_data, step};

fn feature(name: &str) -> Model {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/features/");
    load(format!("{folder}{name}.xml")).unwrap()
}

/// The compared parts of a state.
fn parts(d: &Data) -> (Vec<i32>, Vec<u64>) {
    let numbers =
        [d.qpos.flat(), &d.qvel, &d.qacc, d.xpos.flat(), d.geom_xpos.flat(), &d.sensordata];
    let bits = numbers.concat().iter().map(|x| x.to_bits()).collect();
    (d.tree_asleep.to_vec(), bits)
}

#[test]
fn a_new_state_steps_as_one_that_was_reset() {
    for name in ["sleep_contacts", "sleep_ties", "sleep_init"] {
        let m = feature(name);
        let (mut new, mut again) = (Data::new(&m), Data::new(&m));
        reset_data(&m, &mut again);

        // inputs set before the first step count in both
        for d in [&mut new, &mut again] {
            d.qpos[0] += 0.01;
            d.qfrc_applied[0] = 0.1;
            step(&m, d);
        }
        assert_eq!(parts(&new), parts(&again), "{name}");
        for d in [&mut new, &mut again] {
            (0..20).for_each(|_| step(&m, d));
        }
        assert_eq!(parts(&new), parts(&again), "{name}");
    }
}

#[test]
fn trees_that_begin_asleep_do_not_move() {
    let m = feature("sleep_init");
    let mut d = Data::new(&m);
    forward(&m, &mut d);
    assert_eq!(d.tree_asleep.rows(0..3), [1, 0, 2]);
    assert_eq!(d.body_awake[1], SleepState::Asleep);
    let start = d.qpos.rows(0..14).to_vec();
    for _ in 0..50 {
        step(&m, &mut d);
    }
    assert_eq!(d.qpos.rows(0..14), start);
}

#[test]
fn a_clone_of_a_state_that_sleeps_goes_on_alike() {
    let m = feature("sleep_contacts");
    let mut d = Data::new(&m);
    for _ in 0..100 {
        step(&m, &mut d);
    }
    assert!(d.ntree_awake < m.ntree);
    let mut copy = d.clone();
    let mut other = Data::new(&m);
    other.copy_from(&d);
    for _ in 0..50 {
        [&mut d, &mut copy, &mut other].into_iter().for_each(|d| step(&m, d));
    }
    assert_eq!(parts(&d), parts(&copy));
    assert_eq!(parts(&d), parts(&other));
}

#[test]
fn without_the_flag_nothing_sleeps() {
    let mut m = feature("sleep_init");
    m.opt.enableflags &= !EnableBit::Sleep.0;
    let mut d = Data::new(&m);
    for _ in 0..100 {
        step(&m, &mut d);
        assert_eq!(d.ntree_awake, m.ntree);
    }
}

#[test]
fn numbers_that_are_no_trees_do_no_harm() {
    let m = feature("sleep_contacts");
    let mut d = Data::new(&m);
    for i in 0..300 {
        let tree = i % m.ntree;
        d.tree_asleep[tree] = [i32::MAX, 0, -1, 100, i32::MIN, tree as i32][i % 6];
        d.body_awake_ind[i % m.nbody] = (i * 7) as i32 - 50;
        d.dof_awake_ind[i % m.nv] = (i * 13) as i32 - 50;
        d.parent_awake_ind[i % m.nbody] = (i * 3) as i32 - 50;
        d.body_awake[i % m.nbody] = SleepState(i as i32 % 5 - 2);
        d.tree_awake[tree] = i as i32 % 3 - 1;
        step(&m, &mut d);
        assert!(d.qpos.flat().iter().chain(&*d.qvel).all(|x| x.is_finite()), "step {i}");
    }

    // nothing of it is left after a reset
    let mut fresh = Data::new(&m);
    reset_data(&m, &mut d);
    for i in 0..300 {
        step(&m, &mut d);
        step(&m, &mut fresh);
        assert_eq!(parts(&d), parts(&fresh), "step {i}");
    }
}

#[test]
fn equalities_that_mujoco_refuses_keep_everything_awake() {
    let m = load_str(
        "<mujoco><option gravity='0 0 0'><flag sleep='enable'/></option><worldbody>
           <body><joint name='a'/><geom size='.1'/></body>
           <body pos='1 0 0'><joint name='b'/><geom size='.1'/></body></worldbody>
         <tendon><fixed name='a'><joint joint='a' coef='1'/></fixed>
           <fixed name='b'><joint joint='b' coef='1'/></fixed></tendon>
         <equality><tendon tendon1='a' tendon2='b'/></equality></mujoco>",
    )
    .unwrap();
    let mut d = Data::new(&m);
    for _ in 0..50 {
        step(&m, &mut d);
    }
    assert_eq!(d.ntree_awake, 2);

    // without the equality trees sleep, and enabling it wakes them
    d.eq_active[0] = false.into();
    for _ in 0..50 {
        step(&m, &mut d);
    }
    assert_eq!(d.ntree_awake, 0);
    d.eq_active[0] = true.into();
    step(&m, &mut d);
    assert_eq!(d.ntree_awake, 2);
}

#[test]
fn of_many_bodies_the_contacts_are_those_of_what_is_awake() {
    // touching pairs of balls, each pair far from the others
    let ball = |i: i32| {
        let (x, y) = (f64::from(i / 2 % 20) + 0.19 * f64::from(i % 2), i / 40);
        format!("<body pos='{x} {y} .1' sleep='init'><freejoint/><geom size='.1'/></body>")
    };
    let balls: String = (0..600).map(ball).collect();
    let m = load_str(&format!(
        "<mujoco><option><flag sleep='enable'/></option><worldbody>
           <geom type='plane' size='0 0 1'/>{balls}</worldbody></mujoco>"
    ))
    .unwrap();
    let pairs = |d: &Data| d.contact.iter().map(|contact| contact.geom).collect::<Vec<_>>();
    let mut without = m.clone();
    without.opt.enableflags &= !EnableBit::Sleep.0;
    let mut d = Data::new(&without);
    forward(&without, &mut d);
    let all = pairs(&d);
    assert_eq!(all.len(), 900);

    // a push also wakes the other ball of a pair
    for (pushed, awake) in [(&[][..], 0), (&[0], 2), (&[3, 599], 4)] {
        let mut d = Data::new(&m);
        forward(&m, &mut d);
        assert_eq!((d.ntree_awake, d.ncon), (0, 0));
        for &tree in pushed {
            d.qfrc_applied[6 * tree] = 1.0;
        }
        forward(&m, &mut d);
        assert_eq!(d.ntree_awake, awake);
        let moves = |g: &i32| d.body_awake[m.geom_bodyid[*g as usize]] == SleepState::Awake;
        let wanted = all.iter().copied().filter(|pair| pair.iter().any(moves));
        assert_eq!(pairs(&d), wanted.collect::<Vec<_>>());
    }
}
