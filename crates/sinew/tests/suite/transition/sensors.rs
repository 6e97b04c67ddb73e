//! Derivatives of readings.

use sinew::engine;
use sinew::{Data, Model};

use super::{INTEGRATORS, STEP, STRINGS, TOLERANCE, TREE, changed, inputs, random_state};

/// Compares C and D with extrapolated differences of the readings.
#[track_caller]
fn check_sensors(m: &Model, d: &Data, step: f64) {
    let (n, ns) = (2 * m.nv + m.na, m.nsensordata);
    let (mut c, mut by_ctrl) = (vec![f64::NAN; ns * n], vec![f64::NAN; ns * m.nu]);
    let out = engine::Transition { c: Some(&mut c), d: Some(&mut by_ctrl), ..Default::default() };
    engine::transition(m, &mut d.clone(), out).unwrap();
    for (input, &kind) in inputs(m).iter().enumerate() {
        let read = |by: f64| {
            let mut d = changed(m, d, kind, by);
            sinew::forward(m, &mut d);
            d.sensordata.to_vec()
        };
        let central = |h: f64| {
            let [back, there] = [read(-h), read(h)];
            back.iter().zip(&there).map(|(a, b)| (b - a) / (2.0 * h)).collect::<Vec<_>>()
        };
        let [long, middle, short] = [1.0, 0.5, 0.25].map(|k| central(k * step));
        for s in m.sensors() {
            let (adr, dim) = (m.sensor_adr[s] as usize, m.sensor_dim[s] as usize);
            let wanted: Vec<f64> = (adr..adr + dim)
                .map(|k| {
                    let first = (4.0 * middle[k] - long[k]) / 3.0;
                    let second = (4.0 * short[k] - middle[k]) / 3.0;
                    (16.0 * second - first) / 15.0
                })
                .collect();
            let scale = wanted.iter().fold(1e-2_f64, |max, x| max.max(x.abs()));
            for (row, y) in (adr..).zip(&wanted) {
                let x = match input.checked_sub(n) {
                    Some(u) => by_ctrl[row * m.nu + u],
                    None => c[row * n + input],
                };
                let (kind, error) = (m.sensor_type[s], (x - y).abs() / scale);
                assert!(error < TOLERANCE, "{kind:?} by input {input}: {x} instead of {y}");
            }
        }
    }
}

const SENSORS: &str = "<sensor>
    <jointpos joint='hinge'/><jointvel joint='slide'/><ballquat joint='ball'/>
    <ballangvel joint='ball'/><tendonpos tendon='t'/><tendonvel tendon='t'/>
    <actuatorpos actuator='a'/><actuatorvel actuator='a'/><actuatorfrc actuator='a'/>
    <actuatorpos actuator='b'/><actuatorvel actuator='b'/><actuatorfrc actuator='b'/>
    <actuatorfrc actuator='filter'/><actuatorvel actuator='jet'/><actuatorfrc actuator='jet'/>
    <accelerometer site='thrust'/><gyro site='thrust'/><velocimeter site='thrust'/>
    <magnetometer site='thrust'/><accelerometer site='tip' cutoff='.1'/>
    <framepos objtype='site' objname='tip'/><framequat objtype='body' objname='leaf'/>
    <framelinvel objtype='site' objname='tip'/><frameangvel objtype='site' objname='tip'/>
    <framelinacc objtype='site' objname='tip'/><frameangacc objtype='site' objname='tip'/>
    <framepos objtype='site' objname='tip' reftype='site' refname='thrust'/>
    <framequat objtype='site' objname='tip' reftype='site' refname='thrust'/>
    <framexaxis objtype='site' objname='tip' reftype='site' refname='thrust'/>
    <framelinvel objtype='site' objname='tip' reftype='site' refname='thrust'/>
    <frameangvel objtype='site' objname='tip' reftype='site' refname='thrust'/>
    <framezaxis objtype='xbody' objname='leaf'/><subtreecom body='leaf'/><clock/>
  </sensor>";

#[test]
fn derivatives_of_sensors_are_those_of_their_readings() {
    let tree = TREE.replace(
        "<geom size='.1' fromto='0 0 0 .3 .2 .1' type='capsule' mass='.7'/>",
        "<geom size='.1' fromto='0 0 0 .3 .2 .1' type='capsule' mass='.7'/>
         <site name='tip' pos='.3 .2 .1' euler='10 50 20'/>
         <body name='leaf' pos='.3 .2 .1'><joint type='ball' damping='.1'/>
           <geom size='.05 .1 .2' type='box' pos='0 .1 0' mass='.3'/></body>",
    );
    let mut m = sinew::load_str(&format!(
        "<mujoco>{tree}
         <tendon><fixed name='t'><joint joint='hinge' coef='.7'/><joint joint='slide' coef='-.4'/>
         </fixed></tendon>
         <actuator>
           <general name='a' joint='ball' gear='1 2 .5' biastype='affine' biasprm='.1 -2 -.4'/>
           <general name='b' jointinparent='ball' gear='1 -1 .5' biastype='affine'
                    biasprm='.1 -2 -.4'/>
           <general name='filter' joint='hinge' dyntype='filter' dynprm='.1' gaintype='affine'
                    gainprm='1 .2 .3'/>
           <general name='jet' site='thrust' gear='1 2 3 .1 .2 .3' gaintype='affine'
                    gainprm='1 0 .3' biastype='affine' biasprm='.1 0 -.4'/>
         </actuator>{SENSORS}</mujoco>"
    ))
    .unwrap();
    for integrator in INTEGRATORS {
        m.opt.integrator = integrator;
        check_sensors(&m, &random_state(&m, 3), STEP);
    }
}

#[test]
fn derivatives_of_sensors_of_limits_and_energies_are_those_of_their_readings() {
    let strings = STRINGS
        .replace("timestep='0.01'", "timestep='0.01' tolerance='0' iterations='200'")
        .replace("name='far'", "name='far' limited='true' range='-60 -50' stiffness='2'")
        .replace("type='ball'", "type='ball' limited='true' range='0 5' stiffness='3'")
        .replace(
            "name='plain'",
            "name='plain' limited='true' range='0 1' actuatorfrcrange='-.1 .1'",
        )
        .replace("name='pulley'", "name='pulley' limited='true' range='3 4'")
        .replace("<body pos='1 0 1'>", "<geom type='plane' size='3 3 .1'/><body pos='1 0 1'>");
    let mut m = sinew::load_str(
        &format!(
            "<mujoco>{strings}<actuator>
           <general name='a' tendon='plain' gear='.7' biastype='affine' biasprm='.3 -1 -.4'/>
           <general name='b' tendon='plain' gear='-.2' dyntype='filter' dynprm='.1'/>
           <general name='c' tendon='over' biastype='affine' biasprm='.1 -1 -.4'/>
         </actuator><sensor>
           <jointlimitpos joint='far'/><jointlimitvel joint='far'/><jointlimitfrc joint='far'/>
           <jointlimitpos joint='ball'/>
           <tendonlimitpos tendon='plain'/><tendonlimitvel tendon='plain'/>
           <tendonlimitfrc tendon='plain'/><tendonlimitfrc tendon='pulley'/>
           <tendonpos tendon='sided'/><tendonvel tendon='sided'/>
           <actuatorfrc actuator='a'/><actuatorfrc actuator='b'/><actuatorfrc actuator='c'/>
           <tendonactuatorfrc tendon='plain'/><tendonactuatorfrc tendon='over'/>
           <actuatorvel actuator='c'/><e_potential/><e_kinetic/>
           <subtreelinvel body='arm'/><rangefinder site='f'/><rangefinder site='d'/>
         </sensor></mujoco>",
        )
        .replacen("<body pos='.3 0 .1'>", "<body name='arm' pos='.3 0 .1'>", 1),
    )
    .unwrap();
    for integrator in INTEGRATORS {
        m.opt.integrator = integrator;
        check_sensors(&m, &random_state(&m, 3), 2e-4);
    }
}
