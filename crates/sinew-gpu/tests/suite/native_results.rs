//! Results that a step does not depend on, and sensors, against those of the engine.

use crate::native::{CHAIN, disturb, inline, model, near};
use sinew_engine as engine;
use sinew_gpu::RESULTS;
use sinew_gpu::native::World;
use sinew_kernel::outcome;
use sinew_kernel::real::Real;
use sinew_kernel::team::{One, Shuffled, Team};
use sinew_model::pod::bytes_of_mut;
use sinew_model::{Data, Model};
use sinew_testkit::Random;

/// Through a factor of M, and the solver where there are constraints.
const TOLERANCE: f64 = 1e-9;

/// The same in single precision, relative to the largest number, through a factor of M.
const SINGLE: f64 = 1e-3;

/// Every sensor that the kernel reads.
const SENSORS: &str = r#"<tendon><fixed name="both"><joint joint="hinge" coef="2"/>
      <joint joint="slide" coef="-1"/></fixed>
      <spatial name="way"><site site="s0"/><site site="b0"/></spatial></tendon>
    <actuator><motor name="turn" joint="hinge" gear="3"/><position joint="slide" kp="20"/>
      <motor name="pull" tendon="both"/><damper name="drag" tendon="way" kv="2"
      ctrlrange="0 1"/></actuator>
    <sensor>
      <accelerometer site="c0"/><accelerometer site="s1"/><velocimeter site="b0"/>
      <gyro site="c0"/><gyro site="s0"/><magnetometer site="a0"/>
      <jointpos joint="hinge"/><jointvel joint="slide"/><ballquat joint="ball"/>
      <ballangvel joint="ball"/><tendonpos tendon="both"/><tendonvel tendon="both"/>
      <tendonpos tendon="way"/><tendonvel tendon="way"/><actuatorpos actuator="pull"/>
      <actuatorvel actuator="drag"/><actuatorfrc actuator="pull" cutoff=".05"/>
      <jointactuatorfrc joint="hinge"/><framepos objtype="site" objname="c0"/>
      <framepos objtype="geom" objname="rod" reftype="site" refname="a0"/>
      <framequat objtype="geom" objname="rod"/>
      <framequat objtype="site" objname="c0" reftype="geom" refname="ball"/>
      <framexaxis objtype="site" objname="c0"/><frameyaxis objtype="body" objname="middle"/>
      <framezaxis objtype="xbody" objname="middle" reftype="site" refname="s1"/>
      <framelinvel objtype="site" objname="c0"/>
      <framelinvel objtype="site" objname="c0" reftype="geom" refname="ball" cutoff=".2"/>
      <frameangvel objtype="body" objname="middle" reftype="site" refname="a0"/>
      <framelinacc objtype="body" objname="middle"/><frameangacc objtype="site" objname="b0"/>
      <subtreecom body="middle"/><subtreelinvel body="middle"/><clock/>
    </sensor>"#;

const EQUALITY: &str = r#"<equality><connect site1="c0" site2="s1"/></equality>"#;

fn sensors(constraints: &str) -> Model {
    let chain = CHAIN.replace(r#"<body pos=".5 0 0"><joint name="ball""#, {
        r#"<body name="middle" pos=".5 0 0"><joint name="ball""#
    });
    assert_ne!(chain, CHAIN);
    inline(&format!(
        r#"<mujoco><option magnetic=".1 -.5 .2"/>{chain}{SENSORS}
           {constraints}</mujoco>"#
    ))
}

/// The engine's field after the stages of a step.
fn of_engine(m: &Model, d: &mut Data, name: &str) -> Vec<f64> {
    engine::forward(m, d);
    engine::rne_post_constraint(m, d);
    let view = d.field(name).unwrap();
    let mut x = vec![0.0; view.bytes.len() / 8];
    bytes_of_mut(&mut x).copy_from_slice(view.bytes);
    x
}

/// The kernel's result of a step: before the state changes.
fn of_kernel<R: Real>(m: &Model, d: &Data, name: &str, team: impl Team) -> Vec<f64> {
    let mut kernel = World::<R>::new(m).unwrap();
    kernel.set(d);
    assert_eq!(kernel.step(team, 0), (outcome::OK, 1));
    kernel.result(name).unwrap_or_else(|| panic!("no result {name}"))
}

/// Compares results of random states; without constraints in single precision too, as the
/// solver's accelerations there have fewer digits.
fn compare(m: &Model, names: &[&str]) {
    let mut rng = Random::new(5);
    for round in 0..4 {
        let mut d = Data::new(m);
        disturb(m, &mut d, &mut rng, 0.2 * f64::from(round));
        d.time = 0.5;
        for &name in names {
            let theirs = of_engine(m, &mut d.clone(), name);
            let ours = of_kernel::<f64>(m, &d, name, One);
            near(name, &ours, &theirs, TOLERANCE);
            assert_eq!(ours, of_kernel::<f64>(m, &d, name, Shuffled(9)), "{name}");
            if m.neq == 0 {
                near(name, &of_kernel::<f32>(m, &d, name, One), &theirs, SINGLE);
            }
        }
    }
}

#[test]
fn every_result() {
    compare(&sensors(""), &RESULTS);
    compare(&sensors(EQUALITY), &RESULTS);
}

#[test]
fn results_of_a_robot_with_contacts() {
    let mut m = model("humanoid.xml");
    m.opt.tolerance = 1e-12;
    let names = ["xpos", "geom_xpos", "geom_xmat", "cacc", "qacc", "qfrc_constraint"];
    let mut d = Data::new(&m);
    for name in names {
        let theirs = of_engine(&m, &mut d, name);
        near(name, &of_kernel::<f64>(&m, &Data::new(&m), name, One), &theirs, 1e-6);
    }
}

#[test]
fn other_sensors_are_named() {
    let m = inline(
        r#"<mujoco><worldbody><body><freejoint/><geom size=".1"/><site name="s"/></body></worldbody>
           <sensor><user dim="2" needstage="vel"/><gyro site="s"/><user dim="1"/></sensor></mujoco>"#,
    );
    let kernel = World::<f64>::new(&m).unwrap();
    assert_eq!(kernel.packed().unread, ["mjSENS_USER"]);
    assert!(kernel.packed().result("sensordata").is_none());
    assert!(kernel.packed().result("xpos").is_some());
}
