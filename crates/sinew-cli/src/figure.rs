//! A figure as lines and texts: curves over time, with ticks and labels.

use anyhow::{Result, ensure};

/// Size of the figure and of the margins around the axes, pixels.
pub(crate) const WIDTH: f64 = 800.0;
pub(crate) const HEIGHT: f64 = 450.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 45.0;

/// Maximum number of points per curve; more are not visible at this width.
const MOST_POINTS: usize = 2000;

/// Colour-blind safe palette (Okabe and Ito, 2008).
const COLOURS: [[u8; 3]; 7] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
    [0x00, 0x00, 0x00],
];
const GRID: [u8; 3] = [0xdd; 3];
const INK: [u8; 3] = [0; 3];

/// A curve: its label and its points.
pub(crate) struct Curve {
    pub(crate) label: String,
    pub(crate) points: Vec<[f64; 2]>,
}

/// The point of a text that is placed.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A placed text.
pub(crate) struct Text {
    pub(crate) at: [f64; 2],
    pub(crate) anchor: Anchor,
    pub(crate) colour: [u8; 3],
    pub(crate) text: String,
}

/// A polyline.
pub(crate) struct Line {
    pub(crate) points: Vec<[f64; 2]>,
    pub(crate) colour: [u8; 3],
}

/// A figure, drawn in order: grid, curves, texts.
#[derive(Default)]
pub(crate) struct Figure {
    pub(crate) grid: Vec<Line>,
    pub(crate) curves: Vec<Line>,
    pub(crate) texts: Vec<Text>,
}

/// Lays out a figure of curves.
pub(crate) fn figure(curves: &[Curve]) -> Result<Figure> {
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
    let mut figure = Figure::default();
    let text = |at, anchor, text: String| Text { at, anchor, colour: INK, text };

    // axes with their ticks
    for x in ticks(x_range) {
        let (at, bottom) = (x_of(x), HEIGHT - BOTTOM);
        figure.grid.push(Line { points: vec![[at, TOP], [at, bottom]], colour: GRID });
        figure.texts.push(text([at, bottom + 16.0], Anchor::Middle, x.to_string()));
    }
    for y in ticks(y_range) {
        let at = y_of(y);
        figure.grid.push(Line { points: vec![[LEFT, at], [WIDTH - RIGHT, at]], colour: GRID });
        figure.texts.push(text([LEFT - 6.0, at + 4.0], Anchor::End, y.to_string()));
    }
    let middle = [0.5 * (LEFT + WIDTH - RIGHT), HEIGHT - 8.0];
    figure.texts.push(text(middle, Anchor::Middle, "time, s".into()));

    // curves and their labels
    for (k, curve) in curves.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        let every = curve.points.len().div_ceil(MOST_POINTS).max(1);
        let points = curve.points.iter().step_by(every).map(|&[x, y]| [x_of(x), y_of(y)]);
        figure.curves.push(Line { points: points.collect(), colour });
        let at = [WIDTH - RIGHT + 10.0, TOP + 14.0 + 16.0 * k as f64];
        figure.texts.push(Text { colour, ..text(at, Anchor::Start, curve.label.clone()) });
    }
    Ok(figure)
}

/// About five round numbers in a range.
fn ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|s| *s >= rough);
    let step = step.unwrap_or(rough);
    // rounding may put a tick just outside the range
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
