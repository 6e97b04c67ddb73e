//! After warm-up a step allocates nothing, with any solver and with exact friction.

use sinew::model::enums::{ConeType, SolverType};
use sinew::{Data, load, load_str, reset_data, step};
use sinew_testkit::alloc::allocations;

/// Sliding boxes, a bouncing ball, and a chain with a limit, dry friction and an equality.
const SCENE: &str = "<mujoco><option coulomb='exact' gravity='2 1 -9'/><worldbody>
    <geom type='plane' size='50 50 1' friction='.1'/>
    <body pos='0 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1' friction='.1'/></body>
    <body pos='0 0 .2998'><freejoint/><geom type='box' size='.1 .1 .1' friction='.1'/></body>
    <body pos='3 0 1'><freejoint/><geom size='.1' restitution='1'/></body>
    <body name='arm' pos='0 3 1'><joint axis='0 1 0' limited='true' range='-1 1' frictionloss='.1' damping='.1'/>
      <geom type='capsule' size='.02' fromto='0 0 0 .3 0 0'/></body>
    <body name='tip' pos='.3 3 1'><freejoint/><geom size='.03' contype='0' conaffinity='0'/></body>
  </worldbody><equality><weld body1='arm' body2='tip'/></equality></mujoco>";

#[test]
fn exact_friction_allocates_nothing() {
    let m = load_str(SCENE).unwrap();
    let mut d = Data::new(&m);
    for _ in 0..1500 {
        step(&m, &mut d);
    }
    let before = allocations();
    for _ in 0..200 {
        step(&m, &mut d);
        assert!(d.coulomb.converged());
    }
    assert_eq!(allocations(), before);
}

#[test]
fn derivatives_of_a_step_allocate_nothing_after_the_first() {
    let m = load_str(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>
           <body pos='0 0 .09'><freejoint/><geom size='.1'/>
             <body pos='.3 0 0'><joint name='j' damping='.1' range='0 1'/><geom size='.1'/></body>
           </body>
         </worldbody><actuator><motor joint='j'/></actuator></mujoco>",
    )
    .unwrap();
    let mut d = Data::new(&m);
    let (mut a, mut b) = (vec![0.0; 14 * 14], vec![0.0; 14]);
    let mut transition = || {
        let out = sinew::Transition { a: Some(&mut a), b: Some(&mut b), ..Default::default() };
        sinew::transition(&m, &mut d, out).unwrap()
    };
    let first = transition();
    let before = allocations();
    assert_eq!(transition(), first);
    assert_eq!(allocations(), before);
}

/// A cloth that bends, falls on a ball and folds, and an interpolated block.
const SOFT: &str = "<mujoco><option timestep='.001' integrator='implicitfast'/><worldbody>
    <geom type='plane' size='5 5 1'/><geom size='.1' pos='0 0 .1'/>
    <flexcomp name='cloth' type='grid' dim='2' count='6 6 1' spacing='.08 .08 .1' radius='.01' pos='0 0 .23'
      mass='.2'><elasticity young='300' poisson='.1' thickness='.01' damping='.001'/>
      <contact selfcollide='sap'/></flexcomp>
    <flexcomp name='block' type='grid' dim='3' dof='trilinear' count='3 3 3' spacing='.1 .1 .1' radius='.01'
      pos='1 0 .12' mass='1'><elasticity young='300' poisson='.1' damping='.01'/>
      <contact selfcollide='none'/></flexcomp>
  </worldbody></mujoco>";

#[test]
fn flexes_allocate_nothing() {
    let m = load_str(SOFT).unwrap();
    let mut settled = Data::new(&m);
    for _ in 0..100 {
        step(&m, &mut settled);
    }

    // the same steps three times; memory may grow in the first two
    let mut d = Data::new(&m);
    for round in 0..3 {
        let before = allocations();
        d.copy_from(&settled);
        for _ in 0..40 {
            step(&m, &mut d);
        }
        assert!(d.ncon > 0 && d.qpos.iter().all(|x| x.is_finite()));
        let made = allocations() - before;
        assert!(round < 2 || made == 0, "{made} allocations");
    }
}

#[test]
fn falling_asleep_and_waking_allocates_nothing() {
    for name in ["sleep_contacts", "sleep_ties", "sleep_init"] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/features/");
        let m = load(format!("{folder}{name}.xml")).unwrap();
        let mut d = Data::new(&m);
        step(&m, &mut d);
        for round in 0..3 {
            let before = allocations();
            reset_data(&m, &mut d);
            let (mut fell, mut woke) = (0, 0);
            for i in 0..200 {
                let was = d.ntree_awake;
                if i % 60 == 59 {
                    // wake all trees
                    d.qvel.fill(0.01);
                }
                step(&m, &mut d);
                fell += was.saturating_sub(d.ntree_awake);
                woke += d.ntree_awake.saturating_sub(was);
            }
            assert!(fell > 3 && woke > 3, "{name}: {fell} fell asleep, {woke} woke");
            let made = allocations() - before;
            assert!(round < 2 || made == 0, "{name}: {made} allocations");
        }
    }
}

#[test]
fn plugins_and_distance_fields_allocate_nothing() {
    for name in ["plugin_cable", "plugin_pid", "plugin_touch_grid", "sdf_meshes"] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/features");
        let m = load(format!("{folder}/{name}.xml")).unwrap();
        let mut settled = Data::new(&m);
        for _ in 0..20 {
            step(&m, &mut settled);
        }

        // the same steps three times; memory may grow in the first two
        let mut d = settled.clone();
        for round in 0..3 {
            let before = allocations();
            d.copy_from(&settled);
            (0..20).for_each(|_| step(&m, &mut d));
            let made = allocations() - before;
            assert!(round < 2 || made == 0, "{name}: {made} allocations");
        }
    }
}

#[test]
fn solvers_allocate_nothing() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/pile.xml");
    let mut m = load(path).unwrap();
    for cone in [ConeType::Pyramidal, ConeType::Elliptic] {
        for solver in [SolverType::Newton, SolverType::Cg, SolverType::Pgs] {
            for noslip in [0, 3] {
                (m.opt.cone, m.opt.solver, m.opt.noslip_iterations) = (cone, solver, noslip);
                let mut settled = Data::new(&m);
                for _ in 0..300 {
                    step(&m, &mut settled);
                }

                // the same steps three times; memory may grow in the first two, because some lists
                // swap
                let mut d = Data::new(&m);
                for round in 0..3 {
                    let before = allocations();
                    d.copy_from(&settled);
                    for _ in 0..40 {
                        step(&m, &mut d);
                    }
                    let made = allocations() - before;
                    let what = (cone, solver, noslip);
                    assert!(round < 2 || made == 0, "{made} allocations with {what:?}");
                }
            }
        }
    }
}
