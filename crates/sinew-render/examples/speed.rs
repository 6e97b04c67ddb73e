//! Frames per second of `N` frames, and their similarity to frames with all triangles of meshes:
//! `cargo run --profile dist -p sinew-render --example speed -- MODEL.mjb [W H N [MESH_ERROR]]`.

use std::time::Instant;

use sinew_engine::forward;
use sinew_model::{Data, Model};
use sinew_render::Renderer;
use sinew_scene::{Camera, Perturb, Scene, View, VisOption, update_scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let path = args.first().ok_or("usage: speed MODEL.mjb [WIDTH HEIGHT FRAMES [MESH_ERROR]]")?;
    let size = |i: usize, default| args.get(i).map_or(Ok(default), |text| text.parse::<usize>());
    let (width, height, frames) = (size(1, 640)?, size(2, 480)?, size(3, 100)?);
    let m = Model::from_binary(&std::fs::read(path)?)?;
    let mut d = Data::new(&m);
    forward(&m, &mut d);

    let mut renderer = Renderer::new(&m);
    if let Some(error) = args.get(4) {
        renderer.set_mesh_error(error.parse()?);
    }
    let mut scn = Scene::new(&m, 10000);
    let (opt, pert) = (VisOption::default(), Perturb::default());
    let view = View { opt: &opt, pert: &pert, catmask: 7 };
    let mut camera = Camera::free(&m);
    // the first picture makes the levels of detail; the headlight follows the camera of the update
    // before
    update_scene(&m, &d, view, &mut camera, &mut scn)?;
    update_scene(&m, &d, view, &mut camera, &mut scn)?;
    let picture = renderer.render(&m, &scn, width, height)?;
    let start = Instant::now();
    for _ in 0..frames {
        update_scene(&m, &d, view, &mut camera, &mut scn)?;
        renderer.render(&m, &scn, width, height)?;
    }
    eprintln!(
        "{:.1} frames/s at {width} x {height}",
        frames as f64 / start.elapsed().as_secs_f64()
    );

    // similarity to the picture of all triangles
    renderer.set_mesh_error(0.0);
    let full = renderer.render(&m, &scn, width, height)?;
    let pairs = picture.rgb.as_flattened().iter().zip(full.rgb.as_flattened());
    let sum: f64 = pairs.map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum();
    let mean = sum / (3 * width * height) as f64;
    eprintln!(
        "{:.1} dB from the picture of all triangles",
        10.0 * (255.0f64.powi(2) / mean).log10()
    );
    Ok(())
}
