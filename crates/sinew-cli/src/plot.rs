//! `sinew plot`: recorded quantities over time as an SVG picture.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use crate::common::Common;
use crate::out;
use crate::recording::Recording;

pub(crate) const EXAMPLES: &str = "Examples:
  sinew plot swing.npz --out swing.svg
  sinew plot before.npz after.npz --column qpos.elbow --out both.svg";

/// Size of the picture and of the space around the axes, pixels.
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 450.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 45.0;

/// More points than this per curve do not show at this width.
const MOST_POINTS: usize = 2000;

/// Colours that people with any kind of colour vision tell apart (Okabe and Ito, 2008).
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Recordings: .npz, .csv or .mcap
    #[arg(required = true)]
    recordings: Vec<PathBuf>,
    /// Column or quantity to draw, such as qpos.elbow or qvel; may be repeated [default: qpos]
    #[arg(long, value_name = "NAME")]
    column: Vec<String>,
    /// File to write, .svg
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// A curve: its label and its points.
struct Curve {
    label: String,
    points: Vec<[f64; 2]>,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let is_svg = args.out.extension().is_some_and(|e| e == "svg");
    ensure!(is_svg, "{}: wanted a name that ends in .svg", args.out.display());
    let wanted = match args.column.is_empty() {
        true => vec!["qpos".to_string()],
        false => args.column.clone(),
    };
    let mut curves = Vec::new();
    for path in &args.recordings {
        let recording = Recording::read(path)?;
        let file = match args.recordings.len() {
            1 => String::new(),
            _ => path.file_stem().map_or(String::new(), |s| format!("{}: ", s.to_string_lossy())),
        };
        for name in &wanted {
            curves.extend(find(&recording, name, &file)?);
        }
    }
    let written = || format!("cannot write {}", args.out.display());
    fs::write(&args.out, draw(&curves)?).with_context(written)?;
    let file = args.out.display().to_string();
    match common.json {
        true => out::json(&json!({ "out": file, "curves": curves.len() }))?,
        false => out::line(&format!("written   {file} ({} curves)", curves.len()))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The curves of a column, or of all columns of a quantity.
fn find(recording: &Recording, name: &str, file: &str) -> Result<Vec<Curve>> {
    let time = &recording.channel("time").context("the recording has no time")?.values;
    let mut curves = Vec::new();
    for channel in &recording.channels {
        for (k, column) in channel.columns.iter().enumerate() {
            if column == name || channel.name == name {
                let values = channel.values.iter().skip(k).step_by(channel.columns.len());
                let points = time.iter().zip(values).map(|(&t, &x)| [t, x]);
                let finite = points.filter(|p| p.iter().all(|x| x.is_finite()));
                curves.push(Curve { label: format!("{file}{column}"), points: finite.collect() });
            }
        }
    }
    if curves.is_empty() {
        let all: Vec<&str> =
            recording.channels.iter().flat_map(|c| &c.columns).map(String::as_str).collect();
        bail!("no column named '{name}'; there are {}", all.join(", "));
    }
    Ok(curves)
}

fn draw(curves: &[Curve]) -> Result<String> {
    let all = || curves.iter().flat_map(|c| &c.points);
    ensure!(all().next().is_some(), "there is nothing to draw");
    let range = |k: usize| {
        let (low, high) = all().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
            (low.min(p[k]), high.max(p[k]))
        });
        if high > low { [low, high] } else { [low - 0.5, high + 0.5] }
    };
    let [x_range, y_range] = [range(0), range(1)];
    let place = |[low, high]: [f64; 2], value: f64| (value - low) / (high - low);
    let x_of = |x: f64| LEFT + place(x_range, x) * (WIDTH - LEFT - RIGHT);
    let y_of = |y: f64| HEIGHT - BOTTOM - place(y_range, y) * (HEIGHT - TOP - BOTTOM);

    // axes with their numbers
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
    );
    for x in ticks(x_range) {
        let at = x_of(x);
        let (top, bottom) = (TOP, HEIGHT - BOTTOM);
        let _ = writeln!(svg, "<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"#ddd\"/>");
        let below = bottom + 16.0;
        let _ =
            writeln!(svg, "<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{x}</text>");
    }
    for y in ticks(y_range) {
        let (at, right) = (y_of(y), WIDTH - RIGHT);
        let _ = writeln!(svg, "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#ddd\"/>");
        let (left, low) = (LEFT - 6.0, at + 4.0);
        let _ = writeln!(svg, "<text x=\"{left}\" y=\"{low:.1}\" text-anchor=\"end\">{y}</text>");
    }
    let (middle, low) = (0.5 * (LEFT + WIDTH - RIGHT), HEIGHT - 8.0);
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{low}\" text-anchor=\"middle\">time, s</text>");

    // curves and their labels
    for (k, curve) in curves.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        let every = curve.points.len().div_ceil(MOST_POINTS).max(1);
        let points: Vec<String> = curve
            .points
            .iter()
            .step_by(every)
            .map(|&[x, y]| format!("{:.1},{:.1}", x_of(x), y_of(y)))
            .collect();
        let points = points.join(" ");
        let _ = writeln!(svg, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\"/>");
        let (x, y) = (WIDTH - RIGHT + 10.0, TOP + 14.0 + 16.0 * k as f64);
        let label = curve.label.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{label}</text>");
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

/// Round numbers in a range, about five.
fn ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|s| *s >= rough);
    let step = step.unwrap_or(rough);
    // rounding may put a tick just outside of the ends of the range
    let first = (low / step - 1e-9).ceil();
    let digits = (-step.log10().floor()).max(0.0) as usize;
    let round = |x: f64| format!("{x:.digits$}").parse().unwrap_or(x);
    (0..20)
        .map(|k| (first + f64::from(k)) * step)
        .take_while(|x| *x <= high + 1e-9 * step)
        .map(round)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_inside_the_range() {
        assert_eq!(ticks([0.0, 1.0]), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(ticks([-3.3, 17.0]), [0.0, 5.0, 10.0, 15.0]);
        assert_eq!(ticks([0.101, 0.104]), [0.101, 0.102, 0.103, 0.104]);
    }
}
