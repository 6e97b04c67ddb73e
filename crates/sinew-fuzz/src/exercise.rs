//! Runs a model through the engine.

use sinew::engine::{self, FlexParts, Ray, RayFilter};
use sinew::model::coulomb::FrictionLaw;
use sinew::model::enums::{Integrator, SolverType};
use sinew::{Data, Model, Rollout, RolloutGradient, Transition, Vec3, transition};
use sinew_gpu::native::World;
use sinew_kernel::team::One;
use sinew_render::Renderer;
use sinew_scene::{Camera, Perturb, Scene, SceneError, View, VisOption, update_scene};
use sinew_testkit::Random;

/// Size in dofs and geoms up to which every integrator is tried; larger models get one.
const SMALL: usize = 200;
/// Maximum number of geoms and rays.
const MAX_GEOM: usize = 2000;
/// All parts run for one model in this number, and one varying part for the others. Many inputs
/// find more than many steps of one input.
const THOROUGH: usize = 8;

const INTEGRATORS: [Integrator; 4] =
    [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::Implicitfast];
const SOLVERS: [SolverType; 3] = [SolverType::Pgs, SolverType::Cg, SolverType::Newton];

/// Makes a step and runs one part, or sometimes all parts. The parts are steps with each
/// integrator, inverse dynamics, a keyframe, rays, and the scene with an image. Exact friction,
/// derivatives, and the GPU's kernel on the processor follow.
pub fn exercise(random: &mut Random, m: &mut Model) {
    let mut d = Data::new(m);
    engine::step(m, &mut d);
    if random.once_in(THOROUGH) {
        for part in PARTS {
            part(random, m, &mut d);
        }
    } else {
        random.pick(&PARTS)(random, m, &mut d);
    }
}

/// Runs all parts, as [`exercise`] sometimes does.
pub fn exercise_all(random: &mut Random, m: &mut Model) {
    let mut d = Data::new(m);
    engine::forward(m, &mut d);
    for part in PARTS {
        part(random, m, &mut d);
    }
}

type Exercise = fn(&mut Random, &mut Model, &mut Data);
const PARTS: [Exercise; 8] =
    [steps, inverse, keyframe, rays, draw, exact_friction, derivatives, kernel];

/// Steps with a solver and every integrator, or one integrator for large models.
fn steps(random: &mut Random, m: &mut Model, d: &mut Data) {
    let small = m.nv + m.ngeom < SMALL;
    let first = random.below(4);
    for k in 0..if small { 4 } else { 1 } {
        m.opt.integrator = INTEGRATORS[(first + k) % 4];
        m.opt.solver = random.pick(&SOLVERS);
        engine::step(m, d);
    }
}

/// Steps by each law of exact friction.
fn exact_friction(_: &mut Random, m: &mut Model, d: &mut Data) {
    let before = m.coulomb.clone();
    m.coulomb.enabled = true;
    for law in [FrictionLaw::Exact, FrictionLaw::Convex] {
        m.coulomb.law = law;
        engine::step(m, d);
    }
    m.coulomb = before;
}

/// Derivatives of a step and of a rollout; some memory has a wrong size, and some numbers are not
/// finite.
fn derivatives(random: &mut Random, m: &mut Model, d: &mut Data) {
    if m.nv + m.ngeom >= SMALL {
        return;
    }
    let (n, nsensor) = (2 * m.nv + m.na, m.nsensordata);
    let mut numbers = |len: usize| {
        let mut numbers = vec![0.0; len + usize::from(random.once_in(16))];
        for x in numbers.iter_mut().take(1) {
            *x = random.pick(&[0.0, 1.0, f64::NAN, f64::INFINITY, 1e300]);
        }
        numbers
    };
    let [mut a, mut b] = [n * n, n * m.nu].map(&mut numbers);
    let [mut c, mut e] = [nsensor * n, nsensor * m.nu].map(&mut numbers);
    let out = Transition { a: Some(&mut a), b: Some(&mut b), c: Some(&mut c), d: Some(&mut e) };
    let _ = transition(m, d, out);

    let (len, steps) = (Rollout::state_len(m), 3);
    let [mut start, by_states] = [len, steps * len].map(&mut numbers);
    let [ctrl, mut by_ctrl] = [steps * m.nu; 2].map(&mut numbers);
    if start.len() == len {
        start[..m.nq].copy_from_slice(&m.qpos0);
    }
    let mut by_start = vec![0.0; len];
    let rollout = Rollout { start: &start, ctrl: &ctrl, steps };
    let out = RolloutGradient { start: &mut by_start, ctrl: &mut by_ctrl, params: &mut [] };
    let _ = rollout.vjp(m, d, &by_states, out);
}

/// Steps of the kernel, some from a state that is not finite.
fn kernel(random: &mut Random, m: &mut Model, d: &mut Data) {
    if m.nv + m.ngeom >= SMALL {
        return;
    }
    if random.once_in(4) && m.nv > 0 {
        let v = random.below(m.nv);
        d.qvel[v] = random.pick(&[f64::NAN, f64::INFINITY, 1e300, -1e12]);
    }
    if let Ok(mut world) = World::<f64>::new(m) {
        world.set(d);
        world.step(One, 2);
    }
}

fn inverse(_: &mut Random, m: &mut Model, d: &mut Data) {
    let _ = engine::inverse(m, d);
}

/// A keyframe with a valid or an invalid index.
fn keyframe(random: &mut Random, m: &mut Model, d: &mut Data) {
    if m.nkey > 0 {
        engine::reset_data_keyframe(m, d, random.below(m.nkey));
    } else {
        engine::reset_data(m, d);
    }
    engine::forward(m, d);
}

/// Random rays at geoms and flexes.
fn rays(random: &mut Random, m: &mut Model, d: &mut Data) {
    let ray = Ray { origin: Vec3::from(random.array()), dir: Vec3::from(random.array()) };
    let _ = engine::ray(m, d, ray, &RayFilter::default());
    let parts = FlexParts { vert: true, edge: true, face: true, skin: true, layer: 0 };
    for f in m.flexes() {
        let _ = engine::ray_flex(m, d, f, ray, parts);
    }
}

/// The scene with everything shown, and sometimes a small image.
fn draw(random: &mut Random, m: &mut Model, d: &mut Data) {
    let mut opt = VisOption::default();
    opt.flags.fill(1);
    let mut camera = Camera::default();
    let pert = Perturb::default();
    let mut scene = Scene::new(m, MAX_GEOM);
    let view = View { opt: &opt, pert: &pert, catmask: 7 };
    let drawn: Result<(), SceneError> = update_scene(m, d, view, &mut camera, &mut scene);
    if drawn.is_ok() && random.once_in(16) {
        let _ = Renderer::new(m).render(m, &scene, 32, 24);
    }
}
