//! Gradients of rollouts, by states, controls and parameters.

use sinew::engine::{Parameter, ParameterGradient, Rollout, RolloutGradient};
use sinew::model::enums::{Integrator, SameFrame};
use sinew::{Data, Model};
use sinew_testkit::Random;

use super::{INTEGRATORS, TOLERANCE, TREE, random_state};

/// A state with all numbers of `qpos`, `qvel` and `act`.
fn flat_state(d: &Data) -> Vec<f64> {
    [d.qpos.to_vec(), d.qvel.to_vec(), d.act.to_vec()].concat()
}

/// Gradients of a random number of the states of a rollout, beside extrapolated differences.
#[track_caller]
fn check_rollout(m: &Model, d: &Data, steps: usize, parameters: &[Parameter], step: f64) {
    let mut random = Random::new(11);
    let start = flat_state(d);
    let ctrl: Vec<f64> = (0..steps)
        .flat_map(|_| d.ctrl.iter().map(|u| u + random.between([-0.1, 0.1])).collect::<Vec<_>>())
        .collect();
    let weights = random.vector(steps * start.len());
    let value = |m: &Model, start: &[f64], ctrl: &[f64]| {
        let mut states = vec![0.0; weights.len()];
        Rollout { start, ctrl, steps }.run(m, &mut d.clone(), &mut states).unwrap();
        weights.iter().zip(&states).map(|(w, x)| w * x).sum::<f64>()
    };
    let difference = |at: &dyn Fn(f64) -> f64| {
        let [a, b, c] = [1.0, 0.5, 0.25].map(|k| (at(k * step) - at(-k * step)) / (2.0 * k * step));
        let (first, second) = ((4.0 * b - a) / 3.0, (4.0 * c - b) / 3.0);
        (16.0 * second - first) / 15.0
    };

    // the gradient
    let mut by_start = vec![f64::NAN; start.len()];
    let mut by_ctrl = vec![f64::NAN; ctrl.len()];
    let mut by_params: Vec<Vec<f64>> = parameters.iter().map(|p| vec![0.0; p.len(m)]).collect();
    let mut params: Vec<_> = parameters
        .iter()
        .zip(&mut by_params)
        .map(|(&parameter, out)| ParameterGradient { parameter, out })
        .collect();
    let out = RolloutGradient { start: &mut by_start, ctrl: &mut by_ctrl, params: &mut params };
    let rollout = Rollout { start: &start, ctrl: &ctrl, steps };
    rollout.vjp(m, &mut d.clone(), &weights, out).unwrap();

    // beside differences
    let check = |name: &str, gradient: &[f64], at: &dyn Fn(usize, f64) -> f64| {
        let scale = gradient.iter().fold(1e-2_f64, |max, x| max.max(x.abs()));
        for (k, x) in gradient.iter().enumerate() {
            let y = difference(&|by| at(k, by));
            let error = (x - y).abs() / scale;
            assert!(error < TOLERANCE, "{name}[{k}]: {x} instead of {y} (scale {scale})");
        }
    };
    let nudged = |x: &[f64], k: usize, by: f64| {
        let mut x = x.to_vec();
        x[k] += by;
        x
    };
    check("start", &by_start, &|k, by| value(m, &nudged(&start, k, by), &ctrl));
    check("ctrl", &by_ctrl, &|k, by| value(m, &start, &nudged(&ctrl, k, by)));
    for (&parameter, gradient) in parameters.iter().zip(&by_params) {
        check(parameter.name(), gradient, &|k, by| {
            let mut m = m.clone();
            nudge(&mut m, parameter, k, by);
            value(&m, &start, &ctrl)
        });
    }

    // the product the other way has the same sum
    let change = [random.vector(start.len()), random.vector(ctrl.len())];
    let mut states = vec![0.0; weights.len()];
    rollout.jvp(m, &mut d.clone(), [&change[0], &change[1]], &mut states).unwrap();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let forth = dot(&weights, &states);
    let back = dot(&by_start, &change[0]) + dot(&by_ctrl, &change[1]);
    assert!((forth - back).abs() < 1e-9 * (1.0 + forth.abs()), "{forth} and {back}");
}

/// All parameters but those that have a kink at zero.
fn smooth_parameters() -> Vec<Parameter> {
    let kinks = [Parameter::DofFrictionloss, Parameter::TendonFrictionloss];
    Parameter::ALL.into_iter().filter(|p| !kinks.contains(p)).collect()
}

/// Changes a number of a parameter.
fn nudge(m: &mut Model, parameter: Parameter, k: usize, by: f64) {
    match parameter {
        Parameter::BodyMass => m.body_mass[k] += by,
        Parameter::BodyIpos => m.body_ipos[k / 3][k % 3] += by,
        Parameter::BodyInertia => m.body_inertia[k / 3][k % 3] += by,
        Parameter::DofDamping => m.dof_damping[k] += by,
        Parameter::DofArmature => m.dof_armature[k] += by,
        Parameter::JntStiffness => m.jnt_stiffness[k] += by,
        Parameter::DofFrictionloss => m.dof_frictionloss[k] += by,
        Parameter::TendonFrictionloss => m.tendon_frictionloss[k] += by,
        Parameter::ActuatorGainprm => m.actuator_gainprm[k / 10][k % 10] += by,
        Parameter::ActuatorBiasprm => m.actuator_biasprm[k / 10][k % 10] += by,
        _ => m.opt.gravity[k] += by,
    }
}

#[test]
fn gradients_of_rollouts_are_those_of_their_steps() {
    let mut m = sinew::load_str(&format!(
        "<mujoco>{TREE}
        <actuator>
          <general joint='hinge' gaintype='affine' gainprm='1 2 -.3' biastype='affine'
                   biasprm='.1 -1 -.4'/>
          <position joint='slide' kp='3' kv='.5' forcerange='-9 9'/>
          <general joint='other' dyntype='filter' dynprm='.1' gaintype='affine'
                   gainprm='1 .2 .3'/>
          <general site='thrust' gear='1 2 3 .1 .2 .3'/>
        </actuator></mujoco>"
    ))
    .unwrap();
    // bodies whose centre of mass may move
    m.body_sameframe.fill(SameFrame::None);
    for integrator in INTEGRATORS {
        m.opt.integrator = integrator;
        let mut d = random_state(&m, 4);
        // a step uses the direction of a quaternion only
        (3..7).for_each(|k| d.qpos[k] *= 1.1);
        check_rollout(&m, &d, 5, &smooth_parameters(), 1e-4);
    }
}

#[test]
fn gradients_of_rollouts_reach_through_contacts_and_dry_friction() {
    for cone in ["pyramidal", "elliptic"] {
        let mut m = sinew::load_str(&format!(
            "<mujoco><option timestep='0.005' tolerance='0' iterations='200' cone='{cone}'/>
             <worldbody><geom type='plane' size='3 3 .1'/>
               <body pos='0 0 .095'><freejoint/><geom size='.1' mass='1'/>
                 <body pos='0 0 .2'><joint axis='0 1 .2' frictionloss='.01' damping='.1'/>
                   <geom size='.05' fromto='0 0 0 .1 .2 .3' type='capsule' mass='.3'/></body>
               </body>
             </worldbody></mujoco>"
        ))
        .unwrap();
        m.body_sameframe.fill(SameFrame::None);
        let mut d = Data::new(&m);
        d.qvel.copy_from_slice(&[0.3, 0.1, 0.02, 0.3, -0.2, 0.1, 0.8]);
        check_rollout(&m, &d, 7, &smooth_parameters(), 5e-6);
    }
}

#[test]
fn gradients_reach_the_friction_of_joints_and_tendons() {
    let mut m = sinew::load_str(
        "<mujoco><option timestep='0.005' tolerance='0' iterations='200'/>
         <worldbody>
           <body><joint name='a' axis='0 1 .2' frictionloss='.1'/>
             <geom size='.05' fromto='0 0 0 .1 .2 .3' type='capsule' mass='.3'/>
             <body pos='.1 .2 .3'><joint name='b' axis='1 0 0' frictionloss='9'/>
               <geom size='.05' fromto='0 0 0 .1 .2 .3' type='capsule' mass='.3'/>
               <site name='s' pos='.1 .2 .3'/></body></body>
           <site name='w' pos='0 0 1'/>
         </worldbody>
         <tendon><fixed frictionloss='.05'><joint joint='a' coef='1'/><joint joint='b' coef='2'/>
         </fixed><spatial frictionloss='.07'><site site='w'/><site site='s'/></spatial></tendon>
         </mujoco>",
    )
    .unwrap();
    let mut d = Data::new(&m);
    d.qvel.copy_from_slice(&[0.8, -0.4]);
    for integrator in [Integrator::Euler, Integrator::Rk4] {
        m.opt.integrator = integrator;
        let parameters = [Parameter::DofFrictionloss, Parameter::TendonFrictionloss];
        check_rollout(&m, &d, 5, &parameters, 1e-5);
    }
}
