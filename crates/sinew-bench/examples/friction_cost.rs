//! What a step costs with exact friction, and with MuJoCo's contacts, on the same scenes.
//!
//! Run with
//! `cargo run --release -p sinew-bench --example friction_cost [moving | wall | write DIR]`; with
//! `moving` only the scenes in which things fall over and fly apart, with `wall` what a wall that
//! is hit at four speeds is worth: residuals, depths, and how it falls. With `write` the scenes go
//! to files, for `crates/sinew-py/benches/friction.py`, which races MuJoCo's solver on them.
// a program talks to its user on stdout; the libraries never do
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

/// A wall hit at four speeds: residuals, the deepest contact, and where its bricks are after 0.6 s.
fn struck_walls() -> sinew::Result<()> {
    println!(
        "{:>6} {:>14} {:>9} {:>9} {:>9} {:>11} {:>11} {:>9} {:>9} {:>9}",
        "m/s",
        "not converged",
        "median",
        "90 %",
        "largest",
        "depth 90 %",
        "deepest mm",
        "mean x",
        "mean z",
        "top z"
    );
    let m = model(&wall(), Some(FrictionLaw::Exact))?;
    let mut all = Vec::new();
    for speed in [3.0, 5.0, 8.0, 12.0] {
        let mut d = Data::new(&m);
        d.qvel[0] = speed;
        let (mut residuals, mut depths, mut missed) = (Vec::new(), Vec::new(), 0);
        for _ in 0..300 {
            step(&m, &mut d);
            missed += usize::from(!d.coulomb.converged());
            residuals.push(d.coulomb.residual);
            depths.push(d.contact.iter().fold(0.0_f64, |a, con| a.max(-1e3 * con.dist)));
        }
        all.extend_from_slice(&residuals);
        let [median, most, largest] = quantiles(&mut residuals);
        let [_, deep, deepest] = quantiles(&mut depths);
        let bricks = || (2..m.nbody).map(|b| d.xpos[b]);
        let mean = |sum: f64| sum / (m.nbody - 2) as f64;
        let (x, z) = (mean(bricks().map(|p| p.x).sum()), mean(bricks().map(|p| p.z).sum()));
        let top = bricks().map(|p| p.z).fold(0.0, f64::max);
        println!(
            "{speed:>6} {:>14} {median:>9.1e} {most:>9.1e} {largest:>9.1e} {deep:>11.3} {deepest:>11.3} {x:>9.4} {z:>9.4} {top:>9.4}",
            format!("{missed} of 300")
        );
    }
    let [median, most, largest] = quantiles(&mut all);
    println!("   all {:>14} {median:>9.1e} {most:>9.1e} {largest:>9.1e}", "");
    Ok(())
}

/// Median, 90 % and the largest.
fn quantiles(x: &mut [f64]) -> [f64; 3] {
    x.sort_by(f64::total_cmp);
    [x[x.len() / 2], x[x.len() * 9 / 10], x[x.len() - 1]]
}

/// Scenes that rest or settle, and steps before they are timed.
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

/// Scenes in which things fall over and fly apart, and how many steps are timed.
fn moving_scenes() -> [(&'static str, String, usize); 3] {
    [
        ("30 dominoes", dominoes(), 500),
        ("wall hit by a ball", wall(), 300),
        ("512 falling spheres", spheres(), 300),
    ]
}

/// All scenes, each in a file; the name says how many steps come before, and how many are timed.
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

/// Scenes that rest or settle: means.
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

/// Scenes in which things fall over and fly apart: the median step and the slowest one.
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

/// Times of the steps, sorted, how many missed the tolerance, and the largest residual.
fn each_step(m: &Model, steps: usize) -> (Vec<f64>, usize, f64) {
    let mut times = vec![f64::INFINITY; steps];
    let (mut missed, mut residual) = (0, 0.0_f64);
    for _ in 0..RUNS {
        let mut d = Data::new(m);
        // of the wall it is the ball that comes first, and of the others it is nothing
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

/// How often a scene is run. Every run makes the same steps; the fastest of each counts, whatever
/// else the machine was doing.
const RUNS: usize = 5;

/// Means over the timed steps; the time is in microseconds.
#[derive(Default)]
struct Cost {
    time: f64,
    contacts: f64,
    problems: f64,
    iterations: f64,
    failures: usize,
}

/// Steps a scene in its mode; `warmup` steps are not timed.
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

/// Dominoes in a row, of which the first is tipped over.
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
