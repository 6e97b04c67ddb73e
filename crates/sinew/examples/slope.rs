//! Exact friction compared with MuJoCo's contacts: a table of boxes on slopes, and SVG plots of
//! slopes, a grasp, a stack and balls.
//!
//! `cargo run -p sinew --example slope` prints the table. With a folder as argument, such as
//! `docs`, it also writes the plots to the folder.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use std::fmt::Write as _;
use std::path::Path;

use sinew::model::coulomb::FrictionLaw;
use sinew::model::enums::ConeType;
use sinew::{Data, Model, step};

const G: f64 = 9.81;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    table()?;
    if let Some(folder) = std::env::args().nth(1) {
        let folder = Path::new(&folder);
        std::fs::write(folder.join("coulomb-creep.svg"), creep()?)?;
        std::fs::write(folder.join("coulomb-grasp.svg"), grasp()?)?;
        std::fs::write(folder.join("coulomb-stack.svg"), stack()?)?;
        std::fs::write(folder.join("coulomb-roll.svg"), roll()?)?;
        std::fs::write(folder.join("coulomb-path.svg"), path()?)?;
        std::fs::write(folder.join("coulomb-bounce.svg"), bounce()?)?;
    }
    Ok(())
}

/// Model of contacts.
#[derive(Clone, Copy)]
enum Mode {
    Pyramidal,
    Elliptic,
    Exact,
}

const MODES: [(&str, Mode); 3] = [
    ("MuJoCo, pyramidal", Mode::Pyramidal),
    ("MuJoCo, elliptic", Mode::Elliptic),
    ("exact", Mode::Exact),
];

fn set(m: &mut Model, mode: Mode) {
    match mode {
        Mode::Pyramidal => m.opt.cone = ConeType::Pyramidal,
        Mode::Elliptic => m.opt.cone = ConeType::Elliptic,
        Mode::Exact => (m.coulomb.enabled, m.coulomb.law) = (true, FrictionLaw::Exact),
    }
}

/// A box of 40 x 30 x 20 cm on a slope; in MuJoCo's modes at its resting depth.
fn slope(degrees: f64, mu: f64, mode: Mode) -> sinew::Result<(Model, Data)> {
    let angle = degrees.to_radians();
    let (gx, gz) = (G * angle.sin(), -G * angle.cos());
    let xml = format!(
        "<mujoco><option gravity='{gx} 0 {gz}'/><worldbody>
           <geom type='plane' size='5 5 1' friction='{mu}'/>
           <body pos='0 0 .099999'><freejoint/><geom type='box' size='.2 .15 .1' friction='{mu}'/></body>
         </worldbody></mujoco>"
    );
    scene(&xml, mode)
}

/// Boxes with friction 0.5, whose friction angle is 26.565 degrees.
fn table() -> sinew::Result<()> {
    let mu = 0.5_f64;
    println!("friction {mu}, after 10 s: speed down the slope in m/s, and path in m\n");
    print!("{:>8} {:>23}", "degrees", "Coulomb");
    for (name, _) in MODES {
        print!(" {name:>23}");
    }
    println!();
    for degrees in [5.0, 10.0, 20.0, 25.0, 26.0, 27.0, 30.0, 40.0_f64] {
        let angle = degrees.to_radians();
        let rate = (G * (angle.sin() - mu * angle.cos())).max(0.0);
        print!("{degrees:>8} {:>12.4e} {:>10.4}", 10.0 * rate, 50.0 * rate);
        for (_, mode) in MODES {
            let (m, mut d) = slope(degrees, mu, mode)?;
            for _ in 0..5000 {
                step(&m, &mut d);
            }
            print!(" {:>12.4e} {:>10.4}", d.qvel[0], d.qpos[0]);
        }
        println!();
    }
    Ok(())
}

/// A box on a slope of 10 degrees with friction 1: its displacement during ten seconds.
fn creep() -> sinew::Result<String> {
    let plot = Plot::new("A box on a slope of 10 degrees, friction 1", "time, s", "creep, mm");
    in_three_modes(plot, |mode| slope(10.0, 1.0, mode), |d| Some(1e3 * d.qpos[0]))
}

/// A box of 1 kg between two fingers whose force exceeds the required one by 0.1 %: its slip, until
/// it leaves the fingers.
fn grasp() -> sinew::Result<String> {
    let plot = Plot::new("A grasp with 0.1 % to spare", "time, s", "slip, mm");
    let (mu, mass) = (0.5, 1.0);
    let force = 1.001 * mass * G / (2.0 * mu);
    let finger = |name: &str, x: f64| {
        format!(
            "<body pos='{x} 0 1'><joint name='{name}' type='slide' axis='1 0 0'/>
               <geom type='box' size='.02 .05 .05' mass='.1' friction='{mu}'/></body>"
        )
    };
    let xml = format!(
        "<mujoco><worldbody>{}{}
           <body pos='0 0 1'><freejoint/>
             <geom type='box' size='.050001 .03 .03' mass='{mass}' friction='{mu}'/></body>
         </worldbody><actuator><motor joint='left'/><motor joint='right'/></actuator></mujoco>",
        finger("left", -0.07),
        finger("right", 0.07)
    );
    let scene = |mode| {
        let (m, mut d) = scene(&xml, mode)?;
        (d.ctrl[0], d.ctrl[1]) = (force, -force);
        Ok((m, d))
    };
    let slip = |d: &Data| Some(1e3 * (1.0 - d.qpos[4])).filter(|slip| *slip < 80.0);
    in_three_modes(plot, scene, slip)
}

/// Six boxes, each ten times as heavy as the box below: the height of the topmost.
fn stack() -> sinew::Result<String> {
    let plot = Plot::new("Six boxes, of 1 kg to 100 t", "time, s", "height of the topmost, m");
    let boxes: String = (0..6)
        .map(|i| {
            let (z, mass) = (0.1 + 0.2 * f64::from(i) - 1e-6 * f64::from(i + 1), 10_f64.powi(i));
            format!(
                "<body pos='0 0 {z}'><freejoint/>
                   <geom type='box' size='.1 .1 .1' mass='{mass}'/></body>"
            )
        })
        .collect();
    let xml =
        format!("<mujoco><worldbody><geom type='plane' size='5 5 1'/>{boxes}</worldbody></mujoco>");
    in_three_modes(plot, |mode| scene(&xml, mode), |d| Some(d.qpos[7 * 5 + 2]))
}

/// A ball on a slope of 3 degrees, whose rolling friction holds it up to 5.7 degrees.
fn roll() -> sinew::Result<String> {
    let plot = Plot::new("A ball with rolling friction on a slope", "time, s", "rolled, mm");
    let angle = 3_f64.to_radians();
    let (gx, gz) = (G * angle.sin(), -G * angle.cos());
    let xml = format!(
        "<mujoco><option gravity='{gx} 0 {gz}'/>
           <default><geom condim='6' friction='1 .005 .01'/></default><worldbody>
             <geom type='plane' size='5 5 1'/>
             <body pos='0 0 .099999'><freejoint/><geom size='.1'/></body>
         </worldbody></mujoco>"
    );
    in_three_modes(plot, |mode| scene(&xml, mode), |d| Some(1e3 * d.qpos[0]))
}

fn scene(xml: &str, mode: Mode) -> sinew::Result<(Model, Data)> {
    let mut m = sinew::load_str(xml)?;
    set(&mut m, mode);
    let d = Data::new(&m);
    Ok((m, d))
}

/// Ten seconds of a scene in each mode: a quantity over time, until it is `None`.
fn in_three_modes(
    mut plot: Plot,
    scene: impl Fn(Mode) -> sinew::Result<(Model, Data)>,
    quantity: impl Fn(&Data) -> Option<f64>,
) -> sinew::Result<String> {
    for (name, mode) in MODES {
        let (m, mut d) = scene(mode)?;
        let mut line = Vec::new();
        for i in 0..5000 {
            let Some(y) = quantity(&d) else { break };
            if i % 50 == 0 {
                line.push([d.time, y]);
            }
            step(&m, &mut d);
        }
        plot.line(name, line);
    }
    Ok(plot.svg())
}

/// A block pushed across a slope at the friction angle, with constant |v| + v_x.
fn path() -> sinew::Result<String> {
    let mut plot = Plot::new(
        "A block pushed across a slope at the friction angle",
        "across, m",
        "down the slope, m",
    );
    let degrees = 25.0_f64;
    let mu = degrees.to_radians().tan();
    let (m, mut d) = slope(degrees, mu, Mode::Exact)?;
    d.qvel[1] = 2.0;
    let mut line = Vec::new();
    for i in 0..400 {
        if i % 4 == 0 {
            line.push([d.qpos[1], d.qpos[0]]);
        }
        step(&m, &mut d);
    }
    plot.line("exact mode", line);
    plot.dots("Coulomb's law", coulomb_path(degrees.to_radians(), mu, 2.0));
    Ok(plot.svg())
}

/// v' = g sin x - mu g cos v / |v|, by the midpoint rule with small steps; a point each 0.05 s.
fn coulomb_path(angle: f64, mu: f64, speed: f64) -> Vec<[f64; 2]> {
    let rate = |v: [f64; 2]| {
        let norm = v[0].hypot(v[1]).max(1e-12);
        let brake = mu * G * angle.cos() / norm;
        [G * angle.sin() - brake * v[0], -brake * v[1]]
    };
    let (mut x, mut v, h) = ([0.0; 2], [0.0, speed], 1e-5);
    let mut points = Vec::new();
    for i in 0..80_000 {
        if i % 5000 == 0 {
            points.push([x[1], x[0]]);
        }
        let a = rate(v);
        let middle = [v[0] + 0.5 * h * a[0], v[1] + 0.5 * h * a[1]];
        let a = rate(middle);
        for k in 0..2 {
            x[k] += h * middle[k];
            v[k] += h * a[k];
        }
    }
    points
}

/// Height of balls with three restitutions.
fn bounce() -> sinew::Result<String> {
    let mut plot = Plot::new("A ball dropped from 1 m", "time, s", "height, m");
    for e in [0.9, 0.7, 0.4] {
        let m = sinew::load_str(&format!(
            "<mujoco><option coulomb='exact'/><worldbody><geom type='plane' size='5 5 1'/>
             <body pos='0 0 1.1'><freejoint/><geom size='.1' restitution='{e}'/></body>
             </worldbody></mujoco>"
        ))?;
        let mut d = Data::new(&m);
        let mut line = Vec::new();
        for i in 0..1500 {
            if i % 5 == 0 {
                line.push([d.time, d.qpos[2] - 0.1]);
            }
            step(&m, &mut d);
        }
        plot.line(&format!("restitution {e}"), line);
    }
    Ok(plot.svg())
}

/// A plot of lines and points.
struct Plot {
    titles: [String; 3],
    series: Vec<Series>,
}

struct Series {
    name: String,
    points: Vec<[f64; 2]>,
    dots: bool,
}

const COLOURS: [&str; 4] = ["#1b6ca8", "#d1662b", "#3c8d40", "#7a4fa3"];
/// Size of the plot, and its margins: left, right, top, bottom.
const SIZE: [f64; 2] = [640.0, 360.0];
const MARGIN: [f64; 4] = [70.0, 20.0, 40.0, 50.0];

impl Plot {
    fn new(title: &str, x: &str, y: &str) -> Plot {
        Plot { titles: [title, x, y].map(str::to_owned), series: Vec::new() }
    }

    fn line(&mut self, name: &str, points: Vec<[f64; 2]>) {
        self.series.push(Series { name: name.to_owned(), points, dots: false });
    }

    fn dots(&mut self, name: &str, points: Vec<[f64; 2]>) {
        self.series.push(Series { name: name.to_owned(), points, dots: true });
    }

    /// Smallest and largest value along an axis, rounded outwards to ticks, and the tick spacing.
    fn range(&self, axis: usize) -> (f64, f64, f64) {
        let all = self.series.iter().flat_map(|s| &s.points).map(|p| p[axis]);
        let (lo, hi) = all.fold((0.0_f64, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
        let rough = ((hi - lo) / 5.0).max(1e-12);
        let power = 10_f64.powf(rough.log10().floor());
        let tick = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|t| *t >= rough);
        let tick = tick.unwrap_or(rough);
        ((lo / tick + 1e-3).floor() * tick, (hi / tick - 1e-3).ceil() * tick, tick)
    }

    fn svg(&self) -> String {
        let [w, h] = SIZE;
        let [left, right, top, bottom] = MARGIN;
        let ((x0, x1, dx), (y0, y1, dy)) = (self.range(0), self.range(1));
        let px = |x: f64| left + (x - x0) / (x1 - x0) * (w - left - right);
        let py = |y: f64| h - bottom - (y - y0) / (y1 - y0) * (h - top - bottom);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"{w}\" height=\"{h}\" fill=\"white\"/>\n"
        );
        let [title, xtitle, ytitle] = &self.titles;
        let (cx, cy) = (0.5 * (left + w - right), 0.5 * (top + h - bottom));
        let _ = writeln!(
            out,
            "<text x=\"{cx}\" y=\"24\" text-anchor=\"middle\" font-size=\"15\">{title}</text>"
        );
        let _ = writeln!(
            out,
            "<text x=\"{cx}\" y=\"{}\" text-anchor=\"middle\">{xtitle}</text>",
            h - 12.0
        );
        let _ = writeln!(
            out,
            "<text transform=\"translate(18 {cy}) rotate(-90)\" text-anchor=\"middle\">{ytitle}</text>"
        );

        // grid and ticks
        let ticks = |lo: f64, hi: f64, d: f64| {
            (0..=((hi - lo) / d).round() as i32).map(move |k| lo + f64::from(k) * d)
        };
        for x in ticks(x0, x1, dx) {
            let (p, a, b) = (px(x), top, h - bottom);
            let _ = writeln!(out, "<path d=\"M{p:.1} {a}V{b}\" stroke=\"#ddd\"/>");
            let _ = writeln!(
                out,
                "<text x=\"{p:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                b + 16.0,
                number(x)
            );
        }
        for y in ticks(y0, y1, dy) {
            let (p, a, b) = (py(y), left, w - right);
            let _ = writeln!(out, "<path d=\"M{a} {p:.1}H{b}\" stroke=\"#ddd\"/>");
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                a - 6.0,
                p + 4.0,
                number(y)
            );
        }

        // the series and their names
        for (k, series) in self.series.iter().enumerate() {
            let colour = COLOURS[k % COLOURS.len()];
            let points = series.points.iter().map(|p| (px(p[0]), py(p[1])));
            if series.dots {
                for (x, y) in points {
                    let _ = writeln!(
                        out,
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
                    );
                }
            } else {
                let list: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                let _ = writeln!(
                    out,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                    list.join(" ")
                );
            }
            let (x, y) = (left + 12.0, top + 18.0 + 16.0 * k as f64);
            let _ =
                writeln!(out, "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{}</text>", series.name);
        }
        out + "</svg>\n"
    }
}

/// A tick label without trailing zeros.
fn number(x: f64) -> String {
    let text = format!("{:.6}", if x.abs() < 1e-9 { 0.0 } else { x });
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
