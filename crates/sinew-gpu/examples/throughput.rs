//! Steps per second of worlds on a GPU, and whether their states have the bits of the processor's.
//!
//! `throughput MODEL... [worlds=256,4096] [ptx=FILE,...] [shapes] [single] [host] [smooth]
//! [brief]`: models are `.xml` or `.mjb`. Every world starts from keyframe 0 (or `qpos0`) and gets
//! controls of its own, changed every 25 steps. 100 steps are not counted, then 200 are. With
//! `shapes` several layouts of the kernel are tried, with `single` also f32, with `host` the same
//! runs on the processor. With `smooth` the models have no constraints. With `ptx` kernels of these
//! files, text or machine code, run instead of the package's own; with `brief` nothing is compared
//! and 25 steps count.
#![allow(clippy::print_stdout)] // a report

use std::sync::Arc;
use std::time::Instant;

use sinew_gpu::cuda::{Device, Event, Limits, Program, Stream};
use sinew_gpu::{GpuError, Precision, Shape, Worlds, row};
use sinew_kernel::outcome;
use sinew_model::enums::DisableBit;
use sinew_model::{Data, Model};
use sinew_testkit::Random;

type Failure = Box<dyn std::error::Error>;

/// Arguments of the command line.
#[derive(Default)]
struct Request {
    models: Vec<String>,
    worlds: Vec<usize>,
    shapes: bool,
    single: bool,
    host: bool,
    smooth: bool,
    brief: bool,
    programs: Vec<String>,
}

fn main() -> Result<(), Failure> {
    let mut request = Request { worlds: vec![256, 1024, 4096, 8192, 32768], ..Request::default() };
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "shapes" => request.shapes = true,
            "single" => request.single = true,
            "host" => request.host = true,
            "smooth" => request.smooth = true,
            "brief" => request.brief = true,
            other => match other.split_once('=') {
                Some(("worlds", list)) => {
                    request.worlds = list.split(',').map(str::parse).collect::<Result<_, _>>()?
                }
                Some(("ptx", list)) => {
                    request.programs = list.split(',').map(str::to_owned).collect()
                }
                _ => request.models.push(other.to_owned()),
            },
        }
    }
    let begin = Instant::now();
    let device = if request.host { None } else { Some(Device::open(0)?) };
    if let Some(device) = &device {
        let (major, minor) = device.capability();
        println!(
            "{}, compute capability {major}.{minor}, {} multiprocessors, opened in {:.2} s",
            device.name(),
            device.processors(),
            begin.elapsed().as_secs_f64()
        );
    }
    for path in &request.models {
        let mut model = load(path)?;
        if request.smooth {
            model.opt.disableflags |= DisableBit::Constraint.0;
        }
        let single = request.single.then_some(Precision::Single);
        for precision in [Some(Precision::Double), single].into_iter().flatten() {
            if let Err(error) = survey(path, &model, precision, device.as_ref(), &request) {
                println!("{path} {precision:?}: {error}");
            }
        }
    }
    Ok(())
}

fn load(path: &str) -> Result<Model, Failure> {
    if path.ends_with(".mjb") {
        return Ok(Model::from_binary(&std::fs::read(path)?)?);
    }
    Ok(sinew_mjcf::load_path(path.as_ref(), &Default::default())?.model)
}

/// All runs of one model.
fn survey(
    path: &str,
    m: &Model,
    precision: Precision,
    device: Option<&Arc<Device>>,
    request: &Request,
) -> Result<(), GpuError> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some(device) = device else {
        let mut worlds = Worlds::on_host(m, 64, precision)?;
        start(m, &mut worlds)?;
        let begin = Instant::now();
        let flags = run(m, &mut worlds, [8, 25], |_| Ok(()))?;
        let step = begin.elapsed().as_secs_f64() / (64.0 * 200.0);
        println!("{name} {precision:?}: {:.2} us a step on the processor, {flags}", step * 1e6);
        return Ok(());
    };

    for program in programs(request) {
        let shape = Shape { program, ..Shape::default() };
        if !request.brief {
            compare(name, m, precision, device, shape)?;
        }
        for (label, shape) in shapes(request, shape) {
            let other = !label.is_empty();
            for &n in request.worlds.iter().filter(|&&n| !other || n == 8192) {
                if let Err(error) = time(m, n, precision, (device, request.brief), shape, &label) {
                    println!("  {n} worlds{label}: {error}");
                }
            }
        }
    }
    Ok(())
}

/// The kernels to try: the package's own, or kernels of files.
fn programs(request: &Request) -> Vec<Option<Program<'static>>> {
    if request.programs.is_empty() {
        return vec![None];
    }
    let of = |path: &String| {
        let bytes: &[u8] = Vec::leak(std::fs::read(path).unwrap_or_default());
        let code = bytes.starts_with(b"\x7fELF").then_some(bytes);
        println!("{path}:");
        Some(Program { text: core::str::from_utf8(bytes).unwrap_or_default(), code })
    };
    request.programs.iter().map(of).collect()
}

/// Whether worlds on the GPU have the bits of the processor.
fn compare(
    name: &str,
    m: &Model,
    precision: Precision,
    device: &Arc<Device>,
    shape: Shape,
) -> Result<(), GpuError> {
    let begin = Instant::now();
    let mut there = Worlds::on_device(m, 64, precision, Arc::clone(device), shape)?;
    let took = begin.elapsed().as_secs_f64();
    if let Some(kernel) = there.kernel() {
        println!(
            "{name} {precision:?}: loaded in {took:.2} s, {} registers, {} bytes of local memory, \
             row {} B, workspace {} B",
            kernel.registers(),
            kernel.local_bytes(),
            there.row_bytes(),
            there.packed().work_stride,
        );
    }
    let mut here = Worlds::on_host(m, 64, precision)?;
    let mut rows = Vec::new();
    for worlds in [&mut here, &mut there] {
        start(m, worlds)?;
        let flags = run(m, worlds, [4, 25], |_| Ok(()))?;
        let mut bytes = vec![0; worlds.row_bytes() * 64];
        worlds.read(0, &mut bytes, Stream::default())?;
        rows.push((bytes, flags));
    }
    let differ = rows[0].0.chunks(here.row_bytes()).zip(rows[1].0.chunks(here.row_bytes()));
    let differ = differ.filter(|(a, b)| a != b).count();
    println!("  after 100 steps {differ} of 64 worlds differ; {}; {}", rows[0].1, rows[1].1);
    Ok(())
}

/// Layouts to try, with labels; the kernel's own without.
fn shapes(request: &Request, own: Shape) -> Vec<(String, Shape)> {
    let mut shapes = vec![(String::new(), own)];
    if request.shapes {
        for registers in [168, 128, 96] {
            for warps in [4, 8, 16] {
                let shape = Shape { warps, blocks: 0, limits: Limits { registers }, ..own };
                shapes.push((format!("; {warps} warps, {registers} registers"), shape));
            }
        }
    }
    shapes
}

/// Steps per second, in launches of 25 steps and of one.
fn time(
    m: &Model,
    n: usize,
    precision: Precision,
    (device, brief): (&Arc<Device>, bool),
    shape: Shape,
    label: &str,
) -> Result<(), GpuError> {
    let mut worlds = Worlds::on_device(m, n, precision, Arc::clone(device), shape)?;
    start(m, &mut worlds)?;
    run(m, &mut worlds, [4, 25], |_| Ok(()))?;
    let runs = if brief { 1 } else { 8 };
    let mut seconds = [0.0; 2];
    let mut flags = String::new();
    for (each, seconds) in [25, 1].into_iter().zip(&mut seconds) {
        let mut earlier = None;
        flags = run(m, &mut worlds, [runs, each], |before| {
            let now = Event::record(device, Stream::default())?;
            if before {
                earlier = Some(now);
            } else if let Some(earlier) = earlier.take() {
                *seconds += now.seconds_since(&earlier)?;
            }
            Ok(())
        })?;
    }
    let steps = f64::from(25 * runs);
    let rate = |seconds: f64| n as f64 * steps / seconds / 1e6;
    println!(
        "  {n} worlds, {} teams{label}: {:.0} us a step, {:.2} M steps/s; one step a launch {:.2}; \
         {flags}",
        worlds.teams(),
        seconds[0] / steps * 1e6,
        rate(seconds[0]),
        rate(seconds[1]),
    );
    Ok(())
}

/// Puts all worlds into the initial state or keyframe 0.
fn start(m: &Model, worlds: &mut Worlds) -> Result<(), GpuError> {
    let mut data = Data::new(m);
    if m.nkey > 0 {
        sinew_engine::reset_data_keyframe(m, &mut data, 0);
    }
    let row = row::of_data(worlds.packed(), worlds.precision(), &data);
    worlds.fill(&row, None, Stream::default())
}

/// Runs of 25 steps, each with other controls, in launches of `each` steps, with the options of
/// `flags`. Before the first launch and after the last of each run `moment` is called.
fn run(
    m: &Model,
    worlds: &mut Worlds,
    [runs, each]: [u32; 2],
    mut moment: impl FnMut(bool) -> Result<(), GpuError>,
) -> Result<String, GpuError> {
    let (n, size) = (worlds.worlds(), worlds.row_bytes());
    let (mut bad, mut beyond) = (0, 0);
    let mut rng = Random::new(1);
    for _ in 0..runs {
        let mut rows = vec![0; n * size];
        worlds.read(0, &mut rows, Stream::default())?;
        if let Some(ctrl) = worlds.packed().field("ctrl") {
            for row in rows.chunks_mut(size) {
                row::put(row, ctrl, worlds.precision(), &controls(m, &mut rng));
            }
        }
        worlds.write(0, &rows, Stream::default())?;
        moment(true)?;
        for _ in 0..25 / each {
            worlds.launch(each, Stream::default())?;
        }
        moment(false)?;
        let mut flags = vec![0; n];
        worlds.read_flags(&mut flags, Stream::default())?;
        let count = |kind| flags.iter().filter(|&&flag| flag & outcome::MASK == kind).count();
        bad += count(outcome::BAD_NUMBER);
        beyond += count(outcome::BEYOND_WORKSPACE);
    }
    Ok(format!("bad {bad}, beyond the workspace {beyond}"))
}

/// Controls around the controls of keyframe 0, within their ranges.
fn controls(m: &Model, rng: &mut Random) -> Vec<f64> {
    let each = (0..m.nu).map(|u| {
        let limited = m.actuator_ctrllimited[u].get();
        let [low, high] = if limited { m.actuator_ctrlrange[u] } else { [-1.0, 1.0] };
        let middle = if m.nkey > 0 { m.key_ctrl[0][u] } else { 0.5 * (low + high) };
        (middle + 0.15 * (high - low) * normal(rng)).clamp(low, high)
    });
    each.collect()
}

/// A number of the normal distribution (Box and Muller).
fn normal(rng: &mut Random) -> f64 {
    let (u, v) = (rng.between([1e-12, 1.0]), rng.unit());
    (-2.0 * u.ln()).sqrt() * (core::f64::consts::TAU * v).cos()
}
