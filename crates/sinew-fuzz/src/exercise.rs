//! Runs a model through the engine.

use sinew::engine::{self, FlexParts, Ray, RayFilter};
use sinew::model::enums::{Integrator, SolverType};
use sinew::{Data, Model, Vec3};
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
/// integrator, inverse dynamics, a keyframe, rays, and the scene with an image.
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
const PARTS: [Exercise; 5] = [steps, inverse, keyframe, rays, draw];

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
