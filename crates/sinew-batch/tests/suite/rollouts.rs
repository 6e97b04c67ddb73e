//! Rollouts of many worlds: the numbers of single rollouts, on any number of threads.

use crate::common::{model, parse};
use sinew_batch::{BatchError, RolloutGradients, RolloutInputs, Rollouts};
use sinew_engine::{self as engine, Parameter, ParameterGradient, Rollout, RolloutGradient};
use sinew_model::{Data, Model};
use sinew_testkit::Random;
use sinew_testkit::alloc::{allocations, peak_bytes, restart_peak};

/// A ball on the ground, whose inertia is diagonal, beside an arm with actuators, a limit and dry
/// friction.
const SCENE: &str = "<mujoco><option timestep='0.004' tolerance='0' iterations='100'/>
  <worldbody><geom type='plane' size='3 3 .1'/>
    <body pos='0 0 .098'><freejoint/><geom size='.1' mass='1'/></body>
    <body pos='1 0 1'><joint name='hinge' axis='0 1 .3' damping='.1' range='-1 .05' limited='true'/>
      <geom size='.05' fromto='0 0 0 .3 .1 -.2' type='capsule' mass='.4'/>
      <body pos='.3 0 0'><joint name='slide' type='slide' axis='1 0 1' frictionloss='.02'/>
        <geom size='.05' pos='.1 .1 0' mass='.2'/></body></body>
  </worldbody>
  <actuator><motor joint='hinge'/>
    <general joint='slide' dyntype='filter' dynprm='.1' gainprm='2' biastype='affine'
             biasprm='0 -3 -.2'/></actuator></mujoco>";

/// Parameters that all worlds of a test have.
const PARAMETERS: [Parameter; 4] =
    [Parameter::BodyMass, Parameter::DofDamping, Parameter::ActuatorGainprm, Parameter::Gravity];

/// Inputs of worlds, each with its own numbers.
struct Inputs {
    steps: usize,
    worlds: usize,
    start: Vec<f64>,
    ctrl: Vec<f64>,
    params: Vec<(Parameter, Vec<f64>)>,
}

impl Inputs {
    fn new(m: &Model, worlds: usize, steps: usize, parameters: &[Parameter]) -> Inputs {
        let mut random = Random::new(3);
        let mut start = Vec::new();
        for _ in 0..worlds {
            start.extend(&*Data::new(m).qpos);
            start.extend((0..m.nv).map(|_| random.between([-0.3, 0.3])));
            start.extend((0..m.na).map(|_| random.between([-0.3, 0.3])));
        }
        let ctrl = random.vector(worlds * steps * m.nu);
        let params = parameters.iter().map(|&parameter| {
            let values = (0..worlds).flat_map(|_| values_of(m, parameter));
            let values = values.map(|x| x * random.between([0.9, 1.1])).collect();
            (parameter, values)
        });
        Inputs { steps, worlds, start, ctrl, params: params.collect() }
    }

    /// Calls `f` with the inputs as the batch takes them.
    fn with<R>(&self, f: impl FnOnce(&RolloutInputs<'_>) -> R) -> R {
        let params: Vec<_> = self.params.iter().map(|(p, values)| (*p, &**values)).collect();
        let Inputs { steps, worlds, ref start, ref ctrl, .. } = *self;
        f(&RolloutInputs { worlds, steps, start, ctrl, params: &params })
    }

    fn run(&self, m: &Model, threads: usize) -> Vec<f64> {
        let mut states = vec![f64::NAN; self.worlds * self.steps * Rollout::state_len(m)];
        let mut rollouts = Rollouts::new(threads).unwrap();
        self.with(|inputs| rollouts.run(m, inputs, &mut states)).unwrap();
        states
    }

    /// The gradients by first states, controls and parameters.
    fn vjp(&self, m: &Model, threads: usize, by_states: &[f64]) -> Vec<Vec<f64>> {
        let mut start = vec![f64::NAN; self.start.len()];
        let mut ctrl = vec![f64::NAN; self.ctrl.len()];
        let mut params: Vec<_> =
            self.params.iter().map(|(_, values)| vec![f64::NAN; values.len()]).collect();
        let mut rows: Vec<_> = params.iter_mut().map(|out| &mut **out).collect();
        let out = RolloutGradients { start: &mut start, ctrl: &mut ctrl, params: &mut rows };
        let mut rollouts = Rollouts::new(threads).unwrap();
        self.with(|inputs| rollouts.vjp(m, inputs, by_states, out)).unwrap();
        [vec![start, ctrl], params].concat()
    }
}

fn values_of(m: &Model, parameter: Parameter) -> Vec<f64> {
    match parameter {
        Parameter::BodyMass => m.body_mass.to_vec(),
        Parameter::BodyIpos => m.body_ipos.flat().to_vec(),
        Parameter::DofDamping => m.dof_damping.to_vec(),
        Parameter::ActuatorGainprm => m.actuator_gainprm.iter().flatten().copied().collect(),
        Parameter::Gravity => m.opt.gravity.to_array().to_vec(),
        other => panic!("{} is not among the parameters of these tests", other.name()),
    }
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn worlds_have_the_bits_of_single_rollouts() {
    let implicit = SCENE.replace("<option", "<option integrator='implicit'");
    for m in [parse(SCENE), parse(&implicit), model("quadruped.xml")] {
        let inputs = Inputs::new(&m, 5, 20, &[]);
        let (n, len, nu) = (20, Rollout::state_len(&m), m.nu);
        let by_states = Random::new(5).vector(5 * n * len);
        let (mut states, mut start, mut ctrl) = (Vec::new(), Vec::new(), Vec::new());
        for world in 0..5 {
            let rollout = Rollout {
                start: &inputs.start[world * len..][..len],
                ctrl: &inputs.ctrl[world * n * nu..][..n * nu],
                steps: n,
            };
            let mut own = [vec![0.0; n * len], vec![0.0; len], vec![0.0; n * nu]];
            let [own_states, own_start, own_ctrl] = &mut own;
            rollout.run(&m, &mut Data::new(&m), own_states).unwrap();
            let out = RolloutGradient { start: own_start, ctrl: own_ctrl, params: &mut [] };
            let weights = &by_states[world * n * len..][..n * len];
            rollout.vjp(&m, &mut Data::new(&m), weights, out).unwrap();
            for (all, own) in [&mut states, &mut start, &mut ctrl].into_iter().zip(own) {
                all.extend(own);
            }
        }
        for threads in [1, 2, 3, 8] {
            assert_eq!(bits(&inputs.run(&m, threads)), bits(&states), "{threads} threads");
            let found = inputs.vjp(&m, threads, &by_states);
            assert_eq!(bits(&found[0]), bits(&start), "{threads} threads");
            assert_eq!(bits(&found[1]), bits(&ctrl), "{threads} threads");
        }
    }
}

#[test]
fn parameters_of_worlds_are_those_of_models_of_their_own() {
    let m = parse(SCENE);
    let (worlds, n, len) = (3, 6, Rollout::state_len(&m));
    let inputs = Inputs::new(&m, worlds, n, &PARAMETERS);
    let states = inputs.run(&m, 2);
    let by_states = Random::new(5).vector(worlds * n * len);
    let gradients = inputs.vjp(&m, 2, &by_states);
    assert_eq!(
        gradients.iter().flat_map(|g| bits(g)).collect::<Vec<_>>(),
        inputs.vjp(&m, 1, &by_states).iter().flat_map(|g| bits(g)).collect::<Vec<_>>()
    );
    for world in 0..worlds {
        // the model with the numbers of the world
        let mut own = m.clone();
        own.dof_simplenum.fill(0);
        for (parameter, values) in &inputs.params {
            let width = parameter.len(&m);
            let row = &values[world * width..][..width];
            match parameter {
                Parameter::BodyMass => own.body_mass.copy_from_slice(row),
                Parameter::DofDamping => own.dof_damping.copy_from_slice(row),
                Parameter::ActuatorGainprm => {
                    for (gain, row) in own.actuator_gainprm.iter_mut().zip(row.chunks(10)) {
                        gain.copy_from_slice(row);
                    }
                }
                _ => (0..3).for_each(|k| own.opt.gravity[k] = row[k]),
            }
        }
        let rollout = Rollout {
            start: &inputs.start[world * len..][..len],
            ctrl: &inputs.ctrl[world * n * m.nu..][..n * m.nu],
            steps: n,
        };
        let mut wanted = vec![0.0; n * len];
        rollout.run(&own, &mut Data::new(&own), &mut wanted).unwrap();
        assert_eq!(bits(&states[world * n * len..][..n * len]), bits(&wanted));

        // gradients
        let (mut start, mut ctrl) = (vec![0.0; len], vec![0.0; n * m.nu]);
        let mut params = PARAMETERS.map(|p| vec![0.0; p.len(&m)]);
        let mut refs: Vec<_> = PARAMETERS
            .iter()
            .zip(&mut params)
            .map(|(&parameter, out)| ParameterGradient { parameter, out })
            .collect();
        let out = RolloutGradient { start: &mut start, ctrl: &mut ctrl, params: &mut refs };
        let weights = &by_states[world * n * len..][..n * len];
        rollout.vjp(&own, &mut Data::new(&own), weights, out).unwrap();
        for (found, wanted) in gradients[2..].iter().zip(&params) {
            let width = wanted.len();
            assert_eq!(bits(&found[world * width..][..width]), bits(wanted));
        }
    }
}

/// The gradient by parameters beside extrapolated differences of the rollouts themselves.
#[test]
fn gradients_by_parameters_are_those_of_the_states() {
    let m = parse(SCENE);
    let parameters = [&PARAMETERS[..], &[Parameter::BodyIpos]].concat();
    let mut inputs = Inputs::new(&m, 2, 5, &parameters);
    let ball = values_of(&m, Parameter::BodyIpos)[3..6].to_vec();
    for row in inputs.params[4].1.chunks_mut(3 * m.nbody) {
        row[3..6].copy_from_slice(&ball);
    }
    let by_states = Random::new(5).vector(2 * 5 * Rollout::state_len(&m));
    let gradients = inputs.vjp(&m, 2, &by_states);
    for p in 0..parameters.len() {
        let gradient = &gradients[2 + p];
        let scale = gradient.iter().fold(1e-2_f64, |max, x| max.max(x.abs()));
        let width = parameters[p].len(&m);
        for k in 0..gradient.len() {
            // the ball's centre cannot move
            if parameters[p] == Parameter::BodyIpos && (3..6).contains(&(k % width)) {
                continue;
            }
            let mut at = |by: f64| {
                let old = inputs.params[p].1[k];
                inputs.params[p].1[k] = old + by;
                let value = dot(&by_states, &inputs.run(&m, 1));
                inputs.params[p].1[k] = old;
                value
            };
            let [a, b] = [1e-4, 5e-5].map(|h| (at(h) - at(-h)) / (2.0 * h));
            let wanted = (4.0 * b - a) / 3.0;
            let error = (gradient[k] - wanted).abs() / scale;
            let name = parameters[p].name();
            assert!(error < 1e-6, "{name}[{k}]: {} instead of {wanted}", gradient[k]);
        }
    }
}

#[test]
fn changes_and_gradients_have_the_same_product() {
    let m = parse(SCENE);
    let inputs = Inputs::new(&m, 3, 12, &[]);
    let mut random = Random::new(5);
    let by_states = random.vector(3 * 12 * Rollout::state_len(&m));
    let change = [random.vector(inputs.start.len()), random.vector(inputs.ctrl.len())];
    let gradients = inputs.vjp(&m, 2, &by_states);
    let jvp = |threads| {
        let mut out = vec![f64::NAN; by_states.len()];
        let mut rollouts = Rollouts::new(threads).unwrap();
        let change = [&*change[0], &*change[1]];
        inputs.with(|inputs| rollouts.jvp(&m, inputs, change, &mut out)).unwrap();
        out
    };
    let out = jvp(1);
    assert_eq!(bits(&out), bits(&jvp(3)));
    let back = dot(&gradients[0], &change[0]) + dot(&gradients[1], &change[1]);
    let forth = dot(&out, &by_states);
    assert!((forth - back).abs() < 1e-9 * (1.0 + forth.abs()), "{forth} and {back}");
}

#[test]
fn errors_name_the_world_and_the_part() {
    let m = parse(SCENE);
    let mut inputs = Inputs::new(&m, 4, 3, &[Parameter::BodyMass]);
    let len = Rollout::state_len(&m);
    let error = |inputs: &Inputs, m: &Model| {
        let mut states = vec![0.0; inputs.worlds * inputs.steps * Rollout::state_len(m)];
        let mut rollouts = Rollouts::new(2).unwrap();
        inputs.with(|inputs| rollouts.run(m, inputs, &mut states)).unwrap_err().to_string()
    };

    // bad numbers and lengths
    inputs.params[0].1[m.nbody + 2] = f64::NAN;
    assert_eq!(error(&inputs, &m), "body_mass of world 1 is not finite at index 2");
    inputs.params[0].1[m.nbody + 2] = 1.0;
    inputs.ctrl[3 * 3 * m.nu + 1] = f64::INFINITY;
    assert_eq!(error(&inputs, &m), "ctrl of world 3 is not finite at index 1");
    let lost = inputs.ctrl.pop().unwrap();
    assert_eq!(error(&inputs, &m), "ctrl has 23 numbers, wanted 24");
    inputs.ctrl.push(lost);
    inputs.ctrl[3 * 3 * m.nu + 1] = 0.0;
    assert_eq!(
        Inputs::new(&m, 2, 3, &[]).with(|inputs| {
            let inputs = RolloutInputs { worlds: 0, ..*inputs };
            Rollouts::new(1).unwrap().run(&m, &inputs, &mut [])
        }),
        Err(BatchError::Empty)
    );

    // states that go bad: of several worlds the lowest
    for world in [3, 2] {
        inputs.start[world * len + m.nq] = 1e11;
    }
    assert_eq!(error(&inputs, &m), "world 2: qvel[0] is not finite or too large");
    for world in [3, 2] {
        inputs.start[world * len + m.nq] = 0.0;
    }
    inputs.ctrl[3 * 2 * m.nu] = -1e11;
    assert_eq!(error(&inputs, &m), "world 2: ctrl[0] is not finite or too large");
    inputs.start[len + m.nq + 6] = 1e8;
    assert!(error(&inputs, &m).starts_with("world 1: qacc["), "the arm turns fast");

    // parts without derivative, and a centre that cannot move
    let sleepy = parse("<mujoco><option><flag sleep='enable'/></option></mujoco>");
    let found = error(&Inputs::new(&sleepy, 1, 3, &[]), &sleepy);
    assert_eq!(found, "world 0: option sleep: no analytic derivative");
    let mut inputs = Inputs::new(&m, 2, 3, &[Parameter::BodyIpos]);
    inputs.params[0].1[3 * m.nbody + 3] = 0.01;
    assert!(error(&inputs, &m).starts_with("world 1: body_ipos of body 1: "));
}

#[test]
fn memory_fits_the_model_of_the_call() {
    let mut rollouts = Rollouts::new(2).unwrap();
    for m in [parse(SCENE), model("arm.xml"), parse(SCENE)] {
        let inputs = Inputs::new(&m, 3, 4, &[]);
        let mut states = vec![0.0; 3 * 4 * Rollout::state_len(&m)];
        inputs.with(|inputs| rollouts.run(&m, inputs, &mut states)).unwrap();
        assert_eq!(bits(&states), bits(&inputs.run(&m, 1)));
    }
    assert_eq!(rollouts.threads(), 2);
}

#[test]
fn steps_allocate_nothing() {
    let m = model("quadruped.xml");
    let mut rollouts = Rollouts::new(1).unwrap();
    let mut count = |steps: usize| {
        let inputs = Inputs::new(&m, 2, steps, &[]);
        let mut states = vec![0.0; 2 * steps * Rollout::state_len(&m)];
        let by_states = vec![1.0; states.len()];
        let (mut start, mut ctrl) = (inputs.start.clone(), inputs.ctrl.clone());
        let before = allocations();
        inputs.with(|inputs| rollouts.run(&m, inputs, &mut states)).unwrap();
        let between = allocations();
        let out = RolloutGradients { start: &mut start, ctrl: &mut ctrl, params: &mut [] };
        inputs.with(|inputs| rollouts.vjp(&m, inputs, &by_states, out)).unwrap();
        [between - before, allocations() - between]
    };
    count(400);
    let [short, long] = [count(100), count(400)];
    assert_eq!(short[0], long[0], "steps of a run allocate");
    // a list that grows to n states is moved log n times
    assert!(long[1] <= short[1] + 8, "{} and {} allocations of a gradient", short[1], long[1]);
}

#[test]
fn gradients_keep_few_states() {
    let m = model("quadruped.xml");
    let mut rollouts = Rollouts::new(1).unwrap();
    let inputs = Inputs::new(&m, 1, 900, &[]);
    let by_states = vec![1.0; 900 * Rollout::state_len(&m)];
    let mut kept = || {
        let (mut start, mut ctrl) = (inputs.start.clone(), inputs.ctrl.clone());
        let out = RolloutGradients { start: &mut start, ctrl: &mut ctrl, params: &mut [] };
        let before = restart_peak();
        inputs.with(|inputs| rollouts.vjp(&m, inputs, &by_states, out)).unwrap();
        (peak_bytes() - before) / 8 / kept_state_len(&m)
    };
    kept();
    // other tests of the process may allocate meanwhile; lists that grow take twice their length
    let least = (0..20).map(|_| kept()).find(|&kept| kept < 4 * 30);
    assert!(least.is_some(), "{} states kept of 900", kept());
}

/// Numbers of a state that a gradient keeps.
fn kept_state_len(m: &Model) -> usize {
    use sinew_model::enums::StateBit;
    engine::state_size(m, StateBit::Fullphysics.0 | StateBit::Warmstart.0).unwrap()
}
