//! Everything that a model goes through in its life.

use sinew::engine::{self, FlexParts, Ray, RayFilter};
use sinew::model::enums::{Integrator, SolverType};
use sinew::{Data, Model, Vec3};
use sinew_render::Renderer;
use sinew_scene::{Camera, Perturb, Scene, SceneError, View, VisOption, update_scene};
use sinew_testkit::Random;

/// Most work of a step that is tried with every integrator, in dofs and geoms: larger models have
/// one.
const SMALL: usize = 200;
/// Most boxes and rays that are drawn.
const MAX_GEOM: usize = 2000;

/// A step with each integrator and each solver, inverse dynamics, rays, the scene, and now and then
/// a picture and a state saved and restored.
pub fn exercise(random: &mut Random, m: &Model) {
    let mut m = m.clone();
    let mut d = Data::new(&m);
    engine::forward(&m, &mut d);
    let integrators =
        [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::Implicitfast];
    let solvers = [SolverType::Pgs, SolverType::Cg, SolverType::Newton];
    let small = m.nv + m.ngeom < SMALL;
    engine::step(&m, &mut d);
    let first = random.below(4);
    for k in 0..if small { 4 } else { 1 } {
        m.opt.integrator = integrators[(first + k) % 4];
        m.opt.solver = random.pick(&solvers);
        engine::step(&m, &mut d);
    }
    let _ = engine::inverse(&m, &mut d);
    if m.nkey > 0 {
        let key = random.below(m.nkey);
        engine::reset_data_keyframe(&m, &mut d, key);
        engine::forward(&m, &mut d);
    }
    rays(random, &m, &d);
    draw(random, &m, &mut d);
}

/// Rays at geoms and flexes, from somewhere to somewhere.
fn rays(random: &mut Random, m: &Model, d: &Data) {
    let ray = Ray { origin: Vec3::from(random.array()), dir: Vec3::from(random.array()) };
    let _ = engine::ray(m, d, ray, &RayFilter::default());
    let parts = FlexParts { vert: true, edge: true, face: true, skin: true, layer: 0 };
    for f in m.flexes() {
        let _ = engine::ray_flex(m, d, f, ray, parts);
    }
}

/// The scene with everything shown, and sometimes a small picture of it.
fn draw(random: &mut Random, m: &Model, d: &mut Data) {
    let mut opt = VisOption::default();
    opt.flags.fill(1);
    let mut camera = Camera::default();
    let pert = Perturb::default();
    let mut scene = Scene::new(m, MAX_GEOM);
    let view = View { opt: &opt, pert: &pert, catmask: 7 };
    let drawn: Result<(), SceneError> = update_scene(m, d, view, &mut camera, &mut scene);
    if drawn.is_ok() && random.below(16) == 0 {
        let _ = Renderer::new(m).render(m, &scene, 32, 24);
    }
}
