//! `sinew render`: an image or a video of a model.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;
use sinew::model::enums::{CatBit, RndFlag};
use sinew::{Data, Model};
use sinew_render::Renderer;
use sinew_scene::{Camera, Perturb, Scene, View, VisOption, update_scene};

use crate::common::Common;
use crate::progress::Progress;
use crate::video::Video;
use crate::{diagnostics, keyframe, out};

/// Maximum number of geoms in an image.
const MAX_GEOMS: usize = 100_000;

pub(crate) const EXAMPLES: &str = "Examples:
  sinew render models/humanoid.xml -o frame.png --camera side
  sinew render models/pile.xml --video pile.gif --time 2 --size 320x240";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Model file: MJCF, URDF or MJB
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// PNG file for the picture
    #[arg(short, long, value_name = "FILE", required_unless_present = "video")]
    output: Option<PathBuf>,
    /// Video of a simulation: .gif, .png (animated), .y4m, or what ffmpeg can write
    #[arg(long, value_name = "FILE")]
    video: Option<PathBuf>,
    /// Camera of the model, by name or number [default: a free camera that shows the whole model]
    #[arg(long, value_name = "CAMERA")]
    camera: Option<String>,
    /// Write distances in millimetres as 16-bit grey
    #[arg(long, conflicts_with_all = ["segmentation", "video"])]
    depth: bool,
    /// One colour for every object
    #[arg(long)]
    segmentation: bool,
    /// Size in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "640x480", value_parser = parse_size)]
    size: [usize; 2],
    /// Keyframe to start from, by name or number
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Seconds to simulate before the image, or for the video
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Pictures per second of a video
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=240))]
    fps: u32,
}

fn parse_size(text: &str) -> Result<[usize; 2], String> {
    let wanted = || format!("'{text}' is not of the form 640x480");
    let (width, height) = text.split_once('x').ok_or_else(wanted)?;
    let side = |text: &str| text.parse::<usize>().map_err(|_| wanted());
    Ok([side(width)?, side(height)?])
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    // the model and its state
    let model = diagnostics::model(&args.model, common)?;
    let mut data = Data::new(&model);
    if let Some(key) = &args.key {
        sinew::reset_data_keyframe(&model, &mut data, keyframe::find(&model, key)?);
    }
    sinew::forward(&model, &mut data);
    let seconds = args.time.unwrap_or(if args.video.is_some() { 3.0 } else { 0.0 });
    ensure!((0.0..=3600.0).contains(&seconds), "--time {seconds}: wanted 0 to 3600 seconds");

    // the video
    let mut studio = Studio::new(&model, args)?;
    if let Some(path) = &args.video {
        let frames = ((seconds * f64::from(args.fps)).round() as u32).max(1);
        let mut video = Video::create(path, args.size, args.fps, frames)?;
        let mut progress = Progress::of(u64::from(frames), "frames");
        for frame in 0..frames {
            simulate(&model, &mut data, f64::from(frame) / f64::from(args.fps));
            video.add(&studio.colors(&data)?)?;
            progress.add(1);
        }
        progress.finish();
        video.finish()?;
    }

    // the image at the end
    simulate(&model, &mut data, seconds);
    if let Some(path) = &args.output {
        if args.depth {
            write_depth(path, args.size, &studio.distances(&data)?)?;
        } else {
            write_colors(path, args.size, &studio.colors(&data)?)?;
        }
    }
    report(args, common)?;
    Ok(ExitCode::SUCCESS)
}

/// Reports the written files.
fn report(args: &Args, common: &Common) -> Result<()> {
    let files = [&args.video, &args.output].into_iter().flatten();
    let names: Vec<String> = files.map(|path| path.display().to_string()).collect();
    match common.json {
        true => out::json(&json!({ "ok": true, "files": names })),
        false => out::line(&format!("written   {}", names.join(" and "))),
    }
}

/// Steps until a time is reached, then computes the quantities that are drawn.
fn simulate(model: &Model, data: &mut Data, time: f64) {
    if data.time < time {
        while data.time < time {
            sinew::step(model, data);
        }
        sinew::forward(model, data);
    }
}

/// A renderer, a camera and a scene.
struct Studio<'a> {
    model: &'a Model,
    renderer: Renderer,
    camera: Camera,
    scene: Scene,
    size: [usize; 2],
}

impl<'a> Studio<'a> {
    fn new(model: &'a Model, args: &Args) -> Result<Studio<'a>> {
        let mut scene = Scene::new(model, MAX_GEOMS);
        scene.flags[RndFlag::Segment.0 as usize] = args.segmentation.into();
        let camera = match &args.camera {
            None => Camera::free(model),
            Some(name) => Camera::fixed(find_camera(model, name)?),
        };
        Ok(Studio { model, renderer: Renderer::new(model), camera, scene, size: args.size })
    }

    fn update(&mut self, data: &Data) -> Result<()> {
        let (opt, pert) = (VisOption::default(), Perturb::default());
        let view = View { opt: &opt, pert: &pert, catmask: CatBit::All.0 };
        Ok(update_scene(self.model, data, view, &mut self.camera, &mut self.scene)?)
    }

    fn colors(&mut self, data: &Data) -> Result<Vec<[u8; 3]>> {
        self.update(data)?;
        let [width, height] = self.size;
        Ok(self.renderer.render(self.model, &self.scene, width, height)?.rgb)
    }

    fn distances(&mut self, data: &Data) -> Result<Vec<f32>> {
        self.update(data)?;
        let [width, height] = self.size;
        Ok(self.renderer.depth(self.model, &self.scene, width, height)?)
    }
}

/// The index of a camera.
fn find_camera(model: &Model, name: &str) -> Result<usize> {
    let index = match name.parse::<usize>() {
        Ok(index) => index,
        Err(_) => model.camera(name)?.idx(),
    };
    ensure!(index < model.ncam, "--camera {index}: the model has {} cameras", model.ncam);
    Ok(index)
}

fn encoder(path: &Path, [width, height]: [usize; 2]) -> Result<png::Encoder<'_, BufWriter<File>>> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    if !extension.eq_ignore_ascii_case("png") {
        bail!("{}: pictures are written as .png", path.display());
    }
    let file = File::create(path).with_context(|| path.display().to_string())?;
    Ok(png::Encoder::new(BufWriter::new(file), width as u32, height as u32))
}

fn write_colors(path: &Path, size: [usize; 2], rgb: &[[u8; 3]]) -> Result<()> {
    let mut encoder = encoder(path, size)?;
    encoder.set_color(png::ColorType::Rgb);
    Ok(encoder.write_header()?.write_image_data(rgb.as_flattened())?)
}

fn write_depth(path: &Path, size: [usize; 2], depth: &[f32]) -> Result<()> {
    let mut encoder = encoder(path, size)?;
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    let millimetres = |d: &f32| ((d * 1000.0).round().clamp(0.0, 65535.0) as u16).to_be_bytes();
    let bytes: Vec<u8> = depth.iter().flat_map(millimetres).collect();
    Ok(encoder.write_header()?.write_image_data(&bytes)?)
}
