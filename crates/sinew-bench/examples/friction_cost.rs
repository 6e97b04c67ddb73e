//! Cost of a step with exact friction and with MuJoCo's contacts, on the same scenes.
//!
//! Run with
//! `cargo run --profile dist -p sinew-bench --example friction_cost [OPTION]`, where the option is
//! `moving`, `wall [RUNS]` or `write DIR`.
//! With `moving` only scenes in motion run. With `wall` a wall is hit at four speeds, 20 or `RUNS`
//! times each, and residuals, depths and final positions are printed. With `write` the scenes are
//! written to files for `crates/sinew-py/benches/friction.py`, which races MuJoCo's solver on them.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use std::fmt::Write as _;
use std::time::Instant;

use sinew::model::coulomb::FrictionLaw;
use sinew::model::enums::{ConeType, JointType};
use sinew::{Data, Model, step};

fn main() -> sinew::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("wall") => return struck_walls(),
        Some("write") => return write_scenes(),
        Some("moving") => {}
        _ => resting()?,
    }
    moving()
}

/// Speeds at which a ball hits a wall, in metres per second.
const SPEEDS: [f64; 4] = [3.0, 5.0, 8.0, 12.0];

/// A wall hit at four speeds, 300 steps each: means over runs, and their spread for all four
/// together. The speeds of two runs differ by 1e-9. Walls fall chaotically, so one run says little.
fn struck_walls() -> sinew::Result<()> {
    let runs = std::env::args().nth(2).map_or(20, |n| n.parse().expect("a number of runs"));
    let m = model(&wall(), Some(FrictionLaw::Exact))?;
    let runs: Vec<[[f64; 11]; 5]> = (0..runs)
        .map(|run| {
            let walls = SPEEDS.map(|speed| strike(&m, speed * (1.0 + 1e-9 * f64::from(run))));
            let [a, b, c, d] = walls.each_ref().map(figures);
            [a, b, c, d, figures(&together(&walls))]
        })
        .collect();

    let speeds = SPEEDS.map(|speed| format!("{speed} m/s"));
    let others = ["all", "std error", "std dev", "least", "most"].map(str::to_owned);
    print_row(&format!("{} runs", runs.len()), speeds.into_iter().chain(others));
    for (k, name) in FIGURES.iter().enumerate() {
        let n = runs.len() as f64;
        let mean = |column: usize| runs.iter().map(|run| run[column][k]).sum::<f64>() / n;
        let all = || runs.iter().map(|run| run[4][k]);
        let deviation = (all().map(|x| (x - mean(4)).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
        let least = all().fold(f64::INFINITY, f64::min);
        let most = all().fold(f64::NEG_INFINITY, f64::max);
        let row = (0..5).map(mean).chain([deviation / n.sqrt(), deviation, least, most]);
        print_row(name, row.map(short));
    }
    Ok(())
}

fn print_row(name: &str, cells: impl Iterator<Item = String>) {
    print!("{name:<22}");
    cells.for_each(|cell| print!(" {cell:>9}"));
    println!();
}

/// A number in nine columns.
fn short(x: f64) -> String {
    if x != 0.0 && x.abs() < 0.01 { format!("{x:.2e}") } else { format!("{x:.3}") }
}

/// The steps of a wall that was hit, and the final positions of its bricks: along the ball's path,
/// and height.
struct Struck {
    steps: Vec<Step>,
    bricks: Vec<[f64; 2]>,
}

#[derive(Clone, Copy)]
struct Step {
    missed: bool,
    residual: f64,
    /// Depth of the deepest contact, in millimetres.
    depth: f64,
    /// Time in microseconds.
    time: f64,
}

/// Hits a wall at a speed.
fn strike(m: &Model, speed: f64) -> Struck {
    let mut d = Data::new(m);
    d.qvel[0] = speed;
    let mut one_step = || {
        let start = Instant::now();
        step(m, &mut d);
        Step {
            time: start.elapsed().as_secs_f64() * 1e6,
            missed: !d.coulomb.converged(),
            residual: d.coulomb.residual,
            depth: d.contact.iter().fold(0.0_f64, |a, con| a.max(-1e3 * con.dist)),
        }
    };
    let steps = (0..300).map(|_| one_step()).collect();
    Struck { steps, bricks: (2..m.nbody).map(|b| [d.xpos[b].x, d.xpos[b].z]).collect() }
}

/// The steps and bricks of all walls.
fn together(walls: &[Struck]) -> Struck {
    Struck {
        steps: walls.iter().flat_map(|wall| &wall.steps).copied().collect(),
        bricks: walls.iter().flat_map(|wall| &wall.bricks).copied().collect(),
    }
}

const FIGURES: [&str; 11] = [
    "steps missed",
    "mean log10 residual",
    "median residual",
    "90 % residual",
    "largest residual",
    "depth 90 % mm",
    "deepest mm",
    "mean us per step",
    "mean x of bricks",
    "mean z of bricks",
    "top z of bricks",
];

/// The values of `FIGURES`.
fn figures(wall: &Struck) -> [f64; 11] {
    let of = |what: fn(&Step) -> f64| wall.steps.iter().map(what).collect::<Vec<_>>();
    let place = |axis: usize| wall.bricks.iter().map(|p| p[axis]).collect::<Vec<_>>();
    let mean = |x: Vec<f64>| x.iter().sum::<f64>() / x.len() as f64;
    let [median, most, largest] = quantiles(&mut of(|s| s.residual));
    let [_, deep, deepest] = quantiles(&mut of(|s| s.depth));
    [
        wall.steps.iter().filter(|s| s.missed).count() as f64,
        // a zero residual counts as rounding
        mean(of(|s| s.residual.max(1e-16).log10())),
        median,
        most,
        largest,
        deep,
        deepest,
        mean(of(|s| s.time)),
        mean(place(0)),
        mean(place(1)),
        place(1).into_iter().fold(0.0, f64::max),
    ]
}

/// Median, 90th percentile and maximum.
fn quantiles(x: &mut [f64]) -> [f64; 3] {
    x.sort_by(f64::total_cmp);
    [x[x.len() / 2], x[x.len() * 9 / 10], x[x.len() - 1]]
}

/// Resting or settling scenes, with the number of steps before timing.
fn resting_scenes() -> [(&'static str, String, usize); 6] {
    [
        ("box on a slope", boxes(1, true), 100),
        ("stack of 3", boxes(3, false), 100),
        ("stack of 10", boxes(10, false), 100),
        ("pile of 10, falling", pile(10), 0),
        ("pile of 10, settled", pile(10), 1500),
        ("pile of 30, falling", pile(30), 0),
    ]
}

/// Scenes in motion, with the number of timed steps.
fn moving_scenes() -> [(&'static str, String, usize); 3] {
    [
        ("30 dominoes", dominoes(), 500),
        ("wall hit by a ball", wall(), 300),
        ("512 falling spheres", spheres(), 300),
    ]
}

/// Writes all scenes to files; the file name has the numbers of untimed and timed steps.
fn write_scenes() -> sinew::Result<()> {
    let folder = std::env::args().nth(2).unwrap_or_else(|| ".".to_owned());
    let resting = resting_scenes().map(|(name, xml, warmup)| (name, xml, warmup, STEPS));
    let moving = moving_scenes().map(|(name, xml, steps)| (name, xml, 0, steps));
    for (name, xml, warmup, steps) in resting.into_iter().chain(moving) {
        let path = format!("{folder}/{name} {warmup} {steps}.xml");
        if let Err(e) = std::fs::write(&path, xml) {
            println!("{path}: {e}");
        }
    }
    Ok(())
}

/// Means of resting or settling scenes.
fn resting() -> sinew::Result<()> {
    println!(
        "{:<22} {:>9} {:>10} {:>10} {:>10} {:>9} {:>9} {:>13}",
        "scene",
        "contacts",
        "Newton us",
        "convex us",
        "exact us",
        "problems",
        "factors",
        "not converged"
    );
    for (name, xml, warmup) in resting_scenes() {
        let soft = time(&model(&xml, None)?, warmup);
        let convex = time(&model(&xml, Some(FrictionLaw::Convex))?, warmup);
        let exact = time(&model(&xml, Some(FrictionLaw::Exact))?, warmup);
        println!(
            "{name:<22} {:>9.1} {:>10.1} {:>10.1} {:>10.1} {:>9.2} {:>9.2} {:>13}",
            exact.contacts,
            soft.time,
            convex.time,
            exact.time,
            exact.problems,
            exact.iterations,
            format!("{} of {STEPS}", exact.failures)
        );
    }
    Ok(())
}

/// Median and slowest step of scenes in motion.
fn moving() -> sinew::Result<()> {
    println!(
        "{:<22} {:>14} {:>14} {:>8} {:>16} {:>14} {:>12}",
        "scene",
        "Newton med us",
        "exact med us",
        "ratio",
        "exact worst/med",
        "not converged",
        "residual"
    );
    for (name, xml, steps) in moving_scenes() {
        let (soft, ..) = each_step(&model(&xml, None)?, steps);
        let (exact, missed, residual) = each_step(&model(&xml, Some(FrictionLaw::Exact))?, steps);
        let (soft, median) = (soft[steps / 2], exact[steps / 2]);
        println!(
            "{name:<22} {soft:>14.0} {median:>14.0} {:>8.1} {:>16.1} {:>14} {residual:>12.1e}",
            median / soft,
            exact[steps - 1] / median,
            format!("{missed} of {steps}")
        );
    }
    Ok(())
}

/// Sorted times of the steps, the number above the tolerance, and the largest residual.
fn each_step(m: &Model, steps: usize) -> (Vec<f64>, usize, f64) {
    let mut times = vec![f64::INFINITY; steps];
    let (mut missed, mut residual) = (0, 0.0_f64);
    for _ in 0..RUNS {
        let mut d = Data::new(m);
        // the ball of the wall comes first; the other scenes start at rest
        d.qvel[0] = if m.njnt > 0 && m.jnt_type[0] == JointType::Slide { 5.0 } else { 0.0 };
        missed = 0;
        for time in &mut times {
            let start = Instant::now();
            step(m, &mut d);
            *time = time.min(start.elapsed().as_secs_f64() * 1e6);
            missed += usize::from(!d.coulomb.converged());
            residual = residual.max(d.coulomb.residual);
        }
    }
    times.sort_by(f64::total_cmp);
    (times, missed, residual)
}

const STEPS: usize = 500;

/// Repetitions of a scene. Every repetition makes the same steps; the fastest of each counts, which
/// removes the influence of other processes.
const RUNS: usize = 5;

/// Means over the timed steps; time in microseconds.
#[derive(Default)]
struct Cost {
    time: f64,
    contacts: f64,
    problems: f64,
    iterations: f64,
    failures: usize,
}

/// Times the steps of a scene; `warmup` steps are not timed.
fn time(m: &Model, warmup: usize) -> Cost {
    let mut fastest = vec![f64::INFINITY; STEPS];
    let mut cost = Cost::default();
    for _ in 0..RUNS {
        let mut d = Data::new(m);
        for _ in 0..warmup {
            step(m, &mut d);
        }
        cost = Cost::default();
        for fastest in &mut fastest {
            let start = Instant::now();
            step(m, &mut d);
            *fastest = fastest.min(start.elapsed().as_secs_f64() * 1e6);
            cost.contacts += d.contact.len() as f64 / STEPS as f64;
            cost.problems += d.coulomb.convex_problems as f64 / STEPS as f64;
            cost.iterations += d.coulomb.iterations as f64 / STEPS as f64;
            cost.failures += usize::from(!d.coulomb.converged());
        }
    }
    cost.time = fastest.iter().sum::<f64>() / STEPS as f64;
    cost
}

/// A scene with exact friction of a law, or with MuJoCo's elliptic cones and Newton's method.
fn model(xml: &str, law: Option<FrictionLaw>) -> sinew::Result<Model> {
    let mut m = sinew::load_str(xml)?;
    match law {
        Some(law) => (m.coulomb.enabled, m.coulomb.law) = (true, law),
        None => m.opt.cone = ConeType::Elliptic,
    }
    Ok(m)
}

/// Boxes on top of each other, level or on a slope of 20 degrees.
fn boxes(n: usize, slope: bool) -> String {
    let (gx, gz) = if slope { (3.355, -9.218) } else { (0.0, -9.81) };
    let mut xml = format!(
        "<mujoco><option gravity='{gx} 0 {gz}'/><worldbody><geom type='plane' size='5 5 1'/>"
    );
    for i in 0..n {
        let z = 0.1 - 1e-6 + i as f64 * (0.2 - 1e-6);
        let _ = write!(
            xml,
            "<body pos='0 0 {z}'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
        );
    }
    xml + "</worldbody></mujoco>"
}

/// Boxes, capsules and balls that fall onto each other.
fn pile(n: usize) -> String {
    let mut xml = String::from("<mujoco><worldbody><geom type='plane' size='5 5 1'/>");
    for i in 0..n {
        let shape =
            ["type='box' size='.1 .08 .06'", "type='capsule' size='.05 .1'", "size='.08'"][i % 3];
        let (x, y) = (0.07 * (i % 4) as f64, 0.05 * (i % 3) as f64);
        let z = 0.15 + 0.12 * i as f64;
        let _ = write!(
            xml,
            "<body pos='{x} {y} {z}' euler='{} 20 0'><freejoint/><geom {shape} friction='.6'/></body>",
            7 * i
        );
    }
    xml + "</worldbody></mujoco>"
}

/// A row of dominoes; the first is tilted.
fn dominoes() -> String {
    let mut xml = String::from("<mujoco><worldbody><geom type='plane' size='5 5 1'/>");
    for i in 0..30 {
        let (x, tilt) = (0.05 * f64::from(i), if i == 0 { 12.0 } else { 0.0 });
        let _ = write!(
            xml,
            "<body pos='{x} 0 .0499'><freejoint/><geom type='box' size='.01 .025 .05' mass='.05'
               friction='.5' pos='{} 0 0' euler='0 {tilt} 0'/></body>",
            if i == 0 { 0.01 } else { 0.0 }
        );
    }
    xml + "</worldbody></mujoco>"
}

/// Bricks in six courses, and a ball that flies into them.
fn wall() -> String {
    let mut xml = String::from(
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/>
         <body pos='-.5 .02 .2'><joint type='slide' axis='1 0 0'/>
           <joint type='slide' axis='0 0 1'/><geom size='.06' mass='2'/></body>",
    );
    for course in 0..6 {
        for i in 0..6 {
            let y = 0.2 * (f64::from(i) - 2.5) + 0.1 * f64::from(course % 2);
            let z = 0.03 - 1e-6 + f64::from(course) * (0.06 - 1e-6);
            let _ = write!(
                xml,
                "<body pos='0 {y} {z}'><freejoint/>
                   <geom type='box' size='.05 .0995 .03' mass='.5' friction='.6'/></body>"
            );
        }
    }
    xml + "</worldbody></mujoco>"
}

/// Balls that fall in a heap between four walls.
fn spheres() -> String {
    let mut xml = String::from(
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/>
         <geom type='plane' size='1 1 1' pos='.5 0 0' zaxis='-1 0 0'/>
         <geom type='plane' size='1 1 1' pos='-.5 0 0' zaxis='1 0 0'/>
         <geom type='plane' size='1 1 1' pos='0 .5 0' zaxis='0 -1 0'/>
         <geom type='plane' size='1 1 1' pos='0 -.5 0' zaxis='0 1 0'/>",
    );
    for i in 0..512 {
        let (x, y, z) = (i % 8, i / 8 % 8, i / 64);
        let shift = 0.01 * f64::from(z % 2);
        let [x, y] = [x, y].map(|k| 0.11 * (f64::from(k) - 3.5) + shift);
        let z = 0.06 + 0.11 * f64::from(z);
        let _ = write!(
            xml,
            "<body pos='{x} {y} {z}'><freejoint/><geom size='.05' mass='.1' friction='.5'/></body>"
        );
    }
    xml + "</worldbody></mujoco>"
}
